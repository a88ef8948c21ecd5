"""Measures that show a mistake, computed from a trained model and from the loss of each of its steps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from playground.lessons.mistakes.classes import apply
from playground.model.attention import ScaledDotProductAttention
from playground.model.latent_attention import LatentAttention
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache, with_shared_weights
from playground.tasks.batches import Sequences, make_batch
from playground.tasks.tokens import PAD
from playground.training.evaluation import answered_right, load_entropy

_SEQUENCES = 200  # held out


@dataclass(frozen=True)
class Trained:
    """A model after its training, and the loss of each step."""

    model: TaskModel
    losses: tuple[float, ...]


MistakeMeasure = Callable[[Trained], float]


def _held_out(model: TaskModel) -> Tensor:
    """(N, S) held-out sources."""
    return Sequences.of(model.config.task).held_out(_SEQUENCES)


def _tap(model: TaskModel, name: str) -> Tensor:
    """The tensor of a tap, in a pass over held-out sequences in evaluation mode."""
    return run_with_cache(model, make_batch(model.config, _held_out(model)), name)[1][name]


def exact_match(trained: Trained) -> float:
    """Share of held-out inputs answered entirely right, the model reading its own tokens one by one."""
    model = with_shared_weights(trained.model).eval()
    model.decoding = "token_by_token"  # a mistake may let the model read what follows
    return float(answered_right(model, _held_out(model)).double().mean())


def weight_on_hidden(trained: Trained) -> float:
    """Attention weight on positions after the query, mean over queries and heads of the decoder's self-attention."""
    weights = _tap(trained.model, "decoder.layers.0.self_attention.attention.weights")
    return float(weights.triu(1).sum(-1)[:, :, :-1].mean())


def weight_on_padding(trained: Trained) -> float:
    """Cross-attention weight on padding, mean over queries and heads; inputs without padding don't count."""
    weights = _tap(trained.model, "decoder.layers.0.cross_attention.attention.weights")
    padding = _held_out(trained.model) == PAD
    rows = padding.any(1)
    return float((weights[rows] * padding[rows, None, None]).sum(-1).mean())


def sum_of_weights(trained: Trained) -> float:
    """Distance of the sum of a query's attention weights from 1, mean over queries and heads of the decoder."""
    weights = _tap(trained.model, "decoder.layers.0.self_attention.attention.weights")
    return float((weights.sum(-1) - 1).abs().mean())


def spread_of_scores(trained: Trained) -> float:
    """Standard deviation of the scores that softmax reads in an untrained model of the same kind."""
    model = trained.model
    untrained = TaskModel(model.config)
    apply(type(_first(model, ScaledDotProductAttention)), untrained)
    scores = _tap(untrained, "decoder.layers.0.cross_attention.attention.masked_scores")
    return float(scores[scores.isfinite()].std())


def share_of_positions(trained: Trained) -> float:
    """Length of what is added to the token vectors, divided by their length."""
    tokens = _tap(trained.model, "decoder.embeddings.token_embedding")
    added = _tap(trained.model, "decoder.embeddings.sum") - tokens
    return float(added.norm() / tokens.norm())


def experts_in_use(trained: Trained) -> float:
    """Experts in use: 2 to the power of the entropy of their loads in bits. If all loads are equal, it counts them."""
    return 2 ** load_entropy(_tap(trained.model, "decoder.layers.0.feed_forward.load").tolist())


def sum_of_gates(trained: Trained) -> float:
    """Distance of the sum of a position's gates from 1, mean over positions of the decoder's first mixture."""
    gates = _tap(trained.model, "decoder.layers.0.feed_forward.gates")
    return float((gates.sum(-1) - 1).abs().mean())


def absorbed_gap(trained: Trained) -> float:
    """Distance of the scores from those that a cache of latents gives, with W^UK absorbed into the query.

    It is the root mean square of their difference, divided by the standard deviation of the scores.
    """
    path = "decoder.layers.0.self_attention"
    model = trained.model
    _, cache = run_with_cache(model, make_batch(model.config, _held_out(model)), f"{path}.*")
    taps = {name.removeprefix(f"{path}."): tensor for name, tensor in cache.items()}
    scores = taps["attention.scores"]
    return float((absorbed_scores(model.get_submodule(path), taps) - scores).square().mean().sqrt() / scores.std())


def absorbed_scores(attention: nn.Module, taps: Mapping[str, Tensor]) -> Tensor:
    """Scores of latent attention, (B, H, T, S), from its latents and its taps by name: no key is made of a latent."""
    assert isinstance(attention, LatentAttention)
    query = attention.split(taps["query_projection"])  # (B, H, T, K)
    absorbed = query @ attention.w_uk.weight.detach().unflatten(0, (attention.n_heads, -1))  # (B, H, T, C)
    scores = absorbed @ taps["latent"][:, None].mT  # (B, H, T, S)
    if attention.w_uk.bias is not None:
        bias = attention.w_uk.bias.detach().unflatten(0, (attention.n_heads, 1, -1))
        scores = scores + (query * bias).sum(-1, keepdim=True)
    if attention.rotary:
        scores = scores + taps["rotated_query"] @ taps["rotated_key"].mT
    return scores


def size_after_last_layer(trained: Trained) -> float:
    """Root mean square of the vectors that leave the decoder's last layer."""
    return float(_tap(trained.model, "decoder.output").square().mean().sqrt())


def reads_ahead(trained: Trained) -> float:
    """Largest change of the first position's logits when only the tokens after it change."""
    model = trained.model
    source = _held_out(model)
    batch = make_batch(model.config, source[(source != PAD).all(1)])
    assert batch.target is not None
    other = batch.target.clone()
    other[:, 1:] = other[:, 1:].flip(1)
    passes = (run_with_cache(model, batch._replace(target=target), "logits") for target in (batch.target, other))
    one, two = (cache["logits"][:, 0] for _, cache in passes)
    return float((one - two).abs().max())


def disagreement(trained: Trained) -> float:
    """Largest difference of logits when the same input is read twice in evaluation mode."""
    one, two = (_tap(trained.model, "logits") for _ in range(2))
    return float((one - two).abs().max())


def loss_gap(trained: Trained) -> float:
    """Loss per token on held-out answers divided by the loss that training reports (mean of its last ten steps)."""
    return float(_tap(trained.model, "loss")) * 10 / sum(trained.losses[-10:])


def last_loss(trained: Trained) -> float:
    """Training loss of the last step, as the chart shows it."""
    return trained.losses[-1]


def _first(model: nn.Module, kind: type) -> nn.Module:
    return next(module for module in model.modules() if isinstance(module, kind))


FRACTIONS = (exact_match, weight_on_hidden, weight_on_padding)
"""Measures from 0 to 1 that people read in percent."""
