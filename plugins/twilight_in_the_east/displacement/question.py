"""The question `displace`: refuges of artillery, Corps Trains and depots next to the enemy (9.5, 9.8, 9.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import Answers, InputError, Parameters, PlaceName, UnitName, declare, note
from assistant.asking.asks import Ask
from assistant.asking.play import chosen, refuse_others
from assistant.asking.report import Part, Report, Step, Verdict, step, verdict
from assistant.asking.sketch import Arrow, Sketch, Spot, sketch_of
from assistant.asking.view import Gather, View, changed
from assistant.mechanics.tracing import radius
from assistant.rules.field import SideField, side_of
from assistant.rules.sketches import draw_enemy_zones
from assistant.state.changes import Change
from assistant.state.state import Unit, hexside

from ..combat.garrisons import release_garrison
from ..entering.consequences import follows_changes
from ..entering.obligations import MUST_LEAVE, Exposed, say_first
from ..forces.departures import DEPARTED, REMOVED, depart, departure_of
from ..forces.markers import HALF_TRACK, mark_half
from ..ground import hexsides
from ..ground.calendar import in_campaign
from ..ground.hexsides import between
from ..railways.losses import lost_in_this_phase
from ..railways.routes import possible_rates
from ..terms import (
    DEPOTS,
    DISPLACING,
    GREAT_RIVERS,
    KG_TRAIN,
    LANDSTURM,
    OFF_MAP,
    PRAGA,
    PRAGA_HEX,
    STAY_OR_FALL,
    SUPPLY_ARMS,
)
from .in_combat import DEPARTS_TEXT, ELIMINATED_TEXT, is_mobile
from .reaction import EITHER_WAY, judge_as_known
from .rules import (
    ALONE_REASON,
    MAX_ARTILLERY_HEXES,
    MAX_TRAIN_HEXES,
    DisplaceResult,
    Refuge,
    Surroundings,
    displace_by_arm,
    displace_entrained,
    displace_landsturm,
    displace_praga,
    enemies_on_the_line,
)

ENTRAINED_BURDEN = (
    HALF_TRACK,
    "8.2.4",
    "a Combat Strength 1/2 marker is put on it, which takes effect once it has detrained",
)
"""The marker that a displaced unit in Rail Mode bears, the rule, and the effect, as in DISPLACING."""


class DisplaceParameters(Parameters, frozen=True):
    """Parameters of the question `displace`."""

    unit: Annotated[
        UnitName, note("an artillery unit, a Corps Train, a depot, a Landsturm Abteilung or a unit in Rail Mode")
    ]
    crossing: Annotated[
        PlaceName | None, note("the hex from which an enemy moves in across a Major or Grand River")
    ] = None
    changed: Annotated[
        tuple[PlaceName, ...],
        note("hexes of its RR line that its side has lost in this phase, besides those that the position records"),
    ] = ()
    rate: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=99)] | None,
        note("RR hexes per Movement Point this turn, on which the route of a unit that trans-ships depends"),
    ] = None


def answer(view: View, parameters: DisplaceParameters, answers: Answers) -> Report[DisplaceResult]:
    """Return the report on a unit next to an enemy; for a Landsturm Abteilung, whether it is removed (22.4.1).

    Raises MissingFacts if a deciding fact is not stated, InputError if the unit is never displaced.
    """
    unit = view.unit(parameters.unit)
    if unit.place is None and unit.id != PRAGA:
        raise InputError(f"unit: {unit.id} is not on the map")
    if unit.place is None and parameters.crossing:
        raise InputError(f"crossing: {unit.id} is not on the map", hint="leave crossing out")
    refuse_others(answers, [f"to.{unit.id}"])
    with view.gather() as facts:
        arm = _find_displacing_arm(facts, unit)
    then = _view_when_reached(view, unit)
    held = {str(other.place) for other in view.units() if then.unit(other.id).place != other.place}
    with then.gather() as facts:
        leaver = _read_leaver(facts, unit, arm, parameters)
        leaver = leaver._replace(around=msgspec.structs.replace(leaver.around, enemies=leaver.around.enemies | held))
        leaver = leaver._replace(of_tannenberg=_is_of_tannenberg(facts, unit))
        germans = leaver.of_tannenberg and _are_germans_near_praga(facts)
        flees = unit.id in LANDSTURM and _is_near_russian_infantry(facts, leaver.around.place)
    if leaver.entrained:
        rates = (parameters.rate,) if parameters.rate else possible_rates(view)
        result = displace_entrained(leaver.around, leaver.seen, rates)
    elif leaver.of_tannenberg:
        result = displace_praga(leaver.around, germans=germans)
    elif unit.id in LANDSTURM:
        result = displace_landsturm(leaver.around, flees=flees)
    else:
        result = leaver.displace()
    leaver.take_for_granted(result)
    leaver.suppose_line(result)
    order = tuple(leaver.order(result))
    departure = leaver.leave(result, answers)
    following = follows_changes(view, departure.changes, departure.way)
    return Report(
        title=f"Displacement of {unit.id} in {unit.place}" if unit.place else f"Return of {unit.id}",
        verdict=_choose_verdict(result, departure.hex),
        parts=(
            leaver.refuges_part(result),
            Part("No way out", tuple(leaver.dead_ends(result))),
            Part("Order", order),
            *following.parts(view),
        ),
        asks=departure.asks,
        changes=(*departure.changes, *following.changes),
        result=result,
    )


def hex_reached(view: View, unit: Unit) -> str | None:
    """Return the hex from which an enemy forces a unit to leave its hex, if the unit has not left yet.

    Returns "" if the hex is not known, or None if the unit need not leave.
    """
    place, _, there = view.word(MUST_LEAVE, unit.id).partition(" ")
    return there if place and place == unit.place else None


def _view_when_reached(view: View, unit: Unit) -> View:
    """Return the state at the moment when an enemy came adjacent to a unit (9.5.1, 9.8.1).

    Enemies that have marched on since then stand in the hex from which they reached it.
    """
    hex = hex_reached(view, unit)
    enemies = (
        [other for other in view.units() if view.side_of(other.id) not in ("", view.side_of(unit.id))] if hex else []
    )
    passed = [other for other in enemies if hex in view.word("passed", other.id).split() and other.place]
    gone_on = [changed(view, "place", other.id, hex, "9.5.1") for other in passed if other.place != hex]
    if hex and not passed and not view.stack(hex):
        text = "who came adjacent to {unit} in {hex} is taken to be where he stands now"
        view.premises.assume(step("9.5.1", text, unit=unit.id, hex=hex))
    return view.after(gone_on) if gone_on else view


class Departure(NamedTuple):
    """The changes and choices for a unit that leaves its hex."""

    asks: tuple[Ask, ...] = ()
    """Choices of its owner."""
    changes: tuple[Change, ...] = ()
    way: tuple[str, ...] = ()
    """The hexes that the unit enters."""
    hex: str = ""
    """The hex to which the unit goes, or "" if there is none or it is not chosen."""


class Leaver(NamedTuple):
    """A unit of the position that may have to leave its hex."""

    unit: Unit
    asked: DisplaceParameters
    seen: SideField
    """The field of all units except this one."""
    around: Surroundings
    crossed: bool
    """Whether an enemy begins to cross a great river into the unit's hex."""
    entrained: bool = False
    """Whether the unit is in Rail Mode."""
    of_tannenberg: bool = False
    """Whether the unit is the PRAGA depot in the Tannenberg scenario."""

    @property
    def view(self) -> View:
        return self.around.view

    @property
    def burden(self) -> tuple[str, str, str]:
        """The marker that the unit bears afterwards, or "", with the rule and the effect in words."""
        return ENTRAINED_BURDEN if self.entrained else DISPLACING.get(self.around.arm, ("", "", ""))

    @property
    def rule(self) -> str:
        rule = "24.5.2" if self.of_tannenberg else self.burden[1]
        return rule if self.unit.id == KG_TRAIN else STAY_OR_FALL.get(self.unit.id, rule)

    @property
    def follows_line(self) -> bool:
        return self.entrained or self.around.arm in DEPOTS

    @property
    def walks(self) -> bool:
        """Whether the unit leaves over the map, before or after a reaction, as artillery and Corps Trains do."""
        return self.around.arm in EITHER_WAY and not self.entrained and self.unit.id not in STAY_OR_FALL

    def displace(self) -> DisplaceResult:
        """Return the refuges of the unit, or the reason why it stays.

        Raises as `displace_by_arm`.
        """
        around = self.around
        threatened = self.crossed or around.reached or around.place in around.enemy_zones
        exposed = Exposed(around.view, around.unit, around.arm, around.place, threatened, around.company)
        if around.arm not in DEPOTS and (stays := say_first(exposed.reasons_to_stay())):
            return around.stays(stays)
        return displace_by_arm(around)

    def order(self, result: DisplaceResult) -> Iterator[Step]:
        """Yield the time at which artillery or a Corps Train leaves, and its later refuge if that differs.

        It leaves before the enemy's move or retreat goes on, and before or after friendly cavalry reacts.

        Rule: 9.5.1b, 9.8.1c
        """
        if not self.walks:
            return
        rule = EITHER_WAY[self.around.arm]
        if result.must:
            yield step(rule, "it leaves before the enemy's move or retreat goes on")
        for cavalry in self.find_cavalry_to_react():
            with self.view.gather() as facts:
                without = _read_leaver(facts, self.unit, self.around.arm, self.asked, {cavalry.id})
            then = without.displace()
            if result.must:
                text = (
                    "before or after {cavalry} in {place} reacts, as its owner chooses[onward:; after that, to {hexes}]"
                    "[leaves:; after that, off the map][falls:; after that, no hex is open, and it is eliminated]"
                )
                hexes = [refuge.hex for refuge in then.refuges]
                differs = hexes != [refuge.hex for refuge in result.refuges]
                yield step(
                    rule,
                    text,
                    cavalry=cavalry.id,
                    place=cavalry.place,
                    hexes=hexes,
                    onward=differs and hexes and hexes != [OFF_MAP],
                    leaves=differs and hexes == [OFF_MAP],
                    falls=differs and not hexes,
                )
            elif then.must:
                text = "if {cavalry} reacts and leaves it alone, it has to leave at once: ask again then"
                yield step(rule, text, cavalry=cavalry.id)

    def find_cavalry_to_react(self) -> list[Unit]:
        """Return the friendly cavalry near the unit that may react to the enemy's move, by stated facts.

        Enemies that came adjacent to the unit may have come adjacent to the cavalry too.

        Rule: 9.1.1a, 9.5.1b, 9.8.1c
        """
        view = self.view
        here = str(self.unit.place)
        moved = self._find_arrived(here)
        near = radius([here], MAX_ARTILLERY_HEXES, view.board.neighbours).cost
        friends = [friend for hex in near for friend in view.stack(hex) if view.side_of(friend.id) == self.seen.side]
        found = list[Unit]()
        for rider in (friend for friend in friends if view.word("arm", friend.id) == "cavalry"):
            beside = [enemy.id for hex in view.board.neighbours(str(rider.place)) for enemy in view.stack(hex)]
            is_reached = not moved.isdisjoint(beside)
            if is_reached and not judge_as_known(view, rider, moved, 1, None).against:
                found.append(rider)
        return found

    def _find_arrived(self, here: str) -> set[str]:
        view = self.view
        reached = hex_reached(view, self.unit)
        hexes = [reached] if reached else view.board.neighbours(here)
        others = [other for hex in hexes for other in view.stack(hex)]
        return {other.id for other in others if view.side_of(other.id) not in ("", self.seen.side)}

    def take_for_granted(self, result: DisplaceResult) -> None:
        """Note the hexsides along the ways that were assumed to be open, or to let zones cross."""
        ways = [(result.place, *trim_to_map(refuge)) for refuge in result.refuges if result.place]
        hexsides.assume_zones(self.seen, {*filter(None, [result.place]), *(hex for way in ways for hex in way)})
        for way in ways:
            for here, there in pairwise(way):
                self.view.granted("barrier", hexside(here, there), (), "9.5", "{hexsides} can be crossed (not stated)")

    def suppose_line(self, result: DisplaceResult) -> None:
        """Note the suppositions about enemies on an RR line.

        They have been there since before this phase for a depot; for a unit in Rail Mode they have come in this phase.
        A unit without a refuge has lost none of its line in this phase.
        """
        if not (result.must and self.unit.place and self.follows_line):
            return
        around, rule = self.around, self.rule
        closing = [] if self.entrained else enemies_on_the_line(around)
        entered = {hex for refuge in result.refuges for hex in refuge.way}
        if passed := sorted((entered & around.enemies) - around.lately):
            text = "the enemies in {hexes} have come there in this phase, and so do not close the RR line (else {how})"
            around.view.premises.assume(step(rule, text, hexes=passed, how=f"{passed[0]} operational=none"))
        elif closing:
            text = "the enemies in {hexes} have not come there in this phase, and so close the RR line (if they have: {how})"
            around.view.premises.assume(step(rule, text, hexes=closing, how=f"changed={','.join(closing)}"))
        elif not (result.refuges or around.lately):
            text = "no hex of the RR line has changed to enemy control in this phase (changed=HEXES not given)"
            around.view.premises.assume(step(rule, text))

    def leave(self, result: DisplaceResult, answers: Answers) -> Departure:
        """Return the changes, or the owner's choice if there is one."""
        view, unit, rule = self.view, self.unit, self.rule
        marker = self.burden[0]
        if result.removed:
            return Departure(changes=tuple(depart(view, [unit.id], REMOVED)))
        if result.eliminated:
            return Departure(changes=(Change("place", unit.id, unit.place, None, rule),))
        if not result.refuges:
            return Departure()
        hexes = {refuge.hex: refuge.hex for refuge in result.refuges}
        there, asks = chosen(f"to.{unit.id}", rule, f"where {unit.id} goes", hexes, answers)
        if there is None:
            return Departure(asks)
        if there == OFF_MAP:
            return Departure(changes=tuple(depart(view, [unit.id])), way=result.refuges[0].way, hex=there)
        changes = [Change("place", unit.id, unit.place, there, rule)]
        if departure_of(view, unit.id):
            changes.append(changed(view, DEPARTED, unit.id, None, rule))
        if marker == HALF_TRACK:
            changes += mark_half(view, unit.id, "initial", rule)
        elif marker and not view.state.value(marker, unit.id):
            changes.append(changed(view, marker, unit.id, True, rule))
        if unit.place:
            changes += release_garrison(view, unit.id, unit.place, there)
        way = next(refuge.way for refuge in result.refuges if refuge.hex == there)
        return Departure(changes=tuple(changes), way=way, hex=there)

    def refuges_part(self, result: DisplaceResult) -> Part:
        rule = self.rule
        lately = self.around.lately if self.follows_line else ()
        steps = [step(rule, "{why}", result)]
        for refuge in result.refuges:
            if refuge.hex == OFF_MAP:
                text = (
                    "off the map[hexes: via {hexes}], as the only way of three hexes leads there; it never returns and does "
                    "not count as eliminated"
                )
                steps.append(step("1.2.2", text, hexes=trim_to_map(refuge)))
                return Part("Displacement", tuple(steps))
            text = "{hex}[beyond: via {hexes}][units:, with {units}]"
            beyond = len(refuge.way) > 1
            steps.append(step(rule, text, refuge, hexes=list(refuge.way), units=list(refuge.with_), beyond=beyond))
        if lost := [
            hex for hex in dict.fromkeys(hex for refuge in result.refuges for hex in refuge.way) if hex in lately
        ]:
            steps.append(
                step(rule, "its side has lost the RR line in {hexes} in this phase, and it may still pass", hexes=lost)
            )
        if result.refuges and self.burden[2]:
            steps.append(step(rule, self.burden[2]))
        if result.removed:
            text = "it comes back to {hex} as soon as no German unit is adjacent to it: place it there then ({how})"
            steps.append(step(rule, text, hex=PRAGA_HEX, how=f'{PRAGA_HEX}: "{result.unit}"'))
        return Part("Displacement", tuple(steps))

    def dead_ends(self, result: DisplaceResult) -> Iterator[Step]:
        """Yield why artillery or a Corps Train has no refuge: the bars around it, and the ends of open ways."""
        if not self.walks or not result.eliminated or result.why != ALONE_REASON:
            return
        closed = list_closed_hexes(self.view, result)
        for spot in closed:
            yield step(self.rule, "{hex}: {why}", spot)
        if open_hexes := sorted({*self.view.board.neighbours(result.place)} - {spot.hex for spot in closed}):
            text = (
                f"by {{hexes:+}} [train:no way goes on for {MAX_TRAIN_HEXES} hexes, and none leads to a friendly combat unit|"
                f"no friendly unit is within {MAX_ARTILLERY_HEXES} hexes]"
            )
            yield step(self.rule, text, hexes=open_hexes, train=self.around.arm == "corps-train")


def _read_leaver(
    facts: Gather, unit: Unit, arm: str, parameters: DisplaceParameters, gone: Collection[str] = ()
) -> Leaver:
    """Return a unit that may have to leave its hex.

    `gone`: other units that are taken to be elsewhere.
    """
    seen = hexsides.around(facts, unit, without={unit.id, *gone})
    around = Surroundings(
        view=facts.view,
        unit=unit.id,
        place=unit.place or "",
        side=seen.side,
        nation=facts.word("nation", unit.id),
        enemies=seen.enemies,
        enemy_zones=seen.enemy_zones,
        friends=seen.friends,
        others=[(other.id, str(other.place)) for other, _ in seen.field.all_units],
        arms={friend.id: facts.word("arm", friend.id) for friend in seen.units},
        arm=arm,
        marked=arm == "artillery" and facts.flag("displaced", unit.id),
        reached=hex_reached(facts.view, unit) is not None,
        lately=lost_in_this_phase(facts.view, seen.side).union(parameters.changed),
    )
    crossed = parameters.crossing is not None and crosses_into(facts, unit, around.place, parameters.crossing)
    entrained = facts.flag("entrained", unit.id)
    return Leaver(unit, parameters, seen, around, crossed, entrained)


def _find_displacing_arm(facts: Gather, unit: Unit) -> str:
    """Return the arm of a unit that may have to make room for the enemy, or "" if it is not stated.

    Raises InputError for an arm that is never displaced.
    """
    arm = facts.word("arm", unit.id)
    entrained = facts.flag("entrained", unit.id)
    if not entrained and arm not in ("", "artillery", *SUPPLY_ARMS) and unit.id not in LANDSTURM:
        raise InputError(f"unit: {unit.id} is neither artillery nor a supply unit, and so never displaces")
    return arm


def _is_of_tannenberg(facts: Gather, unit: Unit) -> bool:
    is_praga = unit.id == PRAGA
    return not in_campaign(facts, "24.5.3", "PRAGA displaces like any depot", matters=is_praga) and is_praga


def _are_germans_near_praga(facts: Gather) -> bool:
    view = facts.view
    near = [unit.id for hex in (PRAGA_HEX, *view.board.neighbours(PRAGA_HEX)) for unit in view.stack(hex)]
    return any(facts.word("nation", unit) == "german" for unit in near)


def _is_near_russian_infantry(facts: Gather, place: str) -> bool:
    near = [other.id for hex in facts.view.board.neighbours(place) for other in facts.view.stack(hex)]
    return any(facts.word("nation", other) == "russian" and facts.word("arm", other) == "infantry" for other in near)


def crosses_into(facts: Gather, unit: Unit, place: str, crossing: str) -> bool:
    """Return whether an enemy's zone reaches a hex because he begins to cross a great river into it.

    A combat unit that pays to cross a Major or Grand River has a zone of control in the hex beyond.

    `crossing`: the hex of the enemy.

    Raises InputError if no enemy combat unit is there, or the hexes are not adjacent.

    Rule: 4.1.1a
    """
    view = facts.view
    enemies = [other for other in view.stack(crossing) if side_of(facts, other) not in ("", side_of(facts, unit))]
    if not any(hexsides.has_zone(facts, other) for other in enemies):
        raise InputError(f"crossing: no enemy combat unit in {crossing}", hint="name the hex that it comes from")
    if crossing not in view.board.neighbours(place):
        raise InputError(f"crossing: {crossing} is not adjacent to {place}")
    return bool(GREAT_RIVERS & between(facts, crossing, place).lies)


def _choose_verdict(result: DisplaceResult, there: str) -> Verdict:
    if result.removed:
        return verdict("yes", "{unit} is taken off the map: {why}", result)
    if result.eliminated:
        return verdict("yes", ELIMINATED_TEXT, result, mobile=is_mobile(result.unit))
    if there == OFF_MAP:
        return verdict("yes", DEPARTS_TEXT, result)
    if result.must and result.refuges:
        hexes = [there] if there else [refuge.hex for refuge in result.refuges]
        return verdict("yes", "{unit} goes to {hexes}: {why}", result, hexes=hexes)
    text = "{unit} stays[away: off the map]: {why}[stuck:, and it has nowhere to go]"
    stuck = result.must and is_mobile(result.unit)
    return verdict("no", text, result, away=not result.place, stuck=stuck)


def trim_to_map(refuge: Refuge) -> tuple[str, ...]:
    """Return the part of a way to a refuge that lies on the map."""
    return tuple(hex for hex in refuge.way if hex != OFF_MAP)


def sketch_displacement(view: View, report: Report[DisplaceResult]) -> Sketch:
    """Return the picture of a unit's refuges, the ways to them, closed hexes around it, and enemy zones."""
    result = report.shown
    side = view.side_of(result.unit)
    place = result.place
    spots = [Spot(hex=place, role="start", label="eliminated" if result.eliminated else "")] if place else []
    for refuge in result.refuges:
        if refuge.hex != OFF_MAP:
            label = "1 hex" if len(refuge.way) == 1 else f"{len(refuge.way)} hexes"
            why = f"with {', '.join(refuge.with_)}" if refuge.with_ else ""
            spots.append(Spot(hex=refuge.hex, role="open", label=label, why=why))
    arrows = []
    if place:
        ways = filter(None, map(trim_to_map, result.refuges))
        arrows += [Arrow(hexes=(place, *way), kind="choice", side=side) for way in ways]
    if place and result.must and view.word("arm", result.unit) not in DEPOTS:
        passed = {hex for refuge in result.refuges for hex in refuge.way}
        spots += [spot for spot in list_closed_hexes(view, result) if spot.hex not in passed]
    return sketch_of(
        view,
        report,
        side=side,
        spots=tuple(spots),
        arrows=tuple(arrows),
        zones=draw_enemy_zones(view, hexsides.field, side),
        words={"open": "where it may go, and how far that is", "choice": "the way there", "start": "where it stands"},
    )


def list_closed_hexes(view: View, result: DisplaceResult) -> tuple[Spot, ...]:
    """Return the closed hexes around a unit, each with the reason (4.2b, 9.5.1, 9.8.1)."""
    with view.gather() as facts:
        around = hexsides.around(facts, view.unit(result.unit), without={result.unit})
    nation = view.word("nation", result.unit)
    spots = list[Spot]()
    for there in view.board.neighbours(result.place):
        shut = hexsides.impassable(between(view, result.place, there))
        bar = hexsides.entry_bar(hexsides.Entry(there, (nation,), there in around.enemies, shut))
        if bar:
            spots.append(Spot(hex=there, role="barred", why=bar.why))
        elif there in around.closed:
            spots.append(Spot(hex=there, role="barred", why="in an EZOC without a friendly unit"))
    return tuple(spots)


QUESTION = declare(
    "displace",
    "where artillery, a Corps Train, a depot or a unit in Rail Mode goes when an enemy becomes adjacent to it",
    answer,
    {"to.UNIT": "the hex that it goes to"},
    sketch=sketch_displacement,
)
