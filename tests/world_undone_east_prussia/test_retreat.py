"""Which way beaten units go, and who is eliminated (6.5)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.rules.field import HexOption
from assistant.rules.retreat import RetreatResult
from assistant.state.changes import Change, Gain
from assistant.util.errors import InputError

from ..conftest import told, values, why_not
from .asking import state_after, undone

pytestmark = pytest.mark.rule("6.5/path", "6.5/overstack", "3.3/retreat")
"""Every retreat here goes hex by hex to where there may be no room."""

BEATEN = """
turn=3
phasing=german
phase=first-combat
5320: I/1
5420: III/25, III/27
"""
"""Two Russian divisions with their edge in the east, attacked from the west."""
WEST = "turn=3\nphasing=russian\nphase=first-combat\n1010: I/1\n"
"""A German division with its edge in the west."""
DRY = "5420-5520-5620\n5420-5421\n"
PAIR = ["III/25", "III/27"]


def around(position: str, *units: str, **parameters: Any) -> dict[str, str]:
    """The hexes around the units, each with what bars it."""
    report = undone(position, "retreat", units=list(units or PAIR), **parameters)
    return {one.hex: one.barred for one in report.result.options}


def test_units_go_toward_their_own_edge_or_no_nearer_unless_the_owner_rules_otherwise() -> None:
    russian = around(BEATEN.replace("5320: I/1\n", ""))
    assert russian["5520"] == russian["5521"] == ""
    assert russian["5320"] == "farther from the eastern edge"
    german = around(WEST, "I/1")
    assert german["0910"] == german["0911"] == german["1009"] == ""
    assert german["1110"] == german["1111"] == "farther from the western edge"
    assert around(BEATEN)["5421"] == ""
    strict = around("ruling retreat-edge=nearer\n" + BEATEN)
    assert (strict["5421"], strict["5520"]) == ("no nearer to the eastern edge", "")
    level = undone(BEATEN, "retreat", units=PAIR)
    assert "retreat-edge" in str(level)


@pytest.mark.rule("3.3/fort-entry")
def test_what_bars_a_hex_from_a_retreat() -> None:
    found = around(BEATEN + "5420|5520 lake\n5420|5521 sea\n5421 sea\n")
    assert (found["5520"], found["5521"], found["5421"]) == (
        "impassable: lake", "impassable: sea", "impassable: sea",
    )  # fmt: skip
    found = around(BEATEN)
    assert found["5320"] == "enemies stand there"
    assert found["5321"] == found["5419"] == "in an enemy zone of control without a friend"
    pressed = BEATEN + "5519: I/2\n"
    assert around(pressed)["5520"] == "in an enemy zone of control without a friend"
    assert around(pressed + "5520: IV/30\n")["5520"] == ""
    assert around(BEATEN + "5420~5520\n")["5520"] == "across a river"
    assert around(BEATEN + "5420-5520\n")["5520"] == ""
    refused = undone(BEATEN + "5420~5520\n", "retreat", units=PAIR, way=["5520"])
    assert why_not(refused) == ["6.5"]
    asked = undone(BEATEN, "retreat", units=PAIR, hexes=2, way=["5520"])
    assert [ask.key for ask in asked.asks] == [("barrier", "5420|5520")]
    assert not undone(BEATEN + DRY, "retreat", units=PAIR, way=["5520"]).asks
    fort = BEATEN + "5521 fortress=3\n"
    assert around(fort)["5521"] == "a Russian unit may not enter the fortress in 5521"
    assert around(fort)["5520"] == "in an enemy zone of control without a friend", "the zone of the fortress"
    assert around(fort + "5521 destroyed\n")["5521"] == ""
    assert around(WEST + "0910 fortress=3\n", "I/1")["0910"] == ""


@pytest.mark.rule("8.0/vp")
def test_whoever_finds_no_way_or_must_go_beyond_his_edge_is_eliminated() -> None:
    walled = BEATEN + "5420~5421\n5420~5520\n5420~5521\n"
    report = undone(walled, "retreat", units=PAIR)
    assert report.result.eliminated == ("III/25", "III/27")
    changed = values(report)
    assert changed["place", "III/25"] is changed["place", "III/27"] is None
    assert report.changes[0].rule == "6.5"
    assert [one.amount for one in report.changes if getattr(one, "track", "") == "lost"] == [5, 5]
    assert told(report, "Eliminated") == [f"{unit} cannot retreat and is eliminated" for unit in PAIR]
    last = BEATEN.replace("5320:", "5819:").replace("5420:", "5920:") + "5920: IC/3C\n5919, 5921 clear\n"
    last += "5920~5921\n5821: I/2\n"
    gone = undone(last, "retreat", units=[*PAIR, "IC/3C"])
    assert (gone.verdict.text, gone.result.off_map) == ("off the map: III/25, III/27, IC/3C", (*PAIR, "IC/3C"))
    for scenario, rule in (("", "6.5"), ("scenario=masurian-lakes\n", "9.4")):
        left = undone(scenario + last, "retreat", units=[*PAIR, "IC/3C"])
        assert [one.rule for one in left.changes if getattr(one, "track", "") == "place"] == [rule] * 3
        assert [step.rule for step in left.parts[0].steps] == [rule] * 3
    assert values(gone)["lost", "russian"] == 3, "and the points of all are lost"
    aside = last.replace("5920~5921", "5920-5921").replace("5821: I/2\n", "")
    assert undone(aside, "retreat", units=[*PAIR, "IC/3C"], way=["5921"]).result.off_map == ()
    two = undone(aside.replace("phasing=german", "phasing=russian"), "retreat", units=["IC/3C"], hexes=3)
    assert two.result.options, "along the edge there is a way"


def test_defenders_stay_a_stack_and_attackers_may_have_attacked_apart() -> None:
    assert why_not(undone(BEATEN, "retreat", units=["III/25"])) == ["6.5"]
    assert undone(BEATEN.replace("phasing=german", "phasing=russian"), "retreat", units=["III/25"]).result.options
    unknown = undone(BEATEN.replace("phasing=german\n", ""), "retreat", units=["III/25"])
    assert [ask.key for ask in unknown.asks] == [("phasing", "")]
    together = undone(BEATEN + DRY, "retreat", units=PAIR, way=["5520"])
    assert values(together)["place", "III/25"] == values(together)["place", "III/27"] == "5520"


def test_a_longer_retreat_goes_on_hex_by_hex_and_what_cannot_retreat_is_refused() -> None:
    report = undone(BEATEN + DRY, "retreat", units=PAIR, hexes=2, way=["5520"])
    assert (report.result.complete, {one.hex for one in report.result.options if not one.barred}) == (
        False,
        {"5519", "5521", "5619", "5620"},
    )
    answered = undone(BEATEN + DRY, "retreat", units=PAIR, hexes=2, answers={"hex.1": "5520", "hex.2": "5620"})
    assert answered.result.way == ("5520", "5620")
    with pytest.raises(InputError, match="1 to 4 hexes"):
        undone(BEATEN, "retreat", units=PAIR, hexes=5)
    assert undone(BEATEN, "retreat", units=PAIR, hexes=4).result.owed == 4
    for faulty in ({"units": PAIR, "hexes": 0}, {"units": []}):
        with pytest.raises(InputError, match="a retreat needs units, and 1 to 4 hexes"):
            undone(BEATEN, "retreat", **faulty)
    with pytest.raises(InputError, match="are not stacked in one hex"):
        undone(BEATEN + "5520: IV/30\n", "retreat", units=["III/25", "IV/30"])
    with pytest.raises(InputError, match="5820 is not adjacent to 5420"):
        undone(BEATEN, "retreat", units=PAIR, way=["5820"])
    with pytest.raises(InputError, match="unknown unit 'Lötzen'"):
        undone(BEATEN + "4025 named=Lötzen fortress=4\n", "retreat", units=["Lötzen"])


FULL = BEATEN + DRY + "5520: IV/30, IV/40, 1A/1HA\n"
"""A hex with room for one more division on the way of two."""


def test_units_may_retreat_into_a_full_hex_and_those_beyond_its_limit_do_not_count() -> None:
    report = undone(FULL, "retreat", units=PAIR, way=["5520"])
    changed = values(report)
    assert (changed["place", "III/27"], changed.get(("over", "III/27"))) == ("5520", True)
    assert ("over", "III/25") not in changed, "named first, it takes the room there is"
    assert told(report, "Afterwards") == ["III/27 in 5520: over the stacking limit, not counted in combat"]
    fuller = undone(FULL.replace("IV/40", "IV/40, XX/28"), "retreat", units=PAIR, way=["5520"])
    assert values(fuller)["over", "III/25"] is values(fuller)["over", "III/27"] is True
    guns = undone(FULL.replace("III/27", "1A/2HA"), "retreat", units=["III/25", "1A/2HA"], way=["5520"])
    assert [key for key in values(guns) if key[0] == "over"] == [("over", "1A/2HA")]
    report = undone(FULL.replace("5520: IV", "5620: IV"), "retreat", units=PAIR, hexes=2, way=["5520", "5620"])
    assert [key for key in values(report) if key[0] == "over"] == [("over", "III/27")]
    assert told(report, "Afterwards") == ["III/27 in 5620: over the stacking limit, not counted in combat"]
    crowded = FULL.replace("IV/40, 1A/1HA", "IV/40, XX/28") + "XX/28 over\n"
    assert values(undone(crowded, "retreat", units=PAIR, way=["5520"])).get(("over", "III/25")) is None


def test_zones_that_rest_on_rivers_not_stated_are_named() -> None:
    assumed = told(undone(BEATEN + DRY + "5619: I/2\n", "retreat", units=PAIR, way=["5520"]), "Assumed")
    assert not any("5519|5619" in line for line in assumed)
    beside = BEATEN + DRY + "5519: I/2\n5520: IV/30\n"
    assert any("5519|5520" in line for line in told(undone(beside, "retreat", units=PAIR, way=["5520"]), "Assumed"))


@pytest.mark.rule("3.2")
def test_units_over_the_limit_are_eliminated_as_others_retreat_or_movement_ends_or_count_again() -> None:
    full = BEATEN.replace("III/27", "III/27, Dummy/R1, Dummy/R2") + DRY + "III/27 over\n"
    report = undone(full, "retreat", units=[*PAIR, "Dummy/R1", "Dummy/R2"], way=["5520"])
    assert report.result.eliminated == ("III/27",)
    assert report.parts[0].steps[0].text == "III/27 is over the stacking limit and is eliminated"
    assert (values(report)["place", "III/25"], values(report)["place", "III/27"]) == ("5520", None)
    crowd = "turn=3\nphasing=russian\nphase=first-movement\n5520: IV/30, IV/40, XX/28, III/27\nIII/27 over\n"
    stack = undone(crowd, "stack", at=["5520"]).result.stacks[0]
    assert stack.excess == (("III/27",),)
    gone = undone(crowd, "stack", at=["5520"], ended=True)
    assert (gone.asks, values(gone)["place", "III/27"]) == ((), None)
    assert undone(crowd.replace("III/27 over\n", ""), "stack", at=["5520"], ended=True).asks
    enemy = crowd.replace("phasing=russian", "phasing=german")
    assert not undone(enemy, "stack", at=["5520"], ended=True).changes, "not in the enemy's phase"
    fits = undone(crowd.replace("IV/30, ", ""), "stack", at=["5520"], ended=True)
    assert values(fits) == {("over", "III/27"): None}, "it counts again"
    left = crowd.replace("IV/30, IV/40, XX/28, ", "")
    assert values(undone(left, "stack", ended=True)) == {("over", "III/27"): None}, "alone in its hex"
    assert undone(left, "stack").result.stacks == ()
    crowd = DRY + "III/27 over\n5520 clear town=none\nchart terrain-cost clear = 0\n5919 map-edge=east\n"
    march = (
        "turn=3\nscenario=historical\nphasing=russian\nphase=first-movement\n5420: IV/30, IV/40, XX/28, III/27\n"
        + crowd
    )
    moved = values(undone(march, "move", units=["III/27"], way=["5520"]))
    assert (moved["place", "III/27"], moved["over", "III/27"]) == ("5520", None)
    assert ("over", "XX/28") not in values(undone(march, "move", units=["XX/28"], way=["5520"]))
    back = undone(BEATEN + DRY + "III/27 over\n", "retreat", units=PAIR, way=["5520"])
    assert values(back)["over", "III/27"] is None, "its hex had room for it, and so has the next one"
    again = undone(FULL + "III/27 over\n", "retreat", units=PAIR, way=["5520"])
    assert values(again)["over", "III/27"] is True
    won = "turn=3\nphasing=german\nphase=first-combat\n5320: I/1 fought over\n5420 attacked\n5820: III/25\n"
    assert values(undone(won, "advance", units=["I/1"], at="5420"))["over", "I/1"] is None


@pytest.mark.rule("2.0/Control", "6.6/who")
def test_a_retreat_leaves_control_and_the_way_along_which_the_enemy_may_follow() -> None:
    ground = BEATEN + DRY + "5420, 5520, 5620 country=germany\n"
    report = undone(ground, "retreat", units=PAIR, hexes=2, way=["5520", "5620"])
    changed = values(report)
    assert {at: changed["control", at] for at in ("5420", "5520", "5620")} == dict.fromkeys(
        ("5420", "5520", "5620"), "russian"
    )
    assert changed["trail", "5420"] == "5520", "not the hex where they stand now"
    state = state_after(ground, "retreat", units=PAIR, hexes=2, way=["5520", "5620"])
    assert state.units["III/25"].place == "5620"
    assert ("trail", "5420") not in values(undone(BEATEN + DRY, "retreat", units=PAIR, way=["5520"]))
    option = "options=cavalry-control\n" + BEATEN + DRY
    assert values(undone(option, "retreat", units=PAIR, way=["5520"]))["control", "5420"] == "russian"
    ridden = option.replace("III/25, III/27", "IC/3C")
    assert ("control", "5420") not in values(undone(ridden, "retreat", units=["IC/3C"], way=["5520"]))


# --- whole reports ----------------------------------------------------------------------------------------------------

BARRED = (
    HexOption("5320", "6.5", "enemies stand there"),
    HexOption("5321", "3.3", "in an enemy zone of control without a friend"),
    HexOption("5419", "3.3", "in an enemy zone of control without a friend"),
)
"""The hexes around the beaten stack on the side of the enemy."""


def test_the_whole_report_before_a_retreat_of_one_hex_and_of_two() -> None:
    one = undone(BEATEN, "retreat", units=PAIR)
    options = (*map(HexOption, ("5421", "5520", "5521")), *BARRED)
    assert one.result == RetreatResult(at="5420", units=("III/25", "III/27"), owed=1, options=options)
    assert (one.title, one.verdict.text, one.changes) == (
        "Retreat of III/25, III/27 from 5420",
        "open hexes: 5421, 5520, 5521",
        (),
    )
    (due,) = one.asks
    assert (due.name, due.rule, due.options, due.units) == (
        "hex.1",
        "6.5",
        ("5421", "5520", "5521"),
        ("III/25", "III/27"),
    )
    assert due.title == "hex 1 of the retreat from 5420, 1 owed"
    two = undone(BEATEN, "retreat", units=PAIR, hexes=2)
    onward = {
        "5421": ("5422", "5521", "5522"),
        "5520": ("5519", "5521", "5619", "5620"),
        "5521": ("5520", "5522", "5620", "5621"),
    }
    assert two.result == RetreatResult(at="5420", units=("III/25", "III/27"), owed=2, options=options, onward=onward)


def test_the_whole_report_on_the_way_of_a_retreat_and_after_it() -> None:
    report = undone(BEATEN + DRY, "retreat", units=PAIR, way=["5520"])
    assert report.result == RetreatResult(at="5420", units=("III/25", "III/27"), owed=1, way=("5520",), complete=True)
    assert (report.verdict.text, report.asks) == ("the retreat ends in 5520", ())
    assert report.changes == (
        Change("place", "III/25", "5420", "5520", "6.5"),
        Change("place", "III/27", "5420", "5520", "6.5"),
        Change("control", "5420", None, "russian", "2.0"),
        Change("control", "5520", None, "russian", "2.0"),
    )
    assert [part.title for part in report.parts if part.steps] == ["Assumed"]
    report = undone(BEATEN + DRY, "retreat", units=PAIR, hexes=2, way=["5520"])
    zone = HexOption("5419", "3.3", "in an enemy zone of control without a friend")
    back = HexOption("5420", "6.5", "farther from the eastern edge")
    options = (*map(HexOption, ("5519", "5521", "5619", "5620")), zone, back)
    assert report.result == RetreatResult(at="5420", units=("III/25", "III/27"), owed=2, way=("5520",), options=options)
    assert (report.changes, [part.title for part in report.parts if part.steps]) == (
        (),
        ["Hexes", "Assumed", "Rulings"],
    )
    assert [(ask.name, ask.options) for ask in report.asks] == [("hex.2", ("5519", "5521", "5619", "5620"))]


def test_the_whole_report_on_a_way_into_a_barred_hex() -> None:
    report = undone(BEATEN + DRY, "retreat", units=PAIR, hexes=2, way=["5520", "5420"])
    assert report.result == RetreatResult(
        at="5420",
        units=("III/25", "III/27"),
        owed=2,
        way=("5520",),
        options=report.result.options,
    )
    assert told(report, "Not allowed") == ["5420: farther from the eastern edge"]
    assert why_not(report) == ["6.5"]
    assert (report.asks, report.changes) == ((), ())
    first = undone(BEATEN, "retreat", units=PAIR, way=["5320"])
    assert first.result == undone(BEATEN, "retreat", units=PAIR).result
    assert told(first, "Not allowed") == ["5320: enemies stand there"]


def test_the_whole_report_on_units_all_of_which_are_over_the_limit() -> None:
    crowd = BEATEN.replace("phasing=german", "phasing=russian").replace("III/27", "III/27, IV/30, IV/40")
    report = undone(crowd + "III/27 over\n", "retreat", units=["III/27"], way=["5520"])
    assert report.result == RetreatResult(at="5420", units=("III/27",), owed=1, eliminated=("III/27",), complete=True)
    assert (report.verdict.text, report.asks) == ("eliminated: III/27", ())
    assert told(report, "Eliminated") == ["III/27 is over the stacking limit and is eliminated"]
    assert report.changes == (
        Change("place", "III/27", "5420", None, "6.5"),
        Gain("lost", "russian", 5, "8.0"),
    )
