"""Improved Positions on the map: which level holds in a hex, when one comes off, and when a printed one is ruined (13.0, 13.4, 13.5)."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.changes import AnyChange, Change
from assistant.view import Gather, View

PRINTED, PRINTED_LATER, LATER = 3, 4, 20
"""The levels of positions that the map shows, before a game turn and from it on (13.5)."""


def level_in(facts: Gather, hex: str) -> int:
    """The level of the Improved Position in a hex, 0 if there is none: that of its marker or that of the map, whichever is
    higher. It counts in all directions, for every friendly unit there, whoever has built it.

    Rule: 13.0
    """
    built = facts.integer("ip", hex)
    if facts.word("printed-ip", hex) in ("", "none") or facts.flag("ruined", hex):
        return built
    return max(built, printed_level(facts.integer("turn")))


def printed_level(turn: int) -> int:
    """The level of a position that the map shows and nobody has ruined; one that was rebuilt before rises with the others.

    Rule: 13.5
    """
    return PRINTED if turn < LATER else PRINTED_LATER


def after_moves(view: View, changes: Iterable[AnyChange]) -> list[Change]:
    """What becomes of positions when units leave their hexes or enter others: one that was built comes off when no friendly
    unit is left there, one that the map shows is ruined when an enemy of its side enters.

    changes: of the state, those of places among them.

    Rule: 13.4
    """
    moves = {one.subject: one.after for one in changes if isinstance(one, Change) and one.track == "place"}
    found = []
    for place in dict.fromkeys(str(view.unit(unit).place) for unit in moves):
        built = view.state.facts.get(("ip", place))
        left = [unit for unit in view.stack(place) if moves.get(unit.id, place) == place]
        if built is not None and built.value and not left and not _is_printed(view, place):
            found.append(Change("ip", place, built.value, None, "13.4"))
    for unit, to in moves.items():
        if isinstance(to, str) and _ruins(view, unit, to) and to not in [one.subject for one in found]:
            found += ruin(view, to)
    return found


def ruin(view: View, place: str) -> list[Change]:
    """A position of the map in ruins, with what was built there since."""
    stated, built = view.state.facts.get(("ruined", place)), view.state.facts.get(("ip", place))
    found = [Change("ruined", place, stated.value if stated else None, True, "13.5.1")]
    return found + ([Change("ip", place, built.value, None, "13.5.1")] if built else [])


def _is_printed(view: View, place: str) -> bool:
    fact = view.fact("printed-ip", place)
    return fact is not None and fact.value != "none"


def _ruins(view: View, unit: str, place: str) -> bool:
    """Whether a unit that enters a hex ruins a position that the map shows there: an enemy's, that still stands or has been
    rebuilt."""
    printed, nation = view.fact("printed-ip", place), view.fact("nation", unit)
    stands = view.state.value("ruined", place) is not True or bool(view.state.value("ip", place))
    side = view.game.side_of(str(nation.value)) if nation else ""
    return bool(side and printed and printed.value not in ("none", side) and stands)
