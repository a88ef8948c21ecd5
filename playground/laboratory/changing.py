"""Changed models: parts switched off, replaced, or patched from another input."""

import copy
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, cast

from torch import Tensor

from playground import recording
from playground.interpret import ablation
from playground.interpret.ablation import Comparison
from playground.interpret.interventions import parse_all
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import Checkpoint, model_of


def intervene(
    model: TaskModel, changes: Mapping[str, Tensor | Callable[[Tensor], Tensor]]
) -> AbstractContextManager[TaskModel]:
    """A copy of `model` in which the named taps return another tensor, or a function of their tensor.

    Raises KeyError for an unknown tap name and ValueError for a tensor of another shape.
    """
    # Its weights are its own, too: whoever changes them in the copy leaves the model as it is.
    return cast("AbstractContextManager[TaskModel]", recording.intervene(copy.deepcopy(model), changes))


def ablate(
    model: TaskModel | Checkpoint,
    off: Sequence[str] = (),
    *,
    with_: Literal["zero", "mean"] = "zero",
    each: Literal["head", "sublayer"] | None = None,
) -> dict[str, Any]:
    """Switch off parts of a model and test it on 1,000 held-out inputs, beside the intact model.

        playground.ablate(model, ["decoder.layers.0.cross_attention.head.0"])["changed"]["exact_match"]
        playground.ablate(model, each="head")["parts"][0]["off"]  # the most important head

    `off` names heads, which count from 0, sublayers ("encoder.layers.0.feed_forward") and whatever else
    `playground.interpret.interventions.parse` reads. `with_` replaces their output by 0 or by its mean over held-out
    inputs at each position.

    Returns `intact` and `changed` or, with `each`, `intact` and `parts`, most important first. Each has `exact_match`,
    `token_accuracy`, `loss` and `sequences`. Raises `playground.PlaygroundError` for an unknown part.
    """
    return ablation.report(model_of(model), [off] if isinstance(off, str) else off, with_, each)


def patch(model: TaskModel | Checkpoint, text: str, other: str, parts: Sequence[str]) -> Comparison:
    """Answer `text` with the tensors of `parts` taken from the pass over `other`, an input of the same length.

        patched = playground.patch(model, "3 1 4 1 5", "2 7 1 8 2", ["encoder.layers.0.self_attention"])
        patched.intact.text, patched.changed.text

    `parts` are named as in `ablate`; an index restricts a patch to a position: "decoder.embeddings.sum[2]". The result
    has the answers `intact`, `changed` and `other`, each with its `text`, `tokens`, `probabilities` and `loss`.

    Raises `playground.InputError` for an invalid input and `playground.PlaygroundError` for an unknown
    part or an input of another length.
    """
    own = model_of(model)
    names = [parts] if isinstance(parts, str) else parts
    return ablation.compare(own, text, parse_all(names, own.config, "patch"), other=other)
