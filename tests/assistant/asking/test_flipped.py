"""A counter with other values on its back has one set of values at a time, whoever reads them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from assistant.asking.view import View, turned_over
from assistant.drawing.map.survey import SurveyReader
from assistant.faces.page.messages.table import UnitShown
from assistant.faces.page.table_view import show_units
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.rules.field import side_of
from assistant.testing import asked, game_in, typed

from ...cases import few, seeds
from ...folders import written

TRACKS = """
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["blue", "red"]
printed = "counter"
token = "{}"
[attack]
title = "attack"
on = "unit"
kind = "integer"
printed = "counter"
back = "attack-back"
[attack-back]
title = "attack on the back"
on = "unit"
kind = "integer"
printed = "counter"
[guns]
title = "guns"
on = "unit"
kind = "integer"
printed = "counter"
[disrupted]
title = "disrupted"
on = "unit"
kind = "flag"
absent = false
module = { menu = ["Disrupt"], flips = true, needs = "guns" }
[reduced]
title = "reduced"
on = "unit"
kind = "flag"
absent = false
module = { menu = ["Flip"], flips = true, needs = "attack-back" }
"""
GAME = """title = "Heath"
[grid]
columns = [1, 9]
rows = [1, 9]
[sides]
blue = ["blue"]
red = ["red"]
[notation]
brackets = ["attack"]
[[roster]]
file = "roster.csv"
source = "rulebook"
[combat]
attack = "attack"
defence = "attack"
rounding = "down"
chart = "crt"
dice = [1, 6]
[picture]
figures = ["attack"]
"""
CHARTS = """
[crt]
title = "CRT"
keys = [{ name = "odds", values = ["1:1"] }, { name = "die", least = 1, most = 6 }]
fields = [{ name = "result", values = ["DR"] }]
file = "crt.csv"
"""
CRT = "odds,die,result,source\n" + "".join(f"1:1,{die},DR,rulebook\n" for die in range(1, 7))
ROSTER = "unit,nation,attack,attack-back\nGuard,blue,8,3\nFoe,red,2,1\nLost,blue,6,\n"


@pytest.fixture
def heath(tmp_path: Path, own_data: None) -> Game:
    files = {"game.toml": GAME, "tracks.toml": TRACKS, "charts.toml": CHARTS, "crt.csv": CRT, "roster.csv": ROSTER}
    return game_in(str(written(tmp_path / "heath", files)))


def read_everywhere(position: Position, unit: str) -> set[int | None]:
    """A unit's attack as the rules, the odds, a picture and the table page have it; None where it is not known."""
    view = View(position.game, position.state)
    units = [msgspec.json.decode(written, type=UnitShown) for written in show_units(view)]
    (shown,) = (shown for shown in units if shown.id == unit)
    pictured = "".join(SurveyReader(view).figures(unit))
    odds = asked(position, "odds", at="0505", from_=["0504"])
    known = view.integer("attack", unit) if view.fact("attack", unit) else None
    return {
        known,
        view.gather().integer("attack", unit) if known is not None else None,
        odds.result.attack if odds.result else None,
        int(pictured) if pictured else None,
        *([int(figure) for figure in shown.figures if figure.isdigit()] or [None]),
    }


@few(8)
@pytest.mark.parametrize("seed", seeds(200))
def test_a_rating_is_that_of_the_side_that_is_up_for_whoever_reads_it(heath: Game, seed: int) -> None:
    chance = Random(seed)
    unit, (front, back) = chance.choice([("Guard", (8, 3)), ("Lost", (6, None))])
    stated = {name: chance.randrange(1, 9) for name in ("attack", "attack-back") if chance.random() < 0.4}
    flags = [flag for flag in ("reduced", "disrupted") if chance.random() < 0.4]
    words = " ".join([unit, *flags, *(f"{name}={value}" for name, value in stated.items())])
    expected = stated.get("attack", front)
    if flags:  # one value that is stated is that of the side that a player sees
        expected = stated.get("attack-back", stated.get("attack", back))
    assert read_everywhere(typed(f"0504: {words}\n0505: Foe", heath), unit) == {expected}


def test_the_front_can_be_read_of_a_counter_that_is_turned_over(heath: Game) -> None:
    position = typed("0504: Guard reduced\n0505: Foe", heath)
    view = View(position.game, position.state)
    assert (view.integer("attack", "Guard"), view.on_front("attack", "Guard")) == (3, 8)
    with view.gather() as facts:
        assert (
            facts.integer("attack", "Guard"),
            facts.on_front("attack", "Guard"),
            side_of(facts, view.unit("Guard")),
        ) == (3, 8, "blue")


def test_what_is_not_known_is_asked_of_the_side_that_is_up(heath: Game) -> None:
    position = typed("0504: Lost reduced\n0505: Foe", heath)
    assert [ask.how for ask in asked(position, "odds", at="0505", from_=["0504"]).asks] == ["Lost attack-back=N"]


def test_a_counter_that_is_turned_over_loses_the_value_that_was_stated_of_its_other_side(heath: Game) -> None:
    position = typed("0504: Guard attack=7\n0505: Foe", heath)
    view = View(position.game, position.state)
    changes = [*turned_over(view, "reduced", "Guard", True, "6.1")]
    assert [(change.track, change.before, change.after) for change in changes] == [
        ("reduced", None, True),
        ("attack", 7, None),
    ]
    assert view.after(changes).integer("attack", "Guard") == 3
    both = typed("0504: Guard attack=7 attack-back=2\n0505: Foe", heath)
    view = View(both.game, both.state)
    assert view.after(turned_over(view, "reduced", "Guard", True, "6.1")).integer("attack", "Guard") == 2
