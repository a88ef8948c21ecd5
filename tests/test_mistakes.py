"""The table of classic mistakes: complete rows, and a judge that names each one that is put into a right module."""

import re
from collections.abc import Callable

import pytest
from torch import nn

from playground.lessons.check.checking import verdict_of
from playground.lessons.lesson import lessons
from playground.lessons.mistakes.table import MISTAKES
from playground.lessons.mistakes.ways import Way
from playground.model.attention import MultiHeadAttention
from playground.settings.config import ModelConfig

CONFIG = ModelConfig(d_model=24, n_heads=4, d_ff=32)

JUDGED: dict[str, Callable[[], nn.Module]] = {
    "multi-head-attention": lambda: MultiHeadAttention(CONFIG),
}
"""Parts that are judged by the graph of their pass, and a right module."""

PUT = [
    pytest.param(part, name, way, id=f"{part}: {way.words} ({number})")
    for part, made in JUDGED.items()
    for name, mistake in MISTAKES.items()
    for number, way in enumerate(mistake.ways)
    if way.put_into(made())
]


@pytest.mark.parametrize("part", JUDGED)
def test_a_right_module_of_this_project_is_right(part: str):
    assert verdict_of([JUDGED[part]().eval()], part, "keep").verdict == "right"


@pytest.mark.parametrize(("part", "name", "way"), PUT)
def test_the_judge_names_a_mistake_that_is_put_into_a_right_module(part: str, name: str, way: Way):
    module = JUDGED[part]().eval()
    assert way.put_into(module)
    verdict = verdict_of([module], part, "keep")
    assert (verdict.verdict, verdict.cause) == ("wrong", name), verdict.message


def test_every_row_is_complete():
    titles = [mistake.title for mistake in MISTAKES.values()]
    assert len({*titles}) == len(titles)
    for name, mistake in MISTAKES.items():
        assert re.fullmatch("[a-z]+(-[a-z]+)*", name)
        assert re.fullmatch(r"[A-Z[].*\.", mistake.why)
        assert mistake.lesson is lessons()[mistake.about]
        assert all(re.fullmatch(r"(an? )?[a-z0-9].*[^.]", way.words) for way in mistake.ways)
