"""Weights and full states of a run, bounded in bytes and thinned evenly; those on disk are read on demand."""

import hashlib
import pickle
import threading
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import torch
from torch import Tensor

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig, parameter_counts
from playground.training.recipe import USUAL, Recipe

RUN_BYTES = 20_000_000
"""Memory for the snapshots and full states of one run; beyond it they are thinned."""

SMALL_BYTES = 3_000_000
"""The same for a run that keeps little."""

STATE_FRACTION = 0.4
"""Fraction of it for full states, from which any step can be replayed."""

MAX_SNAPSHOTS = 200  # as many as a slider can select

MAX_STATES = 24

FIRST_STATES_EVERY = 32  # steps, doubled whenever there are too many; replaying so few takes a moment


def snapshot_limit(parameters: int, max_bytes: int = RUN_BYTES) -> int:
    """Maximum snapshots of a model with so many float32 parameters."""
    left = max_bytes - state_limit(parameters, max_bytes) * _state_bytes(parameters)
    return max(1, min(MAX_SNAPSHOTS, left // (4 * parameters)))


def state_limit(parameters: int, max_bytes: int = RUN_BYTES) -> int:
    """Maximum full states of a model with so many parameters."""
    return min(MAX_STATES, int(STATE_FRACTION * max_bytes) // _state_bytes(parameters))


def _state_bytes(parameters: int) -> int:
    """Upper bound of a full state in bytes: weights, two moments, names and random states."""
    return 3 * 4 * parameters + 100_000


def state_every(step: int, limit: int) -> int:
    """Interval of full states at `step` if at most `limit` are kept; 0: none are kept."""
    every = FIRST_STATES_EVERY if limit else 0
    while every and step // every > limit:
        every *= 2
    return every


def is_due(step: int, every: int) -> bool:
    """A full state is kept at this step."""
    return bool(every and step and step % every == 0)


def packed(state: Mapping[str, Tensor]) -> bytes:
    """Pickle what `Training.state` returns, for trusted processes only; twice as fast as safetensors."""
    return pickle.dumps({name: tensor.numpy() for name, tensor in state.items()}, protocol=5)


def unpacked(state: bytes) -> dict[str, Tensor]:
    """Undo `packed`."""
    return {name: torch.from_numpy(array) for name, array in pickle.loads(state).items()}


def weights(model: TaskModel) -> bytes:
    """The float32 weights of a model in parameter order."""
    return torch.nn.utils.parameters_to_vector(model.parameters()).detach().cpu().numpy().tobytes()


def put_weights(model: TaskModel, content: bytes) -> None:
    """Load float32 weights in parameter order into a model."""
    vector = torch.from_numpy(np.frombuffer(content, dtype=np.float32).copy()).to(model.device)
    with torch.no_grad():
        torch.nn.utils.vector_to_parameters(vector, model.parameters())


def digest(content: bytes) -> bytes:
    """A digest to compare weights by."""
    return hashlib.blake2b(content, digest_size=16).digest()


class ReplayedWeights(BoundedCache[tuple[str, int], bytes]):
    """Replayed weights by run id and step."""

    def steps(self, run_id: str) -> set[int]:
        return {step for (of, step), _ in self.items() if of == run_id}

    def forget(self, run_id: str) -> None:
        for step in self.steps(run_id):
            self.drop((run_id, step))


replayed = ReplayedWeights(16_000_000)


Read = Callable[[], bytes | None]
"""Reads bytes from disk; None if they are missing or damaged."""


class Snapshots:
    """Weights and full states of one run by step. Any thread may call any method."""

    def __init__(self, run_id: str, config: RunConfig, max_bytes: int = RUN_BYTES, recipe: Recipe = USUAL) -> None:
        self.run_id, self.config, self.recipe = run_id, config, recipe
        self._parameters = sum(parameter_counts(config).values())
        self._limit(max_bytes)
        self.weights: dict[int, bytes] = {}  # by step
        self.states: dict[int, bytes] = {}  # by step, packed
        self.weights_on_disk: dict[int, Read] = {}
        self.state_on_disk: tuple[int, Read] | None = None
        self.initial_weights: Read = lambda: b""  # of step 0; empty: the settings determine them; None: they are lost
        self._lost = False  # whether the initial weights were found to be lost
        self._lock = threading.RLock()

    def _limit(self, max_bytes: int) -> None:
        self._max_snapshots = snapshot_limit(self._parameters, max_bytes)
        self.max_states = state_limit(self._parameters, max_bytes)

    @property
    def nbytes(self) -> int:
        """Their size in memory in bytes."""
        with self._lock:
            return sum(map(len, self.weights.values())) + sum(map(len, self.states.values()))

    def take(self, weights: Iterable[tuple[int, bytes]], states: Iterable[tuple[int, bytes]], step: int) -> None:
        """Add weights and states of a run that is at `step`."""
        with self._lock:
            self.weights.update(weights)
            self.states.update(states)
            self._thin(step)

    def cut_after(self, step: int) -> None:
        """Drop those of later steps; first read those on disk, whose files will be replaced."""
        with self._lock:
            for kept in list(self.weights_on_disk):
                content = self._read(kept)
                if content and kept <= step:
                    self.weights[kept] = content
            self.weights_on_disk, self.state_on_disk = {}, None
            self.weights = {kept: content for kept, content in self.weights.items() if kept <= step}
            self.states = {kept: content for kept, content in self.states.items() if kept <= step}

    def thin(self, max_bytes: int, step: int) -> None:
        """Keep at most `max_bytes` of a run at `step`; large weights that are also on disk leave the memory."""
        with self._lock:
            self._limit(max_bytes)
            if 4 * self._parameters > max_bytes:
                self.weights = {
                    kept: content for kept, content in self.weights.items() if kept not in self.weights_on_disk
                }
            self._thin(step)

    def until(self, step: int) -> tuple[dict[int, bytes], dict[int, bytes]]:
        """Weights and states of the steps up to `step`."""
        with self._lock:
            weights = {kept: content for kept in self.steps() if kept <= step and (content := self.get(kept))}
            return weights, {kept: content for kept, content in self.states.items() if kept <= step}

    def steps(self) -> list[int]:
        """Steps with kept weights, in order."""
        with self._lock:
            return sorted({*self.weights, *self.weights_on_disk})

    def has(self, step: int) -> bool:
        """`get` returns weights, as far as known without reading the disk."""
        with self._lock:
            return step in self._kept() or replayed.get((self.run_id, step)) is not None

    def get(self, step: int) -> bytes | None:
        """The weights of a step, None if unavailable; empty: step 0, whose weights the settings determine."""
        with self._lock:
            content = self.weights.get(step) or replayed.get((self.run_id, step))
            if content and len(content) != 4 * self._parameters:  # the settings on disk were changed
                replayed.forget(self.run_id)
                content = None
            if content is None and step in self.weights_on_disk:
                content = self._read(step)
                if content is None:
                    del self.weights_on_disk[step]
                else:
                    replayed.put((self.run_id, step), content)
            if content is None and step == 0:
                content = self.initial_weights()
                self._lost = content is None
            return content

    def nearest(self, step: int | None) -> int:
        """The available step nearest to `step`, the earlier of two; None: the newest kept step."""
        return next(iter(self._by_distance(step)), 0)

    def near(self, step: int | None) -> tuple[int, bytes]:
        """The nearest available step and its weights: the result of `nearest` may be thinned out a moment later.

        Raises `CheckpointError` if there are no weights.
        """
        with self._lock:
            for available in self._by_distance(step):
                if (content := self.get(available)) is not None:
                    return available, content
        raise CheckpointError("The weights of this run are damaged or no longer on disk.")

    def _by_distance(self, step: int | None) -> list[int]:
        """The available steps, nearest to `step` first; None: the kept ones, newest first."""
        with self._lock:
            if step is None:
                return sorted(self._kept(), reverse=True)
            available = {*self._kept(), *replayed.steps(self.run_id)}
            return sorted(available, key=lambda known: (abs(known - step), known))

    def _kept(self) -> set[int]:
        """Steps with kept or determined weights, as far as known without reading the disk."""
        return {*self.weights, *self.weights_on_disk, *(() if self._lost else (0,))}

    def agree(self, step: int, content: bytes) -> bool:
        """These weights equal the kept ones of a step, or none are kept."""
        with self._lock:
            kept = self.get(step) if step in self.steps() else None
            return kept is None or kept == content

    def state_step(self, step: int) -> int:
        """The step of the newest full state at or before `step`; 0 if there is none."""
        with self._lock:
            kept = {0, *self.states} | ({self.state_on_disk[0]} if self.state_on_disk else set())
            return max(state for state in kept if state <= step)

    def state_before(self, step: int) -> tuple[int, bytes | None]:
        """Step and content of the newest full state at or before a step; (0, None) if there is none."""
        with self._lock:
            before = self.state_step(step)
            if before in self.states or before == 0:
                return before, self.states.get(before)
            assert self.state_on_disk is not None
            if content := self.state_on_disk[1]():
                return before, content
            self.state_on_disk = None
            return self.state_before(step)

    def state_every(self, step: int) -> int:
        """Interval of the full states of a run at `step`, in steps; 0: none are kept."""
        return state_every(step, self.max_states)

    def model(self, content: bytes) -> TaskModel:
        """A model with these weights, in evaluation mode."""
        model = self.recipe.model(self.config).eval()
        if content:
            put_weights(model, content)
        return model

    def _read(self, step: int) -> bytes | None:
        content = self.weights_on_disk[step]()
        return content if content is not None and len(content) == 4 * self._parameters else None

    def _thin(self, step: int) -> None:
        """Drop the most closely spaced snapshots; keep the newest and, if possible, the first."""
        while len(self.weights) > self._max_snapshots:
            steps = sorted(self.weights)
            inner = range(1, len(steps) - 1)
            closest = min(inner, key=lambda index: steps[index + 1] - steps[index - 1], default=0)
            del self.weights[steps[closest]]
        every = state_every(step, self.max_states)
        self.states = {kept: content for kept, content in self.states.items() if is_due(kept, every)}
