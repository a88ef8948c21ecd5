"""Pulling: what is on the Hub is checked before it is downloaded, and nothing foreign is believed or left behind."""

import gzip
import os
import shutil
from pathlib import Path

import httpx2
import pytest
from pydantic import SecretStr

from playground.common.errors import HubError
from playground.hub import gallery as gallery_module
from playground.hub import library_use
from playground.hub.account import whoami
from playground.hub.calls import hub_call
from playground.hub.gallery import forget, gallery, mine
from playground.hub.pull import branches, commits, fetch, inspect_repo, newer, pull
from playground.hub.reference import Reference, parse_reference
from playground.storage.archive import as_zip
from playground.storage.checkpoint import load, save
from playground.storage.library import Library
from playground.storage.validation import CONFIG, HISTORY, WEIGHTS, Origin
from playground.ui.server import hub_client
from tests.hub import Hub
from tests.hub.samples import MARKUP, TAG, checkpoint, fill, hostile
from tests.saved import FULL_DISK, RECORDS, fail_at, logits, tiny, tree


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a tiny checkpoint."""
    folder = tmp_path_factory.mktemp("good") / "model"
    save(folder, tiny(seed=3), RECORDS)
    return checkpoint(folder)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "library", quota_bytes=1_000_000)


def token(hub: Hub, name: str) -> SecretStr:
    return SecretStr(hub.token(name))


def kept(library: Library) -> set[str]:
    """Everything in a library's folder, hidden or not."""
    return set(os.listdir(library.root)) if library.root.exists() else set()


def downloads(hub: Hub, since: int) -> list[str]:
    """The files that were downloaded whole."""
    return [request.path for request in hub.log[since:] if "/resolve" in request.path and not request.range]


def fails(call, kind: str) -> HubError:
    """The error with which a call fails: one sentence."""
    with pytest.raises(HubError) as caught:
        call()
    assert caught.value.kind == kind, caught.value
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert "hf_" not in sentence
    assert len(sentence) < 400
    return caught.value


# --- good ones ------------------------------------------------------------------------------------


def test_a_pulled_model_computes_the_same_bits_and_has_its_origin(hub, good, library):
    hub.put_repo("ada/tiny", good)
    commit = hub.commits("ada/tiny")[0].id
    listing = inspect_repo(Reference("ada/tiny"), False)
    assert (listing.commit, listing.problem, listing.private) == (commit, "", False)
    assert listing.bytes == sum(len(good[name]) for name in (CONFIG, WEIGHTS, HISTORY))
    assert listing.summary is not None
    assert listing.summary.measured["exact_match"] == 0.5
    reports: list[tuple[str, float | None]] = []
    pulled = pull(Reference("ada/tiny"), library, False, on_progress=lambda *report: reports.append(report))
    assert (pulled.name, pulled.cached, pulled.origin) == ("tiny", False, Origin("ada/tiny", commit))
    assert ("Downloading", 1.0) in reports
    assert kept(library) == {"tiny"}
    loaded = library.load("tiny")
    assert logits(loaded.model).equal(logits(tiny(seed=3)))
    assert loaded.history == RECORDS
    assert loaded.origin == pulled.origin
    card = (library.path("tiny") / "README.md").read_text()
    assert "base_model:\n- ada/tiny\n" in card
    assert f"[ada/tiny](https://huggingface.co/ada/tiny), commit `{commit[:7]}`" in card
    assert as_zip(library.path("tiny"))


def test_a_commit_is_downloaded_once_and_another_model_of_that_name_gets_a_number(hub, good, library):
    hub.put_repo("ada/tiny", good)
    hub.put_repo("bob/tiny", good)
    first = pull(Reference("ada/tiny"), library, False)
    before = len(hub.log)
    again = pull(Reference("ada/tiny", first.origin.revision), library, False)
    assert (again.name, again.cached) == ("tiny", True)
    assert len(hub.log) == before, "a commit that is here needs no network"
    assert pull(Reference("ada/tiny"), library, False).cached
    assert not downloads(hub, before)
    assert pull(Reference("bob/tiny"), library, False).name == "tiny-2"
    hub.commit("ada/tiny", {"notes.txt": "more"}, "Trained on")
    newest = newer(first.origin, False)
    assert newest is not None
    assert newest.title == "Trained on"
    assert pull(Reference("ada/tiny"), library, False).name == "tiny-3"
    assert newer(Origin("ada/tiny", newest.id), False) is None


def test_history_branches_and_any_revision(hub, good, library):
    hub.put_repo("ada/tiny", good, title=MARKUP)
    first = hub.commits("ada/tiny")[0].id
    hub.commit("ada/tiny", {"notes.txt": "x"}, "Two")
    listed = commits("ada/tiny", None, False)
    assert [commit.title for commit in listed][:2] == ["Two", MARKUP[:200]]
    assert listed[0].authors == ("ada",)
    assert listed[0].date is not None
    assert len(commits("ada/tiny", None, False, limit=1)) == 1
    assert branches("ada/tiny", False) == ["main"]
    assert inspect_repo(Reference("ada/tiny", first), False).commit == first
    fails(lambda: inspect_repo(Reference("ada/tiny", "nowhere"), False), "revision")


def test_without_the_hub_a_copy_is_used_and_named(hub, good, library, tmp_path):
    hub.put_repo("ada/tiny", good)
    pulled = pull(Reference("ada/tiny"), library, False)
    cache = tmp_path / "cache"
    folder = library_use.fetch(Reference("ada/tiny"), False, cache)
    hub.down()
    again = pull(Reference("ada/tiny"), library, False)
    assert (again.name, again.cached) == ("tiny", True)
    assert "Can't reach the Hub" in again.message
    assert pulled.origin.short in again.message
    fails(lambda: pull(Reference("ada/other"), library, False), "offline")
    fails(lambda: pull(Reference("ada/tiny", "0" * 40), library, False), "offline")
    fails(gallery, "offline")
    assert library_use.cached(Reference("ada/tiny"), cache) == folder
    assert library_use.cached(Reference("ada/other"), cache) is None
    assert logits(load(folder, links_into=cache).model).equal(logits(tiny(seed=3)))


# --- hostile ones ---------------------------------------------------------------------------------

REFUSED = {
    "pickle": "is a pickle file, which can run code",
    "pickle-in-disguise": "its header has an invalid length",
    "lying-header": "does not match its config.json",
    "ten-gigabytes": "10,737,418,240 bytes",
    "long-header": "10,485,760 bytes",
    "vast-vocabulary": "vocab_size can't be 1000000000",
    "unknown-keys": "is not a setting",
    "big-config": "larger than the limit of 4,064,000 bytes",
    "markup": "task.name can't be",
    "empty": "has no model.safetensors",
}


def test_an_unusable_model_is_reported_before_anything_is_downloaded(hub, good, library):
    for name, files in hostile(good).items():
        hub.put_repo(f"mallory/{name}", files, tags=[TAG])
    for name in hostile(good):
        before = len(hub.log)
        listing = inspect_repo(Reference(f"mallory/{name}"), False)
        assert listing.problem.isprintable()
        assert all(path.isprintable() for path in listing.files)
        if name in REFUSED:
            assert REFUSED[name] in listing.problem
            fails(lambda name=name: pull(Reference(f"mallory/{name}"), library, False), "refused")
            assert not downloads(hub, before)
            assert kept(library) == set()
    pulled = pull(Reference("mallory/path-tricks"), library, False)
    assert tree(library.root).keys() == {pulled.name} | {f"{pulled.name}/{name}" for name in good}


def test_invalid_downloaded_weights_are_refused_and_deleted(hub, good, library):
    weights = bytearray(good[WEIGHTS])
    weights[-4:] = b"\x00\x00\xc0\x7f"  # not a number
    hub.put_repo("mallory/nan", good | {WEIGHTS: bytes(weights)})
    hub.put_repo("mallory/history", good | {HISTORY: b'{"step": 0}\n{"step": 0}\n'})
    for name in ("nan", "history"):
        assert inspect_repo(Reference(f"mallory/{name}"), False).problem == ""
        error = fails(lambda name=name: pull(Reference(f"mallory/{name}"), library, False), "refused")
        assert f"mallory/{name}/" in str(error)
        assert str(library.root) not in str(error)
    assert kept(library) == set()


def test_cache_links_lead_only_into_the_cache(hub, good, tmp_path):
    hub.put_repo("ada/tiny", good)
    cache = tmp_path / "cache"
    folder = fetch(inspect_repo(Reference("ada/tiny"), False), False, cache)
    outside = tmp_path / "outside.json"
    outside.write_bytes(good[CONFIG])
    (folder / CONFIG).unlink()
    (folder / CONFIG).symlink_to(outside)
    with pytest.raises(ValueError, match="not a regular file"):
        load(folder, links_into=cache)
    with pytest.raises(ValueError, match="not a regular file"):
        load(folder)


# --- what goes wrong ------------------------------------------------------------------------------


def test_each_refusal_has_its_message(hub, good, library):
    hub.put_repo("alice/hidden", good, private=True)
    hub.put_repo("bob/gated", good, gated="manual")
    alice, bob = token(hub, "alice"), token(hub, "bob")
    assert inspect_repo(Reference("alice/hidden"), alice).private
    for who in (bob, False):
        there = str(fails(lambda who=who: inspect_repo(Reference("alice/hidden"), who), "not_found"))
        missing = str(fails(lambda who=who: inspect_repo(Reference("alice/nothing"), who), "not_found"))
        assert there.replace("hidden", "nothing") == missing, "what is private looks the same as what is not there"
    nowhere = fails(lambda: inspect_repo(Reference("alice/hidden", "v9"), alice), "revision")
    assert str(nowhere) == "alice/hidden has no revision v9. Choose another branch, tag or commit."
    assert "Request access" in str(fails(lambda: inspect_repo(Reference("bob/gated"), alice), "gated"))
    for call in (
        lambda: inspect_repo(Reference("ada/tiny"), token(hub, "expired")),
        lambda: whoami(token(hub, "expired")),
    ):
        assert "Sign in again" in str(fails(call, "signed_out"))
    fails(lambda: whoami(SecretStr("not a token\n")), "signed_out")
    fails(lambda: whoami(False), "signed_out")
    assert whoami(alice).orgs == ("wonderland",)
    assert (whoami(alice).can_write, whoami(token(hub, "reader")).can_write) == (True, False)
    assert kept(library) == set()


GETS = [
    ("GET", "/api/models/ada/tiny"),
    ("GET", "config.json"),
    ("GET", "model.safetensors"),
    ("GET", "/history.jsonl"),
]


@pytest.mark.parametrize("match", GETS, ids=" ".join)
def test_any_call_of_a_pull_may_fail_without_partial_results(hub, good, library, match):
    hub.put_repo("ada/tiny", good)

    def attempt() -> None:
        pull(Reference("ada/tiny"), library, False)

    hub.fail(match, 500)
    assert "internal error (500)" in str(fails(attempt, "server"))
    hub.heal()
    hub.fail(match, 429, retry_after=77)
    error = fails(attempt, "rate")
    assert error.retry_after == 77
    assert "in 77 seconds" in str(error)
    hub.heal()
    hub.silent(match)
    fails(attempt, "timeout")
    hub.heal()
    hub.lose_reply(match, times=None)
    fails(attempt, "cut")
    hub.heal()
    assert kept(library) <= set()
    attempt()
    assert kept(library) == {"tiny"}


def test_an_interrupted_download_is_retried_once(hub, good, library):
    hub.put_repo("ada/tiny", good)
    listing = inspect_repo(Reference("ada/tiny"), False)
    hub.cut(("GET", "model.safetensors"), after_bytes=1000, times=1)
    assert pull(Reference("ada/tiny"), library, False, listing=listing).name == "tiny"
    library.delete("tiny")
    hub.cut(("GET", "model.safetensors"), after_bytes=1000)
    fails(lambda: pull(Reference("ada/tiny"), library, False, listing=listing), "cut")
    assert kept(library) == {".deleted"}


def test_a_slow_response_is_ended_at_the_deadline(hub, good):
    hub.put_repo("ada/tiny", good)
    hub.slow("/api/models/ada/tiny", rate=100)
    with pytest.raises(HubError) as caught, hub_call("ada/tiny", False, seconds=0.5) as calls:
        calls.model_info("ada/tiny")
    assert caught.value.kind == "timeout"


def test_a_response_over_its_limit_is_refused_and_a_small_one_stays_small(hub, good):
    hub.put_repo("ada/tiny", good)
    with pytest.raises(HubError) as caught, hub_call("ada/tiny", False, max_bytes=100) as calls:
        calls.model_info("ada/tiny")
    assert caught.value.kind == "server"
    packed = httpx2.ByteStream(gzip.compress(bytes(1_000_000)))
    response = httpx2.Response(200, headers={"Content-Encoding": "gzip"}, stream=packed)
    response.request = httpx2.Request("GET", f"{hub.url}/api/models")
    hub_client._limit_response(response)
    assert len(response.read()) < 10_000


def test_a_full_disk_and_a_full_library_are_reported_without_leftovers(hub, good, library, monkeypatch):
    hub.put_repo("ada/tiny", good)
    with monkeypatch.context() as patch:
        fail_at(patch, ("fsync",), {1}, FULL_DISK)
        assert "No space left" in str(fails(lambda: pull(Reference("ada/tiny"), library, False), "disk"))
    assert kept(library) == set()
    library.quota_bytes = int(1.5 * sum(map(len, good.values())))
    pull(Reference("ada/tiny"), library, False)
    library.delete("tiny")
    shutil.rmtree(library.root)
    library.quota_bytes = 1000
    assert "The limit per visitor is" in str(fails(lambda: pull(Reference("ada/tiny"), library, False), "quota"))
    assert kept(library) == set()


def test_no_call_waits_for_minutes_or_uses_the_account_of_the_host(hub, good, library, monkeypatch, tmp_path):
    monkeypatch.setenv("HF_TOKEN", hub.token("host"))
    hub.put_repo("ada/tiny", good)
    pull(parse_reference(f"{hub.url}/ada/tiny"), library, False)
    commits("ada/tiny", None, False)
    branches("ada/tiny", False)
    gallery()
    assert {request.user for request in hub.log} == {""}


def test_cookies_are_not_sent_back():
    with hub_client.Client() as http:
        request = http.build_request("GET", "http://127.0.0.1/api/models")
        http.cookies.extract_cookies(httpx2.Response(200, headers={"Set-Cookie": "who=alice; Path=/"}, request=request))
        assert "cookie" not in http.build_request("GET", "http://127.0.0.1/api/models").headers


# --- the gallery ----------------------------------------------------------------------------------


def test_the_gallery_lists_all_models_and_names_problems(hub, good, tmp_path, monkeypatch):
    for name in ("copy", "reverse"):
        for file, content in good.items():
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / file).write_bytes(content)
    fill(hub, tmp_path)
    forget()
    page = gallery(size=48)
    problems = [bool(each.problem) for each in page.listings]
    assert problems == sorted(problems), "those that can be used come first"
    listed = {listing.repo_id: listing for listing in page.listings}
    assert "alice/hidden" not in listed
    assert not page.more
    usable = {repo_id for repo_id, listing in listed.items() if not listing.problem}
    assert usable == {"alice/copy", "alice/reverse", "bob/copy-again", "bob/reverse-again", "mallory/path-tricks",
                      "mallory/broken-card"}  # fmt: skip
    assert "Request access" in listed["bob/gated"].problem
    for name, words in REFUSED.items():
        assert words in listed[f"mallory/{name}"].problem
    asked = len(hub.log)
    assert gallery(size=48) == page
    assert len(hub.log) == asked, "for all visitors it is asked once in a while"
    assert {request.user for request in hub.log} == {""}
    assert {each.repo_id for each in gallery("copy").listings} == {"alice/copy", "bob/copy-again"}
    by_downloads = [each.downloads for each in gallery(sort="downloads", size=3).listings]
    assert by_downloads == sorted(by_downloads, reverse=True)
    assert by_downloads[0] == 40
    with monkeypatch.context() as patch:
        patch.setattr(gallery_module, "FRESH_SECONDS", 0.0)
        hub.fail("/api/models", 429, times=1)
        assert gallery(size=48) == page, "an older answer is better than none"
        hub.fail("/api/models", 429, times=1)
        fails(lambda: gallery("never asked before"), "rate")
    first, second = gallery(sort="likes", size=3), gallery(sort="likes", page=1, size=3)
    assert first.more
    assert not {each.repo_id for each in first.listings} & {each.repo_id for each in second.listings}
    own = {each.repo_id: each for each in mine("alice", token(hub, "alice")).listings}
    assert own.keys() == {"alice/copy", "alice/reverse", "alice/hidden"}
    assert own["alice/hidden"].private
    assert "alice/hidden" not in {each.repo_id for each in mine("alice", token(hub, "bob")).listings}
