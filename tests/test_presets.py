"""The presets are what their contract says."""

import pytest

from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.tasks import TASKS

OF_TASKS = {preset.name: name for name, task in TASKS.items() for preset in (task.preset, *task.more_presets) if preset}


def test_the_presets_are_those_of_the_tasks_and_four_more():
    assert list(PRESETS) == [*OF_TASKS, "paper", "gpt", "llama", "deepseek"]
    named = {"sort", "is-sorted", "addition", "modular-addition", "recall", "dates", "text", "grokking", "induction"}
    assert {"quick-copy", "quick-reverse", *named} <= set(OF_TASKS)
    assert DEFAULT_PRESET in PRESETS


@pytest.mark.parametrize("name", OF_TASKS)
def test_a_preset_of_a_task_is_of_that_task(name):
    assert PRESETS[name].config.task.name == OF_TASKS[name]
    assert PRESETS[name].usual_steps < PRESETS[name].config.training.steps


@pytest.mark.parametrize("name", ["quick-copy", "quick-reverse", "sort"])
def test_quick_presets_take_any_length_up_to_sixteen(name):
    config = PRESETS[name].config
    assert (config.task.min_length, config.task.max_length) == (1, 16)
    assert (config.model.d_model, config.model.n_layers) == (64, 1)
    assert config.model.positions == "two_way"


def test_what_a_preset_says_of_itself_is_so():
    paper, gpt = PRESETS["paper"], PRESETS["gpt"]
    assert (paper.title, gpt.title) == ("Paper-like", "GPT-2-like")
    for preset in (paper, gpt):
        model, training = preset.config.model, preset.config.training
        assert f"width {model.d_model} instead of" in preset.sentence
        assert f"{model.n_layers} layers instead of" in preset.sentence
        assert f"{model.n_heads} heads instead of" in preset.sentence
        assert f"dropout {model.dropout:g}" in preset.sentence
        assert "tied embeddings" in preset.sentence
        assert model.tie_embeddings
        assert model.bias
        assert ("no biases in attention" in preset.sentence) == (not model.attention_bias)
        assert f"smoothing {training.label_smoothing:g}" in preset.sentence or training.label_smoothing == 0
    assert f"{paper.config.training.warmup_steps} warm-up steps instead of 4,000" in paper.sentence


def test_the_paper_preset_is_the_papers():
    config = PRESETS["paper"].config
    assert (config.model.norm_position, config.model.positions) == ("post", "sinusoidal")
    assert (config.model.activation, config.training.schedule) == ("relu", "noam")
    assert config.model.architecture == "encoder-decoder"
    assert (config.model.dropout, config.model.tie_embeddings, config.model.attention_bias) == (0.1, True, False)
    training = config.training
    assert (training.optimizer, training.weight_decay, training.label_smoothing) == ("adam", 0, 0.1)
    assert training.learning_rate == (config.model.d_model * training.warmup_steps) ** -0.5


def test_the_gpt_preset_is_gpts():
    model = PRESETS["gpt"].config.model
    assert (model.architecture, model.norm_position) == ("decoder-only", "pre")
    assert (model.activation, model.positions) == ("gelu", "learned")
    assert (model.dropout, model.tie_embeddings, model.attention_bias) == (0.1, True, True)


@pytest.mark.parametrize("name", ["llama", "deepseek"])
def test_a_later_preset_says_what_it_is(name):
    preset = PRESETS[name]
    model, training = preset.config.model, preset.config.training
    assert (model.architecture, model.norm_position, model.norm) == ("decoder-only", "pre", "rms_norm")
    assert (model.activation, model.positions, model.bias, model.tie_embeddings) == ("swiglu", "rotary", False, False)
    assert (preset.config.task.name, training.optimizer, training.schedule) == ("text", "adamw", "cosine")
    assert preset.usual_steps < training.steps
    expected = [f"width {model.d_model} instead of", f"{model.n_heads} heads", f"{model.n_layers} layers instead of"]
    expected += [f"weight decay {training.weight_decay:g}", "pre-norm, RMSNorm", "SwiGLU", "no biases"]
    if name == "llama":
        assert (preset.title, model.attention, model.feed_forward) == ("Llama-like", "grouped_query", "dense")
        expected += [f"{model.n_heads} heads that share {model.n_kv_heads} key heads", "grouped-query"]
    else:
        assert (preset.title, model.attention, model.feed_forward) == ("DeepSeek-like", "latent", "mixture")
        assert model.d_rope
        assert model.balance
        assert model.n_shared_experts == 1
        expected += [
            f"a latent of {model.d_latent} numbers instead of 512",
            f"{model.n_experts} experts instead of 160",
        ]
        expected += [f"of which {model.experts_per_token} instead of 6", "a shared one", "balancing loss"]
    for words in expected:
        assert words in preset.sentence


def test_the_grokking_preset_is_the_studys():
    config = PRESETS["grokking"].config
    assert (config.task.vocab_size, config.task.held_out, config.task.commuted_together) == (59, 0.6, False)
    assert (config.training.optimizer, config.training.weight_decay) == ("adamw", 1)
    assert config.training.learning_rate == 1e-3
    assert config.training.record == ("training_accuracy",)
    assert 1 - config.task.held_out == pytest.approx(0.4)


def test_the_induction_preset_records_the_heads_that_form():
    config = PRESETS["induction"].config
    assert (config.model.architecture, config.model.n_layers) == ("decoder-only", 2)
    assert config.training.record == ("head_roles",)


@pytest.mark.parametrize("name", ["paper", "gpt"])
def test_presets_of_one_length_say_so(name):
    preset = PRESETS[name]
    assert preset.config.task.min_length == preset.config.task.max_length
    assert "no other length" in preset.sentence
