"""What `help WORD` says: of a command, a track or one of its values, a question, a chart, a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from ..formats.naming import begun_by
from ..formats.positions import Position
from ..game.games import Game
from ..plugins.registry import questions_of
from ..state.tracks import Track
from ..util.errors import InputError, nearest_names
from ..util.notes import notes_of
from ..util.texts import folded
from .index import brief, indexed, of_rule
from .shorthand.abbreviations import Abbreviations

_BEFORE = {"unit": "UNIT ", "hex": "HEX ", "box": "BOX ", "hexside": "HEX|HEX ", "game": ""}


def topic_lines(position: Position, word: str, commands: Mapping[str, str]) -> Iterator[str]:
    """What a word means at the table, each meaning with how it is typed.

    commands: what each command does, by its name. Raises InputError for a word that means nothing, with the nearest
    ones.
    """
    text = word.casefold()
    found = [
        line
        for kind in (_command, _tracks, _parameter, _question, _chart, _unit)
        for line in kind(position, text, commands)
    ]
    found = found or [*of_rule(position, text)] or [*indexed(position, text)]
    if not found:
        game = position.game
        known = [*commands, *game.tracks, *questions_of(game), *game.charts]
        known += [value for track in game.tracks.values() for value in track.values]
        units = dict.fromkeys([*game.roster, *position.state.units])
        if re.fullmatch("[0-9]+([.][0-9]+)*[a-z]?", text) and not any(name == text for name in units):
            hint = f"`assistant rules {game.id}` lists the rules of the index"
            raise InputError(f"there is no help on rule {word}", hint=hint)
        if begun := begun_by(text, units):
            raise InputError(f"there is no help on {word!r}", hint=f"did you mean {' or '.join(begun[:3])}?")
        near = {folded(name): name for name in [*known, *units]}
        found = nearest_names(folded(text), near)
        hint = f"nearest known: {', '.join(near[name] for name in found[:3])}" if found else ""
        raise InputError(f"there is no help on {word!r}", hint=hint)
    yield from found


def _command(_: Position, text: str, commands: Mapping[str, str]) -> Iterator[str]:
    if text in commands:
        yield f"{text}: {commands[text]}"


def _tracks(position: Position, text: str, _: Mapping[str, str]) -> Iterator[str]:
    """The track of this name; without it those with this value, or else those that begin so."""
    tracks = position.game.tracks
    valued = [one for one in tracks.values() if text in map(str.casefold, one.values)]
    begun = [one for one in tracks.values() if len(text) > 1 and one.name.startswith(text)]
    for track in [tracks[text]] if text in tracks else valued or begun:
        yield from _about(track)


def _about(track: Track) -> Iterator[str]:
    rule = f" (rule {track.rule})" if track.rule else ""
    yield f"{track.name}: {track.title}{rule}"
    if track.note:
        yield f"  {track.note}"
    before = _BEFORE.get(track.on, f"{track.on} NAME ")
    shown = track.name if track.kind == "flag" else track.written.replace("{}", "VALUE")
    yield f"  typed: {before}{shown} ({track.takes})"
    if track.absent is not None:
        yield f"  not stated, it is {track.write(track.absent)}"


def _parameter(position: Position, text: str, _: Mapping[str, str]) -> Iterator[str]:
    """A parameter of a question by its name or its short one, each with the questions that take it so."""
    usual = position.game.file.table
    name = usual.short.get(text, text) if usual else text
    taken: dict[str, list[str]] = {}
    for question in questions_of(position.game).values():
        notes = notes_of(question.parameters)
        for field in msgspec.structs.fields(question.parameters):
            if field.encode_name == name:
                taken.setdefault(notes[field.name], []).append(question.name)
    for note, questions in taken.items():
        yield f"{text}=...: {f'{name}, ' if name != text else ''}{note} (of {', '.join(questions)})"


def _question(position: Position, text: str, _: Mapping[str, str]) -> Iterator[str]:
    """A question with its parameters."""
    questions = questions_of(position.game)
    try:
        name = Abbreviations(position).question(text, questions)
    except InputError:
        return
    if not name:
        return
    yield f"{name}: {questions[name].title}"
    notes = notes_of(questions[name].parameters)
    for field in msgspec.structs.fields(questions[name].parameters):
        needed = " (needed)" if field.required else ""
        yield f"  {field.encode_name.replace('_', '-')}=...: {brief(notes[field.name])}{needed}"
    if questions[name].answers:
        yield "  its dice and choices are asked for as they come"
    yield "  (help PARAMETER tells more)"


def _chart(position: Position, text: str, _: Mapping[str, str]) -> Iterator[str]:
    chart = position.game.charts.get(text)
    if chart:
        yield f"{chart.name}: {chart.title}{f' (rule {chart.rule})' if chart.rule else ''}"
        yield f"  typed: {chart.how_to_state(tuple(key.name.upper() for key in chart.keys))}"
        yield from (f"  {field.name}: {field.note}" for field in chart.fields if field.note)


def _unit(position: Position, text: str, _: Mapping[str, str]) -> Iterator[str]:
    """A unit, with what is stated or printed of it."""
    name = Abbreviations(position).unit(text)
    if name:
        yield f"{name}: {', '.join(_facts(position.game, position, name)) or 'nothing is known of it'}"


def _facts(game: Game, position: Position, unit: str) -> Iterator[str]:
    stated = position.state.facts_of.get(unit, {})
    for name, track in game.tracks.items():
        if track.on != "unit":
            continue
        if fact := stated.get(name):
            yield track.word(fact.value)
        elif printed := game.roster.get(unit, {}).get(name):
            yield f"{track.word(printed[0].value)} ({printed[0].source})"
