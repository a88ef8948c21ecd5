"""Parse a reference to a model on the Hub: an id, a Hub URL or a link to this app."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, quote, unquote, urlsplit

from playground.common.errors import HubError, one_line
from playground.hub.calls import endpoint
from playground.storage.validation import REPO_ID

_HOSTS = frozenset({"huggingface.co", "www.huggingface.co", "hf.co"})
_REVISION = re.compile(r"(?!.*(\.\.|//|/$|\.lock$))[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}")
_NOT_MODELS = {"datasets": "a dataset", "spaces": "a Space", "buckets": "a bucket", "collections": "a collection"}
_VIEWS = frozenset({"tree", "blob", "resolve", "raw", "commit", "commits"})
_LONG_REVISION = re.compile(r"refs/(?:pr|convert|heads|tags)/[^/]+")


@dataclass(frozen=True)
class Reference:
    """A model repository and a branch, tag or commit; None is the default branch."""

    repo_id: str
    revision: str | None = None

    def __str__(self) -> str:
        return f"{self.repo_id}@{self.revision}" if self.revision else self.repo_id

    @property
    def url(self) -> str:
        """Its URL on the Hub."""
        there = f"/tree/{quote(self.revision, safe='')}" if self.revision else ""
        return f"{endpoint()}/{self.repo_id}{there}"


def parse_reference(text: str) -> Reference:
    """Parse a reference; raises `HubError` of kind `invalid`."""
    text = text.strip()
    if not text:
        raise HubError("invalid", "No model given.", "Type owner/name, or paste the model's URL.")
    if len(text) > 2000:
        raise HubError("invalid", "This reference is too long.", "Type owner/name, or paste the model's URL.")
    if re.match(r"(?i)https?://", text) or "?" in text or text.partition("/")[0].lower() in _HOSTS:
        return _from_url(text)
    repo_id, sign, revision = text.removeprefix("hf://").partition("@")
    return _checked(repo_id, revision if sign else None)


def is_revision(name: str) -> bool:
    """True for a valid name of a branch, tag or commit."""
    return _REVISION.fullmatch(name) is not None


def _from_url(text: str) -> Reference:
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        linked = parse_qs(parts.query).get("hub", [])
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _refused(text) from None
    if linked:
        repo_id, sign, revision = linked[0].partition("@")
        return _checked(repo_id, revision if sign else None)
    own = urlsplit(endpoint())
    if host not in _HOSTS and (host, port) != (own.hostname, own.port):
        raise HubError(
            "invalid",
            f"“{one_line(host or text, 60)}” is not the Hub.",
            f"Use a URL that starts with {endpoint()}.",
        )
    words = [word for word in parts.path.split("/") if word]
    if words and words[0] in _NOT_MODELS:
        raise HubError("invalid", f"This is the URL of {_NOT_MODELS[words[0]]}.", "Use the URL of a model.")
    if len(words) < 2:
        raise _refused(text)
    repo_id = "/".join(map(unquote, words[:2]))
    if len(words) == 2:
        return _checked(repo_id, None)
    if words[2] not in _VIEWS or len(words) < 4:
        return _checked(repo_id, None)
    # A revision may contain slashes, plain or encoded; after it comes a file.
    rest = "/".join(words[3:])
    long = _LONG_REVISION.match(rest)
    return _checked(repo_id, long[0] if long else unquote(words[3]))


def _checked(repo_id: str, revision: str | None) -> Reference:
    if not REPO_ID.fullmatch(repo_id):
        raise _refused(repo_id)
    if revision is not None and not is_revision(revision):
        raise HubError(
            "invalid",
            f"“{one_line(revision, 60)}” is not a revision.",
            "Use the name of a branch or tag, or a commit hash.",
        )
    return Reference(repo_id, revision)


def _refused(text: str) -> HubError:
    return HubError(
        "invalid",
        f"“{one_line(text, 80)}” is not a model name.",
        "Type owner/name or owner/name@revision, or paste the model's URL.",
    )
