"""Runs a learner's tests on right modules and on modules with known mistakes, and tells which ones they catch.

`examining` is the way in. A file runs in `tests_process`; `__main__` asks it for one test after another.
"""
