"""The message after a failed call to the Hub is true: known, looked up, or reported as unknown."""

import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

import playground
from playground import cli
from playground.common.errors import HubError
from playground.hub import library_use
from playground.hub import push as pushing
from playground.hub.jobs import Jobs
from playground.hub.preparation import prepare
from playground.hub.pull import inspect_repo, pull
from playground.hub.reference import Reference
from playground.recording import REPOSITORY
from playground.storage.checkpoint import save
from playground.storage.library import Library
from playground.storage.validation import HISTORY, WEIGHTS
from tests.helpers import HANG, until
from tests.hub import Hub
from tests.hub.samples import checkpoint
from tests.hub.scenarios import SCENARIOS
from tests.saved import RECORDS, tiny
from tests.test_hub_pull import fails, token


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved") / "model"
    save(folder, tiny(seed=3), RECORDS)
    return folder


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushing, "_RETRY_PAUSES", (0.0, 0.01, 0.01), raising=False)


def send(folder: Path, hub: Hub, **options) -> pushing.Pushed:
    return playground.push(folder, "alice/tiny", token=hub.token("alice"), **options)


def error_of(call: Callable[[], object]) -> HubError | None:
    """The error with which a call ends; None if it does not fail."""
    try:
        call()
    except HubError as error:
        return error
    return None


def titles(hub: Hub) -> list[str]:
    return [commit.title for commit in hub.commits("alice/tiny")]


# --- a commit -------------------------------------------------------------------------------------


def test_a_commit_that_lands_after_the_time_out_is_found_and_tagged(hub, folder, monkeypatch):
    late = hub.hold(("POST", "/commit/"), unanswered=True)
    stages: list[str] = []

    def between_two_looks(_seconds: float) -> None:
        if "Committing" in stages:
            assert late.held.wait(HANG)
            late.release.set()
            until(lambda: len(titles(hub)) == 2)

    monkeypatch.setattr(pushing, "time", SimpleNamespace(sleep=between_two_looks))
    made = prepare(folder, "alice/tiny")
    done = pushing.push(
        made,
        "alice/tiny",
        token(hub, "alice"),
        message="",
        parent=None,
        on_progress=lambda stage, _: stages.append(stage),
    )
    assert done.message == f"Commit {done.commit[:7]} is on alice/tiny. The Hub's response was lost."
    assert hub.commits("alice/tiny", done.tag)[0].id == done.commit
    assert len(titles(hub)) == 2


def test_a_commit_that_lands_later_gets_only_its_tag_from_the_next_push(hub, folder):
    late = hub.hold(("POST", "/commit/"), unanswered=True)
    error = fails(lambda: send(folder, hub), "timeout")
    assert (error.landed, error.created) == (None, True)
    assert error.problem == "The Hub did not respond in time."
    assert error.outcome == (
        "The repository alice/tiny was created. The commit was not found on the Hub, but it may still appear."
    )
    assert "no duplicate commit is made" in error.advice
    assert f"{hub.url}/alice/tiny" in error.advice
    looks = [request for request in hub.log if "/commits/" in request.path]
    assert len(looks) >= 3
    assert titles(hub) == ["initial commit"]

    assert late.held.wait(HANG)
    late.release.set()
    until(lambda: len(titles(hub)) == 2)
    again = send(folder, hub)
    assert "already has exactly this content. No commit was made." in again.message
    assert hub.commits("alice/tiny", again.tag)[0].id == again.commit
    assert len(titles(hub)) == 2


def test_an_unanswered_upload_makes_no_commit(hub, folder):
    hub.silent(("PUT", "/upload/"))
    error = fails(lambda: send(folder, hub), "timeout")
    assert (error.landed, error.created) == (False, True)
    assert error.outcome == "The repository alice/tiny was created, but nothing was pushed."
    assert not [request for request in hub.log if "/commit/" in request.path]


def test_a_push_that_fails_early_has_pushed_nothing(hub, folder):
    hub.down()
    error = fails(lambda: send(folder, hub), "offline")
    assert (error.landed, error.created, error.outcome) == (False, False, "Nothing was pushed.")


def test_an_unexpected_error_leaves_the_outcome_unknown():
    def work(_tell) -> None:
        raise RuntimeError

    jobs = Jobs()
    job = jobs.start("a", "push", work)
    until(lambda: job.done)
    assert job.error is not None
    assert job.error.landed is None
    assert job.error.outcome == "It is unknown whether its commit is on the Hub."


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_scenario_ends_in_a_result_or_an_error_that_is_true(hub, folder, tmp_path, name):
    hub.put_repo("bob/tiny", checkpoint(folder))
    SCENARIOS[name].order(hub)
    error = error_of(lambda: send(folder, hub))
    landed = error.landed if error else True
    assert landed in (len(titles(hub)) == 2, None)
    assert landed is None or name not in ("commit-late", "commit-silent")
    assert error is None or error.outcome
    error = error_of(lambda: playground.load("bob/tiny", cache_dir=tmp_path, token=False))
    assert error is None or error.kind in ("not_found", "forbidden")


def test_the_command_line_reports_an_unknown_outcome(hub, folder, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", hub.token("alice"))
    hub.silent(("POST", "/commit/"))
    ran = CliRunner().invoke(cli.app, ["push", str(folder), "alice/tiny"])
    assert ran.exit_code == 2
    assert ran.stderr.startswith("Error: The Hub did not respond in time. The repository alice/tiny was created. ")
    assert "The commit was not found on the Hub, but it may still appear." in ran.stderr


# --- the repository and the tag -------------------------------------------------------------------


@pytest.mark.parametrize("status", [None, 502])
def test_a_repository_with_unconfirmed_creation_is_pushed_to(hub, folder, status):
    hub.lose_reply(("POST", "/api/repos/create"), status=status)
    done = send(folder, hub, private=True)
    assert done.created
    assert hub.repos["alice/tiny"].private
    assert len(titles(hub)) == 2


def test_an_unconfirmed_creation_is_reported_when_the_push_fails(hub, folder):
    hub.lose_reply(("POST", "/api/repos/create"))
    hub.fail(("POST", "/preupload/"), 403)
    error = fails(lambda: send(folder, hub), "forbidden")
    assert (error.landed, error.created) == (False, True)
    assert error.outcome == "The repository alice/tiny was created, but nothing was pushed."


def test_a_possible_creation_is_reported(hub, folder):
    hub.silent(("POST", "/api/repos/create"))
    error = fails(lambda: send(folder, hub), "timeout")
    assert (error.landed, error.created) == (False, None)
    assert error.outcome == "Nothing was pushed, but alice/tiny may have been created."


def test_a_private_push_refuses_a_public_repository_created_meanwhile(hub, folder):
    hub.put_repo("alice/tiny", {})
    hub.fail(("GET", "/api/models/alice/tiny"), 404, code="RepoNotFound", times=2)
    error = fails(lambda: send(folder, hub, private=True), "taken")
    assert error.problem == "alice/tiny already exists and is public."
    assert "model.safetensors" not in hub.files("alice/tiny")


@pytest.mark.parametrize("times", [1, None])
def test_a_new_repository_that_the_hub_does_not_find_yet_is_waited_for(hub, folder, times):
    # Both looks before the creation find nothing anyway.
    hub.fail(("GET", "/api/models/alice/tiny"), 404, code="RepoNotFound", times=times, skip=2)
    if times:
        assert send(folder, hub).created
        assert len(titles(hub)) == 2
        return
    error = fails(lambda: send(folder, hub), "not_found")
    assert (error.landed, error.created) == (False, True)
    assert error.problem == "The Hub does not find alice/tiny yet."
    assert error.outcome == "The repository alice/tiny was created, but nothing was pushed."
    assert error.advice == "Push again in a minute."
    hub.heal()
    assert send(folder, hub).tag


@pytest.mark.parametrize("status", [None, 502])
def test_a_tag_that_was_not_confirmed_is_looked_up(hub, folder, status):
    hub.lose_reply(("POST", "/tag/"), status=status)
    done = send(folder, hub)
    assert hub.commits("alice/tiny", done.tag)[0].id == done.commit
    assert "tag" not in done.message


def test_a_tag_on_another_model_is_reported(hub, folder, tmp_path):
    tag = send(folder, hub).tag
    hub.repos["alice/tiny"].tags[tag] = hub.commits("alice/tiny")[1].id
    done = send(folder, hub)
    assert done.tag is None
    assert f"Another model has the tag {tag}" in done.message


# --- what is there --------------------------------------------------------------------------------


def test_an_outcome_claims_no_push_to_a_missing_repository(hub, folder):
    hub.put_repo("alice/tiny", {"README.md": "here for a year"})
    hub.fail(("GET", "/api/models/alice/tiny"), 404, code="RepoNotFound", times=1)
    error = fails(lambda: send(folder, hub), "stale")
    head = hub.commits("alice/tiny")[0].id
    assert error.problem == f"alice/tiny is now at commit {head[:7]}. This push expected a new branch."
    assert error.outcome == "Nothing was pushed."
    assert send(folder, hub).commit == hub.commits("alice/tiny")[0].id


@pytest.mark.parametrize("skip", [1, 2])
def test_a_not_found_response_is_checked_again(hub, folder, skip):
    """The first call of a push, and the one after it, of a repository that was seen a moment before."""
    hub.put_repo("alice/tiny", {"README.md": "here for a year"})
    there = pushing.destination("alice/tiny", "main", token(hub, "alice"))
    hub.fail(("GET", "/api/models/alice/tiny"), 404, code="RepoNotFound", times=1, skip=(skip - 1) * 3)
    assert there.head is not None
    made = prepare(folder, "alice/tiny")
    done = pushing.push(made, "alice/tiny", token(hub, "alice"), message="Mine", parent=there.head.id)
    assert done.commit == hub.commits("alice/tiny")[0].id


def test_a_failed_read_does_not_ask_for_a_write_token(hub, folder, tmp_path):
    hub.put_repo("alice/tiny", checkpoint(folder))
    listing = inspect_repo(Reference("alice/tiny"), False)
    hub.fail("/resolve", 403)
    library = Library(tmp_path)
    for who in (False, token(hub, "bob")):
        looked = fails(lambda who=who: inspect_repo(Reference("alice/tiny"), who), "forbidden")
        pulled = fails(lambda who=who: pull(Reference("alice/tiny"), library, who, listing=listing), "forbidden")
        for error in (looked, pulled):
            assert "cannot read alice/tiny" in error.problem
            assert "writ" not in str(error)


def test_a_storage_error_does_not_blame_the_account(hub, folder, tmp_path):
    hub.put_repo("alice/tiny", checkpoint(folder))
    listing = inspect_repo(Reference("alice/tiny"), False)
    hub.fail(("GET", "/files/"), 403)
    error = fails(lambda: pull(Reference("alice/tiny"), Library(tmp_path / "x"), False, listing=listing), "server")
    assert error.problem == "The Hub's file storage refused a file of alice/tiny (error 403)."


# --- the cache ------------------------------------------------------------------------------------


def test_files_of_the_cache_pass_the_same_checks_without_the_hub_as_with_it(hub, folder, tmp_path, monkeypatch):
    """A model that is refused after its download stays refused when the network is gone."""
    good = checkpoint(folder)
    cache, out = tmp_path / "cache", tmp_path / "out"
    monkeypatch.setattr(library_use, "HF_HUB_CACHE", str(cache))
    wrong = {
        "nan": {WEIGHTS: good[WEIGHTS][:-4] + b"\x00\x00\xc0\x7f"},
        "history": {HISTORY: b'{"step": 0}\n{"step": 0}\n'},
    }
    commits = {name: hub.put_repo(f"mallory/{name}", good | files).id for name, files in wrong.items()}

    def attempt(name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", library_use.FromCacheWarning)
            library_use.pull_to(f"mallory/{name}", out, revision=commits[name], token=False, overwrite=False)

    online = {name: str(fails(lambda name=name: attempt(name), "refused")) for name in wrong}
    hub.down()
    for name in wrong:
        assert str(fails(lambda name=name: attempt(name), "refused")) == online[name]
        with pytest.raises(HubError, match="mallory/"):
            playground.load(f"mallory/{name}", revision=commits[name], cache_dir=cache, local_files_only=True)
    assert not out.exists()


def test_the_cache_is_shared_with_the_hubs_own_library(hub, folder, tmp_path):
    import huggingface_hub

    hub.put_repo("alice/tiny", checkpoint(folder))
    playground.load("alice/tiny", cache_dir=tmp_path, token=False)
    (repo,) = huggingface_hub.scan_cache_dir(tmp_path).repos
    assert (repo.repo_id, sorted(repo.refs)) == ("alice/tiny", ["main"])
    for name in ("config.json", WEIGHTS):
        path = huggingface_hub.hf_hub_download("alice/tiny", name, cache_dir=tmp_path, local_files_only=True)
        assert Path(path).read_bytes() == checkpoint(folder)[name]
    other = tmp_path / "other"
    huggingface_hub.snapshot_download("alice/tiny", cache_dir=other, endpoint=hub.url, token=False)
    before = len(hub.log)
    playground.load("alice/tiny", cache_dir=other, token=False)
    assert not [request.path for request in hub.log[before:] if "/resolve/" in request.path and not request.range]


# --- no claim by parsing --------------------------------------------------------------------------


def test_no_module_parses_an_error_message():
    texts = {path: path.read_text() for path in (REPOSITORY / "playground").rglob("*.py")}
    assert not [str(path) for path, text in texts.items() if "str(error).partition(" in text]


def test_a_token_is_in_no_message(hub, folder):
    secret = SecretStr(hub.token("alice"))
    hub.fail("/api/models/alice", 400, message=f"who is {secret.get_secret_value()}")
    assert secret.get_secret_value() not in str(fails(lambda: inspect_repo(Reference("alice/tiny"), secret), "invalid"))
