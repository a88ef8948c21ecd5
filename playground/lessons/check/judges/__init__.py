"""One judge for each part: which known mistake its graph or its own numbers show."""
