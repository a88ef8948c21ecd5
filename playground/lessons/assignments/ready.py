"""Assignments that a lecturer can give as they are, or change first."""

from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.head_part import HeadPart
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.lengths_part import LengthsPart
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.pitfall_part import PitfallPart
from playground.lessons.assignments.kinds.ranking_part import RankingPart
from playground.lessons.lesson import lessons

PERSONAL = {
    "attention": (1, 2, 3, 4, 6),
    "shapes": (0, 1, 3, 4),
    "heads": (0, 1, 3, 4),
    "masks": (0, 4, 5),
    "positions": (0, 1, 2, 3),
    "residual-and-norm": (0, 1),
    "feed-forward": (0, 3, 4, 5),
    "encoder-decoder": (0, 1, 2, 3),
    "training-step": (0, 1, 4, 5, 6),
    "dropout": (0, 1, 3, 4),
    "cost": (0, 1, 2, 3),
    "today": (1, 5),
    "exercises": (0, 1, 2, 3),
}
"""Blocks of each lesson whose question has another answer for another student."""

READY: dict[str, Assignment] = {
    **{
        name: Assignment(
            title=lessons()[name].title,
            parts=tuple(LessonPart(lesson=name, block=block, points=5) for block in blocks),
        )
        for name, blocks in PERSONAL.items()
    },
    "pitfalls": Assignment(title="Pitfalls: name the mistake", parts=(PitfallPart(),) * 3),
    "hunt": Assignment(title="Bug hunt", parts=(HuntPart(points=20),)),
    "homework": Assignment(
        title="Homework: heads and lengths",
        about="Train your own models. The first adds two numbers, the second tells whether its input is sorted.",
        parts=(RankingPart(points=20), LengthsPart(points=20), HeadPart(find="role")),
    ),
}
"""By name: the lessons in their order, the pitfalls, the hunt, and a course's homework."""
