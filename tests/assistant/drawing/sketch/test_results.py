"""What a picture tells of the outcome, and whose units it shows."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from assistant.asking.view import View
from assistant.asking.wording import drop_fact_counts
from assistant.drawing.scene import Group
from assistant.drawing.sketch.scene import frame_hexes, sketch_scene
from assistant.drawing.sketch.text_map import sketch_map
from assistant.formats.notation import read_notation
from assistant.installed.registry import load_game
from assistant.state.changes import Change

from ....cases import few
from .answers import answer_of, parts, questions, sketched

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


def test_units_that_are_eliminated_are_crossed_out_with_those_whose_zones_bar_them() -> None:
    position = read_notation(TRAPPED, "t.pos", load_game)
    sketch, view = sketched(position), View(position.game, position.state)
    assert [fate.line for fate in sketch.fates] == ["AH-4, AH-3: cannot retreat and are eliminated"]
    assert sketch.removed == {"AH-4": "lost", "AH-3": "lost"}
    assert parts(sketch)["2621"] == ("start", "eliminated")
    assert sum(role == "barred" for role, _ in parts(sketch).values()) == 6
    assert sketch.results == ("Central Powers: Victory Points on the track down by 18, from 65 to 47",)
    scene = sketch_scene(view, sketch)
    crossed = [shape.title for layer in scene.layers if layer.name == "fates" for shape in layer.shapes]
    assert [title for title in crossed if title] == ["AH-4: lost", "AH-3: lost"]
    letters = ["".join(run.text for run in row) for row in sketch_map(view, sketch, 100)]
    assert any("\u2020AH-4" in row for row in letters)
    position = read_notation(TRAPPED, "t.pos", load_game)
    _, hexes = frame_hexes(View(position.game, position.state).board, sketched(position))
    assert "2723" in hexes


def test_units_that_retreat_stand_where_the_way_ends_and_are_pale_where_it_begins() -> None:
    position = read_notation(ON_THE_WAY, "t.pos", load_game)
    sketch, view = (
        sketched(position, "retreat", units=["III/25", "III/27"], hexes=2, way=["5520", "5620"]),
        View(position.game, position.state),
    )
    assert parts(sketch)["5620"] == ("end", "")
    scene = sketch_scene(view, sketch)
    layers = {layer.name: [shape.title for shape in layer.shapes if isinstance(shape, Group)] for layer in scene.layers}
    assert layers["fates"] == ["III/25: stood there before", "III/27: stood there before"]
    counters = [title.partition(":")[0] for title in layers["units"]]
    assert {unit: counters.count(unit) for unit in ("III/25", "II/26")} == {"III/25": 2, "II/26": 1}
    rows = ["".join(run.text for run in row) for row in sketch_map(view, sketch, 100)]
    assert any("~III/25" in row for row in rows)
    assert "~ stood there before" in " ".join(rows)
    assert [fate.line for fate in sketch.fates] == ["III/25, III/27: retreat to 5620"]


def test_an_army_that_breaks_down_is_cracked_and_its_corps_stand_in_its_hex() -> None:
    position = read_notation(BROKEN, "t.pos", load_game)
    sketch, view = sketched(position), View(position.game, position.state)
    assert [fate.line for fate in sketch.fates] == ["Rus-2: breaks down into 2 corps: Rus-inf-1, Rus-inf-2"]
    assert sketch.removed == {"Rus-2": "broken"}
    assert [(remark.where, remark.text) for remark in sketch.remarks] == [
        ("2620", "retreats 1 hex"),
        ("2521", "counts against the defender"),
        ("2721", "counts against the defender"),
    ]
    assert not any("Rus-inf" in line for line in sketch.results)
    scene = sketch_scene(view, sketch)
    layers = {layer.name: [shape.title for shape in layer.shapes if isinstance(shape, Group)] for layer in scene.layers}
    assert layers["fates"] == ["Rus-2: breaks down"]
    assert {"Rus-inf-1", "Rus-inf-2"} <= {title.partition(":")[0] for title in layers["units"]}


BROKEN = b"""# The same battle with its die.
game kaisers-war-in-the-east
turn=2
main-effort=west
2620 clear: Rus-2 (9-12-4)
2621: AH-4 (10-11-4)
2620 | 2621 open
nation russian spare-corps=2
chart reorganization austro-hungarian infantry-army = 3
nation austro-hungarian spare-corps=1
side central-powers vp=65
side allies vp=80
ask battle at=2620
answers die=6
"""
ON_THE_WAY = b"""game world-undone-east-prussia-1914
scenario=historical
turn=3
phasing=german
phase=first-combat
5320: I/1 fought
5421: I/2 fought
5420: III/25, III/27
5620: II/26
5420-5520-5620
"""


def test_it_is_shown_where_the_second_hex_of_a_retreat_may_lead() -> None:
    sketch = sketched(read_notation(ON_THE_WAY, "t.pos", load_game), "retreat", units=["III/25", "III/27"], hexes=2)
    onward = [arrow.hexes for arrow in sketch.arrows if arrow.kind == "onward"]
    assert onward == [("5520", "5519"), ("5520", "5619"), ("5520", "5620")]
    one = sketched(read_notation(ON_THE_WAY, "t.pos", load_game), "retreat", units=["III/25", "III/27"], hexes=1)
    assert not any(arrow.kind == "onward" for arrow in one.arrows)


def test_costs_that_rise_along_a_retreat_are_shown_where_they_are_paid() -> None:
    case = answer_of("stacks: retreat 0")
    costs = {arrow.hexes: arrow.label for arrow in case.sketch.arrows if arrow.kind == "onward"}
    assert costs["41.20", "40.21"] == "+up to 2 steps, guns"
    assert costs["42.19", "43.19"] == ""
    (table,) = case.sketch.tables
    assert table.heads == ("hex 2 adds", "1/1", "2/1")
    assert ("41.20 to 40.21", "2 steps, 4 FA", "1 level, 1 step") in table.rows
    assert table.rows[-1] == ("all others", "free", "free")
    assert "for each Force see the table" in case.sketch.word("onward")
    assert any(text.startswith("The first EZOC") for text in case.sketch.caption)
    done = sketched(read_notation(TWO_ZONES, "t.pos", load_game))
    assert parts(done)["42.19"] == ("passed", "1st EZOC: 1 level")
    assert parts(done)["43.19"] == ("end", "2nd EZOC: 2 steps, guns")
    assert [fate.line for fate in done.fates] == [
        "4 FA: eliminated by the retreat",
        "1/1: retreat to 43.19; loses 1 level and 2 steps",
    ]


TWO_ZONES = b"""game twilight-in-the-east
board east
turn=1
41.19 clear: 1/1 (12-16-7-11) cel=-3, german artillery - "4 FA"
40.20: 25/3
40.19: 29/20
42.20: 27/3
ask retreat at=41.19 hexes=2 cause=check way=42.19,43.19
"""


def test_after_the_dice_a_battle_shows_its_result_step_by_step() -> None:
    sketch = answer_of("twilight-in-the-east battle.pos: battle 0").sketch
    odds, result = sketch.chains
    assert odds.links[odds.answer] == ("column and magnitude", "1:1, Large")
    assert ("attack to defence", "1.83:1") in odds.links
    assert result.links[0] == ("dice", "7")
    assert result.links[result.answer] == ("result: DRM on the loss roll of attacker / defender", "+1 / -")
    assert ("attacker rolls 3 + 3 = 6 and loses", "2 steps") in result.links
    checks = sketch.tables[-1]
    assert ("27/3", "12 + 2 = 14", "10", "fails by 4: loses 2 levels, retreats 1 hex") in checks.rows
    assert ("checks failed", "25/3, 27/3") in result.links
    assert ("advance into 41.19", "nobody") in result.links
    assert [arrow.hexes for arrow in sketch.arrows if arrow.kind == "way"] == [("40.20", "39.20")]
    assert parts(sketch)["39.20"] == ("end", "")
    assert [move.subject for move in sketch.moves if isinstance(move, Change)] == ["27/3"]
    assert (
        "27/3: steps lost up by 1, from 0 to 1; combat effectiveness status down by 2, from 0 to minus 2"
        in sketch.results
    )
    assert not any("fought" in text or "retreated" in text for text in sketch.results)


def test_steps_that_are_not_shared_out_yet_are_due() -> None:
    lost = dict(sketched(read_notation(NOT_SHARED_OUT, "t.pos", load_game)).chains[-1].links)
    assert lost["attacker rolls 3 + 3 = 6 and loses"] == "2 steps due"
    assert lost["defender rolls 4 + 2 = 6 and loses"] == "2 steps"


NOT_SHARED_OUT = b"""game twilight-in-the-east
trust charts
turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
ask battle at=41.19 attacker-ap=3,20 defender-ap=1
answers crt=2+5 slrt=3/4
"""


def test_units_that_a_battle_takes_off_the_map_are_crossed_out() -> None:
    """Also where the map is a paper one, and where a place off the map has a name."""
    eliminated = sketched(read_notation(NO_WAY_OUT, "t.pos", load_game))
    assert [fate.line for fate in eliminated.fates] == ["III/25: is eliminated"]
    assert dict(eliminated.chains[1].links)["may advance"] == "the attacker"
    broken = answer_of("kaisers-war-in-the-east battle-after.pos: battle 0").sketch
    assert [fate.line for fate in broken.fates] == ["Rus-2: breaks down into 2 corps: Rus-inf-1, Rus-inf-2"]


NO_WAY_OUT = b"""game world-undone-east-prussia-1914
scenario=historical
turn=3
phasing=german
phase=first-combat
5020 map-edge=west
5720 map-edge=east
5320 reserved=2: XVII/36, XVII/35
5321: I/2
5420 forest: III/25
5320|5420 open
5321|5420 open
chart german-table 4:1+ 3 = DE
ask battle at=5420
answers die=2
"""


@few(12)
@pytest.mark.parametrize("name", sorted(questions()))
def test_every_unit_whose_zone_reaches_a_hex_drawn_is_drawn_too(name: str) -> None:
    if (case := answer_of(name)) is None:
        pytest.skip("it has no sketch")
    board = case.view.board
    sketch, hexes = frame_hexes(board, case.sketch)
    for zone, hex in product(sketch.zones, hexes):
        if hex in zone.hexes:
            assert zone.holders & {*board.neighbours(hex)} <= {*hexes}


def test_the_odds_of_an_odds_battle_are_those_of_its_strengths() -> None:
    chains = [
        dict(chain.links)
        for name in questions()
        if name.startswith("world-undone") and ": battle" in name and (case := answer_of(name))
        for chain in case.sketch.chains
        if chain.title == "Odds"
    ]
    assert chains
    for links in chains:
        exact = Fraction(links["attack"]) / Fraction(links["defence"])
        told = links.get("attack to defence", links["column of the German table"]).split(":")
        assert abs(Fraction(told[0]) / Fraction(told[1]) - exact) < Fraction(1, 100)


def test_a_picture_does_not_count_the_facts_it_rests_on() -> None:
    told = "drawn, not from the printed game: the East (37355 facts), arm (4 facts)"
    assert drop_fact_counts(told) == "drawn, not from the printed game: the East, arm"
