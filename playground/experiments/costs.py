"""The costs of several models beside each other: parameters and multiplications by part, bytes of a KV cache."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.decoding import measured_bytes
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.cost import PartCost, costs_of


class ModelCost(NamedTuple):
    """What a model with these settings costs."""

    parts: dict[str, PartCost]  # multiplications are those of one pass over the longest sequence
    position_bytes: int  # of a KV cache for each position of the decoder, measured; 0 without a cache
    source_bytes: int  # the same, for each position of the source that an encoder reads

    @property
    def whole(self) -> PartCost:
        """The sum of all parts."""
        return PartCost(*map(sum, zip(*self.parts.values())))


class CostRow(NamedTuple):
    """A line of a table of costs: a number for each model."""

    name: str
    numbers: tuple[int, ...]
    total: bool  # a line of its own, not a part of the last total


@lru_cache(maxsize=KEPT_SETTINGS)
def cost_of(config: RunConfig) -> ModelCost:
    """Count the parts of a model, and measure the KV cache of a new one."""
    return ModelCost(costs_of(config), *measured_bytes(TaskModel(config).eval()))


def cost_rows(models: Sequence[ModelCost]) -> list[CostRow]:
    """The costs of one or more models as lines of a table; what costs nothing in all of them is left out."""
    names = dict.fromkeys(name for model in models for name in model.parts)

    def row(name: str, numbers: Sequence[int], *, total: bool = False) -> list[CostRow]:
        return [CostRow(name, tuple(numbers), total)] if any(numbers) or total else []

    def parts(field: str) -> list[CostRow]:
        return [
            line
            for name in names
            for line in row(name, [getattr(m.parts.get(name, PartCost()), field) for m in models])
        ]

    whole = [model.whole for model in models]
    rows = row("Parameters", [each.parameters for each in whole], total=True) + parts("parameters")
    rows += row("Multiplications", [each.multiplications for each in whole], total=True) + parts("multiplications")
    if any(each.active != each.multiplications for each in whole):
        rows += row("With chosen experts only", [each.active for each in whole], total=True)
    rows += row("KV cache: bytes per token", [model.position_bytes for model in models], total=True)
    if any(model.source_bytes for model in models):
        rows += row("KV cache: bytes per source token", [model.source_bytes for model in models], total=True)
    return rows
