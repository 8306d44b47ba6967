"""Supply units in combat: Maximum Attack Supply, and entrenching by the optional rule (17.9/2, 17.13)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.field import Around
from assistant.questions import Gather

from ..forces.units import Formation
from ..ground.zones import side_of
from ..supply.reach import grant, in_reach, offensive_reach
from ..terms import SUPPLY


def supplies(facts: Gather, around: Around, names: Iterable[str], units: Iterable[Formation]) -> dict[str, str]:
    """The units that get Maximum Attack Supply, each with the supply unit that gives it.

    names: the supply units that are expended; units: those that attack or support. Rule: 17.9/2, 17.13, 14.8/2, 14.8/HQ-supply
    """
    view, found, every = facts.view, dict[str, str](), list(units)
    for name in names:
        if facts.word("arm", name) != SUPPLY or not view.board.is_hex(str(view.unit(name).place)):
            continue
        at = str(view.unit(name).place)
        reached = in_reach(facts, around, at, offensive_reach(facts, name, at))
        for unit in every:
            if unit.place in reached.cost and unit.id not in found:
                found[unit.id] = name
                grant(view, reached.line(unit.place))
    return found


def entrenching(facts: Gather, around: Around, name: str, at: str) -> bool:
    """Whether an entrenched supply unit of the defender reaches the hex. Rule: Opt/Entrench/2"""
    if not name:
        return False
    source = facts.view.unit(name)
    theirs = around.field.around(side_of(facts, source))
    reached = in_reach(facts, theirs, str(source.place), facts.integer("radius", name), until=at)
    if at in reached.cost:
        grant(facts.view, reached.line(at))
    return at in reached.cost
