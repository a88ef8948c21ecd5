"""Weights and full states of a run, in bounded room and thinned evenly; what lies on disk is read when asked for."""

import hashlib
import pickle
import threading
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import torch
from torch import Tensor

from playground.bounded_cache import BoundedCache
from playground.config import RunConfig, parameter_counts
from playground.errors import CheckpointError
from playground.task_model import TaskModel

RUN_BYTES = 20_000_000
"""Room for the snapshots and full states of one run; when it is full, every second one goes."""

SMALL_BYTES = 3_000_000
"""The same for a run of which little is kept."""

STATE_SHARE = 0.4
"""Of that, room for the full states, from which any step can be replayed."""

MAX_SNAPSHOTS = 200  # as many as a slider can tell apart

MAX_STATES = 24

FIRST_STATES_EVERY = 32  # steps, doubled whenever there are too many; so few are replayed in a moment


def snapshot_limit(parameters: int, room: int = RUN_BYTES) -> int:
    """How many snapshots of so many float32 weights a run keeps at most."""
    left = room - state_limit(parameters, room) * _state_bytes(parameters)
    return max(1, min(MAX_SNAPSHOTS, left // (4 * parameters)))


def state_limit(parameters: int, room: int = RUN_BYTES) -> int:
    """How many full states of a model with so many parameters a run keeps at most."""
    return min(MAX_STATES, int(STATE_SHARE * room) // _state_bytes(parameters))


def _state_bytes(parameters: int) -> int:
    """The most that a full state may take: weights and two moments, names and random states."""
    return 3 * 4 * parameters + 100_000


def state_every(step: int, limit: int) -> int:
    """The distance of full states in a run that has come to `step` and keeps `limit` of them; 0: there are none."""
    every = FIRST_STATES_EVERY if limit else 0
    while every and step // every > limit:
        every *= 2
    return every


def is_due(step: int, every: int) -> bool:
    """Whether a full state is kept at this step."""
    return bool(every and step and step % every == 0)


def packed(state: Mapping[str, Tensor]) -> bytes:
    """What `Training.state` gives, for processes of this program alone: half the time of a file's format."""
    return pickle.dumps({name: tensor.numpy() for name, tensor in state.items()}, protocol=5)


def unpacked(state: bytes) -> dict[str, Tensor]:
    """What `packed` has packed."""
    return {name: torch.from_numpy(array) for name, array in pickle.loads(state).items()}


def weights(model: TaskModel) -> bytes:
    """The float32 weights of a model, in the order of its parameters."""
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach().cpu().numpy().tobytes()


def put_weights(model: TaskModel, content: bytes) -> None:
    """Gives a model its float32 weights, in the order of its parameters."""
    vector = torch.from_numpy(np.frombuffer(content, dtype=np.float32).copy()).to(model.device)
    with torch.no_grad():
        torch.nn.utils.vector_to_parameters(vector, model.parameters())


def digest(content: bytes) -> bytes:
    """By which weights can be compared without being there."""
    return hashlib.blake2b(content, digest_size=16).digest()


class ReplayedWeights(BoundedCache[tuple[str, int], bytes]):
    """Replayed weights by run and step."""

    def steps(self, run_id: str) -> set[int]:
        return {step for (of, step), _ in self.items() if of == run_id}

    def forget(self, run_id: str) -> None:
        for step in self.steps(run_id):
            self.drop((run_id, step))


replayed = ReplayedWeights(64_000_000)


Read = Callable[[], bytes | None]
"""Reads something from disk; None if it is not there any more."""


class Snapshots:
    """All methods may be called from any thread."""

    def __init__(self, run_id: str, config: RunConfig, room: int = RUN_BYTES) -> None:
        self.run_id, self.config = run_id, config
        self._parameters = sum(parameter_counts(config).values())
        self._most, self.most_states = snapshot_limit(self._parameters, room), state_limit(self._parameters, room)
        self.weights: dict[int, bytes] = {}  # by step
        self.states: dict[int, bytes] = {}  # by step: everything the next step depends on, packed
        self.weights_on_disk: dict[int, Read] = {}
        self.state_on_disk: tuple[int, Read] | None = None
        self.beginning: Read = bytes  # the weights of step 0; empty: the settings determine them; None: they are lost
        self._lost = False  # whether they were found to be
        self._lock = threading.RLock()

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        with self._lock:
            return sum(map(len, self.weights.values())) + sum(map(len, self.states.values()))

    def take(self, weights: Iterable[tuple[int, bytes]], states: Iterable[tuple[int, bytes]], step: int) -> None:
        """Keeps what a run that has come to `step` brings."""
        with self._lock:
            self.weights.update(weights)
            self.states.update(states)
            self._thin(step)

    def cut_after(self, step: int) -> None:
        """Forgets those of later steps, and reads those on disk, where newer ones will be written."""
        with self._lock:
            for kept in list(self.weights_on_disk):
                content = self._read(kept)
                if content and kept <= step:
                    self.weights[kept] = content
            self.weights_on_disk, self.state_on_disk = {}, None
            self.weights = {at: content for at, content in self.weights.items() if at <= step}
            self.states = {at: content for at, content in self.states.items() if at <= step}

    def thin(self, room: int, step: int) -> None:
        """Leaves so many bytes to a run that has come to `step`; what is on disk as well takes none of them."""
        with self._lock:
            self._most, self.most_states = snapshot_limit(self._parameters, room), state_limit(self._parameters, room)
            if 4 * self._parameters > room:
                self.weights = {at: content for at, content in self.weights.items() if at not in self.weights_on_disk}
            self._thin(step)

    def until(self, step: int) -> tuple[dict[int, bytes], dict[int, bytes]]:
        """Weights and states of the steps up to this one."""
        with self._lock:
            weights = {at: content for at in self.steps() if at <= step and (content := self.get(at))}
            return weights, {at: content for at, content in self.states.items() if at <= step}

    def steps(self) -> list[int]:
        """Steps whose weights are kept, in order."""
        with self._lock:
            return sorted({*self.weights, *self.weights_on_disk})

    def has(self, step: int) -> bool:
        """Whether `get` has an answer, as far as one can know without reading the disk."""
        with self._lock:
            return step in self._kept() or replayed.get((self.run_id, step)) is not None

    def get(self, step: int) -> bytes | None:
        """The weights; empty bytes stand for a beginning that the settings alone determine."""
        with self._lock:
            content = self.weights.get(step) or replayed.get((self.run_id, step))
            if content and len(content) != 4 * self._parameters:  # the settings on disk have changed since
                replayed.forget(self.run_id)
                content = None
            if content is None and step in self.weights_on_disk:
                content = self._read(step)
                if content is None:
                    del self.weights_on_disk[step]
                else:
                    replayed.put((self.run_id, step), content)
            if content is None and step == 0:
                content = self.beginning()
                self._lost = content is None
            return content

    def nearest(self, step: int | None) -> int:
        """The step at hand that is nearest to `step`, the earlier of two; None: the newest that is kept."""
        return next(iter(self._by_distance(step)), 0)

    def near(self, step: int | None) -> tuple[int, bytes]:
        """The nearest step at hand and its weights: what `nearest` finds may be thinned out a moment later.

        Raises `CheckpointError` if there are none.
        """
        with self._lock:
            for at in self._by_distance(step):
                if (content := self.get(at)) is not None:
                    return at, content
        raise CheckpointError("The weights of this run are damaged or no longer on disk.")

    def _by_distance(self, step: int | None) -> list[int]:
        """The steps at hand, the nearest to `step` first; None: the newest first, as far as they are kept."""
        with self._lock:
            if step is None:
                return sorted(self._kept(), reverse=True)
            at_hand = {*self._kept(), *replayed.steps(self.run_id)}
            return sorted(at_hand, key=lambda known: (abs(known - step), known))

    def _kept(self) -> set[int]:
        """Steps whose weights are kept or determined by the settings, as far as known without reading the disk."""
        return {*self.weights, *self.weights_on_disk, *(() if self._lost else (0,))}

    def agree(self, step: int, content: bytes) -> bool:
        """Whether these weights are those that are kept of a step, if any are."""
        with self._lock:
            kept = self.get(step) if step in self.steps() else None
            return kept is None or kept == content

    def state_step(self, step: int) -> int:
        """The step of the newest full state at or before `step`; 0 is the beginning."""
        with self._lock:
            kept = {0, *self.states} | ({self.state_on_disk[0]} if self.state_on_disk else set())
            return max(at for at in kept if at <= step)

    def state_before(self, step: int) -> tuple[int, bytes | None]:
        """The newest full state at or before a step: (its step, its content); (0, None) is the beginning."""
        with self._lock:
            at = self.state_step(step)
            if at in self.states or at == 0:
                return at, self.states.get(at)
            assert self.state_on_disk is not None
            if content := self.state_on_disk[1]():
                return at, content
            self.state_on_disk = None
            return self.state_before(step)

    def state_every(self, step: int) -> int:
        """Distance of the full states that a run that has come to `step` keeps, in steps; 0: none are kept."""
        return state_every(step, self.most_states)

    def model(self, content: bytes) -> TaskModel:
        """A model with these weights, in evaluation mode."""
        model = TaskModel(self.config).eval()
        if content:
            put_weights(model, content)
        return model

    def _read(self, step: int) -> bytes | None:
        content = self.weights_on_disk[step]()
        return content if content is not None and len(content) == 4 * self._parameters else None

    def _thin(self, step: int) -> None:
        """Drops snapshots where they stand closest together; the newest stays and, if there is room, the first."""
        while len(self.weights) > self._most:
            steps = sorted(self.weights)
            inner = range(1, len(steps) - 1)
            closest = min(inner, key=lambda at: steps[at + 1] - steps[at - 1], default=0)
            del self.weights[steps[closest]]
        every = state_every(step, self.most_states)
        self.states = {at: content for at, content in self.states.items() if is_due(at, every)}
