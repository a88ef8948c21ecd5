"""Compare the student's outputs with the reference's, and with those of each known mistake."""

import copy
import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from playground.lessons.check import judging
from playground.lessons.check.causes import WHY
from playground.lessons.check.checked_parts import PARTS, Choice, described
from playground.lessons.check.known_mistakes import MISTAKES, Mistake, restored
from playground.lessons.check.opened_code import Code
from playground.lessons.check.readings import FORMS, Attempt, MaskMeaning, Student
from playground.lessons.check.traced_attention import UnclearError
from playground.lessons.check.traced_judge import Judgement, Question
from playground.lessons.check.traced_judges import JUDGES
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged, listed
from playground.lessons.check.weight_matching import Slots, plans
from playground.recording import Tap, caching
from playground.tasks.tokens import PAD

TOLERANCE = 2e-4
"""Of differences, relative to the largest number or 1."""

ARCHITECTURES = {
    "decoder-only": r"gpt|decoder|causal|autoregressive|language.?model|lm\b|generat",
    "encoder-only": "bert|encoder|classif|tagg",
}
"""Of a model with one input, and words that tell. Where none does, an encoder is no decoder without causal mask."""

MAX_CHOICES = 4
MAX_PLANS = 4
MAX_ATTEMPTS = 8
"""That are compared with mistakes; with the right module all of them are."""


@dataclass
class Candidate:
    """A module that may be what the student has written, with the student's weights."""

    module: nn.Module
    choice: Choice
    mistake: Mistake | None


class Comparison:
    """One student's code against right and mistaken modules."""

    def __init__(self, student: Student, meaning: MaskMeaning | None) -> None:
        self.student = student
        self.part = PARTS[student.part]
        self.meaning = meaning or student.meaning()
        self.attempts: list[Attempt] = []
        self.nearest: tuple[float, Candidate, Attempt] | None = None
        self.outputs: dict[Any, Tensor] = {}  # of the candidate at hand, for each input
        self.choices = [completed for choice in self.part.choices for completed in self._completed(choice)]

    def verdict(self) -> Verdict:
        """The answer."""
        self._try()
        if names := self.student.code.unregistered:
            return self._wrong("layers-not-registered", f"Not registered: {listed(tuple(names))}.")
        if shared := self.student.code.repeated:
            pairs = tuple(f"{name} is {first}" for name, first in shared.items())
            return self._wrong("layers-share-weights", f"The same object stands twice: {listed(pairs)}.")
        if self._changes():
            return self._wrong("dropout-in-evaluation", "Your output changes from call to call in evaluation mode.")
        by_graph = self._by_graph()
        if by_graph and by_graph.verdict == "right":
            return by_graph
        try:
            compared = self._compared()
        except NotJudgedError:
            if by_graph:
                return by_graph
            raise
        return by_graph if by_graph and compared.verdict == "wrong" and compared.cause is None else compared

    def _by_graph(self) -> Verdict | None:
        """The verdict on what the code computes from its own numbers; None where it can't be interpreted."""
        judge = JUDGES.get(self.student.part)
        if judge is None or self.student.code.is_function:
            return None
        judged_as: dict[str, list[tuple[Judgement | None, Attempt]]] = {}  # by layout, the likely one first
        for attempt in self.attempts:
            try:
                judgement = judge(self._question(attempt))
            except (UnclearError, CheckError):
                judgement = None
            if judgement and judgement.cause is None:
                return self._right_by_graph(judgement, attempt)
            judged_as.setdefault(attempt.reading.layout, []).append((judgement, attempt))
        likely = next(iter(judged_as.values()))
        sure = [(judgement, attempt) for judgement, attempt in likely if judgement and self._sure(judgement)]
        if not sure or len({judgement.cause for judgement, _ in sure}) > 1:
            return None
        judgement, attempt = sure[0]
        assert judgement.cause is not None
        problem, found = "Your own numbers show this mistake.", self._found(attempt, {})
        return self._wrong(judgement.cause, problem, judgement.where, found=found)

    def _sure(self, judgement: Judgement) -> bool:
        """False where another meaning of the mask would make it right."""
        return self.meaning is not None or judgement.cause != "inverted-mask"

    def _right_by_graph(self, judgement: Judgement, attempt: Attempt) -> Verdict:
        summary = "Right: your scores, weights and output are those of the formulas for your own numbers."
        if judgement.remarks:
            summary += f" In your code, {' and '.join(judgement.remarks)}."
        return judged(self.student.part, "right", summary, self._found(attempt, {}))

    def _question(self, attempt: Attempt) -> Question:
        arguments, given = self.student.arguments(attempt.reading)
        layout, letters = attempt.reading.layout, {}
        for name, role in self.student.roles.items():
            if not role.masks:
                mine = "s" if "s" in role.axes and "memory" in given else "t"
                letters[name] = "".join(mine if letter == "t" else letter for letter in layout)
        trace, words = self.student.code.trace(arguments), f"{self.student.name} {self.student.text}".lower()
        if self.part.tokens:
            return Question(trace, letters, torch.ones(1), sizes=self.student.sizes, words=words)
        mask, x = given["mask"], given["x"]
        with_memory = "memory_mask" in given
        keys = mask.size(-1) if mask.size(-1) > 1 else (x if with_memory else given.get("memory", x)).size(1)
        visible = mask.expand(len(x), mask.size(1), x.size(1), keys)[:, 0]
        of_memory = None
        if with_memory and "memory" in given:
            of_memory = given["memory_mask"].expand(len(x), -1, x.size(1), given["memory"].size(1))[:, 0]
        return Question(trace, letters, visible, of_memory, self.student.sizes, words)

    def _compared(self) -> Verdict:
        """The verdict on its outputs beside those of right and mistaken modules."""
        differences: dict[int, float] = {}  # the smallest one of each choice
        for candidate, attempt in self._candidates([None], None):
            difference = self._difference(candidate, attempt)
            if difference <= TOLERANCE:
                return self._right(candidate, attempt)
            if difference != difference:
                difference = math.inf
            index = self.choices.index(candidate.choice)
            differences[index] = min(difference, differences.get(index, math.inf))
            if self.nearest is None or difference < self.nearest[0]:
                # a copy, since the next plan fills the same module with other weights
                self.nearest = difference, replace(candidate, module=copy.deepcopy(candidate.module)), attempt
        self.attempts = self.attempts[:MAX_ATTEMPTS]
        less = [mistake for mistake in MISTAKES if mistake.removes]
        fitting = [self.choices[index] for index in sorted(differences, key=lambda index: differences[index])]
        for choices, mistakes in ((self.choices, less), (fitting[:MAX_CHOICES], MISTAKES)):
            self.choices = choices
            for candidate, attempt in self._candidates(mistakes, MAX_PLANS):
                if self._same(candidate, attempt):
                    return self._named(candidate, attempt)
        return self._unknown()

    def _try(self) -> None:
        """Calls the code in every way; raises what most ways raise if none runs."""
        errors: list[CheckError] = []
        shapes = []
        for reading in self.student.readings(self.meaning):
            try:
                attempt = self.student.attempt(reading)
            except CheckError as error:
                errors.append(error)
                continue
            if attempt is None:
                shapes.append(self.student.shapes)
            else:
                self.attempts.append(attempt)
        if self.attempts:  # code for a batch may run without one, and do something else there
            most = max(len(attempt.reading.layout) for attempt in self.attempts)
            self.attempts = [attempt for attempt in self.attempts if len(attempt.reading.layout) == most]
            return
        if shapes:
            letters = ", ".join(self.part.output.upper())
            sizes = ", ".join(str(self.student.size(axis, "bhtk")) for axis in self.part.output)
            got = " and ".join(map(str, shapes[0]))
            yours = f"Your output has shape {got}" if got else "Your code returned no tensor"
            problem = f"{yours} where shape ({letters}) = ({sizes}) is expected."
            # One of several usual outputs, or perhaps misread: numbers that are arguments have no usual meaning.
            if self.part.tokens or self.student.guessed or self.student.scalars:
                raise NotJudgedError(f"{problem} So it was not judged.", f"Found: {self.student.found}.")
            raise WrongShape(problem)
        if errors:
            lines = [getattr(error, "line", None) for error in errors]
            line = Counter(lines).most_common(1)[0][0]
            usual = errors[lines.index(line)]
            if self.student.guessed:
                names = ", ".join(map(repr, self.student.guessed))
                raise NotJudgedError(f"{usual.problem} The check does not know {names}, so it was not judged.")
            raise usual

    def _changes(self) -> bool:
        """True if a second call, with other random numbers, gives another output."""
        attempt = self.attempts[0]
        return any(
            not torch.equal(attempt.output.nan_to_num(), again.output.nan_to_num())
            for again in (self.student.attempt(attempt.reading, seed) for seed in (1, 2))
            if again is not None
        )

    def _candidates(self, mistakes: Any, most_plans: int | None) -> Iterator[tuple[Candidate, Attempt]]:
        """Modules with the student's weights, each with every attempt."""
        for choice in self.choices:
            module = self.part.reference(self.student.sizes, choice).eval()
            for mistake in mistakes:
                with restored(module):
                    if mistake is not None and not mistake.put_into(module):
                        continue
                    slots = Slots(module)
                    for leaves, attempts in self._by_weights():
                        for plan, by_kind in islice(plans(leaves, self.student.sizes, self.part.tokens), most_plans):
                            if slots.fill(plan, by_kind):
                                self.outputs.clear()
                                for attempt in attempts:
                                    yield Candidate(module, choice, mistake), attempt

    def _by_weights(self) -> list[tuple[list[Any], list[Attempt]]]:
        """Attempts by the weights that they were made with: a function gets its own in each layout."""
        groups: dict[int, tuple[list[Any], list[Attempt]]] = {}
        for attempt in self.attempts:
            groups.setdefault(attempt.reading.transposed, (attempt.leaves, []))[1].append(attempt)
        return list(groups.values())

    def _completed(self, choice: Choice) -> list[Choice]:
        """A choice with the architectures that the arguments and the name allow."""
        roles = {argument.name for argument in self.student.roles.values()}
        if self.student.part == "decoder-layer" and "memory" not in roles:
            return [{**choice, "architecture": "decoder-only"}]
        if not self.part.tokens or "target" in roles:
            return [choice]
        text = f"{self.student.name} {self.student.text}".lower()
        kinds = [kind for kind, words in ARCHITECTURES.items() if re.search(words, text)]
        return [{**choice, "architecture": kind} for kind in kinds[:1] or ARCHITECTURES]

    def _run(self, candidate: Candidate, attempt: Attempt) -> Tensor:
        given = dict(attempt.given)
        if candidate.choice.get("architecture") == "decoder-only" and self.part.tokens:
            given = {"target": given["source"]}
        if candidate.choice.get("added") is False:
            given["x"] = torch.zeros_like(given["x"])
        with torch.no_grad():
            return self.part.run(candidate.module, given)

    def _expected(self, candidate: Candidate, attempt: Attempt) -> Tensor:
        key = id(candidate.module), attempt.reading.layout, attempt.reading.masks, attempt.reading.causal
        if key not in self.outputs:
            self.outputs[key] = self._run(candidate, attempt)
        expected = self.outputs[key]
        sums = attempt.output.exp().sum(-1)
        if self.part.tokens and torch.allclose(sums, torch.ones_like(sums), atol=1e-3):
            return expected.log_softmax(-1)
        sums = attempt.output.sum(-1)
        if self.part.tokens and torch.allclose(sums, torch.ones_like(sums), atol=1e-3):
            return expected.softmax(-1)
        return expected

    def _pair(self, candidate: Candidate, attempt: Attempt) -> tuple[Tensor, Tensor]:
        """The student's output and the candidate's; where the tokens are padding, none is compared."""
        output, expected = attempt.output, self._expected(candidate, attempt)
        if self.part.tokens:
            tokens = attempt.given.get("target", attempt.given.get("source"))
            return output[tokens != PAD], expected[tokens != PAD]
        if self.student.part == "positional-encoding":
            output, expected = torch.broadcast_tensors(output, expected)
        return output, expected

    def _difference(self, candidate: Candidate, attempt: Attempt) -> float:
        """The largest difference, relative to the largest number."""
        output, expected = self._pair(candidate, attempt)
        return float((output - expected).abs().max() / expected.abs().max().clamp(min=1))

    def _same(self, candidate: Candidate, attempt: Attempt) -> bool:
        """True if a mistake gives this output; where a row has nothing to read, a softmax gives no numbers."""
        output, expected = self._pair(candidate, attempt)
        scale = max(1.0, float(expected.nan_to_num(0, 0, 0).abs().max()))
        finite = output.isfinite() & expected.isfinite()
        close = (output - expected).abs()[finite] <= TOLERANCE * scale
        return bool(finite.any() and close.all() and expected.isfinite().sum() == finite.sum())

    # --- the answer -------------------------------------------------------------------------------

    def _right(self, candidate: Candidate, attempt: Attempt) -> Verdict:
        output, expected = self._pair(candidate, attempt)
        largest = float((output - expected).abs().max())
        summary = f"Right: your output equals that of the reference (largest difference {largest:.1g})."
        if self.part.tokens:
            summary += " This does not show how the loss is computed: check it as the part loss."
        understood = self._found(attempt, candidate.choice)
        return judged(self.student.part, "right", summary, understood, difference=largest)

    def _named(self, candidate: Candidate, attempt: Attempt) -> Verdict:
        """A wrong output that a known mistake gives."""
        assert candidate.mistake is not None
        right = self._without(candidate)
        where, agrees = self._first_tap(right, candidate, attempt)
        output, expected = self._pair(right, attempt)
        return self._wrong(
            candidate.mistake.name,
            f"Your output is the output of the reference with this mistake: {candidate.mistake.words}.",
            where,
            _largest(output, expected),
            self._found(attempt, candidate.choice),
            agrees,
        )

    def _without(self, candidate: Candidate) -> Candidate:
        """The right module with the same weights."""
        module = self.part.reference(self.student.sizes, candidate.choice).eval()
        module.load_state_dict(candidate.module.state_dict(), strict=False)
        return replace(candidate, module=module, mistake=None)

    def _wrong(
        self,
        cause: str | None,
        problem: str,
        where: str | None = None,
        difference: float | None = None,
        found: str = "",
        agrees: tuple[str, ...] = (),
    ) -> Verdict:
        summary = f"{problem} {WHY[cause]}" if cause else problem
        found = found or f"Found: {self.student.found}."
        return judged(
            self.student.part, "wrong", summary, found, cause=cause, where=where, difference=difference, agrees=agrees
        )

    def _unknown(self) -> Verdict:
        """A wrong output that no known mistake gives."""
        if self.nearest is None:
            raise NotJudgedError(
                f"Your code was not judged: its weights ({self._weights()}) don't match those of the reference.",
                f"The check sets {self._sizes()}.",
            )
        _, candidate, attempt = self.nearest
        output, expected = self._pair(candidate, attempt)
        where, agrees = self._first_module(candidate, attempt)
        problem = "Your output differs from the reference's, and no known mistake gives it."
        if output.isnan().any():
            problem = "Your output contains NaN, and no known mistake gives it."
        understood = self._found(attempt, candidate.choice)
        if not agrees:  # perhaps the check has misread it
            raise NotJudgedError(f"{problem} No intermediate value agrees either, so it was not judged.", understood)
        return self._wrong(None, problem, where, _largest(output, expected), understood, agrees)

    def _weights(self) -> str:
        return ", ".join(f"{leaf.name.strip('.')} {tuple(leaf.weight.shape)}" for leaf in self.student.leaves) or "none"

    def _sizes(self) -> str:
        sizes = self.student.sizes
        return f"d_model = {sizes.D}, {sizes.H} heads, d_ff = {sizes.F}, {sizes.N} layers"

    def _found(self, attempt: Attempt, choice: Choice) -> str:
        """A sentence on how the code was understood."""
        layout = ", ".join(attempt.reading.layout.upper())
        order = {"b": "batch first", "t": "positions first"}[attempt.reading.layout[0]]
        order = order if "b" in attempt.reading.layout else "no batch"
        words = [self.student.found]
        if self.student.roles:
            words.append(f"input ({layout}), {order}")
        for name, shape in attempt.reading.masks:
            words.append(f"{name.replace('_', ' ')} ({', '.join(shape.upper().replace('U', 'T'))})")
        if attempt.reading.form:
            how = "" if self.meaning else " (your code doesn't say what True means, so both meanings were tried)"
            words.append(FORMS[attempt.reading.form][1] + how)
        words += described({**choice, "causal": attempt.reading.causal})
        return f"Found: {'; '.join(words)}."

    def _first_tap(self, right: Candidate, mistaken: Candidate, attempt: Attempt) -> tuple[str | None, tuple[str, ...]]:
        """The first intermediate value that the mistake changes, and those before it."""
        agrees: list[str] = []
        one, other = (self._taps(candidate, attempt) for candidate in (right, mistaken))
        for name, value in one.items():
            changed = other.get(name)
            if (
                changed is None
                or value.shape != changed.shape
                or not torch.allclose(value.float(), changed.float(), atol=1e-4, equal_nan=True)
            ):
                return name, tuple(agrees)
            agrees.append(name)
        return None, ()

    def _taps(self, candidate: Candidate, attempt: Attempt, kind: type[nn.Module] = Tap) -> dict[str, Tensor]:
        """Tensors of the taps, or outputs of all modules of another kind."""
        names = [name for name, module in candidate.module.named_modules() if isinstance(module, kind)]
        with caching(candidate.module, names) as values:
            self._run(candidate, attempt)
        return values

    def _first_module(self, candidate: Candidate, attempt: Attempt) -> tuple[str, tuple[str, ...]]:
        """The first module of the student's whose output is no intermediate value of the reference, and those before.

        Without one, the output.
        """
        known = [value.flatten().float() for value in self._taps(candidate, attempt, nn.Module).values()]
        known.append(self._expected(candidate, attempt).flatten())
        for value in [*attempt.others]:
            like = [other for other in known if other.numel() == value.numel()]
            if like and not any(_equal(value, other) for other in like):
                last = "weights" if value.shape[-1] == attempt.given["mask"].size(-1) else "second output"
                return last, ()
        again = self.student.attempt(attempt.reading, inside=True)
        values = again.inside if again else {}
        agrees: list[str] = []
        for name, value in values.items():
            like = [other for other in known if other.numel() == value.numel()]
            if like and not any(_equal(value, other) for other in like):
                return name, tuple(agrees)
            if like:
                agrees.append(name)
        return "output", tuple(agrees)


class WrongShape(CheckError):
    """An output of another shape, whatever the input."""


def _equal(one: Tensor, other: Tensor) -> bool:
    """The same numbers, in any layout."""
    a, b = one.flatten().float().sort().values, other.flatten().sort().values
    return torch.allclose(a, b, atol=1e-3, equal_nan=True)


def _largest(output: Tensor, expected: Tensor) -> float | None:
    largest = float((output - expected).abs().max())
    return largest if largest == largest and largest != float("inf") else None


def check_code(code: Code, part: str, meaning: MaskMeaning | None) -> Verdict:
    """Checks a function, a class or a module."""
    student = Student(code, part)
    if part in JUDGES and not code.is_function:
        try:
            return judging.check_code(code, part, meaning)
        except NotJudgedError:  # such as code for NumPy, in which nothing is traced
            with suppress(CheckError):
                compared = Comparison(student, meaning).verdict()
                if compared.verdict == "right" or compared.cause:
                    return compared
            raise
    try:
        return Comparison(student, meaning).verdict()
    except WrongShape as error:
        return judged(part, "wrong", error.problem, f"Found: {student.found}.", where="output")
