"""Accounts, repositories and revisions, as the Hub's client of version 2.4 asks for them."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from starlette.responses import JSONResponse, Response

from tests.hub.protocol import Call, Refusal, route
from tests.hub.store import Commit, File, Repo

SINGULAR = {"models": "model", "datasets": "dataset", "spaces": "space"}
PLURAL = {singular: kind for kind, singular in SINGULAR.items()}
NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]{0,94}[A-Za-z0-9_])?")
INFO = ("author", "cardData", "createdAt", "disabled", "downloads", "gated", "lastModified", "library_name", "likes")
INFO += ("model-index", "pipeline_tag", "private", "sha", "siblings", "spaces", "tags", "usedStorage", "config")
LISTED = ("createdAt", "downloads", "library_name", "likes", "pipeline_tag", "private", "tags")
SORTS: dict[str, Callable[[Repo], Any]] = {
    "lastModified": lambda repo: repo.head.date,
    "createdAt": lambda repo: repo.created,
    "downloads": lambda repo: repo.downloads,
    "likes": lambda repo: repo.likes,
    "trendingScore": lambda repo: repo.likes,
}

# Who is there


@route("GET", "/api/whoami-v2")
def whoami(call: Call) -> Response:
    token = call.signed_in
    user = call.store.users[token.user]
    access: dict[str, Any] = {"displayName": token.name, "role": token.role, "createdAt": "2026-01-01T00:00:00.000Z"}
    if token.role == "fineGrained":
        scoped = [{"entity": {"type": "model", "name": name}, "permissions": ["repo.write"]} for name in token.repos]
        access["fineGrained"] = {"canReadGatedRepos": False, "global": [], "scoped": scoped}
    auth = {"type": "oauth"} if token.role == "oauth" else {"type": "access_token", "accessToken": access}
    orgs = [
        {"type": "org", "id": identity(name), "name": name, "fullname": name.title(), "roleInOrg": role}
        for name, role in user.orgs.items()
    ]
    return JSONResponse(
        {
            "type": "user",
            "id": identity(user.name),
            "name": user.name,
            "fullname": user.full_name,
            "email": f"{user.name}@example.org",
            "emailVerified": True,
            "isPro": False,
            "canPay": False,
            "avatarUrl": "/avatars/plain.svg",
            "orgs": orgs,
            "auth": auth,
        }
    )


def identity(name: str) -> str:
    return hashlib.sha1(name.encode()).hexdigest()[:24]


# Repositories


@route("POST", "/api/repos/create")
def create_repo(call: Call) -> Response:
    token, body = call.signed_in, call.json()
    kind = PLURAL[body.get("type") or "model"]
    owner, name = body.get("organization") or token.user, body["name"]
    if not NAME.fullmatch(name) or "--" in name or ".." in name or name.endswith((".git", ".ipynb")):
        raise Refusal(400, f'Invalid repo name: "{name}"')
    if not call.store.may_create(token, owner):
        raise Refusal(403, f'You don\'t have the rights to create a {SINGULAR[kind]} under the namespace "{owner}"')
    repo_id = f"{owner}/{name}"
    url = f"{call.base}/{'' if kind == 'models' else kind + '/'}{repo_id}"
    if call.store.find(kind, repo_id):
        message = f"You already created this {SINGULAR[kind]} repo"
        return JSONResponse({"error": message, "url": url}, 409, headers={"X-Error-Message": message})
    private = body.get("visibility") == "private" or bool(body.get("private"))
    call.store.create(repo_id, kind=kind, private=private, author=token.user)
    if token.role == "oauth":
        token.repos.add(repo_id)  # an app that may only contribute sees what it has made
    return JSONResponse({"url": url, "name": repo_id, "id": identity(repo_id)})


@route("GET", "/api/{kind}")
def list_repos(call: Call) -> Response:
    store, token = call.store, call.token
    tags, author, search = call.options("filter"), call.option("author"), call.option("search").lower()
    found = [
        repo
        for repo in store.repos.values()
        if repo.kind == call.kind
        and store.may_read(token, repo)
        and (not author or repo.owner == author)
        and search in repo.id.lower()
        and {*tags} <= {*repo.all_tags()}
    ]
    found.sort(key=SORTS.get(call.option("sort", "trendingScore"), SORTS["trendingScore"]), reverse=True)
    fields = call.options("expand") or [
        *LISTED,
        *(("author", "sha", "lastModified", "siblings") if call.option("full") else ()),
    ]
    if call.option("cardData"):
        fields.append("cardData")
    size = max(1, min(int(call.option("limit", "1000")), 1000))
    return call.page(
        [
            {key: v for key, v in info(repo, repo.head).items() if key in fields or key in ("_id", "id", "modelId")}
            for repo in found
        ],
        size,
    )


@route("GET", "/api/{kind}/{owner}/{name}/revision/{revision}")
@route("GET", "/api/{kind}/{owner}/{name}")
def repo_info(call: Call) -> Response:
    repo = call.repo()
    answer = info(repo, call.commit(repo), blobs=bool(call.option("blobs")))
    if fields := call.options("expand"):
        answer = {key: value for key, value in answer.items() if key in fields or key in ("_id", "id")}
    return JSONResponse(answer)


def info(repo: Repo, commit: Commit, *, blobs: bool = False) -> dict[str, Any]:
    """What the Hub says of a repository at a commit."""
    card = repo.card(commit)
    answer: dict[str, Any] = {
        "_id": identity(repo.id),
        "id": repo.id,
        "modelId": repo.id,
        "author": repo.owner,
        "sha": commit.id,
        "lastModified": stamp(repo.head),
        "createdAt": repo.created.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "private": repo.private,
        "gated": repo.gated,
        "disabled": False,
        "downloads": repo.downloads,
        "likes": repo.likes,
        "tags": repo.all_tags(),
        "spaces": [],
        "config": {},
        "usedStorage": sum(file.size for file in commit.files.values()),
        "siblings": [sibling(path, file, blobs) for path, file in sorted(commit.files.items())],
    }
    answer |= {key: card[key] for key in ("pipeline_tag", "library_name") if key in card}
    if card:
        answer["cardData"] = json.loads(json.dumps(card, default=str))
    if "model-index" in card:
        answer["model-index"] = answer["cardData"].pop("model-index")
    return answer


def stamp(commit: Commit) -> str:
    return commit.date.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sibling(path: str, file: File, blobs: bool) -> dict[str, Any]:
    entry: dict[str, Any] = {"rfilename": path}
    if blobs:
        entry |= {"blobId": file.blob, "size": file.size}
        if file.large:
            entry["lfs"] = {"sha256": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return entry


def entry(path: str, file: File) -> dict[str, Any]:
    item: dict[str, Any] = {"type": "file", "path": path, "size": file.size, "oid": file.blob}
    if file.large:
        item["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return item


def entries(files: Mapping[str, File], folder: str, recursive: bool) -> Iterable[dict[str, Any]]:
    """Files and folders below a folder ("" for all)."""
    start = f"{folder}/" if folder else ""
    seen: set[str] = set()
    for path, file in sorted(files.items()):
        if not path.startswith(start):
            continue
        parts = path.removeprefix(start).split("/")
        for depth in range(1, len(parts) if recursive else min(2, len(parts))):
            inner = start + "/".join(parts[:depth])
            if inner not in seen:
                seen.add(inner)
                yield {"type": "directory", "path": inner, "size": 0, "oid": hashlib.sha1(inner.encode()).hexdigest()}
        if recursive or len(parts) == 1:
            yield entry(path, file)


@route("GET", "/api/{kind}/{owner}/{name}/tree/{revision}/{path}")
@route("GET", "/api/{kind}/{owner}/{name}/tree/{revision}")
def tree(call: Call) -> Response:
    repo = call.repo()
    commit, folder = call.commit(repo), call.args.get("path", "").strip("/")
    found = [*entries(commit.files, folder, call.option("recursive").lower() == "true")]
    if folder and not found:
        raise Refusal(404, f'{folder} does not exist on "{call.args["revision"]}"', "EntryNotFound")
    return call.page(found, int(call.option("limit", "1000")))


# Revisions


@route("GET", "/api/{kind}/{owner}/{name}/refs")
def refs(call: Call) -> Response:
    repo = call.repo()

    def listed(names: Mapping[Any, str], where: str) -> list[dict[str, str]]:
        return [{"name": str(n), "ref": f"refs/{where}/{n}", "targetCommit": head} for n, head in names.items()]

    answer = {"branches": listed(repo.branches, "heads"), "converts": [], "tags": listed(repo.tags, "tags")}
    if call.option("include_prs"):
        answer["pullRequests"] = listed(repo.pulls, "pr")
    return JSONResponse(answer)


@route("GET", "/api/{kind}/{owner}/{name}/commits/{revision}")
def commits(call: Call) -> Response:
    repo = call.repo()
    answer = [
        {
            "id": commit.id,
            "title": commit.title,
            "message": commit.message,
            "authors": [{"user": name, "avatar": "/avatars/plain.svg"} for name in commit.authors],
            "date": stamp(commit),
        }
        for commit in repo.history(call.commit(repo))
    ]
    return call.page(answer, min(int(call.option("limit", "50")), 100))


@route("POST", "/api/{kind}/{owner}/{name}/branch/{branch}")
def create_branch(call: Call) -> Response:
    repo, body = call.writable(), call.json() if call.body else {}
    start = call.commit(repo, body.get("startingPoint"))
    if call.args["branch"] in repo.branches:
        raise Refusal(409, f"Reference already exists: refs/heads/{call.args['branch']}")
    repo.branches[call.args["branch"]] = start.id
    return JSONResponse({})


@route("POST", "/api/{kind}/{owner}/{name}/tag/{revision}")
def create_tag(call: Call) -> Response:
    repo, name = call.writable(), call.json()["tag"]
    commit = call.commit(repo)
    if name in repo.tags:
        raise Refusal(409, f"Tag reference exists already: refs/tags/{name}")
    repo.tags[name] = commit.id
    return JSONResponse({})
