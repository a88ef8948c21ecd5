"""An operation for a browser that follows: the same bytes and words as the page draws, without a script run."""

import numpy as np
import pytest

from playground.ui import startup
from playground.ui.session import walks
from tests.helpers import ARCHITECTURES, browser, small_model
from tests.test_heatmap import decode


@pytest.fixture(scope="module")
def client():
    return browser(*startup.routes())


def ask(client, looked, **words):
    return client.get(f"/walk/{walks.name_of(looked)}/operation", params=words)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_operation_comes_with_its_tensors_and_words(client, architecture):
    looked = walks.walk_of(walks.ModelSource("small", (architecture,), small_model(architecture)), "3 1 4 1")
    for number, step in enumerate(looked.steps, 1):
        answer = ask(client, looked, operation=step.name)
        assert answer.status_code == 200
        header, values = decode(answer.content)
        output = next(index for index, tensor in enumerate(header["tensors"]) if tensor["output"])
        np.testing.assert_array_equal(values[output]["values"].flatten(), step.value.flatten())
        assert header["operation"] == header["marks"]["lit"] == step.name
        assert f"Operation {number} of {len(looked.steps)}" in header["explanation"]["head"]
        assert header["explanation"]["formula"].startswith("<math")


def test_the_look_is_that_of_the_address(client):
    looked = walks.walk_of(walks.ModelSource("small", ("look",), small_model("encoder-decoder")), "3 1 4 1")
    name = "decoder.layers.0.cross_attention.attention.weights"
    header, _ = decode(ask(client, looked, operation=name, cell="1.0.2", head="1", table="True").content)
    assert {part: header["look"][part] for part in ("cell", "head", "table")} == {
        "cell": [1, 0, 2],
        "head": 1,
        "table": True,
    }
    header, _ = decode(ask(client, looked, operation=name, cell="<b>", head="x", columns="99999").content)
    assert (header["look"]["cell"], header["look"]["head"], header["look"]["columns"]) == (None, None, 0)


def test_what_is_not_there_is_refused(client):
    looked = walks.walk_of(walks.ModelSource("small", ("gone",), small_model("encoder-decoder")), "3 1 4 1")
    assert ask(client, looked, operation="encoder.unknown").status_code == 404
    gone = client.get("/walk/unknown/operation", params={"operation": "encoder.tokens"})
    assert (gone.status_code, gone.text) == (410, "This forward pass has expired. Reload the page.")
