"""Whose reach is asked for, a unit, a stack, a corps or a side, and what is told of it (8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import msgspec

from assistant.asking import InputError, Parameters, PlaceName, SideName, Step, UnitOrDecoy, View, note, step
from assistant.state.state import Unit
from assistant.state.vocabulary import HexNumber
from assistant.util.errors import format_suggestion, quoted

from ...forces.armies import corps_and_army
from ...forces.units import corps_name
from .assembly import Coming
from .movers import never_on_foot, reasons_to_stay, units_in_one_hex, why_no_points_now
from .reach import UnitReach


class ReachParameters(Parameters, frozen=True):
    """Units whose reach is asked for."""

    units: Annotated[tuple[UnitOrDecoy, ...], note("a unit, or units that move together, from one hex")] = ()
    corps: Annotated[
        str | None, note("a corps, each unit of which moves alone: 20, or german 20 where two nations have it")
    ] = None
    side: Annotated[SideName | None, note("a side, each unit of which moves alone")] = None
    forced: Annotated[bool, note("whether the units may make a Forced March")] = True
    to: Annotated[PlaceName | None, note("a hex in which the units are to be together")] = None
    train: Annotated[
        bool | None,
        note("whether a corps is taken with its Corps Train; if left out, it is unless it is to be together in a hex"),
    ] = None
    until: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=47)] | None,
        note("the game turn by the end of which they are to be there; the present one if left out"),
    ] = None


class Shared(msgspec.Struct, frozen=True, kw_only=True):
    """A hex that some units of a corps can reach, each for itself."""

    hex: HexNumber
    units: Annotated[tuple[str, ...], note("the units that can reach it")]
    forced: Annotated[tuple[str, ...], note("those of them that need a Forced March")] = ()
    lacking: Annotated[tuple[str, ...], note("the units of the corps that cannot reach it")] = ()


class ReachResult(UnitReach, frozen=True, kw_only=True):
    """Where units can move; of a corps or a side the hexes that any of its units can reach, each with the cheapest way
    to it.
    """

    each: Annotated[tuple[UnitReach, ...], note("of a corps or a side, where each of its units can move")] = ()
    shared: Annotated[
        tuple[Shared, ...],
        note("of a corps, which of its units can reach each hex; first the hexes that most of them can"),
    ] = ()
    to: Annotated[str, note("the hex in which units are to be together, empty if none is asked about")] = ""
    until: Annotated[int, note("the game turn by the end of which they are to be there, 0 if none is asked about")] = 0
    coming: Annotated[tuple[Coming, ...], note("how each unit comes to that hex")] = ()


class Movers(NamedTuple):
    """The units whose reach is asked for."""

    name: str
    """What a report calls them."""
    groups: Sequence[tuple[Unit, ...]]
    """Those that move together."""
    moving: Sequence[tuple[Unit, ...]]
    """The groups that may move."""
    reasons: Sequence[Step]
    """What keeps the others where they are, each once."""

    @property
    def units(self) -> list[str]:
        """All of them."""
        return [unit.id for group in self.groups for unit in group]


def read_movers(view: View, parameters: ReachParameters) -> Movers:
    """Return the units whose reach is asked for. Raises InputError for units that cannot be, MissingFacts for what
    keeps them where they are.
    """
    groups = _group_units(view, parameters)
    reasons = list[Step]()
    with view.gather() as facts:
        against = {group: [*reasons_to_stay(facts, group), *why_no_points_now(facts, group)] for group in groups}
    for group in groups:
        for reason in against[group]:
            if reason not in reasons:
                reasons.append(reason)
    moving = [group for group in groups if not against[group]]
    return Movers(_format_movers(view, parameters), groups, moving, reasons)


def check_meeting_units(view: View, parameters: ReachParameters, to: str) -> list[Unit]:
    """Return the units that are to meet: of a corps without its Corps Train, unless that is asked for. Raises
    InputError for units that cannot be, and for a place that is not a hex.
    """
    if not view.board.is_hex(to):
        raise InputError(f"to: {to} is not a hex of the map")
    if parameters.corps is not None:
        units = _find_units_of_corps(view, parameters.corps)
        return units if parameters.train else _leave_out_train(view, units)
    if not parameters.units:
        raise InputError("units: no unit is named", hint="name the units that are to meet")
    return [unit for name in parameters.units for unit in units_in_one_hex(view, [name])]


def _group_units(view: View, parameters: ReachParameters) -> list[tuple[Unit, ...]]:
    """Return the units that move together: those named, or each of a corps or of a side alone. Raises InputError for
    units that cannot be.
    """
    given = [name for name in ("units", "corps", "side") if getattr(parameters, name)]
    if given[1:]:
        raise InputError(f"{given[0]} and {given[1]} are both given", hint="give only one of them")
    if parameters.corps is not None:
        units = _find_units_of_corps(view, parameters.corps)
        if parameters.train is False:
            units = _leave_out_train(view, units)
        return [(unit,) for unit in units]
    if parameters.side is not None:
        return [(unit,) for unit in _find_units_of_side(view, parameters.side)]
    return [tuple(units_in_one_hex(view, parameters.units))]


def _find_units_of_corps(view: View, name: str) -> list[Unit]:
    """Return the units of a corps on the map that go on foot, artillery and other Asset Units with it among them.
    Raises InputError for a corps without any, and for one of several nations.
    """
    wanted, nation = _parse_corps(view, name)
    known = {unit.id: corps_and_army(view, unit.id)[0] for unit in view.units()}
    units = [unit for unit in view.units() if known[unit.id] == wanted and view.board.is_hex(unit.place)]
    nations = sorted({view.word("nation", unit.id) for unit in units} - {""})
    if nation:
        units = [unit for unit in units if view.word("nation", unit.id) == nation]
    elif nations[1:]:
        hint = " or ".join(f"corps={quoted(f'{each} {wanted}')}" for each in nations)
        raise InputError(f"corps: {len(nations)} nations have a {wanted} Corps", hint=hint)
    if not units:
        raise InputError(
            f"corps: no unit of the {name} Corps is on the map",
            hint=format_suggestion(wanted, {*known.values()} - {""}),
        )
    return _find_on_foot(view, units)


def _parse_corps(view: View, name: str) -> tuple[str, str]:
    """Return a corps, and the nation that is named before it, "" if none is."""
    first, _, rest = name.partition(" ")
    nation = first.lower()
    if rest and nation in view.game.track("nation").values:
        return corps_name(rest), nation
    return corps_name(name), ""


def _leave_out_train(view: View, units: Sequence[Unit]) -> list[Unit]:
    """Return the units of a corps but for its Corps Train, which supplies them from a distance and need not be with
    them (3.6.1); all if there are no others.
    """
    trains = [unit.id for unit in units if view.word("arm", unit.id) == "corps-train"]
    fighting = [unit for unit in units if unit.id not in trains]
    if not (trains and fighting):
        return [*units]
    text = "{units} is left out, as a Corps Train supplies its corps from a distance (train=yes takes it in)"
    view.premises.assume(step("3.6.1", text, units=trains))
    return fighting


def _find_units_of_side(view: View, side: str) -> list[Unit]:
    """Return the units of a side on the map that go on foot. Raises InputError for a side without any."""
    units = [unit for unit in view.units() if view.board.is_hex(unit.place)]
    units = _find_on_foot(view, [unit for unit in units if view.side_of(unit.id) == side])
    if not units:
        raise InputError(f"side: no unit of {view.game.file.the_side(side)} that goes on foot is on the map")
    return units


def _find_on_foot(view: View, units: Iterable[Unit]) -> list[Unit]:
    """Return those of some units that go on foot."""
    with view.gather() as facts:
        return [unit for unit in units if not never_on_foot(facts, unit)]


def _format_movers(view: View, parameters: ReachParameters) -> str:
    """Return what a report calls the units whose reach it tells."""
    if parameters.corps:
        return f"the {parameters.corps} Corps"
    return view.game.file.the_side(parameters.side) if parameters.side else " and ".join(parameters.units)
