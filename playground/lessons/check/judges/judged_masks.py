"""Masks: functions that make them of tokens, lengths or a size; what they make shows in what it depends on."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import torch
from torch import Tensor

from playground.lessons.check.causes import explained
from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.code.student_code import plain, value_of
from playground.lessons.check.judges.question import place_of
from playground.lessons.check.readings import MaskMeaning, meaning_of, with_line
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged

BATCH, TARGET, SOURCE = 2, 5, 7
"""Sequences, and tokens of each: no two axes have the same size."""

PADS = (0, 1, 2, 3)
"""Tokens that may mean padding where no argument tells it."""

_TARGET = r".*(tgt|trg|tar|dec|causal|subsequent|look|future|combined|square|autoregress).*"
_CAUSAL = r".*(causal|subsequent|look|future|square|tril|triu|autoregress|combined).*"
_SIZES = r"size|sz|.*len(gth)?|n|t|l|s|num.*|dim"
_LENGTHS = r"lengths|lens|(seq(uence)?|src|source|tgt|target)?(lengths|lens)|validlens?"


@dataclass(frozen=True)
class Made:
    """A mask that a function has made, twice: of tokens with padding, and of tokens without."""

    padded: Tensor  # (batch, queries, keys) as the code has it: not yet visible or hidden
    full: Tensor
    added: bool  # to scores
    shape: tuple[int, ...]

    def visible(self, meaning: str | None) -> tuple[Tensor, Tensor]:
        """Where keys are visible, with padding and without it."""
        padded, full = (
            mask > -1 if self.added else mask == 0 if meaning == "hide" else mask != 0
            for mask in (self.padded, self.full)
        )
        return padded, full


class Known(NamedTuple):
    """A mask that is known, and what is visible with padding and without it."""

    causal: bool
    padding: bool
    cause: str | None  # the mistake in it
    padded: Tensor
    full: Tensor


class Judged(NamedTuple):
    """What a call has shown."""

    way: "_Way"
    found: str
    cause: str | None
    cell: str  # the first that differs, in words
    complete: bool = True  # every mask for the rows of a batch hides something


class MixedMasksError(NotJudgedError):
    """True means to keep in one mask of a function, and to hide in another."""


def check_masks(codes: list[Code], meaning: MaskMeaning | None) -> Verdict:
    """Checks each function; the verdict is that of the first that is not right."""
    verdicts = [_check(code, meaning) for code in codes if code.is_function]
    if not verdicts:
        raise NotJudgedError(f"{codes[0].name} is not a function.", "Masks are checked as functions.")
    wrong = next((verdict for verdict in verdicts if verdict.verdict != "right"), None)
    if wrong:
        return wrong
    summary, understood = (" ".join(getattr(verdict, name) for verdict in verdicts) for name in ("summary", "found"))
    return judged("masks", "right", summary, understood, difference=0.0)


def _check(code: Code, meaning: str | None) -> Verdict:
    about = f"Found: {with_line(code)}"
    errors, unclear, wrong, right = list[CheckError](), list[str](), list[Judged](), list[Judged]()
    for way in _ways(code):
        try:
            if not (made := _made(code, way)):
                continue
            found = _judged(code, made, meaning or meaning_of(code.text), way, about)
        except MixedMasksError:
            raise
        except NotJudgedError as error:
            unclear.append(error.problem)
        except CheckError as error:
            errors.append(error)
        else:
            (wrong if found.cause else right).append(found)
            if right and right[-1].complete:
                break
    if right:
        best = next((found for found in right if found.complete), right[0])
        return judged("masks", "right", f"Right: {code.name} hides what it should.", best.found, difference=0.0)
    if wrong:
        return _wrong(code, wrong[0])
    if unclear or not errors:
        reason = unclear[0] if unclear else f"{code.name} returned no mask, so it was not judged."
        raise NotJudgedError(reason, f"{about}.")
    if len({getattr(error, "line", None) for error in errors}) > 1:
        raise NotJudgedError(f"{errors[0].problem} Other arguments raise other errors, so it was not judged.")
    raise errors[0]


def _wrong(code: Code, found: Judged) -> Verdict:
    """The verdict with the statement that made the mask, or its triangle."""
    cause, where, line = str(found.cause), found.cell or "(mask)", None
    with suppress(CheckError):
        nodes = [node for node in code.trace(_arguments(code, found.way, padded=True)) if node.source.line]
        triangles = [node for node in nodes if "causal-mask-" in cause and node.function in ("tril", "triu")]
        if nodes:
            node = (triangles or nodes)[-1]
            where, line = f"{place_of(node)} {where}", node.source.line
    return judged("masks", "wrong", explained(cause), found.found, cause=cause, where=where, difference=1.0, line=line)


# --- ways to call it ------------------------------------------------------------------------------


class _Way(NamedTuple):
    """A kind of input: tokens batch first or positions first, a size, lengths, or both tokens and lengths."""

    unknown: str
    pad: int = 0
    batch_first: bool = True


def _ways(code: Code) -> Iterator[_Way]:
    if not _unknown(code):
        yield _Way("tokens")
        return
    for batch_first, pad in product((True, False), PADS):
        yield _Way("tokens", pad, batch_first)
    yield from map(_Way, ("size", "lengths", "both"))


def _unknown(code: Code) -> list[str]:
    """Arguments whose names tell nothing."""
    return [name for name, required in code.parameters.items() if required and _kind(name) == "tokens"]


def _arguments(code: Code, way: _Way, *, padded: bool) -> dict[str, Any]:
    """Arguments of a call."""
    given, unknown = dict[str, Any](), _unknown(code)
    for name, required in code.parameters.items():
        kind = _kind(name)
        if kind == "pad":
            given[name] = way.pad
        elif kind == "lengths":
            given[name] = _lengths(TARGET, padded=padded)
        elif kind == "size" and required:
            given[name] = _lengths(TARGET, padded=padded) if way.unknown == "both" else TARGET
        elif kind == "other" and required:
            given[name] = 1 if "head" in plain(name) else value_of(name, code.sizes)
        elif name in unknown:
            length = SOURCE if len(unknown) > 1 and name == _source(unknown) else TARGET
            if way.unknown == "size":
                given[name] = length
            else:
                make = _lengths if way.unknown == "lengths" else partial(_tokens, way)
                given[name] = make(length, padded=padded)
    return given


def _kind(name: str) -> str:
    word = plain(name)
    if re.search("pad", word):
        return "pad"
    if re.search("device|dtype|head", word):
        return "other"
    if re.fullmatch(_LENGTHS, word):
        return "lengths"
    return "size" if re.fullmatch(_SIZES, word) else "tokens"


def _source(names: list[str]) -> str:
    """The argument that is the source: the one whose name doesn't tell the target."""
    return next((name for name in names if not re.fullmatch(_TARGET + "|y", plain(name))), names[0])


def _tokens(way: _Way, length: int, *, padded: bool) -> Tensor:
    tokens = torch.arange(5, 5 + BATCH * length).reshape(BATCH, length)
    if padded:
        tokens[1, -2:] = way.pad
    return tokens if way.batch_first else tokens.T.contiguous()


def _lengths(length: int, *, padded: bool) -> Tensor:
    return torch.tensor([length, length - 2 if padded else length])


def _made(code: Code, way: _Way) -> list[Made]:
    """The masks of both calls."""
    padded, full = (
        [each for each in code.call(_arguments(code, way, padded=padded)).tensors if each.ndim]
        for padded in (True, False)
    )
    made = []
    for one, other in zip(padded, full):
        shape = tuple(one.shape)
        if shape != other.shape or _axes(shape) is None:
            raise NotJudgedError(f"Your mask of shape {shape} is not understood, so it was not judged.")
        added = bool((one < -100).any() or (other < -100).any())
        made.append(Made(_laid_out(one), _laid_out(other), added, shape))
    return made


def _axes(shape: tuple[int, ...]) -> str | None:
    """A letter for each axis: batch, queries, keys, or 1; None if they don't show."""
    lengths = [axis for axis, size in enumerate(shape) if size in (TARGET, SOURCE)]
    letters = ["b" if size == BATCH else "1" for size in shape]
    if not 1 <= len(lengths) <= 2 or letters.count("b") > 1 or not {*shape} <= {1, BATCH, TARGET, SOURCE}:
        return None
    for axis, letter in zip(lengths[::-1], "kq"):
        letters[axis] = letter
    return "".join(letters)


def _laid_out(mask: Tensor) -> Tensor:
    """(batch, queries, keys), where an axis that is missing has size 1."""
    letters = _axes(tuple(mask.shape))
    assert letters is not None
    kept = mask.reshape([size for size, letter in zip(mask.shape, letters) if letter != "1"])
    present = letters.replace("1", "")
    ordered = kept.permute([present.index(letter) for letter in "bqk" if letter in present])
    return ordered.reshape([kept.size(present.index(letter)) if letter in present else 1 for letter in "bqk"])


# --- what it is -----------------------------------------------------------------------------------


def _judged(code: Code, made: list[Made], meaning_of_true: str | None, way: _Way, about: str) -> Judged:
    found = [_found(mask, meaning_of_true, code.comments) for mask in made]
    about += "".join(f"; {mask.shape} {words}" for mask, (_, words, _) in zip(made, found)) + "."
    for known, _, cell in found:
        if known.cause:
            return Judged(way, about, known.cause, cell)
    takes_pad = any(_kind(parameter) == "pad" for parameter in code.parameters)
    hides = [known.causal or known.padding for known, *_ in found]
    if takes_pad and any(mask.shape[0] == BATCH and not hidden for mask, hidden in zip(made, hides)):
        return Judged(way, about, "padding-not-masked", "")
    senses = {
        words.partition(": ")[2] for mask, (_, words, _), hidden in zip(made, found, hides) if hidden and not mask.added
    }
    if len(senses) > 1:
        raise MixedMasksError("True keeps a key in one of your masks and hides it in another.", about)
    causal, padding = any(known.causal for known, *_ in found), any(known.padding for known, *_ in found)
    name, keys = plain(code.name), {mask.shape[-1] for mask in made}
    pads, later = re.search("pad", name), re.fullmatch(_CAUSAL, name)
    of_target = TARGET in keys and bool(re.fullmatch(_TARGET, name) or len(keys) > 1)
    if not causal and (later or (of_target and not pads)):
        lower = torch.ones(1, TARGET, TARGET, dtype=torch.bool).tril()
        return Judged(way, about, "no-causal-mask", _differing(made[-1], lower, meaning_of_true))
    if not padding and (pads or takes_pad):
        return Judged(way, about, "padding-not-masked", "")
    if not padding and not causal:
        raise NotJudgedError("Your mask hides nothing, so it was not judged.", about)
    # With another token for padding, a mask of each row may hide something.
    return Judged(
        way, about, None, "", complete=all(hidden or mask.shape[0] != BATCH for mask, hidden in zip(made, hides))
    )


def _found(mask: Made, meaning_of_true: str | None, comments: str) -> tuple[Known, str, str]:
    """The mask that it is by the meaning that is given, or by either, in words, and the first cell that differs."""
    if mask.added:
        meanings = ["keep"]
    elif meaning_of_true:
        meanings = [meaning_of_true]
    else:
        meanings = ["hide", "keep"] if meaning_of(comments) == "hide" else ["keep", "hide"]
    results = [found for meaning in meanings for found in _by_meaning(mask, meaning)]
    if not results:
        raise NotJudgedError(
            f"Your mask of shape {mask.shape} hides other keys than a padding mask, a causal mask or both, and no "
            "known mistake gives it, so it was not judged."
        )
    return min(results, key=lambda found: found[0].cause is not None)


def _by_meaning(mask: Made, meaning: str) -> Iterator[tuple[Known, str, str]]:
    """What the mask is if True has this meaning; without a mistake first."""
    every, (padded, full) = [*_known(mask.shape[-1])], mask.visible(meaning)
    for known in every:
        if _same(padded, known.padded) and _same(full, known.full):
            parts = [word for word, is_it in (("causal", known.causal), ("padding", known.padding)) if is_it]
            sense = "adds minus infinity" if mask.added else f"True {meaning}s"
            right = next(each for each in every if each[:3] == (known.causal, known.padding, None))
            cell = _differing(mask, right.padded, meaning) if known.cause else ""
            yield known, f"{' and '.join(parts) or 'no mask'}: {sense}", cell


def _known(keys: int) -> Iterator[Known]:
    """Masks of so many keys, right ones first."""
    real = torch.ones(BATCH, 1, keys, dtype=torch.bool)
    real[1, :, -2:] = False
    every = torch.ones_like(real)
    ones = torch.ones(1, keys, keys, dtype=torch.bool)
    lower, both = ones.tril(), real & real.mT
    yield Known(False, False, None, every, every)
    yield Known(False, True, None, real, every)
    yield Known(False, True, None, both, every)  # padding reads nothing, either
    yield Known(True, False, None, lower, lower)
    yield Known(True, True, None, lower & real, lower)
    yield Known(True, True, None, lower & both, lower)
    yield Known(False, True, "inverted-mask", ~real, ~every)
    yield Known(True, True, "inverted-mask", ~(lower & real), ~lower)
    yield Known(True, True, "inverted-mask", lower & ~real, lower & ~every)
    yield Known(True, True, "masks-joined-by-or", lower | real, every)
    for cause, causal in (
        ("causal-mask-off-by-one", ones.tril(1)),
        ("causal-mask-off-by-one", ones.tril(-1)),
        ("causal-mask-transposed", ones.triu()),
        ("inverted-mask", ~lower),
    ):
        yield Known(True, False, cause, causal, causal)
        yield Known(True, True, cause, causal & real, causal)


def _same(one: Tensor, other: Tensor) -> bool:
    try:
        return bool((one == other).all())
    except RuntimeError:  # of other lengths
        return False


def _differing(mask: Made, right: Tensor, meaning: str | None) -> str:
    """The first cell that differs, in words."""
    shape = (BATCH, mask.shape[-1], mask.shape[-1])
    try:
        yours, wanted = mask.visible(meaning)[0].expand(shape), right.expand(shape)
    except RuntimeError:
        return ""
    differ = (yours != wanted).nonzero().tolist()
    if not differ:
        return ""
    row, query, key = differ[0]
    yours_is, right_is = ("visible" if each[row, query, key] else "hidden" for each in (yours, wanted))
    return f"(sequence {row}, query {query}, key {key}: yours {yours_is}, by the formula {right_is})"
