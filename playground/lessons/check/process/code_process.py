"""Runs a file and calls it: `python -m` with this module and FILE PART BUILD CALL SECONDS MEGABYTES.

It decides nothing: the code can change all that happens here. It sends what calls return to the process that judges.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import torch
from torch import Tensor

from playground.lessons.check.code.opened_code import CausalModel, OpenedCode
from playground.lessons.check.code.student_code import Settings, Sizes, TheirError
from playground.lessons.check.process import confinement
from playground.lessons.check.process.code_messages import (
    Answer,
    Described,
    Failure,
    MessageError,
    joined,
    packed,
    receive,
)
from playground.lessons.check.process.trace_messages import packed_trace
from playground.lessons.check.verdict import CheckError, NotJudgedError
from playground.lessons.own_code.expressions import things_to_check

MAX_SIZE = 4096
"""Of an axis of an input; tokens below this are in every table."""

MADE: dict[str, Callable[[], Any]] = {
    "device": lambda: torch.device("cpu"),
    "settings": lambda: Settings(Sizes()),
    "model": lambda: CausalModel(Sizes()),
}
"""Arguments that are no numbers, by the names that they have in messages."""


def main(file: Path, part: str, build: str, call: str, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    answers.write(packed({"ready": True}, {}))
    answers.flush()
    receive(requests)
    codes: list[OpenedCode] = []

    def opened() -> tuple[Answer, dict[str, Tensor]]:
        codes.extend(OpenedCode(thing, part) for thing in things_to_check(file, part, build, call))
        return Answer(codes=[_described(code) for code in codes]), {}

    _answer(answers, opened)
    while True:
        _answer(answers, partial(_called, codes, *receive(requests)))


def _answer(answers: BinaryIO, do: Callable[[], tuple[Answer, dict[str, Tensor]]]) -> None:
    try:
        answer, tensors = do()
        message = packed(answer.model_dump(), tensors)
    except Exception as error:
        message = packed(Answer(failure=failure_of(error)).model_dump(), {})
    answers.write(message)
    answers.flush()


def failure_of(error: Exception) -> Failure:
    """Why there is no answer, for the process that asks."""
    if not isinstance(error, CheckError):
        return Failure(kind="ours", problem=f"{type(error).__name__}: {error}"[:1000])
    kind = "theirs" if isinstance(error, TheirError) else "unjudged" if isinstance(error, NotJudgedError) else "refused"
    line = error.line if isinstance(error, TheirError) else None
    return Failure(kind=kind, problem=error.problem[:10_000], advice=error.advice[:10_000], line=line)


def _called(
    codes: list[OpenedCode], fields: dict[str, Any], tensors: dict[str, Tensor]
) -> tuple[Answer, dict[str, Tensor]]:
    made = {name: MADE[kind]() for name, kind in fields["made"].items()} | joined(tensors)
    if fields["traced"]:
        code = codes[fields["index"]]
        graph, numbers = packed_trace(code.trace({**fields["plain"], **made}), code.file)
        return Answer(trace=graph), numbers
    arguments = {**fields["plain"], **made}
    returned = codes[fields["index"]].call(arguments, fields["seed"], training=fields["training"])
    return Answer(number=returned.number), {str(index): value for index, value in enumerate(returned.tensors)}


def _described(code: OpenedCode) -> Described:
    return Described(
        name=code.name,
        line=code.line,
        text=code.text[:100_000],
        comments=code.comments[:100_000],
        is_function=code.is_function,
        knows_padding=code.knows_padding,
        parameters=code.parameters,
        has_weights=code.has_weights,
        unregistered=code.unregistered[:1000],
        repeated=dict([*code.repeated.items()][:1000]),
        sizes={name: min(size, MAX_SIZE) for name, size in asdict(code.own_sizes).items()},
    )


if __name__ == "__main__":
    name, part_of_it, how_built, how_called, seconds, megabytes = sys.argv[1:7]
    inward, outward = confinement.private_streams()
    torch.set_num_threads(1)
    confinement.limit(int(megabytes), float(seconds))
    try:
        main(Path(name), part_of_it, how_built, how_called, inward, outward)
    except (MessageError, OSError):  # the process that judges has ended
        os._exit(0)
