"""What teaches: classic mistakes, and a check of a transformer that somebody has written."""
