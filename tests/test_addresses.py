"""An address where there is no page leads to one."""

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
    ("path", "page"),
    [
        ("step_through/extra", "step_through"),
        ("train/a/b/c?view=sweep&x=%C3%A9", "train?view=sweep&x=%C3%A9"),
        ("nothing", ""),
        ("nothing/train?x=1&x=2", "?x=1&x=2"),
        ("train%2Fx/y", ""),
        ("trainer", ""),
        ("index.html", ""),
    ],
)
def test_another_address_leads_to_the_page_above_it_with_its_query(monkeypatch, base, path, page):
    monkeypatch.setattr(st, "get_option", lambda name: base if name == "server.baseUrlPath" else None)
    answer = ask(f"{base}/{path}")
    assert answer.status_code == 307
    assert urljoin(f"http://host{base}/{path}", answer.headers["location"]) == f"http://host{base}/{page}"


def test_what_is_no_page_passes_as_it_is():
    assert ask("/components/0/x.js", PlainTextResponse("a script")).text == "a script"
    assert ask("/runs/x/curves", HTMLResponse("no", 404)).status_code == 404
