"""The parameter of a Forced March, for which a supply unit is expended (17.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from assistant.asking import note
from assistant.asking.question import Helpful, UnitName
from assistant.asking.view import View

from ..terms import SUPPLY


def _propose_forced_marches(view: View) -> Iterator[tuple[str, str]]:
    """Yield what may make possible a move that is not allowed: a Forced March, for which a supply unit is expended."""
    for unit in view.units():
        if unit.place and view.word("arm", unit.id) == SUPPLY:
            yield f"by a Forced March for which {unit.id} is expended", unit.id


ForcedBy = Annotated[
    UnitName | None, note("the supply unit that is expended for a Forced March"), Helpful(_propose_forced_marches)
]
