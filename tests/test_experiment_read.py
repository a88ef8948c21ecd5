"""The Logits view of the Experiment page: every number on it is the core's, for all architectures."""

import re

import pytest

from playground.common.numbers import percent
from playground.interpret.contributions import contributions, residual_norms
from playground.interpret.lens import lens
from playground.tasks import PAD, token_names
from playground.ui.experiment.logits_view import norm_matrices
from playground.ui.session import sources
from tests.helpers import ARCHITECTURES, messages, small_model, written
from tests.pages import fine, host, last_walk, new_tab, text  # noqa: F401

WAYS = [
    *({"architecture": each} for each in ARCHITECTURES),
    {"architecture": "decoder-only", "norm_position": "post", "n_layers": 2},
    {"architecture": "encoder-decoder", "residual": False, "layer_norm": False, "bias": False},
]


@pytest.fixture(params=WAYS, ids=lambda way: "-".join(map(str, way.values())))
def opened(request, host):  # noqa: F811
    """Opens the page with a small model."""
    sources.library_of("").save("small", small_model(**request.param), [])
    return lambda **words: new_tab("experiment.py", **{"view": "read", "model": "small", "input": "3 1 4 1 5"} | words)


def tables(app) -> list[str]:
    return re.findall(r"<table.*?</table>", written(app), re.DOTALL)


def test_the_lens_has_each_depth_and_ends_with_the_prediction_of_the_pass(opened):
    shown = tables(opened())[0]
    walk = last_walk()
    seen = lens(walk.model, walk.batch)
    rows = re.findall(r"<tr>.*?</tr>", shown)
    assert len(rows) == 1 + len(seen.depths)
    names, right = token_names(walk.model.config.task), seen.right.tolist()
    asked = (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()
    for row, depth in zip(rows[1:], reversed(range(len(seen.depths))), strict=True):
        expected = [
            names[seen.top[depth, at]]
            + (percent(float(seen.right_probability[depth, at])) if right[at] != PAD else "–")
            for at in asked
        ]
        assert text(row).endswith("".join(expected))
    assert [names[token] for token in walk.predicted] == [names[seen.top[-1, at]] for at in asked]


@pytest.mark.parametrize(("position", "token"), [(1, None), (3, 6)])
def test_contributions_add_up_to_the_logit_of_the_pass(opened, position, token):
    app = opened(position=str(position), **({} if token is None else {"token": str(token)}))
    walk = last_walk()
    at = (walk.batch.labels[0] != PAD).nonzero()[:, 0].tolist()[position - 1]
    chosen = walk.predicted[position - 1] if token is None else token
    found = contributions(walk.model, walk.batch, at, chosen)
    rows = [text(row) for row in re.findall(r"<tr>.*?</tr>", tables(app)[1])][1:]
    numbers = [float(re.search(r"[+-]\d+\.\d{4}$", row)[0]) for row in rows]
    assert numbers[:-2] == pytest.approx([term.value for term in found.terms], abs=6e-5)
    assert numbers[-1] == pytest.approx(float(walk["logits"].value[0, at, chosen]), abs=6e-5)
    assert numbers[-2] == pytest.approx(numbers[-1], abs=1e-3)
    assert sum(numbers[:-2]) == pytest.approx(numbers[-2], abs=len(numbers) * 6e-5)


def test_norms_are_those_of_all_stacks(opened):
    assert "Equal norms have the same colour." in written(opened())
    walk = last_walk()
    found = residual_norms(walk.model, walk.batch)
    matrices = norm_matrices(walk)
    assert sum(len(each.rows) for each in matrices) == len(found)
    assert [row for each in matrices for row in each.values.tolist()] == [norms.tolist() for norms in found.values()]
    for each in matrices:
        assert all(len(name) <= 17 for name in each.rows)
        assert each.values.shape == (len(each.rows), len(each.columns))


@pytest.mark.parametrize("words", [{"position": "99"}, {"position": "0"}, {"token": "999999"}, {"token": "x"}])
def test_a_link_to_a_logit_that_is_not_there_shows_the_usual_one(opened, words):
    usual = tables(fine(opened()))[1]
    app = opened(**words)
    assert not messages(app, "wrong")
    assert tables(app)[1] == usual
