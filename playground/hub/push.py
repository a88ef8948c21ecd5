"""Push a checkpoint to the Hub: one commit or none, and a reliable report of which it was."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass

from huggingface_hub import CommitOperationAdd, HfApi, ModelInfo, get_session
from huggingface_hub.utils import hf_raise_for_status

from playground.common.errors import UNANSWERED, HubError, one_line, sentences
from playground.hub.calls import Token, endpoint, headers, hub_call
from playground.hub.jobs import Cancelled, OnProgress, no_progress
from playground.hub.preparation import Prepared
from playground.hub.pull import Commit, commits
from playground.hub.reference import Reference, is_revision, parse_reference
from playground.storage.validation import CONFIG, HISTORY, WEIGHTS

_RETRY_PAUSES = (0.0, 3.0, 7.0)
"""Seconds before each check for the result of a request that was not answered or is not visible yet."""
_MAX_REQUESTS = 3  # pull requests to search


@dataclass(frozen=True)
class Destination:
    """The current state of the repository and branch to push to."""

    exists: bool
    private: bool
    head: Commit | None  # of the branch; None if the branch does not exist
    branches: tuple[str, ...]


@dataclass(frozen=True)
class Pushed:
    """The result of a push."""

    url: str
    commit: str  # 40 hexadecimal digits
    commit_url: str
    created: bool  # whether this push created the repository
    pr_url: str | None
    tag: str | None  # None if it was not created, see `message`
    message: str  # what was done, one or two sentences


def destination(repo_id: str, branch: str, token: Token) -> Destination:
    """The current state of repository and branch; raises `HubError`."""
    _check_names(repo_id, branch)
    try:
        with hub_call(repo_id, token, seconds=30) as hub:
            private = bool(hub.model_info(repo_id).private)
            names = tuple(ref.name for ref in hub.list_repo_refs(repo_id).branches)
        newest = commits(repo_id, branch, token, 1) if branch in names else []
    except HubError as error:
        if error.kind != "not_found":
            raise
        return Destination(False, False, None, ())
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
    on_progress: OnProgress = no_progress,
) -> Pushed:
    """Make one commit on `parent`, the head the person has seen; None if there was no branch.

    Raises `HubError`. Its `landed` says whether the commit is on the Hub; None means unknown: the Hub did not respond,
    and none of the later checks found the commit. Kind `stale` means that the branch has a new head, the error's
    `head`, and no commit was made.
    """
    assert prepared.repo_id == repo_id, "the card was made for another repository"
    title = " ".join(message.split())[:200] or prepared.title
    _check_names(repo_id, branch)
    if token is False:
        raise HubError("signed_out", "You are not signed in.", "Sign in to push.")
    if create_pr and branch != "main":
        raise HubError("invalid", "A pull request targets main.", "Choose main, or push to the branch directly.")
    return _Push(prepared, token, branch, title, private, create_pr, on_progress).run(parent)


@dataclass
class _Push:
    """One push and its state."""

    prepared: Prepared
    token: Token
    branch: str
    title: str
    private: bool
    create_pr: bool
    on_progress: OnProgress
    created: bool | None = False
    branched: bool = False  # this push created the branch, so its head is that of main

    @property
    def repo_id(self) -> str:
        return self.prepared.repo_id

    def run(self, parent: str | None) -> Pushed:
        self.on_progress("Checking the repository", 0.0)
        try:
            base = self._base(parent)
            head, info = base.id, self._wait_for_commit(base.id)
            if _holds(info, self.prepared.files):  # by an earlier push, maybe one that got no response
                tag, failure = self._tagged(head)
                kept = f"{self.repo_id} already has exactly this content. No commit was made."
                return self._pushed(head, None, tag, sentences(kept, failure))
            if head != parent and not self.branched and (parent is not None or not _is_empty(info)):
                raise self._stale(base, parent)
            additions = self._upload()
            self.on_progress("Committing", 0.8)
        except HubError as error:
            raise self._uncommitted(error) from None
        lost = False
        try:
            with self._call(size=self.prepared.bytes) as hub:
                done = hub.create_commit(
                    self.repo_id,
                    additions,
                    commit_message=self.title,
                    revision=self.branch,
                    create_pr=self.create_pr,
                    parent_commit=head,
                )
            oid, number = done.oid, done.pr_num
        except HubError as error:
            oid, number = self._find_lost_commit(error, head)
            lost = True
        with suppress(Cancelled):  # too late: the commit exists
            self.on_progress("Tagging", 0.95)
        tag, failure = (None, "") if self.create_pr else self._tagged(oid)
        where = self.repo_id if self.branch == "main" else f"Branch {self.branch} of {self.repo_id}"
        if self.create_pr:
            what = f"A pull request for {self.repo_id} is open."
        elif lost:  # it may no longer be the head
            what = f"Commit {oid[:7]} is on {where}."
        else:
            what = f"{where} is now at commit {oid[:7]}."
        reply = "The Hub's response was lost." if lost else ""
        return self._pushed(oid, number, tag, sentences(what, reply, failure))

    def _call(self, size: int = 0) -> AbstractContextManager[HfApi]:
        return hub_call(self.repo_id, self.token, seconds=120 if size else 30, size=size)

    def _lost(self, create: Callable[[HfApi], object]) -> HubError | None:
        """The error of a creation that may have succeeded, now or before; None if it has."""
        try:
            with self._call() as hub:
                create(hub)
        except HubError as error:
            if error.kind not in UNANSWERED | {"taken"}:
                raise
            return error
        return None

    # --- before the commit ------------------------------------------------------------------------

    def _base(self, parent: str | None) -> Commit:
        """The head of the branch; creates repository and branch if missing."""
        repo_id, branch = self.repo_id, self.branch
        there = self._destination()
        if parent is not None and there.head is None:  # it existed a moment ago
            there = self._poll(lambda found: found.head is not None, there)
            if there.head is None:
                problem = f"The Hub no longer finds {repo_id} or its branch {branch}."
                raise HubError("not_found", problem, "Check it on the Hub, then push again.")
        if self.create_pr and not there.exists:
            problem = f"{repo_id} was not found, so no pull request can be opened."
            raise HubError("not_found", problem, "Check the name. A new repository needs no pull request.")
        if not there.exists:
            there = self._create()
        if there.head is None:
            there = self._create_branch(there)
        assert there.head is not None
        return there.head

    def _stale(self, head: Commit, parent: str | None) -> HubError:
        where = f"{self.repo_id}, branch {self.branch}," if self.branch != "main" else self.repo_id
        base = f"This push is based on {parent[:7]}." if parent else "This push expected a new branch."
        problem = f"{where} is now at commit {head.id[:7]}. {base}"
        return HubError("stale", problem, "Check the newest commit, then push again.", head=head)

    def _create(self) -> Destination:
        """Create the repository and wait until the Hub finds it."""
        lost = self._lost(lambda hub: hub.create_repo(self.repo_id, private=self.private))
        if lost is None:
            self.created = True
        elif lost.kind in UNANSWERED:
            self.created = None
        try:
            there = self._poll(lambda found: found.exists and (self.branch != "main" or found.head is not None))
            if lost is not None and there.exists:  # empty and new: created by this push
                self.created = lost.kind in UNANSWERED and _is_empty(self._info(None))
        except HubError as error:
            raise lost or error from None
        if not there.exists:
            raise lost or HubError("not_found", f"The Hub does not find {self.repo_id} yet.", "Push again in a minute.")
        if self.private and not there.private:
            raise HubError("taken", f"{self.repo_id} already exists and is public.", "Choose another name.")
        return there

    def _create_branch(self, there: Destination) -> Destination:
        """Create the branch and wait until the Hub finds it."""
        lost = None
        if self.branch != "main":
            lost = self._lost(lambda hub: hub.create_branch(self.repo_id, branch=self.branch))
            self.branched = lost is None or lost.kind in UNANSWERED
        there = self._poll(lambda found: found.head is not None, there)
        if there.head is None:
            raise lost or HubError("revision", f"The Hub does not find the branch {self.branch} of {self.repo_id} yet.")
        return there

    def _upload(self) -> list[CommitOperationAdd]:
        """Upload the binary files and return all files of the commit, which brings the texts."""
        additions = [CommitOperationAdd(name, content) for name, content in self.prepared.files.items()]
        card = {"content": self.prepared.card, "repoType": "model"}
        with self._call() as hub:  # `create_commit` asks the same, but a failure must not leave the outcome unknown
            checked = get_session().post(f"{hub.endpoint}/api/validate-yaml", json=card, headers=headers(hub))
            hf_raise_for_status(checked)
        binary = [addition for addition in additions if b"\0" in addition.upload_info.sample]
        for done, addition in enumerate(binary):  # one by one: threads of the library would not know our limits
            self.on_progress(f"Uploading {addition.path_in_repo}", 0.2 + 0.6 * done / len(binary))
            with self._call(size=addition.upload_info.size) as hub:
                hub.preupload_lfs_files(
                    self.repo_id, [addition], revision=self.branch, create_pr=self.create_pr, free_memory=False
                )
        return additions

    def _uncommitted(self, error: HubError) -> HubError:
        """An error before the commit request, with its outcome."""
        if self.created is None:
            outcome = f"Nothing was pushed, but {self.repo_id} may have been created."
        elif self.created:
            outcome = f"The repository {self.repo_id} was created, but nothing was pushed."
        else:
            outcome = "Nothing was pushed."
        problem = advice = None
        if self.created and error.kind in ("not_found", "revision"):
            problem, advice = f"The Hub does not find {self.repo_id} yet.", "Push again in a minute."
        return error.after(outcome, problem=problem, advice=advice, created=self.created)

    # --- after the commit -------------------------------------------------------------------------

    def _find_lost_commit(self, error: HubError, parent: str) -> tuple[str, int | None]:
        """Find the commit of a push whose response was lost; raises `HubError` with the outcome if it is not found."""
        if error.kind not in UNANSWERED | {"stale"}:
            raise self._uncommitted(error) from None
        failed = False
        for _attempt in self._attempts() if error.kind in UNANSWERED else (0,):
            try:
                if commit := self._find(parent):
                    return commit
                failed = False
            except HubError:
                failed = True
        if error.kind == "stale":
            with suppress(HubError):
                error.head = self._destination().head
            raise self._uncommitted(error) from None
        where = Reference(self.repo_id, None if self.create_pr else self.branch).url
        if failed:
            outcome = "It is unknown whether the commit is on the Hub: the check failed, too."
        else:
            outcome = "The commit was not found on the Hub, but it may still appear."
        if self.created:
            outcome = sentences(f"The repository {self.repo_id} was created.", outcome)
        advice = f"Check {where} before you push again."
        if not self.create_pr:
            advice = f"Push again in a minute: no duplicate commit is made. Or check {where}."
        raise error.after(outcome, advice=advice, landed=None, created=self.created) from None

    def _tagged(self, commit: str) -> tuple[str | None, str]:
        """Create the tag that the card's snippet is pinned to; return it, and a sentence if that failed."""
        tag = self.prepared.tag
        if tag is None:
            return None, ""
        pinned = f"the tag {tag}, to which the card's snippet is pinned"
        try:
            if self._lost(lambda hub: hub.create_tag(self.repo_id, tag=tag, revision=commit)) is None:
                return tag, ""
        except HubError as error:
            if error.kind == "signed_out":
                return None, f"The sign-in ended before {pinned}, was created. Sign in and push again to create it."
            return None, f"The Hub refused {pinned}. Push again to create it."
        model = {name: content for name, content in self.prepared.files.items() if name in (CONFIG, WEIGHTS, HISTORY)}
        for _attempt in self._attempts():
            with suppress(HubError):  # missing, or no response
                if _holds(self._info(tag), model):
                    return tag, ""
                return None, f"Another model has {pinned}."
        return None, f"The Hub did not confirm {pinned}. Push again to create it."

    def _pushed(self, commit: str, number: int | None, tag: str | None, message: str) -> Pushed:
        url = f"{endpoint()}/{self.repo_id}"
        request = f"{url}/discussions/{number}" if number is not None else None
        return Pushed(url, commit, f"{url}/commit/{commit}", bool(self.created), request, tag, message)

    # --- polling ----------------------------------------------------------------------------------

    def _destination(self) -> Destination:
        return destination(self.repo_id, self.branch, self.token)

    def _attempts(self) -> Iterator[int]:
        """Attempt numbers, with pauses between them."""
        for number, pause in enumerate(_RETRY_PAUSES):
            if number:
                with suppress(Cancelled):  # the request may have succeeded
                    self.on_progress("Checking again", None)
                time.sleep(pause)
            yield number

    def _poll(self, enough: Callable[[Destination], bool], there: Destination | None = None) -> Destination:
        """Check the repository until `enough` holds or the attempts are used up; return its last state."""
        for _attempt in self._attempts():
            there = self._destination()
            if enough(there):
                break
        assert there is not None
        return there

    def _info(self, revision: str | None) -> ModelInfo:
        with self._call() as hub:
            return hub.model_info(self.repo_id, revision=revision, files_metadata=True)

    def _wait_for_commit(self, commit: str) -> ModelInfo:
        """The files of a commit that the Hub has just returned but may not find for a moment."""
        for _attempt in self._attempts():
            try:
                return self._info(commit)
            except HubError as error:
                if error.kind not in ("not_found", "revision"):
                    raise
        problem = f"The Hub does not find commit {commit[:7]} of {self.repo_id} yet."
        raise HubError("not_found", problem, "Push again in a minute.")

    def _find(self, parent: str) -> tuple[str, int | None] | None:
        """The commit after `parent` with the pushed files, and the number of its pull request."""
        for number in self._requests() if self.create_pr else (None,):
            revision = self.branch if number is None else f"refs/pr/{number}"
            for commit in commits(self.repo_id, revision, self.token):
                if commit.id == parent:
                    break
                if _holds(self._info(commit.id), self.prepared.files):
                    return commit.id, number
        return None

    def _requests(self) -> list[int]:
        """The newest pull requests."""
        with self._call() as hub:
            refs = hub.list_repo_refs(self.repo_id, include_pull_requests=True).pull_requests or []
        return sorted((int(ref.ref.rpartition("/")[2]) for ref in refs), reverse=True)[:_MAX_REQUESTS]


def _check_names(repo_id: str, branch: str) -> None:
    """Raises `HubError` for invalid names."""
    parse_reference(repo_id)
    if not is_revision(branch):
        raise HubError(
            "invalid",
            f"“{one_line(branch, 60)}” is not a valid branch name.",
            "Use letters, digits, dots, dashes, underscores and slashes.",
        )


def _is_empty(info: ModelInfo) -> bool:
    """True if a repository has only the files that the Hub creates."""
    return {sibling.rfilename for sibling in info.siblings or []} <= {".gitattributes"}


def _holds(info: ModelInfo, files: Mapping[str, bytes]) -> bool:
    """True if a commit has exactly these files, maybe among others."""
    there = {sibling.rfilename: sibling for sibling in info.siblings or []}
    for name, content in files.items():
        file = there.get(name)
        if file and file.lfs:
            same = file.lfs.sha256 == hashlib.sha256(content).hexdigest()
        else:
            same = file is not None and file.blob_id == hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        if not same:
            return False
    return True
