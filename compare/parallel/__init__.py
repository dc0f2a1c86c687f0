"""Searches spread over processes and machines: disjoint parts that provably make up the whole."""

MOST_PARTS = 30_000
"""Into how many parts a search may be asked to be cut: a checkpoint of them can still be read."""
