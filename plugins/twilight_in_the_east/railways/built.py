"""The lines that players build: Field Railways, narrow-gauge lines and new RR lines, as their markers and notes record them
(17.5 to 17.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

import msgspec

from assistant.mechanics.tracing import CostField
from assistant.questions import InputError, View
from assistant.state.state import hexside

Kind = Literal["field", "narrow-gauge", "railroad"]
KINDS: Mapping[str, Kind] = {"field": "field", "narrow-gauge": "narrow-gauge", "railroad": "railroad"}
"""By the word that states them."""
NARROW = "rail1"
"""As what a narrow-track line counts: as single track (17.1)."""


class BuiltLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line under construction or complete.

    kind: of a Field Railway, a narrow-gauge line or a new RR line; nation: that builds it; hexes: from its DEPLOYED marker to
    its RAILHEAD marker; half: whether the last of them is built by half; turn: of the last work on it, 0 if not stated;
    objective, gauge: of a new RR line.
    """

    kind: Kind
    nation: str
    hexes: tuple[str, ...]
    half: bool = False
    turn: int = 0
    objective: str = ""
    gauge: str = ""

    @property
    def deployed(self) -> str:
        """The hex of its DEPLOYED marker, the only one in which a Field Railway is connected to the rail net."""
        return self.hexes[0]

    @property
    def railhead(self) -> str:
        """The hex of its RAILHEAD marker."""
        return self.hexes[-1]

    @property
    def whole(self) -> tuple[str, ...]:
        """The hexes that are built wholly."""
        return self.hexes[:-1] if self.half else self.hexes


def left_of_field_railway(hexes: tuple[str, ...], entered: Collection[str]) -> tuple[str, ...]:
    """What enemies leave of a Field Railway: up to the hex before the first that they enter, and nothing if that is the hex of its
    DEPLOYED marker, which is not used again. Rule: 17.5.3b
    """
    lost = next((number for number, hex in enumerate(hexes) if hex in entered), len(hexes))
    return hexes[:lost]


def field_hexes(line: BuiltLine, operational: Collection[str], entered: Collection[str]) -> tuple[str, ...]:
    """The hexes in which a Field Railway is operational: all that enemies leave of it where its DEPLOYED marker lies on an
    operational RR line, and none otherwise, whatever its RAILHEAD touches. It counts as a narrow-track line for supply and APs.
    Rule: 17.5.3
    """
    joined = line.kind == "field" and line.deployed in operational
    return left_of_field_railway(line.hexes, entered) if joined else ()


def joined(railway: CostField, fields: Iterable[Sequence[str]]) -> CostField:
    """The operational RR hexes and how they are linked, with those of Field Railways. fields: the operational hexes of each, from that of
    its DEPLOYED marker. Rule: 17.5.3
    """
    cost, before = dict(railway.cost), dict(railway.before)
    for hexes in fields:
        for here, there in pairwise(hexes):
            if there not in cost:
                cost[there], before[there] = cost[here] + 1, here
    return CostField(cost, before)


def platforms(hexes: tuple[str, ...]) -> tuple[str, ...]:
    """The hexes of a new RR line that count as having a RR platform: every sixth one. Rule: 17.7"""
    return hexes[5::6]


# --- of a position ----------------------------------------------------------------------------------------------------


def built_lines(view: View) -> Iterator[BuiltLine]:
    """The lines that a position records, in the order of their DEPLOYED markers. Raises InputError for one that cannot be."""
    for hex in sorted(subject for track, subject in view.state.facts if track == "built-line"):
        if line := line_from(view, hex):
            yield line


def line_from(view: View, hex: str) -> BuiltLine | None:
    """The line whose DEPLOYED marker lies in a hex, None if there is none. Raises InputError for one that cannot be."""
    hexes = tuple(view.word("built-line", hex).split())
    if not hexes:
        return None
    told = f"built-line of {hex}"
    try:
        for here, there in pairwise(hexes):
            view.board.check_adjacent(here, there, "each hex of the line is next to the one before")
    except InputError as error:
        raise InputError(f"{told}: {error.what}", hint=error.hint) from None
    kind, nation = KINDS.get(view.word("built-kind", hex)), view.word("built-by", hex)
    if hexes[0] != hex:
        raise InputError(f"{told}: it begins in {hexes[0]}", hint="the line begins where its DEPLOYED marker lies")
    if kind is None or not nation:
        hint = f"write: {hex} built-kind=field|narrow-gauge|railroad built-by=NATION"
        raise InputError(f"{told}: its kind or its builder is not stated", hint=hint)
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
    """The Field Railways of a side."""
    return tuple(one for one in built_lines(view) if one.kind == "field" and view.game.side_of(one.nation) == side)


def hexsides_of(hexes: Sequence[str]) -> frozenset[str]:
    """The hexsides that a line crosses."""
    return frozenset(hexside(here, there) for here, there in pairwise(hexes))
