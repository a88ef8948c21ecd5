"""The way in: check a file in processes of their own, or an object in this one."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any

from pydantic import TypeAdapter, ValidationError

from playground.common.errors import PlaygroundError, one_line
from playground.common.paths import user_path
from playground.lessons.check import confinement
from playground.lessons.check.opened_code import Code, OpenedCode
from playground.lessons.check.student_code import EXAMPLES, TheirError
from playground.lessons.check.verdict import CheckError, NotJudgedError, Outcome, Verdict, failed, failed_here
from playground.lessons.own_code.expressions import things_to_check

PARTS = tuple(EXAMPLES)
MAX_SECONDS = 60.0
"""For the code and its comparison; the processes need some more to start."""

START_SECONDS = 300.0


def check(thing: Any, part: str = "attention", mask: str | None = None, *, build: str = "", call: str = "") -> Verdict:
    """Compares your own function, class or module with this project's, and with what known mistakes give.

    `part` is attention, multi-head-attention, positional-encoding, masks, layer-norm, feed-forward, encoder-layer,
    decoder-layer, transformer or loss. A forward pass does not show how a model is trained: whether the target is
    shifted and padding left out, a `loss` shows. `mask` says what True in a mask does to a key: "keep" or "hide".
    Without it the name of the argument or a docstring tells; where they are silent, both are tried. The path of a
    Python file or a notebook is run in a process of its own with limited time and memory, which is no sandbox: the code
    can do what you can. Anything else is checked in this process, on a copy.

    For a file, `build` is an expression for what is checked, such as "GPT(Config())", and `call` one that says which
    argument is what, such as "model(idx)": q, k, v, x, src, tgt, idx, memory, mask, src_mask and other usual names
    stand for what the check gives.

    The result's `verdict` is right, wrong, unknown (not judged) or error, `cause` the name of the mistake; as text it
    is the whole message.
    Raises `playground.PlaygroundError` for an unknown part or mask.
    """
    if part not in PARTS:
        raise CheckError(f"There is no part {one_line(part)!r}.", f"Choose one of {', '.join(PARTS)}.")
    if mask not in (None, "keep", "hide"):
        raise CheckError(f"A mask cannot {one_line(mask)!r}.", "Choose keep or hide.")
    if isinstance(thing, (str, os.PathLike)):
        return check_file(user_path(thing), part, mask, build=build, call=call)
    if build or call:
        raise CheckError("build and call are for files.", "Build the object yourself and pass it.")
    return verdict_of([thing], part, mask)


def verdict_of(things: list[Any], part: str, mask: Any) -> Verdict:
    """The verdict on the first thing; for masks on all of them."""
    return judge(lambda: [OpenedCode(thing, part) for thing in things[: None if part == "masks" else 1]], part, mask)


def verdict_here(file: Path, part: str, mask: Any, build: str = "", call: str = "") -> Verdict:
    """The verdict on a file that is run in this process."""
    return judge(lambda: [OpenedCode(thing, part) for thing in things_to_check(file, part, build, call)], part, mask)


def judge(opened: Callable[[], Sequence[Code]], part: str, mask: Any) -> Verdict:
    """The verdict on code; `error` if it does not run, `unknown` if the check can't interpret it or fails itself."""
    from playground.lessons.check.checked_losses import check_loss
    from playground.lessons.check.checked_masks import check_masks
    from playground.lessons.check.comparing import check_code

    try:
        codes = list(opened())
        if part == "loss":
            return check_loss(codes[0])
        return check_masks(codes, mask) if part == "masks" else check_code(codes[0], part, mask)
    except PlaygroundError as error:
        verdict: Outcome = "unknown" if isinstance(error, NotJudgedError) else "error"
        return failed(part, str(error), error.line if isinstance(error, TheirError) else None, verdict)
    except Exception as error:
        return failed_here(part, error)


class CheckProcess:
    """A process that judges a file, and starts another one that runs it, with limited time and memory."""

    def __init__(
        self,
        file: Path,
        part: str,
        mask: str | None = None,
        seconds: float = MAX_SECONDS,
        *,
        build: str = "",
        call: str = "",
    ) -> None:
        self._part, self._until = part, monotonic() + seconds + START_SECONDS
        self._secret = token_hex(16).encode()
        words = [str(file.absolute()), part, mask or "", build, call, str(seconds)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "playground.lessons.check", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=confinement.environment(),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(self._secret + b"\n")
            self._process.stdin.flush()

    def wait(self, seconds: float | None = None) -> Verdict | None:
        """The verdict; None if there is none after so many seconds."""
        left = max(0.0, self._until - monotonic())
        try:
            answer, _ = self._process.communicate(timeout=left if seconds is None else min(seconds, left))
        except subprocess.TimeoutExpired:
            if monotonic() < self._until:
                return None
            self.end()
            self._process.communicate()
            return failed(self._part, "The check did not end in time and was stopped.")
        self.end()
        return self._verdict(answer)

    def end(self) -> None:
        """Ends the process and what it has started; `wait` returns then."""
        confinement.end_with_descendants(self._process)

    def _verdict(self, answer: bytes) -> Verdict:
        """The verdict after the secret, which only the process that judges knows."""
        fields = answer.partition(self._secret)[2].partition(b"\n")[0]
        try:
            return _VERDICT.validate_json(fields)
        except ValidationError:
            code = self._process.returncode
            how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            return failed_here(self._part, f"its process ended, {how}")


_VERDICT = TypeAdapter(Verdict)


def check_file(
    file: Path, part: str, mask: str | None = None, seconds: float = MAX_SECONDS, *, build: str = "", call: str = ""
) -> Verdict:
    """Runs a file in a process of its own, whose time and memory are limited, and judges what it computes."""
    process = CheckProcess(file, part, mask, seconds, build=build, call=call)
    try:
        while (verdict := process.wait()) is None:
            pass
        return verdict
    except BaseException:  # such as Ctrl-C
        process.end()
        process.wait()
        raise
