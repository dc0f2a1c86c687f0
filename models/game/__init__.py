"""Levels for a puzzle game: files, generator, checks, pictures."""
