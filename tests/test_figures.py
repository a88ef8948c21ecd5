"""Numbers are written as one says them."""

import pytest

from playground.common.numbers import counted, percent, perplexity


def test_every_loss_has_a_perplexity():
    assert perplexity(0.0) == 1.0
    assert perplexity(1e300) < float("inf")


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (1.0, "100.0 %"),
        (0.0, "0.0 %"),
        (0.5, "50.0 %"),
        (0.99965, "99.97 %"),
        (0.0004, "0.04 %"),
        (1 - 1e-9, "almost 100 %"),
        (None, "not measured"),
        (float("nan"), "not measured"),
    ],
)
def test_a_fraction_is_never_rounded_to_0_or_100_percent(part, text):
    assert percent(part) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 head"), (0, "0 heads"), (12, "12 heads"), (10**6, "1,000,000 heads"), (0.5, "0.5 heads")],
)
def test_nouns_are_counted(number, text):
    assert counted(number, "head") == text
