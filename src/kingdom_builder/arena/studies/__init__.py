"""Longer experiments with our own players: the ladder, the weights, what the search can predict."""
