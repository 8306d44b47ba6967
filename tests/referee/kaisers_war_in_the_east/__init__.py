"""A second program for Kaiser's War in the East, written from the rulebook alone: `suites` gives its positions and answers."""

from .suites import suites

__all__ = ["suites"]
