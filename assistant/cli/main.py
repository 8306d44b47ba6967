"""The command line. Exit codes: 0 answered, 1 cut off, 2 no such option or command, 3 unusable input, 4 undecided
because facts are missing or doubtful.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import click
from click.shell_completion import CompletionItem

from ..util.console import echo
from ..util.errors import InputError, Where
from .adopt import adopt
from .doctor import doctor, versions
from .group import UNDECIDED, Program, run
from .journal import journal
from .link import link
from .luck import luck
from .mcp import mcp
from .options import (
    AnswerOptions,
    AskOptions,
    CheckOptions,
    CompareOptions,
    ModuleOptions,
    ReadingOptions,
    RecordOptions,
    StateFile,
    answer_anew,
    as_seen,
    data_of,
    eyes,
    games_of,
    listed_games,
    may_be_limited,
    open_position,
    trusting,
    watchable,
    with_game,
)
from .other_modules import list_instead, with_module, with_picture, with_understood
from .packs import pack
from .referee import referee
from .serve import serve
from .story import story
from .table import table

if TYPE_CHECKING:
    from ..formats.positions import Asked, Position
    from ..questions.report import Report

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class Cli(Program):
    """The assistant's commands, with those that plugins add."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if known := super().get_command(ctx, name):
            return known
        self._add_plugins()
        return super().get_command(ctx, name) or (
            question_command(name) if re.fullmatch("[a-z][a-z0-9-]*", name) else None
        )

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._add_plugins()
        return super().list_commands(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, and the questions that are commands too."""
        from .group import completed_questions

        known = super().shell_complete(ctx, incomplete)
        values = {item.value for item in known}
        asked = (name for name in completed_questions() if name.startswith(incomplete) and name not in values)
        return [*known, *map(CompletionItem, asked)]

    def way_to_ask(self, name: str) -> str:
        """How a question of an installed game is asked that has the name of a command, as a sentence; "" if there is none.
        A game that cannot be loaded is left out.
        """
        from ..plugins.registry import installed_games, load_game
        from .group import hidden_questions

        games = list[str]()
        for game in installed_games():
            with suppress(InputError):
                games += [game] if name in hidden_questions(load_game(game), self.commands) else []
        return f"The question `{name}` of {', '.join(games)} is asked by `assistant ask {name}`." if games else ""

    def _add_plugins(self) -> None:
        from ..plugins.registry import call_plugins

        if not getattr(self, "complete", False):
            self.complete = True
            call_plugins("register_commands", cli=self)


def _show_versions(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        for line in versions():
            echo(line)
        ctx.exit()


_HELP_OPTIONS = ["-h", "--help"]


@click.group("assistant", cls=Cli, context_settings={"help_option_names": _HELP_OPTIONS})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_versions,
    help="Show the version and the installed games, and exit.",
)
def cli() -> None:
    """Answers rules questions about a wargame position, with its working and rule numbers.

    A position is a file in position notation (.pos), JSON (.json), a VASSAL save (.vsav, .vlog) or a link; - reads one
    from standard input. Each question of its game is a command too: `assistant battle game.pos`, `assistant supply
    game.pos`. `assistant ask` asks any, also one that has the name of another command.
    """


def _with(*options: Callable[[F], F]) -> Callable[[F], F]:
    """One decorator of several."""

    def decorated(function: F) -> F:
        for option in options:
            function = option(function)
        return function

    return decorated


shown = _with(
    eyes,
    with_game,
    click.option("--json", "as_json", is_flag=True, help="The whole report as JSON."),
    click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide."),
    click.option("--forum", is_flag=True, help="Plain lines to paste into a post."),
    trusting,
)
"""The options that say how a report is shown, and on which sources it may rest."""
at_length = _with(
    click.option("--full", is_flag=True, help="With the whole working, rule by rule."),
    click.option("--line", is_flag=True, help="The answer alone, in one line."),
)
"""The options that say how much of an answer is shown."""
answered = click.option(
    "--answers", metavar="ANSWERS", help="Rolls and choices, as a JSON object or as in a position: crt=2+5 slrt=3/4."
)
carried_out = _with(
    click.option(
        "--after",
        type=click.Path(path_type=Path, readable=False),
        help="Also write the resulting position into this file, as .pos or .json; for a VASSAL save or log, also as the next one, .vsav or "
        ".vlog; an answer about a journal is entered in it, .journal. While dice or choices are owed: the question with the answers so far.",
    ),
    click.option(
        "--module",
        "modules",
        type=click.Path(path_type=Path, readable=False),
        multiple=True,
        metavar="FILE",
        help="With --after FILE.vsav or FILE.vlog: the module that new units and markers come from, if not as the builder makes them now; repeat it for each extension.",
    ),
)
together = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask about several positions or a whole folder in this many processes: a line of JSON each.",
)
drawn = _with(
    click.option(
        "--picture",
        type=click.Path(path_type=Path, readable=False),
        help="Also draw it into this SVG, PDF or PNG file.",
    ),
    click.option(
        "--part",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Draw only this part of the front, on a page of text. Without it all parts are listed.",
    ),
    click.option(
        "--chart",
        type=click.Path(path_type=Path, readable=False),
        help="Also draw its chances into this SVG, PDF or PNG file.",
    ),
    click.option("--map", "in_letters", is_flag=True, help="Also show its map in letters, in the terminal."),
    click.option("--force", is_flag=True, help="Overwrite an existing picture or position."),
)


_OPEN: Mapping[str, Any] = {"ignore_unknown_options": True}
_WORDS = click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="STATE... [--PARAMETER VALUE]...")


@cli.command("ask", context_settings=_OPEN)
@click.argument("question")
@_WORDS
@click.option("--params", metavar="JSON", help="The question's parameters as a JSON object.")
@shown
@at_length
@together
@watchable
@answered
@carried_out
@drawn
@click.pass_context
def ask_command(
    ctx: click.Context, /, question: str, words: tuple[str, ...], params: str | None, **options: Unpack[AskOptions]
) -> None:
    """Ask any QUESTION about a position, or about each of several.

    Parameters come from the position's own `ask` line, from --params, or as options: --at 41.19. `assistant questions
    GAME` lists the questions, and what one takes if it is named. Of several positions, or of a folder, each answer is a line of JSON.
    """
    _ask(ctx, question, words, params, options)


class QuestionCommand(click.Command):
    """A question as a command: its help offers only the pictures that its answers have in some installed game."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, without pictures that the question never has."""
        from .group import ways_to_draw

        offered = ways_to_draw(self.name or "")
        for parameter in self.params:
            if isinstance(parameter, click.Option) and (way := parameter.opts[0][2:]) in ("picture", "chart", "map"):
                parameter.hidden = offered is not None and way not in offered
        super().format_options(ctx, formatter)


def question_command(name: str) -> click.Command:
    """The command that asks a question by its own name: `assistant battle game.pos`."""

    @click.command(name, cls=QuestionCommand, context_settings=_OPEN)
    @_WORDS
    @shown
    @at_length
    @together
    @watchable
    @answered
    @carried_out
    @drawn
    @click.pass_context
    def asked(ctx: click.Context, /, words: tuple[str, ...], **options: Unpack[AskOptions]) -> None:
        """Ask this question about a position.

        Parameters come from the position's own `ask` line or as options, such as --at 41.19. `assistant questions GAME
        QUESTION` lists them.
        """
        from .output import names_position

        if not words or not (words[0].startswith("--") or names_position(words[0])):
            check_command(ctx, name, has_words=bool(words))
        _ask(ctx, name, words, None, options)

    return asked


def check_command(ctx: click.Context, name: str, *, has_words: bool) -> None:
    """Raise UsageError for a name that is not a question of an installed game but like a command or a question, and for a
    name that nothing follows.
    """
    from ..util.errors import similar
    from .group import completed_questions

    questions = completed_questions()
    known = {*cli.list_commands(ctx), *questions}
    if name not in questions and (near := similar(name, known, 0.6, 1)):
        raise click.UsageError(f"No such command {name!r}. Did you mean {near[0]}?", ctx.parent)
    if not has_words:
        raise click.UsageError(f"No such command {name!r}, or no position to ask about.", ctx.parent)


@cli.command("check")
@click.argument("state", type=StateFile())
@with_module
@with_picture
@shown
@watchable
@click.pass_context
def check(ctx: click.Context, /, state: str, watch: bool, **options: Unpack[CheckOptions]) -> None:
    """What was understood of a position, and whether the questions and parameters in it are known.

    For a save of another module its pieces are listed, with their places and states; of one that you have adopted it
    says how much of it is understood.
    """
    from ..service import check_position
    from .output import draw_standing, opened, show

    target, as_json = options["picture"], options["as_json"]

    def answer(anew: bool) -> None:
        force = options["force"] or anew

        def checked(read: ModuleOptions) -> None:
            given: CheckOptions = {**options, **read}
            position = opened(state, given)
            report = check_position(position)
            show([with_understood(report, position, state, given)], given)
            if target:
                draw_standing(position, target, force)

        list_instead(state, options, checked, as_json=as_json, picture=target, force=force)

    _answer(ctx, watch, state, answer)


def _ask(ctx: click.Context, question: str, words: tuple[str, ...], params: str | None, options: AskOptions) -> None:
    from .output import are_many, ask_in_words, json_object, only_state, split

    states, named = split(ctx, words)
    if are_many(states, options):
        from .many import ask_about_many  # only here: most questions are about one position

        parameters = json_object(params, "--params") | {name[2:]: value for name, value in named.items()}
        ctx.exit(ask_about_many(question, states, parameters, options))

    def answer(anew: bool) -> bool:
        given: AskOptions = {**options, "force": options["force"] or anew}
        return ask_in_words(ctx, question, words, params, given)

    if _answer(ctx, options["watch"], only_state(ctx, states, named), answer) is False:
        ctx.exit(UNDECIDED)


def _answer(ctx: click.Context, watch: bool, file: str, answer: Callable[[bool], T]) -> T | None:
    """Answer once; with --watch again each time that a file is saved, until Ctrl+C. answer: told whether it answers
    anew.
    """
    if not watch:
        return answer(False)
    answer_anew(file, ctx.find_root().info_name or "", answer)
    return None


@cli.command("viewpoint")
@click.argument("game", required=False)
@click.argument("side", required=False)
def viewpoint(game: str | None, side: str | None) -> None:
    """The viewpoint for a GAME, unless --as or --umpire is given: a SIDE, umpire, or none to forget it."""
    from ..game.viewpoint import check_viewpoint, set_viewpoint, viewpoints
    from ..plugins.registry import named_game
    from ..state.state import EVERYTHING

    wanted = named_game(game) if game else None
    if wanted and side:
        set_viewpoint(wanted.id, EVERYTHING if side == "none" else check_viewpoint(wanted, side))
    for name, kept in viewpoints().items():
        if wanted is None or wanted.id == name:
            echo(f"{name}: {kept}")


@cli.command("games")
def games() -> None:
    """List the installed games."""
    from ..plugins.registry import load_game

    for name in listed_games():
        try:
            echo(f"{name}: {load_game(name).title}")
        except InputError as error:
            echo(f"{name}: {error}", err=True)


@cli.command("questions")
@click.argument("game")
@click.argument("question", required=False)
@click.option("--json", "as_json", is_flag=True, help="With the JSON Schemas of parameters and reports.")
@click.pass_context
def questions(ctx: click.Context, /, game: str, question: str | None, as_json: bool) -> None:
    """What can be asked about a GAME, a line for each question; or what one QUESTION takes."""
    from ..plugins.registry import named_game, question_of, questions_of
    from ..prompt.helping import titles_of_questions
    from ..questions.reference import question_in_words
    from ..questions.schemas import schemas
    from ..util.console import json_text, screen_width
    from .group import hidden_questions

    loaded = named_game(game)
    listed = [question_of(loaded, question)] if question else [*questions_of(loaded).values()]
    if as_json:
        echo(json_text([schemas(every) for every in listed]).decode())
    elif question:
        hidden = hidden_questions(loaded, cli.list_commands(ctx))
        for line in question_in_words(listed[0], hidden=question in hidden):
            echo(line)
    else:
        for line in titles_of_questions(listed, screen_width()):
            echo(line)
        echo(f"`assistant questions {game} NAME` shows what one takes")


@cli.command("reference")
@click.argument("game")
@click.argument("question", required=False)
@click.option("--rules", is_flag=True, help="Its rules by chapter instead: what is computed, and which readings hold.")
@click.pass_context
def reference(ctx: click.Context, /, game: str, question: str | None, rules: bool) -> None:
    """The reference of a GAME, or of one QUESTION, as Markdown: fields, figures, tracks, charts, turns."""
    from ..plugins.registry import named_game, question_of, questions_of
    from ..questions.chapters import rules_by_chapter
    from ..questions.reference import question_reference
    from ..questions.reference import reference as whole
    from .group import hidden_questions

    if rules and question:
        raise InputError("--rules is about no single question", hint=f"assistant reference {game} {question}")
    loaded = named_game(game)
    every = questions_of(loaded)
    hidden = hidden_questions(loaded, cli.list_commands(ctx))
    if rules:
        lines = rules_by_chapter(loaded, every.modules)
    elif question:
        lines = question_reference(question_of(loaded, question), hidden=question in hidden)
    else:
        lines = whole(loaded, every, hidden)
    for line in lines:
        echo(line)


@cli.command("schema")
@click.argument("game", required=False)
def schema(game: str | None) -> None:
    """The JSON Schema of a position as JSON; for a GAME, with the values of its tracks."""
    from ..formats.json_state import schema as state_schema
    from ..plugins.registry import named_game
    from ..util.console import json_text

    published = state_schema(named_game(game) if game else None)
    echo(json_text(published).decode())


@cli.command("convert")
@click.argument("state", type=StateFile())
@click.option("--notation", is_flag=True, help="As position notation instead.")
@click.option(
    "--onto", metavar="SAVE", help="A save of the same game, onto which STATE is written; --after names the result."
)
@click.option("--after", metavar="FILE", help="The save (.vsav) or log (.vlog) to write, with --onto.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@with_module
@eyes
@with_game
def convert(
    state: str, notation: bool, onto: str | None, after: str | None, force: bool, **options: Unpack[ModuleOptions]
) -> None:
    """A position as JSON; with --as, what that side may be given of it, without questions and answers.

    For a save of another module its pieces are listed, with all their properties. With --onto and --after the position,
    a turn of a journal for example, becomes a save that VASSAL opens.
    """
    from ..service import handed_on, to_json
    from ..service import notation as as_notation

    if (onto is None) != (after is None):
        raise InputError("--onto and --after belong together", hint="name the save to begin with, and the one to write")
    if after is not None and notation:
        raise InputError("--notation prints a position, and --after writes a save", hint="leave out one of the two")
    if onto is not None and after is not None:
        _carry_over(state, onto, after, force, options)
        return

    def converted(options: ReadingOptions) -> None:
        position = handed_on(open_position(state, options))
        echo(as_notation(position) if notation else to_json(position), nl=not notation)

    if notation:
        converted(options)
    else:
        list_instead(state, options, converted, as_json=True)


def _carry_over(state: str, onto: str, after: str, force: bool, options: ModuleOptions) -> None:
    """Write the save in which a game stands as in a position, and say what it does not show."""
    from ..mailing import carry_over
    from .output import say_what_is_left

    position = open_position(state, options)
    module = None
    if options["modules"]:
        from ..formats.vassal.modules import read_modules  # only here: most positions become no save

        module = read_modules(options["modules"])
    left = carry_over(position, onto, after, module=module, force=force)
    echo(f"{'log' if after.lower().endswith('.vlog') else 'save'} written: {after}", err=True)
    say_what_is_left(left)


@cli.command("rules")
@click.argument("game")
@click.argument("prefix", default="")
def rules(game: str, prefix: str) -> None:
    """The rule index of a GAME, or of the rules under PREFIX: what is computed, where and by which questions, and what
    is left to the players.
    """
    from ..game.rule_index import NO_INDEX, is_under, rule_titles
    from ..plugins.registry import named_game
    from ..prompt.helping import rule_in_words, who_applies

    about = named_game(game)
    titles = rule_titles(about)
    if not titles:
        raise InputError(f"{about.title} has no rule index", hint=NO_INDEX)
    numbers = [number for number, _ in titles if is_under(number, prefix)]
    if not numbers:
        raise InputError(f"no rule {prefix!r} in the index of {game}")
    for row, questions in who_applies(about, numbers):
        echo(rule_in_words(row, questions))


@cli.command("answer")
@click.argument("state", type=StateFile())
@shown
@at_length
@answered
@click.pass_context
def answer_all(ctx: click.Context, /, state: str, **options: Unpack[AnswerOptions]) -> None:
    """Answer every `ask` line of a position; with --json all reports are one list, in the order of the lines.

    A line that cannot be asked is named after the others are answered; in the list its error has its place.
    """
    from ..util.console import json_text
    from .output import opened, show, typed_answers

    position = opened(state, options)
    if not position.asks:
        raise InputError(
            "this position asks no question", where=Where(state), hint="write a line: ask QUESTION name=value ..."
        )
    typed = typed_answers(options["answers"])  # each for the questions that wait for it, as if they stood in the file
    position = position.answered(typed)
    answers = [_answer_or_error(position, asked) for asked in position.asks]
    reports = [answer for answer in answers if not isinstance(answer, InputError)]
    errors = [answer for answer in answers if isinstance(answer, InputError)]
    if options["as_json"]:
        asked_and_answered = zip(position.asks, answers, strict=True)
        echo(json_text([_in_list(asked, answer) for asked, answer in asked_and_answered]).decode())
    elif reports:
        show(reports, options)
    for earlier in errors[:-1]:
        echo(f"{ctx.find_root().info_name}: {earlier}", err=True)
    if errors:
        raise errors[-1]
    if any(report.verdict.kind == "undecided" for report in reports):
        ctx.exit(UNDECIDED)


def _answer_or_error(position: Position, asked: Asked) -> Report[Any] | InputError:
    """The answer to a question of a position, or the error for which there is none."""
    from ..service import ask
    from ..util.console import bar

    try:
        return ask(position, asked, watch=bar)
    except InputError as error:
        return error


def _in_list(asked: Asked, answer: Report[Any] | InputError) -> object:
    """The place of a question in the list of the answers to all, as JSON has it."""
    from ..questions.schemas import Unanswered, as_plain, fault_of

    return Unanswered(asked.question, fault_of(answer)) if isinstance(answer, InputError) else as_plain(answer)


@cli.command("compare")
@click.argument("before", type=StateFile())
@click.argument("after", type=StateFile())
@with_module
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="The whole comparison as JSON.")
@click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide.")
@click.option("--forum", is_flag=True, help="Plain lines to paste into a post.")
@watchable
@click.pass_context
def compare(ctx: click.Context, /, before: str, after: str, watch: bool, **options: Unpack[CompareOptions]) -> None:
    """What moved, was lost, came and changed from one position to another: two saves of a game, say.

    BEFORE and AFTER are files of positions; of a log, the position after its last step counts. For saves of another
    module, or with --module, the pieces are compared. With --watch, again whenever AFTER is saved.
    """
    if before == after == "-":
        raise InputError(
            "standard input can be only one of the two", where=Where("-"), hint="name a file for the other"
        )
    _answer(ctx, watch, after, lambda _: _compare(before, after, options))


def _compare(before: str, after: str, options: CompareOptions) -> None:
    """Compare two positions, or the pieces of two saves of a module that nobody has adopted, and show the report."""
    from ..formats.vassal import ENDINGS
    from ..formats.vassal.adopted.legend import UnknownModule
    from ..service import compare as compared
    from .output import show

    both = [(file, {**options, "data": data_of(file, options)} if file == "-" else options) for file in (before, after)]
    if not options["modules"]:
        try:
            position, other = (open_position(file, given) for file, given in both)
        except UnknownModule:  # of one of them: the other may be no save
            if not all(file == "-" or file.lower().endswith(ENDINGS) for file in (before, after)):
                raise
        else:
            show([compared(position, other, called=(before, after))], options)
            return
    from ..explaining.following import followed
    from .other_modules import list_pieces

    first, last = (list_pieces(file, given)[0] for file, given in both)
    show([followed(first, last, (before, after), umpire=options["umpire"])], options)


@cli.command("explain")
@click.argument("log", type=StateFile())
@eyes
@with_game
@click.option("--json", "as_json", is_flag=True, help="Everything as JSON, with the whole reports.")
@click.option("--whole", is_flag=True, help="Every step of the working, however many lines it takes.")
@trusting
def explain(log: str, as_json: bool, whole: bool, **options: Unpack[RecordOptions]) -> None:
    """Explain each battle, check and judgement of supply that the dice and moves of a LOG (.vlog) allow, ready to paste
    into a mail.

    A battle is known by an `ask` line in the notes or the chat, or by what is marked on the map. It shows
    where dice, log and rules differ, and what the log lacks.
    """
    from ..explaining.account import account, to_json
    from ..explaining.explanation import explain as explained
    from ..explaining.record import AnnotatedRecord
    from ..formats.positions import count_by_lines
    from ..plugins.registry import read_record
    from ..state.state import is_limited
    from ..util.limits import kept_private
    from .output import trust_of

    with kept_private(log, limited=may_be_limited(options)):
        record = read_record(log, games_of(options), lambda game, state: as_seen(game, state, options))
        if is_limited(record.at(0).state.seen_by):
            record = count_by_lines(record)
        explanation = explained(AnnotatedRecord(record, trust_of(options)), log)
    echo(
        to_json(explanation) if as_json else account(explanation, whole=whole),
        nl=as_json,
    )


for command in (adopt, doctor, journal, link, luck, mcp, pack, referee, serve, story, table):
    cli.add_command(command)


def main() -> None:
    """Run the command line."""
    run(cli, _begin_again)


def open_page() -> None:
    """Run the command line by its second name, `field-staff`, which without a command opens the table page."""
    words = sys.argv[1:]
    first = next((word for word in words if word != "--debug"), "--")
    is_of_program = not first.startswith("-") or first in (*_HELP_OPTIONS, "--version")
    run(cli, _begin_again, words if is_of_program else ["serve", *words])


def _begin_again() -> None:
    """Do the work of another process, if this one was begun for it: a program without Python begins itself for each that it needs."""
    if hasattr(sys, "frozen"):
        from multiprocessing import freeze_support

        freeze_support()
