"""From what a user types, or a file, to a puzzle; and safe reading and writing of files."""
