"""The question `displace`: where artillery, Corps Trains and depots go when the enemy comes next to them (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.field import Around, side_of
from assistant.mechanics.tracing import CostField, link, radius
from assistant.questions import Answers, InputError, MissingFacts, Parameters, PlaceName, UnitName, declare, note
from assistant.questions.play import chosen, refuse_others
from assistant.questions.report import Ask, Part, Report, Verdict, step, verdict
from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.state import Unit, hexside

from ..forces.bars import DISPLACED
from ..fortresses.garrisons import released
from ..ground import zones
from ..ground.hexsides import between, closed, uncrossed
from ..ground.improved_positions import after_moves
from ..supply.rules import RAILS
from ..terms import COMBAT_ARMS, DEPOTS, GREAT_RIVERS, SUPPLY_ARMS

GUNS, TRAIN, RAIL = 3, 3, 15
"""How far they go at most: artillery to a friend, a Corps Train from its hex, a depot along the RR line, in hexes."""
PRAGA, PRAGA_HEX = "PRAGA (Tannenberg)", "60.46"
"""The depot that comes off the map while Germans are next to its hex (24.5.2)."""
ALONE = "it is in an EZOC without a friendly combat unit"


class Refuge(msgspec.Struct, frozen=True):
    """A hex to which it may go."""

    hex: Annotated[str, note("its number")]
    way: Annotated[tuple[str, ...], note("the hexes along the way, with this one last")]
    with_: Annotated[tuple[str, ...], note("the units that stand there")] = msgspec.field(default=(), name="with")


class DisplaceResult(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit goes."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex, empty off the map")]
    must: Annotated[bool, note("whether it has to go")]
    why: Annotated[str, note("what makes it or lets it stay")]
    refuges: Annotated[tuple[Refuge, ...], note("where it may go, in the order in which the rules prefer them")] = ()
    eliminated: Annotated[bool, note("whether it has to go and cannot")] = False
    removed: Annotated[bool, note("whether it is taken off the map until it may come back")] = False


class Surroundings(msgspec.Struct, frozen=True):
    """A unit that may have to leave its hex, and where it may find refuge.

    field: as its side sees it, the unit left out; combat: hexes with friendly combat units.
    """

    unit: Unit
    field: Around
    combat: frozenset[str]

    def beside(self, hex: str) -> tuple[str, ...]:
        """The other units in a hex."""
        return tuple(other.id for other in self.field.view.stack(hex) if other.id != self.unit.id)

    def within(self, most: int) -> CostField:
        """The hexes within so many, by ways through no enemy, no EZOC, and nothing that cannot be crossed.
        Rule: 9.5.1, 9.8.1
        """
        view, shut = self.field.view, self.field.closed

        def crosses(here: str, there: str) -> bool:
            over = between(view, here, there)
            return not closed(over) and not uncrossed(over)

        here = str(self.unit.place)
        return radius([here], most, view.board.neighbours, enters=lambda hex: hex not in shut, crosses=crosses)

    def refuges(self, ways: CostField, hexes: Iterable[str]) -> tuple[Refuge, ...]:
        """Hexes that were reached, as refuges."""
        return tuple(Refuge(hex, ways.line(hex)[1:], self.beside(hex)) for hex in hexes)

    def stays(self, why: str) -> DisplaceResult:
        """The result for a unit that need not go."""
        return DisplaceResult(unit=self.unit.id, place=self.unit.place or "", must=False, why=why)

    def goes(self, why: str, refuges: tuple[Refuge, ...] = (), *, or_lost: bool = True) -> DisplaceResult:
        """The result for a unit that has to go to one of its refuges. or_lost: whether it is eliminated if it has none."""
        lost = or_lost and not refuges
        return msgspec.structs.replace(self.stays(why), must=True, refuges=refuges, eliminated=lost)


def safe_where_it_is(around: Surroundings, threatened: bool) -> str:
    """Why artillery or a Corps Train may stay, "" if it may not. threatened: whether it is in an EZOC. Rule: 9.5, 9.8"""
    if around.unit.place in around.combat:
        return "a friendly combat unit is with it"
    return "" if threatened else "it is in no EZOC"


def guns(around: Surroundings, barred: str, friend: str) -> DisplaceResult:
    """Where artillery goes that stands in an EZOC without a combat unit: to the nearest friendly unit within three hexes, or
    if there is none, or it has been displaced before, it is eliminated.

    barred: why it cannot displace, "" if it can; friend: "nearest" for the nearest friendly unit, "safe" for the nearest one where
    the artillery would not have to displace again, or the nearest of all if there is none. Rule: 9.5.1
    """
    if barred:
        return around.goes(f"{ALONE}, and {barred.removeprefix('it ')}")
    ways = around.within(GUNS)
    friends = [hex for hex, far in ways.cost.items() if far and hex in around.field.friends]
    if friend == "safe":
        exposed = around.field.enemy_zones - around.combat
        friends = [hex for hex in friends if hex not in exposed] or friends
    nearest = min((ways.cost[hex] for hex in friends), default=0)
    near = [hex for hex in friends if ways.cost[hex] == nearest]
    near.sort(key=lambda hex: (hex not in around.combat, hex))  # where it need not go on from
    return around.goes(ALONE, around.refuges(ways, near))


def artillery(around: Surroundings, displaced: bool, lately: Collection[str]) -> DisplaceResult:
    """Where artillery goes, by the rulings that matter to it. displaced, lately: whether it is marked Displaced, and the hexes of
    the RR line that were changed to the enemy in this phase, along which a depot that is with it goes. Rule: 9.5.1a
    """
    view = around.field.view
    beside = next((name for name in around.beside(str(around.unit.place)) if view.word("arm", name) in DEPOTS), "")
    if displaced and beside and view.ruling("displaced-with-depot") == "depot":
        return around.goes(ALONE, along_the_line(msgspec.structs.replace(around, unit=view.unit(beside)), lately))
    barred = "" if beside or not displaced else DISPLACED.doings["displace alone"]
    nearest, safe = (guns(around, barred, friend) for friend in ("nearest", "safe"))
    return safe if nearest.refuges != safe.refuges and view.ruling("displaced-to") == "safe" else nearest


def train(around: Surroundings) -> DisplaceResult:
    """Where a Corps Train goes that stands in an EZOC without a combat unit: three hexes; fewer only if it cannot, and to a
    friendly combat unit; else it is eliminated. Rule: 9.8.1, 9.8.1b
    """
    ways = around.within(TRAIN)
    found = [hex for hex, far in ways.cost.items() if far == TRAIN]
    found = found or [hex for hex, far in ways.cost.items() if far and hex in around.combat]
    return around.goes(ALONE, around.refuges(ways, sorted(found)))


def depot(around: Surroundings, lately: Collection[str]) -> DisplaceResult:
    """Whether a depot goes, as an enemy has come next to it, along the RR line; what becomes of one without a way is a ruling.

    lately: hexes of the line that were changed to the enemy in this phase. Rule: 9.9
    """
    if not around.field.next_to_enemy(str(around.unit.place)):
        return around.stays("no enemy is next to it")
    line = along_the_line(around, lately)
    or_lost = not line and around.field.view.ruling("depot-stuck") == "lost"
    return around.goes("an enemy is next to it", line, or_lost=or_lost)


def along_the_line(around: Surroundings, lately: Collection[str]) -> tuple[Refuge, ...]:
    """Where a depot may go: along the RR line of its side, at most 15 hexes, the nearest first, to one where no enemy is or next to it.

    lately: hexes of the line that were changed to the enemy in this phase, which still count. Raises MissingFacts if it finds
    no hex to go to and some RR line that may lead to one, or whose it is, is not stated. Rule: 9.9
    """
    view, place, side = around.field.view, str(around.unit.place), around.field.side
    neighbours = view.board.neighbours

    def linked(here: str, there: str) -> bool:
        return view.word("rail", hexside(here, there)) in RAILS

    def shut(hex: str) -> bool:
        return hex not in lately and view.word("operational", hex) != side

    def unknown(here: str, there: str) -> bool:
        if view.fact("rail", hexside(here, there)) is None:
            return True
        return linked(here, there) and view.fact("operational", there) is None

    ways = link([place], neighbours, linked, shut, RAIL)
    near = {hex: far for hex, far in ways.cost.items() if far and not around.field.next_to_enemy(hex)}
    safe = sorted(near.keys() - around.field.enemies, key=lambda hex: (near[hex], hex))
    if not safe and any(unknown(hex, other) for hex in ways.cost for other in neighbours(hex)):
        how = f"HEX|HEX rail1 and HEX operational={side} for each hex of the line from {place}, and no-rail where there is none"
        title = f"the RR line along which {around.unit.id} goes"
        raise MissingFacts([Ask(kind="fact", name="line", rule="9.9", title=title, how=how)])
    return around.refuges(ways, safe)


def praga(around: Surroundings, germans: bool) -> DisplaceResult:
    """What becomes of the PRAGA depot of the Tannenberg scenario: it is off the map while a German unit is next to its hex, and
    there again the moment none is. germans: whether one is. Rule: 24.5.2
    """
    why = f"{'a' if germans else 'no'} German unit is next to {PRAGA_HEX}"
    if germans == (around.unit.place is None):
        return around.stays(why)
    back = () if germans else (Refuge(PRAGA_HEX, (PRAGA_HEX,)),)
    return msgspec.structs.replace(around.goes(why, back, or_lost=False), removed=germans)


# --- the question -----------------------------------------------------------------------------------------------------


MARKERS = {
    "artillery": ("displaced", "9.5.1", "an Artillery Displaced marker is put on it"),
    "corps-train": ("extended", "9.8.1", "it is turned to its Extended Mode side"),
}
"""What a unit bears that has gone: track, rule and words."""


class DisplaceParameters(Parameters, frozen=True):
    """A unit that has to leave its hex."""

    unit: Annotated[UnitName, note("an artillery unit, a Corps Train or a depot")]
    crossing: Annotated[
        PlaceName | None, note("the hex from which an enemy moves in across a Major or Grand River")
    ] = None
    changed: Annotated[tuple[PlaceName, ...], note("hexes of its RR line that changed to the enemy in this phase")] = ()


def answer(view: View, parameters: DisplaceParameters, answers: Answers) -> Report[DisplaceResult]:
    """The report on a unit that an enemy has come next to.

    Raises MissingFacts for whatever matters and is not stated, InputError for a unit that never displaces.
    """
    unit = view.unit(parameters.unit)
    if unit.place is None and unit.id != PRAGA:
        raise InputError(f"unit: {unit.id} is not on the map")
    refuse_others(answers, [f"to.{unit.id}"])
    with view.gather() as facts:
        arm = facts.word("arm", unit.id)
        if arm not in ("", "artillery", *SUPPLY_ARMS):
            raise InputError(f"unit: {unit.id} is neither artillery nor a supply unit, and never displaces")
        if facts.flag("entrained", unit.id):
            hint = f"it goes up to {RAIL} hexes along the RR line (8.2.4)"
            raise InputError(f"unit: {unit.id} is in Rail Mode", hint=hint)
        around = refuges_around(facts, unit)
        displaced = arm == "artillery" and facts.flag("displaced", unit.id)
        reached = bool(parameters.crossing and crosses_into(facts, unit, parameters.crossing))
        near_praga = [PRAGA_HEX, *view.board.neighbours(PRAGA_HEX)] if unit.id == PRAGA else []
        others = [other.id for hex in near_praga for other in view.stack(hex)]
        germans = any(facts.word("nation", other) == "german" for other in others)
    marker, rule, marked = MARKERS.get(arm, ("", "24.5.2" if unit.id == PRAGA else "9.9", ""))
    if unit.id == PRAGA:
        result = praga(around, germans)
    elif arm in DEPOTS:
        result = depot(around, parameters.changed)
    elif why := safe_where_it_is(around, reached or unit.place in around.field.enemy_zones):
        result = around.stays(why)
    else:
        result = artillery(around, displaced, parameters.changed) if arm == "artillery" else train(around)
    take_for_granted(view, result, around.field)
    asks, changes = to_do(view, unit, result, marker, rule, answers)
    return Report(
        title=f"Displacement of {unit.id} in {unit.place}" if unit.place else f"Return of {unit.id}",
        verdict=conclusion(result),
        parts=(refuges_part(result, marked, rule),),
        asks=asks,
        changes=changes,
        result=result,
    )


def refuges_around(facts: Gather, unit: Unit) -> Surroundings:
    """Where friends of a unit stand, and combat units, which fortress units are not (2.1)."""
    around = zones.around(facts, unit, without={unit.id})
    combat = (one for one in around.units if facts.word("arm", one.id) in COMBAT_ARMS)
    return Surroundings(unit, around, frozenset(str(one.place) for one in combat))


def crosses_into(facts: Gather, unit: Unit, crossing: str) -> bool:
    """Whether an enemy combat unit that moves into a unit's hex over a Major or Grand River, and pays for it, has its zone of
    control reach there: from the moment when it begins to cross.

    crossing: its hex. Raises InputError if no enemy combat unit stands there that can be moving over such a river.
    Rule: 4.1.1a
    """
    view, place = facts.view, str(unit.place)
    enemies = [other for other in view.stack(crossing) if side_of(facts, other) not in ("", side_of(facts, unit))]
    if not any(zones.has_zone(facts, other) for other in enemies):
        raise InputError(f"crossing: no enemy combat unit in {crossing}", hint="name the hex that it comes from")
    if crossing not in view.board.neighbours(place):
        raise InputError(f"crossing: {crossing} is not next to {place}")
    return bool(GREAT_RIVERS & between(facts, crossing, place).lies)


def take_for_granted(view: View, result: DisplaceResult, around: Around) -> None:
    """Note the hexsides along the ways over which zones were taken to reach, and those taken to be open to the unit."""
    ways = [(result.place, *refuge.way) for refuge in result.refuges if result.place]
    zones.assume_zones(around, {result.place, *(hex for way in ways for hex in way)})
    for side in (hexside(*pair) for way in ways for pair in pairwise(way)):
        view.granted("barrier", side, (), "9.5", "{hexsides} can be crossed (not stated)")


def to_do(
    view: View, unit: Unit, result: DisplaceResult, marker: str, rule: str, answers: Answers
) -> tuple[tuple[Ask, ...], tuple[Change, ...]]:
    """What to do on the map, where the owner has no choice or has made it."""
    if result.eliminated or result.removed:
        gone = Change("place", unit.id, unit.place, None, rule)
        return (), (gone, *after_moves(view, [gone]))
    if not result.refuges:
        return (), ()
    hexes = {refuge.hex: refuge.hex for refuge in result.refuges}
    there, asks = chosen(f"to.{unit.id}", rule, f"where {unit.id} goes", hexes, answers)
    if there is None:
        return asks, ()
    changes = [Change("place", unit.id, unit.place, there, rule)]
    if marker and not view.state.value(marker, unit.id):
        changes.append(changed(view, marker, unit.id, True, rule))
    changes += released(view, unit.id, str(unit.place), there)
    return (), (*changes, *after_moves(view, changes if unit.place else ()))


def conclusion(result: DisplaceResult) -> Verdict:
    """The answer in a line."""
    if result.removed:
        return verdict("yes", "{unit} is taken off the map: {why}", result)
    if result.eliminated:
        return verdict("yes", "{unit} is eliminated: {why}, and it has nowhere to go", result)
    if result.must and result.refuges:
        hexes = [refuge.hex for refuge in result.refuges]
        return verdict("yes", "{unit} goes to {hexes}: {why}", result, hexes=hexes)
    stays = "{unit} stays: {why}" if result.place else "{unit} stays off the map: {why}"
    return verdict("no", stays + (", and it has nowhere to go" if result.must else ""), result)


def refuges_part(result: DisplaceResult, marked: str, rule: str) -> Part:
    """Each refuge with the way to it, and what becomes of the unit there."""
    steps = [step(rule, "{why}", result)]
    for refuge in result.refuges:
        text = "{hex} via {hexes}" + (", with {units}" if refuge.with_ else "")
        steps.append(step(rule, text, refuge, hexes=list(refuge.way), units=list(refuge.with_)))
    if result.refuges and marked:
        steps.append(step(rule, marked))
    if result.removed:
        text = "it comes back to {hex} the moment no German unit is next to it: ask again then"
        steps.append(step(rule, text, hex=PRAGA_HEX))
    return Part("Displacement", tuple(steps))


QUESTION = declare(
    "displace",
    "where artillery, a Corps Train or a depot goes when an enemy comes next to it",
    answer,
    {"to.UNIT": "the hex that it goes to"},
)
