"""The classic mistakes, one row each: pitfalls, hunts, lessons and the check of one's own code read this table."""

import math
from dataclasses import dataclass

from playground.lessons import measures
from playground.lessons.lesson import Lesson, lessons
from playground.lessons.mistakes import classes, ways
from playground.lessons.mistakes.pitfall import Pitfall
from playground.lessons.mistakes.ways import Way
from playground.model.attention import MultiHeadAttention
from playground.model.feed_forward import FeedForward
from playground.model.layers import AddNorm
from playground.model.transformer import Decoder, Encoder, Transformer


@dataclass(frozen=True)
class Mistake:
    """A classic mistake."""

    title: str
    about: str  # the lesson that explains it, by name
    why: str  # a sentence on what is right
    ways: tuple[Way, ...] = ()  # to make it in this project's modules, the clearest first
    pitfall: Pitfall | None = None  # how a training shows it
    hint: str = ""  # for those who write a test: what right code does, and code with this mistake doesn't

    @property
    def code(self) -> type:
        """The class with the mistake that people read beside the right one."""
        made = self.pitfall.mistake if self.pitfall else self.ways[0].change
        assert isinstance(made, type), "made by a function, which nobody reads"
        return made

    @property
    def sentence(self) -> str:
        """A sentence on what the code does."""
        return (self.code.__doc__ or "").splitlines()[0]

    @property
    def lesson(self) -> Lesson:
        """The lesson that explains it."""
        return lessons()[self.about]


_MIXTURE = {
    "model.architecture": "decoder-only",
    "model.positions": "learned",
    "model.feed_forward": "mixture",
    "model.d_ff": 32,
    "task.min_length": 6,
}
"""Settings of a small mixture of experts."""

MISTAKES: dict[str, Mistake] = {
    "inverted-mask": Mistake(
        "Mask inverted",
        "masks",
        "Each query reads exactly the keys that it should not see.",
        ways=(Way("an inverted mask", classes.InvertedMask),),
        pitfall=Pitfall(
            classes.InvertedMask,
            measures.weight_on_hidden,
            "{wrong} of the attention goes to later positions, which should get none; in the correct model {right}.",
            operation="decoder.layers.0.self_attention.attention.masked_scores",
        ),
    ),
    "mask-after-softmax": Mistake(
        "Mask after softmax",
        "masks",
        "Set scores to minus infinity before the softmax; after it, the rows no longer sum to 1.",
        ways=(
            Way("a mask after the softmax", classes.MaskAfterSoftmax),
            Way("a mask after the softmax", ways.attention(masked=ways.unmasked, after=ways.minus_infinity)),
        ),
        pitfall=Pitfall(
            classes.MaskAfterSoftmax,
            measures.sum_of_weights,
            "The sum of a query's weights differs from 1 by {wrong}; in the correct model by {right}.",
            operation="decoder.layers.0.self_attention.attention.weights",
        ),
        hint="With a mask too, the weights of a query sum to 1.",
    ),
    "no-scaling": Mistake(
        "Scores not scaled",
        "attention",
        "Divide the scores by sqrt(d_k), or their variance grows with d_k and the softmax saturates.",
        ways=(Way("scores without scaling", classes.NoScaling),),
        pitfall=Pitfall(
            classes.NoScaling,
            measures.spread_of_scores,
            "Before training, the scores that softmax reads have a standard deviation of {wrong} instead of {right}.",
            operation="decoder.layers.0.cross_attention.attention.scaled_scores",
        ),
        hint="Attention is softmax(Q K^T / sqrt(d_k)) V, so PyTorch's own gives the same numbers.",
    ),
    "scaled-by-d-model": Mistake(
        "Scores scaled by d_model",
        "attention",
        "Divide the scores by sqrt(d_k), the width of one head, not by sqrt(d_model).",
        ways=(Way("scores scaled by d_model", ways.attention(lambda q: math.sqrt(q.size(1) * q.size(-1)))),),
    ),
    "scaled-without-root": Mistake(
        "Scores divided by d_k",
        "attention",
        "Divide the scores by the square root of d_k, not by d_k.",
        ways=(Way("scores divided by d_k", ways.attention(lambda q: q.size(-1))),),
    ),
    "softmax-over-queries": Mistake(
        "Softmax over the queries",
        "attention",
        "The weights of each query must sum to 1 over the keys, the last axis of the scores.",
        ways=(Way("a softmax over the queries", classes.SoftmaxOverQueries),),
        pitfall=Pitfall(
            classes.SoftmaxOverQueries,
            measures.sum_of_weights,
            "The sum of a query's weights differs from 1 by {wrong}; in the correct model by {right}.",
            operation="decoder.layers.0.self_attention.attention.weights",
            hunted=False,
            settings={"task.min_length": 6},
        ),
        hint="The weights of a query sum to 1, so with values of 1 every output is 1.",
    ),
    "softmax-over-heads": Mistake(
        "Softmax over the heads",
        "attention",
        "The weights of each query must sum to 1 over the keys, not over the heads.",
        ways=(Way("a softmax over the heads", ways.attention(axis=1)),),
    ),
    "mask-added-as-one": Mistake(
        "Mask added as 0 and 1",
        "masks",
        "Adding 1 to a score hides nothing; hide a key by setting its score to minus infinity.",
        ways=(
            Way("a mask added as 0 and 1", ways.attention(masked=lambda scores, mask: scores + mask)),
            Way("a mask added as 0 and 1", ways.attention(masked=lambda scores, mask: scores + ~mask)),
        ),
    ),
    "mask-multiplied": Mistake(
        "Scores multiplied by the mask",
        "masks",
        "A score of 0 still gets a weight; hide a key by setting its score to minus infinity.",
        ways=(Way("scores multiplied by the mask", ways.attention(masked=lambda scores, mask: scores * mask)),),
    ),
    "heads-without-transpose": Mistake(
        "Heads split without transpose",
        "shapes",
        "Split the last axis into heads and transpose; a reshape mixes positions and heads.",
        ways=(
            Way("heads split without a transpose", classes.HeadsWithoutTranspose),
            Way("heads joined without a transpose", ways.joined_without_transpose, MultiHeadAttention),
            Way("heads split and joined without a transpose", ways.never_transposed, MultiHeadAttention),
        ),
        pitfall=Pitfall(
            classes.HeadsWithoutTranspose,
            measures.reads_ahead,
            "The first prediction changes by up to {wrong} when only later tokens change; "
            "in the correct model by {right}.",
            operation="decoder.layers.0.self_attention.attention.query",
        ),
        hint="In multi-head attention, another query changes no output but its own.",
    ),
    "no-output-projection": Mistake(
        "No output projection",
        "heads",
        "The joined heads must pass through W^O, so that what the heads found is mixed.",
        ways=(
            Way("heads without output projection", ways.without("w_o"), MultiHeadAttention),
            Way("heads without output projection", ways.unused("w_o"), MultiHeadAttention),
        ),
    ),
    "relu-missing": Mistake(
        "No activation function",
        "feed-forward",
        "Without a non-linear function between them, the two linear layers are one linear layer.",
        ways=(Way("two linear layers without activation function", classes.ReluMissing),),
        hint="The network isn't linear: f(x) + f(-x) isn't 2 f(0).",
    ),
    "relu-last": Mistake(
        "Activation function after the second layer",
        "feed-forward",
        "The activation function belongs between the two linear layers, not after the second.",
        ways=(Way("an activation function after the second layer", ways.relu_last, FeedForward),),
    ),
    "no-gates": Mistake(
        "Experts without gates",
        "feed-forward",
        "Multiply the output of each chosen expert by its gate, or the router gets no gradient and never learns.",
    ),
    "router-over-tokens": Mistake(
        "Softmax of the router over the tokens",
        "feed-forward",
        "The gates of each token are a softmax over the experts, the last axis, not over the tokens.",
    ),
    "sin-cos-swapped": Mistake(
        "Sines and cosines swapped",
        "positions",
        "The even columns are sines and the odd ones cosines.",
        ways=(Way("swapped sines and cosines", classes.SinesAndCosinesSwapped),),
        hint="At position 0, every sine is 0 and every cosine is 1.",
    ),
    "wrong-frequency": Mistake(
        "Wrong frequency of the positions",
        "positions",
        "The angle is pos / 10000^(2i / d_model), and columns 2i and 2i + 1 share it.",
        ways=(
            Way("a frequency of its own for each column", ways.positions(lambda i, d: 10000 ** (-i / d))),
            Way("a doubled exponent", ways.positions(lambda i, d: 10000 ** (-2 * ways.even(i) / d))),
            Way("a doubled exponent", ways.positions(lambda i, d: 10000 ** (-2 * i / d))),
            Way("a halved exponent", ways.positions(lambda i, d: 10000 ** (-ways.even(i) / 2 / d))),
            Way("1000 in place of 10000", ways.positions(lambda i, d: 1000 ** (-ways.even(i) / d))),
            Way("a multiplication by 10000^(2i / d_model)", ways.positions(lambda i, d: 10000 ** (ways.even(i) / d))),
        ),
    ),
    "positions-from-one": Mistake(
        "Positions counted from 1",
        "positions",
        "Positions are counted from 0; yours start at 1.",
        ways=(Way("positions that start at 1", ways.positions(first=1)),),
    ),
    "no-positions": Mistake(
        "Positions forgotten",
        "positions",
        "Without positions, attention cannot tell the order of the tokens.",
        ways=(Way("embeddings without positions", classes.NoPositions),),
        pitfall=Pitfall(
            classes.NoPositions,
            measures.exact_match,
            "{wrong} of the held-out answers are entirely right; with positions {right}.",
            operation="decoder.embeddings.sum",
            lower=True,
        ),
        hint="Another order of the source tokens changes the logits.",
    ),
    "positions-by-batch": Mistake(
        "Positions by batch",
        "positions",
        "Each position has its own row of the table; yours gives each sequence of the batch one.",
    ),
    "positions-added-twice": Mistake(
        "Positions added twice",
        "positions",
        "Add the positions once, where the embeddings enter the stack.",
        ways=(Way("positions added twice", classes.PositionsAddedTwice),),
        pitfall=Pitfall(
            classes.PositionsAddedTwice,
            measures.share_of_positions,
            "The positions that are added are {wrong} times as long as the token vectors; "
            "in the correct model {right} times.",
            operation="decoder.embeddings.sum",
            shows=1.3,
        ),
    ),
    "rotary-on-values": Mistake(
        "Values turned by rotary positions",
        "positions",
        "Rotary embeddings turn queries and keys; values stay as they are.",
    ),
    "rotary-angles-differ": Mistake(
        "Queries and keys turned by different angles",
        "positions",
        "Turn queries and keys by the same angle at the same position, so that scores depend on their distance.",
    ),
    "rotary-over-wrong-axis": Mistake(
        "Rotary angles by the wrong axis",
        "positions",
        "The angle of a rotary embedding grows with the position, not with the head or the sequence of the batch.",
    ),
    "rotary-pairs-mixed": Mistake(
        "Rotary pairs mixed up",
        "positions",
        "Both features of a pair share one angle: the tables of sines and cosines must pair features as the code does.",
    ),
    "no-residual": Mistake(
        "No residual connections",
        "residual-and-norm",
        "Add the input of each sublayer to its output; without the sum, gradients fade with depth.",
        ways=(Way("sublayers without residual sum", classes.NoResidual),),
        pitfall=Pitfall(
            classes.NoResidual,
            measures.exact_match,
            "After the same steps {wrong} of the held-out answers are entirely right; "
            "with residual connections {right}.",
            operation="encoder.layers.0.feed_forward.output",
            lower=True,
            settings={"model.n_layers": 2},
        ),
        hint="If all sublayers give 0, a layer still passes on what it gets.",
    ),
    "norm-after-sublayer": Mistake(
        "LayerNorm on the sublayer's output",
        "residual-and-norm",
        "Yours is x + LayerNorm(Sublayer(x)); post-norm is LayerNorm(x + Sublayer(x)).",
        ways=(Way("a norm of the sublayer alone", classes.NormAfterSublayer),),
        pitfall=Pitfall(
            classes.NormAfterSublayer,
            measures.size_after_last_layer,
            "Vectors leave the last layer with a root mean square of {wrong}; after a norm of the sum it is {right}.",
            operation="decoder.output",
            settings={"model.norm_position": "post", "model.n_layers": 2, "training.learning_rate": 3e-3},
        ),
        hint="In post-norm, the output of a layer is normalized, however large its input is.",
    ),
    "residual-from-norm": Mistake(
        "Residual sum from the norm",
        "residual-and-norm",
        "In pre-norm, add the sublayer's output to x itself, not to LayerNorm(x).",
        ways=(Way("a residual sum that starts at the norm", ways.subclass(AddNorm, ways.residual_from_norm)),),
    ),
    "no-norm": Mistake(
        "No LayerNorm",
        "residual-and-norm",
        "The LayerNorm of each sublayer is not applied.",
        ways=(Way("sublayers without norm", ways.unused("norm"), AddNorm),),
    ),
    "unbiased-std": Mistake(
        "Unbiased standard deviation",
        "residual-and-norm",
        "LayerNorm divides by the standard deviation over D values (unbiased=False), not D - 1.",
        ways=(
            Way("an unbiased standard deviation", classes.UnbiasedStandardDeviation),
            Way("an unbiased variance", ways.norm(correction=1)),
        ),
        hint="PyTorch's layer_norm gives the same numbers: the variance of D numbers divides by D.",
    ),
    "epsilon-outside-root": Mistake(
        "Epsilon outside the root",
        "residual-and-norm",
        "LayerNorm divides by sqrt(variance + epsilon), which is not sqrt(variance) + epsilon.",
        ways=(Way("an epsilon outside the root", ways.norm(spread=ways.plus_epsilon)),),
    ),
    "variance-without-root": Mistake(
        "Division by the variance",
        "residual-and-norm",
        "Divide by the square root of the variance or, in RMSNorm, of the mean square, not by that itself.",
        ways=(Way("a division by the variance", ways.norm(spread=lambda variance, eps: variance + eps)),),
    ),
    "norm-over-wrong-axis": Mistake(
        "Norm over the wrong axis",
        "residual-and-norm",
        "LayerNorm and RMSNorm normalize the features of one position, the last axis.",
        ways=(
            Way("a norm over the positions", ways.norm(1)),
            Way("a norm over the batch", ways.norm(0)),
            Way("a norm over positions and features", ways.norm((1, 2))),
        ),
        pitfall=Pitfall(
            classes.RmsNormOverPositions,
            measures.reads_ahead,
            "The first prediction changes by up to {wrong} when only later tokens change; "
            "in the correct model by {right}.",
            operation="decoder.layers.0.self_attention_add_norm.normalized",
            hunted=False,
            settings={"model.norm": "rms_norm"},
        ),
    ),
    "one-gain-for-all-features": Mistake(
        "One gain for all features",
        "residual-and-norm",
        "Gain and bias have a number for each feature, shape (d_model,), not one number for all.",
    ),
    "norm-without-weights": Mistake(
        "LayerNorm without gain and bias",
        "residual-and-norm",
        "Multiply the normalized values by the gain and add the bias.",
        ways=(Way("a norm without gain and bias", ways.norm(weighted=False)),),
    ),
    "target-not-shifted": Mistake(
        "Target not shifted",
        "training-step",
        "A position must predict the next token: it already reads the one at its own position.",
        pitfall=Pitfall(
            classes.TargetNotShifted,
            measures.exact_match,
            "{wrong} of the held-out answers are entirely right, although "
            "the training loss is near 0; shifted {right}.",
            operation="probabilities",
            lower=True,
        ),
    ),
    "padding-scored": Mistake(
        "Padding in the loss",
        "training-step",
        "Leave padding out of the loss (ignore_index), or its easy predictions hide the others.",
        pitfall=Pitfall(
            classes.PaddingScored,
            measures.loss_gap,
            "The held-out loss per token is {wrong} times "
            "the reported training loss. In the correct model: {right} times.",
            operation="loss",
            hunted=False,
            settings={"training.steps": 30},
        ),
    ),
    "no-causal-mask": Mistake(
        "No causal mask",
        "masks",
        "Without the causal mask, each position reads the token that it should predict.",
        ways=(
            Way("no causal mask", classes.NoCausalMask),
            Way("no mask at all", ways.tap("mask", ways.everything), Decoder),
        ),
        hint="A later target token changes no earlier logits.",
    ),
    "causal-mask-off-by-one": Mistake(
        "Causal mask off by one",
        "masks",
        "A position may see itself and earlier ones, so the diagonal is visible.",
        ways=(
            Way("a causal mask one off", ways.tap("causal_mask", lambda x: x.tril(-1)), Decoder),
            Way("a causal mask one off", ways.tap("causal_mask", lambda x: ways.everything(x).tril(1)), Decoder),
        ),
    ),
    "causal-mask-transposed": Mistake(
        "Causal mask transposed",
        "masks",
        "A position may see earlier positions, not later ones: yours is transposed.",
        ways=(Way("a transposed causal mask", ways.tap("causal_mask", lambda x: x.mT), Decoder),),
    ),
    "masks-joined-by-or": Mistake(
        "Masks joined by or",
        "masks",
        "A key must be a real token and not a later one: hide it if either mask hides it.",
    ),
    "padding-not-masked": Mistake(
        "Padding not masked",
        "masks",
        "Hide the padding from every query, or it takes part in the attention.",
        ways=(
            Way("a mask without padding", ways.tap("padding_mask", ways.everything), Decoder),
            Way("a source mask without padding", ways.tap("padding_mask", ways.everything), Encoder),
        ),
    ),
    "cross-attention-without-mask": Mistake(
        "Cross-attention without the encoder's mask",
        "masks",
        "Cross-attention needs the mask of the source, or it reads padding.",
        ways=(Way("cross-attention without mask", classes.CrossAttentionWithoutMask),),
        pitfall=Pitfall(
            classes.CrossAttentionWithoutMask,
            measures.weight_on_padding,
            "{wrong} of the cross-attention goes to padding; in the correct model {right}.",
            operation="decoder.layers.0.cross_attention.attention.masked_scores",
            settings={"training.steps": 20},
        ),
        hint="Padding after the source changes no logits.",
    ),
    "self-attention-without-mask": Mistake(
        "Decoder's self-attention without its mask",
        "masks",
        "Self-attention of the decoder needs the target mask, or it reads the answer.",
        ways=(Way("self-attention without mask", classes.SelfAttentionWithoutMask),),
    ),
    "cross-attention-to-itself": Mistake(
        "Cross-attention to the decoder itself",
        "encoder-decoder",
        "Cross-attention takes its keys and values from the encoder's output.",
        ways=(Way("cross-attention to the decoder itself", classes.CrossAttentionToItself),),
        hint="Another source changes the logits.",
    ),
    "pre-norm-without-final-norm": Mistake(
        "Pre-norm without the final LayerNorm",
        "residual-and-norm",
        "Pre-norm leaves the last sum unnormalized: end each stack with a LayerNorm.",
        ways=(Way("pre-norm stacks without final norm", ways.no_final_norms, Transformer),),
    ),
    "no-mask": Mistake(
        "Mask without effect",
        "masks",
        "The mask has no effect, so every query reads every key.",
        ways=(Way("attention without mask", ways.attention(masked=ways.unmasked)),),
    ),
    "dropout-in-evaluation": Mistake(
        "Dropout left on",
        "dropout",
        "Dropout must be off in evaluation mode: use nn.Dropout or training=self.training.",
        ways=(Way("dropout in evaluation", classes.DropoutInEvaluation),),
        pitfall=Pitfall(
            classes.DropoutInEvaluation,
            measures.disagreement,
            "Read twice, the same input gives logits that differ by up to {wrong}; in the correct model by {right}.",
            operation="decoder.embeddings.sum",
            settings={"model.dropout": 0.1},
        ),
        hint="In evaluation mode, two calls with one input give equal logits.",
    ),
    "no-warm-up": Mistake(
        "No warm-up in a post-norm model",
        "training-step",
        "Raise the learning rate over the first steps: post-norm gradients are large at the start.",
        pitfall=Pitfall(
            classes.NoWarmUp,
            measures.last_loss,
            "After the same steps the training loss is {wrong}; with warm-up {right}.",
            operation="logits",
            hunted=False,
            settings={
                "model.norm_position": "post",
                "model.n_layers": 3,
                "training.warmup_steps": 60,
                "training.schedule": "constant",
            },
        ),
    ),
    "router-without-balance": Mistake(
        "Router without balance",
        "today",
        "Minimize the balancing loss with the loss: an expert that is chosen learns, and is then chosen even more.",
        pitfall=Pitfall(
            classes.RouterWithoutBalance,
            measures.experts_in_use,
            "The loads have the entropy of {wrong} equally used experts; in the correct model, of {right}.",
            operation="decoder.layers.0.feed_forward.load",
            lower=True,
            hunted=False,
            settings=_MIXTURE | {"model.n_experts": 16, "model.experts_per_token": 1, "model.balance": 0.1},
        ),
    ),
    "gates-not-renormalized": Mistake(
        "Gates not renormalized",
        "today",
        "Divide the gates of the chosen experts by their sum, or the mixture's output shrinks.",
        pitfall=Pitfall(
            classes.GatesNotRenormalized,
            measures.sum_of_gates,
            "The sum of a position's gates differs from 1 by {wrong}; in the correct model by {right}.",
            operation="decoder.layers.0.feed_forward.gates",
            hunted=False,
            settings=_MIXTURE,
        ),
    ),
    "rotary-on-latent-keys": Mistake(
        "Rotary positions on the keys of a latent",
        "today",
        "Turn only the decoupled columns: a turn between W^UK and the query keeps both from being one matrix.",
        pitfall=Pitfall(
            classes.RotatedLatentKeys,
            measures.absorbed_gap,
            "Scores from a cache of latents differ by {wrong} standard deviations; in the correct model by {right}.",
            operation="decoder.layers.0.self_attention.attention.query",
            hunted=False,
            settings={
                "task.name": "copy",
                "task.min_length": 6,
                "model.architecture": "decoder-only",
                "model.positions": "rotary",
                "model.attention": "latent",
                "model.d_latent": 8,
                "model.d_rope": 4,
            },
        ),
    ),
    "softmax-over-batch": Mistake(
        "Softmax over the batch",
        "attention",
        "The weights of each query must sum to 1 over the keys, not over the batch.",
    ),
    "one-projection-for-all-heads": Mistake(
        "One projection for all heads",
        "heads",
        "Each head needs queries, keys and values of its own, each from all D numbers.",
    ),
    "groups-mixed-up": Mistake(
        "Keys and values of different groups",
        "heads",
        "Repeat the heads of keys and of values in the same order: queries that share keys share their values.",
    ),
    "one-norm-shared": Mistake(
        "One LayerNorm for both sublayers",
        "residual-and-norm",
        "Each sublayer has a norm of its own: with one for both, they share gain and bias.",
    ),
    "one-attention-shared": Mistake(
        "One attention for both sublayers",
        "encoder-decoder",
        "Self-attention and cross-attention have weights of their own: make two modules.",
    ),
    "layers-not-registered": Mistake(
        "Layers not registered",
        "training-step",
        "Use nn.ModuleList: layers in a plain list are neither trained nor saved.",
    ),
    "layers-share-weights": Mistake(
        "Layers share their weights",
        "cost",
        "[layer] * n is one layer n times: make n layers, in a loop or by copy.deepcopy.",
    ),
}
"""By name. Of two that give the same numbers, the likely one comes first."""

PITFALLS = {name: mistake.pitfall for name, mistake in MISTAKES.items() if mistake.pitfall}

EXAMINED = {name: mistake for name, mistake in MISTAKES.items() if mistake.hint}
"""Those that a learner writes tests for."""
