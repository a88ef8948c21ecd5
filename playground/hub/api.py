"""The Hub's HTTP API, one function per request. Call them in a `hub_session`, which raises their errors."""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from huggingface_hub import ModelInfo
from huggingface_hub.utils import fix_hf_endpoint_in_url

from playground.errors import one_line
from playground.hub.client import Session, endpoint
from playground.storage.validation import COMMIT

_KNOWN = ("id", "sha", "lastModified", "private", "gated", "downloads", "likes", "siblings")
"""The fields of a repository that are read."""
_SAMPLE = 512  # bytes of a file from which the Hub decides how to store it
_LFS = "application/vnd.git-lfs+json"


@dataclass(frozen=True)
class Commit:
    """A commit on the Hub; its texts may come from anyone."""

    id: str  # 40 hexadecimal digits
    title: str
    authors: tuple[str, ...]
    date: float | None  # seconds since the epoch


@dataclass(frozen=True)
class Refs:
    """Branches and tags with their commits, and the numbers of pull requests."""

    branches: dict[str, str]
    tags: dict[str, str]
    requests: tuple[int, ...]


# --- reading --------------------------------------------------------------------------------------


def whoami(hub: Session) -> dict[str, Any]:
    """The account of the token."""
    data: dict[str, Any] = hub.get("/api/whoami-v2")
    return data


def model_info(hub: Session, repo_id: str, revision: str | None = None) -> ModelInfo:
    """A repository at a revision, with sizes and hashes of its files."""
    at = f"/revision/{quote(revision, safe='')}" if revision else ""
    return _info(hub.get(f"/api/models/{repo_id}{at}", {"blobs": "true"}))


def list_models(hub: Session, limit: int, **query: Any) -> list[ModelInfo]:
    """The first `limit` models that match."""
    given = {name: value for name, value in query.items() if value is not None}
    items, following = hub.page("/api/models", given | {"limit": limit})
    while following and len(items) < limit:
        more, following = hub.page(following)
        items += more
    return [_info(item) for item in items[:limit]]


def refs(hub: Session, repo_id: str) -> Refs:
    """Branches, tags and pull requests."""
    data = hub.get(f"/api/models/{repo_id}/refs", {"include_prs": "1"})
    branches, tags = ({str(ref["name"]): str(ref["targetCommit"]) for ref in data[key]} for key in ("branches", "tags"))
    requests = (int(ref["ref"].rpartition("/")[2]) for ref in data.get("pullRequests") or [])
    return Refs(branches, tags, tuple(sorted(requests)))


def commits(hub: Session, repo_id: str, revision: str, limit: int) -> list[Commit]:
    """The newest commits up to `revision`, newest first, at most one page."""
    data = hub.get(f"/api/models/{repo_id}/commits/{quote(revision, safe='')}", {"limit": limit})
    return [_commit(item) for item in data[:limit]]


def file_path(repo_id: str, commit: str, name: str) -> str:
    """The path of a file's content."""
    return f"/{repo_id}/resolve/{commit}/{quote(name)}"


def _info(data: Mapping[str, Any]) -> ModelInfo:
    return ModelInfo(**{name: data[name] for name in _KNOWN if name in data})


def _commit(item: Mapping[str, Any]) -> Commit:
    if not COMMIT.fullmatch(item["id"]):
        raise ValueError
    authors = tuple(one_line(author.get("user") or "", 80) for author in item.get("authors") or [])
    date = item.get("date")
    return Commit(
        item["id"],
        one_line(item.get("title") or "", 200),
        tuple(filter(None, authors))[:10],
        datetime.fromisoformat(date).timestamp() if date else None,
    )


# --- writing --------------------------------------------------------------------------------------


def create_repo(hub: Session, repo_id: str, *, private: bool) -> None:
    """Create a model repository."""
    owner, name = repo_id.split("/")
    visibility = "private" if private else "public"
    hub.post("/api/repos/create", {"name": name, "organization": owner, "type": "model", "visibility": visibility})


def create_branch(hub: Session, repo_id: str, branch: str) -> None:
    """Create a branch at the head of main."""
    hub.post(f"/api/models/{repo_id}/branch/{quote(branch, safe='')}", {})


def create_tag(hub: Session, repo_id: str, tag: str, commit: str) -> None:
    """Tag a commit."""
    hub.post(f"/api/models/{repo_id}/tag/{commit}", {"tag": tag})


def check_card(hub: Session, card: str) -> None:
    """Let the Hub validate the front matter of a model card."""
    hub.post("/api/validate-yaml", {"content": card, "repoType": "model"})


def large_files(hub: Session, repo_id: str, files: Mapping[str, bytes], branch: str | None) -> frozenset[str]:
    """The names of the files that the Hub stores as large files; without a branch, for a pull request."""
    listed = [
        {"path": name, "sample": base64.b64encode(content[:_SAMPLE]).decode(), "size": len(content)}
        for name, content in files.items()
    ]
    data = hub.post(f"/api/models/{repo_id}/preupload/{_revision(branch)}", {"files": listed}, _request(branch))
    modes = {file["path"]: file["uploadMode"] for file in data["files"]}
    return frozenset(name for name, content in files.items() if modes[name] == "lfs" and content)


def upload(hub: Session, repo_id: str, content: bytes) -> None:
    """Upload a large file by git-lfs in one part, unless the Hub already has it."""
    known = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content)}
    batch = {"operation": "upload", "transfers": ["basic"], "objects": [known], "hash_algo": "sha256"}
    data = hub.post(f"/{repo_id}.git/info/lfs/objects/batch", batch, content_type=_LFS)
    (found,) = data["objects"]
    if found["oid"] != known["oid"] or "error" in found:
        raise ValueError
    actions = found.get("actions") or {}
    if "upload" in actions:
        hub.put(fix_hf_endpoint_in_url(actions["upload"]["href"], endpoint()), content)
    if "verify" in actions:
        hub.post(fix_hf_endpoint_in_url(actions["verify"]["href"], endpoint()), known)


def commit(
    hub: Session,
    repo_id: str,
    files: Mapping[str, bytes],
    large: frozenset[str],
    *,
    title: str,
    parent: str,
    branch: str | None,
) -> tuple[str, int | None]:
    """Make one commit on `parent` with these files, or none; without a branch, a pull request.

    Returns the commit and the number of the pull request.
    """
    lines: list[dict[str, Any]] = [
        {"key": "header", "value": {"summary": title, "description": "", "parentCommit": parent}}
    ]
    for name, content in files.items():
        if name in large:
            oid = hashlib.sha256(content).hexdigest()
            value = {"path": name, "algo": "sha256", "oid": oid, "size": len(content)}
            lines.append({"key": "lfsFile", "value": value})
        else:
            value = {"content": base64.b64encode(content).decode(), "path": name, "encoding": "base64"}
            lines.append({"key": "file", "value": value})
    data = hub.post(
        f"/api/models/{repo_id}/commit/{_revision(branch)}",
        b"".join(json.dumps(line).encode() + b"\n" for line in lines),
        _request(branch),
        content_type="application/x-ndjson",
    )
    if not COMMIT.fullmatch(data["commitOid"]):
        raise ValueError
    number = int(data["pullRequestUrl"].rpartition("/")[2]) if branch is None else None
    return str(data["commitOid"]), number


def _revision(branch: str | None) -> str:
    return quote(branch or "main", safe="")


def _request(branch: str | None) -> dict[str, str] | None:
    return {"create_pr": "1"} if branch is None else None
