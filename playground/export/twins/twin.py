"""A model of another package that stands for a decoder-only one: what it must have, its comparison, its folder."""

import io
import json
import zipfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

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
LIMITS = ("qk_norm", "logit_cap", "window")
"""Settings of attention that are off in most models."""


class TwinError(PlaygroundError, ValueError):
    """A model that the other package can't express, or does not compute alike."""


@dataclass(frozen=True)
class TwinKind:
    """What a model of another package can have. It is decoder-only, with pre-norm, residual sums and a causal mask."""

    name: str
    positions: Collection[str]
    norm: Collection[str] = ("layer_norm",)
    activation: Collection[str] = ("relu", "gelu")
    attention: Collection[str] = ("multi_head",)
    feed_forward: Collection[str] = ("dense",)
    limits: Collection[str] = ()  # of qk_norm, logit_cap and window
    needs_norms: bool = True
    more: Callable[[ModelConfig], str] = lambda settings: ""  # another reason why not, in a sentence

    def problems(self, settings: ModelConfig) -> list[str]:
        """Why it can't represent these settings, in sentences; empty if it can."""
        normed = settings.layer_norm
        problems = []
        if settings.architecture != "decoder-only":
            problems.append(f"It is decoder-only, and this model is {settings.architecture}.")
        if (normed and settings.norm_position != "pre") or (self.needs_norms and not normed):
            problems.append("It normalizes before each sublayer (pre-norm).")
        if not settings.residual:
            problems.append("It has residual connections.")
        if not settings.causal_mask:
            problems.append("It has a causal mask.")
        model = dict(settings)
        if settings.n_kv_heads == settings.n_heads and settings.attention == "grouped_query":
            model["attention"] = "multi_head"  # groups of one head
        chosen = ("positions", *["norm"] * normed, "activation", "attention", "feed_forward")
        problems += [
            f"It doesn't have this model's {name}: {model[name]}."
            for name in chosen
            if model[name] not in getattr(self, name)
        ]
        problems += [f"It has no {name}." for name in LIMITS if model[name] and name not in self.limits]
        return [*problems, *filter(None, [self.more(settings)])]

    def check(self, settings: ModelConfig) -> None:
        """Raise `TwinError` with the reasons if it can't represent these settings."""
        if problems := self.problems(settings):
            raise TwinError(f"{self.name} can't express this model. {' '.join(problems)}")


def position_table(checkpoint: Checkpoint) -> Tensor:
    """(R, D): what is added to token vectors, counted from the start; zeros where nothing is."""
    decoder = checkpoint.model.decoder
    assert decoder
    if decoder.embeddings.positions is None:
        return torch.zeros(checkpoint.config.max_positions, checkpoint.config.model.d_model)
    return decoder.embeddings.positions.table.detach().clone()


def token_table(checkpoint: Checkpoint) -> Tensor:
    """(V, D) token vectors times sqrt(D), for a model that doesn't multiply them."""
    decoder = checkpoint.model.decoder
    assert decoder
    return decoder.embeddings.token_table.weight.detach() * checkpoint.config.model.d_model**0.5


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
