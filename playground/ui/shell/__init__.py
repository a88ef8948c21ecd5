"""The frame around every page: navigation, presenter view, keys, and active transfers."""
