"""The side of its counter that a unit shows, be it stated or due to its losses: all who read it agree (3.4.1)."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from assistant.drawing.map.survey import SurveyReader
from assistant.util.errors import quoted
from twilight_in_the_east.combat.pieces import Pieces, unit_of
from twilight_in_the_east.movement.ersatz import Sharing
from twilight_in_the_east.movement.march.ends import counted_in_stack

from ...cases import examples, seeds
from ...conftest import answered, told, typed, viewed

FIELD = """trust counters
chart terrain-cost summer rough = 3
chart terrain-cost summer primary-road = 1.5
turn=5 phase=movement phasing=central-powers
30.20 rough
30.21 rough magazine=none
30.20|30.21 primary-road
30.20: german infantry XX Mover (12-12-5-9) movement=7 corps=4
30.21: {unit} corps=3
"""
DIVISION = "german infantry XX D"
"""An infantry division; its front has an artillery value, its back has none."""
RULED = ("losses, back by ruling", "other side up")
"""The ways that leave it to a ruling at how many steps it turns."""
WAYS = (*RULED, "losses", "other side up, both printed", "counter")


def type_unit(random: Random, way: str) -> tuple[str, str, bool]:
    """A division that has lost some steps as it is typed in a way, its id, and whether it shows its reduced side."""
    steps = random.randint(2, 14)
    back = (steps + 1) // 2 if way in RULED else random.randint(1, steps - 1)
    steps, back = (12, 6) if way == "counter" else (steps, back)
    front, behind = f"steps={steps} defence=9 artillery=5", f"back-steps={back} back-defence=4 back-artillery=0"
    lost = random.randint(0, steps - 1)
    reduced = steps - lost <= back
    on_back = f"reduced -{back - (steps - lost)}" if reduced else f"-{lost}"
    typed_as = {
        "losses": f"{DIVISION} {front} {behind} -{lost}",
        "losses, back by ruling": f"{DIVISION} {front} back-artillery=0 back-defence=4 -{lost}",
        "other side up": f"{DIVISION} steps={back if reduced else steps} artillery={0 if reduced else 5} {on_back}",
        "other side up, both printed": f"{DIVISION} {front} {behind} {on_back}",
        "counter": f"36/17 back-artillery=0 -{lost}",
    }
    return f"{typed_as[way]} effectiveness=9", "36/17" if way == "counter" else "D", reduced


def sides_read(unit: str, name: str) -> dict[str, bool]:
    """Who reads that a unit shows its reduced side."""
    text = FIELD.format(unit=unit)
    view, position = viewed(text), typed(text)
    move = answered(position, "move", units="Mover", way="30.21").result.entered[0]
    with view.gather() as facts:
        counted = counted_in_stack(facts, view.unit(name))
    return {
        "combat": unit_of(view, name).reduced,
        "retreat": Pieces(view).by_id[name].room == Fraction(1, 2),
        "limit of a stack": counted.reduced,
        "Ersatz": Sharing(view=viewed(f"{text}\n{quoted(name)} ersatz=back"), unit=name).shows_ring,
        "stack": answered(position, "stack", at="30.21").result.divisions == Fraction(1, 2),
        "Road Movement": move.ground == 2,
        "ammunition": name in answered(position, "ammunition", at="30.21").result.unable,
    }


@pytest.mark.rule("3.4.1", "3.4.1b", "3.4.3", "8.1.4a", "2.2d")
@pytest.mark.parametrize("way", WAYS)
def test_all_questions_read_the_same_side(way: str) -> None:
    for seed in seeds(examples(200)):
        unit, name, reduced = type_unit(Random(seed), way)
        readers = sides_read(unit, name)
        assert readers == dict.fromkeys(readers, reduced), unit


@pytest.mark.rule("3.4.1b", "8.1.4a")
def test_a_division_that_its_losses_turn_blocks_a_road_by_half() -> None:
    """Seven of twelve steps are lost, and nothing is stated of the other side: it turns at half its steps."""
    text = FIELD.format(unit="german infantry XX F2 (12-12-0-11) -7")
    report = answered(typed(text), "move", units="Mover", way="30.21")
    assert told(report, "Way") == ["30.21: 2 by road (primary road 1 1/2, F2 1/2)"]


@pytest.mark.rule("8.1.4a")
def test_the_steps_of_a_friend_in_the_way_are_asked_for_once_it_has_lost_some() -> None:
    def asked_of(more: str) -> list[str]:
        text = FIELD.format(unit=f"german infantry XX F2 {more}")
        return [ask.name for ask in answered(typed(text), "move", units="Mover", way="30.21").asks]

    assert asked_of("") == asked_of("reduced") == []
    assert asked_of("-1") == ["F2 steps=N"]


@pytest.mark.rule("10.5", "3.4.3")
def test_a_unit_uses_no_ap_if_its_losses_have_turned_it_to_a_side_without_artillery() -> None:
    unit = "german infantry XX F2 steps=12 artillery=5 back-steps=6 back-artillery=0 -{}"
    unable = [answered(typed(FIELD.format(unit=unit.format(lost))), "ammunition", at="30.21").result for lost in (5, 6)]
    assert [result.unable for result in unable] == [(), ("F2",)]


@pytest.mark.rule("8.3.2", "8.3.3")
def test_a_forced_march_does_not_ask_for_artillery() -> None:
    text = FIELD.format(unit="german infantry XX A (12-12-5-9) -7 movement=7 supply=in")
    report = answered(typed(text), "forced-march", unit="A", points=1)
    assert report.verdict.text == "A may spend 1 point beyond its allowance; 83.3% chance to pass its check"


@pytest.mark.rule("3.4.1")
@pytest.mark.parametrize(
    ("unit", "figures"),
    [
        (f"{DIVISION} steps=12 defence=16 back-steps=6 back-defence=8 -1", ("11", "15")),
        (f"{DIVISION} steps=12 defence=16 back-steps=6 back-defence=8 -1 reduced", ("5", "7")),
        (f"{DIVISION} (6-8-0-9) -1 reduced", ("5", "7")),
    ],
)
def test_a_picture_shows_the_ratings_of_the_side_that_is_up(unit: str, figures: tuple[str, ...]) -> None:
    assert SurveyReader(viewed(FIELD.format(unit=unit))).figures("D") == figures
