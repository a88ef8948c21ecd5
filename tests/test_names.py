"""Names that people give: what others see of them, and which of them look alike."""

import pytest

from playground.common.names import clean_name, same_name

INVISIBLE = [
    "\u202e",
    "\u2066",
    "\u2069",
    "\u200e",
    "\u061c",
    "\ufeff",
    "\u200b",
    "\u00ad",
    "\u2060",
    "\u3164",
    "\u2800",
]


@pytest.mark.parametrize("sign", [*INVISIBLE, "\x00", "\x1b", "\ud800", "\U000e0041", "\ue000", "\u034f", "\ufe01"])
def test_nothing_that_nobody_sees_or_that_turns_the_text_around_is_left(sign: str):
    assert clean_name(f"{sign}my {sign}run{sign}") == "my run"
    assert clean_name(sign * 3) == ""


def test_a_name_is_one_line():
    assert clean_name(" a\n\tb\u2028c\u00a0\u3000d ") == "a b c d"


@pytest.mark.parametrize("name", ["می\u200cخواهم", "👩\u200d💻", "❤\ufe0f", "क्\u200dष", "naïve – 4×2", "実験"])
def test_what_belongs_to_the_spelling_stays(name: str):
    assert clean_name(name) == name


def test_a_joiner_at_an_end_goes():
    assert clean_name("\u200dname\u200c \u200d") == "name"


@pytest.mark.parametrize(
    "other", ["four-heads\u200b", "\u202efour-heads", "Four-Heads", "four\u200d-heads", "ｆｏｕｒ-heads"]
)
def test_names_that_look_alike_are_the_same(other: str):
    assert same_name("four-heads", other)
    assert not same_name("four-heads", "for-heads")
