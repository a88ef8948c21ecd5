"""How every cell is declared to be computed, against what the model computed, and the words about it."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any, get_args
from unittest import mock
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional as F

from playground.explain import Cell, Declaration, ReadRegion, Term, bind, cell
from playground.explain.inspection import Step, Walk, as_json, walk
from playground.explain.latex import number
from playground.explain.notation import NotationError, axes
from playground.model.task_model import TaskModel
from playground.recording import Operation, Statement, intervene
from playground.settings.config import Activation, NormPosition, Positions
from playground.tasks import PAD, SEP
from playground.tasks.batches import Batch, make_batch
from playground.ui.parts.mathml import mathml
from tests.helpers import ARCHITECTURES, MODERN, examples, first, modern
from tests.test_inspection import tiny

SWITCHES = ("bias", "attention_bias", "tie_embeddings", "scale_scores", "causal_mask", "residual", "layer_norm")
OPTIONS: dict[str, tuple[Any, ...]] = {
    "architecture": ARCHITECTURES,
    "positions": get_args(Positions),
    "norm_position": get_args(NormPosition),
    "activation": get_args(Activation),
    **dict.fromkeys(SWITCHES, (True, False)),
}


@cache
def every_pair() -> tuple[dict[str, Any], ...]:
    """Few models in which every two settings meet in every way that is allowed."""
    models = [dict(zip(OPTIONS, values, strict=True)) for values in product(*OPTIONS.values())]
    models = [each for each in models if each["architecture"] != "encoder-only" or each["causal_mask"]]
    pairs = [set(combinations(each.items(), 2)) for each in models]
    missing, chosen = set().union(*pairs), []
    while missing:
        best = max(range(len(models)), key=lambda at: len(pairs[at] & missing))
        missing -= pairs[best]
        chosen.append(models[best])
    return tuple(chosen)


def called(settings: Mapping[str, Any]) -> str:
    off = [name for name, value in settings.items() if value is False]
    return " ".join(
        [*(value for value in settings.values() if isinstance(value, str)), *(f"no-{name}" for name in off)]
    )


SIZES = {"d_model": 18, "n_heads": 3, "d_ff": 10, "n_layers": 1}
"""So that all letters differ: D 18, H 3, K 6, F 10, V 9, S 4, T 5 or 7."""


def batch_of(model: TaskModel, source: list[int], answer: list[int], padding: int = 0) -> Batch:
    """One sequence with PAD behind it, as sequences of a longer batch have."""
    batch = make_batch(model.config, torch.tensor([source]), torch.tensor([answer], dtype=torch.long))
    read = {name: tokens for name, tokens in batch._asdict().items() if tokens is not None and name != "source_lengths"}
    return batch._replace(**{name: F.pad(tokens, (0, padding), value=PAD) for name, tokens in read.items()})


def walked(model: TaskModel, batch: Batch) -> Walk:
    with mock.patch("playground.explain.inspection.batch_to_read", return_value=batch):
        return walk(model, "")


def padded(padding: int = 1, **model: Any) -> Walk:
    """The pass of a model with random biases and norms over one sequence with padding."""
    made = tiny(**(SIZES | model))
    answer = [6, 4, 5] if made.decoder is None else [6, 4]
    return walked(made, batch_of(made, [7, 5, 8], answer, padding))


def some_cells(shape: torch.Size, count: int, seed: int = 0) -> list[tuple[int, ...]]:
    """Random cells of a tensor, all of them where there are few."""
    size = math.prod(shape)
    flat = np.random.default_rng(seed).choice(size, min(size, count), replace=False)
    return [tuple(int(index) for index in np.unravel_index(at, shape)) for at in flat]


def agrees(value: float, recorded: float, largest: float) -> bool:
    if not (math.isfinite(value) and math.isfinite(recorded)):
        return value == recorded
    return abs(value - recorded) <= 1e-4 * abs(recorded) + 1e-5 * largest


def largest(tensor: Tensor) -> float:
    values = tensor.double()
    return float(values[values.isfinite()].abs().max()) if bool(values.isfinite().any()) else 0.0


def assert_recomputed(walk: Walk, count: int) -> int:
    """Forward and backward; the number of cells."""
    checked = 0
    for worked_out, tensors in ((walk.cell, walk.values), (walk.gradient_cell, walk.gradients())):
        for name, tensor in tensors.items():
            scale = largest(tensor)
            for index in some_cells(tensor.shape, count):
                value, recorded = worked_out(name, index).value, float(tensor[index])
                where = f"{worked_out.__name__} {name} {index}"
                assert agrees(value, recorded, scale), f"{where}: {value}, recorded {recorded}"
                checked += 1
    return checked


# --- the declared taps ----------------------------------------------------------------------------


def test_few_models_cover_every_pair_of_settings():
    chosen = every_pair()
    assert len(chosen) < 25
    for (one, ones), (other, others) in combinations(OPTIONS.items(), 2):
        for pair in product(ones, others):
            allowed = {one: pair[0], other: pair[1]} != {"architecture": "encoder-only", "causal_mask": False}
            assert any((each[one], each[other]) == pair for each in chosen) == allowed


@pytest.mark.parametrize("model", first(3, every_pair(), of=17), ids=called)
def test_random_cells_of_every_tap_come_out_as_recorded(model: dict[str, Any]):
    walk = padded(**model)
    assert len({size for step in walk.steps for size in step.value.shape if size > 1}) >= 6
    assert assert_recomputed(walk, examples(16)) > examples(16) * len(walk.steps) / 2


@pytest.mark.parametrize(("architecture", "changes"), modern())
def test_so_do_those_of_parts_that_came_later(architecture: str, changes: dict[str, Any]):
    """50 of each tap and of its gradient, the very numbers that a pass through double precision gives."""
    made = tiny(architecture, **({**SIZES, "n_layers": 2} | changes)).double()
    answer = [6, 4, 5] if made.decoder is None else [6, 4]
    assert assert_recomputed(walked(made, batch_of(made, [7, 5, 8], answer, 1)), 50) > 1000


@pytest.mark.parametrize("architecture", first(1, ARCHITECTURES, of=3))
def test_so_do_those_of_an_input_without_padding_in_a_deeper_model(architecture: str):
    assert_recomputed(walk(tiny(architecture), "3 1 4"), examples(4))


def test_a_gradient_is_the_sum_of_what_its_readers_hand_back():
    looked, attention = walk(tiny("decoder-only"), "3 1 4"), "decoder.layers.0.self_attention"
    read = looked[f"{attention}.query_projection"].operation.inputs[0]
    cell = looked.gradient_cell(read, (0, 2, 5))
    assert cell.readers == tuple(f"{attention}.{name}_projection" for name in ("query", "key", "value"))
    *parts, total = [line for line in cell.lines if line.name.startswith("from ") or not line.name]
    assert [part.name for part in parts] == ["from Query projection", "from Key projection", "from Value projection"]
    assert total.value == cell.value == sum(part.value for part in parts)
    for part, reader in zip(parts, cell.readers, strict=True):
        letter, slopes = reader.rpartition(".")[2][0], looked.gradients()[reader][0, 2]
        weight = looked.model.get_submodule(f"{attention}.w_{letter}").weight[:, 5]
        assert part.value == pytest.approx(float(weight.detach() @ slopes), rel=1e-4)


def test_a_gradient_reads_gradients_and_numbers():
    looked, attention = walk(tiny("encoder-only"), "3 1 4"), "encoder.layers.0.self_attention.attention"
    cell = looked.gradient_cell(f"{attention}.masked_scores", (0, 1, 2, 0))
    row = ((0, 1), (1, 2), (2, 3), (0, 3))
    assert {(read.gradient, read.tensor, read.region) for read in cell.reads} == {
        (gradient, f"{attention}.weights", row) for gradient in (True, False)
    }
    assert looked.gradient_cell("loss", ()).value == 1
    with pytest.raises(KeyError):
        looked.gradient_cell("probabilities", (0, 0, 0))
    with pytest.raises(IndexError):
        looked.gradient_cell("logits", (0, 0, 99))


EVERY = [*every_pair(), *({"architecture": "encoder-decoder", **changes} for changes in MODERN.values())]


@pytest.mark.parametrize("model", EVERY, ids=called)
def test_all_that_took_part_is_declared_and_nothing_else(model: dict[str, Any]):
    walk = padded(**model)
    trained = dict(walk.model.named_parameters())
    for step in walk.steps:
        names, outside = bind(step.document.cell, step.operation), set(axes(step.document.cell.given))
        inside = {name for role, name in names.items() if role not in outside}
        # A constant table is the formula of the sinusoidal positions, worked out in advance.
        assert inside == {*step.operation.inputs, *(trained.keys() & set(step.operation.parameters))}
        assert outside <= set(Batch._fields)
        assert not (outside and step.operation.inputs)
        assert outside or step.operation.inputs or step.operation.tap in ("causal_mask", "position")


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only"])
def test_two_way_positions_stay_in_their_table_however_long_the_padding(architecture: str):
    made = tiny(architecture, **SIZES, positions="two_way")
    batch = batch_of(made, [7, 5, 8], [6, 4], 8)
    if batch.source is not None:  # the positions of an answer have their own end
        batch = batch._replace(target=batch.target[:, :3], labels=batch.labels[:, :3])
    walk = walked(made, batch)
    stack = "encoder" if walk.model.encoder else "decoder"
    step = next(step for step in walk.steps if step.name == f"{stack}.embeddings.position")
    last = walk.model.config.max_positions - 1
    for position in range(step.value.size(1)):
        found = walk.cell(step.name, (0, position, 2))
        assert agrees(found.value, float(step.value[0, position, 2]), 1.0)
        rows = [read.region[0] for read in found.reads if read.tensor.endswith("table")]
        expected = position if position < 3 else min(position - 3, last)
        assert rows == [(expected, expected + 1)]


@st.composite
def sized(draw: st.DrawFn) -> tuple[TaskModel, Batch]:
    """Any small model and an input for it."""
    heads, width = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    made = tiny(
        draw(st.sampled_from(ARCHITECTURES)),
        seed=draw(st.integers(0, 100)),
        n_heads=heads,
        d_model=2 * heads * width,
        d_ff=draw(st.integers(1, 9)),
        n_layers=1,
        positions=draw(st.sampled_from(get_args(Positions))),
        norm_position=draw(st.sampled_from(get_args(NormPosition))),
    )
    symbols = st.integers(4, 8)
    source = draw(st.lists(symbols, min_size=1, max_size=3))
    size = len(source) if made.decoder is None else None
    answer = draw(st.lists(symbols, min_size=size or 0, max_size=size or 3))
    return made.double(), batch_of(made, source, answer, draw(st.integers(0, 1)))  # gradients may cancel out


@settings(max_examples=examples(4), deadline=None)
@given(sized())
def test_whatever_the_sizes(case: tuple[TaskModel, Batch]):
    assert_recomputed(walked(*case), 4)


# --- what a cell was made from --------------------------------------------------------------------


def tensors_of(walk: Walk) -> dict[str, Tensor]:
    """All that cells can be made from."""
    given = {name: tokens for name, tokens in walk.batch._asdict().items() if tokens is not None}
    return given | dict(walk.model.named_parameters()) | {step.name: step.value for step in walk.steps}


def cell_from(walk: Walk, step: Step, index: tuple[int, ...], tensors: Mapping[str, Tensor]) -> Cell:
    """A cell as it would be if the tensors held other numbers."""
    dims = {step.name: step.dims for step in walk.steps}
    return cell(
        step.document.cell,
        step.operation,
        index,
        walk.model.config.model,
        tensors.__getitem__,
        lambda name: dims.get(name, ()),
    )


def others(tensor: Tensor, seed: int = 0) -> Tensor:
    """Other numbers of the same kind."""
    if tensor.dtype == torch.bool:
        return ~tensor
    if tensor.dtype == torch.int64:
        return torch.where(tensor > SEP, 4 + (tensor + 2) % 5, tensor)  # another symbol
    noise = torch.randn(tensor.shape, generator=torch.Generator().manual_seed(seed))
    return torch.where(tensor.isfinite(), tensor, 0.0).detach() + noise


def unusable(tensor: Tensor) -> Tensor:
    """Numbers that would spoil everything they took part in, or, where there are none such, other ones."""
    return torch.full_like(tensor, math.nan) if tensor.is_floating_point() else others(tensor)


def inside(found: Cell, name: str, shape: torch.Size) -> Tensor:
    """Where in a tensor the cell has read."""
    mask = torch.zeros(shape, dtype=torch.bool)
    for read in found.reads:
        if read.tensor == name:
            assert all(0 <= first < end <= size for (first, end), size in zip(read.region, shape, strict=True))
            mask[tuple(slice(first, end) for first, end in read.region)] = True
    return mask


MODELS = [
    {"architecture": "encoder-decoder", "positions": "two_way"},
    {"architecture": "decoder-only", "positions": "two_way", "activation": "gelu", "norm_position": "post"},
    {"architecture": "encoder-only", "positions": "learned", "scale_scores": False, "bias": False},
    {"architecture": "decoder-only", "positions": "none", "tie_embeddings": True},
    {"architecture": "encoder-decoder", "positions": "rotary", "attention_bias": False},
    *({"architecture": "decoder-only", **MODERN[name]} for name in ("grouped-query", "mixture", "latent-rotary")),
    {"architecture": "encoder-only", **MODERN["limits"]},
]


@pytest.mark.parametrize("model", MODELS, ids=called)
def test_what_a_cell_did_not_read_does_not_matter_and_what_it_read_does(model: dict[str, Any]):
    walk = padded(**model)
    tensors = tensors_of(walk)
    matters: dict[tuple[str, str], bool] = {}
    for step in walk.steps:
        for index in some_cells(step.value.shape, 8):
            found = walk.cell(step.name, index)
            assert len(found.reads) == len({*found.reads})
            for name in bind(step.document.cell, step.operation).values():
                read = inside(found, name, tensors[name].shape)
                spoilt = torch.where(read, tensors[name], unusable(tensors[name]))
                same = cell_from(walk, step, index, tensors | {name: spoilt})
                assert (same.value, same.reads) == (found.value, found.reads), f"{step.name} {index}: {name}"
                turned = tensors[name].roll(1, -1) if tensors[name].dim() else -tensors[name]
                changes = [others(tensors[name]), turned, torch.zeros_like(tensors[name])]
                if step.name == "loss":
                    changes.pop()  # no label to score: there is no such input
                for change in changes:
                    changed = tensors | {name: torch.where(read, change, tensors[name])}
                    here = cell_from(walk, step, index, changed).value != found.value
                    matters[step.name, name] = matters.get((step.name, name), False) or here
    assert [pair for pair, ever in matters.items() if not ever] == []


ALWAYS = {"query_projection", "key_projection", "value_projection", "rotated_query", "rotated_key"}
ALWAYS |= {"hidden", "scores", "logits", "normalized", "heads"}


@pytest.mark.parametrize("model", MODELS, ids=called)
def test_every_single_number_of_a_linear_cell_matters(model: dict[str, Any]):
    """Nothing lights up in vain: not one number of what was read could be left out."""
    walk = padded(0, **model)
    tensors = tensors_of(walk)
    for step in walk.steps:
        if step.operation.tap not in ALWAYS:
            continue
        index = tuple(size - 1 for size in step.value.shape)  # the last query sees all keys
        found = walk.cell(step.name, index)
        for name in bind(step.document.cell, step.operation).values():
            for cell_read in inside(found, name, tensors[name].shape).nonzero():
                changed = tensors[name].detach().clone()
                changed[tuple(cell_read)] += 0.5
                assert cell_from(walk, step, index, tensors | {name: changed}).value != found.value


@pytest.mark.parametrize("model", MODELS, ids=called)
def test_the_model_computes_the_same_from_any_other_numbers(model: dict[str, Any]):
    """Each tap by itself, on numbers that no pass would bring: masks turned round, unrelated queries and keys."""
    walk = padded(**model)
    tensors = tensors_of(walk)
    changed = tensors | {step.name: others(step.value, at) for at, step in enumerate(walk.steps)}
    made: dict[str, Tensor] = {}

    def swap(name: str) -> Callable[[Tensor], Tensor]:
        def change(value: Tensor) -> Tensor:
            made[name] = value
            return changed[name]

        return change

    with torch.no_grad(), intervene(walk.model, {step.name: swap(step.name) for step in walk.steps}) as instance:
        instance(*walk.batch)
    for step in walk.steps:
        scale = largest(made[step.name])
        for index in some_cells(step.value.shape, examples(8)):
            if not step.document.cell.given:
                value = cell_from(walk, step, index, changed).value
                assert agrees(value, float(made[step.name][index]), scale), f"{step.name} {index}"


# --- how a cell is written ------------------------------------------------------------------------


def read(latex: str) -> str:
    """An expression as plain text."""
    return "".join(ElementTree.fromstring(mathml(latex)).itertext())


def assert_typesets(latex: str) -> None:
    """The library reads all of it: no command is left as text, and no value of Python."""
    words = {element.text or "" for element in ElementTree.fromstring(mathml(latex)).iter()}
    assert not [word for word in words if "\\" in word or re.fullmatch(r"nan|inf|None|True|False", word)], latex


@pytest.mark.parametrize("model", EVERY, ids=called)
def test_every_expression_typesets_and_ends_in_its_value(model: dict[str, Any]):
    walk = padded(**model)
    for step in walk.steps:
        for index in some_cells(step.value.shape, 4):
            found = walk.cell(step.name, index)
            names = [line.name for line in found.lines]
            assert names[-1] == ""
            assert names[:-1] == [name for name in step.document.cell.formula.lines if name in names]
            assert found.lines[-1].value == found.value
            for line in found.lines:
                assert_typesets(line.symbolic)
                assert_typesets(line.numbers)
                ends = number(int(line.value) if line.value.is_integer() else line.value, 4)
                assert read(line.numbers).endswith(read(ends)) or line.value.is_integer()
                assert len(line.numbers) < 3000
                for term in line.terms:
                    assert math.isfinite(term.value) or step.operation.tap == "weights"


@pytest.mark.parametrize("model", MODELS, ids=called)
def test_terms_are_all_of_the_sum_in_order(model: dict[str, Any]):
    walk = padded(0, **model)
    sums = 0
    for step in walk.steps:
        for index in some_cells(step.value.shape, 4):
            for line in walk.cell(step.name, index).lines:
                values = [term.value for term in line.terms]
                assert bool(line.over) == bool(values)
                assert [term.at for term in line.terms] == sorted({term.at for term in line.terms})
                if line.name == "largest":
                    assert line.value == max(values)
                elif line.name in ("mean", "variance"):
                    assert line.value == pytest.approx(sum(values) / len(values))
                elif line.name == "total" or step.operation.tap in ("scores", "heads"):
                    assert line.value == pytest.approx(sum(values))
                    sums += 1
                if step.operation.tap in ("scores", "heads", "hidden", "logits"):
                    assert all(math.prod(term.factors) == term.value for term in line.terms)
    assert sums > 10


def made_from(text: str, index: tuple[int, ...] = (), **tensors: Any) -> Cell:
    """A cell of a declaration by itself, over tensors whose axes are called a, c, e … as far as they have them."""
    arrays = {name: torch.tensor(values) for name, values in tensors.items()}
    inputs = " ".join(f"{name}[{', '.join('ace'[: array.ndim])}]" for name, array in arrays.items())
    declaration = Declaration(text, inputs=inputs)
    value = torch.zeros(tuple(position + 1 for position in index))
    operation = Operation("here", "Here", value, tuple(arrays), (), Statement("", 0, "", ""))
    return cell(declaration, operation, index, tiny("encoder-only").config.model, arrays.__getitem__, lambda _: ())


def test_a_dot_product_in_full():
    found = made_from(
        "y[c] = sum(query[a] * key[a, c] for a in A)",
        (1,),
        query=[0.5, -2.0, 4.0],
        key=[[9.0, 3.0], [9.0, -0.25], [9.0, 0.125]],
    )
    assert found.value == 2.5
    assert found.reads == (ReadRegion("query", ((0, 3),)), ReadRegion("key", ((0, 3), (1, 2))))
    (line,) = found.lines
    assert line.over == "a"
    assert line.terms == (Term((0.5, 3.0), 1.5, 1), Term((-2.0, -0.25), 0.5, 2), Term((4.0, 0.125), 0.5, 3))
    assert read(line.symbolic) == "y2=∑aquerya·keya,2"
    assert read(line.numbers) == "0.500·3.000+(−2.000)·(−0.250)+4.000·0.125=2.5000"


@pytest.mark.parametrize(
    ("x", "written"),
    [
        ([0.5, 3.0], "0.500·3.000=1.5000"),
        ([1.3146, 1.4002], "1.315·1.400≈1.8407"),
        ([1 / 3, 3.0], "0.333·3.000≈1.0000"),
        ([0.123, 0.4567], "0.123·0.457≈0.0562"),
    ],
)
def test_a_rounded_product_is_not_called_equal(x: list[float], written: str):
    assert read(made_from("y = x[1] * x[2]", x=x).lines[-1].numbers) == written


def test_a_long_sum_is_cut_in_the_middle_and_its_terms_are_not():
    (line,) = made_from("y = sum(x[a] for a in A)", x=[float(at) - 1 for at in range(9)]).lines
    assert read(line.numbers) == "−1.000+0+…+7.000=27.0000"
    assert [term.value for term in line.terms] == [-1, 0, 1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("y = sum(x[a] for a in A)", "−1.000+(−2.000)=−3.0000"),
        ("y = sum(x[a] - 1 for a in A)", "(−1.000−1)+(−2.000−1)=−5.0000"),
        ("y = 1 - (x[1] - x[2])", "1−(−1.000−(−2.000))=0"),
        ("y = x[1] * x[2] ** 2", "(−1.000)·(−2.000)2=−4.0000"),
        ("y = -(x[1] + x[2]) * 2", "3.000·2=6.0000"),
    ],
)
def test_parentheses_stand_where_they_are_needed(text: str, written: str):
    assert read(made_from(text, x=[-1.0, -2.0]).lines[-1].numbers) == written


SOFTMAX = """
largest = max(x[a] for a in A)
total = sum(exp(x[a] - largest) for a in A)
y[c] = exp(x[c] - largest) / total
"""


@pytest.mark.parametrize(("position", "share"), [(0, 1 / 4), (1, 3 / 4), (2, 0)])
def test_softmax_in_closed_form(position: int, share: float):
    found = made_from(SOFTMAX, (position,), x=[0.0, math.log(3), -math.inf])
    assert found.value == pytest.approx(share, abs=1e-7)
    assert [line.name for line in found.lines] == ["largest", "total", ""]
    assert [line.value for line in found.lines][:2] == pytest.approx([math.log(3), 4 / 3])
    assert found.reads == (ReadRegion("x", ((0, 3),)),)
    assert read(found.lines[0].numbers) == "max(0,1.099,−∞)≈1.0986"


def test_layer_norm_in_closed_form():
    text = """mean = mean(x[a] for a in A)
    variance = mean((x[a] - mean) ** 2 for a in A)
    y[c] = (x[c] - mean) / sqrt(variance + eps)"""
    found = made_from(text, (0,), x=[1.0, 3.0])
    assert [line.value for line in found.lines] == pytest.approx([2, 1, -1], rel=1e-4)
    assert read(found.lines[1].symbolic) == "σ2=1A∑a(xa−μ)2"
    assert read(found.lines[1].numbers) == "(1.000−2.000)2+(3.000−2.000)22=1.0000"


def test_layer_norm_of_nearly_equal_numbers_has_the_epsilon_of_torch():
    walk = padded(architecture="encoder-only")
    step = next(step for step in walk.steps if step.operation.tap == "normalized")
    (name,) = step.operation.inputs
    flat = 1 + 1e-3 * walk.steps[-1].value.new_tensor(range(18)).expand(1, 4, 18)
    norm = walk.model.get_submodule(step.operation.parameters[0].removesuffix(".weight"))
    expected = norm(flat).detach()
    for index in some_cells(expected.shape, 10):
        value = cell_from(walk, step, index, tensors_of(walk) | {name: flat}).value
        assert agrees(value, float(expected[index]), 10 * largest(expected)), "the same up to rounding"


@pytest.mark.parametrize(("x", "value"), [(0.0, 0.0), (1.0, 0.8413447), (-1.0, -0.1586553), (30.0, 30.0)])
def test_gelu_in_closed_form(x: float, value: float):
    assert made_from("y[a] = x[a] * Phi(x[a])", (0,), x=[x]).value == pytest.approx(value, abs=1e-6)


def test_cross_entropy_in_closed_form_leaves_out_what_is_not_asked_for():
    found = made_from(
        "y = sum(logsumexp(x[a, c] for c in C) - x[a, label[a]] for a in A if label[a] != PAD)",
        x=[[0.0, 0.0], [5.0, 7.0], [math.log(3), 0.0]],  # the axis c counts from 1, and so do the labels here
        label=[2, 0, 2],
    )
    assert found.value == pytest.approx(math.log(2) + math.log(4))
    assert set(found.reads) == {
        ReadRegion("x", ((0, 1), (0, 2))),
        ReadRegion("x", ((2, 3), (0, 2))),
        ReadRegion("label", ((0, 3),)),
    }
    assert [term.at for term in found.lines[-1].terms] == [1, 3]


def test_an_empty_sum_is_zero():
    found = made_from("y = sum(x[a] for a in A if x[a] > 5)", x=[1.0, 2.0])
    assert (found.value, found.lines[-1].terms, read(found.lines[-1].numbers)) == (0.0, (), "0")


def test_only_the_side_that_is_taken_is_read():
    text = "y[a] = x[a] if mask[a] else other[a]"
    tensors = {"x": [1.0, 2.0], "mask": [True, False], "other": [3.0, 4.0]}
    one, two = (made_from(text, (position,), **tensors) for position in range(2))
    assert (one.value, two.value) == (1.0, 4.0)
    assert {read.tensor for read in one.reads} == {"x", "mask"}
    assert {read.tensor for read in two.reads} == {"other", "mask"}
    assert read(two.lines[0].symbolic) == "y2=other2asmask2=0"


def test_looked_up_cells_are_read_one_by_one():
    found = made_from("y = sum(x[a, label[a]] for a in A)", x=[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], label=[1, 2, 1])
    assert found.value == 10
    assert [each.region for each in found.reads if each.tensor == "x"] == [
        ((0, 1), (0, 1)),
        ((1, 2), (1, 2)),
        ((2, 3), (0, 1)),
    ]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0, "0"),
        (7, "7"),
        (-3, "−3"),
        (0.0, "0"),
        (0.834, "0.834"),
        (-0.2, "−0.200"),
        (0.01234, "0.0123"),
        (0.001234, "0.0012"),
        (-12.345, "−12.35"),
        (0.00001234, "1.2·10−5"),
        (-1234567.0, "−1.2·106"),
        (-math.inf, "−∞"),
    ],
)
def test_numbers_are_short_and_have_a_real_minus_sign(value: float, written: str):
    assert read(number(value)) == written


@pytest.mark.parametrize(
    ("value", "written"), [(117.03125, "117.0312"), (-0.9962, "−0.9962"), (0.00001234, "1.2340·10−5")]
)
def test_a_result_has_the_digits_of_its_cell(value: float, written: str):
    assert read(number(value, 4)) == written


def test_indices_count_from_one_and_token_ids_from_zero():
    walk = padded(0, architecture="encoder-only")
    name = "encoder.layers.0.self_attention"
    query = walk.cell(f"{name}.attention.query", (0, 2, 1, 4))
    assert [read(line.symbolic) for line in query.lines] == ["column=(3−1)·dk+5", "Q3,2,5=Q2,17"]
    assert read(query.lines[0].numbers) == "(3−1)·6+5=17"
    concat = walk.cell(f"{name}.concat", (0, 1, 16))
    assert [read(line.symbolic) for line in concat.lines] == [
        "h=⌊(17−1)/dk⌋+1",
        "k=(17−1)moddk+1",
        "concat2,17=head3,2,5",
    ]
    projection = walk.cell(f"{name}.query_projection", (0, 1, 16))
    embedding = walk.cell("encoder.embeddings.token_embedding", (0, 1, 16))
    assert [line.value for line in embedding.lines][:-1] == []
    assert read(embedding.lines[0].symbolic) == "emb2,17=D·Eid2,17"
    assert read(walk.cell("logits", (0, 1, 5)).lines[0].symbolic) == "z2,5=∑jx2,j·Wj,5+b5", "id 5"
    assert read(projection.lines[0].symbolic) == "Q2,17=∑jX2,j·Wj,17Q+b17Q", "W as the paper's x W has it"


@pytest.mark.parametrize(
    ("activation", "x", "y"), [("relu", -0.4, 0.0), ("gelu", 1.0, 0.8413447), ("swiglu", 1.0, 0.7310586)]
)
def test_a_cell_names_the_point_on_the_activation_function(activation: str, x: float, y: float):
    walk = padded(architecture="encoder-only", activation=activation)
    (step,) = (step for step in walk.steps if step.operation.tap == "activation")
    (name,) = step.operation.inputs
    found = cell_from(walk, step, (0, 1, 2), tensors_of(walk) | {name: torch.full((1, 4, 10), x)})
    assert found.curve == (activation.replace("swiglu", "swish"), pytest.approx(x))
    assert found.value == pytest.approx(y, abs=1e-6)
    assert walk.cell("logits", (0, 0, 0)).curve is None


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x[a]",
        "y = ",
        "y = x[a] = x[a]",
        "y[a] += x[a]",
        "import os",
        "y[a] = other[a]",
        "y[a] = x[a, a]",
        "y[a] = x[a].real",
        "y[a] = x[a] + z",
        "y[a] = eval(x[a])",
        "y[a] = __import__('os')",
        "y[a] = exp.__class__(x[a])",
        "y[a] = exp(x[a], x[a])",
        "y[a] = exp(x=x[a])",
        "y[a] = max(x[a], key=x)",
        "y[a] = 'text' * x[a]",
        "y[a] = True * x[a]",
        "y[a] = 1j * x[a]",
        "y[a] = x[a] @ x[a]",
        "y[a] = ~x[a]",
        "y[a] = x[a] or 1",
        "y[a] = 0 < x[a] < 1",
        "y[a] = x[a] is 1",
        "y[a] = [x[a]]",
        "y[a] = [x[c] for c in A]",
        "y[a] = (lambda: x[a])()",
        "y[a] = (z := x[a])",
        "y[a] = x[a:2]",
        "y[a] = x",
        "y[a] = sum(x[c] for c in x)",
        "y[a] = sum(x[a] for a in A)",
        "y = sum(x[a] for a, c in A)",
        "y = sum(x[a] for a in A for c in A)",
        "y = sum(x[a] for a in A if x[a] if x[a])",
        "y = sum(x[a] for a in Z)",
        "y = sum(x[a] if x[a] else 0 for a in A)",
        "y = sum(sum(x[c] for c in A if x[c]) for a in A)",
        "y = total * x[0]",
        "y = 1",
        "total[a] = x[a]\ny = 1",
        "total = x[0]\ntotal = x[0]\ny = total",
        "y[aa] = x[aa]",
        "y[A] = x[A]",
        "y.z = x[0]",
    ],
)
def test_what_is_not_in_the_notation_is_refused_in_one_sentence(text: str):
    with pytest.raises(NotationError) as caught:
        Declaration(text, inputs="x[a]")
    assert "\n\n" not in str(caught.value)


def test_a_cell_that_is_not_there_is_refused():
    walk = padded(architecture="encoder-only")
    with pytest.raises(KeyError):
        walk.cell("encoder.surprise", (0,))
    for index in [(), (0, 0), (0, 0, 0, 0), (0, 4, 0), (1, 0, 0), (0, -1, 0)]:
        with pytest.raises(IndexError, match=r"^encoder\.output "):
            walk.cell("encoder.output", index)


def test_an_index_that_is_looked_up_must_lie_in_its_tensor():
    for position in (0, 3):
        with pytest.raises(IndexError):
            made_from("y = x[at[1]]", x=[1.0, 2.0], at=[position])


def test_what_took_part_without_being_declared_is_noticed():
    walk = padded(architecture="encoder-only")
    step = next(step for step in walk.steps if step.operation.tap == "scores")
    for inputs in [(), step.operation.inputs[:1], (*step.operation.inputs, "encoder.tokens")]:
        with pytest.raises(ValueError, match="was made from"):
            bind(step.document.cell, replace(step.operation, inputs=inputs))
    logits = walk.steps[-4]
    assert logits.name == "logits"
    with pytest.raises(ValueError, match="was made from"):
        bind(logits.document.cell, replace(logits.operation, parameters=("head.weight",)))


# --- as plain data --------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS, ids=called)
def test_the_json_tells_the_declarations_that_cells_are_worked_out_from(model: dict[str, Any]):
    walk = padded(**model)
    for step, written in zip(walk.steps, json.loads(json.dumps(as_json(walk)))["steps"], strict=True):
        declaration = written["declaration"]
        assert declaration["cell"].split() == list(step.document.cell.formula.cell)
        assert declaration["where"] == bind(step.document.cell, step.operation)
        again = replace(step.document.cell, text="\n".join(declaration["lines"]))
        for index in some_cells(step.value.shape, 3):
            found = cell_from(walk, replace(step, document=replace(step.document, cell=again)), index, tensors_of(walk))
            assert found == walk.cell(step.name, index)
