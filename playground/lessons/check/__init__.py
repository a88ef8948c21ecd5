"""Checks a part of a transformer that somebody has written, by comparing it with this project's own.

`checking` is the way in. A file runs in `process.code_process`, with `process.confinement`; `__main__` judges what it
computes.
"""
