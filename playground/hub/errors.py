"""What can go wrong with the Hub, as a closed list."""

from typing import Any, Literal

Kind = Literal[
    "invalid",  # not a repository's name, or something else the Hub does not take
    "not_found",  # missing, or private and not for this account: the Hub says the same
    "revision",
    "gated",
    "signed_out",  # the token is wrong or has expired: sign in again
    "forbidden",
    "rate",
    "server",
    "cut",
    "timeout",
    "offline",
    "stale",
    "taken",
    "disk",
    "quota",
    "refused",  # what was found cannot be used
    "failed",  # a fault of this app
]

UNREACHABLE = frozenset({"offline", "timeout", "cut", "server", "rate"})
"""Kinds of errors after which a copy that is here already may serve."""


class HubError(Exception):
    """A call that failed; the message is one sentence that holds no token and nothing of another visitor's."""

    def __init__(
        self,
        kind: Kind,
        sentence: str,
        *,
        retry_after: float | None = None,
        head: Any = None,
        landed: bool | None = False,
    ) -> None:
        super().__init__(sentence)
        self.kind: Kind = kind
        self.retry_after = retry_after  # seconds, where the Hub said
        self.head = head  # the commit that is now the newest, where a push came too late
        self.landed = landed
        """Of a push: whether its commit is on the Hub all the same; None if that could not be found out."""
