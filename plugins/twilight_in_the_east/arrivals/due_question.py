"""The question `due`: what the scenario brings in a turn or a period, by its schedules and by what units state."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from assistant.asking import View
from assistant.game.schedule_rows import hexes_in
from assistant.game.schedules import Due, arrival
from assistant.rules.arrivals import Coming, bring_forward, reckon_arrivals, with_units
from assistant.rules.due import due_question

from ..substitutions.facts import SUBSTITUTE_FOR, is_substitute, with_substitutes
from ..substitutions.rules import CASES
from .entry import entry_hexes, is_depot_of_army, units_due, units_to_come, why_blocked_now

ANY_STATION = "an RR Station that friendly operational lines join to the map edge"
"""Where a depot comes with its army (16.3)."""


def _list_due_in_period(view: View, first: int, last: int) -> Iterator[Due]:
    """Yield what comes in a period, with what blocks the entry hex of a unit now: a unit that has waited comes now, a
    substitute is named with the unit it replaces, units that have left for good do not come (1.2.2).
    """
    now = view.integer("turn")
    since = {coming.unit: coming.turn for side in view.game.file.sides for coming in units_due(view, side, now)}
    known = with_substitutes(view)

    def units(view: View, side: str) -> Iterator[Coming]:
        for coming in bring_forward(units_to_come(view, side), now, lambda coming: coming.unit in since):
            if not first <= coming.turn <= last:
                continue
            there = with_units(view, [coming.unit])
            if not is_substitute(known, coming.unit) and is_depot_of_army(there, coming):
                yield replace(coming, rule="16.3", place=coming.place or ANY_STATION)
            else:
                yield replace(coming, place=" ".join(entry_hexes(view, coming)) or coming.place)

    for due in reckon_arrivals(view, first, last, units):
        unit = due.row.units
        nation = _find_nation(known, unit)
        waited = since.get(unit, due.turn) if due.turn == now else due.turn
        came = _add_exchange(known, replace(due, who=nation or due.who), waited)
        yield _add_blocks(view, came, nation) if due.row.action == came.row.action == "arrive" else came


def _add_blocks(view: View, due: Due, nation: str) -> Due:
    """Return a unit that is due, with what blocks its entry hexes now."""
    side = view.game.side_of(nation) if nation else due.who
    why = why_blocked_now(view, side, nation, hexes_in(view.board, due.row.place))
    return replace(due, text=f"{due.text} (blocked now: {', '.join(why)})") if why else due


def _find_nation(view: View, unit: str) -> str:
    """Return the nation of a unit as the position or its counter has it, in whose name it is listed; "" if neither
    says.
    """
    return str(view.state.value("nation", unit) or view.game.printed_nation(unit))


def _add_exchange(view: View, due: Due, since: int) -> Due:
    """Return a unit that is due, with the units whose place it takes, and with the game turn since which it has waited.
    view: in which substitutes say whose place they take.
    """
    row = due.row
    unit = due.row.units
    if row.action not in ("arrive", "substitute") or row.item != "unit" or unit not in view.state.units:
        return due
    olds = (view.word(SUBSTITUTE_FOR, unit) or CASES.get(unit, "")) if is_substitute(view, unit) else ""
    rule = "16.2" if olds else due.rule
    came = arrival(unit, due.who, due.turn, rule, row.place, olds)
    return replace(came, text=f"{came.text}, due since GT {since}") if since < due.turn else came


QUESTION = due_question(_list_due_in_period)
