"""The command line.

Exit codes: 0 answered, 1 cut off, 2 no such option or command, 3 unusable input, 4 undecided because facts are missing
or doubtful.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress

import click
from click.shell_completion import CompletionItem

from ...installed.plugins import call_plugins
from ...util.console import echo
from ...util.errors import InputError
from ...util.late import load
from .group import LateCommand, Program, completed_questions, hidden_questions, run


class Cli(Program):
    """The assistant's commands, and those that plugins add."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if known := super().get_command(ctx, name):
            return known
        self._add_plugins()
        if added := super().get_command(ctx, name):
            return added
        if not re.fullmatch("[a-z][a-z0-9-]*", name):
            return None
        question: click.Command = load("assistant.faces.cli.ask:question_command")(name)
        return question

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._add_plugins()
        return super().list_commands(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return matching commands, and questions, which are also commands."""
        known = super().shell_complete(ctx, incomplete)
        values = {item.value for item in known}
        asked = (name for name in completed_questions() if name.startswith(incomplete) and name not in values)
        return [*known, *map(CompletionItem, asked)]

    def way_to_ask(self, name: str) -> str:
        """Return a sentence on how to ask a game's question with the name of a command, or "" if there is none.

        A game that cannot be loaded is left out.
        """
        # imported here because `assistant --help` would have to wait for this module
        from ...installed.registry import installed_games, load_game

        games = list[str]()
        for game in installed_games():
            with suppress(InputError):
                if name in hidden_questions(load_game(game), self.commands):
                    games.append(game)
        return f"The question `{name}` of {', '.join(games)} is asked by `assistant ask {name}`." if games else ""

    def _add_plugins(self) -> None:
        if not getattr(self, "complete", False):
            self.complete = True
            call_plugins("register_commands", cli=self)


def _show_versions(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not ctx.resilient_parsing:
        for line in load("assistant.faces.cli.doctor:installed_versions")():
            echo(line)
        ctx.exit()


_HELP_OPTIONS = ["-h", "--help"]
_SETTINGS = {"help_option_names": _HELP_OPTIONS}
_VERSION_OPTION = "--version"
_takes_version = click.option(
    _VERSION_OPTION,
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_versions,
    help="Show the version and the installed games, and exit.",
)


@click.group("assistant", cls=Cli, context_settings=_SETTINGS)
@_takes_version
def cli() -> None:
    """Answers rules questions about a wargame position, with its working and rule numbers.

    A position is a file in position notation (.pos), JSON (.json), a journal (.journal), a VASSAL save (.vsav, .vlog),
    a link, or an example (example:GAME/NAME); - reads one from standard input. Each question of its game is a command
    too: `assistant battle game.pos`, `assistant supply game.pos`. `assistant ask` asks any, also one that has the name
    of another command.
    """


COMMANDS = {
    "ask": ("ask:ask_command", "Ask any QUESTION about a position, or about each of several."),
    "check": (
        "positions:check",
        "What was understood of a position, and whether the questions and parameters in it are known.",
    ),
    "viewpoint": (
        "games:viewpoint",
        "The viewpoint for a GAME, unless --as or --umpire is given: a SIDE, umpire, or none to forget it.",
    ),
    "games": ("games:games", "List the installed games."),
    "questions": (
        "games:questions",
        "What can be asked about a GAME, a line for each question; or what one QUESTION takes.",
    ),
    "reference": (
        "games:reference",
        "The reference of a GAME, or of one QUESTION, as Markdown: fields, figures, tracks, charts, turns.",
    ),
    "schema": ("games:schema", "The JSON Schema of a position as JSON; for a GAME, with the values of its tracks."),
    "convert": (
        "positions:convert",
        "A position as JSON; with --as, what that side may be given of it, without questions and answers.",
    ),
    "rules": (
        "rules:rules",
        "The rule index of a GAME, or of the rules under PREFIX: what is computed, where and by which questions, and "
        "what is left to the players.",
    ),
    "answer": (
        "ask:answer_all",
        "Answer every `ask` line of a position; with --json all reports are one list, in the order of the lines.",
    ),
    "compare": (
        "positions:compare",
        "What moved, was lost, came and changed from one position to another: two saves of a game, say.",
    ),
    "examples": (
        "examples:examples",
        "The worked examples of a GAME, or those of a rule (11.4), or one by its NUMBER (11.4/1), each with the result "
        "now.",
    ),
    "explain": (
        "explain:explain",
        "Explain each battle, check and judgement of supply that the dice and moves of a LOG (.vlog) allow, ready to "
        "paste into a mail.",
    ),
    "adopt": (
        "adopt:adopt",
        "Adopt a published VASSAL MODULE for a game, with its EXTENSIONS: find out which piece is which unit, which "
        "layer states which fact.",
    ),
    "doctor": (
        "doctor:doctor",
        "Examine the installation: games, your entries, the folders with data, and optional additions.",
    ),
    "journal": (
        "journal:journal",
        "A game from its first entry on: what happened, what the rules make of it, and every earlier state.",
    ),
    "learn": (
        "learn:learn",
        "Learn a GAME by its worked examples, or one CHAPTER of its rules (11), or one lesson (11.4/1).",
    ),
    "link": (
        "link:link",
        "A position as a link, with its questions, dice and choices: who opens it on the page sees the whole answer.",
    ),
    "luck": (
        "luck:luck",
        "Show the luck in a log (.vlog) or a journal exactly: each battle's result beside the possible ones.",
    ),
    "vassal": ("vassal:vassal", "A button in VASSAL that asks about what is selected there."),
    "mcp": ("mcp:mcp", "Let a language model ask, by the Model Context Protocol, on standard input and output."),
    "pack": ("packs:pack", "Your own charts, counter values and map, entered once and used from then on."),
    "referee": (
        "referee:referee",
        "Put the cases of a referee's FILES, or of folders of them, to their games, and print what differs.",
    ),
    "review": (
        "review:review",
        "Judge each step of a FILE: a VASSAL log (.vlog), a journal, or a save with the save AFTER it.",
    ),
    "serve": ("serve:serve", "The table page on this machine."),
    "story": (
        "story:story",
        "Write the story of a game from its record FILE, a log (.vlog) or a journal: who moved, fought, came and left, "
        "turn by turn.",
    ),
    "table": ("table:table", "A prompt beside a paper map: each combat of a GAME in one line, with your dice."),
}
"""The place of each command, as `module:name` in this package, and the first sentence of its help."""

for name, (place, summary) in COMMANDS.items():
    cli.add_command(LateCommand(name, f"{__package__}.{place}", summary))


class PageCli(Cli):
    """The assistant's commands under another name, with `serve` as the default command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse a command line; if it has no command, or begins with an option of the page, `serve` is meant."""
        first = args[0] if args else "--"
        is_of_program = not first.startswith("-") or first in (*_HELP_OPTIONS, _VERSION_OPTION)
        return super().parse_args(ctx, args if is_of_program else ["serve", *args])


@click.group(
    "field-staff",
    cls=PageCli,
    commands=cli.commands,
    context_settings=_SETTINGS,
    subcommand_metavar="[COMMAND] [ARGS]...",
)
@_takes_version
def page_cli() -> None:
    """Opens the table page in your browser, for this computer alone.

    On it you fight battles, move units and see supply by taps. Ctrl+C in the terminal stops it.

    Options of the page need no command, such as `field-staff --port 1915`: `field-staff serve --help` lists them.

    With a command it is the same as `assistant`: `field-staff battle game.pos`.
    """


def main() -> None:
    """Run the command line of `assistant`."""
    run(cli, _begin_again)


def open_page() -> None:
    """Run the command line of `field-staff`."""
    run(page_cli, _begin_again)


def _begin_again() -> None:
    """Do the work of a child process if this process is one: a frozen program starts itself again for each."""
    if hasattr(sys, "frozen"):
        from multiprocessing import freeze_support

        freeze_support()
