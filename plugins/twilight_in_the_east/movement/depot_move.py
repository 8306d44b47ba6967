"""The question `move-depot`: a depot's move by railway, and whether it relocates (8.2.7, 17.2.3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, UnitName, declare, holding, note, read_unless, refused
from assistant.asking.question import Moves
from assistant.asking.report import Part, Report, Step, step, verdict
from assistant.asking.view import View, changed
from assistant.rules.field import side_of
from assistant.state.changes import Change
from assistant.state.state import hexside
from assistant.state.vocabulary import Allowed

from ..entering.consequences import follows_changes
from ..forces.account import points_before, read_account, spend_and_end
from ..forces.movement_points import bar_of_end, parse_points
from ..forces.unit import unit_on_map
from ..ground import hexsides
from ..ground.calendar import CounterPhase, is_counter_movement, why_no_movement
from ..ground.hexsides import Entry, entry_bar, hexes_closed_to
from ..railways.network import known_station
from ..railways.routes import ANY_GAUGE, GAUGES, is_of, rail_points, rate_now, read_rail_net, ways
from ..terms import DEPOTS, FIXED

PRINTED_ALLOWANCE_POINTS = 1
"""The printed rail movement allowance of every mobile depot (R1), in Movement Points."""
RELOCATION_POINTS = 6
"""Movement Points that a depot has beyond its printed allowance in its own Movement Phase."""
MAX_POINTS_WITHOUT_MARKER = 1
"""Maximum Movement Points of a depot in a phase without a Depot Relocating marker."""
MARKER = "relocation"
"""The track of the Depot Relocating or Consolidating marker."""


def depot_allowance(printed: int, *, counter: bool) -> Fraction:
    """Return the maximum Movement Points of a depot in a phase.

    In its own Movement Phase a depot has six more than printed. In the Counter Movement Phase it has half the printed
    allowance, and may not relocate.

    Rule: 8.2.7, 8.2.7a
    """
    return Fraction(printed, 2) if counter else Fraction(printed + RELOCATION_POINTS)


def marked_relocating(points: Fraction) -> bool:
    """Return whether a depot that has spent these points in a phase is marked Depot Relocating.

    Rule: 8.2.7a
    """
    return points > MAX_POINTS_WITHOUT_MARKER


# --- the question -----------------------------------------------------------------------------------------------------


class MoveDepotParameters(Parameters, frozen=True):
    """Parameters of the question `move-depot`."""

    unit: Annotated[UnitName, note("the depot")]
    to: Annotated[PlaceName, note("the hex to which it goes")]
    rate: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=99)] | None,
        note("RR hexes per Movement Point this turn; from the turn record if left out"),
    ] = None
    spent: Annotated[
        float | None, note("Movement Points that it has already spent in this phase; from its account if left out")
    ] = None
    counter: CounterPhase = None


class MoveDepotResult(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a depot's move."""

    unit: Annotated[str, note("the depot")]
    allowed: Allowed
    hexes: Annotated[
        tuple[str, ...], note("the route, ending in the hex to which it goes; empty if there is none")
    ] = ()
    points: Annotated[Fraction | None, note("Movement Points that the route costs, null if there is none")] = None
    allowance: Annotated[Fraction, note("the most Movement Points that the depot may spend in this phase")]
    relocates: Annotated[
        bool, note("whether the depot is marked Depot Relocating then, and gives neither supply nor APs")
    ] = False


def answer(view: View, parameters: MoveDepotParameters) -> Report[MoveDepotResult]:
    """Return the report on a depot's move.

    Raises MissingFacts if the rate is not known, InputError if the unit is not a depot on the map.
    """
    unit, here = unit_on_map(view, parameters.unit)
    to = parameters.to
    if to == here:
        raise InputError(f"to: {unit.id} is already in {here}")
    with view.gather() as facts:
        if facts.word("arm", unit.id) not in DEPOTS:
            raise InputError(f"unit: {unit.id} is not a depot", hint="other units entrain to move by rail (8.2)")
        side = side_of(facts, unit)
        counter = is_counter_movement(view, parameters.counter)
        around = hexsides.around(facts, unit)
        nation = facts.word("nation", unit.id)
        printed = 0 if unit.id in FIXED else _read_allowance(view, unit.id)
        # Hexes adjacent to enemies, which a depot may not enter (9.9).
        beside_enemies = {
            near for hex in around.enemies if view.board.is_hex(hex) for near in view.board.neighbours(hex)
        }
        end_bar = bar_of_end(facts, unit)
    given = None if parameters.spent is None else parse_points(parameters.spent, "spent", by_rail=True)
    account = read_account(view, unit.id)
    allowance = depot_allowance(printed, counter=counter)
    points_spent = points_before(account, given)
    rule, why = why_no_movement(view, side, parameters.counter)
    closing_bar = entry_bar(Entry(to, (nation,))) or ("", "")
    closed_hexes = beside_enemies | hexes_closed_to(nation)
    weighted, way = _find_hexes_in_reach(view, side, here, around.enemies, closed_hexes, account.passed).get(
        to, (0, ())
    )
    is_unconnected = not (way or closing_bar[1] or to in beside_enemies)
    clauses = (
        (unit.id in FIXED, "24.5.1", "it never moves"),
        (why, rule, why),
        (end_bar[1], *end_bar),
        (to in beside_enemies, "9.9", "{hex} is adjacent to an enemy, where a depot may never be"),
        (closing_bar[1], *closing_bar),
        (
            is_unconnected and nation == "russian",
            "17.2.3",
            "no friendly operational RR line of one gauge leads there; a depot changes gauge between two phases",
        ),
        (is_unconnected and nation != "russian", "8.2.7", "no friendly operational RR line leads there"),
    )
    reasons = holding(clauses, hex=to)
    rate = read_unless(reasons, lambda: parameters.rate or rate_now(view))
    points = rail_points(weighted, rate) if way and rate else None
    total = points_spent + (points or 0)
    if points is not None and total > allowance and unit.id not in FIXED:
        text = "it would spend {points:#Movement Point}, but has {allowance} in this phase"
        reasons.append(step("8.2.7", text, points=total, allowance=allowance))
    result = MoveDepotResult(
        unit=unit.id,
        allowed=not reasons,
        hexes=way[1:],
        points=points,
        allowance=allowance,
        relocates=points is not None and marked_relocating(total) and not reasons,
    )
    title = f"{unit.id} from {here} to {to}"
    if reasons:
        return refused(title, "{unit} may not go to {hex}", reasons, result, result=result, hex=to)
    return _report_move(view, title, result, Part("The route", tuple(_way_steps(view, result, weighted, rate or 0))))


def _report_move(view: View, title: str, result: MoveDepotResult, route: Part) -> Report[MoveDepotResult]:
    to = result.hexes[-1]
    text = (
        "{unit} may go to {hex}: {points:#Movement Point}[relocates:, relocating]"
        "[no_station:; it will be Out of Supply there]"
    )
    made = [
        *_changes(view, result, to),
        *spend_and_end(view, [result.unit], {"rail": result.points or Fraction(0)}, result.hexes, "8.2.7"),
    ]
    following = follows_changes(view, made, result.hexes)
    return Report(
        title=title,
        verdict=verdict("yes", text, result, hex=to, no_station=known_station(view, to) is False),
        parts=(route, *following.parts(view)),
        changes=(*made, *following.changes),
        result=result,
    )


def _read_allowance(view: View, depot: str) -> int:
    return view.integer("rail-allowance", depot) if view.fact("rail-allowance", depot) else PRINTED_ALLOWANCE_POINTS


def gauges_for(passed: Sequence[str], line: Callable[[str], str]) -> tuple[str, ...]:
    """Return the gauges that a Russian depot may still use in a phase, as it keeps to one gauge.

    `passed`: the hexes that the depot has left and entered in the phase.
    `line`: a function that returns the gauge at a hexside, or "" if it is not stated.

    Rule: 17.2.3
    """
    lines = [line(hexside(here, there)) for here, there in pairwise(passed)]
    return tuple(gauge for gauge in GAUGES if all(is_of(each, gauge) for each in lines))


def _find_hexes_in_reach(
    view: View, side: str, here: str, enemies: Collection[str], apart: Collection[str], passed: Sequence[str] = ()
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return the hexes that a depot can reach along friendly operational RR lines, each with cost and way.

    A Russian depot keeps to lines of one gauge (17.2.3). On a paper map typed lines count as operational unless stated
    otherwise.

    `passed`: the hexes that the depot has left and entered in the phase.
    """
    net = read_rail_net(view, side, enemies)
    reached: dict[str, tuple[int, tuple[str, ...]]] = {}
    gauges = gauges_for(passed, lambda over: view.word("gauge", over)) if side == "russian" else ANY_GAUGE
    for gauge in gauges:
        for hex, way in ways(here, net.legs(gauge), {*enemies, *apart}).items():
            reached[hex] = min(way, reached.get(hex, way))
    return reached


def _way_steps(view: View, result: MoveDepotResult, weighted: int, rate: int) -> Iterator[Step]:
    text = "by {hexes}: {count:#hex}, single track counted twice, at {rate} per Movement Point"
    yield step("8.2.2", text, hexes=result.hexes, count=weighted, rate=rate)
    if result.relocates:
        yield step(
            "8.2.7", "place a Depot Relocating marker: it gives neither supply nor APs until the marker comes off"
        )
    if known_station(view, result.hexes[-1]) is False:
        text = "{hex} has no RR Station: a depot there is Out of Supply"
        yield step("14.2.1", text, hex=result.hexes[-1])
    if not view.board.hexes:
        places = (str(view.unit(result.unit).place), *result.hexes)
        unstated = [hex for hex in places if not view.word("operational", hex)]
        if unstated:
            view.premises.assume(
                step("17.1.1", "friendly operational RR lines lead through {hexes} (not stated)", hexes=unstated)
            )
        sides = [hexside(here, there) for here, there in pairwise(places)]
        if view.word("nation", result.unit) == "russian" and not all(view.word("gauge", over) for over in sides):
            view.premises.assume(step("17.2.3", "the RR line is of one gauge (not stated)"))


def _changes(view: View, result: MoveDepotResult, to: str) -> list[Change]:
    made = [changed(view, "place", result.unit, to, "8.2.7")]
    if result.relocates and view.state.value(MARKER, result.unit) != "relocating":
        made.append(changed(view, MARKER, result.unit, "relocating", "8.2.7"))
    return made


QUESTION = declare(
    "move-depot",
    "whether a depot may go along the railway, and whether it relocates",
    answer,
    shows=(Moves(by="as a depot by rail", to="to"),),
)
