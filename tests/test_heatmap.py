"""The heatmap component: what Python checks and sends. What the browser draws is tested in a browser."""

import json

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from playground.ui.heatmap import Grid, encode


def labels(count: int) -> tuple[str, ...]:
    return tuple(str(index) for index in range(count))


def grid(values, title: str = "head 1", **changes) -> Grid:
    rows, columns = np.shape(values)
    sides = {
        "row_labels": labels(rows),
        "column_labels": labels(columns),
        "row_axis": "T",
        "column_axis": "S",
    }
    return Grid(title, np.asarray(values), **{**sides, **changes})


def decode(payload: bytes) -> tuple[dict, list[np.ndarray]]:
    """What heatmap.js does, in Python."""
    size = int.from_bytes(payload[:4], "little")
    header = json.loads(payload[4 : 4 + size])
    assert (4 + size) % 4 == 0, "the browser refuses a view of floats that is not aligned"
    offset, arrays = 4 + size, []
    for part in header["grids"]:
        shape = len(part["rowLabels"]), len(part["columnLabels"])
        arrays.append(np.frombuffer(payload, "<f4", int(np.prod(shape)), offset).reshape(shape))
        offset += arrays[-1].nbytes
    assert offset == len(payload)
    return header, arrays


def test_payload_round_trip():
    scores = np.array([[0.5, -np.inf, -np.inf], [-3.25, 1e-7, 2.0]])
    mask = np.tril(np.ones((5, 7), bool))
    tokens = grid(np.array([[1, 11]]), "↵ ü", kind="tokens", column_labels=("BOS", "\n"), row_axis="")
    header, arrays = decode(encode([grid(scores), grid(mask, kind="mask"), tokens], height=300))

    for sent, got in zip((scores, mask, tokens.values), arrays, strict=True):
        np.testing.assert_array_equal(got, sent.astype(np.float32))
    assert header["height"] == 300
    assert [part["title"] for part in header["grids"]] == ["head 1", "head 1", "↵ ü"]
    assert [part["kind"] for part in header["grids"]] == ["signed", "mask", "tokens"]
    assert [part["whole"] for part in header["grids"]] == [False, True, True]
    assert header["grids"][2]["columnLabels"] == ["BOS", "\n"]
    assert (header["grids"][0]["rowAxis"], header["grids"][2]["rowAxis"]) == ("T", "")


def test_memory_order_does_not_matter():
    values = np.arange(6.0).reshape(2, 3)
    for same in (np.asfortranarray(values), values.T.copy().T, np.repeat(values, 2, axis=1)[:, ::2]):
        np.testing.assert_array_equal(decode(encode([grid(same)]))[1][0], values)


def test_one_symmetric_scale_for_all_signed_grids():
    def scale(*grids: Grid) -> float:
        return decode(encode(grids))[0]["scale"]

    low = grid([[-8.0, -np.inf]])
    assert scale(low, grid([[2.0]]), grid([[1.0]], kind="probability")) == 8
    assert scale(grid([[2.0]]), grid([[90]], kind="tokens")) == 2  # token ids are no values
    assert scale(grid([[0.0, -0.0]])) == 1
    assert scale(grid([[-np.inf]])) == 1


def test_eight_heads_are_small():
    heads = [grid(np.zeros((16, 16)), f"head {index}") for index in range(8)]
    assert len(encode(heads)) < 8 * 16 * 16 * 4 + 3_000


@pytest.mark.parametrize(
    ("values", "changes", "complaint"),
    [
        ([[1.0, np.nan]], {}, 'Heatmap "head 1": nan at row 0, column 1'),
        ([[1.0], [np.inf]], {}, 'Heatmap "head 1": inf at row 1, column 0'),
        ([[-1e300]], {}, "-1e[+]300 at row 0, column 0"),  # would arrive as -inf and look masked
        ([[1.0, 2.0]], {"row_labels": ("a", "b")}, 'Heatmap "head 1": 2 row labels for 1 rows'),
        ([[1.0, 2.0]], {"column_labels": ()}, "0 column labels for 2 columns"),
        ([[1.0]], {"kind": "rainbow"}, "kind 'rainbow' is not one of signed, probability, mask, tokens"),
        ([["a"]], {}, "values must be a 2-D array of real numbers"),
        ([[1j]], {}, "values must be a 2-D array of real numbers"),
        (np.zeros((0, 3)), {}, r"at least one cell, not float64 of shape \(0, 3\)"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(values, changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        grid(values, **changes)


def test_shape_and_absence_are_refused():
    with pytest.raises(ValueError, match=r"Heatmap without a title: .* not float64 of shape \(3,\)"):
        Grid("", np.zeros(3), labels(3), labels(1), "T", "S")
    with pytest.raises(ValueError, match="at least one grid"):
        encode([])


def test_many_grids_are_one_mount():
    def page():
        import numpy as np

        from playground.ui.heatmap import Grid, heatmaps

        names = tuple("abcde")
        heads = [Grid(f"head {n}", np.eye(5) * n, names, names, "T", "S", "probability") for n in range(8)]
        heatmaps(heads, key="heads")
        heatmaps(heads[:1], key="one", height=200)

    app = AppTest.from_function(page).run()
    assert not app.exception
    mounts = app.get("bidi_component")
    assert len(mounts) == 2
    header, arrays = decode(mounts[0].proto.bytes)
    assert len(header["grids"]) == 8
    np.testing.assert_array_equal(arrays[7], np.eye(5, dtype=np.float32) * 7)
    assert decode(mounts[1].proto.bytes)[0]["height"] == 200


def test_an_update_stays_small():
    """Streamlit sends script and style again with every update: the whole message has to be small."""

    def page():
        import numpy as np

        from playground.ui.heatmap import Grid, heatmaps

        names = tuple(str(n) for n in range(16))
        rng = np.random.default_rng(0)
        heatmaps([Grid(f"head {n}", rng.random((16, 16)), names, names, "T", "S") for n in range(8)], key="heads")

    (mount,) = AppTest.from_function(page).run().get("bidi_component")
    assert mount.proto.ByteSize() < 50_000
