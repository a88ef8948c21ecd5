"""Who is signed in, and what is remembered of who has signed out; without pages."""

import gc
import json
import time

import pytest
from pydantic import SecretStr

from playground.common.errors import HubError
from playground.hub import sign_ins
from playground.hub.account import Account, whoami
from playground.hub.preparation import prepare
from playground.hub.push import push
from playground.hub.sign_ins import SignIns
from playground.recording import REPOSITORY

TOKEN = SecretStr("hf_oauth_of_alice")


@pytest.fixture
def kept(tmp_path):
    """A second call is the same host after a restart."""
    return lambda: SignIns(tmp_path / "private")


def test_signing_out_ends_the_sign_in_wherever_it_is_held(kept):
    sign_ins = kept()
    one, other = (sign_ins.begin("browser", TOKEN, from_cookie=True) for _ in range(2))
    assert one is other, "all tabs of a browser hold the same"
    copied = sign_ins.begin("elsewhere", TOKEN, from_cookie=True)
    pasted = sign_ins.begin("browser", SecretStr("hf_pasted"))
    again = sign_ins.begin("browser", SecretStr("hf_pasted"))
    assert pasted is not again, "a pasted token belongs to one tab"
    phone = sign_ins.begin("phone", SecretStr("hf_oauth_phone"), from_cookie=True)
    changed: list[str] = []
    sign_ins.on_change = changed.append
    assert set(sign_ins.active("browser")) == {one, pasted, again}
    sign_ins.sign_out("browser")
    assert sorted(changed) == ["browser", "elsewhere"], "their tabs draw the page again"
    assert [*sign_ins.active("browser"), *sign_ins.active("elsewhere")] == []
    assert sign_ins.active("phone") == [phone]
    for each in (one, copied, pasted, again):
        with pytest.raises(HubError, match="You have signed out") as caught:
            each.get_secret_value()
        assert caught.value.kind == "signed_out"
        assert TOKEN.get_secret_value() not in str(vars(each))
    assert phone.get_secret_value() == "hf_oauth_phone"
    assert sign_ins.begin("browser", TOKEN, from_cookie=True).ended == "signed out"
    assert sign_ins.begin("browser", SecretStr("hf_pasted")).ended is None, "who pastes it again signs in again"


def test_a_refused_token_is_expired_in_all_tabs(kept):
    sign_ins = kept()
    held = sign_ins.begin("browser", TOKEN, from_cookie=True)
    pasted = sign_ins.begin("browser", SecretStr("hf_pasted"))
    sign_ins.expire(held)
    assert (held.ended, pasted.ended) == ("expired", None)
    assert sign_ins.has_ended(TOKEN)


def test_what_was_signed_out_stays_so_after_a_restart(kept):
    sign_ins = kept()
    sign_ins.begin("browser", TOKEN, from_cookie=True)  # in a tab that is closed again
    sign_ins.sign_out("browser", SecretStr("hf_oauth_in_a_cookie"))
    after = kept()
    assert after.key() == sign_ins.key(), "who has not signed out stays signed in"
    assert after.has_ended(TOKEN)
    assert after.has_ended(SecretStr("hf_oauth_in_a_cookie"))
    assert not after.has_ended(SecretStr("hf_oauth_of_bob"))


def test_the_file_holds_digests_for_this_user_alone(kept, tmp_path):
    sign_ins = kept()
    sign_ins.begin("browser", TOKEN, from_cookie=True)
    sign_ins.begin("browser", SecretStr("hf_pasted"))
    sign_ins.sign_out("browser")
    (file,) = (tmp_path / "private").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert "hf_" not in file.read_text()
    assert len(json.loads(file.read_text())["signed_out"]) == 1, "a pasted token is in no cookie"


def test_a_pasted_token_needs_no_file(kept, tmp_path):
    sign_ins = kept()
    sign_ins.begin("browser", SecretStr("hf_pasted"))
    sign_ins.sign_out("browser")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content",
    [None, b"", b"{", b"null", b"[]", b'{"key": "short"}', b'{"signed_out": {"x": 1}}', b"[" * 100_000, b"\xff"],
    ids=str,
)
def test_where_the_file_is_lost_no_earlier_cookie_is_valid(kept, tmp_path, content):
    sign_ins = kept()
    before = sign_ins.key()
    sign_ins.sign_out("browser", TOKEN)
    (file,) = (tmp_path / "private").iterdir()
    file.unlink()
    if content is not None:
        file.write_bytes(content)
    after = kept()
    assert after.key() != before
    assert kept().key() == after.key()


def test_a_sign_out_that_cannot_be_saved_makes_all_cookies_invalid_at_the_next_start(kept, monkeypatch, caplog):
    sign_ins = kept()
    before = sign_ins.key()

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        sign_ins.sign_out("browser", TOKEN)
    assert "cannot be saved" in caplog.text
    assert sign_ins.has_ended(TOKEN)
    assert kept().key() != before


def test_the_file_is_bounded_and_forgets_nobody_who_has_signed_out(kept, monkeypatch):
    monkeypatch.setattr(sign_ins, "MAX_KEPT", 3)
    kept_ins = kept()
    tokens = [SecretStr(f"hf_oauth_{number}") for number in range(6)]
    began = time.time()
    for token in tokens:
        kept_ins.sign_out("browser", token)
    for each in (kept_ins, kept()):
        assert len(each._read().signed_out) == 3
        assert all(each.has_ended(token, issued=began - 60) for token in tokens)
        assert each.has_ended(SecretStr("hf_oauth_without_a_date"))
        assert not each.has_ended(SecretStr("hf_oauth_new"), issued=time.time() + 1)


def test_a_digest_is_kept_for_as_long_as_its_cookie_can_be_read(kept, monkeypatch):
    kept_ins, now = kept(), time.time()
    kept_ins.sign_out("browser", TOKEN)
    for days, there in ((sign_ins.KEPT_DAYS - 1, True), (sign_ins.KEPT_DAYS + 1, False)):
        monkeypatch.setattr("playground.hub.sign_ins.time.time", lambda days=days: now + days * 86400)
        kept_ins.sign_out("browser", SecretStr(f"hf_oauth_after_{days}"))
        assert (sign_ins._digest(TOKEN) in kept()._read().signed_out) == there
        assert kept().has_ended(TOKEN, issued=now - 60), "or a clock that was ahead would bring it back"


def test_two_servers_on_one_folder_forget_nothing_of_each_other(kept):
    one, other = kept(), kept()
    assert one.key() == other.key()
    one.sign_out("browser", TOKEN)
    other.sign_out("browser", SecretStr("hf_oauth_of_bob"))
    assert kept().has_ended(TOKEN)
    assert kept().has_ended(SecretStr("hf_oauth_of_bob"))


def test_a_token_goes_with_the_last_tab_that_holds_it(kept):
    sign_ins = kept()
    held = sign_ins.begin("browser", SecretStr("hf_pasted"))
    assert list(sign_ins._live) == [held]
    assert "hf_pasted" not in f"{held!r} {held} {[held]}"
    del held
    gc.collect()
    assert not list(sign_ins._live)


def test_the_hub_is_not_asked_with_a_token_that_was_signed_out(hub, kept):
    sign_ins = kept()
    held = sign_ins.begin("browser", SecretStr(hub.token("alice")))
    assert whoami(held) == Account("alice", whoami(held).orgs, True)
    sign_ins.sign_out("browser")
    asked = len(hub.log)
    with pytest.raises(HubError, match="You have signed out"):
        whoami(held)
    assert len(hub.log) == asked


SAMPLE = REPOSITORY / "checkpoints" / "copy-1-16"


@pytest.mark.parametrize("new", [True, False])
def test_a_push_that_is_under_way_stops_before_its_commit(hub, kept, new):
    if not new:
        hub.put_repo("alice/model", {"README.md": b"old"})
    parent = None if new else hub.commits("alice/model")[0].id
    sign_ins = kept()
    held = sign_ins.begin("browser", SecretStr(hub.token("alice")))

    def on_progress(stage, _share):
        if stage == "Committing":
            sign_ins.sign_out("browser")
            hub.log.clear()

    with pytest.raises(HubError, match="You have signed out") as caught:
        push(prepare(SAMPLE, "alice/model"), "alice/model", held, message="", parent=parent, on_progress=on_progress)
    assert (caught.value.kind, caught.value.landed) == ("signed_out", False)
    assert ("was created, but nothing was pushed" if new else "othing was pushed") in str(caught.value)
    assert not hub.log, "not a single request after the sign-out"
    assert len(hub.commits("alice/model")) == (1 if new else 2)


@pytest.fixture
def signed_out_while_committing(hub, kept):
    """A sign-in that ends while the Hub works on the request that commits."""
    sign_ins = kept()
    held = sign_ins.begin("browser", SecretStr(hub.token("alice")))
    commit = hub.store.commit

    def commit_and_sign_out(repo, *arguments, **named):
        made = commit(repo, *arguments, **named)
        if len(repo.commits) > 1:
            sign_ins.sign_out("browser")
        return made

    hub.store.commit = commit_and_sign_out
    return held


def test_a_commit_that_was_already_being_sent_arrives_and_is_reported(hub, signed_out_while_committing):
    prepared = prepare(SAMPLE, "alice/model")
    pushed = push(prepared, "alice/model", signed_out_while_committing, message="", parent=None)
    assert pushed.commit == hub.commits("alice/model")[0].id
    assert pushed.tag is None
    assert "The sign-in ended before the tag" in pushed.message


def test_a_commit_whose_answer_is_lost_after_the_sign_out_is_not_denied(hub, signed_out_while_committing):
    hub.lose_reply(("POST", "/commit/"), status=504)
    prepared = prepare(SAMPLE, "alice/model")
    with pytest.raises(HubError) as caught:
        push(prepared, "alice/model", signed_out_while_committing, message="", parent=None)
    assert len(hub.commits("alice/model")) == 2
    assert caught.value.landed is None
    assert "It is unknown whether the commit is" in str(caught.value)
