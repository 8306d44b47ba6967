"""The questions `conceal`, `intercepts` and `markers`, and the step of the turn that names one of them (chapter 26)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.viewpoint import reduce_state
from assistant.util.errors import InputError
from twilight_in_the_east.attachment.markers_question import MarkerLies
from twilight_in_the_east.concealment.cover import is_concealed
from twilight_in_the_east.concealment.rules import status_marker

from ...conftest import answered, carried_on, ruled, told, typed, values, viewed, why_not
from ..turn.listing import listed, states

CAPS = "turn=3 phase=movement phasing=russian hidden-units=caps\ntrust counters\n"
CRESTS = CAPS.replace("caps", "concealment")
LISTENS = CRESTS.replace("phasing=russian", "phasing=central-powers")
ALLIES = CAPS.replace("russian", "central-powers")
RUMOUR = 'russian dummy - "{}" movement=6'


def ask(text: str, question: str = "conceal", side: str = "", answers: str = "", **parameters: Any) -> Report[Any]:
    position = typed(f"{text}\n{answers}")
    if side:
        position = position.with_state(reduce_state(position.game, position.state, side))
    return answered(position, question, **parameters)


# --- caps ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("26.1.1a", "26.0", "26.1")
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"{CAPS}40.20: 25/3\n40.17: 1/1", []),
        (f"{CAPS}40.20: 25/3\n40.18: 1/1", ["26.1.1a"]),
        (f"{CAPS}40.20: 25/3", []),
        (f"{CAPS}40.20: 25/3\n40.18: german dummy - R", []),
        (f"{CAPS.replace('movement', 'counter-movement')}40.20: 25/3", ["26.1.1a"]),
        (f"{CAPS.replace('movement', 'counter-movement').replace('russian', 'central-powers')}40.20: 25/3", []),
        (f"{CAPS.replace('movement', 'attack')}40.20: 25/3", ["26.1.1a"]),
        (f"{CRESTS}40.20: 25/3", ["26.0"]),
        (f"{CAPS}40.20 capped: 25/3", ["26.1.1"]),
        (f"{CAPS}nation russian concealment-markers=1\n40.20: 25/3", []),
        (f"{ALLIES}nation german concealment-markers=0\n40.20: 1/1, austro-hungarian infantry XX Ally", ["26.1"]),
        (f"{ALLIES}nation austro-hungarian concealment-markers=0\n40.20: 1/1, austro-hungarian infantry XX Ally", []),
        (f"{CAPS}nation russian concealment-markers=1\n40.20: 25/3\n45.20: {RUMOUR.format('R')}", ["26.1"]),
    ],
)
def test_when_a_cap_may_be_placed(text: str, rules: list[str]) -> None:
    made = ask(text, at="40.20")
    assert why_not(made) == rules
    assert values(made) == ({} if rules else {("capped", "40.20"): True})


@pytest.mark.rule("26.2.2", "26.0")
@pytest.mark.parametrize(
    ("text", "unit", "rules"),
    [
        (f"{CRESTS}40.20: 25/3\n40.17: 1/1", "25/3", []),
        (f"{CRESTS}40.20: 25/3\n40.18: 1/1", "25/3", ["26.2.2"]),
        (f"{CRESTS.replace('movement', 'attack')}40.20: 25/3", "25/3", ["26.2.2"]),
        (f"{CAPS}40.20: 25/3", "25/3", ["26.0"]),
        (f'{CRESTS}40.20: "3 Train"', "3 Train", ["26.2.1"]),
        (f"{CAPS}40.20: russian infantry III Det\n40.18: 1/1", "Det", ["26.1.1b"]),
        (f"{CAPS}40.20: russian infantry III Det\n40.17: 1/1", "Det", []),
        (f"{CRESTS}40.20: {RUMOUR.format('R')}", "R", []),
    ],
)
def test_when_a_unit_may_be_turned_to_its_crest(text: str, unit: str, rules: list[str]) -> None:
    made = ask(text, units=[unit])
    assert why_not(made) == rules
    assert values(made) == ({} if rules else {("concealed", unit): True})


@pytest.mark.rule("26.1.2a", "26.2.3")
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (f"{CAPS}40.20: 25/3", []),
        (f"{CAPS}40.20: 25/3\n45.20: 27/3 spent=march:1", ["26.1.2a"]),
        (f"{CAPS}40.20: {RUMOUR.format('R')}", ["26.1.2a"]),
        (f"{CAPS.replace('movement', 'attack')}40.20: 25/3", ["26.1.2a"]),
        (f"{CRESTS}40.20: 25/3", ["26.2.3"]),
        (f"{CRESTS}40.20: 25/3 concealed", []),
        (f"{CAPS.replace('caps', 'on-map')}40.20: 25/3", ["26.0"]),
        (f"{CAPS}nation russian concealment-markers=0\n40.20: 25/3", ["26.1"]),
    ],
)
def test_when_a_new_dummy_may_be_placed(text: str, rules: list[str]) -> None:
    made = ask(text, at="40.20", dummy="New", movement=5)
    assert why_not(made) == rules
    if not rules:
        after = carried_on(typed(text), made).state
        assert after.stack("40.20")[0].id == "New"
        assert (("concealed", "New") in after.facts) is ("concealment" in text)
        assert after.value("movement", "New") == 5


def test_it_is_said_when_the_enemy_sees_a_new_dummy_whose_allowance_is_asked_for() -> None:
    def said(text: str) -> list[str]:
        return told(ask(text, at="40.20", dummy="New", movement=5), "Dummy")

    bare = "the enemy sees a dummy until a Stack Cap lies on its stack (ask conceal at=40.20)"
    alone = "if it moves off alone, the enemy sees a dummy until it has another Stack Cap (ask conceal at=HEX)"
    assert said(f"{CAPS}40.20: 25/3") == [bare]
    assert said(f"{CAPS}40.20 capped: 25/3") == [alone]
    assert said(f"{CRESTS}40.20: 25/3 concealed") == []
    assert said(f"{CAPS}40.20: {RUMOUR.format('R')}") == [], "it may not be placed"
    asked = ask(f"{CAPS}40.20: 25/3", at="40.20", dummy="New")
    assert [ask.how for ask in asked.asks] == ["movement=NUMBER"]


@pytest.mark.parametrize("parameters", [{}, {"dummy": "New", "movement": 5}])
@pytest.mark.parametrize("side", ["", "central-powers"])
def test_the_nation_of_a_stack_is_asked_for(parameters: dict[str, Any], side: str) -> None:
    unaccepted = f"{CAPS.replace('trust counters', '')}40.20: 41/20"
    asked = ask(unaccepted, side=side, at="40.20", **parameters)
    assert [ask.how for ask in asked.asks] == ["41/20 german|austro-hungarian|russian"]
    assert not asked.changes


def test_a_stack_of_which_nothing_is_stated_gets_no_cap_of_any_nation() -> None:
    text = f"{CAPS}40.20 unseen=russian"
    with pytest.raises(InputError, match="no unit of the stack in 40.20 is stated"):
        ask(text, at="40.20")
    with pytest.raises(InputError, match="no unit of the stack in 40.20 is stated"):
        ask(text, at="40.20", dummy="New", movement=5)


@pytest.mark.parametrize(
    ("parameters", "made"),
    [
        ({"at": "40.20"}, {("capped", "40.20"): None}),
        ({"units": ["R"]}, {("place", "R"): None}),
        ({"units": ["Det"]}, {("concealed", "Det"): None}),
    ],
)
def test_its_owner_takes_it_off_at_any_time(parameters: dict[str, Any], made: dict[Any, Any]) -> None:
    text = f"{CAPS.replace('movement', 'attack')}40.20 capped: 25/3\n41.22: {RUMOUR.format('R')}, russian infantry III Det concealed"
    assert values(ask(text, off=True, **parameters)) == made


@pytest.mark.parametrize(
    ("parameters", "what"),
    [
        ({"dummy": "New"}, "dummy: no hex is named for New"),
        ({"dummy": "New", "at": "40.20", "off": True}, "off: a dummy on the map is named as a unit"),
        ({"units": ["25/3"], "at": "40.20"}, "at: a hex is named for a cap or a new dummy"),
        ({"movement": 3}, "movement: no new dummy is named"),
        ({"off": True}, "off: nothing is named that comes off"),
        ({"at": "45.20"}, "at: no stack is in 45.20"),
        ({"at": "40.20", "off": True}, "at: no Stack Cap is in 40.20"),
        ({"units": ["25/3"], "off": True}, "units: 25/3 is neither a dummy on the map nor concealed"),
        ({"units": ["27/3"]}, "units: 27/3 is not on the map"),
        ({"at": "40.20", "dummy": "25/3"}, "dummy: 25/3 is in the position already"),
    ],
)
def test_what_says_nothing_is_refused(parameters: dict[str, Any], what: str) -> None:
    with pytest.raises(InputError, match=what):
        ask(f"{CAPS}40.20: 25/3\n27/3 arrives=5", **parameters)


@pytest.mark.parametrize("parameters", [{"at": "40.17"}, {"units": ["1/1"]}])
def test_a_side_hides_only_its_own(parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="is the enemy's"):
        ask(f"{CAPS}40.20: 25/3\n40.17: 1/1", side="russian", **parameters)


@pytest.mark.rule("26.0", "26.1", "26.1.1b", "26.1.2c")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (f"{CAPS}40.20 capped: 25/3", []),
        (f"{CAPS}40.20 capped: 25/3\n40.18: 1/1", ["26.1.1b"]),
        (f"{CAPS}40.20: {RUMOUR.format('R')}\n40.18: 1/1", ["26.1.2c"]),
        (f"{CAPS}40.20 capped: 25/3\n40.19: 27/3\n41.18: 1/1", []),
        (f"{CAPS}40.20: {RUMOUR.format('R')}\n40.19: 27/3\n41.18: 1/1", ["26.1.2c"]),
        (f"{CRESTS}40.20 capped: 25/3", ["26.0"]),
        (f"{CAPS}40.20: 25/3 concealed", ["26.0"]),
        (f"{CAPS.replace('caps', 'none')}40.20: {RUMOUR.format('R')}", ["26.0"]),
        (f"{CAPS}nation russian concealment-markers=1\n40.20 capped: 25/3\n44.20 capped: 27/3", ["26.1"]),
        (f"{CAPS}nation russian concealment-markers=2\n40.20 capped: 25/3\n44.20 capped: 27/3", []),
    ],
)
def test_what_lies_hidden_is_judged(text: str, wrong: list[str]) -> None:
    assert why_not(ask(text)) == wrong


@pytest.mark.rule("26.0", "26.1")
@pytest.mark.parametrize(
    ("side", "caps", "dummies"),
    [("", ("40.20", "41.14"), ("R", "S")), ("russian", ("40.20",), ("R",)), ("central-powers", ("41.14",), ("S",))],
)
def test_what_one_side_hides_is_listed_apart(side: str, caps: tuple[str, ...], dummies: tuple[str, ...]) -> None:
    stacks = f"40.20 capped: 25/3\n45.22: {RUMOUR.format('R')}\n41.14 capped: 1/1\n41.12: german dummy - S"
    away = "T russian dummy - arrives=9"
    result = answered(typed(f"{CAPS}{stacks}\n{away}"), "conceal", **({"side": side} if side else {})).shown
    assert (result.caps, result.dummies) == (caps, dummies)


def test_a_side_is_told_of_its_own_markers_and_of_every_cap() -> None:
    stocks = "nation russian concealment-markers=8\nnation german concealment-markers=5"
    text = f"{CAPS}{stocks}\n40.20 capped: 25/3, {RUMOUR.format('R')}\n41.15: 1/1\n42.15 capped: 2/1"
    left = {"": [4, 6], "central-powers": [4], "russian": [6]}
    for side, own in left.items():
        listed = ask(text, side=side)
        assert listed.verdict.kind == "yes"
        assert [line.split()[1] for line in told(listed, "Markers")] == [str(number) for number in own]
        assert listed.shown.caps == ("40.20", "42.15")
        assert listed.shown.dummies == (() if side == "central-powers" else ("R",))


# --- intercepts ---------------------------------------------------------------------------------------------------------

TWO = f"{LISTENS}40.20: 25/3 concealed\n44.20: {RUMOUR.format('R')} concealed, 27/3 concealed\n41.14: 1/1"


@pytest.mark.rule("26.2.7")
@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (TWO, 0),
        (TWO.replace("turn=3", "turn=2"), 1),
        (TWO.replace("concealment", "caps"), 1),
        (TWO.replace("central-powers", "russian"), 1),
        (TWO.replace("phase=movement", "phase=counter-movement"), 1),
        (TWO + " spent=march:1", 1),
        (TWO + "\nintercepts=3", 1),
        (TWO.replace("turn=3", "turn=4") + "\nintercepts=3", 0),
    ],
)
def test_when_intercepts_may_be_rolled_for(text: str, rules: int) -> None:
    assert why_not(ask(text, "intercepts")) == ["26.2.7"] * rules


@pytest.mark.rule("26.2.7")
@pytest.mark.parametrize(
    ("die", "reveal", "made"),
    [
        (1, [], {}),
        (1, ["40.20"], {("concealed", "25/3"): None}),
        (2, ["44.20"], {("place", "R"): None, ("concealed", "27/3"): None}),
    ],
)
def test_the_stacks_that_are_named_are_revealed(die: int, reveal: list[str], made: dict[Any, Any]) -> None:
    report = ask(TWO, "intercepts", answers=f"answers intercepts={die}", reveal=reveal)
    assert report.shown.stacks == die
    assert values(report) == {("intercepts", ""): 3, **made}


def test_how_many_stacks_are_revealed_and_whether_wholly() -> None:
    top = ask(f"{TWO}\nruling intercepts-units=top", "intercepts", answers="answers intercepts=1", reveal=["44.20"])
    assert top.shown.revealed == ("R",)
    assert ruled(top, "intercepts-units") == "top"
    with pytest.raises(InputError, match="the die allows only 1 of these 2 stacks"):
        ask(TWO, "intercepts", answers="answers intercepts=1", reveal=["44.20", "40.20"])
    with pytest.raises(InputError, match=r"no Russian stack lies concealed in 41\.14"):
        ask(TWO, "intercepts", answers="answers intercepts=1", reveal=["41.14"])


def test_the_side_that_listens_sees_no_name_before_its_owner_says_it() -> None:
    report = ask(TWO, "intercepts", side="central-powers", answers="answers intercepts=2", reveal=["44.20"])
    assert report.verdict.text == "revealed in 44.20: its owner says which units"
    assert "27/3" not in str(report)
    assert "R" not in str(report).split()


@pytest.mark.rule("26.2.7")
@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("hidden-units=concealment", "possible"),
        ("hidden-units=caps", "impossible"),
        ("", "impossible"),
        ("hidden-units=concealment\nintercepts=5", "done"),
        ("hidden-units=concealment\n41.14: german infantry XX A spent=march:1", "impossible"),
    ],
)
def test_the_turn_names_the_step(text: str, state: str) -> None:
    assert [of for of, _ in states(listed(text, "movement", "intercepts", "central-powers"))] == [state]


# --- markers ------------------------------------------------------------------------------------------------------------

ON_MAP = 'hidden-units=on-map\ntrust counters\n40.20: 25/3 cel=-4, 27/3\n40.21: "3 Train"\n44.20: 28/20 corps=none army=Second cel=-1'


@pytest.mark.rule("26.3.1", "26.3.2")
def test_without_displays_the_markers_lie_on_the_map_with_their_train() -> None:
    """The example of the rule: a Demoralized formation has a 4 Step Reduction marker, one of full status none."""
    corps = "with its corps' Attachment marker"
    assert set(ask(ON_MAP, "markers").shown.markers) == {
        MarkerLies(unit="25/3", marker="25/3", lies=corps, beside="3", under=4),
        MarkerLies(unit="27/3", marker="27/3", lies=corps, beside="3"),
        MarkerLies(unit="3 Train", marker="3", lies="behind its Corps Train", beside="40.21"),
        MarkerLies(unit="28/20", marker="28/20", lies="with its army's marker", beside="russian Second", under=1),
    }
    assert [status_marker(levels) for levels in (0, 3, 4, 5)] == [0, 3, 4, 4]
    markers = ask(ON_MAP.replace('40.21: "3 Train"\n', ""), "markers", units=["27/3"]).shown.markers
    assert [lying.lies for lying in markers] == [
        "with its corps' Attachment marker, whose Corps Train is not on the map"
    ]


@pytest.mark.rule("26.2.1")
def test_a_concealed_formation_and_its_marker_have_changed_places() -> None:
    crest = "on the map in 40.20, crest up, and the unit on the display"
    first = "russian First"
    assert ask(f"{CRESTS}40.20: 25/3 concealed cel=-2 -1, 27/3", "markers").shown.markers == (
        MarkerLies(unit="25/3", marker="25/3", lies=crest, beside=first, under=2, status_under="unit"),
        MarkerLies(unit="27/3", marker="27/3", lies="on the display", beside=first),
    )


@pytest.mark.rule("26.0", "26.2.1")
@pytest.mark.parametrize("option", ["", "hidden-units=none\n", "hidden-units=caps\n", "hidden-units=on-map\n"])
def test_no_marker_shows_a_crest_unless_hidden_movement_is_in_force(option: str) -> None:
    (lying,) = ask(f"{option}trust counters\n40.20: 25/3 concealed", "markers", units=["25/3"]).shown.markers
    assert ("crest" in lying.lies, lying.status_under) == (False, "attachment marker")


@pytest.mark.rule("26.2.1")
@pytest.mark.parametrize(
    ("option", "lies"), [("none", False), ("on-map", False), ("caps", True), ("concealment", True)]
)
def test_a_unit_lies_with_its_crest_up_where_the_optional_rule_allows_that(option: str, lies: bool) -> None:
    there = viewed(f"hidden-units={option}\n40.20: russian infantry III A concealed, russian infantry III B")
    assert [is_concealed(there, unit) for unit in "AB"] == [lies, False]


def test_who_has_no_marker_is_refused() -> None:
    with pytest.raises(InputError, match="Det has no Attachment marker"):
        ask(f"{CRESTS}40.20: russian infantry III Det", "markers", units=["Det"])


def test_what_lies_hidden_is_listed() -> None:
    text = f"{CAPS}nation russian concealment-markers=5\n40.20 capped: 25/3, {RUMOUR.format('R')}\n40.10: 1/1"
    listed = ask(text.replace("40.10: 1/1", "41.14: 1/1"))
    assert listed.verdict.text == "Stack Caps (26.1) are in force; 2 things hidden"
    assert ask(f"{CAPS}40.20: 25/3").verdict.text == "Stack Caps (26.1) are in force; nothing is hidden"
    assert told(listed) == ["Stack Caps in 40.20", "dummies: R", "Russian: 3 Concealment markers left"]
    assert ask(text.replace("40.10", "41.14"), side="central-powers").shown.dummies == ()


def test_what_is_said_of_a_cap() -> None:
    made = ask(f"{CAPS}nation russian concealment-markers=2\n40.20: 25/3\n40.16: 1/1", at="40.20")
    assert told(made, "Cap") == [
        "the nearest enemy unit is 4 hexes away",
        "the enemy sees none of the units below it",
        "1 Concealment marker left",
    ]
    assert (made.shown.nearest, made.shown.left) == (4, 1)
