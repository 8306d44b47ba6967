"""The command `import`: a module turned into the files of a game, with the mapping of its pieces and boards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import msgspec

from assistant.faces.cli.group import GameCommand
from assistant.formats.notation_writer import write_notation
from assistant.formats.vassal.adoption.mapping import (
    MAX_NAME_CHARS,
    BoardMeaning,
    MapMeaning,
    ModuleMapping,
    Words,
    read_mapping,
)
from assistant.formats.vassal.adoption.mapping_files import MODULES, mapping_name
from assistant.formats.vassal.adoption.places import ModulePlaces
from assistant.formats.vassal.adoption.proposals.draft import MappingDraft, draft_mapping, write_draft, write_proposal
from assistant.formats.vassal.adoption.proposals.maps import DEFAULT_NUMBERING, number_maps
from assistant.formats.vassal.grids import number_format
from assistant.formats.vassal.legends import declared_windows
from assistant.formats.vassal.maps import MapWindow
from assistant.formats.vassal.modules import Module
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game, read_game
from assistant.installed.registry import game_id
from assistant.state.tracks import Track
from assistant.util.console import echo, format_count, show_working
from assistant.util.errors import InputError
from assistant.util.files import scratch_folder
from assistant.util.limits import Limit
from assistant.util.writing import write_all

from ..new import check_new
from ..printing import force
from ..vassal.module_setting import MAP
from ..vassal.records import RECORDS
from ..vassal.sheets import OUT_WINDOW
from ..vassal.turn_track import TURNS
from ..vassal.windows import BOXES
from .controls import Charts, Turns, note_others, read_charts, read_dice, read_turns
from .fields import NumberedHexes
from .files import (
    COUNTERS,
    LIST,
    MAX_DESCRIPTION_CHARS,
    STATUS_PICTURES_FOLDER,
    TAB,
    Board,
    Roster,
    board_files,
    counter_side,
    course_files,
    drop_rare_statuses,
    face_files,
    game_file,
    roster_files,
    tag_files,
    tracks_file,
    write_csv,
)
from .findings import Findings
from .kinds import PieceKind, Pieces, missing_prototypes
from .maps import ImportedBoard, JoinedBoards, single_board
from .names import WORDS, Names, clean_text, slug
from .nations import COLUMNS, NONE, PIECES, Owners, PieceRow, Sides, find_owners, match_rows, read_pieces
from .pieces import PieceLayer, number_layers
from .scans import shrink_place, shrink_places
from .setups import ImportedSetUp, KeptSave, SetUps, choose_boards, list_stacks, make_position, read_saves
from .source import Source, Studio, open_source


@click.command("import", cls=GameCommand)
@click.argument("module", type=click.Path(path_type=Path, readable=False))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    required=True,
    help="The folder to write to, a new or an empty one.",
)
@click.option(
    "--extension",
    "extensions",
    multiple=True,
    type=click.Path(path_type=Path, readable=False),
    help="A VASSAL extension (.vmdx) whose pieces and boards are added. Repeat it for several.",
)
@click.option(
    "--pieces",
    type=click.Path(path_type=Path, readable=False),
    help="A table (CSV) of what the module does not say of its pieces: piece, nation, side, unit.",
)
@force
def import_command(module: Path, out: Path, extensions: tuple[Path, ...], pieces: Path | None, force: bool) -> None:
    """Turn a VASSAL MODULE into the data files of a game: counters with their pictures, boards, set-ups, charts.

    Its pictures and texts belong to the maker of the module and of the game: the folder is for your own table, not to
    be passed on.
    """
    with show_working(f"reading {module}"):
        _, findings = import_module(module, out, extensions, pieces, force=force)
    echo(f"{out}: {', '.join(findings.in_words) or 'the module holds no pieces and no maps'}")
    lost, unknown = findings.lost, len(findings.unknown)
    if lost:
        echo(f"{format_count(lost, 'item')} not imported: listed in {out / REPORT}")
    if unknown:
        echo(f"nation or side not known: {format_count(unknown, 'row')} to fill in, {out / PIECES}")
    if not lost and not unknown:
        echo("everything was imported")
    echo(f"next: module-builder check {out}, then assistant adopt {module} --game {out}")


REPORT = "IMPORT.md"
"""The page on what was imported and what was not."""


_NO_PICTURE = "boards without a usable picture: their places become boxes on a sheet, and their hexes are drawn"
_TOO_LARGE = (
    "pictures of boards that are too large to be made smaller here: save them with fewer pixels in the module, its grids "
    "in proportion, and import it again; their places become boxes on a sheet, and their hexes are drawn"
)


def import_module(
    file: Path, folder: Path, extensions: Sequence[Path] = (), pieces: Path | None = None, *, force: bool = False
) -> tuple[Mapping[str, bytes], Findings]:
    """Write the files of a game made of a module into a new or empty folder.

    Returns the files by their paths, and the notes on the import, such as what was not imported.

    `pieces`: a table of the pieces' nations and sides, or None.
    `force`: whether the files of an earlier import may be overwritten.

    Raises InputError if the folder contains anything else or its name is not a valid id. Raises InputError if a file is
    damaged or is not a module, a row of the table cannot be used, or a limit is exceeded.
    """
    if force and folder.joinpath(REPORT).is_file():
        id = game_id(folder)
    else:
        id = check_new(folder, "name a new folder; --force imports once more into the folder of an earlier import")
    rows = read_pieces(pieces) if pieces else []
    with open_source(file, extensions) as source:
        files, findings = _Import(source, id, rows).run()
    write_all(folder, files, force=force)
    return files, findings


def _check_size(text: str, units: int) -> None:
    """Raise InputError if a position in notation is too large to be read.

    `units`: the number of its units.
    """
    Limit.NOTATION.check(len(text), "it holds")
    Limit.LINES.check(text.count("\n"), "it holds")
    Limit.UNITS.check(units, "it holds")
    for line in text.splitlines():
        Limit.LINE.check(len(line), "the line holds")


class _Import:
    """An import in progress."""

    def __init__(self, source: Source, id: str, rows: Sequence[PieceRow]) -> None:
        self.source, self.id, self.findings, self.rows = source, id, Findings(), rows
        self.pieces = Pieces(source, self.findings)
        self.boxes = Names("box")
        self.titles = Names("Map", taken=(MAP, BOXES, TURNS, OUT_WINDOW, RECORDS))
        self.folders = Names("map", form=WORDS)

    def run(self) -> tuple[Mapping[str, bytes], Findings]:
        source, findings = self.source, self.findings
        saves = read_saves(source, findings)
        boards = self._read_boards(choose_boards(source.module, saves))
        reader = SetUps(
            source,
            {(board.window, part.name): board for board in boards for part in board.boards},
            self.pieces,
            findings,
        )
        setups = [reader.read(save) for save in saves]
        side = counter_side(self.pieces, source)
        # Counters shrink with the board, to stay in proportion to the hexes.
        factor = source.scan(boards[0].image).factor if boards else 1
        self._name_units(setups, boards)
        owners = self._find_owners(setups)
        self.pieces.make_tracks(side)
        drop_rare_statuses(self.pieces, findings)
        roster, sides = Roster(self.pieces, owners, findings), owners.sides
        turns, charts = read_turns(source, findings), read_charts(source, findings)
        written = [self._choose_picture(board) for board in boards if board.numbered or board.image]
        lost_boxes = {
            box for board in written if board.picture for box in board.taken.boxes if box not in board.picture.places
        }
        boxes = [box for board in boards for box in board.boxes if box not in lost_boxes]
        files = self._write_files(written, roster, sides, turns, factor) | charts.files
        paths = self._title_setups(setups)
        module = self._make_module(max(side // factor, COUNTERS[0]), roster, written, charts, files)

        def write_game(module: VassalModule) -> dict[str, bytes]:
            return {"game.toml": game_file(source.module.about, written, boxes, roster, files, sides, module)}

        positions = self._write_positions(files | write_game(module), [*paths], setups, roster.printed, written, boards)
        shown = tuple((path, title) for path, title in paths.items() if path in positions)
        files |= positions | write_game(msgspec.structs.replace(module, setups=shown))
        if owners.table:
            files[PIECES] = write_csv([COLUMNS, *(row[:4] for row in owners.table)])
        self._note_saves(saves)
        self._note_the_rest(boards, len(shown), charts.shown)
        files[REPORT] = findings.page(source.module.about.module or "A module").encode()
        return files, findings

    def _write_files(
        self, boards: list[Board], roster: Roster, sides: Sides, turns: Turns | None, factor: int
    ) -> dict[str, bytes]:
        """Return the files of the game, except its game file, its charts and its set-ups.

        `factor`: the factor by which pictures of counters are reduced, each way.
        """
        source, findings = self.source, self.findings
        files = {name: data for board in boards for name, data in board_files(board, source)}
        files |= {**roster_files(roster), "tracks.toml": tracks_file(self.pieces, roster, turns)}
        files |= {"counters.toml": COUNTERS, **course_files(turns, sides)}
        files |= dict(face_files(self.pieces, Studio(source, factor), findings))
        return files | tag_files(self.pieces, source, factor, findings)

    def _title_setups(self, setups: list[ImportedSetUp]) -> dict[str, str]:
        titles, slugs = Names("Set-up", slug), Names("set-up", form=WORDS)
        return {f"setups/{slugs.give(slug(setup.title))}.pos": titles.give(setup.title) for setup in setups}

    def _make_module(
        self, side: int, roster: Roster, boards: list[Board], charts: Charts, files: Mapping[str, bytes]
    ) -> VassalModule:
        """Return the game file's data of its module, except set-ups.

        `side`: the side of a counter, in pixels.
        """
        about = self.source.module.about
        return VassalModule(
            name=clean_text(about.module) or "Imported game",
            about=clean_text(about.description, MAX_DESCRIPTION_CHARS),
            board=boards[0].name if boards else "",
            counter=side,
            palettes=tuple(name for name in (TAB, LIST) if name in roster.tracks),
            dice=tuple(read_dice(self.source, self.findings)),
            version=clean_text(about.module_version) or "1.0",
            charts=tuple(charts.shown),
            extra=STATUS_PICTURES_FOLDER
            if any(name.startswith(f"{STATUS_PICTURES_FOLDER}/") for name in files)
            else "",
            windows=tuple(board.name for board in boards[1:] if board.picture and board.picture.places),
        )

    def _read_boards(self, chosen: list[tuple[str, JoinedBoards]]) -> list[ImportedBoard]:
        """Return the boards to import, the one with the largest grid of hexes first."""
        taken = [board for window, joined in chosen for board in self._make_boards(window, joined)]
        taken.sort(key=lambda board: (board.hexes, bool(board.image), board.size[0] * board.size[1]), reverse=True)
        on_map = Counter(board.window for board in taken)
        for number, board in enumerate(taken):
            name = board.boards[0].name
            title = clean_text(board.window if on_map[board.window] == 1 else f"{board.window} {name}") or "Map"
            # Only the titles of further boards name windows, and must differ.
            board.title = self.titles.give(title) if number else title
            if number == 0 and board.hexes:
                self._number(board)
            elif board.hexes:
                self.findings.left_out("hexes that became boxes, for they do not go on those of the map", board.title)
            if not board.image:
                board.count()
            if taken[0].numbered is not None:
                board.map_grid = taken[0].numbered.grid
            board.fill()
        return taken

    def _make_boards(self, window: str, joined: JoinedBoards) -> list[ImportedBoard]:
        """Return the boards of a map as one if their hexes continue and their pictures can be joined, else each by itself."""
        whole, is_alone = ImportedBoard(window, joined, self.boxes, self.findings), len(joined.boards) == 1
        if is_alone:
            (image,) = joined.images.values()
        else:
            image = self.source.join_pictures(window, joined) if whole.goes_on else ""
        if image or is_alone:
            whole.image = self._check_image(whole, image)
            return [whole]
        drawings = self.source.module.maps[window].boards
        alone = (self._make_boards(window, single_board(drawings[board.name])) for board in joined.boards)
        return [board for boards in alone for board in boards]

    def _check_image(self, board: ImportedBoard, image: str) -> str:
        """Return the picture of a board, or "" if it cannot be used, and note the reason."""
        picture, factor = self.source.scan(image)
        if picture is not None:
            if factor > 1:
                width, height = board.size
                self.findings.smaller.append(
                    f"{board.called}: {width:,} by {height:,} pixels, here 1/{factor} of that each way"
                )
            return image
        is_too_large = self.source.is_scan(image)
        self.findings.left_out(_TOO_LARGE if is_too_large else _NO_PICTURE, board.called)
        return ""

    def _number(self, board: ImportedBoard) -> None:
        try:
            board.number(declared_windows(self.source.module.properties).get(board.window))
        except InputError as error:
            self.findings.left_out(f"the hexes of the largest map: {error.what}", board.called)
            return
        if board.numbered is not None and not board.numbered.has_module_numbers:
            what = "hex numbers that a board here cannot have, or has twice: all hexes are renumbered"
            self.findings.left_out(
                what if board.has_numbers else "hexes without numbers are numbered here", board.called
            )

    def _name_units(self, setups: list[ImportedSetUp], boards: list[ImportedBoard]) -> None:
        """Name each counter, with as many copies as the set-up with most of them has."""
        for setup in setups:
            for placed in setup.pieces:
                placed.kind.count = max(placed.kind.count, placed.number + 1)
            places = Counter((placed.kind, placed.map, placed.printed or placed.at) for placed in setup.pieces)
            for (kind, _, _), count in places.items():
                kind.is_stacked |= count > 1
        self.pieces.name_all(box for board in boards for box in board.boxes)

    def _find_owners(self, setups: list[ImportedSetUp]) -> Owners:
        """Return the owners of the pieces, after the table has renamed some."""
        pieces, findings = self.pieces, self.findings
        stated = match_rows(self.rows, pieces)
        units = stated.units
        names = {kind: "" if row.unit.casefold() == NONE else row.unit for kind, row in units.items()}
        if (kind := pieces.rename(names)) is not None:
            what = f"another piece is called {units[kind].unit!r}"
            raise InputError(what, where=units[kind].where, hint="choose another name")
        kinds = [kind for kind in pieces.kinds if kind.unit]
        placed = list_stacks(setups)
        stacks = [stack for _, stack in placed]
        owners = find_owners(kinds, self.source.module, stacks, stated)
        side_of = owners.sides_by_unit
        mixed = (hex for hex, stack in placed if len({side_of.get(kind.unit, "") for kind in stack} - {""}) > 1)
        if places := [*dict.fromkeys(mixed)]:
            what = (
                "the sides, as units of several sides share hexes in set-ups, which they may only without [sides] in "
                "game.toml"
            )
            findings.left_out(what, ", ".join(places[:5]))
            owners = find_owners(kinds, self.source.module, stacks, stated, with_sides=False)
        for title in owners.idle:
            findings.left_out("sides that have no pieces", title)
        findings.guessed.update(owners.guessed)
        findings.unknown = write_csv([row[:4] for row in owners.unknown]).decode().splitlines()
        return owners

    def _choose_picture(self, board: ImportedBoard) -> Board:
        """Return a board as it is written; one without a picture is drawn by the builder."""
        shown, factor = self.source.scan(board.image)
        picture = shrink_places(board.picture(f"map.{shown.ending}"), factor) if shown else None
        return Board(self.folders.give(slug(board.title)), board, picture, factor)

    def _write_positions(
        self,
        files: Mapping[str, bytes],
        paths: list[str],
        setups: list[ImportedSetUp],
        printed: Mapping[str, str],
        written: list[Board],
        boards: list[ImportedBoard],
    ) -> dict[str, bytes]:
        """Return the set-ups in notation, read and written by the new game, except those too long; and the mapping of saves."""
        module = self.source.module
        with scratch_folder() as scratch:
            folder = scratch / self.id
            texts = {name: data for name, data in files.items() if name.endswith((".toml", ".csv", ".txt"))}
            pictures = {name: b"" for name in files if name.startswith("boards/") and name not in texts}
            write_all(folder, {**texts, **pictures})
            game: Game = read_game(self.id, folder)
            saves = ImportedMapping(module, game, self.pieces, written, boards)
            mapping, made = saves.read(scratch), {saves.path: saves.text.encode()}
            for name in saves.left_out:
                self.findings.left_out(f"what saves of the module mean: {saves.path} has no room for it", name)
            for path, setup in zip(paths, setups, strict=True):
                located = ModulePlaces(game, mapping, saves.windows, setup.boards)
                position = make_position(game, setup, located, self.pieces, printed, self.findings)
                text = write_notation(position)
                try:
                    _check_size(text, sum(not placed.kind.marker for placed in setup.pieces))
                except InputError as error:
                    self.findings.left_out(f"set-ups that are too long: {error}", setup.title)
                else:
                    made[path] = text.encode()
            return made

    def _note_saves(self, saves: list[KeptSave]) -> None:
        """Note what set-ups hide, and the boards that no set-up has."""
        for save in saves:
            for piece in save.pieces:
                if piece.owners():
                    self.findings.left_out("pieces that are hidden in a set-up: all see them here", save.title)
        shown = {
            (name, board.removesuffix("/rev"))
            for save in saves
            for name in save.boards
            for board, _, _ in save.boards[name]
        }
        for window in self.source.module.maps.values():
            used = {board for name, board in shown if name == window.name} or {*[*window.boards][:1]}
            for board in () if window.sides else window.boards:
                if board not in used:
                    self.findings.left_out("boards that no set-up has", f"{window.name}: {board}")

    def _note_the_rest(self, boards: list[ImportedBoard], positions: int, charts: list[tuple[str, str]]) -> None:
        """Add findings that no other part of the import reports, and the numbers of things imported.

        `positions`: the number of positions in set-ups.
        """
        findings, module = self.findings, self.source.module
        for name in missing_prototypes(module):
            findings.left_out("prototypes that pieces name but the module does not have", name)
        for name, count in module.classes.items():
            findings.left_out("classes of the module's own code, which is never run", f"{name} ({count})")
        for what in module.unread:
            findings.left_out("elements that cannot be read", what)
        note_others(self.source, findings)
        findings.renamed("Units", self.pieces.units.changed)
        findings.numbered += self.pieces.units.numbered
        findings.renamed("Boxes", self.boxes.changed)
        findings.numbered += self.boxes.numbered
        counters = [kind.count for kind in self.pieces.kinds if kind.unit]
        units = sum(counters)
        findings.taken += [
            (len(counters) if units > len(counters) else 0, "counter", "counters"),
            (units, "unit", "units"),
            (sum(len(board.numbered.names) for board in boards if board.numbered), "hex", "hexes"),
            (sum(len(board.boxes) for board in boards), "box", "boxes"),
            (sum(1 for board in boards if board.numbered or board.image), "board", "boards"),
            (len(self.pieces.statuses), "status", "statuses"),
            (len(self.pieces.markers), "marker", "markers"),
            (positions, "set-up", "set-ups"),
            (len(charts), "chart", "charts"),
        ]


class ImportedMapping:
    """The meaning of the module's saves to the game that is made of it.

    `boards`: the boards as written.
    `all_boards`: all boards, also those without a picture.
    """

    def __init__(
        self, module: Module, game: Game, pieces: Pieces, boards: Sequence[Board], all_boards: Sequence[ImportedBoard]
    ) -> None:
        self.windows: Mapping[str, MapWindow] = number_maps(module)
        """The maps of the module, all numbered."""
        board = boards[0].name if boards else ""
        given = ModuleMapping(
            module=module.about.module,
            game=game.id,
            board=board,
            maps=_list_maps(self.windows, boards, all_boards),
            units=_list_units(pieces),
            markers=_list_markers(pieces),
            layers=_list_layers(pieces, game),
        )
        draft = draft_mapping(module, self.windows, game, board, given)
        self.text, self.left_out = write_within(draft._replace(head={**draft.head, "folder": ""}))
        """The text of the mapping, with its omitted sections beside it."""
        self.path = f"{MODULES}/{mapping_name(module.about.module)}"
        """The path of the mapping in the folder of the game."""

    def read(self, folder: Path) -> ModuleMapping:
        """Return the mapping as read from its file.

        `folder`: a folder for the file.
        """
        file = folder / "mapping.toml"
        file.write_text(self.text, "utf-8")
        return read_mapping(file)


def write_within(draft: MappingDraft) -> tuple[str, list[str]]:
    """Return the file of a mapping, and the sections left out because they are too long for it.

    First what is left to the player goes, then the longest sections, and last the maps, which set-ups need too.
    """
    text, left_out = write_draft(draft), list[str]()
    if _is_too_long(text):
        sure = {name: [proposal for proposal in some if proposal.sure] for name, some in draft.sections.items()}
        draft = MappingDraft(draft.head, sure, (), fixed=draft.fixed)
        text = write_draft(draft)
    lengths = {name: sum(len(write_proposal(proposal)) for proposal in some) for name, some in draft.sections.items()}
    for name in sorted(filter(lengths.get, lengths), key=lambda name: (name == "maps", -lengths[name], name)):
        if not _is_too_long(text):
            break
        draft = draft._replace(sections={**draft.sections, name: ()})
        text = write_draft(draft)
        left_out.append(name)
    return text, left_out


def _is_too_long(text: str) -> bool:
    return len(text.encode()) > Limit.DATA.most


def _list_maps(
    windows: Mapping[str, MapWindow], boards: Sequence[Board], all_boards: Sequence[ImportedBoard]
) -> dict[str, MapMeaning]:
    """Return the meaning of each map. A map without an imported board is not in play."""
    pictured = {
        id(board.taken): (board.name if number else "", board.factor)
        for number, board in enumerate(boards)
        if board.picture
    }
    maps = {name: MapMeaning(aside=True) for name in windows}
    for board in all_boards:
        meaning = maps[board.window]
        if id(board) in pictured:
            picture, factor = pictured[id(board)]
            lies = {
                part.name: BoardMeaning(shrink_place((part.x, part.y), factor), turned=part.turned, picture=picture)
                for part in board.boards
            }
            if factor > 1:
                lies = {name: msgspec.structs.replace(one, scale=1 / factor) for name, one in lies.items()}
        elif board.numbered is not None:
            lies = {board.boards[0].name: BoardMeaning()}
            meaning = _name_printed(meaning, board, board.numbered)
        elif board.printed_boxes:
            lies = {board.boards[0].name: BoardMeaning(boxes=board.printed_boxes)}
        else:
            continue
        maps[board.window] = msgspec.structs.replace(meaning, aside=False, boards={**meaning.boards, **lies})
    return maps


def _name_printed(meaning: MapMeaning, board: ImportedBoard, numbered: NumberedHexes) -> MapMeaning:
    """Return the meaning of a map without a picture that shows the game's map."""
    named = board.named_hexes
    printed = [*named]
    counted = msgspec.structs.replace(numbered.drawn, numbering=DEFAULT_NUMBERING)
    if printed == [counted.locate(numbered.drawn.centre(*cell)) for cell in numbered.names]:
        known = {name: named[name] for name in (printed[0], printed[-1])}
        meaning = msgspec.structs.replace(meaning, hexes=number_format(counted), known=known)
        named = {}
    boxes = {there: here for there, here in {**named, **board.printed_boxes}.items() if there != here}
    return msgspec.structs.replace(meaning, boxes=boxes)


def _list_units(pieces: Pieces) -> dict[str, str | tuple[str, ...]]:
    named = _name_kinds(pieces)
    return {kind.unit: keys if len(keys) > 1 else keys[0] for kind, keys in named if kind.unit}


def _list_markers(pieces: Pieces) -> dict[str, str]:
    """Return the track of each marker, or "" if its layer states it."""
    markers: dict[str, str] = {}
    for kind, keys in _name_kinds(pieces):
        if kind.marker:
            track, _ = pieces.markers[kind.marker]
            markers |= dict.fromkeys(keys, track.name if track.kind == "flag" else "")
    return markers


def _name_kinds(pieces: Pieces) -> Iterator[tuple[PieceKind, tuple[str, ...]]]:
    """Yield each kind with its slots, and with its name, picture or former slot if no other kind has it."""
    taken = {f"#{slot}" for kind in pieces.kinds for slot in kind.slots}
    names = Counter(name for kind in pieces.kinds for name in kind.mapping_names)
    for kind in pieces.kinds:
        own = [name for name in kind.mapping_names if names[name] == 1 and name not in taken]
        slots = (f"#{slot}" for slot in kind.slots)
        keys = tuple(name for name in dict.fromkeys((*slots, *own)) if len(name) <= MAX_NAME_CHARS)
        if keys:
            yield kind, keys


def _list_layers(pieces: Pieces, game: Game) -> dict[str, Words]:
    """Return the words of each layer's levels, by the plainest name that no layer with other words has."""
    listed = [*_read_layers(pieces, game)]
    words_by_name: dict[str, set[Words]] = defaultdict(set)
    for layer, words in listed:
        for name in layer.mapping_names:
            words_by_name[name].add(words)
    layers: dict[str, Words] = {}
    for layer, words in listed:
        plain = (name for name in reversed(layer.mapping_names) if len(words_by_name[name]) == 1)
        if (name := next(plain, "")) and len(name) <= MAX_NAME_CHARS:
            layers[name] = words
    return layers


def _read_layers(pieces: Pieces, game: Game) -> Iterator[tuple[PieceLayer, Words]]:
    """Yield the layers of units that players change, and of markers, with the words of their levels."""
    for kind in pieces.kinds:
        for key, layer in number_layers(kind.piece.layers):
            track = game.tracks.get(kind.marker if kind.is_marker else kind.tracks.get(key, ""))
            if track is not None:
                levels = [word for level, word in sorted(layer.words.items()) if level > 0]
                yield layer, tuple(_state_level(track, layer, word) for word in levels)
            if kind.is_marker:
                break


def _state_level(track: Track, layer: PieceLayer, word: str) -> str:
    """Return what a level of a layer states in notation, or "" for nothing."""
    if track.kind == "flag":
        return track.word(True) if word != layer.absent else ""
    return track.word(word) if word in track.values and word != track.absent else ""
