"""Code that another process runs: the same interface as `OpenedCode`; nothing that comes from there is trusted."""

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from pydantic import ValidationError
from torch import Tensor

from playground.common.errors import one_line
from playground.lessons.check.code.opened_code import CausalModel, Returned
from playground.lessons.check.code.student_code import Sizes, TheirError
from playground.lessons.check.process.code_messages import (
    Answer,
    Described,
    Failure,
    MessageError,
    Reply,
    packed,
    parted,
    receive,
)
from playground.lessons.check.process.trace_messages import unpacked_trace
from playground.lessons.check.verdict import CheckError, CheckFailedError, NotJudgedError
from playground.recording import Trace

R = TypeVar("R", bound=Reply)


class CodeProcess(Generic[R]):
    """The process that runs a file, and its replies."""

    def __init__(self, process: "subprocess.Popen[bytes]", on_start: Callable[[], None], replies: type[R]) -> None:
        """`on_start` is called right before the file is run."""
        self._process, self._on_start, self._replies = process, on_start, replies

    def open(self) -> R:
        """Run the file; the reply says what is in it. Raises `CheckError`."""
        ready, _ = self._receive()
        if not ready.ready:
            raise self.ended()
        self._on_start()
        return self.ask({"open": True}, {})[0]

    def ask(self, fields: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> tuple[R, dict[str, Tensor]]:
        """The reply to a request; raises `CheckError`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(packed(fields, tensors))
            self._process.stdin.flush()
        except OSError:
            raise self.ended() from None
        answer, returned = self._receive()
        if answer.failure:
            raise _error(answer.failure)
        return answer, returned

    def _receive(self) -> tuple[R, dict[str, Tensor]]:
        assert self._process.stdout is not None
        try:
            fields, tensors = receive(self._process.stdout)
            return self._replies.model_validate_json(json.dumps(fields)), tensors
        except (MessageError, ValidationError):
            raise self.ended() from None

    def ended(self) -> CheckError:
        """The error if it sends something else than replies."""
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return TheirError("Your code disturbed the process that runs it, so it was not checked.")
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return TheirError(f"Your code ended the process that runs it ({how}).")


class RemoteProcess(CodeProcess[Answer]):
    """The process that runs a file, see `code_process`."""

    def __init__(self, process: "subprocess.Popen[bytes]", on_start: Callable[[], None], file: Path) -> None:
        """See `CodeProcess`."""
        super().__init__(process, on_start, Answer)
        self.file = str(file.resolve())

    def codes(self) -> list["RemoteCode"]:
        """Run the file; the code in it that is checked. Raises `CheckError`."""
        answer = self.open()
        if not answer.codes:
            raise self.ended()
        return [RemoteCode(self, index, described) for index, described in enumerate(answer.codes)]


class RemoteCode:
    """A function, or an object of a class, in the other process; see `Code`."""

    def __init__(self, process: RemoteProcess, index: int, described: Described) -> None:
        self._process, self._index = process, index
        self.file, self.line, self.name = process.file, described.line, one_line(described.name)
        self.text, self.comments = described.text, described.comments
        self.sizes, self.own_sizes, self.is_function = Sizes(), _sizes(described.sizes), described.is_function
        self.knows_padding = described.knows_padding
        self.unregistered = [one_line(name, 100) for name in described.unregistered]
        self.repeated = {one_line(name, 100): one_line(first, 100) for name, first in described.repeated.items()}
        self.parameters = {one_line(name): required for name, required in described.parameters.items()}
        self._names = dict(zip(self.parameters, described.parameters))
        self.has_weights = described.has_weights

    def call(self, arguments: Mapping[str, Any], seed: int = 0, *, training: bool = False) -> Returned:
        """See `Code`."""
        answer, named = self._ask(arguments, seed=seed, training=training)
        return Returned([tensor.float() for tensor in named.values()], answer.number)

    def trace(self, arguments: Mapping[str, Any]) -> Trace:
        """See `Code`."""
        answer, tensors = self._ask(arguments, traced=True)
        try:
            return unpacked_trace(answer.trace or {}, tensors, self.file)
        except MessageError:
            raise TheirError("Your code disturbed the process that runs it, so it was not checked.") from None

    def _ask(
        self, arguments: Mapping[str, Any], *, seed: int = 0, training: bool = False, traced: bool = False
    ) -> tuple[Answer, dict[str, Tensor]]:
        given = {self._names.get(name, name): value for name, value in arguments.items()}
        tensors = {key: part for name, value in given.items() for key, part in parted(name, value).items()}
        plain = {name: value for name, value in given.items() if value is None or isinstance(value, (int, float))}
        made = {name: _kind(value) for name, value in given.items() if name not in plain and not parted(name, value)}
        request = {"index": self._index, "seed": seed, "training": training, "traced": traced}
        return self._process.ask(request | {"plain": plain, "made": made}, tensors)


def _sizes(given: Mapping[str, int]) -> Sizes:
    known = {field.name for field in fields(Sizes)}
    return Sizes(**{name: max(1, size) for name, size in given.items() if name in known})


def _kind(value: Any) -> str:
    """The name in `code_process.MADE` of an argument that is no number."""
    return "model" if isinstance(value, CausalModel) else "device" if isinstance(value, torch.device) else "settings"


def _error(failure: Failure) -> Exception:
    problem, advice = one_line(failure.problem, 1000), one_line(failure.advice, 1000)
    if failure.kind == "theirs":
        return TheirError(problem, failure.line)
    if failure.kind == "ours":
        return CheckFailedError(problem)
    return (NotJudgedError if failure.kind == "unjudged" else CheckError)(problem, advice)
