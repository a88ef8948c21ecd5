"""The Compare view of the Train page: what its table, its form and its address do, without a browser."""

import csv
import io
import re

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from playground.runs import Run
from playground.settings.config import RunConfig, parameter_counts
from playground.ui import startup
from playground.ui.runs import run_view
from playground.ui.server import channels
from playground.ui.server.patches import presses
from playground.ui.session import acts, identity
from playground.ui.session.services import services
from playground.ui.train import compare
from tests.helpers import TINY, browser, messages, mounts, prose, tell, written
from tests.pages import button, fine, host, link_to, page, visitor  # noqa: F401

WAITING = TINY.updated({"training.steps": 100_000})


@pytest.fixture
def app() -> AppTest:
    """A page that compares two runs: the first has ended, the second is paused."""
    opened = page("train.py", pace="Full speed")
    first = start(opened, TINY)
    assert first.wait("finished")
    start(opened, WAITING.updated({"model.n_heads": 1}), paused=True)
    opened.session_state["train view"] = "compare"
    return fine(opened.run())


def start(app: AppTest, config: RunConfig, **options) -> Run:
    return services().runs.start(visitor(app), config, **options)


def runs(app: AppTest) -> list[Run]:
    """Oldest first."""
    return services().runs.of(visitor(app))[::-1]


def table(app: AppTest) -> dict:
    """What the browser gets to draw the table, as it puts it together."""
    ((_, data),) = mounts(app, "rows", "most")
    for row in data["rows"]:
        row |= row["now"] | {"colour": row["now"]["line_colour"] if row["colour"] is None else row["colour"]}
    return data


def does(app: AppTest, *acts: tuple) -> AppTest:
    """Does in the table what a person may do there: (verb, id of a run, value) each."""
    ((component, data),) = mounts(app, "rows", "most")
    numbered = [[data["heard"] + number, *act] for number, act in enumerate(acts, 1)]
    return fine(tell(app, component, state={"acts": {"session": data["session"], "acts": numbered}}))


def test_the_newest_runs_are_compared_at_first_and_the_address_says_so(app):
    first, second = runs(app)
    data = table(app)
    assert [row["id"] for row in data["rows"]] == [second.id, first.id]
    assert all(row["shown"] and row["mine"] for row in data["rows"])
    assert data["rows"][0]["difference"] == "Heads 2 → 1, Steps 40 → 100000"
    assert [row["first"] for row in data["rows"]] == [False, True]
    assert app.query_params["view"] in ("compare", ["compare"])
    assert app.query_params["with"] in (f"{first.id},{second.id}", [f"{first.id},{second.id}"])
    assert "Same initial weights" in prose(app)


def test_runs_that_are_started_meanwhile_join_the_others(app):
    fine(app.run())
    new = start(app, WAITING, paused=True)
    app.session_state["train view"] = "run"
    app.run()
    app.session_state["train view"] = "compare"
    assert next(row["id"] for row in table(fine(app.run()))["rows"] if row["shown"]) == new.id
    does(app, *(("show", run.id, False) for run in runs(app)))
    assert not any(row["shown"] for row in table(fine(app.run()))["rows"]), "what was unticked stays so"
    assert any("Select runs" in each.value for each in app.info)


def test_a_run_is_renamed_coloured_noted_and_chosen_in_the_table(app):
    first, second = runs(app)
    does(
        app,
        ("rename", first.id, " four heads "),
        ("colour", first.id, 5),
        ("note", first.id, "the usual"),
        ("show", second.id, False),
        ("sort", "", "-steps"),
    )
    row = table(app)["rows"][-1]
    assert (row["name"], row["colour"], row["note"]) == ("four heads", 5, "the usual")
    assert [row["shown"] for row in table(app)["rows"]] == [False, True]
    assert table(app)["sort"] == "-steps"
    assert app.code[0].value.endswith(f"?view=compare&with={first.id}"), "the link to share"
    assert first.metadata.name == "four heads"
    does(app, ("show", second.id, True), ("first", second.id, None))
    assert app.query_params["with"] in (f"{second.id},{first.id}", [f"{second.id},{first.id}"])
    does(app, ("rename", second.id, "four heads"))
    problem = table(app)["problem"]
    assert (problem["id"], problem["verb"], problem["value"]) == (second.id, "rename", "four heads")
    assert problem["sentence"].endswith(".")
    with pytest.raises(ValueError, match="already have a run named Four heads"):
        services().runs.rename(second, "\u202eFour\u200b heads")
    services().runs.rename(second, "\ufeffmy\u202e run")
    assert second.metadata.name == "my run"
    services().runs.rename(first, "Four heads")
    assert first.metadata.name == "Four heads", "its own name in another spelling"


def test_acts_are_done_once_and_only_for_this_session(app):
    heard = {"session": "mine", "serial": 3}
    message = {"session": "mine", "acts": [[3, "stop", "x", None], [4, "sort", "", "loss"], [5, "show"], "nonsense"]}
    assert carried_out(message, heard) == [("sort", "", "loss")]
    assert carried_out(message, heard) == []
    assert carried_out({**message, "session": "another"}, {"session": "mine", "serial": 0}) == []
    assert carried_out(None, heard) == []


def carried_out(message: object, heard: dict) -> list[tuple]:
    done: list[tuple] = []
    acts.carry_out_new(message, heard, lambda *act: done.append(act[: 2 + (act[2] is not None)]))
    return done


@pytest.mark.parametrize(
    ("error", "later"),
    [(RerunException(RerunData()), ["b", "c"]), (ValueError(), ["c"])],
    ids=["by Streamlit", "by its own error"],
)
def test_an_act_that_is_broken_off_is_done_again_unless_it_failed(error, later):
    heard = {"session": "mine", "serial": 0}
    message = {"session": "mine", "acts": [[1, "show", "a", False], [2, "show", "b", False], [3, "show", "c", False]]}
    done: list[str] = []

    def act_until_b(_verb: str, run_id: str, _value: object) -> None:
        if run_id == "b":
            raise error
        done.append(run_id)

    with pytest.raises(type(error)):
        acts.carry_out_new(message, heard, act_until_b)
    assert done == ["a"]
    assert [run_id for _, run_id, *_ in carried_out(message, heard)] == later


def test_the_page_reports_an_act_that_failed_and_the_browser_does_not_send_it_again(app, monkeypatch):
    monkeypatch.setattr(SessionState, "_call_callbacks", presses._call_whole)
    monkeypatch.setitem(compare._OWN, "note", lambda run, value: [][1])
    run = runs(app)[0]
    does(app, ("note", run.id, "mine"))
    assert "The last action failed" in written(app)
    heard = next(data for _, data in mounts(app, "heard", "rows"))["heard"]
    does(app, ("colour", run.id, 3))
    assert next(data for _, data in mounts(app, "heard", "rows"))["heard"] == heard + 1
    assert "The last action failed" not in written(app)
    assert run.metadata.colour == 3


def test_without_a_run_in_the_charts_or_in_the_table_the_view_stays(app):
    for run in services().runs.of(visitor(app)):
        run.store.set(sweep="of two")
    app.session_state["runs listed"] = {}
    app.session_state["compared"] = "gone"
    fine(app.run())
    assert "1 run in this link no longer exists." in messages(app)
    assert next(data for _, data in mounts(app, "hidden", "rows"))["hidden"] == len(runs(app))


@pytest.mark.wcag("3.3.4")
def test_a_run_is_deleted_and_comes_back(app):
    first, second = runs(app)
    does(app, ("delete", second.id, None))
    assert runs(app) == [first, second], "it has not ended"
    does(app, ("stop", second.id, None), ("delete", first.id, None))
    assert second.wait("stopped")
    assert runs(app) == [second]
    assert [row["id"] for row in table(app)["rows"]] == [second.id]
    assert f"Deleted {first.metadata.name}" in prose(app)
    assert "no longer exists" not in prose(app)
    button(app, "Undo").click().run()
    assert runs(fine(app)) == [first, second]
    assert first.store.folder.path.exists()
    assert [row["id"] for row in table(app)["rows"] if row["first"]] == [first.id], "the reference is itself again"


def test_a_run_is_opened_from_the_table(app):
    first, _ = runs(app)
    does(app, ("open", first.id, None))
    assert app.session_state["train view"] == "run"
    assert app.session_state["run"] == first.id
    assert "with" not in app.query_params
    assert any(each.label == "Train" for each in app.button)


def test_a_duplicate_has_one_setting_changed(app):
    first, _ = runs(app)
    app.selectbox(key="duplicated setting").set_value("model.d_model").run()
    value = next(each for each in app.number_input if each.label == "Value")
    assert value.value == TINY.model.d_model
    value.set_value(9).run()
    assert "is not divisible by Heads 2" in messages(fine(app), "wrong")[0]
    assert button(app, "Start").disabled
    value = next(each for each in app.number_input if each.label == "Value")
    assert value.value == 9, "what was typed stays"
    value.set_value(12).run()
    assert "Model width 8 → 12" in prose(fine(app))
    button(app, "Start").click().run()
    made = runs(fine(app))[-1]
    assert made.config == first.config.updated({"model.d_model": 12})
    assert [row["shown"] for row in table(app)["rows"]] == [True] * 3
    assert app.session_state["duplicated"] == first.id, "the next one is made from the same run"


def test_a_duplicate_says_if_its_setting_has_no_effect(app):
    app.selectbox(key="duplicated setting").set_value("model.n_experts").run()
    assert messages(fine(app), "care") == ["“Experts” has an effect only with Feed-forward mixture."]
    app.selectbox(key="duplicated setting").set_value("model.feed_forward").run()
    assert not messages(fine(app), "care")


def test_a_duplicate_that_the_host_refuses_is_answered_with_a_sentence(app):
    services().runs.host.__dict__["runs_per_visitor"] = 1
    button(app, "Start").click().run()
    assert "Stop one first" in messages(fine(app), "wrong")[0]
    assert len(runs(app)) == 2


def test_others_watch_by_the_link_and_change_nothing(app):
    first, second = runs(app)
    other = link_to("train.py", view="compare", **{"with": f"{second.id},gone,{first.id}"})
    assert "1 run in this link no longer exists" in messages(other, "care")[0]
    assert [row["id"] for row in table(other)["rows"]] == [second.id, first.id]
    assert not any(row["mine"] for row in table(other)["rows"])
    does(
        other,
        ("stop", second.id, None),
        ("delete", first.id, None),
        ("rename", first.id, "theirs"),
        ("colour", first.id, 1),
        ("nonsense", first.id, 1),
    )
    assert not second.ended
    assert first.metadata.name != "theirs"
    assert runs(app) == [first, second]
    assert not other.get("warning"), "shown once"
    does(other, ("show", first.id, False))
    assert [row["shown"] for row in table(other)["rows"]] == [True, False], "it can be ticked again"


def test_at_most_eight_are_drawn_together(app):
    more = [start(app, WAITING.updated({"seed": seed}), paused=True) for seed in range(1, 9)]
    does(app, *(("show", run.id, True) for run in more))
    assert sum(row["shown"] for row in table(app)["rows"]) == table(app)["most"] == 8
    assert table(app)["hidden"] == 0
    more[0].set_colour(more[1].metadata.colour)
    does(app, ("show", more[1].id, False), ("show", more[1].id, True))
    assert len({row["colour"] for row in table(app)["rows"] if row["shown"]}) == 8, "no two of one colour"


def test_nothing_to_compare_yet_says_what_to_do():
    app = link_to("train.py", view="compare")
    assert any("No runs to compare yet" in each.value for each in app.info)
    start(app, WAITING, paused=True)
    assert [row["shown"] for row in table(fine(app.run()))["rows"]] == [True]
    assert link_to("train.py", view="nonsense").session_state["train view"] == "run"


def test_a_view_that_is_left_leaves_the_address(app):
    app.session_state["train view"] = "run"
    fine(app.run())
    assert not {"view", "with", "sorted"} & set(app.query_params)


def test_the_records_go_out_whole(app):
    first, second = runs(app)
    rows = list(csv.DictReader(io.StringIO(compare.comparison.to_csv([first, second]))))
    measured = {(row["run"], int(row["step"])) for row in rows if row["measure"] == "loss"}
    assert {step for name, step in measured if name == first.metadata.name} == set(range(1, 41))
    assert [each.proto.label for each in app.get("download_button")] == ["CSV", "JSON"]


def test_other_settings_on_build_start_a_run_beside_the_one_that_is_shown():
    app = page("train.py", pace="Full speed")
    first = start(app, WAITING, paused=True)
    assert re.search("Build page has other settings: .* can't change mid-run", prose(fine(app.run())))
    button(app, "Start a new run with these").click().run()
    assert not first.ended
    newest = runs(fine(app))[-1]
    assert newest is not first
    assert newest.config == services().runs.current(visitor(app)).config != first.config
    assert app.session_state["run"] == newest.id


def test_nothing_is_computed_again_for_a_run_that_has_not_moved(app):
    _, paused = runs(app)
    known = run_view.fields(paused)
    assert run_view.fields(paused) is known
    paused.set_note("mine")
    assert run_view.fields(paused)["note"] == "mine"
    assert run_view.row(paused) is run_view.row(paused)
    for kind in ("run", "row"):
        channel = channels.find(f"{kind}/{paused.id}", "")
        assert channel.refresh()
        assert not channel.refresh()


def test_what_a_view_shows_of_runs_is_followed(app):
    first, second = runs(app)
    watched = [data["shown"] for _, data in mounts(app, "shown")]
    assert {"visitor/runs": run_view.listed(visitor(app))} in watched
    (compared,) = (shown for shown in watched if "settings" in shown.get(f"row/{first.id}", {}))
    assert set(compared[f"row/{second.id}"]) == {"settings", "name", "line_colour"}
    for channel, shown in compared.items():
        assert shown.items() <= run_view.row(services().runs.watched(channel.removeprefix("row/"))).items()
    before = run_view.listed(visitor(app))
    first.rename("another")
    assert run_view.listed(visitor(app)) != before


def test_the_list_of_runs_is_sent_to_their_visitor_alone():
    routes = startup.routes()
    own, stranger, nobody = browser(*routes), browser(*routes), browser(*routes, cookie=False)

    def listed(client) -> str:
        answer = client.get("/live", params={"c": "visitor/runs", "once": "1"}).text
        return "gone" if '"gone":true' in answer else re.search('"listed":"([^"]+)"', answer)[1]

    empty = listed(own)
    services().runs.start(identity.visitor_of(own.cookies[identity.VISITOR_COOKIE]), WAITING, paused=True)
    assert listed(own) != empty
    assert listed(stranger) == empty
    assert listed(nobody) == "gone"


def test_the_costs_of_each_run_stand_beside_each_other(app):
    shown = next(each.value for each in app.get("html") if "Cost by part" in each.value)
    rows = [re.sub(r"<[^>]+>|&ensp;", " ", row).split("  ") for row in shown.split("<tr>")[2:]]
    found = {cells[0].strip() or cells[1].strip(): cells for cells in ([c for c in row if c.strip()] for row in rows)}
    parameters = [sum(parameter_counts(run.config).values()) for run in runs(app)]
    assert [int(cell.replace(",", "")) for cell in found["Parameters"][1:]] == parameters
    wide = TINY.model.d_model
    assert [cell.strip() for cell in found["KV cache: bytes per token"][1:]] == [f"{4 * 2 * wide:,}"] * 2
