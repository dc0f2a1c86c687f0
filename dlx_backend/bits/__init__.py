"""Searches that visit every solution, on bitsets of options: simple problems of moderate size."""
