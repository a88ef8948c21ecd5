"""From here to the Hub: one commit or none, and the truth about which of the two it was."""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from huggingface_hub import ModelInfo

from playground.errors import UNANSWERED, HubError, one_line, sentences
from playground.hub import api
from playground.hub.api import Commit
from playground.hub.client import Token, calling, endpoint
from playground.hub.jobs import Cancelled, Tell, silent
from playground.hub.preparation import Prepared
from playground.hub.pull import commits
from playground.hub.reference import Reference, is_revision, parse_reference
from playground.storage.validation import CONFIG, HISTORY, WEIGHTS

_PAUSES = (0.0, 3.0, 7.0)
"""Seconds before each look at what became of a request that was not answered, or is not to be seen everywhere yet."""
_MAX_REQUESTS = 3  # pull requests among which one is looked for


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


def destination(repo_id: str, branch: str, token: Token) -> Destination:
    """What is there now; raises `HubError`."""
    _check_names(repo_id, branch)
    try:
        with calling(repo_id, token, seconds=30) as hub:
            private = bool(api.model_info(hub, repo_id).private)
            names = tuple(api.refs(hub, repo_id).branches)
            newest = api.commits(hub, repo_id, branch, 1) if branch in names else []
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
    tell: Tell = silent,
) -> Pushed:
    """One commit on top of `parent`, the head that the person has seen; None where there was no such branch.

    Raises `HubError`; its `landed` says whether the commit is on the Hub, None if that is unknown: the Hub did not
    answer, and the commit was not there at any of the looks afterwards. Kind `stale` means that the head is another
    one by now, the error's `head`, and that no commit was made.
    """
    assert prepared.repo_id == repo_id, "a card is made for one repository"
    title = " ".join(message.split())[:200] or prepared.title
    _check_names(repo_id, branch)
    if token is False:
        raise HubError("signed_out", "Nobody is signed in.", "Sign in to push.")
    if create_pr and branch != "main":
        raise HubError("invalid", "A pull request goes to main.", "Choose main, or push to the branch itself.")
    return _Push(prepared, token, branch, title, private, create_pr, tell).run(parent)


class _Push:
    """One push, and what is known on its way."""

    def __init__(
        self, prepared: Prepared, token: Token, branch: str, title: str, private: bool, create_pr: bool, tell: Tell
    ) -> None:
        self.prepared, self.repo_id, self.token, self.branch = prepared, prepared.repo_id, token, branch
        self.title, self.private, self.create_pr, self.tell = title, private, create_pr, tell
        self.target = None if create_pr else branch
        self.created: bool | None = False
        self.branched = False  # the branch was made by this push: its head is main's

    def run(self, parent: str | None) -> Pushed:
        self.tell("Looking at the repository", 0.0)
        try:
            there = self._base(parent)
            head, info = there.id, self._seen(there.id)
            if _holds(info, self.prepared.files):  # an earlier push, also one that was not answered
                tag, told = self._tagged(head)
                done = f"{self.repo_id} has exactly this already. No commit was made."
                return self._pushed(head, None, tag, sentences(done, told))
            if head != parent and not self.branched and (parent is not None or not _is_empty(info)):
                raise self._stale(there, parent)
            large = self._upload()
            self.tell("Committing", 0.8)
        except HubError as error:
            raise self._uncommitted(error) from None
        lost = False
        try:
            with calling(self.repo_id, self.token, size=self.prepared.bytes) as hub:
                files = self.prepared.files
                oid, number = api.commit(
                    hub, self.repo_id, files, large, title=self.title, parent=head, branch=self.target
                )
        except HubError as error:
            oid, number = self._landed(error, head)
            lost = True
        with suppress(Cancelled):  # too late: the commit is there
            self.tell("Naming it", 0.95)
        tag, told = (None, "") if self.create_pr else self._tagged(oid)
        where = self.repo_id if self.branch == "main" else f"Branch {self.branch} of {self.repo_id}"
        if self.create_pr:
            what = f"A pull request for {self.repo_id} is open."
        elif lost:  # there may be others above it by now
            what = f"Commit {oid[:7]} is on {where}."
        else:
            what = f"{where} is at commit {oid[:7]} now."
        reply = "The Hub's reply was lost on the way." if lost else ""
        return self._pushed(oid, number, tag, sentences(what, reply, told))

    # --- before the commit ------------------------------------------------------------------------

    def _base(self, parent: str | None) -> Commit:
        """The head of the branch, in a repository and a branch that are made where they are not there."""
        repo_id, branch = self.repo_id, self.branch
        there = self._destination()
        if parent is not None and there.head is None:  # it was there a moment ago
            there = self._look_again(lambda found: found.head is not None, there)
            if there.head is None:
                problem = f"The Hub does not find {repo_id} or its branch {branch}, which was there before."
                raise HubError("not_found", problem, "Look at it on the Hub, then push again.")
        if self.create_pr and not there.exists:
            problem = f"The Hub does not find {repo_id}, so no pull request can be opened."
            raise HubError("not_found", problem, "Check the name. A new repository needs no pull request.")
        if not there.exists:
            there = self._create()
        if there.head is None:
            there = self._create_branch(there)
        assert there.head is not None
        return there.head

    def _stale(self, head: Commit, parent: str | None) -> HubError:
        place = f"{self.repo_id}, branch {self.branch}," if self.branch != "main" else self.repo_id
        seen = f"This push is based on {parent[:7]}." if parent else "This push was to begin it."
        problem = f"{place} is at commit {head.id[:7]} now. {seen}"
        return HubError("stale", problem, "Look at what is there, then push again.", head=head)

    def _create(self) -> Destination:
        """Creates the repository, and waits until the Hub finds it."""
        lost: HubError | None = None
        try:
            with calling(self.repo_id, self.token, seconds=30) as hub:
                api.create_repo(hub, self.repo_id, private=self.private)
            self.created = True
        except HubError as error:
            if error.kind not in UNANSWERED | {"taken"}:
                raise
            lost = error
            self.created = None if error.kind in UNANSWERED else False
        try:
            there = self._look_again(lambda found: found.exists and (self.branch != "main" or found.head is not None))
            if lost is not None and there.exists:  # empty and not there before: it is this push's own
                self.created = lost.kind in UNANSWERED and _is_empty(self._info(None))
        except HubError as error:
            raise lost or error from None
        if not there.exists:
            raise lost or HubError("not_found", f"The Hub does not find {self.repo_id} yet.")
        if self.private and not there.private:
            raise HubError("taken", f"{self.repo_id} exists already, and it is public.", "Choose another name.")
        return there

    def _create_branch(self, there: Destination) -> Destination:
        """Creates the branch, and waits until the Hub finds it."""
        lost: HubError | None = None
        if self.branch != "main":
            try:
                with calling(self.repo_id, self.token, seconds=30) as hub:
                    api.create_branch(hub, self.repo_id, self.branch)
                self.branched = True
            except HubError as error:
                if error.kind not in UNANSWERED | {"taken"}:
                    raise
                lost, self.branched = error, error.kind in UNANSWERED
        there = self._look_again(lambda found: found.head is not None, there)
        if there.head is None:
            raise lost or HubError("revision", f"The Hub does not find the branch {self.branch} of {self.repo_id} yet.")
        return there

    def _upload(self) -> frozenset[str]:
        """Uploads the large files, and tells which they are."""
        files = self.prepared.files
        with calling(self.repo_id, self.token, size=self.prepared.bytes) as hub:
            api.check_card(hub, self.prepared.card)
            large = api.large_files(hub, self.repo_id, files, self.target)
            for done, name in enumerate(sorted(large)):
                self.tell(f"Uploading {name}", 0.2 + 0.6 * done / len(large))
                api.upload(hub, self.repo_id, files[name])
        return large

    def _uncommitted(self, error: HubError) -> HubError:
        """An error from before the commit, and what is known after it: no commit was asked for."""
        if self.created is None:
            outcome = f"Nothing was pushed, but the repository {self.repo_id} may have been created."
        elif self.created:
            outcome = f"The repository {self.repo_id} was created, and nothing was pushed to it."
        else:
            outcome = "Nothing was pushed."
        problem = advice = None
        if self.created and error.kind in ("not_found", "revision"):
            problem, advice = f"The Hub does not find {self.repo_id} yet.", "Push again in a minute."
        return error.after(outcome, problem=problem, advice=advice, created=self.created)

    # --- after the commit -------------------------------------------------------------------------

    def _landed(self, error: HubError, parent: str) -> tuple[str, int | None]:
        """The commit of a push whose reply was lost; raises `HubError` with what is known where there is none."""
        if error.kind not in UNANSWERED | {"stale"}:
            raise self._uncommitted(error) from None
        failed = False
        for _look in self._looks() if error.kind in UNANSWERED else (0,):
            try:
                if found := self._find(parent):
                    return found
                failed = False
            except HubError:
                failed = True
        if error.kind == "stale":
            with suppress(HubError):
                error.head = self._destination().head
            raise self._uncommitted(error) from None
        where = Reference(self.repo_id, None if self.create_pr else self.branch).url
        if failed:
            outcome = "Whether the commit is on the Hub is unknown: looking it up failed, too."
        else:
            outcome = "The commit was not on the Hub when it was looked up, but it may still appear."
        if self.created:
            outcome = sentences(f"The repository {self.repo_id} was created.", outcome)
        advice = f"Look at {where} before you push again."
        if not self.create_pr:
            advice = f"Push again in a minute: a commit that has appeared is not made twice. Or look at {where}."
        raise error.after(outcome, advice=advice, landed=None, created=self.created) from None

    def _tagged(self, commit: str) -> tuple[str | None, str]:
        """The tag that the card's snippet is pinned to, made where it is not there; and a sentence if that failed."""
        tag = self.prepared.tag
        if tag is None:
            return None, ""
        try:
            with calling(self.repo_id, self.token, seconds=30) as hub:
                api.create_tag(hub, self.repo_id, tag, commit)
            return tag, ""
        except HubError as error:
            kind = error.kind
        pinned = f"the tag {tag}, to which the card's snippet is pinned"
        if kind == "signed_out":
            return None, f"The sign-in ended before {pinned}, was made. Sign in, then push again to make it."
        if kind not in UNANSWERED | {"taken"}:
            return None, f"The Hub refused {pinned}. Push again to make it."
        model = {name: content for name, content in self.prepared.files.items() if name in (CONFIG, WEIGHTS, HISTORY)}
        for _look in self._looks():
            with suppress(HubError):  # it is not there, or the Hub does not answer
                if _holds(self._info(tag), model):
                    return tag, ""
                return None, f"There is another model at {pinned}."
        return None, f"The Hub did not confirm {pinned}. Push again to make sure."

    def _pushed(self, commit: str, number: int | None, tag: str | None, told: str) -> Pushed:
        url = f"{endpoint()}/{self.repo_id}"
        request = f"{url}/discussions/{number}" if number is not None else None
        return Pushed(url, commit, f"{url}/commit/{commit}", bool(self.created), request, tag, told)

    # --- looking ----------------------------------------------------------------------------------

    def _destination(self) -> Destination:
        return destination(self.repo_id, self.branch, self.token)

    def _looks(self) -> Iterator[int]:
        """A few looks at the Hub, with pauses."""
        for number, pause in enumerate(_PAUSES):
            if number:
                with suppress(Cancelled):  # what is looked for may be there
                    self.tell("Looking again", None)
                time.sleep(pause)
            yield number

    def _look_again(self, enough: Callable[[Destination], bool], there: Destination | None = None) -> Destination:
        """The repository as it is once that is `enough`, or in the end."""
        for _look in self._looks():
            there = self._destination()
            if enough(there):
                break
        assert there is not None
        return there

    def _info(self, revision: str | None) -> ModelInfo:
        with calling(self.repo_id, self.token, seconds=30) as hub:
            return api.model_info(hub, self.repo_id, revision)

    def _seen(self, commit: str) -> ModelInfo:
        """What a commit holds that the Hub has just named: that it is not found must be for a moment."""
        for _look in self._looks():
            try:
                return self._info(commit)
            except HubError as error:
                if error.kind not in ("not_found", "revision"):
                    raise
        problem = f"The Hub does not find commit {commit[:7]} of {self.repo_id}, which it has just named."
        raise HubError("not_found", problem, "Push again in a minute.")

    def _find(self, parent: str) -> tuple[str, int | None] | None:
        """The commit above `parent` that holds what was pushed, and the number of its pull request."""
        for number in self._requests() if self.create_pr else (None,):
            place = self.branch if number is None else f"refs/pr/{number}"
            for commit in commits(self.repo_id, place, self.token):
                if commit.id == parent:
                    break
                if _holds(self._info(commit.id), self.prepared.files):
                    return commit.id, number
        return None

    def _requests(self) -> list[int]:
        """The newest pull requests."""
        with calling(self.repo_id, self.token, seconds=30) as hub:
            return list(reversed(api.refs(hub, self.repo_id).requests))[:_MAX_REQUESTS]


def _check_names(repo_id: str, branch: str) -> None:
    """Raises `HubError` for names that cannot be."""
    parse_reference(repo_id)
    if not is_revision(branch):
        raise HubError(
            "invalid",
            f"“{one_line(branch, 60)}” cannot name a branch.",
            "Use letters, digits, dots, dashes, underscores and slashes, as in main.",
        )


def _is_empty(info: ModelInfo) -> bool:
    """Whether nothing but what the Hub itself puts there is in a repository."""
    return {each.rfilename for each in info.siblings or []} <= {".gitattributes"}


def _holds(info: ModelInfo, files: Mapping[str, bytes]) -> bool:
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
