"""Front of house: the engines by name, their agreement, and the ``twostep`` command."""
