"""Supply lines: costs, barriers, sources and isolation."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from assistant.asking.parameters import read_parameters
from assistant.asking.question import answer_question
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.installed.registry import question_of
from assistant.rules.field.allocation import FULL, LOW, Offer
from assistant.rules.field.lines import Cost, LineSource
from assistant.util.errors import InputError
from twilight_in_the_east.forces.armies import may_draw
from twilight_in_the_east.supply import rules
from twilight_in_the_east.supply.isolation import closed_for_isolation
from twilight_in_the_east.supply.side.offers import EXTENDED, preference_of

from ...conftest import answered, told, typed


def cost(
    terrain: str,
    barrier: str = "open",
    rail: str = "no-rail",
    road: str = "no-road",
    crossing: str = "no-crossing",
    **more: bool,
) -> Fraction | str:
    """What a step costs in hexes, or what bars it."""
    conditions = {"operational": True, "freeze": False, "flooded": False} | more
    found = rules.step_cost(terrain, {barrier}, rail, road, crossing, **conditions)
    return Fraction(found.amount, 4) if isinstance(found, Cost) else found


@pytest.mark.rule("14.1.2a", "14.1.2b", "14.1.2c", "14.1.2d", "14.1.2e", "2.2g", "20.1c")
@pytest.mark.parametrize(
    ("step", "hexes"),
    [
        ({"terrain": "clear"}, 1),
        ({"terrain": "rough"}, Fraction(3, 2)),
        ({"terrain": "mountain"}, 2),
        ({"terrain": "wetlands"}, 2),
        ({"terrain": "wetlands", "freeze": True}, 1),
        ({"terrain": "mountain", "road": "secondary-road"}, 1),
        ({"terrain": "rough", "road": "primary-road"}, 1),
        ({"terrain": "rough", "rail": "rail1"}, Fraction(1, 2)),
        ({"terrain": "mountain", "rail": "rail2"}, Fraction(1, 4)),
        ({"terrain": "rough", "rail": "rail2", "operational": False}, Fraction(3, 2)),
        ({"terrain": "clear", "barrier": "ridge"}, 2),
        ({"terrain": "mountain", "barrier": "ridge"}, 3),
        ({"terrain": "clear", "barrier": "ridge", "road": "road"}, 1),
        ({"terrain": "clear", "barrier": "ridge", "rail": "rail1"}, Fraction(1, 2)),
        ({"terrain": "clear", "barrier": "minor-river"}, 1),
    ],
)
def test_what_a_hex_costs(step: dict[str, Any], hexes: Fraction) -> None:
    assert cost(**step) == hexes


@pytest.mark.rule("14.1.1", "2.2b")
@pytest.mark.parametrize(
    "step",
    [
        {"terrain": "sea"},
        {"terrain": "high-mountain"},
        {"terrain": "high-mountain", "road": "road"},
    ],
)
def test_what_bars_a_line(step: dict[str, Any]) -> None:
    assert isinstance(cost(**step), str)


@pytest.mark.rule("14.1.1", "14.1.2f", "1.1", "2.2b")
@pytest.mark.parametrize(
    ("step", "hexes"),
    [
        ({"crossing": "pontoon"}, 1),
        ({"crossing": "ferry"}, 1),
        ({"road": "road"}, 1),
        ({"crossing": "ferry", "flooded": True}, 2),
        ({"road": "road", "flooded": True}, 2),
        ({"rail": "rail2", "flooded": True}, Fraction(1, 4)),
        ({"rail": "rail2", "operational": False}, 1),
    ],
)
def test_great_rivers_are_crossed_at_bridges_and_ferries(step: dict[str, Any], hexes: Fraction) -> None:
    assert cost("clear", "major-river", **step) == hexes


@pytest.mark.rule("14.1.1")
@pytest.mark.parametrize("river", ["Grand", "Major"])
def test_a_great_river_blocks_a_line_where_nothing_crosses_it(river: str) -> None:
    barrier = f"{river.lower()}-river"
    assert cost("clear", barrier) == f"a {river} River without bridge, pontoon or ferry blocks it"
    assert cost("clear", barrier, crossing="bridge") == 1
    assert {cost("clear", barrier, road=road) for road in rules.ROADS} == {1}


@pytest.mark.rule("14.1.1")
@pytest.mark.parametrize("barrier", ["lake", "sea", "impassable"])
def test_what_no_line_crosses(barrier: str) -> None:
    assert cost("clear", barrier, rail="rail2", road="road") == "a lake or sea blocks it"


@pytest.mark.rule("14.1.2a", "14.1.2b", "14.1.2f")
def test_what_makes_the_cost_of_a_hex() -> None:
    def why(terrain: str = "rough", barrier: str = "open", **more: Any) -> Cost | str:
        words = {"rail": "no-rail", "road": "no-road", "crossing": "no-crossing", "flooded": False, **more}
        return rules.step_cost(terrain, {barrier}, operational=True, freeze=False, **words)

    assert why() == Cost(6, "rough")
    assert why(road="road") == Cost(4, "by road")
    assert why(rail="rail1") == Cost(2, "single-track RR", True)
    assert why(rail="rail2") == Cost(1, "double-track RR", True)
    assert why("clear", "ridge") == Cost(8, "clear, Mountain Ridge")
    assert why("clear", "minor-river", flooded=True) == Cost(4, "clear")
    flooded = why("clear", "major-river", crossing="bridge", flooded=True)
    assert flooded == Cost(8, "clear, river in High Water or Autumn")


@pytest.mark.rule("14.1.2f", "1.1")
def test_high_water_and_autumn_count_in_the_grand_campaign_only() -> None:
    assert rules.is_flooded("high-water", 20, campaign=True)
    assert rules.is_flooded("normal", 28, campaign=True)
    assert not rules.is_flooded("normal", 27, campaign=True)
    assert not rules.is_flooded("high-water", 30, campaign=False)


@pytest.mark.rule("4.1.3", "14.4.1")
def test_a_friend_or_a_friendly_zone_opens_a_hex_for_the_test_of_isolation() -> None:
    assert closed_for_isolation({"a"}, {"a", "b", "c", "d"}, {"c"}, {"a", "d"}) == {"a", "b"}


@pytest.mark.rule("14.2.2", "14.2.3", "14.4c", "14.4d", "14.2b", "14.1", "4.6")
@pytest.mark.parametrize(
    ("kind", "range", "extended", "quarters", "found"),
    [
        ("corps-train", 5, 8, 20, ("in", False)),
        ("corps-train", 5, 8, 21, ("low", True)),
        ("corps-train", 5, 8, 33, None),
        ("major-depot", 7, 10, 40, ("in", True)),
        ("minor-depot", 7, 10, 41, None),
        ("RR line", 3, 6, 12, ("in", False)),
        ("RR line", 3, 6, 13, ("low", False)),
        ("RR line", 3, 6, 25, None),
    ],
)
def test_what_a_source_gives_at_a_distance(
    kind: str, range: int, extended: int, quarters: int, found: tuple[str, bool] | None
) -> None:
    source = LineSource("s", kind, "x", rules.ranges(kind, range, extended))
    reached = rules.supply_from(source, quarters, "exact")
    assert (reached and (reached.gives, reached.extended)) == found


@pytest.mark.rule("14.1")
def test_rounding_the_sum_is_a_ruling() -> None:
    assert [rules.within(21, 5, reading) for reading in ("exact", "half-up")] == [False, True]
    assert [rules.within(cost, 5, "half-up") for cost in (20, 21, 22)] == [True, True, False]


@pytest.mark.rule("14.4c", "14.4d")
def test_the_best_of_several_sources() -> None:
    """In Supply before Low Supply, then no source extended, then no place that others may need, then the shorter line; of two alike
    the first."""

    def offer(name: str, gives: int, hexes: int, mode: str = "normal") -> Offer:
        return Offer("unit", name, gives, hexes * 4, mode)

    full, far, extended = offer("full", FULL, 3), offer("far", FULL, 4), offer("extended", FULL, 1, EXTENDED)
    low, stretched = offer("low", LOW, 1), offer("stretched", LOW, 1, EXTENDED)
    railway = offer("RR line", FULL, 3, "")
    guest = Offer("unit", "guest", FULL, 4, "normal", group="places of a Train")
    pairs = ((full, far), (far, guest), (guest, extended), (extended, low), (low, stretched), (full, railway))
    for better, worse in pairs:
        assert min([worse, better], key=preference_of) is min([better, worse], key=preference_of) is better
    assert min([full, offer("same", FULL, 3)], key=preference_of) is full


@pytest.mark.rule("14.2.1a")
def test_a_railway_is_followed_from_the_map_edge_as_far_as_it_is_open() -> None:
    def found(edges: str, closed: str = "", railed: str = "ab bc cd") -> set[str]:
        pairs = {*railed.split(), *(pair[::-1] for pair in railed.split())}
        rails = {here: [there for there in "abcd" if here + there in pairs] for here in "abcd"}
        return set(rules.connected_railway(edges, closed, rails).cost)

    assert found("a") == set("abcd")
    assert found("a", closed="c") == set("ab")
    assert found("a", railed="ab cd") == set("ab")
    assert found("a", closed="a") == set()
    assert found("ad", closed="c") == set("abd")
    rails = {"a": ["b"], "b": ["a", "c", "d"], "c": ["b", "d"], "d": ["b", "c"]}
    field = rules.connected_railway("a", "", rails)
    assert (field.cost, field.before) == ({"a": 0, "b": 1, "c": 2, "d": 2}, {"b": "a", "c": "b", "d": "b"})


# --- typed lines ------------------------------------------------------------------------------------------------------

LINE = """
40.23: "3 Train" range=2 extended-range=4
40.20: 25/3
line "3 Train": 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough
ask supply unit=25/3 line="3 Train"
"""


@pytest.mark.rule("14.1.2a", "14.1.2b", "14.2", "14.1")
def test_a_typed_line(report: Any) -> None:
    found = report(LINE).result
    assert [(step.hex, step.cost) for step in found.line] == [
        ("40.22", Fraction(1, 4)),
        ("40.21", Fraction(1, 4)),
        ("40.20", 1),
    ]
    assert (found.state, found.cost, found.source, found.extended) == ("in", Fraction(3, 2), "3 Train", False)


def test_all_that_is_taken_for_granted_stands_together(report: Any) -> None:
    (granted,) = [part for part in report(f"weather=freeze\n{LINE}").parts if part.title == "Assumed"]
    assert len(granted.steps) == 3


def test_of_two_lines_one_may_be_named_and_on_a_drawn_map_has_to_be(report: Any) -> None:
    two = LINE.replace("ask supply", "line other: 40.21 -road- 40.20\nask supply")
    assert report(two).result.cost == Fraction(3, 2)
    without_names = report(two.replace(' line="3 Train"', "")).result
    assert (without_names.source, without_names.cost) == ("the RR line at 40.21", 1), "the best of all that is typed"
    two = "board sample\ntrust counters\nturn=5\n66.37: 22/1\nline one: 65.37 66.37\nline two: 67.36 66.37"
    with pytest.raises(InputError, match="several lines end in 66.37: one, two"):
        report(two, "supply", unit="22/1")


def test_terrain_is_asked_for_where_it_matters_only(report: Any) -> None:
    answer = report(LINE.replace("-road- 40.20 rough", "40.20"))
    assert [ask.how for ask in answer.asks] == ["40.20 clear|rough|wetlands|mountain|high-mountain|sea"]


@pytest.mark.rule("14.2.3")
def test_a_line_from_the_railway_itself(report: Any) -> None:
    text = "line here: 40.23 40.22 clear 40.21 clear 40.20 {}\n40.20: 25/3\n40.23 operational=russian\nask supply unit=25/3 line=here"
    assert report(text.format("clear")).result.state == "in"
    assert report(text.format("rough")).result.state == "low"
    unknown = report(text.format("clear").replace("\n40.23 operational=russian", ""))
    assert [ask.how for ask in unknown.asks] == ["40.23 operational=none|central-powers|russian"]
    enemy = report(text.format("clear").replace("operational=russian", "operational=central-powers"))
    assert "no operational RR line of the Russian side" in enemy.verdict.text


RAILWAY = """40.25 operational=russian
line rr: 40.25 -rail1- 40.24 -rail1- 40.23 -rail2- 40.22 -{last}- 40.21 clear {road}
{hex}: 25/3
{more}
"""


@pytest.mark.rule("14.2.3")
@pytest.mark.parametrize(
    ("hex", "more", "origin", "cost", "state"),
    [
        pytest.param("40.21", "", "40.21", 0, "in", id="on the railway"),
        pytest.param("40.18", "", "40.21", 3, "in", id="three hexes off it"),
        pytest.param("40.18", "road", "40.22", 4, "low", id="a gap in it"),
        pytest.param("40.18", "40.21 operational=none", "40.22", 4, "low", id="a hex of it out of use"),
        pytest.param("40.18", "41.23: 1/1", "40.21", 3, "in", id="an EZOC on it"),
        pytest.param("40.18", "40.23: 1/1", "40.25", None, None, id="an enemy on it"),
        pytest.param("40.18", "40.25: 1/1", "40.25", None, None, id="an enemy where it begins"),
    ],
)
def test_a_line_along_the_railway_counts_from_where_it_leaves_it(
    hex: str, more: str, origin: str, cost: int | None, state: str | None, report: Any
) -> None:
    road = "" if hex == "40.21" else "-road- 40.20 clear -road- 40.19 clear -road- 40.18 clear"
    last, stated = ("road", "") if more == "road" else ("rail1", more)
    text = RAILWAY.format(hex=hex, road=road, last=last, more=stated)
    found = report(text, "supply", unit="25/3", line="rr").result
    assert (found.tried[0].place, found.state) == (origin, state)
    assert cost is None or found.cost == cost


@pytest.mark.rule("14.2.3", "14.4d")
def test_what_a_typed_line_takes_for_granted_is_said(report: Any) -> None:
    text = "line here: 40.23 40.22 clear 40.21 clear 40.20 {}\n40.20: 25/3\n40.23 operational=russian"
    said = "no other source or line gives 25/3 more than Low Supply"
    assert said in told(report(text.format("rough"), "supply", unit="25/3", line="here"), "Assumed")
    assert said not in told(report(text.format("clear"), "supply", unit="25/3", line="here"))
    text = "line here: 40.23 40.22 clear 40.21 clear 40.20 clear\n40.20: 25/3\n40.23 operational=russian"
    said = "an operational RR line links 40.23 to a friendly map edge"

    def granted(text: str) -> list[str]:
        parts = report(text, "supply", unit="25/3").parts
        return [step.text for part in parts if part.title == "Assumed" for step in part.steps]

    assert said in granted(text)
    assert said not in granted(f"{text}\n40.23 map-edge=russian")


@pytest.mark.rule("14.2.3")
def test_a_typed_railway_has_to_be_linked_on_a_drawn_map() -> None:
    text = "board sample\ntrust counters\nturn=5\n66.37: 22/1\nline here: 65.37 66.37\n"
    assert answered(typed(text), "supply", unit="22/1").result.state == "in"
    cut = answered(typed(text + "64.39: 1/1"), "supply", unit="22/1", line="here").result
    assert (cut.state, cut.tried[0].why_not) == (
        None,
        "no operational RR line of the Russian side links 65.37 to a friendly map edge (14.2.3)",
    )
    assert answered(typed(text + "64.39: 1/1"), "supply", unit="22/1").result.state == "out"


@pytest.mark.rule("14.2", "14.2.2b", "14.3.2", "14.2.1", "6.3.1a", "14.3.1b")
@pytest.mark.parametrize(
    ("train", "why"),
    [
        ('german corps-train - "9 Train" corps=3', "an enemy unit"),
        ('russian corps-train - "9 Train" corps=3 entrained', "entrained (14.2.2)"),
    ],
)
def test_sources_that_may_not_serve(train: str, why: str, report: Any) -> None:
    text = (
        LINE.replace('"3 Train" range', f"{train} range")
        .replace('line "3 Train"', 'line "9 Train"')
        .replace('line="3 Train"', 'line="9 Train"')
    )
    answer = report(text.replace("40.20: 25/3", "40.20: 25/3 army=First"))
    assert (answer.verdict.kind, answer.result.tried[0].why_not) == ("undecided", why)


def test_a_line_takes_the_only_supply_unit_in_its_first_hex_whatever_its_name(report: Any) -> None:
    found = report(LINE.replace('line "3 Train"', "line whatever").replace('line="3 Train"', "line=whatever"))
    assert found.result.source == "3 Train"


@pytest.mark.rule("6.2.4b")
def test_an_asset_unit_shares_no_supply_with_another_nation(report: Any) -> None:
    text = "40.20: 1/1, austro-hungarian infantry III guard asset army=Second"
    alone = report(
        f"{text}\nline here: 40.22 -rail1- 40.21 -rail1- 40.20\n40.22 operational=central-powers\nask supply unit=guard"
    )
    assert alone.result.unit == "guard"


@pytest.mark.rule("12.1", "8.2.4", "6.4.1a", "12.1.1")
def test_units_that_need_no_line_of_their_own(report: Any) -> None:
    assert report("49.27: Boyen\nask supply unit=Boyen").verdict.text.startswith("Boyen is In Supply: a fortress unit")
    assert report("40.20: 25/3 entrained\nask supply unit=25/3").result.state == "in"
    shared = report(
        LINE.replace("40.20: 25/3", '40.20: 25/3, russian infantry III "det 5"').replace("unit=25/3", 'unit="det 5"')
    )
    assert (shared.result.unit, shared.result.through, shared.result.state) == ("det 5", "25/3", "in")
    assert shared.title == "Supply of det 5 in 40.20"
    assert shared.verdict.text.startswith("det 5 (attached to 25/3) is In Supply from ")
    assert shared.parts[0].steps[0].text == "det 5 shares the supply of 25/3, with which it is stacked"


@pytest.mark.rule("6.4.1a")
def test_an_asset_unit_with_two_formations_is_told_of_the_other_one(report: Any) -> None:
    text = LINE.replace("40.20: 25/3", '40.20: 25/3, 27/3, russian infantry III "det 5"').replace("=25/3", '="det 5"')
    shared = report(text)
    assert shared.parts[0].steps[0].text.endswith("; its owner may attach it to 27/3 instead (with=UNIT)")
    chosen = report(text.replace('"det 5"\n', '"det 5" with=27/3\n', 1))
    assert (chosen.result.through, chosen.parts[0].steps[0].text) == (
        "27/3",
        "det 5 shares the supply of 27/3, with which it is stacked",
    )


@pytest.mark.rule("14.1", "4.1.2")
def test_a_source_in_an_enemy_zone_sends_nothing(report: Any) -> None:
    text = "line here: 40.23 40.22 clear\n40.22: 25/3\n40.23 operational=russian\n41.23: 1/1\nask supply unit=25/3 line=here"
    assert "40.23 is enemy-occupied or in an EZOC" in report(text).verdict.text


def test_a_line_that_leads_elsewhere(report: Any) -> None:
    with pytest.raises(InputError, match="ends in 40.20, but 27/3 is in 40.21"):
        report(LINE.replace("unit=25/3", "unit=27/3").replace("ask", "40.21: 27/3\nask"))


def test_without_a_drawn_map_the_line_is_asked_for(report: Any) -> None:
    answer = report("40.20: 25/3\nask supply unit=25/3")
    assert [ask.how for ask in answer.asks] == ["25/3 other-line=no, or type it, as 40.19-40.20"]


# --- the sample board -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def isolated(twilight: Game) -> str:
    return twilight.folder.joinpath("examples/isolated.pos").read_text("utf-8")


@pytest.mark.rule("14.2", "14.4c", "14.2.2", "14.4d")
def test_with_one_german_less_the_corps_train_reaches_it(isolated: str) -> None:
    answer = answered(typed("\n".join(line for line in isolated.splitlines() if not line.startswith("68.36"))))
    assert (answer.result.state, answer.result.source, answer.result.cost) == ("in", "Russian 1 Train", 4)
    assert [step.hex for step in answer.result.line] == ["66.37", "67.36", "68.36", "68.35"]


@pytest.mark.rule("14.2.1", "14.2.2", "14.2.1a")
@pytest.mark.parametrize(
    ("unit", "place", "cut", "state"),
    [
        ("Major Depot", "65.37", "", "in"),
        ("Major Depot", "66.37", "", "out"),
        ("Major Depot", "65.37", "64.40: 1/1", "out"),
        ("Minor Depot", "66.36", '65.37: "Russian SECOND Major Depot" army=Second', "out"),
        ("Corps Train", "65.37", "", "in"),
        ("Corps Train", "66.37", "", "in"),
        ("Corps Train", "66.36", "", "out"),
        ("Corps Train", "66.36", '65.37: "Russian SECOND Major Depot" army=Second', "in"),
    ],
)
def test_the_supply_of_supply_units_themselves(unit: str, place: str, cut: str, state: str) -> None:
    """A depot has a LOC or nothing; a Corps Train a depot, or the connected RR line that it stands on."""
    name = "Russian 1 Train" if unit == "Corps Train" else f"Russian SECOND {unit}"
    text = f'board sample\ntrust counters\nturn=5\n{place}: "{name}" army=Second\n{cut}\n{place} station=yes'
    text = text if place != "66.37" else text.replace("station=yes", "station=no")
    assert answered(typed(text), "supply", unit=name).result.state == state


@pytest.mark.rule("14.2.2", "14.2.3")
def test_a_combat_unit_is_reached_from_the_railway_on_which_a_train_has_to_stand() -> None:
    """66.36 lies next to the RR hex 66.37."""
    beside = "board sample\ntrust counters\nturn=5\n66.36: {} army=Second"
    division = answered(typed(beside.format("22/1")), "supply", unit="22/1").result
    assert (division.state, division.source) == ("in", "the RR line at 66.37")
    train = answered(typed(beside.format('"Russian 1 Train"')), "supply", unit="Russian 1 Train").result
    assert (train.state, train.source) == ("out", "")


LOC = """40.20: {unit}
line home: 40.23 -rail2- 40.22 {last}
40.23 operational=russian map-edge={edge}
40.20 station={station}
"""


@pytest.mark.rule("14.2.1", "14.2.2", "14.2.3")
@pytest.mark.parametrize(
    ("unit", "last", "edge", "station", "why_not"),
    [
        ("Major Depot", "-rail2- 40.21 -rail1- 40.20", "russian", "yes", ""),
        ("Major Depot", "-rail2- 40.21 -rail1- 40.20", "russian", "no", "no RR Station in 40.20 (14.2.1)"),
        ("Major Depot", "-rail2- 40.21 -road- 40.20 clear", "russian", "yes", "no LOC (14.2.1)"),
        ("Train", "-rail2- 40.21 -rail1- 40.20", "russian", "no", ""),
    ],
)  # fmt: skip
def test_the_railway_of_a_supply_unit_as_typed(
    unit: str, last: str, edge: str, station: str, why_not: str, report: Any
) -> None:
    """From the map edge to the unit by rail, however far; what is typed as a line lies on the map for all units."""
    name = "3 Train" if unit == "Train" else "Russian FIRST Major Depot"
    text = LOC.format(unit=f'"{name}"', last=last, edge=edge, station=station)
    found = report(text, "supply", unit=name, line="home")
    assert (found.result.tried[0].why_not, found.result.state) == (why_not, "in" if not why_not else found.result.state)
    assert found.result.state == ("in" if not why_not else "out" if "Station" in why_not else None)
    assert f"{name} is judged by all that is typed, not by the line home alone" in told(found, "Assumed")


class NobodySaysWhoControls(View):
    """A view of a board of which control is not known, but of hexes of which a player has stated it."""

    def fact(self, track: str, subject: str = "") -> Any:
        known = track != "control" or (track, subject) in self.state.facts
        return super().fact(track, subject) if known else None

    def facts_of(self, track: str) -> Any:
        return partial(self.fact, track) if track == "control" else super().facts_of(track)


@pytest.mark.rule("14.4.1")
def test_control_is_asked_for_where_isolation_turns_on_it() -> None:
    text = "board sample\ntrust counters\nturn=5\n72.31 operational=central-powers\n{}: 1/1\n"

    def asked(place: str, kind: type[View], more: str = "") -> Any:
        position = typed(text.format(place) + more)
        question = question_of(position.game, "supply")
        view = kind(position.game, position.state)
        return answer_question(question, view, read_parameters(question, view, {"unit": "1/1"}), {})

    far = asked("62.31", NobodySaysWhoControls)
    assert (far.verdict.kind, far.asks[0].rule, far.asks[0].how) == (
        "undecided",
        "4.3",
        far.asks[0].how.split()[0] + " control=central-powers|russian",
    )
    first, second, third, *others = (ask.key[1] for ask in far.asks)
    some = asked("62.31", NobodySaysWhoControls, f"{second} control=central-powers\n{third}: german infantry XX F\n")
    assert [ask.key[1] for ask in some.asks] == [first, *others], "it is stated of one, and a friend holds another"
    assert not asked("66.31", NobodySaysWhoControls).result.isolated, "six hexes at most are on the way"
    assert not asked("62.31", View).result.isolated, "five of them are Russian as the map says"


@pytest.mark.rule("14.4.1", "4.1.3")
@pytest.mark.parametrize(("place", "isolated"), [("66.31", False), ("65.31", False), ("64.31", True)])
def test_six_enemy_hexes_at_most_lie_on_the_way_out(place: str, isolated: bool) -> None:
    """All but the RR hex 72.31 and the unit's own are Russian, and so are six hexes on the way to 65.31."""
    hexes = [f"{column}.{row} control=russian" for column in range(62, 72) for row in range(31, 42)]
    text = "board sample\ntrust counters\nturn=5\n72.31 operational=central-powers map-edge=central-powers\n"
    assert (
        answered(typed(f"{text}{chr(10).join(hexes)}\n{place}: 1/1"), "supply", unit="1/1").result.isolated is isolated
    )


@pytest.mark.rule("14.4.1")
def test_what_no_line_crosses_isolates_a_unit(twilight: Game) -> None:
    lakes = [f"66.31|{there} lake" for there in twilight.board("sample").neighbours("66.31")]
    text = "board sample\ntrust counters\nturn=5\n72.31 operational=central-powers\n66.31: 1/1\n"
    assert answered(typed(text + "\n".join(lakes)), "supply", unit="1/1").result.isolated


@pytest.mark.rule("2.1d", "3.3.1", "3.6.1", "17.1.1", "14.2.3", "14.4c", "14.4d")
def test_units_of_another_corps_have_the_railway_only(isolated: str) -> None:
    text = "\n".join(line for line in isolated.splitlines() if not line.startswith("68.36"))
    other = answered(typed(text.replace("22/1", "4/6")))
    assert [source.kind for source in other.result.tried] == ["RR line"]
    assert (other.result.state, other.result.cost) == ("low", Fraction(4))
    own = answered(typed(text))
    first = own.result.tried[0]
    assert (first.kind, first.range, first.extended_range) == ("corps-train", 6, 9)


@pytest.mark.rule("1.1")
@pytest.mark.parametrize(
    ("turn", "said"),
    [
        ("turn=16", False),
        ("turn=17", True),
        ("turn=28", True),
        ("turn=28 campaign=no", False),
        ("turn=28 campaign", False),
        ("turn=36 weather=normal", True),
        ("turn=36 weather=freeze", True),
        ("turn=17 weather=high-water", False),
    ],
)
def test_rivers_in_high_water_and_autumn_are_told_where_the_campaign_is_not_stated(turn: str, said: bool) -> None:
    text = f'{turn}\n40.23: "3 Train" supply=in range=5 extended-range=8\n40.21: 25/3\n4023:4022~+:4021'
    granted = told(answered(typed(text), "supply", unit="25/3"), "Assumed")
    whole = told(answered(typed(text), "supply", side="russian"), "Assumed")
    phase, lifelines = (
        told(answered(typed(text), name, side="russian"), "Assumed") for name in ("supply-phase", "lifelines")
    )
    for steps in (granted, whole, phase, lifelines):
        assert any("crossing 40.21|40.22 in" in one for one in steps) is said


def test_a_result_names_the_hex_in_which_a_line_begins() -> None:
    text = '40.23: "3 Train" range=5 extended-range=8\n40.21: 25/3\n4023=4022:4021'
    division, train = answered(typed(text), "supply", side="russian").result.units
    assert (train.unit, train.could.start, train.could.source) == ("3 Train", "40.23", "the RR line at 40.23")
    assert (division.could.start, [at.hex for at in division.could.line]) == ("40.22", ["40.21"])
    assert answered(typed(text), "supply", unit="25/3").result.start == "40.22"


def test_a_line_that_crosses_by_rail_or_no_great_river_says_nothing_of_them() -> None:
    text = 'turn=28\n40.23: "3 Train" range=5 extended-range=8\n40.21: 25/3\n4023:4022{}:4021'
    for over in ("-minor-river-", "=~"):
        granted = told(answered(typed(text.format(over)), "supply", unit="25/3"), "Assumed")
        assert not any("costs no more" in one for one in granted)


@pytest.mark.rule("17.1.1", "14.2.3")
def test_a_railway_in_enemy_territory_supplies_nobody() -> None:
    text = "board east\ntrust counters\nturn=5\n{}63.38: 24/1 corps=none"
    open_line = answered(typed(text.format("")), "supply", unit="24/1")
    assert open_line.result.source == "the RR line at 63.39"
    lost = answered(typed(text.format("63.40 control=central-powers\n")), "supply", unit="24/1")
    assert (lost.result.state, [one.source for one in lost.result.tried]) == ("in", ["the RR line at 62.41"])


@pytest.mark.rule("6.3.1a", "6.3.2", "6.3.3", "6.3.3b", "14.3.1", "14.3.2")
def test_attachment_says_who_may_draw() -> None:
    assert may_draw("3", "First", "corps-train", "3", "First")
    assert not may_draw("3", "First", "corps-train", "20", "First")
    assert not may_draw("", "First", "corps-train", "", "First")
    assert may_draw("3", "First", "major-depot", "", "First")
    assert not may_draw("3", "", "major-depot", "", "")


@pytest.mark.rule("6.3.3b", "6.3.1a")
def test_independent_cavalry_draws_on_a_train_of_its_army(report: Any) -> None:
    text = LINE.replace("40.20: 25/3", '40.20: russian cavalry XX "9 c" army=First').replace("unit=25/3", 'unit="9 c"')
    assert report(text.replace("range=2", "army=First range=2")).result.state == "in"
    assert report(text.replace("range=2", "army=Second range=2")).verdict.kind == "undecided"
