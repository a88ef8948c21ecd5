"""The README.md of a checkpoint: what it is, how it was made, how to use it. Pure text."""

from collections.abc import Sequence
from typing import Any

from playground.config import Change, RunConfig, differences
from playground.gate import Origin


def model_card(
    config: RunConfig, measured: dict[str, Any], changes: Sequence[Change] = (), *, origin: Origin | None = None
) -> str:
    """The README.md of a checkpoint: front matter for the Hub, then what a person wants to know."""
    m, t = config.model, config.task
    lengths = f"{t.min_length}" if t.min_length == t.max_length else f"{t.min_length} to {t.max_length}"
    result = "It has not been tested."
    if measured:
        result = (
            f"After {measured['step']} steps it answered {measured['exact_match']:.1%} of {measured['sequences']} "
            "held-out inputs entirely right, reading its own tokens."
        )
    rows = "\n".join(f"| {name} | {value} |" for name, value in (m.model_dump() | config.training.model_dump()).items())
    return f"""---
library_name: transformer-playground
license: mit
tags:
- transformer-playground
- transformer
- {t.name}
---

# A tiny {m.architecture} transformer that has learned to {t.name}

It reads {lengths} symbols out of {t.vocab_size}. {result}

Trained with Transformer Playground, seed {config.seed}; `config.json` holds every setting, `history.jsonl` the
course of the training.

| setting | value |
|---|---|
{rows}
{_changes_told(config, changes)}
It knows inputs of the lengths and symbols above and nothing else; it is made for learning how a transformer works.
"""


def _changes_told(config: RunConfig, changes: Sequence[Change]) -> str:
    """What was set otherwise on the way, as a list; empty if nothing was."""
    lines, before = [], config
    for change in changes:
        after = before.updated(change.settings)
        words = ", ".join(f"{path.rpartition('.')[2]} {a} → {b}" for path, a, b in differences(before, after))
        if words:
            lines.append(f"- after step {change.step}: {words}\n")
        before = after
    return (
        "\nThese are the settings it began with. While it trained they were changed:\n\n" + "".join(lines)
        if lines
        else ""
    )
