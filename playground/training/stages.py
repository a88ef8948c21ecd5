"""One optimizer step in slow motion: title, sentence and tensors of each stage."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from torch import Tensor
from torch.nn import functional as F

from playground.common.numbers import counted
from playground.model.architecture import architecture, label, locate, section
from playground.optimization.optimizers import OPTIMIZERS
from playground.settings.config import RunConfig
from playground.tasks import PAD
from playground.tasks.batches import Batch

StageKind = Literal["batch", "embed", "attention", "feed_forward", "output", "loss", "backward", "optimizer"]

SHOWN_TOKENS = 6
"""Number of labels in the sequence that is shown, or the nearest there is: enough for a pattern, few enough to read."""

_MAIN_TAPS: dict[str, tuple[StageKind, str]] = {
    "Embeddings": ("embed", "sum"),
    "MultiHeadAttention": ("attention", "attention.weights"),
    "FeedForward": ("feed_forward", "output"),
    "Mixture": ("feed_forward", "gates"),
}
"""The stage that shows a part of this kind, and the tap of its main tensor."""


def stage_plan(config: RunConfig) -> tuple[tuple[StageKind, str], ...]:
    """Kind and main tap of every stage of a step, in order."""
    tree = architecture(config.model)
    shown = [(kind, f"{part.path}.{tap}") for part in tree.find(*_MAIN_TAPS) for kind, tap in [_MAIN_TAPS[part.kind]]]
    first: tuple[StageKind, str] = ("batch", f"{tree.parts[0].path}.tokens")
    return (first, *shown, ("output", "logits"), ("loss", "loss"), ("backward", ""), ("optimizer", ""))


@dataclass(frozen=True)
class Stage:
    """One stage of the step under way."""

    step: int  # counted from 1
    kind: StageKind
    tap: str  # the name of its main tensor; "" where it has none
    title: str
    sentence: str  # what happens here
    tensors: dict[str, Tensor] = field(default_factory=dict)  # of the whole batch, by name of the tap, in order
    numbers: dict[str, float] = field(default_factory=dict)
    """By measure; what is also measured by part of the model stands under "gradient_norm.encoder layer 1" besides."""
    row: int = 0  # of the batch: the sequence to be shown
    tokens: dict[str, list[int]] = field(default_factory=dict)  # of that sequence, without PAD at the end


def by_part(tensors: Mapping[str, Tensor]) -> dict[str, float]:
    """The norm of each part of the model, taken over `tensors` by name of the parameter."""
    squares: dict[str, float] = {}
    for name, tensor in tensors.items():
        part = section(name)
        squares[part] = squares.get(part, 0.0) + float(tensor.double().square().sum())
    return {part: math.sqrt(square) for part, square in squares.items()}


def smoothing_floor(smoothing: float, vocabulary_size: int) -> float:
    """The lowest loss that label smoothing allows, in nats: the entropy of the smoothed label."""
    share = smoothing / vocabulary_size  # every token gets it, the right one and PAD included
    right = 1 - smoothing + share
    return -right * math.log(right) - (vocabulary_size - 1) * share * math.log(share) if share else 0.0


def _balances(config: RunConfig) -> bool:
    """True if training also minimizes balancing losses."""
    return config.model.feed_forward == "mixture" and config.model.balance > 0


class Stages:
    """Makes the stages of one step from the results of its parts."""

    def __init__(self, config: RunConfig, step: int) -> None:
        """`config`: the settings of this step."""
        self.config, self.step, self.row = config, step, 0
        self._plan = stage_plan(config)

    def batch(self, batch: Batch) -> Stage:
        """The tokens that the model reads, and its labels."""
        named = {"encoder.tokens": batch.source, "decoder.tokens": batch.target, "labels": batch.labels}
        tensors = {name: tensor for name, tensor in named.items() if tensor is not None}
        count, lengths = len(batch.labels), (batch.labels != PAD).sum(1).tolist()
        self.row = min(range(count), key=lambda row: abs(lengths[row] - SHOWN_TOKENS))
        return Stage(
            self.step,
            "batch",
            next(iter(tensors)),
            "Batch",
            f"{count} {'sequences are' if count > 1 else 'sequence is'} drawn at random, never a held-out one.",
            tensors,
            {"batch_size": count},
            self.row,
            {
                key: tensor[self.row][: int((tensor[self.row] != PAD).nonzero().max()) + 1].tolist()
                for key, tensor in zip(("source", "target", "labels"), named.values(), strict=True)
                if tensor is not None
            },
        )

    def forward_pass(self, taps: Mapping[str, Tensor]) -> Iterator[Stage]:
        """From the embeddings to the logits, one stage a sublayer."""
        groups: dict[str, dict[str, Tensor]] = {}
        for name, tensor in taps.items():
            groups.setdefault(self._main_tap(name), {})[name] = tensor
        for tap, tensors in groups.items():
            if tap != "loss":
                yield Stage(self.step, *self._words(tap), tensors, row=self.row)

    def loss(self, taps: Mapping[str, Tensor], loss: float) -> Stage:
        """The loss that is trained on and, where labels are smoothed, what it would be without, and its floor."""
        sentence = f"The cross-entropy with the right tokens is {loss:.4g} nats per token, averaged over the batch."
        numbers = {"loss": loss}
        if smoothing := self.config.training.label_smoothing:
            sentence = f"The cross-entropy with the smoothed labels ({smoothing:g}) is {loss:.4g} nats per token."
            unsmoothed = F.cross_entropy(taps["logits"].transpose(1, 2), taps["labels"], ignore_index=PAD)
            numbers["unsmoothed_loss"] = float(unsmoothed)
            numbers["smoothing_floor"] = smoothing_floor(smoothing, self.config.vocabulary_size)
        if balance := [float(tensor) for name, tensor in taps.items() if name.endswith(".balance_loss")]:
            numbers |= {"balance_loss": sum(balance), "objective": loss + sum(balance)}
            sentence = f"The cross-entropy is {loss:.4g} nats per token, and the balancing loss is {sum(balance):.4g}."
            sentence += " Training minimizes their sum."
        tensors = {name: taps[name] for name in ("labels", "loss")}
        return Stage(self.step, "loss", "loss", "Loss", sentence, tensors, numbers)

    def backward(self, norm: float, parts: Mapping[str, float]) -> Stage:
        """The norm of the gradient, before it is clipped."""
        numbers = {"gradient_norm": norm} | {f"gradient_norm.{part}": value for part, value in parts.items()}
        what = "the sum of both losses" if _balances(self.config) else "the loss"
        sentence = f"Backpropagation computes for every weight how {what} would change with it."
        if most := self.config.training.clip_grad_norm:
            numbers["clip_grad_norm"] = most
            if norm > most:
                sentence = f"The norm of the gradient, {norm:.4g}, is clipped to {most:g}."
        return Stage(self.step, "backward", "", "Backward", sentence, numbers=numbers)

    def optimizer(self, rate: float, parts: Mapping[str, float]) -> Stage:
        """How far the weights have moved."""
        chosen = OPTIMIZERS[self.config.training.optimizer]
        numbers = {"learning_rate": rate, "update_norm": math.hypot(*parts.values())}
        numbers |= {f"update_norm.{part}": value for part, value in parts.items()}
        sentence = f"{chosen.label} moves each weight against {chosen.moves_against}; learning rate {rate:.4g}."
        return Stage(self.step, "optimizer", "", "Optimizer", sentence, numbers=numbers)

    def _main_tap(self, name: str) -> str:
        """The main tensor of the stage in which the tap `name` is shown; raises ValueError for a tap in none."""
        if sublayer := locate(name).sublayer:
            path = name.partition(sublayer)[0] + sublayer
            return next(tap for _, tap in self._plan if tap.startswith(f"{path}."))
        if name in ("labels", "loss"):
            return "loss"
        if name == "encoder.output" and self.config.model.architecture == "encoder-decoder":
            return [tap for _, tap in self._plan if locate(tap).stack == "encoder"][-1]
        if name in ("logits", "encoder.output", "decoder.output"):
            return "logits"
        stack, _, rest = name.partition(".")
        if rest.startswith("embeddings.") or rest in ("tokens", "padding_mask", "causal_mask", "mask"):
            return f"{stack}.embeddings.sum"
        raise ValueError(f"The tap {name} belongs to no stage of a step.")

    def _words(self, tap: str) -> tuple[StageKind, str, str, str]:
        """Kind, tap, title and sentence of a stage of the forward pass."""
        m = self.config.model
        if tap == "logits":
            sentence = f"At every position, each of the {self.config.vocabulary_size} tokens gets a logit (raw score)."
            return "output", tap, "Output layer", sentence
        if tap.endswith(".embeddings.sum"):
            added = ", and the vector of its position is added" if m.adds_positions else ""
            sentence = f"Every token becomes a vector of {m.d_model} numbers{added}."
            return "embed", tap, f"{tap.partition('.')[0].capitalize()} embeddings", sentence
        location = locate(tap)
        assert location.layer is not None
        layer = f"{location.stack.capitalize()} layer {location.layer + 1}"
        title = f"{layer}: {label(location.sublayer)}"
        if tap.endswith(".gates"):
            sentence = (
                f"For each position, the router chooses {m.experts_per_token} of {counted(m.n_experts, 'expert')}."
            )
            if shared := m.n_shared_experts:
                sentence += f" {counted(shared, 'shared expert')} read{'s' * (shared == 1)} every position."
            return "feed_forward", tap, f"{layer}: mixture of experts", sentence
        if location.sublayer == "feed_forward":
            gated = ", multiplied by a gate," * (m.activation == "swiglu")
            sentence = (
                f"Each position's vector is mapped to {m.d_ff} hidden units{gated} and back to {m.d_model} numbers."
            )
            return "feed_forward", tap, title, sentence
        heads = "one head" if m.n_heads == 1 else f"each of {m.n_heads} heads"
        whose = "the positions of the input" if location.sublayer == "cross_attention" else "the positions it may see"
        sentence = f"In {heads}, each position distributes its attention over {whose}: each row adds up to 1."
        if keys := self._keys():
            sentence = f"In {heads}, each row of weights adds up to 1. {keys}"
        return "attention", tap, title, sentence

    def _keys(self) -> str:
        """A sentence on what the keys and values of newer attentions are made from; empty for multi-head attention."""
        m = self.config.model
        if m.attention == "latent":
            return f"Keys and values are made from the latent: {counted(m.d_latent, 'number')} for each position."
        if m.attention == "grouped_query" and m.n_kv_heads == 1:
            return "All heads have the same keys and values."
        if m.attention == "grouped_query" and m.n_kv_heads < m.n_heads:
            return f"Groups of {m.n_heads // m.n_kv_heads} heads share their keys and values."
        return ""
