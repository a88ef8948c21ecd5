"""Norms in a traced pass: which value is normalized how, by the numbers themselves, however it is written."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

import torch
from torch import Tensor

from playground.explain.traced_moves import MOVES
from playground.lessons.check.graph.traced_positions import ELEMENTWISE, REDUCTIONS, constant
from playground.recording import Node, TracedTensor, values_in

TOLERANCE = 1e-4
"""Of numbers that are computed twice, relative to the largest one or 1."""

MIN_ROWS = 3
"""Of positions without NaN, to tell gain and bias."""

RMS = "the norm is RMSNorm, without mean"
UNIT = "vectors have length 1"
"""Remarks."""

_NORMS = frozenset(["layer_norm", "rms_norm"])
_USUAL_EPSILONS = (1e-5, 1e-6, 1e-8, 1e-12, 0.0)


@dataclass(frozen=True)
class Region:
    """All that lies between a value and another one that alone determines it."""

    source: TracedTensor
    nodes: tuple[Node, ...]

    @property
    def constants(self) -> list[TracedTensor]:
        """What takes part in it and depends on no input."""
        every = [value for node in self.nodes for value in node.inputs if constant(value)]
        return [value for value in dict.fromkeys(every) if value.tensor is not None and "complex" not in value.dtype]

    @property
    def numbers(self) -> list[float]:
        """Numbers in its calls."""
        found = [part for node in self.nodes for part in (*node.arguments, *node.named.values())]
        given = [float(part) for part in found if isinstance(part, (int, float)) and not isinstance(part, bool)]
        return given + [float(value.tensor) for value in self.constants if value.tensor.numel() == 1]  # type: ignore[union-attr,arg-type]


def regions(value: TracedTensor, functions: frozenset[str]) -> Iterator[Region]:
    """Regions that end in a value and hold only these functions, the smallest first."""
    frontier, nodes = {value}, list[Node]()
    while frontier:
        last = max(frontier, key=lambda each: -1 if each.node is None else each.node.index)
        if last.node is None or last.node.function not in functions:
            return
        frontier.remove(last)
        nodes.append(last.node)
        numbers = {each for each in last.node.inputs if each.dtype.startswith(("float", "complex"))}
        frontier |= {each for each in numbers if not constant(each)}
        if len(frontier) == 1:
            yield Region(next(iter(frontier)), tuple(nodes))


@dataclass(frozen=True)
class Norm:
    """A value that is another one, normalized."""

    source: TracedTensor
    output: TracedTensor
    node: Node  # where the mistake is made
    cause: str | None  # the mistake in it
    weights: tuple[TracedTensor, ...]  # gain and bias
    expected: Tensor  # what LayerNorm gives with the same gain and bias
    remarks: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """A sentence on a gain that lacks numbers; "" for any other mistake."""
        if self.cause == "norm-without-weights":
            return "No gain and no bias take part in it."
        if self.cause != "one-gain-for-all-features":
            return ""
        return f"{self.weights[0].name} has one number for {self.output.shape[-1]} features."


Normalized = Callable[[Tensor, tuple[int, ...], float], Tensor]


def _centered(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    return x - x.mean(axes, keepdim=True)


def _variance(x: Tensor, axes: tuple[int, ...], correction: int = 0) -> Tensor:
    return x.var(axes, correction=correction, keepdim=True)


def _right(x: Tensor, axes: tuple[int, ...], epsilon: float) -> Tensor:
    return _centered(x, axes) / (_variance(x, axes) + epsilon).sqrt()


def _without_mean(x: Tensor, axes: tuple[int, ...], epsilon: float) -> Tensor:
    return x / (x.pow(2).mean(axes, keepdim=True) + epsilon).sqrt()


_KINDS: list[tuple[str | None, Normalized]] = [
    (None, _right),
    ("unbiased-std", lambda x, axes, eps: _centered(x, axes) / (_variance(x, axes, 1).sqrt() + eps)),
    ("unbiased-std", lambda x, axes, eps: _centered(x, axes) / (_variance(x, axes, 1) + eps).sqrt()),
    ("epsilon-outside-root", lambda x, axes, eps: _centered(x, axes) / (_variance(x, axes).sqrt() + eps)),
    ("variance-without-root", lambda x, axes, eps: _centered(x, axes) / (_variance(x, axes) + eps)),
]
"""What LayerNorm may divide by, and the mistake in it."""

_RMS_KINDS: list[tuple[str | None, Normalized, str]] = [
    (None, _without_mean, ""),
    (None, lambda x, axes, eps: x / (x.pow(2).mean(axes, keepdim=True).sqrt() + eps), "epsilon is outside the root"),
    (None, lambda x, axes, eps: x / x.norm(dim=axes, keepdim=True).clamp(min=eps), UNIT),
    (None, lambda x, axes, eps: x / (x.pow(2).sum(axes, keepdim=True) + eps).sqrt(), UNIT),
    ("variance-without-root", lambda x, axes, eps: x / (x.pow(2).mean(axes, keepdim=True) + eps), ""),
]
"""The same of RMSNorm (Zhang and Sennrich 2019, whose own code adds epsilon outside the root), and a remark."""


def norm_of(value: TracedTensor) -> Norm | None:
    """The norm over the last axis whose result a value is; None if it is none, or one that isn't known."""
    found: Norm | None = None
    for region in regions(value, ELEMENTWISE | REDUCTIONS | MOVES | _NORMS):
        if any(node.function in REDUCTIONS | _NORMS for node in region.nodes):
            norm = _norm(value, region)
            # x - mean gives the same result as x, which is what is normalized.
            if norm is None or found is None or found.cause == norm.cause:
                found = norm or found
            if found and not (found.source.node and found.source.node.function == "sub"):
                return found
    return found


def _norm(value: TracedTensor, region: Region) -> Norm | None:
    source, constants = region.source, region.constants
    if value.shape != source.shape or value.tensor is None or source.tensor is None or len(value.shape) < 2:
        return None
    x, y = source.tensor.double(), value.tensor.double()
    if int(y.isfinite().all(-1).sum()) < MIN_ROWS:
        return _norm_of_nan(value, region)
    last = (x.ndim - 1,)
    others = [axes for count in range(1, x.ndim + 1) for axes in combinations(range(x.ndim), count) if axes != last]
    found = [number for number in region.numbers if 0 < number < 0.1]
    kinds: list[tuple[str | None, Normalized, tuple[int, ...]]] = [(cause, kind, last) for cause, kind in _KINDS]
    kinds += [("norm-over-wrong-axis", kind, each) for each, (_, kind) in product(others, _KINDS)]
    with_mean = not any(node.function == "rms_norm" for node in region.nodes)
    for cause, kind, over in kinds if with_mean else []:
        for epsilon in dict.fromkeys([*found, *_USUAL_EPSILONS]):
            fitted = _fitted(kind(x, over, epsilon), y, constants)
            if fitted is None:
                continue
            gain, bias, weights, mistake = fitted
            expected = _right(x, last, epsilon) * gain + bias
            remarks: tuple[str, ...] = ()
            if mistake == "one-gain-for-all-features" and cause == "unbiased-std":
                remarks = ("the standard deviation is the unbiased one, over D - 1",)
                cause = None
            return Norm(source, value, _node(region, cause), cause or mistake, weights, expected, remarks)
    for cause, kind, over, remark in _rms_kinds(last, others):
        for epsilon in dict.fromkeys([*found, torch.finfo(torch.float32).eps, *_USUAL_EPSILONS]):
            if fitted := _fitted(kind(x, over, epsilon), y, constants):
                gain, bias, weights, mistake = fitted
                expected = _without_mean(x, last, epsilon) * gain + bias
                mistake = mistake if mistake != "norm-without-weights" else None
                remarks = (RMS, remark) if remark else (RMS,)
                return Norm(source, value, _node(region, cause), cause or mistake, weights, expected, remarks)
    return None


def _rms_kinds(
    last: tuple[int, ...], others: list[tuple[int, ...]]
) -> Iterator[tuple[str | None, Normalized, tuple[int, ...], str]]:
    yield from ((cause, kind, last, remark) for cause, kind, remark in _RMS_KINDS)
    yield from (("norm-over-wrong-axis", _without_mean, each, "") for each in others)


def _norm_of_nan(value: TracedTensor, region: Region) -> Norm | None:
    """The norm of what has hardly a number in it, where torch's own function says that it is one."""
    node, tensor = region.nodes[0], value.tensor
    if node.function not in _NORMS or tensor is None:
        return None
    weights = (node.argument(2, "weight"), node.argument(3, "bias"))
    held = tuple(each for each in weights if isinstance(each, TracedTensor))
    return Norm(region.source, value, node, None, held, tensor.double())


def _node(region: Region, cause: str | None) -> Node:
    """Where a mistake is made; without one the last node."""
    by_cause = {
        "unbiased-std": frozenset(["std", "var", "std_mean", "var_mean"]),
        "norm-over-wrong-axis": REDUCTIONS | _NORMS,
        "epsilon-outside-root": frozenset(["div", "rdiv", "reciprocal"]),
        "variance-without-root": frozenset(["div", "rdiv", "reciprocal"]),
    }
    wanted = by_cause.get(cause or "", frozenset())
    return next((node for node in region.nodes if node.function in wanted), region.nodes[0])


def _fitted(
    n: Tensor, y: Tensor, constants: list[TracedTensor]
) -> tuple[Tensor, Tensor, tuple[TracedTensor, ...], str | None] | None:
    """Gain, bias, the weights that hold them, and their mistake, if y is gain * n + bias in each feature."""
    rows, wanted = n.flatten(0, -2), y.flatten(0, -2)
    finite = wanted.isfinite().all(1) & rows.isfinite().all(1)
    rows, wanted = rows[finite], wanted[finite]
    if len(rows) < MIN_ROWS:
        return None
    spread = rows - rows.mean(0)
    gain = (spread * (wanted - wanted.mean(0))).sum(0) / spread.pow(2).sum(0).clamp(min=1e-12)
    bias = wanted.mean(0) - gain * rows.mean(0)
    tolerance = TOLERANCE * max(1.0, float(wanted.abs().max()))
    if float((rows * gain + bias - wanted).abs().max()) > tolerance:
        return None
    one, none = torch.ones_like(gain), torch.zeros_like(bias)
    held_gain = _held(gain, constants, (0.0, 1.0), tolerance)
    held_bias = _held(bias, constants, (0.0,), tolerance)
    plain_gain = bool((gain - one).abs().max() <= tolerance)
    plain_bias = bool((bias - none).abs().max() <= tolerance)
    if not (held_gain or plain_gain) or not (held_bias or plain_bias):
        return None
    weights = tuple(each for each in (held_gain, held_bias) if each is not None)
    mistake = None
    if not weights:
        mistake = "norm-without-weights"
    elif held_gain is not None and math.prod(held_gain.shape) == 1 and len(gain) > 1:
        mistake = "one-gain-for-all-features"
    return gain, bias, weights, mistake


def _held(
    wanted: Tensor, constants: list[TracedTensor], offsets: tuple[float, ...], tolerance: float
) -> TracedTensor | None:
    """The weight that holds these numbers, perhaps less 1."""
    for value, offset in product(constants, offsets):
        held = value.tensor
        if held is None or not value.parameters or held.numel() not in (1, len(wanted)):
            continue
        if bool((held.flatten().double() + offset - wanted).abs().max() <= 10 * tolerance):
            return _weight(value)
    return None


def _weight(value: TracedTensor) -> TracedTensor:
    """The parameter behind a constant that is only another view of it."""
    while value.node is not None and len(inner := [*dict.fromkeys(values_in(value.node.arguments))]) == 1:
        value = inner[0]
    return value
