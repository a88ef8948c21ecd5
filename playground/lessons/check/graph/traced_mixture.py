"""Mixtures of experts in a traced pass: which experts made each position's output, and with which gates.

They are found by the numbers: at each position, the output is a sum of outputs of feed-forward networks, and the
factors are gates that a router computes (Shazeer et al. 2017, Fedus et al. 2021, DeepSeek-V3 2024).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_attention import UnclearError
from playground.lessons.check.graph.traced_feed_forward import FeedForward, feed_forward_of
from playground.lessons.check.graph.traced_positions import Positions, levels, product
from playground.lessons.check.graph.traced_reads import projection
from playground.recording import Node, Trace, TracedTensor

_TOLERANCE = 1e-3
_MAX_CHOICES = 1000
"""Of experts that were called, among those that the router knows."""

_ROUTED = frozenset(["topk", "sort", "argsort", "argmax", "max", "softmax", "sigmoid"])
"""Functions that make gates, or choose experts."""


@dataclass(frozen=True)
class _Expert:
    """A feed-forward network, and what it gives at the positions that it reads."""

    network: FeedForward
    node: Node
    width: int  # how many numbers it gives
    source: TracedTensor  # whose rows it reads
    rows: dict[int, Tensor]  # by position


@dataclass(frozen=True)
class _Router:
    """A linear map of each position to a score for each expert."""

    node: Node
    scores: Tensor  # (R, N), rows as those of the output


class Mixtures:
    """The mixtures of a pass, found once."""

    def __init__(self, trace: Trace, positions: Positions) -> None:
        self._trace, self._positions = trace, positions
        self._found: dict[TracedTensor, FeedForward | None] = {}

    def of(self, value: TracedTensor) -> FeedForward | None:
        """The mixture whose result a value is; None if it is none. Raises UnclearError if its gates are unclear."""
        if value not in self._found:
            self._found[value] = self._of(value)
        return self._found[value]

    def _of(self, value: TracedTensor) -> FeedForward | None:
        node, output = value.node, value.tensor
        if node is None or output is None or not self._makes_gates:
            return None
        rows = output.flatten(0, -2).double()
        known = [each for each in self._experts if each.node.index < node.index and each.width == rows.size(1)]
        for source in dict.fromkeys(expert.source for expert in reversed(known)):
            experts = [expert for expert in known if expert.source is source]
            at = self._positions.of(source)[..., 0].flatten().tolist()
            if source.shape[-1] != rows.size(1) or len(at) != len(rows) or len(experts) < 2:
                continue
            gates = _gates(rows, at, experts)
            if gates is not None and int((gates != 0).any(0).sum()) > 1:
                routers = list(_routers(self._trace.nodes[: node.index], source, at, self._positions))
                return _judged(node, source, experts, gates, routers)
        return None

    @cached_property
    def _makes_gates(self) -> bool:
        return any(node.function in _ROUTED and node.output.parameters for node in self._trace)

    @cached_property
    def _experts(self) -> list[_Expert]:
        """The feed-forward networks of a pass, in order of execution; several where one call computes them."""
        return [expert for node in self._trace for expert in self._of_node(node)]

    def _of_node(self, node: Node) -> Iterator[_Expert]:
        output = node.output
        biased = node.function == "add" and any(len(each.shape) == 1 for each in node.inputs)
        if output.tensor is None or 0 in output.shape or not (biased or product(node)):
            return
        network = feed_forward_of(output)
        if network is None or network.cause:
            return
        at = self._positions.of(output)[..., 0].flatten()
        numbers, count = at.unique(return_counts=True)
        if bool((at < 0).any()) or len(count.unique()) != 1:
            return
        rows = output.tensor.flatten(0, -2).double()[at.argsort(stable=True)].unflatten(0, (len(numbers), -1))
        for each in range(rows.size(1)):
            found = dict(zip(numbers.tolist(), rows[:, each]))
            yield _Expert(network, node, output.shape[-1], _rows_of(network.source), found)


def _rows_of(value: TracedTensor) -> TracedTensor:
    """The value that another one has rows of."""
    return [each for each, factor in levels(value) if factor == 1][-1]


def _gates(output: Tensor, at: Sequence[int], experts: Sequence[_Expert]) -> Tensor | None:
    """(R, E): the factors of the experts whose sum each row (R, D) of an output is; None if it is no such sum."""
    found = torch.zeros(len(at), len(experts), dtype=torch.float64)
    for row, position in enumerate(at):
        read = [number for number, expert in enumerate(experts) if position in expert.rows]
        if not 0 < len(read) < output.size(1):
            return None
        vectors = torch.stack([experts[number].rows[position] for number in read], 1)  # (D, E)
        factors = torch.linalg.lstsq(vectors, output[row, :, None]).solution
        if not _are_close(vectors @ factors, output[row, :, None]):
            return None
        found[row, read] = factors[:, 0]
    return torch.where(found.abs() < _TOLERANCE, 0.0, found)


def _are_close(one: Tensor, other: Tensor) -> bool:
    return float((one - other).abs().max()) <= _TOLERANCE * max(1.0, float(other.abs().max()))


def _routers(nodes: Sequence[Node], source: TracedTensor, at: list[int], positions: Positions) -> Iterator[_Router]:
    for node in nodes:
        held, mapped = node.output.tensor, projection(node.output) if product(node) else None
        if held is None or mapped is None or _rows_of(mapped.source) is not source:
            continue
        here = positions.of(node.output)[..., 0].flatten().tolist()
        if sorted(here) == sorted(at) and 1 < held.size(-1) != source.shape[-1]:
            order = [here.index(position) for position in at]
            yield _Router(node, held.flatten(0, -2).double()[order])


def _judged(
    node: Node, source: TracedTensor, experts: list[_Expert], gates: Tensor, routers: list[_Router]
) -> FeedForward:
    always = (gates - 1).abs().amax(0) < _TOLERANCE
    routed = gates[:, ~always & (gates != 0).any(0)]
    cause: str | None
    counts, factors = (routed != 0).sum(1), routed[routed != 0]
    if not len(factors) or len(counts.unique()) > 1:
        raise UnclearError("The experts have no gates, or some positions have more experts than others.")
    cause, known = "no-gates", routed.size(1)
    if not _are_close(factors, factors.mean().expand_as(factors)):
        cause, router = _cause_of_gates(routed, routers)
        known, node = router.scores.size(1), router.node if cause else node
    words = f"a mixture of experts, {int(counts[0])} of {known} for each position"
    if bool(always.any()):
        words += f", and {int(always.sum())} shared"
    features = max(expert.network.features for expert in experts)
    return FeedForward(source, node, features, cause, (words, *experts[0].network.remarks))


def _cause_of_gates(gates: Tensor, routers: list[_Router]) -> tuple[str | None, _Router]:
    """The mistake in gates (R, E) of experts that were called, and their router; raises UnclearError without one."""
    for cause, router, over in (
        *((None, router, 1) for router in routers),
        *(("router-over-tokens", router, 0) for router in routers),
    ):
        scores = router.scores
        every = [scores.softmax(over)] if cause else [scores.softmax(1), scores.sigmoid(), scores.exp()]
        for columns in islice(combinations(range(scores.size(1)), gates.size(1)), _MAX_CHOICES):
            for kind in every:
                expected = torch.where(gates != 0, kind[:, list(columns)], 0.0)
                if _is_scaled(gates, expected) or _is_scaled(gates, expected / expected.sum(1, keepdim=True)):
                    return cause, router
    raise UnclearError("The factors of the experts' outputs are no gates that a router computes from their scores.")


def _is_scaled(gates: Tensor, expected: Tensor) -> bool:
    """True if gates are the expected ones, perhaps times one number."""
    factor = (gates * expected).sum() / expected.pow(2).sum()
    return _are_close(gates, factor * expected)
