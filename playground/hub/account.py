"""The account that a token belongs to."""

from dataclasses import dataclass
from typing import Any

from huggingface_hub import get_token
from pydantic import SecretStr

from playground.common.errors import HubError, one_line
from playground.hub.calls import Token, hub_call

_WRITES = frozenset({"repo.write", "repo.content.write"})
_MAX_ORGANISATIONS = 200


@dataclass(frozen=True)
class Account:
    """The account of a token. Names are plain text, never markup."""

    name: str
    orgs: tuple[str, ...]  # organizations of the account
    can_write: bool | None  # None if unknown


def whoami(token: Token) -> Account:
    """Ask the Hub for the account; raises `HubError`, of kind `signed_out` for an invalid token."""
    if token is False:
        raise HubError("signed_out", "You are not signed in.", "Sign in first.")
    with hub_call("the Hub", token, seconds=20) as hub:
        data = hub.whoami()
        auth = data.get("auth") or {}
        access = auth.get("accessToken") or {}
        orgs = [one_line(org["name"], 96) for org in data.get("orgs") or [] if isinstance(org.get("name"), str)]
        return Account(
            name=one_line(data["name"], 96),
            orgs=tuple(orgs[:_MAX_ORGANISATIONS]),
            can_write=_can_write(access),
        )


def machine_token() -> Token:
    """The token of this machine's own Hub login; False if there is none."""
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
