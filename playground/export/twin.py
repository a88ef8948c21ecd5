"""A model of another package that stands for a decoder-only one: what it must have, its comparison, its folder."""

import io
import json
import zipfile
from collections.abc import Callable, Collection, Mapping

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.settings.config import ModelConfig
from playground.storage.checkpoint import Checkpoint
from playground.tasks import PAD, task_of, token_names
from playground.tasks.batches import Sequences, make_batch

MAX_DIFFERENCE = 1e-4
"""Largest difference of a logit, relative to the largest logit where that is above 1."""
INPUTS = 64
"""How many held-out inputs are compared."""


class TwinError(PlaygroundError, ValueError):
    """A model that the other package can't express, or does not compute alike."""


def check(name: str, settings: ModelConfig, positions: Collection[str], *, norms: bool = True) -> None:
    """Raise `TwinError` with the reasons if `name` can't represent these settings.

    It has `positions`, and, unless `norms` is False, LayerNorm always.
    """
    problems = []
    if settings.architecture != "decoder-only":
        problems.append(f"It is decoder-only, and this model is {settings.architecture}.")
    if (settings.layer_norm and settings.norm_position != "pre") or (norms and not settings.layer_norm):
        problems.append("It normalizes before each sublayer (pre-norm).")
    if not settings.residual:
        problems.append("It has residual connections.")
    if not settings.causal_mask:
        problems.append("It has a causal mask.")
    if settings.positions not in positions:
        problems.append(f"It doesn't have this model's positions: {settings.positions}.")
    if problems:
        raise TwinError(f"{name} can't express this model. {' '.join(problems)}")


def position_table(checkpoint: Checkpoint) -> Tensor:
    """(max_positions, D): what is added to token vectors, counted from the start; zeros where nothing is."""
    decoder = checkpoint.model.decoder
    assert decoder
    if decoder.embeddings.positions is None:
        return torch.zeros(checkpoint.config.max_positions, checkpoint.config.model.d_model)
    return decoder.embeddings.positions.table.detach().clone()


@torch.inference_mode()
def compare(name: str, checkpoint: Checkpoint, logits: Callable[[Tensor, Tensor], Tensor]) -> str:
    """A sentence on how much the other model's logits differ; raises `TwinError` above `MAX_DIFFERENCE`.

    `logits` computes them, (B, T, V), from tokens (B, T) and a mask (B, T) that is 0 for PAD and 1 elsewhere.
    """
    config = checkpoint.config
    source = Sequences.of(config.task).draw(INPUTS, torch.Generator().manual_seed(0))
    batch = make_batch(config, source)
    assert batch.target is not None
    read = batch.target != PAD  # (B, T)
    right = checkpoint.model(*batch[:3])[0]
    output = logits(batch.target, read.long())
    difference = float((output - right)[read].abs().max()) / max(1.0, float(right[read].abs().max()))
    if not difference <= MAX_DIFFERENCE:
        raise TwinError(f"A logit of the {name} model differs by {difference:.2g}, so no file was written.")
    return f"Compared on {INPUTS} inputs: the largest difference of a logit is {difference:.1e}."


def folder(checkpoint: Checkpoint, name: str, code: str, files: Mapping[str, bytes]) -> bytes:
    """A zip file of the folder: `files`, the names of the tokens, and a README with the `code` that opens it."""
    config = checkpoint.config
    task = task_of(config.task)
    reads = "The model reads the input and the token SEP, and then predicts the answer, which ends with EOS."
    if task.continues:
        reads = "The model reads the token BOS and the beginning of a text, and continues it."
    readme = f"""# A tiny transformer for the task {config.task.name}, as a model of {name}

```python
import json
from pathlib import Path

{code}
tokens = json.loads(Path("tokens.json").read_text(encoding="utf-8"))  # a token's number is its index
```

{reads} Task: {task.goal}.
"""
    tokens = json.dumps(token_names(config.task), ensure_ascii=False)
    whole = {**files, "tokens.json": tokens.encode(), "README.md": readme.encode()}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for path, content in sorted(whole.items()):
            file.writestr(zipfile.ZipInfo(path), content)  # without a time: the same bytes each time
    return packed.getvalue()
