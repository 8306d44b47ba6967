"""What the picture of a Repulse shows: who attempts it, and its figures row by row (8.5)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking.report import Report
from assistant.asking.sketch import FigureTable, Sketch, Spot, sketch_of
from assistant.asking.view import View
from assistant.mechanics.distribution import format_whole_percent
from assistant.rules.sketches import attack_arrows, draw_zones, side_at

from ..combat.shown import shift_remarks
from ..ground.hexsides import field
from .report import OUTCOME, RepulseResult
from .rules import HEXES, LEAST


def sketch_repulse(view: View, report: Report[RepulseResult]) -> Sketch:
    """Return the hex to be cleared, who attempts it, the strengths, shifts and odds, what they need, and the zones of
    control of those who attempt it: they count for the flanks, and bar the way back.
    """
    result = report.shown
    places = tuple(dict.fromkeys(str(view.unit(name).place) for name in result.force))
    side = side_at(view, *places)
    outcome = next((part.steps for part in report.parts if part.title == OUTCOME), ())
    who = f"{', '.join(result.force)} alone attempts it" if len(result.force) == 1 else ""
    return sketch_of(
        view,
        report,
        results=tuple(filter(None, (who, *(entry.text for entry in outcome)))),
        side=side,
        spots=(
            *(Spot(hex=place, role="start", label=f"attack {result.attack}") for place in places),
            Spot(hex=result.at, role="target", label=f"defence {result.defence}"),
        ),
        remarks=tuple(shift_remarks(result.at, result.shifts, result.shift_places)),
        arrows=attack_arrows(places, [result.at], side),
        zones=draw_zones(view, field, [side]),
        tables=(FigureTable(title="Repulse", rows=tuple(_list_figures(result))),),
        words={"target": "the hex to be cleared", "start": "who attempts the Repulse", "attack": "Repulse"},
    )


def _list_figures(result: RepulseResult) -> Iterator[tuple[str, str]]:
    """Yield the figures of a Repulse, row by row: strengths, odds, each shift, what succeeds, the checks that follow."""
    yield "attacker's strength", str(result.attack)
    yield "defender's strength", str(result.defence)
    yield "odds", result.initial
    for shift in result.shifts:
        yield shift.why, f"{shift.amount:+d}"
    yield "odds after shifts", result.final
    yield "it needs", NEEDS[result.needs]
    if result.chance is not None:
        yield "chance of success", format_whole_percent(result.chance)
    if result.crt:
        yield "result", result.crt
    if result.repulsed is not None:
        yield "Repulse", f"succeeds: the stack retreats {HEXES} hexes" if result.repulsed else "fails"
    for check in result.checks:
        if check.passed is None:
            came = f"fails {format_whole_percent(check.fails)}"
        else:
            came = "passes" if check.passed else f"fails by {check.failed_by}"
        yield f"check of {check.force} at {check.cel}", came


NEEDS = {
    "hopeless": f"{LEAST} at least: it fails without a roll",
    "roll": "a roll that makes the defender retreat",
    "automatic": "no roll: it succeeds",
}
"""What a Repulse needs, in words."""
