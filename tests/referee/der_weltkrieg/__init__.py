"""A second program for Der Weltkrieg, written from the rulebook alone: `suites` gives its positions and answers."""

from .suites import suites

__all__ = ["suites"]
