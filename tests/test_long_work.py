"""Slots for long work: who is next, what waits, and what is refused."""

from playground.runs.long_work import SHORT_SECONDS, LongWork
from playground.settings.host import Host

LONG = SHORT_SECONDS + 1


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def slots(workers: int = 2, minutes: int = 0) -> tuple[LongWork, Clock]:
    """One slot for any work, and one for short work."""
    clock = Clock()
    return LongWork(Host(workers=workers, run_minutes=minutes), clock), clock


def test_short_work_doesnt_wait_for_long_work():
    work, _ = slots()
    held, waiting = work.ask("ada", LONG), work.ask("bob", LONG)
    assert held.active
    assert not waiting.active
    short = [work.ask(f"short {at}", 1.0) for at in range(work.slots + 1)]
    assert [slot.active for slot in short] == [True] * work.slots + [False]
    short[0].end()
    assert short[-1].active
    assert not waiting.active, "these slots are for short work alone"
    held.end()
    assert waiting.wait(0)


def test_short_work_may_use_every_slot():
    work, _ = slots(workers=6)
    short = [work.ask(f"short {at}", 1.0) for at in range(2 * work.slots + 1)]
    assert [slot.active for slot in short] == [True] * 2 * work.slots + [False]


def test_the_visitor_with_the_least_used_time_is_next():
    work, clock = slots()
    first = work.ask("ada", LONG)
    again, other = work.ask("ada", LONG), work.ask("bob", LONG)
    clock.now = 10
    first.end()
    assert (again.active, other.active) == (False, True), "bob has used nothing"
    clock.now = 15
    newcomer, more = work.ask("eve", LONG), work.ask("bob", LONG)
    other.end()
    assert newcomer.active
    newcomer.end()
    assert (again.active, more.active) == (False, True), "bob has used 5 seconds, ada 10"
    more.end()
    assert again.active


def test_a_visitor_without_active_work_is_before_one_with_some():
    work, clock = slots(workers=4)
    for visitor in ("ada", "bob"):
        work.ask(visitor, LONG)
    more, newcomer = work.ask("ada", LONG), work.ask("eve", LONG)
    clock.now = 1
    bob = next(slot for slot in work._active if slot.visitor == "bob")
    bob.end()
    assert (more.active, newcomer.active) == (False, True)


def test_who_stops_waiting_takes_no_slot():
    work, _ = slots()
    held = work.ask("ada", LONG)
    with work.ask("bob", LONG) as given_up:
        assert not given_up.wait(0)
    after = work.ask("eve", LONG)
    held.end()
    assert not given_up.active
    assert after.active
    after.end()
    after.end()
    assert not work._used, "nobody is left to be fair to"


def test_work_beyond_the_limit_of_the_host_is_refused_with_its_estimate():
    work, _ = slots(minutes=30)
    assert not work.refusal(30 * 60)
    assert work.refusal(19 * 3600) == (
        "This needs about 19 hours of computing time. The limit here is 30 minutes. Use a smaller model."
    )
    assert not slots()[0].refusal(1e9), "no limit on one's own machine"
