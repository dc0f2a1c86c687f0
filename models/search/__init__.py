"""What an engine promises, and the questions that are asked on top of any engine."""
