"""The question `rail`: timetables, and what they change (8.2, 17.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report, to_brief
from assistant.util.errors import InputError
from twilight_in_the_east.forces.movement_points import printed_points
from twilight_in_the_east.ground.calendar import MovementPhase, first_phase
from twilight_in_the_east.movement.march.movers import never_on_foot

from ...conftest import answered, ruled, rulings, told, typed, values, viewed

LINE = "4023=4022=4021=4020-4019-4018\n40.23 station\n40.18 station\n40.20 station\n40.22 station=no\n"
NOW = "turn=9\nphase=movement\nphasing=central-powers\n"
DIVISION = "40.23: german infantry XX A movement=7 rail-cost=4 {}\n"
POINTS = "nation german rail-points=10\n"
BASE = NOW + LINE + POINTS


def asked(
    more: str = "", unit: str = "A", to: str = "40.18", base: str = BASE + DIVISION.format(""), **given: Any
) -> Report[Any]:
    to_each = {"to": tuple(to.split())} if to else {}
    return answered(typed(base + more), "rail", units=tuple(unit.split()), **{"rate": 12, **to_each, **given})


def why(report: Report[Any]) -> list[str]:
    return told(report, "Not allowed")


@pytest.mark.rule("8.2.3a", "8.2.1")
def test_a_division_entrains_moves_and_detrains() -> None:
    report = asked()
    (unit,) = report.result.units
    first, second = unit.phases
    assert (unit.destination, unit.route, unit.hexes) == ("40.18", ("40.22", "40.21", "40.20", "40.19", "40.18"), 7)
    assert first.spent == {"entraining": 4, "rail": Fraction(7, 12), "detraining": 2}
    assert (first.place, first.aboard, first.task, first.marker) == ("40.18", True, "detraining", 2)
    assert (first.paid, first.pools, first.stations) == (
        {"rail-points": 4},
        {"rail-points": 6},
        {"40.23": 4, "40.18": 6},
    )
    assert (second.turn, second.phasing, second.phase) == (10, "russian", "counter-movement")
    assert (unit.arrives.phase, unit.fights.phase, unit.fights.turn) == ("counter-movement", "counter-attack", 10)
    assert (unit.paid, unit.lacking) == ({"rail-points": 4}, 0)
    assert report.verdict.text.startswith("first attack possible: A in the ") and "detrained" not in report.verdict.text
    made = values(report)
    assert made["spent", "A"] == "entraining:4+rail:7/12+detraining:2"
    assert made["passed", "A"] == "40.23 40.22 40.21 40.20 40.19 40.18"
    assert (made["place", "A"], made["entrained", "A"], made["destination", "A"]) == ("40.18", True, "40.18")
    assert (made["task", "A"], made["expended", "A"]) == ("detraining", 2)
    assert (made["station-used", "40.23"], made["station-used", "40.18"]) == ("4", "2")
    assert made["rail-points", "german"] == "6"
    assert ("train-gauge", "A") not in made and ("off-map", "A") not in made and ("half", "A") not in made


@pytest.mark.rule("8.2.3j", "8.2.3d")
def test_the_account_of_the_phase_counts() -> None:
    report = asked('A spent=march:4.5 passed="40.24 40.23"')
    (unit,) = report.result.units
    assert unit.phases[0].spent == {"entraining": 2} and not unit.phases[0].aboard
    assert values(report)["spent", "A"] == "march:4.5+entraining:2"
    assert why(asked("A spent=detraining:2")) == ["A: it has detrained in this phase and does not entrain again"]
    assert why(asked("A ended")) == ["A: it has ended its move in this phase and moves no further"]
    over = asked("A spent=detraining:2", base=BASE.replace("phase=movement", "phase=attack") + DIVISION.format(""))
    assert over.result.allowed, "that is over"
    going_on = asked(
        to="", base=BASE + ABOARD.replace("40.23:", "40.18:") + "A task=detraining expended=1 spent=detraining:1"
    )
    assert going_on.result.units[0].phases[0].spent == {"detraining": 3}
    later = BASE.replace("phase=movement", "phase=supply") + DIVISION.format("")
    assert asked(base=later).result.allowed and not asked(base=later).changes
    report = asked("40.21: german infantry XX C movement=7 spent=march:1\n")
    assert values(report)["ended", "C"] is True


@pytest.mark.rule("17.1.1")
def test_on_a_typed_map_lines_of_unstated_state_count_and_are_noted() -> None:
    def noted(more: str) -> list[str]:
        return [line for line in told(asked(more), "Assumed") if "operational" in line]

    line = "friendly operational RR lines lead through {} (not stated)"
    stated = "40.23,40.22,40.21,40.20,40.18 operational=central-powers"
    assert noted("") == [line.format("40.23, 40.22, 40.21, 40.20, 40.19, 40.18")]
    assert noted(stated) == [line.format("40.19")]
    assert noted(stated + "\n40.19 operational=central-powers") == []


CUT = "40.18 map-edge=central-powers\n40.19 operational=none\n"
WHOLE = "side central-powers whole-network\n"


@pytest.mark.rule("17.1.1", "17.1.5")
@pytest.mark.parametrize(
    "cut", [f"{CUT}{WHOLE}", f"{CUT}40.20 linked=none\n", f"{CUT}{WHOLE}40.19: russian artillery III R\n"]
)
def test_no_train_runs_on_a_stretch_that_nothing_links_to_the_map_edge(cut: str) -> None:
    assert "A: the RR line in 40.23 is not friendly operational" in why(asked(cut, to="40.20"))
    assert asked(f"{CUT}40.20 linked=central-powers\n{WHOLE}", to="40.20").result.allowed
    assert asked(CUT, to="40.20").result.allowed, "it may lead on by a line that is not typed"


@pytest.mark.rule("17.1.5")
def test_an_ezoc_does_not_cut_the_line_of_a_train() -> None:
    longer = WHOLE + "4018-4017-4016-4015\n40.15 station\n40.15 map-edge=central-powers\n41.19: russian infantry XX R\n"
    assert asked(longer, to="40.15").result.allowed


@pytest.mark.rule("8.2.3b", "8.2.3f", "8.2.3h", "8.2.3j", "3.3.5")
@pytest.mark.parametrize(
    ("more", "to", "reasons"),
    [
        ("", "40.22", ["A: 40.22 has no RR Station; the nearest that will do: 40.23, 40.20, 40.18"]),
        ("40.17: russian infantry XX R", "40.22", ["A: 40.22 has no RR Station; the nearest that will do: 40.23, 40.20"]),
        ("", "40.23", ["A: it is already in 40.23"]),
        ("40.19 operational=none", "40.18", ["A: no friendly operational RR line leads from 40.23 to 40.18"]),
        ("40.18 control=russian", "40.18", ["A: 40.18 is not in friendly controlled territory"]),
        ("40.16: russian infantry XX R", "40.18", ["A: an enemy is 2 hexes from 40.18, nearer than 3"]),
        ("40.15: russian infantry XX R", "40.18", []),
        ("40.24: russian infantry XX R", "40.18", ["A: 40.23 is in an EZOC"]),
        ("40.23 operational=none", "40.18", ["A: the RR line in 40.23 is not friendly operational"]),
        ("A restriction=immobile release=10", "40.18", ["A: it may not move until GT 10"]),
        ("A restriction=immobile release=9", "40.18", []),
        ("A half", "40.18", ["A: it bears a 1/2 marker and spends no Movement Points"]),
        ("A prepared=41.23", "40.18", ["A: it bears a Prepared Attack marker and spends no more Movement Points in this phase"]),
        ("A task=recovery expended=3", "40.18", ["A: it has begun recovering Combat Effectiveness Levels and needs 4 more Movement Points for it"]),
        ("40.20|40.21 narrow", "40.18", ["A: no friendly operational RR line leads from 40.23 to 40.18"]),
    ],
)  # fmt: skip
def test_what_keeps_a_unit_from_entraining(more: str, to: str, reasons: list[str]) -> None:
    assert why(asked(more, to=to)) == reasons


@pytest.mark.rule("8.2.3b")
def test_a_unit_entrains_in_a_station_alone() -> None:
    base = (BASE + DIVISION.format("")).replace("40.23 station", "40.23 station=no")
    assert why(asked(base=base)) == ["A: 40.23 has no RR Station; the nearest that will do: 40.20, 40.18"]
    near = f"{base}40.21: russian infantry XX R\n"
    assert why(asked(base=near, to="40.18"))[0] == "A: 40.23 has no RR Station; the nearest that will do: 40.18"
    none = base.replace("40.20 station\n", "").replace("40.18 station", "40.18 station=no")
    assert why(asked(base=none, to="40.18"))[0] == "A: 40.23 has no RR Station"


@pytest.mark.rule("8.2.3d", "8.2.3f", "8.2.6")
def test_a_destination_is_named_only_once_entraining_is_complete() -> None:
    begun = BASE.replace("phase=movement", "phase=counter-movement").replace("central-powers", "russian", 1)
    begun += DIVISION.format("").replace("rail-cost=4", "rail-cost=5")
    report = asked(to="", base=begun)
    (unit,) = report.result.units
    assert (unit.destination, unit.arrives, len(unit.phases), unit.phases[0].marker) == ("", None, 1, 3)
    assert report.verdict.kind == "yes"
    assert report.verdict.text == "A cannot complete entraining in this phase, and so cannot move by rail yet"
    assert told(report, "A")[-1] == "A names its destination as soon as it has completed entraining"
    made = values(report)
    assert (made["spent", "A"], made["task", "A"], made["expended", "A"]) == ("entraining:3", "entraining", 3)
    assert ("destination", "A") not in made and ("rail-points", "german") not in made
    for to, reason in {
        "40.22": "A: 40.22 has no RR Station; the nearest that will do: 40.23, 40.20, 40.18",
        "40.23": "A: it is already in 40.23",
    }.items():
        early = asked(to=to, base=begun)
        assert early.result.units[0].destination == "" and values(early) == made
        assert told(early, "A")[-1] == f"the destination named is not needed yet, and would be refused now: {reason}"
    assert asked(base=begun).result.units[0].destination == "40.18"
    with pytest.raises(InputError, match="the destination of A is not named"):
        asked(to="", base=begun.replace("rail-cost=5", "rail-cost=5 task=entraining expended=2"))
    with pytest.raises(InputError, match="the destination of A is not named"):
        asked("A spent=march:3", to="")
    assert asked("A spent=march:3.5", to="").result.units[0].phases[0].marker == 3
    full = asked("40.23 station-used=4.5", to="")
    assert full.result.units[0].phases[0].spent == {"entraining": 3}
    later = BASE.replace("phase=movement", "phase=supply") + DIVISION.format("").replace("movement=7", "movement=3")
    with pytest.raises(InputError, match="the destination of A is not named"):
        asked(to="", base=later)
    assert why(asked("40.24: russian infantry XX R\nA spent=march:4", to="")) == ["A: 40.23 is in an EZOC"]


@pytest.mark.rule("8.2.6")
def test_units_before_it_may_keep_a_unit_from_entraining_in_time() -> None:
    two = BASE.replace("rail-points=10", "rail-points=20") + DIVISION.format("").replace("rail-cost=4", "rail-cost=5")
    two += DIVISION.format("").replace("XX A", "XX B")
    report = asked(base=two, unit="A B", to="40.18")
    assert [unit.destination for unit in report.result.units] == ["40.18", "40.18"]
    unfit = asked(base=two, unit="A B", to="40.18 40.22")
    assert [unit.destination for unit in unfit.result.units] == ["40.18", ""]
    assert "; B cannot complete entraining in this phase" in unfit.verdict.text
    assert unfit.verdict.kind == "figure"
    short = two.replace("rail-points=20", "rail-points=4")
    with pytest.raises(InputError, match="the destination of B is not named"):
        asked(base=short, unit="A B", to="40.18 40.22")  # A lacks Rail Points, and leaves its room at the station


@pytest.mark.rule("8.2.3e", "8.2.1a", "8.2.3j")
def test_missing_rail_points_mean_that_the_move_begins_anew() -> None:
    base = NOW + LINE + DIVISION.format("")
    report = asked("nation german rail-points=3.5\nnation austro-hungarian rail-points=9", base=base)
    assert why(report) == ["A needs 4 Rail Points in 40.23, 1/2 more than it can use there"]
    assert not report.changes
    marked = asked("A task=entraining expended=1\nnation german rail-points=3.5", base=base)
    assert values(marked)["spent", "A"] == "entraining:3"
    assert (values(marked)["task", "A"], values(marked)["expended", "A"]) == (None, None)
    assert (marked.verdict.kind, marked.result.units[0].lacking) == ("no", Fraction(1, 2))
    silent = asked(base=base)
    line = "the German side has the Rail Points that it spends (nation german rail-points=NUMBER is not stated)"
    assert told(silent, "Assumed")[0] == line
    assert f"Assumed: {line}" in " ".join(to_brief(silent).split()), "it is seen at the table too"
    assert ("rail-points", "german") not in values(silent)


@pytest.mark.rule("8.2.6")
def test_units_share_a_station_and_what_it_has_done() -> None:
    text = BASE.replace("rail-points=10", "rail-points=20") + DIVISION.format("")
    text += DIVISION.format("").replace("XX A", "XX B")
    report = asked("40.23 station-used=1", base=text, unit="A B")
    first, second = report.result.units
    assert (first.phases[0].stations["40.23"], second.phases[0].spent) == (3, {"entraining": 3})
    assert values(report)["station-used", "40.23"] == "8"
    assert values(report)["rail-points", "german"] == "16"
    other = asked(base=text, unit="A B", to="40.18 40.20")
    assert [unit.destination for unit in other.result.units] == ["40.18", "40.20"]


@pytest.mark.rule("8.2.6a")
def test_with_queues_the_second_waits_for_the_first() -> None:
    text = (
        BASE + DIVISION.format("").replace("rail-cost=4", "rail-cost=1") + DIVISION.format("").replace("XX A", "XX B")
    )
    report = asked("queuing", base=text, unit="A B")
    assert report.result.units[1].phases[0].spent["waiting"] == 1
    assert values(report)["station-busy", "40.23"] == "5"
    alone = asked("queuing\n40.23 station-busy=2.5", base=text, unit="B")
    assert alone.result.units[0].phases[0].spent["waiting"] == Fraction(5, 2)
    assert "waiting" not in asked("40.23 station-busy=2.5", base=text, unit="B").result.units[0].phases[0].spent


ABOARD = DIVISION.format("entrained destination=40.18")


@pytest.mark.rule("8.2.3h", "8.2.3j", "8.2.3k")
def test_a_train_goes_on_to_its_destination() -> None:
    report = asked(to="", base=BASE + ABOARD)
    (unit,) = report.result.units
    assert unit.phases[0].spent == {"rail": Fraction(7, 12), "detraining": 4}
    assert (unit.phases[0].left, unit.fights.phase, unit.paid) == (Fraction(29, 12), "attack", {})
    made = values(report)
    assert (made["entrained", "A"], made["destination", "A"]) == (None, None)
    assert ("rail-points", "german") not in made
    assert why(asked(to="40.20", base=BASE + ABOARD)) == ["A: it can still reach its destination, 40.18"]
    unstated = asked(to="40.20", base=BASE + DIVISION.format("entrained"))
    assert unstated.result.units[0].destination == "40.20"
    with pytest.raises(InputError, match="the destination of A is not named"):
        asked(to="", base=BASE + DIVISION.format("entrained"))


@pytest.mark.rule("8.2.3g", "8.2.5")
def test_a_lost_destination_is_replaced() -> None:
    lost = "40.17: russian infantry XX R"
    asks = asked(lost, to="", base=BASE + ABOARD)
    assert why(asks) == ["A: its destination 40.18 is lost: name a new one within 10 hexes of it (to=HEX)"]
    report = asked(lost, to="40.20", base=BASE + ABOARD)
    assert (values(report)["half", "A"], report.result.units[0].destination) == (True, "40.20")
    assert ("destination", "A") in values(report), "it has detrained there"
    assert report.result.units[0].fights.turn == 10 and report.result.units[0].fights.phase == "attack"
    near = "A: an enemy is 2 hexes from 40.20, nearer than 3"
    assert why(asked("40.18: russian infantry XX R", to="40.20", base=BASE + ABOARD)) == [near]
    gone = "40.18: russian infantry XX R\n40.18 operational=none"
    away = "A: no friendly operational RR line leads from the old destination to 40.20"
    assert why(asked(gone, to="40.20", base=BASE + ABOARD)) == [near, away]
    assert why(asked(gone, to="40.20", base=BASE + ABOARD, changed=("40.18",))) == [near]
    assert why(asked("40.18 control=russian", to="40.18", base=BASE + ABOARD))[0].startswith("A: its destination 40.18")
    base = (BASE + ABOARD).replace("phasing=central-powers", "phasing=russian")
    report = asked("40.17: russian infantry XX R", to="40.20", base=base)
    assert values(report) == {("destination", "A"): "40.20", ("half", "A"): True}
    assert not asked("", to="", base=base).changes


@pytest.mark.rule("8.2.6")
def test_a_unit_behind_one_that_detrains_needs_no_destination_yet() -> None:
    ahead = "40.23: german infantry XX B movement=7 rail-cost={} entrained destination=40.23\n"
    base = BASE + DIVISION.format("")
    report = asked(ahead.format(5), unit="B A", to="", base=base)
    assert [unit.destination for unit in report.result.units] == ["40.23", ""]
    assert report.result.units[1].phases[0].marker == 3
    with pytest.raises(InputError, match="the destination of A is not named"):
        asked(ahead.format(4), unit="B A", to="", base=base)
    with pytest.raises(InputError, match="the destination of A is not named"):
        asked(ahead.format(5).replace("destination=40.23", "destination=40.20"), unit="B A", to="", base=base)


@pytest.mark.rule("8.2.4c", "8.2.3h")
def test_a_train_that_is_cut_off() -> None:
    cut = "40.20 operational=none"
    stuck = asked(cut, to="", base=BASE + ABOARD)
    lately = "; first name the hexes of the line that the enemy has taken lately, if any (changed=HEXES)"
    assert why(stuck) == [
        "A: it is cut off from 40.18; it takes a new destination, its own hex, the nearest: 40.23 (to=HEX)" + lately
    ]
    occupied = asked("40.20: russian infantry XX R", to="", base=BASE + ABOARD)
    assert why(occupied) == ["A: it is cut off from 40.18; it displaces first, to 40.18 (displace=HEX)"]
    text = "A: it is cut off from 40.18; it displaces first, to 40.19, 40.18 (displace=HEX)"
    assert why(asked(cut, to="", base=BASE + ABOARD, changed=("40.20",))) == [text]
    moved = asked(cut, to="", base=BASE + ABOARD, changed=("40.20",), displace="40.19")
    assert values(moved)["half", "A"] is True
    assert values(moved)["passed", "A"] == "40.23 40.22 40.21 40.20 40.19 40.18"
    assert moved.result.units[0].phases[0].spent == {"rail": Fraction(1, 6), "detraining": 4}
    assert told(moved, "A")[0] == "A displaces to 40.19 first, and bears a Combat Strength 1/2 marker"
    gone = "40.21 station\n40.18,40.19,40.20 operational=none"
    between = asked(gone, to="40.21", base=BASE + ABOARD, changed=("40.18", "40.19", "40.20"))
    assert (between.result.units[0].destination, values(between)["half", "A"]) == ("40.21", True)
    zone = gone + "\n40.22 station=no\n41.20: russian infantry XX R"
    lost = ("40.18", "40.19", "40.20")
    assert (
        "its own hex, the nearest: 40.23"
        in why(asked(zone, to="", base=BASE.replace("40.22 station=no", "") + ABOARD, changed=lost))[0]
    )
    assert between.result.units[0].fights.turn == 10 and between.result.units[0].fights.phase == "attack"
    assert told(between, "A")[0] == "A goes to 40.21 instead, and bears a Combat Strength 1/2 marker"
    alone = (BASE + ABOARD).replace("40.23 station", "40.23 station=no")
    assert why(asked("40.22 operational=none", to="", base=alone)) == [
        "A: it is cut off from 40.18; no station can be reached" + lately
    ]
    aside = asked("", to="", base=BASE + ABOARD, via=("41.20",))
    assert why(aside) == ["A: no friendly operational RR line leads from 40.23 through 41.20 to 40.18"]


@pytest.mark.rule("8.2.4c")
@pytest.mark.parametrize(("arm", "ends"), [("infantry XX", "40.18"), ("corps-train -", "40.19, 40.18")])
def test_a_train_that_is_cut_off_stops_beside_enemies_that_do_not_make_it_displace(arm: str, ends: str) -> None:
    cut = f"40.20 operational=none\n41.19: russian {arm} R"
    (line,) = why(asked(cut, to="", base=BASE + ABOARD, changed=("40.20",)))
    assert line == f"A: it is cut off from 40.18; it displaces first, to {ends} (displace=HEX)"


@pytest.mark.rule("8.2.4c", "8.2.3g")
@pytest.mark.parametrize(
    ("when", "counts"),
    [
        ("central-powers:9:russian:attack", True),
        ("central-powers:9:central-powers:reinforcement", True),
        ("central-powers:9:russian:counter-movement", False),
        ("central-powers:9:russian:movement", False),
        ("russian:9:russian:attack", False),
    ],
)
def test_the_position_says_which_line_was_lost_since_the_movement_phase_before(when: str, *, counts: bool) -> None:
    cut = asked(f"40.20 operational=none line-lost={when}", to="", base=BASE + ABOARD)
    displaces = "A: it is cut off from 40.18; it displaces first, to 40.19, 40.18 (displace=HEX)"
    assert (why(cut) == [displaces]) == counts
    gone = f"40.18: russian infantry XX R\n40.18 operational=none line-lost={when}"
    away = "A: no friendly operational RR line leads from the old destination to 40.20"
    assert (away in why(asked(gone, to="40.20", base=BASE + ABOARD))) != counts


SIDING = "4023=4024\n40.24 station\n"


@pytest.mark.rule("8.2.4c")
def test_whether_its_own_hex_is_the_closest_station_is_a_ruling() -> None:
    cut = "40.20 operational=none\n" + SIDING
    own = asked(cut, to="40.23", base=BASE + ABOARD)
    assert own.result.units[0].destination == "40.23" and ruled(own, "cut-off-own") == "own"
    away = asked(cut + "ruling cut-off-own=away", to="40.24", base=BASE + ABOARD)
    assert away.result.units[0].destination == "40.24" and ruled(away, "cut-off-own") == "away"
    assert "nearest: 40.24 (to=HEX)" in why(asked(cut + "ruling cut-off-own=away", to="", base=BASE + ABOARD))[0]


@pytest.mark.rule("8.2.4c")
@pytest.mark.parametrize(("enemy", "clear"), [("40.26", False), ("40.27", True)])
def test_how_far_from_enemies_the_new_destination_is_is_a_ruling(enemy: str, *, clear: bool) -> None:
    cut = f"40.20 operational=none\n{SIDING}{enemy}: russian corps-train - R\nruling cut-off-own=away\n"
    free = asked(cut, to="40.24", base=BASE + ABOARD)
    assert free.result.allowed and ("cut-off-clear" in rulings(free)) != clear
    apart = asked(cut + "ruling cut-off-clear=three", to="40.24", base=BASE + ABOARD)
    assert apart.result.allowed == clear


GUNS = "40.23: german {} A movement=7 rail-cost=4\n"


@pytest.mark.rule("8.2.3h")
@pytest.mark.parametrize(
    ("arm", "beside", "matters"),
    [
        ("artillery -", "", True),
        ("corps-train -", "", True),
        ("infantry XX", "", False),
        ("artillery -", "40.21: german infantry XX B\n40.20: german corps-train - C", True),
        ("artillery -", "40.20: german infantry XX B\n40.21: german infantry XX C", False),
    ],
)
def test_whether_guns_and_trains_pass_a_zone_alone_is_a_ruling(arm: str, beside: str, *, matters: bool) -> None:
    zone = "41.20: russian infantry XX R\n41.20|40.20,40.21 open\n" + beside
    far = "40.18=40.17=40.16=40.15\n40.15 station\n"
    base = BASE.replace("40.18 station", far) + GUNS.format(arm)
    passes = asked(zone, base=base, to="40.15")
    assert passes.result.allowed and ("train-through-zone" in rulings(passes)) == matters
    barred = asked(zone + "\nruling train-through-zone=barred", base=base, to="40.15")
    assert barred.result.allowed != matters


@pytest.mark.rule("8.2.3e")
def test_only_the_unit_that_lacks_the_rail_points_begins_anew() -> None:
    three = "".join(f"40.23: german infantry X {name} movement=7 rail-cost=2\n" for name in "ABC")
    base = BASE.replace("rail-points=10", "rail-points=5") + three
    report = asked(unit="A B C", base=base)
    assert report.result.allowed
    assert [unit.lacking for unit in report.result.units] == [0, 0, 1]
    assert [unit.arrives is None for unit in report.result.units] == [False, False, True]
    says = "C needs 2 Rail Points in 40.23, 1 more than it can use there"
    assert told(report, "Their moves begin again") == [says]
    assert report.verdict.text.endswith("; C cannot complete the journey")
    made = values(report)
    assert made["rail-points", "german"] == "1"
    assert ("place", "A") in made and ("place", "B") in made
    assert not any(subject == "C" for _, subject in made)
    none = asked(unit="A B", base=base.replace("rail-points=5", "rail-points=1"))
    assert not none.result.allowed and not none.changes and len(why(none)) == 2


def test_a_corps_train_has_detrained_and_attacks_nobody() -> None:
    report = asked(base=BASE + "40.23: german corps-train - A movement=7 rail-cost=1\n")
    (unit,) = report.result.units
    assert (unit.fights, unit.arrives.phase) == (None, "movement")
    assert report.verdict.text == "detrained: A in the Movement Phase of GT 9 (Central Powers player turn)"


@pytest.mark.rule("8.2.4c")
def test_before_a_movement_phase_the_line_lost_since_the_last_one_counts() -> None:
    supply = (BASE + ABOARD).replace("phase=movement", "phase=supply")
    cut = asked("40.20 operational=none line-lost=central-powers:9:russian:attack", to="", base=supply)
    assert why(cut) == ["A: it is cut off from 40.18; it displaces first, to 40.19, 40.18 (displace=HEX)"]
    counter = (BASE + ABOARD).replace("phasing=central-powers", "phasing=russian").replace("phase=", "phase=counter-")
    lost = "40.20 operational=none line-lost=central-powers:9:russian:movement"
    assert why(asked(lost, to="", base=counter)) == why(cut)


@pytest.mark.rule("17.2", "17.2.1", "17.2.2", "8.2.1b", "8.2.3h", "8.2.3a", "8.2.6")
def test_from_lodz_to_warsaw_and_on() -> None:
    text = (
        "turn=9\nphase=movement\nphasing=russian\n6152=6052=5952=5852=5752=5652=5552\n61.52,58.52,55.52 station\n"
        "61.52|60.52,60.52|59.52,59.52|58.52 gauge=standard\n58.52|57.52,57.52|56.52,56.52|55.52 gauge=broad\n"
        "nation russian rail-points=5 euro-gauge-points=2 warsaw-points=1\n"
        "61.52: russian infantry X R movement=7 rail-cost=2\n"
    )
    report = answered(typed(text), "rail", units=("R",), to=("55.52",), rate=12)
    (unit,) = report.result.units
    assert unit.paid == {"warsaw-points": 1, "euro-gauge-points": 1, "rail-points": 2}
    first = unit.phases[0]
    assert first.spent == {"entraining": 2, "rail": Fraction(1, 2), "trans-shipping": 2, "detraining": 2}
    assert (unit.hexes, first.pools) == (6, {"rail-points": 3, "euro-gauge-points": 1, "warsaw-points": 0})
    slow = text.replace("movement=7", "movement=3")
    carried = answered(typed(slow), "rail", units=("R",), to=("55.52",), rate=3, warsaw=False)
    assert carried.result.units[0].paid == {"euro-gauge-points": 2, "rail-points": 2}
    made = values(carried)
    assert (made["place", "R"], made["train-gauge", "R"], made["euro-gauge-points", "russian"]) == (
        "58.52",
        "standard",
        "0",
    )
    assert ("warsaw-points", "russian") not in made and ("rail-points", "russian") not in made
    begun = slow.replace("rail-cost=2", "rail-cost=2 entrained destination=55.52 train-gauge=standard").replace(
        "61.52: r", "58.52: r"
    )
    onward = answered(typed(begun), "rail", units=("R",), rate=3)
    assert onward.result.units[0].phases[0].spent == {"trans-shipping": 2, "rail": 1}
    assert values(onward)["rail-points", "russian"] == "3"
    marked = begun.replace("train-gauge=standard", "train-gauge=standard task=trans-shipping expended=1")
    assert answered(typed(marked), "rail", units=("R",), rate=3).result.units[0].phases[0].spent["trans-shipping"] == 1
    short = text.replace("rail-points=5", "rail-points=1")
    waits = answered(typed(short), "rail", units=("R",), to=("55.52",), rate=12)
    assert (waits.verdict.kind, values(waits)["place", "R"], values(waits)["euro-gauge-points", "russian"]) == (
        "no",
        "58.52",
        "1",
    )
    assert ("rail-points", "russian") not in values(waits)
    lacks = "its side is 1 Rail Point short in 58.52: it waits there to trans-ship"
    assert told(waits, "R")[-1] == lacks
    still = answered(typed(begun.replace("rail-points=5", "rail-points=1")), "rail", units=("R",), rate=3)
    assert told(still, "R")[-1] == lacks and ("spent", "R") not in values(still)
    dear = text.replace("warsaw-points=1", "warsaw-points=0").replace("rail-cost=2", "rail-cost=3")
    assert why(answered(typed(dear), "rail", units=("R",), to=("58.52",), rate=12)) == [
        "R needs 3 Rail Points of European gauge in 61.52, 1 more than it can use there"
    ]
    silent = answered(typed(text.replace(" gauge=broad", " rail2")), "rail", units=("R",), to=("55.52",), rate=12)
    assert any("of Russian gauge (gauge not stated)" in line for line in told(silent, "Assumed"))


@pytest.mark.rule("17.2", "8.2.1b", "8.2.1a")
def test_where_either_gauge_leads_there_the_points_decide() -> None:
    text = (
        "turn=9\nphase=movement\nphasing=russian\n4023=4022=4021\n40.23,40.21 station\n40.23|40.22,40.22|40.21 gauge=both\n"
        "nation russian rail-points=1 euro-gauge-points=9 warsaw-points=9\n"
        "40.23: russian infantry X R movement=7 rail-cost=2\n"
    )

    def paid(more: str = text, **given: Any) -> dict[str, Fraction]:
        return dict(answered(typed(more), "rail", units=("R",), to=("40.21",), rate=12, **given).result.units[0].paid)

    assert paid() == {"euro-gauge-points": 2}
    assert paid(text.replace("rail-points=1", "rail-points=2")) == {"rail-points": 2}
    assert paid(text.replace("rail-points=1", "rail-points=2"), gauge="standard") == {"euro-gauge-points": 2}
    two = text.replace("rail-points=1", "rail-points=3") + "40.23: russian infantry X S movement=7 rail-cost=2\n"
    both = answered(typed(two), "rail", units=("R", "S"), to=("40.21",), rate=12)
    assert [dict(unit.paid) for unit in both.result.units] == [{"rail-points": 2}, {"euro-gauge-points": 2}]


@pytest.mark.rule("17.2", "17.2.1")
def test_warsaw_points_count_only_at_stations_joined_to_warsaw() -> None:
    text = (
        "turn=9\nphase=movement\nphasing=russian\n5852=5752=5652\n58.52,56.52 station\n58.52|57.52,57.52|56.52 gauge={}\n"
        "nation russian rail-points=1 euro-gauge-points=0 warsaw-points=2\n"
        "56.52: russian infantry X R movement=7 rail-cost=2\n"
    )

    def asked_of(text: str, to: str = "58.52") -> Report[Any]:
        return answered(typed(text), "rail", units=("R",), to=(to,), rate=12)

    for gauge in ("both", "standard"):
        (unit,) = asked_of(text.format(gauge)).result.units
        assert dict(unit.paid) == {"warsaw-points": 2}
        (unit,) = asked_of(text.format(gauge) + "ruling warsaw-line=european").result.units
        assert dict(unit.paid) == {"warsaw-points": 2}
    apart = text.replace("5852=5752=5652", "4023=4022=4021").replace("58.52", "40.23").replace("57.52", "40.22")
    apart = apart.replace("56.52", "40.21")
    needs = "R needs 2 Rail Points of {} gauge in 40.21, {} more than it can use there"
    assert why(asked_of(apart.format("both"), "40.23")) == [needs.format("Russian", 1)]
    assert why(asked_of(apart.format("standard"), "40.23")) == [needs.format("European", 2)]


@pytest.mark.rule("17.2.1")
def test_the_lines_that_join_a_station_to_warsaw_are_a_ruling() -> None:
    text = (
        "turn=9\nphase=movement\nphasing=russian\n5852=5752=5652=5552\n58.52,57.52,56.52,55.52 station\n"
        "58.52|57.52 gauge=broad\n57.52|56.52,56.52|55.52 gauge=standard\n"
        "nation russian rail-points=1 euro-gauge-points=9 warsaw-points=9\n"
        "56.52: russian infantry X R movement=7 rail-cost=2\n"
    )
    report = answered(typed(text), "rail", units=("R",), to=("55.52",), rate=12)
    assert (ruled(report, "warsaw-line"), dict(report.result.units[0].paid)) == ("any", {"warsaw-points": 2})
    strict = answered(typed(text + "ruling warsaw-line=european"), "rail", units=("R",), to=("55.52",), rate=12)
    assert dict(strict.result.units[0].paid) == {"euro-gauge-points": 2}


@pytest.mark.rule("8.2.9", "8.2.2", "8.2.3a", "8.2.3h")
def test_over_the_drawn_board_the_landwehr_of_angerburg_reaches_bromberg() -> None:
    text = "turn=16\nphase=movement\nphasing=central-powers\nboard east\n" + POINTS
    text += '49.24: german infantry X "20 lw" movement=7 rail-cost=2\n'
    report = answered(typed(text), "rail", units=("20 lw",), to=("86.38",), rate=14)
    (unit,) = report.result.units
    assert (unit.phases[0].place, unit.phases[0].marker, unit.paid) == ("86.38", 1, {"rail-points": 2})
    by = answered(typed(text), "rail", units=("20 lw",), to=("86.38",), rate=14, via=("53.22",))
    assert why(by)[0].startswith("20 lw: the route takes ")
    same = answered(typed(text), "rail", units=("20 lw",), to=("86.38",), rate=14, via=unit.route[3:4])
    assert same.result.units[0].hexes == unit.hexes


@pytest.mark.rule("8.2.8", "8.2.3h")
def test_a_train_off_the_map() -> None:
    text = "turn=9\nphase=movement\nphasing=central-powers\nboard east\n"
    unit = "85.27: german infantry X B movement={} rail-cost=2 entrained destination=88.68 {}\n"
    report = answered(typed(text + unit.format(1, "")), "rail", units=("B",), rate=12)
    (journey,) = report.result.units
    assert (journey.hexes, journey.phases[0].place, journey.phases[0].off_map) == (56, "85.27", 12)
    assert values(report)["off-map", "B"] == "98.36:12"
    onward = answered(typed(text + unit.format(6, "off-map=98.36:12")), "rail", units=("B",), rate=12)
    assert onward.result.units[0].phases[0].spent == {"rail": Fraction(11, 3), "detraining": 2}
    assert values(onward)["off-map", "B"] is None


@pytest.mark.rule("3.3.4a")
def test_units_with_an_r_go_by_rail_alone() -> None:
    text = BASE + "40.23: german infantry X A rail-allowance=5 rail-cost=1\n"
    assert asked(base=text).result.units[0].phases[0].left == Fraction(29, 12)
    for words in ("infantry XX A rail-allowance=5", "infantry XX A movement=5"):
        view = viewed(f"40.23: german {words}")
        with view.gather() as facts:
            assert printed_points(facts, view.unit("A")) == 5


@pytest.mark.rule("3.3.4a", "8.2.7", "12.1")
@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("infantry XX A movement=5", ""),
        ("infantry XX A rail-allowance=5", "3.3.4a"),
        ("minor-depot - A rail-allowance=1", "8.2.7"),
        ("major-depot - A", "8.2.7"),
        ("fort - A", "12.1"),
        ("fortress - A rail-allowance=1", "12.1"),
    ],
)
def test_who_never_goes_on_foot(words: str, rule: str) -> None:
    view = viewed(f"40.23: german {words}")
    with view.gather() as facts:
        never = [bar] if (bar := never_on_foot(facts, view.unit("A"))) else []
    assert [bar.rule for bar in never] == [rule] * bool(rule)


@pytest.mark.rule("8.2.3j")
@pytest.mark.parametrize(
    ("arm", "goes"), [("fortress", False), ("fort", False), ("cavalry", True), ("artillery", True)]
)
def test_no_fortress_unit_goes_by_rail(arm: str, goes: bool) -> None:
    report = asked(base=f"{BASE}40.23: german {arm} - A movement=7 rail-cost=1\n")
    assert why(report) == ([] if goes else ["A: it is a fortress unit, which never moves"])


def test_which_units_and_destinations_there_are() -> None:
    with pytest.raises(InputError, match="A is a depot"):
        asked(base=BASE + "40.23: german major-depot - A\n")
    with pytest.raises(InputError, match="has no Rail Cost Points"):
        asked(base=BASE + DIVISION.format("").replace("rail-cost=4", "rail-cost=0"))
    with pytest.raises(InputError, match="named twice"):
        asked(unit="A A")
    with pytest.raises(InputError, match="of both sides"):
        asked("40.19: russian infantry XX R", unit="A R")
    with pytest.raises(InputError, match="2 destinations for 1 units"):
        asked(to="40.18 40.20")
    with pytest.raises(InputError, match="no unit is named"):
        asked(unit="")
    missing = asked(base=BASE + "40.23: german infantry XX A\n")
    assert {ask.name for ask in missing.asks} == {"A rail-cost=VALUE", "A movement=NUMBER"} or missing.asks


def test_the_rate_is_asked_for_and_supposed_for_later_turns() -> None:
    unknown = (BASE + DIVISION.format("")).replace("turn=9", "turn=7")
    assert [ask.name for ask in asked(base=unknown, rate=None).asks] == ["rate"]
    assert asked(rate=None).result == asked().result, "the rulebook states that of GT 9"
    assert "12 RR hexes per Movement Point in GT 10 too (not in the turn record)" in told(asked(), "Assumed")


ORDER = ("russian", "central-powers")


@pytest.mark.parametrize(
    ("phase", "phasing", "side", "then"),
    [
        ("movement", "russian", "russian", MovementPhase(9, "russian", False, True)),
        ("supply", "russian", "russian", MovementPhase(9, "russian", False, False)),
        ("counter-movement", "russian", "russian", MovementPhase(9, "central-powers", True, False)),
        ("attack", "russian", "russian", MovementPhase(9, "central-powers", True, False)),
        ("movement", "central-powers", "russian", MovementPhase(9, "central-powers", True, False)),
        ("counter-movement", "central-powers", "russian", MovementPhase(9, "central-powers", True, True)),
        ("post-combat", "central-powers", "russian", MovementPhase(10, "russian", False, False)),
        ("attack", "central-powers", "central-powers", MovementPhase(10, "russian", True, False)),
        ("weather", "russian", "russian", MovementPhase(9, "russian", False, False)),
        ("weather", "central-powers", "central-powers", MovementPhase(9, "russian", True, False)),
        ("administrative", "russian", "russian", MovementPhase(10, "russian", False, False)),
        ("replacements", "central-powers", "central-powers", MovementPhase(10, "russian", True, False)),
    ],
)
def test_the_phase_in_which_a_train_runs_next(phase: str, phasing: str, side: str, then: MovementPhase) -> None:
    assert first_phase(phase, phasing, 9, side, ORDER) == then


@pytest.mark.rule("5.2.1", "8.2.1")
def test_a_journey_that_begins_after_the_inter_phase_is_paid_from_the_new_points() -> None:
    after = (BASE + DIVISION.format("")).replace("phase=movement\nphasing=central-powers", "phase={}")
    old = asked(base=after.format("administrative"))
    assert old.result.units[0].phases[1].pools == {"rail-points": None}
    assert (
        "the German side has the Rail Points that it spends (those that it has in GT 10 are not in the turn record)"
        in (told(old, "Assumed"))
    )
    renewed = asked("nation german points-renewed=9", base=after.format("administrative"))
    assert renewed.result.units[0].phases[1].pools == {"rail-points": 6}
    assert asked(base=after.format("weather")).result.units[0].phases[1].pools == {"rail-points": 6}


def test_without_a_phase_it_is_the_movement_phase_of_its_side() -> None:
    report = asked(base=(BASE + DIVISION.format("")).replace("phase=movement\nphasing=central-powers\n", ""))
    assert "it is the Movement Phase of its side (phase not stated)" in told(report, "Assumed")
    assert report.changes
    counter = asked(
        base=(BASE + DIVISION.format("")).replace("phase=movement\nphasing=central-powers\n", ""), counter=True
    )
    assert counter.result.units[0].phases[0].phase == "counter-movement"
    assert counter.result.units[0].phases[0].spent == {"entraining": 3}
