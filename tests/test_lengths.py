"""Exact match by length: also on longer inputs than training had."""

import json

import pytest
import torch

from playground.decoding import greedy
from playground.decoding.long_inputs import MAX_LENGTH, end_of
from playground.experiments import lengths
from playground.experiments.lengths import LengthError, LengthScore, by_length, longest, usual
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.checkpoint import save
from playground.tasks import EOS, PAD, TASKS
from playground.tasks.batches import Sequences, right_answers
from playground.training import answered_right, train
from tests.small_training import SOLVABLE
from tests.test_cli import done, refused

ARCHITECTURES = ("encoder-decoder", "decoder-only", "encoder-only")


def config_of(**settings: object) -> RunConfig:
    tiny = {"task.vocab_size": 5, "task.max_length": 4, "model.d_model": 8, "model.n_heads": 2, "model.d_ff": 16}
    return RunConfig().updated(tiny | {path.replace("__", "."): value for path, value in settings.items()})


def scores_of(model: TaskModel, *asked: int, sequences: int = 20) -> list[LengthScore]:
    *_, (_, _, scores) = by_length(model, asked, sequences)
    return scores


@pytest.fixture(scope="module")
def solved() -> TaskModel:
    model = TaskModel(SOLVABLE)
    for _ in train(SOLVABLE, model):
        pass
    return model


@pytest.fixture
def tested(monkeypatch):
    """The models and sources of every test made."""
    made = []

    def noted(model, source):
        made.append((model, source))
        return answered_right(model, source)

    monkeypatch.setattr(lengths, "answered_right", noted)
    return made


@pytest.mark.parametrize("causal_mask", [True, False])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_answer_is_right_where_the_greedy_one_is(architecture, causal_mask):
    if architecture == "encoder-only" and not causal_mask:
        pytest.skip("no mask to turn off")
    config = config_of(task__name="copy", task__vocab_size=2, model__architecture=architecture)
    config = config.updated({"model.causal_mask": causal_mask, "training.steps": 20})
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    model.eval()
    source = Sequences.of(config.task).draw(300, torch.Generator().manual_seed(3))
    right = []
    for row, answer in zip(greedy(model, source).tolist(), right_answers(config, source).tolist(), strict=True):
        wanted = [token for token in answer if token != PAD] + [EOS] * (architecture != "encoder-only")
        right.append([*row, *[PAD] * 9][: len(wanted)] == wanted)
    assert answered_right(model, source).tolist() == right
    assert 0 < sum(right) < 300 or not causal_mask


def test_a_solved_model_is_right_at_every_length_of_its_training(solved):
    scores = scores_of(solved, 2, 3, 4)
    assert [each.length for each in scores] == [2, 3, 4]
    assert all(each.trained and each.exact_match == 1.0 for each in scores)


OF_ANY_LENGTH = [name for name, task in TASKS.items() if "max_length" in task.uses and not task.continues]


@pytest.mark.parametrize("task", OF_ANY_LENGTH)
def test_no_input_was_trained_on_and_each_has_the_length(task, tested):
    config = config_of(task__name=task, task__min_length=2, task__vocab_size=7, model__positions="none")
    scores = scores_of(TaskModel(config), 1, 2, 3, 4, 6)
    assert [each.trained for each in scores] == [False, True, True, True, False]
    split = Sequences.of(config.task)
    widths = []
    for model, source in tested:
        assert split.is_held_out(source).all()
        widths.append(source.size(1))
        assert ((source != PAD).sum(1) == source.size(1)).all()
        # The answer of a shorter input is that of training: a sum keeps its leading zeros.
        assert torch.equal(right_answers(model.config, source), right_answers(config, source)) or widths[-1] > 4
    assert len(set(widths)) == len([each for each in scores if each.sequences])


@pytest.mark.parametrize("positions", ["sinusoidal", "rotary", "none"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_longer_model_computes_the_same_for_short_inputs(architecture, positions, tested):
    config = config_of(task__name="reverse", model__architecture=architecture, model__positions=positions)
    model = TaskModel(config)
    assert longest(config) == 32
    assert end_of(config) == ""
    scores_of(model, 32)
    (longer, source) = tested[0]
    assert source.shape == (20, 32)
    short = Sequences.of(config.task).held_out(10)
    assert torch.equal(greedy(model, short), greedy(longer, short)[:, : greedy(model, short).size(1)])


@pytest.mark.parametrize("positions", ["learned", "two_way"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_trained_table_of_positions_ends(architecture, positions):
    config = config_of(task__name="reverse", model__architecture=architecture, model__positions=positions)
    assert longest(config) == 4
    assert (
        end_of(config)
        == "The trained position table ends there. Sinusoidal, rotary or no positions allow longer inputs."
    )
    assert max(usual(config)) == 4
    with pytest.raises(LengthError, match=r"Length 5 is above 4. Use 1 to 4. The trained position table"):
        scores_of(TaskModel(config), 5)


def test_an_answer_may_leave_room_for_longer_inputs_in_a_trained_table():
    # Both sides share one table, and the decoder's sequence is the longer one.
    config = config_of(task__name="is_sorted", model__positions="learned", task__max_length=1)
    assert longest(config) == 2  # BOS and the answer are 2 tokens


def test_a_task_may_have_no_longer_inputs():
    config = config_of(task__name="recall", model__positions="none", task__max_length=4)
    assert longest(config) == 5
    assert end_of(config) == "With 5 symbols, the task recall has no longer inputs."
    for name in ("dates", "modular_addition"):
        with pytest.raises(LengthError, match=f"Training already has all input lengths of the task {name}"):
            scores_of(TaskModel(config_of(task__name=name)))


def test_the_factor_and_the_length_are_bounded():
    config = config_of(task__name="copy", model__positions="none")
    with pytest.raises(LengthError, match=r"Length 33 is above 32. Use 1 to 32. Inputs can be at most 8 times as long"):
        scores_of(TaskModel(config), 33)
    with pytest.raises(LengthError, match=r"Length 0 is below 1\. Use 1 to 32\."):
        scores_of(TaskModel(config), 0)
    assert longest(config.updated({"task.max_length": 64})) == MAX_LENGTH


@pytest.mark.parametrize(("low", "high"), [(1, 1), (2, 4), (1, 16), (7, 64), (64, 64)])
def test_the_usual_lengths_are_those_of_training_and_up_to_eight_times_as_long(low, high):
    config = config_of(task__name="copy", model__positions="none", task__min_length=low, task__max_length=high)
    found = usual(config)
    assert found == sorted(set(found))
    assert {low, high, 2 * high, 8 * high} <= set(found)
    assert len([each for each in found if each <= high]) <= 6
    assert len(found) <= 13


def test_a_length_without_held_out_inputs_has_no_score():
    config = config_of(task__name="copy", task__vocab_size=1)  # one input a length, and one of four is held out
    scores = scores_of(TaskModel(config))
    assert sorted(each.sequences for each in scores) == [0, 0, 0, 1]
    assert all((each.exact_match is None) == (each.sequences == 0) for each in scores)


def test_the_command_prints_the_same_numbers(solved, tmp_path):
    folder = tmp_path / "model"
    save(folder, solved, [])
    found = json.loads(done("evaluate", folder, "--lengths", "4,2", "--sequences", 30, "--json"))
    assert (found["min_length"], found["max_length"]) == (1, 4)
    for row, each in zip(found["lengths"], scores_of(solved, 2, 4, sequences=30), strict=True):
        known = {name: value for name, value in vars(each).items() if value is not None}
        assert known.items() <= row.items()
        assert (row["low"], row["high"]) == each.interval
    table = done("evaluate", folder, "--lengths", "usual").splitlines()
    assert table[0].split()[:6] == ["length", "inputs", "exact", "match", "95", "%"]
    assert "100.0 %" in table[-2]
    assert table[-1].startswith("The longest possible input has length 4. The trained position table ends there.")
    refused(
        tmp_path,
        "evaluate",
        folder,
        "--lengths",
        "4,8",
        says="Length 8 is above 4. Use 1 to 4. The trained",
    )
    refused(
        tmp_path, "evaluate", folder, "--lengths", "4,many", says="--lengths 4,many is not a list of whole numbers."
    )
    refused(tmp_path, "evaluate", tmp_path / "none")
