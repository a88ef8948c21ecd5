"""Attribution patching: closed forms, finite differences, exact patches by hand, and an own pass in NumPy."""

import io
import statistics

import numpy as np
import pytest
import torch

import playground
from playground.common.errors import PlaygroundError
from playground.common.numbers import correlation, ranks
from playground.explain.inspection import walk
from playground.export import pass_arrays
from playground.interpret.attribution import Attributed, attributions
from playground.interpret.edges import edges, everywhere, patched_edges, receivers, sender_taps
from playground.interpret.input_pairs import Pairs, held_out_pairs, paired, typed_pairs
from playground.interpret.interventions import InterventionError, changed_model, parse
from playground.interpret.patching import measured, patch_map
from playground.interpret.sites import named, sites
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.tasks import PAD
from playground.tasks.batches import Sequences, make_batch, right_answers
from tests.hand_set_model import copying_model
from tests.hand_set_model import pairs as copied_pairs
from tests.helpers import ARCHITECTURES, first, small_config, small_model
from tests.modern_models import MODERN, modern_model

TEXTS, OTHERS = ["3 1 4 1 5", "6 0 2"], ["2 1 0 1 6", "0 0 5"]
SMALLEST_FIRST = sorted(ARCHITECTURES, key="encoder-decoder".__eq__)
METRICS = ("logit_difference", "probability", "loss")


def last(*given, **more):
    *_, found = attributions(*given, **more)
    return found


def pair(model: TaskModel, number: int = 0) -> Pairs:
    return typed_pairs(model.config, TEXTS[number : number + 1], OTHERS[number : number + 1])


def batches(model: TaskModel, pairs: Pairs):
    return make_batch(model.config, pairs.source), make_batch(model.config, pairs.other)


def metric_of(model: TaskModel, own, other, metric: str) -> float:
    with torch.inference_mode():
        return float(measured(metric, model(*own)[0], own.labels, other.labels).mean())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("of", ["heads", "nodes", "edges"])
@pytest.mark.parametrize("metric", METRICS)
def test_an_estimate_is_the_slope_of_the_exact_change(architecture, of, metric):
    check_slopes(small_model(architecture, n_layers=2), of, metric)


@pytest.mark.parametrize("name", MODERN)
@pytest.mark.parametrize("of", ["heads", "nodes", "edges"])
def test_an_estimate_is_the_slope_in_a_model_with_later_parts(name, of):
    check_slopes(modern_model(name), of, "loss")


def check_slopes(model: TaskModel, of: str, metric: str) -> None:
    model = model.double()
    pairs = pair(model)
    own, other = batches(model, pairs)
    found = last(model, pairs, of, metric)
    assert all(row.exact is None for row in found.rows)
    taps = sender_taps(model.config.model) if of == "edges" else "*"
    mine, theirs = (run_with_cache(model, batch, taps)[1] for batch in (own, other))
    step = 1e-4
    near = {name: mine[name] + step * (theirs[name] - mine[name]) for name in mine if mine[name].is_floating_point()}
    for row in found.rows[:: 1 + len(found.rows) // 12]:
        if of == "edges":
            changing = patched_edges(model, [row.part], everywhere(near))
        else:
            site, _, index = row.part.partition("[")
            site = sites(model.config)[site]
            where = (slice(None), *(() if site.head is None else (site.head,)), *([int(index[:-1])] if index else []))

            def moved(value, tap=site.taps[0], where=where):
                value = value.clone()
                value[where] = near[tap][where]
                return value

            changing = playground.intervene(model, {site.taps[0]: moved})
        with changing as changed:
            slope = (metric_of(changed, own, other, metric) - found.intact) / step
        assert row.estimate == pytest.approx(slope, rel=2e-3, abs=1e-5), row.part


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_metrics_are_those_of_the_pass(architecture):
    model = small_model(architecture)
    own, _ = batches(model, pair(model))
    with torch.no_grad():
        logits, loss = model(*own)
    asked = own.labels[0] != PAD
    assert last(model, pair(model), "heads", "loss").intact == pytest.approx(float(loss), abs=1e-5)
    right = logits[0].softmax(-1)[asked, own.labels[0][asked]].mean()
    assert last(model, pair(model), "heads", "probability").intact == pytest.approx(float(right), abs=1e-5)


def test_a_model_with_another_sum_has_no_edges_to_measure():
    model = small_model("decoder-only")
    model.get_submodule("decoder.layers.0.feed_forward_add_norm.sum").register_forward_hook(lambda *given: 2 * given[2])
    with pytest.raises(InterventionError, match="it has an unusual part"):
        last(model, pair(model), "edges")


@pytest.mark.parametrize("architecture", first(1, SMALLEST_FIRST, of=3))
def test_on_a_linear_path_the_estimate_is_exact(architecture):
    model = small_model(architecture, n_layers=2, layer_norm=False)
    found = last(model, pair(model), "edges", exact=True)
    direct = [row for row in found.rows if row.part.endswith(" -> logits")]
    assert len(direct) == 1 + 2 * (model.config.model.n_heads * (2 if architecture == "encoder-decoder" else 1) + 1)
    for row in direct:
        assert row.estimate == pytest.approx(row.exact, abs=1e-4)
    assert any(row.estimate != pytest.approx(row.exact, abs=1e-4) for row in found.rows), "other paths are not linear"


@pytest.mark.parametrize("architecture", first(1, SMALLEST_FIRST, of=3))
def test_the_exact_change_is_that_of_a_patch(architecture):
    model = small_model(architecture, n_layers=2, norm_position="post")
    pairs = pair(model)
    *_, maps = patch_map(model, TEXTS[0], OTHERS[0], "stream")
    nodes = {row.part: row for row in last(model, pairs, "nodes", exact=True).rows}
    for site, scores in maps.rows.items():
        for position, score in enumerate(scores):
            change = score.logit_difference - maps.intact.logit_difference
            assert nodes[f"{site}[{position}]"].exact == pytest.approx(change, abs=1e-5)
    heads = last(model, pairs, "heads", "loss", exact=True)
    assert [row.part for row in heads.rows] == [site.name for site in named(model.config, "head")]
    own, other = batches(model, pairs)
    if architecture == "encoder-only":  # elsewhere a patch takes its tensor from the model's own answer
        for row in heads.rows:
            with changed_model(model, [parse(f"{row.part}:patch", model.config)], other=pairs.other) as changed:
                assert row.exact == pytest.approx(metric_of(changed, own, other, "loss") - heads.intact, abs=1e-5)


@pytest.mark.parametrize("architecture", first(1, SMALLEST_FIRST, of=3))
def test_all_edges_into_a_receiver_are_its_whole_input(architecture):
    check_receivers(small_model(architecture, n_layers=2))


@pytest.mark.parametrize("name", MODERN)
def test_all_edges_into_a_receiver_of_later_parts_are_its_whole_input(name):
    check_receivers(modern_model(name))


def check_receivers(model: TaskModel) -> None:
    own, other = batches(model, pair(model))
    every = receivers(model.config.model)
    _, theirs = run_with_cache(model, other)
    stored = everywhere({tap: theirs[tap] for tap in sender_taps(model.config.model)})
    heads = model.config.model.n_heads
    for receiver in every:
        with patched_edges(model, list(receiver.edges()), stored) as changed:
            logits, cache = run_with_cache(changed, own)
        changes = {}
        for read in receiver.reads:
            mine, whole_tensor = (read.columns(tensors[read.tap], heads) for tensors in (cache, theirs))
            torch.testing.assert_close(mine, whole_tensor)

            def whole(value, read=read):
                value = value.clone()
                read.columns(value, heads)[:] = read.columns(theirs[read.tap], heads)
                return value

            changes[read.tap] = whole
        with playground.intervene(model, changes) as changed:
            torch.testing.assert_close(changed(*own)[0], logits[0])
    everything = [edge for receiver in every for edge in receiver.edges()]
    with patched_edges(model, everything, stored) as changed:
        torch.testing.assert_close(run_with_cache(changed, own)[0][0], theirs["logits"])
    with patched_edges(model, [], stored) as changed:
        assert torch.equal(run_with_cache(changed, own)[0][0], run_with_cache(model, own)[0][0])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("metric", METRICS)
def test_integrated_gradients_of_the_embeddings_add_up_to_the_whole_change(architecture, metric):
    model = small_model(architecture, n_layers=2, activation="gelu")  # without the kink of ReLU it is soon exact
    pairs = pair(model)
    errors = []
    for steps in (1, 4, 40):
        found = last(model, pairs, "nodes", metric, integrated_steps=steps)
        total = sum(row.estimate for row in found.rows if ".embeddings.sum[" in row.part)
        errors.append(abs(total - (found.other - found.intact)))
    assert errors[2] < errors[0]
    assert errors[2] < 1e-3
    own, other = batches(model, pairs)
    assert found.intact == pytest.approx(metric_of(model, own, other, metric), abs=1e-6)
    with torch.inference_mode():
        there = float(measured(metric, model(*other)[0], own.labels, other.labels).mean())
    assert found.other == pytest.approx(there, abs=1e-6)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("of", ["heads", "nodes", "edges"])
def test_a_set_of_pairs_has_the_mean_of_its_pairs(architecture, of):
    model = small_model(architecture)
    texts = [TEXTS[0]] * 2
    one = typed_pairs(model.config, texts, OTHERS[:1]), typed_pairs(model.config, texts, OTHERS[:1] * 2)
    assert all(map(torch.equal, *one)), "one other input for all"
    together = last(model, typed_pairs(model.config, TEXTS, OTHERS), of, integrated_steps=3, exact=True)
    each_alone = (last(model, pair(model, at), of, integrated_steps=3, exact=True) for at in (0, 1))
    alone = [{row.part: row for row in found.rows} for found in each_alone]
    assert together.pairs == 2
    for row in together.rows:
        both = [each.get(row.part, Attributed(row.part, 0.0, 0.0)) for each in alone]
        assert row.estimate == pytest.approx(sum(each.estimate for each in both) / 2, abs=1e-5)
        assert row.exact == pytest.approx(sum(each.exact for each in both) / 2, abs=1e-5)


def test_progress_comes_after_each_part_and_the_estimates_come_first():
    model = small_model("encoder-only")
    steps = list(attributions(model, pair(model), "heads", exact=True))
    assert [(each.done, each.total) for each in steps] == [(done, 3) for done in range(4)]
    assert [sum(row.exact is not None for row in each.rows) for each in steps] == [0, 1, 2, 3]
    assert len({tuple(row.estimate for row in each.rows) for each in steps}) == 1
    sizes = [abs(row.exact) for row in steps[-1].ranked]
    assert sizes == sorted(sizes, reverse=True)


def test_the_correlations_are_those_of_the_textbook():
    one, other = [1.0, 2.0, 4.0, 4.0], [2.0, 1.0, 9.0, 5.0]
    assert ranks(one) == [1, 2, 3.5, 3.5]
    assert correlation(one, other) == pytest.approx(np.corrcoef(one, other)[0, 1])
    assert correlation([1.0, 1.0], [1.0, 2.0]) is None
    assert correlation([1.0], [2.0]) is None
    assert correlation([1.0, 2.0], [4.0, 3.0]) is None, "two points always lie on a line"
    model = small_model("decoder-only")
    found = last(model, pair(model), "edges", exact=True)
    estimates, exact = ([getattr(row, name) for row in found.rows] for name in ("estimate", "exact"))
    assert found.pearson == pytest.approx(statistics.correlation(estimates, exact))
    frame = found.frame()
    assert list(frame) == ["part", "estimate", "exact"]
    assert found.spearman == pytest.approx(frame.estimate.rank().corr(frame.exact.rank()))
    assert found.as_json()["parts"][0] == found.rows[0]._asdict()


def test_the_note_says_how_far_the_metric_is_saturated():
    model = small_model("encoder-only")
    assert last(model, pair(model), "heads", "probability").note.endswith("The probability is not saturated.")
    sure = copying_model()
    found = last(sure, copied_pairs(), "heads", "loss")
    assert found.probability > 0.9
    assert f"tokens is {found.probability:.3f}. The gradient of the loss is nearly 0 at these inputs" in found.note
    assert "does not saturate" in last(sure, copied_pairs(), "heads").note


@pytest.mark.parametrize("task", ["copy", "sort", "recall", "is_sorted", "addition"])
def test_held_out_pairs_have_equal_lengths_and_other_answers(task):
    config = small_config("decoder-only").updated({"task.name": task})
    pairs = held_out_pairs(config, 20)
    assert 1 <= len(pairs.source) <= 20
    for one, other in ((pairs.source, pairs.other), *[[right_answers(config, side) for side in pairs[:2]]]):
        assert torch.equal((one != PAD).sum(1), (other != PAD).sum(1))
        assert (one != other).any(1).all()
    pool = Sequences.of(config.task).held_out()
    assert {tuple(row) for side in pairs[:2] for row in side.tolist()} <= {tuple(row) for row in pool.tolist()}
    every = paired(config, pool)
    assert torch.equal(every.source, pool)
    assert torch.equal(every.other[~every.differ], pool[~every.differ])


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_the_numbers_are_those_of_a_pass_in_numpy_with_the_exported_weights():
    model = small_model("encoder-only", positions="learned")
    with np.load(io.BytesIO(pass_arrays.content(walk(model, TEXTS[0]))), allow_pickle=False) as file:
        exported = {name: file[name].astype(float) for name in file if name.startswith("parameters/")}
    p = {name.removeprefix("parameters/"): array for name, array in exported.items()}
    table = p["encoder.embeddings.token_table.weight"] * 12**0.5
    heads, layer = model.config.model.n_heads, "encoder.layers.0"

    def linear(x, name):
        return x @ p[f"{name}.weight"].T + p[f"{name}.bias"]

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * p[f"{name}.weight"] + p[f"{name}.bias"]

    def run(tokens, head=None, theirs=None, key_reads=None):
        """Logits and heads (H, S, K); with one head from another pass, or its key from another sum."""
        x = table[tokens] + p["encoder.embeddings.positions.table"][: len(tokens)]
        path, before = f"{layer}.self_attention", f"{layer}.self_attention_add_norm.norm"
        y, outputs = norm(x, before), []
        for number in range(heads):
            columns = slice(number * 4, number * 4 + 4)
            read = y if key_reads is None or number != head else norm(key_reads, before)
            query, key, value = linear(y, f"{path}.w_q"), linear(read, f"{path}.w_k"), linear(y, f"{path}.w_v")
            outputs.append(softmax(query[:, columns] @ key[:, columns].T / 2) @ value[:, columns])
        if theirs is not None:
            outputs[head] = theirs[head]
        x = x + linear(np.concatenate(outputs, axis=1), f"{path}.w_o")
        y = norm(x, f"{layer}.feed_forward_add_norm.norm")
        x = x + linear(np.maximum(0, linear(y, f"{layer}.feed_forward.w_1")), f"{layer}.feed_forward.w_2")
        return linear(norm(x, "encoder.norm"), "head"), outputs

    pairs = pair(model)
    own, other = (side[0].numpy() for side in pairs[:2])
    right, wrong = (right_answers(model.config, side)[0].numpy() for side in pairs[:2])
    asked = right != wrong

    def lead(logits):
        rows = np.arange(len(right))
        return (logits[rows, right] - logits[rows, wrong])[asked].mean()

    intact, there = run(own), run(other)
    found = last(model, pairs, "heads", exact=True)
    assert found.intact == pytest.approx(lead(intact[0]), abs=1e-5)
    for number, row in enumerate(found.rows):
        change = lead(run(own, number, there[1])[0]) - lead(intact[0])
        assert row.exact == pytest.approx(change, abs=1e-5)
        step = 1e-5
        nearly = [a + step * (b - a) for a, b in zip(intact[1], there[1], strict=True)]
        assert row.estimate == pytest.approx((lead(run(own, number, nearly)[0]) - lead(intact[0])) / step, abs=1e-4)
    found = {row.part: row for row in last(model, pairs, "edges", exact=True).rows}
    for number in range(heads):
        reads = table[other] + p["encoder.embeddings.positions.table"][: len(other)]
        change = lead(run(own, number, key_reads=reads)[0]) - lead(intact[0])
        edge = f"encoder.embeddings.sum -> {layer}.self_attention.head.{number}.key"
        assert found[edge].exact == pytest.approx(change, abs=1e-5)


@pytest.mark.parametrize(
    ("model", "why"),
    [({"norm_position": "post"}, "post-norm changes the sum"), ({"residual": False}, "it has no residual connections")],
)
def test_a_model_without_a_sum_has_no_edges_but_heads_and_nodes(model, why):
    model = small_model("decoder-only", **model)
    with pytest.raises(InterventionError, match=why):
        last(model, pair(model), "edges")
    assert last(model, pair(model), "nodes").rows
    assert last(model, pair(model), "heads").rows


def test_what_cannot_be_measured_is_refused_in_a_sentence():
    model = small_model("encoder-decoder")
    for given, more, says in (
        ((["1 2 3"], ["1 2"]), {}, "has length 3 and the other input 2"),
        ((["1 2 3"], ["1 2 3"]), {}, "The answers of the two inputs are the same"),
        ((["1 2", "1 2 3"], ["2 1", "1 2 3"]), {}, "The answers of pair 2 are the same"),
        (
            (["1 2 3"], None),
            {},
            "1 input and 0 other inputs can't be paired. Give one other input for each input, or one for all.",
        ),
        ((["1 x"], ["1 2"]), {}, "is not a symbol"),
        ((["1 2"], ["2 1"]), {"of": "neurons"}, "of can't be neurons. Use one of heads, nodes, edges."),
        ((["1 2"], ["2 1"]), {"metric": "kl"}, "metric can't be kl. Use one of logit_difference, probability, loss."),
        (
            (["1 2"], ["2 1"]),
            {"integrated_steps": -1},
            "integrated_steps can't be -1. Use a whole number from 0 to 100.",
        ),
    ):
        with pytest.raises((PlaygroundError, playground.InputError)) as error:
            playground.attribute(model, *given, **more)
        assert says in str(error.value)
    one = playground.attribute(model, TEXTS[0], OTHERS[0])
    assert one == last(model, pair(model))
    assert [row.part for row in playground.attribute(model, pairs=7, of="edges").rows] == edges(model.config.model)
