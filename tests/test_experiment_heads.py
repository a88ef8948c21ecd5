"""The view of heads: its numbers are those of the pass, a link restores it, and what a link says is checked."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from playground.interpret.heads import average_grids, grids, pair
from playground.model.head_paths import Head
from playground.training import roles
from playground.ui.experiment.heads_view import scaling
from playground.ui.session.services import services
from tests.helpers import until, written
from tests.pages import fine, host, last_walk, link_to, text
from tests.test_heatmap import decode

__all__ = ["host"]  # a fixture that acts by itself

MODEL = "reverse-1-16"
CROSS = "decoder.layers.0.cross_attention"


def opened(**query: str):
    return link_to("experiment.py", view="heads", model=MODEL, **query)


def maps(app):
    """What the page sends of the heatmaps: the header, and values by the path of the attention."""
    (drawn,) = (each.proto for each in app.get("bidi_component") if each.proto.component_name == "playground_maps")
    header, arrays = decode(drawn.bytes)
    return header, {tensor["name"]: each["values"] for tensor, each in zip(header["tensors"], arrays, strict=True)}


def measured(app):
    """The page once nothing is being measured."""
    until(lambda: all(job.done for job in [*services().measurements._jobs.values()]))
    return fine(app.run())


def test_all_heads_of_all_layers_are_on_the_page_with_their_tokens():
    app = opened(input="3 1 4 1 5")
    header, values = maps(app)
    walk = last_walk()
    found = grids(walk.values, walk.model.config.model)
    assert [each["title"] for each in header["tensors"]] == [
        *("Encoder self-attention, layer 1", "Decoder self-attention, layer 1", "Cross-attention, layer 1")
    ]
    for grid in found:
        for path, weights in zip(grid.attentions, grid.weights, strict=True):
            np.testing.assert_array_equal(values[path], weights.numpy())
    assert header["labels"]["S"]["names"] == walk.tokens["S"]
    assert [(each["rows"]["labels"], each["columns"]["labels"]) for each in header["tensors"]] == [
        *(("S", "S"), ("T", "T"), ("T", "S"))
    ]
    assert header["tensors"][1]["hidden"] == 1


def test_one_kind_may_be_shown_alone_and_an_unknown_one_is_not():
    header, _ = maps(opened(kind="cross-attention"))
    assert [each["title"] for each in header["tensors"]] == ["Cross-attention, layer 1"]
    assert len(maps(opened(kind="other"))[0]["tensors"]) == 3


def test_an_average_is_that_of_the_held_out_inputs_of_this_length():
    app = measured(opened(average="3"))
    *_, (count, _, expected) = average_grids(last_walk().model, 3)
    header, values = maps(app)
    for grid in expected:
        for path, weights in zip(grid.attentions, grid.weights, strict=True):
            np.testing.assert_allclose(values[path], weights.numpy(), atol=1e-6)
    assert f"{count:,} held-out inputs of length 3" in text(written(app))
    assert header["labels"] == {}
    assert not header["chooses"]


def test_a_length_that_no_held_out_input_has_falls_back_to_the_input():
    app = opened(average="99")
    assert "No held-out input has length 99. Your input is shown." in text(written(app))
    assert maps(app)[0]["labels"]


def test_roles_stand_below_each_head_with_how_they_were_computed():
    app = measured(opened(roles="True"))
    header, _ = maps(app)
    *_, (_, count, scores) = roles.measure_roles(last_walk().model)
    for tensor, notes in zip(header["tensors"], header["notes"], strict=True):
        for number, note in enumerate(notes):
            found = roles.role(scores[Head(tensor["name"], number)])
            if found:
                assert note["text"] == f"{roles.ROLES[found.role].words}: {found.weight:.2f}"
                assert note["help"] == roles.how(found, count)
            else:
                assert note["text"] == "no role"
    assert any(note["text"].startswith("the mirror position") for note in header["notes"][2])


def test_a_pair_unfolds_into_products_that_sum_to_the_score():
    app = opened(input="3 1 4 1 5", pair=f"{CROSS}.head.2.0.4")
    assert maps(app)[0]["chosen"] == [2, 2, 0, 4]
    walk = last_walk()
    found = pair(walk.values, Head(CROSS, 2), 0, 4)
    query, key = (walk[f"{CROSS}.attention.{tap}"].value[0, 2] for tap in ("query", "key"))
    assert found.score == pytest.approx(float(query[0] @ key[4]), abs=1e-4)
    assert torch.equal(found.terms, query[0] * key[4])
    page = text(written(app))
    assert "Query “BOS” (T 1), key “5” (S 5): head 3 of the cross-attention in layer 1" in page
    assert f"The score {found.score:.4f} is the sum of" in page
    assert f"sum{found.score:.4f}" in page.replace("\n", "")
    assert f"Before softmax it becomes {found.score / 4:.4f}, divided by √16." in page
    assert scaling(replace(found, scaled_score=found.score)) == f" Before softmax it becomes {found.score:.4f}."
    assert app.query_params["pair"] == f"{CROSS}.head.2.0.4"


@pytest.mark.parametrize(
    ("pair_text", "problem"),
    [
        ("nothing", "This model has no head, query and key “nothing”. Click a cell."),
        (f"{CROSS}.head.0.1", "has no head, query and key"),
        (f"{CROSS}.head.0.1.-1", "has no head, query and key"),
        ("decoder.layers.7.cross_attention.head.0.0.0", "has no head, query and key"),
        (f"{CROSS}.head.4.0.0", "The chosen pair doesn't exist."),
        (f"{CROSS}.head.0.0.99", "The chosen pair doesn't exist."),
    ],
)
def test_a_link_to_no_pair_says_so(pair_text, problem):
    page = text(written(opened(pair=pair_text)))
    assert problem in page
    assert "is the sum of" not in page
