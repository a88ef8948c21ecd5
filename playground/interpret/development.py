"""How a model develops in training: roles and circuits of its heads, weight norms and scores, step by step.

Everything is measured after the training, from kept weights and from replays, so that a training takes no longer.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.common.errors import PlaygroundError
from playground.common.tables import data_frame
from playground.interpret import transitions
from playground.interpret.circuits import head_columns, head_rows
from playground.interpret.run_weights import RunWeights, models_at
from playground.interpret.transitions import Transition
from playground.model.head_paths import Head, attentions, heads
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.estimate import pass_size
from playground.tasks import PAD, SPECIALS, task_of
from playground.tasks.batches import Sequences, make_batch
from playground.training.evaluation import answered_right, head_entropy
from playground.training.held_out import in_batches
from playground.training.roles import ROLES, RoleScore, RoleTotals, attention_reads, role
from playground.training.stages import by_part

if TYPE_CHECKING:
    import pandas as pd

SEQUENCES = 200
"""Inputs for each measured step: so many held-out ones, and so many of those that the training draws."""

POINTS = 40
"""Measured steps, without those that find transitions more exactly."""

FEWEST = 20
"""Steps that are measured where fewer are kept: a run that was loaded from disk has only its best and last weights."""

PEAKS = 5
"""Frequencies that count as peaks of a spectrum."""

MAX_GRID = 128
"""Symbols up to which all pairs are answered."""


@dataclass(frozen=True)
class HeadState:
    """A head after one step."""

    roles: tuple[RoleScore, ...]
    entropy: float  # bits, see `head_entropy`
    qk: tuple[float, ...]  # singular values of W_Q^T W_K, the largest first, as many as the head is wide
    ov: tuple[float, ...]  # singular values of W_O W_V, alike

    def weight(self, role: str) -> float:
        """Its attention weight on positions of a role, 0 to 1; NaN if there are none."""
        return next((score.weight for score in self.roles if score.role == role), math.nan)


class InputScores(NamedTuple):
    """Scores on a set of inputs."""

    exact_match: float  # fraction of answers entirely right, free-running
    loss: float  # nats per token


class AnswerGrid(NamedTuple):
    """The answers to all pairs of symbols a, b; rows are a, columns b."""

    right: np.ndarray  # (p, p) of bool: the answer is entirely right
    probability: np.ndarray  # (p, p) of the right symbol, float16


@dataclass(frozen=True)
class ModelState:
    """Everything measured of a model after one step."""

    step: int
    heads: Mapping[Head, HeadState]
    weight_norm: Mapping[str, float]  # by part of the model
    training: InputScores
    held_out: InputScores
    spectrum: tuple[float, ...] = ()  # power of the token embedding by frequency, from 1; empty: not a modular task
    grid: AnswerGrid | None = None  # of a modular task with at most `MAX_GRID` symbols

    @property
    def total_norm(self) -> float:
        """L2 norm of all weights."""
        return math.hypot(*self.weight_norm.values())

    @property
    def peak_share(self) -> float:
        """Share of the power that is in the strongest `PEAKS` frequencies; NaN without a spectrum."""
        total = sum(self.spectrum)
        return sum(sorted(self.spectrum)[-PEAKS:]) / total if total else math.nan


@dataclass(frozen=True)
class Development:
    """A model at several steps of its training, in order."""

    config: RunConfig
    states: tuple[ModelState, ...]
    sequences: int  # inputs of each of both sets, at most
    seconds: float = 0.0  # that measuring took, replays included
    replay_seconds: float = 0.0  # that replays took
    replayed: int = 0  # steps that were replayed
    problem: str = ""  # why steps could not be replayed

    @property
    def steps(self) -> list[int]:
        """The measured steps."""
        return [state.step for state in self.states]

    def role(self, head: Head) -> str:
        """The role of a head at the last step; empty if it has none there."""
        best = role([*self.states[-1].heads[head].roles])
        return best.role if best else ""

    def nearest_role(self, head: Head) -> str:
        """The role that a head is nearest to at the last step, whether it gets half of the attention or not."""
        return max(self.states[-1].heads[head].roles, key=lambda score: score.above).role

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:
        """What changes, in order of steps; heads whose role stays are listed if their attention becomes sharp."""
        steps, found = self.steps, list[Transition | None]()
        found += transitions.of_scores(
            steps, *([getattr(state, of).exact_match for state in self.states] for of in ("training", "held_out"))
        )
        for head in heads(self.config.model):
            states = [state.heads[head] for state in self.states]
            change = None
            if name := self.role(head):
                uniform = next(score.uniform for score in states[-1].roles if score.role == name)
                change = transitions.of_role(head, name, steps, [state.weight(name) for state in states], uniform)
            found.append(change or transitions.of_entropy(head, steps, [state.entropy for state in states]))
        if self.states[0].spectrum:
            found.append(transitions.of_spectrum(steps, [state.peak_share for state in self.states], PEAKS))
        return tuple(sorted(filter(None, found), key=lambda one: (one.last, one.first)))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each step, with a column for each number: "role.PATH.head.0.copied", "weight_norm.output"."""
        return [_row(state) for state in self.states]

    def frame(self) -> "pd.DataFrame":
        """`rows` as a table of pandas, with the step as its index. Raises `PlaygroundError` if pandas is missing."""
        return data_frame(self.rows()).set_index("step")


def development(models: Iterable[tuple[int, TaskModel]], sequences: int = SEQUENCES) -> Development:
    """Measure models of one run, as (step, model) in order of steps. Raises `PlaygroundError` if there is none."""
    config, states, began = None, list[ModelState](), perf_counter()
    for step, model in models:
        config = model.config
        states.append(state_of(step, model, sequences))
    if config is None:
        raise PlaygroundError("There are no models to measure.", "Give pairs of a step and a model.")
    return Development(config, tuple(states), sequences, perf_counter() - began)


def develop(run: RunWeights, points: int, sequences: int = SEQUENCES) -> Iterator[tuple[int, int, Development]]:
    """Measure a run at `points` evenly spaced steps, then again between the steps of each transition.

    With 0 points, at kept steps, at most `POINTS` of them, which needs no replay before there are transitions; if fewer
    than `FEWEST` are kept, also at `FEWEST` even steps. Steps that were not kept are replayed bit for bit. Yields the
    steps measured so far, the steps to measure, and what is known so far. A caller that stops iterating cancels the
    rest.
    """
    chosen = run.even_steps(points) if points else run.kept_steps(POINTS)
    if len(chosen) < FEWEST:
        chosen = sorted({*chosen, *run.even_steps(FEWEST)})
    began, replaying, problem = perf_counter(), 0.0, ""
    states: dict[int, ModelState] = {}

    def known() -> Development:
        ordered = tuple(states[step] for step in sorted(states))
        count = len(set(states) - set(run.weights))
        return Development(run.config, ordered, sequences, perf_counter() - began, replaying, count, problem)

    if run.problem and not run.weights:
        raise PlaygroundError(run.problem)
    for refining in (False, True):
        wanted = transitions.steps_between(known().transitions, run.last) if refining else chosen
        wanted = [step for step in wanted if step not in states]
        models, total = models_at(run, wanted), len(states) + len(wanted)
        while True:
            before = perf_counter()
            try:
                made = next(models, None)
            except PlaygroundError as error:
                problem = str(error)
                break
            replaying += perf_counter() - before
            if made is None:
                break
            step, model = made
            if model is not None:
                states[step] = state_of(step, model, sequences)
            if states:
                yield len(states), total, known()
    yield len(states), len(states), known()


def state_of(step: int, model: TaskModel, sequences: int = SEQUENCES) -> ModelState:
    """Measure a model. Leaves it in evaluation mode."""
    config, held_out = model.config, Sequences.of(model.config.task).held_out(sequences)
    parameters = {name: weight.detach() for name, weight in model.eval().named_parameters()}
    spectrum, grid = tuple[float, ...](), None
    if task_of(config.task).modular:
        symbols = model.get_parameter(_table(model)).detach().cpu()[len(SPECIALS) :]
        spectrum = tuple(power_by_frequency(symbols).tolist())
        if len(symbols) <= MAX_GRID:
            grid = answer_grid(model)
    return ModelState(
        step,
        head_states(model, held_out),
        by_part(parameters),
        scores_on(model, training_inputs(config, sequences)),
        scores_on(model, held_out),
        spectrum,
        grid,
    )


def head_states(model: TaskModel, source: Tensor) -> dict[Head, HeadState]:
    """Every head, over (N, S) inputs with their right answers."""
    paths, n_heads = attentions(model.config.model), model.config.model.n_heads
    totals, entropies = {path: RoleTotals() for path in paths}, {path: np.zeros(n_heads) for path in paths}
    queries = dict.fromkeys(paths, 0)
    for _, _, batch in in_batches(model.config, source):
        for path, (weights, reads) in attention_reads(model, batch, paths).items():
            totals[path].add(weights, reads)
            count = int(reads.counted.sum())
            entropies[path] += count * np.array(head_entropy(weights, reads.counted))
            queries[path] += count
    by_path = {path: totals[path].scores(n_heads) for path in paths}
    return {
        head: HeadState(
            tuple(by_path[head.attention][head.number]),
            float(entropies[head.attention][head.number]) / queries[head.attention],
            *circuit_values(model, head),
        )
        for head in heads(model.config.model)
    }


def circuit_values(model: TaskModel, head: Head) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Singular values of a head's W_Q^T W_K and W_O W_V, both (D, D): K of each, the others are 0."""
    query, key, value = (head_rows(model, head, name) for name in ("w_q", "w_k", "w_v"))
    return _singular_values(query.T, key.T), _singular_values(head_columns(model, head), value.T)


def _singular_values(left: Tensor, right: Tensor) -> tuple[float, ...]:
    """Those of left right^T, from (D, K) both: of the (K, K) product of their triangular factors."""
    triangles = [torch.linalg.qr(factor.double(), mode="r").R for factor in (left, right)]
    return tuple(torch.linalg.svdvals(triangles[0] @ triangles[1].T).tolist())


def effective_rank(values: Sequence[float]) -> float:
    """e to the entropy of the singular values divided by their sum (Roy & Vetterli 2007); 0 for a matrix of zeros."""
    total = sum(values)
    parts = [value / total for value in values if value > 0] if total > 0 else []
    return math.exp(-sum(part * math.log(part) for part in parts)) if parts else 0.0


def power_by_frequency(symbols: Tensor) -> Tensor:
    """(p, D) vectors of the symbols 0 to p - 1 -> (p // 2,) their power at 1 to p // 2 periods in p symbols.

    The discrete Fourier transform along the symbols, squared and summed over D. The mean, frequency 0, is left out; the
    others add up to the squared distance of all vectors from it.
    """
    count = len(symbols)
    power = torch.fft.rfft(symbols.double(), dim=0).abs().square().sum(1)[1:] / count
    twice = 2 * torch.arange(1, len(power) + 1) != count  # frequency k stands for p - k, too
    return power * (1 + twice)


@torch.inference_mode()
def answer_grid(model: TaskModel) -> AnswerGrid:
    """The answers of a model in evaluation mode to all pairs of its symbols."""
    source = _pairs(model.config)
    right, probabilities = [], []
    for group in source.split(pass_size(model.config)):
        batch = make_batch(model.config, group)
        first = (batch.labels != PAD).int().argmax(1)
        rows = torch.arange(len(group))
        logits = model(*batch.to(model.device))[0].cpu()[rows, first]
        probabilities.append(logits.softmax(-1)[rows, batch.labels[rows, first]])
        right.append(answered_right(model, group))
    size = math.isqrt(len(source))
    probability = torch.cat(probabilities).view(size, size).half().numpy()
    return AnswerGrid(torch.cat(right).view(size, size).numpy(), probability)


@torch.inference_mode()
def scores_on(model: TaskModel, source: Tensor) -> InputScores:
    """Scores of a model in evaluation mode on (N, S) inputs."""
    right, loss, tokens = 0, 0.0, 0
    for _, _, batch in in_batches(model.config, source):
        count = int((batch.labels != PAD).sum())
        loss += count * float(model(*batch.to(model.device))[1])
        tokens += count
    for group in source.split(pass_size(model.config)):
        right += int(answered_right(model, group).sum())
    return InputScores(right / len(source), loss / tokens)


@lru_cache(maxsize=KEPT_SETTINGS)
def training_inputs(config: RunConfig, sequences: int = SEQUENCES) -> Tensor:
    """(N, S) inputs that are not held out, as the training draws them; the same every time."""
    return Sequences.of(config.task).draw(sequences, torch.Generator().manual_seed(1))


@lru_cache(maxsize=4)
def _pairs(config: RunConfig) -> Tensor:
    return torch.tensor(list(task_of(config.task).every_source()))


def _table(model: TaskModel) -> str:
    """Name of the parameter with a vector for each token."""
    return next(name for name, _ in model.named_parameters() if name.endswith("token_table.weight"))


def _row(state: ModelState) -> dict[str, Any]:
    row: dict[str, Any] = {"step": state.step}
    for name, scores in (("training", state.training), ("held_out", state.held_out)):
        row |= {f"{name}_exact_match": scores.exact_match, f"{name}_loss": scores.loss}
    row |= {f"weight_norm.{part}": norm for part, norm in state.weight_norm.items()}
    for head, measured in state.heads.items():
        row |= {f"role.{head.path}.{name}": measured.weight(name) for name in ROLES}
        row |= {
            f"entropy.{head.path}": measured.entropy,
            f"rank_qk.{head.path}": effective_rank(measured.qk),
            f"rank_ov.{head.path}": effective_rank(measured.ov),
        }
    if state.spectrum:
        row["peak_share"] = state.peak_share
    return row
