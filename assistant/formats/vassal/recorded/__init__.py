"""Logs as records of play: what was thrown and said, and the position after each step."""
