"""The first look on Build: shown to who has no run yet, and its stops are operations of the pass."""

import pytest

from playground.explain.inspection import walk
from playground.explain.outline import stops
from tests.pages import QUICK, button, fine, host, page  # noqa: F401
from tests.saved import tiny


def shown(at) -> bool:
    return any(each.proto.component_name == "playground_first_look" for each in at.get("bidi_component"))


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only", "encoder-only"])
def test_every_stop_is_an_operation_of_the_pass_in_order(architecture: str):
    model = tiny(architecture)
    names = [step.name for step in walk(model, "3 1 4").steps]
    indices = [names.index(tap) for tap in stops(model.config.model).values()]
    assert indices == sorted(indices)
    assert len(indices) == 8


def test_the_first_look_ends_with_the_first_run():
    app = page("build.py", **QUICK)
    assert shown(app)
    app = button(app, "Train this model").click().run()
    assert not shown(fine(app.switch_page("pages/build.py").run()))
