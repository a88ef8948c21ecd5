"""What each operation means, in words, in the paper's formula and, cell by cell, in its own numbers."""

from playground.explain.backward import NOTHING, RULES, Rule, backward
from playground.explain.words import EXPLANATIONS, Explanation, explain, place

__all__ = ["EXPLANATIONS", "NOTHING", "RULES", "Explanation", "Rule", "backward", "explain", "place"]
