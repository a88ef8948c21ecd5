"""Runs that train with a pitfall: bit for bit as the pitfall's own training, wherever their model is made again."""

import json

import pytest
import torch

from playground.common.errors import CheckpointError
from playground.experiments import comparison
from playground.lessons.mistakes.table import PITFALLS
from playground.lessons.pitfalls import train_with
from playground.runs import SLOW_MOTION, Hunt, Run, RunError, Runs
from playground.runs.snapshots import weights
from playground.settings.config import RunConfig
from playground.training import USUAL
from playground.ui.runs import saving
from tests.helpers import HANG, first

STEPS = 12


def short(name: str) -> RunConfig:
    config = PITFALLS[name].config(3)
    warm = min(4, config.training.warmup_steps)
    return config.updated({"training.steps": STEPS, "training.eval_every": 6, "training.warmup_steps": warm})


@pytest.fixture
def runs(host) -> Runs:
    return with_pitfalls(host())


def with_pitfalls(made: Runs) -> Runs:
    made.recipes = PITFALLS
    return made


def ended(run: Run) -> Run:
    assert run.wait("finished", "solved"), run.message
    return run


@pytest.mark.parametrize("name", first(2, PITFALLS, of=18))
def test_a_run_trains_as_the_pitfall_does(runs: Runs, name: str):
    expected = train_with(PITFALLS[name], short(name))
    run = ended(runs.start("ada", short(name), pitfall=name))
    assert [record["loss"] for record in run.records() if "loss" in record] == list(expected.losses)
    assert weights(run.model_at(STEPS)) == weights(expected.model)
    classes = {type(module) for module in run.model_at(STEPS).modules()}
    assert (PITFALLS[name].mistake in classes) == (name not in ("target-not-shifted", "padding-scored", "no-warm-up"))
    usual = train_with(USUAL, short(name))
    other = usual.losses != expected.losses
    assert other or name == "dropout-in-evaluation"  # which trains as the correct model does


@pytest.mark.parametrize("name", first(1, ["inverted-mask", "padding-scored", "no-warm-up"]))
def test_its_steps_are_replayed_with_the_mistake(runs: Runs, name: str):
    run = ended(runs.start("ada", short(name), pitfall=name))
    step = next(step for step in range(5, run.step) if not run.store.snapshots.has(step))
    assert runs.replays.ask("ada", run, step).wait()
    model = PITFALLS[name].model(short(name))
    training = PITFALLS[name].training(short(name), model)
    for _ in range(step):
        training.take_step()
    assert weights(run.model_at(step)) == weights(model)


@pytest.mark.parametrize("name", ["inverted-mask", "target-not-shifted"])
def test_it_continues_with_the_mistake_after_a_restart(host, name: str):
    runs = with_pitfalls(host())
    run = runs.start("ada", short(name), pitfall=name, hunt=Hunt(seed=17), name="Bug hunt 17", paused=True)
    for _ in range(4):
        run.step_once()
    assert run.wait("paused")
    while run.step < 4:
        pass
    run.score(Hunt(seed=17, wrong=2, hints=1))
    runs.close()
    again = with_pitfalls(host()).of("ada")[0]
    assert (again.metadata.name, again.metadata.pitfall, again.metadata.hunt) == (
        "Bug hunt 17",
        name,
        Hunt(seed=17, wrong=2, hints=1),
    )
    assert again.metadata.hides_pitfall
    again.resume()
    host_runs = ended(again)
    assert weights(host_runs.model_at(STEPS)) == weights(train_with(PITFALLS[name], short(name)).model)


def test_a_pitfall_that_is_not_known_is_not_taken_for_the_right_model(host):
    runs = with_pitfalls(host())
    run = ended(runs.start("ada", short("no-scaling"), pitfall="no-scaling"))
    path = run.store.folder.path / "run.json"
    run.join(HANG)
    runs.close()
    for value in ("no-such", 7):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"pitfall": value}))
        (again,) = with_pitfalls(host()).of("ada")
        assert again.status == "failed"
        assert again.store.unreadable


def test_slow_motion_is_refused_with_a_sentence(runs: Runs):
    run = runs.start("ada", short("padding-scored"), SLOW_MOTION, pitfall="padding-scored")
    assert run.pace == run.store.metadata.pace == 1.0
    assert run.notice.startswith("Slow motion shows the stages of the correct model")
    run.set_pace(None)
    run.set_pace(SLOW_MOTION)
    assert run.pace == 1.0
    run.stop()


def test_what_a_mistake_would_make_wrong_is_refused(runs: Runs):
    run = ended(runs.start("ada", short("no-scaling"), pitfall="no-scaling"))
    for settings in ({}, None, {"training.learning_rate": 1e-3}):
        with pytest.raises(RunError, match="trains with a mistake"):
            runs.branch("ada", run, 3, settings)
    with pytest.raises(CheckpointError, match="a checkpoint can't say so"):
        saving.save(run, "wrong")
    waiting = runs.start("ada", short("no-scaling"), pitfall="no-scaling", paused=True)
    with pytest.raises(ValueError, match="trains with a mistake"):
        waiting.change({"training.learning_rate": 1e-3})
    waiting.stop()


def test_the_same_settings_without_the_name_give_the_right_model(runs: Runs):
    wrong = ended(runs.start("ada", short("no-scaling"), pitfall="no-scaling", name="a"))
    right = ended(runs.start("ada", wrong.config, name="a"))
    assert right.metadata.name == "a (2)"
    assert weights(right.model_at(STEPS)) == weights(train_with(USUAL, short("no-scaling")).model)
    hunt = ended(runs.start("ada", wrong.config, pitfall="no-scaling", hunt=Hunt(seed=1)))
    assert comparison.difference([right, wrong, hunt]) == [
        "reference",
        "with the mistake no-scaling",
        "with a hidden mistake",
    ]
    assert comparison.difference([wrong, right])[1] == "without the mistake no-scaling"


def test_scores_are_of_answers_that_the_model_gives_by_itself(runs: Runs):
    """A mistake that lets positions read later ones is seen in the exact match, too."""
    config = PITFALLS["inverted-mask"].config(1)
    run = ended(runs.start("ada", config, pitfall="inverted-mask"))
    assert run.last()["loss"] < 0.1
    assert run.last()["exact_match"] < 0.5
    with torch.inference_mode():
        assert run.model_at(run.step).decoding == "token_by_token"
