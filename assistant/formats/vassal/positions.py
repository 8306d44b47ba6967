"""A VASSAL save or log as a position. The builder's modules declare what their pieces mean.

Global properties of such a module name the game, its board and the grids of its maps. Each piece has a marker that names
its unit, or the track of a hex that it states. The name of a layer's level is the word that states the fact in position
notation. The public notes below the line `Field Staff` are position notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from ...game.games import Game
from ...state.hidden import INVISIBLE as INVISIBLE_TO
from ...state.hidden import MASKED, NOBODY, UNSEEN, is_limited
from ...state.sources import Fact
from ...state.state import FactKey, GameState, Unit, Unread
from ...state.tracks import Subject, Track
from ...state.words import Vocabulary, Word
from ...util.errors import InputError, Where, plain
from ...util.limits import Limit
from ..notation import read_remarks
from ..positions import Cut, Position
from .declared import ASIDE, BOARD, GAME, MODULE, PRIVATE, arrivals, windows
from .grids import Drawn, Hexes, Pixel
from .logs import replayed
from .pieces import Piece, unknown_kinds
from .saves import Save, private, read_save
from .sequence import remembered
from .traits import INVISIBLE, MASK, Trait, level, read_label, read_layer
from .turns import STEPS, read_steps, shown

UNIT, MARKER = "unit", "marker"
"""The markers of a piece that name its type in the roster, or the track of hexes that it states."""
HEADING = "Field Staff"
"""The line of the public notes above the position notation."""
_COVERS = {MASK: MASKED, INVISIBLE: INVISIBLE_TO}
"""The traits that hide a piece, and their tracks."""
#: How many different commands, and kinds of traits, that are not understood are named.
_MOST_LISTED = 1000
#: How far, in pixels each way, a piece may lie off the centre of its hex without a caution.
_OFF = 3


class UnknownModule(InputError):
    """A save of a module that nobody has adopted: its pieces can be listed, but mean nothing to a game."""


def tracker(game: Game) -> Track | None:
    """The track that the module's turn tracker shows: the first number among those of the game itself."""
    return next((track for track in game_tracks(game) if track.kind == "integer"), None)


def game_tracks(game: Game) -> list[Track]:
    """The tracks of the game itself that a module shows, on its turn tracker or by buttons."""
    return [track for track in game.tracks.values() if track.on == "game" and track.module is not None]


def read(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Position:
    """The position in a save, or after the last step of a log.

    cut: reduces what the pieces show to what a side may know, before the notes add what everybody may read.

    Raises InputError if it is not a save, is damaged, belongs to a module of another maker or has a unit twice.
    """
    try:
        save = read_save(data)
        with private():
            save = replayed(save)
        return position_of(save, game_of(save, load_game), name, cut)
    except InputError as error:
        raise error.at(Where(name)) from None


def game_of(save: Save, load_game: Callable[[str], Game]) -> Game:
    """The game that a save belongs to. Raises UnknownModule if its module is another maker's."""
    id = save.properties.get((MODULE, GAME))
    if id is None:
        what = f"the save belongs to {save.about.module or 'an unknown module'}, whose pieces are unknown"
        hint = "use the module that `module-builder module GAME` makes; `check` lists the pieces of any save"
        raise UnknownModule(what, hint=hint)
    return load_game(id)


def position_of(save: Save, game: Game, name: str, cut: Cut | None = None) -> Position:
    """The position of a game that a save holds; its log is not replayed. name, cut: as for `read`."""
    return _Reader(save, game, name).position(cut)


class _Reader:
    """A save while it is turned into a position."""

    def __init__(self, save: Save, game: Game, name: str) -> None:
        self.save, self.game, self.name = save, game, name
        self.vocabulary = Vocabulary(game.tracks)
        self.board = save.properties.get((MODULE, BOARD), "")
        self.windows = windows(save)
        self.arrivals = arrivals(save)
        module = game.file.module
        self.renamed = {before: now for now, before in module.renamed.items()} if module else {}
        self.units: dict[str, Unit] = {}
        self.facts: dict[FactKey, Fact] = {}
        self.showing: dict[str, list[Piece]] = {}  # subject -> the pieces that state its facts
        self.places: dict[tuple[str, Pixel], tuple[str, bool]] = {}
        self.unread: list[Unread] = []
        sides = {side.casefold(): side for side in game.file.sides}
        players = {id.casefold(): sides.get(side.casefold(), NOBODY) for id, _, side in save.players}
        self.sides = players | sides  # a side overrides a player who calls himself like it

    def position(self, cut: Cut | None) -> Position:
        """The position: first the pieces on the maps, then the notes."""
        with private():
            self.pieces()
        self.of_the_game()
        self.remainder()
        text = self.remarks()
        on_the_map = GameState(
            game=self.game.id, board=self.board, units=self.units, facts=self.facts, unread=tuple(self.unread)
        )
        seen = on_the_map if cut is None else cut(self.game, on_the_map)
        if cut is None or not is_limited(seen.seen_by):
            return self.noted(text, on_the_map)
        # facts of hexes in the notes, such as an announced attack, may reveal units to a side
        stated = self.noted(text, seen).state.facts
        of_hexes = {key: fact for key, fact in stated.items() if self.game.tracks[key[0]].on == "hex"}
        of_hexes = {key: fact for key, fact in of_hexes.items() if key[0] != UNSEEN}
        revealing = msgspec.structs.replace(on_the_map, facts={**on_the_map.facts, **of_hexes})
        return self.noted(text, cut(self.game, revealing))

    def noted(self, text: str, on_the_map: GameState) -> Position:
        """The position with the notes added; all of it is checked here at once."""
        full = read_remarks(text, f"{self.name}: public notes", Position(self.game, on_the_map), self.shows)
        return full.with_state(msgspec.structs.replace(full.state, unread=on_the_map.unread))

    def pieces(self) -> None:
        """Read all pieces."""
        heights: dict[str, int] = {}
        for piece in self.from_the_top():
            marks = piece.marks()
            if UNIT in marks:
                self.unit(piece, self.called(marks[UNIT]), heights)
            elif MARKER in marks:
                self.marker(piece, marks[MARKER])
            elif piece.map:
                self.note(f"piece {piece.name}{self.somewhere(piece)}: unknown", piece)

    def note(self, what: str, piece: Piece | None = None, track: str = "") -> None:
        """Note something that is not understood. piece, track: what it concerns."""
        self.unread.append(Unread(plain(what), "" if piece is None else self.concerned(piece), track))

    def concerned(self, piece: Piece) -> str | None:
        """The unit that a note about a piece concerns; "" if it concerns everybody, None if only an umpire may read it."""
        marks = piece.marks()
        alone = self.game.file.intelligence is not None and MARKER not in marks
        alone = alone or bool(piece.owners()) or piece.map not in self.windows
        unit = self.called(marks.get(UNIT, ""))
        return unit if unit in self.game.roster else None if alone else ""

    def name_of(self, piece: Piece) -> str:
        """The name of a piece in messages: for a unit its type, without its statuses."""
        return self.called(piece.marks().get(UNIT, "")) or piece.name

    def called(self, type: str) -> str:
        """What a unit is called that has been renamed since the save."""
        return type if type in self.game.roster else self.renamed.get(type, type)

    def from_the_top(self) -> Iterator[Piece]:
        """All pieces, each stack from the top down."""
        pieces = self.save.pieces
        stacks = reversed(tuple(self.save.stacks.values()))  # VASSAL draws the later ones on top
        stacked = [id for stack in stacks for id in reversed(stack.pieces) if id in pieces]
        loose = dict.fromkeys(stacked) | dict.fromkeys(pieces)
        return (pieces[id] for id in loose)

    def unit(self, piece: Piece, type: str, heights: dict[str, int]) -> None:
        """A unit where its piece lies; out of play if that is not a hex or box."""
        if type not in self.game.roster:
            self.unknown_unit(piece, type, heights)
            return
        place = self.place(piece)
        if type in self.units:
            there, here = (f"at {at}" if at else "off the map" for at in (self.units[type].place, place))
            raise InputError(f"unit {type} is in the save twice, {there} and {here}", hint="delete one of them")
        order = heights.get(place, 0)
        heights[place] = order + 1
        self.units[type] = Unit(type, type, place or None, order if place else 0)
        for kind, by in piece.owners().items():
            if _COVERS[kind] in self.game.tracks:
                self.facts[_COVERS[kind], type] = Fact(self.sides.get(by.casefold(), NOBODY))
        self.arrival(piece, type)
        self.statuses(piece, "unit", type)

    def arrival(self, piece: Piece, type: str) -> None:
        """The turn in which a unit comes into play, if its piece lies in the box of one."""
        boxes = self.arrivals.get(piece.map)
        track = self.game.tracks.get(boxes.track) if boxes else None
        if boxes is None or track is None or track.on != "unit":
            return
        turn = track.parse(boxes.grid.locate(piece.at))
        if all(fact.value != turn for fact in self.game.roster[type].get(track.name, ())):
            self.facts[track.name, type] = Fact(turn)

    def unknown_unit(self, piece: Piece, type: str, heights: dict[str, int]) -> None:
        """A unit that is not in the roster. It covers the units below it, unless it is invisible."""
        self.note(f"unit {type}{self.somewhere(piece)}: not in the roster of {self.game.title}", piece)
        place, _ = self.printed(piece)
        if place and INVISIBLE not in piece.owners():
            self.unread[-1] = msgspec.structs.replace(self.unread[-1], place=place, order=heights.get(place, 0))
            heights[place] = heights.get(place, 0) + 1

    def marker(self, piece: Piece, track: str) -> None:
        """A marker states a fact of the hex that it lies on."""
        if piece.owners():
            self.note(f"marker {piece.name}{self.somewhere(piece)}: a player hides it", piece)
            return
        place = self.place(piece)
        if not place:
            return
        self.statuses(piece, "hex", place)
        if (track, place) not in self.facts:
            self.note(f"marker {piece.name} at {place}: its {track} is not stated")

    def statuses(self, piece: Piece, on: Subject, subject: str) -> None:
        """Read the facts that the layers and labels of a piece state."""
        self.showing.setdefault(subject, []).append(piece)
        for trait in piece.traits:
            name, word = _stated(trait.type, trait.state)
            track = self.game.tracks.get(name) if word else None
            if track is not None and track.on == on:
                self.status(piece, track, word, subject)

    def shows(self, key: FactKey) -> bool:
        """Whether a counter, the turn tracker or a button shows a fact, even by showing nothing."""
        track, subject = key
        if key not in self.facts and self.game.tracks[track].absent is None:
            return False  # nothing shown means unknown
        if not subject:
            return self.game.tracks[track].module is not None or key in self.facts
        traits = (trait for piece in self.showing.get(subject, ()) for trait in piece.traits)
        return any(_stated(trait.type, trait.state)[0] == track for trait in traits)

    def status(self, piece: Piece, track: Track, word: str, subject: str) -> None:
        """Add the fact that a layer or label states by a word of position notation."""
        try:
            found = (track, Fact(word)) if track.kind == "text" else self.vocabulary.read(track.on, Word(word, 0))
        except InputError:  # a number out of the range of the track
            found = None
        if found is None or found[0] is not track:
            self.note(f"{self.name_of(piece)}: layer {track.name} has the unknown value {word!r}", piece, track.name)
            return
        key = (track.name, subject)
        if self.facts.get(key, found[1]) != found[1]:
            raise InputError(
                f"two markers at {subject} state different values of {track.title}", hint="delete one of them"
            )
        self.facts[key] = found[1]

    def place(self, piece: Piece) -> str:
        """The hex or box of a piece, "" if none, which is noted if the piece is on a map."""
        spot = (piece.map, piece.at)
        if spot not in self.places:
            self.places[spot] = self.printed(piece)
        place, off_centre = self.places[spot]
        if piece.map and not place and not self.is_aside(piece.map):
            self.note(f"{self.name_of(piece)} is not on a hex of the map", piece)
        elif off_centre:
            self.note(f"{self.name_of(piece)} is off the centre of {place}; assumed to be in it", piece)
        return place

    def is_aside(self, map: str) -> bool:
        """Whether what lies in a window is not in play."""
        return any((MODULE, f"{kind} {map}") in self.save.properties for kind in (PRIVATE, ASIDE))

    def printed(self, piece: Piece) -> tuple[str, bool]:
        """The regular name of the hex at a piece, "" if none is drawn there, and whether the piece is off its centre."""
        window = self.windows.get(piece.map)
        board = self.game.board(self.board)
        try:
            place = board.place(window.locate(piece.at)) if window else ""
        except InputError:
            return "", False
        if not window or not board.is_hex(place):
            return place, False
        at = board.grid.parse(place)
        drawn = window.columns[0] <= at.column <= window.columns[1] and window.rows[0] <= at.row <= window.rows[1]
        return (place, _is_off_centre(window.grid, piece.at)) if drawn else ("", False)

    def somewhere(self, piece: Piece) -> str:
        """The location of a piece, in words."""
        window = self.windows.get(piece.map)
        here = window.locate(piece.at) if window else ""
        return f" at {here}" if here else f" on {piece.map}" if piece.map else ""

    def of_the_game(self) -> None:
        """Read the turn and the other facts of the game itself."""
        track = tracker(self.game)
        if track is not None and self.save.turns:
            self.turn(track, next(iter(self.save.turns.values())))
        for other in game_tracks(self.game):
            value = self.save.properties.get((MODULE, other.name), "")
            if other is not track and value:
                self.facts[other.name, ""] = Fact(other.parse(value))

    def turn(self, track: Track, state: str) -> None:
        """Read the turn and what else the turn tracker shows, such as the phase."""
        declared = self.save.properties.get((MODULE, STEPS), "")
        Limit.GRID.check(len(declared), f"{STEPS} has")
        try:
            turn, words = shown(state, read_steps(declared) if declared else ())
        except (ValueError, IndexError, RecursionError, msgspec.DecodeError) as error:
            self.note(f"the turn tracker beyond its turn: {error}")
            turn, words = shown(state, ())
        self.facts[track.name, ""] = Fact(track.parse(turn))
        for word in words:
            found = self.vocabulary.read("game", Word(word, 0))
            if found is None:
                self.note(f"the turn tracker: {word!r} is not a fact about the game")
            else:
                self.facts[found[0].name, ""] = found[1]

    def remainder(self) -> None:
        """Note everything else that was not understood."""
        commands = _Listed("another command")
        kinds: dict[
            str | None, _Listed
        ] = {}  # by whom they concern, for nobody's list may depend on what he does not see
        for piece in self.save.pieces.values():
            if unknown := unknown_kinds(piece):
                about = self.concerned(piece)
                listed = kinds.setdefault(about, _Listed("a trait of another kind"))
                self.unread += [Unread(listed.words(f"a trait of kind {kind!r}"), about) for kind in unknown]
        self.unread += [Unread(commands.words(f"command {command[:60]!r}"), None) for command in self.save.unread]
        if not self.save.complete:
            self.note("the end of the save is missing: VASSAL did not finish writing it")

    def remarks(self) -> str:
        """The notation in the public notes, with the lines up to the heading blank, so that line numbers stay right."""
        lines = self.save.public_notes.split("\n")
        heads = [number for number, line in enumerate(lines) if line.strip(" \t:").casefold() == HEADING.casefold()]
        if not heads:
            if self.save.public_notes.strip():
                self.note(f"the public notes: they have no line {HEADING!r}")
            return ""
        return "\n" * (heads[0] + 1) + "\n".join(lines[heads[0] + 1 :])


class _Listed:
    """Words for things that are not understood: the first so many in their own words, so that no save makes a report endless.

    others: the words for the others.
    """

    def __init__(self, others: str) -> None:
        self.others, self.said = others, dict[str, str]()

    def words(self, what: str) -> str:
        """What is said of one."""
        if what not in self.said and len(self.said) < _MOST_LISTED:
            self.said[what] = plain(what)
        return self.said.get(what, self.others)


@remembered
def _stated(type: str, state: str) -> tuple[str, str]:
    """The name and value of a layer or a label, the value "" if it shows none; two empty texts for any other trait."""
    if type.startswith("emb2;"):
        layer = read_layer(type)
        at = level(Trait(type, state))
        return layer.name, layer.added(at) if 0 < abs(at) <= len(layer.names) else f"level {state}"
    return (read_label(type).name, state) if type.startswith("label;") else ("", "")


def _is_off_centre(grid: Drawn, at: Pixel) -> bool:
    """Whether a pixel lies off the centre of its hex."""
    if not isinstance(grid, Hexes):
        return False
    x, y = grid.centre(*grid.cell(at))
    return abs(at[0] - x) > _OFF or abs(at[1] - y) > _OFF
