"""Where the pages are, for links and switches from page to page."""

from playground.recording import REPOSITORY

_FOLDER = REPOSITORY / "pages"
BUILD, TRAIN, STEP_THROUGH, CHECKPOINTS = (
    str(_FOLDER / f"{name}.py") for name in ("build", "train", "step_through", "checkpoints")
)
