"""Inputs longer than in training: the smallest settings that read them, on the command line and on pages."""

import pytest

from playground.decoding import generate
from playground.decoding.long_inputs import settings_for, stretched, with_length
from playground.model.task_model import TaskModel
from playground.recording import record
from playground.settings.config import RunConfig
from playground.storage.library import Library
from playground.tasks import encode
from playground.ui.session.services import services
from tests.helpers import messages, small_batch, small_config
from tests.pages import fine, host, page  # noqa: F401
from tests.test_cli import done, refused

LONG = " ".join("3141592653")  # training has at most 6 symbols


def config_of(positions: str, **settings: object) -> RunConfig:
    return small_config("encoder-decoder", positions=positions).updated(settings)


@pytest.mark.parametrize(
    ("settings", "text", "length"),
    [
        ({}, "3 1 4 1 5 2", 6),
        ({}, "3 1 4 1 5 2 6", 7),
        ({}, " ".join("3" * 48), 48),
        ({}, " ".join("3" * 49), 6),  # 8 times as long is the limit
        ({}, "3 1 4 1 5 2 x", 6),
        ({}, "", 6),
        ({"task.name": "addition", "task.vocab_size": 10}, "1 2 3 4 5 6 7 + 1", 7),
        ({"task.name": "dates"}, "3" * 30, 6),
    ],
)
def test_the_smallest_length_that_reads_an_input_is_chosen(settings, text, length):
    config = config_of("sinusoidal", **settings)
    assert settings_for(config, text) == with_length(config, length)


@pytest.mark.parametrize("positions", ["learned", "two_way"])
def test_a_trained_table_of_positions_reads_no_longer_input(positions):
    config = config_of(positions)
    assert settings_for(config, LONG) == config


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary", "none"])
@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only", "encoder-only"])
def test_the_longer_model_computes_the_same_numbers(architecture, positions):
    model = TaskModel(small_config(architecture, positions=positions)).eval()
    longer = stretched(model, with_length(model.config, 20))
    assert not longer.training
    recordings = []
    for each in (model, longer):
        with record(each) as recording:
            each(*small_batch(model.config))
        recordings.append(recording)
    for one, two in zip(*recordings, strict=True):
        assert one.value.equal(two.value), one.name
    assert stretched(model, model.config) is model


def test_the_command_line_answers_a_longer_input_or_refuses_it(tmp_path):
    for positions in ("sinusoidal", "learned"):
        Library(tmp_path).save(positions, TaskModel(config_of(positions, **{"task.vocab_size": 10})), [])
    model = TaskModel(config_of("sinusoidal", **{"task.vocab_size": 10})).eval()
    longer = stretched(model, settings_for(model.config, LONG))
    tokens = generate(longer, encode(LONG, longer.config.task))
    output = done("generate", tmp_path / "sinusoidal", "--input", LONG)
    assert len(output.split()) == len(tokens)
    refused(tmp_path, "generate", tmp_path / "learned", f"--input={LONG}", says="this model reads at most 6")


@pytest.mark.parametrize("name", ["step_through.py", "generate.py"])
def test_a_page_answers_a_longer_input_and_names_the_trained_lengths(name):
    model = TaskModel(config_of("sinusoidal", **{"task.vocab_size": 10}))
    Library(services().host.checkpoints).save("sinusoidal", model, [])
    app = page(name, source="sinusoidal")
    field = next(each for each in app.text_input if each.key == "input")
    fine(field.set_value(LONG).run())
    assert not messages(app, "wrong")
    note = "This model was trained on inputs of 1 to 6 symbols. Its answer for 10 is unreliable."
    assert any(note in each.value for each in app.caption)
    field.set_value(" ".join("3" * 49)).run()
    assert "The input has 49 symbols" in messages(fine(app), "wrong")[0]


def test_a_refused_input_says_where_the_positions_end():
    Library(services().host.checkpoints).save("learned", TaskModel(config_of("learned", **{"task.vocab_size": 10})), [])
    app = page("generate.py", source="learned")
    field = next(each for each in app.text_input if each.key == "input")
    end = "The trained position table ends there."
    field.set_value(LONG).run()
    assert end in messages(fine(app), "wrong")[0]
    field.set_value("3 x").run()
    assert end not in messages(fine(app), "wrong")[0]


def test_experiment_refuses_a_longer_input_since_its_scores_are_those_of_training():
    model = TaskModel(config_of("sinusoidal", **{"task.vocab_size": 10}))
    Library(services().host.checkpoints).save("sinusoidal", model, [])
    app = page("experiment.py", source="sinusoidal")
    field = next(each for each in app.text_input if each.key == "input")
    field.set_value(LONG).run()
    assert "this model reads at most 6" in messages(fine(app), "wrong")[0]
