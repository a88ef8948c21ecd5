"""Measurements in a process of their own: the last item always arrives."""

import pytest

from playground.errors import PlaygroundError
from playground.interpret.measurement_process import measured


def many(count):
    for at in range(count):
        yield at + 1, count, at * at


def refusing(_):
    yield 1, 2, None
    raise PlaygroundError("There is nothing to measure.")


@pytest.mark.parametrize("count", [1, 2, 5000])
def test_the_last_item_arrives_and_few_before_it(count):
    found = [item for item in measured(many, count) if item is not None]
    assert found[-1] == (count, count, (count - 1) ** 2)
    assert found == sorted(found)
    assert len(found) <= max(2, count // 10)


def test_nothing_arrives_from_nothing():
    assert not [item for item in measured(many, 0) if item is not None]


def test_an_error_arrives_as_it_is():
    with pytest.raises(PlaygroundError, match="There is nothing to measure"):
        list(measured(refusing, 0))
