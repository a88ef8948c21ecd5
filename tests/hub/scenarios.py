"""Faults by name, to meet the app with: `python -m tests.hub --fault NAME`."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.hub.server import Hub


class Scenario(NamedTuple):
    """A fault, in words and as it is ordered."""

    description: str
    order: Callable[[Hub], Any]


INFO = ("GET", "/api/models/")
SCENARIOS = {
    "commit-late": Scenario("commits are made 20 s late", lambda hub: hub.slow(("POST", "/commit/"), 20)),
    "commit-lost": Scenario("the next reply to a commit is lost", lambda hub: hub.lose_reply(("POST", "/commit/"))),
    "commit-silent": Scenario("commits are never answered", lambda hub: hub.silent(("POST", "/commit/"))),
    "create-lost": Scenario("the next reply to a creation is lost", lambda hub: hub.lose_reply(("POST", "/create"))),
    "create-late": Scenario("repositories are created 20 s late", lambda hub: hub.slow(("POST", "/create"), 20)),
    "tag-lost": Scenario("the next reply to a tag is lost", lambda hub: hub.lose_reply(("POST", "/tag/"))),
    "found-late": Scenario(
        "of the requests about models, from the third on three find nothing",
        lambda hub: hub.fail(INFO, 404, code="RepoNotFound", message="Repository not found", skip=2, times=3),
    ),
    "found-once-not": Scenario(
        "the next request about a model finds nothing",
        lambda hub: hub.fail(INFO, 404, code="RepoNotFound", message="Repository not found", times=1),
    ),
    "read-forbidden": Scenario("no file may be read", lambda hub: hub.fail("/resolve", 403)),
    "xet-silent": Scenario("large files are offered by Xet, which never answers", lambda hub: hub.offer_xet()),
}
