"""Classic mistakes: each is seen by its measure in every seed, and differs from the right code in a few lines."""

from functools import cache

import pytest
import torch

from playground.lessons import hunts
from playground.lessons.measures import Trained
from playground.lessons.mistakes.classes import apply, difference
from playground.lessons.mistakes.table import PITFALLS
from playground.lessons.pitfalls import loss_sentence, train, train_with
from playground.model.task_model import TaskModel
from playground.training import USUAL, Training
from tests.helpers import first

SEEDS = first(1, (1, 2, 3))


@cache
def right(settings: str, seed: int) -> Trained:
    """Several pitfalls share the settings of the correct model."""
    return train(next(each for each in PITFALLS.values() if repr(each.settings) == settings), seed, wrong=False)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", first(2, PITFALLS, of=18))
def test_its_measure_shows_it(name: str, seed: int):
    pitfall = PITFALLS[name]
    measured = pitfall.measure(right(repr(pitfall.settings), seed)), pitfall.measure(train(pitfall, seed, wrong=True))
    assert pitfall.seen(*measured), measured
    assert not pitfall.seen(measured[0], measured[0])
    sentence = pitfall.tell(*measured)
    assert sentence.endswith(".")
    assert "{" not in sentence


@pytest.mark.parametrize("name", PITFALLS)
def test_the_difference_is_a_few_lines(name: str):
    lines = difference(PITFALLS[name].mistake).splitlines()
    changed = [line for line in lines if line.startswith(("+", "-"))]
    assert 1 <= len(changed) <= 12, lines


@pytest.mark.parametrize("name", PITFALLS)
def test_both_models_begin_with_the_same_weights(name: str):
    pitfall = PITFALLS[name]
    one, two = (TaskModel(pitfall.config(1)) for _ in range(2))
    if not issubclass(pitfall.mistake, Training):
        apply(pitfall.mistake, two)
        assert any(type(module) is pitfall.mistake for module in two.modules())
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))


@cache
def right_of_a_hunt(seed: int) -> Trained:
    return train_with(USUAL, hunts.config(seed))


@pytest.mark.parametrize("name", first(1, (name for name, each in PITFALLS.items() if each.hunted), of=11))
def test_a_hunted_pitfall_shows_with_the_settings_of_a_hunt(name: str):
    pitfall, seed = PITFALLS[name], 4
    measured = pitfall.measure(right_of_a_hunt(seed)), pitfall.measure(train_with(pitfall, hunts.config(seed)))
    assert pitfall.seen(*measured), measured


def test_whether_the_loss_shows_a_mistake_is_decided_by_the_numbers():
    without = "0.50 without (last step)."
    assert loss_sentence(0.5, 1.1) == f"The training loss shows it: 1.10 with the mistake, {without}"
    assert (
        loss_sentence(0.5, 0.1)
        == f"The training loss hides it, because it is even lower: 0.10 with the mistake, {without}"
    )
    assert loss_sentence(0.5, 0.6) == f"The training loss looks normal: 0.60 with the mistake, {without}"
    assert loss_sentence(0.001, 0.01).startswith("The training loss looks normal")
