"""The values that the owner of a game types from its printed counters, and which of them are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ...asking.wrapping import wrap_text
from ...game.printed_counters import (
    CounterRow,
    format_printed,
    formation_tracks,
    incomplete_counters,
    is_value,
    list_counters,
    printed_counters,
)
from ...util.console import echo, format_count
from ...util.errors import InputError, Where, located, nearest, quoted
from .entry import SAME, Asker, ask_each, each_row_once, echo_fitted, echo_saved

if TYPE_CHECKING:
    from ...game.games import Game
    from ...game.packs import Pack


UNKNOWN = "?"
"""What is typed for a value of a counter that is not known."""
NOTHING = "-"
"""What is typed for a value that is not printed on a counter."""


def choose_counters(pack: Pack, words: Sequence[str]) -> list[CounterRow]:
    """Return the counters that all of some words name: units, or a formation, nation or army. Raises InputError if none
    is.
    """
    every = list_counters(pack)
    facts_of = printed_counters(pack)

    def named(row: CounterRow) -> set[str]:
        facts = (format_printed(pack.game, facts_of[row.unit], name) for name in formation_tracks(pack.game))
        return {row.unit.casefold(), *(word.casefold() for word in facts if word)}

    rows = [row for row in every if {word.casefold() for word in words} <= named(row)]
    if not rows:
        known = [word for row in every for word in (row.unit, *row.formation.split())]
        described = " ".join(f"{name}=..." for name in pack.game.file.notation.identity)
        new = f"to add one that the game lacks: assistant pack set {pack.game.id} unit {quoted(words[0])} {described}"

        def hint() -> str:
            return "; ".join(filter(None, (nearest(words[-1], dict.fromkeys(known)), new)))

        raise InputError(f"no counter belongs to {' '.join(words)}", hint=hint)
    return rows


def read_values(game: Game, row: CounterRow, line: str, before: Mapping[str, str]) -> dict[str, str]:
    """Return the values that a typed line gives, as text by track: in the order of the columns, then those with a name.

    before: those of the counter before, for `=`; `-` is nothing printed, `?` is left out; ratings may stand as in a
    combat, `10-12-5-10`. Raises InputError for a wrong number of values and for an impossible value.
    """
    if line.strip() == SAME:
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
    for name, word in zip(row.columns, words, strict=False):  # as many, or no words
        if word == SAME and name not in before:
            raise InputError(f"{name}: there is no value before =", hint="type the value")
        if word == SAME:
            by_name[name] = before[name]
        elif word == NOTHING:
            by_name[name] = "0" if game.tracks[name].is_number else "none"
        elif word != UNKNOWN:
            by_name[name] = word
    return by_name | named


def enter_counters(pack: Pack, words: Sequence[str], ask: Asker) -> None:
    """Ask for the counters that lack values, or for all that some words name (see `choose_counters`), and say what is
    kept.
    """
    todo = choose_counters(pack, words) if words else incomplete_counters(pack)
    echo(f"{len(todo)} of {len(printed_counters(pack))} counters to type")
    count = sum(ask_values(pack, todo, ask))
    state = "all counters are complete"
    if left := len(incomplete_counters(pack)):
        state = format_count(left, "counter lacks values", "counters lack values")
    echo(f"{format_count(count, 'value')} saved; {state}")


def ask_values(pack: Pack, todo: Sequence[CounterRow], ask: Asker) -> Iterator[int]:
    """Ask for counters and keep each at once (see `ask_each`); how many values were kept of each."""
    heading = ""
    before = dict[str, str]()

    def asked(row: CounterRow) -> str:
        nonlocal heading, before
        now = f"{row.formation}: {' '.join(row.columns)}"
        if now != heading:
            heading = now
            before = {}
            echo_fitted(f"\n{heading}")
        return ask(f"{row.unit}> ", _read_values(pack, row))

    def keep(row: CounterRow, line: str) -> int:
        nonlocal before
        given = read_values(pack.game, row, line, before)
        pack.enter_all({(row.unit, name): text for name, text in given.items()}, {})
        before = before | given
        echo_saved(f"{name} {text}" for name, text in given.items())
        return len(given)

    return ask_each(todo, asked, keep)


def take_counters(pack: Pack, rows: Iterable[tuple[Mapping[str, str], Where]]) -> int:
    """Keep the values of the rows of a CSV file, which has a column `unit` and one for each track; all or none. How
    many are kept.

    rows: each with its place in the file. Raises InputError, with that place, for a value that is not possible and for
    a unit that is listed twice.
    """
    values: dict[tuple[str, str], str] = {}
    for unit, columns, where in each_row_once(rows, "unit", str):
        with located(where):
            values |= {(unit, name): pack.check_value(unit, name, text) for name, text in columns.items()}
    pack.enter_all(values, {})
    return len(values)


def echo_counter_gaps(pack: Pack) -> None:
    """Say of which counters values are missing, a formation a line."""
    short = incomplete_counters(pack)
    every = len(printed_counters(pack).keys() - pack.game.hiding.decoy_types)
    echo(f"counters: {every - len(short)} of {every} complete")
    for formation, rows in groupby(short, key=lambda gap: gap.formation):
        echo("\n".join(wrap_text(f"{formation}: {', '.join(row.unit for row in rows)}", 100, "  ")))
    for name, units in _find_made_up_words(pack).items():
        whose = units[0] if len(units) == 1 else f"{units[0]} and {len(units) - 1} more"
        what = f"also made up: {pack.game.tracks[name].title} of {whose}; to state it, type {name}=VALUE for a counter"
        echo("\n".join(wrap_text(what, 100, "  ")))


def _find_made_up_words(pack: Pack) -> dict[str, list[str]]:
    """Return the units whose words are made up, by the track that no column asks for: sheets and modules say so too."""
    game = pack.game
    entered = pack.values()
    units = dict[str, list[str]]()
    for unit in game.counters:
        for name, printed in game.roster[unit].items():
            if printed and printed[0].doubtful and not is_value(game, name) and name not in entered.get(unit, {}):
                units.setdefault(name, []).append(unit)
    return units


def _read_values(pack: Pack, row: CounterRow) -> str:
    """Return what the pack holds of a counter, as it may be typed; "" unless all of it is known."""
    known = pack.values().get(row.unit, {})
    return " ".join(known[name] for name in row.columns) if known.keys() >= {*row.columns} else ""
