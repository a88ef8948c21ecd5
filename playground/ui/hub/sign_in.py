"""The visitor's sign-in to the Hub: by a pasted token in one tab, or by OAuth or the host's login in all tabs."""

import re
from collections.abc import Callable
from typing import Any, Literal, TypeVar

import streamlit as st
from pydantic import SecretStr

from playground.common.errors import HubError
from playground.hub import account as hub_account
from playground.hub.account import Account
from playground.hub.sign_ins import SignIn
from playground.ui.hub import hub_questions, oauth
from playground.ui.parts import style
from playground.ui.parts.live import changes, job_channel
from playground.ui.session import identity, sources, widgets
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

PASTED_TOKEN = Key[str]("pasted token {}", "", "Widget: a pasted token, by form")
SIGN_IN = Key[SignIn | None]("hub sign-in", None, "Sign-in, or one whose account is requested")
SIGN_IN_CONFIRMED = Key[bool]("hub confirmed", False, "In this session, the Hub has confirmed the sign-in")
SIGN_IN_MESSAGE = Key[str]("hub message", "", "Why nobody is signed in")

T = TypeVar("T")

_EXPIRED = "Your sign-in has expired or was revoked. Sign in again."
_SIGNED_OUT = "You are signed out."
_TOKEN = re.compile(r"[\x21-\x7e]{8,200}")


def token() -> SignIn | Literal[False]:
    """The visitor's token from its verification until they sign out; False without one, never the host's own token."""
    held = _held()
    return held if held is not None and SIGN_IN_CONFIRMED.get() else False


def account() -> Account | None:
    """The signed-in account; verifies a new token with the Hub and reruns the page when the response arrives."""
    if not SIGN_IN.is_set():
        SIGN_IN.set(None)
        if (given := oauth.token()) is not False:  # returned from the Hub's page, just now or hours ago
            sign_in(given, from_cookie=True)
    held = _held()
    if held is None or SIGN_IN_CONFIRMED.get():
        return held.account if held is not None else None
    answer = hub_questions.ask(("whoami",), lambda: hub_account.whoami(held))
    if _held() is None:
        return None  # signed out meanwhile
    if answer.result is not None:
        hub_questions.forget()  # responses for another account, or for none
        held.account = answer.result
        SIGN_IN_CONFIRMED.set(True)
        st.rerun()  # all parts of the page may show more now
    if answer.error is not None:
        message = str(answer.error)
        if answer.error.kind == "signed_out":
            message = "The Hub refused this token. It may be mistyped, expired or revoked."
            if held.from_cookie:
                services().sign_ins.expire(held)
                message = _EXPIRED
        _drop(message)
    return None


def bound(work: Callable[..., T]) -> Callable[..., T]:
    """`work(..., token)` with the visitor's token; if the Hub refuses it, the sign-in ends in all tabs."""
    held = token()

    def call(*arguments: Any) -> T:
        try:
            return work(*arguments, held)
        except HubError as error:
            if held and error.kind == "signed_out":
                services().sign_ins.expire(held)
            raise

    return call


def sign_in(given: SecretStr, *, from_cookie: bool = False) -> None:
    """Verify a token with the Hub before it is used. `from_cookie`: it comes from the browser's cookies."""
    hub_questions.forget("whoami")
    SIGN_IN_CONFIRMED.forget()
    SIGN_IN.set(services().sign_ins.begin(identity.visitor(), given, from_cookie=from_cookie))
    SIGN_IN_MESSAGE.forget()


def sign_out() -> None:
    """End all sign-ins of this browser in every tab, cancel their transfers and drop cached responses of the Hub."""
    services().sign_ins.sign_out(identity.visitor(), oauth.token())
    for job in services().jobs.jobs(identity.visitor()):  # may contain private names
        services().jobs.forget(job.owner, job.id)
    _held()
    SIGN_IN_MESSAGE.forget()
    oauth.leave()


def _held() -> SignIn | None:
    """The sign-in of this session. If it has ended, drop its data and store the reason."""
    held = SIGN_IN.get()
    if held is None or held.ended is None:
        return held
    _drop(_EXPIRED if held.ended == "expired" else _SIGNED_OUT)
    if held.ended == "signed out":
        hub_questions.forget()
        widgets.forget("push ")  # fields of `push_form`
    return None


def _drop(message: str) -> None:
    SIGN_IN.set(None)
    hub_questions.forget(but="signed_out")  # the refusal stays visible until the next sign-in
    SIGN_IN_MESSAGE.set(message)


# --- on screen ------------------------------------------------------------------------------------


def chip() -> None:
    """Draw the button at the top of a page: the signed-in account, or Sign in.

    The page is drawn again when its sign-in ends in another tab.
    """
    hub_questions.watch(_chip, key="account")
    if held := _held():
        changes.redraw(job_channel.CHANNEL, {job_channel.sign_in(held): True}, key="sign-in")


def _chip() -> None:
    who = account()
    label, icon = ("Sign in", "login") if who is None else (style.code(who.name), "account_circle")
    with st.popover(label, icon=f":material/{icon}:", key="account"):
        if who is None:
            sign_in_form("chip")
        else:
            _signed_in(who)


def _signed_in(who: Account) -> None:
    held = token()
    from_cookie = held is not False and held.from_cookie
    style.message(f"Signed in to the Hub as {who.name}{'' if from_cookie else ', in this session only'}.", "plain")
    if from_cookie:
        style.caption(
            "You can push to new repositories and to those created here. For others, sign in with a token.", terms=False
        )
    if who.orgs:
        style.message(f"You can also push for {', '.join(who.orgs)}.", "plain")
    if who.can_write is False:
        style.message("This token is read-only. It can pull private models but not push.", "care")
    if any(not job.done for job in services().jobs.jobs(identity.visitor())):
        style.message(
            "Signing out stops your pushes and pulls. A commit that is already being sent may still arrive.", "care"
        )
    if st.button("Sign out", icon=":material/logout:", key="sign out", help="Signs out in all tabs of this browser."):
        sign_out()
        st.rerun()


def sign_in_form(section: str, why: str = "") -> None:
    """Draw the form for a token; `section` is unique among the forms of a page, `why` says what it is needed for."""
    why = why or "Sign in to push and to see private models."
    _held()
    message = SIGN_IN_MESSAGE.get()
    style.message(f"{message} {why}" if message == _SIGNED_OUT else message or why, "wrong" if message else "plain")
    if not oauth.available():
        _token_form(section)
        return
    oauth.sign_in(section)
    with st.expander("Or paste a token", icon=":material/key:"):
        _token_form(section)


def _token_form(section: str) -> None:
    busy = _held() is not None  # the form is drawn while there is no account
    if services().host.hub_login:
        st.button(
            "Use this machine's login", icon=":material/computer:", key=f"machine {section}", on_click=_use_machine
        )
    with st.form(f"sign in {section}", clear_on_submit=True, border=False):
        key = PASTED_TOKEN.of(section)
        st.text_input(
            "Access token",
            type="password",
            key=key.name,
            max_chars=key.max_chars,
            autocomplete="off",
            placeholder="hf_…",
            disabled=busy,
            help="Create one in your Hub account's settings. Read access is enough to pull private models; "
            "pushing needs write access.",
        )
        st.form_submit_button(
            "Asking the Hub …" if busy else "Sign in",
            type="primary",
            icon="spinner" if busy else ":material/login:",
            disabled=busy,
            on_click=_take,
            args=(key,),
        )
    style.caption(
        "The token stays in this tab and is never stored. It is gone after you sign out or reload.", terms=False
    )


def _use_machine() -> None:
    if given := hub_account.machine_token():
        sign_in(given)
    else:
        SIGN_IN_MESSAGE.set("Not signed in on this machine. Run `hf auth login` first.")


def _take(key: keys.Key[str]) -> None:
    """Read the pasted token, and remove it from the session."""
    given = key.get().strip()
    key.forget()
    if _TOKEN.fullmatch(given):
        sign_in(SecretStr(given))
    elif given:
        SIGN_IN_MESSAGE.set("Invalid token. Use 8-200 characters, no spaces.")
    else:
        SIGN_IN_MESSAGE.set("Paste a token to sign in.")


def trouble(error: HubError, *topics: str, section: str) -> None:
    """Draw an error message with the next action: sign in again, or retry."""
    if error.kind == "signed_out":
        sign_in_form(section)
        return
    style.message(sources.plain(error), "wrong")
    if error.kind in ("rate", "server", "cut", "timeout", "offline"):
        st.button(
            "Try again", icon=":material/refresh:", key=f"again {section}", on_click=hub_questions.forget, args=topics
        )
    elif error.kind in ("not_found", "gated") and not token():
        with st.expander("Sign in if it is private", icon=":material/login:"):
            sign_in_form(section)
