"""The view of circuits: its numbers are those of the core, a link restores it, and its ending was measured."""

import json
from html import escape

import numpy as np
import pytest
import torch
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df

from playground.common.numbers import percent
from playground.interpret import circuits
from playground.interpret.programs import programs
from playground.model.head_paths import Head, heads
from playground.storage.checkpoint import save
from playground.tasks import token_names
from playground.ui.session.services import services
from tests.helpers import written
from tests.pages import button, host, last_walk, link_to, text
from tests.saved import RECORDS, tiny
from tests.test_experiment_heads import measured
from tests.test_heatmap import decode

__all__ = ["host"]  # a fixture that acts by itself

MODEL = "reverse-1-16"
CROSS = "decoder.layers.0.cross_attention"


def opened(model: str = MODEL, **query: str):
    return link_to("experiment.py", view="circuits", model=model, **query)


def kept(architecture: str, **model) -> str:
    """The name of a tiny checkpoint in the library."""
    save(services().host.checkpoints / "tiny", tiny(architecture, **model), RECORDS)
    return "tiny"


def maps(app) -> list[dict[str, np.ndarray]]:
    """What the components show, by title, in their order."""
    drawn = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "playground_maps"]
    found = []
    for each in drawn:
        header, arrays = decode(each.bytes)
        found.append(
            {tensor["title"]: array["values"] for tensor, array in zip(header["tensors"], arrays, strict=True)}
        )
    return found


def plotted(app) -> tuple[list[dict], dict]:
    """Rows of the scatter plot, and its specification."""
    (chart,) = app.get("vega_lite_chart")
    (data,) = [*chart.proto.datasets] or [chart.proto]
    return convert_arrow_bytes_to_pandas_df(data.data.data).to_dict("records"), json.loads(chart.proto.spec)


def test_the_circuits_of_the_chosen_head_are_those_of_its_weights():
    app = opened(circuit=f"{CROSS}.head.2")
    head, walk = Head(CROSS, 2), last_walk()
    shown, _ = maps(app)
    expected = [
        circuits.qk_over_positions(walk.model, head, walk.batch),
        circuits.qk_over_tokens(walk.model, head),
        circuits.ov_over_tokens(walk.model, head),
    ]
    assert [title.partition(":")[0] for title in shown] == ["QK over positions", "QK over tokens", "OV over tokens"]
    for values, wanted in zip(shown.values(), expected, strict=True):
        np.testing.assert_allclose(values[0], wanted.numpy(), atol=1e-5)
    copied = percent(circuits.copying(expected[2]))
    copying = f"Copying: for {copied} of the symbols, attending to the symbol raises its own logit more than any other."
    assert copying in text(written(app))
    assert app.query_params["circuit"] == f"{CROSS}.head.2"


def test_an_unknown_head_is_named_and_another_one_shown():
    app = opened(circuit="nothing")
    assert "This model has no head “nothing”. Another one is shown." in text(written(app))
    assert app.query_params["circuit"] == f"{CROSS}.head.0"


def test_a_circuit_that_does_not_exist_is_explained():
    app = opened(kept("encoder-only", positions="none", n_layers=2))
    page = text(written(app))
    assert "QK over positions: This model adds no vectors for positions." in page
    (shown,) = maps(app)
    assert [title.partition(":")[0] for title in shown] == ["QK over tokens", "OV over tokens"]
    encoder = opened(circuit="encoder.layers.0.self_attention.head.0")
    assert "OV over tokens: The output layer doesn't read the encoder directly." in text(written(encoder))


def test_positions_are_the_table_and_its_products():
    _, shown = maps(opened(input="3 1 4"))
    walk = last_walk()
    vectors = circuits.position_vectors(walk.model, walk.batch)
    assert next(iter(shown)) == "Encoder: vector of each position"
    np.testing.assert_array_equal(shown["Encoder: vector of each position"][0], vectors["encoder"].numpy())
    products = (vectors["decoder"] @ vectors["decoder"].T).numpy()
    np.testing.assert_allclose(shown["Decoder: dot products of all pairs"][0], products, rtol=1e-5, atol=1e-5)


def test_embeddings_are_drawn_in_their_principal_components():
    rows, spec = plotted(opened())
    model = last_walk().model
    found = circuits.principal_components(circuits.token_vectors(model))
    assert [row["token"] for row in rows] == list(token_names(model.config.task))
    np.testing.assert_allclose([[row["x"], row["y"]] for row in rows], found.coordinates.numpy(), atol=1e-5)
    assert percent(float(found.explained[0])) in json.dumps(spec)


def test_hidden_states_are_coloured_as_the_link_says():
    rows, spec = plotted(measured(opened(vectors=CROSS, colour="position")))
    states = circuits.hidden_states(last_walk().model, CROSS)
    every = slice(None, None, -(-len(states.tokens) // 600))
    assert [row["position"] for row in rows] == (states.positions[every] + 1).tolist()
    found = circuits.principal_components(states.vectors).coordinates[every]
    np.testing.assert_allclose([[row["x"], row["y"]] for row in rows], found.numpy(), atol=1e-3)
    assert spec["layer"][0]["encoding"]["color"]["field"] == "position"
    tokens, spec = plotted(opened(vectors="other", colour="other"))
    assert len(tokens) == len(token_names(last_walk().model.config.task))
    assert spec["layer"][1]["mark"]["color"] == "#777", "black text is invisible on a dark page"


@pytest.mark.parametrize("architecture", ["encoder-decoder", "decoder-only"])
def test_programs_end_with_how_far_they_are_the_model(architecture):
    torch.manual_seed(0)
    app = opened(kept(architecture))
    assert "This model is this program" not in text(written(app))
    button(app, "Find the programs").click().run()
    page = text(written(measured(app)))
    model = last_walk().model
    *_, (_, _, found) = programs(model)
    for head in heads(model.config.model):
        assert f"attends {found.fits[head].program.words}{found.fits[head].weight:.2f}" in page
    assert f"This model is this program in {percent(found.together.agreement)} of the cases. {found.conclusion}" in page
    for difference in found.together.differences:
        assert f"<code>{escape(difference.source)}</code>" in written(app)
