"""Numbers are said as one says them."""

import pytest

from playground.figures import counted, share


@pytest.mark.parametrize(
    ("part", "told"),
    [(1.0, "100.0%"), (0.0, "0.0%"), (0.5, "50.0%"), (0.99965, "99.97%"), (0.0004, "0.04%"), (1 - 1e-9, "almost 100%")],
)
def test_a_share_is_never_rounded_to_all_or_to_nothing(part, told):
    assert share(part) == told


@pytest.mark.parametrize(("number", "told"), [(1, "1 head"), (0, "0 heads"), (12, "12 heads"), (0.5, "0.5 heads")])
def test_one_is_one_and_the_others_are_many(number, told):
    assert counted(number, "head") == told
