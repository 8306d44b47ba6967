"""The commands that ask questions: `ask`, `answer`, and each question by its own name.

The answers to a question about many positions are a line of JSON for each, in the order of the command line.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, Unpack

import click

from ...asking.report import Report
from ...asking.schemas import PositionLine, Unanswered, as_plain, make_refusal
from ...formats.positions import Asked, Position
from ...installed.formats import formats
from ...installed.registry import named_game
from ...service import ask, pose_question, resolve_question
from ...util.console import bar, echo, encode_json, format_count, with_bar
from ...util.errors import InputError, Where, located, similar
from ...util.files import read_bytes
from .group import UNDECIDED_EXIT_CODE, UNUSABLE_EXIT_CODE, GameCommand, Program, completed_questions, ways_to_draw
from .options import (
    AnswerOptions,
    AskOptions,
    StateArgument,
    answer_anew,
    eyes,
    file_of,
    trusting,
    watchable,
    whose,
    with_game,
)
from .output import (
    JsonObject,
    are_many,
    ask_and_show,
    json_object,
    names_position,
    on_record,
    only_state,
    opened,
    show,
    split_words,
    trust_of,
    typed_answers,
)

if TYPE_CHECKING:
    from ...many import Answered
    from ...records.reproduction import Reproduction

_SINGLE_POSITION_OPTIONS = {
    "answers": "--answers",
    "after": "--after",
    "modules": "--module",
    "picture": "--picture",
    "part": "--part",
    "chart": "--chart",
    "in_letters": "--map",
    "narrow": "--narrow",
    "forum": "--forum",
    "watch": "--watch",
    "force": "--force",
}
"""The options for one position only, each as it is typed."""
_TEXT_ENDING = ".txt"
"""The suffix of files that may be positions, but rarely are, and so are left out of folders."""


class _Written(NamedTuple):
    """The result for one of many files, as a line of JSON."""

    line: str
    kind: str
    """The kind of the verdict, or "" if there is none."""


def _ask_about_many(question: str, states: Sequence[str], parameters: JsonObject, options: AskOptions) -> int:
    """Ask one question about many positions, print a line for each and a summary, and return the exit code.

    `states`: files and folders of positions.

    Raises InputError, before any question is asked, if an option is unsuitable, or if a folder has no positions.
    """
    from ...many import in_processes  # imported here because most questions are about one position

    _check_for_many(states, options)
    files = [file for state in states for file in _list_files(state)]
    report_on = partial(_find_report, question=question, parameters=dict(parameters), options=options)
    lines = in_processes(partial(_answer_line, report_on), files, options["jobs"] or 1, write_line)
    kinds = Counter[str]()
    with closing(lines):
        reported = lines if sys.stdout.isatty() else with_bar(lines, "positions", len(files))
        for written in reported:
            echo(written.line)
            kinds[written.kind] += 1
    unusable = kinds[""]
    undecided = kinds["undecided"]
    answered = kinds.total() - unusable - undecided
    counts = f"{answered} answered, {undecided} undecided, {unusable} not usable"
    echo(f"{format_count(len(files), 'position')}: {counts}", err=True)
    if unusable:
        return UNUSABLE_EXIT_CODE
    return UNDECIDED_EXIT_CODE if undecided else 0


def _check_for_many(states: Sequence[str], options: AskOptions) -> None:
    """Raise InputError for options and input unsuitable for many positions, and for an unknown side, game or source."""
    for name, option in _SINGLE_POSITION_OPTIONS.items():
        if options.get(name):
            hint = "leave it out, or ask about one position, without --jobs"
            raise InputError("this is for one position, and several are asked about", where=Where(option), hint=hint)
    if "-" in states:
        raise InputError("standard input holds one position", where=Where("-"), hint="name files or a folder")
    whose(options)
    trust_of(options)
    if options["beside"]:
        named_game(options["beside"])


def _list_files(state: str) -> Iterator[str]:
    """Yield the named file, or the position files in the named folder, sorted by name."""
    if not os.path.isdir(state):
        yield state
        return
    endings = {suffix for format in formats() for suffix in format.suffixes} - {_TEXT_ENDING}
    try:
        files = sorted(str(file) for file in Path(state).iterdir() if file.suffix.lower() in endings and file.is_file())
    except OSError as error:
        raise InputError(error.strerror or str(error), where=Where(state)) from None
    if not files:
        hint = f"it stands for the files in it that end in {', '.join(sorted(endings))}"
        raise InputError("there is no position in this folder", where=Where(state), hint=hint)
    yield from files


def _answer_line(report_on: partial[Report[Any]], file: str) -> _Written:
    from ...many import try_answer

    return write_line(try_answer(report_on, file))


def write_line(answered: Answered) -> _Written:
    """Return the result for a file as a line of JSON, in the form of the question's schema `line`."""
    file, report, error = answered
    if report is not None:
        return _Written(_write_json(PositionLine(file, report=as_plain(report))), report.verdict.kind)
    assert error is not None  # a file has a report or an error
    return _Written(_write_json(PositionLine(file, error=make_refusal(error))), "")


def _write_json(line: PositionLine) -> str:
    return encode_json(line, one_line=True).decode()


def _find_report(file: str, question: str, parameters: JsonObject, options: AskOptions) -> Report[Any]:
    position = opened(file_of(file), options)
    asked = resolve_question(position, question, parameters)
    return on_record(ask(position, asked), pose_question(position, asked, {}))


F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def _join_decorators(*options: Callable[[F], F]) -> Callable[[F], F]:
    def decorated(function: F) -> F:
        for option in options:
            function = option(function)
        return function

    return decorated


shown = _join_decorators(
    eyes,
    with_game,
    click.option("--json", "as_json", is_flag=True, help="The whole report as JSON."),
    click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide."),
    click.option("--forum", is_flag=True, help="Plain lines to paste into a post."),
    trusting,
)
"""The options for showing a report, and for the sources it may use."""
at_length = _join_decorators(
    click.option("--full", is_flag=True, help="With the whole working, rule by rule."),
    click.option("--line", is_flag=True, help="The answer alone, in one line."),
)
"""The options for the length of an answer."""
answered = click.option(
    "--answers", metavar="ANSWERS", help="Rolls and choices, as a JSON object or as in a position: crt=2+5 slrt=3/4."
)
carried_out = _join_decorators(
    click.option(
        "--after",
        type=click.Path(path_type=Path, readable=False),
        help="Also write the resulting position into this file, as .pos or .json; for a VASSAL save or log, also as "
        "the next one, .vsav or .vlog; an answer about a journal is entered in it, .journal. While dice or choices are "
        "owed: the question with the answers so far.",
    ),
    click.option(
        "--module",
        "modules",
        type=click.Path(path_type=Path, readable=False),
        multiple=True,
        metavar="FILE",
        help="With --after FILE.vsav or FILE.vlog: the module that new units and markers come from, if not as the "
        "builder makes them now; repeat it for each extension.",
    ),
)
together = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask about several positions or a whole folder in this many processes: a line of JSON each.",
)
drawn = _join_decorators(
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


_TAKES_UNKNOWN_OPTIONS: Mapping[str, Any] = {"ignore_unknown_options": True}
_WORDS = click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="STATE... [--PARAMETER VALUE]...")


@click.command("ask", cls=GameCommand, context_settings=_TAKES_UNKNOWN_OPTIONS)
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
    GAME` lists the questions, and what one takes if it is named. Of several positions, or of a folder, each answer is a
    line of JSON.
    """
    _ask_question(ctx, question, words, params, options)


class QuestionCommand(click.Command):
    """A question as a command.

    Its help offers only the pictures that answers to the question have in some installed game.
    """

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        offered = ways_to_draw(self.name or "")
        for parameter in self.params:
            if isinstance(parameter, click.Option) and (way := parameter.opts[0][2:]) in ("picture", "chart", "map"):
                parameter.hidden = offered is not None and way not in offered
        super().format_options(ctx, formatter)


def question_command(name: str) -> click.Command:
    """Return the command that asks a question by its own name, such as `assistant battle game.pos`."""

    @click.command(name, cls=QuestionCommand, context_settings=_TAKES_UNKNOWN_OPTIONS)
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

        Parameters come from the position's `ask` line or from options, such as --at 41.19. `assistant questions GAME
        QUESTION` lists the parameters.
        """
        if not words or not (words[0].startswith("--") or names_position(words[0])):
            _check_command(ctx, name, has_words=bool(words))
        _ask_question(ctx, name, words, None, options)

    return asked


def _check_command(ctx: click.Context, name: str, *, has_words: bool) -> None:
    """Raise UsageError if no word follows the name, or if it is no question but resembles a command or one.

    `has_words`: whether the name is followed by words.
    """
    questions = completed_questions()
    program = ctx.find_root().command
    assert isinstance(program, Program)
    known = {*program.list_commands(ctx), *questions}
    if name not in questions and (near := similar(name, known, 0.6, 1)):
        raise click.UsageError(f"No such command {name!r}. Did you mean {near[0]}?", ctx.parent)
    if not has_words:
        raise click.UsageError(f"No such command {name!r}, or no position to ask about.", ctx.parent)


def _ask_question(
    ctx: click.Context, question: str, words: tuple[str, ...], params: str | None, options: AskOptions
) -> None:
    states, named = split_words(ctx, words)
    if are_many(states, options):
        parameters = json_object(params, "--params") | {name[2:]: value for name, value in named.items()}
        ctx.exit(_ask_about_many(question, states, parameters, options))

    def answer(anew: bool) -> bool:
        given: AskOptions = {**options, "force": options["force"] or anew}
        return ask_and_show(ctx, question, words, params, given)

    if answer_once_or_anew(ctx, options["watch"], only_state(ctx, states, named), answer) is False:
        ctx.exit(UNDECIDED_EXIT_CODE)


def answer_once_or_anew(ctx: click.Context, watch: bool, file: str, answer: Callable[[bool], T]) -> T | None:
    """Answer once, or with --watch again each time that a file is saved, until Ctrl+C.

    `answer`: called with False for the first answer, and with True for each later one.

    Returns the only answer, or None with --watch.
    """
    if not watch:
        return answer(False)
    answer_anew(file, ctx.find_root().info_name or "", answer)
    return None


@click.command("answer", cls=GameCommand)
@click.argument("state", type=StateArgument(), required=False)
@click.option(
    "--reproduce",
    type=click.Path(path_type=Path, readable=False),
    help="Compute the answers in this file, written with --json, again, and say whether they are the same today. "
    "STATE is needed only if the file does not hold its position.",
)
@shown
@at_length
@answered
@click.pass_context
def answer_all(
    ctx: click.Context, /, state: str | None, reproduce: Path | None, **options: Unpack[AnswerOptions]
) -> None:
    """Answer every `ask` line of a position; with --json all reports are one list, in the order of the lines.

    A line that cannot be asked is named after the others are answered; in the list its error has its place.

    --reproduce ends with 0 if all answers are the same, 1 if one differs.
    """
    if reproduce is not None:
        ctx.exit(_reproduce(reproduce, state, options))
    if state is None:
        raise click.UsageError("Missing argument 'STATE'.", ctx)
    position = opened(state, options)
    if not position.asks:
        raise InputError(
            "this position asks no question", where=Where(state), hint="write a line: ask QUESTION name=value ..."
        )
    # treated like answers in the file: each goes to the questions that wait for it
    typed = typed_answers(options["answers"])
    position = position.answered(typed)
    answers = [_answer_or_error(position, asked) for asked in position.asks]
    reports = [answer for answer in answers if not isinstance(answer, InputError)]
    errors = [answer for answer in answers if isinstance(answer, InputError)]
    if options["as_json"]:
        in_list = list[object]()
        for asked, answer in zip(position.asks, answers, strict=True):
            if isinstance(answer, InputError):
                in_list.append(Unanswered(asked.question, make_refusal(answer)))
            else:
                in_list.append(as_plain(on_record(answer, pose_question(position, asked, {}))))
        echo(encode_json(in_list).decode())
    elif reports:
        show(reports, options)
    for earlier in errors[:-1]:
        echo(f"{ctx.find_root().info_name}: {earlier}", err=True)
    if errors:
        raise errors[-1]
    if any(report.verdict.kind == "undecided" for report in reports):
        ctx.exit(UNDECIDED_EXIT_CODE)


def _reproduce(file: Path, state: str | None, options: AnswerOptions) -> int:
    """Compute the answers in a file again, print whether they are the same, and return the exit code.

    `state`: the file of the position, or None to take it from the answers.
    """
    # imported here because few answers are reproduced
    from ...records.reproduction import format_reproduction, read_answers, reproduce

    if options["answers"]:
        hint = "they are in the file; leave it out"
        raise InputError("these answers have their dice and choices", where=Where("--answers"), hint=hint)
    answers = read_answers(read_bytes(file), str(file))
    given = opened(state, options) if state else None
    found: list[Reproduction] = []
    for answer in answers:
        with located(Where(str(file))):
            found.append(reproduce(answer, lambda link: opened(link, options), given))
        if not options["as_json"]:
            echo("\n".join(format_reproduction(found[-1])))
    if options["as_json"]:
        echo(encode_json(found).decode())
    return 0 if all(answer.same for answer in found) else 1


def _answer_or_error(position: Position, asked: Asked) -> Report[Any] | InputError:
    try:
        return ask(position, asked, watch=bar)
    except InputError as error:
        return error
