"""A setting typed as text means the same wherever it is typed."""

import pytest

from playground.cli.commands import settings
from playground.experiments.sweeps import SweepError, parse
from playground.settings.config import ConfigError, RunConfig, parse_value, setting_paths, typed, value_at
from playground.ui.session import form_settings

TYPED = [
    ("training.learning_rate", ".001", 0.001),
    ("training.learning_rate", "1e-3", 0.001),
    ("training.learning_rate", "1", 1.0),
    ("training.learning_rate", " +0.5 ", 0.5),
    ("training.steps", "1e3", 1000),
    ("training.steps", "0300", 300),
    ("model.d_model", "32.0", 32),
    ("model.causal_mask", "True", True),
    ("model.causal_mask", "FALSE", False),
    ("model.bias", "off", False),
    ("model.norm_position", "Post", "post"),
    ("model.positions", '"rotary"', "rotary"),
    ("seed", "7", 7),
]


@pytest.mark.parametrize(("path", "text", "value"), TYPED)
def test_a_typed_value_means_the_same_at_every_entrance(path, text, value):
    config, _ = settings(None, None, [f"{path}={text}"], None, None)
    found = [
        parse_value(path, text),
        value_at(config, path),
        parse(path, text)[0],
        form_settings._read_setting(path, text),
    ]
    assert found == [value] * 4
    assert {type(each) for each in found} == {type(value)}


WRONG = [
    *(("training.learning_rate", each) for each in ("fast", "", "0,1", "null", "true", "[1]")),
    *(("training.steps", each) for each in ("1.5", "inf", "nan", "1e400", "ten", "9" * 5000)),
    *(("model.causal_mask", each) for each in ("1", "yes", "null")),
    ("model.norm_position", "middle"),
]


@pytest.mark.parametrize(("path", "text"), WRONG)
def test_a_wrong_value_is_refused_at_every_entrance_with_what_is_allowed(path, text):
    with pytest.raises(ConfigError, match=rf"{path} can't be .+\. Use ") as error:
        settings(None, None, [f"{path}={text}"], None, None)
    assert len(str(error.value)) < 300
    assert form_settings._read_setting(path, text) is None
    if text and "," not in text:
        with pytest.raises(SweepError, match="is not a value of"):
            parse(path, text)


def test_what_the_program_writes_it_reads_again():
    config = RunConfig().updated({"training.learning_rate": 1e-7, "model.bias": False, "task.text": ' "as typed" '})
    for path in setting_paths():
        assert parse_value(path, typed(value_at(config, path))) == value_at(config, path)


def test_a_setting_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ConfigError, match=r"model\.width is not a setting; settings are model\.architecture"):
        parse_value("model.width", "3")
