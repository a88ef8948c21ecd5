"""Claims of the lesson "Batches, heads and shapes"."""

import warnings
from itertools import product

import pytest
import torch

from playground.lessons.lesson import lessons
from playground.lessons.live.shapes_lesson import ASKED, B, H, K, T, _attention, _error, _wrong, _x

SEEDS = (0, 1, 2, 3)


def facts(seed):
    return lessons()["shapes"].facts(seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reading_order_is_that_of_the_indices(seed):
    heads = _attention().split(_x())
    order = [int(heads[index]) for index in product(range(B), range(H), range(T), range(K))]
    assert order[facts(seed)["nth"] - 1] == facts(seed)["read"] != facts(seed)["nth"] - 1


@pytest.mark.parametrize("asked", ASKED)
def test_one_call_is_refused(asked):
    assert sum(bool(_error(call)) for call in asked) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_dot_t_reverses_all_axes(seed):
    shape = tuple(map(int, facts(seed)["key_shape"].strip("()").split(",")))
    torch.set_warn_always(True)  # not only once in a process
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert str(tuple(torch.empty(shape).T.shape)) == facts(seed)["reversed"]
    finally:
        torch.set_warn_always(False)
    assert "will throw an error" in str(caught[0].message)
    assert torch.equal(torch.ones(shape).mT, torch.ones(shape).transpose(-2, -1))


@pytest.mark.parametrize("sequence", range(B))
def test_a_box_of_the_splits_is_a_position_in_the_colour_of_its_token(sequence):
    strips = lessons()["shapes"].live["splits"](0, sequence=f"b = {sequence}")
    for made, found in zip((_attention(), _wrong()), (strips[:H], strips[H:]), strict=True):
        for head, strip in zip(made.split(_x())[sequence], found, strict=True):
            tokens = head.flatten() // 4  # x has 4 numbers for each token
            assert strip.cells == [str(each) for each in head.flatten().tolist()]
            assert strip.colours == tokens.tolist()
            assert strip.groups == [f"position {at // K + 1}: token {each % T + 1}" for at, each in enumerate(tokens)]
            assert len(set(strip.groups)) == T


def test_a_split_and_a_transpose_share_the_memory_of_x():
    x = _x()
    heads = _attention().split(x)
    assert heads.data_ptr() == x.data_ptr()
    assert heads.contiguous().data_ptr() != x.data_ptr()
    assert torch.equal(torch.cat([heads[:, 0], heads[:, 1]], -1), x)
    assert not torch.equal(heads.reshape(2, 3, 4), x)
