"""Set-ups of a module: a position as a save, with the facts on its counters, its notes, and the view that it opens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from math import dist
from typing import NamedTuple

import msgspec

from assistant.formats.notation_writer import write_remarks
from assistant.formats.positions import Position
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.hidden_facts import KEPT_FACTS, facts_to_keep, write_kept
from assistant.formats.vassal.legends import BOARD, HEADING, game_tracks, turn_track
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import MODULE as OF_MODULE
from assistant.formats.vassal.saves import Ping, Save
from assistant.formats.vassal.written.pens import course_of
from assistant.game.covers import cover_counters, hidden_units
from assistant.state.state import MASKED, FactKey, Unit
from assistant.state.tracks import Value
from assistant.util.errors import InputError

from ..counters.columns import printed_fact
from .module_setting import MAP, ModuleSetting
from .pieces.statuses import Status
from .pieces.traits import shows_crests, side_of
from .records import RECORDS
from .sheets import SHEET
from .turn_track import TURNS, group_by_place
from .windows import BOXES

TRACKER = "TurnTracker0"
_HINT_FOR_PLAYERS = (
    "What the counters cannot show is written below, as position notation; the assistant reads it with the save.\n"
    "Above the next line anything may be written.\n"
)
_NOTHING: Mapping[str, Value] = {}
FLARE = "Flare0"
"""VASSAL's name for the pings of the window that opens first."""
REACH_HEXES = 4
"""The number of hexes around a unit that its fight extends."""


class SetUp(NamedTuple):
    """A save, and the units that are off its board."""

    save: Save
    left_out: tuple[str, ...]


def write_set_up(setting: ModuleSetting, position: Position, notes: str = "") -> SetUp:
    """Return the save of a position, on the printed map if the drawn board has the same numbers.

    Counters show the facts that they can. The notes repeat the doubtful ones.

    `notes`: the text of the scenario.

    Raises InputError if the board is another one, a unit has no counter, or VASSAL cannot hold a text.
    """
    of_module, places = setting.properties, setting.pixels_by_place
    board = of_module[BOARD]
    if board and not position.state.board and setting.game.has_printed_numbers(setting.game.board(board)):
        position = position.with_state(msgspec.structs.replace(position.state, board=board))
    if position.state.board != board:
        hint = f"write: board {board}" if board else "leave out its board"
        raise InputError("the module does not show the board of this position", hint=hint)
    arriving = _find_arriving(setting, position)
    shown = _ShownFacts(setting, position, places, arriving)
    placed = {unit.id for unit in position.state.units.values() if unit.place in places} | arriving.keys()
    left_out = tuple(unit for unit in position.state.units if unit not in placed)
    of_units = {key for key in position.state.facts if setting.game.tracks[key[0]].on == "unit"}
    unneeded = {key for key in of_units if key[1] in left_out} | shown.certain()
    pieces, stacks = _lay_out(setting, position, shown, arriving)
    sheets = [*setting.displays, *setting.windows]
    if setting.track is not None:
        sheets.append(TURNS)
    if setting.records is not None:
        sheets.append(RECORDS)
    save = Save(
        about=setting.about,
        boards={MAP: ((setting.board, 0, 0),), **dict.fromkeys(sheets, ((SHEET, 0, 0),))},
        pieces=pieces,
        stacks=stacks,
        notes=notes,
        public_notes="\n".join([_HINT_FOR_PLAYERS, HEADING, *write_remarks(position, unneeded)]),
        properties={(OF_MODULE, name): value for name, value in (of_module | shown.course.properties).items()},
        turns={TRACKER: shown.course.turn} if shown.course.turn else {},
        pings=_find_opening(setting, position),
    )
    return SetUp(save, left_out)


def _find_opening(setting: ModuleSetting, position: Position) -> tuple[Ping, ...]:
    """Return the pixel at which the first window opens: the fight on the map, or the middle of the boxes in use."""
    game, places = setting.game, setting.pixels_by_place
    opened = BOXES if setting.opens_on_boxes else MAP
    spots = [
        UnitSpot(places[unit.place][1], side_of(game, unit.type))
        for unit in position.state.units.values()
        if unit.place in places and places[unit.place][0] == opened
    ]
    hex = game.file.module.hex if game.file.module else 0
    at = find_fight(spots, REACH_HEXES * hex) if opened == MAP else middle_of_pixels([spot.at for spot in spots])
    return (Ping(FLARE, at),) if at is not None else ()


def _lay_out(
    setting: ModuleSetting, position: Position, shown: _ShownFacts, arriving: Mapping[str, int]
) -> tuple[dict[str, Piece], dict[str, PieceStack]]:
    """Return the pieces and stacks of a position by id: first those in places, then arriving ones."""
    pieces: dict[str, Piece] = {}
    stacks: dict[str, PieceStack] = {}
    for place, (window, at) in setting.pixels_by_place.items():
        markers = [*shown.markers(place)] if window == MAP else []
        for status, value in markers:
            if not status.nation:
                id = str(len(pieces) + 1)
                pieces[id] = setting.maker.placed_marker(status, value, id, window, at)
        lying: dict[Pixel, list[str]] = {}
        for unit in reversed(position.state.stack(place)):
            here = setting.pixel_of_unit(window, at, unit.type)
            name = unit.id if setting.game.type_of(unit.id) == unit.type else unit.type
            id = str(len(pieces) + 1)
            lying.setdefault(here, []).append(id)
            pieces[id] = setting.maker.placed_unit(name, shown.on_units[unit.id], id, window, here)
        for status, value in markers:
            if status.nation:  # the marker lies on the stack
                id = str(len(pieces) + 1)
                lying.setdefault(at, []).append(id)
                pieces[id] = setting.maker.placed_marker(status, value, id, window, at)
        for number, (here, ids) in enumerate(lying.items()):
            stack = f"stack {place}" + (f" {number}" if number else "")
            stacks[stack] = PieceStack(stack, tuple(ids), window, here)
    middles = setting.track.middles if setting.track is not None else {}
    for number, names in _units_by_turn(arriving).items():
        at = middles[str(number)]
        stack = f"arrivals {number}"  # no place has a stack of this name
        ids = [str(len(pieces) + place) for place in range(1, len(names) + 1)]
        for id, name in zip(ids, names, strict=True):
            pieces[id] = setting.maker.placed_unit(name, shown.on_units.get(name, _NOTHING), id, TURNS, at)
        stacks[stack] = PieceStack(stack, tuple(ids), TURNS, at)
    records = [*setting.records.pieces(setting.maker.slots, position.state.facts)] if setting.records else []
    for at, pile in group_by_place(records).items():
        stack = f"records {pile[0].id}"
        stacks[stack] = PieceStack(stack, tuple(piece.id for piece in pile), RECORDS, at)
    return pieces | {piece.id: piece for piece in (*setting.turn_frames, *records)}, stacks


def _find_arriving(setting: ModuleSetting, position: Position) -> dict[str, int]:
    """Return the units that arrive later, each with its turn from the position or from the roster."""
    track = setting.track
    if track is None or not track.arrives:
        return {}
    state, turn = position.state, turn_track(setting.game)
    now = state.facts.get((turn.name, "")) if turn else None
    first = now.value if now and isinstance(now.value, int) else track.numbers.start
    turns = {}
    waiting = (unit for type in setting.maker.art for unit in setting.game.copies(type))
    for unit in dict.fromkeys([*state.units, *waiting]):
        if unit in state.units and state.units[unit].place is not None:
            continue
        stated = state.facts.get((track.arrives, unit)) or printed_fact(setting.game, unit, track.arrives)
        number = stated.value if stated else None
        if (
            setting.game.type_of(unit) in setting.maker.art
            and isinstance(number, int)
            and first < number < track.numbers.stop
        ):
            turns[unit] = number
    return turns


def _units_by_turn(arriving: Mapping[str, int]) -> dict[int, list[str]]:
    """Return the units of each turn, the first one on top."""
    units_in: dict[int, list[str]] = {}
    for unit, number in reversed([*arriving.items()]):
        units_in.setdefault(number, []).append(unit)
    return dict(sorted(units_in.items()))


class _ShownFacts:
    """The facts of a position that the counters of a set-up show."""

    def __init__(
        self, setting: ModuleSetting, position: Position, places: Container[str], arriving: Mapping[str, int]
    ) -> None:
        self.setting, self.game = setting, position.game
        self.state = cover_counters(self.game, position.state)
        self.arriving, self.arrives = arriving, setting.track.arrives if setting.track else ""
        self.kept: set[FactKey] = set()
        self.hidden = hidden_units(self.game, self.state) if shows_crests(self.game) else frozenset()
        units = self.state.units.values()
        self.on_units = {unit.id: self.values(unit) for unit in units if unit.place in places or unit.id in arriving}
        self.course = course_of(self.game, self.state.facts, setting.steps)

    def values(self, unit: Unit) -> dict[str, Value]:
        """Return the facts that a unit's counter shows, even by showing nothing.

        Raises InputError if the unit has no counter.
        """
        if unit.type not in self.setting.maker.art:
            hint = "game.toml names the file of the module's units under [module]"
            spot = f", which stands at {unit.place}" if unit.place else ""
            raise InputError(f"the module has no counter of {unit.type}{spot}", hint=hint)
        known = self.setting.maker.shown(unit.type)
        facts = self.state.facts_of.get(unit.id, {}).items()
        shown: dict[str, Value] = {
            name: fact.value for name, fact in facts if name in known and fact.value in (known[name] or (fact.value,))
        }
        kept = facts_to_keep(self.game, self.state, unit.id) if unit.id in self.hidden else {}
        others = {name: fact for name, fact in kept.items() if name not in shown}
        self.kept |= {(name, unit.id) for name in others}
        if others:
            shown[KEPT_FACTS] = write_kept(self.game, others)
        return shown

    def certain(self) -> set[FactKey]:
        """Return the shown facts that are not assumed and need no note."""
        conceals = self.game.hiding.conceals(self.state.facts)
        marked = {status.track.name: status.values for status in self.setting.maker.markers}
        of_the_game = {track.name for track in game_tracks(self.game)} | self.course.in_turn

        def is_shown(track: str, subject: str, value: Value) -> bool:
            if track in marked:
                drawn = self.setting.grid.hexes, self.setting.grid.boxes
                return any(subject in some for some in drawn) and value in marked[track]
            if track == self.arrives and subject in self.arriving:
                return value == self.arriving[subject]
            if track == conceals:
                return MASKED in self.on_units.get(subject, ())
            return track in of_the_game or track in self.on_units.get(subject, ())

        shown = {key for key, fact in self.state.facts.items() if not fact.assumed and is_shown(*key, fact.value)}
        return shown | self.kept

    def markers(self, place: str) -> Iterator[tuple[Status, Value]]:
        """Yield the markers in a hex with their values. A marker that covers the stack has the top unit's nation."""
        stated = self.state.facts_of.get(place)
        if not stated:
            return
        nation = self._nation_at(place)
        for status in self.setting.maker.markers:
            fact = stated.get(status.track.name)
            if fact is not None and fact.value in status.values and status.nation in ("", nation):
                yield status, fact.value

    def _nation_at(self, place: str) -> str:
        """Return the nation of the top unit in a place, or the game's first if none is known."""
        known = (self.game.nation_of_unit(unit, self.state.facts) for unit in self.state.stack(place))
        nations = self.game.file.nations
        return next((nation for nation in known if nation in nations), next(iter(nations), ""))


class UnitSpot(NamedTuple):
    """A unit on the map, and its side, or "" if that is unknown."""

    at: Pixel
    side: str


def find_fight(spots: Sequence[UnitSpot], reach: float) -> Pixel | None:
    """Return the middle of the units around the one with most friends and enemies nearby, or None without units.

    The smaller of the two numbers counts. If no enemies are near, the result is the middle between the nearest ones.
    With one side only, it is the middle of the densest units.

    `reach`: the maximum distance of a nearby unit, in pixels.
    """
    if not spots:
        return None
    counted = Counter(spots)  # counted, so that the work grows with the places, not with the units in them
    places = [*counted]
    near = [*_find_near(places, reach)]

    def count_units(number: int) -> tuple[int, int]:
        friends = sum(counted[other] for other in near[number] if other.side == places[number].side)
        there = sum(counted[other] for other in near[number])
        return min(friends, there - friends), there

    best = max(range(len(places)), key=count_units)
    around = [spot.at for spot in near[best] for _ in range(counted[spot])]
    if count_units(best)[0]:
        return _mean_of(around)
    several = len({spot.side for spot in places}) > 1
    pairs = ((one.at, other.at) for one in places for other in places if one.side != other.side)
    closest = min(pairs, key=lambda pair: dist(*pair), default=None) if several else None
    return _mean_of(closest or around)


def middle_of_pixels(pixels: Sequence[Pixel]) -> Pixel | None:
    """Return the middle of the smallest rectangle around pixels, or None without any."""
    if not pixels:
        return None
    xs, ys = zip(*pixels, strict=True)
    return (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2


def _find_near(places: Sequence[UnitSpot], reach: float) -> Iterator[list[UnitSpot]]:
    """Yield for each spot the spots within reach, in order, found by squares of the map."""
    squares: dict[tuple[int, int], list[int]] = {}
    for number, (x, y) in enumerate(spot.at for spot in places):
        squares.setdefault((int(x // reach), int(y // reach)), []).append(number)
    for spot in places:
        column, row = int(spot.at[0] // reach), int(spot.at[1] // reach)
        around = ((column + across, row + down) for across in (-1, 0, 1) for down in (-1, 0, 1))
        numbers = sorted(number for square in around for number in squares.get(square, ()))
        yield [places[number] for number in numbers if dist(spot.at, places[number].at) <= reach]


def _mean_of(pixels: Sequence[Pixel]) -> Pixel:
    xs, ys = zip(*pixels, strict=True)
    return round(sum(xs) / len(xs)), round(sum(ys) / len(ys))
