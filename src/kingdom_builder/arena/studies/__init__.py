"""Longer experiments with our own players: the ladder, the weights, and what the search can predict."""
