"""What the pictures of a retreat and a pursuit show."""

from __future__ import annotations

import pytest

from assistant.formats.notation import read
from assistant.plugins.registry import load_game

from ...assistant.pictures.sketch.answers import parts, sketched

GAME = load_game("kaisers-war-in-the-east")
TEXT = GAME.folder.joinpath("examples", "questions.pos").read_bytes()


def test_a_pursuit_into_a_hex_of_the_enemy_shows_why_it_is_barred_and_no_way() -> None:
    sketch = sketched(read(TEXT, "x.pos", load_game), "pursue", units="Rus-2", at="2621", result="DD")
    assert parts(sketch) == {"2620": ("start", ""), "2621": ("barred", "a")}
    assert list(sketch.letters.values()) == ["enemy units are in it"]
    assert sketch.arrows == ()
    assert [zone.side for zone in sketch.zones] == ["central-powers"]


@pytest.mark.rule("13.0", "11.1")
def test_reach_and_moves_show_costs() -> None:
    position = read(TEXT, "x.pos", load_game)
    reach = parts(sketched(position, "reach", unit="Rus-2"))
    assert (reach["2619"], reach["2719"]) == (("reached", "2"), ("reached", "3"))
    move = parts(sketched(position, "move", unit="Rus-2", way="2619"))
    assert move == {"2620": ("start", ""), "2619": ("end", "2")}
