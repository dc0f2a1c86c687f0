"""Two tiles, one region: a set of cells that both tile, the smallest one, or a proof of none.

Google Code Jam 2018, World Finals, problem "Two-Tiling", and beyond it.
"""
