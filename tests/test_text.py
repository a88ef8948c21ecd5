"""The task `text`: its parts, its sources, texts from anyone, and what a model of it measures."""

import json
import math
import re

import pytest
import torch
from huggingface_hub import ModelCard
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from playground.common.numbers import percent, perplexity
from playground.decoding import CachedDecoder, generate, greedy
from playground.explain.inspection import walk
from playground.export import report
from playground.export.format import Export
from playground.hub.preparation import prepare
from playground.model.task_model import TaskModel
from playground.settings.config import ConfigError, RunConfig, TaskConfig
from playground.settings.presets import PRESETS
from playground.storage import checkpoint
from playground.storage.card import model_card
from playground.tasks import BOS, EOS, PAD, SEP, InputError, answer, encode, example_text, task_of, text_of
from playground.tasks.batches import Sequences, first_source, make_batch
from playground.tasks.cleaning import changes, cleaned
from playground.tasks.text import MAX_CHARACTERS, MAX_FILE_BYTES, made_up_sentences, read_file
from playground.training import evaluate, train
from tests.helpers import small_config

LENGTH = 8


def own(text: str, length: int = LENGTH) -> TaskConfig:
    return TaskConfig(name="text", text=text, max_length=length)


def small(architecture: str = "decoder-only", **changes: object) -> RunConfig:
    given = {"task.name": "text", "task.max_length": LENGTH, "training.steps": 3, "training.eval_every": 1}
    return small_config(architecture).updated(given | changes)


texts = st.text(st.sampled_from("abcdefghij \n"), min_size=400, max_size=900)


@given(texts)
@settings(max_examples=30)
def test_every_source_has_one_answer_and_parts_share_no_source(text):
    try:
        task = task_of(own(text))
    except ValidationError:
        return  # it repeats itself
    parts = {
        "train": task.sample(torch.Generator().manual_seed(0), 300),
        "validation": task.held_out(1000),
        "test": task.held_out(1000, "test"),
    }
    found = {part: {tuple(row) for row in rows.tolist()} for part, rows in parts.items()}
    assert not found["train"] & found["validation"]
    assert not found["train"] & found["test"]
    assert not found["validation"] & found["test"]
    ends = {"train": (0, 0.8), "validation": (0.8, 0.9), "test": (0.9, 1.0)}
    for part, rows in parts.items():
        low, high = (round(end * len(text), 6) for end in ends[part])
        for row, right in zip(rows.tolist(), task.answers(rows).tolist(), strict=True):
            window = (text_of(row, task.settings) + text_of(right, task.settings)).replace("↵", "\n")
            found = [at for at in range(len(text)) if text.startswith(window, at)]
            assert any(low - 1 < at and at + 2 * LENGTH < high + 1 for at in found)


def test_the_made_up_sentences_are_always_the_same_and_their_verbs_agree():
    text = made_up_sentences()
    assert text.startswith("Two happy ducks know the red cat at the gate. At night they play.\n")
    assert len(text) > 90_000
    assert task_of(TaskConfig(name="text", max_length=32)).count_sources() > 50_000
    for line in text.splitlines():
        one = line.startswith("One ")
        assert (" it " in line) == one
        assert line.endswith("s.") == one


def test_an_input_that_is_not_in_the_text_has_no_answer():
    task = TaskConfig(name="text", max_length=LENGTH)
    assert answer(encode("One cat", task), task) == []
    assert answer(encode("zzzzzzzz", task), task) == [] if "z" in made_up_sentences() else True
    example = example_text(task)
    at = made_up_sentences().index(example.replace("↵", "\n"))
    assert text_of(answer(encode(example, task), task), task).replace("↵", "\n") in made_up_sentences()[at:]


def test_what_is_typed_is_read_character_by_character():
    task = own("".join("abc \n"[at * at * at % 1009 % 5] for at in range(1000)), 16)
    assert text_of(encode(" a  b", task), task) == " a  b"
    assert encode("a\nb", task) == encode("a↵b", task)
    for text, sentence in (
        ("", "The input is empty; type at least one character"),
        ("aXb", "“X” at position 2 of the input is not in the text that this model learns."),
        ("a\u200db", "“U\\+200D” at position 2"),
        ("a" * 17, "The input has 17 characters; this model reads at most 16."),
    ):
        with pytest.raises(InputError, match=sentence):
            encode(text, task)


@pytest.mark.parametrize(
    ("text", "length", "setting", "sentence"),
    [
        ("", 7, "max_length", "max_length 7 is too short for a text. Use 8 or more."),
        ("too short", 8, "text", "The text has 9 characters. With max_length 8 it needs at least 170: 10 % of it"),
        ("ab" * 500, 8, "text", "The text repeats itself: every sequence of 8 characters in its validation or"),
        ("".join(map(chr, range(0x4E00, 0x4E00 + 5000))), 8, "text", "The text has 5,000 different characters."),
        ("a" * (MAX_CHARACTERS + 1), 8, "text", "task.text can't be .* Use a text of at most 1,000,000 characters."),
    ],
)
def test_a_text_that_cannot_be_learned_is_refused_with_a_sentence(text, length, setting, sentence):
    with pytest.raises(ConfigError, match=sentence) as caught:
        RunConfig().updated({"task.name": "text", "task.text": text, "task.max_length": length})
    assert list(caught.value.problems) == [f"task.{setting}"]
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("sign", ["\x07", "\u202e"])
def test_settings_of_a_checkpoint_with_an_unusable_character_are_refused(sign):
    with pytest.raises(ConfigError, match=rf"has an unusable character, U\+{ord(sign):04X}, at position 2. Remove it."):
        RunConfig.parse({"task": {"name": "text", "text": f"a{sign}b" * 500, "max_length": 8}})


@given(st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_any_file_gives_a_clean_text_or_is_refused(content):
    try:
        text = cleaned(read_file(content))
    except InputError:
        return
    assert cleaned(text) == text
    assert not changes(text)
    assert text.encode().decode() == text
    assert all(sign in "\n \u200c\u200d" or sign.isprintable() for sign in text)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file has no text."),
        (b" \n\t", "The file has no text."),
        (b"a\0b", "The file isn't text: it has zero bytes."),
        (b"abc\xff", "The file isn't text in UTF-8: byte 4 is wrong."),
        (b"\xed\xa0\x80", "The file isn't text in UTF-8: byte 1 is wrong."),  # a lone surrogate
        (b"a" * (MAX_FILE_BYTES + 1), "The file is larger than the limit of 1,000,000 bytes."),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_a_sentence(content, sentence):
    with pytest.raises(InputError, match=sentence):
        read_file(content)


def test_a_text_is_written_one_way():
    given = read_file("\ufeffa\r\nb\rc\td\u00a0e\u2028f\u200b\x07g␣h↵i".encode())
    assert cleaned(given) == "a\nb\nc d e\nfg h\ni"
    assert changes(given) == (
        "Changed in the text: line breaks are now all alike, tabs and special spaces became plain spaces, "
        "2 invisible characters were removed."
    )
    assert changes("a\tb", "input") == "Changed in the input: tabs became plain spaces."
    assert changes("e\u0301") == "Changed in the text: accents were joined with their letters."
    assert not changes("a ␣b\nc↵d")
    assert cleaned("e\u0301") == "\u00e9"
    assert cleaned("a" + "\u0300\u0323" * 500_000 + "b") == "\u1ea1" + "\u0323" * 14 + "\u0300" * 15 + "b"
    assert cleaned("a" + "\u0300\x07\u0323" * 500_000) == "\u1ea1" + "\u0323" * 14 + "\u0300" * 15


def test_a_decoder_reads_bos_source_and_answer_in_one_row_and_is_scored_on_all():
    config = small()
    source = torch.tensor([[5, 6, 7], [8, PAD, PAD]])
    answers = torch.tensor([[9, 10], [11, 12]])
    batch = make_batch(config, source, answers)
    assert batch.target.tolist() == [[BOS, 5, 6, 7, 9, 10], [BOS, 8, 11, 12, PAD, PAD]]
    assert batch.labels.tolist() == [[5, 6, 7, 9, 10, PAD], [8, 11, 12, PAD, PAD, PAD]]
    assert first_source(config, batch).tolist() == [5, 6, 7]
    other = make_batch(small("encoder-decoder"), source, answers)
    assert other.labels.tolist() == [[9, 10, PAD], [11, 12, PAD]]
    assert not any((part == SEP).any() or (part == EOS).any() for part in (batch.target, other.target, other.labels))


@pytest.mark.parametrize("architecture", ["decoder-only", "encoder-decoder"])
def test_scores_are_those_of_single_passes(architecture):
    config = small(architecture, **{"model.positions": "learned"})
    model = TaskModel(config)
    *_, last = train(config, model)
    held_out = Sequences.of(config.task).held_out(40)
    found = evaluate(model, held_out, thorough=True)
    rights = task_of(config.task).answers(held_out)
    losses, right, forced_right = [], 0, 0
    with torch.inference_mode():
        for source, expected in zip(held_out, rights, strict=True):
            logits, loss = model(*make_batch(config, source[None], expected[None]))
            losses.append(float(loss))
            first = len(source) if architecture == "decoder-only" else 0
            forced_right += int((logits[0, first:-1].argmax(-1) == expected).sum())
            predicted = generate(model, source.tolist())[: len(expected)]
            right += sum(a == b for a, b in zip(predicted, expected.tolist(), strict=False))
    assert found.loss == pytest.approx(sum(losses) / len(losses), rel=1e-5)
    assert found.token_accuracy == pytest.approx(right / rights.numel())
    assert found.teacher_forced_token_accuracy == pytest.approx(forced_right / rights.numel())
    assert found.exact_match == 0
    assert not last.solved


def test_the_cache_and_the_full_pass_agree():
    config = small(**{"model.positions": "learned"})
    model = TaskModel(config).eval()
    source = Sequences.of(config.task).held_out(1)
    greedily = greedy(model, source)[0].tolist()
    decoder, tokens = CachedDecoder(model, source[0].tolist()), []
    for expected in greedily:
        token = int(decoder.next_logits(torch.tensor([tokens], dtype=torch.long))[0].argmax())
        assert token == expected
        tokens.append(token)


def test_a_walk_labels_each_character_with_the_next():
    config = small(**{"model.positions": "learned"})
    walked = walk(TaskModel(config).eval(), "One cat", prefix_length=2)
    labels, target = walked.batch.labels[0].tolist(), walked.batch.target[0].tolist()
    assert target[1:] == labels[:-1]
    assert len(target) == 1 + len("One cat") + 2
    assert labels[-1] != PAD


def test_a_text_is_saved_and_read_again(tmp_path):
    text = "Ünïcode, 漢字 and 🙂: " + made_up_sentences()[:3000]
    config = small(**{"task.text": text})
    model = TaskModel(config)
    checkpoint.save(tmp_path / "own", model, [each.record() for each in train(config, model)])
    loaded = checkpoint.load(tmp_path / "own")
    assert loaded.config == config
    card = (tmp_path / "own" / "README.md").read_text()
    assert f"It learned a text of {len(text):,} characters, which `config.json` contains." in card
    assert "Its perplexity on held-out text is" in card
    prepared = prepare(tmp_path / "own", "alice/own")
    reached = perplexity(loaded.history[-1]["validation_loss"])
    assert prepared.title == f"Text after 3 steps: perplexity {reached:.3g}"
    found = {each.metric_type: each.metric_value for each in ModelCard(prepared.card).data.eval_results}
    assert found["perplexity"] == reached
    assert json.loads((tmp_path / "own" / "config.json").read_text())["task"]["text"] == text


MARKUP = "".join("`|\\<b>$_*[x](y) "[at * at * at % 1009 % 16] for at in range(2000))


def test_a_text_of_markup_stays_code_in_the_card():
    measured = {"step": 9, "sequences": 30, "exact_match": 0.0, "token_accuracy": 0.1, "validation_loss": 1e5}
    card = model_card(small(**{"task.text": MARKUP}), measured)
    (line,) = [line for line in card.splitlines() if "In its text" in line]
    assert re.search(r"In its text, `[^`]+` continues with `[^`]+`\. Its perplexity", line)


def test_the_report_on_a_text_has_its_perplexity_and_wraps_its_lines(tmp_path):
    config = small(**{"task.text": MARKUP})
    model = TaskModel(config)
    history = [each.record() for each in train(config, model)]
    checkpoint.save(tmp_path / "own", model, history)
    loaded = checkpoint.load(tmp_path / "own")
    page = report.content(Export(loaded, example_text(config.task), None, "attention", ".html")).decode()
    assert f"perplexity {perplexity(history[-1]['validation_loss']):.3g}" in page
    assert f"next tokens right {percent(history[-1]['teacher_forced_token_accuracy'])}" in page
    assert page.count("exact match") == page.count("so exact match by length has no meaning") == 1
    assert "overflow-wrap: anywhere" in page
    assert "<b>" not in page.partition("<h2>Examples")[2]


def test_the_longest_text_is_saved_and_read_again(tmp_path):
    generator = torch.Generator().manual_seed(0)
    text = "".join(chr(0x1F300 + at) for at in torch.randint(300, (MAX_CHARACTERS,), generator=generator).tolist())
    config = small(**{"task.text": text, "model.positions": "learned"})
    checkpoint.save(tmp_path / "own", TaskModel(config), [])
    assert checkpoint.load(tmp_path / "own").config.task.text == text


def test_the_preset_learns_the_text():
    config = PRESETS["text"].config.updated({"training.steps": 60, "training.eval_every": 60})
    first, *_, last = train(config)
    assert math.exp(last.evaluation.loss) < 0.2 * math.exp(first.evaluation.loss)
