"""The one step after moves: what follows when units enter hexes and leave others (4.3, 8.9.3, 12.5.1, 13.4, 13.5.1, 17.1.4, 18.1, 22.4.1)."""

from __future__ import annotations

import pytest

from assistant.asking.owing import word_consequences
from assistant.asking.report import Step
from assistant.asking.view import View, changed
from twilight_in_the_east.entering.arrival import March
from twilight_in_the_east.entering.consequences import find_consequences
from twilight_in_the_east.railways.network import read_network

from ...conftest import settings_of, viewed
from ..owner import owned_setup

UNITS = """trust charts
40.20: russian infantry XX R (9-9-0-9)
41.19: german infantry XX G (9-9-0-9)
"""
RUSSIANS = March(("R",), ("40.19", "41.18"))
"""They pass one hex and end in another."""


def after(more: str, *marches: March) -> dict[tuple[str, str], object]:
    """What has become of each fact once units have moved, but for the control of the hexes that the Russians leave."""
    found = made(more, *marches)
    return {key: value for key, value in found.items() if key not in (("control", "40.20"), ("control", "40.19"))}


def made(more: str, *marches: March) -> dict[tuple[str, str], object]:
    """The same with that."""
    found = find_consequences(viewed(UNITS + more), marches or (RUSSIANS,))
    return {(one.track, one.subject): one.after for one in settings_of(found)}


def open_then(more: str, *marches: March) -> list[tuple[str, Step]]:
    """What is left open once units have moved."""
    view = viewed(UNITS + more)
    changes = find_consequences(view, marches or (RUSSIANS,)).owed
    return [(one.owed.subject, one.step) for one in word_consequences(view, changes)]


@pytest.mark.rule("13.5.1")
@pytest.mark.parametrize("hex", ["40.19", "41.18"])
def test_who_enters_or_passes_ruins_an_enemys_position(hex: str) -> None:
    assert after(f"{hex} printed-ip=central-powers") == {("ruined", hex): True}
    assert after(f"{hex} printed-ip=russian") == {}
    assert after("42.18 printed-ip=central-powers") == {}


@pytest.mark.rule("13.5.1", "13.4")
def test_a_position_stays_for_friends_who_came_before_and_after() -> None:
    friend = "41.18 printed-ip=central-powers ruined ip=1: russian infantry XX F (9-9-0-9)"
    assert after(friend) == {}
    dug_in = "41.19 ip=2\n42.19: german infantry XX H (9-9-0-9)"
    relief, leaving = March(("H",), ("41.19",)), March(("G",), ("42.20",))
    assert ("ip", "41.19") not in after(dug_in, relief, leaving)
    assert after(dug_in, leaving, relief)["ip", "41.19"] is None


@pytest.mark.rule("4.3", "4.3b")
@pytest.mark.parametrize(
    ("more", "marches", "control"),
    [
        pytest.param("", [March(("G",), ("42.19",))], {"41.19": "central-powers"}, id="left empty"),
        pytest.param("", [March(("G",))], {"41.19": "central-powers"}, id="everybody is gone"),
        pytest.param("41.19: german artillery - F", [March(("G",), ("42.19",))], {}, id="somebody stays"),
        pytest.param("41.19: german corps-train - T", [March(("G",), ("42.19",))], {}, id="their Train stays"),
        pytest.param("41.19 control=central-powers", [March(("G",), ("42.19",))], {}, id="recorded before"),
        pytest.param("41.19 control=russian", [March(("G",))], {"41.19": "central-powers"}, id="otherwise"),
        pytest.param(
            "41.19 control=russian\n41.19: german artillery - F",
            [March(("G",))],
            {},
            id="otherwise, and somebody stays",
        ),
        pytest.param("", [March(("G",), ("42.19",)), March(("R",), ("41.19",))], {}, id="the enemy shows it"),
        pytest.param(
            "41.19 control=central-powers",
            [March(("G",), ("42.19",)), March(("R",), ("41.19",))],
            {"41.19": "russian"},
            id="the enemy enters what was recorded",
        ),
        pytest.param("40.19 control=central-powers", [RUSSIANS], {"40.19": "russian"}, id="they pass"),
        pytest.param("", [RUSSIANS], {"40.19": "russian"}, id="they pass what nobody has recorded"),
        pytest.param("43.19: german corps-train - T", [March(("T",), ("44.19",))], {}, id="no troops"),
        pytest.param(
            "44.19 control=russian\n43.19: german corps-train - T", [March(("T",), ("44.19",))], {}, id="nor there"
        ),
    ],
)
def test_who_controls_what_is_left_and_entered(more: str, marches: list[March], control: dict[str, str]) -> None:
    found = made(more, *marches)
    assert {hex: side for (track, hex), side in found.items() if track == "control" and hex != "40.20"} == control


HIDDEN = "hidden-units={}\n41.19: german dummy - D movement=6\n43.19: german corps-train - T"
EAST, ON = (("42.19",), ("44.19",))


@pytest.mark.rule("4.3b")
@pytest.mark.parametrize("option", ["caps", "concealment"])
@pytest.mark.parametrize(
    ("more", "march", "control"),
    [
        pytest.param("", March(("G",), EAST), {"41.19": "central-powers"}, id="a dummy stays"),
        pytest.param(
            "41.19: german artillery - F", March(("G",), EAST), {"41.19": "central-powers"}, id="somebody stays"
        ),
        pytest.param("", March(("D",), EAST), {"41.19": "central-powers"}, id="a dummy goes"),
        pytest.param("", March(("T",), ON), {"43.19": "central-powers"}, id="a Train goes"),
        pytest.param("41.19 control=central-powers", March(("G",), EAST), {}, id="recorded before"),
        pytest.param("41.19 control=central-powers", March(("D",), EAST), {}, id="of a dummy too"),
        pytest.param("41.19 control=russian", March(("G",), EAST), {"41.19": "central-powers"}, id="otherwise"),
        pytest.param(
            "41.19 control=russian\n41.19: german artillery - F",
            March(("G",), EAST),
            {"41.19": "central-powers"},
            id="whoever stays",
        ),
        pytest.param("41.19 control=russian", March(("D",), EAST), {}, id="a dummy holds nothing"),
        pytest.param("43.19 control=russian", March(("T",), ON), {}, id="nor does a Train"),
        pytest.param("42.19 control=russian", March(("D",), EAST), {"41.19": "central-powers"}, id="nor does it enter"),
    ],
)
def test_with_hidden_units_the_record_does_not_tell_what_has_gone_and_what_stays(
    option: str, more: str, march: March, control: dict[str, str]
) -> None:
    found = made(HIDDEN.format(option) + "\n" + more, march)
    assert {hex: side for (track, hex), side in found.items() if track == "control"} == control


@pytest.mark.rule("4.3b")
@pytest.mark.parametrize(
    ("hidden", "gone", "taken"),
    [
        pytest.param("caps\n44.17 capped: german corps-train - U", ["U"], True, id="under a cap"),
        pytest.param("caps\n44.17: german corps-train - U", ["U"], False, id="seen"),
        pytest.param(
            "caps\n44.17 capped: german corps-train - U, german corps-train - V",
            ["U"],
            False,
            id="the cap stays behind",
        ),
        pytest.param("concealment\n44.17: german corps-train - U concealed", ["U"], True, id="with its crest up"),
        pytest.param("concealment\n44.17: german corps-train - U", ["U"], False, id="face up"),
        pytest.param(
            "concealment\n44.17: german corps-train - U concealed, german corps-train - V",
            ["U", "V"],
            False,
            id="one of them face up",
        ),
        pytest.param("concealment\n44.17: german dummy - U movement=6 concealed", ["U"], False, id="a dummy"),
    ],
)
def test_a_hidden_train_takes_control_of_an_enemy_hex_only_by_ruling(hidden: str, gone: list[str], taken: bool) -> None:
    text = f"44.16 control=russian\nhidden-units={hidden}"
    march = March((*gone,), ("44.16",))
    assert ("control", "44.16") not in made(text, march), "by the letter it is no troops, and gives itself away"
    bluffing = made(f"{text}\nruling hidden-control=stack", march)
    assert (bluffing.get(("control", "44.16")) == "central-powers") == taken
    troops = text.replace("corps-train - U", "infantry XX U (9-9-0-9)").replace("dummy - U movement=6", "artillery - U")
    assert made(troops, march)["control", "44.16"] == "central-powers"


@pytest.mark.rule("4.3b")
def test_the_ruling_on_hidden_control_is_named_whatever_is_hidden() -> None:
    """Otherwise it would tell the enemy what has entered."""
    for unit in ("corps-train - U", "infantry XX U (9-9-0-9)"):
        view = viewed(UNITS + f"44.16 control=russian\nhidden-units=concealment\n44.17: german {unit} concealed")
        find_consequences(view, [March(("U",), ("44.16",))])
        assert "hidden-control" in view.premises.rulings
        find_consequences(
            own := viewed(UNITS + f"44.16 control=central-powers\n44.17: german {unit}"), [March(("U",), ("44.16",))]
        )
        assert "hidden-control" not in own.premises.rulings


@pytest.mark.rule("4.3b")
def test_where_nothing_is_hidden_a_dummy_leaves_no_record() -> None:
    assert made(HIDDEN.format("on-map"), March(("D",), EAST)) == {}
    assert made(HIDDEN.format("none"), March(("T",), ON)) == {}


@pytest.mark.rule("17.1.4")
@pytest.mark.parametrize(
    ("stated", "lost"),
    [
        ("40.19 operational=central-powers", True),
        ("40.19 operational=russian", False),
        ("40.19 operational=none", False),
        ("40.19|41.18 rail1\n40.19 control=central-powers", True),
        ("40.19|41.18 rail1\n40.19 map-edge=central-powers", True),
        ("40.19|41.18 rail1", False),
        ("40.19|41.18 no-rail\n40.19 control=central-powers", False),
    ],
)
def test_an_enemys_railway_is_lost_where_they_pass(stated: str, lost: bool) -> None:
    found = after(stated)
    assert {key: value for key, value in found.items() if key[0] == "operational"} == (
        {("operational", "40.19"): "none"} if lost else {}
    )


@pytest.mark.rule("17.1.4")
def test_who_lost_a_railway_and_when_is_kept() -> None:
    found = after("41.19|42.19 rail1", March(("G",), ("42.19",)), March(("R",), ("41.19",)))
    assert found["operational", "41.19"] == "none"
    assert ("operational", "42.19") not in found
    now = "turn=9\nphase=movement\nphasing=russian\n"
    assert after(now + "40.19 operational=central-powers") == {
        ("operational", "40.19"): "none",
        ("line-lost", "40.19"): "central-powers:9:russian:movement",
    }
    assert ("line-lost", "40.19") not in after("turn=9\nphase=movement\n40.19 operational=central-powers")
    assert after(now + "40.19 operational=none") == {}, "lost before"


@pytest.mark.rule("17.1.4")
@pytest.mark.parametrize(
    ("stated", "lost"),
    [
        ("40.20 operational=central-powers", True),
        ("40.20 operational=russian", False),
        ("40.20 operational=none", False),
        ("40.20|40.21 rail1\n40.20 control=central-powers", True),
        ("40.20|40.21 rail1\n40.20 map-edge=central-powers", True),
        ("40.20|40.21 rail1\n40.20 control=russian", False),
        ("40.20|40.21 rail1", False),
        ("40.20|40.21 no-rail\n40.20 control=central-powers", False),
    ],
)
def test_a_railway_on_which_they_have_stood_from_the_set_up_on_is_lost_when_they_leave(stated: str, lost: bool) -> None:
    now = "turn=9\nphase=movement\nphasing=russian\n"
    every = [RUSSIANS], [March(("R",))], [March(("R",), ("40.19", "40.20", "40.19"))]
    for marches in every[:2]:
        made_of_it = after(now + stated, *marches)
        rails = {key: value for key, value in made_of_it.items() if key[0] in ("operational", "line-lost")}
        assert rails == ({("operational", "40.20"): "none"} if lost else {}), "in which phase is not known"
    back = after(now + stated, *every[2])
    assert (back.get(("operational", "40.20")) == "none") is lost


@pytest.mark.rule("17.1.4")
def test_a_supply_unit_takes_a_railway_too() -> None:
    text = "41.17 operational=central-powers: russian corps-train - T"
    assert after(text, March(("T",), ("41.16",))) == {("operational", "41.17"): "none"}
    assert after(text) == {}, "it is theirs while the Train stands there, and nothing has to be recorded"


@pytest.mark.rule("17.1.4")
def test_no_german_gets_back_by_marching_what_the_russians_of_the_set_up_have_taken() -> None:
    """27/3 stands on the German line in 42.21, and the 20 Train alone in 41.19."""
    position = owned_setup("19-august-1914", 2, "phase=movement phasing=russian")
    now = View(position.game, position.state)
    assert {"42.21", "41.19"}.isdisjoint(read_network(now, "central-powers", {"42.21", "41.19"}).own)
    leaving = [March(("27/3",), ("41.21",)), March(("Russian 20 Train",), ("40.20",))]
    left = now.after(find_consequences(now, leaving).changes).after(
        [changed(now, "place", "27/3", "41.21", "8.1"), changed(now, "place", "Russian 20 Train", "40.20", "8.1")]
    )
    back = left.after(find_consequences(left, [March(("36/17",), ("44.21", "43.20", "42.21"))]).changes)
    for view in (left, back):
        assert [view.word("operational", hex) for hex in ("42.21", "41.19")] == ["none", "none"]
        assert {"42.21", "41.19"}.isdisjoint(read_network(view, "central-powers").own)


@pytest.mark.rule("17.5.3b", "17.7")
def test_lines_under_construction_are_cut_or_given_up() -> None:
    field = '39.19 built-kind=field built-by=austro-hungarian built-line="39.19 40.19 41.18"'
    assert after(field) == {("built-line", "39.19"): "39.19"}
    own = field.replace("austro-hungarian", "russian")
    assert after(own) == {}


@pytest.mark.rule("18.1c")
@pytest.mark.parametrize(
    ("bridge", "off"),
    [
        ("41.18|42.18 pontoon pontoon-of=german", True),
        ("40.19|39.19 pontoon pontoon-of=austro-hungarian", True),
        ("41.18|42.18 pontoon pontoon-of=russian", False),
        ("43.18|44.18 pontoon pontoon-of=german", False),
        ("41.18|42.18 bridge", False),
    ],
)
def test_an_enemys_pontoon_bridge_comes_off(bridge: str, off: bool) -> None:
    sides = "|".join(sorted(bridge.split()[0].split("|")))
    assert after(bridge) == ({("crossing", sides): None, ("pontoon-of", sides): None} if off else {})


@pytest.mark.rule("18.1c")
def test_whose_a_pontoon_bridge_is_has_to_be_stated() -> None:
    ((subject, said),) = open_then("41.18|42.18 pontoon")
    assert (subject, said.rule) == ("41.18|42.18", "18.1")
    assert open_then("41.18|42.18 pontoon pontoon-of=german") == []


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("more", "marches", "flees"),
    [
        ("41.17: german infantry II Tilsit asset", (RUSSIANS,), True),
        ("39.19: german infantry II Tilsit asset", (RUSSIANS,), True),
        ("43.17: german infantry II Tilsit asset", (RUSSIANS,), False),
        ("41.17: german infantry II Memel asset", (RUSSIANS,), False),
        ("41.17: german infantry II Tilsit asset\n40.20: russian cavalry XX C", (March(("C",), ("41.18",)),), False),
        ("41.17: german infantry II Tilsit asset", (March(("G",), ("41.18",)),), False),
    ],
)
def test_landsturm_flees(more: str, marches: tuple[March, ...], flees: bool) -> None:
    found = after(more, *marches)
    assert (("place", "Tilsit") in found) is flees
    dug_in = after(f"{more}\n41.17 ip=1", *marches)
    assert (("ip", "41.17") in dug_in) is (flees and more.startswith("41.17")), "its position comes off with it"


@pytest.mark.rule("8.9.3a")
@pytest.mark.parametrize(
    ("place", "task", "off"),
    [
        ("41.17", "recovery", ["task", "expended"]),
        ("39.19", "disorder", ["task", "expended"]),
        ("41.17", "entraining", ["task", "expended", "half"]),
        ("41.17", "position", []),
        ("43.17", "recovery", []),
    ],
)
def test_markers_come_off_beside_who_comes(place: str, task: str, off: list[str]) -> None:
    found = after(f"{place}: german infantry XX H (9-9-0-9) task={task} expended=3")
    assert [track for track, subject in found if subject == "H"] == off


@pytest.mark.rule("8.9.3a")
def test_who_has_been_next_to_an_enemy_has_nothing_left_once_he_is_gone() -> None:
    text = "41.19: german infantry XX H (9-9-0-9) task=recovery expended=3"
    then = after(text, March(("H",), ("42.19", "43.19")))
    assert {key: value for key, value in then.items() if key[1] == "H"} == {
        ("task", "H"): None,
        ("expended", "H"): None,
    }
    assert after(text, March(("R",), ("39.21",))) == {("task", "H"): None, ("expended", "H"): None}


@pytest.mark.rule("12.5.1")
@pytest.mark.parametrize(
    ("more", "marches", "due"),
    [
        ("41.17: austro-hungarian fort - F abandonment=3", (RUSSIANS,), True),
        ("39.19: austro-hungarian fort - F", (RUSSIANS,), True),
        ("41.17: austro-hungarian fort - F tested", (RUSSIANS,), False),
        ("41.17: austro-hungarian fort - F, austro-hungarian cavalry XX C", (RUSSIANS,), False),
        ("41.17: german fort - F", (RUSSIANS,), False),
        ("43.17: austro-hungarian fort - F", (RUSSIANS,), False),
        ("40.19: austro-hungarian fort - F, austro-hungarian cavalry XX C", (March(("C",), ("40.18",)),), True),
        ("42.20: austro-hungarian fort - F, austro-hungarian cavalry XX C", (March(("C",), ("42.21",)),), False),
    ],
)
def test_a_die_for_a_bridgehead_is_named(more: str, marches: tuple[March, ...], due: bool) -> None:
    found = open_then(more, *marches)
    assert [(subject, said.rule) for subject, said in found] == ([("F", "12.5.1")] if due else [])
    if due:
        assert ("if it is a bridgehead" in found[0][1].text) is ("abandonment" not in more)


@pytest.mark.rule("16.4", "8.9.3a")
def test_a_supply_unit_that_is_gone_comes_back_with_nothing_on_it() -> None:
    """An enemy comes next to it while it entrains, and then it is eliminated."""
    assert after("turn=5\n43.19: german corps-train - T", March(("T",))) == {("arrives", "T"): 7}
    entraining = "41.17: german infantry XX H (9-9-0-9) task=entraining expended=3"
    assert ("half", "H") in after(entraining)
    assert [track for track, subject in made(entraining, RUSSIANS, March(("H",))) if subject == "H"] == []


@pytest.mark.rule("22.4.1")
def test_landsturm_flees_where_it_has_just_come_and_is_lost_once() -> None:
    standing, coming = "43.17: german infantry II Tilsit asset", March(("Tilsit",), ("42.17", "41.17"))
    found = find_consequences(viewed(UNITS + standing), [coming, RUSSIANS]).changes
    assert [(one.before, one.after) for one in found if one.subject == "Tilsit"] == [("41.17", None)]
    assert ("place", "Tilsit") not in after(standing, RUSSIANS, March(("Tilsit",), ("42.17",)))
    assert ("place", "Tilsit") not in after("41.17: german infantry II Tilsit asset", RUSSIANS, March(("Tilsit",)))


@pytest.mark.rule("23.1.1")
def test_the_first_russian_unit_in_hungary_is_noted() -> None:
    hungary = "turn=14\n40.19 province=hungary\n"
    assert after(hungary)["hungary-entered", ""] == 14
    assert ("hungary-entered", "") not in after("turn=14\n40.19 province=bukowina\n")
    assert ("hungary-entered", "") not in after(hungary.replace("turn=14", ""))
    assert ("hungary-entered", "") not in after(hungary + "hungary-entered=12")
    assert ("hungary-entered", "") not in made(hungary, March(("G",), ("40.19",)))
