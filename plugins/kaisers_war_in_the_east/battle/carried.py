"""What the result of a combat changes in the position: units, Victory Points, supply units that are expended (14.15, 14.16, 17.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from assistant.questions import Gather, View, step
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Enter

from ..combat.engagement import Engagement
from ..combat.results import Fate
from ..forces.armies import spare_corps
from ..terms import AVAILABLE, CORPS
from ..victory.losses import Worth, eliminated, worth, worth_of


class Priced(NamedTuple):
    """What becomes of a unit, on which side it is, and what that costs."""

    fate: Fate
    side: str
    worth: Worth


def priced(facts: Gather, fates: Sequence[Fate]) -> list[Priced]:
    """The fates with their Victory Points: an army that breaks down counts only for the corps that it loses at once.
    Rule: 5.1, 14.16, VP-table/other
    """
    found = []
    for fate in fates:
        side = facts.view.side_of(fate.unit.id)
        unit = fate.unit
        if not fate.breaks:
            cost = worth(facts, unit, side)
        elif fate.corps_lost:
            cost = worth_of(facts, unit.arm, CORPS, unit.nation, 0, side)
        else:
            cost = Worth(0, 0)
        found.append(Priced(fate, side, cost))
    return found


def changes_of(
    view: View, combat: Engagement, found: Sequence[Priced], expended: Sequence[str]
) -> tuple[AnyChange, ...]:
    """What the result changes in the position: places, Victory Points, who has attacked, and supply units that are expended.
    Rule: 14.15, 14.16, 17.10/1-3, Opt/Entrench/2
    """
    changes: list[AnyChange] = []
    taken: set[str] = set()
    broken = {nation for one in found for nation in one.fate.corps}
    if counted_on := sorted(nation for nation in broken if view.fact("spare-corps", nation) is None):
        text = "enough {nations} corps are taken to be off the map (state spare-corps if not)"
        view.presume(step("14.16", text, nations=counted_on))
    for fate, side, cost in found:
        changes += eliminated(view, fate.unit, side, cost, "14.16" if fate.breaks else "14.15")
        changes += corps_placed(view, fate, taken)
    gone = {one.fate.unit.id for one in found}
    for one in (*combat.attackers, *combat.support):
        if one.unit.id not in gone:
            changes.append(changed(view, "fought", one.unit.id, True, "14.4"))
    changes += [changed(view, "place", name, AVAILABLE, "17.10") for name in expended if name not in gone]
    changes.append(changed(view, "attacked", combat.at, True, "14.4"))
    return tuple(changes)


def corps_placed(view: View, fate: Fate, taken: set[str]) -> Iterator[AnyChange]:
    """The corps that take the place of an army: those off the map, then others of the roster. taken: those placed already, to
    which these are added. Rule: 14.16
    """
    needed: Mapping[str, int] = {nation: fate.corps.count(nation) for nation in fate.corps}
    army = fate.unit
    for nation, count in needed.items():
        waiting = [unit.id for unit in spare_corps(view, nation, army.arm) if unit.id not in taken]
        new = [
            name
            for name in corps_in_roster(view, nation, army.arm)
            if name not in taken and name not in view.state.units
        ]
        for name in [*waiting, *new][:count]:
            taken.add(name)
            if name in view.state.units:
                yield changed(view, "place", name, army.place, "14.16")
            else:
                yield Enter(name, name, army.place, 0, "14.16")
        if missing := count - len([*waiting, *new][:count]):
            text = "{missing} corps of {unit} in {place}: the position does not name corps that take its place"
            view.presume(step("14.16", text, missing=missing, unit=army.id, place=army.place))


def corps_in_roster(view: View, nation: str, arm: str) -> Iterator[str]:
    """The corps of a nation and type in the roster of the game."""
    for name, printed in view.game.roster.items():
        values = {track: facts[0].value for track, facts in printed.items() if track in ("nation", "arm", "size")}
        if (values.get("nation"), values.get("arm"), values.get("size")) == (nation, arm, CORPS):
            yield name
