"""The answer of a check."""

from dataclasses import dataclass
from typing import Literal

from playground.errors import PlaygroundError


class CheckError(PlaygroundError):
    """Code that cannot be checked: it is not there, does not run, or takes what the check does not know."""


@dataclass(frozen=True)
class Verdict:
    """What a check has found."""

    part: str
    verdict: Literal["right", "wrong", "error"]
    cause: str | None  # the name of a known mistake
    where: str | None  # the first intermediate value that differs
    difference: float | None  # the largest one of the output, where shapes agree
    message: str

    def __str__(self) -> str:
        return self.message
