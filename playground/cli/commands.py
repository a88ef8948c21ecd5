"""Shared by all commands: one-line errors, progress bars, and options for settings."""

import codecs
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import torch
import typer
from pydantic import ValidationError
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from typer.core import TyperGroup
from typer.exceptions import TyperException

from playground.cli.terminal_bar import Bar
from playground.common.errors import PlaygroundError, one_line
from playground.common.paths import PathError, user_path
from playground.decoding.long_inputs import MAX_FACTOR, MAX_LENGTH
from playground.runs.backends import Backend, backend_of
from playground.settings.config import Change, RunConfig, in_order, parse_value
from playground.settings.host import Host
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.storage import validation
from playground.tasks.cleaning import changes as changes_of_text
from playground.tasks.text import MAX_FILE_BYTES, read_file


class _OneLineErrors(TyperGroup):
    """Prints usage errors on one line; without a command it prints the help."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **kwargs: Any) -> Any:
        arguments = list(sys.argv[1:] if args is None else args) or ["--help"]
        kwargs["standalone_mode"] = False
        _speak_utf8()
        arguments = [text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape") for text in arguments]
        torch.set_num_threads(1)  # a second thread gains little alone and costs much beside other programs
        try:
            code = super().main(arguments, *rest, **kwargs)
        except TyperException as error:
            print(f"Error: {_in_words(error)}", file=sys.stderr)
            sys.exit(error.exit_code)
        sys.exit(code if isinstance(code, int) else 0)


def _in_words(error: TyperException) -> str:
    """A usage error on one line; where pydantic refused a value, with what is allowed."""
    refused, option = error.__cause__, getattr(error, "param", None)
    if option is not None and isinstance(refused, ValidationError):
        kind = option.type_descriptor.annotation
        one_of = f"one of {', '.join(get_args(kind))}" if get_origin(kind) is Literal else ""
        if allowed := one_of or _numbers(kind, option.type_descriptor.parameter_info):
            return f"{option.opts[0]} can't be {one_line(refused.errors()[0]['input'], 60)}. Use {allowed}."
    return " ".join(error.format_message().split())


def _numbers(kind: type, option: Any) -> str:
    """The numbers that an option allows, in words: "a whole number from 1 to 100"; "" for another kind."""
    noun = {int: "a whole number", float: "a number"}.get(kind, "")
    low, high = (f"{end:,}" if end is not None else "" for end in (option.min, option.max))
    ends = (
        f" from {low} to {high}" if low and high else f" of at least {low}" * bool(low) + f" up to {high}" * bool(high)
    )
    return noun and noun + ends


def _speak_utf8() -> None:
    """Write UTF-8 where the locale is ASCII, as Python does in the C locale; elsewhere escape what it can't write."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if codecs.lookup(stream.encoding).name == "ascii":
                stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # file names come as their bytes
            else:
                stream.reconfigure(errors="backslashreplace")


app = typer.Typer(
    cls=_OneLineErrors,
    help="Train, inspect and use tiny transformers.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def path(given: str) -> Path:
    """The type of every option and argument that is a path; see `user_path`."""
    try:
        return user_path(given)
    except PathError as error:
        raise typer.BadParameter(str(error)) from None


CheckpointFolder = Annotated[
    Path, typer.Argument(parser=path, metavar="DIR", help="A checkpoint folder.", show_default=False)
]
Input = Annotated[
    str,
    typer.Option(
        "--input",
        help='Symbols separated by spaces, for example "3 1 4". At most as long as in training (task.max_length); with '
        f"sinusoidal, rotary or no positions {MAX_FACTOR} times as long, at most {MAX_LENGTH}.",
    ),
]


BackendName = Annotated[
    Literal["local", "ray"], typer.Option("--backend", help="Train on this machine or on a Ray cluster.")
]
Address = Annotated[
    str, typer.Option("--address", help="host:port of the Ray cluster. Default: the cluster on this machine.")
]


class UsageError(PlaygroundError):
    """An invalid option."""


@contextmanager
def plain_errors() -> Iterator[None]:
    """Print a `PlaygroundError` on one line to standard error and exit with code 2."""
    try:
        yield
    except PlaygroundError as error:
        print(f"Error: {one_line(error, 2000)}", file=sys.stderr)
        raise typer.Exit(2) from None


def note(sentence: str) -> None:
    """Print a sentence, unless it is empty, to standard error."""
    if sentence:
        print(f"Note: {sentence}", file=sys.stderr)


def backend_named(name: str, address: str) -> Backend:
    """The backend named by `--backend` and `--address`."""
    if name == "local" and address:
        raise UsageError("--address needs --backend ray.")
    return backend_of(Host(backend=name, ray_address=address))


@contextmanager
def progress() -> Iterator[Callable[[str, float | None], None]]:
    """A progress bar, see `Bar`; yields a callback for any thread: words, and the fraction done if it is known."""
    with Bar(TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()) as bar:
        task = bar.add_task("", total=None)

        def report(stage: str, share: float | None) -> None:
            bar.update(task, description=stage, completed=share or 0.0, total=None if share is None else 1.0)

        yield report


def settings(
    preset: str | None,
    file: Path | None,
    changes: list[str],
    seed: int | None,
    steps: int | None,
    text: Path | None = None,
) -> tuple[RunConfig, list[Change]]:
    """Settings and mid-run changes from a preset or a config file; the other options override both."""
    if preset is not None and file is not None:
        raise UsageError("--preset and --config cannot be combined.")
    if preset is not None and preset not in PRESETS:
        raise UsageError(f"--preset {preset} does not exist. Choose one of {', '.join(PRESETS)}.")
    usual = DEFAULT_PRESET if text is None else "text"
    config, mid_run = _read_config(file) if file else (PRESETS[preset or usual].config, ())
    updates: dict[str, Any] = {}
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals:
            raise UsageError(f"--set {change} has no value. Write it like model.d_model=64.")
        updates[path.strip()] = parse_value(path.strip(), value.strip())
    if text is not None:
        if (name := updates.get("task.name", config.task.name)) != "text":
            raise UsageError(f"--text is for the task text, and the task is {name}.", "Use --preset text.")
        updates["task.text"] = _read_text(text)
    if isinstance(given := updates.get("task.text"), str):
        note(changes_of_text(given))
    if seed is not None:
        updates["seed"] = seed
    if steps is not None:
        updates["training.steps"] = steps
    left = [(change.step, {k: v for k, v in change.settings.items() if k not in updates}) for change in mid_run]
    config = config.updated(updates)
    return config, list(in_order(config, [Change(step, settings) for step, settings in left if settings]))


def _read_text(file: Path) -> str:
    return read_file(_beginning(file, "--text", MAX_FILE_BYTES + 1))


def _read_config(file: Path) -> tuple[RunConfig, tuple[Change, ...]]:
    content = _beginning(file, "--config", validation.MAX_CONFIG_BYTES + 1)
    return validation.parse_settings(content, f"--config {file}", lambda text: note(changes_of_text(text)))


def _beginning(file: Path, option: str, most: int) -> bytes:
    """The first `most` bytes of a file, which can be of any size."""
    try:
        with file.open("rb") as opened:
            return opened.read(most)
    except OSError as error:
        raise UsageError(f"{option} {file} could not be read: {error.strerror}.") from None
