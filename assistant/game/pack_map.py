"""The map in a pack: what its owner knows of hexes and hexsides, kept as entries of the `.lines` files of a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from ..state.state import FactKey
from ..state.tracks import Fact, Source, Track, Value
from ..util.errors import InputError, Where, located, stop
from .boards import Basis, Board
from .boards.board import Layers
from .boards.lines import LinesReader, lines_of, write_facts
from .games import Game

MAP, BOARDS = "map.lines", "boards"
PRINTED_MAP = "map"
"""What the printed map is called where a board is named."""
PRINTED = Basis(Source.PRINTED)


def map_file(folder: Path, board: str) -> Path:
    """The file of a pack that is about a board; "" is the printed map."""
    return folder / BOARDS / f"{board}.lines" if board else folder / MAP


def map_files(game: Game, folder: Path) -> list[tuple[str, Path]]:
    """The files about the map that a pack has, each with its board."""
    files = [(board, map_file(folder, board)) for board in ("", *game.board_names)]
    return [(board, file) for board, file in files if file.exists()]


def read_map(game: Game, board: Board, text: str, file: str) -> dict[FactKey, Fact]:
    """What the text of a file of a pack says of a board. Raises InputError with file, line and column."""
    layers = Layers(game.tracks)

    def state(track: str, subject: str, value: Value, basis: Basis, where: Where) -> None:
        with located(where):
            check_printed(game.tracks[track])
        layers.put(track, subject, value, basis.source, where)

    LinesReader(board, game.tracks, PRINTED, state).read(text, file, stop)
    return dict(layers.facts())


def check_printed(track: Track) -> None:
    """Raise InputError for a track that is not printed in hexes or on hexsides of the map."""
    if track.printed != "map" or track.on not in ("hex", "hexside"):
        raise InputError(
            f"no map prints this: {track.title}", hint="state it in the position; only what is printed is kept"
        )


def map_fact(game: Game, board: Board, where: str, track: str, text: str) -> tuple[FactKey, Fact]:
    """A fact of the map as the owner states it. Raises InputError for a wrong place or value, and for what contradicts
    the rulebook.
    """
    declared = game.track(track)
    key = map_place(game, board, where, track)
    fact = Fact(declared.parse(text), Source.PRINTED)
    check_rulebook(game, board.name, key, fact)
    return key, fact


def map_place(game: Game, board: Board, where: str, track: str) -> FactKey:
    """A hex or hexside as the board writes it, with a track that the map prints there. Raises InputError for a wrong place."""
    declared = game.track(track)
    check_printed(declared)
    if (declared.on == "hexside") != ("|" in where):
        raise InputError(f"{where} is not a {declared.on}", hint=f"{declared.title} is a fact about a {declared.on}")
    return track, board.hexside(where) if declared.on == "hexside" else board.place(where.strip())


def check_rulebook(game: Game, board: str, key: FactKey, fact: Fact) -> None:
    """Raise InputError if a fact of the printed map, or of one board, contradicts what the rulebook says of it."""
    declared = game.track(key[0])
    for _, known in drafts(game, key, board):
        if known and known.source is Source.RULEBOOK and known.value != fact.value:
            raise contradiction(f"{declared.title} of {key[1]}: {declared.write(fact.value)}", declared, known)


def contradiction(what: str, track: Track, known: Fact) -> InputError:
    """The fault of a value that is not what the rulebook says."""
    hint = f"the rulebook requires: {track.write(known.value)}"
    return InputError(f"{what} contradicts the rulebook", hint=hint)


def with_facts(game: Game, board: Board, text: str, facts: Mapping[FactKey, Value], file: str) -> str:
    """The text of a file with facts added; an entry that the program wrote about one of them, on a line of its own, goes.

    Raises InputError if another entry of the file says otherwise.
    """
    kept: list[str] = []
    goes_on = False  # whether a line that follows continues the entry
    for line in reversed(lines_of(text.rstrip("\r\n")) if text else ()):
        if goes_on or _single(game, board, line) not in facts:
            kept.append(line)
        if line.strip() and not line.lstrip().startswith("#"):
            goes_on = line[:1].isspace()
    kept.reverse()
    for (track, subject), value in facts.items():
        kept.append(write_facts([subject], {track: value}, game.tracks, PRINTED, PRINTED))
    new = "\n".join(kept) + "\n"
    facts_read = read_map(game, board, new, file)
    for key, value in facts.items():
        if facts_read[key].value != value:
            said = game.tracks[key[0]].write(facts_read[key].value)
            hint = f"it gives {key[1]} {said}: change it there"
            raise InputError(f"another entry contradicts this for {key[1]}", where=Where(file), hint=hint)
    return new


def without_fact(game: Game, board: Board, text: str, key: FactKey, file: str) -> str:
    """The text of a file without a fact that stands in an entry of its own. Raises InputError if another entry states it."""
    left = "".join(f"{line}\n" for line in lines_of(text.rstrip("\r\n")) if _single(game, board, line) != key)
    if key in read_map(game, board, left, file):
        hint = "the entry says more than this: change it there"
        raise InputError(f"{key[0]} of {key[1]} is not in an entry of its own", where=Where(file), hint=hint)
    return left


def _single(game: Game, board: Board, line: str) -> FactKey | None:
    """What a line is about that the program wrote; None for any other line."""
    keys: list[FactKey] = []
    if line[:1].strip() and "#" not in line and "[" not in line and ":" not in line and "," not in line:
        reader = LinesReader(board, game.tracks, PRINTED, lambda track, subject, *_: keys.append((track, subject)))
        reader.read(line, "", lambda fault: None)
    return keys[0] if len(keys) == 1 else None


def drafts(game: Game, key: FactKey, board: str = "") -> Iterator[tuple[str, Fact | None]]:
    """What the boards of a game that have a hex or a hexside, or one of them, say of it, each with its name."""
    for name in [board] if board else game.board_names:
        drawn = game.board(name)
        if (board or game.has_printed_numbers(drawn)) and drawn.has(key[1]):
            yield name, drawn.fact(*key)
