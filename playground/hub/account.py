"""Whose token it is."""

from dataclasses import dataclass
from typing import Any

from huggingface_hub import get_token
from pydantic import SecretStr

from playground.errors import HubError, one_line
from playground.hub import api
from playground.hub.client import Token, calling

_WRITES = frozenset({"repo.write", "repo.content.write"})
_MAX_ORGANISATIONS = 200


@dataclass(frozen=True)
class Account:
    """The person behind a token, in the Hub's words: text, never markup."""

    name: str
    orgs: tuple[str, ...]  # in which this person is
    can_write: bool | None  # None if the token does not say


def whoami(token: Token) -> Account:
    """Asks the Hub; raises `HubError`, of kind `signed_out` for a token that is wrong or has expired."""
    if token is False:
        raise HubError("signed_out", "Nobody is signed in.", "Sign in first.")
    with calling("the Hub", token, seconds=20) as hub:
        told = api.whoami(hub)
        auth = told.get("auth") or {}
        access = auth.get("accessToken") or {}
        orgs = [one_line(org["name"], 96) for org in told.get("orgs") or [] if isinstance(org.get("name"), str)]
        return Account(
            name=one_line(told["name"], 96),
            orgs=tuple(orgs[:_MAX_ORGANISATIONS]),
            can_write=_can_write(access),
        )


def machine_token() -> Token:
    """The token that this machine is signed in with, where its host lets people use it; False if it is not."""
    text = get_token()
    return SecretStr(text) if text else False


def _can_write(access: dict[str, Any]) -> bool | None:
    role = access.get("role")
    if role in ("write", "admin", "read"):
        return role != "read"
    if role == "fineGrained":
        scoped = (access.get("fineGrained") or {}).get("scoped") or []
        return any(_WRITES.intersection(scope.get("permissions") or ()) for scope in scoped)
    return None
