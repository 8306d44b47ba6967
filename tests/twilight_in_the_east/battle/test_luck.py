"""The luck of a combat against all its dice, each face by itself, followed through its procedure without anything that
equal situations have in common.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import msgspec
import pytest

from assistant import ask
from assistant.asking.parameters import read_parameters
from assistant.asking.play import Play
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.installed.registry import question_of
from assistant.mechanics.luck import ThrowLuck, Valuation
from assistant.mechanics.procedure import Apart, Choice, Notes, Procedure, Roll, Situation, first_option
from assistant.records.explaining.played import Passage, PlayedQuestion, Ruled
from assistant.records.luck.evening import BattleLuck, ThrownDice

from ...assistant.records.explaining.played import BATTLE
from ...assistant.records.luck.asked import battle_of, evening_of, passage
from ...assistant.records.luck.evenings import throw_dice
from ...cases import few, seeds, thorough
from ...conftest import typed
from ..results.test_retreats import BEHIND, G1, POSITION

AT = {"at": "41.19", "attacker_ap": "none", "defender_ap": "none"}
SMALL = """game twilight-in-the-east
board east
trust charts
turn=1
40.19: 29/20 (10-?-5-10) -3 cel=-3
41.19 clear: 1/1 (12-16-7-11) -4 cel=-4
41.19|40.19 open
"""
"""Two Forces that fail their checks easily and then lose steps."""


def worth(notes: Notes) -> int:
    """The swing of the attacker."""
    parts = ("way", "absorbed", "losses", "by-checks")
    roles = (("attacker", -1), ("defender", 1))
    return sum(int(notes.get(f"{role}.{part}", 0)) * amount for role, amount in roles for part in parts)


def play_of(position: Position, **given: str) -> Play:
    """The procedure of a combat as it is played with dice."""
    view, question = View(position.game, position.state), question_of(position.game, "battle")
    named = {name.replace("_", "-"): value for name, value in given.items()}
    question.answer(view, read_parameters(question, view, named), {"crt": "7"})
    play = view.premises.plays[0]
    assert isinstance(play, Play)
    return play


def naive_mean(procedure: Procedure, start: Situation) -> Fraction:
    """What is expected from a situation on, gone through course by course."""
    node = procedure(start)
    own = Fraction(worth(node.notes))
    match node:
        case Roll():
            faces = [*product(range(1, node.dice.sides + 1), repeat=node.dice.number)]
            return own + sum((naive_mean(procedure, node.then(sum(face))) for face in faces), Fraction(0)) / len(faces)
        case Choice():
            return own + naive_mean(procedure, node.options[first_option(node)])
        case Apart():
            return own + sum((naive_mean(procedure, part) for part in node.parts.values()), Fraction(0))
    return own


def moved(battle: BattleLuck) -> Fraction:
    """What rolls and choices have moved for the attacker."""
    sign = {battle.attacker: 1}
    return sum(((turn.after or 0) - (turn.before or 0)) * sign.get(turn.side, -1) for turn in battle.turns)  # type: ignore[return-value]


@few(1)
@pytest.mark.parametrize("seed", seeds(8))
def test_what_is_expected_is_the_mean_of_all_courses(seed: int) -> None:
    position = typed(SMALL)
    play = play_of(position, **AT)
    answers = throw_dice(Valuation(play.procedure, play.policy, worth), play.start, Random(seed))
    battle = battle_of(position, answers, **AT)
    assert battle.expected == naive_mean(play.procedure, play.start)
    roll = play.procedure(play.start)
    assert isinstance(roll, Roll)
    first = next(battle.rolls)
    assert first.after == naive_mean(play.procedure, roll.then(int(answers["crt"])))
    assert battle.expected + moved(battle) == battle.swing
    lost = {side.role: side.lost for side in battle.sides}
    assert battle.swing == lost["defender"] - lost["attacker"]


@few(1)
@pytest.mark.parametrize("seed", seeds(12))
def test_what_each_side_lost_is_what_the_report_says(seed: int) -> None:
    """All but what retreats by the checks cost, and what follows them."""
    text = random_field(Random(f"ground {seed}"))
    position, compared = typed(text), 0
    play = play_of(position, **AT)
    value, random = Valuation(play.procedure, play.policy, worth), Random(seed)
    for number in range(16):
        answers = throw_dice(value, play.start, random)
        played = passage(position, "battle", answers, number + 1, **AT)
        assert played.question is not None and played.question.report is not None
        outcome = played.question.report.result.outcome
        (battle,) = evening_of([played]).battles
        lost = {side.role: side.lost for side in battle.sides}
        after = {side.role: side.afterwards for side in battle.sides}
        whole = {"attacker": outcome.attacker_steps, "defender": outcome.defender_steps}
        ended = all(due.name == "advance" for due in played.question.report.asks)
        assert not ended or whole == {role: lost[role] + after[role] for role in lost}
        assert lost["attacker"] <= outcome.attacker_steps and lost["defender"] <= outcome.defender_steps
        if not any(duty.by_check for duty in outcome.obligations) and not outcome.farther:
            assert (lost["attacker"], lost["defender"]) == (outcome.attacker_steps, outcome.defender_steps)
            compared += 1
    assert compared > 1


def random_field(random: Random) -> str:
    """A battle between strong Forces that retreat past enemies, so that ways cost steps too."""
    side = f"41.19 clear: 1/1 (12-16-7-11) -{random.randint(0, 3)}, german infantry XX B (10-12-6-11)"
    near = random.choice(
        [
            "42.19: russian infantry XX Z (10-9-0-9)",
            "42.18: russian infantry XX Z (10-9-0-9)",
            "41.18: russian infantry XX Z (10-9-0-9)",
        ]
    )
    return SMALL.replace("41.19 clear: 1/1 (12-16-7-11) -4 cel=-4", f"{side}\n{near}").replace("-3 cel=-3", "")


def thousands(position: Position, count: int, seed: int, **given: str) -> int:
    """Play a combat with random dice: of each course what was expected, and what its rolls and choices moved, must come to
    the result. Returns how many different results there were.
    """
    play = play_of(position, **given)
    value = Valuation(play.procedure, play.policy, worth)
    random, seen = Random(seed), set[int]()
    for _ in range(count):
        course = value.measure(play.start, with_other_choices(value, play.start, random))
        total = sum((turn.luck if isinstance(turn, ThrowLuck) else turn.effect for turn in course.turns), course.start)
        assert total == course.result
        seen.add(course.result)
    return len(seen)


def with_other_choices(value: Valuation, start: Situation, random: Random) -> dict[str, str]:
    """Random dice, and choices at random too."""
    options: dict[str, str] = {}

    def policy(choice: Choice) -> str:
        return options.setdefault(choice.name, random.choice([*choice.options]))

    return throw_dice(Valuation(value.node, policy, worth), start, random)


def test_rolls_and_choices_come_to_the_result_in_every_combat_played() -> None:
    six = BATTLE.replace("board east", "board east\ntrust charts")
    assert thousands(typed(six), 150, 1, at="41.19", attacker_ap="none", defender_ap="none") > 3


@thorough
@pytest.mark.parametrize("seed", seeds(4))
def test_rolls_and_choices_come_to_the_result_in_thousands_of_combats(seed: int) -> None:
    six = BATTLE.replace("board east", "board east\ntrust charts")
    assert thousands(typed(six), 1000, seed, at="41.19", attacker_ap="none", defender_ap="none") > 4
    assert thousands(typed(SMALL), 1000, seed, **AT) > 4


def test_checks_are_counted_by_force_and_not_by_roll() -> None:
    six = typed(BATTLE.replace("board east", "board east\ntrust charts"))
    answers = {"crt": "7", "slrt": "3/4", "losses": "29/20,27/3", "ec.40.19": "5", "ec.40.20": "12", "ec.41.19": "6"}
    told = evening_of([passage(six, "battle", answers, at="41.19", attacker_ap="3,20", defender_ap="1")])
    checks = {total.side: total for total in told.kinds if total.kind == "Effectiveness Checks"}
    assert (checks["russian"].rolls, checks["russian"].passed, checks["russian"].checks) == (2, 1, 3)
    assert (checks["central-powers"].passed, checks["central-powers"].checks) == (1, 1)
    (battle,) = told.battles
    chances = {roll.name: roll.pass_chances for roll in battle.turns if isinstance(roll, ThrownDice) and roll.checks}
    assert all(sum(each.values()) == 1 for each in chances.values())


def test_a_battle_with_an_unknown_chart_or_without_an_end_is_left_out() -> None:
    bare = typed(BATTLE)
    told = evening_of([passage(bare, "battle", {"crt": "12"}, at="41.19", attacker_ap="none", defender_ap="none")])
    assert (told.battles, len(told.left_out), told.sides) == ((), 1, ())
    assert "Combat Results Table" in told.left_out[0].why
    six = typed(BATTLE.replace("board east", "board east\ntrust charts"))
    told = evening_of([passage(six, "battle", {"crt": "7"}, at="41.19", attacker_ap="none", defender_ap="none")])
    assert [one.why for one in told.left_out] == ["it does not come to its end: slrt.attacker, slrt.defender"]


@few(1)
@pytest.mark.parametrize("seed", seeds(3))
def test_the_luck_of_a_forced_march_is_its_check(seed: int) -> None:
    march = typed("game twilight-in-the-east\nturn=1\n40.20: 25/3 (10-?-5-10)\ntrust charts\n")
    die = str(2 + seed % 11)
    told = evening_of([passage(march, "forced-march", {"ec": die}, unit="25/3", points="2")])
    ((roll,),) = (other.rolls for other in told.others)
    assert (roll.kind, roll.checks, roll.good) == ("Effectiveness Checks", 1, "low")
    assert roll.expected == sum(passed * chance for passed, chance in roll.pass_chances.items())


def counted(text: str) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Of a typed combat with its dice, by side what luck counts and what it names besides, and what the report says in all."""
    position = typed(text)
    (asked,) = position.asks
    report = ask(position, asked)
    question = PlayedQuestion(asked, position.answers, lambda: Ruled(report))
    bare = msgspec.structs.replace(position, asks=(), answers={})
    told = evening_of([Passage("question", 1, 1, lambda: (bare, bare), question=question)])
    (battle,) = told.battles
    outcome = report.result.outcome
    return (
        {side.role: (side.lost, side.afterwards) for side in battle.sides},
        {"attacker": outcome.attacker_steps, "defender": outcome.defender_steps},
    )


def walked(cell: str, around: str, stack: str, check: int, more: str) -> str:
    """A combat of the tests of retreats, with its answers."""
    cells = "\n".join(f"chart crt summer {column} 7 = {cell}" for column in ("2:1", "3:1", "4:1", "5:1", "6:1"))
    cells += "\n" + "\n".join(f"chart slrt summer Medium {n} = 0 / 0" for n in range(-2, 9))
    return POSITION.format(stack=stack, around=around, cells=cells, roll=2, check=check, more=more)


def test_steps_lost_on_the_way_by_the_result_count_and_those_after_the_checks_are_named() -> None:
    enemy = "40.18: russian infantry XX R2 corps=3 (9-9-0-9) back-steps=0\n41.18|40.18,41.17 open\n41.17|40.18 open"
    by_result = walked("- / W2", enemy, G1, 2, "retreat.41.19=41.18,41.17 advance=none")
    assert counted(by_result) == ({"attacker": (0, 0), "defender": (1, 0)}, {"attacker": 0, "defender": 1})
    weak = "german infantry XX G1 corps=1 (12-6-0-8) back-steps=0"
    after_checks = walked("- / -", BEHIND, weak, 12, "onward-repulse.41.19=none")
    assert counted(after_checks) == ({"attacker": (0, 0), "defender": (0, 1)}, {"attacker": 0, "defender": 1})
