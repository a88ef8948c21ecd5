"""Changed models: parts switched off, replaced, or patched from another input."""

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Annotated, Any, Literal, cast, overload

from pydantic import Field, InstanceOf
from torch import Tensor

from playground import recording
from playground.common.numbers import counted
from playground.interpret import ablation
from playground.interpret.ablation import Comparison
from playground.interpret.interventions import InterventionError, parse_all
from playground.laboratory.model_inputs import AnyInputs, AnyModel, PartNames, Texts, reader_of, sources, typed
from playground.laboratory.part_names import NamedPart, plain_names, selected
from playground.model.task_model import TaskModel
from playground.settings.arguments import checked
from playground.storage.checkpoint import model_of
from playground.tasks import InputError


@checked
def intervene(
    model: AnyModel,
    changes: Annotated[
        Mapping[str, InstanceOf[Tensor] | Callable[[Tensor], Tensor]],
        Field(description='Give a dict of tensors or functions by part, for example {"logits": torch.zeros_like}.'),
    ],
) -> AbstractContextManager[TaskModel]:
    """A copy of `model` in which the named parts are another tensor, or a function of their tensor.

        no_head = {"decoder.layers.0.cross_attention.head.0": torch.zeros_like}
        with playground.intervene(model, no_head | {"*.feed_forward": lambda output: 0.5 * output}) as changed:
            playground.answer(changed, "3 1 4")

    Names are those that `ablate` takes, heads and experts counted from 0. The function gets the part in the batch of
    each pass: of a head (B, T, K), before W^O; of an expert or a sublayer its output (B, T, D); of a tap its tensor,
    such as weights (B, H, T, S); of a weight the weight itself, once. A name can have an index after the batch axis,
    from 0: "encoder.embeddings.sum[2]" is (B, D). A pattern with * or ? selects all taps that fit; if none fits, all
    heads, then all experts, then all sublayers, then all weights. Changes of one tensor apply in their order.

    A whole answer takes several passes, so a tensor as a change fits only inputs of its own shape.

    Raises `playground.PlaygroundError` for an unknown name, with the nearest ones, and for NaN in a change, and
    ValueError for a change of another shape.
    """
    # Its weights are its own, too: whoever changes them in the copy leaves the model as it is.
    own = copy.deepcopy(model_of(model))
    by_tap = dict[str, list[Callable[[Tensor], Tensor]]]()
    for name, change in changes.items():
        for part in selected(own, name):
            if part.site.kind == "parameter":
                weight = own.get_parameter(part.site.name)
                weight.data = _with(part, change, weight.detach())
            for tap in part.site.taps:
                by_tap.setdefault(tap, []).append(partial(_with, part, change))
    in_order = {tap: partial(_all_of, steps) for tap, steps in by_tap.items()}
    return cast("AbstractContextManager[TaskModel]", recording.intervene(own, in_order))


@checked
def ablate(
    model: AnyModel,
    off: PartNames = (),
    *,
    with_: Literal["zero", "mean"] = "zero",
    each: Literal["head", "expert", "sublayer"] | None = None,
    inputs: AnyInputs | None = None,
) -> dict[str, Any]:
    """Switch off parts of a model and test it on 1,000 held-out inputs or on `inputs`, beside the intact model.

        playground.ablate(model, "decoder.layers.0.cross_attention.head.0")["changed"]["exact_match"]
        playground.ablate(model, "decoder.*.head.0")  # these heads together
        playground.ablate(model, each="head")["parts"][0]["off"]  # the most important head

    `off` names heads, which count from 0, experts ("decoder.layers.0.feed_forward.expert.1", also from 0), sublayers
    ("encoder.layers.0.feed_forward"), taps and weights, also with an index ("logits[0]"), and patterns, which select as
    in `intervene`. `with_` replaces them by 0 or by their mean over held-out inputs at each position. `inputs` are
    typed, token ids (B, S), or what `playground.tokens` returns.

    Returns `intact` and `changed` or, with `each`, `intact` and `parts`, most important first. Each has `exact_match`,
    `token_accuracy`, `loss` in nats per token and `sequences`. Raises `playground.PlaygroundError` for an unknown part,
    with the nearest ones, and `playground.InputError` for an invalid input.
    """
    own = model_of(model)
    source = None if inputs is None else sources(own.config, inputs)
    return ablation.report(own, plain_names(own, off), with_, each, source=source)


@overload
def patch(model: AnyModel, text: str, other: str, parts: str | Sequence[str]) -> Comparison: ...
@overload
def patch(
    model: AnyModel, text: list[str] | tuple[str, ...], other: str | Sequence[str], parts: str | Sequence[str]
) -> list[Comparison]: ...
@checked
def patch(
    model: AnyModel,
    text: Texts,
    other: Texts,
    parts: Annotated[
        str | Sequence[str], Field(min_length=1, description="Give the name of a part, or a list of names.")
    ],
) -> Comparison | list[Comparison]:
    """Answer `text` with the tensors of `parts` taken from the pass over `other`, an input of the same length.

        patched = playground.patch(model, "3 1 4 1 5", "2 7 1 8 2", ["encoder.layers.0.self_attention"])
        patched.intact.text, patched.changed.text

    `parts` are named as in `ablate`; an index restricts a patch to a position: "decoder.embeddings.sum[2]". The result
    has the answers `intact`, `changed` and `other`, each with its `text`, `tokens`, `probabilities` (A, V) and `loss`.
    For a list of texts it is a list; `other` is then one text for all, or one for each.

    Raises `playground.InputError` for an invalid input and `playground.PlaygroundError` for an unknown
    part or an input of another length.
    """
    own = reader_of(model_of(model), [*_listed(text), *_listed(other)])
    changes = parse_all(plain_names(own, parts), own.config, "patch")
    if isinstance(text, str):
        if not isinstance(other, str):
            raise InputError("One text takes one other text.")
        return ablation.compare(own, text, changes, other=other)
    texts = typed(own.config, text)
    others = [other] * len(texts) if isinstance(other, str) else typed(own.config, other)
    if len(others) != len(texts):
        raise InputError(f"There are {counted(len(texts), 'text')} and {counted(len(others), 'other text')}.")
    return [ablation.compare(own, one, changes, other=two) for one, two in zip(texts, others, strict=True)]


def _listed(texts: str | Sequence[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _with(part: NamedPart, change: Tensor | Callable[[Tensor], Tensor], value: Tensor) -> Tensor:
    """The tensor `value` with another part; positions that it doesn't have are left out."""
    head = () if part.site.head is None else (part.site.head,)
    sizes = value.shape if part.site.kind == "parameter" else value.shape[1:]
    if any(entry >= size for entry, size in zip((*head, *part.index), sizes)):
        return value
    there = value[part.where]
    new = change if isinstance(change, Tensor) else change(there.clone())
    if not isinstance(new, Tensor) or new.shape != there.shape:
        found = tuple(new.shape) if isinstance(new, Tensor) else type(new).__name__
        raise ValueError(f"{part.name} has shape {tuple(there.shape)}; its replacement has {found}.")
    if bool(new.isnan().any()):
        raise InterventionError(f"The replacement of {part.name} has numbers that are NaN.")
    changed = value.clone()
    changed[part.where] = new.to(value)
    return changed


def _all_of(steps: Sequence[Callable[[Tensor], Tensor]], value: Tensor) -> Tensor:
    for step in steps:
        value = step(value)
    return value
