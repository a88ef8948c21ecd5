"""`python -m playground.lessons.check FILE PART MASK SECONDS`: the process in which code from elsewhere runs."""

import os
import signal
import sys
from pathlib import Path

import torch

from playground.lessons.check import checked_losses, checked_masks, comparing  # noqa: F401  before memory is limited
from playground.lessons.check.checking import MEMORY_MB, as_json, verdict_here
from playground.runs.backends.processes import limit_memory

if __name__ == "__main__":
    answer = os.fdopen(os.dup(1), "w")  # what the code prints goes elsewhere
    os.dup2(2, 1)
    file, part, mask, seconds = sys.argv[1:5]
    torch.set_num_threads(1)
    limit_memory(MEMORY_MB)
    if hasattr(signal, "setitimer"):  # ends the process, whatever it does; elsewhere its parent does
        signal.setitimer(signal.ITIMER_REAL, float(seconds))
    verdict = verdict_here(Path(file), part, mask or None)
    limit_memory(None)
    answer.write(as_json(verdict))
    answer.flush()
    os._exit(0)  # threads that the code has started end, too
