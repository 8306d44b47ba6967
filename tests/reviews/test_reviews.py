"""Reviews of phases played by chance, of moves seeded by chance, and of positions made for one case each."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

import assistant
from assistant.formats.positions import ChatLine, Position, Record, Throw, count_by_lines
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.records.explaining import explanation
from assistant.records.explaining.played_journal import play_journal
from assistant.records.journal.journal_file import JournalFile
from assistant.records.review.agreed import Agreed, agree_on_steps, list_unknown
from assistant.records.review.deeds import Deed, carry_out
from assistant.records.review.marks import Mark, Review
from assistant.records.review.review import review_journal, review_log, review_saves
from assistant.records.review.settings import SettingJudge
from assistant.records.review.words import format_review, review_json
from assistant.state.changes import Change, apply
from assistant.state.tracks import Value
from assistant.util.errors import InputError

from ..assistant.records.explaining.played import ASK, BATTLE, CHECKS, DICE, OUTCOME, record
from ..cases import few, thorough
from ..commands import run_command
from ..comparing.search import tried
from ..conftest import typed
from . import checking, combat_faults, faults
from .playing import CHART, write_down

ROOT = Path(__file__).parents[2]
JOURNALS = sorted(
    file
    for folder in ("plugins", "tests/promise", "tests/der_weltkrieg/kept")
    for file in (ROOT / folder).rglob("*.journal")
)
EXAMPLES = ROOT / "plugins" / "twilight_in_the_east" / "examples"
NAMES = ("crt", "slrt.attacker", "slrt.defender", "ec.40.19", "ec.40.20", "ec.41.19")
GROUND = "elsewhere clear open town=none no-rail country=russia\n"
WORLD = f"""game world-undone-east-prussia-1914
board east-prussia
accept drawn
scenario=historical turn=3 phasing=russian phase=first-movement
{CHART}
"""
"""A movement phase of *The World Undone* with made-up costs of the ground."""


def record_of(start: Position, moves: Sequence[tuple[str, str | None]], lines: Mapping[int, str] = {}) -> Record:
    """Return a log in which units are brought to places one after the other. `lines`: typed in the chat, by step."""
    states = [start.state]
    for unit, place in moves:
        change = Change("place", unit, states[-1].units[unit].place, place, "")
        states.append(apply(states[-1], [change], start.game.tracks))
    events = tuple(ChatLine(step, text, "A") for step, text in lines.items())
    steps = tuple(range(len(states)))
    return Record(
        start.game, max(len(moves), *lines, 0), events, steps, lambda step: Position(start.game, states[step])
    )


def reviewed(text: str, *moves: tuple[str, str | None]) -> list[Mark]:
    """Return the marks of units moved in a position."""
    return [*review_log(record_of(typed(text), moves), "made.vlog").marks]


@few(12)
@pytest.mark.parametrize("number", [*range(60), 3282])  # 3282: another unit went by the hex that a dummy entered
def test_no_lawful_move_is_called_against_a_rule(number: int) -> None:
    assert not tried(checking.SEARCH, [number]).wrong


@few(8)
@pytest.mark.parametrize("number", range(60))
def test_a_seeded_move_is_judged_as_by_a_naive_judge(number: int) -> None:
    assert not tried(faults.SEARCH, [number]).wrong


def test_seeded_faults_are_found() -> None:
    seen = tried(faults.SEARCH, range(100, 118)).seen
    assert seen["unlawful: against"] >= 3
    assert seen["unlawful: lawful"] == 0
    assert seen["lawful: against"] == 0


def judge_markers(number: int) -> Iterator[tuple[str, str]]:
    """Yield the kind of each unlawful marker seeded into a phase, and its judgement. Nothing else may be accused."""
    made = checking.play_case(checking.Case("twilight-in-the-east", number, 1914))
    random, played = made or (Random(), None)
    for kind in faults.MARKER_FAULTS if played is not None else ():
        assert played is not None
        if (seeded := faults.seed_marker(random, played, kind)) is None:
            continue
        with_marker, marker = seeded
        record = write_down(random, with_marker, shuffled=random.random() < 0.5)
        marks = review_log(record, "made.vlog").marks
        wrong = [mark for mark in marks if mark.judgement == "against"]
        *_, mark = (mark for mark in marks if mark.cause == marker.track and mark.what.startswith(marker.subject))
        assert [other for other in wrong if other is not mark] == []
        assert mark.judgement == "against" or (mark.judgement == "undecided" and mark.why), mark
        yield kind, mark.judgement


@few(4)
@pytest.mark.parametrize("number", range(0, 60, 2))
def test_an_unlawful_marker_is_found_or_undecided_with_a_reason(number: int) -> None:
    assert all(judgement in ("against", "undecided") for _, judgement in judge_markers(number))


def test_most_unlawful_markers_are_found() -> None:
    counts = Counter(entry for number in range(0, 24, 2) for entry in judge_markers(number))
    for kind in faults.MARKER_FAULTS:
        assert counts[kind, "against"] > counts[kind, "undecided"] >= 0, counts


@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in JOURNALS])
def test_no_answer_of_a_shipped_journal_is_against_a_rule(file: Path) -> None:
    journal = JournalFile(file, load_game).read(compares=False)
    review = review_journal(play_journal(journal))
    assert review.counts["against"] == 0


# --- moves ------------------------------------------------------------------------------------------------------------


def test_a_move_is_lawful_by_its_way() -> None:
    (mark,) = reviewed(f"{WORLD}5320: russian infantry first A (5-2)\n", ("A", "5321"))
    assert (mark.judgement, mark.way) == ("lawful", ("5320", "5321"))


def test_a_move_too_far_names_its_rule_and_how_far_the_unit_may_go() -> None:
    (mark,) = reviewed(f"{WORLD}5320: russian infantry first A (5-2)\n", ("A", "5324"))
    assert (mark.judgement, mark.rule, mark.step) == ("against", "5.0", 1)
    assert "Movement Points are needed" in mark.why
    assert mark.remedy.startswith("A may go as far as 532")


def test_a_unit_that_is_brought_back_has_not_moved() -> None:
    marks = reviewed(f"{WORLD}5320: russian infantry first A (5-2)\n", ("A", "5326"), ("A", "5320"))
    assert [(mark.judgement, mark.why) for mark in marks] == [("aside", "there and back")]


def test_only_the_last_place_of_a_unit_counts() -> None:
    marks = reviewed(f"{WORLD}5320: russian infantry first A (5-2)\n", ("A", "5326"), ("A", "5321"))
    assert [(mark.judgement, mark.step) for mark in marks] == [("lawful", 2)]


def test_without_a_phase_no_move_is_called_against_a_rule() -> None:
    text = WORLD.replace(" phase=first-movement", "") + "5320: russian infantry first A (5-2)\n"
    (mark,) = reviewed(text, ("A", "5324"))
    assert (mark.judgement, mark.why) == ("undecided", "which phase it is")


def test_a_phase_without_moves_accuses_nobody() -> None:
    text = WORLD.replace("first-movement", "first-combat") + "5320: russian infantry first A (5-2)\n"
    (mark,) = reviewed(text, ("A", "5324"))
    assert (mark.judgement, mark.why) == ("undecided", "which hex A attacks")
    (mark,) = reviewed(f"{text}5321: german infantry 8th E (5-3)\n", ("A", "5324"))
    assert (mark.judgement, mark.why) == ("undecided", "who attacks 5321")


def test_a_unit_of_the_other_side_may_have_reacted() -> None:
    (mark,) = reviewed(f"{WORLD}5320: german infantry 8th A (5-2)\n", ("A", "5324"))
    assert (mark.judgement, mark.why) == ("undecided", "what moved a unit of the side that does not move now")


def test_what_is_assumed_accuses_nobody() -> None:
    (mark,) = reviewed(f"{WORLD}5320: russian infantry first A (5-2) disrupted?\n", ("A", "5324"))
    assert mark.judgement == "undecided"


def test_a_unit_that_enters_or_leaves_play_is_undecided() -> None:
    marks = reviewed(f"{WORLD}5320: russian infantry first A (5-2)\n", ("A", None))
    assert [(mark.judgement, mark.why) for mark in marks] == [("undecided", "what took it out of play")]


BESIDE = f"{WORLD}5420: german infantry 8th E (5-3)\n5421: russian infantry first A (5-1)\n"
"""A, which moves one hex, stands in the zone of a German, in which it may go on only into a hex with a friend."""


def test_a_move_that_needs_another_before_it_is_lawful_in_any_order() -> None:
    (alone,) = reviewed(BESIDE, ("A", "5321"))
    assert (alone.judgement, alone.rule) == ("against", "3.3")
    both = reviewed(f"{BESIDE}5221: russian infantry first B (5-1)\n", ("A", "5321"), ("B", "5321"))
    assert {mark.judgement for mark in both} == {"lawful"}


def test_a_move_that_needs_another_after_it_is_lawful_in_any_order() -> None:
    marks = reviewed(f"{BESIDE}5321: russian infantry first B (5-1)\n", ("B", "5221"), ("A", "5321"))
    assert [(mark.judgement, mark.what.split(" ")[0]) for mark in marks] == [("lawful", "B"), ("lawful", "A")]
    assert marks[1].why == "before the others"


def test_with_more_than_six_others_near_a_refused_move_is_undecided_and_they_are_named() -> None:
    names = "BCDFGHI"
    stacks = "".join(f"5{number}23: russian infantry first {name} (5-3)\n" for number, name in enumerate(names, 0))
    text = f"{WORLD}5320: russian infantry first A (5-3)\n{stacks}"
    moves = [(name, f"5{number}22") for number, name in enumerate(names, 0)]
    marks = {mark.what.split(" ")[0]: mark for mark in reviewed(text, ("A", "5326"), *moves)}
    if marks["A"].judgement == "undecided":
        assert marks["A"].why.startswith("in which order it moved among ")
    else:
        assert marks["A"].judgement == "against"


def test_two_saves_are_reviewed_as_one_step() -> None:
    before = typed(f"{WORLD}5320: russian infantry first A (5-2)\n")
    after = typed(f"{WORLD}5324: russian infantry first A (5-2)\n")
    review = review_saves(before, after, ("before.pos", "after.pos"))
    assert [mark.judgement for mark in review.marks] == ["against"]
    assert review.exit_code == 1
    other = typed("game twilight-in-the-east\n")
    with pytest.raises(InputError, match=r"after\.pos one of 1914, Twilight in the East"):
        review_saves(before, other, ("before.pos", "after.pos"))


def test_saves_of_two_phases_accuse_nobody() -> None:
    before = typed(f"{WORLD}5320: russian infantry first A (5-2)\n")
    after = typed(f"{WORLD.replace('first-movement', 'second-movement')}5324: russian infantry first A (5-2)\n")
    review = review_saves(before, after, ("before.pos", "after.pos"))
    move = next(mark for mark in review.marks if mark.cause == "move")
    assert (move.judgement, move.why) == ("undecided", "whether it moved before or after the phase ended")


def test_a_side_learns_nothing_from_moves_that_it_does_not_see() -> None:
    text = f"{WORLD}5320: russian infantry first A (5-2)\n5428: german infantry 8th E (5-3) invisible=german\n"

    def review(*moves: tuple[str, str | None]) -> str:
        record = record_of(typed(text), [("A", "5321"), *moves], {2 + len(moves): "done"})
        seen = Record(
            record.game,
            record.steps,
            record.events,
            record.moments,
            lambda step: record.at(step).with_state(reduce_state(record.game, record.at(step).state, "russian")),
        )
        return review_json(review_log(count_by_lines(seen), "made.vlog"))

    assert review() == review(("E", "5429")) == review(("E", "5430"), ("E", "5429"))


# --- facts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "judgement", "rule"),
    [("25/3", "against", "14.0"), ("1/1", "undecided", "")],  # in the Supply Phase of the Russians
)
def test_a_supply_state_against_the_rules_is_found_in_the_phase_that_sets_it(
    unit: str, judgement: str, rule: str
) -> None:
    before = assistant.read(f"{ROOT}/plugins/twilight_in_the_east/examples/august-1914.journal#13")
    change = Change("supply", unit, None, "low", "")
    after = before.with_state(apply(before.state, [change], before.game.tracks))
    (mark,) = review_saves(before, after, ("before.pos", "after.pos")).marks
    assert (mark.judgement, mark.rule) == (judgement, rule)
    assert "by the rules in: " in mark.why


def test_a_marker_without_a_declared_cause_is_undecided_and_one_without_a_rule_aside() -> None:
    before = typed(f"{WORLD}5320: russian infantry first A (5-2)\n")
    after = typed(f"{WORLD}5320: russian infantry first A (5-2) disrupted\n5321 clear\n")
    marks = {mark.cause: mark.judgement for mark in review_saves(before, after, ("before.pos", "after.pos")).marks}
    assert marks == {"disrupted": "undecided", "terrain": "aside"}


AUGUST = f"{ROOT}/plugins/twilight_in_the_east/examples/august-1914.journal"
"""A journal: #4 is in the weather phase, #20 in the Russian movement, #68 in the Central Powers' counter-movement."""


def set_in_august(moment: int, *facts: tuple[str, str, Value | None], before: Sequence[Change] = ()) -> list[Mark]:
    """Return the marks of facts set in the journal. `before`: changes of its position before that."""
    position = assistant.read(f"{AUGUST}#{moment}")
    tracks = position.game.tracks
    start = position.with_state(apply(position.state, before, tracks))
    changes = [Change(track, subject, None, value, "") for track, subject, value in facts]
    after = start.with_state(carry_out(start.state, changes, tracks))
    return [*review_saves(start, after, ("before.pos", "after.pos")).marks]


@pytest.mark.parametrize(
    ("moment", "track", "subject", "value", "judgement", "rule"),
    [
        (20, "prepared", "29/20", "44.19", "lawful", ""),
        (20, "prepared", "29/20", "44.21", "against", "8.4"),  # not adjacent
        (60, "prepared", "2/1", "43.18", "against", "5.4"),  # the other side's movement
        (68, "prepared", "2/1", "43.18", "against", "8.4"),  # in the Counter Movement Phase
        (4, "weather", "", "normal", "undecided", ""),  # the die may have been rolled by hand
        (4, "weather", "", "freeze", "against", "20.0"),  # no throw leads to it in summer
        (20, "weather", "", "summer-heat", "undecided", ""),  # in which phase
        (20, "cel", "29/20", -1, "undecided", ""),  # no question declares losses
    ],
)
def test_a_marker_is_judged_by_the_question_that_sets_it(
    moment: int, track: str, subject: str, value: Value, judgement: str, rule: str
) -> None:
    (mark,) = set_in_august(moment, (track, subject, value))
    assert (mark.judgement, mark.rule) == (judgement, rule)


def test_a_recovery_beside_the_enemy_is_against_its_rule() -> None:
    tired = [Change("cel", "29/20", None, -2, "")]
    (mark,) = set_in_august(20, ("cel", "29/20", -1), before=tired)
    assert (mark.judgement, mark.rule) == ("against", "8.6.1")
    assert mark.remedy == "set cel of 29/20 to -2"


def review_values(moment: int, track: str, subject: str, values: Sequence[Value | None]) -> list[Mark]:
    """Return the marks of a fact that has these values one after the other in the journal's position."""
    position = assistant.read(f"{AUGUST}#{moment}")
    tracks = position.game.tracks
    states = [carry_out(position.state, [Change(track, subject, None, value, "")], tracks) for value in values]
    moments = tuple(range(len(values)))
    record = Record(position.game, len(values) - 1, (), moments, lambda step: Position(position.game, states[step]))
    return [mark for mark in review_log(record, "made.vlog").marks if mark.cause == track]


@pytest.mark.parametrize(
    ("values", "judgement"), [((-1, -2, -1), "aside"), ((-1, -2, -2, -1), "aside"), ((-2, -1), "against")]
)
def test_a_slip_that_is_put_right_is_no_matter_of_rules(values: tuple[int, ...], judgement: str) -> None:
    (mark,) = review_values(20, "cel", "29/20", values)
    assert mark.judgement == judgement


def test_a_level_that_comes_back_in_a_phase_without_recovery_may_be_a_correction() -> None:
    (mark,) = review_values(4, "cel", "29/20", (-2, -1))
    assert mark.judgement == "undecided"


def test_a_marker_counts_as_it_lies_at_the_end_of_the_phase() -> None:
    (mark,) = review_values(20, "prepared", "29/20", (None, "44.21", None, "44.19"))
    assert mark.judgement == "lawful"


@pytest.mark.parametrize(("total", "judgement"), [(4, "lawful"), (6, "undecided")])
def test_weather_by_a_throw_of_the_log_is_lawful(total: int, judgement: str) -> None:
    start = assistant.read(f"{AUGUST}#4")
    change = Change("weather", "", None, "normal", "")
    states = [start.state, start.state, apply(start.state, [change], start.game.tracks)]
    throw = Throw(1, "1d6", (total,), "A")
    record = Record(start.game, 2, (throw,), (0, 1, 2), lambda step: Position(start.game, states[step]))
    marks = {mark.cause: mark.judgement for mark in review_log(record, "made.vlog").marks}
    assert marks["weather"] == judgement


def test_a_refused_marker_is_undecided_among_many_moves_nearby() -> None:
    start = assistant.read(f"{AUGUST}#20")
    board = start.game.board_of(start.state)
    near = [unit for unit in start.state.units.values() if unit.id != "29/20" and unit.place in board.hexes]
    near = sorted(near, key=lambda unit: board.distance("43.18", str(unit.place)))[:4]
    moves = [Change("place", unit.id, unit.place, sorted(board.neighbours(str(unit.place)))[0], "") for unit in near]
    changes = [*moves, Change("prepared", "29/20", None, "44.21", "")]
    after = start.with_state(apply(start.state, changes, start.game.tracks))
    marks = review_saves(start, after, ("before.pos", "after.pos")).marks
    (mark,) = [mark for mark in marks if mark.cause == "prepared"]
    assert mark.judgement == "undecided"
    assert mark.why.startswith("in which order it was set and ")


def test_markers_that_end_with_a_phase_may_be_taken_off_then_or_later() -> None:
    """Prepared Attack markers end as the Counter Attack Phase begins."""
    start = assistant.read(f"{AUGUST}#2")
    tracks = start.game.tracks
    facts = {"phase": "attack", "phasing": "russian", "weather": "normal"}
    fought = [Change(track, "", None, value, "") for track, value in facts.items()]
    marked = carry_out(start.state, [*fought, Change("prepared", "29/20", None, "44.19", "")], tracks)
    onward = apply(marked, [Change("phase", "", "attack", "counter-attack", "")], tracks)
    taken = apply(onward, [Change("prepared", "29/20", "44.19", None, "")], tracks)
    states = [marked, onward, taken]
    record = Record(start.game, 2, (), (0, 1, 2), lambda step: Position(start.game, states[step]))
    marks = {mark.cause: mark.judgement for mark in review_log(record, "made.vlog").marks}
    assert marks == {"owed": "undecided", "phase": "lawful", "prepared": "lawful"}  # the attack may have been fought


@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in JOURNALS])
def test_every_question_that_sets_a_declared_fact_declares_it(file: Path) -> None:
    """Otherwise a fact that such a question has set would be called against a rule."""
    record = play_journal(JournalFile(file, load_game).read(compares=False))
    game = record.start.game
    judge = SettingJudge(game, None)
    for passage in record:
        for change in passage.changes if passage.question else ():
            if not isinstance(change, Change) or change.track not in game.tracks:
                continue
            setters = judge.list_setters(Deed(0, change.track, change.subject, change.before, change.after))
            assert passage.question
            assert not setters or passage.question.asked.question in [setter.question.name for setter in setters]


# --- combats ----------------------------------------------------------------------------------------------------------

FOUGHT = [
    f"say: {ASK}",
    *(happening for name, dice in zip(NAMES, (*DICE, *CHECKS), strict=True) for happening in (f"say: {name}", dice)),
]
"""The declared battle of the comprehensive example with its dice, each of them named."""
PHASE = BATTLE.replace("turn=1", "turn=1 phase=attack phasing=russian").replace(
    "board east", "board east\naccept drawn"
)


def fight(*results: str, start: str = PHASE, happenings: Sequence[str] = FOUGHT) -> list[Mark]:
    """Return the marks of the example's battle with some results, one in a step."""
    log = record(start, *happenings, *results)
    return [*review_log(log, "made.vlog").marks]


def against(marks: Sequence[Mark]) -> list[tuple[int, str, str]]:
    """Return what is against a rule: its step, what was done and the rule."""
    return [(mark.step, mark.what.partition(": ")[2], mark.rule) for mark in marks if mark.judgement == "against"]


def test_a_declared_battle_with_its_results_is_lawful() -> None:
    marks = fight(*OUTCOME.splitlines())
    assert {mark.judgement for mark in marks if mark.cause != "attacked"} == {"lawful"}
    battle = next(mark for mark in marks if mark.cause == "battle")
    assert battle.what == ASK.removeprefix("ask ")
    assert battle.why.startswith("column 1:1, Large")


@few(2)
@pytest.mark.parametrize(
    ("changed", "result", "wrong", "rule"),
    [
        ("40.20: 25/3 cel=-1 fought", "40.20: 25/3 fought", "25/3: cel 0", "11.3.2"),  # the level is not lost
        ("40.20: 25/3 cel=-1 fought", "40.20: 25/3 cel=-2 fought", "25/3: cel -2", "11.3.2"),
        (
            "39.20: 27/3 -1 cel=-2 fought retreated",
            "40.20: 25/3 cel=-1 fought, 27/3 -1 cel=-2 fought",
            "27/3 in 40.20",
            "11.2.1",
        ),
        ("41.19: 1/1 -2 fought", "41.19: 1/1 -3 fought", "1/1: lost 3", "11.1"),
        ("41.19: 1/1 -2 fought", "42.18: 1/1 -2 fought", "1/1 in 42.18", "11.2.1"),  # the defender holds
    ],
)
def test_a_wrong_result_is_against_its_rule(changed: str, result: str, wrong: str, rule: str) -> None:
    results = [result if line == changed else line for line in OUTCOME.splitlines()]
    marks = fight(*sorted(results, key=lambda line: line == result))
    ((step, what, named),) = against(marks)
    assert (what, named) == (wrong, rule)
    assert step == len(FOUGHT) + len(results) or result.endswith("25/3 fought")


def test_without_a_declaration_nobody_is_accused_and_the_attack_is_asked_for() -> None:
    marks = fight("41.19: 1/1 -3", happenings=())
    assert not against(marks)
    (mark,) = [mark for mark in marks if mark.cause == "lost"]
    assert (mark.judgement, mark.why) == ("undecided", "who attacks 41.19")


def test_results_that_come_later_in_the_phase_count() -> None:
    late = "40.20: 25/3 cel=-1 fought"
    results = [line for line in OUTCOME.splitlines() if line != late]
    marks = fight(*results, "say: ask battle at=43.17", late)
    assert not against(marks)
    assert next(mark for mark in marks if mark.what == ASK.removeprefix("ask ")).judgement == "lawful"


def test_a_battle_with_a_throw_too_many_is_undecided() -> None:
    results = [line.replace(" cel=-1", "") for line in OUTCOME.splitlines()]
    marks = fight(*results, happenings=[*FOUGHT[:5], "1d6 4", *FOUGHT[5:]])
    assert not against(marks)
    assert next(mark for mark in marks if mark.cause == "battle").why.startswith(
        "which of the throws count; 25/3: cel 0"
    )


def test_a_search_that_ends_by_its_limit_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation, "_MAX_TRIALS", 1)
    results = [line.replace("cel=-2", "cel=-3") for line in OUTCOME.splitlines()]
    marks = fight(*results)
    assert not against(marks)
    assert next(mark for mark in marks if mark.cause == "battle").why.startswith(
        "more choices and orders of dice may fit"
    )


def test_a_battle_whose_results_are_still_to_be_carried_out_is_undecided() -> None:
    battle = next(mark for mark in fight("41.19: 1/1 fought") if mark.cause == "battle")
    assert battle.judgement == "undecided"
    assert battle.why.startswith("whether its results are still to be carried out; ")


@thorough
def test_seeded_faults_of_combats_are_found() -> None:
    found = tried(combat_faults.SEARCH, range(40))
    assert not found.wrong
    assert found.seen["found with its rule"] > found.seen["found otherwise"]


def test_an_attack_played_by_chance_accuses_nobody() -> None:
    found = tried(checking.SEARCH, [4, 9, 24])
    assert not found.wrong
    assert sum(number for what, number in found.seen.items() if what.startswith("attacks in ")) >= 2


# --- what a phase owes ------------------------------------------------------------------------------------------------


def leave_phase(text: str, phase: str, *dice: str) -> list[Mark]:
    """Return the marks of a step to another phase of the same side. `dice`: thrown before."""
    start = f"{text.rstrip()}\n"
    return [*review_log(record(start, *dice, f"phase={phase}\n"), "made.vlog").marks]


OVERSTACKED = f"{WORLD}5320: {', '.join(f'russian infantry first {name} (5-2)' for name in 'ABCDE')}\n"


def test_a_phase_left_with_too_many_units_in_a_hex_is_against_the_rule() -> None:
    marks = leave_phase(OVERSTACKED, "first-combat")
    assert [(mark.cause, mark.judgement, mark.rule) for mark in marks] == [
        ("owed", "against", "3.2"),
        ("phase", "lawful", ""),
    ]


def test_an_attack_that_is_owed_may_have_been_fought_by_hand() -> None:
    text = PHASE.replace("40.19: 29/20 (10-?-5-10) -3", "40.19: 29/20 (10-?-5-10) -3 prepared=41.19")
    (owed,) = [mark for mark in leave_phase(text, "counter-attack") if mark.cause == "owed"]
    assert (owed.judgement, owed.why) == ("undecided", "Artillery Ammunition Points is not stated")


def test_a_skipped_phase_is_named() -> None:
    marks = leave_phase(f"{WORLD}5320: russian infantry first A (5-2)\n", "second-movement")
    assert [(mark.judgement, mark.why) for mark in marks] == [("lawful", "skipped: russian first-combat")]


def test_a_marker_left_lying_after_its_phase_is_against_the_rule() -> None:
    """It may be taken off in the next phase too; a phase without moves and combats after it is the last one."""
    text = PHASE.replace("phase=attack", "phase=counter-attack").replace(
        "27/3 (10-?-5-10)", "27/3 (10-?-5-10) retreated"
    )
    lines = ("phase=post-combat\n", "turn=1 phasing=central-powers phase=attachment\n")
    states = [typed(text)]
    for line in lines:
        facts = dict(word.split("=") for word in line.split())
        changes = [
            Change(track, "", None, int(value) if value.isdigit() else value, "") for track, value in facts.items()
        ]
        states.append(states[-1].with_state(carry_out(states[-1].state, changes, states[-1].game.tracks)))
    log = Record(states[0].game, 2, (), (0, 1, 2), lambda step: states[step])
    marks = [mark for mark in review_log(log, "made.vlog").marks if mark.cause == "retreated"]
    assert [(mark.judgement, mark.rule, mark.remedy) for mark in marks] == [
        ("against", "10.1c", "take retreated off 27/3")
    ]


# --- what both players let stand --------------------------------------------------------------------------------------

TOO_FAR = f"{BESIDE}4921: russian infantry first B (5-1)\n"
"""B may not go to 5321, where it would let A come; A may only follow it."""


def test_what_rests_on_a_move_that_both_let_stand_is_judged_on_from_there() -> None:
    record = record_of(typed(TOO_FAR), [("B", "5321"), ("A", "5321")])
    before = review_log(record, "made.vlog")
    assert [(mark.step, mark.judgement) for mark in before.marks] == [(1, "against"), (2, "lawful")]
    after = review_log(record, "made.vlog", agreed=agree_on_steps(before.marks, [1]))
    assert [(mark.step, mark.judgement) for mark in after.marks] == [(1, "agreed"), (2, "lawful")]
    assert after.exit_code == 0


def test_near_a_move_that_both_let_stand_nobody_is_accused_for_how_it_went() -> None:
    record = record_of(typed(TOO_FAR), [("B", "5321"), ("A", "5324")])
    marks = review_log(record, "made.vlog", agreed=[Agreed(1, "B from 4921 to 5321")]).marks
    assert [(mark.judgement, mark.why) for mark in marks][1] == ("undecided", "what B, let stand, did on the way")


def test_a_line_that_fits_nothing_is_named() -> None:
    record = record_of(typed(f"{WORLD}5320: russian infantry first A (5-2)\n"), [("A", "5321")])
    agreed = [Agreed(1, "A from 5320 to 5324")]
    marks = review_log(record, "made.vlog", agreed=agreed).marks
    assert [mark.judgement for mark in marks] == ["lawful"]
    assert list_unknown(marks, agreed) == agreed


def test_a_step_is_agreed_on_at_the_command_line_and_stays_so(tmp_path: Path) -> None:
    log = tmp_path / "comprehensive-example.vlog"
    shutil.copy(EXAMPLES / log.name, log)
    assert run_command(tmp_path, "review", log.name, "--umpire").returncode == 4
    refused = run_command(tmp_path, "review", log.name, "--umpire", "--agree", "3")
    assert (refused.returncode, refused.stderr.splitlines()[1]) == (3, "  steps that did: 24")
    assert run_command(tmp_path, "review", log.name, "--umpire", "--agree", "24").returncode == 0
    file = log.with_name(f"{log.name}.review")
    assert run_command(tmp_path, "review", log.name, "--umpire").stdout.splitlines()[-2].endswith("2 agreed.")
    file.write_text("".join(file.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")  # one line taken out
    assert run_command(tmp_path, "review", log.name, "--umpire").returncode == 4
    file.write_text("24\n", "utf-8")
    assert f"{file.name}:1: " in run_command(tmp_path, "review", log.name, "--umpire").stderr


def test_a_side_agrees_in_a_file_of_its_own_steps(tmp_path: Path) -> None:
    log = tmp_path / "comprehensive-example.vlog"
    shutil.copy(EXAMPLES / log.name, log)
    run_command(tmp_path, "review", log.name, "--as", "russian", "--agree", "4")
    assert [file.name for file in tmp_path.glob("*.review")] == [f"{log.name}.russian.review"]
    assert run_command(tmp_path, "review", log.name, "--umpire").stdout.splitlines()[-3].count("agreed") == 0


# --- what a review says -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judgements", "code"),
    [(["lawful", "aside", "agreed"], 0), (["lawful", "undecided"], 4), (["against", "undecided"], 1), ([], 0)],
)
def test_the_exit_code_says_the_worst(judgements: list[str], code: int) -> None:
    marks = tuple(Mark(step=1, judgement=judgement, what="A") for judgement in judgements)  # type: ignore[arg-type]
    assert Review(file="a.vlog", game="g", steps=1, marks=marks).exit_code == code


def test_text_and_json_have_the_same_marks() -> None:
    marks = reviewed(f"{WORLD}5320: russian infantry first A (5-2)\n", ("A", "5324"))
    review = Review(file="a.vlog", game="g", steps=1, marks=tuple(marks))
    text = format_review(review)
    assert "!! 1 A from 5320 to 5324: " in text
    assert "To put it right: A may go as far as" in text
    assert "0 lawful, 1 against a rule, 0 undecided, 0 not a matter of rules." in text
    plain = msgspec.json.decode(review_json(review))
    assert plain["counts"] == {"lawful": 0, "against": 1, "undecided": 0, "aside": 0, "agreed": 0}
    assert plain["marks"][0]["rule"] == "5.0"


@thorough
def test_the_phases_of_the_searches_have_every_kind_of_move() -> None:
    seen = Counter[str]()
    for number in range(120):
        list(checking.find_faults(checking.make_case(number, 1914), seen))
    assert all(seen[f"move by {kind}"] for kind in ("foot", "stack"))
