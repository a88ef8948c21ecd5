"""Outcomes of exercises, trained here and kept for the tests of this process."""

import copy
from collections.abc import Mapping
from functools import cache

from playground.lessons.exercise import ExerciseRun
from playground.lessons.lesson import Lesson, lessons
from playground.settings.config import RunConfig
from playground.training.loop import Training


def outcomes(lesson: str, name: str, seed: int) -> Mapping[str, ExerciseRun]:
    """The outcome of each run of an exercise, by label."""
    return {label: _trained(config) for label, config in lessons()[lesson].exercises[name].configs(seed).items()}


@cache
def _trained(config: RunConfig) -> ExerciseRun:
    training = Training(config)
    first = copy.deepcopy(training.model)
    return ExerciseRun([step.record() for step in training.progress()], first, training.model)


def all_facts(lesson: Lesson, seed: int) -> Mapping[str, object]:
    """Values of a lesson's text, those of its exercises included."""
    facts = dict(lesson.facts(seed))
    for name, exercise in lesson.exercises.items():
        facts |= exercise.facts(outcomes(lesson.name, name, seed))
    return facts
