"""Material to learn with: formulas, classic mistakes, and a check of one's own code."""
