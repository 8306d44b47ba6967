"""The pages of `help`: the lines that can be typed, each with its meaning, and the list of questions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any, NamedTuple

from ...asking.question import Question
from ...asking.wrapping import wrap_text
from ...formats.positions import Position
from ...game.boards.folder import TERRAIN
from ...game.boards.head import read_board_head
from ...game.games import Game
from ...installed.registry import questions_of
from ...mechanics.procedure import Dice
from ...state.state import Unit
from ...state.tracks import CERTAIN, Subject, Track, Value
from ...util.datafiles import resolve_within
from ...util.errors import InputError, format_suggestion, ignore, quoted
from .help_words import describe_question, list_signs

_WIDE_COLUMN_CHARS = 46
"""The width of the column of typed forms on a wide screen."""
_NARROW_COLUMN_CHARS = 18
"""The width of that column on any other screen."""
_MAX_NARROW_SCREEN_CHARS = 100
"""The maximum number of columns of a screen that is not wide."""
QUESTIONS = "questions"
"""The word that lists the questions, as a command and as a page of help."""
_LINES_INSTEAD_OF_ANSWERS = (
    ("?", "what is asked for, with an example"),
    ("an empty line", "ends the typing of a chart"),
    ("undo", "takes the last answer back"),
)
"""The lines that can be typed in place of an answer, each with its meaning."""
QUESTION_LIST_LINES = (QUESTIONS, "all questions, a line each"), (f"{QUESTIONS} NAME", "what a question takes")
"""The forms of the command that lists questions, each with its meaning."""


class Topic(NamedTuple):
    """A page of help: its subject, and the lines that can be typed, each with its meaning."""

    title: str
    entries: Sequence[tuple[str, str]]


def list_topics_of(position: Position, commands: Mapping[str, tuple[str, bool]]) -> dict[str, Topic]:
    """Return the pages of help at a position's table, each by the word that shows it.

    `commands`: the meaning of each command by its typed form, and whether it writes a file or the pack.
    """
    of_table = list[tuple[str, str]]()
    of_files = list[tuple[str, str]]()
    for typed, (meaning, writes) in commands.items():
        if writes:
            of_files.append((typed, meaning))
        elif not typed.startswith(QUESTIONS):
            of_table.append((typed, meaning))
    pages = {
        "combat": Topic("type a combat, and change it", [*_list_combat_entries(position)]),
        "facts": Topic("state facts, place units and take them off", [*_list_fact_entries(position)]),
        "moves": Topic("move units", [*_list_move_entries(position)]),
        QUESTIONS: Topic("ask another question", [*QUESTION_LIST_LINES, *_list_question_entries(position)]),
        "dice": Topic(
            "answer what the program asks for",
            [*_list_answer_entries(position), *_LINES_INSTEAD_OF_ANSWERS],
        ),
        "table": Topic("undo, show, carry out, begin again", of_table),
        "files": Topic("pictures, files and your own pack", of_files),
    }
    return {name: topic for name, topic in pages.items() if topic.entries}


def list_topics(topics: Mapping[str, Topic], width: int) -> Iterator[str]:
    """Yield the pages of help, a line each, and the subjects of `help WORD`."""
    for name, topic in topics.items():
        yield from _format_entry(f"help {name}", topic.title, width)
    yield from _format_entry("help WORD", "a fact, a unit, a question, a rule or a hex", width)


def format_topic(topic: Topic, width: int) -> Iterator[str]:
    """Yield the entries of a page of help."""
    for typed, meaning in topic.entries:
        yield from _format_entry(typed, meaning, width)


def _format_entry(typed: str, meaning: str, width: int) -> Iterator[str]:
    column = _WIDE_COLUMN_CHARS if width > _MAX_NARROW_SCREEN_CHARS else _NARROW_COLUMN_CHARS
    if len(typed) <= column and column + 4 + len(meaning) <= width:
        yield f"  {typed:<{column}}  {meaning}"
    else:
        if typed:
            yield from wrap_text(typed, width, "  ", typed=True)
        yield from wrap_text(meaning, width, "      ")


def list_entries_typed(position: Position) -> Iterator[tuple[str, str]]:
    """Yield the lines that can be typed at a position's table, each with its meaning.

    An entry with "" in place of a line is a remark on the previous entry.
    """
    yield from _list_combat_entries(position)
    yield from _list_fact_entries(position)
    yield from _list_move_entries(position)
    yield from _list_question_entries(position)
    yield from _list_answer_entries(position)


def find_example_hexes(position: Position) -> list[str]:
    """Return a hex in the middle of the board and its neighbours, as they are typed."""
    board = position.game.board(position.state.board)
    middle = board.grid.name(board.grid.middle)
    return [board.grid.bare(name) for name in (middle, *board.neighbours(middle))]


def _list_combat_entries(position: Position) -> Iterator[tuple[str, str]]:
    game = position.game
    prompt = position.game.file.prompt
    target, *beside = find_example_hexes(position)
    attacked_from = beside[:2]
    defender, attackers = _find_opponents(game)
    first = attackers[0]
    if prompt.ask:
        groups = zip(attacked_from, (attackers[:2], attackers[2:3]), strict=False)
        behind = " ".join(f"{name} {' '.join(units)}" for name, units in groups if units)
        yield f"{target} {defender} < {behind}", "a combat: hex and units, <, each attacking hex and its units"
        yield "", "once known, a unit needs only its name"
        if game.file.notation.brackets:
            ratings = "-".join(game.file.notation.brackets)
            yield f"{first} {ratings}", "its ratings, ? for an unknown one; = repeats those of the previous unit"
        if terrain := _find_word(game, game.file.picture.terrain):
            yield f"{target} {terrain}", "after the first hex, its terrain; the first letters are enough"
        if attacked_from and (barrier := _find_word(game, game.file.picture.barrier)):
            yield f"{target} < {attacked_from[0]} {barrier}", "after another hex, what lies between it and the first"
    if prompt.without:
        yield f"-{first}   +{first}", "the same without a unit, or with it again"
    if prompt.ask and attacked_from:
        yield f"< {attacked_from[-1]} {attackers[-1]}", "the same with more attackers"
    if prompt.short:
        yield "   ".join(f"{short}=..." for short in prompt.short), ", ".join(prompt.short.values())
    if prompt.usual:
        yield "?2   ?2 VALUE", "another value for an assumption: the next, or this one"


def _list_fact_entries(position: Position) -> Iterator[tuple[str, str]]:
    game = position.game
    target, *beside = find_example_hexes(position)
    _, attackers = _find_opponents(game)
    first = attackers[0]
    facts = "   ".join(filter(None, (_find_fact(game, "unit", first), _find_fact(game, "game", ""))))
    if facts:
        yield facts, "further facts: the same question, with these added"
    notation = game.file.notation
    if notation.signs and beside:
        sign = next(iter(notation.signs))
        letter = next(iter(notation.letters), "")
        meaning = ", ".join(list_signs(game))
        yield f"{target}{sign}{beside[0]}{letter}", f"what lies between hexes, and in them: {meaning}"
    if beside:
        yield (
            f"{beside[0]} +{first}   {beside[0]} -{first}",
            "a unit joins the stack in a hex, or leaves it and the map",
        )
    yield f"off {first}", "a unit leaves the map"
    if own := find_own_map(game, position.state.board):
        yield f"board {own}", "reads the ground of all hexes from the game's own map"


def _list_move_entries(position: Position) -> Iterator[tuple[str, str]]:
    _, *beside = find_example_hexes(position)
    _, attackers = _find_opponents(position.game)
    if position.game.file.prompt.march and beside:
        yield (
            f"{attackers[0]} > {' '.join(beside[:2])}",
            "a move: units, >, the hexes that they enter, with what lies there",
        )


def _list_question_entries(position: Position) -> Iterator[tuple[str, str]]:
    game = position.game
    others = [name for name in questions_of(game) if name not in (game.file.prompt.ask, "check")]
    if others:
        some = f"{', '.join(others[:4])}{' ...' if others[4:] else ''}"
        yield f"{others[0]} NAME=VALUE ...", f"any other question: {some}"


def _list_answer_entries(position: Position) -> Iterator[tuple[str, str]]:
    yield _format_rolls(position.game), "the dice asked for; a choice by its number"


def format_questions(questions: Collection[Question[Any, Any]], width: int) -> Iterator[str]:
    """Yield the questions, a line for each: its name and its title, shortened to the width."""
    names = max((len(question.name) for question in questions), default=0)
    for question in questions:
        yield f"{question.name:<{names}}  {_shorten_title(question.title, max(width - names - 2, 8))}"


def _shorten_title(title: str, room: int) -> str:
    if len(title) > room:
        for mark in ("[:;] ", ", "):
            if ends := [end.start() for end in re.finditer(mark, title) if room // 2 <= end.start() <= room]:
                return title[: ends[-1]]
    return shorten(title, room, placeholder=" ...", break_on_hyphens=False)


def list_questions(position: Position, name: str, width: int, but: Collection[str] = ()) -> Iterator[str]:
    """Yield the questions of a position's game, a line each, or the parameters of one of them.

    `name`: the question, or "" for all.
    `but`: names to leave out, as commands have them.

    Raises InputError if no question has that name.
    """
    questions = questions_of(position.game)
    if not name:
        yield from format_questions([question for question in questions.values() if question.name not in but], width)
        yield f"`{QUESTIONS} NAME` says what one takes"
        return
    lines = [*describe_question(position, name.casefold())]
    if not lines:
        raise InputError(f"there is no question {name!r}", hint=format_suggestion(name, questions))
    for line in lines:
        yield from wrap_text(line.strip(), width, line[: len(line) - len(line.lstrip())])


def find_own_map(game: Game, board: str) -> str:
    """Return the name of the only board with hexes if it is not drawn after a printed map, or else "".

    `board`: the board in use, or "" for none; with a board, the result is "".
    """
    folders = [resolve_within(game.folder, f"boards/{name}") for name in game.board_names]
    drawn = [folder for folder in folders if resolve_within(folder, TERRAIN).is_file()]
    if board or len(drawn) != 1:
        return ""
    head = read_board_head(drawn[0], ignore)
    return drawn[0].name if head and head.source in CERTAIN else ""


def _format_rolls(game: Game) -> str:
    """Return examples of typed dice of the game: a total, single dice, and totals of two rolls."""
    if game.file.combat:
        dice = Dice(*game.file.combat.dice)
    elif game.file.module and game.file.module.dice:
        dice = Dice(*game.file.module.dice[0])
    else:
        return "TOTAL"
    examples = roll_examples(dice)
    if dice.number > 1:
        examples.append(f"{dice.number + 1} {dice.number + 2}")
    return "   ".join(examples)


def roll_examples(dice: Dice) -> list[str]:
    """Return examples of a typed roll: its total, and its single dice if there are several."""
    if dice.number == 1:
        return [f"{dice.sides // 2 + 1}"]
    faces = [(1 + 3 * die) % dice.sides + 1 for die in range(dice.number)]
    return [f"{sum(faces)}", "+".join(map(str, faces))]


def _find_opponents(game: Game) -> tuple[str, Sequence[str]]:
    """Return a unit of the roster and the first units of another side in notation, units of the usual kind first."""
    sides: dict[str, list[str]] = {}
    for unit in sorted(game.roster, key=lambda unit: -_count_usual_facts(game, unit)):
        sides.setdefault(game.side_of_unit(Unit(unit, game.type_of(unit), None), {}), []).append(quoted(unit))
    if len(sides) > 1:
        attackers, defenders = list(sides.values())[:2]
        return defenders[0], attackers[:3]
    units = [unit for side in sides.values() for unit in side]
    return (units[0], units[1:4]) if len(units) > 1 else ("UNIT", ["UNIT", "UNIT"])


def _count_usual_facts(game: Game, unit: str) -> int:
    usual = game.file.prompt.usual
    printed = game.roster[unit]
    known = {name: facts[0].value for name, facts in printed.items() if facts}
    return sum(known.get(name) == value for name, value in usual.items())


def _find_word(game: Game, name: str) -> str:
    """Return an example word of a track, or "" if the game does not have the track or the track has no words.

    It is the second word, which usually restricts no unit, or the name of a flag.
    """
    track = game.tracks.get(name)
    if track is None:
        return ""
    if track.kind == "flag":
        return track.name
    if len(track.values) > 1:
        return track.values[1]
    return track.values[0] if track.values else ""


def _find_fact(game: Game, on: Subject, about: str) -> str:
    """Return a line with a fact that varies in play, or "" if the game has none about this kind of subject.

    `on`: the kind of subject.
    `about`: the subject.
    """
    for track in game.tracks.values():
        if track.on == on and track.printed is None and (value := find_example_value(track)) is not None:
            return track.how_to_state(about.strip('"'), value)
    return ""


def find_example_value(track: Track) -> Value | None:
    """Return a possible value of a track, or None if only the player knows one."""
    match track.kind:
        case "flag":
            return True
        case "integer":
            return (track.least or 0) + 1
        case "choice" if track.values:
            return track.values[-1]
        case _:
            return None
