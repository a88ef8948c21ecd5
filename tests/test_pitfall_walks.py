"""Step through opens every operation of a model with a mistake; during a bug hunt without its code."""

import math
from functools import cache
from itertools import product

import pytest

from playground.explain.findings import finding
from playground.explain.inspection import Walk
from playground.lessons.mistakes.table import PITFALLS
from playground.training import Training
from playground.ui.passes import statement, tensors
from playground.ui.passes.cell import cell_route
from playground.ui.server.refusal import Refused
from playground.ui.session import walks

IN_TRAINING = [name for name, each in PITFALLS.items() if issubclass(each.mistake, Training)]


@cache
def walk_of(name: str, *, hides_code: bool = False) -> Walk:
    model = PITFALLS[name].model(PITFALLS[name].config(1)).eval()
    return walks.walk_of(walks.ModelSource("run", (name,), model, hides_code), "1 2 3 4 5 0")


@pytest.mark.parametrize("name", PITFALLS)
def test_every_operation_can_be_shown(name: str):
    walk = walk_of(name)
    gradients = walk.gradients()
    for step in walk.steps:
        assert isinstance(finding(walk, step), str)
        if step.name in gradients:
            assert isinstance(finding(walk, step, gradient=True), str)
        look, problem = tensors.fitted(walk, step, tensors.Look())
        assert tensors.heatmaps(walk, step, look)
        assert not problem
        assert statement.shown(step.operation.source)["html"]


@pytest.mark.parametrize("name", PITFALLS)
def test_a_cell_is_computed_or_refused_with_a_sentence(name: str):
    walk = walk_of(name)
    refused = []
    gradients = walk.gradients()
    for step, gradient in product(walk.steps, (False, True)):
        index = tuple(min(1, size - 1) for size in step.value.shape)
        if gradient and step.name not in gradients:
            continue
        try:
            assert cell_route._encoded(walk, step.name, index, gradient)
        except Refused as refusal:
            refused.append(refusal.detail)
    assert set(refused) <= {"This model doesn't compute this number as the formula says."}
    assert len(refused) <= 12


@pytest.mark.parametrize("name", PITFALLS)
def test_the_operation_that_shows_it_is_one_of_the_model(name: str):
    assert PITFALLS[name].operation in {step.name for step in walk_of(name).steps}


@pytest.mark.parametrize("name", PITFALLS)
def test_the_code_of_a_hunt_is_hidden(name: str):
    walk = walk_of(name, hides_code=True)
    for step in walk.steps:
        shown = statement.shown(step.operation.source)
        assert "hidden during a bug hunt" in shown["html"]
        assert (shown["where"], shown["function"]) == ("", "")
    assert walk is not walk_of(name)
    assert walk_of(name).steps[0].operation.source.file


@pytest.mark.parametrize("name", [name for name in PITFALLS if name not in IN_TRAINING])
def test_a_mistake_in_the_model_is_seen_at_the_documented_operation(name: str):
    """The right formula gives another number there, or the operation reads other tensors than it should."""
    if name in ("no-residual", "norm-after-sublayer", "dropout-in-evaluation", "router-without-balance"):
        pytest.skip("seen by the order of operations, by chance, or in training")
    walk, at = walk_of(name), PITFALLS[name].operation
    value = walk[at].value
    for index in [(0,) * value.dim(), *map(tuple, (value != value.flatten()[0]).nonzero()[:40].tolist())]:
        try:
            computed = walk.cell(at, tuple(index)).value
        except ValueError:
            return
        recorded = float(value[tuple(index)])
        if computed != recorded and not math.isclose(computed, recorded, rel_tol=1e-3, abs_tol=1e-4):
            return
    pytest.fail("every number is as the formula says")
