"""Which inputs are held out, how many of them an evaluation tests, and the measures that a run takes by choice."""

import hashlib
import json

import pytest
import torch

from playground.experiments.sweeps import parse
from playground.model.head_paths import weights_tap
from playground.model.task_model import TaskModel
from playground.pictures import charts
from playground.settings.config import RECORDED, ConfigError, RunConfig, TaskConfig, parse_value, setting_paths, typed
from playground.settings.estimate import estimate
from playground.settings.presets import PRESETS
from playground.tasks import PAD
from playground.tasks.batches import Sequences, make_batch, sources_tested
from playground.training import evaluate, train
from playground.training.evaluation import answered_right
from playground.training.loop import Training
from playground.training.measure import columns, groups_of, numbers
from playground.training.roles import measure_roles
from playground.ui.session import form_settings
from tests.helpers import TINY

EARLIER = {
    "quick-copy": (1152921504606846976, "f6fc5a479da5d344"),
    "sort": (1152921504606846976, "f6fc5a479da5d344"),
    "is-sorted": (1152921504606846976, "bf8b964cfbeebd85"),
    "addition": (1152921504606846976, "6a49df767b1c9e3e"),
    "modular-addition": (1122884784919953404, "bf467ac9bd7a0b94"),
    "recall": (1152921504606846976, "fcd7d28e8dca810b"),
    "dates": (1152921504606846976, "ac4ddb3688001051"),
    "text": (0, "7d6d9470704bab29"),
}
"""The split before its share could be set: the threshold, and a digest of the held-out inputs and a training batch."""

PAIRS = TaskConfig(name="modular_addition", vocab_size=23)


def every(sequences: Sequences) -> torch.Tensor:
    return torch.tensor([*sequences.task.every_source()])


@pytest.mark.parametrize("name", EARLIER)
def test_the_usual_split_is_that_of_earlier_versions(name):
    sequences = Sequences.of(PRESETS[name].config.task)
    batch = sequences.draw(64, torch.Generator().manual_seed(1))
    digest = hashlib.sha256(sequences.held_out().numpy().tobytes() + batch.numpy().tobytes()).hexdigest()[:16]
    assert (sequences.threshold, digest) == EARLIER[name]


@pytest.mark.parametrize("share", [0.01, 0.125, 0.6, 0.9])
def test_a_space_that_can_be_counted_holds_out_exactly_its_share(share):
    sequences = Sequences.of(PAIRS.model_copy(update={"held_out": share}))
    sources = every(sequences)
    assert int(sequences.is_held_out(sources).sum()) == int(share * 23**2)
    drawn = sequences.draw(500, torch.Generator().manual_seed(0))
    assert not sequences.is_held_out(drawn).any()


@pytest.mark.parametrize("share", [0.01, 0.5, 0.9])
def test_a_larger_space_holds_out_its_share_by_hash(share):
    sequences = Sequences.of(TaskConfig(max_length=16, min_length=16, held_out=share))
    sources = sequences.task.sample(torch.Generator().manual_seed(0), 20_000)
    assert float(sequences.is_held_out(sources).double().mean()) == pytest.approx(share, abs=0.02)


def test_what_is_held_out_of_a_smaller_share_is_held_out_of_a_larger_one():
    sources = every(Sequences.of(PAIRS))
    less, more = (Sequences.of(PAIRS.model_copy(update={"held_out": share})) for share in (0.2, 0.6))
    assert bool((more.is_held_out(sources) >= less.is_held_out(sources)).all())


@pytest.mark.parametrize("share", [0.01, 0.125, 0.6])
@pytest.mark.parametrize("size", [2, 3, 23])
def test_commuted_pairs_are_on_the_same_side_by_choice(size, share):
    task = TaskConfig(name="modular_addition", vocab_size=size, held_out=share)
    apart, together = (Sequences.of(task.model_copy(update={"commuted_together": chosen})) for chosen in (False, True))
    sources = every(apart)
    held_out = together.is_held_out(sources)
    assert torch.equal(held_out, together.is_held_out(sources.flip(1)))
    assert 0 < int(held_out.sum()) < len(sources)
    if size == 23:
        assert float(held_out.double().mean()) == pytest.approx(max(share, 1 / len(sources)), abs=0.03)
        assert not torch.equal(apart.is_held_out(sources), apart.is_held_out(sources.flip(1)))


def test_a_task_with_a_held_out_part_of_its_own_says_so():
    with pytest.raises(ConfigError) as error:
        RunConfig().updated({"task.name": "text", "task.held_out": 0.5})
    assert error.value.problems == {
        "task.held_out": "The task text has a held-out part of its own, so held_out can't be 0.5. Use 0.125, the "
        "default."
    }


def test_more_held_out_inputs_begin_with_the_usual_ones():
    for name in ("quick-copy", "modular-addition", "text", "recall"):
        sequences = Sequences.of(PRESETS[name].config.task.model_copy(update={}))
        usual, more = sequences.held_out(), sequences.held_out(3000)
        assert torch.equal(more[: len(usual)], usual)
        assert len(more) == len(more.unique(dim=0))
        if sequences.threshold:
            assert bool(sequences.is_held_out(more).all())
    assert len(Sequences.of(PRESETS["quick-copy"].config.task).held_out(3000)) == 3000
    few = TaskConfig(vocab_size=2, min_length=1, max_length=16, held_out=0.01)  # of 131,070
    assert 1000 <= len(Sequences.of(few).held_out(10_000)) < 1500


@pytest.mark.parametrize("name", ["quick-copy", "modular-addition", "text"])
def test_the_training_inputs_of_a_measure_are_never_held_out(name):
    sequences = Sequences.of(PRESETS[name].config.task)
    trained, held_out = sequences.trained(200), sequences.held_out()
    assert len(trained) == 200
    assert torch.equal(trained, sequences.trained(200))
    width = max(trained.size(1), held_out.size(1))
    known = {(*row, *[PAD] * (width - len(row))) for row in held_out.tolist()}
    assert not known.intersection((*row, *[PAD] * (width - len(row))) for row in trained.tolist())


# --- evaluations ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "tested", "available"), [(0, 100, 1000), (30, 30, 1000), (300, 300, 1000), (1200, 1200, 1200)]
)
def test_an_evaluation_tests_as_many_inputs_as_the_settings_say(asked, tested, available):
    config = RunConfig().updated({"training.eval_sequences": asked})
    held_out = sources_tested(config)
    assert len(held_out) == available
    assert evaluate(TaskModel(config), held_out).sequences == tested
    assert evaluate(TaskModel(config), held_out, thorough=True).sequences == max(1000, tested)


def test_more_tests_take_longer_by_the_estimate():
    seconds = [estimate(RunConfig().updated({"training.eval_sequences": asked})).seconds for asked in (0, 100, 1000)]
    assert seconds[0] == seconds[1] < seconds[2]
    assert estimate(RunConfig().updated({"training.record": [*RECORDED]})).seconds > seconds[0]


# --- measures by choice -----------------------------------------------------------------------------


def test_extra_measures_change_nothing_of_what_is_learned():
    plain = [progress.record() for progress in train(TINY)]
    more = [progress.record() for progress in train(TINY.updated({"training.record": [*RECORDED]}))]
    assert {*RECORDED} <= more[0].keys()
    for one, other in zip(plain, more, strict=True):
        assert {**one, "seconds": 0} == {name: value for name, value in other.items() if name not in RECORDED} | {
            "seconds": 0
        }


def test_training_accuracy_is_the_exact_match_on_training_inputs():
    config = PRESETS["modular-addition"].config.updated(
        {"training.record": ["training_accuracy"], "training.steps": 60, "training.eval_every": 60}
    )
    training = Training(config)
    *_, last = training.progress()
    right = answered_right(training.model, training.trained)
    assert last.record()["training_accuracy"] == float(right.double().mean()) > 0
    assert len(right) == 100


def test_head_roles_are_those_of_the_roles_beside_the_model():
    config = TINY.updated({"training.record": ["head_roles"], "model.n_layers": 2})
    training = Training(config)
    *_, last = training.progress()
    found = numbers(last.record()["head_roles"])
    assert [*found] == groups_of(config)["head_roles"]
    *_, (_, _, by_head) = measure_roles(training.model, 100)
    for head, scores in by_head.items():
        for score in scores:
            name = f"{weights_tap(head.attention)}.{score.role}.{head.number + 1}"
            assert found[name] == pytest.approx(score.weight, abs=6e-5)
    assert sum(value is not None for value in found.values()) == sum(map(len, by_head.values()))


def test_columns_of_the_table_have_the_names_of_heads_and_roles():
    config = TINY.updated({"training.record": [*RECORDED]})
    record = next(train(config)).record()
    names = columns(record)
    assert "training_accuracy" in names
    assert "head_roles.encoder.layers.0.self_attention.attention.weights.previous.1" in names


def test_a_charted_measure_is_drawn_only_if_it_was_measured():
    library = json.loads(charts.everything())
    assert all(library["measures"][name]["recorded"] for name in RECORDED)
    assert all(panel["if_measured"] for panel in library["panels"] if panel["name"] in RECORDED)


# --- the setting ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", ()),
        ("head_roles", ("head_roles",)),
        ("head_roles, training_accuracy", ("training_accuracy", "head_roles")),
        ("Head_Roles,head_roles", ("head_roles",)),
    ],
)
def test_names_of_measures_are_typed_with_commas(text, value):
    assert parse_value("training.record", text) == value
    assert parse_value("training.record", typed(value)) == value
    assert parse("training.record", text) == (value,)
    config = RunConfig().updated({"training.record": list(value)})
    assert config.training.record == value
    assert RunConfig.parse(json.loads(config.model_dump_json())) == config


@pytest.mark.parametrize(
    "value", ["head_roles", ["loss"], [1], [["head_roles"]], None, {"head_roles": 1}, ["head_roles", 2]]
)
def test_anything_else_is_refused_in_a_sentence(value):
    with pytest.raises(ConfigError) as error:
        RunConfig().updated({"training.record": value})
    (sentence,) = error.value.problems.values()
    assert sentence.endswith("Use names of training_accuracy, head_roles, separated by commas.")


def test_a_link_has_the_names(monkeypatch):
    config = RunConfig().updated({"training.record": [*RECORDED], "task.held_out": 0.6})
    words = form_settings.link_words(config)
    assert words == {"task.held_out": "0.6", "training.record": "training_accuracy,head_roles"}
    assert {path: parse_value(path, word) for path, word in words.items()} == {
        "task.held_out": 0.6,
        "training.record": config.training.record,
    }
    assert {*words} <= setting_paths().keys()


def test_the_first_batch_of_a_preset_is_drawn_from_its_share():
    config = PRESETS["grokking"].config
    training = Training(config)
    sources = Sequences.of(config.task)
    batch = make_batch(config, sources.draw(8, torch.Generator().manual_seed(0)))
    assert batch.labels.shape == (8, 2)
    assert len(training.held_out) == 1000
    assert len(every(sources)) - int(sources.is_held_out(every(sources)).sum()) == 3481 - int(0.6 * 3481)
