"""The Hub's protocol, as the client of version 2.4 speaks it: which request is answered with what."""

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode

from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from tests.hub.cards import problems
from tests.hub.store import Commit, File, Repo, Store, Token, is_large

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


class Refusal(Exception):
    """An answer that is an error, with the headers from which the client tells what it is."""

    def __init__(self, status: int, message: str, code: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.headers = status, message, code, dict(headers or {})

    def response(self) -> Response:
        headers = {"X-Error-Message": self.message} | ({"X-Error-Code": self.code} if self.code else {})
        return JSONResponse({"error": self.message}, self.status, headers=headers | self.headers)


@dataclass
class Call:
    """One request, read whole."""

    store: Store
    base: str  # address of the Hub
    cdn: str  # address of the place of large files: another origin
    method: str
    path: str
    query: dict[str, list[str]]
    headers: Mapping[str, str]
    body: bytes
    args: dict[str, str] = field(default_factory=dict)

    @property
    def bearer(self) -> str:
        scheme, _, value = self.headers.get("authorization", "").partition(" ")
        return value.strip() if scheme.lower() == "bearer" else ""

    @property
    def token(self) -> Token | None:
        """Whose request this is. Raises `Refusal` for a token that is unknown or no longer good."""
        if "authorization" not in self.headers:
            return None
        token = self.store.tokens.get(self.bearer)
        if not token:
            raise Refusal(401, "Invalid credentials in Authorization header")
        if token.expired:
            raise Refusal(401, f'User Access Token "{token.name}" is expired')
        return token

    @property
    def signed_in(self) -> Token:
        if token := self.token:
            return token
        raise Refusal(401, "Invalid username or password.")

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise Refusal(400, "The body is no JSON") from None

    def option(self, name: str, default: str = "") -> str:
        return self.query.get(name, [default])[-1]

    def options(self, name: str) -> list[str]:
        """All values, repeated or joined by commas."""
        return [part for value in self.query.get(name, []) for part in value.split(",") if part]

    @property
    def kind(self) -> str:
        return self.args.get("kind") or "models"

    def repo(self) -> Repo:
        """The repository of the address, if this visitor may know that it exists."""
        repo_id = f"{self.args['owner']}/{self.args['name']}"
        token = self.token
        repo = self.store.find(self.kind, repo_id)
        if repo and self.store.may_read(token, repo):
            return repo
        if token:
            raise Refusal(404, "Repository not found", "RepoNotFound")
        raise Refusal(401, "Invalid username or password.", "RepoNotFound")

    def writable(self) -> Repo:
        repo, token = self.repo(), self.signed_in
        if not self.store.may_write(token, repo):
            hint = " Your token has no permission to write." if self.store.owns(token.user, repo.owner) else ""
            raise Refusal(403, f"Forbidden: you must have write access to {repo.id}.{hint}")
        return repo

    def commit(self, repo: Repo, revision: str | None = None) -> Commit:
        revision = revision or self.args.get("revision") or "main"
        if found := repo.resolve(revision):
            return found
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def entry(self, repo: Repo, commit: Commit) -> File:
        if not self.store.may_open(self.token, repo):
            if not self.token:
                words = f"Access to model {repo.id} is restricted. You must have access to it and be authenticated"
                raise Refusal(401, f"{words} to access it. Please log in.", "GatedRepo")
            words = f"Access to model {repo.id} is restricted and you are not in the authorized list. Visit"
            raise Refusal(403, f"{words} {self.base}/{repo.id} to ask for access.", "GatedRepo")
        path = self.args["path"]
        if path not in commit.files:
            raise Refusal(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": commit.id})
        return commit.files[path]

    def page(self, items: list[Any], size: int) -> Response:
        """So many of the items, with a link to the next ones."""
        start = int(self.option("cursor", "0"))
        headers = {"X-Total-Count": str(len(items))}
        if start + size < len(items):
            query = urlencode({**self.query, "cursor": [str(start + size)]}, doseq=True)
            headers["Link"] = f'<{self.base}{self.path}?{query}>; rel="next"'
        return JSONResponse(items[start : start + size], headers=headers)

    def sign(self, name: str) -> str:
        return hmac.new(self.store.secret, name.encode(), hashlib.sha256).hexdigest()[:32]


Handler = Callable[[Call], Response]
ROUTES: list[tuple[str, re.Pattern[str], Handler]] = []
PARTS = {"kind": "models|datasets|spaces", "path": ".+", "prefix": "(?:datasets|spaces)/|"}
PARTS["owner"] = r"(?!(?:api|oauth)/|\.)[^/]+"  # the Hub's own addresses are nobody's


def route(method: str, pattern: str) -> Callable[[Handler], Handler]:
    """Registers a handler; the first route that fits answers."""
    regex = re.sub(r"\{(\w+)\}", lambda m: f"(?P<{m[1]}>{PARTS.get(m[1], '[^/]+')})", pattern.replace(".", r"\."))

    def register(handler: Handler) -> Handler:
        ROUTES.extend((name, re.compile(regex), handler) for name in method.split("|"))
        return handler

    return register


def answer(call: Call, raw_path: str) -> Response:
    """The reply to one request. `raw_path` is still percent-encoded: a revision may hold slashes."""
    for method, pattern, handler in ROUTES:
        if method == call.method and (match := pattern.fullmatch(raw_path)):
            call.args = {name: unquote(value or "") for name, value in match.groupdict().items()}
            if prefix := call.args.get("prefix"):
                call.args["kind"] = prefix.rstrip("/")
            try:
                with call.store.lock:
                    return handler(call)
            except Refusal as refusal:
                return refusal.response()
    return Refusal(404, f"Cannot {call.method} {call.path}").response()


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
    token, told = call.signed_in, call.json()
    kind = PLURAL[told.get("type") or "model"]
    owner, name = told.get("organization") or token.user, told["name"]
    if not NAME.fullmatch(name) or "--" in name or ".." in name or name.endswith((".git", ".ipynb")):
        raise Refusal(400, f'Invalid repo name: "{name}"')
    if not call.store.may_create(token, owner):
        raise Refusal(403, f'You don\'t have the rights to create a {SINGULAR[kind]} under the namespace "{owner}"')
    repo_id = f"{owner}/{name}"
    url = f"{call.base}/{'' if kind == 'models' else kind + '/'}{repo_id}"
    if call.store.find(kind, repo_id):
        message = f"You already created this {SINGULAR[kind]} repo"
        return JSONResponse({"error": message, "url": url}, 409, headers={"X-Error-Message": message})
    private = told.get("visibility") == "private" or bool(told.get("private"))
    call.store.create(repo_id, kind=kind, private=private, author=token.user)
    if token.role == "oauth":
        token.repos.add(repo_id)  # an app that may only contribute sees what it has made
    return JSONResponse({"url": url, "name": repo_id, "id": identity(repo_id)})


@route("DELETE", "/api/repos/delete")
def delete_repo(call: Call) -> Response:
    told = call.json()
    call.args = {"owner": told.get("organization") or call.signed_in.user, "name": told["name"]}
    call.args["kind"] = PLURAL[told.get("type") or "model"]
    repo = call.writable()
    del call.store.repos[repo.kind, repo.id]
    return PlainTextResponse("OK")


@route("PUT", "/api/{kind}/{owner}/{name}/settings")
def settings(call: Call) -> Response:
    repo, told = call.writable(), call.json()
    repo.private = told.get("visibility", "private" if repo.private else "public") == "private"
    repo.gated = told.get("gated", repo.gated)
    return JSONResponse({"private": repo.private, "gated": repo.gated})


@route("GET", "/api/{kind}/{owner}/{name}/auth-check")
def auth_check(call: Call) -> Response:
    repo = call.repo()
    if repo.gated and not call.store.may_open(call.token, repo):
        raise Refusal(403, f"Access to model {repo.id} is restricted.", "GatedRepo")
    return JSONResponse({})


@route("GET", "/api/{kind}/{owner}/{name}/auth-check/write")
def auth_check_write(call: Call) -> Response:
    call.writable()
    return JSONResponse({})


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
    told = info(repo, call.commit(repo), blobs=bool(call.option("blobs")))
    if fields := call.options("expand"):
        told = {key: value for key, value in told.items() if key in fields or key in ("_id", "id")}
    return JSONResponse(told)


def info(repo: Repo, commit: Commit, *, blobs: bool = False) -> dict[str, Any]:
    """What the Hub says of a repository at a commit."""
    card = repo.card(commit)
    told: dict[str, Any] = {
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
    told |= {key: card[key] for key in ("pipeline_tag", "library_name") if key in card}
    if card:
        told["cardData"] = json.loads(json.dumps(card, default=str))
    if "model-index" in card:
        told["model-index"] = told["cardData"].pop("model-index")
    return told


def stamp(commit: Commit) -> str:
    return commit.date.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sibling(path: str, file: File, blobs: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"rfilename": path}
    if blobs:
        told |= {"blobId": file.blob, "size": file.size}
        if file.large:
            told["lfs"] = {"sha256": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return told


def entry(path: str, file: File) -> dict[str, Any]:
    told: dict[str, Any] = {"type": "file", "path": path, "size": file.size, "oid": file.blob}
    if file.large:
        told["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": len(file.pointer)}
    return told


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


@route("POST", "/api/{kind}/{owner}/{name}/paths-info/{revision}")
def paths_info(call: Call) -> Response:
    commit = call.commit(call.repo())
    if "json" in call.headers.get("content-type", ""):
        paths = call.json()["paths"]
    else:
        paths = parse_qs(call.body.decode()).get("paths", [])
    return JSONResponse([entry(path, commit.files[path]) for path in paths if path in commit.files])


# Revisions


@route("GET", "/api/{kind}/{owner}/{name}/refs")
def refs(call: Call) -> Response:
    repo = call.repo()

    def listed(names: Mapping[Any, str], where: str) -> list[dict[str, str]]:
        return [{"name": str(n), "ref": f"refs/{where}/{n}", "targetCommit": head} for n, head in names.items()]

    told = {"branches": listed(repo.branches, "heads"), "converts": [], "tags": listed(repo.tags, "tags")}
    if call.option("include_prs"):
        told["pullRequests"] = listed(repo.pulls, "pr")
    return JSONResponse(told)


@route("GET", "/api/{kind}/{owner}/{name}/commits/{revision}")
def commits(call: Call) -> Response:
    repo = call.repo()
    told = [
        {
            "id": commit.id,
            "title": commit.title,
            "message": commit.message,
            "authors": [{"user": name, "avatar": "/avatars/plain.svg"} for name in commit.authors],
            "date": stamp(commit),
        }
        for commit in repo.history(call.commit(repo))
    ]
    return call.page(told, min(int(call.option("limit", "50")), 100))


@route("POST", "/api/{kind}/{owner}/{name}/branch/{branch}")
def create_branch(call: Call) -> Response:
    repo, told = call.writable(), call.json() if call.body else {}
    start = call.commit(repo, told.get("startingPoint"))
    if call.args["branch"] in repo.branches:
        raise Refusal(409, f"Reference already exists: refs/heads/{call.args['branch']}")
    repo.branches[call.args["branch"]] = start.id
    return JSONResponse({})


@route("DELETE", "/api/{kind}/{owner}/{name}/branch/{branch}")
def delete_branch(call: Call) -> Response:
    repo = call.writable()
    if call.args["branch"] == "main" or not repo.branches.pop(call.args["branch"], None):
        raise Refusal(404, f"Invalid rev id: {call.args['branch']}", "RevisionNotFound")
    return JSONResponse({})


@route("POST", "/api/{kind}/{owner}/{name}/tag/{revision}")
def create_tag(call: Call) -> Response:
    repo, name = call.writable(), call.json()["tag"]
    commit = call.commit(repo)
    if name in repo.tags:
        raise Refusal(409, f"Tag reference exists already: refs/tags/{name}")
    repo.tags[name] = commit.id
    return JSONResponse({})


@route("DELETE", "/api/{kind}/{owner}/{name}/tag/{tag}")
def delete_tag(call: Call) -> Response:
    if not call.writable().tags.pop(call.args["tag"], None):
        raise Refusal(404, f"Invalid rev id: {call.args['tag']}", "RevisionNotFound")
    return JSONResponse({})


# Writing


@route("POST", "/api/validate-yaml")
def validate_yaml(call: Call) -> Response:
    errors, warnings = problems(call.json()["content"])
    told = {"errors": [{"message": words} for words in errors], "warnings": [{"message": words} for words in warnings]}
    return JSONResponse(told, 400 if errors else 200)


def may_commit(call: Call) -> Repo:
    """Whoever can read may open a pull request; only writers change a branch."""
    if not call.option("create_pr"):
        return call.writable()
    repo, token = call.repo(), call.signed_in
    if token.role == "read":
        raise Refusal(403, "Forbidden: your token has no permission to write.")
    return repo


@route("POST", "/api/{kind}/{owner}/{name}/preupload/{revision}")
def preupload(call: Call) -> Response:
    repo = may_commit(call)
    commit = call.commit(repo)
    told = []
    for file in call.json()["files"]:
        path = file["path"]
        large = is_large(path, file["size"], base64.b64decode(file["sample"]))
        known = commit.files.get(path)
        oid = None if known is None else known.sha256 if known.large else known.blob
        told.append({"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False, "oid": oid})
    return JSONResponse({"commitOid": commit.id, "files": told})


@route("POST", "/{prefix}{owner}/{name}.git/info/lfs/objects/batch")
def batch(call: Call) -> Response:
    repo, told = call.repo(), call.json()
    call.signed_in  # noqa: B018  refuses who is not
    objects = []
    for item in told["objects"]:
        oid, size = item["oid"], item["size"]
        answered: dict[str, Any] = {"oid": oid, "size": size}
        if oid not in repo.objects:
            upload = f"{call.cdn}/upload/{repo.id}/{oid}?size={size}&signature={call.sign(f'put {oid} {size}')}"
            verify = f"{call.base}/{call.args.get('prefix', '')}{repo.id}.git/info/lfs/objects/verify"
            answered["actions"] = {"upload": {"href": upload, "header": {}}, "verify": {"href": verify}}
        objects.append(answered)
    return JSONResponse({"transfer": "basic", "objects": objects})


@route("PUT", "/upload/{owner}/{name}/{oid}")
def upload(call: Call) -> Response:
    oid, size = call.args["oid"], call.option("size")
    if call.option("signature") != call.sign(f"put {oid} {size}"):
        return PlainTextResponse("SignatureDoesNotMatch", 403)
    if "authorization" in call.headers:
        return PlainTextResponse("Only one auth mechanism allowed", 400)
    if hashlib.sha256(call.body).hexdigest() != oid or len(call.body) != int(size):
        return PlainTextResponse("BadDigest", 400)
    call.store.objects[oid] = call.body
    return Response(headers={"ETag": f'"{oid}"'})


@route("POST", "/{prefix}{owner}/{name}.git/info/lfs/objects/verify")
def verify(call: Call) -> Response:
    repo, told = call.repo(), call.json()
    kept = call.store.objects.get(told["oid"])
    if kept is None or len(kept) != told["size"]:
        raise Refusal(404, "The object was not uploaded")
    repo.objects.add(told["oid"])
    return JSONResponse({})


@route("POST", "/api/{kind}/{owner}/{name}/commit/{revision}")
def commit(call: Call) -> Response:
    repo, token = may_commit(call), call.signed_in
    before = call.commit(repo)
    try:
        lines = [json.loads(line) for line in call.body.splitlines() if line.strip()]
        header = next(line["value"] for line in lines if line["key"] == "header")
    except (ValueError, KeyError, StopIteration):
        raise Refusal(400, "The body is no list of operations") from None
    if not header.get("summary"):
        raise Refusal(400, "A commit needs a summary")
    if (parent := header.get("parentCommit")) and parent != before.id:
        raise Refusal(412, "A commit has happened since. Please refresh and try again.")
    files = changed(call, repo, before, lines)
    revision = call.args["revision"]
    if not call.option("create_pr") and not revision.startswith("refs/pr/") and revision not in repo.branches:
        raise Refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")  # a tag or a hash has no head to move
    told: dict[str, Any] = {}
    if call.option("create_pr"):
        number = len(repo.pulls) + 1
        repo.pulls[number] = before.id
        revision = f"refs/pr/{number}"
        told["pullRequestUrl"] = f"{call.base}/{repo.id}/discussions/{number}"
    summary, description = header["summary"], header.get("description", "")
    made = call.store.commit(repo, lambda _: files, summary, description, (token.user,), revision)
    told |= {"success": True, "commitOid": made.id, "commitUrl": f"{call.base}/{repo.id}/commit/{made.id}"}
    return JSONResponse(told | {"hookOutput": ""})


def changed(call: Call, repo: Repo, before: Commit, lines: list[dict[str, Any]]) -> dict[str, File]:
    """The files after all operations of a commit; nothing is kept where one of them is wrong."""
    files = dict(before.files)
    for line in lines:
        key, value = line["key"], line["value"]
        if key == "file":
            content = base64.b64decode(value["content"])
            if value["path"] == "README.md" and (wrong := problems(content.decode())[0]):
                raise Refusal(400, f"Invalid metadata in README.md: {wrong[0]}")
            files[value["path"]] = File(content)
        elif key == "lfsFile":
            if value["oid"] not in repo.objects or value["oid"] not in call.store.objects:
                raise Refusal(400, f"{value['path']} points to a large file that was not uploaded")
            files[value["path"]] = File(call.store.objects[value["oid"]], large=True)
        elif key == "deletedFile":
            if not files.pop(value["path"], None):
                raise Refusal(404, "A file with this name doesn't exist", "EntryNotFound")
        elif key == "deletedFolder":
            start = value["path"].rstrip("/") + "/"
            files = {path: file for path, file in files.items() if not path.startswith(start)}
    return files


# Reading files


@route("GET|HEAD", "/{prefix}{owner}/{name}/resolve/{revision}/{path}")
def resolve(call: Call) -> Response:
    """Sends on to where the file is: large ones lie on another origin, under an address that needs no token."""
    repo = call.repo()
    commit = call.commit(repo)
    file, path = call.entry(repo, commit), call.args["path"]
    headers = {"X-Repo-Commit": commit.id, "X-Linked-Size": str(file.size), "Accept-Ranges": "bytes"}
    if file.large:
        signature = call.sign(f"get {file.sha256} {repo.id} {path}")
        there = f"{call.cdn}/files/{repo.kind}/{repo.id}/{commit.id}/{quote(path)}?signature={signature}"
        if call.store.xet:
            token = f"{call.base}/api/{repo.kind}/{repo.id}/xet-read-token/{commit.id}"
            headers |= {"X-Xet-Hash": file.sha256, "Link": f'<{token}>; rel="xet-auth"'}
        return RedirectResponse(there, 302, headers | {"X-Linked-ETag": f'"{file.sha256}"'})
    there = f"/api/resolve-cache/{repo.kind}/{repo.id}/{commit.id}/{quote(path)}"
    return RedirectResponse(there, 307, headers | {"ETag": f'"{file.blob}"', "X-Linked-ETag": f'"{file.blob}"'})


@route("GET|HEAD", "/api/resolve-cache/{kind}/{owner}/{name}/{revision}/{path}")
def small_file(call: Call) -> Response:
    repo = call.repo()
    commit = call.commit(repo)
    return content(call, call.entry(repo, commit), {"X-Repo-Commit": commit.id})


@route("GET|HEAD", "/files/{kind}/{owner}/{name}/{revision}/{path}")
def large_file(call: Call) -> Response:
    repo = call.store.repos.get((call.kind, f"{call.args['owner']}/{call.args['name']}"))
    file = repo.commits[call.args["revision"]].files.get(call.args["path"]) if repo else None
    if (
        not repo
        or not file
        or call.option("signature") != call.sign(f"get {file.sha256} {repo.id} {call.args['path']}")
    ):
        return PlainTextResponse("AccessDenied", 403)
    if "authorization" in call.headers:
        return PlainTextResponse("Only one auth mechanism allowed", 400)
    return content(call, file, {})


@route("GET", "/{prefix}{owner}/{name}/raw/{revision}/{path}")
def raw(call: Call) -> Response:
    repo = call.repo()
    file = call.entry(repo, call.commit(repo))
    return Response(file.pointer if file.large else file.content, media_type="text/plain")


def content(call: Call, file: File, headers: dict[str, str]) -> Response:
    """A file, or the range of it that is asked for."""
    start, end, status = 0, file.size, 200
    if match := re.fullmatch(r"bytes=(\d*)-(\d*)", call.headers.get("range", "").strip()):
        if match[1]:
            start, end = int(match[1]), min(int(match[2]) + 1, file.size) if match[2] else file.size
        elif match[2]:
            start = max(file.size - int(match[2]), 0)
        if start >= end:
            raise Refusal(416, "Range not satisfiable", headers={"Content-Range": f"bytes */{file.size}"})
        status = 206
        headers |= {"Content-Range": f"bytes {start}-{end - 1}/{file.size}"}
    tag = file.sha256 if file.large else file.blob
    name = quote(call.args["path"].split("/")[-1])
    headers |= {"ETag": f'"{tag}"', "Accept-Ranges": "bytes", "Content-Length": str(end - start)}
    headers |= {"Content-Disposition": f"inline; filename*=UTF-8''{name}; filename=\"{name}\";"}
    kind = "text/plain; charset=utf-8" if not file.large else "application/octet-stream"
    return StreamingResponse(file.pieces(start, end), status, headers, media_type=kind)


# Pages that people are sent to


@route("GET", "/{prefix}{owner}/{name}/commit/{revision}")
@route("GET", "/{prefix}{owner}/{name}/tree/{revision}")
@route("GET", "/{prefix}{owner}/{name}/discussions/{number}")
@route("GET", "/{prefix}{owner}/{name}")
def repo_page(call: Call) -> Response:
    repo = call.repo()
    found = call.commit(repo)
    lines = [repo.id, f"{found.title} · {found.id}", *sorted(found.files)]
    return PlainTextResponse("\n".join(lines))
