"""What each part contributes to an answer, and circuits: `playground.attribute` and `playground.circuit`."""

from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, InstanceOf

from playground.common.errors import reason
from playground.common.paths import user_path
from playground.interpret.attribution import MAX_STEPS, Attribution, Of, attributions
from playground.interpret.input_pairs import PAIRS, Pairs, held_out_pairs, typed_pairs
from playground.interpret.kept_circuit import (
    MAX_CIRCUIT_BYTES,
    Ablation,
    Circuit,
    CircuitError,
    CircuitReport,
    circuit_report,
)
from playground.interpret.patching import Metric
from playground.laboratory.model_inputs import AnyModel, Texts, reader_of
from playground.model.task_model import TaskModel
from playground.settings.arguments import Switch, checked
from playground.storage.checkpoint import model_of
from playground.tasks.batches import HELD_OUT_SEQUENCES

_Item = TypeVar("_Item")


@checked
def attribute(
    model: AnyModel,
    inputs: Texts | None = None,
    other: Texts | None = None,
    *,
    of: Of = "heads",
    metric: Metric = "logit_difference",
    integrated_steps: Annotated[int, Field(ge=0, le=MAX_STEPS)] = 0,
    exact: Switch = False,
    pairs: Annotated[int, Field(ge=1, le=HELD_OUT_SEQUENCES)] = PAIRS,
) -> Attribution:
    """Estimate what patching each part from another input would change, from gradients: attribution patching.

        found = playground.attribute("my-model", "3 1 4 1 5", "2 7 1 8 2", exact=True)
        found.frame(), found.pearson, found.spearman
        playground.attribute("my-model", of="edges")  # 100 held-out pairs

    `of` is "heads", "nodes" (the residual stream at each position, and each sublayer) or "edges" (a sender's term in
    what one receiver reads). `metric` is "logit_difference" (right token minus the other input's), "probability" of the
    right tokens or "loss" in nats; `note` says how far it is saturated. With `integrated_steps`, gradients are averaged
    along the line between the embeddings of both inputs. `exact` also patches the parts one by one. Input i is patched
    from other i, or from the only one, which has the same length, and all can be longer than in training; without
    inputs, `pairs` held-out ones are each paired with the next.

    The result's `rows` have `part`, `estimate` and `exact`: changes of the metric, means over the pairs.
    Raises `playground.InputError` for an invalid input, and `playground.PlaygroundError` for inputs that can't be
    compared, an unknown choice, and edges of a model whose sublayers don't read a sum (post-norm, no residual).
    """
    own = model_of(model)
    if inputs is not None and other is not None:
        texts, others = _listed(inputs), _listed(other)
        own = reader_of(own, [*texts, *others])
    chosen = input_pairs(own, inputs, other, pairs)
    return _last(attributions(own, chosen, of, metric, integrated_steps=integrated_steps, exact=exact))


@checked
def circuit(
    model: AnyModel,
    kept: Annotated[
        InstanceOf[Circuit] | InstanceOf[Attribution] | Sequence[str] | str | PathLike[str],
        Field(description="Give an attribution, a circuit, the path of its file, or a list of names of parts."),
    ],
    *,
    keep: Annotated[int, Field(ge=0)] | None = None,
    threshold: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None,
    ablate: Ablation = "mean",
    every_input: Annotated[int, Field(ge=1)] | None = None,
) -> CircuitReport:
    """Measure how well a part of a model does its work, with everything else ablated, and what each kept part adds.

        found = playground.circuit(model, playground.attribute(model, of="edges"), keep=20)
        found.circuit.exact_match, found.faithfulness, found.needless
        Path("circuit.json").write_text(found.kept.to_json())

    `kept` is a circuit, the path of its JSON file, names of heads and feed-forward networks or of edges
    ("SENDER -> RECEIVER"), or an attribution, of which `keep` or `threshold` chooses the parts with the largest change.
    `ablate` replaces everything else by its "mean" over held-out inputs or by that for "other" inputs. Tests read 1,000
    held-out inputs or, with `every_input`, all inputs up to this length.

    Returns the scores of the whole model (`intact`), of the circuit (`circuit`) and with everything ablated
    (`nothing`), and in `parts` those without each kept part. Raises `playground.PlaygroundError` for a circuit that the
    model doesn't have, and for too many inputs.
    """
    own = model_of(model)
    return _last(
        item[2]
        for item in circuit_report(own, chosen_circuit(own, kept, keep, threshold), ablate, every_input=every_input)
    )


def input_pairs(
    model: TaskModel, inputs: str | Sequence[str] | None, other: str | Sequence[str] | None, count: int
) -> Pairs:
    """Pairs as typed, or `count` held-out ones; raises as `attribute` does."""
    texts, others = _listed(inputs or ()), _listed(other or ())
    return typed_pairs(model.config, texts, others) if texts or others else held_out_pairs(model.config, count)


def _listed(texts: str | Sequence[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def chosen_circuit(
    model: TaskModel,
    kept: Circuit | Attribution | Sequence[str] | str | PathLike[str],
    keep: int | None = None,
    threshold: float | None = None,
) -> Circuit:
    """The circuit that somebody gives in one of these ways; raises as `circuit` does."""
    if isinstance(kept, Attribution):
        if (keep is None) == (threshold is None):
            raise CircuitError(
                "Of an attribution, keep or threshold chooses the parts.",
                "Give one of the two, for example keep=20 or threshold=0.1.",
            )
        return Circuit.chosen(model.config, kept, keep=keep, threshold=threshold)
    if keep is not None or threshold is not None:
        raise CircuitError("keep and threshold choose parts of an attribution.", "Leave them out.")
    if isinstance(kept, Circuit):
        return kept
    if isinstance(kept, str | PathLike):
        return Circuit.from_json(_read(user_path(kept)), model.config)
    return Circuit.by_hand(model.config, kept)


def _read(file: Path) -> bytes:
    """The beginning of a file, long enough to see whether it is too long."""
    try:
        with file.open("rb") as opened:
            return opened.read(MAX_CIRCUIT_BYTES + 1)
    except OSError as error:
        raise CircuitError(f"{file} can't be read: {reason(error)}.") from None


def _last(items: Iterator[_Item]) -> _Item:
    *_, last = items
    return last
