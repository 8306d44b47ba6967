"""The question `cavalry`: whether a cavalry unit may step aside, must, or may not, and into which hexes (9.1, 9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Part, Report, Step, Verdict
from assistant.questions.view import Gather, View
from assistant.state.state import hexside
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.armies import area, army_of, kept_from_enemy
from ...forces.reading import is_demoralized
from ...fortresses.garrisons import garrison_move, is_inside
from ...ground.hexsides import closed
from ...ground.zones import Barriers, exerts_zone, side_of, unsaid_step, zones


class CavalryParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cavalry unit that may step aside."""

    unit: Annotated[UnitName, note("its id")]
    when: Annotated[
        Literal["reaction", "retirement"], note("reaction (an enemy has just moved) or retirement (after the combats)")
    ] = "reaction"
    enemy: Annotated[tuple[UnitName, ...], note("the units that moved together, where they stand now")] = ()
    left: Annotated[PlaceName | None, note("the hex that they came from")] = None


class AsideHex(msgspec.Struct, frozen=True):
    """A hex next to the unit."""

    hex: Annotated[str, note("its number")]
    barred: Annotated[str, note("why it cannot be entered, empty if it can")] = ""
    rule: Annotated[str, note("that bars it")] = ""


class CavalryResult(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a cavalry unit steps aside."""

    unit: Annotated[str, note("its id")]
    when: Annotated[str, note("reaction or retirement")]
    trigger: Annotated[int, note("1 or 2 of a reaction, 0 for none")]
    may: Annotated[bool, note("whether it may")]
    must: Annotated[bool, note("whether it has to")]
    why: Annotated[str, note("what lets it or forbids it")]
    options: Annotated[tuple[AsideHex, ...], note("the hexes around it")]

    @property
    def open(self) -> list[str]:
        """The hexes that it may enter."""
        return [option.hex for option in self.options if not option.barred]


class Around(NamedTuple):
    """Who stands around a cavalry unit.

    place: its hex; friends, enemies: hexes with units of its own side (itself aside) and of the other; zones: hexes in enemy
    zones of control; others: those in the zones of enemies other than the one that moved; unsaid: hexsides of which nothing
    is said; garrison: whether the unit is a Fortress Garrison that need not leave; outside: hexes next to enemies that
    the area of its army keeps it out of (ruling aside-area).
    """

    place: str
    friends: frozenset[str]
    enemies: frozenset[str]
    zones: frozenset[str]
    others: frozenset[str]
    unsaid: frozenset[str]
    garrison: bool = False
    outside: frozenset[str] = frozenset()


def answer(view: View, parameters: CavalryParameters, answers: Answers) -> Report[CavalryResult]:
    """The report on a cavalry unit that may step aside.

    Raises MissingFacts for whatever matters and nobody stated, InputError for a unit that is no cavalry or not on the map.

    Rule: 9.1, 9.2
    """
    del answers
    placed = view.unit(parameters.unit)
    with view.gather() as facts:
        if facts.word("arm", placed.id) not in ("", "cavalry"):
            raise InputError(f"unit: {placed.id} is no cavalry unit")
        if placed.place is None:
            raise InputError(f"unit: {placed.id} is not on the map")
        demoralized = is_demoralized(facts, placed)
        around = surroundings(facts, parameters)
        out_of_supply = facts.word("supply", placed.id) == "out"
        required = demoralized and parameters.when == "retirement"
        around = around._replace(garrison=facts.flag("garrison", placed.id) and not required)

    def judged(around: Around) -> CavalryResult:
        if parameters.when == "reaction":
            return reaction(view, parameters, around, demoralized and out_of_supply)
        return retirement(view, placed.id, around, demoralized)

    result = judged(around)
    outside = out_of_area(view, placed.id, result.open, around.enemies) if result.may else frozenset[str]()
    if outside and view.ruling("aside-area") == "bound":
        result = judged(around._replace(outside=outside))
    reached = {hexside(around.place, place) for place in view.board.neighbours(around.place)}
    unsaid = [side for side in around.unsaid if side in reached or set(side.split("|")) & set(result.open)]
    parts = [options_part(result)]
    if unsaid:
        parts.append(Part("Taken for granted", (unsaid_step(unsaid),)))
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Cavalry {parameters.when} of {placed.id} in {around.place}",
        verdict=verdict(result),
        parts=tuple(parts),
        result=result,
    )


def out_of_area(view: View, unit: str, hexes: Sequence[str], enemies: frozenset[str]) -> frozenset[str]:
    """Those of some hexes that the area of its army would keep a moving unit out of, as far as that area is stated."""
    own = area(view, army_of(view, unit))
    return frozenset(
        hex
        for hex in hexes
        if kept_from_enemy(hex, own, next_to_enemy=not enemies.isdisjoint(view.board.neighbours(hex)))
    )


def surroundings(facts: Gather, parameters: CavalryParameters) -> Around:
    """Who stands around the unit, and whose zones reach where.

    Rule: 4.1
    """
    view = facts.view
    unit = view.unit(parameters.unit)
    side = side_of(facts, unit)
    stands: dict[bool, set[str]] = {True: set(), False: set()}
    every: set[str] = set()
    others: set[str] = set()
    for other in view.units():
        theirs = side_of(facts, other)
        if other.place is None or not theirs or other.id == unit.id:
            continue
        stands[theirs == side].add(other.place)
        if theirs != side and exerts_zone(facts.word("arm", other.id), facts.flag("entrained", other.id)):
            every.add(other.place)
            if other.id not in parameters.enemy:
                others.add(other.place)
    barriers = Barriers(view)
    reached = zones(every, view.board.neighbours, barriers)
    rest = zones(others, view.board.neighbours, barriers)
    friends, enemies = frozenset(stands[True]), frozenset(stands[False])
    return Around(str(unit.place), friends, enemies, reached, rest, frozenset(barriers.unsaid))


# --- reaction ---------------------------------------------------------------------------------------------------------


def reaction(view: View, parameters: CavalryParameters, around: Around, denied: bool) -> CavalryResult:
    """Whether an enemy's move lets a cavalry unit react, and where to. denied: it is Demoralized and Out of Supply.

    Raises InputError if the enemy that moved is not named or not an enemy.

    Rule: 9.1, 9.1.2b, 9.1.3, 9.1.4, 7.3.1b
    """
    if not parameters.enemy or parameters.left is None:
        hint = "name who moved and where from: enemy=UNIT,UNIT left=HEX"
        raise InputError("enemy, left: nobody has moved", hint=hint)
    places = {view.unit(name).place for name in parameters.enemy}
    now = next(iter(places))
    if len(places) > 1 or now is None or now not in around.enemies:
        raise InputError(f"enemy: {', '.join(parameters.enemy)} are no enemies in one hex of the map")
    if parameters.left not in view.board.neighbours(now):
        raise InputError(
            f"left: {parameters.left} is not next to {now}", hint="a unit moves hex by hex; give its last step"
        )
    adjacent = set(view.board.neighbours(around.place))
    other_enemies = {
        place for place in around.enemies if place in adjacent and _others_in(view, place, parameters.enemy)
    }
    next_to_friends = {place for friend in around.friends for place in view.board.neighbours(friend)}
    found = trigger(adjacent, now, parameters.left, other_enemies, next_to_friends)
    why = "it is Demoralized and Out of Supply" if denied else TRIGGERS[found]
    options = [
        bar_of(view, around, place, zone=around.others, rule="9.1.3", left=parameters.left if found == 2 else None)
        for place in view.board.neighbours(around.place)
    ]
    may = bool(found) and not denied and any(not option.barred for option in options)
    return CavalryResult(
        unit=parameters.unit, when="reaction", trigger=found, may=may, must=False, why=why, options=tuple(options)
    )


TRIGGERS = {
    0: "the move triggers no reaction",
    1: "an enemy has come next to it, and none stood there",
    2: "an enemy has moved from a hex next to it into one next to it or to a friend",
}


def _others_in(view: View, place: str, moved: Sequence[str]) -> bool:
    return any(unit.id not in moved for unit in view.stack(place))


def trigger(adjacent: set[str], now: str, left: str | None, other_enemies: set[str], next_to_friends: set[str]) -> int:
    """Which trigger a move pulls: 2 from a hex next to the cavalry into one next to it or to a friend of it; 1 next to cavalry
    that no enemy stood next to; else 0.

    adjacent: the hexes around the cavalry; other_enemies: those of them where other enemies stand; next_to_friends: the hexes
    around other units of its side.

    Rule: 9.1.1a, 9.1.1b
    """
    if left in adjacent and now in adjacent | next_to_friends:
        return 2
    return int(now in adjacent and left not in adjacent and not other_enemies)


def bar_of(
    view: View, around: Around, place: str, *, zone: frozenset[str], rule: str, left: str | None = None
) -> AsideHex:
    """A hex next to the unit, and what bars it: enemies, the ground, the hex that the enemy has just left, a zone.

    Rule: 9.1.2b, 9.1.3, 9.2.1
    """
    if place in around.enemies:
        return AsideHex(place, "enemies stand there", "4.2")
    inside = is_inside(view, around.place, place)
    if around.garrison and garrison_move(inside, required=False, can_stay=True) == "barred":
        return AsideHex(place, "a Fortress Garrison does not leave its fortress or complex", "12.4.1")
    if shut := closed(view, around.place, place):
        return AsideHex(place, f"{shut} cannot be crossed", "9.1")
    if place == left:
        return AsideHex(place, "the enemy has just left it", "9.1.2")
    if place in around.outside:
        return AsideHex(place, "it is next to an enemy and outside the area of its army", "6.3.1")
    if place in zone and place not in around.friends:
        return AsideHex(
            place, "an empty hex in an EZOC", "9.1.3" if left is not None or zone != around.zones else "9.2.1"
        )
    return AsideHex(place)


# --- retirement -------------------------------------------------------------------------------------------------------


def retirement(view: View, unit: str, around: Around, demoralized: bool) -> CavalryResult:
    """Whether a cavalry unit may retire after the combats, or has to, and where to.

    Rule: 9.2, 9.2.1, 9.2.2
    """
    adjacent = view.board.neighbours(around.place)
    options = [bar_of(view, around, place, zone=around.zones, rule="9.2.1") for place in adjacent]
    near = any(place in around.enemies for place in adjacent)
    free = any(not option.barred for option in options)
    why = "an enemy stands next to it" if near else "no enemy stands next to it"
    return CavalryResult(
        unit=unit,
        when="retirement",
        trigger=0,
        may=near and free,
        must=near and free and demoralized,
        why=why if free or not near else "no hex is open to it",
        options=tuple(options),
    )


# --- words ------------------------------------------------------------------------------------------------------------


def verdict(result: CavalryResult) -> Verdict:
    """The answer in a line."""
    figures = {"unit": result.unit, "why": result.why, "hexes": result.open}
    if result.must:
        return Verdict("yes", "{unit} is Demoralized and has to retire, to one of {hexes}", figures)
    if result.may:
        return Verdict("yes", "{unit} may move one hex, to one of {hexes}: {why}", figures)
    return Verdict("no", "{unit} stays: {why}", figures)


def options_part(result: CavalryResult) -> Part:
    """The hexes around, each open or barred."""
    rules = {"reaction": "9.1.4" if result.why.startswith("it is") else "9.1.1", "retirement": "9.2"}
    steps: list[Step] = [Step(rules[result.when], "{why}", {"why": result.why})]
    if result.when == "retirement":
        steps.append(Step("9.2", "the phasing player's cavalry goes first"))
    for option in _sorted(result.options):
        if option.barred:
            steps.append(Step(option.rule, "{hex}: {why}", {"hex": option.hex, "why": option.barred}))
        else:
            steps.append(Step("9.1" if result.when == "reaction" else "9.2", "{hex}: open", {"hex": option.hex}))
    return Part("Hexes", tuple(steps))


def _sorted(options: Sequence[AsideHex]) -> list[AsideHex]:
    return sorted(options, key=lambda option: (bool(option.barred), option.hex))


QUESTION = Question(
    name="cavalry",
    title="whether a cavalry unit may react to a move or retire after combat, and into which hexes",
    parameters=CavalryParameters,
    result=CavalryResult,
    answer=answer,
    answers={},
)
