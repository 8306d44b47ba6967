"""A whole mapping as proposed, as a file that a player can read and correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from .....game.boards.board import Board
from .....game.games import Game
from .....util.datafiles import write_toml_value
from ...maps import MapWindow
from ...modules import Module
from ..mapping import LONGEST, ModuleMapping
from .candidates import SURE, Candidate, Proposal, find_candidates, is_fixed
from .entries import (
    propose_dice,
    propose_layers,
    propose_markers,
    propose_properties,
    propose_sides,
    propose_traits,
    propose_turn,
)
from .maps import propose_maps
from .names import TrackNames
from .units import propose_units

_COMMENT_COLUMN = 48
"""The column in which what is said of an entry begins, if it is short."""
_LONGEST_COMMENT = 160
"""The most letters that are said of an entry."""
_HEADS = {
    "sides": "Sides: as the module calls them, and as the game does.",
    "maps": (
        "Maps: which one is the game's, and how its hexes are numbered (docs: adopting). aside = true: "
        "pieces there are not in play."
    ),
    "units": (
        'Units: each with its piece, by name, picture or slot (#12), or several: ["29 Div", "29 Div '
        'reduced"]; "" for none.'
    ),
    "markers": (
        "Markers: what a piece states about its hex, or about the unit below it, in the words of position notation."
    ),
    "layers": "Layers: what each level states, in the words of position notation.",
    "properties": (
        "Properties: markers, dynamic properties and text labels. {} stands for their value; or a table: { "
        "VALUE = WORDS }."
    ),
    "traits": (
        "Traits of the module's own code, by the fields of type and state. They may hide pieces: a piece "
        "with one that is not named here is reported to no side."
    ),
    "turn": "Turn: what the levels of the turn tracker state.",
    "dice": 'Dice: the buttons whose throws a log holds, each with the roll that it is for; "" for any roll.',
}


class MappingDraft(NamedTuple):
    """What is proposed."""

    head: Mapping[str, str]
    """The first lines of the file."""
    sections: Mapping[str, Sequence[Proposal]]
    """By name."""
    left: Sequence[Candidate]
    """Pieces that nothing is proposed for."""
    too_long: Sequence[str] = ()
    """The names of entries that are longer than a mapping may have."""
    fixed: Sequence[str] = ()
    """The keys of pieces that are drawn as parts of their maps."""

    def counts(self) -> dict[str, Counter[str]]:
        """Return how many entries of each section are how sure, "" for those left to the player."""
        return {name: Counter(proposal.sure for proposal in proposals) for name, proposals in self.sections.items()}


def draft_mapping(
    module: Module, maps: Mapping[str, MapWindow], game: Game, board: str, given: ModuleMapping | None = None
) -> MappingDraft:
    """Return the proposals for a module. maps: its maps, all numbered; board: the game's, "" for its printed map; given:
    what is known of its maps, units, markers and layers, as from its import.
    """
    given = given or ModuleMapping(module=module.about.module, game=game.id)
    known = TrackNames(game)
    pieces = find_candidates(module)
    properties = propose_properties(known, pieces)
    printed = {track.name for track in game.tracks.values() if track.printed == "counter"}
    ratings: dict[str, str] = {}
    for proposal in properties:
        if proposal.sure and isinstance(proposal.value, str):
            track = proposal.value.partition("=")[0]
            if track in printed:
                ratings[proposal.name] = track
    is_complete = game.counters.keys() <= given.units.keys()
    proposed = [] if is_complete else propose_units(game, pieces, ratings)
    found = [unit for unit in proposed if unit.name not in given.units]
    named = {unit.value if isinstance(unit.value, str) else unit.value[0] for unit in found}
    named.update(name for unit in given.units for name in given.pieces_of(unit))
    free = [piece for piece in pieces if named.isdisjoint((piece.key, *(f"#{slot}" for slot in piece.slots)))]
    fixed = [piece.key for piece in free if is_fixed(piece.piece)]
    others = [piece for piece in free if piece.key not in fixed]
    layers = _add_given(given.layers, propose_layers(known, pieces, given.layers))
    unknown = [piece for piece in others if piece.key not in given.markers]
    guessed = propose_markers(known, unknown, {layer.name: layer.value for layer in layers})
    markers = _add_given(given.markers, guessed)
    marked = {marker.name for marker in markers}
    head = {"module": module.about.module, "version": module.about.module_version, "game": game.id}
    head |= {"folder": game.home, "board": board}
    sections: dict[str, Sequence[Proposal]] = {
        "sides": propose_sides(game, module.controls),
        "maps": _propose_maps(maps, game.board(board), given),
        "units": _add_given(given.units, found),
        "markers": markers,
        "layers": layers,
        "properties": properties,
        "traits": propose_traits(pieces),
        "turn": propose_turn(known, module.controls),
        "dice": propose_dice(module.controls),
    }
    too_long = [entry.name for proposals in sections.values() for entry in proposals if len(entry.name) > LONGEST]
    sections = {name: _take_first(proposals) for name, proposals in sections.items()}
    return MappingDraft(head, sections, [piece for piece in others if piece.key not in marked], too_long, fixed)


def _add_given(given: Mapping[str, object], proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return what is known, and what is proposed beside it."""
    sure = [Proposal(name, value, SURE) for name, value in given.items()]
    return [*sure, *(proposal for proposal in proposals if proposal.name not in given)]


def _take_first(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return the first proposal of each name, such as that of one of two dice buttons, without names that are too long."""
    first: dict[str, Proposal] = {}
    for proposal in proposals:
        if len(proposal.name) <= LONGEST:
            first.setdefault(proposal.name, proposal)
    return [*first.values()]


def _propose_maps(maps: Mapping[str, MapWindow], board: Board, given: ModuleMapping) -> list[Proposal]:
    unknown = {name: window for name, window in maps.items() if name not in given.maps}
    proposed = propose_maps(unknown, board) if unknown else []
    return _add_given(msgspec.to_builtins(given.maps), proposed)


def write_draft(draft: MappingDraft) -> str:
    """Return a mapping as its file: what is left to the player stands in comments."""
    lines = [
        (
            "# What the pieces of a VASSAL module mean, found by `assistant adopt`. Correct it, then check a "
            "save: assistant check SAVE"
        ),
        "# Look at each entry that is marked as a guess or as likely; entries in comments are left to you.",
        "",
        *(f"{name} = {write_toml_value(value)}" for name, value in draft.head.items() if value),
        "",
        "# Pieces that mean nothing to the game: by name, picture or slot.",
        f"ignored = {write_toml_value(list(draft.fixed))}",
    ]
    for name, proposals in draft.sections.items():
        lines += ["", f"# {_HEADS[name]}", *_write_section(name, proposals)]
    if draft.left:
        lines += [
            "",
            "# Pieces for which nothing was found:",
            *sorted(f"#   {_write_comment(_write_piece(piece))}" for piece in draft.left),
        ]
    if draft.too_long:
        lines += ["", f"# Left out, for a name has at most {LONGEST} letters:"]
        lines += sorted(f"#   {_write_comment(name)}" for name in draft.too_long)
    return "\n".join(lines) + "\n"


def _write_section(name: str, proposals: Sequence[Proposal]) -> Iterator[str]:
    """Yield the lines of a section, its heading first."""
    if name == "maps":
        for proposal in proposals:
            yield from write_map(proposal)
        return
    yield f"[{name}]"
    for proposal in proposals:
        yield write_proposal(proposal)


def write_map(proposal: Proposal) -> Iterator[str]:
    """Yield the lines of a map."""
    yield _write_entry(f"[maps.{write_toml_value(proposal.name)}]", proposal)
    for key, value in proposal.value.items():
        yield f"{key} = {write_toml_value(value)}"


def write_proposal(proposal: Proposal) -> str:
    """Return the line of any other entry, a comment if it is left to the player."""
    text = f"{write_toml_value(proposal.name)} = {write_toml_value(proposal.value)}"
    return _write_entry(text if proposal.sure else f"# {text}", proposal)


def _write_entry(entry: str, proposal: Proposal) -> str:
    comment = ": ".join(filter(None, (proposal.sure, _write_comment(proposal.why))))
    return f"{entry.ljust(_COMMENT_COLUMN)}  # {comment}" if comment else entry


def _write_comment(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= _LONGEST_COMMENT else f"{plain[:_LONGEST_COMMENT]} ..."


def _write_piece(piece: Candidate) -> str:
    return piece.key if piece.title == piece.key else f"{piece.key} ({piece.title})"
