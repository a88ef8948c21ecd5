"""Write a part of a transformer; the checker judges it, on the student's or the lecturer's own machine."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from playground.lessons.assignments.kinds.part import Answer, AnswerField, Asked, BasePart, Mark, complete
from playground.lessons.check.checking import PARTS, check_file
from playground.lessons.check.verdict import Verdict, part_in_words

CheckedModule = Literal[*PARTS]  # type: ignore[valid-type]


class CodePart(BasePart):
    """Code of the student's own. All students write the same part."""

    title_of_kind: ClassVar = "Write a part of the transformer"
    runs_code: ClassVar = True

    kind: Literal["code"] = "code"
    part: Annotated[CheckedModule, Field(title="Part")] = "attention"

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return f"Write {part_in_words(self.part)}"

    def asked(self, seed: int) -> Asked:
        """What to write; `check.templates.TEMPLATES` has a template for each part."""
        text = f"Write {part_in_words(self.part)} in PyTorch or NumPy. The checker compares it with the formulas."
        return Asked(text, (AnswerField("code", "Code", "code"),), seed=seed)

    def judge(self, seed: int, answer: Answer) -> Mark:
        """Runs the code in a process with limited time and memory, which is no sandbox."""
        code = complete(self.asked(seed).fields, answer)["code"]
        with TemporaryDirectory() as folder:
            file = Path(folder) / "answer.py"
            file.write_text(code, encoding="utf-8")
            verdict = check_file(file, self.part)
        return mark_of(verdict)

    def solution(self, seed: int) -> Answer:
        """There are many, and none is written here."""
        return {}


def mark_of(verdict: Verdict) -> Mark:
    """The mark for code with this verdict; code that the check can't judge isn't marked."""
    return Mark(float(verdict.verdict == "right"), verdict.message, marked=verdict.verdict != "unknown")
