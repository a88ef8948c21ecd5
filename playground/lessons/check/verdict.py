"""The answer of a check."""

import json
from dataclasses import asdict, dataclass
from typing import Literal

from playground.common.errors import PlaygroundError, one_line

Outcome = Literal["right", "wrong", "unknown", "error"]


class CheckError(PlaygroundError):
    """Code that cannot be checked: it is not there or does not run."""


class CheckFailedError(Exception):
    """An error of the check itself."""


class NotJudgedError(CheckError):
    """Code that the check cannot interpret, so its verdict is `unknown`."""


@dataclass(frozen=True)
class Verdict:
    """The result of a check."""

    part: str
    verdict: Outcome
    cause: str | None  # the name of a known mistake
    where: str | None  # the first intermediate value that differs
    difference: float | None  # of the first numbers that differ
    message: str
    summary: str = ""  # the message without what the fields say
    found: str = ""  # how the code was understood
    agrees: tuple[str, ...] = ()  # intermediate values before `where`, all of them right
    line: int | None = None  # of the file, where the mistake is made or an exception was raised

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
    line: int | None = None,
) -> Verdict:
    """A verdict with its message."""
    sentences = [summary]
    if agrees:
        sentences.append(f"Correct up to the first difference: {listed(agrees)}.")
    if where:
        sentences.append(f"First difference: {where}.")
    message = " ".join([*sentences, found])
    return Verdict(part, verdict, cause, where, difference, message, summary, found, tuple(agrees), line)


def as_json(verdict: Verdict) -> str:
    """All fields as one object on one line."""
    return json.dumps(asdict(verdict), allow_nan=False)


def failed(part: str, message: str, line: int | None = None, verdict: Outcome = "error") -> Verdict:
    """The verdict on what could not be checked, or with `unknown` on what was not judged."""
    return Verdict(part, verdict, None, None, None, message, message, line=line)


def failed_here(part: str, error: BaseException | str) -> Verdict:
    """The verdict where the check itself failed."""
    what = (
        str(error) if isinstance(error, str | CheckFailedError) else f"{type(error).__name__}: {one_line(error, 200)}"
    )
    message = f"The check failed ({what}). This is an error of the check, not of your code, so it was not judged."
    return failed(part, message, verdict="unknown")


def part_in_words(part: str) -> str:
    """The name of a part in a sentence."""
    return part.replace("-", " ").replace("multi head", "multi-head")


def listed(names: tuple[str, ...], most: int = 4) -> str:
    """Names with commas; of many the last ones."""
    return ("..., " if len(names) > most else "") + ", ".join(names[-most:])
