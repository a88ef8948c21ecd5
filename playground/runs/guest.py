"""What the processes beside the server have in common: each is a guest on the machine and goes with its host."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing.connection import wait

import torch

from playground.config import Change, RunConfig
from playground.runs.snapshots import put_weights, unpacked
from playground.training import Training, TrainingError


def settle(niceness: int, memory_mb: int) -> None:
    """Makes this process a guest: one thread, low priority, gone with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's; its end closes the connection
    if hasattr(os, "nice"):
        os.nice(niceness)
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if memory_mb:
        _limit_memory(memory_mb)


def _end_with_server() -> None:
    """Ends this process when the server is gone, also in the middle of a step that takes long."""
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
        os._exit(1)


def _limit_memory(megabytes: int | None) -> None:
    """Lets this process take so much more than it has; beyond it an allocation fails. Linux alone can do that.

    None ends the limit: whoever has run into it must still be able to say so.
    """
    try:
        import resource

        limit = most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if megabytes is not None:
            with open("/proc/self/status") as status:
                taken = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
            limit = taken + megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))
    except (ImportError, OSError, StopIteration, ValueError):
        pass


@contextlib.contextmanager
def memory_in_words(what: str, memory_mb: int) -> Iterator[None]:
    """Turns a failed allocation into a `TrainingError`."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
            raise
        _limit_memory(None)
        allowed = f"more than the {memory_mb:,} MB a run may take on this host" if memory_mb else "too much"
        raise TrainingError(
            f"The {what} needed {allowed} memory, so it ended; a smaller batch, model or length needs less."
        ) from error


def training_from(config: RunConfig, changes: tuple[Change, ...], state: bytes | None, beginning: bytes) -> Training:
    """A training that goes on from a packed state; None: from its beginning."""
    training = Training(config, changes=changes)
    if state is not None:
        training.go_on_from(unpacked(state))
    elif beginning:
        put_weights(training.model, beginning)
    return training
