"""The questions after and before a combat.

`retreat`: the ways of beaten units (6.5).
`advance`: the hexes to which victorious units follow (6.6).
`evade`: whether cavalry retreats before a combat (10.2.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from assistant.asking import Gather, Step, View, changed, holding, step
from assistant.rules import retreat as readymade
from assistant.rules.field import Bar, SideField
from assistant.rules.field.places import edge_hexes
from assistant.rules.following import bars_to_following, let_follow
from assistant.rules.retreat import AlongParameters, EntryEffects, Evasion, Off, Pursuit, Retreat
from assistant.rules.stacks import count_again, find_over_limit, find_still_over
from assistant.state.changes import AnyChange, Gain
from assistant.state.state import Unit

from . import terms
from .forces import eliminate_unit
from .ground import RIVER, WATER, assume_zones, control_left, field, fortress, fortress_bar, water_bar
from .stacking import fits_in_hex, may_stack


def bars_of(around: SideField, *, homeward: bool = True) -> list[Bar]:
    """Return the bars to retreating units.

    `homeward`: whether the units must go toward their own edge, and over no river.

    Rule: 6.5/path, 3.3/retreat, 10.2.2/option
    """
    view = around.view
    side = around.side
    bars: list[Bar] = [
        readymade.held(around, "6.5"),
        lambda here, there: fortress_bar(view, side, there) or water_bar(view, here, there),
        readymade.zoned(around, "3.3"),
    ]
    if homeward:
        bars.append(readymade.across(view, "barrier", RIVER, "6.5"))
        bars.append(
            readymade.toward(view, terms.HOME_EDGE[side], "6.5", lambda: view.ruling("retreat-edge") == "nearer")
        )
    return bars


def read_retreat(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    """Return the units that retreat as a stack.

    Units over the stacking limit are eliminated, as are units that find no way or leave the map.

    Rule: 6.5/path, 6.5/overstack
    """
    view = facts.view
    start = str(stacked[0].place)
    around = field(facts).around(side)
    edge = edge_hexes(view, terms.HOME_EDGE[side])
    off = "9.4" if view.word("scenario") == terms.MASURIAN else "6.5"
    over = find_still_over(facts, start, fits_in_hex)
    gone = [unit.id for unit in stacked if unit.id in over]
    left = [unit.id for unit in view.stack(start) if unit not in stacked]
    apart = left and facts.word("phasing") != side
    return Retreat(
        movers=[unit.id for unit in stacked if unit.id not in gone],
        gone=gone,
        why_gone="{unit} is over the stacking limit",
        bars=bars_of(around),
        lost=lambda unit: eliminate_unit(view, unit, "6.5"),
        entered=partial(enter_retreat, facts, around, start),
        away=False,
        off=Off(lambda at: at in edge, lambda unit: eliminate_unit(view, unit, off), off),
        decides=readymade.ask_for_track(facts, "barrier"),
        refusals=holding([(apart, "6.5", "defenders stay a stack: {left} in {at} retreat too")], left=left, at=start),
    )


def enter_retreat(
    facts: Gather, around: SideField, start: str, hexes: Sequence[str], units: Sequence[str]
) -> EntryEffects:
    """Return the effects of a retreat on stacking, control and the path along which the enemy may advance.

    Rule: 6.5/overstack
    """
    view = facts.view
    assume_zones(around, hexes)
    over = find_over_limit(facts, hexes[-1], units, fits_in_hex)
    text = "{over} in {at}: over the stacking limit, not counted in combat"
    changes: list[AnyChange] = [changed(view, "over", unit, True, "6.5") for unit in over]
    changes += [back for unit in units if unit not in over for back in count_again(view, unit, rule="6.5")]
    changes += control_left(view, [start, *hexes], units, around.side)
    changes += readymade.leave_trail(view, "trail", start, hexes, units, "6.6")
    return EntryEffects(holding([(over, "6.5", text)], over=over, at=hexes[-1]), changes)


# --- advance ----------------------------------------------------------------------------------------------------------


def read_advance(facts: Gather, asked: AlongParameters, side: str) -> Pursuit:
    """Return the limits of an advance. Rule: 6.6/who, 6.6/stop, 6.6/fortress"""
    view = facts.view
    at = asked.at
    attacks = facts.word("phasing") == side
    around = field(facts, fallen=at).around(side)
    trail = asked.along or tuple(view.word("trail", at).split())
    movers = [view.unit(name).id for name in asked.units]
    uncrossed = WATER if attacks else (RIVER, *WATER)
    return Pursuit(
        reach=1 + len(trail),
        unable=[*bars_by_combat(view, asked.units, at), *bars_to_advance(facts, asked.units)],
        bars=[
            readymade.held(around, "6.6"),
            lambda here, there: None if attacks and there == at else fortress_bar(view, side, there),
            *(readymade.across(view, "barrier", word, "6.6") for word in uncrossed),
        ],
        holds=lambda hex: may_stack(facts, dict.fromkeys([*(unit.id for unit in view.stack(hex)), *movers])),
        halts=readymade.halted(around, "6.6"),
        entered=partial(enter_advance, around),
        decides=readymade.no_more if attacks else readymade.ask_for_track(facts, "barrier"),
        along=trail,
    )


def bars_by_combat(view: View, units: Sequence[str], at: str) -> Iterator[Step]:
    """Yield the reasons why units may not advance after the combat for a hex: an exchange, or another victor.

    Rule: 6.4/EX, 6.6/who
    """
    if view.flag("exchanged", at):
        yield step("6.4", "no unit advances: after an exchange all units stay")
    else:
        held = partial(view.flag, "attacked")
        yield from bars_to_following(view, units, at, held=held, phases=terms.COMBAT_PHASES, rule="6.6", verb="advance")


def bars_to_advance(facts: Gather, units: Iterable[str]) -> Iterator[Step]:
    """Yield the reasons why single units do not advance. Rule: 6.6/who"""
    for unit in units:
        other = facts.word("arm", unit) not in ("", *terms.ADVANCING_ARMS)
        over = unit in find_still_over(facts, str(facts.view.unit(unit).place), fits_in_hex)
        why = "it is over the stacking limit" if over else "only infantry and cavalry do"
        yield from holding([(other or over, "6.6", f"{{unit}} does not advance: {why}")], unit=unit)


def enter_advance(around: SideField, hexes: Sequence[str], units: Sequence[str]) -> EntryEffects:
    """Return the effects of an advance: control of the hexes, and the fall of a fortress that Russians enter.

    Rule: 6.6/fortress
    """
    view = around.view
    at = hexes[0]
    side = around.side
    assume_zones(around, hexes)
    starts = [str(view.unit(unit).place) for unit in units]
    changes: list[AnyChange] = [*control_left(view, [*starts, *hexes], units, side)]
    points = fortress(view, at) if side == terms.RUSSIAN else 0
    if points:
        changes += [changed(view, "destroyed", at, True, "6.6"), Gain("lost", terms.GERMAN, points, "6.6")]
    text = "the fortress in {at} is destroyed: {points:#Strength Point} lost by the Germans"
    return EntryEffects(holding([(points, "6.6", text)], at=at, points=points), changes)


# --- retreats of cavalry before a combat ------------------------------------------------------------------------------


def read_evasion(facts: Gather, unit: Unit, foes: Sequence[str], side: str) -> Evasion:
    """Return whether cavalry may retreat before a combat.

    A die decides if the enemy has cavalry.

    Rule: 10.2.2/option
    """
    view = facts.view
    together = facts.view.stack(str(unit.place))
    slow = [other.id for other in together if facts.word("arm", other.id) in (*terms.INFANTRY, terms.ARTILLERY)]
    clauses = [
        ("cavalry-retreats" not in view.words("options"), "10.2.2", "the option cavalry-retreats is not in use"),
        (view.word("arm", unit.id) != terms.CAVALRY, "10.2.2", "{unit} is not cavalry"),
        (slow and slow != [unit.id], "10.2.2", "{unit} is stacked with {slow}"),
    ]
    reasons = holding(clauses, unit=unit.id, slow=[other for other in slow if other != unit.id])
    rolls = any(facts.word("arm", foe) == terms.CAVALRY for foe in foes)
    return Evasion(lambda facts: read_evading(facts, unit, foes, side), reasons, rolls)


def read_evading(facts: Gather, unit: Unit, foes: Sequence[str], side: str) -> Retreat:
    """Return the retreat of a cavalry unit before a combat. Rule: 10.2.2/option, 10.2.2/effects, 10.2.2/release"""
    view = facts.view
    start = str(unit.place)
    around = field(facts).around(side)
    attacks = facts.word("phasing") == side
    first = facts.word("phase") == terms.FIRST_COMBAT
    free = view.ruling("evading-way") == "free"

    def entered(hexes: Sequence[str], units: Sequence[str]) -> EntryEffects:
        effects = enter_retreat(facts, around, start, hexes, units)
        if attacks:
            after = release_enemies(view, foes, unit.id, first=first)
        else:
            after = leave_attackers(view, start, foes, first=first)
        return effects._replace(changes=[*effects.changes, *after])

    decides = readymade.no_more if free else readymade.ask_for_track(facts, "barrier")
    return Retreat([unit.id], [], bars_of(around, homeward=not free), entered=entered, away=False, decides=decides)


def leave_attackers(view: View, at: str, foes: Sequence[str], *, first: bool) -> Iterator[AnyChange]:
    """Yield the changes for attackers of a hex that cavalry leaves empty: they have attacked, and may advance.

    `first`: whether this is a First Combat Phase.

    Rule: 10.2.2/effects
    """
    if len(view.stack(at)) > 1 or fortress(view, at):
        return  # the combat still takes place, and marks the attackers
    yield changed(view, "attacked", at, True, "10.2.2")
    able = [foe for foe in foes if view.word("arm", foe) in terms.ADVANCING_ARMS]
    yield from let_follow(view, dict.fromkeys(able, (at,)), foes, "10.2.2")
    for foe in foes:
        yield changed(view, "fought", foe, True, "10.2.2")
        if first:
            yield changed(view, "disrupted", foe, True, "10.2.2")


def release_enemies(view: View, foes: Iterable[str], unit: str, *, first: bool) -> Iterator[AnyChange]:
    """Yield the changes as attacking cavalry retreats before the combat: its enemies need not be attacked this phase.

    `first`: whether this is a First Combat Phase, in which a ruling decides whether the cavalry is disrupted.

    Rule: 10.2.2/release
    """
    yield changed(view, "fought", unit, True, "10.2.2")
    yield from let_follow(view, {}, [unit], "10.2.2")
    if first and view.ruling("evading-disruption") == "disrupted":
        yield changed(view, "disrupted", unit, True, "10.2.2")
    for place in dict.fromkeys(str(view.unit(foe).place) for foe in foes):
        yield changed(view, "spared", place, True, "10.2.2")


ADVANCE = "how far units may advance after a combat, and what falls to them"
EVADE = "whether cavalry retreats before a combat, and which way"
QUESTIONS = (
    readymade.retreat_question(
        readymade.RetreatRules(read_retreat, "6.5", "6.5", most=4, field=field, cancelled=True, owes=terms.OWES)
    ),
    readymade.pursuit_question(
        readymade.PursuitRules("advance", "advance", ADVANCE, "6.6", "6.6", "6.6", field), read_advance, AlongParameters
    ),
    readymade.evasion_question(
        readymade.EvasionRules(
            "evade", EVADE, read_evasion, "10.2.2", "6.5", most=2, highest=3, field=field, cancelled=True
        )
    ),
)
