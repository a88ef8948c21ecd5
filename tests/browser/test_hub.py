"""The Hub in a real browser: two people sign in; one pushes, the other finds it in the gallery and opens it."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import free_port, running_server
from tests.hub import Hub, running_hub

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def hub():
    with running_hub() as running:
        yield running


@pytest.fixture(scope="module")
def address(hub: Hub, tmp_path_factory):
    """A shared host, so that each visitor has a library of their own."""
    port = free_port()
    variables = {"HF_ENDPOINT": hub.url, "PLAYGROUND_MODE": "shared"}
    with running_server(tmp_path_factory.mktemp("shared"), port, variables):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def visit(browser: Browser, address: str):
    """Opens the app for a new visitor. Any error of a script on a page fails the test."""
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


def sign_in(place, token: str) -> None:
    field = place.get_by_role("textbox", name="Access token")
    expect(field).to_have_value("")  # after a refusal a new one is drawn
    field.fill(token)
    place.get_by_test_id("stFormSubmitButton").get_by_role("button").click()


def test_sign_in_by_token_push_gallery_pull_and_open(visit, hub: Hub):
    hub.put_repo("alice/there", {"README.md": b"for everybody"})
    alice = visit()
    alice.goto("/checkpoints?checkpoint=reverse-1-16")
    button(alice, "Push").click()
    form = alice.get_by_role("dialog")
    sign_in(form, "hf_mistyped")
    expect(form.get_by_role("alert")).to_contain_text("The Hub does not know this token")
    hub.slow(("GET", "/api/models/alice/reverse-1-16"), 2, times=1)
    sign_in(form, hub.token("alice"))
    repository = form.get_by_role("textbox", name="Repository")
    expect(repository).to_have_value("alice/reverse-1-16")
    expect(form.get_by_text("Asking the Hub")).to_be_visible()
    message = form.get_by_role("textbox", name="Message")
    message.fill("From a browser")
    expect(form.get_by_text("will be made, public")).to_be_visible()
    expect(button(form, "Push")).to_be_enabled()
    expect(message).to_have_value("From a browser")  # what is being typed stays when the answer comes
    expect(message).to_be_focused()
    # Who shall see a new repository is asked anew by nothing that is said of another one on the way.
    who = form.get_by_role("radiogroup", name="Who may see it")
    who.get_by_role("radio", name="Private").click()
    for name, told in (("alice/there", "is there and public"), ("alice/reverse-1-16", "will be made, private")):
        repository.fill(name)
        repository.press("Enter")
        expect(form.get_by_text(told)).to_be_visible()
    who.get_by_role("radio", name="Public").click()
    expect(form.get_by_text("will be made, public")).to_be_visible()
    button(form, "Push").click()
    dock = alice.locator(".st-key-dock")
    expect(dock).to_contain_text("alice/reverse-1-16 is at commit")
    commit = hub.commits("alice/reverse-1-16")[0]
    assert commit.title == "From a browser"
    expect(dock.get_by_role("link", name=re.compile(commit.id[:7]))).to_have_attribute("href", re.compile(commit.id))
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
    bob.go_back()  # to what was found, not to the first view of that page
    expect(bob).to_have_url(re.compile("view=hub&find=reverse$"))
    expect(card).to_contain_text("alice/reverse-1-16")
    bob.go_forward()
    expect(bob.locator(".katex").first).to_be_visible()
    expect(button(bob, f"alice/reverse-1-16 at {commit.id[:7]}")).to_be_visible()

    bob.reload()  # the token is gone with the session, the model is not, and nothing is asked of the Hub
    asked = len(hub.log)
    expect(button(bob, f"alice/reverse-1-16 at {commit.id[:7]}")).to_be_visible()
    assert len(hub.log) == asked

    newer = hub.commit("alice/reverse-1-16", {"notes.txt": b"more"}, "<b>More</b>")
    button(bob, f"alice/reverse-1-16 at {commit.id[:7]}").click()
    expect(bob.get_by_text(f"There is a newer one: {newer.id[:7]} · <b>More</b>")).to_be_visible()
    button(bob, "Look at it").click()
    expect(bob.get_by_text(f"At commit {newer.id[:7]}")).to_be_visible()

    carol = visit()  # who has only the link, on whatever page
    carol.goto(f"/train?hub=alice/reverse-1-16@{commit.id}")
    expect(carol).to_have_url(re.compile("/step_through"))
    expect(carol.get_by_text(f"At commit {commit.id[:7]}")).to_be_visible()
    button(carol, "Pull").click()
    expect(carol.locator(".katex").first).to_be_visible()
