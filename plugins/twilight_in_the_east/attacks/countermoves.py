"""What the enemy could do to spoil an attack, by what is seen of him: defend with all that he may, dig in, end a flank attack,
bring up more units. Whether he can do it in time is not asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from assistant.mechanics.odds import Odds
from assistant.questions import View
from assistant.questions.report import MissingFacts
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch

from ..combat.allocation import EVERY, reallocated
from ..combat.engagement import BattleParameters, Engagement, Units
from ..forces.reading import gather_unit
from ..ground.entry import Entry, entry_bar
from ..terms import COMBAT_ARMS
from .at_hand import defence, defended_by, everybody, points_of, ranked
from .need_report import Countermove, NeedResult

NEAR = 3
"""How far away the units are that could join the defender, in hexes."""
JOINING = 3
"""The most of them that are named, those that make the strongest defence first."""
MOVING = (*COMBAT_ARMS, "artillery")
"""The arms of units that could come to defend."""
DUG = 2
"""The highest level of an Improved Position that takes neither a formation nor a game turn (13.1)."""


class Move(NamedTuple):
    """Something that the enemy could do. engagement: the combat of all at hand, as it would be then."""

    rule: str
    what: str
    engagement: Engagement


def countermoves(
    view: View,
    battle: BattleParameters,
    fought: Engagement,
    column: Odds,
    takes: Callable[[Engagement], NeedResult],
) -> tuple[Countermove, ...]:
    """All that would make an attack drop a column.

    battle: of all who are at hand; fought: the attack; column: wished for; takes: what that column takes in another combat.
    """
    before, found = Odds.parse(ranked(fought, fought.attackers).column), []
    for rule, what, engagement in moves(view, battle, fought):
        then = ranked(engagement, same_units(fought, engagement))
        if Odds.parse(then.column) >= before:
            continue
        result = takes(engagement)
        again = then if Odds.parse(then.column) >= column else result.attack
        total = defended_by(engagement)
        found.append(
            Countermove(move=what, rule=rule, defence=total, column=then.column, again=again, missing=result.missing)
        )
    return tuple(found)


def same_units(fought: Engagement, other: Engagement) -> Units:
    """The units of an attack, with their APs, as they stand in another combat."""
    sent = {unit.id: unit for unit in fought.present("attacker")}
    there = {unit.id: unit for unit in other.present("attacker")}
    return tuple(replace(there[name], ap=unit.ap, point=unit.point) for name, unit in sent.items() if name in there)


def moves(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """All that the enemy could do and that facts are stated for."""
    for attempt in (in_strength, dug_in, not_flanked):
        yield from possible(attempt(view, battle, fought))
    joined = [move for unit in near(view, battle.at) for move in possible(reinforced(view, battle, unit))]
    yield from sorted(joined, key=lambda move: (-defended_by(move.engagement), move.what))[:JOINING]


def possible(attempt: Iterator[Move]) -> list[Move]:
    """What comes of an attempt; nothing if facts are missing for it or do not allow it. Raises TooMuch."""
    try:
        return list(attempt)
    except TooMuch:
        raise
    except (InputError, MissingFacts):
        return []


def in_strength(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """He makes his strongest legal defence of what stands there, with Artillery Ammunition Points."""
    here = {unit.id for unit in view.stack(battle.at)}
    freely = replace(battle, defender_ap=(EVERY,), withhold=tuple(one for one in battle.withhold if one not in here))
    strongest = defence(view, everybody(view, freely), points=True)
    if strongest and defended_by(strongest) > defended_by(fought):
        points = points_of(strongest, "defender")
        what = f"defended by {', '.join(unit.id for unit in strongest.defenders)}"
        yield Move("10.1.3", what + (f" with AP to {', '.join(points)}" if points else ""), strongest)


def dug_in(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """He digs in one level deeper, as far as any unit may at any time. Guns of which the class is not stated negate nothing."""
    level = fought.position + 1
    if level <= DUG:
        engagement = everybody(view, battle)
        guns = {unit.id: view.words("artillery-class", unit.id) for unit in engagement.attackers if unit.ap}
        attackers = tuple(replace(unit, classes=guns.get(unit.id, unit.classes)) for unit in engagement.attackers)
        what = f"Level {level} Improved Position"
        yield Move("13.1", what, replace(engagement, position=level, attackers=attackers))


def not_flanked(view: View, battle: BattleParameters, fought: Engagement) -> Iterator[Move]:
    """He is not flanked any more."""
    if fought.flanked:
        yield Move("10.4.1", "no flank attack", everybody(view, replace(battle, flanked=False)))


def reinforced(view: View, battle: BattleParameters, unit: Unit) -> Iterator[Move]:
    """One more of his units stands in the hex; it has an AP where the plan supposes them."""
    engagement = everybody(view, battle)
    with view.gather() as facts:
        joining = replace(gather_unit(facts, unit, "defender"), place=battle.at)
    points = (EVERY,) if battle.defender_ap == ("all",) else battle.defender_ap
    units = reallocated([*engagement.present("defender"), joining], points)
    idle = tuple(one for one in engagement.idle if one.place != battle.at)
    more = replace(engagement, defenders=units, idle=idle, stack=(*engagement.stack, unit.id))
    strongest = defence(view, more, points=True)
    if strongest and joining.id in {one.id for one in strongest.defenders}:
        yield Move("10.1.3", f"{unit.id} joins from {unit.place}", strongest)


def near(view: View, at: str) -> list[Unit]:
    """His units near a hex that could fight in it and may enter it, by what is stated of them."""
    side = view.side_of(view.stack(at)[0].id)

    def close(place: str | None) -> bool:
        return place is not None and view.board.is_hex(place) and 0 < view.board.distance(place, at) <= NEAR

    every = (unit for unit in view.units() if close(unit.place))
    able = (unit for unit in every if view.side_of(unit.id) == side and view.word("arm", unit.id) in MOVING)
    return [unit for unit in able if not entry_bar(Entry(at, (view.word("nation", unit.id),)))]
