"""Pictures of puzzles and solutions, for files and notebooks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from twostep.compare.asking.answers import Solution
from twostep.compare.asking.subject import PuzzleLike, load
from twostep.models.drawing.scene import Scene
from twostep.models.errors import InputError


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that shows itself in a notebook, prints as text, and can be saved.

    Attributes:
        scene: what is drawn, as primitives.

    >>> picture = twostep.draw("pentomino:3x5:PUV")
    >>> picture.svg().startswith("<svg")
    True
    """

    scene: Scene

    def svg(self) -> str:
        """The picture as an SVG document."""
        from twostep.models.drawing.svg import svg_of

        return svg_of(self.scene)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a ``.png``, ``.svg`` or ``.pdf`` file, whole or not at all.

        Raises:
            InputError: another suffix; too large; the file cannot be written.
        """
        from twostep.models.drawing.files import pictures
        from twostep.models.drawing.sheet import Card
        from twostep.models.reading.files import write_atomically

        for name, content in pictures(os.fspath(path), [Card(self.scene)]):
            write_atomically(name, content)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.scene.text


def draw(
    puzzle: PuzzleLike | Solution,
    solution: Iterable[int] = (),
    *,
    path: str | os.PathLike[str] | None = None,
) -> Picture:
    """A puzzle with the options of `solution` on it: a solution, a part of one, or none.

    A solution that a question gave can stand alone. With `path` the picture is saved there.

    Raises:
        InputError: an option that is none; see :meth:`Picture.save`.

    >>> solution = twostep.first("pentomino:3x5:PUV").solution
    >>> print(twostep.draw(solution))
    VVVUU
    VPPPU
    VPPUU
    >>> twostep.draw("pentomino:3x5:PUV", solution).svg() == twostep.draw(solution).svg()
    True
    """
    given: tuple[int, ...] = ()
    if isinstance(puzzle, Solution):
        given, puzzle = puzzle, puzzle.puzzle
    asked = load(puzzle)
    placed = tuple(dict.fromkeys([*given, *solution]))
    for option in placed:
        if not 0 <= option < asked.model.n_options:
            raise InputError(
                f"option {option} of {asked.name!r}: there are {asked.model.n_options} options"
            )
    picture = Picture(asked.picture(placed))
    if path is not None:
        picture.save(path)
    return picture
