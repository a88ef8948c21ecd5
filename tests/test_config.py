"""Settings: bounds, sentences, rules between two settings, and the size of a model before it is built."""

import json
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from playground.model.task_model import TaskModel
from playground.optimization.optimizers import OPTIMIZERS
from playground.optimization.schedules import SCHEDULES
from playground.settings.config import (
    LIVE,
    MAX_CHANGES,
    MAX_PARAMETERS,
    Activation,
    Architecture,
    Change,
    ConfigError,
    NormPosition,
    Positions,
    RunConfig,
    allowed,
    bounds,
    choices,
    differences,
    in_order,
    names_of,
    parameter_counts,
    setting_paths,
    value_at,
)
from playground.tasks import SPECIALS

NUMBERS = [path for path, field in setting_paths().items() if field.annotation in (int, float)]
WORDS = [path for path, field in setting_paths().items() if choices(field)]
TEXTS = [path for path, field in setting_paths().items() if field.annotation is str]
LISTS = [path for path, field in setting_paths().items() if names_of(field)]
SWITCHES = [path for path, field in setting_paths().items() if field.annotation is bool]


def problems(data: object) -> dict[str, str]:
    """The error messages of refused settings, each checked to be a line: what is wrong, and what to do."""
    with pytest.raises(ConfigError) as caught:
        RunConfig.parse(data)
    for sentence in caught.value.problems.values():
        assert sentence.endswith(".")
        assert len(re.findall(r"\.(?:\s|$)", sentence)) <= 2
        assert "\n" not in sentence
    assert str(caught.value) == " ".join(caught.value.problems.values())
    return caught.value.problems


def problem(changes: dict[str, Any]) -> tuple[str, str]:
    """The one problem of the default settings with `changes` by path."""
    data = RunConfig().model_dump()
    for path, value in changes.items():
        group, _, name = path.rpartition(".")
        (data[group] if group else data)[name] = value
    ((path, sentence),) = problems(data).items()
    return path, sentence


def test_the_defaults_are_allowed_and_every_setting_is_explained():
    assert RunConfig.parse({}) == RunConfig()
    assert sorted(NUMBERS + WORDS + SWITCHES + TEXTS + LISTS) == sorted(setting_paths())
    for path, field in setting_paths().items():
        assert field.title, path
        assert (field.description or "").endswith("."), path


@pytest.mark.parametrize("path", NUMBERS)
def test_a_number_beyond_its_bounds_is_refused_with_the_bounds(path):
    field = setting_paths()[path]
    low, high = bounds(field)
    for value in (low - 1, high + 1, -1e9 if field.annotation is float else -(10**9)):
        where, sentence = problem({path: value})
        assert where == path
        assert sentence == f"{path} can't be {value}. Use {allowed(field)}."
        assert f"{low:,}" in sentence
        assert f"{high:,}" in sentence


@pytest.mark.parametrize("path", NUMBERS)
def test_the_bounds_themselves_are_allowed_where_they_are_inclusive(path):
    field = setting_paths()[path]
    for value, is_open in zip(bounds(field), ("above" in allowed(field), "below" in allowed(field)), strict=True):
        try:
            RunConfig().updated({path: field.annotation(value)})
            accepted = True
        except ConfigError as error:  # a rule between two settings may still object
            accepted = not any("can't be" in sentence for sentence in error.problems.values())
        assert accepted != is_open


def test_the_limits_of_a_shared_host_are_the_promised_ones():
    def upper(path: str) -> float | None:
        return bounds(setting_paths()[path])[1]

    assert upper("model.d_model") == 256
    assert upper("model.n_heads") == 16
    assert upper("model.n_layers") == 6
    assert upper("task.max_length") == 64
    assert upper("task.vocab_size") + len(SPECIALS) == 512
    assert MAX_PARAMETERS == 5_000_000


@pytest.mark.parametrize("path", WORDS)
def test_an_unknown_word_is_refused_with_the_known_ones(path):
    where, sentence = problem({path: "nonsense"})
    assert where == path
    assert sentence == f"{path} can't be nonsense. Use one of {', '.join(choices(setting_paths()[path]))}."


@pytest.mark.parametrize("path", NUMBERS + WORDS + SWITCHES)
def test_nothing_is_converted_and_nothing_may_be_missing_in_value(path):
    field = setting_paths()[path]
    wrong: list[Any] = ["1", None, [1], {"a": 1}]
    if field.annotation is bool:
        wrong += [0, 1, "true"]
    else:
        wrong += [True]
    if field.annotation is int:
        wrong += [2.0, 2.5]
    if field.annotation is float:
        wrong += [float("nan"), float("inf"), float("-inf")]
    for value in wrong:
        where, sentence = problem({path: value})
        assert where == path
        assert sentence.startswith(f"{path} can't be ")
        assert sentence.endswith(f". Use {allowed(field)}.")


def test_a_long_or_odd_value_is_shown_short_and_on_one_line():
    _, sentence = problem({"task.name": "x" * 1000})
    assert len(sentence) < 200
    _, sentence = problem({"task.name": "new\nline"})
    assert "'new\\nline'" in sentence


def test_a_whole_number_will_do_where_a_fraction_is_allowed():
    assert RunConfig.parse({"training": {"learning_rate": 1}}).training.learning_rate == 1.0


def test_every_problem_is_reported_at_once():
    found = problems({"model": {"d_model": 1, "color": "red"}, "training": {"steps": 0}, "seed": -1})
    assert set(found) == {"model.d_model", "model.color", "training.steps", "seed"}


def test_unknown_keys_are_refused_with_the_known_ones():
    assert problems({"model": {"width": 3}})["model.width"].startswith(
        "model.width is not a setting. Use architecture, d_model, n_heads,"
    )
    assert problems({"speed": 3}) == {"speed": "speed is not a setting. Use task, model, training, seed."}


@pytest.mark.parametrize("data", [None, 3, "text", [], [["model", {}]]])
def test_what_is_no_object_is_refused(data):
    assert problems(data) == {"config": "The config must be an object with the settings by name."}
    if data != "text":
        assert problems({"model": data}) == {"model": "model must be an object with the settings by name."}


@pytest.mark.parametrize(
    ("changes", "where", "named"),
    [
        ({"model.d_model": 10}, "model.n_heads", ["d_model 10", "n_heads 4", "Use d_model 8 or 12"]),
        ({"model.d_model": 2, "model.n_heads": 3}, "model.n_heads", ["d_model 2", "n_heads 3", "Use d_model 3"]),
        (
            {"model.d_model": 9, "model.n_heads": 1, "model.positions": "sinusoidal"},
            "model.positions",
            ["Sinusoidal", "d_model, and 9", "Use d_model 8 or 10", "or other positions"],
        ),
        (
            {"model.d_model": 12, "model.positions": "rotary"},
            "model.positions",
            ["Rotary", "d_model 12", "n_heads 4", "width 3", "Use d_model 8 or 16", "or other positions"],
        ),
        (
            {"model.architecture": "encoder-only", "model.causal_mask": False},
            "model.causal_mask",
            ["encoder-only", "no causal mask", "choose another architecture"],
        ),
        (
            {"task.min_length": 9, "task.max_length": 8},
            "task.min_length",
            ["min_length 9", "max_length 8", "Lower one or raise the other"],
        ),
        (
            {"task.vocab_size": 1, "task.min_length": 3, "task.max_length": 3},
            "task.vocab_size",
            ["vocab_size 1", "length 3", "Use 2 symbols or more lengths"],
        ),
        ({"training.schedule": "noam"}, "training.warmup_steps", ["noam", "warmup_steps to 1 or more"]),
        (
            {"training.steps": 10, "training.warmup_steps": 11},
            "training.warmup_steps",
            ["warmup_steps 11", "steps 10", "Lower one or raise the other"],
        ),
    ],
)
def test_a_rule_between_two_settings_names_both_values_and_a_way_out(changes, where, named):
    path, sentence = problem(changes)
    assert path == where
    for words in named:
        assert words in sentence


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "rotary"])
@given(d_model=st.integers(2, 256), n_heads=st.integers(1, 16))
@settings(max_examples=300)
def test_what_is_advised_for_the_heads_is_allowed(positions, d_model, n_heads):
    changes = {"model.d_model": d_model, "model.n_heads": n_heads, "model.positions": positions}
    if d_model % n_heads:
        _, sentence = problem(changes)
        widths, _, heads = sentence.partition("Use d_model")[2].partition(", or n_heads")
        for width in re.findall(r"\d+", widths):
            RunConfig().updated(changes | {"model.d_model": int(width)})
        for number in re.findall(r"\d+", heads):
            RunConfig().updated(changes | {"model.n_heads": int(number)})
        assert bool(heads) == (positions == "learned" or d_model % 2 == 0), "one head, where a head may have that width"


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary"])
@given(heads=st.integers(1, 16).map(lambda n: 2 * n - 1), times=st.integers(1, 20).map(lambda n: 2 * n - 1))
def test_a_width_advised_for_positions_is_allowed(positions, heads, times):
    if 2 <= heads * times <= 256 and heads <= 16:
        changes = {"model.d_model": heads * times, "model.n_heads": heads, "model.positions": positions}
        path, sentence = problem(changes)
        assert path == "model.positions"
        for width in re.findall(r"\d+", sentence.partition("Use d_model")[2]):
            RunConfig().updated(changes | {"model.d_model": int(width)})


def test_five_million_parameters_are_the_limit():
    large = {"model.d_model": 256, "model.d_ff": 1024, "model.n_heads": 8}
    fits = RunConfig().updated(large | {"model.n_layers": 2})
    assert sum(parameter_counts(fits).values()) < MAX_PARAMETERS
    with pytest.raises(ConfigError) as caught:
        RunConfig().updated(large | {"model.n_layers": 3})
    ((path, sentence),) = caught.value.problems.items()
    assert path == "model.n_layers"
    assert re.fullmatch(
        r"The model would have 5,\d{3},\d{3} parameters, above the limit of 5,000,000\. "
        r"Lower n_layers, d_model or d_ff\.",
        sentence,
    )


def test_settings_cannot_be_changed_in_place():
    config = RunConfig()
    with pytest.raises(ValidationError, match="frozen"):
        config.seed = 1
    with pytest.raises(ValidationError, match="frozen"):
        config.model.d_model = 32


def test_updated_replaces_settings_in_a_copy():
    config = RunConfig()
    changed = config.updated({"model.d_model": 32, "task.name": "copy", "seed": 7})
    assert (changed.model.d_model, changed.task.name, changed.seed) == (32, "copy", 7)
    assert config == RunConfig()
    assert changed.updated({"model.d_model": 64, "task.name": "reverse", "seed": 0}) == config


@pytest.mark.parametrize("path", ["model", "model.width", "width", "model.d_model.bits", "", "seed.more", "a.b.c"])
def test_updated_refuses_what_is_no_setting(path):
    with pytest.raises(ConfigError, match="is not a setting; settings ") as caught:
        RunConfig().updated({path: 1})
    assert set(caught.value.problems) == {path}


def test_updated_checks_the_result():
    with pytest.raises(ConfigError, match="d_model 30 is not divisible by n_heads 4"):
        RunConfig().updated({"model.d_model": 30})


# --- changes while a run trains -------------------------------------------------------------------


@given(
    made=st.lists(
        st.tuples(
            st.integers(0, 90),
            st.fixed_dictionaries(
                {},
                optional={
                    "training.learning_rate": st.floats(1e-6, 10),
                    "training.batch_size": st.integers(1, 512),
                    "model.dropout": st.floats(0, 0.9),
                    "training.steps": st.integers(91, 100_000),
                    "training.stop_when_solved": st.booleans(),
                },
            ).filter(bool),
        ),
        max_size=6,
    ),
    step=st.integers(0, 100),
)
def test_the_settings_at_a_step_are_the_newest_of_each_up_to_there(made, step):
    changes = [Change(step=at, settings=values) for at, values in made]
    expected = RunConfig()
    for at, values in sorted(made, key=lambda each: each[0]):
        if at <= step:
            expected = expected.updated(values)
    assert RunConfig().after(changes, step) == expected
    ordered = in_order(RunConfig(), changes)
    assert [change.step for change in ordered] == sorted({at for at, _ in made})
    assert RunConfig().after(reversed(ordered), step) == expected
    assert tuple(Change.parse(json.loads(json.dumps(change.model_dump()))) for change in ordered) == ordered


def refused(make: Callable[[], object]) -> str:
    """The one sentence with which a change is refused."""
    with pytest.raises(ConfigError) as caught:
        make()
    (sentence,) = caught.value.problems.values()
    assert len(re.findall(r"\.(?:\s|$)", sentence)) <= 2
    return sentence


@pytest.mark.parametrize("path", sorted(setting_paths().keys() - set(LIVE)))
def test_any_other_setting_needs_a_new_run_and_the_sentence_says_which_do_not(path):
    sentence = refused(lambda: Change(step=3, settings={path: value_at(RunConfig(), path), "model.dropout": 0.5}))
    assert sentence.startswith(f"{path} needs a new run;")
    assert all(live in sentence for live in LIVE)


@pytest.mark.parametrize(
    ("step", "settings", "words"),
    [
        (
            3,
            {"training.learning_rate": 0.0},
            "training.learning_rate can't be 0.0. Use a number above",
        ),
        (3, {"training.stop_when_solved": 1}, "Use true or false"),
        (3, {"training.batch_size": 2.0}, "Use a whole number from 1 to 512"),
        (3, {"model.width": 2}, "model.width is not a setting"),
        (3, {}, "at least one setting"),
        (3, [("model.dropout", 0.5)], "at least one setting"),
        (-1, {"model.dropout": 0.5}, "step can't be -1. Use a whole number from 0 to 100,000"),
        (True, {"model.dropout": 0.5}, "step can't be True"),
        (40, {"training.steps": 40}, "training.steps 40 is not above the 40 steps already taken"),
    ],
)
def test_a_change_that_cannot_be_is_refused_in_one_sentence(step, settings, words):
    assert words in refused(lambda: Change(step=step, settings=settings))


@pytest.mark.parametrize("data", [None, [], {"step": 1}, {"step": 1, "settings": {"model.dropout": 0.1}, "by": "me"}])
def test_what_is_no_change_is_refused(data):
    assert "an object with step, settings and nothing else" in refused(lambda: Change.parse(data))


def test_changes_that_break_a_rule_together_or_are_too_many_are_refused():
    config = RunConfig().updated({"training.warmup_steps": 50})
    short = Change(step=3, settings={"training.steps": 40})
    assert "warmup_steps 50 is above steps 40" in refused(lambda: in_order(config, [short]))
    assert "warmup_steps 50 is above steps 40" in refused(lambda: config.after([short], 3))
    assert config.after([short], 2) == config
    many = [Change(step=step, settings={"model.dropout": 0.1}) for step in range(MAX_CHANGES + 1)]
    assert len(in_order(config, many[1:])) == MAX_CHANGES
    assert f"{MAX_CHANGES} times" in refused(lambda: in_order(config, many))


def test_differences_name_each_setting_with_both_values():
    config = RunConfig()
    other = config.updated({"model.n_heads": 1, "seed": 3, "model.norm_position": "post"})
    assert differences(config, other) == [
        ("model.n_heads", 4, 1),
        ("model.norm_position", "pre", "post"),
        ("seed", 0, 3),
    ]
    assert differences(config, config) == []


configs = st.builds(
    lambda heads, width, lengths, **changes: RunConfig().updated(
        {
            "model.n_heads": heads,
            "model.d_model": 2 * heads * width,
            "task.min_length": min(lengths),
            "task.max_length": max(lengths),
            "model.causal_mask": True,
            **{name.replace("__", "."): value for name, value in changes.items()},
        }
    ),
    heads=st.integers(1, 4),
    width=st.integers(1, 4),
    lengths=st.tuples(st.integers(1, 12), st.integers(1, 12)),
    task__vocab_size=st.integers(2, 20),
    model__architecture=st.sampled_from(get_args(Architecture)),
    model__n_layers=st.integers(1, 3),
    model__d_ff=st.integers(1, 20),
    model__dropout=st.floats(0, 0.9),
    model__norm_position=st.sampled_from(get_args(NormPosition)),
    model__activation=st.sampled_from(get_args(Activation)),
    model__positions=st.sampled_from(get_args(Positions)),
    model__bias=st.booleans(),
    model__scale_scores=st.booleans(),
    model__residual=st.booleans(),
    model__layer_norm=st.booleans(),
    training__optimizer=st.sampled_from([*OPTIMIZERS]),
    training__schedule=st.sampled_from([*SCHEDULES]),
    training__learning_rate=st.floats(0, 10, exclude_min=True),
    training__warmup_steps=st.integers(1, 1000),
    training__label_smoothing=st.floats(0, 1, exclude_max=True),
    seed=st.integers(0, 2**31 - 1),
)


@given(config=configs)
def test_a_config_survives_json(config):
    assert RunConfig.parse(json.loads(config.model_dump_json())) == config
    assert RunConfig.parse(json.loads(json.dumps(config.model_dump()))) == config


@given(config=configs)
def test_the_counted_parameters_are_those_of_the_real_model(config):
    model = TaskModel(config)
    counts = parameter_counts(config)
    assert sum(counts.values()) == sum(parameter.numel() for parameter in model.parameters())
    parts = {"token embedding": "token_table", "positions": "positions", "output layer": "head"}
    for part, module in parts.items():
        found = [p.numel() for name, p in model.named_parameters() if module in name.split(".")]
        assert counts[part] == sum(found), part
    for stack in ("encoder", "decoder"):
        found = [
            parameter.numel()
            for name, parameter in model.named_parameters()
            if name.startswith(stack) and "embeddings" not in name
        ]
        assert counts.get(stack, 0) == sum(found), stack
