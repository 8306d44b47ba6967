"""Armies, and the corps that take their place (10.0, 10.1, 10.6, 14.16, 21.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice

from assistant.asking import Gather, Step, View, holding, step
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange, Gain

from . import terms
from .forces import Formation, describe_newcomer

SUD_CORPS = ("german", "austro-hungarian")
"""The nations of the corps of the Sud Army (21.1)."""
WITHOUT_CORPS = ("romanian", "bolshevik")
"""The nations whose armies have no corps (10.6, 14.16)."""
SHORT = {
    "german": "Ger",
    "austro-hungarian": "AH",
    "bulgarian": "Bul",
    "turkish": "Turk",
    "russian": "Rus",
    "romanian": "Rom",
    "infantry": "inf",
    "cavalry": "cav",
}
"""How the ids of the roster shorten nations and unit types."""


def chart_key(nation: str, arm: str, size: str) -> tuple[str, str]:
    """Return the line of the Reorganization Chart for an army."""
    return nation, "abteilung" if size == terms.ABTEILUNG else f"{arm}-army"


def is_alone(nation: str) -> bool:
    """Return whether the armies of a nation have no corps, so that they are lost where others break down. Rule: 10.6"""
    return nation in WITHOUT_CORPS


def breaks_down(unit: Formation) -> bool:
    """Return whether a unit breaks down where others are eliminated: armies and Abteilungen that have corps do.
    Rule: 10.6, 14.16, 17.8
    """
    return unit.is_army and not is_alone(unit.nation)


def corps_of(facts: View | Gather, army: Formation) -> tuple[str, ...] | None:
    """Return the nations of the corps into which an army breaks down, one for each corps; None while the
    Reorganization Chart does not tell.

    The Sud Army is one German and one Austro-Hungarian corps. Rule: 10.0, 10.1, 21.1, ROC/chart
    """
    if army.id == terms.SUD:
        return SUD_CORPS
    cell = facts.cell("reorganization", *chart_key(army.nation, army.arm, army.size))
    return None if cell is None else (army.nation,) * int(str(cell.values["corps"]))


def corps_needed(facts: Gather, unit: Formation) -> tuple[str, ...]:
    """Return the nation of each corps into which a unit breaks down, none for one that does not; the chart is asked
    for.
    """
    return (corps_of(facts, unit) or ()) if breaks_down(unit) else ()


AtHand = Mapping[tuple[str, str], Sequence[str]]
"""The ids of the corps that can take the place of armies, by nation and type, in the order in which they do."""


def corps_at_hand(view: View, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the corps off the map that can take the place of armies: those that the position names, then others of the
    roster, then new ones.

    wanted: nation and type of each corps that is called for. There are as many of each, but of infantry no more than
    `spare-corps` states.
    Rule: 10.1, 14.16
    """
    at_hand = {}
    for (nation, arm), number in Counter(wanted).items():
        spare = _count_spare_corps(view, nation, arm)
        most = number if spare is None else min(number, spare)
        ids = chain(waiting_corps(view, nation, arm), _name_new_corps(view, nation, arm))
        at_hand[nation, arm] = tuple(islice(ids, most))
    return at_hand


def available_corps(
    army: Formation, nations: Iterable[str], at_hand: AtHand, used: Collection[str] = ()
) -> tuple[Formation, ...]:
    """Return the corps of an army that are off the map, as they stand in its place: all, or as many as are at hand.

    nations: that of each of its corps; used: the ids of the corps that other armies have been given. Rule: 10.1, 14.16
    """
    corps = dict[str, Formation]()
    for nation in nations:
        free = (name for name in at_hand.get((nation, army.arm), ()) if name not in used and name not in corps)
        if (name := next(free, None)) is not None:
            corps[name] = Formation(id=name, nation=nation, arm=army.arm, size=terms.CORPS, place=army.place)
    return tuple(corps.values())


def _count_spare_corps(view: View, nation: str, arm: str) -> int | None:
    """Return how many corps of a nation and type are off the map, None if nobody counts them: only infantry is
    counted.
    """
    stated = view.fact("spare-corps", nation) if arm == terms.INFANTRY else None
    return None if stated is None else int(str(stated.value))


def bars_by_counters(view: View, wanted: Iterable[tuple[str, str]]) -> Iterator[Step]:
    """Yield why corps cannot enter the map: the position counts fewer of them off it, and the counters limit the number
    of units. wanted: nation and type of each. Rule: 9.5
    """
    for (nation, arm), number in Counter(wanted).items():
        spare = _count_spare_corps(view, nation, arm)
        clauses = (
            (spare == 0, "9.5", "no {nation:title} {arm} corps is off the map"),
            (
                spare and spare < number,
                "9.5",
                "{wanted} {nation:title} {arm} corps are needed, but only {spare} off the map",
            ),
        )
        yield from holding(clauses, wanted=number, nation=nation, arm=arm, spare=spare)


def waiting_corps(view: View, nation: str, arm: str) -> list[str]:
    """Return the corps of a nation and type that are not on the map: those that the position names, then others of the
    roster.
    """
    kind = {"nation": nation, "arm": arm, "size": terms.CORPS}
    off = (unit.id for unit in view.units() if unit.place in (None, terms.AVAILABLE, terms.DEAD_PILE))
    named = [name for name in off if all(view.word(track, name) == word for track, word in kind.items())]
    others = {name: row for name, row in view.game.roster.items() if name not in view.state.units}
    printed = {name: {track: known[0].value for track, known in row.items() if known} for name, row in others.items()}
    return named + [name for name, row in printed.items() if kind.items() <= row.items()]


def _name_new_corps(view: View, nation: str, arm: str) -> Iterator[str]:
    """Return the ids of further corps of a nation and type, numbered as the roster numbers its own: neither it nor the
    position has them.
    """
    known = {name.casefold() for name in (*view.game.roster, *view.state.units)}
    stem = f"{SHORT.get(nation, nation.title())}-{SHORT.get(arm, arm)}"
    numbered = (f"{stem}-{number}" for number in count(1))
    return (name for name in numbered if name.casefold() not in known)


def place_corps(view: View, corps: Collection[Formation], rule: str) -> Iterator[AnyChange]:
    """Yield what changes as corps take the place of a unit. rule: by which they come. Rule: 10.1, 14.16, 21.1"""
    for formation in corps:
        yield bring_unit(view, formation.id, formation.place, rule, on_top=True)
        yield from describe_newcomer(view, formation, rule)
    yield from count_off(view, corps, -1, rule)


def count_off(view: View, units: Iterable[Formation], by: int, rule: str) -> Iterator[AnyChange]:
    """Yield how the count of infantry corps off the map changes where the position keeps one. units: those that enter
    the map, by=-1, or leave it, by=1; rule: by which they do.
    """
    corps = Counter((unit.nation, unit.arm) for unit in units if unit.size == terms.CORPS)
    for (nation, arm), number in corps.items():
        spare = _count_spare_corps(view, nation, arm)
        if spare is not None and (amount := max(by * number, -spare)):
            yield Gain("spare-corps", nation, amount, rule)


def note_presumed_corps(view: View, corps: Iterable[Formation]) -> None:
    """Say in the report which corps are assumed to be off the map, as the position neither names nor counts them."""
    unnamed = [formation for formation in corps if formation.id not in view.state.units]
    uncounted = [
        formation for formation in unnamed if _count_spare_corps(view, formation.nation, formation.arm) is None
    ]
    nations = sorted({formation.nation for formation in uncounted if formation.arm == terms.INFANTRY})
    others = sorted({(formation.nation, formation.arm) for formation in uncounted if formation.arm != terms.INFANTRY})
    if nations:
        text = "enough {nations:title} corps are assumed to be off the map (if not, state spare-corps)"
        view.premises.assume(step("14.16", text, nations=nations))
    for nation, arm in others:
        view.premises.assume(
            step("14.16", "enough {nation:title} {arm} corps are assumed to be off the map", nation=nation, arm=arm)
        )
