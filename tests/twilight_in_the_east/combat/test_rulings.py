"""The doubtful rules of a combat: what comes of each reading, and that a report names a ruling only where it matters."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report

from ...conftest import answered, carried_out, rulings, told, typed


def fought(text: str, **parameters: Any) -> Report[Any]:
    """The battle at 41.19 in GT 5, nobody with an Artillery Ammunition Point unless that is said."""
    given = {"at": "41.19", "attacker-ap": "none", "defender-ap": "none", **parameters}
    return answered(typed(f"turn=5\n{text}"), "battle", **given)


BYSTANDER = """41.19 clear: german infantry XX D corps=1 (12-16-0-11) back-steps=6
41.19|40.19,40.20,41.18,41.20,42.19,42.20 open
40.19|40.20,41.18 open
40.20|41.20 open
42.20|41.20,42.19 open
40.19: russian infantry XX A corps=3 (10-12-0-10) back-steps=5
40.20: russian infantry XX B corps=3 (10-12-0-10) back-steps=5
42.20: russian infantry XX C corps=3 (10-12-0-10) back-steps=5
"""


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(("reading", "flanked"), [("any", True), ("attackers", False)])
def test_whether_who_does_not_attack_helps_to_flank(reading: str, flanked: bool) -> None:
    """A and B hold four hexes around D with their zones, C stands in the fifth one and stays out."""
    report = fought(f"{BYSTANDER}ruling flank-occupied={reading}", withhold="C")
    assert (report.result.flanked, rulings(report)) == (flanked, ["flank-occupied"])


@pytest.mark.rule("10.4.1", "13.3.2")
def test_no_ruling_is_named_where_it_makes_no_difference() -> None:
    assert rulings(fought(BYSTANDER)) == [], "all three attack"
    assert rulings(fought(BYSTANDER, withhold="C", flanked="no")) == [], "the player says so himself"
    assert rulings(fought(BYSTANDER, withhold="B,C")) == [], "not flanked either way"
    assert rulings(fought(f"{ATTACKED}41.19 clear: {FORT.replace('(2-0-0-9)', '(3-0-0-9)')}")) == []
    assert rulings(fought(f"{ATTACKED}41.19 clear: {FORT.split(', ')[1]}")) == []
    campaign = fought(f"campaign weather=normal\n{ENTRENCHED}ruling level-4-hardship=campaign")
    assert [one.amount for one in campaign.result.attacker_modifiers if "Level 4" in one.why] == [1]
    assert rulings(campaign) == rulings(fought(ENTRENCHED.replace("ip=4", "ip=3"))) == []
    for degree in (0, 2):
        assert rulings(fought(f"{ATTACKED}41.19 clear: {DISORDERED.format(degree)}")) == []
    begun = fought(
        BATTALION.replace("(2-2-", "(1-1-").replace("back-steps=1", "back-steps=0") + "ruling beyond-chart=begun"
    )
    assert [one.amount for one in begun.result.attacker_modifiers if "odds" in one.why] == [-2], begun.result.final
    assert rulings(begun) == rulings(fought(BATTALION)) == []


def test_a_ranking_of_attacks_rests_on_who_stays_out() -> None:
    ask = {"side": "russian", "at": "41.19", "attacker-ap": "none", "defender-ap": "none"}
    columns = {}
    for reading in ("any", "attackers"):
        report = answered(typed(f"turn=5\n{BYSTANDER}ruling flank-occupied={reading}"), "attacks", **ask)
        (target,) = report.result.targets
        columns[reading] = {one.column: one.attack.units for one in target.columns}
        assert rulings(report) == ["flank-occupied"]
    assert columns["any"] != columns["attackers"]


ATTACKED = """41.19|40.20 open
40.20: russian infantry XX A corps=3 (10-12-0-10) back-steps=5
"""


def withheld(defenders: str, out: str, reading: str = "") -> tuple[str, list[str]]:
    """What is said of a defence with these units out, and the rulings that this rests on."""
    report = fought(f"{ATTACKED}41.19 clear: {defenders}\n{reading}", withhold=out)
    return report.verdict.kind, rulings(report)


ONE_HORSE = "german cavalry XX H (4-4-0-9) back-steps=2, german infantry XX D (12-16-0-11) back-steps=6"


@pytest.mark.rule("10.1.3b", "10.1.5b")
def test_whether_less_cavalry_may_defend_in_place_of_infantry() -> None:
    assert withheld(ONE_HORSE, "D", "ruling defending-arm=larger") == ("no", ["defending-arm"])
    assert withheld(ONE_HORSE, "D", "ruling defending-arm=free") == ("figure", ["defending-arm"])
    assert withheld(ONE_HORSE, "H") == ("figure", []), "the infantry may always"
    two = ONE_HORSE.replace("german infantry", "german cavalry XX K (4-4-0-9) back-steps=2, german infantry")
    assert withheld(two, "D") == ("figure", []), "as much cavalry as infantry"


@pytest.mark.rule("10.1c", "10.1.3b", "10.1.5a", "10.1.5b")
def test_one_arm_is_withheld_though_no_formation_is_sound() -> None:
    """That cavalry and infantry never defend together leaves no choice whether to withhold: only what else is withheld is a choice."""
    guards = ", ".join(f"german infantry X {name} asset (3-3-0-9)" for name in "RST")
    horse = f"german cavalry X H (4-4-0-9) back-steps=2 cel=-4, {guards}"
    report = fought(f"{ATTACKED}41.19 clear: {horse}")
    assert (report.verdict.kind, report.result.defender.total) == ("figure", 9), "the smaller cavalry must be"
    shaken = f"{horse.split(', ')[0]}, german infantry XX D (12-16-0-11) back-steps=6 cel=-4"
    assert fought(f"{ATTACKED}41.19 clear: {shaken}").verdict.kind == "no"
    for other in ("H", "D"):
        assert withheld(shaken, other) == ("figure", []), "the infantry counts for nothing, so that its owner chooses"
    assert withheld(f"{shaken}, german infantry XX E (12-16-0-11) back-steps=6 cel=-4", "H,E") == ("no", [])


@pytest.mark.rule("10.1.3b", "10.1.5b")
def test_what_is_withheld_besides_one_arm_is_a_choice() -> None:
    """The top unit too where both arms stand together; the sound formation may be of the arm that has to be withheld."""
    horse = "german cavalry XX H (4-4-0-9) back-steps=2, german cavalry XX K (4-4-0-9) back-steps=2"
    foot = "german infantry XX D (12-16-0-11) back-steps=6"
    assert withheld(f"{horse}, {foot}", "H,D", "ruling defending-arm=free")[0] == "figure"
    shaken = "german cavalry XX H (4-4-0-9) back-steps=2 cel=-4"
    free = "ruling defending-arm=free\nruling sound-formation=defending"
    assert withheld(f"{shaken}, {foot}", "D", free)[0] == "figure"
    small = "german cavalry XX H (4-4-0-9) back-steps=2"
    two = f"{small}, {foot}, german infantry XX E (9-9-0-9) back-steps=5"
    report = fought(f"{ATTACKED}41.19 clear: {two}\nruling defending-arm=larger", withhold="D,E")
    text = "cavalry worth 1/2 division cannot defend in place of infantry worth 2 divisions: withhold the cavalry"
    assert text in told(report, "Not allowed")


SHAKEN_ON_TOP = "german infantry XX D (12-16-0-11) back-steps=6 cel=-4, german infantry XX E (9-9-0-9) back-steps=5"
LARGE_ASSET = "german infantry X Z asset (10-9-0-9) back-steps=0"


@pytest.mark.rule("10.1.3b")
def test_whether_the_only_sound_formation_may_be_withheld() -> None:
    below = f"{SHAKEN_ON_TOP}, {LARGE_ASSET}"
    assert withheld(below, "E", "ruling sound-formation=stack") == ("figure", ["sound-formation"])
    assert withheld(below, "E", "ruling sound-formation=defending") == ("no", ["sound-formation"])
    assert withheld(SHAKEN_ON_TOP, "E", "ruling sound-formation=stack")[0] == "no", "it is the top unit"
    sound_on_top = ", ".join(reversed(SHAKEN_ON_TOP.split(", ")))
    assert withheld(sound_on_top, "D") == ("figure", []), "the one that defends is sound"


@pytest.mark.parametrize(("reading", "defends"), [("larger", ("D",)), ("free", ("H", "K"))])
def test_a_ranking_of_attacks_rests_on_which_arm_may_defend(reading: str, defends: tuple[str, ...]) -> None:
    """A division and a brigade of cavalry are stronger in defence than a worn infantry division, but smaller."""
    units = "german cavalry XX H (9-9-0-9) back-steps=5, german cavalry X K (9-9-0-9) back-steps=5"
    text = f"turn=5\n{ATTACKED}41.19 clear: {units}, german infantry XX D (8-8-0-9) back-steps=4\n"
    ask = {"side": "russian", "at": "41.19", "attacker-ap": "none", "defender-ap": "none"}
    report = answered(typed(f"{text}ruling defending-arm={reading}"), "attacks", **ask)
    assert (report.result.targets[0].defenders, rulings(report)) == (defends, ["defending-arm"])
    worn = answered(
        typed(text.replace("(9-9-0-9)", "(3-3-0-9)").replace("back-steps=5", "back-steps=2")), "attacks", **ask
    )
    assert rulings(worn) == [], "the infantry is the stronger defence anyway"


FORT = "german infantry XX D (12-16-0-11) back-steps=6, german fort - F (2-0-0-9) fssm=4"
SMALL_LOSSES = "\n".join(f"chart slrt summer Medium {roll} = 0 / 0" for roll in range(-2, 4))


def resolved(defenders: str, cell: str, dice: str, more: str = "") -> Report[Any]:
    """The battle with this cell of the Combat Results Table in every column, and these dice."""
    cells = "\n".join(f"chart crt summer {column} 7 = {cell}" for column in ("1:3", "1:2", "1:1", "2:1"))
    text = f"turn=5\ntrust charts\n{ATTACKED}41.19 clear: {defenders}\n{cells}\n{SMALL_LOSSES}\n{more}\n"
    text += f"ask battle at=41.19 attacker-ap=none defender-ap=none\nanswers {dice}"
    return carried_out(text, advance="none")


@pytest.mark.rule("10.9.1d", "12.2.1")
@pytest.mark.parametrize(("reading", "hexes"), [("retreat", [1]), ("ignored", [])])
def test_a_retreat_for_which_the_fort_has_too_few_steps(reading: str, hexes: list[int]) -> None:
    report = resolved(FORT, "- / W3", "crt=7 slrt=1/1 ec.41.19=2", f"ruling fortress-steps={reading}")
    assert report.result.outcome.absorbed == {"F": 2}
    assert ([duty.hexes for duty in report.result.outcome.obligations], rulings(report)) == (hexes, ["fortress-steps"])


ENTRENCHED = f"{ATTACKED}41.19 clear ip=4: german infantry XX D (6-6-0-11) back-steps=3\n"


@pytest.mark.rule("10.10.3f", "13.3.2")
@pytest.mark.parametrize(("reading", "amounts"), [("always", [1]), ("campaign", [])])
def test_whether_a_level_4_position_tells_in_a_short_scenario(reading: str, amounts: list[int]) -> None:
    report = fought(f"{ENTRENCHED}ruling level-4-hardship={reading}")
    found = [one.amount for one in report.result.attacker_modifiers if "Level 4" in one.why]
    assert (found, rulings(report)) == (amounts, ["level-4-hardship"])


DISORDERED = "german infantry XX D (12-16-0-8) back-steps=6 disorder={}"


@pytest.mark.rule("11.3.2b")
@pytest.mark.parametrize(("reading", "degree"), [("worse", 1), ("further", 2)])
def test_being_disordered_once_more(reading: str, degree: int) -> None:
    """D, at D1 already, fails by 4 to 7."""
    report = resolved(
        DISORDERED.format(1), "- / -", "crt=7 slrt=1/1 ec.41.19=12 ec.40.20=2", f"ruling disordered-again={reading}"
    )
    (check,) = (one for one in report.result.outcome.checks if one.force == "D")
    assert (check.margin, check.disorder, rulings(report)) == (4, degree, ["disordered-again"])
    assert [one.after for one in report.changes if one.track == "disorder"] == [2] * (degree - 1)


BATTALION = f"{ATTACKED}41.19 clear: german infantry XX D (2-2-0-11) back-steps=1\n"


@pytest.mark.rule("10.8e", "10.10.3g", "10.10.3h", "11.3.1j")
@pytest.mark.parametrize(("reading", "attacker", "defender"), [("final", [-1], [1]), ("begun", [], [])])
def test_odds_that_shifts_bring_past_the_chart(reading: str, attacker: list[int], defender: list[int]) -> None:
    """5:1 shifted by two is 7:1 with the last column of the chart."""
    report = fought(f"{BATTALION}ruling beyond-chart={reading}", shift="2")
    found = report.result
    odds = [
        [one.amount for one in side if "odds" in one.why]
        for side in (found.attacker_modifiers, found.defender_modifiers)
    ]
    assert (found.final, found.column, odds) == ("7:1", "6:1", [attacker, defender])
    assert rulings(report) == ["beyond-chart"]


RIVER = f"""{ATTACKED.replace("(10-12-0-10)", "(10-12-4-10)")}40.19: russian infantry XX B corps=3 (8-8-0-10) back-steps=4
41.19|40.19 major-river
chart terrain-shift major-river = 0
41.19 clear: german infantry XX D (12-16-0-11) back-steps=6
"""
"""B attacks across the river, A with its artillery beside it."""


@pytest.mark.rule("10.6.1", "10.10.3c")
@pytest.mark.parametrize(
    ("reading", "total", "artillery", "halved"), [("own", 18, 4, {"B"}), ("all", 11, 2, {"A", "B"})]
)
def test_whom_a_river_halves_that_some_cross(reading: str, total: int, artillery: int, halved: set[str]) -> None:
    report = fought(f"{RIVER}ruling river-halving={reading}\nruling river-shift=all", **{"attacker-ap": "3"})
    side = report.result.attacker
    assert (side.total, side.artillery, {one.unit for one in side.units if one.halved}) == (total, artillery, halved)
    assert "river-halving" in rulings(report)


@pytest.mark.rule("10.6.1")
@pytest.mark.parametrize("out", ["A", "B"])
def test_no_ruling_on_a_river_that_all_cross_or_nobody(out: str) -> None:
    ap = "none" if out == "A" else "3"
    assert rulings(fought(RIVER + "ruling river-halving=all", withhold=out, **{"attacker-ap": ap})) == []


@pytest.mark.parametrize(("reading", "units", "points"), [("own", ("A", "B"), 14), ("all", ("A",), 10)])
def test_a_ranking_of_attacks_rests_on_whom_a_river_halves(reading: str, units: tuple[str, ...], points: int) -> None:
    """If B across the river halves A too, A does better alone."""
    ask = {"side": "russian", "at": "41.19", "attacker-ap": "none", "defender-ap": "none"}
    report = answered(typed(f"turn=5\n{RIVER}ruling river-halving={reading}"), "attacks", **ask)
    largest = report.result.targets[0].largest
    assert (largest.units, largest.strength, "river-halving" in rulings(report)) == (units, points, True)


VACANT = """turn=1
trust charts counters
40.20: 25/3 (10-?-5-10) prepared={target}
40.19: 29/20 (10-?-5-10)
41.19 clear: 1/1 (12-10-7-11)
42.20 clear
42.30: "German 1 Train"
41.19|40.20,40.19,42.20,42.19,41.18,41.20 open
chart crt summer 1:1 7 = - / W1
chart crt summer 2:1 7 = - / W1
{ruling}
answers crt=7 slrt=3/3 retreat.41.19=42.20 ec.40.20=2 ec.40.19=2 ec.41.19=2 modifier.attacker=29/20
"""


@pytest.mark.rule("10.3b", "11.4")
@pytest.mark.parametrize(
    ("target", "ruling", "able"),
    [
        ("40.21", "ruling vacant-hex=pointed", {"25/3", "29/20"}),
        ("40.21", "ruling vacant-hex=any", {"29/20"}),
        ("41.19", "ruling vacant-hex=any", {"25/3", "29/20"}),
    ],
)
def test_whether_a_marker_at_an_empty_hex_keeps_from_every_advance(target: str, ruling: str, able: set[str]) -> None:
    text = VACANT.format(target=target, ruling=ruling)
    report = answered(typed(text), "battle", at="41.19", **{"attacker-ap": "none", "defender-ap": "none"})
    (ask,) = report.asks
    assert {name for option in ask.options for name in option.split(",")} == {*able, "none"}
    assert ("vacant-hex" in rulings(report)) == (target != "41.19")
    marker = typed(f"turn=1 phase=attack phasing=russian\n40.20: 25/3 prepared=40.21\n{ruling}")
    (line,) = [line for line in told(answered(marker, "prepared"), "Markers") if "no enemy is there" in line]
    assert line.endswith("may not advance after that combat" if "any" in ruling else "but not into 40.21")


@pytest.mark.rule("23.4.1", "10.1.2d")
@pytest.mark.parametrize(("reading", "allowed"), [("allowed", True), ("barred", False)])
def test_whether_a_half_hex_may_be_attacked_by_who_may_not_enter_it_is_a_ruling(reading: str, allowed: bool) -> None:
    def attack(attacker: str, defender: str) -> Report[Any]:
        text = f"turn=5\n17.113: {attacker} infantry XX A (9-9-0-9) back-steps=0\n17.113|17.114 open\n17.114 clear\n"
        text += f"17.114: {defender} infantry XX D (9-9-0-9) back-steps=0\nruling half-hex-attack={reading}"
        given = {"at": "17.114", "attacker-ap": "none", "defender-ap": "none", "flanked": "no"}
        return answered(typed(text), "battle", **given)

    report = attack("russian", "austro-hungarian")
    assert (report.verdict.kind != "no", rulings(report)) == (allowed, ["half-hex-attack"])
    assert told(report, "Not allowed") == ([] if allowed else ["A cannot attack 17.114, which they may never enter"])
    assert rulings(attack("austro-hungarian", "russian")) == []
