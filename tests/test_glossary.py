"""Every letter and every word that pages mark has one short sentence."""

import re

import pytest

from playground.explain.glossary import DIMENSIONS, WORDS, meaning, split
from playground.explain.inspection import walk
from tests.helpers import small_model


def test_every_letter_of_every_tap_is_explained():
    used = {letter for step in walk(small_model("encoder-decoder"), "3 1").steps for letter in step.dims}
    assert used - {"1"} <= set(DIMENSIONS)


@pytest.mark.parametrize("term", [*DIMENSIONS, *WORDS])
def test_a_meaning_is_one_short_sentence(term):
    sentence = meaning(term)
    assert len(sentence) <= 120
    assert re.fullmatch(r"[A-Z0-9][^.?!]*( d_k| %)?[^.?!]*\.", sentence), sentence
    assert not re.match(rf"(An? |The )?{re.escape(term)}\b", sentence, re.IGNORECASE), "says itself"


def test_a_term_that_students_look_for_is_explained():
    asked = "positional encoding, padding mask, ReLU, GELU, entropy, optimizer, weight decay, clipping, autoregressive"
    for term in [*asked.split(", "), "greedy decoding", "logits", "activation function"]:
        assert meaning(term)
        assert words(f"About {term} here.") == [(term, term)]


def test_the_field_s_own_words_are_used():
    assert not [
        text for text in (*DIMENSIONS.values(), *WORDS.values()) if re.search(r"\b(share|curve|say|place)s?\b", text)
    ]


def words(text: str) -> list[tuple[str, str]]:
    return [(piece, word) for piece, word in split(text) if word]


def test_words_are_found_in_any_form_once_and_whole():
    assert words("Queries meet keys; each query fits a key.") == [("Queries", "query"), ("keys", "key")]
    assert words("Cross-attention, then self-attention") == [
        ("Cross-attention", "cross-attention"),
        ("self-attention", "self-attention"),
    ]
    assert words("free-running exact match") == [("free-running", "free-running"), ("exact match", "exact match")]
    assert words("a monkey heads_up stepping") == []
    assert words("playground/model/attention.py, attention.") == [("attention", "attention")]
    assert words("Pad the pads with PAD") == [("PAD", "PAD")]


@pytest.mark.parametrize("text", ["", "no words", "the loss", "loss & <b>heads</b> at step 3 of the loss"])
def test_nothing_of_a_text_is_lost(text):
    assert "".join(piece for piece, _ in split(text)) == text


def test_an_unknown_word_is_refused():
    with pytest.raises(KeyError):
        meaning("flux")
