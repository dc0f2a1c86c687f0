"""The benchmark: puzzles x engines x public peers, side by side on this machine."""
