"""One way to write a text: used for what a model learns and for what a person types or pastes as its input."""

import re
import unicodedata

SPACE = "␣"
"""The symbol of a typed space."""

NEWLINE = "↵"
"""The symbol of a line break."""

_JOINERS = "\u200c\u200d"
"""Invisible, but they change words in Persian and pictures of several emoji."""

_LINE_BREAKS = dict.fromkeys(map(ord, "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
_MAX_MARKS = 30
"""Combining marks in a row, as in Unicode's stream-safe text format (UAX #15). To sort n of them takes n^2."""


def cleaned(text: str) -> str:
    """The text with line breaks, spaces and accents written one way, without control and invisible characters.

    Joiners stay. Cleaning a clean text changes nothing.
    """
    return _cleaned(text)[0]


def changes(text: str, what: str = "text") -> str:
    """The visible changes that `cleaned` makes to a text, in a sentence; empty if there are none."""
    changed = _cleaned(text)[1]
    return f"Changed in the {what}: {', '.join(changed)}." if changed else ""


def _cleaned(text: str) -> tuple[str, list[str]]:
    changed, signs = [], {*text}
    if signs.intersection(map(chr, _LINE_BREAKS)):
        changed.append("line breaks are now all alike")
        text = text.replace("\r\n", "\n").translate(_LINE_BREAKS)
    usable = {sign: _written(sign) for sign in {*text}}
    as_space = {sign for sign, kept in usable.items() if kept == " "} - {" ", SPACE}
    if as_space:
        named = ["tabs"] * ("\t" in as_space) + ["special spaces"] * (as_space != {"\t"})
        changed.append(f"{' and '.join(named)} became plain spaces")
    if removed := sum(map(text.count, [sign for sign, kept in usable.items() if not kept])):
        changed.append(
            "1 invisible character was removed" if removed == 1 else f"{removed:,} invisible characters were removed"
        )
    text = text.translate({ord(sign): kept for sign, kept in usable.items() if kept != sign})
    few = _few_marks(text)
    composed = _few_marks(unicodedata.normalize("NFC", few))
    if few != text or composed != few:
        changed.append("accents were joined with their letters")
    return composed, changed


def is_usable(sign: str) -> bool:
    """True if a clean text can have this character."""
    return sign in "\n " + _JOINERS or (unicodedata.category(sign)[0] not in "CZ" and sign not in (SPACE, NEWLINE))


def _written(sign: str) -> str:
    if sign == NEWLINE:
        return "\n"
    if sign in ("\t", SPACE) or unicodedata.category(sign) == "Zs":
        return " "
    return sign if is_usable(sign) else ""


def _few_marks(text: str) -> str:
    marks = re.escape("".join(sign for sign in {*text} if unicodedata.combining(sign)))
    return re.sub(f"([{marks}]{{{_MAX_MARKS}}})[{marks}]+", r"\1", text) if marks else text
