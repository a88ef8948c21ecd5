"""Runs somebody's own code as they say: builds and calls it by expressions, and traces it in a process of its own."""
