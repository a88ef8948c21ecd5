"""Processes for work that the server must not do itself: forked from a server that has torch warm."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, spawn
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Any
from unittest import mock

from playground.recording import REPOSITORY


def start(target: Callable[..., None], *arguments: Any, name: str) -> tuple[Connection, BaseProcess]:
    """Starts `target(connection, *arguments)` in a process of its own; returns this side's end of the connection.

    Raises whatever keeps a process from starting.
    """
    connection, far_end = multiprocessing.Pipe()
    try:
        process = _context().Process(target=target, args=(far_end, *arguments), name=name, daemon=True)
        with _without_main():
            process.start()
    except BaseException:
        connection.close()
        raise
    finally:
        far_end.close()
    return connection, process


def warm_up() -> None:
    """Starts the fork server ahead of the first process; without it the first one pays seconds."""
    _context()
    if multiprocessing.get_all_start_methods()[0] != "spawn":
        with _without_main():
            forkserver.ensure_running()
            first = _context().Process(target=_nothing)
            first.start()
        first.join()  # only now it is sure that everything has been imported


def ending(code: int | None) -> str:
    """How a process has ended, in words."""
    return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _nothing() -> None:
    pass


def _context() -> SpawnContext | ForkServerContext:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")  # Windows
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["playground.runs.preload"])
    return context


_starting = Lock()


@contextmanager
def _without_main() -> Iterator[None]:
    """Keeps multiprocessing from running the main script, here a Streamlit page, again in every worker.

    Also lets the fork server find this package from any working directory: it takes no notice of sys.path.
    """
    original = spawn.get_preparation_data

    def preparation_data(name: str) -> dict:
        data = original(name)
        return {key: value for key, value in data.items() if not key.startswith("init_main_from")}

    paths = filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH")))
    with (
        _starting,
        mock.patch.object(spawn, "get_preparation_data", preparation_data),
        mock.patch.dict(os.environ, {"PYTHONPATH": os.pathsep.join(paths)}),
    ):
        yield
