"""The picture of supply: who is supplied from where, along which lines, and what breaks them (17)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.pictures.lines.shown import Break, Marked, Origin, Shown, Status, Strand, Words
from assistant.questions import InputError, Report, View

from .general import General
from .report import SideSupply, Supply

WORDS = Words(
    statuses={"full": "in General Supply", "none": "not in General Supply", "unknown": "undecided"},
    source="supply unit",
    line="supply line",
    breaks="breaks a line",
)
STATUS: dict[bool | None, Status] = {True: "full", False: "none", None: "unknown"}
BREAKS = {"enemy": "enemy", "zone": "EZOC", "marsh": "marsh"}
"""The hindrances that lie on the map, in a word."""


def shown(view: View, found: Report[Supply]) -> Shown:
    """What a picture of a report on supply shows. Raises InputError for a report without units."""
    supply = found.drawable
    if not supply or not supply.units:
        raise InputError("there are no units to draw", hint="put units on the map")
    told = supply.sides
    causes = tuple(f"{one.unit}: {one.cause.text}." for one in supply.units if one.cause)
    return Shown(
        title=found.title,
        words=WORDS,
        sides=tuple(one.side for one in told),
        units=tuple(
            Marked(unit=one.unit, place=one.place, side=side.side, status=STATUS[one.supplied])
            for side in told
            for one in side.units
        ),
        origins=tuple(origin for side in told for origin in origins(view, side)),
        strands=tuple(
            Strand(unit=one.unit, side=side.side, hexes=one.line)
            for side in told
            for one in side.units
            if len(one.line) > 1
        ),
        breaks=tuple(one for side in told for one in breaks(side)),
        focus=tuple(unit.place for unit in view.state.units.values() if unit.place and view.board.is_hex(unit.place)),
        caption=(found.verdict.text, *causes),
    )


def origins(view: View, side: SideSupply) -> Iterator[Origin]:
    """The supply units of a side that supply the units told of, or are among them."""
    serving = dict.fromkeys(one.source or one.unit for one in side.units)
    for name in serving:
        place = view.state.units[name].place
        if place and view.word("arm", name) == "supply":
            yield Origin(name=name, place=place, side=side.side, unit=name)


def breaks(side: SideSupply) -> Iterator[Break]:
    """What breaks lines on the map, each with all units that it keeps from supply."""
    found: dict[tuple[str, str], list[str]] = {}
    for one in side.units:
        for where, kind in of_map(one):
            found.setdefault((where, kind), []).append(one.unit)
    for (where, kind), units in found.items():
        yield Break(where=where, side=side.side, why=BREAKS[kind], units=tuple(units))


def of_map(one: General) -> Iterator[tuple[str, str]]:
    """The hindrances of a unit that lie in hexes, each with its kind."""
    for hindrance in one.cause.hindrances if one.cause else ():
        if hindrance.kind in BREAKS:
            yield hindrance.where, hindrance.kind
