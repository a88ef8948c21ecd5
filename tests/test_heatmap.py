"""The tensors on their way to the browser: what Python checks and packs. What is drawn is tested in a browser."""

import json

import numpy as np
import pytest

from playground.ui.parts.heatmaps.folding import Span
from playground.ui.parts.heatmaps.heatmap import Heatmap, Side, message, pack


def whole(size: int) -> Span:
    return Span(0, size, size)


def heatmap(values, name: str = "scores", **changes) -> Heatmap:
    array = np.asarray(values)
    array = array if array.ndim == 3 else array[None]
    heads, rows, columns = array.shape
    fields = {
        "axes": ("", "head", "row", "column"),
        "heads": whole(heads),
        "rows": Side("T", whole(rows), "T"),
        "columns": Side("S", whole(columns)),
    }
    return Heatmap(name, name.title(), array, **{**fields, **changes})


def decode(data: bytes) -> tuple[dict, list[dict[str, np.ndarray]]]:
    """What tensors.ts does, in Python."""
    size = int.from_bytes(data[:4], "little")
    header = json.loads(data[4 : 4 + size])
    offset, found = 4 + size, []
    for each in header["tensors"]:
        cells = each["rows"]["count"], each["columns"]["count"]
        heads = each["heads"]["count"] if each["heads"] else 1
        parts = [("values", "<u1" if each["kind"] == "mask" else "<f4", heads)]
        parts += [("gradient", "<f4", heads)] * each["gradient"] + [("hidden", "<u1", each["hidden"])] * bool(
            each["hidden"]
        )
        arrays = {}
        for part, kind, count in parts:
            assert offset % 4 == 0, "the browser refuses a view of floats that is not aligned"
            arrays[part] = np.frombuffer(data, kind, count * cells[0] * cells[1], offset).reshape(count, *cells)
            offset += -(-arrays[part].nbytes // 4) * 4
        found.append(arrays)
    assert offset == len(data)
    return header, found


def sent(*shown: Heatmap, labels=None, **more) -> tuple[dict, list[dict[str, np.ndarray]]]:
    return decode(message(pack(shown, labels or {}), more))


def test_a_message_holds_all_there_is():
    scores = np.array([[[0.5, -np.inf, -np.inf], [-3.25, 1e-7, 2.0]]] * 2)
    mask = np.tril(np.ones((5, 7), bool))
    slopes = np.arange(12.0).reshape(2, 2, 3)
    hidden = np.array([[[0, 1, 3], [0, 0, 0]]], np.int8)
    shown = [
        heatmap(scores, gradient=slopes, hidden=hidden, output=True, marked=1, role=("A", "#8a4fe0")),
        heatmap(mask, "mask", kind="mask", heads=None, axes=("", "", "row", "column")),
    ]
    header, arrays = sent(*shown, labels={"T": (0, ["BOS", "↵ ü"])}, walk="w")

    np.testing.assert_array_equal(arrays[0]["values"], scores.astype(np.float32))
    np.testing.assert_array_equal(arrays[0]["gradient"], slopes)
    np.testing.assert_array_equal(arrays[0]["hidden"], hidden)
    np.testing.assert_array_equal(arrays[1]["values"], mask[None])
    assert header["walk"] == "w"
    assert header["labels"] == {"T": {"first": 0, "names": ["BOS", "↵ ü"]}}
    first, second = header["tensors"]
    assert first["axes"] == [0, 1, 2, 3]
    assert first["heads"] == {"axis": "H", "first": 0, "count": 2, "size": 2}
    assert first["rows"] == {"axis": "T", "labels": "T", "first": 0, "count": 2, "size": 2}
    assert (first["output"], first["marked"], first["role"]) == (True, 1, ["A", "#8a4fe0"])
    assert second["axes"] == [0, 0, 2, 3]
    assert second["heads"] is None
    assert (first["whole"], second["whole"]) == (False, True)


def test_memory_order_does_not_matter():
    values = np.arange(6.0).reshape(2, 3)
    for same in (np.asfortranarray(values), values.T.copy().T, np.repeat(values, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(sent(heatmap(same))[1][0]["values"][0], values)


def test_long_names_of_tokens_are_cut():
    header, _ = sent(heatmap([[1.0]]), labels={"T": (3, ["x" * 1000])})
    assert header["labels"]["T"] == {"first": 3, "names": ["x" * 17]}


def scales(*shown: Heatmap, key: str = "scale") -> list[float]:
    return [each[key] for each in sent(*shown)[0]["tensors"]]


def test_scales_are_symmetric_and_shared_where_nothing_would_look_pale():
    low, high = heatmap([[-8.0, -np.inf]]), heatmap([[4.0]], output=True)
    assert scales(low, heatmap([[1.0]]), high) == [8, 8, 8]
    assert scales(low, heatmap([[1.0]]), heatmap([[40.0]], output=True)) == [8, 8, 40]
    assert scales(heatmap([[2.0]]), heatmap([[90]], kind="tokens"), high) == [4, 4, 4]  # token ids are no values
    assert scales(heatmap([[0.0, -0.0]])) == [1]
    assert scales(heatmap([[-np.inf]])) == [1]


def test_gradients_have_a_scale_of_their_own():
    shown = [heatmap([[8.0]], gradient=np.full((1, 1, 1), 1e-3)), heatmap([[8.0]], output=True)]
    assert scales(*shown)[0] == 8
    assert scales(*shown, key="slope")[0] == pytest.approx(1e-3)


@pytest.mark.parametrize(
    ("values", "changes", "complaint"),
    [
        ([[1.0, np.nan]], {}, r"scores: nan at \(0, 0, 1\)"),
        ([[1.0], [np.inf]], {}, r"scores: inf at \(0, 1, 0\)"),
        (
            [[1.0, 2.0]],
            {"rows": Side("T", whole(2))},
            r"scores: values of shape \(1, 1, 2\), not \(1, 2, 2\)",
        ),
        ([[1.0]], {"heads": whole(2)}, r", not \(2, 1, 1\)"),
        ([[1.0]], {"kind": "rainbow"}, "kind 'rainbow' is not one of signed, probability, mask, tokens"),
        ([["a"]], {}, "values must be a 3-D array of real numbers"),
        ([[1j]], {}, "values must be a 3-D array of real numbers"),
        (np.zeros((0, 3)), {}, r"at least one cell, not float64 of shape \(1, 0, 3\)"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(values, changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        heatmap(values, **changes)


def test_undefined_numbers_travel_where_they_are_allowed():
    header, arrays = sent(heatmap([[-2.0, np.nan]], undefined=True))
    np.testing.assert_array_equal(arrays[0]["values"][0], [[-2.0, np.nan]])
    assert header["tensors"][0]["scale"] == 2


def test_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one tensor"):
        pack([], {})
