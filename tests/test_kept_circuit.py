"""Circuits: what is kept and what is ablated, known circuits, files, and the commands."""

import json
import math

import pytest
import torch

import playground
from playground.common.errors import PlaygroundError
from playground.decoding import generate_text
from playground.interpret.ablation import score
from playground.interpret.attribution import attributions
from playground.interpret.input_pairs import held_out_pairs, paired
from playground.interpret.interventions import Intervention
from playground.interpret.kept_circuit import (
    MAX_CIRCUIT_BYTES,
    Circuit,
    CircuitError,
    circuit_report,
    countable,
    fingerprint,
    nodes_of,
    parts_of,
)
from playground.interpret.patching import measured
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import save
from playground.tasks.batches import Sequences
from playground.training import train
from tests.hand_set_model import KNOWN, copying_model, pairs
from tests.helpers import ARCHITECTURES, small_config, small_model
from tests.small_training import SOLVABLE
from tests.test_cli import done, refused


def reported(model, circuit, *given, **more):
    *_, (_, _, report) = circuit_report(model, circuit, *given, **more)
    return report


@pytest.fixture(scope="module")
def model() -> TaskModel:
    config = SOLVABLE.updated({"training.steps": 60, "training.stop_when_solved": False})
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    return model.eval()


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    folder = tmp_path_factory.mktemp("circuits") / "model"
    save(folder, model, [])
    return folder


@pytest.mark.parametrize(
    ("metric", "steps", "exact", "threshold", "recall"),
    [
        ("logit_difference", 0, True, 1.0, 1.0),
        ("loss", 0, True, 1.0, 1.0),
        ("logit_difference", 0, False, 1.0, 0.4),  # gradients are small where attention is all on one position
        ("logit_difference", 20, False, 1.0, 0.6),
        ("loss", 0, False, 1.0, 0.0),  # saturated: all answers are right
        ("loss", 20, False, 1.0, 0.4),
    ],
)
def test_the_circuit_of_weights_set_by_hand_is_found(metric, steps, exact, threshold, recall):
    model = copying_model()
    assert generate_text(model, "4 2 5 0") == "4 2 5 0"
    *_, found = attributions(model, pairs(), "edges", metric, integrated_steps=steps, exact=exact)
    circuit = Circuit.chosen(model.config, found, threshold=threshold)
    precision, of_known = circuit.compared(KNOWN)
    assert of_known == pytest.approx(recall)
    assert precision == pytest.approx(1.0) or (math.isnan(precision) and recall == 0)


def test_the_five_largest_estimates_are_the_known_edges_and_they_are_needed():
    model = copying_model()
    *_, found = attributions(model, pairs(), "edges")
    circuit = Circuit.chosen(model.config, found, keep=5)
    assert circuit.compared(KNOWN) == (1.0, 1.0)
    report = reported(model, circuit, "other")
    assert report.circuit.exact_match == report.intact.exact_match > 0.2  # inputs whose symbols differ
    assert report.nothing.exact_match == 0
    assert report.faithfulness == pytest.approx(1, abs=0.05)
    assert {part for part, _ in report.parts} == set(KNOWN)
    assert report.needless == ()
    assert report.sentence.endswith("Each kept part is needed: without it fewer answers are right.")
    more = Circuit.by_hand(model.config, [*KNOWN, "decoder.layers.0.feed_forward -> decoder.layers.1.feed_forward"])
    assert more.compared(KNOWN) == (5 / 6, 1.0)
    assert reported(model, more, "other").needless == (
        "decoder.layers.0.feed_forward -> decoder.layers.1.feed_forward",
    )


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("of", ["nodes", "edges"])
@pytest.mark.parametrize("ablate", ["mean", "other"])
def test_everything_kept_is_the_model_and_nothing_kept_reads_no_input(architecture, of, ablate):
    model = small_model(architecture, n_layers=2)
    everything = Circuit.by_hand(model.config, parts_of(model.config, of))
    _, total, report = next(circuit_report(model, everything, ablate, sequences=20))
    assert total == 3 + len(everything.kept)
    assert report.circuit == report.intact
    assert report.faithfulness == pytest.approx(1)
    nothing = next(circuit_report(model, Circuit(of, (), fingerprint(model.config)), ablate, sequences=20))[2]
    assert nothing.circuit == nothing.nothing != nothing.intact
    if of == "edges" and ablate == "other":
        both = paired(model.config, Sequences.of(model.config.task).held_out(20))
        values = []
        for group in both.groups(model.config):
            with torch.inference_mode():
                logits = model(*group.other)[0]
            values += measured("logit_difference", logits, group.own.labels, group.other.labels)[group.differ].tolist()
        assert report.nothing.logit_difference == pytest.approx(sum(values) / len(values), abs=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("changes", [{"norm_position": "post"}, {"causal_mask": False}, {"residual": False}])
def test_a_circuit_of_nodes_is_the_mean_ablation_of_all_others(architecture, changes):
    if architecture == "encoder-only" and "causal_mask" in changes:
        changes = {"layer_norm": False}
    model = small_model(architecture, **changes)
    every = nodes_of(model.config)
    circuit = Circuit.by_hand(model.config, every[::2])
    measured = next(circuit_report(model, circuit, sequences=50))[2]
    off = [Intervention(name, "mean") for name in every[1::2]]
    assert measured.circuit.exact_match == score(model, off, sequences=50).exact_match
    assert measured.intact.exact_match == score(model, sequences=50).exact_match
    assert measured.circuit.sequences == 50


def test_minimality_is_the_report_without_each_part(model):
    every = nodes_of(model.config)
    circuit = Circuit.by_hand(model.config, every)
    report = reported(model, circuit, "other", sequences=100)
    assert {part for part, _ in report.parts} == set(every)
    exact = [scores.exact_match for _, scores in report.parts]
    assert exact == sorted(exact)
    part, scores = report.parts[0]
    alone = next(circuit_report(model, circuit.without(part), "other", sequences=100))[2]
    assert alone.circuit == scores
    assert report.needless == tuple(
        part for part, each in report.parts if each.exact_match >= report.circuit.exact_match
    )
    assert list(report.frame()) == ["removed", "exact_match", "logit_difference", "sequences"]
    assert json.loads(json.dumps(report.as_json(), allow_nan=False))["kept"] == len(every)


def test_every_input_up_to_a_length_is_counted(model):
    circuit = Circuit.by_hand(model.config, nodes_of(model.config))
    report = next(circuit_report(model, circuit, every_input=3))[2]
    assert report.inputs == "all 84 inputs of 1 to 3 symbols"
    assert list(countable(model.config)) == [1, 2, 3, 4]
    ten_digits = model.config.updated({"task.vocab_size": 10, "task.max_length": 16})
    assert countable(ten_digits)[4] == "all 11,110 inputs of 1 to 4 symbols"
    assert list(countable(ten_digits)) == [1, 2, 3, 4], "all of length 5 or less are more than 65,536"
    assert report.circuit.sequences == 4 + 4**2 + 4**3
    for length, says in ((5, "Inputs up to length 5 can't be listed. Use 1 to 4."), (0, "can't be listed")):
        with pytest.raises(CircuitError, match=says):
            next(circuit_report(model, circuit, every_input=length))
    text = TaskModel(small_config("decoder-only").updated({"task.name": "text", "task.max_length": 8}))
    with pytest.raises(CircuitError, match="parts of a text"):
        next(circuit_report(text, Circuit.by_hand(text.config, []), every_input=3))
    large = TaskModel(small_config("encoder-only").updated({"task.vocab_size": 60}))
    with pytest.raises(CircuitError, match="There are 219,660 inputs of 1 to 3 symbols, more than 65,536"):
        next(circuit_report(large, Circuit.by_hand(large.config, []), every_input=3))


@pytest.mark.parametrize("of", ["nodes", "edges"])
def test_a_circuit_survives_its_file(model, of):
    circuit = Circuit.by_hand(model.config, parts_of(model.config, of)[1::3])
    assert Circuit.from_json(circuit.to_json(), model.config) == circuit
    assert Circuit.from_json(circuit.to_json().encode(), model.config) == circuit
    assert Circuit.by_hand(model.config, reversed(circuit.kept)) == circuit, "in the order of the model"


def test_what_is_not_a_circuit_of_this_model_is_refused(model):
    good = json.loads(Circuit.by_hand(model.config, nodes_of(model.config)).to_json())
    for changes, says in (
        ({"version": 2}, "The file is not a circuit: version: Input should be 1."),
        ({"kept": "all"}, "The file is not a circuit: kept: Input should be a valid"),
        ({"kept": ["x" * 201]}, "kept.0: String should have at most 200 characters"),
        (
            {"kept": ["decoder.layers.7.feed_forward"]},
            "This model has no head or feed-forward network decoder.",
        ),
        ({"of": "edges"}, "This model has no edge encoder.layers.0.self_attention.head.0. A name is, for example"),
        ({"model": "0" * 64}, "The circuit belongs to a model with other settings."),
        ({"more": 1}, "The file is not a circuit: more: Extra inputs are not permitted."),
    ):
        with pytest.raises(CircuitError) as error:
            Circuit.from_json(json.dumps(good | changes), model.config)
        assert says in str(error.value)
    for text in ("", "[]", "{", "\x00", b"\xff"):
        with pytest.raises(CircuitError, match="The file is not a circuit"):
            Circuit.from_json(text, model.config)
    with pytest.raises(CircuitError, match=r"too large\. A circuit has at most 4 MB"):
        Circuit.from_json(" " * (MAX_CIRCUIT_BYTES + 1), model.config)
    other = model.config.updated({"model.n_heads": 1})
    with pytest.raises(CircuitError, match="a model with other settings"):
        next(circuit_report(model, Circuit.by_hand(other, [])))
    post = small_config("decoder-only", norm_position="post")
    with pytest.raises(PlaygroundError, match="no edges to measure"):
        Circuit.by_hand(post, ["a -> b"])


def test_a_circuit_is_chosen_by_number_or_by_threshold():
    model = small_model("decoder-only", n_layers=2)
    for of in ("heads", "edges", "nodes"):
        *_, found = attributions(model, held_out_pairs(model.config, 5), of, exact=True)
        with pytest.raises(CircuitError, match="Give one of the two"):
            Circuit.chosen(model.config, found)
        ranked = [row for row in found.ranked if "[" not in row.part]
        two = Circuit.chosen(model.config, found, keep=2)
        assert Circuit.chosen(model.config, found, threshold=abs(ranked[1].exact)) == two
        names = {row.part for row in ranked[:2]}
        if of == "edges":
            assert set(two.kept) == names
        else:
            heads = {name.partition(".head.")[0] if of == "nodes" else name for name in two.kept if ".head." in name}
            networks = {name for name in two.kept if name.endswith("feed_forward")}
            assert networks == {f"decoder.layers.{n}.feed_forward" for n in (0, 1)} if of == "heads" else True
            assert heads | (networks if of == "nodes" else set()) == names
        with pytest.raises(CircuitError, match=f"Use 0 to {len(ranked)}"):
            Circuit.chosen(model.config, found, keep=len(ranked) + 1)


def test_python_takes_circuits_in_every_form(model, folder, tmp_path):
    found = playground.attribute(folder, of="edges", pairs=10)
    report = playground.circuit(folder, found, keep=4, ablate="other")
    assert len(report.kept.kept) == 4
    file = tmp_path / "circuit.json"
    file.write_text(report.kept.to_json())
    for kept in (report.kept, list(report.kept.kept), file, str(file)):
        assert playground.circuit(model, kept, ablate="other") == report
    with pytest.raises(CircuitError, match="Leave them out"):
        playground.circuit(model, report.kept, keep=2)
    with pytest.raises(CircuitError, match="can't be read: No such file"):
        playground.circuit(model, tmp_path / "none.json")
    with pytest.raises(CircuitError, match=r"ablate can't be zero\. Use mean or other"):
        playground.circuit(model, report.kept, ablate="zero")


def test_the_commands_give_what_python_gives(model, folder, tmp_path):
    words = ["--input", "1 2 3", "--other", "3 1 0"]
    one = json.loads(done("attribute", folder, *words, "--exact", "--json"))
    assert one == playground.attribute(model, "1 2 3", "3 1 0", exact=True).as_json()
    file = tmp_path / "circuit.json"
    words = ["--of", "edges", "--metric", "loss", "--integrated-steps", 2, "--pairs", 9]
    many = json.loads(done("attribute", folder, *words, "--circuit", file, "--keep", 3, "--json"))
    found = playground.attribute(model, of="edges", metric="loss", integrated_steps=2, pairs=9)
    assert many == found.as_json()
    assert Circuit.from_json(file.read_text(), model.config) == Circuit.chosen(model.config, found, keep=3)
    tested = json.loads(done("circuit", folder, file, "--ablate", "other", "--every-input", 2, "--json"))
    assert tested == playground.circuit(model, file, ablate="other", every_input=2).as_json()
    table = done("attribute", folder, "--exact", "--pairs", 5)
    assert "Estimates against exact changes: Pearson" in table
    assert "mean over 5 pairs" in table
    table = done("circuit", folder, file).splitlines()
    assert table[1].startswith("whole model")
    assert table[7].startswith("3 edges kept.")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--input", "1 2"], "1 input and 0 other inputs can't be paired."),
        (["--input", "1 2", "--other", "1"], "A patch needs equal lengths."),
        (["--keep", 3], "--keep and --threshold need --circuit FILE."),
        (["--circuit", "out.json"], "--circuit needs --keep N or --threshold X, one of them."),
        (["--circuit", "out.json", "--keep", 99], "99 parts can't be kept. Use 0 to 6."),
        (["--circuit", "missing/out.json", "--keep", 1], "can't be written: No such file or directory."),
        (["--of", "neurons"], "--of can't be neurons. Use one of heads, nodes, edges."),
    ],
)
def test_bad_options_are_one_sentence(folder, words, says):
    refused(folder.parent, "attribute", folder, *words, "--json", says=says)


def test_a_file_that_is_no_circuit_is_refused(folder):
    refused(folder.parent, "circuit", folder, folder / "config.json", says="The file is not a circuit")
