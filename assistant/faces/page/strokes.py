"""What the owner paints of his printed map: strokes of a brush become facts of his pack, and can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from ...drawing.hex_sets import board_hexes
from ...drawing.style import palette_of
from ...game.boards import Board
from ...game.games import Game
from ...game.pack_map import check_printed, check_rulebook, drafts, find_map_place, map_file
from ...game.packs import Pack
from ...installed.registry import pack_of
from ...state.state import FactKey, hexside
from ...state.tracks import CERTAIN, Fact, Source, Value
from ...util.errors import InputError
from ...util.files import read_bytes
from .brushes import is_nothing, is_painted, list_brushes, paintable_values
from .desk import PageDesk
from .messages.photos import Brush, GroundShown, PaintedLayer
from .messages.requests import PaintRequest, RestoreRequest

MOST = 2000
"""The most hexes or hexsides of a stroke of one word."""
_MOST_WHOLE = 250
"""The most hexes of a stroke that states all of each."""
_MOST_REASONS = 3
"""How many reasons are given for places that were left out."""

Changes = dict[FactKey, Value | None]
"""The values that facts get, None for one that goes."""


class _Ground(NamedTuple):
    """The map of a table."""

    game: Game
    name: str
    """The name of its board, "" for the printed map."""
    board: Board
    """It has what the pack has."""
    pack: Pack
    """The owner's."""

    @classmethod
    def of(cls, desk: PageDesk) -> _Ground:
        name = desk.position.state.board
        return cls(desk.game, name, desk.game.board(name), pack_of(desk.game))

    def fact(self, key: FactKey) -> Fact | None:
        """Return what the board shows; where none is drawn, what a board with the numbers of the printed map does."""
        shown = self.board.fact(*key)
        if shown is None and not self.name:
            shown = next((fact for _, fact in drafts(self.pack.game, key) if fact), None)
        return shown

    def is_certain(self, key: FactKey) -> bool:
        """Return whether a fact is printed, in the pack or in the rulebook."""
        fact = self.fact(key)
        return fact is not None and fact.source in CERTAIN


def show_ground(desk: PageDesk) -> GroundShown:
    """Return what the owner's pack has of the map of a table, and with what it can be painted."""
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
    return _shown(ground, brushes=list_brushes(ground.game), layers=tuple(painted))


def paint(desk: PageDesk, request: PaintRequest) -> GroundShown:
    """Paint a stroke, and show what it has changed. Raises InputError for a place that is not on the map, a word that
    the track does not have, a stroke over too many places, and an entry of the pack's file that says otherwise.
    """
    most = MOST if request.brush == "word" else _MOST_WHOLE
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
                return _paint_nothing(ground, request, known)
            case "remove":
                return _remove(ground, request, known)

    return _change(desk, ground, change)


def restore(desk: PageDesk, request: RestoreRequest) -> GroundShown:
    """Take back a stroke, or do it again, except where another page has painted since. Raises InputError as `paint`
    does.
    """
    ground = _Ground.of(desk)
    for track in {name: ground.game.track(name) for name, _, _, _ in request.changes}.values():
        check_printed(track)

    def change(known: Mapping[FactKey, Fact]) -> Changes:
        changes: Changes = {}
        for name, subject, now, then in request.changes:
            track = ground.game.track(name)
            key = find_map_place(ground.game, ground.board, subject, name)
            there = track.write(known[key].value) if key in known else None
            if there == now:
                changes[key] = None if then is None else track.parse(then)
        return changes

    return _change(desk, ground, change)


def _change(desk: PageDesk, ground: _Ground, change: Callable[[Mapping[FactKey, Fact]], Changes]) -> GroundShown:
    left: dict[str, None] = {}
    before = _mark(ground)

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
    return _shown(_Ground.of(desk), changes=tuple(changes), left=tuple(left)[:_MOST_REASONS], before=before)


def _paint_word(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    track = ground.game.track(request.track)
    check_printed(track)
    value = track.parse(request.value)
    changes = Changes()
    for subject in request.subjects:
        key = find_map_place(ground.game, ground.board, subject, track.name)
        changes[key] = value
        if request.adds and isinstance(value, tuple) and (there := known.get(key) or ground.fact(key)):
            changes[key] = track.check((*there.value, *value)) if isinstance(there.value, tuple) else value
    return changes


def _confirm_shown(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    """Return what the board shows of hexes and their hexsides, as far as it is not printed."""
    changes: Changes = {}
    for key in _keys_at(ground, request):
        fact = ground.fact(key)
        if key not in known and fact is not None and fact.source not in CERTAIN:
            changes[key] = fact.value
    return changes


def _paint_nothing(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    """Paint nothing where neither the pack nor the rulebook says what is there: no river, no road, no town. Of terrain
    there is no such thing.
    """
    palette = palette_of(ground.game)
    picture = ground.game.file.picture
    changes = Changes()
    for key in _keys_at(ground, request):
        track = ground.game.tracks[key[0]]
        may_be_empty = track.kind == "flag" or track.on == "hexside" or track.name == picture.town
        if not may_be_empty or not is_painted(track) or key in known or ground.is_certain(key):
            continue
        nothing = paintable_values(track)[0]
        if is_nothing(palette, track, nothing):
            changes[key] = nothing
    return changes


def _remove(ground: _Ground, request: PaintRequest, known: Mapping[FactKey, Fact]) -> Changes:
    """Return all that the pack has of hexes and their hexsides goes; of hexsides alone what it has of them."""
    sides = {ground.board.hexside(subject) for subject in request.subjects if "|" in subject}
    hexes = {ground.board.place(subject) for subject in request.subjects if "|" not in subject}
    changes: Changes = {}
    for track, subject in known:
        if subject in sides or not hexes.isdisjoint(subject.split("|")):
            changes[track, subject] = None
    return changes


def _keys_at(ground: _Ground, request: PaintRequest) -> Iterator[FactKey]:
    """Yield what a map prints in hexes and on their hexsides, each once."""
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


def _shown(
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
        mark=_mark(ground),
        before=before,
    )


def _count_printed(game: Game, name: str) -> tuple[int, int]:
    """Return of how many hexes of a board, "" for the printed map, the terrain is printed, in the pack or in the
    rulebook; and how many hexes it has.
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


def _mark(ground: _Ground) -> str:
    """Return a word for what the pack has of the map, which changes with it."""
    file = map_file(ground.pack.folder, ground.pack.file_about(ground.name))
    return blake2b(read_bytes(file), digest_size=9).hexdigest() if file.exists() else ""
