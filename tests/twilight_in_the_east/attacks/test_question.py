"""The ranking of attacks: against trying every subset, and as players read it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, assume, example, given, settings

from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.game.viewpoint import reduce_state
from assistant.mechanics.odds import Odds
from assistant.state.state import UMPIRE
from assistant.util.errors import InputError
from benchmarks.front import front_line
from twilight_in_the_east.attacks import search
from twilight_in_the_east.attacks.question import RankedAttack, Target
from twilight_in_the_east.attacks.search import allocations
from twilight_in_the_east.combat.allocation import EVERY_COMMAND, command_of
from twilight_in_the_east.combat.before_dice import evaluate_combat
from twilight_in_the_east.combat.engagement import (
    MAX_ODDS,
    MIN_ODDS,
    BattleParameters,
    Engagement,
    defence_strength,
    modifiers,
)
from twilight_in_the_east.combat.legality import out_of_turn_steps, refusals
from twilight_in_the_east.combat.setup import Setup
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.ground.hexsides import between, why_closed

from ...cases import examples
from ...conftest import answered, told, typed
from ...making.strategies import filled

AT = "41.19"
AROUND = ("41.18", "40.19", "40.20", "41.20", "42.20", "42.19")
EXAMPLE = """turn=1
trust charts counters
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
"""


def ranked(text: str, side: str = "russian", ap: str = "all", **more: Any) -> Any:
    """The result of the question."""
    parameters = {"side": side, "attacker-ap": ap, "defender-ap": ap} | more
    return answered(typed(text), "attacks", **parameters).result


# --- against brute force ----------------------------------------------------------------------------------------------


class Tried(NamedTuple):
    """A legal attack, found by asking for the battle: size as the ranking has it, and odds after shifts."""

    size: tuple[Any, ...]
    odds: Odds
    units: tuple[str, ...]
    points: frozenset[str]


def subsets(of: Any, least: int = 0, most: int = 99) -> Iterator[tuple[Any, ...]]:
    of = list(of)
    return chain.from_iterable(combinations(of, number) for number in range(least, min(len(of), most) + 1))


def named(chosen: tuple[str, ...]) -> tuple[str, ...]:
    return chosen or ("none",)


def commands_able(found: Engagement, units: Any) -> list[str]:
    """Who may be allocated points, as `attacker-ap` names them, if just these fight."""
    taking = list(units)
    able = (unit for unit in taking if unit.artillery and not unit.half)
    return list(dict.fromkeys(command_of(unit, taking) for unit in able))


def fought(view: View, **parameters: Any) -> Engagement | None:
    """The battle, None where it cannot be."""
    try:
        found = Setup(view, BattleParameters(at=AT, **parameters)).engage()
    except InputError:
        return None
    return None if refusals(found) or out_of_turn_steps(found) else found


def open_places(view: View) -> tuple[str, ...]:
    """The hexes around with units in them from which no lake keeps anybody."""
    return tuple(place for place in AROUND if view.stack(place) and not why_closed(between(view, place, AT)))


def every_attack(position: Position, target: Target, *, idle: bool = True) -> Iterator[Tried]:
    """Every legal attack on the defence that the ranking names. idle: whether guns that are sent without a point, and so take no part,
    are named too."""
    view = View(position.game, position.state)
    from_ = open_places(view)
    whole = Setup(
        view, BattleParameters(at=AT, from_=from_, attacker_ap=(EVERY_COMMAND,), defender_ap=(EVERY_COMMAND,))
    ).engage()
    order = {name: number for number, name in enumerate(position.state.units)}
    for sent in subsets(whole.attackers, 1):
        left = tuple(unit.id for unit in whole.attackers if unit not in sent)
        present = (*sent, *(unit for unit in whole.idle if unit.place != AT))
        for points in subsets(commands_able(whole, present), most=3):
            found = fought(
                view,
                from_=from_,
                withhold=(*left, *target.withheld),
                attacker_ap=named(points),
                defender_ap=named(target.defender_points),
            )
            if found is None:
                continue
            result, of = evaluate_combat(found)
            strength = sum((unit.strength for unit in result.attacker.units), Fraction(0))
            served = frozenset(unit.command for unit in result.attacker.units if unit.ap)
            guns = sorted(order[unit.unit] for unit in result.attacker.units if unit.ap)
            named_units = tuple(unit.id for unit in sent) if idle else tuple(one.unit for one in result.attacker.units)
            numbers = sorted(order[unit] for unit in named_units)
            yield Tried((strength, len(numbers), len(served), numbers, guns), of.odds, named_units, served)


def every_defence(position: Position) -> Iterator[Fraction]:
    """The strength of every legal defence against all who stand there, legal or not."""
    view = View(position.game, position.state)
    from_ = open_places(view)
    whole = Setup(
        view, BattleParameters(at=AT, from_=from_, attacker_ap=(EVERY_COMMAND,), defender_ap=(EVERY_COMMAND,))
    ).engage()
    for withheld in subsets(whole.defenders, most=len(whole.defenders) - 1):
        staying = [unit for unit in whole.defenders if unit not in withheld]
        present = [*staying, *(unit for unit in whole.idle if unit.place == AT)]
        for points in subsets(commands_able(whole, present), most=3):
            out = tuple(unit.id for unit in withheld)
            try:
                found = Setup(
                    view,
                    BattleParameters(
                        at=AT, from_=from_, withhold=out, attacker_ap=("none",), defender_ap=named(points)
                    ),
                ).engage()
            except InputError:
                continue
            wrong = [step for step in refusals(found) if is_of_the_defence(step)]
            if not wrong and not any(unit.has("fought") or unit.retreated for unit in found.defenders):
                yield sum(map(defence_strength, found.defenders), Fraction(0))


def strength_of_the_defence(position: Position, target: Target) -> Fraction:
    """The strength of the defence that the ranking names, as a battle has it."""
    view = View(position.game, position.state)
    found = Setup(
        view,
        BattleParameters(
            at=AT,
            from_=open_places(view),
            withhold=target.withheld,
            attacker_ap=("none",),
            defender_ap=named(target.defender_points),
        ),
        any_part=True,
    ).engage()
    return sum((unit.strength for unit in evaluate_combat(found)[0].defender.units), Fraction(0))


def is_of_the_defence(step: Any) -> bool:
    return step.rule == "10.1.3" or "cannot defend" in step.template or step.figures.get("role") == "defender"


def agrees(attack: RankedAttack, tried: Tried) -> bool:
    return (set(attack.units), attack.final, attack.strength) == (set(tried.units), str(tried.odds), tried.size[0])


UNIT = """{nation} {infantry {XX*2 | X | III} {name} ({2..9}*3 | artillery III {name} (1 | cavalry {XX*2 | X | III} {name} ({2..9}}-{1..12}-{0 | 1 | 3 | 6}-9) \
back-steps=0 {heavy | high-trajectory | field} {*4 | corps=3*3 | corps=20*2} {7%: cel=-4} {7%: half} {7%: entrained} {7%: displaced} {7%: fought} \
{7%: retreated} {50%: army={First | Second}}"""
"""A unit in notation, with all that is to be known of it."""


def stack(prefix: str, nation: str, more: str = "") -> str:
    """Return a template of one to three units."""
    unit = UNIT.replace("{nation}", nation) + more
    one, two, three = (unit.replace("{name}", f"{prefix}{letter}") for letter in "abc")
    return f"{one}{{50%:, {two}{{50%:, {three}}}}}"


ALLIES = "{german | austro-hungarian}"
PREPARED = f" {{20%: prepared={{{AT}*2 | 39.19}}}}"
POSITION = "\n".join(
    [
        "turn={1 | 30}",
        "trust charts",
        *(
            f"{{33%: ruling {said}}}"
            for said in ("several-corps=each", "river-shift=any", "flank-occupied=attackers", "river-halving=all")
        ),
        "{33%: ruling defending-arm=free}",
        "{33%: ruling sound-formation=defending}",
        f"{AT} {{clear | rough}} ip={{0*2 | 1 | 2}}: {stack('def', 'russian')}{{10%:, russian fort - F (2-0-0-9) fssm=3}}",
        f"{AROUND[2]} clear: {stack('att', ALLIES, PREPARED)}",
        *(
            f"{{45%: {place} clear: {UNIT.replace('{nation}', ALLIES).replace('{name}', f'att{number}')}{PREPARED}}}"
            for number, place in enumerate(AROUND)
            if number != 2
        ),
        "39.19 clear: russian infantry XX other (5-5-0-9)",
        *(
            f"{AT}|{place} {{open*2 | minor-river | major-river | grand-river crossing={{bridge | no-crossing}} | lake}}"
            for place in AROUND
        ),
        *(
            f"{place}|{beside} {{open*2 | major-river}}"
            for place, beside in zip(AROUND, AROUND[1:] + AROUND[:1], strict=True)
        ),
    ]
)
"""A hex with one to three defenders, and units of one stack or more around it."""


TWO_GUNS = "".join(
    [
        "turn=1\ntrust charts\n41.19 clear: russian infantry XX def (6-6-0-9)\n",
        "40.20 clear: german infantry XX I (6-6-0-9) corps=3 prepared=41.19, ",
        "german artillery III G1 (1-1-6-9) corps=3 prepared=41.19, german artillery III G2 (1-1-3-9) corps=3 prepared=41.19\n",
        *(f"41.19|{place} open\n" for place in AROUND),
    ]
)


@settings(max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(filled(POSITION))
@example(TWO_GUNS)
def test_no_subset_of_the_attackers_does_better(text: str) -> None:
    position = typed(text)
    found = ranked(text, "central-powers", at=AT).targets
    if not found:
        return
    (target,) = found
    assume(not any("with=" in missing for missing in target.missing))  # two formations are as near to an Asset Unit
    assert not target.missing
    if not target.defenders:
        assert "no legal defence" not in target.barred or not any(True for _ in every_defence(position))
        return
    assert strength_of_the_defence(position, target) == max(every_defence(position))
    tried = list(every_attack(position, target))
    if target.largest is None:
        assert not tried
        return
    largest = min(tried, key=lambda one: (-one.size[0], -one.odds.columns, one.size))
    assert agrees(target.largest, largest)
    reached = {one.column: one.attack for one in target.columns}
    for columns in range(MIN_ODDS.columns, MAX_ODDS.columns + 1):
        enough = [one for one in tried if one.odds.within(MIN_ODDS, MAX_ODDS).columns >= columns]
        assert (str(Odds(columns)) in reached) == bool(enough)
        if enough:
            smallest = min(enough, key=lambda one: one.size)
            found = reached[str(Odds(columns))]
            assert agrees(found, smallest)
            assert set(found.points) == smallest.points


# --- as players read it -----------------------------------------------------------------------------------------------


def test_the_example() -> None:
    """42 points of two corps make 1:1, and so do the 20 of one corps."""
    (target,) = ranked(EXAMPLE).targets
    assert (target.at, target.defence, target.defenders, target.defender_points) == (AT, 23, ("1/1",), ("1",))
    largest = target.largest
    assert (largest.units, largest.places) == (("25/3", "27/3", "29/20"), ("40.20", "40.19"))
    assert (largest.total, largest.points, largest.final, largest.magnitude) == (42, ("3", "20"), "1:1", "Large")
    smallest = {one.column: (one.attack.units, one.attack.strength, one.attack.column) for one in target.columns}
    assert smallest == {
        "1:4": (("29/20",), 7, "1:3"),
        "1:3": (("29/20",), 7, "1:3"),
        "1:2": (("25/3",), 10, "1:2"),
        "1:1": (("25/3", "27/3"), 20, "1:1"),
    }


def test_of_as_many_points_fewest_units_and_then_who_comes_first() -> None:
    """Two brigades are as strong as one division, but two units; of two equal divisions and brigades the first is taken."""
    text = """turn=1
trust charts
41.19 clear: german infantry XX def (6-6-0-9)
40.20: russian infantry X b1 (3-3-0-9) corps=1, russian infantry X b2 (3-3-0-9) corps=1
40.19: russian infantry XX one (6-6-0-9) corps=1, russian infantry XX two (6-6-0-9) corps=1
41.19|40.19,40.20 open
"""
    attacks = {one.column: one.attack.units for one in ranked(text).targets[0].columns}
    assert (attacks["1:1"], attacks["2:1"]) == (("one",), ("b1", "one"))


def test_a_shift_for_a_flag_tells_equal_units_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two equal divisions would be shifted left, so the second reaches the column."""
    monkeypatch.setattr(
        search,
        "column_shifts",
        lambda engagement: modifiers(
            "house", ("tired", -1 if any(not unit.flags for unit in engagement.attackers) else 0)
        ),
    )
    text = """turn=1
trust charts
41.19 clear: german infantry XX def (6-6-0-9)
40.20: russian infantry XX one (6-6-0-9) corps=1, russian infantry XX two (6-6-0-9) corps=1 halted
41.19|40.20 open
"""
    attacks = {one.column: one.attack.units for one in ranked(text).targets[0].columns}
    assert (attacks["1:2"], attacks["1:1"]) == (("one",), ("two",))


@pytest.mark.rule("6.3.1c", "10.1.4a")
def test_of_equals_those_are_taken_who_may_combine() -> None:
    """The first of two equal divisions is of another army than the one beside it."""
    text = """turn=1
trust charts
41.19 clear: german infantry XX def (6-6-0-9)
40.20: russian infantry XX a1 (6-6-0-9) corps=1 army=First, russian infantry XX a2 (6-6-0-9) corps=1 army=Second
40.19: russian infantry XX b1 (6-6-0-9) corps=1 army=Second
41.19|40.19,40.20 open
"""
    (target,) = ranked(text).targets
    assert target.largest.units == ("a2", "b1")
    assert {one.attack.units for one in target.columns} == {("a1",), ("a2", "b1")}


@pytest.mark.rule("10.8c")
def test_some_may_be_of_more_corps_than_all_of_them() -> None:
    """Asset Units whose formation stays out fight for corps of their own; the players have agreed that each corps shifts."""
    assets = ", ".join(f"russian infantry III {name} (3-1-0-9) corps={name}" for name in ("2", "3", "4"))
    text = f"""turn=1
trust charts
ruling several-corps=each
41.19 clear: german infantry XX def (2-1-0-9)
41.18: russian infantry XX own (5-1-0-9) corps=1 half, {assets}
41.19|41.18 open
"""
    (target,) = ranked(text).targets
    assert (target.largest.units, target.largest.initial, target.largest.final) == (("2", "3", "4"), "9:1", "7:1")


def test_the_farthest_column_comes_first_and_then_the_larger_combat() -> None:
    weak = "38.20 clear: german infantry X weak (2-2-0-9) back-steps=0\n38.21: 30/4 (10-?-0-10)\n38.20|38.21 open\n"
    found = ranked(EXAMPLE + weak).targets
    assert [(one.at, one.farthest.column) for one in found] == [("38.20", "5:1"), (AT, "1:1")]


def test_what_is_missing_of_one_hex_does_not_stop_the_others() -> None:
    text = EXAMPLE + "38.20: german infantry XX strange\n38.21: 30/4 (10-?-5-10)\n"
    report = answered(typed(text), "attacks", side="russian", attacker_ap="all", defender_ap="all")
    first, second = report.result.targets
    assert (first.at, second.at, second.largest) == (AT, "38.20", None)
    assert {"strange defence=N", "38.20 clear|rough|wetlands|mountain|high-mountain|sea"} <= set(second.missing)
    assert report.verdict.kind == "figure"
    assert report.verdict.text.endswith("; facts are missing for 1 of 2 hexes")
    assert {ask.how for ask in report.asks} == set(second.missing)


def test_where_a_point_could_be_used_it_is_asked_whether_any_are() -> None:
    report = answered(typed(EXAMPLE), "attacks", side="russian", defender_ap="all")
    assert (report.verdict.kind, [ask.how for ask in report.asks]) == ("undecided", ["attacker-ap=all, or none"])
    report = answered(typed(EXAMPLE), "attacks", side="russian", attacker_ap="all")
    assert [ask.how for ask in report.asks] == ["defender-ap=all, or none"]
    report = answered(typed(EXAMPLE), "attacks", side="russian")
    assert [ask.how for ask in report.asks] == ["attacker-ap=all, or none", "defender-ap=all, or none"]


@pytest.mark.parametrize(
    ("phasing", "phase", "side"),
    [
        ("russian", "attack", "russian"),
        ("russian", "counter-attack", "central-powers"),
        ("central-powers", "attack", "central-powers"),
    ],
)
def test_without_a_side_the_active_one_attacks(phasing: str, phase: str, side: str) -> None:
    ap = {"attacker_ap": "all", "defender_ap": "all"}
    report = answered(typed(f"{EXAMPLE}phase={phase} phasing={phasing}"), "attacks", **ap)
    assert report.result.side == side
    assert answered(typed(EXAMPLE), "attacks", side="russian", **ap).result.side == "russian"
    asks = answered(typed(EXAMPLE), "attacks", **ap).asks
    assert [(ask.name, ask.how) for ask in asks] == [("side", "side=central-powers or side=russian")]


def test_a_hex_that_nobody_can_attack_says_why() -> None:
    tired = EXAMPLE.replace("(10-?-5-10) -3", "(10-?-5-10) cel=-4").replace("(10-?-5-10),", "(10-?-5-10) half,")
    tired = tired.replace("27/3 (10-?-5-10)", "27/3 (10-?-5-10) entrained")
    (target,) = ranked(tired).targets
    assert target.largest is None
    assert sorted(target.barred) == [
        "25/3 bears a 1/2 marker and cannot attack",
        "27/3 is in Rail Mode and cannot attack",
        "29/20 is Demoralized and cannot attack",
    ]
    (target,) = ranked(EXAMPLE.replace("open", "lake")).targets
    assert target.barred == ("lake",)
    (target,) = ranked(EXAMPLE.replace("(12-16-7-11)", "(12-16-7-11) retreated")).targets
    assert target.barred[0] == "all in 41.19 have retreated in this phase and may not be attacked again: 1/1"


@pytest.mark.rule("10.1b", "10.1c")
def test_who_has_fought_or_retreated_stands_in_no_attack_and_no_defence() -> None:
    for status in ("fought", "retreated"):
        (target,) = ranked(EXAMPLE.replace("-3\n", f"-3 {status}\n")).targets
        assert target.largest.units == ("25/3", "27/3")
    two = EXAMPLE.replace("1/1 (12-16-7-11)", "1/1 (12-16-7-11) retreated, 2/1 (5-5-0-11)")
    (target,) = ranked(two).targets
    assert (target.defenders, target.withheld, target.defence) == (("2/1",), ("1/1",), 5)


@pytest.mark.rule("10.0", "10.1b")
@pytest.mark.parametrize(
    ("more", "barred"),
    [
        ("phase=attack phasing=russian", ""),
        ("phase=counter-attack phasing=russian", "the Central Powers side attacks in this phase"),
        ("phase=movement", "combats are fought only in attack phases, and the phase is movement"),
        (
            "41.19 attacked",
            "41.19 has already been attacked in this phase (if a new phase has begun, state it, or 41.19 attacked=no)",
        ),
    ],
)
def test_the_phase_bars_what_it_bars_in_a_battle(more: str, barred: str) -> None:
    (target,) = ranked(f"{EXAMPLE}{more}\n").targets
    assert target.barred == ((barred,) if barred else ())


@pytest.mark.rule("10.1.2c", "10.1.5c", "10.1.5d", "10.3")
def test_who_bears_a_marker_attacks_unless_he_cannot() -> None:
    marked = EXAMPLE.replace("(10-?-5-10) -3", "(10-?-5-10) -3 prepared=41.19")
    (target,) = ranked(marked).targets
    assert all("29/20" in one.attack.units for one in target.columns)
    (target,) = ranked(marked.replace("-3 prepared", "cel=-4 prepared")).targets
    assert target.largest.units == ("25/3", "27/3")


@pytest.mark.rule("10.1.5a", "10.1.5d")
def test_of_two_prepared_guns_in_a_hex_either_attacks_with_a_point_and_the_other_is_withheld() -> None:
    """Without a point both stand idle, which is another attack: neither is withheld."""
    (target,) = ranked(TWO_GUNS, "central-powers").targets
    assert (target.largest.units, target.largest.points, target.largest.strength) == (("I", "G1"), ("3",), 12)
    attacks = {one.column: one.attack.units for one in target.columns}
    assert (attacks["2:1"], attacks["3:1"]) == (("I", "G1", "G2"), ("I", "G2"))


def test_what_is_taken_for_granted_is_said() -> None:
    """Each attack stands by itself; zones reach over hexsides of which nobody says anything, which may make a flank."""
    report = answered(
        typed(EXAMPLE + "weather=freeze\n"), "attacks", side="russian", attacker_ap="all", defender_ap="all"
    )
    (part,) = (one for one in report.parts if one.title == "Assumed")
    assert [step.rule for step in part.steps] == ["10.1", "20.0", "4.1.1", "10.5.1"]
    assert report.result.targets[0].unsaid == ("40.19|40.20", "40.19|41.18", "40.20|41.20")
    open_ones = "".join(f"{side} open\n" for side in report.result.targets[0].unsaid)
    assert ranked(EXAMPLE + open_ones).targets[0].unsaid == ()


def granted(text: str, ap: str = "all") -> list[str]:
    report = answered(typed(text), "attacks", side="russian", **{"attacker-ap": ap, "defender-ap": ap})
    return told(report, "Assumed")


def test_formations_without_an_army_are_named() -> None:
    text = """turn=1
trust charts
41.19 clear: german infantry XX def (6-6-0-9) army=Eighth
40.20: russian infantry XX A (6-6-0-9) corps=1 {}, russian infantry XX B (6-6-0-9) corps=1
41.19|40.20 open
"""
    said = [line for line in granted(text.format("army=First")) if "army not stated" in line]
    assert said == ["B: army not stated, assumed to be that of the others"]
    assert not [line for line in granted(text.format("")) if "army not stated" in line]


@pytest.mark.rule("10.5.1")
def test_points_come_from_no_magazine_and_that_is_said() -> None:
    """A magazine in their hex would serve both corps with one point; the ranking gives each its own, stated or not."""
    stack = EXAMPLE.replace("25/3 (10-?-5-10), 27/3", "25/3 (10-?-5-10), 28/20").replace("29/20", "30/4")
    stated = f"{stack}40.20 magazine=russian\n40.20: russian fortress - F (2-0-0-9) fssm=2 complex-magazine\n"
    (target,) = ranked(stated).targets
    assert target.largest == ranked(stack).targets[0].largest
    assert len(target.largest.points) == 2 < len(target.largest.units)
    said = "APs are assumed to be available (check with: ask ammunition), one per command: none from a magazine or Boyen, none for a stack"
    assert said in granted(stated)
    assert said not in granted(stated, "none")


def test_which_hexes_are_ranked() -> None:
    report = answered(typed("turn=1\n40.20: 25/3\n"), "attacks", side="russian")
    assert (report.verdict.kind, report.result.targets) == ("no", ())
    assert ranked(EXAMPLE, at="38.20").targets == ()
    assert [one.at for one in ranked(EXAMPLE, at="41.19").targets] == [AT]


def test_it_is_for_those_who_see_both_sides_and_all_that_is_there() -> None:
    position = typed(EXAMPLE)
    for side in ("russian", "central-powers"):
        seen = msgspec.structs.replace(position, state=reduce_state(position.game, position.state, side))
        with pytest.raises(InputError, match="solitaire players and umpires"):
            answered(seen, "attacks", side="russian", attacker_ap="all", defender_ap="all")
    umpire = msgspec.structs.replace(position, state=reduce_state(position.game, position.state, UMPIRE))
    assert answered(umpire, "attacks", side="russian", attacker_ap="all", defender_ap="all").result == ranked(EXAMPLE)
    with pytest.raises(InputError, match="solitaire players and umpires"):
        ranked(EXAMPLE + "41.20 unseen=central-powers\n")


def test_a_side_that_there_is_not() -> None:
    with pytest.raises(InputError, match="no side 'rusian'") as error:
        ranked(EXAMPLE, "rusian")
    assert "russian" in error.value.hint


def test_a_long_front_is_ranked_as_a_whole() -> None:
    """What the benchmark measures: every hex of the front has an answer, and the best come first."""
    position = typed("turn=1\n")
    text = front_line(position.game, 40)
    assert text == front_line(position.game, 40)
    found = ranked(text).targets
    assert len(found) >= 8
    assert not any(one.missing for one in found)
    columns = [Odds.parse(one.farthest.column).columns for one in found if one.farthest]
    assert columns == sorted(columns, reverse=True)
    text = front_line(position.game, 300)
    assert len(typed(text).state.units) == 300


@pytest.mark.rule("10.5b")
def test_no_more_than_two_points_are_allocated() -> None:
    def gunner(corps: str) -> CombatUnit:
        return CombatUnit(corps, "russian", "infantry", "XX", True, "40.20", corps, artillery=3, ap=True)

    found = allocations([gunner("3"), gunner("20"), gunner("13")])
    served = [sorted(corps for _, corps in some) for some in found]
    assert served == [[], ["3"], ["20"], ["13"], ["20", "3"], ["13", "3"], ["13", "20"]]
    assert allocations([msgspec.structs.replace(gunner("3"), ap=False)]) == [frozenset()]


@pytest.mark.rule("10.1b")
def test_guns_that_have_fought_and_stand_idle_spoil_no_defence() -> None:
    text = """turn=1
trust charts
41.19 clear: russian infantry III D (2-1-0-9), russian artillery III G (1-1-1-9) fought
41.18 clear: german infantry XX A (2-1-0-9) back-steps=0
41.19|41.18,40.19,42.19 open
41.18|40.19,42.19 open"""
    (target,) = ranked(text, "central-powers", at=AT).targets
    assert target.defenders == ("D",)


@pytest.mark.rule("10.1.2d", "10.1.2e")
def test_a_hexside_that_the_chart_shuts_bars_only_those_who_stand_behind_it() -> None:
    """A road leads from 40.20 into the High Mountain hex, and none from 40.19."""
    text = """turn=3
trust charts
40.20: russian infantry XX A (10-12-0-10)
40.19: russian infantry XX B (10-12-0-10)
41.19 high-mountain: german infantry XX D (5-6-0-9)
41.19|40.20,40.19 open
41.19|40.20 road
chart terrain-cost summer high-mountain = prohibited
chart terrain-shift high-mountain = -2
"""
    given = {"side": "russian", "attacker-ap": "none", "defender-ap": "none"}
    (target,) = answered(typed(text), "attacks", **given).result.targets
    assert target.largest.units == ("A",)
    (target,) = answered(typed(text.replace("41.19|40.20 road\n", "")), "attacks", **given).result.targets
    assert target.largest is None
