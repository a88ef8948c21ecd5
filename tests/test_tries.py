"""Tries of a room: the frontier, the host's tiles, the board, and who may see and start what."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.rooms import Rooms, tries
from playground.rooms.board import TryOutcome, board, frontier
from playground.settings.estimate import estimate
from playground.settings.presets import PRESETS
from playground.ui import startup
from playground.ui.room import tries_route
from playground.ui.server.channels import find
from playground.ui.session.services import services
from tests.helpers import LONG, TINY, browser, messages
from tests.pages import QUICK, button, fine, host, page, visitor
from tests.test_room_route import opened, quick, seat

__all__ = ["client", "host", "opened", "quick"]  # fixtures

LARGE = LONG
BUSY = TINY.updated({"training.steps": 5000})


@pytest.fixture
def client():
    return browser(*startup.routes())


def room_of(code: str):
    return services().rooms.find(code)


def person(code: str, of) -> str:
    """Key of the browser that has just joined."""
    return list(room_of(code).seats.values())[of].visitor


def tiles(client, code: str, key: str, **fields: str) -> list[dict]:
    answer = client.post(f"/room/{code}/tiles", json={"host": key, **fields})
    assert answer.status_code == 200, answer.text
    return answer.json()["tiles"]


# --- the frontier ---------------------------------------------------------------------------------


def test_of_points_on_a_falling_curve_all_are_on_the_frontier_and_of_a_rising_one_the_first():
    assert frontier([(x, 1 / x) for x in range(1, 9)]) == [True] * 8
    assert frontier([(x, x * x) for x in range(3)]) == [True, False, False]
    assert frontier([(1, 2), (1, 2), (1, 3), (2, 2)]) == [True, True, False, False]  # equal ones stay both
    assert frontier([(1, math.inf), (2, math.inf), (3, 5)]) == [True, False, True]
    assert frontier([]) == []


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=12))
def test_whoever_is_not_on_the_frontier_is_beaten_by_one_that_is(points):
    best = [point for point, kept in zip(points, frontier(points), strict=True) if kept]
    assert not points or best
    for point, kept in zip(points, frontier(points), strict=True):
        beaten = [other for other in best if other != point and all(a <= b for a, b in zip(other, point, strict=True))]
        assert bool(beaten) != kept


def test_runs_that_differ_in_the_seed_alone_are_one_configuration_with_medians():
    wide = TINY.updated({"model.d_ff": 32})
    rows = board(
        [TryOutcome(TINY.updated({"seed": seed}), 1 - seed / 10, 10 * seed + 10, 1.0 + seed) for seed in range(3)]
        + [TryOutcome(wide, 0.9, None, 2.0), TryOutcome(wide, 0.9, 15, 2.0)]
    )
    assert [(row.runs, row.exact_match, row.steps, row.seconds) for row in rows] == [
        (3, 0.9, 20, 2.0),
        (2, 0.9, None, 2.0),  # half of them weren't solved
    ]
    assert [row.best for row in rows] == [True, False]
    assert rows[0].parameters < rows[1].parameters


def test_configurations_of_different_tasks_are_not_compared_and_what_was_not_measured_is_never_best():
    sort = TINY.updated({"task.name": "sort"})
    rows = board([TryOutcome(TINY, 1.0, 10, 1.0), TryOutcome(sort, 0.1, None, 1.0)])
    assert [row.best for row in rows] == [True, True]
    (row,) = board([TryOutcome(TINY, None, None, 1.0)])
    assert (row.best, row.exact_match) == (False, None)


def test_a_text_that_a_person_wrote_is_on_no_tile_and_no_board():
    text = PRESETS["text"].config
    other = text.updated({"task.text": "".join(random.Random(1).choices("abcdefgh ", k=2000))})
    line = tries.difference(text, other)
    assert line.endswith("characters → 2,000 characters")
    assert len(line) < 60


# --- which runs a room has ------------------------------------------------------------------------


def test_a_try_is_a_run_that_a_seat_starts_while_the_room_is_open(client, opened, host):
    code, key = opened
    runs, room = services().runs, room_of(code)
    seat(code)
    anna = person(code, 0)
    stranger = runs.start("stranger", BUSY, paused=True)
    assert tiles(client, code, key) == []
    own = runs.start(anna, BUSY, paused=True)
    sweep = runs.start_many(anna, [TINY, TINY.updated({"seed": 1})], sweep="seeds")
    assert [*room.runs] == [own.id, *(run.id for run in sweep)]
    assert stranger.id not in room.runs
    room.end()
    runs.start(anna, TINY, paused=True)
    assert len(room.runs) == 3


def test_a_run_id_that_a_client_sends_counts_for_nothing(client, opened, host):
    code, key = opened
    one = seat(code)
    stranger = services().runs.start("stranger", TINY)
    assert stranger.wait("finished")
    for verb in ("join", "answer", "pace", "fork", "board"):
        one.post(
            f"/room/{code}/{verb}", json={"run": stranger.id, "id": stranger.id, "runs": [stranger.id], "exact": 1}
        )
    room = room_of(code)
    room.started(next(iter(room.seats.values())), stranger.id)  # not even a note of it shows another person's run
    assert tiles(client, code, key) == []
    assert client.post(f"/room/{code}/board", json={"host": key}).json()["rows"] == []


def test_what_was_tried_is_known_after_a_new_start(client, opened, host):
    code, key = opened
    seat(code)
    run = services().runs.start(person(code, 0), TINY)
    assert run.wait("finished")
    version = room_of(code).version
    services().runs.close()
    host()
    services().rooms.load()
    assert room_of(code).version == version
    assert [tile["id"] for tile in tiles(client, code, key)] == [run.id]


def test_a_seat_starts_presets_and_small_runs_and_the_host_any(client, opened, host):
    code, _ = opened
    runs, room = services().runs, room_of(code)
    one = seat(code)
    anna = person(code, 0)
    assert estimate(LARGE).seconds > tries.MAX_SECONDS
    why = runs.refusal(LARGE, anna)
    assert "may take 60 s of computing and have 1,000,000 parameters" in why
    wide = TINY.updated({"model.d_model": 256, "model.d_ff": 1024})
    assert "This one needs about" in runs.refusal(wide, anna)
    assert [preset for preset in PRESETS.values() if runs.refusal(preset.config.updated({"seed": 9}), anna)] == []
    assert runs.refusal(LARGE, room.owner) == runs.refusal(LARGE, "stranger") == runs.refusal(LARGE) == ""
    run = runs.start(anna, TINY, paused=True)
    with pytest.raises(ValueError, match="60 s of computing"):
        run.change({"training.steps": 100_000})
    assert one.post(f"/room/{code}/join").status_code == 200
    room.end()
    assert runs.refusal(LARGE, anna) == ""


def test_a_seat_s_large_run_is_refused_in_one_message_that_keeps_the_settings(host):
    room = services().rooms.open("host")
    app = page("build.py", form="Training")
    app.number_input(key="training.steps").set_value(100_000).run()
    room.join(visitor(app))
    button(app, "Train this model").click().run()
    (refusal,) = messages(fine(app), "wrong")
    assert "a run may take 60 s of computing and have 1,000,000 parameters" in refusal
    assert app.session_state["training.steps"] == 100_000
    assert services().runs.of(visitor(app)) == []
    for path, value in QUICK.items():
        app.session_state[path] = value
    app.session_state["training.steps"] = 300
    app.run()
    button(app, "Train this model").click().run()
    assert [*room.runs] == [run.id for run in services().runs.of(visitor(app))]


# --- tiles ----------------------------------------------------------------------------------------


def test_tiles_have_the_newest_run_of_each_seat_active_ones_first(client, opened, host):
    code, key = opened
    runs = host(workers=1)
    services().rooms = Rooms(services().rooms._folder)
    services().rooms.load()
    for _ in range(4):
        seat(code)
    shown = runs.start("lecturer", TINY)
    assert shown.wait("finished")
    client.post(f"/room/{code}/lead", json={"host": key, "context": {"at": f"train?run={shown.id}"}})
    people = [person(code, of) for of in range(4)]
    done = runs.start(people[0], TINY.updated({"model.n_heads": 1, "seed": 3}))
    assert done.wait("finished")
    active = runs.start(people[1], BUSY, pace=5)
    assert active.wait("running")
    first, second = (runs.start(who, TINY) for who in people[2:])
    there = tiles(client, code, key)
    assert [tile["id"] for tile in there] == [active.id, first.id, second.id, done.id]
    assert [(tile["status"], tile["position"], tile["waiting"]) for tile in there[1:3]] == [
        ("queued", 1, 2),
        ("queued", 2, 2),
    ]
    assert there[2]["difference"] == "same settings"
    assert there[3]["difference"] == "Heads 2 → 1, Seed 0 → 3"
    assert there[3]["step"] == there[3]["steps"] == 40
    assert 2 < len(there[3]["curve"]) <= tries.MAX_POINTS
    exact = tiles(client, code, key, measure="exact_match")[3]["curve"]
    assert exact[-1] == [40, there[3]["exact"]]
    assert client.post(f"/room/{code}/tiles", json={"host": key, "measure": "id"}).status_code == 422
    assert there[3]["exact"] == pytest.approx(done.last()["exact_match"], rel=1e-3)
    names = {each.visitor: each.name for each in room_of(code).seats.values()}
    assert [tile["name"] for tile in there] == [names[each.owner] for each in (active, first, second, done)]
    client.post(f"/room/{code}/lead", json={"host": key, "context": {"at": f"train?run={done.id}"}})
    assert tiles(client, code, key)[3]["difference"] == "Heads 2 → 1, Seed 0 → 3"  # a try that is shown is no reference


def test_a_tile_says_whether_a_person_has_chosen_the_run_s_name(client, opened, host):
    code, key = opened
    seat(code)
    runs = services().runs
    run = runs.start(person(code, 0), BUSY, paused=True)
    assert [tile["dealt"] for tile in tiles(client, code, key)] == [True]
    runs.rename(run, "Anna's run")
    assert [tile["dealt"] for tile in tiles(client, code, key)] == [False]


def test_a_deleted_try_is_gone_and_one_of_an_absent_person_stays(client, opened, host):
    code, key = opened
    for _ in range(2):
        seat(code)
    runs = services().runs
    one, other = (runs.start(person(code, of), TINY) for of in range(2))
    assert one.wait("finished")
    assert other.wait("finished")
    assert len(tiles(client, code, key)) == 2
    runs._visitors.pop(one.owner)  # as after half an hour of absence
    runs.delete(other.owner, other)
    assert [tile["id"] for tile in tiles(client, code, key)] == [one.id]
    assert not runs.is_loaded(one.owner)


def test_only_the_host_sees_tiles(client, opened, host):
    code, _ = opened
    one = seat(code)
    for wrong in ({}, {"host": "x"}, {"seat": one.post(f"/room/{code}/join").json()["seat"]}):
        answer = one.post(f"/room/{code}/tiles", json=wrong)
        assert (answer.status_code, answer.text) == (403, "Only the host of the room can do this.")


def test_the_confusion_meter_s_line_is_short_and_keeps_peaks(opened):
    room = services().rooms.find(opened[0])
    seats = [room.join() for _ in range(3)]
    room.paces = [(room.opened + at, int(at == 500), at % 2) for at in range(1000)]
    line = room.pace_line(50)
    assert len(line) <= 50
    assert max(fast for _, fast, _ in line) == 1
    assert line[-1] == (16.65, 0, 1)
    room.paces = []
    assert room.pace_line(50) == []
    room.tell_pace(seats[0], "fast")
    assert room.pace_line(50)[-1][1:] == (1, 0)


# --- try it ---------------------------------------------------------------------------------------


def test_a_seat_gets_the_settings_of_the_run_that_the_host_shows(client, opened, host):
    code, key = opened
    one = seat(code)
    nothing = one.post(f"/room/{code}/fork")
    assert (nothing.status_code, nothing.text) == (409, "The host shows no run now. Wait until a run is shown.")
    run = services().runs.start("lecturer", TINY, paused=True)
    client.post(f"/room/{code}/lead", json={"host": key, "context": {"at": f"train?run={run.id}&view=run"}})
    at = one.post(f"/room/{code}/fork").json()["at"]
    assert at.startswith("?lesson=1&")
    assert "training.steps=40" in at
    assert run.id not in at
    assert browser(*startup.routes()).post(f"/room/{code}/fork").status_code == 403
    words = "".join(random.Random(0).choices("abcdefgh ", k=2000))
    text = PRESETS["text"].config.updated({"task.text": words})
    run = services().runs.start("lecturer", text, paused=True)
    client.post(f"/room/{code}/lead", json={"host": key, "context": {"at": f"train?run={run.id}"}})
    assert one.post(f"/room/{code}/fork").status_code == 409


def test_a_person_sees_the_queue_position_of_their_own_try(opened, host):
    code, _ = opened
    host(workers=1)
    services().rooms = Rooms(services().rooms._folder)
    services().rooms.load()
    for _ in range(2):
        seat(code)
    runs, people = services().runs, [person(code, of) for of in range(2)]
    assert tries_route.own(people[0]) == {}
    assert runs.start(people[0], BUSY, pace=5).wait("running")
    runs.start(people[1], TINY)
    mine = tries_route.own(people[1])
    assert (mine["status"], mine["position"], mine["waiting"]) == ("queued", 1, 1)
    channel = find("visitor/try", people[1])
    assert channel.refresh()
    assert channel.moving
    assert b'"position":1' in channel.since(0)
    with pytest.raises(LookupError):
        find("visitor/try", "")


# --- the board ------------------------------------------------------------------------------------


def test_the_board_is_for_the_room_while_it_is_on_and_for_the_host_always(client, opened, host):
    code, key = opened
    one = seat(code)
    off = one.get(f"/room/{code}/board")
    assert (off.status_code, off.text) == (409, "The board is off. The host of the room can turn it on.")
    assert client.post(f"/room/{code}/board", json={"host": key}).json()["on"] is False
    assert client.post(f"/room/{code}/lead", json={"host": key, "board": True}).status_code == 200
    assert one.get(f"/room/{code}/board").json() == {"on": True, "reference": "first", "rows": []}
    assert browser(*startup.routes()).get(f"/room/{code}/board").status_code == 403
    client.post(f"/room/{code}/lead", json={"host": key, "board": False})
    assert one.get(f"/room/{code}/board").status_code == 409


def test_the_board_is_computed_from_runs_and_names_nobody(client, opened, host):
    code, key = opened
    runs = services().runs
    seats = [seat(code) for _ in range(2)]
    anna, ben = (person(code, of) for of in range(2))
    done = [runs.start(who, TINY.updated({"seed": seed})) for seed, who in enumerate((anna, ben))]
    done.append(runs.start(ben, TINY.updated({"model.d_ff": 32})))
    left_out = [runs.start(anna, BUSY, paused=True), runs.start(anna, TINY, pitfall=next(iter(runs.recipes)))]
    for run in [*done, left_out[1]]:
        assert run.wait("finished")
    left_out[0].stop()
    runs.rename(done[0], "Anna")
    client.post(f"/room/{code}/lead", json={"host": key, "board": True})
    answer = seats[0].get(f"/room/{code}/board")
    rows = answer.json()["rows"]
    assert sorted((row["settings"], row["runs"]) for row in rows) == sorted(
        [(rows[0]["settings"], rows[0]["runs"]), (rows[1]["settings"], rows[1]["runs"])]
    )
    assert {row["runs"] for row in rows} == {1, 2}
    assert any(row["best"] for row in rows)
    shared = next(row for row in rows if row["runs"] == 2)
    mean = sum(tries._made(run).outcome.exact_match for run in done[:2]) / 2
    assert shared["exact"] == pytest.approx(mean)
    assert shared["seconds"] == pytest.approx(sum(run.last()["seconds"] for run in done[:2]) / 2, abs=0.01)
    secrets = [run.id for run in (*done, *left_out)] + [run.metadata.name for run in (*done, *left_out)]
    secrets += [part for each in room_of(code).seats.values() for part in (each.name, each.id, each.visitor)]
    assert not [secret for secret in secrets if secret in answer.text]
