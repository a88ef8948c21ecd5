"""Keys of the session: one that two modules use is shared on purpose, never by accident."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.test_pages import ROOT, button, fine, host, page

__all__ = ["host"]  # a fixture that acts by itself

SHARED = {
    "cell": "the locked cell of Step through",
    "gradient": "whether Step through shows gradients",
    "head": "the first row of a page: a container, in the style sheet",
    "input": "what the model of Step through reads",
    "leaving": "that the Train page leads to Step through",
    "library told": "what came of the last change in the library",
    "link_problem": "what is wrong with the address; the frame of the page says it",
    "notice": "why a run was not started",
    "operation": "the operation of Step through, to which other pages lead",
    "pace": "the pace that is chosen",
    "padding": "PAD behind the input of Step through",
    "page": "the path of the page that is shown",
    "pair input": "what two checkpoints that are compared read",
    "part": "the part of the picture that Step through is led to",
    "playing": "whether the training steps of Step through go by themselves",
    "run": "the run that this tab looks at",
    "said": "tokens that the decoder of Step through has said",
    "source": "the model of Step through, to which other pages lead",
    "slide-progress": "how far a run is: a container, for the presenter view",
    "step moved": "when the page has turned Step through to another training step",
    "stale_link": "that the run of a link is gone",
    "target": "what the decoder of Step through reads",
    "ticked": "checkpoints to be compared",
}
"""Keys that several modules use, and what each stands for in all of them."""


def keys(path: Path) -> Iterator[str]:
    """Literal keys of the session, and keys of widgets, in a module."""
    tree = ast.parse(path.read_text())
    named = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }

    def of_session(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == "session_state"

    for node in ast.walk(tree):
        used: list[ast.expr | None] = []
        match node:
            case ast.Subscript(value=value, slice=key) if of_session(value):
                used = [key]
            case ast.Call(func=ast.Attribute(value=value, attr="update"), keywords=keywords) if of_session(value):
                used = [ast.Constant(each.arg) for each in keywords]
            case ast.Call(func=ast.Attribute(value=value), args=[key, *_]) if of_session(value):
                used = [key]
            case ast.Compare(left=key, comparators=comparators) if any(map(of_session, comparators)):
                used = [key]
            case ast.Call(keywords=keywords):
                used = [each.value for each in keywords if each.arg == "key"]
        for key in used:
            known = named.get(key.id) if isinstance(key, ast.Name) else key
            if isinstance(known, ast.Constant) and isinstance(known.value, str):
                yield known.value


def test_a_key_that_two_modules_use_is_shared_on_purpose():
    users: dict[str, set[str]] = defaultdict(set)
    for path in [*(ROOT / "pages").glob("*.py"), *(ROOT / "playground" / "ui").rglob("*.py")]:
        for key in keys(path):
            users[key].add(path.name)
    shared = {key: sorted(names) for key, names in users.items() if len(names) > 1}
    assert shared.keys() == SHARED.keys(), {key: shared.get(key) for key in shared.keys() ^ SHARED.keys()}


def test_build_with_wrong_settings_after_step_through_shows_its_own_picture():
    app = page("build.py")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(10).run()
    assert button(fine(app), "Train this model").disabled
    fine(app.switch_page("pages/step_through.py").run())
    fine(app.switch_page("pages/build.py").run())
    assert button(app, "Train this model").disabled
    assert app.metric[0].value == "87,950"
