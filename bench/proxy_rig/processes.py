"""Processes of a bench: started, waited for, their CPU read from the kernel, ended."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).parent
PATIENCE = 60  # seconds that a program may take to listen


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def compiled(folder: Path) -> dict[str, Path]:
    """The C programs, compiled into a folder; empty where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return {}
    found = {}
    for source in sorted(HERE.glob("*.c")):
        program = folder / source.stem
        subprocess.run([compiler, "-O2", "-o", program, source], check=True)
        found[source.stem] = program
    return found


@contextmanager
def running(
    command: Sequence[str | Path],
    port: int,
    log: Path,
    env: Mapping[str, str] | None = None,
) -> Iterator[int]:
    """A program until the block ends; its process id, once it listens."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, **(env or {})}, start_new_session=True
        )
    try:
        _listening(process, port, log)
        yield process.pid
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _listening(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    message = f"it does not listen on {port}: {log.read_text(errors='replace')[-800:]}"
    raise RuntimeError(message)


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and all its children, threads too; from schedstat, which noise does not reach."""
    total = 0
    for one in _tree(pid):
        for stat in Path(f"/proc/{one}/task").glob("*/schedstat"):
            try:
                total += int(stat.read_text().split()[0])
            except (OSError, IndexError):
                continue
    return total / 1e9


def resident(pid: int) -> int:
    """Resident memory of a process and all its children, in bytes."""
    pages = 0
    for one in _tree(pid):
        try:
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except OSError:
            continue
    return pages * os.sysconf("SC_PAGE_SIZE")


def _tree(pid: int) -> list[int]:
    found, pending = [], [pid]
    while pending:
        one = pending.pop()
        found.append(one)
        for children in Path(f"/proc/{one}/task").glob("*/children"):
            try:
                pending += [int(child) for child in children.read_text().split()]
            except OSError:
                continue
    return found
