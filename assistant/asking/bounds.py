"""The wording of figures that are lower bounds, because part of their count is not known."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from ..util.notes import note
from .report import VerdictKind

LEFT_OUT = "Left out"
"""The title of the part of a report that lists what its figure leaves out."""


def at_least(template: str, *figures: str) -> str:
    """Return a template with "at least" before each of the named figures."""
    pattern = "|".join(map(re.escape, figures))
    return re.sub(rf"(?=\{{(?:{pattern})[:}}])", "at least ", template) if figures else template


class CountVerdict(NamedTuple):
    """The templates of a verdict that counts things, some of which may not be known."""

    some: Annotated[str, note("the verdict for the number known to be so")]
    open: Annotated[str, note("the words for the number not known, with the reason")]
    none: Annotated[str, note("the verdict if there are none; empty if `some` says that too")] = ""
    bounds: Annotated[tuple[str, ...], note("the figures of `some` that may be larger while some are not known")] = ()

    def word(self, known: int, unknown: int) -> tuple[VerdictKind, str]:
        """Return the kind of the verdict and its template.

        `known`: the number of things known to be so.
        `unknown`: the number of further things that may be so.
        """
        if unknown and not known:
            return "undecided", f"undecided: {self.open}"
        if unknown:
            return "figure", f"{at_least(self.some, *self.bounds)}; {self.open}"
        return ("no", self.none) if self.none and not known else ("figure", self.some)
