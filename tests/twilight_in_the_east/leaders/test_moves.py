"""Leaders in movement: the die of the Khan, that of the German 1st Corps, and the Asset Units of the Eighth Army
(25.1.1, 25.6).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.parameters import read_parameters
from assistant.asking.report import NOT_ALLOWED, Report
from assistant.asking.view import View
from assistant.installed.registry import question_of
from assistant.mechanics.procedure import AnswerError
from twilight_in_the_east.leaders.francois import leaves_area

from ...conftest import answered, told, typed
from ..movement.march.ground import changes_of, german, text_of

KHAN = pytest.mark.rule("25.1.1a", "25.1", "25.6.1a")
NOW = "turn={} phase=movement phasing=russian\n"
HORSE = 'russian cavalry XX "1 gdc" corps="1 C" movement=10 (3-3-1-11) {}'
BRIGADE = 'russian cavalry X "1 c bd" asset movement=10 (3-3-1-11) {}'


def marched(
    units: str, way: str, answers: str = "", *, turn: int = 5, horse: str = "", more: str = "", phase: str = ""
) -> Report[Any]:
    now = (phase or NOW).format(turn)
    said = f"\nanswers {answers}" if answers else ""
    text = text_of(f"30.20: {HORSE.format(horse)}\n{more}\nask move units={units} way={way}{said}", now)
    return answered(typed(text))


def text_of_verdict(report: Report[Any]) -> str:
    return report.verdict.text


def barred(report: Report[Any]) -> list[str]:
    return told(report, NOT_ALLOWED)


THREE = "30.19,30.18,30.17"
FIVE = f"{THREE},30.16,30.15"
GDC = '"1 gdc"'


@KHAN
def test_a_division_of_the_corps_rolls_before_it_moves() -> None:
    report = marched(GDC, THREE)
    assert [(ask.kind, ask.name, ask.dice) for ask in report.asks] == [("roll", "khan.1 gdc", "1d6")]
    assert text_of_verdict(report) == "1 gdc rolls 1d6 first: 83.3% chance that the move can be made"
    assert told(report, "Leaders") == [
        "1 gdc rolls 1d6: 1 to 4 it moves as usual, 5 half its Movement Allowance, 6 none"
    ]
    assert not report.changes
    assert [ask.name for ask in marched(GDC, THREE, turn=16).asks] == ["khan.1 gdc"]
    assert not marched(GDC, THREE, turn=17).asks, "he is gone"
    assert not marched(GDC, THREE, horse="khan=free").asks, "it has rolled"


@KHAN
@pytest.mark.parametrize(
    ("way", "chance"), [(THREE, Fraction(5, 6)), (FIVE, Fraction(2, 3)), (f"{FIVE},30.14", Fraction(2, 3))]
)
def test_the_chance_to_make_a_move(way: str, chance: Fraction) -> None:
    assert marched(GDC, way).verdict.figures["chance"] == chance


@KHAN
def test_no_die_is_asked_for_that_nobody_owes() -> None:
    report = marched(GDC, "30.19", more=f"30.19: {german('G')}")
    assert (report.verdict.text, report.asks, report.changes) == (
        "1 gdc cannot go to 30.19: enemies stand there",
        (),
        (),
    )
    for die in "1234":
        report = marched(GDC, FIVE, f'"khan.1 gdc"={die}')
        assert text_of_verdict(report) == "1 gdc goes to 30.15: 10 Movement Points; 0 left"
        assert changes_of(report, "khan", "place") == {("khan", "1 gdc"): "free", ("place", "1 gdc"): "30.15"}
        assert told(report, "Leaders") == [f"1 gdc rolls {die}: it moves as usual"]


@KHAN
@pytest.mark.rule("8.3", "8.3b", "8.3.1")
def test_a_slowed_unit_has_half_its_allowance_and_marches_no_more_than_3_points() -> None:
    report = marched(GDC, "30.19,30.18", '"khan.1 gdc"=5')
    assert text_of_verdict(report) == "1 gdc goes to 30.18: 4 Movement Points; 1 left"
    assert changes_of(report, "khan") == {("khan", "1 gdc"): "slowed"}
    farther = marched(GDC, f"{THREE},30.16", '"khan.1 gdc"=5')
    assert "3 beyond the allowance by Forced March" in text_of_verdict(farther)
    too_far = marched(GDC, FIVE, '"khan.1 gdc"=5')
    assert (too_far.verdict.kind, changes_of(too_far, "khan", "place")) == ("no", {("khan", "1 gdc"): "slowed"})
    assert barred(too_far) == ["1 gdc would spend 10 Movement Points, and its limit is 8: 5, and 3 by Forced March"]


@pytest.mark.rule("8.3", "8.3b", "8.3.1")
@KHAN
def test_a_halted_unit_stays_and_the_counter_movement_phase_halves_the_rest() -> None:
    report = marched(GDC, "30.19", '"khan.1 gdc"=6')
    assert (report.verdict.kind, changes_of(report, "khan", "place")) == ("no", {("khan", "1 gdc"): "halted"})
    assert barred(report) == ["1 gdc has no Movement Allowance in this phase, as its die for Khan Nakhichevanski was 6"]
    again = marched(GDC, "30.19", horse="khan=halted")
    assert (again.verdict.kind, again.asks) == ("no", ())
    phase = "turn={} phase=counter-movement phasing=central-powers\n"
    report = marched(GDC, "30.19", '"khan.1 gdc"=5', phase=phase)
    assert text_of_verdict(report) == "1 gdc goes to 30.19: 2 Movement Points; 1/2 left"


@KHAN
def test_the_brigade_rolls_while_it_is_with_the_corps() -> None:
    beside = marched('"1 c bd"', "30.19", more=f"30.20: {BRIGADE.format('')}")
    assert [ask.name for ask in beside.asks] == ["khan.1 c bd"]
    near = marched('"1 c bd"', "28.19", more=f"28.20: {BRIGADE.format('army=First')}", horse="army=First")
    assert [ask.name for ask in near.asks] == ["khan.1 c bd"], "the nearest formation is of the corps"
    other = 'russian cavalry XX "4 c" corps="2 C" movement=10 (3-3-1-11)'
    with_others = marched('"1 c bd"', "28.19", more=f"28.20: {other}\n28.20: {BRIGADE.format('')}")
    assert not with_others.asks
    small = marched('"5 c"', "28.19", more='28.20: russian cavalry III "5 c" asset corps="1 C" movement=10 (3-3-1-11)')
    assert not small.asks, "it is smaller than a brigade"
    assert not marched('"4 c"', "28.19", more=f"28.20: {other}").asks, "of another corps"


@KHAN
def test_units_that_move_together_each_roll() -> None:
    second = HORSE.format("").replace("1 gdc", "2 gdc")
    both = marched('"1 gdc","2 gdc"', FIVE, more=f"30.20: {second}")
    assert [ask.name for ask in both.asks] == ["khan.1 gdc", "khan.2 gdc"]
    assert both.verdict.figures["chance"] == Fraction(4, 9)
    assert marched('"1 gdc","2 gdc"', THREE, more=f"30.20: {second}").verdict.figures["chance"] == Fraction(25, 36)
    halted = marched('"1 gdc","2 gdc"', THREE, '"khan.1 gdc"=1 "khan.2 gdc"=6', more=f"30.20: {second}")
    assert (halted.verdict.kind, changes_of(halted, "khan")) == (
        "no",
        {("khan", "1 gdc"): "free", ("khan", "2 gdc"): "halted"},
    )


def test_a_die_that_nobody_owes_is_refused_or_not_asked_for() -> None:
    with pytest.raises(AnswerError):
        marched(GDC, THREE, '"khan.1 gdc"=3', turn=17)
    with pytest.raises(AnswerError):
        marched(GDC, THREE, '"khan.1 gdc"=7')
    report = marched(GDC, THREE, horse="displaced")
    assert (report.verdict.kind, report.asks) == ("no", ())


@KHAN
@pytest.mark.rule("8.3", "8.3b", "8.3.1")
def test_a_forced_march_keeps_to_the_die() -> None:
    def marching(points: int, horse: str) -> Report[Any]:
        text = text_of(f"30.20: {HORSE.format(horse)}\nask forced-march unit={GDC} points={points}", NOW.format(5))
        return answered(typed(text))

    assert marching(3, "khan=slowed").result.most == 3
    assert marching(3, "khan=slowed").result.allowance == 8
    assert barred(marching(4, "khan=slowed")) == [
        "4 points beyond the allowance exceed 3, as its die for Khan Nakhichevanski was 5"
    ]
    assert barred(marching(7, "khan=slowed")) == ["7 points beyond the allowance exceed the limit of 3 for cavalry"]
    assert marching(6, "khan=free").result.most == 6
    assert barred(marching(1, "khan=halted")) == [
        "it has no Movement Allowance in this phase, as its die for Khan Nakhichevanski was 6"
    ]


def reached(units: str, *, horse: str = "", more: str = "", forced: str = "no", turn: int = 5) -> Report[Any]:
    text = f"30.20: {HORSE.format(horse)}\n{more}\nask reach units={units} forced={forced}"
    return answered(typed(text_of(text, NOW.format(turn))))


@KHAN
def test_a_reach_says_what_each_result_of_the_die_gives() -> None:
    free, slowed = (len(reached(GDC, horse=f"khan={result}").result.hexes) for result in ("free", "slowed"))
    unknown = reached(GDC)
    assert len(unknown.result.hexes) == free
    assert told(unknown, "Leaders") == [
        f"1 gdc rolls 1d6 as it begins to move: 1 to 4 as listed ({free} hexes), 5 only {slowed}, 6 none"
    ]
    assert not told(reached(GDC, horse="khan=free"), "Leaders")
    assert (free, slowed) == (90, 18), "five hexes and two"
    assert reached(GDC, horse="khan=halted").verdict.kind == "no"
    further = len(reached(GDC, horse="khan=slowed", forced="yes").result.hexes)
    assert further == 60, "8 Movement Points, four hexes"
    assert reached(GDC, horse="khan=slowed").result.allowance == 10, "in halves"


FRANCOIS = pytest.mark.rule("25.6.1a", "25.6.1", "25.1.1a", "25.0", "25.1", "25.6.2")
OF_CORPS = "leaders=francois\n"
AT = "turn={} phase=movement phasing=central-powers\n"
ENEMY = 'russian infantry XX "40/10" movement=7 (9-9-0-9)'


def prussian(name: str, more: str = "") -> str:
    return german(name, f"corps=1 army=Eighth {more}")


def drawn(
    way: str, answers: str = "", *, turn: int = 2, leaders: str = "leaders=francois", more: str = "", units: str = "1/1"
) -> Report[Any]:
    said = f"\nanswers {answers}" if answers else ""
    text = f"{leaders}\n30.20: {prussian('1/1')}\n30.18: {ENEMY}\n{more}\nask move units={units} way={way}{said}"
    return answered(typed(text_of(text, AT.format(turn))))


AWAY, ALONG = "30.21", "31.19"


@FRANCOIS
def test_the_first_unit_of_the_1st_corps_rolls() -> None:
    report = drawn(AWAY)
    assert [(ask.kind, ask.name, ask.rule) for ask in report.asks] == [("roll", "francois", "25.6.1")]
    assert text_of_verdict(report) == "the 1st Corps rolls 1d6 first: 83.3% chance that the move can be made"
    assert text_of_verdict(drawn(ALONG)) == "the 1st Corps rolls 1d6 first"
    assert [ask.name for ask in drawn(AWAY, turn=3).asks] == ["francois"]
    for other in (
        drawn(AWAY, turn=4),
        drawn(AWAY, leaders=""),
        drawn(AWAY, leaders="leaders=francois francois=free"),
        drawn("28.21", units="35/17", more=f"28.20: {german('35/17')}"),
        drawn("28.21", units="g.88", more="28.20: german artillery - g.88 corps=1 movement=6"),
    ):
        assert not other.asks


@FRANCOIS
def test_on_a_6_no_unit_of_the_corps_ends_farther_from_the_enemy() -> None:
    free = drawn(AWAY, "francois=5")
    assert (free.verdict.kind, changes_of(free, "francois", "place")) == (
        "figure",
        {("francois", ""): "free", ("place", "1/1"): "30.21"},
    )
    assert told(free, "Leaders") == ["the German 1st Corps rolls 5: its units move as usual"]
    held = drawn(AWAY, "francois=6")
    assert (held.verdict.kind, changes_of(held, "francois", "place")) == ("no", {("francois", ""): "held"})
    assert told(held, "Leaders") == [
        "the German 1st Corps rolls 6: none of its combat units may end farther from the nearest enemy"
    ]
    assert barred(held) == [
        "1/1 would end 3 hexes from the nearest enemy and began 2 away: its corps must not draw off in this phase, as its die was 6"
    ]
    assert drawn(ALONG, "francois=6").verdict.kind == "figure", "as far as before"
    assert drawn("30.19", "francois=6").verdict.kind == "figure", "nearer"
    assert drawn("29.20,29.19", "francois=6").verdict.kind == "figure", "only where it ends counts"
    on_its_way = drawn(f"{AWAY} goes-on=yes", "francois=6")
    assert (on_its_way.verdict.kind, on_its_way.result.way) == ("figure", ("30.21",)), "it goes on later in the phase"
    others = drawn("28.22", units="35/17", more=f"francois=held\n28.21: {german('35/17')}")
    assert others.verdict.kind == "figure"


@FRANCOIS
def test_what_counts_is_where_a_unit_began_to_move_in_the_phase() -> None:
    account = 'spent=march:2 passed="30.23 30.22"'
    begun = f"30.22: {prussian('2/1', account)}\nfrancois=held"
    assert drawn("30.23", units="2/1", more=begun).verdict.kind == "figure"
    assert drawn("30.23,30.24", units="2/1", more=begun).verdict.kind == "no"


@FRANCOIS
def test_a_reach_leaves_out_the_hexes_farther_away() -> None:
    def reach(more: str) -> Report[Any]:
        text = f"leaders=francois {more}\n30.20: {prussian('1/1')}\n30.18: {ENEMY}\nask reach units=1/1 forced=no"
        return answered(typed(text_of(text, AT.format(2))))

    unknown, held = reach(""), reach("francois=held")
    hexes = [place.hex for place in held.result.hexes]
    assert "30.21" not in hexes and "31.19" in hexes and "29.21" not in hexes
    assert "30.21" in [place.hex for place in unknown.result.hexes]
    (line,) = told(unknown, "Leaders")
    assert line.endswith(f"1 to 5 as listed, 6 only {len(hexes)} hexes for 1/1")
    assert not told(held, "Leaders")
    assert ("30.21", "25.6.1") in [(option.hex, option.rule) for option in held.result.barred]


@FRANCOIS
def test_a_reach_that_is_known_leaves_out_the_same_hexes() -> None:
    text = f"leaders=francois francois=held\n30.20: {prussian('1/1')}\n30.18: {ENEMY}"
    place = typed(text_of(text, AT.format(2)))
    view, question = View(place.game, place.state), question_of(place.game, "reach")
    parameters = read_parameters(question, view, {"units": "1/1"})
    first, again = (question.answer(view, parameters, {}).result for _ in range(2))
    assert first == again and "30.21" not in [there.hex for there in again.hexes]


@FRANCOIS
def test_units_that_are_held_meet_nowhere_farther_away_in_this_phase() -> None:
    def meets(to: str, more: str = "", until: int = 2) -> bool:
        text = f"leaders=francois {more}\n30.20: {prussian('1/1')}\n30.18: {ENEMY}"
        text += f"\nask reach units=1/1 to={to} until={until} forced=no"
        return bool(answered(typed(text_of(text, AT.format(2)))).result.coming[0].arrives)

    assert meets("30.21") and meets("31.19", "francois=held") and not meets("30.21", "francois=held")
    assert meets("30.21", "francois=held", until=3), "the die holds for the phase alone"


KEPT = pytest.mark.rule("25.6.2a", "25.6.2", "25.0", "25.1", "25.6.1")
LATE = "turn={} phase=movement phasing=central-powers leaders=francois campaign\n"
AREA = 'army "german Eighth" area="29.18-29.24 30.18-30.24"\n'
DETACHMENT = "german infantry III g.det asset movement=7 (3-3-0-9) army=Eighth {}"


def detached(way: str, began: str = "", *, turn: int = 24, at: str = "30.20", now: str = LATE, area: str = AREA) -> Any:
    text = f"{area}{at}: {DETACHMENT.format(began)}\nask move units=g.det way={way}"
    return answered(typed(text_of(text, now.format(turn))))


INSIDE, OUTSIDE = "29.20", "31.20"


@KEPT
def test_an_asset_unit_that_began_the_turn_in_the_area_does_not_leave_it() -> None:
    report = detached(OUTSIDE, "began-in-eighth")
    assert report.verdict.kind == "no"
    assert barred(report) == [
        "31.20: g.det began the game turn in the area of the Eighth Army, which keeps its Asset Units"
    ]
    assert report.parts[0].steps[0].rule == "25.6.2"
    assert detached(INSIDE, "began-in-eighth").verdict.kind == "figure"
    assert detached(OUTSIDE, "began-in-eighth=no").verdict.kind == "figure"
    assert detached(OUTSIDE, "began-in-eighth", turn=33).verdict.kind == "no"
    assert detached(f"{OUTSIDE},30.21", "began-in-eighth").verdict.kind == "no", "nor for a while"
    assert leaves_area(("43.19", "42.19"), {"41.19", "42.19"}, began=True) and not leaves_area(
        (), {"41.19"}, began=True
    )
    for free in (
        detached(OUTSIDE, "began-in-eighth", turn=23),
        detached(OUTSIDE, "began-in-eighth", turn=34),
        detached(OUTSIDE, "began-in-eighth", now=LATE.replace("leaders=francois ", "")),
        detached(OUTSIDE, "began-in-eighth", now=LATE.replace(" campaign", "")),
    ):
        assert free.verdict.kind != "no"


@KEPT
def test_where_it_began_is_asked_for_only_where_it_leaves_the_area() -> None:
    assert [ask.name for ask in detached(OUTSIDE).asks] == ["g.det began-in-eighth"]
    assert detached(INSIDE).verdict.kind == "figure"
    assert detached("32.20", at="31.20").verdict.kind == "figure", "it stands outside"
    assert next(ask.name for ask in detached(OUTSIDE, area="").asks).startswith('army "central-powers Eighth" area=')
    formation = DETACHMENT.replace("III g.det asset", "XX g.det")
    text = f"{AREA}30.20: {formation.format('')}\nask move units=g.det way={OUTSIDE}"
    assert answered(typed(text_of(text, LATE.format(24)))).verdict.kind == "figure", "no Asset Unit"


@KEPT
def test_an_asset_unit_does_not_leave_the_area_by_rail_either() -> None:
    def train(began: str, to: str, *, phase: str = "movement") -> Report[Any]:
        line = "".join(
            f"{column}.20|{column + 1}.20 rail2\n{column}.20 operational=central-powers control=central-powers\n"
            for column in range(28, 34)
        )
        stations = "".join(f"{column}.20 clear station\n" for column in (28, 30, 32))
        text = f"{AREA}30.20: {DETACHMENT.format(began)} rail-cost=2\nnation german rail-points=30\n"
        text = text_of(text, LATE.format(24).replace("phase=movement", f"phase={phase}"), without="28.20 30.20 32.20")
        return answered(typed(f"{text}{stations}{line}ask rail units=g.det to={to} rate=1"))

    held = train("began-in-eighth", "32.20")
    assert (held.verdict.kind, held.changes) == ("no", ())
    assert barred(held) == ["g.det began the game turn in the area of the Eighth Army, which keeps its Asset Units"]
    assert train("began-in-eighth=no", "32.20").verdict.kind != "no"
    assert train("began-in-eighth", "32.20", phase="attack").verdict.kind != "no", "that is of a later phase"
    assert [ask.name for ask in train("", "32.20").asks] == ["g.det began-in-eighth"]


@KEPT
def test_a_reach_keeps_an_asset_unit_in_the_area() -> None:
    def hexes(began: str) -> set[str]:
        text = f"{AREA}30.20: {DETACHMENT.format(began)}\nask reach units=g.det forced=no"
        return {place.hex for place in answered(typed(text_of(text, LATE.format(24)))).result.hexes}

    assert {hex[:2] for hex in hexes("began-in-eighth")} == {"29", "30"}
    assert "31.20" in hexes("began-in-eighth=no")


LINE = "".join(f"30.{row}|30.{row - 1} rail2 gauge=broad\n" for row in range(20, 14, -1))
LINE += (
    "".join(f"30.{row} operational=russian control=russian\n" for row in range(14, 21))
    + "nation russian rail-points=30\n"
)


def by_rail(horse: str = "", answers: str = "", *, turn: int = 5, phase: str = "movement") -> Report[Any]:
    now = f"turn={turn} phase={phase} phasing={'russian' if phase == 'movement' else 'central-powers'}\n"
    said = f"\nanswers {answers}" if answers else ""
    text = f"30.20 station: {HORSE.format(f'{horse} rail-cost=2')}\nask rail units={GDC} to=30.14 rate=1{said}"
    here = text_of(text, now, without="30.20 30.14")
    return answered(typed(f"{here}\n30.20 clear\n30.14 clear station\n{LINE}"))


@pytest.mark.rule("8.2.3j")
@KHAN
def test_a_unit_rolls_before_it_goes_by_rail_and_stays_if_halted() -> None:
    report = by_rail()
    assert [(ask.name, ask.rule) for ask in report.asks] == [("khan.1 gdc", "25.1.1")]
    assert (report.verdict.kind, report.changes) == ("figure", ())
    assert text_of_verdict(report) == "1 gdc rolls 1d6 first"
    free = by_rail(answers='"khan.1 gdc"=4')
    assert changes_of(free, "khan") == {("khan", "1 gdc"): "free"}
    assert told(free, "Leaders") == ["1 gdc rolls 4: it moves as usual"]
    assert not by_rail(turn=17).asks
    assert not by_rail("khan=free").asks
    pinned = by_rail("prepared=30.13")
    assert (pinned.verdict.kind, pinned.asks) == ("no", ()), "no die for a unit that cannot go"
    why = "1 gdc: it has no Movement Allowance in this phase, as its die for Khan Nakhichevanski was 6"
    assert barred(by_rail("khan=halted")) == [why]
    rolled = by_rail(answers='"khan.1 gdc"=6')
    assert (barred(rolled), [change.track for change in rolled.changes]) == ([why], ["khan"])


@KHAN
def test_a_unit_that_is_slowed_has_half_its_points_by_rail_in_that_phase_alone() -> None:
    assert changes_of(by_rail("khan=free"), "place") == {("place", "1 gdc"): "30.14"}, "10 points: 2, six hexes, 2"
    slowed = by_rail(answers='"khan.1 gdc"=5')
    assert changes_of(slowed, "place") == {("place", "1 gdc"): "30.17"}, "5 points: 2, three hexes"
    countered = by_rail("khan=free", phase="counter-movement")
    assert changes_of(countered, "place") == {("place", "1 gdc"): "30.17"}
    both = by_rail("khan=slowed", phase="counter-movement")
    assert changes_of(both, "place", "entrained") == {("entrained", "1 gdc"): True}, "2 1/2 points"
    ((first, second),) = [unit.phases for unit in slowed.result.units]
    assert sum(first.spent.values()) == 5
    assert (second.place, sum(second.spent.values())) == ("30.14", 5), "3 hexes and 2, in the Counter Movement Phase"
    line = "in later phases the timetable gives 1 gdc the whole Movement Allowance, before the dice for Khan"
    assert line in " ".join(told(slowed))
    assert line not in " ".join(told(by_rail("khan=free")))
    later = by_rail("khan=slowed", phase="attack")
    assert not later.asks
    assert line in " ".join(told(later))
    assert sum(later.result.units[0].phases[0].spent.values()) == 10, "its die was for another phase"


@FRANCOIS
def test_the_1st_corps_rolls_before_it_goes_by_rail_and_is_held() -> None:
    def train(answers: str = "", *, held: str = "", station: str = "30.22") -> Report[Any]:
        line = "".join(
            f"30.{row}|30.{row + 1} rail2\n30.{row} operational=central-powers control=central-powers\n"
            for row in range(20, 24)
        )
        said = f"\nanswers {answers}" if answers else ""
        text = f"leaders=francois {held}\n30.20 station: {prussian('1/1', 'rail-cost=2')}\n30.16: {ENEMY}\n"
        text += f"nation german rail-points=30\nask rail units=1/1 to={station} rate=1{said}"
        here = text_of(text, AT.format(2), without=f"30.20 {station}")
        return answered(typed(f"{here}\n30.20 clear\n{station} clear station\n{line}"))

    assert [ask.name for ask in train().asks] == ["francois"]
    free = train("francois=5")
    assert free.result.allowed
    assert changes_of(free, "francois") == {("francois", ""): "free"}
    held = train("francois=6")
    assert (held.verdict.kind, changes_of(held, "francois", "place")) == ("no", {("francois", ""): "held"})
    assert train(held="francois=held").verdict.kind == "no"


@KEPT
def test_an_asset_unit_that_enters_the_area_and_leaves_it_within_a_turn_is_free() -> None:
    assert detached(f"30.20,{OUTSIDE}", "began-in-eighth=no", at=OUTSIDE).verdict.kind == "figure"
    within = detached(f"30.20,{OUTSIDE}", at=OUTSIDE)
    assert (within.verdict.kind, within.asks) == ("figure", ()), "it stands outside as the phase begins"
    later = detached(OUTSIDE, 'began-in-eighth=no spent=march:2 passed="31.20 30.20"')
    assert later.verdict.kind == "figure", "it has entered in this phase, and goes on"
    unnoted = detached(OUTSIDE, 'spent=march:2 passed="31.20 30.20"')
    assert (unnoted.verdict.kind, unnoted.asks) == ("figure", ())
    back = detached(OUTSIDE, 'began-in-eighth spent=march:2 passed="31.20 30.20"')
    assert back.verdict.kind == "no", "it began the turn there, wherever it began the phase"


SUPPOSED = "1 gdc do not roll a 5 or 6 for Khan Nakhichevanski"
NO_SIX = "the German 1st Corps does not roll a 6"


def meets(
    unit: str, more: str = "", *, turn: int = 5, until: int | None = None, phase: str = NOW, forced: str = "no"
) -> str:
    end = f" until={until}" if until else ""
    text = text_of(
        f"{more}\n30.20: {unit}\nask reach units={GDC if GDC in unit else '1/1'} to=30.19 forced={forced}{end}",
        phase.format(turn),
    )
    return str(answered(typed(text)))


@KHAN
def test_a_meeting_supposes_the_dice_of_all_its_phases() -> None:
    assert SUPPOSED in meets(HORSE.format(""))
    assert SUPPOSED in meets(HORSE.format("khan=free")), "it rolls again in the Counter Movement Phase"
    assert SUPPOSED in meets(HORSE.format("khan=free"), turn=16)
    assert SUPPOSED not in meets(
        HORSE.format("khan=free"),
        turn=16,
        phase=NOW.replace("=movement", "=counter-movement").replace("russian", "central-powers"),
    )
    assert SUPPOSED not in meets(HORSE.format(""), turn=17)
    own = NOW.replace("russian", "central-powers")
    one = prussian("1/1")
    assert NO_SIX in meets(one, "leaders=francois", turn=2, phase=own)
    assert NO_SIX in meets(one, "leaders=francois francois=free", turn=2, until=3, phase=own)
    assert NO_SIX not in meets(one, "leaders=francois francois=free", turn=3, phase=own), "its last phase is over then"
    assert NO_SIX not in meets(one, turn=2, phase=own)


@KHAN
def test_a_timetable_supposes_the_dice_of_leaders_only_while_they_command() -> None:
    line = "in later phases the timetable gives 1 gdc the whole Movement Allowance"
    assert line in " ".join(told(by_rail("khan=slowed", turn=16)))
    last = by_rail("khan=slowed", turn=16, phase="counter-movement")
    assert last.result.units[0].phases[1].turn == 17
    assert line not in " ".join(told(last)), "he is gone in GT 17"
