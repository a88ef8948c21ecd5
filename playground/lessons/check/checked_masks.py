"""Masks: functions that make them of tokens or of a length, compared with the masks of the model's decoder."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import torch
from torch import Tensor

from playground.lessons.check.causes import WHY
from playground.lessons.check.known_mistakes import MISTAKES, Mistake
from playground.lessons.check.opened_code import Code
from playground.lessons.check.readings import MaskMeaning, Student, meaning_of
from playground.lessons.check.student_code import Sizes, plain, value_of
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged
from playground.model.transformer import Decoder, Transformer
from playground.recording import run_with_cache
from playground.settings.config import ModelConfig
from playground.tasks.tokens import PAD, SPECIALS

KINDS = {
    "mask": r".*(tgt|trg|target|dec|combined).*",
    "padding_mask": r".*(pad|src|source|enc).*",
    "causal_mask": r".*(causal|subsequent|look|future|square|tril|triu|autoregress).*",
}
"""Taps of `Decoder`, and names of functions that make the same."""

MEANINGS = ("keep", "hide")


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


def _check(code: Code, meaning: MaskMeaning | None) -> Verdict:
    sizes, student = code.sizes, Student(code, "masks")
    meaning = meaning or meaning_of(student.text)  # type: ignore[assignment]
    meanings = (meaning,) if meaning else MEANINGS
    rows = torch.randint(len(SPECIALS), sizes.V, (sizes.B, sizes.T), generator=torch.Generator().manual_seed(1))
    rows[1, -2:] = PAD
    masks = _returned(code, rows)
    about = f"Found: {student.found}."
    for position, mask in enumerate(masks):
        kinds = _kinds(code.name, position, len(masks))
        for kind, true in product(kinds, meanings):
            if _same(mask, _expected(rows, kind, None), true):
                sense = "adds minus infinity" if _is_added(mask) else f"True {true}s"
                if not meaning and not _is_added(mask):
                    sense += " (your code doesn't say what True means, so both meanings were tried)"
                about += f" {kind.replace('_', ' ').capitalize()}: {sense}."
                break
        else:
            return _wrong(mask, rows, kinds, meaning, about)
    return judged("masks", "right", f"Right: {student.name} equals the reference.", about, difference=0.0)


def _wrong(mask: Tensor, rows: Tensor, kinds: list[str], meaning: str | None, about: str) -> Verdict:
    cause, words = None, ""
    of_masks = [mistake for mistake in MISTAKES if mistake.base is Decoder]
    half = ~_expected(rows, "padding_mask", None) & _expected(rows, "causal_mask", None)
    for kind, mistake, true in product(kinds, (None, *of_masks), MEANINGS if meaning is None else (meaning,)):
        expected = _expected(rows, kind, mistake)
        if mistake is None and _same(mask, ~_expected(rows, kind, None), true):
            cause, words = "inverted-mask", "an inverted mask"
        elif mistake is None and kind == "mask" and _same(mask, half, true):
            cause, words = "inverted-mask", "a causal mask with an inverted padding mask"
        elif mistake is not None and _same(mask, expected, true):
            cause, words = mistake.name, mistake.words
        if cause:
            text = f"Your mask equals that of {words}. {WHY[cause]}"
            return judged("masks", "wrong", text, about, cause=cause, where=kind, difference=1.0)
    raise NotJudgedError(
        f"Your mask of shape {tuple(mask.shape)} differs from the reference's, and no known mistake gives it, so it "
        f"was not judged. {about}"
    )


def _kinds(name: str, position: int, count: int) -> list[str]:
    """The mask that a function makes, by its name, or by the order of several."""
    if count > 1:
        return [("padding_mask", "mask", "causal_mask")[min(position, 2)]]
    return [kind for kind, pattern in KINDS.items() if re.fullmatch(pattern, plain(name))][:1] or list(KINDS)


def _returned(code: Code, rows: Tensor) -> list[Tensor]:
    """The masks that a function returns, called with tokens or, where that fails, with a length."""
    error: CheckError | None = None
    for arguments in _arguments(code, rows):
        try:
            tensors = code.call(arguments).tensors
        except CheckError as raised:
            error = error or raised
            continue
        if masks := [tensor for tensor in tensors if tensor.ndim > 1]:
            return masks
    raise error or NotJudgedError(f"{code.name} returned no mask, so it was not judged.")


def _arguments(code: Code, rows: Tensor) -> Iterator[dict[str, Any]]:
    sizes = code.sizes
    for unknown in (rows, sizes.T):
        given: dict[str, Any] = {}
        for name, required in code.parameters.items():
            if re.search("pad|device|dtype", plain(name)):
                if required:
                    given[name] = value_of(name, sizes)
            elif re.fullmatch("lengths|lens|seq(uence)?lengths|validlens?", plain(name)):
                given[name] = (rows != PAD).sum(1)
            elif re.fullmatch("size|sz|.*len(gth)?|n|t|l|s", plain(name)):
                given[name] = sizes.T
            elif required:
                given[name] = unknown
        yield given


def _expected(rows: Tensor, kind: str, mistake: Mistake | None) -> Tensor:
    """The mask of the model's decoder for these tokens."""
    model = Transformer(ModelConfig(d_model=4, n_heads=1, d_ff=4), Sizes().V, Sizes().L, seed=0).eval()
    decoder = model.decoder
    assert isinstance(decoder, Decoder)
    if mistake is not None:
        mistake.put_into(decoder)
    return run_with_cache(model, (rows, rows), f"decoder.{kind}")[1][f"decoder.{kind}"]


def _is_added(mask: Tensor) -> bool:
    return mask.is_floating_point() and bool((mask < -1e4).any())


def _same(mask: Tensor, expected: Tensor, meaning: str) -> bool:
    """True if a mask with this meaning lets through what `expected` does; missing axes are no difference."""
    visible = mask > -1 if _is_added(mask) else mask.bool() if meaning == "keep" else ~mask.bool()
    if visible.ndim == 3:
        visible = visible[:, None]
    elif visible.ndim == 2:
        visible = visible[:, None, None] if expected.size(-2) == 1 else visible[None, None]
    if visible.ndim != 4 or visible.size(1) != 1 or visible.size(-1) != expected.size(-1):
        return False
    try:
        one, other = torch.broadcast_tensors(visible, expected)
    except RuntimeError:
        return False
    return torch.equal(one, other)
