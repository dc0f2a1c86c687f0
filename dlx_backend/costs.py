"""What things cost and how far attempts go: every number that an engine's decision depends on.

Costs are in ns of one core (names end in ``_NS``), in states, nodes, words or bytes, as names say.
They only choose between ways that all give the same answer: a wrong one costs time. Nothing is
timed at run time, so that the same model takes the same steps on every machine. No compiled loop
reads them: Numba's cache would not see that one was changed.

Measured means: on one core of an x86-64 virtual machine, Numba 0.68, processor time, on these
models: domino 16x16, polyomino 8x8 with I1, I2, I3 and V3 in any number, pentomino 6x10 and 5x12,
queens 12, Langford 12, maze 6x6.
"""

from __future__ import annotations

# Slices: how often a search comes back from a compiled loop.
SLICE_SECONDS = 0.03
"""How long a kernel runs before the engine looks at the clock, the watcher and Ctrl-C, s."""
OUT_NUMBERS = 1 << 16
"""Numbers in the buffer for solutions that are found in one slice; 256 KiB."""
ROUND_NODES = 2_000_000
"""Nodes that each thread of a crew visits in a round, at most: a slice of SLICE_SECONDS at
ORDER_NODE_NS. In shorter rounds more time goes by in waiting for each other."""

# What a node costs.
STATE_NS = 400.0
"""A state of the frontier, with all its steps. Measured: 81 (domino), 95 (maze), 178 (polyomino),
181 (queens), 315 (pentomino 6x10), 750 (Langford)."""
STATE_BASE_NS = 30.0
TRIED_NS = 8.0
TRIED_WORD_NS = 2.0
STEP_NS = 150.0
FAR_STEP_NS = 400.0
NEAR_STATES = 1 << 16
"""The same by what is done: a state, each option tried at it, each word of the state besides, and
each step to another state; the last is far from the processor where there is room for more than
so many states. Measured 40 (domino) to 450 (words)."""
LAYOUT_ENTRY_NS = 6000.0
RANK_ENTRY_NS = 1000.0
"""Laying out a count, and ranking its orders, for each entry of the options. Measured 0.8 (6x10) to
6.4 (maze), and 0.4 (words) to 4.6 (maze), microseconds."""
ORDER_NODE_NS = 12.0
ORDER_WORD_NS = 0.35
"""A node in a fixed order, and each word of its live options besides. Measured: 11.9 with 8 words
(domino), 15.2 with 4 (Langford), 16.0 with 31 (5x12), 17.7 with 33 (6x10)."""
FEWEST_NODE_NS = 30.0
FEWEST_WORD_NS = 1.0
FEWEST_ITEM_NS = 0.25
FEWEST_DEATH_NS = 9.0
"""A node of fewest-first, and besides each word, each needed item, and each option that dies at it.
Measured: 47 (polyomino), 60 (queens), 88 (domino), 475 (6x10) where these add up to 101, 91, 124
and 1022: an upper estimate, since the memory's caches serve a deep search better than a probe."""

# The start in plain Python.
PLAIN_NODES = 500
"""Nodes before the compiled loops are loaded. No more than the least of FEWEST_TRIAL_NODES: then
the kernel that would be chosen is known."""
PLAIN_STEPS = 100_000
"""These nodes times the needed items: about 20 ms at 0.2 microseconds a step."""
PLAIN_STEPS_IN_ALL = 2_000_000
"""Steps of all such starts in one process: about what loading the compiled loops takes."""
PLAIN_ENTRIES = 20_000
"""Entries of a problem up to which a start in plain Python is made: setting up takes some 10 ms."""

# Trials before a kernel is chosen.
FEWEST_TRIAL_WORDS = 1 << 15
FEWEST_TRIAL_NODES = 500, 4000
"""Fewest-first is tried on so many nodes, times the words of a set of options, in these bounds."""
TRIAL_NUMBERS = 1 << 13
"""Numbers that the trial may take to keep its solutions; 32 KiB."""
SUGGESTED_TRIAL_NODES = 1 << 19
"""Nodes of the trial of a suggested order: 8 ms at 16 ns each, about what probes would take."""
LINKS_TRIAL_NODES = 30_000
LINKS_TRIAL_UPDATES = 5_000_000
"""How far the links go to see whether they are through at once: 14 ms at 2.8 ns an update."""

# Probes: random walks, and what they decide.
PROBE_FROM_NS = 3e6
"""An expected cost of fewest-first below which no fixed order is looked for."""
SWEEP_FROM_NS = 5e7
"""An expected cost from which on orders that sweep the items are probed, too."""
FULL_EFFORT_NS = 2e8
"""An expected cost from which on all PROBED_ORDERS are probed with all walks; before, a share."""
FEWEST_WALK_WORDS = 1_000_000
"""Words that the walks of fewest-first may look at, for each level."""
ORDER_WALKS = 3000
BEST_ORDER_WALKS = 10_000
"""Walks for each order, and again for the best."""
ORDER_WALK_WORDS = 200_000_000
"""Words that the walks of one order may look at, all together, if each goes through all levels:
70 ms at ORDER_WORD_NS."""
PROBED_ORDERS = 6
"""How many orders are probed, those with the narrowest frontiers."""
ORDER_CAUTION = 1.5
"""How much cheaper a fixed order must look: its estimates are the less certain ones."""
GUARD_TRUST = 50
GUARD_NODES = 1 << 20
"""A fixed order is given up if it has found nothing in GUARD_TRUST times the nodes expected, or in
what fewest-first is expected to take, but not before GUARD_NODES."""
TABLE_OPTIONS = 1 << 14
"""Beyond so many options the table of compatible options (n * n / 8 bytes, here 32 MiB) is not
worth it."""
COPIES_BYTES = 1 << 28
"""What the copies at all levels of a bitset kernel may take."""

# The race of a count.
MEMORY_SHARE = 0.15
"""What remembering may spend, as a share of what visiting costs: a fifth, less what prices err."""
FREE_NS = 5e6
"""What remembering may spend in any case."""
FREE_WALKS = 20
MOST_WALKED = 2000
"""Walks that estimate the solutions where nothing must be covered, and the options up to which:
20 ms."""
TRIAL_SHARE = 0.3
"""What trials of orders may spend of that."""
SURE_PRICE = 0.5
"""Of what a node is estimated to cost, it costs at least this part (see above)."""
SUPER_NARROW = 0.02
"""A bound on the states that costs less than this part of visiting: no better way to visit is
looked for before."""
TURN_NS = 5e6
TURN_STATES = 16
"""The least that visiting goes on for in a turn; the least states that are taken at a time."""
QUICK_NS = 3e7
"""What visiting surely costs, below which no orders of states are looked for before it."""
TRY_ORDERS_NS = 3e8
"""What both cost from which on the frontier's orders are tried on some states each."""
LOOK_FURTHER_NS = 1e9
"""What visiting surely costs, from which on further orders of the frontier are sought."""

# A count beside a search for solutions.
VISIT_NS = 15.0
UPDATE_NS = 3.0
"""A node of the links, and each link taken out and put back besides: measured 29 (maze) to 832
(6x10) a node, 2.8 a link. Also used of other kernels, where an update costs 0.35 (a word) to 9
(an option that dies)."""
BESIDE_FROM_NODES = 1 << 14
BESIDE_FROM_NS = 2e7
"""From when on a search is joined by a count: 20 ms."""
BESIDE_SHARE = 0.25
BESIDE_SHARE_LATER = 0.1
"""What the count may spend, as a share of what the search has; after two solutions were found."""
NEVER = 1 << 62
"""As a number of nodes: no search has that many."""
BESIDE_STATES = 10_000
"""States between two looks at the clock."""
BESIDE_BYTES = 1 << 28
"""What the states of such a count may take."""
BESIDE_SOLUTIONS = 1000
"""Only where no more solutions are asked for are they drawn from a diagram: it is slower where
there are many."""

# Orders of items.
GREEDY_STEPS = 100_000_000
"""Up to so many items x entries an order is worked out step by step."""
SWEEP_PAIRS = 20_000_000
"""Up to so many pairs of items in one option, and of items, sweeps are worked out."""
LIKENESS = 0.65
"""Neighbours are so much as alike as the most alike. On pentomino boards, cells that touch come
to 0.72 and more, all others to 0.56 and less."""
SWEEP_CORNERS = 5
"""From how many corners, those with the fewest neighbours, it is swept; a board has four."""

# The layout of the frontier.
SEEK_ORDERS_STATES = 75_000.0
"""A bound on the states from which on further orders, and branches, are sought: 30 ms of states."""
CLEARLY_BETTER = 2.0
"""So many times better than the best order at hand must another be: bounds are rough."""
MOST_BITS = 200.0
"""No bound on states, as a logarithm (base 2), is taken for higher than this."""
TRIED_ORDERS = 6
TRIAL_STATES = 20_000
LONGER_TRIAL_STATES = 80_000
"""Orders tried; states of each in its trial; further states of the best two."""
DIAGRAM_TRIAL_STATES = 1 << 14
"""A bound on the states of a diagram from which on orders are tried."""

# Branches (in states).
PAIR_STATES = 0.05
"""What it costs to combine two states."""
FORK_STATES = 256.0
"""What it costs to count a branch by itself."""
TRY_STATES = 2e4
"""What it costs to look at one more order."""
FRUITLESS_TRIES = 5
"""So many orders without a gain are enough."""
FRONTIER_STARTS = 8
"""From how many items a frontier is moved on."""
BRANCH_ITEMS = 4000
"""Beyond so many items no branches are looked for."""
WIDEST_BITS = 300.0
"""A width of the frontier, in bits, that nothing gets through."""

# The frontier.
LOOKAHEAD_STAGES = 12
"""How many stages are looked ahead: 4096 patterns for each stage."""
BARREN_FROM_STATES = 1 << 16
BARREN_SHARE = 0.25
"""After so many states the search looks ahead, if this share of them had nothing to lead to."""
STATES_BYTES = 1 << 31
"""For the states, where no limit of memory is given."""
MOST_STATES = 1 << 30
"""Upper bound on stored states; entry indices are int32."""

# The proof of a certificate.
PROOF_FIRST_STATES = 1_000
PROOF_GROWTH = 10
"""States of each rule's first turn, and how much longer each turn is than the one before."""
PROOF_TRUST_SUGGESTED = 10
PROOF_TRUST_OURS = 5
"""How many times more states an order that the model suggests, or one of ours, gets than the other
rules."""
PROOF_RACE_STATES = 20_000
PROOF_RACERS = 6
"""Of so many orders the one is kept that gets deepest within these states."""
PROOF_RACE_ENTRIES = 500_000
"""In larger models setting up takes longer than a race saves: the narrowest order is taken."""
PROOF_BLOCK = 1024
"""How many states are followed between two looks at the clock."""
PROOF_PULSE_SECONDS = 0.05
"""How often the watcher of a proof is called, s."""
PROOF_STATE_BYTES = 250
"""What a waiting state takes beside its marks, roughly."""

# Estimates.
ESTIMATE_WALKS = 2000
ESTIMATE_BATCH = 250
"""Random walks of an estimate, and how many of them go on at once."""
