"""Lesson "From 2017 to today"."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.lessons.exercise import Exercise, ExerciseRun
from playground.lessons.live.reversing_model import MODEL as REVERSES
from playground.lessons.live_parts import (
    Choice,
    Curves,
    Numbers,
    OperationLink,
    Output,
    Sentence,
    Slider,
    Table,
    live,
    shipped,
    shown,
)
from playground.lessons.measures import absorbed_scores
from playground.model.architecture import architecture, label, locate
from playground.model.embeddings import rotate
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache, with_shared_weights
from playground.settings.config import RunConfig, parameter_counts
from playground.tasks import SPECIALS, task_of
from playground.tasks.batches import Batch, Sequences, make_batch
from playground.tasks.tokens import PAD
from playground.training import SOLVED_AT
from playground.training.evaluation import evaluate, load_entropy

SORTS = "sort-1-8"
INPUTS, BYTES = 100, 4
INPUT = "7 2 9 4 8"
CACHED = ("w_k", "w_v", "w_dkv", "w_kr")
"""Linear layers of self-attention whose results a cache keeps; of latent attention it keeps no keys and values."""
PARTS = ("Input", "Answer")
SHARES = ("Fewer than 40 %", "40 % to 80 %", "More than 80 %")


# --- RMSNorm ----------------------------------------------------------------------


class _WithoutMean(nn.LayerNorm):
    """A LayerNorm that divides by the root mean square and subtracts no mean."""

    def forward(self, input: Tensor) -> Tensor:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps) + self.bias


class _Reading(nn.LayerNorm):
    """A LayerNorm that keeps what it read."""

    vectors: Tensor

    def forward(self, input: Tensor) -> Tensor:
        self.vectors = input
        return super().forward(input)


class _Norms(NamedTuple):
    """What the norms of a model read, and what the model predicts with each kind of norm."""

    ratios: dict[str, Tensor]  # by path: size of the mean divided by the standard deviation, (positions,)
    right: tuple[int, int]  # inputs answered right with LayerNorm, and with RMSNorm in its place
    difference: float  # largest of the logits


@lru_cache(maxsize=1)
def _norms() -> _Norms:
    model = shipped(REVERSES)
    batch = make_batch(model.config, Sequences.of(model.config.task).held_out(INPUTS))
    paths = [name for name, module in model.named_modules() if isinstance(module, nn.LayerNorm)]
    trained, changed = with_shared_weights(model), with_shared_weights(model)
    for path in paths:
        trained.get_submodule(path).__class__ = _Reading
        changed.get_submodule(path).__class__ = _WithoutMean
    with torch.inference_mode():
        before, after = (one(*batch[:3])[0] for one in (trained, changed))
    ratios = {}
    for path in paths:
        norm = trained.get_submodule(path)
        assert isinstance(norm, _Reading)
        kept = norm.vectors[batch.read_by(path.partition(".")[0]) != PAD]
        ratios[path] = kept.mean(-1).abs() / kept.std(-1, correction=0)
    # With a causal mask, an input is answered right if each token is predicted from the right ones before it.
    there = batch.labels != PAD
    right = [int(((logits.argmax(-1) == batch.labels) | ~there).all(1).sum()) for logits in (before, after)]
    return _Norms(ratios, (right[0], right[1]), float((before - after)[there].abs().max()))


def _norm_facts() -> Mapping[str, object]:
    norms, width = _norms(), shipped(REVERSES).config.model.d_model
    kept = norms.right[1] / INPUTS
    return {
        "inputs": INPUTS,
        "before": norms.right[0],
        "kept": norms.right[1],
        "kept_range": "Fewer than 10 %" if kept < 0.1 else "10 % to 90 %" if kept <= 0.9 else "More than 90 %",
        "ratio": float(torch.cat([*norms.ratios.values()]).mean()),
        "width": width,
        "random": math.sqrt(2 / math.pi / width),
    }


@live()
def means(seed: int) -> list[Output]:
    """Mean against standard deviation of what each norm reads."""
    rows = []
    for path, ratios in _norms().ratios.items():
        stack, layer, _ = locate(path)
        of = "last norm" if layer is None else f"before {label(locate(path).sublayer)}"
        rows.append((stack.capitalize(), of, f"{float(ratios.mean()):.2f}", f"{float(ratios.max()):.2f}"))
    return [Table(("Stack", "Norm", "Mean / standard deviation, average", "Largest"), rows)]


@live()
def swapped(seed: int) -> list[Output]:
    """Answers with both norms, and what RMSNorm leaves out."""
    norms, model = _norms(), shipped(REVERSES)
    width, number = model.config.model.d_model, len(norms.ratios)
    rows = [
        ("LayerNorm", f"{norms.right[0]} of {INPUTS}", "mean and variance", f"{2 * width * number:,}"),
        ("RMSNorm", f"{norms.right[1]} of {INPUTS}", "mean square", f"{width * number:,}"),
    ]
    return [
        Table(("Norm", "Inputs answered right", "Computed for each vector", "Gains and biases of all norms"), rows),
        Sentence(
            f"Logits differ by up to {norms.difference:.2f}. An RMSNorm that is trained has no bias: "
            f"{width * number:,} parameters fewer in {number} norms."
        ),
    ]


# --- grouping ---------------------------------------------------------------------


def cache_numbers(config: RunConfig) -> int:
    """Numbers that a cache keeps for a token, in self-attentions of all decoder layers."""
    total = 0
    for part in architecture(config.model).find("MultiHeadAttention"):
        if part.path.startswith("decoder.") and part.path.endswith("self_attention"):
            makes = {linear.path.rpartition(".")[2]: linear.makes[-1] for linear in part.parts}
            total += sum(config.sizes[makes[name]] for name in CACHED if name in makes)
    return total


def _grouped(layers: int, heads: int, width: int, groups: int) -> RunConfig:
    """A decoder of a few layers whose heads share keys and values in groups."""
    return RunConfig().updated(
        {
            "model.architecture": "decoder-only",
            "model.positions": "rotary",
            "model.attention": "grouped_query",
            "model.n_layers": layers,
            "model.n_heads": heads,
            "model.d_model": heads * width,
            "model.n_kv_heads": groups,
        }
    )


def _sizes(seed: int) -> tuple[int, int, int, int]:
    """Layers, heads, head width and heads of keys of the question."""
    return (4, 6, 2)[seed % 3], 8, (16, 8, 32)[seed % 3], (2, 1, 4)[seed % 3]


@live(
    heads=Slider("Heads of queries", 4, 16, 8, 4),
    width=Slider("Head width", 4, 16, 16, 4),
    layers=Slider("Layers", 1, 6, 4),
)
def grouping(seed: int, heads: int, width: int, layers: int) -> list[Output]:
    """Cache and parameters for each number of heads of keys."""
    rows = []
    for groups in (number for number in (16, 12, 8, 4, 2, 1) if not heads % number):
        config = _grouped(layers, heads, width, groups)
        parameters = sum(parameter_counts(config).values())
        name = {heads: f"{groups}, multi-head", 1: "1, multi-query"}.get(groups, f"{groups}")
        rows.append((name, f"{BYTES * cache_numbers(config):,}", f"{parameters:,}"))
    return [Table(("Heads of keys and values", "Cache in bytes a token", "Parameters of the model"), rows)]


_FOUR_HEADS = {"model.n_heads": 4, "model.attention": "grouped_query"}


def _key_heads(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    four, one = outcomes.values()
    words = {
        (True, True): "Both",
        (True, False): "Only the model with four",
        (False, True): "Only the model with one",
        (False, False): "Neither",
    }
    parameters = [sum(parameter_counts(run.last.config).values()) for run in (four, one)]
    return {
        "grouping_solved": words[four.exact_match >= SOLVED_AT, one.exact_match >= SOLVED_AT],
        "four_steps": four.steps,
        "one_steps": one.steps,
        "cache_factor": cache_numbers(four.last.config) / cache_numbers(one.last.config),
        "fewer": parameters[0] - parameters[1],
    }


key_heads = Exercise(
    {
        "Four heads of keys": _FOUR_HEADS | {"model.n_kv_heads": 4},
        "One head of keys": _FOUR_HEADS | {"model.n_kv_heads": 1},
    },
    _key_heads,
)


# --- the latent -------------------------------------------------------------------


class _Latents(NamedTuple):
    """Keys and values of one layer of the model that sorts, over the positions of some inputs."""

    both: Tensor  # (positions, 2 D)
    scores: Tensor  # (B, H, T, T)
    absorbed: Tensor  # the same from the latent
    turned: Tensor  # scores with turned keys of the latent


def _batch(model: TaskModel, inputs: int = 20) -> Batch:
    """Held-out inputs of the greatest length, with their answers."""
    held_out = Sequences.of(model.config.task).held_out()
    return make_batch(model.config, held_out[(held_out != PAD).all(1)][:inputs])


@lru_cache(maxsize=2)
def _latents(layer: int) -> _Latents:
    model = shipped(SORTS)
    at = f"decoder.layers.{layer}.self_attention"
    _, cache = run_with_cache(model, _batch(model), f"{at}.*")
    both = torch.cat([cache[f"{at}.{name}_projection"] for name in ("key", "value")], -1).flatten(0, 1)
    query, key = (cache[f"{at}.attention.{name}"].split(model.config.model.d_head, -1)[0] for name in ("query", "key"))
    rotary = cache[f"{at}.rotated_query"] @ cache[f"{at}.rotated_key"].mT
    return _Latents(
        both,
        cache[f"{at}.attention.scores"],
        absorbed_scores(model.get_submodule(at), {name.removeprefix(f"{at}."): cache[name] for name in cache}),
        rotate(query) @ rotate(key).mT + rotary,
    )


def _apart(one: Tensor, other: Tensor) -> float:
    """Root mean square of the difference, in standard deviations."""
    return float((one - other).square().mean().sqrt() / other.std())


def _latent_facts(seed: int) -> Mapping[str, object]:
    config, seen = shipped(SORTS).config, _latents(0)
    positions = 40 + 10 * (seed % 3)
    return {
        "latent_heads": config.model.n_heads,
        "numbers": seen.both.size(1),
        "latent": config.model.d_latent,
        "rope": config.model.d_rope,
        "latent_cache": cache_numbers(config) // config.model.n_layers,
        "positions": positions,
        "rank": int(torch.linalg.matrix_rank(seen.both[:positions])),
        "exact": _apart(seen.absorbed, seen.scores),
        "off": _apart(seen.absorbed, seen.turned),
        "turned": "No" if _apart(seen.absorbed, seen.turned) > 1e-3 else "Yes",
    }


@live(layer=Choice("Layer", ("1", "2")))
def spectrum(seed: int, layer: str) -> list[Output]:
    """Singular values of keys and values."""
    both, latent = _latents(int(layer) - 1).both, shipped(SORTS).config.model.d_latent
    values = torch.linalg.svdvals(both)[: 2 * latent].tolist()
    return [
        Curves(
            "Singular values of the matrix of keys and values",
            "Number",
            "Singular value",
            range(1, len(values) + 1),
            {"Singular value": values},
            marks=True,
        ),
        Sentence(
            f"{len(both)} positions: the first {latent} singular values are at least {shown(values[latent - 1])}, "
            f"the next is {values[latent]:.0e}."
        ),
    ]


@live(
    layer=Choice("Layer", ("1", "2")),
    kind=Choice("Keys of the latent", ("As built", "Turned by their positions")),
    head=Slider("Head", 1, 4, 1),
)
def absorbed(seed: int, layer: str, kind: str, head: int) -> list[Output]:
    """Scores of keys and from the latent."""
    seen = _latents(int(layer) - 1)
    scores = seen.scores if kind == "As built" else seen.turned
    return [
        Numbers("Scores of queries and keys", scores[0, head - 1], ("T", "T")),
        Numbers("Scores from the latent", seen.absorbed[0, head - 1], ("T", "T")),
        Table(
            ("Difference in standard deviations, all heads", "Largest difference"),
            [[f"{_apart(seen.absorbed, scores):.1g}", f"{float((seen.absorbed - scores).abs().max()):.1g}"]],
        ),
    ]


# --- experts ----------------------------------------------------------------------


@lru_cache(maxsize=2)
def _routed(layer: int) -> tuple[Tensor, Tensor]:
    """How often each expert was chosen by symbol, (2, symbols, E) for input and answer, and its load, (E,)."""
    model = shipped(SORTS)
    batch = make_batch(model.config, Sequences.of(model.config.task).held_out(INPUTS))
    assert batch.target is not None
    assert batch.source_lengths is not None
    name = f"decoder.layers.{layer}.feed_forward.chosen"
    chosen = run_with_cache(model, batch, name)[1][name].float()
    tokens, symbols = batch.target, len(task_of(model.config.task).symbols)
    of_source = torch.arange(tokens.size(1)) < batch.source_lengths
    counts = torch.stack(
        [
            torch.stack([chosen[part & (tokens == len(SPECIALS) + symbol)].sum(0) for symbol in range(symbols)])
            for part in (of_source, ~of_source)
        ]
    )
    return counts, chosen[tokens != PAD].mean(0)


def _expert_facts(seed: int) -> Mapping[str, object]:
    counts, load = _routed(0)
    symbol = (4, 2, 9)[seed % 3]
    shares = counts[0, symbol] / counts[0, symbol].sum()
    largest = float(shares.max())
    return {
        "experts": len(load),
        "busiest": float(load.max()),
        "symbol": task_of(shipped(SORTS).config.task).symbols[symbol],
        "expert": int(shares.argmax()) + 1,
        "expert_share": largest,
        "expert_range": SHARES[(largest >= 0.4) + (largest > 0.8)],
    }


@live(layer=Choice("Layer", ("1", "2")), part=Choice("Positions of the", PARTS))
def routing(seed: int, layer: str, part: str) -> list[Output]:
    """Which expert the positions that read a symbol go to."""
    counts, load = _routed(int(layer) - 1)
    of_part = counts[PARTS.index(part)]
    symbols = task_of(shipped(SORTS).config.task).symbols
    experts = [f"Expert {number + 1}" for number in range(len(load))]
    return [
        Numbers(
            "Fraction of the positions that read a symbol",
            of_part / of_part.sum(1, keepdim=True),
            ("", "E"),
            [*symbols],
            experts,
            "probability",
        ),
        Table(("", *experts), [["All positions", *(f"{100 * each:.0f} %" for each in load.tolist())]]),
        OperationLink(SORTS, INPUT, f"decoder.layers.{int(layer) - 1}.feed_forward.chosen"),
    ]


_MANY: dict[str, Any] = {
    "task.min_length": 6,
    "model.architecture": "decoder-only",
    "model.positions": "learned",
    "model.feed_forward": "mixture",
    "model.d_ff": 32,
    "model.n_experts": 16,
    "model.experts_per_token": 1,
    "training.steps": 120,
    "training.stop_when_solved": False,
}


def _loads(run: ExerciseRun) -> list[float]:
    """Fraction of the tokens that each expert gets at the end, on held-out inputs."""
    found = evaluate(run.last, Sequences.of(run.last.config.task).held_out(INPUTS)).expert_load
    assert found
    return [*found.values()]


def _balance(outcomes: Mapping[str, ExerciseRun]) -> Mapping[str, object]:
    without, balanced = outcomes.values()
    loads = [_loads(run) for run in (without, balanced)]
    busy = max(loads[0])
    return {
        "busy": busy,
        "busy_balanced": max(loads[1]),
        "busy_range": "Fewer than 10 %" if busy < 0.1 else "10 % to 20 %" if busy <= 0.2 else "More than 20 %",
        "in_use": 2 ** load_entropy(loads[0]),
        "in_use_balanced": 2 ** load_entropy(loads[1]),
        "match": without.exact_match,
        "match_balanced": balanced.exact_match,
    }


balance = Exercise(
    {
        "Without the balancing loss": _MANY | {"model.balance": 0.0},
        "With the balancing loss": _MANY | {"model.balance": 0.1},
    },
    _balance,
)


def facts(seed: int) -> Mapping[str, object]:
    """Values in the text."""
    layers, heads, width, groups = _sizes(seed)
    many = _MANY["model.n_experts"]
    return {
        **_norm_facts(),
        "layers": layers,
        "heads": heads,
        "head_width": width,
        "groups": groups,
        "all_bytes": BYTES * cache_numbers(_grouped(layers, heads, width, heads)),
        "group_bytes": BYTES * cache_numbers(_grouped(layers, heads, width, groups)),
        **_latent_facts(seed),
        **_expert_facts(seed),
        "many": many,
        "equal": 1 / many,
    }
