"""The presets are what their contract says."""

import pytest

from playground.presets import DEFAULT_PRESET, PRESETS


def test_the_four_presets_have_their_names():
    assert list(PRESETS) == ["quick-copy", "quick-reverse", "paper", "gpt"]
    assert DEFAULT_PRESET in PRESETS


@pytest.mark.parametrize("task", ["copy", "reverse"])
def test_quick_presets_take_any_length_up_to_sixteen(task):
    config = PRESETS[f"quick-{task}"].config
    assert (config.task.name, config.task.min_length, config.task.max_length) == (task, 1, 16)
    assert (config.model.d_model, config.model.n_heads, config.model.n_layers) == (64, 4, 1)
    assert config.model.positions == "two_way"


def test_the_paper_preset_is_the_papers():
    config = PRESETS["paper"].config
    assert (config.model.norm_position, config.model.positions) == ("post", "sinusoidal")
    assert (config.model.activation, config.training.schedule) == ("relu", "noam")
    assert config.model.architecture == "encoder-decoder"


def test_the_gpt_preset_is_gpts():
    model = PRESETS["gpt"].config.model
    assert (model.architecture, model.norm_position) == ("decoder-only", "pre")
    assert (model.activation, model.positions) == ("gelu", "learned")


@pytest.mark.parametrize("name", ["paper", "gpt"])
def test_presets_of_one_length_say_so(name):
    preset = PRESETS[name]
    assert preset.config.task.min_length == preset.config.task.max_length
    assert "no other length" in preset.sentence
