"""The wrong files of the corpus: each is a right one in which a few lines are others."""

from pathlib import Path
from typing import NamedTuple

RIGHT = Path(__file__).parent / "right"


class Wrong(NamedTuple):
    """A file, and what the check must say of one of its parts."""

    base: str
    part: str
    cause: str
    changes: tuple[tuple[str, str], ...]  # each stands once in the base, or once behind the first
    mask: str | None = None

    def source(self) -> str:
        """The base with the changes."""
        text = (RIGHT / f"{self.base}.py").read_text()
        for before, after in self.changes:
            assert before in text, f"{self.base} has no {before!r}"
            text = text.replace(before, after, 1)
        return text

    def write(self, folder: Path, name: str) -> Path:
        """The file with this name in a folder."""
        file = folder / f"{name}.py"
        file.write_text(self.source())
        return file


def _steps(part: str, cause: str, *changes: tuple[str, str], mask: str | None = None) -> Wrong:
    return Wrong("step_by_step", part, cause, changes, mask)


def _attention(cause: str, *changes: tuple[str, str], mask: str | None = None) -> Wrong:
    return _steps("attention", cause, *changes, mask=mask)


def _heads(cause: str, *changes: tuple[str, str], mask: str | None = None) -> Wrong:
    return _steps("multi-head-attention", cause, *changes, mask=mask)


def _encoder(cause: str, *changes: tuple[str, str]) -> Wrong:
    return _steps("encoder-layer", cause, *changes)


def _decoder(cause: str, *changes: tuple[str, str]) -> Wrong:
    return _steps("decoder-layer", cause, *changes)


def _norm(cause: str, *changes: tuple[str, str]) -> Wrong:
    return _steps("layer-norm", cause, *changes)


def _positions(cause: str, *changes: tuple[str, str]) -> Wrong:
    return _steps("positional-encoding", cause, *changes)


def _model(cause: str, *changes: tuple[str, str]) -> Wrong:
    return Wrong("own_masks_and_pre_norm", "transformer", cause, changes)


def _loss(cause: str, *changes: tuple[str, str]) -> Wrong:
    return Wrong("losses", "loss", cause, changes)


HIDES = "scores = scores.masked_fill(~mask, -1e9)"
SCALE = " / math.sqrt(q.size(-1))"
SCALE_OF_HEADS = " / math.sqrt(self.d_k)"
SPLIT = "return x.view(x.size(0), -1, self.n_heads, self.d_k).transpose(1, 2)"
SPLIT_ONLY = "return x.view(x.size(0), self.n_heads, -1, self.d_k)"
JOIN = "out.transpose(1, 2).reshape"
PROJECTED = "return self.w_o(out.transpose(1, 2).reshape(query.size(0), -1, self.d_model))"
UNPROJECTED = "return out.transpose(1, 2).reshape(query.size(0), -1, self.d_model)"
ENCODER_1 = "x = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))"
ENCODER_2 = "return self.norm2(x + self.dropout(self.ffn(x)))"
NORM = "return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta"
VARIANCE = "var = x.var(-1, keepdim=True, unbiased=False)"
ADDED = "return x + self.pe[: x.size(1)]"
CAUSAL = ".triu(1)"

WRONG = {
    "causal_mask_off_by_one": _steps("masks", "causal-mask-off-by-one", ("diagonal=0", "diagonal=-1"), mask="keep"),
    "causal_mask_one_ahead_in_the_model": _model("causal-mask-off-by-one", (CAUSAL, ".triu(2)")),
    "causal_mask_sees_one_ahead": Wrong("added_masks", "masks", "causal-mask-off-by-one", ((CAUSAL, ".triu(2)"),)),
    "causal_mask_transposed": _steps(
        "masks",
        "causal-mask-transposed",
        ("torch.tril(torch.ones(size, size), diagonal=0)", "torch.triu(torch.ones(size, size))"),
        mask="keep",
    ),
    "cross_attention_to_itself": _decoder(
        "cross-attention-to-itself", ("enc_output, enc_output, src_mask", "x, x, tgt_mask")
    ),
    "cross_attention_without_mask": _decoder(
        "cross-attention-without-mask", ("enc_output, src_mask))", "enc_output))")
    ),
    "cross_attention_without_mask_in_the_model": _model(
        "cross-attention-without-mask", (", key_padding_mask=memory_padding", "")
    ),
    "dropout_in_evaluation": _heads(
        "dropout-in-evaluation", ("out = weights", "out = nn.functional.dropout(weights, 0.1)")
    ),
    "dropout_in_evaluation_in_a_layer": _encoder(
        "dropout-in-evaluation",
        ("self.dropout(self.self_attn", "nn.functional.dropout(self.self_attn"),
        ("self.dropout(self.ffn", "nn.functional.dropout(self.ffn"),
    ),
    "epsilon_outside_root": _norm(
        "epsilon-outside-root", ("torch.sqrt(var + self.eps)", "(torch.sqrt(var) + self.eps)")
    ),
    "frequency_exponent_doubled": _positions(
        "wrong-frequency", ("torch.arange(0, d_model, 2) * (", "torch.arange(0, d_model, 2) * 2 * (")
    ),
    "frequency_for_each_column": Wrong(
        "without_a_batch", "positional-encoding", "wrong-frequency", (("(i - i % 2) / d_model", "2 * i / d_model"),)
    ),
    "gain_and_bias_unused": _norm("norm-without-weights", (NORM, "return (x - mean) / torch.sqrt(var + self.eps)")),
    "heads_joined_without_transpose": _heads("heads-without-transpose", (JOIN, "out.reshape")),
    "heads_split_without_transpose": _heads("heads-without-transpose", (SPLIT, SPLIT_ONLY)),
    "heads_without_any_transpose": _heads("heads-without-transpose", (SPLIT, SPLIT_ONLY), (JOIN, "out.reshape")),
    "inverted_mask": _attention("inverted-mask", ("~mask", "mask"), mask="keep"),
    "inverted_mask_by_its_docstring": _attention(
        "inverted-mask",
        ("v, mask):", 'v, mask):\n    """mask: True where a query must not attend to a key (hidden)."""'),
    ),
    "inverted_padding_mask": _steps("masks", "inverted-mask", ("tokens != pad", "tokens == pad"), mask="keep"),
    "mask_added_as_one": _attention("mask-added-as-one", (HIDES, "scores = scores + mask"), mask="keep"),
    "mask_after_softmax": _attention(
        "mask-after-softmax",
        ("v, mask):", "v, mask=None):"),
        (f"    {HIDES}\n", ""),
        (
            "return torch.softmax(scores, dim=-1) @ v",
            "weights = torch.softmax(scores, dim=-1)\n    if mask is not None:\n"
            "        weights = weights.masked_fill(mask == 0, 0.0)\n    return weights @ v, weights",
        ),
    ),
    "mask_after_softmax_of_heads": _heads(
        "mask-after-softmax",
        ('scores = scores.masked_fill(mask == 0, float("-inf"))', "pass"),
        ("out = weights", "out = weights.masked_fill(mask == 0, 0)"),
        mask="keep",
    ),
    "mask_multiplied": _attention("mask-multiplied", (HIDES, "scores = scores * mask"), mask="keep"),
    "mask_unused": _attention("no-mask", (f"    {HIDES}\n", "")),
    "no_causal_mask_in_a_gpt": Wrong(
        "gpt",
        "transformer",
        "no-causal-mask",
        (('att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))', "att"),),
    ),
    "no_scaling_of_heads_first": Wrong(
        "other_layouts",
        "encoder-layer",
        "no-scaling",
        ((" / q.size(-1) ** 0.5\n        weights", "\n        weights"),),
    ),
    "no_scaling_of_positions_first": Wrong(
        "other_layouts", "attention", "no-scaling", ((".div(q.shape[-1] ** 0.5)", ""),)
    ),
    "no_residual_with_numpy": Wrong(
        "numpy_classes",
        "encoder-layer",
        "no-residual",
        (("self.norm1(x + ", "self.norm1("), ("self.norm2(x + ", "self.norm2(")),
    ),
    "cross_attention_without_mask_with_numpy": Wrong(
        "numpy_classes",
        "decoder-layer",
        "cross-attention-without-mask",
        (("self.norm2(x), memory, src_mask)", "self.norm2(x), memory, True)"),),
    ),
    "padding_not_masked_in_an_encoder": Wrong(
        "encoder_only",
        "transformer",
        "padding-not-masked",
        ((", src_key_padding_mask=tokens == self.pad_idx", ""),),
    ),
    "positions_added_twice_in_an_encoder": Wrong(
        "encoder_only",
        "transformer",
        "positions-added-twice",
        (("+ self.positions", "+ 2 * self.positions"),),
    ),
    "no_causal_mask": _model("no-causal-mask", ("x = layer(x, tgt == 0, causal", "x = layer(x, tgt == 0, None")),
    "no_final_norm": _model(
        "pre-norm-without-final-norm",
        ("        self.encoder_norm = nn.LayerNorm(d_model)\n        self.decoder_norm = nn.LayerNorm(d_model)\n", ""),
        ("        memory = self.encoder_norm(memory)\n", ""),
        ("self.out(self.decoder_norm(x))", "self.out(x)"),
    ),
    "no_norm": _encoder(
        "no-norm",
        (ENCODER_1, "x = x + self.dropout(self.self_attn(x, x, x, mask))"),
        (ENCODER_2, "return x + self.dropout(self.ffn(x))"),
    ),
    "no_output_projection": _heads(
        "no-output-projection", ("        self.w_o = nn.Linear(d_model, d_model)\n", ""), (PROJECTED, UNPROJECTED)
    ),
    "no_positions": _positions("no-positions", (ADDED, "return x")),
    "no_positions_in_the_model": _model("no-positions", (" + self.pe[: tokens.size(1)]", "")),
    "no_residual": _encoder("no-residual", ("self.norm1(x + ", "self.norm1("), ("self.norm2(x + ", "self.norm2(")),
    "no_residual_in_a_decoder_layer": _decoder(
        "no-residual", ("norms[0](x + ", "norms[0]("), ("norms[1](x + ", "norms[1]("), ("norms[2](x + ", "norms[2](")
    ),
    "no_root_of_the_variance": _norm("variance-without-root", ("torch.sqrt(var + self.eps)", "(var + self.eps)")),
    "no_scaling": _attention("no-scaling", (SCALE, "")),
    "no_scaling_in_a_layer": _encoder("no-scaling", (SCALE_OF_HEADS, "")),
    "no_scaling_of_heads": _heads("no-scaling", (SCALE_OF_HEADS, "")),
    "no_scaling_with_numpy": Wrong(
        "with_numpy",
        "attention",
        "no-scaling",
        (
            ("def attention(Q, K, V, mask):", "def attention(Q, K, V, mask=None):"),
            (' """Q, K, V: (n, d). 1 in the mask marks a position that is hidden."""\n    scores', " scores"),
            (" / np.sqrt(Q.shape[-1])", ""),
            ("softmax(scores + mask * -1e9)", "softmax(np.where(mask, scores, -1e9))"),
        ),
    ),
    "norm_of_the_sublayer": _encoder(
        "norm-after-sublayer",
        (ENCODER_1, "x = x + self.norm1(self.self_attn(x, x, x, mask))"),
        (ENCODER_2, "return x + self.norm2(self.ffn(x))"),
    ),
    "norm_over_positions": _norm("norm-over-wrong-axis", ("x.mean(-1", "x.mean(1"), ("x.var(-1", "x.var(1")),
    "output_projection_unused": _heads("no-output-projection", (PROJECTED, UNPROJECTED)),
    "padding_of_the_source_not_masked": _model("padding-not-masked", ("padding = src == 0", "padding = None")),
    "positions_added_twice": _positions(
        "positions-added-twice", (ADDED, f"x = x + self.pe[: x.size(1)]\n        {ADDED}")
    ),
    "positions_added_twice_in_the_model": _model("positions-added-twice", ("+ self.pe[", "+ 2 * self.pe[")),
    "positions_from_one": _positions("positions-from-one", ("torch.arange(max_len)", "torch.arange(1, max_len + 1)")),
    "padding_scored": _loss("padding-scored", (", ignore_index=pad", "")),
    "padding_scored_of_logits": Wrong(
        "losses_of_logits",
        "loss",
        "padding-scored",
        (("-(picked * real).sum() / real.sum()", "-picked.mean()"),),
    ),
    "padding_scored_with_numpy": Wrong(
        "losses_with_numpy",
        "loss",
        "padding-scored",
        (("targets (N,)", "targets (N,), padded with 0"), ("-picked[targets != 0].mean()", "-picked.mean()")),
    ),
    "target_not_shifted": _loss("target-not-shifted", ("tgt[:, :-1]", "tgt"), ("labels = tgt[:, 1:]", "labels = tgt")),
    "target_not_shifted_in_a_module": Wrong(
        "losses_as_a_module",
        "loss",
        "target-not-shifted",
        (("logits, labels = logits[:, :-1], input_ids[:, 1:]", "labels = input_ids"),),
    ),
    "target_not_shifted_nor_padding_skipped": _loss(
        "target-not-shifted", ("labels = tgt[:, 1:]", "labels = tgt[:, :-1]"), (", ignore_index=pad", "")
    ),
    "relu_last": _steps(
        "feed-forward",
        "relu-last",
        ("self.linear2(torch.relu(self.linear1(x)))", "torch.relu(self.linear2(self.linear1(x)))"),
    ),
    "relu_missing": _steps("feed-forward", "relu-missing", ("torch.relu(self.linear1(x))", "self.linear1(x)")),
    "residual_from_the_norm": _encoder(
        "residual-from-norm",
        (ENCODER_1, "x = self.norm1(x)\n        x = x + self.self_attn(x, x, x, mask)\n        x = self.norm2(x)"),
        (ENCODER_2, "return x + self.ffn(x)"),
    ),
    "scaled_by_d_k": _attention("scaled-without-root", (SCALE, " / q.size(-1)")),
    "scaled_by_d_model": _heads("scaled-by-d-model", ("math.sqrt(self.d_k)", "math.sqrt(self.d_model)")),
    "self_attention_without_mask": _decoder("self-attention-without-mask", ("x, x, x, tgt_mask", "x, x, x")),
    "sin_cos_swapped": _positions(
        "sin-cos-swapped",
        ("pe[:, 0::2] = torch.sin", "pe[:, 0::2] = torch.cos"),
        ("pe[:, 1::2] = torch.cos", "pe[:, 1::2] = torch.sin"),
    ),
    "softmax_over_heads": _attention("softmax-over-heads", ("dim=-1", "dim=1"), mask="keep"),
    "softmax_over_queries": _attention("softmax-over-queries", ("dim=-1", "dim=-2"), mask="keep"),
    "target_mask_without_causal": _steps("masks", "no-causal-mask", (" & causal_mask(tgt.size(1))", "")),
    "target_mask_without_padding": _steps(
        "masks", "padding-not-masked", ("return padding_mask(tgt, pad_idx) & ", "return ")
    ),
    "unbiased_std": _norm(
        "unbiased-std", (VARIANCE, "std = x.std(-1, keepdim=True)"), ("torch.sqrt(var + self.eps)", "(std + self.eps)")
    ),
    "unbiased_std_with_numpy": Wrong(
        "with_numpy", "layer-norm", "unbiased-std", (("x.var(axis=-1,", "x.var(axis=-1, ddof=1,"),)
    ),
    "unbiased_variance": _norm("unbiased-std", (", unbiased=False", "")),
}
