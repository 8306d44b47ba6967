"""The lines that players build, and the parts of railways that enemies leave (17.1.4, 17.5 to 17.7).

The lines are Field Railways, narrow-gauge lines and new RR lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from assistant.asking import InputError, View
from assistant.asking.view import changed
from assistant.mechanics.tracing import CostField
from assistant.state.changes import Change
from assistant.state.state import hexside

from .losses import lose_line
from .network import Links, lost_hexes

Kind = Literal["field", "narrow-gauge", "railroad"]
KINDS: Mapping[str, Kind] = {"field": "field", "narrow-gauge": "narrow-gauge", "railroad": "railroad"}
"""The kinds of lines, by the word for them in the position."""
NARROW_TRACKS = "rail1"
"""The tracks as which a narrow-track line counts: single track (17.1)."""


class BuiltLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line under construction or complete."""

    kind: Kind
    nation: str
    """The nation that builds the line."""
    hexes: tuple[str, ...]
    """The hexes from the DEPLOYED marker to the RAILHEAD marker."""
    half: bool = False
    """Whether only half of the last hex is built."""
    turn: int = 0
    """The game turn of the last work on the line, or 0 if not stated."""
    objective: str = ""
    """The hex to which a new RR line must lead, or "" for other lines."""
    gauge: str = ""
    """The gauge of a new RR line, or "" for other lines."""

    @property
    def deployed(self) -> str:
        """The hex of the DEPLOYED marker, by which alone a Field Railway joins the rail net."""
        return self.hexes[0]

    @property
    def railhead(self) -> str:
        """The hex of the RAILHEAD marker."""
        return self.hexes[-1]

    @property
    def whole(self) -> tuple[str, ...]:
        """The hexes that are fully built."""
        return self.hexes[:-1] if self.half else self.hexes


def left_of_field_railway(hexes: tuple[str, ...], entered: Collection[str]) -> tuple[str, ...]:
    """Return the part of a Field Railway that enemies leave: the hexes before the first that they enter.

    Returns () if that is the hex of the DEPLOYED marker, which is not used again.

    Rule: 17.5.3b
    """
    lost = next((number for number, hex in enumerate(hexes) if hex in entered), len(hexes))
    return hexes[:lost]


def hexes_left(line: BuiltLine, entered: Collection[str]) -> tuple[str, ...]:
    """Return the hexes of a line that enemies leave; they shorten only a Field Railway.

    `entered`: the hexes that enemies enter.
    """
    return left_of_field_railway(line.hexes, entered) if line.kind == "field" else line.hexes


def field_hexes(line: BuiltLine, operational: Collection[str], entered: Collection[str]) -> tuple[str, ...]:
    """Return the operational hexes of a Field Railway.

    They are the hexes up to the first that enemies enter, as narrow track for supply and APs. Returns () if the
    DEPLOYED marker is not on an operational RR line. Whether the RAILHEAD marker is on one does not matter.

    Rule: 17.5.3
    """
    joined = line.kind == "field" and line.deployed in operational
    return left_of_field_railway(line.hexes, entered) if joined else ()


def join_railways(railway: CostField, fields: Iterable[Sequence[str]]) -> CostField:
    """Return the operational RR hexes and how they are linked, with Field Railways added.

    `fields`: the operational hexes of each Field Railway, beginning at its DEPLOYED marker.

    Rule: 17.5.3
    """
    cost = dict(railway.cost)
    before = dict(railway.before)
    for hexes in fields:
        for here, there in pairwise(hexes):
            if there not in cost:
                cost[there], before[there] = cost[here] + 1, here
    return CostField(cost, before)


def platforms(hexes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the hexes of a new RR line that count as RR platforms, which is every sixth one. Rule: 17.7"""
    return hexes[5::6]


# --- lines in a position ----------------------------------------------------------------------------------------------


def built_lines(view: View) -> Iterator[BuiltLine]:
    """Yield the lines of a position, sorted by the hex of the DEPLOYED marker.

    Raises InputError if a line is not possible.
    """
    for hex in sorted(subject for track, subject in view.state.facts if track == "built-line"):
        line = line_from(view, hex)
        if line:
            yield line


def line_from(view: View, hex: str) -> BuiltLine | None:
    """Return the line whose DEPLOYED marker lies in a hex, or None if there is none.

    Raises InputError if the line is not possible.
    """
    hexes = tuple(view.word("built-line", hex).split())
    if not hexes:
        return None
    where = f"built-line of {hex}"
    try:
        for here, there in pairwise(hexes):
            view.board.check_adjacent(here, there, "each hex of the line must be adjacent to the one before")
    except InputError as error:
        raise InputError(f"{where}: {error.what}", hint=error.hint) from None
    kind = KINDS.get(view.word("built-kind", hex))
    nation = view.word("built-by", hex)
    if hexes[0] != hex:
        raise InputError(f"{where}: it begins in {hexes[0]}", hint="the line begins where its DEPLOYED marker lies")
    if kind is None or not nation:
        hint = f"write: {hex} built-kind=field|narrow-gauge|railroad built-by=NATION"
        raise InputError(f"{where}: its kind or its builder is not stated", hint=hint)
    return BuiltLine(
        kind=kind,
        nation=nation,
        hexes=hexes,
        half=view.flag("built-half", hex),
        turn=view.integer("built-turn", hex),
        objective=view.word("built-to", hex),
        gauge=view.word("built-gauge", hex),
    )


def field_railways(view: View, side: str) -> tuple[BuiltLine, ...]:
    """Return the Field Railways of a side."""
    return tuple(line for line in built_lines(view) if line.kind == "field" and view.game.side_of(line.nation) == side)


def hexsides_of(hexes: Sequence[str]) -> frozenset[str]:
    """Return the hexsides that a line crosses."""
    return frozenset(hexside(here, there) for here, there in pairwise(hexes))


TRACK_GAUGES = {"european": "standard", "russian": "broad"}
"""The gauge of European and of Russian tracks."""


def is_complete(line: BuiltLine, links: Links) -> bool:
    """Return whether a new RR line has reached its objective, or a narrow-gauge line another RR line.

    `links`: the RR lines of the map, including the line itself.

    Rule: 17.6.1, 17.7.1
    """
    if line.kind == "railroad":
        return line.railhead == line.objective and not line.half
    others = set(links.get(line.railhead, ())) - set(line.hexes)
    return line.kind == "narrow-gauge" and len(line.hexes) > 1 and bool(others)


def is_abandoned(line: BuiltLine, enemy: Collection[str], links: Links) -> bool:
    """Return whether a new RR line is given up because the enemy took one of its hexes before it was complete.

    `enemy`: the hexes that enemies have entered or control.

    Rule: 17.7
    """
    return line.kind == "railroad" and not is_complete(line, links) and not set(enemy).isdisjoint(line.hexes)


# --- changes of lines --------------------------------------------------------------------------------------------------


def list_left_by_enemies(view: View, line: BuiltLine, entered: Collection[str]) -> list[Change]:
    """Return the changes that shorten or remove a Field Railway that enemies have entered.

    Rule: 17.5.3b
    """
    left = hexes_left(line, entered)
    if left == line.hexes:
        return []
    if not left:
        return remove_line(view, line)
    return [changed(view, "built-line", line.deployed, " ".join(left), "17.5.3")]


def remove_line(view: View, line: BuiltLine) -> list[Change]:
    """Return the changes that remove a line's markers and the track of a new RR line.

    A line of another gauge along the same hexsides stays.
    """
    rule = "17.5.3" if line.kind == "field" else "17.7"
    tracks = ("built-line", "built-kind", "built-by", "built-turn", "built-half", "built-to", "built-gauge")
    left: dict[tuple[str, str], str | None] = {(track, line.deployed): None for track in tracks}
    if line.kind == "railroad":
        beside = TRACK_GAUGES["european" if line.gauge == "russian" else "russian"]
        for here, there in pairwise(line.whole):
            over = hexside(here, there)
            if view.word("gauge", over) == "both":
                left["gauge", over] = beside
            else:
                left |= {("rail", over): None, ("gauge", over): None}
        left |= {("station", hex): None for hex in platforms(line.whole)}
    return [changed(view, *key, value, rule) for key, value in left.items() if key in view.state.facts]


def lost_to(view: View, side: str, entered: Collection[str], held: Collection[str]) -> Iterator[Change]:
    """Yield the losses of enemy railways to units of a side; a lost line does not become the side's own.

    `entered`: the hexes that the units entered, in order.
    `held`: hexes that belonged to the enemy before. On a paper map an RR line there was the enemy's unless stated
    otherwise.
    """
    own = {hex for hex in entered if _was_operational(view, side, hex, held=hex in held)}
    lost = lost_hexes(own, entered)
    loser = next(other for other in view.game.file.sides if other != side)
    for hex in entered:
        if hex in lost:
            yield from lose_line(view, loser, hex)
    for line in built_lines(view):
        if view.game.side_of(line.nation) == side:
            continue
        if is_abandoned(line, entered, {}):
            yield from remove_line(view, line)
        else:
            yield from list_left_by_enemies(view, line, entered)


def lost_before(view: View, side: str, left: Iterable[str], held: Collection[str]) -> Iterator[Change]:
    """Yield the losses of RR hexes where units of a side have stood, if the position does not record them.

    The hexes count as lost since the units came, in no known phase.

    `left`: the hexes where the units stood.
    `held`: as for `lost_to`.

    Rule: 17.1.4
    """
    for hex in left:
        if _was_operational(view, side, hex, held=hex in held):
            yield changed(view, "operational", hex, "none", "17.1.4")


def _was_operational(view: View, side: str, hex: str, *, held: bool) -> bool:
    """Return whether an RR hex counts as operational for the enemies of a side.

    `held`: whether the hex belonged to the enemies.
    """
    stated = view.word("operational", hex)
    if stated:
        return stated not in ("none", side)
    at_edge = any(view.word(track, hex) not in ("", "none", side) for track in ("map-edge", "linked"))
    if not at_edge and (not held or view.board.hexes):
        return False
    sides = [hexside(hex, beside) for beside in view.board.neighbours(hex)]
    return any(view.word("rail", over) not in ("", "no-rail") for over in sides)
