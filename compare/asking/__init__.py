"""The questions of ``import twostep``: puzzles by name, engines by name, answers in one object."""
