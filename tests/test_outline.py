"""The outline of a pass: every operation once, in order, in its sublayer; and where keys lead."""

import itertools

import pytest

from playground.explain.outline import Moves, OutlineItem, around, crumbs, label, moved, outline
from playground.recording import record
from playground.settings.config import choices, setting_paths
from tests.helpers import ARCHITECTURES, MODERN, small_batch, small_model

POSITIONS = choices(setting_paths()["model.positions"])


def names_of(architecture: str, **changes: object) -> list[str]:
    """All taps of a pass in execution order."""
    model = small_model(architecture, **changes)
    with record(model) as recording:
        recording.model(*small_batch(model.config))
    return [operation.name for operation in recording]


NAMES = names_of("encoder-decoder", n_layers=2)


def operations(parts: tuple[OutlineItem, ...]) -> list[str]:
    return [name for part in parts for name in (operations(part.parts) if part.parts else [part.name])]


def words(parts: tuple[OutlineItem, ...]) -> list[str]:
    return [part.label for part in parts]


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("norm", ["pre", "post", None])
@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_operation_stands_in_the_outline_once_and_in_order(architecture, residual, norm, positions):
    names = names_of(
        architecture,
        n_layers=2,
        residual=residual,
        layer_norm=norm is not None,
        norm_position=norm or "pre",
        positions=positions,
    )
    for order in (names, names[::-1]):
        tree = outline(order)
        assert operations(tree) == order
        stacks = [*architecture.removesuffix("-only").split("-"), "output layer and loss"]
        assert words(tree) == (stacks if order is names else stacks[::-1])  # nothing is split in two
        for stack in tree[:-1] if order is names else tree[1:]:
            assert sorted(words(stack.parts)) == [
                *("embeddings", "layer 1", "layer 2", "output", "tokens and masks"),
            ]
        for name in order:
            way = crumbs(name, order)
            assert [part.label for part in way] == [*around(name), label(name)]
            assert way[-1].name == name
            firsts = [order.index(part.name) for part in way]
            assert firsts == sorted(firsts), "an inner part begins before the outer one"


def test_experts_are_branches_of_their_sublayer_and_not_sublayers():
    names = names_of("decoder-only", **MODERN["mixture"], n_layers=2)
    assert operations(outline(names)) == names
    (decoder, _) = outline(names)
    layer = next(part for part in decoder.parts if part.label == "layer 1")
    mixture = layer.parts[-1]
    assert words(mixture.parts) == [
        *("norm", "router scores", "router probabilities", "chosen", "gates"),
        *("expert 1", "expert 2", "expert 3", "expert 4", "shared expert 1"),
        *("load", "balance loss", "output", "residual sum"),
    ]
    assert words(mixture.parts[5].parts) == ["hidden", "activation", "up", "gated", "output"]
    expert = "decoder.layers.0.feed_forward.experts.1.up"
    assert words(crumbs(expert, names)) == ["decoder", "layer 1", "feed-forward", "expert 2", "up"]
    assert moved(names, expert, Moves(sublayer=1)) == "decoder.layers.1.self_attention_add_norm.normalized"
    assert moved(names, expert, Moves(sublayer=-1)) == "decoder.layers.0.self_attention_add_norm.normalized"


def test_no_two_operations_of_a_sublayer_are_called_the_same():
    for architecture, changes in itertools.product(ARCHITECTURES, [{}, *MODERN.values()]):
        names = names_of(architecture, **changes)
        called = [(*around(name), label(name)) for name in names]
        assert len(set(called)) == len(called)


def test_each_expert_is_a_group_of_its_own():
    """The words of an expert count from 1, and routing stays in the sublayer."""
    feed_forward = "decoder.layers.0.feed_forward"
    names = names_of("decoder-only", feed_forward="mixture", n_experts=3, n_shared_experts=1)
    layer = next(part for part in outline(names)[0].parts if part.label == "layer 1")
    parts = {part.label: part for part in next(each for each in layer.parts if each.label == "feed-forward").parts}
    experts = ["expert 1", "expert 2", "expert 3", "shared expert 1"]
    assert [label for label, part in parts.items() if part.parts] == experts
    assert words(parts["expert 2"].parts) == ["hidden", "activation", "output"]
    assert {"router scores", "chosen", "gates", "load", "output"} <= parts.keys()
    way = crumbs(f"{feed_forward}.experts.1.output", names)
    assert words(way) == ["decoder", "layer 1", "feed-forward", "expert 2", "output"]
    assert way[3].name == f"{feed_forward}.experts.1.hidden"


def test_the_way_to_an_operation():
    name = "decoder.layers.0.cross_attention.attention.scaled_scores"
    way = crumbs(name, NAMES)
    assert words(way) == ["decoder", "layer 1", "cross-attention", "scaled scores"]
    assert [part.name for part in way] == [
        "decoder.tokens",
        "decoder.layers.0.self_attention_add_norm.normalized",
        "decoder.layers.0.cross_attention_add_norm.normalized",
        name,
    ]
    assert words(crumbs("loss", NAMES)) == ["output layer and loss", "loss"]
    assert words(crumbs("encoder.output", NAMES)) == ["encoder", "output"]
    assert crumbs(name, NAMES[::-1])[0].name == "decoder.output"
    assert crumbs(name, [])[0].name == name


def test_operations_move_one_by_one_and_stop_at_the_ends():
    for at, name in enumerate(NAMES):
        for by in (-300, -2, -1, 0, 1, 2, 300):
            assert moved(NAMES, name, Moves(operation=by)) == NAMES[max(0, min(len(NAMES) - 1, at + by))]
    assert moved(NAMES, "gone", Moves(operation=1)) == NAMES[1]


def test_sublayers_move_to_their_first_operation():
    firsts = ["encoder.tokens"]
    while (there := moved(NAMES, firsts[-1], Moves(sublayer=1))) != firsts[-1]:
        firsts.append(there)
    assert [around(name)[-1] for name in firsts] == [
        *("tokens and masks", "embeddings", "self-attention", "feed-forward", "self-attention", "feed-forward"),
        *("encoder", "tokens and masks", "embeddings"),
        *("self-attention", "cross-attention", "feed-forward", "self-attention", "cross-attention", "feed-forward"),
        *("decoder", "output layer and loss"),
    ]
    assert firsts[2] == "encoder.layers.0.self_attention_add_norm.normalized"
    weights = "decoder.layers.1.cross_attention.attention.weights"
    assert moved(NAMES, weights, Moves(sublayer=-1)) == "decoder.layers.1.self_attention_add_norm.normalized"
    assert moved(NAMES, weights, Moves(sublayer=2)) == "decoder.output"
    assert moved(NAMES, weights, Moves(sublayer=-99)) == NAMES[0]
    assert moved(NAMES, "loss", Moves(sublayer=1)) == "loss", "a move onward never goes back"
    assert moved(NAMES, "encoder.padding_mask", Moves(sublayer=-1)) == "encoder.tokens"
    both = Moves(sublayer=1, operation=2)
    assert moved(NAMES, "encoder.tokens", both) == "encoder.embeddings.sum"


def test_backward_the_same_keys_walk_the_other_order():
    order = NAMES[::-1]
    assert moved(order, "loss", Moves(operation=1)) == "labels"
    assert moved(order, "loss", Moves(sublayer=1)) == "decoder.output"
    assert moved(order, "loss", Moves(sublayer=2)) == "decoder.layers.1.feed_forward_add_norm.sum"


def test_moves_of_time_and_gradient_are_not_moves_on_the_map():
    assert moved(NAMES, "logits", Moves(time=3, gradient=1)) == "logits"
