"""State that outlives a script run: in this session, and for this visitor in this process."""

import hashlib
import re
import secrets
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import streamlit as st
from itsdangerous import BadSignature, Signer

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import CheckpointError
from playground.common.numbers import counted
from playground.explain.glossary import choice
from playground.hub.jobs import Jobs
from playground.hub.sign_ins import SignIns
from playground.lessons.pitfalls import PITFALLS
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.runs import SLOW_MOTION, Run, Runs, RunView
from playground.settings.config import (
    LIVE,
    Change,
    ConfigError,
    RunConfig,
    allowed,
    parse_value,
    setting_paths,
    value_at,
    value_text,
)
from playground.settings.config import differences as setting_differences
from playground.settings.host import Host, HostError
from playground.settings.presets import DEFAULT_PRESET, PRESETS, Preset
from playground.storage.checkpoint import Checkpoint, load, read_summary
from playground.storage.library import Library
from playground.storage.validation import Origin
from playground.tasks import task_of
from playground.tasks.cleaning import cleaned
from playground.training import SOLVED_AT
from playground.ui.session import session_keys as keys
from playground.ui.session.address import LONGEST, QueryParam, QueryParams
from playground.ui.session.secret import signer
from playground.ui.session.walks import ModelSource

T = TypeVar("T")

try:
    HOST = Host.from_environment()
except HostError as error:
    sys.exit(str(error))  # ends the server's start with the message
RUNS = Runs(HOST, recipes=PITFALLS)
JOBS = Jobs()
"""Pushes and pulls of all visitors."""
QUESTIONS = Jobs(at_once=16, kept_seconds=300, by_kind=True)
"""Requests of pages to the Hub, by topic, see `hub_questions`."""
MEASUREMENTS = Jobs(at_once=64, waiting=2)
"""Measurements over many inputs, see `measurements`. They wait for a slot in `Runs.long_work`."""
SIGN_INS = SignIns(HOST.private_folder)
"""All visitors' sign-ins to the Hub."""

VISITOR_COOKIE = "playground_visitor"
"""Name of the visitor's cookie inside the app; browsers use a longer name, see `cookies`."""

_NAME = re.compile(r"[A-Za-z0-9_-]{32}")  # of a visitor, as `new_visitor` makes them
_SIGNED = re.compile(r"[A-Za-z0-9_-]{32}\.[A-Za-z0-9_-]{43}")

RUN = "run"
"""Name of the current run among the names of checkpoints; also in links."""

SETTINGS_LINK = "lesson"
"""Query parameter of a settings link, which Train shows at step 0; older links have it, so the name stays."""

PACE = "pace"
"""Query parameter of a settings link's pace."""

PRESENT = "present"
"""Query parameter of the presenter view."""

_STEPS_A_SECOND = 15.0
_REMEMBERED_VISITORS = 10_000
_REMEMBERED_CHARACTERS = 20_000


def visitor() -> str:
    """Key of this visitor: from the browser's cookie or, without one (tests), for this session only.

    A digest, so that the cookie itself, which gives control, is in no folder name and no log.
    """
    return visitor_of(st.context.cookies.get(VISITOR_COOKIE)) or _digest(keys.VISITOR.get())


def visitor_of(cookie: object) -> str:
    """The same for an HTTP request, from its cookie; empty if this server did not sign it."""
    if not isinstance(cookie, str) or not _SIGNED.fullmatch(cookie):
        return ""
    try:
        return _digest(_signer().unsign(cookie).decode())
    except BadSignature:
        return ""


def new_visitor() -> str:
    """Cookie of a new visitor: an unguessable name, signed by this server."""
    return _signer().sign(secrets.token_urlsafe(24)).decode()


def adopted(cookie: str) -> str:
    """A signed cookie for an old unsigned one; empty if its visitor has no folder.

    An existing folder proves that the cookie is genuine: its name has 128 bits, which can't be guessed.
    """
    known = _NAME.fullmatch(cookie) and (HOST.private_folder / _digest(cookie)).is_dir()
    return _signer().sign(cookie).decode() if known else ""


def _signer() -> Signer:
    return signer(HOST.private_folder, "visitor")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def library() -> Library:
    """This visitor's library: on a shared host, the included checkpoints and their own."""
    return library_of(visitor() if HOST.shared else "")


def library_of(visitor: str) -> Library:
    """Library of the visitor with this key; "" has only the included checkpoints."""
    if not HOST.shared:
        return _library(HOST.checkpoints, HOST.quota_mb)
    return _library(HOST.private_folder / (visitor or "nobody") / "library", HOST.quota_mb, visitor or "nobody")


_libraries: WeakValueDictionary[Path, Library] = WeakValueDictionary()
"""All libraries in use, by folder: two for one folder would not wait for each other's writing."""
_library_lock = threading.Lock()


@lru_cache(maxsize=256)  # keeps what recent ones have read
def _library(root: Path, quota_mb: int, owner: str = "") -> Library:
    def refusal(needed: int) -> str:
        return RUNS.reserve_space(owner, needed) if owner else ""

    with _library_lock:
        if (opened := _libraries.get(root)) is None:
            opened = _libraries[root] = Library(root, quota_bytes=quota_mb * 1_000_000 or None, refusal=refusal)
        return opened


def not_kept() -> str:
    """Reason why new runs are not stored on disk, and advice; empty if they are."""
    owner = RUNS.data.folder_owner
    if owner is None:
        return ""
    which = f" (process {owner.pid}, started {datetime.fromtimestamp(owner.started):%H:%M})" if owner.pid else ""
    if HOST.shared:
        return (
            "Another server uses the same folder. Runs started here are lost when this server ends. "
            "Save what you want to keep."
        )
    return (
        f"Another server{which} uses the same checkpoints folder. Runs started here are lost when this server ends. "
        "Save what you want to keep, or restart with PLAYGROUND_CHECKPOINTS set to another folder."
    )


def current_run() -> Run | None:
    """The visitor's own run in this tab: the one chosen here, or else the one started last.

    None while this tab shows a settings link that has not started.
    """
    if keys.SETTINGS_LINK.get():
        return None
    run = RUNS.owned(visitor(), keys.RUN.get()) or RUNS.current(visitor())
    if run is not None:
        run.mark_seen()
    return run


def shown_run() -> Run | None:
    """The run on the page: the visitor's own or, by a link, another visitor's, which they can only watch.

    None while this tab shows a settings link that has not started.
    """
    if keys.SETTINGS_LINK.get():
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
    """Show a run in this tab; None: the one started last. Closes a settings link that has not started."""
    leave_settings_link()
    if RUN in st.query_params:
        del st.query_params[RUN]
    if run is None:
        keys.RUN.forget()
    else:
        own_settings()
        keys.RUN.set(run.id)
        RUNS.choose(visitor(), run.id)


def look_at_model(run: Run) -> None:
    """Show a run in this tab, and its model on pages about a forward pass."""
    look_at(run)
    keys.SOURCE.set(RUN)


def leave_settings_link() -> None:
    """Close the settings link in this tab: its run has started, or something else is shown."""
    keys.SETTINGS_LINK.forget()
    if SETTINGS_LINK in st.query_params:
        asked = {SETTINGS_LINK, PACE, *setting_paths()}
        st.query_params.from_dict(
            {word: value for word, value in st.query_params.to_dict().items() if word not in asked}
        )


def is_mine(run: RunView) -> bool:
    """True if this visitor may control the run."""
    return run.owner == visitor()


def start_run(config: RunConfig, *, paused: bool = False) -> Run:
    """Start or queue a run and show it; raises `RunError` if the host refuses it."""
    gpu = keys.DEVICE.get() == "GPU" and RUNS.backend.has_gpu
    pace = pace_of(config, keys.PACE.get())
    run = RUNS.start(visitor(), config, pace, paused=paused, device="cuda" if gpu else "cpu")
    look_at_model(run)
    return run


def continue_training(name: str) -> Run:
    """Continue a checkpoint's training in a new run that starts with its weights, and show it.

    It has the checkpoint's final settings and the next seed, so that no batch is repeated. A solved model doesn't stop
    at once. Raises `CheckpointError`, or `RunError` if the host refuses it.
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
    """Continue from a step of a run in a new run of this visitor, and show it; see `Runs.branch`.

    Raises `RunError` or ValueError.
    """
    branch = RUNS.branch(visitor(), run, step, settings, pace=run.pace)
    look_at_model(branch)
    return branch


_remembered: OrderedDict[str, list[tuple[keys.Key[Any], Any]]] = OrderedDict()
"""Last content of each visitor's settings form, newest last."""


def own_settings() -> None:
    """Treat the form as the visitor's own from now on, even if a link filled it in."""
    keys.LINKED_SETTINGS.forget()


def remember_settings() -> None:
    """Store the form for this visitor's next session: a reload, or another tab.

    Settings from a link are stored only after the person has changed them or trained with them.
    """
    linked = keys.LINKED_SETTINGS.get()
    kept = {
        key.name: key
        for key in (*(param.key for param in SETTINGS.params), keys.PACE, keys.LAST_FORM_TAB)
        if key.is_set()
    }
    if linked and all(kept[path].get() == value for path, value in linked.items() if path in kept):
        return
    own_settings()
    _remembered[visitor()] = [(key, key.get()) for key in kept.values() if _is_short(key.get())]
    _remembered.move_to_end(visitor())
    while len(_remembered) > _REMEMBERED_VISITORS:
        _remembered.popitem(last=False)


def _is_short(value: object) -> bool:
    """True if a value is small enough to store for thousands of visitors; a long text is stored with its run."""
    return not isinstance(value, str) or len(value) <= _REMEMBERED_CHARACTERS


def open_settings() -> None:
    """Fill the form once per session: from the link, the visitor's last form, their run, or a preset."""
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
    """Fill the form with the settings in query parameters; others get the defaults of an empty link.

    Returns two sentences for each invalid setting; empty if all are valid.
    """
    wrong = SETTINGS.apply(words)
    keys.LINKED_SETTINGS.set({param.word: param.key.get() for param in SETTINGS.params})
    return " ".join(f"The link's {path} is invalid. Use {allowed(setting_paths()[path])}." for path in wrong)


def _step_0_words(pace: str | None) -> dict[str, str]:
    """Query parameters of a settings link besides the settings."""
    return {SETTINGS_LINK: "1"} | ({PACE: pace} if pace not in (None, USUAL_PACE) else {})


def settings_link_words(config: RunConfig, pace: str | None) -> dict[str, str]:
    """All query parameters of a settings link, always with the seed; without settings it has the default preset."""
    return _step_0_words(pace) | {"seed": str(config.seed)} | link_words(config)


def link_words(config: RunConfig) -> dict[str, str]:
    """Query parameters that `read_link` turns back into this config: differences from an empty link, no long text."""
    words = {path: str(value) for path, _, value in setting_differences(RunConfig(), config)}
    return {path: word for path, word in words.items() if len(word) <= LONGEST}


def _read_setting(path: str, text: str) -> Any:
    """The value of a setting in a link; None if it has the wrong type. Bounds are checked later."""
    try:
        value = parse_value(path, text)
    except ConfigError:
        return None
    if isinstance(value, str):
        return cleaned(value)
    return value if abs(value) < 2**53 else None  # a browser's field can't hold more


SETTINGS = QueryParams(
    "form",
    *(
        QueryParam(path, keys.SETTING.of(path), partial(_read_setting, path), value_at(RunConfig(), path))
        for path in setting_paths()
    ),
)
"""Query parameters of the settings form: differences from an empty link."""


def link_settings() -> None:
    """Write the form into the address, and remove query parameters of other pages."""
    if not all(param.key.is_set() for param in SETTINGS.params):
        return
    words = {PRESENT: st.query_params[PRESENT]} if PRESENT in st.query_params else {}
    if keys.SETTINGS_LINK.get():
        words |= _step_0_words(keys.PACE.get()) | {"seed": str(keys.SETTING.of("seed").get())}
    words |= SETTINGS.words()
    if words != st.query_params.to_dict():
        st.query_params.from_dict(words)


def set_settings(config: RunConfig) -> None:
    """Fill the settings form with a config."""
    for param in SETTINGS.params:
        param.key.set(value_at(config, param.word))


def settings() -> dict[str, Any]:
    """Content of the settings form, valid or not, nested like a config."""
    data: dict[str, Any] = {}
    for param in SETTINGS.params:
        *group, name = param.word.split(".")
        section = data.setdefault(group[0], {}) if group else data
        section[name] = param.key.get()
    return data


def key_showing(family: keys.Key[T], value: T, *, unless: bool = False) -> tuple[keys.Key[T], T]:
    """Key and initial value of a widget that shows `value`; a new key if the current widget has another value.

    Setting another value on an existing widget doesn't last: a browser that has not drawn it yet reports the previous
    value as if it had been chosen. A new widget is not in that report, and the callback of the replaced one checks
    `is_current`. `unless` keeps the widget whatever its value is. The last gap in the name of `family` is for a number.
    """
    widgets = keys.WIDGETS.get()
    serial, begun = widgets.setdefault(family.name, (0, value))
    key = family.of(serial)
    if (key.get() if key.is_set() else begun) != value and not unless:
        serial, begun = widgets[family.name] = (serial + 1, value)
    return family.of(serial), begun


def is_current(key: keys.Key[Any]) -> bool:
    """True if a key from `key_showing` belongs to the current widget."""
    family, _, serial = key.name.rpartition(" ")
    drawn, _ = keys.WIDGETS.get().get(f"{family} {{}}", (None, None))
    return drawn == int(serial)


def checked_settings() -> tuple[RunConfig | None, dict[str, str]]:
    """The config in the form, or None and its problems by path."""
    try:
        return RunConfig.parse(settings()), {}
    except ConfigError as error:
        return None, {path: in_labels(sentence) for path, sentence in error.problems.items()}


def in_labels(sentence: str) -> str:
    """A sentence with the labels of fields instead of the names of settings.

    A name without an underscore is replaced only before a number.
    """
    for path, setting in setting_paths().items():
        name = path.rpartition(".")[2]
        alone = name if "_" in name else rf"{name}(?= \d)"  # "steps" is also a word
        sentence = re.sub(rf"(?<![\w.])(?:{re.escape(path)}|{alone})(?!\w)", setting.title or name, sentence)
    return sentence


def lengths(config: RunConfig) -> str:
    """Description of the inputs that the model was trained on."""
    return f"inputs of {task_of(config.task).lengths}"


def architecture(config: RunConfig) -> tuple[str, ...]:
    """Short description of the model: architecture, layers, heads and width."""
    model = config.model
    layers, heads = counted(model.n_layers, "layer"), counted(model.n_heads, "head")
    return model.architecture, layers, heads, f"d_model {model.d_model}"


def differences(before: RunConfig, after: RunConfig) -> str:
    """Differences in one line: "n_heads 4 → 1, norm_position pre → post"; empty if there is none."""
    changes = setting_differences(before, after)
    return ", ".join(
        f"{path.rpartition('.')[2]} {choice(value_text(a))} → {choice(value_text(b))}" for path, a, b in changes
    )


def needs_new_run(before: RunConfig, after: RunConfig) -> bool:
    """True if a run can't change to these settings mid-run."""
    return any(path not in LIVE for path, *_ in setting_differences(before, after))


def change_words(before: RunConfig, after: RunConfig) -> str:
    """The same for a mid-run change; notes that a schedule stretches if the number of steps changes."""
    words, schedule = differences(before, after), after.training.schedule
    moved = before.training.steps != after.training.steps and schedule in ("cosine", "exponential")
    return f"{words} ({schedule} to the new end)" if moved else words


def change_lines(begun: RunConfig, changes: Iterable[Change], after: int = -1) -> list[str]:
    """Descriptions of the mid-run changes after step `after` of a run that began with these settings."""
    lines, before = [], begun
    for change in changes:
        changed = before.updated(change.settings)
        if change.step > after and (words := change_words(before, changed)):
            lines.append(f"from step {change.step + 1:,} {words}")
        before = changed
    return lines


def preset_of(config: RunConfig) -> Preset | None:
    """The preset with these settings, apart from the seed."""
    for preset in PRESETS.values():
        if preset.config == config.updated({"seed": preset.config.seed}):
            return preset
    return None


PACES = ("Slow motion", "1 step/s", "Watch", "Fast", "Full speed")
USUAL_PACE = "Watch"


def pace_of(config: RunConfig, name: str) -> float | None:
    """The pace with this name, in the form used by runs; "Watch" stretches solving to about ten seconds."""
    preset = preset_of(config)
    watch = preset.usual_steps / 10 if preset else _STEPS_A_SECOND
    return {"Slow motion": SLOW_MOTION, "1 step/s": 1.0, "Watch": watch, "Fast": 4 * watch, "Full speed": None}[name]


def pace_name(run: Run) -> str | None:
    """Name of a run's pace."""
    return next((name for name in PACES if pace_of(run.config, name) == run.pace), None)


def plain(error: Exception | str, of: Library | None = None) -> str:
    """An error message without folder names of this machine.

    `of` is the visitor's library, if it isn't that of this session.
    """
    text = str(error)
    for folder in ((of or library()).root, HOST.checkpoints, REPOSITORY):
        text = text.replace(f"{folder}/", "").replace(str(folder), "the library")
    return text


def run_source(run: Run, step: int | None) -> ModelSource:
    """The run's model at the kept step nearest to `step`; None: the newest.

    Raises `CheckpointError` if no weights are left.
    """
    nearest = run.nearest(step)
    try:
        model = _run_model(run, nearest)
    except KeyError:  # thinned out meanwhile, or lost
        nearest, model = run.model_near(step)
    return ModelSource(RUN, (run.id, nearest), model, run.metadata.hides_pitfall)


def checkpoint_source(name: str) -> ModelSource:
    """A checkpoint of the visitor's library; raises `CheckpointError`."""
    path = library().path(name)
    stamp = stamp_of(path)
    return ModelSource(name, (path, stamp), _load(path, stamp).model)


def checkpoint_origin(name: str) -> Origin | None:
    """Hub origin of a checkpoint in the visitor's library; None if it was not pulled or can't be read."""
    try:
        path = library().path(name)
        return _load(path, stamp_of(path)).origin
    except CheckpointError:
        return None


def load_checkpoint(name: str) -> None:
    """Show a checkpoint in Step through and put its settings into the form; raises `CheckpointError`."""
    source = checkpoint_source(name)
    set_settings(source.model.config)
    keys.SOURCE.set(name)


def stamp_of(folder: Path) -> tuple[int, ...]:
    """Version of a checkpoint's files; empty if there is none, which an error reports when it is read."""
    try:
        return tuple(file.stat().st_mtime_ns for file in sorted(folder.iterdir()))
    except OSError:
        return ()


def _load(path: Path, stamp: tuple[int, ...]) -> Checkpoint:
    """A checkpoint, cached until its folder changes. Loaded models are never modified."""
    if (checkpoint := _checkpoints.get((path, stamp))) is None:
        checkpoint = load(path)
        _checkpoints.put((path, stamp), checkpoint)
    return checkpoint


def _run_model(run: Run, step: int) -> TaskModel:
    """By the run's id: the run itself would stay in memory after its visitor left."""
    if (model := _run_models.get((run.id, step))) is None:
        model = run.model_at(step)
        _run_models.put((run.id, step), model)
    return model


def _weight_bytes(model: TaskModel) -> int:
    return sum(parameter.nbytes for parameter in model.parameters())


_checkpoints: BoundedCache[tuple[Path, tuple[int, ...]], Checkpoint] = BoundedCache(
    32_000_000, lambda checkpoint: _weight_bytes(checkpoint.model)
)
_run_models: BoundedCache[tuple[str, int], TaskModel] = BoundedCache(16_000_000, _weight_bytes)
