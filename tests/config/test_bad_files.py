"""Each file of `bad/` and exactly what `serinus config check` says of it."""

from pathlib import Path

import pytest

from serinus.config import inspect
from serinus.contracts import contracts
from serinus.probes.languages import available
from serinus.service.notice_kinds import KINDS

BAD = Path(__file__).parent / "bad"
FILES = sorted(BAD.glob("*.toml"))


def told(file, environ=None):
    """The problem lines, with the file's name for its path and without lists that grow with the project."""
    lines = "\n".join(p.line() for p in inspect(file, environ or {}).problems)
    lines = lines.replace(f"{file.parent}/", "").replace(", ".join(available()), "{languages}")
    known = ", ".join(c.name for c in contracts())
    lines = lines.replace(", ".join(KINDS), "{notices}")
    return lines.replace(f"contracts: {known}", "contracts: {contracts}") + "\n"


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_mistake_of_a_file_is_told_at_once(file):
    assert told(file) == file.with_suffix(".txt").read_text(encoding="utf-8")


def test_ten_mistakes_are_told_in_ten_lines():
    assert len(told(BAD / "ten_mistakes.toml").splitlines()) == 10


def test_a_secret_is_never_shown():
    for name in ("literal_key", "key_in_a_broken_line"):
        said = told(BAD / f"{name}.toml")
        assert "0123456789" not in said
        assert "me:secret" not in said


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"\xef\xbb\xbf[[model]]\nid = 'a/b'\n", ""),
        (b"[[model]]\nid = '\xff'\n", "line 2: found the byte 0xff; allowed: UTF-8; save the file as UTF-8"),
        (b"[[model]]\r\nid = 'a/b'\r\n", ""),
        (b"", ": model: found nothing; allowed: one [[model]] table or more; add it"),
    ],
)
def test_bytes_are_read_as_utf8_with_or_without_a_mark(tmp_path, raw, line):
    file = tmp_path / "serinus.toml"
    file.write_bytes(raw)
    assert line in told(file)
    assert bool(line) == bool(inspect(file, {}).problems)


def test_a_folder_or_a_missing_file_is_told_with_the_way_out(tmp_path):
    assert "found is a directory; allowed: a readable file" in told(tmp_path)
    assert "found no such file or directory" in told(tmp_path / "none.toml")
