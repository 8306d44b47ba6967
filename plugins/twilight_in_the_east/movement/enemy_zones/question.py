"""The question `ezoc`: what enemy zones of control add to each hex of a move, and which hexes they close (4.1.4, 9.3, 13.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.mechanics.rounding import half_up
from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Part, Report, Step, Verdict
from assistant.questions.view import Gather, View
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.armies import area, army_of, kept_from_enemy
from ...forces.assets import is_asset_unit
from ...forces.markers import bound_by_marker, pinned_by
from ...fortresses.garrisons import garrison_move, known_inside
from ...ground.improved_positions import level_in
from ...ground.phases import phase_of
from ...ground.zones import Barriers, exerts_zone, side_of, unsaid_step, zones
from ...terms import COMBAT_ARMS, DEPOTS, FORTRESSES

CHANGE, BETWEEN, TO_FRIENDS, TO_POSITION = 1, 6, 3, 2
"""Movement Points for entering or leaving zones, from one to another, there into a friend's hex, and into his position (4.1.4)."""
STRONG = 3
"""From which level on Improved Positions close the way from zone to zone (4.1.4a)."""


class EzocParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move to be looked at."""

    units: Annotated[tuple[UnitName, ...], note("those that move together, from one hex")]
    way: Annotated[tuple[PlaceName, ...], note("the hexes that they enter, in order")]
    ground: Annotated[
        tuple[float, ...], note("the Movement Points for terrain and roads of each of these hexes, by your chart")
    ] = ()
    counter: Annotated[
        bool | None, note("whether it is the Counter Movement Phase, as the position says if left out")
    ] = None


class EzocHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that is entered."""

    hex: Annotated[str, note("its number")]
    extra: Annotated[int, note("Movement Points that enemy zones add")]
    rule: Annotated[str, note("that closes it, or that sets the points")]
    why: Annotated[str, note("in words, empty if they add none")] = ""
    barred: Annotated[str, note("what closes it, empty if nothing does")] = ""
    ground: Annotated[Fraction | None, note("Movement Points for the ground, null if not given")] = None


class EzocResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move through enemy zones."""

    hexes: Annotated[tuple[EzocHex, ...], note("each that is entered")]
    extra: Annotated[int, note("Movement Points that zones add in all")]
    points: Annotated[Fraction | None, note("with the ground, exactly, null if that is not given")] = None
    rounded: Annotated[int | None, note("the same as a whole number, if nothing else is done in the phase")] = None


class Zones(NamedTuple):
    """Enemy zones around a move: all of them, those of strong positions, those of infantry formations; enemies: their hexes."""

    every: frozenset[str]
    strong: frozenset[str]
    formations: frozenset[str]
    enemies: frozenset[str]


class Friends(NamedTuple):
    """Who of the own side stands in the hex that is entered. position: whether in an Improved Position that counts."""

    anybody: bool = False
    combat: bool = False
    position: bool = False


def answer(view: View, parameters: EzocParameters, answers: Answers) -> Report[EzocResult]:
    """The report on a move: what each hex adds, and what closes it.

    Raises MissingFacts for what units near the way are, InputError for a way or units that cannot be.

    Rule: 4.1.4e, 4.5a
    """
    del answers
    moving = starting(view, parameters)
    path = (str(moving[0].place), *parameters.way)
    barriers = Barriers(view)
    counter = phase_of(view) == "counter-movement" if parameters.counter is None else parameters.counter
    with view.gather() as facts:
        found = around(facts, moving, path, barriers)
        arms = frozenset(arm_on_foot(facts, unit) for unit in moving)
        friends = [friends_in(facts, moving, hex) for hex in parameters.way]
        held = [
            next(filter(any, (held_back(facts, unit, *step, counter=counter) for unit in moving)), ("", ""))
            for step in pairwise(path)
        ]
    grounds: list[Fraction | None] = [Fraction(points).limit_denominator(12) for points in parameters.ground]
    hexes = []
    entered = False
    for (here, there), friend, ground, (rule, barred) in zip(
        pairwise(path), friends, grounds or [None] * len(friends), held, strict=True
    ):
        leaves = here in found.every and there not in found.every
        paid = entered and leaves and view.ruling("ezoc-leaving") == "once"
        entered = entered or (there in found.every and here not in found.every)
        extra, why = surcharge(here, there, found.every, friend, paid=paid)
        if not barred:
            rule, barred = bar(here, there, found, friend, arms, counter=counter)
        if not barred and (army := kept_out(view, moving, there, found.enemies)):
            rule, barred = "6.3.1", f"it is next to an enemy and outside the area of {army}"
        hexes.append(EzocHex(hex=there, extra=extra, rule=rule or "4.1.4", why=why, barred=barred, ground=ground))
    extra = sum(hex.extra for hex in hexes)
    points = extra + sum((hex.ground for hex in hexes if hex.ground is not None), Fraction(0))
    result = EzocResult(hexes=tuple(hexes), extra=extra)
    if parameters.ground:
        result = msgspec.structs.replace(result, points=points, rounded=half_up(points))
    parts = [hexes_part(result)]
    granted = unsaid_areas(view, moving, parameters.way, found.enemies)
    if unsaid := sorted(side for side in barriers.unsaid if set(side.split("|")) & set(path)):
        granted.append(unsaid_step(unsaid))
    if granted:
        parts.append(Part("Taken for granted", tuple(granted)))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"{' and '.join(unit.id for unit in moving)} from {path[0]} to {path[-1]}",
        verdict=verdict(result),
        parts=tuple(parts),
        result=result,
    )


def starting(view: View, parameters: EzocParameters) -> list[Unit]:
    """The units that move. Raises InputError if they start apart or the way is none."""
    moving = [view.unit(name) for name in parameters.units]
    places = {unit.place for unit in moving}
    if not moving or len(places) > 1 or None in places:
        raise InputError("units: they do not stand in one hex", hint="name units that start together, on the map")
    if not parameters.way:
        raise InputError("way: no hex is entered", hint="name every hex that is entered, in order")
    for here, there in pairwise((str(moving[0].place), *parameters.way)):
        if there not in view.board.neighbours(here):
            raise InputError(f"way: {there} is not next to {here}", hint="name every hex that is entered, in order")
    if parameters.ground and len(parameters.ground) != len(parameters.way):
        what = f"ground: {len(parameters.ground)} figures for {len(parameters.way)} hexes"
        raise InputError(what, hint="give the Movement Points of each hex, or of none")
    for points in parameters.ground:
        if not 0 < points < 100:
            raise InputError(f"ground: {points:g} Movement Points cannot be")
    return moving


def arm_on_foot(facts: Gather, unit: Unit) -> str:
    """The arm of a unit that moves. Raises InputError for what does not move from hex to hex: fortress units, depots."""
    arm = facts.word("arm", unit.id)
    if arm in FORTRESSES:
        raise InputError(f"units: {unit.id} is a fortress unit, which never moves (12.1)")
    if arm in DEPOTS:
        raise InputError(f"units: {unit.id} is a depot, which moves along railways only (8.2.7)")
    return arm


def held_back(facts: Gather, unit: Unit, here: str, hex: str, *, counter: bool) -> tuple[str, str]:
    """What keeps a unit from going from one hex to the next whatever lies there, the rule and why: a marker that it bears, one
    of an enemy that points at it, or the fortress that it is the garrison of (8.2.5, 8.4, 8.4.2, 9.5.1, 12.4.1); two empty texts
    if nothing does."""
    rule, why = bound_by_marker(facts, unit)
    if why:
        return rule, f"{unit.id}: {why}"
    if counter and (pinning := pinned_by(facts, unit, here)):
        return "8.4.2", f"{unit.id} may not leave {here}: Prepared Attack markers of {', '.join(pinning)} point at it"
    inside = not facts.flag("garrison", unit.id) or known_inside(facts, str(unit.place), hex)
    if garrison_move(inside, required=False, can_stay=True) == "barred":
        return "12.4.1", f"{unit.id} is a Fortress Garrison and does not leave its fortress or complex"
    return "", ""


def around(facts: Gather, moving: Sequence[Unit], path: Sequence[str], barriers: Barriers) -> Zones:
    """The enemy zones around a way; friends do not cancel them for movement.

    Rule: 4.1.4e, 4.1.1
    """
    view = facts.view
    side = side_of(facts, moving[0])
    near = {place for hex in path for place in (hex, *view.board.neighbours(hex))}
    every, strong, formations, enemies = set[str](), set[str](), set[str](), set[str]()
    for unit in view.units():
        if unit.place not in near or side_of(facts, unit) in (side, ""):
            continue
        place = str(unit.place)
        arm = facts.word("arm", unit.id)
        enemies.add(place)
        if not exerts_zone(arm, facts.flag("entrained", unit.id)):
            continue
        every.add(place)
        if level_in(facts, place) >= STRONG:
            strong.add(place)
        if arm == "infantry" and not is_asset_unit(facts, unit.id):
            formations.add(place)
    reached = [zones(places, view.board.neighbours, barriers) for places in (every, strong, formations)]
    return Zones(reached[0], reached[1], reached[2], frozenset(enemies))


def friends_in(facts: Gather, moving: Sequence[Unit], hex: str) -> Friends:
    """Who stands in a hex already, the moving units aside.

    Rule: 4.1.4d
    """
    there = [unit for unit in facts.view.stack(hex) if unit not in moving]
    side = side_of(facts, moving[0])
    ours = [unit for unit in there if side_of(facts, unit) == side]
    combat = any(facts.word("arm", unit.id) in COMBAT_ARMS for unit in ours)
    dug_in = bool(ours) and level_in(facts, hex) > 0
    needs_combat = dug_in and not combat and facts.view.ruling("ezoc-position") == "combat"
    return Friends(bool(ours), combat, dug_in and not needs_combat)


def surcharge(here: str, there: str, every: frozenset[str], friends: Friends, *, paid: bool = False) -> tuple[int, str]:
    """The Movement Points that zones add to a step, and why; however many zones there are, one of these holds.

    paid: whether leaving a zone was paid for when one was entered.

    Rule: 4.1.4b, 4.1.4c, 4.1.4d, 4.1.4e
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


def bar(
    here: str, there: str, found: Zones, friends: Friends, arms: frozenset[str], *, counter: bool
) -> tuple[str, str]:
    """What closes a hex to the moving units: the rule and why, two empty texts if nothing of these rules does.

    Rule: 4.1.4a, 9.3, 13.2
    """
    if there in found.enemies:
        return "4.2", "enemies stand there"
    if {here, there} <= found.strong and not friends.anybody:
        return "4.1.4a", f"from EZOC to EZOC of Improved Positions at Level {STRONG} or more, into an empty hex"
    if there not in found.every or friends.combat:
        return "", ""
    if arms.isdisjoint(COMBAT_ARMS):
        rule, kind = ("9.5", "an artillery unit") if "artillery" in arms else ("9.8", "a Corps Train")
        return rule, f"{kind} enters an EZOC only together with a friendly combat unit, or where one stands"
    if counter and "cavalry" in arms and there in found.formations and here not in found.every:
        return "9.3", "cavalry keeps out of the zone of an enemy infantry formation in the Counter Movement Phase"
    return "", ""


def kept_out(view: View, moving: Sequence[Unit], there: str, enemies: frozenset[str]) -> str:
    """The army whose area keeps one of the moving units out of a hex next to an enemy, "" if none does as far as is stated."""
    next_to_enemy = not enemies.isdisjoint(view.board.neighbours(there))
    armies = sorted({army_of(view, unit.id) for unit in moving})
    return next((one for one in armies if kept_from_enemy(there, area(view, one), next_to_enemy=next_to_enemy)), "")


def unsaid_areas(view: View, moving: Sequence[Unit], way: Sequence[str], enemies: frozenset[str]) -> list[Step]:
    """What is not judged of hexes next to enemies, as nobody states the area of an army."""
    beside = [hex for hex in way if not enemies.isdisjoint(view.board.neighbours(hex))]
    bare = [unit.id for unit in moving if area(view, army_of(view, unit.id)) is None]
    text = "{hexes} next to enemies: whether they lie in the Area of Attachment of {units} is left to the players"
    return [Step("6.3.1", text, {"hexes": beside, "units": bare})] if beside and bare else []


def verdict(result: EzocResult) -> Verdict:
    """The answer in a line."""
    figures = {"extra": result.extra, "points": result.points, "rounded": result.rounded}
    for hex in result.hexes:
        if hex.barred:
            return Verdict("no", "{hex} is closed: {why}", {"hex": hex.hex, "why": hex.barred})
    if result.points is None:
        return Verdict("figure", "enemy zones add {extra:#Movement Point}", figures)
    text = "{points:#Movement Point}, {extra} of them for enemy zones"
    return Verdict(
        "figure", text if result.points == result.rounded else text + "; {rounded} if nothing follows", figures
    )


def hexes_part(result: EzocResult) -> Part:
    """The hexes in order, in words.

    Rule: 4.5a
    """
    steps = []
    for hex in result.hexes:
        figures = {"hex": hex.hex, "extra": hex.extra, "why": hex.barred or hex.why, "ground": hex.ground}
        if hex.barred:
            text = "{hex}: closed, {why}"
        else:
            text = "{hex}: +{extra}, {why}" if hex.extra else "{hex}: no zone counts"
        steps.append(Step(hex.rule, text + (" (ground {ground})" if hex.ground is not None else ""), figures))
    if result.points is not None:
        figures = {"points": result.points, "rounded": result.rounded}
        steps.append(Step("4.5", "{points} in all; only the sum of the whole phase is rounded: {rounded}", figures))
    return Part("Hexes", tuple(steps))


QUESTION = Question(
    name="ezoc",
    title="what enemy zones of control add to a move, and which hexes they close",
    parameters=EzocParameters,
    result=EzocResult,
    answer=answer,
    answers={},
)
