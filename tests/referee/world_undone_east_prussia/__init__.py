"""A second program for The World Undone: East Prussia 1914, written from the rulebook alone: `suites` gives its positions and answers."""

from .suites import suites

__all__ = ["suites"]
