"""Attribution patching: an estimate of what patching each part would change, from gradients, beside the exact change.

The effect of a patch is estimated as the gradient of a metric at a tensor, times what the tensor is for another input
minus what it is for this one (Nanda 2023, Attribution Patching; for edges Syed et al. 2023, arXiv:2310.10348). It takes
two passes for all parts together; exact patching takes a pass for each part.

With integrated steps, the gradient is the mean over inputs between the two: the embeddings of both stacks move on a
straight line from this input to the other one, and the gradient is taken in the middle of each step (integrated
gradients, Sundararajan et al. 2017; EAP-IG, Hanna et al. 2024, arXiv:2403.17806).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import torch
from torch import Tensor

from playground.common.errors import one_line
from playground.common.numbers import correlation, ranks
from playground.common.tables import data_frame
from playground.interpret.edges import Receiver, Sender, edges, everywhere, patched_edges, receivers, sender_taps
from playground.interpret.input_pairs import PairGroup, Pairs
from playground.interpret.interventions import InterventionError
from playground.interpret.patching import Metric, measured
from playground.interpret.sites import named, stream
from playground.model.task_model import TaskModel
from playground.recording import intervene, run_with_cache
from playground.settings.config import RunConfig
from playground.tasks.batches import Batch

if TYPE_CHECKING:
    import pandas as pd

Of = Literal["heads", "nodes", "edges"]

MAX_STEPS = 100
"""Largest number of integrated steps."""

_TOLERANCE = 1e-3
"""Largest difference between a tensor and what it should be, relative to its largest number, in float32."""

_SATURATED = 0.9
"""Mean probability of the right tokens above which the gradients of probability and loss are called saturated."""


class Attributed(NamedTuple):
    """A part and the change of the metric if it is patched, mean over the pairs."""

    part: str
    estimate: float
    exact: float | None  # None if it is not measured


@dataclass(frozen=True)
class Attribution:
    """Estimates for all parts, and exact changes as far as they are measured."""

    of: Of
    metric: Metric
    integrated_steps: int  # 0: the gradient at the input itself
    pairs: int
    intact: float  # the metric without a patch, mean over the pairs
    other: float  # the metric of the pass over the other input, by the same tokens
    probability: float  # of the right tokens, mean over the pairs, without a patch
    rows: tuple[Attributed, ...]  # in the order of the model
    done: int = 0
    total: int = 0  # passes for exact changes

    @property
    def pearson(self) -> float | None:
        """Correlation of the estimates with the exact changes; None if it is not defined."""
        return correlation(*self._measured)

    @property
    def spearman(self) -> float | None:
        """Correlation of their ranks; None if it is not defined."""
        return correlation(*map(ranks, self._measured))

    @property
    def _measured(self) -> tuple[list[float], list[float]]:
        known = [(row.estimate, row.exact) for row in self.rows if row.exact is not None]
        return [estimate for estimate, _ in known], [exact for _, exact in known]

    @property
    def ranked(self) -> tuple[Attributed, ...]:
        """The rows, the largest change first in either direction: by the exact change or, without it, the estimate."""
        return tuple(sorted(self.rows, key=lambda row: -abs(row.estimate if row.exact is None else row.exact)))

    @property
    def note(self) -> str:
        """How far the metric is saturated for these inputs, in sentences with numbers."""
        known = f"The mean probability of the right tokens is {self.probability:.3f}."
        if self.metric == "logit_difference":
            return f"{known} The logit difference does not saturate at a probability of 1."
        name = "probability" if self.metric == "probability" else "loss"
        if self.probability < _SATURATED:
            return f"{known} The {name} is not saturated."
        where = "at these inputs" if not self.integrated_steps else "near these inputs"
        return (
            f"{known} The gradient of the {name} is nearly 0 {where}, so estimates can be far too small. The logit "
            "difference does not saturate."
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data; numbers that are not known are None."""
        return {
            "of": self.of,
            "metric": self.metric,
            "integrated_steps": self.integrated_steps,
            "pairs": self.pairs,
            "intact": self.intact,
            "other": self.other,
            "probability": self.probability,
            "pearson": self.pearson,
            "spearman": self.spearman,
            "note": self.note,
            "parts": [row._asdict() for row in self.rows],
        }

    def frame(self) -> "pd.DataFrame":
        """A DataFrame with the columns part, estimate and exact, in the order of the model."""
        return data_frame([row._asdict() for row in self.rows])


def attributions(
    model: TaskModel,
    pairs: Pairs,
    of: Of = "heads",
    metric: Metric = "logit_difference",
    *,
    integrated_steps: int = 0,
    exact: bool = False,
) -> Iterator[Attribution]:
    """Estimate what each patch would change; with `exact`, then patch the parts one by one.

    heads: the output of each head before W^O. nodes: the residual stream at each position before the first layer and
    after each, and the output of each sublayer. edges: see `interpret.edges`. In both passes the decoder reads the
    right answer of its own input. A change is the metric with the patch minus the metric without it, and the metric
    always reads the tokens of the first input: a patch that destroys the answer lowers the logit difference and raises
    the loss. The logit difference is the mean over the positions where the two answers differ.

    Yields the estimates, then a result after each part. Raises `InterventionError` for a model without edges, and for
    metrics that are not finite.
    """
    config = model.config
    for name, value, allowed in (("of", of, get_args(Of)), ("metric", metric, get_args(Metric))):
        if value not in allowed:
            raise InterventionError(f"{name} can't be {one_line(value, 40)}.", f"Use one of {', '.join(allowed)}.")
    if not 0 <= integrated_steps <= MAX_STEPS:
        raise InterventionError(f"{integrated_steps} integrated steps are not possible. Use 0 to {MAX_STEPS}.")
    taps = _edge_taps(config) if of == "edges" else _node_taps(config, of)
    groups = [_Group.of(model, group, taps) for group in pairs.groups(config)]
    estimate = _edge_estimates if of == "edges" else partial(_node_estimates, of)
    sums = dict[str, float]()
    for group in groups:  # the longest first, which has all positions
        for name, total in estimate(model, metric, integrated_steps, group).items():
            sums[name] = sums.get(name, 0.0) + total
    count = len(pairs.source)
    rows = [Attributed(name, total / count, None) for name, total in sums.items()]
    intact, other, probability = (
        sum(group.measured(kind, tensor) for group, tensor in zip(groups, logits, strict=True)) / count
        for kind, logits in (
            (metric, [group.logits for group in groups]),
            (metric, [group.theirs["logits"] for group in groups]),
            ("probability", [group.logits for group in groups]),
        )
    )
    if not all(map(math.isfinite, (intact, other, *(row.estimate for row in rows)))):
        raise InterventionError("The metric or its gradients are not finite, so nothing can be estimated.")
    found = Attribution(
        of, metric, integrated_steps, count, intact, other, probability, tuple(rows), 0, len(rows) * exact
    )
    yield found
    for number, row in enumerate(rows if exact else (), start=1):
        change = sum(_exact(model, group, of, row.part, metric) for group in groups) / count - intact
        rows[number - 1] = row._replace(exact=change)
        found = replace(found, rows=tuple(rows), done=number)
        yield found


@dataclass(frozen=True)
class _Group:
    """Pairs for one pass, and tensors of both passes."""

    own: Batch
    other: Batch
    logits: Tensor  # (B, T, V)
    theirs: Mapping[str, Tensor]  # of the pass over the other inputs, by tap; with its logits

    @classmethod
    def of(cls, model: TaskModel, pairs: PairGroup, taps: Iterable[str]) -> "_Group":
        logits = run_with_cache(model, pairs.own, "logits")[1]["logits"]
        return cls(pairs.own, pairs.other, logits, run_with_cache(model, pairs.other, ["logits", *taps])[1])

    def measured(self, metric: Metric, logits: Tensor) -> float:
        """The sum of a metric over the pairs."""
        return float(measured(metric, logits, self.own.labels, self.other.labels).double().sum())

    def longest(self) -> dict[str, int]:
        """Positions by stack."""
        rows = {"encoder": self.own.source, "decoder": self.own.target}
        return {stack: tokens.size(1) for stack, tokens in rows.items() if tokens is not None}


class _Node(NamedTuple):
    tap: str
    entry: tuple[int, ...] = ()  # after the batch axis

    @property
    def where(self) -> tuple[slice | int, ...]:
        """The index of its part of the tap, for all inputs."""
        return (slice(None), *self.entry)


def _node_taps(config: RunConfig, of: Of) -> list[str]:
    """The taps of the nodes, each once."""
    if of == "heads":
        return list(dict.fromkeys(site.taps[0] for site in named(config, "head")))
    return [*stream(config), *(site.taps[0] for site in named(config, "sublayer"))]


def _edge_taps(config: RunConfig) -> list[str]:
    """The taps of the senders, and those of the sums that they add up to."""
    return [*sender_taps(config.model), *(receiver.stream for receiver in receivers(config.model))]


def _nodes(config: RunConfig, of: Of, longest: Mapping[str, int]) -> dict[str, _Node]:
    """The nodes of a model by name, at the positions that inputs have."""
    if of == "heads":
        return {site.name: _Node(site.taps[0], (site.head or 0,)) for site in named(config, "head")}
    found = {}
    for name in stream(config):
        for position in range(longest[name.partition(".")[0]]):
            found[f"{name}[{position}]"] = _Node(name, (position,))
    return found | {site.name: _Node(site.taps[0]) for site in named(config, "sublayer")}


def _gradients(
    model: TaskModel, metric: Metric, steps: int, group: _Group, taps: list[str]
) -> Iterator[tuple[dict[str, Tensor], dict[str, Tensor]]]:
    """Tensors of the pass over the input and gradients of the metric's sum; of a pass for each integrated step."""
    labels = [batch.labels.to(model.device) for batch in (group.own, group.other)]
    starts = [f"{stack}.embeddings.sum" for stack in group.longest()]
    own = run_with_cache(model, group.own, starts)[1]
    other = run_with_cache(model, group.other, starts)[1]
    for step in range(max(1, steps)):
        share = (step + 0.5) / steps if steps else 0.0
        between = {tap: torch.lerp(own[tap], other[tap], share).to(model.device) for tap in starts}
        with intervene(model, between) if steps else nullcontext(model) as instance:
            _, cache = run_with_cache(
                instance, group.own, taps, gradients_of=lambda output: measured(metric, output[0], *labels).sum()
            )
        yield dict(cache), cache.gradients


def _node_estimates(of: Of, model: TaskModel, metric: Metric, steps: int, group: _Group) -> dict[str, float]:
    """By node: the sum over the pairs of gradient times difference."""
    taps = _node_taps(model.config, of)
    own = run_with_cache(model, group.own, taps)[1]
    products = {tap: torch.zeros_like(own[tap]) for tap in taps}
    for _, gradients in _gradients(model, metric, steps, group, taps):
        for tap, gradient in gradients.items():
            products[tap] += gradient * (group.theirs[tap] - own[tap]) / max(1, steps)
    nodes = _nodes(model.config, of, group.longest())
    return {name: float(products[node.tap][node.where].double().sum()) for name, node in nodes.items()}


def _edge_estimates(model: TaskModel, metric: Metric, steps: int, group: _Group) -> dict[str, float]:
    """By edge: the sum over the pairs of the gradient at the receiver's input times the sender's difference."""
    settings = model.config.model
    every, own = receivers(settings), run_with_cache(model, group.own, sender_taps(settings))[1]
    terms = {
        sender: sender.term(model, (group.theirs[sender.tap] - own[sender.tap]).to(model.device)).detach()
        for receiver in every
        for sender in receiver.senders
    }
    _check_sums(model, group, every, terms)
    found = dict.fromkeys(edges(settings), 0.0)
    taps = _read_taps(every)
    for cache, gradients in _gradients(model, metric, steps, group, taps):
        for receiver in every:
            if any(read.tap in gradients for read in receiver.reads):
                arriving = _gradient_at_input(model, receiver, cache, gradients)
                for sender, edge in zip(receiver.senders, receiver.edges()):
                    found[edge] += float((arriving * terms[sender]).double().sum()) / max(1, steps)
    return found


@torch.inference_mode()
def _check_sums(model: TaskModel, group: _Group, every: Sequence[Receiver], terms: Mapping[Sender, Tensor]) -> None:
    """Raises `InterventionError` if parts don't read the sum of what others add, as in a model with a mistake."""
    own, heads = run_with_cache(model, group.own, _read_taps(every))[1], model.config.model.n_heads
    for receiver in every:
        normed = receiver.normed(model, own[receiver.stream].to(model.device))
        difference = torch.stack([terms[sender] for sender in receiver.senders]).sum(0).cpu()
        moved = group.theirs[receiver.stream] - own[receiver.stream]
        made = [(read.made(model, normed, heads).cpu(), read.columns(own[read.tap], heads)) for read in receiver.reads]
        for one, other in (*made, (difference, moved)):
            if not torch.allclose(one, other, rtol=_TOLERANCE, atol=_TOLERANCE * float(other.abs().max())):
                raise InterventionError(
                    "The edges of this model can't be measured: it has an unusual part, so its sublayers don't read "
                    "the sum of what the other parts add.",
                    "Measure nodes or heads instead.",
                )


def _read_taps(every: Sequence[Receiver]) -> list[str]:
    """The taps of the sums that receivers read, and of what they make of them."""
    taps = (tap for receiver in every for tap in (receiver.stream, *(read.tap for read in receiver.reads)))
    return list(dict.fromkeys(taps))


def _gradient_at_input(
    model: TaskModel, receiver: Receiver, cache: Mapping[str, Tensor], gradients: Mapping[str, Tensor]
) -> Tensor:
    """(B, T, D) gradient at the sum that a receiver reads, through this receiver alone."""
    heads, reads = model.config.model.n_heads, [read for read in receiver.reads if read.tap in gradients]
    with torch.inference_mode(False), torch.enable_grad():
        stream = cache[receiver.stream].to(model.device, copy=True).requires_grad_()
        normed = receiver.normed(model, stream)
        made = [read.made(model, normed, heads) for read in reads]
        arriving = [read.columns(gradients[read.tap].to(model.device, copy=True), heads) for read in reads]
        return torch.autograd.grad(made, stream, arriving)[0]


@torch.inference_mode()
def _exact(model: TaskModel, group: _Group, of: Of, part: str, metric: Metric) -> float:
    """The sum of the metric over the pairs with one part patched."""
    config = model.config
    changing: AbstractContextManager[Any]
    if of == "edges":
        changing = patched_edges(model, [part], everywhere(group.theirs))
    elif node := _nodes(config, of, group.longest()).get(part):
        theirs, where = group.theirs[node.tap].to(model.device), node.where

        def patch(value: Tensor) -> Tensor:
            value = value.clone()
            value[where] = theirs[where]
            return value

        changing = intervene(model.eval(), {node.tap: patch})
    else:  # a position that no input of the group has
        return group.measured(metric, group.logits)
    with changing as changed:
        return group.measured(metric, changed(*group.own.to(model.device))[0].cpu())
