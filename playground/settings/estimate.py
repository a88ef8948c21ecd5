"""About how much time and memory a run takes, from its settings alone, before anything is built or allocated.

Counts are exact. The cost of each count was fitted to presets, batch sizes and sweeps on one thread of an x86 server,
and `runs.calibration` measures how much faster or slower this machine is. `python -m tests.benchmarks` compares
estimates with measured times: the aim is a factor of 1.5.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.model.architecture import architecture, shape
from playground.settings.config import RunConfig, parameter_counts

QUICK_TEST = 100
"""Held-out sequences of each test. A 95 % interval of their exact match reaches 10 points to either side at most."""

_PASS_BUDGET = 5e10  # multiplications, about two seconds


@dataclass(frozen=True)
class Speed:
    """Time that this machine takes, relative to the machine the costs were fitted on."""

    calls: float = 1.0  # for the fixed cost of calling operations
    numbers: float = 1.0  # for arithmetic and memory access


_speed = Speed()


def use(speed: Speed) -> None:
    """Makes all later estimates of this process use a measured speed."""
    global _speed
    _speed = speed


@dataclass(frozen=True)
class Cost:
    """Estimated cost of a whole run at full speed."""

    megabytes: float  # beyond what an idle worker uses
    seconds: float  # for all its steps


@dataclass(frozen=True)
class _Sizes:
    """Counts for one sequence in one forward pass."""

    cells: float  # attention scores of all heads and layers; each limit of attention takes a quarter more
    widest: int  # attention scores of the largest attention
    vectors: int  # numbers in vectors of width D that a backward pass needs
    hidden: int  # numbers inside feed-forward networks
    logits: int
    attentions: int
    added: int  # operations that attentions have besides: rotations and limits
    multiplications: int  # of one forward pass
    length: int  # positions of the logits


@lru_cache(maxsize=KEPT_SETTINGS)
def _sizes(config: RunConfig) -> _Sizes:
    tree, sizes = architecture(config.model), config.sizes | {"B": 1}

    def numbers(axes: Iterable[str]) -> list[int]:
        return [math.prod(shape(letters, sizes)) for letters in axes]

    # One score per pair of query and key: the product without the last axis, that it sums over.
    inner = tree.find("ScaledDotProductAttention")
    cells = numbers(part.products[0][:-1] for part in inner)
    model = config.model
    limits = sum(map(bool, (model.qk_norm, model.logit_cap, model.window)))
    turned = len([part for part in inner if "cross" not in part.path]) if model.positions == "rotary" else 0
    return _Sizes(
        cells=sum(cells) * (1 + limits / 4),
        widest=max(cells),
        vectors=sum(numbers(part.makes for part in tree.find("MultiHeadAttention", "FeedForward"))),
        hidden=sum(numbers(part.makes for part in tree.find("Linear") if part.makes.endswith("F"))),
        logits=math.prod(shape(tree.makes, sizes)),
        attentions=len(inner),
        added=turned + limits * len(inner),
        multiplications=tree.multiplications(sizes),
        length=shape(tree.makes, sizes)[1],
    )


def quick_test(config: RunConfig) -> int:
    """Held-out sequences that each evaluation tests, where there are as many."""
    return config.training.eval_sequences or QUICK_TEST


def pass_size(config: RunConfig) -> int:
    """Sequences that a test reads at once: those of a quick test, or fewer where a pass would take much memory."""
    sizes = _sizes(config)
    return max(8, min(QUICK_TEST, int(_PASS_BUDGET // (sizes.multiplications * sizes.length))))


def estimate(config: RunConfig) -> Cost:
    """About how much memory and time this run takes; hosts refuse by it, and the queue is estimated with it."""
    sizes, batch = _sizes(config), config.training.batch_size
    parameters = sum(parameter_counts(config).values())
    training = batch * (4 * sizes.cells + 9 * sizes.vectors + 2.5 * sizes.hidden + 5 * sizes.logits)
    vectors = sizes.length * (4 * config.model.d_model + 2 * config.model.d_ff)
    testing = pass_size(config) * (5 * sizes.widest + vectors + 3 * sizes.logits)
    megabytes = 10 + 4e-6 * (max(training, testing) + 6 * parameters)

    calls, numbers = step_costs(config)
    calls_of_test, numbers_of_test = _test_costs(sizes, quick_test(config))
    # A test of training inputs costs as much as one of held-out inputs, and roles cost a recorded pass.
    parts = 1 + len(config.training.record)
    passes = math.ceil(quick_test(config) / pass_size(config))
    tests = parts * (1 + config.training.steps / config.training.eval_every)
    calls = config.training.steps * calls + tests * passes * calls_of_test
    numbers = config.training.steps * numbers + tests * numbers_of_test
    return Cost(megabytes, _speed.calls * calls + _speed.numbers * numbers)


def test_seconds(config: RunConfig, sequences: int) -> float:
    """Seconds that a test of so many held-out sequences takes, in groups of `pass_size`."""
    sizes = _sizes(config)
    calls, numbers = _test_costs(sizes, sequences)
    groups = math.ceil(sequences / pass_size(config))
    return _speed.calls * calls * groups + _speed.numbers * numbers


def _test_costs(sizes: _Sizes, sequences: int) -> tuple[float, float]:
    """Seconds of one test on the machine of the fit, as `step_costs`."""
    passes = 1 + sizes.length / 8  # it predicts token by token, in fewer passes than there are tokens
    return 8e-3 + 4e-4 * sizes.attentions + 1.2e-4 * sizes.added, _forward(sizes, sequences) * passes


def training_seconds(config: RunConfig, steps: int) -> float:
    """Seconds that so many optimizer steps take without evaluations."""
    calls, numbers = step_costs(config)
    return steps * (_speed.calls * calls + _speed.numbers * numbers)


def step_costs(config: RunConfig) -> tuple[float, float]:
    """Seconds of one optimizer step on the machine of the fit: for calling operations, and for their numbers."""
    sizes, batch = _sizes(config), config.training.batch_size
    parameters = sum(parameter_counts(config).values())
    return 1e-3 + 4.2e-4 * sizes.attentions + 1.2e-4 * sizes.added, 3 * _forward(sizes, batch) + 3.4e-9 * parameters


def _forward(sizes: _Sizes, sequences: int) -> float:
    """Seconds of arithmetic and memory access in one forward pass on the machine of the fit."""
    values = sizes.vectors + sizes.hidden + sizes.logits
    return sequences * (2.4e-11 * sizes.multiplications + 4.5e-9 * sizes.cells + 5.7e-10 * values)
