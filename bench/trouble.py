"""What trouble at the wire costs: memory and time of whole rounds, and what is made of each trouble.

    python bench/trouble.py

Two rounds for each trouble of `tests/troubled.py`, over a real socket: one host that has it beside three
healthy ones, hard limit 2.5 s. Memory is what Python held at most beyond what it held before, the
gateway's own side included. Exit status 1 if anybody was suspended whom R6 does not call failing.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from troubled import HEALTHY, TROUBLES, Wire, World, live, peak_of


def main() -> int:
    """Run every trouble and print its row."""
    wrong, most, longest = 0, 0, 0.0
    print(f"{'trouble':<16}{'first token':<14}{'suspended':<12}{'longest round':>14}{'memory':>12}")
    for tag, trouble in TROUBLES.items():
        spent: list[float] = []

        async def story(world: World, spent: list[float] = spent) -> None:
            for _ in range(2):
                began = time.monotonic()
                await world.round()
                spent.append(time.monotonic() - began)

        wire = Wire([tag, *HEALTHY[:3]], {tag: trouble.spoil})
        world, peak = peak_of(lambda wire=wire, story=story: live(wire, story))
        said = "/".join(sorted(world.words("first_token")[tag]))
        suspended = world.suspended()
        wrong += suspended != ({tag} if trouble.suspends else set())
        most, longest = max(most, peak), max(longest, *spent)
        row = f"{tag:<16}{said:<14}{', '.join(suspended) or '-':<12}"
        print(f"{row}{max(spent):>12.2f} s{peak / 1e6:>9.1f} MB")
    print(f"{len(TROUBLES)} troubles, wrong {wrong}", end=", ")
    print(f"longest round {longest:.2f} s, most memory {most / 1e6:.1f} MB")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
