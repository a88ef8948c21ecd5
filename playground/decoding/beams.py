"""Beam search: the most probable answers that a search of limited width finds."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from playground.decoding.kv_cache import CachedDecoder
from playground.decoding.sampling import SamplingError, longest
from playground.model.task_model import TaskModel
from playground.tasks import EOS, PAD

MAX_BEAMS = 64


@dataclass(frozen=True)
class Beam:
    """An answer, or the beginning of one."""

    tokens: tuple[int, ...]  # without the end
    log_probability: float  # in nats, of all its tokens together, the end included
    end: int | None = None  # the token that has ended it: EOS, or PAD in an untrained model

    @property
    def ended(self) -> bool:
        return self.end is not None


@dataclass(frozen=True)
class Round:
    """The candidates of a round of beam search, the most probable first."""

    kept: tuple[Beam, ...]  # ended ones of earlier rounds among them
    dropped: tuple[Beam, ...]


def beam_search(model: TaskModel, source: list[int], beams: int, max_tokens: int | None = None) -> list[Beam]:
    """The answers that the last of the `rounds` keeps, the most probable first."""
    *_, last = rounds(model, source, beams, max_tokens)
    return list(last.kept)


@torch.inference_mode()
def rounds(model: TaskModel, source: list[int], beams: int, max_tokens: int | None = None) -> Iterator[Round]:
    """Beam search of width `beams` for answers to one source (Sutskever et al. 2014), without length penalty.

    Each round extends every open beam by its `beams` most probable tokens and keeps the `beams` most probable of all,
    ended ones among them. One beam is greedy decoding. An answer of `max_tokens` tokens, by default the task's longest
    and its end, is cut off without its end. `model` must be in evaluation mode. Raises `SamplingError`, also for an
    encoder-only model, which predicts all tokens at once.
    """
    if not 1 <= beams <= MAX_BEAMS:
        raise SamplingError(f"{beams} beams are not allowed. Use 1 to {MAX_BEAMS}.")
    if model.config.model.architecture == "encoder-only":
        raise SamplingError("Beam search needs a decoder. An encoder-only model predicts all tokens at once.")
    decoder = CachedDecoder(model, source)
    beams_kept, parents = [Beam((), 0.0)], [0]
    for length in range(longest(model, max_tokens)):
        open_beams = [beam for beam in beams_kept if not beam.ended]
        if not open_beams:
            break
        read = torch.tensor([beam.tokens for beam in open_beams], dtype=torch.long).reshape(len(open_beams), length)
        scores = decoder.next_logits(read, parents).double().log_softmax(-1)
        extended = {beam: -1 for beam in beams_kept if beam.ended}
        for parent, (beam, row) in enumerate(zip(open_beams, scores)):
            for value, token in zip(*(part.tolist() for part in row.topk(min(beams, row.numel())))):
                total = beam.log_probability + value
                ends = token in (EOS, PAD)  # an untrained model that predicts PAD ends its answer there
                extended[Beam(beam.tokens, total, token) if ends else Beam((*beam.tokens, token), total)] = parent
        ordered = sorted(extended, key=lambda beam: -beam.log_probability)
        beams_kept = ordered[:beams]
        parents = [extended[beam] for beam in beams_kept if not beam.ended]
        yield Round(tuple(beams_kept), tuple(ordered[beams:]))
