"""Levels for a puzzle game: files, generator, checks, hints, explanations, pictures."""
