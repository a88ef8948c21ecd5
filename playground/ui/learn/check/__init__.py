"""The view that checks the visitor's own code."""
