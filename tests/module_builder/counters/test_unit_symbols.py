"""A unit has the same symbol on its counter, in pictures and on the page."""

from __future__ import annotations

import pytest

from assistant.asking.view import View
from assistant.drawing.counters import face_of_unit
from assistant.drawing.map.survey import SurveyReader
from assistant.drawing.symbols import Symbols
from assistant.game.gamefile import PictureTracks, TroopSymbol
from assistant.game.states import Stated, build_state
from assistant.game.unit_symbols import name_symbol
from assistant.installed.registry import installed_games, named_game
from assistant.state.state import Unit
from assistant.state.tracks import Fact
from module_builder.counters.columns import SYMBOL, Columns

GAMES = [name for name in sorted(installed_games()) if named_game(name).counters]
TROOPS = {
    "20 lw": "landwehr-infantry",
    "35 r": "reserve-infantry",
    "1 gdc": "guard-cavalry",
    "1st Rifle": "rifles",
    "1/1": "infantry",
}


def drawn_symbols(name: str) -> dict[str, str]:
    """The name of the symbol of each counter of a game in pictures, with all that its counter says."""
    game = named_game(name)
    units = [Unit(unit, game.type_of(unit), None) for unit in game.counters]
    facts = {
        (track, unit): Fact(known[0].value)
        for unit in game.counters
        for track, known in game.roster[unit].items()
        if known
    }
    reader = SurveyReader(View(game, build_state(game, Stated(units=units, facts=facts))))
    return {unit.id: face_of_unit(unit, reader).arm for unit in units}


@pytest.mark.parametrize("name", GAMES)
def test_picture_and_counter_have_one_symbol(name: str) -> None:
    game = named_game(name)
    columns, symbols, drawn = Columns(game, "", ""), Symbols(game), drawn_symbols(name)
    assert {unit: columns.values(unit).get(SYMBOL, "") for unit in game.counters} == drawn
    if symbols.symbol("infantry"):
        named = {row.draw.replace("{}", "infantry") for row in game.file.picture.troops}
        assert [word for word in named if symbols.symbol(word) is None] == []


@pytest.mark.parametrize("unit", TROOPS)
def test_troops_are_told_by_their_ids(unit: str) -> None:
    assert drawn_symbols("twilight-in-the-east")[unit] == TROOPS[unit]


def test_first_row_that_fits_counts() -> None:
    rows = (
        TroopSymbol(draw="guard-{}", named=("Guard",), of=("infantry",)),
        TroopSymbol(draw="fortress-{}", facts={"movement": "0"}),
    )
    picture = PictureTracks(troops=rows)

    def name(unit: str, word: str, movement: str = "") -> str:
        return name_symbol(picture, unit, word, {"movement": movement}.__getitem__)

    assert name("1st Guard", "infantry", "0") == "guard-infantry"
    assert name("1st Guard", "cavalry") == "cavalry"
    assert name("1st Guards", "infantry") == "infantry"
    assert name("Battery", "artillery", "0") == "fortress-artillery"
    assert name("Battery", "", "0") == ""
