"""Fingerprints of what an answer rests on: the rules and data of a game, and the program.

A fingerprint is the beginning of a SHA-256 checksum of files with their names. Two answers from the same fingerprints
are the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

from ..game.games import Game, pack_folder
from ..util.files import files_below, package_folder, read_own
from ..util.memo import Memo

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_DISTRIBUTION = "field-staff"
_GAMES: Memo[None, str] = Memo()
_PACKS: Memo[None, str] = Memo()
_LENGTH = 12
"""The number of hexadecimal digits of a fingerprint."""
_RULE_ENDINGS = (".csv", ".pos", ".py", ".toml")
"""The suffixes of files on which answers depend. Pictures and texts for readers are left out."""


def compute_fingerprint(parts: Iterable[tuple[str, bytes]]) -> str:
    """Return the fingerprint of contents with their names, in this order."""
    total = sha256()
    for name, content in parts:
        total.update(b"%d %b %d " % (len(name.encode()), name.encode(), len(content)))
        total.update(content)
    return total.hexdigest()[:_LENGTH]


def _read_folder(folder: Traversable) -> Iterable[tuple[str, bytes]]:
    return ((name, read_own(file)) for name, file in files_below(folder) if name.endswith(_RULE_ENDINGS))


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


def name_rules(game: Game) -> str:
    """Return the version of the program with the fingerprint of a game, such as `1.0.0 3f2c81d09ab4`."""
    return f"{program_version()} {fingerprint_game(game)}"
