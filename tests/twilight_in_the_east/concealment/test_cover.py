"""What moves and combats bring to light in a position, and what dummies do not do (26.1.1b, 26.1.2, 26.2.4 to 26.2.6)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.viewpoint import reduce_state
from assistant.util.errors import InputError
from twilight_in_the_east.concealment.cover import (
    Movement,
    markers_of,
    moved_units,
    nearest_enemy,
    reveal_in_combat,
    revealed_by_contact,
    uncover,
)

from ...conftest import answered, carried_on, on_the_map, ruled, rulings, told, typed, values, viewed, why_not

CAPS = "turn=3 phase=movement phasing=russian hidden-units=caps\ntrust counters\n"
CRESTS = CAPS.replace("caps", "concealment")
RUMOUR = 'russian dummy - "{}" movement=6'
WAY = ["40.19", "40.18"]


def move(text: str, units: list[str], way: list[str], **parameters: Any) -> Report[Any]:
    ground = tuple(1.0 for _ in way)
    return answered(typed(text), "move", units=units, way=way, ground=ground, **parameters)


def lifted(text: str, units: list[str], way: list[str], ruling: str = "") -> dict[str, object]:
    """What comes to light by a move: by the hex of a cap or the name of a unit what it is then."""
    made = values(move(text + (f"\nruling cover-lapses={ruling}" if ruling else ""), units, way))
    return {of: after for (track, of), after in made.items() if track in ("capped", "concealed") or after is None}


# --- caps ---------------------------------------------------------------------------------------------------------------

CAPPED, SEEN = "40.20 capped: 25/3\n", {"40.20": None}
DUMMY = f"40.20: {RUMOUR.format('R')}\n"
BOTH = CAPPED.replace("25/3", f"25/3, {RUMOUR.format('R')}")


@pytest.mark.rule("26.1.1b", "26.1.2c")
@pytest.mark.parametrize(
    ("stands", "way", "light"),
    [
        pytest.param(f"{CAPPED}40.15: 1/1", "40.16", {}, id="four hexes away"),
        pytest.param(f"{CAPPED}40.16: 1/1", "40.17", {}, id="three"),
        pytest.param(f"{CAPPED}40.17: 1/1", "40.18", SEEN, id="two"),
        pytest.param(f"{CAPPED}40.18: 1/1", "40.19", SEEN, id="adjacent"),
        pytest.param(f"{CAPPED}43.18: 1/1", "42.19", SEEN, id="two, askew"),
        pytest.param(f"{CAPPED}40.19: 27/3\n40.16: 1/1", "40.17,40.18", {}, id="a friend between"),
        pytest.param(f"{CAPPED}41.19: 27/3\n40.16: 1/1", "40.17,40.18", SEEN, id="a friend beside"),
        pytest.param(f"{CAPPED}39.19: 27/3\n40.16: 1/1", "40.17,40.18", SEEN, id="a friend on the other side"),
        pytest.param(f"{BOTH}40.19: 27/3\n41.16: 1/1", "41.17,41.18", {"R": None}, id="one of two hexes between"),
        pytest.param(
            f"ruling cover-lapses=coming\n{BOTH}40.19: 27/3\n41.16: 1/1", "41.17,41.18", {"R": None}, id="as it comes"
        ),
        pytest.param(f"{BOTH}40.16: 1/1", "40.17,40.18", SEEN | {"R": None}, id="nobody between"),
        pytest.param(
            f"{CAPPED}{DUMMY.replace('40.20', '40.19')}40.16: 1/1",
            "40.17,40.18",
            SEEN | {"R": None},
            id="a dummy between",
        ),
        pytest.param(f"{DUMMY}41.16: 1/1", "41.17,41.18", {"R": None}, id="a dummy"),
        pytest.param(f"{DUMMY}40.19: 27/3\n41.19: 28/20\n41.16: 1/1", "41.17,41.18", {}, id="a dummy behind friends"),
        pytest.param(
            "40.20: russian infantry III A concealed\n40.15: 1/1", "40.16,40.17,40.18", {"A": None}, id="an asset"
        ),
        pytest.param("40.20: russian infantry III A concealed\n40.15: 1/1", "40.16,40.17", {}, id="an asset far off"),
    ],
)
def test_an_enemy_unit_that_comes_within_two_hexes_sees_what_friends_do_not_screen(
    stands: str, way: str, light: dict[str, object]
) -> None:
    """A cap is screened by a friend in one hex between, a dummy by friends in all of them."""
    text = f"{CAPS.replace('russian', 'central-powers')}{stands} movement=9"
    assert lifted(text, ["1/1"], way.split(",")) == light


@pytest.mark.rule("26.1.1b", "26.1.2c")
@pytest.mark.parametrize(("reading", "off"), [("whenever", True), ("coming", False), ("", True)])
def test_whether_a_capped_stack_that_comes_near_itself_is_seen_is_a_ruling(reading: str, off: bool) -> None:
    text = f"{CAPS}40.20 capped: 25/3 movement=7\n40.16: 1/1"
    made = move(f"{text}\nruling cover-lapses={reading}" if reading else text, ["25/3"], WAY)
    assert values(made)["capped", "40.20"] is None
    assert values(made).get(("capped", "40.18")) is (None if off else True)
    assert ruled(made, "cover-lapses") == (reading or "whenever")


@pytest.mark.rule("26.1.1b", "26.1.2c")
@pytest.mark.parametrize(("reading", "off"), [("whenever", True), ("coming", False)])
def test_whether_a_friend_who_leaves_lays_it_bare_is_a_ruling(reading: str, off: bool) -> None:
    text = f"{CAPS}40.20 capped: 25/3, {RUMOUR.format('R')}\n40.19: 27/3 movement=9\n40.18: 1/1"
    assert lifted(text, ["27/3"], ["39.19"], reading) == ({"40.20": None, "R": None} if off else {})


@pytest.mark.rule("26.1.1b", "26.1.2c")
@pytest.mark.parametrize(("reading", "off"), [("whenever", True), ("coming", False)])
def test_by_one_reading_only_who_comes_sees_anything(reading: str, off: bool) -> None:
    friends = "41.19: 27/3\n41.20: 28/20"
    text = (
        f"{CAPS.replace('russian', 'central-powers')}40.20 capped: 25/3\n{friends}\n40.18: 2/1\n42.17: 1/1 movement=9"
    )
    assert lifted(text, ["1/1"], ["42.18", "42.19"], reading) == ({"40.20": None} if off else {})


@pytest.mark.parametrize(
    ("units", "caps"),
    [
        (["25/3"], {}),
        (["25/3", "27/3"], {"40.20": None, "40.22": True}),
        (["25/3", "27/3", "R"], {"40.20": None, "40.22": True}),
    ],
)
def test_a_cap_goes_with_the_last_units_below_it(units: list[str], caps: dict[str, object]) -> None:
    rumour = f", {RUMOUR.format('R')}" if "R" in units else ""
    text = f"{CAPS}40.20 capped: 25/3 movement=7, 27/3 movement=7{rumour}\n40.21,40.22 control=russian"
    assert lifted(text, units, ["40.21", "40.22"]) == caps


def test_a_dummy_alone_takes_its_cap_along_and_leaves_the_record_that_any_stack_leaves() -> None:
    text = f"{CAPS}40.20 capped ip=1: {RUMOUR.format('R')}\n40.21,40.22 control=russian"
    made = move(text, ["R"], ["40.21", "40.22"])
    assert on_the_map(made) == [("place", "40.22"), ("control", "russian"), ("capped", None), ("capped", True)]


# --- dummies ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("26.1.2c")
def test_a_dummy_that_comes_within_two_hexes_leaves_the_map() -> None:
    text = f"{CAPS}40.20: {RUMOUR.format('R')}\n40.16: 1/1\n40.19,40.18 control=russian"
    assert lifted(text, ["R"], WAY) == {"R": None}
    assert lifted(text, ["R"], WAY, "coming") == {}
    seen = (
        "R comes off the map in 40.18: an enemy unit is within two hexes, and no friendly unit between them screens it"
    )
    report = move(text, ["R"], WAY)
    assert told(report, "Brought to light") == [seen]
    assert told(move(text + "\nruling cover-lapses=coming", ["R"], WAY), "Brought to light") == []


@pytest.mark.rule("26.1.2b", "26.1.2c")
@pytest.mark.parametrize(
    ("way", "rules"),
    [
        (["40.21"], []),
        (["41.20"], ["26.1.2b"]),
        (["40.19", "40.18", "40.17"], ["26.1.2c"]),
    ],
)
def test_a_dummy_enters_controlled_hexes_alone_and_pays_for_them(way: list[str], rules: list[str]) -> None:
    control = "40.17,40.18,40.19,40.21 control=russian\n41.20 control=central-powers\n"
    made = move(f"{CAPS}40.20: {RUMOUR.format('R')}\n40.16: 1/1\n{control}ruling cover-lapses=coming", ["R"], way)
    assert why_not(made) == rules
    if not rules:
        assert values(made)["spent", "R"] == "march:1"


@pytest.mark.rule("26.1.2b")
def test_a_dummy_enters_no_hex_of_an_enemy_nor_one_that_is_not_controlled() -> None:
    text = f"{CAPS}40.20: russian dummy - R movement=1\n40.19: 1/1\n40.21,40.22 control=russian"
    assert why_not(move(text, ["R"], ["40.19"])) == ["4.2"]
    assert why_not(move(text, ["R"], ["40.21", "40.22"])) == ["8.3.1"]
    ground = "40.19,40.20,40.21,40.22,41.20 clear\n40.19-40.20-40.21-40.22\n40.20-41.20\n"
    control = "40.19,40.21,40.22 control=russian\n41.20,39.19,39.20,41.19,41.21,39.21,40.18,40.23,41.22,39.22,41.18,39.18,42.20,42.19,42.21 control=central-powers\n"
    text = f"{CAPS}trust charts\n40.20: russian dummy - R movement=4\n{ground}{control}"
    reach = answered(typed(text), "reach", units=["R"]).shown
    assert {place.hex for place in reach.hexes} == {"40.19", "40.21", "40.22"}
    assert {option.rule for option in reach.barred} == {"26.1.2b"}


@pytest.mark.rule("26.2.3a")
@pytest.mark.parametrize(("way", "rules"), [(["40.21"], []), (["41.20"], ["26.2.3a"]), (["40.19"], ["26.2.3a"])])
def test_a_dummy_of_hidden_movement_is_bound_likewise(way: list[str], rules: list[str]) -> None:
    control = "40.18,40.19,40.21 control=russian\n41.20 control=central-powers\n"
    made = move(f"{CRESTS}40.20: {RUMOUR.format('R')} concealed\n40.18: 1/1\n{control}", ["R"], way)
    assert why_not(made) == rules


@pytest.mark.rule("26.1.2d")
@pytest.mark.parametrize(("question", "points"), [("dig-in", 3), ("recover", 3)])
def test_a_dummy_builds_and_recovers_nothing(question: str, points: int) -> None:
    made = answered(typed(f"{CAPS}40.20: {RUMOUR.format('R')}"), question, unit="R", points=points)
    assert "26.1.2d" in why_not(made)


@pytest.mark.parametrize(
    ("question", "parameters"),
    [
        ("supply", {"unit": "R"}),
        ("forced-march", {"unit": "R", "points": 1}),
        ("retreat", {"units": ["R"], "at": "40.20", "hexes": 2}),
        ("battle", {"at": "41.20", "from": ["40.20"], "withhold": ["R"]}),
        ("rail", {"units": ["R"], "to": "40.21"}),
    ],
)
def test_a_dummy_is_refused_where_only_units_take_part(question: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="R is a dummy and takes no part in this"):
        answered(typed(f"{CAPS}40.20: {RUMOUR.format('R')}, 25/3\n41.20: 1/1"), question, **parameters)


@pytest.mark.parametrize(
    ("at", "attackers", "what"),
    [("40.20", ["41.20"], "no unit defends 40.20"), ("41.20", ["40.20"], "R is a dummy, which never attacks")],
)
def test_a_dummy_alone_neither_attacks_nor_defends(at: str, attackers: list[str], what: str) -> None:
    text = f"{CAPS.replace('movement', 'attack')}40.20: russian dummy - R\n41.20: 1/1"
    with pytest.raises(InputError, match=what):
        answered(typed(text), "battle", **{"at": at, "from": attackers})


def test_a_dummy_has_no_zone_holds_no_hex_and_counts_for_nothing_in_a_stack() -> None:
    text = f"{CAPS}40.20: {RUMOUR.format('R')}\n42.20: 25/3, {RUMOUR.format('S')}\n44.20: 1/1"
    view = viewed(text)
    assert [unit.id for unit in view.units()] == ["25/3", "1/1"]
    assert view.stack("40.20") == ()
    assert [unit.id for unit in view.stack("42.20")] == ["25/3"]
    assert view.unit("R").place == "40.20"
    assert all("40.2" not in line for line in told(answered(typed(text), "zones", side="russian")))
    assert (
        answered(typed(text), "stack", at="42.20").verdict.text
        == answered(typed(text.replace(f", {RUMOUR.format('S')}", "")), "stack", at="42.20").verdict.text
    )


# --- units with their crests up -----------------------------------------------------------------------------------------


@pytest.mark.rule("26.2.4")
def test_as_stacks_come_adjacent_the_topmost_concealed_unit_or_dummy_is_turned_over() -> None:
    stack = '1/1, 2/1 concealed, "36 r/1 R" concealed'
    text = f"{CRESTS}40.20: 25/3 movement=9 concealed\n40.17: {stack}\n43.20: 27/3 concealed"
    assert lifted(text, ["25/3"], WAY) == {"25/3": None, "2/1": None}
    text = f"{CRESTS.replace('phasing=russian', 'phasing=central-powers')}40.20: {RUMOUR.format('R')} concealed, 25/3 concealed\n40.17: 1/1 movement=9"
    assert lifted(text, ["1/1"], ["40.18", "40.19"]) == {"R": None}


@pytest.mark.rule("26.2.4")
def test_adjacent_stacks_are_turned_over_by_contact_and_all_units_in_combat() -> None:
    before = viewed(f"{CRESTS}40.20: 25/3 concealed\n40.18: 1/1 concealed\n41.20: 27/3 concealed")
    made = Movement(before, before, "russian", (), ("40.20",))
    assert [*revealed_by_contact(made)] == []
    near = Movement(before, before, "russian", (), ("41.20", "40.19"))
    assert [change.subject for change in revealed_by_contact(near)] == ["1/1"]
    view = viewed(
        f"{CRESTS}40.20: 25/3, 27/3 concealed\n41.20: 1/1 concealed, german dummy - R concealed\n44.20: 2/1 concealed"
    )
    made = [
        (change.track, change.subject, change.after) for change in reveal_in_combat(view, ["41.20", "40.20", "41.20"])
    ]
    assert made == [("concealed", "1/1", None), ("place", "R", None), ("concealed", "27/3", None)]


@pytest.mark.rule("26.2.5")
@pytest.mark.parametrize(
    ("movement", "arm", "spent"),
    [
        (2, "infantry XX", "march:2+revealed:1"),
        (3, "infantry XX", "march:2+zones:1"),
        (2, "artillery -", "march:2"),
    ],
)
def test_the_zone_of_a_concealed_enemy_is_paid_for_once_it_is_revealed(movement: int, arm: str, spent: str) -> None:
    text = f"{CRESTS}40.20: 25/3 movement={movement}\n40.17: german {arm} G concealed\n40.17|40.18,40.18|41.17 open"
    made = move(text, ["25/3"], WAY, forced=False)
    assert made.verdict.kind == "figure"
    assert values(made)["spent", "25/3"] == spent


@pytest.mark.rule("26.2.5")
@pytest.mark.parametrize(("movement", "spent"), [(3, "march:3+revealed:1"), (4, "march:3+zones:1")])
def test_what_it_has_spent_before_in_the_phase_counts(movement: int, spent: str) -> None:
    text = f"{CRESTS}40.20: 25/3 movement={movement} spent=march:1\n40.17: german infantry XX G concealed\n40.17|40.18 open"
    assert values(move(text, ["25/3"], WAY, forced=False))["spent", "25/3"] == spent


@pytest.mark.rule("26.2.5")
def test_the_point_beyond_the_allowance_is_each_units_own_and_no_forced_march() -> None:
    text = f"{CRESTS}40.20: 25/3 movement=2, 27/3 movement=3\n40.17: german infantry XX G concealed\n40.17|40.18 open"
    made = values(move(text, ["25/3", "27/3"], WAY, forced=False))
    assert [made["spent", unit] for unit in ("25/3", "27/3")] == ["march:2+revealed:1", "march:2+zones:1"]
    text = f"{CRESTS}40.20: 25/3 movement=2\n40.17: german infantry XX G\n40.17|40.18 open"
    assert why_not(move(text, ["25/3"], WAY, forced=False)) == ["8.3"]
    text = f"{CRESTS}40.20: 25/3 movement=2\n40.17: german infantry XX G concealed\n40.17|40.18 open"
    position = typed(text)
    after = carried_on(position, move(text, ["25/3"], WAY))
    assert "no unit owes a check" in str(answered(after, "turn"))


@pytest.mark.rule("26.2.5")
def test_units_below_the_one_that_is_revealed_have_no_zone_yet() -> None:
    stack = "german artillery - Gun concealed, german infantry XX G concealed"
    text = f"{CRESTS}40.20: 25/3 movement=6\n40.17: {stack}\n40.17|40.18,40.17|41.17 open"
    assert values(move(text, ["25/3"], WAY))["spent", "25/3"] == "march:2"
    assert values(move(text, ["25/3"], [*WAY, "41.17"]))["spent", "25/3"] == "march:3+zones:1"


@pytest.mark.rule("26.2.5")
@pytest.mark.parametrize(
    ("movement", "full", "part"),
    [
        (1, None, "march:1+zones:2"),
        (2, None, "march:1+revealed:1+zones:1"),
        (3, None, "march:1+revealed:1+zones:2"),
        (4, "march:1+zones:6", "march:1+revealed:1+zones:3"),
        (6, "march:1+revealed:1+zones:5", "march:1+revealed:1+zones:5"),
        (7, "march:1+zones:6", "march:1+zones:6"),
    ],
)
def test_from_a_known_zone_into_a_revealed_one(movement: int, full: str | None, part: str) -> None:
    """It leaves the zone of H for 1, and that of G adds 5 more: by ruling it spends what it has left and one point more."""
    text = f"{CRESTS}40.20: 25/3 (10-9-5-10) movement={movement}\n40.18: german infantry XX G (9-9-0-9) concealed\n41.20: german infantry XX H (9-9-0-9)\nelsewhere open"
    made = [move(f"{text}\n{ruling}", ["25/3"], WAY[:1]) for ruling in ("", "ruling revealed-zone=part")]
    assert [values(report).get(("spent", "25/3")) for report in made] == [full, part]
    assert all("revealed-zone" in rulings(report) for report in made) == (movement < 6)


@pytest.mark.rule("26.2.5")
def test_the_way_says_what_a_revealed_zone_is_paid() -> None:
    ruling = "ruling revealed-zone=part"
    text = f"{CRESTS}40.20: 25/3 (10-9-5-10) movement=3, 27/3 (9-9-0-9) movement={{}}\n40.18: german infantry XX G (9-9-0-9) concealed\n41.20: german infantry XX H (9-9-0-9)\nelsewhere open\n{ruling}"

    def way(units: list[str], movement: int = 3) -> tuple[str, str]:
        report = move(text.format(movement), units, WAY[:1])
        (line,) = told(report, "Way")
        return line, report.verdict.text

    assert way(["25/3"]) == (
        "40.19: 1 as given, +3 of 6 from EZOC to EZOC",
        "25/3 goes to 40.19: 4 Movement Points; 0 left",
    )
    assert way(["25/3", "27/3"])[0] == "40.19: 1 as given, +3 of 6 from EZOC to EZOC"
    assert way(["27/3", "25/3"], 4)[0] == (
        "40.19: 1 as given, +6 from EZOC to EZOC, of which 27/3 spends 4, 25/3 spends 3"
    )
    assert way(["25/3", "27/3"], 7) == (
        "40.19: 1 as given, +6 from EZOC to EZOC, of which 25/3 spends 3",
        "25/3, 27/3 go to 40.19: 7 Movement Points; 0 left",
    )
    assert way(["27/3"], 7)[0] == "40.19: 1 as given, +6 from EZOC to EZOC"
    spent = move(text.format(4), ["25/3", "27/3"], WAY[:1]).result.entered[0]
    assert (spent.points, spent.spared) == (5, {"25/3": 3, "27/3": 2})


@pytest.mark.rule("26.2.6")
@pytest.mark.parametrize(
    ("crest", "rules"),
    [("", []), ("concealed", ["26.2.6"]), ("cel=-4 supply=out", ["9.1.4"]), ("supply=out", []), ("cel=-4", [])],
)
def test_cavalry_reacts_only_face_up(crest: str, rules: list[str]) -> None:
    text = f"turn=3 phase=movement phasing=russian hidden-units=concealment\n41.19: german cavalry XX Rider {crest}\n40.20: russian infantry XX A"
    result = answered(typed(text), "cavalry", unit="Rider", enemy=["A"], left="40.21").shown
    assert ([] if result.may else [result.rule]) == rules


@pytest.mark.rule("26.2.6")
def test_concealed_cavalry_retires_all_the_same() -> None:
    text = "turn=3 phase=post-combat hidden-units=concealment\n41.19: german cavalry XX Rider concealed\n40.20: russian infantry XX A"
    assert answered(typed(text), "cavalry", unit="Rider", when="retirement").shown.may


def test_what_one_side_sees_is_told_by_the_owner() -> None:
    position = typed(f"{CRESTS}40.20: 25/3 movement=9\n40.17: 1/1 concealed\n40.17|40.18 open")
    position = position.with_state(reduce_state(position.game, position.state, "russian"))
    made = answered(position, "move", units=["25/3"], way=WAY, ground=(1.0, 1.0))
    assert told(made, "What follows") == [
        "the topmost concealed unit in 40.17 is turned over: "
        "its owner names it (40.17: UNIT, or 40.17: if a dummy lay there alone)"
    ]


# --- what is counted ----------------------------------------------------------------------------------------------------


def test_what_is_counted_of_a_position() -> None:
    text = f"{CAPS}40.20 capped: 25/3 spent=march:2\n41.25: {RUMOUR.format('R')} passed=41.24\n40.15: 1/1, german dummy - S\n44.20: 27/3"
    view: View = viewed(text)
    assert markers_of(view, "russian") == (1, 1)
    assert markers_of(view, "german") == (0, 1)
    assert sorted(moved_units(view, "russian")) == ["25/3", "R"]
    assert moved_units(view, "central-powers") == []
    assert nearest_enemy(view, "russian", "40.20") == 5
    assert nearest_enemy(viewed("40.20: 25/3"), "russian", "40.20") is None


@pytest.mark.rule("26.1.1b", "26.1.2c")
def test_a_cap_comes_off_in_a_combat_and_where_no_stack_is_below_it() -> None:
    view = viewed(f"{CAPS}40.20 capped: 25/3\n41.20: 27/3")
    assert [(change.track, change.subject) for change in reveal_in_combat(view, ["40.20", "41.20"])] == [
        ("capped", "40.20")
    ]
    assert [*reveal_in_combat(viewed("40.20 capped: 25/3"), ["40.20"])] == []
    view = viewed(f"{CAPS}40.20 capped: {RUMOUR.format('R')}\n40.18: 1/1")
    made = Movement(view, view, "central-powers", ("40.17",), ("40.18",))
    assert [(change.track, change.subject, change.after) for change in uncover(made)] == [
        ("place", "R", None),
        ("capped", "40.20", None),
    ]
