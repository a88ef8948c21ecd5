"""Addresses as codes."""

import xml.etree.ElementTree as ElementTree

import pytest
import segno

from playground.settings.host import Host
from playground.ui.parts.computed import LONGEST_CODE, code
from playground.ui.server import work
from playground.ui.session.services import services
from playground.ui.startup import routes
from tests.helpers import browser

ADDRESS = "http://testserver/train?run=abc&view=compare"


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
    side, dark = modules(code(ADDRESS))
    rows = segno.make(ADDRESS, micro=False, error="m").matrix
    assert side == len(rows) + 8
    assert dark == {(y + 4, x + 4) for y, row in enumerate(rows) for x, one in enumerate(row) if one}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "begins with http"),
        ("javascript:alert(1)", "begins with http"),
        ("http://" + "x" * LONGEST_CODE, f"{LONGEST_CODE:,} at most"),
        ("http://elsewhere/train", "only made for addresses of this app"),
        ("http://testserver@elsewhere/", "only made for addresses of this app"),
        ("http://testserver.elsewhere/", "only made for addresses of this app"),
        ("http://[", "begins with http"),
    ],
)
def test_what_makes_no_code_is_answered_with_a_sentence(text, sentence):
    answer = browser(*routes()).get("/qr", params={"text": text})
    assert answer.status_code == 400
    assert sentence in answer.text


def test_a_code_is_served_as_a_picture():
    answer = browser(*routes()).get("/qr", params={"text": ADDRESS})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.content == code(ADDRESS)


def test_the_configured_name_of_the_host_is_its_own(monkeypatch):
    monkeypatch.setattr(services(), "host", Host(url="https://playground.test"))
    text = "https://playground.test/train?run=abc"
    assert browser(*routes()).get("/qr", params={"text": text}).content == code(text)


def test_nobody_gets_a_code(monkeypatch):
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)
    assert browser(*routes(), cookie=False).get("/qr", params={"text": ADDRESS}).status_code == 403
