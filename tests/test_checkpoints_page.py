"""The Checkpoints page: save, load and delete, and what it says of a disk or a checkpoint that fails."""

import errno
import os

import pytest

from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.storage.library import Library
from playground.ui.session.services import services
from tests.helpers import messages, mounts, prose, same_weights, written
from tests.pages import button, fine, page, solved, visitor, wait_for
from tests.pages import host as host  # for every test here too


def test_checkpoints_save_load_and_delete():
    app = solved()
    app.switch_page("pages/checkpoints.py").run()
    name = next(each for each in app.text_input if each.key == "save_name")
    name.set_value("../escape").run()
    button(app, "Save").click().run()
    assert "not a valid checkpoint name" in written(fine(app))
    next(each for each in app.text_input if each.key == "save_name").set_value("mine").run()
    button(app, "Save").click().run()
    assert "Saved mine" in written(fine(app))
    assert (Library(services().host.checkpoints).root / "mine" / "model.safetensors").is_file()
    button(app, "Save").click().run()
    assert "mine is taken. Choose another name, or tick “Replace a checkpoint with this name”." in written(fine(app))
    button(app, "Load").click().run()
    assert "Loaded mine" in written(fine(app))
    app.switch_page("pages/step_through.py").run()
    assert fine(app).session_state["source"] == "mine"
    app.switch_page("pages/checkpoints.py").run()
    button(app, "Delete").click().run()
    assert "Deleted <b>mine</b>" in written(fine(app))
    assert not (services().host.checkpoints / "mine").exists()
    button(app, "Undo").click().run()
    assert "Restored mine" in written(fine(app))
    assert (services().host.checkpoints / "mine").is_dir()
    app.text_input(key="new_name").set_value("yours")
    button(app, "Save name").click().run()
    assert "Renamed mine to yours" in written(fine(app))
    assert (services().host.checkpoints / "yours").is_dir()


def test_any_kept_step_is_saved_with_the_history_up_to_it():
    app = solved()
    run = services().runs.current(visitor(app))
    app.switch_page("pages/checkpoints.py").run()
    step = run.snapshot_steps()[1]
    assert 0 < step < run.step
    (choice,) = [each for each in app.selectbox if each.label == "Step"]
    assert (choice.value, choice.proto.placeholder) == (None, f"Newest ({run.snapshot_steps()[-1]:,})")
    choice.set_value(step).run()
    assert f"weights after step {step:,}." in prose(fine(app))
    app.text_input(key="save_name").set_value("earlier").run()
    button(app, "Save").click().run()
    assert f"Saved earlier: the weights after step {step}." in written(fine(app))
    saved = Library(services().host.checkpoints).load("earlier")
    assert same_weights(saved.model, run.model_at(step))
    assert [record["step"] for record in saved.history] == [*range(step + 1)]


def test_save_begins_with_the_step_that_step_through_shows():
    app = solved()
    run = services().runs.current(visitor(app))
    for at, expected in ((str(run.snapshot_steps()[1]), run.snapshot_steps()[1]), ("999999", None), ("now", None)):
        app.session_state["at_step"] = at
        app.switch_page("pages/checkpoints.py").run()
        (choice,) = [each for each in fine(app).selectbox if each.label == "Step"]
        assert choice.value == expected


def test_on_a_shared_host_every_visitor_has_a_library_of_their_own(host):
    host(mode="shared", quota_mb=1)
    ada, bob = solved(**{"model.d_model": 64}), page("train.py")  # three such models are more than the quota
    ada.switch_page("pages/checkpoints.py").run()
    ada.text_input(key="save_name").set_value("hers").run()
    button(ada, "Save").click().run()
    assert "Saved hers" in written(fine(ada))
    assert any("of 1 MB used" in each.value for each in ada.caption)
    ada.text_input(key="save_name").set_value("hers-too").run()
    button(ada, "Save").click().run()
    ada.text_input(key="save_name").set_value("hers-three").run()
    button(ada, "Save").click().run()
    assert "Delete one first" in written(fine(ada)), "the quota is full"
    bob.switch_page("pages/checkpoints.py").run()
    ((_, data),) = mounts(fine(bob), "rows", "ticked")
    names = {row["name"] for row in data["rows"]}
    assert names
    assert not any("hers" in name for name in names)
    bob.switch_page("pages/step_through.py").run()
    assert not any("hers" in name for name in fine(bob).selectbox(key="source").options)
    assert not (services().host.checkpoints / "hers").exists()
    assert visitor(ada) != visitor(bob)


@pytest.mark.parametrize(("call", "number"), [("fsync", errno.ENOSPC), ("mkdir", errno.EROFS)])
def test_a_full_disk_is_an_error_message_beside_save_and_the_run_stays(call, number, tmp_path, monkeypatch):
    app = page("train.py")
    button(app, "Step").click().run()
    wait_for(app, "paused")
    app.switch_page("pages/checkpoints.py").run()
    there = sorted(path.name for path in tmp_path.iterdir())

    def refuse(*_args, **_options) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as disk:
        disk.setattr(os, call, refuse)
        button(app, "Save").click().run()
    assert f"{os.strerror(number)}." in written(fine(app))
    assert str(tmp_path) not in written(app)
    assert sorted(path.name for path in tmp_path.iterdir()) == there
    button(app, "Save").click().run()
    assert "Saved" in written(fine(app))


def test_a_checkpoint_that_is_deleted_while_it_is_open_is_missed_in_a_sentence():
    library = Library(services().host.checkpoints)
    library.save("mine", TaskModel(RunConfig()), [])
    app = page("step_through.py", source="mine")
    assert app.session_state["source"] == "mine"
    library.delete("mine")
    button(app, "Next").click().run()
    assert "There is no model “mine”." in messages(fine(app), "care")[0]
    assert app.latex[0].value, "another one is shown"
