"""Files of repositories: uploads, commits, downloads, and the pages that people are sent to."""

import base64
import hashlib
import json
import re
from typing import Any
from urllib.parse import quote

from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse

from tests.hub.cards import problems
from tests.hub.protocol import Call, Refusal, route
from tests.hub.store import Commit, File, Repo, is_large

# Writing


@route("POST", "/api/validate-yaml")
def validate_yaml(call: Call) -> Response:
    errors, warnings = problems(call.json()["content"])
    answer = {
        "errors": [{"message": words} for words in errors],
        "warnings": [{"message": words} for words in warnings],
    }
    return JSONResponse(answer, 400 if errors else 200)


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
    answers = []
    for file in call.json()["files"]:
        path = file["path"]
        large = is_large(path, file["size"], base64.b64decode(file["sample"]))
        known = commit.files.get(path)
        oid = None if known is None else known.sha256 if known.large else known.blob
        answers.append({"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False, "oid": oid})
    return JSONResponse({"commitOid": commit.id, "files": answers})


@route("POST", "/{prefix}{owner}/{name}.git/info/lfs/objects/batch")
def batch(call: Call) -> Response:
    repo, body = call.repo(), call.json()
    call.signed_in  # noqa: B018  refuses who is not
    objects = []
    for item in body["objects"]:
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
    repo, body = call.repo(), call.json()
    kept = call.store.objects.get(body["oid"])
    if kept is None or len(kept) != body["size"]:
        raise Refusal(404, "The object was not uploaded")
    repo.objects.add(body["oid"])
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
    answer: dict[str, Any] = {}
    if call.option("create_pr"):
        number = len(repo.pulls) + 1
        repo.pulls[number] = before.id
        revision = f"refs/pr/{number}"
        answer["pullRequestUrl"] = f"{call.base}/{repo.id}/discussions/{number}"
    summary, description = header["summary"], header.get("description", "")
    made = call.store.commit(repo, lambda _: files, summary, description, (token.user,), revision)
    answer |= {"success": True, "commitOid": made.id, "commitUrl": f"{call.base}/{repo.id}/commit/{made.id}"}
    return JSONResponse(answer | {"hookOutput": ""})


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
