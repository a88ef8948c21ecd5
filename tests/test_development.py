"""Development of a model: closed forms of what is measured, transitions of curves made by hand, replays bit for bit."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

import playground
from playground.decoding import generate_text
from playground.interpret import development, transitions
from playground.interpret.development import (
    Development,
    answer_grid,
    circuit_values,
    develop,
    effective_rank,
    power_by_frequency,
    scores_on,
    state_of,
    training_inputs,
)
from playground.interpret.interventions import InterventionError
from playground.interpret.run_weights import RunWeights, models_at
from playground.interpret.transitions import Transition, rise
from playground.model.head_paths import Head, heads
from playground.model.task_model import TaskModel
from playground.runs.messages import TrainingStart
from playground.runs.metadata import RunMetadata
from playground.runs.snapshots import packed, weights
from playground.tasks.batches import Sequences
from playground.training import Training, train
from playground.training.evaluation import evaluate_all
from playground.training.held_out import held_out_sources
from tests.helpers import ARCHITECTURES, small_model
from tests.modern_models import modern_model
from tests.small_training import TINY

MODULAR = TINY.updated({"task.name": "modular_addition", "task.vocab_size": 7, "model.architecture": "decoder-only"})


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_singular_values_are_those_of_the_whole_matrices(architecture):
    model = small_model(architecture, n_layers=2)
    width = model.config.model.d_model // model.config.model.n_heads
    for head in heads(model.config.model):
        attention, of_head = model.get_submodule(head.attention), slice(head.number * width, (head.number + 1) * width)
        qk = attention.w_q.weight[of_head].T @ attention.w_k.weight[of_head]
        ov = attention.w_o.weight[:, of_head] @ attention.w_v.weight[of_head]
        for matrix, found in zip((qk, ov), circuit_values(model, head), strict=True):
            expected = torch.linalg.svdvals(matrix.double().detach())
            assert len(found) == width
            torch.testing.assert_close(torch.tensor(found).double(), expected[:width], rtol=1e-5, atol=1e-8)
            assert expected[width:].max() < 1e-6


@pytest.mark.parametrize("name", ["grouped", "latent"])
def test_singular_values_of_later_attentions_are_those_of_what_a_head_computes(name):
    model = modern_model(name)
    settings = model.config.model
    for head in heads(settings):
        weights = {key: weight.detach().double().numpy() for key, weight in
                   model.get_submodule(head.attention).state_dict().items()}  # fmt: skip
        rows = slice(head.number * settings.d_head, (head.number + 1) * settings.d_head)
        if name == "latent":
            key, value = (weights[f"w_u{part}.weight"][rows] @ weights["w_dkv.weight"] for part in "kv")
        else:
            first = head.number // 3 * settings.d_head
            key, value = (weights[f"w_{part}.weight"][first : first + settings.d_head] for part in "kv")
        products = weights["w_q.weight"][rows].T @ key, weights["w_o.weight"][:, rows] @ value
        for product, found in zip(products, circuit_values(model, head), strict=True):
            expected = np.linalg.svd(product, compute_uv=False)[: settings.d_head]
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_a_made_weight_has_the_singular_values_it_was_made_of():
    model, head = small_model("encoder-only"), Head("encoder.layers.0.self_attention", 1)
    attention = model.get_submodule(head.attention)
    width = model.config.model.d_model // model.config.model.n_heads
    with torch.no_grad():
        attention.w_q.weight.zero_()
        attention.w_k.weight.zero_()
        for index, size in enumerate((3.0, 2.0)):
            attention.w_q.weight[width + index, index] = size
            attention.w_k.weight[width + index, 3 + index] = 1.0
    found, _ = circuit_values(model, head)
    assert found == pytest.approx([3.0, 2.0, *[0.0] * (width - 2)], abs=1e-12)
    assert effective_rank([2.0] * 5 + [0.0]) == pytest.approx(5)
    assert effective_rank([4.0]) == pytest.approx(1)
    assert effective_rank([0.0, 0.0]) == 0.0
    assert 1 < effective_rank(found) < 2


@pytest.mark.parametrize("count", [7, 8])
def test_a_pure_cosine_has_all_its_power_in_one_frequency_and_all_frequencies_add_up(count):
    symbols = torch.arange(count).double()
    for frequency in range(1, count // 2 + 1):
        wave = torch.stack([(2 * math.pi * frequency * symbols / count + phase).cos() for phase in (0.1, 1.3)], dim=1)
        power = power_by_frequency(wave + 5.0)
        assert power.argmax() == frequency - 1
        assert power.sum() == pytest.approx(float(power.max()))
        assert power.sum() == pytest.approx(float((wave - wave.mean(0)).square().sum()))
    noise = torch.randn(count, 3, generator=torch.Generator().manual_seed(0)).double()
    assert power_by_frequency(noise).sum() == pytest.approx(float((noise - noise.mean(0)).square().sum()))


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only"])
def test_the_answer_grid_is_that_of_a_loop_over_all_pairs(architecture):
    model = TaskModel(MODULAR.updated({"model.architecture": architecture}))
    *_, progress = train(model.config, model)
    grid = answer_grid(model.eval())
    assert grid.right.shape == grid.probability.shape == (7, 7)
    for a in range(7):
        for b in range(7):
            assert grid.right[a, b] == (generate_text(model, f"{a} {b}") == str((a + b) % 7)), (a, b)
            token = playground.answer(model, f"{a} {b}")
            assert grid.right[a, b] <= (token == str((a + b) % 7))
    assert ((grid.probability >= 0) & (grid.probability <= 1)).all()
    assert (grid.probability[grid.right] > 1 / 11).all()
    state = state_of(progress.step, model, 50)
    np.testing.assert_array_equal(state.grid.right, grid.right)
    table = model.get_parameter("decoder.embeddings.token_table.weight")[-7:]
    assert state.spectrum == pytest.approx(power_by_frequency(table.detach()).tolist())
    assert state.peak_share == pytest.approx(1)  # seven symbols have three frequencies


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("causal_mask", [True, False])
def test_scores_are_those_of_an_evaluation_and_roles_those_of_the_python_function(architecture, causal_mask):
    model = small_model(architecture, causal_mask=causal_mask or architecture == "encoder-only")
    state = state_of(3, model, 120)
    expected = evaluate_all((model, source, None) for source in held_out_sources(model.config, 120))
    assert state.held_out == pytest.approx((expected.exact_match, expected.loss))
    of_roles = playground.roles(model, 120)
    for head in heads(model.config.model):
        assert state.heads[head].roles == of_roles.scores[head.path]
    inputs = training_inputs(model.config, 120)
    assert not Sequences.of(model.config.task).is_held_out(inputs).any()
    assert state.training == scores_on(model, inputs)
    assert state.spectrum == ()
    assert state.grid is None


def test_models_in_training_are_measured_and_tabulated():
    model = TaskModel(TINY)
    steps = ((progress.step, model) for progress in train(TINY, model) if progress.step % 4 == 0)
    found = playground.development(steps, 60)
    frame = found.frame()
    assert list(frame.index) == found.steps == [0, 4, 8, 12]
    last = state_of(12, model, 60)
    path = "decoder.layers.0.cross_attention.head.1"
    assert frame.loc[12, "held_out_exact_match"] == last.held_out.exact_match
    assert frame.loc[12, f"role.{path}.same"] == last.heads[Head(path.removesuffix(".head.1"), 1)].weight("same")
    assert frame.loc[12, f"rank_qk.{path}"] == effective_rank(last.heads[Head(path.removesuffix(".head.1"), 1)].qk)
    assert frame.loc[12, "weight_norm.token embedding"] == pytest.approx(last.weight_norm["token embedding"])
    assert list(playground.roles(model).frame()) == ["head", "role", "weight", "uniform", "queries", "above"]
    with pytest.raises(playground.PlaygroundError, match="no models to measure"):
        playground.development([])


def test_the_models_that_a_training_kept_are_measured():
    history = playground.fit(TINY, save_at=[0, 4, 8, 12])
    found = playground.development(history, 60)
    assert found.steps == [0, 4, 8, 12]
    assert found.states[-1] == state_of(12, history.model, 60)


# --- transitions ----------------------------------------------------------------------------------


def test_a_step_is_found_between_its_two_neighbours_and_a_slow_rise_at_half_of_the_way():
    steps = [*range(0, 1000, 50)]
    assert rise(steps, [0.1] * 8 + [0.9] * 12) == (350, 400)
    assert rise(steps, [0.1 + 0.8 * index / 19 for index in range(20)]) == (400, 450)
    assert rise(steps, [0.1] * 8 + [0.3] * 12) is None  # too little
    assert rise(steps, [0.9] * 8 + [0.1] * 12) is None  # it falls
    assert rise(steps, [0.1] * 18 + [0.9] * 2) is None  # nobody knows whether it stays
    assert rise(steps, [0.1, 0.9] * 10) is None
    assert rise([*range(40)], [0.1] * 8 + [0.9] * 7 + [0.2] + [0.9] * 24) == (7, 8)  # one step of 32 falls back
    assert rise([*range(40)], [0.1] * 8 + [0.9] * 7 + [0.2] * 2 + [0.9] * 23) is None
    assert rise([0, 1, 2], [0.1, 0.9, 0.9]) is None
    dense = [*range(0, 150, 10), 151, 152, 153, 154, *range(160, 300, 10)]  # measured again inside one interval
    assert rise(dense, [0.1] * 15 + [0.6, 0.2, 0.6, 0.2] + [0.9] * 14) == (140, 151)


@pytest.mark.parametrize("seed", range(4))
def test_noise_has_no_transition_and_hides_none(seed):
    random = np.random.default_rng(seed)
    steps = [*range(60)]
    for _ in range(200):
        assert rise(steps, random.uniform(0, 1, 60).tolist()) is None
        assert rise(steps, random.normal(0.4, 0.1, 60).tolist()) is None
        at = int(random.integers(5, 55))
        clear = np.where(np.arange(60) <= at, 0.1, 0.8) + random.normal(0, 0.06, 60)
        assert rise(steps, clear.tolist()) == (at, at + 1)


def test_grokking_is_a_rise_after_the_training_inputs_are_known():
    steps = [*range(0, 4000, 100)]
    training = [min(1.0, step / 500) for step in steps]
    held_out = [0.02 if step < 500 else 0.4 if step < 2700 else 1.0 for step in steps]
    learned, grokking = transitions.of_scores(steps, training, held_out)
    assert (learned.kind, learned.first, learned.last) == ("training", 200, 300)
    assert (grokking.kind, grokking.first, grokking.last) == ("grokking", 2600, 2700)
    assert grokking.sentence == (
        "Grokking between steps 2,600 and 2,700: held-out exact match rises from 40.0 % to 100.0 %. Training: 100.0 % "
        "at step 500."
    )
    solved = [0.02 if step < 500 else 0.45 if step < 3600 else 0.7 if step < 3800 else 1.0 for step in steps]
    *_, grokking = transitions.of_scores(steps, training, solved)  # it ends once it is solved
    assert (grokking.kind, grokking.first, grokking.last) == ("grokking", 3500, 3600)
    assert "rises from 45.0 % to 100.0 %" in grokking.sentence
    (usual,) = transitions.of_scores(steps, training, training)
    assert (usual.kind, usual.first, usual.last) == ("held_out", 200, 300)
    assert transitions.of_scores(steps, training, [0.02] * 40) == []


def test_sentences_name_heads_as_the_app_does():
    head, steps = Head("decoder.layers.1.self_attention", 3), [*range(0, 1000, 100)]
    found = transitions.of_role(head, "copied", steps, [0.1] * 3 + [0.98] * 7, 0.12)
    assert found.sentence == (
        "Head 4 of the decoder self-attention in layer 2 becomes a copying head between steps 200 and 300. Weight "
        "0.98; even attention 0.12."
    )
    found = transitions.of_role(head, "mirror", steps, [0.1] * 3 + [0.98] * 7, 0.12)
    assert "begins to attend to the mirror position n+1-t between steps 200 and 300" in found.sentence
    sharp = transitions.of_entropy(head, steps, [3.0] * 5 + [0.5] * 5)
    assert sharp.sentence == (
        "The attention of head 4 of the decoder self-attention in layer 2 becomes sharp between steps 400 and 500. "
        "Entropy from 3.00 to 0.50 bits."
    )
    assert transitions.of_entropy(head, steps, [0.0] * 10) is None
    assert transitions.of_spectrum(steps, [0.3] * 4 + [0.8] * 6, 5).first == 300


def test_a_development_lists_what_its_numbers_do():
    model = TaskModel(TINY)
    state = state_of(0, model, 40)
    head, other = heads(TINY.model)[:2]
    held = {
        "before": replace(state.heads[head], roles=tuple(replace(one, weight=0.1) for one in state.heads[head].roles)),
        "after": replace(
            state.heads[head],
            roles=tuple(
                replace(one, weight=0.99 if one.role == "previous" else 0.0) for one in state.heads[head].roles
            ),
        ),
    }
    flat = {each: replace(state.heads[each], roles=held["before"].roles, entropy=1.0) for each in heads(TINY.model)}
    states = [
        replace(state, step=10 * index, heads=flat | {head: held["before" if index < 4 else "after"]})
        for index in range(10)
    ]
    found = Development(TINY, tuple(states), 40)
    assert found.role(head) == "previous"
    assert found.role(other) == ""
    (only,) = found.transitions
    assert (only.kind, only.head, only.role, only.first, only.last) == ("role", head, "previous", 30, 40)


def test_wide_intervals_of_transitions_are_measured_again_inside():
    def between(first: int, last: int, kind="role") -> Transition:
        return Transition(kind, first, last, "")

    assert transitions.steps_between([between(100, 200)], 1000, each=4) == [120, 140, 160, 180]
    assert transitions.steps_between([between(100, 110), between(100, 200, "entropy")], 1000) == []
    many = [between(100 * index, 100 * index + 100) for index in range(20)]
    assert len(transitions.steps_between(many, 2000, most=24)) == 20
    assert transitions.steps_between([], 1000) == []


# --- runs -----------------------------------------------------------------------------------------


def recorded(config=TINY, kept=(0, 8), states=(4,)) -> tuple[RunWeights, dict[int, bytes]]:
    """A run with kept weights and states of these steps, and the weights of every step."""
    training, every, full = Training(config), {}, {}
    for progress in training.progress():
        every[progress.step] = weights(training.model)
        full[progress.step] = packed(training.state())
    start = TrainingStart(RunMetadata(config=config))
    kept_weights = {step: every[step] for step in kept}
    return RunWeights(start, training.step, kept_weights, {step: full[step] for step in states}), every


def test_a_replay_gives_the_models_of_any_step_bit_for_bit():
    run, every = recorded(TINY.updated({"model.dropout": 0.1}))
    found = {step: model for step, model in models_at(run, [11, 2, 8, 5, 0]) if model is not None}
    assert list(found) == [0, 2, 5, 8, 11]
    assert all(weights(model) == every[step] for step, model in found.items())
    assert not any(model.training for model in found.values())


def test_a_replay_that_differs_from_what_was_kept_is_refused():
    run, every = recorded()
    wrong = replace(run, weights={**run.weights, 8: every[7]})
    with pytest.raises(InterventionError, match="Replaying step 8 gave different weights"):
        list(models_at(wrong, [9]))
    with pytest.raises(InterventionError, match="No replay"):
        list(models_at(replace(run, problem="No replay."), [9]))
    assert replace(run, problem="No replay.").even_steps(5) == [0, 8]


@pytest.mark.parametrize("points", [0, 4])
def test_a_run_is_measured_at_kept_or_at_even_steps(points):
    run, every = recorded()
    *steps, (done, total, found) = develop(run, points, 40)
    assert done == total == len(found.states)
    assert [before[0] <= after[0] for before, after in pairwise(steps)] == [True] * (len(steps) - 1)
    assert found.steps == [*range(13)]  # so few steps are all measured
    assert found.replayed == len(set(found.steps) - {0, 8})
    assert found.problem == ""
    model = TaskModel(TINY).eval()
    for state in found.states:
        torch.nn.utils.vector_to_parameters(
            torch.frombuffer(bytearray(every[state.step]), dtype=torch.float32), model.parameters()
        )
        assert state == state_of(state.step, model, 40)


def test_kept_steps_are_thinned_evenly_and_a_run_that_cannot_be_replayed_says_so(monkeypatch):
    run, every = recorded(kept=range(13), states=())
    assert run.kept_steps(5) == [0, 3, 6, 9, 12]
    assert run.kept_steps(100) == [*range(13)]
    monkeypatch.setattr(transitions, "steps_between", lambda found, last: [5])
    lost = replace(run, weights={step: every[step] for step in (0, 4, 8)}, problem="Its first weights are lost.")
    *_, (_, _, found) = develop(lost, 0, 40)
    assert found.steps == [0, 4, 8]
    assert found.problem == "Its first weights are lost."
    monkeypatch.setattr(development, "FEWEST", 3)
    *_, (_, _, found) = develop(replace(lost, problem=""), 0, 40)
    assert found.steps == [0, 4, 5, 8]
    monkeypatch.setattr(development, "FEWEST", 4)
    *_, (_, _, found) = develop(replace(lost, problem=""), 0, 40)
    assert found.steps == [0, 4, 5, 8, 12]
    with pytest.raises(playground.PlaygroundError, match="lost"):
        list(develop(replace(lost, weights={}), 3, 40))
    assert development.POINTS >= 40
