"""Definitions of this project and all that they need, verbatim, without an import of this project."""

import ast
import importlib.util
import symtable
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from graphlib import TopologicalSorter
from pathlib import Path

from playground.common.errors import PlaygroundError

Definition = tuple[str, str]
"""A module and a name that it defines."""

PACKAGE = __name__.partition(".")[0]


class BundleError(PlaygroundError, ValueError):
    """A definition that can't stand without its project."""


@dataclass(frozen=True)
class Section:
    """The definitions that are needed from one module."""

    module: str
    sentence: str  # the first of its docstring
    text: str


@dataclass(frozen=True)
class Bundle:
    """Code that runs by itself: the imports, then the sections in order."""

    imports: Sequence[str]
    sections: Sequence[Section]


@dataclass(frozen=True)
class _Statement:
    text: str
    names: frozenset[str]  # what it defines

    @cached_property
    def node(self) -> ast.stmt:
        return ast.parse(self.text).body[0]

    @cached_property
    def needs(self) -> list[str]:
        """Global names that it reads, those in its annotations included, sorted."""
        names: set[str] = set()
        tables = [symtable.symtable(self.text, "definition", "exec")]
        while tables:
            table = tables.pop()
            top = table.get_type() == "module"
            names |= {symbol.get_name() for symbol in table.get_symbols() if top or symbol.is_global()}
            tables += table.get_children()
        return sorted(names | set(_quoted(self.node)))


@dataclass
class _Module:
    """The statements of a module, and where its names come from."""

    sentence: str = ""
    statements: list[_Statement] = field(default_factory=list)
    imported: dict[str, Definition] = field(default_factory=dict)  # from this project
    foreign: dict[str, str] = field(default_factory=dict)  # the import statement
    types: set[str] = field(default_factory=set)  # of the names from this project, those that only annotations read

    def read(self, text: str) -> None:
        """Add the statements of a source text."""
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                for each in node.body:
                    self._import(each, for_types=True)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                if self.statements:  # the docstring of what is before it
                    last = self.statements[-1]
                    self.statements[-1] = _Statement(f"{last.text}\n{_lines(lines, node)}", last.names)
            elif not self._import(node):
                self.statements.append(_Statement(_lines(lines, node), frozenset(_defined(node))))

    def _import(self, node: ast.stmt, for_types: bool = False) -> bool:
        """True if a statement is an import; stores what it imports."""
        if isinstance(node, ast.Import):
            self.foreign |= {alias.asname or alias.name: f"import {_alias(alias)}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if node.module.partition(".")[0] != PACKAGE:
                    self.foreign[alias.asname or alias.name] = f"from {node.module} import {_alias(alias)}"
                    continue
                self.imported[alias.asname or alias.name] = (node.module, alias.name)
                if for_types:
                    self.types.add(alias.asname or alias.name)
        else:
            return False
        return True


def bundle(roots: Sequence[Definition], instead: Mapping[Definition, str]) -> Bundle:
    """Some definitions and all that they need.

    `instead` has the text of definitions that are replaced; it may begin with imports of its own. Raises `BundleError`
    where a definition needs a module as a whole, and where two modules use one name for different things.
    """
    modules = {name: _module(name) for name in {module for module, _ in instead}}
    for (name, of), text in instead.items():
        replaced = _Module()
        replaced.read(text)
        old = modules[name]
        modules[name] = _Module(
            old.sentence,
            [statement for one in old.statements for statement in (replaced.statements if of in one.names else [one])],
            old.imported | replaced.imported,
            old.foreign | replaced.foreign,
            old.types | replaced.types,
        )
    taken: dict[str, set[int]] = {}  # statements by module
    before: dict[str, dict[str, None]] = {}  # modules that a module needs
    imports: set[str] = set()
    defined: dict[str, str] = {}

    def find(module: str, name: str) -> str:
        """Take what defines a name; returns its module, "" for a name from elsewhere."""
        here = modules.setdefault(module, _module(module))
        if own := [index for index, statement in enumerate(here.statements) if name in statement.names]:
            if defined.setdefault(name, module) != module:
                raise BundleError(f"{defined[name]} and {module} both define {name}.")
            for index in own:
                take(module, index)
            return module
        if name in here.imported:
            there, called = here.imported[name]
            if called != name:
                raise BundleError(f"{module} imports {called} as {name}.")
            found = find(there, name)
            if not found:
                raise BundleError(f"{module} needs {there}.{name} as a whole.")
            return found
        if name in here.foreign:
            imports.add(here.foreign[name])
        return ""

    def take(module: str, at: int) -> None:
        if at in taken.setdefault(module, set()):
            return
        taken[module].add(at)
        statement = modules[module].statements[at]
        for node in ast.walk(statement.node):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == PACKAGE:
                raise BundleError(f"{module} imports {node.module} inside a function.")
        before.setdefault(module, {})
        for name in statement.needs:
            there = find(module, name)
            if there and there != module and name not in modules[module].types:
                before[module][there] = None

    for module, name in roots:
        if not find(module, name):
            raise BundleError(f"{module} does not define {name}.")
    order = TopologicalSorter(before).static_order()
    sections = [
        Section(
            name, modules[name].sentence, _joined([modules[name].statements[index] for index in sorted(taken[name])])
        )
        for name in order
    ]
    return Bundle(sorted(imports, key=lambda line: (line.startswith("from"), line)), sections)


def properties(kind: type) -> dict[str, str]:
    """The properties of a class, verbatim, by name."""
    text = _text(kind.__module__, kind.__name__)
    lines, (node,) = text.splitlines(), ast.parse(text).body
    assert isinstance(node, ast.ClassDef)
    return {
        each.name: _lines(lines, each)
        for each in node.body
        if isinstance(each, ast.FunctionDef) and any(ast.unparse(by) == "property" for by in each.decorator_list)
    }


def chosen(module: str, name: str, keys: Mapping[str, object]) -> str:
    """A definition, verbatim but for the tables of its module, dictionaries: a look-up there becomes what it finds.

    `keys` has the key for each table. In place of the call of a lambda stands what it computes; it must have the names
    of the arguments as parameters.
    """
    text = _text(module, name)
    while found := next((each for each in ast.walk(ast.parse(text)) if _looked_up(each) in keys), None):
        table = _looked_up(found)
        rows = ast.parse(_text(module, table)).body[0]
        assert isinstance(rows, ast.Assign | ast.AnnAssign)
        assert isinstance(rows.value, ast.Dict)
        row = dict(zip(map(ast.literal_eval, filter(None, rows.value.keys)), rows.value.values))[keys[table]]
        if isinstance(row, ast.Lambda):
            found = next(
                each
                for each in ast.walk(ast.parse(text))
                if isinstance(each, ast.Call) and _looked_up(each.func) == table
            )
            row = row.body
        text = text.replace(ast.get_source_segment(text, found) or "", ast.unparse(row))
    return text


def _text(module: str, name: str) -> str:
    (text,) = (statement.text for statement in _module(module).statements if name in statement.names)
    return text


def _looked_up(node: ast.AST) -> str:
    """The name of the table in `TABLE[key]`, "" for anything else."""
    return node.value.id if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) else ""


@lru_cache(maxsize=128)
def _module(name: str) -> _Module:
    """A module of this project as its file has it; callers don't change it."""
    specification = importlib.util.find_spec(name)
    if specification is None or specification.origin is None:
        raise BundleError(f"There is no module {name}.")
    text = Path(specification.origin).read_text(encoding="utf-8")
    module = _Module((ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].replace("\n", " "))
    module.read(text)
    return module


def _lines(lines: Sequence[str], node: ast.stmt) -> str:
    """The lines of a statement, with its decorators and the comment right above it."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", ()))]) - 1
    while first and lines[first - 1].startswith("#"):
        first -= 1
    return "\n".join(lines[first : node.end_lineno])


def _defined(node: ast.AST) -> Iterator[str]:
    """The names of a module that a statement defines; a comprehension's variable is none, nor is one in a function."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    else:
        parts = (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.comprehension | ast.Lambda))
        for part in parts:
            yield from _defined(part)


def _quoted(node: ast.stmt) -> Iterator[str]:
    """Names in annotations that are strings."""
    for inner in ast.walk(node):
        of = getattr(inner, "annotation", None) or getattr(inner, "returns", None)
        for part in ast.walk(of) if of else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from (name.id for name in ast.walk(ast.parse(part.value)) if isinstance(name, ast.Name))


def _alias(each: ast.alias) -> str:
    return f"{each.name} as {each.asname}" if each.asname else each.name


def _joined(statements: Sequence[_Statement]) -> str:
    """Two empty lines around functions and classes, none between assignments."""
    text = ""
    for before, statement in zip([None, *statements], statements):
        blocks = [isinstance(one.node, ast.FunctionDef | ast.ClassDef) for one in (before, statement) if one]
        text += ("\n\n\n" if any(blocks) else "\n") * bool(before) + statement.text
    return text
