"""Calls the student's code in every way that fits its arguments, and judges the graph of each pass."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch

from playground.lessons.check.causes import explained
from playground.lessons.check.code.opened_code import Code
from playground.lessons.check.code_probes import ALWAYS, Failed, Probed, failures
from playground.lessons.check.given_inputs import StudentWithInputs
from playground.lessons.check.graph.traced_attention import MistakeError, OwnMaskError, UnclearError
from playground.lessons.check.judges.judge_table import JUDGES
from playground.lessons.check.judges.question import Judgement, Question, ShapeError, as_parameters, find_embeddings
from playground.lessons.check.readings import FORMS, MaskMeaning, Reading, Student
from playground.lessons.check.verdict import CheckError, NotJudgedError, Verdict, judged, listed

Judged = tuple[Reading, Judgement]

MAX_LENGTH = 200
"""Of the inputs of code that takes one length alone."""

_MIXED = ("heads-without-transpose", "softmax-over-batch")
"""Mistakes that right code seems to make if it is called with its axes in another order."""

MAX_PROBED = 12
"""Ways to call the code that are probed."""


class Judging:
    """One student's code, judged with one set of sizes."""

    def __init__(self, student: Student, meaning: MaskMeaning | None, *, unmasked: bool = True) -> None:
        """`unmasked` calls it without its masks, too, if it runs with none."""
        self.student, self.unmasked = student, unmasked
        self.judge = JUDGES[student.judged_as]
        self.meaning = meaning or student.meaning()
        self.has_meaning = self.meaning not in (None, "keep or hide")
        self.wrong: list[Judged] = []
        self.layouts: list[str] = []  # in which the code ran
        self.errors: list[CheckError] = []  # of calls that failed
        self.unclear: list[tuple[Probed, UnclearError]] = []
        self.open: list[Probed] = []  # of which the graph has left something open

    def verdict(self) -> Verdict:
        """The answer; raises `CheckError` if there is none."""
        ran = False
        for reading, question in self._questions():
            probed = Probed(self.student, reading, question)
            try:
                if not ran and (fault := self._fault_of_all(probed)):
                    return fault
                ran = True
                judgement = self.judge(question)
            except UnclearError as error:
                self.unclear.append((probed, error))
                self.open.append(probed)
                continue
            except MistakeError as mistake:
                self.wrong.append((reading, Judgement(None, mistake.node, problem=str(mistake))))
                continue
            except CheckError as error:
                self.errors.append(error)
                continue
            if judgement.cause is None and (failed := next(failures(probed), None)):
                self.unclear.append((probed, UnclearError(failed.problem)))
            elif judgement.cause is None:
                return self._right(judgement, reading)
            else:
                self.wrong.append((reading, judgement))
        usual = self.layouts[0] if self.layouts else ""
        if any(probed.reading.layout == usual for probed, _ in self.unclear):
            # Read in another layout, what is unclear in the usual one seems to mix positions.
            self.wrong = [each for each in self.wrong if each[0].layout == usual or each[1].cause not in _MIXED]
        return self._wrong_by_graph() if self.wrong else self._unjudged()

    def _questions(self) -> Iterator[tuple[Reading, Question]]:
        """The passes that ran; one without a batch counts only if none with a batch did."""
        batched = ran = fitting = False
        masked = [*self.student.readings(self.meaning)]
        for number, reading in enumerate([*masked, *(self.student.unmasked() if self.unmasked else ())]):
            of_numbers = "c" in reading.layout and ran and "c" not in self.layouts[0]
            if (batched and "b" not in reading.layout) or (ran and number >= len(masked)) or of_numbers:
                return
            if fitting and not self.student.fits(reading.layout):
                continue
            try:
                question = self._question(reading)
            except CheckError as error:
                self.errors.append(error)
                continue
            batched, ran = batched or "b" in reading.layout, True
            fitting = fitting or self.student.fits(reading.layout)
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
        as_parameters(question.trace, {*student.weights, *student.rotary})
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

    def _fault_of_all(self, probed: Probed) -> Verdict | None:
        """What is wrong whatever the pass computes."""
        reading = probed.reading
        if fault := self._fault_in_modules(reading):
            return fault
        failed = next(failures(probed, ALWAYS), None)
        return self._wrong(failed.cause, failed.problem, reading, failed) if failed else None

    def _fault_in_modules(self, reading: Reading | None) -> Verdict | None:
        if names := self.student.code.unregistered:
            return self._wrong("layers-not-registered", f"In a plain list: {listed(tuple(names))}.", reading)
        if shared := self.student.code.repeated:
            pairs = tuple(f"{name} is {first}" for name, first in shared.items())
            return self._wrong("layers-share-weights", f"The same object stands twice: {listed(pairs)}.", reading)
        return None

    def _right(self, judgement: Judgement, reading: Reading) -> Verdict:
        summary = "Right: your numbers agree with the formulas applied to them."
        if self.student.part == "transformer":
            summary += " This does not show how the loss is computed: check it as the part loss."
        return judged(self.student.judged_as, "right", summary, self._found(reading, judgement), difference=0.0)

    def _wrong_by_graph(self) -> Verdict:
        """The mistake, where all readings in the likely layout show the same one."""
        # Read in the wrong layout, right code seems to mix positions.
        others = [each for each in self.wrong if each[1].cause != _MIXED[0]]
        layout = others[0][0].layout if others else self.layouts[0]
        likely = [each for each in self.wrong if each[0].layout == layout]
        if not likely:
            return self._unjudged()
        likely = [each for each in likely if each[0].form in ("keep", "hide")] or likely
        sure = [each for each in likely if self._is_sure(each)]
        causes = {judgement.cause or judgement.problem for _, judgement in sure}
        kinds = listed(tuple(sorted({str(judgement.cause) for _, judgement in self.wrong})))
        if len(causes) != 1 and self.has_meaning:
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
        return self._wrong(judgement.cause, judgement.problem, reading, judgement)

    def _is_sure(self, found: Judged) -> bool:
        """False where another meaning of True in a mask that is given would make it right."""
        reading, judgement = found
        return self.has_meaning or not reading.masks or judgement.cause != "inverted-mask"

    def _wrong(
        self, cause: str | None, problem: str, reading: Reading | None, shown: Judgement | Failed | None = None
    ) -> Verdict:
        judgement = shown if isinstance(shown, Judgement) else None
        return judged(
            self.student.judged_as,
            "wrong",
            explained(cause, problem) if cause else problem,
            self._found(reading, judgement),
            cause=cause,
            where=shown.where if shown else None,
            difference=shown.difference if shown else None,
            agrees=judgement.agrees if judgement else (),
            line=judgement.node.source.line if judgement and judgement.node else None,
        )

    def _shown_by_probes(self) -> Verdict | None:
        """What is wrong where the graph leaves it open, if all ways to call it in the likely layout show the same."""
        likely = [probed for probed in self.open if probed.reading.layout == self.open[0].reading.layout]
        found = [next(failures(probed), None) for probed in likely[:MAX_PROBED]]
        first = found[0] if found else None
        if first is None or first.cause is None or any(each is None or each.cause != first.cause for each in found):
            return None
        return self._wrong(first.cause, first.problem, likely[0].reading, first)

    def _unjudged(self) -> Verdict:
        """What probes show; raises what was unclear or, if no call succeeded, what most calls raised."""
        if shown := self._shown_by_probes():
            return shown
        found = f"Found: {self.student.found}."
        if self.unclear:
            probed, error = min(self.unclear, key=lambda each: isinstance(each[1], OwnMaskError))
            reading = probed.reading
            if all(isinstance(each, ShapeError) for _, each in self.unclear) and not self.student.guessed:
                return judged(self.student.judged_as, "wrong", str(error), found, where="output")
            raise NotJudgedError(f"{error} So it was not judged.", self._found(reading, None))
        if fault := self._fault_in_modules(None):
            return fault
        lines = [getattr(error, "line", None) for error in self.errors]
        usual = self.errors[lines.index(Counter(lines).most_common(1)[0][0])]
        if self.student.guessed:
            names = ", ".join(map(repr, self.student.guessed))
            raise NotJudgedError(
                f"{usual.problem} The check does not know {names}, so it was not judged.",
                'Say which argument is what: --call "model(x, mask)".',
            )
        raise usual

    def _found(self, reading: Reading | None, judgement: Judgement | None) -> str:
        """A sentence on how the code was understood."""
        if reading is None:
            return f"Found: {self.student.found}."
        words = [self.student.found]
        if self.student.roles:
            order = {"b": "batch first", "t": "positions first", "h": "heads first"}[reading.layout[0]]
            order = order if "b" in reading.layout else "no batch"
            words.append(f"input ({', '.join(reading.layout.upper())}), {order}")
        for name, shape in reading.masks:
            words.append(f"{name.replace('_', ' ')} ({', '.join(shape.upper().replace('U', 'T'))})")
        if reading.form:
            how = "" if self.has_meaning else " (your code doesn't say what True means, so both meanings were tried)"
            words.append(FORMS[reading.form][1] + how)
        if reading.causal:
            words.append("causal mask inside")
        words += judgement.remarks if judgement else ()
        return f"Found: {'; '.join(words)}."


def check_code(code: Code, part: str, meaning: MaskMeaning | None, inputs: Sequence[Any] | None = None) -> Verdict:
    """Judges a function, a class or a module; if it isn't judged with the usual sizes, with those of its weights.

    Code that runs with neither is called with one length for all inputs, at last with the one that its weights have.
    With `inputs`, on the pass that they give.
    """
    if inputs is not None:
        return Judging(StudentWithInputs(code, part, inputs), meaning).verdict()
    student = Student(code, part)
    own, best, ran = code.own_sizes, None, False
    longest, usual = min(own.L, MAX_LENGTH), (code.sizes, own)
    attempts = [(sizes, False) for sizes in (*usual, replace(own, S=own.T))] + [(sizes, True) for sizes in usual]
    for sizes, unmasked in dict.fromkeys([*attempts, (replace(own, T=longest, S=longest), True)]):
        if ran and (unmasked or sizes not in usual):
            break
        student.sizes = sizes
        judging = Judging(student, meaning, unmasked=unmasked)
        now: Verdict | CheckError
        try:
            now = judging.verdict()
        except CheckError as error:
            now = error
        ran = ran or bool(judging.layouts)
        if isinstance(now, Verdict) and (now.verdict == "right" or now.cause is not None):
            return now
        says_more = isinstance(now, NotJudgedError) and (bool(judging.layouts) or sizes == own)
        if best is None or isinstance(now, Verdict) or (isinstance(best, CheckError) and says_more):
            best = now
    if isinstance(best, CheckError):
        raise best
    assert best is not None
    return best
