"""The ``twostep`` command as ``python -m twostep``."""

from twostep.compare.__main__ import main

if __name__ == "__main__":
    main()
