"""The view of attributions: its numbers are those of the core, and a circuit is chosen, tested, linked and pasted."""

import json
import re
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

from playground.common.numbers import percent
from playground.interpret.attribution import attributions
from playground.interpret.edges import receivers
from playground.interpret.input_pairs import held_out_pairs, typed_pairs
from playground.interpret.kept_circuit import Circuit, circuit_report, nodes_of, parts_of
from playground.storage.checkpoint import save
from playground.ui.experiment import attribution_view
from playground.ui.experiment.circuit_picture import circuit_picture, in_words, scatter_picture
from playground.ui.session import session_keys
from playground.ui.session.services import services
from tests.helpers import ARCHITECTURES, small_config, written
from tests.pages import button, fine, host, last_walk, link_to, text
from tests.saved import RECORDS, tiny
from tests.test_experiment_heads import measured

__all__ = ["host"]  # a fixture that acts by itself

MODEL = "reverse-1-16"
SVG = "{http://www.w3.org/2000/svg}"


def opened(model: str = MODEL, **query: str):
    return measured(link_to("experiment.py", view="attribution", model=model, **query))


def kept(architecture: str, **model) -> str:
    save(services().host.checkpoints / "tiny", tiny(architecture, **model), RECORDS)
    return "tiny"


def pictures(app) -> list[dict[str, ET.Element]]:
    """The clickable groups of the scatter and of the circuit, by part."""
    found = []
    for each in app.get("bidi_component"):
        if each.proto.component_name == "playground_architecture":
            root = ET.fromstring(json.loads(each.proto.json)["svg"])
            found.append({group.get("data-part"): group for group in root.iter(f"{SVG}g") if group.get("data-part")})
    return found


def inside(parts: dict[str, ET.Element]) -> set[str]:
    return {name for name, group in parts.items() if group.get("data-tip") == "In the circuit."}


def test_the_numbers_are_those_of_the_core():
    app = opened()
    model = last_walk().model
    *_, found = attributions(model, held_out_pairs(model.config), "heads", exact=True)
    page = text(written(app))
    agreement = f"Pearson {found.pearson:.3f}, Spearman {found.spearman:.3f} (100 pairs)."
    assert f"Estimates against exact changes of 12 parts: {agreement}" in page
    assert found.note in page
    assert "An effect is the logit difference with the patch minus that without it." in page
    for row in found.ranked:
        assert f"{row.exact:+.3f}{row.estimate:+.3f}{in_words(row.part)}" in page
    scatter, circuit = pictures(app)
    assert set(scatter) == {row.part for row in found.rows}
    row = found.ranked[0]
    fact = f"Change of the logit difference: estimate {row.estimate:+.3f}, exact {row.exact:+.3f}"
    assert scatter[row.part].get("data-shape") == circuit[row.part].get("data-shape") == fact
    expected = Circuit.chosen(model.config, found, threshold=0.2 * abs(row.exact))
    assert inside(circuit) == set(expected.kept)
    assert f"Kept: {len(expected.kept)} of {len(nodes_of(model.config))} heads and feed-forward networks." in page


def test_a_link_restores_the_choices():
    app = opened(
        of="edges", metric="loss", integrated="3", inputs="own", input="3 1 4", other="2 0 5", keep="50", exact="False"
    )
    model = last_walk().model
    pairs = typed_pairs(model.config, ["3 1 4"], ["2 0 5"])
    *_, found = attributions(model, pairs, "edges", "loss", integrated_steps=3)
    page = text(written(app))
    assert "Patches come from the input 2 0 5." in page
    assert "Estimates only (1 pair). Turn on exact patches to see how far they are right." in page
    assert found.note in page
    (circuit,) = pictures(app)
    largest = max(abs(row.estimate) for row in found.rows)
    expected = Circuit.chosen(model.config, found, threshold=largest / 2)
    assert inside(circuit) & set(parts_of(model.config, "edges")) == set(expected.kept)
    for word, value in {"of": "edges", "metric": "loss", "integrated": "3", "keep": "50", "exact": "False"}.items():
        assert app.query_params[word] == value or app.query_params[word] == [value]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"inputs": "own", "input": "3 1 4", "other": "3 1"}, "Your input has length 3, the other input 2."),
        ({"inputs": "own", "input": "3 1 4", "other": "x"}, "The other input can't be read."),
        ({"inputs": "own", "input": "3 1 4", "other": "3 1 4"}, "The answers of the two inputs are the same"),
    ],
)
def test_inputs_that_cannot_be_compared_are_explained(query, says):
    assert says in text(written(opened(**query)))


def test_a_model_without_a_sum_has_heads_and_nodes_only():
    app = opened(kept("decoder-only", norm_position="post"), of="edges")
    page = text(written(app))
    assert "This model has no edges to measure: post-norm changes the sum" in page
    (control,) = [each for each in app.segmented_control if each.label == "Patch"]
    assert [*control.options] == ["Heads", "Nodes"]


def test_a_circuit_is_tested_and_its_report_is_on_the_page():
    app = opened(keep="60", every="2", ablate="other")
    button(app, "Test this circuit").click().run()
    page = text(written(measured(app)))
    model = last_walk().model
    *_, found = attributions(model, held_out_pairs(model.config), "heads", exact=True)
    circuit = Circuit.chosen(model.config, found, threshold=0.6 * abs(found.ranked[0].exact))
    *_, (_, _, report) = circuit_report(model, circuit, "other", every_input=2)
    assert "of all 110 inputs of 1 to 2 symbols right" in page
    assert report.sentence in page
    for part, scores in report.parts:
        assert re.search(re.escape(percent(scores.exact_match)) + r".*" + re.escape(in_words(part)), page)
    assert f"Faithfulness by logit difference: {report.faithfulness:.3f}." in page


def test_a_circuit_by_hand_stands_in_the_address():
    app = opened(parts="hand 0 13")
    every = nodes_of(last_walk().model.config)
    _, circuit = pictures(app)
    assert inside(circuit) == {every[0], every[13]}
    assert "Chosen by hand" in text(written(app))
    assert inside(pictures(opened(parts="hand"))[1]) == set()
    button(app, "Use the threshold").click().run()
    fine(app)
    assert "Chosen by hand" not in text(written(app))


def test_a_click_keeps_or_removes_a_part(monkeypatch):
    app = opened()
    config = last_walk().model.config
    *_, found = attributions(last_walk().model, held_out_pairs(config), "heads", exact=True)
    before = inside(pictures(app)[1])
    part = "encoder.layers.0.self_attention.head.0"
    assert part not in before
    state, flashed = {"circuit kept": "", "circuit share": 20}, []
    monkeypatch.setattr(session_keys.st, "session_state", state)
    monkeypatch.setattr(attribution_view, "flash", lambda *message: flashed.append(message))
    every = nodes_of(config)

    def press(name: str) -> set[str]:
        state["circuit map"] = SimpleNamespace(part=name)
        attribution_view._picked(attribution_view.CIRCUIT_MAP, config, found)
        return {every[int(word)] for word in state["circuit kept"].split()[1:]}

    assert press(part) == before | {part}
    assert press(part) == before
    assert press("encoder.embeddings.sum[1]") == before
    assert "can't be kept alone" in flashed[0][1]


def test_a_pasted_circuit_is_used_and_another_text_is_refused():
    app = opened()
    config = last_walk().model.config
    for pasted, says in (
        ("{}", "Circuit not used. The file is not a circuit"),
        (Circuit.by_hand(small_config("encoder-only"), []).to_json(), "belongs to a model with other settings."),
    ):
        (area,) = [each for each in app.text_area if each.label == "Circuit to use"]
        area.set_value(pasted)
        button(app, "Use this circuit").click().run()
        assert says in text(written(fine(app)))
    edges = [edge for receiver in receivers(config.model) for edge in receiver.edges()]
    circuit = Circuit.by_hand(config, edges[3:6])
    (area,) = [each for each in app.text_area if each.label == "Circuit to use"]
    area.set_value(circuit.to_json())
    button(app, "Use this circuit").click().run()
    app = measured(app)
    assert inside(pictures(app)[1]) >= set(circuit.kept)
    assert "Kept: 3 of 116 edges. Chosen by hand." in text(written(app)).replace("**", "")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("of", ["nodes", "edges"])
def test_the_picture_has_every_part_and_the_kept_edges(architecture, of):
    config = small_config(architecture, n_layers=2)
    every = parts_of(config, of)
    facts = {name: f"fact {number}" for number, name in enumerate(every)}
    root = ET.fromstring(circuit_picture(config.model, every[::3], facts, focus="decoder.layers.1.feed_forward"))
    drawn = {group.get("data-part"): group for group in root.iter(f"{SVG}g") if group.get("data-part")}
    if of == "nodes":
        assert set(drawn) == set(every)
    else:
        focused = {name for name in every if "decoder.layers.1.feed_forward" in name.split(" -> ")}
        assert set(drawn) == set(every[::3]) | focused
    assert inside(drawn) == set(every[::3])
    left, top, width, height = map(float, root.get("viewBox").split())
    for rect in root.iter(f"{SVG}rect"):
        assert left <= float(rect.get("x")) <= left + width - float(rect.get("width"))
        assert top <= float(rect.get("y")) <= top + height - float(rect.get("height"))


def test_names_are_in_words_and_points_are_where_their_numbers_are():
    assert in_words("decoder.embeddings.sum -> decoder.layers.0.self_attention.head.1.key") == (
        "decoder embeddings to decoder layer 1 self-attention, head 2, key"
    )
    assert in_words("decoder.layers.1.feed_forward_add_norm.sum[2]") == "decoder after layer 2, position 3"
    app = opened()
    model = last_walk().model
    *_, found = attributions(model, held_out_pairs(model.config, 5), "heads", exact=True)
    root = ET.fromstring(scatter_picture(found.rows, (), {}, "logit difference"))
    points = [(float(dot.get("cx")), -float(dot.get("cy"))) for dot in root.iter(f"{SVG}circle")]
    numbers = [row.estimate for row in found.rows], [row.exact for row in found.rows]
    for values, points_of in zip(numbers, zip(*points, strict=True), strict=True):
        assert sorted(range(12), key=values.__getitem__) == sorted(range(12), key=points_of.__getitem__)
    assert fine(app)
