"""One reader for the schedules of all games: rows of an owner's pack come after the game's own, and bring units."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.game.packs import overlay_pack
from assistant.game.schedule_files import read_schedules
from assistant.game.turn_record import read_calendar
from assistant.installed.registry import load_game
from assistant.rules.arrivals import coming_units, fact_of

from ..folders import written

TURNS = {
    "twilight-in-the-east": "3",
    "kaisers-war-in-the-east": "3",
    "world-undone-east-prussia-1914": "3",
    "der-weltkrieg": "sep14/2",
}


@pytest.mark.parametrize(("name", "at"), TURNS.items())
def test_rows_of_a_pack_bring_units_in_every_game(name: str, at: str, tmp_path: Path) -> None:
    bare = load_game(name)
    listed = {unit for row in read_schedules(bare).rows for unit in row.named_units}
    unit = next(unit for unit, facts in bare.roster.items() if bare.file.picture.nation in facts and unit not in listed)
    nation = str(bare.roster[unit][bare.file.picture.nation][0].value)
    game = overlay_pack(bare, written(tmp_path, {"schedules/mine.csv": f'rule,item,at,units\n1,unit,{at},"{unit}"\n'}))
    own, more = read_schedules(bare).rows, read_schedules(game).rows
    assert more[: len(own)] == own and [row.who for row in more[len(own) :]] == [nation]
    view = View(game, read_notation(f"game {name}\nturn={at}\n".encode(), "typed.pos", lambda _: game).state)
    assert unit in [due.text for due in read_schedules(game).due(read_calendar(game).number(at), fact_of(view))]
    (coming,) = (each for each in coming_units(view, game.side_of(nation)) if each.unit == unit)
    assert coming.turn == read_calendar(game).number(at)
