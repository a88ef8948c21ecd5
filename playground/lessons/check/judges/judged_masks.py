"""Masks: functions that make them of tokens, lengths or a size; what they make shows in what it depends on."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import torch
from torch import Tensor

from playground.lessons.check.causes import WHY
from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.code.student_code import plain, value_of
from playground.lessons.check.readings import MaskMeaning, meaning_of
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
    keys: int
    added: bool  # to scores
    shape: tuple[int, ...]

    def visible(self, meaning: str, *, padded: bool) -> Tensor:
        mask = self.padded if padded else self.full
        return mask > -1 if self.added else mask != 0 if meaning == "keep" else mask == 0


@dataclass(frozen=True)
class Found:
    """What a mask hides."""

    causal: bool
    padding: bool
    cause: str | None  # the mistake in it
    sense: str  # in words
    numbers: str = ""


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
    meaning_of_true = meaning or meaning_of(code.text)
    about = f"Found: function {code.name}, line {code.line}"
    errors, unclear, wrong = list[CheckError](), list[str](), list[Verdict]()
    for given in _ways(code):
        try:
            made = _made(code, given)
            if made is None:
                continue
            verdict = _judged(code, made, meaning_of_true, about)
            if verdict.verdict == "wrong":
                verdict = _with_statement(code, given, verdict)
        except NotJudgedError as error:
            unclear.append(error.problem)
        except CheckError as error:
            errors.append(error)
        else:
            if verdict.verdict == "right":
                return verdict
            wrong.append(verdict)
    if wrong:
        return wrong[0]
    if unclear or not errors:
        reason = unclear[0] if unclear else f"{code.name} returned no mask, so it was not judged."
        raise NotJudgedError(reason, f"{about}.")
    if len({getattr(error, "line", None) for error in errors}) > 1:
        raise NotJudgedError(f"{errors[0].problem} Other arguments raise other errors, so it was not judged.")
    raise errors[0]


def _with_statement(code: Code, way: "_Way", verdict: Verdict) -> Verdict:
    """The verdict with the statement that made the mask, or its triangle."""
    with suppress(CheckError):
        nodes = [node for node in code.trace(_arguments(code, way, padded=True) or {}) if node.source.line]
        of_triangle = [node for node in nodes if node.function in ("tril", "triu")]
        if nodes:
            node = (of_triangle if verdict.cause and "causal-mask-" in verdict.cause and of_triangle else nodes)[-1]
            where = f"line {node.source.line}: {node.expression or node.source.code} {verdict.where}"
            return judged(
                "masks", "wrong", verdict.summary, verdict.found, cause=verdict.cause, where=where, difference=1.0
            )
    return verdict


# --- ways to call it ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Way:
    """A kind of input: tokens batch first or positions first, a size, lengths, or both tokens and lengths."""

    unknown: str
    pad: int
    batch_first: bool = True


def _ways(code: Code) -> Iterator[_Way]:
    for batch_first, pad in product((True, False), PADS):
        yield _Way("tokens", pad, batch_first)
    yield _Way("size", 0)
    yield _Way("lengths", 0)
    yield _Way("both", 0)


def _arguments(code: Code, way: _Way, *, padded: bool) -> dict[str, Any] | None:
    """Arguments of a call; None if this way doesn't differ from another."""
    given: dict[str, Any] = {}
    unknown = [name for name, required in code.parameters.items() if required and _kind(name) == "tokens"]
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
            given[name] = {
                "tokens": _tokens(length, way, padded=padded),
                "size": length,
                "lengths": _lengths(length, padded=padded),
                "both": _tokens(length, way, padded=padded),
            }[way.unknown]
    if not unknown and way != _Way("tokens", 0):
        return None
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


def _tokens(length: int, way: _Way, *, padded: bool) -> Tensor:
    tokens = torch.arange(5, 5 + BATCH * length).reshape(BATCH, length)
    if padded:
        tokens[1, -2:] = way.pad
    return tokens if way.batch_first else tokens.T.contiguous()


def _lengths(length: int, *, padded: bool) -> Tensor:
    return torch.tensor([length, length - 2 if padded else length])


def _made(code: Code, way: _Way) -> list[Made] | None:
    """The masks of both calls."""
    arguments = [_arguments(code, way, padded=padded) for padded in (True, False)]
    if arguments[0] is None or arguments[1] is None:
        return None
    padded, full = ([each for each in code.call(given).tensors if each.ndim] for given in arguments)  # type: ignore[arg-type]
    made = []
    for one, other in zip(padded, full):
        if one.shape != other.shape or _axes(tuple(one.shape)) is None:
            raise NotJudgedError(f"Your mask of shape {tuple(one.shape)} is not understood, so it was not judged.")
        added = bool((one < -100).any() or (other < -100).any())
        made.append(Made(_laid_out(one), _laid_out(other), one.shape[-1], added, tuple(one.shape)))
    return made or None


def _axes(shape: tuple[int, ...]) -> str | None:
    """A letter for each axis: batch, queries, keys, or 1; None if they don't show."""
    lengths = [axis for axis, size in enumerate(shape) if size in (TARGET, SOURCE)]
    letters = ["b" if size == BATCH else "1" for size in shape]
    if (
        not 1 <= len(lengths) <= 2
        or letters.count("b") > 1
        or any(size not in (1, BATCH, TARGET, SOURCE) for size in shape)
    ):
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


def _judged(code: Code, made: list[Made], meaning_of_true: str | None, about: str) -> Verdict:
    name = plain(code.name)
    takes_pad = any(_kind(parameter) == "pad" for parameter in code.parameters)
    found = [_found(mask, meaning_of_true, code.comments) for mask in made]
    about += "".join(f"; {tuple(mask.shape)} {each.sense}" for mask, each in zip(made, found)) + "."
    for each in found:
        if each.cause:
            return _wrong(each.cause, about, each.numbers)
    causal, padding = (any(getattr(each, what) for each in found) for what in ("causal", "padding"))
    of_target = [each for mask, each in zip(made, found) if mask.keys == TARGET]
    pads, later = (re.search("pad", name), re.fullmatch(_CAUSAL, name))
    if (later and not causal) or (
        not pads and not causal and of_target and (re.fullmatch(_TARGET, name) or len({mask.keys for mask in made}) > 1)
    ):
        return _wrong(
            "no-causal-mask", about, _numbers(made[-1], torch.ones(1, TARGET, TARGET).tril().bool(), meaning_of_true)
        )
    if not padding and (pads or takes_pad):
        return _wrong("padding-not-masked", about)
    if not padding and not causal:
        raise NotJudgedError("Your mask hides nothing, so it was not judged.", about)
    return judged("masks", "right", f"Right: {code.name} hides what it should.", about, difference=0.0)


def _found(mask: Made, meaning_of_true: str | None, comments: str) -> Found:
    """What a mask hides, by the meaning that is given, or by either."""
    meanings = (
        [meaning_of_true]
        if meaning_of_true in ("keep", "hide") and not mask.added
        else ["keep"]
        if mask.added
        else ["keep", "hide"]
    )
    if len(meanings) > 1 and meaning_of(comments) == "hide":
        meanings = ["hide", "keep"]
    results = [found for meaning in meanings for found in _by_meaning(mask, meaning)]
    best = next((found for found in results if not found.cause), None) or next(iter(results), None)
    if best is None:
        raise NotJudgedError(
            f"Your mask of shape {mask.shape} hides other keys than a padding mask, a causal mask or both, and no "
            "known mistake gives it, so it was not judged."
        )
    return best


def _by_meaning(mask: Made, meaning: str) -> Iterator[Found]:
    """What the mask is if True has this meaning; without a mistake first."""
    sense = "adds minus infinity" if mask.added else f"True {meaning}s"
    for causal, padding, cause, padded, full in _known(mask.keys):
        pairs = [(mask.visible(meaning, padded=True), padded), (mask.visible(meaning, padded=False), full)]
        if all(_same(one, other) for one, other in pairs):
            what = (
                " and ".join(word for word, is_it in (("causal", causal), ("padding", padding)) if is_it) or "no mask"
            )
            right = next(each for each in _known(mask.keys) if each[:3] == (causal, padding, None))
            numbers = _numbers(mask, right[3], meaning) if cause else ""
            yield Found(causal, padding, cause, f"{what}: {sense}", numbers)


def _known(keys: int) -> Iterator[tuple[bool, bool, str | None, Tensor, Tensor]]:
    """Masks: whether they are causal, hide padding, their mistake, and what is visible with and without padding."""
    real = torch.ones(BATCH, 1, keys, dtype=torch.bool)
    real[1, :, -2:] = False
    every = torch.ones_like(real)
    ones = torch.ones(1, keys, keys, dtype=torch.bool)
    lower = ones.tril()
    causals = {None: lower, "causal-mask-off-by-one": ones.tril(1), "causal-mask-off-by-one ": ones.tril(-1)}
    causals |= {"causal-mask-transposed": ones.triu(), "inverted-mask": ~lower}
    both = real & real.mT
    yield False, False, None, every, every
    yield False, True, None, real, every
    yield False, True, None, both, every  # padding reads nothing, either
    yield True, False, None, lower, lower
    yield True, True, None, lower & real, lower
    yield True, True, None, lower & both, lower
    yield False, True, "inverted-mask", ~real, ~every
    yield True, True, "inverted-mask", ~(lower & real), ~lower
    yield True, True, "inverted-mask", lower & ~real, lower & ~every
    yield True, True, "masks-joined-by-or", lower | real, every | lower
    for cause, causal in causals.items():
        if cause:
            yield True, False, cause.strip(), causal, causal
            yield True, True, cause.strip(), causal & real, causal


def _same(one: Tensor, other: Tensor) -> bool:
    try:
        one, other = torch.broadcast_tensors(one, other)
    except RuntimeError:
        return False
    return torch.equal(one, other)


def _numbers(mask: Made, right: Tensor, meaning: str | None) -> str:
    """The first cell that differs, in words."""
    shape = (BATCH, mask.keys, mask.keys)
    try:
        yours, wanted = mask.visible(meaning or "keep", padded=True).expand(shape), right.expand(shape)
    except RuntimeError:
        return ""
    differ = (yours != wanted).nonzero()
    if not len(differ):
        return ""
    row, query, key = differ[0].tolist()
    words = {True: "visible", False: "hidden"}
    return (
        f"(sequence {row}, query {query}, key {key}: yours {words[bool(yours[row, query, key])]}, "
        f"by the formula {words[bool(wanted[row, query, key])]})"
    )


def _wrong(cause: str, about: str, where: str = "") -> Verdict:
    text = f"Your own numbers show this mistake. {WHY[cause]}"
    return judged("masks", "wrong", text, about, cause=cause, where=where or "(mask)", difference=1.0)
