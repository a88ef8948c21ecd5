"""The Train page: its buttons, the queue, messages, the pace, and playback."""

import json
import secrets
from types import SimpleNamespace

from streamlit.testing.v1 import AppTest

from playground.settings.config import RunConfig, setting_paths, value_at
from playground.ui.session import identity, sources, tab_run
from playground.ui.session.services import services
from playground.ui.train import run_control
from tests.helpers import TINY, messages, progress, until, written
from tests.pages import QUICK, button, charted, fine, link_to, page, run_of, solved, wait_for, with_settings
from tests.pages import host as host  # for every test here too


def test_train_has_exactly_the_promised_buttons():
    app = page("train.py")
    assert [each.label for each in app.button] == ["Train", "Step", "Stop", "Reset"]


def test_one_button_trains_pauses_and_resumes():
    app = with_settings("train.py", {"training.steps": 3000, "training.stop_when_solved": False})
    button(app, "Train").click().run()
    run, seen = run_of(app), []
    until(lambda: run.step > 0)
    for label, status in (("Pause", "paused"), ("Resume", "running"), ("Pause", "paused")):
        seen.append([each.label for each in fine(app).button if each.label in ("Train", "Pause", "Resume")])
        button(app, label).click().run()
        until(lambda status=status: run.status == status)
        app.run()
    assert seen == [["Pause"], ["Resume"], ["Pause"]]


def test_train_shows_what_it_measures():
    app = solved()
    assert charted(app) == [run_of(app).id]
    assert app.button[0].label == "Train"
    assert not app.button[0].disabled


def test_pause_step_resume_stop_and_reset():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    run = run_of(app)
    until(lambda: run.step == 1)
    button(fine(app.run()), "Step").click().run()
    until(lambda: run.step == 2)
    button(fine(app.run()), "Resume").click().run()
    until(lambda: run.step > 4)
    button(fine(app.run()), "Pause").click().run()
    wait_for(app, "paused")
    button(app, "Stop").click().run()
    wait_for(app, "stopped")
    button(app, "Reset").click().run()
    wait_for(app, "paused")
    again = run_of(app)
    assert again.id != run.id
    assert again.step == 0
    for name, weights in again.model_at().state_dict().items():
        assert weights.equal(run.model_at(0).state_dict()[name])


def test_a_click_on_a_page_that_is_not_drawn_again_yet_leaves_the_newer_run_alone(monkeypatch):
    started = []
    newer = SimpleNamespace(
        ended=False,
        status="running",
        step=3,
        config=RunConfig(),
        metadata=SimpleNamespace(pitfall=""),
        stop=lambda: None,
    )
    monkeypatch.setattr(tab_run, "current", lambda: newer)
    monkeypatch.setattr(tab_run, "start", lambda *args, **options: started.append(args) or newer)
    run_control._start(RunConfig(), None)
    run_control._start(RunConfig(), SimpleNamespace(ended=True))
    assert not started
    newer.ended = True
    run_control._start(RunConfig(), newer)
    assert started == [(RunConfig(),)]


def test_train_goes_on_from_a_reset_run():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    button(app, "Reset").click().run()
    run = run_of(app)
    until(lambda: run.status == "paused")
    button(fine(app.run()), "Train").click().run()
    assert run_of(app) is run
    until(lambda: run.step > 1)


def test_a_full_host_lets_one_wait_and_says_how_long_and_why(host):
    runs = host(workers=1)
    runs.start("somebody", RunConfig().updated({"training.steps": 100_000}), 1.0)
    app = page("build.py")
    button(app, "Train this model").click().run()
    app.switch_page("pages/train.py").run()
    text = progress(fine(app))
    assert "queued" in text
    assert "queue position 1 of 1" in text
    assert "starts in at most 28 hours" in text
    assert "The only worker slot of this host is in use" in text
    button(app, "Stop").click().run()
    assert "stopped" in progress(fine(app))


def test_too_large_a_run_is_refused_with_figure_and_limit_and_the_form_stays(host):
    host(run_minutes=1)
    app = page("build.py", form="Training")
    app.number_input(key="training.steps").set_value(100_000).run()
    button(app, "Train this model").click().run()
    assert "minutes of computing time. The limit here is 1 minute" in messages(fine(app), "wrong")[0]
    assert app.session_state["training.steps"] == 100_000
    app.switch_page("pages/train.py").run()
    button(app, "Train").click().run()
    assert "minutes of computing time. The limit here is 1 minute" in messages(fine(app), "wrong")[0]


def test_after_a_new_start_of_the_server_the_run_is_there_and_can_go_on(host):
    app = page("train.py")
    button(app, "Train").click().run()
    run = run_of(app)
    until(lambda: run.store.kept_step)
    services().runs.close()
    host()
    app.run()
    assert "paused" in progress(fine(app))
    assert "The server restarted" in messages(app, "care")[0]
    app.session_state["pace"] = "Full speed"
    button(app, "Resume").click().run()
    again = run_of(app)
    again.set_pace(None)
    wait_for(app, "solved")
    assert again.id == run.id


def test_notices_of_the_host_are_shown():
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    run = run_of(app)
    until(lambda: run.step == 1)  # the worker's last word for now: it says of the disk what holds there
    run.notice, run.store.problem = "Paused because nobody viewed it.", "The disk is full."
    app.run()
    assert "nobody viewed it" in messages(fine(app), "note")[0]
    assert "disk is full" in messages(app, "care")[0]


def trained(config: RunConfig, status: str) -> AppTest:
    """The page with a run of these settings that has this status."""
    settings = {path: value_at(config, path) for path in setting_paths()}
    app = with_settings("train.py", settings | {"pace": "Full speed"})
    button(app, "Train").click().run()
    return wait_for(app, status)


def test_a_run_that_failed_says_why_and_what_it_learned_can_be_looked_at_and_saved():
    wild = TINY.updated({"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False})
    app = trained(wild, "failed")
    (message,) = messages(app, "wrong")
    assert "The loss became" in message
    assert "Try a learning rate below 10" in message
    app.switch_page("pages/step_through.py").run()
    assert fine(app).session_state["source"] == sources.RUN
    assert not messages(app, "wrong")
    app.switch_page("pages/checkpoints.py").run()
    button(app, "Save").click().run()
    assert "Saved" in written(fine(app))


def test_what_is_saved_beside_the_charts_is_confirmed_once():
    app = trained(TINY, "finished")
    button(app, "Save").click().run()
    (toast,) = fine(app).toast
    assert toast.value.startswith("Saved as `")
    assert not fine(app.run()).toast


def test_the_pace_shown_is_that_of_the_run_shown():
    app = page("train.py")
    app.session_state["pace"] = "1 step/s"
    button(app, "Train").click().run()
    first = run_of(app)
    app.session_state["pace"] = "Fast"
    app.run()
    assert fine(app).session_state["pace"] == "1 step/s", "another tab may have shown another"
    first.set_pace(None)
    app.run()
    assert fine(app).session_state["pace"] == "Full speed"


# --- playback -------------------------------------------------------------------------------------


def charts_of(app: AppTest) -> dict:
    """What the page says of the run that its charts show."""
    mounts = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    (mounted,) = (mount for mount in mounts if "specs" in mount)
    return mounted["runs"][0]


def no_process(*_args, **_options):
    raise AssertionError("Nothing is to be started.")


def test_a_run_is_played_back_from_its_records_on_the_same_page(monkeypatch):
    app = solved()
    run = run_of(app)
    monkeypatch.setattr("playground.processes.child.start", no_process)
    button(app, "Play back").click().run()
    shown = fine(app).session_state["playback"]
    assert {word: app.query_params[word] for word in ("playback", "run")} == {"playback": "1", "run": run.id}
    button(app, "Pause").click().run()
    button(app, "Step").click().run()
    assert "played back" in progress(fine(app))
    assert charts_of(app)["upto"] == shown.step < run.step
    assert {"Train", "Stop", "Reset"}.isdisjoint({each.label for each in app.button}), "nothing trains"
    button(app, "Resume").click().run()
    app.segmented_control(key="playback_pace").set_value("Fast").run()
    until(lambda: shown.ended)
    assert "played back" in progress(fine(app.run()))
    button(app, "Play again").click().run()
    assert fine(app).session_state["playback"].step < run.step
    button(app, "Leave playback").click().run()
    assert "upto" not in charts_of(fine(app))
    assert "playback" not in app.query_params
    assert run.status == "solved"


def test_a_link_plays_a_run_back_also_after_a_new_start_of_the_server(host, monkeypatch):
    one = secrets.token_hex(16)
    monkeypatch.setattr(identity, "visitor", lambda: one)
    app = with_settings("train.py", QUICK)
    button(app, "Train").click().run()
    run = services().runs.current(one)
    assert run.wait("solved")
    services().runs.close()
    host()
    monkeypatch.setattr("playground.processes.child.start", no_process)
    again = link_to("train.py", run=run.id, playback="1")
    shown = again.session_state["playback"]
    assert shown.config == run.config
    shown.stop()
    fine(again.run())
    assert shown.last() == run.last()
    assert shown.predictions(0) == run.predictions(0)
