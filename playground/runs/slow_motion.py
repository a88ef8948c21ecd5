"""Slow motion: a small picture of each stage of an optimizer step, sent to everybody who watches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from torch import Tensor, nn

from playground.explain import dims
from playground.recording import owner
from playground.settings.config import RunConfig
from playground.training.stages import Stage, StageKind, stage_plan

SLOW_MOTION = 0.0
"""The pace that means stage by stage."""

STAGE_SECONDS = 1.5
"""Seconds each stage is shown."""

MAX_BYTES = 280_000
"""Maximum size of the picture of one stage."""


@dataclass(frozen=True)
class StageShown:
    """One stage of the current step, with the part of its main tensor that belongs to one sequence of the batch."""

    step: int  # the current step, counted from 1
    kind: StageKind
    tap: str  # name of the main tensor; empty if there is none
    title: str
    sentence: str  # what happens in this stage
    at: int  # index of the stage, from 0
    of: int  # number of stages
    dims: tuple[str, ...] = ()  # axes of `value`
    shape: tuple[int, ...] = ()  # of the whole tensor, with all sequences of the batch
    value: np.ndarray | None = None  # float32, without this sequence's padding; as many heads as fit
    rows: tuple[int, ...] = ()  # token id per row; empty if rows are not tokens
    columns: tuple[int, ...] = ()  # token id per column
    numbers: Mapping[str, float] = field(default_factory=dict)
    tokens: Mapping[str, list[int]] = field(default_factory=dict)  # source, target and labels of that sequence


def shown(stage: Stage, at: int, model: nn.Module, config: RunConfig, tokens: Mapping[str, list[int]]) -> StageShown:
    """The picture of a stage of `model`; `tokens` are those of the step's first stage."""
    picture: dict[str, Any] = {"numbers": stage.numbers, "tokens": tokens}
    tensor = stage.tensors.get(stage.tap)
    if stage.kind not in ("batch", "loss") and tensor is not None:
        picture |= _picture(stage.tap, tensor[stage.row], tuple(tensor.shape), model, config, tokens)
    described = (stage.step, stage.kind, stage.tap, stage.title, stage.sentence)
    return StageShown(*described, at, len(stage_plan(config)), **picture)


def _picture(
    tap: str,
    value: Tensor,
    shape: tuple[int, ...],
    model: nn.Module,
    config: RunConfig,
    tokens: Mapping[str, list[int]],
) -> dict[str, Any]:
    letters = dims(tap, owner(model, tap), config)[1:]
    own = tokens["source" if tap.startswith("encoder.") or "target" not in tokens else "target"]
    row_tokens: tuple[int, ...] = tuple(own)
    column_tokens: tuple[int, ...] = ()
    if tap.endswith(".weights"):
        column_tokens = tuple(tokens["source"]) if ".cross_attention." in tap else row_tokens
        value = value[:, : len(row_tokens), : len(column_tokens)]  # (H, T, S)
        value = value[: max(1, MAX_BYTES // (4 * value[0].numel()))]
    else:
        value = value[: len(row_tokens), : MAX_BYTES // (4 * len(row_tokens))]  # (T, D) or (T, V)
    return {
        "dims": letters,
        "shape": shape,
        "value": value.detach().float().cpu().numpy().copy(),
        "rows": row_tokens,
        "columns": column_tokens,
    }
