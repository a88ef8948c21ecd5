"""The Hub on the pages, against the small Hub of the tests: signing in, the gallery, pulling, links and pushing."""

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest
from streamlit.testing.v1 import AppTest

from playground.hub import gallery as hub_gallery
from playground.hub import push as hub_push
from playground.hub.sign_ins import SignIn
from playground.recording import REPOSITORY
from playground.storage.library import Library
from playground.ui.hub.push_form import PUSH_FORM
from playground.ui.hub.sign_in import SIGN_IN
from playground.ui.session import sources
from playground.ui.session.services import services
from tests.helpers import HANG
from tests.helpers import until as wait
from tests.hub.samples import MARKUP, TAG, checkpoint, hostile
from tests.pages import button, fine, page
from tests.pages import host as host  # for every test here too

GOOD = checkpoint(REPOSITORY / "checkpoints" / "copy-1-16")


@pytest.fixture(autouse=True)
def fresh(hub, tmp_path):
    """Nothing is remembered of another test's Hub."""
    hub_gallery.forget()


def until(app: AppTest, condition: Callable[[], object]) -> AppTest:
    """Draws the page until something is there, as news do in a browser."""
    wait(lambda: condition() or (fine(app.run()) and condition()), lambda: written(app))
    return app


def written(app: AppTest) -> str:
    """The HTML of the page, piece by piece."""
    return "\n".join(each.proto.body for each in app.get("html"))


def prose(app: AppTest) -> str:
    """The same as one reads it."""
    return unescape(re.sub(r"<[^>]*>", "", written(app)))


def labels(app: AppTest) -> list[str]:
    return [each.label for each in app.button if not each.disabled]


def field(app: AppTest, label: str):
    return next(each for each in app.text_input if each.label == label)


def sign_in(app: AppTest, token: str, *, of: int = 0) -> AppTest:
    """By the first form of the page, or that of a dialog, which is the last."""
    [each for each in app.text_input if each.label == "Access token"][of].set_value(token)
    [each for each in app.button if each.label == "Sign in"][of].click().run()
    return until(app, lambda: (held := _sign_in_of(app)) is None or held.account is not None)


def _sign_in_of(app: AppTest) -> SignIn | None:
    return app.session_state.get(SIGN_IN.name, None)


def who(app: AppTest) -> str:
    """The name of who is signed in; empty for nobody."""
    held = _sign_in_of(app)
    return held.account.name if held is not None and held.account is not None else ""


def dump(app: AppTest) -> str:
    """All that a session holds, printed as deep as Python prints."""
    session = app._session_state._state
    return "".join(repr(part) for part in (session._new_session_state, session._old_state, session._new_widget_state))


def test_no_tooltip_takes_an_access_token_for_a_token_of_text(hub):
    app = page("checkpoints.py")
    assert "The token stays in this tab" in prose(app)
    assert not re.search(r'class="term"[^>]*>tokens?<', written(app), re.IGNORECASE)


def test_a_token_counts_once_the_hub_knows_it_and_stands_nowhere(hub):
    app = page("checkpoints.py")
    for wrong, sentence in (
        ("", "Paste a token"),
        ("two words", "Invalid token"),
        ("hf_mistyped", "refused this token"),
        (hub.token("expired"), "refused this token"),
    ):
        sign_in(app, wrong)
        assert sentence in prose(app)
        assert field(app, "Access token").value == ""
        assert not wrong or wrong not in dump(app)
    sign_in(app, f" {hub.token('alice')} ")
    assert who(app) == "alice"
    assert hub.token("alice") not in dump(app)
    assert hub.token("alice") not in written(app)
    button(app, "Sign out").click().run()
    assert _sign_in_of(fine(app)) is None
    assert {each.user for each in hub.log} == {"?", "alice"}


class Markup(HTMLParser):
    """The tags and attributes of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        links = [value for name, value in attrs if name in ("href", "src")]
        assert all(link.startswith(("http://127.0.0.1", "./")) for link in links)


def test_hostile_models_are_listed_with_the_reason_and_never_as_markup(hub):
    bad = hostile(GOOD)
    for name, files in bad.items():
        hub.put_repo(f"mallory/{name}", files, tags=[TAG, MARKUP[:40]], title=MARKUP)
    hub.put_repo("alice/good", GOOD, tags=[TAG])
    app = page("checkpoints.py", **{"checkpoints view": "hub"})
    whole = written(until(app, lambda: "More" in labels(app)))
    button(app, "More").click().run()
    whole += written(until(app, lambda: "As of" in written(app)))
    for name in ("good", *bad):
        assert f"<b>{name}</b>" in whole
    assert whole.count("Not usable here.") == len(bad) - 2  # path tricks and a broken card are no part of the model
    for name in bad:
        field(app, "Model on the Hub").set_value(f"mallory/{name}").run()
        until(app, lambda: "Asking the Hub" not in written(app))
        whole += written(app)
    parser = Markup()
    parser.feed(whole)
    assert not parser.tags & {"script", "img", "iframe", "svg", "style", "form"}
    assert not {name for name in parser.attributes if name.startswith("on")}
    assert not any("onerror" in each.value or "[go]" in each.value for each in [*app.markdown, *app.caption])


def test_a_model_is_shown_before_it_is_pulled_and_opens_in_step_through(hub):
    commit = hub.put_repo("alice/tiny", GOOD)
    app = page("checkpoints.py", **{"checkpoints view": "hub"})
    assert button(app, "Pull").disabled
    field(app, "Model on the Hub").set_value("alice/tiny").run()
    until(app, lambda: not button(app, "Pull").disabled)
    assert commit.id[:7] in written(app)
    assert "tiny" not in [entry.name for entry in sources.library().entries()]
    button(app, "Pull").click().run()
    until(app, lambda: app.title[0].value == "Step through")
    assert app.session_state["source"] == "tiny"
    assert app.query_params["hub"] in (f"alice/tiny@{commit.id}", [f"alice/tiny@{commit.id}"])


def test_a_link_shows_what_it_leads_to_and_opens_at_once_what_is_here(hub):
    commit = hub.put_repo("alice/tiny", GOOD)
    link = f"alice/tiny@{commit.id}"

    def opened(path: str, wanted: str) -> AppTest:
        app = AppTest.from_file(str(REPOSITORY / "app.py"), default_timeout=HANG)
        app.query_params["hub"] = wanted
        return fine(app.run())

    app = opened("train.py", link)
    until(app, lambda: "Press Pull to download it" in prose(app))
    assert app.title[0].value == "Checkpoints"
    assert field(app, "Model on the Hub").value == link
    button(app, "Pull").click().run()
    until(app, lambda: app.get("latex"))
    assert app.session_state["source"] == "tiny"

    asked = len(hub.log)
    assert opened("", link).session_state["source"] == "tiny"
    assert len(hub.log) == asked, "what is here at this commit needs no Hub"
    newest = until(app := opened("", "alice/tiny"), lambda: app.get("latex"))
    assert newest.session_state["source"] == "tiny"
    hub.down()
    offline = until(app := opened("", "alice/tiny"), lambda: "Showing the copy" in prose(app))
    assert offline.get("latex")
    assert "Showing the copy in your library: alice/tiny at" in prose(offline)
    elsewhere = until(app := opened("", "alice/other"), lambda: "t reach the Hub" in written(app))
    assert button(elsewhere, "Try again")
    hub.up()
    until(app := opened("", "no model"), lambda: "is not a model name" in prose(app))
    hub.commit("alice/tiny", {"notes.txt": b"more"}, "More")
    newer = until(app := opened("", "alice/tiny"), lambda: "Press Pull to download it" in prose(app))
    button(newer, "Open my copy, `tiny`").click().run()
    assert fine(newer).title[0].value == "Step through"
    assert newer.session_state["source"] == "tiny"


def can_push(app: AppTest) -> bool:
    """Whether the form has all it needs."""
    return len(app.code) and not push_button(app).disabled and app.code[-1].value != "…"


def push_button(app: AppTest):
    """That of the form, which comes last."""
    return [each for each in app.button if each.label == "Push"][-1]


def push_form(hub, *, token: str = "alice") -> AppTest:
    """The form for a shipped checkpoint, signed in."""
    app = page("checkpoints.py", checkpoint="copy-1-16")
    button(app, "Push").click().run()
    app = sign_in(app, hub.token(token), of=-1)
    return until(app, lambda: can_push(app))


def test_a_push_shows_what_will_stand_there_and_tells_where_it_stands(hub, host):
    host(url="https://playground.test")
    app = push_form(hub)
    assert field(app, "Repository").value == "alice/copy-1-16"
    assert "Creates alice/copy-1-16 (public) with one commit." in prose(app)
    card = app.code[-1].value
    assert "https://playground.test/step_through?hub=alice/copy-1-16@step-300-" in card
    shown = prose(app)
    field(app, "Message").set_value("From the page").run()
    until(app, lambda: can_push(app))
    push_button(app).click().run()
    until(app, lambda: "at commit" in prose(app))
    commit = hub.commits("alice/copy-1-16")[0]
    assert commit.title == "From the page"
    assert commit.id[:7] in prose(app)
    assert hub.files("alice/copy-1-16")["README.md"].decode().strip() == card.strip()
    assert "set PLAYGROUND_SOURCE_URL" in shown


def test_each_drawing_of_the_form_has_what_is_in_its_fields(hub):
    """Two drawings may reach the screen as one; then what only the first one showed is lost, and a field is empty."""
    app = push_form(hub)
    fine(app.run())
    assert field(app, "Repository").proto.default == "alice/copy-1-16"
    assert field(app, "Branch").proto.default == "main"


@pytest.mark.parametrize(
    ("way", "branch"),
    [
        ("", "main"),
        ("To a new branch", "main-copy-1-16"),
        ("As a pull request", "refs/pr/1"),
    ],
)
def test_who_comes_too_late_chooses_what_to_do(hub, way, branch):
    hub.put_repo("alice/copy-1-16", {"README.md": b"old"})
    app = push_form(hub)
    theirs = hub.commit("alice/copy-1-16", {"notes.txt": b"mine first"}, "<b>faster</b>", author="bob")
    push_button(app).click().run()
    until(app, lambda: "To a new branch" in labels(app))
    assert hub.commits("alice/copy-1-16")[0].id == theirs.id
    assert "Back to the form" not in labels(app)
    until(app, lambda: f"Newest commit: {theirs.id[:7]} · <b>faster</b> · bob" in prose(app))
    if way:
        button(app, way).click().run()
    until(app, lambda: can_push(app))
    push_button(app).click().run()
    until(app, lambda: "now at commit" in prose(app) or "A pull request" in prose(app))
    assert hub.commits("alice/copy-1-16", branch)[1].id == theirs.id
    assert "notes.txt" in hub.files("alice/copy-1-16", branch)
    assert hub.commits("alice/copy-1-16")[0].id == theirs.id or branch == "main"


def settled(app: AppTest) -> AppTest:
    """Once the Hub has answered what is at the destination that the form names."""
    return until(app, lambda: "Asking the Hub" not in prose(app))


def test_the_choice_for_a_new_repository_waits_while_another_is_named(hub):
    hub.put_repo("alice/copy-1-16", GOOD)
    app = push_form(hub)
    seen = next(each for each in app.get("button_group") if each.label == "Visibility")
    assert seen.disabled
    field(app, "Repository").set_value("alice/fresh").run()
    settled(app)
    next(each for each in app.get("button_group") if each.label == "Visibility").set_value(True).run()
    assert "Creates alice/fresh (private)" in prose(settled(app))
    field(app, "Repository").set_value("alice/copy-1-16").run()
    assert "(public)." in prose(settled(app))
    field(app, "Repository").set_value("alice/other").run()
    assert "Creates alice/other (private)" in prose(settled(app))


def test_what_the_form_names_is_read_as_people_write_it(hub):
    hub.put_repo("alice/copy-1-16", GOOD)
    app = push_form(hub)
    field(app, "Repository").set_value("").run()
    assert "Type owner/name" in prose(fine(app))
    assert not can_push(app)
    field(app, "Repository").set_value("alice/typed").run()
    assert "Creates alice/typed" in prose(settled(app)), "and not the name it began with"
    field(app, "Repository").set_value(f"{hub.url}/alice/copy-1-16").run()
    assert "Adds one commit to alice/copy-1-16 (" in prose(until(app, lambda: can_push(app)))
    field(app, "Repository").set_value("alice/x@main").run()
    assert "without “main”" in prose(settled(app))
    assert not can_push(app)
    assert "Creates" not in prose(app)
    field(app, "Repository").set_value("nobody-at-all/x").run()
    assert "is neither your account nor one of your organizations" in prose(settled(app))


def test_each_checkpoint_has_a_draft_of_its_own(hub):
    app = push_form(hub)
    field(app, "Repository").set_value("alice/fresh").run()
    field(app, "Message").set_value("Typed").run()
    next(each for each in settled(app).get("button_group") if each.label == "Visibility").set_value(True).run()
    app.session_state[PUSH_FORM.name] = "reverse-1-16"
    until(app, lambda: "Creates alice/reverse-1-16 (public)" in prose(app))
    assert field(app, "Message").value == ""
    app.session_state[PUSH_FORM.name] = "copy-1-16"
    assert "Creates alice/fresh (private)" in prose(settled(fine(app.run())))
    assert field(app, "Message").value == "Typed"


def test_a_push_without_an_answer_is_reported_as_unknown_and_the_next_one_finds_its_commit(hub, monkeypatch):
    app = push_form(hub)
    late = hub.hold(("POST", "/commit/"), unanswered=True)
    with monkeypatch.context() as patch:
        patch.setattr(hub_push, "_RETRY_PAUSES", (0.0, 0.01))
        push_button(app).click().run()
        until(app, lambda: "The commit was not found" in prose(app))
    assert "The commit was not found on the Hub, but it may still appear." in prose(app)
    assert "othing was pushed" not in prose(app)
    late.release.set()
    wait(lambda: len(hub.commits("alice/copy-1-16")) == 2)
    field(app, "Message").set_value("Again").run()
    until(app, lambda: can_push(app))
    app.session_state[PUSH_FORM.name] = ""  # as on another page
    button(fine(app.run()), "Back to the form").click().run()
    until(app, lambda: can_push(app))
    assert field(app, "Message").value == "Again"
    assert f"Newest commit: {hub.commits('alice/copy-1-16')[0].id[:7]}" in prose(app)
    push_button(app).click().run()
    until(app, lambda: "already has exactly this content" in prose(app))
    assert len(hub.commits("alice/copy-1-16")) == 2
    assert len(hub.repos["alice/copy-1-16"].tags) == 1


@pytest.mark.parametrize("again", ["alice", "bob"])
def test_an_expired_token_asks_to_sign_in_again_and_the_form_stays(hub, again):
    app = push_form(hub)
    field(app, "Message").set_value("Kept").run()
    until(app, lambda: can_push(app))
    hub.expire("alice")
    push_button(app).click().run()
    until(app, lambda: "has expired or was revoked" in prose(app))
    assert _sign_in_of(app) is None
    hub.add_token("again", user=again)
    sign_in(app, hub.token("again"), of=-1)
    assert who(app) == again
    until(app, lambda: can_push(app))
    assert field(app, "Message").value == "Kept"
    push_button(app).click().run()
    until(app, lambda: "at commit" in prose(app))
    assert hub.commits(f"{again}/copy-1-16")[0].title == "Kept"


def test_a_fork_pulls_and_then_asks_where_to_push_it(hub):
    origin = hub.put_repo("bob/tiny", GOOD, tags=[TAG])
    app = page("checkpoints.py", **{"checkpoints view": "hub"})
    sign_in(app, hub.token("alice"))
    until(app, lambda: "Fork" in labels(app))
    button(app, "Fork").click().run()
    until(app, lambda: any(each.label == "Repository" for each in app.text_input))
    until(app, lambda: can_push(app))
    assert field(app, "Repository").value == "alice/tiny"
    push_button(app).click().run()
    until(app, lambda: "at commit" in prose(app))
    assert "base_model:\n- bob/tiny" in hub.files("alice/tiny")["README.md"].decode()
    assert Library(services().host.checkpoints).entries()[0].summary.origin.revision == origin.id


def test_ones_own_models_are_there_while_one_is_signed_in_and_nothing_of_them_after(hub):
    hub.put_repo("alice/secret-plan", GOOD, private=True, tags=[TAG])
    app = page("checkpoints.py", **{"checkpoints view": "hub", "gallery whose": "mine"})
    assert "Sign in to see your own models" in prose(app)
    sign_in(app, hub.token("alice"), of=-1)
    until(app, lambda: "alice/secret-plan" in prose(app))
    assert "private" in prose(app)
    button(app, "Sign out").click().run()
    until(app, lambda: "Sign in to see your own models" in prose(app))
    assert "secret-plan" not in written(app) + dump(app)
    assert not app.session_state["hub asked"]
    app.session_state["gallery whose"] = "public"
    until(app.run(), lambda: "No models found" in prose(app))


def test_the_machines_login_is_used_only_where_the_host_lends_it(hub, host, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", hub.token("host"))
    hub.put_repo("host/own", GOOD, private=True, tags=[TAG])
    app = page("checkpoints.py", **{"checkpoints view": "hub"})
    field(app, "Model on the Hub").set_value("host/own").run()
    until(app, lambda: "host/own does not exist on the Hub" in prose(app))
    assert "Use this machine's login" not in labels(app)
    assert {each.user for each in hub.log} == {""}
    host(hub_login=True)
    app = page("checkpoints.py")
    button(app, "Use this machine's login").click().run()
    until(app, lambda: "Signed in to the Hub as host" in prose(app))
    assert hub.token("host") not in dump(app)
