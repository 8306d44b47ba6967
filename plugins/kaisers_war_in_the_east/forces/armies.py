"""Armies and the corps that take their place (10.1, 14.16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assistant.field.arriving import brought
from assistant.questions import Gather, View, step
from assistant.state.changes import Change, Enter

from ..terms import ABTEILUNG, AVAILABLE, CORPS, DEAD_PILE, SUD
from .units import Formation

SUD_CORPS = ("german", "austro-hungarian")
"""The nations of the corps of the Sud Army (21.1)."""
WITHOUT_CORPS = ("romanian", "bolshevik")
"""The nations whose armies have no corps (10.6, 14.16)."""


def chart_key(nation: str, arm: str, size: str) -> tuple[str, str]:
    """The line of the Reorganization Chart for an army."""
    return nation, "abteilung" if size == ABTEILUNG else f"{arm}-army"


def is_alone(nation: str) -> bool:
    """Whether the armies of a nation have no corps, so that they are lost where others break down. Rule: 10.6"""
    return nation in WITHOUT_CORPS


def breaks_down(unit: Formation) -> bool:
    """Whether a unit breaks down where others are eliminated: armies and Abteilungen that have corps do. Rule: 10.6, 14.16, 17.8"""
    return unit.is_army and not is_alone(unit.nation)


def corps_of(facts: View | Gather, army: Formation) -> tuple[str, ...] | None:
    """The nation of each corps into which an army breaks down if there are as many; None while the Reorganization Chart does not tell.

    The Sud Army is one German and one Austro-Hungarian corps. Rule: 10.0, 10.1, 21.1, ROC/chart
    """
    if army.id == SUD:
        return SUD_CORPS
    cell = facts.cell("reorganization", *chart_key(army.nation, army.arm, army.size))
    return None if cell is None else (army.nation,) * int(str(cell.values["corps"]))


def corps_needed(facts: Gather, unit: Formation) -> tuple[str, ...]:
    """The nation of each corps into which a unit breaks down, none for one that does not; the chart is asked for."""
    return (corps_of(facts, unit) or ()) if breaks_down(unit) else ()


def counted(view: View, nations: Iterable[str]) -> dict[str, int]:
    """How many infantry corps of some nations are off the map, of those of which that is stated."""
    stated = {nation: view.fact("spare-corps", nation) for nation in sorted(set(nations))}
    return {nation: int(str(fact.value)) for nation, fact in stated.items() if fact}


def available(
    army: Formation, corps: Iterable[str], counted: Mapping[str, int], used: Sequence[str] = ()
) -> tuple[str, ...]:
    """Those of the corps of an army that are off the map: all, but of infantry no more than are counted.

    corps, used: the nations of its corps, and of those that other armies have been given. Rule: 10.1, 14.16
    """
    found = list[str]()
    for nation in corps:
        most = counted.get(nation) if army.arm == "infantry" else None
        if most is None or most > used.count(nation) + found.count(nation):
            found.append(nation)
    return tuple(found)


def waiting_corps(view: View, nation: str, arm: str) -> list[str]:
    """The corps of a nation and type that are not on the map: those that the position names, then others of the roster."""
    kind = {"nation": nation, "arm": arm, "size": CORPS}
    off = (unit.id for unit in view.units() if unit.place in (None, AVAILABLE, DEAD_PILE))
    named = [name for name in off if all(view.word(track, name) == word for track, word in kind.items())]
    others = {name: row for name, row in view.game.roster.items() if name not in view.state.units}
    printed = {name: {track: known[0].value for track, known in row.items() if known} for name, row in others.items()}
    return named + [name for name, row in printed.items() if kind.items() <= row.items()]


def corps_placed(
    view: View, army: Formation, nations: Iterable[str], taken: set[str], rule: str
) -> Iterator[Change | Enter]:
    """The corps that take the place of a unit, as far as the position or the roster names them.

    nations: that of each corps; taken: corps placed already, to which these are added; rule: by which they come. Rule: 10.1, 14.16, 21.1
    """
    for nation, count in Counter(nations).items():
        placed = [name for name in waiting_corps(view, nation, army.arm) if name not in taken][:count]
        taken.update(placed)
        yield from (brought(view, name, army.place, rule, on_top=True) for name in placed)
        if missing := count - len(placed):
            text = "{missing} corps of {id} in {place}: the position does not name corps that take its place"
            view.presume(step(rule, text, army, missing=missing))
