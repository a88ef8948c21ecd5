"""`playground.load` and `save`, and the implementation of `push`, for use in programs."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from huggingface_hub import constants, get_token, try_to_load_from_cache
from huggingface_hub.constants import HF_HUB_CACHE
from huggingface_hub.file_download import repo_folder_name
from pydantic import Field, InstanceOf, SecretStr

from playground.common.errors import UNREACHABLE, CheckpointError, HubError, sentences
from playground.common.paths import user_path
from playground.hub import pull
from playground.hub.calls import Token
from playground.hub.jobs import OnProgress, no_progress
from playground.hub.reference import Reference, parse_reference
from playground.model.task_model import TaskModel
from playground.settings.arguments import Switch, checked, warn
from playground.storage import checkpoint
from playground.storage.checkpoint import Checkpoint
from playground.storage.validation import REPO_ID, WEIGHTS, Origin
from playground.training import history_of

if TYPE_CHECKING:
    from playground.hub.push import Pushed


class FromCacheWarning(UserWarning):
    """The Hub could not be reached, so the cached model may be outdated."""


@checked
def load(
    dir_or_repo: Annotated[str | PathLike[str], Field(description='Give a folder, or "owner/name" on the Hub.')],
    *,
    revision: Annotated[str, Field(description="Give a branch, a tag or a commit.")] | None = None,
    token: Annotated[str | bool, Field(description="Give a token, True or False.")] | None = None,
    cache_dir: Annotated[str | PathLike[str], Field(description="Give the path of a folder.")] | None = None,
    force_download: Switch = False,
    local_files_only: Switch = False,
) -> Checkpoint:
    """Load a checkpoint from a folder or, if there is no such folder, from the Hub ("owner/name").

    From the Hub: resolves the branch, tag or commit to a commit, checks its files before it downloads them into the
    shared Hub cache (or `cache_dir`), then loads them strictly. `token` None is your own login, False is none. Without
    a network it loads from the cache, with a warning.

    `huggingface_hub` makes the requests as you have configured it: proxies, time limits, Xet. Nothing of it is changed.
    Cached files pass the same checks as downloaded ones.

    Raises `playground.CheckpointError` for an invalid checkpoint and `playground.HubError` for a failed
    call.
    """
    folder = user_path(dir_or_repo)
    if isinstance(dir_or_repo, PathLike) or folder.exists() or not REPO_ID.fullmatch(dir_or_repo.partition("@")[0]):
        if revision is not None:
            raise CheckpointError(f"{folder} is a folder, which has no revisions.", "Omit revision.")
        return checkpoint.load(folder)
    reference = parse_reference(dir_or_repo if revision is None else f"{dir_or_repo.partition('@')[0]}@{revision}")
    kept = user_path(cache_dir or HF_HUB_CACHE)
    try:
        snapshot = fetch(
            reference, resolve_token(token), kept, force_download=force_download, local_files_only=local_files_only
        )
    except HubError as error:
        if error.kind not in UNREACHABLE | {"not_found"}:
            raise
        raise error.after(problem=sentences(f"There is no folder {dir_or_repo}.", error.problem)) from None
    return checkpoint.load(snapshot, links_into=kept)


def fetch(
    reference: Reference,
    token: Token,
    cache_dir: Path,
    *,
    force_download: bool = False,
    local_files_only: bool = False,
    on_progress: OnProgress = no_progress,
) -> Path:
    """The folder of a model's files in a cache; downloads missing files. Raises `HubError`."""
    try:
        if local_files_only:
            raise HubError("offline", f"{reference} is not in the cache, and local_files_only is set.")
        listing = pull.inspect_repo(reference, token)
        folder = pull.fetch(listing, token, cache_dir, on_progress=on_progress, force_download=force_download)
        _write_ref(listing, cache_dir)
        return folder
    except HubError as error:
        if error.kind == "disk" and cache_dir == Path(HF_HUB_CACHE):
            problem = sentences(error.problem, f"Downloads are kept in {cache_dir}.")
            raise error.after(
                problem=problem, advice=error.advice or "Set HF_HOME to a folder that you can write to."
            ) from None
        held = cached(reference, cache_dir) if error.kind in UNREACHABLE and not force_download else None
        if held is None:
            raise
        pull.check(held, cache_dir, reference.repo_id)
        if not local_files_only:
            message = sentences(error.problem, f"Loaded {reference} from the cache: commit {held.name[:7]}.")
            warn(message, FromCacheWarning)
        return held


def cached(reference: Reference, cache_dir: Path) -> Path | None:
    """The folder of a revision in the cache, without a call to the Hub; its files are not validated."""
    path = try_to_load_from_cache(reference.repo_id, WEIGHTS, cache_dir, reference.revision)
    return Path(path).parent if isinstance(path, str) else None


def _write_ref(listing: pull.Listing, cache_dir: Path) -> None:
    """Store the commit of a branch or tag, so that `cached` finds it."""
    if listing.revision != listing.commit:
        store = cache_dir / repo_folder_name(repo_id=listing.repo_id, repo_type="model")
        with suppress(OSError):  # the files are usable without it
            ref = store / "refs" / (listing.revision or "main")
            ref.parent.mkdir(parents=True, exist_ok=True)
            ref.write_text(listing.commit, "ascii")


def pull_to(
    repo: str,
    out: Path,
    *,
    revision: str | None,
    token: str | bool | None,
    overwrite: bool,
    on_progress: OnProgress = no_progress,
) -> Origin:
    """Write a model of the Hub to a checkpoint folder; raises `CheckpointError` and `HubError`."""
    reference = parse_reference(repo)
    if revision is not None:
        reference = parse_reference(f"{reference.repo_id}@{revision}")
    cache_dir = Path(HF_HUB_CACHE)
    folder = fetch(reference, resolve_token(token), cache_dir, on_progress=on_progress)
    origin = Origin(reference.repo_id, folder.name)
    checkpoint.write(out, pull.as_checkpoint(folder, cache_dir, origin), overwrite=overwrite)
    return origin


@checked
def save(
    folder: Annotated[str | PathLike[str], Field(description="Give the path of a folder, then the model.")],
    model: Annotated[
        InstanceOf[TaskModel] | InstanceOf[Checkpoint], Field(description="Give a model or a checkpoint.")
    ],
    history: Annotated[
        Sequence[Mapping[str, Any]], Field(description="Give a list of records, as the records of playground.fit.")
    ]
    | None = None,
    *,
    overwrite: Switch = False,
) -> None:
    """Save a model or a checkpoint to a folder, all or nothing.

    `history` defaults to that of the checkpoint, or to the records of the last `train` of this model, so that the
    saved checkpoint has its training curves and its last evaluation.

    Raises `playground.CheckpointError`.
    """
    if isinstance(model, Checkpoint):
        checkpoint.save(
            user_path(folder),
            model.model,
            model.history if history is None else history,
            model.changes,
            begun_from=model.begun_from,
            origin=model.origin,
            overwrite=overwrite,
        )
    else:
        records = history_of(model) if history is None else history
        checkpoint.save(user_path(folder), model, records, overwrite=overwrite)


def push(
    folder_or_checkpoint: str | PathLike[str] | Checkpoint,
    repo_id: str,
    *,
    commit_message: str | None,
    private: bool | None,
    branch: str | None,
    create_pr: bool,
    token: str | bool | None,
    beside: Mapping[str, bytes] | None = None,
    sections: Sequence[str] = (),
    on_progress: OnProgress = no_progress,
) -> "Pushed":
    """See `playground.push`; `beside` and `sections` are what its `formats` and `circuit` add, see `prepare`."""
    try:
        from playground.hub.preparation import prepare
        from playground.hub.push import destination
        from playground.hub.push import push as push_prepared
    except ImportError as error:
        advice = "Install this package with its [hub] extra."
        raise HubError("invalid", f"A push needs {error.name}.", advice, outcome="Nothing was pushed.") from None
    links_into = None
    if isinstance(folder_or_checkpoint, Checkpoint):
        folder, links_into = folder_or_checkpoint.folder, folder_or_checkpoint.links_into
    else:
        folder = user_path(folder_or_checkpoint)
    own, to = resolve_token(True if token is None else token), branch or "main"
    prepared = prepare(folder, repo_id, create_pr=create_pr, links_into=links_into, beside=beside, sections=sections)
    try:
        there = destination(repo_id, to, own)
    except HubError as error:
        raise error.after("Nothing was pushed.") from None
    if private and there.exists and not there.private:
        problem = f"{repo_id} already exists and is public."
        raise HubError("taken", problem, "Choose another name.", outcome="Nothing was pushed.")
    return push_prepared(
        prepared,
        repo_id,
        own,
        message=commit_message or prepared.title,
        private=bool(private),
        branch=to,
        create_pr=create_pr,
        parent=there.head.id if there.head else None,
        on_progress=on_progress,
    )


def resolve_token(token: str | bool | None) -> Token:
    """Resolve a token as `huggingface_hub` does: a string, False for none, None or True for the person's own login."""
    if token is False:
        return False
    text = token if isinstance(token, str) else None
    if token is True or (token is None and not constants.HF_HUB_DISABLE_IMPLICIT_TOKEN):
        text = get_token()
    if not text and token is True:
        raise HubError(
            "signed_out", "No Hub login found on this machine.", "Run `hf auth login`, set HF_TOKEN or pass a token."
        )
    return SecretStr(text) if text else False
