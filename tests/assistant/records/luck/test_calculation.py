"""The luck of logs and journals: both tell the same of the same battle, a side is told nothing that rests on hidden facts, and it is printed and told alike."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from assistant.drawing.scene import Group, Polyline, Rectangle, Scene, Shape, Text
from assistant.installed.registry import load_game
from assistant.records.explaining.played_log import play_log
from assistant.records.luck.calculation import tell_luck
from assistant.records.luck.evening import BattleLuck, ChoiceLuck, Evening, ThrownDice
from assistant.records.luck.page import luck_html, page_scenes, running_chart, swing_chart, write_page
from assistant.records.luck.sheet import COLUMNS, write_rolls
from assistant.records.luck.words import amount, format_forum, format_text, format_verdict, luck_json, percentile
from assistant.state.tracks import Source
from assistant.state.trust import AS_STATED, Trust
from assistant.util.errors import InputError

from ....cases import few
from ....conftest import typed
from ..explaining.played import ASK, BATTLE, CHECKS, DICE, OUTCOME, in_a_journal, record
from ..explaining.test_played import ANSWERS
from .asked import evening_of, passage

ACCEPTED = Trust(frozenset({Source.RECONSTRUCTION}))
PLAYED = (*DICE, *CHECKS, OUTCOME)
QUESTION = ASK.removeprefix("ask ")
TRUSTED = BATTLE.replace("board east", "board east\ntrust charts")


def of_log(*happenings: str, side: str = "", start: str = f"{BATTLE}{ASK}", trust: Trust = ACCEPTED) -> Evening:
    return tell_luck(play_log(record(start, *happenings, side=side), "game.vlog", trust))


def of_journal(folder: Path, *entries: str) -> Evening:
    return tell_luck(in_a_journal(folder, *entries, start=TRUSTED, trust=ACCEPTED))


def rolls_of(battle: BattleLuck) -> list[tuple[str, int, Fraction | None, Fraction | None]]:
    return [(roll.name, roll.natural, roll.luck, roll.percentile) for roll in battle.rolls]


def test_a_log_and_a_journal_tell_the_same_of_a_battle(tmp_path: Path) -> None:
    (logged,), (entered,) = of_log(*PLAYED).battles, of_journal(tmp_path, f"answer {QUESTION} | {ANSWERS}").battles
    assert rolls_of(logged) == rolls_of(entered) and len(rolls_of(logged)) == 6
    assert (logged.expected, logged.swing, logged.percentile) == (entered.expected, entered.swing, entered.percentile)
    assert logged.sides == entered.sides
    assert {roll.player for roll in logged.rolls} == {"Anna"} and {roll.player for roll in entered.rolls} == {""}
    assert next(logged.rolls).shown == next(entered.rolls).shown == "2+5"


def test_each_question_of_a_journal_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.records.explaining.played_journal.ask", pytest.fail)  # the whole answer
    (battle,) = of_journal(tmp_path, f"answer {QUESTION} | {ANSWERS}").battles
    assert len(rolls_of(battle)) == 6


def test_luck_and_choices_of_an_evening_come_to_its_swing() -> None:
    position = typed(TRUSTED)
    checks = {"ec.40.19": "5", "ec.40.20": "12", "ec.41.19": "6"}
    answers = ({"crt": "7", "slrt": "3/4", "losses": "29/20,27/3"}, {"crt": "7", "slrt": "3/6", "losses": "25/3,27/3"})
    given = {"at": "41.19", "attacker_ap": "3,20", "defender_ap": "1"}
    told = evening_of(
        passage(position, "battle", {**dice, **checks}, number, **given) for number, dice in enumerate(answers, 1)
    )
    assert len(told.battles) == 2 and not told.left_out
    for side in told.sides:
        assert side.expected + side.own_luck + side.enemy_luck + side.choices == side.swing == side.taken - side.lost
    one, other = told.sides
    assert (one.own_luck, one.enemy_luck) == (-other.enemy_luck, -other.own_luck)
    assert one.percentile + other.percentile == 1


def test_a_battle_tells_who_threw_what_was_chosen_and_what_it_rests_on() -> None:
    (battle,) = of_log(*PLAYED).battles
    crt = next(battle.rolls)
    theirs = next(roll for roll in battle.rolls if roll.name == "slrt.defender")
    assert (crt.side, theirs.side) == ("russian", "central-powers")
    assert crt.before == battle.expected
    assert theirs.after == Fraction(-battle.swing)  # no step turns on the check that follows
    (choice,) = (turn for turn in battle.turns if isinstance(turn, ChoiceLuck))
    assert (choice.taken, choice.by_policy, choice.side) == ("29/20,27/3", "25/3,27/3", "russian")
    assert battle.rests_on[0] == "made-up charts: Combat Results Table, Step Loss Results Table"
    assert "rolls matched by the order of the throws only" in battle.rests_on[1]
    assert "choices as the map shows them" in battle.rests_on[2]


def test_without_charts_a_battle_is_left_out_with_its_reason_and_its_throws_stay() -> None:
    told = of_log(*PLAYED, trust=AS_STATED)
    unknown = ["16 cells of the Combat Results Table and the Step Loss Results Table are unknown"]
    assert (told.battles, [left.why for left in told.left_out]) == ((), unknown)
    assert [roll.shown for other in told.others for roll in other.rolls][:1] == ["2+5"]


def test_a_battle_that_cannot_be_asked_is_left_out(tmp_path: Path) -> None:
    told = of_journal(tmp_path, "fact 41.19 clear: 1/1", f"answer {QUESTION} | {ANSWERS}", "amend 1 fact 43.25: 1/1")
    (left,) = told.left_out
    assert "41.19" in left.why and left.number == 1


def test_a_battle_that_the_rules_forbid_is_left_out() -> None:
    position = typed(TRUSTED.replace("25/3 (10-?-5-10)", "25/3 (10-?-5-10) fought"))
    given = {"at": "41.19", "attacker_ap": "none", "defender_ap": "none", "from_": "40.20"}
    (left,) = evening_of([passage(position, "battle", {"crt": "7"}, **given)]).left_out
    assert left.why.startswith("the rules do not allow it: ")


def test_a_battle_that_was_only_asked_about_is_none_and_throws_with_no_known_purpose_are_counted() -> None:
    told = of_log("43.25: 30/4\n")
    assert (told.battles, told.left_out, told.others) == ((), (), ())
    told = of_log("1d6 5", start=BATTLE)
    assert (told.unexplained, told.battles) == (1, ())


def test_a_side_is_told_of_no_battle_that_rests_on_what_it_may_not_know() -> None:
    told = of_log(*PLAYED, side="russian")
    assert [left.why for left in told.left_out] == ["it rests on what this side may not know"]
    assert all(roll.luck is None and roll.passed is None for other in told.others for roll in other.rolls)


@few(1)
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_what_is_hidden_changes_nothing_that_a_side_is_told(side: str) -> None:
    hidden = {
        "russian": ("1/1 (12-16-7-11)", "1/1 (12-16-7-11) -1"),
        "central-powers": ("27/3 (10-?-5-10)", "27/3 (9-?-4-9) -2"),
    }
    one, other = hidden[side]
    told, changed = (of_log(*PLAYED[:3], side=side, start=f"{BATTLE.replace(one, seen)}{ASK}") for seen in (one, other))
    assert told == changed


def test_rolls_outside_battles_have_no_luck() -> None:
    march = typed("game twilight-in-the-east\nturn=1\n40.20: 25/3 (10-?-5-10)\ntrust charts\n")
    told = evening_of([passage(march, "forced-march", {"ec": "5"}, unit="25/3", points="2")])
    ((roll,),) = (other.rolls for other in told.others)
    assert isinstance(roll, ThrownDice) and (roll.luck, roll.passed) == (None, 1)
    assert told.kinds[0].luck is None and told.kinds[0].passed == 1


# --- to print and in words --------------------------------------------------------------------------------------------

GAME = load_game("twilight-in-the-east")


@pytest.fixture(scope="module")
def evening() -> Evening:
    return of_log(*DICE, *CHECKS, OUTCOME)


@pytest.fixture(scope="module")
def many() -> Evening:
    position = typed(TRUSTED)
    answers = {"crt": "7", "slrt": "3/4", "losses": "29/20,27/3", "ec.40.19": "5", "ec.40.20": "12", "ec.41.19": "6"}
    given = {"at": "41.19", "attacker_ap": "3,20", "defender_ap": "1"}
    return evening_of(passage(position, "battle", answers, number, **given) for number in range(1, 20))


def shapes(scene: Scene) -> Iterator[Shape]:
    def flat(some: tuple[Shape, ...]) -> Iterator[Shape]:
        for shape in some:
            yield from flat(shape.shapes) if isinstance(shape, Group) else (shape,)

    return (shape for layer in scene.layers for shape in flat(layer.shapes))


def test_a_battle_is_drawn_with_all_it_might_have_come_to(evening: Evening) -> None:
    (battle,) = evening.battles
    chart = swing_chart(evening, GAME, battle)
    assert sum(chance for _, chance in chart.chances) == 1
    assert (chart.came, chart.expected) == (0, Fraction(-13, 108))
    assert chart.lines == ["lost (expected): Russian 2 (1.86), Central Powers 2 (1.74)", "percentile 54 (Russian)"]


def test_what_came_is_the_dark_column_and_the_highest_chance_the_highest(evening: Evening) -> None:
    (scene,) = page_scenes(evening, GAME, paged=False)
    chart = swing_chart(evening, GAME, evening.battles[0])
    columns = [shape for shape in shapes(scene) if isinstance(shape, Rectangle) and shape.height < 20]
    assert len(columns) == len(chart.chances)
    dark = [column for column in columns if column.fill == chart.colour]
    assert len(dark) == 1 and dark[0].height == max(column.height for column in columns)
    assert "33%" in [shape.text for shape in shapes(scene) if isinstance(shape, Text)]
    assert "came +0, expected -0.12, of -2 (13.3%), -1 (24.2%), +0 (32.9%)" in scene.description


def test_the_curve_of_each_side_ends_with_the_luck_of_its_own_rolls(evening: Evening) -> None:
    running = running_chart(evening, GAME)
    assert running is not None
    ends = {line.title: line.points[-1][1] for line in running.lines}
    assert ends == {total.title: total.own_luck for total in evening.sides}
    assert [len(line.points) for line in running.lines] == [7, 7] and running.marks == [(6, "1")]
    (scene,) = page_scenes(evening, GAME, paged=False)
    curves = [shape for shape in shapes(scene) if isinstance(shape, Polyline) and len(shape.points) == 7]
    assert len(curves) == 2 and len({curve.dash for curve in curves}) == 2


def test_pages_hold_all_battles_and_nothing_beyond_their_edge(many: Evening) -> None:
    pages = page_scenes(many, GAME, paged=True)
    assert len(pages) > 1 and {(page.width, page.height) for page in pages} == {(190.0, 277.0)}
    texts = [shape for page in pages for shape in shapes(page) if isinstance(shape, Text)]
    assert all(0 < text.x < 190 and 0 < text.y < 277 for text in texts)
    heads = [text.text for text in texts if text.bold and text.text[:1].isdigit() and ". Battle" in text.text]
    assert len(heads) == 19


def test_html_needs_nothing_else_has_every_roll_and_its_names_are_text(evening: Evening) -> None:
    page = luck_html(evening, GAME)
    assert page.count("<svg") == 2 and "src=" not in page and "href=" not in page and "<script" not in page
    assert "Effectiveness Check in 40.20: 0 of 2 passed (Russian)" in page
    assert "1 battle rests on made-up charts" in page
    (battle,) = evening.battles
    named = msgspec.structs.replace(evening, battles=(msgspec.structs.replace(battle, title="<b>Hill & Dale</b>"),))
    assert "&lt;b&gt;Hill &amp; Dale&lt;/b&gt;" in luck_html(named, GAME) and "<b>Hill" not in luck_html(named, GAME)


@pytest.mark.parametrize(
    ("ending", "begins"), [(".html", b"<!DOCTYPE"), (".pdf", b"%PDF"), (".svg", b"<svg"), (".png", b"\x89PNG")]
)
def test_each_kind_of_page_is_written_whole_and_not_over_another(
    evening: Evening, tmp_path: Path, ending: str, begins: bytes
) -> None:
    path = tmp_path / f"luck{ending}"
    write_page(evening, GAME, path)
    assert path.read_bytes().startswith(begins)
    with pytest.raises(InputError):
        write_page(evening, GAME, path)
    write_page(evening, GAME, path, force=True)


def test_an_evening_without_a_battle_has_a_page_too(tmp_path: Path) -> None:
    empty = of_log()
    assert running_chart(empty, GAME) is None
    write_page(empty, GAME, tmp_path / "luck.pdf")
    assert "Luck in" in luck_html(empty, GAME)


# --- in words ---------------------------------------------------------------------------------------------------------


def test_every_form_begins_with_who_was_luckier_and_no_line_is_wider_than_a_mail(evening: Evening) -> None:
    said = "The Russian player was luckier than in 54 of 100 such battles."
    assert format_text(evening).startswith(f"{said}\n") and format_forum(evening).startswith(f"{said}\n")
    assert f"</h1>\n<p>{said}<br>" in luck_html(evening, load_game(evening.game))
    lines = format_text(evening).splitlines()
    assert max(map(len, lines)) <= 100 and all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("battles", "percentiles", "said"),
    [
        (12, ("67/100", "33/100"), "The German player was luckier than on 67 of 100 such evenings."),
        (12, ("33/100", "67/100"), "The Russian player was luckier than on 67 of 100 such evenings."),
        (1, ("1/3",), "The German player was luckier than in only 33 of 100 such battles."),
        (2, ("1/2", "1/2"), "The dice favoured no player."),
        (0, (), ""),
    ],
)
def test_the_luckier_player_is_named(evening: Evening, battles: int, percentiles: Sequence[str], said: str) -> None:
    sides = tuple(
        msgspec.structs.replace(evening.sides[0], title=title, battles=battles, percentile=Fraction(stands))
        for title, stands in zip(("German", "Russian"), percentiles, strict=False)
    )
    assert "".join(format_verdict(msgspec.structs.replace(evening, sides=sides))) == said


def test_expected_actual_and_percentile_stand_side_by_side_and_in_whole_lines_of_a_post(evening: Evening) -> None:
    said = format_text(evening)
    assert "   swing (Russian)                           -0.12       0          54\n" in said
    assert "(Russian)            2+5 = 7          33  -0.12 -> -0.33  -0.21\n" in said
    assert "  Russian: own rolls -0.21, enemy rolls +0.33, choices of both sides 0.00\n" in said
    assert "1 of 3 (2.36)           8\n" in said
    post = format_forum(evening)
    assert "swing (Russian) 0, expected -0.12, percentile 54\n" in post
    table = "- Combat Results Table, summer, 1:1 (Russian)"
    assert f"{table}: 2+5 = 7, percentile 33, swing -0.12 -> -0.33, luck -0.21\n" in post
    assert "  " not in post


def test_a_sheet_has_a_row_for_each_roll(evening: Evening) -> None:
    rows = list(csv.DictReader(io.StringIO(write_rolls(evening))))
    assert tuple(rows[0]) == COLUMNS and [row["roll"] for row in rows][:2] == ["crt", "slrt.attacker"]
    assert [row["natural"] for row in rows] == ["7", "3", "5", "12", "4", "6"]
    assert rows[0]["luck"] == "-0.212963" and rows[2]["checks"] == "1"
    total = sum(Fraction(row["luck"]) * (1 if row["side"] == "russian" else -1) for row in rows)
    assert abs(total - (evening.battles[0].swing - evening.battles[0].expected)) < Fraction(1, 10**5)


def test_json_has_exact_fractions(evening: Evening) -> None:
    told = json.loads(luck_json(evening))
    (battle,) = told["battles"]
    assert battle["expected"]["exact"] == "-13/108" and battle["turns"][0]["what"] == "roll"
    assert {turn["what"] for turn in battle["turns"]} == {"roll", "choice"}
    assert battle["chances"]["0"]["exact"] == str(evening.battles[0].chances[0])


@pytest.mark.parametrize(
    ("value", "said"),
    [(Fraction(0), "0"), (Fraction(1, 1000), "1"), (Fraction(999, 1000), "99"), (Fraction(1), "100"), (None, "")],
)
def test_only_what_is_certain_stands_at_an_end(value: Fraction | None, said: str) -> None:
    assert percentile(value) == said


def test_a_difference_has_its_sign_and_nothing_has_none() -> None:
    said = [amount(value, signed=True) for value in (Fraction(1, 3), Fraction(-1, 1000), 2, 0, -2)]
    assert said == ["+0.33", "0.00", "+2", "0", "-2"]
