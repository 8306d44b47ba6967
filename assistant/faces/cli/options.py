"""The arguments and options of commands on a position: its file, its viewpoint, its game, and --watch."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, TypeVar

import click

from ...installed.formats import EXAMPLE, POSITION_SUFFIX, example_file, example_names, first_games
from ...util.console import echo
from ...util.errors import InputError, Where
from .group import note_folder_here

if TYPE_CHECKING:
    from ...formats.positions import Position
    from ...game.games import Game
    from ...state.state import GameState


class StateArgument(click.ParamType):  # type: ignore[type-arg]  # older versions of click take no argument there
    """The argument STATE: a path, an example, a set-up or `-` for standard input."""

    name = "state"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return file_of(str(value))


def file_of(state: str) -> str:
    """Return the path of a position's file, or of an example.

    Raises InputError if the example or the position does not exist.
    """
    if state.startswith(EXAMPLE):
        return str(example_file(state))
    if state.endswith(POSITION_SUFFIX):
        try:
            os.lstat(state)
        except FileNotFoundError:
            names = example_names(first_games())[:3]
            hint = f"check the path, or try an example: {', '.join(names)}" if names else "check the path"
            raise InputError("No such file or directory", where=Where(state), hint=hint) from None
        except OSError:  # reading the file reports the error
            pass
    return state


F = TypeVar("F", bound=Callable[..., Any])


class EyesOptions(TypedDict):
    """The options that `eyes` adds to a command: the side whose view is shown, or the umpire."""

    side: str | None
    umpire: bool


class ReadingOptions(EyesOptions):
    """The options for reading a position, which `eyes` and `with_game` add."""

    beside: NotRequired[str | None]
    data: NotRequired[bytes]
    """The bytes of the file, if it has already been read."""


class TrustOptions(TypedDict):
    """The options that `trusting` adds to a command."""

    strict: bool
    reconstruction: bool
    accept: tuple[str, ...]
    own: tuple[str, ...]
    trust: tuple[str, ...]


class RecordOptions(ReadingOptions, TrustOptions):
    """The options of a command on a record of play."""


class LayoutOptions(TypedDict):
    """The options for printing a report."""

    as_json: bool
    narrow: bool
    forum: bool
    full: NotRequired[bool]
    line: NotRequired[bool]


class ShowOptions(RecordOptions, LayoutOptions):
    """The options of a command that shows a report on a position."""


class TargetOptions(TypedDict):
    """The files into which an answer is written."""

    after: Path | None
    picture: Path | None
    chart: Path | None
    force: bool


class AskOptions(ShowOptions, TargetOptions):
    """The options of a command that asks a question."""

    answers: str | None
    modules: tuple[Path, ...]
    part: int
    in_letters: bool
    jobs: int | None
    watch: bool


class AnswerOptions(ShowOptions):
    """The options of `answer`."""

    answers: str | None


class ModuleOptions(ReadingOptions):
    """The options of a command that reads a save of any module."""

    modules: tuple[Path, ...]


class CheckOptions(ModuleOptions, ShowOptions):
    """The options of `check`."""

    picture: Path | None
    force: bool


class CompareOptions(ModuleOptions, LayoutOptions):
    """The options of `compare`."""


def eyes(command: F) -> F:
    """Add the viewpoint options to a command that reads a position."""
    umpire = click.option("--umpire", is_flag=True, help="Show everything: for an umpire or solitaire play.")
    return click.option("--as", "side", metavar="SIDE", help="Show only what this side may know.")(umpire(command))


_TRUST_KINDS = ("map", "charts", "counters", "all")  # a copy, because state/trust.py is loaded only with a position


def trusting(command: F) -> F:
    """Add the options on the sources that may replace the player's own map, charts and counters."""
    for option in (
        click.option("--strict", is_flag=True, help="Answer from your own map, charts and counters alone."),
        click.option("--reconstruction", is_flag=True, help="The same as --trust charts."),
        click.option("--accept", multiple=True, metavar="SOURCE", hidden=True),
        click.option(
            "--own", multiple=True, type=click.Choice(_TRUST_KINDS), help="Use only your own map, charts or counters."
        ),
        click.option(
            "--trust",
            multiple=True,
            type=click.Choice(_TRUST_KINDS),
            help="Let a drawn map, made-up or rebuilt charts, or made-up counters stand in for yours.",
        ),
    ):
        command = option(command)
    return command


def with_game(command: F) -> F:
    """Add the option that names the position's game."""
    meaning = "The position's game: its folder, if it is not installed; its name, if a module is adopted for several."
    return click.option("--game", "beside", metavar="GAME", help=meaning, callback=note_folder_here)(command)


def whose(options: EyesOptions) -> str:
    """Return the side or the umpire that the options name, or "" if they name neither.

    Raises InputError if they name both.
    """
    from ...state.state import UMPIRE

    if options["umpire"] and options["side"]:
        raise InputError("an umpire sees all sides", where=Where("--as"), hint="leave out --as or --umpire")
    return UMPIRE if options["umpire"] else options["side"] or ""


def as_seen(game: Game, state: GameState, options: EyesOptions) -> GameState:
    """Return a state as seen from the viewpoint of the options, the player's settings or the state itself.

    Raises InputError if the side is unknown, or if the settings cannot be read.
    """
    from ...game.viewpoint import seen_as
    from ...game.viewpoint_settings import read_viewpoints

    named = whose(options)
    try:
        return seen_as(game, state, named, read_viewpoints())
    except InputError as error:
        raise error.at(Where("--as" if named else "settings.json")) from None


def check_sees_all(game: Game, options: EyesOptions, file: str, knows: str = "") -> None:
    """Raise InputError if the viewpoint is that of a side, since a journal shows everything.

    `knows`: the side that may open the journal because it is its own, or "".
    """
    from ...game.viewpoint import check_viewpoint
    from ...game.viewpoint_settings import read_viewpoints
    from ...state.state import EVERYTHING, is_limited

    viewpoint = check_viewpoint(game, whose(options) or read_viewpoints().get(game.id, EVERYTHING))
    if is_limited(viewpoint) and viewpoint != knows:
        hint = f"ask about it with --as {viewpoint}; `assistant viewpoint {game.id} umpire` lets you see everything"
        raise InputError(f"a journal shows more than {viewpoint} may know", where=Where(file), hint=hint)


def may_be_limited(options: EyesOptions) -> bool:
    """Return whether the viewpoint may be that of a side, by the options or by the settings of any game."""
    from ...game.viewpoint_settings import read_viewpoints
    from ...state.state import is_limited

    if named := whose(options):
        return is_limited(named)
    return any(map(is_limited, read_viewpoints().values()))


def data_of(state: str, options: ReadingOptions) -> bytes:
    """Return the bytes of a file ("-" for standard input), or the option `data` if it has already been read.

    Raises InputError if the file cannot be read.
    """
    from ...formats.positions import file_bytes
    from ...installed.formats import formats
    from ...util.files import read_standard_input

    known = options.get("data")
    if known is not None:
        return known
    return read_standard_input() if state == "-" else file_bytes(Path(state), formats())


def game_loader(options: ReadingOptions) -> Callable[[str], Game]:
    """Return a function that returns a game by its name: the game of the options, or else an installed one."""
    from ...installed.registry import make_game_loader, named_game

    beside = options.get("beside")
    return make_game_loader(named_game(beside) if beside else None)


def open_position(state: str, options: ReadingOptions) -> Position:
    """Return the position in a file ("-" for standard input) as seen from the viewpoint of the options or the settings.

    Raises the errors of `read_position`; for a side, they do not list the pieces of a save. Raises InputError for an
    unknown side.
    """
    from ...formats.positions import ending_of, position_name
    from ...installed.formats import read_position
    from ...service import check_size
    from ...util.limits import kept_private

    data = None
    file = state
    if state == "-":
        from ...formats.vassal.streams import is_bare

        data = data_of(state, options)
        saved = data.startswith(b"PK") or is_bare(data)
        file = f"standard input{'.vsav' if saved else ending_of(data)}"

    name = position_name(file)
    with kept_private(name, limited=may_be_limited(options)):
        position = read_position(file, data, game_loader(options), lambda game, state: as_seen(game, state, options))
    check_size(position, name)
    return position


def watchable(command: F) -> F:
    """Add the option to answer again when the file changes."""
    meaning = "Answer again whenever the file is saved, until Ctrl+C."
    return click.option("--watch", is_flag=True, help=meaning)(command)


def answer_anew(file: str, program: str, answer: Callable[[bool], object]) -> None:
    """Answer now and each time that a file is saved, until Ctrl+C.

    The first error is raised; a later one is printed, and the next save awaited.

    `program`: the program's name.
    `answer`: called with False for the first answer, and with True for each later one, which may overwrite its files.

    Raises InputError for standard input and for a missing file.
    """
    path = Path(file)
    if file == "-":
        raise InputError("standard input does not change", where=Where("--watch"), hint="name a file")
    if not path.is_file():
        answer(False)  # reports what is wrong with the file
        return
    from ...util.files import versions  # imported here because most commands do not watch

    anew = False
    with suppress(KeyboardInterrupt):
        for _ in versions(path):
            try:
                if anew:
                    echo(f"\n{file} was saved", err=True)
                answer(anew)
            except InputError as error:
                if not anew:
                    raise
                echo(f"{program}: {error}", err=True)
            if not anew:
                echo(f"watching {file}; Ctrl+C ends it", err=True)
            anew = True


def listed_games() -> list[str]:
    """Return the installed games, and print a note on standard error if there are none."""
    from ...installed.registry import installed_games

    games = list(installed_games())
    if not games:
        echo("no game is installed", err=True)
    return games
