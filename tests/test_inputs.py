"""What a person hands in: paths with `~`, files of any editor, any locale, and one way to write a text."""

import codecs
import inspect
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import playground
from playground import cli
from playground.cli.commands import path
from playground.common.paths import PathError, decoded, user_path
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.settings.config import RunConfig
from playground.settings.host import Host, HostError
from playground.settings.presets import PRESETS
from playground.storage import checkpoint
from playground.storage.validation import parse_settings
from playground.tasks import changed_input, encode, text_of
from playground.tasks.cleaning import cleaned
from playground.ui.parts.charts import vega
from playground.ui.session import form_settings
from playground.ui.session import session_keys as keys
from tests.helpers import HANG, prose
from tests.pages import fine, page
from tests.saved import TINY
from tests.test_cli import SETTINGS, done, run

WORDS = {
    "Persian": ["کتاب\u200cها", "می\u200cروم", "خانه\u200cها", "آب", "می\u200cخواهم", "شهر"],
    "French": ["cafe\u0301\u00a0:", "mai\u0308s", "l’e\u0301te\u0301", "«\u202foui\u202f»", "ça", "où"],
    "tabs": ["alpha\tbeta", "gamma\t", "\tdelta", "eta\ttheta", "iota"],
    "Windows": ["one\r\n", "two", "three\r\n\r\n", "four", "five\r\n"],
    "emoji": ["👩\u200d👩\u200d👧", "❤\ufe0f", "👨\u200d🚀", "go", "stop"],
}
"""Words of texts as people have them."""


def own_text(kind: str) -> str:
    return " ".join(random.Random(kind).choices(WORDS[kind], k=700))


# --- one way to write a text ----------------------------------------------------------------------


@pytest.mark.parametrize("kind", WORDS)
def test_every_word_of_ones_own_text_can_be_asked(kind: str):
    config = RunConfig().updated({"task.name": "text", "task.text": own_text(kind), "task.max_length": 16})
    for word in WORDS[kind]:
        assert text_of(encode(word, config.task), config.task).replace("↵", "\n") == cleaned(word)


def test_joiners_are_kept_in_a_text_and_in_an_input():
    assert cleaned(own_text("Persian")) == own_text("Persian")
    config = RunConfig().updated({"task.name": "text", "task.text": own_text("Persian"), "task.max_length": 16})
    assert "\u200c" in text_of(encode("می\u200cروم", config.task), config.task)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of a text with everything that is written in more than one way."""
    config = PRESETS["text"].config.updated(
        {"task.text": "".join(map(own_text, WORDS)), "task.max_length": 16, "model.d_model": 8, "model.d_ff": 16}
    )
    folder = tmp_path_factory.mktemp("text") / "model"
    checkpoint.save(folder, TaskModel(config), [])
    return folder


def test_commands_read_an_input_as_the_text_was_read_and_say_so(folder: Path, tmp_path: Path):
    for words in (["generate"], ["inspect", "--out", tmp_path / "w.json"], ["export", "--format", "npz", "--out"]):
        rest = [tmp_path / "a.npz"] if words[0] == "export" else []
        result = run(words[0], folder, "--input", "cafe\u0301\t", *words[1:], *rest)
        assert result.exit_code == 0, result.output
        assert (
            "Note: Changed in the input: tabs became plain spaces, accents were joined with their letters."
            in result.stderr
        )


def test_train_says_what_it_changes_in_a_text(tmp_path: Path):
    file = tmp_path / "own.txt"
    file.write_bytes(codecs.BOM_UTF16_LE + own_text("French").encode("utf-16-le"))
    small = ["--set", "model.d_model=8", "--set", "model.d_ff=16", "--set", "task.max_length=8", "--steps", 1]
    result = run("train", "--preset", "text", "--text", file, *small, "--out", tmp_path / "m")
    assert result.exit_code == 0, result.output
    assert "Note: Changed in the text: special spaces became plain spaces, accents were j" in result.stderr
    trained = checkpoint.load(tmp_path / "m").config.task.text
    assert trained == cleaned(own_text("French"))
    assert not checkpoint.load(tmp_path / "m").config.task.text.count("\u0301")


def test_a_text_in_settings_is_cleaned_wherever_it_comes_from():
    text, clean = own_text("tabs"), cleaned(own_text("tabs"))
    given: list[str] = []
    config, _ = parse_settings(json.dumps({"task": {"name": "text", "text": text}}).encode(), "it", given.append)
    assert (config.task.text, given) == (clean, [text])
    with pytest.warns(UserWarning, match="Changed in the text: tabs became plain spaces"):
        assert playground.configure("text", {"task.text": text}).task.text == clean
    (field,) = [param for param in form_settings.SETTINGS.params if param.word == "task.text"]
    assert field.read("a\tb") == "a b"


def test_spaces_that_only_separate_symbols_are_no_change():
    assert encode("3\t1\u00a04\ufeff", TINY.task) == encode("3 1 4", TINY.task)
    assert not changed_input("3\t1\u00a04", TINY.task)


# --- files ----------------------------------------------------------------------------------------

ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": b"",
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_file_of_settings_is_read_in_the_encoding_that_its_mark_names(encoding: str, tmp_path: Path):
    file = tmp_path / "settings.json"
    file.write_bytes(ENCODINGS[encoding] + json.dumps({"training": {"steps": 2}}).encode(encoding))
    assert decoded(file.read_bytes()).startswith("{")
    summary = json.loads(done("train", "--config", file, *SETTINGS[:-6], "--out", tmp_path / "m", "--json"))
    assert summary["steps"] == 2


def test_any_locale_reads_and_writes_utf8(folder: Path, tmp_path: Path):
    strict = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C", "PYTHONPATH": str(REPOSITORY)}
    word, out = "می\u200cروم é", tmp_path / "é"
    file = tmp_path / "ä.txt"
    file.write_text(own_text("Persian") + " é", "utf-8")

    def command(*words: object) -> str:
        whole = [sys.executable, "-m", "playground", *map(str, words)]
        ended = subprocess.run(whole, env=os.environ | strict, capture_output=True, timeout=HANG, cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout.decode("utf-8")

    small = ["--set", "model.d_model=8", "--set", "model.d_ff=16", "--set", "task.max_length=12", "--steps", 1]
    assert str(out) in command("train", "--preset", "text", "--text", file, *small, "--out", out)
    loaded = checkpoint.load(out)
    assert "\u200c" in loaded.config.task.text
    assert command("generate", out, "--input", word).rstrip("\n") == playground.answer(loaded.model, word)


# --- paths ----------------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


def parameters() -> Iterator[tuple[str, inspect.Parameter]]:
    for command in cli.app.registered_commands:
        assert command.callback is not None
        for parameter in inspect.signature(command.callback, eval_str=True).parameters.values():
            yield command.callback.__name__, parameter


def test_every_path_of_the_command_line_goes_through_one_function():
    seen = 0
    for command, parameter in parameters():
        if "Path" in str(parameter.annotation):
            (option,) = parameter.annotation.__metadata__
            assert option.parser is path, (command, parameter.name)
            seen += 1
    assert seen > 8


def test_a_home_folder_is_no_folder_named_after_it(home: Path, tmp_path: Path):
    done("train", *SETTINGS, "--out=~/m")
    done("generate", "~/m", "--input", "1 2")
    done("inspect", "~/m", "--input", "1 2", "--out=~/w.json")
    assert {each.name for each in home.iterdir()} == {"m", "w.json"}
    assert playground.load("~/m").config.task.name == "copy"
    playground.save("~/copy", playground.load("~/m"))
    assert (home / "copy").is_dir()
    assert not (tmp_path / "~").exists()


def test_variables_that_name_a_folder_know_the_home_folder(home: Path, monkeypatch: pytest.MonkeyPatch):
    assert Host.from_environment({"PLAYGROUND_CHECKPOINTS": "~/lib"}).checkpoints == home / "lib"
    monkeypatch.setenv("XDG_CACHE_HOME", "~/cache")
    assert vega._kept().is_relative_to(home / "cache")


def test_an_unknown_home_folder_is_refused_in_a_sentence(tmp_path: Path):
    with pytest.raises(PathError, match="home folder that does not exist"):
        user_path("~nobody-of-this-name/m")
    with pytest.raises(HostError, match=r"PLAYGROUND_CHECKPOINTS is .*home folder that does not exist"):
        Host.from_environment({"PLAYGROUND_CHECKPOINTS": "~nobody-of-this-name/m"})
    result = run("train", *SETTINGS, "--out", "~nobody-of-this-name/m")
    assert result.exit_code == 2
    assert "home folder that does not exist" in result.stderr


def test_the_page_says_what_it_changes_in_a_text():
    app, field = page("build.py"), keys.SETTING.of("task.text").name
    fine(app.selectbox(key="task.name").set_value("text").run())
    app.text_area(key=field).set_value(own_text("tabs")).run()
    assert fine(app).text_area(key=field).value == cleaned(own_text("tabs"))
    assert "Changed in the text: tabs became plain spaces." in prose(app)
