"""Ablation: scores with and without a part, compared with models that were changed by hand."""

import copy
import math
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from playground.common.numbers import wilson
from playground.decoding import generate_text, greedy
from playground.interpret import ablation
from playground.interpret.ablation import ablate_each, compare, score
from playground.interpret.interventions import Intervention, InterventionError, changed_model, parse
from playground.interpret.sites import named, stream
from playground.model.task_model import TaskModel
from playground.model.transformer import Encoder
from playground.settings.config import RunConfig
from playground.tasks import EOS, PAD, InputError
from playground.tasks.batches import Sequences, right_answers
from playground.training import evaluate, train
from tests.helpers import ARCHITECTURES, small_config, small_model
from tests.small_training import SOLVABLE


@pytest.fixture(scope="module")
def half_trained() -> dict[str, TaskModel]:
    """Models that answer some inputs right and some wrong."""
    models = {}
    for architecture in ARCHITECTURES:
        config = SOLVABLE.updated({"model.architecture": architecture, "training.eval_every": 2, "task.max_length": 5})
        models[architecture] = TaskModel(config)
        for progress in train(config, models[architecture]):
            if progress.evaluation and 0.3 < progress.evaluation.exact_match < 1:
                break
        models[architecture].eval()
    return models


def hits_of(model: TaskModel, row: torch.Tensor) -> tuple[int, int]:
    """How many tokens of the answer to one input are right, free-running, and how many there are."""
    wanted = right_answers(model.config, row[None])[0].tolist()
    wanted += [EOS] * (model.config.model.architecture != "encoder-only")
    found = greedy(model, row[None])[0].tolist()
    found = (found + [PAD] * len(wanted))[: len(wanted)]
    return sum(a == b for a, b in zip(found, wanted, strict=True)), len(wanted)


def one_by_one(model: TaskModel, sequences: int) -> tuple[float, float]:
    """Exact match and token accuracy, one input at a time without padding."""
    found = [hits_of(model, row[row != PAD]) for row in Sequences.of(model.config.task).held_out(sequences)]
    hits, scored = map(sum, zip(*found, strict=True))
    return sum(right == tokens for right, tokens in found) / len(found), hits / scored


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_scores_are_those_of_a_model_changed_by_hand(architecture, half_trained):
    model = half_trained[architecture]
    head = named(model.config, "head")[1]
    by_hand = copy.deepcopy(model)
    width = model.config.model.d_head
    by_hand.get_parameter(f"{head.name.rpartition('.head.')[0]}.w_o.weight").data[:, width : 2 * width] = 0
    found = score(model, [Intervention(head.name)], sequences=90)
    exact, tokens = one_by_one(by_hand, 90)
    assert found.exact_match == pytest.approx(exact)
    assert found.token_accuracy == pytest.approx(tokens)
    assert found.sequences == 90
    assert found.loss == pytest.approx(score(by_hand, sequences=90).loss, rel=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_without_changes_the_score_is_that_of_the_evaluation(architecture, half_trained):
    model = half_trained[architecture]
    held_out = Sequences.of(model.config.task).held_out()
    found, evaluation = score(model), evaluate(model, held_out, thorough=True)
    assert evaluation.sequences == found.sequences == len(held_out)
    assert found.exact_match == pytest.approx(evaluation.exact_match)
    assert found.token_accuracy == pytest.approx(evaluation.token_accuracy)
    assert found.loss == pytest.approx(evaluation.loss, rel=1e-5)
    assert 0 < found.exact_match < 1


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_patch_on_held_out_inputs_comes_from_the_next_one_of_the_same_length(architecture, half_trained):
    model = half_trained[architecture]
    for changes in (
        [Intervention(named(model.config, "sublayer")[0].name, "patch")],
        [Intervention(site.name, "patch") for site in named(model.config, "head")],
        [Intervention(stream(model.config)[-1], "patch", (1,))],
    ):
        found = score(model, changes, sequences=24)
        rows = [row[row != PAD] for row in Sequences.of(model.config.task).held_out(24)]
        exact = right = scored = 0
        for row in rows:
            same = [each for each in rows if len(each) == len(row)]
            at = next(index for index, each in enumerate(same) if torch.equal(each, row))
            with changed_model(model, changes, other=same[(at + 1) % len(same)][None]) as changed:
                hits, tokens = hits_of(changed, row)
            exact, right, scored = exact + (hits == tokens), right + hits, scored + tokens
        assert found.exact_match == pytest.approx(exact / 24)
        assert found.token_accuracy == pytest.approx(right / scored)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("kind", ["head", "sublayer"])
@pytest.mark.parametrize("operation", ["zero", "mean"])
def test_each_part_in_turn_is_ranked_with_the_most_important_first(half_trained, kind, operation, architecture):
    model = half_trained[architecture]
    found = list(ablate_each(model, kind, operation, sequences=60))
    sites = named(model.config, kind)
    assert [ranking.done for ranking in found] == list(range(len(sites) + 1))
    assert {ranking.total for ranking in found} == {len(sites)}
    last = found[-1]
    assert {part.off for part in last.parts} == {site.name for site in sites}
    assert last.intact == score(model, sequences=60)
    for part in last.parts:
        assert part.scores == score(model, [parse(part.off, model.config, operation)], sequences=60)
    for more, less in pairwise(part.scores for part in last.parts):
        assert (more.exact_match, more.token_accuracy, -more.loss) <= (
            less.exact_match,
            less.token_accuracy,
            -less.loss,
        )
    assert last.parts[0].scores.exact_match < last.parts[-1].scores.exact_match


def test_the_encoder_runs_again_only_where_it_is_changed(monkeypatch, half_trained):
    model, calls, real = half_trained["encoder-decoder"], list[str](), Encoder.forward
    monkeypatch.setattr(Encoder, "forward", lambda *given: calls.append("") or real(*given))
    rankings = ablate_each(model, "sublayer", sequences=20)
    seen = [(len(calls), {part.off for part in ranking.parts}) for ranking in rankings]
    for (before, some), (after, more) in pairwise(seen):
        (off,) = more - some
        assert (after > before) == off.startswith("encoder.")


def test_the_means_are_computed_once_for_all_parts(monkeypatch, half_trained):
    asked, real = [], ablation.means
    monkeypatch.setattr(ablation, "means", lambda *given: asked.append(given) or real(*given))
    monkeypatch.setattr("playground.interpret.interventions.means", None)
    list(ablate_each(half_trained["decoder-only"], "head", "mean", sequences=20))
    assert len(asked) == 1


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_one_input_is_compared_with_its_answer_by_the_changed_model(architecture, half_trained):
    model = half_trained[architecture]
    changes = [Intervention(named(model.config, "sublayer")[0].name)]
    found = compare(model, "1 0 3 2", changes)
    assert found.right == "1 0 3 2"
    assert found.other is None
    with changed_model(model, changes) as changed:
        for answer, by in ((found.intact, model), (found.changed, changed)):
            assert answer.text == generate_text(by, "1 0 3 2")
            assert answer.right == (answer.text == found.right)
            assert answer.probabilities.shape == (len(answer.tokens), model.config.vocabulary_size)
            torch.testing.assert_close(answer.probabilities.sum(1), torch.ones(len(answer.tokens)))
            assert [token for token in answer.tokens if token not in ("EOS", "PAD")] == answer.text.split()
            right = [int(name) + 4 for name in found.right.split()] + [2] * (architecture != "encoder-only")
            if answer.right:  # then it has read the right tokens
                likely = answer.probabilities[range(len(right)), right]
                assert answer.loss == pytest.approx(float(-likely.log().mean()), rel=1e-4)
    assert found.changed.loss > found.intact.loss


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_input_patched_with_everything_of_another_gets_its_answer(architecture, half_trained):
    model = half_trained[architecture]
    everything = [Intervention(name, "patch") for name in stream(model.config)]
    found = compare(model, "1 0 3 2", everything, other="3 3 0 1")
    assert found.other is not None
    assert found.changed.tokens == found.other.tokens
    torch.testing.assert_close(found.changed.probabilities, found.other.probabilities)
    assert found.intact.text != found.changed.text
    with pytest.raises(InterventionError, match=r"has length 4 and the other input 3\. A patch needs equal"):
        compare(model, "1 0 3 2", everything, other="3 3 0")
    with pytest.raises(InterventionError, match="A patch needs another input"):
        compare(model, "1 0 3 2", everything)
    with pytest.raises(InputError, match="9"):
        compare(model, "9", [])


def test_numbers_that_overflow_are_refused_in_a_sentence():
    model = small_model("encoder-only", layer_norm=False)
    changes = [Intervention(name, "scale", (), 1e6) for name in ["logits", "head.weight"] * 8]
    for ask in (lambda: score(model, changes, sequences=10), lambda: compare(model, "1 2", changes)):
        with pytest.raises(InterventionError, match=r"the loss is not finite\. Use smaller numbers"):
            ask()


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_solves_wilson_s_equation(counts):
    right, count = counts
    low, high = wilson(right / count, count)
    assert 0 <= low <= right / count <= high <= 1
    for bound in (low, high):
        if 1e-9 < bound < 1 - 1e-9:  # |p - bound| is z standard errors at the bound
            error = math.sqrt(bound * (1 - bound) / count)
            assert abs(right / count - bound) == pytest.approx(1.959964 * error, rel=1e-6)


def test_more_inputs_than_there_are_held_out_are_all_there_are():
    config: RunConfig = small_config("encoder-only").updated({"task.vocab_size": 2, "task.max_length": 3})
    assert score(TaskModel(config)).sequences == len(Sequences.of(config.task).held_out()) < 10
