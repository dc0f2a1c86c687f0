"""Words in a rectangle: ``words:3x3:FILE.txt`` or ``words:2x3:to,on,...``.

Each row and each column is a word of the list, no word twice. Rows and columns are primary
items; the cells are secondary items whose colour is their letter; each word is a secondary item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from twostep.models.drawing.grid import (
    Cell,
    areas,
    borders,
    hairlines,
    outlined,
    place,
    rectangle,
    written,
)
from twostep.models.drawing.scene import NO_MARKS, Colour, Layer, Marks, Role, Scene, Shape
from twostep.models.errors import InputError
from twostep.models.families.classics.given import check_size, is_file, misread, same_size, size
from twostep.models.families.puzzle import Choice, Family, Puzzle
from twostep.models.language.builder import Entry, ModelBuilder
from twostep.models.language.model import Model, Solution
from twostep.models.reading.files import lines_of, read_text
from twostep.models.words import counted

MAX_SIDE = 30


class WordRectangle(Puzzle):
    """A rectangle to be filled from a list.

    Attributes:
        shape: rows and columns.
        words: those of the list that fit a row or a column, in its order, each once.
    """

    def __init__(self, name: str, shape: tuple[int, int], words: list[str]) -> None:
        self.name = name
        self.shape = shape
        fitting = (word for word in words if len(word) in shape)
        self.words = tuple(dict.fromkeys(fitting))

    def obstacle(self) -> str | None:
        """Fewer words of a length than there are rows and columns to be filled with them."""
        height, width = self.shape
        needed = {height: 0, width: 0}
        needed[width] += height
        needed[height] += width
        for length, lines in needed.items():
            have = sum(len(word) == length for word in self.words)
            if have < lines:
                words = f"{counted(have, 'word')} of {counted(length, 'letter')}"
                return f"{words} for {lines} rows and columns"
        return None

    def build(self) -> Model:
        """One option for each line and word; its label is (is a row, number, word)."""
        height, width = self.shape
        fitting = Counter(map(len, self.words))
        check_size(height * fitting[width] + width * fitting[height], 2 + max(self.shape))
        builder = ModelBuilder(self.name)
        row = [builder.item(f"row{r}") for r in range(height)]
        column = [builder.item(f"column{c}") for c in range(width)]
        cell = [[builder.secondary(f"cell-{r},{c}") for c in range(width)] for r in range(height)]
        used = {word: builder.secondary(f"word-{word}") for word in self.words}
        for line in range(height + width):
            across = line < height
            number = line if across else line - height
            cells = cell[number] if across else [cells[number] for cells in cell]
            for word in self.words:
                if len(word) == len(cells):
                    entries: list[Entry] = [row[number] if across else column[number], used[word]]
                    entries += zip(cells, word, strict=True)
                    builder.option(entries, label=(across, number, word))
        return builder.build()

    def move(self, option: int) -> str:
        """``TEA in row 1``."""
        across, number, _ = self.model.labels[option]
        return f"{self.piece(option)} in {'row' if across else 'column'} {number + 1}"

    def piece(self, option: int) -> str:
        """The word, in capitals."""
        word: str = self.model.labels[option][2]
        return word.upper()

    def need(self, item: int) -> str:
        """``row 1``, ``column 2``, ``row 1, column 2``, or ``the word TEA``."""
        height, width = self.shape
        if item < height + width:
            return f"row {item + 1}" if item < height else f"column {item - height + 1}"
        cell = item - height - width
        if cell < height * width:
            return place(divmod(cell, width))
        return f"the word {self.words[cell - height * width].upper()}"

    def choice(self, item: int) -> Choice:
        """Of words."""
        return Choice("word")

    def read(self, rows: Sequence[str]) -> tuple[int, ...]:
        """The letters, ``.`` where a cell is open; rows and columns that are full are words."""
        height, width = self.shape
        at = {(r, c): char.lower() for r, c, char in same_size(rows, height, width)}
        option_of = {label: option for option, label in enumerate(self.model.labels)}
        found, read = [], set()
        for line in range(height + width):
            across, number = line < height, line if line < height else line - height
            cells = [
                (number, c) if across else (c, number) for c in range(width if across else height)
            ]
            word = "".join(at[cell] for cell in cells)
            if "." in word or " " in word:
                continue
            if (option := option_of.get((across, number, word))) is None:
                kind = "row" if across else "column"
                raise misread(f"{kind} {number + 1}: {word!r} is no word of the list", *cells[0])
            found.append(option)
            read.update(cells)
        for cell, char in at.items():
            if char not in ". " and cell not in read:
                raise misread(f"{char!r} is part of no row or column that is full", *cell)
        return tuple(found)

    def draw(self, solution: Solution) -> str:
        """The rows."""
        letter_of = self._letters(solution)
        height, width = self.shape
        return "\n".join(
            "".join(letter_of.get((r, c), ".") for c in range(width)) for r in range(height)
        )

    def picture(self, placed: Iterable[int] = (), marks: Marks = NO_MARKS) -> Scene:
        """The letters in their cells."""
        height, width = self.shape
        cells, laid = rectangle(height, width), tuple(placed)
        pointed = self._letters(marks.options)

        def fill(cell: Cell) -> Colour:
            return Role.MARK if cell in pointed else Role.CELL

        letters: list[Shape] = [
            written(cell, letter.upper(), fill(cell))
            for cell, letter in self._letters(laid).items()
        ]
        around: list[Shape] = []
        for item in marks.items:
            if item < height:
                around += outlined((item, c) for c in range(width))
            elif item < height + width:
                around += outlined((r, item - height) for r in range(height))
            elif item < height + width + len(cells):
                around += outlined([cells[item - height - width]])
        board = areas(cells, fill) + hairlines(cells) + borders(dict.fromkeys(cells, 0))
        layers = (
            Layer("board", tuple(board)),
            Layer("letters", tuple(letters)),
            Layer("marks", tuple(around)),
        )
        return Scene(self.name, width, height, layers, self.draw(laid))

    def _letters(self, options: Iterable[int]) -> dict[Cell, str]:
        """The letters that some words put into their cells."""
        letter_of: dict[Cell, str] = {}
        for option in options:
            across, number, word = self.model.labels[option]
            for at, letter in enumerate(word):
                letter_of[(number, at) if across else (at, number)] = letter
        return letter_of


def parse(text: str) -> WordRectangle:
    """The puzzle of ``ROWSxCOLUMNS:FILE`` or ``ROWSxCOLUMNS:word,word,...``.

    In a file each line is a word; upper case is lower case, and what has other characters than
    letters is passed over.

    Raises:
        InputError: no size, no list, or a word that is none.
    """
    shape, colon, given = text.partition(":")
    if not colon or not given:
        raise InputError(f"{text[:40]!r}: expected {FAMILY.syntax}")
    if is_file(given):
        lines = (line.strip().lower() for line in lines_of(read_text(given)))
        words = [word for word in lines if word.isalpha()]
        if not words:
            raise InputError("no word in the file, expected one a line", source=given)
    else:
        words = [word.lower() for word in given.split(",")]
        if wrong := [word for word in words if not word.isalpha()]:
            raise InputError(f"word {wrong[0][:20]!r}: expected letters, or the name of a file")
    return WordRectangle(f"words:{text}", size(shape, MAX_SIDE), words)


FAMILY = Family(
    "words",
    "words in a rectangle, each row and column one of a list, none twice",
    "words:ROWSxCOLUMNS:FILE, a word a line; or words with commas between",
    ("words:3x3:tea,war,ore,two,ear,bar,era,ten,bet,are,ran", "words:2x3:bit,one,bo,in,te,to,at"),
    parse,
)
