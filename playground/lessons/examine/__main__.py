"""`python -m playground.lessons.examine FILE SECONDS`: asks the process that runs a file for its tests' results."""

import sys
from functools import partial

from playground.lessons.own_code.processes import Supervisor


def _main(file: str, seconds: str) -> None:
    supervisor = Supervisor("playground.lessons.examine.tests_process", (file,), seconds)
    from playground.lessons.examine.asking import Asking

    asking = Asking()
    started = partial(supervisor.watch, asking.stopped)
    supervisor.answer(asking.answer(supervisor.process, started))


if __name__ == "__main__":
    _main(*sys.argv[1:3])
