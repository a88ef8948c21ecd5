"""A learner's tests: the functions in a file whose names begin with test_ or check_, and what they say of a module."""

import inspect
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from playground.common.errors import PlaygroundError, one_line
from playground.lessons.check.code.student_code import plain, their_error
from playground.lessons.examine.examination import Result
from playground.lessons.examine.modules import CONFIG, KINDS, PARTS, config_of, module_of, possible
from playground.recording.notebook_cells import in_cell

PREFIXES = ("test_", "check_")


class InvalidTestError(PlaygroundError):
    """A test that can't be run."""


def tests_in(names: dict[str, Any], module: str) -> list[Callable[..., Any]]:
    """The tests that a module defines, in their order."""
    return [
        thing
        for name, thing in names.items()
        if name.startswith(PREFIXES) and inspect.isfunction(thing) and thing.__module__ == module
    ]


def examined(test: Callable[..., Any]) -> Result:
    """Run a test on right modules and, if it accepts them all, on those with a mistake."""
    name, (cell, line) = test.__name__, in_cell(test.__code__.co_filename, test.__code__.co_firstlineno)
    try:
        arguments = _arguments(test)
        part = next(part for part in arguments.values() if part != CONFIG)
        if alarm := _false_alarm(test, arguments):
            return Result(name, line, part, false_alarm=alarm, cell=cell)
        mistakes = possible(part)
        caught = [mistake for mistake in mistakes if _catches(test, arguments, mistake)]
        missed = tuple(each for each in mistakes if each not in caught)
        return Result(name, line, part, tuple(caught), missed, cell=cell)
    except PlaygroundError as error:
        return Result(name, line, error=str(error), error_line=getattr(error, "line", None), cell=cell)


def _arguments(test: Callable[..., Any]) -> dict[str, str]:
    """What each argument gets: a part of `PARTS`, or the config. Raises `InvalidTestError`."""
    found = {}
    for name, parameter in inspect.signature(test).parameters.items():
        annotation = parameter.annotation
        kind = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        part = _part(kind) or (CONFIG if plain(name) == CONFIG else _part(name))
        if part is None and parameter.default is parameter.empty:
            raise InvalidTestError(
                f"{test.__name__} has an argument {one_line(name)!r}, which names no part.",
                f"Call it {', '.join(PARTS)} or {CONFIG}.",
            )
        if part is not None:
            found[name] = part
    if [part != CONFIG for part in found.values()].count(True) != 1:
        raise InvalidTestError(f"{test.__name__} must have one argument for a part.", f"Call it {', '.join(PARTS)}.")
    return found


def _part(name: str) -> str | None:
    return next((part for part, row in PARTS.items() if plain(name) in (plain(part), *row.names)), None)


def _false_alarm(test: Callable[..., Any], arguments: dict[str, str]) -> str:
    """Why a test refuses a right module; empty if it accepts them all. Raises what the test raises."""
    for kind in range(len(KINDS)):
        try:
            if not _accepts(test, arguments, kind):
                return f"It returns False for a right model ({config_of(kind)})."
        except AssertionError as error:
            problem = their_error(error, test.__code__.co_filename).problem
            return f"It refuses a right model ({config_of(kind)}). {problem}"
        except InvalidTestError:
            raise
        except (Exception, SystemExit) as error:
            raise their_error(error, test.__code__.co_filename) from error
    return ""


def _catches(test: Callable[..., Any], arguments: dict[str, str], mistake: str) -> bool:
    """True if the test refuses a module with the mistake, of any kind."""
    for kind in range(len(KINDS)):
        try:
            if not _accepts(test, arguments, kind, mistake):
                return True
        except (Exception, SystemExit):  # as in pytest, a test that raises fails
            return True
    return False


def _accepts(test: Callable[..., Any], arguments: dict[str, str], kind: int, mistake: str | None = None) -> bool:
    given = {
        name: config_of(kind) if part == CONFIG else module_of(part, kind, mistake) for name, part in arguments.items()
    }
    with warnings.catch_warnings(), torch.random.fork_rng(devices=[]):
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        returned = test(**given)
    if returned is None:
        return True
    if isinstance(returned, (bool, np.bool_)) or (
        isinstance(returned, Tensor) and returned.dtype == torch.bool and returned.numel() == 1
    ):
        return bool(returned)
    raise InvalidTestError(
        f"{test.__name__} returns {one_line(type(returned).__name__)}.", "Return True or False, or use assert."
    )


def all_examined(tests: Sequence[Callable[..., Any]]) -> tuple[Result, ...]:
    """The results of all tests, in their order."""
    return tuple(map(examined, tests))
