"""What all rooms use: errors, numbers and names as text, paths, files written whole, bounded caches."""
