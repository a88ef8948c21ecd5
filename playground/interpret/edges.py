"""Edges of a model: which part reads what another part adds to the residual stream, and patches of single edges.

Between the sublayers of a pre-norm model flows a sum: the embeddings, what each head adds after W^O, what each
feed-forward network adds, and biases (Elhage et al. 2021). A sender is one of these terms. A receiver is one reader of
the sum: the query, key or value of a head, a feed-forward network or mixture, or the output layer. Where heads share
keys or a latent vector, a patch changes what one head makes of them. In an encoder-decoder, keys and values of
cross-attention read the terms of the encoder. To patch an edge means that this receiver alone reads the
sender's term of another input (path patching, Wang et al. 2022, arXiv:2211.00593; Goldowsky-Dill et al. 2023).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.interpret.interventions import InterventionError, Stored, overlaid
from playground.interpret.passes import top_stack
from playground.model.architecture import Part, sublayers
from playground.model.attention import MultiHeadAttention
from playground.model.embeddings import rotate
from playground.model.grouped_query_attention import GroupedQueryAttention
from playground.model.head_paths import Head
from playground.model.latent_attention import LatentAttention
from playground.model.task_model import TaskModel
from playground.recording import hooked, with_shared_weights
from playground.settings.config import ModelConfig

ARROW = " -> "
"""Between sender and receiver in the name of an edge."""


@dataclass(frozen=True)
class Sender:
    """A term of the residual stream."""

    name: str  # of the site: "decoder.embeddings.sum", a head, "decoder.layers.0.feed_forward"
    tap: str
    head: int | None = None

    def term(self, model: nn.Module, value: Tensor) -> Tensor:
        """(B, T, D): what it adds if its tap, (B, H, T, K) or (B, T, D), has this value; biases are left out."""
        if self.head is None:
            return value
        part, width = value[:, self.head], value.size(-1)
        linear = cast(nn.Linear, model.get_submodule(self.tap.removesuffix("attention.heads") + "w_o"))
        return part @ linear.weight[:, self.head * width : (self.head + 1) * width].T


@dataclass(frozen=True)
class StreamRead:
    """A linear layer that reads the sum, or the columns of it that belong to one head."""

    linear: str  # its path
    tap: str  # of what it makes
    head: int | None = None

    def columns(self, value: Tensor, heads: int) -> Tensor:
        """Its columns of the tensor at its tap, for example (B, T, K), (B, T, F) or (B, T, V); a view."""
        return value if self.head is None else value.unflatten(-1, (heads, -1))[..., self.head, :]

    def made(self, model: nn.Module, x: Tensor, heads: int) -> Tensor:
        """Its columns if it reads x, (B, T, D), which is behind the norm."""
        linear = cast(nn.Linear, model.get_submodule(self.linear))
        if self.head is None:
            return cast(Tensor, linear(x))
        width = linear.out_features // heads
        rows = slice(self.head * width, (self.head + 1) * width)
        return F.linear(x, linear.weight[rows], None if linear.bias is None else linear.bias[rows])


@dataclass(frozen=True)
class SharedStreamRead(StreamRead):
    """A head's query, key or value in an attention whose heads share keys: `linear` is the path of the attention."""

    head: int = 0
    role: str = "query"

    def columns(self, value: Tensor, heads: int) -> Tensor:
        """(B, H, T, Q) -> the head's part, (B, T, Q), with its rotary columns; a view."""
        return value[:, self.head]

    def made(self, model: nn.Module, x: Tensor, heads: int) -> Tensor:
        """What the head compares, or its value, if the attention reads x, (B, T, D)."""
        attention, head = cast(MultiHeadAttention, model.get_submodule(self.linear)), slice(self.head, self.head + 1)
        turns = attention.rotary and self.role != "value"
        if isinstance(attention, LatentAttention):
            up = {"query": attention.w_q, "key": attention.w_uk, "value": attention.w_uv}[self.role]
            made = attention.split(up(x if self.role == "query" else attention.w_dkv(x)))[:, head]
            if turns and self.role == "query":
                made = torch.cat([made, rotate(attention.split(attention.w_qr(x))[:, head])], -1)
            elif turns:
                made = torch.cat([made, rotate(attention.w_kr(x)[:, None])], -1)
        else:
            groups = cast(GroupedQueryAttention, attention).n_kv_heads
            number, group = (heads, 1) if self.role == "query" else (groups, heads // groups)
            linear = getattr(attention, f"w_{self.role[0]}")
            made = linear(x).unflatten(-1, (number, -1)).transpose(1, 2)[:, self.head // group, None]
            made = rotate(made) if turns else made
        return made[:, 0]


@dataclass(frozen=True)
class Receiver:
    """A reader of the residual stream: the linear layers behind a norm that read it for one part of the model."""

    name: str  # "decoder.layers.0.self_attention.head.0.query", "decoder.layers.0.feed_forward", "logits"
    stream: str  # tap of the sum that it reads
    norm: str  # path of the norm before it; "" without one
    reads: tuple[StreamRead, ...]
    senders: tuple[Sender, ...]  # the terms of the sum, in the order of the model

    def edges(self) -> Iterator[str]:
        """Names of the edges that end here."""
        return (f"{sender.name}{ARROW}{self.name}" for sender in self.senders)

    def normed(self, model: nn.Module, stream: Tensor) -> Tensor:
        """The sum, (B, T, D), behind the norm."""
        return cast(Tensor, model.get_submodule(self.norm)(stream)) if self.norm else stream


@lru_cache(maxsize=KEPT_SETTINGS)
def receivers(model: ModelConfig) -> tuple[Receiver, ...]:
    """All receivers in the order of the model.

    Raises `InterventionError` for a model whose sublayers don't read a sum of terms.
    """
    if not model.residual or (model.layer_norm and model.norm_position == "post"):
        why = "post-norm changes the sum after each sublayer" if model.residual else "it has no residual connections"
        raise InterventionError(
            f"This model has no edges to measure: {why}, so no sublayer reads a sum of what the parts add.",
            "Measure nodes or heads instead.",
        )
    found: list[Receiver] = []
    stacks = model.architecture.removesuffix("-only").split("-")
    memory: tuple[str, str, tuple[Sender, ...]] | None = None
    for stack in stacks:
        stream = f"{stack}.embeddings.sum"
        senders = [Sender(stream, stream)]
        for part in sublayers(model, stack):
            path, norm = part.path, f"{part.path}_add_norm.norm" * model.layer_norm
            own = stream, norm, tuple(senders)
            if part.kind != "MultiHeadAttention":
                found.append(Receiver(path, *own[:2], _first_reads(part), own[2]))
                senders.append(Sender(path, f"{path}.output"))
            else:
                read = memory if path.endswith("cross_attention") and memory else own
                for head in range(model.n_heads):
                    for role, (sum_, norm_, terms) in (("query", own), ("key", read), ("value", read)):
                        name = f"{Head(path, head).path}.{role}"
                        found.append(Receiver(name, sum_, norm_, (_read(model, path, head, role),), terms))
                    senders.append(Sender(Head(path, head).path, f"{path}.attention.heads", head))
            stream = f"{path}_add_norm.sum"
        memory = stream, f"{stack}.norm" * model.layer_norm, tuple(senders)
        if stack == top_stack(model):
            found.append(Receiver("logits", *memory[:2], (StreamRead("head", "logits"),), memory[2]))
    return tuple(found)


def _read(model: ModelConfig, path: str, head: int, role: str) -> StreamRead:
    """How a head of the attention at `path` reads the sum for its query, key or value."""
    if model.attention == "multi_head":
        return StreamRead(f"{path}.w_{role[0]}", f"{path}.{role}_projection", head)
    return SharedStreamRead(path, f"{path}.attention.{role}", head, role)


_FIRST = {"w_1": "hidden", "w_3": "up", "router": "router_scores"}
"""Linear layers that read the input of a feed-forward network or mixture, and the taps of what they make."""


def _first_reads(part: Part) -> tuple[StreamRead, ...]:
    named = [linear.path.rpartition(".") for linear in part.find("Linear")]
    return tuple(StreamRead(f"{path}.{name}", f"{path}.{_FIRST[name]}") for path, _, name in named if name in _FIRST)


def edges(model: ModelConfig) -> list[str]:
    """Names of all edges, by receiver in the order of the model; raises as `receivers` does."""
    return [edge for receiver in receivers(model) for edge in receiver.edges()]


def sender_taps(model: ModelConfig) -> list[str]:
    """The taps of all senders, each once."""
    return list(dict.fromkeys(sender.tap for receiver in receivers(model) for sender in receiver.senders))


@contextmanager
def patched_edges(model: TaskModel, patched: Collection[str], stored: Mapping[str, Stored]) -> Iterator[TaskModel]:
    """A copy of `model` in which the receivers of the edges `patched` read what is stored of their senders.

    Every other receiver reads what the senders add in the same pass. `stored` has the taps of the senders.
    """
    settings, instance = model.config.model, with_shared_weights(model).eval()
    changes, seen, differences = (
        dict[str, list[tuple[Receiver, StreamRead, tuple[Sender, ...]]]](),
        dict[str, Tensor](),
        dict[str, Tensor](),
    )
    watched, wanted = set[str](), set(patched)
    normed: dict[tuple[str, str, tuple[Sender, ...]], Tensor] = {}  # the heads of a sublayer often read the same sum

    def watch(tap: str, value: Tensor) -> None:
        seen[tap] = value
        normed.clear()
        if tap in stored:
            differences[tap] = overlaid(value, stored[tap]) - value

    def changed(receiver: Receiver, senders: tuple[Sender, ...]) -> Tensor:
        key = receiver.stream, receiver.norm, senders
        if key not in normed:
            stream = seen[receiver.stream]
            for sender in senders:
                stream = stream + sender.term(instance, differences[sender.tap])
            normed[key] = receiver.normed(instance, stream)
        return normed[key]

    def change(every: Sequence[tuple[Receiver, StreamRead, tuple[Sender, ...]]], value: Tensor) -> Tensor:
        value = value.clone()
        for receiver, read, senders in every:
            made = read.made(instance, changed(receiver, senders), settings.n_heads)
            read.columns(value, settings.n_heads)[:] = made
        return value

    for receiver in receivers(settings):
        senders = tuple(sender for sender, edge in zip(receiver.senders, receiver.edges()) if edge in wanted)
        if senders:
            watched |= {receiver.stream, *(sender.tap for sender in senders)}
            for read in receiver.reads:
                changes.setdefault(read.tap, []).append((receiver, read, senders))
    watching = {tap: partial(watch, tap) for tap in watched}
    with hooked(instance, watching), hooked(instance, {tap: partial(change, every) for tap, every in changes.items()}):
        yield instance
    for kept in (seen, differences, normed):
        kept.clear()


def everywhere(tensors: Mapping[str, Tensor]) -> dict[str, Stored]:
    """Tensors of a pass over inputs of the same lengths, to be stored whole."""
    return {tap: Stored(value, torch.ones((), dtype=torch.bool).expand(value.shape)) for tap, value in tensors.items()}
