"""A tiny checkpoint, ways to look at it and ways to break it."""

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.settings.config import Change, RunConfig
from playground.storage.checkpoint import save
from playground.tasks.batches import make_batch
from playground.training import with_interval

TINY = RunConfig().updated(
    {
        "task.vocab_size": 5,
        "task.max_length": 4,
        "model.d_model": 8,
        "model.n_heads": 2,
        "model.d_ff": 16,
        "training.steps": 20,
    }
)
RECORDS = [
    with_interval(record)
    for record in [
        {
            "step": 0,
            "seconds": 0.0,
            "validation_loss": 2.5,
            "exact_match": 0.0,
            "token_accuracy": 0.125,
            "sequences": 42,
        },
        {"step": 1, "loss": 2.25, "learning_rate": 0.005, "seconds": 0.01},
        {
            "step": 2,
            "loss": 2.0,
            "learning_rate": 0.005,
            "seconds": 0.02,
            "validation_loss": 1.75,
            "exact_match": 0.5,
            "token_accuracy": 0.75,
            "sequences": 42,
        },
        {"step": 3, "loss": 1.5, "learning_rate": 0.005, "seconds": 0.03},
    ]
]


CHANGES = (
    Change(step=1, settings={"training.learning_rate": 0.001, "model.dropout": 0.25}),
    Change(step=2, settings={"training.steps": 30, "training.stop_when_solved": False}),
)


def tiny(architecture: str = "encoder-decoder", *, seed: int = 0, **model: Any) -> TaskModel:
    changes = {f"model.{name}": value for name, value in model.items()}
    return TaskModel(TINY.updated({"model.architecture": architecture, "seed": seed} | changes)).eval()


def logits(model: TaskModel) -> torch.Tensor:
    source = torch.tensor([[4, 5, 6, 7], [7, 4, 0, 0]])
    batch = make_batch(model.config, source, source)
    with torch.no_grad():
        return model(*batch)[0]


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: the bytes of files, None for folders."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def refusal(call: Callable[[], object], *names: str) -> str:
    """The one line with which a call is refused; it says each of `names`."""
    with pytest.raises(CheckpointError) as caught:
        call()
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    assert text.endswith(".")
    assert len(text) < 1000
    for name in names:
        assert name in text
    return text


def fail_at(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], numbers: set[int], error: BaseException) -> None:
    """Lets the calls number `numbers`, counted from 1, of these functions of os fail."""
    calls = 0

    def failing(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls in numbers:
                raise error
            return original(*args, **kwargs)

        return call

    for name in names:
        monkeypatch.setattr(os, name, failing(getattr(os, name)))


FULL_DISK = OSError(errno.ENOSPC, "No space left on device")
RENAME = ("rename", "replace")


def parts(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and data of a safetensors file."""
    end = 8 + int.from_bytes(content[:8], "little")
    return json.loads(content[8:end]), content[end:]


def assembled(header: object, data: bytes, length: int | None = None) -> bytes:
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(raw) if length is None else length).to_bytes(8, "little") + raw + data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkpoint of a tiny model."""
    save(tmp_path / "model", tiny(), RECORDS)
    return tmp_path / "model"
