import asyncio
from datetime import UTC, datetime, timedelta

from serinus.engine.local import LocalEngine, Schedule

START = datetime(2026, 11, 30, 2, 44, tzinfo=UTC)
HALF_HOUR = timedelta(minutes=30)


class Life:
    """Rounds that take no time, under a clock that a round moves on by half an hour."""

    def __init__(self, stop_after: int, last: datetime | None = None) -> None:
        self.now, self.stop_after, self.last = START, stop_after, last
        self.ran: list[tuple[str, datetime]] = []
        self.stop = asyncio.Event()

    async def round(self, model: str, planned: datetime) -> None:
        self.ran.append((model, planned))
        self.now += HALF_HOUR
        if len(self.ran) == self.stop_after:
            self.stop.set()

    def engine(self, **schedule: timedelta) -> LocalEngine:
        return LocalEngine(
            Schedule(HALF_HOUR, **schedule), lambda: self.now, self.round, lambda _model: self.last
        )


def run(life: Life, *models: str, **schedule: timedelta) -> bool:
    return asyncio.run(life.engine(**schedule).run(models or ("m",), life.stop))


def test_each_planned_instant_is_run_once_and_in_order():
    life = Life(stop_after=3)
    assert run(life)
    assert [at.strftime("%H:%M") for _, at in life.ran] == ["02:30", "03:00", "03:30"]


def test_a_restart_does_not_repeat_the_round_that_was_taken():
    life = Life(stop_after=1, last=datetime(2026, 11, 30, 2, 30, tzinfo=UTC))
    life.now += HALF_HOUR
    run(life)
    assert [at.strftime("%H:%M") for _, at in life.ran] == ["03:00"]


def test_a_stop_waits_for_the_round_in_flight():
    life = Life(stop_after=1)
    ended = []

    async def slow(_model: str, _planned: datetime) -> None:
        life.stop.set()
        await asyncio.sleep(0.01)
        ended.append(True)

    engine = LocalEngine(Schedule(HALF_HOUR), lambda: life.now, slow, lambda _model: None)
    assert asyncio.run(engine.run(("m",), life.stop))
    assert ended == [True]


def test_a_round_that_outlives_the_grace_is_given_up():
    life = Life(stop_after=1)

    async def endless(_model: str, _planned: datetime) -> None:
        life.stop.set()
        await asyncio.Event().wait()

    schedule = Schedule(HALF_HOUR, grace=timedelta(milliseconds=10))
    engine = LocalEngine(schedule, lambda: life.now, endless, lambda _model: None)
    assert not asyncio.run(engine.run(("m",), life.stop))
