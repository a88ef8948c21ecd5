"""Two taps with their documents: one in the flow, and one that nothing reads.

In a model they would be lines of the class itself. `test_taps` runs this file in a process of its own, in which the
model is made of these classes.
"""

from typing import Any

import pytest
from torch import Tensor
from torch.nn import functional as F

from playground.explain import PROJECT, TAPS, Declaration, Rule, TapDocument, no_gradient
from playground.explain.document import VASWANI, handed, linear, lines
from playground.explain.latex import d, word
from playground.model import layers, part_classes
from playground.model.feed_forward import FeedForward
from playground.recording import Tap
from playground.settings.config import RunConfig
from tests import (
    test_backward,
    test_cache,
    test_cells,
    test_formulas,
    test_gradients,
    test_recording,
    test_stages,
    test_taps,
)
from tests.pages import host, link_to

__all__ = ["host"]  # a fixture that acts by itself


class InTwoSteps(FeedForward):
    """Its second linear layer multiplies, then adds the bias."""

    def __init__(self, config) -> None:
        super().__init__(config)
        if config.bias:
            self.product = Tap()

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.hidden(self.w_1(x))
        hidden = self.activation(self.activation_function(hidden))
        if self.w_2.bias is None:
            return self.output(self.w_2(hidden))
        product = self.product(F.linear(hidden, self.w_2.weight))  # (B, T, D)
        return self.output(product + self.w_2.bias)


class Measured(layers.AddNorm):
    """Measures the vectors that it returns."""

    def __init__(self, config) -> None:
        super().__init__(config)
        self.length = Tap()

    def forward(self, x, sublayer) -> Tensor:
        y = super().forward(x, sublayer)
        if not self.training:
            self.length(y.norm(dim=-1))  # (B, T), only shown
        return y


PRODUCT, OUTPUT, LENGTH = word("product"), word("output"), word("length")
without_bias = TAPS["FeedForward", "output"]


def product(name: str, config: RunConfig) -> TapDocument:
    return TapDocument(
        "Feed-forward, product",
        "A second linear layer, from F back to D numbers, before its bias.",
        rf"{word('activation')} W_2",
        (VASWANI.at("3.3, eq. 2"),),
        **linear(
            "product",
            f"{word('activation')} W_2 b_2 {PRODUCT}",
            "Each input gets the gradients of its outputs, multiplied by the weights between them.",
            bias=False,
            inner="F",
        ),
        present=config.model.bias,
    )


def output(name: str, config: RunConfig) -> TapDocument:
    if not config.model.bias:
        return without_bias(name, config)
    return TapDocument(
        "Feed-forward, output",
        "The bias is added to the product.",
        f"{PRODUCT} + b_2",
        (VASWANI.at("3.3, eq. 2"),),
        Declaration(
            "output[b, t, d] = product[b, t, d] + bias[d]",
            inputs="product[b, t, d]",
            parameters="bias[d]",
            letters={OUTPUT: "output", PRODUCT: "product", "b_2": "bias"},
        ),
        Rule(
            lines(handed(PRODUCT, d(OUTPUT)), handed("b_2", rf"\sum_t {d(OUTPUT + '_t')}")),
            "A sum passes its whole gradient to each of its parts.",
            {"product": "gradient[b, t, d]"},
        ),
    )


length = TapDocument(
    "Length",
    "The length of each position's vector.",
    r"\sqrt{\sum_j u_j^2}",
    (PROJECT,),
    Declaration(
        "length[b, t] = sqrt(sum(x[b, t, j] ** 2 for j in D))",
        inputs="x[b, t, d]",
        letters={LENGTH: "length", "u": "x"},
    ),
    no_gradient("no other operation reads the length."),
)

layers.AddNorm = Measured
part_classes.NETWORKS = dict.fromkeys(("relu", "gelu"), InTwoSteps)
TAPS |= {("FeedForward", "product"): product, ("FeedForward", "output"): output, ("AddNorm", "length"): length}

MODELS: list[tuple[str, dict[str, Any]]] = [
    ("encoder-decoder", {}),
    ("decoder-only", {"norm_position": "post", "activation": "relu"}),
    ("encoder-only", {"bias": False, "residual": False}),
]


@pytest.mark.parametrize(("architecture", "changes"), MODELS)
def test_documents_are_true(architecture, changes):
    test_taps.test_every_tap_of_a_model_is_promised_by_its_document(architecture)
    test_taps.test_probabilities_are_left_out_while_training_and_loss_where_there_are_no_labels(architecture)
    test_cells.test_all_that_took_part_is_declared_and_nothing_else({"architecture": architecture, **changes})
    test_cells.assert_recomputed(test_cells.padded(architecture=architecture, **changes), 5)
    test_formulas.test_every_formula_comes_to_what_the_model_computed(architecture, changes, {})
    test_formulas.test_every_gradient_is_the_sum_of_what_the_rules_hand_back(architecture, changes, {})
    test_gradients.test_everything_that_the_loss_depends_on_has_a_gradient_and_nothing_else(architecture, changes)
    test_backward.test_no_gradient_rule_where_a_walk_has_no_gradient_and_only_there(architecture, changes)
    test_backward.test_a_formula_adds_where_an_input_is_read_by_others_too(architecture, changes)
    test_recording.test_what_a_change_reaches_is_what_the_inputs_say(architecture, "pre")


def test_the_rest_of_the_project_takes_them_as_they_come():
    test_stages.test_a_step_in_slow_motion_is_the_same_step_and_shows_its_very_tensors("decoder-only", {})
    test_recording.test_operations_come_in_the_order_in_which_they_ran()
    test_cache.test_masks_and_tokens_have_no_gradient_and_the_loss_has_one()


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("decoder.layers.0.feed_forward.product", "W_2", "W_1"),
        ("decoder.layers.0.feed_forward_add_norm.length", "_j^2", "_j^4"),
    ],
)
def test_wrong_formulas_are_noticed(name, right, wrong):
    test_formulas.test_a_wrong_formula_is_noticed(name, right, wrong)


def test_a_wrong_rule_is_noticed():
    test_formulas.test_a_wrong_rule_is_noticed("decoder.layers.0.feed_forward.product", r"^\top \frac", r" \frac")


def test_a_tap_that_others_read_can_be_changed_and_no_other():
    from playground.interpret.sites import named
    from tests.helpers import small_config

    taps = {site.name.rpartition(".")[2] for site in named(small_config("decoder-only"), "tap")}
    assert "product" in taps
    assert "length" not in taps


@pytest.mark.parametrize(
    ("tap", "title"), [("feed_forward.product", "Feed-forward, product"), ("feed_forward_add_norm.length", "Length")]
)
def test_the_step_through_page_shows_it(tap, title):
    app = link_to("step_through.py", model="reverse-1-16", operation=f"decoder.layers.0.{tap}")
    assert any(f">{title}<" in each.proto.body for each in app.get("html"))
