"""Polyominoes: pieces of unit squares that fill a board."""
