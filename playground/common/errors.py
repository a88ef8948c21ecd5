"""Errors with fields: programs read the fields, people read `str(error)`."""

from typing import Any, Literal

CheckpointErrorKind = Literal[
    "invalid",  # a file, folder or name that cannot be used
    "missing",  # there is no checkpoint
    "taken",  # the name or folder is in use
    "disk",  # the system refused to read or write
    "quota",  # the limit on disk use is reached
]

HubErrorKind = Literal[
    "invalid",  # an invalid repository name, or another request the Hub rejects
    "not_found",  # missing, or private and not visible to this account; the Hub does not distinguish them
    "revision",
    "gated",
    "signed_out",  # no token, or an invalid or expired one
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
    "refused",  # the repository cannot be used here
    "failed",  # an error in this app
]

UNREACHABLE = frozenset({"offline", "timeout", "cut", "server", "rate"})
"""Kinds of errors after which a local copy may be used."""

UNANSWERED = frozenset({"timeout", "cut", "server"})
"""Kinds of errors after which the Hub may still have carried out, or carry out, the request."""


class PlaygroundError(Exception):
    """An error whose texts are fields, each empty or one or more sentences."""

    def __init__(self, problem: str, advice: str = "", *, outcome: str = "") -> None:
        """`problem`: what happened and why. `outcome`: what is known after it. `advice`: what to do."""
        super().__init__(problem, advice)
        self.problem, self.outcome, self.advice = problem, outcome, advice

    def __str__(self) -> str:
        return sentences(self.problem, self.outcome, self.advice)

    def __reduce__(self) -> tuple[Any, ...]:
        return _copied, (type(self), self.args, vars(self))


def _copied(kind: type[PlaygroundError], args: tuple[Any, ...], fields: dict[str, Any]) -> PlaygroundError:
    """Rebuild a pickled error without calling its constructor."""
    error = kind.__new__(kind, *args)
    vars(error).update(fields)
    return error


class CheckpointError(PlaygroundError, ValueError):
    """A checkpoint that cannot be read, written or named."""

    def __init__(self, problem: str, advice: str = "", *, kind: CheckpointErrorKind = "invalid") -> None:
        super().__init__(problem, advice)
        self.kind: CheckpointErrorKind = kind


class HubError(PlaygroundError):
    """A failed call to the Hub. Its texts contain no token and no data of other visitors.

    `outcome` says what is known about the Hub or the disk after it.
    """

    def __init__(
        self,
        kind: HubErrorKind,
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
        self.args = kind, problem, advice  # for a copy in another process
        self.kind: HubErrorKind = kind
        self.retry_after = retry_after  # seconds, if the Hub sent them
        self.head = head  # the newest commit, if a push was based on an older one
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
        """The same error with an outcome, and with another problem or advice if given."""
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
        """The `HubError` for a `CheckpointError` during a push or pull."""
        kind: HubErrorKind = "disk" if error.kind == "disk" else "quota" if error.kind == "quota" else "refused"
        return cls(kind, error.problem, error.advice)


def sentences(*parts: str) -> str:
    """Join sentences; leave out empty parts."""
    return " ".join(filter(None, parts))


def one_line(value: object, max_length: int = 160) -> str:
    """A foreign value as part of a sentence: short, on one line, without control characters."""
    text = " ".join(str(value)[: 4 * max_length].split())
    text = text if len(text) <= max_length else text[: max_length - 1] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in text)


def reason(error: OSError) -> str:
    """The operating system's message for an error."""
    return error.strerror or str(error)
