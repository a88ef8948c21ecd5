"""Errors: their fields, the sentence made of them, and that no code reads that sentence."""

import ast
import pickle

import pytest

from playground.common.errors import CheckpointError, HubError, PlaygroundError
from playground.settings.config import ConfigError
from playground.tasks.tokens import OutOfRangeError
from playground.training import TrainingError
from tests.test_house import ROOT, modules


def test_the_message_joins_the_fields_that_are_not_empty():
    assert str(PlaygroundError("The disk is full.")) == "The disk is full."
    error = HubError("cut", "The connection was lost.", "Try again.", outcome="Nothing was pushed.")
    assert str(error) == "The connection was lost. Nothing was pushed. Try again."
    assert str(error.after(problem="The Hub is gone.")) == "The Hub is gone. Try again."


@pytest.mark.parametrize(
    "error",
    [
        PlaygroundError("It failed.", "Try again.", outcome="Nothing was saved."),
        CheckpointError("mine is taken.", "Choose another name.", kind="taken"),
        ConfigError({"model.d_model": "d_model is too large.", "seed": "seed is missing."}),
        OutOfRangeError("Use 1 to 16 symbols.", "max_length", 16),
        TrainingError("The loss is not finite any longer."),
        HubError("rate", "Too many requests.", "Wait.", outcome="Unknown.", retry_after=3.0, landed=None, created=True),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_can_be_pickled(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert vars(copy) == vars(error)
    assert str(copy) == str(error)


@pytest.mark.parametrize(("kind", "on_the_hub"), [("disk", "disk"), ("quota", "quota"), ("taken", "refused")])
def test_a_hub_error_of_a_checkpoint_error_keeps_its_fields(kind, on_the_hub):
    error = HubError.of(CheckpointError("It failed.", "Try again.", kind=kind))
    assert (error.kind, error.problem, error.advice) == (on_the_hub, "It failed.", "Try again.")


def reads_a_sentence(node: ast.AST) -> bool:
    """Whether an expression takes apart or searches `str(error)`."""
    inside = node.value if isinstance(node, ast.Attribute) else None
    parts = [inside] if inside else node.comparators if isinstance(node, ast.Compare) else []
    return any(ast.unparse(part) in ("str(error)", "error.args[0]", "error.problem") for part in parts)


def test_no_code_parses_an_error_message():
    found = [
        f"{path.relative_to(ROOT)}: {ast.unparse(node)}"
        for path in [*modules(), *(ROOT / "pages").glob("*.py")]
        for node in ast.walk(ast.parse(path.read_text()))
        if reads_a_sentence(node) or (isinstance(node, ast.Subscript) and ast.unparse(node.value) == "str(error)")
    ]
    # torch has no class of its own for an allocation that failed.
    assert found == ["playground/processes/child.py: 'allocate memory' in str(error)"]
    for text in ("str(error).removesuffix(chr(46))", "'full' in str(error)", "error.problem.partition(':')"):
        assert any(map(reads_a_sentence, ast.walk(ast.parse(text)))), text
