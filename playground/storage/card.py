"""The README.md of a checkpoint, a model card as the Hub wants it: what it is, how to use it, how it was made.

The Hub's library writes the front matter; the text is made without a template engine. All that stands in it comes from
checked settings, numbers and names; what a model answered is put where no character of it means anything.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from huggingface_hub import EvalResult, ModelCardData

from playground.config import Change, RunConfig, differences, parameter_counts
from playground.figures import share
from playground.storage.validation import REPO_ID, Origin, Summary
from playground.tasks import answer, encode, example_text, task_of, text_of

TAG = "transformer-playground"
"""What all models of this app bear on the Hub."""

CURVE = "curve.png"
"""The picture of the training, beside the card."""

_DATA = "generator"  # as the Hub calls data that a program makes

_METRICS = (("exact_match", "Exact match", "exact_match"), ("accuracy", "Token accuracy", "token_accuracy"))
"""As the Hub calls each metric, its title, and as a record of the history calls it."""

_PIPELINES = {"encoder-only": "token-classification"}


@dataclass(frozen=True)
class Example:
    """What the model answered to one input, and what would have been right."""

    text: str
    answer: str
    right: str


def model_card(
    config: RunConfig,
    measured: Mapping[str, Any],
    changes: Sequence[Change] = (),
    *,
    repo_id: str | None = None,
    revision: str | None = None,
    app_url: str | None = None,
    examples: Sequence[Example] = (),
    begun_from: str = "",
    origin: Origin | None = None,
    curve: bool = False,
) -> str:
    """The card of a checkpoint in a folder or, with `repo_id`, on the Hub.

    `revision` is what the snippet that loads it is pinned to, `app_url` where an app can open it, `examples` are really
    computed, `begun_from` names a checkpoint, `curve` says that the picture of the training lies beside the card.
    """
    task, architecture = config.task, config.model.architecture
    example = example_text(task)
    right = text_of(answer(encode(example, task), task), task)
    result = "It has not been tested."
    if measured:
        began = f", begun with the weights of another checkpoint (`{begun_from}`)," if begun_from else ""
        result = (
            f"After {measured['step']} steps{began} it answered {share(measured['exact_match'])} of "
            f"{measured['sequences']} held-out inputs entirely right, reading its own tokens."
        )
    parts = [
        _front_matter(config, measured, repo_id, origin),
        f"# A tiny {architecture} transformer trained to {task_of(task).goal}",
        f"It reads {task_of(task).lengths} out of {task.vocab_size}. The right answer to `{example}` is `{right}`. "
        f"{result}",
        _came_from(origin),
        _opened(repo_id, revision, app_url),
        "## Use it",
        _use(repo_id, revision, examples, examples[0].text if examples else example),
        _examples(examples),
        "## Architecture",
        _architecture(config),
        "## Training",
        _training(config, curve),
        _changes_told(config, changes),
        "## Limits",
        "It knows inputs of the lengths and symbols above and nothing else; it is made for learning how a transformer "
        "works. The sequences are random and drawn anew from the seed, so there is no data set, and no text of any "
        "person is in it.",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def card_of(summary: Summary) -> str:
    """The card of what lies in a library."""
    config, measured, changes = summary.config, summary.measured, summary.changes
    return model_card(config, measured, changes, begun_from=summary.begun_from, origin=summary.origin)


def source() -> str | None:
    """The address to clone the code from: of this Space, or what `PLAYGROUND_SOURCE_URL` says; None if unknown."""
    space = os.environ.get("SPACE_ID", "")
    if REPO_ID.fullmatch(space):
        return f"https://huggingface.co/spaces/{space}"
    given = os.environ.get("PLAYGROUND_SOURCE_URL", "")
    return given if _is_address(given) else None


def _front_matter(config: RunConfig, measured: Mapping[str, Any], repo_id: str | None, origin: Origin | None) -> str:
    task, architecture = config.task, config.model.architecture
    pipeline = _PIPELINES.get(architecture, "text-generation")
    licence: dict[str, Any] = {"license": "mit"}
    name, results = None, None
    if origin:  # whoever copies a model may not choose for its owner
        link = f"https://huggingface.co/{origin.repo_id}"
        licence = {"license": "other", "license_name": "as-the-original", "license_link": link}
    if measured:
        name = repo_id.partition("/")[2] if repo_id else f"{architecture}-{task.name}"
        results = [
            EvalResult(
                task_type=pipeline,
                task_name=task.name.capitalize(),
                dataset_type=_DATA,
                dataset_name=f"{task.name}, {task_of(task).lengths} out of {task.vocab_size}",
                dataset_split="held out",
                metric_type=kind,
                metric_name=title,
                metric_value=float(measured[key]),
            )
            for kind, title, key in _METRICS
        ]
    data = ModelCardData(
        **licence,
        library_name=TAG,
        pipeline_tag=pipeline,
        tags=[TAG, "transformer", "education", task.name, architecture],
        datasets=[_DATA],
        base_model=[origin.repo_id] if origin else None,
        model_name=name,
        eval_results=results,
    )
    return f"---\n{data.to_yaml()}\n---"


def _came_from(origin: Origin | None) -> str:
    if origin is None:
        return ""
    return (
        f"Its weights come from [{origin.repo_id}](https://huggingface.co/{origin.repo_id}) at commit `{origin.short}`."
    )


def _opened(repo_id: str | None, revision: str | None, app_url: str | None) -> str:
    """Where one can look inside it."""
    if repo_id is None:
        return ""
    name = f"{repo_id}@{revision}" if revision else repo_id
    if app_url and _is_address(app_url):
        link = f"{app_url.rstrip('/')}/step_through?hub={quote(name, safe='/@')}"
        return f"**[Open it in Transformer Playground]({link})** and step through every operation of it."
    return f"To step through every operation of it, pull `{name}` in Transformer Playground."


def _use(repo_id: str | None, revision: str | None, examples: Sequence[Example], text: str) -> str:
    address = source()
    where = f"In a clone of Transformer Playground ({address})" if address else "In a clone of Transformer Playground"
    get = "pip install ."
    if address:
        where = "Once, to get the code"
        get = f"git clone {address} {TAG}\npip install ./{TAG}"
    what = json.dumps(repo_id) if repo_id else '"."'
    pinned = f", revision={json.dumps(revision)}" if revision else ""
    here = "" if repo_id else "  # this folder"
    answer = f"  # {examples[0].answer}" if examples and _is_plain(examples[0].answer) else ""
    return f"""{where}:

```
{get}
```

Then:

```python
import playground

checkpoint = playground.load({what}{pinned}){here}
print(checkpoint.answer({json.dumps(text)})){answer}
```

`checkpoint.model` is a `torch.nn.Module`, `checkpoint.config` every setting, `checkpoint.history` the course of its
training. Loading is strict and never unpickles."""


def _examples(examples: Sequence[Example]) -> str:
    if not examples:
        return ""
    rows = (
        f"| {_code(each.text)} | {_code(each.answer)} | "
        f"{'right' if each.answer == each.right else 'wrong, ' + _code(each.right)} |"
        for each in examples
    )
    return "\n".join(["What it answers:", "", "| input | answer | |", "|---|---|---|", *rows])


def _architecture(config: RunConfig) -> str:
    counts = parameter_counts(config)
    rows = [(name, f"{value}") for name, value in config.model.model_dump().items()]
    rows += [(f"parameters: {part}", f"{count:,}") for part, count in counts.items() if count]
    return _table([*rows, ("parameters in all", f"{sum(counts.values()):,}")])


def _training(config: RunConfig, curve: bool) -> str:
    rows = [(name, f"{value}") for name, value in config.training.model_dump().items()]
    table = _table([*rows, ("seed", f"{config.seed}")])
    picture = f"![Loss and accuracy over the steps of its training]({CURVE})\n\n" if curve else ""
    return f"{picture}{table}\n\n`config.json` holds every setting, `history.jsonl` the course of the training."


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join(["| setting | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def _changes_told(config: RunConfig, changes: Sequence[Change]) -> str:
    """What was set otherwise on the way, as a list; empty if nothing was."""
    lines, before = [], config
    for change in changes:
        after = before.updated(change.settings)
        words = ", ".join(f"{path.rpartition('.')[2]} {a} → {b}" for path, a, b in differences(before, after))
        if words:
            lines.append(f"- after step {change.step}: {words}")
        before = after
    told = "These are the settings it began with. While it trained they were changed:"
    return "\n".join([told, "", *lines]) if lines else ""


def _code(text: str) -> str:
    """As code in a table: nothing in it is markup."""
    plain = " ".join("".join(sign if sign.isprintable() and sign not in "`|\\" else " " for sign in text).split())
    return f"`{plain}`" if plain else "nothing"


def _is_plain(text: str) -> bool:
    return text.isprintable() and "`" not in text


def _is_address(text: str) -> bool:
    return re.fullmatch(r"https?://[A-Za-z0-9._~:/\[\]-]{1,200}", text) is not None
