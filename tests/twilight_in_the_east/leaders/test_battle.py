"""Leaders in combat, as `battle`, `need` and `attacks` have them (25.2 to 25.7)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from assistant.asking.report import Report, to_text
from assistant.game.viewpoint import reduce_state
from assistant.mechanics.odds import Odds
from assistant.util.errors import InputError
from twilight_in_the_east.combat.engagement import MAX_ODDS, MIN_ODDS, units_as_led
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.leaders.combat import Led

from ...cases import examples
from ...conftest import answered, carried_out, rulings, told, typed

EASTERN = """turn={turn} leaders={leaders} {more}
trust charts
40.20 clear: {defender}
41.19: {attacker}
41.19|40.20 open
ask battle at=40.20 attacker-ap=none defender-ap=none {asked}"""
GERMAN = "german infantry XX 35/17 (12-16-7-11) army=Eighth"
OF_FIRST_CORPS = "1/1 (12-16-7-11) army=Eighth"
RUSSIAN = "25/3 (10-12-5-10) army=First"


def fought(
    leaders: str,
    attacker: str = GERMAN,
    defender: str = RUSSIAN,
    *,
    turn: int = 1,
    asked: str = "",
    more: str = "",
) -> Report[Any]:
    text = EASTERN.format(turn=turn, leaders=leaders, attacker=attacker, defender=defender, asked=asked, more=more)
    return answered(typed(text))


def effects(report: Report[Any]) -> tuple[list[int], list[int], list[int]]:
    """The shifts and the DRMs of the attacker and the defender that leaders bring."""
    battle = report.result

    def of(modifiers: Any) -> list[int]:
        return [modifier.amount for modifier in modifiers if modifier.rule.startswith("25.")]

    return of(battle.shifts), of(battle.attacker_modifiers), of(battle.defender_modifiers)


FIGHTING = pytest.mark.rule("25.2", "25.3", "25.4", "25.5", "25.6.1b", "25.7")
NOTHING: tuple[list[int], list[int], list[int]] = ([], [], [])


@pytest.mark.rule("25.0", "25.2")
def test_prittwitz_costs_the_first_attack_of_a_division_of_the_eighth_army() -> None:
    assert effects(fought("prittwitz")) == ([], [2], [])
    assert effects(fought("none")) == NOTHING, "he is optional"
    assert effects(fought("prittwitz", more="leader-uses=prittwitz:1")) == NOTHING, "he tells once"
    assert effects(fought("prittwitz", GERMAN.replace("XX", "X"))) == NOTHING, "a brigade is too small"
    assert effects(fought("prittwitz", GERMAN.replace("Eighth", "Ninth"))) == NOTHING
    assert effects(fought("prittwitz", f"{GERMAN}, {OF_FIRST_CORPS}")) == NOTHING, "the 1st Corps takes part"


@FIGHTING
def test_two_brigades_count_as_the_division_that_a_leader_needs() -> None:
    """By 2.2 two brigades stand for a division; by ruling only a division counts."""
    one, two = "german infantry X 33/b (6-8-3-11) army={}", "german infantry X 34/b (6-8-3-11) army={}"
    pair = f"{one.format('Eighth')}, {two.format('Eighth')}"
    assert effects(fought("prittwitz", pair)) == ([], [2], [])
    assert effects(fought("prittwitz", one.format("Eighth"))) == NOTHING
    assert effects(fought("prittwitz", pair, more="\nruling leaders-brigades=division")) == NOTHING
    assert "leaders-brigades" in rulings(fought("prittwitz", pair))
    assert "leaders-brigades" not in rulings(fought("prittwitz", f"{pair}, {GERMAN}"))
    assert "leaders-brigades" not in rulings(fought("prittwitz", one.format("Eighth")))
    guards = ", ".join(f"russian infantry X {name}/3 (5-6-3-10) army=First" for name in ("1", "2"))
    assert effects(fought("rennenkampf", defender=guards)) == ([], [], [2])


@FIGHTING
def test_a_german_division_under_an_austro_hungarian_army_is_led_by_its_commander() -> None:
    landwehr = 'german infantry XX 3/a (10-12-5-10) army={} corps="3 LW"'
    assert effects(fought("dankl", BRUSILOVS, landwehr.format("First"), turn=5)) == ([-1], [], [2])
    assert effects(fought("dankl", BRUSILOVS, landwehr.format("Fourth"), turn=5)) == NOTHING
    unsaid = landwehr.replace(" army={}", "")
    assert [ask.name for ask in fought("dankl", BRUSILOVS, unsaid, turn=5).asks] == ["3/a army=..."]


@pytest.mark.rule("25.3")
def test_rennenkampf_costs_the_first_defence_of_a_division_of_the_first_army() -> None:
    assert effects(fought("rennenkampf")) == ([], [], [2])
    assert effects(fought("rennenkampf", defender=RUSSIAN.replace("First", "Second"))) == NOTHING
    assert effects(fought("rennenkampf", more="leader-uses=rennenkampf:1")) == NOTHING


@pytest.mark.rule("25.4")
@pytest.mark.parametrize(("leader", "corps"), [("artamonov", "1"), ("blagoveshchenski", "6")])
def test_units_of_the_1st_and_6th_corps_defend_badly_twice(leader: str, corps: str) -> None:
    of_corps = f"russian infantry X 7/{corps} (10-12-5-10) army=Second"
    assert effects(fought(leader, defender=of_corps)) == ([1], [], [2])
    assert effects(fought(leader, defender=of_corps, more=f"leader-uses={leader}:1")) == ([1], [], [2])
    assert effects(fought(leader, defender=of_corps, more=f"leader-uses={leader}:2")) == NOTHING
    assert effects(fought(leader)) == NOTHING, "the 3rd Corps has another leader"
    assert effects(fought(leader, defender=of_corps, turn=11)) == ([1], [], [2])
    assert effects(fought(leader, defender=of_corps, turn=12)) == NOTHING, "his marker is off"


TENURE = pytest.mark.rule("25.0", "25.1", "25.6.1", "25.6.2")


@TENURE
@FIGHTING
def test_readings_of_the_markers_of_both_corps() -> None:
    of_corps = "22/1 (10-12-5-10) army=Second"
    later = fought("artamonov", defender=of_corps, turn=12, more="\nruling leaders-last-turn=through")
    assert effects(later) == ([1], [], [2])
    assert (
        effects(fought("artamonov", defender=of_corps, turn=13, more="\nruling leaders-last-turn=through")) == NOTHING
    )
    assert "leaders-last-turn" in rulings(later)
    assert "leaders-last-turn" not in rulings(fought("artamonov", defender=of_corps, turn=11))
    assert "leaders-last-turn" not in rulings(fought("artamonov", defender=of_corps, turn=13))
    assert "leaders-last-turn" not in rulings(fought("brusilov", defender=of_corps, turn=10))
    assert "leaders-loss-roll" in rulings(fought("artamonov", defender=of_corps))
    assert "leaders-loss-roll" not in rulings(fought("artamonov"))
    enemy = fought("artamonov", defender=of_corps, more="\nruling leaders-loss-roll=enemy")
    assert effects(enemy) == ([1], [2], [])


BOTH = "22/1 (6-8-5-10) army=Second, 4/6 (6-8-5-10) army=Second"


@pytest.mark.rule("25.4")
def test_units_of_both_corps_that_defend_in_one_hex() -> None:
    """Each leader has his effects; by ruling they count once, and both markers are used all the same."""
    both, once = "artamonov+blagoveshchenski", "\nruling leaders-together=once"
    assert effects(fought(both, defender=BOTH)) == ([1, 1], [], [2, 2])
    assert effects(fought(both, defender=BOTH, more=once)) == ([1], [], [2])
    assert effects(fought(both, defender=BOTH, more=f"{once}\nruling leaders-loss-roll=enemy")) == ([1], [2], [])
    assert "leaders-together" in rulings(fought(both, defender=BOTH))
    for leaders, named in (("artamonov+rennenkampf", False), (f"{both}+rennenkampf", True)):
        mixed = fought(leaders, defender=BOTH.replace("Second", "First"), more=once)
        assert effects(mixed) == ([1], [], [2, 2]), "only the two of 25.4 stand for each other"
        assert ("leaders-together" in rulings(mixed)) == named
    used = fought(both, defender=BOTH, more=f"leader-uses=artamonov:2{once}")
    assert effects(used) == ([1], [], [2])
    text = EASTERN.format(turn=1, leaders=both, more=once, attacker=GERMAN, defender=BOTH, asked="")
    over = carried_out(f"{text}\nanswers crt=7 slrt=3/3 ec.35/17=2 ec.22/1=2 losses.defender=22/1")
    assert uses_of(over) == [(None, "artamonov:1+blagoveshchenski:1")]


BRUSILOVS = "25/3 (10-12-5-10) army=Eighth"
AUSTRIAN = "austro-hungarian infantry XX 3/9 (12-16-7-11) army={}"


@pytest.mark.rule("25.5")
def test_brusilov_helps_either_way_when_his_player_says_so() -> None:
    hungarian = AUSTRIAN.format("Second")
    assert effects(fought("brusilov", hungarian, BRUSILOVS)) == NOTHING
    assert effects(fought("brusilov", hungarian, BRUSILOVS, asked="leader=brusilov")) == ([-1], [], [-1])
    assert effects(fought("brusilov", BRUSILOVS, hungarian, asked="leader=brusilov")) == ([1], [-1], [])
    assert effects(fought("brusilov", BRUSILOVS, hungarian, asked="leader=brusilov", turn=9)) == ([1], [-1], [])
    with pytest.raises(InputError, match="only in GTs 1 to 9"):
        fought("brusilov", BRUSILOVS, hungarian, asked="leader=brusilov", turn=10)
    with pytest.raises(InputError, match="no use left"):
        fought("brusilov", BRUSILOVS, hungarian, asked="leader=brusilov", more="leader-uses=brusilov:2")
    with pytest.raises(InputError, match="is optional and not agreed on"):
        fought("none", BRUSILOVS, hungarian, asked="leader=brusilov")
    with pytest.raises(InputError, match="no unit of the Russian Eighth Army fights here"):
        fought("brusilov", RUSSIAN, hungarian, asked="leader=brusilov")


@pytest.mark.rule("25.6.1b", "25.6.1")
def test_francois_helps_an_attack_of_the_1st_corps_once() -> None:
    assert effects(fought("francois", OF_FIRST_CORPS, asked="leader=francois")) == ([2], [-2], [])
    assert effects(fought("francois", OF_FIRST_CORPS, asked="leader=francois", turn=3)) == ([2], [-2], [])
    assert effects(fought("francois", OF_FIRST_CORPS)) == NOTHING
    with pytest.raises(InputError, match="only in GTs 1 to 3"):
        fought("francois", OF_FIRST_CORPS, asked="leader=francois", turn=4)
    with pytest.raises(InputError, match="no use left"):
        fought("francois", OF_FIRST_CORPS, asked="leader=francois", more="leader-uses=francois:1")
    with pytest.raises(InputError, match="no unit of the German 1 Corps attacks here"):
        fought("francois", RUSSIAN, OF_FIRST_CORPS, asked="leader=francois")


@pytest.mark.rule("25.7")
@pytest.mark.parametrize(("leader", "army"), [("dankl", "First"), ("auffenberg", "Fourth"), ("brudermann", "Third")])
def test_divisions_of_three_armies_defend_hard_and_dearly_twice(leader: str, army: str) -> None:
    defender = AUSTRIAN.format(army)
    assert effects(fought(leader, RUSSIAN, defender)) == ([-1], [], [2])
    assert effects(fought(leader, RUSSIAN, defender, more=f"leader-uses={leader}:1")) == ([-1], [], [2])
    assert effects(fought(leader, RUSSIAN, defender, more=f"leader-uses={leader}:2")) == NOTHING
    assert effects(fought(leader, RUSSIAN, AUSTRIAN.format("Second"))) == NOTHING
    assert effects(fought(leader, RUSSIAN, defender.replace("XX", "X"))) == NOTHING
    assert effects(fought(leader, RUSSIAN, GERMAN)) == NOTHING


@FIGHTING
def test_the_army_of_a_unit_is_asked_for_only_where_a_leader_turns_on_it() -> None:
    unsaid = GERMAN.replace(" army=Eighth", "")
    assert [ask.name for ask in fought("prittwitz", unsaid).asks] == ["35/17 army=..."]
    assert effects(fought("artamonov", unsaid)) == NOTHING
    assert effects(fought("prittwitz", unsaid.replace("XX", "X"))) == NOTHING
    assert effects(fought("prittwitz", unsaid, more="leader-uses=prittwitz:1")) == NOTHING


def test_an_asset_unit_is_of_the_corps_of_the_formation_with_it() -> None:
    first, second = (
        CombatUnit(name, "russian", "infantry", "XX", True, "40.20", corps=corps, army="Second")
        for name, corps in (("25/3", "3"), ("22/1", "1"))
    )
    guns = CombatUnit("88", "russian", "artillery", "-", False, "40.20", with_="22/1")
    (led,) = units_as_led([guns], [first, second, guns])
    assert led == Led("russian", "1", "Second", brigades=0)
    assert units_as_led([first], [first])[0].brigades == 2
    assert units_as_led([replace(first, size="X")], [first])[0].brigades == 1
    assert units_as_led([replace(first, size="III")], [first])[0].brigades == 0
    assert units_as_led([replace(first, arm="cavalry")], [first])[0].brigades == 0
    assert units_as_led([replace(first, formation=False)], [])[0].brigades == 0


OF_ARTAMONOV = "22/1 (10-12-5-10) army=First"


def over(leaders: str, more: str = "") -> Report[Any]:
    text = EASTERN.format(turn=1, leaders=leaders, more=more, attacker=GERMAN, defender=OF_ARTAMONOV, asked="")
    return carried_out(f"{text}\nanswers crt=7 slrt=3/3 ec.35/17=2 ec.22/1=2")


def uses_of(report: Report[Any]) -> list[tuple[object, object]]:
    return [(change.before, change.after) for change in report.changes if change.track == "leader-uses"]


@FIGHTING
def test_the_uses_are_counted_and_named() -> None:
    report = over("artamonov+prittwitz+dankl", "leader-uses=artamonov:1")
    assert uses_of(report) == [("artamonov:1", "artamonov:2+prittwitz:1")]
    assert told(report, "Leaders") == [
        "Prittwitz has been used in this combat: his marker comes off",
        "Artamonov has been used in this combat: his marker comes off",
    ]
    first = over("artamonov")
    assert uses_of(first) == [(None, "artamonov:1")]
    assert told(first, "Leaders") == ["Artamonov has been used in this combat: flip his marker"]
    assert uses_of(over("dankl")) == uses_of(over("none")) == []
    assert not fought("artamonov", defender=OF_ARTAMONOV).changes, "nothing is rolled yet"
    report = fought("artamonov", defender=OF_ARTAMONOV, more="leader-uses=artamonov:1")
    assert "Artamonov, use 2 of 2: +1" in told(report, "Odds and column")
    assert "defender's losses: +2 Artamonov, use 2 of 2" in told(report, "Magnitude and losses")
    first = fought("artamonov", defender=OF_ARTAMONOV)
    assert "Artamonov, use 1 of 2: +1" in told(first, "Odds and column")
    assert "defender's losses: +2 Artamonov, use 1 of 2" in told(first, "Magnitude and losses")


@FIGHTING
def test_what_a_leader_would_change_is_named_while_his_player_may_choose() -> None:
    hungarian = AUSTRIAN.format("Second")

    def might(leaders: str, asked: str = "", more: str = "") -> list[str]:
        report = fought(leaders, BRUSILOVS, hungarian, asked=asked, more=more)
        return [line for line in told(report, "What would change it") if "leader=" in line]

    line = "with Brusilov (leader=brusilov): column 1:1, and -1 on the step loss roll of his units"
    assert might("brusilov+francois+rennenkampf") == [line]
    assert might("brusilov", "leader=brusilov") == might("none") == might("rennenkampf") == []
    assert might("brusilov", more="leader-uses=brusilov:2") == []


@pytest.mark.parametrize(
    ("uses", "why"),
    [
        ("brusilow:1", "not a leader with uses"),
        ("prittwitz:2", "prittwitz has 1, not 2"),
        ("artamonov:1.5", "a part of a combat"),
    ],
)
def test_impossible_uses_are_refused(uses: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        fought("prittwitz", more=f"leader-uses={uses}")


STRENGTHS = st.integers(1, 30)


@FIGHTING
@settings(max_examples=examples(10))
@given(attack=STRENGTHS, defence=STRENGTHS)
def test_francois_shifts_two_columns_within_the_chart_and_the_chances_are_those_of_the_shift(
    attack: int, defence: int
) -> None:
    attacker = f"1/1 ({attack}-16-7-11) army=Eighth"
    defender = f"25/3 ({min(defence, 12)}-{defence}-5-10) army=First"
    plain = fought("francois", attacker, defender).result
    led = fought("francois", attacker, defender, asked="leader=francois").result
    typed_in = fought("none", attacker, defender, asked="shift=2 attacker-drm=-2").result
    two_further = Odds.parse(plain.final).shifted(2)
    assert (led.final, led.column) == (str(two_further), str(two_further.within(MIN_ODDS, MAX_ODDS)))
    assert (led.column, led.attacker_drm, led.defender_drm) == (
        typed_in.column,
        typed_in.attacker_drm,
        typed_in.defender_drm,
    )
    assert led.chances == typed_in.chances


AROUND = """turn=1 leaders={leaders} phasing=russian phase=attack {more}
trust charts
40.20 clear: 25/3 (20-12-5-10) army=Eighth, 27/3 (12-12-5-10) army=Eighth
41.19 clear: austro-hungarian infantry XX 3/9 (12-16-7-11) army={army}
41.19|40.20 open
ask {asked}"""


def asked_around(asked: str, leaders: str, army: str = "Second", more: str = "") -> Report[Any]:
    return answered(typed(AROUND.format(leaders=leaders, army=army, asked=asked, more=more)))


def test_searches_and_columns_count_the_leaders() -> None:
    attacks = "attacks side=russian attacker-ap=none defender-ap=none"

    def farthest(leaders: str, asked: str = "", army: str = "Second", more: str = "") -> tuple[str, list[int]]:
        report = asked_around(f"{attacks} {asked}", leaders, army, more)
        (target,) = report.result.targets
        return target.largest.column, [shift.amount for shift in target.largest.shifts if shift.rule == "25.5"]

    plain = farthest("brusilov")
    assert plain == ("2:1", [])
    assert farthest("brusilov", "leader=brusilov") == ("3:1", [1])
    assert farthest("auffenberg", army="Fourth") == ("1:1", [])
    assert farthest("auffenberg", army="Fourth", more="leader-uses=auffenberg:2") == plain
    need = "need at=41.19 column=2:1 attacker-ap=none defender-ap=none"
    plain = asked_around(need, "brusilov").result.attack
    led = asked_around(f"{need} leader=brusilov", "brusilov").result.attack
    assert (plain.total, plain.units) == (32, ("25/3", "27/3"))
    assert (led.total, led.units) == (12, ("27/3",))


def test_an_enemy_may_use_his_leader_against_an_attack_and_oneself_not() -> None:
    def countered(leaders: str, attacker: str = GERMAN, army: str = "Eighth") -> list[tuple[str, str, str]]:
        defender = RUSSIAN.replace("First", army)
        text = EASTERN.format(turn=3, leaders=leaders, attacker=attacker, defender=defender, asked="", more="")
        text = text.replace("ask battle at=40.20", "ask need at=40.20 column=1:1")
        moves = answered(typed(text)).result.countermoves
        return [(move.move, move.rule, move.column) for move in moves if move.rule.startswith("25.")]

    assert countered("brusilov") == [("Brusilov", "25.5", "1:2")]
    assert countered("none") == []
    assert countered("brusilov", army="First") == []
    assert countered("francois", OF_FIRST_CORPS) == [], "the attacker's own"


def test_the_army_of_enemies_is_asked_of_a_side_that_does_not_see_their_displays() -> None:
    def seen(army: str) -> Report[Any]:
        attacker = GERMAN.replace("Eighth", army)
        text = EASTERN.format(turn=1, leaders="prittwitz", more="", attacker=attacker, defender=RUSSIAN, asked="")
        position = typed(text.replace("41.19:", "41.19 announced:"))
        return answered(msgspec.structs.replace(position, state=reduce_state(position.game, position.state, "russian")))

    report = seen("Eighth")
    assert (report.verdict.kind, [ask.name for ask in report.asks]) == ("undecided", ["35/17 army=..."])
    assert to_text(report) == to_text(seen("Ninth"))
