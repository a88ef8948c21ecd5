"""Generate: an answer token by token, with the distribution of each token; sampling; beam search as a tree."""

from playground.ui.generate import generation_view

generation_view.show()
