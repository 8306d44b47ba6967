"""The mapping of an imported module: which piece is which unit, and where its boards lie on the pictures of the game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from assistant.formats.vassal.adoption.mapping import (
    LONGEST,
    BoardMeaning,
    MapMeaning,
    ModuleMapping,
    Words,
    read_mapping,
)
from assistant.formats.vassal.adoption.mapping_files import MODULES, mapping_name
from assistant.formats.vassal.adoption.proposals.draft import MappingDraft, draft_mapping, write_draft, write_proposal
from assistant.formats.vassal.adoption.proposals.maps import COUNTED, number_maps
from assistant.formats.vassal.grids import number_format
from assistant.formats.vassal.maps import MapWindow
from assistant.formats.vassal.modules import Module
from assistant.game.games import Game
from assistant.state.tracks import Track
from assistant.util.limits import Limit

from .fields import NumberedHexes
from .files import Board
from .kinds import PieceKind, Pieces
from .maps import ImportedBoard
from .pieces import PieceLayer, number_layers
from .scans import shrink_place


class ImportedMapping:
    """What saves of the module mean to the game that is made of it. boards: as they are written; all_boards: those
    without a picture too.
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
        """Its file, and the sections for which that has no room."""
        self.path = f"{MODULES}/{mapping_name(module.about.module)}"
        """Of its file in the folder of the game."""

    def read(self, folder: Path) -> ModuleMapping:
        """Return what its file says. folder: where the file may lie for a while."""
        file = folder / "mapping.toml"
        file.write_text(self.text, "utf-8")
        return read_mapping(file)


def write_within(draft: MappingDraft) -> tuple[str, list[str]]:
    """Return the file of a mapping, and the sections that are left out since it could not hold them: first what is left to
    the player, then the longest, the maps last, for set-ups need them too.
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
    """Return what each map is to the game. What lies on one of which no board was imported is not in play."""
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
    """Return what a map means on which the game's map lies without a picture."""
    named = board.named_hexes
    printed = [*named]
    counted = msgspec.structs.replace(numbered.drawn, numbering=COUNTED)
    if printed == [counted.locate(numbered.drawn.centre(*cell)) for cell in numbered.names]:
        known = {name: named[name] for name in (printed[0], printed[-1])}
        meaning = msgspec.structs.replace(meaning, hexes=number_format(counted), known=known)
        named = {}
    boxes = {there: here for there, here in {**named, **board.printed_boxes}.items() if there != here}
    return msgspec.structs.replace(meaning, boxes=boxes)


def _list_units(pieces: Pieces) -> dict[str, str | tuple[str, ...]]:
    """Return the pieces of each unit."""
    named = _name_kinds(pieces)
    return {kind.unit: keys if len(keys) > 1 else keys[0] for kind, keys in named if kind.unit}


def _list_markers(pieces: Pieces) -> dict[str, str]:
    """Return what each marker states; "" if its layer says it."""
    markers: dict[str, str] = {}
    for kind, keys in _name_kinds(pieces):
        if kind.marker:
            track, _ = pieces.markers[kind.marker]
            markers |= dict.fromkeys(keys, track.name if track.kind == "flag" else "")
    return markers


def _name_kinds(pieces: Pieces) -> Iterator[tuple[PieceKind, tuple[str, ...]]]:
    """Yield each kind with its slots, and its name, its picture or a former slot if no other kind has it."""
    taken = {f"#{slot}" for kind in pieces.kinds for slot in kind.slots}
    names = Counter(name for kind in pieces.kinds for name in kind.named)
    for kind in pieces.kinds:
        own = [name for name in kind.named if names[name] == 1 and name not in taken]
        slots = (f"#{slot}" for slot in kind.slots)
        keys = tuple(name for name in dict.fromkeys((*slots, *own)) if len(name) <= LONGEST)
        if keys:
            yield kind, keys


def _list_layers(pieces: Pieces, game: Game) -> dict[str, Words]:
    """Return what the levels of each layer state, by the plainest name that no layer with other words has."""
    listed = [*_read_layers(pieces, game)]
    words_by_name: dict[str, set[Words]] = defaultdict(set)
    for layer, words in listed:
        for name in layer.named:
            words_by_name[name].add(words)
    layers: dict[str, Words] = {}
    for layer, words in listed:
        plain = (name for name in reversed(layer.named) if len(words_by_name[name]) == 1)
        if (name := next(plain, "")) and len(name) <= LONGEST:
            layers[name] = words
    return layers


def _read_layers(pieces: Pieces, game: Game) -> Iterator[tuple[PieceLayer, Words]]:
    """Yield the layers of units that players change, and that of each marker, with the words of their levels."""
    for kind in pieces.kinds:
        for key, layer in number_layers(kind.piece.layers):
            track = game.tracks.get(kind.marker if kind.is_marker else kind.tracks.get(key, ""))
            if track is not None:
                levels = [word for level, word in sorted(layer.words.items()) if level > 0]
                yield layer, tuple(_state_level(track, layer, word) for word in levels)
            if kind.is_marker:
                break


def _state_level(track: Track, layer: PieceLayer, word: str) -> str:
    """Return how notation writes what a level of a layer states, "" for nothing."""
    if track.kind == "flag":
        return track.word(True) if word != layer.absent else ""
    return track.word(word) if word in track.values and word != track.absent else ""
