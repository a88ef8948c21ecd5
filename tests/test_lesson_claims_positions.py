"""Claims of the lesson "Positions"."""

import math

import pytest
import torch

from playground.lessons.lesson import lessons
from playground.lessons.live.positions_lesson import (
    LONGEST,
    PAIRS,
    SHOWN,
    WRONG,
    D,
    _at_one_distance,
    _error,
    _frequency,
    _scores,
    _table,
    _without,
)
from playground.lessons.live.reversing_model import INPUTS

SEEDS = (0, 1, 2, 3)


def facts(seed):
    return lessons()["positions"].facts(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_positions_a_permutation_permutes(seed):
    assert facts(seed)["effect"] == f"Rows {facts(seed)['first']} and {facts(seed)['second']} swap"
    assert facts(seed)["logits"] < 1e-3 < facts(seed)["with_positions"]
    assert facts(seed)["swapped"] != facts(seed)["text"]


@pytest.mark.parametrize("seed", SEEDS)
def test_pictures_open_at_what_their_question_asks_about(seed):
    live, found = lessons()["positions"].live, facts(seed)
    assert live["waves"].start(seed) == {"pair": found["pair"]}
    assert f"Pair {found['pair']}: repeats after {found['wavelength']:.1f} positions" == live["waves"](seed)[0].title
    assert live["products"].start(seed) == {"position": found["a"]}
    assert live["shift"].start(seed) == {"shift": found["shift"]}


@pytest.mark.parametrize("pair", range(PAIRS))
def test_a_column_is_a_wave_of_its_length(pair):
    positions = torch.arange(LONGEST, dtype=torch.float64)
    wave = torch.sin(positions * 2 * math.pi / (2 * math.pi / _frequency(pair)))
    assert torch.allclose(_table()[:, 2 * pair].double(), wave, atol=1e-6)


def test_dot_products_depend_on_the_distance_only():
    products = _table() @ _table().T
    for distance in range(1, 40):
        diagonal = products.diagonal(distance)
        assert torch.allclose(diagonal, diagonal[:1].expand_as(diagonal), atol=1e-4)


@pytest.mark.parametrize("shift", [1, 3, 4, 5, 32])
def test_a_shift_is_a_rotation(shift):
    assert _error(shift) < 1e-5


@pytest.mark.parametrize("seed", SEEDS)
def test_rotary_scores_depend_on_the_distance_and_sinusoidal_ones_on_more(seed):
    found = facts(seed)
    assert found["change"] == "It stays the same"
    assert found["moved"] == pytest.approx(found["score"], abs=1e-4)
    assert _at_one_distance(_scores(seed, "Rotary")) < 1e-4
    assert found["added"] > 1
    assert max(found["at"], found["beside"]) + found["steps"] < SHOWN


def test_all_vectors_have_one_length():
    assert torch.allclose(_table().norm(dim=1), torch.tensor(math.sqrt(D / 2)), atol=1e-5)
    assert facts(0)["length"] == pytest.approx(math.sqrt(32), rel=1e-5)
    assert facts(0)["twice"] == pytest.approx(2 * facts(0)["once"], rel=1e-4)
    assert facts(0)["twice"] > 1 > facts(0)["once"]


def test_each_wrong_table_differs():
    right = _table()
    for name, mistake in WRONG.items():
        assert torch.equal(_table(mistake), right) == (name == "Right")
        assert (float(_table(mistake).norm(dim=1).std()) > 0.01) == (name == "Frequency")


@pytest.mark.parametrize("text", INPUTS)
def test_only_the_table_from_the_start_can_go(text):
    assert _without(text, "Nothing")[1] == 0
    assert _without(text, "The one from the start")[1] == 0
    assert _without(text, "The one from the end")[1] >= 3
