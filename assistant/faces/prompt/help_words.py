"""The pages of `help WORD`: a command, an event, a fact, a parameter, a question, a chart, a unit, a hex or a rule."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ...formats.new_units import suggest_units
from ...formats.positions import Position
from ...game.events import read_events
from ...game.games import Game
from ...game.typed_events import find_short_name, subject_of, write_example
from ...installed.registry import questions_of
from ...state.tracks import Track
from ...util.console import format_amount, format_count
from ...util.errors import InputError, nearest_names
from ...util.notes import fields_of, notes_of
from ...util.patterns import late_pattern
from ...util.texts import folded
from .rule_lines import list_rules, rules_under
from .search import find_hits
from .shorthand.abbreviations import Abbreviations
from .surroundings import describe_hex

_SUBJECT_FORMS = {"unit": "UNIT ", "hex": "HEX ", "box": "BOX ", "hexside": "HEX|HEX ", "game": ""}
"""The typed form of the subject before a fact, by kind of subject; other kinds have the form `KIND NAME`."""


def explain_word(position: Position, word: str, commands: Mapping[str, str]) -> list[str]:
    """Return the meanings of a word at the table, each with the way to type it.

    `commands`: the meanings of the commands by their names.

    Raises InputError, with the nearest known words, for a word without a meaning.
    """
    text = word.casefold()
    lines = [f"{text}: {commands[text]}"] if text in commands else []
    for describe in (
        _describe_event,
        _describe_tracks,
        _describe_parameter,
        describe_question,
        _describe_line,
        _describe_chart,
        _describe_unit,
    ):
        lines += describe(position, text)
    if not lines:
        lines = [*describe_hex(position, word), *describe_rule(position, text)]
    if len(lines) <= _MAX_LINES_BEFORE_RELATED:
        lines += _list_related(position.game, word, described=bool(lines))
    if not lines:
        raise _find_no_help(position, word, commands)
    return lines


def _find_no_help(position: Position, word: str, commands: Collection[str]) -> InputError:
    text = word.casefold()
    game = position.game
    known = [*commands, *read_events(game).event, *game.tracks, *questions_of(game), *game.charts]
    known += [value for track in game.tracks.values() for value in track.values]
    units = dict.fromkeys([*game.roster, *position.state.units])
    if re.fullmatch("[0-9]+([.][0-9]+)*[a-z]?", text) and text not in units:
        hint = f"`assistant rules {game.id}` lists the rules of the index"
        return InputError(f"there is no help on rule {word}", hint=hint)
    if alike := suggest_units(text, units):
        return InputError(f"there is no help on {word!r}", hint=f"did you mean {' or '.join(alike[:3])}?")
    near = {folded(name): name for name in [*known, *units]}
    nearest = nearest_names(folded(text), near)
    hint = f"nearest known: {', '.join(near[name] for name in nearest[:3])}" if nearest else ""
    return InputError(f"there is no help on {word!r}", hint=hint)


def _describe_event(position: Position, text: str) -> Iterator[str]:
    game = position.game
    events = read_events(position.game)
    event = events.event.get(text)
    if event is None:
        return
    yield f"{text}: {event.title}{f' (rule {event.rule})' if event.rule else ''}"
    if event.least is not None:
        usual = f", usually {event.usual}" if event.usual is not None else ""
        yield f"  amount: {event.least} to {event.most}{usual}"
    whose = [find_short_name(events, who) for who in event.only]
    yield f"  who: {', '.join(whose) or ('game' if event.on == 'game' else f'any {event.on}')}"
    for name, kind in event.kinds.items():
        only = f"; {', '.join(find_short_name(events, who) for who in kind.only)} only" if kind.only else ""
        accounts = [_format_posting(game, path, per) for path, per in kind.posts.items()]
        text_of_kind = "; ".join(filter(None, (kind.title, *accounts)))
        yield f"  {name}: {text_of_kind}{only}{f' (rule {kind.rule})' if kind.rule else ''}"
    yield f"  typed: {write_example(events, text)}"


def _format_posting(game: Game, path: str, per: int) -> str:
    """Return the effect of an event on an account in words.

    `path`: the account, perhaps with its nation or side.
    `per`: the amount added per unit of the event's amount.
    """
    account, who = subject_of(path, "")
    of = f" of {game.file.title_of(who)}" if who else ""
    return f"{game.track(account).title}{of}: {format_amount(per)}"


def _describe_tracks(position: Position, text: str) -> Iterator[str]:
    """Yield the track with a name, or else the tracks with that value, beginning, or word in a value."""
    tracks = position.game.tracks
    with_value = [track for track in tracks.values() if text in map(str.casefold, track.values)]
    with_beginning = [track for track in tracks.values() if len(text) > 1 and track.name.startswith(text)]
    with_part_of_value = [
        track for track in tracks.values() if any(text in value.casefold().split("-") for value in track.values)
    ]
    named = [tracks[text]] if text in tracks else []
    for track in named or with_value or with_beginning or with_part_of_value:
        yield from _describe_track(track)
        levels = [level for level in read_events(position.game).level if level.account == track.name]
        for who in dict.fromkeys(level.who for level in levels):
            own = sorted((level.at, level.title) for level in levels if level.who == who)
            whose = position.game.file.title_of(who) if who else "the game"
            yield f"  levels of {whose}: {', '.join(f'{title} at {at}' for at, title in own)}"
        if track.on == "hexside" and position.game.file.prompt.ask:
            yield "  in a combat typed on one line: after the attacking hex"


def _describe_track(track: Track) -> Iterator[str]:
    rule = f" (rule {track.rule})" if track.rule else ""
    yield f"{track.name}: {track.title}{rule}"
    if track.note:
        yield f"  {track.note}"
    subject_form = _SUBJECT_FORMS.get(track.on, f"{track.on} NAME ")
    fact_form = track.name if track.kind == "flag" else track.written.replace("{}", "VALUE")
    yield f"  typed: {subject_form}{fact_form} ({track.takes})"
    if track.absent is not None:
        yield f"  if not stated, it is {track.write(track.absent)}"


def _describe_parameter(position: Position, text: str) -> Iterator[str]:
    name = position.game.file.prompt.short.get(text, text)
    taken: dict[str, list[str]] = {}
    for question in questions_of(position.game).values():
        notes = notes_of(question.parameters)
        for field in fields_of(question.parameters):
            if field.encode_name == name:
                taken.setdefault(notes[field.name], []).append(question.name)
    full_name = f"{name}, " if name != text else ""
    for note, questions in taken.items():
        yield f"{text}=...: {full_name}{note} (of {', '.join(questions)})"


def describe_question(position: Position, text: str) -> Iterator[str]:
    """Yield a question with its parameters, or no lines if no question has the name."""
    questions = questions_of(position.game)
    try:
        name = Abbreviations(position).question(text, questions)
    except InputError:
        return
    if not name:
        return
    yield f"{name}: {questions[name].title}"
    notes = notes_of(questions[name].parameters)
    for field in fields_of(questions[name].parameters):
        needed = " (needed)" if field.required else ""
        yield f"  {field.encode_name.replace('_', '-')}=...: {first_clause(notes[field.name])}{needed}"
    if questions[name].answers:
        yield "  its dice and choices are asked for as they arise"
    yield "  (help PARAMETER says more)"


def _describe_line(position: Position, text: str) -> Iterator[str]:
    along = position.game.file.prompt.along
    signs = list_signs(position.game)
    if along and signs and text in ("line", along):
        yield "  a line is typed hex by hex to its unit, with what lies between them and in them:"
        yield f"  {', '.join(signs)}"


def list_signs(game: Game) -> list[str]:
    """Return the signs and letters of a game's lines of hexes, each with its meaning."""
    notation = game.file.notation
    return [f"{written} {means}" for written, means in (*notation.signs.items(), *notation.letters.items())]


def _describe_chart(position: Position, text: str) -> Iterator[str]:
    chart = position.game.charts.get(text)
    if chart:
        yield f"{chart.name}: {chart.title}{f' (rule {chart.rule})' if chart.rule else ''}"
        yield f"  typed: {chart.how_to_state(tuple(key.name.upper() for key in chart.keys))}"
        for field in chart.fields:
            if field.note:
                yield f"  {field.name}: {field.note}"


def _describe_unit(position: Position, text: str) -> Iterator[str]:
    name = Abbreviations(position).unit(text)
    if name:
        yield f"{name}: {', '.join(_list_facts(position.game, position, name)) or 'nothing is known about it'}"


def _list_facts(game: Game, position: Position, unit: str) -> Iterator[str]:
    stated = position.state.facts_of.get(unit, {})
    for name, track in game.tracks.items():
        if track.on != "unit":
            continue
        if fact := stated.get(name):
            yield track.word(fact.value)
        elif printed := game.roster.get(unit, {}).get(name):
            yield f"{track.word(printed[0].value)} ({printed[0].source})"


_OWN_WORDS = late_pattern(r"[^\W0-9_]+(?:[ -][^\W0-9_]+)*[?]?")
"""Words without figures."""
_MAX_LINES_BEFORE_RELATED = 13
"""The maximum number of lines of a meaning after which related questions follow, so that all fits a screen."""
_MAX_RELATED = 2
"""The maximum number of questions and rules that follow the meaning of a word."""
_MAX_LISTED = 4
"""The maximum number of entries of one kind that are listed."""


def _list_related(game: Game, typed: str, *, described: bool) -> Iterator[str]:
    """Yield the questions, rules and words that fit what was typed in words, a line each.

    `described`: whether what was typed has a meaning of its own; then only a few other questions and rules follow.
    """
    if not _OWN_WORDS.fullmatch(typed):
        return
    hits = find_hits(game, typed, corrects=" " in typed)
    if described:
        hits = [hit for hit in hits if hit.kind != "word" and hit.name != typed.casefold()][:_MAX_RELATED]
    for hit in hits:
        yield f"{'rule ' if hit.kind == 'rule' else ''}{hit.name}: {hit.title}"
    if hits:
        yield "  (help NAME says more)"


def describe_rule(position: Position, number: str) -> Iterator[str]:
    """Yield the rules of the index with a number or name, each with its questions or the reason why it has none."""
    lines = []
    for row, names in list_rules(position.game, rules_under(position.game, number)):
        more = f" and {format_count(len(names) - _MAX_LISTED, 'more question')}" if len(names) > _MAX_LISTED else ""
        text = f"in {', '.join(names[:_MAX_LISTED])}{more}" if names else row.left
        if names and row.is_reminder:
            text += f", {row.left}"
        lines.append(": ".join(filter(None, [f"rule {row.rule}, {row.title}", text])))
    yield from _list_first(lines, f"`assistant rules {position.game.id} {number}` names the code too")


def first_clause(note: str) -> str:
    """Return the first clause of a note."""
    return re.split(r"[:;(]", note, maxsplit=1)[0].strip()


def _list_first(lines: list[str], more: str) -> Iterator[str]:
    yield from lines[:_MAX_LISTED]
    if len(lines) > _MAX_LISTED:
        yield f"  and {len(lines) - _MAX_LISTED} more"
    if lines:
        yield f"  ({more})"
