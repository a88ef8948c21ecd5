"""Logit lens: what the output layer would predict after each sublayer (nostalgebraist 2020, "interpreting GPT")."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.interpret.passes import streams, top_stack
from playground.model.architecture import NORMS
from playground.model.task_model import TaskModel
from playground.settings.config import ModelConfig
from playground.tasks import PAD
from playground.tasks.batches import Batch, first_source, make_batch


@dataclass(frozen=True)
class Lens:
    """Predictions from the vectors between the sublayers of the stack that the output layer reads, for one input."""

    depths: tuple[str, ...]  # paths of what the vectors leave: the embeddings, then each sublayer; N in all
    probabilities: Tensor  # (N, T, V); the last row is the model's own prediction
    right: Tensor  # (T,) token ids of the right answer, PAD where nothing is predicted
    caveat: str

    @property
    def top(self) -> Tensor:
        """(N, T) most probable token."""
        return self.probabilities.argmax(-1)

    @property
    def right_probability(self) -> Tensor:
        """(N, T) probability of the right token, NaN where nothing is predicted."""
        probability = self.probabilities.gather(2, self.right.expand(len(self.depths), -1)[..., None])[..., 0]
        return probability.masked_fill(self.right == PAD, torch.nan)


def lens(model: TaskModel, batch: Batch) -> Lens:
    """The logit lens of the first input in `batch`, after the embeddings and after every sublayer.

    In pre-norm the stack's last norm is applied to each vector with that vector's own divisor. In post-norm each vector
    has passed the norm of its sublayer.
    """
    stack = top_stack(model.config.model)
    leaving = streams(model, batch, stack)
    top = model.decoder or model.encoder
    assert top is not None
    vectors = torch.stack([vector[0] for vector in leaving.values()]).to(model.device)  # (N, T, D)
    with torch.inference_mode():
        probabilities = model.head(top.norm(vectors) if top.norm else vectors).softmax(-1).cpu()
    return Lens(tuple(leaving), probabilities, right_labels(model, batch), caveat(model.config.model))


def caveat(settings: ModelConfig) -> str:
    """The limits of the lens of a model with these settings, in sentences."""
    trained = "The output layer was trained only on the last layer's output. Rows of earlier layers can mislead."
    if not settings.layer_norm:
        return trained
    name = NORMS[settings.norm]
    if settings.norm_position == "post":
        return f"Each row has passed the {name} of its own sublayer. {trained}"
    return (
        f"For an early prediction, the vector after each sublayer passes through the final {name} and the output "
        "layer. Both were trained only on the last layer's output. Rows of earlier layers can mislead."
    )


def right_labels(model: TaskModel, batch: Batch) -> Tensor:
    """(T,) right token at each position of the first input's pass, PAD where nothing is predicted or nothing is right.

    Positions after the right answer and its EOS have no right token, whatever the decoder reads.
    """
    source = first_source(model.config, batch)[None].cpu()
    labels = make_batch(model.config, source).labels[0]
    return F.pad(labels, (0, batch.labels.size(1) - len(labels)))
