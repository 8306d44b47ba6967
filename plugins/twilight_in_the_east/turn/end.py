"""What the Post-Combat Phase and the Inter-Phase ask for: cavalry that retires, markers that come off, Rail Points that
are renewed (5.2, 5.4.10).
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import View
from assistant.rules.phase_now import Duty, StepFinding
from assistant.rules.turns import finding
from assistant.state.points import format_points
from assistant.util.errors import quoted

from ..forces.departures import pass_box
from ..forces.half_markers import turn_half_markers
from ..ground.calendar import campaign_is_unstated
from ..ground.hexsides import leads_to_box
from ..movement.cavalry_retirement import read_riders
from ..railways.rail_points import (
    MOST_SPECIAL,
    POOLS,
    RAIL,
    RENEWED,
    TAKEN,
    RailPool,
    has_taken_now,
    renew_pools,
    renewal_changes,
    renewed_pools,
    why_no_special,
)
from ..replacements.reserves import find_takers, nations_in, points_left, reduced_units
from ..replacements.rules import NAMES, POINTS
from ..terms import BUKOWINA_BOX, HALF_HEXES
from .duties import is_carried_out


def judge_retirement(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which cavalry of the phasing side may retire a hex, and which has to."""
    yield from retiring(view, duty.side)


def judge_retirement_of_the_other_side(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which cavalry of the other side may retire a hex, and which has to."""
    yield from retiring(view, next(side for side in view.game.file.sides if side != duty.side))


def retiring(view: View, side: str) -> Iterator[StepFinding]:
    """Yield which cavalry of a side may retire a hex, and which has to; of units whose status is kept from the
    viewpoint their own side knows that. Rule: 5.4.10a
    """
    able, obliged = read_riders(view, side)
    free = [unit.id for unit in able if unit.id not in obliged]
    for unit in (unit for unit in able if unit.id in obliged):
        rule, why = obliged[unit.id]
        text = "{units} in {places} {why} and must retire"
        ask = f"cavalry unit={quoted(unit.id)} when=retirement"
        yield finding("owed", rule, text, units=[unit.id], places=[str(unit.place)], ask=ask, why=why)
    if free:
        ask = f"cavalry unit={quoted(free[0])} when=retirement"
        yield finding("possible", "9.2", "possible for {units}", units=free, ask=ask)
    if not able:
        yield finding("impossible", "9.2", "no cavalry that is adjacent to an enemy has a hex to retire to")


def judge_half(view: View) -> Iterator[StepFinding]:
    """Yield which Combat Strength 1/2 markers come off, and which are turned."""
    turned = list(turn_half_markers(view))
    off = [change.subject for change in turned if change.track == "half"]
    final = [change.subject for change in turned if change.after]
    if turned:
        clauses = list[str]()
        if off:
            clauses.append("those of {off} come off")
        if final:
            clauses.append("those of {final_side} are turned to Final")
        text = "; ".join(clauses)
        yield finding("owed", "8.2.5", text, units=(*off, *final), changes=turned, off=off, final_side=final)
    else:
        yield finding("impossible", "8.2.5", "no unit bears one")


def judge_half_hexes(view: View) -> Iterator[StepFinding]:
    """Yield which units go into the Bukowina Holding Box, as a player turn of either side ends and they stand in a
    half-hex. Rule: 23.4.1
    """
    there = (unit for hex in HALF_HEXES for unit in view.stack(hex))
    left = [unit for unit in there if leads_to_box(str(unit.place), {view.word("nation", unit.id)})]
    if left:
        changes = [change for unit in left for change in pass_box(view, unit.id, BUKOWINA_BOX, None)]
        units = [unit.id for unit in left]
        places = [*dict.fromkeys(str(unit.place) for unit in left)]
        yield finding("owed", "23.4.1", "{units} of {places}", units=units, places=places, changes=changes)
    else:
        yield finding("impossible", "23.4.1", "no unit stands in one")


def judge_rail_points(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which nations' Rail Points are still to be renewed, with the allotments that are known."""
    nations = {view.word("nation", unit.id) for unit in view.units()} | set(view.stated_about.get(RAIL, ()))
    for nation in POOLS:
        if nation not in nations:
            continue
        title = view.title_of(nation)
        if is_carried_out(view.integer(RENEWED, nation) or None, duty.turn):
            yield finding("done", "5.2.1", "{nation}: renewed after GT {turn}", nation=title, turn=duty.turn)
            continue
        kept = {pool: points for pool, points in renewed_pools(view, nation, duty.turn).items() if _is_kept(view, pool)}
        known = {pool: points for pool, points in kept.items() if points is not None}
        if len(known) < len(kept):
            text = "{nation}: the allotment is not known"
            ask = f"rail-points renew=yes nation={nation}"
            yield finding("owed", "5.2.1", text, ask=ask, nation=title)
            continue
        renewed = renew_pools(kept, known)
        made = list(renewal_changes(view, renewed, duty.turn))
        points = [f"{pool.kind} {format_points(points)}" for pool, points in renewed.items()]
        yield finding("owed", "5.2.1", "{nation}: {points}", changes=made, nation=title, points=points)


def _is_kept(view: View, pool: RailPool) -> bool:
    """Return whether a pool is renewed: the Rail Points of every nation, the others if they are stated."""
    return pool.kind == RAIL or view.fact(pool.kind, pool.nation) is not None


def judge_special_allotment(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which of the Central Powers may take a special allotment of Rail Points, and why none does.
    Rule: 8.2.9
    """
    had = any(has_taken_now(view, ally, duty.turn) for ally in MOST_SPECIAL)
    reasons = dict[str, str]()
    for ally in MOST_SPECIAL:
        why = why_no_special(ally, view.integer(TAKEN, ally), campaign=view.flag("campaign"), had=had)
        reasons[ally] = why[0].text if why else ""
    free = [ally for ally, why in reasons.items() if not why]
    if free:
        left = [f"{view.title_of(ally)}: {MOST_SPECIAL[ally] - view.integer(TAKEN, ally)} left" for ally in free]
        ask = f"rail-points renew=yes special={free[0]}"
        yield finding("possible", "8.2.9", "{allotments:+}", ask=ask, allotments=left)
        return
    alike = list(dict.fromkeys(reasons.values()))
    whose = [f"{view.title_of(ally)}: {why}" for ally, why in reasons.items()] if len(alike) > 1 else alike
    text = "{reasons:+}[unstated:; state `campaign` if this is one]"
    yield finding("impossible", "8.2.9", text, reasons=whose, unstated=campaign_is_unstated(view))


def judge_replacements(view: View) -> Iterator[StepFinding]:
    """Yield which nations have replacements left, and the units that may take them; what is not allocated is lost.
    Rule: 15.1
    """
    nations = nations_in(view, reduced_units(view))
    able = {(nation, points): find_takers(view, nation, points) for nation in nations for points in POINTS.values()}
    for (nation, points), units in able.items():
        if units:
            left = points_left(view, nation, points)
            if left:
                text = "{nation}: {number} {kind}s left, which are lost if not allocated now, for {units}"
            else:
                text = "{nation}: how many {kind}s there are is not known; {units} may take some"
            title = view.title_of(nation)
            kind = NAMES[points]
            yield finding("possible", "15.1", text, units=units, nation=title, number=left, kind=kind)
    if not any(able.values()):
        yield finding("impossible", "15.1", "no reduced unit can take any")
