"""Everything that outlives one run of a page: in this session, and for this visitor in this process."""

import hashlib
import re
import secrets
import sys
from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from itsdangerous import BadSignature, Signer

from playground.config import LIVE, ConfigError, RunConfig, allowed, choices, setting_paths, value_at, value_text
from playground.config import differences as setting_differences
from playground.errors import CheckpointError
from playground.figures import counted
from playground.glossary import choice
from playground.host import Host, HostError
from playground.hub.jobs import Jobs
from playground.hub.sign_ins import SignIns
from playground.lessons.pitfalls import PITFALLS
from playground.presets import DEFAULT_PRESET, PRESETS, Preset
from playground.recording import REPOSITORY
from playground.runs import SLOW_MOTION, Run, Runs, RunView
from playground.storage.checkpoint import Checkpoint, load, read_summary
from playground.storage.library import Library
from playground.storage.validation import Origin
from playground.task_model import TaskModel
from playground.tasks import task_of
from playground.training import SOLVED_AT
from playground.ui.session import session_keys as keys
from playground.ui.session.secret import signer
from playground.ui.session.view import LONGEST, Field, View
from playground.ui.session.walks import Source

T = TypeVar("T")

try:
    HOST = Host.from_environment()
except HostError as error:
    sys.exit(str(error))  # the server's start ends with the sentence
RUNS = Runs(HOST, recipes=PITFALLS)
JOBS = Jobs()
"""Pushes and pulls of all visitors."""
QUESTIONS = Jobs(at_once=16, kept_seconds=300, by_kind=True)
"""What pages ask the Hub, by topic, see `asking`."""
MEASUREMENTS = Jobs(at_once=2, waiting=2)
"""What the Experiment page measures over many inputs, see `measurements`."""
SIGN_INS = SignIns(HOST.private_folder)
"""Who is signed in to the Hub, in all tabs of all visitors."""

VISITOR_COOKIE = "playground_visitor"
"""Name of the visitor's cookie inside the app; browsers know it by a longer one, see `cookies`."""

_NAME = re.compile(r"[A-Za-z0-9_-]{32}")  # of a visitor, as `new_visitor` makes them
_SIGNED = re.compile(r"[A-Za-z0-9_-]{32}\.[A-Za-z0-9_-]{43}")

RUN = "run"
"""Name of the source that is the run looked at, among the names of checkpoints; also its name in a link."""

LESSON = "lesson"
"""Word of a lesson's address."""

PACE = "pace"
"""Word of the pace in a lesson's address."""

PRESENT = "present"
"""The word of an address that the presenter view keeps for itself."""

_STEPS_A_SECOND = 15.0
_REMEMBERED_VISITORS = 10_000
_REMEMBERED_CHARACTERS = 20_000


def visitor() -> str:
    """Key of this visitor: from the browser's cookie or, where there is none (tests), for this session alone.

    A digest, so that the cookie itself, which is the right to control, stands in no folder name and no log.
    """
    return visitor_of(st.context.cookies.get(VISITOR_COOKIE)) or _digest(keys.VISITOR.get())


def visitor_of(cookie: object) -> str:
    """The same for a request of the browser itself, from its cookie; empty where this server did not sign it."""
    if not isinstance(cookie, str) or not _SIGNED.fullmatch(cookie):
        return ""
    try:
        return _digest(_signer().unsign(cookie).decode())
    except BadSignature:
        return ""


def new_visitor() -> str:
    """The cookie of somebody new: a name nobody can guess, signed by this server."""
    return _signer().sign(secrets.token_urlsafe(24)).decode()


def adopted(cookie: str) -> str:
    """The signed cookie for one from before cookies were signed; empty where nothing is kept for its visitor.

    So it is no invented one: who invents a name can't meet the 128 bits of a folder's.
    """
    known = _NAME.fullmatch(cookie) and (HOST.private_folder / _digest(cookie)).is_dir()
    return _signer().sign(cookie).decode() if known else ""


def _signer() -> Signer:
    return signer(HOST.private_folder, "visitor")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def library() -> Library:
    """The checkpoints this visitor may use: on a shared host those of the app and their own."""
    return library_of(visitor() if HOST.shared else "")


def library_of(visitor: str) -> Library:
    """The checkpoints that the visitor with this key may use; "" is nobody, who has those that ship with the app."""
    if not HOST.shared:
        return _library(HOST.checkpoints, HOST.quota_mb)
    return _library(HOST.private_folder / (visitor or "nobody") / "library", HOST.quota_mb, visitor or "nobody")


@lru_cache(maxsize=256)
def _library(root: Path, quota_mb: int, owner: str = "") -> Library:
    def refusal(needed: int) -> str:
        return RUNS.reserve_space(owner, needed) if owner else ""

    return Library(root, quota_bytes=quota_mb * 1_000_000 or None, refusal=refusal)


def not_kept() -> str:
    """Why runs that start here are not kept on disk, and what to do; empty if they are."""
    owner = RUNS.folder_owner
    if owner is None:
        return ""
    which = f" (process {owner.pid}, started {datetime.fromtimestamp(owner.started):%H:%M})" if owner.pid else ""
    if HOST.shared:
        return (
            "Another server uses the folder of this one. Runs started here are lost when this server ends. "
            "Save what you want to keep."
        )
    return (
        f"Another server{which} uses the same checkpoints folder. Runs started here are lost when this server ends. "
        "Save what you want to keep, or restart with PLAYGROUND_CHECKPOINTS set to another folder."
    )


def current_run() -> Run | None:
    """The run of their own that this visitor looks at in this tab: the one chosen here or else started last.

    None while this tab shows a lesson that has not begun.
    """
    if keys.LESSON.get():
        return None
    run = RUNS.owned(visitor(), keys.RUN.get()) or RUNS.current(visitor())
    if run is not None:
        run.mark_seen()
    return run


def shown_run() -> Run | None:
    """The run on the page: one's own or, by a link, somebody else's, which one may watch and not control.

    None while this tab shows a lesson that has not begun.
    """
    if keys.LESSON.get():
        return None
    wanted = st.query_params.get(RUN) or keys.RUN.get()
    if wanted and RUNS.owned(visitor(), wanted) is None:
        if run := RUNS.watched(wanted):
            keys.RUN.set(wanted)
            return run
        look_at(None)
        keys.STALE_LINK.set(True)
    elif wanted:
        keys.RUN.set(wanted)
    return current_run()


def look_at(run: Run | None) -> None:
    """Turns this tab to a run; None: to the one started last. A lesson that waits in this tab gives way."""
    leave_lesson()
    if RUN in st.query_params:
        del st.query_params[RUN]
    if run is None:
        keys.RUN.forget()
    else:
        own_settings()
        keys.RUN.set(run.id)
        RUNS.choose(visitor(), run.id)


def look_at_model(run: Run) -> None:
    """Turns this tab to a run, and its pages about a forward pass to the run's model."""
    look_at(run)
    keys.SOURCE.set(RUN)


def leave_lesson() -> None:
    """Ends the wait of a lesson in this tab: it has begun, or something else is looked at."""
    keys.LESSON.forget()
    if LESSON in st.query_params:
        asked = {LESSON, PACE, *setting_paths()}
        st.query_params.from_dict(
            {word: value for word, value in st.query_params.to_dict().items() if word not in asked}
        )


def is_mine(run: RunView) -> bool:
    """Whether this visitor may control the run."""
    return run.owner == visitor()


def start_run(config: RunConfig, *, paused: bool = False) -> Run:
    """Starts a run, or lets it wait for its turn, and looks at it; raises `RunError` where the host refuses it."""
    gpu = keys.DEVICE.get() == "GPU" and RUNS.backend.has_gpu
    pace = pace_of(config, keys.PACE.get())
    run = RUNS.start(visitor(), config, pace, paused=paused, device="cuda" if gpu else "cpu")
    look_at_model(run)
    return run


def continue_training(name: str) -> Run:
    """Trains a checkpoint of the library on, in a new run that begins with its weights, and looks at it.

    The settings are those it had in the end, the seed is the next, so that no batch comes twice; what is solved already
    does not stop at once. Raises `CheckpointError`, or `RunError` where the host refuses it.
    """
    path = library().path(name)
    checkpoint, measured = _load(path, stamp_of(path)), read_summary(path).measured
    config = checkpoint.config.after(checkpoint.changes, sys.maxsize)
    config = config.updated({"seed": (config.seed + 1) % 2**31})
    if measured.get("exact_match", 0) >= SOLVED_AT:
        config = config.updated({"training.stop_when_solved": False})
    pace = pace_of(config, keys.PACE.get())
    run = RUNS.start(visitor(), config, pace, checkpoint=(name, checkpoint.model))
    set_settings(config)
    look_at_model(run)
    return run


def branch_run(run: Run, step: int, settings: Mapping[str, Any] | None) -> Run:
    """Continues from a step of a run in a run of this visitor's own, and looks at it; see `Runs.branch`.

    Raises `RunError` or ValueError.
    """
    branch = RUNS.branch(visitor(), run, step, settings, pace=run.pace)
    look_at_model(branch)
    return branch


_remembered: OrderedDict[str, list[tuple[keys.Key[Any], Any]]] = OrderedDict()
"""What each visitor last had in the settings form, newest last."""


def own_settings() -> None:
    """Counts the form as this person's own from now on, whoever filled it in."""
    keys.LINKED_SETTINGS.forget()


def remember_settings() -> None:
    """Keeps the form for this visitor's next session: a page loaded again, or another tab.

    What a link has filled in is kept once the person has changed it or trained with it: a link may be anybody's.
    """
    linked = keys.LINKED_SETTINGS.get()
    kept = {key.name: key for key in (*(field.key for field in FORM.fields), keys.PACE, keys.TAB) if key.is_set()}
    if linked and all(kept[path].get() == value for path, value in linked.items() if path in kept):
        return
    own_settings()
    _remembered[visitor()] = [(key, key.get()) for key in kept.values() if _is_short(key.get())]
    _remembered.move_to_end(visitor())
    while len(_remembered) > _REMEMBERED_VISITORS:
        _remembered.popitem(last=False)


def _is_short(value: object) -> bool:
    """Whether a value can be kept for thousands of visitors; a text is kept with the run that learns it."""
    return not isinstance(value, str) or len(value) <= _REMEMBERED_CHARACTERS


def open_settings() -> None:
    """Fills the form once a session: from the link, or as this visitor left it, or from their run, or a preset."""
    if keys.SETTING.of("seed").is_set():
        return
    run = current_run()
    set_settings(run.config if run else PRESETS[DEFAULT_PRESET].config)
    keys.PACE.begin((pace_name(run) if run else None) or USUAL_PACE)
    for key, value in _remembered.get(visitor(), ()):
        key.set(value)
    if set(setting_paths()) & set(st.query_params) and (problem := read_link(st.query_params.to_dict())):
        keys.LINK_PROBLEM.set(problem)


def read_link(words: Mapping[str, str]) -> str:
    """Fills the form with the settings among the words of an address, the rest as in an empty link.

    Returns two sentences for each invalid setting; empty if all are valid.
    """
    wrong = FORM.apply(words)
    keys.LINKED_SETTINGS.set({field.word: field.key.get() for field in FORM.fields})
    return " ".join(f"The link's {path} is invalid. Use {allowed(setting_paths()[path])}." for path in wrong)


def lesson_words(pace: str | None) -> dict[str, str]:
    """The words of a lesson's address besides those of its settings."""
    return {LESSON: "1"} | ({PACE: pace} if pace not in (None, USUAL_PACE) else {})


def lesson_link_words(config: RunConfig, pace: str | None) -> dict[str, str]:
    """All words of a lesson's address, the seed always: a lesson without any setting has the default preset."""
    return lesson_words(pace) | {"seed": str(config.seed)} | link_words(config)


def link_words(config: RunConfig) -> dict[str, str]:
    """The words that `read_link` turns back into this config: what differs from an empty link, without a long text."""
    words = {path: str(value) for path, _, value in setting_differences(RunConfig(), config)}
    return {path: word for path, word in words.items() if len(word) <= LONGEST}


def _read_setting(path: str, text: str) -> Any:
    """The value that a link has for a setting; None if it is not even of the right kind. Bounds come later."""
    field = setting_paths()[path]
    try:
        if choices(field):
            return text if text in choices(field) else None
        if field.annotation is str:
            return text
        if field.annotation is bool:
            return {"true": True, "false": False}.get(text.lower())
        value = (int if field.annotation is int else float)(text)
        return value if abs(value) < 2**53 else None
    except ValueError:
        return None


FORM = View(
    "form",
    *(
        Field(path, keys.SETTING.of(path), partial(_read_setting, path), value_at(RunConfig(), path))
        for path in setting_paths()
    ),
)
"""The settings form in an address: what differs from the settings of an empty link."""


def link_settings() -> None:
    """Writes the form into the address, which then has no words of other pages."""
    if not all(field.key.is_set() for field in FORM.fields):
        return
    words = {PRESENT: st.query_params[PRESENT]} if PRESENT in st.query_params else {}
    if keys.LESSON.get():
        words |= lesson_words(keys.PACE.get()) | {"seed": str(keys.SETTING.of("seed").get())}
    words |= FORM.words()
    if words != st.query_params.to_dict():
        st.query_params.from_dict(words)


def set_settings(config: RunConfig) -> None:
    """Puts a whole config into the settings form."""
    for field in FORM.fields:
        field.key.set(value_at(config, field.word))


def settings() -> dict[str, Any]:
    """What stands in the settings form, right or wrong, nested as a config."""
    data: dict[str, Any] = {}
    for field in FORM.fields:
        *group, name = field.word.split(".")
        place = data.setdefault(group[0], {}) if group else data
        place[name] = field.key.get()
    return data


def key_showing(family: keys.Key[T], value: T, *, unless: bool = False) -> tuple[keys.Key[T], T]:
    """The key of a widget that shows `value`, and what it begins with: another key when the widget has something else.

    To give a widget another value does not last: a browser that has not drawn it yet reports the one before, as if it
    had been chosen. A new widget is not in that report, and the callback of the one it has replaced asks `is_current`.
    `unless` keeps the widget as it is, whatever it has. The last gap in the name of `family` is for a number.
    """
    widgets = keys.WIDGETS.get()
    serial, begun = widgets.setdefault(family.name, (0, value))
    key = family.of(serial)
    if (key.get() if key.is_set() else begun) != value and not unless:
        serial, begun = widgets[family.name] = (serial + 1, value)
    return family.of(serial), begun


def is_current(key: keys.Key[Any]) -> bool:
    """Whether a key of `key_showing` is that of the widget on the page."""
    family, _, serial = key.name.rpartition(" ")
    drawn, _ = keys.WIDGETS.get().get(f"{family} {{}}", (None, None))
    return drawn == int(serial)


def checked_settings() -> tuple[RunConfig | None, dict[str, str]]:
    """The config that the form stands for, or None and what is wrong with it, by path."""
    try:
        return RunConfig.parse(settings()), {}
    except ConfigError as error:
        return None, error.problems


def lengths(config: RunConfig) -> str:
    """What the model has learned to read, in words."""
    return f"inputs of {task_of(config.task).lengths}"


def architecture(config: RunConfig) -> tuple[str, ...]:
    """The model in a few words: its architecture, layers, heads and width."""
    model = config.model
    layers, heads = counted(model.n_layers, "layer"), counted(model.n_heads, "head")
    return model.architecture, layers, heads, f"d_model {model.d_model}"


def differences(before: RunConfig, after: RunConfig) -> str:
    """One line: "n_heads 4 → 1, norm_position pre → post"; empty if there is none."""
    changes = setting_differences(before, after)
    return ", ".join(
        f"{path.rpartition('.')[2]} {choice(value_text(a))} → {choice(value_text(b))}" for path, a, b in changes
    )


def needs_new_run(before: RunConfig, after: RunConfig) -> bool:
    """Whether a run cannot take these settings over while it trains."""
    return any(path not in LIVE for path, *_ in setting_differences(before, after))


def change_words(before: RunConfig, after: RunConfig) -> str:
    """The same of a change on the way: with the number of steps the end of a schedule moves, and the rate with it."""
    words, schedule = differences(before, after), after.training.schedule
    moved = before.training.steps != after.training.steps and schedule in ("cosine", "exponential")
    return f"{words} ({schedule} to the new end)" if moved else words


def preset_of(config: RunConfig) -> Preset | None:
    """The preset with these settings, whatever the seed."""
    for preset in PRESETS.values():
        if preset.config == config.updated({"seed": preset.config.seed}):
            return preset
    return None


PACES = ("Slow motion", "1 step/s", "Watch", "Fast", "Full speed")
USUAL_PACE = "Watch"


def pace_of(config: RunConfig, name: str) -> float | None:
    """The pace with this name, as runs have it; "Watch" stretches solving to about ten seconds."""
    preset = preset_of(config)
    watch = preset.usual_steps / 10 if preset else _STEPS_A_SECOND
    return {"Slow motion": SLOW_MOTION, "1 step/s": 1.0, "Watch": watch, "Fast": 4 * watch, "Full speed": None}[name]


def pace_name(run: Run) -> str | None:
    """The pace a run has, in words."""
    return next((name for name in PACES if pace_of(run.config, name) == run.pace), None)


def plain(error: Exception | str, of: Library | None = None) -> str:
    """An error as a visitor may read it: without the folders of this machine.

    `of` is the visitor's library, where that is not the one of this session.
    """
    text = str(error)
    for folder in ((of or library()).root, HOST.checkpoints, REPOSITORY):
        text = text.replace(f"{folder}/", "").replace(str(folder), "the library")
    return text


def run_source(run: Run, step: int | None) -> Source:
    """The run's model at the step at hand that is nearest to `step`; None is the newest of all.

    Raises `CheckpointError` if no weights are left.
    """
    at = run.nearest(step)
    try:
        model = _run_model(run, at)
    except KeyError:  # thinned out in this very moment, or lost
        at, model = run.model_near(step)
    return Source(RUN, (run.id, at), model, run.hides_pitfall)


def checkpoint_source(name: str) -> Source:
    """A checkpoint of the visitor's library; raises `CheckpointError`."""
    path = library().path(name)
    stamp = stamp_of(path)
    return Source(name, (path, stamp), _load(path, stamp).model)


def checkpoint_origin(name: str) -> Origin | None:
    """Where a checkpoint of the visitor's library was pulled from; None if it was not, or cannot be read."""
    try:
        path = library().path(name)
        return _load(path, stamp_of(path)).origin
    except CheckpointError:
        return None


def load_checkpoint(name: str) -> None:
    """Makes a checkpoint the model to step through, and its settings those of the form; raises `CheckpointError`."""
    source = checkpoint_source(name)
    set_settings(source.model.config)
    keys.SOURCE.set(name)


def stamp_of(folder: Path) -> tuple[int, ...]:
    """Changes when a file of the checkpoint does; empty where there is none, and reading it says so."""
    try:
        return tuple(file.stat().st_mtime_ns for file in sorted(folder.iterdir()))
    except OSError:
        return ()


@lru_cache(maxsize=16)
def _load(path: Path, stamp: tuple[int, ...]) -> Checkpoint:
    """A checkpoint, kept in memory until its folder changes. Nothing writes to a loaded model."""
    return load(path)


@lru_cache(maxsize=16)
def _run_model(run: Run, step: int) -> TaskModel:
    return run.model_at(step)
