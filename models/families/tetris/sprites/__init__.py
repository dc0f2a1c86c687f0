"""Sprites of our own making, for examples and tests: `twostep tetris print heart out.gif`."""
