"""`python -m playground.lessons.check FILE PART MASK BUILD CALL SECONDS`: judges a file that another process runs.

Whatever that process sends is checked and then compared here, so the code can't write its own verdict. The answer
follows a secret that this process reads first. The other process starts before torch is imported, so that both start
at the same time.
"""

import os
import subprocess
import sys
import threading
from time import monotonic, sleep

from playground.lessons.check import confinement

_WATCH_SECONDS = 0.05


def _start(*words: str) -> "subprocess.Popen[bytes]":
    words = (sys.executable, "-m", "playground.lessons.check.code_process", *words, str(confinement.MEMORY_MB))
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def _main(file: str, part: str, mask: str, build: str, call: str, limit: str) -> None:
    confinement.supervise()
    secret = sys.stdin.buffer.readline().strip()
    process = _start(file, part, build, call, limit)
    from playground.lessons.check.checking import judge
    from playground.lessons.check.remote_code import RemoteProcess
    from playground.lessons.check.verdict import Verdict, as_json, failed

    lock, seconds = threading.Lock(), float(limit)

    def answer(verdict: Verdict) -> None:
        """Write the verdict, the first one alone, and end."""
        lock.acquire()
        confinement.end_descendants(os.getpid())
        sys.stdout.buffer.write(secret + as_json(verdict).encode() + b"\n")
        sys.stdout.buffer.flush()
        os._exit(0)

    def watch() -> None:
        until, before = monotonic() + seconds, confinement.memory(os.getpid())
        most = before + confinement.MEMORY_MB * 1_000_000
        while monotonic() < until:
            if confinement.memory(os.getpid()) > most:
                answer(failed(part, f"The check was stopped: your code used more than {confinement.MEMORY_MB:,} MB."))
            sleep(_WATCH_SECONDS)
        problem = f"The check was stopped after {seconds:g} seconds. Does your code have an endless loop?"
        answer(failed(part, problem))

    def started() -> None:
        threading.Thread(target=watch, daemon=True).start()

    answer(judge(RemoteProcess(process, started).codes, part, mask or None))


if __name__ == "__main__":
    _main(*sys.argv[1:7])
