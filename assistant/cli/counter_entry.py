"""Typing what is printed on counters: a formation at a time, a line a unit; and what of it is still missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ..questions.wording import wrapped
from ..util.console import count_text, echo
from ..util.errors import InputError, Where, located, nearest, quoted
from .chart_entry import SAME, Ask, ask_each

if TYPE_CHECKING:
    from ..game.games import Game, Roster
    from ..game.packs import Pack
    from ..state.sources import Fact

COUNTERS = "counters"
"""What `pack enter` and `pack take` call the values printed on counters, where they otherwise take the name of a chart.
"""
UNKNOWN, NOTHING = "?", "-"


class Values(NamedTuple):
    """The counter of a unit type, to be typed. formation: the nation, army and corps that it is sorted by, in words;
    columns: the tracks that stand on counters of its kind.
    """

    unit: str
    formation: str
    columns: tuple[str, ...]


def counter_values(pack: Pack) -> list[Values]:
    """The counters of a game and those that its owner added, formation by formation in the order of its roster, those
    of one kind together.
    """
    game = pack.game
    typed = [track for track in game.tracks.values() if track.printed == "counter" and _is_value(game, track.name)]
    by_kind: dict[str, set[str]] = {}  # where the tracks do not say so, what is known of counters of a kind
    for facts in () if any(track.kinds for track in typed) else _every(pack).values():
        by_kind.setdefault(_word(game, facts, game.file.picture.symbol), set()).update(facts)
    valueses: dict[str, dict[str, list[Values]]] = {}
    for unit, facts in _every(pack).items():
        formation = " ".join(filter(None, (_word(game, facts, name) for name in _sort_by(game)))) or "no formation"
        kind = _word(game, facts, game.file.picture.symbol)
        columns = tuple(track.name for track in typed if kind in track.kinds or track.name in by_kind.get(kind, ()))
        valueses.setdefault(formation, {}).setdefault(kind, []).append(Values(unit, formation, columns))
    return [values for kinds_of_it in valueses.values() for alike in kinds_of_it.values() for values in alike]


def incomplete(pack: Pack) -> list[Values]:
    """The counters with a value that is neither in the pack nor stated by the rulebook."""
    entered = pack.values()

    def lacks(values: Values) -> bool:
        known = pack.game.roster.get(values.unit, {})
        certain = {name for name, facts in known.items() if any(not fact.doubtful for fact in facts)}
        return not certain.union(entered.get(values.unit, ())).issuperset(values.columns)

    return list(filter(lacks, counter_values(pack)))


def chosen(pack: Pack, words: Sequence[str]) -> list[Values]:
    """The counters that all of some words name: units, or a formation, nation or army. Raises InputError if none is."""
    every, facts_of = counter_values(pack), _every(pack)

    def named(row: Values) -> set[str]:
        facts = (_word(pack.game, facts_of[row.unit], name) for name in _sort_by(pack.game))
        return {row.unit.casefold(), *(word.casefold() for word in facts if word)}

    valueses = [values for values in every if {word.casefold() for word in words} <= named(values)]
    if not valueses:
        known = [word for values in every for word in (values.unit, *values.formation.split())]
        described = " ".join(f"{name}=..." for name in pack.game.file.notation.identity)
        new = f"to add one that the game lacks: assistant pack set {pack.game.id} unit {quoted(words[0])} {described}"

        def hint() -> str:
            return "; ".join(filter(None, (nearest(words[-1], dict.fromkeys(known)), new)))

        raise InputError(f"no counter is of {' '.join(words)}", hint=hint)
    return valueses


def values_of(game: Game, values: Values, line: str, before: Mapping[str, str]) -> dict[str, str]:
    """The values that a typed line gives, as text by track: in the order of the columns, then those with a name.

    before: what the counter before it was given, for `=`, which stands for one value, or alone for all of them; `-` is
    nothing printed, `?` is left out. Raises InputError for more or fewer values than columns, and for one that is not
    possible.
    """
    if line.strip() == SAME:
        if same := {name: before[name] for name in values.columns if name in before}:
            return same
        raise InputError("there is no counter before it with values", hint="type them")
    words, named = [], dict[str, str]()
    for word in line.split():
        name, equals, value = word.partition("=")
        if name and equals:
            if (track := game.track(name).name) in named:
                raise InputError(f"{track} is given twice", hint="leave out one of the two")
            named[track] = value
        else:
            words.append(word)
    if words and len(words) != len(values.columns):
        what = f"{count_text(len(words), 'value')} for the {len(values.columns)} of {values.unit}"
        raise InputError(what, hint=f"write: {' '.join(values.columns)}; ? where you do not know, or only NAME=VALUE")
    by_name: dict[str, str] = {}
    for name, word in zip(values.columns if words else (), words, strict=True):
        if word == SAME and name not in before:
            raise InputError(f"{name}: there is no value before =", hint="type the value")
        if word != UNKNOWN:
            by_name[name] = before[name] if word == SAME else _nothing(game, name) if word == NOTHING else word
    return by_name | named


def enter_counters(pack: Pack, words: Sequence[str], ask: Ask) -> None:
    """Ask for the counters that lack values, or for all that some words name (see `chosen`), and say what is kept."""
    todo = chosen(pack, words) if words else incomplete(pack)
    echo(f"{len(todo)} of {len(_every(pack))} counters to type")
    count = sum(ask_values(pack, todo, ask))
    left = len(incomplete(pack))
    lacking = count_text(left, "counter lacks values", "counters lack values") if left else "all counters are complete"
    echo(f"{count_text(count, 'value')} kept; {lacking}")


def ask_values(pack: Pack, todo: Sequence[Values], ask: Ask) -> Iterator[int]:
    """Ask for counters and keep each at once (see `ask_each`); how many values were kept of each."""
    heading, before = "", dict[str, str]()

    def asked(values: Values) -> str:
        nonlocal heading, before
        if heading != (now := f"{values.formation}: {' '.join(values.columns)}"):
            heading, before = now, {}
            echo(f"\n{heading}")
        return ask(f"{values.unit}: ", _as_typed(pack, values))

    def keep(row: Values, line: str) -> int:
        nonlocal before
        given = values_of(pack.game, row, line, before)
        pack.enter_all({(row.unit, name): text for name, text in given.items()}, {})
        before = before | given
        echo("  " + ", ".join(f"{name} {text}" for name, text in given.items()))
        return len(given)

    return ask_each(todo, asked, keep)


def take_counters(pack: Pack, rows: Iterable[tuple[Mapping[str, str], Where]]) -> int:
    """Keep the values of the rows of a CSV file, which has a column `unit` and one for each track; all or none. How
    many are kept.

    rows: each with its place in the file. Raises InputError, with that place, for a value that is not possible and for
    a unit that is listed twice.
    """
    given: dict[tuple[str, str], str] = {}
    units = set()
    for row, where in rows:
        unit = row["unit"]
        with located(where):
            if unit in units:
                raise InputError(f"unit {unit} is listed twice", hint="leave one of the rows out")
            units.add(unit)
            for name, text in row.items():
                if name != "unit" and text.strip():
                    given[unit, name] = pack.checked(unit, name, text)
    pack.enter_all(given, {})
    return len(given)


def tell_gaps(pack: Pack) -> None:
    """Say of which counters values are missing, a formation a line."""
    short, every = incomplete(pack), len(_every(pack))
    echo(f"counters: {every - len(short)} of {every} complete")
    for formation, ones in groupby(short, key=lambda gap: gap.formation):
        echo("\n".join(wrapped(f"{formation}: {', '.join(values.unit for values in ones)}", 100, "  ")))
    for name, units in _make_up(pack).items():
        of = units[0] if len(units) == 1 else f"{units[0]} and {len(units) - 1} more"
        what = f"made up besides: {pack.game.tracks[name].title} of {of}; to state it, type {name}=VALUE for a counter"
        echo("\n".join(wrapped(what, 100, "  ")))


def _make_up(pack: Pack) -> dict[str, list[str]]:
    """The units whose words are made up, by the track that no column asks for: sheets and modules say so too."""
    game, entered, units = pack.game, pack.values(), dict[str, list[str]]()
    for unit, facts in game.roster.items():
        for name, said in facts.items():
            if said and said[0].doubtful and not _is_value(game, name) and name not in entered.get(unit, {}):
                units.setdefault(name, []).append(unit)
    return units


def _as_typed(pack: Pack, values: Values) -> str:
    """What the pack holds of a counter, as it may be typed; "" for nothing."""
    known = pack.values().get(values.unit, {})
    return " ".join(known.get(name, UNKNOWN) for name in values.columns) if known else ""


def _every(pack: Pack) -> Roster:
    """What is printed on the counters of the game, and on those that its owner added."""
    return pack.game.roster | pack.own_units()


def _word(game: Game, printed: Mapping[str, Sequence[Fact]], track: str) -> str:
    """A fact printed on a counter in words, "" if it is unknown."""
    facts = printed.get(track, ())
    return game.tracks[track].write(facts[0].value) if facts else ""


def _sort_by(game: Game) -> tuple[str, ...]:
    """The tracks whose values name the formation of a counter."""
    tabs = game.file.module.palettes if game.file.module else ()
    texts = [name for name, track in game.tracks.items() if track.printed == "counter" and track.kind == "text"]
    names = dict.fromkeys([game.file.picture.nation, *tabs, *texts])
    return tuple(name for name in names if name in game.tracks)


def _is_value(game: Game, name: str) -> bool:
    """Whether a track is a value that is typed in its column: a number, or words other than those that say what a unit
    is.
    """
    said = {*_sort_by(game), *game.file.notation.identity}
    return name not in said and game.tracks[name].kind in ("integer", "choice", "choices")


def _nothing(game: Game, name: str) -> str:
    """What a counter that shows no value of a track has of it."""
    return "0" if game.tracks[name].kind == "integer" else "none"
