"""The house: who may import whom, and that the README tells the truth about it."""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests import lock

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
DOCUMENTS = {name: (ROOT / ".github" / f"{name}.md").read_text() for name in ("ARCHITECTURE", "CONTRIBUTING")}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = [Requirement(line) for lines in PROJECT["optional-dependencies"].values() for line in lines]

OF_EXTRAS = {"ray", "nbformat", "onnx", "onnxruntime", "onnxscript", "transformers"}
"""Packages that neither the app nor its image needs: of a cluster, and of single formats."""
UNTESTED = {"transformer-lens"}
"""An extra that brings so many packages that the tests go without: its weights are tested without it."""

ROOMS = [
    ("__main__",),
    ("cli", "ui"),
    ("laboratory", "lessons", "rooms"),
    ("export",),
    ("experiments",),
    ("interpret",),
    ("runs",),
    ("hub",),
    ("storage",),
    ("pictures", "explain"),
    ("training",),
    ("processes",),
    ("decoding",),
    ("settings",),
    ("model",),
    ("recording", "tasks", "optimization"),
    ("common",),
]
"""Floor by floor, from the top down: a file imports from its own room and from rooms on floors below."""

UI = ROOT / "playground" / "ui"
SCREEN_ROOMS = (
    "shell",
    "room",
    "build",
    "train",
    "step",
    "experiment",
    "generate",
    "learn",
    "checkpoints",
    "passes",
    "hub",
    "runs",
    "parts",
    "server",
    "session",
)
"""Of the screen, from the top down."""

OF_ONE_PAGE = {"build", "train", "step", "experiment", "generate", "learn", "checkpoints"}
"""Rooms that stand beside each other."""

MAX_FILES = 22
"""Of a room, beside each other."""


def modules() -> list[Path]:
    return sorted(path for path in (ROOT / "playground").rglob("*.py") if path != ROOT / "playground" / "__init__.py")


def for_types(node: ast.AST) -> bool:
    """True for a block of imports that only a type checker reads."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


@cache
def imports(path: Path) -> set[str]:
    """Modules, and names in them, that a file imports when it runs, inside functions too."""
    names, nodes = set(), [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        nodes += [child for child in ast.iter_child_nodes(node) if not for_types(child)]
    return names


def floor(path: Path) -> str:
    return path.relative_to(ROOT / "playground").parts[0].removesuffix(".py")


def test_imports_point_down_the_house():
    below = {room: depth for depth, rooms in enumerate(ROOMS) for room in rooms}
    assert {floor(path) for path in modules()} == set(below)
    for path in modules():
        for name in imports(path):
            if (match := re.fullmatch(r"playground\.(\w+).*", name)) and match[1] != floor(path):
                assert below[match[1]] > below[floor(path)], f"{path} imports {name} from above"


def test_no_files_import_each_other_in_a_circle():
    files = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}
    files = {name.removesuffix(".__init__"): path for name, path in files.items()}
    needed = {name: {to if to in files else to.rpartition(".")[0] for to in imports(files[name])} for name in files}
    TopologicalSorter({name: (needs & files.keys()) - {name} for name, needs in needed.items()}).prepare()


def room(path: Path) -> str:
    return path.relative_to(UI).parts[0]


def uses(path: Path) -> set[str]:
    """The rooms whose modules, scripts and style sheets this file names."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return {match[1] for name in imports(path) if (match := re.match(r"playground\.ui\.(\w+)", name))}
    files = [(path.parent / name).resolve() for name in re.findall(r'(?:from|import) "(\.[^"]+)"', text)]
    return {room(file) for file in files if file.is_relative_to(UI)}


STREAMLIT_NAME = r"\.st[A-Z]\w*|\[data-(?:test[\w-]+|variant|selected)[^\]]*\]|\.st-key-[\w-]+"
"""Classes and attributes of Streamlit's DOM in the text of a script or style sheet."""

SCREEN = sorted(path for path in UI.rglob("*") if path.suffix in (".py", ".ts") and path.parent != UI)


def test_a_room_of_the_screen_uses_only_rooms_below_it():
    for path in SCREEN:
        here = room(path)
        for there in uses(path) - {here}:
            assert SCREEN_ROOMS.index(there) > SCREEN_ROOMS.index(here), path
            assert not {here, there} <= OF_ONE_PAGE, path


def test_the_rooms_of_the_screen_are_those_of_the_documentation():
    assert {room(path) for path in SCREEN} == set(SCREEN_ROOMS)


def test_names_of_streamlit_s_dom_stand_in_one_script_and_one_style_sheet():
    files = [path for path in UI.rglob("*") if path.suffix in (".py", ".ts", ".css") and path.parent.name != "static"]
    named = {path.name for path in files if re.search(STREAMLIT_NAME, path.read_text())}
    assert named == {"streamlit_dom.ts", "page.css"}


def test_no_room_is_a_hall():
    for folder in {path.parent for path in SCREEN}:
        files = [path.name for path in folder.iterdir() if path.suffix in (".py", ".ts", ".css")]
        assert len(files) <= MAX_FILES, folder


def test_no_two_modules_share_a_name_and_none_has_one_of_the_standard_library_s():
    names = [path.stem for path in modules() if path.stem not in ("__init__", "__main__")]
    assert sorted(set(names)) == sorted(names)
    assert not {path.stem for path in SCREEN if path.suffix == ".py"} & (sys.stdlib_module_names - {"__init__"})


def test_no_two_modules_define_a_type_of_the_same_name():
    """The lessons and their check of a student's code have words of their own."""
    homes: dict[str, list[str]] = {}
    for path in (ROOT / "playground").rglob("*.py"):
        if path.relative_to(ROOT).parts[1] == "lessons":
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [node.name] if isinstance(node, ast.ClassDef) else [getattr(each, "id", "") for each in targets]
            for name in names:
                if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name):
                    homes.setdefault(name, []).append(path.name)
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_hooks_are_set_in_one_room():
    """Whoever reads or changes tensors of a pass uses the functions of `recording`."""
    named = {path.parent.name for path in modules() if re.search(r"register_\w*hook", path.read_text(encoding="utf-8"))}
    assert named == {"recording"}


def test_only_the_ui_knows_the_screen():
    know = {path for path in modules() if any(name.split(".")[0] == "streamlit" for name in imports(path))}
    assert {floor(path) for path in know} == {"ui"}, know


LIMIT_OF_A_WAIT = "|".join(
    (
        *(r"until\(.*, [\d.]+\)$", r"\.(?:wait|join)\(\d\d", r"wait_for\(.*, \d", r"timeout=\d"),
        *(r"monotonic\(\) [+] \d", r"perf_counter\(\) [+] \d"),
    )
)
TIMED_OUT = {"test_hub_server.py", "test_library_isolation.py", "test_time.py"}
"""Tests in which a client or a clock has a limit of its own; none of them waits for something in it."""


def test_no_wait_of_a_test_has_a_limit_of_its_own():
    files = {path for path in (ROOT / "tests").rglob("test_*.py") if path.name not in TIMED_OUT}
    lines = [(path.name, line) for path in sorted(files) for line in path.read_text(encoding="utf-8").splitlines()]
    assert not [(name, line) for name, line in lines if re.search(LIMIT_OF_A_WAIT, line)], "a slow machine: HANG"


def test_the_model_knows_neither_files_nor_screen():
    known = {"playground", "torch", "collections", "dataclasses", "functools", "math", "typing"}
    for path in (ROOT / "playground" / "model").glob("*.py"):
        assert {name.split(".")[0] for name in imports(path)} <= known, path


def test_backends_import_nothing_else_of_runs():
    for path in (ROOT / "playground" / "runs" / "backends").glob("*.py"):
        above = {name for name in imports(path) if name.startswith("playground.runs")}
        assert all(name.startswith("playground.runs.backends") for name in above), path


def test_pages_are_thin():
    for path in (ROOT / "pages").glob("*.py"):
        assert len(path.read_text().splitlines()) <= 200, path


def test_every_library_that_is_imported_is_a_requirement():
    files = [*(ROOT / "playground").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    used = {name.split(".")[0] for path in files for name in imports(path)} - sys.stdlib_module_names - {"playground"}
    used -= {name.replace("-", "_") for name in UNTESTED}
    provided = importlib.metadata.packages_distributions()
    needed = {re.sub(r"[-_.]+", "-", name).lower() for module in used for name in provided[module]}
    declared = {Requirement(line).name for line in PROJECT["dependencies"]} | {each.name for each in EXTRAS}
    assert needed <= declared | {"onnx", "onnxscript"}, "torch imports these two"


def versions(path: Path) -> dict[str, str]:
    """Exact version of each package in a file of them."""
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_every_package_is_installed_in_an_exact_version_that_pyproject_allows():
    app, tests = versions(lock.APP), versions(lock.TESTS)
    group = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]["tests"]
    for each in [*map(Requirement, PROJECT["dependencies"]), *EXTRAS, *map(Requirement, group)]:
        if each.name not in {PROJECT["name"], *UNTESTED}:
            home = tests if each.name in {*OF_EXTRAS, *(Requirement(line).name for line in group)} else app
            assert (home | app)[each.name] in each.specifier, f"{each}: run python -m tests.lock"
    assert not set(app) & (OF_EXTRAS | set(tests))


def test_what_a_package_needs_is_written_with_an_exact_version_too():
    written = versions(lock.APP) | versions(lock.TESTS)
    for name in written:
        with suppress(importlib.metadata.PackageNotFoundError):  # of another platform
            needed = map(Requirement, importlib.metadata.requires(name) or [])
            for each in (each for each in needed if not each.marker or each.marker.evaluate({"extra": ""})):
                plain = re.sub(r"[-_.]+", "-", each.name).lower()
                assert plain in written or lock.OF_TORCH.fullmatch(plain), f"{name} needs {each}"


def test_the_image_and_the_tests_check_a_hash_of_every_package_but_torch():
    assert versions(lock.HASHED_APP).items() == versions(lock.APP).items() - {("torch", versions(lock.APP)["torch"])}
    for path in (lock.HASHED_APP, lock.TESTS):
        entries = re.findall(r"^\S+==(?:.*\\\n)*.*", path.read_text(), re.MULTILINE)
        assert len(entries) == len(versions(path))
        assert all("--hash=sha256:" in entry for entry in entries)


PUSH = """
try:
    playground.push("my-copy", "ada/copy", token=False)
except playground.PlaygroundError as error:
    print(error)
"""


def test_the_package_without_extras_trains_saves_and_loads_and_says_what_a_push_needs(tmp_path):
    extra = {each.name for each in EXTRAS}
    provided = importlib.metadata.packages_distributions()
    refused = {top for top, names in provided.items() if {re.sub(r"[-_.]+", "-", n).lower() for n in names} & extra}
    assert {"streamlit", "altair", "pandas"} <= refused
    (example,) = re.findall(r"## Python\n.*?```python\n(.*?)```", README, re.DOTALL)
    program = f"import sys; sys.modules |= dict.fromkeys({sorted(refused)})\n{example}{PUSH}"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    *lines, push = ran.stdout.splitlines()
    assert lines.count("3 1 4 1 5") == 2, "right before it is saved and after, wrong without attention"
    assert push == "A push needs altair. Nothing was pushed. Install this package with its [hub] extra."


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return listed.split()


def test_the_top_level_holds_what_it_should():
    allowed = {"app.py", "pages", "playground", "checkpoints", "tests", "requirements.txt", "README.md"}
    allowed |= {"pyproject.toml", "LICENSE", "Dockerfile"}
    top = {path.split("/")[0] for path in tracked()}
    assert {name for name in top if not name.startswith(".")} <= allowed


def tree(text: str) -> set[str]:
    """The paths in the first file tree of a document."""
    found, folders = set(), []
    for line in re.search(r"## Where (?:things are|everything lives)\n.*?```\n(.*?)```", text, re.DOTALL)[
        1
    ].splitlines():
        depth = (len(line) - len(line.lstrip())) // 4
        folders = [*folders[:depth], line.split()[0].rstrip("/")]
        found.add("/".join(folders))
    return found


def test_the_file_trees_in_the_documents_are_true():
    everything = [*(ROOT / "playground").glob("*"), ROOT / "pages"]
    for document, paths in (
        (README, [path for path in everything if path.is_dir()]),
        (DOCUMENTS["ARCHITECTURE"], everything),
    ):
        named = tree(document)
        assert not [path for path in named if not (ROOT / path).exists()]
        wanted = {str(path.relative_to(ROOT)) for path in paths if not path.name.startswith("__")}
        assert wanted <= named


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "pages").glob("*.py")))
def test_a_page_begins_with_what_it_shows_and_has_a_row(name):
    from playground.ui.session.pages import PAGES

    (row,) = (row for row in PAGES.values() if row.name == name)
    first = (ROOT / "pages" / f"{name}.py").read_text().splitlines()[0]
    assert re.fullmatch(rf'"""{row.title}: .+\."""', first), first


def test_the_readme_fits_its_readers():
    assert len(README.splitlines()) <= 200


def test_the_readme_and_ci_run_the_same_tests():
    assert "python3 -m tests" in README
    assert (ROOT / ".ci" / "run").read_text().strip().endswith("exec python3 -m tests")
    assert "python3 -m tests" in (ROOT / ".github" / "workflows" / "tests.yml").read_text()


def test_every_picture_and_file_the_readme_points_to_exists():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", README):
        assert (ROOT / "".join(target)).exists(), target


def test_every_file_of_the_screen_that_is_named_in_prose_exists():
    prose = README + "".join(DOCUMENTS.values())
    named = re.findall(r"`(?:playground/)?ui/([\w/]+\.\w+)`", prose)
    assert len(named) > 40
    assert not [name for name in named if not (UI / name).exists()]


def test_every_subcommand_the_readme_names_exists():
    from playground.cli import app

    known = {command.name or command.callback.__name__ for command in app.registered_commands}
    named = set(re.findall(r"python -m playground (\w+)", README))
    assert named == known


def test_every_environment_variable_is_in_the_one_table():
    source = "".join(path.read_text() for path in [*modules(), ROOT / "app.py", *(ROOT / "pages").glob("*.py")])
    read = set(re.findall(r"PLAYGROUND_[A-Z_]+", source))
    read |= set(re.findall(r"environ(?:ment)?(?:\.get\(|\[)\s*\"([A-Z_]+)\"", source))
    read |= set(re.findall(r"\"([A-Z_]+)\" in os\.environ", source))
    assert {"PLAYGROUND_SIZE_FACTOR", "SPACE_ID", "OAUTH_SCOPES"} <= read
    documented = re.findall(r"^\| `([A-Z_]+)` \|", README, re.MULTILINE)
    assert read - {"PYTHONPATH"} <= set(documented)  # that one is Python's, handed on to workers
    assert len(documented) == len(set(documented))


def test_what_registers_routes_and_channels_is_imported_by_the_start():
    from playground.ui import startup

    marks = re.compile(r"(?m)^(?:@|channels\.)(?:visitor_route|route|channels?\.|run_channel|own_channel)")
    registering = {path.stem for path in SCREEN if path.suffix == ".py" and marks.search(path.read_text())}
    assert registering == {module.__name__.rpartition(".")[2] for module in startup.REGISTERED}
