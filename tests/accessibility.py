"""Writes .github/ACCESSIBILITY.md from the tests: `python -m tests.accessibility`.

A test that holds a success criterion of WCAG 2.2 names it: `@pytest.mark.wcag("2.4.2")`. What no test holds stands in
`GAPS`, and what the app has nothing of in `ABSENT`.
"""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
REPORT = TESTS.parent / ".github" / "ACCESSIBILITY.md"

CRITERIA = {
    number: (level, name)
    for number, level, name in (
        line.split(maxsplit=2)
        for line in """
1.1.1 A Non-text Content
1.2.1 A Audio-only and Video-only (Prerecorded)
1.2.2 A Captions (Prerecorded)
1.2.3 A Audio Description or Media Alternative (Prerecorded)
1.2.4 AA Captions (Live)
1.2.5 AA Audio Description (Prerecorded)
1.3.1 A Info and Relationships
1.3.2 A Meaningful Sequence
1.3.3 A Sensory Characteristics
1.3.4 AA Orientation
1.3.5 AA Identify Input Purpose
1.4.1 A Use of Color
1.4.2 A Audio Control
1.4.3 AA Contrast (Minimum)
1.4.4 AA Resize Text
1.4.5 AA Images of Text
1.4.10 AA Reflow
1.4.11 AA Non-text Contrast
1.4.12 AA Text Spacing
1.4.13 AA Content on Hover or Focus
2.1.1 A Keyboard
2.1.2 A No Keyboard Trap
2.1.4 A Character Key Shortcuts
2.2.1 A Timing Adjustable
2.2.2 A Pause, Stop, Hide
2.3.1 A Three Flashes or Below Threshold
2.4.1 A Bypass Blocks
2.4.2 A Page Titled
2.4.3 A Focus Order
2.4.4 A Link Purpose (In Context)
2.4.5 AA Multiple Ways
2.4.6 AA Headings and Labels
2.4.7 AA Focus Visible
2.4.11 AA Focus Not Obscured (Minimum)
2.5.1 A Pointer Gestures
2.5.2 A Pointer Cancellation
2.5.3 A Label in Name
2.5.4 A Motion Actuation
2.5.7 AA Dragging Movements
2.5.8 AA Target Size (Minimum)
3.1.1 A Language of Page
3.1.2 AA Language of Parts
3.2.1 A On Focus
3.2.2 A On Input
3.2.3 AA Consistent Navigation
3.2.4 AA Consistent Identification
3.2.6 A Consistent Help
3.3.1 A Error Identification
3.3.2 A Labels or Instructions
3.3.3 AA Error Suggestion
3.3.4 AA Error Prevention (Legal, Financial, Data)
3.3.7 A Redundant Entry
3.3.8 AA Accessible Authentication (Minimum)
4.1.2 A Name, Role, Value
4.1.3 AA Status Messages
""".strip().splitlines()
    )
}
"""Level and name of each success criterion of WCAG 2.2 at the levels A and AA."""

ABSENT = {
    **dict.fromkeys(("1.2.1", "1.2.2", "1.2.3", "1.2.4", "1.2.5", "1.4.2"), "The app has neither sound nor video."),
    "1.3.5": "No field asks for data about a person.",
    "2.5.4": "Nothing reacts to the motion of a device.",
    "3.1.2": "All text of the app is English.",
}
"""Criteria that have nothing to apply to, and why."""

GAPS = {
    **dict.fromkeys(
        ("1.3.2", "2.4.3"),
        "Where a phone shows parts in another order than a laptop, Tab and screen readers follow only in browsers that "
        "know the CSS property `reading-flow`.",
    ),
    "1.4.5": "Numbers and labels in heatmaps and charts are pictures of text. Tables have the heatmaps' numbers.",
    "1.4.11": "The contrast of borders and icons is not measured. Text fields differ from the page by less than 3:1.",
    "2.2.1": "Short messages, such as the one about a text that is too long, disappear after 8 seconds.",
    "2.5.7": "A chart is zoomed by dragging or by keys, but not by clicks alone.",
}
"""What is known to be missing or untested, in a sentence."""

HEAD = """# Accessibility

Written by `python -m tests.accessibility` from the tests and from the lists in `tests/accessibility.py`.
A test fails if it is out of date.

This report covers the success criteria of [WCAG 2.2](https://www.w3.org/TR/WCAG22/) at the levels A and AA.
It is a self-assessment by automatic tests. What no test looks at, none can find. There has been neither an audit by
people with disabilities nor a test with a screen reader.

- **holds**: the tests named in the row check it.
- **in part**: the tests check it, except for the known gap.
- **gap**: no test checks it, or it is known not to hold.
- **does not apply**: the app has nothing of the kind.

"""


def marked() -> dict[str, list[str]]:
    """Tests by the criteria that they name, in the order of files and lines."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.wcag(" not in text:
            continue
        for test in ast.parse(text).body:
            for mark in getattr(test, "decorator_list", ()):
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.wcag":
                    for criterion in mark.args:
                        name = f"{path.relative_to(TESTS.parent).as_posix()}::{test.name}"
                        found.setdefault(ast.literal_eval(criterion), []).append(name)
    return found


def state(number: str, tests: dict[str, list[str]]) -> str:
    """Whether a criterion "holds", "in part", is a "gap" or "does not apply"; "" if nothing is known about it."""
    if number in ABSENT:
        return "does not apply"
    if number in GAPS:
        return "in part" if number in tests else "gap"
    return "holds" if number in tests else ""


def report() -> str:
    """The whole file."""
    tests = marked()
    rows = []
    for number, (level, name) in CRITERIA.items():
        about = [ABSENT.get(number, ""), GAPS.get(number, ""), *(f"`{test}`" for test in tests.get(number, []))]
        rows.append(f"| {number} {name} | {level} | {state(number, tests)} | {'<br>'.join(filter(None, about))} |")
    states = [state(number, tests) for number in CRITERIA]
    counts = ", ".join(f"{states.count(each)} {each}" for each in ("holds", "in part", "gap", "does not apply"))
    table = ["| criterion | level | state | tests and gaps |", "|---|---|---|---|", *rows]
    return f"{HEAD}Of {len(CRITERIA)} criteria: {counts}.\n\n" + "\n".join(table) + "\n"


if __name__ == "__main__":
    REPORT.write_text(report(), encoding="utf-8")
