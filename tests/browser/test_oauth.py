"""OAuth sign-in in a real browser, from the app to the Hub's page and back."""

import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import free_port, running_server
from tests.hub import Hub
from tests.test_hub_isolation import contents

pytestmark = pytest.mark.browser

BUTTON = "Sign in with Hugging Face"


def goes_to_sign_in(page: Page) -> None:
    page.locator(".st-key-account").get_by_role("button").first.click()
    page.get_by_role("button", name=BUTTON).click()


@contextmanager
def another_site(body: str) -> Iterator[str]:
    """Address of a page with this body, under a host name that is another site than 127.0.0.1."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with socketserver.TCPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://localhost:{server.server_address[1]}"
        finally:
            server.shutdown()


ACCOUNT = ".st-key-account"


def host_with_oauth(hub: Hub) -> tuple[int, str, dict[str, str]]:
    """Port, address and environment of a server registered with the Hub."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    app = hub.add_app(f"{url}/oauth2callback")
    variables = {"PLAYGROUND_URL": url, "OPENID_PROVIDER_URL": hub.url, "HF_ENDPOINT": hub.url}
    variables |= {"OAUTH_CLIENT_ID": app.id, "OAUTH_CLIENT_SECRET": app.secret, "PLAYGROUND_MODE": "shared"}
    return port, url, variables


def sign_in(page: Page) -> None:
    page.goto("/checkpoints")
    goes_to_sign_in(page)
    page.get_by_role("button", name="Authorize").click()
    expect(page.locator(ACCOUNT)).to_contain_text("alice")


def sign_out(page: Page) -> None:
    page.locator(ACCOUNT).get_by_role("button").first.click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(ACCOUNT)).to_contain_text("Sign in")


def test_signing_out_in_one_tab_ends_it_in_all_and_for_saved_cookies(browser, hub: Hub, tmp_path):
    hub.put_repo("alice/secret-plan", {"README.md": b"mine"}, private=True, tags=["transformer-playground"])
    port, url, variables = host_with_oauth(hub)
    with running_server(tmp_path, port, variables), browser.new_context(base_url=url) as context:
        first, second, third = context.new_page(), context.new_page(), context.new_page()
        sign_in(first)
        for tab, path in ((second, "/checkpoints"), (third, "/checkpoints?view=hub&models=mine")):
            tab.goto(path)
            expect(tab.locator(ACCOUNT)).to_contain_text("alice")
        form = second.get_by_role("dialog")
        second.get_by_role("button", name="Push", exact=True).first.click()
        expect(form.get_by_role("textbox", name="Repository")).to_be_visible()
        saved = context.cookies()
        sign_out(first)
        expect(form).to_contain_text("You are signed out. Sign in to push.")  # without a click in this tab
        expect(form.get_by_role("button", name="Push", exact=True)).to_have_count(0)
        expect(third.get_by_text("You are signed out. Sign in to see your own models").first).to_be_visible()
        asked = [each.path for each in hub.log if each.user == "alice"]
        second.get_by_role("button", name="Close").click()
        second.get_by_role("button", name="Push", exact=True).first.click()
        expect(form).to_contain_text("You are signed out. Sign in to push.")
        assert [each.path for each in hub.log if each.user == "alice"] == asked
        assert "alice/copy-1-16" not in hub.repos

        # The next account, in another tab, is not confused with alice.
        hub.store.browsing = "bob"
        third.reload()
        third.get_by_role("button", name=BUTTON).first.click()  # of the gallery; the account's own is folded
        third.get_by_role("button", name="Authorize").click()
        expect(third.locator(ACCOUNT)).to_contain_text("bob")
        html = third.content()
        assert "alice" not in html, html[max(0, html.find("alice") - 300) :][:600]
        second.reload()
        expect(second.locator(ACCOUNT)).to_contain_text("bob")
        stays = context.cookies()

    with running_server(tmp_path, port, variables):
        for cookies, name in ((saved, "Sign in"), (stays, "bob")):
            with browser.new_context(base_url=url) as context:
                context.add_cookies(cookies)
                page = context.new_page()
                page.goto("/checkpoints")
                expect(page.locator(ACCOUNT)).to_contain_text(name)
    tokens = [token.value.encode() for token in hub.store.tokens.values()]
    for path, content in contents(tmp_path):
        assert not [token for token in tokens if token in content], path
    (tmp_path / ".visitors" / "signed_out.json").unlink()  # like a Space, whose disk is empty after a restart
    with running_server(tmp_path, port, variables), browser.new_context(base_url=url) as context:
        context.add_cookies(stays)
        page = context.new_page()
        page.goto("/checkpoints")
        expect(page.locator(ACCOUNT)).to_contain_text("Sign in")


def test_signing_in_by_oauth_and_out_again(browser, hub: Hub, tmp_path):
    port, url, variables = host_with_oauth(hub)
    frame = f'<iframe src="{url}/checkpoints" width="1000" height="800"></iframe>'
    with (
        another_site(frame) as site,
        running_server(tmp_path, port, variables | {"PLAYGROUND_FRAME_ANCESTORS": site}),
        browser.new_context(base_url=url) as context,
    ):
        page, account = context.new_page(), ".st-key-account"
        page.goto("/checkpoints")
        goes_to_sign_in(page)
        expect(page.get_by_role("listitem")).to_have_text(["openid", "profile", "contribute-repos"])
        page.get_by_role("button", name="Cancel").click()
        page.wait_for_url(f"{url}/checkpoints*")
        expect(page.get_by_text("Not signed in. The Hub's sign-in page was closed")).to_be_visible()

        goes_to_sign_in(page)
        page.get_by_role("button", name="Authorize").click()
        page.wait_for_url(f"{url}/checkpoints*")
        expect(page.locator(account)).to_contain_text("alice")
        page.reload()
        expect(page.locator(account)).to_contain_text("alice")
        token = next(token.value for token in hub.store.tokens.values() if token.role == "oauth")
        assert token not in page.content()

        with browser.new_context(base_url=url) as other:
            stranger = other.new_page()
            stranger.goto("/checkpoints")
            expect(stranger.locator(account)).to_contain_text("Sign in")

        hub.expire("Playground")
        page.reload()
        expect(page.locator(account)).to_contain_text("Sign in")
        page.locator(account).get_by_role("button").first.click()
        expect(page.get_by_text("Your sign-in has expired or was revoked")).to_be_visible()
        page.get_by_role("button", name=BUTTON).click()
        page.get_by_role("button", name="Authorize").click()
        expect(page.locator(account)).to_contain_text("alice")

        page.locator(account).get_by_role("button").first.click()
        with page.expect_response(f"{url}/auth/logout"):
            page.get_by_role("button", name="Sign out").click()
        page.wait_for_url(f"{url}/checkpoints*")
        expect(page.locator(account)).to_contain_text("Sign in")
        assert not [cookie for cookie in context.cookies() if cookie["name"].startswith("_streamlit_user")]

        # After the sign-in for a push, the form is open again.
        page.get_by_role("button", name="Push", exact=True).first.click()
        page.get_by_role("dialog").get_by_role("button", name=BUTTON).click()
        page.get_by_role("button", name="Authorize").click()
        expect(page.get_by_role("textbox", name="Repository")).to_have_value(re.compile("^alice/.+-1-16$"))

        page.goto(site)
        framed = page.frame_locator("iframe")
        framed.locator(account).get_by_role("button").first.click()
        link = framed.get_by_role("link", name="Open in a new tab to sign in")
        expect(link).to_have_attribute("href", f"{url}/checkpoints")
        expect(framed.get_by_role("button", name=BUTTON)).to_have_count(0)

        page.goto(f"http://localhost:{port}/checkpoints")  # the Hub would not redirect to this host name
        page.locator(account).get_by_role("button").first.click()
        link = page.get_by_role("link", name="Open in a new tab to sign in")
        expect(link).to_have_attribute("href", f"{url}/checkpoints")

        hub.down()
        page.goto("/checkpoints")
        goes_to_sign_in(page)
        expect(page.get_by_text("sign-in page can't be reached")).to_be_visible()
    log = (tmp_path / "server.log").read_text()
    for secret in (variables["OAUTH_CLIENT_SECRET"], *(token.value for token in hub.store.tokens.values())):
        assert secret not in log
