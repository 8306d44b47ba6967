"""What enemies leave of the railways of a side: of its operational RR lines, and of lines that were built or are being built (17.1.4, 17.5.3, 17.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from assistant.questions import View
from assistant.questions.view import changed
from assistant.state.changes import Change
from assistant.state.state import hexside

from .built import BuiltLine, built_lines, left_of_field_railway, platforms
from .network import Links, captured

GAUGE = {"european": "standard", "russian": "broad"}
"""The track of each gauge, by the country where it is usual."""


def is_complete(line: BuiltLine, links: Links) -> bool:
    """Whether a line is at its end: a new RR line at its objective, a narrow-gauge line at another RR line.

    links: RR lines of the map, its own among them. Rule: 17.6.1, 17.7.1
    """
    if line.kind == "railroad":
        return line.railhead == line.objective and not line.half
    others = set(links.get(line.railhead, ())) - set(line.hexes)
    return line.kind == "narrow-gauge" and len(line.hexes) > 1 and bool(others)


def abandoned(line: BuiltLine, enemy: Collection[str], links: Links) -> bool:
    """Whether a new RR line is given up: any of its hexes becomes the enemy's before it is complete. enemy: the hexes that enemies
    have entered or control. Rule: 17.7
    """
    return line.kind == "railroad" and not is_complete(line, links) and not set(enemy).isdisjoint(line.hexes)


# --- what that changes ------------------------------------------------------------------------------------------------


def after_enemies(view: View, line: BuiltLine, entered: Collection[str]) -> list[Change]:
    """What enemies leave of a Field Railway. Rule: 17.5.3b"""
    left = left_of_field_railway(line.hexes, entered) if line.kind == "field" else line.hexes
    if left == line.hexes:
        return []
    if not left:
        return given_up(view, line)
    return [changed(view, "built-line", line.deployed, " ".join(left), "17.5.3")]


def given_up(view: View, line: BuiltLine) -> list[Change]:
    """That a line is gone: its markers, and what was built of a new RR line, but not a line of another gauge beside it."""
    rule = "17.5.3" if line.kind == "field" else "17.7"
    tracks = ("built-line", "built-kind", "built-by", "built-turn", "built-half", "built-to", "built-gauge")
    left: dict[tuple[str, str], str | None] = {(track, line.deployed): None for track in tracks}
    if line.kind == "railroad":
        beside = GAUGE["european" if line.gauge == "russian" else "russian"]
        for over in (hexside(*pair) for pair in pairwise(line.whole)):
            if view.word("gauge", over) == "both":
                left["gauge", over] = beside
            else:
                left |= {("rail", over): None, ("gauge", over): None}
        left |= {("station", hex): None for hex in platforms(line.whole)}
    return [changed(view, *key, value, rule) for key, value in left.items() if key in view.state.facts]


def lost_to(view: View, side: str, entered: Collection[str], held: Collection[str]) -> Iterator[Change]:
    """What units of a side take of its enemies' railways. Nothing that is lost becomes their own.

    entered: the hexes into which they have come, in order; held: those of them that have been the enemy's until then, as he stood there or
    controlled them, so that on a paper map a line of which nothing else is stated has been his.
    """
    own = {hex for hex in entered if was_operational(view, side, hex, held=hex in held)}
    lost = captured(own, entered)
    yield from (changed(view, "operational", hex, "none", "17.1.4") for hex in entered if hex in lost)
    for line in built_lines(view):
        if view.game.side_of(line.nation) != side:
            yield from given_up(view, line) if abandoned(line, entered, {}) else after_enemies(view, line, entered)


def was_operational(view: View, side: str, hex: str, *, held: bool) -> bool:
    """Whether a RR hex counts as operational for the enemies of a side. held: whether it has been theirs."""
    if stated := view.word("operational", hex):
        return stated not in ("none", side)
    at_edge = any(view.word(track, hex) not in ("", "none", side) for track in ("map-edge", "linked"))
    sides = (
        [hexside(hex, beside) for beside in view.board.neighbours(hex)]
        if at_edge or (held and not view.board.hexes)
        else []
    )
    return any(view.word("rail", over) not in ("", "no-rail") for over in sides)
