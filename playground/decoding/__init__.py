"""Answers of a model: the most probable token at a time, sampled, or by beam search."""

from playground.decoding.absorbed import Absorbed, absorbed, absorbed_saving, has_absorbed_form
from playground.decoding.beams import Beam, Round, beam_search, rounds
from playground.decoding.greedy import batch_to_read, generate, generate_text, greedy, memory_of, next_tokens
from playground.decoding.kv_cache import CachedDecoder, answer_multiplications, can_cache, measured_bytes
from playground.decoding.sampling import Choice, Cut, Sampling, choices, choose, cut, filtered, sample

__all__ = [
    "Absorbed",
    "Beam",
    "CachedDecoder",
    "Choice",
    "Cut",
    "Round",
    "Sampling",
    "absorbed",
    "absorbed_saving",
    "answer_multiplications",
    "batch_to_read",
    "beam_search",
    "can_cache",
    "choices",
    "choose",
    "cut",
    "filtered",
    "generate",
    "generate_text",
    "greedy",
    "has_absorbed_form",
    "measured_bytes",
    "memory_of",
    "next_tokens",
    "rounds",
    "sample",
]
