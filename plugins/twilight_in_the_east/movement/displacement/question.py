"""The question `displace`: where artillery, Corps Trains and depots go when the enemy comes next to them (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.mechanics.procedure import AnswerError, Choice
from assistant.questions.question import Answers, PlaceName, Question, UnitName
from assistant.questions.report import Ask, MissingFacts, Part, Report, Step, Verdict, ask_for
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit, hexside
from assistant.util.errors import InputError
from assistant.util.notes import note

from ...forces.bars import DISPLACED
from ...forces.surroundings import situation
from ...fortresses.garrisons import garrison_move, is_inside
from ...ground.hexsides import closed, uncrossed
from ...ground.improved_positions import after_moves
from ...ground.zones import exerts_zone, side_of, unsaid_step
from ...supply.rules import RAILS
from ...terms import COMBAT_ARMS, DEPOTS, GREAT_RIVERS, SUPPLY_ARMS

GUNS, TRAIN, RAIL = 3, 3, 15
"""How far they go at most: artillery to a friend, a Corps Train from its hex, a depot along the RR line, in hexes."""


class DisplaceParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that has to leave its hex."""

    unit: Annotated[UnitName, note("an artillery unit, a Corps Train or a depot")]
    crossing: Annotated[
        PlaceName | None,
        note("the hex from which an enemy combat unit is moving into its hex over a Major or Grand River"),
    ] = None
    changed: Annotated[
        tuple[PlaceName, ...],
        note("hexes of the RR line that were changed to the enemy in this phase, along which a depot still goes"),
    ] = ()


class Refuge(msgspec.Struct, frozen=True):
    """A hex to which it may go."""

    hex: Annotated[str, note("its number")]
    way: Annotated[tuple[str, ...], note("the hexes to it, itself the last")]
    with_: Annotated[tuple[str, ...], note("the units that stand there")] = msgspec.field(default=(), name="with")


class DisplaceResult(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit goes."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex")]
    must: Annotated[bool, note("whether it has to go")]
    why: Annotated[str, note("what makes it or lets it stay")]
    refuges: Annotated[tuple[Refuge, ...], note("where it may go, in the order in which the rules prefer them")] = ()
    eliminated: Annotated[bool, note("whether it has to go and cannot")] = False


class Field(NamedTuple):
    """What a displaced unit finds around it.

    neighbours: of a hex; friends: units of its side by hex, itself aside; combat: hexes with friendly combat units; enemies:
    hexes with enemies; zone: hexes in an EZOC without a friendly unit; exposed: those in an EZOC with friends, but no combat
    unit; blocked: whether nothing crosses from hex to hex.
    """

    neighbours: Callable[[str], Iterable[str]]
    friends: Mapping[str, tuple[str, ...]]
    combat: frozenset[str]
    enemies: frozenset[str]
    zone: frozenset[str]
    exposed: frozenset[str]
    blocked: Callable[[str, str], bool]

    def ways(self, start: str, most: int) -> dict[str, tuple[str, ...]]:
        """A shortest way to every hex within so many, through no enemy, no EZOC, and nothing that cannot be crossed.

        Rule: 9.5.1, 9.8.1
        """
        found: dict[str, tuple[str, ...]] = {start: ()}
        front = [start]
        for _ in range(most):
            reached: list[str] = []
            for here in front:
                for there in self.neighbours(here):
                    if there in found or there in self.enemies or there in self.zone or self.blocked(here, there):
                        continue
                    found[there] = (*found[here], there)
                    reached.append(there)
            front = reached
        return found


def answer(view: View, parameters: DisplaceParameters, answers: Answers) -> Report[DisplaceResult]:
    """The report on a unit that an enemy has come next to.

    Raises MissingFacts for whatever matters and nobody stated, InputError for a unit that never displaces.

    Rule: 9.5, 9.8
    """
    unit = view.unit(parameters.unit)
    if unit.place is None:
        raise InputError(f"unit: {unit.id} is not on the map")
    for name in answers:
        if name != f"to.{unit.id}":
            raise AnswerError(name, InputError("nothing of that name is asked", hint=f"known: to.{unit.id}"))
    with view.gather() as facts:
        arm = facts.word("arm", unit.id)
        if arm not in ("", "artillery", *SUPPLY_ARMS):
            raise InputError(f"unit: {unit.id} is no artillery and no supply unit, and displaces never")
        if facts.flag("entrained", unit.id):
            raise InputError(
                f"unit: {unit.id} is in Rail Mode", hint="it goes up to 15 hexes along the RR line (8.2.4)"
            )
        around = situation(facts, unit)
        field = field_of(facts, unit, around.enemies, around.enemy_zones)
        displaced = facts.flag("displaced", unit.id) if arm == "artillery" else False
        reached = crosses_into(facts, unit, parameters.crossing) if parameters.crossing else False
    if arm in DEPOTS:
        result = depot(view, unit, field, parameters.changed)
    elif arm == "artillery":
        threatened = reached or unit.place in around.enemy_zones
        result = artillery(view, unit, field, threatened, displaced, parameters.changed)
    else:
        result = train(unit, field, reached or unit.place in around.enemy_zones)
    parts = [refuges_part(result, arm)]
    if granted := taken_for_granted(view, result, around.unsaid):
        parts.append(Part("Taken for granted", tuple(granted)))
    ask, changes = todo(view, unit, result, arm, answers)
    return Report(
        game=view.game.id,
        question=QUESTION.name,
        title=f"Displacement of {unit.id} in {unit.place}",
        verdict=verdict(result),
        parts=tuple(parts),
        asks=ask,
        changes=changes,
        result=result,
    )


def crosses_into(facts: Gather, unit: Unit, crossing: str) -> bool:
    """Whether an enemy combat unit that moves into a unit's hex over a Major or Grand River, and pays for it, has its zone of
    control reach there: from the moment when it begins to cross.

    crossing: its hex. Raises InputError if no enemy combat unit stands there that can be moving over such a river.

    Rule: 4.1.1a
    """
    view, place = facts.view, str(unit.place)
    enemies = [other for other in view.stack(crossing) if side_of(facts, other) not in ("", side_of(facts, unit))]
    if not any(exerts_zone(facts.word("arm", other.id), facts.flag("entrained", other.id)) for other in enemies):
        raise InputError(f"crossing: no enemy combat unit in {crossing}", hint="name the hex that it comes from")
    if crossing not in view.board.neighbours(place):
        raise InputError(f"crossing: {crossing} is not next to {place}")
    return bool(GREAT_RIVERS & facts.words("barrier", hexside(crossing, place)))


def field_of(facts: Gather, unit: Unit, enemies: Collection[str], zones: Collection[str]) -> Field:
    """What a unit finds around it."""
    view = facts.view
    side = side_of(facts, unit)
    friends: dict[str, tuple[str, ...]] = {}
    combat: set[str] = set()
    for other in view.units():
        if other.place is None or other.id == unit.id or side_of(facts, other) != side:
            continue
        friends[other.place] = (*friends.get(other.place, ()), other.id)
        if facts.word("arm", other.id) in COMBAT_ARMS:  # a fortress unit is none (2.1)
            combat.add(other.place)

    def blocked(here: str, there: str) -> bool:
        return bool(closed(view, here, there)) or uncrossed(view, here, there)

    zone = frozenset(place for place in zones if place not in friends)
    exposed = frozenset(zones) - zone - combat
    return Field(view.board.neighbours, friends, frozenset(combat), frozenset(enemies), zone, exposed, blocked)


def taken_for_granted(view: View, result: DisplaceResult, unsaid: Collection[str]) -> list[Step]:
    """The hexsides and hexes of which nothing is said and which were taken to be open, to zones and to the unit."""
    ways = [(result.place, *refuge.way) for refuge in result.refuges]
    hexes = dict.fromkeys(hex for way in ways for hex in way) or {result.place: None}
    steps = []
    if reached := [side for side in unsaid if set(side.split("|")) & set(hexes)]:
        steps.append(unsaid_step(reached))
    sides = [hexside(*pair) for way in ways for pair in pairwise(way)]
    unsaid_sides = dict.fromkeys(side for side in sides if view.fact("barrier", side) is None)
    if unsaid_sides:
        figures = {"hexsides": list(unsaid_sides)}
        steps.append(Step("9.5", "{hexsides} can be crossed: nothing is said of them", figures))
    return steps


# --- artillery --------------------------------------------------------------------------------------------------------


def artillery(
    view: View, unit: Unit, field: Field, threatened: bool, displaced: bool, lately: Collection[str]
) -> DisplaceResult:
    """Where artillery goes, by the rulings that matter to it. displaced, lately: whether it is marked Displaced, and the hexes of
    the RR line that were changed to the enemy in this phase, along which a depot that is with it goes.

    Rule: 9.5.1a
    """
    beside = next((name for name in field.friends.get(str(unit.place), ()) if _arm(view, name) in DEPOTS), "")
    barred = "" if beside or not displaced else DISPLACED.doings["displace alone"]
    nearest, safe = (guns(unit, field, threatened, barred, friend) for friend in ("nearest", "safe"))
    if displaced and beside and nearest.must and view.ruling("displaced-with-depot") == "depot":
        refuges = along_the_line(view, view.unit(beside), field, lately)
        return msgspec.structs.replace(nearest, refuges=refuges, eliminated=not refuges)
    return safe if nearest.refuges != safe.refuges and view.ruling("displaced-to") == "safe" else nearest


def guns(unit: Unit, field: Field, threatened: bool, barred: str = "", friend: str = "nearest") -> DisplaceResult:
    """Where artillery goes that stands in an EZOC without a combat unit: to the nearest friendly unit within three hexes, or
    if there is none, or it has been displaced before, it is eliminated.

    barred: why it cannot displace, "" if it can; friend: the "nearest" whoever he is, or the nearest with whom it is "safe" as it
    need not go on from there, if there is one.

    Rule: 9.5, 9.5.1
    """
    place = str(unit.place)
    if place in field.combat or not threatened:
        why = "a friendly combat unit is with it" if place in field.combat else "it is in no EZOC"
        return DisplaceResult(unit=unit.id, place=place, must=False, why=why)
    why = "it is in an EZOC without a friendly combat unit"
    if barred:
        why += f", and {barred.removeprefix('it ')}"
        return DisplaceResult(unit=unit.id, place=place, must=True, why=why, eliminated=True)
    ways = field.ways(place, GUNS)
    friends = [hex for hex in ways if hex != place and hex in field.friends]
    if friend == "safe":
        friends = [hex for hex in friends if hex not in field.exposed] or friends
    nearest = min((len(ways[hex]) for hex in friends), default=0)
    near = [hex for hex in friends if len(ways[hex]) == nearest]
    near.sort(key=lambda hex: (hex not in field.combat, hex))  # where it need not go on from
    refuges = tuple(Refuge(hex, ways[hex], field.friends[hex]) for hex in near)
    return DisplaceResult(unit=unit.id, place=place, must=True, why=why, refuges=refuges, eliminated=not refuges)


# --- supply units -----------------------------------------------------------------------------------------------------


def train(unit: Unit, field: Field, threatened: bool) -> DisplaceResult:
    """Where a Corps Train goes that stands in an EZOC without a combat unit: three hexes; fewer only if it cannot, and to a
    friendly combat unit; else it is eliminated.

    Rule: 9.8, 9.8.1, 9.8.1b
    """
    place = str(unit.place)
    if place in field.combat or not threatened:
        why = "a friendly combat unit is with it" if place in field.combat else "it is in no EZOC"
        return DisplaceResult(unit=unit.id, place=place, must=False, why=why)
    ways = field.ways(place, TRAIN)
    found = sorted(hex for hex in ways if len(ways[hex]) == TRAIN)
    found = found or sorted(hex for hex in ways if hex in field.combat and hex != place)
    return DisplaceResult(
        unit=unit.id,
        place=place,
        must=True,
        why="it is in an EZOC without a friendly combat unit",
        refuges=tuple(Refuge(hex, ways[hex], field.friends.get(hex, ())) for hex in found),
        eliminated=not found,
    )


def depot(view: View, unit: Unit, field: Field, lately: Collection[str]) -> DisplaceResult:
    """Where a depot goes that an enemy has come next to; what becomes of it if no line leads away is a ruling.

    lately: as in `along_the_line`.

    Rule: 9.9
    """
    place = str(unit.place)
    near = any(other in field.enemies for other in view.board.neighbours(place))
    if not near:
        return DisplaceResult(unit=unit.id, place=place, must=False, why="no enemy is next to it")
    refuges = along_the_line(view, unit, field, lately)
    return DisplaceResult(
        unit=unit.id,
        place=place,
        must=True,
        why="an enemy is next to it",
        refuges=refuges,
        eliminated=not refuges and view.ruling("depot-stuck") == "lost",
    )


def along_the_line(view: View, unit: Unit, field: Field, lately: Collection[str]) -> tuple[Refuge, ...]:
    """Where a depot may go: along the RR line of its side, at most 15 hexes, to one where no enemy is next to it.

    lately: hexes of the line that were changed to the enemy in this phase, which still count. Raises MissingFacts if it finds
    no hex to go to and nothing is said of some RR line that may lead to one, or of whose it is.

    Rule: 9.9
    """
    place = str(unit.place)
    with view.gather() as facts:
        side = side_of(facts, unit)
    found: dict[str, tuple[str, ...]] = {place: ()}
    front = [place]
    for _ in range(RAIL):
        reached = []
        for here in front:
            for there in view.board.neighbours(here):
                link, operational = view.fact("rail", hexside(here, there)), view.fact("operational", there)
                ours = there in lately or (operational is not None and operational.value == side)
                if there in found or not link or link.value not in RAILS or not ours:
                    continue
                found[there] = (*found[here], there)
                reached.append(there)
        front = reached
    safe = [
        hex
        for hex in found
        if hex != place
        and hex not in field.enemies
        and not any(other in field.enemies for other in view.board.neighbours(hex))
    ]
    safe.sort(key=lambda hex: (len(found[hex]), hex))

    def unsaid(here: str, there: str) -> bool:
        link = view.fact("rail", hexside(here, there))
        return link is None or (link.value in RAILS and view.fact("operational", there) is None)

    if not safe and any(unsaid(hex, other) for hex in found for other in view.board.neighbours(hex)):
        how = f"HEX|HEX rail1 and HEX operational={side} for each hex of the line from {place}, and no-rail where there is none"
        title = f"the RR line along which {unit.id} goes"
        raise MissingFacts([Ask(kind="fact", name="line", rule="9.9", title=title, how=how)])
    return tuple(Refuge(hex, found[hex], field.friends.get(hex, ())) for hex in safe)


# --- words ------------------------------------------------------------------------------------------------------------


def _arm(view: View, unit: str) -> str:
    fact = view.fact("arm", unit)
    return str(fact.value) if fact else ""


def todo(
    view: View, unit: Unit, result: DisplaceResult, arm: str, answers: Answers
) -> tuple[tuple[Ask, ...], tuple[Change, ...]]:
    """What to do on the map, where the owner has no choice or has made it."""
    rule = {"artillery": "9.5.1", "corps-train": "9.8.1"}.get(arm, "9.9")
    if not result.must:
        return (), ()
    if result.eliminated:
        lost = Change("place", unit.id, unit.place, None, rule)
        return (), (lost, *after_moves(view, [lost]))
    if not result.refuges:
        return (), ()
    name = f"to.{unit.id}"
    choice = Choice(name, rule, f"where {unit.id} goes", "owner", {refuge.hex: refuge.hex for refuge in result.refuges})
    if name not in answers and len(result.refuges) > 1:
        return (ask_for(choice),), ()
    there = choice.read(answers[name]) if name in answers else result.refuges[0].hex
    changes = [Change("place", unit.id, unit.place, there, rule)]
    marker = {"artillery": "displaced", "corps-train": "extended"}.get(arm)
    if marker and not view.state.value(marker, unit.id):
        changes.append(changed(view, marker, unit.id, True, rule))
    inside = is_inside(view, str(unit.place), there)
    garrison = view.fact("garrison", unit.id)
    if garrison and garrison.value and garrison_move(inside, required=True, can_stay=False) == "released":
        changes.append(changed(view, "garrison", unit.id, None, "12.4.1"))
    return (), (*changes, *after_moves(view, changes))


def verdict(result: DisplaceResult) -> Verdict:
    """The answer in a line."""
    figures = {"unit": result.unit, "why": result.why, "hexes": [refuge.hex for refuge in result.refuges]}
    if not result.must:
        return Verdict("no", "{unit} stays: {why}", figures)
    if result.eliminated:
        return Verdict("yes", "{unit} is eliminated: {why}, and it can go nowhere", figures)
    if not result.refuges:
        return Verdict("no", "{unit} stays: {why}, and it can go nowhere", figures)
    return Verdict("yes", "{unit} goes to {hexes}: {why}", figures)


def refuges_part(result: DisplaceResult, arm: str) -> Part:
    """Each refuge with the way to it, and what becomes of the unit there."""
    rule = {"artillery": "9.5.1", "corps-train": "9.8.1"}.get(arm, "9.9")
    steps = [Step(rule, "{why}", {"why": result.why})]
    for refuge in result.refuges:
        figures = {"hex": refuge.hex, "hexes": list(refuge.way), "units": list(refuge.with_)}
        steps.append(Step(rule, "{hex} by {hexes}" + (", with {units}" if refuge.with_ else ""), figures))
    if result.refuges and arm == "artillery":
        steps.append(Step("9.5.1", "an Artillery Displaced marker is put on it"))
    if result.refuges and arm == "corps-train":
        steps.append(Step("9.8.1", "it is turned to its Extended Mode side"))
    return Part("Displacement", tuple(steps))


QUESTION = Question(
    name="displace",
    title="where artillery, a Corps Train or a depot goes that an enemy has come next to",
    parameters=DisplaceParameters,
    result=DisplaceResult,
    answer=answer,
    answers={"to.UNIT": "the hex that it goes to"},
)
