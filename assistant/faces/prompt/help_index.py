"""What the game knows about a word that is no name of its own, and about a rule by its number, as `help` finds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args

from ...asking.question import Question
from ...formats.positions import Position
from ...game.games import Game
from ...game.rule_index import rule_titles
from ...installed.registry import questions_of
from ...util.console import format_count
from ...util.notes import fields_of, notes_of
from ...util.texts import has_word
from .rule_lines import list_rules, rules_under

_MOST = 4
"""How many entries of a kind are listed."""


def search_index(position: Position, word: str) -> Iterator[str]:
    """Yield the facts, questions, parameters and rules in whose title a word stands, in any form of it; each with what
    to type for more.
    """
    game = position.game
    has = has_word(word)
    tracks = [track for track in game.tracks.values() if has(f"{track.name} {track.title}")]
    yield from _list_first([f"{track.name}: {track.title}" for track in tracks], "help NAME shows how a fact is typed")
    asked = [f"{question.name}: {question.title}" for question in _find_questions(game, has)]
    yield from _list_first(asked, "help NAME lists what a question takes")
    if combat := game.file.prompt.ask:
        parameters = questions_of(game)[combat].parameters
        notes = notes_of(parameters)
        of_it = []
        for field in fields_of(parameters):
            meaning = first_clause(notes[field.name])
            if has(field.encode_name) or has(meaning):
                of_it.append(f"{field.encode_name}=...: {meaning}")
        yield from _list_first(of_it, f"a parameter of {combat}")
    rules = [f"rule {rule}: {title}" for rule, title in rule_titles(game) if has(title)]
    yield from _list_first(rules, f"`assistant rules {game.id} NUMBER` shows what is known about a rule")


def _find_questions(game: Game, has: Callable[[str], bool]) -> Sequence[Question[Any, Any]]:
    """Return the questions with a word in their names and titles, or in what players wish to know of them; if there are
    none, those with the word in what their dice, choices and results are.
    """
    questions = questions_of(game)
    wished = {name.partition(":")[0] for wish, name in game.file.wishes.items() if has(wish)}
    named = [name for name, question in questions.items() if name in wished or has(f"{name} {question.title}")]
    if named:
        return [questions[name] for name in named]
    return [question for question in questions.values() if any(map(has, _list_meanings(question)))]


def _list_meanings(question: Question[Any, Any]) -> Iterator[str]:
    """Yield what the dice and choices of a question are, and what each field of its result means."""
    yield from (question.answers or {}).values()
    for result in get_args(question.result) or [question.result]:  # one of several kinds, or the only one
        if result is ...:  # any number of them
            continue
        yield from notes_of(result).values()


def describe_rule(position: Position, number: str) -> Iterator[str]:
    """Yield the rules of the index under a number or a name, each with its title and the questions that carry it out,
    or why none does; nothing if there are none.
    """
    lines = []
    for row, names in list_rules(position.game, rules_under(position.game, number)):
        more = f" and {format_count(len(names) - _MOST, 'more question')}" if len(names) > _MOST else ""
        text = f"in {', '.join(names[:_MOST])}{more}" if names else row.left
        if names and row.is_reminder:
            text += f", {row.left}"
        lines.append(": ".join(filter(None, [f"rule {row.rule}, {row.title}", text])))
    yield from _list_first(lines, f"`assistant rules {position.game.id} {number}` names the code too")


def first_clause(note: str) -> str:
    """Return the first clause of a note, which says what it is about."""
    return re.split(r"[:;(]", note, maxsplit=1)[0].strip()


def _list_first(lines: list[str], more: str) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"  and {len(lines) - _MOST} more"
    if lines:
        yield f"  ({more})"
