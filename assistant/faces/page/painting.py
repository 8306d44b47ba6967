"""The painting of the owner's printed map: a brush for each track, and strokes that become facts of the pack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from ...drawing.colours import INK
from ...drawing.hex_sets import board_hexes
from ...drawing.style import ROAD, Palette, palette_of
from ...game.boards import Board
from ...game.games import Game
from ...game.pack_map import check_printed, check_rulebook, drafts, find_map_place, map_file
from ...game.packs import Pack
from ...installed.registry import pack_of
from ...state.state import FactKey, hexside
from ...state.tracks import CERTAIN, Fact, Source, Track, Value
from ...util.errors import InputError
from ...util.files import read_bytes
from .desk import PageDesk
from .messages.photos import Brush, BrushWord, GroundShown, PaintedLayer
from .messages.requests import PaintRequest, RestoreRequest

_MAX_PLACES = 2000
"""The maximum number of hexes or hexsides in a stroke of one word."""
_MAX_WHOLE_HEXES = 250
"""The maximum number of hexes in a stroke that states all facts of each hex."""
_MAX_REASONS = 3
"""The maximum number of reasons given for places left out."""
_MAX_WORDS = 30
"""The maximum number of words of a brush. A track with more words is not painted."""
_SPARE_COLOURS = ("#8a3ffc", "#c2410c", "#0f766e", "#be185d", "#4d7c0f", "#1d4ed8", "#a16207", "#57534e")
"""The colours of words without a colour of their own."""

Changes = dict[FactKey, Value | None]
"""The new values of facts, with None for a removed fact."""


class _Ground(NamedTuple):
    game: Game
    name: str
    """The name of its board, or "" for the printed map."""
    board: Board
    """The board with the facts of the owner's pack."""
    pack: Pack

    @classmethod
    def of(cls, desk: PageDesk) -> _Ground:
        name = desk.position.state.board
        return cls(desk.game, name, desk.game.board(name), pack_of(desk.game))

    def fact(self, key: FactKey) -> Fact | None:
        """Return a fact as the board shows it, or None if it is unknown.

        The printed map shows a fact as a drawn board with the same numbers does.
        """
        shown = self.board.fact(*key)
        if shown is None and not self.name:
            shown = next((fact for _, fact in drafts(self.pack.game, key) if fact), None)
        return shown

    def is_certain(self, key: FactKey) -> bool:
        fact = self.fact(key)
        return fact is not None and fact.source in CERTAIN


def show_ground(desk: PageDesk) -> GroundShown:
    """Return the facts of a table's map in the owner's pack, and the brushes that can paint it."""
    ground = _Ground.of(desk)
    about = ground.pack.file_about(ground.name)
    layers = dict[tuple[str, str], list[str]]()
    for (board, subject, track), fact in ground.pack.ground().items():
        if board == about:
            layers.setdefault((track, ground.game.tracks[track].write(fact.value)), []).append(subject)
    painted = [
        PaintedLayer(track=track, value=value, subjects=" ".join(subjects))
        for (track, value), subjects in layers.items()
    ]
    return _show_changes(ground, brushes=_list_brushes(ground.game), layers=tuple(painted))


def _list_brushes(game: Game) -> tuple[Brush, ...]:
    """Return the brushes for the facts that a game's map prints in hexes and on hexsides, the terrain first."""
    picture = game.file.picture
    palette = palette_of(game)
    first = [picture.terrain, picture.barrier, picture.rail, picture.road, picture.town, picture.crossing]
    tracks = [track for track in game.tracks.values() if _is_painted(track)]
    tracks.sort(key=lambda track: first.index(track.name) if track.name in first else len(first))
    return tuple(_make_brush(game, palette, track) for track in tracks)


def _make_brush(game: Game, palette: Palette, track: Track) -> Brush:
    picture = game.file.picture
    crosses = track.name in (picture.rail, picture.road, picture.gauge)
    words = []
    for number, value in enumerate(_list_paintable(track)):
        word = BrushWord(
            value=track.write(value),
            word=_find_word(track, value),
            colour=_find_colour(game, palette, track, value, number),
            width=_find_width(palette, track, value, number, crosses=crosses),
        )
        words.append(word)
    return Brush(
        track=track.name,
        title=track.title.partition(" (")[0],
        on=track.on,
        crosses=crosses,
        several=track.kind == "choices",
        words=tuple(words),
    )


def _is_painted(track: Track) -> bool:
    """Return whether the map prints a track in hexes or on hexsides, with few enough words for a brush."""
    return track.printed == "map" and track.on in ("hex", "hexside") and 0 < len(_list_paintable(track)) <= _MAX_WORDS


def _list_paintable(track: Track) -> tuple[Value, ...]:
    if track.kind == "choices":
        return tuple(track.parse(word) for word in track.values)
    return track.in_turn() or track.values


def _find_word(track: Track, value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return track.write(value)


def _find_colour(game: Game, palette: Palette, track: Track, value: Value, number: int) -> str:
    """Return the colour of a painted value over the photo, or "" for a value that stands for an empty place.

    `number`: the index of the value.
    """
    picture = game.file.picture
    word = track.write(value)
    if track.name == picture.terrain:
        return palette.ground(word)
    if _is_nothing(palette, track, value):
        return ""
    if track.name == picture.barrier:
        style = palette.hexside(word)
        return style.colour if style else ""
    if track.name in (picture.rail, picture.road):
        return palette.link(word, INK if track.name == picture.rail else ROAD)
    if track.name == picture.country:
        return palette.country(word) or _SPARE_COLOURS[number % len(_SPARE_COLOURS)]
    return _SPARE_COLOURS[number % len(_SPARE_COLOURS)]


def _find_width(palette: Palette, track: Track, value: Value, number: int, *, crosses: bool) -> float:
    """Return the width of a painted hexside in pixels, or 0 for a hex.

    A larger river, or a later word for a railway, is wider.

    `number`: the index of the value.
    `crosses`: whether the fact leads from hex to hex.
    """
    if track.on == "hex":
        return 0.0
    style = None if crosses else palette.hexside(track.write(value))
    return round(2.5 + 2.2 * style.width, 1) if style else 2.0 + 1.5 * number


def _is_nothing(palette: Palette, track: Track, value: Value) -> bool:
    if isinstance(value, bool | tuple) and not value:
        return True
    return not isinstance(value, bool) and palette.hexside(track.write(value)) is None


def paint_stroke(desk: PageDesk, request: PaintRequest) -> GroundShown:
    """Paint a stroke, and return the facts that it has changed.

    Raises InputError if a place is not on the map, the track does not have the word, the stroke has too many places,
    or another entry of the pack's file contradicts it.
    """
    most = _MAX_PLACES if request.brush == "word" else _MAX_WHOLE_HEXES
    if len(request.subjects) > most:
        raise InputError(f"a stroke over more than {most} places", hint="paint it in several")
    ground = _Ground.of(desk)

    def change(known: Mapping[FactKey, Fact]) -> Changes:
        match request.brush:
            case "word":
                return _paint_word(ground, request, known)
            case "shown":
                return _confirm_shown(ground, request, known)
            case "nothing":
                return _paint_emptiness(ground, request, known)
            case "remove":
                return _remove_facts(ground, request, known)

    return _change_ground(desk, ground, change)


def restore_stroke(desk: PageDesk, request: RestoreRequest) -> GroundShown:
    """Undo a stroke, or do it again, except where another page has painted since.

    Raises the errors of `paint_stroke`.
    """
    ground = _Ground.of(desk)
    for track in {name: ground.game.track(name) for name, _, _, _ in request.changes}.values():
        check_printed(track)

    def change(known: Mapping[FactKey, Fact]) -> Changes:
        changes: Changes = {}
        for name, subject, now, then in request.changes:
            track = ground.game.track(name)
            key = find_map_place(ground.game, ground.board, subject, name)
            current = track.write(known[key].value) if key in known else None
            if current == now:
                changes[key] = None if then is None else track.parse(then)
        return changes

    return _change_ground(desk, ground, change)


def _change_ground(desk: PageDesk, ground: _Ground, change: Callable[[Mapping[FactKey, Fact]], Changes]) -> GroundShown:
    left: dict[str, None] = {}
    before = _digest_ground(ground)

    def without_contradictions(known: Mapping[FactKey, Fact]) -> Changes:
        changes: Changes = {}
        for key, value in change(known).items():
            try:
                if value is not None:
                    check_rulebook(ground.pack.game, ground.name, key, Fact(value, Source.PRINTED))
                changes[key] = value
            except InputError as error:
                left.setdefault(f"{error.what}; {error.hint}")
        return changes

    changed = ground.pack.change_ground(ground.name, without_contradictions)
    desk.renew()
    changes = list[tuple[str, str, str | None, str | None]]()
    for (name, subject), (was, now) in changed.items():
        track = ground.game.tracks[name]
        before_it = None if was is None else track.write(was)
        after_it = None if now is None else track.write(now)
        changes.append((name, subject, before_it, after_it))
    return _show_changes(_Ground.of(desk), changes=tuple(changes), left=tuple(left)[:_MAX_REASONS], before=before)


def _paint_word(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    track = ground.game.track(request.track)
    check_printed(track)
    value = track.parse(request.value)
    changes = Changes()
    for subject in request.subjects:
        key = find_map_place(ground.game, ground.board, subject, track.name)
        changes[key] = value
        if request.adds and isinstance(value, tuple) and (existing := known.get(key) or ground.fact(key)):
            changes[key] = track.check((*existing.value, *value)) if isinstance(existing.value, tuple) else value
    return changes


def _confirm_shown(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    changes: Changes = {}
    for key in _list_keys(ground, request):
        fact = ground.fact(key)
        if key not in known and fact is not None and fact.source not in CERTAIN:
            changes[key] = fact.value
    return changes


def _paint_emptiness(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    """Return the facts that no river, road or town is there, unless the pack or the rulebook says otherwise.

    A hex always has terrain.
    """
    palette = palette_of(ground.game)
    picture = ground.game.file.picture
    changes = Changes()
    for key in _list_keys(ground, request):
        track = ground.game.tracks[key[0]]
        may_be_empty = track.kind == "flag" or track.on == "hexside" or track.name == picture.town
        if not may_be_empty or not _is_painted(track) or key in known or ground.is_certain(key):
            continue
        nothing = _list_paintable(track)[0]
        if _is_nothing(palette, track, nothing):
            changes[key] = nothing
    return changes


def _remove_facts(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    sides = {ground.board.hexside(subject) for subject in request.subjects if "|" in subject}
    hexes = {ground.board.place(subject) for subject in request.subjects if "|" not in subject}
    changes: Changes = {}
    for track, subject in known:
        if subject in sides or not hexes.isdisjoint(subject.split("|")):
            changes[track, subject] = None
    return changes


def _list_keys(ground: _Ground, request: PaintRequest) -> Iterator[FactKey]:
    printed = [track for track in ground.game.tracks.values() if track.printed == "map"]
    hexes = dict.fromkeys(ground.board.place(subject) for subject in request.subjects)
    sides = dict.fromkeys(hexside(at, other) for at in hexes for other in ground.board.neighbours(at))
    for track in printed:
        if track.on == "hex":
            for at in hexes:
                yield track.name, at
        elif track.on == "hexside":
            for side in sides:
                yield track.name, side


def _show_changes(
    ground: _Ground,
    *,
    brushes: tuple[Brush, ...] = (),
    layers: tuple[PaintedLayer, ...] | None = None,
    changes: tuple[tuple[str, str, str | None, str | None], ...] = (),
    left: tuple[str, ...] = (),
    before: str = "",
) -> GroundShown:
    printed, total = _count_printed(ground.game, ground.name)
    return GroundShown(
        brushes=brushes,
        layers=layers,
        changes=changes,
        left=left,
        printed=printed,
        total=total,
        mark=_digest_ground(ground),
        before=before,
    )


def _count_printed(game: Game, name: str) -> tuple[int, int]:
    """Return the number of hexes whose terrain is known from the pack or the rulebook, and the number of all hexes.

    `name`: the name of the board, or "" for the printed map.
    """
    board = game.board(name)
    terrain = game.file.picture.terrain
    whole = [drawn for drawn in map(game.board, game.board_names) if drawn.hexes and game.has_printed_numbers(drawn)]
    measured = board if name or len(whole) != 1 else whole[0]
    facts = measured.facts
    certain = {number for number, fact in enumerate(facts.known) if fact.source in CERTAIN}
    printed = {subject for subject, number in facts.layers.get(terrain, {}).items() if number in certain}
    printed |= {subject for (track, subject), fact in facts.over.items() if track == terrain and fact.source in CERTAIN}
    return len(printed), len(measured.hexes) or sum(1 for _ in board_hexes(measured))


def _digest_ground(ground: _Ground) -> str:
    file = map_file(ground.pack.folder, ground.pack.file_about(ground.name))
    return blake2b(read_bytes(file), digest_size=9).hexdigest() if file.exists() else ""
