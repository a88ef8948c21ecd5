"""Roles of heads: each kind of positions against lists made in plain Python, scores of patterns made by hand."""

import pytest
import torch
from torch import Tensor

from playground.model.head_paths import Head, attentions, heads, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import intervene
from playground.settings.presets import PRESETS
from playground.tasks import BOS, EOS, PAD, SEP
from playground.tasks.batches import Sequences, make_batch
from playground.training.held_out import held_out_batches
from playground.training.roles import ROLES, Reads, RoleScore, attention_reads, how, measure_roles, role, scores
from tests.helpers import ARCHITECTURES, small_model

PATHS = {
    "encoder": ("encoder-decoder", "encoder.layers.0.self_attention"),
    "decoder": ("encoder-decoder", "decoder.layers.0.self_attention"),
    "cross": ("encoder-decoder", "decoder.layers.0.cross_attention"),
    "row": ("decoder-only", "decoder.layers.0.self_attention"),
    "in place": ("encoder-only", "encoder.layers.0.self_attention"),
}


def positions_by_hand(where: str, name: str, row: dict[str, list[int]], query: int) -> set[int]:
    """The keys of a role that a query sees, from lists of tokens without PAD."""
    queries, keys, self_attention = row["queries"], row["keys"], where != "cross"
    seen = range(query + 1) if where in ("decoder", "row") else range(len(keys))
    n = {"encoder": len(keys), "in place": len(keys), "cross": len(keys), "decoder": 0}.get(where)
    t = query
    if where == "row":
        n = queries.index(SEP)
        t = query - n if query >= n else None
    own = query if self_attention else None
    if name == "own":
        found = {query} if self_attention else set()
    elif name == "same":
        found = {t} - {own} if t is not None and t < n else set()
    elif name == "mirror":
        found = {n - 1 - t} if t is not None and 0 <= n - 1 - t < n else set()
    elif name in ("previous", "next"):
        step = {"previous": -1, "next": 1}[name]
        found = {query + step} if self_attention else {t + step} & set(range(n))
    elif name == "first":
        found = {0} if n else set()
    elif name == "last":
        found = {n - 1} if n else set()
    elif name == "special":
        found = {at for at, token in enumerate(keys) if token in (BOS, SEP)}
    elif name == "token":
        found = {at for at, token in enumerate(keys) if token == queries[query]} - {own}
    elif name == "copied":  # the task is reverse
        predicts = where in ("cross", "row", "in place") and t is not None
        found = {n - 1 - t} if predicts and 0 <= n - 1 - t < n else set()
    else:
        assert name == "induction"
        found = {at + 1 for at, token in enumerate(keys) if token == queries[query] and at != own}
    return found & set(seen)


def rows_of(where: str, batch) -> list[dict[str, list[int]]]:
    """Tokens of the queries and keys of each row, without PAD."""

    def tokens(read: Tensor) -> list[list[int]]:
        return [[token for token in row if token != PAD] for row in read.tolist()]

    queries = tokens(batch.source if where in ("encoder", "in place") else batch.target)
    keys = tokens(batch.source) if where == "cross" else queries
    return [{"queries": one, "keys": other} for one, other in zip(queries, keys, strict=True)]


def reads_of(where: str) -> tuple[Tensor, Reads, list[dict[str, list[int]]]]:
    architecture, path = PATHS[where]
    model = small_model(architecture)
    source = torch.tensor([[5, 7, 5, 9, 8], [6, 6, 6, PAD, PAD]])
    batch = make_batch(model.config, source)
    weights, reads = attention_reads(model, batch, [path])[path]
    return weights, reads, rows_of(where, batch)


@pytest.mark.parametrize("where", PATHS)
@pytest.mark.parametrize("name", ROLES)
def test_the_positions_of_a_role_are_those_of_its_definition(where, name):
    _, reads, rows = reads_of(where)
    found = ROLES[name].visible(reads)
    for number, row in enumerate(rows):
        for query in range(found.size(1)):
            expected = positions_by_hand(where, name, row, query) if query < len(row["queries"]) else set()
            assert set(found[number, query].nonzero()[:, 0].tolist()) == expected, (row, query)


def test_every_role_exists_somewhere_and_mirror_is_n_minus_1_minus_t():
    _, reads, _ = reads_of("cross")
    mirror = ROLES["mirror"].visible(reads)
    assert [row.nonzero()[:, 0].tolist() for row in mirror[0]] == [[4], [3], [2], [1], [0], []]
    assert [row.nonzero()[:, 0].tolist() for row in mirror[1]][:4] == [[2], [1], [0], []]
    for name in ROLES:
        assert any(ROLES[name].visible(reads_of(where)[1]).any() for where in PATHS), name


@pytest.mark.parametrize("where", PATHS)
def test_attention_to_one_kind_of_positions_scores_1_and_even_attention_the_expected_share(where):
    _, reads, _ = reads_of(where)
    even = reads.visible / reads.visible.sum(-1, keepdim=True)
    for name in ROLES:
        positions = ROLES[name].visible(reads)
        exists = positions.any(-1, keepdim=True)
        pure = torch.where(exists, positions / positions.sum(-1, keepdim=True).clamp(min=1), even)
        found = scores(torch.stack([pure, even, 0.25 * pure + 0.75 * even], dim=1), reads)
        by_role = [{score.role: score for score in each} for each in found]
        assert (name in by_role[0]) == bool(exists.any())
        if name in by_role[0]:
            on_it, flat, mixed = (each[name] for each in by_role)
            assert on_it.weight == pytest.approx(1)
            assert flat.weight == pytest.approx(flat.uniform)
            assert mixed.weight == pytest.approx(0.25 + 0.75 * flat.uniform)
            assert on_it.queries == int(exists.sum())
        for score in by_role[1].values():
            assert score.weight == pytest.approx(score.uniform, abs=1e-6)
            assert score.above == pytest.approx(0, abs=1e-6)
        assert role(found[1]) is None or role(found[1]).above < 1e-6


def test_a_head_has_the_role_furthest_above_even_attention_if_half_of_its_weight_is_there():
    weak = RoleScore("previous", 0.45, 0.1, 9)
    common = RoleScore("special", 0.8, 0.79, 9)
    strong = RoleScore("mirror", 0.6, 0.1, 9)
    certain = RoleScore("own", 1.0, 1.0, 9)
    assert role([weak, common, strong, certain]) is strong
    assert role([weak]) is None
    assert role([certain]) is None
    assert role([]) is None
    assert strong.above == pytest.approx(0.5 / 0.9)
    assert "over 9 queries" in how(strong, 1000)
    assert "1,000 held-out inputs" in how(strong, 1000)
    assert "Even attention would give 0.10." in how(strong, 1000)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_measured_scores_are_the_means_over_all_held_out_inputs(architecture):
    model = small_model(architecture, n_layers=2)
    source = Sequences.of(model.config.task).held_out(150)
    batch = make_batch(model.config, source)
    at_once = attention_reads(model, batch, attentions(model.config.model))
    steps = list(measure_roles(model, 150))
    assert [(done, total) for done, total, _ in steps] == [(100, 150), (150, 150)]
    found = steps[-1][-1]
    assert list(found) == heads(model.config.model)
    for head, each in found.items():
        for score, expected in zip(each, scores(*at_once[head.attention])[head.number], strict=True):
            assert (score.role, score.queries) == (expected.role, expected.queries)
            assert score.weight == pytest.approx(expected.weight)
            assert score.uniform == pytest.approx(expected.uniform)


def test_a_head_that_is_made_to_attend_to_the_mirror_position_is_found():
    path = PATHS["cross"][1]

    def mirrored(weights: Tensor) -> Tensor:
        changed = weights.clone()
        lengths = (weights[:, 1] > 0).sum(-1)[:, :1]
        index = (lengths - 1 - torch.arange(weights.size(2))).clamp(min=0)
        changed[:, 1] = torch.zeros_like(changed[:, 1]).scatter(2, index[..., None], 1.0)
        return changed

    with intervene(small_model("encoder-decoder"), {weights_tap(path): mirrored}) as model:
        *_, (_, _, found) = measure_roles(model, 100)
    best = {head.number: role(each) for head, each in found.items() if head.attention == path}
    assert best[1].role == "mirror"
    assert best[1].weight == pytest.approx(1)
    assert best[0] is None or best[0].weight < 1


@pytest.mark.parametrize(
    ("task", "architecture"),
    [(task, architecture) for task in ("sort", "recall", "addition") for architecture in ARCHITECTURES],
)
def test_the_positions_an_answer_is_copied_from_hold_its_token_wherever_the_answer_is_predicted(task, architecture):
    if task != "sort" and architecture == "encoder-only":
        return  # its answers aren't as long as its inputs
    config = PRESETS[task].config.updated({"model.architecture": architecture})
    model = TaskModel(config)
    batch = make_batch(config, Sequences.of(config.task).held_out(20))
    found = 0
    for path, (_, reads) in attention_reads(model, batch, attentions(config.model)).items():
        predicts = architecture != "encoder-decoder" or "cross" in path
        for query, key, row, asked in zip(reads.query, reads.key, reads.copied, batch.labels, strict=True):
            inputs = key.tolist()[: key.tolist().index(SEP)] if architecture == "decoder-only" else key.tolist()
            for at in range(len(query)):
                token = int(asked[at]) if at < len(asked) else PAD
                at_all = predicts and task != "addition" and token not in (PAD, EOS)
                values = {position for position, other in enumerate(inputs) if other == token}
                copied = set(row[at].nonzero()[:, 0].tolist())
                assert bool(copied) == at_all
                assert copied <= values
                assert task == "recall" or copied == (values if at_all else set())
                found += len(copied)
    assert bool(found) == (task != "addition")


def test_a_head_that_attends_to_what_it_answers_has_this_role_where_the_query_is_the_same_everywhere():
    config = PRESETS["recall"].config.updated({"model.architecture": "decoder-only", "model.n_layers": 1})
    path = "decoder.layers.0.self_attention"

    def copying(weights: Tensor) -> Tensor:
        changed = weights.clone()
        _, reads = attention_reads(plain, given[-1], [path])[path]
        changed[:, 2] = torch.where(reads.copied.any(-1, keepdim=True), reads.copied.float(), weights[:, 2])
        return changed

    plain = TaskModel(config).eval()
    given = [batch for _, _, batch in held_out_batches(config, 100)]
    with intervene(plain, {weights_tap(path): copying}) as model:
        *_, (_, _, found) = measure_roles(model, 100)
    best = role(found[Head(path, 2)])
    assert (best.role, best.weight, best.queries) == ("copied", pytest.approx(1), 100)
    assert "on the position the answer is copied from, over 100 queries" in how(best, 100)
