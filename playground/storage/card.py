"""The README.md of a checkpoint: a model card in the Hub's format.

`huggingface_hub` writes the front matter. The text uses only validated settings, numbers and names; model answers are
escaped as code.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from huggingface_hub import EvalResult, ModelCardData

from playground.common.numbers import interval, percent, perplexity
from playground.settings.config import Change, RunConfig, differences, parameter_counts, value_text
from playground.storage.validation import REPO_ID, Origin, Summary
from playground.tasks import answer, encode, example_text, task_of, text_of

TAG = "transformer-playground"
"""The tag of all models of this app on the Hub."""

CURVE = "curve.png"
"""The file name of the training curves, next to the card."""

_HUB = "https://huggingface.co/"
_DATA = "generator"  # the Hub's term for generated data

_METRICS = (("exact_match", "Exact match", "exact_match"), ("accuracy", "Token accuracy", "token_accuracy"))
"""Each metric's name on the Hub, its title and its key in a record."""

_PACKAGES = {"transformers": "Hugging Face Transformers", "transformer-lens": "TransformerLens"}
"""Of the formats that can stand beside a model."""

_PIPELINES = {"encoder-only": "token-classification"}


@dataclass(frozen=True)
class CardExample:
    """An input, the model's answer and the correct answer."""

    text: str
    answer: str
    expected: str


def model_card(
    config: RunConfig,
    measured: Mapping[str, Any],
    changes: Sequence[Change] = (),
    *,
    repo_id: str | None = None,
    revision: str | None = None,
    app_url: str | None = None,
    examples: Sequence[CardExample] = (),
    begun_from: str = "",
    origin: Origin | None = None,
    curve: bool = False,
    folders: Sequence[str] = (),
    sections: Sequence[str] = (),
) -> str:
    """The model card of a checkpoint in a folder or, with `repo_id`, on the Hub.

    `revision` pins the code snippet, `app_url` is the address of an app that can open the model, `examples` are
    computed answers, `begun_from` names the checkpoint with the initial weights, `curve` includes the training curves,
    `folders` are the formats that are there too, in folders of these names. `sections` are further texts in Markdown.
    """
    task, architecture = config.task, config.model.architecture
    example = example_text(task)
    expected = text_of(answer(encode(example, task), task), task)
    result = "It has not been evaluated."
    if measured:
        start = f" from the weights of checkpoint `{begun_from}`" if begun_from else ""
        result = (
            f"After {measured['step']} training steps{start}, its exact match is {percent(measured['exact_match'])} on "
            f"{measured['sequences']} held-out inputs (95 % interval "
            f"{interval(measured['exact_match'], measured['sequences'])}), with greedy decoding."
        )
    expected_text = f"The correct answer to {_code(example)} is {_code(expected)}."
    data = (
        "Its training sequences are random and generated from the seed. There is no data set and no text written by "
        "people."
    )
    if task_of(task).continues:
        expected_text = f"In its text, {_code(example)} continues with {_code(expected)}."
        own = f"It learned a text of {len(task.text):,} characters, which `config.json` contains."
        data = own if task.text else "A small grammar generated its text."
        if measured:
            result += " A text can continue in many ways, so even a good model has few exact matches."
        if "validation_loss" in measured:
            result = f"Its perplexity on held-out text is {perplexity(measured['validation_loss']):.3g}. {result}"
    parts = [
        _front_matter(config, measured, repo_id, origin),
        f"# A tiny {architecture} transformer trained to {task_of(task).goal}",
        f"It reads {task_of(task).inputs}. {expected_text} {result}",
        f"The weights are from [{origin.repo_id}]({_HUB}{origin.repo_id}), commit `{origin.short}`." if origin else "",
        _open_text(repo_id, revision, app_url),
        "## Usage",
        _usage(repo_id, revision, examples, examples[0].text if examples else example),
        *(_elsewhere(format, repo_id, revision) for format in folders),
        _examples(examples, continues=task_of(task).continues),
        "## Architecture",
        _architecture(config),
        "## Training",
        _training(config, curve),
        _changes_text(config, changes),
        *(section.strip() for section in sections),
        "## Limitations",
        "The model handles only inputs of the lengths and symbols above. It is meant for learning how a transformer "
        f"works. {data}",
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def card_of(summary: Summary) -> str:
    """The model card of a checkpoint in a library."""
    config, measured, changes = summary.config, summary.measured, summary.changes
    return model_card(config, measured, changes, begun_from=summary.begun_from, origin=summary.origin)


def source() -> str | None:
    """The URL to clone the code from: that of this Space or `PLAYGROUND_SOURCE_URL`; None if unknown."""
    space = os.environ.get("SPACE_ID", "")
    if REPO_ID.fullmatch(space):
        return f"{_HUB}spaces/{space}"
    given = os.environ.get("PLAYGROUND_SOURCE_URL", "")
    return given if _is_address(given) else None


def _front_matter(config: RunConfig, measured: Mapping[str, Any], repo_id: str | None, origin: Origin | None) -> str:
    task, architecture = config.task, config.model.architecture
    pipeline = _PIPELINES.get(architecture, "text-generation")
    license_fields: dict[str, Any] = {"license": "mit"}
    name, results = None, None
    if origin:  # a copy must keep the license of the original
        link = {"license_name": "as-the-original", "license_link": f"{_HUB}{origin.repo_id}"}
        license_fields = {"license": "other"} | link
    if measured:
        name = repo_id.partition("/")[2] if repo_id else f"{architecture}-{task.name}"
        metrics = [(kind, title, float(measured[key])) for kind, title, key in _METRICS]
        if task_of(task).continues and "validation_loss" in measured:
            metrics.insert(0, ("perplexity", "Perplexity", perplexity(measured["validation_loss"])))
        results = [
            EvalResult(
                task_type=pipeline,
                task_name=task.name.capitalize(),
                dataset_type=_DATA,
                dataset_name=f"{task.name}, {task_of(task).inputs}",
                dataset_split="held out",
                metric_type=kind,
                metric_name=title,
                metric_value=value,
            )
            for kind, title, value in metrics
        ]
    data = ModelCardData(
        **license_fields,
        library_name=TAG,
        pipeline_tag=pipeline,
        tags=[TAG, "transformer", "education", task.name, architecture],
        datasets=[_DATA],
        base_model=[origin.repo_id] if origin else None,
        model_name=name,
        eval_results=results,
    )
    return f"---\n{data.to_yaml()}\n---"


def _open_text(repo_id: str | None, revision: str | None, app_url: str | None) -> str:
    """How to open the model in the app."""
    if repo_id is None:
        return ""
    name = f"{repo_id}@{revision}" if revision else repo_id
    if app_url and _is_address(app_url):
        link = f"{app_url.rstrip('/')}/step_through?hub={quote(name, safe='/@')}"
        return f"**[Open it in Transformer Playground]({link})** and step through all of its operations."
    return f"To step through all of its operations, pull `{name}` in Transformer Playground."


def _usage(repo_id: str | None, revision: str | None, examples: Sequence[CardExample], text: str) -> str:
    address = source()
    where = f"In a clone of Transformer Playground ({address})" if address else "In a clone of Transformer Playground"
    get = "pip install ."
    if address:
        where = "Install once"
        get = f"git clone {address} {TAG}\npip install ./{TAG}"
    what = json.dumps(repo_id) if repo_id else '"."'
    pinned = f", revision={json.dumps(revision)}" if revision else ""
    here = "" if repo_id else "  # this folder"
    answer = next((f"  # {shown.answer}" for shown in examples[:1] if _is_plain(shown.answer)), "")
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

`checkpoint.model` is a `torch.nn.Module`, `checkpoint.config` holds all settings and `checkpoint.history` the training
records. Loading is strict and never unpickles."""


def _elsewhere(format: str, repo_id: str | None, revision: str | None) -> str:
    text = f"The folder `{format}` has the same model for {_PACKAGES[format]}, without code of this project."
    if format != "transformers":
        return f"{text} Its README shows how to open it."
    pinned = f", revision={json.dumps(revision)}" if revision else ""
    return f"""{text}

```python
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained({json.dumps(repo_id)}, subfolder="{format}"{pinned})
```"""


def _examples(examples: Sequence[CardExample], *, continues: bool) -> str:
    if not examples:
        return ""
    right, wrong = ("as in the text", "in the text: ") if continues else ("correct", "wrong, expected ")
    rows = (
        f"| {_code(example.text)} | {_code(example.answer)} | "
        f"{right if example.answer == example.expected else wrong + _code(example.expected)} |"
        for example in examples
    )
    return "\n".join(["Example answers:", "", "| input | answer | |", "|---|---|---|", *rows])


def _architecture(config: RunConfig) -> str:
    counts = parameter_counts(config)
    rows = [(name, f"{value}") for name, value in config.model.model_dump().items()]
    rows += [(f"parameters: {part}", f"{count:,}") for part, count in counts.items() if count]
    return _table([*rows, ("parameters in total", f"{sum(counts.values()):,}")])


def _training(config: RunConfig, curve: bool) -> str:
    rows = [(name, f"{value}") for name, value in config.training.model_dump().items()]
    table = _table([*rows, ("seed", f"{config.seed}")])
    picture = f"![Loss and accuracy over the training steps]({CURVE})\n\n" if curve else ""
    return f"{picture}{table}\n\n`config.json` holds all settings, `history.jsonl` the training records."


def _table(rows: Sequence[tuple[str, str]]) -> str:
    return "\n".join(["| setting | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def _changes_text(config: RunConfig, changes: Sequence[Change]) -> str:
    """The mid-run changes as a list; empty if there are none."""
    lines, before = [], config
    for change in changes:
        after = before.updated(change.settings)
        words = ", ".join(
            f"{path.rpartition('.')[2]} {value_text(a)} → {value_text(b)}" for path, a, b in differences(before, after)
        )
        if words:
            lines.append(f"- after step {change.step}: {words}")
        before = after
    heading = "The table shows the settings at the start. Changes during training:"
    return "\n".join([heading, "", *lines]) if lines else ""


def _is_plain(text: str) -> bool:
    return text.isprintable() and "`" not in text


def _code(text: str) -> str:
    """A text as code in a table, without any markup."""
    plain = " ".join("".join(sign if sign.isprintable() and sign not in "`|\\" else " " for sign in text).split())
    return f"`{plain}`" if plain else "empty"


def _is_address(text: str) -> bool:
    return re.fullmatch(r"https?://[A-Za-z0-9._~:/\[\]-]{1,200}", text) is not None
