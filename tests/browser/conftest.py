"""Fixtures: a real server on a loopback port with its own library, and a real browser."""

import os
import shutil
import socket
import subprocess
import sys
import textwrap
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.__main__ import BROWSERS
from tests.helpers import HANG, until

ROOT = Path(__file__).parent.parent.parent
STOP = "_tests/stop"
"""Route of the app under test that stops all runs, so that none disturbs the next test."""
_STOP_ROUTE = f"""
import sys

sys.path.insert(0, {str(ROOT)!r})
if __name__ != "__main__":  # once, in the server
    from starlette.responses import PlainTextResponse

    from playground.runs.backends import LOCAL, SHARED
    from playground.ui.server import routing
    from playground.ui.session.services import services

    SHARED.niceness = LOCAL.niceness  # other tests want the cores, too

    async def stop(_request):
        for owner in list(services().runs._visitors):
            services().runs.stop_all(owner)
        return PlainTextResponse("")

    routing.route("{STOP}")(stop)
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def running_server(
    library: Path, port: int, variables: Mapping[str, str] | None = None, script: Path | None = None
) -> Iterator[subprocess.Popen]:
    """`streamlit run` of the app, or of another script, with these environment variables; yields once it responds."""
    script = script or app_under_test(library)
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    options = ["--server.headless=true", f"--server.port={port}"]
    environment = os.environ | {"PLAYGROUND_CHECKPOINTS": str(library)} | dict(variables or {})
    with (library / "server.log").open("w") as log:
        server = subprocess.Popen([*command, *options], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        until(lambda: answers(f"http://127.0.0.1:{port}/_stcore/health"), (library / "server.log").read_text)
        yield server
    finally:
        server.terminate()
        server.wait(HANG)


def app_under_test(folder: Path, changes: str = "") -> Path:
    """A copy of `app.py` in a folder that runs `changes` first; it can also stop all runs, see `STOP`."""
    script = folder / "app.py"
    script.write_text(_STOP_ROUTE + textwrap.dedent(changes) + (ROOT / "app.py").read_text())
    return script


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status == 200
    except OSError:
        return False


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Address of a running server."""
    port = free_port()
    with running_server(tmp_path_factory.mktemp("library"), port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def browser():
    path = os.environ.get("PLAYGROUND_TEST_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not path:
        pytest.fail("No browser: install chromium, or run `python3 -m tests`, which does.")
    expect.set_options(timeout=HANG * 1000)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture(autouse=True)
def content_security_policy(browser: Browser, monkeypatch: pytest.MonkeyPatch):
    """Violations of the content security policy fail the test, unless it clears the list."""
    refused: list[str] = []

    def watch(make: Callable[..., Any], context: Callable[[Any], BrowserContext]) -> Callable[..., Any]:
        def made(**options: Any) -> Any:
            opened = make(**options)
            context(opened).set_default_timeout(HANG * 1000)
            context(opened).on(
                "console", lambda message: "Content Security Policy" in message.text and refused.append(message.text)
            )
            return opened

        return made

    monkeypatch.setattr(browser, "new_context", watch(browser.new_context, lambda opened: opened))
    monkeypatch.setattr(browser, "new_page", watch(browser.new_page, lambda opened: opened.context))
    yield refused
    assert not refused


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch):
    """Pages are loaded once their opening has gone, unless a test says what it waits for."""

    def waiting(act: Callable[..., Any]) -> Callable[..., Any]:
        def done(page: Page, *arguments: Any, **options: Any) -> Any:
            answer = act(page, *arguments, **options)
            if "wait_until" not in options:
                page.locator("#opening").wait_for(state="detached")
            return answer

        return done

    for name in ("goto", "reload"):
        monkeypatch.setattr(Page, name, waiting(getattr(Page, name)))


@pytest.fixture
def page(browser: Browser, server: str):
    """A page of a new visitor. Any script error on the page fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, base_url=server)
    opened: Page = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    for left in browser.contexts:
        left.close()
    assert answers(f"{server}/{STOP}")
    assert not errors
