"""What each operation means, in words, in the paper's formula and, cell by cell, in its own numbers."""

from playground.explain.backward import NOTHING, RULES, Rule, backward
from playground.explain.cells import Cell, Line, Read, Term, bind, cell
from playground.explain.declarations import DECLARATIONS, Declaration, declare
from playground.explain.words import EXPLANATIONS, Explanation, explain, place

__all__ = [
    "DECLARATIONS",
    "EXPLANATIONS",
    "NOTHING",
    "RULES",
    "Cell",
    "Declaration",
    "Explanation",
    "Line",
    "Read",
    "Rule",
    "Term",
    "backward",
    "bind",
    "cell",
    "declare",
    "explain",
    "place",
]
