"""Cells of a traced pass: each is recomputed from the cells that it reads."""

import math
import random

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from playground.explain.traced_cells import is_opaque, traced_cell
from playground.recording import Node, Trace, trace
from tests.traced_models import MODELS

CALLS = {
    "add": lambda x, y: x + y[0],
    "add a number": lambda x, y: 2 + x,
    "add with alpha": lambda x, y: torch.add(x, y, alpha=0.5),
    "subtract from a number": lambda x, y: 1 - x,
    "divide a number": lambda x, y: 1 / (x + 9),
    "multiply by a row": lambda x, y: x * y[:, :1],
    "power": lambda x, y: 10_000 ** (x / 8),
    "square": lambda x, y: x**2,
    "functions": lambda x, y: [f(x.abs() + 1) for f in (torch.log, torch.rsqrt, torch.exp, torch.reciprocal)],
    "clamp": lambda x, y: (x.clamp(-0.5, 0.5), x.abs().clamp(max=1), torch.clamp(x, min=0)),
    "angles": lambda x, y: torch.sin(x) + x.cos(),
    "activations": lambda x, y: [f(x) for f in (F.relu, F.gelu, F.silu, torch.tanh, torch.sigmoid)],
    "gelu with tanh": lambda x, y: F.gelu(x, approximate="tanh"),
    "matmul": lambda x, y: x @ y.transpose(-2, -1),
    "matmul of a vector": lambda x, y: (x @ y[0, 0], y[0, 0] @ y[0, 1]),
    "bmm": lambda x, y: torch.bmm(x, y.mT),
    "einsum": lambda x, y: torch.einsum("bqd,bkd->bqk", x, y),
    "einsum over two": lambda x, y: torch.einsum("bqd, bqd -> b", [x, y]),
    "linear": lambda x, y: F.linear(x, y[0], y[0, :, 0]),
    "softmax": lambda x, y: (x.softmax(-1), F.softmax(x, dim=1), torch.log_softmax(x, 0)),
    "sums": lambda x, y: (x.sum(), x.sum(-1), x.mean((0, 2), keepdim=True), x.amax(1)),
    "spread": lambda x, y: (x.var(-1, unbiased=False), x.std(-1, keepdim=True), x.std(dim=1, correction=0)),
    "layer norm": lambda x, y: F.layer_norm(x, (8,), y[0, 0], y[0, 1]),
    "axes of one": lambda x, y: (x[..., :1].softmax(-1), x[:, :1].cumsum(1), F.layer_norm(x[..., :1], (1,))),
    "a single number": lambda x, y: x * y[0, 0, 0],
    "masked": lambda x, y: (x.masked_fill(y > 0, -math.inf), torch.where(y > 0, x, 0.0), x * (y <= 0)),
    "rows that are hidden": lambda x, y: x.masked_fill(x < 9, -math.inf).softmax(-1),
    "triangles": lambda x, y: (x.tril(), torch.triu(y, diagonal=1)),
    "cumsum": lambda x, y: x.cumsum(1),
    "embedding": lambda x, y: F.embedding(torch.tensor([[2, 1], [0, 2]]), y[0]),
    "sum of masks": lambda x, y: (x > 0) + (y > 0),
    "logic": lambda x, y: (((x > 0) & ~(y > 0)) | (x == y), torch.logical_and(x, y), torch.logical_or(x, y)),
    "moves": lambda x, y: (
        x.view(2, 3, 4, 2).permute(0, 2, 1, 3).reshape(2, 4, 6),
        x.flatten(1).unflatten(1, (3, 8)).unsqueeze(1).expand(2, 5, 3, 8).contiguous(),
        torch.cat([x, y], -1).chunk(2, dim=-1)[1],
        torch.stack([x[:, 0], y[:, -1]], dim=1).flip(1),
        x[..., ::2],
        x[:, [2, 0]],
        x[0].T.roll(1, 0),
        x.repeat(1, 2, 1),
    ),
    "grouped queries": lambda x, y: (
        F.scaled_dot_product_attention(*heads(x, y, 2), enable_gqa=True),
        F.scaled_dot_product_attention(*heads(x, y, 2), is_causal=True, enable_gqa=True),
        F.scaled_dot_product_attention(*heads(x, y, 1), enable_gqa=True),
    ),
}  # fmt: skip


def heads(x: torch.Tensor, y: torch.Tensor, count: int) -> tuple[torch.Tensor, ...]:
    """Four heads of queries, and fewer of keys and of values."""
    keys, values = (z.unflatten(-1, (4, 2)).transpose(1, 2)[:, :count] for z in (y, x * y))
    return x.unflatten(-1, (4, 2)).transpose(1, 2), keys, values


def inputs() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    return torch.randn(2, 3, 8, generator=generator), torch.randn(2, 3, 8, generator=generator)


def assert_recomputed(node: Node, draw: random.Random, cells: int = 3) -> None:
    for output, value in enumerate(node.outputs):
        assert value.tensor is not None
        for _ in range(cells if math.prod(value.shape) else 0):
            index = tuple(draw.randrange(size) for size in value.shape)
            cell = traced_cell(node, index, output)
            assert cell is not None, f"{node.function} is opaque: {node.expression}"
            assert cell.value == pytest.approx(float(value.tensor[index]), rel=1e-4, abs=1e-5, nan_ok=True), (
                node.expression
            )


@pytest.mark.parametrize("name", CALLS)
def test_cells_of_a_function_are_recomputed(name):
    for node in trace(CALLS[name], *inputs()):
        if node.function != "tensor":
            assert_recomputed(node, random.Random(0))


def test_what_a_router_chooses_is_copied():
    def chosen(x, y):
        best, where = x.topk(2, -1)
        return x.sort(1, descending=True)[0], torch.zeros_like(x).scatter(-1, where, best * y[..., :2])

    for node in trace(chosen, *inputs()):
        if node.function in ("topk", "sort", "scatter"):
            for index in ((0, 1, 1), (1, 2, 0), (1, 0, 1)):
                cell = traced_cell(node, index)
                assert cell is not None, node.function
                assert cell.value == node.output.tensor[index].item()
            assert all(traced_cell(node, (0, 0, 0), output) is None for output in range(1, len(node.outputs)))


@pytest.mark.parametrize("name", MODELS)
def test_50_random_cells_of_a_model_are_recomputed(name):
    model, given = MODELS[name]()
    graph, draw = trace(model, *given), random.Random(1)
    known = [node for node in graph if not is_opaque(node)]
    assert len(known) > len(graph) / 2
    for node in draw.choices(known, k=50):
        assert_recomputed(node, draw, cells=1)


def test_a_cell_tells_what_it_reads():
    graph = trace(CALLS["matmul"], *inputs())
    node = graph.nodes[-1]
    cell = traced_cell(node, (1, 2, 0))
    assert {read.tensor: read.region for read in cell.reads} == {
        str(node.inputs[0].index): ((1, 2), (2, 3), (0, 8)),
        str(node.inputs[1].index): ((1, 2), (0, 8), (0, 1)),
    }
    assert len(cell.lines[-1].terms) == 8


def test_a_softmax_shows_its_intermediate_values():
    node = _last(trace(lambda x: x.softmax(-1), torch.zeros(2, 4)))
    cell = traced_cell(node, (1, 3))
    assert [line.name for line in cell.lines] == ["largest", "total", ""]
    assert [line.value for line in cell.lines] == [0, 4, 0.25]


def test_what_is_written_into_a_tensor_has_its_source():
    def sinusoids(positions: torch.Tensor) -> torch.Tensor:
        table = torch.zeros(4, 6)
        table[:, 0::2] = torch.sin(positions[:, None] / 10_000 ** (torch.arange(0, 6, 2) / 6))
        table[:, 1::2] = 1.0
        return table

    node = _last(trace(sinusoids, torch.arange(4.0)))
    assert node.in_place
    assert node.function == "setitem"
    assert traced_cell(node, (3, 2)).value == pytest.approx(math.sin(3 / 10_000 ** (2 / 6)), rel=1e-6)
    assert traced_cell(node, (3, 3)).value == 1


@pytest.mark.parametrize(
    "function",
    [
        F.hardtanh,
        lambda x: torch.div(x, 0.3, rounding_mode="floor"),
        lambda x: torch.rsub(x, 1, alpha=2),
        lambda x: x.long() & 6,
    ],
)
def test_an_opaque_call_has_no_cells(function):
    node = _last(trace(function, torch.randn(3, 4)))
    assert is_opaque(node)
    assert traced_cell(node, (0, 0)) is None


def test_a_cell_outside_is_refused():
    node = _last(trace(nn.ReLU(), torch.zeros(2, 3)))
    with pytest.raises(IndexError, match=r"relu \(2, 3\) has no cell \(2, 0\)"):
        traced_cell(node, (2, 0))


def _last(graph: Trace) -> Node:
    return graph.nodes[-1]
