"""Answers typed at the prompt: dice, choices, facts and parameters that the question waits for."""

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
"""Totals or dice of one or more rolls, without slashes, for `4218 25/3` places a unit in a hex."""


def read_answer(table: TableState, ask: Ask, text: str) -> TableState | None:
    """Return the table after an answer to what is asked for; None if the text is not an answer but something else.

    One line may hold the dice of several rolls, in the order asked for, or an answer with its name, `crt=7`. Raises
    InputError for impossible dice, and for a beginning that several answers share.
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
    """Return the dice or the choice of a name that are asked for, None if none are. What the question never waits for
    is not looked for. Raises InputError for what has been answered.
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
    """Return whether a name stands for several rolls or choices that are asked for, as `slrt` in `slrt=3/4`."""
    question = question_of(table.position.game, table.asked.question) if table.asked else None
    if question is None or name not in (question.answers or ()):
        return False
    shown = evaluate_table(table)
    return any(ask.name.startswith(f"{name}.") for ask in (shown.report.asks if shown else ()))


class _Reading(msgspec.Struct, frozen=True):
    """Numbers read as dice or as totals of the rolls that wait."""

    table: Annotated[TableState, note("after them")]
    given: Annotated[tuple[tuple[Ask, str], ...], note("what each roll was given")]
    ahead: Annotated[bool, note("whether one of these rolls did not wait yet when the line was typed")]
    left: Annotated[tuple[str, ...], note("the numbers meant for rolls that are not known yet")] = ()
    asks: Annotated[tuple[Ask, ...], note("what is asked for after the rolls")] = ()
    fault: Annotated[InputError | None, note("what only the results of its rolls show to be impossible")] = None

    @property
    def words(self) -> str:
        """The rolls with what they were given, and what the other numbers wait for."""
        rolls = ", ".join(f"{thrown} for {ask.title}" for ask, thrown in self.given)
        if self.fault:
            return f"{rolls}, {' '.join(self.left)} for what comes after that"
        return f"{rolls}, {' '.join(self.left)} for what {self.asks[0].title} leads to" if self.left else rolls


def _answer_rolls(table: TableState, text: str) -> TableState:
    """Return the table after the dice of one or more rolls: numbers joined by + are of one roll; all others are totals,
    or all single dice.

    The reading with rolls that wait now comes first; unknown ones make neither impossible. Raises InputError if neither
    or both are possible, or for one die of several.
    """
    parts = re.split(r"[ ,]+", text)
    possible = list[_Reading]()
    faults = list[InputError]()
    for single in (False, True):
        try:
            reading = _read_dice(table, parts, single=single)
        except InputError as error:
            faults.append(error.with_traceback(None))  # which would refer back to this list
            continue
        possible.append(reading)
        if reading.fault:
            faults.append(reading.fault)
    now = [reading for reading in possible if not reading.ahead] or possible
    if all(reading.fault for reading in now):
        raise faults[0]
    if now[0].table.position.answers != now[-1].table.position.answers:
        joined = "+".join(parts[:2])
        hint = f"nothing was entered; join the dice of one roll with + ({joined}), or type one total per line"
        raise InputError(f"{text!r} could be {now[0].words}; or {now[-1].words}", hint=hint)
    if now[0].left:
        raise _error_of_dice([ask for ask, _ in now[0].given], now[0].left[0], now[0].asks)
    return now[0].table


def _read_dice(table: TableState, parts: Sequence[str], *, single: bool) -> _Reading:
    """Return the table after numbers, each of which without a + is a single die or else a total, as far as it is known
    which rolls come. Raises InputError if that is not possible, whatever the rolls that wait now lead to.
    """
    due: dict[str, Ask] = {}  # in the order asked for; a roll after a choice waits for it
    given: list[tuple[Ask, str]] = []
    waiting: set[str] = set()
    left = list(parts)
    while left:
        shown = evaluate_table(table)
        asks = shown.report.asks if shown else ()
        due |= {ask.name: ask for ask in takewhile(lambda ask: ask.kind == "roll", asks)}
        waiting = waiting or set(due)
        names = {ask.name for ask in asks}
        name = next((name for name in due if name in names), "")
        no_dice = single and bool(given) and any(_is_no_die(thrown, given) for thrown in left)
        if not name and asks and asks[0].kind in ("cell", "fact") and not no_dice:
            return _Reading(table, tuple(given), ahead=True, left=tuple(left), asks=asks)
        try:
            if not name:
                raise _error_of_dice([ask for ask, _ in given], left[0], asks)
            thrown = _take_dice(due[name], left, given, single=single)
        except InputError as fault:
            if name in waiting or no_dice:
                raise
            return _Reading(table, tuple(given), ahead=True, left=tuple(left), asks=asks, fault=fault)
        taken = 1 if "+" in left[0] else thrown.count("+") + 1
        left = left[taken:]
        given.append((due[name], thrown))
        table = table.with_answers({**table.position.answers, name: thrown})
    evaluate_table(table)
    return _Reading(table, tuple(given), any(ask.name not in waiting for ask, _ in given))


def _take_dice(ask: Ask, left: Sequence[str], given: Sequence[tuple[Ask, str]], *, single: bool) -> str:
    """Return the numbers that a roll takes: one, or its single dice. given: what the rolls before it were given.

    Raises InputError for dice that it has not, and for a lone die where others are rolled.
    """
    dice = dice_asked(ask)
    thrown = "+".join(left[: dice.number if single and "+" not in left[0] else 1])
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
    """Return whether a bare number is higher than a die of any roll so far."""
    number = natural(thrown)
    return "+" not in thrown and (number is None or number > max(dice_asked(ask).sides for ask, _ in given))


def _error_of_dice(taken: Sequence[Ask], thrown: str, asks: Sequence[Ask]) -> InputError:
    """Return the error of dice that no roll waits for, with the rolls that wait and what comes after them."""
    rolls = "; ".join(f"{ask.title} ({ask.dice})" for ask in taken)
    then = f"next comes: {asks[0].title}" if asks else "no further dice are needed"
    return InputError(f"no roll is left for {thrown} after {rolls}", hint=f"nothing was entered; {then}")


def dice_asked(ask: Ask) -> Dice:
    """Return the dice of a roll, such as 2d6."""
    number, _, sides = ask.dice.partition("d")
    return Dice(int(number), int(sides))


def _answer_choice(table: TableState, ask: Ask, text: str) -> TableState | None:
    """Return the table after a choice: an option however it is written, its number, the first letters of a word, or a
    hex with the units that go there.
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
    """Raise InputError for a list of units to choose from that is too short or too long."""
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
    """Return whether a choice is one between units on the map, or lists of them."""
    named = [name for option in ask.options for name in option.split(",") if option != NOBODY]
    return ask.kind == "choice" and bool(named) and all(name in state.units for name in named)


def sort_by_stack(state: GameState, ask: Ask) -> Ask:
    """Return a choice between units with its options in the order in which the units lie, hex by hex and from the top,
    so that it stays the same from one choice to the next; anything else as it is.
    """
    if not is_of_units(state, ask):
        return ask
    places = {place: number for number, place in enumerate(dict.fromkeys(unit.place for unit in state.units.values()))}
    at = {unit.id: (places[unit.place], unit.order) for unit in state.units.values()}

    def rank(option: str) -> tuple[bool, list[tuple[int, int]]]:
        return option == NOBODY, [at[name] for name in option.split(",") if name in at]

    return msgspec.structs.replace(ask, options=tuple(sorted(ask.options, key=rank)))


def _find_option(table: TableState, ask: Ask, text: str) -> str:
    """Return the option that a text is, "" if it is none: hexes need no punctuation, and a list may stand in any order.

    A list in another order than any option's is one only if no other option holds the same names.
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
    """Return the option that a stack line names, `3920 27/3`, whose units are all among those that go there; "" for any
    other text.
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
    """Return the table after a fact that was asked for; None for a text that may be a line, where any text would be a
    value.
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
    """Return the table after the answer that a line waits for, one of its options or a hex; None for any other text."""
    value = _complete_answer(table, ask, text) if ask.options else Abbreviations(table.position).place(text)
    return _read_fact(table, ask.line.replace("{}", value)) if value else None


def _read_fact(table: TableState, line: str) -> TableState:
    """Return the table after a line that states a fact that was asked for."""
    position = table.position
    after = read_on(line, position, same_moment=True)
    asked_again = msgspec.structs.replace(after, asks=position.asks, answers=position.answers)
    return msgspec.structs.replace(table, position=asked_again)


def _is_line(table: TableState, text: str) -> bool:
    """Return whether a text may be a line: it is read as such, has a sign of facts, combats and moves, or begins with a
    hex or a unit.
    """
    first = find_words(text, 1, SPACED)[:1]
    known = Abbreviations(table.position)
    with suppress(InputError):
        if re.search("[=<>|:]", text) or any(known.place(word.text) or known.unit(word.text) for word in first):
            return True
        read_line(table, text)
        return True
    return False


def _extract_value(table: TableState, track: Track, text: str) -> str:
    """Return the value in a text that states a track of the game by its name (`turn=3`), or a text of a unit
    (`army=Second`); any other text as it is.
    """
    name, equals, value = text.partition("=")
    if track.kind == "text" and equals and name == track.name:
        return value
    if track.on != "game":
        return text
    name, _, value = Abbreviations(table.position).complete("game", Word(text, 1)).partition("=")
    return value if name == track.name else text


def _answer_parameter(table: TableState, ask: Ask, text: str) -> TableState | None:
    """Return the table after a parameter of its question; None for the name of another question."""
    asked = table.asked
    position = table.position
    questions = questions_of(position.game)
    if asked is None or text in questions:
        return None
    value = _complete_answer(table, ask, text) or Abbreviations(position).punctuate(text)
    return table.with_question(msgspec.structs.replace(asked, parameters={**asked.parameters, ask.name: value}))


def is_about_missing(game: Game, asked: Asked, error: InputError) -> bool:
    """Return whether an error is about a parameter that a question was not given."""
    head, colon, _ = error.what.partition(":")
    named = re.findall(r"[a-z][a-z-]*", head if colon else "") + re.findall(r"([a-z][a-z-]*)=", plain(error.hint))
    given = {name.replace("_", "-") for name in asked.parameters}
    return any(name in named and name not in given for name in _list_parameters(game, asked))


def parameter_at_fault(table: TableState, ask: Ask, error: InputError) -> str:
    """Return the parameter that an error is about, if the question may be asked without it and it is not the one just
    answered; "" if it is about none.
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
    """Return a question with further parameters, as a line; "" for a text that is not made of them alone."""
    names = _list_parameters(game, asked)
    words = text.split()
    for word in words:
        beginning, equals, _ = word.partition("=")
        if not equals or len(beginning) < 2 or not any(name.startswith(beginning) for name in names):
            return ""
    given = (f"{name}={quoted(str(value))}" for name, value in asked.parameters.items())
    return " ".join([asked.question, *given, *words])


def _list_parameters(game: Game, asked: Asked) -> tuple[str, ...]:
    """Return the parameters of a question; none if the game has no such question."""
    question = questions_of(game).get(asked.question)
    return tuple(list_parameter_words(question)) if question else ()


def _check_line(table: TableState, text: str, bad_answer: InputError) -> None:
    """Raise the error of an answer, unless the text is a valid line. For NAME=VALUE and for a move, which answer
    nothing, it is that of the line.
    """
    try:
        read_line(table, text)
    except InputError as bad_line:
        raise (bad_line if "=" in text or ">" in text else bad_answer) from None


def _complete_answer(table: TableState, ask: Ask, text: str) -> str:
    """Return the answer that a text is or begins, "" for none. Raises InputError if several begin so."""
    return pick_only(text, words_begun(text, list_answers(table, ask)))


def list_answers(table: TableState, ask: Ask) -> tuple[str, ...]:
    """Return the answers that can be abbreviated; none for a number or any text.

    Lists of units cannot: the first letters of one unit begin several lists.
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
    """Return the words that a fact may be: yes and no, or the values of its track."""
    return FLAG_WORDS if track.kind == "flag" else track.values


def _find_titles(table: TableState, given: Mapping[str, str]) -> dict[str, str]:
    """Return what each of several answers is for: one may only be asked for once those before it are known."""
    titles: dict[str, str] = {}
    while shown := evaluate_if_ready(table):
        due = {ask.name: ask.title for ask in shown.report.asks if ask.name in given and ask.name not in titles}
        if not due:
            break
        titles |= due
        table = table.with_answers({**table.position.answers, **{name: given[name] for name in due}})
    return titles


def format_answers(before: TableState, after: TableState) -> str:
    """Return what an answer has stated, in few words: dice and choices with what they are for, a fact, a parameter."""
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
