"""The answers typed at the prompt: dice, choices, facts and parameters for which the question waits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Annotated

import msgspec

from ...asking.asks import Ask
from ...asking.parameters import FLAG_WORDS, list_parameter_words
from ...formats.notation import read_on
from ...formats.positions import Asked
from ...game.games import Game
from ...installed.registry import question_of, questions_of
from ...mechanics.procedure import Dice
from ...state.state import GameState
from ...state.tracks import NONE, Track
from ...state.words import SPACED, Word, find_words
from ...util.errors import InputError, plain, quoted
from ...util.notes import fields_of, note
from ...util.patterns import late_pattern
from ...util.texts import natural, words_begun
from .line_reading import list_known_texts, read_line
from .shorthand.abbreviations import Abbreviations, pick_only
from .table import TableState, evaluate_if_ready, evaluate_table, parameter_named

NOBODY = "none"
"""The option of a choice that takes no unit."""
THROWN = late_pattern(r"[0-9]+(?:\+[0-9]+)*(?:[ ,]+[0-9]+(?:\+[0-9]+)*)*")
"""Totals or dice of one or more rolls. It allows no slashes: `4218 25/3` places a unit in a hex."""


def read_answer(table: TableState, ask: Ask, text: str) -> TableState | None:
    """Return the table after an answer to an ask, or None if the text is no answer.

    One line may contain the dice of several rolls, in the order of the asks, or an answer with its name, `crt=7`.

    Raises InputError for impossible dice, and for a beginning that several answers share.
    """
    name, _, value = text.partition("=")
    named = _find_waiting(table, name.strip()) if value else None
    if named and named.kind == "roll":
        after = table.with_answers({**table.position.answers, named.name: value.strip()})
        evaluate_table(after)
        return after
    if named:
        return _answer_choice(table, named, value.strip())
    if value and _is_answered_together(table, name.strip()):
        after = table.with_answers({**table.position.answers, name.strip(): value.strip()})
        evaluate_table(after)
        return after
    thrown = re.sub(r" *\+ *", "+", text)
    match ask.kind:
        case "roll" if THROWN.fullmatch(thrown):
            return _answer_rolls(table, thrown)
        case "choice":
            return _answer_choice(table, ask, text)
        case "fact" if ask.key:
            return _answer_fact(table, ask, text)
        case "fact" if ask.line:
            return _answer_line(table, ask, text)
        case "parameter" if table.asked and not re.search(r"[\s<=]", text):
            return _answer_parameter(table, ask, text)
    return None


def _find_waiting(table: TableState, name: str) -> Ask | None:
    """Return the roll or choice with a name, or None if the report does not ask for it.

    Raises InputError if it has been answered.
    """
    if table.asked is None or not question_of(table.position.game, table.asked.question).waits_for(name):
        return None
    shown = evaluate_table(table)
    asks = shown.report.asks if shown else ()
    for ask in asks:
        if ask.kind in ("roll", "choice") and ask.name == name:
            return ask
    if given := table.position.answers.get(name, ""):
        raise InputError(f"{name} is {given} already", hint="`undo` takes it back")
    return None


def _is_answered_together(table: TableState, name: str) -> bool:
    """Return whether a name stands for several rolls or choices of the asks, as `slrt` in `slrt=3/4`."""
    question = question_of(table.position.game, table.asked.question) if table.asked else None
    if question is None or name not in (question.answers or ()):
        return False
    shown = evaluate_table(table)
    return any(ask.name.startswith(f"{name}.") for ask in (shown.report.asks if shown else ()))


class _Reading(msgspec.Struct, frozen=True):
    """One way to read typed numbers: as single dice, or as totals of rolls."""

    table: Annotated[TableState, note("the table after these rolls")]
    given: Annotated[tuple[tuple[Ask, str], ...], note("the rolls, each with its numbers")]
    is_ahead: Annotated[bool, note("whether one of these rolls did not wait yet when the line was typed")]
    remaining: Annotated[tuple[str, ...], note("the numbers meant for rolls that are not known yet")] = ()
    asks: Annotated[tuple[Ask, ...], note("what is asked for after the rolls")] = ()
    fault: Annotated[
        InputError | None,
        note("the error of the remaining numbers, which other results of the rolls before them may avoid"),
    ] = None

    @property
    def words(self) -> str:
        rolls = ", ".join(f"{thrown} for {ask.title}" for ask, thrown in self.given)
        if self.fault:
            return f"{rolls}, {' '.join(self.remaining)} for what comes after that"
        return (
            f"{rolls}, {' '.join(self.remaining)} for what {self.asks[0].title} leads to" if self.remaining else rolls
        )


def _answer_rolls(table: TableState, text: str) -> TableState:
    """Return the table after the dice of one or more rolls.

    Numbers joined by + belong to one roll; the others are totals or single dice. A reading of rolls that all wait now
    has priority.

    Raises InputError if no reading is possible, or if several are.
    """
    parts = re.split(r"[ ,]+", text)
    possible = list[_Reading]()
    faults = list[InputError]()
    for single in (False, True):
        try:
            reading = _read_dice(table, parts, single=single)
        except InputError as error:
            faults.append(error.with_traceback(None))  # the traceback would refer back to this list
            continue
        possible.append(reading)
        if reading.fault:
            faults.append(reading.fault)
    preferred = [reading for reading in possible if not reading.is_ahead] or possible
    if all(reading.fault for reading in preferred):
        raise faults[0]
    if preferred[0].table.position.answers != preferred[-1].table.position.answers:
        joined = "+".join(parts[:2])
        hint = f"nothing was entered; join the dice of one roll with + ({joined}), or type one total per line"
        raise InputError(f"{text!r} could be {preferred[0].words}; or {preferred[-1].words}", hint=hint)
    if preferred[0].remaining:
        raise _error_of_dice([ask for ask, _ in preferred[0].given], preferred[0].remaining[0], preferred[0].asks)
    return preferred[0].table


def _read_dice(table: TableState, parts: Sequence[str], *, single: bool) -> _Reading:
    """Return the reading of numbers as dice of rolls, up to a roll that is not known yet.

    `single`: whether the numbers are single dice, or else totals.

    Raises InputError if the numbers are impossible for any result of the rolls that wait now.
    """
    due: dict[str, Ask] = {}  # in the order of the asks; a roll after a choice is added once the choice is made
    given: list[tuple[Ask, str]] = []
    waiting: set[str] = set()
    remaining = list(parts)
    while remaining:
        shown = evaluate_table(table)
        asks = shown.report.asks if shown else ()
        due |= {ask.name: ask for ask in takewhile(lambda ask: ask.kind == "roll", asks)}
        waiting = waiting or set(due)
        names = {ask.name for ask in asks}
        name = next((name for name in due if name in names), "")
        no_dice = single and bool(given) and any(_is_no_die(thrown, given) for thrown in remaining)
        if not name and asks and asks[0].kind in ("cell", "fact") and not no_dice:
            return _Reading(table, tuple(given), is_ahead=True, remaining=tuple(remaining), asks=asks)
        try:
            if not name:
                raise _error_of_dice([ask for ask, _ in given], remaining[0], asks)
            thrown = _take_dice(due[name], remaining, given, single=single)
        except InputError as fault:
            if name in waiting or no_dice:
                raise
            return _Reading(table, tuple(given), is_ahead=True, remaining=tuple(remaining), asks=asks, fault=fault)
        taken = 1 if "+" in remaining[0] else thrown.count("+") + 1
        remaining = remaining[taken:]
        given.append((due[name], thrown))
        table = table.with_answers({**table.position.answers, name: thrown})
    evaluate_table(table)
    return _Reading(table, tuple(given), any(ask.name not in waiting for ask, _ in given))


def _take_dice(ask: Ask, remaining: Sequence[str], given: Sequence[tuple[Ask, str]], *, single: bool) -> str:
    """Return the numbers for one roll, joined by +: a total, or its single dice.

    `remaining`: the typed numbers from that roll on.
    `given`: the earlier rolls with their numbers.
    `single`: whether the numbers are single dice.

    Raises InputError for impossible dice, and for a single die after a roll of other dice.
    """
    dice = dice_asked(ask)
    thrown = "+".join(remaining[: dice.number if single and "+" not in remaining[0] else 1])
    faces = [natural(face) or 0 for face in thrown.split("+")]
    are_faces = all(1 <= face <= dice.sides for face in faces)
    if single and not (are_faces and len(faces) == dice.number):
        raise InputError(f"{thrown} is not a roll of {ask.dice} for {ask.title}", hint="nothing was entered")
    is_one_of_several = are_faces and len(faces) == 1 < dice.number
    if not single and given and given[-1][0].dice != ask.dice and is_one_of_several:
        hint = f"nothing was entered; type both dice of the roll ({thrown}+...), or type only {thrown}"
        raise InputError(f"next comes {ask.title} ({ask.dice}): {thrown} may be only one of its dice", hint=hint)
    return thrown


def _is_no_die(thrown: str, given: Sequence[tuple[Ask, str]]) -> bool:
    number = natural(thrown)
    return "+" not in thrown and (number is None or number > max(dice_asked(ask).sides for ask, _ in given))


def _error_of_dice(taken: Sequence[Ask], thrown: str, asks: Sequence[Ask]) -> InputError:
    rolls = "; ".join(f"{ask.title} ({ask.dice})" for ask in taken)
    then = f"next comes: {asks[0].title}" if asks else "no further dice are needed"
    return InputError(f"no roll is left for {thrown} after {rolls}", hint=f"nothing was entered; {then}")


def dice_asked(ask: Ask) -> Dice:
    """Return the dice of a roll, such as 2d6."""
    number, _, sides = ask.dice.partition("d")
    return Dice(int(number), int(sides))


def _answer_choice(table: TableState, ask: Ask, text: str) -> TableState | None:
    """Return the table after a choice, or None if the text names no option.

    A choice is an option, its number, its first letters, or a hex with the units that go there.
    """
    number = natural(text)
    chosen = _find_option(table, ask, text) or _find_hex_of_stack(table, ask, text)
    if not chosen and number is not None:
        if not 1 <= number <= len(ask.options):
            raise InputError(f"there is no option {text}", hint=f"options: 1 to {len(ask.options)}")
        chosen = ask.options[number - 1]
    chosen = chosen or _complete_answer(table, ask, text)
    if not chosen:
        _check_count(table, ask, text)
    return table.with_answers({**table.position.answers, ask.name: chosen}) if chosen else None


def _check_count(table: TableState, ask: Ask, text: str) -> None:
    options = [option.split(",") for option in ask.options if option != NOBODY]
    named = {name for option in options for name in option}
    words = Abbreviations(table.position)
    typed = re.split(r"[ ,]+", text.strip(" ,"))
    due = sorted({len(option) for option in options})
    known = is_of_units(table.position.state, ask) and all(words.unit(word) in named for word in typed)
    if known and len(typed) not in due:
        needed = f"{' or '.join(map(str, due))} {'is' if due == [1] else 'are'} needed"
        what = f"{len(typed)} {'units are' if len(typed) > 1 else 'unit is'} named, but {needed}"
        raise InputError(what, hint=f"such as {ask.options[0]}, or choose by number")


def is_of_units(state: GameState, ask: Ask) -> bool:
    """Return whether a choice is between units on the map, or lists of them."""
    named = [name for option in ask.options for name in option.split(",") if option != NOBODY]
    return ask.kind == "choice" and bool(named) and all(name in state.units for name in named)


def sort_by_stack(state: GameState, ask: Ask) -> Ask:
    """Return a choice between units with its options in the order of the stacks, hex by hex and from the top.

    The order thus stays the same from one choice to the next. Any other ask is returned unchanged.
    """
    if not is_of_units(state, ask):
        return ask
    place_numbers = {
        place: number for number, place in enumerate(dict.fromkeys(unit.place for unit in state.units.values()))
    }
    rank_of = {unit.id: (place_numbers[unit.place], unit.order) for unit in state.units.values()}

    def rank(option: str) -> tuple[bool, list[tuple[int, int]]]:
        return option == NOBODY, [rank_of[name] for name in option.split(",") if name in rank_of]

    return msgspec.structs.replace(ask, options=tuple(sorted(ask.options, key=rank)))


def _find_option(table: TableState, ask: Ask, text: str) -> str:
    """Return the option that a text names, or "".

    Hexes need no punctuation. A list in another order counts only if no other option has the same names.
    """
    if text in ask.options:
        return text
    parts = [part for part in re.split(r"[ ,]+", text) if part]
    words = Abbreviations(table.position)
    full = words.punctuate(",".join(parts)).casefold()
    written = (full, words.punctuate(text).casefold())  # the name of a unit may have a space in it
    for option in ask.options:
        if option.casefold() in written:
            return option
    alike = [option for option in ask.options if sorted(option.casefold().split(",")) == sorted(full.split(","))]
    return alike[0] if len(alike) == 1 else ""


def _find_hex_of_stack(table: TableState, ask: Ask, text: str) -> str:
    """Return the option that a stack line names, such as `3920 27/3`, or "".

    All units of the line must be among the units that go to the chosen hex.
    """
    if not ask.units:
        return ""
    words = Abbreviations(table.position)
    typed = list(words.join_names(find_words(re.sub(r"[:,](?=\s|$)", " ", text), 1, SPACED)))
    if len(typed) < 2:
        return ""
    first, *units = typed
    if not all(words.unit(word.text) in ask.units for word in units):
        return ""
    return _find_option(table, ask, first.text)


def _answer_fact(table: TableState, ask: Ask, text: str) -> TableState | None:
    """Return the table after the fact that an ask names, or None if the text is not a value of the fact.

    If any text could be the value, a text that may be a line is not taken for the value.
    """
    position = table.position
    track = position.game.tracks[str(ask.key[0])]
    text = _extract_value(table, track, text)
    if track.kind == "text" and not track.names and _is_line(table, text):
        return None
    try:
        value = track.parse(_complete_answer(table, ask, text) or Abbreviations(position).value(track, text))
    except InputError as bad_value:
        if not re.search(r"\s", text):
            _check_line(table, text, bad_value)
        return None
    return _read_fact(table, track.how_to_state(str(ask.key[1]), value))


def _answer_line(table: TableState, ask: Ask, text: str) -> TableState | None:
    value = _complete_answer(table, ask, text) if ask.options else Abbreviations(table.position).place(text)
    return _read_fact(table, ask.line.replace("{}", value)) if value else None


def _read_fact(table: TableState, line: str) -> TableState:
    position = table.position
    after = read_on(line, position, same_moment=True)
    asked_again = msgspec.structs.replace(after, asks=position.asks, answers=position.answers)
    return msgspec.structs.replace(table, position=asked_again)


def _is_line(table: TableState, text: str) -> bool:
    """Return whether a text may be a line: it can be read as one, has a line's sign, or begins with a hex or unit."""
    first = find_words(text, 1, SPACED)[:1]
    known = Abbreviations(table.position)
    with suppress(InputError):
        if re.search("[=<>|:]", text) or any(known.place(word.text) or known.unit(word.text) for word in first):
            return True
        read_line(table, text)
        return True
    return False


def _extract_value(table: TableState, track: Track, text: str) -> str:
    """Return the value in a text such as `turn=3` or `army=Second`, which names its track, or the text unchanged."""
    name, equals, value = text.partition("=")
    if track.kind == "text" and equals and name == track.name:
        return value
    if track.on != "game":
        return text
    name, _, value = Abbreviations(table.position).complete("game", Word(text, 1)).partition("=")
    return value if name == track.name else text


def _answer_parameter(table: TableState, ask: Ask, text: str) -> TableState | None:
    asked = table.asked
    position = table.position
    questions = questions_of(position.game)
    if asked is None or text in questions:
        return None
    value = _complete_answer(table, ask, text) or Abbreviations(position).punctuate(text)
    return table.with_question(msgspec.structs.replace(asked, parameters={**asked.parameters, ask.name: value}))


def is_about_missing(game: Game, asked: Asked, error: InputError) -> bool:
    """Return whether an error is about a parameter that was not stated for a question."""
    head, colon, _ = error.what.partition(":")
    named = re.findall(r"[a-z][a-z-]*", head if colon else "") + re.findall(r"([a-z][a-z-]*)=", plain(error.hint))
    given = {name.replace("_", "-") for name in asked.parameters}
    return any(name in named and name not in given for name in _list_parameters(game, asked))


def parameter_at_fault(table: TableState, ask: Ask, error: InputError) -> str:
    """Return the optional parameter that an error is about.

    Returns "" if the error is about none, or about the parameter just answered.
    """
    if table.asked is None:
        return ""
    name = parameter_named(table.asked, error)
    typed = name.replace("_", "-")
    if typed == ask.name:
        return ""
    fields = fields_of(questions_of(table.position.game)[table.asked.question].parameters)
    optional = [field.encode_name.replace("_", "-") for field in fields if not field.required]
    return name if typed in optional else ""


def complete_question(game: Game, asked: Asked, text: str) -> str:
    """Return a question with added parameters as a line, or "" if the text has any other word."""
    names = _list_parameters(game, asked)
    words = text.split()
    for word in words:
        beginning, equals, _ = word.partition("=")
        if not equals or len(beginning) < 2 or not any(name.startswith(beginning) for name in names):
            return ""
    given = (f"{name}={quoted(str(value))}" for name, value in asked.parameters.items())
    return " ".join([asked.question, *given, *words])


def _list_parameters(game: Game, asked: Asked) -> tuple[str, ...]:
    question = questions_of(game).get(asked.question)
    return tuple(list_parameter_words(question)) if question else ()


def _check_line(table: TableState, text: str, bad_answer: InputError) -> None:
    """Raise an error unless the text is a valid line.

    NAME=VALUE and moves raise the error of the line, any other text raises `bad_answer`.
    """
    try:
        read_line(table, text)
    except InputError as bad_line:
        raise (bad_line if "=" in text or ">" in text else bad_answer) from None


def _complete_answer(table: TableState, ask: Ask, text: str) -> str:
    return pick_only(text, words_begun(text, list_answers(table, ask)))


def list_answers(table: TableState, ask: Ask) -> tuple[str, ...]:
    """Return the answers that can be abbreviated, or none for a number or free text.

    Lists of units cannot be: the first letters of one unit begin several lists.
    """
    if ask.kind == "choice":
        return tuple(option for option in ask.options if option[:1].isalpha() and "," not in option)
    if ask.kind == "parameter" and table.asked:
        question = questions_of(table.position.game)[table.asked.question]
        return list_parameter_words(question, table.position.game).get(ask.name, ())
    if ask.kind != "fact" or not ask.key:
        return ask.options if ask.line else ()
    track = table.position.game.tracks[str(ask.key[0])]
    if track.kind == "text" and not track.names:
        return tuple(list_known_texts(table.position, track, str(ask.key[1])))
    if ask.options:
        return ask.options
    values = [*list_values(track)]
    if track.kind == "choices" or track.names:
        values.append(NONE)
    return tuple(dict.fromkeys(values))


def list_values(track: Track) -> Sequence[str]:
    """Return yes and no for a flag, or else the values of the track."""
    return FLAG_WORDS if track.kind == "flag" else track.values


def _find_titles(table: TableState, given: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of the asks of answers, by the answers' names.

    Some asks appear only after earlier answers.
    """
    titles: dict[str, str] = {}
    while shown := evaluate_if_ready(table):
        due = {ask.name: ask.title for ask in shown.report.asks if ask.name in given and ask.name not in titles}
        if not due:
            break
        titles |= due
        table = table.with_answers({**table.position.answers, **{name: given[name] for name in due}})
    return titles


def format_answers(before: TableState, after: TableState) -> str:
    """Return the dice, choices, facts and parameters that an answer has stated, in few words."""
    old = before.position
    given = {name: text for name, text in after.position.answers.items() if old.answers.get(name) != text}
    titles = _find_titles(before, given)
    statements = [f"{text} for {titles[name]}" if name in titles else f"{name}={text}" for name, text in given.items()]
    tracks = old.game.tracks
    for (name, subject), fact in after.position.state.facts.items():
        if old.state.facts.get((name, subject)) != fact:
            statements.append(tracks[name].how_to_state(subject, fact.value))
    if after.asked and before.asked:
        named = after.asked.parameters.items()
        statements += [f"{name}={value}" for name, value in named if before.asked.parameters.get(name) != value]
    return ", ".join(statements)
