"""Judges a part of a transformer that somebody has written, by the formulas applied to its own numbers.

`checking` is the way in, and `__main__` judges a file that `process.code_process` runs with limits. `code` opens what
is checked as a function of named arguments, `graph` finds attention, norms and sums in a recorded pass, and `judges`
has a judge for each part.
"""
