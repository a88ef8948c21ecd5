"""The numbers of the Python API beside a forward pass in NumPy, which knows the exported weights and nothing else."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import playground
from playground.tasks import PAD
from playground.tasks.batches import make_batch
from playground.training.roles import ROLES

SETTINGS = {
    "model.architecture": "decoder-only",
    "model.positions": "learned",
    "model.n_heads": 2,
    "model.d_model": 16,
    "model.d_ff": 24,
    "task.vocab_size": 4,
    "task.max_length": 3,
    "training.steps": 250,
    "training.eval_every": 250,
    "training.batch_size": 32,
}
SEP = 3
Patch = Callable[[np.ndarray], np.ndarray]
"""From (B, T, K) of one head, before W_O, to what replaces it."""


class FromWeights:
    """A decoder-only pre-norm transformer with two layers and two heads, in double precision."""

    def __init__(self, folder: Path) -> None:
        self.weights = {
            name: value.astype(np.float64) for name, value in load_file(folder / "model.safetensors").items()
        }
        self.attention: dict[str, np.ndarray] = {}  # by head: (B, T, T)
        self.heads: dict[str, np.ndarray] = {}  # by head: (B, T, K)
        self.terms: dict[str, np.ndarray] = {}  # by sender: (B, T, D) what it adds to the residual stream

    def __call__(
        self, tokens: np.ndarray, patches: Mapping[str, Patch] | None = None, added: np.ndarray | float = 0.0
    ) -> np.ndarray:
        """(B, T) token ids -> (B, T, V) logits; `added` joins what the last norm reads."""
        table = self.weights["decoder.embeddings.token_table.weight"]
        x = (
            table[tokens] * np.sqrt(table.shape[1])
            + self.weights["decoder.embeddings.positions.table"][: tokens.shape[1]]
        )
        self.terms["decoder.embeddings.sum"] = x
        hidden = ~np.tril(np.ones((tokens.shape[1],) * 2, dtype=bool)) | (tokens == PAD)[:, None, :]
        for layer in range(2):
            path = f"decoder.layers.{layer}"
            x = x + self._attention(
                f"{path}.self_attention", self._norm(f"{path}.self_attention_add_norm.norm", x), hidden, patches or {}
            )
            inner = self._linear(f"{path}.feed_forward.w_1", self._norm(f"{path}.feed_forward_add_norm.norm", x))
            self.terms[f"{path}.feed_forward"] = self._linear(f"{path}.feed_forward.w_2", np.maximum(inner, 0))
            x = x + self.terms[f"{path}.feed_forward"]
        return self._linear("head", self._norm("decoder.norm", x + added))

    def _attention(self, path: str, x: np.ndarray, hidden: np.ndarray, patches: Mapping[str, Patch]) -> np.ndarray:
        query, key, value = (self._linear(f"{path}.w_{letter}", x) for letter in "qkv")
        outputs = []
        for head, columns in enumerate((slice(0, 8), slice(8, 16))):
            name = f"{path}.head.{head}"
            scores = query[..., columns] @ key[..., columns].swapaxes(1, 2) / np.sqrt(8)
            scores[hidden] = -np.inf
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            self.attention[name], output = weights, weights @ value[..., columns]
            self.heads[name] = patches[name](output) if name in patches else output
            outputs.append(self.heads[name])
            self.terms[name] = self.heads[name] @ self.weights[f"{path}.w_o.weight"][:, columns].T
        return self._linear(f"{path}.w_o", np.concatenate(outputs, -1))

    def _linear(self, path: str, x: np.ndarray) -> np.ndarray:
        return x @ self.weights[f"{path}.weight"].T + self.weights[f"{path}.bias"]

    def _norm(self, path: str, x: np.ndarray) -> np.ndarray:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return scaled * self.weights[f"{path}.weight"] + self.weights[f"{path}.bias"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("independent") / "model"
    playground.save(folder, playground.fit(playground.configure("recall", SETTINGS)).model)
    return folder


@pytest.fixture(scope="module")
def held_out(folder):
    """Token ids of 200 held-out inputs, and what the decoder reads with their right answers."""
    source = playground.data(playground.load(folder).config).held_out[:200]
    return source, make_batch(playground.load(folder).config, source)


def right(batch, logits: np.ndarray) -> np.ndarray:
    """(B,) whether value and EOS are right where each is read after the right tokens: then they are free-running."""
    labels = batch.labels.numpy()
    return ((logits.argmax(-1) == labels) | (labels == PAD)).all(1)


def test_logits_attention_and_heads(folder, held_out):
    _, batch = held_out
    model = FromWeights(folder)
    logits = model(batch.target.numpy())
    read = batch.target.numpy() != PAD
    own, cache = playground.run_with_cache(folder, batch, ["*.weights", "*.head.?"])
    assert np.abs(own.numpy() - logits)[read].max() < 1e-4
    _, heads = playground.run_with_cache(folder, batch, "*.head.?")
    assert set(heads) == set(model.heads)
    for name, value in heads.items():
        assert np.abs(value.numpy() - model.heads[name])[read].max() < 1e-4
        path, _, number = name.partition(".head.")
        weights = cache[f"{path}.attention.weights"][:, int(number)].numpy()
        assert np.abs(weights - model.attention[name])[read].max() < 1e-4


def test_scores_by_group_and_the_ranking_of_heads(folder, held_out):
    source, batch = held_out
    model, tokens = FromWeights(folder), batch.target.numpy()
    exact = right(batch, model(tokens))
    assert 0.3 < exact.mean() < 1
    lengths = (source != PAD).sum(1).numpy()
    asked = source.numpy()[np.arange(len(source)), lengths - 1]
    back = np.array(
        [(n - 1 - list(row).index(key)) // 2 for row, n, key in zip(source.tolist(), lengths, asked, strict=True)]
    )
    table = playground.evaluate(folder, source, by="distance")
    assert {row.group: (row.n, row.exact_match) for row in table.rows} == {
        group: (int((back == group).sum()), exact[back == group].mean()) for group in sorted({*back.tolist()})
    }
    ranking = playground.ablate(folder, each="head", inputs=source)
    assert ranking["intact"]["exact_match"] == exact.mean()
    without = {name: right(batch, model(tokens, {name: np.zeros_like})).mean() for name in model.heads}
    assert {part["off"]: part["exact_match"] for part in ranking["parts"]} == without
    assert ranking["parts"][0]["exact_match"] == min(without.values()) < exact.mean()


def test_roles_of_heads(folder):
    config = playground.load(folder).config
    source = playground.data(config).held_out
    batch, model = make_batch(config, source), FromWeights(folder)
    tokens = batch.target.numpy()
    model(tokens)
    frame = playground.roles(folder).frame().set_index(["head", "role"])
    assert {"previous", "copied"} <= set(ROLES)
    for name, weights in model.attention.items():
        there = (tokens != PAD)[:, 1:]
        previous = weights[:, np.arange(1, tokens.shape[1]), np.arange(tokens.shape[1] - 1)][there].mean()
        assert abs(frame.loc[(name, "previous"), "weight"] - previous) < 1e-4
        on_value = []
        for row, ids in enumerate(tokens.tolist()):
            sep = ids.index(SEP)
            on_value.append(weights[row, sep, ids.index(ids[sep - 1]) + 1])
        assert abs(frame.loc[(name, "copied"), "weight"] - np.mean(on_value)) < 1e-4


def test_attribution_and_exact_patches(folder):
    texts = ["a 3 b 1 c 2 a", "b 0 d 2 b", "c 1 a 0 c"]
    others = ["a 1 b 3 c 2 a", "b 2 d 1 d", "c 3 a 2 a"]
    model = FromWeights(folder)
    found = playground.attribute(folder, texts, others, exact=True).frame().set_index("part")
    sums = {part: np.zeros(2) for part in found.index}
    for text, other in zip(texts, others, strict=True):
        own, theirs = (playground.tokens(folder, each) for each in (text, other))
        model(theirs.target.numpy())
        stored = dict(model.heads)
        at = int(own.source_lengths)  # where SEP is read and the value predicted
        value, wrong = int(own.labels[0, at]), int(theirs.labels[0, at])

        def metric(patches, own=own, at=at, value=value, wrong=wrong):
            logits = model(own.target.numpy(), patches)
            return logits[0, at, value] - logits[0, at, wrong]

        intact = metric({})
        for part in sums:

            def moved(head, share, to=stored[part]):
                return head + share * (to - head)

            step = 1e-5
            high, low = (metric({part: lambda head, share=share: moved(head, share)}) for share in (step, -step))
            patched = metric({part: lambda head: moved(head, 1.0)})
            sums[part] += (high - low) / (2 * step), patched - intact
    for part, (estimate, exact) in sums.items():
        assert abs(found.loc[part, "estimate"] - estimate / 3) < 1e-4
        assert abs(found.loc[part, "exact"] - exact / 3) < 1e-4


def test_attribution_and_exact_patches_of_the_edges_to_the_logits(folder):
    text, other = "a 3 b 1 c 2 a", "a 1 b 3 c 2 a"
    found = playground.attribute(folder, text, other, of="edges", exact=True).frame().set_index("part")
    model, theirs = FromWeights(folder), FromWeights(folder)
    own, batch = (playground.tokens(folder, each) for each in (text, other))
    theirs(batch.target.numpy())
    at = int(own.source_lengths)
    value, wrong = int(own.labels[0, at]), int(batch.labels[0, at])

    def metric(added):
        logits = model(own.target.numpy(), added=added)
        return logits[0, at, value] - logits[0, at, wrong]

    intact, step = metric(0.0), 1e-5
    for sender, term in list(model.terms.items()):
        moved = theirs.terms[sender] - term
        estimate = (metric(step * moved) - metric(-step * moved)) / (2 * step)
        row = found.loc[f"{sender} -> logits"]
        assert abs(row["estimate"] - estimate) < 1e-4
        assert abs(row["exact"] - (metric(moved) - intact)) < 1e-4
