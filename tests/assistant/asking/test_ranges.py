"""Answers over a range: figures, verdicts and working of two reports as one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.asks import Ask
from assistant.asking.placeholders import Kind, Near, Placeholder
from assistant.asking.ranges import add_as_seen, merge_ends
from assistant.asking.report import (
    MISSING,
    MISSING_ONE,
    ON_YOUR_MAP,
    Consequence,
    Part,
    Report,
    Step,
    Verdict,
    replace_placeholders,
    to_text,
)
from assistant.asking.schemas import report_json
from assistant.asking.wording import Between
from assistant.mechanics.procedure import Modifier
from assistant.state.changes import Change
from assistant.state.tracks import Source


def report(verdict: Verdict, *steps: Step, result: Any = None, **parts: Any) -> Report[Any]:
    return Report(game="g", question="q", title="t", verdict=verdict, parts=(Part("P", steps),), result=result, **parts)


def figure(template: str = "{n} steps", **figures: Any) -> Verdict:
    return Verdict("figure", template, figures)


def test_two_of_the_same_are_one() -> None:
    one = report(figure(n=3), Step("1.1", "{n}", {"n": 3}), result=5)
    assert merge_ends(one, one) == one


@pytest.mark.parametrize(
    ("weakest", "strongest", "text"),
    [(1, 3, "1 to 3"), (3, 1, "1 to 3"), (Fraction(1, 2), 2, "1/2 to 2"), ("3:1", "1:2", "3:1 to 1:2")],
)
def test_figures_that_differ_become_a_range_numbers_the_smaller_first(weakest: Any, strongest: Any, text: str) -> None:
    found = merge_ends(report(figure(n=weakest), result=1), report(figure(n=strongest), result=2))
    assert (found.verdict.kind, found.verdict.text) == ("figure", f"{text} steps")
    assert (found.result, found.between) == (None, (1, 2))


def test_the_answer_as_seen_comes_first_then_the_range() -> None:
    range_of_both = merge_ends(report(figure(n=1), result=1), report(figure(n=3), result=3))
    found = add_as_seen(range_of_both, report(figure(n=2), result=2), blind=False)
    assert found.answers == ("as seen: 2 steps", "over what may be hidden: 1 to 3 steps")
    assert (found.result_as_seen, found.between) == (2, (1, 3))
    assert to_text(found).splitlines()[1:3] == ["= as seen: 2 steps", "= over what may be hidden: 1 to 3 steps"]
    assert b'"text": "2 steps"' in report_json(found)
    assert range_of_both.answers == ("1 to 3 steps",)
    consequence = Consequence(Step("4", "{unit} leaves", {"unit": "A"}), "", Change("leaves", "A", None, 1, "4"))
    assert msgspec.structs.replace(found, follows=(consequence,)).answers == (*found.answers, "A leaves.")


def test_working_of_one_end_alone_gives_way_to_that_of_the_answer_as_seen() -> None:
    """Else what is drawn and rolled for would be that of the weakest, below the answer as seen."""
    roll = Ask(kind="roll", name="crt", title="column 1:1", rule="1", how="roll")
    fact = Ask(kind="fact", name="units", title="who is there", rule="1", how="state it")
    lacking = Verdict("undecided", MISSING_ONE, {"missing": 1})
    strong = msgspec.structs.replace(report(lacking), parts=(), asks=(fact,))
    weak = report(figure(n=1), Step("1", "{n} to 1", {"n": 1}), result=1, asks=(roll,))
    over = merge_ends(weak, strong)
    assert over.drawable == 1
    seen = report(
        figure(n=2),
        Step("1", "{n} to 1", {"n": 2}),
        result=2,
        asks=(msgspec.structs.replace(roll, title="column 1:2"),),
    )
    found = add_as_seen(over, seen, blind=False)
    assert found.parts == seen.parts and found.drawable == 2
    assert [ask.title for ask in found.asks] == ["who is there", "column 1:2"]
    assert found.answers[0] == "as seen: 2 steps" and "1 steps if what is hidden is weak" in found.answers[1]


@pytest.mark.parametrize(
    ("seen", "blind"),
    [
        pytest.param(figure(n=2), True, id="it rests on units of which nothing is seen"),
        pytest.param(Verdict("undecided", "a fact is missing", {}), False, id="it is undecided"),
        pytest.param(figure(n=1), False, id="it says no more than the range"),
    ],
)
def test_an_answer_as_seen_that_says_no_more_is_left_out(seen: Verdict, blind: bool) -> None:
    same = report(figure(n=1), result=1)
    assert add_as_seen(same, report(seen), blind=blind) is same


def test_once_dice_have_fallen_nothing_is_a_range() -> None:
    steps = [Step("1", "{n} in all", {"n": n}) for n in (1, 2)]
    found = merge_ends(report(figure(n=1), steps[0]), report(figure(n=2), steps[1]), bounded=False)
    assert found.verdict.text == "undecided: 1 steps if what is hidden is weak, 2 steps if it is strong"
    assert [step.text for part in found.parts for step in part.steps] == ["weakest: 1 in all", "strongest: 2 in all"]


def test_the_working_of_one_end_alone_is_marked() -> None:
    here, there = report(figure(n=1), Step("1", "one")), msgspec.structs.replace(report(figure(n=2)), parts=())
    assert [part.title for part in merge_ends(here, there).parts] == ["With what is hidden at its weakest", "P"]
    assert [part.title for part in merge_ends(there, here).parts] == ["With what is hidden at its strongest", "P"]
    other = msgspec.structs.replace(there, parts=(Part("Q", here.parts[0].steps),))
    assert [part.title for part in merge_ends(here, other).parts] == [
        "P, with what is hidden at its weakest",
        "Q, with what is hidden at its strongest",
    ]


def test_parts_of_one_title_are_held_against_each_other_in_their_order() -> None:
    def twice(number: int) -> Report[Any]:
        parts = tuple(Part("P", (Step("1.1", "{unit}: {n}", {"unit": unit, "n": number}),)) for unit in "AB")
        return msgspec.structs.replace(report(figure(n=number), result=number), parts=parts)

    found = merge_ends(twice(1), twice(2))
    assert [part.title for part in found.parts] == ["P", "P"]
    assert [step.text for part in found.parts for step in part.steps] == ["A: 1 to 2", "B: 1 to 2"]


def test_what_is_seen_is_not_told_again_over_what_may_be_hidden() -> None:
    here, there = report(figure(n=1)), report(Verdict("undecided", MISSING, {"missing": 2}))
    found = add_as_seen(merge_ends(here, there), here, blind=False)
    assert found.answers == (
        "as seen: 1 steps",
        "over what may be hidden: undecided: the same if what is hidden is weak, not known yet if it is strong",
    )


@pytest.mark.parametrize("bounded", [False, True])
def test_facts_that_are_missing_at_both_ends_are_counted(bounded: bool) -> None:
    ends = (
        report(Verdict("undecided", MISSING_ONE, {"missing": 1})),
        report(Verdict("undecided", MISSING, {"missing": 2})),
    )
    assert merge_ends(*ends, bounded=bounded).verdict.text == "undecided: 1 to 2 facts are missing"


def test_another_verdict_at_the_other_end_is_undecided() -> None:
    found = merge_ends(report(Verdict("yes", "in supply")), report(Verdict("undecided", MISSING, {"missing": 2})))
    text = "undecided: in supply if what is hidden is weak, not known yet if it is strong"
    assert (found.verdict.kind, found.verdict.text) == ("undecided", text)


def test_steps_of_one_kind_are_one_and_the_others_say_to_which_end_they_belong() -> None:
    here = (Step("1", "{unit}: {n}", {"unit": "A", "n": 1}), Step("2", "halved"), Step("3", "{n} in all", {"n": 1}))
    there = (Step("1", "{unit}: {n}", {"unit": "A", "n": 2}), Step("3", "{n} in all", {"n": 4}))
    found = merge_ends(report(figure(n=1), *here), report(figure(n=4), *there))
    assert [step.text for part in found.parts for step in part.steps] == [
        "A: 1 to 2",
        "weakest: halved",
        "1 to 4 in all",
    ]
    a, b = Step("1", "{unit}: {n}", {"unit": "A", "n": 1}), Step("1", "{unit}: {n}", {"unit": "B", "n": 2})
    found = merge_ends(report(figure(n=1), a), report(figure(n=4), b))
    assert [step.text for part in found.parts for step in part.steps] == ["weakest: A: 1", "strongest: B: 2"]
    steps = [Step("1", "one of {all}", {"all": of}) for of in ([1, 2], [3])]
    found = merge_ends(report(figure(n=1), steps[0]), report(figure(n=1), steps[1]))
    assert [step.text for part in found.parts for step in part.steps] == ["weakest: one of 1, 2", "strongest: one of 3"]


def test_what_is_asked_for_keeps_the_modifiers_that_hold_in_any_case() -> None:
    def asked(*amounts: int) -> Ask:
        modifiers = {"EC": tuple(Modifier("1", "why", amount) for amount in amounts)}
        return Ask(kind="roll", name="crt", rule="", title="", how="", modifiers=modifiers)

    more = Ask(kind="fact", name="more", rule="", title="", how="")
    found = merge_ends(report(figure(n=1), asks=(asked(1, 2),)), report(figure(n=2), asks=(asked(2), more)))
    assert [ask.name for ask in found.asks] == ["crt", "more"]
    assert [modifier.amount for modifier in found.asks[0].modifiers["EC"]] == [2]


def test_a_range_as_text_and_as_json() -> None:
    found = report(figure("{n:#step} ({p:%})", n=Between(1, 2), p=Between(Fraction(1, 4), Fraction(1, 2))))
    assert "1 to 2 steps (25.0% to 50.0%)" in to_text(found)
    assert b'"weakest": 1,\n        "strongest": 2' in report_json(found)


def resting(source: Source, facts: dict[str, int], kind: Kind = "other") -> Report[Any]:
    """A report that has read something of placeholders."""
    near = (Near("terrain", "terrain", "wood", ("0101",)),) if kind == "map" else ()
    rests_on = [Placeholder(kind, source, title, count, near) for title, count in facts.items()]
    return replace_placeholders(
        msgspec.structs.replace(report(figure(n=1)), cautions=(Step("", "and so on"),)), rests_on
    )


def test_what_is_not_printed_is_named_once_for_each_source_also_of_the_answer_as_seen() -> None:
    both = merge_ends(resting(Source.DRAWN, {"the map": 30}), resting(Source.DRAWN, {"the map": 31, "arm": 1}))
    assert [caution.text for caution in both.cautions] == [
        "and so on",
        "drawn, not from the printed game: the map (31 facts), arm",
    ]
    assert len(merge_ends(resting(Source.DRAWN, {"arm": 1}), resting(Source.ILLUSTRATIVE, {"arm": 1})).cautions) == 3
    over = merge_ends(report(figure(n=2)), report(figure(n=3)))
    both = add_as_seen(over, resting(Source.DRAWN, {"valley": 1}, "map"), blind=False)
    assert both.mark == "(if the drawn map is right)"
    assert [caution.text for caution in both.cautions] == ["drawn, not from the printed game: valley"]
    assert both.parts[-1].title == ON_YOUR_MAP
