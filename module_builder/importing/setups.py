"""The set-ups of a module as positions of the imported game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple

from assistant.formats.positions import Position
from assistant.formats.vassal.adoption.places import ModulePlaces
from assistant.formats.vassal.grids import LaidBoards, Pixel
from assistant.formats.vassal.legends import ASIDE_PROPERTY, PRIVATE, pieces_in_order
from assistant.formats.vassal.maps import MapWindow
from assistant.formats.vassal.modules import Module, set_up_game
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import Save, read_save
from assistant.formats.vassal.traits import Trait
from assistant.game.games import Game
from assistant.game.states import Stated, build_state
from assistant.state.state import FactKey, Unit
from assistant.state.tracks import Fact, Track, Value
from assistant.util.errors import InputError
from assistant.util.notes import note

from .controls import read_turn
from .findings import Findings
from .kinds import PieceKind, Pieces, UsedKinds
from .maps import ImportedBoard, JoinedBoards, join_boards, single_board
from .names import clean_text
from .pieces import OFF, number_layers
from .source import Source

States = Mapping[tuple[str, int], str]
"""The words of a piece's layers."""


class PlacedPiece(NamedTuple):
    """A piece of a set-up."""

    kind: PieceKind
    number: int
    """Number among the counters of its kind, from 0."""
    hex: str
    """The number of its hex, or "" if it is in a box."""
    printed: str
    """The place's name in the module."""
    map: str
    at: Pixel
    states: States
    columns: Mapping[str, str] = {}
    """Printed values that differ from the palettes."""
    texts: Mapping[str, str] = {}
    """Texts written by players."""


class ImportedSetUp(NamedTuple):
    """A set-up."""

    title: str
    boards: Annotated[Mapping[str, LaidBoards], note("the boards by map, as in a save")]
    pieces: list[PlacedPiece]
    """The pieces, those of one place from the top down."""
    turn: int | None
    """The number on the turn tracker, or None."""


class KeptSave(NamedTuple):
    """The parts of a starting game that the import uses, a small part of its file."""

    title: str
    boards: Annotated[Mapping[str, LaidBoards], note("the boards by map, as in a save")]
    pieces: Annotated[list[Piece], note("the pieces, those of one place from the top down")]
    decks: Annotated[Mapping[str, tuple[str, ...]], note("the names of the cards in each deck, by its name and map")]
    noted: Annotated[bool, note("whether it has notes")]
    turn: Annotated[int | None, note("the number on the turn tracker, None if it has none")]


def read_saves(source: Source, findings: Findings) -> list[KeptSave]:
    """Return the predefined set-ups of a module, or else the set-up in its own file.

    Raises InputError if a file cannot be read.
    """
    found, traits = list[KeptSave](), dict[tuple[Trait, ...], tuple[Trait, ...]]()
    for title, file in source.module.setups:
        try:
            data = source.file(file)
            if data is None:
                raise InputError(f"the file {file} is missing")
            save = read_save(data)
            found.append(_keep_save(clean_text(title) or "Set-up", save, read_turn(source, save), traits))
        except InputError as error:
            findings.left_out(f"a set-up that cannot be read: {error.what}", title)
    if not found and source.module.starts:
        try:
            save = set_up_game(source.module)
            found.append(_keep_save("At start", save, read_turn(source, save), traits))
        except InputError as error:
            findings.left_out(f"what lies on the map at the start: {error.what}")
    return found


def _keep_save(
    title: str, save: Save, turn: int | None, traits: dict[tuple[Trait, ...], tuple[Trait, ...]]
) -> KeptSave:
    """Return the parts of a game that an import needs.

    `turn`: the number of its turn in the game.
    `traits`: the traits of all games so far, each stored once.
    """
    cards = {id for stack in save.stacks.values() if stack.deck for id in stack.pieces if id in save.pieces}
    lying = (piece for piece in _list_from_top(save) if piece.id not in cards)
    pieces = [piece._replace(traits=traits.setdefault(piece.traits, piece.traits)) for piece in lying]
    noted = bool(save.notes.strip() or save.public_notes.strip())
    decks = {
        f"{clean_text(stack.name) or 'a deck'} on {clean_text(stack.map) or 'no map'}": tuple(
            clean_text(save.pieces[id].name) for id in stack.pieces if id in cards
        )
        for stack in save.stacks.values()
        if stack.deck
    }
    return KeptSave(title, save.boards, pieces, decks, noted, turn)


def _is_aside(module: Module, window: MapWindow) -> bool:
    """Return whether pieces in a window are out of play: it is a player's own, or the module says so."""
    return bool(window.sides) or any(f"{kind} {window.name}" in module.properties for kind in (ASIDE_PROPERTY, PRIVATE))


def choose_boards(module: Module, saves: list[KeptSave]) -> list[tuple[str, JoinedBoards]]:
    """Return the boards in use, each with its map. Without set-ups it is the first board of each map.

    Adjacent boards of a map are joined, the largest group first.
    """
    laid: dict[str, dict[LaidBoards, None]] = defaultdict(dict)
    for save in saves:
        for name, boards in save.boards.items():
            laid[name] |= {boards: None} if boards else {}
    chosen = list[tuple[str, JoinedBoards]]()
    for name, window in module.maps.items():
        if _is_aside(module, window) or not window.boards:
            continue
        layouts = sorted(laid.get(name, {}), key=len, reverse=True) or [((next(iter(window.boards)), 0, 0),)]
        taken = set[str]()
        for layout in layouts:
            joined = join_boards(window, layout)
            if joined is not None and taken.isdisjoint(joined.images):
                chosen.append((name, joined))
                taken.update(joined.images)
            for board in (board.removesuffix("/rev") for board, _, _ in layout):
                if board in window.boards and board not in taken:
                    chosen.append((name, single_board(window.boards[board])))
                    taken.add(board)
    return chosen


class SetUps:
    """A reader of set-ups. `boards`: the imported boards by map and name."""

    def __init__(
        self, source: Source, boards: Mapping[tuple[str, str], ImportedBoard], pieces: Pieces, findings: Findings
    ) -> None:
        self._source, self._boards, self._pieces, self._findings = source, boards, pieces, findings

    def read(self, save: KeptSave) -> ImportedSetUp:
        """Return the pieces of a game with their places."""
        pieces_in_play = list[tuple[Piece, tuple[str, str]]]()
        places: dict[tuple[str, Pixel], tuple[str, str] | None] = {}
        for deck, cards in save.decks.items():
            if cards:
                self._findings.left_out("cards in decks, which no set-up here has in play", _list_cards(deck, cards))
        for piece in save.pieces:
            spot = piece.map, piece.at
            if spot not in places:
                places[spot] = self._find_place(save, piece)
            if (place := places[spot]) is not None:
                pieces_in_play.append((piece, place))
            elif piece.map:
                what = "pieces of set-ups in windows or off boards that are not imported"
                self._findings.left_out(what, f"{piece.map}: {clean_text(piece.name)}".rstrip(": "))
        counters = self._number_pieces(save.pieces, {piece.id for piece, _ in pieces_in_play})
        placed = [self._place_piece(piece, *place, *counters[piece.id]) for piece, place in pieces_in_play]
        if save.noted:
            self._findings.left_out("notes of a set-up", save.title)
        return ImportedSetUp(save.title, save.boards, placed, save.turn)

    def _number_pieces(self, pieces: Iterable[Piece], lying: Collection[str]) -> dict[str, tuple[PieceKind, int]]:
        """Return the kind of each piece and its number among the counters of that kind, by id.

        Pieces out of play are numbered too, because saves of the module are read so.

        `lying`: ids of the pieces in play; only these may add a new kind.
        """
        used, placed = UsedKinds(), dict[str, tuple[PieceKind, int]]()
        for piece in pieces_in_order(pieces):
            find = self._pieces.kind_of if piece.id in lying else self._pieces.find_kind
            if (kind := find(piece, used)) is not None:
                placed[piece.id] = kind, used[kind]
                used.add(kind)
        return placed

    def _place_piece(self, piece: Piece, hex: str, printed: str, kind: PieceKind, number: int) -> PlacedPiece:
        present = self._pieces.read(piece)
        states = {key: layer.absent for key, layer in number_layers(present.layers)}
        palette_values = {**kind.piece.columns, **present.texts}
        columns = {name: value for name, value in present.columns.items() if palette_values.get(name, "") != value}
        return PlacedPiece(kind, number, hex, printed, piece.map, piece.at, states, columns, present.texts)

    def _find_place(self, save: KeptSave, piece: Piece) -> tuple[str, str] | None:
        """Return the hex of a piece, or "" in a box, and the place's name in the module; None off the imported boards."""
        window = self._source.module.maps.get(piece.map)
        if window is None:
            return None
        for board in window.placed(save.boards.get(piece.map, ())):
            if board.holds(piece.at) and (taken := self._boards.get((piece.map, board.name))):
                lying = next(other for other in taken.boards if other.name == board.name)
                return taken.find_hex(lying.on_map(board.own(piece.at))), board.locate(piece.at)
        return None


def _list_cards(deck: str, cards: Iterable[str]) -> str:
    counted = Counter(sorted(cards))
    return f"{deck}: {', '.join(f'{name} ({times})' if times > 1 else name for name, times in counted.items())}"


def _list_from_top(save: Save) -> Iterator[Piece]:
    """Return all pieces of a save, each stack from the top down, later stacks first."""
    stacks = reversed(tuple(save.stacks.values()))
    stacked = [id for stack in stacks for id in reversed(stack.pieces) if id in save.pieces]
    return (save.pieces[id] for id in dict.fromkeys(stacked) | dict.fromkeys(save.pieces))


def list_stacks(setups: Iterable[ImportedSetUp]) -> list[tuple[str, list[PieceKind]]]:
    """Return the units in each hex of each set-up, with the hex."""
    stacks: dict[tuple[int, str], list[PieceKind]] = defaultdict(list)
    for number, setup in enumerate(setups):
        for placed in setup.pieces:
            if placed.kind.unit and placed.hex:
                stacks[number, placed.hex].append(placed.kind)
    return [(hex, stack) for (_, hex), stack in stacks.items()]


def make_position(
    game: Game,
    setup: ImportedSetUp,
    located: ModulePlaces,
    pieces: Pieces,
    printed: Mapping[str, str],
    findings: Findings,
) -> Position:
    """Return a set-up as a position of the imported game.

    `located`: the places of the module's maps by which its saves are read.
    `printed`: the track by the name of each text on pieces.
    """
    module = game.file.module
    board = module.board if module else ""
    units, facts = list[Unit](), dict[FactKey, Fact]()
    order: Counter[str] = Counter()
    for placed in setup.pieces:
        place = located.place(placed.map, placed.at).name
        if not place:
            findings.left_out(
                "pieces in places that cannot be distinguished from others on the picture", placed.kind.name
            )
            continue
        if placed.kind.marker:
            track, value = _read_marker(placed, pieces)
            if (track.name, place) in facts:
                findings.left_out("markers that are in a place several times", f"{placed.kind.name} in {place}")
            if value:
                facts[track.name, place] = Fact(value)
            continue
        unit = game.copies(placed.kind.unit)[placed.number]
        units.append(Unit(unit, placed.kind.unit, place, order[place]))
        order[place] += 1
        texts = {printed[name]: text for name, text in placed.columns.items() if name in printed}
        printed_texts = placed.kind.piece.texts
        texts |= {
            pieces.texts[name]: text
            for name, text in placed.texts.items()
            if text and name in pieces.texts and text != printed_texts.get(name)
        }
        for name, text in texts.items():
            try:
                facts[name, unit] = Fact(game.tracks[name].parse(text))
            except InputError:
                findings.left_out("a set-up's texts that the palettes' pieces do not have", f"{unit}: {text}")
        for name, stated in _read_stated(placed, pieces, findings):
            facts[name, unit] = Fact(stated)
    turn = game.tracks.get("turn")
    if turn is not None and setup.turn is not None:
        if (turn.least or 0) <= setup.turn <= (turn.most or 0):
            facts["turn", ""] = Fact(setup.turn)
        else:
            findings.left_out("a set-up's turn that is none of the turns here", f"{setup.title}: {setup.turn}")
    return Position(game, build_state(game, Stated(board=board, units=units, facts=facts)))


def _read_stated(placed: PlacedPiece, pieces: Pieces, findings: Findings) -> Iterator[tuple[str, Value]]:
    """Yield the facts that a unit's layers state, except those printed on the counter."""
    for key, word in placed.states.items():
        name = placed.kind.tracks.get(key, "")
        if not name:
            findings.left_out("a layer's state that the palettes' piece does not have", f"{placed.kind.name}: {key[0]}")
        if name not in pieces.statuses:  # `drop_rare_statuses` has left the status out, and has reported that
            continue
        track = pieces.statuses[name].track
        if track.kind == "flag":
            layer = next(layer for number, layer in number_layers(placed.kind.piece.layers) if number == key)
            if word != layer.absent:
                yield track.name, True
        elif word in track.values:
            if word != track.absent:
                yield track.name, word
        else:
            findings.left_out("states that no piece of the palettes has", f"{placed.kind.name}: {key[0]} {word}")


def _read_marker(placed: PlacedPiece, pieces: Pieces) -> tuple[Track, Value]:
    """Return the track of a marker and the value that it states about its place, or "" if it states none."""
    track, kind = pieces.markers[placed.kind.marker]
    first = next(iter(number_layers(kind.piece.layers)), None)
    if track.kind != "choice" or first is None:
        return track, True
    value = placed.states.get(first[0], first[1].absent)
    return track, value if value in track.values and value != OFF else ""
