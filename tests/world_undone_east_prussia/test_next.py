"""What a phase still owes, and what `next` carries out (3.2, 5.3, 6.0, 7.1, 7.2, 9.4, 10.6.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.rules.phase_now import ChecklistItem

from ..conftest import told, values
from .asking import state_after, undone

LAST = "scenario=historical phasing=german phase=second-combat\n"
"""The phase in which a game turn ends."""


def items(text: str, name: str) -> list[ChecklistItem]:
    return [item for item in undone(text, "turn").result.now.items if item.name == name]


def item(text: str, name: str) -> ChecklistItem:
    (only,) = items(text, name)
    return only


def following(text: str, **parameters: Any) -> Report[Any]:
    return undone(text, "next", **parameters)


@pytest.mark.rule("7.1/attacks")
def test_the_attacks_of_the_first_turn_are_owed_until_they_are_made_or_paid_for() -> None:
    text = f"turn=1 {LAST}"
    owed = item(f"{text}first-attacks=2\n", "first-attacks")
    assert (owed.state, owed.ask) == ("owed", "close")
    assert "2 of 3 made; `close` gives Russia 50 Victory Points" in owed.text
    refused = following(text)
    assert (refused.verdict.kind, refused.verdict.text) == (
        "no",
        "Second Combat of the German side is not over: 1 step owed",
    )
    assert following(text, leave=["first-attacks"]).verdict.kind == "figure"
    paid = state_after(text, "close")
    assert paid.facts["awarded", "russian"].value == 50
    for done in ("first-attacks=3", "side russian awarded=50"):
        assert item(f"{text}{done}\n", "first-attacks").state == "done"
        assert values(following(f"{text}{done}\n"))["turn", ""] == 2
    assert not items(f"turn=2 {LAST}", "first-attacks")
    assert not items(f"turn=1 variants=schlieffen {LAST}", "first-attacks")


NEAR = "3410 named=Königsberg\n3810: russian infantry second A (12-2) supply=in, russian infantry second B (8-2) supply=in\n"
"""Twenty Strength Points of the Second Army near Königsberg."""


@pytest.mark.rule("7.2")
def test_the_rivalry_of_the_armies_ends_with_the_turn_that_brings_the_second_near_konigsberg() -> None:
    text = f"turn=5 {LAST}{NEAR}"
    assert values(following(text))["rivalry-ended", ""] is True
    assert "they may from now on (next carries it out)" in "\n".join(told(undone(text, "turn")))
    for short in (
        NEAR.replace("(8-2)", "(7-2)"),
        NEAR.replace("supply=in\n", "supply=out\n"),
        NEAR.replace("3810", "4810"),
    ):
        assert ("rivalry-ended", "") not in values(following(f"turn=5 {LAST}{short}"))
        assert item(f"turn=5 {LAST}{short}", "rivalry").state == "impossible"
    assert item(f"{text}rivalry-ended\n", "rivalry").state == "done"
    assert not items(text.replace("german", "russian", 1), "rivalry")
    unknown = following(text.replace("3410 named=Königsberg\n", ""))
    assert [ask.title for ask in unknown.asks] == ["hex of Königsberg"]


@pytest.mark.rule("3.2")
@pytest.mark.parametrize("phase", ["first-movement", "second-movement"])
def test_a_hex_with_too_many_units_is_owed_as_the_movement_ends(phase: str) -> None:
    text = f"turn=5 scenario=historical phasing=russian phase={phase}\n4916: III/25, III/27, IV/30, IV/40\n"
    crowded = item(text, "stacks")
    assert (crowded.state, crowded.places, crowded.ask) == ("owed", ("4916",), "stack at=4916 ended=yes")
    assert following(text).verdict.kind == "no"
    assert item(text.replace(", IV/40", ""), "stacks").state == "done"
    assert item(text.replace("phasing=russian", "phasing=german"), "stacks").state == "done"


@pytest.mark.rule("6.5/overstack")
def test_who_was_over_the_limit_by_a_retreat_counts_again_with_the_next_phase() -> None:
    text = "turn=5 scenario=historical phasing=russian phase=first-movement\n4916: III/25, III/27 over\n"
    changes = values(following(text))
    assert (changes["over", "III/27"], changes["phase", ""]) == (None, "first-combat")


BOTH = (
    "turn=5 scenario=historical phasing=german phase=first-combat\n"
    "5320 clear: I/1 supply=in\n5219 clear: I/2 supply=in\n5420 clear: III/25 supply=in\n5419 clear: III/27 supply=in\n"
    "5320|5420,5419,5219 open\n"
)
"""A German division next to two Russian ones; another behind it."""


@pytest.mark.rule("6.0/attack")
def test_enemies_in_the_zone_of_an_attacker_are_owed_an_attack_until_it_is_made() -> None:
    chart = "".join(f"chart german-table 1:1 {die} = A1\n" for die in range(-1, 10))
    attacked = undone(BOTH + chart, "battle", at=["5420"], answers={"die": "3"})
    assert values(attacked)["must-be-attacked", "5419"] is True
    assert "The enemies in 5419 must be attacked this phase too (ask battle)." in attacked.headline
    assert [consequence.ask for consequence in attacked.follows] == ["battle at=5419"]
    assert ("must-be-attacked", "5420") not in values(attacked)
    second = undone(f"{BOTH}5419 must-be-attacked\n{chart}", "battle", at=["5419"], answers={"die": "3"})
    assert values(second)["must-be-attacked", "5419"] is None
    left = BOTH + "5420 attacked\n5419 must-be-attacked\nI/1 fought disrupted\n"
    owed = item(left, "attacks")
    assert (owed.state, owed.places, owed.ask) == ("owed", ("5419",), "battle at=5419")
    assert following(left).verdict.kind == "no"
    assert ("must-be-attacked", "5419") in values(following(left, leave=["attacks"])), "it ends with the phase"
    for free in ("5419 attacked", "5419 spared"):
        assert item(f"{left}{free}\n", "attacks").state == "done"
        assert not items(f"{left}{free}\n", "must-be-attacked")
    assert item(left.replace("5419 clear: III/27 supply=in\n", ""), "attacks").state == "done", "they have gone"
    assert item(left.replace("must-be-attacked", "must-be-attacked=no"), "attacks").state == "done"
    assert item(BOTH, "attacks").state == "done"


@pytest.mark.rule("6.0/attack")
@pytest.mark.parametrize(
    ("stated", "assumed"),
    [
        ("", []),
        ("I/1 fought", ["5419", "5420"]),
        ("I/1 disrupted", ["5419", "5420"]),
        ("I/1 fought\n5420 attacked", ["5419"]),
        ("I/2 fought\n5420 attacked", ["5419"]),
        ("5420 attacked", ["5419"]),
        ("5420 attacked=no", []),
        ("I/2 fought", []),
        ("I/1 fought\n5420 attacked\n5419 must-be-attacked=no", []),
        ("I/1 fought\n5420 attacked\n5419 spared", []),
        ("I/1 fought\n5420 attacked\n5320|5419 barrier=river", []),
        ("III/25 fought\n5419 must-be-attacked", []),
    ],
)
def test_enemies_in_the_zone_of_an_attacker_of_whom_nothing_is_stated_are_assumed_to_be_free(
    stated: str, assumed: list[str]
) -> None:
    open_ = "5320|5420,5219 open" if "river" in stated else "5320|5420,5419,5219 open"
    text = BOTH.replace("5320|5420,5419,5219 open", open_) + f"{stated}\n"
    first, second = (told(undone(each, "turn"), "Assumed") for each in (text, text.replace("first-", "second-")))
    assert (first == second) is ("disrupted" not in stated), "disruption is of an earlier attack by then"
    said = [line for line in first if "when it attacked" in line]
    assert said == (
        [f"{', '.join(assumed)}: not in the zone of control of a unit when it attacked (must-be-attacked not stated)"]
        if assumed
        else []
    )


@pytest.mark.rule("5.3/entry")
def test_units_that_enter_this_turn_are_owed_in_its_first_phase() -> None:
    text = (
        "turn=4 scenario=historical phasing=german phase=first-movement\nXVII/37 german infantry 8th (7-3) arrives=4\n"
    )
    waiting = item(text, "reinforcements")
    assert (waiting.state, waiting.units) == ("owed", ("XVII/37",))
    assert following(text).verdict.kind == "no"
    assert item(text.replace("arrives=4", "arrives=5"), "reinforcements").state == "impossible"
    assert item(text.replace("phasing=german", "phasing=russian"), "reinforcements").state == "impossible"


@pytest.mark.rule("9.4/41KB")
def test_the_die_for_41kb_is_owed_until_it_is_rolled_or_a_russian_comes_next_to_it() -> None:
    text = "turn=20 scenario=masurian-lakes phasing=german phase=first-movement\n5020: 8A/41KB fixed\n"
    assert item(text, "release").state == "owed"
    assert item(text.replace("fixed", "fixed rolled"), "release").state == "impossible"
    assert item(text.replace(" fixed", ""), "release").state == "impossible"
    met = f"{text}5021: III/25\n"
    assert values(following(met))["fixed", "8A/41KB"] is False
    assert not items(text.replace("5020: 8A/41KB fixed\n", ""), "release")
    text = "scenario=masurian-lakes turn=19 phasing=german phase=first-movement\n4432: 8A/41KB fixed\n"
    assert item(text, "release").state == "impossible"
    met = item(f"{text}4431: IC/1C\n", "release")
    assert (met.state, met.carried_out) == ("owed", True)
    assert item(f"{text}4430: IC/1C\n", "release").state == "impossible"
    assert values(following(f"{text}4431: IC/1C\n"))["fixed", "8A/41KB"] is False


@pytest.mark.rule("10.6.2/roll")
def test_an_army_without_headquarters_owes_its_die_in_the_two_turns_after() -> None:
    def states(turn: int, more: str = "") -> list[str]:
        lost = 'army "russian first" headquarters-lost=5'
        text = f"turn={turn} options=russian-headquarters scenario=historical phasing=russian phase=first-movement\n{lost}{more}\n"
        return [each.state for each in items(text, "recovery")]

    assert [states(turn) for turn in (5, 6, 7, 8)] == [[], ["owed"], ["owed"], []]
    assert states(6, " released=no") == ["impossible"]


@pytest.mark.rule("10.6.2.1/roll")
@pytest.mark.parametrize("phase", ["first-movement", "first-combat", "second-movement", "second-combat"])
def test_samsonovs_die_is_owed_once_his_army_has_lost_25_strength_points(phase: str) -> None:
    def state(lost: int, more: str = "") -> str:
        text = f'turn=8 options=samsonov scenario=historical phasing=german phase={phase}{more}\n3410 named=Königsberg\narmy "russian second" army-lost={lost}\n'
        return item(text, "samsonov").state

    assert (state(25), state(24), state(25, " samsonov=dies samsonov-turn=8")) == ("owed", "impossible", "impossible")


@pytest.mark.rule("8.0/vp", "3.1/artillery")
@pytest.mark.parametrize(
    ("ruling", "with_infantry", "points"), [("", False, []), ("one", False, [1]), ("one", True, [])]
)
def test_heavy_artillery_that_is_lost_alone_counts_a_point_by_a_ruling(
    ruling: str, with_infantry: bool, points: list[int]
) -> None:
    stack = "1A/1HA, 1A/2HA" + (", III/25" if with_infantry else "")
    text = f"turn=5\nphase=first-movement\n4916: {stack}\n" + (f"ruling artillery-points={ruling}\n" if ruling else "")
    gone = undone(text, "stack", at=["4916"], ended=True, answers={"excess.4916": "1A/2HA"})
    assert [change.amount for change in gone.changes if getattr(change, "track", "") == "lost"] == points


@pytest.mark.rule("10.5")
@pytest.mark.parametrize("phase", ["first-movement", "first-combat", "second-movement", "second-combat"])
def test_the_die_for_the_return_of_a_lost_unit_is_owed_in_the_phase_of_its_loss(phase: str) -> None:
    text = f"scenario=historical turn=5 rivalry-ended phasing=german phase={phase} options=replacements\n"
    text += "off-map: XX/28{}\n5320: I/1\n"
    owed = item(text.format(""), "replacements")
    assert (owed.state, owed.units, owed.ask) == ("owed", ("XX/28",), "replace unit=XX/28")
    assert following(text.format("")).verdict.kind == "no"
    assert following(text.format(""), leave=["replacements"]).verdict.kind == "figure"
    rolled = undone(text.format("") + "ask replace unit=XX/28\nanswers replace=3\n")
    assert values(rolled) == {("arrives", "XX/28"): 8}
    assert following(text.format(" arrives=8")).verdict.kind == "figure"
    assert not items(text.format("").replace("options=replacements", ""), "replacements")
