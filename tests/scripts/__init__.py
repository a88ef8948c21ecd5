"""Build of the screen's scripts and styles, `python3 -m tests.scripts`, and tests of scripts."""
