"""A task in one file: sums of two numbers, with a vocabulary, sources and lengths of its own.

`test_tasks` runs this file in a process of its own, in which the row is added before the settings are imported.
"""

import json
from itertools import product
from xml.etree import ElementTree

import pytest
import torch

from playground.tasks import PAD, SPECIALS, TASKS, InputError, Task, TaskPreset

PLUS = "+"


class Sums(Task):
    """3 4 + 1 5 -> 0 4 9: numbers of min_length to max_length digits, answers of max_length + 1."""

    name = "sums"
    goal = "add two numbers"
    answers_in_place = False
    preset = TaskPreset(
        "sums", "Sums", "Learns to add numbers of 1-2 digits.", 5, {"task.max_length": 2, "training.steps": 6}
    )

    @property
    def symbols(self):
        return (*map(str, range(self.settings.vocab_size)), PLUS)

    @property
    def alphabet(self):
        return f"{super().alphabet} and {PLUS}"

    @property
    def lengths(self):
        return f"two numbers of {self.settings.min_length} to {self.settings.max_length} digits"

    @property
    def min_source_length(self):
        return 2 * self.settings.min_length + 1

    @property
    def max_source_length(self):
        return 2 * self.settings.max_length + 1

    @property
    def max_answer_length(self):
        return self.settings.max_length + 1

    def count_sources(self):
        return super().count_sources() ** 2

    def every_source(self):
        plus = len(SPECIALS) + self.settings.vocab_size
        return ((*a, plus, *b) for a, b in product(super().every_source(), repeat=2))

    def sample(self, generator, count):
        a, b = super().sample(generator, count), super().sample(generator, count)
        row = torch.cat([a, torch.full((count, 1), len(SPECIALS) + self.settings.vocab_size), b], dim=1)
        padding_last = (row == PAD).int().sort(stable=True).indices
        return row.gather(1, padding_last)

    def answers(self, source):
        base, first = self.settings.vocab_size, len(SPECIALS)
        rows = []
        for row in source.tolist():
            a, b, value = [], [], 0
            for token in filter(None, row):
                a, b = (b, a) if token == first + base else (a, [*b, token - first])
            for number in (a, b):
                value += sum(digit * base**power for power, digit in enumerate(reversed(number)))
            rows.append([first + value // base**power % base for power in reversed(range(self.max_answer_length))])
        return torch.tensor(rows)

    def example(self, length=5):
        digits = max(self.settings.min_length, min(self.settings.max_length, (length - 1) // 2))
        number = [str(index % self.settings.vocab_size) for index in range(1, digits + 1)]
        return self.text([*number, PLUS, *number])


TASKS[Sums.name] = Sums


def config(**changes):
    from playground.settings.presets import PRESETS

    return PRESETS["sums"].config.updated({path.replace("__", "."): value for path, value in changes.items()})


def test_the_settings_know_it():
    from playground.settings.config import ConfigError, TaskConfig, choices, setting_paths

    field = setting_paths()["task.name"]
    assert choices(field) == tuple(TASKS)
    assert Sums.goal in field.description
    with pytest.raises(ConfigError, match=r"task.name can't be product. Use one of copy, .*, sums\.$"):
        config(task__name="product")
    with pytest.raises(
        ConfigError, match="An encoder-only model predicts one token for each input token, but answers of task sums"
    ) as caught:
        config(model__architecture="encoder-only")
    assert list(caught.value.problems) == ["model.architecture"]
    assert TaskConfig().name in TASKS
    assert config().vocabulary_size == 4 + 10 + 1
    assert config().max_positions == max(5, 1 + 3)
    both = config(model__architecture="decoder-only", model__positions="learned")
    assert both.max_positions == both.max_target_length == 5 + 1 + 3


def test_the_picture_shows_it():
    from playground.pictures.diagram import architecture_diagram

    svg = ElementTree.fromstring(architecture_diagram(config()))
    shown = [text.text for text in svg.iter() if text.tag.endswith("text")]
    for token in ("1", "2", PLUS, "BOS", "0", "4"):
        assert token in shown
    assert any("B×S = 32×5" in text for text in shown)


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only"])
@pytest.mark.parametrize("causal_mask", [True, False])
def test_it_is_trained_tested_saved_and_read_again(architecture, causal_mask, tmp_path):
    from playground.hub.preparation import prepare
    from playground.model.task_model import TaskModel
    from playground.runs.journal import Journal
    from playground.settings.estimate import estimate
    from playground.storage import checkpoint
    from playground.training import train

    settings = config(model__architecture=architecture, model__causal_mask=causal_mask)
    model = TaskModel(settings)
    progress = list(train(settings, model))
    last = progress[-1].evaluation
    assert progress[-1].loss < progress[1].loss
    assert last.sequences > 100
    assert len(last.position_accuracy) == 3 + 1
    assert estimate(settings).seconds > 0

    records = [each.record() for each in progress]
    journal = Journal(tmp_path / "journal", settings)
    journal.append(records)
    assert len(list(journal.records())) == len(records)
    checkpoint.save(tmp_path / "sums", model, records)
    assert json.loads((tmp_path / "sums" / "config.json").read_text())["task"]["name"] == "sums"
    loaded = checkpoint.load(tmp_path / "sums")
    assert loaded.config == settings
    assert set(loaded.answer("3 4 + 1 5").split()) <= {*SPECIALS, *task().symbols}
    for card in ((tmp_path / "sums" / "README.md").read_text(), prepare(tmp_path / "sums", "ada/sums").card):
        assert "transformer trained to add two numbers\n" in card
        assert "It reads two numbers of 1 to 2 digits out of 10." in card
        assert " + " in card


def task():
    from playground.tasks import task_of

    return task_of(config().task)


def test_what_a_person_types_is_read_by_its_rules():
    from playground.tasks import answer, decode, encode

    assert decode(answer(encode("3 4 + 9 5", config().task), config().task), config().task) == ["1", "2", "9"]
    with pytest.raises(InputError, match=r"use 0 to 9 and \+\.$"):
        task().encode("3 x 4")
    with pytest.raises(InputError, match="The target has 4 symbols; this model reads at most 3"):
        task().encode("1 2 3 4", "target")


def test_findings_do_not_speak_of_tokens_that_the_input_does_not_have():
    from playground.explain.findings import finding
    from playground.explain.inspection import walk
    from playground.model.task_model import TaskModel

    walked = walk(TaskModel(config()).eval(), "3 4 + 1 5")
    text = finding(walked, walked["decoder.layers.0.cross_attention.attention.weights"])
    assert "to copy from" not in text


def test_a_comparison_says_that_its_batches_are_others():
    from playground.experiments.comparison import fairness

    sentences = " ".join(fairness([config(), config(task__name="copy")]))
    assert "Different batches than run 1: run 2 (name sums → copy)" in sentences
    assert "Different task than run 1" in sentences


def test_the_build_page_shows_it():
    from tests.pages import fine, page

    app = fine(page("build.py").radio(key="preset").set_value("sums").run())
    assert app.session_state["task.name"] == "sums"
    assert any(Sums.preset.sentence in each.proto.body for each in app.get("html"))
    assert any(f">{PLUS}<" in each.proto.body for each in app.get("html"))
