"""The process that runs a student's code, its limits, and the messages between it and the one that judges."""
