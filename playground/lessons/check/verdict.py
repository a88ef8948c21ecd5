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
    summary: str = ""  # the message without what the fields say
    found: str = ""  # how the code was understood
    agrees: tuple[str, ...] = ()  # intermediate values before `where`, all of them right
    line: int | None = None  # of the file, where the code raised an exception

    def __str__(self) -> str:
        return self.message


def judged(
    part: str,
    verdict: Literal["right", "wrong"],
    summary: str,
    found: str,
    *,
    cause: str | None = None,
    where: str | None = None,
    difference: float | None = None,
    agrees: tuple[str, ...] = (),
) -> Verdict:
    """A verdict with its message."""
    sentences = [summary]
    if agrees:
        sentences.append(f"Correct up to the first difference: {listed(agrees)}.")
    if where:
        sentences.append(f"First difference: {where}.")
    if verdict == "wrong" and difference is not None:
        sentences.append(f"Largest difference of the output: {difference:.3g}.")
    message = " ".join([*sentences, found])
    return Verdict(part, verdict, cause, where, difference, message, summary, found, tuple(agrees))


def failed(part: str, message: str, line: int | None = None) -> Verdict:
    """The verdict on what could not be checked."""
    return Verdict(part, "error", None, None, None, message, message, line=line)


def listed(names: tuple[str, ...], most: int = 4) -> str:
    """Names with commas; of many the last ones."""
    return ("..., " if len(names) > most else "") + ", ".join(names[-most:])
