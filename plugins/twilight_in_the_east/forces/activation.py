"""Units that may move only from a later game turn on, by a dot on the counter (3.3.5) or a scenario (28.3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.asking import Gather, View
from assistant.game.schedule_files import read_schedules
from assistant.game.schedules import Schedules
from assistant.rules.arrivals import fact_of
from assistant.state.state import Unit
from assistant.util.memo import Memo

from .armies import army_of, corps_and_army

# Values of the column `action` in the scenario's schedule.
RELEASE = "release"
ACTIVATE = "activate"
WITHDRAW = "withdraw"


class ActivationOrder(NamedTuple):
    """A row of the scenario that releases, activates or withdraws units."""

    who: str
    """The nation or side that the row names."""
    units: tuple[str, ...]
    corps: str
    """The corps that the row names, or "" if it names none."""
    army: str
    """The army that the row names, or "" if it names none."""
    turn: int
    """The game turn of the row, or 0 while it depends on an event that has not happened."""
    in_words: str = ""
    """The units, the corps or the army of the row, for messages."""


class Belongings(NamedTuple):
    """The names by which a row of the scenario may include a unit."""

    unit: str
    nation: str
    side: str
    corps: str
    """The unit's corps, or "" if it has none."""
    army: str
    """The unit's army, or "" if it has none."""


_ORDERS: Memo[str, Schedules] = Memo()
"""Cached schedule rows, by action."""


def orders(view: View, action: str) -> tuple[ActivationOrder, ...]:
    """Return the rows of an action that apply in the scenario played."""

    def read_rows() -> Schedules:
        return read_schedules(view.game).where(lambda row: row.action == action)

    schedules = view.game.memo(_ORDERS, action, read_rows)
    if not schedules.compiled:
        return ()
    fact = fact_of(view)
    rows = [*schedules.dated(fact), *((row, 0) for row in schedules.waiting(schedules.calendar.first, fact))]
    return tuple(
        ActivationOrder(row.who, row.named_units, row.corps, row.army, turn, row.in_words) for row, turn in rows
    )


def ordered_turn(given: Iterable[ActivationOrder], unit: Belongings) -> int | None:
    """Return the game turn in which orders release or activate a unit, or 0 while the turn is open.

    Returns None if no order applies to the unit. An order for the unit overrides one for its corps, which overrides one
    for its army. Of several orders of one kind the earliest counts.

    Rule: 28.3
    """
    turns_of_unit = list[int]()
    turns_of_corps = list[int]()
    turns_of_army = list[int]()
    for order in given:
        if unit.unit in order.units:
            turns_of_unit.append(order.turn)
        elif order.corps and order.corps == unit.corps and order.who in (unit.nation, unit.side):
            turns_of_corps.append(order.turn)
        elif order.army and not order.corps and order.army == unit.army:
            turns_of_army.append(order.turn)
    turns = turns_of_unit or turns_of_corps or turns_of_army
    return min((turn for turn in turns if turn), default=0) if turns else None


def dot_until_activation(dot: str, released: int, activated: int | None) -> tuple[str, int]:
    """Return the dot that a unit counts as having, and the game turn in the dot.

    A unit without a dot is immobile until its activation. A unit with a dot is released by its activation at the
    latest, except that a Fortress Garrison stays one.

    `dot`: none, immobile, city or fortress.
    `released`: the game turn in the dot, or 0.
    `activated`: the game turn of the activation, 0 while it is open, or None without an activation.

    Rule: 28.3
    """
    if activated is None or dot == "fortress":
        return dot, released
    if dot == "none":
        return "immobile", activated
    return dot, min(filter(None, (released, activated)), default=0)


def belongings(view: View, unit: str) -> Belongings:
    """Return the names by which a row of the scenario may include a unit."""
    corps, _ = corps_and_army(view, unit)
    return Belongings(unit, view.word("nation", unit), view.side_of(unit), corps, army_of(view, unit))


def _find_ordered_turn(view: View, unit: str, action: str) -> int | None:
    given = orders(view, action)
    return ordered_turn(given, belongings(view, unit)) if given else None


def release_of(view: View, unit: str) -> int:
    """Return the game turn, printed or of a scenario row, that releases a unit from its dot, or 0 if there is none."""
    return view.integer("release", unit) or _find_ordered_turn(view, unit, RELEASE) or 0


def read_dot(facts: Gather, unit: Unit) -> tuple[str, int, int]:
    """Return the dot of a unit, the game turn in the dot, and the present game turn.

    Both turns are 0 if the dot has none. `dot_until_activation` gives the dot of a unit that the scenario activates.
    """
    view = facts.view
    dot = facts.word("restriction", unit.id)
    released = release_of(view, unit.id) if dot != "none" else 0
    activated = _find_ordered_turn(view, unit.id, ACTIVATE)
    if activated is not None and (dot != "none" or view.ruling("inactive-units") == "immobile"):
        dot, released = dot_until_activation(dot, released, activated)
    return dot, released, facts.integer("turn") if released else 0


def rule_of_dot(facts: Gather, unit: Unit) -> str:
    """Return the number of the rule that keeps a unit from moving: on its dot, or else on its activation."""
    return "28.3" if facts.word("restriction", unit.id) == "none" else "3.3.5"
