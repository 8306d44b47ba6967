"""What meets an input: everything that the program does with a file of its kind, one after the other."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

import assistant
from assistant.drawing import WRITERS
from assistant.drawing.save_map import listing_scene
from assistant.formats.positions import Position, count_by_lines
from assistant.formats.vassal.containers import COMMANDS, MODULE_DATA, write_container
from assistant.formats.vassal.logs import read_log
from assistant.formats.vassal.modules import Module, read_module, set_up_game
from assistant.formats.vassal.others.listing import format_listing, list_save
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import Save, read_save, rewrite_save, write_save
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.records.explaining.account import explanation_json, format_explanation
from assistant.records.explaining.explanation import explain_log
from assistant.records.explaining.record import AnnotatedRecord
from assistant.service import check_size, compare
from assistant.state.state import EVERYTHING, is_limited
from assistant.util.console import encode_json
from assistant.util.errors import MAX_FAULTS, InputError
from assistant.util.limits import kept_private
from tests.hostile.inputs.seeds import GAME
from tests.hostile.reading import ASSISTANT, BUILDER, SECONDS, Outcome, kind, measured, run_command
from tests.reloading import forget_folders
from tests.saves import move_piece

from . import seeds, spoiling
from .seeds import ABOUT, apart

SIDES = ("", "russian", "central-powers", "umpire")
_PICTURE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\xc8\0\0\0\xa0\x08\0\0\0\0" + bytes(4)


class Target(NamedTuple):
    """A kind of input.

    name: in words; seeds: sound inputs; spoil: puts a fault into one; meet: does with an input what the program does.
    It raises InputError for one that is refused, and returns what a command came to if it ran one.
    """

    name: str
    seeds: Callable[[], Iterator[bytes]]
    spoil: spoiling.Spoil
    meet: Callable[[bytes], str | None]


def met(target: Target, data: bytes, within: float = SECONDS) -> Outcome:
    """What comes of an input. within: seconds of processor time."""

    def meet() -> tuple[str, str]:
        try:
            came = target.meet(data)
        except InputError as error:
            said = str(error)
            tidy = (
                len(said) <= 2000
                and said.count("\n") < 2 * (MAX_FAULTS + 1)
                and all(line.isprintable() for line in said.split("\n"))
            )
            return kind(said), "" if tidy else f"untidy: {said!r}"
        return came or "read", ""

    return measured(meet, within)


def packed(stream: bytes) -> bytes:
    """The file of a save with these commands, whatever they are."""
    return write_container({COMMANDS: b"!VCSK00" + stream.hex().encode(), MODULE_DATA: ABOUT})


def _side(data: bytes) -> str:
    return SIDES[zlib.crc32(data) % len(SIDES)]


def _position(name: str, data: bytes) -> Position:
    """A position as the commands read it, by the eyes of one side or another."""
    side = _side(data)
    with kept_private(name, limited=is_limited(side)):
        cut = (lambda game, state: reduce_state(game, state, side or EVERYTHING)) if side else None
        position = read_position(name, data, cut=cut)
        check_size(position, name)
        return position


def _asked(position: Position) -> None:
    """A position checked, written in both ways and read back."""
    str(assistant.ask(position, "check"))
    again = read_position("x.json", assistant.to_json(position).encode())
    assert again.state == position.state, "another state after JSON"
    with suppress(InputError):  # what notation cannot express
        again = read_position("x.pos", assistant.notation(position).encode())
        assert _in_play(again) == _in_play(position), "other units after notation"


def _in_play(position: Position) -> set[tuple[str, str]]:
    return {(unit.type, unit.place) for unit in position.state.units.values() if unit.place}


# --- VASSAL's files ---------------------------------------------------------------------------------------------------


@cache
def _module() -> Module:
    return read_module(_module_file(next(seeds.modules())))


def _module_file(build: bytes) -> bytes:
    return write_container({"buildFile.xml": build, MODULE_DATA: ABOUT, "images/board.png": _PICTURE})


def _listed(save: Save, module: Module | None) -> None:
    found = list_save(save, module)
    assert all(line.isprintable() for line in format_listing(found).split("\n"))
    encode_json(found)
    WRITERS[".svg"](listing_scene(found))


def save(stream: bytes) -> None:
    """Commands of a save or a log: listed and drawn, with and without a module, written and read back, and read as a
    position.
    """
    data = packed(stream)
    found = read_save(data)
    after = replay(found)
    _listed(after, None)
    _listed(after, _module())
    with suppress(ValueError):  # a text that VASSAL could not read back
        assert read_save(write_save(found)).pieces.keys() == found.pieces.keys(), "other pieces after writing"
    _asked(_position("x.vsav", data))


def log(stream: bytes) -> None:
    """Commands of a log: explained, check_size as it stands and by its lines."""
    side = _side(stream)
    with kept_private("x.vlog", limited=is_limited(side)):
        record = read_log(
            packed(stream), "x.vlog", load_game, lambda game, state: reduce_state(game, state, side or EVERYTHING)
        )
        if is_limited(record.at(0).state.seen_by):
            record = count_by_lines(record)
        found = explain_log(AnnotatedRecord(record), "x.vlog")
    format_explanation(found, whole=True)
    explanation_json(found)


def compared(both: bytes) -> None:
    """Two saves of one game, compared."""
    files = {name: packed(data) for name, data in apart(both).items()}
    with kept_private("x.vsav", limited=True):
        positions = [
            read_position(name, data, cut=lambda game, state: reduce_state(game, state, _side(both) or EVERYTHING))
            for name, data in list(files.items())[:2]
        ]
    if len(positions) == 2:
        report = compare(*positions)
        str(report)
        assistant.to_json(report)


def changed(stream: bytes) -> None:
    """A save with changes written into its file: what is read then has just these changes."""
    data, random = packed(stream), Random(zlib.crc32(stream))
    before = read_save(data)
    after = msgspec.structs.replace(
        before, notes="a|b\n'c'", properties={**before.properties, ("Module", "Mud"): "a;b"}
    )
    if before.pieces:
        id = random.choice(list(before.pieces))
        after = move_piece(after, id, "Field", (random.randrange(99), 45))
        if random.random() < 0.3:
            after = msgspec.structs.replace(
                after, pieces={name: piece for name, piece in after.pieces.items() if name != id}
            )
    try:
        written = rewrite_save(data, after)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        return  # a change of what cannot be changed
    found = read_save(written)
    for part in ("notes", "properties", "turns", "boards", "unread"):
        assert getattr(found, part) == getattr(after, part), f"other {part} after changes"
    assert found.pieces.keys() == after.pieces.keys(), "other pieces after changes"


def file(data: bytes) -> None:
    """A whole file: a save, a log or a module."""
    try:
        _listed(replay(read_save(data)), None)
    except InputError:
        _started(data)


def module(build: bytes) -> None:
    """A build file: a new game of its module, listed and drawn."""
    _started(_module_file(build))


def _started(data: bytes) -> None:
    found = read_module(data)
    _listed(set_up_game(found.extended(found)), found)


# --- positions, packs, games ------------------------------------------------------------------------------------------


def notation(data: bytes) -> None:
    """A position in notation."""
    _asked(_position("x.pos", data))


def json_position(data: bytes) -> None:
    """A position in JSON."""
    _asked(_position("x.json", data))


def pack(files: bytes) -> str:
    """A pack of the game, over its own files."""
    _put(Path("data/packs", GAME), files)
    return _run(ASSISTANT, "pack", "check", GAME)


def game(files: bytes) -> str:
    """A game in a folder."""
    _put(Path("heath"), files)
    forget_folders()
    return _run(BUILDER, "check", "heath")


def _put(folder: Path, files: bytes) -> None:
    """Write the files of an input into an empty folder; it may name no other place."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in apart(files).items():
        path = folder / name
        if name.isprintable() and len(name) < 80 and path.resolve().is_relative_to(folder.resolve()):
            with suppress(OSError):  # one file within another
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)


def _run(program: str, *words: str) -> str:
    came, crash = run_command(program, words)
    assert not crash, crash
    return came


def targets() -> dict[str, Target]:
    """All kinds of input by a short name."""
    return {
        "file": Target("files of saves, logs, modules", seeds.files, spoiling.file, file),
        "save": Target("saves and logs, by their commands", seeds.streams, spoiling.stream, save),
        "log": Target("logs explained", seeds.logs, spoiling.stream, log),
        "compare": Target("pairs of saves compared", seeds.pairs, spoiling.of_each(spoiling.stream), compared),
        "rewrite": Target("saves changed in their files", seeds.streams, spoiling.stream, changed),
        "module": Target("modules, by their build files", seeds.modules, spoiling.xml, module),
        "notation": Target("positions in notation", seeds.notations, spoiling.text, notation),
        "json": Target("positions in JSON", seeds.json_positions, spoiling.json, json_position),
        "pack": Target("packs", seeds.packs, spoiling.of_each(spoiling.text), pack),
        "game": Target("games in folders", seeds.games, spoiling.of_each(spoiling.text), game),
    }
