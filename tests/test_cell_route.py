"""The answer to a browser that points at a cell."""

import json

import pytest

from playground.explain.words import parameter_symbol
from playground.ui import startup
from playground.ui.server import work
from playground.ui.session import walks
from tests.helpers import browser, small_model

SCORES = "decoder.layers.0.cross_attention.attention.scores"
PROJECTION = "decoder.layers.0.cross_attention.query_projection"


@pytest.fixture(scope="module")
def client():
    return browser(*startup.routes())


@pytest.fixture
def kept():
    """A walk that the server keeps, and its name."""
    looked = walks.walk_of(walks.ModelSource("small", ("test",), small_model("encoder-decoder")), "3 1 4 1", "1 4 1 3")
    return looked, walks.name_of(looked)


def ask(client, name: str, operation: str, at: str):
    return client.get(f"/walk/{name}/cell", params={"operation": operation, "at": at})


def test_a_cell_is_sent_with_its_terms_and_sources(client, kept):
    looked, name = kept
    answer = ask(client, name, SCORES, "0,1,2,3")
    assert answer.status_code == 200
    assert answer.headers["cache-control"].startswith("private")
    data = answer.json()
    assert data["value"] == pytest.approx(float(looked[SCORES].value[0, 1, 2, 3]), rel=1e-4)
    (line,) = data["lines"]
    assert line["over"] == "k"
    assert sum(term[-1] for term in line["terms"]) == pytest.approx(data["value"])
    assert all(a * b == pytest.approx(product) for a, b, product in line["terms"])
    assert line["symbolic"].startswith("<math")
    reads = {read["tensor"].rpartition(".")[2]: read["region"] for read in data["reads"]}
    assert reads == {"query": [[0, 1], [1, 2], [2, 3], [0, 4]], "key": [[0, 1], [1, 2], [3, 4], [0, 4]]}
    assert data["strips"] == []


def test_so_is_a_cell_of_a_gradient(client, kept):
    looked, name = kept
    query = SCORES[: -len("scores")] + "query"
    answer = client.get(f"/walk/{name}/cell", params={"operation": query, "at": "0,1,2,3", "gradient": "1"})
    data = answer.json()
    assert data["value"] == pytest.approx(float(looked.gradients()[query][0, 1, 2, 3]), rel=1e-4)
    assert data["readers"] == [["Scores", SCORES]]
    assert {(read["tensor"].rpartition(".")[2], read["gradient"]) for read in data["reads"]} == {
        ("scores", True),
        ("key", False),
    }
    params = {"operation": "probabilities", "at": "0,0,0", "gradient": "1"}
    answer = client.get(f"/walk/{name}/cell", params=params)
    assert (answer.status_code, answer.text) == (404, "This number has no gradient.")


def test_the_line_of_a_parameter_comes_with_the_cell(client, kept):
    looked, name = kept
    weight, bias = ask(client, name, PROJECTION, "0,2,5").json()["strips"]
    layer = looked.model.get_submodule("decoder.layers.0.cross_attention.w_q")
    assert weight["title"] == "W_Q, column 6 = w_q.weight[5, :]"
    assert weight["values"] == pytest.approx(layer.weight[5].tolist())
    assert bias["title"] == "b_Q = w_q.bias[5]"
    assert bias["values"] == pytest.approx([layer.bias[5].item()])


def test_a_line_of_a_table_by_token_has_the_id_of_the_token(client, kept):
    _, name = kept
    (row,) = ask(client, name, "encoder.embeddings.token_embedding", "0,0,2").json()["strips"]
    assert row["title"].startswith("E")
    weight, _ = ask(client, name, "logits", "0,0,5").json()["strips"]
    assert weight["title"] == "W, column 5 = head.weight[5, :]"


def test_terms_count_from_one_and_are_numbered_where_they_do_not(client, kept):
    _, name = kept
    assert ask(client, name, SCORES, "0,1,2,3").json()["lines"][0]["indices"] is None, "1, 2, 3 and so on"
    total = ask(client, name, "probabilities", "0,0,0").json()["lines"][0]
    assert total["indices"] == list(range(11)), "token ids"


def test_every_operation_has_cells_that_json_can_hold(client, kept):
    looked, name = kept
    for step in looked.steps:
        at = ",".join(str(size - 1) for size in step.value.shape)
        answer = ask(client, name, step.name, at)
        assert answer.status_code == 200, step.name
        json.loads(answer.text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


def test_minus_infinity_is_null(client):
    source = walks.ModelSource("small", ("test",), small_model("encoder-decoder"))
    looked = walks.walk_of(source, "3 1 4 1", None, padding=1)
    masked = "decoder.layers.0.cross_attention.attention.masked_scores"
    assert ask(client, walks.name_of(looked), masked, "0,0,0,4").json()["value"] is None


@pytest.mark.parametrize(
    ("operation", "at", "status", "sentence"),
    [
        ("no.such.tap", "0,0", 404, "Unknown operation."),
        ("", "", 404, "Unknown operation."),
        (SCORES, "0,0,0", 400, f"A cell of {SCORES} has one number for each axis of (1, 3, 5, 4), counted from 0."),
        (SCORES, "0,0,0,4", 400, "counted from 0."),
        (SCORES, "0,0,0,-1", 400, "counted from 0."),
        (SCORES, "0,0,0,x", 400, "counted from 0."),
        (SCORES, "", 400, "counted from 0."),
        (SCORES, "0,0,0," + "0" * 5_000, 400, "counted from 0."),
    ],
)
def test_what_is_no_cell_is_refused_in_a_sentence(client, kept, operation, at, status, sentence):
    answer = ask(client, kept[1], operation, at)
    assert answer.status_code == status
    assert answer.text.endswith(sentence)
    assert answer.headers["cache-control"] == "no-store"


def test_a_walk_that_is_not_kept_is_gone(client, kept, monkeypatch):
    looked, name = kept
    assert ask(client, "somebody-else", SCORES, "0,0,0,0").status_code == 410
    monkeypatch.setattr(walks._walks, "max_bytes", 0)
    other = walks.walk_of(walks.ModelSource("small", ("test",), small_model("encoder-decoder")), "1 2", None)
    assert walks.name_of(looked) == ""
    assert ask(client, name, SCORES, "0,0,0,0").status_code == 410
    assert ask(client, walks.name_of(other), SCORES, "0,0,0,0").status_code == 200


def test_nobody_gets_a_cell(kept, monkeypatch):
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)
    assert ask(browser(*startup.routes(), cookie=False), kept[1], SCORES, "0,0,0,0").status_code == 403


def test_names_of_walks_differ_and_stay(kept):
    looked, name = kept
    source = walks.ModelSource("small", ("test",), looked.model)
    assert walks.name_of(walks.walk_of(source, "3 1 4 1", "1 4 1 3")) == name
    assert walks.name_of(walks.walk_of(source, "3 1 4 2", None)) != name
    assert len(name) >= 20


def test_only_reading_is_allowed(client, kept):
    assert client.post(f"/walk/{kept[1]}/cell").status_code == 405
    assert client.get(f"/walk/{kept[1]}").status_code == 404


@pytest.mark.parametrize(
    ("parameter", "symbol"),
    [
        ("encoder.embeddings.token_table.weight", "E"),
        ("encoder.embeddings.positions.table_from_end", "P′"),
        ("decoder.layers.0.feed_forward.w_1.bias", "b_1"),
        ("decoder.norm.weight", "γ"),
        ("head.weight", "W"),
    ],
)
def test_parameters_are_called_as_in_formulas(parameter, symbol):
    assert parameter_symbol(parameter) == symbol
