"""The app's client in tests: it soon gives up on a request that gets no reply, and waits long for all others."""

import functools

import httpx2
import pytest
from huggingface_hub import constants, set_client_factory

from playground.ui.server import hub_client
from tests.helpers import HANG
from tests.hub.server import RUNNING

_SOON = 0.05  # seconds


class _Client(hub_client.Client):
    def __init__(self) -> None:
        super().__init__()
        self.event_hooks["request"].append(_choose_patience)


def _choose_patience(request: httpx2.Request) -> None:
    unanswered = any(hub.faults.unanswered(request.method, request.url.path) for hub in RUNNING)
    request.extensions["timeout"]["read"] = _SOON if unanswered else HANG


@functools.cache
def _configure() -> None:
    set_client_factory(_Client)


def use(url: str, patch: pytest.MonkeyPatch) -> None:
    """Use the Hub at this address, in this process with the app's client and in those that it starts."""
    _configure()
    patch.setenv("HF_ENDPOINT", url)
    patch.setattr(constants, "ENDPOINT", url)
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", f"{url}/{{repo_id}}/resolve/{{revision}}/{{filename}}")
