"""Vectors between the sublayers, and the held-out inputs that evaluation uses, in batches."""

from torch import Tensor

from playground.model.architecture import sublayers
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import ModelConfig
from playground.tasks.batches import Batch


def streams(model: TaskModel, batch: Batch, stack: str) -> dict[str, Tensor]:
    """The vectors (B, T, D) between the sublayers of a stack, by the path of what they leave, from its embeddings on.

    What leaves a sublayer includes the residual sum and, in post-norm, the norm behind it.
    """
    names = {f"{stack}.embeddings": f"{stack}.embeddings"}
    names |= {part.path: f"{part.path}_add_norm" for part in sublayers(model.config.model, stack)}
    _, cache = run_with_cache(model, batch, names.values())
    return {path: cache[name] for path, name in names.items()}


def top_stack(settings: ModelConfig) -> str:
    """The stack whose output the output layer reads."""
    return "encoder" if settings.architecture == "encoder-only" else "decoder"
