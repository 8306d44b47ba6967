"""What a Supply Phase finds on the map: the supply of every unit of a side, and the Forces that are cut off (14.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from assistant.questions import Gather, MissingFacts, View, step
from assistant.questions.report import Ask
from assistant.state.state import Unit

from ..forces.assets import is_asset_unit
from ..forces.losses import for_divisions
from ..forces.reading import gather_unit
from ..forces.sharing import Share
from ..forces.units import CombatUnit
from ..supply.ground import supply_ground
from ..supply.isolation import is_isolated
from ..supply.report import PlannedSupply, UnitSupply
from ..supply.side.offers import stated_states
from ..supply.side.states import SideAnswer, side_supply
from ..terms import FORTRESSES, SUPPLY_ARMS
from .attrition import CutOff, Steps, loss


class CheckedUnit(NamedTuple):
    """A unit whose supply is checked in the phase. now: the supply that it has with the modes that its side takes."""

    unit: UnitSupply
    arm: str
    now: PlannedSupply


def trace_side(view: View, side: str, before: View, *, chosen: bool) -> SideAnswer:
    """The supply of a side, traced anew: over its board, or over what is typed. before: the position before its markers
    came off, which is believed on a paper map where what is typed leaves a state open; chosen: whether the side takes
    the modes that the position gives.
    Rule: 14.0
    """
    return side_supply(view, side, stated=stated_states(before), standing=chosen, causes=False)


def check_units(view: View, units: Iterable[UnitSupply], *, chosen: bool) -> tuple[CheckedUnit, ...]:
    """The units that are checked, in the order of the procedure: depots, Corps Trains, then combat and artillery units;
    fortress units need no supply. chosen: whether the side takes the modes that the position gives (14.4a, 14.4b,
    14.4c).
    """
    with view.gather() as facts:
        judged = [CheckedUnit(row, facts.word("arm", row.unit), row.stands if chosen else row.could) for row in units]
    order = {"major-depot": 0, "minor-depot": 1, "corps-train": 2}
    mobile = [unit for unit in judged if unit.arm not in FORTRESSES]
    return tuple(
        sorted(mobile, key=lambda unit: (order.get(unit.arm, 3), unit.unit.place, unit.unit.through, unit.unit.unit))
    )


def cut_off(facts: Gather, units: Sequence[CheckedUnit]) -> tuple[CutOff, ...]:
    """The Forces that are Out of Supply: formations with the Asset Units that share their supply, and Asset Units that
    stand together without one (2.1e, 14.4f).
    """
    members, isolated = dict[str, list[str]](), dict[str, list[bool | None]]()
    alone = dict[tuple[str, str], str]()
    out = [row.unit for row in units if row.now.state == "out" and row.arm not in SUPPLY_ARMS]
    for row in sorted(out, key=lambda row: bool(row.through)):
        name, asset = row.through or row.unit, is_asset_unit(facts, row.unit)
        if asset and not row.through:
            name = alone.setdefault((row.place, facts.word("nation", row.unit)), row.unit)
        members.setdefault(name, []).append(row.unit)
        isolated.setdefault(name, []).append(row.isolated)
    return tuple(
        CutOff(
            name=name,
            nation=facts.word("nation", name),
            units=tuple(names),
            isolated=True if True in isolated[name] else None if None in isolated[name] else False,
            formation=(formation := not is_asset_unit(facts, name)),
            levels=-facts.integer("cel", name) if formation else 0,
            disorder=facts.integer("disorder", name) if formation else 0,
        )
        for name, names in members.items()
    )


def gather_losers(view: View, forces: Iterable[CutOff], lone_assets: str) -> Mapping[str, tuple[CombatUnit, ...]]:
    """The units of those Forces that lose steps, or may. Raises MissingFacts for their steps."""
    owing = [force for force in forces if loss(force, lone_assets).steps]
    with view.gather() as facts:
        return {
            force.name: tuple(gather_unit(facts, facts.view.unit(name), None) for name in force.units)
            for force in owing
        }


def known_steps(units: Mapping[str, tuple[CombatUnit, ...]], lone_assets: str) -> Steps:
    """What the procedure has to know of units that may lose steps."""
    shares = {
        force: tuple(Share(unit.id, unit.left, guns=unit.arm == "artillery") for unit in of)
        for force, of in units.items()
    }
    worth = {unit.id: for_divisions([unit]) for of in units.values() for unit in of}
    return Steps(shares=shares, worth=worth, lone_assets=lone_assets)


def isolated_bridgeheads(view: View, side: str, units: Collection[Unit]) -> tuple[Unit, ...]:
    """The Austro-Hungarian bridgeheads that are Isolated, which are abandoned without a die. On a paper map that is
    left to the question `bridgehead` (12.5.2).
    """
    with view.gather() as facts:
        forts = [
            unit
            for unit in units
            if facts.word("arm", unit.id) == "fort" and facts.word("nation", unit.id) == "austro-hungarian"
        ]
        if not forts:
            return ()
        if not view.board.hexes:
            view.presume(step("12.5.2", "no bridgehead is Isolated: {units}", units=[unit.id for unit in forts]))
            return ()
    asks, abandoned = list[Ask](), list[Unit]()
    for fort in forts:
        try:
            if is_isolated(view, fort, supply_ground(view, side)):
                abandoned.append(fort)
        except MissingFacts as missing:
            asks += missing.asks
    if asks:
        raise MissingFacts(asks)
    return tuple(abandoned)
