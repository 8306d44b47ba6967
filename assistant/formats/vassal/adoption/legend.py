"""The legend of a published module, according to a player's mapping."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from ....game.games import Chosen, Game
from ....state.tracks import Fact
from ....util.errors import InputError, Where, nearest, plain
from ....util.files import read_bytes
from ..controls import TurnLevel, all_levels
from ..grids import Pixel
from ..legends import Legend, ModulePlace, Note, Statement, module_sides, pieces_in_order, share_units
from ..pieces import Piece
from ..properties import Carried
from ..saves import Save
from ..sequence import split
from ..streams import read_stream
from ..traits import KINDS, Trait, read_label, read_layer, read_marker
from .identity import Recognised, names_for_piece, recognise
from .mapping import (
    GAME_SUBJECTS,
    MARKER_SUBJECTS,
    UNIT_SUBJECTS,
    ModuleMapping,
    check_mapping,
    read_mapping,
)
from .mapping_files import (
    Fixtures,
    adopted_games,
    fixtures_file,
    has_mappings,
    mapping_file,
    only_module,
    read_fixtures,
    shipped_mapping,
)
from .meanings import Given, Meanings, words_for
from .places import ModulePlaces

_TRACKER_PREFIX = "TurnTracker"
"""VASSAL's name for a turn tracker in saves, before the number of its place in the module's file."""
_DEFAULT_LABEL_PROPERTY = "TextLabel"
"""VASSAL's name for the property of a text label without a name."""


class AdoptedLegend(Legend):
    """The meaning of the pieces in a save of a published module.

    `mapping`: the mapping, already checked for its game.
    """

    def __init__(self, save: Save, game: Game, mapping: ModuleMapping, fixtures: Fixtures) -> None:
        self.save = save
        self.game = game
        self.mapping = mapping
        self.fixtures = fixtures
        self.board = mapping.board
        self.meanings = Meanings(game)
        self.dice = [
            (button, mapping.dice[button.name]) for button in fixtures.controls.dice if button.name in mapping.dice
        ]
        self.sides = module_sides(save, {name: side for name, side in mapping.sides.items() if side})
        self.located = ModulePlaces(game, mapping, fixtures.maps, save.boards)
        named: dict[str, dict[str, None]] = {}
        for unit in mapping.units:
            for name in mapping.pieces_of(unit):
                named.setdefault(name, {}).update(dict.fromkeys(game.copies(unit) or (unit,)))
        distinct = dict[tuple[str, ...], tuple[str, ...]]()
        self.named = {name: distinct.setdefault(tuple(units), tuple(units)) for name, units in named.items()}
        self._recognised: dict[tuple[int, ...], Recognised[str]] = {}
        """What pieces with the same signs stand for, by the ids of the tuples in `named`."""
        self.ignored = {*mapping.ignored}
        self.in_decks = {id for stack in save.stacks.values() if stack.deck for id in stack.pieces}
        out = (piece for piece in save.pieces.values() if piece.id not in self.in_decks)
        possible = {piece.id: units for piece in out if (units := self.units_of(piece))}
        counters = pieces_in_order(save.pieces[id] for id in possible)
        self.units = share_units(counters, possible, self._is_placed)
        self.left_over = [piece for piece in counters if piece.id not in self.units and self._is_placed(piece)]
        self.copies = possible.keys() - self.units.keys() - {piece.id for piece in self.left_over}

    def _is_placed(self, piece: Piece) -> bool:
        """Return whether a piece is in a place of the game, and not on a chart."""
        return bool(self.place(piece.map, piece.at).name)

    def units_of(self, piece: Piece) -> tuple[str, ...]:
        """Return the units that most of the piece's slot, name and picture name, several if their counters are identical."""
        return self._recognise_unit(piece).found

    def mistaken_for(self, piece: Piece) -> tuple[str, ...]:
        return self._recognise_unit(piece).others

    def _recognise_unit(self, piece: Piece) -> Recognised[str]:
        signs = [self.named[name] for name in names_for_piece(piece) if name in self.named]
        # by identity: hundreds of identical pieces share tuples of hundreds of units, and one result
        key = tuple(map(id, signs))
        if key not in self._recognised:
            self._recognised[key] = recognise(signs)
        return self._recognised[key]

    def _find_marker_words(self, piece: Piece) -> str | None:
        """Return the words of the mapping for a marker, or None if the piece is no marker."""
        markers = self.mapping.markers
        found = recognise([(markers[name],) for name in names_for_piece(piece) if name in markers]).found
        return found[0] if found else None

    def unit(self, piece: Piece) -> str:
        """Return the unit of a piece, or "" for a copy or a surplus counter."""
        return self.units.get(piece.id, "")

    def marker(self, piece: Piece) -> str:
        """Return the first track that the piece states as a marker, possibly by its layers, or ""."""
        words = self._find_marker_words(piece)
        if words is None:
            return ""
        stated = self.meanings.possible(words, MARKER_SUBJECTS) or [
            statement.track for statement in self.statements(piece)
        ]
        return next(iter(stated), "")

    def is_ignored(self, piece: Piece) -> bool:
        """Return whether a piece is ignored by the mapping, a surplus copy of a unit, or a card in a deck."""
        return (
            piece.id in self.copies or piece.id in self.in_decks or not self.ignored.isdisjoint(names_for_piece(piece))
        )

    def is_guarded(self, piece: Piece) -> bool:
        """Return whether a piece has a trait of the module's own code, not in the mapping, that may hide the piece."""
        return any(trait.kind not in KINDS and trait.kind not in self.mapping.traits for trait in piece.traits)

    def statements(self, piece: Piece) -> Iterator[Statement]:
        """Yield the statements of a piece's name and traits."""
        subjects = UNIT_SUBJECTS if self.unit(piece) else MARKER_SUBJECTS
        if subjects is MARKER_SUBJECTS:
            yield from self.meanings.stated(self._find_marker_words(piece) or "", subjects)
        carried = Carried(piece.traits)
        for trait in piece.traits:
            for given, value, number in self._read_values(carried, trait):
                yield from self.meanings.stated(words_for(given, value, number), subjects, value)
                for track in self.meanings.possible(given, subjects):  # tracks that the trait may show at another time
                    yield Statement(track, "")

    def _read_values(self, carried: Carried, trait: Trait) -> Iterator[tuple[Given, str, int]]:
        """Yield the mapping's entry for each value of a trait, with the value and its number."""
        mapping = self.mapping
        if name := layer_key(trait, mapping.layers):
            yield mapping.layers[name], "", carried.level(trait) - 1
        elif trait.kind not in KINDS and trait.kind in mapping.traits:
            own = mapping.traits[trait.kind]
            for words, text in ((own.type, trait.type.partition(";")[2]), (own.state, trait.state)):
                yield from ((word, value, 0) for word, value in zip(words, split(text, ";"), strict=False) if word)
        for name, value in property_values(trait, carried).items():
            if name in mapping.properties:
                yield mapping.properties[name], value.strip(), -1

    def place(self, map: str, at: Pixel) -> ModulePlace:
        return self.located.place(map, at)

    def printed(self, map: str, at: Pixel) -> str:
        return self.located.printed(map, at)

    def is_public(self, map: str) -> bool:
        """Return whether the mapping uses a map as the game's, and no side owns it."""
        return map in self.located.by_print

    def is_aside(self, map: str, at: Pixel) -> bool:
        return self.located.is_aside(map, at)

    def of_the_game(self, note: Note) -> dict[str, Fact]:
        """Return the facts of turn trackers and global properties.

        Of properties with the same name, the module's own takes precedence.
        """
        facts: dict[str, Fact] = {}
        shown = [("the turn tracker", *level) for level in self._read_turns(note)]
        properties = {name: value for (_, name), value in self.save.properties.items()} | self.save.own_properties
        shown += [
            (f"property {name}", self.mapping.turn[name], value, -1)
            for name, value in properties.items()
            if name in self.mapping.turn
        ]
        for source, given, value, number in shown:
            try:
                for track, fact in self.meanings.facts(words_for(given, value, number), GAME_SUBJECTS, value):
                    facts[track.name] = fact
            except InputError as error:
                note(f"{source}: {error.what}")
        return facts

    def _read_turns(self, note: Note) -> Iterator[tuple[Given, str, int]]:
        """Yield the mapping's entry for each current level of the turn trackers, with the value and its number."""
        for place, levels in enumerate(self.fixtures.controls.trackers):
            if (state := self.save.turns.get(f"{_TRACKER_PREFIX}{place}")) is None:
                continue
            try:
                current, *states = split(state, "|")
                for level, value in _read_levels(levels, current, states):
                    if level.name in self.mapping.turn:
                        number = int(value)
                        text = level.entries[number] if level.entries else value
                        yield self.mapping.turn[level.name], text, number if level.entries else level.steps_to(number)
            except (ValueError, IndexError):
                note("the turn tracker: its state comes from another version of the module")


def _read_levels(levels: Sequence[TurnLevel], current: str, states: Sequence[str]) -> Iterator[tuple[TurnLevel, str]]:
    """Yield the current level of a tracker and those within it, each with its value.

    Raises ValueError or IndexError if the state belongs to other levels.
    """
    if not levels:
        return
    at = int(current)
    if len(states) != len(levels) or not 0 <= at < len(levels):
        raise IndexError(at)
    value, below, _, _, *within = split(states[at], ";")
    yield levels[at], value
    yield from _read_levels(levels[at].below, below, within)


def list_layer_names(trait: Trait) -> list[str]:
    """Return the names that a mapping may use for a layer, the surest first.

    They are its name with its first picture, its name with its number of levels, and its name.
    """
    layer = read_layer(trait.type)
    picture = next(filter(None, layer.images), "")
    by_picture = f"{layer.name}: {picture}" if layer.name else picture
    return [name for name in (by_picture, f"{layer.name}/{len(layer.images)}", layer.name) if name]


def layer_key(trait: Trait, layers: Collection[str]) -> str:
    """Return the surest of the given names that a layer has, or "" if it has none or the trait is no layer."""
    return next((name for name in list_layer_names(trait) if name in layers), "") if trait.kind == "emb2" else ""


def all_properties(traits: tuple[Trait, ...]) -> Iterator[tuple[str, str]]:
    """Return the properties that traits give, each with its value."""
    carried = Carried(traits)
    return ((name, value) for trait in traits for name, value in property_values(trait, carried).items())


def property_values(trait: Trait, carried: Carried) -> dict[str, str]:
    """Return the properties of a trait by name: a marker's, a dynamic or calculated one, or a text label.

    A value that cannot be evaluated is "".
    """
    if trait.kind == "mark":
        return read_marker(trait)
    name = trait.part(1)
    if trait.kind == "PROP":
        return {name: trait.state}
    if trait.kind == "calcProp":
        return {name: carried.get(name) or ""}
    if trait.kind == "label":
        label = read_label(trait.type)
        kept = label.kept_in if label.kept_in != _DEFAULT_LABEL_PROPERTY else ""
        return {label.name or kept or label.menu or _DEFAULT_LABEL_PROPERTY: carried.text_on(trait)}
    return {}


class UnknownModule(InputError):
    """A save whose pieces have no known meaning: its module is not adopted, or is adopted for several games."""


class SeveralGames(UnknownModule):
    """A save of a module that is adopted for several games."""


def is_adopted(save: Path) -> bool:
    """Return whether a save is from an adopted module."""
    return has_mappings() and bool(adopted_games(read_stream(read_bytes(save))[1].module))


def adopted_legend(save: Save, load_game: Callable[[str], Game]) -> AdoptedLegend | None:
    """Return the legend for a save by its module's name, or None if the module is not adopted.

    A set-up within a module lacks the module's name. It then means the only module adopted for the chosen game.

    Raises SeveralGames if the module is adopted for several games and none is chosen. Raises InputError with file and
    line if the mapping cannot be used.
    """
    module = save.about.module
    if not module and isinstance(load_game, Chosen):
        module = only_module(load_game.id)
    games = adopted_games(module)
    if not games:
        return None
    if isinstance(load_game, Chosen) and load_game.id in games:
        games = [load_game.id]
    if len(games) > 1:
        raise SeveralGames(f"{module} is adopted for {' and for '.join(games)}", hint=f"choose: --game {games[0]}")
    file = mapping_file(module, games[0])
    mapping = mapping_of(file, module, games[0])
    game = load_game(mapping.game)
    check_kept(mapping, game, file)
    game = _name_sides(game, tuple((name, side) for name, side in mapping.sides.items() if side))
    return AdoptedLegend(save, game, mapping, read_fixtures(fixtures_file(file)))


@lru_cache(maxsize=8)
def _name_sides(game: Game, side_names: tuple[tuple[str, str], ...]) -> Game:
    """Return a game whose sides also have the names of the module's sides.

    It is the same object for every save, because results are cached in the game.
    """
    return game.with_overlay(msgspec.structs.replace(game.overlay, sides=dict(side_names)))


def mapping_of(file: Path, module: str, game: str) -> ModuleMapping:
    """Return the mapping of a module for a game.

    Raises InputError if it cannot be read, or belongs to another module or game.
    """
    mapping = read_mapping(file)
    if (mapping.module, mapping.game) != (module, game):
        what = f"this mapping is of {mapping.module!r} for {mapping.game!r}, not of {module!r} for {game!r}"
        raise InputError(what, where=Where(str(file)), hint="correct `module` and `game`, or move the file away")
    return mapping


def check_kept(mapping: ModuleMapping, game: Game, file: Path) -> None:
    """Raise InputError with file and line if a user's mapping does not fit its game.

    If the game's folder has a mapping too, the hint names the command that takes it.
    """
    try:
        check_mapping(mapping, game, file)
    except InputError as error:
        if shipped_mapping(mapping.module, game.folder) is None:
            raise
        hint = "correct it, or take the mapping of the game's folder: assistant adopt MODULE --game GAME --force"
        raise InputError(error.what, where=error.where, hint=hint) from None


def find_strays(
    mapping: ModuleMapping, fixtures: Fixtures, more: Collection[str] = (), marks: Mapping[str, object] = {}
) -> Iterator[str]:
    """Yield a sentence for each name in a mapping that the module lacks, with the likely correct name.

    `more`: names of pieces and properties besides those in the fixtures.
    `marks`: the likely piece of each unit that has one.
    """
    controls = fixtures.controls
    levels = {level.name for tracker in controls.trackers for level in all_levels(tracker)}
    sections: list[tuple[str, str, Iterable[str], set[str]]] = [
        ("sides", "side", mapping.sides, {*controls.sides}),
        ("maps", "map", mapping.maps, {*fixtures.maps}),
        ("turn", "level of a turn tracker", mapping.turn, {*levels, *more}),
        ("dice", "dice button", mapping.dice, {button.name for button in controls.dice}),
    ]
    for name, meaning in mapping.maps.items():
        if name in fixtures.maps:
            sections.append((f"maps.{name}.boards", "board", meaning.boards, {*fixtures.maps[name].boards}))
    for section, kind, entries, known in sections:
        yield from (
            _format_stray(f"[{section}]", kind, name, nearest(name, known)) for name in entries if name not in known
        )
    if not fixtures.pieces:  # the module was adopted by a version that did not list pieces
        return
    pieces = {*fixtures.pieces, *more}
    named = [(f"[units] {unit}", name, marks.get(unit)) for unit in mapping.units for name in mapping.pieces_of(unit)]
    named += [("[markers]", name, None) for name in mapping.markers] + [
        ("ignored", name, None) for name in mapping.ignored
    ]
    for where, name, likely_piece in named:
        if name not in pieces:
            yield _format_stray(
                where, "piece", name, f"it may now be {likely_piece!r}" if likely_piece else nearest(name, pieces)
            )


def _format_stray(where: str, kind: str, name: str, hint: str) -> str:
    return f"{where}: the module has no {kind} {plain(repr(name))}" + (f"; {hint}" if hint else "")
