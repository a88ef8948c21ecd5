"""Writes the exact versions that are installed, from the ranges in pyproject.toml: `python -m tests.lock [--upgrade]`.

Versions that are already written stay, unless `--upgrade` or `--upgrade-package NAME` is given. Three files:
`requirements.txt` has the app, in any build of torch. `.github/requirements.txt` (the image and the tests) and
`tests/requirements.txt` (what the tests need beside it) have hashes, for `pip install --no-deps`. Torch isn't in these
two: builds for other hardware have other hashes and bring libraries of their own.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
APP, HASHED_APP, TESTS = (ROOT / folder / "requirements.txt" for folder in (".", ".github", "tests"))
OF_TORCH = re.compile(r"torch|triton|(nvidia|cuda)-.+")
"""Torch, and what only its CUDA build needs, whose versions that build fixes."""


def names(lock: str) -> list[str]:
    """Names of the packages in a file of exact versions."""
    return re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)


def compile_lock(out: Path, wanted: list[str], left_out: list[str]) -> None:
    """Writes one file for all platforms, without some packages."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--universal", "--python-version=3.11"]
    command += ["--quiet", "--no-header", "--no-annotate", f"--output-file={out.relative_to(ROOT)}", *sys.argv[1:]]
    command += [word for name in left_out for word in ("--no-emit-package", name)]
    subprocess.run(command + wanted, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    text = out.read_text(encoding="utf-8")
    out.write_text(
        "# Written by `python -m tests.lock` from pyproject.toml.\n" + text[re.search("^[^#]", text, re.M).start() :],
        encoding="utf-8",
    )


def main() -> None:
    """Writes the three files."""
    app, hashed = ["--extra=app"], ["--generate-hashes"]
    compile_lock(APP, app, [])
    of_torch = [*filter(OF_TORCH.fullmatch, names(APP.read_text()))]
    compile_lock(APP, app, [name for name in of_torch if name != "torch"])
    compile_lock(HASHED_APP, app + hashed, of_torch)
    tests = ["--extra=cluster", "--extra=notebook", "--extra=onnx", "--extra=transformers", "--group=tests"]
    constrained = ["-c", "requirements.txt", *hashed]
    compile_lock(TESTS, app + tests + constrained, [*of_torch, *names(HASHED_APP.read_text())])


if __name__ == "__main__":
    main()
