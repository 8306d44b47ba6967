"""What the rows of a scenario say of units that are there and may not move yet: which turn releases a unit from its dot
(3.3.5), and which activates a unit, a corps or an army (28.3).
"""

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

# The actions of the rows.
RELEASE = "release"
ACTIVATE = "activate"
WITHDRAW = "withdraw"


class ActivationOrder(NamedTuple):
    """A row that releases, activates or withdraws."""

    who: str
    """The nation or side that it names."""
    units: tuple[str, ...]
    corps: str
    """The corps that it names, "" for none."""
    army: str
    """The army that it names, "" for none."""
    turn: int
    """Its game turn, 0 while it is counted from something that has not happened."""
    in_words: str = ""
    """What it names."""


class Belongings(NamedTuple):
    """What orders may name a unit by."""

    unit: str
    nation: str
    side: str
    corps: str
    """Its corps, "" for none."""
    army: str
    """Its army, "" for none."""


_ORDERS: Memo[str, Schedules] = Memo()
"""The rows of each action."""


def orders(view: View, action: str) -> tuple[ActivationOrder, ...]:
    """Return the rows of an action that count in the scenario which is played."""

    def chosen() -> Schedules:
        return read_schedules(view.game).where(lambda row: row.action == action)

    schedules = view.game.memo(_ORDERS, action, chosen)
    if not schedules.compiled:
        return ()
    fact = fact_of(view)
    rows = [*schedules.dated(fact), *((row, 0) for row in schedules.waiting(schedules.calendar.first, fact))]
    return tuple(
        ActivationOrder(row.who, row.named_units, row.corps, row.army, turn, row.in_words) for row, turn in rows
    )


def ordered_turn(given: Iterable[ActivationOrder], unit: Belongings) -> int | None:
    """Return the game turn in which orders release or activate a unit, 0 while it is open, None if none concerns it.
    What names the unit goes before what names its corps, and that before what names its army; of several alike the
    earliest counts. Rule: 28.3
    """
    own = list[int]()
    of_corps = list[int]()
    of_army = list[int]()
    for order in given:
        if unit.unit in order.units:
            own.append(order.turn)
        elif order.corps and order.corps == unit.corps and order.who in (unit.nation, unit.side):
            of_corps.append(order.turn)
        elif order.army and not order.corps and order.army == unit.army:
            of_army.append(order.turn)
    turns = own or of_corps or of_army
    return min((turn for turn in turns if turn), default=0) if turns else None


def dot_until_activation(dot: str, released: int, activated: int | None) -> tuple[str, int]:
    """Return the dot of a unit and the game turn in it: a unit still to be activated is immobile until then, and one
    with a dot is released by then; a Fortress Garrison stays one.

    dot: none, immobile, city or fortress; released: 0 for none; activated: 0 while that is open, None without an
    activation.
    Rule: 28.3
    """
    if activated is None or dot == "fortress":
        return dot, released
    if dot == "none":
        return "immobile", activated
    return dot, min(filter(None, (released, activated)), default=0)


def belongings(view: View, unit: str) -> Belongings:
    """Return what orders may name a unit by."""
    corps, _ = corps_and_army(view, unit)
    return Belongings(unit, view.word("nation", unit), view.side_of(unit), corps, army_of(view, unit))


def _find_ordered_turn(view: View, unit: str, action: str) -> int | None:
    """Return the game turn of the rows of an action that concern a unit of the position, as of `ordered_turn`."""
    given = orders(view, action)
    return ordered_turn(given, belongings(view, unit)) if given else None


def release_of(view: View, unit: str) -> int:
    """Return the game turn that releases a unit from its dot: the one in it, or that of a row of the scenario; 0 for
    neither.
    """
    return view.integer("release", unit) or _find_ordered_turn(view, unit, RELEASE) or 0


def read_dot(facts: Gather, unit: Unit) -> tuple[str, int, int]:
    """Return the dot of a unit, the game turn in it, 0 for none, and the present turn, which is read only where it
    matters. A unit that the scenario activates has the dot of its activation.
    """
    view = facts.view
    dot = facts.word("restriction", unit.id)
    released = release_of(view, unit.id) if dot != "none" else 0
    activated = _find_ordered_turn(view, unit.id, ACTIVATE)
    if activated is not None and (dot != "none" or view.ruling("inactive-units") == "immobile"):
        dot, released = dot_until_activation(dot, released, activated)
    return dot, released, facts.integer("turn") if released else 0


def rule_of_dot(facts: Gather, unit: Unit) -> str:
    """Return the rule by which a unit is held: that of its dot, or of its activation where it has none."""
    return "28.3" if facts.word("restriction", unit.id) == "none" else "3.3.5"
