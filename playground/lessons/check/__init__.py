"""Checks a part of a transformer that somebody has written, by comparing it with this project's own."""

from playground.lessons.check.checking import PARTS, CheckError, Verdict, check, check_file

__all__ = ["PARTS", "CheckError", "Verdict", "check", "check_file"]
