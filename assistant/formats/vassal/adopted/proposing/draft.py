"""A whole mapping as proposed, as a file that a player can read and correct; and added to one that he has corrected."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .....game.games import Game
from ...elements.windows import MapWindow
from ...modules import Module
from .candidates import Candidate, candidates
from .controls import propose_dice, propose_sides, propose_turn
from .maps import propose_maps
from .meanings import Known, propose_layers, propose_markers, propose_properties, propose_traits
from .proposal import Proposal
from .units import propose_units

_MARGIN = 48
"""The column in which what is said of an entry begins, if it is short."""
_LONGEST = 160
"""The most letters that are said of an entry."""
_HEADS = {
    "sides": "Sides: as the module calls them, and as the game does.",
    "maps": "Maps: which one is the game's, and how it writes its hexes (docs: adopting). aside = true: what lies there is not in play.",
    "units": 'Units: each with its piece, by name, picture or slot (#12), or several: ["29 Div", "29 Div reduced"]; "" for none.',
    "markers": "Markers: what a piece states of its hex, or of the unit below it, in the words of position notation.",
    "layers": "Layers: what each level states, in the words of position notation.",
    "properties": "Properties: markers, dynamic properties and text labels. {} stands for their value; or a table: { VALUE = WORDS }.",
    "traits": "Traits of the module's own code, by the fields of type and state. They may hide pieces: no side is told of a piece with one that is not named here.",
    "turn": "Turn: what the levels of the turn tracker state.",
    "dice": 'Dice: the buttons whose throws a log holds, each with the roll that it is for, "" for any.',
}


class Draft(NamedTuple):
    """What is proposed. head: the first lines of the file; sections: by name; left: pieces that nothing is proposed for."""

    head: Mapping[str, str]
    sections: Mapping[str, Sequence[Proposal]]
    left: Sequence[Candidate]

    def counts(self) -> dict[str, Counter[str]]:
        """How many entries of each section are how sure, "" for those left to the player."""
        return {name: Counter(one.sure for one in proposals) for name, proposals in self.sections.items()}


def drafted(module: Module, maps: Mapping[str, MapWindow], game: Game, board: str) -> Draft:
    """The proposals for a module. maps: its maps, all numbered; board: the game's, "" for its printed map."""
    known, pieces = Known(game), candidates(module)
    properties = propose_properties(known, pieces)
    printed = {track.name for track in game.tracks.values() if track.printed == "counter"}
    ratings = {
        one.name: track
        for one in properties
        if one.sure and isinstance(one.value, str) and (track := one.value.partition("=")[0]) in printed
    }
    units = propose_units(game, pieces, ratings)
    taken = {one.value for one in units}
    others = [piece for piece in pieces if piece.key not in taken]
    layers = propose_layers(known, pieces)
    markers = list(propose_markers(known, others, {one.name: one.value for one in layers}))
    marked = {one.name for one in markers}
    head = {"module": module.about.module, "version": module.about.module_version, "game": game.id, "board": board}
    sections = {
        "sides": propose_sides(game, module.controls),
        "maps": propose_maps(maps, game.board(board)),
        "units": units,
        "markers": markers,
        "layers": layers,
        "properties": properties,
        "traits": propose_traits(pieces),
        "turn": propose_turn(known, module.controls),
        "dice": propose_dice(module.controls),
    }
    return Draft(head, sections, [piece for piece in others if piece.key not in marked])


def text_of(draft: Draft) -> str:
    """A mapping as its file: what is left to the player stands in comments."""
    lines = [
        "# What the pieces of a VASSAL module mean, found by `assistant adopt`. Correct it, then look at a save: assistant check SAVE",
        "# An entry that is marked as a guess, or as likely, deserves a look; entries in comments are left to you.",
        "",
        *(f"{name} = {_value(value)}" for name, value in draft.head.items() if value),
        "",
        "# Pieces that mean nothing to the game: by name, picture or slot.",
        "ignored = []",
    ]
    for name, proposals in draft.sections.items():
        lines += ["", f"# {_HEADS[name]}", *_section(name, proposals)]
    if draft.left:
        lines += [
            "",
            "# Pieces that nothing was found for:",
            *sorted(f"#   {_comment(_piece(piece))}" for piece in draft.left),
        ]
    return "\n".join(lines) + "\n"


def _section(name: str, proposals: Sequence[Proposal]) -> Iterator[str]:
    """The lines of a section, its heading first."""
    if name == "maps":
        for proposal in proposals:
            yield from _map(proposal)
        return
    yield f"[{name}]"
    for proposal in proposals:
        yield _entry(proposal)


def _map(proposal: Proposal) -> Iterator[str]:
    yield _said(f"[maps.{_value(proposal.name)}]", proposal)
    for key, value in proposal.value.items():
        yield f"{key} = {_value(value)}"


def _entry(proposal: Proposal) -> str:
    entry = f"{_value(proposal.name)} = {_value(proposal.value)}"
    return _said(entry if proposal.sure else f"# {entry}", proposal)


def _said(entry: str, proposal: Proposal) -> str:
    said = ": ".join(filter(None, (proposal.sure, _comment(proposal.why))))
    return f"{entry.ljust(_MARGIN)}  # {said}" if said else entry


def _comment(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]} ..."


def _piece(piece: Candidate) -> str:
    return piece.key if piece.title == piece.key else f"{piece.key} ({piece.title})"


def _value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_value(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return f"[{', '.join(map(_value, value))}]"


# --- a mapping that the player has corrected ------------------------------------------------------------------------------


def added_to(text: str, draft: Draft) -> tuple[str, int]:
    """The text of a mapping with what is new in a draft, and how many entries that is.

    What the player has written stays; what was left to him in a comment gives way to an entry that is found now. Other new entries stand at
    the end of their sections. Only the version becomes that of the draft.
    """
    lines = text.splitlines()
    added = 0
    for name, proposals in draft.sections.items():
        stated, left = _entries(lines, name)
        new = [one for one in proposals if one.name not in stated and (one.sure or one.name not in left)]
        added += len(new)
        if name == "maps":
            lines += [line for one in new for line in ("", *_map(one))]
            continue
        for one in new:
            if one.name in left:
                lines[left[one.name]] = _entry(one)
        _append(lines, name, [_entry(one) for one in new if one.name not in left])
    version = f"version = {_value(draft.head['version'])}"
    lines = [version if line.startswith("version = ") else line for line in lines]
    return "\n".join(lines) + "\n", added


_HEADING = re.compile(r"\s*\[([^\]]+)\]")
_KEY = re.compile(r'\s*(#\s*)?("(?:[^"\\]|\\.)*"|[\w-]+)\s*=')


def _entries(lines: Sequence[str], section: str) -> tuple[dict[str, int], dict[str, int]]:
    """The entries of a section with the numbers of their lines: those that hold, and those in comments."""
    stated: dict[str, int] = {}
    left: dict[str, int] = {}
    here = ""
    for number, line in enumerate(lines):
        if heading := _HEADING.match(line):
            here, _, name = heading[1].partition(".")
            if here == section and name:
                stated[_name(name)] = number
        elif here == section != "maps" and (key := _KEY.match(line)):
            (left if key[1] else stated)[_name(key[2])] = number
    return stated, left


def _name(written: str) -> str:
    try:
        return str(json.loads(written)) if written.startswith('"') else written
    except ValueError:
        return written


def _append(lines: list[str], section: str, entries: Sequence[str]) -> None:
    """Put entries behind the last one of a section, which is begun if it is not there."""
    start = next((number for number, line in enumerate(lines) if line.strip() == f"[{section}]"), None)
    if start is None:
        lines += ["", f"[{section}]", *entries] if entries else []
        return
    after = (number for number in range(start + 1, len(lines)) if not _KEY.match(lines[number]))
    end = next(after, len(lines))
    lines[end:end] = entries
