"""Where the pages are, for links and switches from page to page."""

from playground.recording import REPOSITORY

_FOLDER = REPOSITORY / "pages"
_NAMES = ("build", "train", "step_through", "checkpoints")
BUILD, TRAIN, STEP_THROUGH, CHECKPOINTS = (str(_FOLDER / f"{name}.py") for name in _NAMES)
PATHS = ("", *_NAMES[1:])
"""Of the pages' addresses, below the server's base path."""
