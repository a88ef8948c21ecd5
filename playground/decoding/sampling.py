"""Sampling: each token is drawn from the model's distribution, after temperature, top-k and top-p."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from playground.decoding.greedy import memory_of, next_logits
from playground.errors import PlaygroundError
from playground.task_model import TaskModel
from playground.tasks import EOS, PAD, task_of

MAX_TEMPERATURE = 100.0


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
            raise SamplingError(f"temperature {self.temperature:g} is not allowed. Use 0 to {MAX_TEMPERATURE:g}.")
        if self.top_k is not None and self.top_k < 1:
            raise SamplingError(f"top_k {self.top_k} is not allowed. Use 1 or more.")
        if self.top_p is not None and not 0 < self.top_p <= 1:
            raise SamplingError(f"top_p {self.top_p:g} is not allowed. Use a number above 0, at most 1.")
        if not 0 <= self.seed < 2**63:
            raise SamplingError(f"seed {self.seed} is not allowed. Use 0 to 2^63 - 1.")


def filtered(logits: Tensor, sampling: Sampling) -> Tensor:
    """(..., V) logits -> (..., V) probabilities to draw from: temperature first, then top-k, then top-p.

    Of equally probable tokens those with the lower ids are kept.
    """
    logits = logits.double()
    if sampling.temperature == 0:
        return torch.nn.functional.one_hot(logits.argmax(-1), logits.size(-1)).double()
    # Less the largest logit first: a temperature near 0 must not overflow.
    probabilities = ((logits - logits.amax(-1, keepdim=True)) / sampling.temperature).softmax(-1)
    ordered, tokens = probabilities.sort(dim=-1, descending=True, stable=True)
    dropped = torch.zeros_like(ordered, dtype=torch.bool)
    if sampling.top_k is not None:
        dropped[..., sampling.top_k :] = True
    if sampling.top_p is not None:
        kept = ordered.masked_fill(dropped, 0.0)
        kept = kept / kept.sum(-1, keepdim=True)
        dropped |= kept.cumsum(-1) - kept >= sampling.top_p
    ordered = ordered.masked_fill(dropped, 0.0)
    return torch.zeros_like(ordered).scatter(-1, tokens, ordered / ordered.sum(-1, keepdim=True))


@torch.inference_mode()
def sample(model: TaskModel, source: list[int], sampling: Sampling, max_tokens: int | None = None) -> list[int]:
    """A drawn answer to one source, both without specials at the end; the same seed draws the same answer.

    At most `max_tokens` tokens, by default and at most as many as the task's longest answer. An encoder-only model
    draws the token of each position by itself. `model` must be in evaluation mode.
    """
    generator = torch.Generator().manual_seed(sampling.seed)
    most = longest(model, max_tokens)
    sources = torch.tensor([source])
    if model.config.model.architecture == "encoder-only":
        logits = model(sources.to(model.device), None)[0][0].cpu()
        drawn = torch.multinomial(filtered(logits, sampling), 1, generator=generator)[:, 0].tolist()
        return [token for token in drawn[:most] if token not in (EOS, PAD)]
    answer: list[int] = []
    memory = memory_of(model, sources)
    while len(answer) < most:
        read = torch.tensor([answer], dtype=torch.long)
        logits = next_logits(model, sources, read, memory)[0]
        token = int(torch.multinomial(filtered(logits, sampling), 1, generator=generator))
        if token in (EOS, PAD):
            break
        answer.append(token)
    return answer


def longest(model: TaskModel, max_tokens: int | None) -> int:
    """How many tokens an answer may have, an end included; raises `SamplingError` for fewer than one."""
    if max_tokens is not None and max_tokens < 1:
        raise SamplingError(f"max_tokens {max_tokens} is not allowed. Use 1 or more.")
    most = task_of(model.config.task).max_answer_length + 1
    return most if max_tokens is None else min(max_tokens, most)
