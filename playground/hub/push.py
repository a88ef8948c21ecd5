"""From here to the Hub: one commit or none, and the truth about which of the two it was."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from huggingface_hub import CommitOperationAdd
from huggingface_hub.hf_api import ModelInfo

from playground import charts, checkpoints, gate
from playground.card import CURVE, Example, model_card
from playground.config import parameter_shapes
from playground.figures import share
from playground.gate import CARD, COMMIT, CONFIG, HISTORY, REPO_ID, WEIGHTS, Folder, one_line
from playground.hub.client import UNREACHABLE, HubError, Token, api, calling, endpoint
from playground.hub.jobs import Cancelled, Tell, silent
from playground.hub.pull import Commit, commits
from playground.hub.reference import Reference, is_revision, parse_reference
from playground.tasks import answer, decode, encode, example_text, random_example

_DRAW = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.vegalite_to_png(sys.stdin.read(), scale=1.5))"
_DRAWING_PATIENCE = 30.0  # seconds
_EXAMPLES = 5
_LOOKS = 3  # at the head after a failure without an answer: what is under way there may take a moment
_BETWEEN_LOOKS = 0.7  # seconds
_NO = frozenset(
    {"invalid", "not_found", "revision", "gated", "signed_out", "forbidden", "rate", "quota", "taken", "stale"}
)
"""Kinds of errors that are an answer: the Hub has refused."""
_STALE = "Somebody else has pushed to {} in between, so nothing of yours was; look at what is there, then push again."


@dataclass(frozen=True)
class Prepared:
    """What a push would put on the Hub."""

    repo_id: str
    files: dict[str, bytes] = field(repr=False)
    title: str  # the commit's message, if nobody writes another
    tag: str | None  # which the card's snippet is pinned to; None for a pull request, which cannot make one
    trouble: str = ""  # what the card must do without, in a sentence

    @property
    def card(self) -> str:
        """The text of the model card."""
        return self.files[CARD].decode()

    @property
    def bytes(self) -> int:
        """Of all files."""
        return sum(map(len, self.files.values()))


@dataclass(frozen=True)
class Destination:
    """The repository that a push would go to, as it is now."""

    exists: bool
    private: bool
    head: Commit | None  # of the branch; None where there is no such branch
    branches: tuple[str, ...]


@dataclass(frozen=True)
class Pushed:
    """What became of a push."""

    url: str
    commit: str  # 40 hexadecimal digits
    commit_url: str
    created: bool  # the repository, by this push
    pr_url: str | None
    tag: str | None  # None if there is none, see `told`
    told: str  # in a sentence or two


def prepare(
    folder: Path,
    repo_id: str,
    *,
    app_url: str | None = None,
    create_pr: bool = False,
    links_into: Path | None = None,
) -> Prepared:
    """The files of a checkpoint as they would be pushed to `repo_id`, with the card and the picture of its training.

    `app_url` is where an app can open the model from the Hub; for `links_into` see `checkpoints.load`.
    Raises `HubError` for a name that cannot be and `CheckpointError` for a checkpoint that cannot be loaded.
    """
    if not REPO_ID.fullmatch(repo_id):
        raise HubError("invalid", f"“{one_line(repo_id, 80)}” is no name for a repository; write it as owner/name.")
    loaded = checkpoints.load(folder, links_into=links_into)
    config, history = loaded.config, loaded.history
    with Folder(folder, links_into) as files:
        content = files.read(CONFIG, gate.MAX_CONFIG_BYTES)
        weights = files.read(WEIGHTS, gate.most_weight_bytes(parameter_shapes(config)))
        course = files.read(HISTORY, gate.MAX_HISTORY_BYTES) if files.holds(HISTORY) else b""
    summary = gate.parse_config(content, folder / CONFIG)
    header = json.loads(content)
    header.pop("origin", None)  # the card tells it; the Hub knows its own commits
    made = {CONFIG: json.dumps(header, indent=2).encode() + b"\n", WEIGHTS: weights}
    made |= {HISTORY: course} if course else {}
    # Of what decides the model, so that the same model has the same tag whatever its card says.
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in made.values())).hexdigest()
    step = summary.measured.get("step", history[-1]["step"] if history else 0)
    tag = None if create_pr else f"step-{int(step)}-{digest[:8]}"
    picture, trouble = b"", ""
    if history:
        picture, trouble = _curve(json.dumps(charts.training_picture(history)))
    origin = loaded.origin if loaded.origin and loaded.origin.repo_id != repo_id else None
    card = model_card(
        config,
        summary.measured,
        summary.changes,
        repo_id=repo_id,
        revision=tag,
        app_url=app_url,
        examples=_examples(loaded),
        begun_from=summary.begun_from,
        origin=origin,
        curve=bool(picture),
    )
    made |= {CARD: card.encode()} | ({CURVE: picture} if picture else {})
    reached = f": {share(summary.measured['exact_match'])} exact" if summary.measured else ""
    return Prepared(repo_id, made, f"{config.task.name.capitalize()} after {int(step)} steps{reached}", tag, trouble)


def destination(repo_id: str, branch: str, token: Token) -> Destination:
    """What is there now; raises `HubError`."""
    _checked(repo_id, branch)
    try:
        with calling(repo_id, token, seconds=30):
            private = bool(api(token).model_info(repo_id).private)
            names = tuple(str(ref.name) for ref in api(token).list_repo_refs(repo_id).branches)
    except HubError as error:
        if error.kind != "not_found":
            raise
        return Destination(False, False, None, ())
    newest = commits(repo_id, branch, token, limit=1) if branch in names else []
    return Destination(True, private, newest[0] if newest else None, names)


def push(
    prepared: Prepared,
    repo_id: str,
    token: Token,
    *,
    message: str,
    private: bool = False,
    branch: str = "main",
    create_pr: bool = False,
    parent: str | None,
    tell: Tell = silent,
) -> Pushed:
    """One commit on top of `parent`, the head that the person has seen; None where there was no such branch.

    Raises `HubError`; its `landed` says whether the commit is on the Hub all the same. Kind `stale` means that the head
    is another one by now: it is the error's `head`, and nothing was pushed.
    """
    assert prepared.repo_id == repo_id, "a card is made for one repository"
    title = " ".join(message.split())[:200] or prepared.title
    _checked(repo_id, branch)
    if token is False:
        raise HubError("signed_out", "Nobody is signed in; sign in to push.")
    if create_pr and branch != "main":
        raise HubError("invalid", "A pull request goes to main; choose main, or push to the branch itself.")
    tell("Looking at the repository", 0.0)
    created, head = _base(repo_id, token, branch=branch, parent=parent, private=private, create_pr=create_pr)
    if not created and _same(_info(repo_id, head, token), prepared.files):
        tag, told = _tagged(prepared, head, token)
        return _pushed(
            repo_id, head, False, None, tag, f"{repo_id} has exactly this already; nothing was pushed.{told}"
        )
    reply_lost = ""
    try:
        oid, pr_url = _commit(prepared, repo_id, token, title, head, None if create_pr else branch, tell)
    except HubError as error:
        oid, reference = _after_failure(error, repo_id, branch, head, prepared, token, created, create_pr)
        reply_lost = " The Hub's reply was lost on the way, but the commit is there."
        pr_url = f"{endpoint()}/{repo_id}/discussions/{reference.rpartition('/')[2]}" if create_pr else None
    with suppress(Cancelled):  # too late: the commit is there
        tell("Naming it", 0.95)
    tag, told = _tagged(prepared, oid, token) if not create_pr else (None, "")
    where = repo_id if branch == "main" else f"The branch {branch} of {repo_id}"
    what = f"A pull request for {repo_id} is open" if create_pr else f"{where} is at commit {oid[:7]} now"
    return _pushed(repo_id, oid, created, pr_url, tag, f"{what}.{reply_lost}{told}")


def _base(
    repo_id: str, token: Token, *, branch: str, parent: str | None, private: bool, create_pr: bool
) -> tuple[bool, str]:
    """Whether the repository was made for this push, and the commit to push on; raises `HubError` if it is unseen."""
    with _told_unpushed():
        there = destination(repo_id, branch, token)
        unseen = there.head is not None and there.head.id != parent
        if unseen and (parent is not None or not _is_empty(repo_id, token)):
            raise HubError("stale", _STALE.format(repo_id), head=there.head)
    if create_pr and not there.exists:
        raise HubError("not_found", f"There is no {repo_id} to open a pull request for; push without one to make it.")
    if parent is not None and there.head is None:
        raise HubError("not_found", f"{repo_id} or its branch {branch} is gone from the Hub; nothing was pushed.")
    with _told_unpushed():
        return not there.exists, _made_ready(repo_id, token, private, branch, there)


def _commit(
    prepared: Prepared, repo_id: str, token: Token, title: str, head: str, branch: str | None, tell: Tell
) -> tuple[str, str | None]:
    """Uploads and commits on `head`, without a branch as a pull request; the commit, and the address of the request."""
    create_pr = branch is None
    with calling(repo_id, token, size=prepared.bytes):
        operations = [CommitOperationAdd(name, content) for name, content in prepared.files.items()]
        for operation in operations:
            if operation.path_in_repo in (WEIGHTS, CURVE):  # one by one: several would go in threads of their own
                tell(f"Uploading {operation.path_in_repo}", 0.2 if operation.path_in_repo == WEIGHTS else 0.6)
                api(token).preupload_lfs_files(
                    repo_id, [operation], revision=branch, create_pr=create_pr, free_memory=False
                )
        tell("Committing", 0.8)
        done = api(token).create_commit(
            repo_id, operations, commit_message=title, revision=branch, create_pr=create_pr, parent_commit=head
        )
        if not COMMIT.fullmatch(done.oid):
            raise ValueError
        return done.oid, f"{endpoint()}/{repo_id}/discussions/{int(done.pr_num or 0)}" if create_pr else None


# --- what is pushed -------------------------------------------------------------------------------


def _examples(loaded: checkpoints.Checkpoint) -> list[Example]:
    """What the model answers to a few inputs, the same ones each time."""
    task = loaded.config.task
    texts = [example_text(task), *(random_example(task, seed) for seed in range(1, _EXAMPLES))]
    rights = (" ".join(decode(answer(encode(text, task), task), task)) for text in texts)
    return [Example(text, loaded.answer(text), right) for text, right in zip(texts, rights)]


@lru_cache(maxsize=16)
def _curve(spec: str) -> tuple[bytes, str]:
    """The picture as PNG, or nothing and why.

    The drawing program is a JavaScript engine that would keep its memory; so a process draws and ends.
    """
    try:
        command = [sys.executable, "-I", "-c", _DRAW]
        drawn = subprocess.run(command, input=spec.encode(), capture_output=True, timeout=_DRAWING_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return b"", "The picture of the training could not be drawn, so the card is without it."
    return drawn.stdout, ""


# --- where to -------------------------------------------------------------------------------------


def _checked(repo_id: str, branch: str) -> None:
    """Raises `HubError` for names that cannot be."""
    parse_reference(repo_id)
    if not is_revision(branch):
        raise HubError(
            "invalid",
            f"“{one_line(branch, 60)}” is no name of a branch; use letters, digits, dots, dashes, underscores "
            "and slashes, as in main.",
        )


def _made_ready(repo_id: str, token: Token, private: bool, branch: str, there: Destination) -> str:
    """Makes the repository and the branch where they are not there; the head that the commit stands on."""
    with calling(repo_id, token, seconds=30):
        if not there.exists:
            api(token).create_repo(repo_id, private=private, exist_ok=False)
    if there.head is not None:
        return there.head.id
    try:
        with calling(repo_id, token, seconds=30):
            if branch != "main":
                api(token).create_branch(repo_id, branch=branch)
            return str(api(token).model_info(repo_id, revision=branch).sha)
    except HubError as error:
        if not there.exists:
            raise _with(error, f"{repo_id} was made and is empty") from None
        raise


def _is_empty(repo_id: str, token: Token) -> bool:
    """Whether nothing but what the Hub itself puts there is in a repository: a push that broke off may have made it."""
    with calling(repo_id, token, seconds=30):
        return {each.rfilename for each in api(token).model_info(repo_id).siblings or []} <= {".gitattributes"}


def _info(repo_id: str, revision: str, token: Token) -> ModelInfo:
    with calling(repo_id, token, seconds=30):
        return api(token).model_info(repo_id, revision=revision, files_metadata=True)


def _same(info: ModelInfo, files: Mapping[str, bytes]) -> bool:
    """Whether a commit holds exactly these files, whatever else it holds."""
    there = {each.rfilename: each for each in info.siblings or []}
    for name, content in files.items():
        if name not in there:
            return False
        found = there[name]
        if found.lfs is not None:
            if found.lfs.sha256 != hashlib.sha256(content).hexdigest():
                return False
        elif found.blob_id != hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest():
            return False
    return True


# --- what became of it ----------------------------------------------------------------------------


def _after_failure(
    error: HubError,
    repo_id: str,
    branch: str,
    parent: str,
    prepared: Prepared,
    token: Token,
    created: bool,
    create_pr: bool,
) -> tuple[str, str]:
    """The commit of a push whose reply was lost, and where it stands; raises `error` with the truth where none is."""
    landed: bool | None = None
    head: Commit | None = None
    refused = error.kind in _NO
    for look in range(1 if refused else _LOOKS):
        if look:
            time.sleep(_BETWEEN_LOOKS)
        try:
            places = _requests(repo_id, token) if create_pr else [branch]
            for place in places:
                newest = commits(repo_id, place, token)
                head = head or (newest[0] if newest else None)
                for commit in newest:
                    if commit.id == parent:
                        break
                    if _same(_info(repo_id, commit.id, token), prepared.files):
                        return commit.id, place
            landed = False
        except HubError:
            landed = False if refused else None
    if error.kind == "stale":
        raise HubError("stale", _STALE.format(repo_id), head=head) from None
    if landed is None:
        place = Reference(repo_id, branch).url
        problem, advice = str(error).partition("; ")[0], f"look at {place} before you push again."
        words = f"{problem.rstrip('.')}, and whether the push landed could not be found out; {advice}"
        raise HubError(error.kind, words, retry_after=error.retry_after, landed=None) from None
    raise _with(error, f"{repo_id} was made and is empty" if created else "nothing was pushed") from None


@contextmanager
def _told_unpushed() -> Iterator[None]:
    """Adds to errors from before the commit what they mean for the push."""
    try:
        yield
    except HubError as error:
        if error.kind not in UNREACHABLE:
            raise
        raise _with(error, "nothing was pushed") from None


def _with(error: HubError, outcome: str) -> HubError:
    """The same error with what became of the push, before the advice that its sentence ends with."""
    problem, semicolon, advice = str(error).partition("; ")
    if ", and " in problem:  # told already
        return error
    words = f"{problem.rstrip('.')}, and {outcome}{semicolon}{advice or '.'}"
    return HubError(error.kind, words, retry_after=error.retry_after)


def _requests(repo_id: str, token: Token) -> list[str]:
    """The newest pull requests, as revisions."""
    with calling(repo_id, token, seconds=30):
        refs = api(token).list_repo_refs(repo_id, include_pull_requests=True).pull_requests or []
        numbers = sorted((int(ref.ref.rpartition("/")[2]) for ref in refs), reverse=True)
        return [f"refs/pr/{number}" for number in numbers[:3]]


def _tagged(prepared: Prepared, commit: str, token: Token) -> tuple[str | None, str]:
    """The tag that the card's snippet is pinned to, made where it is not there yet; and a sentence if that failed."""
    if prepared.tag is None:
        return None, ""
    try:
        with calling(prepared.repo_id, token, seconds=30):
            api(token).create_tag(prepared.repo_id, tag=prepared.tag, revision=commit)
    except HubError as error:
        if error.kind == "taken":  # named after its content: it is the same model
            return prepared.tag, ""
        told = (
            f" The tag {prepared.tag}, to which the card's snippet is pinned, could not be made; push again to make it."
        )
        return None, told
    return prepared.tag, ""


def _pushed(repo_id: str, commit: str, created: bool, pr_url: str | None, tag: str | None, told: str) -> Pushed:
    url = f"{endpoint()}/{repo_id}"
    return Pushed(url, commit, f"{url}/commit/{commit}", created, pr_url, tag, told)
