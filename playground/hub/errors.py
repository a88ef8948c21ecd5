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

UNANSWERED = frozenset({"timeout", "cut", "server"})
"""Kinds of errors after which the Hub may have done, or may still do, what it was asked."""


class HubError(Exception):
    """A call that failed. The message holds no token and nothing of another visitor's.

    It consists of the problem, the outcome (what is known about the Hub or the disk after it) and the advice. Each is
    empty or one or more whole sentences; programs read the fields and never the message.
    """

    def __init__(
        self,
        kind: Kind,
        problem: str,
        advice: str = "",
        *,
        outcome: str = "",
        retry_after: float | None = None,
        head: Any = None,
        landed: bool | None = False,
        created: bool | None = False,
    ) -> None:
        super().__init__(" ".join(filter(None, (problem, outcome, advice))))
        self.kind: Kind = kind
        self.problem = problem
        self.outcome = outcome
        self.advice = advice
        self.retry_after = retry_after  # seconds, where the Hub said
        self.head = head  # the commit that is now the newest, where a push came too late
        self.landed = landed
        """Of a push: True if its commit is on the Hub, False if it is not, None if that is unknown."""
        self.created = created
        """Of a push: True if it created the repository, False if it did not, None if that is unknown."""

    def after(
        self,
        outcome: str,
        *,
        problem: str | None = None,
        advice: str | None = None,
        landed: bool | None = False,
        created: bool | None = False,
    ) -> "HubError":
        """The same error with what is known after it, and with another problem or advice where one is given."""
        return HubError(
            self.kind,
            self.problem if problem is None else problem,
            self.advice if advice is None else advice,
            outcome=outcome,
            retry_after=self.retry_after,
            head=self.head,
            landed=landed,
            created=created,
        )
