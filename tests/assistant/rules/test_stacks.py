"""Stacks against limits that a game gives: what is too much, what may go, and whose choice that is."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import msgspec
import pytest

from assistant.asking.question import answer_question
from assistant.asking.report import Report
from assistant.asking.view import Gather, View, changed
from assistant.rules.stacks import (
    MAX_UNITS_LISTED,
    Limits,
    Stacks,
    StacksAsked,
    beyond,
    choose_excess,
    find_excess,
    removals,
    stack_question,
)
from assistant.state.changes import AnyChange
from assistant.state.state import Unit
from assistant.util.errors import InputError

from ...conftest import told, viewed


class Piece(NamedTuple):
    id: str
    nation: str
    arm: str


def two_and_a_gun(units: Collection[Piece]) -> bool:
    guns = sum(unit.arm == "artillery" for unit in units)
    return guns <= 1 and len(units) - guns <= 2


class TwoAndAGun(Limits[Piece]):
    limit_rule = "3.1"
    excess_rule = "3.2"
    mixed_rule = "3.3"
    ends = "the turn"
    lost = " for nothing"
    together = "and quarrel"

    def read(self, facts: Gather, unit: Unit) -> Piece:
        return Piece(unit.id, facts.word("nation", unit.id), facts.word("arm", unit.id))

    def fits(self, units: Collection[Piece]) -> bool:
        return two_and_a_gun(units)

    def mixes(self, unit: Piece) -> bool:
        return unit.arm == "artillery"

    def gone(self, view: View, unit: str, rule: str) -> list[AnyChange]:
        return [changed(view, "place", unit, None, rule)]


QUESTION = stack_question(TwoAndAGun())
FULL = "41.19: german infantry XX A, german infantry XX B, austro-hungarian artillery - Gun\n"
CROWDED = FULL.replace("XX B", "XX B, austro-hungarian infantry XX C")


def stacks(text: str, answers: dict[str, str] | None = None, **asked: object) -> Report[Stacks]:
    return answer_question(QUESTION, viewed(text), msgspec.convert(asked, StacksAsked), answers or {})


def test_a_stack_within_the_limits_and_hexes_that_are_named() -> None:
    text = FULL + "45.19: russian infantry XX R\n"
    found = stacks(text)
    assert (found.verdict.kind, found.verdict.text) == ("yes", "within the stacking limits: 1 stack")
    assert told(found) == ["41.19: A, B, Gun, within the limits"]
    assert [one.at for one in stacks(text, at=["45.19"]).result.stacks] == ["45.19"]  # type: ignore[union-attr]
    with pytest.raises(InputError, match="no unit is in 40.20"):
        stacks(text, at=["40.20"])
    with pytest.raises(InputError, match="at: Bukowina Holding Box is not a hex"):
        stacks(CROWDED + '"Bukowina Holding Box": german infantry XX D\n', at=["Bukowina Holding Box"])


def test_too_much_may_stay_until_the_turn_ends_and_then_the_owner_chooses_what_goes() -> None:
    found = stacks(CROWDED)
    assert (found.verdict.kind, found.changes, found.asks) == ("no", (), ())
    assert told(found) == [
        "41.19: A, B, C, Gun, too many",
        "41.19: German, Austro-Hungarian units stand together, and quarrel",
        "41.19: at the end of the turn, the owner must eliminate for nothing one of: A, B, C",
    ]
    assert [step.rule for step in found.parts[0].steps] == ["3.1", "3.3", "3.2"]
    (due,) = stacks(CROWDED, ended=True).asks
    assert (due.name, due.rule, due.options) == ("excess.41.19", "3.2", ("A", "B", "C"))
    (gone,) = stacks(CROWDED, {"excess.41.19": "B"}, ended=True).changes
    assert (gone.track, gone.subject, gone.after, gone.rule) == ("place", "B", None, "3.2")  # type: ignore[union-attr]


def test_no_choice_is_taken_where_too_many_units_stand_to_list_them() -> None:
    crowd = f"41.19: {', '.join(f'german infantry XX A{number}' for number in range(14))}\n"
    report = stacks(crowd, ended=True)
    assert told(report)[-1].endswith("one of: as many as it takes")
    assert report.asks == report.changes == ()
    with pytest.raises(InputError, match="no choice of that name is due") as refused:
        stacks(crowd, {"excess.41.19": "A1"}, ended=True)
    assert "more than 12 units" in refused.value.hint


def test_the_smallest_sets_go_and_a_single_one_leaves_no_choice() -> None:
    pieces = [Piece(name, "german", "infantry") for name in "ABC"]
    assert find_excess(pieces[:2], two_and_a_gun) == ()
    guns = [*pieces[:2], Piece("G", "german", "artillery"), Piece("H", "german", "artillery")]
    assert find_excess(guns, two_and_a_gun) == (("G",), ("H",))
    assert choose_excess("excess", "3.2", "41.19", (("A", "B"),), {}) == (("A", "B"), ())
    assert choose_excess("excess", "3.2", "41.19", (), {}) == ((), ())


class Late(TwoAndAGun):
    def own(self, view: View, at: str) -> bool:
        return at != "45.19"

    def late(self, unit: Piece) -> bool:
        return unit.id in ("B", "Gun")

    def stays(self, view: View, unit: str) -> list[AnyChange]:
        return [changed(view, "fought", unit, True, "3.4")] if unit == "B" else []


def late(text: str, answers: dict[str, str] | None = None, **asked: object) -> Report[Stacks]:
    return answer_question(stack_question(Late()), viewed(text), msgspec.convert(asked, StacksAsked), answers or {})


def test_units_that_came_late_go_before_others_as_far_as_they_suffice() -> None:
    assert late(CROWDED).result.stacks[0].excess == (("B",),)
    more = CROWDED.replace("XX C", "XX C, german infantry XX D")
    assert late(more).result.stacks[0].excess == (("A", "B"), ("B", "C"), ("B", "D"))
    assert late(FULL.replace(" - Gun", " - Gun, german artillery - Gun2")).result.stacks[0].excess == (("Gun",),)


def test_only_stacks_of_the_side_whose_phase_ends_lose_their_excess_and_the_others_are_told_when() -> None:
    both = CROWDED + "45.19: russian infantry XX R, russian infantry XX S, russian infantry XX T\n"
    report = late(both, {}, ended=True)
    assert [(one.subject, one.after) for one in report.changes] == [("B", None)]
    assert [line.split(",")[0] for line in told(report) if "must" in line] == [
        "41.19: now",
        "45.19: at the end of the turn",
    ]


def test_what_changes_for_units_that_stay_changes_once_nothing_is_left_to_choose() -> None:
    assert [one.subject for one in late(FULL, ended=True).changes] == ["B"]
    assert late(FULL).changes == ()
    alone = "41.19: german infantry XX B\n42.19: german infantry XX A\n"
    assert [stack.at for stack in late(alone, ended=True).result.stacks] == ["41.19"]
    assert late(alone).result.stacks == ()
    crowd = "41.19: german infantry XX A, german infantry XX B, german infantry XX C, german infantry XX D\n"
    waits = late(crowd, ended=True)
    assert (len(waits.asks), waits.changes) == (1, ())
    settled = late(crowd, {"excess.41.19": "A,B"}, ended=True)
    assert [(one.track, one.subject) for one in settled.changes] == [("place", "A"), ("place", "B")]


def test_who_arrives_beyond_what_a_hex_holds() -> None:
    a, b, c = (Piece(name, "german", "infantry") for name in "ABC")
    guns = [Piece(name, "german", "artillery") for name in ("Gun", "Gun2")]
    assert beyond([a], [b, c, *guns], two_and_a_gun) == ["C", "Gun2"]
    assert beyond([], [c, b, a], two_and_a_gun) == ["A"]


def test_each_set_is_enough_and_no_smaller_one_is_and_nothing_goes_where_all_fits_or_too_much_is_to_list() -> None:
    weight = {"a": 3, "b": 1, "c": 1, "d": 1}
    found = removals([*weight], lambda left: sum(weight[name] for name in left) <= 4)
    assert found == (("a",), ("b", "c"), ("b", "d"), ("c", "d"))
    assert removals(["a", "b"], lambda left: True) == ()
    assert removals([str(number) for number in range(MAX_UNITS_LISTED + 1)], lambda left: len(left) < 2) == ()
