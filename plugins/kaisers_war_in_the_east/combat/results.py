"""The results of combat: losses, armies that break down, retreats and pursuit (14.14 to 16.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, NamedTuple

from assistant.asking import View, note
from assistant.mechanics.effects import Effects, Fought, Result
from assistant.rules.battle import CombatTable, chart_table
from assistant.state.state import CellKey
from assistant.util.datafiles import read_records

from ..forces import AtHand, Formation, available_corps, is_alone
from .engagement import Engagement

RESULT = "combat-result"
"""The track of the result of a combat, at the attacked hex."""
ATTACKER_LOST = "AZ"
"""The result after which the defender pursues into a hex from which it was attacked."""
PANIC = "DP"
"""The result after which dice decide how many hexes defenders retreat (15.1)."""
TITLES = {
    "break-one-army": "which army of the {} breaks down",
    "one-shock": "which shock unit the {} loses",
    "one": "which unit the {} loses",
}
"""Titles of an owner's choices, by effect."""
RESULTS = {result.code: result for result in read_records(Path(__file__).parent.parent / "results.csv", Result)}
"""The results of both tables, by code.

In their effects, `others` are all units that are not armies.
"""


class Fate(NamedTuple):
    """The loss of one unit."""

    unit: Formation
    breaks: bool = False
    corps: Annotated[tuple[Formation, ...], note("the corps that replace the army; the first are lost at once")] = ()
    corps_lost: Annotated[int, note("the number of corps that are lost at once")] = 0

    @property
    def left(self) -> tuple[Formation, ...]:
        return self.corps[self.corps_lost :]

    @property
    def gone(self) -> tuple[Formation, ...]:
        return self.corps[: self.corps_lost]


class Forces(NamedTuple):
    """The units of a combat: attackers, without supporters, and defenders."""

    attackers: tuple[Formation, ...]
    defenders: tuple[Formation, ...]
    corps: Annotated[Mapping[str, tuple[str, ...]], note("the nations of the corps of each army")] = {}
    cells: Annotated[
        Mapping[str, CellKey], note("the chart cells with the corps of armies for which these are unknown")
    ] = {}
    at_hand: Annotated[AtHand, note("the corps off the map")] = {}
    all_or_none: Annotated[bool, note("whether an army is replaced by no corps if too few are at hand")] = False

    def units(self, role: str) -> tuple[Formation, ...]:
        return {"attacker": self.attackers, "defender": self.defenders}.get(role, ())


def results_table(view: View, combat: Engagement, name: str) -> CombatTable:
    """Return one of the Combat Results Tables in the column of a combat.

    Rule: 14.3/6, 14.14, CRT/standard, CRT/shock
    """
    return chart_table(view, name, combat.column, title=f"{view.game.chart(name).title}, {combat.column} %")


def effects_of(forces: Forces) -> Effects[Fate]:
    """Return the effects of the results on the units. Rule: 14.14, 14.15, 14.16, 15.1"""

    def missing(fate: Fate) -> CellKey | None:
        return forces.cells.get(fate.unit.id) if fate.breaks else None

    def panic(fought: Fought[Fate]) -> dict[str, str]:
        names = find_survivors(forces, fought, "defender") if fought.code == PANIC else ()
        return {f"panic.{name}": f"panic of {name}, in hexes" for name in names}

    return Effects(
        RESULTS, partial(ways_of, forces), TITLES, missing, panic, "14.15", "15.1", partial(_count_units_lost, forces)
    )


def _count_units_lost(forces: Forces, fought: Fought[Fate]) -> dict[str, int]:
    gone = [fate.unit.id for fate in fought.fates]
    return {f"{role}.lost": sum(unit.id in gone for unit in forces.units(role)) for role in ("attacker", "defender")}


def ways_of(forces: Forces, role: str, action: str, before: Sequence[Fate]) -> dict[str, tuple[Fate, ...]]:
    """Return the possible fates by an effect on a side, for each choice of its owner.

    Without a choice the key is "". `X:corps`, or `X:NATION` with corps of several nations, is an army that breaks down
    to lose a corps.

    `role`: the side.
    `before`: the fates of other units.

    Rule: 14.14, 14.15, 14.15/4, CRT-result/AD, CRT-result/AZ, CRT-result/BB, CRT-result/BT, CRT-result/DD,
    CRT-result/DP, CRT-result/DZ, CRT-result/MD, CRT-result/ST
    """
    units = forces.units(role)
    armies = [unit for unit in units if unit.is_army]
    match action:
        case "break-armies":
            fates = list(before)
            for unit in armies:
                fates.append(break_down(forces, unit, fates))
            return {"": tuple(fates[len(before) :])}
        case "break-one-army":
            return {unit.id: (break_down(forces, unit, before),) for unit in armies}
        case "one" | "one-shock":
            able = [unit for unit in units if unit.is_shock or action == "one"]
            ways: dict[str, tuple[Fate, ...]] = {unit.id: (Fate(unit),) for unit in able}
            parted = [break_down(forces, unit, before, 1) for unit in able]
            for fate in parted:
                if fate.corps or fate.unit.id in forces.cells:
                    ways |= ways_to_lose_a_corps(fate)
            return ways
        case _:
            gone = {"all": units, "others": [unit for unit in units if not unit.is_army]}
            return {"": tuple(map(Fate, gone.get(action, [unit for unit in units if unit.movement == 0])))}


def ways_to_lose_a_corps(fate: Fate) -> dict[str, tuple[Fate, ...]]:
    """Return the choices of the corps that an army loses as it breaks down.

    The key is `X:corps`, or `X:NATION` if the corps of the army, such as the Sud Army, are of several nations.

    Rule: 14.15, 21.1
    """
    nations = dict.fromkeys(corps.nation for corps in fate.corps)
    if len(nations) < 2:
        return {f"{fate.unit.id}:corps": (fate,)}
    first = {nation: sorted(fate.corps, key=lambda corps: corps.nation != nation) for nation in nations}
    return {f"{fate.unit.id}:{nation}": (fate._replace(corps=tuple(corps)),) for nation, corps in first.items()}


def break_down(forces: Forces, army: Formation, before: Sequence[Fate], lost: int = 0) -> Fate:
    """Return an army that breaks down into as many corps as are available.

    An army of a nation without corps is eliminated.

    `before`: losses of other units, whose corps are no longer available.
    `lost`: the number of its corps that the army loses at once.

    Rule: 14.16, 10.6
    """
    if is_alone(army.nation):
        return Fate(army)
    wanted = forces.corps.get(army.id, ())
    used = [corps.id for fate in before for corps in fate.corps]
    corps = available_corps(army, wanted, forces.at_hand, used)
    return Fate(army, True, () if forces.all_or_none and len(corps) < len(wanted) else corps, lost)


def remains_of(fought: Fought[Fate], unit: Formation) -> tuple[str, ...]:
    """Return the remains of a unit after a result: the unit itself, or the corps that replace it.

    Rule: 14.15, 14.16
    """
    fates = {fate.unit.id: fate.left for fate in fought.fates}
    return tuple(corps.id for corps in fates.get(unit.id, (unit,)))


def find_survivors(forces: Forces, fought: Fought[Fate], role: str) -> tuple[str, ...]:
    """Return the survivors of a side after a result: units, and the corps of each army that broke down.

    Rule: 14.15, 14.16
    """
    return tuple(name for unit in forces.units(role) for name in remains_of(fought, unit))


def find_pursuers(forces: Forces, fought: Fought[Fate]) -> tuple[str, ...]:
    """Return the units that may pursue: survivors able to pursue, and the corps of their armies.

    They enter only a cleared hex, so after a Bloodbath they may only if no defender is left.

    Rule: 16.1, 16.4
    """
    if fought.code == "BB" and find_survivors(forces, fought, "defender"):
        return ()
    able = (unit for unit in forces.units(RESULTS[fought.code].pursues) if may_pursue(unit))
    return tuple(name for unit in able for name in remains_of(fought, unit))


def has_held(view: View, at: str) -> bool:
    """Return whether the stated result of a combat is that the defenders annihilated the attackers. Rule: 16.1"""
    return view.word(RESULT, at) == ATTACKER_LOST


def may_pursue(unit: Formation) -> bool:
    """Return whether a unit that fought may pursue.

    Its attack and movement factors must be 1 or more, and not in brackets.

    Rule: 16.3
    """
    return unit.movement >= 1 and unit.attack >= 1 and not unit.support
