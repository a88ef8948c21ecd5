"""Every operation of one pass as JSON."""

import json

from playground.explain.inspection import Walk, as_json


def content(walk: Walk) -> bytes:
    """The file that `python -m playground inspect` writes."""
    return json.dumps(as_json(walk), allow_nan=False).encode()
