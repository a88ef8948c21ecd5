"""The bug hunt: the mistake stays hidden until it is found; answers, hints and points, without a browser."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from streamlit.testing.v1 import AppTest

from playground.experiments import comparison
from playground.lessons import hunts
from playground.lessons.mistakes.table import MISTAKES, PITFALLS
from playground.lessons.pitfalls import train_with
from playground.runs import Hunt, Run
from playground.training import USUAL
from playground.ui.learn import hunt_view, pitfall_parts
from playground.ui.parts.charts.curves_route import RunCurves
from playground.ui.runs import run_view
from playground.ui.server import work
from playground.ui.session import form_settings, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from tests.helpers import HANG, first, messages, prose, written
from tests.pages import button, fine, hosted, last_walk, new_tab, page, visitor

HUNTED = [name for name, each in PITFALLS.items() if each.hunted]
SEEDS = {hunts.hidden(seed): seed for seed in range(200, 0, -1)}
"""The first number that hides each pitfall."""


@pytest.fixture(autouse=True)
def host(tmp_path, monkeypatch):
    """A host whose hunts train for a moment."""
    settings = {"training.steps": 4, "training.warmup_steps": 2, "training.eval_every": 4, "training.batch_size": 8}
    settings |= {"task.max_length": 4, "model.d_model": 16, "model.d_ff": 16}
    monkeypatch.setattr(hunts, "SETTINGS", hunts.SETTINGS.updated(settings))
    with hosted(tmp_path) as make:
        yield make


def started(name: str) -> tuple[AppTest, Run]:
    app = page("learn.py", **{"learn view": "hunt", "bug": SEEDS[name]})
    button(app, "Start").click().run()
    run = hunting(app, SEEDS[name])
    assert run.wait("finished"), run.message
    return fine(app.run()), run


def hunting(app: AppTest, seed: int) -> Run:
    return next(run for run in services().runs.of(visitor(app)) if run.metadata.hunt and run.metadata.hunt.seed == seed)


def answered(app: AppTest, part: str, cause: str) -> AppTest:
    app.selectbox(key="hunt part").set_value(part)
    app.selectbox(key="hunt cause").set_value(cause)
    button(app, "Check answer").click().run()
    return fine(app)


def names(name: str) -> Iterator[bytes]:
    """What would give a pitfall away; its title stands in the list of all."""
    pitfall = PITFALLS[name]
    sentence = MISTAKES[name].sentence.encode()
    yield from (name.encode(), pitfall.mistake.__name__.encode(), sentence, b"mistakes/classes.py")


def sent(app: AppTest) -> bytes:
    """All that the page has sent to the browser."""
    protos = [node.proto for node in app._tree if hasattr(getattr(node, "proto", None), "SerializeToString")]
    return b"".join(proto.SerializeToString() for proto in protos) + json.dumps(dict(app.query_params)).encode()


def test_every_hunted_pitfall_is_hidden_by_some_number():
    assert set(SEEDS) == set(HUNTED)
    assert {*HUNTED} <= {*hunts.CHOICES}
    assert {hunts.part_of(PITFALLS[name]) for name in hunts.CHOICES} == {*hunts.PARTS}
    assert len({repr(hunts.config(seed).updated({"seed": 0})) for seed in SEEDS.values()}) == 1


@pytest.mark.parametrize("name", first(2, HUNTED, of=11))
def test_nothing_names_the_mistake_before_it_is_found(name: str):
    app, run = started(name)
    pages = [app]
    for file, seeded in (
        ("step_through.py", {}),
        ("train.py", {}),
        ("train.py", {"train view": "compare"}),
        ("learn.py", {"learn view": "formulas"}),
    ):
        for key, value in {"source": sources.RUN, "operation": PITFALLS[name].operation, **seeded}.items():
            app.session_state[key] = value
        app = fine(app.switch_page(f"pages/{file}").run())
        pages.append(app)
        for secret in names(name):
            assert secret not in sent(app), (file, secret)
    beside = json.dumps(
        [RunCurves().fields(run, 0), run_view.fields(run), run_view.row(run), comparison.to_json([run])]
    )
    for secret in (*names(name), MISTAKES[name].title.encode()):
        assert secret not in beside.encode()
        assert secret not in comparison.to_csv([run]).encode()
    assert run.metadata.name == f"Bug hunt {SEEDS[name]}"


def test_the_page_of_a_hunt_lists_all_mistakes_and_names_none():
    app, _ = started("no-scaling")
    assert list(app.selectbox(key="hunt cause").options) == [MISTAKES[name].title for name in hunts.CHOICES]
    for secret in names("no-scaling"):
        assert secret not in sent(app)


def test_an_answer_is_marked_by_its_halves_and_the_right_one_shows_the_mistake():
    app, run = started("no-scaling")
    button(app, "Check answer").click().run()
    assert "Choose a part and a mistake." in messages(fine(app), "care")
    assert run.metadata.hunt == Hunt(seed=SEEDS["no-scaling"]), "no answer costs nothing"
    answered(app, "Embeddings", "no-positions")
    assert "The part is wrong, the mistake is wrong." in messages(app, "care")
    answered(app, "ScaledDotProductAttention", "inverted-mask")
    assert "The part is right, the mistake is wrong." in messages(app, "care")
    assert "8 of 10 points left." in prose(app)
    answered(app, "ScaledDotProductAttention", "no-scaling")
    seed = SEEDS["no-scaling"]
    assert f"Bug hunt {seed}: found, 8 of 10 points (2 wrong answers, 0 hints)." in messages(app, "good")
    assert "So far: 1 bug found, 8 points." in prose(app)
    assert f"<h2>{MISTAKES['no-scaling'].title}</h2>" in written(app)
    assert [each.label for each in app.metric] == ["Correct model", "With the mistake"]
    assert not run.metadata.hides_pitfall
    button(app, "See where it shows").click().run()
    assert b"mistakes/classes.py" in sent(fine(app))


def test_hints_cost_points_and_come_closer():
    app, run = started("inverted-mask")
    for number in (1, 2, 3):
        button(app, f"Hint {number} of 3").click().run()
        fine(app)
    notes = messages(app, "note")
    assert notes[0] == "The mistake is in attention."
    pitfall = PITFALLS["inverted-mask"]
    right = pitfall.measure(train_with(USUAL, run.config))
    assert notes[1].startswith(pitfall.measured_as)
    assert notes[1].endswith(f"In the correct model: {pitfall.shown(right)}.")
    assert notes[2] == "The part is “Attention: scores, mask and weights”."
    assert run.metadata.hunt.hints == 3
    assert "4 of 10 points left." in prose(app)
    assert not any(each.label.startswith("Hint") for each in app.button)


def test_no_hint_tells_what_has_been_found():
    app, run = started("inverted-mask")
    part = hunts.part_of(PITFALLS["inverted-mask"])
    app = answered(app, part, next(name for name in HUNTED if name != "inverted-mask"))
    assert run.metadata.hunt.part_found
    assert "The part is right, the mistake is wrong." in messages(app, "care")
    button(app, "Hint 1 of 1").click().run()
    assert [note.startswith(PITFALLS["inverted-mask"].measured_as) for note in messages(fine(app), "note")] == [True]
    assert not any(each.label.startswith("Hint") for each in app.button)


def test_who_gives_up_gets_no_points_and_sees_the_mistake():
    app, _ = started("no-residual")
    button(app, "Give up").click().run()
    assert "given up, 0 of 10 points" in messages(fine(app), "note")[0]
    assert f"<h2>{MISTAKES['no-residual'].title}</h2>" in written(app)


def test_the_score_is_found_again_by_a_new_tab_and_after_a_restart(host):
    app, run = started("no-scaling")
    answered(app, "Embeddings", "no-positions")
    key = visitor(app)
    run.join(HANG)
    services().runs.close()
    (again,) = host().of(key)
    assert again.metadata.hunt == Hunt(seed=SEEDS["no-scaling"], wrong=1)
    assert hunt_view.hunts.points(again.metadata.hunt) == 9


def test_a_link_gives_everybody_the_same_bug():
    app = new_tab("learn.py", view="hunt", bug="17")
    assert app.session_state["bug"] == 17
    assert not services().runs.of(visitor(app)), "a link trains nothing"
    button(app, "Start").click().run()
    assert hunting(fine(app), 17).metadata.pitfall == hunts.hidden(17)
    assert new_tab("learn.py", view="hunt", bug="seventeen").session_state["bug"] == 1


def test_a_bug_of_a_link_is_found_by_stepping_from_the_first_operation_to_the_one_that_differs():
    """Nothing but what a visitor has: the link, the numbers of the walk, the form."""
    seed = SEEDS["no-scaling"]
    app = new_tab("learn.py", view="hunt", bug=str(seed))
    button(app, "Start").click().run()
    assert hunting(app, seed).wait("finished")
    button(fine(app.run()), "Step through this model").click().run()
    app = fine(app.switch_page("pages/step_through.py").run())  # AppTest would go back on the next click
    walk, model = last_walk(), hunts.config(seed).model
    assert app.session_state["operation"] == walk.steps[0].name
    for step in walk.steps:
        assert app.session_state["operation"] == step.name
        if step.name.endswith(".scaled_scores"):
            raw = walk[step.name.replace("scaled_scores", "scores")].value
            if not torch.allclose(step.value, raw / (model.d_model / model.n_heads) ** 0.5):
                assert torch.equal(step.value, raw)
                break
        button(app, "Next").click().run()
        fine(app)
    assert step.name == "encoder.layers.0.self_attention.attention.scaled_scores"
    app = fine(app.switch_page("pages/learn.py").run())
    answered(app, "ScaledDotProductAttention", "no-scaling")
    assert f"Bug hunt {seed}: found, 10 of 10 points (0 wrong answers, 0 hints)." in messages(app, "good")


def test_a_hunt_that_was_stopped_starts_again_with_its_score():
    app = page("learn.py", **{"learn view": "hunt", "bug": 5})
    stopped = services().runs.start(
        visitor(app), hunts.config(5), pitfall="no-residual", hunt=Hunt(seed=5, wrong=2), name="x", paused=True
    )
    stopped.stop()
    assert stopped.wait("stopped")
    button(fine(app.run()), "Start").click().run()
    assert hunting(fine(app), 5).metadata.hunt == Hunt(seed=5, wrong=2)


def test_new_bug_draws_another_number():
    app = page("learn.py", **{"learn view": "hunt"})
    button(app, "New bug").click().run()
    assert 1 <= fine(app).session_state["bug"] <= 9999


def test_marks_and_hints_after_the_end_change_nothing():
    app, run = started("no-scaling")
    done = Hunt(seed=run.metadata.hunt.seed, found=True)
    run.score(done)
    for act in (hunt_view._ask, hunt_view._give_up):
        act(run)
    assert run.metadata.hunt == done
    assert fine(app.run())


def test_a_class_that_asks_for_the_same_right_model_waits_for_one_training(monkeypatch):
    trainings = []

    def computed(_function, name: str, config, *, seconds: float) -> float:
        trainings.append((name, config))
        time.sleep(0.05)
        return 0.5

    monkeypatch.setattr(work, "computed", computed)
    asked = [("no-scaling", hunts.config(901))] * 20
    with ThreadPoolExecutor(20) as pool:
        assert set(pool.map(lambda each: pitfall_parts.measure_of_right_model(*each), asked)) == {0.5}
    assert trainings == asked[:1]


def test_a_new_session_has_the_settings_of_ones_own_last_run_not_those_of_a_hunt():
    app, hunted = started(HUNTED[0])
    own = services().runs.start(visitor(app), hunts.config(1).updated({"task.name": "copy", "seed": 77}))
    own.stop()
    services().runs.choose(visitor(app), hunted.id)
    assert services().runs.current(visitor(app)) is hunted
    form_settings._remembered.drop(visitor(app))  # as after a restart
    form = page("build.py", visitor=app.session_state["visitor"]).session_state
    assert (form[keys.SETTING.of("task.name").name], form[keys.SETTING.of("seed").name]) == ("copy", 77)
