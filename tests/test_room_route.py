"""The contract of rooms for clients: codes, keys, cookies, events, and refusals in one sentence."""

import json
from dataclasses import replace

import pytest

from playground.lessons.lesson import fill, lessons
from playground.rooms import Rooms
from playground.ui import startup
from playground.ui.passes import tensors
from playground.ui.room import access, room_channel, truth
from playground.ui.server import refusal, work
from playground.ui.server.channels import find
from playground.ui.session import walks
from playground.ui.session.services import services
from tests.helpers import TINY, browser, small_model
from tests.pages import host

__all__ = ["host"]  # a fixture


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    for module in (refusal, work):
        monkeypatch.setattr(module, "REFUSAL_DELAY", 0.0)
    monkeypatch.setattr(access, "WRONG_CODES", access.WrongCodes())
    room_channel.begin()


@pytest.fixture
def client():
    return browser(*startup.routes())


@pytest.fixture
def opened(client):
    answer = client.post("/room").json()
    return answer["code"], answer["host"]


def seat(code: str):
    """A browser that has joined."""
    one = browser(*startup.routes())
    assert one.post(f"/room/{code}/join").status_code == 200
    return one


def state(client, code: str) -> dict:
    content = client.get(f"/room/{code}/events", params={"once": 1}).text
    (line,) = [line for line in content.splitlines() if line.startswith("data: ")]
    return json.loads(line[6:])


def test_a_whole_room(client, opened):
    code, key = opened
    anna, ben = seat(code), seat(code)
    act = lambda verb, **fields: client.post(f"/room/{code}/{verb}", json={"host": key, **fields})  # noqa: E731
    assert act("lead", context={"at": "train?run=7"}, mode="lead").status_code == 200
    assert act("ask", kind="choice", text="Which?", choices=["a", "b"], truth="b").json()["question"] == 1
    for one, given in ((anna, 0), (ben, 1), (ben, 1)):
        assert one.post(f"/room/{code}/answer", json={"question": 1, "answer": given}).status_code == 200
    now = state(client, code)
    assert (now["mode"], now["context"], now["counts"]["seats"]) == ("lead", {"at": "train?run=7"}, 2)
    assert (now["question"]["state"], now["counts"]["answers"]) == ("open", 2)
    assert act("close").status_code == 200
    late = ben.post(f"/room/{code}/answer", json={"question": 1, "answer": 0})
    assert (late.status_code, late.text) == (409, "This question is closed.")
    assert act("reveal").status_code == 200
    assert state(client, code)["question"]["result"]["choices"] == [1, 1]
    assert state(client, code)["question"]["truth"] == "b"
    table = client.post(f"/room/{code}/csv", json={"host": key}).text.splitlines()
    assert [line.split(",")[1:] for line in table[1:]] == [["1", "choice", "Which?", each, "1", "b"] for each in "ab"]
    assert act("end").status_code == 200
    assert state(client, code)["mode"] == "ended"
    assert anna.post(f"/room/{code}/answer", json={"question": 1, "answer": 0}).status_code == 410


def test_a_reload_keeps_seat_name_and_answer(client, opened):
    code, key = opened
    one = seat(code)
    before = one.post(f"/room/{code}/join").json()
    client.post(f"/room/{code}/ask", json={"host": key, "kind": "number", "text": "How many?"})
    one.post(f"/room/{code}/answer", json={"question": 1, "answer": 3})
    after = one.post(f"/room/{code}/join").json()
    assert (after["name"], after["answered"], after["answer"]) == (before["name"], True, 3)
    assert one.post(f"/room/{code}/join", json={"again": True}).json()["name"] != before["name"]
    assert state(client, code)["counts"]["seats"] == 1


def test_who_has_no_cookie_of_this_server_gets_a_seat_and_no_room(opened):
    code, _ = opened
    nobody = browser(*startup.routes(), cookie=False)
    assert nobody.post("/room").status_code == 403
    joined = nobody.post(f"/room/{code}/join")
    assert joined.json()["name"]
    assert f"playground_seat_{code}=" in joined.headers["set-cookie"]
    assert "HttpOnly" in joined.headers["set-cookie"]


def test_only_the_host_s_key_of_this_room_leads_it(client, opened):
    code, key = opened
    other = browser(*startup.routes()).post("/room").json()
    for wrong in ("", None, key[:-1], key + "x", other["host"], access._signer("room seat").sign(code).decode()):
        for verb in ("lead", "ask", "close", "reveal", "end", "csv"):
            answer = client.post(f"/room/{code}/{verb}", json={"host": wrong})
            assert (answer.status_code, answer.text) == (403, "Only the host of the room can do this.")


def test_a_seat_of_another_room_is_none_here(client, opened):
    code, _ = opened
    other = client.post("/room").json()["code"]
    one = browser(*startup.routes())
    key = one.post(f"/room/{other}/join").json()["seat"]
    answer = one.post(f"/room/{code}/answer", json={"question": 1, "answer": 0, "seat": key})
    assert (answer.status_code, answer.text) == (403, "Join the room first.")


def test_a_code_is_typed_as_people_type_it(client, opened):
    code, _ = opened
    assert browser(*startup.routes()).post(f"/room/{code[:3].lower()}-{code[3:].lower()}/join").status_code == 200


def test_wrong_codes_are_counted_for_each_client(opened, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(access, "WRONG_CODES", access.WrongCodes(lambda: now[0]))
    code, _ = opened
    guesser, other = browser(*startup.routes()), browser(*startup.routes())
    assert [guesser.post("/room/AAAAAA/join").status_code for _ in range(11)] == [404] * 10 + [429]
    refused = guesser.post(f"/room/{code}/join")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert refused.text == "Too many wrong codes. Try again in 60 s."
    assert other.post(f"/room/{code}/join").status_code == 200
    now[0] += 60
    assert guesser.post(f"/room/{code}/join").status_code == 200


@pytest.mark.parametrize(
    ("content", "status"), [(b"{", 400), (b"[]", 400), (b'{"a":NaN}', 400), (b'"' + b"x" * 9000, 413)]
)
def test_what_is_no_request_is_refused(client, opened, content, status):
    answer = client.post(f"/room/{opened[0]}/lead", content=content)
    assert answer.status_code == status


def test_a_server_that_starts_again_knows_rooms_seats_and_keys(client, opened, host):
    code, key = opened
    one = seat(code)
    client.post(f"/room/{code}/ask", json={"host": key, "kind": "number", "text": "How many?"})
    one.post(f"/room/{code}/answer", json={"question": 1, "answer": 3})
    before = state(client, code)
    services().rooms = Rooms(services().rooms._folder)
    services().rooms.load()
    after = state(client, code)
    assert {**after, "time": 0} == {**before, "time": 0}
    assert one.post(f"/room/{code}/answer", json={"question": 1, "answer": 4}).status_code == 200
    assert client.post(f"/room/{code}/reveal", json={"host": key}).status_code == 200
    assert state(client, code)["question"]["result"]["values"] == [[4.0, 1]]


def test_a_change_reaches_a_listener_whole_at_once(client, opened, monkeypatch):
    code, key = opened
    pushed = []
    monkeypatch.setattr(room_channel.STREAM, "push", pushed.append)
    client.post(f"/room/{code}/lead", json={"host": key, "mode": "free"})
    page = client.post(f"/room/{code}/join").json()["channel"]
    names = [page, page.replace("room/", "room-state/")]
    assert pushed[:2] == names
    channel = find(page, "")
    assert channel.refresh()
    assert not channel.refresh()
    message = json.loads(channel.since(1).decode().split("data: ")[1])
    assert (message["whole"], message["fields"]["mode"]) == (True, "free")
    with pytest.raises(LookupError):
        find("room/AAAAAA", "")
    for name in names:  # the event stream of pages counts no wrong codes
        for wrong in (name.rpartition("/")[0], name[:-1]):
            with pytest.raises(LookupError):
                find(wrong, "")


LESSON_QUESTIONS = [
    (name, block)
    for name, lesson in lessons().items()
    for block in lesson.questions
    if lesson.blocks[block].exercise is None
]


@pytest.mark.parametrize(("name", "block"), LESSON_QUESTIONS)
def test_every_question_of_a_lesson_can_be_asked(client, opened, name, block):
    code, key = opened
    of = {"lesson": name, "block": block, "seed": 3}
    asked = client.post(f"/room/{code}/ask", json={"host": key, "of": of, "seconds": 60})
    assert asked.status_code == 200, asked.text
    client.post(f"/room/{code}/reveal", json={"host": key})
    question = state(client, code)["question"]
    assert not set("$`") & set(question["text"])
    right = fill(lessons()[name].questions[block].answer, lessons()[name].facts(3))
    assert question["truth"] == right or lessons()[name].questions[block].choices
    if choices := question.get("choices"):
        assert question["truth"] in choices


def test_the_true_value_of_a_cell_comes_from_the_pass(client, opened):
    code, key = opened
    shown = walks.walk_of(walks.ModelSource("small", (), small_model("encoder-decoder")), "3 1 2")
    weights = next(step for step in shown.steps if step.name.endswith("cross_attention.attention.weights"))
    of = {"walk": walks.name_of(shown), "operation": weights.name}
    asked = client.post(f"/room/{code}/ask", json={"host": key, "kind": "cell", "text": "Where?", "of": of})
    assert asked.status_code == 200, asked.text
    client.post(f"/room/{code}/reveal", json={"host": key})
    at = tuple(map(int, state(client, code)["question"]["truth"].split()))
    assert weights.value[0][at] == weights.value.max()
    of = of | {"at": ",".join(map(str, at))}
    client.post(f"/room/{code}/ask", json={"host": key, "kind": "number", "text": "How much?", "of": of})
    client.post(f"/room/{code}/reveal", json={"host": key})
    assert float(state(client, code)["question"]["truth"]) == pytest.approx(weights.value.max().item(), rel=1e-3)
    gone = client.post(f"/room/{code}/ask", json={"host": key, "kind": "cell", "text": "?", "of": {"walk": "x"}})
    assert (gone.status_code, gone.text) == (410, "This forward pass has expired. Reload the page and ask again.")


def test_the_true_cell_has_the_axes_that_the_page_counts(client, opened):
    code, key = opened
    shown = walks.walk_of(walks.ModelSource("small decoder", (), small_model("decoder-only")), "3 1 2")
    name = walks.name_of(shown)
    for step in shown.steps:
        axes, values = tensors.cells(step)
        of = {"walk": name, "operation": step.name}
        asked = client.post(f"/room/{code}/ask", json={"host": key, "kind": "cell", "text": "Where?", "of": of})
        if values.dim() < 2:
            assert asked.status_code == 422, step.name
            continue
        assert asked.status_code == 200, asked.text
        question = state(client, code)["question"]
        assert (question["operation"], question["axes"]) == (step.name, axes)
        assert question["shape"] == list(values.shape)
        assert len(axes) == values.dim()
        client.post(f"/room/{code}/reveal", json={"host": key})
        at = tuple(map(int, state(client, code)["question"]["truth"].split()))
        assert values[at] == values.max()


@pytest.mark.parametrize("at", ["0,0", "9,9,9", "-1,0,0", "x", ""])
def test_a_cell_that_is_none_is_refused_with_its_axes(client, opened, at):
    code, key = opened
    shown = walks.walk_of(walks.ModelSource("small", (), small_model("encoder-decoder")), "3 1 2")
    weights = next(step.name for step in shown.steps if step.name.endswith("cross_attention.attention.weights"))
    of = {"walk": walks.name_of(shown), "operation": weights, "at": at}
    asked = client.post(f"/room/{code}/ask", json={"host": key, "kind": "number", "text": "How much?", "of": of})
    assert (asked.status_code, asked.text[:10]) == (422, "A cell of ")


def test_the_true_loss_is_that_of_the_run_when_it_is_revealed(client, host, monkeypatch):
    run = host().start("ada", TINY.updated({"training.steps": 1}))
    assert run.wait("finished")
    code, key = client.post("/room").json().values()  # of this host
    ask = {"host": key, "kind": "point", "text": "Where will it be?"}
    for step, expected in ((1, f"{run.columns(('loss',))['loss'][-1]:.4g} at step 1"), (9, "not known: the run is at")):
        of = {"run": run.id, "step": step, "measure": "loss"}
        assert client.post(f"/room/{code}/ask", json=ask | {"of": of}).status_code == 200
        assert state(client, code)["question"]["step"] == step
        assert client.post(f"/room/{code}/reveal", json={"host": key}).status_code == 200
        assert state(client, code)["question"]["truth"].startswith(expected)
    client.post(f"/room/{code}/ask", json=ask | {"of": of})
    later = services().runs.start("ada", TINY, paused=True)
    client.post(f"/room/{code}/ask", json=ask | {"of": of | {"run": later.id}})
    early = client.post(f"/room/{code}/reveal", json={"host": key})
    assert (early.status_code, early.text) == (409, "The run is at step 0. Reveal the answer when it is at step 9.")
    assert state(client, code)["question"]["state"] == "open"
    later.stop()
    assert later.wait("stopped")
    monkeypatch.setattr(services().runs, "watched", lambda run_id: None)
    assert client.post(f"/room/{code}/reveal", json={"host": key}).status_code == 200
    assert state(client, code)["question"]["truth"] == "not known: the run no longer exists"


def test_choices_that_would_be_cut_alike_stay_apart(client, opened, monkeypatch):
    code, key = opened
    lesson = lessons()["attention"]
    long = tuple(f"The weights of all queries that come before token {at}" for at in (1, 2))
    question = replace(lesson.questions[0], choices=long, answer=long[1])
    blocks = (replace(lesson.blocks[0], question=question), *lesson.blocks[1:])
    monkeypatch.setitem(truth.lessons(), "attention", replace(lesson, blocks=blocks))
    asked = client.post(f"/room/{code}/ask", json={"host": key, "of": {"lesson": "attention", "block": 0, "seed": 0}})
    assert asked.status_code == 200, asked.text
    client.post(f"/room/{code}/reveal", json={"host": key})
    question = state(client, code)["question"]
    assert len(set(question["choices"])) == 2
    assert question["truth"] == question["choices"][1]


def test_a_question_that_is_too_long_keeps_its_last_sentence_and_no_table(client, opened):
    code, key = opened
    client.post(f"/room/{code}/ask", json={"host": key, "of": {"lesson": "attention", "block": 5, "seed": 0}})
    question = state(client, code)["question"]
    assert "|" not in question["text"]
    assert question["text"].endswith("is the last one?")


def test_a_question_that_isn_t_allowed_is_refused_in_one_sentence(client, opened):
    code, key = opened
    asked = client.post(f"/room/{code}/ask", json={"host": key, "kind": "choice", "text": "?", "choices": ["a", "a"]})
    assert (asked.status_code, asked.text) == (422, "This question isn't allowed: two choices are the same.")
