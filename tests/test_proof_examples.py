"""How the worked cases of proof sheets are chosen: by lines that a rule decides."""

from __future__ import annotations

import pytest

from assistant.game.proof.examples import Example, read_examples
from assistant.game.rule_index import RuleRow
from assistant.installed.registry import load_game

from .cases import thorough
from .proof_examples import Asking, choose, examples_text, lines_shown, rank_of, renew
from .proof_showing import Answer, Line, Spoiler, answered

VERDICT = Line("column 2:1", "")
TOTAL = Line("attacker: 10 in all", "6.1")
FORTRESS = Line("the fortress adds 4", "6.1")
OTHER = Line("a fortress is never flanked", "6.3")
ASSUMED = Line("the fortress is assumed to stand", "6.1")
ANSWER = Answer("figure", (VERDICT, TOTAL, OTHER, FORTRESS, ASSUMED), frozenset())
ROW = RuleRow("6.1/fortress", "compute", "Strength of a fortress", "", ())
GAME = "world-undone-east-prussia-1914"
FORT = f"""game {GAME}
4024: III/25 supply=in, III/27 supply=in
turn=3 phasing=russian phase=first-combat
4024|4025 open
4025 clear fortress=4
ask battle at=4025"""


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({FORTRESS, TOTAL}, (VERDICT, TOTAL, FORTRESS)),
        ({FORTRESS}, (VERDICT, TOTAL, FORTRESS)),
        (set(), (VERDICT, TOTAL, FORTRESS)),
    ],
)
def test_a_sheet_shows_the_verdict_and_lines_that_cite_the_rule(changed: set[Line], shown: tuple[Line, ...]) -> None:
    assert lines_shown(ANSWER, ROW, changed) == shown


def test_of_many_lines_those_with_words_of_the_title_are_shown() -> None:
    many = Answer(
        "figure", (VERDICT, *(Line(f"unit {number}: 5", "6.1") for number in range(4)), FORTRESS), frozenset()
    )
    assert FORTRESS in lines_shown(many, ROW, set(many.lines))


def test_a_changed_line_of_another_rule_follows_where_none_has_words_of_the_title() -> None:
    answer = Answer("figure", (VERDICT, TOTAL, OTHER), frozenset())
    assert lines_shown(answer, ROW, {OTHER}) == (VERDICT, TOTAL, OTHER)
    assert lines_shown(answer, ROW, set()) == (VERDICT, TOTAL)


@pytest.mark.parametrize(
    ("lines", "reasons", "changed", "count", "rank"),
    [
        ((VERDICT, TOTAL), (), {TOTAL}, 1, 0),
        ((VERDICT, TOTAL), (), {VERDICT}, 1, 1),
        ((VERDICT, TOTAL), (), set(), 0, 2),
        ((VERDICT, OTHER), (), {OTHER}, 1, 3),
        ((VERDICT, OTHER), (), set(), 0, 4),
        ((VERDICT, ASSUMED), (), set(), 0, 4),
        ((VERDICT, TOTAL), ("6.3",), {TOTAL}, 1, 5),
        ((VERDICT, TOTAL), ("6.1",), {TOTAL}, 1, 0),
    ],
)
def test_answers_are_ranked_by_what_they_show(
    lines: tuple[Line, ...], reasons: tuple[str, ...], changed: set[Line], count: int, rank: int
) -> None:
    assert rank_of(Answer("figure", lines, frozenset(reasons)), ROW.rule, changed, count) == rank


@thorough
def test_spoiled_functions_change_the_lines_of_their_rule_and_are_mended() -> None:
    text = f"game {GAME}\n4220: XX/37\nask supply unit=XX/37"
    answer = answered(text)
    assert answer is not None
    changed, count = Spoiler(GAME).changed_lines("3.4/length", text, answer)
    assert count
    assert any("a line has 40 at most" in line.text for line in changed)
    assert answered(text) == answer, "the functions are as before"


@thorough
def test_of_two_questions_the_one_that_shows_the_rule_is_chosen() -> None:
    alone = FORT.replace(" fortress=4", "")
    fort, field = (
        Asking(test, frozenset({ROW.rule}), text) for test, text in (("test_fort", FORT), ("test_field", alone))
    )
    case = choose([field, fort], ROW, Spoiler(GAME))
    assert case is not None
    assert case.test == "test_fort"
    assert "the fortress adds 4 [6.1]" in case.example.answer


class Steady(Spoiler):
    """Functions of which no fault changes an answer, or whose faults change some lines."""

    def __init__(self, *changed: Line) -> None:
        self._changed = frozenset(changed)

    def changed_lines(self, rule: str, text: str, answer: Answer) -> tuple[frozenset[Line], int]:
        return self._changed, len(self._changed)


EXACT = Line("10 in all", ROW.rule)


@pytest.mark.parametrize(
    ("line", "changed", "is_shown"),
    [
        (FORTRESS, False, True),  # a word of the title
        (TOTAL, False, False),
        (TOTAL, True, False),
        (EXACT, True, True),
        (EXACT, False, False),
        (OTHER, True, False),  # another rule
    ],
)
def test_a_case_cites_its_rule_or_is_none(line: Line, changed: bool, is_shown: bool) -> None:
    asking = Asking("test_any", frozenset({ROW.rule}), "ask battle")
    answer = Answer("figure", (VERDICT, line), frozenset())
    found = choose([asking], ROW, Steady(*([line] if changed else [])), lambda _: answer)
    assert (found is not None) == is_shown


def test_rules_that_need_no_case_keep_the_one_that_they_have() -> None:
    game = load_game(GAME)
    kept = renew(game, [], [], ["no rule"])
    assert {case.example.rules[0]: case.example.position for case in kept} == {
        rule: example.position for rule, example in read_examples(game).items()
    }


def test_rules_of_one_position_and_answer_stand_together() -> None:
    one, other = (Example((rule,), "game any\n20.20: A\nask battle", ('says "so" [6.1]',)) for rule in ("6.1", "6.2"))
    apart = Example(("6.3",), "game any\nask stack", ("no",))
    assert examples_text([one, other, apart]).split("\n")[1:] == [
        "",
        "[[example]]",
        'rules = ["6.1", "6.2"]',
        'answer = ["says \\"so\\" [6.1]"]',
        "position = '''",
        "20.20: A",
        "ask battle",
        "'''",
        "",
        "[[example]]",
        'rules = ["6.3"]',
        'answer = ["no"]',
        "position = '''",
        "ask stack",
        "'''",
        "",
    ]
