"""Claims in words of the lesson "Encoder and decoder", for three seeds."""

import pytest
import torch

from playground.lessons.live import encoder_decoder_lesson as lesson
from playground.lessons.live_parts import shipped

SEEDS = (0, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_changed_token_changes_the_logits_there_and_later_and_none_before(seed):
    for position in range(1, 7):
        moved = lesson._changes(seed, position, mask=True) > 1e-6
        assert moved.nonzero().flatten().tolist() == list(range(position - 1, len(moved)))
        assert bool((lesson._changes(seed, position, mask=False) > 1e-6).all())


@pytest.mark.parametrize("seed", SEEDS)
def test_each_prediction_is_the_one_of_its_own_prefix(seed):
    model, batch = shipped(lesson.MODEL), lesson._walk(seed).batch
    with torch.inference_mode():
        whole = model(batch.source, batch.target)[0][0]
        for count in range(1, batch.target.size(1) + 1):
            alone = model(batch.source, batch.target[:, :count])[0][0, -1]
            assert torch.allclose(alone, whole[count - 1], atol=1e-4)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_damaged_model_differs_one_position_after_its_first_error_and_the_right_one_nowhere(seed):
    stream, both = lesson._example(seed)
    assert both.first_difference == both.first_error + 1 < len(both.labels)
    assert int((both.free != both.labels).sum()) > int((both.forced != both.labels).sum())
    (right,) = lesson._both(lesson._damaged(stream, 0.0), both.source[None])
    assert torch.equal(right.forced, right.labels)
    assert torch.equal(right.free, right.labels)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_head_looks_at_the_symbol_to_predict(seed):
    _, weight = lesson._head(lesson._walk(seed))
    assert weight > 0.5
