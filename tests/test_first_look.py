"""The first look on Build: shown to who has no run yet, and its stops are operations of the pass."""

import pytest

from playground.explain.inspection import walk
from playground.explain.outline import next_stop, stops
from tests.pages import QUICK, button, fine, host, page  # noqa: F401
from tests.saved import tiny


def shown(at) -> bool:
    return any(each.proto.component_name == "playground_first_look" for each in at.get("bidi_component"))


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only", "encoder-only"])
def test_every_stop_is_an_operation_of_the_pass_in_order(architecture: str):
    model = tiny(architecture)
    names = [step.name for step in walk(model, "3 1 4").steps]
    tour = stops(model.config.model)
    indices = [names.index(stop.name) for stop in tour]
    assert indices == sorted(indices)
    assert len(indices) == len({stop.sentence for stop in tour}) == 8
    for at, here in enumerate(tour):
        assert next_stop(names, tour, here.name, 1) == tour[min(at + 1, 7)].name
        assert next_stop(names, tour, here.name, -1) == tour[max(at - 1, 0)].name
        assert next_stop(names[::-1], tour, here.name, 1) == tour[max(at - 1, 0)].name, "backward"
    assert next_stop(names, tour, names[indices[-1] - 1], 1) == "loss", "from a place between two stops"
    assert next_stop(names, tour, tour[0].name, 3) == tour[3].name
    assert next_stop(names[: indices[-1]], tour, tour[-2].name, 1) == tour[-2].name, "a pass that ends before the loss"


def test_the_first_look_ends_with_the_first_run():
    app = page("build.py", **QUICK)
    assert shown(app)
    app = button(app, "Train this model").click().run()
    assert not shown(fine(app.switch_page("pages/build.py").run()))
