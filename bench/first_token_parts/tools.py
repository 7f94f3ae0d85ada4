"""Load testers as peers: they are run as they are, and their own report of each request is read.

Neither belongs to the project; each is installed apart (aiperf 0.8 GB, guidellm with torch 5.6 GB)
and named by its command. The host's truth stands in the first token, which both keep.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

PROMPT: Final = "word " * 300  # about as large as the probe's own request
LONGEST: Final = 300.0  # seconds for one tool

# Both want a tokenizer and would fetch one; this one knows a single word.
_TOKENIZER: Final = """
import sys
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
words = Tokenizer(models.WordLevel({"[UNK]": 0, "word": 1}, unk_token="[UNK]"))
words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]").save_pretrained(sys.argv[1])
"""


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
    if done.returncode:
        message = f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr)[-500:]}"
        raise RuntimeError(message)


def _prepare(path: str, folder: Path, count: int) -> tuple[Path, Path]:
    """A tokenizer and a file of prompts for the tool whose command lies at `path`."""
    tokenizer, prompts = folder / "tokenizer", folder / "prompts.jsonl"
    _run([str(Path(path).parent / "python"), "-c", _TOKENIZER, str(tokenizer)])
    prompts.write_text("".join(f"{json.dumps({'text': PROMPT})}\n" for _ in range(count)))
    return tokenizer, prompts


def truth(text: str) -> float:
    """Milliseconds from the request's arrival to the first token, out of the token."""
    arrived, wrote = (int(part) for part in text.strip().split()[0].removeprefix("t").split(":"))
    return (wrote - arrived) / 1e6


def _aiperf_texts(raw: Path) -> Iterator[tuple[str, str]]:
    """Each request's id and the text of its first token."""
    for line in raw.read_text().splitlines():
        record = json.loads(line)
        packets = [p["value"] for r in record["responses"] for p in r["packets"] if p["name"] == "data"]
        first = next(p for p in packets if '"content": "t' in p)
        yield record["metadata"]["x_request_id"], json.loads(first)["choices"][0]["delta"]["content"]


def aiperf(path: str, url: str, count: int) -> list[float]:
    """Errors of aiperf in milliseconds, `count` requests at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokenizer, prompts = _prepare(path, folder, count)
        what = ["-m", "bench", "-u", url.removesuffix("/v1"), "--endpoint-type", "chat", "--streaming"]
        data = ["--input-file", str(prompts), "--custom-dataset-type", "single_turn"]
        load = ["--concurrency", str(count), "--request-count", str(count)]
        count_tokens = ["--tokenizer", str(tokenizer), "--use-server-token-count"]
        out = ["--export-level", "raw", "--output-artifact-dir", str(folder / "out"), "--ui", "none"]
        _run([path, "profile", *what, *data, *load, *count_tokens, *out])
        true = {key: truth(text) for key, text in _aiperf_texts(folder / "out" / "profile_export_raw.jsonl")}
        records = map(json.loads, (folder / "out" / "profile_export.jsonl").read_text().splitlines())
        return [
            r["metrics"]["time_to_first_output_token"]["value"] - true[r["metadata"]["x_request_id"]]
            for r in records
        ]


def guidellm(path: str, url: str, count: int) -> list[float]:
    """Errors of guidellm in milliseconds, `count` requests at once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokenizer, prompts = _prepare(path, folder, count)
        report = folder / "report.json"
        what = ["--backend", f"kind=openai_http,target={url.removesuffix('/v1')},model=bench"]
        load = ["--profile", f"kind=throughput,max_concurrency={count}"]
        end = ["--constraint", f"kind=max_requests,count={count}"]
        tokens = ["--tokenizer", f"kind=huggingface_auto,model={tokenizer}"]
        data = ["--data", f"kind=json_file,path={prompts}"]
        out = ["--output", f"kind=json,path={report}", "--disable-console"]
        _run([path, "run", *what, *load, *end, *tokens, *data, *out])
        requests = json.loads(report.read_text())["benchmarks"][0]["requests"]["successful"]
        return [r["time_to_first_output_token_ms"] - truth(r["output"]) for r in requests]


TOOLS: Final[dict[str, Callable[[str, str, int], list[float]]]] = {"aiperf": aiperf, "guidellm": guidellm}
