"""Answers of a model: the most probable token at a time, sampled, or by beam search."""

from playground.decoding.beams import Beam, Round, beam_search, rounds
from playground.decoding.greedy import batch_to_read, generate, generate_text, greedy, memory_of, next_tokens
from playground.decoding.kv_cache import CachedDecoder, answer_multiplications, can_cache
from playground.decoding.sampling import Choice, Cut, Sampling, choices, choose, cut, filtered, sample

__all__ = [
    "Beam",
    "CachedDecoder",
    "Choice",
    "Cut",
    "Round",
    "Sampling",
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
    "memory_of",
    "next_tokens",
    "rounds",
    "sample",
]
