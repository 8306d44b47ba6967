"""The magazines of fortress complexes on which a stack may draw Artillery Ammunition Points (APs) (10.5.5, 12.3)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from assistant.questions import Gather, MissingFacts, View
from assistant.questions.report import Ask
from assistant.state.sources import Value

from ..forces.units import CombatUnit
from ..terms import BOYEN, FORTRESSES

MAGAZINE = "magazine:"
"""How an AP of a fortress magazine is named, before the hex of the stack that it serves."""


class Magazine(msgspec.Struct, frozen=True):
    """A magazine on which a stack may draw. asks: what would tell whether there is one, none where it is known."""

    name: str
    asks: tuple[Ask, ...] = ()


def magazines_at(view: View, place: str, side: str) -> list[Magazine]:
    """The magazines on which the units of a side in a hex may draw, and those that may be there as far as is stated: of the complex
    of each fortress unit in it, and in the hex with the symbol. Boyen has none, nor has a complex without a symbol one in any of
    its hexes. Rule: 10.5.5
    """
    there = [other.id for other in view.stack(place)]  # all friendly
    complexes = {name: of_complex(view, name) for name in there if known(view, "arm", name)[0] in FORTRESSES}
    settled = any(value is False for value, _ in complexes.values())
    symbol, asks = known(view, "magazine", place)
    told: list[tuple[str, Value | None, tuple[Ask, ...], Value]] = [
        (f"magazine of {name}", value, lacking, True) for name, (value, lacking) in complexes.items()
    ]
    told.append((f"magazine in {place}", symbol, () if settled else asks, side))
    return [Magazine(name, lacking) for name, value, lacking, yes in told if value == yes or lacking]


def of_complex(view: View, fortress: str) -> tuple[Value | None, tuple[Ask, ...]]:
    """Whether the complex of a fortress unit has a magazine, or what to ask: that of Boyen has none (10.5.5a). One whose symbol is
    stated of the hex of another of its fortress units has one.
    """
    if fortress == BOYEN:
        return False, ()
    own, side = view.word("complex", fortress), view.side_of(fortress)
    mates = (
        one for one in view.units() if own and view.word("complex", one.id) == own and view.side_of(one.id) == side
    )
    if side and any(view.word("magazine", str(one.place)) == side for one in mates):
        return True, ()
    return known(view, "complex-magazine", fortress)


def known(view: View, track: str, subject: str) -> tuple[Value | None, tuple[Ask, ...]]:
    """A fact that matters only where nothing else serves: its value, or else what to ask."""
    try:
        with view.gather() as facts:
            facts.word(track, subject)
    except MissingFacts as missing:
        return None, missing.asks
    fact = view.fact(track, subject)
    return (fact.value if fact else None), ()


def serving(facts: Gather, units: Sequence[CombatUnit]) -> tuple[str, ...]:
    """The APs of magazines that are known to be open to the stacks of these units of one side, as players name them."""
    view, nations = facts.view, [unit.nation for unit in units if unit.nation]
    side = view.game.side_of(nations[0]) if nations else ""
    places = dict.fromkeys(unit.place for unit in units)
    open_to = [place for place in places if any(not one.asks for one in magazines_at(view, place, side))]
    return tuple(f"{MAGAZINE}{place}" for place in open_to)
