"""The way in: check a file in processes of their own, or an object in this one."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from playground.common.errors import PlaygroundError, one_line
from playground.common.files import why_no_file
from playground.common.paths import user_path
from playground.lessons.check.code.opened_code import Code, OpenedCode
from playground.lessons.check.code.student_code import EXAMPLES, TheirError
from playground.lessons.check.verdict import CheckError, NotJudgedError, Outcome, Verdict, failed, failed_here
from playground.lessons.own_code.expressions import things_to_check
from playground.lessons.own_code.processes import MAX_SECONDS, AskingProcess

PARTS = tuple(EXAMPLES)
WITHOUT_INPUTS = ("loss", "masks", "positional-encoding")
"""Parts that are judged on several calls."""


def check(
    thing: Any,
    part: str = "attention",
    mask: str | None = None,
    *,
    inputs: Sequence[Any] | None = None,
    build: str = "",
    call: str = "",
) -> Verdict:
    """Judges your own function, class or module by the formulas applied to its own numbers.

    `part` is attention, multi-head-attention, positional-encoding, masks, layer-norm, feed-forward, encoder-layer,
    decoder-layer, transformer or loss. A forward pass does not show how a model is trained: whether the target is
    shifted and padding left out, a `loss` shows. `mask` says what True in a mask does to a key: "keep" or "hide".
    Without it the name of the argument or a docstring tells; where they are silent, both are tried. The path of a
    Python file or a notebook is run in a process of its own with limited time and memory, which is no sandbox: the code
    can do what you can. Anything else is checked in this process, on a copy.

    `inputs` are the arguments of one call, in order: an object is judged on this pass. For a file, `build` is an
    expression for what is checked, such as "GPT(Config())", and `call` one that says which argument is what, such as
    "model(idx)": q, k, v, x, src, tgt, idx, memory, mask, src_mask and other usual names stand for what the check
    gives.

    The result's `verdict` is right, wrong, unknown (not judged) or error, `cause` the name of the mistake; as text it
    is the whole message.
    Raises `playground.PlaygroundError` for an unknown part or mask.
    """
    if part not in PARTS:
        raise CheckError(f"There is no part {one_line(part)!r}.", f"Choose one of {', '.join(PARTS)}.")
    if mask not in (None, "keep", "hide"):
        raise CheckError(f"A mask cannot {one_line(mask)!r}.", "Choose keep or hide.")
    if isinstance(thing, (str, os.PathLike)):
        if inputs is not None:
            raise CheckError("inputs is for objects.", "For a file, use call.")
        return check_file(user_path(thing), part, mask, build=build, call=call)
    if build or call:
        raise CheckError("build and call are for files.", "Build the object yourself and pass it.")
    if inputs is not None and part in WITHOUT_INPUTS:
        raise CheckError(f"inputs is not for the part {part}.", f"It is for all but {', '.join(WITHOUT_INPUTS)}.")
    return verdict_of([thing], part, mask, inputs)


def verdict_of(things: list[Any], part: str, mask: Any, inputs: Sequence[Any] | None = None) -> Verdict:
    """The verdict on the first thing; for masks on all of them."""
    things = things[: None if part == "masks" else 1]
    return judge(lambda: [OpenedCode(thing, part) for thing in things], part, mask, inputs)


def verdict_here(file: Path, part: str, mask: Any, build: str = "", call: str = "") -> Verdict:
    """The verdict on a file that is run in this process."""
    return judge(lambda: [OpenedCode(thing, part) for thing in things_to_check(file, part, build, call)], part, mask)


def judge(opened: Callable[[], Sequence[Code]], part: str, mask: Any, inputs: Sequence[Any] | None = None) -> Verdict:
    """The verdict on code; `error` if it does not run, `unknown` if the check can't interpret it or fails itself."""
    from playground.lessons.check.judges.judged_losses import check_loss
    from playground.lessons.check.judges.judged_masks import check_masks
    from playground.lessons.check.judges.judged_positions import check_positions
    from playground.lessons.check.judging import check_code

    try:
        codes = list(opened())
        if part == "loss":
            return check_loss(codes[0])
        if part == "positional-encoding":
            return check_positions(codes[0])
        return check_masks(codes, mask) if part == "masks" else check_code(codes[0], part, mask, inputs)
    except PlaygroundError as error:
        verdict: Outcome = "unknown" if isinstance(error, NotJudgedError) else "error"
        return failed(part, str(error), error.line if isinstance(error, TheirError) else None, verdict)
    except Exception as error:
        return failed_here(part, error)


class CheckProcess(AskingProcess[Verdict]):
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
        self._part = part
        super().__init__("playground.lessons.check", [str(file.absolute()), part, mask or "", build, call], seconds)

    def read(self, answer: bytes) -> Verdict:
        """See `AskingProcess`."""
        return _VERDICT.validate_json(answer)

    def late(self) -> Verdict:
        """See `AskingProcess`."""
        return failed(self._part, "The check did not end in time and was stopped.")

    def broken(self, problem: str) -> Verdict:
        """See `AskingProcess`."""
        return failed_here(self._part, problem)


_VERDICT = TypeAdapter(Verdict)


def check_file(
    file: Path, part: str, mask: str | None = None, seconds: float = MAX_SECONDS, *, build: str = "", call: str = ""
) -> Verdict:
    """Runs a file in a process of its own, whose time and memory are limited, and judges what it computes."""
    if problem := why_no_file(file):
        return failed(part, problem)
    return CheckProcess(file, part, mask, seconds, build=build, call=call).result()
