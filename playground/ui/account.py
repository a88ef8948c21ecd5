"""Who the visitor is on the Hub: signed in for this session only, by a pasted token or as the host allows it."""

import re
from typing import Literal

import streamlit as st
from pydantic import SecretStr

from playground.hub import account as hub_account
from playground.hub.account import Account
from playground.hub.client import HubError
from playground.ui import asking, oauth, state, style

TOKEN, ACCOUNT, PENDING, TOLD, CAME = "hub token", "hub account", "hub pending", "hub told", "hub came"
"""Keys of the session. No token stands under a widget's key once it was read."""

_FORMS = "hub forms"  # how many tokens were pasted
_SIGNED_OUT = "The Hub does not accept this sign-in any more: it has expired or was revoked. Sign in again to go on."
_TOKEN = re.compile(r"[\x21-\x7e]{8,200}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,95}")


def token() -> SecretStr | Literal[False]:
    """The visitor's token; False, and never the host's own, where there is none."""
    return st.session_state.get(TOKEN) or False


def account() -> Account | None:
    """Who is signed in; asks the Hub about a token that was just given, and draws the page again once it is known."""
    if CAME not in st.session_state:
        st.session_state[CAME] = True
        if held := oauth.token():  # has just come back from the Hub's own page, or did so some hours ago
            sign_in(held)
    pending = st.session_state.get(PENDING)
    if pending is not None:
        answer = asking.ask(("whoami",), lambda: hub_account.whoami(pending))
        if answer.result is not None:
            _begin(pending, answer.result)
            st.rerun()  # every part of the page may show more now
        elif answer.error is not None:
            told = str(answer.error)
            if answer.error.kind == "signed_out":
                told = "The Hub does not know this token: it is mistyped, has expired, or was revoked."
                if pending == oauth.token():
                    oauth.forget(pending)
                    told = _SIGNED_OUT
            st.session_state[PENDING], st.session_state[TOLD] = None, told
            asking.forget("whoami")
    return st.session_state.get(ACCOUNT)


def name() -> str:
    """The name of who is signed in; empty for nobody."""
    who = account()
    return who.name if who is not None else ""


def sign_in(given: SecretStr) -> None:
    """Asks the Hub whose token this is; only then it counts."""
    asking.forget("whoami")
    st.session_state[PENDING] = given
    st.session_state.pop(TOLD, None)


def sign_out() -> None:
    """Forgets the token, who it was, and all that the Hub has told them."""
    _drop()
    for job in state.JOBS.jobs(state.visitor()):
        state.JOBS.forget(job.owner, job.id)  # may name what is private
    if oauth.token():
        oauth.sign_out()


def expire() -> None:
    """The Hub has refused the token: it is dropped, and what was being done stays."""
    if held := token():
        oauth.forget(held)
    _drop()
    st.session_state[TOLD] = _SIGNED_OUT


def _drop() -> None:
    for key in (TOKEN, ACCOUNT, PENDING, TOLD):
        st.session_state.pop(key, None)
    asking.forget(but="signed_out")  # what was refused stays so until somebody is signed in


def _begin(given: SecretStr, who: Account) -> None:
    asking.forget()  # what was told to somebody else, or to nobody
    st.session_state[TOKEN], st.session_state[ACCOUNT] = given, who
    st.session_state[PENDING] = None
    st.session_state.pop(TOLD, None)


# --- on screen ------------------------------------------------------------------------------------


def chip() -> None:
    """The button in the head of a page that tells who is signed in, or signs in."""
    asking.watch("whoami", draw=_chip)


def _chip() -> None:
    who = account()
    label, icon = ("Sign in", "login") if who is None else (_shown(who.name), "account_circle")
    with st.popover(label, icon=f":material/{icon}:", key="account"):
        if who is None:
            sign_in_form("chip")
        else:
            _signed_in(who)


def _signed_in(who: Account) -> None:
    since = "" if oauth.token() else ", in this session only"
    style.told(f"Signed in to the Hub as {who.name}{since}.", "plain")
    if oauth.token():
        style.caption("Can push to new repositories and to those made from here; for others, sign in with a token.")
    if who.orgs:
        style.told(f"Can also push for {', '.join(who.orgs)}.", "plain")
    if who.can_write is False:
        style.told("This token may only read: it can pull and see what is private, but not push.", "care")
    if st.button("Sign out", icon=":material/logout:", key="sign out"):
        sign_out()
        st.rerun()


def sign_in_form(place: str, why: str = "") -> None:
    """Asks for a token; `place` tells the forms of one page from each other, `why` says what it is needed for."""
    told = st.session_state.get(TOLD)
    style.told(told or why or "Needed to push, and to see what is private.", "wrong" if told else "plain")
    if not oauth.available():
        _token_form(place)
        return
    oauth.sign_in(place)
    with st.expander("Or paste a token", icon=":material/key:"):
        _token_form(place)


def _token_form(place: str) -> None:
    busy = st.session_state.get(PENDING) is not None
    if state.HOST.hub_login:
        st.button("Use this machine's login", icon=":material/computer:", key=f"machine {place}", on_click=_use_machine)
    with st.form(f"sign in {place}", border=False):
        # Each token has a field of its own: once that is not drawn any more, Streamlit forgets what was in it.
        key = f"pasted token {place} {st.session_state.setdefault(_FORMS, 0)}"
        st.text_input(
            "Access token",
            type="password",
            key=key,
            autocomplete="off",
            placeholder="hf_…",
            disabled=busy,
            help="Made in the settings of your account on the Hub. Reading is enough to pull what is private; to push "
            "it must be allowed to write.",
        )
        st.form_submit_button(
            "Asking the Hub …" if busy else "Sign in",
            type="primary",
            icon="spinner" if busy else ":material/login:",
            disabled=busy,
            on_click=_take,
            args=(key,),
        )
    style.caption("It stays in this session: it is written nowhere, and gone when the page is loaded again.")


def _use_machine() -> None:
    if given := hub_account.machine_token():
        sign_in(given)
    else:
        st.session_state[TOLD] = "Nobody is signed in to the Hub on this machine; `hf auth login` does it."


def _take(key: str) -> None:
    """Reads the pasted token; its field goes at once, and another takes its place."""
    given = st.session_state[key].strip()
    st.session_state[_FORMS] += 1
    if _TOKEN.fullmatch(given):
        sign_in(SecretStr(given))
    elif given:
        st.session_state[TOLD] = "This is no token: one is a word of 8 to 200 letters and signs, without spaces."
    else:
        st.session_state[TOLD] = "Paste a token to sign in."


def trouble(error: HubError, *topics: str, place: str) -> None:
    """What went wrong, in a sentence, and the way on: to sign in again, or to ask once more."""
    if error.kind == "signed_out":
        if token():
            expire()
            st.rerun()
        sign_in_form(place)
        return
    style.told(state.plain(error), "wrong")
    if error.kind in ("rate", "server", "cut", "timeout", "offline"):
        st.button("Try again", icon=":material/refresh:", key=f"again {place}", on_click=asking.forget, args=topics)
    elif error.kind in ("not_found", "gated") and not token():
        with st.expander("Sign in, if it is private", icon=":material/login:"):
            sign_in_form(place)


def is_name(text: str) -> bool:
    """Whether this can be a name of the Hub, which says the same where Markdown is in force."""
    return _NAME.fullmatch(text) is not None


def _shown(who: str) -> str:
    return who if is_name(who) else "Signed in"
