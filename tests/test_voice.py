"""Words that must not return, in code, documents and tests: see "Words" in CONTRIBUTING.md."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OLD = {
    r"\banew\b": "again",
    r"\bany more\b": "any longer, or no longer",
    r"(?<![a-z])told(?![a-z])(?! apart)": "message, sentence, sent, shown",
    r"(?<![a-z\"'])said(?![a-z\"'=])": "predicted, reported, shown",  # but `said` is a query parameter
    r"(?<![a-z\"'])places(?![a-z\"'])": "positions, indices, slots",  # but `places` is a slide in links
    r"\botherwise_\w+": "counterfactual",
    r"\bhangs? on\b": "depends on",
    r"\blays? aside\b|\blay_aside\b": "suspend",
    r"\bmeant ill\b": "hostile, malicious",
    r"\bMOST_\w+": "MAX_",
    r"\bunsay\b": "undo",
    r"\bwhence\b": "origin",
    r"\bwith the words of\b": "in",
    r"\bin passing\b": "name it",
    r"\bshall\b": "must, or the present tense",
}
"""Expressions, and what to write instead."""

TEXT = {".py", ".ts", ".css", ".md", ".toml", ".yml"}


def files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    return [ROOT / name for name in listed if Path(name).suffix in TEXT and name != "tests/test_voice.py"]


@pytest.mark.parametrize("old", OLD)
def test_an_old_expression_does_not_return(old: str):
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(old, line, re.IGNORECASE if "MOST" not in old else 0)
    ]
    assert not found, f"write: {OLD[old]}\n" + "\n".join(found)
