"""The Learn page: lessons, formulas, pitfalls, bug hunt, and a check of the visitor's code."""
