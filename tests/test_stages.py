"""Slow motion: the stages of a step show the tensors of that step and change nothing."""

import math

import pytest
import torch

from playground.explain import NOTHING, explain
from playground.recording import caching, owner
from playground.recording import taps as taps_of
from playground.tasks import BOS, EOS
from playground.training import Training, TrainingError
from playground.training.stages import Stages
from tests.helpers import ARCHITECTURES, WAYS_TO_TRAIN, timeless, way
from tests.small_training import RUINOUS, TINY, changed, records, weights, whole

MODERN = (
    {"model.attention": "grouped_query", "model.n_kv_heads": 1, "model.norm": "rms_norm", "model.activation": "swiglu"},
    {"model.attention": "latent", "model.d_latent": 5, "model.positions": "rotary", "model.d_rope": 4},
    {"model.feed_forward": "mixture", "model.n_shared_experts": 1, "model.qk_norm": True, "model.window": 2},
)
SLOW = TINY.updated({"model.dropout": 0.2, "training.steps": 6, "training.eval_every": 3, "model.n_layers": 2})


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(
    "settings",
    [
        {"training.optimizer": "sgd", "training.schedule": "cosine", "training.clip_grad_norm": 0.5},
        *WAYS_TO_TRAIN,
        *MODERN,
    ],
    ids=lambda settings: settings.get("model.attention") or settings.get("model.feed_forward") or way(settings),
)
def test_a_step_in_slow_motion_is_the_same_step_and_shows_its_very_tensors(architecture, settings):
    config = SLOW.updated(settings | {"model.architecture": architecture})
    fast, slow, found = Training(config), Training(config), []
    found.append(next(slow.progress()).record())
    for step in range(1, 7):
        with caching(fast.model) as taps:
            fast.take_step()
        stages, progress = whole(slow.stages())
        found.append(progress.record())
        shown = {name: tensor for stage in stages[1:] for name, tensor in stage.tensors.items()}
        left_out = set(taps_of(slow.model)) - taps.keys()
        assert shown.keys() == taps.keys()
        assert "probabilities" in left_out
        assert {explain(name, owner(slow.model, name), config).backward.formula for name in left_out} == {NOTHING}
        assert sum(len(stage.tensors) for stage in stages[1:]) == len(shown)  # each in one stage
        assert all(torch.equal(shown[name], tensor) for name, tensor in taps.items())
        assert all(torch.equal(tensor, taps[name]) for name, tensor in stages[0].tensors.items())
        assert {stage.step for stage in stages} == {step}
        assert all(stage.tap in stage.tensors for stage in stages if stage.kind not in ("backward", "optimizer"))
        numbers = {name: value for stage in stages for name, value in stage.numbers.items()}
        assert numbers["loss"] == progress.loss == float(taps["loss"])
        assert numbers["learning_rate"] == progress.learning_rate
        if progress.gradient_norm is not None:
            assert numbers["gradient_norm"] == progress.gradient_norm
        for name in ("gradient_norm", "update_norm"):
            parts = [value for key, value in numbers.items() if key.startswith(f"{name}.")]
            assert math.hypot(*parts) == pytest.approx(numbers[name], rel=1e-5)
    assert timeless(found) == records(config)
    assert torch.equal(weights(fast.model), weights(slow.model))
    assert not any(module._forward_hooks for module in slow.model.modules())
    expected, state = fast.state(), slow.state()
    assert all(torch.equal(state[name], tensor) for name, tensor in expected.items() if name != "progress")


def test_a_tap_that_belongs_to_no_stage_is_noticed():
    with pytest.raises(ValueError, match=r"The tap encoder\.surprise belongs to no stage"):
        list(Stages(TINY, 1).forward_pass({"encoder.surprise": torch.zeros(1)}))


def test_the_stages_follow_the_paper_and_name_what_is_lit():
    stages, _ = whole(Training(SLOW.updated({"model.n_layers": 1})).stages())
    layer = "decoder.layers.0."
    assert [(stage.kind, stage.tap) for stage in stages] == [
        ("batch", "encoder.tokens"),
        ("embed", "encoder.embeddings.sum"),
        ("attention", "encoder.layers.0.self_attention.attention.weights"),
        ("feed_forward", "encoder.layers.0.feed_forward.output"),
        ("embed", "decoder.embeddings.sum"),
        ("attention", f"{layer}self_attention.attention.weights"),
        ("attention", f"{layer}cross_attention.attention.weights"),
        ("feed_forward", f"{layer}feed_forward.output"),
        ("output", "logits"),
        ("loss", "loss"),
        ("backward", ""),
        ("optimizer", ""),
    ]
    assert len({stage.title for stage in stages}) == len(stages)
    for stage in stages:
        assert stage.sentence.endswith(".")
        assert stage.sentence.count(". ") == 0
    tokens = stages[0].tokens
    assert tokens["target"] == [BOS, *tokens["source"]]  # the copy task
    assert tokens["labels"] == [*tokens["source"], EOS]
    parts = {key.partition(".")[2] for key in stages[-2].numbers} - {""}
    assert parts == {"token embedding", "positions", "output layer"} | {
        f"{stack} {part}" for stack in ("encoder", "decoder") for part in ("layer 1", "norm")
    }


def lines(**changes: object) -> list[str]:
    """Titles and sentences of the stages of a step."""
    config = SLOW.updated({"model.n_layers": 1, **{f"model.{name}": value for name, value in changes.items()}})
    stages, _ = whole(Training(config).stages())
    return [f"{stage.title}: {stage.sentence}" for stage in stages]


def test_the_sentences_tell_what_newer_parts_do():
    keys = [line for line in lines(attention="grouped_query", n_heads=4) if "attention:" in line]
    assert len(keys) == 3
    assert all(line.endswith(" Groups of 2 heads share their keys and values.") for line in keys)
    for heads, end in ((1, "All heads have the same keys and values."), (2, "each row adds up to 1.")):
        assert all(
            line.endswith(end) for line in lines(attention="grouped_query", n_kv_heads=heads) if "attention:" in line
        )
    latent = [line for line in lines(attention="latent", d_latent=5) if "attention:" in line]
    assert all("made from the latent: 5 numbers for each position." in line for line in latent)
    assert any("16 hidden units, multiplied by a gate, and back" in line for line in lines(activation="swiglu"))
    mixture = [line for line in lines(feed_forward="mixture", n_shared_experts=1) if "mixture" in line]
    assert mixture == [
        f"{stack} layer 1: mixture of experts: For each position, the router chooses 2 of 4 experts. 1 shared expert "
        "reads every position."
        for stack in ("Encoder", "Decoder")
    ]


@pytest.mark.parametrize("balance", [0.0, 0.5])
def test_a_mixture_is_trained_on_the_sum_of_both_losses(balance):
    config = SLOW.updated({"model.feed_forward": "mixture", "model.balance": balance})
    stages, _ = whole(Training(config).stages())
    loss, backward = stages[-3], stages[-2]
    assert ("sum of both losses" in backward.sentence) == (balance > 0)
    if not balance:
        assert "balance_loss" not in loss.numbers
        return
    tensors = {name: tensor for stage in stages for name, tensor in stage.tensors.items()}
    terms = [float(tensor) for name, tensor in tensors.items() if name.endswith("balance_loss")]
    assert len(terms) == 4, "a layer each"
    assert loss.numbers["balance_loss"] == pytest.approx(sum(terms))
    assert loss.numbers["objective"] == pytest.approx(float(tensors["loss"]) + sum(terms))
    assert f"the balancing loss is {sum(terms):.4g}. Training minimizes their sum." in loss.sentence


def test_the_update_of_the_first_step_of_sgd_is_the_rate_times_the_clipped_gradient_in_every_part():
    most, rate = 0.5, 0.25
    config = SLOW.updated(
        {"training.optimizer": "sgd", "training.learning_rate": rate, "training.clip_grad_norm": most}
    )
    stages, _ = whole(Training(config).stages())
    gradient, update = stages[-2].numbers, stages[-1].numbers
    assert gradient["gradient_norm"] > most == gradient["clip_grad_norm"]
    for key, value in update.items():
        if key.startswith("update_norm"):
            length = gradient[key.replace("update", "gradient")]
            assert value == pytest.approx(rate * length * most / gradient["gradient_norm"], rel=1e-3), key


def test_a_change_in_the_middle_of_a_step_holds_from_the_next_one():
    training = Training(SLOW)
    for stage in training.stages():
        if stage.kind == "attention":
            training.change({"training.learning_rate": 0.5, "model.dropout": 0.0})
    assert [change.step for change in training.changes] == [1]
    _, second = whole(training.stages())
    assert second.learning_rate == 0.5
    first, *rest = changed(SLOW, training.changes)[1:]
    assert first["learning_rate"] == SLOW.training.learning_rate
    assert rest[0] == timeless([second.record()])[0]


def test_a_loss_that_is_not_finite_is_met_in_slow_motion_too():
    training, kinds = Training(RUINOUS.updated({"training.eval_every": 50})), []

    def steps() -> None:
        while True:
            kinds.extend(stage.kind for stage in training.stages())

    with pytest.raises(TrainingError, match="learning rate below 10"):
        steps()
    assert kinds[-1] == "output"
