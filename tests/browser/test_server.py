"""The server: the visitor's cookie, and a clean shutdown."""

import os
import re
import signal
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import free_port, running_server
from tests.helpers import HANG, first, until
from tests.load.app import paths

pytestmark = pytest.mark.browser


NAME = "playground_visitor_[0-9a-f]{8}"


def cookies(address: str, **headers: str) -> list[str]:
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.urlopen(request) as answer:
        return [each for each in answer.headers.get_all("Set-Cookie") or [] if re.match(f"{NAME}=", each)]


def test_every_browser_gets_a_name_that_scripts_cannot_read(server):
    first, second = cookies(f"{server}/train"), cookies(f"{server}/train")
    assert len(first) == len(second) == 1
    assert first != second
    assert "HttpOnly" in first[0]
    assert "SameSite=Lax" in first[0]


def test_a_browser_keeps_its_name_for_a_month_from_its_last_visit_on(server):
    given = cookies(server)[0].partition(";")[0]
    known, page = f"other=1; {given}", "text/html,*/*"
    assert cookies(f"{server}/train", Cookie=known) == [], "what a page loads by itself"
    (again,) = cookies(f"{server}/train", Cookie=known, Accept=page)
    assert again.startswith(f"{given}; Path=/; Max-Age=2592000; HttpOnly")
    name, _, signed = given.partition("=")
    for made_by_hand in ("abc", '"' + r"\015\012" * 16 + '"', "a" * 32, f"{'a' * 32}.{signed.partition('.')[2]}"):
        (other,) = cookies(server, Cookie=f"{name}={made_by_hand}", Accept=page)
        assert re.match(rf"{name}=[\w-]{{32}}\.[\w-]{{43}};", other)
        assert made_by_hand not in other


def test_a_page_makes_the_browser_ask_nobody_but_the_server(server, page):
    asked = set()
    page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    page.on("websocket", lambda socket: asked.add(urlsplit(socket.url).netloc))
    for path in paths():
        page.goto(f"/{path}")
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    assert asked - {""} == {urlsplit(server).netloc}  # addresses created by a script have no host


@pytest.mark.parametrize(
    "path",
    first(7, [*paths(), *(f"train?view={view}" for view in ("compare", "sweep")), "checkpoints?view=hub"], of=10),
)
def test_a_page_loads_without_a_failed_request_and_without_an_error(page, path):
    wrong = []
    page.on("response", lambda answer: answer.status >= 400 and wrong.append(f"{answer.status} {answer.url}"))
    page.on("requestfailed", lambda request: wrong.append(f"{request.failure} {request.url}"))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.goto(f"/{path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    page.wait_for_load_state("networkidle")
    assert not wrong


@pytest.mark.parametrize("path", first(1, ["step_through/extra/more", "nothing/at/all?x=1", "nonsense"]))
def test_an_address_without_a_page_says_so_and_links_home(page, server, path):
    page.goto(f"/{path}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    page.get_by_role("link", name="Go to Build").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Build a transformer")
    expect(page).to_have_url(re.compile(f"^{server}/"))


def children(pid: int) -> set[int]:
    """All descendants of a process."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(entry.parent.name)] = int(fields[1])
    found, grown = {pid}, True
    while grown:
        more = {child for child, parent in parents.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return found - {pid}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads /proc")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_after_the_server(end, browser, tmp_path):
    port = free_port()
    with running_server(tmp_path, port) as server:
        page = browser.new_page(base_url=f"http://127.0.0.1:{port}")
        page.goto("/train")
        page.get_by_role("button", name="Train", exact=True).click()
        expect(page.get_by_test_id("progress")).to_contain_text("running")
        offspring = children(server.pid)
        page.close()
        assert len(offspring) >= 2  # the fork server and the worker
        os.kill(server.pid, end)
        server.wait(HANG)
        until(lambda: not any(map(alive, offspring)))
    log = (tmp_path / "server.log").read_text()
    assert "Traceback" not in log, log
