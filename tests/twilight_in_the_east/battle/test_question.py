"""The comprehensive example of chapter 11 (after 11.4.2) as a player types it, step by step as printed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.game.examples import find_examples
from assistant.game.games import Game
from assistant.game.states import apply_changes
from assistant.mechanics.procedure import AnswerError
from assistant.records.examples import judge_example
from assistant.state.changes import Change
from assistant.util.errors import InputError
from twilight_in_the_east.terms import LANDSTURM

from ...conftest import answered, carried_out, told, typed

REMEMBERED = ("attacked", "fought", "owes")
"""What the rest of the attack phase has to know of a combat."""


@pytest.fixture(scope="module")
def example(twilight: Game) -> str:
    """The example as on a paper map, of which only what is typed is known."""
    return twilight.folder.joinpath("examples/battle.pos").read_text("utf-8").replace("board east\n", "")


@pytest.fixture
def battle(example: str) -> Report[Any]:
    return answered(typed(example))


def without_dice(example: str, *lines: str) -> str:
    kept = [line for line in example.splitlines() if not line.startswith("answers")]
    return "\n".join([*kept, *lines])


@pytest.mark.rule(
    "10.5.1",
    "3.4.1",
    "3.4.2",
    "3.4.3",
    "4.5c",
    "10.2.1a",
    "4.4.1",
    "10.7",
    "10.8c",
    "10.8e",
    "10.9.1",
    "10.9",
    "10.10.1",
    "10.10.2",
    "10.10.3a",
    "10.10.3c",
    "10.10.3d",
    "11.1.1a",
    "11.1",
    "11.3",
    "7.2b",
    "7.2.1",
    "11.3.1a",
    "11.3.2aa",
    "11.4",
    "11.2.1",
)
def test_the_comprehensive_example_as_printed(battle: Report[Any], twilight: Game) -> None:
    """Its figures stand in the game's `examples.toml`."""
    (example,) = find_examples(twilight, "11.4.2/1")
    assert judge_example(twilight, "TE", example).result == "agrees"
    assert told(battle, "Retreats")[0] == "by check from 40.20 to 39.20: 27/3"
    assert [step.text for step in battle.cautions] == ["assumed: 1/1, steps printed: 12"]


@pytest.mark.rule("11.1", "7.1", "3.4.1b")
def test_the_changes_give_the_position_afterwards(example: str, battle: Report[Any]) -> None:
    position = typed(example)
    after = apply_changes(position.game, position.state, carried_out(example).changes)
    assert after.units["27/3"].place == "39.20", "it retreats"
    lost = {unit: after.value("lost", unit) for unit in after.units}
    status = {unit: after.value("cel", unit) for unit in after.units}
    assert lost == {"25/3": None, "27/3": 1, "29/20": 4, "1/1": 2}
    assert status == {"25/3": -1, "27/3": -2, "29/20": None, "1/1": None}


@pytest.mark.rule("10.9.1")
def test_before_the_dice_without_the_charts_there_is_no_percentage(example: str) -> None:
    report = answered(typed(without_dice(example)))
    assert (report.result.column, report.result.magnitude, report.result.chances) == ("1:1", "Large", None)
    text = " ".join(told(report))
    assert "no chances without 10 cells of the Combat Results Table" in text
    assert "%" not in text
    assert [ask.name for ask in report.asks] == ["crt"]


def test_before_the_dice_with_made_up_charts_chances_are_exact_and_marked(example: str) -> None:
    report = answered(typed(without_dice(example, "trust charts")))
    chances = report.result.chances
    assert sum(one.chance for one in chances.attacker_steps) == 1 == sum(one.chance for one in chances.crt)
    assert {one.value: one.chance for one in chances.crt}["+1 / -"] == Fraction(18, 36)
    assert any("made up, not from the printed game" in step.text for step in report.cautions)
    assert chances.attacker_policy == chances.defender_policy
    assert f"(usual): {chances.attacker_policy.meaning}" in " ".join(told(report))


def test_a_chart_typed_in_full_gives_chances_without_a_caution(example: str, twilight: Game) -> None:
    lines = [
        f"chart {name} {' '.join(map(str, key))} = {' / '.join(str(value) for value in cell.values.values())}"
        for name in ("crt", "slrt")
        for key, cell in twilight.charts[name].cells.items()
        if key[0] == "summer" and key[1] in ("1:1", "Large")
    ]
    report = answered(typed(without_dice(example, *lines)))
    drawn = answered(typed(without_dice(example, "trust charts")))
    assert report.result.chances == drawn.result.chances
    assert not any("not from the printed" in step.text for step in report.cautions)


def test_dice_as_they_fall(example: str) -> None:
    """One roll at a time: each report asks for what is due next, with its modifiers."""
    due: list[list[str]] = []
    for answers in ("crt=7", "crt=7 slrt=3/4", "crt=7 slrt=3/4 losses=27/3,29/20"):
        report = answered(typed(without_dice(example, f"answers {answers}")))
        due.append([ask.name for ask in report.asks])
    assert due == [
        ["slrt.attacker", "slrt.defender"],
        ["losses.attacker", "ec.41.19"],
        ["ec.40.19", "ec.40.20", "ec.41.19"],
    ]
    by_force = {ask.name: ask.modifiers for ask in report.asks}
    assert [m.amount for m in by_force["ec.40.20"]["27/3"]] == [2]


def test_a_roll_that_leads_to_an_unknown_cell_asks_for_that_cell(example: str) -> None:
    report = answered(typed(without_dice(example, "answers crt=9")))
    assert report.verdict.kind == "undecided"
    assert [ask.how for ask in report.asks] == ["chart crt summer 1:1 9 = attacker / defender"]
    again = answered(typed(without_dice(example, "chart crt summer 1:1 9 = - / +1 B1", "answers crt=9")))
    assert again.verdict.kind == "figure"
    assert again.result.outcome.crt == "- / +1 B1"


BLACK = """
turn=3
trust charts
41.19 clear: german infantry XX "A" (12-14-5-9)
40.19: 29/20 (10-?-5-10) field
41.19|40.19 open
chart crt summer 1:1 9 = B1 / B1
chart crt summer 1:2 9 = B1 / B1
answers crt=9
ask battle at=41.19 attacker-ap=20 defender-ap=none
"""


@pytest.mark.rule("13.3.1a", "10.9.1e")
@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("41.19 ip=1", ["black retreat of 41.19 ignored in its Improved Position"]),
        ("40.19 ip=2", ["black retreat of 40.19 ignored in its Improved Position"]),
        ("41.19: german fort - F steps=4 fssm=2", ["black retreat of 41.19 ignored beside its fortress unit"]),
        ("", []),
    ],
)
def test_why_nobody_retreats_is_told(more: str, found: list[str]) -> None:
    assert [text for text in told(answered(typed(BLACK + more))) if "black retreat of" in text] == found


@pytest.mark.rule("10.5a", "3.4.1", "3.4.2", "3.8.2")
def test_everything_missing_is_asked_for_at_once() -> None:
    report = answered(typed("40.20: 25/3\n41.19: 1/1 (?-?-?-?)\nask battle at=41.19"))
    assert report.verdict.text == "undecided: 8 facts are missing"
    assert [ask.how for ask in report.asks] == [
        "turn=N",
        "25/3 steps=N",
        "25/3 artillery=N",
        "attacker-ap=3, or all, or none",
        "1/1 steps=N",
        "defender-ap=1, or all, or none",
        "41.19 clear|rough|wetlands|mountain|high-mountain|sea",
        "40.20|41.19 open|minor-river|major-river|grand-river|ridge|escarpment|lake|sea|impassable",
    ]


def test_what_is_asked_for_can_be_typed_as_it_is_asked(example: str) -> None:
    bare = "\n".join(["40.20: 25/3", "41.19: 1/1", "ask battle at=41.19 attacker-ap=all defender-ap=all"])
    stated = {"N": "9", "clear|rough|wetlands|mountain|high-mountain|sea": "clear"}
    for _ in range(3):
        report = answered(typed(bare))
        if report.verdict.kind != "undecided":
            break
        for ask in report.asks:
            line = ask.how
            for word, value in stated.items():
                line = line.replace(word, value)
            bare += "\n" + (line.split(" ")[0] + " open" if "|" in line.split(" ")[0] else line)
    assert report.verdict.text == "column 1:1, Medium; roll 2d6"


def test_an_assumption_on_which_the_verdict_turns_leaves_it_undecided(example: str) -> None:
    doubtful = example.replace("41.19 clear", "41.19 rough?").replace("ask", "trust charts\nask")
    report = answered(typed(doubtful))
    assert report.verdict.kind == "undecided"
    assert report.verdict.text.endswith("(if 41.19 is rough)")
    assert report.result.column == "1:2"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("crt=2+5", "crt=13"), "crt: 13 is impossible on 2d6"),
        (("crt=2+5", "crt=6+7"), "crt: 7 is impossible on a d6"),
        (("crt=2+5", "crt=1+2+3"), "crt: '1+2+3' is 3 dice instead of 2"),
        (("slrt=3/4", "slrt=0/4"), "slrt: 0 is impossible on a d6"),
        (("losses=29/20,27/3", "losses=27/3,27/3"), "losses: '27/3,27/3' is not an option of losses.attacker"),
        (("ec.1/1=6", "ec.1/2=6"), "ec.1/2: no roll or choice of that name is due"),
    ],
)
def test_answers_that_cannot_be(example: str, change: tuple[str, str], what: str) -> None:
    with pytest.raises(AnswerError) as caught:
        answered(typed(example.replace(*change)))
    assert caught.value.what == what
    assert caught.value.hint


def test_units_of_which_no_army_is_stated_are_taken_to_be_of_that_of_the_others(example: str) -> None:
    report = answered(typed(without_dice(example).replace("25/3 (10-?-5-10)", "25/3 (10-?-5-10) army=First")))
    said = [(step.rule, step.text) for part in report.parts for step in part.steps]
    assert ("6.3.1", "29/20, 27/3: army not stated, assumed to be that of the others, First") in said
    for silent in (without_dice(example), without_dice(example).replace("5-10)", "5-10) army=First")):
        other = answered(typed(silent))
        assert not any("no army is stated" in line for line in told(other))


@pytest.mark.rule("10.1.3a", "10.1", "11.1.1c")
def test_withheld_units_take_no_part_and_lose_and_check_nothing(example: str) -> None:
    text = without_dice(
        example.replace("ask battle", "ask battle withhold=29/20").replace("attacker-ap=3,20", "attacker-ap=3")
    )
    report = answered(typed(text))
    assert (report.result.attacker.total, report.result.column) == (30, "1:1")
    text = example.replace(
        "41.19 clear: 1/1 (12?-16-7-11)", "41.19 clear: 1/1 (12?-16-7-11), german infantry XX 2/1 (10-9-0-10)"
    )
    text = text.replace("ask battle", "ask battle withhold=2/1")
    after = answered(typed(text)).result.outcome
    assert after.losses[1].losses == {"1/1": 2}
    assert [check.force for check in after.checks if check.force in ("1/1", "2/1")] == ["1/1"]


@pytest.mark.parametrize(
    ("hex", "what"), [("50.20", "no unit defends 50.20"), ("40.25", "no enemy is adjacent to 40.25")]
)
def test_a_hex_where_nobody_can_fight(example: str, hex: str, what: str) -> None:
    text = without_dice(example, "40.25: 22/1", f"ask battle at={hex}").replace("ask battle at=41.19", "# ask")
    with pytest.raises(InputError, match=what):
        answered(typed(text))


RING = "41.19|41.18,41.20 open\n40.19|41.18,40.20 open\n42.20|42.19,41.20 open\n40.20|41.20 open\n42.19|41.18 open\n"


@pytest.mark.rule("10.8a")
@pytest.mark.parametrize(
    ("terrain", "hexside", "normal", "freeze", "then"),
    [
        ("clear", "open", 0, 0, "clear"),
        ("clear", "minor-river", -1, 0, "clear"),
        ("wetlands", "open", -1, 0, "clear"),
        ("wetlands", "major-river", -2, -1, "clear"),
        ("rough", "minor-river", -2, -1, "rough"),
    ],
)
def test_what_freezes_over(terrain: str, hexside: str, normal: int, freeze: int, then: str) -> None:
    text = "turn=40 campaign\n40.20: 25/3 (20-?-0-10)\n41.19 {}: 1/1 (12-10-0-11)\n41.19|40.20 {}\n"
    text += "trust charts\nask battle at=41.19\nweather="
    text = text.format(terrain, hexside)
    assert answered(typed(f"{text}normal")).result.net_shift == normal
    found = answered(typed(f"{text}freeze")).result
    assert (found.net_shift, found.terrain) == (freeze, then)


@pytest.mark.rule("10.8a")
def test_the_weather_is_not_asked_for_where_nothing_could_freeze() -> None:
    text = "turn=40 campaign\n40.20: 25/3 (20-?-0-10)\n41.19 clear: 1/1 (12-10-0-11)\n41.19|40.20 {}\n"
    text += "trust charts\nask battle at=41.19"
    one_of_two = text.format("open") + "\n40.19: 27/3 (20-?-0-10)\n41.19|40.19 minor-river"
    for position, asked in ((text.format("open"), False), (text.format("minor-river"), True), (one_of_two, True)):
        asks = answered(typed(position)).asks
        assert any(ask.how.startswith("weather=") for ask in asks) is asked


@pytest.mark.rule("10.8a")
@pytest.mark.parametrize(
    ("terrain", "hexside", "turn", "weather", "named"),
    [
        ("wetlands", "open", 40, "", True),
        ("clear", "minor-river", 40, "", True),
        ("clear", "open", 40, "", False),
        ("wetlands", "open", 20, "", False),
        ("wetlands", "open", 40, "weather=normal", False),
    ],
    ids=["wetlands", "a minor river", "nothing that freezes", "a turn of High Water", "the weather is known"],
)
def test_freeze_that_may_be_is_named_where_nobody_says_that_it_is_the_campaign(
    terrain: str, hexside: str, turn: int, weather: str, named: bool
) -> None:
    text = (
        f"turn={turn}\n40.20: 25/3 (20-?-0-10)\n41.19 {terrain}: 1/1 (12-10-0-11)\n41.19|40.20 {hexside}\n{weather}\n"
    )
    report = answered(typed(text + "trust charts\nask battle at=41.19"))
    assert any("Freeze cancels minor rivers and wetlands" in line for line in told(report)) is named


@pytest.mark.rule("20.1c", "10.8a")
def test_freeze_makes_wetlands_clear_and_minor_rivers_nothing() -> None:
    text = "turn=40 campaign\nweather={}\n40.20: 25/3 (20-?-0-10)\n41.19 wetlands: 1/1 (12-10-0-11)\n41.19|40.20 minor-river\n"
    text += "trust charts\nask battle at=41.19"
    assert answered(typed(text.format("freeze").replace(" campaign", ""))).result.net_shift == -2, "a campaign rule"
    with pytest.raises(InputError, match="weather: Freeze cannot occur in GT 20"):
        answered(typed(text.format("freeze").replace("turn=40", "turn=20")))


def test_reading_does_not_change_the_state(example: str) -> None:
    position = typed(example)
    before = msgspec.structs.asdict(position.state)
    answered(position)
    assert msgspec.structs.asdict(position.state) == before
    assert View(position.game, position.state).premises.facts == {}


BOTH = (
    "turn=3\n40.20: 25/3 (10-?-5-10){more}\n41.19 clear: 1/1 (12-10-4-11)\n41.19|40.20 open\nask battle at=41.19 {ap}"
)


@pytest.mark.rule("10.1.4c", "3.5.1")
def test_artillery_without_an_ap_takes_no_part() -> None:
    text = BOTH.replace("{more}", ', russian artillery - "8 h" (1-?-3-?)')
    idle = answered(typed(text.replace("{ap}", "attacker-ap=none defender-ap=1"))).result
    assert [unit.unit for unit in idle.attacker.units] == ["25/3"]
    gunless = text.replace("(10-?-5-10)", "(10-?-0-10)").replace("{ap}", "attacker-ap=none defender-ap=1")
    assert answered(typed(gunless)).result.defender_modifiers[0].why == "German units only", (
        "guns without an AP are guns"
    )
    firing = answered(typed(text.replace("{ap}", "attacker-ap=3 defender-ap=1"))).result
    assert {unit.unit: unit.strength for unit in firing.attacker.units} == {"25/3": 15, "8 h": 3}
    displaced = text.replace("(1-?-3-?)", "(1-?-3-?) displaced").replace("{ap}", "attacker-ap=3 defender-ap=1")
    assert answered(typed(displaced)).result.attacker.total == 15


@pytest.mark.rule("10.5c")
def test_a_half_marker_bars_an_ap() -> None:
    text = (
        BOTH.replace("{more}", "")
        .replace("(12-10-4-11)", "(12-10-4-11) half")
        .replace("{ap}", "attacker-ap=3 defender-ap=all")
    )
    found = answered(typed(text)).result.defender
    assert (found.total, [unit.ap for unit in found.units]) == (5, [False])
    with pytest.raises(InputError, match="no unit of 1 can use an AP"):
        answered(typed(text.replace("defender-ap=all", "defender-ap=1")))


@pytest.mark.rule("3.3.1", "3.3.2", "3.8.2", "2.1f")
def test_an_id_tells_the_corps_and_a_size_tells_the_asset() -> None:
    more = ', russian infantry III "det 5" (2-?-0-6)'
    found = answered(typed(BOTH.replace("{more}", more).replace("{ap}", "attacker-ap=3 defender-ap=1 "))).result
    assert [unit.command for unit in found.attacker.units] == ["3", "3"]
    before = answered(
        typed("trust charts\n" + BOTH.replace("{more}", more).replace("{ap}", "attacker-ap=3 defender-ap=1"))
    )
    assert [force.force for force in before.result.chances.forces] == ["25/3", "1/1"]


@pytest.mark.rule("11.3.1b", "10.10.2")
def test_the_owner_gives_the_modifier_to_one_force(example: str) -> None:
    cells = "chart slrt summer Large 6 = 2 / 1"
    first = answered(typed(without_dice(example, cells, "answers crt=7 slrt=3/4 losses=29/20,27/3")))
    assert [(ask.name, ask.options) for ask in first.asks if ask.kind == "choice"] == [
        ("modifier.attacker", ("25/3", "29/20", "27/3"))
    ]
    chosen = answered(typed(without_dice(example, cells, "answers crt=7 slrt=3/4 losses=29/20,27/3 modifier=27/3")))
    by_name = {ask.name: ask.modifiers for ask in chosen.asks}
    assert [modifier.amount for modifier in by_name["ec.40.20"]["27/3"]] == [2, 1]
    assert "25/3" not in by_name["ec.40.20"], "nothing is added to its roll"


@pytest.mark.rule("7.2", "10.2.1b", "11.3")
def test_one_roll_for_a_stack_each_force_with_its_own_modifiers(battle: Report[Any]) -> None:
    natural = {check.force: (check.natural, check.modified - check.natural) for check in battle.result.outcome.checks}
    assert (natural["25/3"], natural["27/3"]) == ((12, 0), (12, 2))


@pytest.mark.rule("12.2", "10.9.1d", "10.10.1", "12.2.1")
def test_a_fortress_takes_steps_for_hexes_and_never_checks() -> None:
    fort = "turn=3\n40.20: 25/3 (30-?-0-10)\n49.27: Boyen\n41.19 clear: german fortress - Boyen2 (4-?-?-?) fssm=2\n"
    fort = fort.replace("49.27: Boyen\n", "") + "41.19|40.20 open\nask battle at=41.19\nanswers crt=12 slrt=1/1"
    fort += "\nchart crt summer 4:1 12 = - / +2 W2"
    for roll in range(-2, 9):
        fort += f"\nchart slrt summer Medium {roll} = 1 / 0\nchart slrt summer Small {roll} = 1 / 0"
    report = answered(typed(fort))
    assert (report.result.defender.total, report.result.defender.artillery, report.result.column) == (8, 4, "4:1")
    after = report.result.outcome
    assert after.defender_steps == 3, "two hexes turned into steps, and one step lost"
    assert [ask.name for ask in report.asks] == ["ec.40.20"]
    assert after.obligations == ()
    done = answered(typed(fort.replace("slrt=1/1", "slrt=1/1 ec.25/3=2")))
    assert done.result.outcome.absorbed == {"Boyen2": 2}
    lost = [(change.subject, change.after) for change in done.changes if change.track == "lost"]
    assert lost == [("25/3", 1), ("Boyen2", 3)], "steps in place of hexes too"


FLIP = """turn={turn}
40.20: 25/3 (20-?-0-10)
41.19 clear: 1/1 (12-16-7-11) -5 {known}
41.19|40.20 open
ask battle at=41.19 defender-ap=none
chart crt summer 2:1 7 = - / -
chart crt autumn 2:1 7 = - / -
"""


@pytest.mark.rule("11.1", "3.4.1b", "3.4.1", "3.4.2", "3.4.3")
@pytest.mark.parametrize("turn", [3, 30])
def test_a_unit_that_turns_over_shows_its_back_side_from_then_on(turn: int) -> None:
    known = "back-steps=6 back-defence=8 back-artillery=4"
    text = FLIP.format(turn=turn, known=known) + "answers crt=7 slrt=3/4 ec.1/1=2 ec.25/3=2\n"
    cells = [f"chart slrt {season} Medium {n} = 0 / 0" for season in ("summer", "autumn") for n in range(-2, 4)]
    cells += [f"chart slrt {season} Medium {n} = 2 / 0" for season in ("summer", "autumn") for n in range(4, 9)]
    text = text.replace("slrt=3/4", "slrt=1/6") + "\n".join(cells)
    position = typed(text)
    report = answered(position)
    turned = [change for change in report.changes if change.track not in REMEMBERED]
    assert [(change.track, change.before, change.after) for change in turned if change.subject == "1/1"] == [
        ("reduced", None, True),
        ("lost", 5, 1),
        ("steps", 12, 6),
        ("defence", 16, 8),
        ("artillery", 7, 4),
    ]
    after = msgspec.structs.replace(position, state=apply_changes(position.game, position.state, turned), answers={})
    again = answered(after).result
    assert (again.defender.units[0].steps, again.defender.total, again.defender.divisions) == (5, 7, Fraction(1, 2))


@pytest.mark.rule("11.1", "3.4.2", "3.4.3")
def test_what_is_not_known_of_the_back_side_is_asked_for_when_it_is_needed() -> None:
    text = FLIP.format(turn=3, known="reduced").replace("(12-16-7-11) -5", "(6-?-?-11) -1")
    assert [ask.how for ask in answered(typed(text)).asks] == ["1/1 back-defence=N", "1/1 back-artillery=N"]


@pytest.mark.rule("11.3.2ac", "11.3.2b", "11.3.2c")
def test_the_owner_says_who_in_a_force_takes_the_step_of_a_failed_check() -> None:
    more = ', russian infantry III "det 5" (2-?-0-6)'
    text = (
        BOTH.replace("{more}", more)
        .replace("(10-?-5-10),", "(10-?-5-10) cel=-3,")
        .replace("{ap}", "attacker-ap=3 defender-ap=1")
    )
    text += "\ntrust charts\nanswers crt=7 slrt=1/1 ec.25/3=12 ec.1/1=2"
    report = answered(typed(text))
    assert [(ask.name, ask.options) for ask in report.asks] == [("losses.25/3", ("25/3", "det 5"))]
    assert "1 step due from the attacker." in [step.text for step in report.short]
    assert (report.result.outcome.attacker_due, report.result.outcome.defender_due) == (1, 0)
    chosen = carried_out(text + ' losses.25/3="det 5"')
    (check,) = [check for check in chosen.result.outcome.checks if check.force == "25/3"]
    assert (check.steps, check.losses) == (1, {"det 5": 1})
    assert [(change.track, change.after) for change in chosen.changes if change.subject == "det 5"] == [
        ("lost", 1),
        ("place", "39.18"),
        ("retreated", True),
        ("fought", True),
        ("order", 0),
    ], "as 25/3 is Demoralized, it lies on top (4.2.5)"


@pytest.mark.rule("11.1.1")
@pytest.mark.parametrize(
    ("dice", "sentences"),
    [
        ("", []),
        ("slrt.attacker=3", ["2 steps due from the attacker."]),
        ("slrt.defender=4", ["Lost so far: 1/1 2."]),
        ("slrt=3/4", ["2 steps due from the attacker.", "Lost so far: 1/1 2."]),
        (
            "slrt=3/4 losses.attacker=25/3,27/3",
            ["So far the attacker loses 2 steps, the defender 2: 25/3 1, 27/3 1, 1/1 2."],
        ),
    ],
)
def test_steps_that_a_side_has_yet_to_share_out_are_due(example: str, dice: str, sentences: list[str]) -> None:
    known = example.partition("answers")[0]
    report = answered(typed(f"{known}answers crt=7 {dice}"))
    assert [step.text for step in report.short if "due" in step.text or "so far" in step.text.lower()] == sentences


@pytest.mark.rule("10.1.2d")
def test_nobody_attacks_at_sea(example: str) -> None:
    with pytest.raises(InputError, match="is lake, sea or impassable"):
        answered(typed(without_dice(example.replace("41.19 clear", "41.19 sea"))))
    with pytest.raises(InputError, match="is lake, sea or impassable"):
        answered(typed(without_dice(example.replace("open", "lake"))))
    for barrier in ("lake", "sea", "impassable"):
        one = f"41.19|40.19 open\n41.19|40.20 {barrier}"
        with pytest.raises(InputError, match="is lake, sea or impassable"):
            answered(typed(without_dice(example.replace("41.19|40.19,40.20 open", one))))


def test_modifiers_of_rules_beyond_these_can_be_stated(example: str) -> None:
    text = without_dice(example.replace("ask battle", "ask battle shift=2 attacker-drm=-2 defender-drm=1"))
    found = answered(typed(text)).result
    assert (found.net_shift, found.column) == (1, "3:1")
    assert [m.amount for m in found.attacker_modifiers] == [2, -2]
    assert [m.amount for m in found.defender_modifiers] == [3, -1, 1]


INFANTRY, HORSE = "german infantry XX a{} (12-14-6-11)", "german cavalry XX c{} (4-5-2-11)"


@pytest.mark.rule("10.1.5d", "10.1.2a")
@pytest.mark.parametrize(
    ("hexside", "bound"),
    [("open", True), ("grand-river crossing=bridge", True), ("grand-river crossing=no-crossing", False)],
)
def test_a_prepared_attacker_of_another_hex_attacks_too_unless_it_cannot_cross(hexside: str, bound: bool) -> None:
    """Whatever hexes the players name: the marker binds a unit next to the hex, but not behind a river without a bridge."""
    text = f"""turn=5
40.20 clear: russian infantry XX r1 (16-18-0-9)
40.19 clear: russian infantry XX r2 (16-18-0-9) prepared=41.19
41.19 clear: 1/1 (12-16-7-11)
41.19|40.20 open
41.19|40.19 {hexside}
ask battle at=41.19 from=40.20 attacker-ap=none defender-ap=none"""
    first = answered(typed(text)).parts[0].steps[0].text
    assert (first == "r2 has a Prepared Attack marker on 41.19 and cannot be withheld") == bound


@pytest.mark.rule("10.1.2c", "10.1.5c", "10.1.5d", "10.3")
def test_of_prepared_attackers_too_many_for_one_hex_the_excess_stays_out() -> None:
    units = ", ".join(f"russian infantry XX r{n} prepared=41.19 corps=IV army=2 (16-18-0-9)" for n in (1, 2, 3))
    text = f"turn=5\n40.20 clear: {units}\n41.19 clear: 1/1 (12-16-7-11)\n41.19|40.20 open\n"
    ask = "ask battle at=41.19 attacker-ap=none defender-ap=none"
    assert answered(typed(text + ask)).verdict.kind == "no"
    assert answered(typed(f"{text}{ask} withhold=r3")).verdict.kind == "figure"


THREE_DEFEND = """turn=5
trust charts
40.20 clear: russian infantry XX r1 corps=IV army=2 (16-18-6-9), russian infantry XX r2 corps=IV army=2 (16-18-6-9)
41.19 clear: german infantry XX A (12-14-0-9), german infantry XX B (12-14-0-8) cel=-2, german infantry XX C (12-14-0-11)
41.19|40.20 open
ask battle at=41.19 attacker-ap=none defender-ap=none withhold=C flanked=no
chart crt summer 1:1 7 = - / W1
answers crt=7 slrt=1/1 ec.41.19=12 ec.40.20=2
"""


@pytest.mark.rule("10.1.5f")
def test_the_example_of_10_1_5() -> None:
    """A fails by 4 and owes a hex more, B by 7 and two; C, withheld, goes with them as far as A."""
    report = carried_out(THREE_DEFEND)
    after = report.result.outcome
    reason = "C was withheld and retreats with the others: 1 hex, the fewest that any of them must"
    assert told(report, "Retreats").count(reason) == 2, "by the result, and by the others' checks"
    owed = {duty.force: (duty.by_crt, duty.by_check) for duty in after.obligations}
    assert owed == {"A": (1, 1), "B": (1, 2)}, "no check of its own"
    gone = {name: [name in {one.force for one in leg.forces} for leg in after.retreats] for name in "ABC"}
    assert gone == {name: [True, True] for name in "ABC"}
    assert after.places["C"] == after.places["A"] != after.places["B"]
    assert [check.force for check in after.checks if check.place == "41.19"] == ["A", "B"]


@pytest.mark.rule("10.1.5f")
def test_withheld_defenders_stay_where_one_of_the_others_does() -> None:
    stays = THREE_DEFEND.replace("- / W1", "- / -").replace("ec.41.19=12", "ec.41.19=9")
    after = answered(typed(stays)).result.outcome
    assert {check.force: check.passed for check in after.checks if check.place == "41.19"} == {"A": True, "B": False}
    assert "C" not in {one.force for leg in after.retreats for one in leg.forces}


@pytest.mark.rule("10.1.5f")
@pytest.mark.parametrize(
    ("defender", "result", "hexes"),
    [
        ("(2-14-0-9)", "- / W1", 1),  # eliminated on the table: the result makes C retreat all the same
        ("(2-14-0-9)", "- / -", 0),  # nobody has to retreat, so C stays
        ("(30-14-0-9)", "- / W1", 1),
    ],
)
def test_withheld_defenders_retreat_also_where_all_others_are_wiped_out(defender: str, result: str, hexes: int) -> None:
    small = THREE_DEFEND.replace("XX B (12-", "XX B (2-").replace("XX C (12-", "XX C (2-")
    text = small.replace("XX A (12-14-0-9)", f"XX A {defender}").replace("withhold=C", "withhold=C,B")
    text = text.replace("chart crt summer 1:1 7 = - / W1", f"chart crt summer 2:1 7 = {result}")
    text += "chart slrt summer Medium 0 = 2 / 0\n"
    after = carried_out(text.replace("ec.41.19=12", "ec.41.19=2")).result.outcome
    gone = [len(leg.way) for leg in after.retreats if "C" in {one.force for one in leg.forces}]
    assert (sum(gone), after.vacated) == (hexes, bool(hexes))


def test_the_defender_leaves_although_steps_are_still_to_be_shared_out() -> None:
    demoralized = THREE_DEFEND.replace("(12-14-0-8) cel=-2", "(12-14-0-8) cel=-4")
    assert carried_out(demoralized).result.outcome.vacated is True


@pytest.mark.rule("10.1.5a")
@pytest.mark.parametrize(
    ("there", "withheld"), [("", False), ("42.20: german infantry XX E (9-9-0-10)", True), ("42.20: 25/3", False)]
)
def test_a_prepared_attacker_is_withheld_from_others_unless_its_target_is_empty(there: str, withheld: bool) -> None:
    text = THREE_DEFEND.replace("XX r2 corps=IV army=2", "XX r2 prepared=42.20 corps=IV army=2") + there
    report = answered(typed(text))
    said = ["r2 has a Prepared Attack marker on 42.20"] if withheld else []
    assert (report.verdict.kind != "no", told(report, "Withheld")) == (True, said)
    if report.result:
        assert ("r2" in {unit.unit for unit in report.result.attacker.units}) is not withheld


@pytest.mark.rule("10.1.5a", "10.1.5b")
@pytest.mark.parametrize(
    ("stack", "ruling", "withheld"),
    [
        pytest.param("{horse}, {foot}", "", ["c1"], id="one cavalry division beside one of infantry"),
        pytest.param("{horse}, {foot}", "ruling defending-arm=free", None, id="by another reading he chooses too"),
        pytest.param("{horse} retreated=yes, {foot}", "", ["c1"], id="who has retreated never defends"),
    ],
)
def test_who_has_to_be_withheld_is_and_the_report_says_so(stack: str, ruling: str, withheld: list[str] | None) -> None:
    """The owner has no choice in what 10.1.5 (A) names, so nobody has to type it; where he has one, he is told to choose."""
    horse = "german cavalry XX {} corps=1 (6-4-0-9) back-steps=0"
    foot = "german infantry XX g1 corps=1 (12-12-0-10) back-steps=0"
    there = stack.format(horse=horse.format("c1"), foot=foot)
    text = f"turn=5\n40.20: russian infantry XX R corps=3 (14-8-0-10) back-steps=0\n41.19 clear: {there}\n41.19|40.20 open\n{ruling}"
    given = {"at": "41.19", "attacker-ap": "none", "defender-ap": "none", "flanked": "no"}
    report = answered(typed(text), "battle", **given)
    if withheld is None:
        assert report.verdict.text.startswith("this attack is not allowed")
        return
    assert [line.partition(" ")[0].rstrip(":") for line in told(report, "Withheld")] == withheld
    named = answered(typed(text), "battle", **given, withhold=",".join(withheld))
    assert (report.verdict, report.result) == (named.verdict, named.result), "the same as if he had said so himself"
    assert told(named, "Withheld") == []


@pytest.mark.rule("10.1.2e")
def test_a_grand_river_is_attacked_across_at_bridges_and_ferries_only(example: str) -> None:
    river = without_dice(
        example.replace(
            "40.20 open", "40.20 open\n41.19|40.20 grand-river\nchart terrain-shift grand-river = -1"
        ).replace("40.19,40.20 open", "40.19 open")
    )
    assert [ask.how for ask in answered(typed(river)).asks] == ["40.20|41.19 no-crossing|pontoon|ferry|bridge"]
    assert answered(typed(river.replace("0 grand-river", "0 grand-river no-crossing"))).verdict.kind == "no"
    for crossed in ("0 grand-river ferry", "0 grand-river rail2", "0 grand-river bridge"):
        report = answered(typed(river.replace("0 grand-river", crossed)))
        assert report.verdict.kind != "no"
        assert not any("no-crossing" in ask.how for ask in report.asks), "it is known"


@pytest.mark.rule("3.4.1", "3.4.2", "3.4.3")
def test_of_both_sides_of_a_counter_the_one_that_is_up_counts() -> None:
    both = "steps=12 defence=16 artillery=7 effectiveness=11 back-steps=6 back-defence=8 back-artillery=4 reduced"
    text = (
        FLIP.format(turn=3, known="")
        .replace("(12-16-7-11) -5", both + " -1")
        .replace("defender-ap=none", "defender-ap=1")
    )
    unit = answered(typed(text)).result.defender.units[0]
    assert (unit.steps, unit.strength, unit.artillery) == (5, 11, 4), "8 less the step lost, and its artillery"
    with pytest.raises(InputError, match="1/1 has lost 6 of 6 steps"):
        answered(typed(text.replace("reduced -1", "reduced -6")))


@pytest.mark.rule("3.4.2")
@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (0, "12"),
        (4, "12 less 4 lost is 8"),
        (5, "6"),
        (6, "6 on its back less 1 lost is 5"),
        (8, "6 on its back less 3 lost is 3"),
    ],
)
def test_the_defence_of_the_side_that_is_up_counts_less_the_steps_lost_on_it(lost: int, said: str) -> None:
    whole = "steps=10 defence=12 artillery=5 effectiveness=10 back-steps=5 back-defence=6 back-artillery=3"
    text = FLIP.format(turn=3, known="").replace("(12-16-7-11) -5", f"{whole} -{lost}")
    assert f"1/1 in 41.19: {said}" in told(answered(typed(text)), "Strengths")


def test_what_is_asked_of_artillery() -> None:
    text = "turn=3\n40.20: 25/3\n41.19 clear: 1/1 (12-16-7-11)\n41.19|40.20 open\nask battle at=41.19 defender-ap=1"
    assert "attacker-ap=3, or all, or none" in [ask.how for ask in answered(typed(text)).asks]
    text = "turn=3\n40.20: 25/3 (10-?-5-10)\n41.19 clear ip=4: 1/1 (12-16-7-11)\n41.19|40.20 open\n"
    without, given = (
        answered(typed(f"{text}ask battle at=41.19 attacker-ap={ap} defender-ap=1")) for ap in ("none", "3")
    )
    assert not any("heavy" in ask.how for ask in without.asks)
    assert any("heavy" in ask.how for ask in given.asks)


@pytest.mark.rule("11.4", "11.4.1")
def test_who_may_advance_is_said_when_all_have_checked() -> None:
    text = "turn=3\n40.20: 25/3 (30-?-0-10)\n41.19 clear: german fort - F1 (2-?-?-?) fssm=2\n41.19|40.20 open\n"
    text += "ask battle at=41.19\ntrust charts\nchart crt summer 6:1 7 = - / W2 +1\nanswers crt=7 slrt=1/5"
    steps = told(answered(typed(text)))
    assert not any("advance" in step for step in steps)
    steps = told(carried_out(text + " ec.25/3=2"))
    assert "may advance into 41.19: 25/3" in steps


@pytest.mark.rule("20.0")
def test_weather_without_the_campaign_is_passed_over_in_words(example: str) -> None:
    text = without_dice(example.replace("turn=1", "turn=40 weather=freeze"))
    said = told(answered(typed(text)))
    assert any(step.startswith("Freeze is ignored") for step in said)
    said = told(answered(typed(text.replace("turn=40", "turn=40 campaign"))))
    assert not any("is ignored" in step for step in said)
    unstated = answered(typed(text.replace(" weather=freeze", "")))
    assert not any("is ignored" in line for line in told(unstated))


ADVANCE = """turn=3
40.20: 25/3 (30-?-0-10)
40.20: russian artillery II 3A artillery=5 with=25/3
40.19: 27/3 (30-?-0-10)
41.19 clear: german fort - F1 (2-?-?-?) fssm=2
{ground}
ask battle at=41.19 attacker-ap=3
trust charts
chart crt summer 6:1 7 = - / W2 +1
answers crt=7 slrt=1/5 ec.40.20=2 ec.40.19=2"""


def advance(ground: str, text: str = ADVANCE) -> Report[Any]:
    return carried_out(text.format(ground=ground))


@pytest.mark.rule("11.4.1", "11.4.2")
@pytest.mark.parametrize(
    ("ground", "may", "stays"),
    [
        ("41.19|40.20 open\n41.19|40.19 open", ("27/3", "25/3", "3A"), ()),
        ("41.19|40.20 major-river no-crossing\n41.19|40.19 open", ("27/3", "25/3"), ("3A",)),
        ("41.19|40.20 major-river ferry\n41.19|40.19 open", ("27/3", "25/3"), ("3A",)),
        ("41.19|40.20 major-river\n41.19|40.19 open", ("27/3", "25/3"), ("3A",)),
        ("41.19|40.20 major-river pontoon\n41.19|40.19 open", ("27/3", "25/3", "3A"), ()),
        ("41.19|40.20 minor-river\n41.19|40.19 open", ("27/3", "25/3", "3A"), ()),
    ],
    ids=["open", "no crossing", "ferry", "nobody says", "pontoon", "minor river"],
)
def test_who_may_advance_over_which_river(ground: str, may: tuple[str, ...], stays: tuple[str, ...]) -> None:
    after = advance(ground).result.outcome
    assert (after.advance, after.guns_stay) == (may, stays)


@pytest.mark.rule("11.4.2")
def test_guns_that_a_river_stops_are_named_and_what_was_not_stated_too() -> None:
    def said(ground: str) -> list[str]:
        return [step.text for part in advance(ground).parts for step in part.steps if step.rule == "11.4.2"]

    line = "artillery does not advance over an un-bridged Major or Grand River: 3A"
    assert said("41.19|40.20 major-river ferry\n41.19|40.19 open") == [line]
    unsaid = said("41.19|40.20 major-river\n41.19|40.19 open")
    assert unsaid == [f"{line}; whether there is a bridge was not stated"]


OPEN = "41.19|40.20 open\n41.19|40.19 open"


@pytest.mark.rule("10.3b")
def test_who_prepared_to_attack_an_empty_hex_attacks_another_without_the_column_and_may_advance_into_that() -> None:
    def fought(marker: str) -> Report[Any]:
        text = ADVANCE.replace("27/3 (30-?-0-10)", f"27/3 (30-?-0-10){marker}").format(ground=OPEN)
        return carried_out(text, advance="none")

    plain, elsewhere, there = fought(""), fought(" prepared=40.18"), fought(" prepared=41.19")
    for report in (plain, elsewhere, there):
        assert report.result.outcome.advance == ("27/3", "25/3", "3A")
        assert report.result.shifts == plain.result.shifts
    comes_off = Change("prepared", "27/3", "40.18", None, "10.3")
    assert [comes_off in report.changes for report in (plain, elsewhere, there)] == [False, True, False]


@pytest.mark.rule("11.4", "11.4.1")
def test_who_retreats_after_a_check_does_not_advance() -> None:
    failed = ADVANCE.replace("ec.40.19=2", "ec.40.19=12").replace("27/3 (30-?-0-10)", "27/3 (30-?-0-3)")
    report = advance(OPEN, failed)
    assert [duty.force for duty in report.result.outcome.obligations] == ["27/3"]
    assert report.result.outcome.advance == ("25/3", "3A")
    failed = ADVANCE.replace("ec.40.20=2 ec.40.19=2", "ec.40.20=12 ec.40.19=12").replace("(30-?-0-10)", "(30-?-0-3)")
    texts = told(advance(OPEN, failed))
    assert "no unit may advance into 41.19" in texts
    assert not any(text.startswith("may advance") for text in texts)


@pytest.mark.rule("11.4.1")
def test_an_advance_keeps_to_the_stacking_limits() -> None:
    texts = told(advance(OPEN))
    assert "of these, no more than three divisions and two artillery units" not in texts
    crowd = ADVANCE.replace(
        "{ground}", "{ground}\n40.20: 29/20 (9-?-0-10)\n40.19: russian infantry XX 28/20 (9-?-0-10)"
    )
    texts = told(advance(OPEN, crowd))
    assert "of these, no more than three divisions and two artillery units" in texts
    assert not any("artillery does not advance" in text for text in texts)
    fewer = crowd.replace("XX 28/20 (9-?-0-10)", "XX 28/20 (9-?-0-3)").replace("ec.40.19=2", "ec.40.19=12")
    texts = told(advance(OPEN, fewer))
    assert "of these, no more than three divisions and two artillery units" not in texts, "28/20 retreats"


# --- what a position may be silent or contradictory about ---------------------------------------------------------------

DUEL = """turn=5
41.19|40.20 open
40.20: russian infantry XX A corps=3 (10-12-5-10) field
"""


def duel(text: str, **parameters: Any) -> Report[Any]:
    given = {"at": "41.19", "attacker-ap": "3", "defender-ap": "none", **parameters}
    return answered(typed(DUEL + text), "battle", **given)


@pytest.mark.rule("6.4.1b", "10.8c")
def test_an_asset_unit_alone_in_its_hex_counts_with_the_corps_of_the_nearest_formation() -> None:
    more = "41.19|40.19 open\n40.19: russian infantry III S asset (3-3-0-7)\n41.19 clear: austro-hungarian infantry XX E corps=1 (4-4-0-7)"
    assert [shift.rule for shift in duel(more).result.shifts] == []
    far = more + "\n40.18: russian infantry XX B corps=4 (9-9-0-9)"
    assert [ask.key for ask in duel(far).asks] == [("with", "S")]
    assert [shift.why for shift in duel(far + "\nS with=B").result.shifts] == [
        "attackers of 2 corps or independent stacks"
    ]


@pytest.mark.rule("6.2.4b", "6.4.1a")
def test_guns_of_another_nation_draw_no_ap_through_a_formation() -> None:
    text = """turn=5
41.19|40.20 open
40.20: german infantry XX A corps=1 (10-12-5-10) field, austro-hungarian artillery - Q artillery=4 field
41.19 clear: russian infantry XX E corps=3 (10-12-5-10)"""
    report = answered(typed(text), "battle", at="41.19", **{"attacker-ap": "1", "defender-ap": "none"})
    assert (report.result.attacker.total, report.result.column) == (15, "1:1")


@pytest.mark.rule("6.4.1a")
def test_with_which_of_two_formations_an_asset_unit_goes_is_said() -> None:
    both = "40.20: russian infantry XX B corps=4 (10-12-5-10) field, russian artillery - Q artillery=4 field"
    both += "\n41.19 clear: german infantry XX D corps=1 (12-17-7-11)"
    report = duel(both, **{"attacker-ap": "4"})
    said = told(report)
    assert (
        "Q is assumed to be attached to A, not to B (state Q with=...)" not in said
    )  # it stands idle: no AP through A
    with_points = duel(both, **{"attacker-ap": "3"})
    said = told(with_points)
    assert "Q is assumed to be attached to A, not to B (state Q with=...)" in said
    assert [
        step.rule for part in with_points.parts for step in part.steps if "assumed to be attached" in step.text
    ] == ["6.4.1"]
    alone = duel(
        "40.20: russian artillery - Q artillery=4 field\n41.19 clear: german infantry XX D corps=1 (12-17-7-11)"
    )
    assert not any("assumed to be attached" in line for line in told(alone))
    joins = {one.unit: one.joins for one in with_points.result.attacker.units}
    assert joins == {"A": "", "B": "", "Q": "A"}
    assert duel(both + "\nQ with=B", **{"attacker-ap": "4"}).result.attacker.total == 29


@pytest.mark.rule("10.9.1d")
def test_which_fortress_units_lose_steps_in_place_of_a_retreat_is_their_owners_choice() -> None:
    fort = "41.19 clear: german fort - F (4-0-0-9) fssm=2, german fort - G (4-0-0-9) fssm=2, german infantry XX D corps=1 (12-16-7-11)"
    cell = "chart crt summer 1:2 7 = - / W2\nchart slrt summer Medium 4 = 0 / 0\nchart slrt summer Medium 3 = 0 / 0"
    text = f"{DUEL}{fort}\n{cell}\nask battle at=41.19 attacker-ap=3 defender-ap=none\nanswers crt=7"
    (ask,) = (ask for ask in answered(typed(text)).asks if ask.kind == "choice")
    assert (ask.name, ask.options) == ("losses.fortresses", ("F,G", "F,F", "G,G"))
    chosen = answered(typed(text + " losses.fortresses=G,G slrt=4/4"))
    assert (chosen.result.outcome.absorbed, chosen.result.outcome.defender_steps) == ({"G": 2}, 2)


def test_a_cell_that_is_not_known_is_no_step() -> None:
    text = DUEL + "41.19 clear: german infantry XX D corps=1 (12-16-7-11)\nchart crt summer 1:1 7 = - / -\n"
    text += "ask battle at=41.19 attacker-ap=3 defender-ap=none\nanswers crt=7 slrt.attacker=6 slrt.defender=6"
    report = answered(typed(text))
    assert report.verdict.kind == "undecided"
    assert {(side.steps, side.ec) for side in report.result.outcome.losses} == {(None, None)}
    assert any("a cell that is not known" in line for line in told(report))


@pytest.mark.rule("10.1.1a", "10.1.5e", "10.8a")
def test_what_one_of_the_attackers_crosses_is_not_asked_for_where_it_shifts_nothing() -> None:
    more = "41.19|40.19 major-river\n40.19: russian infantry XX B corps=3 (8-8-0-9)\n41.19 clear: german infantry XX D corps=1 (12-16-7-11)"
    together = duel(more).result
    assert ([one.unit for one in together.attacker.units], together.column) == (["B", "A"], "1:1")
    assert [ask.kind for ask in duel(more + "\nruling river-shift=any").asks] == ["cell"]
    spared = "no shift for major-river"
    alone = duel(more, withhold="B")
    assert [one.unit for one in alone.result.attacker.units] == ["A"]
    assert not any(spared in line for line in told(alone)), "who stays out crosses nothing"
    assert any(f"{spared}: not every attacker crosses one" in line for line in told(duel(more)))
    assert f"; {spared}, which not every attacker crosses: column 1:1" in briefs(duel(more))
    assert spared not in briefs(duel(more + "\nruling river-shift=any\nchart terrain-shift major-river = -1"))
    assert spared not in briefs(duel(more.replace("40.19 ", "40.19,40.20 ") + "\nchart terrain-shift major-river = -1"))


def briefs(report: Report[Any]) -> str:
    """What a report says of its parts in a line each."""
    return "\n".join(part.brief for part in report.parts)


@pytest.mark.rule("10.1.2b", "2.1b", "3.6.3")
def test_fortress_and_supply_units_beside_the_attackers_take_no_part() -> None:
    text = "40.20: russian fortress - F\n41.19 clear: german infantry XX D corps=1 (12-16-7-11)"
    assert [one.unit for one in duel(text).result.attacker.units] == ["A"]
    text = BOTH.replace("{more}", ', "3 Train"').replace("{ap}", "attacker-ap=3 defender-ap=1")
    assert [unit.unit for unit in answered(typed(text)).result.attacker.units] == ["25/3"]


@pytest.mark.rule("10.1.2b")
@pytest.mark.parametrize(
    ("status", "barred"),
    [
        ("", []),
        ("cel=-4", ["A is Demoralized and cannot attack"]),
        ("cel=-4 retreated", []),
        ("cel=-4 prepared=40.19", []),
        ("cel=-4 prepared=40.21", ["A is Demoralized and cannot attack"]),
    ],
)
def test_who_cannot_attack_is_told_before_anything_is_asked_but_of_those_who_are_withheld(
    status: str, barred: list[str]
) -> None:
    text = f"turn=1\n40.20: russian infantry XX A {status}, russian infantry XX B\n41.19: german infantry XX D\n"
    report = answered(typed(f"{text}40.19: german infantry XX E\n"), "battle", at="41.19", from_="40.20")
    assert (report.verdict.kind, told(report, "Not allowed")) == ("no" if barred else "undecided", barred)


@pytest.mark.rule("10.1.2b", "22.4.1")
@pytest.mark.parametrize("unit", sorted(LANDSTURM))
def test_landsturm_never_attacks_though_only_its_strength_is_stated(unit: str) -> None:
    text = f'elsewhere clear open\n40.20: II "{unit}" (2-2-0-7)\n41.19: russian cavalry XX B (3-3-1-10)\n'
    report = answered(typed(text), "battle", at="41.19", **{"attacker-ap": "none", "defender-ap": "none"})
    said = [(step.rule, step.text) for part in report.parts for step in part.steps]
    assert report.verdict.kind == "no" and ("10.1.2", f"{unit} can only defend and cannot attack") in said


@pytest.mark.rule("24.4")
@pytest.mark.parametrize(
    ("unit", "turn", "stated", "low"),
    [
        ("2/23", 7, "", 1),
        ("2/23", 7, "supply=in", 1),
        ("2/23", 7, "supply=low", 1),
        ("2/23", 8, "", 0),
        ("3/23", 7, "", 0),
        ("3/23", 7, "supply=low", 1),
    ],
)
def test_the_2nd_division_checks_in_low_supply_up_to_gt_7_though_nothing_is_stated(
    unit: str, turn: int, stated: str, low: int
) -> None:
    text = f"""turn={turn}
trust charts
41.19|40.20 open
40.20: russian infantry XX {unit} (10-12-0-10) {stated}
41.19 clear: german infantry XX A (12-14-0-9)
answers crt=7 slrt=1/1
"""
    report = answered(typed(text), "battle", at="41.19", **{"attacker-ap": "none", "defender-ap": "none"})
    (check,) = (ask for ask in report.asks if ask.name == "ec.40.20")
    assert [modifier.why for modifier in check.modifiers.get(unit, ()) if modifier.why == "Low Supply"] == low * [
        "Low Supply"
    ]


@pytest.mark.rule("10.1", "10.1.2b", "10.1.4a", "10.1.4b", "4.2.2", "4.2.2b", "10.5b", "6.3.1c")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param(
            ("25/3 (10-?-5-10)", "25/3 (10-?-5-10) cel=-4"), "25/3 is Demoralized and cannot attack", id="10.1.2"
        ),
        pytest.param(("25/3 (", "25/3 cavalry ("), "cavalry and infantry cannot fight together", id="10.1.4 arms"),
        pytest.param(
            ("25/3 (10-?-5-10)", "25/3 (10-?-5-10) army=First, russian infantry XX 28/3 (9-?-5-9) army=Second"),
            "units of different armies (First, Second) cannot combine",
            id="10.1.4 armies",
        ),
        pytest.param(
            ("27/3 (10-?-5-10)", "27/3 (10-?-5-10), russian infantry XX 28/3 (9-?-5-9)"),
            "3 divisions and 0 artillery units",
            id="4.2.2",
        ),
    ],
)
def test_attacks_that_the_rules_refuse(example: str, change: tuple[str, str], reason: str) -> None:
    text = example.replace(*change)
    report = answered(typed(without_dice(text)))
    assert report.verdict.kind == "no"
    assert any(reason in line for line in told(report))


@pytest.mark.rule("10.5b")
def test_three_points_are_too_many(example: str) -> None:
    text = example.replace("40.19: 29/20 (10-?-5-10) -3", "40.19: 29/20 (10-?-5-10), russian infantry XX 4/6 (8-?-4-9)")
    report = answered(typed(without_dice(text.replace("attacker-ap=3,20", "attacker-ap=3,20,6"))))
    assert "attacker: 3 APs, but a combat allows only two" in [step.text for step in report.parts[0].steps]


@pytest.mark.rule("10.5b")
@pytest.mark.parametrize(
    ("points", "reasons"), [("1,2,3", ["defender: 3 APs, but a combat allows only two"]), ("1,2", [])]
)
def test_defenders_too_are_allocated_two_points_at_most(points: str, reasons: list[str]) -> None:
    units = ", ".join(f"german infantry X {n}/{n} corps={n} (5-5-3-9)" for n in (1, 2, 3))
    text = f"turn=5\n41.19|40.20 open\n40.20: russian infantry XX R (10-12-0-10)\n41.19 clear: {units}"
    report = answered(typed(text), "battle", at="41.19", **{"attacker-ap": "none", "defender-ap": points})
    refused = told(report, "Not allowed")
    assert refused == reasons


@pytest.mark.rule("10.5.2")
@pytest.mark.parametrize(("points", "said"), [("3", True), ("none", False)])
def test_that_aps_can_be_drawn_is_taken_for_granted(points: str, said: bool) -> None:
    text = "turn=1\n40.20: 25/3 (10-10-5-10)\n41.19 clear: 1/1 (12-16-7-11)\n41.19|40.20 open"
    found = answered(typed(text), "battle", at="41.19", **{"attacker-ap": points, "defender-ap": "none"})
    granted = told(found, "Assumed")
    assert ("APs are assumed to be available (check with: ask ammunition)" in granted) == said


@pytest.mark.rule("10.7", "10.8")
@pytest.mark.parametrize(
    ("shift", "brief"),
    [
        (-1, "15 against 23 is 1:2; -1 added by the players: column 1:3"),
        (-3, "15 against 23 is 1:2; -3 added by the players: 1:5, beyond the last column 1:4"),
    ],
)
def test_in_brief_odds_beyond_the_last_column_are_named_before_it(shift: int, brief: str) -> None:
    text = "turn=1\n40.20: 25/3 (10-10-5-10)\n41.19 clear: 1/1 (12-16-7-11)\n41.19|40.20 open"
    found = answered(typed(text), "battle", at="41.19", shift=shift, **{"attacker-ap": "all", "defender-ap": "all"})
    (odds,) = (part for part in found.parts if part.title == "Odds and column")
    assert odds.brief == brief


@pytest.mark.rule("10.9", "11.1")
def test_of_what_is_due_only_chart_cells_are_called_missing_cells() -> None:
    text = "turn=1\n40.20: 25/3 (10-10-5-10), 27/3 (10-10-5-10)\n41.19 clear: 1/1 (12-16-7-11)\n41.19|40.20 open\n"
    text += "chart crt summer 1:1 7 = - / -\nchart slrt summer Medium 5 = 1 / 0\nanswers crt=7 slrt=3/1"
    found = answered(typed(text), "battle", at="41.19", **{"attacker-ap": "all", "defender-ap": "all"})
    assert {ask.kind for ask in found.asks} == {"cell", "choice"}
    assert found.verdict.text.endswith("chart cells missing: chart slrt summer Medium 2 = steps / ec")
