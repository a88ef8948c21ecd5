"""Edges of a model: which part reads what another part adds to the residual stream, and patches of single edges.

Between the sublayers of a pre-norm model flows a sum: the embeddings, what each head adds after W^O, what each
feed-forward network adds, and biases (Elhage et al. 2021). A sender is one of these terms. A receiver is one reader of
the sum: the query, key or value of a head, a feed-forward network, or the output layer. In an encoder-decoder, keys and
values of cross-attention read the terms of the encoder. To patch an edge means that this receiver alone reads the
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
from playground.model.architecture import sublayers
from playground.model.head_paths import Head
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
class Receiver:
    """A reader of the residual stream: a linear layer behind a norm, or the columns of it that belong to one head."""

    name: str  # "decoder.layers.0.self_attention.head.0.query", "decoder.layers.0.feed_forward", "logits"
    stream: str  # tap of the sum that it reads
    norm: str  # path of the norm before it; "" without one
    linear: str  # path of its linear layer
    tap: str  # of what the linear layer makes
    head: int | None
    senders: tuple[Sender, ...]  # the terms of the sum, in the order of the model

    def edges(self) -> Iterator[str]:
        """Names of the edges that end here."""
        return (f"{sender.name}{ARROW}{self.name}" for sender in self.senders)

    def columns(self, value: Tensor, heads: int) -> Tensor:
        """Its columns of the tensor at its tap, (B, T, K), (B, T, F) or (B, T, V); a view."""
        return value if self.head is None else value.unflatten(-1, (heads, -1))[..., self.head, :]

    def normed(self, model: nn.Module, stream: Tensor) -> Tensor:
        """The sum, (B, T, D), behind the norm."""
        return cast(Tensor, model.get_submodule(self.norm)(stream)) if self.norm else stream

    def read(self, model: nn.Module, stream: Tensor, heads: int) -> Tensor:
        """Its columns if the sum, (B, T, D), is this one."""
        return self.made(model, self.normed(model, stream), heads)

    def made(self, model: nn.Module, x: Tensor, heads: int) -> Tensor:
        """Its columns if the linear layer reads x, (B, T, D)."""
        linear = cast(nn.Linear, model.get_submodule(self.linear))
        if self.head is None:
            return cast(Tensor, linear(x))
        width = linear.out_features // heads
        rows = slice(self.head * width, (self.head + 1) * width)
        return F.linear(x, linear.weight[rows], None if linear.bias is None else linear.bias[rows])


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
            if part.kind == "FeedForward":
                found.append(Receiver(path, *own[:2], f"{path}.w_1", f"{path}.hidden", None, own[2]))
                senders.append(Sender(path, f"{path}.output"))
            else:
                read = memory if path.endswith("cross_attention") and memory else own
                for head in range(model.n_heads):
                    for role, (sum_, norm_, terms) in (("query", own), ("key", read), ("value", read)):
                        name, tap = f"{Head(path, head).path}.{role}", f"{path}.{role}_projection"
                        found.append(Receiver(name, sum_, norm_, f"{path}.w_{role[0]}", tap, head, terms))
                    senders.append(Sender(Head(path, head).path, f"{path}.attention.heads", head))
            stream = f"{path}_add_norm.sum"
        memory = stream, f"{stack}.norm" * model.layer_norm, tuple(senders)
        if stack == top_stack(model):
            found.append(Receiver("logits", *memory[:2], "head", "logits", None, memory[2]))
    return tuple(found)


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
        dict[str, list[tuple[Receiver, tuple[Sender, ...]]]](),
        dict[str, Tensor](),
        dict[str, Tensor](),
    )
    watched, wanted = set[str](), set(patched)
    read: dict[tuple[str, str, tuple[Sender, ...]], Tensor] = {}  # the heads of a sublayer often read the same sum

    def watch(tap: str, value: Tensor) -> None:
        seen[tap] = value
        read.clear()
        if tap in stored:
            differences[tap] = overlaid(value, stored[tap]) - value

    def changed(receiver: Receiver, senders: tuple[Sender, ...]) -> Tensor:
        key = receiver.stream, receiver.norm, senders
        if key not in read:
            stream = seen[receiver.stream]
            for sender in senders:
                stream = stream + sender.term(instance, differences[sender.tap])
            read[key] = receiver.normed(instance, stream)
        return read[key]

    def change(every: Sequence[tuple[Receiver, tuple[Sender, ...]]], value: Tensor) -> Tensor:
        value = value.clone()
        for receiver, senders in every:
            made = receiver.made(instance, changed(receiver, senders), settings.n_heads)
            receiver.columns(value, settings.n_heads)[:] = made
        return value

    for receiver in receivers(settings):
        senders = tuple(sender for sender, edge in zip(receiver.senders, receiver.edges()) if edge in wanted)
        if senders:
            watched |= {receiver.stream, *(sender.tap for sender in senders)}
            changes.setdefault(receiver.tap, []).append((receiver, senders))
    watching = {tap: partial(watch, tap) for tap in watched}
    with hooked(instance, watching), hooked(instance, {tap: partial(change, every) for tap, every in changes.items()}):
        yield instance
    for kept in (seen, differences, read):
        kept.clear()


def everywhere(tensors: Mapping[str, Tensor]) -> dict[str, Stored]:
    """Tensors of a pass over inputs of the same lengths, to be stored whole."""
    return {tap: Stored(value, torch.ones((), dtype=torch.bool).expand(value.shape)) for tap, value in tensors.items()}
