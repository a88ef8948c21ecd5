"""The state machine of a run against a model of its worker: any order of acts, reports, crashes and restarts."""

import random
from collections import deque

import pytest

from playground.runs.states import (
    ENDED,
    LISTENING,
    STATUS,
    TRAINING,
    TRANSITIONS,
    WILL_PAUSE,
    WITH_WORKER,
    Command,
    Event,
    IllegalEventError,
    Lifecycle,
    State,
    after,
)

ACTS = [Event.RESUME, Event.STEP, Event.PAUSE, Event.SUSPEND, Event.STOP]
ENDS = {state for state in State if STATUS[state] in ENDED}


# --- the table ------------------------------------------------------------------------------------


def test_every_event_has_a_row_and_every_request_is_allowed_in_every_state():
    assert set(TRANSITIONS) == set(Event)
    for act in ACTS:
        assert set(TRANSITIONS[act]) == set(State)


def test_an_event_that_is_not_in_the_table_is_refused():
    for state in set(State) - {State.QUEUED, State.QUEUED_TO_PAUSE}:
        with pytest.raises(IllegalEventError, match=state.value):
            after(state, Event.START)
    with pytest.raises(IllegalEventError):
        after(State.SUSPENDED, Event.RAN)


def test_an_ended_run_never_changes_again():
    for row in TRANSITIONS.values():
        assert all(row.get(state, state) is state for state in ENDS)


def test_a_worker_slot_is_held_from_start_until_the_worker_has_ended():
    leaving = {event for event in Event if event not in ACTS} - {Event.START, Event.RAN, Event.PAUSED}
    for event, row in TRANSITIONS.items():
        for before, then in row.items():
            if before not in WITH_WORKER and then in WITH_WORKER:
                assert event is Event.START
            if before in WITH_WORKER and then not in WITH_WORKER:
                assert event in leaving - {Event.NOT_SUSPENDED}


def test_every_state_is_reachable_and_leads_to_an_end():
    follows = {state: {row[state] for row in TRANSITIONS.values() if state in row} for state in State}
    for state in State:
        assert reached(state, follows) & ENDS
    assert reached(State.QUEUED, follows) == set(State)


def reached(state: State, follows: dict[State, set[State]]) -> set[State]:
    found, new = {state}, [state]
    while new:
        more = follows[new.pop()] - found
        found |= more
        new += more
    return found


def test_the_groups_of_states_agree():
    assert LISTENING < WITH_WORKER
    assert not WITH_WORKER & ENDS
    assert not TRAINING & WILL_PAUSE
    assert set(STATUS) == set(State)


# --- any order of events --------------------------------------------------------------------------


class Worker:
    """What `worker.py` does, without training."""

    def __init__(self, paused: bool) -> None:
        self.paused, self.wanted, self.steps = paused, 0, 0
        self.inbox: deque[Command] = deque()
        self.reports: deque[Event] = deque()
        self.gone = False

    def obey(self, disk: bool) -> None:
        verb = self.inbox.popleft()[0]
        if verb == "resume":
            self.paused, self.wanted = False, 0
        elif verb == "stop":
            self.end(Event.STOPPED)
        elif verb == "suspend" and disk:
            self.end(Event.SUSPENDED)
        else:
            self.paused = True
            self.wanted += verb == "step"
            if verb == "suspend":
                self.reports.append(Event.NOT_SUSPENDED)

    def go_on(self) -> None:
        if self.wanted or not self.paused:
            self.steps += 1
            self.wanted -= self.paused
        self.reports.append(Event.PAUSED if self.paused and not self.wanted else Event.RAN)

    def end(self, event: Event) -> None:
        self.reports.append(event)
        self.gone = True


class System:
    """One run, its worker and the host that gives it a slot."""

    def __init__(self) -> None:
        self.run, self.worker, self.reserved, self.disk = Lifecycle(), None, False, True
        self.steps = 0  # taken by earlier workers
        self.last: Event | None = None  # the act that holds, if nothing has crashed since
        self.row, self.before = 0, 0  # how many presses of Step in a row, and the steps taken until then

    def moves(self) -> list[tuple[str, Event | None, float]]:
        """What may happen now: a method, its argument, and how often it does."""
        moves = [("press", act, 0.2 if act is Event.STOP else 1) for act in ACTS]
        moves += [("restart", None, 0.1), ("fill_or_free_disk", None, 0.3)]
        if self.run.status == "queued":
            moves.append(("reserve", None, 3))
        if self.reserved:
            moves += [("launch", None, 3), ("launch", Event.FAILED, 0.1)]
        if self.worker and not self.worker.gone:
            moves += [("worker_goes_on", None, 1)]
            moves += [("worker_ends", end, 0.05) for end in (Event.SOLVED, Event.FINISHED, Event.FAILED)]
            moves += [("crash", event, 0.1) for event in (Event.LOST, Event.LOST_ALL)]
            moves += [("worker_obeys", None, 2)] if self.worker.inbox else []
        if self.worker and self.worker.reports:
            moves.append(("server_reads", None, 2))
        return moves

    def taken(self) -> int:
        return self.steps + (self.worker.steps if self.worker else 0)

    def send(self) -> None:
        if self.worker:
            self.worker.inbox += self.run.outbox
            self.run.outbox = []

    def press(self, act: Event) -> None:
        if act is not Event.STEP or self.last is not Event.STEP:
            self.row, self.before = 0, self.taken()
        self.row += act is Event.STEP
        self.last = act
        self.run.on(act)
        self.send()

    def reserve(self) -> None:
        self.run.on(Event.START)
        self.reserved = True

    def launch(self, failed: Event | None = None) -> None:
        self.reserved = False
        if failed or self.run.state is State.STOPPING:
            self.run.on(failed or Event.STOPPED)
        else:
            self.worker = Worker(paused=self.run.state not in TRAINING)
            self.send()

    def worker_obeys(self) -> None:
        self.worker.obey(self.disk)

    def worker_goes_on(self) -> None:
        self.worker.go_on()

    def worker_ends(self, end: Event) -> None:
        self.worker.end(end)

    def server_reads(self) -> None:
        self.run.on(self.worker.reports.popleft())
        self.send()
        if not self.worker.reports and self.worker.gone:
            self.leave()

    def crash(self, event: Event) -> None:
        while self.worker.reports:
            self.run.on(self.worker.reports.popleft())
        self.run.on(event)
        self.last = None
        self.leave()

    def restart(self) -> None:
        self.run.on(Event.RESTORED)
        self.run = Lifecycle(self.run.state)
        self.last, self.reserved = None, False
        self.leave()

    def fill_or_free_disk(self) -> None:
        self.disk = not self.disk

    def leave(self) -> None:
        self.steps, self.worker = self.taken(), None

    def settle(self) -> None:
        """Gives the run a slot, and all of them time."""
        for _ in range(8):
            if self.run.status == "queued":
                self.reserve()
            if self.reserved:
                self.launch()
            while self.worker and not self.worker.gone and self.worker.inbox:
                self.worker.obey(self.disk)
            for _ in range(self.worker.wanted + 1 if self.worker and not self.worker.gone else 0):
                self.worker.go_on()
            while self.worker and self.worker.reports:
                self.server_reads()

    def check(self) -> None:
        state = self.run.state
        if state not in ENDS:
            assert (state in WITH_WORKER) == (self.reserved or self.worker is not None)

    def check_settled(self) -> None:
        """What was pressed last has come about."""
        if self.run.state not in ENDS and self.last is not None:
            assert (
                self.run.state
                in {
                    Event.RESUME: [State.RUNNING],
                    Event.STEP: [State.PAUSED],
                    Event.PAUSE: [State.PAUSED, State.SUSPENDED],
                    Event.SUSPEND: [State.PAUSED, State.SUSPENDED],
                    Event.STOP: [],
                }[self.last]
            )
            assert self.taken() - self.before >= self.row


@pytest.mark.parametrize("length", [2, 5, 10, 20, 40])
def test_no_request_is_lost_in_any_order_of_events(length: int):
    for seed in range(20_000 // length):
        rng, system, ended, path = random.Random(seed), System(), None, []
        try:
            for _ in range(length):
                moves = system.moves()
                name, argument, _ = rng.choices(moves, [weight for *_, weight in moves])[0]
                path.append(f"{name} {argument or ''}")
                getattr(system, name)(*filter(None, [argument]))
                system.check()
                assert ended in (None, system.run.state)
                ended = system.run.state if system.run.state in ENDS else None
            system.settle()
            system.check_settled()
        except (AssertionError, IllegalEventError) as error:
            raise AssertionError(f"{path}, then {system.run.state}") from error


@pytest.mark.parametrize(
    "acts",
    [
        [Event.START, Event.SUSPEND, Event.STEP, Event.STEP, Event.NOT_SUSPENDED],
        [Event.START, Event.RAN, Event.SUSPEND, Event.RESUME, Event.STEP, Event.STEP, Event.SUSPENDED, Event.START],
        [Event.STEP, Event.PAUSE, Event.STEP, Event.STEP, Event.START],
    ],
)
def test_unsent_steps_go_to_the_next_worker(acts: list[Event]):
    run = Lifecycle()
    for act in acts:
        run.on(act)
    assert [command for command in run.outbox if command[0] == "step"] == [("step", None)] * 2


def test_a_resume_after_a_failed_suspend_keeps_its_target_step():
    run = Lifecycle()
    for act in (Event.START, Event.RAN, Event.SUSPEND, Event.RESUME):
        run.on(act)
    run.on(Event.NOT_SUSPENDED, 45)
    assert run.outbox == [("suspend", None), ("resume", 45)]
    assert run.state is State.RUNNING
