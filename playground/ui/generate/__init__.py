"""The Generate page: an answer token by token, and beam search as a tree."""
