"""The field's words and the letters of the shapes, one plain sentence each; pages show them on hover."""

import re

LETTERS = {
    "B": "Batch: how many sequences are worked on at once.",
    "S": "Source length: how many tokens of input are read.",
    "T": "Target length: how many tokens the decoder reads.",
    "D": "Model width d_model: how many numbers stand for one token.",
    "H": "Heads: how many attentions look side by side.",
    "K": "Head width d_k: the numbers each head works with, D divided by H.",
    "F": "Hidden width d_ff of the feed-forward network.",
    "V": "Vocabulary: how many different tokens there are, PAD, BOS, EOS and SEP included.",
    "N": "How many layers stand one upon the other in a stack.",
}
"""What the letters of the shapes mean."""

WORDS = {
    "attention": "Each position gathers what it needs from others: more from where its query fits the key.",
    "batch": "Several sequences that go through the model together.",
    "BOS": "Begin of sequence: what the decoder reads before it has said anything.",
    "causal mask": "Hides from each position all that come after it, so that no answer can be read off.",
    "checkpoint": "A folder with a model's settings, weights and history.",
    "cross-attention": "The answer looks at the input: queries from the decoder, keys and values from the encoder.",
    "cross-entropy": "Minus the logarithm of the probability given to the right token.",
    "decoder": "The stack that writes the answer, token by token.",
    "dropout": "While training, some numbers are set to zero at random, so that the model leans on none of them.",
    "embedding": "The vector that stands for a token, a row of a trained table.",
    "encoder": "The stack that reads the input.",
    "EOS": "End of sequence: what the model says when its answer is complete.",
    "exact match": "Share of held-out inputs whose answer is right from the first token to the last.",
    "feed-forward": "Two linear layers with a curve between, the same for each position by itself.",
    "free-running": "The model reads its own earlier tokens, as it must when it is used.",
    "gradient": "For each weight, how the loss would change with it.",
    "head": "One of several attentions side by side, each with queries, keys and values of its own.",
    "held-out": "Never used for training, only for testing.",
    "key": "What a position offers to be found by.",
    "label smoothing": "The right token is asked for with a little less than 100 %, the rest is shared by all others.",
    "layer": "Attention and feed-forward network with what surrounds them; a stack repeats it.",
    "LayerNorm": "Brings each vector to mean 0 and variance 1, then stretches and shifts it as trained.",
    "learning rate": "How far each optimiser step moves the weights.",
    "logits": "One raw score for each token of the vocabulary, before softmax.",
    "loss": "How surprised the model is by the right tokens, on average; training makes it small.",
    "operation": "One step of the forward pass, with the tensor that it makes.",
    "PAD": "Filler that makes the sequences of a batch equally long; nobody looks at it or scores it.",
    "parameters": "The numbers that training changes.",
    "post-norm": "LayerNorm after each sum, as in the paper.",
    "pre-norm": "LayerNorm before each sublayer, which leaves the residual path untouched and trains easier.",
    "query": "What a position looks for.",
    "residual": "The way round a sublayer: what came in is added to what it made.",
    "scores": "How well each query fits each key, as a dot product.",
    "seed": "The number that all randomness starts from; the same seed gives the same run.",
    "self-attention": "Attention within one sequence: queries, keys and values all come from it.",
    "SEP": "Separator between the input and the answer of a decoder-only model.",
    "snapshot": "The weights of a run at one step, kept so that one can look back.",
    "softmax": "Turns scores into shares that are positive and add up to 1.",
    "step": "One optimiser step: a batch is read and all weights move once.",
    "sublayer": "One attention or one feed-forward network inside a layer.",
    "teacher forcing": "The decoder reads the right answer so far instead of its own.",
    "token": "What the model reads and writes, one a position: a symbol or a special sign.",
    "token accuracy": "Share of single tokens that are right.",
    "value": "What a position hands over to those that look at it.",
    "warm-up": "The first steps, over which the learning rate climbs to its peak.",
}
"""Words that pages mark where they use them."""

_FORMS = {
    form: word
    for word in WORDS
    for form in (word, f"{word}s", "queries" if word == "query" else f"{word}es")
    if form == word or not word.isupper()
}
_PATTERN = re.compile(
    rf"(?<![\w/-])(?:{'|'.join(re.escape(form) for form in sorted(_FORMS, key=len, reverse=True))})(?![\w-]|\.\w)",
    re.IGNORECASE,
)
_BY_LOWER = {form.lower(): word for form, word in _FORMS.items()}


def meaning(term: str) -> str:
    """The sentence for a letter or a word; raises KeyError for one that is not explained."""
    return LETTERS[term] if term in LETTERS else WORDS[term]


def split(text: str) -> list[tuple[str, str | None]]:
    """`text` in pieces, each with the word it is a form of, or None; only the first use of a word counts."""
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
