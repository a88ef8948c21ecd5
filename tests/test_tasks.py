"""Tasks: right answers, what a person types, the layout of a batch, and the split into trained and held out."""

import re
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from itertools import pairwise

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from playground.recording import REPOSITORY
from playground.settings.config import RunConfig, TaskConfig
from playground.tasks import (
    BOS,
    EOS,
    PAD,
    SEP,
    SPECIALS,
    TASKS,
    InputError,
    answer,
    decode,
    encode,
    example_text,
    random_example,
    task_of,
    text_of,
    token_names,
)
from playground.tasks.batches import HELD_OUT_SEQUENCES, Sequences, make_batch
from playground.tasks.dates import DATE_FORMATS, FIRST, LAST, written
from tests.helpers import ARCHITECTURES

TEN = TaskConfig()
SYMBOLS = [4, 5, 6, 7, 8]


def padded(rows: list[list[int]], width: int = 0) -> torch.Tensor:
    """(B, longest) with PAD at the end of the shorter rows, and at least `width` wide."""
    width = max([width, *map(len, rows)])
    return torch.tensor([row + [PAD] * (width - len(row)) for row in rows], dtype=torch.long)


def trimmed(row: torch.Tensor) -> tuple[int, ...]:
    return tuple(token for token in row.tolist() if token != PAD)


def summed(text: str, settings: TaskConfig) -> str:
    one, other = (int(number.replace(" ", "")) for number in text.split("+"))
    digits = f"{one + other:0{settings.max_length + 1}}"
    return " ".join(digits if settings.digit_order == "most_first" else digits[::-1])


def recalled(text: str, _: TaskConfig) -> str:
    *pairs, key = text.split()
    return dict(zip(pairs[::2], pairs[1::2], strict=True))[key]


def iso(text: str, _: TaskConfig) -> str:
    *formats, short = "%d %b %Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%m/%d/%y"
    for each in (*formats, short, "%d.%m.%y", "%d-%b-%Y", "%Y%m%d", "%Y-%m-%d"):
        with suppress(ValueError):
            return datetime.strptime(text, each).date().isoformat()
    raise AssertionError(text)


def continued(text: str, settings: TaskConfig) -> str:
    """What follows a row of the text at an index where it is a source."""
    length, whole = settings.max_length, task_of(settings).content.replace("\n", "↵")
    found = [each.start() for each in re.finditer(f"(?={re.escape(text)})", whole)]
    ends = [0, *(int(end * len(whole)) for end in (0.8, 0.9)), len(whole)]
    of_parts = [[at for at in found if low <= at <= high - 2 * length] for low, high in pairwise(ends)]
    first = next(part[0] for part in (of_parts[1], of_parts[2], of_parts[0]) if part)
    return whole[first + length : first + 2 * length]


RIGHT = {
    "copy": lambda text, _: text,
    "reverse": lambda text, _: text[::-1],
    "sort": lambda text, _: " ".join(sorted(text.split())),
    "is_sorted": lambda text, _: "yes" if text == RIGHT["sort"](text, _) else "no",
    "recall": recalled,
    "addition": summed,
    "modular_addition": lambda text, _: str(sum(map(int, text.split())) % 10),
    "dates": iso,
    "text": continued,
}
"""The answer of each task to an input of ten symbols, as typed, in plain Python."""


MORE = {"text": 8}
"""How much longer inputs are than those of other tasks, which can be of one symbol."""


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("digit_order", ["most_first", "least_first"])
@given(seed=st.integers(0, 2**32 - 1), longest=st.integers(1, 6), extra=st.integers(0, 3))
def test_answers_of_a_padded_batch_are_those_of_its_rows(name, digit_order, seed, longest, extra):
    settings = TaskConfig(name=name, max_length=longest + MORE.get(name, 0), digit_order=digit_order)
    source = task_of(settings).sample(torch.Generator().manual_seed(seed), 30)
    rows = [list(trimmed(row)) for row in source]
    rights = [encode(RIGHT[name](text_of(row, settings), settings), settings, what="target") for row in rows]
    answers = task_of(settings).answers(torch.nn.functional.pad(source, (0, extra)))
    assert answers.tolist() == padded(rights, answers.size(1)).tolist()
    assert [answer(row, settings) for row in rows] == rights


@pytest.mark.parametrize("name", TASKS)
@given(vocab_size=st.integers(1, 12), shortest=st.integers(1, 6), more=st.integers(1, 6), seed=st.integers(0, 99))
def test_a_task_keeps_the_protocol(name, vocab_size, shortest, more, seed):
    assume(vocab_size > 1 or name not in ("recall", "modular_addition"))  # a single sequence
    longest = shortest + more + MORE.get(name, 0)
    settings = TaskConfig(name=name, vocab_size=vocab_size, min_length=shortest, max_length=longest)
    task = task_of(settings)
    source = task.sample(torch.Generator().manual_seed(seed), 20)
    answers = task.answers(source)
    assert source.size(1) == task.max_source_length
    assert answers.size(1) <= task.max_answer_length
    for asked, right in zip(source, answers, strict=True):
        read, right_tokens = list(trimmed(asked)), list(trimmed(right))
        assert PAD not in asked[: len(read)]
        assert PAD not in right[: len(right_tokens)]
        assert task.min_source_length <= len(read) <= task.max_source_length
        assert all(len(SPECIALS) <= token < len(token_names(settings)) for token in read + right_tokens)
        assert answer(read, settings) == right_tokens
        assert encode(text_of(read, settings), settings) == read
        assert encode(text_of(right_tokens, settings), settings, what="target") == right_tokens
        assert len(right_tokens) == len(read) or not task.answers_in_place
        assert bool(right_tokens) or task.continues
        copied_from = task.copied_from(read)
        assert len(copied_from) in (0, len(right_tokens))
        assert all(
            {read[position] for position in positions} == {right_tokens[at]} for at, positions in enumerate(copied_from)
        )
    for length in (1, 5, 99):
        assert task.min_source_length <= len(encode(task.example(length), settings)) <= task.max_source_length
    if task.count_sources() <= 1000:
        every = list(task.every_source())
        assert len(set(every)) == len(every) == task.count_sources()
        assert {trimmed(row) for row in source} <= set(every)


def test_what_is_typed_becomes_token_ids_and_back():
    assert encode("3 1 4", TEN) == [7, 5, 8]
    assert encode("  9\t0\n", TEN) == [13, 4]
    assert encode("3,1, 4", TEN) == encode("314", TEN) == encode("31 4", TEN) == [7, 5, 8]
    assert encode("10", TEN) == [5, 4]
    assert encode("10", TaskConfig(vocab_size=11)) == [14], "where it is a symbol, it stays one"
    assert decode([1, 7, 5, 8, 2, 0], TEN) == ["BOS", "3", "1", "4", "EOS", "PAD"]
    assert token_names(TaskConfig(vocab_size=2)) == ("PAD", "BOS", "EOS", "SEP", "0", "1")
    assert encode(" ".join("0" * 16), TEN) == [4] * 16


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The input is empty; type at least one symbol, for example 3 1 4 1 5."),
        (" \n", "The input is empty; type at least one symbol, for example 3 1 4 1 5."),
        ("3 x 4", "“x” at position 2 of the input is not a symbol; use 0 to 9."),
        ("1 PAD", "“PAD” at position 2 of the input is not a symbol; use 0 to 9."),
        (",", "The input is empty; type at least one symbol, for example 3 1 4 1 5."),
        ("1x", "“1x” at position 1 of the input is not a symbol; use 0 to 9."),
        ("-1", "“-1” at position 1 of the input is not a symbol; use 0 to 9."),
        ("3 " * 17, "The input has 17 symbols; this model reads at most 16."),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(InputError) as caught:
        encode(text, TEN)
    assert str(caught.value) == sentence


def test_a_refused_target_is_called_a_target_and_a_long_word_is_shortened():
    with pytest.raises(InputError, match="at position 1 of the target") as caught:
        encode("y" * 500, TEN, what="target")
    assert len(str(caught.value)) < 120


@given(
    vocab_size=st.integers(1, 12),
    lengths=st.tuples(st.integers(1, 12), st.integers(1, 12)).filter(lambda pair: pair[0] != pair[1]),
)
def test_the_example_text_is_an_input_that_fits(vocab_size, lengths):
    config = TaskConfig(vocab_size=vocab_size, min_length=min(lengths), max_length=max(lengths))
    assert config.min_length <= len(encode(example_text(config), config)) <= config.max_length


@given(
    seed=st.integers(0, 2**32 - 1), vocab_size=st.integers(1, 12), shortest=st.integers(1, 6), more=st.integers(1, 6)
)
def test_a_random_example_is_an_input_of_the_task_and_the_same_for_the_same_seed(seed, vocab_size, shortest, more):
    config = TaskConfig(vocab_size=vocab_size, min_length=shortest, max_length=shortest + more)
    text = random_example(config, seed)
    assert shortest <= len(encode(text, config)) <= shortest + more
    assert random_example(config, seed) == text


def test_random_examples_have_every_length_and_every_symbol():
    config = TaskConfig(vocab_size=5, min_length=2, max_length=4)
    drawn = [random_example(config, seed).split() for seed in range(100)]
    assert {len(row) for row in drawn} == {2, 3, 4}
    assert {symbol for row in drawn for symbol in row} == {"0", "1", "2", "3", "4"}


def expected_rows(architecture: str, source: list[int], answer: list[int]) -> tuple[list[int], list[int], list[int]]:
    """What encoder and decoder read and what is to be predicted, for one sequence, in plain Python."""
    if architecture == "encoder-only":
        return source, [], answer
    if architecture == "encoder-decoder":
        return source, [BOS, *answer], [*answer, EOS]
    # A decoder-only model is scored from SEP on: nothing is asked of it while it reads the source.
    return [], [*source, SEP, *answer], [PAD] * len(source) + [*answer, EOS]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@given(
    pairs=st.lists(
        st.tuples(
            st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=6),
            st.lists(st.sampled_from([BOS, EOS, SEP, *SYMBOLS]), max_size=6),  # a model may say specials too
        ),
        min_size=1,
        max_size=5,
    ),
    extra=st.tuples(st.integers(0, 2), st.integers(0, 2)),
)
def test_a_batch_is_laid_out_as_its_rows_are(architecture, pairs, extra):
    if architecture == "encoder-only":
        pairs = [(source, (answer + source)[: len(source)]) for source, answer in pairs]
    sources, answers = [source for source, _ in pairs], [answer for _, answer in pairs]
    config = RunConfig().updated({"model.architecture": architecture})
    source = padded(sources, max(map(len, sources)) + extra[0])
    batch = make_batch(config, source, padded(answers, max(map(len, answers)) + extra[1]))

    read, target, right = zip(*(expected_rows(architecture, *pair) for pair in pairs), strict=True)
    labels = padded(list(right), batch.labels.size(1))
    assert batch.labels.tolist() == labels.tolist()
    if architecture == "decoder-only":
        assert batch.source is None
    else:
        assert batch.source.tolist() == padded(list(read), source.size(1)).tolist()
    if architecture == "encoder-only":
        assert batch.target is None
    else:
        assert batch.target.tolist() == padded(list(target), batch.labels.size(1)).tolist()


SPACES = [
    TaskConfig(vocab_size=2, min_length=1, max_length=3),
    TaskConfig(vocab_size=1, min_length=1, max_length=2),
    TaskConfig(vocab_size=3, min_length=2, max_length=2),
    TaskConfig(vocab_size=2, min_length=1, max_length=1),
    TaskConfig(vocab_size=1, min_length=1, max_length=64),
    TaskConfig(vocab_size=10, min_length=4, max_length=4),
    TaskConfig(vocab_size=10, min_length=1, max_length=16),
    TaskConfig(vocab_size=508, min_length=64, max_length=64),
]


def size(space: TaskConfig) -> int:
    return sum(space.vocab_size**length for length in range(space.min_length, space.max_length + 1))


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_held_out_sequences_are_never_drawn_for_training(space):
    sequences = Sequences.of(space)
    held_out = {trimmed(row) for row in sequences.held_out()}
    for seed in range(3):
        drawn = sequences.draw(500, torch.Generator().manual_seed(seed))
        assert not held_out & {trimmed(row) for row in drawn}
        assert not sequences.is_held_out(drawn).any()
        assert sequences.is_held_out(sequences.draw(50, torch.Generator().manual_seed(seed), held_out=True)).all()


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_what_is_held_out_is_the_same_for_every_seed(space):
    torch.manual_seed(1)
    first = Sequences.of(space).held_out()
    torch.manual_seed(2)
    second = Sequences.of(space)
    second.draw(10, torch.Generator().manual_seed(3))
    assert torch.equal(first, second.held_out())


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_held_out_sequences_are_all_different_all_held_out_and_fit_the_task(space):
    sequences = Sequences.of(space)
    held_out = sequences.held_out()
    assert sequences.is_held_out(held_out).all()
    rows = [trimmed(row) for row in held_out]
    assert len(set(rows)) == len(rows)
    assert all(space.min_length <= len(row) <= space.max_length for row in rows)
    assert torch.equal(held_out, padded([list(row) for row in rows], space.max_length))
    assert all(4 <= token < 4 + space.vocab_size for row in rows for token in row)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_a_thousand_are_held_out_or_one_in_eight_where_there_are_fewer(space):
    assert len(Sequences.of(space).held_out()) == min(HELD_OUT_SEQUENCES, max(1, size(space) // 8))


@pytest.mark.parametrize("vocab_size", [1, 2, 3, 4])
@pytest.mark.parametrize("shortest", [1, 2, 3])
@pytest.mark.parametrize("more", [0, 1, 2])
def test_a_small_space_is_split_so_that_neither_side_is_empty(vocab_size, shortest, more):
    if vocab_size == 1 and more == 0:
        return  # a single sequence, which the config refuses
    space = TaskConfig(vocab_size=vocab_size, min_length=shortest, max_length=shortest + more)
    sequences = Sequences.of(space)
    held_out = {trimmed(row) for row in sequences.held_out()}
    assert len(held_out) == max(1, size(space) // 8)
    assert len(held_out) < size(space)
    if size(space) <= 20:
        drawn = sequences.draw(4000, torch.Generator().manual_seed(0))
        assert len({trimmed(row) for row in drawn}) == size(space) - len(held_out)


def test_about_one_in_eight_of_a_large_space_is_held_out():
    source = task_of(TEN).sample(torch.Generator().manual_seed(0), 20_000)
    assert 0.115 < Sequences.of(TEN).is_held_out(source).float().mean() < 0.135


def test_the_choice_stays_the_same_for_good_and_padding_does_not_matter():
    # A trained model on someone's disk relies on it: were it to change, it would be tested on what it was trained on.
    source = padded([[4 + (7 * row + 3 * index) % 10 for index in range(1 + row % 16)] for row in range(64)])
    chosen = Sequences.of(TEN).is_held_out(source)
    assert chosen.nonzero().flatten().tolist() == [10, 13, 19, 39, 45, 51, 52, 56, 57, 59]
    assert torch.equal(Sequences.of(TEN).is_held_out(torch.nn.functional.pad(source, (0, 9))), chosen)


def test_drawn_lengths_and_symbols_cover_the_whole_task():
    config = TaskConfig(vocab_size=5, min_length=2, max_length=7)
    drawn = Sequences.of(config).draw(3000, torch.Generator().manual_seed(0))
    lengths = (drawn != PAD).sum(1)
    counts = torch.bincount(lengths, minlength=8)
    assert counts[:2].sum() == 0
    assert (counts[2:] > 400).all()  # uniform: 500 each
    assert set(drawn.unique().tolist()) == {PAD, *SYMBOLS}
    assert drawn.shape == (3000, 7)


def test_a_task_is_one_file_and_one_row():
    asked = [
        "tests/new_task.py",
        "tests/test_tasks.py::test_a_task_keeps_the_protocol",
        "tests/test_diagram.py::test_every_config_gives_a_whole_picture",
        "tests/test_model.py::test_every_query_of_every_pass_has_a_key_that_it_may_look_at",
    ]
    command = [sys.executable, "-m", "pytest", "-p", "tests.new_task", "-q", *asked]
    ran = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("is_sorted", "1 yes", "“yes” and “no” are answers; type symbols 0 to 9, for example 3 1 4."),
        ("recall", "a 1 b", "“b” at the end is not a key of a pair; end with one of a."),
        ("recall", "a 1 b 2", "Type pairs of a key and a value, then a key, for example a 3 b 1 b."),
        ("recall", "a", "Type pairs of a key and a value, then a key, for example a 3 b 1 b."),
        ("recall", "1 a 1", "Type pairs of a key and a value, then a key, for example a 3 b 1 b."),
        ("recall", "a 1 a 2 a", "A key has two values. Use each key once, for example a 3 b 1 b."),
        (
            "recall",
            "k 1 k",
            "“k” at position 1 of the input is not a symbol; use a to j and 0 to 9.",
        ),
        ("addition", "3 4 7", "Type two numbers of 1 to 3 digits with + between them, for example 3 4 7 + 1 5 9."),
        ("addition", "1 + 2 + 3", "Type two numbers of 1 to 3 digits with + between them, for example 3 4 7 + 1 5 9."),
        (
            "addition",
            "1 2 3 4 + 5",
            "Type two numbers of 1 to 3 digits with + between them, for example 3 4 7 + 1 5 9.",
        ),
        ("addition", "+ 5", "Type two numbers of 1 to 3 digits with + between them, for example 3 4 7 + 1 5 9."),
        ("addition", "347+15x", "use 0 to 9 and +."),
        ("modular_addition", "3", "Type two symbols, for example 1 1."),
        ("modular_addition", "3 1 4", "The input has 3 symbols; this model reads at most 2."),
        (
            "dates",
            "30 feb 2026",
            "“30 feb 2026” is not a date that this task reads. Write it like one of these: “21 nov",
        ),
        ("dates", "2069-01-01", "“2069-01-01” is not between 1969-01-01 and 2068-12-31."),
        ("dates", "21 növ 2026", "“ö” at position 5 of the input is not a symbol; use letters, digits and signs"),
        ("dates", "٢١.١١.٢٠٢٦", "“٢” at position 1 of the input is not a symbol"),
        ("dates", " ", "The input is empty; type at least one symbol, for example 21 nov 2026."),
        ("dates", "21 nov 2026 21 nov 2026", "The input has 23 symbols; this model reads at most 18."),
    ],
)
def test_an_input_that_is_none_of_the_task_is_refused_in_one_sentence(name, text, sentence):
    with pytest.raises(InputError) as caught:
        encode(text, TaskConfig(name=name, max_length=3 if name in ("addition", "is_sorted") else 16))
    assert sentence in str(caught.value)


@given(day=st.dates(FIRST, LAST), form=st.sampled_from(DATE_FORMATS))
def test_a_date_is_typed_as_people_write_it(day, form):
    settings = TaskConfig(name="dates")
    text = written(day, form)
    source = encode(f"  {text.replace(' ', '   ')} ", settings)
    assert text_of(source, settings) == text
    assert text_of(answer(source, settings), settings) == day.isoformat()


def test_dates_counts_each_way_of_writing_once():
    task = task_of(TaskConfig(name="dates"))
    every = list(task.every_source())
    assert len(set(every)) == len(every) == task.count_sources()
    assert {min(map(len, every)), max(map(len, every))} == {task.min_source_length, task.max_source_length}


@pytest.mark.parametrize("length", [2, 4])
def test_at_least_half_of_the_inputs_of_is_sorted_are_sorted(length):
    task = task_of(TaskConfig(name="is_sorted", min_length=length, max_length=length))
    source = task.sample(torch.Generator().manual_seed(0), 8000)
    sorted_share = (task.answers(source) == task.answers(torch.tensor([[4] * length]))).float().mean()
    assert 0.5 < sorted_share < 0.8  # short inputs often are


def test_a_setting_that_a_task_does_not_use_changes_nothing():
    others = {"vocab_size": 3, "min_length": 2, "max_length": 4, "digit_order": "least_first"}
    for name, task in TASKS.items():
        unused = {setting: value for setting, value in others.items() if setting not in task.uses}
        both = [task_of(TaskConfig(name=name, **changes)) for changes in ({}, unused)]
        first, second = (each.sample(torch.Generator().manual_seed(0), 20) for each in both)
        assert torch.equal(first, second)
        assert torch.equal(both[0].answers(first), both[1].answers(second))
        assert both[0].symbols == both[1].symbols


def test_the_input_of_a_digit_order_is_the_same_and_its_answer_backwards():
    most, least = (TaskConfig(name="addition", max_length=3, digit_order=f"{each}_first") for each in ("most", "least"))
    source = encode("3 4 7 + 1 5 9", most)
    assert source == encode("3 4 7 + 1 5 9", least)
    assert text_of(answer(source, most), most) == "0 5 0 6"
    assert text_of(answer(source, least), least) == "6 0 5 0"
