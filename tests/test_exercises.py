"""Exercises of lessons: their runs answer the questions, and a press trains them."""

import pytest

from playground.lessons.exercise import BASE, ExerciseRun
from playground.lessons.lesson import fill, lessons
from playground.model.task_model import TaskModel
from playground.training.loop import Training
from playground.ui.session.services import services
from tests.helpers import messages, until
from tests.pages import button, fine, host, page, visitor
from tests.test_lessons import assert_filled_in, assert_one_right_answer
from tests.trained_exercises import all_facts, outcomes

__all__ = ["host"]  # a fixture that acts by itself

LESSON = lessons()["exercises"]
SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (1, 2)))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", [name for name, found in lessons().items() if found.exercises])
def test_every_value_can_be_filled_in_and_every_question_has_one_right_answer(name, seed):
    facts = all_facts(lessons()[name], seed)
    assert_filled_in(lessons()[name], facts)
    assert_one_right_answer(lessons()[name], facts)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_mask_decides_whether_the_model_can_answer(seed):
    masked, unmasked = outcomes("exercises", "causal_mask", seed).values()
    assert masked.exact_match >= 0.999
    assert unmasked.exact_match < 0.1
    assert unmasked.measured("teacher_forced_token_accuracy") > 0.99


@pytest.mark.parametrize("seed", SEEDS)
def test_attention_moves_to_the_last_token(seed):
    facts = LESSON.exercises["attention"].facts(outcomes("exercises", "attention", seed))
    assert facts["looked_before"] < 0.4
    assert facts["looked_after"] > 2 * facts["looked_before"]


@pytest.mark.parametrize("seed", SEEDS)
def test_one_head_is_enough_and_a_wide_model_needs_a_smaller_learning_rate(seed):
    facts = LESSON.exercises["heads"].facts(outcomes("exercises", "heads", seed))
    assert facts["heads_solved"] == "Both"
    facts = LESSON.exercises["width"].facts(outcomes("exercises", "width", seed))
    assert facts["width_best"] == "Heads 4 wide"
    assert facts["narrow"] > 0.95
    assert facts["wide"] < 0.5


def test_a_wide_model_is_solved_sooner_at_the_smaller_learning_rate():
    steps = {}
    for d_model in (16, 64):
        config = BASE.updated({"model.n_heads": 4, "model.d_model": d_model, "training.learning_rate": 0.003})
        steps[d_model] = [step.record() for step in Training(config).progress()][-1]["step"]
    assert steps[64] < steps[16]


def test_runs_of_an_exercise_differ_only_in_what_it_names():
    for exercise in LESSON.exercises.values():
        for label, config in exercise.configs(3).items():
            assert config == BASE.updated({**exercise.runs[label], "seed": 3})


def test_an_outcome_has_the_newest_value_of_a_measure():
    model = TaskModel(BASE)
    outcome = ExerciseRun([{"step": 1, "exact_match": 0.1}, {"step": 2, "exact_match": 0.5}, {"step": 3}], model, model)
    assert (outcome.steps, outcome.exact_match) == (3, 0.5)


def test_a_press_trains_the_runs_and_they_answer_the_question(host, monkeypatch):
    # Streamlit refuses two underscores in the key of a component.
    monkeypatch.setattr("playground.runs.metadata.secrets.token_urlsafe", lambda size: "a__random_id")
    app = page("learn.py", **{"lesson name": "exercises"})
    at = next(
        index for index, block in enumerate(LESSON.blocks) if block.exercise and block.exercise.name == "attention"
    )
    question = LESSON.questions[at]
    app.radio(key=f"lesson answer exercises {at} 0").set_value(question.choices[0]).run()
    app = fine(app.button(key=f"check exercises {at}").click().run())
    assert not [each for each in messages(app) if each.startswith(("Right", "Not quite"))], "not known before the runs"
    app = fine(button(app, "Train the model").click().run())
    (run,) = services().runs.of(visitor(app))
    until(lambda: run.ended)
    app = fine(app.run())
    facts = LESSON.exercises["attention"].facts(outcomes("exercises", "attention", 0))
    right = fill(question.answer, facts)
    assert f"Right: {right}" in messages(app) or any(right in each for each in messages(app, "care"))
    assert any(fill("{{looked_after:.1%}}", facts) in each.value for each in app.markdown)
