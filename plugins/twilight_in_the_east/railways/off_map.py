"""RR lines off the map, from one map edge to another (8.2.8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from assistant.asking import InputError, MissingFacts, View
from assistant.asking.asks import Ask

from .routes import Legs

TRACKS = {"off-map-double": 1, "off-map-single": 2}
"""The tracks that state off-map lines, each with the hexes for which one of theirs counts."""
BARRED = {"central-powers": frozenset({"46.12"})}
"""The hexes at their own map edges where a side neither leaves the map nor enters it (8.2.8)."""


def usable_off_map(
    lines: Mapping[frozenset[str], int], edges: Mapping[str, str], side: str
) -> dict[str, dict[str, int]]:
    """Return the off-map lines that units of a side may take, from each end to the others: those that leave the map and
    enter it at its own map edges; an end without a known edge is of the line's side.

    lines: lengths by both ends, single-track hexes doubled; edges: the side of a hex's map edge.
    Rule: 8.2.8
    """
    legs = dict[str, dict[str, int]]()
    for ends, hexes in lines.items():
        owners = {edges.get(hex, "") for hex in ends} - {"", "none"}
        if owners == {side} and BARRED.get(side, frozenset()).isdisjoint(ends):
            for here in ends:
                (there,) = ends - {here}
                legs.setdefault(here, {})[there] = hexes
    return legs


def read_off_map(view: View, side: str) -> Legs:
    """Return the off-map lines of a side as its owner has entered them, by the Off-Map RR Charts. Raises InputError for
    one that ends in its own hex, off the map or between two hexes at half a length, MissingFacts for one with a known
    map edge at neither end.
    """
    lines = dict[frozenset[str], int]()
    for hex, there, hexes in _list_stated_lines(view):
        lines[frozenset({hex, there})] = lines.get(frozenset({hex, there}), 0) + hexes
    ends = {hex for line in lines for hex in line}
    for line in lines:
        if all(view.word("map-edge", hex) in ("", "none") for hex in line):
            here, there = sorted(line)
            how = f"{here} map-edge={side}"
            edge = f"the side to which the map edge at {here} or {there} is friendly"
            title = f"{edge}, for the off-map line between them"
            raise MissingFacts([Ask(kind="fact", name=how, rule="8.2.8", title=title, how=how)])
    return usable_off_map(lines, {hex: view.word("map-edge", hex) for hex in ends}, side)


def _list_stated_lines(view: View) -> Iterator[tuple[str, str, int]]:
    """Yield the off-map lines that are stated, each once: both ends, and the hexes for which it counts."""
    seen = dict[tuple[str, str, str], int]()
    for track, weight in TRACKS.items():
        known = {subject for stated, subject in view.stated if stated == track} | {*view.board.known(track)}
        for hex in sorted(known):
            for name, number in view.amounts(track, hex).items():
                where = f"{track} of {hex}"
                there = view.board.place(name)
                if there == hex:
                    raise InputError(f"{where}: it leads back to {hex}", hint=f"write: {hex} {track}=HEX:HEXES")
                if number.denominator != 1:
                    raise InputError(f"{where}: {number} is not a whole number of hexes", hint="count whole hexes")
                back = seen.get((track, there, hex))
                if back is not None:
                    if back != int(number):
                        what = f"{where}: {number} hexes to {there}, but {back} from there"
                        raise InputError(what, hint="state the line at one of its ends")
                    continue
                seen[track, hex, there] = int(number)
                yield hex, there, int(Fraction(number)) * weight
