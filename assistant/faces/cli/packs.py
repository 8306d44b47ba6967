"""The commands `pack`: the owner's own charts, counters and map of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Unpack

import click

from ...asking.asks import (
    Ask,
    asks_for_printed,
    format_asks,
    format_drawn_title,
    format_group_statement,
    format_group_title,
    group_alike,
)
from ...asking.parameters import read_parameters
from ...asking.question import answer_question as ask_question
from ...asking.report import Report
from ...asking.view import View
from ...formats.positions import Position
from ...game.charts import Ends, Keys, cells_of
from ...game.pack_archive import pack_archive, take_archive
from ...game.pack_charts import list_keys
from ...game.pack_map import drafts
from ...game.packs import Pack
from ...game.photos import Photos
from ...installed.registry import load_game, named_game, pack_of, question_of
from ...service import answers_to
from ...state.state import CellKey
from ...util.console import echo, format_count
from ...util.datafiles import read_rows, read_text
from ...util.errors import InputError, Where, located, nearest
from ...util.files import read_bytes
from ...util.writing import write_whole
from .chart_entry import ask_ends, echo_doubts, enter_chart, enter_rows, take_table, tell_unread
from .entry import (
    ARMIES,
    COUNTERS,
    SCHEDULES,
    SETUPS,
    STOP_LINE,
    TURNS,
    Asker,
    course_differences,
    echo_counter_gaps,
    echo_course_gaps,
    echo_scenario_gaps,
    enter_counters,
    enter_course,
    enter_scenario,
    enter_turn,
    line_asker,
    read_turn_number,
    take_counters,
    take_scenario,
    take_turns,
)
from .group import PACK_FACTS, GameCommand
from .options import ReadingOptions, StateArgument, eyes, listed_games, open_position, with_game

CONTRADICTED_EXIT_CODE = 1
"""The exit code for a pack that contradicts the rulebook."""
_ALLOWS_MINUS = {"ignore_unknown_options": True}
"""The settings of commands whose words may begin with a minus sign, such as cells and rolls."""


class PackCommands(click.Group):
    """The commands of `pack`."""

    command_class = GameCommand


@click.group(cls=PackCommands)
def pack() -> None:
    """Your own charts, counter values and map, entered once and used from then on."""


@pack.command("list")
def list_packs() -> None:
    """The installed games, and what their packs hold."""
    for name in listed_games():
        own_pack = pack_of(load_game(name))
        parts = list(list_contents(own_pack))
        echo(f"{name}: {', '.join(parts) if parts else 'nothing entered'}  ({own_pack.folder})")


def list_contents(pack: Pack) -> Iterator[str]:
    """Yield the contents of a pack, in words.

    Raises InputError for a fault in its files.
    """
    for chart in pack.game.charts.values():
        if count := len(pack.charts.cells(chart.name)):
            cells = len(list_keys(chart, pack.charts.cells(chart.name)))
            yield f"{count} of {cells or 'an unknown number of'} cells of {chart.name}"
    if count := len(pack.values()):
        yield format_count(count, "counter")
    facts = {"the map": len(pack.ground()), "turns": len(pack.turns()), "armies": len(pack.armies())}
    for what, count in facts.items():
        if count:
            yield format_count(count, f"fact of {what}", f"facts of {what}")
    if count := len(pack.rulings()):
        yield format_count(count, "ruling")
    if count := len(pack.files.scenarios()):
        yield format_count(count, "scenario")


@pack.command("enter", context_settings=_ALLOWS_MINUS)
@click.argument("game")
@click.argument("chart")
@click.argument("prefix", nargs=-1)
def enter(game: str, chart: str, prefix: tuple[str, ...]) -> None:
    """Type a CHART of a GAME from your own copy, row by row, or its counters; each line is saved at once.

    The CHART `counters` is what stands on the counters: a line a unit, formation by formation, with the columns named
    above it; = repeats the value before (alone all of them), - is nothing printed, ? is not known, and NAME=VALUE is
    any other fact; the ratings alone may be typed as in a combat, 10-12-5-10. PREFIX is then a unit, nation, army or
    corps.

    The CHART `turns` is what the turn record prints, a turn a line; PREFIX is then `date` or another kind of fact.
    `armies` are the limits on the markers of armies. `setups` and `schedules` are the set-up of a scenario, in position
    notation, and what comes in it, a row a line: `3 38.14: 7 c, 8 c army=First`; PREFIX is then the scenario's name.

    Cells stand between spaces, = repeats the one before, and capitals do not matter: `+3xw2/-2 +1 == -/+1b1`. To start
    at a certain cell, give the beginning of its key as PREFIX: `pack enter GAME crt autumn 3:1`. An empty line skips a
    row, back (or the arrow up) returns to the row before, a dot stops. The same command continues where you stopped. A
    row that PREFIX names is asked for again if all of it is there. If only you know where the chart ends, that is asked
    first.
    """
    own_pack = pack_of(named_game(game))
    ask = line_asker()
    if chart == COUNTERS:
        enter_counters(own_pack, prefix, ask)
    elif chart in (TURNS, ARMIES):
        enter_course(own_pack, chart, prefix, ask)
    elif chart in (SETUPS, SCHEDULES):
        enter_scenario(own_pack, chart, prefix, ask)
    else:
        enter_chart(own_pack, chart, prefix, ask)


@pack.command("complete")
@click.argument("state", type=StateArgument())
@click.option("--question", default="battle", help="Which of the position's questions. By default battle.")
@eyes
@with_game
def complete(state: str, question: str, **options: Unpack[ReadingOptions]) -> None:
    """Type only what a question of the position STATE needs: cells of your charts, and facts of a drawn map on which
    its verdict turns. There = means as it is drawn; an empty line leaves one out, a dot stops.
    """
    completion = Completion(question, line_asker())
    while completion.goes_on(state, open_position(state, options)):  # each pass reads what the pass before has saved
        pass


@pack.command("set", context_settings=_ALLOWS_MINUS)
@click.argument("game")
@click.argument("what", nargs=-1, required=True)
def set_one(game: str, what: tuple[str, ...]) -> None:
    """Keep single facts of a GAME, written as in a position. A counter that the game does not list has to be described.

    \b
    pack set GAME chart crt summer 1:1 9 = "+1 / -"
    pack set GAME unit 25/3 defence 12
    pack set GAME unit "Reserve" nation=german arm=infantry size=XX
    pack set GAME ground 41.19 terrain clear
    pack set GAME ground "40.20|41.19" barrier minor-river
    pack set GAME ruling flip-point half-up
    pack set GAME turn 1 date 17 August 1914
    pack set GAME army "german Eighth" attachment-limit 5
    """
    own_pack = pack_of(named_game(game))
    match what:
        case ("chart", chart, *rest) if "=" in rest:
            middle = rest.index("=")
            declared = own_pack.game.chart(chart)
            cells = cells_of(declared, [declared.key(*rest[:middle])], " ".join(rest[middle + 1 :]))
            echo_doubts(own_pack.charts.enter_cells(declared.name, cells))
            tell_unread(own_pack.game.chart(chart))
        case ("unit", unit, *facts) if facts and all("=" in fact for fact in facts):
            values: dict[tuple[str, str], str] = {}
            for fact in facts:
                name, _, text = fact.partition("=")
                values[unit, own_pack.game.track(name).name] = text
            if len(values) < len(facts):
                raise InputError(f"a fact of {unit} is given twice", hint="leave out one of the two")
            own_pack.enter_all(values, {})
        case ("unit", unit, track, *value):
            own_pack.enter_all({(unit, track): " ".join(value)})
        case ("ground", where, track, *value):
            own_pack.enter_all(ground={("", where, track): " ".join(value)})
        case ("ruling", ruling, reading):
            own_pack.enter_ruling(ruling, reading)
        case ("turn", number, kind, *words):
            enter_turn(own_pack, number, kind, " ".join(words))
        case ("army", army, track, value):
            own_pack.enter_army(army, track, value)
        case _:
            form = " ".join(PACK_FACTS.get(what[0], ()))
            hint = f"write: pack set {game} {what[0]} {form}" if form else _meant_fact(own_pack, "set", what)
            raise InputError(f"{' '.join(what)!r} is not a fact for a pack", hint=hint)
    echo("saved")


def _meant_fact(own_pack: Pack, command: str, what: Sequence[str]) -> str:
    """Return a hint about words that name no kind of fact: the name of a chart comes after `chart`.

    `command`: the subcommand of `pack`.
    """
    name = what[0].casefold()
    if name not in own_pack.game.charts:
        return nearest(what[0], PACK_FACTS)
    cell = " ".join(key.name.upper() for key in own_pack.game.charts[name].keys)
    return f"write: pack {command} {own_pack.game.id} chart {name} {cell}{' = CELL' if command == 'set' else ''}"


@pack.command("unset", context_settings=_ALLOWS_MINUS)
@click.argument("game")
@click.argument("what", nargs=-1, required=True)
def unset_one(game: str, what: tuple[str, ...]) -> None:
    """Take single facts of a GAME out of your pack again, named as for `pack set`, without their values. If
    several boards have a fact of the map, name the board after it, `map` for the printed map.

    \b
    pack unset GAME chart crt summer 1:1 9
    pack unset GAME unit 25/3 defence
    pack unset GAME unit 25/3
    pack unset GAME ground "40.20|41.19" barrier
    pack unset GAME ruling flip-point
    pack unset GAME turn 1 date
    pack unset GAME army "german Eighth" attachment-limit
    """
    own_pack = pack_of(named_game(game))
    match what:
        case ("chart", chart, *key) if key:
            own_pack.charts.leave_out(chart, [tuple(key)])
        case ("unit", unit, *tracks) if len(tracks) < 2:
            own_pack.leave_out_value(unit, *tracks)
        case ("ground", where, track, *board) if len(board) < 2:
            own_pack.leave_out_ground(where, track, *board)
        case ("ruling", ruling):
            own_pack.leave_out_ruling(ruling)
        case ("turn", number, kind):
            own_pack.leave_out_turn(read_turn_number(number), kind)
        case ("army", army, track):
            own_pack.leave_out_army(army, track)
        case _:
            form, _ = PACK_FACTS.get(what[0], ("", ""))
            written = f"write: pack unset {game} {what[0]} {form}"
            unknown = f"{' '.join(what)!r} does not name an entry of a pack"
            raise InputError(unknown, hint=written if form else _meant_fact(own_pack, "unset", what))
    echo("taken out")


@pack.command("take")
@click.argument("game")
@click.argument("chart")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
def take(game: str, chart: str, file: Path) -> None:
    """Keep the cells of a CHART from a FILE: a table from a spreadsheet or a text, whichever way it lies. How it was
    read is shown, to be confirmed, unless it has a column for each key and each field, or headings at both sides, and
    no mistake.

    The CHART `counters` is a roster: a column `unit`, and one for each value printed on counters. `turns` has a column
    `turn`, and one for each kind of fact about it. `setups` is a position, `schedules` the rows of what comes later;
    FILE is named after their scenario.
    """
    if not file.is_file():
        raise InputError("no such file", where=Where(str(file)), hint="check the path")
    own_pack = pack_of(named_game(game))
    if chart == COUNTERS:
        with located(Where(str(file))):
            count = take_counters(own_pack, read_rows(file, ("unit",), str(file)))
        echo(f"{format_count(count, 'value')} of {chart} saved")
        return
    if chart == TURNS:
        with located(Where(str(file))):
            count = take_turns(own_pack, read_rows(file, ("turn",), str(file)))
        echo(f"{format_count(count, 'fact')} of {chart} saved")
        return
    if chart in (SETUPS, SCHEDULES):
        echo(f"{chart} of the scenario {take_scenario(own_pack, chart, file)} saved")
        return
    with located(Where(str(file))):
        cells = take_table(own_pack, chart, read_text(file, str(file)), line_asker(), asks_always=False)
    if not cells:
        raise InputError("nothing is saved", where=Where(str(file)))
    echo(f"{format_count(len(cells), 'cell')} of {chart} saved")
    tell_unread(own_pack.game.chart(chart))


@pack.command("check")
@click.argument("game")
@click.pass_context
def check(ctx: click.Context, game: str) -> None:
    """Read everything entered for a GAME, name the counters, turns and armies that lack values, and report what
    contradicts the rulebook (exit code 1).
    """
    loaded = named_game(game)
    own_pack = pack_of(loaded)
    loaded.roster  # noqa: B018  # reading it checks every file
    wrong = False
    for chart in own_pack.game.charts:
        try:
            echo_doubts(own_pack.charts.check_cells(chart, own_pack.charts.cells(chart)))
        except InputError as error:
            wrong = True
            echo(f"{chart}: {error}", err=True)
    for contradiction in own_pack.check_ground():
        wrong = True
        echo(f"map: {contradiction}", err=True)
    echo(f"{game}: {', '.join(list_contents(own_pack)) or 'nothing entered'}")
    for file in own_pack.files.unread():
        echo(f"{file} is not read: neither a chart nor a board has that name, nor anything else in a pack")
    echo_counter_gaps(own_pack)
    echo_course_gaps(loaded)
    if echo_scenario_gaps(own_pack, own_pack.files.scenarios()) or wrong:
        ctx.exit(CONTRADICTED_EXIT_CODE)


@pack.command("diff")
@click.argument("game")
def diff(game: str) -> None:
    """What was entered for a GAME, next to what the game's own files say."""
    own_pack = pack_of(named_game(game))
    for chart in own_pack.game.charts.values():
        for key, cell in own_pack.charts.cells(chart.name).items():
            own = chart.cells.get(key)
            if own is None or dict(own.values) != dict(cell.values):
                before = f"{chart.write(key, own).partition(' = ')[2]} ({own.source})" if own else "nothing"
                echo(f"{chart.write(key, cell)}   instead of {before}")
    for line in course_differences(own_pack):
        echo(line)
    for unit, values in own_pack.values().items():
        for track, text in values.items():
            facts = own_pack.game.roster.get(unit, {}).get(track, [])
            own_text = own_pack.game.tracks[track].write(facts[0].value) if facts else ""
            if own_text != text:
                before = f"{own_text} ({facts[0].source})" if facts else "nothing"
                if unit not in own_pack.game.roster:
                    before += ": the roster has no such unit"
                echo(f"{unit} {track}={text}   instead of {before}")
    confirmed = 0
    for (board, where, name), fact in own_pack.ground().items():
        declared = own_pack.game.tracks[name]
        drawn = [(f" on board {on}", own) for on, own in drafts(own_pack.game, (name, where), board)] or [("", None)]
        for drawn_on, own_fact in drawn:
            if own_fact is not None and own_fact.value == fact.value:
                confirmed += 1
                continue
            before = f"{declared.write(own_fact.value)} ({own_fact.source})" if own_fact else "nothing"
            echo(f"{declared.how_to_state(where, fact.value)}   instead of {before}{drawn_on}")
    if confirmed:
        echo(format_count(confirmed, "fact of the map is as it was drawn", "facts of the map are as they were drawn"))


@pack.command("export")
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
@click.option("--photos", is_flag=True, help="With your photos of the map, which otherwise stay on this machine.")
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
def export(game: str, file: Path, photos: bool, force: bool) -> None:
    """Write everything entered for a GAME to one zip FILE, as a backup or for another machine."""
    own_pack = pack_of(named_game(game))
    write_whole(file, pack_archive(own_pack, with_photos=photos), force=force)
    echo(f"{file}: {format_count(len(own_pack.files.list_existing()), 'file')} of {own_pack.folder}")
    if count := len(Photos(own_pack.game.id).ids()):
        echo(f"{format_count(count, 'photo')} of your map {'added' if photos else 'left out: --photos adds photos'}")


@pack.command("import")
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path, readable=False))
def import_(game: str, file: Path) -> None:
    """Keep the files of a pack of a GAME from the zip FILE to which it was exported, all or none; each replaces the one
    that your pack has.
    """
    own_pack = pack_of(named_game(game))
    echo_doubts(take_archive(own_pack, read_bytes(file), str(file)))
    echo(f"{file}: saved in {own_pack.folder}")


AS_DRAWN = "="
"""The word for a fact that agrees with the drawn map."""


class Completion:
    """A dialogue that asks for what a question needs from the printed game until all of it is known.

    `question`: the name of the question.
    `ask`: asks for a line; a dot ends the typing, and an empty line leaves one item out.
    """

    def __init__(self, question: str, ask: Asker) -> None:
        self.question = question
        self._ask = ask
        self._left_out = set[tuple[int | str, ...]]()
        self._stopped = False
        self._ends = dict[str, list[Keys]]()

    def goes_on(self, file: str, position: Position) -> bool:
        """Ask for the missing data and save them; return whether more may be missing then.

        Raises InputError if the position cannot be read or the question cannot be asked.
        """
        view, report = self._answer_question(file, position)
        pack = pack_of(position.game)
        cells = [
            (chart, key) for chart, key in self._find_cells_missed(pack, view) if (chart, *key) not in self._left_out
        ]
        if self._stopped:
            return False
        printed = [asked for asked in asks_for_printed(view.game, report.rests_on) if asked.key not in self._left_out]
        if not cells and not printed:
            stated = [asked for asked in report.asks if asked.kind == "fact" and asked.key not in self._left_out]
            self._echo_end(file, stated)
            return False
        if printed:
            echo(f"{view.board.title}: {AS_DRAWN} is as drawn, an empty line leaves a fact out, a dot stops")
        self._left_out |= {asked.key for asked in enter_drawn(pack, view.board.name, printed, self._ask_fact)}
        for chart, key in cells:
            if self._stopped:
                break
            saved = sum(enter_rows(pack, chart, [[key]], self._ask_line))
            if not saved and not self._stopped:
                self._left_out.add((chart, *key))
        return not self._stopped

    def _find_cells_missed(self, pack: Pack, view: View) -> list[CellKey]:
        """Return the missing cells, each once, after asking for unknown ends of their charts."""
        charts = {name: pack.game.chart(name) for name, _ in view.premises.missed_cells}
        ends = dict[str, tuple[Ends, ...]]()
        for name, chart in charts.items():
            known = [*pack.charts.cells(name), *(keys for of, keys in view.state.cells if of == name)]
            if chart.has_owner_ends and name not in self._ends:
                self._ends[name] = ask_ends(chart, known, self._ask_line)
            ends[name] = chart.ends((*known, *self._ends.get(name, ())))
        missed = dict[CellKey, None]()
        for name, key in view.premises.missed_cells:
            missed[name, charts[name].key_within(key, ends[name])] = None
        return [*missed]

    def _answer_question(self, file: str, position: Position) -> tuple[View, Report[Any]]:
        asked = next((asked for asked in position.asks if asked.question == self.question), None)
        if asked is None:
            hint = f"write a line: ask {self.question} name=value ..."
            raise InputError(f"{self.question} is not asked in this position", where=Where(file), hint=hint)
        view = View(position.game, position.state)
        question = question_of(position.game, self.question)
        given = read_parameters(question, view, asked.parameters)
        return view, ask_question(question, view, given, answers_to(position, asked))

    def _echo_end(self, file: str, stated: Sequence[Ask]) -> None:
        for line in format_asks(stated):
            echo(f"state in the position: {line}")
        known = "all that it needs is known"
        if stated:
            known = f"write each into {file}, such as `{_find_example(stated[0])}`, and type the same command again"
        echo(f"{self.question}: {'some of what it needs was left out' if self._left_out else known}")

    def _ask_line(self, prompt: str, known: str) -> str:
        line = self._ask(prompt, known)
        self._stopped = line.strip() == STOP_LINE
        return line

    def _ask_fact(self, prompt: str) -> str | None:
        line = self._ask_line(prompt, "").strip()
        return None if self._stopped else line


def _find_example(ask: Ask) -> str:
    subject = str(ask.key[1]) if ask.how.startswith(str(ask.key[1])) else ""
    return subject + ask.how.removeprefix(subject).partition("|")[0]


def enter_drawn(pack: Pack, board: str, asks: Sequence[Ask], ask: Callable[[str], str | None]) -> Iterator[Ask]:
    """Ask for facts of a board and save them, first together for facts drawn alike; yield the asks left out.

    `ask`: shows a prompt and returns the typed line, or None to end the typing.
    """
    for group in group_alike(asks):
        if len(group) > 1:
            choice = f"{AS_DRAWN} if all are, an empty line to be asked one by one"
            line = ask(f"{format_group_title(group)} ({format_group_statement(group)}; {choice})> ")
            if line is None:
                return
            if line == AS_DRAWN:
                _keep_facts(pack, board, [(asked, asked.drawn) for asked in group])
                continue
            if line:
                echo(f"  {AS_DRAWN} answers for all of them; an empty line asks for them one by one")
        for fact_asked in group:
            line = ask(f"{format_drawn_title(fact_asked)} ({fact_asked.how})> ")
            if line is None:
                return
            if line:
                _keep_facts(
                    pack, board, [(fact_asked, fact_asked.drawn if line == AS_DRAWN else "+".join(line.split()))]
                )
            else:
                yield fact_asked


def _keep_facts(pack: Pack, board: str, values: Sequence[tuple[Ask, str]]) -> None:
    try:
        pack.enter_all({}, {(board, str(ask.key[1]), str(ask.key[0])): text for ask, text in values})
    except InputError as error:
        echo(f"  {error}")
