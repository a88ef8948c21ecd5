"""What is shown of an operation: which tensors, which part of them, and never more than a message may hold."""

import itertools

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from playground.explain.inspection import Walk, walk
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.ui.parts.heatmaps.heatmap import message, pack
from playground.ui.passes.tensors import MAX_MESSAGE_BYTES, Look, cells, fitted, heatmaps, read_look
from tests.helpers import ARCHITECTURES, small_model
from tests.test_heatmap import decode

CROSS = "decoder.layers.0.cross_attention.attention."
SELF = "decoder.layers.0.self_attention.attention."


@pytest.fixture(scope="module")
def small() -> Walk:
    return walk(small_model("encoder-decoder"), "3 1 4 1", "1 4 1 3", padding=2)


def shown(looked: Walk, name: str, **look):
    return heatmaps(looked, looked[name], Look(**look))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_operation_shows_its_inputs_and_its_output(architecture):
    looked = walk(small_model(architecture), "3 1 4 1")
    for step in looked.steps:
        drawn, _ = heatmaps(looked, step, Look())
        assert {each.name for each in drawn} == {step.name, *step.operation.inputs}
        assert [each.output for each in drawn] == [False] * len(step.operation.inputs) + [True]
        for each in drawn:
            recorded = looked[each.name].value
            assert each.values.size == recorded.numel()
            np.testing.assert_array_equal(each.values.flatten(), recorded.flatten())
            # An index of the recorded tensor is found again by what its axes count.
            index = tuple(size - 1 for size in recorded.shape)
            indices = {"head": 0, "row": 0, "column": 0} | dict(zip(each.axes, index, strict=True))
            assert each.values[indices["head"], indices["row"], indices["column"]] == recorded[index]


def test_inputs_and_roles_of_scores(small):
    drawn, labels = shown(small, f"{CROSS}scores")
    assert [(each.title, each.role and each.role[0]) for each in drawn] == [
        ("Query", "Q"),
        ("Key", "K"),
        ("Scores", None),
    ]
    assert labels["S"] == (0, ["3", "1", "4", "1", "PAD", "PAD"])
    assert [each.rows.labels for each in drawn] == ["T", "S", "T"]
    assert [each.columns.labels for each in drawn] == ["", "", "S"]


def test_masks_stand_last_and_tell_what_they_hide(small):
    drawn, _ = shown(small, f"{CROSS}masked_scores")
    assert [each.title for each in drawn] == ["Scaled scores", "Encoder › padding mask", "Masked scores"]
    *_, mask, output = drawn
    assert (output.hidden[0, :, -2:] == 2).all()
    assert not output.hidden[0, :, :-2].any()
    assert (np.isneginf(output.values) == (output.hidden > 0)).all()
    np.testing.assert_array_equal(mask.hidden > 0, ~mask.values)

    drawn, _ = shown(small, "decoder.mask")
    padding, causal, both = drawn
    assert set(np.unique(causal.hidden)) == {0, 1}
    assert not padding.hidden.any()
    np.testing.assert_array_equal(both.hidden > 0, ~both.values)

    looked = walk(small_model("decoder-only"), "3 1", padding=1)
    *_, both = heatmaps(looked, looked["decoder.mask"], Look())[0]
    assert {1, 2, 3} <= set(np.unique(both.hidden)) | {3}
    np.testing.assert_array_equal(both.hidden > 0, ~both.values)


def test_heads_of_keys_have_a_letter_of_their_own():
    looked = walk(small_model("decoder-only", attention="grouped_query", n_kv_heads=1, positions="rotary"), "3 1 4")
    attention = "decoder.layers.0.self_attention"
    for name, letter in ((f"{attention}.rotated_key", "G"), (f"{attention}.attention.key", "H")):
        drawn = shown(looked, name)[0][-1]
        assert drawn.head_axis == letter
        assert cells(looked[name])[0] == f"{letter}TK"
    assert len(shown(looked, f"{attention}.rotated_key")[0][-1].values) == 1


def test_what_a_router_decides_is_drawn_as_probabilities():
    looked = walk(small_model("decoder-only", feed_forward="mixture", n_experts=3), "3 1 4")
    for tap in ("router_probabilities", "chosen", "gates", "load"):
        drawn = shown(looked, f"decoder.layers.0.feed_forward.{tap}")[0][-1]
        assert (drawn.kind, drawn.columns.axis, drawn.columns.span.size) == ("probability", "E", 3)
    assert shown(looked, "decoder.layers.0.feed_forward.router_scores")[0][-1].kind == "signed"


def test_a_window_tells_what_it_hides():
    looked = walk(small_model("decoder-only", window=2), "3 1 4")
    attention = "decoder.layers.0.self_attention.attention"
    for tap in ("window_mask", "masked_scores", "weights"):
        drawn = shown(looked, f"{attention}.{tap}")[0][-1]
        assert drawn.kind == {"window_mask": "mask", "weights": "probability"}.get(tap, "signed")
        rows, columns = drawn.hidden[0].shape
        for row, column in itertools.product(range(rows), range(columns)):
            assert drawn.hidden[0, row, column] == (column > row) + 4 * (column < row - 1)


def test_titles_tell_where_an_input_comes_from(small):
    titles = {
        name: [each.title for each in shown(small, name)[0][:-1]]
        for name in (
            "decoder.layers.0.cross_attention.key_projection",
            "encoder.layers.0.self_attention.concat",
            "logits",
        )
    }
    assert list(titles.values()) == [["Encoder › output"], ["Heads"], ["Decoder › output"]]


def test_gradients_stand_beside_what_has_one(small):
    for each in shown(small, f"{CROSS}masked_scores", gradient=True)[0]:
        assert (each.gradient is None) == (each.kind == "mask")
        if each.gradient is not None:
            np.testing.assert_array_equal(each.gradient.flatten(), small.gradients()[each.name].flatten())
    assert all(each.gradient is None for each in shown(small, f"{CROSS}masked_scores")[0])


def test_the_row_of_the_answer_is_marked_where_there_is_one(small):
    marked = {each.title: each.marked for each in shown(small, f"{CROSS}scores", marked_row=2)[0]}
    assert marked == {"Query": 2, "Key": None, "Scores": 2}
    encoder = walk(small_model("encoder-only"), "3 1 4 1")
    assert heatmaps(encoder, encoder["logits"], Look(marked_row=2))[0][-1].marked == 2


def test_heads_and_columns_fold_where_they_have_to():
    looked = largest("decoder-only")
    (query, key, scores), _ = shown(looked, f"{SELF}scores", heads=5)
    for each in (query, key, scores):
        assert (each.heads.first, each.heads.end, each.heads.size) == (5, 6, 16)
        np.testing.assert_array_equal(each.values[0], looked[each.name].value[0, 5, :, : each.values.shape[2]])
    assert (scores.columns.span.first, scores.columns.span.end) == (0, 128)
    before, hidden = shown(looked, "decoder.layers.0.feed_forward.hidden", columns=960)[0]
    assert (hidden.columns.span.first, hidden.columns.span.end, hidden.columns.span.size) == (960, 1024, 1024)
    assert (before.columns.span.first, before.columns.span.end) == (192, 256)
    recorded = looked["decoder.layers.0.feed_forward.hidden"].value
    np.testing.assert_array_equal(hidden.values[0], recorded[0, :, 960:1024])
    logits, labels = shown(looked, "logits", columns=128)
    first, names = labels["V"]
    assert first == logits[-1].columns.span.first == 128
    assert len(names) == logits[-1].columns.span.end - 128


def largest(architecture: str) -> Walk:
    config = RunConfig().updated(
        {
            "model.architecture": architecture,
            "model.d_model": 256,
            "model.n_heads": 16,
            "model.d_ff": 1024,
            "model.n_layers": 1,
            "task.vocab_size": 500,
            "task.max_length": 64,
        }
    )
    with torch.random.fork_rng():
        text = " ".join(str(i * 7 % 500) for i in range(64))
        return walk(TaskModel(config), text, text)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_message_of_the_largest_model_is_small(architecture):
    looked = largest(architecture)
    for step, gradient in itertools.product(looked.steps, (False, True)):
        look, problem = fitted(looked, step, Look(gradient=gradient))
        assert not problem
        data = message(pack(*heatmaps(looked, step, look)), {"look": vars(look)})
        assert len(data) <= MAX_MESSAGE_BYTES, step.name
        decode(data)


@pytest.mark.parametrize(
    ("look", "nearest", "message"),
    [
        (Look(cell=(1, 2, 3)), Look(cell=(1, 2, 3)), ""),
        (Look(cell=(9, 2, 3)), Look(cell=(2, 2, 3)), "Scores: its shape is (3, 5, 6), so the nearest cell is pinned."),
        (Look(cell=(2, 3)), Look(), "Scores: a cell of it is a head, a row and a column, so none is pinned."),
        (Look(head=3), Look(), "Scores: it has 3 heads, so all are shown."),
        (Look(marked_row=99), Look(marked_row=4), "Scores: the answer has 5 rows, so the nearest is marked."),
        (Look(heads=77, columns=500), Look(), ""),
        (Look(head=2, gradient=True, table=True), Look(head=2, gradient=True, table=True), ""),
    ],
)
def test_the_nearest_look_is_found_with_a_message(small, look, nearest, message):
    assert fitted(small, small[f"{CROSS}scores"], look) == (nearest, message)


def test_a_look_goes_on_to_operations_without_heads(small):
    assert fitted(small, small["logits"], Look(head=2)) == (Look(head=None), "")
    assert fitted(small, small["loss"], Look(cell=(0, 0)))[0].cell == (0, 0)
    assert fitted(small, small["decoder.tokens"], Look(cell=(0, 9)))[0].cell == (0, 4)


def test_a_cell_of_a_gradient_stays_pinned_where_its_tensor_is_shown(small):
    keys = f"{CROSS}key"
    look = Look(cell=(0, 5, 1), gradient=True, gradient_of=keys)  # an index that only the keys have
    assert fitted(small, small[keys], look) == (look, "")
    assert fitted(small, small[f"{CROSS}scores"], look) == (look, "")
    later, _ = fitted(small, small[f"{CROSS}scaled_scores"], look)
    assert (later.gradient_of, later.cell) == (f"{CROSS}scaled_scores", (0, 4, 1))
    forward, _ = fitted(small, small[keys], Look(cell=(0, 5, 1), gradient_of=keys))
    assert (forward.gradient_of, forward.cell) == ("", (0, 5, 1))
    assert fitted(small, small[keys], Look(gradient=True, gradient_of=keys))[0] == Look(gradient=True)


def test_the_fold_follows_what_is_locked_or_alone():
    looked = largest("decoder-only")
    step = looked[f"{SELF}scores"]
    assert fitted(looked, step, Look(cell=(7, 2, 128)))[0] == Look(cell=(7, 2, 128), heads=7, columns=128)
    assert fitted(looked, step, Look(head=9))[0] == Look(head=9, heads=9)


def test_what_the_browser_reports_is_read_with_care():
    before = Look(marked_row=3, gradient=True)
    sent = {"cell": [1, 2, 3], "head": 1, "heads": 4, "columns": 128, "table": True, "marked_row": 9, "gradient": False}
    assert read_look(sent, before) == Look((1, 2, 3), 1, 4, 128, 3, True, True)
    for cell in (None, "1,2", [1], [1, 2, 3, 4], [1, "2"], [1, -2], [1, 2.0], [1, True], [1, 2**40]):
        wrong = {"cell": cell, "head": "1", "heads": -1, "columns": None, "table": "yes"}
        assert read_look(wrong, before) == Look(marked_row=3, gradient=True)


def test_one_mount_shows_an_operation_and_reports_looks():
    def page():
        import streamlit as st

        from playground.ui.passes.tensors import Look, show
        from playground.ui.session import sources, walks
        from playground.ui.step.navigator import follow

        source = sources.checkpoint_source("reverse-1-16")
        looked = walks.walk_of(source, "3 1 4", None)
        step = looked["decoder.layers.0.cross_attention.attention.scores"]
        st.session_state["id"] = walks.name_of(looked)
        way = follow(step.name, [each.name for each in looked.steps], on_go=print, on_keys=print)
        show(looked, step, Look(), on_look=lambda look: st.session_state.update(look=look), on_gone=print, way=way)

    app = AppTest.from_function(page).run()
    assert not app.exception
    (mount,) = app.get("bidi_component")
    header, arrays = decode(mount.proto.bytes)
    assert header["walk"] == app.session_state["id"]
    assert header["operation"] == header["way"]["lit"] == "decoder.layers.0.cross_attention.attention.scores"
    assert len(arrays) == 3
    assert mount.proto.ByteSize() < 20_000
