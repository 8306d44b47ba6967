"""Units that go from hex to hex: the questions `move`, what follows at once where they enter and leave (4.3, 8.9.3,
13.4, 13.5.1, 17.1.4, 18.1), `ezoc`, what enemy zones of control add to a move and which hexes they close (4.1.4, 9.3,
13.2), and `holding-box`, who enters and leaves the Bukowina Holding Box, and when (23.4); before them what keeps units
from going on foot, and what Road Movement costs more where friends stand in the way (8.1.4).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, takewhile
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from assistant.field import Around, Barred, check_way, side_of
from assistant.mechanics.odds import half_up
from assistant.questions import (
    Answers,
    Gather,
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    UnitName,
    View,
    Way,
    declare,
    holding,
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.questions.report import Ask, MissingFacts, Verdict
from assistant.questions.sketch import Sketch, Spot, sketch_of, way_of
from assistant.questions.view import changed
from assistant.readymade.sketches import enemies_of, of_way, side_at, zones_of
from assistant.state.state import Unit, hexside
from assistant.state.vocabulary import Allowed, HexNumber, UnitId
from assistant.util.errors import quoted

from ..combat.pieces import garrison_move, known_inside
from ..displacement.rules import DISPLACING
from ..entering.following import Following, March, Open, arrive, follows_changes, what_follows
from ..forces.armies import area, army_of, is_asset_unit, out_of_area
from ..forces.movement_points import (
    PREPARED_COST,
    PREPARING,
    Purpose,
    Spending,
    as_points,
    bar_of_marker,
    cannot_move,
    pinning_enemies,
    reckon_spending,
    spending_step,
    suppose_allowance,
)
from ..forces.units import has_turned
from ..ground.calendar import CounterPhase, is_counter_movement, why_no_movement
from ..ground.hexsides import OFF_MAP_NATION, Entry, around_side, assume_zones, between, entry_bar, field, impassable
from ..ground.works import level_in
from ..supply.rules import RAILS, ROADS
from ..terms import BUKOWINA_BOX, COMBAT_ARMS, DEPOTS, FORTRESSES, HALF_HEXES, SUPPLY_ARMS


def never_on_foot(facts: Gather, unit: Unit) -> tuple[str, str]:
    """The rule and what a unit is that never goes from hex to hex on foot, a fortress unit or a depot; two empty texts
    for any other.
    Rule: 12.1, 8.2.7
    """
    arm = facts.word("arm", unit.id)
    if arm in FORTRESSES:
        return "12.1", "a fortress unit, which never moves"
    return ("8.2.7", "a depot, which moves only along railways") if arm in DEPOTS else ("", "")


def steps_aside(facts: Gather, unit: Unit) -> bool:
    """Whether a unit that moves now spends no Movement Points on it: cavalry that reacts or retires, in a phase in
    which its side, as far as is stated, spends none.
    Rule: 9.1, 9.2
    """
    return facts.word("arm", unit.id) == "cavalry" and bool(why_no_movement(facts.view, side_of(facts, unit))[1])


def bar_of_movers(
    facts: Gather, moving: Sequence[Unit], here: str, hex: str, *, counter: bool, aside: bool = False
) -> Barred | None:
    """What keeps the first of some units from going from one hex to the next whatever lies there: that it never moves,
    a marker that it bears, one of an enemy that points at it, or the fortress that it is the garrison of (8.2.5, 8.4,
    8.4.2, 9.5.1, 12.4.1, 22.4.1).

    counter: whether it is the Counter Movement Phase; aside: whether cavalry among them steps aside where it spends no
    Movement Points.
    """
    for unit in moving:
        freely = aside and steps_aside(facts, unit)
        rule, why = cannot_move(facts, unit) if freely else bar_of_marker(facts, unit)
        if why:
            return Barred(rule, f"{unit.id} {why.removeprefix('it ')}")
        if counter and not freely and (pinning := pinning_enemies(facts, unit, here)):
            why = f"{unit.id} may not leave {here}: Prepared Attack markers of {', '.join(pinning)} point at it"
            return Barred("8.4.2", why)
        inside = not facts.flag("garrison", unit.id) or known_inside(facts, str(unit.place), hex)
        if garrison_move(inside, required=False, can_stay=True) == "barred":
            return Barred("12.4.1", f"{unit.id} is a Fortress Garrison and does not leave its fortress or complex")
    return None


def bar_of_step(view: View, nations: Collection[str], enemies: Collection[str], here: str, there: str) -> Barred | None:
    """What closes the next hex to units that move, None if nothing in the one table does. nations: of the units;
    enemies: the hexes where enemies stand.
    Rule: 4.2b, 23.4.1
    """
    return entry_bar(Entry(there, nations, there in enemies, impassable(between(view, here, there))))


def units_together(view: View, names: Sequence[str], way: Sequence[str]) -> list[Unit]:
    """The units that go together along a way. Raises InputError if they do not stand in one hex of the map, or the way
    leads nowhere.
    """
    moving = [view.unit(name) for name in names]
    places = {unit.place for unit in moving}
    if len(places) != 1 or None in places:
        raise InputError("units: they are not all in one hex", hint="name units that start together, on the map")
    check_way(view, str(moving[0].place), way)
    return moving


HALF = Fraction(1, 2)
HALVES = ("cavalry", "artillery", *SUPPLY_ARMS)
"""The arms of which every unit counts one half, whatever its size (8.1.4a)."""


def congestion(units: Iterable[tuple[str, str, bool]]) -> Fraction:
    """The Movement Points that a unit pays more where it enters a hex by road, for the friends in it.

    units: arm, size and whether it shows its reduced side, of each (8.1.4a).
    """
    return sum((_crowding(*unit) for unit in units), Fraction(0))


def _crowding(arm: str, size: str, reduced: bool) -> Fraction:
    if arm == "infantry":
        return {"XX": HALF if reduced else Fraction(1), "X": HALF}.get(size, Fraction(0))
    return HALF if arm in HALVES else Fraction(0)


def road_steps(view: View, moving: Sequence[Unit], path: Sequence[str]) -> Iterator[Step]:
    """What to bear in mind of roads along a path, as far as it is stated who stands where and where no road or RR line
    lies (8.1.4).
    """
    legs = [(here, there) for here, there in pairwise(path) if may_be_road(view, here, there)]
    if len(moving) > 1 and legs:
        yield step("8.1.4", "units that move together do not use Road Movement: a road spares them no terrain costs")
        return
    for _, there in legs:
        own = view.side_of(moving[0].id)
        friends = [unit for unit in view.stack(there) if unit not in moving and view.side_of(unit.id) == own]
        if points := congestion(
            (view.word("arm", friend.id), view.word("size", friend.id), shows_reduced(view, friend.id))
            for friend in friends
        ):
            text = "by road, {hex} costs {points:#Movement Point} more for the friendly units in it: include that in ground="
            yield step("8.1.4", text, hex=there, points=points)


def may_be_road(view: View, here: str, there: str) -> bool:
    """Whether a road or RR line is stated to lead from hex to hex, or nothing is stated of either."""
    said = [view.fact(track, hexside(here, there)) for track in ("road", "rail")]
    words = {str(fact.value) for fact in said if fact}
    return not words or not words.isdisjoint((*ROADS, *RAILS))


def shows_reduced(view: View, unit: str) -> bool:
    """Whether a unit shows its reduced side, as far as that is known."""
    back = view.fact("back-steps", unit)
    steps, lost = view.integer("steps", unit), view.integer("lost", unit)
    return view.flag("reduced", unit) or has_turned(steps, lost, view.integer("back-steps", unit) if back else 0)


class MoveParameters(Parameters, frozen=True):
    """Units that move."""

    units: Annotated[tuple[UnitName, ...], note("units that move together, from one hex")]
    way: Annotated[Way, note("the hexes that the units enter, in order")]


class MoveResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move."""

    units: Annotated[tuple[str, ...], note("the units that move")]
    way: Annotated[tuple[str, ...], note("the hexes that the units enter, in order")]
    unsettled: Annotated[
        tuple[str, ...],
        note("what another question or a fact decides: units that may be abandoned or displace, pontoon bridges"),
    ] = ()


def answer_move(view: View, parameters: MoveParameters, answers: Answers) -> Report[MoveResult]:
    """The report on a move: what keeps the units from it, or what follows from it, hex by hex.

    Raises MissingFacts for the nation of whoever moves and for what else the rules of a move turn on, InputError for a
    way or units that cannot be.
    """
    way = parameters.way
    moving = units_together(view, parameters.units, way)
    path = (str(moving[0].place), *way)
    title = f"{' and '.join(parameters.units)} from {path[0]} to {way[-1]}"
    with view.gather() as facts:
        standing = reasons_to_stay(facts, moving, path) or out_of_turn_steps(facts, moving)
    closed = read_unless(standing, lambda: closed_hexes(view, moving, path)) or []
    if reasons := [*standing, *closed]:
        text = "{why}" if standing else "{units} cannot go to {hex}: {why}"
        return refused(title, text, reasons, parameters, hex=way[-1])
    moves = [changed(view, "place", unit.id, way[-1], "8.1") for unit in moving]
    march = March(parameters.units, way)
    following = what_follows(view, [march])
    following = Following(following.changes, (*following.unsettled, *units_to_displace(view, march)))
    result = MoveResult(
        units=parameters.units, way=way, unsettled=tuple(matter.subject for matter in following.unsettled)
    )
    cost = step("8.1", "its cost, and what else may close a hex: ask ezoc")
    done = "{units} goes to {hex}" if len(moving) == 1 else "{units} go to {hex}"
    return Report(
        title=title,
        verdict=verdict("figure", done, result, hex=way[-1]),
        parts=(following.part, Part("Left to the players", (cost,))),
        changes=(*moves, *following.changes),
        result=result,
    )


def reasons_to_stay(facts: Gather, moving: Sequence[Unit], path: Sequence[str]) -> list[Step]:
    """What keeps some units where they are or on their way, whatever lies there; only the first for each. path: the hex
    where they stand, and those that they would enter.
    Rule: 8.4, 8.4.2, 8.5.4, 12.1, 12.4.1, 22.4.1, 22.5.1
    """
    counter, reasons = is_counter_movement(facts.view, None), list[Step]()
    for unit in moving:
        rule, what = never_on_foot(facts, unit)
        steps = (
            bar_of_movers(facts, [unit], here, there, counter=counter, aside=True) for here, there in pairwise(path)
        )
        if what:
            reasons.append(step(rule, "{unit} is {what}", unit=unit.id, what=what))
        elif bar := next(filter(None, steps), None):
            reasons.append(step(bar.rule, "{why}", why=bar.why))
    return reasons


def out_of_turn_steps(facts: Gather, moving: Sequence[Unit]) -> list[Step]:
    """Why some units do not move in this phase: their side spends no Movement Points, and they are not cavalry that steps
    aside.
    """
    marching = [unit for unit in moving if not steps_aside(facts, unit)]
    untimely = dict(why_no_movement(facts.view, side_of(facts, unit)) for unit in marching)
    return [step(rule, "{why}", why=why) for rule, why in untimely.items() if why]


def closed_hexes(view: View, moving: Sequence[Unit], path: Sequence[str]) -> list[Step]:
    """What closes the hexes that some units would enter, hex by hex. path: as in `reasons_to_stay`.
    Rule: 4.2b, 23.4.1
    """
    with view.gather() as facts:
        nations = {facts.word("nation", unit.id) for unit in moving}
        enemies = around_side(facts, side_of(facts, moving[0])).enemies
    bars = ((there, bar_of_step(view, nations, enemies, here, there)) for here, there in pairwise(path))
    return [step(bar.rule, "{hex}: {why}", hex=hex, why=bar.why) for hex, bar in bars if bar]


def units_to_displace(view: View, march: March) -> Iterator[Open]:
    """The artillery, Corps Trains and depots that have to leave their hex before anything else is done: units that go
    have come adjacent to them, or have left them alone there. The question `displace` says what becomes of each.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    now, named = view, set[str]()
    for leg in march.legs:
        arrival = arrive(now, leg)
        now = arrival.after
        there = [unit for hex in arrival.beside((*arrival.left, *arrival.entered)) for unit in now.stack(hex)]
        with now.gather() as facts:
            able = (unit for unit in there if unit.id not in named and now.word("arm", unit.id) in DISPLACING)
            due = [unit for unit in able if has_to_leave(facts, unit)]
        for unit in due:
            named.add(unit.id)
            text = "{unit} in {hex} is adjacent to an enemy and may have to leave its hex at once (ask displace)"
            _, rule, _ = DISPLACING[now.word("arm", unit.id)]
            yield Open(unit.id, step(rule, text, unit=unit.id, hex=unit.place))


def has_to_leave(facts: Gather, unit: Unit) -> bool:
    """Whether a unit has to leave its hex: a depot next to an enemy; artillery or a Corps Train in an EZOC without a
    friendly combat unit. Those in Rail Mode have a rule of their own.
    Rule: 9.5.1, 9.8.1, 9.9
    """
    if facts.flag("entrained", unit.id):
        return False
    around = around_side(facts, side_of(facts, unit))
    if facts.word("arm", unit.id) in DEPOTS:
        return around.next_to_enemy(str(unit.place))
    guarded = any(facts.word("arm", other.id) in COMBAT_ARMS for other in facts.view.stack(str(unit.place)))
    return unit.place in around.enemy_zones and not guarded


MOVE = declare(
    "move",
    "what follows at once when units move from hex to hex",
    answer_move,
    sketch=lambda view, report: way_sketch(view, report, report.shown.units, report.shown.way),
)


def way_sketch(
    view: View,
    report: Report[Any],
    units: Sequence[str],
    way: Sequence[str],
    labels: Mapping[str, str] = MappingProxyType({}),
) -> Sketch:
    """The way of units from hex to hex, with the enemy's zones of control. labels: what hexes cost, in a few characters."""
    start = str(view.unit(units[0]).place)
    return of_way(lambda result: (start, *way), field, lambda result: labels)(view, report)


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

    paid: whether leaving a zone was paid for when one was entered.
    Rule: 4.1.4b, 4.1.4c, 4.1.4d, 4.1.4e
    """
    if here in every and there in every:
        if friends.position:
            return TO_POSITION, "from EZOC to EZOC, to a friendly unit in an Improved Position"
        if friends.combat:
            return TO_FRIENDS, "from EZOC to EZOC, to a friendly combat unit"
        return BETWEEN, "from EZOC to EZOC"
    if (here in every and not paid) or there in every:
        return CHANGE, "out of an EZOC" if here in every else "into an EZOC"
    return 0, ""


def bar_of_zones(
    here: str, there: str, zones: Zones, friends: Friends, arms: frozenset[str], *, counter: bool
) -> Barred | None:
    """What closes a hex to units that move, None if nothing of these rules does.

    arms: of the units; counter: whether it is the Counter Movement Phase.
    Rule: 4.1.4a, 9.3, 9.5, 9.8, 13.2
    """
    if {here, there} <= zones.strong and not friends.anybody:
        why = f"from EZOC to EZOC of Improved Positions at Level {STRONG} or more, into an empty hex"
        return Barred("4.1.4a", why)
    if there not in zones.every or friends.combat:
        return None
    if arms.isdisjoint(COMBAT_ARMS):
        rule, kind = ("9.5", "an artillery unit") if "artillery" in arms else ("9.8", "a Corps Train")
        return Barred(rule, f"{kind} enters an EZOC only together with a friendly combat unit, or where one already is")
    if counter and "cavalry" in arms and there in zones.formations and here not in zones.every:
        why = "cavalry may not enter the ZOC of an enemy infantry formation in the Counter Movement Phase"
        return Barred("9.3", why)
    return None


# --- the question -----------------------------------------------------------------------------------------------------


class EzocParameters(Parameters, frozen=True):
    """A move to be looked at."""

    units: Annotated[tuple[UnitName, ...], note("units that move together, from one hex")]
    way: Annotated[Way, note("the hexes that the units enter, in order")]
    ground: Annotated[
        tuple[float, ...], note("Movement Points for terrain and roads in each hex, from your chart")
    ] = ()
    spent: Annotated[float, note("Movement Points that each unit has already spent in this phase")] = 0
    prepared: Annotated[PlaceName | None, note("the hex at which the units then point Prepared Attack markers")] = None
    counter: CounterPhase = None


class EzocHex(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that is entered."""

    hex: HexNumber
    extra: Annotated[int, note("Movement Points that EZOCs add")]
    rule: Annotated[str, note("the rule that closes the hex, or that sets the points")]
    why: Annotated[str, note("why EZOCs add Movement Points, empty if they add none")] = ""
    barred: Annotated[str, note("what closes the hex, empty if nothing does")] = ""
    ground: Annotated[Fraction | None, note("Movement Points for the ground, null if not given")] = None


class EzocResult(msgspec.Struct, frozen=True, kw_only=True):
    """A move through enemy zones."""

    at: Annotated[str, note("the hex where the units stand")]
    hexes: Annotated[tuple[EzocHex, ...], note("each hex that is entered")]
    extra: Annotated[int, note("Movement Points that EZOCs add in all")]
    points: Annotated[
        Fraction | None, note("Movement Points for EZOCs and for the ground, exactly; null if the ground is not given")
    ] = None
    rounded: Annotated[
        int | None,
        note(
            "Movement Points for EZOCs and for the ground, rounded, if nothing else is done in the phase; null if the ground is not given"
        ),
    ] = None
    spending: Annotated[
        tuple[Spending, ...],
        note("what each unit then has spent in the phase, if its allowance is stated and the ground given"),
    ] = ()


def answer_ezoc(view: View, parameters: EzocParameters, answers: Answers) -> Report[EzocResult]:
    """The report on a way: what each hex adds, and what closes it.

    Raises MissingFacts for what units near the way are, InputError for a way or units that cannot be.
    """
    moving = gather_movers(view, parameters)
    path = (str(moving[0].place), *parameters.way)
    counter = is_counter_movement(view, parameters.counter)
    with view.gather() as facts:
        around, zones = zones_along(facts, moving, path)
        arms = frozenset(arm_on_foot(facts, unit) for unit in moving)
        nations = frozenset(facts.word("nation", unit.id) for unit in moving)
        friends = [friends_in(facts, moving, around.side, hex) for hex in parameters.way]
        held = [bar_of_movers(facts, moving, *step, counter=counter) for step in pairwise(path)]
    before = as_points(parameters.spent, "spent")
    grounds: list[Fraction | None] = [Fraction(points).limit_denominator(12) for points in parameters.ground]
    hexes, entered = [], False
    steps = zip(path, parameters.way, friends, held, grounds or [None] * len(friends), strict=False)
    for here, there, friend, held_there, ground in steps:
        leaves, enters = here in zones.every, there in zones.every
        paid = entered and leaves and not enters and view.ruling("ezoc-leaving") == "once"
        entered = entered or (enters and not leaves)
        extra, why = surcharge(here, there, zones.every, friend, paid=paid)
        closed = held_there or bar_of_step(view, nations, zones.enemies, here, there)
        closed = closed or bar_of_zones(here, there, zones, friend, arms, counter=counter)
        closed = closed or bar_of_area(around, moving, there)
        rule, barred = closed or ("4.1.4", "")
        hexes.append(EzocHex(hex=there, rule=rule, barred=barred, extra=extra, why=why, ground=ground))
    extra = sum(hex.extra for hex in hexes)
    points = Fraction(extra) + sum(filter(None, grounds)) if grounds else None
    rounded = None if points is None else half_up(points)
    rule, untimely = ("", "") if points is None else why_no_movement(view, around.side, parameters.counter)
    with view.gather() as facts:
        none_spent = points is None or untimely or any(hex.barred for hex in hexes)
        spends = () if none_spent else reckon_all(facts, moving, before + (points or 0), parameters)
    result = EzocResult(at=path[0], hexes=tuple(hexes), extra=extra, points=points, rounded=rounded, spending=spends)
    note_areas_left_out(around, moving, parameters.way)
    if alone := units_left_alone(view, moving, arms, zones):
        text = "left in {hex}, an EZOC, without a combat unit, and therefore displaced (ask displace): {units}"
        view.presume(step("9.5", text, hex=path[0], units=alone))
    for said in road_steps(view, moving, path):
        view.presume(said)
    assume_zones(around, path)
    title = f"{' and '.join(unit.id for unit in moving)} from {path[0]} to {path[-1]}"
    return Report(
        title=title,
        verdict=conclusion(result, untimely),
        parts=(
            hexes_part(result),
            Part("Not allowed", (step(rule, "{why}", why=untimely),) if untimely else ()),
            Part("Movement Points", tuple(map(spending_step, result.spending))),
        ),
        result=result,
    )


def gather_movers(view: View, parameters: EzocParameters) -> list[Unit]:
    """The units that move. Raises InputError if they start apart or the way leads nowhere."""
    moving = units_together(view, parameters.units, parameters.way)
    if parameters.prepared is not None and parameters.prepared not in view.board.neighbours(parameters.way[-1]):
        raise InputError(
            f"prepared: {parameters.prepared} is not adjacent to {parameters.way[-1]}, where they end (8.4)"
        )
    if parameters.prepared is not None and is_counter_movement(view, parameters.counter):
        raise InputError("prepared: no such marker is placed in the Counter Movement Phase (8.4)")
    if parameters.ground and len(parameters.ground) != len(parameters.way):
        what = f"ground: {len(parameters.ground)} figures for {len(parameters.way)} hexes"
        raise InputError(what, hint="give the Movement Points of each hex, or of none")
    for points in parameters.ground:
        if not 0 < points < 100:
            raise InputError(f"ground: no hex costs {points:g} Movement Points")
    return moving


def arm_on_foot(facts: Gather, unit: Unit) -> str:
    """The arm of a unit that moves. Raises InputError for what does not move from hex to hex: fortress units, depots."""
    rule, why = never_on_foot(facts, unit)
    if why:
        raise InputError(f"units: {unit.id} is {why} ({rule})")
    return facts.word("arm", unit.id)


def reckon_all(
    facts: Gather, moving: Sequence[Unit], spent: Fraction, parameters: EzocParameters
) -> tuple[Spending, ...]:
    """What each unit then has spent in the phase: the move, what it has spent before, and its marker if it is of an arm
    that places one (8.4.1). spent: without the marker.
    """
    together, each = tuple(unit.id for unit in moving), list[Spending]()
    for unit in moving:
        places = parameters.prepared is not None and facts.word("arm", unit.id) in PREPARING
        purpose: Purpose = "prepared" if places else "move"
        whole = spent + PREPARED_COST if places else spent
        if spends := reckon_spending(facts, unit, whole, purpose, parameters.counter, beside=together):
            each.append(spends)
        else:
            suppose_allowance(facts.view, unit.id)
    return tuple(each)


def units_left_alone(view: View, moving: Sequence[Unit], arms: frozenset[str], zones: Zones) -> list[str]:
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


def bar_of_area(around: Around, moving: Sequence[Unit], there: str) -> Barred | None:
    """The bar of a hex next to an enemy outside the area of an army of the moving units, as far as that is stated."""
    armies = sorted({army_of(around.view, unit.id) for unit in moving})
    army = next((army for army in armies if out_of_area(around, army, there)), "")
    return Barred("6.3.1", f"it is adjacent to an enemy and outside the area of {army}") if army else None


def note_areas_left_out(around: Around, moving: Sequence[Unit], way: Sequence[str]) -> None:
    """Note what is not judged of hexes adjacent to enemies, as the area of an army is not stated."""
    view, beside = around.view, [hex for hex in way if around.next_to_enemy(hex)]
    bare = [unit.id for unit in moving if area(view, army_of(view, unit.id)) is None]
    if beside and bare:
        text = (
            "{hexes} adjacent to enemies: whether they lie in the Area of Attachment of {units} is left to the players"
        )
        view.presume(step("6.3.1", text, hexes=beside, units=bare))


def conclusion(result: EzocResult, untimely: str) -> Verdict:
    """The answer in a line. untimely: why the side spends no Movement Points now, "" if it may."""
    if closed := next((hex for hex in result.hexes if hex.barred), None):
        return verdict("no", "{hex} is closed: {why}", closed, why=closed.barred)
    if result.points is None:
        return verdict("figure", "EZOCs add {extra:#Movement Point}", result)
    if untimely:
        return verdict("no", "{why}", why=untimely)
    if short := next((spends for spends in result.spending if spends.why), None):
        return verdict("no", "{unit} has {allowance} Movement Points, but {spent} would be spent: {why}", short)
    text = "{points:#Movement Point}, {extra} of them for EZOCs"
    if marching := [spends for spends in result.spending if spends.march]:
        text, spent, march = text + "; {spent} spent in this phase, ", marching[0].spent, marching[0].march
        if any(spends.march != march for spends in marching):
            marches = [step("", "{unit} {march}", spends).text for spends in marching]
            return verdict("figure", text + "of them by Forced March: {marches}", result, spent=spent, marches=marches)
        text += "{march} of them by Forced March: {marching}"
        return verdict("figure", text, result, spent=spent, march=march, marching=[s.unit for s in marching])
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


def ezoc_sketch(view: View, report: Report[EzocResult]) -> Sketch:
    """The way, what EZOCs and the ground add up to in each hex, the first hex that is closed, and the enemy's zones."""
    result, side = report.shown, side_at(view, report.shown.at)
    open_ones = list(takewhile(lambda hex: not hex.barred, result.hexes))
    closed = result.hexes[len(open_ones) : len(open_ones) + 1]
    last = open_ones[-1] if open_ones and not closed else None
    return sketch_of(
        view,
        report,
        side=side,
        spots=(
            Spot(hex=result.at, role="start"),
            *(Spot(hex=hex.hex, role="end" if hex is last else "passed", label=cost_of(hex)) for hex in open_ones),
            *(Spot(hex=hex.hex, role="barred", why=hex.barred) for hex in closed),
        ),
        arrows=way_of((result.at, *(hex.hex for hex in open_ones)), side),
        zones=zones_of(view, field, enemies_of(view, side)),
    )


def cost_of(hex: EzocHex) -> str:
    """What a hex costs, in a few characters: what EZOCs add, and what the ground costs where that is given."""
    return step("", "{ground}+{extra}" if hex.ground is not None else "+{extra}", hex).text


EZOC = declare("ezoc", "what enemy ZOCs add to a move, and which hexes they close", answer_ezoc, sketch=ezoc_sketch)


HALF_HEX_COST = 1
"""Movement Points to enter a half-hex, in an EZOC or not (23.4.1)."""
ENTERED = "box-entered"
"""The track of the game turn in which a unit entered the Box in a movement phase."""


def nation_bar(nation: str, hex: str) -> list[Step]:
    """Why a unit does not pass a half-hex: only Austro-Hungarians enter these, and the Box by no others. hex: the
    half-hex.
    Rule: 23.4, 23.4.1
    """
    reasons = (
        (nation != OFF_MAP_NATION, "23.4", "only Austro-Hungarian units enter the Bukowina Holding Box"),
        (hex not in HALF_HEXES, "23.4.1", "{hex} is not one of the half-hexes {hexes}"),
    )
    return holding(reasons, hex=hex, hexes=HALF_HEXES)


def box_steps_against(entered: int, turn: int) -> list[Step]:
    """Why a unit does not leave the Box yet: it entered it in a movement phase of this game turn. entered: 0 if it did
    not, or earlier.
    Rule: 23.4.2
    """
    text = "it entered the Box in a movement phase of GT {turn} and leaves it in a later one"
    return [step("23.4.2", text, turn=entered)] if entered >= turn else []


# --- the question -----------------------------------------------------------------------------------------------------


class HoldingBoxParameters(Parameters, frozen=True):
    """A unit that enters or leaves the Box."""

    unit: Annotated[UnitName, note("its id")]
    to: Annotated[
        PlaceName | None,
        note("the half-hex that the unit enters from the map or from the Box; if left out, the unit goes into the Box"),
    ] = None
    retreat: Annotated[
        bool, note("whether the unit retreats into the Box, and so may leave the Box in the same game turn")
    ] = False
    moved_in: Annotated[
        bool | None,
        note("whether the unit entered the Box in a movement phase of this game turn; from box-entered if left out"),
    ] = msgspec.field(name="moved-in", default=None)


class HoldingBoxResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a unit may go there."""

    unit: UnitId
    allowed: Allowed
    place: Annotated[str, note("where the unit is then")]
    points: Annotated[int, note("Movement Points that the move costs")]


def answer_holding_box(view: View, parameters: HoldingBoxParameters, answers: Answers) -> Report[HoldingBoxResult]:
    """The report on the way into the Box or out of it. Raises InputError for a unit that is elsewhere, MissingFacts for
    its nation, and for when it entered the Box that it leaves.
    """
    unit, to = view.unit(parameters.unit), parameters.to
    here, inside = str(unit.place or ""), unit.place == BUKOWINA_BOX
    if to == BUKOWINA_BOX:
        to = None
    if not here or (inside and to is None):
        raise InputError(
            f"unit: {unit.id} is {f'in {here}' if here else 'not on the map'}", hint="give to=HALF-HEX to leave the Box"
        )
    if to and not inside:
        view.board.check_adjacent(here, to, "a unit enters a half-hex only from an adjacent hex")
    with view.gather() as facts:
        nation = facts.word("nation", unit.id)
        bound = ("", "") if parameters.retreat else bar_of_marker(facts, unit) if to else cannot_move(facts, unit)
    reasons = nation_bar(nation, to or here)
    reasons += [step(bound[0], "{why}", why=bound[1])] if bound[1] else []
    turn = 0
    if not reasons and (inside or (to is None and not parameters.retreat)):
        with view.gather() as facts:
            turn = facts.integer("turn")
    reasons += (
        box_steps_against(turn_of_entry(view, unit.id, turn, parameters.moved_in), turn)
        if inside and not reasons
        else []
    )
    place, points = to or BUKOWINA_BOX, HALF_HEX_COST if to else 0
    result = HoldingBoxResult(unit=unit.id, allowed=not reasons, place=place, points=0 if reasons else points)
    title = f"{unit.id} and the {BUKOWINA_BOX}"
    if reasons:
        return refused(title, "{unit} may not go to {place}", reasons, result, result=result)
    changes = [changed(view, "place", unit.id, place, "23.4.1")]
    marked = turn if to is None and not parameters.retreat else None
    if view.state.value(ENTERED, unit.id) != marked:
        changes.append(changed(view, ENTERED, unit.id, marked, "23.4.2"))
    following = follows_changes(view, changes)
    return Report(
        title=title,
        verdict=verdict("yes", "{unit} may go to {place}: {points:#Movement Point}", result),
        parts=(Part("The Box", box_steps(to)), following.part),
        changes=(*changes, *following.changes),
        result=result,
    )


def turn_of_entry(view: View, unit: str, turn: int, moved_in: bool | None) -> int:
    """The game turn in which a unit entered the Box in a movement phase, 0 if it did not in this one. moved_in: whether
    it did, as the player says. Raises MissingFacts if neither the player nor the position says so.
    """
    if moved_in is not None:
        return turn if moved_in else 0
    if view.fact(ENTERED, unit) is not None:
        return view.integer(ENTERED, unit)
    title = f"whether {unit} entered the Box in a movement phase of GT {turn}"
    how = f"moved-in=yes|no, or {quoted(unit)} {ENTERED}=TURN"
    raise MissingFacts([Ask(kind="parameter", name="moved-in", rule="23.4.2", title=title, how=how)])


def box_steps(to: str | None) -> tuple[Step, ...]:
    """What holds there, in words."""
    if to is None:
        return (step("23.4", "in the Box it is In Supply, may recover levels, and need never come back"),)
    text = "an EZOC does not bar the half-hex; at the end of a player turn any unit left there goes into the Box"
    return (step("23.4.1", text),)


HOLDING_BOX = declare("holding-box", "whether a unit may enter or leave the Bukowina Holding Box", answer_holding_box)

QUESTIONS = (MOVE, EZOC, HOLDING_BOX)
