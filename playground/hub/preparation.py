"""Prepare a push: the checkpoint's files, the model card and the training curves."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from playground.common.errors import HubError, one_line
from playground.common.numbers import percent, perplexity
from playground.pictures import charts
from playground.storage import checkpoint
from playground.storage.card import CURVE, CardExample, model_card
from playground.storage.validation import CARD, REPO_ID, Folder
from playground.tasks import answer, encode, example_text, random_example, task_of, text_of

_EXAMPLES = 5


@dataclass(frozen=True)
class Prepared:
    """The content of a push."""

    repo_id: str
    files: dict[str, bytes] = field(repr=False)
    title: str  # the default commit message
    tag: str | None  # to which the card's snippet is pinned; None for a pull request, which cannot create one
    problem: str = ""  # why the card has no training curves, one sentence

    @property
    def card(self) -> str:
        """The text of the model card."""
        return self.files[CARD].decode()

    @property
    def bytes(self) -> int:
        """Total size of the files."""
        return sum(map(len, self.files.values()))


def prepare(
    folder: Path,
    repo_id: str,
    *,
    app_url: str | None = None,
    create_pr: bool = False,
    links_into: Path | None = None,
    beside: Mapping[str, bytes] | None = None,
    sections: Sequence[str] = (),
) -> Prepared:
    """Prepare a checkpoint's files for `repo_id`, with model card and training curves.

    `app_url` is the address of an app that can open the model; for `links_into` see `checkpoint.load`. `beside` are
    further files, those of other formats in folders of their own, see `playground.export.folders`; for `sections` see
    `model_card`. Raises `HubError` for an invalid
    name and `CheckpointError` for an invalid checkpoint.
    """
    if not REPO_ID.fullmatch(repo_id):
        raise HubError(
            "invalid", f"“{one_line(repo_id, 80)}” is not a valid repository name.", "Write it as owner/name."
        )
    loaded = checkpoint.load(folder, links_into=links_into)
    config, history = loaded.config, loaded.history
    with Folder(folder, links_into) as files:
        summary, made = files.contents()  # the card names the origin
    # Without the card, so that the same model always has the same tag.
    digest = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in made.values())).hexdigest()
    step = summary.measured.get("step", history[-1]["step"] if history else 0)
    tag = None if create_pr else f"step-{int(step)}-{digest[:8]}"
    picture, problem, continues = b"", "", task_of(config.task).continues
    if history:
        picture, problem = _curve(json.dumps(charts.training_picture(history, continues=continues)))
    origin = loaded.origin if loaded.origin and loaded.origin.repo_id != repo_id else None
    card = model_card(
        config,
        summary.measured,
        summary.changes,
        repo_id=repo_id,
        revision=tag,
        app_url=app_url,
        examples=examples_of(loaded),
        begun_from=summary.begun_from,
        origin=origin,
        curve=bool(picture),
        folders=sorted({Path(name).parts[0] for name in beside or () if "/" in name}),
        sections=sections,
    )
    made |= {CARD: card.encode()} | ({CURVE: picture} if picture else {}) | dict(beside or {})
    reached, measured = "", summary.measured
    if measured and not continues:
        reached = f": {percent(measured['exact_match'])} exact"
    elif "validation_loss" in measured:
        reached = f": perplexity {perplexity(measured['validation_loss']):.3g}"
    return Prepared(repo_id, made, f"{config.task.name.capitalize()} after {int(step)} steps{reached}", tag, problem)


def examples_of(loaded: checkpoint.Checkpoint) -> list[CardExample]:
    """The model's answers to a few fixed inputs."""
    task = loaded.config.task
    texts = [example_text(task), *(random_example(task, seed) for seed in range(1, _EXAMPLES))]
    expected = (text_of(answer(encode(text, task), task), task) for text in texts)
    return [CardExample(text, loaded.answer(text), right) for text, right in zip(texts, expected)]


@lru_cache(maxsize=16)
def _curve(spec: str) -> tuple[bytes, str]:
    """The training curves as PNG, or empty bytes and the reason."""
    picture = charts.drawn(spec, "png")
    if picture is None:
        return b"", "The training curves could not be drawn. The card is complete without them."
    return picture, ""
