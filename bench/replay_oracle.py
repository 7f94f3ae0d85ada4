"""Compare the policy with a naive second reading of its rules over many random histories.

    python bench/replay_oracle.py --seeds 20000 [--first 0]

Prints the histories compared, the decisions of each kind, and every seed that differs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracle.comparing import our_lists, ours
from oracle.histories import history
from oracle.log import epoch
from oracle.rules import decisions, ignore_lists


def main() -> int:
    """Compare and print; the exit status is 1 if any history differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    said: Counter[str] = Counter()
    events_seen, different = 0, []
    for seed in range(options.first, options.first + options.seeds):
        events, policy = history(seed)
        theirs = decisions(events, policy)
        found = ours(events, policy)
        when = epoch(events[len(events) * (seed % 4 + 1) // 4 - 1]["at"])
        lists = our_lists(events, policy, when) == ignore_lists(events, policy, when)
        events_seen += len(events)
        said.update(d["decision"] for d in theirs)
        if found != theirs or not lists:
            different.append(seed)
            print(f"seed {seed} differs{'' if found != theirs else ' in its ignore lists'}")
    print(
        f"{options.seeds} histories, {events_seen} events, {said.total()} decisions, {len(different)} differ"
    )
    for kind, count in sorted(said.items()):
        print(f"  {kind:14} {count}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
