"""Shared by all rooms: errors, numbers and names as text, paths, files written whole, bounded caches."""
