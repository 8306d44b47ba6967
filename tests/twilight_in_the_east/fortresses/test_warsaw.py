"""The Warsaw Garrison (24.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking.report import MissingFacts, Report, to_brief
from assistant.game.viewpoint import reduce_state
from assistant.util.errors import InputError
from twilight_in_the_east.fortresses.warsaw import (
    Guard,
    Strength,
    bars_garrison_end,
    count,
    is_leaving,
    is_of_garrison,
    is_place_of_garrison,
    must_be_complete,
    shortfall,
)
from twilight_in_the_east.movement.march.ends import steps_against_ends

from ...conftest import answered, told, typed, values, viewed
from ..turn.listing import followed, listed, states

pytestmark = pytest.mark.rule("24.1.1", "24.1.1b", "24.1.2")
"""What binds the garrison is judged together, as one report has it."""

NONE = Strength(Fraction(0), 0, 0)
HALF, STEP, AT_WARSAW = replace(NONE, divisions=Fraction(1, 2)), replace(NONE, steps=1), replace(NONE, at_warsaw=1)
ENOUGH = Strength(Fraction(3), 35, 25)
DIVISION = Guard("A", "XX", 12, near=True, at_warsaw=True)


def test_what_counts_of_the_garrison_and_what_it_lacks() -> None:
    assert count([]) == NONE
    assert count([DIVISION]) == Strength(Fraction(1), 12, 12)
    assert count([replace(DIVISION, at_warsaw=False)]) == Strength(Fraction(1), 12, 0)
    assert count([replace(DIVISION, near=False)]) == Strength(Fraction(1), 0, 0), "attached, wherever it stands"
    assert count([replace(DIVISION, size="X", steps=6)]) == Strength(Fraction(1, 2), 6, 6)
    assert count([replace(DIVISION, size="", steps=2)]) == Strength(Fraction(0), 2, 2), "an Asset Unit has steps alone"
    assert count([DIVISION, replace(DIVISION, id="B", at_warsaw=False)]) == Strength(Fraction(2), 24, 12)
    assert shortfall(ENOUGH) == NONE
    assert shortfall(Strength(Fraction(4), 50, 40)) == NONE
    assert shortfall(NONE) == ENOUGH
    assert shortfall(Strength(Fraction(5, 2), 34, 24)) == Strength(Fraction(1, 2), 1, 1)
    assert NONE.is_none
    assert not any(lacking.is_none for lacking in (HALF, STEP, AT_WARSAW))


OF = 'army="Warsaw Garrison"'
NOW = "board east\ncampaign\nturn={}\nphase={}\nphasing={}\n"
FULL = f"""58.52: russian infantry XX A (14-9-0-10) {OF}, russian infantry XX B (12-9-0-10) {OF}
61.48: russian infantry XX C (9-9-0-10) {OF}
"""
SHORT = FULL.replace("(12-9", "(9-9")


def now(turn: int = 3, phase: str = "movement", phasing: str = "russian") -> str:
    return NOW.format(turn, phase, phasing)


def test_a_garrison_that_is_strong_enough() -> None:
    report = answered(typed(now() + FULL), "garrison")
    assert report.verdict.text == "the Warsaw Garrison is complete"
    assert told(report, "Strength") == [
        "3 of 3 infantry divisions attached",
        "35 of 35 infantry steps in or adjacent to Warsaw, Novo-Georgievsk or Zegrze",
        "26 of 25 infantry steps in or adjacent to Warsaw",
    ]
    assert values(report) == {("warsaw-complete", ""): True}
    assert (report.result.met, report.result.locked, report.result.outside) == (True, False, ())
    again = answered(typed(now() + FULL + "warsaw-complete"), "garrison")
    assert (again.changes, told(again, "Units")) == ((), [])


def test_a_garrison_that_is_short() -> None:
    report = answered(typed(now() + SHORT), "garrison")
    text = "the Warsaw Garrison is short by 3 infantry steps, 2 infantry steps near Warsaw"
    assert (report.verdict.kind, report.verdict.text.replace(" and ", ", ")) == ("no", text)
    assert report.result.locked
    assert told(report, "Units") == [
        "no combat unit may leave it until it is complete, which it must be by the start of GT 6"
    ]
    later = answered(typed(now() + SHORT + "warsaw-complete"), "garrison")
    assert told(later, "Units") == ["it has to be complete at the end of each Russian movement phase"]
    assert later.result.locked is False
    brigade = answered(typed(now() + FULL.replace("XX C", "X C")), "garrison")
    assert brigade.verdict.text == "the Warsaw Garrison is short by 1/2 division"


def test_asset_units_count_with_the_formation_that_they_are_with() -> None:
    more = SHORT.replace("58.52: ", "58.52: russian infantry III D (4-4-0-9), ")
    report = answered(typed(now() + more), "garrison")
    assert report.result.met
    alone = answered(typed(now() + SHORT + f"58.53: russian infantry III D (4-4-0-9) {OF}\n"), "garrison")
    assert alone.result.strength == Strength(Fraction(3), 36, 27), "as it is recorded, and adjacent to Warsaw"
    assert alone.result.outside == ("D",)
    others = answered(typed(now() + SHORT + "58.53: russian infantry III D (4-4-0-9)\n"), "garrison")
    assert others.result.strength == Strength(Fraction(3), 32, 23)
    second = SHORT.replace("58.52: ", "58.52: russian infantry III D (4-4-0-9) army=Second, ")
    assert answered(typed(now() + second), "garrison").result.strength == Strength(Fraction(3), 32, 23)
    guns = SHORT.replace("58.52: ", f"58.52: russian artillery - G {OF}, russian cavalry XX R (9-9-0-9) {OF}, ")
    assert answered(typed(now() + guns), "garrison").result.strength == Strength(Fraction(3), 32, 23)


def test_a_garrison_far_away() -> None:
    away = FULL.replace("61.48", "66.60")
    report = answered(typed(now() + away), "garrison")
    assert report.result.strength == Strength(Fraction(3), 26, 26)
    assert report.result.outside == ("C",)
    assert told(report, "Units")[-1].startswith("out of place: C")


@pytest.mark.rule("1.1")
def test_outside_the_campaign_nothing_binds() -> None:
    text = now().replace("campaign\n", "campaign=no\n")
    report = answered(typed(text + SHORT), "garrison")
    assert (report.result.locked, report.changes) == (False, ())
    assert answered(typed(text + FULL), "garrison").changes == ()


def test_the_enemy_does_not_learn_of_it() -> None:
    position = typed(now() + FULL)
    with pytest.raises(InputError, match="the Warsaw Garrison is the enemy's"):
        answered(position.with_state(reduce_state(position.game, position.state, "central-powers")), "garrison")


def test_where_its_units_may_stand() -> None:
    text = """60.50: russian fort - F complex=W
58.52: russian fortress - G complex=W
61.49: russian fort - H complex=N
61.48: russian fortress - J complex=N
63.60: russian fort - K complex=M
"""
    view = viewed(now() + text)
    hexes = ("58.52", "61.48", "57.48", "60.50", "61.49", "63.60", "58.53")
    with view.gather() as facts:
        inside = [hex for hex in hexes if is_place_of_garrison(facts, hex)]
    assert inside == ["58.52", "61.48", "57.48", "60.50", "61.49"]
    unstated = viewed(now() + text.replace(" complex=W", ""))
    with pytest.raises(MissingFacts) as missing, unstated.gather() as facts:
        assert not is_place_of_garrison(facts, "60.50")
    assert {ask.key for ask in missing.value.asks} >= {("complex", "F"), ("complex", "G")}


def test_who_belongs_to_it() -> None:
    others = "44.20: russian infantry XX O, russian infantry III D (4-4-0-9)\n61.48: russian infantry XX E\n"
    view = viewed(now() + FULL + others)
    with view.gather() as facts:
        assert [unit.id for unit in view.units() if is_of_garrison(facts, unit)] == ["A", "B", "C"]


def test_what_keeps_a_unit_from_ending_elsewhere() -> None:
    view = viewed(now() + FULL + "44.20: russian infantry XX O\n")
    with view.gather() as facts:
        line = bars_garrison_end(facts, "A", "58.53")
        assert line is not None and bars_garrison_end(facts, "B", "61.48") is None
    assert line.rule == "24.1.2"
    assert line.text.startswith("A belongs to the Warsaw Garrison, and ends its movement only in the complexes")
    plain = viewed(now().replace("campaign\n", "campaign=no\n") + FULL)
    with plain.gather() as facts:
        assert bars_garrison_end(facts, "A", "58.53") is None


@pytest.mark.parametrize(
    ("text", "unit", "before", "after", "leaves"),
    [
        (SHORT, "A", "russian Warsaw Garrison", "russian Second", True),
        (SHORT, "A", "russian Warsaw Garrison", "russian Warsaw Garrison", False),
        (SHORT, "A", "russian Second", "russian First", False),
        (FULL, "A", "russian Warsaw Garrison", "russian Second", False),
        (SHORT + "warsaw-complete\n", "A", "russian Warsaw Garrison", "russian Second", False),
        (SHORT + "58.52: russian cavalry XX T\n", "T", "russian Warsaw Garrison", "russian Second", True),
        *(
            (SHORT + f"58.52: russian {arm} - T\n", "T", "russian Warsaw Garrison", "russian Second", False)
            for arm in ("corps-train", "artillery", "fortress", "fort", "minor-depot", "major-depot")
        ),
    ],
)
def test_who_would_leave_it(text: str, unit: str, before: str, after: str, leaves: bool) -> None:
    assert is_leaving(viewed(now() + text), unit, before, after) is leaves
    assert is_leaving(viewed(now().replace("campaign\n", "campaign=no\n") + text), unit, before, after) is False


def test_no_unit_is_attached_elsewhere_before_it_is_complete() -> None:
    text = now(phase="attachment") + "44.20: russian infantry XX O army=Second\n"
    given = {"unit": "A", "attachment_phase": True, "army": "Second"}
    report = answered(typed(text + SHORT), "attach", **given)
    assert told(report, "Not allowed") == [
        "A: no combat unit leaves the Warsaw Garrison until it is complete for the first time"
    ]
    assert answered(typed(text + FULL), "attach", **given).result.allowed


def test_a_move_ends_in_its_fortresses() -> None:
    text = now() + FULL.replace(f"XX A (14-9-0-10) {OF}", f"XX A (14-9-0-10) {OF} movement=7")
    out = answered(typed(text), "move", units=("A",), way=("58.51",), ground=(1.0,))
    assert out.verdict.kind == "no"
    assert "A belongs to the Warsaw Garrison" in told(out, "Not allowed")[0]
    through = ("58.51", "58.50", "57.49", "57.48")
    arrives = answered(typed(text), "move", units=("A",), way=through, ground=(1.0,) * 4)
    assert told(arrives, "Not allowed") == []
    assert values(arrives)["place", "A"] == "57.48"
    free = answered(
        typed(text.replace(f"10) {OF} mov", "10) mov")), "move", units=("A",), way=("58.51",), ground=(1.0,)
    )
    assert values(free)["place", "A"] == "58.51"


def test_its_reach_is_its_fortresses() -> None:
    text = now() + "trust charts\n" + FULL.replace(f"XX A (14-9-0-10) {OF}", f"XX A (14-9-0-10) {OF} movement=7")
    report = answered(typed(text), "reach", units=("A",), forced=False)
    other = answered(typed(text.replace(f"10) {OF} mov", "10) mov")), "reach", units=("A",), forced=False)
    free = {place.hex for place in other.result.hexes}
    assert {place.hex for place in report.result.hexes} == free & {"58.52", "57.48", "61.48"} != set()
    shut = {option.hex: option for option in report.result.barred if option.rule == "24.1.2"}
    assert shut.keys() == free - {"58.52", "57.48", "61.48"}
    assert shut["58.51"].barred.startswith("A belongs to the Warsaw Garrison")
    both = text.replace(f"XX B (12-9-0-10) {OF}", "XX B (12-9-0-10) movement=7")
    together = answered(typed(both), "reach", units=("B", "A"), forced=False)
    assert together.result.hexes == ()
    assert {option.rule for option in together.result.barred} == {"24.1.2"}


def test_it_meets_others_and_goes_by_rail_only_within_its_fortresses() -> None:
    text = f"{now()}trust charts\n" + FULL.replace(f"10) {OF}", f"10) {OF} movement=7")

    def meets(to: str) -> bool:
        return bool(answered(typed(text), "reach", units=("A",), to=to, forced=False).result.coming[0].arrives)

    assert meets("57.48") and not meets("58.51")
    view = viewed(text)
    assert steps_against_ends(view, {"A": "57.48"}) == []
    for end in ("58.51", "Bukowina Holding Box", None):
        (line,) = steps_against_ends(view, {"A": end})
        assert line.text.startswith("A belongs to the Warsaw Garrison")


def test_the_checklist_of_a_russian_movement_phase_has_the_garrison() -> None:
    campaign = "campaign\nboard east\n"
    assert states(listed(campaign + SHORT, "movement", "garrison", turn=5)) == [("possible", ())]
    (item,) = listed(campaign + SHORT, "counter-movement", "garrison", "central-powers", turn=5)
    assert (item.state, item.ask, item.rule) == ("owed", "garrison", "24.1.1")
    assert item.text.endswith("it is short by 3 infantry steps, 2 infantry steps near Warsaw")
    (item,) = listed(campaign + SHORT, "movement", "garrison", turn=5)
    assert item.text.endswith(
        "it is short by 3 infantry steps, 2 infantry steps near Warsaw, and must be complete by the start of GT 6"
    )
    assert item.ask == "garrison"
    complete = campaign + SHORT + "warsaw-complete"
    assert states(listed(complete, "movement", "garrison", turn=2)) == [("owed", ())]
    position = typed(f"turn=6\nphase=movement\nphasing=russian\n{campaign}{SHORT}")
    enemy = position.with_state(reduce_state(position.game, position.state, "central-powers"))
    assert not [each for each in answered(enemy, "turn").shown.now.items if each.name == "garrison"]
    unstated = answered(typed(f"turn=6\nphase=movement\nphasing=russian\n{SHORT}"), "turn")
    left = "the rule that the Warsaw Garrison has to be complete holds only in the campaign game (c); state `campaign` if this is one"
    assert left in told(unstated, "Assumed")
    assert states(listed(campaign + SHORT, "movement", "garrison", turn=6)) == [("owed", ())]
    assert listed(campaign + SHORT, "movement", "garrison", "central-powers", turn=6) == []
    assert states(listed(campaign, "movement", "garrison")) == [("impossible", ())]
    assert states(listed("campaign=no\n" + SHORT, "movement", "garrison")) == [("impossible", ())]
    outside = listed(campaign + FULL + f"66.60: russian infantry X D (6-6-0-9) {OF}", "movement", "garrison")
    assert ("owed", ("D",)) in states(outside)
    (item,) = (each for each in outside if each.units)
    assert (item.ask, item.rule) == ("garrison", "24.1.2")
    assert item.text.endswith("D must end in the complexes of Warsaw and Novo-Georgievsk, or in Zegrze")


def test_that_it_is_complete_is_kept_as_the_phase_ends() -> None:
    campaign = "campaign\nboard east\n"
    (item,) = listed(campaign + FULL, "movement", "garrison")
    assert (item.state, item.carried_out) == ("owed", True)
    assert values(followed(campaign + FULL, "movement"))["warsaw-complete", ""] is True
    assert states(listed(campaign + FULL + "warsaw-complete", "movement", "garrison")) == [("done", ())]


LINE = """board east
trust charts counters
weather=normal
nation russian rail-points=10
"""


def by_rail(text: str, to: str, campaign: str = "campaign\n", rate: int = 9) -> Report[Any]:
    position = typed(f"turn=5\nphase=movement\nphasing=russian\n{LINE}{campaign}{text}")
    return answered(position, "rail", units=("1st Rifle",), to=(to,) if to else (), rate=rate)


RIFLES = f'61.48: "1st Rifle" movement=7 rail-cost=3 {OF}\n'
BARRED = "1st Rifle belongs to the Warsaw Garrison, and ends its movement only in the complexes of Warsaw and Novo-Georgievsk, or in Zegrze"


def test_by_rail_too_its_units_end_in_its_fortresses() -> None:
    out = by_rail(RIFLES, "61.43")
    assert (out.verdict.kind, told(out, "Not allowed"), out.changes) == ("no", [BARRED], ())
    there = by_rail(RIFLES, "58.52")
    assert values(there)["place", "1st Rifle"] == "58.52"
    free = by_rail(RIFLES.replace(OF, "army=Second"), "61.43")
    assert values(free)["place", "1st Rifle"] == "61.43"
    assert by_rail(RIFLES, "61.43", "campaign=no\n").result.allowed


def test_by_rail_neither_the_end_of_the_phase_nor_the_destination_lies_outside() -> None:
    weary = RIFLES.replace("movement=7", "movement=3")
    assert told(by_rail(weary, "61.43"), "Not allowed") == [BARRED], "it only entrains in this phase"
    begins = by_rail(RIFLES.replace("movement=7", "movement=2"), "")
    assert values(begins)["task", "1st Rifle"] == "entraining", "it names no destination yet"
    slow = RIFLES.replace("movement=7", "movement=4")
    assert told(by_rail(slow, "58.52"), "Not allowed") == [], "it reaches Warsaw with the fourth point"
    halfway = by_rail(slow.replace("rail-cost=3", "rail-cost=3 entrained destination=58.52"), "")
    assert values(halfway)["place", "1st Rifle"] == "58.52"
    assert told(by_rail(RIFLES.replace("movement=7", "movement=5"), "58.52", rate=2), "Not allowed") == [BARRED]
    later = typed(
        f"turn=5\nphase=attack\nphasing=russian\n{LINE}campaign\n{RIFLES.replace('movement=7', 'movement=5')}"
    )
    assert answered(later, "rail", units=("1st Rifle",), to=("58.52",), rate=2).result.allowed


def test_where_the_campaign_is_not_stated_the_prompt_says_what_is_left_out() -> None:
    left = "the rule that units of the Warsaw Garrison end their movement in its fortresses holds only in the campaign game (c); state `campaign` if this is one"
    for report in (
        by_rail(RIFLES, "61.43", ""),
        answered(typed(now().replace("campaign\n", LINE) + RIFLES), "move", units=("1st Rifle",), way=("61.47",)),
        answered(typed(now().replace("campaign\n", LINE) + RIFLES), "reach", units=("1st Rifle",), forced=False),
    ):
        (part,) = (part for part in report.parts if part.title == "Assumed")
        assert part.brief == left and left in told(report, "Assumed")
        assert f"Assumed: {left}" in " ".join(to_brief(report).split())
    stated = by_rail(RIFLES, "61.43", "campaign=no\n")
    assert not [part for part in stated.parts if part.title == "Assumed" and part.brief]


def leaving(text: str, unit: str) -> Report[Any]:
    return answered(typed(now(phase="attachment") + text), "attach", unit=unit, attachment_phase=True, army="Second")


def test_who_leaves_a_complete_garrison_is_told_what_it_lacks_then() -> None:
    other = "44.20: russian infantry XX O army=Second\n"
    (line,) = told(leaving(FULL + other, "A"), "The Warsaw Garrison")
    assert line == (
        "short by 1 division, 14 infantry steps, 13 infantry steps near Warsaw: 2 of 3 divisions, 21 of 35 infantry steps, "
        "12 of 25 of them near Warsaw; that must be made up by the end of the Russian movement phase"
    )
    unknown = FULL.replace("(12-9-0-10)", "") + other + "warsaw-complete\n"
    report = leaving(unknown, "A")
    assert told(report, "The Warsaw Garrison") == [] and report.result.allowed, "the steps of B are not stated"
    assert values(leaving(FULL + other, "A")) == {("army", "A"): "Second"}
    corps = typed(now(phase="attachment") + FULL + other + "44.21: 27/3 army=Second\n")
    joined = answered(corps, "attach", unit="A", attachment_phase=True, army="Second", corps="3")
    assert values(joined) == {("army", "A"): "Second", ("corps", "A"): "3"}
    late = typed(now(phase="movement") + FULL + other)
    too_late = answered(late, "attach", unit="A", attachment_phase=False, army="Second")
    assert told(too_late, "The Warsaw Garrison") == [] and not too_late.result.allowed
    spare = f"58.52: russian infantry X S (6-6-0-9) {OF}\n"
    assert told(leaving(FULL + other + spare, "S"), "The Warsaw Garrison") == []
    unstated = typed(now(phase="attachment").replace("campaign\n", "") + FULL + other)
    report = answered(unstated, "attach", unit="A", attachment_phase=True, army="Second")
    assert told(report, "The Warsaw Garrison") == [] and report.result.allowed
    left = "the rule that the Warsaw Garrison has to be complete holds only in the campaign game (c)"
    assert any(text.startswith(left) for text in told(report, "Assumed"))
    assert (
        told(
            answered(
                typed(now(phase="attachment") + FULL + other),
                "attach",
                unit="O",
                attachment_phase=True,
                army="Warsaw Garrison",
            ),
            "The Warsaw Garrison",
        )
        == []
    )


def test_by_when_it_has_to_be_complete() -> None:
    due = [must_be_complete(turn, complete=False, last=False) for turn in (1, 4, 5, 6, 47)]
    assert due == [False, False, False, True, True]
    assert [must_be_complete(turn, complete=False, last=True) for turn in (4, 5, 6)] == [False, True, True]
    assert must_be_complete(2, complete=True, last=False)
