"""A small Hub that speaks the Hub's real protocol, so that the unmodified client can be tested against it.

`running_hub()` (or the fixture `hub`) serves one on loopback; `python -m tests.hub` serves one to try things by hand.
"""

import os

os.environ.setdefault("HF_HUB_DISABLE_XET", "1")  # before the client is imported: large files go by git-lfs

from tests.hub.server import Hub, Request, environment, running_hub
from tests.hub.store import Commit, File, Repo

__all__ = ["Commit", "File", "Hub", "Repo", "Request", "environment", "running_hub"]
