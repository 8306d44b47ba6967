"""The steps from a command line to the display: positions, parameters, answers, pictures, and clicks in VASSAL."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from ...asking.report import BAR_CHARACTERS, PHONE_COLUMNS, UNLIMITED, Report, to_forum, to_short, to_text
from ...asking.wording import format_list
from ...formats.positions import JOURNAL, Position, is_link, part_moment
from ...formats.vassal import ENDINGS, LOG, SAVE, is_played
from ...installed.formats import EXAMPLE, formats
from ...installed.registry import question_of
from ...service import (
    ask,
    chart,
    check_position_file,
    locate_errors,
    picture,
    picture_and_parts,
    pose_question,
    refuse_undrawn,
    resolve_question,
    text_map,
    to_json,
    write,
)
from ...state.tracks import Source
from ...state.trust import ALL_WORD, PLACEHOLDERS, Trust, find_sources
from ...state.words import SPACED, find_words, name_and_value
from ...util.console import Style, bar, echo, echo_styled, screen_width
from ...util.errors import InputError, Where, format_suggestion, located, plain
from ...util.files import read_bytes
from ...util.notes import options_of
from ...util.typesetting import set_in_type
from .options import (
    AskOptions,
    LayoutOptions,
    RecordOptions,
    TargetOptions,
    TrustOptions,
    data_of,
    file_of,
    open_position,
)

if TYPE_CHECKING:
    from ...drawing.scene import Rows


def ask_and_show(
    ctx: click.Context, question: str, words: tuple[str, ...], params: str | None, options: AskOptions
) -> bool:
    """Ask one question, show the report, write the files of the options, and return whether it is decided.

    Raises InputError if an option or value is not allowed, and click's errors for unknown options.
    """
    states, named = split_words(ctx, words)
    file = only_state(ctx, states, named)
    check_targets(options, file)
    after = options["after"]
    if after is not None and is_played(after):  # read once: the written file must continue this very position
        options = {**options, "data": data_of(file, options)}
    position = opened(file, options)
    pictures = {"picture": options["picture"], "chart": options["chart"], "map": options["in_letters"]}
    for option in pictures:
        if pictures[option]:
            with locate_errors({"": Where(f"--{option}")}):
                refuse_undrawn(question_of(position.game, question), option)
    typed = json_object(params, "--params") | _name_options(ctx, named, position, question)
    asked, report = _ask_typed(position, question, typed, options["answers"])
    if after is not None and is_played(after):
        from ...records.mailing import check_told  # imported here because few answers go into a played game

        check_told(asked, report, after)
    drawings, titles = _draw_targets(position, report, options)
    rows = _draw_map(position, report, options)
    show([on_record(report, asked) if options["as_json"] else report], options)
    if not options["as_json"] and file.lower().endswith(ENDINGS):
        _show_clicks(file, position, report)
    _show_rows(rows)
    _write_targets(position, report, options, asked, drawings, titles)
    return report.verdict.kind != "undecided"


def check_targets(options: TargetOptions, source: str = "") -> None:
    """Raise InputError, before a question is asked, if a file for --after, --picture or --chart cannot be written.

    `source`: the file of the position, or "".
    """
    if after := options["after"]:
        if after.suffix.lower() == JOURNAL:
            read_bytes(after)  # the journal must exist, as the answer is added to it
        elif is_played(after):
            from ...records.mailing import check_played_file

            check_played_file(after, source, force=options["force"])
        else:
            check_position_file(after, force=options["force"])
    drawn = {name: file for name, file in (("picture", options["picture"]), ("chart", options["chart"])) if file}
    if not drawn:
        return
    from ...drawing import WRITERS  # imported here because most answers are not drawn
    from ...util.writing import check_free

    if len(set(drawn.values())) < len(drawn):
        raise InputError("a picture and a chart need two files", where=Where("--chart"), hint="name another one")
    for name, target in drawn.items():
        if target.suffix.lower() not in WRITERS:
            hint = "name it NAME" + ", NAME".join(WRITERS)
            raise InputError(f"{target} is not a picture file", where=Where(f"--{name}"), hint=hint)
        check_free(target, force=options["force"])


def _ask_typed(
    position: Position, question: str, typed: JsonObject, answers: str | None
) -> tuple[Position, Report[Any]]:
    """Return the position as it was asked about, and the answer.

    `typed`: parameters that replace those of the position's own `ask` line.
    `answers`: the dice and choices, as typed, or None.
    """
    asked = resolve_question(position, question, typed)
    names = question_of(position.game, asked.question).answers or ()
    given = typed_answers(answers, names)
    return pose_question(position, asked, given), ask(position, asked, given, watch=bar)


def _draw_targets(
    position: Position, report: Report[Any], options: AskOptions
) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return the picture and the chart for the files of the options, and the titles of the picture's parts."""
    drawings, titles = dict[str, bytes](), tuple[str, ...]()
    if options["part"] and not options["picture"]:
        raise InputError("a part of which picture?", where=Where("--part"), hint="name its file: --picture NAME.svg")
    if target := options["picture"]:
        part = options["part"]
        with locate_errors({"": Where("--part" if part else "--picture")}):
            drawings["picture"], titles = picture_and_parts(position, report, target.suffix.lower(), part=part)
    if target := options["chart"]:
        with locate_errors({"": Where("--chart")}):
            drawings["chart"] = chart(position, report, target.suffix.lower())
    return drawings, titles


def _write_targets(
    position: Position,
    report: Report[Any],
    options: AskOptions,
    asked: Position,
    drawings: Mapping[str, bytes],
    titles: Sequence[str],
) -> None:
    """Write the files of the options.

    `asked`: the position as it was asked about.
    `drawings`: the picture and the chart.
    `titles`: the titles of the picture's parts.
    """
    unsettled: list[InputError] = []
    for name, target in (("picture", options["picture"]), ("chart", options["chart"])):
        if target and name in drawings:
            with _others_first(unsettled):
                write_drawing(target, drawings[name], name, force=options["force"])
    for line in _format_parts(titles, options["part"]):
        echo(line, err=True)
    if target := options["after"]:
        with _others_first(unsettled):
            _give_back(target, position, report, options, asked)
    for error in unsettled[:-1]:
        echo(f"! {error}", err=True)
    if unsettled:
        raise unsettled[-1]


def _format_parts(titles: Sequence[str], drawn: int) -> Iterator[str]:
    """Yield lines about the parts of a picture, or none unless there are several.

    `drawn`: the number of the only part drawn, or 0 for all.
    """
    if len(titles) > 1 and drawn:
        yield f"part {drawn} of {len(titles)}: {titles[drawn - 1]}"
    elif len(titles) > 1:
        yield f"its {len(titles)} parts, each on a page of text with --part N:"
        for number, title in enumerate(titles, 1):
            yield f"{number:>3} {title}"


@contextmanager
def _others_first(unsettled: list[InputError]) -> Iterator[None]:
    """Collect the warning that a written file may not be on the disk yet, until the other files are written."""
    from ...util.writing import Unsettled  # imported here because most answers are not written

    try:
        yield
    except Unsettled as error:
        unsettled.append(error)


def _show_clicks(file: str, position: Position, report: Report[Any]) -> None:
    from ...asking.clicks import format_all_clicks
    from ...formats.vassal.adoption.legend import is_adopted

    if not report.changes:
        return
    clicks = format_all_clicks(report.changes, position.game, adopted=is_adopted(Path(file)))
    if clicks:
        echo("\nIn VASSAL")
        for line in clicks:
            echo(f"- {line}")


def opened(state: str, options: RecordOptions) -> Position:
    """Return the position in a file, with the viewpoint and trust of the options.

    Raises InputError if the file cannot be read, or if a source is unknown.
    """
    position = open_position(state, options)
    accepts = trust_of(options).over(position.state.accepts)
    return position.with_state(msgspec.structs.replace(position.state, accepts=accepts))


def trust_of(options: TrustOptions) -> Trust:
    """Return the trusted and distrusted sources of the options.

    Raises InputError if a source is unknown, or both trusted and distrusted.
    """
    trusted = set[Source]().union(*map(find_sources, options["trust"]))
    distrusted = set[Source]().union(*map(find_sources, options["own"]))
    if options["reconstruction"]:
        trusted.add(Source.RECONSTRUCTION)
    for name in options["accept"]:
        try:
            trusted.add(Source(name))
        except ValueError:
            hint = format_suggestion(name, [source.value for source in Source])
            raise InputError(f"unknown source {name!r}", where=Where("--accept"), hint=hint) from None
    if options["strict"]:
        distrusted |= find_sources(ALL_WORD)
    if both := [kind for kind, source in PLACEHOLDERS.items() if source in trusted & distrusted]:
        raise InputError(f"the options both trust the {format_list(both)} and do not", hint="leave out one of the two")
    return Trust(frozenset(trusted), frozenset(distrusted))


def typed_answers(text: str | None, names: Iterable[str] = ()) -> dict[str, str]:
    """Return answers from a JSON object or from `name=value` words.

    `names`: the known names of the dice and choices of the question.

    Raises InputError if the text is neither.
    """
    if not text or text.lstrip().startswith("{"):
        given = json_object(text, "--answers")
        for name, value in given.items():
            if type(value) not in (str, int):
                hint = 'write a text or a whole number: {"crt": "2+5", "ec.1/1": 6}'
                raise InputError(f"{name}: {value!r} is not an answer", where=Where("--answers"), hint=hint)
        return {name: str(value) for name, value in given.items()}
    answers: dict[str, str] = {}
    with locate_errors({"": Where("--answers")}):
        for word in find_words(text, 1, SPACED):
            named = name_and_value(word)
            if named is None:
                raise InputError(f"{word.text!r} is not NAME=VALUE", hint=_suggest_named(word.text, [*names]))
            name, answer = named
            if name in answers:
                raise InputError(f"{name} is given twice", hint="leave out one of the two")
            answers[name] = answer
    return answers


def _suggest_named(answer: str, names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"write: {names[0]}={answer}"
    return f"write: NAME=VALUE with a NAME of {', '.join(names)}" if names else "write: NAME=VALUE"


JsonValue = str | int | float | bool | None | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
"""A JSON value."""
JsonObject = Mapping[str, JsonValue]
"""The parameters of a question by name, as JSON values or as typed."""


def json_object(text: str | None, option: str) -> dict[str, JsonValue]:
    """Return the JSON object of an option, or an empty one if the option was omitted.

    Raises InputError if the text is not an object.
    """
    try:
        return msgspec.json.decode(text, type=dict[str, Any]) if text else {}
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise InputError(str(error), where=Where(option), hint='write an object: {"at": "41.19"}') from None


def _name_options(ctx: click.Context, extra: Mapping[str, str], position: Position, question: str) -> dict[str, str]:
    """Return options as parameters of the question by name.

    Raises click's error for an unknown option.
    """
    known = options_of(question_of(position.game, question).parameters)
    for name in extra:
        if name not in known:
            raise click.NoSuchOption(name, possibilities=sorted(known), ctx=ctx)
    return {known[name]: value for name, value in extra.items()}


def split_words(ctx: click.Context, words: tuple[str, ...]) -> tuple[list[str], dict[str, str]]:
    """Return the positions, and the `--name value` or `--name=value` options around them by name."""
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
        if name in extra:
            raise click.BadOptionUsage(name, f"{name} is given twice; a list has commas between its values", ctx)
        extra[name] = value if equals else rest.pop(0)
    if not states:
        raise click.UsageError("Missing argument 'STATE'.", ctx)
    return states, extra


def are_many(states: Sequence[str], options: AskOptions) -> bool:
    """Return whether each position is asked about separately: with --jobs, a folder, or several existing files."""
    if options["jobs"]:
        return True
    return all(map(names_position, states)) if len(states) > 1 else os.path.isdir(states[0])


def names_position(state: str) -> bool:
    """Return whether a word names a position: an existing file, a link, an example, or standard input."""
    if state == "-" or state.startswith(EXAMPLE) or is_link(state):
        return True
    try:
        os.stat(part_moment(state, formats())[0])
    except PermissionError:  # reading the file reports the error
        return True
    except (OSError, ValueError):
        return False
    return True


def only_state(ctx: click.Context, states: Sequence[str], extra: Mapping[str, str]) -> str:
    """Return the file of the only position.

    Raises click's usage error if there are several.
    """
    if len(states) > 1:
        if hint := _explain_several(states, extra):
            raise click.UsageError(f"One position at a time, not {' and '.join(states)}. {hint}", ctx)
        absent = next((state for state in states if not names_position(state)), states[-1])
        raise click.UsageError(f"{absent} is not there, and several positions are asked about only if all are.", ctx)
    return file_of(states[0])


def _explain_several(states: Sequence[str], extra: Mapping[str, str]) -> str:
    """Return a hint if a list or an answer looks like several positions, or else ""."""
    for value in extra.values():
        if value.endswith(","):
            return f"Write no space after the comma: {value}{states[-1]}."
    for state in states[1:]:
        if "=" in state:
            option = f"--{state.replace('=', ' ', 1)}"
            return f'Write a parameter as {option}, answers that are given together in quotes: --answers "... {state}".'
    return ""


def on_record(report: Report[Any], posed: Position) -> Report[Any]:
    """Return a report with what it was computed from, for JSON.

    `posed`: the position with the report's question alone, and its dice and choices.
    """
    from ...installed.answer_basis import with_basis  # imported here because most answers are text

    return with_basis(report, posed)


def show(reports: Sequence[Report[Any]], options: LayoutOptions) -> None:
    """Print reports in the form of the options, with a blank line between them."""
    width = _find_width(options)
    bars = shows_bars(sys.stdout.encoding)
    if options["as_json"]:
        for report in reports:
            echo(to_json(report))
        return
    texts = [_format_report(report, options, width, bars=bars) for report in _drop_viewpoints(reports)]
    echo("\n".join(texts), nl=False)


def _format_report(report: Report[Any], options: LayoutOptions, width: int, *, bars: bool) -> str:
    """Return a report in the form of the options: one line, plain lines for a post, the short answer, or in full."""
    if options.get("line"):
        return set_in_type(f"{report.headline}\n", curly=False)
    if options["forum"]:
        return to_forum(report)
    if options.get("full", True):
        return to_text(report, width, bars=bars)
    return to_short(report, width, bars=bars)


def _drop_viewpoints(reports: Sequence[Report[Any]]) -> Iterator[Report[Any]]:
    """Yield the reports with their viewpoint only once: before the first if it is unlimited, or else after the last."""
    for number, report in enumerate(reports):
        says = number == 0 if report.viewpoint == UNLIMITED else number == len(reports) - 1
        yield report if says else msgspec.structs.replace(report, viewpoint="")


def _draw_map(position: Position, report: Report[Any], options: AskOptions) -> Rows:
    """Return the text map of a report, or no rows if the options do not ask for it."""
    if not options["in_letters"]:
        return ()
    with locate_errors({"": Where("--map")}):
        if options["as_json"]:
            raise InputError("a map in letters is not JSON", hint="leave out --json or --map")
        return text_map(position, report, _find_width(options))


def _show_rows(rows: Rows) -> None:
    coloured = shows_colours()
    if rows:
        echo()
    for row in rows:
        echo_styled((run.text, TONES[run.tone] if coloured else {}) for run in row)


TONES: Mapping[str, Style] = {
    "full": {"fg": "bright_blue"},
    "low": {"fg": "yellow"},
    "none": {"fg": "red", "bold": True},
    "cut-off": {"fg": "red", "bold": True, "reverse": True},
    "unknown": {"bold": True},
    "break": {"fg": "magenta", "bold": True},
    "faint": {"dim": True},
    "": {},
}
"""The styles of tones in a text map."""


def shows_colours() -> bool:
    """Return whether to print colours: on a terminal, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _find_width(options: LayoutOptions) -> int:
    return PHONE_COLUMNS if options["narrow"] else screen_width()


def _give_back(file: Path, position: Position, report: Report[Any], options: AskOptions, asked: Position) -> None:
    """Write the file of --after, and print a note.

    `asked`: the position as it was asked about.
    """
    if file.suffix.lower() == JOURNAL:
        _enter_answer(file, asked, report)
        return
    # imported here because most answers are not carried out
    from ...records.mailing import (
        carry_out,
        overlay_of,
        pass_on,
    )

    module = None
    force = options["force"]
    not_shown = tuple[str, ...]()
    is_overlay = is_played(file) and not report.changes and bool(overlay_of(position, report))
    if is_played(file) and options["modules"]:
        from ...formats.vassal.modules import read_modules

        module = read_modules(options["modules"])
    if is_played(file) and (report.changes or is_overlay):
        not_shown = carry_out(position, report, options["data"], file, module=module, force=force, asked=asked)
    elif report.changes:
        write(position.after(report.changes), file, force=force)
    elif report.asks and asked.answers:
        not_shown = pass_on(asked, report, options.get("data", b""), file, module=module, force=force)
    elif report.asks:
        hint = "give all the rolls, choices and facts that the answer asks for"
        raise InputError("this answer changes nothing yet", where=Where("--after"), hint=hint)
    else:
        message = "this answer changes nothing, and there is nothing to write"
        raise InputError(message, where=Where("--after"), hint="leave out --after")
    kind = {SAVE: "save", LOG: "log"}.get(file.suffix.lower(), "position")
    extent = ", with what the answer shows on its map" if is_overlay else ", with the question and its answers so far"
    if report.changes:
        extent = ""
    echo(f"{kind} written{extent}: {file}", err=True)
    say_what_is_left(not_shown)


def say_what_is_left(not_shown: Sequence[str]) -> None:
    """Print the facts that a written save or log does not show, if any."""
    if not_shown:
        lines = ["what the file does not show, for you to set in VASSAL:", *(f"- {plain(what)}" for what in not_shown)]
        echo("\n".join(lines), err=True)


def _enter_answer(file: Path, asked: Position, report: Report[Any]) -> None:
    from ...installed.registry import load_game
    from ...records.journal.journal_file import JournalFile
    from ...records.journal.journal_text import format_added

    for line in format_added(JournalFile(file, load_game).enter_answer(asked, report.changes)):
        echo(line, err=True)


def shows_bars(encoding: str | None) -> bool:
    """Return whether a terminal with this encoding can show the block characters of bars."""
    try:
        BAR_CHARACTERS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def draw_standing(position: Position, target: Path, *, force: bool) -> None:
    """Write a picture of the units of a position.

    Raises InputError if no unit is on the map, or if the file exists.
    """
    with located(Where("--picture")):
        drawing = picture(position, ending=target.suffix.lower())
    write_drawing(target, drawing, "picture", force=force)


def write_drawing(target: Path, data: bytes, what: str, *, force: bool) -> None:
    """Write a picture and print a note.

    Raises InputError if the file exists, unless `force` is set.
    """
    from ...util.writing import write_whole  # imported here because most answers are not drawn

    write_whole(target, data, force=force)
    echo(f"{what} written: {target}", err=True)
