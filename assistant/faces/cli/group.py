"""The common parts of the commands of both programs.

Unusable input ends with a message and exit code 3. --debug prints tracebacks. The argument GAME may be omitted.
"""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click
from click.shell_completion import CompletionItem

from ...util.console import echo, prepare_streams
from ...util.errors import (
    FREE_MEMORY,
    NO_MEMORY,
    InputError,
    is_want_of_memory,
    plain,
    word_loading_error,
    word_machine_error,
)
from ...util.late import load
from ...util.patterns import late_pattern
from ...util.signals import ending_interrupted

if TYPE_CHECKING:
    from ...game.games import Game


_GAME = "game"
_OWN_PACKAGE = __name__.partition(".")[0]
"""The package of the assistant itself."""
_RULE_NUMBER = late_pattern(r"[0-9]+(?:\.[0-9a-z]+)*")
_MAX_HEAD_BYTES = 4096
"""The number of bytes of a position that are searched for the name of its game."""
_GAME_OF_POSITION = late_pattern(r'^game[ \t]+(\S+)|\A\s*\{\s*"game":\s*"([^"]+)"', re.MULTILINE)
"""The name of the game in a position, in notation or in JSON."""


class GameCommand(click.Command):
    """A command whose first argument may be a game.

    The game may be omitted if only one is installed, or before a position in notation or JSON.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for parameter in self.params:
            if isinstance(parameter, click.Argument) and parameter.name in _COMPLETED and parameter.nargs in (1, -1):
                parameter.type = Completed(_COMPLETED[parameter.name])
            if isinstance(parameter, click.Argument) and parameter.name == _GAME:
                parameter.callback = note_folder_here

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words of a command line, with the game added if it is omitted."""
        arguments = [param for param in self.params if isinstance(param, click.Argument)]
        if arguments and arguments[0].name == _GAME and arguments[0].required and not ctx.resilient_parsing:
            given = list(self._list_words(args))
            required = sum(argument.required for argument in arguments)
            if len(given) < required or _is_without_game(given[0]):
                args = [*_find_meant_game(given[:1]), *args]
                if given and args[0] == given[0] and _RULE_NUMBER.fullmatch(given[0]):
                    raise _find_unnamed_game(ctx.command_path, given[0])
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            takes_game = arguments and arguments[0].name == _GAME
            if not (takes_game and error.message.startswith("Got unexpected extra argument")):
                raise
            hint = "A name with spaces goes in quotes; the names that `assistant games` lists have none."
            raise click.UsageError(f"{error.message.rstrip('.')}. {hint}", error.ctx) from None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Add a note on how to ask a question with the name of the command."""
        super().format_epilog(ctx, formatter)
        program = ctx.parent.command if ctx.parent else None
        if isinstance(program, Program) and (text := program.way_to_ask(self.name or "")):
            formatter.write_paragraph()
            formatter.write_text(text)

    def _list_words(self, args: Sequence[str]) -> Iterator[str]:
        takes = set[str]()
        for option in self.params:
            if isinstance(option, click.Option) and not option.is_flag:
                takes.update(option.opts, option.secondary_opts)
        is_value = False
        for word in args:
            if not is_value and (word == "-" or not word.startswith("-")):
                yield word
            is_value = not is_value and word in takes


def _is_without_game(word: str) -> bool:
    """Return whether a word is the number of a rule, a file, a link or standard input rather than a game."""
    from ...formats.positions import is_link
    from ...installed.registry import full_id, installed_games

    is_other = word == "-" or _RULE_NUMBER.fullmatch(word) or is_link(word) or os.path.isfile(word)
    return bool(is_other and full_id(word) not in installed_games())


def _find_unnamed_game(command: str, rule: str) -> InputError:
    from ...installed.registry import installed_games

    games = list(installed_games())
    hint = f"write: {command} {games[0]} {rule}; installed: {', '.join(games)}" if games else "no game is installed"
    return InputError(f"{rule} is a rule number, but no game is named", hint=hint)


def _find_meant_game(words: Sequence[str]) -> list[str]:
    """Return the game to add before a word that is not a game.

    It is the game of the position that the word names, or the only installed game.
    """
    from ...installed.registry import full_id, installed_games

    games = list(installed_games())
    if len(games) == 1:
        return games
    match = _GAME_OF_POSITION.search(_find_head(words[0])) if words else None
    if match and (game := full_id(match[1] or match[2])) in games:
        return [game]
    return []


def _find_head(file: str) -> str:
    """Return the beginning of a position's file or link, or "" for another word."""
    from ...formats.links import unpack
    from ...formats.positions import is_link

    if is_link(file):
        return unpack(file)
    if not os.path.isfile(file):
        return ""
    with open(file, "rb") as opened:
        return opened.read(_MAX_HEAD_BYTES).decode("utf-8-sig", "replace")


def note_folder_here(ctx: click.Context, _: click.Parameter, named: str | None) -> str | None:
    """Return the game that a command names, as typed.

    Prints a note if an installed game is used although the working folder has a folder of that name.
    """
    from ...installed.registry import game_folder, installed_games

    here = named or ""
    if (
        named
        and not ctx.resilient_parsing
        and os.path.isfile(os.path.join(here, "game.toml"))
        and named in installed_games()
    ):
        with suppress(InputError):  # loading the game reports the error
            if str(game_folder(named).folder) != os.path.realpath(here):
                echo(f"note: {named} is the installed game; ./{named} is the folder here", err=True)
    return named


class Completed(click.ParamType):  # type: ignore[type-arg]  # older versions of click take no argument there
    """Text that a shell can complete."""

    name = "text"

    def __init__(self, words: Callable[[click.Context], Iterable[str]]) -> None:
        self.words = words

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the words that begin as typed, or an empty list after any error in a game or its files."""
        try:
            return [CompletionItem(word) for word in self.words(ctx) if word.startswith(incomplete)]
        except Exception:
            return []


def completed_questions() -> list[str]:
    """Return the names of the questions of all installed games, each once."""
    from ...installed.registry import installed_games, load_game, questions_of

    return list(dict.fromkeys(name for game in installed_games() for name in questions_of(load_game(game))))


def hidden_questions(game: Game, commands: Container[str]) -> list[str]:
    """Return the questions of a game that only `assistant ask` can ask, as a command has the same name.

    The assistant's own questions are left out, because those commands ask them.

    `commands`: the names of commands.
    """
    from ...installed.registry import questions_of

    modules = questions_of(game).modules.items()
    return [name for name, module in modules if name in commands and not module.startswith(f"{_OWN_PACKAGE}.")]


def ways_to_draw(question: str) -> frozenset[str] | None:
    """Return the kinds of pictures of answers to a question in the installed games, or None if no game has it."""
    from ...installed.registry import installed_games, load_game, questions_of

    asked = (questions_of(load_game(game)).get(question) for game in installed_games())
    known = [declared.drawn_as for declared in asked if declared is not None]
    return frozenset[str]().union(*known) if known else None


def _list_games(_: click.Context) -> list[str]:
    from ...installed.registry import installed_games

    return list(installed_games())


def _find_game(ctx: click.Context) -> Game:
    from ...installed.registry import named_game

    return named_game(ctx.params.get(_GAME) or "")


def _list_charts(ctx: click.Context) -> list[str]:
    return [*_find_game(ctx).charts, *IN_NO_CHART]


def _list_facts(ctx: click.Context) -> list[str]:
    """Return the words that may follow `pack set GAME`: kinds of facts, then charts, units, tracks or rulings."""
    game = _find_game(ctx)
    typed = tuple(ctx.params.get("what") or ())
    match typed:
        case ():
            return list(PACK_FACTS)
        case ("chart",):
            return list(game.charts)
        case ("unit",):
            return list(game.roster)
        case ("unit", _):
            return [track.name for track in game.tracks.values() if track.printed == "counter"]
        case ("ground", _):
            return [track.name for track in game.tracks.values() if track.printed == "map"]
        case ("ruling",):
            return list(game.rulings)
    return []


PACK_FACTS = {
    "chart": ("CHART KEY ...", "= CELL"),
    "unit": ("UNIT TRACK", "VALUE"),
    "ground": ("HEX TRACK", "VALUE"),
    "ruling": ("RULING", "READING"),
    "turn": ("NUMBER KIND", "TEXT"),
    "army": ("ARMY TRACK", "VALUE"),
}
"""The kinds of facts for `pack set`, each with the placeholders of its key and value."""
IN_NO_CHART = ("counters", "turns", "armies", "setups", "schedules")
"""The words of `pack enter` and `pack take` for data outside charts, in place of a chart's name."""


_COMPLETED: dict[str, Callable[[click.Context], Iterable[str]]] = {
    _GAME: _list_games,
    "chart": _list_charts,
    "question": lambda _: completed_questions(),
    "what": _list_facts,
}


UNUSABLE_EXIT_CODE = 3
"""The exit code for input that cannot be used."""
UNDECIDED_EXIT_CODE = 4
"""The exit code for an answer that waits for more."""
_DEBUG = "--debug"
"""The option that also prints the traceback of an error."""


class LateCommand(click.Command):
    """A command that is imported only when it is called, and has only its summary before.

    `place`: where the command is, as `package.module:name`.
    `summary`: the first sentence of its help.
    """

    def __init__(self, name: str, place: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self.place = place


class Program(click.Group):
    """A group of commands, of which those on a game may omit it (see `GameCommand`).

    --debug may stand anywhere on the line; it prints the traceback above an error's message.
    """

    command_class = GameCommand

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # built early, as it is needed when memory is short
        self.no_memory = f"{self.name}: {NO_MEMORY}\n  {FREE_MEMORY}\n".encode()
        meaning = "Print the traceback of an error too, for the author of a plugin."
        self.params.append(click.Option([_DEBUG], is_flag=True, expose_value=False, help=meaning))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Return the command with a name, imported if necessary, or None if there is none."""
        command = super().get_command(ctx, name)
        if isinstance(command, LateCommand):
            command = self.commands[name] = load(command.place)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self._make_summaries(ctx).format_commands(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the matching commands with their summaries, or the matching options."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        summaries = self._make_summaries(ctx)
        return summaries.shell_complete(click.Context(summaries), incomplete)

    def _make_summaries(self, ctx: click.Context) -> click.Group:
        """Return a group of all commands in their present form, imported or not."""
        return click.Group(commands={name: self.commands[name] for name in self.list_commands(ctx)})

    def way_to_ask(self, name: str) -> str:
        """Return a sentence on how to ask a question with the name of a command, or "" if there is no such question."""
        return ""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a usage error also says how to ask a question with the command's name."""
        try:
            with ending_interrupted(self.name or ""):
                return super().invoke(ctx)
        except click.UsageError as error:
            name = error.ctx.info_name if error.ctx and error.ctx.parent is ctx else None
            text = self.way_to_ask(name) if name else ""
            if not text:
                raise
            raise click.UsageError(f"{error.message.rstrip('.')}. {text}", error.ctx) from None

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        with ending_interrupted(self.name or ""):
            return super().make_context(*args, **options)

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run one command line."""
        given = list(sys.argv[1:] if args is None else args)
        words = [word for word in given if word != _DEBUG]
        try:
            return super().main(words, *rest, **options)
        except InputError as error:
            if len(words) < len(given):
                from traceback import print_exception

                print_exception(error)
            echo(f"{self.name}: {error}", err=True)
        except OSError as error:  # a full disk under standard output, or a current folder that is gone
            if _is_of_output(error):
                echo(f"{self.name}: {word_machine_error(error, 'standard output')}", err=True)
                _discard_output(sys.stdout)
            else:
                echo(f"{self.name}: {word_machine_error(error)}", err=True)
        sys.exit(UNUSABLE_EXIT_CODE)


def run(program: Program, ready: Callable[[], object] | None = None, words: Sequence[str] | None = None) -> None:
    """Run the command line of a program with its streams, even if they are closed, full or in another encoding.

    Exit code 3 if standard output is closed or memory runs out. An internal error prints two lines, or its traceback
    with --debug.

    `ready`: a function that is called first.
    `words`: the command line, or None for that of the process.
    """
    name = program.name or ""
    try:
        prepare_streams()
        sys.unraisablehook = partial(_tell_unraisable, program.no_memory)
        if ready:
            ready()
        if sys.stdout is None:
            echo(f"{name}: standard output: it is closed", err=True)
            sys.exit(UNUSABLE_EXIT_CODE)
        program.main(words, prog_name=name)
    except MemoryError:
        _end_without_memory(program.no_memory)
    except OSError:  # no stream is left to report the error on
        _discard_output(sys.stderr)
        sys.exit(UNUSABLE_EXIT_CODE)
    except Exception as error:
        if is_want_of_memory(error):
            _end_without_memory(program.no_memory)
        if _DEBUG in sys.argv:
            raise
        if _is_of_loading(error):
            echo(f"{name}: {word_loading_error(error)}", err=True)
            sys.exit(UNUSABLE_EXIT_CODE)
        text = plain(f"{type(error).__name__}: {error}")
        echo(f"{name}: internal error: {text}\n  {_DEBUG} adds the traceback for the program's authors", err=True)
        sys.exit(UNUSABLE_EXIT_CODE)
    finally:
        gc.freeze()  # saves a last garbage collection, as the process ends


def _is_of_loading(error: Exception) -> bool:
    """Return whether a part of the program or a package could not be loaded.

    If Python cannot read the `__init__.py` of a package, it loads an empty namespace, which lacks the attributes used.
    """
    lacks = isinstance(error, AttributeError) and isinstance(error.obj, ModuleType) and error.obj.__file__ is None
    is_of_a_module = any(frame.f_code.co_name == "<module>" for frame in _list_frames(error))
    is_encoding = isinstance(error, LookupError) and str(error).startswith("unknown encoding: ")
    return isinstance(error, ImportError) or lacks or is_of_a_module or is_encoding


def _tell_unraisable(no_memory: bytes, unraisable: sys.UnraisableHookArgs) -> None:
    """Report an unraisable error as Python does, but a lack of memory only once and in words.

    `no_memory`: the words, or b"" once they are printed.
    """
    if unraisable.exc_value is not None and is_want_of_memory(unraisable.exc_value):
        sys.unraisablehook = partial(_tell_unraisable, b"")
        os.write(2, no_memory)
    else:
        sys.__unraisablehook__(unraisable)


def _end_without_memory(text: bytes) -> NoReturn:
    """Print the message and exit at once.

    Cleaning up needs memory too, and files on disk are always whole.
    """
    try:
        os.write(2, text)
        sys.stdout.flush()
    except (MemoryError, OSError, ValueError):
        pass
    os._exit(UNUSABLE_EXIT_CODE)


def _is_of_output(error: OSError) -> bool:
    """Return whether the error comes from printing: it names no file and was raised in the printing code."""
    *_, last = _list_frames(error)
    prints = str(last.f_globals.get("__name__")).partition(".")[0] == click.__name__
    return prints and error.filename is None


def _list_frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace:
        yield trace.tb_frame
        trace = trace.tb_next


def _discard_output(stream: TextIO) -> None:
    """Discard the unwritten data of a stream, as Python would try to write them again at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
