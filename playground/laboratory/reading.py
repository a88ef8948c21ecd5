"""What a model computes: answers, tensors by name, and every operation of a pass."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, overload

from pydantic import Field
from torch import Tensor

from playground import recording
from playground.common.numbers import counted
from playground.decoding import greedy
from playground.explain.inspection import Walk, walk
from playground.interpret.interventions import InterventionError
from playground.laboratory.model_inputs import (
    AnyInputs,
    AnyModel,
    as_typed,
    batch_of,
    is_one,
    readable,
    reader_of,
    typed,
)
from playground.laboratory.part_names import NamedPart, selected
from playground.recording import Cache
from playground.settings.arguments import Switch, checked
from playground.settings.estimate import pass_size
from playground.storage.checkpoint import model_of
from playground.tasks import InputError
from playground.tasks.batches import Batch


@overload
def answer(model: AnyModel, inputs: str) -> str: ...
@overload
def answer(model: AnyModel, inputs: list[str] | tuple[str, ...] | Batch) -> list[str]: ...
@overload
def answer(model: AnyModel, inputs: Tensor) -> str | list[str]: ...
def answer(model: AnyModel, inputs: AnyInputs) -> str | list[str]:
    """The greedy answer to an input, or a list of the answers to several, as a person types them.

        playground.answer(model, "3 1 4"), playground.answer(model, ["3 1 4", "1 5 9"])

    `inputs` are typed, token ids (B, S) or (S,), or what `playground.tokens` returns. A typed input can be longer than
    those of training if the model's positions allow it; then a warning says so.

    Raises `playground.InputError` for an invalid input and `playground.CheckpointError` for an invalid folder.
    """
    own = model_of(model).eval()
    reader, source = readable(own, inputs)
    answers = [row for group in source.split(pass_size(own.config)) for row in greedy(reader, group).tolist()]
    texts = [as_typed(reader.config, row) for row in answers]
    return texts[0] if is_one(inputs) else texts


@overload
def record(
    model: AnyModel,
    inputs: str,
    target: str | None = None,
    *,
    prefix_length: int | None = None,
    padding: int = 0,
    until_overflow: bool = False,
) -> Walk: ...
@overload
def record(
    model: AnyModel,
    inputs: list[str] | tuple[str, ...],
    target: Sequence[str] | None = None,
    *,
    prefix_length: int | None = None,
    padding: int = 0,
    until_overflow: bool = False,
) -> list[Walk]: ...
@checked
def record(
    model: AnyModel,
    inputs: str | Sequence[str],
    target: str | Sequence[str] | None = None,
    *,
    prefix_length: Annotated[int, Field(ge=1)] | None = None,
    padding: Annotated[int, Field(ge=0)] = 0,
    until_overflow: Switch = False,
) -> Walk | list[Walk]:
    """Every operation of one forward pass over an input; a list of passes for several inputs.

        for step in playground.record(model, "3 1 4").steps:
            step.name, step.value, step.document.formula  # the tensor has its batch axis, of 1

    The decoder reads `target`, for several inputs one each, or without one the model's own answer, and of it at most
    `prefix_length` tokens. `padding` PAD stand behind the source. The result also computes `gradients()` of the loss
    by name. With `until_overflow`, the pass ends before the first tensor that isn't finite.

    Inputs can be longer than in training, as in `answer`. For many inputs at once, and for chosen tensors, use
    `run_with_cache`.

    Raises `playground.InputError` for an invalid input or target, and `playground.PlaygroundError` where a tensor holds
    a number that is not finite.
    """
    own = reader_of(model_of(model), inputs)
    options: dict[str, Any] = {"prefix_length": prefix_length, "padding": padding, "until_overflow": until_overflow}
    if isinstance(inputs, str):
        if target is not None and not isinstance(target, str):
            raise InputError("One input takes one target, a text.")
        return walk(own, inputs, target, **options)
    texts = typed(own.config, inputs)
    targets = [None] * len(texts) if target is None else typed(own.config, target)
    if len(targets) != len(texts):
        raise InputError(f"There are {counted(len(texts), 'input')} and {counted(len(targets), 'target')}.")
    return [walk(own, one, other, **options) for one, other in zip(texts, targets, strict=True)]


@checked
def run_with_cache(
    model: AnyModel,
    inputs: AnyInputs,
    names: Annotated[str | Iterable[str], Field(description="Give the name of a part, or a list of names.")] = "*",
    gradients: Annotated[
        bool | Callable[[Tensor], Tensor], Field(description="Use True, False, or a function of the logits.")
    ] = False,
) -> tuple[Tensor, Cache]:
    """Logits of one pass over one input or several, and the tensors that `names` ask for, by name.

        logits, cache = playground.run_with_cache(model, ["3 1 4", "1 5 9"], "*.weights", gradients=True)
        cache["decoder.layers.0.cross_attention.attention.weights"]  # (B, H, T, S)
        cache.gradients["decoder.layers.0.cross_attention.attention.weights"]  # d loss / d weights, (B, H, T, S)

    `inputs` are as in `playground.answer`. The decoder reads the right answers, or the target of `playground.tokens`.
    `names` are names or patterns of taps (`playground.record` lists them), and heads:
    "decoder.layers.0.cross_attention.head.0" is what this head adds up, (B, T, K), before W^O. A pattern selects as in
    `playground.intervene`.

    `gradients` True is those of the loss, the mean over all scored tokens in nats; a function gets the logits and
    returns a scalar: `lambda logits: logits[:, 0, 7].sum()`. They are zero or missing where it depends on nothing.

    Returns logits, (B, T, V) or, encoder-only, (B, S, V), and a dict of tensors, all on the CPU and with their batch
    axis. The model runs in evaluation mode, as a copy.

    Raises `playground.InputError` for invalid inputs and `playground.PlaygroundError` for an unknown name, with the
    nearest ones, and for gradients of what is no scalar.
    """
    own, batch = batch_of(model_of(model), inputs)
    parts = selected(own, names)
    for part in parts:
        if part.site.kind == "parameter":
            raise InterventionError(f"{part.name} is a weight. Read it with model.get_parameter({part.site.name!r}).")
    gradients_of = None
    if gradients:
        gradients_of = partial(_scalar, gradients) if callable(gradients) else _loss
    taps = dict.fromkeys(tap for part in parts for tap in part.site.taps)
    (logits, _), kept = recording.run_with_cache(own, batch, taps, gradients_of=gradients_of)
    cache = Cache(_parts(parts, kept))
    cache.gradients = dict(_parts(parts, kept.gradients))
    return logits.detach().cpu(), cache


def _parts(parts: Iterable[NamedPart], kept: Mapping[str, Tensor]) -> Iterator[tuple[str, Tensor]]:
    """The tensor of each part that the pass had, in the order of the pass."""
    order = {tap: at for at, tap in enumerate(kept)}
    there = [part for part in parts if part.site.taps[0] in kept]
    for part in sorted(there, key=lambda part: order[part.site.taps[0]]):
        yield part.name, kept[part.site.taps[0]][part.where]


def _loss(output: tuple[Tensor, Tensor]) -> Tensor:
    return output[1]


def _scalar(function: Callable[[Tensor], Tensor], output: tuple[Tensor, Tensor]) -> Tensor:
    scalar = function(output[0])
    if not isinstance(scalar, Tensor) or scalar.numel() != 1 or not scalar.requires_grad:
        found = f"a tensor of shape {tuple(scalar.shape)}" if isinstance(scalar, Tensor) else type(scalar).__name__
        raise InterventionError(
            f"gradients needs a function from the logits to a tensor with one number that depends on them, not {found}."
        )
    return scalar
