"""Offensive Supply: which supply units can give it to whom (17.9 to 17.12, 22.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import msgspec

from assistant.field import Around
from assistant.questions import Gather, note
from assistant.state.state import Unit

from .reach import in_reach, offensive_reach


class Offensive(msgspec.Struct, frozen=True, kw_only=True):
    """A supply unit that may be expended for Offensive Supply."""

    source: Annotated[str, note("the supply unit")]
    place: Annotated[str, note("its hex")]
    radius: Annotated[int, note("how far it reaches for Offensive Supply in this game turn, in hexes")]
    why_not: Annotated[str, note("why it gives none in this player turn, empty if it may")] = ""
    units: Annotated[tuple[str, ...], note("the units that it reaches")] = ()


def offensive(facts: Gather, around: Around, sources: Iterable[str], units: Iterable[Unit]) -> Iterator[Offensive]:
    """The supply units of a side with the units to which each can give Offensive Supply once it is expended.

    A supply unit does not reach itself: another one has to be expended for its Forced March. Rule: 17.9/1, 17.9/2, 17.10/1-3, 17.12
    """
    asked = list(units)
    for name in sources:
        at = str(facts.view.unit(name).place)
        radius = offensive_reach(facts, name, at)
        reached = in_reach(facts, around, at, radius).cost
        found = tuple(unit.id for unit in asked if unit.place in reached and unit.id != name)
        yield Offensive(source=name, place=at, radius=radius, why_not=bar(facts, name), units=found)


def bar(facts: Gather, name: str) -> str:
    """Why a supply unit gives no Offensive Supply in this player turn, "" if it may: it has moved. One that was placed in it may.
    Rule: 17.10/1-3, 17.10/note
    """
    return "it has moved in this player turn" if facts.flag("moved", name) else ""
