"""The question `due`: arrivals in a turn or a period, by the schedules and the facts of units."""

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
"""The entry place of a depot that comes with its army (16.3)."""


def _list_due_in_period(view: View, first: int, last: int) -> Iterator[Due]:
    """Yield the arrivals that are due in a period.

    - A unit that has waited is due in the present turn, with the turn since which it waits.
    - A substitute names the units that it replaces.
    - A unit that arrives names the blocks of its entry hexes in the position.
    - Units that have left the map for good are left out (1.2.2).
    """
    now = view.integer("turn")
    first_due = {coming.unit: coming.turn for side in view.game.file.sides for coming in units_due(view, side, now)}
    with_exchanges = with_substitutes(view)

    def list_units(view: View, side: str) -> Iterator[Coming]:
        for coming in bring_forward(units_to_come(view, side), now, lambda coming: coming.unit in first_due):
            if not first <= coming.turn <= last:
                continue
            in_play = with_units(view, [coming.unit])
            if not is_substitute(with_exchanges, coming.unit) and is_depot_of_army(in_play, coming):
                yield replace(coming, rule="16.3", place=coming.place or ANY_STATION)
            else:
                yield replace(coming, place=" ".join(entry_hexes(view, coming)) or coming.place)

    for due in reckon_arrivals(view, first, last, list_units):
        unit = due.row.units
        nation = _find_nation(with_exchanges, unit)
        since = first_due.get(unit, due.turn) if due.turn == now else due.turn
        completed = _add_exchange(with_exchanges, replace(due, who=nation or due.who), since)
        # a substitute comes by exchange (16.2), not through an entry hex
        arrives = due.row.action == completed.row.action == "arrive"
        yield _add_blocks(view, completed, nation) if arrives else completed


def _add_blocks(view: View, due: Due, nation: str) -> Due:
    side = view.game.side_of(nation) if nation else due.who
    reasons = why_blocked_now(view, side, nation, hexes_in(view.board, due.row.place))
    return replace(due, text=f"{due.text} (blocked now: {', '.join(reasons)})") if reasons else due


def _find_nation(view: View, unit: str) -> str:
    return str(view.state.value("nation", unit) or view.game.printed_nation(unit))


def _add_exchange(view: View, due: Due, since: int) -> Due:
    """Return an arrival with the units that it replaces and the turn in which it was first due.

    Other events are returned unchanged.

    `view`: a view in which substitutes state the units that they replace.
    `since`: the turn in which the unit was first due.
    """
    row = due.row
    unit = row.units
    if row.action not in ("arrive", "substitute") or row.item != "unit" or unit not in view.state.units:
        return due
    replaced = (view.word(SUBSTITUTE_FOR, unit) or CASES.get(unit, "")) if is_substitute(view, unit) else ""
    rule = "16.2" if replaced else due.rule
    arriving = arrival(unit, due.who, due.turn, rule, row.place, replaced)
    return replace(arriving, text=f"{arriving.text}, due since GT {since}") if since < due.turn else arriving


QUESTION = due_question(_list_due_in_period)
