"""The Hub in a real browser: two people sign in; one pushes, the other finds it in the gallery and opens it."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, expect

from tests.browser.conftest import ROOT, free_port, running_server
from tests.hub import Hub, running_hub
from tests.hub.samples import TAG, checkpoint

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def hub():
    with running_hub() as running:
        yield running


@pytest.fixture(scope="module")
def address(hub: Hub, tmp_path_factory):
    """Address of a shared host, where each visitor has their own library."""
    port = free_port()
    variables = {"HF_ENDPOINT": hub.url, "PLAYGROUND_MODE": "shared"}
    with running_server(tmp_path_factory.mktemp("shared"), port, variables):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def visit(browser: Browser, address: str):
    """Opens the app for new visitors. Any script error on a page fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def visit() -> Page:
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not errors


def button(page: Page, label: str):
    return page.get_by_role("button", name=label, exact=True)


class Traffic:
    """WebSocket frames of a page: each script run sends some."""

    def __init__(self, page: Page) -> None:
        self.page, self.sent, self.received = page, 0, 0
        page.on("websocket", self._watch)

    def _watch(self, connection: WebSocket) -> None:
        if "_stcore/stream" in connection.url:
            connection.on("framesent", lambda _: self._count(sent=1))
            connection.on("framereceived", lambda _: self._count(received=1))

    def _count(self, sent: int = 0, received: int = 0) -> None:
        self.sent += sent
        self.received += received

    def settle(self) -> None:
        """Wait for half a second without a frame, then clear the list."""
        while self.sent or self.received:
            self.sent = self.received = 0
            self.page.wait_for_timeout(500)


@pytest.fixture(autouse=True)
def well(hub: Hub):
    yield
    hub.heal()


def sign_in(container, token: str) -> None:
    field = container.get_by_role("textbox", name="Access token")
    expect(field).to_have_value("")  # after a refusal, a new field is drawn
    field.fill(token)
    container.get_by_test_id("stFormSubmitButton").get_by_role("button").click()


@pytest.mark.wcag("3.3.8")
def test_sign_in_by_token_push_gallery_pull_and_open(visit, hub: Hub):
    hub.put_repo("alice/there", {"README.md": b"for everybody"})
    alice = visit()
    alice.goto("/checkpoints?checkpoint=reverse-1-16")
    button(alice, "Push").click()
    form = alice.get_by_role("dialog")
    sign_in(form, "hf_mistyped")
    expect(form.get_by_role("alert")).to_contain_text("The Hub refused this token")
    late = hub.hold(("GET", "/api/models/alice/reverse-1-16"))
    sign_in(form, hub.token("alice"))
    repository = form.get_by_role("textbox", name="Repository")
    expect(repository).to_have_value("alice/reverse-1-16")
    expect(form.get_by_text("Asking the Hub")).to_be_visible()
    message = form.get_by_role("textbox", name="Message")
    message.fill("From a browser")
    late.release.set()
    expect(form.get_by_text("(public) with one commit")).to_be_visible()
    expect(button(form, "Push")).to_be_enabled()
    expect(message).to_have_value("From a browser")  # typed text stays when the response arrives
    expect(message).to_be_focused()
    # Typing another repository doesn't change the chosen visibility of a new one.
    who = form.get_by_role("radiogroup", name="Visibility")
    who.get_by_role("radio", name="Private").click()
    for name, sentence in (("alice/there", "(public)."), ("alice/reverse-1-16", "(private) with one commit")):
        repository.fill(name)
        repository.press("Enter")
        expect(form.get_by_text(sentence)).to_be_visible()
    who.get_by_role("radio", name="Public").click()
    expect(form.get_by_text("(public) with one commit")).to_be_visible()
    button(form, "Push").click()
    expect(form).to_contain_text("alice/reverse-1-16 is now at commit")
    expect(alice.locator(".st-key-dock")).to_have_count(0)  # what the form shows stands there only
    commit = hub.commits("alice/reverse-1-16")[0]
    assert commit.title == "From a browser"
    expect(form.get_by_role("link", name=re.compile(commit.id[:7]))).to_have_attribute("href", re.compile(commit.id))
    assert hub.token("alice") not in alice.content()

    bob = visit()
    bob.goto("/checkpoints?view=hub")
    button(bob, "Sign in").click()
    sign_in(bob, hub.token("bob"))
    expect(button(bob, "bob")).to_be_visible()
    bob.keyboard.press("Escape")
    bob.get_by_role("searchbox", name="Search").fill("reverse")
    card = bob.locator(".st-key-gallery .model")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("alice/reverse-1-16")
    bob.locator(".st-key-gallery").get_by_role("button").filter(has_text="Fork").wait_for()
    bob.locator(".st-key-gallery").get_by_role("button").filter(has_text="Open").click()
    expect(bob).to_have_url(re.compile(f"/step_through.*hub=alice%2Freverse-1-16%40{commit.id}"))
    expect(bob.locator(".katex").first).to_be_visible()
    expect(bob.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")  # address is complete
    bob.go_back()  # to the search results, not to the first view of that page
    expect(bob).to_have_url(re.compile("view=hub&find=reverse$"))
    expect(card).to_contain_text("alice/reverse-1-16")
    bob.go_forward()
    expect(bob.locator(".katex").first).to_be_visible()
    expect(button(bob, f"alice/reverse-1-16 at {commit.id[:7]}")).to_be_visible()

    bob.reload()  # the token is lost with the session, the model is not, and the Hub gets no request
    asked = len(hub.log)
    expect(button(bob, f"alice/reverse-1-16 at {commit.id[:7]}")).to_be_visible()
    assert len(hub.log) == asked

    newer = hub.commit("alice/reverse-1-16", {"notes.txt": b"more"}, "<b>More</b>")
    button(bob, f"alice/reverse-1-16 at {commit.id[:7]}").click()
    expect(bob.get_by_text(f"Newer commit: {newer.id[:7]} · <b>More</b>")).to_be_visible()
    button(bob, "Show it").click()
    expect(bob.get_by_text(f"At commit {newer.id[:7]}")).to_be_visible()

    carol = visit()  # a visitor with the link, on any page
    carol.goto(f"/train?hub=alice/reverse-1-16@{commit.id}")
    expect(carol).to_have_url(re.compile(f"/checkpoints.*hub=alice%2Freverse-1-16%40{commit.id}"))
    expect(carol.get_by_text(f"At commit {commit.id[:7]}")).to_be_visible()
    button(carol, "Pull").click()
    expect(carol.locator(".katex").first).to_be_visible()


def progress(page: Page) -> float:
    """Visible fraction of the progress bar in the dock."""
    return (
        page.locator(".st-key-dock")
        .get_by_role("progressbar")
        .evaluate("bar => bar.firstElementChild.getBoundingClientRect().width / bar.getBoundingClientRect().width")
    )


def test_a_push_moves_and_ends_on_the_page_without_a_run_of_its_script(visit, hub: Hub):
    page = visit()
    traffic = Traffic(page)
    page.goto("/checkpoints?checkpoint=copy-1-16")
    button(page, "Push").click()
    form = page.get_by_role("dialog")
    sign_in(form, hub.token("alice"))
    form.get_by_role("textbox", name="Repository").fill("alice/slow")
    form.get_by_role("textbox", name="Repository").press("Enter")
    expect(form.get_by_text("Creates alice/slow")).to_be_visible()
    upload, commit = hub.hold(("POST", "/preupload/")), hub.hold(("POST", "/commit/"))
    button(form, "Push").click()
    expect(form.get_by_role("progressbar")).to_be_visible()
    button(form, "Close").click()
    corner = page.locator(".st-key-dock")
    expect(corner).to_contain_text("Push to alice/slow")
    traffic.settle()
    before = progress(page)
    upload.release.set()
    expect(corner).to_contain_text("Committing")
    assert progress(page) > before
    assert (traffic.sent, traffic.received) == (0, 0)
    commit.release.set()
    expect(corner).to_contain_text("alice/slow is now at commit")
    traffic.page.wait_for_timeout(2000)
    assert traffic.sent == 1, "the page asked once"

    other = page.context.new_page()  # a transfer started in another tab shows here
    other.goto("/")
    expect(other.locator(".st-key-dock")).to_contain_text("is now at commit")
    button(other, "Dismiss").click()
    expect(corner).to_have_count(0)


def test_a_question_that_waits_is_answered_on_the_page_without_a_run_of_its_script(visit, hub: Hub):
    commit = hub.put_repo("bob/late", checkpoint(ROOT / "checkpoints" / "copy-1-16"))
    page = visit()
    traffic = Traffic(page)
    page.goto("/checkpoints?view=hub")
    expect(page.get_by_text("As of")).to_be_visible()
    late = hub.hold(("GET", "/api/models/bob/late"))
    page.get_by_role("textbox", name="Model on the Hub").fill("bob/late")
    expect(page.get_by_text("Asking the Hub about bob/late")).to_be_visible()
    traffic.settle()
    page.wait_for_timeout(1000)
    assert (traffic.sent, traffic.received) == (0, 0)
    late.release.set()
    expect(page.get_by_text(f"At commit {commit.id[:7]}")).to_be_visible()
    page.wait_for_timeout(2000)
    assert traffic.sent == 1


def test_the_end_of_a_pull_leads_on_by_one_request_and_the_page_stays(visit, hub: Hub):
    commit = hub.put_repo("bob/led", checkpoint(ROOT / "checkpoints" / "copy-1-16"), tags=[TAG])
    page = visit()
    traffic = Traffic(page)
    page.goto("/checkpoints?view=hub")
    page.get_by_role("textbox", name="Model on the Hub").fill("bob/led")
    expect(page.get_by_text(f"At commit {commit.id[:7]}")).to_be_visible()
    late = hub.hold("/resolve")
    button(page, "Pull").click()
    expect(page.locator(".st-key-dock")).to_contain_text("Pull of bob/led")
    traffic.settle()
    assert "/checkpoints?view=hub" in page.url
    late.release.set()
    expect(page).to_have_url(re.compile("/step_through"))
    expect(page.locator(".katex").first).to_be_visible()
    traffic.page.wait_for_timeout(2000)
    expect(page.locator(".katex").first).to_be_visible()
    assert traffic.sent == 1
