"""Benchmark: training times on this machine, compared with peer recipes as ratios.

The peer recipes use torch's own modules: a plain `nn.Transformer` with its default dropout and Adam at 1e-3, and an
encoder with one head and a cosine schedule with warm-up, as in a well-known university tutorial. All learn to reverse
16 symbols out of 10 on one thread, up to the same accuracy.
"""

import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from playground.common.numbers import percent
from playground.decoding import greedy
from playground.model.embeddings import sinusoidal_table
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.presets import PRESETS
from playground.tasks import PAD
from playground.tasks.batches import Sequences, make_batch, right_answers
from playground.training import SOLVED_AT, train

FIXED_16 = PRESETS["quick-reverse"].config.updated(
    {"task.min_length": 16, "training.steps": 2000, "training.schedule": "constant"}
)
OURS = {"reverse, length 16": FIXED_16, **{name: PRESETS[name].config for name in ("quick-reverse", "quick-copy")}}
PEER_SECONDS = 120.0  # optimizer seconds after which a peer is stopped
PEER_BATCH = 128


def run(seeds: int, peer_seeds: int, log: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything; `log` receives what is being measured."""
    torch.set_num_threads(1)
    for _ in train(FIXED_16.updated({"training.steps": 2})):
        pass  # the first optimizer imports a large part of torch
    results: dict[str, Any] = {"accuracy": SOLVED_AT, "sequences": 1000, "ours": {}, "peers": {}}
    for name, config in OURS.items():
        log(f"{name}: {seeds} seeds")
        results["ours"][name] = _ours(config, seeds)
    for name, peer in {"nn.Transformer": NNTransformer, "encoder tutorial": EncoderTutorial}.items():
        log(f"{name}: {peer_seeds} seeds")
        results["peers"][name] = _peer(peer, peer_seeds)
    base = results["ours"]["reverse, length 16"]["solved_at_seconds"]
    for peer_result in results["peers"].values():
        peer_result["ratio"] = peer_result["seconds"] / base if base else None
    return results


def as_text(results: dict[str, Any]) -> str:
    """The results as text."""
    lines = [
        f"Optimizer seconds to {percent(results['accuracy'])} exact match, free-running, on "
        f"{results['sequences']} held-out sequences",
    ]
    for name, r in results["ours"].items():
        seconds = "never" if r["solved_at_seconds"] is None else f"{r['solved_at_seconds']:.2f} s"
        lines.append(
            f"  {name:22} median {seconds}, {r['solved']} of {r['seeds']} seeds solved, "
            f"{r['own_inputs_right']} of {r['own_inputs']} own inputs correct"
        )
    for name, r in results["peers"].items():
        ratio = "" if r["ratio"] is None else f", {'at least ' * (not r['solved'])}{r['ratio']:.1f} x ours"
        lines.append(f"  {name:22} median {r['seconds']:.2f} s, reached {percent(r['exact_match'])}{ratio}")
    return "\n".join(lines)


def _ours(config: RunConfig, seeds: int) -> dict[str, Any]:
    seconds, right, asked = [], 0, 0
    for seed in range(seeds):
        seeded = config.updated({"seed": seed})
        model = TaskModel(seeded)
        *_, progress = train(seeded, model)
        if progress.solved:
            seconds.append(progress.seconds)
        own = _own_inputs(seeded)
        answers = greedy(model.eval(), own)
        right += int((answers == _expected(seeded, own, answers)).all(1).sum())
        asked += len(own)
    every = seconds + [math.inf] * (seeds - len(seconds))
    median = statistics.median(every)
    return {
        "solved_at_seconds": median if math.isfinite(median) else None,
        "solved": len(seconds),
        "seeds": seeds,
        "own_inputs_right": right,
        "own_inputs": asked,
    }


def _own_inputs(config: RunConfig) -> Tensor:
    """100 random inputs of every length the model accepts, from the training set or not."""
    task, generator = config.task, torch.Generator().manual_seed(2**20 + config.seed)
    lengths = torch.arange(100)[:, None] % (task.max_length - task.min_length + 1) + task.min_length
    symbols = torch.randint(4, 4 + task.vocab_size, (100, task.max_length), generator=generator)
    return symbols.masked_fill(torch.arange(task.max_length) >= lengths, PAD)


def _expected(config: RunConfig, source: Tensor, answers: Tensor) -> Tensor:
    labels = make_batch(config, source).labels
    return labels[:, : answers.size(1)] if answers.size(1) < labels.size(1) else labels


class NNTransformer(nn.Module):
    """torch's own encoder-decoder with 2 + 2 layers and its defaults (post-norm, ReLU, dropout 0.1); Adam at 1e-3."""

    batch_size = 32

    def __init__(self, vocabulary: int = 14, d_model: int = 64) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, d_model)
        self.positions: Tensor
        self.register_buffer("positions", sinusoidal_table(17, d_model))
        self.transformer = nn.Transformer(d_model, 4, 2, 2, 256, batch_first=True)
        self.head = nn.Linear(d_model, vocabulary)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=1e-3)

    def loss(self, source: Tensor, answers: Tensor) -> Tensor:
        batch = make_batch(FIXED_16, source, answers)
        assert batch.target is not None
        return F.cross_entropy(self(source, batch.target).transpose(1, 2), batch.labels)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        causal = nn.Transformer.generate_square_subsequent_mask(target.size(1))
        return self.head(
            self.transformer(self._embed(source), self._embed(target), tgt_mask=causal, tgt_is_causal=True)
        )

    def exact_match(self, source: Tensor, answers: Tensor) -> float:
        """Exact match under teacher forcing, which equals free-running with a causal mask."""
        batch = make_batch(FIXED_16, source, answers)
        assert batch.target is not None
        return float((self(source, batch.target).argmax(-1) == batch.labels).all(1).float().mean())

    def after_step(self) -> None:
        pass

    def _embed(self, tokens: Tensor) -> Tensor:
        return self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim) + self.positions[: tokens.size(1)]


class EncoderTutorial(nn.Module):
    """One encoder layer, one head, d 32, no dropout; Adam at 5e-4, clipping, warm-up, cosine; answers in one pass."""

    batch_size = PEER_BATCH

    def __init__(self, vocabulary: int = 14, d_model: int = 32) -> None:
        super().__init__()
        self.input = nn.Linear(vocabulary, d_model)
        self.positions: Tensor
        self.register_buffer("positions", sinusoidal_table(16, d_model))
        self.layer = nn.TransformerEncoderLayer(d_model, 1, 2 * d_model, dropout=0.0, batch_first=True)
        self.output = nn.Sequential(
            nn.Linear(d_model, d_model), nn.LayerNorm(d_model), nn.ReLU(), nn.Linear(d_model, vocabulary)
        )
        self.vocabulary = vocabulary
        self.optimizer = torch.optim.Adam(self.parameters(), lr=5e-4)
        warmup, total = 50, 10 * 391  # ten epochs of 50,000 sequences
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer,
            lambda step: min(1.0, step / warmup) * 0.5 * (1 + math.cos(math.pi * min(step, total) / total)),
        )

    def forward(self, source: Tensor) -> Tensor:
        one_hot = F.one_hot(source, self.vocabulary).float()
        return self.output(self.layer(self.input(one_hot) + self.positions))

    def loss(self, source: Tensor, answers: Tensor) -> Tensor:
        return F.cross_entropy(self(source).transpose(1, 2), answers)

    def exact_match(self, source: Tensor, answers: Tensor) -> float:
        return float((self(source).argmax(-1) == answers).all(1).float().mean())

    def after_step(self) -> None:
        self.schedule.step()


def _peer(make: Callable[[], Any], seeds: int) -> dict[str, Any]:
    sequences = Sequences.of(FIXED_16.task)
    held_out = sequences.held_out()
    expected = right_answers(FIXED_16, held_out)
    times, reached = [], []
    for seed in range(seeds):
        torch.manual_seed(seed)
        peer, data, seconds, exact, step = make(), torch.Generator().manual_seed(seed), 0.0, 0.0, 0
        while exact < SOLVED_AT and seconds < PEER_SECONDS:
            peer.train()
            start = time.perf_counter()
            for _ in range(20):
                source = sequences.draw(peer.batch_size, data)
                loss = peer.loss(source, right_answers(FIXED_16, source))
                peer.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(peer.parameters(), 5.0)
                peer.optimizer.step()
                peer.after_step()
                step += 1
            seconds += time.perf_counter() - start
            peer.eval()
            with torch.no_grad():
                exact = peer.exact_match(held_out[:100], expected[:100])
                if exact >= 0.99:
                    exact = peer.exact_match(held_out, expected)
        times.append(seconds)
        reached.append(exact)
    return {
        "seconds": statistics.median(times),
        "exact_match": min(reached),
        "solved": min(reached) >= SOLVED_AT,
        "seeds": seeds,
    }
