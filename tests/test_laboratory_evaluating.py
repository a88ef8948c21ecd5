"""`playground.evaluate` and its command: every number is that of a loop that asks the model one input at a time."""

import json
import math

import pytest
import torch
from torch.nn import functional as F

import playground
from playground.common.numbers import wilson
from playground.laboratory.evaluating import scored, splits_of
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.checkpoint import save
from playground.tasks import PAD, TASKS, task_of
from playground.tasks.batches import Sequences, closed, make_batch, right_answers
from playground.training import train
from tests.helpers import ARCHITECTURES, small_config
from tests.test_cli import done, refused

SMALL = {"model.d_model": 16, "model.n_heads": 2, "model.d_ff": 16, "training.steps": 40, "training.batch_size": 32}


def trained(**settings: object) -> TaskModel:
    config = RunConfig().updated(SMALL | {path.replace("__", "."): value for path, value in settings.items()})
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    return model.eval()


@pytest.fixture(scope="module")
def adder() -> TaskModel:
    return trained(task__name="addition", task__vocab_size=3, task__max_length=2, task__digit_order="least_first")


@pytest.fixture(scope="module")
def sorter() -> TaskModel:
    return trained(task__name="is_sorted", task__vocab_size=5, task__max_length=6, model__positions="rotary")


def marked(model: TaskModel, text: str) -> tuple[list[bool], float]:
    """Which tokens of the greedy answer to one input are right, EOS last, and the loss: one answer and one pass."""
    batch, config = playground.tokens(model, text), model.config
    wanted = closed(config.task, config.model.architecture, right_answers(config, batch.source))[0].tolist()
    right = [playground.text(model, [token]) for token in wanted if token != PAD][:-1]  # without EOS
    answer = playground.answer(model, text).split()
    with torch.no_grad():
        loss = float(model(*batch)[1])
    same = [index < len(answer) and answer[index] == each for index, each in enumerate(right)]
    return [*same, len(answer) == len(right)], loss


def test_carries_are_counted_as_by_hand(adder):
    texts = ["1 + 1", "2 + 1", "2 2 + 1", "2 2 + 2 2", "1 2 + 1 1", "2 0 + 1 0", "0 0 + 0 0"]
    found = {name: playground.evaluate(adder, texts, by=name) for name in ("carries", "longest_carry")}
    sources = playground.tokens(adder, texts).source
    assert task_of(adder.config.task).splits["carries"](task_of(adder.config.task), sources) == [0, 1, 2, 2, 2, 1, 0]
    assert [(row.group, row.n) for row in found["carries"].rows] == [(0, 2), (1, 2), (2, 3)]
    assert [(row.group, row.n) for row in found["longest_carry"].rows] == [(0, 2), (1, 2), (2, 3)]


def test_carries_are_those_of_adding_on_paper():
    config = RunConfig().updated({"task.name": "addition", "task.max_length": 4})
    task, source = task_of(config.task), Sequences.of(config.task).held_out(200)
    for text, carries, longest in zip(
        playground.text(TaskModel(config), source),
        task.splits["carries"](task, source),
        task.splits["longest_carry"](task, source),
        strict=True,
    ):
        one, other = ([*map(int, reversed(number.split()))] for number in text.split("+"))
        carry, seen = 0, ""
        for column in range(4):
            carry = sum(number[column] for number in (one, other) if column < len(number)) + carry >= 10
            seen += "1" if carry else "0"
        assert carries == seen.count("1")
        assert longest == max(map(len, seen.split("0")))


def test_splits_of_the_other_tasks_are_as_by_hand():
    def split(name, by, text, **settings):
        config = RunConfig().updated({"task.name": name} | {k.replace("__", "."): v for k, v in settings.items()})
        task, source = task_of(config.task), playground.tokens(TaskModel(config), text).source
        return (task.classes(source) if by == "class" else task.splits[by](task, source))[0]

    assert split("recall", "distance", "a 3 b 1 c 4 b") == 2
    assert split("recall", "distance", "a 3 b 1 c 4 c") == 1
    assert split("is_sorted", "falls", "3 1 2 0 5") == 2
    assert split("is_sorted", "class", "3 1") == "no"
    assert split("is_sorted", "class", "1 1 3") == "yes"
    assert split("modular_addition", "wraps", "5 6", task__vocab_size=7) == 1
    assert split("modular_addition", "wraps", "0 6", task__vocab_size=7) == 0
    assert split("dates", "format", "nov 21, 2026".capitalize()) == "{Mon} {d}, {yyyy}"


@pytest.mark.parametrize("name", TASKS)
def test_every_task_can_be_split_by_all_that_it_offers(name):
    config = RunConfig().updated({"task.name": name, "model.d_model": 8, "model.n_heads": 2, "task.max_length": 8})
    model = TaskModel(config)
    for by in splits_of(config):
        found = playground.evaluate(model, 30, by=by)
        assert found.total.n <= 30
        if by != "position":
            assert sum(row.n for row in found.rows) == found.total.n
        assert found.frame()[by].tolist() == [row.group for row in found.rows]
        assert repr(found).splitlines()[0].split()[0] == by


def test_scores_are_those_of_a_loop_over_single_inputs(adder):
    source = Sequences.of(adder.config.task).held_out(60)
    texts = playground.text(adder, source)
    table = playground.evaluate(adder, 60, by="carries")
    task = task_of(adder.config.task)
    groups = dict(zip(texts, task.splits["carries"](task, source), strict=True))
    assert {row.group for row in table.rows} == set(groups.values())
    for row in (*table.rows, table.total):
        loop = [marked(adder, text) for text in texts if row.group in ("all", groups[text])]
        tokens = [right for each, _ in loop for right in each]
        assert row.n == len(loop)
        assert row.exact_match == sum(all(each) for each, _ in loop) / len(loop)
        assert math.isclose(row.token_accuracy, sum(tokens) / len(tokens), rel_tol=1e-6)
        assert math.isclose(row.loss, sum(loss for _, loss in loop) / len(loop), rel_tol=1e-5), "answers of one length"
        assert row.interval == wilson(row.exact_match, row.n)
    positions = playground.evaluate(adder, 60, by="position")
    for row in positions.rows:
        right = [marked(adder, text)[0][row.group - 1] for text in texts]
        assert math.isclose(row.token_accuracy, sum(right) / len(right), rel_tol=1e-6)
        assert row.exact_match is None
    assert len(positions.rows) == 4  # three digits and EOS
    assert 0 < table.total.token_accuracy < 1


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_loss_and_accuracy_are_those_of_one_pass_in_every_architecture(architecture):
    model = trained(task__name="copy", task__vocab_size=3, task__max_length=5, model__architecture=architecture)
    found = playground.evaluate(model, 50).total
    batch = make_batch(model.config, Sequences.of(model.config.task).held_out(50))
    logits, _ = playground.run_with_cache(model, batch, "logits")
    assert math.isclose(
        found.loss, F.cross_entropy(logits.transpose(1, 2), batch.labels, ignore_index=PAD), rel_tol=1e-5
    )
    answers = playground.answer(model, batch)
    assert (
        found.exact_match == sum(a == b for a, b in zip(answers, playground.text(model, batch), strict=True)) / found.n
    )


def test_a_task_with_classes_has_scores_by_class_and_a_baseline(sorter):
    source = Sequences.of(sorter.config.task).held_out(300)
    texts = playground.text(sorter, source)
    right = ["yes" if (digits := text.split()) == sorted(digits) else "no" for text in texts]
    answers = playground.answer(sorter, source)
    total = playground.evaluate(sorter, 300).total
    assert total.baseline == max(right.count("yes"), right.count("no")) / 300
    for name in ("no", "yes"):
        n, exact = total.classes[name]
        assert n == right.count(name)
        assert math.isclose(exact, sum(a == b == name for a, b in zip(answers, right, strict=True)) / n)
    table = playground.evaluate(sorter, source, by="class")
    assert {row.group: (row.n, row.exact_match) for row in table.rows} == dict(total.classes)
    (row,) = playground.evaluate(sorter, 300).frame().to_dict("records")
    assert row["baseline"] == total.baseline
    assert row["yes.n"] + row["no.n"] == 300


def test_lengths_beyond_training_have_rows_with_their_own_baseline(sorter, recwarn):
    table = playground.evaluate(sorter, 40, lengths=[4, 12, 48])
    assert [(row.length, row.trained, row.n) for row in table.rows] == [(4, True, 40), (12, False, 40), (48, False, 40)]
    assert all(0.5 <= row.baseline <= 1 for row in table.rows)
    by_class = playground.evaluate(sorter, 40, lengths=[4, 12], by="class")
    assert [(row.length, row.group) for row in by_class.rows] == [(4, "no"), (4, "yes"), (12, "no"), (12, "yes")]
    assert by_class.frame().columns.tolist()[:4] == ["length", "trained", "class", "n"]
    source = torch.tensor([[4, 5, 6, 7, 8, 8, 8, 8], [8, 4, 5, 6, 7, 8, 8, 8]])
    own = playground.evaluate(sorter, ["0 1 2 3 4 4 4 4", "4 0 1 2 3 4 4 4"])
    assert "trained on inputs of 1 to 6 symbols" in str(recwarn.pop(UserWarning).message)
    assert own.total.classes.keys() == {"no", "yes"}
    with pytest.raises(playground.InputError, match="It has 8 tokens; this model reads at most 6"):
        playground.evaluate(sorter, source)


def test_all_held_out_inputs_and_groups_of_ones_own(adder):
    model = trained(task__name="modular_addition", task__vocab_size=7)
    table = playground.evaluate(model, "all", by=lambda source: source[:, 0] - 4)
    split = Sequences.of(model.config.task)
    every = torch.tensor([[4 + a, 4 + b] for a in range(7) for b in range(7)])
    held_out = every[split.is_held_out(every)]
    assert table.total.n == len(held_out)
    assert {row.group: row.n for row in table.rows} == {
        first: int((held_out[:, 0] == first + 4).sum()) for first in (held_out[:, 0] - 4).tolist()
    }
    assert table.by == "lambda"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"by": "carry"}, "by can't be carry. Use one of position, length, carries, longest_carry, or a function."),
        ({"by": lambda source: [1], "sequences": 9}, "by gave 1 groups for 9 inputs. It must give one for each input."),
        ({"lengths": "many"}, "lengths can't be many. Give whole numbers, as in [8, 16], or usual."),
        ({"lengths": [2.5]}, "lengths can't be [2.5]. Give"),
        ({"lengths": []}, "lengths can't be []. Give"),
        ({"sequences": True}, "sequences can't be True."),
        ({"sequences": 10**7}, "sequences can't be 10000000. Use 1 to 65,536, or all."),
        ({"sequences": 0}, "sequences can't be 0. Use 1 to 65,536, or all."),
        (
            {"sequences": [], "lengths": [2]},
            "With lengths, sequences is the number of inputs of each length: 1 to 65,536.",
        ),
        ({"lengths": [30]}, "Length 30 is above 2. Use 1 to 2. The trained position table ends there."),
        ({"sequences": ["1 + 4"]}, "“4” at position 3 of the input is not a symbol"),
    ],
)
def test_what_a_model_cannot_be_tested_by_is_named(adder, given, says):
    with pytest.raises(playground.PlaygroundError) as error:
        playground.evaluate(adder, **given)
    assert says in str(error.value)


def test_all_inputs_of_a_large_task_are_refused():
    config = RunConfig().updated({"task.name": "addition", "task.max_length": 4})
    with pytest.raises(
        playground.PlaygroundError, match=r"has 123,432,100 inputs with these settings; all can be tested"
    ):
        playground.evaluate(TaskModel(config), "all")


def test_a_text_is_scored_by_next_tokens(recwarn):
    config = RunConfig().updated({"task.name": "text", "task.max_length": 8, **SMALL, "training.steps": 3})
    model = TaskModel(config)
    total = playground.evaluate(model, 20).total
    batch = playground.tokens(model, playground.text(model, Sequences.of(config.task).held_out(20)))
    logits, cache = playground.run_with_cache(model, batch, "loss")
    assert math.isclose(total.loss, float(cache["loss"]), rel_tol=1e-5)
    assert total.exact_match is None
    assert 0 <= total.token_accuracy <= 1
    assert logits.shape[0] == 20


def test_the_command_prints_the_same_numbers(adder, sorter, tmp_path):
    save(tmp_path / "adder", adder, [])
    save(tmp_path / "sorter", sorter, [])
    found = json.loads(done("evaluate", tmp_path / "adder", "--by", "carries", "--sequences", 70, "--json"))
    assert found == playground.evaluate(adder, 70, by="carries").as_json()
    assert found["n"] == sum(row["n"] for row in found["rows"])
    assert done("evaluate", tmp_path / "adder").rstrip() == repr(playground.evaluate(adder))
    found = json.loads(done("evaluate", tmp_path / "sorter", "--lengths", "4,20", "--sequences", 20, "--json"))
    (first, second) = playground.evaluate(sorter, 20, lengths=[4, 20]).as_json()["rows"]
    assert [row["baseline"] for row in found["lengths"]] == [first["baseline"], second["baseline"]]
    assert found["lengths"][1]["classes"] == second["classes"]
    refused(tmp_path, "evaluate", tmp_path / "adder", "--by", "carry", says="by can't be carry. Use one of position")
    refused(tmp_path, "evaluate", tmp_path / "adder", "--sequences", "many", says="Write a whole number or all.")


@pytest.mark.parametrize("lengths", [None, [1, 2, 3]])
def test_the_progress_rises_to_the_whole(lengths: list[int] | None):
    shares: list[float] = []
    scored(TaskModel(small_config("encoder-decoder")), 20, None, lengths, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
