"""What a reader waits for the computed values of each lesson."""

import time

from playground.lessons.lesson import lessons

GOAL = 0.15
"""Seconds."""


def measure() -> dict[str, float]:
    """Seconds for the values of each lesson: the slowest of three seeds, after a first one that imports."""
    results = {}
    for name, lesson in lessons().items():
        lesson.module.facts(0)
        results[name] = max(_seconds(name, seed) for seed in (1, 2, 3))
    return results


def as_lines(results: dict[str, float]) -> list[str]:
    """The results for a person."""
    slowest = max(results, key=results.__getitem__)
    part = results[slowest] / GOAL
    return [f"Values of a lesson, the slowest ({slowest}): {results[slowest]:.3f} s, {part:.2f} of the goal"]


def _seconds(name: str, seed: int) -> float:
    start = time.perf_counter()
    lessons()[name].module.facts(seed)
    return time.perf_counter() - start
