"""Fingerprints of what an answer rests on: the rules and data of a game, and the program.

A fingerprint is the beginning of a SHA-256 checksum of files with their names. Two answers from the same fingerprints
are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from ..asking.basis import Basis
from ..asking.report import Report
from ..formats.json_state import write_json
from ..formats.links import write_link
from ..formats.positions import Position
from ..game.games import Game, pack_folder
from ..util.errors import InputError
from ..util.files import files_below, package_folder
from ..util.limits import Limit
from ..util.memo import Memo

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_DISTRIBUTION = "field-staff"
_GAMES: Memo[None, str] = Memo()
_PACKS: Memo[None, str] = Memo()
_LENGTH = 12
"""The number of hexadecimal digits of a fingerprint."""
_RULE_ENDINGS = (".csv", ".pos", ".py", ".toml")
"""The endings of files on which answers depend. Pictures and texts for readers are left out."""


def compute_fingerprint(parts: Iterable[tuple[str, bytes]]) -> str:
    """Return the fingerprint of contents with their names, in this order."""
    total = sha256()
    for name, content in parts:
        total.update(b"%d %b %d " % (len(name.encode()), name.encode(), len(content)))
        total.update(content)
    return total.hexdigest()[:_LENGTH]


def _read_folder(folder: Traversable) -> Iterable[tuple[str, bytes]]:
    return ((name, file.read_bytes()) for name, file in files_below(folder) if name.endswith(_RULE_ENDINGS))


def fingerprint_game(game: Game) -> str:
    """Return the fingerprint of a game's rules and data: the files of its folder, without the owner's pack."""
    return game.memo(_GAMES, None, lambda: compute_fingerprint(_read_folder(game.folder)))


@cache
def program_version() -> str:
    """Return the version of the installed program, or "unknown" if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # loaded late: most commands do not need it

    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"


@cache
def fingerprint_program() -> str:
    """Return the fingerprint of the program without the games."""
    return compute_fingerprint(_read_folder(package_folder(__package__.partition(".")[0])))


def fingerprint_pack(game: Game) -> str:
    """Return the fingerprint of the owner's pack of a game, or "" without one."""
    folder = pack_folder(game.id)
    return game.memo(_PACKS, None, lambda: compute_fingerprint(_read_folder(folder)) if folder.is_dir() else "")


def fingerprint_position(position: Position) -> str:
    """Return the fingerprint of a position with its questions, dice and choices, in whatever order its facts are."""
    values = msgspec.json.decode(write_json(position))
    for name in ("facts", "elsewhere", "cells"):
        if name in values:
            values[name].sort(key=lambda entry: msgspec.json.encode(entry, order="sorted"))
    return compute_fingerprint([("", msgspec.json.encode(values, order="sorted"))])


def find_basis(posed: Position) -> Basis:
    """Return what the answer to the only question of a position is computed from."""
    try:
        fragment, left_out = write_link(posed)
    except InputError as error:  # notation cannot write a name
        fragment, left_out = "", (error.what,)
    if len(fragment) > Limit.LINK.most:
        fragment, left_out = "", ("the position, as its link is too long",)
    if posed.past:
        left_out = ("what the journal knows of earlier turns", *left_out)
    return Basis(
        fingerprint_position(posed),
        fingerprint_game(posed.game),
        fingerprint_pack(posed.game),
        f"{program_version()} {fingerprint_program()}",
        fragment,
        left_out,
    )


def with_basis(report: Report[Any], posed: Position) -> Report[Any]:
    """Return a report with what it was computed from.

    `posed`: the position with the report's question alone, and its dice and choices.
    """
    return msgspec.structs.replace(report, basis=find_basis(posed))


def name_rules(game: Game) -> str:
    """Return the version of the program with the fingerprint of a game, such as `1.0.0 3f2c81d09ab4`."""
    return f"{program_version()} {fingerprint_game(game)}"
