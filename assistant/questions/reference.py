"""The reference of an installed game, written from the game itself: questions, figures, tracks, charts, turns, rulings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ..game.course.file import Figure, course_file
from ..game.course.turns import KINDS, in_runs, turns
from ..game.games import Game
from ..util.errors import InputError, Where, suggested
from ..util.notes import notes_of
from .question import Parameters, Question
from .schemas import structs_of

FIGURES = {
    "board": "a board by its title",
    "amount": "a dice roll modifier, or a column shift",
    "attack": "total strength of the attackers",
    "cells": "how many chart cells are unknown",
    "chance": "an exact probability",
    "chart": "a chart's title",
    "column": "the odds column that is read",
    "defence": "total strength of the defenders",
    "doubt": "what a rulebook leaves open",
    "drm": "DRM, added to a roll",
    "due": "the rolls, choices and cells that a report waits for",
    "excess": "the sets of units of which one has to go",
    "expended": "units that an attack expends",
    "fact": "a fact by its title and its subject",
    "facts": "facts, or how many there are",
    "asked": "how many facts a report asks for at most",
    "about": "the same facts, each as its track and its subject",
    "final": "the odds after shifts",
    "how": "what to type",
    "initial": "the odds before shifts",
    "dice": "the dice to roll",
    "left": "how many are left",
    "settling": "how many facts settle what is in doubt",
    "together": "facts that count only if all of them are otherwise",
    "likelihoods": "values of a quantity, each with its exact probability",
    "meaning": "what a policy, or a reading of a doubtful rule, means",
    "missing": "how many facts are missing",
    "modified": "a roll with its modifiers",
    "more": "strength points that lead to the next column",
    "natural": "a roll as thrown",
    "nations": "nations",
    "negated": "units whose zones of control do not reach a hex",
    "other": "another value that a doubtful fact might have",
    "out": "units that are not supplied",
    "over": "hexes that hold too many units",
    "percentage": "the attack in percent of the defence",
    "places": "places, or hexes",
    "reading": "the name of a reading",
    "remarks": "what else is to be said, in words",
    "result": "a result on the table",
    "role": "attacker or defender",
    "ruling": "the name of a ruling",
    "shift": "a column shift, positive to the right",
    "side": "attacker or defender",
    "source": "where facts come from, or a supply source",
    "spare": "strength points that can be lost without dropping a column",
    "stacks": "hexes with units",
    "strongest": "the verdict with everything hidden at its strongest",
    "subject": "what a fact is about",
    "support": "units that support an attack",
    "supplied": "units that are supplied, or whether one is",
    "then": "the verdict with that other value",
    "times": "how many times",
    "unit": "a unit's id",
    "units": "units, or how many there are",
    "unread": "what was not understood, or how many items",
    "unknown": "printed ratings that are not stated",
    "value": "the value of a fact",
    "verdict": "the verdict with the facts as stated",
    "way": "the hexes of a way or a line",
    "weakest": "the verdict with everything hidden at its weakest",
    "what": "what a figure is about",
    "why": "why something applies",
    "after": "a value afterwards",
    "allowance_points": "Movement Points that a unit has",
    "at": "the hex that is attacked, or a hex of which something holds",
    "attackers": "units that attack",
    "barred": "why a hex cannot be entered",
    "before": "a value before",
    "cell": "a chart cell",
    "chances": "the results of a table, each with its chance",
    "cost_points": "Movement Points that are needed",
    "eliminated": "units that are eliminated",
    "end": "the last hex of a way",
    "file": "a file",
    "hex": "a hex",
    "hexes": "hexes, or how many of them",
    "id": "a unit's id",
    "line": "a line by its name, or its hexes",
    "misplaced": "how many units do not stand where a scenario sets them up",
    "open": "how many units the map has to tell of",
    "outcome": "the result of a combat",
    "place": "where a unit stands",
    "points": "Movement Points that a way costs",
    "pursues": "the side that may pursue, attacker or defender",
    "pursuit": "how many hexes may be entered in pursuit",
    "reach": "how many hexes may be entered",
    "reasons": "how many reasons forbid it",
    "retreating": "units that retreat",
    "retreats": "the side that retreats, attacker or defender",
    "right": "how many units stand where a scenario sets them up",
    "table": "a results table",
    "targets": "how many hexes can be attacked",
    "where": "where a scenario sets a unit up",
}
"""What the figures in the working of any report mean, by name; a game adds its own under [figures]."""


def reference(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[str]:
    """The lines of the reference of a game and its questions, as Markdown.

    Raises InputError for a wish of `game.toml` that names no question.
    """
    yield f"# Reference: {game.title}"
    yield ""
    yield f"Written by `assistant reference {game.id}`; a test keeps it up to date."
    yield ""
    yield "A report in JSON holds `verdict`, `parts` (each step with its rule, its text and its figures), `cautions`, `asks`"
    yield "(what is missing or due, and what to type), `changes`, the typed `result` and the `viewpoint`. With hidden information"
    yield 'a figure may be a range, `{"weakest": ..., "strongest": ...}`, `between` holds two results, and `as_seen` and'
    yield "`result_as_seen` what nothing but the seen gives. Fractions are written as"
    yield '`{"exact": "5/36", "decimal": 0.138888889}`. `result` may be null: where facts are missing, which `asks` then lists; where'
    yield "the rules do not allow what was asked; and where `between` holds two results instead."
    yield ""
    yield "Answer a roll or a choice by the name that `asks` gives it. In the names below, a word in capitals stands for a hex, a"
    yield "unit or a Force (by its first unit)."
    yield from _wishes(game, questions)
    for question in questions.values():
        yield from _question(question)
    yield from ("", "## Figures of the working", "", "| name | meaning |", "| --- | --- |")
    for name, meaning in sorted((FIGURES | game.file.figures).items()):
        yield f"| `{name}` | {meaning} |"
    yield ""
    yield "## Tracks"
    yield ""
    yield "What a position can state. In notation a track may always be written in full, `name=value`."
    yield ""
    yield "| track | on | notation | values | silence means | rule | meaning |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for track in game.tracks.values():
        silence = (
            "unknown" if track.absent is None else f"`{track.write(track.absent)}`" if track.absent != "" else "none"
        )
        takes = ", ".join(track.values) or track.takes
        meaning = f"{track.title}; {track.note}" if track.note else track.title
        yield f"| `{track.name}` | {track.on} | `{track.written}` | {takes} | {silence} | {track.rule} | {meaning} |"
    yield from ("", "## Charts", "")
    for chart in game.charts.values():
        keys = " ".join(key.name for key in chart.keys)
        fields = " / ".join(field.name for field in chart.fields)
        yield f"- `chart {chart.name} {keys} = {fields}`: {chart.title} ({chart.rule})"
        yield from (f"    - `{key.name}`: {key.takes}" for key in chart.keys)
        yield from (f"    - `{field.name}`: {field.note}" for field in chart.fields if field.note)
        yield from ([f"    - Not read yet: {chart.unread}."] if chart.unread else [])
    yield from _turns(game)
    yield from ("", "## Rulings", "")
    for ruling in game.rulings.values():
        yield f"- `{ruling.id}` ({ruling.rule}): {ruling.doubt}. Authority of the default: {ruling.authority}."
        for name, reading in ruling.readings.items():
            yield f"    - `{name}`{' (default)' if name == ruling.default else ''}: {reading}"


def _turns(game: Game) -> Iterator[str]:
    """What is said of the turns, kind by kind and then event by event; nothing for a game that states no turns."""
    found, course = turns(game), course_file(game)
    if not found:
        return
    yield from ("", "## Turns", "")
    titles = {figure.name: _figure(figure) for figure in course.turns.figures}
    for kind in (*KINDS[:-1], *titles):
        stated: dict[str, list[int]] = {}
        for turn in found:
            if fact := turn.fact(kind):
                stated.setdefault(f"{fact.in_words}{f' ({fact.rule})' if fact.rule else ''}", []).append(turn.number)
        said = "; ".join(f"{in_runs(numbers)}: {text}" for text, numbers in stated.items())
        yield f"- `{kind}`{titles.get(kind, '')}: {said or 'not stated'}"
    yield from ("", "| turn | for | event | rule |", "| --- | --- | --- | --- |")
    for turn in found:
        yield from (f"| {turn.number} | {event.who or 'all'} | {event.text} | {event.rule} |" for event in turn.events)


def _figure(figure: Figure) -> str:
    """The title of a figure of the turn record, and whom it concerns."""
    return f", {figure.title}{f' of {figure.who}' if figure.who else ''}"


def _wishes(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[str]:
    """Which question answers what a player wishes to know, nothing for a game that lists no wishes."""
    if not game.file.wishes:
        return
    yield from ("", "## Which question answers what", "", "| to know | ask | where it is said |", "| --- | --- | --- |")
    for wish, answer in game.file.wishes.items():
        name, _, where = answer.partition(": ")
        if name not in questions:
            error = InputError(f"[wishes] {wish!r}: no question {name!r}", hint=suggested(name, questions))
            raise error.at(Where("game.toml"))
        yield f"| {wish} | `{name}` | {where or 'the verdict'} |"


def _question(question: Question[Any, Any]) -> Iterator[str]:
    yield ""
    yield f"## Question `{question.name}`: {question.title}"
    yield from ("", "Parameters:")
    yield from _struct(question.parameters)
    if question.answers:
        yield ""
        yield "Answers:"
        yield ""
        yield from (f"- `{name}`: {meaning}" for name, meaning in question.answers.items())
    yield from ("", "Result:")
    for kind in structs_of(question.result):
        yield from _struct(kind)


def _struct(kind: Any) -> Iterator[str]:
    yield ""
    yield f"`{kind.__name__}`: {' '.join((kind.__doc__ or '').split())}"
    yield ""
    types, notes = get_type_hints(kind), notes_of(kind)
    for field in msgspec.structs.fields(kind):
        optional = "" if field.required else ", optional" if issubclass(kind, Parameters) else ""
        yield f"- `{field.encode_name}` ({_words(types[field.name])}{optional}): {notes[field.name]}"


def _words(kind: Any) -> str:
    """A type in words."""
    names = {str: "text", int: "whole number", bool: "true or false", type(None): "null"}
    if kind in names:
        return names[kind]
    if get_origin(kind) is Literal:
        return " or ".join(f"`{word}`" for word in get_args(kind))
    inside = [_words(part) for part in get_args(kind) if part is not Ellipsis]
    if getattr(kind, "__origin__", None) is tuple:
        return f"list of {inside[0]}"
    if getattr(kind, "__origin__", None) is dict:
        return f"object of {inside[1]} by {inside[0]}"
    if inside:
        return " or ".join(inside)
    return f"`{kind.__name__}`" if structs_of(kind) else kind.__name__.lower()
