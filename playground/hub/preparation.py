"""What a push puts on the Hub: the checkpoint's files, the model card, and the picture of the training."""

import hashlib
import json
import subprocess
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from playground import charts
from playground.config import parameter_shapes
from playground.errors import HubError, one_line
from playground.figures import share
from playground.storage import checkpoint, validation
from playground.storage.card import CURVE, Example, model_card
from playground.storage.validation import CARD, CONFIG, HISTORY, REPO_ID, WEIGHTS, Folder
from playground.tasks import answer, encode, example_text, random_example, text_of

_DRAW = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.vegalite_to_png(sys.stdin.read(), scale=1.5))"
_DRAWING_PATIENCE = 30.0  # seconds
_EXAMPLES = 5


@dataclass(frozen=True)
class Prepared:
    """What a push would put on the Hub."""

    repo_id: str
    files: dict[str, bytes] = field(repr=False)
    title: str  # the commit's message, if nobody writes another
    tag: str | None  # which the card's snippet is pinned to; None for a pull request, which cannot make one
    trouble: str = ""  # what the card must do without, in a sentence

    @property
    def card(self) -> str:
        """The text of the model card."""
        return self.files[CARD].decode()

    @property
    def bytes(self) -> int:
        """Of all files."""
        return sum(map(len, self.files.values()))


def prepare(
    folder: Path,
    repo_id: str,
    *,
    app_url: str | None = None,
    create_pr: bool = False,
    links_into: Path | None = None,
) -> Prepared:
    """The files of a checkpoint as they would be pushed to `repo_id`, with the card and the picture of its training.

    `app_url` is where an app can open the model from the Hub; for `links_into` see `checkpoint.load`.
    Raises `HubError` for a name that cannot be and `CheckpointError` for a checkpoint that cannot be loaded.
    """
    if not REPO_ID.fullmatch(repo_id):
        raise HubError("invalid", f"“{one_line(repo_id, 80)}” cannot name a repository.", "Write it as owner/name.")
    loaded = checkpoint.load(folder, links_into=links_into)
    config, history = loaded.config, loaded.history
    with Folder(folder, links_into) as files:
        content = files.read(CONFIG, validation.MAX_CONFIG_BYTES)
        weights = files.read(WEIGHTS, validation.max_weight_bytes(parameter_shapes(config)))
        course = files.read(HISTORY, validation.MAX_HISTORY_BYTES) if files.holds(HISTORY) else b""
    summary = validation.parse_config(content, folder / CONFIG)
    header = json.loads(content)
    header.pop("origin", None)  # the card tells it; the Hub knows its own commits
    made = {CONFIG: json.dumps(header, indent=2).encode() + b"\n", WEIGHTS: weights}
    made |= {HISTORY: course} if course else {}
    # Of what decides the model, so that the same model has the same tag whatever its card says.
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in made.values())).hexdigest()
    step = summary.measured.get("step", history[-1]["step"] if history else 0)
    tag = None if create_pr else f"step-{int(step)}-{digest[:8]}"
    picture, trouble = b"", ""
    if history:
        picture, trouble = _curve(json.dumps(charts.training_picture(history)))
    origin = loaded.origin if loaded.origin and loaded.origin.repo_id != repo_id else None
    card = model_card(
        config,
        summary.measured,
        summary.changes,
        repo_id=repo_id,
        revision=tag,
        app_url=app_url,
        examples=_examples(loaded),
        begun_from=summary.begun_from,
        origin=origin,
        curve=bool(picture),
    )
    made |= {CARD: card.encode()} | ({CURVE: picture} if picture else {})
    reached = f": {share(summary.measured['exact_match'])} exact" if summary.measured else ""
    return Prepared(repo_id, made, f"{config.task.name.capitalize()} after {int(step)} steps{reached}", tag, trouble)


def _examples(loaded: checkpoint.Checkpoint) -> list[Example]:
    """What the model answers to a few inputs, the same ones each time."""
    task = loaded.config.task
    texts = [example_text(task), *(random_example(task, seed) for seed in range(1, _EXAMPLES))]
    rights = (text_of(answer(encode(text, task), task), task) for text in texts)
    return [Example(text, loaded.answer(text), right) for text, right in zip(texts, rights)]


@lru_cache(maxsize=16)
def _curve(spec: str) -> tuple[bytes, str]:
    """The picture as PNG, or nothing and why.

    The drawing program is a JavaScript engine that would keep its memory; so a process draws and ends.
    """
    try:
        command = [sys.executable, "-I", "-c", _DRAW]
        drawn = subprocess.run(command, input=spec.encode(), capture_output=True, timeout=_DRAWING_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return b"", "The picture of the training could not be drawn, so the card is without it."
    return drawn.stdout, ""
