"""The cavalry of a side that may or must retire after the combats (9.2)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.asking import Gather, View
from assistant.asking.permission import Clause
from assistant.rules.field import SideField
from assistant.state.state import Unit

from ..displacement.reaction import Bars, within_area
from ..forces.account import read_account
from ..forces.leaders import is_under_khan
from ..forces.movement_points import bar_of_standing_still, holds_garrison
from ..forces.unit import is_unit_demoralized
from ..ground.hexsides import around_side, assume_zones


def duties_to_retire(facts: Gather, unit: Unit, *, demoralized: bool) -> Iterator[Clause]:
    """Yield why a cavalry unit must retire if it can do so. Rule: 9.2.2, 25.1.1b"""
    yield demoralized, "9.2.2", "is Demoralized"
    yield is_under_khan(facts, unit), "25.1.1", "is commanded by Khan Nakhichevanski"


def why_obliged(facts: Gather, unit: Unit, *, demoralized: bool) -> tuple[str, str]:
    """Return the rule and the reason why a cavalry unit must retire if it can, or ("", "") if it need not."""
    duties = duties_to_retire(facts, unit, demoralized=demoralized)
    return next(((rule, why) for holds, rule, why in duties if holds), ("", ""))


def retiring_cavalry(view: View, side: str) -> dict[Unit, tuple[str, str]]:
    """Return the cavalry of a side that may still retire, each with the rule and reason if it must, or ("", "").

    A unit whose status is hidden from the viewpoint counts as not Demoralized.
    """
    with view.gather() as facts:
        around = around_side(facts, side)
        near = (unit for unit in around.units if around.next_to_enemy(str(unit.place)))
        cavalry = (unit for unit in near if facts.word("arm", unit.id) == "cavalry")
        riders = [unit for unit in cavalry if not bar_of_standing_still(facts, unit)[1]]
        known = [unit for unit in riders if not view.is_hidden("cel", unit.id)]
        low = {unit.id for unit in known if is_unit_demoralized(facts, unit)}
        duties = {unit.id: why_obliged(facts, unit, demoralized=unit.id in low) for unit in riders}
        kept = {unit.id for unit in riders if unit.id not in low and holds_garrison(facts, unit)}
    moved = {unit.id for unit in riders if read_account(view, unit.id).passed}
    staying = [unit for unit in riders if unit.id not in moved]
    able = tuple(unit for unit in staying if _gather_bars(around, unit, keeps=unit.id in kept).open)
    assume_zones(around, {str(unit.place) for unit in able})
    return {unit: duties[unit.id] for unit in able}


def _gather_bars(around: SideField, unit: Unit, *, keeps: bool) -> Bars:
    nation = around.view.word("nation", unit.id)
    bars = Bars(around, str(unit.place), around.enemy_zones, retires=True, keeps=keeps, nation=nation)
    return within_area(bars, unit.id)
