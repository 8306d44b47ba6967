"""What units that are eliminated in combat are worth (5.1, 5.2, 14.15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assistant.asking import Gather, InputError, View, changed
from assistant.state.changes import AnyChange

from ..corps import count_off
from ..forces import Formation, kind_of
from ..seasons import known_effort, year_of
from ..terms import AVAILABLE, CENTRAL_POWERS, DEAD_PILE, FORTRESS
from .points import cap_gain, score

BOLSHEVIK = "bolshevik"
DEARER = ("headquarters", "army", "abteilung", "corps")
"""What is dearer to the Central Powers while their Main Effort is in the West (8.1)."""


class Worth(NamedTuple):
    """What the loss of a unit means: Victory Points that its side loses, and that the enemy gains."""

    loss: int
    gain: int


def main_effort(facts: Gather) -> str:
    """Return where the Main Effort of the Central Powers lies this year: east or west; by the Moltke Plan in the East
    in 1914 alone. Rule: 8.0, Opt/Moltke
    """
    if stated := facts.view.word("main-effort"):
        return stated
    turn = facts.integer("turn")
    return known_effort(facts.view, turn) or str(facts.cell("main-effort", year_of(turn)).values["effort"])


def judge_worth(facts: Gather, unit: Formation, side: str) -> Worth:
    """Return what the loss of a unit in combat means; the defence factor of a fortress is asked for."""
    defence = facts.integer("defence", unit.id) if unit.arm == FORTRESS else 0
    return worth_of(facts, unit.arm, unit.size, unit.nation, defence, side)


def worth_of(facts: Gather, arm: str, size: str, nation: str, defence: int, side: str) -> Worth:
    """Return what the loss of a unit in combat means by the Victory Points Chart; raises InputError for an Abteilung of
    the Allies, who have none.

    A fortress counts its defence factor; the Central Powers' Main Effort in the West makes their units dearer.
    Rule: 5.1, 5.2, 8.1, VP-table/AL-HQ-army, VP-table/AL-corps, VP-table/AL-fortress, VP-table/Bolshevik,
    VP-table/CP-HQ-army, VP-table/CP-abteilung, VP-table/CP-corps, VP-table/CP-fortress, VP-table/CP-HQ-army-West,
    VP-table/CP-abteilung-West, VP-table/CP-corps-West, VP-table/other
    """
    kind = kind_of(arm, size)
    chart_side = "allied"
    if side == CENTRAL_POWERS:
        chart_side = "west" if kind in DEARER and main_effort(facts) == "west" else "central"
    elif kind == "abteilung":
        raise InputError("the Victory Points Chart lists no Allied Abteilung", hint="state its size as XXXX or XXX")
    event = "other" if kind in ("supply", "other") else f"{chart_side}-{kind}"
    cell = facts.cell("victory", BOLSHEVIK if nation == BOLSHEVIK else event).values
    times = defence if kind == "fortress" else 1
    return Worth(int(str(cell["loss"])) * times, int(str(cell["gain"])) * times)


def eliminate(view: View, unit: Formation, side: str, worth: Worth, rule: str) -> Iterator[AnyChange]:
    """Yield the changes by which a unit is eliminated: armies go into the box Available, other units into the Dead
    Pile, and Victory Points change where the position counts them, as far as the track goes.

    rule: by which it is eliminated. Rule: 5.1, 9.10, 14.15
    """
    yield changed(view, "place", unit.id, AVAILABLE if unit.is_army else DEAD_PILE, rule)
    yield from count_off(view, [unit], 1, rule)
    enemy = next(other for other in view.game.file.sides if other != side)
    yield from score(view, side, -worth.loss, "5.1")
    yield from score(view, enemy, cap_gain(view, enemy, worth.gain), "5.1")
