"""Terms of the field and the letters of shapes, one sentence each; pages show them on hover."""

import re

from playground.optimization.optimizers import OPTIMIZERS
from playground.optimization.schedules import SCHEDULES

DIMENSIONS = {
    "B": "Batch: the number of sequences processed together.",
    "S": "Source length: the number of input tokens.",
    "T": "Target length: the number of tokens the decoder reads.",
    "D": "Model width d_model: the size of the vector of each token.",
    "H": "Heads: the number of attention heads in each layer.",
    "K": "Head width d_k: the size of each head's vectors, D divided by H.",
    "F": "Hidden width d_ff of the feed-forward network.",
    "V": "Vocabulary: the number of different tokens, PAD, BOS, EOS and SEP included.",
    "N": "The number of layers in each stack.",
    "G": "Key heads n_kv_heads: the heads of keys and values in grouped-query attention.",
    "M": "Width of the keys of all key heads, G times K.",
    "C": "Latent width d_latent: the size of the vector that latent attention keeps for each position.",
    "P": "Rotary width d_rope: the columns of each head that latent attention adds for rotary positions.",
    "U": "Width of the rotary columns of all heads, H times P.",
    "Q": "Width of what a head of latent attention compares, K plus P.",
    "E": "Experts n_experts: the networks that the router of a mixture chooses from.",
}
"""Meaning of the letters in shapes."""

WORDS = {
    "activation function": "A nonlinear function between two linear layers, here ReLU, GELU or Swish.",
    "attention": "Each position sums the values of all positions, weighted by how well its query matches their keys.",
    "autoregressive": "Predicting one token at a time, each from the tokens before it.",
    "balancing loss": "A second loss in training that grows as the choices of the router gather on a few experts.",
    "beam search": "Extends each of the most probable prefixes of an answer by a token, keeps the best, and repeats.",
    "batch": "Several sequences that go through the model together.",
    "BOS": "Beginning of sequence: the first token that the decoder reads.",
    "causal mask": "Hides all later positions, so that no position reads the token it has to predict.",
    "checkpoint": "A directory with a model's settings, weights and history.",
    "clipping": "Scaling a gradient down when its norm exceeds a limit.",
    "compressed latent": "The short vector of a position from which latent attention makes all its keys and values.",
    "contiguous": "A tensor whose numbers lie in memory in the order of its indices.",
    "cross-attention": "Queries come from the decoder, keys and values from the encoder's output.",
    "cross-entropy": "Minus the logarithm of the probability of the right token.",
    "decoder": "The stack that predicts the next token of the answer at each position it reads.",
    "dot product": "Multiply two vectors number by number, then add the products.",
    "dropout": "In training, sets random numbers to 0 and scales up the others, so that the mean stays the same.",
    "embedding": "The trained vector of a token, a row of a table.",
    "encoder": "The stack that reads the input, each position attending to all positions.",
    "entropy": "How evenly a distribution is spread, here in bits: 0 if one outcome has all the probability.",
    "EOS": "End of sequence: a decoder predicts it when its answer is complete.",
    "exact match": "The fraction of held-out inputs whose answer is right in every token.",
    "expert": "One of several feed-forward networks of a mixture, computed for the positions that choose it.",
    "feed-forward": "Two linear layers with an activation function between them, applied to each position by itself.",
    "FLOP": "One multiplication or one addition of two numbers.",
    "free-running": "The model reads its own earlier predictions, as it does after training.",
    "gate": "A number that something is multiplied by: of an expert's output, or of a hidden unit in SwiGLU.",
    "GELU": "A smooth activation function: x times the probability that a standard normal variable is below x.",
    "gradient": "For each number, how fast the loss changes with it.",
    "greedy decoding": "Taking the most probable token at every position.",
    "grouped-query attention": "Several heads of queries use the same keys and values, so that fewer have to be kept.",
    "head": "One of several attentions side by side, with its own queries, keys and values.",
    "held-out": "Sequences that are never trained on: they measure the model and decide when a run counts as solved.",
    "key": "The vector of a position that queries are compared with.",
    "label smoothing": "Spreads part of the target probability evenly over all tokens, the right one included.",
    "latent attention": "Attention whose keys and values are all made from one short vector per position.",
    "layer": "Attention and feed-forward network, each with its norm and residual path; a stack repeats it.",
    "LayerNorm": "Normalizes each vector to mean 0 and variance 1, then scales and shifts it by trained numbers.",
    "learning rate": "The factor that sets how far an optimizer step moves the weights.",
    "logits": "The raw score of each token of the vocabulary, before softmax.",
    "loss": "Cross-entropy averaged over the labels of a batch; training lowers it.",
    "mixture of experts": "Several feed-forward networks, of which a router chooses a few for each position.",
    "multi-query attention": "All heads of queries use the same keys and values.",
    "operation": "One named computation of the forward pass, with the tensor it produces.",
    "optimizer": "The rule that turns gradients into changes of the weights.",
    "PAD": "Fills the shorter sequences of a batch; attention masks it, and the loss ignores it.",
    "padding mask": "Hides PAD tokens from attention.",
    "parameters": "The numbers that training changes.",
    "perplexity": "The exponential of the loss, which is n for a model that guesses evenly among n tokens.",
    "permutation": "The same items in another order.",
    "positional encoding": "A vector added to each token's embedding that tells its position.",
    "post-norm": "A norm after each residual sum, as in the paper.",
    "pre-norm": "A norm before each sublayer, so that the residual path has none; trains more stably.",
    "query": "The vector of a position that is compared with all keys.",
    "query-key norm": "Gives all queries and keys length 1, so that scores depend on their directions alone.",
    "ReLU": "The activation function max(0, x).",
    "residual": "The input of a sublayer is added to its output.",
    "RMSNorm": "Divides each vector by its root mean square, then scales it by trained numbers.",
    "rotary": "Positions that rotate queries and keys: a score depends on how far apart they are, and in which order.",
    "router": "The linear layer that gives each expert a score at each position.",
    "scores": "The dot product of each query with each key.",
    "seed": "The start of all random numbers; the same seed gives the same run.",
    "self-attention": "Queries, keys and values all come from the same sequence.",
    "SEP": "Separator between the input and the answer of a decoder-only model.",
    "shared expert": "A network of a mixture that every position uses, whatever the router chooses.",
    "sliding window": "Each position sees only the positions less than a fixed distance away.",
    "snapshot": "The weights of a run at one step, kept so that you can return to it.",
    "soft-capping": "Keeps scores between minus and plus a number by the function tanh.",
    "softmax": "Turns numbers into probabilities: positive, with sum 1.",
    "step": "One optimizer step: one batch, one update of all weights.",
    "stride": "How many numbers lie in memory between one index of an axis and the next.",
    "sublayer": "One attention or one feed-forward network inside a layer.",
    "SwiGLU": "A feed-forward network in which Swish of one linear layer multiplies another one.",
    "Swish": "A smooth activation function: x times its sigmoid, called SiLU in PyTorch.",
    "teacher forcing": "The decoder reads the right answer so far instead of its own predictions.",
    "temperature": "Divides the numbers before softmax: a low one makes the largest probability larger.",
    "token": "The unit a model reads and predicts: a symbol, or one of PAD, BOS, EOS and SEP.",
    "top-k": "Keeps the k most probable tokens and drops all others before one is drawn.",
    "top-p": "Keeps the fewest tokens whose probabilities together reach p, and drops all others.",
    "token accuracy": "The fraction of single tokens that are predicted right.",
    "value": "The vector of a position that attention passes on to the positions attending to it.",
    "variance": "The mean squared distance of numbers from their mean.",
    "warm-up": "The first steps, in which the learning rate rises to its peak.",
    "weight decay": "Shrinks all weights a little towards 0 at each step.",
}
"""Terms that pages mark where they use them."""

_FORMS = {
    form: word
    for word in WORDS
    for form in (word, f"{word}s", "queries" if word == "query" else f"{word}es")
    if form == word or not word.isupper()
}
_ANY_FORM = "|".join(re.escape(form) for form in sorted(_FORMS, key=len, reverse=True))
_PATTERN = re.compile(  # an output layer and the page Step through are no uses of the terms
    rf"(?<![\w/-])(?<!output )(?<!linear )(?:{_ANY_FORM})(?![\w-]|\.\w| through\b)", re.IGNORECASE
)
_BY_LOWER = {form.lower(): word for form, word in _FORMS.items()}


def meaning(term: str) -> str:
    """The sentence for a letter or a term; raises KeyError for one that is not explained."""
    return DIMENSIONS[term] if term in DIMENSIONS else WORDS[term]


def split(text: str) -> list[tuple[str, str | None]]:
    """`text` in pieces, each with the term it is a form of, or None; only the first use of a term counts."""
    pieces: list[tuple[str, str | None]] = []
    seen: set[str] = set()
    end = 0
    for match in _PATTERN.finditer(text):
        word = _BY_LOWER[match[0].lower()]
        if word in seen or (word.isupper() and not match[0].isupper()):
            continue
        seen.add(word)
        pieces += [(text[end : match.start()], None), (match[0], word)]
        end = match.end()
    return [piece for piece in (*pieces, (text[end:], None)) if piece[0]]


_CHOICES = {
    "most_first": "most significant first",
    "least_first": "least significant first",
    "two_way": "from both ends",
    "relu": "ReLU",
    "gelu": "GELU",
    "swiglu": "SwiGLU",
    "layer_norm": "LayerNorm",
    "rms_norm": "RMSNorm",
    "multi_head": "multi-head",
    "grouped_query": "grouped-query",
    **{name: row.label for table in (OPTIMIZERS, SCHEDULES) for name, row in table.items()},
}


def choice(name: str) -> str:
    """The label of a choice of a setting: its name, or a clearer one."""
    return _CHOICES.get(name, name)
