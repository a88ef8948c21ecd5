"""The way in: which mistakes a learner's tests catch, of a file in processes of its own or of functions in this one."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playground.common.files import why_no_file
from playground.common.paths import user_path
from playground.lessons.examine.examination import Examination, from_json
from playground.lessons.own_code.processes import MAX_SECONDS, AskingProcess


def examine(tests: "str | os.PathLike[str] | Callable[..., Any] | Sequence[Callable[..., Any]]") -> Examination:
    """Run your own tests of a transformer on right modules and on modules with 14 classic mistakes.

    A test is a function that gets a part of a model and returns True or False, or asserts. The name of its argument, or
    its annotation, says which part: attention, multi_head_attention, layer_norm, positional_encoding, feed_forward,
    encoder_layer, decoder_layer, or model, which is called as `model(source, target)` and returns logits. A second
    argument `config` gets the model's sizes. `python -m playground examine --template` prints a file to begin with.

    `tests` are functions, which run in this process, or the path of a Python file or a notebook. Its functions whose
    names begin with test_ or check_ run in a process of their own with limited time and memory, which is no sandbox.

    The result has the mistakes that are `caught` and `missed`, and the result of each of the `tests`: what it catches,
    or that it accuses right code. Printed, it is a table.
    """
    if isinstance(tests, (str, os.PathLike)):
        return examine_file(user_path(tests))
    from playground.lessons.examine.running import all_examined

    return Examination(all_examined([tests] if callable(tests) else tests))


class ExamineProcess(AskingProcess[Examination]):
    """A process that asks for the results of a file's tests, and starts another one that runs them."""

    def __init__(self, file: Path, seconds: float = MAX_SECONDS) -> None:
        super().__init__("playground.lessons.examine", [str(file.absolute())], seconds)

    def read(self, answer: bytes) -> Examination:
        """See `AskingProcess`."""
        return from_json(answer)

    def late(self) -> Examination:
        """See `AskingProcess`."""
        return Examination(error="The tests did not end in time and were stopped.")

    def broken(self, problem: str) -> Examination:
        """See `AskingProcess`."""
        return Examination(error=f"The examination failed ({problem}). This is an error of this project, not of yours.")


def examine_file(file: Path, seconds: float = MAX_SECONDS) -> Examination:
    """What the tests of a file catch; it runs in a process of its own with limited time and memory."""
    if problem := why_no_file(file):
        return Examination(error=problem)
    return ExamineProcess(file, seconds).result()
