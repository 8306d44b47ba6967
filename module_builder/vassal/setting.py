"""What a module and its set-ups have in common, each set-up as a save, and the build file that puts the module
together.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from lxml import etree

from assistant.formats.positions import Position
from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.grids import Hexes, Pixel, Regions
from assistant.formats.vassal.legends import (
    ARRIVALS,
    ASIDE,
    BOARD,
    GAME,
    GRID,
    HEADING,
    PLAYER,
    REPORT,
    STEPS,
    TOTAL,
    UNIT,
    Steps,
    TurnBoxes,
    Window,
    game_tracks,
    tracker,
)
from assistant.formats.vassal.pieces import Piece, Stack, definition
from assistant.formats.vassal.saves import MODULE as OF_MODULE
from assistant.formats.vassal.saves import Save
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait
from assistant.formats.vassal.written.laying import course_of
from assistant.formats.writing import remarks
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.state.state import FactKey, Unit
from assistant.state.tracks import Track, Value
from assistant.util.errors import InputError

from ..counters.columns import printed_fact
from .boards import BoardGrid, PictureWindow
from .charts import chart_window
from .elements import AWAY, INVENTORY, MODULE, NOTES, TRACK, add
from .keys import dice_key, lapses
from .palettes import add_palettes
from .pieces import traits
from .pieces.maker import FIRST_FREE_SLOT, Maker
from .pieces.traits import MOST, Status, private_window
from .sheets import OUT, SHEET, TURNS, Display, TrackerList, TurnTrack, turn_tracker
from .windows import BOXES, map_window, sheet_image, side_window

MAP = "Map"
TRACKER = "TurnTracker0"
_FOR_PLAYERS = (
    "What the counters cannot show is written below, as position notation; the assistant reads it with the save.\n"
    "Above the next line anything may be written.\n"
)


class Setting(NamedTuple):
    """What every set-up of a module has in common.

    board: its name in the module; shown: the part of the map that is drawn; grid: its hexes in pixels; about: the
    module; track: its turn track, None if it has none; lists: what the turn tracker goes through within a turn;
    windows: those with pictures of other boards, by title; displays: the drawn sheets beside the map, by the names of
    their windows.
    """

    game: Game
    maker: Maker
    board: str
    shown: HexGrid
    grid: BoardGrid
    about: ModuleData
    track: TurnTrack | None = None
    lists: tuple[TrackerList, ...] = ()
    windows: Mapping[str, PictureWindow] = {}
    displays: Mapping[str, Display] = {}

    @property
    def steps(self) -> tuple[Steps, ...]:
        """What the entries of these lists state."""
        return tuple(listed.steps for listed in self.lists)

    @property
    def places(self) -> dict[str, tuple[str, Pixel]]:
        """Where counters can stand: the window and the pixel of each hex and box."""
        pixels = {place: (MAP, at) for place, at in (*self.grid.hexes.items(), *self.grid.boxes.items())}
        for title, shown in self.windows.items():
            pixels |= {box: (title, at) for box, at in shown.grid.boxes.items()}
        if BOXES in self.displays:
            pixels |= {box: (BOXES, at) for box, at in self.displays[BOXES].middles.items()}
        return pixels

    @property
    def properties(self) -> dict[str, str]:
        """The global properties by which the assistant knows the module."""
        board = self.game.board(self.game.file.module.board if self.game.file.module else "")
        size = None if isinstance(self.grid.grid, Hexes) else self.grid.size
        window = Window(self.grid.grid, self.shown.columns, self.shown.rows, size)
        written = {GAME: self.game.id, BOARD: board.name, f"{GRID} {MAP}": msgspec.json.encode(window).decode()}
        for title, shown in self.windows.items():
            pictured = Window(shown.grid.grid, window.columns, window.rows, shown.grid.size)
            written[f"{GRID} {title}"] = msgspec.json.encode(pictured).decode()
        if (sheet := self.displays.get(BOXES)) is not None:
            regions = Window(Regions.of(sheet.middles), window.columns, window.rows, sheet.size)
            written[f"{GRID} {BOXES}"] = msgspec.json.encode(regions).decode()
        if self.steps:
            written[STEPS] = msgspec.json.encode(self.steps).decode()
        if (track := self.track) is not None:
            written[f"{ASIDE} {TURNS}"] = "yes"
            if track.arrives:
                turns = TurnBoxes(track.arrives, Regions.of(track.middles))
                written[f"{ARRIVALS} {TURNS}"] = msgspec.json.encode(turns).decode()
        return written | {f"{ASIDE} {OUT}": "yes"} | traits.properties(self.game)


# --- set-ups ----------------------------------------------------------------------------------------------------------

_NOTHING: Mapping[str, Value] = {}


class SetUp(NamedTuple):
    """A save, and the units that stand off its board."""

    save: Save
    left_out: tuple[str, ...]


def set_up(setting: Setting, position: Position, notes: str = "") -> SetUp:
    """The save of a position. notes: the text of the scenario.

    A fact that a counter can show is shown by it, and stands in the notes too where its stater is not sure of it.
    Raises InputError for a position on another board, for a unit without a counter in the module, and for a text that
    VASSAL cannot hold.
    """
    of_module, places = setting.properties, setting.places
    board = of_module[BOARD]
    if position.state.board != board:
        hint = f"write: board {board}" if board else "leave out its board"
        raise InputError("the module does not show the board of this position", hint=hint)
    arriving = _arriving(setting, position)
    shown = _ShownFacts(setting, position, places, arriving)
    placed = {unit.id for unit in position.state.units.values() if unit.place in places} | arriving.keys()
    left_out = tuple(unit for unit in position.state.units if unit not in placed)
    of_units = {key for key in position.state.facts if setting.game.tracks[key[0]].on == "unit"}
    said = {key for key in of_units if key[1] in left_out} | shown.certain()
    pieces: dict[str, Piece] = {}
    stacks: dict[str, Stack] = {}
    for place, (window, at) in places.items():
        ids = []
        for status, value in shown.markers(place) if window == MAP else ():
            id = str(len(pieces) + 1)
            pieces[id] = setting.maker.placed_marker(status, value, id, window, at)
        for unit in reversed(position.state.stack(place)):
            ids.append(str(len(pieces) + 1))
            pieces[ids[-1]] = setting.maker.placed_unit(unit.type, shown.on_units[unit.id], ids[-1], window, at)
        if ids:
            stacks[f"stack {place}"] = Stack(f"stack {place}", tuple(ids), window, at)
    for number, names in _by_turn(arriving).items():
        at, stack = setting.track.middles[str(number)] if setting.track else (0, 0), f"stack turn {number}"
        ids = [str(len(pieces) + place) for place in range(1, len(names) + 1)]
        for id, name in zip(ids, names, strict=True):
            pieces[id] = setting.maker.placed_unit(name, shown.on_units.get(name, _NOTHING), id, TURNS, at)
        stacks[stack] = Stack(stack, tuple(ids), TURNS, at)
    sheets = [*setting.displays, *setting.windows, *([TURNS] if setting.track is not None else [])]
    save = Save(
        about=setting.about,
        boards={MAP: ((setting.board, 0, 0),), **dict.fromkeys(sheets, ((SHEET, 0, 0),))},
        pieces=pieces,
        stacks=stacks,
        notes=notes,
        public_notes="\n".join([_FOR_PLAYERS, HEADING, *remarks(position, said)]),
        properties={(OF_MODULE, name): value for name, value in (of_module | shown.course.properties).items()},
        turns={TRACKER: shown.course.turn} if shown.course.turn else {},
    )
    return SetUp(save, left_out)


def _arriving(setting: Setting, position: Position) -> dict[str, int]:
    """The units that come into play in a later turn, each with it: as the position says, or what is known of the unit."""
    track = setting.track
    if track is None or not track.arrives:
        return {}
    state, turn = position.state, tracker(setting.game)
    now = state.facts.get((turn.name, "")) if turn else None
    first = now.value if now and isinstance(now.value, int) else track.numbers.start
    turns = {}
    for unit in dict.fromkeys([*state.units, *setting.maker.art]):
        if unit in state.units and state.units[unit].place is not None:
            continue
        stated = state.facts.get((track.arrives, unit)) or printed_fact(setting.game, unit, track.arrives)
        number = stated.value if stated else None
        if unit in setting.maker.art and isinstance(number, int) and first < number < track.numbers.stop:
            turns[unit] = number
    return turns


def _by_turn(arriving: Mapping[str, int]) -> dict[int, list[str]]:
    """The units of each turn, the first one lying on top."""
    units_in: dict[int, list[str]] = {}
    for unit, number in reversed([*arriving.items()]):
        units_in.setdefault(number, []).append(unit)
    return dict(sorted(units_in.items()))


class _ShownFacts:
    """What the counters of a set-up show of its position."""

    def __init__(
        self, setting: Setting, position: Position, places: Container[str], arriving: Mapping[str, int]
    ) -> None:
        self.setting, self.game, self.state = setting, position.game, position.state
        self.arriving, self.arrives = arriving, setting.track.arrives if setting.track else ""
        units = self.state.units.values()
        self.on_units = {unit.id: self.values(unit) for unit in units if unit.place in places or unit.id in arriving}
        self.course = course_of(self.game, self.state.facts, setting.steps)

    def values(self, unit: Unit) -> dict[str, Value]:
        """The facts that a unit's counter shows, also by their absence. Raises InputError if the unit has no counter."""
        if unit.type not in self.setting.maker.art:
            hint = "game.toml names the file of the module's units under [module]"
            spot = f", which stands at {unit.place}" if unit.place else ""
            raise InputError(f"the module has no counter of {unit.type}{spot}", hint=hint)
        known = self.setting.maker.shown(unit.type)
        facts = self.state.facts_of.get(unit.id, {}).items()
        return {
            name: fact.value for name, fact in facts if name in known and fact.value in (known[name] or (fact.value,))
        }

    def certain(self) -> set[FactKey]:
        """The facts that are shown and not assumed: they need no note."""
        marked = {status.track.name: status.values for status in self.setting.maker.markers}
        of_the_game = {track.name for track in game_tracks(self.game)} | self.course.in_turn

        def is_shown(track: str, subject: str, value: Value) -> bool:
            if track in marked:
                drawn = self.setting.grid.hexes, self.setting.grid.boxes
                return any(subject in some for some in drawn) and value in marked[track]
            if track == self.arrives and subject in self.arriving:
                return value == self.arriving[subject]
            return track in of_the_game or track in self.on_units.get(subject, ())

        return {key for key, fact in self.state.facts.items() if not fact.assumed and is_shown(*key, fact.value)}

    def markers(self, place: str) -> Iterator[tuple[Status, Value]]:
        """The markers in a hex, each with the value that it states."""
        stated = self.state.facts_of.get(place, {})
        for status in self.setting.maker.markers if stated else ():
            fact = stated.get(status.track.name)
            if fact is not None and fact.value in status.values:
                yield status, fact.value


# --- the build file ---------------------------------------------------------------------------------------------------

PICTURE, HELP, KEYS = "board", "help.html", "keys.html"
"""The files of the board's picture, without its ending, of the help page, and of the page with all keys."""
VASSAL_VERSION = "3.6.0"
"""The oldest engine that the modules are made for; newer ones open them too."""


def build_file(
    setting: Setting, wanted: VassalModule, picture: str, setups: Sequence[tuple[str, str]]
) -> etree._Element:
    """What the file `buildFile.xml` holds. picture: the file of the board's; setups: title and file."""
    about, sides, turn = setting.about, setting.game.file.sides, tracker(setting.game)
    root = etree.Element(
        "VASSAL.build.GameModule",
        name=about.module,
        version=about.module_version,
        VassalVersion=about.vassal_version,
        description=about.description,
        nextPieceSlotId=str(FIRST_FREE_SLOT),
    )
    add(root, MODULE + "BasicCommandEncoder")
    documentation = add(root, MODULE + "Documentation")
    for title, page in (("About this module", HELP), ("Keys", KEYS)):
        add(documentation, MODULE + "documentation.HelpFile", title=title, fileName=page, fileType="archive")
    if sides:
        roster = add(root, MODULE + "PlayerRoster", buttonText="Side", buttonToolTip="Leave your side, or take one")
        for side in sides:
            add(roster, "entry", side)
    add(root, MODULE + "GlobalOptions", promptString="Opponents can unmask my pieces", autoReport="Always")
    _properties(root, setting, turn)
    prototypes = add(root, MODULE + "PrototypesContainer")
    for name, held in setting.maker.named.items():
        prototype = Piece("null", (*held, Trait("piece;;;;")))
        add(prototypes, MODULE + "PrototypeDefinition", definition(prototype), name=name, description="")
    add_palettes(root, setting.maker, wanted)
    for number, dice in enumerate(wanted.dice):
        _dice(root, *dice, dice_key(number))
    if turn is not None:
        turn_tracker(root, turn, setting.lists)
    _inventory(root, wanted.palettes)
    notes = {"buttonText": "Notes", "icon": "/images/notes.gif", "tooltip": "Notes", "hotkey": NOTES.stroke}
    add(root, MODULE + "NotesWindow", **notes)
    chart_window(root, setting.game, wanted)
    map_window(root, MAP, setting.board, picture, setting.grid.grid, lapses(setting.game))
    for title, shown in setting.windows.items():
        side_window(root, title, title, shown.image, shown.grid.grid, moves=True, zooms=True)
    private = {private_window(side): side for side in sides}
    for name, display in setting.displays.items():
        side = private.get(name, "")
        side_window(
            root,
            name,
            display.title,
            sheet_image(name),
            Regions.of(display.middles) if name == BOXES else None,
            side=side,
            button=f"Private: {setting.game.file.title_of(side)}" if side else "",
            hotkey=AWAY.stroke if name == OUT else "",
        )
    if (track := setting.track) is not None:
        boxes = Regions.of({track.name(int(number)): at for number, at in track.middles.items()})
        tip, key = "The turn track, with who arrives when", TRACK.stroke
        side_window(root, TURNS, tip, sheet_image(TURNS), boxes, hotkey=key, moves=True, zooms=True)
    for title, file in setups:
        add(root, MODULE + "PredefinedSetup", name=title, file=file, useFile="true", isMenu="false", description="")
    add(root, MODULE + "Chatter")
    add(root, MODULE + "KeyNamer")
    return root


def write_buildfile(root: etree._Element, version: str) -> bytes:
    """The file's bytes. version: of the module."""
    root.set("version", version)
    etree.indent(root, " ")
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8")


# --- facts of the game ------------------------------------------------------------------------------------------------


def _properties(root: etree._Element, setting: Setting, turn: Track | None) -> None:
    """Global properties: what the module says of itself, and the facts of the game that buttons change."""
    holder = add(root, MODULE + "properties.GlobalProperties")
    for name, value in setting.properties.items():
        _property(holder, name, value)
    for track in game_tracks(setting.game):
        if track is turn:
            continue
        value = "" if track.absent is None else track.write(track.absent)
        element = _property(holder, track.name, value, track.title)
        if track.module is not None:
            words = [track.write(value) for value in track.in_turn(track.most or MOST)]
            add(
                element,
                MODULE + "properties.ChangePropertyButton",
                text=track.module.menu[0],
                tooltip=track.title,
                propChanger=join(("E", track.title, join(words, ",")), ","),
                reportFormat=f"{track.title}: $newValue$",
                hotkey="",
                icon="",
            )


def _property(holder: etree._Element, name: str, value: str, description: str = "") -> etree._Element:
    attributes = {"name": name, "initialValue": value, "isNumeric": "false", "description": description}
    return add(holder, MODULE + "properties.GlobalProperty", **attributes)


def _dice(root: etree._Element, number: int, sides: int, stroke: str) -> None:
    name = f"{number}d{sides}"
    report = REPORT + (TOTAL if number > 1 else "") + PLAYER
    add(
        root,
        MODULE + "DiceButton",
        name=name,
        text=name,
        tooltip=f"Roll {name}",
        nDice=str(number),
        nSides=str(sides),
        plus="0",
        addToTotal="0",
        reportTotal="false",
        reportFormat=report,
        prompt="false",
        sortDice="false",
        icon="/images/die.gif",
        hotkey=stroke,
    )


def _inventory(root: etree._Element, palettes: Sequence[str]) -> None:
    add(
        root,
        MODULE + "Inventory",
        name="Inventory",
        text="Inventory",
        tooltip="All counters on the map",
        icon="/images/inventory.gif",
        include=f'{{{UNIT}!=""}}',
        groupBy=",".join(palettes),
        leafFormat="$PieceName$ ($LocationName$)",
        nonLeafFormat="$PropertyValue$",
        pieceZoom="0.5",
        sides="",
        hotkey=INVENTORY.stroke,
    )
