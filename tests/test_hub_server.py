"""The small Hub of the tests, driven by the unmodified client: it must answer as the real one does."""

import base64
import hashlib
import json
import time
import warnings
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    NotASafetensorsRepoError,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from tests.hub import File, Hub

SAMPLE = Path(__file__).parent.parent / "checkpoints" / "copy-1-16"
CONTENT = {path.name: path.read_bytes() for path in SAMPLE.iterdir()}


def api(hub: Hub, name: str = "") -> HfApi:
    return HfApi(endpoint=hub.url, token=hub.token(name) if name else False)


def add(files: dict[str, bytes]) -> list[CommitOperationAdd]:
    return [CommitOperationAdd(path, content) for path, content in files.items()]


def test_a_checkpoint_goes_up_in_one_commit_and_comes_down_as_it_was(hub, tmp_path):
    alice = api(hub, "alice")
    url = alice.create_repo("alice/copy", private=True)
    assert (url.repo_id, str(url)) == ("alice/copy", f"{hub.url}/alice/copy")
    first = alice.model_info("alice/copy")
    done = alice.create_commit(
        "alice/copy", add(CONTENT), commit_message="Add it", commit_description="Why", parent_commit=first.sha
    )
    assert done.commit_url == f"{hub.url}/alice/copy/commit/{done.oid}"
    assert len(hub.commits("alice/copy")) == 2

    info = alice.model_info("alice/copy", revision=done.oid, files_metadata=True)
    sizes = {each.rfilename: each.size for each in info.siblings}
    assert sizes == {name: len(content) for name, content in CONTENT.items()} | {
        ".gitattributes": sizes[".gitattributes"]
    }
    assert [each.rfilename for each in info.siblings if each.lfs] == ["model.safetensors"]
    assert (info.private, info.author, info.library_name) == (True, "alice", "transformer-playground")
    assert {"transformer-playground", "license:mit"} <= {*info.tags}

    for name, content in CONTENT.items():
        path = alice.hf_hub_download("alice/copy", name, revision=done.oid, cache_dir=tmp_path)
        assert Path(path).read_bytes() == content
    folder = alice.snapshot_download("alice/copy", cache_dir=tmp_path / "other")
    assert {path.name for path in Path(folder).iterdir()} == {*CONTENT, ".gitattributes"}
    assert alice.get_safetensors_metadata("alice/copy").parameter_count["F32"] * 4 < len(CONTENT["model.safetensors"])
    assert {entry.path for entry in alice.list_repo_tree("alice/copy", recursive=True)} == {*CONTENT, ".gitattributes"}


def test_the_token_never_reaches_the_storage_of_large_files(hub, tmp_path):
    hub.put_repo("alice/copy", CONTENT, private=True)
    api(hub, "alice").hf_hub_download("alice/copy", "model.safetensors", cache_dir=tmp_path)
    fetched = [request for request in hub.log if request.path.startswith("/files/")]
    assert [(request.user, request.status) for request in fetched] == [("", 200)]
    link = f"{hub.cdn}{fetched[0].path}"
    assert httpx2.get(link).status_code == 403, "its address must carry a signature"
    assert httpx2.get(f"{link}?{fetched[0].query}", headers={"authorization": "Bearer x"}).status_code == 400


def test_a_stale_parent_changes_nothing(hub):
    alice = api(hub, "alice")
    seen = hub.put_repo("alice/copy", CONTENT)
    other = hub.commit("alice/copy", {"notes.txt": "mine"}, author="bob")
    with pytest.raises(HfHubHTTPError, match="A commit has happened since") as refused:
        alice.create_commit("alice/copy", add({"a.txt": b"a"}), commit_message="mine", parent_commit=seen.id)
    assert refused.value.response.status_code == 412
    assert hub.commits("alice/copy")[0] == other


def test_what_has_not_changed_makes_no_commit(hub):
    hub.put_repo("alice/copy", CONTENT)
    head = hub.commits("alice/copy")[0].id
    assert api(hub, "alice").create_commit("alice/copy", add(CONTENT), commit_message="again").oid == head
    api(hub, "alice").create_commit("alice/copy", [CommitOperationDelete("README.md")], commit_message="less")
    assert "README.md" not in hub.files("alice/copy")
    assert not [request for request in hub.log if request.method == "PUT"], "large files that are there stay there"


def test_names_branches_tags_and_pull_requests(hub):
    alice, bob = api(hub, "alice"), api(hub, "bob")
    alice.create_repo("alice/copy")
    with pytest.raises(HfHubHTTPError, match="already created") as taken:
        alice.create_repo("alice/copy")
    assert taken.value.response.status_code == 409
    assert alice.create_repo("alice/copy", exist_ok=True).repo_id == "alice/copy"
    alice.create_branch("alice/copy", branch="try/this")
    alice.create_commit("alice/copy", add({"a.txt": b"a"}), commit_message="on a branch", revision="try/this")
    alice.create_tag("alice/copy", tag="v1", revision="try/this")
    for again in (
        lambda: alice.create_tag("alice/copy", tag="v1"),
        lambda: alice.create_branch("alice/copy", branch="try/this"),
    ):
        with pytest.raises(HfHubHTTPError) as there:
            again()
        assert there.value.response.status_code == 409
    opened = bob.create_commit("alice/copy", add({"b.txt": b"b"}), commit_message="for you", create_pr=True)
    assert (opened.pr_num, opened.pr_revision) == (1, "refs/pr/1")

    refs = bob.list_repo_refs("alice/copy", include_pull_requests=True)
    assert [ref.name for ref in refs.branches] == ["main", "try/this"]
    assert [ref.name for ref in refs.tags] == ["v1"]
    assert [ref.ref for ref in refs.pull_requests] == ["refs/pr/1"]
    commits = bob.list_repo_commits("alice/copy", revision="refs/pr/1")
    assert [(each.title, each.authors) for each in commits] == [("for you", ["bob"]), ("initial commit", ["alice"])]
    assert bob.model_info("alice/copy", revision="refs/pr/1").sha == opened.oid
    assert bob.file_exists("alice/copy", "a.txt", revision="v1")
    assert not bob.file_exists("alice/copy", "a.txt")
    alice.delete_repo("alice/copy")
    assert not hub.repos


def test_who_may_do_what(hub, tmp_path):
    hub.put_repo("alice/hidden", CONTENT, private=True)
    hub.put_repo("alice/gated", CONTENT, gated="manual", admitted=["bob"])
    for name in ("", "bob"):
        for missing in ("alice/hidden", "alice/nowhere"):
            with pytest.raises(RepositoryNotFoundError):
                api(hub, name).model_info(missing)
            with pytest.raises(RepositoryNotFoundError):
                api(hub, name).hf_hub_download(missing, "config.json", cache_dir=tmp_path)
    for name in ("", "reader"):
        assert api(hub, name).model_info("alice/gated").gated == "manual"
        with pytest.raises(GatedRepoError):
            api(hub, name).hf_hub_download("alice/gated", "config.json", cache_dir=tmp_path)
    assert api(hub, "bob").hf_hub_download("alice/gated", "config.json", cache_dir=tmp_path)

    with pytest.raises(RevisionNotFoundError):
        api(hub, "alice").model_info("alice/hidden", revision="nowhere")
    with pytest.raises(RemoteEntryNotFoundError):
        api(hub, "alice").hf_hub_download("alice/hidden", "nothing.txt", cache_dir=tmp_path)
    with pytest.raises(NotASafetensorsRepoError):
        api(hub, "alice").get_safetensors_metadata("alice/hidden", revision=hub.commits("alice/hidden")[1].id)

    refused = {"expired": 401, "reader": 403, "bob": 403, "fine": 403}
    for name, status in refused.items():
        with pytest.raises(HfHubHTTPError) as error:
            api(hub, name).create_repo("alice/new")
        assert error.value.response.status_code == status
    hub.put_repo("alice/fine", {})
    assert api(hub, "fine").create_commit("alice/fine", add({"a.txt": b"a"}), commit_message="mine").oid
    with pytest.raises(HfHubHTTPError, match="write access"):
        api(hub, "fine").create_commit("alice/gated", add({"a.txt": b"a"}), commit_message="mine")


def test_every_answer_sets_a_cookie_and_the_log_tells_who_brings_it_back(hub):
    with httpx2.Client(headers={"authorization": f"Bearer {hub.token('alice')}"}) as client:
        for _ in range(2):
            client.get(f"{hub.url}/api/whoami-v2")
    assert [request.cookie for request in hub.log] == ["", "was=alice"]


def test_who_am_i(hub):
    account = api(hub, "alice").whoami()
    assert (account["name"], account["fullname"], [org["name"] for org in account["orgs"]]) == (
        "alice",
        "Alice Liddell",
        ["wonderland"],
    )
    roles = {name: api(hub, name).whoami()["auth"]["accessToken"]["role"] for name in ("alice", "reader", "fine")}
    assert roles == {"alice": "write", "reader": "read", "fine": "fineGrained"}
    hub.expire("alice")
    with pytest.raises(HfHubHTTPError, match="Invalid user token"):
        api(hub, "alice").whoami()


def test_models_are_listed_by_tag_in_order_and_page_by_page(hub):
    for number in range(5):
        hub.put_repo(f"alice/model-{number}", {}, tags=["mine"], downloads=(number * 3) % 5, private=number == 4)
    hub.put_repo("bob/other", CONTENT)
    anyone = api(hub)
    assert [each.id for each in anyone.list_models(filter=["mine"], sort="downloads")] == [
        f"alice/model-{number}" for number in (3, 1, 2, 0)
    ]
    assert [each.id for each in anyone.list_models(filter="mine", search="DEL-2")] == ["alice/model-2"]
    listed = anyone.list_models(filter=["transformer-playground"], sort="last_modified", expand=["sha", "cardData"])
    assert [(each.id, each.sha, each.card_data.license) for each in listed] == [
        ("bob/other", hub.commits("bob/other")[0].id, "mit")
    ]
    assert "alice/model-4" in {each.id for each in api(hub, "alice").list_models(author="alice")}

    pages = []
    address = f"{hub.url}/api/models?filter=mine&limit=3"
    while address:
        answer = httpx2.get(address)
        pages.append(len(answer.json()))
        address = answer.links.get("next", {}).get("url")
    assert pages == [3, 1]


def test_a_card_is_checked_before_anything_goes_up(hub):
    alice = api(hub, "alice")
    alice.create_repo("alice/copy")
    for card, words in (
        ("---\nlicense: mine\n---\n", "license"),
        ("---\na: [\n---\n", "YAML"),
        ("---\nmodel-index:\n- a: 1\n---\n", "name"),
    ):
        with pytest.raises(ValueError, match=words):
            alice.create_commit("alice/copy", add({"README.md": card.encode()}), commit_message="bad")
    with pytest.warns(UserWarning, match="empty or missing"):
        alice.create_commit("alice/copy", add({"README.md": b"no front matter"}), commit_message="bare")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alice.create_commit("alice/copy", add({"README.md": CONTENT["README.md"]}), commit_message="good")


def test_ranges_and_declared_sizes(hub):
    hub.put_repo("mallory/huge", {"model.safetensors": File(b"head", large=True, declared=10 * 2**30)})
    info = api(hub).model_info("mallory/huge", files_metadata=True)
    assert {each.size for each in info.siblings if each.lfs} == {10 * 2**30}
    address = f"{hub.url}/mallory/huge/resolve/main/model.safetensors"
    answer = httpx2.get(address, headers={"range": "bytes=2-5"}, follow_redirects=True)
    assert (answer.status_code, answer.content) == (206, b"ad\0\0")
    assert answer.headers["content-range"] == f"bytes 2-5/{10 * 2**30}"
    assert httpx2.head(address).headers["x-linked-size"] == str(10 * 2**30)


def test_faults_come_as_ordered_and_end(hub):
    hub.put_repo("alice/copy", CONTENT)
    address, weights = f"{hub.url}/api/models/alice/copy", f"{hub.url}/alice/copy/resolve/main/model.safetensors"
    hub.fail(("GET", "/api/models/"), 429, times=1, retry_after=7)
    answer = httpx2.get(address)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    assert httpx2.get(address).status_code == 200

    fault = hub.cut("model.safetensors", after_bytes=1000, times=1)
    with pytest.raises(httpx2.RemoteProtocolError):
        httpx2.get(weights, follow_redirects=True)
    assert fault.hits == 1
    assert httpx2.get(weights, follow_redirects=True).content == CONTENT["model.safetensors"]

    fault = hub.hang_up(("POST", "/api/repos/create"))
    with pytest.raises(httpx2.RemoteProtocolError):
        api(hub, "alice").create_repo("alice/new")
    assert (fault.hits, "alice/new" in hub.repos) == (1, False)

    hub.silent("/api/models/")
    with pytest.raises(httpx2.ReadTimeout):
        httpx2.get(address, timeout=0.2)
    hub.heal()
    hub.slow("/api/models/", 0.1, rate=10_000, times=1)
    start = time.monotonic()
    assert httpx2.get(address).json()["id"] == "alice/copy"
    assert time.monotonic() - start > 0.1

    hub.down()
    with pytest.raises(httpx2.ConnectError):
        httpx2.get(address)
    hub.up()
    assert httpx2.get(address).status_code == 200


@pytest.mark.parametrize("status", [None, 500])
def test_a_lost_reply_has_done_its_work(hub, status):
    hub.put_repo("alice/copy", CONTENT)
    hub.lose_reply(("POST", "/commit/"), status=status)
    with pytest.raises(HfHubHTTPError if status else httpx2.RemoteProtocolError):
        api(hub, "alice").create_commit("alice/copy", add({"a.txt": b"a"}), commit_message="lost")
    assert [commit.title for commit in hub.commits("alice/copy")] == ["lost", "Upload model", "initial commit"]
    assert [str(request) for request in hub.log[-1:]] == [f"alice POST /api/models/alice/copy/commit/main {status}"]
    assert hub.token("alice") not in json.dumps([vars(request) for request in hub.log])


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "==")


def test_people_sign_in_to_an_app_with_their_account(hub):
    app = hub.add_app("http://app.example/oauth2callback")
    known = httpx2.get(f"{hub.url}/.well-known/openid-configuration").json()
    hub.browse_as("bob")
    verifier = "v" * 43
    asked = {"client_id": app.id, "redirect_uri": app.redirects[0], "response_type": "code", "state": "s", "nonce": "n"}
    asked |= {"scope": "openid profile contribute-repos", "code_challenge_method": "S256"}
    asked["code_challenge"] = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    page = httpx2.get(known["authorization_endpoint"], params=asked)
    assert "contribute-repos" in page.text
    assert page.headers["x-frame-options"] == "DENY"
    elsewhere = httpx2.get(known["authorization_endpoint"], params=asked | {"redirect_uri": "http://evil.example"})
    assert elsewhere.status_code == 400

    def codes(**more: str) -> dict[str, list[str]]:
        answer = httpx2.post(known["authorization_endpoint"], data=asked | more)
        return parse_qs(urlsplit(answer.headers["location"]).query)

    assert codes(answer="no") == {"error": ["access_denied"], "state": ["s"]}
    grant = {
        "grant_type": "authorization_code",
        "code": codes(answer="yes")["code"][0],
        "redirect_uri": app.redirects[0],
    }
    assert httpx2.post(known["token_endpoint"], data=grant, auth=(app.id, "wrong")).status_code == 401
    granted = httpx2.post(
        known["token_endpoint"], data=grant | {"code_verifier": verifier}, auth=(app.id, app.secret)
    ).json()
    again = httpx2.post(known["token_endpoint"], data=grant | {"code_verifier": verifier}, auth=(app.id, app.secret))
    assert again.json() == {"error": "invalid_grant"}

    head, claims, signature = granted["id_token"].split(".")
    (published,) = httpx2.get(known["jwks_uri"]).json()["keys"]
    modulus, exponent = (int.from_bytes(decoded(published[name])) for name in ("n", "e"))
    opened = pow(int.from_bytes(decoded(signature)), exponent, modulus).to_bytes(256)
    assert opened.endswith(hashlib.sha256(f"{head}.{claims}".encode()).digest())
    person = json.loads(decoded(claims))
    assert (person["preferred_username"], person["aud"], person["nonce"]) == ("bob", app.id, "n")

    apps = HfApi(endpoint=hub.url, token=granted["access_token"])
    assert apps.whoami()["auth"]["type"] == "oauth"
    apps.create_repo("bob/made", private=True)
    hub.put_repo("bob/hidden", CONTENT, private=True)
    hub.put_repo("bob/open", CONTENT)
    assert apps.create_commit("bob/made", add({"a.txt": b"a"}), commit_message="mine").oid
    with pytest.raises(RepositoryNotFoundError):
        apps.model_info("bob/hidden")
    with pytest.raises(HfHubHTTPError, match="write access"):
        apps.create_commit("bob/open", add({"a.txt": b"a"}), commit_message="not mine")
    hub.expire(app.name)
    with pytest.raises(HfHubHTTPError, match="Invalid user token"):
        apps.whoami()
