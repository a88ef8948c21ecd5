"""Components used by several pages."""
