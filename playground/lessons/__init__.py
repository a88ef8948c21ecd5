"""Material to learn with: classic mistakes, and a check of one's own code."""
