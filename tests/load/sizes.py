"""Untrained models of the supported sizes; trained ones need as much memory."""

from pathlib import Path

from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.checkpoint import save

_LARGEST = {"model.d_model": 256, "model.n_heads": 16, "model.d_ff": 1024, "task.min_length": 64, "task.max_length": 64}

SIZES = {
    "lecture": RunConfig().updated(
        {"model.d_model": 64, "model.n_heads": 8, "model.n_layers": 2, "task.min_length": 16, "task.max_length": 16}
    ),
    "largest": RunConfig().updated(_LARGEST | {"model.n_layers": 2, "task.vocab_size": 500}),
    "longest": RunConfig().updated(
        _LARGEST | {"model.architecture": "decoder-only", "model.n_layers": 6, "model.positions": "learned"}
    ),
}
"""Settings by name: 2 + 2 layers for a lecture, and the maximum of a shared host, with and without an encoder."""


def put(name: str, library: Path) -> str:
    """Save the model of a size as a checkpoint in `library`; returns the query string that opens it on an input."""
    config = SIZES[name]
    if not (library / name).exists():
        save(library / name, TaskModel(config), [{"step": 0, "seconds": 0.0}])
    symbols = (str(index % config.task.vocab_size) for index in range(config.task.max_length))
    return f"model={name}&input={'+'.join(symbols)}"
