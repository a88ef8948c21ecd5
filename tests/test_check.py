"""The check of somebody's own transformer: every mistake of the corpus by its name, and no false alarm."""

import json
import math
import re
from pathlib import Path

import pytest
import torch
from torch import nn
from typer.testing import CliRunner, Result

import playground
from playground import cli
from playground.lessons.check import checking
from playground.lessons.check.causes import WHY, lesson_of
from playground.lessons.check.checking import PARTS, CheckProcess, check_file, verdict_here
from playground.lessons.check.readings import meaning_of
from playground.lessons.check.verdict import CheckError, Verdict
from playground.lessons.mistakes.table import MISTAKES
from tests.helpers import first, is_alive, until
from tests.lessons.wrong import RIGHT, WRONG
from tests.test_check_graph import SHARED
from tests.test_check_modern import MISTAKES as MODERN

FILES = sorted(RIGHT.glob("*.py"))


def parts_of(file: Path) -> list[str]:
    """The parts that a file's first line names."""
    return file.read_text(encoding="utf-8").splitlines()[0].strip('"').split()


def checked(file: Path, part: str, mask: str | None = None) -> Verdict:
    """The verdict on a file, in this process."""
    return verdict_here(file, part, mask)


@pytest.mark.parametrize(
    ("file", "part"),
    [case for file in FILES for case in first(1, [(file, part) for part in parts_of(file)], of=len(parts_of(file)))],
    ids=lambda value: getattr(value, "stem", value),
)
def test_right_code_in_any_style_is_right(file: Path, part: str):
    verdict = checked(file, part)
    assert verdict.verdict == "right", verdict.message
    assert verdict.cause is None
    assert verdict.difference is None or verdict.difference < 1e-3  # None: judged by its own numbers


@pytest.mark.parametrize("name", first(4, WRONG, of=71))
def test_a_known_mistake_is_named(name: str, tmp_path: Path):
    wrong = WRONG[name]
    verdict = checked(wrong.write(tmp_path, name), wrong.part, wrong.mask)
    assert (verdict.verdict, verdict.cause) == ("wrong", wrong.cause), verdict.message
    assert verdict.message.startswith(f"{MISTAKES[wrong.cause].title}. ")
    assert WHY[wrong.cause] in verdict.message
    assert "Found: " in verdict.message


def test_the_corpus_has_ten_styles_and_every_mistake():
    assert len(FILES) >= 10
    by_graph = {
        *SHARED,
        "softmax-over-batch",
        "one-projection-for-all-heads",
        "positions-by-batch",
        "masks-joined-by-or",
        "one-gain-for-all-features",
    }
    shown = by_graph | {wrong.cause for wrong in WRONG.values()} | {cause for _, _, cause, *_ in MODERN}
    of_training = {"no-warm-up", "router-without-balance"}  # which no code that is handed in shows
    choices = {"gates-not-renormalized", "rotary-on-latent-keys"}  # which a model may make
    assert {*WHY} - shown == of_training | choices
    assert {part for file in FILES for part in parts_of(file)} == {*PARTS}


def test_where_it_differs_is_a_statement_with_both_numbers(tmp_path: Path):
    statements = {
        "no_scaling": "line 10: q @ k.transpose(-2, -1)",
        "mask_after_softmax": "line 11: torch.softmax(scores, dim=-1)",
        "inverted_mask": "line 12: torch.softmax(scores, dim=-1)",
    }
    for name, statement in statements.items():
        where = checked(WRONG[name].write(tmp_path, name), "attention", WRONG[name].mask).where
        assert where
        assert re.fullmatch(re.escape(statement) + r" \(yours [\d.]+, by the formula [\d.]+\)", where)


def attention(query, key, value, mask=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = scores.masked_fill(mask, -math.inf).softmax(-1)
    return weights @ value, weights


def test_the_meaning_of_true_in_a_mask_is_given_or_both_are_tried():
    silent = playground.check(attention)
    assert silent.verdict == "right"
    assert "True in the mask hides a position" in str(silent)
    assert "so both meanings were tried" in str(silent)
    stated = playground.check(attention, mask="hide")
    assert stated.verdict == "right"
    assert "both meanings were tried" not in stated.message
    assert playground.check(attention, mask="keep").cause == "inverted-mask"


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("mask: True where a query may attend to a key", "keep"),
        ("True where a query must not attend", "hide"),
        ("1 in the mask marks a position that is hidden", "hide"),
        ("positions with False are ignored", "keep"),
        ("a mask", None),
        ("0 where nothing may be looked at", "keep"),
        ("seq: (batch, length) of token ids, 0 is padding", None),
        ("ids (0 = padding); 1 where a key is hidden", "hide"),
    ],
)
def test_a_docstring_tells_what_true_does(text: str, meaning: str | None):
    assert meaning_of(text) == meaning


def test_the_message_names_the_layout_that_was_found():
    verdict = playground.check(lambda q, k, v: (q @ k.mT / q.size(-1) ** 0.5).softmax(-1) @ v)
    assert "input (B, H, T, K), batch first" in verdict.message
    assert "(T, B, D), positions first" in checked(RIGHT / "positions_first.py", "encoder-layer").message


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.first, self.second = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def test_any_activation_function_is_right():
    assert playground.check(FeedForward, "feed-forward").verdict == "right"


TANH = """
from torch import nn
class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.Tanh(), nn.Linear(d_ff, d_model))
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
    def forward(self, x):
        x = self.norm1(x + self.attention(x, x, x)[0])
        return self.norm2(x + self.ff(x))
"""


def test_another_activation_function_is_right(tmp_path: Path):
    file = tmp_path / "tanh.py"
    file.write_text(TANH)
    verdict = checked(file, "encoder-layer")
    assert verdict.verdict == "right", verdict.message


def test_a_module_of_another_size_is_checked_on_a_copy():
    module = nn.TransformerEncoderLayer(24, 4, 40, batch_first=True)
    before = {name: value.clone() for name, value in module.state_dict().items()}
    verdict = playground.check(module, "encoder-layer")
    assert verdict.verdict == "right", verdict.message
    assert "post-norm" in verdict.message
    assert module.training
    assert all(torch.equal(value, before[name]) for name, value in module.state_dict().items())


def test_an_output_of_another_shape_is_wrong():
    verdict = playground.check(lambda q, k, v: q @ k.mT)
    assert verdict.verdict == "wrong"
    assert verdict.where == "output"
    assert "(2, 4, 5, 7)" in verdict.message


def broken(q, k, v):
    return q @ k.undefined


def test_an_exception_is_theirs_with_its_line():
    verdict = playground.check(broken)
    assert verdict.verdict == "error"
    line = broken.__code__.co_firstlineno + 1
    assert "AttributeError" in verdict.message
    assert f"(test_check.py, line {line})" in verdict.message


def test_an_unknown_part_or_meaning_is_refused():
    with pytest.raises(CheckError, match=r"There is no part 'softmax'. Choose one of attention, "):
        playground.check(attention, "softmax")
    with pytest.raises(CheckError, match="keep or hide"):
        playground.check(attention, mask="maybe")


def sampled(logits, targets):
    return (logits.exp() * targets[..., None]).sum()


def test_a_loss_that_nobody_knows_is_not_judged():
    verdict = playground.check(sampled, "loss")
    assert (verdict.verdict, verdict.cause) == ("unknown", None)
    assert "was not judged" in verdict.message


def labels_of_the_hub(logits, labels):
    """labels hold -100 at padding"""
    return nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten())


def test_padding_that_is_marked_in_the_labels_is_no_mistake():
    verdict = playground.check(labels_of_the_hub, "loss")
    assert verdict.verdict == "right", verdict.message
    assert "compared with the next token" in verdict.found


def test_a_forward_pass_says_that_it_does_not_show_the_loss():
    assert "check it as the part loss" in checked(RIGHT / "gpt.py", "transformer").message


def test_each_cause_has_a_lesson_and_the_command_names_it(tmp_path: Path):
    assert all(lesson_of(cause) for cause in WHY)
    assert lesson_of(None) is None
    result = run(WRONG["relu_missing"].write(tmp_path, "relu"), "--part", "feed-forward")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "Lesson: The feed-forward network (/learn?lesson=feed-forward)"


HEADS = """
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, ARGUMENTS):
        super().__init__()
        self.h, self.k, self.divisor = heads, d_model // heads, DIVISOR
        self.q, self.key, self.v, self.out = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value):
        q, k, v = (
            layer(x).view(*x.shape[:2], self.h, self.k).transpose(1, 2)
            for layer, x in ((self.q, query), (self.key, key), (self.v, value))
        )
        weights = (q @ k.transpose(-2, -1) / self.divisor).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(query.shape))
"""


@pytest.mark.parametrize(
    ("arguments", "divisor", "expected"),
    [
        ("d_model=512, heads=8", "math.sqrt(d_model // heads)", ("right", None)),
        ("d_model, heads, temperature=1.0", "temperature * math.sqrt(d_model // heads)", ("right", None)),
        ("d_model, heads, temperature=1.0", "temperature", ("wrong", "no-scaling")),
        ("d_model, heads, temperature", "temperature", ("right", None)),
        ("d_model=16, heads=4", "{16: 2}[d_model]", ("right", None)),
    ],
    ids=["sizes", "temperature", "no scaling", "a temperature to give", "only its own sizes"],
)
def test_defaults_of_what_is_computed_stay(arguments: str, divisor: str, expected: tuple, tmp_path: Path):
    (tmp_path / "mine.py").write_text(HEADS.replace("ARGUMENTS", arguments).replace("DIVISOR", divisor))
    verdict = checked(tmp_path / "mine.py", "multi-head-attention")
    assert (verdict.verdict, verdict.cause) == expected, verdict.message


@pytest.mark.parametrize("call", ["", "model(query, key, value, mask)"])
@pytest.mark.parametrize("sizes", ["64, 8", "512, 8"])
def test_a_module_of_usual_size_is_judged_with_its_mask(sizes: str, call: str, tmp_path: Path):
    code = HEADS.replace("ARGUMENTS", "d_model, heads").replace("DIVISOR", "math.sqrt(d_model // heads)")
    code = code.replace("(nn.Module):", '(nn.Module):\n    """True in a mask: may attend."""')
    code = code.replace("key, value):\n", "key, value, mask):\n")
    code = code.replace(" / self.divisor)", " / self.divisor).masked_fill(~mask, -torch.inf)")
    (tmp_path / "mine.py").write_text(code)
    build = f"MultiHeadAttention({sizes})"
    verdict = verdict_here(tmp_path / "mine.py", "multi-head-attention", None, build, call)
    assert verdict.verdict == "right", verdict.message
    assert "so both meanings were tried" not in verdict.message


# --- in a process of its own ----------------------------------------------------------------------


def run(*words: object) -> Result:
    return CliRunner().invoke(cli.app, ["check", *map(str, words)])


def test_the_command_prints_one_object_whatever_the_code_prints(tmp_path: Path):
    file = tmp_path / "mine.py"
    source = WRONG["inverted_mask"].source()
    file.write_text(source + 'print("hello")\nimport os\nos.system("echo loud")\n')
    result = run(file, "--part", "attention", "--mask", "keep", "--json")
    assert result.exit_code == 1
    verdict = json.loads(result.stdout)
    assert list(verdict) == ["part", "verdict", "cause", "where", "difference", "message"]
    assert (verdict["part"], verdict["verdict"], verdict["cause"]) == ("attention", "wrong", "inverted-mask")


def test_the_command_ends_with_0_for_right_code():
    result = run(RIGHT / "einsum.py")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Right: ")
    assert "line 7" in result.stdout


BAD = {
    "empty": ("# nothing yet\n", "empty.py defines nothing."),
    "syntax": ("def attention(:\n", "SyntaxError: invalid syntax (syntax.py, line 1)"),
    "exits": ("x = 1\nraise SystemExit(3)\n", "SystemExit: 3 (exits.py, line 2)"),
    "another part": (
        "from torch import nn\nclass Mixer: ...\nclass GPT(nn.Module): ...\n",
        "Mixer, GPT. To check GPT, choose the part transformer.",
    ),
    "other": ("def first(): ...\ndef second(): ...\n", "has no attention; it has first, second"),
}
OF_THE_PROCESS = {
    "endless": ("while True:\n    pass\n", "stopped after 2 seconds"),
    "greedy": ("import torch\nx = torch.zeros(3_000_000_000)\n", "RuntimeError"),
    "leaves": ("import os\nos._exit(3)\n", "exit code 3"),
}


@pytest.mark.parametrize("name", [*BAD, *OF_THE_PROCESS])
def test_code_that_cannot_be_checked_is_an_error_in_one_sentence(tmp_path: Path, name: str):
    source, says = (BAD | OF_THE_PROCESS)[name]
    file = tmp_path / f"{name}.py"
    file.write_text(source)
    verdict = (
        checked(file, "attention")
        if name in BAD
        else check_file(file, "attention", seconds=2 if name == "endless" else 60)
    )
    assert verdict.verdict == ("unknown" if name in ("other", "another part") else "error")
    assert says in verdict.message
    assert "\n" not in verdict.message


def test_what_the_code_has_started_ends_with_it(tmp_path: Path):
    file, pid = tmp_path / "starts.py", tmp_path / "pid"
    started = "import subprocess, pathlib\nchild = subprocess.Popen(['sleep', '600'])\n"
    file.write_text(f"{started}pathlib.Path({str(pid)!r}).write_text(str(child.pid))\nwhile True: pass\n")
    process = CheckProcess(file, "attention")
    until(lambda: pid.exists() and pid.read_text())
    assert process.wait(0.1) is None
    process.end()
    assert process.wait() is not None
    until(lambda: not is_alive(int(pid.read_text())))


def test_a_file_that_is_missing_ends_the_command_with_2_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checking, "CheckProcess", pytest.fail)
    for path, says in ((tmp_path / "none.py", "There is no file {}."), (tmp_path, "{} is a folder, not a file.")):
        result = run(path)
        assert result.exit_code == 2
        assert result.stderr == f"Error: {says.format(path)}\n"
