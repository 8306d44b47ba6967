"""What `help WORD` finds as a rulebook's index would: facts, questions, parameters and rules whose titles have the
word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from ..formats.positions import Position
from ..game.rule_index import asked_by, rule_index, rule_titles
from ..plugins.registry import questions_of
from ..util.notes import notes_of
from ..util.texts import has_word, natural

_MOST = 4
"""How many entries of a kind are listed."""


def indexed(position: Position, word: str) -> Iterator[str]:
    """The facts, questions, parameters and rules in whose title a word stands, in any form of it; each with what to
    type for more.
    """
    game, has = position.game, has_word(word)
    tracks = [track for track in game.tracks.values() if has(f"{track.name} {track.title}")]
    yield from _listed([f"{track.name}: {track.title}" for track in tracks], "help NAME tells how a fact is typed")
    questions = questions_of(game)
    wished = {name.partition(":")[0] for wish, name in game.file.wishes.items() if has(wish)}
    asked = [name for name, question in questions.items() if name in wished or has(f"{name} {question.title}")]
    yield from _listed([f"{name}: {questions[name].title}" for name in asked], "help NAME lists what a question takes")
    if usual := game.file.table:
        parameters = questions[usual.ask].parameters
        names = {field.encode_name: notes_of(parameters)[field.name] for field in msgspec.structs.fields(parameters)}
        of_it = [f"{name}=...: {brief(note)}" for name, note in names.items() if has(name) or has(brief(note))]
        yield from _listed(of_it, f"a parameter of {usual.ask}")
    rules = [f"rule {rule}: {title}" for rule, title in rule_titles(game) if has(title)]
    yield from _listed(rules, f"`assistant rules {game.id} NUMBER` tells what is known of a rule")


def of_rule(position: Position, number: str) -> Iterator[str]:
    """The rules of the index under a number, each with its title and the questions that carry it out, or why none does;
    nothing if there are none.
    """
    game, every = position.game, questions_of(position.game).modules
    under = re.compile(re.escape(number) + r"(?![0-9])", re.IGNORECASE)
    rows = [row for row in rule_index(game) if under.match(row.rule)] if natural(number[:1]) is not None else []
    rows = [row for row in rows if row.rule.casefold() == number.casefold()] or rows
    asked = asked_by(game.folder, every) if rows else {}
    lines = []
    for row in rows:
        run = {name for place in row.code for name in asked.get(place, ())}
        names = [name for name in every if name in run]
        more = f" and {len(names) - _MOST} more questions" if len(names) > _MOST else ""
        done = f"in {', '.join(names[:_MOST])}{more}" if names else row.left_out
        lines.append(": ".join(filter(None, [f"rule {row.rule}, {row.title}", done])))
    yield from _listed(lines, f"`assistant rules {game.id} {number}` names the code too")


def brief(note: str) -> str:
    """The first clause of a note, which says what it is about."""
    return re.split(r"[:;(]", note, maxsplit=1)[0].strip()


def _listed(lines: list[str], more: str) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"  and {len(lines) - _MOST} more"
    if lines:
        yield f"  ({more})"
