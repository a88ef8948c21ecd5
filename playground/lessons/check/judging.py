"""Calls the student's code in every way that fits its arguments, and judges the graph of each pass."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from playground.lessons.check.causes import WHY
from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.given_inputs import StudentWithInputs
from playground.lessons.check.graph.traced_attention import UnclearError
from playground.lessons.check.judges.judge_table import JUDGES
from playground.lessons.check.judges.question import Judgement, Question, ShapeError, as_parameters, find_embeddings
from playground.lessons.check.readings import FORMS, MaskMeaning, Reading, Student
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged, listed

Judged = tuple[Reading, Judgement]


class Judging:
    """One student's code, judged with one set of sizes."""

    def __init__(self, student: Student, meaning: MaskMeaning | None) -> None:
        self.student = student
        self.judge = JUDGES[student.judged_as]
        self.meaning = meaning or student.meaning()
        self.wrong: list[Judged] = []
        self.layouts: list[str] = []  # in which the code ran
        self.errors: list[CheckError] = []  # of calls that failed
        self.unclear: list[tuple[Reading, UnclearError]] = []

    def verdict(self) -> Verdict:
        """The answer; raises `CheckError` if there is none."""
        ran = False
        for reading, question in self._questions():
            try:
                if not ran and (fault := self._fault_of_all(reading)):
                    return fault
                ran = True
                judgement = self.judge(question)
            except UnclearError as error:
                self.unclear.append((reading, error))
                continue
            except CheckError as error:
                self.errors.append(error)
                continue
            if judgement.cause is None and (mixed := self._mixed(reading)):
                self.unclear.append((reading, mixed))
            elif judgement.cause is None:
                return self._right(judgement, reading)
            else:
                self.wrong.append((reading, judgement))
        return self._wrong_by_graph() if self.wrong else self._unjudged()

    def _questions(self) -> Iterator[tuple[Reading, Question]]:
        """The passes that ran; one without a batch counts only if none with a batch did."""
        batched = ran = False
        masked = [*self.student.readings(self.meaning)]
        for number, reading in enumerate([*masked, *self.student.unmasked()]):
            if (batched and "b" not in reading.layout) or (ran and number >= len(masked)):
                return
            try:
                question = self._question(reading)
            except CheckError as error:
                self.errors.append(error)
                continue
            batched, ran = batched or "b" in reading.layout, True
            self.layouts.append(reading.layout)
            yield reading, question

    def _question(self, reading: Reading) -> Question:
        student = self.student
        arguments, given = student.arguments(reading)
        axes = {}
        for name, role in student.roles.items():
            if not role.masks:
                mine = "s" if "s" in role.axes and {"memory", "target", "query"} & {*given} else "t"
                axes[name] = "".join(mine if letter == "t" else letter for letter in reading.layout)
        question = Question(
            trace=student.code.trace(arguments),
            axes=axes,
            visible=torch.ones(1, dtype=torch.bool),
            sizes=student.sizes,
            knows_padding=student.code.knows_padding,
            words=f"{student.name} {student.text}".lower(),
            is_function=student.is_function,
        )
        as_parameters(question.trace, {*student.weights})
        find_embeddings(question.trace)
        if "mask" not in given:
            return question
        mask, x = given["mask"], given["query"][:, 0] if "query" in given else given["x"]
        memory = given["key"][:, 0] if "query" in given else given.get("memory", x)
        with_memory = "memory_mask" in given and "memory" in given
        keys = mask.size(-1) if mask.size(-1) > 1 else (x if with_memory else memory).size(1)
        visible = mask.expand(len(x), mask.size(1), x.size(1), keys)[:, 0]
        if not with_memory:
            return replace(question, visible=visible)
        of_memory = given["memory_mask"].expand(len(x), -1, x.size(1), given["memory"].size(1))[:, 0]
        return replace(question, visible=visible, memory_visible=of_memory)

    # --- the answer -------------------------------------------------------------------------------

    def _fault_of_all(self, reading: Reading) -> Verdict | None:
        """What is wrong whatever the pass computes."""
        if names := self.student.code.unregistered:
            return self._wrong("layers-not-registered", f"Not registered: {listed(tuple(names))}.", reading)
        if shared := self.student.code.repeated:
            pairs = tuple(f"{name} is {first}" for name, first in shared.items())
            return self._wrong("layers-share-weights", f"The same object stands twice: {listed(pairs)}.", reading)
        arguments, _ = self.student.arguments(reading)
        one, *others = (self.student.code.call(arguments, seed).tensors for seed in (0, 1, 2))
        if any(not torch.equal(a.nan_to_num(), b.nan_to_num()) for other in others for a, b in zip(one, other)):
            problem = "Your output changes from call to call in evaluation mode."
            return self._wrong("dropout-in-evaluation", problem, reading)
        return None

    def _mixed(self, reading: Reading) -> UnclearError | None:
        """The error for code whose result for one row depends on the others; it must be right without them, too."""
        arguments, _ = self.student.arguments(reading)
        axes = {name: letters for name, letters in self._letters(reading).items() if "b" in letters}
        if not axes or self.student.sizes.B < 2:
            return None
        alone = dict(arguments)
        for name, letters in axes.items():
            alone[name] = arguments[name].narrow(letters.index("b"), 1, 1)
        try:
            both, one = (self.student.code.call(given).tensors[:1] for given in (arguments, alone))
        except CheckError:  # such as code with this size of the batch in it
            return None
        if not both or both[0].ndim != one[0].ndim or "b" not in reading.layout:
            return None
        row = both[0].narrow(reading.layout.index("b"), 1, 1)
        if row.shape != one[0].shape or torch.allclose(row, one[0], atol=1e-3, equal_nan=True):
            return None
        return UnclearError("What it computes for one row depends on the other rows of the batch.")

    def _letters(self, reading: Reading) -> dict[str, str]:
        """The axes of each argument that is a tensor, as it is given."""
        masks = dict(reading.masks)
        letters = {}
        for name, role in self.student.roles.items():
            if role.masks:
                letters[name] = masks.get(role.name, "")
            else:
                letters[name] = "".join(axis for axis in reading.layout if axis in role.axes or axis == "t")
        return letters

    def _right(self, judgement: Judgement, reading: Reading) -> Verdict:
        summary = "Right: your numbers agree with the formulas applied to them."
        if self.student.part == "transformer":
            summary += " This does not show how the loss is computed: check it as the part loss."
        return judged(self.student.judged_as, "right", summary, self._found(reading, judgement), difference=0.0)

    def _wrong_by_graph(self) -> Verdict:
        """The mistake, where all readings in the likely layout show the same one."""
        # Read in the wrong layout, right code seems to mix positions.
        others = [each for each in self.wrong if each[1].cause != "heads-without-transpose"]
        layout = others[0][0].layout if others else self.layouts[0]
        likely = [each for each in self.wrong if each[0].layout == layout]
        if not likely:
            return self._unjudged()
        likely = [each for each in likely if each[0].form in ("keep", "hide")] or likely
        sure = [each for each in likely if self.meaning is not None or each[1].cause != "inverted-mask"]
        causes = {judgement.cause for _, judgement in sure}
        kinds = listed(tuple(sorted({str(judgement.cause) for _, judgement in self.wrong})))
        if len(causes) != 1 and self.meaning is not None:
            raise NotJudgedError(
                f"Called in different ways, your code shows different mistakes ({kinds}), so it was not judged.",
                'Say which argument is what: --call "model(x, mask)".',
            )
        if len(causes) != 1:
            raise NotJudgedError(
                f"What True in your mask means decides whether it is right ({kinds} if it means the other), so it "
                "was not judged.",
                "Say it with --mask keep or --mask hide, or in a docstring.",
            )
        reading, judgement = sure[0]
        assert judgement.cause is not None
        return self._wrong(judgement.cause, "Your own numbers show this mistake.", reading, judgement)

    def _wrong(self, cause: str, problem: str, reading: Reading, judgement: Judgement | None = None) -> Verdict:
        return judged(
            self.student.judged_as,
            "wrong",
            f"{problem} {WHY[cause]}",
            self._found(reading, judgement),
            cause=cause,
            where=judgement.where if judgement else None,
            difference=judgement.difference if judgement else None,
            agrees=judgement.agrees if judgement else (),
        )

    def _unjudged(self) -> Verdict:
        """Raises what was unclear or, if no call succeeded, what most calls raised."""
        found = f"Found: {self.student.found}."
        if self.unclear:
            reading, error = self.unclear[0]
            if all(isinstance(each, ShapeError) for _, each in self.unclear) and not self.student.guessed:
                return judged(self.student.judged_as, "wrong", str(error), found, where="output")
            raise NotJudgedError(f"{error} So it was not judged.", self._found(reading, None))
        lines = [getattr(error, "line", None) for error in self.errors]
        usual = self.errors[lines.index(Counter(lines).most_common(1)[0][0])]
        if self.student.guessed:
            names = ", ".join(map(repr, self.student.guessed))
            raise NotJudgedError(
                f"{usual.problem} The check does not know {names}, so it was not judged.",
                'Say which argument is what: --call "model(x, mask)".',
            )
        raise usual

    def _found(self, reading: Reading, judgement: Judgement | None) -> str:
        """A sentence on how the code was understood."""
        words = [self.student.found]
        if self.student.roles:
            order = {"b": "batch first", "t": "positions first"}[reading.layout[0]]
            order = order if "b" in reading.layout else "no batch"
            words.append(f"input ({', '.join(reading.layout.upper())}), {order}")
        for name, shape in reading.masks:
            words.append(f"{name.replace('_', ' ')} ({', '.join(shape.upper().replace('U', 'T'))})")
        if reading.form:
            how = "" if self.meaning else " (your code doesn't say what True means, so both meanings were tried)"
            words.append(FORMS[reading.form][1] + how)
        if reading.causal:
            words.append("causal mask inside")
        words += judgement.remarks if judgement else ()
        return f"Found: {'; '.join(words)}."


def check_code(code: Code, part: str, meaning: MaskMeaning | None, inputs: Sequence[Any] | None = None) -> Verdict:
    """Judges a function, a class or a module; if it isn't judged with the usual sizes, with those of its weights.

    With `inputs`, on the pass that they give.
    """
    if inputs is not None:
        return Judging(StudentWithInputs(code, part, inputs), meaning).verdict()
    student = Student(code, part)
    first: Verdict | CheckError
    try:
        first = Judging(student, meaning).verdict()
    except CheckError as error:
        first = error
    judged_well = isinstance(first, Verdict) and (first.verdict == "right" or first.cause is not None)
    if not judged_well and code.own_sizes != code.sizes:
        student.sizes = code.own_sizes
        try:
            return Judging(student, meaning).verdict()
        except CheckError as error:
            if isinstance(first, CheckError) and isinstance(error, NotJudgedError):
                raise
    if isinstance(first, CheckError):
        raise first
    return first
