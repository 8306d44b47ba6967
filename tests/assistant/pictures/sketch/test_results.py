"""What a picture tells of the outcome, and whose units it shows."""

from __future__ import annotations

from itertools import product

from assistant.formats.notation import read
from assistant.pictures.sketch.scene import frame_hexes
from assistant.plugins.registry import load_game
from assistant.questions.view import View
from assistant.questions.wording import without_fact_counts

from .answers import answered, sketched

TRAPPED = b"""game kaisers-war-in-the-east
scenario=1914
turn=3
phasing=allies
main-effort=west
side central-powers vp=65
side allies vp=80
2620 clear: Rus-2 (9-12-4), Rus-5 (8-11-4)
2519 clear: Rus-9 (6-8-4)
2621 clear: AH-4 (10-11-4), AH-3 (9-10-4)
2721 rough
2622 clear
2722 clear
2723 clear: Rus-W (4-5-5)
2521 clear
2522 clear: AH-1 (8-9-4)
2620 | 2621 open
2621 | 2521,2722,2721,2622 open
ask retreat units=AH-4,AH-3
"""


def test_what_becomes_of_units_that_leave_the_map_is_told() -> None:
    sketch = sketched(read(TRAPPED, "t.pos", load_game))
    assert [text.split(" [")[0] for text in sketch.results][:1] == ["AH-4: 2621 to Available"]
    assert any(text.startswith("central-powers, vp: -") for text in sketch.results)


def test_the_units_whose_zones_bar_a_hex_are_in_the_picture() -> None:
    position = read(TRAPPED, "t.pos", load_game)
    _, hexes = frame_hexes(View(position.game, position.state).board, sketched(position))
    assert "2723" in hexes


def test_every_unit_whose_zone_reaches_a_hex_drawn_is_drawn_too() -> None:
    for case in answered().values():
        board = case.view.board
        sketch, hexes = frame_hexes(board, case.sketch)
        for zone, name in product(sketch.zones, hexes):
            if name in zone.hexes:
                assert zone.holders & {*board.neighbours(name)} <= {*hexes}


def test_a_picture_does_not_count_the_facts_it_rests_on() -> None:
    told = "drawn, not from the printed game: the East (37355 facts), arm (4 facts)"
    assert without_fact_counts(told) == "drawn, not from the printed game: the East, arm"


def test_the_sum_of_an_odds_battle_has_its_odds() -> None:
    sums = [
        dict(row for row in table.rows if len(row) == 2)
        for name, case in answered().items()
        if name.startswith("world-undone") and ": battle" in name
        for table in case.sketch.tables
    ]
    assert sums
    assert all(rows["odds"] == f"{rows['attack']} : {rows['defence']}" for rows in sums)
