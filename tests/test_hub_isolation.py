"""Visitors of one server, each with a token of their own: nothing private of one reaches another, no token anybody.

One story is played once against the running app, with everything searched that came down a wire, was written to a
file, logged, or asked of the Hub; the tests look at what was found.
"""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import SecretStr
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest

from playground.common.errors import HubError
from playground.hub.pull import pull
from playground.hub.reference import Reference
from playground.storage.library import Library
from playground.ui.hub import listing
from playground.ui.hub.sign_in import SIGN_IN
from playground.ui.session.pages import PAGES
from tests.helpers import HANG, live, until
from tests.hub import Hub, running_hub
from tests.hub.samples import TAG, checkpoint
from tests.load.app import App, application
from tests.load.client import Visitor
from tests.test_hub_server import SAMPLE

ROOT = Path(__file__).parent.parent
PEOPLE = ("alice", "bob", "nobody")
MARKS = ("file", "content", "title", "branch", "push", "message", "error")
"""Where marks are, beside the names of private repositories, which strangers are made to ask for."""


def mark(name: str, what: str) -> str:
    """A word that only this person may ever see."""
    return f"canary-{what}-of-{name}"


@dataclass
class Person:
    """A visitor, and all that came down their wire."""

    name: str
    tab: Visitor
    heard: list[bytes] = field(default_factory=list)

    def hears(self, frame: bytes, _message: ForwardMsg) -> None:
        self.heard.append(frame)

    async def sign_in(self, token: str) -> None:
        await self.tab.fill("Access token", token)
        await self.tab.click("Sign in")
        await self.tab.until(lambda: self.tab.says(f"Signed in to the Hub as {self.name}"))

    async def looks_at(self, text: str, expect: str) -> None:
        """Types into the field for a model of the Hub, and waits for these words."""
        await self.tab.set("Model on the Hub", text)
        await self.tab.until(lambda: self.tab.says(expect))


@dataclass
class Remains:
    """What is left of the story."""

    hub: Hub
    app: App
    people: dict[str, Person]
    home: Path
    temporary: Path


NOWHERE = "does not exist on the Hub, or"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remains]:
    """The story, in which the host has an account, too, by variable and by file."""
    home, temporary = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("temporary")
    with running_hub() as hub:
        (home / "token").write_text(hub.token("host"))
        variables = {"HF_ENDPOINT": hub.url, "HF_HOME": str(home), "HF_TOKEN": hub.token("host")}
        variables |= {"HF_TOKEN_PATH": str(home / "token"), "TMPDIR": str(temporary), "PLAYGROUND_MODE": "shared"}
        fill(hub)
        with application(variables) as app:
            people = live(story(hub, app))
            yield Remains(hub, app, people, home, temporary)


def fill(hub: Hub) -> None:
    """A private repository of each, with marks in all that can be shown of it, and one for everybody."""
    files = checkpoint(SAMPLE)
    for name in ("alice", "bob"):
        marked = files | {f"{mark(name, 'file')}.txt": mark(name, "content").encode()}
        repo_id = f"{name}/{mark(name, 'repo')}"
        hub.put_repo(repo_id, marked, private=True, tags=[TAG], title=mark(name, "title"))
        head = hub.commits(repo_id)[0].id
        hub.repos[repo_id].branches[mark(name, "branch")] = head
    hub.put_repo("bob/open", files, tags=[TAG])


async def story(hub: Hub, app: App) -> dict[str, Person]:
    people = {}
    for name in PEOPLE:
        person = people[name] = Person(name, Visitor(app.address, "checkpoints", "view=hub"))
        person.tab.on_message = person.hears
        await person.tab.open()
    alice, bob, nobody = people.values()
    secret = f"alice/{mark('alice', 'repo')}"
    address = f"{secret}@{hub.commits(secret)[0].id}"
    await alice.sign_in(hub.token("alice"))
    await bob.sign_in(hub.token("bob"))

    async def strangers_ask() -> None:
        """By the field and by a link; to know the name of what is private is no help."""
        for person in (bob, nobody):
            await person.looks_at(secret, NOWHERE)
            await person.tab.page("step_through", f"hub={address}")
            await person.tab.page("checkpoints", "view=hub")

    await strangers_ask()
    await alice.looks_at(secret, mark("alice", "file"))
    await strangers_ask()
    await alice.tab.click("Pull")
    await alice.tab.until(lambda: alice.tab.page_path == "step_through")
    await strangers_ask()
    await bob.looks_at(f"bob/{mark('bob', 'repo')}", mark("bob", "file"))
    for person in people.values():
        await person.tab.page("checkpoints", "view=hub")
        await person.tab.set("gallery whose", "Mine")
        mine = mark(person.name, "repo") if person is not nobody else "Sign in to see your own"
        await person.tab.until(lambda tab=person.tab, mine=mine: tab.says(mine))

    await alice.tab.click(f"fork {listing.mark(secret, hub.commits(secret)[0].id)}")
    await alice.tab.until(lambda: alice.tab.can("Push"))
    await alice.tab.set("Repository", f"alice/{mark('alice', 'push')}")
    await alice.tab.set("Visibility", "Private")
    await alice.tab.set("Message", mark("alice", "message"))
    await alice.tab.until(lambda: alice.tab.can("Push"))
    await alice.tab.click("Push")
    await alice.tab.until(lambda: alice.tab.says("/commit/"))
    pushed = hub.repos[f"alice/{mark('alice', 'push')}"]
    assert (pushed.private, pushed.head.title) == (True, mark("alice", "message"))

    hub.fail("/api/models/alice", 400, message=f"{mark('alice', 'error')} {hub.token('alice')}", times=1)
    await alice.looks_at(f"{secret}@refs/pr/9", mark("alice", "error"))
    await bob.tab.click("sign out")
    await bob.looks_at(f"bob/{mark('bob', 'repo')}", NOWHERE)
    assert not bob.tab.says(mark("bob", "file"))
    hub.expire("alice")
    await alice.looks_at(f"{secret}@{hub.commits(secret)[1].id}", "Sign in again")
    for person in people.values():
        for page in PAGES:
            await person.tab.page(page)
        assert not person.tab.errors
        await person.tab.close()
    return people


def tokens(hub: Hub) -> list[bytes]:
    return [token.value.encode() for token in hub.store.tokens.values()]


def contents(*folders: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file below, hidden ones too, and its name."""
    for folder in folders:
        for root, _, names in os.walk(folder):
            for name in names:
                path = Path(root) / name
                with suppress(OSError):
                    yield path, os.fsencode(path) + path.read_bytes()


def test_nothing_private_reaches_another_visitor(left):
    for name, person in left.people.items():
        heard = b"\n".join(person.heard)
        for other in ("alice", "bob"):
            for what in MARKS:
                assert name == other or mark(other, what).encode() not in heard, f"{what} of {other} at {name}"
    assert mark("bob", "repo").encode() not in b"\n".join([*left.people["alice"].heard, *left.people["nobody"].heard])


def test_the_search_finds_its_marks(left):
    for name, marks in (("alice", ("repo", "file", "push", "error")), ("bob", ("repo", "file"))):
        heard = b"\n".join(left.people[name].heard)
        assert not [what for what in marks if mark(name, what).encode() not in heard]


def test_no_token_is_sent_logged_linked_or_written(left):
    kept = {left.home / "token"}
    contents_by_name = {f"the wire of {name}": b"\n".join(person.heard) for name, person in left.people.items()}
    contents_by_name |= {"the server's log": left.app.log.encode()}
    contents_by_name |= {f"{r.method} {r.path}": f"{r.path}?{r.query}".encode() for r in left.hub.log}
    contents_by_name |= {f"the address of {name}": person.tab.query.encode() for name, person in left.people.items()}
    pushed = f"alice/{mark('alice', 'push')}"
    assert b"transformer-playground" in left.hub.files(pushed)["README.md"], "the model card"
    contents_by_name |= {f"{pushed}/{name}": content for name, content in left.hub.files(pushed).items()}
    contents_by_name |= {
        str(path): content for path, content in contents(left.app.folder, left.home, left.temporary) if path not in kept
    }
    for where, content in contents_by_name.items():
        assert not [token for token in tokens(left.hub) if token in content], where


def test_the_host_and_cookies_take_no_part(left):
    assert {request.user for request in left.hub.log} == {"", "alice", "bob"}
    assert {request.cookie for request in left.hub.log} == {""}


def test_only_the_owner_requests_private_models(left):
    allowed, refused = set(), set()
    for request in left.hub.log:
        for owner in ("alice", "bob"):
            if mark(owner, "repo") in request.path and not request.path.startswith("/files/"):
                good = request.status is not None and request.status < 400
                (allowed if good else refused).add((request.user, owner))
    assert allowed == {("alice", "alice"), ("bob", "bob")}
    assert refused >= {("bob", "alice"), ("", "alice"), ("", "bob")}


def test_a_pulled_model_belongs_to_its_visitor(left):
    holding = [path for path, content in contents(left.app.folder, left.home, left.temporary) if b"canary-" in content]
    homes = {path.relative_to(left.app.folder).parts[:2] for path in holding if path.name != "server.log"}
    assert len(homes) == 1, homes
    assert "canary-" not in left.app.log
    config = next(json.loads(path.read_bytes()) for path in holding if path.name == "config.json")
    assert config["origin"]["repo_id"] == f"alice/{mark('alice', 'repo')}"


def test_a_dump_of_a_session_shows_no_token(hub):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=HANG).run()
    app.switch_page("pages/checkpoints.py").run()
    next(field for field in app.text_input if field.label == "Access token").set_value(hub.token("alice"))
    next(button for button in app.button if button.label == "Sign in").click()
    until(lambda: SIGN_IN.name in app.run().session_state)
    assert isinstance(app.session_state[SIGN_IN.name], SecretStr)
    assert hub.token("alice") not in repr(app.session_state)


def test_concurrent_visitors_get_their_own_data(hub, tmp_path):
    """By one client, which all of them share, and into folders of their own."""
    files = checkpoint(SAMPLE)
    for owner in ("alice", "bob"):
        hub.put_repo(f"{owner}/model", files, private=True)

    def asks(turn: int) -> tuple[str, str, str]:
        name, owner = ("alice", "bob", "nobody")[turn % 3], ("alice", "bob")[turn % 2]
        token = SecretStr(hub.token(name)) if name != "nobody" else False
        try:
            pull(Reference(f"{owner}/model"), Library(tmp_path / name / str(turn)), token)
        except HubError as error:
            return name, owner, error.kind
        return name, owner, "pulled"

    with ThreadPoolExecutor(6) as pool:
        outcomes = set(pool.map(asks, range(36)))
    assert outcomes == {
        (name, owner, "pulled" if name == owner else "not_found") for name in PEOPLE for owner in ("alice", "bob")
    }
    assert len([*tmp_path.glob("*/*/model/model.safetensors")]) == len([*tmp_path.glob("*/*/*")]) == 12
