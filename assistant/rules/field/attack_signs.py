"""Attacks found in a log by the marks on hexes and counters before and after the dice."""

from __future__ import annotations

from collections.abc import Iterator

from ...asking.question import Opening
from ...asking.view import View


def attacks_shown(
    before: View,
    later: View,
    *,
    attacked: str = "attacked",
    fought: str = "fought",
    announced: str = "announced",
    ordered: str = "prepared",
    phasing: str = "phasing",
) -> Iterator[Opening]:
    """Yield the attacks that markers show, each as the parameters of a played question.

    The parameters are `at`, and `from` if the units that fought are around the hex. Attacks marked only in the later
    position come first, then those announced or ordered.

    The keyword arguments are names of tracks, any of which the game may lack.

    `attacked`, `announced`: flags of hexes.
    `fought`: a flag of units.
    `ordered`: the text of units that names their target.
    `phasing`: the track of the side to move.
    """
    fighters = [unit for unit in _find_subjects(later, fought) if unit not in set(_find_subjects(before, fought))]
    units = before.state.units
    places = {unit: str(units[unit].place) for unit in fighters if unit in units and units[unit].place}
    turn_of = before.state.value(phasing) if phasing in before.game.tracks else None
    newly = [at for at in _find_subjects(later, attacked) if at not in set(_find_subjects(before, attacked))]
    for at in dict.fromkeys(places.values()):
        sides = {before.side_of(unit) for unit, place in places.items() if place == at}
        others = {place for unit, place in places.items() if before.side_of(unit) not in sides}
        alone = all(place == at for unit, place in places.items() if before.side_of(unit) in sides)
        may_be = turn_of not in sides and (at in newly or not newly)
        if others and alone and may_be and others <= set(before.board.neighbours(at)):
            who = ", ".join(sorted(places))
            yield Opening(
                {"at": at, "from": ",".join(sorted(others))}, f"shown by the markers on the units that fought ({who})"
            )
    for at in newly:
        yield Opening({"at": at}, f"shown by the marker of an attack on {at}")
    for at in _find_subjects(before, announced):
        yield Opening({"at": at}, f"shown by the marker of an announced attack on {at}")
    orders: dict[str, list[str]] = {}
    for unit, target in _list_facts(before, ordered):
        orders.setdefault(str(target), []).append(unit)
    for at, pointing in orders.items():
        if before.board.is_hex(at) and before.state.stack(at):
            yield Opening({"at": at}, f"shown by the markers of {', '.join(pointing)}, which point at {at}")


def _list_facts(view: View, track: str) -> Iterator[tuple[str, object]]:
    return ((subject, fact.value) for (name, subject), fact in view.state.facts.items() if name == track and fact.value)


def _find_subjects(view: View, track: str) -> list[str]:
    return [subject for subject, _ in _list_facts(view, track)]
