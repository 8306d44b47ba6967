"""A VASSAL save or log as a position.

A legend gives the meaning of its pieces. The public notes below the line `Field Staff` are position notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from ...game.covers import uncover_counters
from ...game.games import Game
from ...game.names import regular_value
from ...game.states import check_below
from ...game.viewpoint import reduce_state
from ...state.state import EVERYTHING, MASKED, NOBODY, UNSEEN, FactKey, GameState, Unit, Unread, is_limited
from ...state.state import INVISIBLE as INVISIBLE_TO
from ...state.tracks import Fact, Subject, Track
from ...state.words import Word
from ...util.errors import InputError, Where, plain, quoted
from ...util.limits import kept_private
from ..notation import read_remarks
from ..positions import Cut, Position
from .adoption.legend import UnknownModule, adopted_legend
from .adoption.mapping_files import like_named
from .containers import ModuleData
from .legends import GAME, HEADING, BuiltLegend, Legend
from .pieces import Piece, unknown_kinds
from .replay import replay
from .saves import Save, mark_private, read_save
from .traits import INVISIBLE, MASK

_COVERS = {MASK: MASKED, INVISIBLE: INVISIBLE_TO}
"""The traits that hide a piece, and their tracks."""
_RUNNING = "the game"
"""The name of a running game in messages."""
_MAX_NAMED = 1000
"""Maximum number of unknown commands, and of unknown kinds of traits, that are named."""


def read_vassal(data: bytes, name: str, load_game: Callable[[str], Game], cut: Cut | None = None) -> Position:
    """Return the position in a save, or after the last step of a log.

    `cut`: reduces the pieces' facts to a side's knowledge, before the public notes are added.

    Raises InputError if it is not a save, is damaged, belongs to a module of another maker or has a unit twice.
    """
    try:
        save = read_save(data)
        with mark_private():
            save = replay(save)
        return position_of(save, legend_of(save, load_game), name, cut)
    except InputError as error:
        raise error.at(Where(name)) from None


class RunningGame(NamedTuple):
    """A game as VASSAL runs it, seen by one player."""

    position: Position
    save: Save
    legend: Legend


def read_running(data: bytes, module: ModuleData, player_side: str, load_game: Callable[[str], Game]) -> RunningGame:
    """Return the game that VASSAL runs, as a player sees it.

    `data`: the commands of the game, as in a save.
    `module`: the module that runs it, which the commands do not name.
    `player_side`: the module's name of the player's side, or "" for a player without a side.

    A player without a side sees everything, as VASSAL shows it.

    Raises InputError if the commands are damaged or too large, the module is unknown, a unit is there twice, or a
    player without a side asks while a side hides counters.
    """
    with kept_private(_RUNNING, limited=bool(player_side)):
        return _read_running(data, module, player_side, load_game)


def _read_running(data: bytes, module: ModuleData, player_side: str, load_game: Callable[[str], Game]) -> RunningGame:
    save = msgspec.structs.replace(read_save(data), about=module)
    legend = legend_of(save, load_game)
    side = legend.sides.get(player_side.casefold(), "") if player_side else ""

    def cut(game: Game, state: GameState) -> GameState:
        if side in ("", NOBODY) and any(track in (MASKED, INVISIBLE_TO) for track, _ in state.facts):
            if player_side and not side:
                hint = f"`assistant adopt` says which side of the game {quoted(player_side)} is"
                raise InputError(f"whose counters {plain(player_side, 60)} may see is not known", hint=hint)
            raise InputError("take a side first: one side hides counters from the other")
        return reduce_state(game, state, side or EVERYTHING)

    position = position_of(save, legend, _RUNNING, cut)
    return RunningGame(position.seen(cut(legend.game, position.state)), save, legend)


def legend_of(save: Save, load_game: Callable[[str], Game]) -> Legend:
    """Return the meaning of a save's pieces, with their game.

    Raises UnknownModule if the module is neither the builder's nor adopted, or adopted for several games. Raises
    InputError if its mapping cannot be used.
    """
    id = save.own_properties.get(GAME)
    if id is None and (adopted := adopted_legend(save, load_game)) is not None:
        return adopted
    if id is None:
        what = f"the save belongs to {save.about.module or 'an unknown module'}, whose pieces are unknown"
        hint = "`assistant adopt MODULE --game GAME` finds what they mean; `check` lists the pieces of any save"
        if not save.about.module:
            hint = "it does not name its module: --game GAME reads it by the only one that is adopted for the game"
        if (like := like_named(save.about.module)) is not None:
            hint = f"{like[1]} is the mapping of {like[0]}: adopt this module too, and copy what you corrected there"
        raise UnknownModule(what, hint=hint)
    return BuiltLegend(save, load_game(id))


def position_of(save: Save, legend: Legend, name: str, cut: Cut | None = None) -> Position:
    """Return the position in a save, without replaying its log. Parameters are as in `read_vassal`."""
    return _SaveReader(save, legend, name).position(cut)


class _SaveReader:
    """A save while it is turned into a position."""

    def __init__(self, save: Save, legend: Legend, name: str) -> None:
        self.save = save
        self.legend = legend
        self.game = legend.game
        self.name = name
        self.vocabulary = self.game.vocabulary
        self.units: dict[str, Unit] = {}
        self.heights: dict[str, int] = {}  # place -> the number of pieces read from its stack
        self.facts: dict[FactKey, Fact] = {}
        self.showing: dict[str, list[Piece]] = {}  # subject -> the pieces with its facts
        self.above: dict[str, list[Piece]] = {}  # place -> the markers on the next unit below
        self.place_at = cache(legend.place)
        self.suspect: list[str] = []  # units that something unknown may hide
        self.doubled: list[tuple[str, str, InputError]] = []  # unit with a hidden double, side that hides it, error
        self.unread: list[Unread] = []

    def position(self, cut: Cut | None) -> Position:
        """Return the position: first the pieces on the maps, then the notes."""
        with mark_private():
            self.read_pieces()
        self.facts |= {(track, ""): fact for track, fact in self.legend.of_the_game(self.note).items()}
        self.read_remainder()
        text = self.read_notes()
        on_the_map = GameState(
            game=self.game.id, board=self.legend.board, units=self.units, facts=self.facts, unread=tuple(self.unread)
        )
        on_the_map = uncover_counters(self.game, on_the_map)
        # Only the notes tell whether the option that hides units is in use. Until they are read, it is assumed to be.
        supposed = {key: fact for key, fact in self.game.hiding.facts_of_limits.items() if key not in on_the_map.facts}
        hiding = msgspec.structs.replace(on_the_map, facts={**on_the_map.facts, **supposed})
        seen = on_the_map if cut is None else cut(self.game, self.hide_suspects(hiding))
        for unit, by, error in self.doubled:
            if not is_limited(seen.seen_by) or (by == seen.seen_by and unit in seen.units):
                raise error
        if cut is None or not is_limited(seen.seen_by):
            return self.add_notes(text, on_the_map)
        # facts of hexes in the notes, such as an announced attack, may reveal units to a side
        stated = {key: fact for key, fact in self.add_notes(text, seen).state.facts.items() if key[0] != UNSEEN}
        of_hexes = {key: fact for key, fact in stated.items() if self.game.tracks[key[0]].on == "hex"}
        of_hexes |= {key: stated[key] for key, fact in supposed.items() if stated[key] is not fact}
        revealing = msgspec.structs.replace(on_the_map, facts={**on_the_map.facts, **of_hexes})
        return self.add_notes(text, cut(self.game, self.hide_suspects(revealing)))

    def hide_suspects(self, state: GameState) -> GameState:
        """Return the state with the units invisible that something unknown may hide."""
        hidden = {(INVISIBLE_TO, unit): Fact(NOBODY) for unit in self.suspect}
        return msgspec.structs.replace(state, facts={**state.facts, **hidden}) if hidden else state

    def add_notes(self, text: str, on_the_map: GameState) -> Position:
        """Return the position with the notes, whose ratings override those stated by pieces.

        The whole position is checked here.
        """
        tracks = self.game.tracks
        rated = {key: fact for key, fact in on_the_map.facts.items() if tracks[key[0]].printed == "counter"}
        unrated = {key: fact for key, fact in on_the_map.facts.items() if key not in rated}
        bare = msgspec.structs.replace(on_the_map, facts=unrated)
        full = read_remarks(text, f"{self.name}: public notes", Position(self.game, bare), self.shows)
        full = full.with_state(uncover_counters(self.game, full.state))
        facts = {**rated, **full.state.facts}
        unread = [*on_the_map.unread]
        for (track, subject), fact in rated.items():
            try:
                check_below(self.game, tracks[track], subject, fact, facts)
            except InputError as error:
                if isinstance(self.legend, BuiltLegend):
                    raise
                del facts[track, subject]  # in a published module the mapping may be wrong
                unread.append(Unread(plain(error.what), subject, track))
        return full.with_state(msgspec.structs.replace(full.state, facts=facts, unread=tuple(unread)))

    def read_pieces(self) -> None:
        doubles = self.find_hidden_doubles()
        for piece in self.list_from_top():
            if piece.id in doubles:
                self.record_double(piece)
                self.cover_below(piece)
            elif unit := self.legend.unit(piece):
                self.read_unit(piece, unit)
            elif track := self.legend.marker(piece):
                self.read_marker(piece, track)
            elif piece.map and self.legend.is_ignored(piece):
                if MASK in piece.owners():  # any piece looks the same face down
                    self.note(f"piece {piece.name}{self.format_place(piece)}: a player hides it", piece)
                    self.cover_below(piece)
            elif piece.map:
                self.note(f"piece {piece.name}{self.format_place(piece)}: {self.explain_unknown(piece)}", piece)
                self.cover_below(piece)
        for place in tuple(self.above):
            self.record_loose_markers(place)

    def explain_unknown(self, piece: Piece) -> str:
        """Return the reason why a piece is not a unit, in words."""
        named = self.legend.units_of(piece)
        return f"another counter in play is already {named[-1]}" if named else "unknown"

    def note(self, what: str, piece: Piece | None = None, track: str = "") -> None:
        """Note something that is not understood, and the piece and track that it is about."""
        self.unread.append(Unread(plain(what), "" if piece is None else self.find_concerned(piece), track))

    def find_concerned(self, piece: Piece) -> str | None:
        """Return the unit that a note about a piece concerns.

        The result is "" if everybody may read the note, or None if only an umpire may.
        """
        unit = self.legend.unit(piece)
        track = "" if unit else self.legend.marker(piece)
        is_secret = self.game.file.intelligence is not None and (not track or self.is_of_unit(track))
        is_secret = (
            is_secret or bool(piece.owners()) or self.legend.is_guarded(piece) or not self.legend.is_public(piece.map)
        )
        if unit in self.game.roster:
            return unit
        return None if is_secret else ""

    def format_name(self, piece: Piece) -> str:
        """Return the name of a piece in messages: for a unit its type, without its statuses."""
        return self.legend.unit(piece) or piece.name

    def list_from_top(self) -> Iterator[Piece]:
        """Return all pieces, each stack from the top down."""
        pieces = self.save.pieces
        stacks = reversed(tuple(self.save.stacks.values()))  # VASSAL draws later stacks on top
        stacked = [id for stack in stacks for id in reversed(stack.pieces) if id in pieces]
        loose = dict.fromkeys(stacked) | dict.fromkeys(pieces)
        return (pieces[id] for id in loose)

    def find_hidden_doubles(self) -> set[str]:
        """Return the ids of hidden pieces whose unit has another piece.

        The choice between the two must not reveal who hides the other.
        """
        doubles: set[str] = set()
        by_unit: dict[str, list[Piece]] = {}
        for piece in self.list_from_top():
            if (type := self.legend.unit(piece)) in self.game.roster:
                by_unit.setdefault(type, []).append(piece)
        for pieces in by_unit.values():
            _, *others = sorted(pieces, key=self.is_hidden)
            doubles |= {piece.id for piece in others if self.is_hidden(piece)}
        return doubles

    def is_hidden(self, piece: Piece) -> bool:
        """Return whether a player hides a piece, or may do so."""
        return bool(piece.owners()) or self.legend.is_guarded(piece)

    def record_double(self, piece: Piece) -> None:
        """Note a hidden piece whose unit has another one. Only a viewpoint that sees both gets the error."""
        type = self.legend.unit(piece)
        sides = {self.legend.sides.get(owner.casefold(), NOBODY) for owner in piece.owners().values()}
        by = sides.pop() if len(sides) == 1 and not self.legend.is_guarded(piece) else NOBODY
        what = f"unit {type} is in the save twice, the second time hidden{self.format_place(piece)}"
        self.doubled.append((type, by, InputError(what, hint="delete one of them")))
        self.unread.append(Unread(plain(what), None))

    def read_unit(self, piece: Piece, type: str) -> None:
        """Read a unit in the hex or box of its piece, or else out of play.

        Raises InputError if the unit is in the save twice.
        """
        if type not in self.game.roster:
            self.record_unknown_unit(piece, type)
            return
        place = self.find_place(piece)
        if type in self.units:
            there, here = _format_whereabouts(self.units[type].place), _format_whereabouts(place)
            more = ", or write a larger count in the roster" if len(self.legend.units_of(piece)) > 1 else ""
            what = f"unit {type} is in the save twice, {there} and {here}"
            raise InputError(what, hint=f"delete one of them{more}")
        order = self.heights.get(place, 0)
        self.heights[place] = order + 1
        self.units[type] = Unit(type, self.game.type_of(type), place or None, order if place else 0)
        if others := self.legend.mistaken_for(piece):
            what = f"its slot, its name or its picture is that of {others[0]}"
            self.note(f"piece {self.format_name(piece)}{self.format_place(piece)}: {what}", piece)
            self.unread[-1] = msgspec.structs.replace(self.unread[-1], doubted=True)
        if self.legend.is_guarded(piece):
            self.suspect.append(type)
        for kind, by in piece.owners().items():
            if _COVERS[kind] in self.game.tracks:
                self.facts[_COVERS[kind], type] = Fact(self.legend.sides.get(by.casefold(), NOBODY))
        self.read_arrival(piece, type)
        self.check_figures(piece, type)
        for shown in (piece, *self.above.pop(place, ())):
            self.read_statuses(shown, "unit", type)

    def read_arrival(self, piece: Piece, type: str) -> None:
        """Read a unit's turn of arrival, if its piece is in the box of a turn."""
        name, turn = self.legend.arrival(piece) or ("", "")
        track = self.game.tracks.get(name)
        if track is None or track.on != "unit":
            return
        value = track.parse(turn)
        if all(fact.value != value for fact in self.game.roster[type].get(track.name, ())):
            self.facts[track.name, type] = Fact(value)

    def check_figures(self, piece: Piece, type: str) -> None:
        """Note figures of a counter that differ from the game's: its module was built from other data."""
        for name, word in self.legend.figures(piece).items():
            track = self.game.tracks[name]
            known = self.game.roster[type].get(name)
            word_now = track.write(known[0].value) if known else "not known"
            if word_now != word:
                what = (
                    f"{type}: the counter shows {track.title} {word}, the game has {word_now}: build the module again"
                )
                self.unread.append(Unread(plain(what), self.find_concerned(piece), name, shown=plain(word)))

    def record_unknown_unit(self, piece: Piece, type: str) -> None:
        self.note(f"unit {type}{self.format_place(piece)}: not in the roster of {self.game.title}", piece)
        self.cover_below(piece)

    def cover_below(self, piece: Piece) -> None:
        """Let the last noted piece cover the units below it, unless it is invisible."""
        place, _ = self.place_at(piece.map, piece.at)
        owners = piece.owners()
        if place and INVISIBLE not in owners:
            order = self.heights.get(place, 0)
            by = self.legend.sides.get(owners.get(MASK, "").casefold(), "")
            self.unread[-1] = msgspec.structs.replace(self.unread[-1], place=place, order=order, by=by)
            self.heights[place] = order + 1
        self.record_loose_markers(place, piece if owners else None)

    def record_loose_markers(self, place: str, hidden: Piece | None = None) -> None:
        """Note the markers on an unknown unit or on none.

        `hidden`: the piece below, if only those who see it may read the note.
        """
        for marker in self.above.pop(place, ()):
            self.note(f"marker {marker.name} at {place}: no known unit lies below it", hidden or marker)

    def read_marker(self, piece: Piece, track: str) -> None:
        """Read a marker, which states a fact of its hex or of the unit below it."""
        if self.is_hidden(piece):
            hider = "a player hides it" if piece.owners() else "a trait of the module's own code may hide it"
            self.note(f"marker {piece.name}{self.format_place(piece)}: {hider}", piece)
            if MASK in piece.owners():
                self.cover_below(piece)
            return
        place = self.find_place(piece)
        if not place:
            return
        if self.is_of_unit(track):
            self.above.setdefault(place, []).append(piece)
            return
        self.read_statuses(piece, "hex", place)
        if (track, place) not in self.facts:
            self.note(f"marker {piece.name} at {place}: its {track} is not stated")

    def is_of_unit(self, track: str) -> bool:
        """Return whether a marker of a track is about the unit below it."""
        return track in self.game.tracks and self.game.tracks[track].on == "unit"

    def read_statuses(self, piece: Piece, on: Subject, subject: str) -> None:
        """Read the facts stated by the layers and labels of a piece."""
        self.showing.setdefault(subject, []).append(piece)
        for name, word in self.legend.statements(piece):
            track = self.game.tracks[name]
            if word and track.on == on:
                self.read_status(piece, track, word, subject)

    def shows(self, key: FactKey) -> bool:
        """Return whether a counter, the turn tracker or a button shows a fact, even by showing nothing."""
        track, subject = key
        if key not in self.facts and self.game.tracks[track].absent is None:
            return False  # if nothing is shown, the fact is unknown
        if not subject:
            return self.game.tracks[track].module is not None or key in self.facts
        pieces = self.showing.get(subject, ())
        return any(stated.track == track for piece in pieces for stated in self.legend.statements(piece))

    def read_status(self, piece: Piece, track: Track, word: str, subject: str) -> None:
        """Add the fact that a layer or label states by a word of position notation.

        Raises InputError if two markers of a builder's module contradict each other.
        """
        try:
            fact = (
                self.read_text(track, word) if track.kind == "text" else self.vocabulary.read(track.on, Word(word, 0))
            )
        except InputError:  # a number out of range, or a text that is not a hex
            fact = None
        if fact is None or fact[0] is not track:
            self.note(
                f"{self.format_name(piece)}: layer {track.name} has the unknown value {word!r}", piece, track.name
            )
            return
        key = (track.name, subject)
        if self.facts.get(key, fact[1]) != fact[1]:
            what = f"two markers at {subject} state different values of {track.title}"
            if isinstance(self.legend, BuiltLegend):
                raise InputError(what, hint="delete one of them")
            self.note(f"{what}: the upper one counts", piece, track.name)
            return
        self.facts[key] = fact[1]

    def read_text(self, track: Track, word: str) -> tuple[Track, Fact]:
        """Return the fact in a text typed on a counter.

        Raises InputError if the text should name a hex and does not.
        """
        return track, Fact(regular_value(track, track.check(word), self.game.board(self.legend.board)))

    def find_place(self, piece: Piece) -> str:
        """Return the hex or box of a piece, or "". A piece on the map but outside any place is noted."""
        spot = (piece.map, piece.at)
        place, off_centre = self.place_at(*spot)
        if piece.map and not place and not self.legend.is_aside(*spot):
            self.note(f"{self.format_name(piece)} is not on a hex of the map", piece)
        elif off_centre:
            self.note(f"{self.format_name(piece)} is off the centre of {place}; assumed to be in it", piece)
        return place

    def format_place(self, piece: Piece) -> str:
        """Return the location of a piece, in words."""
        here = self.legend.printed(piece.map, piece.at)
        if here:
            return f" at {here}"
        return f" on {piece.map}" if piece.map else ""

    def read_remainder(self) -> None:
        """Note everything else that was not understood."""
        commands = dict[str, str]()
        # one list for each result of `find_concerned`, so that no list depends on what its readers may not see
        kinds: dict[str | None, dict[str, str]] = {}
        for piece in self.save.pieces.values():
            for kind in unknown_kinds(piece):
                about = self.find_concerned(piece)
                named = kinds.setdefault(about, {})
                words = _name_unknown(named, f"a trait of kind {kind!r}", "a trait of another kind")
                self.unread.append(Unread(words, about))
        for command in self.save.unread:
            words = _name_unknown(commands, f"command {command[:60]!r}", "another command")
            self.unread.append(Unread(words, None))
        if not self.save.complete:
            self.note("the end of the save is missing: VASSAL did not finish writing it")

    def read_notes(self) -> str:
        """Return the notation in the public notes, with blank lines down to the heading to keep line numbers right."""
        above, below = part_notes(self.save.public_notes)
        if not above and self.save.public_notes.strip():
            self.note(f"the public notes have no line {HEADING!r}")
        return "\n" * len(above) + "\n".join(below)


def _format_whereabouts(place: str | None) -> str:
    return f"at {place}" if place else "off the map"


def part_notes(notes: str) -> tuple[list[str], list[str]]:
    """Return the lines of public notes down to the heading, and those below it, or nothing without a heading."""
    lines = notes.split("\n")
    heads = (number for number, line in enumerate(lines, 1) if line.strip(" \t:").casefold() == HEADING.casefold())
    head = next(heads, None)
    return ([], []) if head is None else (lines[:head], lines[head:])


def _name_unknown(named: dict[str, str], what: str, others: str) -> str:
    """Return words for something not understood: its own words for the first ones, so that reports stay short.

    `named`: the words so far.
    `others`: the words for all others.
    """
    if what not in named and len(named) < _MAX_NAMED:
        named[what] = plain(what)
    return named.get(what, others)
