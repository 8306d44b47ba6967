"""The entry of data from the printed copy: counters, turns, armies and scenarios; each line is saved at once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ...asking.wrapping import wrap_lines, wrap_text
from ...game.printed_counters import (
    CounterRow,
    format_printed,
    formation_tracks,
    incomplete_counters,
    is_value,
    list_counters,
    printed_counters,
)
from ...util.console import echo, format_count, screen_width
from ...util.errors import InputError, Where, format_suggestion, located, nearest, quoted
from ...util.texts import natural
from .group import IN_NO_CHART

if TYPE_CHECKING:
    from ...game.games import Game
    from ...game.packs import Pack


T = TypeVar("T")
_FIXED_SPACE = "\xa0"
"""A space at which no line is broken when text is wrapped."""
BACK_LINE = "back"
"""The line that returns to the previous thing asked for."""
STOP_LINE = "."
"""The line that ends the typing."""
REPEAT_LINE = "="
"""The line that repeats the previous one."""
Asker = Callable[[str, str], str]
"""A function that asks for a line, given the prompt and a text to be corrected."""
COUNTERS, TURNS, ARMIES, SETUPS, SCHEDULES = IN_NO_CHART


def echo_fitted(text: str) -> None:
    """Print a text wrapped to the screen, with no break at a fixed space."""
    for line in wrap_lines(text.split("\n"), screen_width()):
        echo(line.replace(_FIXED_SPACE, " "))


def echo_saved(values: Iterable[str], before: str = "") -> None:
    """Print saved values; a name and its value stay on one line."""
    echo_fitted(f"  {before}" + ", ".join(each.replace(" ", _FIXED_SPACE) for each in values))


def ask_each(todo: Sequence[T], ask: Callable[[T], str], keep: Callable[[T, str], int]) -> Iterator[int]:
    """Ask for one item after another and save each at once; yield the result of `keep` for each saved item.

    `back` returns to the previous item, an empty line leaves an item out, a dot ends the typing. An item refused by
    `keep` with InputError is asked for again.
    """
    at = 0
    while at < len(todo):
        line = ask(todo[at]).strip()
        if line == STOP_LINE:
            return
        if line.casefold() == BACK_LINE:
            at = max(at - 1, 0)
            continue
        if line:
            try:
                count = keep(todo[at], line)
            except InputError as error:
                echo(f"  {error}")
                continue
            yield count
        at += 1


def line_asker() -> Asker:
    """Return an asker: an editable prompt at a terminal, or else one that reads standard input and echoes its lines."""
    from ...util.files import read_typed_lines

    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return _make_editable_prompt()
    lines = read_typed_lines()

    def ask(prompt: str, _: str) -> str:
        shown = prompt.rstrip()
        echo(shown, nl=False)  # printed before reading, because a person may be typing into the pipe
        try:
            line = next(lines, STOP_LINE)
        except InputError:
            echo()
            raise
        echo(f"{prompt}{line}".rstrip().removeprefix(shown))
        return line

    return ask


def _make_editable_prompt() -> Asker:
    """Return an asker with an editable prompt; its arrows up and down go to the previous and next row."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()

    @keys.add("up")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=BACK_LINE)

    @keys.add("down")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result="")

    session: PromptSession[str] = PromptSession(key_bindings=keys)

    def ask(prompt: str, known: str) -> str:
        try:
            return session.prompt(prompt, default=known)
        except EOFError:
            return STOP_LINE

    return ask


def each_row_once(
    rows: Iterable[tuple[Mapping[str, str], Where]], column: str, read: Callable[[str], T]
) -> Iterator[tuple[T, dict[str, str], Where]]:
    """Yield the subject of each row of a CSV file, the text of the other columns by name, and the place of the row.

    `column`: the column of the subject.
    `read`: returns a subject from its text.

    Raises InputError if a subject is listed twice.
    """
    listed = set[T]()
    for row, where in rows:
        with located(where):
            subject = read(row[column])
            if subject in listed:
                raise InputError(f"{column} {subject} is listed twice", hint="leave one of the rows out")
        listed.add(subject)
        yield subject, {name: text for name, text in row.items() if name != column and text.strip()}, where


UNKNOWN = "?"
"""The text typed for a value of a counter that is not known."""
NOTHING = "-"
"""The text typed for a value that is not printed on a counter."""


def choose_counters(pack: Pack, words: Sequence[str]) -> list[CounterRow]:
    """Return the counters that match all words, each the name of a unit, formation, nation or army.

    Raises InputError if no counter matches.
    """
    all_rows = list_counters(pack)
    facts_of = printed_counters(pack)

    def named(row: CounterRow) -> set[str]:
        facts = (format_printed(pack.game, facts_of[row.unit], name) for name in formation_tracks(pack.game))
        return {row.unit.casefold(), *(word.casefold() for word in facts if word)}

    rows = [row for row in all_rows if {word.casefold() for word in words} <= named(row)]
    if not rows:
        known = [word for row in all_rows for word in (row.unit, *row.formation.split())]
        described = " ".join(f"{name}=..." for name in pack.game.file.notation.identity)
        new = f"to add one that the game lacks: assistant pack set {pack.game.id} unit {quoted(words[0])} {described}"

        def hint() -> str:
            return "; ".join(filter(None, (nearest(words[-1], dict.fromkeys(known)), new)))

        raise InputError(f"no counter belongs to {' '.join(words)}", hint=hint)
    return rows


def read_values(game: Game, row: CounterRow, line: str, before: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a typed line as text by track: in the order of the columns, then those with a name.

    `-` means that the value is not printed. `?` is left out. Ratings may be typed as in a combat, `10-12-5-10`.

    `before`: the values of the previous counter, for `=`.

    Raises InputError for a wrong number of values or an impossible value.
    """
    if line.strip() == REPEAT_LINE:
        same = {name: before[name] for name in row.columns if name in before}
        if not same:
            raise InputError("no counter before it has values", hint="type them")
        return same
    words = []
    named = dict[str, str]()
    for word in line.split():
        name, equals, value = word.partition("=")
        if name and equals:
            if (track := game.track(name).name) in named:
                raise InputError(f"{track} is given twice", hint="leave out one of the two")
            named[track] = value
        else:
            words.append(word)
    rated = game.file.notation.brackets
    ratings = words[0].split("-") if len(words) == 1 else []
    if len(rated) > 1 and len(ratings) == len(rated) and all(ratings):
        values = dict(zip(rated, ratings, strict=True))
        return {name: value for name, value in values.items() if value != UNKNOWN} | named
    if words and len(words) != len(row.columns):
        what = f"{format_count(len(words), 'value')} for the {len(row.columns)} columns of {row.unit}"
        raise InputError(what, hint=f"write: {' '.join(row.columns)}; ? where you do not know, or only NAME=VALUE")
    by_name: dict[str, str] = {}
    for name, word in zip(row.columns, words, strict=False):  # `words` is empty, or has one word for each column
        if word == REPEAT_LINE and name not in before:
            raise InputError(f"{name}: there is no value before =", hint="type the value")
        if word == REPEAT_LINE:
            by_name[name] = before[name]
        elif word == NOTHING:
            by_name[name] = "0" if game.tracks[name].is_number else "none"
        elif word != UNKNOWN:
            by_name[name] = word
    return by_name | named


def enter_counters(pack: Pack, words: Sequence[str], ask: Asker) -> None:
    """Ask for the incomplete counters, or for the counters that match the words, and print the result."""
    todo = choose_counters(pack, words) if words else incomplete_counters(pack)
    echo(f"{len(todo)} of {len(printed_counters(pack))} counters to type")
    count = sum(ask_values(pack, todo, ask))
    state = "all counters are complete"
    if left := len(incomplete_counters(pack)):
        state = format_count(left, "counter lacks values", "counters lack values")
    echo(f"{format_count(count, 'value')} saved; {state}")


def ask_values(pack: Pack, todo: Sequence[CounterRow], ask: Asker) -> Iterator[int]:
    """Ask for counters as `ask_each` does; yield the number of saved values of each counter."""
    heading = ""
    before = dict[str, str]()

    def asked(row: CounterRow) -> str:
        nonlocal heading, before
        row_heading = f"{row.formation}: {' '.join(row.columns)}"
        if row_heading != heading:
            heading = row_heading
            before = {}
            echo_fitted(f"\n{heading}")
        return ask(f"{row.unit}> ", _read_values(pack, row))

    def keep(row: CounterRow, line: str) -> int:
        nonlocal before
        values = read_values(pack.game, row, line, before)
        pack.enter_all({(row.unit, name): text for name, text in values.items()}, {})
        before = before | values
        echo_saved(f"{name} {text}" for name, text in values.items())
        return len(values)

    return ask_each(todo, asked, keep)


def take_counters(pack: Pack, rows: Iterable[tuple[Mapping[str, str], Where]]) -> int:
    """Save the values of the rows of a CSV file, all or none; return the number of values.

    `rows`: each row with its place in the file; the columns are `unit` and one for each track.

    Raises InputError, with the place, for an impossible value, or if a unit is listed twice.
    """
    values: dict[tuple[str, str], str] = {}
    for unit, columns, where in each_row_once(rows, "unit", str):
        with located(where):
            values |= {(unit, name): pack.check_value(unit, name, text) for name, text in columns.items()}
    pack.enter_all(values, {})
    return len(values)


def echo_counter_gaps(pack: Pack) -> None:
    """Print the incomplete counters, a line for each formation, and the made-up values."""
    incomplete = incomplete_counters(pack)
    total = len(printed_counters(pack).keys() - pack.game.hiding.decoy_types)
    echo(f"counters: {total - len(incomplete)} of {total} complete")
    for formation, rows in groupby(incomplete, key=lambda gap: gap.formation):
        echo("\n".join(wrap_text(f"{formation}: {', '.join(row.unit for row in rows)}", 100, "  ")))
    for name, units in _find_made_up_words(pack).items():
        whose = units[0] if len(units) == 1 else f"{units[0]} and {len(units) - 1} more"
        what = f"also made up: {pack.game.tracks[name].title} of {whose}; to state it, type {name}=VALUE for a counter"
        echo("\n".join(wrap_text(what, 100, "  ")))


def _find_made_up_words(pack: Pack) -> dict[str, list[str]]:
    game = pack.game
    entered = pack.values()
    units = dict[str, list[str]]()
    for unit in game.counters:
        for name, printed in game.roster[unit].items():
            if printed and printed[0].doubtful and not is_value(game, name) and name not in entered.get(unit, {}):
                units.setdefault(name, []).append(unit)
    return units


def _read_values(pack: Pack, row: CounterRow) -> str:
    """Return the values of a counter in the pack as they may be typed, or "" unless all are known."""
    known = pack.values().get(row.unit, {})
    return " ".join(known[name] for name in row.columns) if known.keys() >= {*row.columns} else ""


class EntryLine(NamedTuple):
    """A fact to be typed."""

    prompt: str
    known: str
    """The value in the pack, as text."""
    keep: Callable[[str], None]
    """A function that saves the typed fact."""


def enter_turn(pack: Pack, number: str, kind: str, text: str) -> None:
    """Save a fact about a turn in the pack.

    Raises InputError for an impossible turn, kind or text.
    """
    pack.enter_turns({(read_turn_number(number), kind): text})


def take_turns(pack: Pack, rows: Iterable[tuple[Mapping[str, str], Where]]) -> int:
    """Save the facts about turns in the rows of a CSV file, all or none; return the number of facts.

    `rows`: each row with its place in the file; the columns are `turn` and one for each kind of fact.

    Raises InputError for an impossible fact, or if a turn is listed twice.
    """
    facts: dict[tuple[int, str], str] = {}
    for number, columns, _ in each_row_once(rows, "turn", read_turn_number):
        for kind, text in columns.items():
            facts[number, kind] = text
    pack.enter_turns(facts)
    return len(facts)


def enter_course(pack: Pack, what: str, words: Sequence[str], ask: Asker) -> None:
    """Ask for facts about turns or armies and save them.

    `what`: turns or armies.
    `words`: the facts to ask for, or none for all missing facts.

    Raises InputError for an unknown kind of fact, or an unknown army.
    """
    todo = list(_write_turn_lines(pack, words) if what == TURNS else _write_army_lines(pack, words))
    echo(f"{format_count(len(todo), 'fact')} of {what} to type")
    before = ""

    def keep(entry: EntryLine, line: str) -> int:
        nonlocal before
        if line == REPEAT_LINE and not before:
            raise InputError("there is nothing before =", hint="type it")
        text = before if line == REPEAT_LINE else line
        entry.keep(text)
        before = text
        return 1

    count = sum(ask_each(todo, lambda missing: ask(missing.prompt, missing.known), keep))
    echo(f"{format_count(count, 'fact')} saved")


def _write_turn_lines(pack: Pack, kinds: Sequence[str]) -> Iterator[EntryLine]:
    from ...game.course import course_file
    from ...game.owned_turns import turn_kinds, unknown_turns

    course = course_file(pack.game)
    entered = pack.turns()
    known = turn_kinds(course)
    for kind in kinds:
        if kind not in known:
            raise InputError(f"{kind!r} is not a fact about a turn", hint=format_suggestion(kind, known))
    for kind, numbers in unknown_turns(pack.game).items():
        if kinds and kind not in kinds:
            continue
        for number in numbers:
            text = entered.get((number, kind), "")
            if kinds or not text:
                prompt = f"{course.turns.tag.format(number)} {kind}> "
                yield EntryLine(prompt, text, partial(enter_turn, pack, str(number), kind))


def _write_army_lines(pack: Pack, words: Sequence[str]) -> Iterator[EntryLine]:
    from ...game.course import course_file
    from ...game.games import find_army
    from ...game.owned_turns import army_tracks, unknown_armies

    entered = pack.armies()
    needed = find_army(pack.game, " ".join(words)) if words else ""
    armies = unknown_armies(pack.game)
    if needed and needed not in armies:
        raise InputError(f"unknown army {' '.join(words)!r}", hint=format_suggestion(needed, armies))
    tracks = army_tracks(course_file(pack.game))
    for army in armies:
        for track in tracks:
            text = entered.get((army, track), "")
            if needed == army or not (needed or text):
                declared = pack.game.track(track)
                yield EntryLine(f"{army} {track} ({declared.takes})> ", text, partial(pack.enter_army, army, track))


def echo_course_gaps(game: Game) -> None:
    """Print the missing facts about turns and armies, a line for each kind."""
    from ...game.owned_turns import unknown_armies, unknown_turns
    from ...game.turn_record import format_runs

    for kind, numbers in unknown_turns(game).items():
        echo("\n".join(wrap_text(f"turns without {kind}: {format_runs(numbers)}", 100, "  ")))
    if armies := unknown_armies(game):
        echo("\n".join(wrap_text(f"armies without a limit: {', '.join(armies)}", 100, "  ")))


def course_differences(pack: Pack) -> Iterator[str]:
    """Yield the entered facts about turns and armies that differ from those in the game's files, with the latter."""
    from ...game.turn_record import turns

    own = {turn.number: turn for turn in turns(pack.game)}
    for (number, kind), text in pack.turns().items():
        fact = own[number].fact(kind) if number in own else None
        before = f"{fact.in_words} ({fact.source})" if fact else "nothing"
        if not fact or fact.text != text:
            yield f"turn {number} {kind}: {text}   instead of {before}"
    for (army, track), text in pack.armies().items():
        yield f"{army} {track}={text}   instead of nothing"


def read_turn_number(text: str) -> int:
    """Return the number of a typed turn.

    Raises InputError if it is not a number.
    """
    number = natural(text.strip())
    if number is None:
        raise InputError(f"{text[:20]!r} is not a turn number", hint="write 1, 2, 3")
    return number


def enter_scenario(pack: Pack, what: str, words: Sequence[str], ask: Asker) -> None:
    """Ask for lines of a scenario's set-up or rows of its schedule, and print what the scenario lacks.

    `what`: setups or schedules.
    `words`: the name of the scenario.

    Raises InputError if the scenario is not named.
    """
    from ...rules.scenario_entry import add_line, add_row, put_file, schedule_rows, set_up_text, write_schedule

    if len(words) != 1:
        raise InputError("name the scenario", hint=f"write: pack enter {pack.game.id} {what} NAME")
    (name,) = words
    pack.files.scenario_file(what, name)
    is_set_up = what == SETUPS
    example = "HEX: UNIT, UNIT" if is_set_up else "3 HEX: UNIT, UNIT army=ARMY"
    echo_fitted(
        f"{what} {name}: type one line at a time, such as `{example}`; `{BACK_LINE}` removes the last one, a dot stops"
    )
    count = 0
    while (line := ask(f"{name}> ", "").strip()) != STOP_LINE:
        try:
            if line.casefold() == BACK_LINE:
                if is_set_up:
                    put_file(pack, SETUPS, name, "\n".join([*set_up_text(pack, name).splitlines()[:-1], ""]))
                else:
                    write_schedule(pack, name, schedule_rows(pack, name)[:-1])
                count = max(count - 1, 0)
            elif line:
                if is_set_up:
                    add_line(pack, name, line)
                else:
                    add_row(pack, name, line)
                count += 1
        except InputError as error:
            echo(f"  {error}")
    echo(f"{format_count(count, 'line')} saved")
    echo_scenario_gaps(pack, [name])


def take_scenario(pack: Pack, what: str, file: Path) -> str:
    """Save a file as the set-up or schedule of the scenario with the file's name, and return the name.

    The file replaces the one in the pack.

    Raises InputError, with file and line, for a fault in the file.
    """
    from ...rules.scenario_entry import put_file
    from ...util.datafiles import read_text

    name = file.name.removesuffix(file.suffix)
    target = pack.folder / pack.files.scenario_file(what, name)
    try:
        put_file(pack, what, name, read_text(file, str(file)))
    except InputError as error:
        if error.where and error.where.file == str(target):
            error.where = error.where._replace(file=str(file))
        raise
    return name


def echo_scenario_gaps(pack: Pack, names: Iterable[str]) -> bool:
    """Print the faults and gaps of scenarios, in the best order of typing; return whether there is a fault."""
    from ...formats.positions import Position
    from ...installed.registry import reload_pack
    from ...rules.scenarios import scenario_faults
    from ...rules.setup_question import read_set_up
    from ...service import scenario_parts
    from ...state.state import GameState

    wrong = False
    for name in names:
        game = reload_pack(pack.game)
        try:
            known = name in game.setups
            faults = list(scenario_faults(game, name)) if known else []
            state = read_set_up(game, name) if known else GameState(game=game.id)
            parts = scenario_parts(Position(game, state), name)
        except InputError as error:
            faults = [error]
            parts = ()
        wrong |= bool(faults)
        for fault in faults:
            echo(f"scenario {name}: {fault}", err=True)
        if not (faults or parts):
            echo(f"scenario {name}: complete")
        for part in parts:
            for step in part.steps:
                echo("\n".join(wrap_text(f"scenario {name}: {step.text}", 100, "  ")))
    return wrong
