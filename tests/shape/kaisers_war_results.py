"""Kaiser's War in the East: the choice of the table, the die, and the units that are lost (14.12 to 14.16)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from assistant.mechanics.procedure import Apart, Choice, Dice, Done, Node, Procedure, Resolution, Roll, Situation, Stuck
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import Cell

from .kaisers_war import CORPS_IN, Combatant

Role = Literal["attacker", "defender"]
Side = Literal["allies", "central-powers"]
Action = Literal["non-armies", "break armies", "break one army", "all", "immobile", "one shock unit", "one unit"]
Order = tuple[Role, Action]

POINTS = "victory-points"

#: What each result does, in the printed order. Rule: 14.14, 14.15
ORDERS: Mapping[str, tuple[Order, ...]] = {
    "AD": (("attacker", "non-armies"), ("attacker", "break armies")),
    "AZ": (("attacker", "all"),),
    "BB": (
        ("defender", "non-armies"),
        ("defender", "break one army"),
        ("attacker", "non-armies"),
        ("attacker", "break one army"),
    ),
    "BT": (("defender", "all"),),
    "DD": (("defender", "non-armies"), ("defender", "break armies")),
    "DP": (("defender", "non-armies"), ("defender", "break armies")),
    "DZ": (("defender", "all"),),
    "MD": (("defender", "immobile"), ("attacker", "one shock unit")),
    "ST": (("defender", "one unit"), ("attacker", "one unit")),
}
RETREATS: Mapping[str, Role] = {"AD": "attacker", "DD": "defender", "MD": "defender"}
WITHOUT_CORPS = ("romanian", "bolshevik")


class Battle(NamedTuple):
    """What stays the same through a battle: who fights for which hex, and the corps that each nation has available.

    sides: who attacks and who defends; west: whether the Main Effort is in the West, which makes Central Powers losses
    dearer.
    """

    at: str
    attackers: tuple[Combatant, ...]
    defenders: tuple[Combatant, ...]
    available: Mapping[str, tuple[str, ...]]
    sides: Mapping[Role, Side]
    west: bool = False

    def units(self, role: Role) -> tuple[Combatant, ...]:
        """The units of one side."""
        return self.attackers if role == "attacker" else self.defenders


class Declared(NamedTuple):
    """An attack on a column, before its table is chosen."""

    column: str


class Throwing(NamedTuple):
    """A table chosen, before the die."""

    table: str
    column: str


class Unknown(NamedTuple):
    """The die has led to a cell that nobody has stated."""

    table: str
    key: tuple[int | str, ...]


class Fought(NamedTuple):
    """The result, and what the owners have chosen so far, in the order of its effects."""

    code: str
    chosen: tuple[str, ...] = ()


class Panics(NamedTuple):
    """A unit about to roll for its panic retreat; hexes: as rolled, 0 before."""

    unit: str
    hexes: int = 0


def tables(attackers: Iterable[Combatant]) -> tuple[str, ...]:
    """The tables that the attacker may choose: the Shock table needs a shock-capable unit.

    Rule: 14.12, 21.2
    """
    return ("standard", "shock") if any(unit.shock for unit in attackers) else ("standard",)


LookUp = Callable[..., Cell | None]
"""From a table, a column and a die to the cell, None where nobody has stated it."""


def combat(battle: Battle, look_up: LookUp) -> Procedure:
    """The procedure of one battle, from the choice of the table.

    Rule: 14.3, 14.12, 14.14
    """

    def node(situation: Situation) -> Node:
        match situation:
            case Declared():
                return choose_table(battle, situation)
            case Throwing():
                return throw(situation, look_up)
            case Unknown(table, key):
                return Stuck((table, key))
            case Fought():
                return choose_losses(battle, situation) or settled(battle, situation)
            case Panics(unit, 0):
                return Roll(f"panic.{unit}", "15.1", f"panic of {unit}", Dice(1, 6), {}, lambda n: Panics(unit, n))
            case Panics(unit, hexes):
                return Done({f"{unit}.panic": hexes})
            case _:
                raise TypeError(f"{situation!r} is no situation of a battle")

    return node


def choose_table(battle: Battle, declared: Declared) -> Choice:
    """Which Combat Results Table is used.

    Rule: 14.12
    """
    options: dict[str, Situation] = {table: Throwing(table, declared.column) for table in tables(battle.attackers)}
    return Choice("table", "14.12", f"Combat Results Table, column {declared.column}", "attacker", options)


def throw(throwing: Throwing, look_up: LookUp) -> Roll:
    """The attacker's die.

    Rule: 14.3
    """

    def then(die: int) -> Situation:
        cell = look_up(throwing.table, throwing.column, die)
        return Fought(str(cell.values["result"])) if cell else Unknown(throwing.table, (throwing.column, die))

    title = f"{throwing.table.capitalize()} Combat Results Table, {throwing.column}"
    return Roll("combat", "14.3", title, Dice(1, 6), {}, then)


def choosable(battle: Battle, order: Order) -> tuple[str, ...]:
    """What the owner may choose for an effect; nothing where he has no say, or nobody is left to choose from.

    `X:corps` stands for an army that breaks down to lose one of its corps.

    Rule: 14.15, 14.16
    """
    role, action = order
    units = battle.units(role)
    if action == "break one army":
        return tuple(unit.id for unit in units if unit.is_army)
    if action not in ("one unit", "one shock unit"):
        return ()
    able = [unit for unit in units if unit.shock or action == "one unit"]
    broken = [
        f"{unit.id}:corps"
        for unit in able
        if unit.is_army and unit.nation not in WITHOUT_CORPS and battle.available.get(unit.nation)
    ]
    return (*(unit.id for unit in able), *broken)


def choose_losses(battle: Battle, fought: Fought) -> Choice | None:
    """The next choice that a result leaves to an owner, None where all are made.

    Rule: 14.15
    """
    open_orders = [order for order in ORDERS[fought.code] if choosable(battle, order)][len(fought.chosen) :]
    if not open_orders:
        return None
    role, action = open_orders[0]
    options: dict[str, Situation] = {
        name: fought._replace(chosen=(*fought.chosen, name)) for name in choosable(battle, (role, action))
    }
    name = f"{role}.{action.replace(' ', '-')}"
    return Choice(name, "14.15", f"{fought.code}: {action} of the {role}", role, options)


def settled(battle: Battle, fought: Fought) -> Apart | Done:
    """The end of a battle: its result, hexes of retreat and of pursuit; after a panic one part a unit.

    Rule: 14.14, 15.1, 16.2
    """
    notes: dict[str, int | str | bool] = {"result": fought.code}
    if fought.code in RETREATS:
        notes[f"{RETREATS[fought.code]}.retreat"] = 1
    if fought.code == "AZ":
        notes["defender.pursuit"] = 1
    elif fought.code in ("BT", "DD", "DP", "DZ", "MD") or (
        fought.code == "BB" and not survivors(battle, fought, "defender")
    ):
        notes["attacker.pursuit"] = 2 if fought.code == "BT" else 1
    if fought.code == "DP":
        return Apart({name: Panics(name) for name in survivors(battle, fought, "defender")}, notes)
    return Done(notes)


# --- what a result changes --------------------------------------------------------------------------------------------


def eliminated(battle: Battle, role: Role, kind: str, id: str, where: str, defence: int = 0) -> list[AnyChange]:
    """The changes when a unit is lost, victory points included: armies go to the Available box, others to the dead pile.

    Rule: 5.1, 5.2, 9.10, 14.15
    """
    side = battle.sides[role]
    price = {"army": 6, "headquarters": 6, "abteilung": 4, "corps": 2, "fortress": defence}.get(kind, 0)
    if battle.west and side == "central-powers" and kind != "fortress":
        price += price // 2
    changes: list[AnyChange] = [Change("place", id, where, "Available" if kind in CORPS_IN else "Dead Pile", "14.15")]
    if price:
        changes.append(Gain(POINTS, side, -price, "5.2"))
    if kind == "fortress":
        changes.append(Gain(POINTS, battle.sides[_other(role)], price, "5.2"))
    return changes


def _other(role: Role) -> Role:
    return "defender" if role == "attacker" else "attacker"


def changes(battle: Battle, fought: Fought) -> tuple[AnyChange, ...]:
    """All that a result removes and places, in the printed order.

    An army that breaks down makes room for as many of its corps as are available, none at worst, and does not count as
    lost; one of a nation without corps is eliminated instead.

    Rule: 14.14, 14.15, 14.16, 10.6
    """
    pool = dict(battle.available)
    chosen = iter(fought.chosen)
    found: list[AnyChange] = []
    for order in ORDERS[fought.code]:
        role, action = order
        picked = next(chosen) if choosable(battle, order) else ""
        for unit, breaks in affected(battle.units(role), action, picked):
            if not breaks or unit.nation in WITHOUT_CORPS:
                found += eliminated(battle, role, unit.kind, unit.id, unit.place, unit.defence)
                continue
            corps = pool.get(unit.nation, ())[: CORPS_IN[unit.kind]]
            pool[unit.nation] = pool.get(unit.nation, ())[len(corps) :]
            found.append(Change("place", unit.id, unit.place, "Available", "14.16"))
            if picked.endswith(":corps"):
                found += eliminated(battle, role, "corps", corps[0], "Available")
                corps = corps[1:]
            found += [Change("place", one, "Available", unit.place, "14.16") for one in corps]
    return tuple(found)


def affected(units: Sequence[Combatant], action: Action, picked: str) -> Iterator[tuple[Combatant, bool]]:
    """The units that an effect concerns, each with whether it breaks down rather than being eliminated.

    Rule: 14.15
    """
    for unit in units:
        match action:
            case "all":
                yield unit, False
            case "non-armies" if not unit.is_army:
                yield unit, False
            case "immobile" if unit.movement == 0:
                yield unit, False
            case "break armies" if unit.is_army:
                yield unit, True
            case "break one army" | "one unit" | "one shock unit" if unit.id == picked.removesuffix(":corps"):
                yield unit, action == "break one army" or picked.endswith(":corps")


def survivors(battle: Battle, fought: Fought, role: Role) -> tuple[str, ...]:
    """The units of a side that are on the map after a result, corps of broken armies included.

    Rule: 14.15, 14.16
    """
    units = battle.units(role)
    after = {unit.id: unit.place for unit in units}
    for change in changes(battle, fought):
        if isinstance(change, Change) and (change.subject in after or change.after in {unit.place for unit in units}):
            after[change.subject] = str(change.after)
    return tuple(name for name, place in after.items() if place not in ("Available", "Dead Pile"))


def result_of(resolved: Resolution) -> Fought:
    """The result that a resolution has reached, with all choices made."""
    return [taken.situation for taken in resolved.trace if isinstance(taken.situation, Fought)][-1]
