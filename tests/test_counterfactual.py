"""Replays with one difference: bit-identical without it, and with it what a loop written by hand gives."""

import copy
from itertools import islice
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.decoding import generate_text
from playground.interpret.counterfactual import (
    BatchLeftOut,
    LabelChanged,
    Original,
    ReplayProgress,
    SwitchedOff,
    counterfactual,
    original_of,
)
from playground.interpret.interventions import InterventionError
from playground.lessons.mistakes.table import PITFALLS
from playground.model.task_model import TaskModel
from playground.processes import warm_up
from playground.runs import Run
from playground.runs.messages import TrainingStart
from playground.runs.metadata import RunMetadata
from playground.runs.run import RunHost
from playground.runs.snapshots import packed, put_weights, unpacked, weights
from playground.settings.config import Change, RunConfig
from playground.tasks import EOS, PAD, answer, decode, token_names
from playground.tasks.batches import Sequences
from playground.training import Training
from tests.helpers import ARCHITECTURES, WAYS_TO_TRAIN, timeless, way
from tests.small_training import TINY, changed, records

SHORT = TINY.updated({"training.eval_every": 3, "training.stop_when_solved": False})
HEAD = "decoder.layers.0.self_attention.head.1"


def original_run(
    config: RunConfig, changes: tuple[Change, ...] = (), state: bytes | None = None, **known: Any
) -> Original:
    return Original(TrainingStart(RunMetadata(config=config, changes=changes), state), **known)


def last(*args: Any, **options: Any) -> ReplayProgress:
    *_, outcome = counterfactual(*args, sequences=40, **options)
    return outcome


def trained(config: RunConfig, until: int | None = None) -> tuple[Training, list[dict[str, Any]]]:
    training = Training(config)
    return training, [
        progress.record() for progress in islice(training.progress(), None if until is None else until + 1)
    ]


@pytest.mark.parametrize("changes", WAYS_TO_TRAIN, ids=way)
def test_without_a_difference_a_replay_is_the_run_bit_for_bit(changes):
    config = SHORT.updated({**changes, "model.dropout": 0.3})
    outcome = last(original_run(config), None)
    assert timeless(outcome.counterfactual) == timeless(outcome.original) == records(config)
    assert outcome.answers == ()
    assert outcome.done == outcome.total == 24
    assert outcome.sequences == 40


@pytest.mark.parametrize("changes", WAYS_TO_TRAIN, ids=way)
def test_a_difference_changes_nothing_before_its_step_and_something_after(changes):
    config = SHORT.updated(changes)
    stack = "encoder" if config.model.architecture == "encoder-only" else "decoder"
    for difference in (
        BatchLeftOut(6),
        SwitchedOff(f"{stack}.layers.0.self_attention.head.1", 5),
        LabelChanged(6, 2, 0, EOS),
    ):
        outcome = last(original_run(config), difference)
        real, other = timeless(outcome.original), timeless(outcome.counterfactual)
        assert real == records(config)
        assert other[:6] == real[:6]
        assert other[-1] != real[-1]
        assert len(other) == len(real)


@pytest.mark.parametrize("at", [1, 6, 12])
def test_a_batch_that_is_left_out_moves_nothing_and_all_later_ones_are_the_same(at):
    config = SHORT.updated({"model.dropout": 0.2, "training.schedule": "cosine"})

    class Skipping(Training):
        """Restores weights and moments after the step."""

        def take_step(self):
            before = copy.deepcopy((self.model.state_dict(), self._optimizer.state_dict()))
            measured = super().take_step()
            if self.step == at:
                self.model.load_state_dict(before[0])
                self._optimizer.load_state_dict(before[1])
            return measured

    by_hand = [progress.record() for progress in Skipping(config).progress()]
    assert timeless(last(original_run(config), BatchLeftOut(at)).counterfactual) == timeless(by_hand)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_head_that_is_off_from_the_start_learns_as_with_zero_rows_of_w_o(architecture):
    config = SHORT.updated({"model.architecture": architecture})
    stack = "encoder" if architecture == "encoder-only" else "decoder"
    attention = f"{stack}.layers.0.self_attention"
    width = config.model.d_head

    class Without(Training):
        """Keeps W^O's rows of head 1 at zero."""

        def take_step(self):
            self.cut()
            measured = super().take_step()
            self.cut()
            return measured

        def cut(self):
            self.model.get_parameter(f"{attention}.w_o.weight").data[:, width : 2 * width] = 0

    training = Without(config)
    training.cut()
    by_hand = [progress.record() for progress in training.progress()]
    found = last(original_run(config), SwitchedOff(f"{attention}.head.1")).counterfactual
    for one, other in zip(found[1:], by_hand[1:], strict=True):  # the untrained model still has it
        assert one["loss"] == pytest.approx(other["loss"], rel=1e-4)
        assert one.get("validation_loss", 0) == pytest.approx(other.get("validation_loss", 0), rel=1e-4)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_one_label_is_changed_and_what_the_decoder_reads_is_not(architecture):
    config = SHORT.updated({"model.architecture": architecture})
    met = []

    class Wrong(Training):
        def _draw(self):
            batch = super()._draw()
            if self.step == 3:
                asked = [at for at, label in enumerate(batch.labels[5].tolist()) if label != PAD]
                met.append(int(batch.labels[5, asked[0]]))
                batch.labels[5, asked[0]] = 6
            return batch

    by_hand = [progress.record() for progress in Wrong(config).progress()]
    assert met
    outcome = last(original_run(config), LabelChanged(4, 5, 0, 6))
    assert timeless(outcome.counterfactual) == timeless(by_hand)
    changed, names = outcome.label, token_names(config.task)
    assert (changed.labels[0], changed.position, changed.label) == (names[met[0]], 0, names[6])
    ends = [] if architecture == "encoder-only" else ["EOS"]
    right = answer([names.index(name) for name in changed.source], config.task)
    assert list(changed.labels) == [*decode(right, config.task), *ends]
    same = last(original_run(config), LabelChanged(4, 5, 0, met[0]))
    assert timeless(same.counterfactual) == timeless(same.original)
    with pytest.raises(InterventionError, match=r"The chosen row of step 4 has \d labels\. Choose one of"):
        last(original_run(config), LabelChanged(4, 5, 9, 6))


@settings(max_examples=12)
@given(st.integers(0, 9), st.integers(1, 12), st.booleans())
def test_a_replay_from_a_kept_state_is_the_replay_from_the_start(kept, step, dropout):
    config = SHORT.updated({"model.dropout": 0.2 * dropout})
    training, before = trained(config, kept)
    state = packed(training.state()) if kept else None
    rest = [progress.record() for progress in training.progress()] if kept else []
    if not kept:
        training, before = trained(config)
    known = (*before, *rest)
    original = original_run(config, state=state, records=known, weights=weights(training.model))
    if step <= kept:
        return
    for difference in (None, BatchLeftOut(step), SwitchedOff(HEAD, step - 1)):
        outcome, whole = last(original, difference), last(original_run(config), difference)
        assert timeless(outcome.counterfactual) == timeless(whole.counterfactual)
        assert timeless(outcome.original) == timeless(whole.original)
        assert outcome.answers == whole.answers


def test_the_answers_are_those_of_the_two_models():
    config = SHORT.updated({"training.steps": 30, "training.learning_rate": 0.02})
    *_, outcome = counterfactual(original_run(config), SwitchedOff("decoder.layers.0.cross_attention", 10))
    real, _ = trained(config)
    assert outcome.answers
    held_out = Sequences.of(config.task).held_out()
    assert outcome.sequences == len(held_out)
    for each in outcome.answers:
        assert each.original == generate_text(real.model, each.source)
        assert each.original != each.counterfactual
        assert each.right == each.source, "the task is copy"
    assert len(outcome.answers) <= outcome.sequences


def test_a_run_that_was_changed_by_hand_is_replayed_with_its_changes():
    changes = (Change(4, {"training.learning_rate": 0.03, "training.batch_size": 5}), Change(8, {"training.steps": 15}))
    outcome = last(original_run(SHORT, changes), BatchLeftOut(6))
    assert timeless(outcome.original) == changed(SHORT, changes)
    assert len(outcome.counterfactual) == len(outcome.original) == 16
    assert timeless(outcome.counterfactual)[:6] == timeless(outcome.original)[:6]
    with pytest.raises(InterventionError, match=r"The batch of step 5 has no row 5\. Use 0 to 4\."):
        last(original_run(SHORT, changes), LabelChanged(5, 5, 0, EOS))
    last(original_run(SHORT, changes), LabelChanged(4, 5, 0, EOS))


def test_a_run_of_a_worker_is_replayed_from_its_last_state_before_the_difference():
    warm_up()
    config = TINY.updated({"training.steps": 90, "training.stop_when_solved": False})
    run = Run(RunMetadata(config=config))
    run.begin()
    assert run.wait("finished")
    difference = BatchLeftOut(60)
    original = original_of(run, difference)
    assert original.start.state is not None
    assert unpacked(original.start.state)["progress"][0] == 32
    assert original.until is None
    same = last(original, None)
    whole = records(config)
    assert timeless(same.counterfactual)[:33] == timeless(run.exact_records())[:33]
    assert timeless(same.counterfactual)[33:] == whole[33:]
    assert same.answers == ()
    outcome = last(original, difference)
    assert timeless(outcome.counterfactual)[33:60] == whole[33:60]
    assert timeless(outcome.counterfactual)[61] != whole[61]
    assert timeless(outcome.counterfactual)[33:] == timeless(last(original_run(config), difference).counterfactual)[33:]
    model = TaskModel(config)
    put_weights(model, original.weights)
    assert torch.equal(next(model.parameters()), next(run.model_at(90).parameters()))
    with pytest.raises(InterventionError, match=r"There is no step 91 to change\. Use 1 to 90\."):
        original_of(run, BatchLeftOut(91))
    run.close()


def test_a_run_with_a_mistake_is_not_replayed_with_a_difference():
    name = next(iter(PITFALLS))
    run = Run(RunMetadata(config=TINY, pitfall=name), host=RunHost(recipes=PITFALLS))
    with pytest.raises(InterventionError, match="A run with a mistake can't be replayed"):
        original_of(run, BatchLeftOut(1))
    run.close()


def test_a_replay_of_a_stopped_run_ends_where_it_was_stopped():
    outcome = last(original_run(SHORT, until=7), BatchLeftOut(2))
    assert [record["step"] for record in outcome.counterfactual] == list(range(8))
    assert timeless(outcome.original) == records(SHORT)[:8]


def test_progress_counts_the_steps_and_ends_when_nobody_asks():
    steps = counterfactual(original_run(SHORT), BatchLeftOut(3))
    done = [outcome.done for outcome in islice(steps, 20)]
    assert done == [*range(13), *range(12, 19)]
    steps.close()


@pytest.mark.parametrize(
    ("difference", "says"),
    [
        (BatchLeftOut(0), "There is no step 0 to change. Use 1 to 12."),
        (SwitchedOff(HEAD, 12), "There is no step 12 to change. Use 0 to 11."),
        (
            SwitchedOff("logits", 2),
            "logits is not a head, expert or sublayer. Use one of encoder.layers.0.self_attention.head.0",
        ),
        (LabelChanged(2, 8, 0, 5), "The batch of step 2 has no row 8. Use 0 to 7."),
        (LabelChanged(2, 0, 0, PAD), "0 is not the id of a token. Use 1 to 7."),
        (LabelChanged(2, 0, 0, 8), "8 is not the id of a token."),
        (LabelChanged(2, 0, -1, 5), "There is no position -1. Use 0 or more."),
    ],
)
def test_a_difference_that_cannot_be_is_refused_in_a_sentence(difference, says):
    with pytest.raises(InterventionError) as error:
        next(counterfactual(original_run(SHORT), difference))
    assert says in str(error.value)
