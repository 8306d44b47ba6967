"""The reference of an installed game, written from the game itself: questions, figures, tracks, charts, turns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ..game.course import GAME, course_file
from ..game.events import read_events
from ..game.games import Game
from ..game.turn_record import KINDS, format_runs, turns
from ..util.datafiles import read_toml
from ..util.errors import InputError, Where, format_suggestion
from ..util.files import package_folder
from ..util.notes import fields_of, notes_of, options_of
from .question import Parameters, Question
from .schemas import list_structs
from .wording import sentence_case

FIGURES = read_toml(package_folder(__package__).joinpath("figures.toml"), dict[str, str])
"""What the figures in the working of any report mean, by name; a game adds its own under [figures]."""


_ABOUT = """
A report in JSON holds `verdict`, `parts` (each step with its rule, its text and its figures), `cautions`, `asks`
(what is missing or due, and what to type), `changes`, `result` (the answer in named fields) and the `viewpoint`. With
hidden information, a figure may be a range, `{"weakest": ..., "strongest": ...}`; `between` may hold two results; and
`as_seen` and `result_as_seen` hold the answer from what is seen alone. Fractions are written as
`{"exact": "5/36", "decimal": 0.138888889}`. `result` may be null: where facts are missing, which `asks` then lists; where
the rules do not allow what was asked; and where `between` holds two results instead.

Answer a roll or a choice by the name that `asks` gives it. In the names below, a word in capitals stands for a hex, a
unit or a Force (by its first unit)."""
"""What stands above the questions."""


def write_reference(
    game: Game, questions: Mapping[str, Question[Any, Any]], hidden: Collection[str] = ()
) -> Iterator[str]:
    """Yield the lines of the reference of a game and its questions, as Markdown.

    hidden: the questions that have the name of another command. Raises InputError for a wish of `game.toml` that names
    no question.
    """
    yield f"# Reference: {game.title}"
    yield ""
    yield f"Written by `assistant reference {game.id}`."
    yield from _ABOUT.split("\n")
    yield from _write_wishes(game, questions)
    for question in questions.values():
        yield from ("", *write_question(question, hidden=question.name in hidden))
    yield from ("", "## Figures of the working", "", "| name | meaning |", "| --- | --- |")
    yield from (f"| `{name}` | {meaning} |" for name, meaning in sorted((FIGURES | game.file.figures).items()))
    yield from _write_tracks(game)
    yield from _write_events(game)
    yield from _write_charts(game)
    yield from _write_turns(game)


def _write_tracks(game: Game) -> Iterator[str]:
    """Yield what can be stated: each track with its values and what silence means."""
    yield from ("", "## Tracks", "")
    yield "What a position can state. In notation a track may always be written in full, `name=value`."
    yield ""
    yield "| track | on | notation | values | silence means | rule | meaning |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for track in game.tracks.values():
        silence = "unknown"
        if track.absent is not None:
            silence = f"`{track.write(track.absent)}`" if track.absent != "" else "none"
        takes = ", ".join(track.values) or track.takes
        meaning = f"{track.title}; {track.note}" if track.note else track.title
        yield f"| `{track.name}` | {track.on} | `{track.written}` | {takes} | {silence} | {track.rule} | {meaning} |"


def _write_events(game: Game) -> Iterator[str]:
    """Yield what a journal of the game records: each event as it is typed; nothing for a game that has none."""
    events = read_events(game)
    if not events.event:
        return
    yield from ("", "## Events", "", "What a journal records: `WHO EVENT AMOUNT KIND NOTE`.")
    yield f"Short names: {', '.join(f'`{short}` {who}' for short, who in events.short.items())}."
    yield from ("", "| event | amount | kind | happens to | rule | meaning |", "| --- | --- | --- | --- | --- | --- |")
    for word, event in events.event.items():
        amount = "" if event.least is None else f"{event.least} to {event.most}"
        alone = [("a unit" if event.unit else "", event)] if not event.kinds or event.posts or event.sets else []
        for kind, row in (*alone, *((f"`{name}`", kind) for name, kind in event.kinds.items())):
            who = GAME if event.on == GAME else ", ".join(row.only or event.only) or f"any {event.on}"
            rule = row.rule or event.rule
            title = row.title or event.title
            yield f"| `{word}` | {amount} | {kind} | {who} | {rule} | {title} |"


def _write_charts(game: Game) -> Iterator[str]:
    """Yield the printed charts, with the keys and the fields of their cells."""
    yield from ("", "## Charts", "")
    for chart in game.charts.values():
        keys = " ".join(key.name for key in chart.keys)
        fields = " / ".join(field.name for field in chart.fields)
        yield f"- `chart {chart.name} {keys} = {fields}`: {chart.title} ({chart.rule})"
        yield from (f"    - `{key.name}`: {key.takes}" for key in chart.keys)
        yield from (f"    - `{field.name}`: {field.note}" for field in chart.fields if field.note)
        if chart.unread:
            yield f"    - Not read yet: {chart.unread}."


def _write_turns(game: Game) -> Iterator[str]:
    """Yield what is said of the turns, kind by kind and then event by event; nothing for a game that states no turns."""
    course_turns = turns(game)
    course = course_file(game)
    if not course_turns:
        return
    yield from ("", "## Turns", "")
    titles = {
        figure.name: f", {figure.title}" + (f" of {figure.who}" if figure.who else "")
        for figure in course.turns.figures
    }
    for kind in (*KINDS[:-1], *titles):
        stated: dict[str, list[int]] = {}
        for turn in course_turns:
            if fact := turn.fact(kind):
                stated.setdefault(f"{fact.in_words}{f' ({fact.rule})' if fact.rule else ''}", []).append(turn.number)
        texts = "; ".join(f"{format_runs(numbers)}: {text}" for text, numbers in stated.items())
        yield f"- `{kind}`{titles.get(kind, '')}: {texts or 'not stated'}"
    yield from ("", "| turn | for | event | rule |", "| --- | --- | --- | --- |")
    for turn in course_turns:
        yield from (f"| {turn.number} | {event.who or 'all'} | {event.text} | {event.rule} |" for event in turn.events)


def _write_wishes(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[str]:
    """Yield which question answers what a player wishes to know, nothing for a game that lists no wishes."""
    if not game.file.wishes:
        return
    yield from ("", "## Which question answers what", "", "| to know | ask | where it is said |", "| --- | --- | --- |")
    for wish, answer in game.file.wishes.items():
        name, _, where = answer.partition(": ")
        if name not in questions:
            error = InputError(f"[wishes] {wish!r}: no question {name!r}", hint=format_suggestion(name, questions))
            raise error.at(Where("game.toml"))
        yield f"| {wish} | `{name}` | {where or 'the verdict'} |"


def write_question(question: Question[Any, Any], *, hidden: bool) -> Iterator[str]:
    """Yield a question with its parameters, its dice and choices, and its result, as Markdown. hidden: as
    `format_question` takes it.
    """
    yield f"## Question `{question.name}`"
    yield from ("", f"{sentence_case(question.title)}.")
    if hidden:
        yield from ("", f"{_format_command(question.name)}.")
    yield from ("", "Parameters:")
    yield from _write_struct(question.parameters)
    if question.answers:
        yield ""
        yield "Answers:"
        yield ""
        yield from (f"- `{name}`: {meaning}" for name, meaning in question.answers.items())
    yield from ("", "Result:")
    for kind in list_structs(question.result):
        yield from _write_struct(kind)


def format_question(question: Question[Any, Any], before: str = "--", *, hidden: bool = False) -> Iterator[str]:
    """Yield a question in a line, with its parameters, its dice and its choices below it. before: the name of a
    parameter; hidden: whether another command has its name.
    """
    yield f"{question.name}: {question.title}"
    if hidden:
        yield f"    {_format_command(question.name)}"
    notes = notes_of(question.parameters)
    for field, (option, words) in zip(
        fields_of(question.parameters), options_of(question.parameters).items(), strict=True
    ):
        left_out = "" if field.required else " (optional)"
        name = option if before == "--" else f"{before}{words}"
        yield f"    {name}{left_out}: {notes[field.name]}"
    for name, meaning in (question.answers or {}).items():
        yield f"    answers {name}: {meaning}"


def _format_command(name: str) -> str:
    """Return how a question is asked that has the name of another command."""
    return f"Asked by `assistant ask {name}`; `assistant {name}` does something else"


def _write_struct(kind: Any) -> Iterator[str]:
    """Yield a struct with its fields, and what each means."""
    yield ""
    yield f"`{kind.__name__}`: {' '.join((kind.__doc__ or '').split())}"
    yield ""
    types = get_type_hints(kind)
    notes = notes_of(kind)
    for field in fields_of(kind):
        name = field.encode_name
        optional = ""
        if issubclass(kind, Parameters):
            name = name.replace("_", "-")
            optional = "" if field.required else ", optional" + _format_default(field.default)
        yield f"- `{name}` ({_format_type(types[field.name])}{optional}): {notes[field.name]}"


def _format_default(value: Any) -> str:
    """Return what a parameter is if it is left out, unless that is none or no, or stands for what the position states."""
    is_told = value is True or (isinstance(value, int) and value > 0) or (isinstance(value, str) and value != "")
    return f", else {'yes' if value is True else value}" if is_told else ""


def _format_type(kind: Any) -> str:
    """Return a type in words."""
    names = {str: "text", int: "whole number", bool: "true or false", type(None): "null"}
    if kind in names:
        return names[kind]
    if get_origin(kind) is Literal:
        return " or ".join(f"`{word}`" for word in get_args(kind))
    inside = [_format_type(part) for part in get_args(kind) if part is not Ellipsis]
    if getattr(kind, "__origin__", None) is tuple:
        return f"list of {inside[0]}"
    if getattr(kind, "__origin__", None) is dict:
        return f"object of {inside[1]} by {inside[0]}"
    if inside:
        return " or ".join(inside)
    return f"`{kind.__name__}`" if list_structs(kind) else kind.__name__.lower()
