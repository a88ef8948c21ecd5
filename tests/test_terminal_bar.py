"""Progress of long commands where standard error is no terminal: plain lines, and none for what ends soon."""

import threading

import pytest

from playground.cli import terminal_bar
from playground.cli.commands import progress
from tests.helpers import until


class Printed:
    """What has been printed to standard error so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys, self.text = capsys, ""

    def lines(self) -> list[str]:
        self.text += self.capsys.readouterr().err
        return self.text.splitlines()


def test_lines_repeat_what_was_reported_until_the_end(monkeypatch, capsys):
    monkeypatch.setattr(terminal_bar, "LINE_SECONDS", 0.001)
    printed = Printed(capsys)
    with progress() as report:
        report("Export html", None)
        until(lambda: any(line.startswith("Export html 0:00:0") for line in printed.lines()))
        report("3 of 12", 0.25)
        until(lambda: sum(line.startswith("3 of 12 25% 0:00:0") for line in printed.lines()) > 2)
    count = len(printed.lines())
    assert not any("_print_lines" in str(thread) for thread in threading.enumerate())
    assert len(printed.lines()) == count
    assert "\x1b" not in printed.text
    assert "\r" not in printed.text


def test_what_ends_soon_prints_nothing(capsys):
    assert terminal_bar.LINE_SECONDS == 10
    with progress() as report:
        report("3 of 12", 0.25)
    with pytest.raises(KeyError), progress() as report:
        raise KeyError
    assert capsys.readouterr() == ("", "")
