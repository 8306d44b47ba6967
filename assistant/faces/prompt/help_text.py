"""What `help` says: the lines that can be typed, what a word means, and what a rulebook's index would find."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any, NamedTuple, get_args

from ...asking.question import Question
from ...asking.wrapping import wrap_text
from ...formats.new_units import begun_by
from ...formats.positions import Position
from ...game.boards.files import TERRAIN, read_board_head
from ...game.events import find_short_name, read_events, subject_of, write_example
from ...game.games import Game
from ...game.rule_index import RuleRow, is_under, rule_titles
from ...game.rule_questions import rules_with_questions
from ...installed.registry import questions_of
from ...mechanics.procedure import Dice
from ...state.state import Unit
from ...state.tracks import CERTAIN, Subject, Track, Value
from ...util.console import format_amount, format_count
from ...util.datafiles import resolve_within
from ...util.errors import InputError, format_suggestion, ignore, nearest_names, quoted
from ...util.notes import fields_of, notes_of
from ...util.texts import folded, has_word, natural
from .shorthand.abbreviations import Abbreviations
from .surroundings import describe_hex

_WIDE = 46
"""How many letters what is typed has beside its meaning on a wide screen."""
_NARROW = 18
"""How many it has on a narrower one."""
_ROOMY = 100
"""From how many columns on a screen is wide."""
QUESTIONS = "questions"
"""The word that lists them, as a command and as a page of help."""
_ANSWERS = (
    ("?", "what is asked for, with an example"),
    ("an empty line", "ends the typing of a chart"),
    ("undo", "takes the last answer back"),
)
"""What can be typed in place of an answer."""
LISTED = (QUESTIONS, "all questions, a line each"), (f"{QUESTIONS} NAME", "what a question takes")


class Topic(NamedTuple):
    """A page of help: what it is about, and what can be typed, each with what it does."""

    title: str
    entries: Sequence[tuple[str, str]]


def list_topics_of(position: Position, commands: Mapping[str, tuple[str, bool]]) -> dict[str, Topic]:
    """Return the pages of help at a position's table, by the word that shows each. commands: what each command does, by
    what is typed for it, and whether it writes a file or the pack.
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
        QUESTIONS: Topic("ask another question", [*LISTED, *_list_question_entries(position)]),
        "dice": Topic(
            "answer what the program asks for",
            [*_list_answer_entries(position), *_ANSWERS],
        ),
        "table": Topic("undo, show, carry out, begin again", of_table),
        "files": Topic("pictures, files and your own pack", of_files),
    }
    return {name: topic for name, topic in pages.items() if topic.entries}


def list_topics(topics: Mapping[str, Topic], width: int) -> Iterator[str]:
    """Yield the pages of help, a line each, and what else help explains."""
    for name, topic in topics.items():
        yield from _format_entry(f"help {name}", topic.title, width)
    yield from _format_entry("help WORD", "a fact, a unit, a question, a rule or a hex", width)


def format_topic(topic: Topic, width: int) -> Iterator[str]:
    """Yield a page of help: each thing that can be typed, and what it does."""
    for typed, meaning in topic.entries:
        yield from _format_entry(typed, meaning, width)


def _format_entry(typed: str, meaning: str, width: int) -> Iterator[str]:
    """Yield what can be typed and what it does, on one line if it has room, else below each other."""
    wide = _WIDE if width > _ROOMY else _NARROW
    if len(typed) <= wide and wide + 4 + len(meaning) <= width:
        yield f"  {typed:<{wide}}  {meaning}"
    else:
        if typed:
            yield from wrap_text(typed, width, "  ", typed=True)
        yield from wrap_text(meaning, width, "      ")


def list_entries_typed(position: Position) -> Iterator[tuple[str, str]]:
    """Yield what can be typed at a position's table, and what it does; with nothing typed, a remark on the entry
    before.
    """
    yield from _list_combat_entries(position)
    yield from _list_fact_entries(position)
    yield from _list_move_entries(position)
    yield from _list_question_entries(position)
    yield from _list_answer_entries(position)


def find_example_hexes(position: Position) -> list[str]:
    """Return a hex in the middle of the board, and those beside it, as they are typed."""
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
        meanings = [f"{written} {means}" for written, means in (*notation.signs.items(), *notation.letters.items())]
        meaning = ", ".join(meanings)
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
    """Yield the questions, a line of a width for each: its name and what it answers, as much of it as has room."""
    names = max((len(question.name) for question in questions), default=0)
    for question in questions:
        yield f"{question.name:<{names}}  {_shorten_title(question.title, max(width - names - 2, 8))}"


def _shorten_title(title: str, room: int) -> str:
    """Return as much of a title as has room: whole clauses, unless these leave half of it empty."""
    if len(title) > room:
        for mark in ("[:;] ", ", "):
            if ends := [end.start() for end in re.finditer(mark, title) if room // 2 <= end.start() <= room]:
                return title[: ends[-1]]
    return shorten(title, room, placeholder=" ...", break_on_hyphens=False)


def list_questions(position: Position, name: str, width: int, but: Collection[str] = ()) -> Iterator[str]:
    """Yield the questions of a position's game, a line each, or one of them with what it takes. but: those that other
    words hide.

    Raises InputError for a name that no question has.
    """
    questions = questions_of(position.game)
    if not name:
        yield from format_questions([question for question in questions.values() if question.name not in but], width)
        yield f"`{QUESTIONS} NAME` says what one takes"
        return
    lines = [*_describe_question(position, name.casefold())]
    if not lines:
        raise InputError(f"there is no question {name!r}", hint=format_suggestion(name, questions))
    for line in lines:
        yield from wrap_text(line.strip(), width, line[: len(line) - len(line.lstrip())])


def find_own_map(game: Game, board: str) -> str:
    """Return the board whose ground the game's author has entered himself: the only one with hexes, unless it is drawn
    after a printed map. "" if there is none, or if a board is in use.

    board: the one in use, "" for none.
    """
    folders = [resolve_within(game.folder, f"boards/{name}") for name in game.board_names]
    drawn = [folder for folder in folders if resolve_within(folder, TERRAIN).is_file()]
    if board or len(drawn) != 1:
        return ""
    head = read_board_head(drawn[0], ignore)
    return drawn[0].name if head and head.source in CERTAIN else ""


def _format_rolls(game: Game) -> str:
    """Return dice of the game as they may be typed: a total, one by one, and totals of two rolls."""
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
    """Return how a roll may be typed: its total, and its dice one by one if there are several."""
    if dice.number == 1:
        return [f"{dice.sides // 2 + 1}"]
    faces = [(1 + 3 * die) % dice.sides + 1 for die in range(dice.number)]
    return [f"{sum(faces)}", "+".join(map(str, faces))]


def _find_opponents(game: Game) -> tuple[str, Sequence[str]]:
    """Return a unit of the roster, and the first units of another side, as notation writes them; of the usual kind if
    there are such.
    """
    sides: dict[str, list[str]] = {}
    for unit in sorted(game.roster, key=lambda unit: -_count_usual_facts(game, unit)):
        sides.setdefault(game.side_of_unit(Unit(unit, unit, None), {}), []).append(quoted(unit))
    if len(sides) > 1:
        attackers, defenders = list(sides.values())[:2]
        return defenders[0], attackers[:3]
    units = [unit for side in sides.values() for unit in side]
    return (units[0], units[1:4]) if len(units) > 1 else ("UNIT", ["UNIT", "UNIT"])


def _count_usual_facts(game: Game, unit: str) -> int:
    """Return how many of the facts that identify a unit are the usual ones."""
    usual = game.file.prompt.usual
    printed = game.roster[unit]
    known = {name: facts[0].value for name, facts in printed.items() if facts}
    return sum(known.get(name) == value for name, value in usual.items())


def _find_word(game: Game, name: str) -> str:
    """Return the second word of a track, which as a rule bars nobody, or the name of a flag; "" if the game does not
    have it.
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
    """Return a line that states a fact that varies in play; "" if the game has none about this kind of subject."""
    for track in game.tracks.values():
        if track.on == on and track.printed is None and (value := find_example_value(track)) is not None:
            return track.how_to_state(about.strip('"'), value)
    return ""


def find_example_value(track: Track) -> Value | None:
    """Return a value that a fact may have, None if only the player knows any."""
    match track.kind:
        case "flag":
            return True
        case "integer":
            return (track.least or 0) + 1
        case "choice" if track.values:
            return track.values[-1]
        case _:
            return None


_MOST = 4
"""How many entries of a kind are listed."""


def _search_index(position: Position, word: str) -> Iterator[str]:
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


def rules_under(game: Game, number: str) -> dict[str, str]:
    """Return the rules of the index under a number or a name, each with its title; none if there are none, or for
    another word.
    """
    if natural(number[:1]) is None and "/" not in number:  # some rules have a name instead: `CRT/shock`
        return {}
    rules = {rule: title for rule, title in rule_titles(game) if is_under(rule, number)}
    return {rule: title for rule, title in rules.items() if rule.casefold() == number.casefold()} or rules


def list_rules(game: Game, rules: Collection[str]) -> list[tuple[RuleRow, tuple[str, ...]]]:
    """Return rules of the index, each with the questions that carry it out."""
    every = rules_with_questions(game, questions_of(game).modules) if rules else []
    return [(row, names) for row, names in every if row.rule in rules]


def format_rule(row: RuleRow, questions: Collection[str]) -> str:
    """Return a rule of the index in a line: where the code computes it, or why none does, and the questions that carry
    it out.
    """
    places = [*row.code]
    if row.left:
        places.append(row.left)
    line = f"{row.rule:<10} {row.title} - {', '.join(places)}"
    return f"{line}; questions: {', '.join(questions)}" if questions else line


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


_BEFORE = {"unit": "UNIT ", "hex": "HEX ", "box": "BOX ", "hexside": "HEX|HEX ", "game": ""}
"""What stands before a fact where it is typed, by what it is about; of others their name."""


def explain_word(position: Position, word: str, commands: Mapping[str, str]) -> list[str]:
    """Return what a word means at the table, each meaning with how it is typed.

    commands: what each command does, by its name. Raises InputError for a word that means nothing, with the nearest
    ones.
    """
    text = word.casefold()
    lines = [f"{text}: {commands[text]}"] if text in commands else []
    for describe in (
        _describe_event,
        _describe_tracks,
        _describe_parameter,
        _describe_question,
        _describe_chart,
        _describe_unit,
    ):
        lines += describe(position, text)
    if not lines:
        lines = [*describe_hex(position, word), *describe_rule(position, text)]
    if not lines:
        lines = [*_search_index(position, text)]
    if not lines:
        raise _find_no_help(position, word, commands)
    return lines


def _find_no_help(position: Position, word: str, commands: Collection[str]) -> InputError:
    """Return the error of a word that means nothing, with what it may have meant."""
    text = word.casefold()
    game = position.game
    known = [*commands, *read_events(game).event, *game.tracks, *questions_of(game), *game.charts]
    known += [value for track in game.tracks.values() for value in track.values]
    units = dict.fromkeys([*game.roster, *position.state.units])
    if re.fullmatch("[0-9]+([.][0-9]+)*[a-z]?", text) and text not in units:
        hint = f"`assistant rules {game.id}` lists the rules of the index"
        return InputError(f"there is no help on rule {word}", hint=hint)
    if alike := begun_by(text, units):
        return InputError(f"there is no help on {word!r}", hint=f"did you mean {' or '.join(alike[:3])}?")
    near = {folded(name): name for name in [*known, *units]}
    nearest = nearest_names(folded(text), near)
    hint = f"nearest known: {', '.join(near[name] for name in nearest[:3])}" if nearest else ""
    return InputError(f"there is no help on {word!r}", hint=hint)


def _describe_event(position: Position, text: str) -> Iterator[str]:
    """Yield an event of the game's journals: what it takes, its kinds, to whom it happens, and how it is typed."""
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
    """Return what one of an event's amount adds to an account, in words."""
    account, who = subject_of(path, "")
    of = f" of {game.file.title_of(who)}" if who else ""
    return f"{game.track(account).title}{of}: {format_amount(per)}"


def _describe_tracks(position: Position, text: str) -> Iterator[str]:
    """Yield the track of this name; without it those with this value, or else those that begin so or have it in a
    value.
    """
    tracks = position.game.tracks
    valued = [track for track in tracks.values() if text in map(str.casefold, track.values)]
    beginning = [track for track in tracks.values() if len(text) > 1 and track.name.startswith(text)]
    parts = [track for track in tracks.values() if any(text in value.casefold().split("-") for value in track.values)]
    named = [tracks[text]] if text in tracks else []
    for track in named or valued or beginning or parts:
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
    before = _BEFORE.get(track.on, f"{track.on} NAME ")
    shown = track.name if track.kind == "flag" else track.written.replace("{}", "VALUE")
    yield f"  typed: {before}{shown} ({track.takes})"
    if track.absent is not None:
        yield f"  if not stated, it is {track.write(track.absent)}"


def _describe_parameter(position: Position, text: str) -> Iterator[str]:
    """Yield a parameter of a question by its name or its short one, each with the questions that take it so."""
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


def _describe_question(position: Position, text: str) -> Iterator[str]:
    """Yield a question with its parameters."""
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


def _describe_chart(position: Position, text: str) -> Iterator[str]:
    chart = position.game.charts.get(text)
    if chart:
        yield f"{chart.name}: {chart.title}{f' (rule {chart.rule})' if chart.rule else ''}"
        yield f"  typed: {chart.how_to_state(tuple(key.name.upper() for key in chart.keys))}"
        for field in chart.fields:
            if field.note:
                yield f"  {field.name}: {field.note}"


def _describe_unit(position: Position, text: str) -> Iterator[str]:
    """Yield a unit, with what is stated or printed of it."""
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
