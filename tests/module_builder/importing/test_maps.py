"""The hexes of modules as those of maps: whatever VASSAL prints in a hex, the map prints there too, or says that it
cannot.
"""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.formats.vassal.board_grids import picture_grid
from assistant.formats.vassal.grids import Hexes, Numbering, Pixel
from assistant.game.boards.map_picture import MapPicture
from assistant.game.hexes import Hex
from module_builder.importing.fields import cells_of, number_hexes

KINDS = st.sampled_from(["N", "N", "A"])


@st.composite
def hexes(draw: st.DrawFn) -> Hexes:
    """Grids of published modules: all ways to lie, to count and to print, with whole and broken measures."""
    numbering = Numbering(
        first=draw(st.sampled_from(["H", "V"])),
        sep=draw(st.sampled_from(["", ".", "-", " "])),
        h_type=draw(KINDS),
        v_type=draw(KINDS),
        h_leading=draw(st.integers(0, 3)),
        v_leading=draw(st.integers(0, 3)),
        h_off=draw(st.integers(-3, 40)),
        v_off=draw(st.integers(-3, 40)),
        h_descend=draw(st.booleans()),
        v_descend=draw(st.booleans()),
        stagger=draw(st.booleans()),
        oblique=draw(st.booleans()),
        location_format=draw(st.sampled_from(["$gridLocation$", "Hex $gridLocation$", "$column$/$row$"])),
    )
    dy = draw(st.floats(30, 90))
    return Hexes(
        x0=draw(st.integers(-40, 90)),
        y0=draw(st.integers(-40, 90)),
        dx=round(dy * 0.866, 2),
        dy=round(dy, 2),
        sideways=draw(st.booleans()),
        numbering=numbering,
        size=draw(st.tuples(st.integers(200, 700), st.integers(200, 700))),
    )


@given(hexes())
@example(
    Hexes(
        x0=-1,
        y0=75,
        dx=65.38,
        dy=75.5,
        numbering=Numbering(h_leading=0, v_leading=0, v_off=1, stagger=True),
        size=(200, 200),
    )
)
def test_hexes_keep_their_numbers_and_their_places(drawn: Hexes) -> None:
    cells = list(cells_of(drawn, drawn.size))
    found = number_hexes(drawn, cells)
    assert len(set(found.names.values())) == len(cells)
    picture = MapPicture(file="map.png", first=found.first, step=found.step)
    board = picture_grid(found.grid, picture, drawn.size, set(found.names.values()))
    for cell, name in found.names.items():
        here, there = drawn.centre(*cell), board.hexes[name]
        assert max(abs(here[0] - there[0]), abs(here[1] - there[1])) <= 2
        assert board.grid.locate(here) == name
        if found.has_module_numbers:
            assert drawn.locate(here) == name


@given(hexes())
def test_hexes_that_touch_in_the_module_touch_on_the_map(drawn: Hexes) -> None:
    found = number_hexes(drawn, list(cells_of(drawn, drawn.size)))
    at = {found.grid.parse(name): drawn.centre(*cell) for cell, name in found.names.items()}
    for one, (x, y) in list(at.items())[::7]:
        for other in found.grid.neighbours(one).values():
            if other in at:
                assert abs(((x - at[other][0]) ** 2 + (y - at[other][1]) ** 2) ** 0.5 - drawn.dy) < 4


def grid(size: Pixel = (500, 400), **numbering: object) -> Hexes:
    return Hexes(x0=40, y0=30, dx=69.3, dy=80, numbering=Numbering(**{"h_off": 1, "v_off": 1, **numbering}), size=size)  # type: ignore[arg-type]


def test_the_usual_numbering_is_kept_and_hexes_without_numbers_get_some() -> None:
    drawn = grid()
    found = number_hexes(drawn, list(cells_of(drawn, drawn.size)))
    assert found.has_module_numbers and found.grid.format == "{column:02}{row:02}" and found.grid.shifted == "even"
    assert found.names[0, 0] == "0101" and found.first == (40, 30)
    drawn = Hexes(x0=40, y0=30, dx=69.3, dy=80, size=(500, 400))
    assert not number_hexes(drawn, list(cells_of(drawn, drawn.size))).has_module_numbers


@pytest.mark.parametrize(
    "unlike", [{"h_off": -4, "h_type": "A"}, {"sep": "{"}, {"location_format": "$gridLocation$ $gridLocation$"}]
)
def test_hexes_that_a_map_cannot_number_so_are_numbered_anew(unlike: dict[str, object]) -> None:
    drawn = grid(**unlike)
    found = number_hexes(drawn, list(cells_of(drawn, drawn.size)))
    assert not found.has_module_numbers
    assert found.grid.parse(found.names[0, 0]) == Hex(1, 1)
