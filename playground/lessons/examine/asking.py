"""Asks the process that runs a file for the results of its tests; nothing that comes from there is trusted."""

import subprocess
from collections.abc import Callable

from playground.common.errors import PlaygroundError, one_line
from playground.lessons.check.code.student_code import TheirError
from playground.lessons.check.process.remote_code import CodeProcess
from playground.lessons.check.verdict import CheckFailedError
from playground.lessons.examine.examination import Examination, Result, as_json
from playground.lessons.examine.modules import PARTS
from playground.lessons.examine.tests_process import Sent, SentTest
from playground.lessons.mistakes.table import EXAMINED

NOT_RUN = "It was not run, because the check had stopped before."


class Asking:
    """The results so far, which are the answer if the process is stopped."""

    def __init__(self) -> None:
        self._listed: list[SentTest] = []
        self._results: list[Result] = []

    def answer(self, process: "subprocess.Popen[bytes]", on_start: Callable[[], None]) -> str:
        """The results of all tests, as JSON."""
        code = CodeProcess(process, on_start, Sent)
        try:
            self._listed = code.open().tests
            for index, listed in enumerate(self._listed):
                reply, _ = code.ask({"test": index}, {})
                self._results.append(_result(listed, reply.tests[0] if reply.tests else listed))
        except PlaygroundError as error:
            return self._ended(str(error), error.line if isinstance(error, TheirError) else None)
        except CheckFailedError as error:
            return self._ended(f"The examination failed ({error}). This is an error of this project, not of your code.")
        return as_json(Examination(tuple(self._results)))

    def stopped(self, problem: str) -> str:
        """The results so far if the code takes too much time or memory, as JSON."""
        return self._ended(problem)

    def _ended(self, problem: str, line: int | None = None) -> str:
        results = list(self._results)
        if not self._listed:
            return as_json(Examination(error=problem, error_line=line))
        for listed in self._listed[len(results) :]:
            error = problem if len(results) == len(self._results) else NOT_RUN
            results.append(Result(one_line(listed.name, 100), listed.line, error=error, cell=listed.cell))
        return as_json(Examination(tuple(results)))


def _result(listed: SentTest, sent: SentTest) -> Result:
    """A result, of which only what can be is kept."""
    return Result(
        one_line(listed.name, 100),
        listed.line,
        sent.part if sent.part in PARTS else None,
        tuple(name for name in EXAMINED if name in sent.catches),
        tuple(name for name in EXAMINED if name in sent.misses and name not in sent.catches),
        one_line(sent.false_alarm, 1000),
        one_line(sent.error, 1000),
        sent.error_line,
        listed.cell,
    )
