"""Direct contributions of the parts of a model to one of its logits, and the size of its vectors by depth.

The vectors between the sublayers are a sum: embedding, position, what each head and feed-forward network adds, and
biases (Elhage et al. 2021, A Mathematical Framework for Transformer Circuits). The output layer is linear, and so is a
norm whose divisor is kept at its value in the pass. So a logit is a sum of terms, one for each part.
"""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from playground.common.errors import PlaygroundError
from playground.interpret.passes import streams, top_stack
from playground.model.architecture import NORMS, sublayers
from playground.model.head_paths import Head
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import ModelConfig
from playground.tasks.batches import Batch

_TOLERANCE = 1e-3
"""Largest difference, relative to the largest term, between a logit and the sum of its terms in float32."""

_DIVISORS = {"layer_norm": "standard deviations", "rms_norm": "root mean squares"}

TermKind = Literal["embedding", "positions", "head", "feed-forward", "bias"]


@dataclass(frozen=True)
class Contribution:
    """One term of a logit."""

    path: str  # of a tap (embedding, positions), a head, a feed-forward network or a parameter (bias)
    kind: TermKind
    value: float


@dataclass(frozen=True)
class Contributions:
    """All terms of a logit, in the order of execution; they add up to it."""

    terms: tuple[Contribution, ...]
    logit: float  # of the pass; with `against`, the difference of two logits
    note: str


def contributions(
    model: TaskModel, batch: Batch, position: int, token: int, against: int | None = None
) -> Contributions:
    """Terms of the logit of `token` at a position, from 0, of the first input; of its difference to that of `against`.

    A part's term is what its output adds on the direct path to the output layer: what later sublayers make of it counts
    as theirs. The divisor of each norm is the one of this pass. A LayerNorm passes on each part's deviation from its
    mean, an RMSNorm the part itself, divided and multiplied by the norm's weights; the bias of a LayerNorm is a term of
    its own. A head's term includes its value bias, that of a mixture everything that its experts add. Without residual
    connections, only the last sublayer has a direct path.

    This is exact for pre-norm, post-norm and no norm, in all architectures. Raises `PlaygroundError` for a model whose
    terms don't add up, such as one with a mistake in it.
    """
    settings, stack = model.config.model, top_stack(model.config.model)
    cache = _observed(model, batch, stack, position)
    parts = _embeddings(cache, stack)
    for part in sublayers(settings, stack):
        added = _ADDED[part.kind](model, cache, part.path)
        parts = parts | added if settings.residual else added
        if settings.layer_norm and settings.norm_position == "post":
            parts = _normalized(model, parts, f"{part.path}_add_norm.norm")
    if settings.layer_norm and settings.norm_position == "pre":
        parts = _normalized(model, parts, f"{stack}.norm")
    direction, logits = _double(model, "head.weight"), cache["logits"]
    reads = direction[token] - (0 if against is None else direction[against])
    terms = [Contribution(path, kind, float(vector @ reads)) for (path, kind), vector in parts.items()]
    for (path, kind), bias in _bias(model, "head").items():
        terms.append(Contribution(path, kind, float(bias[token] - (0 if against is None else bias[against]))))
    logit = float(logits[token] - (0 if against is None else logits[against]))
    largest = max(1.0, *(abs(term.value) for term in terms))
    if not abs(sum(term.value for term in terms) - logit) <= _TOLERANCE * largest:
        raise PlaygroundError("This logit is not the sum of its usual terms, because the model has an unusual part.")
    return Contributions(tuple(terms), logit, note(settings))


def note(settings: ModelConfig) -> str:
    """The limits of the contributions in a model with these settings, in sentences."""
    sentences = []
    if settings.layer_norm:
        name, divisors = NORMS[settings.norm], _DIVISORS[settings.norm]
        sentences.append(
            f"{name} divides by the {divisors} of this forward pass. With these numbers fixed, {name} is "
            "linear, so the contributions sum to the logit."
        )
    if not settings.residual:
        sentences.append("Without residual connections only the last sublayer contributes directly.")
    sentences.append("Only direct effects count. A part's effect through a later sublayer counts for that sublayer.")
    return " ".join(sentences)


def residual_norms(model: TaskModel, batch: Batch) -> dict[str, Tensor]:
    """Length (L2 norm) of the vectors of the first input by depth, in all stacks: path of what they leave -> (T,)."""
    stacks = [name for name in ("encoder", "decoder") if getattr(model, name) is not None]
    by_stack = [streams(model, batch, stack) for stack in stacks]
    return {path: vectors[0].norm(dim=-1) for leaving in by_stack for path, vectors in leaving.items()}


_Parts = dict[tuple[str, TermKind], Tensor]
"""Vectors (D,) that add up to the vector at one position, by path and kind."""


def _observed(model: TaskModel, batch: Batch, stack: str, position: int) -> dict[str, Tensor]:
    """Tensors of the pass at one position of the first input: heads (H, K), others (D,), (F,) or (V,)."""
    hidden = "gated" if model.config.model.activation == "swiglu" else "activation"
    taps = {"MultiHeadAttention": "attention.heads", "FeedForward": hidden, "Mixture": "output"}
    read = [f"{part.path}.{taps[part.kind]}" for part in sublayers(model.config.model, stack)]
    _, cache = run_with_cache(model, batch, [f"{stack}.embeddings.*", *read, "logits"])
    length = cache["logits"].size(1)
    if not 0 <= position < length:
        raise PlaygroundError(f"There is no position {position}; the positions are 0 to {length - 1}.")
    return {name: tensor[0, ..., position, :].double() for name, tensor in cache.items()}


def _embeddings(cache: dict[str, Tensor], stack: str) -> _Parts:
    token, position = f"{stack}.embeddings.token_embedding", f"{stack}.embeddings.position"
    parts: _Parts = {(token, "embedding"): cache[token]}
    return parts | ({(position, "positions"): cache[position]} if position in cache else {})


def _attention(model: TaskModel, cache: dict[str, Tensor], path: str) -> _Parts:
    heads = cache[f"{path}.attention.heads"]  # (H, K)
    weight = _double(model, f"{path}.w_o.weight").unflatten(1, heads.shape)  # (D, H, K)
    added = torch.einsum("hk,dhk->hd", heads, weight)
    parts: _Parts = {(Head(path, number).path, "head"): vector for number, vector in enumerate(added)}
    return parts | _bias(model, f"{path}.w_o")


def _feed_forward(model: TaskModel, cache: dict[str, Tensor], path: str) -> _Parts:
    (hidden,) = (tensor for tap, tensor in cache.items() if tap in (f"{path}.activation", f"{path}.gated"))
    parts: _Parts = {(path, "feed-forward"): _double(model, f"{path}.w_2.weight") @ hidden}
    return parts | _bias(model, f"{path}.w_2")


def _mixture(_model: TaskModel, cache: dict[str, Tensor], path: str) -> _Parts:
    return {(path, "feed-forward"): cache[f"{path}.output"]}


_ADDED = {"MultiHeadAttention": _attention, "FeedForward": _feed_forward, "Mixture": _mixture}
"""What a sublayer of this kind adds."""


def _normalized(model: TaskModel, parts: _Parts, path: str) -> _Parts:
    """The terms behind a norm whose divisor is that of the whole vector."""
    norm = model.get_submodule(path)
    assert isinstance(norm, nn.LayerNorm | nn.RMSNorm)
    if isinstance(norm, nn.LayerNorm):
        parts = {key: vector - vector.mean() for key, vector in parts.items()}
    whole = torch.stack(list(parts.values())).sum(0)
    scale = _double(model, f"{path}.weight") / (whole.square().mean() + (norm.eps or 0.0)).sqrt()
    return {key: vector * scale for key, vector in parts.items()} | _bias(model, path)


def _bias(model: TaskModel, path: str) -> _Parts:
    name = f"{path}.bias"
    return (
        {(name, "bias"): _double(model, name)} if getattr(model.get_submodule(path), "bias", None) is not None else {}
    )


def _double(model: TaskModel, name: str) -> Tensor:
    return model.get_parameter(name).detach().cpu().double()
