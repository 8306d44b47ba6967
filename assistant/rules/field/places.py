"""Facts of hexes by which rules go: what is printed in some of them, places by name, the edges of the map, and hexes
that change hands as units pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ...asking.asks import Ask
from ...asking.report import step
from ...asking.view import View, changed
from ...game.boards import Board
from ...state.changes import Change
from ...state.differences import Divergence
from ...state.tracks import CERTAIN, STRENGTH
from ...util.errors import InputError
from ...util.memo import Memo
from ...util.texts import folded

EDGES = {"north": ("N", "NW", "NE"), "east": ("E", "NE", "SE"), "south": ("S", "SW", "SE"), "west": ("W", "NW", "SW")}
"""The edges of a map, each with the compass points that lead beyond it; the first alone where hexes have that one."""
_EDGES: Memo[tuple[str, str], tuple[str, ...]] = Memo()
"""The hexes at each edge, by the track that says so."""


def hexes_with(view: View, track: str) -> list[str]:
    """Return the hexes of which the position or the board says that something is printed on them, in order."""
    known = dict.fromkeys([*view.stated_about.get(track, ()), *view.board.known(track)])
    return sorted(place for place in known if view.flag(track, place))


def hex_named(view: View, name: str, track: str = "named") -> str | None:
    """Return the hex of a town or another place by its name, with its accents or without: as it is stated (`2418
    named=Warsaw`), as a rulebook or a pack tells it, or as the board of the position draws it; None while it is
    unknown.
    """
    wanted = folded(name)
    if stated := [at for at in hexes_with(view, track) if folded(view.word(track, at)) == wanted]:
        return min(stated, key=lambda at: STRENGTH[fact.source] if (fact := view.fact(track, at)) else 0)
    if drawn := next(iter(view.board.places_named.get(wanted, ())), None):
        return drawn.hex
    others = (view.game.board(board).places_named.get(wanted, ()) for board in view.game.board_names)
    return next((place.hex for places in others for place in places if place.basis.source in CERTAIN), None)


def ask_for_place(name: str, rule: str, track: str = "named") -> Ask:
    """Return the hex of a place by its name, to be asked for where it decides."""
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
    """Return the hexes at an edge of the map, in order: those that are stated to lie there, and those beyond which the
    board or the grid has none, unless it is stated otherwise. edge: north, east, south or west.
    """

    def read(known: tuple[str, ...] | None, apart: Divergence) -> tuple[str, ...]:
        if known is None or any(name == track for name, _ in apart.facts):
            return _read_edge(view, edge, track)
        return known

    return view.memo(_EDGES, (edge, track), read)


def _read_edge(view: View, edge: str, track: str) -> tuple[str, ...]:
    """Return the hexes at an edge of the map as `edge_hexes` does."""
    outer = view.board.outermost(EDGES[edge])
    stated = {place: view.words(track, place) for place in hexes_with(view, track)}
    if not stated:
        return outer
    at_edge = {at for at, edges in stated.items() if edge in edges}
    return tuple(sorted(at_edge.union(at for at in outer if at not in stated)))


def edges_drawn(board: Board, hexes: Collection[str]) -> tuple[str, ...]:
    """Return the edges of the map at which some hexes of a board lie, as it draws them: north, east, south, west."""
    values = [fact.value for at in hexes if (fact := board.fact("map-edge", at))]
    return tuple(edge for edge in EDGES if any(isinstance(value, tuple) and edge in value for value in values))


def edge_assumed(view: View, edge: str, hexes: Collection[str] | None = None, track: str = "map-edge") -> str:
    """Return what is taken for granted where hexes are taken to lie at an edge of the map, in words: "" if it is stated
    of each.

    hexes: those in question; all at the edge if left out.
    """
    at_edge = edge_hexes(view, edge) if hexes is None else hexes
    unstated = track not in view.game.tracks or any(edge not in view.words(track, at) for at in at_edge)
    return (
        f"the outermost hexes in the {edge} assumed to be the {edge}ern edge of the map (not stated)"
        if unstated
        else ""
    )


def distance_to_edge(view: View, at: str, edge: str, rule: str = "") -> int:
    """Return how many hexes a hex is from an edge of the map, 0 for one that lies there. rule: for which it is asked,
    under which the report says what is taken for granted. Raises InputError where none is stated to lie there, but
    elsewhere.
    """
    far = {place: view.board.distance(at, place) for place in edge_hexes(view, edge)}
    if not far:
        raise InputError(f"no hex lies at the {edge}ern edge of the map", hint=f"state which do: HEX map-edge={edge}")
    nearest = min(far, key=far.__getitem__)
    if assumed := edge_assumed(view, edge, [nearest]):
        view.premises.assume(step(rule, assumed))
    return far[nearest]


# --- control that follows from moves ----------------------------------------------------------------------------------


def hexes_taken(
    way: Sequence[str], side: str, holder: Callable[[str], str], *, stays: bool = True, kept: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the hexes of a way that come under the control of a side for good, in order.

    way: the hex left and those entered; holder: who controls an empty hex, "" if unknown; stays: whether a hex remains
    the side's after the unit has left; kept: hexes that do so all the same.
    """
    return tuple(at for at in dict.fromkeys(way) if (stays or at in kept) and holder(at) != side)


def take_control(view: View, hexes: Collection[str], side: str, rule: str, track: str = "control") -> Iterator[Change]:
    """Yield what changes as hexes come under the control of a side."""
    yield from (changed(view, track, at, side, rule) for at in hexes)
