"""The map in a pack: the owner's facts of hexes and hexsides, kept as entries of `.lines` files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from ..state.state import FactKey
from ..state.tracks import Fact, Source, Track, Value
from ..util.errors import InputError, Where, located, stop
from .boards import Basis, Board
from .boards.board import Layers
from .boards.lines import LinesReader, editor_lines, write_facts
from .games import Game

MAP = "map.lines"
BOARDS = "boards"
PRINTED_MAP = "map"
"""The name of the printed map in place of a board's name."""
PRINTED_BASIS = Basis(Source.PRINTED)
"""The source of all facts in a pack."""


def map_file(folder: Path, board: str) -> Path:
    """Return the file of a pack for a board, "" being the printed map."""
    return folder / BOARDS / f"{board}.lines" if board else folder / MAP


def map_files(game: Game, folder: Path) -> list[tuple[str, Path]]:
    """Return the existing map files of a pack, each with its board."""
    files = [(board, map_file(folder, board)) for board in ("", *game.board_names)]
    return [(board, file) for board, file in files if file.exists()]


def read_map(game: Game, board: Board, text: str, file: str) -> dict[FactKey, Fact]:
    """Return the facts of a board in the text of a map file. Raises InputError with file, line and column."""
    layers = Layers(game.tracks)

    def state(track: str, subject: str, value: Value, basis: Basis, where: Where) -> None:
        with located(where):
            check_printed(game.tracks[track])
        layers.put(track, subject, value, basis.source, where)

    LinesReader(board, game.tracks, PRINTED_BASIS, state).read(text, file, stop)
    return dict(layers.facts())


def check_printed(track: Track) -> None:
    """Raise InputError unless a track is printed in hexes or on hexsides of the map."""
    if track.printed != "map" or track.on not in ("hex", "hexside"):
        raise InputError(
            f"no map prints this: {track.title}", hint="state it in the position; a pack has only what is printed"
        )


def read_map_fact(game: Game, board: Board, where: str, track: str, text: str) -> tuple[FactKey, Fact]:
    """Return a fact of the map as the owner states it.

    Raises InputError if the place or value is wrong, or if the fact contradicts the rulebook.
    """
    declared = game.track(track)
    key = find_map_place(game, board, where, track)
    fact = Fact(declared.parse(text), Source.PRINTED)
    check_rulebook(game, board.name, key, fact)
    return key, fact


def find_map_place(game: Game, board: Board, where: str, track: str) -> FactKey:
    """Return the key of a fact printed on the map: the track, and the place in the board's spelling.

    Raises InputError if no map prints the track, or if the place is wrong.
    """
    declared = game.track(track)
    check_printed(declared)
    if (declared.on == "hexside") != ("|" in where):
        raise InputError(f"{where} is not a {declared.on}", hint=f"{declared.title} is a fact about a {declared.on}")
    return track, board.hexside(where) if declared.on == "hexside" else board.place(where.strip())


def check_rulebook(game: Game, board: str, key: FactKey, fact: Fact) -> None:
    """Raise InputError if a fact of a board contradicts the rulebook.

    `board`: the name of the board, or "" for the printed map and all boards with its numbers.
    """
    declared = game.track(key[0])
    for _, known in drafts(game, key, board):
        if known and known.source is Source.RULEBOOK and known.value != fact.value:
            raise word_contradiction(f"{declared.title} of {key[1]}: {declared.write(fact.value)}", declared, known)


def word_contradiction(what: str, track: Track, known: Fact) -> InputError:
    """Return the fault of a value that contradicts the rulebook."""
    hint = f"the rulebook requires: {track.write(known.value)}"
    return InputError(f"{what} contradicts the rulebook", hint=hint)


def with_facts(game: Game, board: Board, text: str, facts: Mapping[FactKey, Value], file: str) -> str:
    """Return the text of a map file with facts added, each as an entry of its own.

    Entries that the program wrote about the same facts are removed.

    Raises InputError if another entry states otherwise.
    """
    own_lines, painted = _split_without(game, board, text, facts)
    lines = [
        write_facts([subject], {track: value}, game.tracks, PRINTED_BASIS, PRINTED_BASIS)
        for (track, subject), value in facts.items()
    ]
    new = _join_lines(game, [*own_lines, *lines], painted)
    _check_states(game, board, new, facts, file)
    return new


def with_painted(game: Game, board: Board, text: str, changes: Mapping[FactKey, Value | None], file: str) -> str:
    """Return the text of a map file after its owner has painted facts.

    Painted facts are at its end. Places with the same facts share an entry, so that a whole map fits.

    `changes`: values by fact, or None if a fact is removed.

    Raises InputError if another entry states otherwise.
    """
    own_lines, painted = _split_without(game, board, text, changes)
    painted |= {key: value for key, value in changes.items() if value is not None}
    new = _join_lines(game, own_lines, painted)
    _check_states(game, board, new, changes, file)
    return new


def without_fact(game: Game, board: Board, text: str, key: FactKey, file: str) -> str:
    """Return the text of a map file without a fact that has its own entry or was painted.

    Raises InputError if another entry states the fact.
    """
    remaining = _join_lines(game, *_split_without(game, board, text, (key,)))
    if key in read_map(game, board, remaining, file):
        hint = "the entry says more than this: change it there"
        raise InputError(f"{key[0]} of {key[1]} shares its entry with others", where=Where(file), hint=hint)
    return remaining


def _check_states(game: Game, board: Board, text: str, changes: Mapping[FactKey, Value | None], file: str) -> None:
    facts = read_map(game, board, text, file)
    for key, value in changes.items():
        stated = facts[key].value if key in facts else None
        if stated != value:
            words = "nothing" if stated is None else game.tracks[key[0]].write(stated)
            hint = f"it gives {key[1]} {words}: change it there"
            raise InputError(f"another entry contradicts this for {key[1]}", where=Where(file), hint=hint)


# --- the lines of a file ----------------------------------------------------------------------------------------------

_PAINTED = "# Painted on the table page. Every stroke rewrites what follows: put your own entries above."
_MAX_SUBJECTS_PER_ENTRY = 80
"""The maximum number of hexes or hexsides in a painted entry: compact, but still readable in an editor."""


def _split_without(
    game: Game, board: Board, text: str, keys: Collection[FactKey]
) -> tuple[list[str], dict[FactKey, Value]]:
    """Return the lines above the painted part of a file, and the painted facts, both without some facts.

    A fact that shares its line with others stays.
    """
    lines = editor_lines(text.rstrip("\r\n")) if text else []
    painted_from = lines.index(_PAINTED) if _PAINTED in lines else len(lines)
    reader = _LineReader(game, board)
    own_lines = lines[:painted_from]
    painted = dict[FactKey, Value]()
    for entry in _split_entries(lines[painted_from + 1 :]):
        facts = reader.read(" ".join(entry))
        if facts is None:
            own_lines += entry  # typed by the owner below the painted part
        else:
            painted |= facts
    kept_lines = list[str]()
    for line, is_continued in _mark_continued(own_lines):
        if is_continued or not any(key in keys for key in reader.read(line, single=True) or ()):
            kept_lines.append(line)
    return kept_lines, {key: value for key, value in painted.items() if key not in keys}


def _split_entries(lines: Sequence[str]) -> Iterator[list[str]]:
    entry: list[str] = []
    for line in lines:
        if entry and not line[:1].isspace():
            yield entry
            entry = []
        entry.append(line)
    if entry:
        yield entry


def _mark_continued(lines: Sequence[str]) -> list[tuple[str, bool]]:
    marked: list[tuple[str, bool]] = []
    is_continued = False
    for line in reversed(lines):
        marked.append((line, is_continued))
        if line.strip() and not line.lstrip().startswith("#"):
            is_continued = line[:1].isspace()
    return marked[::-1]


class _LineReader:
    def __init__(self, game: Game, board: Board) -> None:
        self._facts: dict[FactKey, Value] = {}
        self._reader = LinesReader(board, game.tracks, PRINTED_BASIS, self._state_fact)

    def _state_fact(self, track: str, subject: str, value: Value, *_: object) -> None:
        self._facts[track, subject] = value

    def read(self, line: str, *, single: bool = False) -> dict[FactKey, Value] | None:
        """Return the facts of an entry that the program wrote on one line, or None for any other line.

        `single`: whether the entry must state a single fact.
        """
        self._facts = {}
        signs = "#[:," if single else "#[:"
        if line[:1].strip() and not any(sign in line for sign in signs):
            self._reader.read(line, "", lambda fault: None)
        return self._facts if (len(self._facts) == 1 if single else self._facts) else None


def _join_lines(game: Game, own: Sequence[str], painted: Mapping[FactKey, Value]) -> str:
    lines = [*own]
    if painted:
        lines += [_PAINTED, *_write_painted(game, painted)]
    return "".join(f"{line}\n" for line in lines)


def _write_painted(game: Game, painted: Mapping[FactKey, Value]) -> Iterator[str]:
    facts_by_subject: dict[str, dict[str, Value]] = {}
    for (track, subject), value in sorted(painted.items(), key=lambda fact: (fact[0][1], fact[0][0])):
        facts_by_subject.setdefault(subject, {})[track] = value
    groups: dict[tuple[bool, tuple[tuple[str, Value], ...]], list[str]] = {}
    for subject, facts in facts_by_subject.items():
        groups.setdefault(("|" in subject, tuple(facts.items())), []).append(subject)
    for (_, shared_facts), subjects in sorted(groups.items(), key=lambda group: (group[0][0], group[1][0])):
        for start in range(0, len(subjects), _MAX_SUBJECTS_PER_ENTRY):
            yield write_facts(
                subjects[start : start + _MAX_SUBJECTS_PER_ENTRY],
                dict(shared_facts),
                game.tracks,
                PRINTED_BASIS,
                PRINTED_BASIS,
            )


def drafts(game: Game, key: FactKey, board: str = "") -> Iterator[tuple[str, Fact | None]]:
    """Yield each board that has a place, with its fact about the place or None.

    `board`: the only board to look at, or "" for all with the numbers of the printed map.
    """
    names = [board] if board else game.board_names
    for name in names:
        drawn = game.board(name)
        if (board or game.has_printed_numbers(drawn)) and drawn.has(key[1]):
            yield name, drawn.fact(*key)
