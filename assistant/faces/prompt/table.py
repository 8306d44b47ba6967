"""The table between two typed lines, and the next one after a line; both are values, so that undo is easy.

Facts that a question needs and that are not stated get the game's usual values as assumptions. These never become part
of the position; each answer lists them, and each can be changed or stated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

import msgspec

from ...asking.asks import Ask, format_ask_title
from ...asking.report import Report
from ...formats.positions import Asked, Position
from ...service import ask
from ...state.changes import AnyChange
from ...state.state import FactKey
from ...state.tracks import Fact
from ...util.background import NotYet, work_out
from ...util.console import bar
from ...util.errors import InputError, MachineError, format_suggestion
from ...util.limits import TooMuch
from ...util.notes import note
from ...util.texts import natural
from .combats import OpenCombat, stacks_of
from .shorthand.abbreviations import Abbreviations, pick_only, usual_values


class Assumption(msgspec.Struct, frozen=True):
    """An assumption: a fact by its track and subject, or a parameter by "" and its name."""

    key: FactKey
    value: str
    """The assumed value."""
    words: str
    """The assumed value as a statement."""
    after: str = ""
    """The value that follows when the assumption is changed step by step, or "" if there is none."""
    decisive: bool = False
    """Whether the answer depends on the assumption."""
    number: int = 0
    """The number by which the assumption is changed."""


class ShownAnswer(msgspec.Struct, frozen=True):
    """An answer with its report and assumptions, and the position and question without the assumptions."""

    report: Report[Any]
    position: Position
    asked: Asked
    assumed: tuple[Assumption, ...] = ()


class CarriedOut(msgspec.Struct, frozen=True):
    """An answer that was carried out."""

    when: str
    """The turn or date of the position, or "" if it states none."""
    why: str
    """The title and the headline of the answer."""
    changes: tuple[AnyChange, ...] = ()
    asked: str = ""
    parameters: Mapping[str, str] = msgspec.field(default_factory=dict)
    answers: Mapping[str, str] = msgspec.field(default_factory=dict)
    said: tuple[str, ...] = ()
    """Each change in words, or none in tables saved by versions that did not store them."""


class TableState(msgspec.Struct, frozen=True):
    """The table: a position with its open question, assumptions and answers carried out."""

    position: Annotated[Position, note("the position, with the current question and its dice")]
    chosen: Annotated[Mapping[FactKey, str], note("assumptions other than the usual")] = MappingProxyType({})
    done: Annotated[tuple[CarriedOut, ...], note("the answers that were carried out")] = ()
    number: Annotated[int, note("the number of the current question, which stays while its parameters change")] = 0
    numbered: Annotated[
        tuple[FactKey, ...], note("the assumptions of the current question in the order of their numbers")
    ] = ()
    aside: Annotated[OpenCombat | None, note("the combat that the current question has set aside")] = None
    line: Annotated[str, note("the line that led to this table, shortened")] = ""
    passes: Annotated[bool, note("whether the table only asks something, so that `undo` does not count it")] = False

    @property
    def asked(self) -> Asked | None:
        return self.position.asks[0] if self.position.asks else None

    @property
    def combat(self) -> OpenCombat | None:
        asked = self.asked
        prompt = self.position.game.file.prompt
        if asked is None or asked.question != prompt.ask or not asked.parameters.get(prompt.target):
            return self.aside  # the question may have been asked without the hex of the combat
        chosen = {key: value for key, value in self.chosen.items() if not key[0]}
        stacks = stacks_of(self.position, asked)
        return OpenCombat(asked, self.position.answers, chosen, self.numbered, self.number, stacks)

    def with_question(self, asked: Asked | None) -> TableState:
        """Return the table with another question, or with other parameters of the same one, and with the same dice."""
        position = msgspec.structs.replace(self.position, asks=(asked,) if asked else ())
        return msgspec.structs.replace(self, position=position)

    def with_answers(self, answers: Mapping[str, str]) -> TableState:
        return msgspec.structs.replace(self, position=msgspec.structs.replace(self.position, answers=answers))


def without_dice(table: TableState) -> TableState:
    """Return the table without the dice of its open combat, even if that has been set aside."""
    if table.aside is None:
        return table.with_answers({})
    return msgspec.structs.replace(table, aside=msgspec.structs.replace(table.aside, answers={}))


def is_owed(table: TableState) -> bool:
    """Return whether the open combat still has asks, or changes that have not been carried out."""
    combat = table.combat
    if combat is None:
        return False
    try:
        shown = evaluate_table(table.with_question(combat.asked).with_answers(combat.answers))
    except MachineError:
        raise
    except InputError:  # facts stated since may have left the combat without an answer
        return True
    return shown is not None and bool(shown.report.asks or shown.report.changes)


def parameter_named(asked: Asked, error: InputError) -> str:
    """Return the parameter of the question with which an error begins, or "" if it begins with none."""
    name, colon, _ = error.what.partition(": ")
    if colon:
        for given in asked.parameters:
            if given.replace("_", "-") == name:
                return given
    return ""


def without_parameter(asked: Asked, name: str) -> Asked:
    """Return the question without one of its parameters."""
    remaining = {given: value for given, value in asked.parameters.items() if given != name}
    return msgspec.structs.replace(asked, parameters=remaining)


def evaluate_table(table: TableState) -> ShownAnswer | None:
    """Return the answer to the current question, or None if there is no question.

    Usual values are assumed only until the possibilities become too many to evaluate; the other facts are asked for.

    Raises InputError for invalid parameters, dice or choices, and NotYet if the answer is still being computed.
    """
    if table.asked is None:
        return None
    shown = work_out(_can_be_deferred(table), _evaluate, table.position, table.chosen)
    keys = number_assumptions(table, [assumption.key for assumption in shown.assumed])
    numbered = [msgspec.structs.replace(known, number=keys.index(known.key) + 1) for known in shown.assumed]
    return msgspec.structs.replace(shown, assumed=tuple(numbered))


def evaluate_if_ready(table: TableState) -> ShownAnswer | None:
    """Return the answer to the current question, or None if there is no question or the answer is still being computed.

    Raises InputError as `evaluate_table` does.
    """
    try:
        return evaluate_table(table)
    except NotYet:
        return None


def _can_be_deferred(table: TableState) -> bool:
    """Return whether the current question may be answered in the background.

    The game's combat may not: its dice and choices affect how the next line is read.
    """
    return table.asked is not None and table.asked.question != table.position.game.file.prompt.ask


def report_on_table(table: TableState) -> Report[Any]:
    """Return the report on the current question, without assumptions.

    Raises InputError as `ask` does, and NotYet if the answer is still being computed in the background.
    """
    position = table.position
    return work_out(_can_be_deferred(table), ask, position, position.asks[0], position.answers)


def _evaluate(position: Position, chosen: Mapping[FactKey, str]) -> ShownAnswer:
    """Return the answer to the question of a position, with assumptions that have no numbers yet.

    `chosen`: assumptions other than the usual ones, as in `TableState`.
    """
    table = TableState(position, chosen)
    asked = position.asks[0]
    report = ask(msgspec.structs.replace(position, asks=(asked,)), asked, watch=bar)
    assumed: dict[FactKey, Assumption] = {}
    while True:
        usual = filter(None, [_assume_usual(table, needed) for needed in report.asks])
        added = {assumption.key: assumption for assumption in usual if assumption.key not in assumed}
        if not added:
            break
        next_position, next_asked = _add_assumptions(position, asked, added)
        try:
            report = ask(msgspec.structs.replace(next_position, asks=(next_asked,)), next_asked, watch=bar)
        except TooMuch:
            break
        position = next_position
        asked = next_asked
        assumed = assumed | added
    decisive = [tuple(key) for key in report.verdict.figures.get("about", ())]
    marked = [
        msgspec.structs.replace(assumption, decisive=assumption.key in decisive) for assumption in assumed.values()
    ]
    in_order = sorted(marked, key=lambda assumption: (not assumption.decisive, bool(assumption.key[0])))
    return ShownAnswer(report, position, asked, tuple(in_order))


def _add_assumptions(position: Position, asked: Asked, added: Mapping[FactKey, Assumption]) -> tuple[Position, Asked]:
    tracks = position.game.tracks
    state = position.state
    facts = {key: Fact(tracks[key[0]].parse(fact.value), assumed=True) for key, fact in added.items() if key[0]}
    parameters = {key[1]: assumption.value for key, assumption in added.items() if not key[0]}
    state = msgspec.structs.replace(state, facts=MappingProxyType({**state.facts, **facts}))
    return position.with_state(state), msgspec.structs.replace(asked, parameters={**asked.parameters, **parameters})


def number_assumptions(table: TableState, keys: Iterable[FactKey]) -> tuple[FactKey, ...]:
    """Return the assumptions of the current question in the order of their numbers, with new ones at the end."""
    return tuple(dict.fromkeys([*table.numbered, *keys]))


def _assume_usual(table: TableState, needed: Ask) -> Assumption | None:
    """Return the assumption for an ask, or None without a usual value or if a drawn map shows the fact.

    A parameter has the same usual value in every question.
    """
    if needed.kind not in ("fact", "parameter") or needed.drawn:
        return None
    if needed.kind == "parameter" and needed.name in table.position.game.tracks:  # the fact's value counts
        return None
    key = (str(needed.key[0]), str(needed.key[1])) if needed.key else ("", needed.name)
    value = table.chosen.get(key) or _find_listed_identity(table, key)
    usual = usual_values(table.position.game, key[0] or key[1])
    if not value and usual:
        value = usual[0]
    if not value:
        return None
    return Assumption(key, value, format_assumption(table, key, value), _find_next_value(table, key, value))


def _find_listed_identity(table: TableState, key: FactKey) -> str:
    """Return a unit's nation, arm or size in the roster, even if the table does not accept the roster's source.

    Returns "" for any other fact, and for a unit that is not in the roster.
    """
    game = table.position.game
    state = table.position.state
    name, subject = key
    unit = state.units.get(subject)
    listed = game.roster.get(unit.type, {}).get(name, ()) if unit and name in game.file.notation.identity else ()
    return game.tracks[name].write(listed[0].value) if listed else ""


def _list_values(table: TableState, key: FactKey) -> Sequence[str]:
    name, subject = key
    if not name:
        return usual_values(table.position.game, subject)
    track = table.position.game.tracks[name]
    return [track.write(value) for value in track.in_turn()] or track.values


def _find_next_value(table: TableState, key: FactKey, value: str) -> str:
    """Return the value that follows in `_list_values`, the first one after an unlisted value, or "" without any."""
    values = _list_values(table, key)
    if value not in values:
        return values[0] if values else ""
    return values[(values.index(value) + 1) % len(values)]


def format_assumption(table: TableState, key: FactKey, value: str) -> str:
    """Return an assumed value as a statement.

    `key`: the track and subject of a fact, or "" and the name of a parameter.
    """
    name, subject = key
    track = table.position.game.tracks.get(name)
    if track:
        return track.how_to_state(subject, track.parse(value))
    return f"{table.position.game.file.prompt.called.get(subject, subject)}: {value}"


def choose_assumption(table: TableState, assumption: Assumption, word: str = "") -> TableState:
    """Return the table with another assumed value.

    `word`: the value, perhaps abbreviated, or "" for the next one.

    Raises InputError for a value that is not allowed.
    """
    name = assumption.key[0]
    if word:
        values = _list_values(table, assumption.key)
        begun = [value for value in values if value.casefold().startswith(word.casefold())]
        chosen = pick_only(word, begun) or word
        if name:
            track = table.position.game.tracks[name]
            chosen = track.write(track.parse(Abbreviations(table.position).value(track, chosen)))
    elif assumption.after:
        chosen = assumption.after
    else:
        hint = "type another value after the number of the assumption"
        raise InputError(f"{assumption.words} has no next value", hint=hint)
    return msgspec.structs.replace(table, chosen=MappingProxyType({**table.chosen, assumption.key: chosen}))


def carry_out_answer(table: TableState) -> TableState:
    """Return the table after the changes of the answer, with the answer recorded and the question closed.

    Raises InputError if there are no changes yet.
    """
    shown = evaluate_table(table)
    if shown is None:
        raise InputError("there is nothing to carry out")
    if not shown.report.changes:
        hint = "the answer changes nothing in the position"
        if shown.report.asks:
            hint = f"answer this first: {format_ask_title(shown.report.asks[0])}"
        raise InputError("there is nothing to carry out", hint=hint)
    position = table.position
    dated_by = table.position.game.file.prompt.when
    when = str(position.state.value(dated_by) or "") if dated_by else ""
    entry = CarriedOut(
        when=when,
        why=f"{shown.report.title}: {shown.report.headline}",
        changes=tuple(shown.report.changes),
        asked=shown.asked.question,
        parameters={name: str(value) for name, value in shown.asked.parameters.items()},
        answers=position.answers,
        said=shown.report.done,
    )
    return msgspec.structs.replace(
        table, position=position.after(shown.report.changes), done=(*table.done, entry), numbered=()
    )


def pick_assumption(assumed: tuple[Assumption, ...], number: str) -> Assumption:
    """Return the assumption with a number.

    Raises InputError if there is none.
    """
    numbered = {assumption.number: assumption for assumption in assumed}
    if (chosen := natural(number)) not in numbered:
        raise InputError(f"there is no assumption ?{number}", hint=format_suggestion("", map(str, sorted(numbered))))
    return numbered[chosen]
