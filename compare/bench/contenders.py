"""Who takes part: Twostep's own ways of searching, and public packages that are installed.

Each peer is called in the way that costs it least: its solutions are visited, not turned into
anything. What a peer needs to be set up (its own data structures; compilation) is measured apart,
except where its one call does all at once. Peers get the model prepared: chosen options applied,
items and options renumbered. So preparing it is set-up for Twostep's own enumeration too, and the
search is everything after it, the choice of a kernel and its tables included; of its other ways
the search is everything, from the model on.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from twostep.models.errors import UnsupportedFeature
from twostep.models.language.model import Model
from twostep.models.search.delivery import Delivery
from twostep.models.search.engine import NO_LIMITS


@dataclass(frozen=True, slots=True)
class Counted:
    """What a contender says.

    Attributes:
        count: the number of solutions.
        seconds: what its search took.
        setup: what it took to make its own data structures of the model, s; 0: part of the search.
    """

    count: int
    seconds: float
    setup: float = 0.0


@dataclass(frozen=True, slots=True)
class Given:
    """What a peer gets: the model with its chosen options applied, as our own kernels get it.

    Attributes:
        n_items, n_primary: the items; the primary ones, to be covered once, come first.
        options: pairs of an item and a colour (0: none).
    """

    n_items: int
    n_primary: int
    options: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def coloured(self) -> bool:
        """Whether any item has a colour."""
        return any(colour for option in self.options for _, colour in option)

    @classmethod
    def of(cls, model: Model) -> Given:
        """What is left to solve of a model."""
        from twostep.dlx_backend.problem import prepare

        problem = prepare(model)
        if not problem.is_plain:
            raise UnsupportedFeature("the peers are called with items to be covered once only")
        entries = list(zip(problem.items.tolist(), problem.colours.tolist(), strict=True))
        starts = problem.starts.tolist()
        return cls(
            problem.n_items,
            problem.n_primary,
            tuple(tuple(entries[start:end]) for start, end in pairwise(starts)),
        )


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to answer.

    Attributes:
        package: what must be installed.
        what: a line for the legend.
        load: called once before anything is measured.
        run: answers for one model.
    """

    package: str
    what: str
    load: Callable[[], object]
    run: Callable[[Model], Counted]

    @property
    def installed(self) -> bool:
        """Whether its package is there."""
        return importlib.util.find_spec(self.package) is not None


def _importing(package: str) -> Callable[[], object]:
    return partial(importlib.import_module, package)


def _load_dlx() -> None:
    from twostep.dlx_backend import DlxEngine, links, orders
    from twostep.dlx_backend.bits import fewest, inorder, probe
    from twostep.dlx_backend.states import frontier
    from twostep.models.families.registry import named_puzzle

    _ = fewest, frontier, inorder, links, orders, probe  # loaded: that is all
    tiny = named_puzzle("domino:2x2").model
    DlxEngine().search(tiny)
    DlxEngine().count(tiny)


def _enumerated(model: Model, workers: int) -> Counted:
    from twostep.dlx_backend.engine import enumerate_into
    from twostep.dlx_backend.problem import prepare

    start = time.perf_counter()
    problem = prepare(model)
    began = time.perf_counter()
    delivery = Delivery(model, NO_LIMITS, None, None)
    enumerate_into(delivery, problem, workers=workers)
    return Counted(delivery.found, time.perf_counter() - began, began - start)


def _count(model: Model) -> Counted:
    from twostep.dlx_backend import DlxEngine

    result = DlxEngine().count(model)
    return Counted(result.found, result.seconds)


def _links(model: Model) -> Counted:
    from twostep.dlx_backend.links import Links
    from twostep.dlx_backend.problem import prepare

    began = time.perf_counter()
    kernel = Links.of(prepare(model))
    found = kernel.advance(1 << 62, 1 << 62, np.empty(0, dtype=np.int32))
    return Counted(found, time.perf_counter() - began)


def _load_cpsat() -> None:
    from twostep.cpsat_backend import CpsatEngine
    from twostep.models.families.registry import named_puzzle

    CpsatEngine().search(named_puzzle("domino:2x2").model)


def _cpsat(model: Model) -> Counted:
    from twostep.cpsat_backend import CpsatEngine

    result = CpsatEngine().search(model)
    return Counted(result.found, result.seconds)


def _miniexact(model: Model) -> Counted:
    import miniexact

    given = Given.of(model)
    start = time.perf_counter()
    plain = given.n_primary == given.n_items
    solver: Any = miniexact.miniexacts_x() if plain else miniexact.miniexacts_c()
    handles = [
        solver.primary(f"i{item}") if item < given.n_primary else solver.secondary(f"i{item}")
        for item in range(given.n_items)
    ]
    for option in given.options:
        for item, colour in option:
            if colour:
                solver.add(handles[item], solver.color(f"c{colour}"))
            else:
                solver.add(handles[item])
        solver.add(0)
    began = time.perf_counter()
    count = 0
    while solver.solve() == 10:  # 10: another solution; 20: no more
        count += 1
    return Counted(count, time.perf_counter() - began, began - start)


def _load_xcover() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Numba says of its loops is for its makers
        import xcover

        # Compile everything it may need.
        list(xcover.covers([["a", "b"], ["a"], ["b"]]))
        list(xcover.covers([["a", "b:x"], ["a"]], secondary=["b"], colored=True))


def _xcover(model: Model) -> Counted:
    import xcover

    given = Given.of(model)
    start = time.perf_counter()
    options = [
        [f"i{item}:c{colour}" if colour else f"i{item}" for item, colour in option]
        for option in given.options
    ]
    names = [f"i{item}" for item in range(given.n_items)]
    primary, secondary = names[: given.n_primary], names[given.n_primary :]
    coloured = given.coloured
    began = time.perf_counter()
    found = xcover.covers(options, primary=primary, secondary=secondary, colored=coloured)
    count = sum(1 for _ in found)
    return Counted(count, time.perf_counter() - began, began - start)


def _pyxcc(model: Model) -> Counted:
    # Its type stubs don't say what it does.
    pyxcc: Any = importlib.import_module("pyxcc")

    given = Given.of(model)
    start = time.perf_counter()
    names = [f"i{item}" for item in range(given.n_items)]
    options = [
        pyxcc.Option(
            str(number),
            [names[item] for item, _ in option if item < given.n_primary],
            [
                (names[item], f"c{colour}" if colour else "")
                for item, colour in option
                if item >= given.n_primary
            ],
        )
        for number, option in enumerate(given.options)
    ]
    problem = pyxcc.Problem(names[: given.n_primary], names[given.n_primary :], options)
    began = time.perf_counter()
    count = pyxcc.solve(problem, True).count()
    return Counted(count, time.perf_counter() - began, began - start)


def _exact_cover(model: Model) -> Counted:
    import exact_cover

    given = Given.of(model)
    start = time.perf_counter()
    if given.n_primary < given.n_items:
        raise UnsupportedFeature("exact-cover has no secondary items")
    matrix = np.zeros((len(given.options), given.n_items), dtype=np.int32)
    for row, option in enumerate(given.options):
        matrix[row, [item for item, _ in option]] = 1
    began = time.perf_counter()
    count = int(exact_cover.get_solution_count(matrix))
    return Counted(count, time.perf_counter() - began, began - start)


CONTENDERS: dict[str, Contender] = {
    "twostep": Contender(
        "numba",
        "dlx, every solution visited, kernel chosen by itself",
        _load_dlx,
        partial(_enumerated, workers=1),
    ),
    "twostep-2": Contender(
        "numba", "dlx, the same with two threads", _load_dlx, partial(_enumerated, workers=2)
    ),
    "twostep-count": Contender(
        "numba", "dlx, counted: memory and symmetry where they help", _load_dlx, _count
    ),
    "twostep-links": Contender("numba", "dlx, the links alone", _load_dlx, _links),
    "cpsat": Contender("ortools", "CP-SAT, every solution enumerated", _load_cpsat, _cpsat),
    "miniexact": Contender(
        "miniexact", "C, algorithms X and C of Knuth", _importing("miniexact"), _miniexact
    ),
    "xcover": Contender("xcover", "Numba, dancing cells", _load_xcover, _xcover),
    "pyxcc": Contender("pyxcc", "Rust, exact covering with colours", _importing("pyxcc"), _pyxcc),
    "exact-cover": Contender(
        "exact_cover", "C, algorithm X", _importing("exact_cover"), _exact_cover
    ),
}
"""Name -> contender."""
