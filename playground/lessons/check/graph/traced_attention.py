"""Attention in a traced pass: what made its scores, how they were scaled, masked, normalized, and what they weigh."""

import math
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from playground.explain.traced_moves import moved
from playground.lessons.check.graph.traced_positions import (
    MIXED,
    SEQUENCE,
    UNKNOWN,
    Positions,
    Side,
    constant,
    levels,
    numbered,
    product,
    scaled,
)
from playground.lessons.check.graph.traced_rotary import Rotations
from playground.lessons.check.graph.traced_softmax import find_softmax
from playground.recording import Node, Trace, TracedTensor

_PASSED = frozenset(
    name
    for names in ("mul div add sub masked_fill where setitem", "dropout float to type_as clamp nan_to_num")
    for name in names.split()
)
"""Functions that mask, scale or pass on each weight or score for itself."""

HIDES = -50.0
"""What is added to a score to hide a key is less than this."""

Step = tuple[Node, TracedTensor]
"""A node, and that of its outputs which is used."""


class UnclearError(Exception):
    """A pass that can't be interpreted; the message is what is unclear, in a sentence."""


class OwnMaskError(UnclearError):
    """A pass without a mask that is given, in which the code hides keys by itself."""


class MistakeError(Exception):
    """A mistake without a name; the message is a sentence about it."""

    def __init__(self, problem: str, node: Node) -> None:
        super().__init__(problem)
        self.node = node


@dataclass
class Attention:
    """One softmax, with the products before and after it."""

    softmax: Node
    back: list[Step]  # from the softmax to the product that made the scores, which is the last
    forward: list[Step]  # from the operand of the product with the values back to the softmax
    weighted: Node  # that product
    positions: Positions
    rotations: Rotations

    @property
    def scores(self) -> Node:
        """The product of queries and keys."""
        return self.back[-1][0]

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """Queries and keys, as the scores read them."""
        left, right = _both(self.scores)
        used, _ = self.used
        # All weights that are summed up for one cell are those of one query.
        of_left, of_right = (side.of.flatten()[self.origin.flatten()[used.rows]] for side in (left, right))
        if bool((of_left == of_left[:, :1]).all()):
            return left, right
        if bool((of_right == of_right[:, :1]).all()):
            return right, left
        raise UnclearError("The values are not weighed by the weights of one query.")

    @cached_property
    def used(self) -> tuple[Side, Side]:
        """Weights and values, as their product reads them; cells of the weights are those of the softmax."""
        one, other = _both(self.weighted)
        value = self.forward[0][1] if self.forward else self.softmax.output
        weights, values = (one, other) if one.value is value else (other, one)
        of_softmax = _along(self.forward, self.softmax.output).flatten()
        return Side(weights.value, of_softmax[weights.rows], weights.of), values

    @cached_property
    def origin(self) -> Tensor:
        """In the shape of the softmax: the cell of the scores that each weight comes from."""
        return _along(self.back[:-1], self.back[-1][1])

    @cached_property
    def query(self) -> Tensor:
        """The position of the query of each weight, in the shape of the softmax."""
        return self._position(self.sides[0])

    @cached_property
    def key(self) -> Tensor:
        """The position of the key of each weight."""
        return self._position(self.sides[1])

    def _position(self, side: Side) -> Tensor:
        return self.positions.of_rows(side)[side.of].flatten()[self.origin]

    @cached_property
    def row(self) -> Tensor:
        """The number of the query of each weight: of each head another one."""
        return self.sides[0].of.flatten()[self.origin]

    @property
    def width(self) -> int:
        """d_k, the count of products that make a score."""
        return self.sides[0].rows.shape[1]

    @cached_property
    def factor(self) -> float:
        """The number that scores are multiplied by."""
        return self._factor_after * math.prod(self._factor(side.value) for side in self.sides)

    @property
    def _factor_after(self) -> float:
        """The number that the product of queries and keys is multiplied by."""
        return math.prod(step[1] for node, _ in self.back[:-1] if (step := scaled(node)))

    def _factor(self, value: TracedTensor) -> float:
        """The constant numbers that queries or keys were multiplied by since they were computed."""
        factor = 1.0
        for each, factor in levels(value):
            if rotation := self.rotations.of(each):
                return factor * self._factor(rotation.source)
        return factor

    @property
    def factor_is_learned(self) -> bool:
        """True if a weight takes part in the number that the product of queries and keys is multiplied by."""
        steps = [node for node, _ in self.back[:-1] if scaled(node)]
        return any(constant(value) and value.parameters for node in steps for value in node.inputs)

    @property
    def capped(self) -> bool:
        """True if scores go through a tanh before the softmax."""
        return any(node.function == "tanh" for node, _ in self.back)

    @cached_property
    def weights(self) -> Tensor:
        """What weighs the values, in the shape of the softmax."""
        value = self.forward[0][1] if self.forward else self.softmax.output
        found = torch.zeros(math.prod(self.softmax.output.shape))
        found[_along(self.forward, self.softmax.output).flatten()] = _tensor(value).flatten().float()
        return found.reshape(self.softmax.output.shape)

    @cached_property
    def masked(self) -> Tensor:
        """What the softmax normalizes."""
        return _tensor(self.softmax.arguments[0]).float()

    @cached_property
    def unmasked(self) -> Tensor:
        """The scaled, and perhaps capped, scores without any mask, in the shape of the softmax."""
        numbers = _tensor(self.scores.output).float()
        for node, _ in reversed(self.back[:-1]):
            if step := scaled(node):
                numbers = numbers * step[1]
            elif node.function == "tanh":
                numbers = numbers.tanh()
        return numbers.flatten()[self.origin]


def attentions(trace: Trace, given: dict[TracedTensor, Tensor]) -> list[Attention]:
    """Every attention of a pass, in order of execution; `given` has the positions of its inputs."""
    find_softmax(trace)
    positions, found = Positions(given), list[Attention]()
    rotations = Rotations(positions)
    for node in trace:
        if node.function != "softmax" or constant(node.output):
            continue
        back = _to_product(node.arguments[0])
        if back is None:
            continue
        for later in trace.nodes[node.index + 1 :]:
            sides = product(later)
            if sides is None or any(constant(side.value) for side in sides):
                continue
            steps = next((steps for side in sides if (steps := _to(side.value, node.output)) is not None), None)
            if steps is not None:
                found.append(attention := Attention(node, back, steps, later, positions, rotations))
                positions.known[later.output] = _of_result(attention)
                break
    return found


def _of_result(attention: Attention) -> Tensor:
    """A sum of values belongs to the position of its query."""
    try:
        weights, _ = attention.used
        return attention.query.flatten()[weights.rows[:, 0]][weights.of]
    except UnclearError:
        return torch.full(attention.weighted.output.shape, UNKNOWN)


def _both(node: Node) -> tuple[Side, Side]:
    sides = product(node)
    if sides is None:
        raise UnclearError(f"The product {node.expression} is not understood.")
    return sides


def _tensor(value: TracedTensor) -> Tensor:
    if value.tensor is None:
        raise UnclearError("The pass has too many numbers.")
    return value.tensor


def _passes(node: Node) -> bool:
    return node.function in _PASSED or moved(node) is not None


def _to_product(value: TracedTensor) -> list[Step] | None:
    """Steps back to the product that made a value."""
    node = value.node
    if node is None or constant(value):
        return None
    sides = product(node)
    if sides is not None:
        return None if any(constant(side.value) for side in sides) else [(node, value)]
    if node.function == "tanh" or (node.function != "softmax" and _passes(node)):
        for inner in node.inputs:
            if (steps := _to_product(inner)) is not None:
                return [(node, value), *steps]
    return None


def _to(value: TracedTensor, end: TracedTensor) -> list[Step] | None:
    """Steps back from a value to another one, through what moves, masks or scales it; the end is not among them."""
    if value is end:
        return []
    node = value.node
    if node is None or product(node) is not None or not _passes(node) or node.function == "softmax":
        return None
    for inner in node.inputs:
        if (steps := _to(inner, end)) is not None:
            return [(node, value), *steps]
    return None


def _along(steps: list[Step], end: TracedTensor) -> Tensor:
    """In the shape of the first value of the steps, or of the end without any: the cell of the end behind each cell."""
    values = [*(value for _, value in steps), end]
    found = numbered(values[0].shape)
    for (node, value), source in zip(steps, values[1:]):
        found = _source(node, value, source).flatten()[found]
    return found


def _source(node: Node, value: TracedTensor, source: TracedTensor) -> Tensor:
    """In the shape of a value: the cell of a source that each of its cells comes from."""
    moves = moved(node, node.outputs.index(value))
    if moves is None or bool((moves.origins < 0).any()):
        return numbered(source.shape).broadcast_to(value.shape)
    begin = sum(math.prod(each.shape) for each in moves.sources[: moves.sources.index(source)])
    if bool((moves.origins < begin).any()) or bool((moves.origins >= begin + math.prod(source.shape)).any()):
        raise UnclearError(f"{node.expression} joins scores with something else.")
    return moves.origins - begin


# --- what is right and wrong about one ------------------------------------------------------------


def cause_of_scale(attention: Attention, d_model: int, *, learned: bool = False) -> str | None:
    """The mistake in the scale of the scores; None if it is right, or `learned`, as for vectors of length 1."""
    if learned:
        return None
    right, factor = attention.width**-0.5, attention.factor
    usual = {"no-scaling": 1.0, "scaled-by-d-model": d_model**-0.5, "scaled-without-root": 1 / attention.width}
    if math.isclose(factor, right, rel_tol=1e-3):
        return None
    for cause, wrong in usual.items():
        if math.isclose(factor, wrong, rel_tol=1e-3):
            return cause
    lengths = {*attention.masked.shape[-2:]} - {attention.width, d_model}
    if any(math.isclose(factor, length**-0.5, rel_tol=1e-3) for length in lengths):
        text = "Scores are divided by the square root of a number of positions, not of d_k, the features of a head."
        raise MistakeError(text, attention.scores)
    raise UnclearError(f"Scores are multiplied by {factor:.4g}, where 1/sqrt(d_k) is {right:.4g}.")


def cause_of_axis(attention: Attention) -> str | None:
    """The mistake in the axis of the softmax; None if it is right."""
    node = attention.softmax
    axis = node.argument(1, "dim")
    if not isinstance(axis, int) or node.output.shape[axis] < 2:
        raise UnclearError(f"The axis of {node.expression} is not understood.")
    query, key = (
        [part.select(axis, at).flatten()[0].item() for at in (0, 1)] for part in (attention.query, attention.key)
    )
    same = [query[0] == query[1], key[0] == key[1]]
    if min(*query, *key) < 0:
        raise UnclearError("The positions of queries and keys are not understood.")
    if same == [True, False]:
        return None
    if same == [False, True]:
        return "softmax-over-queries"
    return "softmax-over-heads" if same == [True, True] else "softmax-over-batch"


def cause_of_heads(attention: Attention) -> str | None:
    """The mistake in how heads were split; None if each query meets each key of its own sequence once."""
    query, key, row = attention.query.flatten(), attention.key.flatten(), attention.row.flatten()
    if bool((query == UNKNOWN).any()) or bool((key == UNKNOWN).any()):
        raise UnclearError("The positions of queries and keys are not understood.")
    if bool((query == MIXED).any()) or bool((key == MIXED).any()):
        return "heads-without-transpose"
    order = torch.argsort(row * SEQUENCE**2 + key)
    count = len(row) // len(row.unique())
    keys = key[order].reshape(-1, count)
    once = bool((keys[:, 1:] > keys[:, :-1]).all())
    own = bool((keys // SEQUENCE == (query[order] // SEQUENCE).reshape(-1, count)).all())
    if once and bool((keys % SEQUENCE == (query[order] % SEQUENCE).reshape(-1, count)).all()):
        return "softmax-over-batch"
    return None if once and own else "heads-without-transpose"


def check_values(attention: Attention) -> None:
    """Raises UnclearError unless each weight weighs the value of its own key."""
    weights, values = attention.used
    of_weights = attention.key.flatten()[weights.rows][weights.of.flatten()]
    of_values = attention.positions.of(values.value).flatten()[values.rows][values.of.flatten()]
    if not torch.equal(of_weights, of_values):
        raise UnclearError("Weights and values of different positions are multiplied.")


def shared_heads(attention: Attention) -> tuple[Tensor, Tensor]:
    """(H,) numbers that are equal where heads of queries read the same keys, and (H,) the same for values."""
    keys, (weights, values) = attention.sides[1], attention.used
    query, key = attention.query.flatten(), attention.key.flatten()
    here = (query == query[0]) & (key == key[0])
    rows = _tensor(keys.value).flatten()[keys.rows].unique(dim=0, return_inverse=True)[1]
    read = _tensor(values.value).flatten().float()[values.rows[values.of].flatten()]
    least = torch.full(query.shape, torch.inf).scatter_reduce(0, weights.rows[weights.of].flatten(), read, "amin")
    return rows[keys.of].flatten()[attention.origin.flatten()][here], least[here]


def window_of(attention: Attention) -> int:
    """Positions that a query sees back, itself among them, where a window hides earlier ones; 0 without a window."""
    distance, seen = attention.query - attention.key, seen_keys(attention)
    if not bool(seen.any()):
        return 0
    width = int(distance[seen].max()) + 1
    both = bool(seen[distance < 0].any())
    allowed = (distance.abs() if both else torch.where(distance < 0, width, distance)) < width
    return width if 2 <= width <= int(distance.max()) and torch.equal(seen, allowed) else 0


def seen_keys(attention: Attention) -> Tensor:
    """In the shape of the softmax: True where a query sees a key."""
    return ~((attention.masked - attention.unmasked < HIDES) | _hidden_after(attention))


def _hidden_after(attention: Attention) -> Tensor:
    """In the shape of the softmax: True where a mask after it changes a weight."""
    weights, kept = attention.weights, _tensor(attention.softmax.output)
    return ((weights == 0) | (weights < HIDES)) & (kept != 0)


def sees(attention: Attention, visible: Tensor, asking: Tensor | None = None) -> bool:
    """True if queries see the keys that they should, or those of them in a window around each.

    `visible` (B, T, S) is True where a query should see a key, `asking` (B, T) where the query counts at all.
    """
    seen, wanted = seen_keys(attention), _of_each_weight(attention, visible)
    counts = ... if asking is None else asking[attention.query // SEQUENCE, attention.query % SEQUENCE]
    if torch.equal(seen[counts], wanted[counts]):
        return True
    distance = (attention.query - attention.key).abs()
    width = int((distance * seen)[counts].max()) + 1  # of a sliding window
    return width > 1 and torch.equal(seen[counts], (wanted & (distance < width))[counts])


def _of_each_weight(attention: Attention, visible: Tensor) -> Tensor:
    """`visible` (B, T, S) in the shape of the softmax."""
    query, key = attention.query, attention.key
    return visible[query // SEQUENCE, query % SEQUENCE, key % SEQUENCE]


def cause_of_mask(attention: Attention, visible: Tensor, asking: Tensor | None = None) -> str | None:
    """The mistake in the mask; None if it hides what it should. Its arguments are those of `sees`."""
    wanted = _of_each_weight(attention, visible)
    difference = attention.masked - attention.unmasked
    changed = (difference.abs() > 1e-4) & ~(difference < HIDES)
    if sees(attention, visible, asking):
        if bool(changed.any()):
            raise UnclearError("Something besides a mask is added to the scores.")
        return "mask-after-softmax" if bool(_hidden_after(attention).any()) else None
    if bool(wanted.all()):
        raise OwnMaskError("Without a mask, some keys are hidden.")
    if sees(attention, ~visible, asking):
        return "inverted-mask"
    if bool(seen_keys(attention).all()):
        if not bool(changed.any()):
            return "no-mask"
        if bool((attention.masked[~wanted].abs() < 1e-3).all()) and not bool((changed & wanted).any()):
            return "mask-multiplied"
        if any(torch.allclose(difference, ones.float(), atol=1e-4) for ones in (wanted, ~wanted)):
            return "mask-added-as-one"
    raise UnclearError("The mask hides other keys than it should.")
