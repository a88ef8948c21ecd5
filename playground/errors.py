"""Errors as fields: programs read the fields, `PlaygroundError.__str__` makes the sentence that people read."""

from typing import Any, Literal

CheckpointKind = Literal[
    "invalid",  # a file, a folder or a name that cannot be used
    "missing",  # no checkpoint there
    "taken",  # something is in its place
    "disk",  # the system refused to read or write
    "quota",  # no room for it
]

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


class PlaygroundError(Exception):
    """An error with its texts as fields, each empty or one or more whole sentences."""

    def __init__(self, problem: str, advice: str = "", *, outcome: str = "") -> None:
        """`problem` is what happened and why, `outcome` what is known after it, `advice` what to do."""
        super().__init__(problem, advice)
        self.problem, self.outcome, self.advice = problem, outcome, advice

    def __str__(self) -> str:
        return sentences(self.problem, self.outcome, self.advice)

    def __reduce__(self) -> tuple[Any, ...]:
        return _copied, (type(self), self.args, vars(self))


def _copied(kind: type[PlaygroundError], args: tuple[Any, ...], fields: dict[str, Any]) -> PlaygroundError:
    """An error of any kind, from another process: whatever its own constructor takes."""
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


class CheckpointError(PlaygroundError, ValueError):
    """A checkpoint that cannot be read, written or named like this."""

    def __init__(self, problem: str, advice: str = "", *, kind: CheckpointKind = "invalid") -> None:
        super().__init__(problem, advice)
        self.kind: CheckpointKind = kind


class HubError(PlaygroundError):
    """A call to the Hub that failed. Its texts hold no token and nothing of another visitor's.

    The outcome is what is known about the Hub or the disk after it.
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
        super().__init__(problem, advice, outcome=outcome)
        self.args = kind, problem, advice  # from which a copy in another process is made
        self.kind: Kind = kind
        self.retry_after = retry_after  # seconds, where the Hub said
        self.head = head  # the commit that is now the newest, where a push came too late
        self.landed = landed
        """Of a push: True if its commit is on the Hub, False if it is not, None if that is unknown."""
        self.created = created
        """Of a push: True if it created the repository, False if it did not, None if that is unknown."""

    def after(
        self,
        outcome: str = "",
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

    @classmethod
    def of(cls, error: CheckpointError) -> "HubError":
        """What went wrong with a checkpoint on its way from or to the Hub."""
        kind: Kind = "disk" if error.kind == "disk" else "quota" if error.kind == "quota" else "refused"
        return cls(kind, error.problem, error.advice)


def sentences(*parts: str) -> str:
    """Sentences one after another; empty parts are left out."""
    return " ".join(filter(None, parts))


def one_line(value: object, most: int = 160) -> str:
    """A foreign value as a part of a sentence: short, on one line, without characters that steer a terminal."""
    text = " ".join(str(value)[: 4 * most].split())
    text = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def reason(error: OSError) -> str:
    """Why the operating system refused, in its words."""
    return error.strerror or str(error)
