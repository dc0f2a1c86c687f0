"""The puzzle families, a folder each, and the list of them."""
