"""Training as a generator: rates in closed form, the same run for the same seed, honest evaluations."""

import json
import math
from collections.abc import Generator
from itertools import islice, pairwise
from typing import Any, get_args

import pytest
import torch

from playground.batches import Sequences
from playground.config import Change, ConfigError, Optimizer, RunConfig, Schedule, TrainingConfig
from playground.estimate import quick_test
from playground.recording import taps as taps_of
from playground.task_model import TaskModel
from playground.tasks import BOS, EOS, PAD, SEP, TASKS
from playground.training import (
    Evaluation,
    Progress,
    Training,
    TrainingError,
    evaluate,
    examples,
    is_solved,
    learning_rate,
    train,
)
from playground.training.optimizers import OPTIMIZERS
from playground.training.schedules import SCHEDULES
from playground.training.stages import Stage, Stages, watched
from tests.helpers import ARCHITECTURES, WAYS_TO_TRAIN, WITH_DECODER, timeless, way

TINY = RunConfig().updated(
    {
        "task.name": "copy",
        "task.vocab_size": 4,
        "task.max_length": 4,
        "model.d_model": 16,
        "model.n_heads": 2,
        "model.d_ff": 16,
        "training.steps": 12,
        "training.batch_size": 8,
    }
)


def records(config: RunConfig) -> list[dict[str, Any]]:
    """The history of a run without its times."""
    return timeless([progress.record() for progress in train(config)])


def weights(model: TaskModel) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])


# --- learning rate --------------------------------------------------------------------------------


def rate(step: int, **settings: Any) -> float:
    return learning_rate(TrainingConfig(learning_rate=0.2, steps=100, **settings), step)


def test_schedules_and_optimizers_are_those_that_settings_may_name():
    assert set(SCHEDULES) == set(get_args(Schedule))
    assert set(OPTIMIZERS) == set(get_args(Optimizer))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_every_schedule_climbs_in_a_straight_line_to_its_peak(schedule):
    for step in range(1, 21):
        assert rate(step, schedule=schedule, warmup_steps=20) == pytest.approx(0.2 * step / 20)
    rates = [rate(step, schedule=schedule, warmup_steps=20) for step in range(1, 101)]
    assert max(rates) == rates[19] == pytest.approx(0.2)
    assert all(later <= earlier for earlier, later in pairwise(rates[19:]))


def test_what_follows_the_peak_is_the_schedules_formula():
    assert rate(1, schedule="constant") == rate(100, schedule="constant") == 0.2
    assert rate(1, schedule="cosine") == 0.2
    assert rate(51, schedule="cosine") == pytest.approx(0.1)
    assert rate(26, schedule="cosine") == pytest.approx(0.1 * (1 + math.cos(math.pi / 4)))
    assert rate(100, schedule="cosine", warmup_steps=20) == pytest.approx(0.1 * (1 - math.cos(math.pi / 81)))
    assert rate(39, schedule="cosine", warmup_steps=19) == pytest.approx(0.1 * (1 + math.cos(math.pi * 20 / 82)))
    assert rate(50, schedule="exponential") == pytest.approx(0.02)
    assert rate(100, schedule="exponential", warmup_steps=20) == pytest.approx(0.002)


def test_noam_is_the_papers_equation_scaled_to_its_peak():
    d_model, warmup = 512, 20

    def paper(step: int) -> float:
        return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)

    for step in (1, 10, 20, 21, 50, 100):
        assert rate(step, schedule="noam", warmup_steps=warmup) == pytest.approx(0.2 * paper(step) / paper(warmup))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_every_step_of_every_schedule_learns(schedule, steps):
    for warmup in range(schedule == "noam", steps + 1):
        settings = TrainingConfig(learning_rate=0.2, steps=steps, warmup_steps=warmup, schedule=schedule)
        assert all(0 < learning_rate(settings, step) <= 0.2 for step in range(1, steps + 1))


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_run_that_is_all_warm_up_ends_at_the_peak(schedule):
    settings = TrainingConfig(learning_rate=0.2, steps=7, warmup_steps=7, schedule=schedule)
    assert learning_rate(settings, 7) == pytest.approx(0.2)


def test_the_rate_that_is_reported_is_the_scheduled_one():
    config = TINY.updated({"training.schedule": "noam", "training.warmup_steps": 5})
    assert [p.learning_rate for p in train(config)] == [
        None,
        *(learning_rate(config.training, step) for step in range(1, 13)),
    ]


# --- the same run for the same seed ---------------------------------------------------------------


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


@pytest.mark.parametrize(("optimizer", "peak"), [("adamw", 5e-3), ("adam", 5e-3), ("sgd", 0.1)])
def test_each_optimizer_lowers_the_loss(optimizer, peak):
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


SOLVABLE = TINY.updated(
    {"model.d_model": 32, "model.d_ff": 64, "training.steps": 250, "training.batch_size": 32, "training.eval_every": 10}
)


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
def test_the_default_run_is_solved_within_400_steps(task):
    # Seed 0 alone: the benchmark takes five seeds and says how long each took.
    *_, last = train(RunConfig().updated({"task.name": task, "training.steps": 400}))
    assert last.solved
    assert last.step < 400
    assert last.evaluation.exact_match >= 0.999
    assert last.evaluation.sequences == 1000


RUINOUS = TINY.updated(
    {"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False, "training.steps": 50}
)


def test_a_loss_that_is_not_finite_ends_the_run_with_step_and_advice_in_one_sentence():
    steps = []
    with pytest.raises(TrainingError) as caught:
        steps.extend(progress.step for progress in train(RUINOUS))
    sentence = str(caught.value)
    assert f"at step {len(steps)}," in sentence
    assert "learning_rate below 10" in sentence
    assert sentence.endswith(".")
    assert sentence.count(". ") == 0


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


# --- evaluation -----------------------------------------------------------------------------------


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_training_never_reads_a_held_out_sequence_and_testing_reads_nothing_else(architecture):
    config = TINY.updated({"model.architecture": architecture})
    model = TaskModel(config)
    sequences = Sequences.of(config.task)
    read: dict[bool, list[torch.Tensor]] = {True: [], False: []}

    def watch(_module: object, args: tuple[torch.Tensor | None, ...]) -> None:
        source = args[0]
        if source is None:  # decoder-only: what stands before SEP
            source = args[1].masked_fill((args[1] == SEP).cumsum(1) > 0, PAD)
        read[model.training].append(source)

    model.register_forward_pre_hook(watch)
    list(train(config, model))
    assert len(read[True]) == 12
    assert len(read[False]) >= 4
    assert not any(sequences.is_held_out(source).any() for source in read[True])
    assert all(sequences.is_held_out(source).all() for source in read[False])


def test_most_of_the_held_out_sequences_are_tested_only_once_the_first_ones_are_right():
    config = RunConfig()
    held_out = Sequences.of(config.task).held_out()
    model = TaskModel(config)
    quick, thorough = evaluate(model, held_out), evaluate(model, held_out, thorough=True)
    assert (quick.sequences, thorough.sequences) == (32, 1000)
    assert not model.training
    perfect = Evaluation(100, 0.0, 1.0, 1.0, None, None, (), {}, ())
    assert not is_solved(perfect, held_out)  # a hundred right are no thousand right
    assert is_solved(perfect, held_out[:100])
    assert not is_solved(Evaluation(1000, 0.0, 0.998, 1.0, None, None, (), {}, ()), held_out)
    assert is_solved(Evaluation(1000, 0.0, 0.999, 1.0, None, None, (), {}, ()), held_out)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_scores_are_what_the_shown_examples_add_up_to(architecture):
    config = SOLVABLE.updated({"model.architecture": architecture, "training.eval_every": 2})
    model = TaskModel(config)
    next(line for line in map(Progress.record, train(config, model)) if line.get("token_accuracy", 0) > 0.5)
    held_out = Sequences.of(config.task).held_out()[::4][:8]
    evaluation = evaluate(model, held_out)
    assert [list(e.source) for e in evaluation.examples] == [[t for t in row if t] for row in held_out.tolist()]
    end = () if architecture == "encoder-only" else (EOS,)
    assert all(example.answer == example.source + end for example in evaluation.examples)  # the copy task
    exact = [example.prediction == example.answer for example in evaluation.examples]
    assert evaluation.exact_match == pytest.approx(sum(exact) / 8)
    places = [
        place < len(example.prediction) and example.prediction[place] == token
        for example in evaluation.examples
        for place, token in enumerate(example.answer)
    ]
    assert evaluation.token_accuracy == pytest.approx(sum(places) / len(places))
    assert 0 < sum(places) < len(places)
    assert len({len(example.source) for example in evaluation.examples}) > 1
    by_place = [[] for _ in range(config.task.max_length + len(end))]
    for example in evaluation.examples:
        for place, token in enumerate(example.answer):
            by_place[place].append((*example.prediction, *[None] * 9)[place] == token)
    assert evaluation.position_accuracy == tuple(sum(right) / len(right) if right else None for right in by_place)
    with_all = evaluate(model, Sequences.of(config.task).held_out())
    record = json.loads(json.dumps(Progress(0, None, None, None, 0.0, with_all).record()))
    assert examples(config, record["predictions"]) == with_all.examples


def test_a_place_that_no_tested_answer_has_has_no_accuracy():
    held_out = Sequences.of(TINY.task).held_out()
    short = held_out[(held_out != PAD).sum(1) <= 2]
    accuracy = evaluate(TaskModel(TINY), short).position_accuracy
    assert [place is None for place in accuracy] == [False, False, False, True, True]  # EOS is a token


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_entropy_of_even_attention_is_the_logarithm_of_the_number_of_keys(architecture):
    config = TINY.updated({"model.architecture": architecture, "model.n_layers": 2})
    model = TaskModel(config)
    for name, parameter in model.named_parameters():
        if ".w_q." in name:
            torch.nn.init.zeros_(parameter)  # all scores are zero
    held_out = Sequences.of(config.task).held_out()
    held_out = held_out[torch.randperm(len(held_out), generator=torch.Generator().manual_seed(0))]
    lengths = [int(length) for length in (held_out != PAD).sum(1)[:32]]  # of more than there are
    assert len(held_out) > 32
    assert len(set(lengths)) > 1

    def mean(rows: list[list[int]]) -> float:
        """Of the logarithms of how many keys each query sees, by sequence."""
        return sum(math.log2(keys) for row in rows for keys in row) / sum(len(row) for row in rows)

    in_decoder = [2 * n + 1 if architecture == "decoder-only" else n + 1 for n in lengths]
    expected = {
        "encoder": mean([[n] * n for n in lengths]),
        "decoder": mean([[*range(1, n + 1)] for n in in_decoder]),
        "cross": mean([[n] * (n + 1) for n in lengths]),
    }
    entropy = evaluate(model, held_out).attention_entropy
    assert len(entropy) == (6 if architecture == "encoder-decoder" else 2)
    for name, heads in entropy.items():
        kind = "cross" if "cross" in name else name.partition(".")[0]
        assert heads == pytest.approx([expected[kind]] * 2, rel=1e-5), name
    assert not any(module._forward_hooks for module in model.modules())


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_teacher_forced_figures_stand_beside_the_free_running_ones_where_they_can_differ(architecture):
    *_, masked = train(SOLVABLE.updated({"model.architecture": architecture, "training.steps": 30}))
    assert masked.evaluation.teacher_forced_exact_match is None  # the same, provably
    assert masked.evaluation.teacher_forced_token_accuracy is not None
    assert "teacher_forced_exact_match" not in masked.record()
    assert "teacher_forced_token_accuracy" in masked.record()


@pytest.mark.parametrize("architecture", WITH_DECODER)
def test_without_a_causal_mask_the_model_reads_the_answer_and_only_teacher_forcing_looks_good(architecture):
    config = SOLVABLE.updated(
        {
            "model.architecture": architecture,
            "model.causal_mask": False,
            "training.steps": 60,
            "training.eval_every": 60,
        }
    )
    *_, last = train(config)
    record = last.record()
    assert record["teacher_forced_exact_match"] > record["exact_match"] + 0.2
    assert record["teacher_forced_token_accuracy"] > record["token_accuracy"] + 0.2
    assert not last.solved


def test_encoder_only_has_no_teacher_to_force_it():
    for line in records(TINY.updated({"model.architecture": "encoder-only"})):
        assert not [key for key in line if key.startswith("teacher_forced")]


def test_a_record_is_json_without_what_was_not_measured():
    lines = [json.loads(json.dumps(p.record())) for p in train(TINY)]
    assert set(lines[0]) == {
        "step",
        "seconds",
        "sequences",
        "validation_loss",
        "exact_match",
        "token_accuracy",
        "teacher_forced_token_accuracy",
        "position_accuracy",
        "attention_entropy",
        "predictions",
    }
    assert set(lines[1]) == {"step", "seconds", "loss", "learning_rate"}
    assert set(lines[5]) == set(lines[0]) | set(lines[1])


# --- changed on the way ---------------------------------------------------------------------------

CHANGES = (
    Change(step=3, settings={"model.dropout": 0.4}),
    Change(step=5, settings={"training.learning_rate": 0.03, "training.batch_size": 5}),
    Change(step=8, settings={"model.dropout": 0.0, "training.steps": 15}),
)
UNEVEN = TINY.updated({"training.schedule": "cosine", "training.eval_every": 4, "training.stop_when_solved": False})


def changed(config: RunConfig, changes: tuple[Change, ...]) -> list[dict[str, Any]]:
    return timeless([progress.record() for progress in train(config, changes=changes)])


def test_a_run_changed_by_hand_repeats_itself_from_its_changes_and_from_any_state():
    training, found, states = Training(UNEVEN), [], []
    for progress in training.progress():
        found.append(progress.record())
        states.append(training.state())
        for change in CHANGES:
            if change.step == progress.step:
                for path, value in change.settings.items():  # one by one: those of one step become one
                    training.change({path: value})
        assert training.now == UNEVEN.after(CHANGES, progress.step)
    assert training.changes == CHANGES
    assert training.config == UNEVEN
    assert timeless(found) == changed(UNEVEN, CHANGES)
    assert len(found) == 16
    for at in (2, 4, 5, 9):
        later = Training(UNEVEN, changes=CHANGES[::-1])
        later.go_on_from(states[at])
        assert timeless([progress.record() for progress in later.progress()]) == timeless(found[at + 1 :]), at
        assert torch.equal(weights(later.model), weights(training.model))


def test_before_a_change_a_run_is_the_old_one_and_from_the_next_step_on_another():
    before, after = records(UNEVEN), changed(UNEVEN, CHANGES[:1])
    assert after[:4] == before[:4]
    assert all(line["loss"] != twin["loss"] for line, twin in zip(after[4:], before[4:], strict=True))


@pytest.mark.parametrize(
    "settings",
    [{"training.learning_rate": 0.02}, {"training.batch_size": 3}, {"model.dropout": 0.3}, {"training.steps": 9}],
    ids=str,
)
def test_a_run_changed_before_its_first_step_is_a_run_of_the_other_settings(settings):
    assert changed(UNEVEN, (Change(step=0, settings=settings),)) == records(UNEVEN.updated(settings))


def test_more_steps_open_an_ended_run_again_and_the_old_end_was_tested_thoroughly():
    config = SOLVABLE.updated({"task.max_length": 6, "training.steps": 12})  # more held out than a quick test takes
    more = Change(step=12, settings={"training.steps": 14})
    training = Training(config)
    lines = [progress.record() for progress in training.progress()]
    assert training.ended
    assert training.change(more.settings) == more
    assert not training.ended
    lines += [progress.record() for progress in training.progress()]
    assert [line["sequences"] for line in lines if "sequences" in line] == [32, 32, 682, 682]
    assert timeless(lines) == changed(config, (more,))


def test_a_solved_run_goes_on_once_it_need_not_stop():
    training = Training(SOLVABLE)
    *_, last = training.progress()
    assert training.ended
    training.change({"training.stop_when_solved": False})
    assert not training.ended
    assert next(training.progress()).step == last.step + 1
    training.change({"training.stop_when_solved": True})
    assert training.ended


def test_a_change_that_is_not_allowed_leaves_everything_as_it_was():
    training = Training(UNEVEN.updated({"training.warmup_steps": 5}), changes=CHANGES)
    for settings in ({"model.d_model": 32}, {"training.learning_rate": 0.0}, {"training.steps": 4}, {}):
        with pytest.raises(ConfigError):
            training.change(settings)
    assert training.changes == CHANGES
    assert training.now == training.config
    with pytest.raises(ConfigError, match="warmup_steps 5 is above steps 4"):
        Training(training.config, changes=(Change(step=0, settings={"training.steps": 4}),))


# --- in slow motion -------------------------------------------------------------------------------

SLOW = TINY.updated({"model.dropout": 0.2, "training.steps": 6, "training.eval_every": 3, "model.n_layers": 2})


def whole(stages: Generator[Stage, None, Progress]) -> tuple[list[Stage], Progress]:
    """The stages of one step, and its progress."""
    found = []
    while True:
        try:
            found.append(next(stages))
        except StopIteration as end:
            return found, end.value


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(
    "settings",
    [
        {"training.optimizer": "adamw", "training.schedule": "cosine"},
        {"training.optimizer": "sgd", "training.clip_grad_norm": 0.5, "training.label_smoothing": 0.1},
        {"training.optimizer": "adam", "training.schedule": "noam", "training.warmup_steps": 3},
    ],
    ids=lambda settings: settings["training.optimizer"],
)
def test_a_step_in_slow_motion_is_the_same_step_and_shows_its_very_tensors(architecture, settings):
    config = SLOW.updated(settings | {"model.architecture": architecture})
    fast, slow, found = Training(config), Training(config), []
    found.append(next(slow.progress()).record())
    for step in range(1, 7):
        with watched(fast.model) as taps:
            fast.take_step()
        stages, progress = whole(slow.stages())
        found.append(progress.record())
        shown = {name: tensor for stage in stages[1:] for name, tensor in stage.tensors.items()}
        assert shown.keys() == taps.keys() == set(taps_of(slow.model)) - {"probabilities"}
        assert sum(len(stage.tensors) for stage in stages[1:]) == len(shown)  # each in one stage
        assert all(torch.equal(shown[name], tensor) for name, tensor in taps.items())
        assert all(torch.equal(tensor, taps[name]) for name, tensor in stages[0].tensors.items())
        assert {stage.step for stage in stages} == {step}
        assert all(stage.tap in stage.tensors for stage in stages if stage.kind not in ("backward", "optimizer"))
        numbers = {name: value for stage in stages for name, value in stage.numbers.items()}
        assert numbers["loss"] == progress.loss == float(taps["loss"])
        assert numbers["learning_rate"] == progress.learning_rate
        if progress.gradient_norm is not None:
            assert numbers["gradient_norm"] == progress.gradient_norm
        for name in ("gradient_norm", "update_norm"):
            parts = [value for key, value in numbers.items() if key.startswith(f"{name}.")]
            assert math.hypot(*parts) == pytest.approx(numbers[name], rel=1e-5)
    assert timeless(found) == records(config)
    assert torch.equal(weights(fast.model), weights(slow.model))
    assert not any(module._forward_hooks for module in slow.model.modules())
    expected, state = fast.state(), slow.state()
    assert all(torch.equal(state[name], tensor) for name, tensor in expected.items() if name != "progress")


def test_a_tap_that_belongs_to_no_stage_is_noticed():
    with pytest.raises(ValueError, match=r"The tap encoder\.surprise belongs to no stage"):
        list(Stages(TINY, 1).forward_pass({"encoder.surprise": torch.zeros(1)}))


def test_the_stages_follow_the_paper_and_name_what_is_lit():
    stages, _ = whole(Training(SLOW.updated({"model.n_layers": 1})).stages())
    layer = "decoder.layers.0."
    assert [(stage.kind, stage.tap) for stage in stages] == [
        ("batch", "encoder.tokens"),
        ("embed", "encoder.embeddings.sum"),
        ("attention", "encoder.layers.0.self_attention.attention.weights"),
        ("feed_forward", "encoder.layers.0.feed_forward.output"),
        ("embed", "decoder.embeddings.sum"),
        ("attention", f"{layer}self_attention.attention.weights"),
        ("attention", f"{layer}cross_attention.attention.weights"),
        ("feed_forward", f"{layer}feed_forward.output"),
        ("output", "logits"),
        ("loss", "loss"),
        ("backward", ""),
        ("optimizer", ""),
    ]
    assert len({stage.title for stage in stages}) == len(stages)
    for stage in stages:
        assert stage.sentence.endswith(".")
        assert stage.sentence.count(". ") == 0
    tokens = stages[0].tokens
    assert tokens["target"] == [BOS, *tokens["source"]]  # the copy task
    assert tokens["labels"] == [*tokens["source"], EOS]
    parts = {key.partition(".")[2] for key in stages[-2].numbers} - {""}
    assert parts == {"token embedding", "positions", "output layer"} | {
        f"{stack} {part}" for stack in ("encoder", "decoder") for part in ("layer 1", "norm")
    }


def test_the_update_of_the_first_step_of_sgd_is_the_rate_times_the_clipped_gradient_in_every_part():
    most, rate = 0.5, 0.25
    config = SLOW.updated(
        {"training.optimizer": "sgd", "training.learning_rate": rate, "training.clip_grad_norm": most}
    )
    stages, _ = whole(Training(config).stages())
    gradient, update = stages[-2].numbers, stages[-1].numbers
    assert gradient["gradient_norm"] > most == gradient["clip_grad_norm"]
    for key, value in update.items():
        if key.startswith("update_norm"):
            length = gradient[key.replace("update", "gradient")]
            assert value == pytest.approx(rate * length * most / gradient["gradient_norm"], rel=1e-3), key


def test_a_change_in_the_middle_of_a_step_holds_from_the_next_one():
    training = Training(SLOW)
    for stage in training.stages():
        if stage.kind == "attention":
            training.change({"training.learning_rate": 0.5, "model.dropout": 0.0})
    assert [change.step for change in training.changes] == [1]
    _, second = whole(training.stages())
    assert second.learning_rate == 0.5
    first, *rest = changed(SLOW, training.changes)[1:]
    assert first["learning_rate"] == SLOW.training.learning_rate
    assert rest[0] == timeless([second.record()])[0]


def test_a_loss_that_is_not_finite_is_met_in_slow_motion_too():
    training, kinds = Training(RUINOUS.updated({"training.eval_every": 50})), []

    def steps() -> None:
        while True:
            kinds.extend(stage.kind for stage in training.stages())

    with pytest.raises(TrainingError, match="learning_rate below 10"):
        steps()
    assert kinds[-1] == "output"


# --- suspended and continued -----------------------------------------------------------------------


@pytest.mark.parametrize("changes", WAYS_TO_TRAIN, ids=way)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("at", [0, 1, 7])
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


def test_a_large_model_is_tested_on_fewer_sequences_first():
    large = RunConfig().updated(
        {"model.architecture": "decoder-only", "model.d_model": 256, "model.n_heads": 16, "model.n_layers": 3}
        | {"task.max_length": 64, "model.positions": "none"}
    )
    assert quick_test(TINY) == quick_test(RunConfig()) == 100
    assert 8 <= quick_test(large) < 20
