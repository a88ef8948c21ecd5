"""Gradient cells of a traced pass: each is recomputed from the gradients and the numbers that it reads."""

import itertools
import math
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.explain import traced_gradients
from playground.explain.traced_cells import traced_cell
from playground.explain.traced_gradients import HandedBack, handed_back, traced_gradient_cell
from playground.lessons.check.code.opened_functions import OPENED
from playground.recording import Trace, TracedTensor, trace, tracing
from tests.traced_models import MODELS


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


X, Y, ROW, COLUMN, ONE = numbers(2, 3, 4), numbers(2, 3, 4, seed=1), numbers(4), numbers(3, 1), numbers()
P = X.abs() + 0.5
MASK, TIES, EYE = Y > 0, X.round(), torch.eye(3, dtype=torch.bool)
TOKENS, LABELS = torch.tensor([[2, 1, 2], [0, 2, 2]]), torch.tensor([[3, 1, 2], [0, 2, 2]])
SQUARE = numbers(4, 4)
RMS_NORM = nn.RMSNorm(4, dtype=torch.float64)


def heads(x, count):
    """Heads of two features each, (B, H, T, 2)."""
    return x[..., : 2 * count].unflatten(-1, (count, 2)).transpose(1, 2)


CASES: dict[str, tuple[Callable[..., Any], tuple[Tensor, ...]]] = {
    "add": (lambda x, y, z: (x + y + 2, torch.add(x, z, alpha=0.5)), (X, ROW, ONE)),
    "sub": (lambda x, y, z: (x - y, torch.sub(x, z, alpha=3), 1 - x, torch.rsub(x, y)), (X, COLUMN, ONE)),
    "mul": (lambda x, y, z: (x * y, 3 * x * z, x * x), (X, COLUMN, ONE)),
    "div": (lambda x, y: (x / y, x / 2, 3 / x, y.__rdiv__(x)), (P, P[:, :1])),
    "pow": (lambda x, y: (x**2, x**-0.5, x**y, 3**x, y.__rpow__(x)), (P, P[:1])),
    "maximum": (lambda x, y: (torch.maximum(x, y), torch.minimum(x, y)), (TIES, TIES[:, 1:2])),
    "activations": (
        lambda x: [f(x) for f in (F.relu, torch.relu, F.gelu, F.silu, torch.tanh, torch.sigmoid, torch.abs, torch.erf)],
        (X,),
    ),
    "gelu with tanh": (lambda x: (F.gelu(x, approximate="tanh"), -x), (X,)),
    "functions": (lambda x: [f(x) for f in (torch.exp, torch.log, torch.sqrt, torch.sin, torch.cos)], (P,)),
    "powers": (lambda x: [torch.square(x), torch.reciprocal(x), torch.rsqrt(x)], (P,)),
    "clamp": (
        lambda x, y: (x.clamp(-0.5, 0.5), x.clamp(max=1), x.clamp(min=y), torch.clamp(x, y, y + 1), x.clamp(y + 1, y)),
        (X, COLUMN),
    ),
    "linear": (lambda x, y, z: (F.linear(x, y, z), F.linear(x[0, 0], y)), (X, numbers(5, 4), numbers(5))),
    "matmul": (lambda x, y: (x @ y.mT, x @ y[0].T, x[0] @ y.mT, torch.bmm(x, y.mT)), (X, Y)),
    "baddbmm": (lambda x, y, z: torch.baddbmm(z, x, y.mT), (X, Y, numbers(3))),
    "outer": (lambda x, y: torch.outer(x, y), (ROW, numbers(3))),
    "matmul of a vector": (lambda x, y: (x @ y, y @ x.mT, torch.dot(y, y), torch.mv(x[0], y)), (X, ROW)),
    "mm": (lambda x, y, z: (torch.mm(x, y), torch.addmm(z, x, y), x.__rmatmul__(y)), (X[0], X[1].T, numbers(3))),
    "einsum": (
        lambda x, y, z: (torch.einsum("bqd,bkd->bqk", x, y), torch.einsum("bqd,bqd,d,qe->be", x, y, z, y[0])),
        (X, Y, ROW),
    ),
    "softmax": (lambda x: (x.softmax(-1), F.softmax(x, dim=1), torch.log_softmax(x, 0), x[..., :1].softmax(-1)), (X,)),
    "softmax with a mask": (lambda x: x.masked_fill(MASK, -math.inf).softmax(-1), (X,)),
    "attention": (
        lambda x, y, z: (
            F.scaled_dot_product_attention(x, y, y * 2),
            F.scaled_dot_product_attention(x, x, y, is_causal=True),
            F.scaled_dot_product_attention(x[:, None], y[:, None, :2], y[:1, None, :2], z, scale=0.3),
            F.scaled_dot_product_attention(x[None], y[None], x[None], EYE | MASK[0, :, :3]),
            F.scaled_dot_product_attention(x[:, :1], y[:, :1], y[:, :1, :1]),
        ),
        (X, Y, numbers(3, 2)),
    ),
    "grouped queries": (
        lambda x, y, z: (
            F.scaled_dot_product_attention(heads(x, 4), heads(y, 2), heads(y, 2) * 2, enable_gqa=True),
            F.scaled_dot_product_attention(heads(x, 4)[0], heads(x, 2)[0], heads(y, 2)[0], z, enable_gqa=True),
            F.scaled_dot_product_attention(heads(x, 4), heads(x, 2), heads(x, 2), is_causal=True, enable_gqa=True),
            F.scaled_dot_product_attention(heads(x, 4), heads(x, 1), heads(y, 1), enable_gqa=True),
        ),
        (numbers(2, 3, 8), numbers(2, 3, 8), numbers(3, 3)),
    ),
    "sums": (lambda x: (x.sum(), x.sum(-1), x.mean((0, 2), keepdim=True), x.mean(1), x[:, :1].sum(1)), (X,)),
    "a single number": (lambda x: (x.sum(), x.mean(), x.max(), x * x, x.expand(3).clone()), (ONE,)),
    "an empty batch": (
        lambda x, y: (F.linear(x[:0], y, y[0]), F.layer_norm(x[:0], (4,), y[0]), x[:0] @ y),
        (X[0], SQUARE),
    ),
    "a negative base": (lambda x, y: (x**y, 2 * x), (-P[0, 0], P[0, 1])),
    "extremes": (lambda x: (x.amax(1), x.amin((0, 2)), x.max(-1)[0], x.min(1, keepdim=True).values, x.max()), (TIES,)),
    "losses of classes": (
        lambda x, y: (
            F.cross_entropy(x.view(6, 4), LABELS.flatten()),
            F.cross_entropy(x.mT, LABELS, ignore_index=2),
            nn.CrossEntropyLoss(reduction="sum")(y, LABELS[0]),
            F.cross_entropy(y, LABELS[0], reduction="none"),
            F.nll_loss(y.log_softmax(-1), LABELS[0]),
            F.nll_loss(x.mT, LABELS, ignore_index=2, reduction="sum"),
        ),
        (X, Y[0]),
    ),
    "squared error": (
        lambda x, y: (F.mse_loss(x, y), nn.MSELoss(reduction="sum")(x, y), F.mse_loss(x, y, reduction="none")),
        (X, Y),
    ),
    "logsumexp": (lambda x: (x.logsumexp(-1), torch.logsumexp(x, (0, 2), keepdim=True)), (X,)),
    "spread": (lambda x: (x.var(-1, unbiased=False), x.std(-1, keepdim=True), x.std(dim=1, correction=0)), (X,)),
    "layer norm": (
        lambda x, y, z: (F.layer_norm(x, (4,), y, z), F.layer_norm(x, (4,), y), F.layer_norm(x, (4,), eps=0.1)),
        (X, ROW, numbers(4, seed=5)),
    ),
    "rms norm": (
        lambda x, y: (F.rms_norm(x, (4,), y), F.rms_norm(x, (4,), eps=0.1), RMS_NORM(x)),
        (X, ROW),
    ),
    "masks": (
        lambda x, y, z: (x.masked_fill(MASK, z), torch.where(MASK, x, y), torch.where(MASK[0], 0.0, x)),
        (X, ROW, ONE),
    ),
    "where as a method": (lambda x, y: x.where(MASK, y), (X, ROW)),
    "a mask of rows": (lambda x, y: torch.where(MASK[..., :1], x, y), (X, Y[..., :1])),
    "triangles": (lambda x: (x.tril(), torch.triu(x, diagonal=1)), (X,)),
    "cumsum": (lambda x: (x.cumsum(1), x[:, :, :1].cumsum(-1)), (X,)),
    "embedding": (lambda x: (F.embedding(TOKENS, x), F.embedding(TOKENS, x, padding_idx=-1)), (X[0],)),
    "moves": (
        lambda x, y, z: (
            x.view(2, 3, 2, 2).permute(0, 2, 1, 3).reshape(2, 2, 6),
            x.unsqueeze(1).expand(2, 5, 3, 4).contiguous(),
            torch.cat([x, y], -1).chunk(2, dim=-1),
            torch.stack([x[:, 0], y[:, -1], x[:, 0]], dim=1).flip(1),
            (x[:, [2, 0, 2]], x[0].T.roll(1, 0), x.repeat(1, 2, 1), torch.stack([z, z]), x.detach()),
        ),
        (X, Y, ONE),
    ),
    "constants of numpy": (lambda x: x / np.float64(2) * np.sqrt(3), (X,)),
    "in place": (lambda x, y: (x * 1).mul_(y).add_(x).masked_fill_(MASK, 0), (X, ROW)),
    "written into": (lambda x, y: written_into(x * 1, y), (X, ROW)),
}  # fmt: skip


def written_into(x: Tensor, y: Tensor) -> Tensor:
    x[:, 1] = y
    x[:, :, 0] = 2
    return x


def tensors(thing: Any) -> list[Tensor]:
    if thing is None or isinstance(thing, Tensor):
        return [] if thing is None else [thing]
    return [each for part in (thing.values() if isinstance(thing, dict) else thing) for each in tensors(part)]


def weighted(result: Any) -> Tensor:
    """A scalar in which each cell of what is returned has another weight."""
    terms = [(each * numbers(*each.shape, seed=9).to(each)).sum() for each in tensors(result) if each.requires_grad]
    return sum(terms, start=torch.zeros(()))


def traced_case(name: str) -> Trace:
    function, given = CASES[name]
    return trace(lambda *inputs: function(*[each * 1 for each in inputs]), *given, gradients_of=weighted)


def passed_to(graph: Trace) -> Iterable[tuple[TracedTensor, list[HandedBack]]]:
    """Values with a gradient that the loss reads nothing of, and what their gradients are made of."""
    found: dict[TracedTensor, list[HandedBack]] = {
        value: [] for value in graph.values if value.gradient is not None and value not in graph.outputs.values()
    }
    for node in graph:
        for each in handed_back(node):
            found.get(each.value, []).append(each)
    return found.items()


@pytest.mark.parametrize("name", CASES)
def test_the_values_of_a_function_are_recomputed(name):
    for node in traced_case(name):
        for output, value in enumerate(node.outputs):
            for index in itertools.product(*map(range, value.shape)):
                if (cell := traced_cell(node, index, output)) is not None:
                    expected = pytest.approx(float(value.tensor[index]), rel=1e-9, abs=1e-12, nan_ok=True)
                    assert cell.value == expected, node.expression


@pytest.mark.parametrize("name", CASES)
def test_the_rules_of_a_function_agree_with_autograd(name):
    for value, found in passed_to(traced_case(name)):
        assert found
        assert not [each.name for each in found if each.is_opaque]
        for index in itertools.product(*map(range, value.shape)):
            expected = pytest.approx(float(value.gradient[index]), rel=1e-9, abs=1e-12, nan_ok=True)
            assert sum(each.cell(index).value for each in found) == expected, [each.name for each in found]


def test_each_rule_has_a_case():
    passed = (each for name in CASES for _, found in passed_to(traced_case(name)) for each in found)
    ran = {(each.node.function, each.role) for each in passed}
    every = {(function, role) for function, rules in traced_gradients.RULES.items() for role in rules}
    assert not every - ran


def model_with_gradients(name: str) -> Trace:
    model, given = MODELS[name]()
    with tracing(model, gradients=True, opened=OPENED) as tracer:
        tracer.run(*given)
        tracer.differentiate(weighted)
    return tracer.trace


@pytest.mark.parametrize("name", MODELS)
def test_50_random_gradient_cells_of_a_model_are_recomputed(name):
    draw = random.Random(1)
    every = [(value, found) for value, found in passed_to(model_with_gradients(name)) if math.prod(value.shape)]
    known = [(value, found) for value, found in every if not any(each.is_opaque for each in found)]
    assert len(known) > 0.9 * len(every)
    for value, found in draw.choices(known, k=50):
        index = tuple(draw.randrange(size) for size in value.shape)
        total = sum(each.cell(index).value for each in found)
        assert total == pytest.approx(float(value.gradient[index]), rel=1e-4, abs=1e-5), [each.name for each in found]


@pytest.mark.parametrize("name", MODELS)
def test_a_trace_with_gradients_changes_no_bit_of_the_outputs(name):
    model, given = MODELS[name]()
    plain, traced = tensors(model(*given)), tensors(trace(model, *given, gradients_of=weighted).result)
    assert len(traced) == len(plain) > 0
    assert all(torch.equal(one, other) for one, other in zip(traced, plain))


def gradient_cell(function: Callable[..., Any], *inputs: Tensor, of: str = "x", index: tuple[int, ...] = (0, 0)) -> Any:
    graph = trace(function, *inputs, gradients_of=weighted)
    return graph, traced_gradient_cell(graph, graph.inputs[of], index)


def test_a_value_that_several_calls_read_has_a_line_for_each_and_their_sum():
    graph, cell = gradient_cell(lambda x: (x.exp(), x * x), X[0])
    assert [line.name for line in cell.lines] == ["from 1 exp", "from 2 mul", "from 2 mul", ""]
    assert cell.value == pytest.approx(float(graph.inputs["x"].gradient[0, 0]))
    assert cell.lines[1].value == cell.lines[2].value
    assert cell.lines[-1].value == sum(line.value for line in cell.lines[:-1])
    box = ((0, 1), (0, 1))
    exp, product = (node.output.index for node in graph)
    assert {(read.tensor, read.region, read.gradient) for read in cell.reads} == {
        (str(exp), box, True), (str(exp), box, False), (str(product), box, True), ("0", box, False),
    }  # fmt: skip


def test_a_softmax_shows_its_intermediate_value():
    _, cell = gradient_cell(lambda x: x.softmax(-1), X[0])
    assert [line.name for line in cell.lines] == ["weighted", "from 1 softmax", ""]
    assert len(cell.lines[0].terms) == 4


def test_an_output_has_its_gradient_from_the_loss():
    graph, _ = gradient_cell(lambda x: {"one": (y := x * 2), "other": y.exp()}, X[0])
    cell = traced_gradient_cell(graph, graph.outputs["other"], (0, 0))
    assert [line.name for line in cell.lines] == ["given by the loss", ""]
    cell = traced_gradient_cell(graph, graph.outputs["one"], (0, 0))
    assert [line.name for line in cell.lines] == ["from 2 exp", "given by the loss", ""]
    assert cell.lines[1].value == pytest.approx(float(numbers(3, 4, seed=9)[0, 0]))


def test_an_opaque_call_hands_back_a_number_without_a_rule():
    graph, cell = gradient_cell(lambda x: F.hardtanh(x) + x, X[0])
    assert [line.name for line in cell.lines] == ["from 2 add", "from 1 hardtanh", ""]
    assert cell.value == pytest.approx(float(graph.inputs["x"].gradient[0, 0]))
    assert cell.remark == "The rule of 1 hardtanh is not known."


def test_hidden_scores_have_no_gradient_and_no_nan():
    hidden = torch.tensor([[False, True, False]])
    graph, cell = gradient_cell(lambda x: x.masked_fill(hidden, -math.inf).softmax(-1), X[0, :, :3], index=(0, 1))
    assert cell.value == 0
    softmax = graph.nodes[-1]
    assert traced_gradient_cell(graph, softmax.inputs[0], (0, 1)).value == 0


def test_shared_memory_is_no_wrong_rule():
    def shifted(x: Tensor) -> Tensor:
        y = x * 2
        row = y[0]
        row += x[1]
        return y * row

    graph = trace(shifted, X[0], gradients_of=weighted)
    for value in graph.values:
        if value.gradient is not None and value.origin != "constant":
            for index in itertools.product(*map(range, value.shape)):
                cell = traced_gradient_cell(graph, value, index)
                assert cell.value == pytest.approx(float(value.gradient[index]))


def test_what_has_no_gradient_has_no_cell():
    graph = trace(lambda x: x.detach() * 2, X, gradients_of=lambda result: torch.ones((), requires_grad=True) * 1)
    assert traced_gradient_cell(graph, graph.nodes[0].output, (0, 0, 0)) is None


def test_a_cell_outside_is_refused():
    with pytest.raises(IndexError, match=r"The gradient \(3, 4\) has no cell \(3, 0\)"):
        gradient_cell(lambda x: x * 2, X[0], index=(3, 0))


def test_half_precision_is_read():
    graph = trace(nn.Linear(4, 2, dtype=torch.bfloat16), X[0].bfloat16(), gradients_of=weighted)
    value = graph.nodes[0].inputs[0]
    cell = traced_gradient_cell(graph, value, (0, 0))
    assert cell.value == pytest.approx(float(value.gradient[0, 0]), rel=1e-2)
