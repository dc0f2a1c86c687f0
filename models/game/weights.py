"""What the generator likes, and what makes a level hard: all the numbers, in one place.

An outline's score is the sum of the terms below; the best of :data:`OUTLINES` outlines is kept.
Difficulty is a sum too; levels are put in its order, and a grade is a tenth of its range.
"""

from __future__ import annotations

OUTLINES = 24
"""Outlines laid for each level."""

CANDIDATES = 5
"""Of those, how many of the best have their answers counted."""

LOOKS = 24
"""How many places are looked at for each piece that is laid; the one with most contact is taken."""

LOOKS_SPREAD = 3
"""One outline in this many is laid without comparing places: odder outlines, for variety."""

COMPACT = 10.0
"""Times the share of its bounding box that the outline fills, plus as much for a short edge."""

SQUARE = 3.0
"""Times the bounding box's shorter side over its longer one."""

HOLE = -6.0
"""For each region of blocked cells that the outline encloses."""

SYMMETRY = 2.0
"""For each way to turn or mirror the outline onto itself, besides leaving it."""

ANSWERS_EARLY = 1.5
"""Times log2 of the number of answers, on the first levels: more answers, easier to find one."""

ANSWERS_LATE = -1.5
"""The same on the levels after those: one answer is best."""

EARLY_SHARE = 0.1
"""Which share of a pack counts as its first levels."""

ANSWERS_COUNTED = 200
"""Answers counted at most; levels with as many score alike, and no locks are sought for them."""

PROVEN_ANSWERS = 20
"""Answers of a finished level that every engine lists at most, for its file."""

NODES = 400_000
"""Search nodes for counting one outline's answers; an outline that needs more is dropped."""

LOCKED_SHARE = 0.2
"""Without ``--lock``, the share of levels that start with locked pieces, one or two of them."""

MOST_LOCKS = 2
"""More pieces than this are never locked."""

PIECE_HARDNESS = 1.0
"""Difficulty for each piece that is not locked."""

NODES_HARDNESS = 0.6
"""Difficulty for each doubling of the search nodes needed to see all answers."""

ANSWERS_HARDNESS = -0.5
"""Difficulty for each doubling of the number of answers."""

ODDNESS_HARDNESS = 4.0
"""Times one minus the share of its bounding box that the outline fills."""

GRADES = (3.0, 24.0)
"""The difficulty of the easiest and of the hardest level that grades 1 to 10 are spread over."""

FULL_PACK = 150
"""From so many levels on, a pack that goes up to twelve pieces ends with the 6x10 rectangle;
unless its levels must be unique or have locked pieces (that one has 9356 answers, and none)."""

TRIES = 60
"""How often a level is begun anew before the generator gives up on its demands."""
