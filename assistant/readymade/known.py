"""What is told as far as the position says enough, and left out where it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..questions.report import MissingFacts
from ..questions.view import Gather, View

T = TypeVar("T")


def if_known(view: View, work: Callable[[Gather], T]) -> T | None:
    """What is worked out from facts; None where some of them are not stated."""
    try:
        with view.gather() as facts:
            return work(facts)
    except MissingFacts:
        return None
