"""The command line. Exit codes: 0 answered, 1 cut off, 2 no such option or command, 3 unusable input, 4 undecided because
facts are missing or doubtful."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .errors import InputError, Where, nearest, printable
from .eyes import eyes, open_position

if TYPE_CHECKING:
    from .positions import Asked, Position
    from .report import Report

UNUSABLE, UNDECIDED = 3, 4
F = TypeVar("F", bound=Callable[..., Any])


class Cli(click.Group):
    """The group of commands: plugins add theirs, and unusable input ends with its message and exit code 3."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        self._add_plugins()
        return super().get_command(ctx, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._add_plugins()
        return super().list_commands(ctx)

    def _add_plugins(self) -> None:
        from .registry import call_plugins

        if not getattr(self, "complete", False):
            self.complete = True
            call_plugins("register_commands", cli=self)

    def main(self, *args: Any, **options: Any) -> Any:
        try:
            return super().main(*args, **options)
        except InputError as error:
            if os.environ.get("FIELD_STAFF_TRACEBACK"):
                raise
            click.echo(f"assistant: {error}", err=True)
            sys.exit(UNUSABLE)
        except OSError as error:  # a full disk under standard output
            sys.stderr.write(f"assistant: {error.strerror or error}\n")
            sys.exit(UNUSABLE)


@click.group(cls=Cli, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="field-staff", prog_name="assistant")
def cli() -> None:
    """Answers rules questions about a wargame position, with its working and rule numbers.

    A position is a file in position notation (.pos), JSON (.json) or a VASSAL save (.vsav, .vlog); - reads one from standard
    input.
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
    click.option("--json", "as_json", is_flag=True, help="The whole report as JSON."),
    click.option("--narrow", is_flag=True, help="Text for a phone, 40 columns wide."),
    click.option("--forum", is_flag=True, help="Plain lines to paste into a post."),
    click.option("--accept", multiple=True, metavar="SOURCE", help="Rest on this source too (reconstruction ...)."),
    click.option("--reconstruction", is_flag=True, help="The same as --accept reconstruction."),
)
"""The options that say how a report is shown, and on which sources it may rest."""
answered = click.option(
    "--answers", metavar="ANSWERS", help="Rolls and choices, as a JSON object or as in a position: crt=2+5 slrt=3/4."
)
drawn = _with(
    click.option("--picture", type=click.Path(path_type=Path), help="Also draw it, as SVG, into this file."),
    click.option("--force", is_flag=True, help="Overwrite the picture if it exists."),
)


_OPEN: Mapping[str, Any] = {"ignore_unknown_options": True}
_WORDS = click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="STATE [--PARAMETER VALUE]...")


@cli.command("ask", context_settings=_OPEN)
@click.argument("question")
@_WORDS
@click.option("--params", metavar="JSON", help="The question's parameters as a JSON object.")
@shown
@answered
@drawn
@click.pass_context
def ask_command(
    ctx: click.Context, /, question: str, words: tuple[str, ...], params: str | None, **options: Any
) -> None:
    """Ask any QUESTION of a position.

    Parameters come from the position's own `ask` line, from --params, or as options: --at 41.19. `assistant questions
    GAME` lists questions and their parameters.
    """
    _ask(ctx, question, words, params, options)


@cli.command("battle", context_settings=_OPEN)
@_WORDS
@shown
@answered
@drawn
@click.pass_context
def battle(ctx: click.Context, /, words: tuple[str, ...], **options: Any) -> None:
    """Column, shifts, magnitude and chances of a combat, or the result of these dice.

    The combat is named by the position's own `ask battle` line or by options such as --at HEX; `assistant questions GAME`
    lists them all.
    """
    _ask(ctx, "battle", words, None, options)


@cli.command("supply", context_settings=_OPEN)
@_WORDS
@shown
@answered
@drawn
@click.pass_context
def supply(ctx: click.Context, /, words: tuple[str, ...], **options: Any) -> None:
    """Whether a unit is in supply and along which hexes.

    The unit is named by the position's own `ask supply` line or by --unit NAME; `assistant questions GAME` lists all
    parameters.
    """
    _ask(ctx, "supply", words, None, options)


@cli.command("check")
@click.argument("state")
@shown
def check(state: str, **options: Any) -> None:
    """What was understood of a position, and whether the questions and parameters in it are known."""
    from .positions import Asked

    position = _accepting(open_position(state, options), options)
    for asked in position.asks:
        _check_asked(position, asked)
    _print([_answer(position, Asked("check", {}), {})[0]], options)


def _check_asked(position: Position, asked: Asked) -> None:
    """Raise InputError if a position asks what its game does not know."""
    from .questions import read_parameters
    from .registry import question_of
    from .report import MissingFacts
    from .view import View

    with _placed(asked.marks), suppress(MissingFacts):
        question = question_of(position.game, asked.question)
        read_parameters(question, View(position.game, position.state), asked.parameters)


def _ask(
    ctx: click.Context, question: str, words: tuple[str, ...], params: str | None, options: Mapping[str, Any]
) -> None:
    """Ask one question: parameters from the file's own `ask` line, then --params, then options."""
    from .positions import Asked

    target: Path | None = options["picture"]
    if target and target.suffix.lower() != ".svg":
        raise InputError(f"{target} is no SVG file", where=Where("--picture"), hint="name it NAME.svg")
    state, extra = _split(ctx, words)
    position = _accepting(open_position(state, options), options)
    typed = _json_object(params, "--params") | _named_options(ctx, extra, position, question)
    asked = next((asked for asked in position.asks if asked.question == question), Asked(question, {}))
    if typed:  # what options change is no fault of the file, so its marks do not hold
        both = (*asked.parameters.items(), *typed.items())
        asked = Asked(question, {name.replace("_", "-"): value for name, value in both})
    report, picture = _answer(position, asked, _typed_answers(options["answers"]))
    _print([report], options)
    if target:
        _draw(target, picture, question, options["force"])
    if report.verdict.kind == "undecided":
        ctx.exit(UNDECIDED)


def _split(ctx: click.Context, words: tuple[str, ...]) -> tuple[str, dict[str, str]]:
    """The position's file and the `--name value` or `--name=value` options around it."""
    states: list[str] = []
    extra: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            states.append(word)
            continue
        name, equals, value = word.partition("=")
        if not equals and not rest:
            raise click.BadOptionUsage(name, f"{name} needs a value", ctx)
        extra[name] = value if equals else rest.pop(0)
    if not states:
        raise click.UsageError("Missing argument 'STATE'.", ctx)
    if len(states) > 1:
        raise click.UsageError(f"One position at a time, not {' and '.join(states)}.", ctx)
    return states[0], extra


def _print(reports: Sequence[Report[Any]], options: Mapping[str, Any]) -> None:
    """Print reports as the options say, a blank line between them."""
    from .report import NARROW, to_forum, to_json, to_text

    width = NARROW if options["narrow"] else min(shutil.get_terminal_size((100, 24)).columns, 100)
    if options["as_json"]:
        click.echo("\n,\n".join(to_json(report).decode() for report in reports))
    else:
        texts = [to_forum(report) if options["forum"] else to_text(report, width) for report in reports]
        click.echo("\n".join(map(printable, "\n".join(texts).split("\n"))), nl=False)


def _draw(target: Path, picture: Callable[[], str] | None, question: str, force: bool) -> None:
    """Write the picture of an answer. Raises InputError if there is none or the file exists."""
    from .files import write_whole

    if picture is None:
        raise InputError(f"there is nothing to draw in this answer to {question}", where=Where("--picture"))
    write_whole(target, picture().encode(), force=force)
    click.echo(f"picture written: {target}", err=True)


def _accepting(position: Position, options: Mapping[str, Any]) -> Position:
    import msgspec

    from .sources import Source

    accepted = set(position.state.accepts) | ({Source.RECONSTRUCTION} if options["reconstruction"] else set())
    for name in options["accept"]:
        try:
            accepted.add(Source(name))
        except ValueError:
            hint = nearest(name, [source.value for source in Source])
            raise InputError(f"unknown source {name!r}", where=Where("--accept"), hint=hint) from None
    return position._replace(state=msgspec.structs.replace(position.state, accepts=frozenset(accepted)))


def _typed_answers(text: str | None) -> dict[str, str]:
    """Answers from a JSON object or from `name=value` words."""
    from .formats.words import SPACED, name_and_value, words_of

    if not text or text.lstrip().startswith("{"):
        return {name: str(value) for name, value in _json_object(text, "--answers").items()}
    found: dict[str, str] = {}
    with _placed({"": Where("--answers")}):
        for word in words_of(text, 1, SPACED):
            named = name_and_value(word)
            if named is None or named[0] in found:
                what = f"{named[0]} is given twice" if named else f"{word.text!r} is no name=value"
                raise InputError(what, hint="write: crt=2+5 slrt=3/4")
            found[named[0]] = named[1]
    return found


def _json_object(text: str | None, option: str) -> dict[str, Any]:
    import msgspec

    try:
        return msgspec.json.decode(text, type=dict[str, Any]) if text else {}
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise InputError(str(error), where=Where(option), hint='write an object: {"at": "41.19"}') from None


def _named_options(ctx: click.Context, extra: Mapping[str, str], position: Position, question: str) -> dict[str, str]:
    """Options as parameters of the question. An unknown one is a usage error."""
    import msgspec

    from .registry import question_of

    fields = msgspec.structs.fields(question_of(position.game, question).parameters)
    known = [f"--{field.encode_name.replace('_', '-')}" for field in fields]
    for name in extra:
        if name not in known:
            raise click.NoSuchOption(name, possibilities=sorted(known), ctx=ctx)
    return {name.removeprefix("--"): value for name, value in extra.items()}


@contextmanager
def _placed(marks: Mapping[str, Where]) -> Iterator[None]:
    """Give an error the place in the file of the parameter or answer that it names, or else of the question."""
    try:
        yield
    except InputError as error:
        mark = getattr(error, "name", "")
        raise (error.at(marks[mark]) if mark in marks else error) from None


def _answer(position: Position, asked: Asked, typed: Mapping[str, str]) -> tuple[Report[Any], Callable[[], str] | None]:
    """The report, and what draws it. typed: answers that come before those of the file, which are to what the file asks."""
    from .questions import ask, read_parameters, undecided
    from .registry import question_of
    from .report import MissingFacts
    from .view import View

    marks = {**{name: place for name, place in position.marks.items() if name not in typed}, **asked.marks}
    view = View(position.game, position.state)
    with _placed(marks):
        question = question_of(position.game, asked.question)
        try:
            parameters = read_parameters(question, view, asked.parameters)
        except MissingFacts as missing:
            return undecided(question, view, missing), None
        own = not position.asks or any(one.question == asked.question for one in position.asks)
        report = ask(question, view, parameters, {**(position.answers if own else {}), **typed})
    draw = question.picture
    return report, (lambda: draw(view, report)) if draw and report.drawable is not None else None


@cli.command("viewpoint")
@click.argument("game", required=False)
@click.argument("side", required=False)
def viewpoint(game: str | None, side: str | None) -> None:
    """Whose eyes you see a GAME with, unless --as or --umpire says otherwise: a SIDE, umpire, or none to forget it."""
    from .registry import load_game
    from .settings import set_viewpoint, viewpoints
    from .viewpoint import EVERYTHING, check_viewpoint

    if game and side:
        loaded = load_game(game)
        set_viewpoint(loaded.id, EVERYTHING if side == "none" else check_viewpoint(loaded, side))
    for name, kept in viewpoints().items():
        if game in (None, name):
            click.echo(f"{name}: {kept}")


@cli.command("games")
def games() -> None:
    """The games that are installed."""
    from .registry import installed_games, load_game

    for name in installed_games():
        try:
            click.echo(f"{name}: {load_game(name).title}")
        except InputError as error:
            click.echo(f"{name}: {error}", err=True)


@cli.command("questions")
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="With the JSON Schemas of parameters and reports.")
def questions(game: str, as_json: bool) -> None:
    """What can be asked of a GAME."""
    import msgspec

    from .notes import field_notes
    from .questions import schemas
    from .registry import load_game, questions_of

    loaded = load_game(game)
    if as_json:
        listed = [schemas(question) for question in questions_of(loaded).values()]
        click.echo(msgspec.json.format(msgspec.json.encode(listed), indent=2).decode())
        return
    for question in questions_of(loaded).values():
        click.echo(f"{question.name}: {question.title}")
        notes = field_notes(question.parameters)
        for field in msgspec.structs.fields(question.parameters):
            left_out = "" if field.required else " (may be left out)"
            click.echo(f"    --{field.encode_name}{left_out}: {notes.get(field.name.strip('_'), '')}")


@cli.command("reference")
@click.argument("game")
def reference(game: str) -> None:
    """The reference of a GAME as Markdown: questions with their fields, figures, tracks, charts, rulings."""
    from .reference import reference as lines
    from .registry import load_game, questions_of

    loaded = load_game(game)
    for line in lines(loaded, questions_of(loaded)):
        click.echo(line)


@cli.command("schema")
@click.argument("game", required=False)
def schema(game: str | None) -> None:
    """The JSON Schema of a position as JSON; for a GAME, with the values of its tracks."""
    import msgspec

    from .formats.json_state import schema as state_schema
    from .registry import load_game

    found = state_schema(load_game(game) if game else None)
    click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())


@cli.command("convert")
@click.argument("state")
@click.option("--notation", is_flag=True, help="As position notation instead.")
@eyes
def convert(state: str, notation: bool, **options: Any) -> None:
    """A position as JSON; with --as, what that side may be given of it, without questions and answers."""
    from .formats import json_state, writing
    from .viewpoint import is_limited

    position = open_position(state, options)
    if is_limited(position.state.seen_by):  # whoever typed them may have known more
        position = position._replace(asks=(), answers={})
    click.echo(writing.write(position) if notation else json_state.write(position).decode(), nl=not notation)


@cli.command("rules")
@click.argument("game")
@click.argument("prefix", default="")
def rules(game: str, prefix: str) -> None:
    """The rule index of a GAME, or of the rules under PREFIX: what is computed and what is left to the players."""
    from .registry import load_game
    from .rules import rule_index

    under = re.compile(re.escape(prefix) + r"(?![0-9])") if prefix else re.compile("")
    rows = [row for row in rule_index(load_game(game)) if under.match(row.rule)]
    if not rows:
        raise InputError(f"no rule {prefix!r} in the index of {game}")
    for row in rows:
        done = ", ".join([*row.code, *([row.left_out] if row.left_out else [])])
        click.echo(f"{row.rule:<10} {row.title} - {done}")


@cli.command("answer")
@click.argument("state")
@shown
@answered
@click.pass_context
def answer_all(ctx: click.Context, /, state: str, **options: Any) -> None:
    """Answer every `ask` line of a position; with --json the reports come as one list."""
    position = _accepting(open_position(state, options), options)
    if not position.asks:
        raise InputError("nothing is asked here", where=Where(state), hint="write a line: ask QUESTION name=value ...")
    typed = _typed_answers(options["answers"])
    reports = [_answer(position, asked, typed)[0] for asked in position.asks]
    if options["as_json"]:
        click.echo("[")
    _print(reports, options)
    if options["as_json"]:
        click.echo("]")
    if any(report.verdict.kind == "undecided" for report in reports):
        ctx.exit(UNDECIDED)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):  # a console that lacks a letter shows another instead of failing
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    cli.main(prog_name="assistant")
