"""Interventions: text and object, and each operation against a model or a tensor that was changed by hand."""

import copy
import math
from typing import get_args

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.decoding import generate, greedy
from playground.interpret.interventions import (
    MAX_INTERVENTIONS,
    MAX_VALUE,
    Intervention,
    InterventionError,
    Stored,
    activations,
    changed_model,
    means,
    parse,
    parse_all,
    replacements,
)
from playground.interpret.sites import named, sites, stream
from playground.model.task_model import TaskModel
from playground.recording import record, taps
from playground.settings.config import Positions, RunConfig
from playground.tasks import PAD
from playground.tasks.batches import Sequences, make_batch
from tests.helpers import ARCHITECTURES, WITH_DECODER, behind, examples, small_batch, small_config, small_model

SWITCHES = {
    "norm_position": st.sampled_from(["pre", "post"]),
    "bias": st.booleans(),
    "tie_embeddings": st.booleans(),
    "attention_bias": st.booleans(),
    "residual": st.booleans(),
    "layer_norm": st.booleans(),
    "positions": st.sampled_from(get_args(Positions)),
    "n_layers": st.integers(1, 2),
}
configs = st.builds(small_config, st.sampled_from(ARCHITECTURES), **SWITCHES)


@st.composite
def interventions(draw: st.DrawFn, config: RunConfig) -> Intervention:
    """Any intervention that a model of this config allows."""
    site = draw(st.sampled_from(list(sites(config).values())))
    operations = ["zero", "scale", "set"] if site.kind == "parameter" else ["zero", "mean", "patch", "scale", "set"]
    operation = draw(st.sampled_from(operations))
    sizes = site.sizes(config)
    depth = len(sizes) if operation == "set" else draw(st.integers(0, len(sizes)))
    index = tuple(draw(st.integers(0, size - 1)) for size in sizes[:depth])
    numbers = st.floats(-MAX_VALUE, MAX_VALUE, allow_nan=False)
    return Intervention(site.name, operation, index, draw(numbers) if operation in ("scale", "set") else 0.0)


def by_hand(model: TaskModel) -> TaskModel:
    return copy.deepcopy(model)


def logits(model: TaskModel) -> torch.Tensor:
    with torch.no_grad():
        return model(*small_batch(model.config))[0]


# --- names and text -------------------------------------------------------------------------------


@given(st.data())
def test_text_and_intervention_are_the_same(data):
    config = data.draw(configs)
    each = data.draw(interventions(config))
    assert parse(str(each), config) == each


def test_the_forms_that_links_and_commands_use():
    config = small_config("encoder-decoder")
    head = "decoder.layers.0.cross_attention.head.0"
    assert parse(head, config) == Intervention(head)
    assert parse(head, config, "mean") == parse(f"{head}:mean", config) == Intervention(head, "mean")
    assert parse(f"{head}:zero", config, "mean") == Intervention(head)
    assert parse(f" {head} :scale=0.5", config) == Intervention(head, "scale", (), 0.5)
    assert parse(f"{head}[3]:patch", config) == Intervention(head, "patch", (3,))
    scores = "encoder.layers.0.self_attention.attention.scores"
    assert parse(f"{scores}[1,2,0]=3.5", config) == Intervention(scores, "set", (1, 2, 0), 3.5)
    weight = "encoder.embeddings.token_table.weight"
    assert str(parse(f"{weight}[4, 7]=0", config)) == f"{weight}[4,7]=0"


@given(configs)
def test_sites_are_the_parts_taps_and_parameters_of_a_real_model(config):
    model = TaskModel(config)
    with record(model) as recording:
        recording.model(*small_batch(config))
    needed = behind("loss", recording) - {"loss"}
    assert {site.name for site in named(config, "tap")} == {
        each.name for each in recording if each.name in needed and each.value.is_floating_point()
    }
    shapes = {site.name: site.sizes(config) for site in named(config, "parameter")}
    assert shapes == {name: tuple(each.shape) for name, each in model.named_parameters()}
    for kind in ("head", "sublayer", "positions"):
        for site in named(config, kind):
            assert set(site.taps) <= set(taps(model))
            assert model.get_submodule(site.name.partition(".head.")[0])
    assert set(stream(config)) <= set(taps(model))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("decoder.layers.0.cross_attention.head.3", "After decoder.layers.0.cross_attention.head, use 0, 1, 2."),
        ("decoder.layers.1", "After decoder.layers, use 0."),
        ("nonsense", "At the beginning, use encoder, decoder, logits, head."),
        ("decoder.mask", "After decoder, use layers, output, embeddings, norm."),
        ("logits.more", "After logits, nothing follows."),
        ("", "An empty text is not an intervention"),
        ("logits;rm", "logits;rm is not an intervention"),
        ("logits:double", "There is no operation double. Choose zero, mean, patch or scale=FACTOR."),
        ("logits:set=1", "There is no operation set"),
        ("logits:scale", "scale needs number"),
        ("logits:zero=1", "zero takes no number"),
        ("logits:scale=many", "many is not a number."),
        ("logits:scale=nan", "nan is too large. Use a number from -1,000,000 to 1,000,000."),
        ("logits:scale=1e39", "1e+39 is too large"),
        ("logits[0]=1", "logits has the axes TV, so its index has 2 numbers."),
        ("logits[0,11]=1", "11 is outside axis V of logits. Use 0 to 10."),
        ("logits[7,0]=1", "7 is outside axis T of logits. Use 0 to 6."),
        ("logits[0,0,0]:zero", "its index has 2 numbers"),
        ("head.weight:mean", "head.weight is a weight, the same for all inputs. Use zero, scale or a number."),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(text, says):
    with pytest.raises(InterventionError) as error:
        parse(text, small_config("encoder-decoder"))
    assert says in str(error.value)


@given(st.text(max_size=60))
def test_no_text_does_more_than_an_error(text):
    with pytest.raises(InterventionError) as error:
        parse(text + "!", small_config("decoder-only"))
    assert len(str(error.value).splitlines()) == 1


def test_a_list_is_bounded_and_holds_each_once():
    config = small_config("encoder-only")
    texts = [f"logits[0,{at}]={value}" for at in range(11) for value in range(3)]
    with pytest.raises(InterventionError, match=r"33 interventions are too many\. Use at most 32"):
        parse_all(texts, config)
    assert len(parse_all(texts[:MAX_INTERVENTIONS], config)) == MAX_INTERVENTIONS
    assert parse_all(["logits", "logits:zero"], config) == (Intervention("logits"),)


# --- operations, compared with changes made by hand -----------------------------------------------


@settings(max_examples=examples(15))
@given(st.data())
def test_a_head_that_is_off_is_w_o_with_its_rows_at_zero(data):
    config = data.draw(configs)
    model, head = TaskModel(config).eval(), data.draw(st.sampled_from(named(config, "head")))
    changed = by_hand(model)
    path, _, number = head.name.rpartition(".head.")
    first, width = int(number) * config.model.d_head, config.model.d_head
    changed.get_parameter(f"{path}.w_o.weight").data[:, first : first + width] = 0  # columns in torch: x W^T
    with changed_model(model, [Intervention(head.name)]) as without:
        torch.testing.assert_close(logits(without), logits(changed))
    assert config.model.d_head > 1
    assert not torch.equal(logits(changed), logits(model)) or not config.model.residual


@settings(max_examples=examples(15))
@given(st.data())
def test_a_sublayer_that_is_off_is_one_whose_last_weights_are_zero(data):
    config = data.draw(configs)
    model, site = TaskModel(config).eval(), data.draw(st.sampled_from(named(config, "sublayer")))
    changed = by_hand(model)
    last = changed.get_submodule(site.name + (".w_2" if site.name.endswith("feed_forward") else ".w_o"))
    for parameter in last.parameters():
        parameter.data.zero_()
    with changed_model(model, [Intervention(site.name)]) as without:
        torch.testing.assert_close(logits(without), logits(changed))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("positions", ["learned", "two_way"])
def test_a_position_table_that_is_off_is_zero_for_both_stacks(architecture, positions):
    model = small_model(architecture, positions=positions)
    changed = by_hand(model)
    stack = "encoder" if changed.encoder else "decoder"
    table = changed.get_submodule(f"{stack}.embeddings.positions")
    for parameter in table.parameters():
        parameter.data.zero_()
    with changed_model(model, [Intervention(f"{stack}.embeddings.positions")]) as without:
        torch.testing.assert_close(logits(without), logits(changed))
    assert not torch.allclose(logits(changed), logits(model))


@settings(max_examples=examples(15))
@given(st.data())
def test_weights_are_edited_in_a_copy(data):
    config = data.draw(configs)
    model, site = TaskModel(config).eval(), data.draw(st.sampled_from(named(config, "parameter")))
    before, changed = logits(model), by_hand(model)
    index = tuple(data.draw(st.integers(0, size - 1)) for size in site.sizes(config))
    changed.get_parameter(site.name).data[index] = 2.5
    other = next(name for name in reversed([each.name for each in named(config, "parameter")]) if "weight" in name)
    changed.get_parameter(other).data *= 0.5
    edits = [Intervention(site.name, "set", index, 2.5), Intervention(other, "scale", (), 0.5)]
    with changed_model(model, edits) as edited:
        assert torch.equal(logits(edited), logits(changed))
    assert torch.equal(logits(model), before)


@settings(max_examples=examples(15))
@given(st.data())
def test_scaling_and_setting_change_the_tensor_at_its_index_alone(data):
    config = data.draw(configs)
    model = TaskModel(config).eval()
    site = data.draw(st.sampled_from(named(config, "tap")))
    with record(model) as recording:
        recording.model(*small_batch(config))
    before = recording[site.name].value
    index = tuple(data.draw(st.integers(0, size - 1)) for size in before.shape[1:])
    for each, expected in (
        (Intervention(site.name, "scale", index[:1], -2.0), before[:, index[0]] * -2),
        (Intervention(site.name, "set", index, 0.25), torch.tensor(0.25)),
    ):
        with changed_model(model, [each]) as changed, record(changed) as after:
            after.model(*small_batch(config))
        value, where = after[site.name].value, (slice(None), *each.index)
        expected = expected.expand(value[where].shape)
        if site.name.endswith("masked_scores"):
            expected = torch.where(before[where].isinf(), before[where], expected)
        if site.name.endswith(".weights"):
            expected = torch.where(before[where] == 0, before[where], expected)
        assert torch.equal(value[where], expected)
        untouched = torch.ones_like(value, dtype=torch.bool)
        untouched[where] = False
        assert torch.equal(value[untouched], before[untouched])


def test_a_mask_hides_what_it_hid_whatever_is_done():
    model = small_model("decoder-only")
    attention = "decoder.layers.0.self_attention.attention"
    for text in (
        "masked_scores",
        "masked_scores:scale=0",
        "masked_scores[1,2,4]=9",
        "weights[1,2,4]=1",
        "weights:mean",
    ):
        each = parse(f"{attention}.{text}", model.config)
        with changed_model(model, [each]) as changed, record(changed) as after:
            after.model(*small_batch(model.config))
        weights = after[f"{attention}.weights"].value
        assert not weights.triu(1).any()
        assert weights.isfinite().all()
    edits = [Intervention(f"{attention}.weights"), Intervention(f"{attention}.weights", "set", (1, 2, 0), 1.0)]
    with changed_model(model, edits) as changed, record(changed) as after:
        after.model(*small_batch(model.config))
    assert after[f"{attention}.weights"].value[:, 1, 2, 0].eq(1).all(), "applied in order"


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_mean_is_over_all_held_out_inputs_that_have_the_position(architecture):
    model = small_model(architecture, n_layers=2)
    config = model.config
    stack = "decoder" if model.decoder else "encoder"
    names = [f"{stack}.layers.1.self_attention.{tap}" for tap in ("attention.heads", "attention.scores", "output")]
    count = examples(40)
    found = means(model, names, count)
    source = Sequences.of(config.task).held_out(count)
    values: dict[str, list[torch.Tensor]] = {name: [] for name in names}
    for row in source:  # one at a time, without padding
        row = row[row != PAD][None]
        with record(model) as recording:
            recording.model(*make_batch(config, row))
        for name in names:
            values[name].append(recording[name].value[0])
    for name in names:
        stored = found[name]
        for t in range(stored.value.size(-2)):
            if name.endswith("scores"):
                there = [each[:, t, t] for each in values[name] if each.size(-2) > t]
                now, known = stored.value[0, :, t, t], stored.known[0, :, t, t]
            else:
                there = [each[..., t, :] for each in values[name] if each.size(-2) > t]
                now, known = stored.value[0][..., t, :], stored.known[0][..., t, :]
            assert bool(known.all()) == bool(there)
            if there:
                torch.testing.assert_close(now, torch.stack(there).mean(0), atol=1e-5, rtol=1e-4)
    head = f"{stack}.layers.1.self_attention.head.2"
    with changed_model(model, [Intervention(head, "mean")]) as changed, record(changed) as after:
        after.model(*small_batch(config))
    value = after[names[0]].value
    assert torch.equal(value[0, 2], found_all(model, names[0])[2, : value.size(2)])


def found_all(model: TaskModel, name: str) -> torch.Tensor:
    return means(model, [name])[name].value[0]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_patching_everything_gives_the_other_input_s_answer(architecture, norm_position):
    different = 0
    for seed in range(8):
        if different and seed >= examples(2):
            break
        config = small_config(architecture, norm_position=norm_position, n_layers=2).updated({"seed": seed})
        model = TaskModel(config).eval()
        source, other = torch.tensor([[4, 5, 6, 7, 8]]), torch.tensor([[9, 10, 4, 4, 6]])
        everything = [Intervention(name, "patch") for name in stream(config)]
        with changed_model(model, everything, other=other) as changed:
            assert generate(changed, source[0].tolist()) == generate(model, other[0].tolist())
        different += generate(model, source[0].tolist()) != generate(model, other[0].tolist())
        with changed_model(model, everything, other=source) as changed:
            assert generate(changed, source[0].tolist()) == generate(model, source[0].tolist())
    assert different


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_patch_is_the_tensor_that_the_other_input_has(architecture):
    model = small_model(architecture)
    source, other = torch.tensor([[4, 5, 6, 7, 8]]), torch.tensor([[9, 10, 4, 4, 6]])
    stack = "decoder" if model.decoder else "encoder"
    tap = f"{stack}.layers.0.self_attention.attention.heads"
    theirs = activations(model, other, [tap])[tap]
    each = Intervention(f"{stack}.layers.0.self_attention.head.1", "patch", (2,))
    with changed_model(model, [each], other=other) as changed, record(changed) as after:
        after.model(*make_batch(model.config, source))
    if theirs.value.size(2) > 2:
        assert torch.equal(after[tap].value[0, 1, 2], theirs.value[0, 1, 2]) == bool(theirs.known[0, 0, 2])
    with pytest.raises(InterventionError, match="A patch needs another input"), changed_model(model, [each]):
        pass


@pytest.mark.parametrize("architecture", WITH_DECODER)
@settings(max_examples=examples(6))
@given(data=st.data())
def test_an_answer_is_the_same_in_a_padded_batch_and_alone(architecture, data):
    config = small_config(architecture, n_layers=2)
    model = TaskModel(config).eval()
    changes = [data.draw(interventions(config).filter(lambda each: each.operation != "patch")) for _ in range(3)]
    changes = [each if abs(each.value) < 5 else Intervention(each.site) for each in changes]
    source = Sequences.of(config.task).held_out()[:9]
    with changed_model(model, changes) as changed:
        together = greedy(changed, source)
        changed.decoding = "token_by_token"
        for row, tokens in zip(source, together, strict=True):
            alone = greedy(changed, row[row != PAD][None])[0]
            assert alone[alone != PAD].tolist() == tokens[tokens != PAD].tolist()


def test_what_is_not_known_stays_as_it_is():
    model = small_model("encoder-only")
    known = torch.tensor([True, False, True])[None, :, None]
    given = {"encoder.output": Stored(torch.full((1, 3, 12), 0.5), known)}
    with (
        changed_model(model, [Intervention("encoder.output", "mean")], means=given) as changed,
        record(changed) as after,
    ):
        after.model(*small_batch(model.config))
    with record(model) as before:
        before.model(*small_batch(model.config))
    now, then = after["encoder.output"].value, before["encoder.output"].value
    assert now[:, [0, 2]].eq(0.5).all()
    assert torch.equal(now[:, [1, 3, 4]], then[:, [1, 3, 4]])


def test_hooks_for_a_model_in_training_are_the_same_changes():
    model = small_model("encoder-only")
    (tap, change), *rest = replacements(model, [Intervention("encoder.layers.0.self_attention.head.2")]).items()
    assert tap == "encoder.layers.0.self_attention.attention.heads"
    assert not rest
    value = torch.rand(2, 3, 5, 4, requires_grad=True)
    change(value).sum().backward()
    assert value.grad is not None
    assert value.grad[:, :2].eq(1).all()
    assert not value.grad[:, 2].any()
    assert math.isfinite(float(logits(model).sum()))
