"""The content security policy in a real browser: what it allows, what it blocks, and who may frame the app."""

import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page, expect

from playground.settings.host import Host
from playground.ui.parts.charts import vega
from playground.ui.server.security_headers import headers
from tests.browser.conftest import free_port, running_server

pytestmark = pytest.mark.browser

FOREIGN = "http://foreign.test"


def answer(address: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urllib.request.urlopen(address) as response:
            return response.status, dict(response.headers), response.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()


def test_every_response_of_the_server_has_the_headers(server):
    _, _, page = answer(server)
    script, style = (re.search(kind, page.decode())[0] for kind in (r"static/js/index\S+\.js", r"static/css/\S+\.css"))
    answered = {}
    for path in (
        *("", "train", "nothing/here.js", "static/nothing.js", script, style, "favicon.png"),
        *("_stcore/health", "_stcore/host-config", "_stcore/nothing", "media/nothing.png"),
        *("qr?text=https://a.test", "qr?text=x", "runs/nothing/metrics.csv", "live?once=1", vega.PROGRAM, vega.SPECS),
    ):
        answered[path], received, _ = answer(f"{server}/{path}")
        for name, value in headers(Host()).items():
            assert received.get(name, received.get(name.lower())) == value, (path, name)
    assert {200, 403, 404} <= set(answered.values())


def test_a_page_can_neither_load_from_elsewhere_nor_run_text(page: Page, server, content_security_policy):
    directives = ["base-uri", "connect-src", "frame-src", "img-src", "script-src", "script-src-attr"]
    directives += ["script-src-elem", "style-src-elem"]
    asked: list[str] = []
    page.on("response", lambda answer: asked.append(answer.url))
    page.goto("/")
    expect(page.get_by_role("button", name="Train this model")).to_be_visible()
    stopped = page.evaluate(
        """async ([foreign, expected]) => {
          const stopped = [];
          addEventListener("securitypolicyviolation", ({ effectiveDirective }) => stopped.push(effectiveDirective));
          for (const [tag, name] of [["img", "src"], ["script", "src"], ["iframe", "src"], ["link", "href"]]) {
            const node = document.createElement(tag);
            node.rel = "stylesheet";
            node[name] = `${foreign}/${tag}`;
            document.body.append(node);
          }
          document.body.insertAdjacentHTML("beforeend", "<button id=inline onclick='window.ran = 1'></button>");
          document.getElementById("inline").click();
          await fetch(`${foreign}/fetch`).catch(() => {});
          // Later: what the test itself runs may use eval.
          for (const run of [() => (0, eval)("1"), () => new Function("return 1")()]) {
            setTimeout(() => { try { window.ran = run(); } catch {} });
          }
          const base = document.createElement("base");
          base.href = foreign;
          document.head.append(base);
          while (new Set(stopped).size < expected) {
            await new Promise((done) => setTimeout(done, 20));
          }
          return [...new Set(stopped)].sort().concat(window.ran ?? "nothing ran", new URL(document.baseURI).origin);
        }""",
        [FOREIGN, len(directives)],
    )
    assert stopped == [*directives, "nothing ran", server]
    assert not [address for address in asked if address.startswith(FOREIGN)]
    content_security_policy.clear()


class Framing(BaseHTTPRequestHandler):
    """Another site whose pages show the URL in their address in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<iframe src={self.path[1:]} width=1200 height=800></iframe>".encode())

    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def framing_site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Framing) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()


def test_only_the_sites_that_are_named_may_frame_the_app(browser, tmp_path, content_security_policy):
    port = free_port()
    with (
        framing_site() as friend,
        framing_site() as stranger,
        running_server(tmp_path, port, {"PLAYGROUND_FRAME_ANCESTORS": friend}),
    ):
        page = browser.new_page()
        inside = page.frame_locator("iframe").get_by_role("button", name="Train this model")
        page.goto(f"{friend}/http://127.0.0.1:{port}/")
        expect(inside).to_be_visible()
        assert not content_security_policy
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(f"{stranger}/http://127.0.0.1:{port}/")
        expect(inside).to_have_count(0)
        content_security_policy.clear()
        page.close()
