"""No text of others is read as Markdown or HTML: such calls get the code's own words, numbers and escaped text.

The ways for all other text are `style.message`, `style.code` in labels, and `escape` in HTML.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground.ui.session import pages

ROOT = Path(__file__).parent.parent
FILES = [
    *sorted((ROOT / "pages").glob("*.py")),
    ROOT / "tests" / "new_page.py",
    *sorted((ROOT / "playground" / "ui").rglob("*.py")),
]

FIRST = {
    *("caption", "error", "header", "info", "latex", "markdown", "subheader", "success", "title", "toast", "warning"),
    *("button", "checkbox", "dialog", "download_button", "expander", "form_submit_button"),
    *("link_button", "metric", "text_area"),
    *(
        "multiselect",
        "number_input",
        "pills",
        "popover",
        "radio",
        "segmented_control",
        "select_slider",
        "selectbox",
        "slider",
        "spinner",
        "tabs",
        "text_input",
        "toggle",
    ),
}
"""What reads its first argument as Markdown."""
OPTIONS = {"pills", "radio", "segmented_control"}
"""What reads its options as Markdown, or what `format_func` makes of them."""
NAMED = {"body", "help", "icon", "label", "text", "title"}
"""Arguments that are read as Markdown wherever they stand."""
OTHER = {
    *("code", "columns", "container", "form", "fragment", "html", "image", "navigation", "Page", "page_link"),
    *(
        "progress",
        "vega_lite_chart",
        "rerun",
        "set_page_config",
        "stop",
        "switch_page",
        "App",
        "get_option",
        "login",
        "logout",
    ),
}
"""What takes text as it is, or none."""

OWN = {
    "field.description": "a setting's words, from its definition",
    "field.title": "a setting's words, from its definition",
    "field.title or ''": "the same, of a part of an assignment",
    "path.rpartition('.')[2]": "the name of a setting",
    "allowed(field)": "a setting's bounds",
    "choices(field)": "a setting's choices",
    "names_of(field)": "a setting's names",
    "comparison.setting_name(path)": "the name of a setting",
    "setting_title(path)": "the name of a setting",
    "preset.title": "a preset's words",
    "folded.title": "words of the form",
    "folded.icon": "an icon of the form",
    "preset.sentence": "a preset's words",
    "rule.formula": "a formula of this project",
    "head.formula": "a formula of this project",
    "group": "a part of it, with a number",
    "document.formula": "a formula of this project",
    "step.document.backward.formula if back else step.document.formula": "the same",
    "task_of(run.config.task).goal": "words of the task",
    "task_of(config.task).typing": "the same",
    "run.status": "one of the states of a run",
    "setting_words.lengths(config)": "two numbers, in words of the task",
    "list(predicted)": "numbers of rows",
    "kinds": "kinds of attention, in experiment/heads_view.py",
    "predicted.__getitem__": "tokens of the vocabulary",
    "shown": "a value that solves a problem, made from the bounds of a setting",
    "_title(setting)": "a setting's words",
    "PRESETS[name].title": "a preset's words",
    "MISTAKES[name].title": "a mistake's words",
    "list(PRESETS)": "names of presets",
    "heads": "numbers, in learn/formulas.py",
    "asked": "what a run has been asked, in the code's own words",
    "run_status.waiting(run)": "numbers, and why the host lets a run wait, in its own words",
    "' · '.join(parts)": "counts of runs",
    "fill(part, facts)": "a text of a lesson, with its computed values",
    "fill(block.title, facts)": "the same",
    "choices": "the same",
    "f'Next lesson: {following.title}'": "the same",
    "embedded.title": "words of a lesson",
    "output.text": "a sentence of a lesson",
    "control.label": "a control of a lesson",
    "control.help or None": "the same",
    "control.options": "the same",
    "words(change.site)": "a part of the model, with layers and heads counted from 1",
    "_mark(change)": "an operation or a number",
    "list(view_labels)": "the views of a page, rows of session/pages.py",
    "view_labels.__getitem__": "the same",
    "page.title": "of a row of session/pages.py",
    "page.icon": "the same",
    "asked.text": "the question of a part of an assignment, in the code's own words",
    "field.label": "a field of an answer, in the code's own words",
    "field.help or None": "the same",
    "field.choices.__getitem__": "the same, or words of a lesson",
    "list(field.choices)": "names of such choices",
    "choice_text": "the same",
    "hint_text": "a hint in the code's own words",
    "table": "names and numbers of measures, in learn/assignments/part_view.py",
    "numbers": "numbers of parts, in learn/assignments/compose_view.py",
    "question.title": "of a question, in the code's own words",
    "question.icon": "the same",
    "question.agree_icon": "the same",
    "question.agree": "the same",
    "question.text": "the same, with numbers and names as code",
} | {
    f"{name}.title": "of this row of session/pages.py"
    for name, row in vars(pages).items()
    if isinstance(row, pages.Page)
}
"""Expressions that hold no text of others, and why."""
PARAMETERS = {
    ("settings_form.py", "title"): "the title of a setting, or “Value”",
    ("style.py", "kind"): "one of the kinds of messages",
    ("counterfactual_view.py", "label"): "what a number counts",
    ("influence_view.py", "label"): "what a number counts",
    ("influence_view.py", "meaning"): "the same",
    ("intervention_view.py", "title"): "“Intact” or “Changed”",
    ("measurements.py", "button"): "words of a view",
    ("measurements.py", "help"): "the same",
    ("saving.py", "label"): "words of a page",
}
"""Parameters that are given no text of others, and why."""
NUMBERS = {"abs", "counted", "duration", "float", "int", "len", "max", "min", "interval", "percent", "round", "sum"}
MARKDOWN = NUMBERS | {"long_inputs.untrained", "str.capitalize", "style.code"}
HTML = NUMBERS | {
    *(
        "escape",
        "explanation.head",
        "explanation.prose",
        "listing.ago",
        "listing.card",
        "listing.waiting_card",
        "quote",
        "style.answers",
        "style.bar",
        "style.difference",
        "style.lesson",
        "style.link",
        "style.marked",
    ),
    *("style.operation", "style.shape", "style.strip", "style.table", "style.term", "style.tokens"),
}
"""Functions whose result is fit to be read as the one or the other: numbers, and text that is escaped."""
NUMBER = re.compile(r"[,.\d]*[,%defg]")
"""How numbers are written; Python refuses to write text so."""


class Module:
    """The names of a module, and which of its expressions are fit to be read as Markdown."""

    def __init__(self, source: str, file: str = "") -> None:
        self.tree = ast.parse(source)
        self.file = file
        self.escapes = MARKDOWN
        self.ours = {
            alias.asname or alias.name
            for node in ast.walk(self.tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("playground")
            for alias in node.names
        }
        self.parents = {child: parent for parent in ast.walk(self.tree) for child in ast.iter_child_nodes(parent)}

    def scopes(self, node: ast.AST | None) -> Iterator[ast.AST]:
        """The functions around a node, from the inside out, and the module."""
        while node is not None:
            node = self.parents.get(node)
            if isinstance(node, ast.FunctionDef | ast.Lambda | ast.Module):
                yield node

    def values(self, name: str, node: ast.AST) -> list[ast.expr] | None:
        """All that a name can stand for where `node` is; None where that is unknown."""
        for scope in self.scopes(node):
            if isinstance(scope, ast.FunctionDef | ast.Lambda):
                arguments = scope.args
                if name in {each.arg for each in (*arguments.args, *arguments.kwonlyargs, *arguments.posonlyargs)}:
                    return [] if (self.file, name) in PARAMETERS else None
            found: list[ast.expr] = []
            for each in ast.walk(scope):
                if next(self.scopes(each), None) is not scope:
                    continue
                for target, value in _bound(each):
                    if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(target)):
                        found.append(value)
            if found:
                return found
        return None

    def is_own(self, node: ast.expr | None, seen: frozenset[str] = frozenset()) -> bool:
        """Whether an expression holds words of the code, numbers or escaped text alone."""
        if node is None or isinstance(node, ast.Constant) or ast.unparse(node) in OWN:
            return True
        own = lambda *nodes: all(self.is_own(each, seen) for each in nodes)  # noqa: E731
        match node:
            case ast.JoinedStr():
                return own(*node.values)
            case ast.FormattedValue():
                spec = ast.unparse(node.format_spec)[2:-1] if node.format_spec else ""
                return bool(NUMBER.fullmatch(spec)) or own(node.value)
            case ast.IfExp():
                return own(node.body, node.orelse)
            case ast.BoolOp():
                return own(*node.values)
            case ast.BinOp():
                return not isinstance(node.op, ast.Add | ast.Mod | ast.Mult) or own(node.left, node.right)
            case ast.Tuple() | ast.List() | ast.Set():
                return own(*node.elts)
            case ast.Dict():
                return own(*node.keys, *node.values)
            case ast.Subscript():
                return own(node.value)
            case ast.Lambda():
                return own(node.body)
            case ast.GeneratorExp() | ast.ListComp():
                return own(node.elt)
            case ast.Attribute():
                # Names in capitals are constants of a module.
                return node.attr.isupper() or (node.attr in ("__getitem__", "get") and own(node.value))
            case ast.Call():
                function = ast.unparse(node.func)
                if function in self.escapes:
                    return True
                if function in ("enumerate", "list", "sorted", "tuple"):
                    return own(*node.args)
                if isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "items", "get"):
                    return own(node.func.value, *node.args)
                return isinstance(node.func, ast.Name) and self._returns_own(node.func.id, seen)
            case ast.Name():
                if f"name {node.id}" in seen:
                    return True
                values = self.values(node.id, node)
                if values is None:
                    return node.id.isupper() and node.id.strip("_") != ""
                return all(self.is_own(each, seen | {f"name {node.id}"}) for each in values)
        return False

    def _returns_own(self, name: str, seen: frozenset[str]) -> bool:
        """Whether a function of this module returns such words alone."""
        if f"call {name}" in seen:
            return True
        for each in self.tree.body:
            if isinstance(each, ast.FunctionDef) and each.name == name:
                returned = [node.value for node in ast.walk(each) if isinstance(node, ast.Return)]
                return bool(returned) and all(self.is_own(node, seen | {f"call {name}"}) for node in returned)
        return False

    def problems(self) -> list[str]:
        """What is read as Markdown or HTML and is not sure to be the code's own."""
        found = []
        for node in ast.walk(self.tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            name, on = node.func.attr, ast.unparse(node.func.value)
            if on == "st" and name not in FIRST | OTHER:
                found.append(f"{node.lineno}: does st.{name} read Markdown? Enter it in FIRST or OTHER")
            if name not in FIRST | OTHER or on in self.ours | {"_log", "style"} or (name == "title" and not node.args):
                continue
            named = {each.arg: each.value for each in node.keywords if each.arg}
            read = [value for key, value in named.items() if key in NAMED]
            if name in FIRST or name == "html":
                read += node.args[:1]
            if name in OPTIONS:
                read += [*node.args[1:2], *(named[key] for key in ("options", "format_func") if key in named)]
            self.escapes = HTML if name == "html" else MARKDOWN
            found += [
                f"{node.lineno}: {on}.{name} reads {ast.unparse(each)} as {'HTML' if name == 'html' else 'Markdown'}"
                for each in read
                if ast.unparse(each) not in self.escapes and not self.is_own(each)
            ]
        return found


FILLS = {"add", "append", "extend", "insert", "setdefault", "update"}


def _bound(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr]]:
    """What a statement gives to which names, and what it puts into which containers."""
    match node:
        case ast.Assign():
            for target in node.targets:
                yield from _parts(target, node.value)
        case ast.AnnAssign() | ast.AugAssign() | ast.NamedExpr() if node.value is not None:
            yield node.target, node.value
        case ast.For() | ast.comprehension():
            each = node.iter.elts if isinstance(node.iter, ast.Tuple | ast.List) else [node.iter]
            for value in each:
                yield from _parts(node.target, value)
        case ast.Call(func=ast.Attribute()) if node.func.attr in FILLS:
            for value in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield node.func.value, value


def _parts(target: ast.AST, value: ast.expr) -> Iterator[tuple[ast.AST, ast.expr]]:
    """The same, name by name where both sides have as many."""
    match target, value:
        case _, ast.IfExp():
            yield from _parts(target, value.body)
            yield from _parts(target, value.orelse)
        case ast.Tuple(), ast.Tuple() if len(target.elts) == len(value.elts):
            for part, its in zip(target.elts, value.elts, strict=True):
                yield from _parts(part, its)
        case _:
            yield target, value


def test_markdown_and_html_are_made_of_the_codes_own_words():
    for path in FILES:
        assert not Module(path.read_text(), path.name).problems(), path


@pytest.mark.parametrize(
    "wrong",
    [
        "st.error(str(error))",
        "st.warning(state.plain(error))",
        'st.info(f"You are watching {run.name}.")',
        "def show(text):\n    st.markdown(text)",
        "def show():\n    label = run.name\n    st.button(label)",
        "def show():\n    label = 'Open'\n    label += name\n    st.button(label)",
        'st.text_input("Name", help=f"Not {name}.")',
        "row.caption(' '.join(sentences))",
        "st.segmented_control('Run', names)",
        "st.segmented_control('Run', tuple(names), format_func=names.get)",
        "st.pills('Run', (1, 2), format_func=lambda each: names[each])",
        "st.toast(st.session_state['text'])",
        "st.dialog(f'Push `{draft.name}`')(_draw)()",
        "st.balloon_text(name)",
        "st.html(f'<b>{name}</b>')",
        "st.html(f'<b>{style.code(name)}</b>')",
        "st.button(escape(name))",
        "def show():\n    rows = ''.join(f'<li>{each}</li>' for each in names)\n    st.html(rows)",
        "st.caption(text % name)",
        "def text():\n    return name\n\nst.caption(text())",
        "def show():\n    parts = []\n    parts.append(name)\n    st.caption(' '.join(parts))",
        "def show():\n    for label, way in names.items():\n        st.button(label)",
    ],
)
def test_text_of_others_is_found_where_it_would_be_read_so(wrong):
    assert Module(wrong).problems()


@pytest.mark.parametrize(
    "right",
    [
        'st.error("Too many.")',
        'st.caption(f"{count:,} of {len(runs)}, {part:.0%}")',
        'st.button(f"Open {style.code(name)}")',
        "def show():\n    for label in ('On', 'Off'):\n        st.button(label)",
        "WORDS = {'on': 'On', 'off': 'Off'}\nst.radio('Run', tuple(WORDS), format_func=WORDS.get)",
        "style.message(str(error), 'wrong')",
        "st.html(f'<b>{escape(name)}</b>')",
        "st.selectbox('Run', names, format_func=lambda each: names[each])",
    ],
)
def test_own_words_are_let_through(right):
    assert not Module(right).problems()


MARKUP = {
    "chart.ts": "a constant",
    "keys.ts": "a constant",
    "presenter.ts": "a constant",
    "theme.ts": "a constant",
    "formula_rows.ts": "formulas of the project, code and shapes, escaped by formula_rows.py",
    "diagram.ts": "the picture of playground/pictures/diagram.py, which escapes",
    "explained.ts": "what step/explanation.py says, which escapes, and a formula as ui/parts/mathml.py writes it",
    "expression.ts": "formulas of the project as ui/parts/mathml.py writes them, and a curve of numbers",
    "slow_motion.ts": "HTML of slow_motion_view.py, which escapes",
    "statement.ts": "the source of this project, escaped by statement.py",
}
"""Scripts that read text as HTML, and what they read."""


def test_scripts_read_nothing_else_as_html():
    reads = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|srcdoc|document\.write|createContextualFragment|DOMParser"
    )
    scripts = (ROOT / "playground" / "ui").rglob("*.ts")
    assert {path.name for path in scripts if reads.search(path.read_text())} == set(MARKUP)


def test_plain_text_has_no_markdown():
    """Functions that show asterisks as they are."""
    plain = ("style.caption", "style.message", "style.notice")
    for path in [*(ROOT / "playground" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in plain:
                assert "**" not in ast.unparse(node.args[0]), f"{path.name}:{node.lineno}"
