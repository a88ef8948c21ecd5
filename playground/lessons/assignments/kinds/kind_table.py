"""The table of all kinds of parts. A new kind is one file and one row."""

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.assignments.kinds.head_part import HeadPart
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.lengths_part import LengthsPart
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.part import BasePart
from playground.lessons.assignments.kinds.pitfall_part import PitfallPart
from playground.lessons.assignments.kinds.ranking_part import RankingPart
from playground.lessons.assignments.kinds.train_part import TrainPart

KINDS: dict[str, type[BasePart]] = {
    "lesson": LessonPart,
    "pitfall": PitfallPart,
    "hunt": HuntPart,
    "head": HeadPart,
    "train": TrainPart,
    "ranking": RankingPart,
    "lengths": LengthsPart,
    "code": CodePart,
}
"""By the name that links have, in the order in which a lecturer meets them."""

if TYPE_CHECKING:
    Part = BasePart
else:
    Part = Annotated[Union[*KINDS.values()], Field(discriminator="kind")]
