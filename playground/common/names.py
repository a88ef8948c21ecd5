"""Names that people give, as other people see them."""

from unicodedata import category, normalize

_JOINERS = "\u200c\u200d"  # part of the spelling in Persian and many Indian languages, and of emoji
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | frozenset(map(chr, range(0xFE00, 0xFE0F)))
"""Blank letters and marks, and variation selectors but for that of emoji."""


def clean_name(text: str) -> str:
    """A text on one line without what nobody sees and what turns the text around it: controls, directions, blanks.

    A joiner stays between two other characters.
    """
    kept = "".join(sign for sign in text if sign in _JOINERS or sign.isspace() or _is_seen(sign))
    words = (word.strip(_JOINERS) for word in kept.split())
    return normalize("NFC", " ".join(filter(None, words)))


def same_name(one: str, other: str) -> bool:
    """True if two names look alike: they differ at most in case, joiners and width."""
    return skeleton(one) == skeleton(other)


def skeleton(name: str) -> str:
    """A text that names which look alike have in common."""
    folded = normalize("NFKC", clean_name(name)).casefold()
    return normalize("NFKC", "".join(sign for sign in folded if sign not in _JOINERS and sign != "\ufe0f"))


def _is_seen(sign: str) -> bool:
    return category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn") and sign not in _INVISIBLE
