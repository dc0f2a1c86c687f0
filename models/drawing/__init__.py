"""The drawing room: pictures as primitives, and the writers that turn them into files and text."""
