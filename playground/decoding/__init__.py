"""Answers of a model: the most probable token at a time, sampled, or by beam search."""

from playground.decoding.beams import Beam, beam_search
from playground.decoding.greedy import batch_to_read, generate, generate_text, greedy, memory_of, next_tokens
from playground.decoding.sampling import Sampling, filtered, sample

__all__ = [
    "Beam",
    "Sampling",
    "batch_to_read",
    "beam_search",
    "filtered",
    "generate",
    "generate_text",
    "greedy",
    "memory_of",
    "next_tokens",
    "sample",
]
