"""How one number of a pass was computed."""
