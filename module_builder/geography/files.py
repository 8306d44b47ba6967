"""The files of the board's folder, as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from assistant.game.boards.entries import Basis, Chain, Label
from assistant.game.boards.writing import write_chain, write_facts, write_label
from assistant.game.hexes import Hex
from assistant.state.sources import Source, Value
from assistant.state.state import hexside
from assistant.state.tracks import Track
from assistant.util.errors import Where

from .draft import Draft, Stretch, runs
from .mesh import Side

_DRAWN = Basis(Source.DRAWN)
_HEAD = "# Drawn by `python -m module_builder.geography {game}` from the tables in geography/; what is changed here is lost when it runs again.\n"
#: The letters of the map.
_LETTERS = {"c": "clear", "r": "rough", "w": "wetlands", "m": "mountain", "h": "high-mountain", "s": "sea"}


def board_files(draft: Draft, tracks: Mapping[str, Track], game: str) -> dict[str, str]:
    """The files of the board that a draft describes, by name. The same draft gives the same text each time."""
    head = _HEAD.format(game=game)
    return {
        "board.toml": _board(draft, head),
        "terrain.txt": _terrain(draft),
        "rivers.lines": head + "\n".join(_rivers(draft, tracks)) + "\n",
        "borders.lines": head + "\n".join(_borders(draft, tracks)) + "\n",
        "railways.lines": head + "\n".join(_links(draft.railways, tracks, "rail")) + "\n",
        "roads.lines": head + "\n".join(_links(draft.roads, tracks, "road")) + "\n",
        "hexes.lines": head + "\n".join(_hexes(draft, tracks)) + "\n",
        "labels.lines": head + "\n".join(_labels(draft)) + "\n",
        "places.csv": _places(draft),
    }


def _board(draft: Draft, head: str) -> str:
    grid, settings = draft.grid, draft.tables.settings
    letters = "\n".join(f'{letter} = "{word}"' for letter, word in _LETTERS.items())
    return (
        f'{head}title = "{settings.title}"\nsource = "drawn"\n'
        f"whole = [{', '.join(f'{track!r}'.replace(chr(39), chr(34)) for track in settings.whole)}]\n\n"
        f'[edge]\nsource = "drawn"\nnote = "{settings.edge}"\n\n'
        f'[grid]\norientation = "{grid.orientation}"\nshifted = "{grid.shifted}"\ncolumns_from = "{grid.columns_from}"\n'
        f'rows_from = "{grid.rows_from}"\nformat = "{grid.format}"\n'
        f"columns = {[*grid.columns]}\nrows = {[*grid.rows]}\n\n[terrain]\n{letters}\n"
    )


def _terrain(draft: Draft) -> str:
    letter = {word: letter for letter, word in _LETTERS.items()}
    grid = draft.grid
    columns = range(grid.columns[0], grid.columns[1] + 1)
    if grid.columns_from == "east":
        columns = columns[::-1]
    wide = len(str(grid.rows[1]))
    lines = [" " * wide + "".join(f"{column:3}" for column in columns)]
    for row in range(grid.rows[0], grid.rows[1] + 1):
        names = [grid.name(Hex(column, row)) for column in columns]
        kinds = [draft.terrain.get(name) for name in names]
        lines.append(f"{row:{wide}}" + "".join(f"  {letter[kind] if kind else '.'}" for kind in kinds))
    return "\n".join(lines) + "\n"


def _chain(name: str, facts: Sequence[tuple[str, Value]], path: Sequence[str], *, along: bool) -> Chain:
    return Chain(name=name, facts=tuple(facts), along=along, path=tuple(path), basis=_DRAWN, where=Where(""))


def _sides(walk: Iterable[Side]) -> list[str]:
    return [hexside(side.left, side.right) for side in walk]


def _rivers(draft: Draft, tracks: Mapping[str, Track]) -> Iterator[str]:
    for laid in (*draft.rivers.values(), *draft.lakes.values()):
        for word, walk in laid.stretches:
            for part in runs(walk, partial(_lies, draft, word)):
                chain = _chain(laid.river.name, [("barrier", (word,))], _sides(part), along=True)
                yield write_chain(chain, tracks, _DRAWN)
    lone = sorted(draft.shore_sides.items())
    for word in ("lake", "sea"):
        sides = [side for side, kind in lone if kind == word]
        if sides:
            yield write_facts(sides, {"barrier": (word,)}, tracks, _DRAWN, _DRAWN)


def _lies(draft: Draft, word: str, side: Side) -> bool:
    return draft.water.get(hexside(side.left, side.right)) == word


def _borders(draft: Draft, tracks: Mapping[str, Track]) -> Iterator[str]:
    for name, words, walk in draft.borders:
        yield write_chain(_chain(name, [("border", words)], _sides(walk), along=True), tracks, _DRAWN)
    for _, part in draft.ridges:
        yield write_chain(_chain("", [("barrier", ("ridge",))], _sides(part), along=True), tracks, _DRAWN)


def _links(stretches: Sequence[Stretch], tracks: Mapping[str, Track], track: str) -> Iterator[str]:
    for name, kind, gauge, hexes in stretches:
        facts: list[tuple[str, Value]] = [(track, kind), *([("gauge", gauge)] if gauge else [])]
        yield write_chain(_chain(name, facts, hexes, along=False), tracks, _DRAWN)


def _hexes(draft: Draft, tracks: Mapping[str, Track]) -> Iterator[str]:
    yield write_facts(draft.stations, {"station": True}, tracks, _DRAWN, _DRAWN)
    friendly: dict[str, list[str]] = {}
    for country, hexes in draft.edges.items():
        side = draft.tables.settings.friendly.get(country)
        if side:
            friendly.setdefault(side, []).extend(hexes)
    for side, hexes in sorted(friendly.items()):
        yield write_facts(sorted(hexes), {"map-edge": side}, tracks, _DRAWN, _DRAWN)
    for word, sides in draft.tables.settings.crossings.items():
        yield write_facts(sides, {"crossing": word}, tracks, _DRAWN, _DRAWN)


def _labels(draft: Draft) -> Iterator[str]:
    for name, kind, hexes in draft.labels:
        yield write_label(Label(name=name, kind=kind, hexes=tuple(hexes), basis=_DRAWN, where=Where("")), _DRAWN)


def _places(draft: Draft) -> str:
    languages = sorted({language for _, town in draft.places for language in town.names})
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["hex", "name", "class", *(f"name-{language}" for language in languages), "source", "rule"])
    for hex, town in draft.places:
        names = [town.names.get(language, "") for language in languages]
        rows.writerow([hex, town.name, town.size, *names, "rulebook" if town.rule else "drawn", town.rule])
    return text.getvalue()
