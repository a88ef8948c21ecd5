"""Folding: whatever the sizes, what travels at once fits, and every part can be reached."""

from hypothesis import given
from hypothesis import strategies as st

from playground.ui.parts.heatmaps.folding import WIDEST, Extent, fold, span

sizes = st.integers(1, 2048)
extents = st.lists(
    st.builds(
        Extent, st.sampled_from([1, 16]) | st.integers(1, 16), st.integers(1, 129), sizes, st.sampled_from([1, 4, 9])
    ),
    min_size=1,
    max_size=5,
)


@given(extents, st.integers(6_000, 98_000))
def test_what_travels_at_once_fits(shown, room):
    heads, columns = fold(shown, room)
    assert 1 <= columns <= WIDEST
    assert 1 <= heads <= max(extent.heads for extent in shown)
    taken = sum(min(each.heads, heads) * each.rows * min(each.columns, columns) * each.cell for each in shown)
    assert taken <= room  # 5 tensors of 129 rows, 9 bytes a cell, are 5,805 bytes in one column


@given(extents, st.integers(6_000, 98_000))
def test_no_more_is_folded_than_has_to_be(shown, room):
    heads, columns = fold(shown, room)

    def taken(heads: int, columns: int) -> int:
        return sum(each.bytes(heads, columns) for each in shown)

    most = max(extent.heads for extent in shown)
    parts = -(-most // heads)
    assert columns == WIDEST or taken(1, 2 * columns) > room
    if parts > 1:  # in as many parts less one, they would not fit
        assert taken(-(-most // (parts - 1)), columns) > room


@given(sizes, st.integers(1, 128), st.integers(-5, 5_000))
def test_parts_cover_an_axis_without_a_gap(size, length, wanted):
    part = span(wanted, length, size)
    assert 0 <= part.first < part.end <= size
    assert part.end - part.first == length or part.end == size
    if 0 <= wanted < size:
        assert part.first <= wanted < part.end
    reached = []
    at = span(0, length, size)
    while True:
        reached += range(at.first, at.end)
        if at.end == size:
            break
        at = span(at.end, length, size)
    assert reached == list(range(size))


def test_the_largest_attention_shows_one_head_at_a_time():
    query, scores = Extent(16, 129, 16, 4), Extent(16, 129, 129, 4)
    assert fold([query, query, scores], 92_000) == (1, 128)
    with_gradients = [Extent(each.heads, each.rows, each.columns, 8) for each in (query, query, scores)]
    assert fold(with_gradients, 92_000) == (1, 32)
    assert fold([Extent(4, 16, 16, 4)] * 3, 92_000) == (4, 128)
