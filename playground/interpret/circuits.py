"""Circuits of attention heads: what their weights do to embeddings and positions, whatever the input.

The QK circuit of a head says which query prefers which key, its OV circuit which tokens a key makes more probable
(Elhage et al. 2021, A Mathematical Framework for Transformer Circuits). Both follow the direct path: what other
sublayers add is left out. Of each LayerNorm on the path the mean is subtracted and the weights are multiplied; of each
RMSNorm the weights are multiplied. Its divisor depends on the whole vector and is left out, as all biases are. So
entries of one circuit can be compared with each other, and not with the scores or logits of a pass.

A head of grouped-query attention has the keys and values of its group. In latent attention its keys are W^UK W^DKV x
and its values W^UV W^DKV x; the rotary part beside them, which positions decide, is left out.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.interpret.passes import streams, top_stack
from playground.model.architecture import locate, sublayers
from playground.model.head_paths import Head, kind_of
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import ModelConfig
from playground.tasks import PAD, SPECIALS
from playground.tasks.batches import Batch
from playground.training.held_out import held_out_batches


def note(settings: ModelConfig) -> str:
    """The limits of the circuits of a model with these settings, in sentences."""
    divided = {
        "layer_norm": " and LayerNorm's division by the standard deviation",
        "rms_norm": " and RMSNorm's division by the root mean square",
    }
    sentences = [
        "The maps show what this head would do if it read the embeddings directly, without the sublayers between.",
        f"They leave out biases{divided[settings.norm] * settings.layer_norm}.",
    ]
    if settings.positions == "rotary" and settings.attention == "latent":
        sentences.append("They leave out the rotary part of queries and keys.")
    elif settings.positions == "rotary":
        sentences.append("With rotary positions, QK is for a query and a key at the same position.")
    if settings.qk_norm:
        sentences.append("QK leaves out the division of queries and keys by their lengths.")
    if settings.logit_cap:
        sentences.append("QK leaves out the score cap.")
    if settings.window:
        sentences.append("Both leave out the window, outside of which attention is 0.")
    return " ".join([*sentences, "Compare entries with each other; their absolute size has no meaning."])


def position_vectors(model: TaskModel, batch: Batch) -> dict[str, Tensor]:
    """Position vectors that are added to the tokens of the first input: stack -> (L, D); empty if there are none."""
    _, cache = run_with_cache(model, batch, "*.embeddings.*")
    return {locate(tap).stack: vectors[0] for tap, vectors in cache.items() if tap.endswith(".position")}


def position_products(model: TaskModel, batch: Batch) -> dict[str, Tensor]:
    """Dot products of all pairs of position vectors, P P^T: stack -> (L, L)."""
    return {stack: vectors @ vectors.T for stack, vectors in position_vectors(model, batch).items()}


def token_vectors(model: TaskModel) -> Tensor:
    """Vectors that the stacks read for each token: rows of the token table times sqrt(D), (V, D)."""
    top = model.decoder or model.encoder
    assert top is not None
    table = top.embeddings.token_table.weight.detach().cpu()
    return table * math.sqrt(table.size(1))


def qk_over_positions(model: TaskModel, head: Head, batch: Batch) -> Tensor:
    """(T, S) part of a head's scores that positions alone determine, for inputs as long as the first one in `batch`.

    Raises `PlaygroundError` for a model that adds no positions, or if the head doesn't read the embeddings directly.
    """
    vectors = position_vectors(model, batch)
    if not vectors:
        raise PlaygroundError("This model adds no vectors for positions.")
    stack = locate(head.attention).stack
    return _qk(model, head, vectors[stack], vectors["encoder" if _is_cross(head) else stack])


def qk_over_tokens(model: TaskModel, head: Head) -> Tensor:
    """(V, V) part of a head's scores that tokens alone determine: rows are queries, columns keys.

    With rotary positions, that of a query and a key at the same position; in latent attention without the rotary part.
    Raises `PlaygroundError` if the head doesn't read the embeddings directly.
    """
    return _qk(model, head, token_vectors(model), token_vectors(model))


def ov_over_tokens(model: TaskModel, head: Head) -> Tensor:
    """(V, V) what attending to a token adds to the logits: rows are tokens attended to, columns logits.

    Raises `PlaygroundError` if the head doesn't read the embeddings or write to the logits directly.
    """
    settings, weight = model.config.model, _weight(model, "head.weight")
    behind = _norms_behind(settings, head.attention)
    vectors = _normalized(model, token_vectors(model), _norms_of_keys(settings, head))
    values = vectors @ head_rows(model, head, "w_v").T  # (V, K)
    return _normalized(model, values @ head_columns(model, head).T, behind) @ weight.T


def copying(circuit: Tensor) -> float:
    """Fraction of symbols whose own logit an OV circuit (V, V) raises most: 1 for a head that copies every symbol."""
    symbols = circuit[len(SPECIALS) :, len(SPECIALS) :]
    return float((symbols.argmax(1) == torch.arange(len(symbols))).double().mean())


@dataclass(frozen=True)
class States:
    """Vectors of many tokens at one depth."""

    vectors: Tensor  # (N, D)
    tokens: Tensor  # (N,) token ids
    positions: Tensor  # (N,) from 0


def hidden_states(model: TaskModel, path: str, sequences: int = 100) -> States:
    """Vectors that leave the embeddings ("decoder.embeddings") or a sublayer, for held-out inputs with right answers.

    `path` is a key of `passes.streams`; raises `PlaygroundError` for another.
    """
    stack = locate(path).stack
    parts: list[tuple[Tensor, ...]] = []
    for _, _, batch in held_out_batches(model.config, sequences):
        vectors = streams(model, batch, stack) if getattr(model, stack, None) else {}
        if path not in vectors:
            raise PlaygroundError(f"There are no vectors at {path}.", "Choose the embeddings or a sublayer.")
        tokens = batch.read_by(stack)
        rows, positions = (tokens != PAD).nonzero(as_tuple=True)
        parts.append((vectors[path][rows, positions], tokens[rows, positions], positions))
    return States(*(torch.cat(column) for column in zip(*parts, strict=True)))


@dataclass(frozen=True)
class Components:
    """Vectors in the directions in which they vary most."""

    coordinates: Tensor  # (N, count)
    explained: Tensor  # (count,) fraction of the variance in each direction


def principal_components(vectors: Tensor, count: int = 2) -> Components:
    """The first principal components of (N, D) vectors, at most as many as there are.

    The singular value decomposition of the centred vectors, which needs no other library. The largest coordinate
    of each component is positive, so that a picture doesn't flip from one training step to the next. Raises
    `PlaygroundError` for numbers that are not finite.
    """
    if not bool(vectors.isfinite().all()):
        raise PlaygroundError("These vectors have numbers that are not finite.")
    centred = (vectors - vectors.mean(0)).double()
    left, size, _ = torch.linalg.svd(centred, full_matrices=False)
    coordinates = (left * size)[:, :count]
    sign = coordinates.gather(0, coordinates.abs().argmax(0, keepdim=True)).sign()
    variance = size.square()
    explained = variance / variance.sum().clamp(min=torch.finfo(variance.dtype).tiny)
    return Components((coordinates * sign).float(), explained[:count].float())


def _qk(model: TaskModel, head: Head, queries: Tensor, keys: Tensor) -> Tensor:
    settings = model.config.model
    before = _norms_before(settings, head.attention)
    query = _normalized(model, queries, before) @ head_rows(model, head, "w_q").T  # (T, K)
    key = _normalized(model, keys, _norms_of_keys(settings, head)) @ head_rows(model, head, "w_k").T  # (S, K)
    return query @ key.T * _scale(model, head)


def _scale(model: TaskModel, head: Head) -> float:
    """What multiplies the dot products of a head."""
    settings, rotary = model.config.model, model.config.model.positions == "rotary" and not _is_cross(head)
    if not settings.scale_scores:
        return 1.0
    if settings.qk_norm:
        return float(_weight(model, f"{head.attention}.attention.scale"))
    return (settings.d_head + (settings.d_rope if rotary and settings.attention == "latent" else 0)) ** -0.5


def _is_cross(head: Head) -> bool:
    return kind_of(head.attention) == "cross-attention"


def _norms_before(settings: ModelConfig, path: str) -> list[str]:
    """Norms between the embeddings and what the sublayer at `path` reads from its own stack."""
    every = [part.path for part in sublayers(settings, locate(path).stack)]
    before = every[: every.index(path)]
    if before and not settings.residual:
        raise PlaygroundError("Without residual connections only the first sublayer reads the embeddings directly.")
    return _norms(settings, before, f"{path}_add_norm.norm")


def _norms_of_keys(settings: ModelConfig, head: Head) -> list[str]:
    """Norms between the embeddings and what the keys and values of a head are made from."""
    if not _is_cross(head):
        return _norms_before(settings, head.attention)
    if not settings.residual:
        raise PlaygroundError("Without residual connections cross-attention doesn't read the embeddings directly.")
    return _norms(settings, [part.path for part in sublayers(settings, "encoder")], "encoder.norm")


def _norms_behind(settings: ModelConfig, path: str) -> list[str]:
    """Norms between what the sublayer at `path` adds and the output layer."""
    top = top_stack(settings)
    if locate(path).stack != top:
        raise PlaygroundError("The output layer doesn't read the encoder directly.", "Choose a head of the decoder.")
    every = [part.path for part in sublayers(settings, top)]
    behind = every[every.index(path) :]
    if behind[1:] and not settings.residual:
        raise PlaygroundError("Without residual connections no attention writes to the logits directly.")
    return _norms(settings, behind, f"{top}.norm")


def _norms(settings: ModelConfig, passed: list[str], own: str) -> list[str]:
    """Norms on a path: in post-norm those of the sublayers it passes, in pre-norm the one at its end."""
    if not settings.layer_norm:
        return []
    return [own] if settings.norm_position == "pre" else [f"{path}_add_norm.norm" for path in passed]


def _normalized(model: TaskModel, vectors: Tensor, norms: list[str]) -> Tensor:
    for path in norms:
        if model.config.model.norm == "layer_norm":
            vectors = vectors - vectors.mean(-1, keepdim=True)
        vectors = vectors * _weight(model, f"{path}.weight")
    return vectors


def head_rows(model: TaskModel, head: Head, projection: str) -> Tensor:
    """(K, D) matrix that makes a head's queries ("w_q"), keys ("w_k") or values ("w_v").

    In grouped-query attention the heads of a group have the same keys and values. In latent attention the matrix is
    W^UK W^DKV or W^UV W^DKV, without the rotary part.
    """
    settings, number = model.config.model, head.number
    if projection == "w_q" or settings.attention == "multi_head":
        rows = settings.n_heads
    elif settings.attention == "grouped_query":
        rows = settings.n_kv_heads
        number //= settings.n_heads // rows
    else:
        up = _weight(model, f"{head.attention}.w_u{projection[-1]}.weight")
        rows_of_head = up.unflatten(0, (settings.n_heads, -1))[number]
        return rows_of_head @ _weight(model, f"{head.attention}.w_dkv.weight")
    return _weight(model, f"{head.attention}.{projection}.weight").unflatten(0, (rows, -1))[number]


def head_columns(model: TaskModel, head: Head) -> Tensor:
    """(D, K) columns of the output projection that belong to a head."""
    weight = _weight(model, f"{head.attention}.w_o.weight")
    return weight.unflatten(1, (model.config.model.n_heads, -1))[:, head.number]


def _weight(model: TaskModel, name: str) -> Tensor:
    return model.get_parameter(name).detach().cpu()
