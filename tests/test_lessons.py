"""Lessons: the format, and every block of every lesson for three seeds."""

import math
import re
from collections.abc import Mapping
from itertools import islice, product

import pytest
import torch

from playground.explain import glossary
from playground.lessons import lesson as lesson_files
from playground.lessons.lesson import (
    MAX_BLOCKS,
    MAX_MINUTES,
    MIN_BLOCKS,
    MIN_MINUTES,
    ORDER,
    TEXTS,
    Lesson,
    LessonError,
    Question,
    fill,
    is_number,
    lessons,
    parse,
)
from playground.lessons.live_parts import (
    Curves,
    Numbers,
    OperationLink,
    Sentence,
    Slider,
    Strip,
    Table,
    Tokens,
    code_of,
    own_randomness,
    pass_of,
    shipped,
)
from playground.recording import REPOSITORY
from playground.training.loop import Training

SEEDS = (0, 1, 2)
EVERY = [(name, seed) for name in lessons() for seed in SEEDS]
WITHOUT_RUNS = [(name, seed) for name, seed in EVERY if not lessons()[name].exercises]
"""Those with runs are in test_exercises.py, beside other tests of the same runs."""
HEAD = "---\ntitle: A title\nabout: What it is about.\nterms: query, key\n---\n"
BLOCK = """## One
Text {{a:.1f}}.
![Shown](live:part)
More.
### Predict
Which?

- x
- y

Answer: {{b}}
### Why
Because.
"""


def texts(found):
    """All texts of a lesson, with values to fill in."""
    for block in found.blocks:
        yield block.title
        yield from (part for part in block.all_parts if isinstance(part, str))
        if block.question:
            yield from (*block.question.choices, block.question.answer)


def embedded(found):
    return [part for block in found.blocks for part in block.all_parts if not isinstance(part, str)]


def test_a_file_is_read_as_its_blocks():
    (block,) = parse("made-up", HEAD + BLOCK).blocks
    text, part, more = block.parts
    assert (text, part.name, part.title, more) == ("Text {{a:.1f}}.", "part", "Shown", "More.")
    assert block.question == Question(("Which?",), ("x", "y"), "{{b}}")
    assert block.why == ("Because.",)
    assert fill(text, {"a": -0.25}) == "Text −0.2."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("## One\n", "header"),
        (HEAD.replace("about: What it is about.\n", "") + BLOCK, "write title, about, terms"),
        (HEAD.replace("about", "abuot") + BLOCK, "write title, about, terms"),
        (HEAD.replace("---\n## ", "") + "Text before.\n" + BLOCK, "first block"),
        (HEAD, "first block"),
        (HEAD + "## One\nText.\n" * 8, "at most 7"),
        (HEAD + "## One\n### Predcit\n", "unknown section predcit"),
        (HEAD + "## One\n### Predict\nWhich?\n- x\n", "Answer"),
        (HEAD + "## One\n### Predict\n- x\nAnswer: x\n", "no question"),
        (HEAD + "## One\n### Reveal\nx\n", "needs a Predict"),
    ],
)
def test_a_file_that_breaks_the_format_is_refused_with_its_name(text, problem):
    with pytest.raises(LessonError, match=f"made-up.*{problem}"):
        parse("made-up", text)


@pytest.mark.parametrize(
    ("given", "right"), [("2.1", True), ("2,1", True), ("1.7", False), ("two", False), ("nan", False), ("", False)]
)
def test_a_number_counts_within_its_tolerance(given, right):
    question = Question(("?",), (), "{{a:.2f}}", 0.1)
    assert question.is_right(given, {"a": 2.0}) == right
    assert not question.is_right(given, {"a": 2.0}, exactly=True)
    assert question.is_right("2,0", {"a": 2.0}, exactly=True)


def test_a_negative_answer_may_be_typed_with_either_minus():
    question = Question(("?",), (), "{{a:.2f}}")
    assert question.is_right("-1.50", {"a": -1.5})
    assert question.is_right("−1.5", {"a": -1.5})


@pytest.mark.parametrize(("given", "right"), [("4096", True), ("4,096", True), ("4.096", False), ("4,097", False)])
def test_a_large_number_may_be_typed_with_a_comma_between_thousands(given, right):
    assert Question(("?",), (), "{{a:,}}").is_right(given, {"a": 4096}) == right


def test_a_value_that_is_not_known_is_refused():
    with pytest.raises(LessonError, match="known"):
        fill("{{known}}", {})


@pytest.mark.parametrize(("name", "seed"), WITHOUT_RUNS)
def test_every_value_of_a_lesson_can_be_filled_in(name, seed):
    assert_filled_in(lessons()[name], lessons()[name].facts(seed))


def assert_filled_in(found: Lesson, facts: Mapping[str, object]) -> None:
    for text in texts(found):
        filled = fill(text, facts)
        assert "{{" not in filled
        assert "nan" not in filled.lower().split()
    used = {match for text in texts(found) for match in re.findall(r"\{\{\s*(?!lesson:)(\w+)", text)}
    assert used == set(facts), "a value is computed but not shown, or the other way round"


@pytest.mark.parametrize(("name", "seed"), WITHOUT_RUNS)
def test_every_question_has_one_right_answer(name, seed):
    assert_one_right_answer(lessons()[name], lessons()[name].facts(seed))


def assert_one_right_answer(found: Lesson, facts: Mapping[str, object]) -> None:
    for question in found.questions.values():
        right = fill(question.answer, facts)
        assert question.is_right(right, facts)
        choices = [fill(choice, facts) for choice in question.choices]
        if choices:
            assert choices.count(right) == 1
            assert len(set(choices)) == len(choices) >= 2
        else:
            assert is_number(right)


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_uses_its_live_parts_and_words_of_the_glossary(name):
    found = lessons()[name]
    assert {part.name for part in embedded(found)} == {*found.live, *found.exercises}
    for term in found.terms:
        assert glossary.meaning(term)
    assert len(found.blocks) >= MIN_BLOCKS
    assert found.questions, "a lesson asks"
    assert MIN_MINUTES <= found.minutes <= MAX_MINUTES


def test_every_text_stands_in_the_order_of_the_lessons():
    assert sorted(ORDER) == sorted(path.stem for path in TEXTS.glob("*.md"))


def test_a_lesson_is_referred_to_by_its_name():
    assert fill("See lesson {{lesson:heads}}.", {}) == f"See lesson {ORDER.index('heads') + 1}."
    with pytest.raises(LessonError, match="lesson:haeds"):
        fill("{{lesson:haeds}}", {})
    for found in lessons().values():
        assert not re.findall(r"[Ll]esson \d", " ".join(texts(found))), "a number that another lesson would change"


def test_the_limits_of_a_lesson_stand_in_the_documents():
    text = " ".join((REPOSITORY / ".github" / "CONTRIBUTING.md").read_text().split())
    assert f"{MIN_BLOCKS} to {MAX_BLOCKS} blocks and takes {MIN_MINUTES} to {MAX_MINUTES} minutes" in text


@pytest.mark.parametrize(("name", "seed"), EVERY)
def test_every_live_part_shows_something_at_the_ends_of_its_controls(name, seed):
    for part in lessons()[name].live.values():
        ends = [each.extremes for each in part.controls.values()]
        combinations = [{}, *(dict(zip(part.controls, values, strict=True)) for values in islice(product(*ends), 24))]
        for values in combinations:
            outputs = part(seed, **values)
            assert outputs
            for output in outputs:
                check(output)


def check(output) -> None:
    """That a page can draw an output."""
    if isinstance(output, Numbers):
        assert 1 <= output.values.dim() <= 3
        assert not (output.values == math.inf).any()
        assert len(output.dims) == max(2, output.values.dim())
        rows, columns = (1, *output.values.shape)[-2:]
        assert len(output.rows) in (0, rows)
        assert len(output.columns) in (0, columns)
    elif isinstance(output, Curves):
        assert all(len(line) == len(output.points) for line in output.lines.values())
        assert any(math.isfinite(value) for line in output.lines.values() for value in line)
    elif isinstance(output, Table):
        assert all(len(row) == len(output.head) for row in output.rows)
    elif isinstance(output, OperationLink):
        assert output.tap in [step.name for step in pass_of(output.model, output.input).steps]
    elif isinstance(output, Tokens):
        assert output.names
    elif isinstance(output, Strip):
        assert output.cells
        assert len(output.groups) == len(output.colours) == len(output.cells)
    elif isinstance(output, Sentence):
        assert output.text


@pytest.mark.parametrize(("name", "seed"), EVERY)
def test_a_letter_of_a_shape_has_one_size(name, seed):
    """Widths in a whole lesson, lengths in a block: one lesson reads short and long sequences."""
    found, sizes = lessons()[name], {}
    for index, block in enumerate(found.blocks):
        parts = [part for part in block.all_parts if not isinstance(part, str) and not part.trains]
        for output in (output for part in parts for output in found.live[part.name](seed)):
            if isinstance(output, Numbers):
                shape = (1, *output.values.shape)[-len(output.dims) :]
                for letter, size in zip(output.dims, shape, strict=True):
                    where = letter if letter in "DHKFV" else f"{letter} in block {index + 1}"
                    assert not letter or sizes.setdefault(where, size) == size, f"{output.title}: {letter} = {size}"


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_leaves_the_global_random_numbers_alone(name):
    found = lessons()[name]
    found.facts(0)  # the first lesson to use the trained model loads it, and torch draws weights before it reads them
    torch.manual_seed(0)
    before = torch.get_rng_state()
    lesson_files._facts.cache_clear()
    found.facts(0)
    for part in found.live.values():
        part(0)
    assert torch.equal(torch.get_rng_state(), before)


def test_own_randomness_repeats_and_gives_the_global_random_numbers_back():
    torch.manual_seed(0)
    before, drawn = torch.get_rng_state(), []
    for _ in range(2):
        with own_randomness(3):
            drawn.append(torch.rand(4))
    assert torch.equal(*drawn)
    assert torch.equal(torch.get_rng_state(), before)


def test_a_shared_model_can_be_differentiated_whoever_loads_it_first():
    shipped.cache_clear()
    with torch.inference_mode():
        model = shipped("reverse-1-16")
    assert not any(parameter.is_inference() for parameter in model.parameters())


def test_the_source_of_a_function_is_shown_with_file_and_line():
    code = code_of(Training.parts)
    assert code.text.startswith("def parts(self)")
    assert re.fullmatch(r"OptimizerSteps\.parts · playground/training/step\.py:\d+", code.where)


def test_a_slider_keeps_whole_numbers_whole():
    assert Slider("Width", 1, 64, 8).fit(70) == 64
    assert isinstance(Slider("Width", 1, 64, 8).fit(3.0), int)


def test_the_minutes_of_a_lesson_count_its_words_and_questions():
    words = "word " * 399
    asked = f"### Predict\nWhich one?\n- this\n- that\nAnswer: this\n### Why\n{words}\n"
    assert parse("made-up", HEAD + "## One\n" + words).minutes == 2
    assert parse("made-up", HEAD + "## One\n" + asked).minutes == 3, "403 words and 20 seconds"


@pytest.mark.parametrize(
    ("text", "written"),
    [("a = {{x:.2f}}", "a ≈ 1.85"), ("a = {{y:.1f}}", "a = 0.5"), ("a = {{n}}", "a = 3"), ("{{x:.1f}} m", "1.8 m")],
)
def test_a_rounded_value_is_not_called_equal(text, written):
    assert fill(text, {"x": 1.848, "y": 0.5, "n": 3}) == written
