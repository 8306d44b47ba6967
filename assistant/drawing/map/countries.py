"""The countries of a map, which are separated by frontiers between states, and their tints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ...game.hexes import Hex, HexGrid
from ...state.state import hexside
from ..colours import least_difference
from ..palettes import MIN_SIDE_DIFFERENCE, is_water
from ..style import Palette

TINTS = ("#d9a441", "#5d7a3a", "#8c4a5e", "#6b625c", "#c96f5a")
"""The tints of countries along a border, for the largest countries first."""
_STATE_WORDS = frozenset({"state", "national", "international", "frontier", "country"})


def frontier_among(words: Sequence[str], drawn: Collection[str]) -> str:
    """Return the word for a border between states: one that says so, or else the last one drawn, or ""."""
    stated = [word for word in words if _STATE_WORDS.intersection(word.split("-"))]
    return next(iter(stated or [word for word in reversed(words) if word in drawn]), "")


def tint_countries(
    palette: Palette,
    grid: HexGrid,
    terrain: Mapping[str, str],
    frontiers: Collection[str],
    country: Callable[[str], str],
) -> Mapping[str, str]:
    """Return the tint of each hex's country; water has none.

    A country is an area enclosed by frontiers; areas with the same name are one country.

    `terrain`: the terrain of all hexes of the board, with "" for unknown.
    `frontiers`: the hexsides along frontiers.
    `country`: returns the country's name at a hex, or "" if unknown.
    """
    closed = frozenset(frontiers)
    beside = {at for name in closed for at in name.split("|")}
    places = {name: grid.parse(name) for name, word in terrain.items() if not is_water(word)}
    unassigned: dict[tuple[int, int], tuple[Hex, str]] = {at: (at, name) for name, at in places.items()}
    countries: dict[str, list[str]] = {}
    for first in sorted(places):
        if places[first] not in unassigned:
            continue
        waiting = [unassigned.pop(places[first])]
        part = []
        while waiting:
            at, name_here = waiting.pop()
            part.append(name_here)
            (column, row), is_beside = at, name_here in beside
            for _, across, down in grid.steps(at):
                beyond = unassigned.get((column + across, row + down))
                if beyond and not (is_beside and beyond[1] in beside and hexside(name_here, beyond[1]) in closed):
                    waiting.append(unassigned.pop(beyond[0]))
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
    """Return the tints beside a border in a key: of the game's first country, and the next one that differs enough."""
    known = [tint for name in countries if (tint := palette.country(name))]
    distinct = (tint for tint in known[1:] if least_difference(known[0], tint) >= MIN_SIDE_DIFFERENCE)
    other = next(distinct, "")
    return (known[0], other) if other else (TINTS[0], TINTS[1])
