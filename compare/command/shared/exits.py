"""The exit codes of the command, with their meanings."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the command's exit code says."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Exit:
        """An exit code with its meaning in words."""
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    OK = 0, "answered: found, complete count, unique, all agree, valid"
    USAGE = 2, "wrong usage or bad input"
    DISAGREE = 3, "the engines disagree (the model is saved for a report)"
    SEVERAL = 10, "several solutions where one was asked for"
    NONE = 20, "no solution, or an answer that is not valid"
    STOPPED = 30, "stopped by a limit or Ctrl-C; what is known is printed"
