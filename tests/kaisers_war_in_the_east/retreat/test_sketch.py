"""What the pictures of a retreat and a pursuit show."""

from __future__ import annotations

import pytest

from assistant.formats.notation import read_notation
from assistant.installed.registry import load_game

from ...assistant.drawing.sketch.answers import check_reach, parts, sketched
from ...conftest import answered

GAME = load_game("kaisers-war-in-the-east")
TEXT = GAME.folder.joinpath("examples", "questions.pos").read_bytes()


def test_a_pursuit_into_a_hex_of_the_enemy_shows_why_it_is_barred_and_no_way() -> None:
    sketch = sketched(read_notation(TEXT, "x.pos", load_game), "pursue", units="Rus-2", at="2621", result="DD")
    assert parts(sketch) == {"2620": ("start", ""), "2621": ("barred", "a")}
    assert list(sketch.letters.values()) == ["enemy units are in it"]
    assert sketch.arrows == ()
    assert [zone.side for zone in sketch.zones] == ["central-powers"]


@pytest.mark.rule("13.0", "11.1")
def test_reach_shows_the_points_left_and_moves_show_costs() -> None:
    position = read_notation(TEXT, "x.pos", load_game)
    reach = parts(sketched(position, "reach", unit="Rus-2"))
    assert (reach["2619"], reach["2719"]) == (("reached", "2"), ("reached", "1"))
    sketch = sketched(position, "reach", unit="Rus-2")
    check_reach(sketch, answered(position, "reach", unit="Rus-2").result, "allies")
    assert [arrow.hexes for arrow in sketch.arrows] == [("2620", "2619"), ("2620", "2720"), ("2619", "2719")]
    assert list(sketch.letters.values()) == [
        "it leads out of the zone of control of AH-4 into the zone of control of AH-4",
        "enemies stand there",
    ]
    (zone,) = sketch.zones
    assert (zone.side, {"2521", "2620", "2721"} <= zone.hexes) == ("central-powers", True)
    assert (sketch.focus, {*sketch.words}) == ((), {"onward"})
    move = parts(sketched(position, "move", unit="Rus-2", way="2619"))
    assert move == {"2620": ("start", ""), "2619": ("end", "2")}
