"""The Sweep view of the Train page: its form, its limits and what it shows, without a browser."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from playground.common.numbers import percent
from playground.experiments.sweeps import combinations
from playground.settings.config import RunConfig, setting_paths, value_at
from playground.ui import startup
from playground.ui.server import channels
from playground.ui.session.services import services
from playground.ui.train import sweep, sweep_picture
from tests.helpers import TINY, browser, messages, mounts, progress, tell, until
from tests.pages import button, fine, host, link_to, page, visitor  # noqa: F401


def opened(config: RunConfig = TINY, **seeded) -> AppTest:
    """The view of a visitor whose Build page has these settings."""
    form = {path: value_at(config, path) for path in setting_paths()}
    return page("train.py", **form, **{"pace": "Full speed", "train view": "sweep"}, **seeded)


def drawn(app: AppTest) -> dict:
    """What the browser gets to draw the small charts."""
    values = charts(app)[1]["now"]
    return values | {"cards": [values[f"card {at}"] for at in range(sum(name.startswith("card ") for name in values))]}


def charts(app: AppTest) -> tuple[str, dict]:
    """Id and data of the component with the small charts."""
    (found,) = (each for each in mounts(app, "draws") if each[1]["draws"] == "cards")
    return found


def summary(app: AppTest) -> list[dict]:
    """The rows that the browser gets to draw the table below them."""
    ((_, values),) = (each for each in mounts(app, "draws") if each[1]["draws"] == "table")
    return [each for name, each in values["now"].items() if name.startswith("row ")]


def errors(app: AppTest) -> list[str]:
    return messages(app, "wrong")


def test_a_sweep_is_planned_started_watched_and_summed_up():
    app = opened(TINY.updated({"training.steps": 20}))
    assert app.text_input(key="sweep values 1").value == "1, 2, 4"
    assert any("No sweep yet" in each.value for each in app.info)
    app.text_input(key="sweep values 1").set_value("1, 2").run()
    app.selectbox(key="sweep setting 2").set_value("model.norm_position").run()
    assert fine(app).text_input(key="sweep values 2").value == "pre, post"
    app.number_input(key="sweep seeds").set_value(2).run()
    assert any("4 combinations × 2 seeds = **8 runs**" in each.value for each in fine(app).markdown)
    button(app, "Start sweep").click().run()
    runs = services().runs.of(visitor(app))[::-1]
    assert len(runs) == 8
    assert len({run.metadata.sweep for run in runs}) == 1
    assert all(run.wait("finished") for run in runs)
    fine(app.run())
    assert progress(app) == ": 8 of 8 ended · 0 solved"
    values = drawn(app)
    assert values["columns"] == 2
    assert [card["title"] for card in values["cards"]][:2] == [
        "Heads 1, Norm position pre",
        "Heads 2, Norm position pre",
    ]
    assert all([line["name"] for line in card["lines"]] == ["seed 0", "seed 1"] for card in values["cards"])
    assert values["cards"][0]["lines"][0]["steps"][-1] == 20
    assert [row["cells"][:2] for row in summary(app)] == [[group.title, "0 of 2"] for group in combinations(runs)], (
        "the table goes by the settings in their order, whatever that of the charts"
    )
    assert button(app, "Stop all").disabled
    assert [each.proto.label for each in app.get("download_button")] == ["CSV", "JSON"]
    app.segmented_control(key="sweep measure").set_value("loss").run()
    assert not drawn(fine(app))["percent"]
    assert app.query_params["measure"] in ("loss", ["loss"])
    assert f"sweep={runs[0].id}&measure=loss" in app.code[0].value
    app.segmented_control(key="sweep measure").set_value("exact_match").run()
    watching = link_to("train.py", view="sweep", sweep=app.session_state["sweep shown"])
    assert summary(watching) == summary(app)
    assert not any(each.label == "Stop all" for each in watching.button)
    fine(tell(app, charts(app)[0], triggers={"asked": {"verb": "compare", "value": 1}}))
    assert app.session_state["train view"] == "compare"
    ((_, values),) = mounts(app, "rows", "most")
    group = combinations(runs)[1]
    assert {row["id"] for row in values["rows"] if row["shown"]} == {run.id for run in group.runs}


def test_a_sweep_over_newer_settings_says_if_one_has_no_effect():
    app = opened(TINY, **{"sweep setting 1": "model.n_kv_heads", "sweep values 1": "1, 2"})
    (care,) = messages(fine(app), "care")
    assert care == "“Key heads” has an effect only with Attention grouped-query."
    app.selectbox(key="sweep setting 2").set_value("model.attention").run()
    assert app.text_input(key="sweep values 2").value == "multi_head, grouped_query, latent"
    assert not messages(fine(app), "care"), "in some of the runs it has"
    app.selectbox(key="sweep setting 1").set_value("model.d_rope").run()
    assert "need rotary positions" in errors(fine(app))[0]


def test_stop_all_stops_what_runs_and_what_waits(host):  # noqa: F811
    host(workers=1)
    app = opened(TINY.updated({"training.steps": 100_000}), **{"sweep values 1": "1, 2"})
    button(app, "Start sweep").click().run()
    button(fine(app), "Train anyway").click().run()
    runs = services().runs.of(visitor(app))
    assert len(runs) == 8
    assert "queued" in progress(fine(app))
    button(app, "Stop all").click().run()
    assert all(run.wait("stopped") for run in runs)
    assert not any(run.has_worker for run in runs)
    assert "8 of 8 ended" in progress(fine(app.run()))


@pytest.mark.parametrize(
    ("first", "values", "second", "expected"),
    [
        ("model.n_heads", "3", "none", "Model width 8 is not divisible by Heads 3"),
        ("model.n_heads", "1, x", "none", "“x” is not a value of Heads. Use a whole number from 1"),
        ("model.n_heads", "", "none", "Heads has no values"),
        ("model.n_heads", "1, 2", "model.n_heads", "Both settings are the same"),
        ("training.batch_size", ", ".join(map(str, range(1, 30))), "none", "The limit is 64"),
    ],
)
def test_an_invalid_sweep_is_an_error_message_and_stays_as_typed(first, values, second, expected):
    app = opened(**{"sweep setting 1": first, "sweep values 1": values, "sweep setting 2": second})
    (sentence,) = errors(app)
    assert expected in sentence
    assert button(app, "Start sweep").disabled
    assert app.text_input(key="sweep values 1").value == values


def test_a_sweep_that_the_host_refuses_is_answered_with_a_sentence(host):  # noqa: F811
    host(runs_per_visitor=3)
    app = opened()
    button(app, "Start sweep").click().run()
    assert "The limit per visitor is 3" in messages(fine(app), "wrong")[0]
    assert not services().runs.of(visitor(app))


def test_settings_that_make_no_model_are_not_swept():
    app = opened()
    app.session_state["model.d_model"] = 9
    fine(app.run())
    assert "can't be used" in errors(app)[0]
    assert button(app, "Start sweep").disabled


def test_a_link_fills_the_form():
    app = link_to("train.py", view="sweep", vary="training.learning_rate", values="0.01, 0.02", seeds="2", measure="x")
    assert app.selectbox(key="sweep setting 1").value == "training.learning_rate"
    assert any("2 values × 2 seeds = **4 runs**" in each.value for each in app.markdown)
    assert app.session_state["sweep measure"] == "exact_match"
    wrong = link_to("train.py", view="sweep", vary="nonsense", vary2="nonsense", seeds="-3", sweep="gone")
    assert wrong.selectbox(key="sweep setting 1").value == "model.n_heads"
    assert wrong.number_input(key="sweep seeds").value == 4
    assert any("This sweep no longer exists" in each.value for each in wrong.warning)
    assert not link_to("train.py", view="sweep").warning


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("model.n_heads", "1, 2, 4, 8"),
        ("model.n_layers", "1, 2"),
        ("model.norm_position", "pre, post"),
        ("model.bias", "true, false"),
        ("model.dropout", "0, 0.1, 0.2"),
        ("model.window", "0, 4, 8"),
        ("model.n_shared_experts", "0, 1, 2"),
        ("training.warmup_steps", "0, 10, 20"),
        ("training.learning_rate", "0.00125, 0.0025, 0.005, 0.01"),
    ],
)
def test_values_that_are_suggested_lie_around_those_of_the_form(path, values):
    assert sweep.suggested(path, RunConfig()) == values


def test_the_event_stream_tells_of_a_sweep_what_has_changed_and_computes_nothing_else(host, monkeypatch):  # noqa: F811
    host(workers=1)
    app = opened(TINY.updated({"training.steps": 100_000}), **{"sweep values 1": "1, 2", "sweep seeds": 1})
    button(app, "Start sweep").click().run()
    button(fine(app), "Train anyway").click().run()
    going, waiting = services().runs.of(visitor(app))[::-1]
    going.pause()
    assert going.wait("paused")
    channel = channels.find(f"sweep/{going.id}/loss", "")
    clock = Clock()
    monkeypatch.setattr(sweep_picture, "monotonic", clock)
    assert channel.refresh()
    assert channel.moving
    drawn = []
    monkeypatch.setattr(sweep_picture, "_card", lambda group, *rest: drawn.append(group) or {"title": group.title})
    monkeypatch.setattr(sweep_picture, "_numbers", drawn.append)
    clock.now += 2
    assert not channel.refresh()
    assert not drawn, "nothing has moved"
    step = going.step
    going.step_once()
    until(lambda: going.status == "paused" and channel.refresh() is False and going.step > step)
    known = channel.version
    assert not drawn, "it is looked at once in a while"
    clock.now += 2
    assert channel.refresh()
    assert [group.runs for group in drawn] == [(going,)]
    news = json.loads(channel.since(known).decode().partition("data: ")[2])["fields"]
    assert "card 0" in news
    assert not {"card 1", "row 0", "ended", "fair"} & set(news)
    assert waiting.status == "queued"


def test_a_card_draws_the_interval_of_each_line_and_says_why_a_run_is_not_solved():
    service = services().runs
    (run,) = service.start_many("ada", [TINY.updated({"training.steps": 4})], sweep="seeds")
    assert run.wait("finished", "solved", "failed")
    (group,) = sweep_picture.combinations([run])
    card = sweep_picture._card(group, "exact_match", 100)
    (line,) = card["lines"]
    assert len(line["bands"]) == len(line["values"]) > 0
    assert all(low <= value <= high for value, (low, high) in zip(line["values"], line["bands"], strict=True))
    came = sweep_picture.comparison.outcome(run)
    assert came.solved_step is None
    best = f"{percent(came.best_exact_match)} of {came.best_sequences:,}"
    assert card["note"] == f"Unsolved, best: {best} sequences"
    assert sweep_picture._card(group, "loss", 100)["lines"][0]["bands"] == []
    picture = sweep_picture.Picture([run], "exact_match")
    assert picture.charts()["unit"] == "Exact match (% right) by step. One line for each seed. Band: 95 % interval."


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_who_knows_a_run_of_a_sweep_may_watch_all_of_it_and_nothing_else():
    app = opened(TINY.updated({"training.steps": 1}), **{"sweep values 1": "1, 2", "sweep seeds": 1})
    button(app, "Start sweep").click().run()
    runs = services().runs.of(visitor(app))
    assert all(run.wait("finished") for run in runs)
    single = services().runs.start(visitor(app), TINY, paused=True)
    stranger = browser(*startup.routes(), cookie=False)
    for run in runs:
        answer = stranger.get("/live", params={"c": f"sweep/{run.id}/loss", "once": "1"}).text
        assert "2 of 2 ended" in answer
        assert single.id not in answer
        assert run.id not in answer.replace(f"sweep/{run.id}/loss", ""), "an id is a right"
    for name in (f"sweep/{single.id}/loss", f"sweep/{runs[0].id}/nonsense", f"sweep/{runs[0].id}", "sweep//loss"):
        assert '"gone":true' in stranger.get("/live", params={"c": name, "once": "1"}).text
