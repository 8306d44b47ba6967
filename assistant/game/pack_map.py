"""The map in a pack: what its owner knows of hexes and hexsides, kept as entries of the `.lines` files of a board."""

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
"""What the printed map is called where a board is named."""
PRINTED = Basis(Source.PRINTED)


def map_file(folder: Path, board: str) -> Path:
    """Return the file of a pack that is about a board; "" is the printed map."""
    return folder / BOARDS / f"{board}.lines" if board else folder / MAP


def map_files(game: Game, folder: Path) -> list[tuple[str, Path]]:
    """Return the files about the map that a pack has, each with its board."""
    files = [(board, map_file(folder, board)) for board in ("", *game.board_names)]
    return [(board, file) for board, file in files if file.exists()]


def read_map(game: Game, board: Board, text: str, file: str) -> dict[FactKey, Fact]:
    """Return what the text of a file of a pack says of a board. Raises InputError with file, line and column."""
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
            f"no map prints this: {track.title}", hint="state it in the position; a pack has only what is printed"
        )


def read_map_fact(game: Game, board: Board, where: str, track: str, text: str) -> tuple[FactKey, Fact]:
    """Return a fact of the map as the owner states it. Raises InputError for a wrong place or value, and for what
    contradicts the rulebook.
    """
    declared = game.track(track)
    key = find_map_place(game, board, where, track)
    fact = Fact(declared.parse(text), Source.PRINTED)
    check_rulebook(game, board.name, key, fact)
    return key, fact


def find_map_place(game: Game, board: Board, where: str, track: str) -> FactKey:
    """Return a hex or hexside as the board writes it, with a track that the map prints there. Raises InputError for a
    wrong place.
    """
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
            raise word_contradiction(f"{declared.title} of {key[1]}: {declared.write(fact.value)}", declared, known)


def word_contradiction(what: str, track: Track, known: Fact) -> InputError:
    """Return the fault of a value that is not what the rulebook says."""
    hint = f"the rulebook requires: {track.write(known.value)}"
    return InputError(f"{what} contradicts the rulebook", hint=hint)


def with_facts(game: Game, board: Board, text: str, facts: Mapping[FactKey, Value], file: str) -> str:
    """Return the text of a file with facts added, each in an entry of its own; an entry that the program wrote about
    one of them goes.

    Raises InputError if another entry of the file says otherwise.
    """
    own, painted = _split_without(game, board, text, facts)
    lines = [
        write_facts([subject], {track: value}, game.tracks, PRINTED, PRINTED)
        for (track, subject), value in facts.items()
    ]
    new = _join_lines(game, [*own, *lines], painted)
    _check_states(game, board, new, facts, file)
    return new


def with_painted(game: Game, board: Board, text: str, changes: Mapping[FactKey, Value | None], file: str) -> str:
    """Return the text of a file after strokes of a brush: facts added, None for one that goes. What is painted stands
    together at its end, hexes and hexsides with the same facts in one entry, so that a whole map has room there.

    Raises InputError if another entry of the file says otherwise.
    """
    own, painted = _split_without(game, board, text, changes)
    painted |= {key: value for key, value in changes.items() if value is not None}
    new = _join_lines(game, own, painted)
    _check_states(game, board, new, changes, file)
    return new


def without_fact(game: Game, board: Board, text: str, key: FactKey, file: str) -> str:
    """Return the text of a file without a fact that stands in an entry of its own, or is painted. Raises InputError if
    another entry states it.
    """
    left = _join_lines(game, *_split_without(game, board, text, (key,)))
    if key in read_map(game, board, left, file):
        hint = "the entry says more than this: change it there"
        raise InputError(f"{key[0]} of {key[1]} shares its entry with others", where=Where(file), hint=hint)
    return left


def _check_states(game: Game, board: Board, text: str, changes: Mapping[FactKey, Value | None], file: str) -> None:
    """Raise InputError if the text of a file says otherwise than it was made to. changes: None for a fact that is gone."""
    facts = read_map(game, board, text, file)
    for key, value in changes.items():
        stated = facts[key].value if key in facts else None
        if stated != value:
            words = "nothing" if stated is None else game.tracks[key[0]].write(stated)
            hint = f"it gives {key[1]} {words}: change it there"
            raise InputError(f"another entry contradicts this for {key[1]}", where=Where(file), hint=hint)


# --- the lines of a file ----------------------------------------------------------------------------------------------

_PAINTED = "# Painted on the table page. Every stroke rewrites what follows: put your own entries above."
_MOST_SUBJECTS = 80
"""How many hexes or hexsides stand in an entry of what is painted: its words are not said again for each, and an editor
finds its way.
"""


def _split_without(
    game: Game, board: Board, text: str, keys: Collection[FactKey]
) -> tuple[list[str], dict[FactKey, Value]]:
    """Return the lines of a file that its owner wrote, or the program for him, and what is painted: both without facts
    that stand in entries of their own.
    """
    lines = editor_lines(text.rstrip("\r\n")) if text else []
    at = lines.index(_PAINTED) if _PAINTED in lines else len(lines)
    reader = _LineReader(game, board)
    own = lines[:at]
    painted = dict[FactKey, Value]()
    for entry in _split_entries(lines[at + 1 :]):
        facts = reader.read(" ".join(entry))
        if facts is None:
            own += entry  # its owner has put it there
        else:
            painted |= facts
    kept = list[str]()
    for line, goes_on in _mark_continued(own):
        if goes_on or not any(key in keys for key in reader.read(line, alone=True) or ()):
            kept.append(line)
    return kept, {key: value for key, value in painted.items() if key not in keys}


def _split_entries(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines of each entry; an empty line is one by itself."""
    entry: list[str] = []
    for line in lines:
        if entry and not line[:1].isspace():
            yield entry
            entry = []
        entry.append(line)
    if entry:
        yield entry


def _mark_continued(lines: Sequence[str]) -> list[tuple[str, bool]]:
    """Return lines, each with whether the next one that says something continues it."""
    found: list[tuple[str, bool]] = []
    goes_on = False
    for line in reversed(lines):
        found.append((line, goes_on))
        if line.strip() and not line.lstrip().startswith("#"):
            goes_on = line[:1].isspace()
    return found[::-1]


class _LineReader:
    """Reads entries, each on a line."""

    def __init__(self, game: Game, board: Board) -> None:
        self._facts: dict[FactKey, Value] = {}
        self._reader = LinesReader(board, game.tracks, PRINTED, self._state_fact)

    def _state_fact(self, track: str, subject: str, value: Value, *_: object) -> None:
        self._facts[track, subject] = value

    def read(self, line: str, *, alone: bool = False) -> dict[FactKey, Value] | None:
        """Return the facts of an entry that the program wrote, on one line; None for any other. alone: of one about a
        single fact.
        """
        self._facts = {}
        signs = "#[:," if alone else "#[:"
        if line[:1].strip() and not any(sign in line for sign in signs):
            self._reader.read(line, "", lambda fault: None)
        return self._facts if (len(self._facts) == 1 if alone else self._facts) else None


def _join_lines(game: Game, own: Sequence[str], painted: Mapping[FactKey, Value]) -> str:
    """Return the text of a file: the lines of its owner, and what is painted below them."""
    lines = [*own]
    if painted:
        lines += [_PAINTED, *_write_painted(game, painted)]
    return "".join(f"{line}\n" for line in lines)


def _write_painted(game: Game, painted: Mapping[FactKey, Value]) -> Iterator[str]:
    """Yield what is painted: hexes, or hexsides, with the same facts in one entry."""
    of_subjects: dict[str, dict[str, Value]] = {}
    for (track, subject), value in sorted(painted.items(), key=lambda fact: (fact[0][1], fact[0][0])):
        of_subjects.setdefault(subject, {})[track] = value
    alike: dict[tuple[bool, tuple[tuple[str, Value], ...]], list[str]] = {}
    for subject, facts in of_subjects.items():
        alike.setdefault(("|" in subject, tuple(facts.items())), []).append(subject)
    for (_, facts_alike), subjects in sorted(alike.items(), key=lambda group: (group[0][0], group[1][0])):
        for at in range(0, len(subjects), _MOST_SUBJECTS):
            yield write_facts(subjects[at : at + _MOST_SUBJECTS], dict(facts_alike), game.tracks, PRINTED, PRINTED)


def drafts(game: Game, key: FactKey, board: str = "") -> Iterator[tuple[str, Fact | None]]:
    """Yield what the boards of a game that have a hex or a hexside, or one of them, say of it, each with its name."""
    names = [board] if board else game.board_names
    for name in names:
        drawn = game.board(name)
        if (board or game.has_printed_numbers(drawn)) and drawn.has(key[1]):
            yield name, drawn.fact(*key)
