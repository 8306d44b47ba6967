"""The countries of a map: what the frontiers between states part, and the tint of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ...game.hexes import Hex, HexGrid
from ...state.state import hexside
from ..colours import least_difference
from ..palettes import MIN_SIDE_DIFFERENCE, is_water
from ..style import Palette

TINTS = ("#d9a441", "#5d7a3a", "#8c4a5e", "#6b625c", "#c96f5a")
"""The tints of countries along a border, those of the largest countries first."""
_STATE = frozenset({"state", "national", "international", "frontier", "country"})


def frontier_among(words: Sequence[str], drawn: Collection[str]) -> str:
    """Return the word for a border between states: the one that says so, or else the last one that is drawn."""
    stated = [word for word in words if _STATE.intersection(word.split("-"))]
    return next(iter(stated or [word for word in reversed(words) if word in drawn]), "")


def tint_countries(
    palette: Palette,
    grid: HexGrid,
    terrain: Mapping[str, str],
    frontiers: Collection[str],
    country: Callable[[str], str],
) -> Mapping[str, str]:
    """Return the tint of each hex's country: what the frontiers of a board part, of which parts of one name are one.
    Water has none.

    terrain: of all hexes of the board, "" if unknown; frontiers: the hexsides along which one runs; country: of a hex,
    "" if unknown.
    """
    closed = frozenset(frontiers)
    beside = {at for name in closed for at in name.split("|")}
    places = {name: grid.parse(name) for name, word in terrain.items() if not is_water(word)}
    left: dict[tuple[int, int], tuple[Hex, str]] = {at: (at, name) for name, at in places.items()}
    countries: dict[str, list[str]] = {}
    for first in sorted(places):
        if places[first] not in left:
            continue
        todo = [left.pop(places[first])]
        part = []
        while todo:
            at, here = todo.pop()
            part.append(here)
            (column, row), is_beside = at, here in beside
            for _, across, down in grid.steps(at):
                beyond = left.get((column + across, row + down))
                if beyond and not (is_beside and beyond[1] in beside and hexside(here, beyond[1]) in closed):
                    todo.append(left.pop(beyond[0]))
        name_of_country = next(filter(None, (country(name) for name in part)), part[0])
        countries.setdefault(name_of_country, []).extend(part)
    largest = sorted(
        countries, key=lambda name_of_country: (-len(countries[name_of_country]), countries[name_of_country][0])
    )
    tints = {name_of_country: palette.country(name_of_country) for name_of_country in largest}
    spare = (tint for tint in TINTS if tint not in tints.values())
    tints |= {name_of_country: next(spare, "") for name_of_country in largest if not tints[name_of_country]}
    return {name: tint for name_of_country, tint in tints.items() for name in countries[name_of_country]}


def tints_in_key(palette: Palette, countries: Sequence[str]) -> tuple[str, str]:
    """Return the tints beside a border in a key: that of the first country of a game, and that of the next one which is
    far enough from it, as an enemy's is. countries: by name; unknown ones are left out.
    """
    known = [tint for name in countries if (tint := palette.country(name))]
    far = (tint for tint in known[1:] if least_difference(known[0], tint) >= MIN_SIDE_DIFFERENCE)
    other = next(far, "")
    return (known[0], other) if other else (TINTS[0], TINTS[1])
