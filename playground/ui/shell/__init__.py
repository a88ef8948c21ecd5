"""The frame around every page: navigation, the presenter view, keys, and transfers under way."""
