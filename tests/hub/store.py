"""What the small Hub keeps: people and their tokens, repositories and their commits, uploads. All in memory."""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import count
from typing import Any, Literal

import yaml

from tests.hub.cards import as_list, front_matter

Role = Literal["read", "write", "fineGrained", "oauth"]
Files = Mapping[str, "bytes | str | File"]

CHUNK = 64 * 1024
LARGE = 10 * 2**20  # bytes; larger files go to the store of large files whatever their name
LARGE_NAMES = (".safetensors", ".bin", ".pt", ".pth", ".pkl", ".ckpt", ".h5", ".npz", ".zip", ".gz", ".onnx")
GITATTRIBUTES = "".join(f"*{name} filter=lfs diff=lfs merge=lfs -text\n" for name in LARGE_NAMES).encode()


def is_large(path: str, size: int, sample: bytes) -> bool:
    """Whether a file is kept as a large one: by its name, its size, or because it is no text."""
    return size > 0 and (path.endswith(LARGE_NAMES) or size > LARGE or b"\0" in sample)


@dataclass(frozen=True)
class File:
    """A file at one commit. `declared` makes it as long as it says, filled up with zeros that are never stored."""

    content: bytes
    large: bool = False
    declared: int | None = None

    @property
    def size(self) -> int:
        return len(self.content) if self.declared is None else self.declared

    @cached_property
    def sha256(self) -> str:
        more = b"" if self.declared is None else b"%d" % self.declared  # zeros are not worth hashing
        return hashlib.sha256(self.content + more).hexdigest()

    @cached_property
    def pointer(self) -> bytes:
        """What git itself keeps of a large file."""
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n".encode()

    @cached_property
    def blob(self) -> str:
        """Hash under which git keeps the file, or the pointer to it."""
        kept = self.pointer if self.large else self.content
        return hashlib.sha1(b"blob %d\0" % len(kept) + kept).hexdigest()

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes from `start` to before `end`."""
        while start < end:
            stop = min(start + CHUNK, end)
            known = self.content[start:stop]
            yield known + bytes(stop - start - len(known))
            start = stop


@dataclass(frozen=True)
class Commit:
    """One commit with all files as they then were."""

    id: str
    parent: str | None
    title: str
    message: str
    authors: tuple[str, ...]
    date: datetime
    files: Mapping[str, File]


@dataclass
class Token:
    """An access token. `repos` are those that a fine-grained one may write, or that an app has made with its own."""

    value: str = field(repr=False)
    user: str
    role: Role
    name: str
    expires: float | None = None  # seconds since 1970
    repos: set[str] = field(default_factory=set)
    scopes: tuple[str, ...] = ()  # of an app's token

    @property
    def expired(self) -> bool:
        return self.expires is not None and time.time() >= self.expires


@dataclass
class User:
    """An account, with its role in each of its organizations."""

    name: str
    full_name: str
    orgs: dict[str, Literal["read", "write", "admin"]] = field(default_factory=dict)


@dataclass(frozen=True)
class App:
    """An app that people can sign in to with their account here."""

    name: str
    id: str
    secret: str = field(repr=False)
    redirects: tuple[str, ...]
    scopes: frozenset[str]


@dataclass
class Repo:
    """A repository; `kind` is "models", "datasets" or "spaces"."""

    kind: str
    id: str
    private: bool
    gated: Literal[False, "auto", "manual"]
    admitted: set[str]
    downloads: int
    likes: int
    created: datetime
    extra_tags: tuple[str, ...]
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    pulls: dict[int, str] = field(default_factory=dict)
    objects: set[str] = field(default_factory=set)  # sha256 of large files that were uploaded for it

    @property
    def owner(self) -> str:
        return self.id.split("/")[0]

    def resolve(self, revision: str) -> Commit | None:
        """The commit of a branch, tag, pull request or (at least 7 digits of a) hash."""
        refs = self.branches | self.tags | {f"refs/pr/{number}": head for number, head in self.pulls.items()}
        refs |= {f"refs/heads/{name}": head for name, head in self.branches.items()}
        if revision in refs:
            return self.commits[refs[revision]]
        if len(revision) < 7:
            return None
        return next((commit for commit in self.commits.values() if commit.id.startswith(revision)), None)

    def set_head(self, revision: str, commit: str) -> None:
        """Moves a branch or a pull request, named as in `resolve`."""
        if revision.startswith("refs/pr/"):
            self.pulls[int(revision.removeprefix("refs/pr/"))] = commit
        else:
            self.branches[revision.removeprefix("refs/heads/")] = commit

    def history(self, commit: Commit | None) -> Iterator[Commit]:
        """A commit and those before it."""
        while commit:
            yield commit
            commit = self.commits[commit.parent] if commit.parent else None

    @property
    def head(self) -> Commit:
        return self.commits[self.branches["main"]]

    def card(self, commit: Commit | None = None) -> dict[str, Any]:
        """The front matter of the README; empty where there is none that can be read."""
        readme = (commit or self.head).files.get("README.md")
        try:
            card = front_matter(readme.content.decode()) if readme else None
        except (ValueError, yaml.YAMLError):
            return {}
        return card if isinstance(card, dict) else {}

    def all_tags(self) -> list[str]:
        """Tags of the card and those that the Hub makes of its other keys."""
        card = self.card()
        tags = [*self.extra_tags, *(tag for tag in as_list(card.get("tags")) if isinstance(tag, str))]
        tags += [card[key] for key in ("library_name", "pipeline_tag") if isinstance(card.get(key), str)]
        for key, prefix in (("license", "license"), ("datasets", "dataset"), ("base_model", "base_model")):
            tags += [f"{prefix}:{value}" for value in as_list(card.get(key)) if isinstance(value, str)]
        return list(dict.fromkeys([*tags, "region:us"]))


class Store:
    """Everything the Hub knows. Take `lock` for more than one call."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.users: dict[str, User] = {}
        self.tokens: dict[str, Token] = {}
        self.repos: dict[tuple[str, str], Repo] = {}
        self.objects: dict[str, bytes] = {}  # large files by sha256
        self.apps: dict[str, App] = {}
        self.codes: dict[str, dict[str, str]] = {}  # what a code was asked for, until it is exchanged
        self.browsing = "alice"  # who sits at the browser
        self.xet = False  # whether large files are offered by Xet, too
        self.secret = secrets.token_bytes(16)
        self._numbers = count(1)
        self._clock = 0.0

    def add_user(self, name: str, full_name: str = "", **orgs: Literal["read", "write", "admin"]) -> User:
        self.users[name] = User(name, full_name or name.title(), dict(orgs))
        return self.users[name]

    def add_token(
        self,
        user: str,
        role: Role = "write",
        *,
        name: str = "",
        repos: Collection[str] = (),
        scopes: Collection[str] = (),
        lasts: float | None = None,
    ) -> Token:
        """A new token; `lasts` seconds from now, or for ever."""
        value = ("hf_oauth_" if role == "oauth" else "hf_") + secrets.token_hex(17)
        expires = None if lasts is None else time.time() + lasts
        token = Token(value, user, role, name or f"{role} of {user}", expires, set(repos), tuple(scopes))
        self.tokens[value] = token
        return token

    def now(self) -> datetime:
        """Each call is at least a millisecond later than the one before, so that dates put things in order."""
        self._clock = max(self._clock + 0.001, time.time())
        return datetime.fromtimestamp(self._clock, UTC)

    def find(self, kind: str, repo_id: str) -> Repo | None:
        """Repositories are found whatever the case of their letters."""
        exact = self.repos.get((kind, repo_id))
        low = repo_id.lower()
        return exact or next((r for (k, name), r in self.repos.items() if k == kind and name.lower() == low), None)

    def create(
        self,
        repo_id: str,
        *,
        kind: str = "models",
        private: bool = False,
        gated: Literal[False, "auto", "manual"] = False,
        admitted: Collection[str] = (),
        downloads: int = 0,
        likes: int = 0,
        tags: Collection[str] = (),
        author: str = "",
    ) -> Repo:
        """A repository with its first commit, as the Hub makes it."""
        with self.lock:
            now = self.now()
            repo = Repo(kind, repo_id, private, gated, set(admitted), downloads, likes, now, tuple(tags))
            self.repos[kind, repo_id] = repo
            first = {".gitattributes": File(GITATTRIBUTES)}
            self.commit(repo, lambda _: first, "initial commit", "", (author or repo.owner,), "main")
            return repo

    def commit(
        self,
        repo: Repo,
        change: Callable[[dict[str, File]], dict[str, File]],
        title: str,
        message: str,
        authors: tuple[str, ...],
        revision: str,
    ) -> Commit:
        """One more commit on a branch or pull request; `change` gives the new files for the old ones."""
        with self.lock:
            before = repo.resolve(revision) if repo.commits else None
            files = change(dict(before.files) if before else {})
            name = f"{repo.id} {next(self._numbers)} {title}"
            commit = Commit(
                hashlib.sha1(name.encode() + self.secret).hexdigest(),
                before.id if before else None,
                title,
                message,
                authors,
                self.now(),
                files,
            )
            repo.commits[commit.id] = commit
            repo.set_head(revision, commit.id)
            for file in files.values():
                if file.large:
                    repo.objects.add(file.sha256)
            return commit

    def may_read(self, token: Token | None, repo: Repo) -> bool:
        """Whether the repository shows itself at all; a gated one does, its files do not (`may_open`)."""
        if not repo.private:
            return True
        if not token:
            return False
        if token.role == "oauth" and not {"read-repos", "manage-repos", "write-repos"} & {*token.scopes}:
            return repo.id in token.repos
        return repo.owner == token.user or repo.owner in self.users[token.user].orgs

    def may_open(self, token: Token | None, repo: Repo) -> bool:
        """Whether files can be read: not before one is admitted to a gated repository."""
        if not self.may_read(token, repo):
            return False
        return not repo.gated or bool(token and (token.user == repo.owner or token.user in repo.admitted))

    def may_write(self, token: Token, repo: Repo) -> bool:
        if token.role == "read":
            return False
        if token.role == "fineGrained" and repo.id not in token.repos:
            return False
        if token.role == "oauth" and not {"write-repos", "manage-repos"} & {*token.scopes}:
            return "contribute-repos" in token.scopes and repo.id in token.repos
        return self.owns(token.user, repo.owner)

    def may_create(self, token: Token, owner: str) -> bool:
        if token.role == "oauth" and not {"contribute-repos", "manage-repos"} & {*token.scopes}:
            return False
        if token.role == "fineGrained" and f"{owner}/*" not in token.repos:
            return False
        return token.role != "read" and self.owns(token.user, owner)

    def owns(self, user: str, owner: str) -> bool:
        """Whether a person may write in a namespace."""
        return owner == user or self.users[user].orgs.get(owner) in ("write", "admin")
