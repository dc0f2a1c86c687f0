"""A puzzle being played: positions, hints, and the files that hold what was placed."""
