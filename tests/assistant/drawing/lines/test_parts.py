"""The parts of a front: each unit in one of them, each on a page on which it can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assistant
from assistant.asking.line_sketch import Marked
from assistant.drawing.lines.parts import HEIGHT, WIDTH, FrontPart, choose_part, parts_of_front
from assistant.drawing.scene import Point
from assistant.service import parts, picture
from assistant.util.errors import InputError

from ....cases import few
from ...reading_sizes import PAGE, page_of, too_small

PLUGINS = Path(__file__).parents[4] / "plugins"
FRONTS = {
    "twilight": PLUGINS / "twilight_in_the_east/setups/19-august-1914.pos",
    "undone": PLUGINS / "world_undone_east_prussia/setups/masurian-lakes.pos",
    "kaiser": PLUGINS / "kaisers_war_in_the_east/examples/supply.pos",
}
STANDING = st.lists(
    st.tuples(
        st.integers(0, 40),
        st.integers(0, 40),
        st.sampled_from(["", "First Army", "Second Army"]),
        st.sampled_from(["red", "blue"]),
    ),
    min_size=1,
    max_size=40,
)


def front_of(standing: list[tuple[int, int, str, str]]) -> tuple[list[Marked], dict[str, list[Point]]]:
    """Units with their armies and sides, and where each stands."""
    units = [
        Marked(unit=str(number), place=f"{x}.{y}", side=side, status="full", army=army)
        for number, (x, y, army, side) in enumerate(standing)
    ]
    return units, {str(number): [(x, y)] for number, (x, y, *_) in enumerate(standing)}


@given(STANDING)
def test_each_unit_is_in_one_part_with_others_of_its_side_no_wider_than_a_page(
    standing: list[tuple[int, int, str, str]],
) -> None:
    units, reaches = front_of(standing)
    found = parts_of_front(units, reaches)
    assert sorted(name for part in found for name in part.units) == sorted(reaches)
    by_name = {unit.unit: unit for unit in units}
    for part in found:
        members = [by_name[name] for name in part.units]
        assert len({unit.side for unit in members}) == 1
        assert part.name == ", ".join(dict.fromkeys(unit.army for unit in members if unit.army))
        assert {*part.hexes} == {unit.place for unit in members}
        xs, ys = zip(*(reaches[name][0] for name in part.units), strict=True)
        assert max(xs) - min(xs) <= WIDTH and max(ys) - min(ys) <= HEIGHT
    assert len({part.title for part in found}) == len(found) or len({unit.side for unit in units}) == 2
    assert found == parts_of_front(units, reaches)


@given(STANDING)
def test_units_of_one_hex_stay_together(standing: list[tuple[int, int, str, str]]) -> None:
    units, reaches = front_of([(x, y, "", "red") for x, y, *_ in standing])
    hexes = [hex for part in parts_of_front(units, reaches) for hex in part.hexes]
    assert len(hexes) == len({*hexes})


def test_a_front_is_cut_where_nobody_stands_and_no_line_leads() -> None:
    units, reaches = front_of([(x, 3, "First Army", "red") for x in (0, 1, 2, 10, 11, 12)])
    found = parts_of_front(units, reaches)
    assert [part.title for part in found] == ["First Army 1, 0.3 to 2.3", "First Army 2, 10.3 to 12.3"]
    assert parts_of_front(units[:3], reaches)[0].title == "First Army, 0.3 to 2.3"
    units, reaches = front_of([(0, 0, "", "red"), (5, 0, "", "red")])
    assert len(parts_of_front(units, reaches)) == 1
    reaches["0"] += [(-5, 0)]
    assert len(parts_of_front(units, reaches)) == 2


def test_another_number_is_refused_with_all_parts() -> None:
    some = [
        FrontPart(units=("A",), hexes=("0101",), name="First Army"),
        FrontPart(units=("B",), hexes=("0102", "0103")),
    ]
    assert choose_part(some, 2) is some[1]
    for number in (0, 3):
        with pytest.raises(InputError, match=f"there is no part {number}") as refused:
            choose_part(some, number)
        assert refused.value.hint == "the parts are 1 to 2: 1 First Army, 0101; 2 0102 to 0103"


@few(1)
@pytest.mark.parametrize("name", FRONTS)
def test_every_part_of_a_front_can_be_read_on_a_page(name: str) -> None:
    position = assistant.read(FRONTS[name])
    report = assistant.ask(position, "supply")
    titles = parts(position, report)
    for number, title in enumerate(titles, 1):
        drawn = bytes(picture(position, report, part=number)).decode()
        assert title in drawn
        assert too_small(drawn) == [], title
        assert page_of(drawn)[0] == PAGE and page_of(drawn)[1] <= 297, title
    with pytest.raises(InputError, match="there is no part"):
        picture(position, report, part=len(titles) + 1)
    assert len(titles) < 5 or too_small(bytes(picture(position, report)).decode()), "a whole front is a wall chart"
