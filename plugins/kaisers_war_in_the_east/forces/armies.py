"""Armies and the corps that take their place (10.1, 14.16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from assistant.questions import Gather, View, changed, step
from assistant.state.changes import Change, Enter
from assistant.state.state import Unit

from ..terms import ABTEILUNG, AVAILABLE, CORPS, DEAD_PILE, SUD
from .units import Formation

SUD_CORPS = ("german", "austro-hungarian")
"""The nations of the corps of the Sud Army (21.1)."""
WITHOUT_CORPS = ("romanian", "bolshevik")
"""The nations whose armies have no corps (10.6, 14.16)."""


def chart_key(nation: str, arm: str, size: str) -> tuple[str, str]:
    """The line of the Reorganization Chart for an army."""
    return nation, "abteilung" if size == ABTEILUNG else f"{arm}-army"


def corps_of(facts: Gather, army: Formation) -> int:
    """How many corps take the place of an army when it breaks down, if there are as many. Rule: 10.0, ROC/chart"""
    if army.id == SUD:
        return len(SUD_CORPS)
    return int(str(facts.cell("reorganization", *chart_key(army.nation, army.arm, army.size)).values["corps"]))


def broken_into(view: View, army: Formation) -> tuple[str, ...] | None:
    """The nation of each corps into which an army breaks down if there are as many; None while the Reorganization Chart does not tell.

    The Sud Army is one German and one Austro-Hungarian corps. Rule: 10.1, 21.1
    """
    if army.id == SUD:
        return SUD_CORPS
    cell = view.cell("reorganization", *chart_key(army.nation, army.arm, army.size))
    return None if cell is None else (army.nation,) * int(str(cell.values["corps"]))


def spare_corps(view: View, nation: str, arm: str) -> list[Unit]:
    """The corps of a nation and type that the position names and that are not on the map."""
    return [
        unit
        for unit in view.units()
        if unit.place in (None, AVAILABLE, DEAD_PILE)
        and (view.word("nation", unit.id), view.word("arm", unit.id), view.word("size", unit.id))
        == (nation, arm, CORPS)
    ]


def corps_placed(
    view: View, army: Formation, nations: Sequence[str], taken: set[str], rule: str
) -> Iterator[Change | Enter]:
    """The corps that take the place of a unit: those off the map that the position names, then others of the roster.

    nations: that of each corps; taken: corps placed already, to which these are added; rule: by which they come. Rule: 10.1, 14.16, 21.1
    """
    for nation, count in Counter(nations).items():
        waiting = [unit.id for unit in spare_corps(view, nation, army.arm)]
        free = [name for name in (*waiting, *corps_in_roster(view, nation, army.arm)) if name not in taken]
        placed = free[:count]
        taken.update(placed)
        for name in placed:
            known = name in view.state.units
            yield changed(view, "place", name, army.place, rule) if known else Enter(name, name, army.place, 0, rule)
        if missing := count - len(placed):
            text = "{missing} corps of {id} in {place}: the position does not name corps that take its place"
            view.presume(step(rule, text, army, missing=missing))


def corps_in_roster(view: View, nation: str, arm: str) -> list[str]:
    """The corps of a nation and type in the roster of the game that the position does not name."""
    wanted = {"nation": nation, "arm": arm, "size": CORPS}
    rows = {name: printed for name, printed in view.game.roster.items() if name not in view.state.units}
    return [
        name
        for name, printed in rows.items()
        if all(printed.get(track) and printed[track][0].value == value for track, value in wanted.items())
    ]


def available_corps(facts: Gather, army: Formation) -> int:
    """How many corps take the place of an army now: those of the chart, or fewer if the position says so.
    Rule: 10.1, 14.16
    """
    view, wanted = facts.view, corps_of(facts, army)
    left = view.integer("spare-corps", army.nation) if view.fact("spare-corps", army.nation) else wanted
    return min(wanted, left)


def is_alone(nation: str) -> bool:
    """Whether the armies of a nation have no corps, so that they are lost where others break down. Rule: 10.6"""
    return nation in WITHOUT_CORPS
