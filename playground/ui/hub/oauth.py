"""Sign-in by OAuth, on hosts registered with the Hub, such as a Space whose README has `hf_oauth: true`.

Streamlit talks to the Hub and stores the tokens in signed cookies of the visitor's browser. `Services.sign_ins`
decides whether a cookie is still valid. On other hosts people paste a token.
"""

import hashlib
import hmac
import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

import streamlit as st
from pydantic import SecretStr
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from playground.hub.calls import Token
from playground.ui.parts import style
from playground.ui.runs import sharing
from playground.ui.session.services import services

HUB = "https://huggingface.co"
SCOPES = "openid profile contribute-repos"
"""OAuth scopes: the account's name, and repositories created here. Other repositories can't be read or changed."""

MINUTES = 10
"""Time limit for signing in on the Hub's page and returning to the previous page."""

PROBLEM_PARAMETER = "sign_in"
"""Query parameter with the reason why a sign-in failed."""

_PROBLEMS = {
    "refused": "Not signed in. The Hub's sign-in page was closed or refused access.",
    "unreachable": "Not signed in. The Hub's sign-in page can't be reached. Try again in a minute.",
}
_DIRECT = "playground_direct"  # cookie that a browser sends unless the page is in the frame of another site
_BACK = "playground_back"  # cookie with the page from which the visitor went to sign in


def secrets(environment: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Secrets for `st.App`, kept in memory only; empty if the host has no OAuth."""
    if not available(environment):
        return {}
    name, secret, url = environment["OAUTH_CLIENT_ID"], environment["OAUTH_CLIENT_SECRET"], services().host.url
    provider = environment.get("OPENID_PROVIDER_URL") or HUB
    return {
        "auth": {
            "redirect_uri": f"{url}/oauth2callback",
            # Stays the same after a restart as long as sign-outs are stored, see `SignIns`.
            "cookie_secret": hmac.new(secret.encode(), services().sign_ins.key().encode(), hashlib.sha256).hexdigest(),
            "client_id": name,
            "client_secret": secret,
            "server_metadata_url": f"{provider.rstrip('/')}/.well-known/openid-configuration",
            "client_kwargs": {"scope": environment.get("OAUTH_SCOPES") or SCOPES},
            "expose_tokens": ["access"],
        }
    }


def available(environment: Mapping[str, str] = os.environ) -> bool:
    """True if this host offers sign-in by OAuth."""
    return bool(environment.get("OAUTH_CLIENT_ID") and environment.get("OAUTH_CLIENT_SECRET") and services().host.url)


def token() -> Token:
    """The token from this session's cookies; False if there is none or its sign-in has ended."""
    if not available() or not st.user.get("is_logged_in"):
        return False
    text, issued = st.user.tokens.get("access"), st.user.get("iat")
    if not text:
        return False
    secret = SecretStr(text)
    return (
        False if services().sign_ins.has_ended(secret, issued if isinstance(issued, int | float) else 0.0) else secret
    )


def sign_in(section: str) -> None:
    """Draw the button that signs in on the Hub and returns here, or a link to an address where that works.

    A link is needed inside the frame of a Space, and under a host name that is not registered with the Hub.
    `section` is unique among the forms of a page.
    """
    words = {word: value for word, value in st.query_params.to_dict().items() if not word.startswith("__")}
    here = urlsplit(sharing.address(words))
    if framed() or f"{here.scheme}://{here.netloc}" != services().host.url:
        link = services().host.url + urlunsplit(("", "", here.path, here.query, ""))
        st.link_button("Open in a new tab to sign in", link, icon=":material/open_in_new:")
        style.caption(f"Sign-in works only at {services().host.url}, outside a frame.")
    else:
        if st.button("Sign in with Hugging Face", key=f"oauth {section}", icon=":material/login:", type="primary"):
            st.login()
            st.stop()  # another script run could overtake the redirect
        style.caption("Grants access to your name and to repositories you create here, and to no others.")


def leave() -> None:
    """Delete the sign-in cookies and reload the page (doesn't return); without cookies, do nothing."""
    if available() and st.user.get("is_logged_in"):
        st.logout()
        st.stop()  # as in `sign_in`


def framed() -> bool:
    """True if this page is in the frame of another site, where Streamlit's cookies are not sent."""
    return _DIRECT not in st.context.cookies


def problem() -> str:
    """An error message, once, if a sign-in has just failed; otherwise empty."""
    return _PROBLEMS.get(st.query_params.pop(PROBLEM_PARAMETER, ""), "")


class SignInReturn:
    """Middleware that returns people to the page from which they signed in or out, with an error if that failed.

    Streamlit alone would show the first page, or an empty one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/_stcore") or not available():
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)

        async def send_back(message: Message) -> None:
            if message["type"] == "http.response.start":
                _send_back(connection, message)
            await send(message)

        await self.app(scope, receive, send_back)


def _send_back(connection: HTTPConnection, message: Message) -> None:
    """Change the start of a response: its redirect and its cookies."""
    secure = "; Secure" if services().host.url.startswith("https:") else ""
    message["headers"] = [
        (name, value + secure.encode() if value.startswith(b"_streamlit_user") else value)
        for name, value in message["headers"]
    ]  # Streamlit's own, which hold the token
    headers, path = MutableHeaders(scope=message), connection.url.path
    if path == "/auth/login":
        back = _path(connection.headers.get("referer", ""))
        if message["status"] >= 400:
            message["status"] = 302
            headers["location"] = _with_word(back, "unreachable")
            return
        age = f"Max-Age={MINUTES * 60}"
        headers.append(
            "set-cookie", f"{_BACK}={quote(back, safe='')}; Path=/oauth2callback; {age}; HttpOnly; SameSite=Lax{secure}"
        )
    elif path == "/auth/logout" and headers.get("location") == "/":
        headers["location"] = _path(connection.headers.get("referer", ""))
    elif path == "/oauth2callback" and headers.get("location") == "/":
        back = _path(services().host.url + unquote(connection.cookies.get(_BACK, "/")))
        signed_in = any(re.match('_streamlit_user=[^";]', cookie) for cookie in headers.getlist("set-cookie"))
        failed = "state" in connection.query_params and not signed_in  # without one, the visitor has signed out
        headers["location"] = _with_word(back, "refused") if failed else back
    elif _DIRECT not in connection.cookies:
        headers.append("set-cookie", f"{_DIRECT}=1; Path=/; HttpOnly; SameSite=Lax{secure}")


def _path(address: str) -> str:
    """Path and query of an address of this app; the first page for foreign ones and those too long for a cookie."""
    own = re.match(re.escape(services().host.url) + r"(/(?![/\\])[!-\[\]-~]{0,2000})$", address)
    return own[1].partition("#")[0] if own else "/"


def _with_word(path: str, why: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{PROBLEM_PARAMETER}={why}"


MIDDLEWARE = Middleware(SignInReturn)
