"""Child processes with bounded time and memory. A `Pool` computes in them; results and errors come back."""

from playground.processes.child import Connection, MemoryLimitError, Worker, end, limit_memory, memory_errors, warm_up
from playground.processes.pool import ComputeError, Limits, Pool, received, serve

__all__ = [
    "ComputeError",
    "Connection",
    "Limits",
    "MemoryLimitError",
    "Pool",
    "Worker",
    "end",
    "limit_memory",
    "memory_errors",
    "received",
    "serve",
    "warm_up",
]
