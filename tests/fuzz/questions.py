"""Every question, with flags in combination, about random puzzles: judged by brute force.

``python tests/fuzz/questions.py --seconds 600`` asks until the time is over and logs what was
asked; each case has a seed, and the same seed asks the same again. A case is a puzzle (a small
one of any family, or a random model in a file) and a question (a verb with flags); the oracle
lists the model's solutions by trying all subsets of options.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "tests") not in sys.path:
    sys.path[:0] = [str(ROOT / ".types"), str(ROOT / "tests")]

from fuzz.drawn import drawn  # noqa: E402
from helpers.oracle import all_solutions  # noqa: E402

from twostep.compare.command import run  # noqa: E402
from twostep.models.families.puzzle import Puzzle  # noqa: E402
from twostep.models.language.model import Solution  # noqa: E402
from twostep.models.reading.formats import json_model  # noqa: E402
from twostep.models.reading.load import load_puzzle  # noqa: E402

MOST_SOLUTIONS = 300
"""Puzzles with more are not asked about: some questions list them all."""


@dataclass(frozen=True)
class Case:
    """A puzzle as it is typed, and all its solutions.

    Attributes:
        name: a family's name, or a model file.
        puzzle: what is read from it.
        solutions: by brute force, sorted.
        folder: for the files of a question.
        rng: for its flags.
    """

    name: str
    puzzle: Puzzle
    solutions: list[Solution]
    folder: Path
    rng: Random

    @property
    def classes(self) -> int:
        """How many solutions differ under the symmetries that keep what is chosen."""
        model = self.puzzle.model
        group = [tuple(range(model.n_options))]
        if model.symmetries is not None:
            chosen = set(model.chosen)
            images = [tuple(row) for row in model.symmetries.tolist()]
            group = [image for image in images if {image[o] for o in chosen} == chosen]
        return len({min(sorted(g[o] for o in s) for g in group).__repr__() for s in self.solutions})


# --- puzzles ---------------------------------------------------------------------------------


def _polyomino(rng: Random) -> str:
    rows, columns = rng.randint(2, 4), rng.randint(2, 4)
    pieces = rng.sample(
        ("I1", "I2", "I3", "V3", "L4", "S4", "O4", "T4", "P", "U"), rng.randint(1, 3)
    )
    copies = [rng.choice(("", "=2", "=any", "=0-2", "-one-sided", "-fixed=any")) for _ in pieces]
    empty = rng.choice(("", "", ":empty=1", ":empty=any"))
    return f"polyomino:{rows}x{columns}:" + ",".join(map(str.__add__, pieces, copies)) + empty


def _dominosa(rng: Random) -> str:
    n = rng.randint(1, 3)
    dominoes = itertools.combinations_with_replacement(range(n + 1), 2)
    numbers = [str(number) for domino in dominoes for number in domino]
    rng.shuffle(numbers)
    rows = ("".join(numbers[i : i + n + 2]) for i in range(0, len(numbers), n + 2))
    return "dominosa:" + "/".join(rows)


def _sudoku(rng: Random) -> str:
    grid = ["1234", "3412", "2143", "4321"]
    return "sudoku:" + "".join(c if rng.random() < 0.45 else "." for row in grid for c in row)


PUZZLES: dict[str, Callable[[Random], str]] = {
    "queens": lambda rng: f"queens:{rng.randint(1, 6)}",
    "langford": lambda rng: f"langford:{rng.randint(2, 5)}",
    "domino": lambda rng: f"domino:{rng.randint(1, 4)}x{rng.randint(1, 4)}",
    "pentomino": lambda rng: "pentomino:3x5:" + "".join(rng.sample("FILNPTUVWXYZ", 3)),
    "polyomino": _polyomino,
    "dominosa": _dominosa,
    "sudoku": _sudoku,
    "starbattle": lambda rng: (
        "starbattle:"
        + rng.choice(("AABB/AABB/CCDD/CCDD", "ABBB/ABCC/DDCC/DDCC", "AAAB/CCAB/CDDB/CDDB"))
    ),
}
"""Family -> a random name of it, small enough for brute force."""


def draw_case(seed: int, folder: Path) -> Case | None:
    """The puzzle of a seed; None: it has too many solutions."""
    rng = Random(seed)
    if rng.random() < 0.5:
        model = drawn(rng)
        if model.side_condition is not None:
            return None  # a file holds none
        path = folder / "model.json"
        path.write_text(json_model.write(model))
        name = str(path)
    else:
        name = PUZZLES[rng.choice(list(PUZZLES))](rng)
    puzzle = load_puzzle(name)
    if puzzle.model.n_options > 130:
        return None
    solutions = sorted(all_solutions(puzzle.model))
    return None if len(solutions) > MOST_SOLUTIONS else Case(name, puzzle, solutions, folder, rng)


# --- questions -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What a command says: exit code, standard output and error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.out)
        return content


def say(*arguments: str) -> Said:
    """Run the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([*arguments, "--quiet"] if arguments[0] not in _LOUD else list(arguments))
    return Said(code, out.getvalue(), err.getvalue())


_LOUD = ("split", "convert")
"""Verbs without ``--quiet``."""


def _backend(case: Case, *names: str) -> list[str]:
    return ["--backend", case.rng.choice(names or ("dlx", "cpsat", "both"))]


def _expect(what: str, right: object, said: object) -> str | None:
    return None if right == said else f"{what}: expected {right!r}, got {said!r}"


def _first(*complaints: str | None) -> str | None:
    return next((each for each in complaints if each is not None), None)


def _total_code(case: Case) -> int:
    return 0 if case.solutions else 20


def ask_count(case: Case) -> str | None:
    """count: exact, whatever engine, workers, parts and checkpoint."""
    flags = _backend(case)
    if case.rng.random() < 0.2 and "both" not in flags:
        flags += ["--parts", str(case.rng.randint(1, 9)), "--checkpoint", str(case.folder / "c")]
    said = say("count", case.name, *flags, "--json")
    answer = said.json
    return _first(
        _expect("exit code", 0, said.code),
        _expect("count", len(case.solutions), answer["count"]),
        _expect("complete", True, answer["complete"]),
    )


def ask_limited_count(case: Case) -> str | None:
    """A limit reached is its own answer: never more than there are, never called complete."""
    limit = case.rng.choice(("--node-limit=0", "--node-limit=3", "--time-limit=0"))
    said = say("count", case.name, *_backend(case), limit, "--json")
    answer = said.json
    n = len(case.solutions)
    if answer["complete"]:
        return _first(_expect("exit code", 0, said.code), _expect("count", n, answer["count"]))
    return _first(
        _expect("exit code", 30, said.code),
        None if answer["count"] <= n else f"at least {answer['count']}, there are {n}",
    )


def ask_classes(case: Case) -> str | None:
    """Count --up-to-symmetry: both numbers."""
    said = say("count", case.name, *_backend(case, "dlx", "cpsat"), "--up-to-symmetry", "--json")
    if case.puzzle.model.symmetries is None and case.puzzle.obstacle() is None:
        known = "no symmetries are known" in said.err
        return _expect("refusal", (2, True), (said.code, known))
    answer = said.json
    return _first(
        _expect("count", len(case.solutions), answer["count"]),
        _expect("classes", case.classes, answer.get("up_to_symmetry", len(case.solutions))),
    )


def ask_heatmap(case: Case) -> str | None:
    """Count --heatmap: in how many solutions each option is."""
    said = say("count", case.name, "--heatmap", "--json")
    if said.code == 2:
        return None if "side condition" in said.err else said.err
    uses = Counter(option for solution in case.solutions for option in solution)
    right = [uses[option] for option in range(case.puzzle.model.n_options)]
    heat = said.json.get("heatmap")
    return None if heat is None and not case.solutions else _expect("heat map", right, heat)


def ask_all(case: Case) -> str | None:
    """Solve -n 0: the boards of all solutions, each as often as solutions look like it."""
    flags = [*_backend(case), "--seed", str(case.rng.randint(0, 2))]
    said = say("solve", case.name, "-n", "0", *flags, "--json")
    answer = said.json
    boards = Counter("\n".join(rows) for rows in answer.get("solutions", []))
    right = Counter(case.puzzle.draw(solution) for solution in case.solutions)
    if not case.puzzle.model.n_options and len(case.solutions) == 1:
        return None  # the empty solution draws nothing
    return _first(
        _expect("exit code", _total_code(case), said.code),
        _expect("count", len(case.solutions), answer["count"]),
        _expect("boards", right, boards),
    )


def ask_some(case: Case) -> str | None:
    """Solve -n K: so many different solutions, or all there are."""
    k = case.rng.randint(1, 5)
    said = say("solve", case.name, "-n", str(k), *_backend(case), "--json")
    return _first(
        _expect("exit code", _total_code(case), said.code),
        _expect("count", min(k, len(case.solutions)), said.json["count"]),
    )


def ask_numbers(case: Case) -> str | None:
    """Solve --index: each number is another solution, and the next one is refused."""
    boards = []
    for index in range(min(6, len(case.solutions))):
        said = say("solve", case.name, "--index", str(index), "--json")
        if said.code != 0:
            return f"index {index}: {said.err}"
        boards.append("\n".join(said.json["solutions"][0]))
    known = Counter(case.puzzle.draw(solution) for solution in case.solutions)
    if Counter(boards) - known:
        return f"--index gives {boards}"
    beyond = say("solve", case.name, "--index", str(len(case.solutions)), "--json")
    return _expect("exit code beyond", 2 if case.solutions else 20, beyond.code)


def ask_sample(case: Case) -> str | None:
    """Solve --sample: solutions, the same for the same seed."""
    flags = ("--sample", "3", "--seed", str(case.rng.randint(0, 9)), "--json")
    one, two = say("solve", case.name, *flags), say("solve", case.name, *flags)
    if not case.solutions:
        return _expect("exit code", 20, one.code)
    known = {case.puzzle.draw(solution) for solution in case.solutions}
    drawn_ = ["\n".join(rows) for rows in one.json["solutions"]]
    return _first(
        None if known.issuperset(drawn_) else f"samples {drawn_}",
        _expect("the same sample", drawn_, ["\n".join(rows) for rows in two.json["solutions"]]),
    )


def ask_unique(case: Case) -> str | None:
    """unique: one, several or none."""
    word, code = {0: ("none", 20), 1: ("unique", 0)}.get(len(case.solutions), ("multiple", 10))
    said = say("unique", case.name, *_backend(case), "--json")
    return _first(
        _expect("outcome", word, said.json["outcome"]), _expect("exit code", code, said.code)
    )


def ask_best(case: Case) -> str | None:
    """Best -k K: the costs of the cheapest, proven."""
    k = case.rng.randint(1, 4)
    said = say("best", case.name, "-k", str(k), *_backend(case), "--json")
    if not case.solutions:
        return _expect("exit code", 20, said.code)
    right = sorted(map(case.puzzle.model.cost, case.solutions))[:k]
    return _first(
        _expect("costs", right, said.json["costs"]), _expect("proven", True, said.json["proven"])
    )


def ask_compare(case: Case) -> str | None:
    """compare: the engines agree."""
    said = say("compare", case.name, "--json")
    return _first(
        _expect("outcome", "agree", said.json["outcome"]),
        _expect("count", len(case.solutions), said.json["count"]),
    )


def ask_proof(case: Case) -> str | None:
    """Certify and verify: the certificate proves the number, and no other puzzle's."""
    path = str(case.folder / "proof.gz")
    made, checked = say("certify", case.name, path), say("verify", path, case.name, "--json")
    return _first(
        _expect("exit code of certify", 0, made.code),
        _expect("exit code of verify", 0, checked.code),
        _expect("proven count", len(case.solutions), checked.json["count"]),
    )


def ask_parts(case: Case) -> str | None:
    """split, part and merge: the parts add up."""
    plan = str(case.folder / "plan")
    said = say("split", case.name, plan, "--parts", str(case.rng.randint(1, 8)), "--json")
    for number in range(said.json["parts"]):
        part = say("part", plan, case.name, str(number), *_backend(case, "dlx", "cpsat"))
        if part.code != 0:
            return f"part {number}: {part.err}"
    merged = say("merge", plan, case.name, "--json")
    return _first(
        _expect("exit code of merge", 0, merged.code),
        _expect("count", len(case.solutions), merged.json["count"]),
    )


def ask_converted(case: Case) -> str | None:
    """convert: the model means the same in another file."""
    path = str(case.folder / f"other{case.rng.choice(('.dlx', '.json'))}")
    made = say("convert", case.name, path)
    if made.code != 0:
        return made.err
    said = say("count", path, "--json")
    return _expect("count of the converted model", len(case.solutions), said.json["count"])


QUESTIONS = (
    ask_count, ask_limited_count, ask_classes, ask_heatmap, ask_all, ask_some, ask_numbers,
    ask_sample, ask_unique, ask_best, ask_compare, ask_proof, ask_parts, ask_converted,
)  # fmt: skip


def complaint(seed: int) -> str | None:
    """What is wrong with the answer to a seed's question; None: nothing."""
    with tempfile.TemporaryDirectory() as folder:
        case = draw_case(seed, Path(folder))
        if case is None:
            return None
        question = QUESTIONS[seed % len(QUESTIONS)]
        try:
            wrong = question(case)
        except Exception as error:  # a traceback, or no JSON, is an answer to complain of
            wrong = f"{type(error).__name__}: {error}"
        if wrong is None:
            return None
        return f"seed {seed}: {question.__name__} of {case.name}: {wrong}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask until the time is over; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--log", type=Path, default=Path("fuzz-failures/questions.log"))
    given = parser.parse_args(arguments)
    given.log.parent.mkdir(parents=True, exist_ok=True)
    began, wrong, seed = time.monotonic(), 0, given.first
    with given.log.open("a") as log:
        while time.monotonic() - began < given.seconds:
            if (said := complaint(seed)) is not None:
                wrong += 1
                log.write(said + "\n")
                log.flush()
            seed += 1
        last = f"{seed - given.first} questions, {wrong} wrong answers"
        log.write(last + "\n")
    sys.stdout.write(last + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
