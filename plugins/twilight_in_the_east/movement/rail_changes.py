"""What units that go by rail change in the phase of the position: where they stand, what they spend, what the stations
have done (8.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from assistant.asking import View
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.points import format_amounts, format_points

from ..forces.account import end_moves, spend
from ..forces.half_markers import mark_half
from ..forces.markers import mark_task
from ..railways.transport import Stage, Timetable
from .timetable import DOINGS
from .train_plans import RAIL_ROADS, Run


def list_present_changes(view: View, runs: Sequence[Run], tables: Sequence[Timetable]) -> list[Change]:
    """Return what the first phase of the timetables changes, as it is that of the position."""
    made = [*end_moves(view, [run.train.unit for run in runs])]
    for run, table in zip(runs, tables, strict=True):
        made += _unit_changes(view, run, table.stages[0])
    last = tables[-1]
    yards = last.yards[0]
    purse = last.purses[0]
    for track, values in (("station-used", yards.used), ("station-busy", yards.busy)):
        for hex, points in values.items():
            if points != view.points(track, hex):
                made.append(changed(view, track, hex, format_points(points) if points else None, "8.2.6"))
    for pool, left in purse.items():
        if left is not None and left != view.points(pool.kind, pool.nation):
            made.append(changed(view, pool.kind, pool.nation, format_points(left), "8.2.1"))
    return made


def list_changes_at_once(view: View, runs: Sequence[Run]) -> Iterator[Change]:
    """Yield what changes before the units move, in whichever phase it is: the destinations that the enemy makes them
    give up.
    """
    for run in runs:
        if run.troubled == RAIL_ROADS:
            yield changed(view, "destination", run.train.unit, run.train.destination, RAIL_ROADS)
            yield from mark_half(view, run.train.unit, "initial", RAIL_ROADS)


def _unit_changes(view: View, run: Run, stage: Stage) -> Iterator[Change]:
    """Yield what a unit does in the phase of the position, as changes of it."""
    name, train = run.train.unit, stage.train
    passed = (*run.displaced, *stage.hexes)
    spent = {word: stage.spent[word] for word in DOINGS if word in stage.spent}
    yield from spend(view, name, spent, passed, RAIL_ROADS)
    if train.place != view.unit(name).place:
        yield changed(view, "place", name, train.place, RAIL_ROADS)
    facts = {
        "entrained": train.aboard or None,
        "destination": train.destination if train.aboard else None,
        "train-gauge": train.gauge if train.aboard and train.gauge else None,
        "off-map": _write_off_map(stage, run) or None,
    }
    for track, after in facts.items():
        if (view.state.value(track, name) or None) != after:
            yield changed(view, track, name, after, RAIL_ROADS)
    if run.train.task or train.task:
        yield from mark_task(view, name, train.task, int(train.done), RAIL_ROADS)
    if run.troubled:
        yield from mark_half(view, name, "initial", run.troubled)


def _write_off_map(stage: Stage, run: Run) -> str:
    """Return where a unit is on an off-map line, as the position keeps it; "" on the map."""
    if not stage.train.gone or run.route is None:
        return ""
    ends = [leg.hex for leg in run.route.legs if leg.off_map and leg.hex not in stage.hexes]
    return format_amounts({ends[0]: Fraction(stage.train.gone)})
