"""What a run will cost, from its settings alone: known before anything is built or allocated.

Counts are exact, what they cost was fitted to 70 random configs measured on one thread of an ordinary x86 server: most
estimates lie within a factor of two of what was seen there.
"""

from dataclasses import dataclass

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


def _sizes(config: RunConfig) -> _Sizes:
    m, v, source, target = config.model, config.vocabulary_size, config.longest_source, config.longest_target
    d, h, f, layers = m.d_model, m.n_heads, m.d_ff, m.n_layers
    pairs = [(source, source), (target, target)] + [(target, source)] * (m.architecture == "encoder-decoder")
    pairs = [(rows, columns) for rows, columns in pairs if rows]
    cells = layers * h * sum(rows * columns for rows, columns in pairs)
    projections = layers * sum(2 * (rows + columns) * d * d for rows, columns in pairs)
    said = target or source
    return _Sizes(
        cells=cells,
        widest=h * max(rows * columns for rows, columns in pairs),
        vectors=layers * d * (sum(rows for rows, _ in pairs) + source + target),
        hidden=layers * f * (source + target),
        logits=said * v,
        attentions=layers * len(pairs),
        multiplications=projections + 2 * layers * (source + target) * d * f + 2 * cells * d // h + said * d * v,
        length=said,
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
