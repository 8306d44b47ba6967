"""The files of a board's folder, as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import dist

from assistant.game.boards.features import Basis, HexChain, MapLabel
from assistant.game.boards.lines import write_chain, write_facts, write_label
from assistant.game.hexes import Hex
from assistant.state.state import hexside
from assistant.state.tracks import Source, Subject, Track, Value
from assistant.state.words import Vocabulary, Word
from assistant.util.errors import InputError, Where

from .draft import Draft, runs
from .mesh import Side
from .ways import Stretch

_DRAWN = Basis(Source.DRAWN)
_NOWHERE = Where("")
_SETTINGS = Where("geography.toml")
_MIN_TURN_DEGREES = 5.0
"""The minimum turn of a board's north from the top that its file states."""
_HEAD = "# Drawn by `python -m tools.geography {game}` from its tables, and overwritten by it.\n"


def board_files(draft: Draft, tracks: Mapping[str, Track], game: str) -> dict[str, str]:
    """Return the files of a draft's board by name, "" for one without entries; they depend on the draft alone.

    Raises InputError if a word in the tables is of no track of the game, or a name in the settings is in no table.
    """
    draft.tables.check_names()
    writer = _Writer(tracks)
    head = _HEAD.format(game=game)
    entries = {
        "rivers.lines": _write_rivers(draft, writer),
        "borders.lines": _write_borders(draft, writer),
        "railways.lines": map(writer.stretch, draft.railways),
        "roads.lines": map(writer.stretch, draft.roads),
        "hexes.lines": _write_hexes(draft, writer),
        "start.lines": _write_start(draft, writer),
        "labels.lines": _write_labels(draft),
    }
    return {
        "board.toml": head + _write_board(draft),
        "terrain.txt": _write_terrain(draft),
        **{
            name: head + text if (text := "".join(f"{entry}\n" for entry in lines)) else ""
            for name, lines in entries.items()
        },
        "places.csv": _write_places(draft),
        "lakes.csv": _write_lakes(draft),
    }


class _Writer:
    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tracks = tracks
        self._vocabulary = Vocabulary(tracks)

    def _read_facts(self, words: Iterable[str], on: Subject) -> list[tuple[str, Value]]:
        facts = []
        for word in words:
            read = self._vocabulary.read(on, Word(word, 1))
            if read is None:
                raise InputError(f"{word!r} states nothing of a {on}", hint="use the words of tracks.toml")
            track, fact = read
            value = (fact.value,) if track.kind == "choices" and isinstance(fact.value, str) else fact.value
            facts.append((track.name, value))
        return facts

    def is_single_choice(self, words: str) -> bool:
        """Return whether a hex can have only one of the words of a track, as a corner of the map on two of its edges."""
        return any(self._tracks[name].kind == "choice" for name, _ in self._read_facts(words.split(), "hex"))

    def along(self, name: str, words: str, walk: Iterable[Side], known: str) -> str:
        """Return a chain of hexsides."""
        path = tuple(hexside(side.left, side.right) for side in walk)
        facts = tuple(self._read_facts(words.split(), "hexside"))
        chain = HexChain(
            name=name, facts=facts, along=True, path=path, basis=Basis(Source.DRAWN, known), where=_NOWHERE
        )
        return write_chain(chain, self._tracks, _DRAWN)

    def stretch(self, stretch: Stretch) -> str:
        facts = tuple(self._read_facts(stretch.words, "hexside"))
        basis, path = Basis(Source.DRAWN, stretch.known), tuple(stretch.hexes)
        chain = HexChain(name=stretch.name, facts=facts, along=False, path=path, basis=basis, where=_NOWHERE)
        return write_chain(chain, self._tracks, _DRAWN)

    def name(self, hex: str, track: str, name: str) -> str:
        if track not in self._tracks or (self._tracks[track].on, self._tracks[track].kind) != ("hex", "text"):
            raise InputError(f"{track!r} is not a text of hexes", hint="use a track of tracks.toml in [words] named")
        return write_facts([hex], {track: name}, self._tracks, _DRAWN, _DRAWN)

    def single(self, subjects: Sequence[str], words: str, on: Subject, basis: Basis = _DRAWN) -> str:
        return write_facts(subjects, dict(self._read_facts(words.split(), on)), self._tracks, basis, _DRAWN)


def _write_board(draft: Draft) -> str:
    grid, settings = draft.land.grid, draft.settings
    north = draft.land.fit.north
    north_line = f"north = {north:.1f}\n" if abs(north) >= _MIN_TURN_DEGREES else ""
    return (
        f'title = "{settings.title}"\nsource = "drawn"\nkilometres = {draft.land.fit.kilometres:.2f}\n{north_line}'
        f"whole = [{', '.join(map(_quote, settings.whole))}]\n\n"
        f'[edge]\nsource = "drawn"\nnote = "{settings.edge}"\n\n'
        f'[grid]\norientation = "{grid.orientation}"\nshifted = "{grid.shifted}"\ncolumns_from = "{grid.columns_from}"\n'
        f'rows_from = "{grid.rows_from}"\nformat = "{grid.format}"\n'
        f"columns = {[*grid.columns]}\nrows = {[*grid.rows]}\n\n[terrain]\n"
        + "".join(f"{letter} = {_quote(word)}\n" for letter, word in settings.letters.items())
    )


def _quote(text: str) -> str:
    return f'"{text}"'


def _write_terrain(draft: Draft) -> str:
    letter = {word: letter for letter, word in draft.settings.letters.items()}
    if missing := {*draft.land.terrain.values()} - {*letter}:
        raise InputError(f"no letter stands for {min(missing)}", where=_SETTINGS, hint="write one in [letters]")
    grid, terrain = draft.land.grid, draft.land.terrain
    columns = [*range(grid.columns[0], grid.columns[1] + 1)]
    if grid.columns_from == "east":
        columns.reverse()
    width = len(str(grid.rows[1]))
    lines = [" " * width + "".join(f"{column:3}" for column in columns)]
    for row in range(grid.rows[0], grid.rows[1] + 1):
        kinds = [terrain.get(grid.name(Hex(column, row))) for column in columns]
        lines.append(f"{row:{width}}" + "".join(f"  {letter[kind] if kind else '.'}" for kind in kinds))
    return "\n".join(lines) + "\n"


def _write_rivers(draft: Draft, writer: _Writer) -> Iterator[str]:
    for laid in (*draft.rivers.values(), *draft.lakes.values()):
        for word, walk in laid.stretches:
            in_water = {side for side in walk if draft.water.get(hexside(side.left, side.right)) == word}
            for part in runs(walk, in_water.__contains__):
                yield writer.along(laid.river.name.partition(" (")[0], word, part, laid.river.known)
    shore_words = [(side, draft.water[side]) for side in sorted(draft.land.shore_sides)]
    for word in (draft.settings.words.lake, draft.settings.words.sea_side):
        sides = [side for side, lying in shore_words if lying == word]
        if sides:
            yield writer.single(sides, word, "hexside")


def _write_borders(draft: Draft, writer: _Writer) -> Iterator[str]:
    for border in draft.borders:
        yield writer.along(border.name, border.words, border.walk, border.known)
    for part in draft.ridges:
        yield writer.along("", draft.settings.words.ridge, part, "along the border")


def _write_hexes(draft: Draft, writer: _Writer) -> Iterator[str]:
    if draft.settings.words.station:
        yield writer.single(draft.stations, draft.settings.words.station, "hex")
    friendly: dict[str, list[str]] = {}
    for country, hexes in draft.edges.items():
        if country in draft.settings.friendly:
            friendly.setdefault(draft.settings.friendly[country], []).extend(hexes)
    for words, hexes in sorted(friendly.items()):
        yield writer.single(sorted(hexes), words, "hex")
    corners: set[str] = set()
    for edge, words in draft.settings.margins.items():
        outermost = draft.land.mesh.outermost(edge)
        yield writer.single(sorted(outermost - corners), words, "hex")
        if writer.is_single_choice(words):
            corners |= outermost
    if draft.settings.words.exit and draft.exits:
        yield writer.single(sorted(draft.exits), draft.settings.words.exit, "hex")
    for words, coast in draft.coasts.items():
        yield writer.single(sorted(coast), words, "hex")
    stated: dict[str, list[str]] = {}
    for hex, town in draft.places:
        if town.words:
            stated.setdefault(town.words, []).append(hex)
    for words, hexes in sorted(stated.items()):
        yield writer.single(sorted(hexes), words, "hex")
    if draft.settings.words.named:
        yield from (writer.name(hex, draft.settings.words.named, draft.names[town.name]) for hex, town in draft.places)
    for words, sides in draft.settings.crossings.items():
        yield writer.single(sides, words, "hexside")


def _write_start(draft: Draft, writer: _Writer) -> Iterator[str]:
    rails = {hex for stretch in draft.railways for hex in stretch.hexes}
    for country, start in draft.settings.start.items():
        home = sorted(hex for hex, countries in draft.countries.items() if country in countries)
        basis = Basis(Source.DRAWN, "at the start of the war", since=start.since)
        for words, hexes in ((start.hexes, home), (start.rails, [hex for hex in home if hex in rails])):
            if words and hexes:
                yield writer.single(hexes, words, "hex", basis)


def _write_labels(draft: Draft) -> Iterator[str]:
    for name, kind, hexes in draft.labels:
        yield write_label(MapLabel(name=name, kind=kind, hexes=tuple(hexes), basis=_DRAWN, where=_NOWHERE), _DRAWN)


def _write_places(draft: Draft) -> str:
    languages = sorted({language for _, town in draft.places for language in town.names})
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    head = ["hex", "name", "class", "fortress", "terminus"]
    rows.writerow([*head, *(f"name-{language}" for language in languages), "source", "rule"])
    for hex, town in draft.places:
        names = [town.names.get(language, "") for language in languages]
        flags = ["yes" if mark else "" for mark in (town.has_fortress, hex in draft.termini)]
        source = ["rulebook" if town.rule else "drawn", town.rule]
        rows.writerow([hex, draft.names[town.name], town.size, *flags, *names, *source])
    return text.getvalue()


def _write_lakes(draft: Draft) -> str:
    mesh = draft.land.mesh
    rows = []
    for name, shore in draft.lake_shapes:
        middle = sum(x for x, _ in shore) / len(shore), sum(y for _, y in shore) / len(shore)
        hex = min(mesh.hexes, key=lambda hex: (dist(mesh.centre(hex), middle), hex))
        x0, y0 = mesh.centre(hex)
        rows.append([name, hex, "; ".join(f"{x - x0:.2f} {y - y0:.2f}" for x, y in shore)])
    if not rows:
        return ""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["name", "hex", "outline"], *sorted(rows)])
    return text.getvalue()
