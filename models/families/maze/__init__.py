"""Mazes: perfect mazes and Pac-Man boards, made, checked, drawn, and modelled as exact covers.

Start at :class:`twostep.models.families.maze.generator.MazeGenerator`.
"""
