"""Cases: facts are read when a clause needs them, and what is missing is asked for only where something turns on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.asking.case import Action, Case, fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.report import MissingFacts, Step, step
from assistant.asking.view import View

from ...conftest import viewed

RIVER = "20.20 control=russian\n20.21 control=russian\n"


class Bridge(Case):
    """A bridge from one hex to the next."""

    here: str
    there: str

    @fact
    def near(self) -> bool:
        """The Russians control the near hex."""
        return self.facts.word("control", self.here) == "russian"

    @fact
    def far(self) -> bool:
        """The Russians control the far hex."""
        return self.facts.word("control", self.there) == "russian"

    @fact
    def joined(self) -> bool:
        """They control both."""
        return self.near and self.far

    @fact
    def flat(self) -> bool:
        """Neither hex is a mountain."""
        return not {self.facts.word("terrain", hex) for hex in (self.here, self.there)} & {"mountain"}

    def bars(self) -> Iterator[Clause]:
        """Yield what forbids it."""
        yield not self.near, "1.1", "the near hex {here} is not friendly"
        yield not self.far, "1.2", "the far hex is not friendly"
        yield not self.flat, "1.3", "there are mountains"

    def bars_of_both(self) -> Iterator[Clause]:
        """Yield the same for both hexes."""
        yield not self.joined, "1.4", "not both are friendly"

    def either(self) -> Iterator[Clause]:
        """Yield a clause that holds whatever the far hex is."""
        yield self.far, "1.5", "it is friendly"
        yield not self.far or self.near, "1.6", "it is not"


def bridge(text: str) -> Bridge:
    return Bridge(view=viewed(text), here="20.20", there="20.21")


def rules(steps: list[Step]) -> list[str]:
    return [step.rule for step in steps]


def barring(case: Bridge) -> list[str]:
    return rules(list_bars(case, case.bars))


def asked_for(case: Case, *of: str) -> list[str]:
    with pytest.raises(MissingFacts) as missing:
        list_bars(case, *(getattr(case, name) for name in of))
    return [" ".join(ask.key or ()) for ask in missing.value.asks]


def test_a_clause_that_holds_is_a_step_with_the_figures_of_the_case() -> None:
    case = Bridge(here="20.20", near=False, far=True, flat=True)
    assert list_bars(case, case.bars) == [step("1.1", "the near hex {here} is not friendly", here="20.20")]


def test_facts_by_their_values_need_no_position() -> None:
    assert barring(Bridge(near=True, far=True, flat=True)) == []
    assert barring(Bridge(here="20.20", near=False, far=False, flat=False)) == ["1.1", "1.2", "1.3"]


def test_facts_are_read_of_the_position_once() -> None:
    case = bridge(RIVER + "20.20 clear\n20.21 mountain\n")
    assert rules(list_bars(case, case.bars)) == ["1.3"]
    assert (case.near, case.flat, vars(case)["flat"]) == (True, False, False)


def test_what_is_missing_is_asked_for_at_once_and_only_where_nothing_bars() -> None:
    assert asked_for(bridge("20.20 control=russian\n"), "bars") == ["control 20.21", "terrain 20.20", "terrain 20.21"]
    case = bridge("20.20 control=central-powers\n")
    assert rules(list_bars(case, case.bars)) == ["1.1"]


def test_of_several_rules_one_that_bars_leaves_nothing_to_ask_for() -> None:
    case = bridge("20.21 control=central-powers\n")
    assert rules(list_bars(case, case.bars_of_both, case.bars)) == ["1.4", "1.2"]
    assert asked_for(bridge("20.21 control=russian\n"), "bars_of_both") == ["control 20.20"]


def test_a_fact_that_rests_on_a_missing_one_is_worked_out_from_what_is_supposed() -> None:
    case = bridge("20.21 control=central-powers\n")
    assert rules(list_bars(case, case.bars_of_both)) == ["1.4"]
    assert "joined" not in vars(case)


def test_a_clause_holds_that_holds_either_way() -> None:
    case = bridge("20.20 control=russian\n")
    assert rules(list_bars(case, case.either)) == ["1.6"]


class Doubtful(Bridge):
    """A bridge whose far hex forbids it either way, or never."""

    def one_or_the_other(self) -> Iterator[Clause]:
        """Yield clauses of which one holds, whatever the far hex is."""
        yield self.far, "1.7", "it is friendly"
        yield not self.far, "1.8", "it is not"

    def never(self) -> Iterator[Clause]:
        """Yield a clause that does not hold where the near hex is friendly."""
        yield self.far and not self.near, "1.9", "only the far hex is friendly"


def test_what_is_forbidden_either_way_by_another_clause_is_asked_about() -> None:
    case = Doubtful(view=viewed("20.20 control=russian\n"), here="20.20", there="20.21")
    assert asked_for(case, "one_or_the_other") == ["control 20.21"]


def test_nothing_is_asked_where_no_clause_can_hold() -> None:
    case = Doubtful(view=viewed("20.20 control=russian\n"), here="20.20", there="20.21")
    assert list_bars(case, case.never) == []


class Many(Case):
    """A case of many missing facts."""

    hexes: tuple[str, ...]

    def bars(self) -> Iterator[Clause]:
        """Yield a clause for each of nine facts."""
        for name in FACTS:
            yield getattr(self, name), "2.1", name


FACTS = tuple(f"fact{number}" for number in range(10))
for number, name in enumerate(FACTS):
    read = fact(lambda case, hex=f"20.{number + 20}": case.facts.word("control", hex) == "russian")
    read.name = name
    setattr(Many, name, read)


def test_of_very_many_missing_facts_the_first_are_asked_for() -> None:
    asked = asked_for(Many(view=viewed("turn=1\n")), "bars")
    assert asked == [f"control 20.{number}" for number in range(20, 29)]


class Building(Action[dict[str, object]]):
    """A bridge that is built."""

    bridge: Bridge
    title = "A bridge from {here}"
    yes = "it is built[far: to {there}]"
    no = "it is not built"

    @property
    def here(self) -> str:
        """The near hex."""
        return self.bridge.here

    @property
    def there(self) -> str:
        """The far hex."""
        return self.bridge.there

    @fact
    def far(self) -> bool:
        """The far hex is friendly."""
        return self.bridge.far

    def bars(self) -> Iterator[Clause]:
        """Yield what forbids it."""
        yield not self.far, "1.2", "the far hex is not friendly"

    def result(self, *, allowed: bool) -> dict[str, object]:
        """Return the result."""
        return {"allowed": allowed}


def building(text: str) -> Building:
    view: View = viewed(text)
    return Building(view=view, bridge=Bridge(view=view, here="20.20", there="20.21"))


def test_an_action_makes_its_report() -> None:
    report = building(RIVER).report()
    assert (report.title, report.verdict.text, report.result) == (
        "A bridge from 20.20",
        "it is built to 20.21",
        {"allowed": True},
    )
    report = building("20.21 control=central-powers\n").report()
    assert report.verdict.kind == "no"
    assert rules([*report.reasons]) == ["1.2"]
    with pytest.raises(MissingFacts):
        building("turn=1\n").report()
