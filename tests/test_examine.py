"""Tests of one's own, tested: which mistakes they catch, and whether they accuse right code."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner
from typer.testing import Result as Ended

import playground
from playground import cli
from playground.lessons.examine import examining
from playground.lessons.examine.asking import NOT_RUN, _result
from playground.lessons.examine.examining import examine_file
from playground.lessons.examine.modules import KINDS, PARTS, possible
from playground.lessons.examine.running import PREFIXES
from playground.lessons.examine.template import TEMPLATE
from playground.lessons.examine.tests_process import SentTest
from playground.lessons.mistakes.classes import difference
from playground.lessons.mistakes.table import EXAMINED
from tests.lessons import reference_tests

REFERENCE = Path(reference_tests.__file__)


def run(*words: object) -> Ended:
    return CliRunner().invoke(cli.app, ["examine", *map(str, words)])


def written(folder: Path, code: str) -> Path:
    file = folder / "tests.py"
    file.write_text(code, "utf-8")
    return file


def test_there_are_14_mistakes_that_can_be_read_and_that_a_part_can_have():
    assert len(EXAMINED) == 14
    assert len({mistake.about for mistake in EXAMINED.values()}) >= 8
    assert {name for part in PARTS for name in possible(part)} == {*EXAMINED}
    for name, mistake in EXAMINED.items():
        assert difference(mistake.code)
        assert mistake.code is mistake.ways[0].change, name
        assert mistake.sentence.endswith(".")
        assert mistake.hint.endswith(".")


def test_reference_tests_catch_all_mistakes_and_accuse_no_right_code():
    result = playground.examine([each for name, each in vars(reference_tests).items() if name.startswith(PREFIXES)])
    assert result.caught == [*EXAMINED], str(result)
    assert result.is_complete, str(result)
    assert {config["model.norm_position"] for config in KINDS} == {"pre", "post"}


def test_the_command_ends_with_0_if_all_are_caught():
    result = run(REFERENCE, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["caught"], found["missed"], found["error"]) == ([*EXAMINED], [], None)
    assert {test["name"] for test in found["tests"]} >= {"check_causality", "test_attention_like_torch"}


def test_the_template_runs_and_catches_2(tmp_path: Path):
    template = run("--template")
    assert template.exit_code == 0
    assert template.stdout == TEMPLATE
    assert all(part.call in TEMPLATE for part in PARTS.values())
    result = run(written(tmp_path, template.stdout))
    assert result.exit_code == 1, result.output
    assert "catches mask-after-softmax, softmax-over-queries" in result.stdout
    assert "2 of 14 mistakes caught." in result.stdout
    missed = EXAMINED["no-causal-mask"]
    assert f"{missed.title} (no-causal-mask). Test this: {missed.hint}" in result.stdout
    assert missed.lesson.address in result.stdout


def check_post_norm_only(encoder_layer, config):
    output = encoder_layer(9 * torch.randn(2, 3, config.d_model), torch.ones(1, 1, 3, 3).bool())
    assert output.mean().abs() < 0.01, "not centred"
    assert (output.var(-1, correction=0) - 1).abs().max() < 0.01, "not normalized"


def check_size_32_only(feed_forward):
    return feed_forward(torch.ones(1, 1, 32)).shape == (1, 1, 32)


def check_nothing(model):
    return True


def test_right_code_that_is_accused_comes_first_whatever_its_kind():
    result = playground.examine([check_nothing, check_post_norm_only])
    accepts, accuses = result.tests
    assert (accepts.catches, accepts.false_alarm) == ((), "")
    assert set(accepts.misses) == {*EXAMINED}
    assert accuses.catches == ()
    assert "pre-norm" in accuses.false_alarm
    line = check_post_norm_only.__code__.co_firstlineno + 2
    assert f"(test_examine.py, line {line})" in accuses.false_alarm
    first, second, *_ = str(result).splitlines()
    assert first.startswith("check_post_norm_only")
    assert "accuses right code, so it catches nothing" in first
    assert second.endswith("catches nothing")
    assert result.summary == "1 test accused right code. 0 of 14 mistakes caught."
    assert not result.is_complete


def test_an_error_in_a_test_has_its_line():
    (found,) = playground.examine(check_size_32_only).tests
    line = check_size_32_only.__code__.co_firstlineno + 1
    assert found.error_line == line
    assert found.error.startswith("Your code raised RuntimeError")
    assert f"(test_examine.py, line {line})" in found.error


def check_number(layer_norm):
    return 1


def check_unknown(thing):
    return True


def check_two(model, attention):
    return True


def check_none():
    return True


@pytest.mark.parametrize(
    ("test", "says"),
    [
        (check_number, "check_number returns int. Return True or False, or use assert."),
        (check_unknown, "check_unknown has an argument 'thing', which names no part. Call it attention, "),
        (check_two, "check_two must have one argument for a part."),
        (check_none, "check_none must have one argument for a part."),
    ],
)
def test_what_is_no_test_is_an_error_in_a_sentence(test, says: str):
    (found,) = playground.examine(test).tests
    assert found.error.startswith(says)


def test_a_part_is_named_by_the_argument_or_its_annotation():
    def check_annotated(module: "LayerNorm", config, number=3):  # noqa: F821
        return np.bool_(module(torch.ones(1, number, config.d_model)).shape[-1] == config.d_model)

    def check_named(ffn):
        return torch.tensor(True)

    annotated, named = playground.examine([check_annotated, check_named]).tests
    assert (annotated.part, annotated.error) == ("layer_norm", "")
    assert (named.part, named.error) == ("feed_forward", "")


def test_every_call_gets_a_new_module():
    def check_weights(feed_forward):
        fresh = feed_forward.w_1.weight.abs().max() > 0
        torch.nn.init.zeros_(feed_forward.w_1.weight)
        return fresh

    for _ in range(2):
        (found,) = playground.examine(check_weights).tests
        assert (found.catches, found.false_alarm, found.error) == ((), "", "")


# --- in a process of its own ----------------------------------------------------------------------

GOOD = """
def check_first(positional_encoding):
    return bool((positional_encoding(3)[0, 0::2] == 0).all())
"""


@pytest.mark.parametrize(
    ("code", "says"),
    {
        "def check_x(:\n": "SyntaxError: invalid syntax (tests.py, line 1)",
        "import torch\nraise ValueError('oh')\n": "ValueError: oh (tests.py, line 2)",
        "def other(model): ...\n": "has no tests. A test is a function whose name begins with test_ or check_.",
        "from torch.testing import assert_close as check_close\n": "tests.py has no tests.",
    }.items(),
)
def test_an_error_in_the_file_ends_the_command_with_2(code: str, says: str, tmp_path: Path):
    result = run(written(tmp_path, code))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_no_file_or_a_missing_one_ends_the_command_with_2_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(examining, "ExamineProcess", pytest.fail)
    assert "Begin with --template." in run().stderr
    result = run(tmp_path / "none.py")
    assert (result.exit_code, result.stderr) == (2, f"Error: There is no file {tmp_path / 'none.py'}.\n")


@pytest.mark.parametrize(
    ("second", "says"),
    {
        "import os; os._exit(3)": "exit code 3",
        "while True: pass": "stopped after 8 seconds",
        "x = bytearray(2 * 10**9)": "MemoryError",
    }.items(),
)
def test_results_before_a_test_that_does_not_end_are_kept(second: str, says: str, tmp_path: Path):
    code = f"{GOOD}\ndef check_second(model):\n    {second}\n\ndef check_third(model):\n    return True\n"
    result = examine_file(written(tmp_path, code), seconds=8 if "while" in second else 60)
    good, ends, after = result.tests
    assert good.catches == ("sin-cos-swapped",)
    assert says in ends.error
    assert after.error == ("" if says == "MemoryError" else NOT_RUN)


def test_a_test_of_a_notebook_is_found_by_its_code_cell(tmp_path: Path):
    cells = [{"cell_type": "code", "source": source} for source in ("import torch", f"\n{GOOD}")]
    (tmp_path / "tests.ipynb").write_text(json.dumps({"cells": cells}))
    ended = run(tmp_path / "tests.ipynb")
    assert "(code cell 2, line 3)" in ended.stdout


def test_a_file_cannot_write_its_own_result(tmp_path: Path):
    code = f"""
import os, sys
os.write(1, b'{{"tests": []}}')
from playground.lessons.examine import running
running.examined = None
for end in (f"/proc/{{os.getppid()}}/fd/1", f"/proc/{{os.getppid()}}/fd/0"):
    try:
        os.write(os.open(end, os.O_WRONLY), b"x")
    except OSError:
        pass
{GOOD}"""
    result = examine_file(written(tmp_path, code))
    assert [test.catches for test in result.tests] == [("sin-cos-swapped",)]


def test_only_what_can_be_is_kept_of_a_result():
    listed = SentTest(name="test_\x1b[2Jx", line=3)
    sent = SentTest(name="y", line=1, part="all", catches=["no-scaling", "everything"], error="\x1b[31mno\n")
    result = _result(listed, sent)
    assert (result.line, result.part, result.catches) == (3, None, ("no-scaling",))
    assert all(sign.isprintable() for sign in result.name + result.error)


def test_a_test_sees_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HF_TOKEN", "hush-hush")
    code = "import os\n" + GOOD.replace("return bool", "assert 'HF_TOKEN' not in os.environ\n    return bool")
    assert os.environ["HF_TOKEN"]
    (found,) = examine_file(written(tmp_path, code)).tests
    assert found.catches == ("sin-cos-swapped",)
