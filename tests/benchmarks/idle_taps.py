"""What the taps of a model cost a training step that nobody records."""

import time
from collections.abc import Callable

import torch

from playground.experiments.benchmark import FIXED_16
from playground.model.task_model import TaskModel
from playground.recording import Tap
from playground.tasks.batches import Sequences, make_batch


def measure() -> float:
    """Fraction of a training step spent in idle taps: number of calls times the cost of one."""
    config = FIXED_16
    model = TaskModel(config)
    source = Sequences.of(config.task).draw(config.training.batch_size, torch.Generator().manual_seed(0))
    batch = make_batch(config, source)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)

    def step() -> None:
        optimizer.zero_grad()
        model(*batch)[1].backward()
        optimizer.step()

    tap, tensor = Tap(), torch.zeros(1)
    calls = sum(isinstance(module, Tap) for module in model.modules())

    def thousand_taps() -> None:
        for _ in range(1000):
            tap(tensor)

    return calls * _least(thousand_taps, 20) / 1000 / _least(step, 100)


def _least(work: Callable[[], None], times: int) -> float:
    """Seconds of the fastest of several runs, the one with the least interference."""
    durations = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return min(durations)
