"""A module turned into the folder of a game, from its file to the set-ups, with a page on what was not taken over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from assistant.formats.vassal.legends import declared_windows
from assistant.formats.vassal.maps import BoardDrawing
from assistant.formats.writing import write
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game, read_game
from assistant.plugins.registry import game_id
from assistant.util.errors import InputError, Where
from assistant.util.saving import clear_set, write_all

from ..vassal.setups import MAP
from ..vassal.sheets import OUT, TURNS
from ..vassal.windows import BOXES
from .files import (
    COUNTERS,
    EXTRA,
    LONGEST,
    Board,
    Sides,
    board_files,
    counter_side,
    course_files,
    face_files,
    game_file,
    nations_of,
    roster_files,
    tag_files,
    tracks_file,
)
from .maps import BoardTaken, check_number
from .names import WORDS, Findings, Names, clean, slug
from .roster import LIST, NATION, TAB, Pieces, Roster, missing_prototypes, sides_of
from .setups import SetUps, SetUpSeen, chosen_boards, mixed, position, saves
from .source import Source, Studio, note_others, open_source, read_charts, read_dice, read_turns

REPORT = "IMPORT.md"
"""The page on what was taken over and what was not."""


class ImportResult(NamedTuple):
    """What an import made. files: by their paths; lost: how much was not taken over."""

    files: Mapping[str, bytes]
    findings: Findings


def import_module(file: Path, folder: Path, extensions: Sequence[Path] = ()) -> ImportResult:
    """Write the files of a game made of a module into a new or empty folder.

    Raises InputError if the folder is not empty or its name no valid game id, if a file is no module or is damaged, and
    for limits.
    """
    id = game_id(folder)
    clear_set(folder)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        hint = "name a new folder: nothing is overwritten"
        raise InputError("it already exists", where=Where(str(folder)), hint=hint)
    with open_source(file, extensions) as source:
        made = _Import(source, id).made()
    write_all(folder, made.files)
    return made


class _Import:
    """An import on its way."""

    def __init__(self, source: Source, id: str) -> None:
        self.source, self.id, self.findings = source, id, Findings()
        self.pieces = Pieces(source, self.findings)
        self.boxes = Names("box")
        self.titles = Names("Map", taken=(MAP, BOXES, TURNS, OUT))

    def made(self) -> ImportResult:
        """All files."""
        source, findings = self.source, self.findings
        begun = saves(source, findings)
        boards = self._boards(chosen_boards(source.module, begun))
        reader = SetUps(source, {(board.window, board.name): board for board in boards}, self.pieces, findings)
        setups = [reader.read(save) for save in begun]
        side = counter_side(self.pieces, source)
        self._name_units(setups, boards)
        self.pieces.make_tracks(side)
        roster = Roster(self.pieces, findings)
        sides = self._sides(roster, setups, boards)
        turns, charts = read_turns(source, findings), read_charts(source, findings)
        written = [self._write(board) for board in boards if board.numbered or self.source.picture(board.image)]
        boxes = [box for board in boards for box in board.boxes]
        lost = {
            box for board in written if board.picture for box in board.taken.boxes if box not in board.picture.places
        }
        boxes = [box for box in boxes if box not in lost]
        files: dict[str, bytes] = {}
        for drawn in written:
            files |= dict(board_files(drawn, source))
        files |= {**roster_files(roster), "tracks.toml": tracks_file(self.pieces, roster, turns)}
        files |= {"counters.toml": COUNTERS, **course_files(turns, sides)}
        files |= dict(face_files(self.pieces, Studio(source), findings))
        files |= tag_files(self.pieces, source, findings)
        files |= charts.files
        titles, slugs = Names("Set-up", slug), Names("set-up", form=WORDS)
        named = [
            (f"setups/{slugs.given(slug(setup.title) or 'set-up')}.pos", titles.given(setup.title)) for setup in setups
        ]
        module = VassalModule(
            name=clean(source.module.about.module) or "Imported game",
            about=clean(source.module.about.description, LONGEST),
            board=written[0].name if written else "",
            counter=side,
            palettes=tuple(name for name in (TAB, LIST) if name in roster.tracks),
            setups=tuple(named),
            dice=tuple(read_dice(source, findings)),
            version=clean(source.module.about.module_version) or "1.0",
            extra=EXTRA if any(name.startswith(f"{EXTRA}/") for name in files) else "",
            charts=tuple(charts.shown),
            windows=tuple(board.name for board in written[1:] if board.picture and board.picture.places),
        )
        files["game.toml"] = game_file(source.module.about, written, boxes, roster, sides, module)
        files |= self._positions(files, [path for path, _ in named], setups, roster.printed, lost)
        self._note_the_rest(boards, setups, charts.shown)
        files[REPORT] = findings.page(source.module.about.module or "A module").encode()
        return ImportResult(files, findings)

    def _boards(self, chosen: list[tuple[str, str]]) -> list[BoardTaken]:
        """The boards that are taken over, that with the largest grid of hexes first."""
        drawings: list[tuple[str, BoardDrawing]] = []
        for window, name in chosen:
            drawing = self.source.module.maps[window].boards[name]
            usable = self.source.picture(drawing.image)
            if usable is None or usable.ending == "svg":
                what = "boards without a picture that can be used: their places are boxes on a sheet, hexes are drawn"
                self.findings.left_out(what, f"{window}: {name}")
                drawing = drawing._replace(image="")
            drawings.append((window, drawing))
        boards_on = Counter(window for window, _ in chosen)
        taken = []
        for window, drawing in drawings:
            title = clean(window if boards_on[window] == 1 else f"{window} {drawing.name}") or "Map"
            taken.append(BoardTaken(window, drawing, title, self.boxes, self.findings))
        taken.sort(key=lambda board: (board.hexes, bool(board.image), board.size[0] * board.size[1]), reverse=True)
        for number, taken_board in enumerate(taken):
            taken_board.title = (
                self.titles.given(taken_board.title) if number else taken_board.title
            )  # the map has no window of its own
            if number == 0 and taken_board.hexes:
                self._number(taken_board)
            if taken[0].numbered is not None:
                taken_board.is_number = check_number(taken[0].numbered.grid)
            taken_board.fill()
        return taken

    def _number(self, board: BoardTaken) -> None:
        try:
            board.number(declared_windows(self.source.module.properties).get(board.window))
        except InputError as error:
            self.findings.left_out(f"the hexes of the largest map: {error.what}", board.title)
            return
        if board.numbered is not None and not board.numbered.own:
            self.findings.left_out(
                "the numbers of hexes, which a board cannot have: they are numbered anew", board.title
            )

    def _name_units(self, setups: list[SetUpSeen], boards: list[BoardTaken]) -> None:
        """Give each unit of the palettes a name, and as many of a kind as the set-up with most of them needs."""
        self.pieces.name_all(box for board in boards for box in board.boxes)
        for setup in setups:
            for placed in setup.pieces:
                if not placed.kind.is_marker:
                    self.pieces.unit(placed.kind, placed.number)

    def _sides(self, roster: Roster, setups: list[SetUpSeen], boards: list[BoardTaken]) -> Sides:
        nations, titles = sides_of(roster, [*self.source.module.controls.sides], self.findings)
        boxes = {box for board in boards for box in board.boxes}
        if places := mixed(setups, nations_of(roster, nations), boxes):
            what = "the sides, for in set-ups units of several sides share a hex: without [sides] in game.toml they may"
            self.findings.left_out(what, ", ".join(places[:5]))
            return Sides({}, {})
        return Sides(nations, titles)

    def _write(self, board: BoardTaken) -> Board:
        """A board as it is written; without a picture the builder draws it."""
        shown = self.source.picture(board.image)
        name = slug(board.title) or "map"
        return Board(name, board, board.picture(f"map.{shown.ending}") if shown else None)

    def _positions(
        self,
        files: Mapping[str, bytes],
        paths: list[str],
        setups: list[SetUpSeen],
        printed: Mapping[str, str],
        lost: set[str],
    ) -> dict[str, bytes]:
        """The set-ups in notation, written and read by the game that the other files are."""
        with TemporaryDirectory() as held:
            folder = Path(held) / self.id
            texts = {name: data for name, data in files.items() if name.endswith((".toml", ".csv", ".txt"))}
            pictures = {name: b"" for name in files if name.startswith("boards/") and name not in texts}
            write_all(folder, {**texts, **pictures})
            game: Game = read_game(self.id, folder)
            written = {}
            for path, setup in zip(paths, setups, strict=True):
                written[path] = write(position(game, setup, self.pieces, printed, lost, self.findings)).encode()
            return written

    def _note_the_rest(self, boards: list[BoardTaken], setups: list[SetUpSeen], charts: list[tuple[str, str]]) -> None:
        findings, module = self.findings, self.source.module
        for name in missing_prototypes(module):
            findings.left_out("prototypes that pieces name and the module does not have", name)
        for name, count in module.classes.items():
            findings.left_out("classes of the module's own code, which is never run", f"{name} ({count})")
        for what in module.unread:
            findings.left_out("elements that cannot be read", what)
        note_others(self.source, findings)
        self.pieces.note_names()
        findings.renamed("Boxes", self.boxes.changed)
        findings.numbered += self.boxes.numbered
        findings.taken += [
            (sum(len(kind.units) for kind in self.pieces.kinds), "unit", "units"),
            (sum(len(board.numbered.names) for board in boards if board.numbered), "hex", "hexes"),
            (sum(len(board.boxes) for board in boards), "box", "boxes"),
            (sum(1 for board in boards if board.numbered or board.image), "board", "boards"),
            (len(self.pieces.statuses), "status", "statuses"),
            (len(self.pieces.markers), "marker", "markers"),
            (len(setups), "set-up", "set-ups"),
            (len(charts), "chart", "charts"),
        ]


__all__ = ["NATION", "REPORT", "ImportResult", "import_module"]
