"""Set-ups: the places of units in a scenario, whether a position agrees, and the report on that.

An instruction names a place, a distance from it, a country, or a row of hexes that a unit is north or south of. A game
judges a unit's hex by what these names mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, TypeVar

import msgspec

from ..asking.report import MissingFacts, Part, Report, Step, Verdict, step, verdict
from ..asking.view import Gather, View, changed
from ..state.changes import AnyChange, Change, Enter
from ..state.state import FactKey
from ..state.tracks import Value
from ..state.vocabulary import UnitId, UnitSide
from ..util.notes import note
from .field.movement import bring_unit

Status = Literal["right", "misplaced", "missing", "open"]
TITLES: dict[Status, str] = {
    "misplaced": "Misplaced",
    "missing": "Not on the map yet",
    "open": "To be checked on the map",
    "right": "As the scenario says",
}
"""The title of the part for each status."""


class Instruction(msgspec.Struct, frozen=True):
    """The place where a scenario or an option sets up a unit."""

    scenario: str
    side: str
    unit: str
    rule: str
    option: str = ""
    reversed: bool = False
    country: str = ""
    """The country, or several with `or` between, or "" for any."""
    at: str = ""
    """The place, or "" for anywhere."""
    within: int = 0
    """The maximum distance from the place, in hexes."""
    north_of: str = ""
    south_of: str = ""
    """The place whose row bounds the area, as in `north_of`; `Warsaw+` includes the row of Warsaw."""

    @property
    def in_words(self) -> str:
        """The instruction in words."""
        words = [self.at or "anywhere"]
        if self.within:
            words = [f"within {self.within} hex{'es' if self.within > 1 else ''} of {self.at}"]
        if self.country:
            words.append(f"in {write_countries(self.country)}")
        for way, row in (("north", self.north_of), ("south", self.south_of)):
            if row:
                words.append(f"{way} of {row.removesuffix('+')} ({'in' if row.endswith('+') else 'ex'}clusive)")
        return " ".join(words) + (", on its reverse side" if self.reversed else "")


class SetUpCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A unit of a set-up, and whether it stands where the scenario puts it."""

    unit: UnitId
    side: UnitSide
    where: Annotated[str, note("where it is set up")]
    place: Annotated[str, note("where it stands, empty if nowhere")] = ""
    status: Annotated[Status, note("right, misplaced, missing, or open (to be checked on the map)")] = "right"
    why: Annotated[str, note("what is wrong, or what must be stated")] = ""
    rule: Annotated[str, note("the rule of the instruction")] = ""


class SetupFault(NamedTuple):
    """A fault of a unit's hex. If it is uncertain, the text is the fact of the map that would decide it."""

    what: str
    certain: bool = True


Faults = Callable[[Gather, Instruction, str], Iterable[SetupFault]]
"""A function that returns the faults of a unit's hex by an instruction."""
Named = Callable[[str], str | None]
"""A function that returns the hex of a named place, or None while unknown."""


def write_countries(countries: str) -> str:
    """Return countries in title case: `Russia or Romania` for `russia or romania`."""
    return " or ".join(country.title() for country in countries.split(" or "))


def check_set_up(view: View, instructions: Iterable[Instruction], faults: Faults) -> tuple[SetUpCheck, ...]:
    """Return whether each unit of a set-up stands in its place. A missing fact leaves the unit open."""
    return tuple(_check_unit(view, instruction, faults) for instruction in instructions)


def _check_unit(view: View, instruction: Instruction, faults: Faults) -> SetUpCheck:
    unit = view.state.units.get(instruction.unit)
    place = ""
    why = ""
    status: Status = "missing"
    if unit is not None and unit.place is not None and not view.board.is_box(unit.place):
        place = unit.place
        status = "right"
        try:
            with view.gather() as facts:
                wrong = [*faults(facts, instruction, place)]
        except MissingFacts as missing:
            wrong = [SetupFault(f"state {missing.asks[0].how}", certain=False)]
        if certain := [fault.what for fault in wrong if fault.certain]:
            status = "misplaced"
            why = "; ".join(certain)
        elif wrong:
            status = "open"
            why = wrong[0].what
    where = instruction.in_words
    return SetUpCheck(
        unit=instruction.unit,
        side=instruction.side,
        where=where,
        place=place,
        status=status,
        why=why,
        rule=instruction.rule,
    )


def find_distance_faults(
    view: View, instruction: Instruction, at: str, place: str | None, name: str, request: str = ""
) -> Iterator[SetupFault]:
    """Yield a fault if a hex is too far from a place.

    `place`: the hex of the place, or None while unknown.
    `request`: the words that ask for this hex, by default by the name of the place.
    """
    if place is None:
        yield SetupFault(request or f"state HEX named={name}", certain=False)
    elif view.board.distance(at, place) > instruction.within:
        yield SetupFault(f"{at} is not {'within reach of ' if instruction.within else ''}{name} ({place})")


def find_row_faults(
    view: View,
    instruction: Instruction,
    at: str,
    named: Named,
    includes: Callable[[str], bool] = lambda row: row.endswith("+"),
) -> Iterator[SetupFault]:
    """Yield a fault if a hex is not north or south of a place; rows of numbers run from east to west.

    `includes`: returns whether a named row includes the place's own row, by default after a plus.
    """
    for row, way in ((instruction.north_of, "north"), (instruction.south_of, "south")):
        name = row.removesuffix("+")
        if row and (place := named(name)) is None:
            yield SetupFault(f"state HEX named={name}", certain=False)
        elif row and place and not _is_past_row(view, at, place, north=way == "north", inclusive=includes(row)):
            yield SetupFault(f"{at} is not {way} of {name} ({place})")


def _is_past_row(view: View, at: str, place: str, *, north: bool, inclusive: bool) -> bool:
    """Return whether a hex lies in a row north or south of another hex, or in its row if `inclusive`."""
    here = view.board.grid.parse(at).row
    there = view.board.grid.parse(place).row
    return inclusive if here == there else (here < there) == north


def units_left_out(view: View, instructions: Collection[Instruction], side: str | None = None) -> tuple[str, ...]:
    """Return the units on the map that a set-up does not name.

    `side`: the side of the units, or None for all.
    """
    named = {instruction.unit for instruction in instructions}
    on_map = (unit for unit in view.units() if unit.place and not view.board.is_box(unit.place))
    return tuple(unit.id for unit in on_map if unit.id not in named and side in (None, view.side_of(unit.id)))


def choose_verdict(units: Sequence[SetUpCheck]) -> Verdict:
    """Return the verdict on how far a position agrees with a set-up."""
    count = dict.fromkeys(TITLES, 0) | Counter(unit.status for unit in units)
    if count["misplaced"]:
        return verdict("no", "{misplaced:#unit} misplaced", misplaced=count["misplaced"])
    text = "{right:#unit} placed as the scenario says, {missing} still to be placed, {open} to be checked on the map"
    return verdict("figure", text, **count)


def unit_parts(units: Sequence[SetUpCheck], changes: Iterable[AnyChange] = ()) -> list[Part]:
    """Return the units of a set-up in words, a part for each status.

    Units placed by the changes are listed by hex, in a line for each side.
    """
    placed = {change.subject for change in changes if isinstance(change, Change) and change.track == "place"}
    placed |= {change.unit for change in changes if isinstance(change, Enter)}
    unplaced = [unit for unit in units if not (unit.status == "missing" and unit.unit in placed)]
    parts = {
        title: [_make_unit_step(unit) for unit in unplaced if unit.status == status] for status, title in TITLES.items()
    }
    parts[TITLES["missing"]][:0] = _list_placed_steps([unit for unit in units if unit not in unplaced])
    return [Part(title, tuple(steps)) for title, steps in parts.items()]


def _list_placed_steps(units: Sequence[SetUpCheck]) -> Iterator[Step]:
    for side, rule in dict.fromkeys((unit.side, unit.rule) for unit in units):
        hexes = dict[str, list[str]]()
        for unit in units:
            if (unit.side, unit.rule) == (side, rule):
                hexes.setdefault(unit.where, []).append(unit.unit)
        yield step(rule, "{units}", units="; ".join(f"{at}: {', '.join(there)}" for at, there in hexes.items()))


def _make_unit_step(unit: SetUpCheck) -> Step:
    text = "{unit}" + (" in {place}" if unit.place else "") + ", by the set-up: {where}"
    if unit.why:
        text += " - {why}"
    return step(unit.rule, text, unit)


def list_placings(
    view: View,
    instructions: Iterable[Instruction],
    units: Iterable[SetUpCheck],
    named: Named,
    reverse: str = "reversed",
) -> Iterator[AnyChange]:
    """Yield the changes that place missing units whose hex is known, unless enemies stand there.

    `reverse`: the track of units whose reverse side is up.
    """
    missing = {unit.unit for unit in units if unit.status == "missing"}
    for instruction in instructions:
        at = (
            named(instruction.at) if instruction.at and not instruction.within and instruction.unit in missing else None
        )
        if at is None or any(view.side_of(unit.id) != instruction.side for unit in view.stack(at)):
            continue
        yield bring_unit(view, instruction.unit, at, instruction.rule)
        if instruction.reversed and not view.state.value(reverse, instruction.unit):
            yield changed(view, reverse, instruction.unit, True, instruction.rule)


# --- the report -------------------------------------------------------------------------------------------------------


class Deployed(msgspec.Struct, frozen=True, kw_only=True):
    """The set-up of a scenario, and the agreement of a position with it."""

    scenario: Annotated[str, note("the scenario")]
    units: Annotated[tuple[SetUpCheck, ...], note("each unit that is set up")]
    extra: Annotated[tuple[str, ...], note("units on the map that the scenario does not set up")]


D = TypeVar("D", bound=Deployed)


def _list_otherwise(view: View, begins: Mapping[FactKey, Value], rule: str) -> Iterator[Step]:
    """Yield a line for each track of a side on which the position and the scenario's start differ."""
    for (track, side), value in begins.items():
        if view.game.tracks[track].on == "side" and (stated := view.fact(track, side)) and stated.value != value:
            text = "the position states {points} for the {side} instead"
            yield step(rule, text, side=view.title_of(side), points=view.game.tracks[track].write(stated.value))


def set_up_report(deployed: D, steps: Iterable[Step], changes: Sequence[AnyChange], rule: str) -> Report[D]:
    """Return the report on how far a position agrees with a set-up."""
    extra = tuple(step(rule, "{unit}", unit=unit) for unit in deployed.extra)
    return Report(
        title=f"Set-up of {deployed.scenario}",
        verdict=choose_verdict(deployed.units),
        parts=(Part("Scenario", tuple(steps)), *unit_parts(deployed.units, changes), Part("Not in this set-up", extra)),
        changes=tuple(changes),
        result=deployed,
    )


def set_up(
    view: View,
    deployed: D,
    orders: Collection[Instruction],
    beginning: Mapping[FactKey, Value],
    steps: Iterable[Step],
    *,
    named: Named,
    rule: str,
    placing_rule: str,
) -> Report[D]:
    """Return the report on a set-up.

    `beginning`: the facts at the scenario's start. Missing facts are stated, and differing facts of sides are named.
    """
    missing = (
        Change(track, subject, None, value, rule)
        for (track, subject), value in beginning.items()
        if (track, subject) not in view.state.facts
    )
    changes = (*missing, *list_placings(view, orders, deployed.units, named))
    return set_up_report(deployed, (*steps, *_list_otherwise(view, beginning, rule)), changes, placing_rule)
