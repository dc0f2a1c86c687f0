"""One search on several cores: the tree is cut into disjoint parts while it is searched.

The loops run without Python's global lock, so that threads are enough: nothing is copied to other
processes, nothing is started twice. The crew works in rounds: each worker takes one part for a
number of nodes; before a round, parts are cut in two until each worker has one. How a part is cut
(see :class:`~twostep.dlx_backend.kernel.Divisible`) depends on nothing but its state, so that the
rounds are the same on every machine.

A cut gives each option that is still to be tried to exactly one of the halves. So the parts cover
the tree exactly once, and the crew visits exactly as many nodes as one worker would (tested).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

from twostep.dlx_backend.costs import ROUND_NODES
from twostep.dlx_backend.kernel import COUNT_ONLY, Divisible, Kernel
from twostep.models.language.model import IntArray


def shared(kernel: Kernel, workers: int) -> Kernel:
    """The kernel, at its start, for several workers; itself if there is one, or it can't be cut."""
    if workers > 1 and isinstance(kernel, Divisible):
        return Crew.of(kernel, workers)
    return kernel


@dataclass(slots=True)
class Crew:
    """Several workers on one search; a kernel that counts, and shows no solutions.

    Attributes:
        workers: how many parts are searched at a time.
        parts: what is not done yet.
    """

    workers: int
    parts: list[Divisible]
    longest: int
    _pool: ThreadPoolExecutor
    nodes: int = 0
    updates: int = 0

    @classmethod
    def of(cls, kernel: Divisible, workers: int) -> Crew:
        """A crew for a kernel at its start."""
        return cls(workers, [kernel], kernel.longest, ThreadPoolExecutor(workers))

    @property
    def done(self) -> bool:
        """Whether the whole search space was seen."""
        return not self.parts

    def advance(self, nodes: int, wanted: int, out: IntArray) -> int:
        """Visit up to `nodes` nodes; gives how many solutions there were.

        Raises:
            ValueError: solutions are to be shown, or only some are wanted.
        """
        if len(out):
            raise ValueError("a crew counts; it doesn't show solutions")
        found = 0
        while nodes > 0 and self.parts and found < wanted:
            self._cut()
            team = self.parts[: min(self.workers, nodes)]
            share = min(ROUND_NODES, nodes // len(team))
            before = sum(part.nodes for part in team), sum(part.updates for part in team)
            jobs = [self._pool.submit(part.advance, share, wanted, COUNT_ONLY) for part in team[1:]]
            try:
                found += team[0].advance(share, wanted, COUNT_ONLY)
            finally:
                wait(jobs)  # nothing runs on unseen
            found += sum(job.result() for job in jobs)
            visited = sum(part.nodes for part in team) - before[0]
            self.nodes += visited
            self.updates += sum(part.updates for part in team) - before[1]
            nodes -= visited
            self.parts = [part for part in self.parts if not part.done]
        return found

    def _cut(self) -> None:
        """Cut parts in two until there is one for each worker, or none can be cut."""
        place = 0
        while len(self.parts) < self.workers and place < len(self.parts):
            other = self.parts[place].split()
            if other is None:
                place += 1
            else:
                self.parts.append(other)
