"""Models to show: the visitor's library, and the current run or a checkpoint as the source of a forward pass."""

import threading
from functools import lru_cache
from pathlib import Path
from weakref import WeakValueDictionary

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.runs import Run
from playground.storage.checkpoint import Checkpoint, load
from playground.storage.library import Library
from playground.storage.validation import Origin
from playground.ui.session import form_settings, identity
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.session.walks import ModelSource

RUN = "run"
"""Name of the current run among the names of checkpoints; also in links."""


def library() -> Library:
    """This visitor's library: on a shared host, the included checkpoints and their own."""
    return library_of(identity.visitor() if services().host.shared else "")


def library_of(visitor: str) -> Library:
    """Library of the visitor with this key; "" has only the included checkpoints."""
    host, owner = services().host, visitor or "nobody"
    if not host.shared:
        return _library(host.checkpoints, host.quota_mb)
    return _library(host.private_folder / owner / "library", host.quota_mb, owner)


_libraries: WeakValueDictionary[Path, Library] = WeakValueDictionary()
"""All libraries in use, by folder: two for one folder would not wait for each other's writing."""
_library_lock = threading.Lock()


@lru_cache(maxsize=256)  # keeps what recent ones have read
def _library(root: Path, quota_mb: int, owner: str = "") -> Library:
    def refusal(needed: int) -> str:
        return services().runs.reserve_space(owner, needed) if owner else ""

    with _library_lock:
        if (opened := _libraries.get(root)) is None:
            opened = _libraries[root] = Library(root, quota_bytes=quota_mb * 1_000_000 or None, refusal=refusal)
        return opened


def plain(error: Exception | str, of: Library | None = None) -> str:
    """An error message without folder names of this machine.

    `of` is the visitor's library, if it isn't that of this session.
    """
    text = str(error)
    for folder in ((of or library()).root, services().host.checkpoints, REPOSITORY):
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
    return ModelSource(name, (path, stamp), load_cached(path, stamp).model)


def checkpoint_origin(name: str) -> Origin | None:
    """Hub origin of a checkpoint in the visitor's library; None if it was not pulled or can't be read."""
    try:
        path = library().path(name)
        return load_cached(path, stamp_of(path)).origin
    except CheckpointError:
        return None


def load_checkpoint(name: str) -> None:
    """Show a checkpoint in Step through and put its settings into the form; raises `CheckpointError`."""
    source = checkpoint_source(name)
    form_settings.fill(source.model.config)
    keys.SOURCE.set(name)


def stamp_of(folder: Path) -> tuple[int, ...]:
    """Version of a checkpoint's files; empty if there is none, which an error reports when it is read."""
    try:
        return tuple(file.stat().st_mtime_ns for file in sorted(folder.iterdir()))
    except OSError:
        return ()


def load_cached(path: Path, stamp: tuple[int, ...]) -> Checkpoint:
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
