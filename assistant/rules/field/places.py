"""Facts of hexes: printed features, named places, map edges, and control that changes as units pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ...asking.asks import Ask
from ...asking.report import step
from ...asking.view import View, changed
from ...game.boards import Board
from ...state.changes import Change
from ...state.differences import Divergence
from ...state.tracks import CERTAIN, SOURCE_RANKS
from ...util.errors import InputError
from ...util.memo import Memo
from ...util.texts import folded

EDGES = {"north": ("N", "NW", "NE"), "east": ("E", "NE", "SE"), "south": ("S", "SW", "SE"), "west": ("W", "NW", "SW")}
"""The compass points that lead beyond each edge. On a grid with the first point, only that one counts."""
_EDGES: Memo[tuple[str, str], tuple[str, ...]] = Memo()
"""The hexes at each edge, by edge and track."""


def hexes_with(view: View, track: str) -> list[str]:
    """Return the hexes for which a flag is set in the position or on the board, in order."""
    known = dict.fromkeys([*view.stated_about.get(track, ()), *view.board.known(track)])
    return sorted(place for place in known if view.flag(track, place))


def hex_named(view: View, name: str, track: str = "named") -> str | None:
    """Return the hex of a named place, with or without its accents, or None while it is unknown.

    The position comes first (`2418 named=Warsaw`), then the board, then other boards with a certain source, such as a
    rulebook.
    """
    wanted = folded(name)
    if stated := [at for at in hexes_with(view, track) if folded(view.word(track, at)) == wanted]:
        return min(stated, key=lambda at: SOURCE_RANKS[fact.source] if (fact := view.fact(track, at)) else 0)
    if drawn := next(iter(view.board.places_named.get(wanted, ())), None):
        return drawn.hex
    others = (view.game.board(board).places_named.get(wanted, ()) for board in view.game.board_names)
    return next((place.hex for places in others for place in places if place.basis.source in CERTAIN), None)


def ask_for_place(name: str, rule: str, track: str = "named") -> Ask:
    """Return the request for the hex of a named place."""
    return Ask(
        kind="fact",
        name=f"{track}.{name}",
        rule=rule,
        title=f"hex of {name}",
        how=f"HEX {track}={name}",
        takes="a hex",
        line=f"{{}} {track}={name}",
    )


# --- the edges of the map ---------------------------------------------------------------------------------------------


def edge_hexes(view: View, edge: str, track: str = "map-edge") -> tuple[str, ...]:
    """Return the hexes at an edge of the map, in order.

    They are the hexes stated to lie there, and the outermost hexes of the board or grid unless stated otherwise.

    `edge`: north, east, south or west.
    """

    def read(known: tuple[str, ...] | None, difference: Divergence) -> tuple[str, ...]:
        if known is None or any(name == track for name, _ in difference.facts):
            return _read_edge(view, edge, track)
        return known

    return view.memo(_EDGES, (edge, track), read)


def _read_edge(view: View, edge: str, track: str) -> tuple[str, ...]:
    outer = view.board.outermost(EDGES[edge])
    stated = {place: view.words(track, place) for place in hexes_with(view, track)}
    if not stated:
        return outer
    at_edge = {at for at, edges in stated.items() if edge in edges}
    return tuple(sorted(at_edge.union(at for at in outer if at not in stated)))


def edges_drawn(board: Board, hexes: Collection[str]) -> tuple[str, ...]:
    """Return the edges of the map on which some of the hexes lie, as the board draws them, from `EDGES`."""
    values = [fact.value for at in hexes if (fact := board.fact("map-edge", at))]
    return tuple(edge for edge in EDGES if any(isinstance(value, tuple) and edge in value for value in values))


def edge_assumed(view: View, edge: str, hexes: Collection[str] | None = None, track: str = "map-edge") -> str:
    """Return the note that hexes are assumed to lie at an edge of the map, or "" if this is stated for each."""
    at_edge = edge_hexes(view, edge) if hexes is None else hexes
    unstated = track not in view.game.tracks or any(edge not in view.words(track, at) for at in at_edge)
    return (
        f"the outermost hexes in the {edge} assumed to be the {edge}ern edge of the map (not stated)"
        if unstated
        else ""
    )


def distance_to_edge(view: View, at: str, edge: str, rule: str = "") -> int:
    """Return the distance in hexes to an edge of the map, or 0 for a hex on the edge.

    `rule`: the rule under which the report names the assumed edge.

    Raises InputError if no hex lies at that edge.
    """
    distances = {place: view.board.distance(at, place) for place in edge_hexes(view, edge)}
    if not distances:
        raise InputError(f"no hex lies at the {edge}ern edge of the map", hint=f"state which do: HEX map-edge={edge}")
    nearest = min(distances, key=distances.__getitem__)
    if assumed := edge_assumed(view, edge, [nearest]):
        view.premises.assume(step(rule, assumed))
    return distances[nearest]


# --- control that follows from moves ----------------------------------------------------------------------------------


def hexes_taken(
    way: Sequence[str], side: str, holder: Callable[[str], str], *, stays: bool = True, kept: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the hexes of a route that newly come under the lasting control of a side, in order.

    `way`: the hex left and the hexes entered.
    `holder`: returns who controls an empty hex, or "" if unknown.
    `stays`: whether a hex remains the side's after the unit has left.
    `kept`: hexes that remain the side's even if others do not.
    """
    return tuple(at for at in dict.fromkeys(way) if (stays or at in kept) and holder(at) != side)


def take_control(view: View, hexes: Collection[str], side: str, rule: str, track: str = "control") -> Iterator[Change]:
    """Yield the changes by which a side takes control of hexes."""
    yield from (changed(view, track, at, side, rule) for at in hexes)
