"""The architecture diagram, and the current operation that it shares with the outline."""
