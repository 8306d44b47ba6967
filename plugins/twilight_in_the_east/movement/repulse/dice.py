"""The dice of a Repulse: one roll on the Combat Results Table, and the check of those that are pushed away (8.5)."""

from __future__ import annotations

from typing import NamedTuple

from assistant.mechanics.procedure import Dice, Done, LookUp, Node, Notes, Procedure, Roll, Situation, Stuck, Unknown

from ...forces.units import Force
from ...results import effectiveness
from ...results.combat import Combat
from ...results.crt import crt_retreat, fortress_steps, read_result
from .report import CERTAIN, LEAST


class Attempt(NamedTuple):
    """Before the roll."""


class Pushed(NamedTuple):
    """The defenders have to go. crt: the cell rolled, "" without a roll."""

    crt: str = ""


class Held(NamedTuple):
    """They stay. crt: the cell rolled, "" without a roll."""

    crt: str = ""


class Checked(NamedTuple):
    """The defenders have checked. natural: their roll."""

    natural: int


def attempt(of: Combat, look_up: LookUp) -> Procedure:
    """The procedure of a Repulse: nothing to roll below 3:1, success from 7:1, between them the Combat Results Table, of which
    only the defender's retreat counts; then the defending Forces check, with one roll and no modifiers.

    Rule: 8.5.2, 8.5.2b, 8.5.3
    """
    found = of.engagement
    checking = of.forces["defender"].get(found.at, ())

    def decide(natural: int) -> Situation:
        key = (found.season, of.column, natural)
        cell = look_up("crt", *key)
        if cell is None:
            return Unknown("crt", key)
        crt = f"{cell.values['attacker']} / {cell.values['defender']}"
        hexes, _ = crt_retreat(
            read_result(str(cell.values["defender"])), found.position, fortress_steps(found.defenders)
        )
        return Pushed(crt) if hexes else Held(crt)

    def node(situation: Situation) -> Node:
        match situation:
            case Attempt() if of.odds < LEAST:
                return node(Held())
            case Attempt() if of.odds >= CERTAIN:
                return node(Pushed())
            case Attempt():
                title = f"Combat Results Table, {found.season}, {of.column}"
                return Roll("crt", "8.5.2", title, Dice(2, 6), {}, decide)
            case Pushed(crt) if any(force.units for force in checking):
                title = f"unmodified Effectiveness Check in {found.at}"
                notes: Notes = {"repulsed": True, "crt": crt}
                return Roll(f"ec.{found.at}", "8.5.3", title, Dice(2, 6), {}, Checked, notes)
            case Pushed(crt) | Held(crt):
                return Done({"repulsed": isinstance(situation, Pushed), "crt": crt})
            case Checked(natural):
                return Done({f"{force.name}.passes": natural <= cel(force) for force in checking})
            case Unknown(chart, key):
                return Stuck((chart, key))
            case _:
                raise TypeError(f"{situation!r} is no situation of a Repulse")

    return node


def cel(force: Force) -> int:
    """The level against which a Force checks."""
    return effectiveness.force_cel(force.units)


def failing(force: Force, demoralized: str = "step") -> tuple[int, int]:
    """What a failed check costs a Force in levels and steps: a level; of lone Asset Units, which have none, a step.

    demoralized: what it costs a Demoralized formation, which has no level to lose either: a "step" or "nothing".

    Rule: 8.5.3
    """
    formation = force.formation
    if formation is not None and formation.demoralized and demoralized == "nothing":
        return 0, 0
    return (1, 0) if formation is not None and not formation.demoralized else (0, 1)
