"""How an answer says that its figure is a lower bound: it counts what is known to be so, and says of how much that is
not known.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from ..util.notes import note
from .report import VerdictKind

LEFT_OUT = "Left out"
"""The part of a report that says what its figure leaves out."""


def at_least(template: str, *figures: str) -> str:
    """Return a template with some of its figures marked as lower bounds. figures: by name."""
    names = "|".join(map(re.escape, figures))
    return re.sub(rf"(?=\{{(?:{names})[:}}])", "at least ", template) if figures else template


class CountVerdict(NamedTuple):
    """The verdict on how many of some things are so, as templates."""

    some: Annotated[str, note("how many are known to be so")]
    open: Annotated[str, note("of how many it is not known, and why")]
    none: Annotated[str, note("that none is; empty where `some` says that too")] = ""
    bounds: Annotated[tuple[str, ...], note("the figures of `some` that may be larger while some are not known")] = ()

    def word(self, known: int, unknown: int) -> tuple[VerdictKind, str]:
        """Return the kind of the verdict and its template. known: how many are so; unknown: of how many that is not
        known.
        """
        if unknown and not known:
            return "undecided", f"undecided: {self.open}"
        if unknown:
            return "figure", f"{at_least(self.some, *self.bounds)}; {self.open}"
        return ("no", self.none) if self.none and not known else ("figure", self.some)
