"""What lies on the table between two typed lines, and what a line makes of it: plain values, so that undo is the one before.

Facts that a question needs and nobody has stated are taken as the game says is usual, as assumptions: they are never part of
the position, they are named with each answer, and each can be changed or stated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from ..formats.notation import read_on
from ..formats.positions import Asked, Position
from ..plugins.registry import questions_of
from ..questions.report import Ask, Report
from ..service import ask
from ..state.changes import Entry, Journal
from ..state.sources import Fact
from ..state.state import FactKey
from ..util.errors import InputError, nearest
from ..util.progress import bar
from .shorthand import expand, with_signs


class Assumption(NamedTuple):
    """Something that is taken for granted: a fact by its track and subject, or a parameter by "" and its name.

    value, words: what is assumed, by itself and as it is stated; turns: whether the answer turns on it.
    """

    key: FactKey
    value: str
    words: str
    turns: bool = False


class Shown(NamedTuple):
    """An answer: the report, the position and the question that it answers, and what was put into them as usual."""

    report: Report[Any]
    position: Position
    asked: Asked
    assumed: tuple[Assumption, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict in words, as it stands if what is assumed holds."""
        verdict = self.report.verdict
        return str(verdict.figures.get("verdict", verdict.text))


class Table(NamedTuple):
    """What lies on the table.

    position: with the question that stands and its dice; chosen: instead of the usual; journal: what was carried out;
    number: of the question that stands, a changed one not counted again.
    """

    position: Position
    chosen: Mapping[FactKey, str] = MappingProxyType({})
    journal: Journal = Journal()
    number: int = 0

    @property
    def asked(self) -> Asked | None:
        """The question that stands."""
        return self.position.asks[0] if self.position.asks else None

    def asking(self, asked: Asked | None) -> Table:
        """The table with another question, or the same one with other parameters, and the same dice."""
        return self._replace(position=self.position._replace(asks=(asked,) if asked else ()))

    def answering(self, answers: Mapping[str, str]) -> Table:
        """The table with these dice and choices for the question that stands."""
        return self._replace(position=self.position._replace(answers=answers))


def typed(table: Table, line: str) -> Table:
    """The table after a line of facts, or one that asks something.

    A question that is asked anew begins without dice; one that is only changed keeps them. Raises InputError for what
    cannot be.
    """
    before = table.position
    said = expand(line, before)
    after = before._replace(asks=(), answers={})
    after = read_on("\n".join(said.lines), after) if said.lines else after
    now = table._replace(position=after._replace(asks=before.asks, answers=before.answers))
    if said.off:
        units = {name: msgspec.structs.replace(after.state.units[name], place=None) for name in said.off}
        state = msgspec.structs.replace(after.state, units=MappingProxyType({**after.state.units, **units}))
        return now._replace(position=now.position._replace(state=state))
    if after.asks or said.anew:
        asked = after.asks[-1] if after.asks else said.asked
        chosen = {
            key: value for key, value in table.chosen.items() if key[0]
        }  # a parameter was chosen for one question
        now = now.asking(asked).answering(after.answers if after.asks else {})
        return now._replace(chosen=MappingProxyType(chosen), number=table.number + 1)
    if said.lines and after.answers:
        return now.answering({**before.answers, **after.answers})
    return now.asking(said.asked) if said.asked else now


def look(table: Table) -> Shown | None:
    """The answer to what is asked, None if nothing is.

    Raises InputError for parameters, dice or choices that cannot be.
    """
    if table.asked is None:
        return None
    position, asked = table.position, table.asked
    assumed: dict[FactKey, Assumption] = {}
    while True:
        report = ask(position._replace(asks=(asked,)), asked, watch=bar)
        more = {found.key: found for ask in report.asks if (found := _usual(table, ask)) and found.key not in assumed}
        if not more:
            break
        assumed |= more
        facts = {
            key: Fact(position.game.tracks[key[0]].parse(one.value), assumed=True)
            for key, one in more.items()
            if key[0]
        }
        state = msgspec.structs.replace(position.state, facts=MappingProxyType({**position.state.facts, **facts}))
        position = position._replace(state=state)
        named = {key[1]: one.value for key, one in more.items() if not key[0]}
        asked = asked._replace(parameters={**asked.parameters, **named})
    turns = [tuple(key) for key in report.verdict.figures.get("about", ())]
    return Shown(report, position, asked, tuple(one._replace(turns=one.key in turns) for one in assumed.values()))


def _usual(table: Table, ask: Ask) -> Assumption | None:
    """What is taken for granted where something is asked for, None where nothing is usual."""
    usual = table.position.game.file.table
    if usual is None or ask.kind not in ("fact", "parameter"):
        return None
    if ask.kind == "parameter" and (table.asked is None or table.asked.question != usual.ask):
        return None
    key = (str(ask.key[0]), str(ask.key[1])) if ask.key else ("", ask.name)
    listed = usual.usual.get(key[0] or key[1], "")
    value = table.chosen.get(key) or (listed if isinstance(listed, str) else listed[0])
    if not value:
        return None
    if not key[0]:
        return Assumption(key, value, f"{key[1]}={value}")
    track = table.position.game.tracks[key[0]]
    return Assumption(key, value, track.how_to_state(key[1], track.parse(value)))


def choose(table: Table, assumption: Assumption, word: str = "") -> Table:
    """The table with another value assumed: the one that is named, be it by its first letters, or the next one.

    Raises InputError for a value that cannot be.
    """
    (name, subject), usual = assumption.key, table.position.game.file.table
    track = table.position.game.tracks[name] if name else None
    listed = usual.usual.get(subject, ()) if usual else ()
    if track:
        values: Sequence[str] = [track.write(value) for value in track.in_turn()] or track.values
    else:
        values = [listed] if isinstance(listed, str) else listed
    if word:
        chosen = begun(word, values) or word
        chosen = track.write(track.parse(chosen)) if track else chosen
    elif not values:
        raise InputError(f"{assumption.words} has no next value", hint="name one behind its number")
    else:
        at = values.index(assumption.value) if assumption.value in values else -1
        chosen = values[(at + 1) % len(values)]
    return table._replace(chosen=MappingProxyType({**table.chosen, assumption.key: chosen}))


_THROWN = re.compile(r"\d+(?:\+\d+)*(?:[ ,]+\d+(?:\+\d+)*)*")
"""Totals or dice of one roll or several; a stroke is none between them, for `4218 25/3` puts a unit into a hex."""


def answered(table: Table, ask: Ask, text: str) -> Table | None:
    """The table after an answer to what is asked for; None if the text is none, so that it means something else.

    Dice of several rolls may stand in one line, in the order in which they are asked for. Raises InputError for dice that cannot be.
    """
    position, given = table.position, table.position.answers
    match ask.kind:
        case "roll" if _THROWN.fullmatch(text):
            due: dict[
                str, None
            ] = {}  # what was asked for first comes first; what comes up behind a choice waits for it
            for thrown in re.split(r"[ ,]+", text):
                shown = look(table)
                asks = shown.report.asks if shown else ()
                due |= {one.name: None for one in takewhile(lambda one: one.kind == "roll", asks)}
                name = next((name for name in due if any(one.name == name for one in asks)), "")
                if not name:
                    hint = f"first: {asks[0].title}" if asks else "all dice are there without it"
                    raise InputError(f"nothing is rolled for {thrown}", hint=hint)
                table = table.answering({**table.position.answers, name: thrown})
            look(table)
            return table
        case "choice" if text.isascii() and text.isdigit() and text not in ask.options:
            if not 1 <= int(text) <= len(ask.options):
                raise InputError(f"there is no choice {text}", hint=f"they run from 1 to {len(ask.options)}")
            return table.answering({**given, ask.name: ask.options[int(text) - 1]})
        case "choice" if chosen := text if text in ask.options else begun(text, words_to_answer(table, ask)):
            return table.answering({**given, ask.name: chosen})
        case "fact" if ask.key:
            track = position.game.tracks[str(ask.key[0])]
            try:
                value = track.parse(begun(text, words_to_answer(table, ask)) or text)
            except InputError as no_value:
                if not re.search(r"\s", text):
                    _check_line(table, text, no_value)
                return None
            after = read_on(track.how_to_state(str(ask.key[1]), value), position)
            return table._replace(position=after._replace(asks=position.asks, answers=given))
        case "parameter" if table.asked and not re.search(r"[\s<=]", text) and text not in questions_of(position.game):
            named = {ask.name: with_signs(text, position)}
            return table.asking(table.asked._replace(parameters={**table.asked.parameters, **named}))
    return None


def _check_line(table: Table, text: str, no_answer: InputError) -> None:
    """Raise an error of a text as an answer if it is no line either."""
    try:
        typed(table, text)
    except InputError:
        raise no_answer from None


def words_to_answer(table: Table, ask: Ask) -> tuple[str, ...]:
    """The words with which something that is asked for can be answered by first letters; none where it takes a number or
    any text. What is chosen among units is no such word: the first of several begins more than one means."""
    if ask.kind == "choice":
        return tuple(option for option in ask.options if option.isalpha())
    if ask.kind != "fact" or not ask.key:
        return ()
    track = table.position.game.tracks[str(ask.key[0])]
    return ("yes", "no") if track.kind == "flag" else track.values


def begun(text: str, words: Sequence[str]) -> str:
    """The one of these words that a text is or begins, "" if none is or several are."""
    found = [word for word in words if word.casefold().startswith(text.casefold())]
    return text if text in words else found[0] if len(found) == 1 else ""


def carried_out(table: Table) -> Table:
    """The table after the changes of the answer, which the journal then holds; the question is closed.

    Raises InputError if there are none yet.
    """
    shown = look(table)
    if shown is None or not shown.report.changes:
        waiting = shown.report.asks[0].title if shown and shown.report.asks else ""
        raise InputError("there is nothing to carry out", hint=f"first: {waiting}" if waiting else "")
    position, usual = table.position, table.position.game.file.table
    when = str(position.state.value(usual.when) or "") if usual and usual.when else ""
    entry = Entry(when, f"{shown.report.title}: {shown.verdict}", shown.report.changes)
    return table._replace(position=position.after(shown.report.changes), journal=table.journal.add(entry))


def pick(assumed: tuple[Assumption, ...], number: str) -> Assumption:
    """The assumption of a number. Raises InputError if there is none."""
    if not number.isdigit() or not 1 <= int(number) <= len(assumed):
        known = [str(one) for one in range(1, len(assumed) + 1)]
        raise InputError(f"nothing is assumed under ?{number}", hint=nearest("", known))
    return assumed[int(number) - 1]
