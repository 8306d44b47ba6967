"""Where an Artillery Ammunition Point comes from, along which lines, and what is recorded of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.ammunition.ways import PointLink, PointRecord, PointWay, cheapest

from ...conftest import answered, told, typed

TRAIN = '40.23: "3 Train" range={near} extended-range=4 army=First {train}'
DEPOT = '40.27: "Russian FIRST {size} Depot" range={reach} extended-range={far} {depot}'
STACK = "40.20: 25/3 (10-?-5-10) army=First, 27/3 (10-?-5-10) army=First"
TO_TRAIN = "line one: 40.27 -rail2- 40.26 -rail2- 40.25 -rail2- 40.24 40.23 {ground}"
TO_STACK = "line two: 40.23 -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough"


def chain(
    *more: str,
    near: int = 2,
    reach: int = 2,
    size: str = "Major",
    train: str = "",
    depot: str = "",
    far: int = 4,
    ground: str = "clear",
    stack: str = STACK,
    **parameters: Any,
) -> Report[Any]:
    """The stack of the 3 Corps, its train 1 1/2 hexes away, and a depot 1 3/4 hexes (over rough ground 2 1/4) from that."""
    text = "\n".join([TRAIN, DEPOT, TO_TRAIN, TO_STACK]).format(
        near=near, reach=reach, far=far, train=train, size=size, depot=depot, ground=ground
    )
    return answered(typed("\n".join([stack, text, *more])), "ammunition", at="40.20", **parameters)


def changed(report: Report[Any]) -> list[tuple[str, str, object]]:
    return [(change.track, change.subject, change.after) for change in report.changes]


@pytest.mark.rule("6.3.2", "10.5.2", "10.5.3")
def test_a_train_passes_on_what_a_depot_gives() -> None:
    report = chain()
    (command,) = report.result.commands
    assert (report.verdict.kind, command.command, command.units) == ("yes", "3", ("25/3", "27/3"))
    assert (command.way.source, command.way.depot, command.way.point) == ("3 Train", "Russian FIRST Major Depot", "3")
    assert [(link.to, link.cost, link.extended) for link in command.way.links] == [
        ("40.23", Fraction(7, 4), False),
        ("40.20", Fraction(3, 2), False),
    ]
    assert report.changes == (), "nothing is recorded on the front sides of a Major Depot and a Corps Train"
    assert not any("no depot" in way.why_not for way in command.tried)


@pytest.mark.rule("10.5.3", "10.5.4")
def test_a_train_and_a_depot_are_turned_over_where_they_have_to_be() -> None:
    report = chain(near=1, far=3, ground="rough")
    assert changed(report) == [
        ("extended", "Russian FIRST Major Depot", True),
        ("ap-spent", "Russian FIRST Major Depot", 1),
        ("extended", "3 Train", True),
        ("ap-spent", "3 Train", 1),
    ]
    assert [link.extended for link in report.result.commands[0].way.links] == [True, True]
    texts = told(report)
    assert "3 Train is flipped to its Extended Mode side" in texts
    assert "3 Train: 1 AP now on its marker, previously 0; 1 left" in texts


@pytest.mark.rule("10.5.2", "10.5.3")
def test_a_train_or_a_depot_in_the_hex_or_along_a_line_gives_it() -> None:
    straight = (
        f"{TO_TRAIN.replace('one', 'three').format(ground='clear')} -rail2- 40.22 -rail2- 40.21 -road- 40.20 rough"
    )
    way = chain(straight, reach=4).result.commands[0].way
    assert (way.source, way.depot, [link.cost for link in way.links]) == (
        "Russian FIRST Major Depot",
        "",
        [Fraction(13, 4)],
    )
    by_train = chain(straight, reach=4, through=("3 Train",)).result.commands[0].way
    assert by_train.source == "3 Train"
    text = f'{STACK}\n40.20: "Russian FIRST Major Depot" range=0 extended-range=0 {{}}'
    (way,) = answered(typed(text.format("")), "ammunition", at="40.20").result.commands[0].tried
    assert [(link.place, link.to, link.cost, link.line) for link in way.links] == [("40.20", "40.20", 0, ())]
    assert (way.why_not, way.records[0].turned) == ("", False)


@pytest.mark.rule("10.5.4", "10.5.2")
def test_the_worked_example_two_points_of_a_minor_depot_by_an_extended_train() -> None:
    """The train has then no more to give, and the Minor Depot shows 2."""
    first = chain(size="Minor", near=1, train="extended")
    assert changed(first) == [("ap-spent", "Russian FIRST Minor Depot", 1), ("ap-spent", "3 Train", 1)]
    second = chain(size="Minor", near=1, train="extended ap-spent=1", depot="ap-spent=1")
    assert changed(second) == [("ap-spent", "Russian FIRST Minor Depot", 2), ("ap-spent", "3 Train", 2)]
    assert "3 Train: 2 APs now on its marker, previously 1; no more left" in [
        s.text for p in second.parts for s in p.steps
    ]
    third = chain(size="Minor", near=1, train="extended ap-spent=2", depot="ap-spent=2", through=("3 Train",))
    assert third.result.commands[0].tried[1].why_not == "3 Train has no AP left of its 2"
    assert (third.verdict.kind, third.changes) == ("no", ())


@pytest.mark.rule("10.5.4b", "10.5.4", "10.5.3", "24.3.1")
def test_a_minor_depot_with_three_on_its_marker_is_extended_and_an_incomplete_train_recorded() -> None:
    """Its record sinks to one, so that it has one to give, and shows two."""
    report = chain(size="Minor", far=3, ground="rough", depot="ap-spent=3")
    assert changed(report) == [
        ("extended", "Russian FIRST Minor Depot", True),
        ("ap-spent", "Russian FIRST Minor Depot", 2),
    ]
    (depot, train) = report.result.commands[0].way.records
    assert (depot.before, depot.after, depot.limit, depot.turned) == (3, 2, 2, True)
    assert (train.before, train.after, train.limit) == (0, 0, None)
    spent = chain(size="Minor", far=3, ground="rough", depot="ap-spent=4")
    assert "Minor Depot has no AP left of its 2" in spent.result.commands[0].tried[1].why_not
    incomplete = "incomplete=2 incomplete-range=0 incomplete-limit=3"
    assert changed(chain(train=incomplete)) == [("ap-spent", "3 Train", 1)]
    assert (
        chain(train=f"{incomplete} ap-spent=3").result.commands[0].tried[1].why_not == "3 Train has no AP left of its 3"
    )


@pytest.mark.rule("10.5.2b", "10.5.3")
@pytest.mark.parametrize(
    ("depot", "why"),
    [
        ("relocation=relocating", "marked Relocating (8.2.7)"),
        ("relocation=consolidating", "marked Consolidating (8.2.7)"),
        ("supply=out", "marked Out of Supply (10.5.2)"),
    ],
)
def test_depots_that_give_none(depot: str, why: str) -> None:
    report = chain(depot=depot, through=("3 Train",))
    assert (report.verdict.kind, report.asks) == ("no", ())
    assert report.result.commands[0].tried[1].why_not == f"Russian FIRST Major Depot is {why}"


@pytest.mark.rule("24.5.3", "10.5.2b")
def test_praga_gives_none_in_a_turn_in_which_its_army_changed() -> None:
    text = (
        "turn=12 {}\n60.46: russian major-depot - PRAGA army=First range=7 {}\n"
        "60.47 clear: 25/3 (10-?-5-10) army=First\nline one: 60.46 -road- 60.47"
    )

    def way(game: str, depot: str) -> PointWay:
        return answered(typed(text.format(game, depot)), "ammunition", at="60.47").result.commands[0].tried[0]

    assert way("campaign", "changed-attachment").why_not == "PRAGA is inactive, as its army was changed (24.5.3)"
    assert way("campaign", "").why_not == way("", "changed-attachment").why_not == ""


@pytest.mark.rule("14.5.2b", "10.5.3")
def test_a_train_out_of_supply_may_pass_one_on_but_not_one_in_rail_mode() -> None:
    assert chain(train="supply=out").verdict.kind == "yes"
    assert chain(train="entrained").result.commands[0].tried[1].why_not == "3 Train is entrained (14.2.2)"


@pytest.mark.rule("6.3.3", "10.5.2")
def test_independent_units_have_depots_only() -> None:
    stack = '40.20: russian infantry XX "5 r" (10-?-5-10) army=First'
    report = chain(stack=stack)
    assert [(way.source, way.depot) for way in report.result.commands[0].tried][:1] == [
        ("Russian FIRST Major Depot", "")
    ]
    assert "3 Train" not in [way.source for way in report.result.commands[0].tried]
    cavalry = chain(stack='40.20: russian cavalry XX "9 c" (10-?-5-10) army=First')
    assert (cavalry.verdict.kind, cavalry.result.commands[0].way.source) == ("yes", "3 Train")


@pytest.mark.rule("2.1a", "2.1d", "2.1g", "3.5", "6.4.1a")
def test_asset_units_draw_their_point_under_the_formation_in_their_hex_and_others_under_the_hex() -> None:
    own = "(1-?-3-?) army=First back-steps=0"
    guns, marked = f"russian artillery - Guns {own}", f"russian infantry XX Marked {own} asset"
    stack = "40.20: russian infantry XX 25/3 (10-?-5-10) army=First back-steps=0"
    (command,) = chain(stack=f"{stack}, {guns}, {marked}").result.commands
    assert (command.command, command.units) == ("3", ("25/3", "Guns", "Marked"))
    apart = chain(stack=f"{stack}, {marked.removesuffix(' asset')}").result.commands
    assert [(each.command, each.units) for each in apart] == [("3", ("25/3",)), ("40.20", ("Marked",))]
    stack = '40.20: russian infantry XX "5 r" (10-?-5-10) army=First'
    text = chain(stack=stack, depot="supply=out").verdict.text
    assert text == "undecided: whether the units in 40.20 can draw an AP depends on what is asked below"


@pytest.mark.rule("22.5.1b", "10.5.2", "10.5.3")
def test_the_train_of_königsberg_needs_no_depot() -> None:
    text = (
        '60.17: "KG Train" range=5 extended-range=0, german infantry XX {} (8-?-4-9) army=Eighth\n60.17 magazine=none'
    )
    found = answered(typed(text.format("1/KG")), "ammunition", at="60.17")
    assert (found.verdict.kind, found.result.commands[0].way.source, found.changes) == ("yes", "KG Train", ())
    assert answered(typed(text.format("1/20")), "ammunition", at="60.17").verdict.kind == "no"


ALLOTMENT = """turn={turn}
60.17: "3 LW Train" range=5 extended-range=8{spent}, german infantry XX "3/3 LW" (8-?-4-9)
60.17 magazine=none
"""


def of_the_landwehr(turn: int = 5, spent: str = "", unit: str = "3/3 LW") -> Report[Any]:
    text = ALLOTMENT.format(turn=turn, spent=f" allotment-spent={spent}" if spent else "").replace("3/3 LW", unit)
    return answered(typed(text), "ammunition", at="60.17")


@pytest.mark.rule("22.3.1")
def test_the_train_of_the_3_landwehr_corps_has_two_points_of_its_own_before_gt_10() -> None:
    asked = of_the_landwehr()
    assert (asked.verdict.kind, [ask.how for ask in asked.asks]) == ("undecided", ['"3 LW Train" allotment-spent=N'])
    first = of_the_landwehr(9, "1")
    assert (first.verdict.kind, first.result.commands[0].way.rule) == ("yes", "22.3.1")
    assert changed(first) == [("allotment-spent", "3 LW Train", 2)]
    assert "3 LW Train: 2 of its two APs now given, previously 1 (its AP marker)" in told(first)
    assert of_the_landwehr(9, "2").verdict.kind == of_the_landwehr(10, "0").verdict.kind == "no"
    assert of_the_landwehr(5, "0", unit="3/20").verdict.kind == "no", "for its own corps only"
    unsaid = answered(
        typed(ALLOTMENT.format(turn=5, spent=" allotment-spent=0").replace("turn=5", "")), "ammunition", at="60.17"
    )
    assert [ask.name for ask in unsaid.asks] == ["turn=N"]


@pytest.mark.rule("22.3.1")
@pytest.mark.parametrize(
    ("spent", "commands", "warning"),
    [
        pytest.param("1", 1, "", id="one left for one"),
        pytest.param("0", 2, "", id="two left for two"),
        pytest.param("1", 2, "3 LW Train has 1 AP left, but 2 commands would draw on it", id="one left for two"),
    ],
)
def test_each_command_draws_one_of_the_two_points(spent: str, commands: int, warning: str) -> None:
    rider = ', german cavalry XX "5 c" (3-3-1-11) corps=none army=Eighth' if commands == 2 else ""
    text = ALLOTMENT.format(turn=5, spent=f" allotment-spent={spent} army=Eighth")
    text = text.replace("(8-?-4-9)", f"(8-?-4-9) army=Eighth{rider}")
    found = answered(typed(text), "ammunition", at="60.17")
    assert [one.way is not None for one in found.result.commands] == [True] * commands
    assert told(found, "Allocation") == ([warning] if warning else [])


@pytest.mark.rule("10.5.3", "22.3.1")
def test_its_own_points_too_need_a_line_from_the_train() -> None:
    far = (
        ALLOTMENT.format(turn=5, spent=" allotment-spent=0").replace(", german", "\n60.20: german")
        + "60.20 magazine=none\n"
    )
    asked = answered(typed(far), "ammunition", at="60.20")
    assert (asked.verdict.kind, [ask.name for ask in asked.asks]) == ("undecided", ["60.17 60.20"])
    assert [way.records for way in asked.result.commands[0].tried] == [(), ()]
    line = "line x: 60.17 60.18 clear 60.19 clear 60.20 clear\n"
    assert answered(typed(far + line), "ammunition", at="60.20").verdict.kind == "yes"


@pytest.mark.rule("10.5.2", "10.5.3", "10.5.4")
def test_without_a_line_it_is_asked_for_or_the_player_vouches_for_it() -> None:
    text = f"{STACK}\n{TRAIN}\n{DEPOT}".format(near=2, reach=2, far=4, train="", size="Minor", depot="")
    asked = answered(typed(text), "ammunition", at="40.20")
    assert asked.verdict.kind == "undecided"
    assert [ask.how for ask in asked.asks if "40.23" in ask.how][1:] == [
        'line NAME: 40.23 -rail2- HEX clear -road- 40.20 rough; or in-range="3 Train", or in-extended-range= for Extended Mode'
    ]
    said = {"in_range": ("3 Train",), "in_extended_range": ("Russian FIRST Minor Depot",)}
    report = answered(typed(text), "ammunition", at="40.20", **said)
    way = report.result.commands[0].way
    assert (way.source, [link.range for link in way.links]) == ("3 Train", [None, None])
    assert changed(report) == [
        ("extended", "Russian FIRST Minor Depot", True),
        ("ap-spent", "Russian FIRST Minor Depot", 1),
    ]


@pytest.mark.rule("10.5.3")
def test_a_line_over_a_typed_network_may_be_missing() -> None:
    text = f"{STACK}\n{TRAIN}\n{DEPOT}".format(near=2, reach=2, far=4, train="", size="Minor", depot="")
    report = answered(typed(f"{text}\n4027=4026=4025=4024=4023=4022=4021:4020"), "ammunition", at="40.20")
    assert report.verdict.kind == "yes"
    assert report.result.commands[0].way.links
    report = chain("39.21: 1/1")
    assert report.verdict.kind == "undecided"
    why_not = report.result.commands[0].tried[1].why_not
    assert why_not == "the line from 3 Train is blocked: 40.22 is enemy-occupied or in an EZOC"


@pytest.mark.rule("10.5.3")
def test_over_a_drawn_map() -> None:
    text = "board sample\ntrust counters\nturn=5\n66.36: 22/1 army=Second{}\n65.37: {}"
    depot = '"Russian SECOND Major Depot" range={} extended-range=2'

    def found(reach: int, more: str = "") -> Report[Any]:
        return answered(typed(text.format(more, depot.format(reach))), "ammunition", at="66.36")

    near = found(2)
    (link,) = near.result.commands[0].way.links
    assert (near.verdict.kind, link.cost, link.line[-1].sum, link.line[-1].hex) == (
        "yes",
        Fraction(3, 2),
        Fraction(3, 2),
        "66.36",
    )
    assert changed(found(1)) == [
        ("extended", "Russian SECOND Major Depot", True),
        ("ap-spent", "Russian SECOND Major Depot", 1),
    ]
    far = answered(typed(text.replace("65.37", "62.40").format("", depot.format(1))), "ammunition", at="66.36")
    assert (far.verdict.kind, far.asks) == ("no", ())


# --- which ways there are, and which is taken --------------------------------------------------------------------------

NO_LINES = f"{STACK}\n{TRAIN}\n{DEPOT}"


def bare(*more: str, train: str = "", depot: str = "", **parameters: Any) -> Report[Any]:
    """The same stack, train and depot, with no line typed."""
    text = NO_LINES.format(near=2, reach=2, far=4, train=train, size="Minor", depot=depot)
    return answered(typed("\n".join([text, *more])), "ammunition", at="40.20", **parameters)


def ways(report: Report[Any]) -> list[tuple[str, str]]:
    return [(way.source, way.depot) for way in report.result.commands[0].tried]


BY_TRAIN, STRAIGHT = ("3 Train", "Russian FIRST Minor Depot"), ("Russian FIRST Minor Depot", "")


@pytest.mark.rule("10.5.2", "10.5.3")
def test_a_depot_named_with_a_train_reaches_the_train() -> None:
    assert ways(bare())[:2] == [STRAIGHT, BY_TRAIN]
    both = bare(in_range=("3 Train", STRAIGHT[0]))
    assert (ways(both)[0], STRAIGHT in ways(both), both.verdict.kind) == (BY_TRAIN, False, "yes")
    assert ways(bare(in_range=("3 Train",)))[:2] == [STRAIGHT, BY_TRAIN]
    depot_only = bare(in_range=(STRAIGHT[0],))
    assert (depot_only.result.commands[0].way.source, depot_only.verdict.kind) == (STRAIGHT[0], "yes")
    other = "40.24: russian corps-train - T corps=20 army=First"
    assert STRAIGHT not in ways(bare(other, in_range=("3 Train", STRAIGHT[0])))


@pytest.mark.rule("10.5.2", "10.5.3")
def test_supply_units_of_the_enemy_and_of_other_armies_are_no_ways() -> None:
    enemy = "50.20: german corps-train - G corps=3 army=First, german minor-depot - H army=First"
    assert ways(bare(enemy))[:2] == [STRAIGHT, BY_TRAIN]
    assert {source for source, _ in ways(bare(enemy))} <= {*STRAIGHT, *BY_TRAIN, "magazine in 40.20"}
    assert STRAIGHT[0] not in [source for source, _ in ways(bare(depot="army=Second"))]


@pytest.mark.rule("10.5.3", "10.5.4")
def test_a_way_that_is_barred_or_has_no_points_left_asks_for_nothing() -> None:
    open_still = bare("40.20 magazine=none")
    assert [ask.name for ask in open_still.asks] == ["40.27 40.20", "40.27 40.23", "40.23 40.20"]
    assert all(way.records == () for way in open_still.result.commands[0].tried)
    barred = bare("40.20 magazine=none", depot="relocation=relocating")
    assert (barred.verdict.kind, barred.asks) == ("no", ())
    entrained = bare("40.20 magazine=none", train="entrained")
    assert [ask.name for ask in entrained.asks] == ["40.27 40.20"]
    found = bare("40.20 magazine=none", depot="ap-spent=4")
    assert (found.verdict.kind, found.asks) == ("no", ())
    assert found.result.commands[0].tried[0].why_not == "Russian FIRST Minor Depot has no AP left of its 4"
    assert bare("40.20 magazine=none", depot="ap-spent=3").verdict.kind == "undecided"


@pytest.mark.rule("10.5.3")
@pytest.mark.parametrize(("hex", "kind"), [("40.36", "undecided"), ("40.37", "no")])
def test_no_line_is_asked_for_where_none_can_be_short_enough(hex: str, kind: str) -> None:
    """A range of 2, or 4 extended, is 16 hexes along a double-track RR line."""
    text = f'40.20: 25/3 (10-?-5-10) army=First\n{hex}: "Russian FIRST Major Depot" range=2 extended-range=4\n40.20 magazine=none'
    found = answered(typed(text), "ammunition", at="40.20")
    assert (found.verdict.kind, bool(found.asks)) == (kind, kind == "undecided")


def way(source: str = "T", depot: str = "", **more: Any) -> PointWay:
    costs, records = more.pop("costs", ()), more.pop("records", ())
    links = tuple(
        PointLink(source="s", kind="", place="x", to="y", cost=cost, range=1, extended_range=2) for cost in costs
    )
    given = tuple(PointRecord(source="s", turned=turned, before=1, after=after, limit=4) for turned, after in records)
    words = {"point": "3", "serves": ("A",), "rule": "10.5.3", **more}
    return PointWay(source=source, depot=depot, links=links, records=given, **words)


@pytest.mark.rule("10.5.3")
def test_the_way_that_turns_and_records_least_and_then_is_shortest_is_taken() -> None:
    ordered = [
        way("short", costs=[Fraction(1)]),
        way("vouched and longer", costs=[None, Fraction(1, 2)]),
        way("long", costs=[Fraction(1), Fraction(1)]),
        way("magazine", point="magazine:40.20"),
        way("recorded", records=[(False, 2)]),
        way("turned", records=[(True, 1)]),
    ]
    for better, worse in pairwise(ordered):
        assert cheapest([worse, better], ()) is better
    near, far = way("near", costs=[Fraction(1)]), way("far", costs=[Fraction(2)])
    assert cheapest([far, near], ()) is near
    assert cheapest([near, way("vouched", costs=[None])], ()).source == "vouched"
    assert cheapest([way("shut", why_not="it is")], ()) is None
    both, straight = way("T", "D"), way("D")
    assert cheapest([straight, both], ("T", "D")) is both
    assert cheapest([straight], ("T",)) is None


# --- magazines, Boyen, Warsaw -----------------------------------------------------------------------------------------

OTHERS = '70.70: "3 Train"\n80.80: "German 1 Train"\n'
"""Trains of other corps, so that the position is not one without supply units."""
BREST = OTHERS + "31.55: {stack}{fortress}\n{more}"
TWO_CORPS = "russian infantry XX 1/38 (8-?-4-9), russian infantry XX 1/4 (8-?-4-9)"


def magazine(fortress: str = "", more: str = "", stack: str = TWO_CORPS) -> Report[Any]:
    return answered(typed(BREST.format(stack=stack, fortress=fortress, more=more)), "ammunition", at="31.55")


@pytest.mark.rule("10.5.2", "10.5.5")
def test_without_any_supply_unit_it_is_not_known_who_serves_and_a_magazine_serves_a_stack() -> None:
    """As at the table, where a player types the combat and no depots."""
    report = answered(typed(f"31.55: {TWO_CORPS}\n31.55 magazine=none"), "ammunition", at="31.55")
    assert (report.verdict.kind, report.verdict.text[:10]) == ("undecided", "not known:")
    assert magazine(more="31.55 magazine=none").verdict.kind == "no", "other corps have their Trains"
    report = magazine(more="31.55 magazine=russian")
    assert report.verdict.kind == "yes"
    for command in report.result.commands:
        assert (command.way.source, command.way.point, command.way.serves) == (
            "magazine in 31.55",
            "magazine:31.55",
            ("1/38", "1/4"),
        )
    assert report.changes == ()


@pytest.mark.rule("10.5.5")
@pytest.mark.parametrize(
    ("fortress", "symbol", "kind"),
    [
        (", russian fortress - F complex-magazine=yes", "none", "yes"),
        (", russian fort - F complex-magazine=yes", "none", "yes"),
        (", russian fortress - F complex-magazine=no", "none", "no"),
        (", russian fortress - F complex-magazine=no", "russian", "yes"),
        ("", "none", "no"),
        ("", "central-powers", "no"),
        ("", "russian", "yes"),
    ],
)
def test_who_draws_on_a_magazine(fortress: str, symbol: str, kind: str) -> None:
    assert magazine(fortress, f"31.55 magazine={symbol}").verdict.kind == kind


@pytest.mark.rule("10.5.5", "10.5.1")
def test_one_point_of_a_magazine_is_enough_for_several_commands() -> None:
    said = "each of 2 commands could use an AP; one from the magazine in 31.55 serves the whole stack"
    assert said in told(magazine(more="31.55 magazine=russian"))


@pytest.mark.rule("10.5.5", "10.5.5a")
def test_a_magazine_is_asked_for_where_nothing_else_serves_and_none_is_known() -> None:
    asked = magazine(", russian fortress - F")
    assert (asked.verdict.kind, [ask.how for ask in asked.asks]) == (
        "undecided",
        ["F complex-magazine", "31.55 magazine=none|central-powers|russian"],
    )
    assert chain().verdict.kind == "yes", "the train serves, so that nobody asks for a magazine"
    found = magazine(", russian fortress - F complex-magazine=no")
    assert (found.verdict.kind, found.asks) == ("no", ())
    other = OTHERS + '49.27: Boyen, german infantry X "5 lw" (4-5-1-8)'
    found = answered(typed(other), "ammunition", at="49.27")
    assert (found.verdict.kind, found.asks) == ("no", ())


@pytest.mark.rule("6.3.2", "6.3.3", "6.3.3b", "14.3.1", "10.5.2", "10.5.3")
def test_a_train_gives_points_to_two_guests_only() -> None:
    """Independent cavalry: where two are named no third draws on a train."""
    rider = "40.2{}: russian cavalry XX {} (4-?-2-9) army=First{}"
    text = [rider.format(0, "A", ""), rider.format(1, "B", "{0}"), rider.format(2, "C", "{0}"), "40.20 magazine=none"]
    units = (
        "\n".join(text)
        + "\n"
        + TRAIN.format(near=5, train="")
        + "\n"
        + DEPOT.format(size="Major", reach=5, far=5, depot="")
    )
    lines = f"\n{TO_TRAIN.format(ground='clear')}\n{TO_STACK}"
    barred = answered(typed(units.format(' draws-on="3 Train"') + lines), "ammunition", at="40.20", through="3 Train")
    assert barred.verdict.kind == "no"
    assert barred.result.commands[0].tried[-1].why_not.startswith("it serves B and C")
    first = answered(typed(units.format("") + lines), "ammunition", at="40.20", through="3 Train")
    assert (first.verdict.kind, first.asks) == ("yes", ()), "it may be one of the two"


@pytest.mark.rule("6.3.2", "6.3.3", "6.3.3b", "14.3.1b", "10.5.2")
def test_the_train_of_a_cavalry_corps_gives_points_to_its_cavalry_alone() -> None:
    """Not to the artillery that stands with it, and to all its cavalry, however many formations."""
    text = '40.23: russian corps-train - "1 C Train" corps="1 C" range=5 extended-range=7 army=First\n'
    text += "40.20: " + ", ".join(f'russian cavalry XX {name} (4-?-2-9) corps="1 C" army=First' for name in "ABC")
    text += ", russian artillery II G (1-?-3-9) with=A\n40.20 magazine=none\n"
    more = f"{DEPOT.format(size='Major', reach=2, far=2, depot='army=First')}\n{TO_TRAIN.format(ground='clear')}\n{TO_STACK}"
    (command,) = answered(typed(text + more), "ammunition", at="40.20").result.commands
    assert (command.units, command.way.source, command.way.serves) == (
        ("A", "B", "C", "G"),
        "1 C Train",
        ("A", "B", "C"),
    )


BOYEN = (
    OTHERS
    + '{fortress}: Boyen\n49.27: german infantry X Lötzen (4-5-1-8), german infantry X "5 lw" (4-5-1-8)\n49.27 magazine=none\n'
)


@pytest.mark.rule("10.5.5a")
def test_from_how_far_boyen_serves_is_a_ruling_and_three_hexes_at_most() -> None:
    apart = BOYEN.format(fortress="51.27") + "line here: 51.27 50.27 {} 49.27 clear\n"
    stacked = answered(typed(apart.format("clear")), "ammunition", at="49.27")
    assert (stacked.verdict.kind, stacked.result.commands[0].tried[0].why_not) == (
        "no",
        "Lötzen is not stacked with it",
    )
    traced = answered(typed(apart.format("mountain") + "ruling boyen-ap=traced"), "ammunition", at="49.27")
    assert (traced.verdict.kind, traced.result.commands[0].way.links[0].cost) == ("yes", 3)
    too_far = answered(typed(apart.format("high-mountain") + "ruling boyen-ap=traced"), "ammunition", at="49.27")
    assert too_far.verdict.kind == "undecided"
    apart = BOYEN.format(fortress="51.27") + "ruling boyen-ap=traced\n60.30: german fortress - Thorn\n"
    asked = answered(typed(apart), "ammunition", at="49.27")
    assert asked.verdict.kind == "undecided"
    said = answered(typed(apart), "ammunition", at="49.27", in_range=("Boyen",))
    assert (said.verdict.kind, said.result.commands[0].way.source) == ("yes", "Boyen")
    line = "line here: 51.27 50.27 mountain 49.27 mountain\n"
    far = answered(typed(apart + line), "ammunition", at="49.27").result.commands[0].tried[0]
    assert (far.links[0].cost, far.links[0].extended_range, far.why_not) == (4, 0, "49.27 is out of the range of Boyen")


@pytest.mark.rule("10.5.5a", "22.6")
def test_boyen_serves_lötzen_only_where_it_stands() -> None:
    report = answered(typed(BOYEN.format(fortress="49.27") + "Boyen complex-magazine=no"), "ammunition", at="49.27")
    (command,) = report.result.commands
    assert (command.units, command.way.source, command.way.serves) == (("Lötzen", "5 lw"), "Boyen", ("Lötzen",))
    assert report.verdict.text == "49.27: an AP can reach 49.27 by Boyen (for Lötzen only)"
    other = BOYEN.format(fortress="49.27").replace("Lötzen", "Tilsit") + "Boyen complex-magazine=no"
    assert answered(typed(other), "ammunition", at="49.27").verdict.kind == "no"
    text = "49.27: german infantry X Lötzen (4-5-1-8)\n49.27 magazine=none"
    assert answered(typed(text), "ammunition", at="49.27").result.commands[0].tried == ()


WARSAW = (
    OTHERS
    + '{place}: russian infantry XX 1/99 (8-?-4-9) army="{army}" corps=\n{place} magazine=none\n58.52 control={side}\n{campaign}'
)


@pytest.mark.rule("10.5.6", "24.1.3")
@pytest.mark.parametrize(
    ("place", "army", "side", "campaign", "kind"),
    [
        ("58.52", "Warsaw Garrison", "russian", "campaign", "yes"),
        ("58.51", "Warsaw Garrison", "russian", "campaign", "yes"),
        ("58.50", "Warsaw Garrison", "russian", "campaign", "no"),
        ("58.52", "First", "russian", "campaign", "no"),
        ("58.51", "Warsaw Garrison", "central-powers", "campaign", "no"),
        ("58.52", "Warsaw Garrison", "russian", "", "no"),
    ],
)
def test_the_garrison_of_warsaw(place: str, army: str, side: str, campaign: str, kind: str) -> None:
    text = WARSAW.format(place=place, army=army, side=side, campaign=campaign)
    report = answered(typed(text), "ammunition", at=place)
    assert report.verdict.kind == kind
    if kind == "yes":
        assert (report.result.commands[0].way.source, report.result.commands[0].way.rule) == (
            "magazine of Warsaw",
            "24.1.3",
        )


@pytest.mark.rule("1.1")
def test_that_the_magazine_of_warsaw_is_one_of_the_campaign_is_said_where_that_is_not_stated() -> None:
    said = "the magazine of Warsaw does not serve 1/99: it does only in the campaign game (c); state `campaign` if this is one"
    for place, army, campaign, tells in (
        ("58.51", "Warsaw Garrison", "", True),
        ("58.51", "Warsaw Garrison", "campaign=no", False),
        ("58.51", "Warsaw Garrison", "campaign", False),
        ("58.50", "Warsaw Garrison", "", False),
        ("58.51", "First", "", False),
    ):
        text = WARSAW.format(place=place, army=army, side="russian", campaign=campaign)
        assert (said in told(answered(typed(text), "ammunition", at=place))) == tells, (place, army, campaign)


@pytest.mark.rule("1.1")
def test_an_ap_of_praga_in_the_turn_in_which_its_army_was_changed_is_said_to_be_barred_in_the_campaign() -> None:
    text = "{}40.20: russian infantry XX 1/99 (8-?-4-9) army=Second corps=\n40.20 magazine=none\n40.21:40.20\n"
    text += "40.21: PRAGA army=Second changed-attachment\n"
    silent = answered(typed(text.format("")), "ammunition", at="40.20")
    assert silent.result.commands[0].way.source == "PRAGA"
    said = (
        "PRAGA serves its army in the turn in which its army was changed: "
        "the rule bars that only in the campaign game (c)"
    )
    assert any(line.startswith(said) for line in told(silent, "Assumed"))
    for campaign in ("campaign\n", "campaign=no\n"):
        assert not any(
            line.startswith(said) for line in told(answered(typed(text.format(campaign)), "ammunition", at="40.20"))
        )


@pytest.mark.rule("10.5.6", "24.1.3")
def test_the_magazine_of_warsaw_serves_its_garrison_only() -> None:
    text = WARSAW.format(place="58.52", army="Warsaw Garrison", side="russian", campaign="campaign")
    more = ', russian infantry XX "4 r" (8-?-4-9) army=First, russian artillery - "8 h" (1-?-3-?)'
    report = answered(typed(text.replace("corps=\n", f"corps={more}\n")), "ammunition", at="58.52")
    assert report.result.commands[0].way.serves == ("1/99", "8 h")
    unsaid = answered(
        typed(text.replace("corps=\n", f"corps={more}\n").replace(" army=First", "")), "ammunition", at="58.52"
    )
    assert [ask.how for ask in unsaid.asks] == ['"4 r" army=...']


@pytest.mark.rule("10.5.6", "24.1.3")
def test_who_holds_warsaw_and_which_army_it_is_are_asked_for() -> None:
    text = WARSAW.format(place="58.51", army="Warsaw Garrison", side="russian", campaign="campaign")
    asked = answered(typed(text.replace("58.52 control=russian", "")), "ammunition", at="58.51")
    assert [ask.how for ask in asked.asks] == ["58.52 control=central-powers|russian"]
    asked = answered(typed(text.replace(' army="Warsaw Garrison"', "")), "ammunition", at="58.51")
    assert [ask.how for ask in asked.asks] == ["1/99 army=..."]
    neither = answered(
        typed(text.replace(' army="Warsaw Garrison"', "").replace("58.52 control=russian", "")),
        "ammunition",
        at="58.51",
    )
    assert [ask.how for ask in neither.asks] == ["1/99 army=..."], "who holds it matters to the garrison alone"
    (way,) = neither.result.commands[0].tried
    assert way.why_not == 'the army of its units is not stated (army="Warsaw Garrison")'


@pytest.mark.rule("10.5.6", "24.1.3")
def test_the_magazine_of_warsaw_serves_no_germans() -> None:
    text = "campaign\n58.51: german infantry XX 1/99 (8-?-4-9) corps=\n58.51 magazine=none\n58.52 control=russian\n"
    report = answered(typed(OTHERS + text), "ammunition", at="58.51")
    assert "magazine of Warsaw" not in {way.source for way in report.result.commands[0].tried}


# --- who can use one, and what cannot be asked ------------------------------------------------------------------------


@pytest.mark.rule("10.5.1", "10.5.4", "10.5c")
def test_each_command_of_a_stack_needs_its_own_and_guns_go_with_their_formation() -> None:
    stack = f"{STACK}, russian infantry XX 4/6 (8-?-4-9) army=First, russian infantry XX 5/9 (8-?-0-9) army=First"
    report = chain("40.20 magazine=none", far=3, stack=stack)
    assert [one.command for one in report.result.commands] == ["3", "6"]
    assert (report.verdict.kind, report.result.unable, report.changes) == ("undecided", ("5/9",), ())
    first = chain("40.20 magazine=none", stack=stack, command="3", size="Minor")
    assert changed(first) == [("ap-spent", "Russian FIRST Minor Depot", 1)]
    (command,) = chain(stack=f'{STACK}, russian artillery - "8 h" (1-?-3-?)').result.commands
    assert (command.command, command.way.serves) == ("3", ("25/3", "27/3", "8 h"))
    barred = chain(stack=f'{STACK}, russian artillery - "8 h" (1-?-3-?) displaced').result
    assert (barred.commands[0].units, barred.unable) == (("25/3", "27/3"), ("8 h",))


@pytest.mark.rule("10.5c", "10.5d")
def test_who_needs_none() -> None:
    stack = "40.20: 25/3 (10-?-0-10) army=First, 27/3 (10-?-5-10) half army=First, Nikolaiken nation=russian (1-?-2-?)"
    report = chain(stack=stack)
    assert (report.verdict.text, report.result.unable) == ("no unit in 40.20 can use an AP", ("25/3", "27/3"))
    guns = 'russian fortress - F, russian artillery - "8 h" (1-?-3-?) displaced'
    report = chain(stack=f"40.20: 25/3 (10-?-0-10) army=First, {guns}")
    assert report.verdict.text == "no unit in 40.20 can use an AP"
    assert report.result.unable == ("25/3", "8 h"), "a fortress needs none"


@pytest.mark.rule("10.5.4")
@pytest.mark.parametrize(("spent", "warned"), [(2, False), (3, True)])
def test_one_source_for_two_commands_may_have_too_few(spent: int, warned: bool) -> None:
    stack = "40.20: russian infantry XX 4/6 (8-?-4-9) army=First, russian infantry XX 5/9 (8-?-4-9) army=First"
    depot = f'40.21: "Russian FIRST Minor Depot" range=1 extended-range=2 army=First ap-spent={spent}'
    report = answered(
        typed(f"{stack}\n{depot}\nline a: 40.21 40.20 clear\n40.20 magazine=none"), "ammunition", at="40.20"
    )
    texts = told(report)
    assert ("Russian FIRST Minor Depot has 1 AP left, but 2 commands would draw on it" in texts) is warned


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"command": "4"}, "command: no command '4' in 40.20 can use an AP"),
        ({"through": ("4 Train",)}, "through: no AP can reach 40.20 through '4 Train'"),
    ],
)
def test_what_cannot_be_asked(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        chain(**parameters)


def test_an_empty_hex() -> None:
    with pytest.raises(InputError, match=r"no combat, artillery or fortress unit is in 40\.21"):
        answered(typed(STACK), "ammunition", at="40.21")


@pytest.mark.rule("10.5.5")
@pytest.mark.parametrize(("other", "kind"), [("complex=NG", "yes"), ("complex=Brest", "undecided"), ("", "undecided")])
def test_the_symbol_in_another_hex_of_the_complex_tells_of_its_magazine(other: str, kind: str) -> None:
    text = """turn=5
40.20 magazine=none: 25/3 (10-12-5-10), russian fortress - "N-G 1" complex=NG
40.21 magazine=russian: russian fortress - "N-G 2" """
    assert answered(typed(text + other), "ammunition", at="40.20").verdict.kind == kind


@pytest.mark.rule("6.3.2", "6.3.3", "6.3.1a", "10.5.2")
def test_depots_of_another_army_are_passed_over() -> None:
    report = chain(depot="army=Second", stack=STACK)
    (way,) = [way for way in report.result.commands[0].tried if way.rule == "10.5.2"]
    assert (way.source, way.why_not) == ("3 Train", "no depot of its army is in this position")
