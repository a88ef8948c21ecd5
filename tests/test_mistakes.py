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
from playground.model.feed_forward import FeedForward
from playground.model.layers import DecoderLayer, EncoderLayer
from playground.model.transformer import Transformer
from playground.settings.config import ModelConfig

CONFIG = ModelConfig(d_model=24, n_heads=4, d_ff=32, positions="sinusoidal")

JUDGED: dict[str, Callable[[], nn.Module]] = {
    "multi-head-attention": lambda: MultiHeadAttention(CONFIG),
    "layer-norm": lambda: nn.LayerNorm(24),
    "feed-forward": lambda: FeedForward(CONFIG),
    "encoder-layer": lambda: EncoderLayer(CONFIG),
    "decoder-layer": lambda: DecoderLayer(CONFIG.model_copy(update={"norm_position": "post"})),
    "transformer": lambda: Transformer(CONFIG, 17, 23, seed=0),
}
"""A right module of each part that is judged by the graph of its pass."""

OTHERS: dict[tuple[str, str], str | None] = {
    ("transformer", "self-attention without mask"): "no-causal-mask",  # the same in other words
    ("transformer", "a mask without padding"): None,  # which is at the end, where the causal mask hides it
    ("transformer", "a residual sum that starts at the norm"): None,  # with the final norm this is post-norm
    ("encoder-layer", "an epsilon outside the root"): None,  # too small to be seen beside the variance
    ("decoder-layer", "an epsilon outside the root"): None,
    ("transformer", "an epsilon outside the root"): None,
}
"""Where something else is as right, by part and mistake; None for code that is right in spite of it."""

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
    cause = OTHERS.get((part, way.words), name)
    assert (verdict.verdict, verdict.cause) == ("wrong" if cause else "right", cause), verdict.message


def test_every_row_is_complete():
    titles = [mistake.title for mistake in MISTAKES.values()]
    assert len({*titles}) == len(titles)
    for name, mistake in MISTAKES.items():
        assert re.fullmatch("[a-z]+(-[a-z]+)*", name)
        assert re.fullmatch(r"[A-Z[].*\.", mistake.why)
        assert mistake.lesson is lessons()[mistake.about]
        assert all(re.fullmatch(r"(an? )?[a-z0-9].*[^.]", way.words) for way in mistake.ways)
