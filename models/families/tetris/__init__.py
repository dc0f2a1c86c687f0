"""Printing pictures with Tetris: a sprite in, a playable list of tetrominoes out.

Rows count upwards from the floor, columns from the left. A picture is printed row by row, from
below: a block of tetrominoes is packed over the new row, its own rows become complete and
vanish, and what its pieces put into the new row stays.
"""
