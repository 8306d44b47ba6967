"""The advance after a combat: who may advance into the hex that the defender has left (11.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations

import msgspec
from msgspec.structs import replace

from assistant.asking.permission import Clause
from assistant.asking.wording import fill
from assistant.mechanics.procedure import Apart, Choice, Node, Situation
from assistant.rules.field import bar_of

from ..combat.before_dice import Combat
from ..combat.engagement import Engagement, Units
from ..combat.pieces import Layout
from ..combat.tolls import Toll
from ..displacement.in_combat import Displacing, find_units_in_way
from ..forces.units import CombatUnit, stacks
from ..ground.hexsides import Entry, entry_bar
from ..terms import KG_TRAIN, SUPPLY_ARMS

MOST_OFFERED = 6
"""Units of which every selection may be offered to advance."""


class Ended(msgspec.Struct, frozen=True):
    """The combat is over."""

    toll: Toll
    advanced: tuple[str, ...] | None = None
    """The units that have advanced; None where nobody could."""


class Advance(msgspec.Struct, frozen=True):
    """The end of a combat, when attackers may advance into the hex that the defender has left."""

    combat: Combat
    now: Displacing
    wished: str = ""
    """The units that the attacker wants to advance."""

    def choice(self) -> Node:
        """Return who advances into the hex that the defender has left: the attacker's choice. Rule: 11.4, 11.4.1,
        11.4.2
        """
        toll = self.now.toll
        able, _ = self.may_advance()
        if not able:
            return Apart({"": Ended(toll)})
        at = self.combat.engagement.at
        options: dict[str, Situation] = {}
        for units in list_selections(able, self._fits, self.wished):
            names = tuple(unit.id for unit in units)
            advanced = toll.and_moved(dict.fromkeys(names, at))
            options[",".join(names) or "none"] = replace(self.now, toll=advanced, advanced=names)
        text = "the units that advance into {at}[more: (or others of them, joined by commas)]"
        title = fill(text, {"at": at, "more": len(able) > MOST_OFFERED})
        return Choice("advance", "11.4", title, "attacker", options)

    def may_advance(self) -> tuple[Units, Units]:
        """Return the attackers that may advance into the defender's hex, and the artillery units that only an
        un-bridged river stops; nobody while somebody is left there. By a reading of 10.3 (ruling vacant-hex) nor does
        who has removed a marker that pointed at an empty hex. Rule: 11.4
        """
        combat = self.combat
        if bar_of(self.bars()):
            return (), ()
        able, guns = victorious_units(combat.engagement, self.now.toll)
        able = tuple(unit for unit in able if not entry_bar(Entry(combat.engagement.at, (unit.nation,))))
        bound = tuple(unit for unit in able if unit.prepared in ("", combat.engagement.at))
        barred = combat.pieces and combat.pieces.view.ruling("vacant-hex", len(bound) < len(able)) == "any"
        return (bound if barred else able), guns

    def bars(self) -> Iterator[Clause]:
        """Yield what keeps everybody out of the defender's hex. Rule: 11.4"""
        yield not self.is_vacated(), "11.4", "somebody who fights is left there"
        now = self.now
        yield find_units_in_way(self.combat, now.unsettled, dict(now.toll.moved)), "9.5", "others have yet to leave it"

    def is_vacated(self) -> bool:
        """Return whether nobody that fights is left in the defender's hex."""
        there = self._layout.at(self.combat.engagement.at)
        return all(piece.arm in SUPPLY_ARMS and piece.id != KG_TRAIN for piece in there)

    def _fits(self, units: Sequence[CombatUnit]) -> bool:
        """Return whether the defender's hex holds these units within the stacking limits."""
        return self._layout.holds([unit.id for unit in units], self.combat.engagement.at)

    @property
    def _layout(self) -> Layout:
        """Where all stand by now."""
        return self.combat.standing.after(self.now.toll)


def bars_of_advance(unit: CombatUnit, toll: Toll) -> Iterator[Clause]:
    """Yield what keeps a unit that has attacked from advancing. Rule: 11.4.2"""
    yield unit.id in dict(toll.moved), "11.4.2", "it has retreated"
    yield dict(toll.steps).get(unit.id, 0) >= unit.left, "11.4", "it is eliminated"
    yield unit.garrison, "12.4.1", "it is of a Fortress Garrison"


def victorious_units(engagement: Engagement, toll: Toll) -> tuple[Units, Units]:
    """Return the attackers that may advance into an empty hex, and apart from them the artillery that an un-bridged
    Major or Grand River stops, where a bridge that is not stated counts as none. Units withheld never do. Rule: 11.4.2
    """
    every = chain.from_iterable(stacks(engagement.attackers).values())
    able = [unit for unit in every if not bar_of(bars_of_advance(unit, toll))]
    guns = [unit for unit in able if unit.arm == "artillery" and not engagement.bridged.get(unit.place, True)]
    return tuple(unit for unit in able if unit not in guns), tuple(guns)


def list_selections(
    able: Sequence[CombatUnit], fits: Callable[[Sequence[CombatUnit]], bool], wished: str
) -> Iterator[tuple[CombatUnit, ...]]:
    """Yield the selections of units that may advance together, within the stacking limits: every one of a few units; of
    many none, each alone, as many as fit in order, and those wished for. fits: whether the hex holds some units. Rule:
    11.4.1
    """
    if len(able) <= MOST_OFFERED:
        for number in range(len(able), -1, -1):
            yield from filter(fits, combinations(able, number))
        return
    most: tuple[CombatUnit, ...] = ()
    for unit in able:
        if fits((*most, unit)):
            most = (*most, unit)
    alone = [(unit,) for unit in able]
    names = tuple(unit for unit in able if unit.id in wished.split(","))
    yield from filter(fits, dict.fromkeys([most, *alone, (), names]))
