"""Cases: facts are read when a clause needs them, and what is missing is asked for only where something turns on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.asking.case import Action, Case, fact, list_bars
from assistant.asking.permission import Clause
from assistant.asking.report import MissingFacts, Step, step
from assistant.asking.view import Gather, View
from assistant.util.errors import InputError

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
    return rules(list_bars(case.bars))


def asked_for(case: Case, *of: str) -> list[str]:
    with pytest.raises(MissingFacts) as missing:
        list_bars(*(getattr(case, name) for name in of))
    return [" ".join(ask.key or ()) for ask in missing.value.asks]


def test_facts_by_their_values_need_no_position_and_clauses_that_hold_are_steps() -> None:
    assert barring(Bridge(near=True, far=True, flat=True)) == []
    assert barring(Bridge(here="20.20", near=False, far=False, flat=False)) == ["1.1", "1.2", "1.3"]
    case = Bridge(here="20.20", near=False, far=True, flat=True)
    assert list_bars(case.bars) == [step("1.1", "the near hex {here} is not friendly", here="20.20")]


def test_facts_are_read_of_the_position_once() -> None:
    case = bridge(RIVER + "20.20 clear\n20.21 mountain\n")
    assert rules(list_bars(case.bars)) == ["1.3"]
    case.here = "20.25"
    assert (case.near, case.flat) == (True, False)


def test_what_is_missing_is_asked_for_at_once_and_only_where_nothing_bars() -> None:
    assert asked_for(bridge("20.20 control=russian\n"), "bars") == ["control 20.21", "terrain 20.20", "terrain 20.21"]
    case = bridge("20.20 control=central-powers\n")
    assert rules(list_bars(case.bars)) == ["1.1"]
    case = bridge("20.21 control=central-powers\n")
    assert rules(list_bars(case.bars_of_both, case.bars)) == ["1.4", "1.2"]
    assert asked_for(bridge("20.21 control=russian\n"), "bars_of_both") == ["control 20.20"]
    case = bridge("20.20 control=russian\n")
    assert rules(list_bars(case.either)) == ["1.6"]


def test_a_fact_that_rests_on_a_missing_one_is_worked_out_from_what_is_supposed() -> None:
    case = bridge("20.21 control=central-powers\n")
    assert rules(list_bars(case.bars_of_both)) == ["1.4"]
    case.there = "20.20"
    with pytest.raises(MissingFacts):
        _ = case.joined


class Doubtful(Bridge):
    """A bridge whose far hex forbids it either way, or never."""

    def one_or_the_other(self) -> Iterator[Clause]:
        """Yield clauses of which one holds, whatever the far hex is."""
        yield self.far, "1.7", "it is friendly"
        yield not self.far, "1.8", "it is not"

    def never(self) -> Iterator[Clause]:
        """Yield a clause that does not hold where the near hex is friendly."""
        yield self.far and not self.near, "1.9", "only the far hex is friendly"


def test_what_is_forbidden_either_way_by_another_clause_is_asked_about_but_not_what_no_clause_turns_on() -> None:
    case = Doubtful(view=viewed("20.20 control=russian\n"), here="20.20", there="20.21")
    assert asked_for(case, "one_or_the_other") == ["control 20.21"]
    assert list_bars(case.never) == []


class Many(Case):
    """A case of many missing facts."""

    def bars(self) -> Iterator[Clause]:
        """Yield a clause for each of nine facts."""
        for name in FACTS:
            yield getattr(self, name), "2.1", name


FACTS = tuple(f"fact{number}" for number in range(10))
for number, name in enumerate(FACTS):
    setattr(Many, name, fact(lambda case, hex=f"20.{number + 20}": case.facts.word("control", hex) == "russian"))


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


def building(text: str, kind: type[Building] = Building) -> Building:
    view: View = viewed(text)
    return kind(view=view, bridge=Bridge(view=view, here="20.20", there="20.21"))


def lacking(case: Building) -> list[str]:
    """What the report of a case asks for."""
    with pytest.raises(MissingFacts) as missing:
        case.report()
    return [" ".join(ask.key or ()).strip() for ask in missing.value.asks]


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
    assert lacking(building("turn=1\n")) == ["control 20.21"]


class Hill(Bridge):
    """A bridge whose near hex is not the only one that must be friendly."""

    other: Bridge

    @fact
    def near(self) -> bool:
        """The Russians control the near hex and 20.22."""
        return super().near and self.facts.word("control", "20.22") == "russian"

    @fact
    def open(self) -> bool:
        """Nothing forbids the other bridge."""
        return not list_bars(self.other.bars)

    def bars_beside(self) -> Iterator[Clause | Step]:
        """Yield clauses on facts of two cases."""
        yield not self.near, "3.1", "not friendly"
        yield not self.other.near, "3.2", "the other is not"

    def bars_of_other(self) -> Iterator[Clause | Step]:
        """Yield what forbids the other bridge."""
        yield not self.open, "3.3", "the other one is barred"

    def needless(self) -> Iterator[Clause | Step]:
        """Yield a clause on a fact on which nothing turns, and one on which something does."""
        yield self.far and not self.other.near, "3.4", "it is not"
        yield not self.flat, "3.5", "there are mountains"

    def many(self) -> Iterator[Clause | Step]:
        """Yield a clause that is certain before too many missing facts."""
        yield True, "3.6", "it is forbidden"
        yield from Many(view=self.view).bars()

    def elsewhere(self) -> Iterator[Clause | Step]:
        """Yield a step, and a sentence whose figure is missing."""
        yield step("3.7", "{why}", why="as said elsewhere")
        yield True, "3.8", "the far hex is friendly: {far}"


def hill(text: str) -> Hill:
    view: View = viewed(text)
    other = Bridge(view=view, here="20.23", there="20.24")
    return Hill(view=view, here="20.20", there="20.21", other=other)


def barred_by(case: Hill, name: str) -> list[str]:
    return rules(list_bars(getattr(case, name)))


def test_facts_that_extend_others_or_are_of_another_case_are_supposed_too() -> None:
    assert asked_for(hill(RIVER + "20.22 control=russian\n"), "bars_beside") == ["control 20.23"]
    assert asked_for(hill("20.21 control=russian\n"), "bars_beside") == [
        "control 20.20",
        "control 20.22",
        "control 20.23",
    ]
    assert barred_by(hill("20.20 control=central-powers\n"), "bars_beside") == ["3.1"]
    asked = asked_for(hill(RIVER + "20.23 control=russian\n"), "bars_beside")
    assert asked == ["control 20.22"]
    friendly = "20.23 control=russian\n20.24 control=russian\n"
    assert barred_by(hill("20.23 control=central-powers\n"), "bars_of_other") == ["3.3"]
    assert barred_by(hill(friendly + "20.23 clear\n20.24 clear\n"), "bars_of_other") == []
    assert asked_for(hill(friendly + "20.23 clear\n"), "bars_of_other") == ["terrain 20.24"]


def test_what_nothing_turns_on_is_not_asked_for_and_what_is_certain_stays() -> None:
    assert asked_for(hill("20.23 control=russian\n20.20 clear\n"), "needless") == ["terrain 20.21"]
    assert barred_by(hill("turn=1\n"), "many") == ["3.6"]


def test_steps_are_clauses_too_and_a_missing_figure_hides_none() -> None:
    first, second = list_bars(hill("20.20 clear\n").elsewhere)
    assert (first.text, second.text) == ("as said elsewhere", "the far hex is friendly: ?")
    (held,) = list_bars(flooded("20.23 control=russian\n").bars_of_ground)
    assert held.text == "held by ?"


def test_a_case_is_about_what_it_declares() -> None:
    with pytest.raises(TypeError, match="Bridge is not about neer"):
        Bridge(neer=True)
    with pytest.raises(TypeError, match="Bridge is not about bars"):
        Bridge(bars=True)


class Dated(Building):
    """A bridge whose result has the turn."""

    def needs(self, facts: Gather) -> None:
        """Read the turn."""
        facts.integer("turn")


class Flooded(Hill):
    """A bridge over a river that is in flood."""

    @fact
    def high(self) -> bool:
        """The far hex is a mountain, and the near one friendly: read in one go."""
        terrain = self.facts.word("terrain", self.there)
        return self.near and terrain == "mountain"

    @fact
    def deep(self) -> bool:
        """The river is deep, which nobody may say of a friendly hex."""
        if self.far:
            raise InputError("a friendly hex has no deep river")
        return True

    def bars_of_height(self) -> Iterator[Clause | Step]:
        """Yield a clause on a fact that lacks something of its own, and rests on another."""
        yield self.high, "4.1", "it is high"

    def bars_of_depth(self) -> Iterator[Clause | Step]:
        """Yield a clause on a fact that contradicts the position if another one holds."""
        yield self.deep, "4.2", "it is deep"

    def bars_of_either(self) -> Iterator[Clause | Step]:
        """Yield clauses of which one holds, whatever the far hex is."""
        yield self.far, "4.3", "it is friendly"
        yield not self.far, "4.4", "it is not"

    def bars_of_ground(self) -> Iterator[Clause | Step]:
        """Yield a clause that says who is near."""
        yield self.other.near or not self.other.near, "4.5", "held by {whose:&}"

    @property
    def whose(self) -> tuple[str, ...]:
        """Who holds the near hex."""
        return ("the Russians",) if self.near else ("nobody",)


def flooded(text: str) -> Flooded:
    view: View = viewed(text)
    return Flooded(view=view, here="20.20", there="20.21", other=Bridge(view=view, here="20.23", there="20.24"))


def test_what_a_fact_lacks_and_what_it_rests_on_are_asked_for_at_once() -> None:
    case = flooded("20.22 control=russian\n")
    assert asked_for(case, "bars_of_height") == ["terrain 20.21", "control 20.20"]
    case = flooded("20.20 control=russian\n20.22 control=russian\n")
    assert asked_for(case, "bars_of_depth", "bars_of_either", "bars_of_height") == ["control 20.21"]


def test_what_contradicts_the_position_only_if_a_fact_is_so_is_asked_about() -> None:
    assert asked_for(flooded("turn=1\n"), "bars_of_depth") == ["control 20.21"]
    with pytest.raises(InputError, match="deep river"):
        list_bars(flooded("20.21 control=russian\n").bars_of_depth)


class Forbidden(Dated):
    """A bridge that is forbidden whatever the far hex is."""

    def bars(self) -> Iterator[Clause]:
        """Yield clauses of which one holds."""
        yield self.far, "5.1", "it is friendly"
        yield not self.far, "5.2", "it is not"


def test_what_the_result_needs_is_asked_for_with_the_rest_unless_it_is_forbidden_anyhow() -> None:
    assert lacking(building("20.20 control=russian\n", Forbidden)) == ["control 20.21"]
    assert lacking(building(RIVER, Dated)) == ["turn"]
    assert lacking(building("20.20 control=russian\n", Dated)) == ["control 20.21", "turn"]
