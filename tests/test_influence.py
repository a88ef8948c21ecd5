"""What each batch did: exact effects are those of a replay by hand, and estimates approach them as steps get small."""

import copy
import json
import math
from typing import Any

import pytest
import torch

import playground
from playground.common.errors import CheckpointError
from playground.interpret.counterfactual import BatchLeftOut, Original, counterfactual
from playground.interpret.influence import INPUTS, MAX_REPLAYS, Influence, Plan, Quantity, influences
from playground.interpret.interventions import InterventionError
from playground.model.head_paths import Head
from playground.model.task_model import TaskModel
from playground.runs.messages import TrainingStart
from playground.runs.metadata import RunMetadata
from playground.runs.snapshots import packed, weights
from playground.settings.config import Change, RunConfig
from playground.storage import checkpoint
from playground.tasks import InputError
from playground.tasks.batches import Sequences, make_batch
from playground.training import Training
from playground.training.roles import measure_roles
from tests.helpers import ARCHITECTURES
from tests.small_training import TINY
from tests.test_cli import done, refused, run

SHORT = TINY.updated({"training.eval_every": 12, "training.stop_when_solved": False, "model.dropout": 0.1})
HEAD = "decoder.layers.0.cross_attention.head.1"


def trained(config: RunConfig, changes: tuple[Change, ...] = ()) -> tuple[Original, TaskModel]:
    training = Training(config, None, changes)
    *_, last = training.progress()
    start = TrainingStart(RunMetadata(config=config, changes=changes))
    return Original(start, last.step, weights=weights(training.model)), training.model.eval()


def found(config: RunConfig, plan: Plan, changes: tuple[Change, ...] = ()) -> Influence:
    *_, last = influences(trained(config, changes)[0], plan)
    return last


def held_out_loss(model: TaskModel) -> float:
    source = Sequences.of(model.config.task).held_out(INPUTS)
    batches = [make_batch(model.config, group) for group in source.split(100)]
    counts = [int((batch.labels != 0).sum()) for batch in batches]
    with torch.no_grad():
        return sum(float(model(*batch)[1]) * count for batch, count in zip(batches, counts)) / sum(counts)


def without(config: RunConfig, step: int, until: int) -> TaskModel:
    """A training by hand, in which the weights and moments of one step are restored."""
    training = Training(config)
    for taken in range(1, until + 1):
        before = copy.deepcopy((training.model.state_dict(), training._optimizer.state_dict()))
        training.take_step()
        if taken == step:
            training.model.load_state_dict(before[0])
            training._optimizer.load_state_dict(before[1])
    return training.model.eval()


@pytest.mark.parametrize("after", [None, 3])
def test_an_exact_effect_is_that_of_a_training_by_hand(after):
    outcome = found(SHORT, Plan(every=4, after=after))
    assert [row.step for row in outcome.rows] == [1, 5, 9]
    assert outcome.reproduced
    assert outcome.value == pytest.approx(held_out_loss(trained(SHORT)[1]), abs=1e-7)
    for row in outcome.rows:
        until = 12 if after is None else min(12, row.step + after)
        plain = Training(SHORT)
        for _ in range(until):
            plain.take_step()
        effect = held_out_loss(without(SHORT, row.step, until)) - held_out_loss(plain.model.eval())
        assert row.effect == pytest.approx(effect, abs=2e-7)


def test_an_exact_effect_is_that_of_the_counterfactual_run():
    original = trained(SHORT)[0]
    *_, outcome = influences(original, Plan(Quantity("exact_match"), first=6, last=6))
    *_, replay = counterfactual(original, BatchLeftOut(6), sequences=INPUTS)
    wrong = {answer.source for answer in replay.answers if answer.original == answer.right}
    right = {answer.source for answer in replay.answers if answer.counterfactual == answer.right}
    assert outcome.rows[0].effect == pytest.approx((len(right) - len(wrong)) / INPUTS)
    assert outcome.rows[0].estimate is None
    assert outcome.pearson is None


def ratio(config: RunConfig, quantity: Quantity, rate: float, **plan: Any) -> float:
    """Estimate over exact effect of the first batch right after its step, which is plain gradient descent."""
    config = config.updated({"training.learning_rate": rate, "training.optimizer": "sgd"})
    ((row),) = found(config, Plan(quantity, last=1, after=0, **plan)).rows
    assert row.estimate is not None
    return row.estimate / row.effect


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("gradient_at", ["end", "step"])
def test_estimates_approach_exact_effects_as_the_learning_rate_gets_small(architecture, gradient_at):
    config = SHORT.updated({"model.architecture": architecture, "training.steps": 1})
    large, small = (ratio(config, Quantity(), rate, gradient_at=gradient_at) for rate in (0.3, 0.003))
    assert abs(small - 1) < 0.02 < abs(large - 1)


def test_a_batch_whose_step_moves_nothing_has_no_effect():
    config = SHORT.updated({"training.learning_rate": 1e-30, "training.optimizer": "sgd"})
    for row in found(config, Plan(every=3)).rows:
        assert row.effect == 0
        assert abs(row.estimate) < 1e-25


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_role_is_measured_and_has_its_gradient(architecture):
    config = SHORT.updated({"model.architecture": architecture})
    head = HEAD if architecture == "encoder-decoder" else f"{architecture[:7]}.layers.0.self_attention.head.1"
    quantity = Quantity("role", head, "first")
    outcome = found(config, Plan(quantity, every=6))
    path, _, number = head.rpartition(".head.")
    *_, (_, _, by_head) = measure_roles(trained(config)[1], INPUTS)
    (score,) = (each for each in by_head[Head(path, int(number))] if each.role == "first")
    assert outcome.value == pytest.approx(score.weight, abs=1e-6)
    assert ratio(config, quantity, 0.01, gradient_at="step") == pytest.approx(1, abs=0.05)


def test_the_loss_of_one_input_is_measured():
    outcome = found(SHORT, Plan(Quantity("input", text="3 1 2"), every=6))
    model = trained(SHORT)[1]
    with torch.no_grad():
        _, loss = model(*playground.tokens(model, "3 1 2"))
    assert outcome.value == pytest.approx(float(loss), abs=1e-6)


def test_changes_of_the_run_are_repeated():
    changes = (Change(5, {"training.learning_rate": 0.02}),)
    outcome = found(SHORT, Plan(every=4), changes)
    assert outcome.reproduced
    assert outcome.value != found(SHORT, Plan(every=4)).value


def test_a_run_is_replayed_from_a_state_before_the_first_batch():
    original, _ = trained(SHORT)
    training = Training(SHORT)
    for _ in range(4):
        training.take_step()
    start = TrainingStart(RunMetadata(config=SHORT), packed(training.state()))
    later = Original(start, original.until, weights=original.weights)
    plan = Plan(first=5, every=4)
    (*_, one), (*_, other) = influences(original, plan), influences(later, plan)
    assert one.rows == other.rows


def test_weights_that_are_not_reproduced_are_named():
    original, _ = trained(SHORT)
    other = Original(original.start, original.until, weights=weights(TaskModel(SHORT)))
    *_, outcome = influences(other, Plan(first=12))
    assert outcome.reproduced is False


def test_progress_ends_at_the_total_and_never_falls():
    steps = list(influences(trained(SHORT)[0], Plan(every=2)))
    done = [each.done for each in steps]
    assert done == sorted(done)
    assert done[-1] == steps[-1].total
    assert {each.total for each in steps} == {steps[0].total}
    assert len(steps[-1].rows) == 6


def test_the_batches_shown_are_those_of_the_training():
    config = SHORT.updated({"training.batch_size": 3})
    batches = list(playground.data(config).batches(12))
    for row in found(config, Plan(every=5)).rows:
        assert row.size == 3
        assert [*row.sequences] == playground.text(TaskModel(config), batches[row.step - 1].source)


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan(first=0), "The batches are those of steps 1 to 12; 0 to 12 are not."),
        (Plan(last=13), "The batches are those of steps 1 to 12; 1 to 13 are not."),
        (Plan(first=9, last=3), "The batches are those of steps 1 to 12; 9 to 3 are not."),
        (Plan(every=0), "The steps between two batches must be 1 or more."),
        (Plan(after=-1), "The steps from a batch to the measurement must be 0 or more."),
        (Plan(Quantity("role", "decoder.x", "own")), "There is no head 'decoder.x'. Use one of encoder"),
        (Plan(Quantity("role", HEAD, "boss")), "There is no role 'boss'. Use one of own, same"),
        (Plan(Quantity("fun")), "fun is no quantity. Use one of loss, exact_match, role, input."),
        (Plan(gradient_at="x"), "The gradient is taken at the end or at the step, not x."),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_a_sentence(plan, says):
    with pytest.raises(InterventionError) as error:
        next(influences(trained(SHORT)[0], plan))
    assert says in str(error.value)


def test_too_many_replays_are_refused_and_the_usual_number_is_small():
    with pytest.raises(InterventionError, match=r"These are 400 replays\. The limit is 300\."):
        Plan(every=1).steps(400)
    assert len(Plan().steps(100_000)) == 100
    assert len(Plan(every=1).steps(MAX_REPLAYS)) == MAX_REPLAYS
    assert Plan().steps(7) == [1, 2, 3, 4, 5, 6, 7]


def test_python_and_the_command_say_the_same_of_a_checkpoint(tmp_path):
    _, model = trained(SHORT)
    folder = tmp_path / "model"
    checkpoint.save(folder, model, [{"step": 0}, {"step": 12}])
    outcome = playground.influence(folder, "role", head=HEAD, role="first", every=4)
    assert outcome.reproduced
    assert outcome.rows == playground.influence(SHORT, "role", head=HEAD, role="first", every=4).rows
    words = ["--of", "role", "--head", HEAD, "--role", "first", "--every", 4]
    assert json.loads(done("influence", folder, *words, "--json")) == outcome.as_json()
    table = done("influence", folder, *words)
    assert "Estimates against exact effects: Pearson" in table
    assert len(outcome.frame()) == 3
    refused(folder.parent, "influence", folder, "--every", 0, "--json", says="must be 1 or more")
    refused(folder.parent, "influence", folder, "--of", "input", "--input", "x", says="is not a symbol")
    refused(folder.parent, "influence", folder, "--of", "role", says="A role needs a head. Use one of ")
    few = run("influence", folder, "--first", 2, "--last", 3, "--input", "3 1")
    assert few.stderr == "Note: --input is ignored. It needs --of input.\n"
    assert "Pearson" not in few.stdout
    assert "Estimates are compared with exact effects from 3 batches on." in few.stdout


def test_a_checkpoint_that_began_elsewhere_or_has_no_history_is_refused(tmp_path):
    _, model = trained(SHORT)
    checkpoint.save(tmp_path / "one", model, [{"step": 0}, {"step": 12}], begun_from="other")
    checkpoint.save(tmp_path / "two", model, [])
    with pytest.raises(CheckpointError, match="began with the weights of other"):
        playground.influence(tmp_path / "one")
    with pytest.raises(CheckpointError, match="has no history"):
        playground.influence(tmp_path / "two")
    with pytest.raises(InputError):
        playground.influence(SHORT, "input", text="")


def test_ranks_are_by_size_in_either_direction():
    outcome = found(SHORT, Plan())
    sizes = [abs(row.effect) for row in outcome.ranked]
    assert sizes == sorted(sizes, reverse=True)
    assert all(math.isfinite(size) for size in sizes)
