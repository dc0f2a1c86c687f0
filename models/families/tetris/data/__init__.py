"""Data of the Tetris printer: the table of patterns, made by ``twostep tetris patterns -o``."""
