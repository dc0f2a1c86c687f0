"""The ``twostep`` command, also as ``python -m twostep.compare``: what is loaded first."""

from twostep.compare.ctrl_c import CTRL_C


def main() -> None:
    """The entry point: Ctrl-C that comes while the command is being loaded waits until it is.

    Before this runs, Ctrl-C is for Python itself, which may answer with a traceback.
    """
    CTRL_C.hold()
    from twostep.compare.command import main as command

    command()


if __name__ == "__main__":
    main()
