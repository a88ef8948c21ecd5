"""The judges of the parts by the graph of their own pass."""

from collections.abc import Callable, Mapping

from playground.lessons.check.judges.judged_heads import judge_multi_head_attention
from playground.lessons.check.judges.judged_layers import judge_layer
from playground.lessons.check.judges.judged_leaves import judge_attention, judge_feed_forward, judge_layer_norm
from playground.lessons.check.judges.judged_transformer import judge_transformer
from playground.lessons.check.judges.question import Judgement, Question

JUDGES: Mapping[str, Callable[[Question], Judgement]] = {
    "attention": judge_attention,
    "layer-norm": judge_layer_norm,
    "feed-forward": judge_feed_forward,
    "multi-head-attention": judge_multi_head_attention,
    "encoder-layer": judge_layer,
    "decoder-layer": judge_layer,
    "transformer": judge_transformer,
}
"""By part."""
