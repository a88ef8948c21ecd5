"""Keys of the session: each stands in the module that alone uses it, or is shared and names its writers."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from playground.ui.session import session_keys
from playground.ui.session.session_keys import Key
from tests.pages import ROOT, button, fine, host, page

__all__ = ["host"]  # a fixture that acts by itself

UI = ROOT / "playground" / "ui"
HOME = UI / "session" / "session_keys.py"
PAGES = [*sorted((ROOT / "pages").glob("*.py")), ROOT / "tests" / "new_page.py"]
MODULES = [*PAGES, *sorted(UI.rglob("*.py"))]
READING = {"get", "is_set", "default", "max_chars"}
"""What any module may ask of a key; all else may write it, also to hand it on or to get what can be appended to."""


def declared() -> Iterator[tuple[str, Key]]:
    """All keys with the name of the constant they stand in, alone or in a tuple."""
    for name, value in vars(session_keys).items():
        for key in value if isinstance(value, tuple) else [value]:
            if isinstance(key, Key):
                yield name, key


def declarations(tree: ast.AST) -> Iterator[ast.Call]:
    """Where a module makes keys."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("Key") | ast.Subscript(value=ast.Name("Key"))):
                yield node


@cache
def own() -> dict[Path, dict[str, list[ast.Call]]]:
    """The keys that modules declare for themselves, by the constant they stand in."""
    found: dict[Path, dict[str, list[ast.Call]]] = defaultdict(dict)
    for path in MODULES:
        for node in ast.parse(path.read_text()).body if path != HOME else ():
            if isinstance(node, ast.Assign) and (calls := [*declarations(node.value)]):
                found[path][ast.unparse(node.targets[0])] = calls
    return found


def own_names() -> list[str]:
    return [ast.literal_eval(call.args[0]) for keys in own().values() for calls in keys.values() for call in calls]


NAMES = {name for name, _ in declared()}
MADE = {name for name, key in declared() if callable(key._default)}


def module(path: Path) -> str:
    """As declarations name it: room/module, or pages/page."""
    return str(path.relative_to(UI if path.is_relative_to(UI) else ROOT).with_suffix(""))


def uses(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """The constants of keys that a module uses, and whether each use only reads."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name("keys" | "session_keys"), attr=name) if name in NAMES:
                pass
            case ast.Name(name, ctx=ast.Load()) if name in NAMES and name in imported(tree):
                pass
            case _:
                continue
        used: ast.AST = node
        while True:
            match parent := parents[used]:
                case ast.Subscript(value=value) if value is used:  # one key of a tuple
                    used = parent
                case ast.Attribute(attr="of") if isinstance(parents[parent], ast.Call):
                    used = parents[parent]
                case _:
                    break
        yield name, name not in MADE and isinstance(parent, ast.Attribute) and parent.attr in READING


def imported(tree: ast.AST) -> set[str]:
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {each.name for node in found if (node.module or "").endswith("session_keys") for each in node.names}


@cache
def users() -> dict[str, dict[str, bool]]:
    """By constant the modules that use it, and whether each only reads."""
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    for path in MODULES:
        for name, reads in uses(ast.parse(path.read_text())) if path != HOME else ():
            found[name][module(path)] = found[name].get(module(path), True) and reads
    return found


def literals(tree: ast.AST) -> Iterator[str]:
    """Texts, with gaps, that name a widget or a component; a container has no value."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="container")):
                continue
            case ast.Call(keywords=keywords):
                for each in keywords:
                    match each:
                        case ast.keyword(arg="key", value=ast.Constant(value=str(text))):
                            yield text
                        case ast.keyword(arg="key", value=ast.JoinedStr(values=parts)):
                            yield "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in parts)


def test_the_session_is_named_where_its_keys_are_declared_alone():
    names = {*own_names(), *(key.name for _, key in declared())} - {session_keys.SETTING.name}
    for path in MODULES:
        tree = ast.parse(path.read_text())
        assert path == HOME or not [
            node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "session_state"
        ], path
        assert not names & set(literals(tree)), f"take the name of the key in {path}"


def test_a_key_of_a_module_is_used_there_alone():
    for path in MODULES:
        tree = ast.parse(path.read_text())
        calls = [call for calls in own().get(path, {}).values() for call in calls]
        assert path == HOME or len([*declarations(tree)]) == len(calls), f"declare keys at the top of {path}"
        assert all(len(call.args) == 3 for call in calls), "name, default and what it is; no other module may write it"
        named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        named |= {each.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for each in node.names}
        for other, keys in own().items():
            text = path.read_text()
            taken = [name for name in keys.keys() & named if other != path and re.search(rf"\b{other.stem}\b", text)]
            used = [name for name in taken if f"{other.stem}.{name}" in text or f"{other.stem} import" in text]
            assert not used, f"{path} uses {used} of {other}: declare them in session_keys.py"
        for name in own().get(path, {}):
            assert len(re.findall(rf"\b{name}\b", path.read_text())) > 1, f"nothing uses {name} in {path}"


def test_no_two_keys_share_a_name():
    names = [*own_names(), *(key.name for _, key in declared())]
    assert "tokens vector" in names
    assert sorted(set(names)) == sorted(names)


def test_a_key_that_is_shared_is_used_by_several_modules():
    alone = {name: used for name in NAMES if len(used := users()[name]) < 2}
    assert not alone, "declare it in the module that uses it"


def test_a_key_is_written_by_the_modules_that_its_declaration_names():
    for name in NAMES:
        writers = {writer for constant, key in declared() if constant == name for writer in key.writers}
        assert {user for user, reads in users()[name].items() if not reads} == writers, name


def test_build_with_wrong_settings_after_step_through_shows_its_own_picture():
    app = page("build.py", form="Model")
    next(each for each in app.number_input if each.key == "model.d_model").set_value(10).run()
    assert button(fine(app), "Train this model").disabled
    fine(app.switch_page("pages/step_through.py").run())
    fine(app.switch_page("pages/build.py").run())
    assert button(app, "Train this model").disabled
    assert app.metric[0].value == "87,950"
