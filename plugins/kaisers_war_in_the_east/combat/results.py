"""What the results of combat do, step by step: who is lost, who breaks down, who retreats and pursues (14.14 to 16.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

from assistant.mechanics.procedure import (
    Apart,
    Choice,
    Dice,
    Done,
    LookUp,
    Node,
    Procedure,
    Quantity,
    Roll,
    Situation,
    Stuck,
)
from assistant.state.state import CellKey

from ..forces.armies import is_alone
from ..forces.units import Formation

Role = Literal["attacker", "defender"]
Action = Literal["others", "break armies", "break one army", "all", "immobile", "one shock", "one"]
Order = tuple[Role, Action]

ORDERS: Mapping[str, tuple[Order, ...]] = {
    "AD": (("attacker", "others"), ("attacker", "break armies")),
    "AZ": (("attacker", "all"),),
    "BB": (
        ("defender", "others"),
        ("defender", "break one army"),
        ("attacker", "others"),
        ("attacker", "break one army"),
    ),
    "BT": (("defender", "all"),),
    "DD": (("defender", "others"), ("defender", "break armies")),
    "DP": (("defender", "others"), ("defender", "break armies")),
    "DZ": (("defender", "all"),),
    "MD": (("defender", "immobile"), ("attacker", "one shock")),
    "ST": (("defender", "one"), ("attacker", "one")),
}
"""What each result eliminates and breaks down, in the printed order; `others` are all units that are not armies (14.14)."""
RETREATS: Mapping[str, Role] = {"AD": "attacker", "DD": "defender", "MD": "defender", "DP": "defender"}
"""Who retreats one hex, or panics by DP (14.14, 15.1)."""
PURSUERS: Mapping[str, tuple[Role, int]] = {
    "AZ": ("defender", 1),
    "BB": ("attacker", 1),
    "BT": ("attacker", 2),
    "DD": ("attacker", 1),
    "DP": ("attacker", 1),
    "DZ": ("attacker", 1),
    "MD": ("attacker", 1),
}
"""Who may pursue how many hexes (14.14, 16.2)."""
BROKEN = ":corps"
"""Behind an army that breaks down to lose one of its corps."""
TITLES: Mapping[Action, str] = {
    "break one army": "which army of the {} breaks down",
    "one shock": "which shock unit the {} loses",
    "one": "which unit the {} loses",
}


class Fought(NamedTuple):
    """A result, with what the owners have chosen so far, in the order of its effects."""

    code: str
    chosen: tuple[str, ...] = ()


class Panics(NamedTuple):
    """A unit that rolls for its panic retreat. hexes: as rolled, 0 before."""

    unit: str
    hexes: int = 0


class Forces(NamedTuple):
    """Who is in a combat: the attackers without those that only support them, and the defenders.

    corps: of each army that can break down, the nations of the corps that take its place; cells: of each whose corps are not known, the
    chart cell that would tell; spare: of a nation whose infantry corps off the map are counted, how many there are.
    """

    attackers: tuple[Formation, ...]
    defenders: tuple[Formation, ...]
    corps: Mapping[str, tuple[str, ...]]
    cells: Mapping[str, CellKey] = {}
    spare: Mapping[str, int] = {}

    def units(self, role: Role) -> tuple[Formation, ...]:
        """The units of one side."""
        return self.attackers if role == "attacker" else self.defenders


class Fate(NamedTuple):
    """What becomes of a unit. corps: the nations of the corps that take the place of an army that breaks down, but for those that it loses
    at once."""

    unit: Formation
    breaks: bool = False
    corps: tuple[str, ...] = ()
    corps_lost: int = 0


def procedure(forces: Forces, table: str, column: str, look_up: LookUp) -> Procedure:
    """A combat from its die on, in situations from "die" on. Rule: 14.3/6, 14.14"""

    def node(situation: Situation) -> Node:
        match situation:
            case "die":
                return throw(table, column, look_up)
            case Fought():
                return next_choice(forces, situation) or lacking(forces, situation) or settled(forces, situation)
            case Panics(unit, 0):
                return Roll(
                    f"panic.{unit}", "15.1", f"panic of {unit}, in hexes", Dice(1, 6), {}, partial(Panics, unit)
                )
            case Panics(unit, hexes):
                return Done({f"panic.{unit}": hexes})
            case _:
                raise TypeError(f"{situation!r} is not a situation of a combat")

    return node


def throw(table: str, column: str, look_up: LookUp) -> Roll:
    """The attacker's die. Rule: 14.3/6, CRT/standard, CRT/shock"""

    def then(die: int) -> Situation:
        cell = look_up(table, column, die)
        assert cell is not None  # both tables are whole
        return Fought(str(cell.values["result"]))

    title = f"{table.capitalize()} Combat Results Table, {column} %"
    return Roll("die", "14.3", title, Dice(1, 6), {}, then)


def outcomes(table: str, column: str, look_up: LookUp) -> Procedure:
    """The die alone, for the chances of each result: what follows from it needs more facts."""

    def node(situation: Situation) -> Node:
        return Done({"outcome": situation.code}) if isinstance(situation, Fought) else throw(table, column, look_up)

    return node


def choosable(forces: Forces, order: Order) -> tuple[str, ...]:
    """What an owner may choose from for an effect; nothing where he has no choice to make or nobody is left.

    `X:corps` stands for an army that breaks down to lose one of its corps. Rule: 14.15, 14.15/4, CRT-result/ST, CRT-result/MD
    """
    role, action = order
    units = forces.units(role)
    if action == "break one army":
        return tuple(unit.id for unit in units if unit.is_army)
    if action not in ("one", "one shock"):
        return ()
    able = [unit for unit in units if unit.is_shock or action == "one"]
    return (*(unit.id for unit in able), *(f"{unit.id}{BROKEN}" for unit in able if may_break(forces, unit)))


def may_break(forces: Forces, army: Formation) -> bool:
    """Whether an owner may break an army down to lose one of its corps: there has to be one. Rule: CRT-result/ST, CRT-result/MD"""
    return army.is_army and not is_alone(army.nation) and forces.spare.get(army.nation, 1) > 0


def next_choice(forces: Forces, fought: Fought) -> Choice | None:
    """The next choice that a result leaves to an owner, None where all are made. Rule: 14.15"""
    orders = [order for order in ORDERS[fought.code] if choosable(forces, order)][len(fought.chosen) :]
    if not orders:
        return None
    role, action = orders[0]
    options: dict[str, Situation] = {
        name: fought._replace(chosen=(*fought.chosen, name)) for name in choosable(forces, (role, action))
    }
    title = f"{fought.code}: {TITLES[action].format(role)}"
    return Choice(f"{role}.{action.replace(' ', '-')}", "14.15", title, role, options)


def fates(forces: Forces, fought: Fought) -> tuple[Fate, ...]:
    """Who is lost and who breaks down, in the printed order.

    An army that breaks down gives way to as many corps as are available, none at worst; one of a nation without corps is lost.
    Rule: 14.14, 14.15, 14.16, 10.6, CRT-result/AD, CRT-result/AZ, CRT-result/BB, CRT-result/BT, CRT-result/DD, CRT-result/DP,
    CRT-result/DZ
    """
    chosen, spare = iter(fought.chosen), dict(forces.spare)
    found: list[Fate] = []
    for order in ORDERS[fought.code]:
        role, action = order
        picked = next(chosen) if choosable(forces, order) else ""
        for unit in affected(forces.units(role), action, picked):
            breaks = action in ("break armies", "break one army") or picked.endswith(BROKEN)
            if breaks and not is_alone(unit.nation):
                lost = int(picked.endswith(BROKEN))
                found.append(Fate(unit, True, placed(forces, unit, spare)[lost:], lost))
            else:
                found.append(Fate(unit))
    return tuple(found)


def placed(forces: Forces, army: Formation, spare: dict[str, int]) -> tuple[str, ...]:
    """The nations of the corps that take the place of an army, as far as there are such corps; they are taken off those to spare.
    Rule: 14.16
    """
    found = []
    for nation in forces.corps.get(army.id, ()):
        if army.arm != "infantry" or spare.get(nation, 1) > 0:
            found.append(nation)
            if nation in spare and army.arm == "infantry":
                spare[nation] -= 1
    return tuple(found)


def affected(units: Sequence[Formation], action: Action, picked: str) -> Iterable[Formation]:
    """The units that an effect concerns."""
    match action:
        case "all":
            return units
        case "others":
            return [unit for unit in units if not unit.is_army]
        case "immobile":
            return [unit for unit in units if unit.movement == 0]
        case "break armies":
            return [unit for unit in units if unit.is_army]
        case _:
            return [unit for unit in units if unit.id == picked.removesuffix(BROKEN)]


def lacking(forces: Forces, fought: Fought) -> Stuck | None:
    """The cell of the Reorganization Chart that a break-down needs and that is missing, None if none is. Rule: 14.16"""
    broken = [fate.unit.id for fate in fates(forces, fought) if fate.breaks]
    cells = [forces.cells[army] for army in broken if army in forces.cells]
    return Stuck(cells[0], {"outcome": fought.code}) if cells else None


def survivors(forces: Forces, fought: Fought, role: Role) -> tuple[str, ...]:
    """Who is left of a side after a result: units, and of each army that broke down its corps as `X:1`, `X:2`. Rule: 14.15, 14.16"""
    gone = {fate.unit.id: fate for fate in fates(forces, fought)}
    found: list[str] = []
    for unit in forces.units(role):
        if unit.id not in gone:
            found.append(unit.id)
        elif gone[unit.id].breaks:
            found += [f"{unit.id}:{number}" for number in range(1, len(gone[unit.id].corps) + 1)]
    return tuple(found)


def settled(forces: Forces, fought: Fought) -> Apart | Done:
    """The end of a combat: its result, hexes of retreat and of pursuit; after a panic one part a unit. Rule: 15.1, 16.1, 16.2"""
    notes: dict[str, Quantity] = {"outcome": fought.code}
    panics = fought.code == "DP" and survivors(forces, fought, "defender")
    if (role := RETREATS.get(fought.code)) and survivors(forces, fought, role):
        notes["retreats"] = role
    if pursuit := pursues(forces, fought):
        notes["pursues"], notes["pursuit"] = pursuit
    return Apart({name: Panics(name) for name in panics}, notes) if panics else Done(notes)


def pursues(forces: Forces, fought: Fought) -> tuple[Role, int] | None:
    """Who may pursue, and how many hexes; None for nobody.

    Only into a hex that is cleared, so after a Bloodbath only if no defender is left. Rule: 16.1, 16.4
    """
    if fought.code not in PURSUERS:
        return None
    role, hexes = PURSUERS[fought.code]
    if fought.code == "BB" and survivors(forces, fought, "defender"):
        return None
    left = {name.partition(":")[0] for name in survivors(forces, fought, role)}
    able = [unit for unit in forces.units(role) if unit.id in left and may_pursue(unit)]
    return (role, hexes) if able else None


def may_pursue(unit: Formation) -> bool:
    """Whether a unit that took part may pursue: its movement and attack factors are at least 1 and not in brackets. Rule: 16.3"""
    return unit.movement >= 1 and unit.attack >= 1 and not unit.support
