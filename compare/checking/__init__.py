"""Checks of many puzzles at once: what is checked, the rules, the engines' tallies, reports."""
