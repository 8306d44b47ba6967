"""What the enemy could do to spoil an attack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from assistant.asking import View
from assistant.asking.report import MissingFacts
from assistant.asking.wording import fill
from assistant.mechanics.odds import Odds
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch

from ..combat.allocation import EVERY, reallocate
from ..combat.engagement import BattleParameters, Engagement, Units
from ..combat.setup import leaders_to_choose
from ..forces.unit import gather_unit
from ..ground.hexsides import Entry, entry_bar
from ..terms import FIELD_ARMS
from .need_report import Countermove, NeedResult
from .search import defence, engage_everybody, points_of, rank_attack

NEAR = 3
"""How far away the units are that could join the defender, in hexes."""
JOINING = 3
"""The most of them that are named, those that make the strongest defence first."""
DUG = 2
"""The highest level of an Improved Position that takes neither a formation nor a game turn (13.1)."""


class Move(NamedTuple):
    """Something that the enemy could do."""

    rule: str
    what: str
    engagement: Engagement
    """The combat of all at hand, as it would be then."""


class EnemyMoves(NamedTuple):
    """What the enemy could do about an attack."""

    view: View
    battle: BattleParameters
    """The combat of all who are at hand."""
    fought: Engagement
    """The attack."""

    @property
    def side(self) -> str:
        """The side that is attacked."""
        return self.view.side_of(self.view.stack(self.battle.at)[0].id)

    def list_all(self) -> Iterator[Move]:
        """Yield all that the enemy could do and that facts are stated for."""
        for attempt in (self._list_strong_defence, self._dig_in_deeper, self._guard_flanks, self._list_leader_moves):
            yield from _list_if_possible(attempt())
        joined = [move for unit in self._find_units_near() for move in _list_if_possible(self._reinforce(unit))]
        yield from sorted(joined, key=lambda move: (-move.engagement.total("defender"), move.what))[:JOINING]

    def _list_strong_defence(self) -> Iterator[Move]:
        """Yield the move by which he makes his strongest legal defence of what stands there, with Artillery Ammunition
        Points.
        """
        here = {unit.id for unit in self.view.stack(self.battle.at)}
        freely = replace(
            self.battle, defender_ap=(EVERY,), withhold=tuple(unit for unit in self.battle.withhold if unit not in here)
        )
        strongest = defence(self.view, engage_everybody(self.view, freely), points=True)
        if strongest and strongest.total("defender") > self.fought.total("defender"):
            points = points_of(strongest, "defender")
            text = "defended by {units}[one_point: with an AP for {points}][several_points: with APs for {points}]"
            units = tuple(unit.id for unit in strongest.defenders)
            count = {"one_point": len(points) == 1, "several_points": len(points) > 1}
            yield Move("10.1.3", fill(text, {"units": units, "points": points, **count}), strongest)

    def _dig_in_deeper(self) -> Iterator[Move]:
        """Yield the moves by which he digs in one level deeper, as far as any unit may at any time. Guns of which the
        class is not stated negate nothing.
        """
        level = self.fought.position + 1
        if level <= DUG:
            engagement = engage_everybody(self.view, self.battle)
            guns = {unit.id: self.view.words("artillery-class", unit.id) for unit in engagement.attackers if unit.ap}
            attackers = tuple(replace(unit, classes=guns.get(unit.id, unit.classes)) for unit in engagement.attackers)
            what = f"Level {level} Improved Position"
            yield Move("13.1", what, replace(engagement, position=level, attackers=attackers))

    def _guard_flanks(self) -> Iterator[Move]:
        """Yield the move by which he is not flanked any more."""
        if self.fought.flanked:
            yield Move("10.4.1", "no flank attack", engage_everybody(self.view, replace(self.battle, flanked=False)))

    def _list_leader_moves(self) -> Iterator[Move]:
        """Yield the moves by which he uses a leader in the combat who commands his units, where that is left to him
        (25.5).
        """
        engagement = engage_everybody(self.view, self.battle)
        for leader in leaders_to_choose(self.view, self.fought):
            if self.view.game.side_of(leader.nation) == self.side:
                yield Move(leader.rule, leader.title, replace(engagement, leaders=(*engagement.leaders, leader)))

    def _reinforce(self, unit: Unit) -> Iterator[Move]:
        """Yield the moves by which one more of his units stands in the hex; it has an AP where the plan supposes them."""
        engagement = engage_everybody(self.view, self.battle)
        with self.view.gather() as facts:
            joining = replace(gather_unit(facts, unit, "defender"), place=self.battle.at)
        points = (EVERY,) if self.battle.defender_ap == ("all",) else self.battle.defender_ap
        units = reallocate([*engagement.present("defender"), joining], points)
        idle = tuple(unit for unit in engagement.idle if unit.place != self.battle.at)
        more = replace(engagement, defenders=units, idle=idle, stack=(*engagement.stack, unit.id))
        strongest = defence(self.view, more, points=True)
        if strongest and joining.id in {defender.id for defender in strongest.defenders}:
            yield Move("10.1.3", f"{unit.id} joins from {unit.place}", strongest)

    def _find_units_near(self) -> list[Unit]:
        """Return his units near the hex that could fight in it and may enter it, by what is stated of them."""
        view, at = self.view, self.battle.at

        def close(place: str | None) -> bool:
            return place is not None and view.board.is_hex(place) and 0 < view.board.distance(place, at) <= NEAR

        every = (unit for unit in view.units() if close(unit.place))
        able = (unit for unit in every if view.side_of(unit.id) == self.side)
        able = (unit for unit in able if view.word("arm", unit.id) in FIELD_ARMS)
        return [unit for unit in able if not entry_bar(Entry(at, (view.word("nation", unit.id),)))]

    def list_spoiling(self, column: Odds, takes: Callable[[Engagement], NeedResult]) -> Iterator[Countermove]:
        """Yield all that would make the attack drop a column.

        column: wished for; takes: what that column takes in another combat.
        """
        before = Odds.parse(rank_attack(self.fought, self.fought.attackers).column)
        for rule, what, engagement in self.list_all():
            then = rank_attack(engagement, self._find_same_units(engagement))
            if Odds.parse(then.column) >= before:
                continue
            result = takes(engagement)
            yield Countermove(
                move=what,
                rule=rule,
                defence=engagement.total("defender"),
                column=then.column,
                again=then if Odds.parse(then.column) >= column else result.attack,
                missing=result.missing,
            )

    def _find_same_units(self, other: Engagement) -> Units:
        """Return the units of the attack, with their APs, as they stand in another combat."""
        sent = {unit.id: unit for unit in self.fought.present("attacker")}
        there = {unit.id: unit for unit in other.present("attacker")}
        return tuple(replace(there[name], ap=unit.ap, point=unit.point) for name, unit in sent.items() if name in there)


def _list_if_possible(attempt: Iterator[Move]) -> list[Move]:
    """Return what comes of an attempt; nothing if facts are missing for it or do not allow it. Raises TooMuch."""
    try:
        return list(attempt)
    except TooMuch:
        raise
    except (InputError, MissingFacts):
        return []
