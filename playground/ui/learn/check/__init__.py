"""The view that checks a person's own code."""
