"""Pushing: one commit or none, never two, and the truth about which it was."""

from pathlib import Path

import pytest
from huggingface_hub import ModelCard
from pydantic import SecretStr

from playground.common.errors import UNANSWERED, CheckpointError
from playground.hub import preparation
from playground.hub import push as pushing
from playground.hub.jobs import Cancelled
from playground.hub.preparation import Prepared, prepare
from playground.hub.pull import pull
from playground.hub.push import Pushed, destination, push
from playground.hub.reference import Reference
from playground.pictures import charts
from playground.storage.checkpoint import save
from playground.storage.library import Library
from tests.hub import Hub
from tests.saved import CHANGES, RECORDS, tiny
from tests.test_hub_pull import fails, token


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "model"
    save(folder, tiny(seed=3), RECORDS, CHANGES)
    return folder


@pytest.fixture(scope="module")
def prepared(folder: Path) -> Prepared:
    """For ada's repository, drawn once."""
    return prepare(folder, "alice/tiny", app_url="https://playground.example")


@pytest.fixture
def alice(hub: Hub) -> SecretStr:
    return token(hub, "alice")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushing, "_RETRY_PAUSES", (0.0, 0.01, 0.01))


def again(prepared: Prepared, hub: Hub, who: SecretStr, **options) -> Pushed:
    """A push on top of what is there now."""
    there = destination("alice/tiny", options.get("branch", "main"), who)
    parent = there.head.id if there.head else None
    return push(prepared, "alice/tiny", who, **{"message": "Mine", "parent": parent} | options)


def titles(hub: Hub, revision: str = "main") -> list[str]:
    return [commit.title for commit in hub.commits("alice/tiny", revision)]


# --- there ----------------------------------------------------------------------------------------


def test_a_push_is_one_commit_with_exactly_these_files_and_a_tag(hub, alice, prepared):
    assert not destination("alice/tiny", "main", alice).exists
    reports: list[tuple[str, float | None]] = []
    done = again(
        prepared, hub, alice, private=True, message="  Mine\n ", on_progress=lambda *report: reports.append(report)
    )
    assert titles(hub) == ["Mine", "initial commit"]
    files = hub.files("alice/tiny")
    assert {name: files[name] for name in prepared.files} == prepared.files
    assert files.keys() - prepared.files.keys() <= {".gitattributes"}
    assert (done.created, done.commit, done.pr_url) == (True, hub.commits("alice/tiny")[0].id, None)
    assert done.commit_url == f"{hub.url}/alice/tiny/commit/{done.commit}"
    assert done.tag == prepared.tag
    assert hub.commits("alice/tiny", done.tag)[0].id == done.commit
    assert [share for _, share in reports] == sorted(share for _, share in reports)
    there = destination("alice/tiny", "main", alice)
    assert there.private
    assert there.head is not None
    assert there.head.id == done.commit
    same = again(prepared, hub, alice)
    assert "already has exactly this content" in same.message
    assert same.commit == done.commit
    assert len(titles(hub)) == 2


def test_the_card_is_valid_for_the_hub_and_has_the_results(prepared):
    data = ModelCard(prepared.card).data
    assert {"transformer-playground", "reverse", "encoder-decoder"} <= set(data.tags)
    assert (data.license, data.library_name, data.pipeline_tag) == ("mit", "transformer-playground", "text-generation")
    assert data.datasets == ["generator"]
    assert data.model_name == "tiny"
    assert {result.metric_type: result.metric_value for result in data.eval_results} == {
        "exact_match": 0.5,
        "accuracy": 0.75,
    }
    assert f'playground.load("alice/tiny", revision="{prepared.tag}")' in prepared.card
    assert f"https://playground.example/step_through?hub=alice/tiny@{prepared.tag})" in prepared.card
    assert "- after step 1: dropout 0.0 → 0.25" in prepared.card
    assert prepared.files["curve.png"].startswith(b"\x89PNG")
    assert "](curve.png)" in prepared.card
    assert prepared.card.count("| right |") + prepared.card.count("| wrong, ") == 5
    assert prepared.title == "Reverse after 2 steps: 50.0 % exact"


def test_the_tag_depends_on_the_model(folder, prepared, tmp_path):
    assert prepare(folder, "bob/else").tag == prepared.tag
    assert prepare(folder, "bob/else", create_pr=True).tag is None
    save(tmp_path / "other", tiny(seed=4), RECORDS, CHANGES)
    assert prepare(tmp_path / "other", "alice/tiny").tag != prepared.tag
    with pytest.raises(CheckpointError):
        prepare(tmp_path / "nothing", "alice/tiny")
    assert "is not a valid branch name. Use letters" in str(
        fails(lambda: destination("alice/tiny", "a b", False), "invalid")
    )
    for name in ("tiny", "alice/../tiny", "alice/<b>"):
        fails(lambda name=name: prepare(folder, name), "invalid")


def test_without_the_drawing_library_the_card_has_no_curves(folder, monkeypatch):
    monkeypatch.setitem(charts._DRAWERS, "png", "raise SystemExit(1)")
    preparation._curve.cache_clear()
    made = prepare(folder, "alice/tiny")
    assert "curve.png" not in made.files
    assert "curve.png" not in made.card
    assert made.problem
    preparation._curve.cache_clear()


def test_a_branch_is_created_and_a_pull_request_opened(hub, alice, folder, prepared):
    again(prepared, hub, alice)
    other = prepare(folder, "alice/tiny", app_url="https://else.example")
    done = again(other, hub, alice, branch="trial")
    assert titles(hub, "trial")[0] == "Mine"
    assert hub.commits("alice/tiny", "main")[0].id != done.commit
    request = prepare(folder, "alice/tiny", create_pr=True)
    opened = again(request, hub, token(hub, "bob"), create_pr=True, message="From bob")
    assert opened.pr_url == f"{hub.url}/alice/tiny/discussions/1"
    assert titles(hub, "refs/pr/1")[0] == "From bob"
    assert titles(hub)[0] == "Mine"
    hub.lose_reply(("POST", "/commit/"))
    third = prepare(folder, "alice/tiny", app_url="https://third.example", create_pr=True)
    lost = again(third, hub, token(hub, "bob"), create_pr=True, message="Again from bob")
    assert lost.pr_url == f"{hub.url}/alice/tiny/discussions/2"
    fails(lambda: again(request, hub, alice, create_pr=True, branch="trial"), "invalid")
    for_nobody = prepare(folder, "alice/nothing", create_pr=True)
    fails(lambda: push(for_nobody, "alice/nothing", alice, message="x", parent=None, create_pr=True), "not_found")
    assert "alice/nothing" not in hub.repos


def test_a_failed_tag_is_reported_and_created_by_the_next_push(hub, alice, prepared):
    hub.fail(("POST", "/tag/"), 500)
    done = again(prepared, hub, alice)
    assert done.tag is None
    assert "did not confirm the tag" in done.message
    hub.heal()
    assert again(prepared, hub, alice).tag == prepared.tag
    assert len(titles(hub)) == 2


def test_a_pulled_model_is_pushed_back_unchanged_and_elsewhere_with_its_base_model(hub, alice, prepared, tmp_path):
    done = again(prepared, hub, alice)
    library = Library(tmp_path)
    name = pull(Reference("alice/tiny"), library, alice).name
    back = prepare(library.path(name), "alice/tiny", app_url="https://playground.example")
    assert back.files == prepared.files
    assert "already has exactly this content" in again(back, hub, alice).message
    fork = prepare(library.path(name), "bob/fork")
    card = ModelCard(fork.card).data
    assert card.base_model == ["alice/tiny"]
    assert (card.license, card.license_link) == ("other", "https://huggingface.co/alice/tiny"), "not ours to choose"
    assert f"commit `{done.commit[:7]}`" in fork.card
    assert b"origin" not in fork.files["config.json"]


def test_a_push_cancelled_after_its_commit_is_reported_as_done(hub, alice, prepared):
    def unwanted(stage: str, share: float | None) -> None:
        if share == 0.95:
            raise Cancelled

    assert again(prepared, hub, alice, on_progress=unwanted).tag == prepared.tag


# --- or not ---------------------------------------------------------------------------------------


def test_a_push_in_between_is_reported_and_nothing_is_overwritten(hub, alice, folder, prepared):
    first = again(prepared, hub, alice).commit
    other = prepare(folder, "alice/tiny", app_url="https://else.example")
    hub.commit("alice/tiny", {"notes.txt": "mine"}, "Theirs", author="bob")

    error = fails(lambda: again(other, hub, alice, parent=first), "stale")
    assert (error.landed, error.head.title, error.head.authors) == (False, "Theirs", ("bob",))

    def meanwhile(stage: str, share: float | None) -> None:
        if stage == "Committing":
            hub.commit("alice/tiny", {"notes.txt": "more"}, "Theirs again", author="bob")

    error = fails(lambda: again(other, hub, alice, on_progress=meanwhile), "stale")
    assert (error.landed, error.head.title) == (False, "Theirs again")
    assert titles(hub)[0] == "Theirs again"
    again(other, hub, alice)
    assert titles(hub)[:2] == ["Mine", "Theirs again"]
    assert hub.files("alice/tiny")["notes.txt"] == b"more"


@pytest.mark.parametrize("status", [None, 502])
def test_a_lost_response_is_not_a_failure_and_nothing_is_pushed_twice(hub, alice, folder, prepared, status):
    hub.lose_reply(("POST", "/commit/"), status=status)
    done = again(prepared, hub, alice)
    assert "response was lost" in done.message
    assert done.commit == hub.commits("alice/tiny")[0].id
    assert done.tag == prepared.tag
    assert len(titles(hub)) == 2
    other = prepare(folder, "alice/tiny", app_url="https://else.example")
    hub.lose_reply(("POST", "/commit/"), status=status)
    stages: list[str] = []

    def meanwhile(stage: str, share: float | None) -> None:
        stages.append(stage)
        if stage == "Tagging":
            hub.commit("alice/tiny", {"notes.txt": "x"}, "Theirs")

    assert again(other, hub, alice, message="Second", on_progress=meanwhile).commit == hub.commits("alice/tiny")[1].id
    assert titles(hub) == ["Theirs", "Second", "Mine", "initial commit"]


def test_an_unknown_outcome_is_reported(hub, alice, prepared):
    again(prepared, hub, alice)
    hub.commit("alice/tiny", {"README.md": "other"}, "Theirs")
    hub.silent(("POST", "/commit/"))
    hub.fail(("GET", "/commits/"), 500, skip=2)  # after both looks before the push
    error = fails(lambda: again(prepared, hub, alice), "timeout")
    assert error.landed is None
    assert error.outcome == "It is unknown whether the commit is on the Hub: the check failed, too."
    assert f"{hub.url}/alice/tiny" in str(error)


CALLS = [
    ("GET", "/api/models/alice/tiny"),
    ("POST", "/api/repos/create"),
    ("POST", "/preupload/"),
    ("POST", "/info/lfs/objects/batch"),
    ("PUT", "/upload/"),
    ("POST", "/info/lfs/objects/verify"),
    ("POST", "/api/validate-yaml"),
    ("POST", "/commit/"),
]


@pytest.mark.parametrize("match", CALLS, ids=" ".join)
def test_any_call_of_a_push_may_fail_without_loss_or_duplicates(hub, alice, prepared, match):
    def attempt() -> Pushed:
        # As a page does that has seen no repository: what a first attempt made must not stand in the way.
        return push(prepared, "alice/tiny", alice, message="Mine", parent=None)

    for kind, order in {
        "server": lambda: hub.fail(match, 500),
        "rate": lambda: hub.fail(match, 429, retry_after=30),
        "timeout": lambda: hub.silent(match),
        "forbidden": lambda: hub.fail(match, 403),
        "cut": lambda: hub.lose_reply(match, times=None),
    }.items():
        if kind == "cut" and ("commit" in match[1] or "create" in match[1]):
            continue  # what was asked is done: see test_hub_outcomes.py
        order()
        # The storage of large files knows no accounts, so that a refusal there is no matter of the token.
        error = fails(attempt, "server" if kind == "forbidden" and match[0] == "PUT" else kind)
        asked = "commit" in match[1] and kind in UNANSWERED
        assert error.landed is (None if asked else False)
        assert asked or "othing was pushed" in error.outcome
        assert ("was created" in error.outcome) is (error.created is True)
        hub.heal()
        assert "Mine" not in titles(hub)
    attempt()
    assert titles(hub) == ["Mine", "initial commit"]


def test_a_token_without_write_access_is_reported(hub, alice, prepared):
    for name, kind in {"expired": "signed_out", "reader": "forbidden", "bob": "forbidden"}.items():
        who = token(hub, name)
        fails(lambda who=who: push(prepared, "alice/tiny", who, message="x", parent=None), kind)
    fails(lambda: push(prepared, "alice/tiny", False, message="x", parent=None), "signed_out")
    hub.fail(("POST", "/api/repos/create"), 409, message="You already created this model repo", times=1)
    fails(lambda: push(prepared, "alice/tiny", alice, message="x", parent=None), "taken")
    hub.put_repo("alice/tiny", {"notes.txt": "hidden"}, private=True)
    fails(lambda: push(prepared, "alice/tiny", token(hub, "bob"), message="x", parent=None), "forbidden")
    error = fails(lambda: push(prepared, "alice/tiny", alice, message="x", parent=None), "stale")
    assert error.head.title == "Upload model"
