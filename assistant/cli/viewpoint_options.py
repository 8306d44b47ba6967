"""The viewpoint of a command: its options --as and --umpire, or else the player's own setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..util.errors import InputError, Where

if TYPE_CHECKING:
    from ..formats.positions import Position
    from ..game.games import Game
    from ..state.state import GameState

F = TypeVar("F", bound=Callable[..., Any])


def eyes(command: F) -> F:
    """The viewpoint options of a command that reads a position."""
    umpire = click.option("--umpire", is_flag=True, help="Show everything: for an umpire or solitaire play.")
    return click.option("--as", "side", metavar="SIDE", help="Show only what this side may know.")(umpire(command))


def with_game(command: F) -> F:
    """The option of a command on a position that names the position's game."""
    help = "The position's game: its folder, if it is not installed; its name, if a module is adopted for several."
    return click.option("--game", "beside", metavar="GAME", help=help)(command)


def whose(options: Mapping[str, Any]) -> str:
    """The side or the umpire that the options name, "" if they name none. Raises InputError if they name both."""
    from ..state.hidden import UMPIRE

    if options["umpire"] and options["side"]:
        raise InputError("an umpire sees all sides", where=Where("--as"), hint="leave out --as or --umpire")
    return UMPIRE if options["umpire"] else options["side"] or ""


def as_seen(game: Game, state: GameState, options: Mapping[str, Any]) -> GameState:
    """A state as seen from the viewpoint of the options, or else of the player's own setting, or else of the state
    itself.

    Raises InputError for an unknown side, and for settings that cannot be read.
    """
    from ..game.settings import viewpoints
    from ..game.viewpoint import seen_by
    from ..state.hidden import EVERYTHING

    named = whose(options)
    try:
        return seen_by(game, state, named or viewpoints().get(game.id) or state.seen_by or EVERYTHING)
    except InputError as error:
        raise error.at(Where("--as" if named else "settings.json")) from None


def may_be_limited(options: Mapping[str, Any]) -> bool:
    """Whether a side may be looking, as far as can be told before the game is known: by the options, or by any of the
    settings.
    """
    from ..game.settings import viewpoints
    from ..state.hidden import is_limited

    named = whose(options)
    return any(map(is_limited, [named] if named else viewpoints().values()))


def data_of(state: str, options: Mapping[str, Any]) -> bytes:
    """The bytes of a file ("-" for standard input), or those that the options hold as `data`, if they were read
    already.

    Raises InputError if it cannot be read.
    """
    from ..formats.positions import bytes_of
    from ..plugins.registry import formats
    from ..util.files import read_standard_input

    known: bytes | None = options.get("data")
    if known is not None:
        return known
    return read_standard_input() if state == "-" else bytes_of(Path(state), formats())


def games_of(options: Mapping[str, Any]) -> Callable[[str], Game]:
    """The loader for what files call their game: that of the options, or else an installed one."""
    from ..plugins.registry import games_beside, named_game

    beside = options.get("beside")
    return games_beside(named_game(beside) if beside else None)


def open_position(state: str, options: Mapping[str, Any]) -> Position:
    """The position in a file ("-" for standard input) as seen from the viewpoint of the options or of the player's own
    setting.

    Raises what `read_position` raises, without the pieces of a save if a side reads it; InputError for an unknown side.
    """
    from ..plugins.registry import read_position
    from ..service import check_size, kept_private

    data, name = None, state
    if state == "-":
        from ..formats.vassal.containers import is_bare  # only here: what reads zip files takes long to load

        data = data_of(state, options)
        saved = data.startswith(b"PK") or is_bare(data)
        ending = "json" if data.lstrip().startswith(b"{") else "vsav" if saved else "pos"
        name = f"standard input.{ending}"

    with kept_private(name, limited=may_be_limited(options)):
        position = read_position(name, data, games_of(options), lambda game, state: as_seen(game, state, options))
    check_size(position, name)
    return position
