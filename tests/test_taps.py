"""The documents of taps against what a recording really holds, for every model that can be configured."""

import subprocess
import sys
from itertools import product
from typing import Any, get_args

import pytest
import torch

from playground.explain import TAPS, dims, explain
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY, Recording, Tap, record, taps
from playground.settings.config import Activation, NormPosition, Positions, RunConfig
from tests.helpers import ARCHITECTURES, MODERN, SIZES, THOROUGH, behind, small_batch, small_config

SWITCHES = ("scale_scores", "causal_mask", "residual", "layer_norm")


def switched() -> list[tuple[Any, ...]]:
    """An activation and values of `SWITCHES`: all combinations with --thorough, otherwise each pair of values."""
    every = product(get_args(Activation), *[(True, False)] * len(SWITCHES))
    return [each for each in every if THOROUGH or _covers_a_pair(*each)]


def _covers_a_pair(activation: str, first: bool, second: bool, third: bool, fourth: bool) -> bool:
    """Whether it is one of the eight combinations that have each pair of values."""
    return third == (first == second) and fourth == (first == (activation == "relu"))


def recorded(config: RunConfig, *, labels: bool = True, training: bool = False) -> Recording:
    batch = small_batch(config)
    with record(TaskModel(config).train(training)) as recording:
        recording.model(*batch[: 4 if labels else 3])
    return recording


def promised(model: TaskModel) -> set[str]:
    """Names that documents promise: all that say they are present, wherever their class stands in the model."""
    names = {
        f"{path}.{tap}".lstrip("."): owner
        for path, module in model.named_modules()
        for owner, tap in TAPS
        if owner in {each.__name__ for each in type(module).__mro__}
    }
    return {name for name, owner in names.items() if explain(name, owner, model.config).present}


def assert_documents_hold(config: RunConfig) -> None:
    recording, sizes = recorded(config), {**config.sizes, **{letter: SIZES[letter] for letter in "BST1"}}
    assert set(recording.operations) == promised(recording.model)
    for operation in recording:
        letters = dims(operation.name, operation.owner, config)
        shape = tuple(sizes[letter] for letter in letters)
        assert operation.value.shape == shape, (operation.name, letters)


@pytest.mark.parametrize("positions", get_args(Positions))
@pytest.mark.parametrize("norm_position", get_args(NormPosition))
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_model_records_the_promised_taps_in_the_promised_shapes(architecture, norm_position, positions):
    for activation, *switches in switched():
        settings = dict(zip(SWITCHES, switches, strict=True), bias=sum(switches) % 2 == 0, tie_embeddings=switches[0])
        if architecture != "encoder-only" or settings["causal_mask"]:
            assert_documents_hold(
                small_config(
                    architecture, norm_position=norm_position, positions=positions, activation=activation, **settings
                )
            )


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("changes", MODERN.values(), ids=MODERN)
def test_so_does_every_model_of_parts_that_came_later(architecture, changes):
    assert_documents_hold(small_config(architecture, **changes))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_layer_of_a_deeper_model_has_its_own_taps(architecture):
    one, three = (small_config(architecture, n_layers=n) for n in (1, 3))
    assert_documents_hold(three)
    stacks = 2 if architecture == "encoder-decoder" else 1
    in_layers = sum(".layers." in name for name in recorded(one).operations)
    assert len(recorded(three)) - len(recorded(one)) == 2 * in_layers
    firsts = {name.partition(".layers.")[0] for name in recorded(three).operations if ".layers.2." in name}
    assert len(firsts) == stacks


def test_the_sizes_tell_all_letters_apart():
    assert len(set(SIZES.values())) == len(SIZES)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_probabilities_are_left_out_while_training_and_loss_where_there_are_no_labels(architecture):
    config = small_config(architecture)
    everything = recorded(config)
    left_out = everything.operations.keys() - recorded(config, training=True).operations.keys()
    assert "probabilities" in left_out
    assert not left_out & behind("loss", everything)
    assert everything.operations.keys() - recorded(config, labels=False).operations.keys() == {"labels", "loss"}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_tap_of_a_model_is_promised_by_its_document(architecture):
    model = TaskModel(small_config(architecture))
    assert set(taps(model)) == promised(model)


def test_a_tap_without_a_document_is_noticed():
    model = TaskModel(small_config("encoder-only"))
    model.surprise = Tap()
    assert set(taps(model)) > promised(model)
    with pytest.raises(KeyError):
        explain("surprise", "Transformer", model.config)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("causal_mask", [True, False])
@pytest.mark.parametrize("scale_scores", [True, False])
def test_the_names_that_others_rely_on_exist_even_where_nothing_is_scaled_or_masked(
    architecture, causal_mask, scale_scores
):
    if architecture == "encoder-only" and not causal_mask:
        return
    names = set(recorded(small_config(architecture, causal_mask=causal_mask, scale_scores=scale_scores)).operations)
    stacks = {"encoder-decoder": ["encoder", "decoder"], "decoder-only": ["decoder"], "encoder-only": ["encoder"]}
    expected = {"logits", "probabilities"}
    for stack in stacks[architecture]:
        layer = f"{stack}.layers.0"
        expected |= {f"{stack}.embeddings.{tap}" for tap in ("token_embedding", "position", "sum")}
        expected |= {f"{layer}.feed_forward.{tap}" for tap in ("hidden", "activation", "output")}
        attentions = [f"{layer}.self_attention"]
        if architecture == "encoder-decoder" and stack == "decoder":
            attentions.append(f"{layer}.cross_attention")
        inner = ("query", "key", "value", "scores", "scaled_scores", "masked_scores", "weights", "heads")
        for attention in attentions:
            expected |= {f"{attention}.attention.{tap}" for tap in inner}
            expected |= {f"{attention}.{tap}" for tap in ("concat", "output")}
    assert expected <= names
    assert {name.partition(".")[0] for name in names if "." in name} == set(stacks[architecture])


def test_key_lengths_are_named_after_the_side_they_come_from():
    config = small_config("encoder-decoder")
    inner = "attention.scores"
    for module, letters in {
        "encoder.layers.0.self_attention": "BHSS",
        "decoder.layers.0.self_attention": "BHTT",
        "decoder.layers.0.cross_attention": "BHTS",
    }.items():
        assert dims(f"{module}.{inner}", "ScaledDotProductAttention", config) == tuple(letters)


def test_a_tap_is_one_line_and_one_document():
    command = [sys.executable, "-m", "pytest", "-q", "tests/new_tap.py"]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_idle_taps_pass_on_the_very_tensor_they_are_given():
    tensor = torch.ones(2)
    assert Tap()(tensor) is tensor
