"""Who is supplied, from where and along which hexes, and why not: the answer of a game in which a unit is supplied or
is not.

A game finds out how each unit fares (`Supplied`) and what stands in the way of the others (`Cause`); verdict, working,
picture and map in letters are the same for all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from ..field import Around
from ..mechanics.lifting import Lifted
from ..questions.report import Report, Step, Verdict, step, verdict
from ..questions.view import View
from ..state.state import hexside
from ..state.vocabulary import InWords, Side, UnitHex, UnitId
from ..util.errors import InputError
from ..util.notes import note

if TYPE_CHECKING:
    from ..drawing.scene import Rows, Scene
    from ..pictures.lines.shown import Break, Origin, Shown, Status


class Hindrance(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that keeps a unit from supply."""

    kind: Annotated[str, note("what it is in a word: enemy, zone, range, source, or a kind of ground")]
    where: Annotated[str, note("the hex, or the source")]
    by: Annotated[tuple[str, ...], note("the enemy units behind it")] = ()
    lacks: Annotated[int, note("hexes that a range is too short by, 0 for other kinds")] = 0
    text: InWords


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """The least that would have to be otherwise for a unit to be supplied: all of it together."""

    source: Annotated[str, note("the source that would then supply it, empty if there is none")] = ""
    by: Annotated[str, note("how it would then be supplied, empty if nothing can be named")] = ""
    line: Annotated[tuple[str, ...], note("the line that would then lead to it, from the source")] = ()
    hindrances: Annotated[tuple[Hindrance, ...], note("what would have to be otherwise")] = ()
    text: Annotated[str, note("all of it in words")]

    @property
    def weight(self) -> int:
        """What would have to be otherwise, a range by each hex that it lacks."""
        return sum(hindrance.lacks or 1 for hindrance in self.hindrances)


def nothing(kind: str, where: str, text: str) -> Cause:
    """The cause of a unit that no source could supply, whatever were otherwise."""
    return Cause(hindrances=(Hindrance(kind=kind, where=where, text=text),), text=text)


def in_the_way(around: Around, lifted: Lifted, zones: Collection[str] = ()) -> Iterator[Hindrance]:
    """The enemies that a line lifts: those in its hexes, and those whose zones it would leave.

    zones: hexes in which zones count at any rate, even where the line only enters them.
    """
    named = set[str]()
    for at in lifted.opened:
        if enemies := [unit.id for unit in around.field.enemies_at(around.side, at)]:
            named.update(enemies)
            yield Hindrance(kind="enemy", where=at, by=tuple(enemies), text=f"{' and '.join(enemies)} in {at}")
    left = {here for here, there in pairwise(lifted.line) if hexside(here, there) in lifted.mended}
    for at in dict.fromkeys((*lifted.opened, *lifted.line)):
        units = [unit.id for unit in around.field.reaching(around.side, at)]
        if (at in left or (at in lifted.opened and at in zones)) and not named.issuperset(units):
            named.update(units)
            yield Hindrance(kind="zone", where=at, by=tuple(units), text=f"the zone of {' and '.join(units)} in {at}")


class Supplied(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's supply."""

    unit: UnitId
    place: UnitHex
    supplied: Annotated[bool | None, note("whether it is supplied, null where that is not certain")]
    by: Annotated[str, note("how it is supplied, in a word or two; empty if it is not")] = ""
    source: Annotated[str, note("the unit that supplies it, empty for none")] = ""
    line: Annotated[tuple[str, ...], note("the hexes of the line, from the source")] = ()
    hexes: Annotated[int | None, note("length of the line in hexes, null without one")] = None
    cause: Annotated[Cause | None, note("what keeps it from supply as far as is known, null if it is supplied")] = None


class SideSupply(msgspec.Struct, frozen=True, kw_only=True):
    """The supply of units of one side."""

    side: Side
    units: Annotated[tuple[Supplied, ...], note("its units with their supply")]


class Supply(msgspec.Struct, frozen=True):
    """The supply of units."""

    sides: Annotated[tuple[SideSupply, ...], note("the sides whose units were asked for")]

    @property
    def units(self) -> list[Supplied]:
        """The units of all sides."""
        return [unit for side in self.sides for unit in side.units]


class Words(NamedTuple):
    """What a game calls all this."""

    state: Annotated[str, note('to be supplied, behind "in"')]
    how: Annotated[Mapping[str, str], note('by how a unit is supplied, what stands behind "supplied"')]
    rules: Annotated[Mapping[str, str], note('likewise the rule, "" for that of a unit that is not supplied')]
    source: Annotated[str, note("what a source is called")]
    is_source: Callable[[View, str], bool]
    breaks: Annotated[Mapping[str, str], note("the kinds of hindrances that lie on the map, in a word")]

    def verdict(self, units: Collection[Supplied]) -> Verdict:
        """The verdict: of one unit whether it is supplied, of several how many are."""
        if len(units) == 1:
            (unit,) = units
            if unit.supplied is None:
                return verdict("undecided", "undecided: nothing known supplies {unit}", unit)
            text = f"{{unit}} is {'' if unit.supplied else 'not '}in {self.state}{self.how.get(unit.by, '')}"
            return verdict("yes" if unit.supplied else "no", text, unit)
        counts = [sum(unit.supplied is state for unit in units) for state in (True, False, None)]
        figures = dict(zip(("supplied", "out", "unknown"), counts, strict=True))
        text = f"{{supplied:#unit}} in {self.state}, {{out}} not"
        if not figures.pop("unknown"):
            return verdict("no" if figures["out"] else "yes", text, **figures)
        return verdict("undecided", f"undecided: {text}, {{unknown}} not certain", **figures, unknown=counts[2])

    def unit_step(self, unit: Supplied) -> Step:
        """A unit's supply in a line."""
        text = (
            "{unit} in {place}: "
            + {None: "nothing known supplies it", False: "not supplied", True: "supplied"}[unit.supplied]
        )
        if unit.supplied:
            text += self.how[unit.by] + (": {way}" if len(unit.line) > 1 else "")
        else:
            text += self.how.get(unit.by, "") + ("; {why}" if unit.cause else "")
        figures = {"way": " ".join(unit.line), "why": unit.cause.text if unit.cause else ""}
        wanted = {name: figure for name, figure in figures.items() if f"{{{name}}}" in text}
        return step(self.rules[unit.by], text, unit, **wanted)

    def picture(self, view: View, report: Report[Any]) -> Scene:
        """The units of a report with their lines and sources. Raises InputError if none of them is in a hex."""
        from ..pictures.lines.scene import lines_scene  # only here: most answers are not drawn

        return lines_scene(view, self.shown(view, report))

    def text_map(self, view: View, report: Report[Any], width: int) -> Rows:
        """The same in letters, so many wide. Raises InputError as `picture` does, and if it is too wide."""
        from ..pictures.lines.text_map import text_map

        return text_map(view, self.shown(view, report), width)

    def shown(self, view: View, report: Report[Any]) -> Shown:
        """What a picture of a report on supply shows. Raises InputError for a report without units."""
        from ..pictures.lines import shown

        supply: Supply | None = report.drawable
        if not supply or not supply.units:
            raise InputError("there are no units to draw", hint="put units on the map")
        units = [(side.side, unit) for side in supply.sides for unit in side.units]
        status: dict[bool | None, Status] = {True: "full", False: "none", None: "unknown"}
        places = (unit.place for unit in view.state.units.values())
        return shown.Shown(
            title=report.title,
            words=shown.Words(
                statuses={"full": f"in {self.state}", "none": f"not in {self.state}", "unknown": "undecided"},
                source=self.source,
                line="supply line",
                breaks="breaks a line",
            ),
            sides=tuple(side.side for side in supply.sides),
            units=tuple(
                shown.Marked(unit=unit.unit, place=unit.place, side=side, status=status[unit.supplied])
                for side, unit in units
            ),
            origins=tuple(self._origins(view, units)),
            strands=tuple(
                shown.Strand(unit=unit.unit, side=side, hexes=unit.line) for side, unit in units if len(unit.line) > 1
            ),
            breaks=tuple(self._breaks(units)),
            focus=tuple(place for place in places if place and view.board.is_hex(place)),
            caption=(report.verdict.text, *(f"{unit.unit}: {unit.cause.text}." for _, unit in units if unit.cause)),
        )

    def _origins(self, view: View, units: Iterable[tuple[str, Supplied]]) -> Iterator[Origin]:
        """The sources that supply these units, or are among them."""
        from ..pictures.lines.shown import Origin

        for side, name in dict.fromkeys((side, unit.source or unit.unit) for side, unit in units):
            place = view.state.units[name].place
            if place and self.is_source(view, name):
                yield Origin(name=name, place=place, side=side, unit=name)

    def _breaks(self, units_of_sides: Iterable[tuple[str, Supplied]]) -> Iterator[Break]:
        """What breaks lines on the map, each with all units of a side that it keeps from supply."""
        from ..pictures.lines.shown import Break

        breaks: dict[tuple[str, str, str], list[str]] = {}
        for side, unit in units_of_sides:
            for hindrance in unit.cause.hindrances if unit.cause else ():
                if hindrance.kind in self.breaks:
                    breaks.setdefault((hindrance.where, side, self.breaks[hindrance.kind]), []).append(unit.unit)
        for (where, side, why), units in breaks.items():
            yield Break(where=where, side=side, why=why, units=tuple(units))


def decided(report: Report[Any]) -> Hashable:
    """What a report on supply decides: who is supplied."""
    return tuple((unit.unit, unit.supplied) for unit in report.result.units) if report.result else None
