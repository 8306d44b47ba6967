"""Lengths in millimetres as options of a command."""

from __future__ import annotations

from math import isfinite
from typing import Any

import click


class Millimetres(click.FloatRange):
    """A length from one number to another; "nan" is none."""

    name = "millimetres"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The length. Fails for what is not a number, and for one out of range."""
        length = super().convert(value, param, ctx)
        return length if isfinite(length) else self.fail(f"{value} is not a length", param, ctx)
