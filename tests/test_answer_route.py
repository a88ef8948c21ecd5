"""The answer to a browser with an input of its own: what the model answers at a step."""

import pytest

from playground.decoding import generate, generate_text
from playground.tasks import decode, encode
from playground.ui import startup
from playground.ui.server import work
from tests.helpers import browser
from tests.test_attention_route import client, known

__all__ = ["client"]  # a fixture


@pytest.mark.parametrize(("step", "at"), [("30", 30), ("", 30), ("3", 0)])
def test_a_beginning_goes_on_as_the_model_of_that_step_continues_it(client, monkeypatch, step, at):
    run = known(monkeypatch, "decoder-only", name="text", max_length=8)
    answer = client.get(f"/runs/{run.id}/answer", params={"step": step, "input": "Two old"})
    assert answer.status_code == 200
    source = encode("Two old", run.config.task)
    expected = decode(generate(run.model_at(at), source), run.config.task)
    assert answer.json() == {"step": at, "reads": decode(source, run.config.task), "says": expected}
    assert expected


def test_other_tasks_answer_too(client, monkeypatch):
    run = known(monkeypatch)
    answer = client.get(f"/runs/{run.id}/answer", params={"step": 30, "input": "3 1 2"}).json()
    assert " ".join(answer["says"]) == generate_text(run.model_at(30), "3 1 2")


def test_the_same_input_at_the_same_step_is_answered_once_for_all(client, monkeypatch):
    run, made = known(monkeypatch), []
    begin = run.store.snapshots.near
    monkeypatch.setattr(run.store.snapshots, "near", lambda step: made.append(step) or begin(step))
    for text in ("3 1 2", "312", " 3  1 2 "):
        assert client.get(f"/runs/{run.id}/answer", params={"step": 30, "input": text}).status_code == 200
    assert made == [30]


def test_what_cannot_be_read_is_refused_in_one_sentence_and_takes_no_turn(client, monkeypatch):
    run = known(monkeypatch, "decoder-only", name="text", max_length=8)
    monkeypatch.setattr(work, "COMPUTING", None)
    for asked, status, sentence in (
        ({"input": ""}, 422, "The input is empty; type at least one character, for example "),
        ({"input": "Two %"}, 422, "“%” at position 5 of the input is not in the text that this model learns."),
        ({"input": "Two old dogs"}, 422, "The input has 12 characters; this model reads at most 8."),
        ({"input": "Two", "step": "x"}, 400, "Invalid step. Use a whole number of at least 0."),
    ):
        answer = client.get(f"/runs/{run.id}/answer", params=asked)
        assert (answer.status_code, answer.text[: len(sentence)]) == (status, sentence)
    assert client.get("/runs/other/answer", params={"input": "Two"}).status_code == 410


def test_nobody_is_answered(monkeypatch):
    run = known(monkeypatch)
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)
    nobody = browser(*startup.routes(), cookie=False)
    assert nobody.get(f"/runs/{run.id}/answer", params={"input": "3 1 2"}).status_code == 403
