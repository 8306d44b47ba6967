"""Artillery, Corps Trains, depots and units in Rail Mode that have to leave their hexes, as enemies are adjacent to them
(8.2.4, 9.5, 9.8, 9.9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from assistant.asking import Gather, View
from assistant.asking.permission import Clause
from assistant.rules.field import side_of
from assistant.state.state import Unit

from ..forces.markers import guarded
from ..ground.hexsides import around_side
from ..railways.interference import arms_beside, has_begun_detraining, must_displace
from ..terms import COMBAT_ARMS, DEPOTS, HALF_HEXES, KG_TRAIN, SUPPLY_ARMS


class Exposed(NamedTuple):
    """Artillery or a Corps Train, and who is around it."""

    view: View
    unit: str
    arm: str
    place: str
    threatened: bool
    """Whether it is in an EZOC."""
    company: tuple[str, ...]
    """The friendly combat units in its hex."""

    def reasons_to_stay(self) -> Iterator[Clause]:
        """Yield why it stays in its hex, the reason that is told first at the head. Rule: 9.5, 9.8"""
        alone = self.threatened and not guarded(self.view, self.company)
        yield self.company and not alone, self.rule, "a friendly combat unit is with it"
        yield not self.threatened, self.rule, "it is not in an EZOC"
        yield from self.reasons_by_ruling()

    def reasons_by_ruling(self) -> Iterator[Clause]:
        """Yield why it stays though it is alone in an EZOC. Rule: 22.5.1, 23.4.1"""
        yield (
            self.place in HALF_HEXES and self.view.ruling("half-hex-guns") == "stays",
            "23.4.1",
            "it is in a half-hex, which leads to the Bukowina Holding Box (23.4.1)",
        )
        yield (
            self.unit == KG_TRAIN and self.view.ruling("lone-kg-train") == "stays",
            "22.5.1",
            "it never moves, and defends its hex (22.5.1)",
        )

    @property
    def rule(self) -> str:
        """The rule of its arm."""
        return "9.8" if self.arm == "corps-train" else "9.5"

    @property
    def must_leave(self) -> bool:
        """Whether it must leave its hex. Rule: 9.5, 9.8"""
        return not say_first(self.reasons_to_stay())


def say_first(clauses: Iterable[Clause]) -> str:
    """Return the sentence of the first clause that holds, "" if none does."""
    return next((sentence for holds, _, sentence in clauses if holds), "")


def reasons_to_stay_by_rail(view: View, unit: str, place: str, side: str, *, reached: bool = False) -> Iterator[Clause]:
    """Yield why a unit in Rail Mode stays in its hex. side: the unit's side; reached: whether an enemy came
    adjacent to the unit earlier. Rule: 8.2.4b
    """
    detraining = has_begun_detraining(view, unit)
    caught = reached or must_displace(arms_beside(view, place, side), detraining=detraining)
    yield view.amounts("off-map", unit), "8.2.4", "it is under way off the map"
    yield not caught and detraining, "8.2.4", "it has begun to detrain, and bears a 1/2 marker instead"
    yield not caught, "8.2.4", "no enemy combat or artillery unit is adjacent to it"


def is_train_caught(view: View, unit: Unit) -> bool:
    """Return whether enemies adjacent to a unit in Rail Mode make it displace along the line: not while it is under way
    off the map.
    """
    if not view.flag("entrained", unit.id):
        return False
    return not say_first(reasons_to_stay_by_rail(view, unit.id, str(unit.place), view.side_of(unit.id)))


def has_to_leave(facts: Gather, unit: Unit, without: Collection[str] = ()) -> bool:
    """Return whether a unit has to leave its hex: a depot next to an enemy; artillery or a Corps Train in an EZOC
    without a friendly combat unit. Those in Rail Mode have a rule of their own.

    without: units that are taken to be elsewhere. Rule: 9.5.1, 9.8.1, 9.9
    """
    arm = facts.word("arm", unit.id)
    if arm not in ("artillery", *SUPPLY_ARMS) or facts.flag("entrained", unit.id):
        return False
    around = around_side(facts, side_of(facts, unit))
    if arm in DEPOTS:
        return around.next_to_enemy(str(unit.place))
    place = str(unit.place)
    beside = [other.id for other in facts.view.stack(place) if other.id not in without]
    fighting = tuple(other for other in beside if facts.word("arm", other) in COMBAT_ARMS)
    return Exposed(facts.view, unit.id, arm, place, place in around.enemy_zones, fighting).must_leave
