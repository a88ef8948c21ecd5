"""Causes by name: what is wrong in a sentence, and the lesson that explains it."""

from playground.lessons.lesson import Lesson, lessons

CAUSES: dict[str, dict[str, str]] = {
    "masks": {
        "inverted-mask": "Each query reads exactly the keys that it should not see.",
        "no-mask": "The mask has no effect, so every query reads every key.",
        "mask-after-softmax": "Set scores to minus infinity before the softmax; after it, the rows no longer sum to 1.",
        "mask-added-as-one": "Adding 1 to a score hides nothing; hide a key by setting its score to minus infinity.",
        "mask-multiplied": "A score of 0 still gets a weight; hide a key by setting its score to minus infinity.",
        "cross-attention-without-mask": "Cross-attention needs the mask of the source, or it reads padding.",
        "self-attention-without-mask": "Self-attention of the decoder needs the target mask, or it reads the answer.",
        "no-causal-mask": "Without the causal mask, each position reads the token that it should predict.",
        "causal-mask-off-by-one": "A position may see itself and earlier ones, so the diagonal is visible.",
        "causal-mask-transposed": "A position may see earlier positions, not later ones: yours is transposed.",
        "padding-not-masked": "Hide the padding from every query, or it takes part in the attention.",
    },
    "attention": {
        "no-scaling": "Divide the scores by sqrt(d_k), or their variance grows with d_k and the softmax saturates.",
        "scaled-by-d-model": "Divide the scores by sqrt(d_k), the width of one head, not by sqrt(d_model).",
        "scaled-without-root": "Divide the scores by the square root of d_k, not by d_k.",
        "softmax-over-queries": "The weights of each query must sum to 1 over the keys, the last axis of the scores.",
        "softmax-over-heads": "The weights of each query must sum to 1 over the keys, not over the heads.",
        "softmax-over-batch": "The weights of each query must sum to 1 over the keys, not over the batch.",
    },
    "shapes": {
        "heads-without-transpose": "Split the last axis into heads and transpose; a reshape mixes positions and heads.",
    },
    "heads": {
        "one-projection-for-all-heads": "Each head needs queries, keys and values of its own, each from all D numbers.",
        "no-output-projection": "The joined heads must pass through W^O, so that what the heads found is mixed.",
    },
    "feed-forward": {
        "relu-missing": "Without a non-linear function between them, the two linear layers are one linear layer.",
        "relu-last": "The activation function belongs between the two linear layers, not after the second.",
    },
    "residual-and-norm": {
        "no-residual": "Add the input of each sublayer to its output; without the sum, gradients fade with depth.",
        "norm-after-sublayer": "Yours is x + LayerNorm(Sublayer(x)); post-norm is LayerNorm(x + Sublayer(x)).",
        "residual-from-norm": "In pre-norm, add the sublayer's output to x itself, not to LayerNorm(x).",
        "one-norm-shared": "Each sublayer has a norm of its own: with one for both, they share gain and bias.",
        "no-norm": "The LayerNorm of each sublayer is not applied.",
        "unbiased-std": "LayerNorm divides by the standard deviation over D values (unbiased=False), not D - 1.",
        "epsilon-outside-root": "LayerNorm divides by sqrt(variance + epsilon), which is not sqrt(variance) + epsilon.",
        "variance-without-root": "LayerNorm divides by the square root of the variance, not by the variance.",
        "norm-over-wrong-axis": "LayerNorm takes mean and variance over the features of one position, the last axis.",
        "norm-without-weights": "Multiply the normalized values by the gain and add the bias.",
        "pre-norm-without-final-norm": "Pre-norm leaves the last sum unnormalized: end each stack with a LayerNorm.",
    },
    "positions": {
        "sin-cos-swapped": "The even columns are sines and the odd ones cosines.",
        "wrong-frequency": "The angle is pos / 10000^(2i / d_model), and columns 2i and 2i + 1 share it.",
        "positions-from-one": "Positions are counted from 0; yours start at 1.",
        "no-positions": "Without positions, attention cannot tell the order of the tokens.",
        "positions-added-twice": "Add the positions once, where the embeddings enter the stack.",
    },
    "encoder-decoder": {
        "one-attention-shared": "Self-attention and cross-attention have weights of their own: make two modules.",
        "cross-attention-to-itself": "Cross-attention takes its keys and values from the encoder's output.",
    },
    "training-step": {
        "target-not-shifted": "A position must predict the next token: it already reads the one at its own position.",
        "layers-not-registered": "Use nn.ModuleList: layers in a plain list are neither trained nor saved.",
        "no-warm-up": "Raise the learning rate over the first steps: post-norm gradients are large at the start.",
        "padding-scored": "Leave padding out of the loss (ignore_index), or its easy predictions hide the others.",
    },
    "cost": {
        "layers-share-weights": "[layer] * n is one layer n times: make n layers, in a loop or by copy.deepcopy.",
    },
    "dropout": {
        "dropout-in-evaluation": "Dropout must be off in evaluation mode: use nn.Dropout or training=self.training.",
    },
}
"""A sentence for each cause, by the lesson that explains it."""

WHY = {cause: why for causes in CAUSES.values() for cause, why in causes.items()}


def lesson_of(cause: str | None) -> Lesson | None:
    """The lesson that explains a cause or a pitfall; None for none."""
    return next((lessons()[name] for name, causes in CAUSES.items() if cause in causes), None)
