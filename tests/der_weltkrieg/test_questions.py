"""The questions of the campaign by examples: a position, what is asked, and the verdict, worked out from the rulebook by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant import parse
from assistant.asking import View
from assistant.asking.report import to_forum
from assistant.installed.registry import load_game, questions_of
from assistant.mechanics.procedure import AnswerError
from assistant.util.errors import InputError
from der_weltkrieg.rail import RailParameters, rail
from der_weltkrieg.supply_points import americans, spend
from der_weltkrieg.terms import is_so, read_campaign_calendar

from .answers import ANSWERS, answer_of, asked, asked_alone, lines_of, read_answers, read_cases, title_of


def viewed(position: str) -> View:
    """What a function of the game sees of a position, whose lines are parted by semicolons."""
    stated = parse("\n".join(["game der-weltkrieg", *position.split("; ")]))
    return View(stated.game, stated.state)


def cases() -> Iterator[Any]:
    for row in read_cases():
        marks = [pytest.mark.rule(*row["rules"].split())] if row["rules"] else []
        yield pytest.param(row, id=" ".join(filter(None, [*row.values()][:4])), marks=marks)


@pytest.mark.parametrize("case", [*cases()])
def test_a_question_gives_the_verdict_of_its_example(case: Mapping[str, str]) -> None:
    """rules: the rows of the rule index that it shows; says: what the working says, among other things. The whole of
    some answers stands in `kept/answers`.
    """
    report = asked(case["position"], case["question"], case["parameters"], case["dice"])
    (verdict,) = msgspec.structs.replace(report, short=()).answers
    assert (report.verdict.kind, verdict) == (case["kind"], case["verdict"])
    said = f"{verdict}\n{lines_of(report)}"
    assert [words for words in case["says"].split(" / ") if words not in said] == []
    answer = answer_of(case, report)
    assert answer == read_answers(case["question"]).get(title_of(case), answer)
    alone = asked_alone(case["position"], case["question"], case["parameters"], case["dice"])
    assert alone is None or (alone.result, alone.verdict) == (report.result, report.verdict)
    assert alone is None or lines_of(report).startswith(lines_of(alone))


def test_every_question_has_an_example() -> None:
    known = {param.values[0]["question"] for param in cases()}
    assert {*questions_of(load_game("der-weltkrieg"))} - known == {"turn", "check"}


def test_every_answer_on_a_page_is_of_an_example() -> None:
    asked_of = {(row["question"], title_of(row)) for row in read_cases()}
    shown = {(page.stem, title) for page in ANSWERS.glob("*.txt") for title in read_answers(page.stem)}
    assert shown <= asked_of, "python -m tests.der_weltkrieg.answers"
    assert {question for question, _ in shown} == {question for question, _ in asked_of}


# --- worked examples of the rulebook ----------------------------------------------------------------------------------


@pytest.mark.rule("8-1")
@pytest.mark.parametrize(
    ("serbia", "points", "die", "enters"),
    [
        ("yes", 0, 3, ""),
        ("yes", 0, 2, "aug15/7"),
        ("no", 59, 1, ""),
        ("no", 60, 1, "aug15/7"),
        ("no", 359, 6, ""),
        ("no", 360, 6, "aug15/7"),
    ],
)
def test_italy_enters_on_the_seventh_turn_of_the_second_month(serbia: str, points: int, die: int, enters: str) -> None:
    report = asked(f"turn=jun15/0; nation austro-hungarian dm={points}", "italy", f"serbia={serbia}", f"die={die}")
    assert report.result.enters == enters
    assert [change.after for change in report.changes] == ([enters] if enters else [])  # type: ignore[union-attr]


@pytest.mark.rule("13-1")
@pytest.mark.parametrize(("die", "enters"), [(1, "jun16/7"), (2, "jul16/1"), (3, "jul16/2"), (6, "jul16/5")])
def test_romania_is_active_after_the_die_and_two_complete_turns(die: int, enters: str) -> None:
    report = asked("turn=jun16/3; nation austro-hungarian shaken=jun16/3", "romania", "", f"die={die}")
    assert report.result.enters == enters


@pytest.mark.rule("11-1")
def test_whether_nish_counts_before_april_is_named_only_where_it_matters() -> None:
    said = [str(asked("turn=apr15/1", "bulgaria", f"nish={turn}")) for turn in ("mar15/6", "mar15/7")]
    assert ["(ruling nish=any)" in each for each in said] == [True, False]


@pytest.mark.rule("19-11")
@pytest.mark.parametrize(
    ("divisions", "brigades", "battalions", "losses", "lost"),
    [(9, 1, 0, 8, 2), (9, 0, 1, 8, 0), (9, 0, 2, 9, 2), (4, 1, 1, 3, 3)],
)
def test_tanks_lose_their_share_of_the_counterattack(
    divisions: int, brigades: int, battalions: int, losses: int, lost: int
) -> None:
    typed = (
        f"attack=40 tanks=9 divisions={divisions} brigades={brigades} battalions={battalions} counterattack={losses}"
    )
    assert asked("turn=may17/1", "tank-attack", typed).result.lost == lost


@pytest.mark.rule("19-12")
def test_seven_infantry_and_twelve_tank_points_hold_against_thirteen_losses() -> None:
    for losses, retreats in ((13, False), (14, True)):
        typed = f"attack=40 tanks=0 infantry=7 defending-tanks=12 losses={losses}"
        report = asked("turn=may17/1", "tank-attack", typed)
        assert (report.result.threshold, report.result.retreat) == (13, retreats)


@pytest.mark.rule("19-3")
def test_six_tank_points_in_1917_lose_two_by_dice_of_which_two_are_low() -> None:
    report = asked("turn=may17/1", "breakdown", "strength=6", "die.1=1 die.2=4 die.3=2 die.4=3 die.5=5 die.6=6")
    assert report.result.lost == 2
    assert asked("turn=may16/1", "breakdown", "strength=6").result.most == 3
    assert asked("turn=may18/1", "breakdown", "strength=6 by=rail").result.most == 0


@pytest.mark.rule("22-4")
def test_the_british_sector_of_the_example_has_three_rows() -> None:
    behind = "0906,0806,0807,0707,0706,0708,0808"
    report = asked("turn=aug16/4; board map-5-3", "sectors", f"who=british front=1006,0907,0908 behind={behind}")
    assert report.result.rows[0] == ("1006", "0907", "0908")
    chosen = asked("turn=aug16/4; board map-5-3", "sectors", "who=british front=1006,0907,0908 behind=0806,0807,0707")
    assert chosen.result.rows[1:] == (("0806", "0807"), ("0707",))
    assert {"0806", "0807"} <= {*report.result.rows[1]} | {*report.result.rows[2]}


@pytest.mark.rule("23-3")
@pytest.mark.parametrize("points", [2300, 2500])
def test_from_2300_points_on_nobody_is_converted(points: int) -> None:
    result = asked(f"turn=jan18/0; nation german dm={points}", "conversions").result
    assert (result.strong, result.weak) == (0, 0)


@pytest.mark.rule("23-5/1", "23-5/3")
def test_what_is_drawn_from_has_the_243rd_and_an_interrupted_conversion_begins_again() -> None:
    pool = asked("turn=jan18/0", "conversions", "points=1800").result.pool
    assert len(pool) == 53 and "GE 243" in pool and "GE 117 Mtn" not in pool
    assert len(asked("turn=jan18/0; ruling assault-pool=with", "conversions", "points=1800").result.pool) == 56
    most = asked("turn=jan18/0", "conversions", "points=1000").result
    assert most.strong + most.weak == 53
    assert asked("turn=feb18/4", "convert", 'unit="GE 26R" strength=4 disturbed=yes').result.done == "apr18/0"


@pytest.mark.rule("16-1")
@pytest.mark.parametrize(("unit", "back"), [('"GE 9th HQ"', "dec14/4"), ('"GE 8 Eng"', "dec14/4"), ('"GE 11 Art"', "")])
def test_a_destroyed_headquarters_or_engineer_is_due_when_it_comes_back(unit: str, back: str) -> None:
    lost = f"turn=dec14/4; nation french replacements-counted=40; 2715: {unit} lost=sep14/3"
    assert asked(lost, "returns", f"unit={unit}").result.turn == back
    assert [item.rule for item in asked(lost, "due", "who=german").result.items if item.units] == ["16-1"] * bool(back)
    for turn in ("dec14/3", "dec14/5"):
        assert "16-1" not in [item.rule for item in asked(lost, "due", f"turn={turn}").result.items]


@pytest.mark.rule("16-1")
def test_a_headquarters_is_never_rebuilt() -> None:
    assert (
        asked("turn=feb15/1; nation german rpl=40", "rebuild", "who=german kind=headquarters").result.allowed is False
    )


@pytest.mark.rule("18-4", "18-4/2-3")
def test_gas_names_no_column_without_the_attacking_strength() -> None:
    report = asked("turn=may15/1; side entente gas=1", "gas-attack", "side=entente", "gas=2")
    assert report.result.column is None


@pytest.mark.rule("16-17")
def test_who_leaves_in_turn_4_is_back_in_turn_6() -> None:
    result = asked("turn=sep14/4", "transfer", "from=5-3 to=5-5").result
    assert (result.turns, result.arrives, result.counts) == (2, "sep14/6", ("german",))


@pytest.mark.rule("6-5", "7-5")
@pytest.mark.parametrize(
    ("army", "objectives"),
    [
        ("ah 1", ("2803",)), ("ah 4", ("3203", "3601")), ("ah 2", ()), ("ah 3", ()), ("ah kov", ()),
        ("ru 3", ("3609",)), ("ru 4", ("3111", "1911")), ("ru 5", ("3111",)), ("ru 8", ("3609", "4013")), ("ru 9", ("3111", "1911")),
    ],
)  # fmt: skip
def test_an_army_has_its_objectives_which_without_a_move_are_neither_kept_nor_missed(
    army: str, objectives: tuple[str, ...]
) -> None:
    result = asked("turn=aug14/6; board map-5-5", "objective", f'army="{army}"').result
    assert (result.objectives, result.allowed) == (objectives, None)


@pytest.mark.rule("5-3")
@pytest.mark.parametrize(("turn", "missing"), [("aug14/4", ()), ("aug14/5", ("a", "b"))])
def test_nobody_is_missing_from_an_attack_that_may_wait(turn: str, missing: tuple[str, ...]) -> None:
    assert asked(f"turn={turn}", "plan-17", "army=3 units=a,b").result.missing == missing


@pytest.mark.rule("5-3")
@pytest.mark.parametrize(
    ("typed", "what"),
    [
        ("units=3 able=2 fortress=3", "fortress: 3 are more than the 2 units in position"),
        ("units=3 fortress=4", "fortress: 4 are more than the 3 units of the army"),
        ("units=3 attacking=a,b", "attacking: 'a' is a name, and the units are counted"),
    ],
)
def test_counts_of_an_attack_that_do_not_fit_are_refused(typed: str, what: str) -> None:
    with pytest.raises(InputError, match=re.escape(what)):
        asked("turn=aug14/5", "plan-17", f"army=3 {typed}")


@pytest.mark.rule("5-3")
@pytest.mark.parametrize(
    ("turn", "typed", "kind", "missing", "said"),
    [
        ("aug14/4", "units=a,b,c", "yes", (), []),
        ("aug14/4", "units=a,b,c attacking=a,b fortress=c", "no", ("c",), ["all of them attack together: not c"]),
        ("aug14/4", "units=a,b,c attacking=a,b,c able=a,b", "no", (), ["an earlier attack needs all of them in position: not c"]),
        ("aug14/5", "units=a,b,c attacking=a able=a,b fortress=b", "yes", (), ["on turn 5 those that can attack only a fortress of 12 or more are spared: b"]),
        ("aug14/5", "units=a,b,c attacking=a able=a,b", "no", ("b",), ["all of them attack together: not b"]),
        ("aug14/5", "units=a,b able=b", "no", ("b",), ["it has to attack this turn with b"]),
        ("aug14/6", "units=a,b attacking=a,b", "no", (), ["the attack was due by turn 5 of August"]),
        ("aug14/4", "units=5", "yes", (), []),
        ("aug14/4", "units=5 attacking=3", "no", ("2",), ["all of them attack together: not 2 units"]),
        ("aug14/4", "units=5 attacking=5 able=5", "yes", (), []),
        ("aug14/4", "units=5 attacking=5 able=3", "no", (), ["an earlier attack needs all of them in position: not 2 units"]),
        ("aug14/4", "units=5 attacking=4 fortress=1", "no", ("1",), ["all of them attack together: not 1 unit"]),
        ("aug14/5", "units=5 attacking=2 able=4 fortress=2", "yes", (), ["on turn 5 those that can attack only a fortress of 12 or more are spared: 2 units"]),
        ("aug14/5", "units=5 attacking=1 able=4 fortress=2", "no", ("1",), ["all of them attack together: not 1 unit"]),
        ("aug14/5", "units=5 attacking=2 able=2", "yes", (), []),
        ("aug14/5", "units=5 able=2 fortress=2", "yes", (), ["on turn 5 those that can attack only a fortress of 12 or more are spared: 2 units"]),
        ("aug14/5", "units=5", "no", ("5",), ["it has to attack this turn with 5 units"]),
        ("aug14/6", "units=2", "no", ("2",), ["the attack was due by turn 5 of August"]),
    ],
)  # fmt: skip
def test_who_is_missing_from_the_attack_of_plan_17(
    turn: str, typed: str, kind: str, missing: tuple[str, ...], said: list[str]
) -> None:
    report = asked(f"turn={turn}", "plan-17", f"army=3 {typed}")
    assert (report.verdict.kind, report.result.missing) == (kind, missing)
    assert [step.text for part in report.parts for step in part.steps if step.rule == "5-3"] == said


@pytest.mark.rule("6-7")
def test_only_austro_hungarian_armies_owe_attacks() -> None:
    with pytest.raises(InputError, match="'ru 4' is not Austro-Hungarian"):
        asked("turn=aug14/6", "duty", 'of=6-7 army="ru 4"')


@pytest.mark.rule("7-9", "7-10", "7-11")
def test_what_is_beyond_the_garrison_of_russia_may_leave_as_the_schedule_frees_more() -> None:
    typed = 'of=russia have="ah infantry strength:150,ah cavalry strength:10"'
    for turn, spare, short in (("mar17/3", 0, 2), ("apr17/3", 7, 2), ("jun17/3", 16, 1), ("jul17/3", 24, 0)):
        items = asked(f"turn={turn}; nation russian surrender=mar17/3", "garrison", typed).result.items
        found = {item.kind: item for item in items if item.who == "austro-hungarian"}
        assert (found["infantry strength"].spare, found["cavalry strength"].short) == (spare, short)


# --- limits and levels --------------------------------------------------------------------------------------------------


@pytest.mark.rule("3-11", "4-3", "5-5", "6-18", "7-8", "8-6", "11-3", "13-4")
@pytest.mark.parametrize(
    ("who", "levels"),
    [
        ("german", {"Shaken": 1500, "Economic Collapse": 2200, "Bulgaria surrenders": 2450, "Surrender": 2500}),
        ("british", {"Shaken": 900, "Economic Collapse": 1300, "Surrender": 1500}),
        ("french", {"Shaken": 900, "Economic Collapse": 1305, "Surrender": 1500}),
        ("austro-hungarian", {"More German divisions": 250, "Open to artillery surprise": 485, "Shaken": 550, "Economic Collapse": 775, "Surrender": 900}),
        ("russian", {"Shaken": 750, "Economic Collapse": 1100, "Surrender": 1250}),
        ("italian", {"Shaken": 300, "Economic Collapse": 450, "Surrender": 500}),
        ("bulgarian", {"Out of the game": 50}),
        ("romanian", {"Surrender": 250}),
        ("american", {}),
    ],
)  # fmt: skip
def test_the_levels_of_a_nation(who: str, levels: dict[str, int]) -> None:
    result = asked("turn=jun15/0", "morale", f"who={who}").result
    assert {level.title: level.at for level in result.levels} == levels


@pytest.mark.rule("16-4", "16-5", "16-6", "16-7", "16-8", "16-9", "16-10", "16-11", "16-12")
@pytest.mark.parametrize(
    ("who", "turn", "most"),
    [
        ("german", "dec14/7", None), ("german", "jan15/0", 175), ("german", "dec15/7", 175), ("german", "jan16/0", 235), ("german", "jan17/0", 425), ("german", "nov18/3", 350),
        ("british", "jan15/0", 20), ("british", "jan16/0", 60), ("british", "jan17/0", 75), ("british", "jan18/0", 100),
        ("french", "jan15/0", 75), ("french", "jan16/0", 150), ("russian", "jan15/0", 125), ("russian", "jan16/0", 175),
        ("austro-hungarian", "jan15/0", 100), ("austro-hungarian", "jan16/0", 165), ("belgian", "dec14/7", None), ("belgian", "jan15/0", 20),
        ("american", "aug18/0", None), ("american", "aug18/1", 30), ("serbian", "sep14/0", 25), ("bulgarian", "nov15/1", 25), ("romanian", "sep16/1", 25), ("italian", "may15/1", 70),
    ],
)  # fmt: skip
def test_the_limit_of_supply_points(who: str, turn: str, most: int | None) -> None:
    assert asked(f"turn={turn}", "caps", f"who={who}").result[0].most == most


@pytest.mark.rule("16-4", "16-5", "16-6", "16-7", "16-8", "16-9", "16-10", "16-11", "16-12", "16-13")
@pytest.mark.parametrize(
    ("position", "who", "now", "ahead"),
    [
        ("turn=jun15/1; nation german sp=100", "german", (175, False, None, 0), ("jul15/0", 100, 175)),
        ("turn=dec15/7; nation german sp=180", "german", (175, False, None, 5), ("jan16/0", 180, 235)),
        ("turn=nov14/7; nation german sp=900", "german", (None, False, None, 0), ("dec14/0", 900, None)),
        ("turn=jul15/0; nation british sp=20", "british", (20, False, None, 0), ("aug15/0", 25, 20)),
        ("turn=jun15/5; nation austro-hungarian sp=90 headquarters=3", "austro-hungarian", (100, False, None, 0), ("jul15/0", 90, 100)),
        ("turn=jul18/7; nation american sp=84", "american", (None, False, None, 0), ("aug18/0", 84, None)),
        ("turn=aug18/0; nation american sp=84", "american", (None, False, None, 0), ("sep18/0", 35, 30)),
        ("turn=aug18/0; nation american sp=9", "american", (None, False, None, 0), ("sep18/0", 19, 30)),
        ("turn=aug18/1; nation american sp=35", "american", (30, False, None, 5), ("sep18/0", 35, 30)),
        ("turn=nov18/2; nation american sp=40", "american", (30, False, None, 10), ("", 40, None)),
        ("turn=jun15/5; nation serbian sp=60 headquarters=2", "serbian", (25, True, 2, 10), ("jul15/0", 60, 50)),
        ("turn=jun15/5; nation serbian sp=20", "serbian", (25, True, None, 0), ("jul15/0", 20, None)),
    ],
)  # fmt: skip
def test_what_a_nation_holds_and_may_hold(
    position: str, who: str, now: tuple[object, ...], ahead: tuple[object, ...]
) -> None:
    (cap,) = asked(position, "caps", f"who={who}").result
    assert (cap.who, cap.held) == (who, int(re.findall(r"sp=(\d+)", position)[0]))
    assert (cap.most, cap.each, cap.headquarters, cap.over) == now
    assert (cap.next_turn, cap.next_held, cap.next_most) == ahead


NETWORKS = (
    "2/rail-German",
    "2/rail-Austro-Hungarian",
    "2/rail-French",
    "2/rail-Belgian",
    "2/rail-Russian",
    "2/rail-Serbian",
    "2/rail-Italian",
)
"""The rules of the rail networks, one a nation."""


@pytest.mark.rule(*NETWORKS[:-1])
@pytest.mark.parametrize(
    ("network", "turn", "most"),
    [
        ("german", "aug14/5", 0), ("german", "aug14/6", 10), ("german", "sep14/0", 10), ("german", "sep14/1", 20),
        ("austro-hungarian", "aug14/4", 0), ("austro-hungarian", "aug14/5", 5), ("austro-hungarian", "sep14/1", 10),
        ("french", "aug14/5", 0), ("french", "aug14/6", 7.5), ("french", "sep14/1", 15), ("belgian", "aug14/6", 2.5), ("belgian", "sep14/1", 5),
        ("russian", "aug14/7", 0), ("russian", "sep14/1", 5), ("russian", "sep14/3", 10), ("serbian", "aug14/4", 0), ("serbian", "aug14/5", 1),
    ],
)  # fmt: skip
def test_the_capacity_of_a_network(network: str, turn: str, most: float) -> None:
    assert asked(f"turn={turn}", "rail", f"network={network}").result.capacity == most


@pytest.mark.rule(*NETWORKS)
def test_a_nation_without_a_network_moves_nothing_on_it() -> None:
    with pytest.raises(InputError, match="british has none"):
        asked("turn=jun15/0", "rail", "network=british")


@pytest.mark.rule("3-6", "8-3/5", "15-2", "15-3", "16-4", "16-15", "21-1", "21-2")
@pytest.mark.parametrize(
    ("position", "typed", "found", "said"),
    [
        ("turn=mar18/1; nation french sp=30", "who=french points=4 unit=93rd", ("yes", 26, 0), [("15-3", "only French HQs spend for the 93rd, whose losses are demoralization points of the United States")]),
        ("turn=mar18/1; nation british sp=30", "who=british points=4 unit=93rd", ("no", 26, 0), [("15-3", "only French HQs spend for the 93rd, whose losses are demoralization points of the United States: an HQ of Great Britain does not spend for them")]),
        ("turn=mar18/1; nation british sp=4", "who=british points=4", ("yes", 0, 0), []),
        ("turn=mar18/1; nation british sp=3", "who=british points=4", ("no", -1, 0), [("16-4", "Great Britain has 3 supply points, not 4")]),
        ("turn=mar18/1; nation british sp=3; no-supply-points", "who=british points=4", ("yes", 0, 0), []),
        ("turn=mar18/1; nation british sp=9", "who=british points=4 artillery=4", ("yes", 5, 4), [("16-15", "4 have to be spent on infantry, this turn or within two")]),
        ("turn=mar18/1; nation british sp=9", "who=british points=4 artillery=5", ("no", 5, 5), [("16-15", "5 on artillery is more than 4 in all")]),
        ("turn=mar18/1; nation british sp=9", "who=british points=4 unit=us", ("yes", 5, 0), []),
        ("turn=mar18/1; nation italian sp=9", "who=italian points=4 unit=us", ("no", 5, 0), [("16-4", "an HQ of Italy does not spend for United States")]),
        ("turn=mar18/1; nation american sp=9", "who=american points=4 unit=us", ("yes", 5, 0), []),
        ("turn=oct14/1; nation austro-hungarian sp=9", "who=austro-hungarian points=4 unit=landwehr", ("yes", 5, 0), [("3-6", "Austro-Hungarian HQs spend for German Landwehr only in 1914")]),
        ("turn=oct14/1; nation german sp=9", "who=german points=4 unit=landwehr", ("yes", 5, 0), [("3-6", "Austro-Hungarian HQs spend for German Landwehr only in 1914")]),
        ("turn=mar15/1; nation austro-hungarian sp=9", "who=austro-hungarian points=4 unit=landwehr", ("no", 5, 0), [("3-6", "Austro-Hungarian HQs spend for German Landwehr only in 1914: an HQ of Austria-Hungary does not spend for them")]),
        ("turn=oct14/1; nation austro-hungarian sp=9", "who=austro-hungarian points=4 unit=german", ("no", 5, 0), [("16-4", "an HQ of Austria-Hungary does not spend for Germany")]),
        ("turn=oct14/1; nation german sp=9", "who=german points=4 unit=ge", ("yes", 5, 0), []),
        ("turn=jul15/1; nation italian sp=30 enters=may15/7", "who=italian points=12", ("yes", 18, 0), []),
        ("turn=jul15/1; nation italian sp=30 enters=may15/7", "who=italian points=13", ("no", 17, 0), [("8-3/5", "an Italian HQ spends at most 12 on one attack in 1915")]),
        ("turn=jul15/1; nation italian sp=30 enters=may15/7", "who=italian points=13 attack=no", ("yes", 17, 0), []),
        ("turn=jul16/1; nation italian sp=30 enters=may15/7", "who=italian points=18", ("yes", 12, 0), []),
        ("turn=jul16/1; nation italian sp=30 enters=may15/7", "who=italian points=19", ("no", 11, 0), [("8-3/5", "an Italian HQ spends at most 18 on one attack in 1916")]),
        ("turn=jul17/1; nation italian sp=30 enters=may15/7", "who=italian points=19", ("yes", 11, 0), []),
        ("turn=jul16/1; nation french sp=30", "who=french points=19", ("yes", 11, 0), []),
        ("turn=jul16/1; nation british sp=30", "who=british points=3 unit=portuguese", ("yes", 27, 0), [("21-1", "Portuguese units count as British, and so do demoralization points for their losses")]),
        ("turn=jul16/1; nation french sp=30", "who=french points=3 unit=portuguese", ("no", 27, 0), [("21-1", "Portuguese units count as British, and so do demoralization points for their losses: an HQ of France does not spend for them")]),
        ("turn=jul16/1; nation french sp=30", "who=french points=3 unit=polish", ("yes", 27, 0), [("21-2", "Polish units on map 5-3 count as French, and so do demoralization points for their losses")]),
        ("turn=jul16/1; nation british sp=30", "who=british points=3 unit=polish", ("no", 27, 0), [("21-2", "Polish units on map 5-3 count as French, and so do demoralization points for their losses: an HQ of Great Britain does not spend for them")]),
    ],
)  # fmt: skip
def test_what_a_headquarters_may_spend(
    position: str, typed: str, found: tuple[str, int, int], said: list[tuple[str, str]]
) -> None:
    report = asked(position, "spend", typed)
    assert (report.verdict.kind, report.result.left, report.result.owed) == found
    assert [(step.rule, step.text) for part in report.parts for step in part.steps] == said


LUXEMBOURG = "rail lines in Luxembourg belong to it; siege artillery may use it on map 5-3 on turns 3 and 4 of August (printed: 5-4)"
TANKS = ("19-4", "a tank battalion counts as one division, a brigade as three")
DOUBLE = ("15-3", "a double-sized division of the United States counts as two, the 93rd as one")
CLOSED = [("2/rail-German", "the network may not be used before aug14/6")]


@pytest.mark.rule(*NETWORKS, "2/rail-networks", "15-3", "19-4", "19-5", "20-1")
@pytest.mark.parametrize(
    ("position", "typed", "moved", "said"),
    [
        ("turn=sep14/1", "network=german divisions=18 brigades=2", (20, 20, "yes"), [("2/rail-German", "Germany: 20 divisions in sep14/1"), ("2/rail-German", LUXEMBOURG)]),
        ("turn=sep14/1", "network=german divisions=18 brigades=3", (20, 21, "no"), [("2/rail-German", "21 divisions are more than 20")]),
        ("turn=sep14/0", "network=german divisions=10", (10, 10, "yes"), [("2/rail-German", "Germany: 10 divisions in sep14/0"), ("2/rail-German", "half of 20, until sep14/1"), ("2/rail-German", LUXEMBOURG)]),
        ("turn=aug14/4", "network=german", (0, 0, "figure"), [("2/rail-German", "Germany: 0 divisions in aug14/4"), ("2/rail-German", LUXEMBOURG)]),
        ("turn=aug14/4", "network=german divisions=1 brigades=1 siege=2", (0, 2, "yes"), [("2/rail-German", "Germany: 0 divisions in aug14/4"), ("2/rail-German", LUXEMBOURG)]),
        ("turn=aug14/5", "network=german", (0, 0, "figure"), [("2/rail-German", "Germany: 0 divisions in aug14/5"), ("2/rail-German", LUXEMBOURG)]),
        ("turn=aug14/3", "network=german brigades=1 siege=1", (0, 1, "yes"), [("2/rail-German", "Germany: 0 divisions in aug14/3"), ("2/rail-German", LUXEMBOURG)]),
        ("turn=aug14/3", "network=german brigades=2 siege=1", (0, 2, "no"), CLOSED),
        ("turn=aug14/2", "network=german brigades=1 siege=1", (0, 1, "no"), CLOSED),
        ("turn=aug14/4", "network=german brigades=1 siege=1 double=1", (0, 3, "no"), CLOSED),
        ("turn=aug14/4", "network=german brigades=1 siege=1 artillery=1", (0, 3, "no"), CLOSED),
        ("turn=aug14/4", "network=german brigades=1 siege=1 headquarters=1", (0, 2, "no"), CLOSED),
        ("turn=aug14/4", "network=german brigades=1 siege=1 supply-points=1", (0, 2, "no"), CLOSED),
        ("turn=aug14/4", "network=german brigades=1 siege=1 tank-battalions=1", (0, 2, "no"), CLOSED),
        ("turn=aug14/4", "network=german brigades=1 siege=1 tank-brigades=1", (0, 4, "no"), CLOSED),
        ("turn=aug14/3", "country=Luxembourg divisions=1", (0, 1, "no"), CLOSED),
        ("turn=aug14/4", "network=austro-hungarian brigades=1 siege=1", (0, 1, "no"), [("2/rail-Austro-Hungarian", "the network may not be used before aug14/5")]),
        ("turn=mar17/4", "network=french divisions=4 tank-battalions=2 tank-brigades=3 hexes=20", (15, 15, "yes"), [("2/rail-French", "France: 15 divisions in mar17/4"), TANKS]),
        ("turn=mar17/4", "network=french tank-battalions=1 hexes=21", (15, 1, "no"), [("19-5", "21 hexes by rail are more than 20 in a turn")]),
        ("turn=mar17/4", "network=french tank-brigades=1 hexes=21", (15, 3, "no"), [("19-5", "21 hexes by rail are more than 20 in a turn")]),
        ("turn=mar17/4", "network=french divisions=1 hexes=21", (15, 1, "no"), [("20-1", "21 hexes by rail are more than 20 in a turn")]),
        ("turn=may18/4", "country=France double=3 artillery=1 headquarters=2 supply-points=21", (15, 13, "yes"), [("2/rail-French", "France: 15 divisions in may18/4"), ("2/rail-networks", "rail lines in France belong to it"), DOUBLE]),
        ("turn=may18/4", "network=french divisions=1 supply-points=20", (15, 3, "yes"), [("2/rail-French", "France: 15 divisions in may18/4")]),
        ("turn=may18/4", "network=french artillery=1", (15, 2, "yes"), [("2/rail-French", "France: 15 divisions in may18/4")]),
        ("turn=may18/4", "network=french headquarters=1", (15, 1, "yes"), [("2/rail-French", "France: 15 divisions in may18/4")]),
        ("turn=may18/4; ruling rail-units=half", "network=french divisions=1 brigades=3 artillery=1 headquarters=2 supply-points=20", (15, 2.5, "yes"), [("2/rail-French", "France: 15 divisions in may18/4")]),
        ("turn=may15/7; nation italian enters=may15/7", "network=italian divisions=1", (0, 1, "no"), [("2/rail-Italian", "the network may not be used before jun15/1")]),
        ("turn=jun15/1; nation italian enters=may15/7", "network=italian divisions=3", (3, 3, "yes"), [("2/rail-Italian", "Italy: 3 divisions in jun15/1"), ("2/rail-Italian", "half of 7, until jun15/4")]),
        ("turn=jun15/4; nation italian enters=may15/7", "network=italian divisions=8", (7, 8, "no"), [("2/rail-Italian", "8 divisions are more than 7")]),
        ("turn=nov18/3; nation italian enters=nov18/2", "network=italian divisions=3", (3, 3, "yes"), [("2/rail-Italian", "Italy: 3 divisions in nov18/3"), ("2/rail-Italian", "half of 7, until the end")]),
        ("turn=mar15/7", "network=italian divisions=3", (0, 3, "no"), [("2/rail-Italian", "the network may not be used before the turn after it enters the war")]),
        ("turn=sep14/1", "network=russian divisions=5 turn=sep14/3", (10, 5, "yes"), [("2/rail-Russian", "Russia: 10 divisions in sep14/3"), ("2/rail-Russian", "on any map or maps")]),
        ("turn=aug14/7; ruling rail-half=down", "network=belgian divisions=3", (2, 3, "no"), [("2/rail-Belgian", "3 divisions are more than 2")]),
        ("turn=sep14/1", "network=serbian divisions=2", (1, 2, "no"), [("2/rail-Serbian", "2 divisions are more than 1")]),
    ],
)  # fmt: skip
def test_what_moves_by_rail(position: str, typed: str, moved: tuple[float, float, str], said: list[object]) -> None:
    report = asked(position, "rail", typed)
    assert (report.result.capacity, report.result.used, report.verdict.kind) == moved
    assert [(step.rule, step.text) for part in report.parts if part.title != "Rulings" for step in part.steps] == said


@pytest.mark.rule("2/rail-German", "19-4", "19-5", "20-1")
@pytest.mark.parametrize("typed", ["siege=1", "divisions=1 brigades=1 siege=3"])
def test_siege_artillery_is_among_the_divisions_and_brigades(typed: str) -> None:
    with pytest.raises(InputError, match="divisions and brigades"):
        asked("turn=aug14/3", "rail", f"network=german {typed}")


@pytest.mark.rule("16-16", "16-17", "16-18")
def test_from_france_to_the_south_of_russia_no_way_leads() -> None:
    with pytest.raises(InputError, match="no rule leads"):
        asked("turn=jun15/0", "transfer", "from=5-3 to=6-6")


@pytest.mark.rule("2/turns")
@pytest.mark.parametrize(
    ("who", "at", "has"),
    [
        ("italian", None, True), ("italian", "may15/6", False), ("italian", "may15/7", True), ("italian", "jun15/0", True),
        ("romanian", None, False), ("romanian", "nov18/3", False), ("", "jun15/0", False),
    ],
)  # fmt: skip
def test_what_is_dated_has_happened_from_its_turn_on(who: str, at: str | None, has: bool) -> None:
    view = viewed("turn=jun15/0; nation italian enters=may15/7")
    assert is_so(view, "enters", who, at and read_campaign_calendar(view).number(at)) is has


@pytest.mark.parametrize(
    ("answer", "position", "question", "named"),
    [
        pytest.param(rail, "turn=mar17/4", "rail", {"network": "french"}, marks=pytest.mark.rule("19-4", "19-5", "20-1", "2/rail-French")),
        pytest.param(rail, "turn=aug14/3", "rail", {"network": "german"}, marks=pytest.mark.rule("2/rail-German")),
        pytest.param(rail, "turn=aug14/3", "rail", {"network": "german", "divisions": 1}, marks=pytest.mark.rule("2/rail-German")),
        pytest.param(spend, "turn=dec15/7; nation italian sp=30", "spend", {"who": "italian", "points": 13}, marks=pytest.mark.rule("8-3/5", "16-15")),
        pytest.param(americans, "turn=mar18/1", "americans", {}, marks=pytest.mark.rule("15-2")),
    ],
)  # fmt: skip
def test_a_function_takes_for_granted_what_its_question_does(
    answer: Any, position: str, question: str, named: Mapping[str, Any]
) -> None:
    report = asked(position, question, " ".join(f"{name}={value}" for name, value in named.items()))
    own = answer(viewed(position), RailParameters(**named)) if answer is rail else answer(viewed(position), **named)
    assert (own.verdict.text, own.result) == (report.verdict.text, report.result)


@pytest.mark.rule("18-1", "18-2")
@pytest.mark.parametrize(
    ("side", "gains", "loses"), [("central-powers", {2, 12}, {2, 3, 12}), ("entente", {2}, {2, 3, 4, 11, 12})]
)
def test_gas_counters_are_gained_and_lost(side: str, gains: set[int], loses: set[int]) -> None:
    for total in range(2, 13):
        report = asked(f"turn=oct14/0; side {side} gas=1", "gas", f"side={side}", f"gain={total} loss={total}")
        assert (report.result.gained, report.result.lost) == (total in gains, total in loses)


@pytest.mark.rule("18-4", "18-4/2-3", "18-4/4-5", "18-4/6-8", "18-4/9-10", "18-4/11-12")
@pytest.mark.parametrize(
    ("total", "attack", "retreat"),
    [
        (2, None, None),
        (3, None, None),
        (4, -2, False),
        (5, -2, False),
        (6, 2, False),
        (8, 2, False),
        (9, 2, False),
        (10, 2, False),
        (11, 2, True),
        (12, 2, True),
    ],
)
def test_the_effect_of_gas(total: int, attack: int | None, retreat: bool | None) -> None:
    report = asked(
        "turn=may15/1; side entente gas=1", "gas-attack", "side=entente losses=2 infantry=5 strength=20", f"gas={total}"
    )
    assert (report.result.attack, report.result.retreat) == (attack, retreat)
    assert report.result.column == (6 if attack is None else None)
    heavy = asked("turn=may15/1; side entente gas=1", "gas-attack", "side=entente losses=3 infantry=5", f"gas={total}")
    assert heavy.result.retreat is (None if attack is None else total >= 9)


@pytest.mark.rule("7-9", "7-13", "8-1", "3-1")
@pytest.mark.parametrize(
    ("russia", "infantry", "said"), [("jul16/5", 150, "does not enter"), ("jul16/6", 170, "out of it")]
)
def test_a_romania_that_never_enters_is_garrisoned_by_nobody_and_never_at_war(
    russia: str, infantry: int, said: str
) -> None:
    position = f"turn=jul16/7; nation romanian enters=jul16/6; nation russian surrender={russia}"
    items = asked(position, "garrison", "of=russia").result.items
    needed = [item.needed for item in items if (item.who, item.kind) == ("austro-hungarian", "infantry strength")]
    assert needed == [infantry]
    lines = [line for line in lines_of(asked(position, "war")).splitlines() if "Romania" in line]
    assert len(lines) == 1 and said in lines[0]


# --- what is wrong is said ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "question", "parameters", "what"),
    [
        ("turn=mar25/1", "morale", "who=german", "outside the game"),
        ("turn=jun15/0", "morale", "who=prussian", "prussian"),
        ("turn=jun15/0", "rail", "network=british", "british has none"),
        pytest.param(
            "turn=jun15/0",
            "rail",
            "country=romania",
            "'romania' has no rail network",
            marks=pytest.mark.rule("2/rail-networks"),
        ),
        pytest.param(
            "turn=jun15/0",
            "rebuild",
            "who=german kind=cavalrie",
            "is not rebuilt",
            marks=pytest.mark.rule("16-1", "16-2", "16-3"),
        ),
        pytest.param("turn=jun15/0", "returns", "unit=nobody", "not in the roster", marks=pytest.mark.rule("16-1")),
        pytest.param(
            "turn=jun15/0",
            "build",
            "units=nobody",
            "not in the roster",
            marks=pytest.mark.rule("29-1/asterisk", "29-5/asterisk"),
        ),
        ("turn=jun15/0", "transfer", "from=5-3 to=6-6", "no rule leads"),
        ("turn=jun15/0", "terrain", "of=desert", "not in the chart"),
        ("turn=jun15/0", "objective", 'army="ge 1"', "has no objective"),
        ("turn=jun15/0", "sectors", "who=french", "has no sector"),
        ("turn=jun15/0", "garrison", "of=russia have=cows:3", "is not needed"),
        ("turn=jun15/0", "breakdown", "strength=0", "'0' is not allowed"),
        ("turn=jun15/0", "breakdown", "strength=61", "'61' is not allowed"),
        ("turn=may17/1", "tank-attack", "attack=40 tanks=9 terrain=mountian", "not in the chart"),
        ("turn=may17/1; side entente gas=1", "gas-attack", "side=entente terrain=mountian", "not in the chart"),
        ("turn=jun15/0", "spend", "who=german points=-5", "'-5' is not allowed"),
        ("turn=jun15/0", "rebuild", "who=german kind=infantry strength=-4", "'-4' is not allowed"),
        ("turn=jun15/0", "tank-stack", "battalions=-1", "'-1' is not allowed"),
        ("turn=jun15/0", "conversions", "points=-2", "'-2' is not allowed"),
        ("turn=jun15/0", "convert", "unit=nobody strength=3", "not in the roster"),
        pytest.param(
            "turn=jun15/0", "due", "turn=jun15/3 until=may15/1", "comes before", marks=pytest.mark.rule("16-1")
        ),
        ("turn=jun15/0", "cities", "traced=no scheldt=1606", "1606"),
    ],
)
def test_wrong_input_is_refused_with_the_reason(position: str, question: str, parameters: str, what: str) -> None:
    with pytest.raises(InputError, match=what):
        asked(position, question, parameters)


@pytest.mark.rule("19-11")
@pytest.mark.parametrize("stated", ["divisions=9", "brigades=1", "battalions=1"])
def test_tank_losses_need_divisions_and_battalions_or_brigades(stated: str) -> None:
    with pytest.raises(InputError, match="attacking divisions and by battalions or brigades"):
        asked("turn=may17/1", "tank-attack", f"attack=40 tanks=9 {stated} counterattack=8")


@pytest.mark.rule("18-1", "18-3", "18-4")
@pytest.mark.parametrize(
    ("position", "question", "parameters", "dice", "why"),
    [
        ("turn=sep14/1", "gas", "side=entente", "gain=2", "gas is rolled for in a special turn, and this is sep14/1"),
        ("turn=may15/1; side entente gas=1", "gas-attack", "side=entente phase=before", "gas=7", "the effect is rolled after the attacker has spent his supply points"),
        ("turn=may15/1", "gas-attack", "side=entente trench=no", "gas=7", "Entente has no gas counter; the hex has no enemy trench"),
    ],
)  # fmt: skip
def test_no_dice_are_rolled_for_gas_before_they_are_due(
    position: str, question: str, parameters: str, dice: str, why: str
) -> None:
    with pytest.raises(InputError) as refused:
        asked(position, question, parameters, dice)
    assert refused.value.hint == why


@pytest.mark.parametrize(
    ("position", "question", "parameters", "dice", "why"),
    [
        pytest.param("turn=feb15/1; nation italian enters=aug15/7", "italy", "serbia=no", "die=1", "in a special turn, and", marks=pytest.mark.rule("8-1")),
        pytest.param("turn=jun16/3; nation romanian enters=jul16/1", "romania", "", "die=1", "is not Shaken", marks=pytest.mark.rule("13-1")),
        pytest.param("turn=jun16/1; sad-army=3rd", "sad-state", "army=4th", "dice=2", "in a special turn", marks=pytest.mark.rule("24-3")),
    ],
)  # fmt: skip
def test_dice_that_are_not_rolled_are_refused_with_the_first_reason(
    position: str, question: str, parameters: str, dice: str, why: str
) -> None:
    with pytest.raises(AnswerError, match=why):
        asked(position, question, parameters, dice)


def test_what_changes_of_a_nation_stands_in_the_books_and_not_on_the_map() -> None:
    report = asked("turn=oct14/0", "gas", "side=german", "gain=1+1")
    assert report.books == ("gas",)
    for text in (str(report), to_forum(report)):
        assert "In the books" in text
        assert "On the map" not in text


def test_an_amount_below_nothing_is_refused_with_what_is_allowed() -> None:
    with pytest.raises(InputError) as refused:
        asked("turn=jun15/0", "spend", "who=german points=-5")
    assert refused.value.hint == "allowed: a whole number from 0 to 9999"


# --- what results hold, sections 24 to 29 -----------------------------------------------------------------------------

OPEN = "nation austro-hungarian dm=485"


def test_the_surprise_enters_the_books_once() -> None:
    """Rule: 24-1"""
    changes = [asked(f"turn=jun16/1; {OPEN}{used}", "surprise").changes for used in ("", "; surprise=jun16/1")]
    assert [[(change.track, change.after) for change in each] for each in changes] == [[("surprise", "jun16/1")], []]


@pytest.mark.rule("24-3")
@pytest.mark.parametrize(
    ("dice", "falls", "kind", "sad"),
    [("", None, "figure", []), ("dice=2", True, "yes", ["7th"]), ("dice=3", False, "no", [])],
)
def test_an_army_falls_into_the_sad_state_on_2(dice: str, falls: bool | None, kind: str, sad: list[str]) -> None:
    report = asked(f"turn=jun16/0; {OPEN}", "sad-state", "army=7th", dice)
    assert (report.result.falls, report.verdict.kind, report.result.chance) == (falls, kind, Fraction(1, 36))
    assert [change.after for change in report.changes] == sad
    assert ("24-4" in lines_of(report)) == (falls is not False)


@pytest.mark.rule("25-3", "25-4")
@pytest.mark.parametrize(
    ("stated", "most", "until"),
    [
        ("turn=feb15/3; nation austro-hungarian dm=250 aided=feb15/3", 4, "aug15/3"),
        ("turn=feb15/4; nation austro-hungarian dm=250 aided=feb15/3", 16, "aug15/3"),
        ("turn=aug15/3; nation austro-hungarian dm=250 aided=feb15/3", 16, "aug15/3"),
        ("turn=aug15/4; nation austro-hungarian dm=250 aided=feb15/3", 4, ""),
        ("turn=feb15/3; nation austro-hungarian dm=250", 4, "aug15/3"),
        ("turn=feb15/3; nation austro-hungarian dm=249", 4, ""),
        ("turn=feb15/1; nation austro-hungarian dm=250 aided=feb15/0", 16, "jul15/7"),
        ("turn=feb15/1; nation austro-hungarian dm=550", None, ""),
    ],
)
def test_how_many_german_divisions_may_be_in_the_sphere(stated: str, most: int | None, until: str) -> None:
    result = asked(stated, "sphere").result
    assert (result.count, result.most, result.until) == (0, most, until)


@pytest.mark.rule("25-2")
def test_divisions_count_whole_and_the_rest_half() -> None:
    counts = [asked("turn=feb15/3", "sphere", each).result.count for each in ("divisions=1", "cavalry=1", "brigades=1")]
    assert counts == [1, Fraction(1, 2), Fraction(1, 2)]


@pytest.mark.rule("25-7")
@pytest.mark.parametrize(("turn", "british", "french"), [("oct17/5", 0, 0), ("oct17/6", 0, 4), ("nov17/1", 0, 4), ("nov17/2", 2, 8), ("nov17/5", 2, 8), ("nov17/6", 4, 11), ("dec17/1", 4, 11), ("dec17/2", 5, 11)])  # fmt: skip
def test_who_may_come_to_the_aid_of_italy(turn: str, british: int, french: int) -> None:
    found = asked(f"turn={turn}; nation italian shaken=oct17/4", "aid").result
    there = {who: sum(each.count for each in found if each.now and each.turn and each.who == who) for who in ("british", "french")}  # fmt: skip
    assert there == {"british": british, "french": french}
    assert asked(f"turn={turn}; nation italian dm=299", "aid").result == ()
    assert asked(f"turn={turn}; nation italian dm=450", "aid").result == ()


@pytest.mark.rule("26/marginal-CP", "26/marginal-E", "26/substantial-CP")
@pytest.mark.parametrize(
    ("stated", "over", "surrendered", "collapsed"),
    [
        ("turn=nov18/2; nation german dm=2200", False, (), ("german",)),
        ("turn=nov18/3; nation french dm=1305", True, (), ("french",)),
        ("turn=oct18/3; nation german surrender=oct18/2; nation french surrender=oct18/1", True, ("french", "german"), ()),
    ],
)  # fmt: skip
def test_what_decides_victory(
    stated: str, over: bool, surrendered: tuple[str, ...], collapsed: tuple[str, ...]
) -> None:
    result = asked(stated, "victory").result
    assert (result.over, result.surrendered, result.collapsed) == (over, surrendered, collapsed)


@pytest.mark.rule("26/decisive-CP", "26/decisive-E")
@pytest.mark.parametrize(
    ("turn", "decisive"), [("dec14/7", ["CP", "E"]), ("jan15/0", ["E"]), ("dec17/7", ["E"]), ("jan18/0", [])]
)
def test_what_a_surrender_would_be_is_said_while_it_is_decisive(turn: str, decisive: list[str]) -> None:
    said = lines_of(asked(f"turn={turn}", "victory"))
    assert [side for side in ("CP", "E") if f"26/decisive-{side} a surrender of" in said] == decisive


@pytest.mark.rule("29-5/late-1917", "29-5/late-1917b", "29-5/asterisk", "9-9")
@pytest.mark.parametrize(
    ("units", "opolchenie", "cost", "rules"),
    [
        ("RU 151,RU 153,RU 154,RU 155", 0, 2, {"29-5/late-1917"}),
        ("RU 6Rfl,RU 7Rfl", 0, 1, {"29-5/late-1917"}),
        ("RU 151,RU 15Sib", 0, 2, {"29-5/late-1917", "29-5/late-1917b"}),
        ("RU 104,RU 105", 4, 0, {"29-5/asterisk"}),
        ("RU 104", 1, 2, {"29-5/asterisk"}),
        ("RU 103", 0, 0, set()),
        ("Bran,Sok2,Kraj", 0, 0, {"9-9"}),
    ],
)
def test_what_new_divisions_cost(units: str, opolchenie: int, cost: int, rules: set[str]) -> None:
    report = asked("turn=jan17/4", "build", f'units="{units}" opolchenie={opolchenie}')
    assert (report.result.allowed, report.result.cost) == (True, cost)
    costs = [line.split()[0] for line in lines_of(report).splitlines() if "in the order" not in line]
    assert {*costs} == rules


REFUSED = {
    "22-1": ("turn=aug16/4", "sectors", "who=french", "has no sector"),
    "23-5/2": ("turn=feb18/0", "convert", 'unit="GE 9999" strength=4', "is not in the roster"),
    "6-5 7-5": ("turn=aug14/6", "objective", 'army="ah 9"', "has no objective"),
    "8-7 9-4": ("turn=aug17/1", "garrison", "of=italy have=cooks:4", "'cooks' is not needed"),
    "7-9 7-12": ("turn=aug17/1", "garrison", 'of=russia have="infantry strength:120"', "of Austria-Hungary or Germany"),
    "8-7": ("turn=aug17/1", "garrison", "of=italy have=headquarters:some", "'some' is not a number"),
}
"""What a question does not take, by the rules that say so."""


@pytest.mark.parametrize(
    ("position", "question", "parameters", "says"),
    [pytest.param(*row, marks=pytest.mark.rule(*rules.split())) for rules, row in REFUSED.items()],
)
def test_a_question_refuses_what_no_rule_knows(position: str, question: str, parameters: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        asked(position, question, parameters)
