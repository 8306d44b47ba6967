"""Supply of a game in which a unit is supplied or is not: verdict, working, what stands in the way, picture and map in letters."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.drawing.answer import draw_letters, draw_scene
from assistant.drawing.scene import Text
from assistant.mechanics.repairs import Lifted
from assistant.rules.field import Field, Hexside, HexsideTracks
from assistant.rules.supply import (
    Cause,
    Hindrance,
    SideSupply,
    Supplied,
    Supply,
    SupplyWords,
    decided,
    find_obstacles,
    nothing,
)
from assistant.util.errors import InputError

from ...conftest import viewed

WORDS = SupplyWords(
    state="Good Order",
    how={"wagon": " by {source}, {hexes:#hex} away", "luck": " by luck"},
    rules={"wagon": "6.1", "luck": "6.2", "": "6.3"},
    source="wagon",
    is_source=lambda view, unit: unit == "W",
    breaks={"enemy": "enemy"},
)
FED = Supplied(unit="A", place="41.19", supplied=True, by="wagon", source="W", line=("40.20", "41.19"), hexes=1)
LUCKY = Supplied(unit="L", place="41.19", supplied=True, by="luck")
ENEMY = Hindrance(kind="enemy", where="42.19", by=("R",), text="R in 42.19")
CUT = Supplied(
    unit="C",
    place="43.19",
    supplied=False,
    cause=Cause(source="W", by="wagon", hindrances=(ENEMY,), text="W but for R"),
)
OPEN = Supplied(unit="O", place="44.19", supplied=None)
TEXT = "41.19: german infantry XX A, german infantry XX L\n43.19: german infantry XX C\n40.20: german corps-train - W\n44.19: german infantry XX O\n"


def report(*units: Supplied) -> Report[Supply]:
    supply = Supply((SideSupply(side="central-powers", units=units),)) if units else Supply(())
    return Report(title="Supply", verdict=WORDS.verdict(units), result=supply)


@pytest.mark.parametrize(
    ("one", "kind", "said"),
    [
        (FED, "yes", "A is in Good Order by W, 1 hex away"),
        (CUT, "no", "C is not in Good Order"),
        (OPEN, "undecided", "undecided: nothing known supplies O"),
    ],
)
def test_the_verdict_on_one_unit(one: Supplied, kind: str, said: str) -> None:
    found = WORDS.verdict([one])
    assert (found.kind, found.text) == (kind, said)


def test_the_verdict_on_several_counts_them_and_is_what_a_report_decides() -> None:
    several = [(FED, LUCKY), (FED, CUT), (FED, CUT, OPEN)]
    assert [(WORDS.verdict(units).kind, WORDS.verdict(units).text) for units in several] == [
        ("yes", "2 units in Good Order, 0 not"),
        ("no", "1 unit in Good Order, 1 not"),
        ("undecided", "undecided: 1 unit in Good Order, 1 not, 1 not certain"),
    ]
    assert decided(report(FED, CUT)) == (("A", True), ("C", False))
    assert decided(report(FED)) != decided(report(CUT))


def test_each_unit_is_told_in_a_line() -> None:
    assert [(step.rule, step.text) for step in map(WORDS.unit_step, (FED, LUCKY, CUT, OPEN))] == [
        ("6.1", "A in 41.19: supplied by W, 1 hex away: 40.20 41.19"),
        ("6.2", "L in 41.19: supplied by luck"),
        ("6.3", "C in 43.19: not supplied; W but for R"),
        ("6.3", "O in 44.19: nothing known supplies it"),
    ]


def test_a_range_weighs_as_much_as_the_hexes_that_it_lacks() -> None:
    far = Hindrance(kind="range", where="W", lacks=3, text="too far")
    assert Cause(hindrances=(far, ENEMY), text="").weight == 4
    none = nothing("source", "", "there is none")
    assert (none.weight, none.text, none.by) == (1, "there is none", "")


def test_a_picture_shows_units_lines_sources_and_breaks() -> None:
    view = viewed(TEXT)
    shown = WORDS.sketch(view, report(FED, LUCKY, CUT, OPEN))
    assert [(one.unit, one.status) for one in shown.units] == [
        ("A", "full"),
        ("L", "full"),
        ("C", "none"),
        ("O", "unknown"),
    ]
    assert [(one.unit, one.hexes) for one in shown.strands] == [("A", ("40.20", "41.19"))]
    assert [(one.name, one.place) for one in shown.origins] == [("W", "40.20")]
    assert [(one.where, one.why, one.units) for one in shown.breaks] == [("42.19", "enemy", ("C",))]
    assert (shown.answer, shown.caption) == (WORDS.verdict([FED, LUCKY, CUT, OPEN]).text, ("C: W but for R.",))
    assert (shown.words.statuses["none"], shown.words.source) == ("not in Good Order", "wagon")
    found = report(FED, CUT)
    assert draw_scene(view, WORDS.sketch(view, found)).width > 0
    on_board = viewed(f"board east\n{TEXT}")
    drawn = draw_scene(on_board, WORDS.sketch(on_board, found)).layers[-1].shapes
    assert isinstance(drawn[-1], Text) and drawn[-1].text.startswith("The map is drawn, not from the printed game: ")
    assert "in Good Order" in "\n".join(map(str, draw_letters(view, WORDS.sketch(view, found), 100)))
    with pytest.raises(InputError, match="no units to draw"):
        WORDS.sketch(view, report())


def around(text: str) -> Any:
    view = viewed(text)
    tracks = HexsideTracks(lies="barrier", terrain="terrain")
    with view.gather() as facts:
        field = Field(facts, lambda facts, unit: True, lambda *hexes: Hexside(view, *hexes, tracks), lambda over: True)
        return field.read().around("central-powers")


def test_in_the_way_of_a_line_are_enemies_in_its_hexes_and_zones_that_it_leaves() -> None:
    seen = around("42.19: russian infantry XX R\n44.19: russian infantry XX S\n45.20: russian infantry XX T\n")
    line = ("41.19", "42.19", "43.19")
    (enemy,) = find_obstacles(seen, Lifted(2, line, opened=("42.19",)))
    assert (enemy.kind, enemy.where, enemy.by, enemy.text) == ("enemy", "42.19", ("R",), "R in 42.19")
    (zone,) = find_obstacles(seen, Lifted(2, ("43.19", "43.18"), mended=("43.18|43.19",)))
    assert (zone.kind, zone.where, zone.by) == ("zone", "43.19", ("R", "S"))
    assert [*find_obstacles(seen, Lifted(2, ("43.18", "43.19"), opened=("43.19",)))] == [], "it only enters the zone"
    (counted,) = find_obstacles(seen, Lifted(2, ("43.18", "43.19"), opened=("43.19",)), zones={"43.19"})
    assert counted == zone
