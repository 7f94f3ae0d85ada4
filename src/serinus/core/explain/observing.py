"""What observe mode saw, as sentences (R17)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from serinus.core.explain.phrases import counted
from serinus.core.intervals import Interval

_SIGNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "peers_failed": "only this contract failed, and other providers failed it in the same rounds",
        "restored_soon": "it was clean again in the very next rounds",
        "round_void": "the probe itself was suspected around that time",
    }
)


def of_sign(code: str) -> str:
    """What makes a would-be suspension look false by itself."""
    return _SIGNS[code]


def of_share(fails: int, of: int, interval: Interval) -> str:
    """A counted share with its 95 % interval: `3 of 900 (0.33 %, at most 0.98 %)`."""
    if not of:
        return "none counted"
    return f"{fails} of {of} ({_percent(fails / of)}, {_percent(interval.low)} to {_percent(interval.high)})"


def of_chance(share: float, interval: Interval, rounds_a_day: float) -> str:
    """What such failures would do to healthy routes if each were an accident of its own.

    Two in a row: share² a round; times rounds a day, over 1,000 route-days. The upper end of the share's
    interval is told too: none of 17 is no promise of none.
    """
    likely, most = (x * x * rounds_a_day * 1000 for x in (share, interval.high))
    return (
        f"about {likely:,.2f} false suspensions in 1,000 route-days, at most {most:,.2f}, "
        "if failures were independent"
    )


def of_short_observation(model: str, days: int, wanted: int) -> str:
    """That a model was observed on too few days to enforce what was seen (R17)."""
    return f"{model} was observed on {days} of the {wanted} days that are wanted."


def of_advice(code: str, facts: Mapping[str, int]) -> str:
    """What to do with one contract."""
    return _ADVICE[code](facts)


def _percent(share: float) -> str:
    return f"{share * 100:.2f} %"


def _observe(f: Mapping[str, int]) -> str:
    days = counted(f["days"], "day")
    return f"Go on observing: it was asked on {days} in observe mode, {f['wanted']} are wanted."


def _wrong(f: Mapping[str, int]) -> str:
    marked = counted(f["marked"], "marked suspension")
    return f"Do not enforce it yet: {f['wrong']} of {marked} would have been wrong."


def _mark(f: Mapping[str, int]) -> str:
    doubtful = f", {f['doubtful']} of them doubtful by signs of their own" if f["doubtful"] else ""
    return (
        f"Look at the {counted(f['unmarked'], 'would-be suspension')} that nobody marked{doubtful}: "
        "`serinus explain` shows the evidence, `serinus mark` takes your opinion."
    )


def _enforce(f: Mapping[str, int]) -> str:
    so_far = f"all {f['right']} that it would have made were marked right" if f["right"] else ""
    return f"Ready to be enforced: {so_far or 'it would have suspended nobody'}."


_ADVICE: Final[Mapping[str, Callable[[Mapping[str, int]], str]]] = MappingProxyType(
    {
        "enforced": lambda _: "It is enforced already.",
        "observe": _observe,
        "wrong": _wrong,
        "mark": _mark,
        "enforce": _enforce,
    }
)
