"""An address without a page says so."""

import re
from urllib.parse import urljoin

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from playground.ui.server.addresses import PageAddresses
from playground.ui.session.pages import PAGES
from tests.load.app import paths


def ask(path: str, answer=None):
    """What a server answers that has the same page, or another answer, everywhere."""
    page = answer or HTMLResponse("<html></html>")
    client = TestClient(PageAddresses(Starlette(routes=[Route("/{path:path}", lambda request: page)])))
    return client.get(path, follow_redirects=False)


def test_every_page_has_its_address():
    assert sorted(PAGES) == paths()
    for path in PAGES:
        assert ask(f"/{path}?view=sweep").status_code == 200


@pytest.mark.parametrize("base", ["", "/some/base"])
@pytest.mark.parametrize(
    "path", ["step_through/extra", "train/a/b/c?view=sweep", "nonsense", "nothing/train", "train%2Fx/y"]
)
def test_an_address_without_a_page_says_so_and_links_home(monkeypatch, base, path):
    monkeypatch.setattr(st, "get_option", lambda name: base if name == "server.baseUrlPath" else None)
    answer = ask(f"{base}/{path}")
    assert answer.status_code == 404
    assert "has no page at this address." in answer.text
    (home,) = re.findall(r'href="([^"]+)"', answer.text)
    assert urljoin(f"http://host{base}/{path}", home) == f"http://host{base}/"


@pytest.mark.parametrize("base", ["", "/some/base"])
def test_a_slash_behind_a_page_s_name_is_taken_away(monkeypatch, base):
    monkeypatch.setattr(st, "get_option", lambda name: base if name == "server.baseUrlPath" else None)
    answer = ask(f"{base}/train/?view=sweep&x=%C3%A9")
    assert answer.status_code == 307
    location = urljoin(f"http://host{base}/train/", answer.headers["location"])
    assert location == f"http://host{base}/train?view=sweep&x=%C3%A9"


def test_what_is_no_page_passes_as_it_is():
    assert ask("/components/0/x.js", PlainTextResponse("a script")).text == "a script"
    assert ask("/runs/x/curves", HTMLResponse("no", 404)).status_code == 404
