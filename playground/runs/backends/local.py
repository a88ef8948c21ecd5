"""The backend of this machine."""

import os
from collections.abc import Callable
from functools import cached_property
from typing import Any
from unittest import mock

import torch

from playground.processes import child
from playground.runs.backends.backend import DEFAULT_NEEDS, Needs


class Local:
    """The backend of this machine: one process per worker."""

    slots, problem, shares_disk = 0, "", True

    def __init__(self, niceness: int = child.USUAL_NICENESS) -> None:
        """`niceness` of workers that aren't spare, see `child.lower_priority`."""
        self.niceness = niceness

    @cached_property
    def has_gpu(self) -> bool:
        """The driver reports a GPU. A process that has started CUDA cannot fork children that use it."""
        with mock.patch.dict(os.environ, {"PYTORCH_NVML_BASED_CUDA_CHECK": "1"}):
            return torch.cuda.is_available()

    def start(
        self, target: Callable[..., None], *arguments: Any, name: str, needs: Needs = DEFAULT_NEEDS
    ) -> child.Child:
        """See `Backend.start`."""
        niceness = max(self.niceness, child.SPARE_NICENESS) if needs.spare else self.niceness
        return child.start(target, *arguments, name=name, niceness=niceness, memory_mb=needs.memory_mb)

    def open(self, on_change: Callable[[], None]) -> None:
        """Do nothing: `warm_up` or the first process starts the fork server."""

    def settled(self, seconds: float) -> bool:
        """True: this backend never has a problem."""
        return True

    def close(self) -> None:
        """Do nothing: every process ends with this one."""


LOCAL = Local()
SHARED = Local(child.IDLE)
"""The backend of a shared host: runs use what visitors leave, so that no page waits for them."""
