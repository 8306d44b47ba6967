"""The question `threat`: each figure against what `battle` and `supply` say themselves (11, 12, 14, 17)."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.service import ask, read

from ...cases import few, seeds
from ...conftest import typed
from ...threatening import assaults, at_attack, prove_by_dice, prove_columns, prove_supply, threats

EXAMPLES = Path(__file__).parents[3] / "plugins/kaisers_war_in_the_east/examples"
GAME = "game kaisers-war-in-the-east\n"
CENTRAL = ("AH-3", "AH-4", "Ger-8", "AH-inf-1", "Ger-inf-2", "AH-2")
ALLIED = ("Rus-1", "Rus-2", "Rus-3", "Rus-8", "Rus-inf-1", "Rus-inf-2")


HELPED = """elsewhere clear open no-rail country=russia city=no
2620: AH-4 (9-5-4)
2621: Rus-2 (9-9-4)
2622: Rus-W (6-2-2) radius=2, Allied-supply-1 radius=3 declared
"""
"""An army that a Headquarters and a supply unit support."""


def front(seed: int) -> str:
    """A random front on typed ground: a supply unit and a Headquarters for each side."""
    random = Random(f"kaiser {seed}")
    board = typed(f"{GAME}turn=1\n2620: AH-3 (9-9-4)\n").game.board("")
    around = sorted({hex for near in board.neighbours("2620") for hex in board.neighbours(near)} | {"2620"})
    lines = [
        f"scenario=1914 turn={random.choice([1, 3, 7])} main-effort=west phasing={random.choice(['allies', 'central-powers'])}"
    ]
    lines[0] += f" phase={random.choice(['movement', 'first-combat', 'attrition'])}"
    lines += [f"{hex} {random.choice(['clear', 'clear', 'rough', 'mountain'])} country=russia" for hex in around]
    pairs = {tuple(sorted((one, other))) for one in around for other in board.neighbours(one) if other in around}
    lines += [f"{one}|{other} {random.choice(['open', 'open', 'open', 'river'])}" for one, other in sorted(pairs)]
    places = random.sample(around, 10)
    for names, hexes, extra in (
        (CENTRAL, places[:5], "CP-supply-1 radius=3"),
        (ALLIED, places[5:], "Allied-supply-1 radius=3"),
    ):
        for name, hex in zip(random.sample(names, 4), hexes, strict=False):
            lines.append(f"{hex}: {name} ({random.randint(3, 14)}-{random.randint(4, 14)}-{random.randint(2, 5)})")
        lines.append(f"{hexes[4]}: {extra}")
    for season in ("summer", "winter"):
        lines += [
            f"chart terrain-cost {season} {ground} = {cost}"
            for ground, cost in (("rough", 2), ("mountain", 3), ("river", 1))
        ]
        lines += [
            f"chart terrain-defence {season} {ground} = {times}"
            for ground, times in (("rough", 1), ("mountain", 2), ("river", 2))
        ]
        lines.append(f"chart terrain-defence {season} city = 1")
    lines += ["nation russian spare-corps=3", "nation austro-hungarian spare-corps=3", "nation german spare-corps=3"]
    lines += [
        f"chart reorganization {kind}-army = 3"
        for kind in ("austro-hungarian infantry", "german infantry", "russian infantry")
    ]
    return GAME + "\n".join(lines) + "\n"


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_every_figure_is_that_of_battle_on_random_fronts(seed: int) -> None:
    position = typed(front(seed))
    for side in position.game.file.sides:
        result = threats(position, side)
        if result is not None:
            prove_by_dice(position, result, "first-combat")
            for _, assault in assaults(result):
                there = at_attack(position, result, assault, "first-combat")
                for approach in assault.approaches:
                    assert not ask(there, "stack", at=[approach.to]).result.stacks[0].too_many


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_each_column_is_that_of_battle_and_need_on_random_fronts(seed: int) -> None:
    position = typed(front(seed))
    for side in position.game.file.sides:
        if (result := threats(position, side, march=False)) is not None:
            prove_columns(position, result, "first-combat")


def test_a_headquarters_and_supply_units_support_the_worst_attack_and_are_named() -> None:
    position = typed(f"{GAME}turn=1 phase=first-combat phasing=allies\n" + HELPED)
    report = ask(position, "threat", side="central-powers")
    (threat,) = report.result.hexes
    assert prove_columns(position, report.result, "first-combat") == len(threat.columns) > 2
    assert threat.columns[0].support == () and threat.columns[-1].support == ("Rus-W", "Allied-supply-1")
    assert "Rus-2 with Rus-W and Allied-supply-1" in str(report)
    report = ask(read(EXAMPLES / "threat.pos"))
    threat = report.result.hexes[0]
    assert threat.worst.battle["hq"] == "Rus-SW"
    assert threat.coming.approaches
    told = [step.text for part in report.parts for step in part.steps]
    for attack, words in (("standing", "from where they stand"), ("coming", "with those that come, at least")):
        number = sum(getattr(threat, attack) is not None for threat in report.result.hexes)
        assert number == sum(words in line for line in told), words


def supplied(report: Report[Any]) -> dict[str, str]:
    """The supply of each unit of a report, in words."""
    return {unit.unit: "supplied" if unit.supplied else "not supplied" for unit in report.result.units}


@few(1)
@pytest.mark.parametrize("seed", seeds(30))
def test_supply_that_can_be_cut_is_what_supply_says_then(seed: int) -> None:
    position = typed(front(seed))
    for side in position.game.file.sides:
        result = threats(position, side)
        if result is not None:
            prove_supply(position, result, supplied)


@few(3)
@pytest.mark.parametrize("example", ["battle", "lemberg", "questions", "supply", "threat"])
def test_every_figure_is_that_of_battle_in_the_examples(example: str) -> None:
    position = read(EXAMPLES / f"{example}.pos")
    for side in position.game.file.sides:
        result = threats(position, side)
        if result is not None:
            prove_by_dice(position, result, "first-combat")


def test_a_chart_cell_that_chances_need_is_asked_for() -> None:
    text = (EXAMPLES / "threat.pos").read_text()
    text = text[text.index("game ") :].replace("chart reorganization austro-hungarian infantry-army = 3\n", "")
    report = ask(typed(text), "threat")
    assert any(threat.worst and threat.worst.chances is None for threat in report.result.hexes)
    assert [each.how for each in report.asks] == ["chart reorganization austro-hungarian infantry-army = corps"]
