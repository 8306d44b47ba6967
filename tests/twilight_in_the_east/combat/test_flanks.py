"""Who is flanked, and on which unstated hexsides that turns (10.4)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.combat.engagement import Ring
from twilight_in_the_east.combat.flanks import assets_flanked, deciding_hexsides, held_among, judge_flank
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import answered, told, typed
from .test_setup import PAIR, engaged, german
from .test_strength import GUNS, division, fort


@pytest.mark.rule("10.4", "10.4.1", "10.4.4")
def test_hexes_in_enemy_hands_are_counted_but_not_beyond_lakes() -> None:
    around = [(place, set[str]()) for place in "abcdef"]
    assert len(held_among(around, "ab", "cde")) == 5
    assert len(held_among(around, "ab", "bcd")) == 4
    for closed in ("lake", "sea", "impassable"):
        around[0] = ("a", {closed})
        assert len(held_among(around, "ab", "cde")) == 4
    around[0] = ("a", {"major-river"})
    assert len(held_among(around, "ab", "cde")) == 5


@pytest.mark.rule("10.4.2")
def test_lone_asset_units_are_flanked_by_a_division_on_three_hexes() -> None:
    asset = CombatUnit("det 1", "german", "infantry", "III", False, "41.19")
    cavalry = division("1 gdc", arm="cavalry")
    assert assets_flanked([division("25/3")], [asset])
    assert not assets_flanked([division("25/3")], [asset, division("1/1")])
    assert not assets_flanked([division("2 rf/22", size="X")], [asset])
    assert assets_flanked([division("2 rf/22", size="X"), division("1 rf/22", size="X")], [asset])
    assert not assets_flanked([cavalry], [asset])
    assert not assets_flanked([msgspec.structs.replace(asset, nation="russian")] * 3, [asset])
    assert assets_flanked([cavalry, cavalry], [asset])


AROUND = ("40.19", "40.20", "41.20", "42.20", "42.19", "41.18")


def ring(occupied: int, **reach: tuple[str, ...]) -> Ring:
    """Enemies in so many of the hexes around; reach: those in the zone of the attackers in 40.19 and 40.20."""
    zones = {place: frozenset(reach.get(name, ())) for place, name in (("40.19", "first"), ("40.20", "second"))}
    return Ring(tuple((place, frozenset()) for place in AROUND), frozenset(AROUND[:occupied]), zones)


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(
    ("attackers", "ring", "found"),
    [
        pytest.param(PAIR, ring(4), (4, False), id="four are too few"),
        pytest.param(PAIR, ring(5), (5, True), id="five flank it"),
        pytest.param(PAIR, ring(2, first=AROUND[1:5]), (5, True), id="zones count"),
        pytest.param([PAIR[0], GUNS], ring(2, second=AROUND[1:5]), (2, False), id="not those of artillery"),
        pytest.param(
            [PAIR[0], msgspec.structs.replace(PAIR[1], arm="cavalry")],
            ring(2, second=AROUND[1:5]),
            (5, True),
            id="cavalry's",
        ),
    ],
)
def test_a_defender_is_flanked_with_five_hexes_around_in_enemy_hands(
    attackers: list[CombatUnit], ring: Ring, found: tuple[int, bool]
) -> None:
    around = judge_flank(engaged(attackers, [german()], ring=ring))
    assert (around.flank.held, around.flanked) == found


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(("occupied", "said", "flanked"), [(0, True, True), (6, False, False), (6, None, True)])
def test_what_players_say_of_flanks_goes_before_what_the_position_shows(
    occupied: int, said: bool | None, flanked: bool
) -> None:
    assert judge_flank(engaged(PAIR, [german()], ring=ring(occupied), said_flanked=said)).flanked is flanked


@pytest.mark.rule("10.4.2")
@pytest.mark.parametrize(
    ("attackers", "withheld", "ring", "flanked"),
    [
        pytest.param(PAIR, [], ring(2, first=AROUND[2:3]), True, id="three hexes are enough"),
        pytest.param(PAIR, [], ring(2), False, id="two are not"),
        pytest.param(PAIR, [german("W")], ring(2, first=AROUND[2:3]), False, id="a formation that is withheld helps"),
        pytest.param(
            [PAIR[0], msgspec.structs.replace(PAIR[1], formation=False, size="III")],
            [],
            ring(2, second=AROUND[2:3]),
            False,
            id="formations alone count",
        ),
        pytest.param(PAIR, [], ring(4), False, id="who does not attack does not"),
    ],
)
def test_asset_units_alone_are_flanked_by_formations_in_three_hexes(
    attackers: list[CombatUnit], withheld: list[CombatUnit], ring: Ring, flanked: bool
) -> None:
    defenders = [german("a", formation=False, size="III")]
    assert judge_flank(engaged(attackers, defenders, ring=ring, withheld=tuple(withheld))).flanked is flanked


@pytest.mark.rule("10.4.5", "10.4.1")
@pytest.mark.parametrize("arm", ["fortress", "fort"])
def test_a_hex_with_a_fortress_unit_is_never_flanked(arm: str) -> None:
    for defenders in ([fort(arm)], [german(), fort(arm)]):
        around = judge_flank(engaged(PAIR, defenders, ring=ring(6)))
        assert (around.flank.held, around.flank.rule, around.flanked) == (6, "10.4.5", False)
        with pytest.raises(InputError, match="a hex with a fortress unit cannot be flank attacked"):
            judge_flank(engaged(PAIR, defenders, ring=ring(6), said_flanked=True))
    assert judge_flank(engaged(PAIR, [german()], ring=ring(0), said_flanked=True)).flanked, (
        "players may say so of others"
    )


# --- what is not stated -----------------------------------------------------------------------------------------------

FIVE = """turn=5
41.19 clear: {defender}
41.19|40.19,40.20 open
40.19: russian infantry XX A corps=3 (10-12-0-10) back-steps=5
40.20: russian infantry XX B corps=3 (10-12-0-10) back-steps=5
42.20: russian infantry XX C corps=3 (10-12-0-10) back-steps=5
"""
DIVISION = "german infantry XX D corps=1 (12-16-0-11) back-steps=6"
ASSETS = "german infantry III D asset (2-2-0-9)"
AROUND_THEM = ["40.19|41.18", "40.20|41.20", "41.18|41.19", "41.19|41.20", "41.19|42.20"]
"""What may keep one of the five hexes from counting: its own hexside, and those by which zones reach the two that are empty."""


def fought(more: str = "", defender: str = DIVISION, question: str = "battle", **parameters: Any) -> Report[Any]:
    given: dict[str, Any] = {"at": "41.19", "from": "40.19,40.20", "attacker-ap": "none", "defender-ap": "none"}
    return answered(typed(FIVE.format(defender=defender) + more), question, **given | parameters)


def asked_for(report: Report[Any]) -> list[str]:
    return [ask.key[1] for ask in report.asks if ask.kind == "fact"]


@pytest.mark.rule("10.4.4", "10.4.1")
def test_a_flank_that_rests_on_unstated_hexsides_is_asked_about() -> None:
    """A and B stand in two hexes and reach two more, C stands in the fifth."""
    open_ones = [f"{side} open\n" for side in AROUND_THEM]
    report = fought()
    assert (report.verdict.kind, asked_for(report)) == ("undecided", AROUND_THEM)
    assert fought("".join(open_ones)).result.flanked
    for number, side in enumerate(AROUND_THEM):
        others = "".join(open_ones[:number] + open_ones[number + 1 :])
        assert asked_for(fought(others)) == [side]
        assert fought(f"{others}{side} lake\n").result.flanked is False, (
            "each of them decides, and need not be asked for then"
        )


@pytest.mark.rule("10.2.1a")
def test_what_a_player_types_of_a_flank_is_not_asked_about_and_told_as_typed() -> None:
    report = fought(flanked="no")
    said = "not flanked, as typed with flanked=no; 5 of the six hexes around 41.19 are held by the attacker or in its ZOC, as stated"
    assert said in told(report, "Odds and column")
    assert (report.result.flanked, report.result.flanked_as_typed, report.result.held_around) == (False, True, 5)
    assert fought("".join(f"{side} open\n" for side in AROUND_THEM)).result.flanked_as_typed is False
    assert "flanked, as typed with flanked=yes" in " ".join(told(fought(flanked="yes"), "Odds and column"))


@pytest.mark.rule("10.4.4")
def test_nothing_is_asked_about_where_no_hexside_can_decide() -> None:
    assert asked_for(fought(**{"from": "40.20"})) == [], "three hexes at most"


def test_assumed_hexsides_that_decide_are_named_by_the_verdict() -> None:
    """As at the table, where silence is taken to mean that nothing lies there."""
    report = fought("".join(f"{side} open?\n" for side in AROUND_THEM))
    assert report.verdict.kind == "undecided"
    assert [subject for _, subject in report.verdict.figures["about"]] == AROUND_THEM


@pytest.mark.rule("10.4.2")
def test_asset_units_are_flanked_by_a_rule_of_their_own() -> None:
    stated = "".join(f"{side} open\n" for side in [*AROUND_THEM, "40.19|40.20"])
    cleared = FIVE.replace("42.20: russian infantry XX C corps=3 (10-12-0-10) back-steps=5\n", "")
    given: dict[str, Any] = {"at": "41.19", "attacker-ap": "none", "defender-ap": "none"}
    report = answered(typed(cleared.format(defender=ASSETS) + stated), "battle", **given)
    assert (report.result.flanked, report.result.flank_rule, report.result.held_by_formations) == (True, "10.4.2", 4)
    (line,) = [step for part in report.parts for step in part.steps if step.rule == "10.4.2"]
    assert line.text == (
        "4 of the six hexes around 41.19 are held by attacking formations or in their ZOC, as stated: "
        "Asset Units without a formation are flanked (three hexes are needed)"
    )
    usual = answered(typed(cleared.format(defender=DIVISION) + stated), "battle", **given)
    assert (usual.result.flanked, usual.result.flank_rule) == (False, "10.4.1")


@pytest.mark.rule("10.4.5")
def test_a_fortress_hex_shows_who_stands_around_it_all_the_same() -> None:
    report = fought(defender="german fort - F (4-?-?-?) fssm=2, " + DIVISION, more="41.19|42.20 open\n")
    said = "a hex with a fortress unit cannot be flank attacked; 5 of the six hexes around 41.19 are held by the attacker or in its ZOC, as stated"
    assert said in told(report, "Odds and column")
    assert (report.result.flanked, report.result.flank_rule, asked_for(report)) == (False, "10.4.5", [])


def test_a_ranking_of_attacks_asks_for_the_same_hexsides() -> None:
    given = {"at": "41.19", "attacker-ap": "none", "defender-ap": "none", "side": "russian"}
    report = answered(typed(FIVE.format(defender=DIVISION) + "41.19|42.20 open\n"), "attacks", **given)
    of_all_three = {*AROUND_THEM, "41.19|42.19", "41.20|42.20", "42.19|42.20"} - {"41.19|42.20"}
    assert {ask.key[1] for ask in report.asks} == of_all_three


def test_of_a_part_of_the_attackers_each_hex_may_decide() -> None:
    """A alone never flanks; with B it may, across what is not stated between B and the hexes that it reaches."""
    ring = Ring(
        tuple((place, frozenset()) for place in AROUND),
        frozenset(AROUND[:1]),
        {"40.19": frozenset(AROUND[1:3]), "40.20": frozenset(AROUND[3:5])},
        unsaid=("40.20|42.20",),
    )
    assert deciding_hexsides(engaged(PAIR, [german()], ring=ring), any_part=True) == ["40.20|42.20"]
    assert deciding_hexsides(engaged([PAIR[0]], [german()], ring=ring), any_part=True) == []
