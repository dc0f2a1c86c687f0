"""``python -m twostep.compare`` is the ``twostep`` command."""

from twostep.compare.command import main

if __name__ == "__main__":
    main()
