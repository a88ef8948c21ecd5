"""The accessibility report is what the tests say, and what static files can hold of WCAG 2.2."""

import re

import pytest

from tests import accessibility
from tests.accessibility import ABSENT, CRITERIA, GAPS


def test_the_report_is_what_the_tests_say():
    assert accessibility.REPORT.read_text(encoding="utf-8") == accessibility.report(), (
        "run python -m tests.accessibility"
    )


def test_every_criterion_exists_and_has_a_test_or_a_sentence():
    tests = accessibility.marked()
    levels = [level for level, _ in CRITERIA.values()]
    assert (levels.count("A"), levels.count("AA")) == (31, 24)
    assert {*tests, *ABSENT, *GAPS} == {*CRITERIA}
    assert not {*tests, *GAPS} & {*ABSENT}
    assert all(accessibility.state(number, tests) for number in CRITERIA)


UI = accessibility.TESTS.parent / "playground" / "ui"


@pytest.mark.wcag("2.3.1")
def test_nothing_flashes_more_than_three_times_a_second():
    sheets = [path.read_text(encoding="utf-8") for path in UI.rglob("*.css") if "static" not in path.parts]
    repeated = re.findall(r"animation: [^;]*?([\d.]+)(m?)s[^;]*infinite", "\n".join(sheets))
    assert repeated
    assert all(float(time) / (1000 if milli else 1) > 1 / 3 for time, milli in repeated)


@pytest.mark.wcag("1.3.3", "1.4.1")
def test_no_sentence_names_a_thing_by_its_colour():
    strings = re.compile(r"""["'`][^"'`\n]*\b(?:in|the) (?:grey|red|blue|green)\b""")
    found = [
        f"{path.name}: {match[0]}"
        for path in (*UI.rglob("*.py"), *UI.rglob("*.ts"))
        for match in strings.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found
