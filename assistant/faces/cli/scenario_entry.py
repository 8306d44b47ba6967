"""The scenarios that the owner of a game types: their set-ups and schedules, and what they lack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...asking.wrapping import wrap_text
from ...util.console import echo, format_count
from ...util.errors import InputError
from .entry import BACK, SETUPS, STOP, Asker, echo_fitted

if TYPE_CHECKING:
    from ...game.packs import Pack


def enter_scenario(pack: Pack, what: str, words: Sequence[str], ask: Asker) -> None:
    """Ask for lines of the set-up or rows of the schedule of a scenario, keep each at once, and say what the scenario
    lacks.

    what: setups or schedules; words: the name of the scenario. Raises InputError unless it is named.
    """
    from ...rules.scenario_entry import add_line, add_row, put_file, schedule_rows, set_up_text, write_schedule

    if len(words) != 1:
        raise InputError("name the scenario", hint=f"write: pack enter {pack.game.id} {what} NAME")
    (name,) = words
    pack.files.scenario_file(what, name)
    is_set_up = what == SETUPS
    example = "HEX: UNIT, UNIT" if is_set_up else "3 HEX: UNIT, UNIT army=ARMY"
    echo_fitted(
        f"{what} {name}: type one line at a time, such as `{example}`; `{BACK}` removes the last one, a dot stops"
    )
    count = 0
    while (line := ask(f"{name}> ", "").strip()) != STOP:
        try:
            if line.casefold() == BACK:
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
    """Keep a file as the set-up or the schedule of the scenario that it is named after, in place of the one that the
    pack has. Returns the name. Raises InputError, with file and line, for a fault in it.
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
    """Say what is wrong with scenarios of the pack, what in their set-ups is not of them, and what each lacks, in the
    order in which it is best typed; returns whether something is wrong.
    """
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
