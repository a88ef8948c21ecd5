"""The Hub on the pages, against the small Hub of the tests: signing in, the gallery, pulling, links and pushing."""

import hashlib
import re
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from playground.hub import gallery as hub_gallery
from playground.hub.jobs import Jobs
from playground.runs import Runs
from playground.ui import state
from playground.ui.account import sign_in
from tests.helpers import fine
from tests.hub.samples import MARKUP, TAG, checkpoint, hostile

ROOT = Path(__file__).parent.parent
GOOD = checkpoint(ROOT / "checkpoints" / "copy-1-16")
