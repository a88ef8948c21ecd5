"""The small Hub of the tests, driven by its own library: what the tests of the app itself don't show of it."""

import base64
import hashlib
import json
import time
import warnings
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from huggingface_hub import CommitOperationAdd, HfApi
from huggingface_hub.errors import (
    HfHubHTTPError,
    RepositoryNotFoundError,
)

from playground.hub.calls import NoResponse
from tests.helpers import HANG
from tests.hub import File, Hub

get, post, head = (partial(call, timeout=HANG) for call in (httpx2.get, httpx2.post, httpx2.head))
SAMPLE = Path(__file__).parent.parent / "checkpoints" / "copy-1-16"
CONTENT = {path.name: path.read_bytes() for path in SAMPLE.iterdir()}


def api(hub: Hub, name: str = "") -> HfApi:
    return HfApi(endpoint=hub.url, token=hub.token(name) if name else False)


def add(files: dict[str, bytes]) -> list[CommitOperationAdd]:
    return [CommitOperationAdd(path, content) for path, content in files.items()]


def test_the_token_never_reaches_the_storage_of_large_files(hub, tmp_path):
    hub.put_repo("alice/copy", CONTENT, private=True)
    api(hub, "alice").hf_hub_download("alice/copy", "model.safetensors", cache_dir=tmp_path)
    fetched = [request for request in hub.log if request.path.startswith("/files/")]
    assert [(request.user, request.status) for request in fetched] == [("", 200)]
    link = f"{hub.cdn}{fetched[0].path}"
    assert get(link).status_code == 403, "its address must carry a signature"
    assert get(f"{link}?{fetched[0].query}", headers={"authorization": "Bearer x"}).status_code == 400


def test_a_fine_grained_token_writes_its_repositories_alone(hub):
    hub.put_repo("alice/fine", {})
    hub.put_repo("alice/other", {})
    fine = api(hub, "fine")
    assert fine.create_commit("alice/fine", add({"a.txt": b"a"}), commit_message="mine").oid
    with pytest.raises(HfHubHTTPError, match="write access"):
        fine.create_commit("alice/other", add({"a.txt": b"a"}), commit_message="mine")
    with pytest.raises(HfHubHTTPError) as error:
        fine.create_repo("alice/new")
    assert error.value.response.status_code == 403


def test_every_answer_sets_a_cookie_and_the_log_tells_who_brings_it_back(hub):
    with httpx2.Client(headers={"authorization": f"Bearer {hub.token('alice')}"}) as client:
        for _ in range(2):
            client.get(f"{hub.url}/api/whoami-v2")
    assert [request.cookie for request in hub.log] == ["", "was=alice"]


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
    answer = get(address, headers={"range": "bytes=2-5"}, follow_redirects=True)
    assert (answer.status_code, answer.content) == (206, b"ad\0\0")
    assert answer.headers["content-range"] == f"bytes 2-5/{10 * 2**30}"
    assert head(address).headers["x-linked-size"] == str(10 * 2**30)


def test_faults_come_as_ordered_and_end(hub):
    hub.put_repo("alice/copy", CONTENT)
    address, weights = f"{hub.url}/api/models/alice/copy", f"{hub.url}/alice/copy/resolve/main/model.safetensors"
    hub.fail(("GET", "/api/models/"), 429, times=1, retry_after=7)
    answer = get(address)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    assert get(address).status_code == 200

    fault = hub.cut("model.safetensors", after_bytes=1000, times=1)
    with pytest.raises(httpx2.RemoteProtocolError):
        get(weights, follow_redirects=True)
    assert fault.hits == 1
    assert get(weights, follow_redirects=True).content == CONTENT["model.safetensors"]

    fault = hub.hang_up(("POST", "/api/repos/create"))
    with pytest.raises(NoResponse):
        api(hub, "alice").create_repo("alice/new")
    assert (fault.hits, "alice/new" in hub.repos) == (1, False)

    hub.silent("/api/models/")
    with pytest.raises(httpx2.ReadTimeout):
        get(address, timeout=0.2)
    hub.heal()
    hub.slow("/api/models/", 0.1, rate=10_000, times=1)
    start = time.monotonic()
    assert get(address).json()["id"] == "alice/copy"
    assert time.monotonic() - start > 0.1

    hub.down()
    with pytest.raises(httpx2.ConnectError):
        get(address)
    hub.up()
    assert get(address).status_code == 200


@pytest.mark.parametrize("status", [None, 500])
def test_a_lost_reply_has_done_its_work(hub, status):
    hub.put_repo("alice/copy", CONTENT)
    hub.lose_reply(("POST", "/commit/"), status=status)
    with pytest.raises(HfHubHTTPError if status else NoResponse):
        api(hub, "alice").create_commit("alice/copy", add({"a.txt": b"a"}), commit_message="lost")
    assert [commit.title for commit in hub.commits("alice/copy")] == ["lost", "Upload model", "initial commit"]
    assert [str(request) for request in hub.log[-1:]] == [f"alice POST /api/models/alice/copy/commit/main {status}"]
    assert hub.token("alice") not in json.dumps([vars(request) for request in hub.log])


def decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "==")


def test_people_sign_in_to_an_app_with_their_account(hub):
    app = hub.add_app("http://app.example/oauth2callback")
    known = get(f"{hub.url}/.well-known/openid-configuration").json()
    hub.browse_as("bob")
    verifier = "v" * 43
    asked = {"client_id": app.id, "redirect_uri": app.redirects[0], "response_type": "code", "state": "s", "nonce": "n"}
    asked |= {"scope": "openid profile contribute-repos", "code_challenge_method": "S256"}
    asked["code_challenge"] = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    page = get(known["authorization_endpoint"], params=asked)
    assert "contribute-repos" in page.text
    assert page.headers["x-frame-options"] == "DENY"
    elsewhere = get(known["authorization_endpoint"], params=asked | {"redirect_uri": "http://evil.example"})
    assert elsewhere.status_code == 400

    def codes(**more: str) -> dict[str, list[str]]:
        answer = post(known["authorization_endpoint"], data=asked | more)
        return parse_qs(urlsplit(answer.headers["location"]).query)

    assert codes(answer="no") == {"error": ["access_denied"], "state": ["s"]}
    grant = {
        "grant_type": "authorization_code",
        "code": codes(answer="yes")["code"][0],
        "redirect_uri": app.redirects[0],
    }
    assert post(known["token_endpoint"], data=grant, auth=(app.id, "wrong")).status_code == 401
    granted = post(known["token_endpoint"], data=grant | {"code_verifier": verifier}, auth=(app.id, app.secret)).json()
    again = post(known["token_endpoint"], data=grant | {"code_verifier": verifier}, auth=(app.id, app.secret))
    assert again.json() == {"error": "invalid_grant"}

    head, claims, signature = granted["id_token"].split(".")
    (published,) = get(known["jwks_uri"]).json()["keys"]
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
    with pytest.raises(HfHubHTTPError, match="is expired"):
        apps.whoami()
