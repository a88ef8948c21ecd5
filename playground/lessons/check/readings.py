"""Readings of the student's code: which argument is what, in which layout, with which kind of mask."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import torch
from torch import Tensor

from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.code.student_code import plain, value_of
from playground.lessons.check.parts import (
    KEYS_OF_TARGET,
    MASK_WORD,
    OF_TARGET,
    PARTS,
    Argument,
    RotaryForms,
    random_inputs,
    random_lengths,
    random_mask,
    random_series,
    random_tokens,
    rotary_forms,
)
from playground.lessons.check.verdict import NotJudgedError
from playground.recording.notebook_cells import line_in_words
from playground.tasks.tokens import PAD

MaskMeaning = Literal["keep", "hide"]

FORMS: dict[str, tuple[str, str, Callable[[Tensor], Tensor]]] = {
    "keep": ("keep", "True in the mask keeps a position", lambda mask: mask),
    "hide": ("hide", "True in the mask hides a position", lambda mask: ~mask),
    "added": ("add", "the mask is added, minus infinity hides a position", lambda mask: _added(mask)),
    "keep-number": ("keep", "1 in the mask keeps a position", lambda mask: mask.float()),
    "hide-number": ("hide", "1 in the mask hides a position", lambda mask: (~mask).float()),
    "lengths": ("lengths", "each query reads as many keys as its length", lambda mask: mask.sum(-1)),
}
"""Kinds of masks: meaning, words, and how one is made of a mask that is True for visible."""

_SEEN = "keep|kept|attend|visible|allow|look|see|read|valid|real|seen"
_HIDDEN = "hide|hidden|mask(ed|s)?( them)? out|(is|are) (masked|masking)|ignore|block|forbid|padding|future"

_ADDITIVE = r"additive|\badded\b|-\s?(float\(.)?inf|minus infinity|-\s?1e\d|large negative"

WEIGHTS: list[tuple[str, tuple[str, ...]]] = [
    (r"(w|weight)(q|k|v|o|out)(uery|ey|alue)?|(q|k|v|o)(w|weight)", ("D", "D")),
    (r"b(ias)?(q|k|v|o|out)", ("D",)),
    (r"(w|weight|lin(ear)?)(1|in)", ("D", "F")),
    (r"(w|weight|lin(ear)?)(2|out)", ("F", "D")),
    (r"b(ias)?(1|in)", ("F",)),
    (r"b(ias)?2", ("D",)),
    (r"gamma|gain|g|weight|scale|alpha|a2", ("D",)),
    (r"beta|bias|b|shift|offset", ("D",)),
]
"""Weights that a function takes as arguments, by their usual names, and their axes."""


def _added(mask: Tensor) -> Tensor:
    return torch.zeros(mask.shape).masked_fill(~mask, -math.inf)


@dataclass(frozen=True)
class Reading:
    """One way to call the code."""

    layout: str
    masks: tuple[tuple[str, str], ...]  # shape of each mask
    form: str
    causal: bool = False  # no mask is handed over, but it may have a causal one inside
    transposed: bool = True  # weights that are arguments are (in, out)
    rotary: int = 0  # which of the things that an argument of `ROTARY` may be


def with_line(code: Code) -> str:
    """The name of code, and its line."""
    where = f", {line_in_words(code.file, code.line)}" if code.line else ""
    return f"{'function' if code.is_function else 'class'} {code.name}{where}"


class Student:
    """The code that is checked, ready to be called."""

    def __init__(self, code: Code, part: str) -> None:
        self.code, self.judged_as, self.sizes = code, part, code.sizes
        # Attention with linear layers of its own takes what multi-head attention takes.
        self.part = "multi-head-attention" if part == "attention" and code.has_weights else part
        self.name, self.text, self.is_function = code.name, code.text, code.is_function
        self.scalars: dict[str, Any] = {}
        self.weights: dict[str, tuple[str, ...]] = {}
        self.rotary: dict[str, RotaryForms] = {}
        self.guessed: list[str] = []  # arguments whose names tell nothing
        self.roles = self._bind() if part in PARTS else {}

    @property
    def found(self) -> str:
        return with_line(self.code)

    def _bind(self) -> dict[str, Argument]:
        """The argument that each parameter is: by name, then by order."""
        parameters = self.code.parameters
        known, roles = PARTS[self.part].arguments, {}
        taken: set[str] = set()
        required = [name for name, needed in parameters.items() if needed]

        def take(name: str, argument: Argument) -> None:
            roles[name] = argument
            taken.add(argument.name)

        for name in sorted(parameters, key=lambda name: ("keypadding" in plain(name), len(name) == 1)):
            for argument in known if not rotary_forms(name) else ():
                if re.fullmatch(argument.pattern, plain(name)) and argument.name not in taken:
                    take(name, argument)
                    break
        for name in [name for name in parameters if name not in roles]:
            weight = next((axes for pattern, axes in WEIGHTS if re.fullmatch(pattern, plain(name))), None)
            if name in required and (forms := rotary_forms(name)):
                self.rotary[name] = forms
            elif self.is_function and weight and self.part in ("multi-head-attention", "layer-norm", "feed-forward"):
                self.weights[name] = weight
            elif name in required or (re.search(MASK_WORD, plain(name)) and not re.match(OF_TARGET, plain(name))):
                in_order = [argument for argument in known if argument.name not in taken and not argument.by_name]
                rest = min(
                    in_order, key=lambda argument: bool(argument.masks) or argument.name == "memory", default=None
                )
                hides = plain(name) != "pad" and re.search(MASK_WORD, plain(name))
                value = None if hides or name not in required else value_of(name, self.sizes)
                if name not in required:
                    rest = next((argument for argument in in_order if argument.masks), None)
                if value is not None:
                    self.scalars[name] = 0.0 if value == 0.5 else value
                elif rest is not None:
                    take(name, rest)
                    self.guessed.append(name)
                elif name in required:
                    raise NotJudgedError(
                        f"{self.name} needs an argument {name!r}, which the check does not know.",
                        "Give it a default value, or a usual name.",
                    )
        return {name: roles[name] for name in parameters if name in roles}

    def meaning(self) -> str | None:
        """The meaning of True in a mask, by the name of the argument or a docstring."""
        names = " ".join(name for name, argument in self.roles.items() if argument.masks).lower()
        if re.search("keep|valid|visible|allowed", names):
            return "keep"
        if "attention_mask" in names and meaning_of(self.text) is None:
            return "keep or add"  # 1 for a real token, or minus infinity for padding
        if re.search("hid|block|forbid|ignore|key_padding", names):
            return "hide"
        if re.search("bias|(?<!p)add", names) or re.search(_ADDITIVE, self.text.lower()):
            return "add"
        meaning = meaning_of(self.text)
        commented = not re.search(_ADDITIVE, self.code.comments.lower()) and meaning_of(self.code.comments)
        return "keep or hide" if meaning is None and commented else meaning

    def readings(self, meaning: str | None) -> Iterator[Reading]:
        """All ways to call it, the usual ones first."""
        masks = {argument.name: argument.masks for argument in self.roles.values() if argument.masks}
        meanings = meaning.split(" or ") if meaning else [means for means, *_ in FORMS.values()]
        forms = [form for form, (means, *_) in FORMS.items() if means in meanings] if masks else [""]
        if any(argument.masks and re.search("len", plain(name)) for name, argument in self.roles.items()):
            masks, forms = dict.fromkeys(masks, ("bs", "bts")), ["lengths"]
        elif masks:
            forms = [form for form in forms if form != "lengths"]
        known = {argument.name for argument in PARTS[self.part].arguments}
        if any(name.endswith("padding") for name in masks):  # beside them, other masks hide no padding
            masks |= {name: (shape,) for name, shape in (("source_mask", "zs"), ("target_mask", "tu")) if name in masks}
        hidden = [False, True] if "mask" in known and "mask" not in masks else [False]
        orders = [True, False] if self.weights else [True]
        for name, argument in self.roles.items():  # a decoder has a causal mask beside one of padding
            if argument.masks and {*KEYS_OF_TARGET} < {*argument.masks}:
                padding = "pad" in plain(name)
                hidden = [True] if padding else hidden
                masks[argument.name] = tuple(each for each in argument.masks if (each in KEYS_OF_TARGET) is padding)
        for layout in self.layouts():
            shapes = [[shape for shape in every if "b" in layout or "b" not in shape] for every in masks.values()]
            if "b" not in layout:
                shapes = [shape if {"ts", "tu", "u"} & {*shape} else [*shape, "s"] for shape in shapes]
            for number, shape, form, causal, transposed in product(
                self._rotary_numbers(), [*product(*shapes)], forms, hidden, orders
            ):
                yield Reading(layout, tuple(zip(masks, shape)), form, causal, transposed, number)

    def layouts(self) -> list[str]:
        """Orders of the axes of an input, those that a docstring gives first."""
        known = PARTS[self.part].layouts if self.roles else ("td",)
        return sorted(known, key=lambda layout: not self.fits(layout))

    def fits(self, layout: str) -> bool:
        """True if a docstring has a shape with as many axes, where their number says what is an axis of features."""
        shapes = re.findall(r"[(\[]((?:[\w ./*-]+,)+[\w ./*-]+)[)\]]", self.text)
        return self.part in ("attention", "layer-norm") and len(layout) in {shape.count(",") + 1 for shape in shapes}

    def unmasked(self) -> Iterator[Reading]:
        """All ways to call it without its masks, if it takes none of them by force."""
        if any(argument.masks and self.code.parameters[name] for name, argument in self.roles.items()):
            return
        for layout in self.layouts():
            for number, transposed in product(self._rotary_numbers(), [True, False] if self.weights else [True]):
                yield Reading(layout, (), "", causal=False, transposed=transposed, rotary=number)

    def _rotary_numbers(self) -> range:
        return range(max((len(forms) for forms in self.rotary.values()), default=1))

    def letters(self, reading: Reading) -> dict[str, str]:
        """The axes of each argument that is a tensor, as it is given."""
        masks = dict(reading.masks)
        return {
            name: masks.get(role.name, "")
            if role.masks
            else "".join(axis for axis in reading.layout if axis in role.axes or axis in "tcyx")
            for name, role in self.roles.items()
        }

    def size(self, axis: str, layout: str) -> int:
        """The size of an axis in this layout, in which heads or the batch may be missing."""
        if axis in "bh" and axis not in layout and not (axis == "h" and self.part != "attention"):
            return 1
        alone = "memory" not in {role.source or role.name for role in self.roles.values()}
        axis = {"z": "s", "y": "x"}.get(axis, axis)
        if axis == "u" or (axis == "s" and alone and self.part in ("multi-head-attention", "encoder-layer")):
            axis = "t"
        return 1 if axis == "1" else getattr(self.sizes, axis.upper())

    def arguments(self, reading: Reading) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """Arguments of the code, and the same with all axes."""
        part, sizes = PARTS[self.part], self.sizes

        def size(axis: str) -> int:
            return self.size(axis, reading.layout)

        every = {role.source or role.name: role.axes for role in self.roles.values() if not role.masks}
        axes = {name: with_numbers(letters, reading.layout) for name, letters in every.items()}
        if part.tokens:
            given = (random_series if "c" in reading.layout else random_tokens)(axes, size)
        else:
            given = random_inputs(axes, size, self.part == "layer-norm")
        arguments: dict[str, Any] = dict(self.scalars)
        shapes = dict(reading.masks)
        for argument in part.arguments:
            if not argument.masks:
                continue
            canonical = [size(axis) for axis in argument.axes]
            if argument.name not in shapes:
                given[argument.name] = inner_mask(argument, reading, canonical[-2:])
            elif part.tokens:
                given[argument.name] = _token_mask(argument.name, given, shapes[argument.name])
            else:
                letters = _in_order(shapes[argument.name], argument.axes)
                shape = [size(axis) for axis in letters]
                causal = shapes[argument.name] in KEYS_OF_TARGET
                mask = random_lengths(shape) if causal or reading.form == "lengths" else random_mask(shape)
                given[argument.name] = mask.reshape([size(axis) if axis in letters else 1 for axis in argument.axes])
        for name, argument in self.roles.items():
            if argument.masks and argument.name not in shapes:
                continue
            value = given[argument.source or argument.name]
            if argument.masks:
                letters = shapes[argument.name]
                ordered = _in_order(letters, argument.axes)
                value = FORMS[reading.form][2](value.reshape([size(axis) for axis in ordered]))
                value = value.permute([ordered.index(axis) for axis in letters]) if letters != ordered else value
            else:
                value = _laid_out(value, with_numbers(argument.axes, reading.layout), reading.layout)
            arguments[name] = value
        for name, letters in shapes.items():
            if letters in KEYS_OF_TARGET:
                length = given[name].size(-1)
                given[name] = given[name] & torch.ones(length, length, dtype=torch.bool).tril()
        for name, forms in self.rotary.items():
            length = size("t" if any("t" in role.axes for role in self.roles.values()) else "s")
            arguments[name] = forms[reading.rotary % len(forms)](size("b"), length, sizes.K)
        generator = torch.Generator().manual_seed(3)
        for name, weight_axes in self.weights.items():
            sizes_of_it = [getattr(sizes, axis) for axis in weight_axes]
            arguments[name] = torch.randn(sizes_of_it[:: 1 if reading.transposed else -1], generator=generator) * 0.4
        return arguments, given


def inner_mask(argument: Argument, reading: Reading, shape: Sequence[int]) -> Tensor:
    """Where a query sees a key without a mask that is given: everywhere, or before it if the code masks that itself."""
    mask = torch.ones(*shape, dtype=torch.bool)
    return (mask.tril() if reading.causal and argument.name == "mask" else mask)[None, None]


def _in_order(letters: str, axes: str) -> str:
    """The letters in their order in `axes`; with axes of size 1 they always are."""
    return letters if "1" in letters else "".join(axis for axis in axes if axis in letters)


def _token_mask(name: str, given: Mapping[str, Tensor], shape: str) -> Tensor:
    """A mask as the model makes it of its tokens, with only the axes in `shape`."""
    side = given["target" if name.startswith("target") else "source"]
    mask = (side != PAD if side.ndim == 2 else side.any(-1))[:, None, None, :]
    if name == "source_mask" and "z" in shape and "target" in given:  # an encoder reads all
        every = torch.ones(mask.size(-1), mask.size(-1), dtype=torch.bool)[None, None]
        return mask & every if "b" in shape else every
    if name == "target_mask" or "z" in shape:
        return _causal(mask, shape)
    return mask


def _causal(mask: Tensor, shape: str) -> Tensor:
    causal = torch.ones(mask.size(-1), mask.size(-1), dtype=torch.bool).tril()[None, None]
    return mask & causal if "b" in shape else causal


def with_numbers(axes: str, layout: str) -> str:
    """The axes of an argument, where the layout has numbers in place of tokens, or images."""
    if "y" in layout:
        return layout
    return axes + "c" if "c" in layout else axes


def _laid_out(value: Tensor, axes: str, layout: str) -> Tensor:
    """A tensor with `axes`, laid out as the student takes it."""
    letter = "s" if "s" in axes else "t"
    wanted = [axis for axis in layout.replace("t", letter) if axis in axes]
    absent = [index for index, axis in enumerate(axes) if axis not in wanted]
    for index in reversed(absent):
        value = value.squeeze(index)
    kept = [axis for axis in axes if axis in wanted]
    return value.permute([kept.index(axis) for axis in wanted]).contiguous()


_TOKEN_IDS = r"(\bids?|\bindices|\bindexes)\W*$"


def meaning_of(text: str) -> str | None:
    """The meaning of True in a mask by a docstring."""
    text = re.sub(r"\b([01])\.0*\b", r"\1", " ".join(text.lower().split()))
    for one, value in (("true|1s?|ones?|non-?zero", "keep"), ("false|0s?|zeros?", "hide")):
        for match in re.finditer(rf"\b({one})\b[^.;,]{{0,40}}?\b(({_SEEN})|({_HIDDEN}))", text):
            if re.search(_TOKEN_IDS, text[: match.start()]):  # "token ids, 0 is padding" is about no mask
                continue
            hides = bool(match[4]) != bool(re.search(r"\b(not|nothing|no|never|cannot)\b|n't", match[0]))
            return "hide" if hides is (value == "keep") else "keep"
    return None
