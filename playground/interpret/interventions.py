"""Interventions: replace, scale or edit a part, a tensor or a weight of a model, and run what follows.

Names follow the literature: zero ablation, mean ablation (Michel et al. 2019; Wang et al. 2022, arXiv:2211.00593) and
activation patching (Vig et al. 2020; Meng et al. 2022, arXiv:2202.05262).
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Literal, cast, get_args

import torch
from torch import Tensor, nn

from playground.common.errors import PlaygroundError, one_line, sentences
from playground.decoding import greedy
from playground.interpret.sites import Site, sites
from playground.model.task_model import TaskModel
from playground.recording import intervene, run_with_cache
from playground.settings.config import RunConfig
from playground.settings.estimate import pass_size
from playground.tasks import EOS, PAD, encode, task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch, Sequences, make_batch, right_answers
from playground.training.evaluation import by_length

InterventionOperation = Literal["zero", "mean", "patch", "scale", "set"]
Default = Literal["zero", "mean", "patch"]
"""Operations that need no number."""

MAX_INTERVENTIONS = 32
MAX_VALUE = 1e6
"""Largest factor or number that an intervention can use, in either direction."""

_TEXT = re.compile(
    r"(?P<site>[A-Za-z0-9_.]{1,120})(?:\[(?P<index>[0-9]{1,6}(?:,[0-9]{1,6}){0,3})\])?"
    r"(?:=(?P<number>[^:=]{1,30})|:(?P<operation>[a-z]{1,10})(?:=(?P<factor>[^:=]{1,30}))?)?"
)


class InterventionError(PlaygroundError, ValueError):
    """An intervention that this model or these inputs don't allow."""


class UnknownPartError(InterventionError, KeyError):
    """A name that no part of the model has."""


@dataclass(frozen=True)
class Intervention:
    """One change of a forward pass: what is done, and where.

    zero: the tensor is 0. A head without its output is the same as W^O with the head's rows at 0.
    mean: the tensor is its mean over held-out inputs at each position, see `means`.
    patch: the tensor is that of another input of the same length.
    scale: the tensor is multiplied by `value`.
    set: one number is `value`.

    `index` restricts it to a part of the tensor: the first axes of the site, without the batch, each from 0. `set`
    needs all axes. Positions that an input doesn't have are left out. Attention cells that a mask hides stay hidden.
    """

    site: str
    operation: InterventionOperation = "zero"
    index: tuple[int, ...] = ()
    value: float = 0.0

    def __str__(self) -> str:
        """As `parse` reads it: "decoder.layers.0.cross_attention.head.0:mean"."""
        place = self.site + (f"[{','.join(map(str, self.index))}]" if self.index else "")
        if self.operation == "set":
            return f"{place}={_number(self.value)}"
        if self.operation == "scale":
            return f"{place}:scale={_number(self.value)}"
        return place if self.operation == "zero" else f"{place}:{self.operation}"


def parse(text: str, config: RunConfig, default: Default = "zero") -> Intervention:
    """An intervention from text of any origin, for a model with these settings.

    SITE, SITE:zero, SITE:mean, SITE:patch, SITE:scale=0.5 or SITE[1,2,0]=3.5; an index can also stand before the colon.
    Without an operation it is `default`. Raises `InterventionError`.
    """
    match = _TEXT.fullmatch(text.replace(" ", ""))
    if not match:
        raise InterventionError(
            f"{one_line(text, 80) or 'An empty text'} is not an intervention.",
            "Write the name of a part, optionally with [index], then :zero, :mean, :patch, :scale=0.5 or =3.5.",
        )
    site, number, operation = match["site"], match["number"], match["operation"] or default
    index = tuple(map(int, match["index"].split(","))) if match["index"] else ()
    if number is not None:
        operation = "set"
    elif operation not in get_args(InterventionOperation) or operation == "set":
        raise InterventionError(f"There is no operation {operation}. Choose zero, mean, patch or scale=FACTOR.")
    given = number or match["factor"]
    if (given is None) == (operation in ("scale", "set")):
        raise InterventionError(
            f"{operation} {'needs' if given is None else 'takes no'} number, as in {site}:scale=0.5."
        )
    value = _parsed(given) if given else 0.0
    return checked(Intervention(site, cast(InterventionOperation, operation), index, value), config)


def parse_all(texts: Iterable[str], config: RunConfig, default: Default = "zero") -> tuple[Intervention, ...]:
    """`parse` for each text; equal ones count once. Raises `InterventionError`, also for too many."""
    texts = list(texts)
    if len(texts) > MAX_INTERVENTIONS:
        raise InterventionError(f"{len(texts)} interventions are too many. Use at most {MAX_INTERVENTIONS}.")
    return tuple(dict.fromkeys(parse(text, config, default) for text in texts))


def checked(intervention: Intervention, config: RunConfig) -> Intervention:
    """The same intervention; raises `InterventionError` if a model with these settings doesn't allow it."""
    name, operation, index, value = vars(intervention).values()
    site = sites(config).get(name)
    if site is None:
        raise UnknownPartError(missing(name, config))
    if operation in ("mean", "patch") and site.kind == "parameter":
        raise InterventionError(f"{name} is a weight, the same for all inputs. Use zero, scale or a number.")
    if not abs(value) <= MAX_VALUE:
        raise InterventionError(f"{value:g} is too large. Use a number from {-MAX_VALUE:,.0f} to {MAX_VALUE:,.0f}.")
    sizes = site.sizes(config)
    if len(index) > len(sizes) or (operation == "set" and len(index) < len(sizes)):
        raise InterventionError(f"{name} has the axes {site.axes}, so its index has {len(sizes)} numbers.")
    for axis, entry, size in zip(site.axes, index, sizes):
        if not 0 <= entry < size:
            raise InterventionError(f"{entry} is outside axis {axis} of {name}. Use 0 to {size - 1}.")
    return intervention


@dataclass(frozen=True)
class Stored:
    """The tensor that replaces a tap."""

    value: Tensor  # with a batch axis: one row for all inputs, or a row for each
    known: Tensor  # of bool, broadcasts to `value`: where it replaces anything


def means(model: TaskModel, taps: Iterable[str], sequences: int = HELD_OUT_SEQUENCES) -> dict[str, Stored]:
    """The mean of each tap over held-out inputs, by position; the decoder reads their right answers.

    Positions count from the start. The mean of a position is over all inputs that have it, whatever their length; a
    cell of an attention needs both its positions. What no input has stays as it is.
    """
    config, taps = model.config, list(taps)
    if not taps:
        return {}
    axes = {name: sites(config)[name].axes for name in taps}
    sums = {name: torch.zeros(sites(config)[name].sizes(config), dtype=torch.float64) for name in taps}
    counts = {name: torch.zeros_like(total) for name, total in sums.items()}
    source = Sequences.of(config.task).held_out(sequences)
    for group in by_length(source, pass_size(config)):
        batch = make_batch(config, group)
        for name, value in run_with_cache(model, batch, taps)[1].items():
            there = _present(batch, axes[name]) & value.isfinite()
            region = tuple(slice(0, size) for size in _overlap(value[0], sums[name]))
            fits = (slice(None), *region)
            sums[name][region] += value.double().masked_fill(~there, 0.0)[fits].sum(0)
            counts[name][region] += there[fits].sum(0)
    return {
        name: Stored((sums[name] / counts[name].clamp(min=1)).float()[None], (counts[name] > 0)[None]) for name in taps
    }


def activations(model: TaskModel, source: Tensor, taps: Iterable[str]) -> dict[str, Stored]:
    """Taps of a pass over (N, S) sources of one length; the decoder reads the model's own greedy answers."""
    config, taps = model.config, list(taps)
    answers = right_answers(config, source)  # unread by an encoder-only model
    if config.model.architecture != "encoder-only":
        answers = greedy(model.eval(), source)[:, : task_of(config.task).max_answer_length]
    batch = make_batch(config, source, answers.masked_fill(answers == EOS, PAD))
    axes = {name: sites(config)[name].axes for name in taps}
    _, cache = run_with_cache(model, batch, taps)
    return {name: Stored(value, _present(batch, axes[name])) for name, value in cache.items()}


@contextmanager
def changed_model(
    model: TaskModel,
    interventions: Sequence[Intervention],
    *,
    means: Mapping[str, Stored] | None = None,
    other: Tensor | None = None,
) -> Iterator[TaskModel]:
    """A copy of `model` in evaluation mode with all interventions, applied in order, inside the block.

    `means` is what `means` returns for the taps in question; by default it is computed. `other` is the source that
    patches come from: (1, S) for all inputs, or (N, S), one for each row of every batch. Inputs must have its length.

    Raises `InterventionError` for an intervention that the model doesn't allow, and for a patch without `other`.
    """
    with intervene(model.eval(), replacements(model, interventions, means=means, other=other)) as instance:
        changed = cast(TaskModel, instance)
        # Each change belongs to a position, so a causal mask holds. Patches for each row need all rows in their order.
        changed.decoding = "token_by_token" if other is not None and len(other) > 1 else model.decoding
        for intervention in interventions:
            if sites(model.config)[intervention.site].kind == "parameter":
                _edit(changed, intervention)
        yield changed


def replacements(
    model: TaskModel,
    interventions: Sequence[Intervention],
    *,
    means: Mapping[str, Stored] | None = None,
    other: Tensor | None = None,
) -> dict[str, Callable[[Tensor], Tensor]]:
    """A function for each tap that the interventions change, as `recording.intervene` and `recording.hooked` take it.

    Weights are left out. Raises `InterventionError` as `changed_model` does.
    """
    if len(interventions) > MAX_INTERVENTIONS:
        raise InterventionError(f"{len(interventions)} interventions are too many. Use at most {MAX_INTERVENTIONS}.")
    changes: dict[str, list[Callable[[Tensor], Tensor]]] = {}
    stored = _stored(model, [checked(intervention, model.config) for intervention in interventions], means, other)
    for intervention in interventions:
        site = sites(model.config)[intervention.site]
        for tap in site.taps:
            changes.setdefault(tap, []).append(
                partial(_changed, intervention, site, stored.get((intervention.operation, tap)))
            )
    return {tap: partial(_in_order, tap, steps) for tap, steps in changes.items()}


def mean_taps(config: RunConfig, interventions: Iterable[Intervention]) -> list[str]:
    """The taps whose means these interventions need."""
    return _taps_for("mean", config, interventions)


def typed_source(text: str, config: RunConfig, length: int | None = None) -> Tensor:
    """(1, S) token ids of an input as typed; raises `InputError`, and `InterventionError` for another length."""
    source = torch.tensor([encode(text, config.task)])
    if length is not None and source.size(1) != length:
        raise InterventionError(
            f"The input has length {length} and the other input {source.size(1)}. A patch needs equal lengths."
        )
    return source


def _stored(
    model: TaskModel, interventions: Sequence[Intervention], given: Mapping[str, Stored] | None, other: Tensor | None
) -> dict[tuple[InterventionOperation, str], Stored]:
    """The tensors that replace taps, for each operation that needs more than the pass itself."""
    averaged = mean_taps(model.config, interventions)
    patched = _taps_for("patch", model.config, interventions)
    if patched and other is None:
        raise InterventionError("A patch needs another input to take the tensor from.")
    stored: dict[tuple[InterventionOperation, str], Stored] = {}
    if averaged:
        by_mean = means(model, averaged) if given is None else given
        stored |= {("mean", tap): by_mean[tap] for tap in averaged}
    if patched and other is not None:
        stored |= {("patch", tap): value for tap, value in activations(model, other, patched).items()}
    return stored


def _taps_for(operation: InterventionOperation, config: RunConfig, interventions: Iterable[Intervention]) -> list[str]:
    asked = [intervention.site for intervention in interventions if intervention.operation == operation]
    return list(dict.fromkeys(tap for name in asked for tap in sites(config)[name].taps))


def _in_order(tap: str, steps: Sequence[Callable[[Tensor], Tensor]], value: Tensor) -> Tensor:
    """All changes of one tap. What a mask hides in attention scores (minus infinity) or weights (0) stays hidden."""
    changed = value
    for step in steps:
        changed = step(changed)
    kind = tap.rpartition(".")[2]
    if kind == "masked_scores":
        return torch.where(value == -math.inf, value, changed)
    return torch.where(value == 0, value, changed) if kind == "weights" else changed


def _changed(intervention: Intervention, site: Site, stored: Stored | None, value: Tensor) -> Tensor:
    """The tensor of a tap after one intervention."""
    index = (*(() if site.head is None else (site.head,)), *intervention.index)
    if any(entry >= size for entry, size in zip(index, value.shape[1:])):
        return value  # a position that this input doesn't have
    where = (slice(None), *index)
    changed = value.clone()
    changed[where] = overlaid(value, stored)[where] if stored else _new(intervention, value[where])
    return changed


def _new(intervention: Intervention, value: Tensor) -> Tensor:
    if intervention.operation == "scale":
        return value * intervention.value
    return torch.full_like(value, intervention.value)  # 0 for the operation zero


def overlaid(value: Tensor, stored: Stored) -> Tensor:
    """`value` with what is stored in its place, as far as both reach."""
    region = (slice(None), *(slice(0, size) for size in _overlap(value[0], stored.value[0])))
    result = value.clone()
    known = stored.known.expand(stored.value.shape)[region].to(value.device)
    result[region] = torch.where(known, stored.value[region].to(value), value[region])
    return result


def _overlap(one: Tensor, other: Tensor) -> tuple[int, ...]:
    return tuple(map(min, one.shape, other.shape))


@torch.no_grad()
def _edit(model: TaskModel, intervention: Intervention) -> None:
    """Replaces a parameter that the model shares with others by an edited one."""
    shared = model.get_parameter(intervention.site)
    edited = nn.Parameter(shared.clone())
    edited[intervention.index] = _new(intervention, edited[intervention.index])
    for module in model.modules():  # a tied parameter belongs to several modules
        for name, parameter in module._parameters.items():
            if parameter is shared:
                module._parameters[name] = edited


def _present(batch: Batch, axes: str) -> Tensor:
    """(B, ...) with an axis for each letter: True where all positions are those of tokens, not of padding."""
    tokens = {"S": batch.source, "T": batch.target}
    there = torch.ones(len(batch.labels), *(1 for _ in axes), dtype=torch.bool)
    for axis, letter in enumerate(axes, start=1):
        if letter in "ST":
            ids = tokens[letter]
            assert ids is not None
            size = [len(ids), *(1 for _ in axes)]
            size[axis] = ids.size(1)
            there = there & (ids != PAD).view(size)
    return there


def _parsed(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InterventionError(f"{one_line(text, 30)} is not a number.") from None


def _number(value: float) -> str:
    text = f"{value:g}"
    return text if float(text) == value else repr(value)


def missing(name: str, config: RunConfig) -> str:
    """Sentences with the nearest name, and those after the longest beginning that this one shares with any."""
    names = [path.split(".") for path in sites(config)]
    words = name.split(".")
    common = max(_common(words, path) for path in names)
    following = dict.fromkeys(path[common] for path in names if path[:common] == words[:common] and len(path) > common)
    begin = f"After {'.'.join(words[:common])}" if common else "At the beginning"
    choice = f"{begin}, use {', '.join(following)}." if following else f"{begin}, nothing follows."
    same_end = [site for site in sites(config) if site.rpartition(".")[2] == words[-1]]
    near = get_close_matches(name[:120], same_end or sites(config), 1, 0.7)
    return sentences(
        f"There is no {one_line(name, 120)} in this model.", f"Did you mean {near[0]}?" if near else "", choice
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next((index for index, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
