"""The question `due`: what the scenario brings in a turn or a period, by its schedules and by what units state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from assistant.game.schedules import Due, arrival
from assistant.questions import View, if_known
from assistant.readymade.arrivals import Coming, brought_forward, reckon_arrivals, with_units
from assistant.readymade.due import due_question

from ..forces.armies import is_shown
from ..substitutions.reading import SUBSTITUTE_FOR, is_substitute, with_substitutes
from ..substitutions.rules import CASES
from .entry import why_blocked
from .gathering import Ground, entry_hexes, is_depot_of_army, units_due, units_to_come

ANY_STATION = "an RR Station that friendly operational lines join to the map edge"
"""Where a depot comes with its army (16.3)."""


def reckon(view: View, first: int, last: int) -> Iterator[Due]:
    """What comes in a period: a unit that has waited comes now, and one that takes the place of another is named with it;
    units that have left for good do not come (1.2.2). Units stand under their nation, as rows name it, whether they come or
    leave.
    """
    now = view.integer("turn")
    since = {coming.unit: coming.turn for side in view.game.file.sides for coming in units_due(view, side, now)}
    known = with_substitutes(view)

    def units(view: View, side: str) -> Iterator[Coming]:
        for coming in brought_forward(units_to_come(view, side), now, lambda coming: coming.unit in since):
            if not first <= coming.turn <= last:
                continue
            entries, there = entry_hexes(view, coming), with_units(view, [coming.unit])
            if not is_substitute(known, coming.unit) and is_depot_of_army(there, coming):
                yield replace(coming, rule="16.3", place=coming.place or ANY_STATION)
            else:
                place = f"{' '.join(entries) or coming.place}{blocked_now(there, side, coming.unit, entries)}"
                yield replace(coming, place=place)

    for due in reckon_arrivals(view, first, last, units):
        unit = due.row.units
        yield as_exchange(known, replace(due, who=nation_of(known, unit) or due.who), since.get(unit, due.turn))


def nation_of(view: View, unit: str) -> str:
    """The nation of a unit as the position or its counter has it, in whose name it is listed; "" if neither says."""
    printed = next(iter(view.game.roster.get(unit, {}).get("nation", ())), None)
    return str(view.state.value("nation", unit) or (printed and printed.value) or "")


def blocked_now(view: View, side: str, unit: str, entries: Sequence[str]) -> str:
    """What blocks the entry hexes of a unit as the map is now, in words; "" for nothing, and for the units of an enemy whose
    displays the view does not show. entries: its entry hexes.
    """
    if not entries or not is_shown(view, side) or is_substitute(with_substitutes(view), unit):
        return ""

    def blocks(view: View) -> list[str]:
        ground = if_known(view, lambda facts: Ground(facts, side, {view.word("nation", unit)}))
        return [text for hex in entries for _, text in why_blocked(ground.entrance(hex))] if ground else []

    blocked = blocks(View(view.game, view.state, view.end))  # where nothing is, the answer does not rest on the map
    return f" (now: {', '.join(blocks(view))})" if blocked else ""


def as_exchange(view: View, due: Due, since: int) -> Due:
    """A unit that is due, with the units whose place it takes, and with the game turn since which it has waited. view: in
    which substitutes say whose place they take.
    """
    row, unit = due.row, due.row.units
    if row.action not in ("arrive", "substitute") or row.item != "unit" or unit not in view.state.units:
        return due
    olds = (view.word(SUBSTITUTE_FOR, unit) or CASES.get(unit, "")) if is_substitute(view, unit) else ""
    rule = "16.2" if olds else due.rule
    came = arrival(unit, due.who, due.turn, rule, row.place, olds)
    return replace(came, text=f"{came.text}, due since GT {since}") if since < due.turn else came


QUESTION = due_question(reckon)
