"""Addresses as codes."""

import xml.etree.ElementTree as ElementTree

import pytest
import segno
from starlette.applications import Starlette
from starlette.testclient import TestClient

from playground.ui.qr import LONGEST, routes, svg

ADDRESS = "http://127.0.0.1:8501/train?run=abc&view=compare"


def modules(picture: bytes) -> tuple[int, set[tuple[int, int]]]:
    """Side of the picture in modules, and where they are dark: (row, column)."""
    drawing = ElementTree.fromstring(picture)
    side = int(drawing.get("viewBox").split()[-1])
    ground, lines = drawing
    assert (ground.get("fill"), lines.get("stroke")) == ("#fff", "#000")
    words = lines.get("d").replace("M", " M ").replace("m", " m ").replace("h", " h ").split()
    dark, x, y = set(), 0.0, 0.0
    for word, first, second in zip(words, words[1:], [*words[2:], ""], strict=False):
        if word == "M":
            x, y = float(first), float(second)
        elif word == "m":
            x, y = x + float(first), y + float(second)
        elif word == "h":
            dark |= {(int(y), int(x) + at) for at in range(int(first))}
            x += int(first)
    return side, dark


def test_a_code_is_dark_on_white_with_the_margin_that_readers_need():
    side, dark = modules(svg(ADDRESS))
    rows = segno.make(ADDRESS, micro=False, error="m").matrix
    assert side == len(rows) + 8
    assert dark == {(y + 4, x + 4) for y, row in enumerate(rows) for x, one in enumerate(row) if one}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "begins with http"),
        ("javascript:alert(1)", "begins with http"),
        ("http://" + "x" * LONGEST, f"{LONGEST:,} at most"),
    ],
)
def test_what_makes_no_code_is_answered_with_a_sentence(text, sentence):
    answer = TestClient(Starlette(routes=routes())).get("/qr", params={"text": text})
    assert answer.status_code == 400
    assert sentence in answer.text


def test_a_code_is_served_as_a_picture():
    answer = TestClient(Starlette(routes=routes())).get("/qr", params={"text": ADDRESS})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content == svg(ADDRESS)
