"""The question `threat`: each figure against what `battle`, `supply` and `stack` say themselves (3.2, 3.4, 5.0, 6.0)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from assistant.asking.question import Answers
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.installed.registry import questions_of
from assistant.rules.threats import usual
from assistant.service import ask, read, sketch
from assistant.util.errors import InputError

from ..cases import few, seeds, thorough
from ..conftest import told, typed
from ..threatening import assaults, at_attack, prove_by_dice, prove_columns, prove_supply, threats
from .asking import GAME

EXAMPLES = Path(__file__).parents[2] / "plugins/world_undone_east_prussia/examples"
COSTS = {"clear": 0, "forest": 1, "swamp": 2, "town": 0, "city": 0, "river": 1}
COLUMNS = ("1:3-", "1:2", "1:1", "2:1", "3:1", "4:1+")
GERMANS = ("I/1", "I/2", "XVII/35", "XVII/36", "8A/1KB", "8A/Ldw2", "IR/1R", "IR/36R", "8A/3R")
RUSSIANS = ("III/25", "III/27", "IV/30", "IV/40", "XX/28", "XX/29", "IC/1GC", "IC/2GC", "IC/3C")


def tables(random: Random) -> str:
    """Both tables of results, made up."""
    codes = ("AE", "A1", "A2", "EX", "D1", "D2", "DE", "-")
    dice = ("1-", "2", "3", "4", "5", "6+")
    return "\n".join(
        f"chart {side}-table {column} {die} = {random.choice(codes)}"
        for side in ("german", "russian")
        for column in COLUMNS
        for die in dice
    )


def front(seed: int) -> str:
    """A random front on the board, both sides within a few hexes."""
    random = Random(f"front {seed}")
    board = typed(f"game {GAME}\nboard east-prussia").game.board("east-prussia")
    centre = random.choice(["5617", "5320", "5419", "4822"])
    near = [hex for hex in sorted(board.hexes) if board.distance(hex, centre) <= 4]
    near = [hex for hex in near if (fact := board.fact("terrain", hex)) is None or fact.value not in ("sea", "lake")]
    lines = [f"game {GAME}", "board east-prussia", "scenario=historical", "turn=4"]
    lines += [f"phasing={random.choice(['german', 'russian'])}", "phase=first-movement"]
    hexes = random.sample(near, 10)
    for names, places in ((GERMANS, hexes[:5]), (RUSSIANS, hexes[5:])):
        for unit in random.sample(names, 7):
            lines.append(f"{random.choice(places)}: {unit}")
    lines += [f"chart terrain-cost {name} = {cost}" for name, cost in COSTS.items()]
    lines += ["chart terrain-cost lake = prohibited", "chart terrain-cost sea = prohibited", tables(random)]
    return "\n".join(lines) + "\n"


@thorough
@pytest.mark.parametrize("seed", seeds(30))
def test_every_figure_is_that_of_battle_on_random_fronts(seed: int) -> None:
    position = typed(front(seed))
    compared = 0
    for side in ("german", "russian"):
        result = threats(position, side)
        compared += prove_by_dice(position, result, "first-combat")
        for _, assault in assaults(result):
            there = at_attack(position, result, assault, "first-combat")
            for approach in assault.approaches:
                assert not ask(there, "stack", at=[approach.to]).result.stacks[0].too_many
    assert compared


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_each_column_is_that_of_battle_and_need_on_random_fronts(seed: int) -> None:
    position = typed(front(seed))
    for side in ("german", "russian"):
        prove_columns(position, threats(position, side, march=False), "first-combat")


@few(2)
@pytest.mark.parametrize("example", ["battle", "reach", "drawn", "fortress", "threat"])
def test_every_figure_is_that_of_battle_in_the_examples(example: str) -> None:
    position = read(EXAMPLES / f"{example}.pos")
    for side in ("german", "russian"):
        result = threats(position, side)
        if result is not None:
            prove_by_dice(position, result, "first-combat")


def supplied(report: Report[Any]) -> dict[str, str]:
    """The supply of each unit of a report, in words."""
    return {unit.unit: "supplied" if unit.supplied else "not supplied" for unit in report.result.units}


@few(1)
@pytest.mark.parametrize(("seed", "side", "cuts"), [(16, "russian", 4), (4, "german", 4), (0, "german", 0)])
def test_supply_that_can_be_cut_is_what_supply_says_then(seed: int, side: str, cuts: int) -> None:
    position = typed(front(seed))
    result = threats(position, side)
    assert prove_supply(position, result, supplied) == len(result.cuts) == cuts


@pytest.mark.rule("6.0/attack")
def test_a_lone_fortress_is_threatened_and_columns_are_told_where_the_table_is_not_known() -> None:
    text = f"game {GAME}\nturn=4\n4025 fortress=4 clear: 8A/3R\n4125 clear: IV/30, IV/40\n4025|4125 open\n"
    alone = text.replace(": 8A/3R", "")
    assert [threat.at for threat in threats(typed(alone), "german").hexes] == ["4025"]
    assert threats(typed(alone), "german").hexes[0].standing.attackers == ("IV/30", "IV/40")
    taken = text.replace("8A/3R", "XX/28") + "5310: I/1\n"
    assert [threat.at for threat in threats(typed(taken), "german").hexes] == ["5310"]
    position = read(EXAMPLES / "reach.pos")
    report = ask(position, "threat", side="russian")
    assert all(assault.chances is None for _, assault in assaults(report.result))
    assert any("are not known: battle names" in line for line in told(report, "Left out"))
    drawn = sketch(position, report)
    assert drawn is not None
    assert drawn.levels[-1] == "attacked by 5 times its defence or more"


def test_chances_are_those_of_the_dice_where_battle_leaves_its_own_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """`decide` of a question may do so."""
    position = read(EXAMPLES / "threat.pos")
    usually = threats(position, "russian")
    battle = questions_of(position.game)["battle"]

    def decide(view: View, parameters: Any, answers: Answers) -> Report[Any]:
        report = battle.answer(view, parameters, answers)
        return msgspec.structs.replace(
            report, result=report.result and msgspec.structs.replace(report.result, chances=())
        )

    brief = {"battle": msgspec.structs.replace(battle, decide=decide)}
    monkeypatch.setattr(usual, "questions_of", lambda game: {**questions_of(game), **brief})
    assert threats(position, "russian") == usually
    assert any(assault.chances for _, assault in assaults(usually))


@thorough
def test_a_hex_of_which_the_chance_is_not_known_has_no_shade_beside_others_that_have() -> None:
    position = read(EXAMPLES / "threat.pos")
    drawn = sketch(position, ask(position, "threat", side="russian"))
    assert drawn is not None
    assert {spot.hex: (spot.label, spot.level) for spot in drawn.spots} == {
        "1932": ("4:1 67%", 4),
        "1933": ("3:1", 0),
        "2332": ("2:1", 0),
    }
    assert "A hex with odds alone has no shade: the chance to lose it is not known." in drawn.results
    without = sketch(position, ask(position, "threat", side="german"))
    assert without is not None
    assert all(spot.level for spot in without.spots if spot.role == "weakest"), "here shades tell the odds of all"
    assert without.words["weakest"] == "the weakest hexes in their order, with the odds"


ALLOWANCE = 2
"""The Movement Points of the Russian unit III/25."""
COLUMN = [f"30{row}" for row in range(14, 21)]


@pytest.mark.rule("6.0/attack")
@pytest.mark.parametrize(("supply", "comes"), [("in", True), ("out", False)])
def test_supply_that_a_player_states_counts_in_the_next_phase_too(supply: str, comes: bool) -> None:
    """A unit that comes next to an enemy with its last Movement Point, of which it has one less without supply."""
    ground = f"{'-'.join(COLUMN)}\n" + "".join(f"{at} clear town=none\n" for at in COLUMN)
    text = f"scenario=historical turn=2 phasing=german phase=first-movement\nchart terrain-cost clear = 0\n{ground}"
    text += f"3014: III/25 supply={supply}\n{COLUMN[ALLOWANCE + 1]}: I/1\n"
    result = ask(typed(f"game {GAME}\n{text}"), "threat", side="german").result
    assert (result.hexes[0].near, result.unknown) == (("III/25",) * comes, ("III/25",))


def test_the_next_phase_of_the_enemy_does_not_turn_on_the_present_one_of_its_own_side() -> None:
    text = (EXAMPLES / "threat.pos").read_text("utf-8")
    position = typed(text[text.index("game ") :])
    stated = {key: fact for key, fact in position.state.facts.items() if key != ("phase", "")}
    state = msgspec.structs.replace(position.state, facts=MappingProxyType(stated))
    without = msgspec.structs.replace(position, state=state)
    columns = [
        [(threat.at, threat.worst.column) for threat in ask(each, "threat", side="russian").result.hexes]
        for each in (without, position)
    ]
    assert columns[0] == columns[1] == [("1932", "4:1"), ("1933", "3:1"), ("2332", "2:1")]


def asked_of_mlawa(**asked: Any) -> Report[Any]:
    """What is asked of the example round Mlawa."""
    return ask(msgspec.structs.replace(read(EXAMPLES / "threat.pos"), asks=()), "threat", **asked)


def columns_of(report: Report[Any]) -> list[tuple[str, str]]:
    """The hexes of an answer with the column of the worst attack, "" for none."""
    return [(threat.at, threat.worst.column if threat.worst else "") for threat in report.result.hexes]


def test_some_hexes_and_units_alone_are_asked_about() -> None:
    hex = asked_of_mlawa(at=["2332"])
    assert (hex.result.side, hex.result.enemy, columns_of(hex)) == ("russian", "german", [("2332", "2:1")])
    assert (hex.title, hex.asks, hex.result.tried) == ("Threats to the Russian side", (), 3)
    unit = asked_of_mlawa(unit=["I/22"])
    assert (columns_of(unit), unit.result.changes, unit.result.supposed) == ([("1932", "4:1")], (), ())
    both = asked_of_mlawa(unit=["XIII/1"], at=["1933", "2332"], march=False)
    assert (columns_of(both), both.result.cuts, both.result.tried) == ([("1933", ""), ("2332", "")], (), 0)
    assert both.verdict.text == "no attack on 2 hexes was found"


@thorough
def test_cuts_of_supply_are_those_of_the_units_asked_about() -> None:
    cuts = asked_of_mlawa(side="german").result.cuts
    assert [(cut.at, cut.unit, [loss.unit for loss in cut.worse]) for cut in cuts] == [
        ("2131", "XIII/1", ["XX/37", "XX/41"])
    ]
    assert asked_of_mlawa(side="german", march=False).result.cuts == ()
    assert asked_of_mlawa(unit=["I/1"]).result.cuts == ()
    assert [cut.at for cut in asked_of_mlawa(at=["2031"]).result.cuts] == ["2131"]


@thorough
def test_units_supposed_elsewhere_change_what_the_enemy_can_do() -> None:
    report = asked_of_mlawa(**{"if": ["I/22@1933"]})
    assert columns_of(report) == [("1933", "3:1"), ("2332", "2:1")]
    assert [(move.subject, move.before, move.after) for move in report.result.supposed] == [("I/22", "1932", "1933")]
    changes = [
        (change.at, change.before and change.before.defence, change.after and change.after.defence)
        for change in report.result.changes
    ]
    assert changes == [("1932", 5, None), ("1933", 5, 6)], "of 2332 nothing else is known than before"
    still = asked_of_mlawa(march=False, **{"if": ["I/22@1933"]}).result
    assert [(change.at, change.after) for change in still.changes] == [("1932", None)]
    assert asked_of_mlawa(**{"if": ["I/22@1932"]}).result.supposed == (), "where it stands already"
    alone = asked_of_mlawa(at=["2332"], **{"if": ["I/22@1933"]})
    assert {at for at, _ in columns_of(alone)} == {"1933", "2332"}


@thorough
@pytest.mark.rule("6.0/attack")
def test_units_supposed_on_the_map_and_units_of_which_little_is_known() -> None:
    """A hex that holds such a unit, before or after, is none of which it is known what else can be done to it."""
    text = (EXAMPLES / "threat.pos").read_text("utf-8").replace("ask threat side=russian\n", "")

    def changes(more: str, move: str) -> list[tuple[str, int]]:
        report = ask(typed(text[text.index("game ") :] + more), "threat", **{"if": [move]})
        return [(change.at, change.after.defence) for change in report.result.changes]

    assert changes("XX/28 arrives=5\n", "XX/28@1933") == changes("1935: XX/28\n", "XX/28@1933") == [("1933", 10)]
    bare = ": russian infantry second Bare\n"
    there = ask(typed(f"{text[text.index('game ') :]}1933{bare}"), "threat", side="russian").result.hexes
    assert {threat.at for threat in there if threat.at_least} == {"1933"}
    assert changes(f"1935{bare}", "Bare@1933") == changes(f"1933{bare}", "Bare@1935") == []
    with pytest.raises(InputError, match="unit: XX/28 is in no hex of the map"):
        ask(typed(text[text.index("game ") :] + "XX/28 arrives=5\n"), "threat", unit=["XX/28"])


@pytest.mark.rule("6.0/attack")
@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"side": "russian", "unit": ["I/1"]}, "unit: I/1 is not of the Russian side"),
        ({"if": ["I/22"]}, "if: 'I/22' does not say which unit stands where"),
        ({"side": "russian", "if": ["I/1@1933"]}, "if: I/1 is not of the Russian side"),
        ({"if": ["I/22@1933", "I/22@1932"]}, "if: I/22 cannot stand in two hexes"),
        ({"if": ["I/22@1831"]}, "if: enemies stand in 1831"),
    ],
)
def test_whom_nobody_can_threaten_is_refused(asked: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=f"^{why}"):
        asked_of_mlawa(**asked)


@pytest.mark.rule("6.0/attack")
def test_without_a_side_hex_or_unit_it_is_asked_for() -> None:
    assert [due.name for due in asked_of_mlawa().asks] == ["side"]
