"""The question `ezoc`: what enemy zones of control add to each hex of a move, and which hexes they close (4.1.4, 9.3,
13.2).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.field import Around, Barred, check_way, side_of
from assistant.mechanics.odds import half_up
from assistant.questions import Answers, Gather, InputError, Parameters, PlaceName, UnitName, View, Way, declare, note
from assistant.questions.report import Part, Report, Verdict, step, verdict
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber

from ..forces.armies import area, army_of, is_asset_unit, out_of_area
from ..forces.movement_points import (
    PREPARED_COST,
    PREPARING,
    Purpose,
    Spending,
    as_points,
    spending,
    spending_step,
    suppose,
)
from ..ground.calendar import Counter, is_counter
from ..ground.hexsides import assume_zones, field
from ..ground.works import level_in
from ..terms import COMBAT_ARMS
from .on_foot import closed_step, held_back, never_on_foot
from .roads import by_road

CHANGE, BETWEEN, TO_FRIENDS, TO_POSITION = 1, 6, 3, 2
"""Movement Points for entering or leaving zones, from one to another, there into a friend's hex, and into his position
(4.1.4).
"""
STRONG = 3
"""From which level on Improved Positions close the way from zone to zone (4.1.4a)."""


class Zones(msgspec.Struct, frozen=True):
    """Enemy zones around a move: all of them, those of strong positions, those of infantry formations; enemies: their
    hexes.
    """

    every: frozenset[str]
    strong: frozenset[str]
    formations: frozenset[str]
    enemies: frozenset[str]


class Friends(msgspec.Struct, frozen=True):
    """Who of the own side stands in the hex that is entered. position: whether in an Improved Position that counts."""

    anybody: bool = False
    combat: bool = False
    position: bool = False


def surcharge(
    here: str, there: str, every: Collection[str], friends: Friends, *, paid: bool = False
) -> tuple[int, str]:
    """The Movement Points that zones add to a step, and why; however many zones there are, one of these holds.

    paid: whether leaving a zone was paid for when one was entered. Rule: 4.1.4b, 4.1.4c, 4.1.4d, 4.1.4e
    """
    if here in every and there in every:
        if friends.position:
            return TO_POSITION, "from EZOC to EZOC, to a friend in an Improved Position"
        if friends.combat:
            return TO_FRIENDS, "from EZOC to EZOC, to a friendly combat unit"
        return BETWEEN, "from EZOC to EZOC"
    if (here in every and not paid) or there in every:
        return CHANGE, "out of an EZOC" if here in every else "into an EZOC"
    return 0, ""


def bar(here: str, there: str, zones: Zones, friends: Friends, arms: frozenset[str], *, counter: bool) -> Barred | None:
    """What closes a hex to units that move, None if nothing of these rules does.

    arms: of the units; counter: whether it is the Counter Movement Phase. Rule: 4.1.4a, 9.3, 9.5, 9.8, 13.2
    """
    if {here, there} <= zones.strong and not friends.anybody:
        why = f"from EZOC to EZOC of Improved Positions at Level {STRONG} or more, into an empty hex"
        return Barred("4.1.4a", why)
    if there not in zones.every or friends.combat:
        return None
    if arms.isdisjoint(COMBAT_ARMS):
        rule, kind = ("9.5", "an artillery unit") if "artillery" in arms else ("9.8", "a Corps Train")
        return Barred(rule, f"{kind} enters an EZOC only together with a friendly combat unit, or where one stands")
    if counter and "cavalry" in arms and there in zones.formations and here not in zones.every:
        why = "cavalry keeps out of the zone of an enemy infantry formation in the Counter Movement Phase"
        return Barred("9.3", why)
    return None


# --- the question -----------------------------------------------------------------------------------------------------


class EzocParameters(Parameters, frozen=True):
    """A move to be looked at."""

    units: Annotated[tuple[UnitName, ...], note("those that move together, from one hex")]
    way: Annotated[Way, note("the hexes that they enter, in order")]
    ground: Annotated[tuple[float, ...], note("the Movement Points for terrain and roads of each, by your chart")] = ()
    spent: Annotated[float, note("Movement Points that each unit has spent before in this phase")] = 0
    prepared: Annotated[PlaceName | None, note("the hex at which they then point Prepared Attack markers")] = None
    counter: Counter = None


class EzocHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that is entered."""

    hex: HexNumber
    extra: Annotated[int, note("Movement Points that enemy zones add")]
    rule: Annotated[str, note("the rule that closes it, or that sets the points")]
    why: Annotated[str, note("why zones add Movement Points, empty if they add none")] = ""
    barred: Annotated[str, note("what closes it, empty if nothing does")] = ""
    ground: Annotated[Fraction | None, note("Movement Points for the ground, null if not given")] = None


class EzocResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move through enemy zones."""

    hexes: Annotated[tuple[EzocHex, ...], note("each that is entered")]
    extra: Annotated[int, note("Movement Points that zones add in all")]
    points: Annotated[Fraction | None, note("with the ground, exactly, null if that is not given")] = None
    rounded: Annotated[int | None, note("the same as a whole number, if nothing else is done in the phase")] = None
    spending: Annotated[
        tuple[Spending, ...],
        note("what each unit then has spent in the phase, if its allowance is stated and the ground given"),
    ] = ()


def answer(view: View, parameters: EzocParameters, answers: Answers) -> Report[EzocResult]:
    """The report on a move: what each hex adds, and what closes it.

    Raises MissingFacts for what units near the way are, InputError for a way or units that cannot be.
    """
    moving = gather_movers(view, parameters)
    path = (str(moving[0].place), *parameters.way)
    counter = is_counter(view, parameters.counter)
    with view.gather() as facts:
        around, zones = zones_along(facts, moving, path)
        arms = frozenset(arm_on_foot(facts, unit) for unit in moving)
        nations = frozenset(facts.word("nation", unit.id) for unit in moving)
        friends = [friends_in(facts, moving, around.side, hex) for hex in parameters.way]
        held = [held_back(facts, moving, *step, counter=counter) for step in pairwise(path)]
    before = as_points(parameters.spent, "spent")
    grounds: list[Fraction | None] = [Fraction(points).limit_denominator(12) for points in parameters.ground]
    hexes, entered = [], False
    steps = zip(path, parameters.way, friends, held, grounds or [None] * len(friends), strict=False)
    for here, there, friend, held_there, ground in steps:
        leaves, enters = here in zones.every, there in zones.every
        paid = entered and leaves and not enters and view.ruling("ezoc-leaving") == "once"
        entered = entered or (enters and not leaves)
        extra, why = surcharge(here, there, zones.every, friend, paid=paid)
        closed = held_there or closed_step(view, nations, zones.enemies, here, there)
        closed = closed or bar(here, there, zones, friend, arms, counter=counter)
        closed = closed or kept_out(around, moving, there)
        rule, barred = closed or ("4.1.4", "")
        hexes.append(EzocHex(hex=there, rule=rule, barred=barred, extra=extra, why=why, ground=ground))
    extra = sum(hex.extra for hex in hexes)
    points = Fraction(extra) + sum(filter(None, grounds)) if grounds else None
    rounded = None if points is None else half_up(points)
    with view.gather() as facts:
        closed_off = any(hex.barred for hex in hexes)
        spends = () if points is None or closed_off else in_all(facts, moving, before + points, parameters)
    result = EzocResult(hexes=tuple(hexes), extra=extra, points=points, rounded=rounded, spending=spends)
    areas_left_out(around, moving, parameters.way)
    if alone := left_alone(view, moving, arms, zones):
        text = "left in {hex}, an EZOC, without a combat unit, so that they displace (ask displace): {units}"
        view.presume(step("9.5", text, hex=path[0], units=alone))
    for said in by_road(view, moving, path):
        view.presume(said)
    assume_zones(around, path)
    title = f"{' and '.join(unit.id for unit in moving)} from {path[0]} to {path[-1]}"
    return Report(title=title, verdict=conclusion(result), parts=(hexes_part(result), sum_part(result)), result=result)


def gather_movers(view: View, parameters: EzocParameters) -> list[Unit]:
    """The units that move. Raises InputError if they start apart or the way leads nowhere."""
    moving = [view.unit(name) for name in parameters.units]
    places = {unit.place for unit in moving}
    if not moving or len(places) > 1 or None in places:
        raise InputError("units: they do not stand in one hex", hint="name units that start together, on the map")
    check_way(view, str(moving[0].place), parameters.way)
    if parameters.prepared is not None and parameters.prepared not in view.board.neighbours(parameters.way[-1]):
        raise InputError(f"prepared: {parameters.prepared} is not next to {parameters.way[-1]}, where they end (8.4)")
    if parameters.prepared is not None and is_counter(view, parameters.counter):
        raise InputError("prepared: no such marker is placed in the Counter Movement Phase (8.4)")
    if parameters.ground and len(parameters.ground) != len(parameters.way):
        what = f"ground: {len(parameters.ground)} figures for {len(parameters.way)} hexes"
        raise InputError(what, hint="give the Movement Points of each hex, or of none")
    for points in parameters.ground:
        if not 0 < points < 100:
            raise InputError(f"ground: {points:g} is not a possible number of Movement Points")
    return moving


def arm_on_foot(facts: Gather, unit: Unit) -> str:
    """The arm of a unit that moves. Raises InputError for what does not move from hex to hex: fortress units, depots."""
    rule, why = never_on_foot(facts, unit)
    if why:
        raise InputError(f"units: {unit.id} is {why} ({rule})")
    return facts.word("arm", unit.id)


def in_all(facts: Gather, moving: Sequence[Unit], spent: Fraction, parameters: EzocParameters) -> tuple[Spending, ...]:
    """What each unit then has spent in the phase: the move, what it has spent before, and its marker if it is of an arm
    that places one (8.4.1). spent: without the marker.
    """
    together, each = tuple(unit.id for unit in moving), list[Spending]()
    for unit in moving:
        places = parameters.prepared is not None and facts.word("arm", unit.id) in PREPARING
        purpose: Purpose = "prepared" if places else "move"
        whole = spent + PREPARED_COST if places else spent
        if spends := spending(facts, unit, whole, purpose, parameters.counter, beside=together):
            each.append(spends)
        else:
            suppose(facts.view, unit.id)
    return tuple(each)


def left_alone(view: View, moving: Sequence[Unit], arms: frozenset[str], zones: Zones) -> list[str]:
    """The artillery and Corps Trains that combat units leave alone in an EZOC, so that they have to displace (9.5,
    9.8).
    """
    here = str(moving[0].place)
    if here not in zones.every or arms.isdisjoint(COMBAT_ARMS):
        return []
    staying = {unit.id: view.word("arm", unit.id) for unit in view.stack(here) if unit not in moving}
    guarded = any(arm in COMBAT_ARMS for arm in staying.values())
    return [] if guarded else [unit for unit, arm in staying.items() if arm in ("artillery", "corps-train")]


def zones_along(facts: Gather, moving: Sequence[Unit], path: Sequence[str]) -> tuple[Around, Zones]:
    """The field around a way, and the enemy zones there; friends do not cancel them for movement.
    Rule: 4.1.4a, 4.1.4e, 9.3
    """
    side = side_of(facts, moving[0])
    near = {place for hex in path for place in (hex, *facts.view.board.neighbours(hex))}
    around = field(facts, near=near).around(side)

    def strong(enemy: Unit) -> bool:
        return level_in(facts, str(enemy.place)) >= STRONG

    def formation(enemy: Unit) -> bool:
        return facts.word("arm", enemy.id) == "infantry" and not is_asset_unit(facts, enemy.id)

    of_strong, of_formations = (around.field.enemy_zone(side, only) for only in (strong, formation))
    return around, Zones(around.enemy_zones, of_strong, of_formations, around.enemies)


def friends_in(facts: Gather, moving: Sequence[Unit], side: str, hex: str) -> Friends:
    """Who of a side stands in a hex already, the moving units aside. Rule: 4.1.4d"""
    ours = [unit for unit in facts.view.stack(hex) if unit not in moving and side_of(facts, unit) == side]
    combat = any(facts.word("arm", unit.id) in COMBAT_ARMS for unit in ours)
    dug_in = bool(ours) and level_in(facts, hex) > 0
    needs_combat = dug_in and not combat and facts.view.ruling("ezoc-position") == "combat"
    return Friends(bool(ours), combat, dug_in and not needs_combat)


def kept_out(around: Around, moving: Sequence[Unit], there: str) -> Barred | None:
    """The bar of a hex next to an enemy outside the area of an army of the moving units, as far as that is stated."""
    armies = sorted({army_of(around.view, unit.id) for unit in moving})
    army = next((army for army in armies if out_of_area(around, army, there)), "")
    return Barred("6.3.1", f"it is next to an enemy and outside the area of {army}") if army else None


def areas_left_out(around: Around, moving: Sequence[Unit], way: Sequence[str]) -> None:
    """Note what is not judged of hexes next to enemies, as the area of an army is not stated."""
    view, beside = around.view, [hex for hex in way if around.next_to_enemy(hex)]
    bare = [unit.id for unit in moving if area(view, army_of(view, unit.id)) is None]
    if beside and bare:
        text = "{hexes} next to enemies: whether they lie in the Area of Attachment of {units} is left to the players"
        view.presume(step("6.3.1", text, hexes=beside, units=bare))


def conclusion(result: EzocResult) -> Verdict:
    """The answer in a line."""
    if closed := next((hex for hex in result.hexes if hex.barred), None):
        return verdict("no", "{hex} is closed: {why}", closed, why=closed.barred)
    if result.points is None:
        return verdict("figure", "enemy zones add {extra:#Movement Point}", result)
    if short := next((spends for spends in result.spending if spends.why), None):
        return verdict("no", "{unit} has {allowance} Movement Points, and {spent} would be spent: {why}", short)
    text = "{points:#Movement Point}, {extra} of them for enemy zones"
    if marching := [spends.unit for spends in result.spending if spends.march]:
        return verdict("figure", text + "; by Forced March: {marching}", result, marching=marching)
    if result.spending:
        return verdict("figure", text + "; {left} left", result, left=min(spends.left for spends in result.spending))
    text += "" if result.points == result.rounded else "; {rounded} if no more is spent in this phase"
    return verdict("figure", text, result)


def hexes_part(result: EzocResult) -> Part:
    """The hexes in order, in words."""
    steps = []
    for hex in result.hexes:
        if hex.barred:
            text = "{hex}: closed, {why}"
        else:
            text = "{hex}: +{extra}, {why}" if hex.extra else "{hex}: no EZOC cost"
        text += " (ground {ground})" if hex.ground is not None else ""
        steps.append(step(hex.rule, text, hex, why=hex.barred or hex.why))
    if result.points is not None and not any(hex.barred for hex in result.hexes):
        steps.append(step("4.5", "{points} in all; only the sum of the whole phase is rounded: {rounded}", result))
    return Part("Hexes", tuple(steps))


def sum_part(result: EzocResult) -> Part:
    """What each unit then has spent in the phase, in words."""
    return Part("Movement Points", tuple(map(spending_step, result.spending)))


QUESTION = declare("ezoc", "what enemy zones of control add to a move, and which hexes they close", answer)
