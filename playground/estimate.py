"""What a run will cost, from its settings alone: known before anything is built or allocated.

Counts are exact, what they cost was fitted to 70 random configs measured on one thread of an ordinary x86 server: most
estimates lie within a factor of two of what was seen there.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from playground.architecture import architecture, shape
from playground.config import RunConfig, parameter_counts

_QUICK_TEST_BUDGET = 5e10  # multiplications, about two seconds


@dataclass(frozen=True)
class Cost:
    """Of a whole run at full speed."""

    megabytes: float  # beyond what a worker takes anyway
    seconds: float  # if it takes all its steps


@dataclass(frozen=True)
class _Sizes:
    """Of one sequence on its way through the model."""

    cells: int  # attention scores of all heads and layers
    widest: int  # attention scores of the largest attention
    vectors: int  # numbers in vectors of width D that a backward pass needs
    hidden: int  # numbers inside feed-forward networks
    logits: int
    attentions: int
    multiplications: int  # of one forward pass
    length: int  # of what is answered


@lru_cache(maxsize=256)
def _sizes(config: RunConfig) -> _Sizes:
    tree, sizes = architecture(config.model), config.sizes | {"B": 1}

    def numbers(axes: Iterable[str]) -> list[int]:
        return [math.prod(shape(each, sizes)) for each in axes]

    # An attention has a score wherever a query meets a key, over all K of which they are multiplied.
    cells = numbers(part.products[0].removesuffix("K") for part in tree.find("ScaledDotProductAttention"))
    return _Sizes(
        cells=sum(cells),
        widest=max(cells),
        vectors=sum(numbers(part.makes for part in tree.find("MultiHeadAttention", "FeedForward"))),
        hidden=sum(numbers(part.makes for part in tree.find("Linear") if part.makes.endswith("F"))),
        logits=math.prod(shape(tree.makes, sizes)),
        attentions=len(cells),
        multiplications=tree.multiplications(sizes),
        length=shape(tree.makes, sizes)[1],
    )


def quick_test(config: RunConfig) -> int:
    """Held-out sequences of a first, quick test: 100, or fewer where answering them would take many seconds."""
    sizes = _sizes(config)
    return max(8, min(100, int(_QUICK_TEST_BUDGET // (sizes.multiplications * sizes.length))))


def estimate(config: RunConfig) -> Cost:
    """Memory and time of this run; a coarse figure to refuse by and to wait by."""
    sizes, batch = _sizes(config), config.training.batch_size
    parameters = sum(parameter_counts(config).values())
    training = batch * (4 * sizes.cells + 9 * sizes.vectors + 2.5 * sizes.hidden + 5 * sizes.logits)
    vectors = sizes.length * (4 * config.model.d_model + 2 * config.model.d_ff)
    testing = quick_test(config) * (5 * sizes.widest + vectors + 3 * sizes.logits)
    megabytes = 10 + 4e-6 * (max(training, testing) + 6 * parameters)

    def forward(sequences: int) -> float:
        return sequences * (
            1e-11 * sizes.multiplications + 5e-9 * (sizes.cells + (sizes.vectors + sizes.hidden + sizes.logits) / 2)
        )

    step = 9e-4 + 6e-4 * sizes.attentions + 3 * forward(batch)
    test = 2e-3 + 2e-4 * sizes.attentions + forward(quick_test(config)) * (1 + sizes.length / 8)
    steps = config.training.steps
    return Cost(megabytes, steps * step + (1 + steps / config.training.eval_every) * test)
