"""`python -m playground.lessons.check FILE PART MASK BUILD CALL SECONDS`: judges a file that another process runs.

Whatever that process sends is checked and then compared here, so the code can't write its own verdict. The answer
follows a secret that this process reads first. The other process starts before torch is imported, so that both start
at the same time.
"""

import sys
from functools import partial
from pathlib import Path

from playground.lessons.own_code.processes import Supervisor


def _main(file: str, part: str, mask: str, build: str, call: str, seconds: str) -> None:
    supervisor = Supervisor("playground.lessons.check.process.code_process", (file, part, build, call), seconds)
    from playground.lessons.check.checking import judge
    from playground.lessons.check.process.remote_code import RemoteProcess
    from playground.lessons.check.verdict import as_json, failed

    started = partial(supervisor.watch, lambda problem: as_json(failed(part, problem)))
    supervisor.answer(as_json(judge(RemoteProcess(supervisor.process, started, Path(file)).codes, part, mask or None)))


if __name__ == "__main__":
    _main(*sys.argv[1:7])
