"""The meaning of each operation: a document for each tap, with formula, paper, cell, backward rule and finding."""

from playground.explain.cells import Cell, Line, ReadRegion, Term, bind, cell
from playground.explain.declaration import Declaration
from playground.explain.document import NOTHING, PROJECT, Citation, Rule, TapDocument, no_gradient
from playground.explain.taps import TAPS, dims, explain
from playground.explain.words import tap_path

__all__ = [
    "NOTHING",
    "PROJECT",
    "TAPS",
    "Cell",
    "Citation",
    "Declaration",
    "Line",
    "ReadRegion",
    "Rule",
    "TapDocument",
    "Term",
    "bind",
    "cell",
    "dims",
    "explain",
    "no_gradient",
    "tap_path",
]
