"""For views that run a visitor's own code: who may, files of code, and processes that run it."""
