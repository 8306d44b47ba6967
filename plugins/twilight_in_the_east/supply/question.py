"""The question `supply`: which units are in supply, along which hexes, and why not (14)."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Annotated, Any

import msgspec

from assistant.asking import AnyName, InputError, Parameters, SideName, UnitName, View, declare, note
from assistant.asking.paper_map import PAPER_MAP, state_at_once
from assistant.asking.question import Judgement
from assistant.asking.report import Part, Report, step
from assistant.rules.field.units import check_units, sides_asked
from assistant.util.errors import quoted

from ..forces.markers import check_bearers
from ..ground.calendar import phase_of
from .picture import show
from .report import (
    SupplyResult,
    WholeSupply,
    campaign_steps,
    cautions,
    changes_part,
    deciding_part,
    format_briefly,
    side_parts,
    sides_part,
    whole_verdict,
)
from .side.lone_unit import unit_supply
from .side.states import side_states

GROUND = ("terrain", "barrier")
OTHER_LINE = ("other-line",)


class SupplyParameters(Parameters, frozen=True):
    """The units whose supply is asked: one, several, or all of a side."""

    unit: Annotated[tuple[UnitName, ...], note("ids of the units asked about; all units of the side if left out")] = ()
    side: Annotated[
        SideName, note("whose units; if left out, the viewpoint's, else the phasing side's, else both sides'")
    ] = ""
    line: Annotated[
        AnyName, note("a typed line by its name; the one that ends at the unit if left out", option="typed-line")
    ] = ""


def answer(view: View, parameters: SupplyParameters) -> Report[SupplyResult | WholeSupply]:
    """Return the report on a unit's supply, along a typed line or traced over a drawn board from every source, or on
    that of many units.

    Raises MissingFacts for whatever is not stated, InputError for a line that does not lead to the unit.
    """
    check_bearers(view, view.units())
    report = _ask_supply(view, parameters)
    for left_out in campaign_steps(view, report.result.units if report.result else ()):
        view.premises.assume(left_out)
    parts = (*report.parts, deciding_part(view))
    return msgspec.structs.replace(report, short=tuple(format_briefly(report)), parts=parts)


def _ask_supply(view: View, parameters: SupplyParameters, *, briefly: bool = False) -> Report[Any]:
    """Return the report on one unit, or on many. briefly: without causes and modes, which decide no state."""
    if len(parameters.unit) == 1 and not parameters.side:
        return unit_supply(view, view.unit(parameters.unit[0]), parameters.line, briefly=briefly)
    return _report_many(view, parameters, briefly=briefly)


def _report_many(view: View, parameters: SupplyParameters, *, briefly: bool = False) -> Report[Any]:
    """Return the report on the supply of many units. briefly: without the causes. Raises InputError for a unit that is
    not on the map, and for a typed line.
    """
    if parameters.line:
        how = f"name it: ask supply unit=UNIT line={quoted(parameters.line)}"
        raise InputError("a line supplies one unit", hint=how)
    hint = "leave out the side, or the unit of the ask line with an empty unit="
    check_units(view, parameters.unit, parameters.side, hint)
    asked_sides = sides_asked(view, parameters.side, parameters.unit, view.word("phasing"))
    sides = [side_states(view, side, causes=not briefly).answer(parameters.unit) for side in asked_sides]
    shown = [side.supply for side in sides if side.supply.units or len(sides) == 1]
    phase = phase_of(view)
    changes = tuple(change for side in sides for change in side.changes)
    if changes and phase not in ("", "other", "supply"):
        text = "supply units are flipped for supply only in the Supply Phase, and this is {phase}"
        view.premises.assume(step("14.2", text, phase=phase))
    title_of = view.game.file.title_of
    parts = [sides_part(shown, title_of)] if len(shown) > 1 else []
    for supply in shown:
        parts += side_parts(supply, title_of(supply.side) if len(shown) > 1 else "")
    asks = {ask.name: ask for side in sides for ask in side.asks}
    tracks = [track for ask in asks.values() if ask.key[:1] == OTHER_LINE for track in GROUND]
    parts += [changes_part(changes), Part(PAPER_MAP, state_at_once(view, tracks))]
    return Report(
        title=f"Supply of {', '.join(parameters.unit) or ' and '.join(map(view.game.file.the_side, asked_sides))}",
        verdict=whole_verdict(shown),
        parts=tuple(parts),
        cautions=cautions(
            exact=all(supply.exact for supply in shown),
            more=[text for side in sides for text in side.cautions],
        ),
        asks=tuple(asks.values()),
        changes=changes,
        result=WholeSupply(sides=tuple(shown)),
    )


def _decision_of(report: Report[SupplyResult | WholeSupply]) -> Hashable:
    """Return what a report decides: what kind of verdict it gives, the state of each unit, and whether it is Isolated."""
    units = report.result.units if report.result else ()
    return (report.verdict.kind, *((row.unit, row.could.state, row.isolated) for row in units))


QUESTION = declare(
    "supply",
    "which units are in supply, along which hexes, and why not",
    answer,
    sketch=show,
    decision=_decision_of,
    decide=partial(_ask_supply, briefly=True),
    judges=Judgement("supply", "unit", lambda report: getattr(report.result, "state", None)),
)
