"""Sampling: each token is drawn from the model's distribution, after temperature, top-k and top-p."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from playground.common.errors import PlaygroundError
from playground.decoding.kv_cache import CachedDecoder
from playground.model.task_model import TaskModel
from playground.tasks import EOS, PAD, task_of

MAX_TEMPERATURE = 100.0

ALLOWED = {
    "temperature": f"0 to {MAX_TEMPERATURE:g}",
    "top_k": "1 or more",
    "top_p": "a number above 0, at most 1",
    "seed": "0 to 2^63 - 1",
    "max_tokens": "1 or more",
}
"""The values of the options of sampling, in words."""


class SamplingError(PlaygroundError, ValueError):
    """Settings of sampling or of beam search that cannot be used."""


@dataclass(frozen=True)
class Sampling:
    """How a token is drawn; raises `SamplingError` for a number out of range."""

    temperature: float = 1.0  # divides the logits; 0 takes the most probable token
    top_k: int | None = None  # draw from the k most probable tokens (Fan et al. 2018)
    top_p: float | None = None  # draw from the fewest tokens whose probabilities reach p (Holtzman et al. 2020)
    seed: int = 0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.temperature) and 0 <= self.temperature <= MAX_TEMPERATURE):
            raise _refusal("temperature", f"{self.temperature:g}")
        if self.top_k is not None and self.top_k < 1:
            raise _refusal("top_k", self.top_k)
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise _refusal("top_p", f"{self.top_p:g}")
        if not 0 <= self.seed < 2**63:
            raise _refusal("seed", self.seed)


def _refusal(name: str, value: object) -> SamplingError:
    return SamplingError(f"{name} {value} is not allowed. Use {ALLOWED[name]}.")


@dataclass(frozen=True)
class Cut:
    """Distributions over the V tokens after temperature, top-k and top-p."""

    tempered: Tensor  # (..., V) probabilities after the temperature
    by_top_k: Tensor  # (..., V) of bool: tokens that top-k cuts off
    by_top_p: Tensor  # (..., V) of bool: tokens of the others that top-p cuts off
    probabilities: Tensor  # (..., V) to draw from: those of the other tokens, which sum to 1


def cut(logits: Tensor, sampling: Sampling) -> Cut:
    """(..., V) logits -> temperature first, then top-k, then top-p of what top-k has left.

    Of equally probable tokens those with the lower ids are kept.
    """
    logits = logits.double()
    if sampling.temperature == 0:
        tempered = torch.nn.functional.one_hot(logits.argmax(-1), logits.size(-1)).double()
        none = torch.zeros_like(tempered, dtype=torch.bool)
        return Cut(tempered, none, none, tempered)
    # Less the largest logit first: a temperature near 0 must not overflow.
    tempered = ((logits - logits.amax(-1, keepdim=True)) / sampling.temperature).softmax(-1)
    ordered, tokens = tempered.sort(dim=-1, descending=True, stable=True)
    by_top_k, by_top_p = torch.zeros_like(ordered, dtype=torch.bool), torch.zeros_like(ordered, dtype=torch.bool)
    if sampling.top_k is not None:
        by_top_k[..., sampling.top_k :] = True
    if sampling.top_p is not None:
        kept = ordered.masked_fill(by_top_k, 0.0)
        kept = kept / kept.sum(-1, keepdim=True)
        by_top_p = (kept.cumsum(-1) - kept >= sampling.top_p) & ~by_top_k
    left = ordered.masked_fill(by_top_k | by_top_p, 0.0)
    left = left / left.sum(-1, keepdim=True)
    return Cut(tempered, *(part.gather(-1, tokens.argsort(-1)) for part in (by_top_k, by_top_p, left)))


def filtered(logits: Tensor, sampling: Sampling) -> Tensor:
    """(..., V) logits -> (..., V) probabilities to draw from, see `cut`."""
    return cut(logits, sampling).probabilities


def choose(logits: Tensor, sampling: Sampling, position: int) -> int:
    """The token at `position` of an answer, from 0, from its (V,) logits; `SamplingError` where they are not finite.

    Each position has its own draw of the seed, so that it doesn't matter how the tokens before it were chosen.
    """
    if not bool(logits.isfinite().all()):
        raise SamplingError(f"The logits of token {position + 1} hold a number that is not finite.")
    generator = torch.Generator().manual_seed(sampling.seed)
    for _ in range(position):
        _draw(torch.ones_like(logits), generator)
    return _draw(filtered(logits, sampling), generator)


def _draw(probabilities: Tensor, generator: torch.Generator) -> int:
    return int(torch.multinomial(probabilities, 1, generator=generator))


@dataclass(frozen=True)
class Choice:
    """One token of an answer."""

    token: int
    logits: Tensor  # (V,) from which the token was chosen, or could have been
    forced: bool


_NOTHING: Mapping[int, int] = {}


@torch.inference_mode()
def choices(
    model: TaskModel,
    source: list[int],
    sampling: Sampling,
    forced: Mapping[int, int] = _NOTHING,
    max_tokens: int | None = None,
) -> Iterator[Choice]:
    """The tokens of an answer through EOS, or PAD if an untrained model predicts it; each is computed when asked for.

    `forced` has tokens by position, from 0, that are taken whatever the model predicts. The answer has at most
    `max_tokens` tokens, by default and at most as many as the task's longest and its end. `model` must have a decoder
    and be in evaluation mode.
    """
    decoder, tokens = CachedDecoder(model, source), list[int]()
    for position in range(longest(model, max_tokens)):
        logits = decoder.next_logits(torch.tensor([tokens], dtype=torch.long))[0]
        token = forced[position] if position in forced else choose(logits, sampling, position)
        yield Choice(token, logits, position in forced)
        if token in (EOS, PAD):
            break
        tokens.append(token)


@torch.inference_mode()
def sample(model: TaskModel, source: list[int], sampling: Sampling, max_tokens: int | None = None) -> list[int]:
    """A drawn answer to one source, both without specials at the end; the same seed draws the same answer.

    At most `max_tokens` tokens, see `choices`. An encoder-only model draws the token of each position by itself.
    `model` must be in evaluation mode.
    """
    if model.config.model.architecture == "encoder-only":
        logits = model(torch.tensor([source]).to(model.device), None)[0][0].cpu()
        generator = torch.Generator().manual_seed(sampling.seed)
        drawn = torch.multinomial(filtered(logits, sampling), 1, generator=generator)[:, 0].tolist()
        return [token for token in drawn[: longest(model, max_tokens)] if token not in (EOS, PAD)]
    answer = [choice.token for choice in choices(model, source, sampling, max_tokens=max_tokens)]
    return [token for token in answer if token not in (EOS, PAD)]


def longest(model: TaskModel, max_tokens: int | None) -> int:
    """How many tokens an answer may have, an end included; raises `SamplingError` for fewer than one."""
    if max_tokens is not None and max_tokens < 1:
        raise _refusal("max_tokens", max_tokens)
    most = task_of(model.config.task).max_answer_length + 1
    return most if max_tokens is None else min(max_tokens, most)
