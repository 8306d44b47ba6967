"""What the enemy could do to spoil an attack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from assistant.asking import View
from assistant.asking.report import MissingFacts
from assistant.asking.wording import fill
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch

from ..combat.allocation import EVERY, reallocate
from ..combat.engagement import BattleParameters, Engagement
from ..combat.setup import leaders_to_choose
from ..forces.unit import gather_unit
from ..ground.hexsides import Entry, entry_bar
from ..terms import FIELD_ARMS
from .search import defence, defence_total, engage_everybody, points_of

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


def list_enemy_moves(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """Yield all that the enemy could do and that facts are stated for."""
    for attempt in (_list_strong_defence, _dig_in_deeper, _guard_flanks, _list_leader_moves):
        yield from _list_if_possible(attempt(view, battle, fought))
    joined = [
        move for unit in _find_units_near(view, battle.at) for move in _list_if_possible(_reinforce(view, battle, unit))
    ]
    yield from sorted(joined, key=lambda move: (-defence_total(move.engagement), move.what))[:JOINING]


def _list_if_possible(attempt: Iterator[Move]) -> list[Move]:
    """Return what comes of an attempt; nothing if facts are missing for it or do not allow it. Raises TooMuch."""
    try:
        return list(attempt)
    except TooMuch:
        raise
    except (InputError, MissingFacts):
        return []


def _list_strong_defence(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """Yield the move by which he makes his strongest legal defence of what stands there, with Artillery Ammunition
    Points.
    """
    here = {unit.id for unit in view.stack(battle.at)}
    freely = replace(battle, defender_ap=(EVERY,), withhold=tuple(unit for unit in battle.withhold if unit not in here))
    strongest = defence(view, engage_everybody(view, freely), points=True)
    if strongest and defence_total(strongest) > defence_total(fought):
        points = points_of(strongest, "defender")
        text = "defended by {units}[one_point: with an AP for {points}][several_points: with APs for {points}]"
        units = tuple(unit.id for unit in strongest.defenders)
        count = {"one_point": len(points) == 1, "several_points": len(points) > 1}
        yield Move("10.1.3", fill(text, {"units": units, "points": points, **count}), strongest)


def _dig_in_deeper(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """Yield the moves by which he digs in one level deeper, as far as any unit may at any time. Guns of which the class
    is not stated negate nothing.
    """
    level = fought.position + 1
    if level <= DUG:
        engagement = engage_everybody(view, battle)
        guns = {unit.id: view.words("artillery-class", unit.id) for unit in engagement.attackers if unit.ap}
        attackers = tuple(replace(unit, classes=guns.get(unit.id, unit.classes)) for unit in engagement.attackers)
        what = f"Level {level} Improved Position"
        yield Move("13.1", what, replace(engagement, position=level, attackers=attackers))


def _guard_flanks(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """Yield the move by which he is not flanked any more."""
    if fought.flanked:
        yield Move("10.4.1", "no flank attack", engage_everybody(view, replace(battle, flanked=False)))


def _list_leader_moves(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """Yield the moves by which he uses a leader in the combat who commands his units, where that is left to him
    (25.5).
    """
    engagement = engage_everybody(view, battle)
    side = view.side_of(view.stack(battle.at)[0].id)
    for leader in leaders_to_choose(view, fought):
        if view.game.side_of(leader.nation) == side:
            yield Move(leader.rule, leader.title, replace(engagement, leaders=(*engagement.leaders, leader)))


def _reinforce(view: View, battle: BattleParameters, unit: Unit) -> Iterator[Move]:
    """Yield the moves by which one more of his units stands in the hex; it has an AP where the plan supposes them."""
    engagement = engage_everybody(view, battle)
    with view.gather() as facts:
        joining = replace(gather_unit(facts, unit, "defender"), place=battle.at)
    points = (EVERY,) if battle.defender_ap == ("all",) else battle.defender_ap
    units = reallocate([*engagement.present("defender"), joining], points)
    idle = tuple(unit for unit in engagement.idle if unit.place != battle.at)
    more = replace(engagement, defenders=units, idle=idle, stack=(*engagement.stack, unit.id))
    strongest = defence(view, more, points=True)
    if strongest and joining.id in {defender.id for defender in strongest.defenders}:
        yield Move("10.1.3", f"{unit.id} joins from {unit.place}", strongest)


def _find_units_near(view: View, at: str) -> list[Unit]:
    """Return his units near a hex that could fight in it and may enter it, by what is stated of them."""
    side = view.side_of(view.stack(at)[0].id)

    def close(place: str | None) -> bool:
        return place is not None and view.board.is_hex(place) and 0 < view.board.distance(place, at) <= NEAR

    every = (unit for unit in view.units() if close(unit.place))
    able = (unit for unit in every if view.side_of(unit.id) == side and view.word("arm", unit.id) in FIELD_ARMS)
    return [unit for unit in able if not entry_bar(Entry(at, (view.word("nation", unit.id),)))]
