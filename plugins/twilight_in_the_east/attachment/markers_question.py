"""The question `markers`: the places of each formation's counters, and its Step Reduction marker.

Without displays the counters lie on the map; those of a concealed formation are exchanged (26.2.1, 26.3).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.asking import InputError, Parameters, Report, Step, UnitName, View, declare, note, step, verdict
from assistant.asking.report import Part
from assistant.state.vocabulary import UnitId

from ..concealment.cover import is_concealed, option_of
from ..concealment.rules import bar_of_option, counters_of, place_of_marker, status_marker
from ..forces.armies import AttachedUnit, areas, gather_attached, is_shown


class MarkersParameters(Parameters, frozen=True):
    """Parameters of the question `markers`."""

    units: Annotated[tuple[UnitName, ...], note("formations and Corps Trains; all of them if left out")] = ()


class MarkerLies(msgspec.Struct, frozen=True, kw_only=True):
    """The places of the counters of a formation or corps."""

    unit: UnitId
    marker: Annotated[str, note("the formation, or the corps of a Corps Train, to which the Attachment marker belongs")]
    lies: Annotated[str, note("the place of the Attachment marker")]
    beside: Annotated[
        str, note("the hex of the Corps Train, the corps or the army with whose marker it lies; empty if none is known")
    ]
    under: Annotated[int, note("the Step Reduction marker for its Combat Effectiveness Status, 0 for none")] = 0
    status_under: Annotated[str, note("what that marker lies under: unit or attachment marker")] = "attachment marker"
    losses_under: Annotated[str, note("what its Step Reduction marker for step losses lies under")] = "unit"


class MarkersResult(msgspec.Struct, frozen=True, kw_only=True):
    """The places of Attachment markers."""

    option: Annotated[str, note("the optional rule in force: none, caps, concealment or on-map")]
    markers: Annotated[tuple[MarkerLies, ...], note("each marker")]


def answer(view: View, parameters: MarkersParameters) -> Report[MarkersResult]:
    """Return the report on the markers.

    Raises MissingFacts if a unit's nation, arm or size is not stated, InputError if no display records a unit.
    """
    option = option_of(view)
    units = _recorded_units(view)
    for name in parameters.units:
        if name not in units:
            raise InputError(
                f"units: {name} has no Attachment marker", hint="name formations or Corps Trains of your side"
            )
    listed = [units[name] for name in parameters.units or units]
    trains = {(unit.side, unit.corps) for unit in units.values() if unit.train}
    on_map = option == "on-map"
    may_hide = not bar_of_option("formation", option)
    markers = tuple(
        _find_marker(
            view,
            unit,
            on_map=on_map,
            train=(unit.side, unit.corps) in trains,
            concealed=may_hide and is_concealed(view, unit.id),
        )
        for unit in listed
    )
    where = "on the map" if on_map else "on the displays"
    text = "{markers:#Attachment marker} {where}, {lowered} with a Step Reduction marker for its status"
    lowered = sum(marker.under > 0 for marker in markers)
    result = MarkersResult(option=option, markers=markers)
    return Report(
        title="Attachment markers",
        verdict=verdict("figure", text, markers=len(markers), where=where, lowered=lowered),
        parts=(Part("Markers", tuple(_marker_steps(result))),),
        result=result,
    )


def _recorded_units(view: View) -> dict[str, AttachedUnit]:
    placed = [unit for unit in view.units() if unit.place and unit.id in view.state.units]
    shown = [unit for unit in placed if is_shown(view, view.game.side_of_unit(unit, view.state.facts))]
    with view.gather() as facts:
        known = areas(view)
        units = [gather_attached(facts, known, unit) for unit in shown]
    return {unit.id: unit for unit in units if unit.on_display}


def _find_marker(view: View, unit: AttachedUnit, *, on_map: bool, train: bool, concealed: bool) -> MarkerLies:
    """Return the place of a unit's Attachment marker, and the counters beside and under it.

    A concealed formation has changed places with its marker.

    `on_map`: whether the markers lie on the map, without displays.
    `train`: whether the Corps Train of its corps is on the map.
    """
    beside = unit.army
    place = f"on the map in {unit.place}, crest up, and the unit on the display" if concealed else "on the display"
    if on_map:
        beside = unit.place if unit.train else unit.corps or unit.army
        place = place_of_marker(is_corps=unit.train, independent=not unit.corps)
        if unit.corps and not train:
            place = f"{place}, whose Corps Train is not on the map"
    counters = counters_of(concealed=concealed)
    return MarkerLies(
        unit=unit.id,
        marker=unit.corps if unit.train else unit.id,
        lies=place,
        beside=beside,
        under=0 if unit.train else status_marker(-view.integer("cel", unit.id)),
        status_under=counters.levels,
        losses_under=counters.losses,
    )


def _marker_steps(result: MarkersResult) -> Iterator[Step]:
    text = "{marker}: {lies}[beside: ({beside})][under:; a {under} Step Reduction marker under the {status_under}]"
    for lying in result.markers:
        rule = "26.2.1" if lying.status_under == "unit" else "6.2"
        yield step("26.3.1" if result.option == "on-map" else rule, text, lying)


QUESTION = declare(
    "markers",
    "where Attachment markers lie, and which Step Reduction marker lies under each for its status",
    answer,
)
