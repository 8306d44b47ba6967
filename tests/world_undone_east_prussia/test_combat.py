"""Combat: who fights with what strength, what modifies the die, what a result does, and what else is due (6.0 to 6.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.asking.what_if import NextColumn
from assistant.mechanics.effects import Result
from assistant.rules.odds_battle import Engagement, fight_of
from assistant.util.errors import CodeError, InputError
from world_undone_east_prussia.combat import read_excess_points

from ..conftest import told, typed, values, why_not
from .asking import undone

pytestmark = pytest.mark.rule("6.0/attack", "6.1/total")
"""Every attack here is declared on a hex, with the strengths of all who take part."""

TURN = "turn=3\nphasing=german\nphase=first-combat\n"
RUSSIAN_TURN = "turn=3\nphasing=russian\nphase=first-combat\n"
OPEN = "5320|5420 open\n"
HELD = "5420 clear: III/25 supply=in\n"
ATTACK = "5320: XVII/36 supply=in, XVII/35 supply=in\n"
RING = ("5419", "5520", "5521", "5421", "5321", "5320")
"""The hexes around 5420."""
RESULTS = ("AE", "A1", "A2", "A3", "A4", "EX", "D1", "D2", "D3", "D4", "DE", "-")


def ask_battle(text: str, *at: str, turn: str = TURN, **asked: Any) -> Report[Any]:
    """The report on an attack, on 5420 if no hex is named."""
    return undone(turn + text, "battle", at=[*at] or ["5420"], **asked)


def combat(text: str, *at: str, turn: str = TURN, **asked: Any) -> Engagement:
    """A combat before its die."""
    return ask_battle(text, *at, turn=turn, **asked).result.combat  # type: ignore[no-any-return]


def missing(text: str, *at: str, **asked: Any) -> list[tuple[int | str, ...]]:
    """The facts for which an attack waits."""
    return [ask.key for ask in ask_battle(text, *at, **asked).asks]


def drms(text: str, *at: str, **asked: Any) -> dict[str, int]:
    """What modifies the die, by why."""
    return {one.why: one.amount for one in combat(text, *at, **asked).modifiers}


def table(side: str = "german", **results: str) -> str:
    """A table of one column, whatever the odds: a result for all dice, or for each of d1 to d6."""
    cells = results or {"every": "-"}
    ends = {"d1": "1-", "d6": "6+"}
    lines = [f"chart {side}-table 1:1- {ends.get(die, die[1:])} = {cell}" for die, cell in cells.items()]
    return "\n".join(lines) + "\n"


def after(result: str, text: str = OPEN + HELD + ATTACK, side: str = "german", **asked: Any) -> Report[Any]:
    """The report on an attack whose die gives a result; both ends of the table are one cell."""
    answers = {"die": "3", **asked.pop("answers", {})}
    cells = "".join(f"chart {side}-table {odds} 1+ = {result}\n" for odds in ("1:9-", "9:1+"))
    odds = ask_battle(text, **asked).result.combat.column
    cell = "" if odds in ("9:1",) else f"chart {side}-table {odds} 1+ = {result}\n"
    return ask_battle(cells + cell + text, answers=answers, **asked)


# --- who fights -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.0/odds")
@pytest.mark.parametrize(
    ("attack", "defence", "column", "near"),
    [
        (1, 1, "1:1", NextColumn(1, "2:1", 0)),
        (2, 1, "2:1", NextColumn(1, "3:1", 0)),
        (1, 2, "1:2", NextColumn(1, "1:1", 0)),
        (5, 5, "1:1", NextColumn(5, "2:1", 0)),
        (14, 5, "2:1", NextColumn(1, "3:1", 4)),
        (15, 5, "3:1", NextColumn(5, "4:1", 0)),
        (5, 14, "1:3", NextColumn(2, "1:2", 0)),
        (5, 15, "1:3", NextColumn(3, "1:2", 0)),
    ],
)
def test_odds_are_rounded_down_in_favour_of_the_defender_and_the_next_column_is_told(
    attack: int, defence: int, column: str, near: NextColumn
) -> None:
    text = OPEN + f"5320: german infantry 8th A ({attack}-3) supply=in\n"
    report = ask_battle(text + f"5420 clear: russian infantry first B ({defence}-2) supply=in\n")
    fought = report.result.combat
    assert (fought.attack, fought.defence, fought.column) == (attack, defence, column)
    assert (report.result.near, report.result.without) == (near, {}), "without its only unit it is no attack"


@pytest.mark.rule("6.0/odds", "6.0/attack", "6.1/total", "6.2")
def test_the_column_is_that_of_whole_points_of_which_halving_leaves_one_and_of_each_unit_less() -> None:
    text = "5320: III/25 supply=in, 1A/1HA supply=in\n5321: III/27 supply=in\n5320-5420\n5321-5420\n"
    report = ask_battle(f"{text}5420 clear: XVII/36 supply=in\n", turn=RUSSIAN_TURN)
    assert report.result.without == {"III/27": "1:2", "III/25": "1:2"}
    assert report.result.near == NextColumn(4, "2:1", 3)
    text = "ruling halving=down\n" + OPEN + HELD + "5320: 8A/Ldw2 supply=out\n"
    assert (combat(text).attack, combat(text).column) == (0, "1:5")
    assert ask_battle(text).result.near == NextColumn(1, "1:3", 0), "two are needed for that"


@pytest.mark.rule("6.0/attack", "6.1/participants")
def test_an_attack_names_its_hex_and_needs_somebody_on_each_side() -> None:
    with pytest.raises(InputError, match="at: no hex is named"):
        undone(TURN + OPEN + HELD + ATTACK, "battle", at=[])
    with pytest.raises(InputError, match="nothing attacks 5420") as nobody:
        combat(HELD + "5219: I/1\n")
    assert nobody.value.hint == "place units with Strength Points adjacent to it"
    with pytest.raises(InputError, match="nothing attacks 5420") as all_out:
        combat(OPEN + HELD + ATTACK, withhold=["XVII/36", "XVII/35"])
    assert all_out.value.hint == "withhold fewer"
    with pytest.raises(InputError, match="nothing attacks 5420") as tired:
        combat(OPEN + HELD + "5320: XVII/36 disrupted, XVII/35 fought\n")
    assert tired.value.hint == "from=5320 says why not"
    named = ask_battle(OPEN + HELD + "5320: XVII/36 supply=in disrupted\n", from_=["5320"])
    assert why_not(named) == ["3.5"]
    with pytest.raises(InputError, match="from: no attacker stands in 5419"):
        combat(OPEN + HELD + ATTACK, from_=["5320", "5419"])
    with pytest.raises(InputError, match="from: no attacker stands in 5421"):
        combat(OPEN + HELD + ATTACK + "5421: III/27\n", from_=["5320", "5421"])
    with pytest.raises(InputError, match="held by both sides"):
        combat(OPEN + HELD + ATTACK, "5420", "5320")


@pytest.mark.rule("6.1/total", "6.1/participants", "6.0/attack")
def test_all_defenders_and_attackers_are_added_up_but_for_those_that_stay_out() -> None:
    text = OPEN + ATTACK + "5321: I/2 supply=in\n5319: I/1\n5420 clear: III/25 supply=in, IC/3C supply=in\n"
    fought = combat(text)
    assert [(unit.unit, unit.strength) for unit in fought.attackers] == [("I/2", 9), ("XVII/36", 7), ("XVII/35", 7)]
    assert [(unit.unit, unit.place, unit.strength) for unit in fought.defenders] == [
        ("III/25", "5420", 5),
        ("IC/3C", "5420", 3),
    ]
    assert (fought.attack, fought.defence, fought.column, fought.side) == (23, 8, "2:1", "german")
    assert combat(OPEN + HELD + ATTACK, withhold=["XVII/35"]).attack == 7
    far = HELD + OPEN + ATTACK + "5219: I/1\n5321: I/2 disrupted, XX/37 fought\n5320|5321 open\n"
    for unit, why in {
        "III/25": "not of the attacker's side",
        "I/1": "in none of the hexes",
        "I/2": "disrupted",
        "XX/37": "has attacked",
    }.items():
        with pytest.raises(InputError, match=f"withhold: {unit} does not attack anyway: .*{why}"):
            combat(far, withhold=[unit])
    named = combat(HELD + ATTACK + "5321: I/2 supply=in\n5321|5420 open\n", from_=["5321"])
    assert [unit.unit for unit in named.attackers] == ["I/2"]
    with pytest.raises(InputError, match="withhold: XVII/35 does not attack anyway: .*in none of the hexes"):
        combat(HELD + ATTACK + "5321: I/2 supply=in\n5321|5420 open\n", from_=["5321"], withhold=["XVII/35"])
    tired = HELD + ATTACK + "5321: I/2 supply=in, XX/37 fought, XX/41 disrupted\n5321|5420 open\n"
    others = combat(tired, from_=["5321"], withhold=["XX/37", "XX/41"])
    assert [unit.unit for unit in others.attackers] == ["I/2"], "who may not attack leaves a named hex to the others"


@pytest.mark.rule("6.1/participants", "3.5")
def test_units_that_have_attacked_or_are_disrupted_take_no_part() -> None:
    text = OPEN + HELD + "5320: XVII/36 supply=in disrupted, XVII/35 supply=in fought, I/2 supply=in\n"
    assert [unit.unit for unit in combat(text).attackers] == ["I/2"]
    refused = ask_battle(text, from_=["5320"])
    assert (refused.verdict.kind, why_not(refused)) == ("no", ["3.5", "6.1"])
    assert told(refused)[:2] == ["XVII/36 is disrupted", "XVII/35 has already attacked this phase"]


@pytest.mark.rule("6.1/participants", "6.3/river", "6.1/multi-hex")
def test_all_attackers_are_adjacent_to_every_attacked_hex() -> None:
    text = OPEN + HELD + ATTACK
    refused = ask_battle(text + "5219: I/1 supply=in\n5419: III/27\n", from_=["5320", "5219"])
    assert why_not(refused) == ["6.1"]
    assert told(refused)[0] == "I/1 in 5219 is not adjacent to 5420; adjacent to it: 5320"
    alone = ask_battle(HELD + "5219: I/1 supply=in\n", from_=["5219"])
    assert told(alone)[0] == "I/1 in 5219 is not adjacent to 5420; adjacent to it: nobody"
    text = OPEN + HELD + "5321: I/2 supply=in\n5320: XVII/36 supply=in\n5421 clear: III/27 supply=in\n5321|5421 open\n"
    fought = combat(text, "5420", "5421")
    assert [unit.unit for unit in fought.attackers] == ["I/2"]  # 5320 is not adjacent to 5421
    assert (fought.at, fought.attack, fought.defence, fought.column) == (("5420", "5421"), 9, 10, "1:2")
    refused = ask_battle(text, "5420", "5421", from_=["5321", "5320"])
    assert (why_not(refused), refused.title) == (["6.1"], "Attack on 5420 and 5421 from 5321, 5320")


@pytest.mark.rule("6.1/fortress", "6.0/attack", "6.4/EX")
def test_a_fortress_adds_its_strength_and_may_be_attacked_alone() -> None:
    text = "4024: III/25 supply=in, III/27 supply=in\n4024|4025 open\n4025 clear fortress=4"
    alone = ask_battle(text + "\n", "4025", turn=RUSSIAN_TURN).result.combat
    assert (alone.side, alone.attackers[0].unit, alone.defenders, alone.fortress) == ("russian", "III/25", (), 4)
    assert (alone.attack, alone.defence, alone.column, alone.due) == (10, 4, "2:1", 2)
    held = combat(text + ": 8A/G-Boyn\n", "4025", turn=RUSSIAN_TURN)
    assert (held.defence, held.due, held.column) == (6, 3, "1:1")
    printed = combat("ruling exchange-strength=printed\n" + text + ": 8A/G-Boyn\n", "4025", turn=RUSSIAN_TURN)
    assert printed.due == 3  # its walls are printed too
    with pytest.raises(InputError, match="nothing defends 4025"):
        combat(text + " destroyed\n", "4025", turn=RUSSIAN_TURN)


@pytest.mark.rule("6.2", "3.4/combat", "6.1/fortress")
def test_a_unit_without_a_line_of_supply_counts_half_rounded_by_a_ruling_unless_it_is_in_a_fortress() -> None:
    text = OPEN + "5320: XVII/36 supply=out, I/2 supply=in\n5420 clear: III/25 supply=out, IC/2GC supply=out\n"
    fought = combat(text)
    assert [(unit.halved, unit.sp, unit.strength) for unit in fought.attackers] == [(True, 7, 4), (False, 9, 9)]
    assert [(unit.halved, unit.sp, unit.strength) for unit in fought.defenders] == [(True, 5, 3), (True, 2, 1)]
    down = combat("ruling halving=down\n" + text)
    assert ([unit.strength for unit in down.attackers], down.defence) == ([3, 9], 3)
    in_walls = "4024: III/25 supply=in\n4024|4025 open\n4025 clear fortress=4: 8A/G-Boyn supply=out\n"
    assert not combat(in_walls, "4025", turn=RUSSIAN_TURN).defenders[0].halved
    even = OPEN + HELD + "5320: IR/1R supply=out\n"
    odd = OPEN + HELD + "5320: I/2 supply=out\n"
    assert [any("halving" in line for line in told(ask_battle(text))) for text in (even, odd)] == [False, True]


@pytest.mark.rule("3.1/artillery", "6.3/artillery", "6.2", "3.4/combat")
def test_heavy_artillery_has_no_strength_and_needs_no_supply_but_alone_defends_with_one() -> None:
    text = "5320 clear: III/25 supply=in, 1A/1HA\n5420 clear: XVII/36 supply=in\n" + OPEN
    fought = combat(text, "5320")
    assert [(unit.unit, unit.sp) for unit in fought.defenders] == [("III/25", 5), ("1A/1HA", 0)]
    assert drms(text, "5320") == {"defending heavy artillery": 1}
    alone = text.replace("III/25 supply=in, 1A/1HA", "1A/1HA supply=in")
    assert ([unit.sp for unit in combat(alone, "5320").defenders], drms(alone, "5320")) == ([1], {})
    staff = "5320 clear: III/25 supply=in, russian headquarters first 1A/HQ (0-4) supply=in\n5420 clear: XVII/36 supply=in\n"
    assert drms(staff + OPEN, "5320") == {}
    cut_off = alone.replace("supply=in\n5420", "supply=out\n5420")
    assert combat(cut_off, "5320").defence == 1
    fought = combat(OPEN + ATTACK + "5420 clear: III/25 supply=out, 1A/2HA supply=out\n")
    assert [(unit.unit, unit.halved, unit.strength) for unit in fought.defenders] == [
        ("III/25", True, 3),
        ("1A/2HA", False, 0),
    ]


@pytest.mark.rule("3.1/artillery", "6.3/artillery", "6.1/participants")
def test_heavy_artillery_attacks_only_with_another_unit_of_its_hex() -> None:
    with_it = OPEN + "5420 clear: XVII/36 supply=in\n5320: III/25 supply=in, 1A/1HA supply=in\n5321: III/27 supply=in\n"
    assert drms(with_it, turn=RUSSIAN_TURN) == {"attacking heavy artillery": -1}
    alone = with_it.replace("III/25 supply=in, ", "")
    left_out = combat(alone + "5321|5420 open\n", turn=RUSSIAN_TURN)
    assert ([unit.unit for unit in left_out.attackers], left_out.modifiers) == (["III/27"], ())
    refused = ask_battle(alone + "5321|5420 open\n", turn=RUSSIAN_TURN, from_=["5320", "5321"])
    assert (why_not(refused), told(refused)[0]) == (["3.1"], "1A/1HA attacks only with another unit of its hex")
    assert why_not(ask_battle(alone, turn=RUSSIAN_TURN, from_=["5320"])) == ["3.1"]


@pytest.mark.rule("10.6.2.1/survives", "6.2", "3.4/combat")
def test_samsonovs_army_adds_a_point_to_each_unit_in_his_turn_and_the_next() -> None:
    text = "samsonov=survives\nsamsonov-turn=3\noptions=samsonov\n" + OPEN
    text += "5420 clear: XVII/36 supply=in\n5320: VI/16 supply=in, III/25 supply=in, 2A/3HA supply=in\n"
    for turn, added in ((2, 0), (3, 1), (4, 1), (5, 0)):
        fought = combat(text, turn=RUSSIAN_TURN.replace("turn=3", f"turn={turn}"))
        assert [unit.strength for unit in fought.attackers] == [5 + added, 5, 0]
    cut_off = combat(text.replace("VI/16 supply=in", "VI/16 supply=out"), turn=RUSSIAN_TURN)
    assert [unit.strength for unit in cut_off.attackers] == [3, 5, 0], (
        "half of 6, the point that Samsonov adds included"
    )
    for other in (text.replace("survives", "dies"), text.replace("options=samsonov\n", "")):
        assert [unit.strength for unit in combat(other, turn=RUSSIAN_TURN).attackers] == [5, 5, 0]
    guns = (
        "5420 clear: 2A/3HA supply={}\n5320: I/2 supply=in\noptions=samsonov\nsamsonov=survives\nsamsonov-turn=3\n"
        + OPEN
    )
    assert combat(guns.format("in")).defence == 2, "artillery alone counts 1, as any unit one more"
    assert combat(guns.format("out")).defence == 1


@pytest.mark.rule("6.5/overstack")
def test_units_over_the_limit_do_not_count_until_there_is_room_and_go_with_the_others() -> None:
    text = (
        OPEN + ATTACK + "5420 clear: III/25 supply=in, Dummy/R1, Dummy/R2, 1A/2HA supply=in, III/27 over, 1A/1HA over\n"
    )
    fought = combat(text)
    both, over = ("III/25", "1A/2HA"), ("III/27", "1A/1HA")
    assert (tuple(unit.unit for unit in fought.defenders), fought.over["defender"]) == (both, over)
    assert (fought.defence, [modifier.amount for modifier in fought.modifiers]) == (5, [1])
    for result, lost in (("D1", over), ("DE", both + over), ("A1", ()), ("-", ())):
        assert after(result, text).result.lost == lost, result
    assert after("D1", text).result.retreating == both
    behind = OPEN + HELD + "5320: XVII/36 supply=in, Dummy/G1, Dummy/G2, I/2 over\n"
    assert combat(behind).attack == 7
    for result, lost in (
        ("A2", ("I/2",)),
        ("AE", ("XVII/36", "I/2")),
        ("EX", ("III/25", "XVII/36", "I/2")),
        ("D1", ()),
    ):
        assert after(result, behind).result.lost == lost, result
    roomy = combat(OPEN + ATTACK + "5420 clear: III/25 supply=in, Dummy/R1, III/27 over supply=in\n")
    assert (roomy.defence, roomy.over["defender"]) == (10, ())
    two = combat(
        OPEN + ATTACK + "5420 clear: III/25 supply=in, Dummy/R1, III/27 over supply=in, XX/28 over supply=in\n"
    )
    assert (two.defence, two.over["defender"]) == (10, ("XX/28",))
    crowd = "5420 clear: III/25 supply=in, Dummy/R1, XX/28 supply=in, III/27 over, russian infantry first Z over\n"
    position = typed(f"game world-undone-east-prussia-1914\n{TURN}{OPEN}{ATTACK}{crowd}")
    view = View(position.game, position.state)
    assert read_excess_points(view, combat(OPEN + ATTACK + crowd)) == {"III/27": 5, "Z": None}
    assert read_excess_points(view, combat(OPEN + HELD + ATTACK)) == {}


@pytest.mark.rule("6.1/total", "6.0/attack")
def test_dummies_do_not_fight() -> None:
    text = OPEN + "5320: XVII/36 supply=in, Dummy/G1\n5420 clear: III/25 supply=in, Dummy/R1\n"
    fought = combat(text)
    assert ([unit.unit for unit in fought.attackers], fought.defence) == (["XVII/36"], 5)
    with pytest.raises(InputError, match="only dummies stand in 5420: Dummy/R1") as alone:
        combat(OPEN + ATTACK + "5420 clear: Dummy/R1\n")
    assert alone.value.hint == "they leave the map as they are revealed: ask inspect"


# --- the die ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.3/cumulative")
@pytest.mark.parametrize(("ground", "drm"), [("clear", {}), ("forest", 1), ("swamp", 2)])
def test_the_ground_of_the_defender_modifies_the_die(ground: str, drm: Any) -> None:
    text = OPEN + ATTACK + f"5320 swamp\n5420 {ground}: III/25 supply=in\n"
    assert drms(text) == ({f"{ground} in the defending hex": drm} if drm else {})


@pytest.mark.rule("6.3/cumulative")
def test_of_several_grounds_the_highest_counts_or_by_a_ruling_each() -> None:
    text = OPEN + "5321: I/2 supply=in\n5420 swamp: III/25 supply=in\n5421 forest: III/27 supply=in\n"
    text += "5321|5420 open\n5321|5421 open\n"
    swamp, forest = {"swamp in the defending hex": 2}, {"forest in the defending hex": 1}
    assert drms(text, "5420", "5421") == swamp
    assert drms("ruling several-grounds=each\n" + text, "5420", "5421") == forest | swamp
    asked = [
        any("several-grounds" in line for line in told(ask_battle(text, *at))) for at in (("5420",), ("5420", "5421"))
    ]
    assert asked == [False, True]


@pytest.mark.rule("6.3/river", "6.1/multi-hex")
def test_a_river_counts_only_if_all_attackers_cross_one_before_every_attacked_hex() -> None:
    text = HELD + ATTACK + "5321: I/2 supply=in\n5320|5420 river\n"
    assert drms(text + "5321|5420 river\n") == {"all attackers across a river": 3}
    assert drms(text + "5321|5420 open\n") == {}
    assert missing(text) == [("barrier", "5321|5420")]
    assert drms(text.replace("5320|5420 river", OPEN)) == {}  # one without a river is enough
    text = HELD + "5321: I/2 supply=in\n5421 clear: III/27 supply=in\n5321|5420 river\n"
    assert drms(text + "5321|5421 open\n", "5420", "5421") == {}
    assert drms(text + "5321|5421 river\n", "5420", "5421") == {"all attackers across a river": 3}


FLANK = {"flanking attack": -1}
SIX = "5320: XVII/36 supply=in\n5520: I/2 supply=in\n5421: I/1 supply=in\n" + HELD + OPEN
"""Attackers in every other hex around 5420: the others are in their zones of control."""
CROSSED = "5320|5419 {a}\n5419|5520 {b}\n5320|5321 {c}\n5321|5421 {d}\n5421|5521 {e}\n5520|5521 {f}\n"


def flank(**words: str) -> str:
    """The hexsides that zones of control cross around 5420, without rivers but for those named."""
    return CROSSED.format(**(dict.fromkeys("abcdef", "open") | words))


@pytest.mark.rule("6.3/flank", "6.1/multi-hex")
def test_a_flanking_attack_has_all_hexes_around_in_the_zones_of_its_attackers() -> None:
    assert drms(SIX + flank()) == FLANK
    assert drms(SIX + flank(), withhold=["I/1"]) == {}
    assert drms(SIX + flank(a="river", c="river", e="river")) == FLANK  # the other attacker beside each covers it
    assert drms(SIX + flank(a="river", b="river")) == {}
    friend = "5419: IR/1R\n"
    assert drms(SIX + flank(a="river", b="river") + friend, from_=["5320", "5520", "5421"]) == {}  # takes no part
    assert drms(SIX + flank() + "5419: III/27\n") == FLANK  # enemies do not matter
    assert missing(SIX + flank(a="river", b="river").replace("5419|5520 river\n", "")) == [("barrier", "5419|5520")]
    assert drms(SIX + flank(a="river", b="river").replace("5321|5421 open\n5421|5521 open\n", "")) == {}
    assert drms(SIX + flank().replace("5320|5419 open\n", "")) == FLANK
    text = HELD + "5421 clear: III/27 supply=in\n5321: I/2 supply=in\n5521: I/1 supply=in\n5321|5420 open\n"
    sides = "5321|5320 open\n5321|5322 open\n5521|5520 open\n5521|5522 open\n"
    assert drms(text + sides, "5420", "5421") == {}


@pytest.mark.rule("6.3/artillery", "6.3/cumulative")
def test_every_heavy_artillery_counts_or_one_of_a_side_and_all_modifiers_add_up() -> None:
    text = OPEN + "5420 clear: XVII/36 supply=in\n5320: III/25 supply=in, 1A/1HA supply=in\n"
    text += "5321: III/27 supply=in, 1A/2HA supply=in\n"
    assert drms(text, turn=RUSSIAN_TURN) == {"attacking heavy artillery": -2}
    assert drms("ruling artillery-each=one\n" + text, turn=RUSSIAN_TURN) == {"attacking heavy artillery": -1}
    both = OPEN + ATTACK + "5420 clear: III/25 supply=in, 1A/1HA, 1A/2HA supply=in\n"
    assert drms(both) == {"defending heavy artillery": 2}
    assert drms("ruling artillery-each=one\n" + both) == {"defending heavy artillery": 1}
    asked = [
        any("artillery-each" in line for line in told(ask_battle(one))) for one in (both, both.replace(", 1A/2HA", ""))
    ]
    assert asked == [True, False]
    text = "5320 clear: III/25 supply=in, 1A/1HA supply=in\n5320|5420 river\n5420 swamp: XVII/36 supply=in\n"
    report = ask_battle(text, turn=RUSSIAN_TURN)
    assert sum(one.amount for one in report.result.combat.modifiers) == 2 + 3 - 1
    assert report.verdict.text == "column 1:2 of the Russian table, whose first column is not known; roll 1d6 +4"
    cells = "chart russian-table 1:2- 8 = EX\nchart russian-table 1:2- 9+ = DE\n"
    rolled = {die: ask_battle(cells + text, turn=RUSSIAN_TURN, answers={"die": die}) for die in ("4", "5", "6")}
    assert [report.result.outcome for report in rolled.values()] == ["EX", "DE", "DE"]
    assert "4 +4 = 8" in told(rolled["4"])


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.0/crt")
def test_each_side_attacks_on_its_own_table_whose_ends_hold_beyond_them() -> None:
    german = "chart german-table 2:1- 1+ = D1\n"
    assert ask_battle(german + OPEN + HELD + ATTACK, answers={"die": "1"}).result.outcome == "D1"
    swapped = OPEN + "5320: III/25 supply=in\n5420 clear: XVII/36 supply=in\n"
    with_russian = german + "chart russian-table 2:1- 1+ = AE\n"
    assert ask_battle(with_russian + swapped, turn=RUSSIAN_TURN, answers={"die": "1"}).result.outcome == "AE"
    ended = (
        "chart german-table 2:1+ 1+ = DE\n"
        + OPEN
        + HELD
        + "5320: XVII/36 supply=in, XVII/35 supply=in, I/2 supply=in\n"
    )
    report = ask_battle(ended)
    assert (report.result.combat.column, report.result.near.column) == ("2:1", "")
    assert [(one.value, one.chance) for one in report.result.chances] == [("DE", Fraction(1))]
    weak = "chart german-table 1:2- 1+ = AE\n" + OPEN + HELD + "5320: 8A/Ldw2 supply=in\n"
    assert ask_battle(weak).result.combat.column == "1:2"
    text = "chart german-table 2:1+ 1 = DE\nchart german-table 3:1 1 = D1\n" + OPEN + HELD + ATTACK
    with pytest.raises(InputError, match=r"chart german-table: odds ends at 2:1\+, but there is also 3:1"):
        ask_battle(text)


@pytest.mark.rule("6.0/crt")
def test_only_the_cells_that_are_lacking_are_asked_for() -> None:
    text = "5420 forest: III/25 supply=in\n" + OPEN + ATTACK  # 14 to 5, +1: modified dice 2 to 7
    known = "chart german-table 2:1 2 = D1\nchart german-table 2:1 4 = EX\nchart german-table 1:3- 6+ = AE\n"
    asks = [ask.key for ask in ask_battle(known + text).asks if ask.kind == "cell"]
    assert asks == [("german-table", "2:1", die) for die in (3, 5, "6+")]
    undecided = ask_battle(known + text, answers={"die": "6"})
    assert (undecided.verdict.kind, undecided.result.outcome, undecided.changes) == ("undecided", "", ())
    assert [ask.key for ask in undecided.asks] == [("german-table", "2:1", "6+")]
    assert ask_battle(known + text, answers={"die": "3"}).result.outcome == "EX"


# --- what forbids it, and what else is due ----------------------------------------------------------------------------


@pytest.mark.rule("6.0/attack")
def test_attacks_are_made_in_ones_own_combat_phases_and_on_every_enemy_in_ones_zones() -> None:
    text = OPEN + HELD + ATTACK
    assert ask_battle(text, turn="turn=3\n").verdict.kind == "figure"
    assert ask_battle(text, turn=TURN.replace("first-combat", "second-combat")).verdict.kind == "figure"
    moving = ask_battle(text, turn=TURN.replace("first-combat", "second-movement"))
    assert (why_not(moving), told(moving)[0]) == (
        ["4.0"],
        "attacks are made only in the Combat Phases, but this is second-movement",
    )
    assert told(ask_battle(text, turn=RUSSIAN_TURN))[0] == "the German side may not attack in the enemy's player turn"
    more = OPEN + HELD + ATTACK + "5419: III/27\n5321: IV/40\n5219: IV/30\n"
    sides = "5320|5419 open\n5320|5321 open\n5320|5219 river\n"
    assert combat(more + sides).also == ("5321", "5419")
    assert combat(more + sides + "5419 attacked\n").also == ("5321",)
    assert "must be attacked this phase too: 5321, 5419" in told(ask_battle(more + sides))
    unstated = ask_battle(more + sides.replace("5320|5419 open\n", ""))
    assert unstated.result.combat.also == ("5321", "5419")
    assert "5320|5419 assumed to have no river (not stated)" in told(unstated)


@pytest.mark.rule("10.2.1")
def test_by_an_option_cavalry_attacks_infantry_only_with_infantry() -> None:
    text = OPEN + HELD + "5320: 8A/1KB supply=in"
    assert ask_battle(text + "\n").verdict.kind == "figure"
    option = "options=cavalry-attacks\n"
    assert why_not(ask_battle(option + text + "\n")) == ["10.2.1"]
    assert not why_not(ask_battle(option + text + ", XVII/36 supply=in\n"))
    assert not why_not(ask_battle(option + text.replace("III/25", "IC/3C") + "\n"))
    assert why_not(ask_battle(option + text.replace("III/25", "IC/3C supply=in, III/25") + "\n")) == ["10.2.1"]
    garrisons = text.replace("8A/1KB supply=in", "8A/1KB supply=in, 8A/G-Boyn supply=in\n")
    assert not why_not(ask_battle(option + garrisons))
    led = option + OPEN + "5420 clear: XVII/36 supply=in\n5320: 1A/Renn supply=in\n"
    assert not why_not(ask_battle(led, turn=RUSSIAN_TURN))


# --- results ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.4/AE", "8.0/vp", "6.0/disruption", "5.1/combat", "3.1/armies", "6.6/who", "6.4/DE")
def test_whoever_is_eliminated_leaves_the_map_and_counts_for_the_enemy() -> None:
    report = after("AE")
    assert (report.result.lost, report.result.retreating) == (("XVII/36", "XVII/35"), ())
    assert (report.result.pursues, report.result.hexes) == ("defender", 0)
    assert values(report) == {
        ("place", "XVII/36"): None,
        ("place", "XVII/35"): None,
        ("lost", "german"): 7,
        ("attacked", "5420"): True,
        ("follows", "III/25"): "5320",
    }
    report = after("DE")
    assert (report.result.lost, report.result.retreating, report.result.pursues) == (("III/25",), (), "attacker")
    assert {("place", "III/25"): None, ("lost", "russian"): 5}.items() <= values(report).items()


@pytest.mark.rule("6.4/AR", "6.4/DR")
@pytest.mark.parametrize("hexes", [1, 2, 3, 4])
def test_the_beaten_side_retreats_as_far_as_the_result_says(hexes: int) -> None:
    report = after(f"A{hexes}")
    assert (report.result.retreats, report.result.retreating) == ("attacker", ("XVII/36", "XVII/35"))
    assert (report.result.hexes, report.result.lost, report.result.pursues) == (hexes, (), "defender")
    far = "1 hex" if hexes == 1 else f"{hexes} hexes"
    ask = "ask retreat" if hexes == 1 else f"ask retreat hexes={hexes}"
    assert f"the attacker retreats {far} ({ask}): XVII/36, XVII/35" in told(report)
    assert "the defender may advance (ask advance), into a hex from which it was attacked" in told(report)
    report = after(f"D{hexes}")
    assert (report.result.retreats, report.result.retreating) == ("defender", ("III/25",))
    assert (report.result.hexes, report.result.lost, report.result.pursues) == (hexes, (), "attacker")
    assert "the attacker may advance (ask advance), into 5420 first" in told(report)


@pytest.mark.rule("6.4/EX")
def test_an_exchange_costs_the_attacker_half_the_strength_that_a_ruling_says_or_all_that_it_has() -> None:
    text = (
        OPEN
        + "5320: IR/1R supply=in, XX/41 supply=in, 8A/1KB supply=in\n5420 clear: III/25 supply=in, IC/3C supply=in\n"
    )
    due = after("EX", text)
    (choice,) = due.asks
    assert (choice.name, choice.options) == ("attacker.pay", ("XX/41", "IR/1R"))
    assert (due.verdict.text, due.changes) == ("EX, an exchange: 1 answer due", ())
    assert "an exchange costs the attacker at least 4 SP: XX/41 with 5" in told(ask_battle(text))
    paid = after("EX", text, answers={"attacker.pay": "IR/1R"})
    assert values(paid)["exchanged", "5420"] is True
    again = after("DE", text + "5420 exchanged\n")
    assert values(again)["exchanged", "5420"] is None
    assert ("exchanged", "5420") not in values(after("DE", text))
    assert paid.result.lost == ("III/25", "IC/3C", "IR/1R")
    assert (paid.result.retreating, paid.result.pursues) == ((), "")
    with pytest.raises(InputError, match="'8A/1KB' is not an option"):
        after("EX", text, answers={"attacker.pay": "8A/1KB"})
    text = OPEN + "5320: 8A/1KB supply=in, 8A/2KB supply=in\n"
    text += "5420 clear: III/25 supply=in, III/27 supply=in, IV/40 supply=in\n"
    assert combat(text).due == 8
    assert after("EX", text).result.lost[3:] == ("8A/1KB", "8A/2KB")
    text = OPEN + ATTACK + "5420 clear: III/25 supply=out, III/27 supply=out\n"
    assert combat(text).due == 3  # 3 and 3 of 5 and 5
    assert combat("ruling exchange-strength=printed\n" + text).due == 5
    asked = [any("exchange-strength" in line for line in told(ask_battle(one))) for one in (text, OPEN + ATTACK + HELD)]
    assert asked == [True, False]


@pytest.mark.rule("6.4/DE", "6.6/who")
def test_a_fortress_alone_neither_retreats_nor_advances() -> None:
    text = "4024: III/25 supply=in, III/27 supply=in\n4024|4025 open\n4025 clear fortress=4\n"
    cells = "chart russian-table 2:1+ 1+ = {}\n"
    lost, driven, repulsed = (
        ask_battle(cells.format(result) + text, "4025", turn=RUSSIAN_TURN, answers={"die": "1"}).result
        for result in ("DE", "D2", "A1")
    )
    assert (lost.lost, lost.pursues) == ((), "attacker")
    assert (driven.retreats, driven.hexes, driven.pursues) == ("", 0, "attacker")
    assert (repulsed.retreats, repulsed.pursues) == ("attacker", "")


@pytest.mark.rule("6.6/who")
def test_only_infantry_and_cavalry_may_advance() -> None:
    text = OPEN + "5420 clear: XVII/36 supply=in\n5320: {} supply=in\n"
    asked = {"III/25": "attacker", "IC/3C": "attacker", "1A/Renn": ""}
    for unit, pursues in asked.items():
        report = after("D1", text.format(unit), "russian", turn=RUSSIAN_TURN)
        assert report.result.pursues == pursues, unit
    assert (
        after("D1", OPEN + HELD + "5320: 8A/G-Boyn supply=in\n").result.pursues == "attacker"
    )  # a garrison is infantry


@pytest.mark.rule("6.6/who")
def test_after_a_combat_the_victors_may_advance_and_the_beaten_no_more() -> None:
    """Not the Headquarters that took part; defenders who have thrown another attack back lose what they won there."""
    text = OPEN + "5320: III/25 supply=in, 1A/Renn supply=in\n5420 clear: XVII/36 supply=in{}, XVII/35 supply=in\n"
    won = values(after("D1", text.format(" follows=5421"), "russian", turn=RUSSIAN_TURN))
    assert {unit: after for (track, unit), after in won.items() if track == "follows"} == {
        "III/25": "5420",
        "1A/Renn": "",
        "XVII/36": "",
    }
    held = values(after("A1", text.format(""), "russian", turn=RUSSIAN_TURN))
    assert {unit: after for (track, unit), after in held.items() if track == "follows"} == {
        "III/25": "",
        "1A/Renn": "",
        "XVII/36": "5320",
        "XVII/35": "5320",
    }

    def told_of(held: str) -> dict[str, object]:
        changes = after("D1", OPEN + held + ATTACK).changes
        return {change.subject: change.after for change in changes if getattr(change, "track", "") == "follows"}

    assert told_of(HELD) == {"XVII/36": "5420", "XVII/35": "5420"}
    assert told_of(HELD.replace("supply=in", "supply=in follows=5520")) == told_of(HELD) | {"III/25": ""}


# --- what a combat marks ----------------------------------------------------------------------------------------------


@pytest.mark.rule("6.0/disruption", "3.5", "5.1/combat")
def test_attackers_are_disrupted_in_the_first_combat_phase_and_lose_what_they_saved() -> None:
    first = values(after("D1"))
    assert {key for key in first if key[0] == "disrupted"} == {("disrupted", "XVII/36"), ("disrupted", "XVII/35")}
    assert first["disrupted", "XVII/36"] is first["fought", "XVII/35"] is first["attacked", "5420"] is True
    second = values(after("D1", turn=TURN.replace("first-combat", "second-combat")))
    assert {key for key in second if key[0] == "disrupted"} == set()
    assert second["fought", "XVII/36"] is True
    assert [ask.key for ask in after("D1", turn="turn=3\nphasing=german\n").asks] == [("phase", "")]
    text = OPEN + HELD + "5320 reserved=2: XVII/36 supply=in, XVII/35 supply=in\n5321 reserved=1: I/2\n"
    changes = values(after("D1", text, withhold=["XVII/35"], from_=["5320"]))
    assert ("reserved", "5321") not in changes
    assert changes["reserved", "5320"] is None
    assert ("disrupted", "XVII/35") not in changes


@pytest.mark.rule("7.1/attacks")
@pytest.mark.parametrize(
    ("turn", "attackers", "defender", "counts"),
    [
        (1, "XVII/36 supply=in, XVII/35 supply=in", "III/25", True),
        (1, "I/2 supply=in", "III/25", False),
        (1, "XVII/36 supply=in, XVII/35 supply=in", "VI/16", False),
        (2, "XVII/36 supply=in, XVII/35 supply=in", "III/25", False),
        (1, "XVII/36 supply=in, XVII/35 supply=in", "VI/16 supply=in, IC/1GC", True),
    ],
)
def test_german_attacks_on_the_first_army_count_in_the_first_turn(
    turn: int, attackers: str, defender: str, counts: bool
) -> None:
    text = OPEN + f"5320: {attackers}\n5420 clear: {defender} supply=in\n"
    report = after("-", text, turn=f"turn={turn}\nphasing=german\nphase=second-combat\n")
    assert values(report).get(("first-attacks", "")) == (1 if counts else None)


# --- the best attacks -------------------------------------------------------------------------------------------------


@pytest.mark.rule("6.0/attack")
def test_the_attacks_of_a_side_are_ranked_by_column_with_those_on_lone_fortresses() -> None:
    text = TURN + OPEN + HELD + ATTACK + "5219: IR/1R supply=in\n5119 clear: III/27 supply=in\n5119|5219 open\n"
    report = undone(text + "5120: 8A/1KB supply=in disrupted\n5020 clear: IV/40\n", "attacks", side="german")
    assert [(target.at, target.best and target.best.column) for target in report.result.targets][:2] == [
        ("5420", "2:1"),
        ("5119", "1:1"),
    ]
    text = "4024: III/25 supply=in\n4024|4025 open\n4025 clear fortress=4\n4225 clear fortress=9\n"
    (target,) = undone(RUSSIAN_TURN + text, "attacks", side="russian").result.targets
    assert (target.at, target.best.column, target.best.defence) == ("4025", "1:1", 4)
    assert not undone(TURN + text + "4226: I/2\n", "attacks", side="german").result.targets
    assert not undone(RUSSIAN_TURN + text.replace("=4", "=4 destroyed"), "attacks", side="russian").result.targets


@pytest.mark.rule("6.0/odds")
def test_what_a_column_needs() -> None:
    text = TURN + OPEN + HELD + ATTACK + "5321: I/2 supply=in\n"
    need = {column: undone(text, "need", at="5420", column=column).result for column in ("2:1", "4:1", "5:1")}
    assert need["2:1"].plan.attackers == ("XVII/36", "XVII/35") or need["2:1"].plan.attack in (14, 16)
    assert set(need["4:1"].plan.attackers) == {"I/2", "XVII/36", "XVII/35"}
    assert (need["5:1"].plan, need["5:1"].best.column) == (None, "4:1")
    assert need["4:1"].plan.remarks == (), "clear ground modifies nothing"
    swamp = undone(text.replace("5420 clear", "5420 swamp"), "need", at="5420", column="4:1").result.plan
    assert (swamp.attack, swamp.defence, swamp.column, len(swamp.remarks)) == (
        need["4:1"].plan.attack,
        need["4:1"].plan.defence,
        need["4:1"].plan.column,
        1,
    )
    assert swamp.remarks[0].startswith("die ")
    with pytest.raises(InputError, match="column: '5' is not an odds column"):
        undone(text, "need", at="5420", column="5")


@pytest.mark.rule("6.4/AE", "6.4/DR")
@pytest.mark.parametrize(
    ("result", "why"),
    [
        (Result("X", "", ("attacker:flee",)), "'attacker:flee' of the result X is unknown"),
        (Result("X", "", ("attacker:all",), retreats="both"), "'both' of the result X is unknown"),  # type: ignore[arg-type]
    ],
)
def test_a_result_does_what_is_known_to_known_sides(result: Result, why: str) -> None:
    with pytest.raises(CodeError, match=why):
        fight_of(combat(OPEN + HELD + ATTACK), {"X": result}, "6.4", lambda fought: ())
    fight_of(combat(OPEN + HELD + ATTACK), {"D1": Result("D1", "", retreats="defender")}, "6.4", lambda fought: ())


@pytest.mark.rule("6.3/cumulative", "6.3/river", "6.3/flank")
def test_causes_of_modifiers_are_told_where_they_lie() -> None:
    def told_causes(text: str, *at: str) -> list[tuple[str, str]]:
        return [(cause.where, cause.text) for cause in ask_battle(text, *at).result.combat.causes]

    river = HELD + ATTACK + "5321: I/2 supply=in\n5320|5420 river\n5321|5420 river\n"
    assert told_causes(river, "5420")[-2:] == [("5320|5420", "+3: river"), ("5321|5420", "(river)")]
    assert told_causes(SIX + flank(), "5420") == [("5420", "-1: flanked")]
    grounds = OPEN + "5321: I/2 supply=in\n5420 swamp: III/25 supply=in\n5421 forest: III/27 supply=in\n"
    assert told_causes(f"{grounds}5321|5420 open\n5321|5421 open\n", "5420", "5421") == [("5420", "+2: swamp")]
