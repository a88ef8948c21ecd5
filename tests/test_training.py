"""Training as a generator: the same run for the same seed, single steps, the end of a run, and a damaged state."""

import json
import math
from itertools import islice, pairwise
from typing import Any

import pytest
import torch

from playground.model.task_model import TaskModel
from playground.optimization.optimizers import OPTIMIZERS
from playground.settings.presets import PRESETS
from playground.tasks import TASKS
from playground.tasks.batches import Sequences
from playground.training import Progress, Training, TrainingError, is_solved, train
from tests.helpers import ARCHITECTURES, WAYS_TO_TRAIN, first, timeless, way
from tests.small_training import RUINOUS, SOLVABLE, TINY, records, weights, whole


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_same_seed_gives_the_same_run_and_another_seed_does_not(architecture, dropout):
    config = TINY.updated({"model.architecture": architecture, "model.dropout": dropout})
    torch.manual_seed(1)
    first = records(config)
    torch.manual_seed(2)
    assert records(config) == first
    other = records(config.updated({"seed": 1}))
    assert all(line != twin for line, twin in zip(other, first, strict=True))


def test_meddling_with_the_global_random_state_between_steps_changes_nothing():
    config = TINY.updated({"model.dropout": 0.3})
    undisturbed, model = records(config), TaskModel(config)
    found = []
    for step, progress in enumerate(train(config, model)):
        found.append({key: value for key, value in progress.record().items() if key != "seconds"})
        torch.manual_seed(step)
        torch.rand(step)
    assert found == undisturbed


def test_dropout_leaves_the_global_random_state_as_it_was_and_does_drop():
    config = TINY.updated({"model.dropout": 0.3})
    run = train(config, TaskModel(config))
    torch.manual_seed(5)
    before = torch.get_rng_state()
    losses = [progress.loss for progress in run]
    assert torch.equal(torch.get_rng_state(), before)
    assert losses[1] != list(train(config.updated({"model.dropout": 0.0})))[1].loss


def test_the_batches_depend_on_seed_task_and_batch_size_and_on_nothing_else():
    def batches(**settings: Any) -> list[Any]:
        training = Training(TINY.updated({name.replace("__", "."): value for name, value in settings.items()}))
        return [whole(training.stages())[0][0].tensors["labels"].tolist() for _ in range(3)]

    plain = batches()
    assert batches(model__d_model=32, model__dropout=0.3, model__positions="none") == plain
    assert batches(training__optimizer="sgd", training__learning_rate=1.0, training__eval_every=1) == plain
    assert plain not in (batches(seed=1), batches(task__vocab_size=5), batches(training__batch_size=9))
    assert plain[0] != plain[1]


def test_the_random_streams_of_a_run_are_apart():
    state = Training(TINY).state()
    assert not torch.equal(state["random.data"], state["random.dropout"])


def test_two_runs_taken_step_by_step_in_turn_do_not_disturb_each_other():
    configs = [TINY.updated({"model.dropout": 0.3, "seed": seed}) for seed in (0, 1)]
    alone = [[p.loss for p in train(config)] for config in configs]
    together = list(zip(*(train(config) for config in configs), strict=True))
    assert [[pair[i].loss for pair in together] for i in (0, 1)] == alone


def test_taking_the_steps_of_a_run_one_at_a_time_trains_no_further_than_asked():
    model = TaskModel(TINY)
    start = weights(model)
    run = train(TINY, model)
    assert next(run).step == 0
    assert torch.equal(weights(model), start)
    assert next(run).step == 1
    after_one = weights(model)
    assert not torch.equal(after_one, start)
    assert torch.equal(weights(model), after_one)


# --- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_each_optimizer_lowers_the_loss(optimizer):
    peak = {"sgd": 0.1}.get(optimizer, 5e-3)
    config = TINY.updated(
        {
            "training.optimizer": optimizer,
            "training.learning_rate": peak,
            "training.steps": 80,
            "training.eval_every": 80,
            "training.batch_size": 32,
        }
    )
    first, *_, last = train(config)
    assert last.evaluation.loss < 0.6 * first.evaluation.loss


@pytest.mark.parametrize("optimizer", ["adamw", "adam"])
def test_the_first_step_of_adam_moves_no_weight_by_more_than_the_rate(optimizer):
    config = TINY.updated({"training.optimizer": optimizer, "training.learning_rate": 0.01})
    model = TaskModel(config)
    start = weights(model)
    list(islice(train(config, model), 2))
    moved = (weights(model) - start).abs()
    assert moved.max() <= 0.01 * (1 + 1e-3)
    assert moved.max() > 0.009


def test_the_first_step_of_sgd_is_the_rate_times_the_clipped_gradient():
    clipped_to, peak = 0.05, 0.5
    config = TINY.updated(
        {"training.optimizer": "sgd", "training.learning_rate": peak, "training.clip_grad_norm": clipped_to}
    )
    model = TaskModel(config)
    start = weights(model)
    _, step = islice(train(config, model), 2)
    assert step.gradient_norm > clipped_to
    assert (weights(model) - start).norm().item() == pytest.approx(peak * clipped_to, rel=1e-3)

    free = config.updated({"training.clip_grad_norm": 1000.0})
    model = TaskModel(free)
    _, step = islice(train(free, model), 2)
    assert (weights(model) - start).norm().item() == pytest.approx(peak * step.gradient_norm, rel=1e-3)


def test_the_gradient_norm_is_reported_where_there_is_clipping():
    assert all("gradient_norm" not in line for line in records(TINY))
    lines = records(TINY.updated({"training.clip_grad_norm": 0.1}))
    assert "gradient_norm" not in lines[0]
    assert all(line["gradient_norm"] > 0.1 for line in lines[1:])


def test_the_gradient_norm_is_measured_on_request_and_nothing_else_changes():
    silent, (clipped, *_) = records(TINY), records(TINY.updated({"training.clip_grad_norm": 1000.0}))[1:]
    training = Training(TINY)
    training.measure_gradient_norm = True
    found = timeless([progress.record() for progress in training.progress()])
    assert found[1]["gradient_norm"] == clipped["gradient_norm"]
    assert [{k: v for k, v in line.items() if k != "gradient_norm"} for line in found] == silent


def test_weight_decay_of_adamw_shrinks_what_has_no_gradient():
    """Without a source position beyond the longest input, the last row of that table is never read."""
    config = TINY.updated({"training.weight_decay": 0.5, "training.learning_rate": 0.01})
    model = TaskModel(config)
    unused = model.encoder.embeddings.positions.table_from_end
    start = unused[-1].detach().clone()
    list(islice(train(config, model), 4))
    torch.testing.assert_close(unused[-1].detach(), start * (1 - 0.01 * 0.5) ** 3)


def test_label_smoothing_is_part_of_the_training_loss_and_not_of_the_tested_one():
    smooth = TINY.updated({"training.label_smoothing": 0.5})
    (untrained, first), (same, plain) = islice(train(smooth), 2), islice(train(TINY), 2)
    assert untrained.evaluation.loss == same.evaluation.loss
    assert first.loss != plain.loss


# --- the end of a run -----------------------------------------------------------------------------


def test_a_run_takes_the_asked_steps_and_tests_as_often_as_asked():
    progress = list(train(TINY.updated({"training.stop_when_solved": False, "training.eval_every": 5})))
    assert [p.step for p in progress] == list(range(13))
    assert [p.step for p in progress if p.evaluation] == [0, 5, 10, 12]
    assert all(later.seconds > earlier.seconds for earlier, later in pairwise(progress))


def test_a_run_stops_when_solved_and_goes_on_where_that_is_switched_off():
    progress = list(train(SOLVABLE))
    assert [p.solved for p in progress] == [False] * (len(progress) - 1) + [True]
    assert progress[-1].step < 250
    assert is_solved(progress[-1].evaluation, Sequences.of(SOLVABLE.task).held_out())

    endless = SOLVABLE.updated({"training.stop_when_solved": False, "training.steps": progress[-1].step + 15})
    going_on = list(train(endless))
    assert going_on[-1].step == endless.training.steps
    assert next(p.step for p in going_on if p.solved) == progress[-1].step
    assert going_on[-1].solved


@pytest.mark.parametrize(
    "task", [name for name, task in TASKS.items() if task.preset and task.preset.usual_steps <= 100]
)
def test_a_quick_preset_is_solved_within_400_steps(task):
    # Seed 0 alone: the benchmark takes five seeds and says how long each took.
    *_, last = train(PRESETS[TASKS[task].preset.name].config)
    assert last.solved
    assert last.step < 400
    assert last.evaluation.exact_match >= 0.999
    assert last.evaluation.sequences == 1000


def test_a_loss_that_is_not_finite_ends_the_run_with_step_and_advice():
    steps = []
    with pytest.raises(TrainingError) as caught:
        steps.extend(progress.step for progress in train(RUINOUS))
    sentence = str(caught.value)
    assert f"at step {len(steps)}," in sentence
    assert "learning rate below 10" in sentence
    assert sentence.endswith(".")
    assert sentence.count(". ") == 1


def test_a_run_whose_last_step_ruins_the_model_does_not_end_as_if_all_were_well():
    taken: list[Progress] = []
    with pytest.raises(TrainingError):
        taken.extend(train(RUINOUS))
    last = taken[-1].step  # the step after it meets a loss that is not finite
    with pytest.raises(TrainingError):
        list(train(RUINOUS.updated({"training.steps": last})))


@pytest.mark.parametrize("eval_every", [1, 5])
def test_no_record_of_a_ruined_run_holds_a_number_that_json_has_not(eval_every):
    run = train(RUINOUS.updated({"training.eval_every": eval_every}))
    with pytest.raises(TrainingError):
        [json.dumps(progress.record(), allow_nan=False) for progress in run]


def test_the_weight_norm_of_each_part_is_that_of_its_weights():
    model = TaskModel(TINY)
    progress = next(train(TINY, model))
    norms = progress.record()["weight_norm"]
    assert math.hypot(*norms.values()) == pytest.approx(float(weights(model).norm()))
    output = torch.cat([weight.detach().flatten() for weight in model.head.parameters()])
    assert norms["output layer"] == pytest.approx(float(output.norm()))


# --- suspended and continued -----------------------------------------------------------------------


@pytest.mark.parametrize("changes", WAYS_TO_TRAIN, ids=way)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("at", first(1, [7, 0, 1]))
def test_a_training_goes_on_elsewhere_bit_for_bit(architecture, changes, at):
    config = TINY.updated(changes | {"model.architecture": architecture, "training.eval_every": 4})
    first = Training(config)
    before = [progress.record() for progress in islice(first.progress(), at + 1)]
    state = {name: tensor.clone() for name, tensor in first.state().items()}
    for _ in first.progress():
        pass  # what goes on here changes nothing in what was taken
    second = Training(config)
    second.go_on_from(state)
    assert second.step == at
    assert second.seconds == before[-1]["seconds"]
    after = [p.record() for p in second.progress()][at == 0 :]  # before the first step all is shown again
    assert timeless(before + after) == records(config)
    assert torch.equal(weights(first.model), weights(second.model))


@pytest.mark.parametrize("name", ["progress", "random.data", "random.dropout", "model", "optimizer.exp_avg."])
@pytest.mark.parametrize("how", ["missing", "shape", "not finite", "kind"])
def test_a_damaged_state_is_refused(name, how):
    training = Training(TINY)
    for _ in islice(training.progress(), 3):
        pass
    state = training.state()
    name = next(key for key in state if key.startswith(name))
    if how == "missing":
        del state[name]
    elif how == "shape":
        state[name] = state[name].flatten()[:-1]
    elif how == "kind":
        state[name] = state[name].to(torch.int32)
    elif state[name].is_floating_point():
        state[name].view(-1)[0] = torch.nan
    else:
        return
    with pytest.raises(TrainingError, match="damaged"):
        Training(TINY).go_on_from(state)
