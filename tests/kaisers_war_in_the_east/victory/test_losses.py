"""Victory Points of losses in combat, and those of a journal: the account of a side opened into its entries (5.0 to 5.2, 8.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import ask, read
from assistant.asking import InputError, MissingFacts
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.accounts import open_accounts
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.service import parse
from assistant.state.changes import Gain
from assistant.testing import typed
from kaisers_war_in_the_east.forces import formation
from kaisers_war_in_the_east.victory.points import Worth, eliminate_unit, judge_worth, worth_of

from ..examples import game


def price(arm: str, size: str, nation: str, side: str, effort: str = "main-effort=east", defence: int = 5) -> Worth:
    """What a loss means. effort: what is stated of the Main Effort."""
    position = typed(f"{effort}\n", game())
    with View(position.game, position.state).gather() as facts:
        return worth_of(facts, arm, size, nation, defence, side)


@pytest.mark.rule(
    "5.1",
    "VP-table/AL-HQ-army",
    "VP-table/AL-corps",
    "VP-table/AL-fortress",
    "VP-table/Bolshevik",
    "VP-table/other",
)
@pytest.mark.parametrize(
    ("arm", "size", "nation", "worth"),
    [
        ("headquarters", "XXXXX", "russian", (6, 0)),
        ("infantry", "XXXX", "russian", (6, 0)),
        ("cavalry", "XXX", "russian", (2, 0)),
        ("fortress", "-", "russian", (5, 5)),
        ("infantry", "XXX", "bolshevik", (1, 0)),
        ("supply", "-", "russian", (0, 0)),
        ("armoured-train", "-", "russian", (0, 0)),
        ("airbase", "-", "russian", (0, 0)),
        ("infantry", "X", "british", (0, 0)),
    ],
)
def test_losses_of_the_allies_cost_what_the_chart_says(
    arm: str, size: str, nation: str, worth: tuple[int, int]
) -> None:
    assert price(arm, size, nation, "allies") == worth
    assert price(arm, size, nation, "allies", "main-effort=west") == worth


@pytest.mark.rule(
    "5.1",
    "5.2",
    "8.1",
    "VP-table/CP-HQ-army",
    "VP-table/CP-abteilung",
    "VP-table/CP-corps",
    "VP-table/CP-fortress",
    "VP-table/CP-HQ-army-West",
    "VP-table/CP-abteilung-West",
    "VP-table/CP-corps-West",
    "VP-table/other",
)
@pytest.mark.parametrize(
    ("arm", "size", "east", "west"),
    [
        ("headquarters", "XXXXX", (6, 0), (9, 0)),
        ("infantry", "XXXX", (6, 0), (9, 0)),
        ("infantry", "abteilung", (4, 0), (6, 0)),
        ("shock", "XXX", (2, 0), (3, 0)),
        ("fortress", "-", (5, 5), (5, 5)),
        ("supply", "-", (0, 0), (0, 0)),
    ],
)
def test_losses_of_the_central_powers_are_dearer_while_their_main_effort_is_west(
    arm: str, size: str, east: tuple[int, int], west: tuple[int, int]
) -> None:
    assert price(arm, size, "german", "central-powers") == east
    assert price(arm, size, "german", "central-powers", "main-effort=west") == west


@pytest.mark.rule("5.1", "5.2", "VP-table/AL-fortress", "VP-table/CP-fortress", "VP-table/Bolshevik")
def test_the_defence_factor_of_a_fortress_alone_is_asked_for() -> None:
    text = """main-effort=east
2418: russian fortress - Fort (?-7-?), russian infantry XXXX Army, bolshevik infantry XXX Red
2420: german fortress - Bare (?-?-?), german infantry XXX Corps
"""
    position = typed(text, game())
    view = View(position.game, position.state)

    def reckon_worth(name: str, side: str) -> Worth:
        with view.gather() as facts:
            return judge_worth(facts, formation(facts, view.unit(name), fights=False), side)

    assert (reckon_worth("Fort", "allies"), reckon_worth("Army", "allies")) == ((7, 7), (6, 0))
    assert (reckon_worth("Red", "allies"), reckon_worth("Corps", "central-powers")) == ((1, 0), (2, 0))
    with pytest.raises(MissingFacts) as missing:
        reckon_worth("Bare", "central-powers")
    assert [ask.key for ask in missing.value.asks] == [("defence", "Bare")]


@pytest.mark.rule("8.0", "8.1")
@pytest.mark.parametrize(("turn", "points"), [(1, 9), (4, 9), (5, 6), (13, 6), (14, 9)])
def test_the_turn_tells_the_main_effort_of_its_year(turn: int, points: int) -> None:
    assert price("infantry", "XXXX", "german", "central-powers", f"turn={turn}").loss == points


def lost(
    unit: str, text: str = "side allies vp=20\nside central-powers vp=30\n", side: str = "allies"
) -> list[tuple[str, str, object]]:
    """What changes as a unit of a side is eliminated: 6 Victory Points lost, and 4 scored by the enemy."""
    position = typed(f"2418: {unit}\n{text}", game())
    view = View(position.game, position.state)
    with view.gather() as facts:
        one = formation(facts, next(iter(view.units())), fights=False)
    return [
        (change.track, change.subject, getattr(change, "after", getattr(change, "amount", None)))  # type: ignore[union-attr]
        for change in eliminate_unit(view, one, side, Worth(6, 4), "14.15")
    ]


@pytest.mark.rule("5.1", "9.10", "14.15")
@pytest.mark.parametrize(
    ("unit", "box"),
    [("Rus-1 (6-6-4)", "Available"), ("Rus-inf-1 (3-3-4)", "Dead Pile"), ("Rus-SW (2-2-3)", "Dead Pile")],
)
def test_armies_go_where_they_can_be_formed_again_and_others_to_the_dead(unit: str, box: str) -> None:
    name = unit.partition(" ")[0]
    assert lost(unit) == [("place", name, box), ("vp", "allies", -6), ("vp", "central-powers", 4)]


@pytest.mark.rule("5.1", "9.10", "14.15")
def test_points_change_where_something_is_lost_and_they_are_counted_as_are_corps() -> None:
    assert lost("Rus-1 (6-6-4)", "") == [("place", "Rus-1", "Available")]
    german = lost("Ger-8 (8-8-4)", side="central-powers")
    assert german[1:] == [("vp", "central-powers", -6), ("vp", "allies", 4)]
    assert lost("Rus-1 (6-6-4)", "side central-powers vp=3") == [
        ("place", "Rus-1", "Available"),
        ("vp", "central-powers", 4),
    ]
    position = typed("2418: Rus-1 (6-6-4)\nside allies vp=20\nside central-powers vp=30\n", game())
    view = View(position.game, position.state)
    with view.gather() as facts:
        one = formation(facts, next(iter(view.units())), fights=False)
    assert len(list(eliminate_unit(view, one, "allies", Worth(0, 0), "14.15"))) == 1
    spare = "nation russian spare-corps=2\n"
    assert lost("Rus-inf-1 (3-3-4)", spare) == [("place", "Rus-inf-1", "Dead Pile"), ("spare-corps", "russian", 1)]
    assert lost("Rus-1 (6-6-4)", spare) == [("place", "Rus-1", "Available")]


@pytest.mark.rule("8.0", "8.1", "Opt/Moltke")
@pytest.mark.parametrize(("turn", "points"), [(1, 6), (4, 6), (5, 9), (13, 9)])
def test_by_the_moltke_plan_the_main_effort_is_in_the_east_in_1914_alone(turn: int, points: int) -> None:
    stated = f"turn={turn}\noptions=moltke-plan"
    assert price("infantry", "XXXX", "german", "central-powers", stated).loss == points
    assert price("infantry", "XXXX", "german", "central-powers", stated + "\nmain-effort=west").loss == 9


@pytest.mark.rule("8.0", "8.1", "5.2", "VP-table/CP-fortress", "VP-table/other", "5.1")
def test_the_turn_or_what_is_never_dearer_tells_the_main_effort() -> None:
    assert price("fortress", "-", "german", "central-powers", "") == (5, 5)
    assert price("supply", "-", "german", "central-powers", "") == (0, 0)
    with pytest.raises(MissingFacts) as missing:
        price("infantry", "XXXX", "german", "central-powers", "")
    assert [ask.key for ask in missing.value.asks] == [("turn", "")]
    assert price("infantry", "abteilung", "german", "central-powers") == (4, 0)
    with pytest.raises(InputError, match="lists no Allied Abteilung"):
        price("infantry", "abteilung", "russian", "allies")


@pytest.mark.rule("5.6", "5.1")
@pytest.mark.parametrize(
    ("stands", "revolution", "gain"),
    [(93, 0, 5), (94, 0, 5), (95, 0, 4), (99, 0, None), (22, 1, 3), (25, 1, None), (8, 2, 2)],
)
def test_what_a_fortress_brings_goes_no_farther_than_the_track(stands: int, revolution: int, gain: int | None) -> None:
    position = typed(f"2418: Ger-8 (8-8-4)\nside allies vp={stands}\nrevolution={revolution}\n", game())
    view = View(position.game, position.state)
    with view.gather() as facts:
        one = formation(facts, next(iter(view.units())), fights=False)
    found = [
        change.amount
        for change in eliminate_unit(view, one, "central-powers", Worth(5, 5), "14.15")
        if isinstance(change, Gain)
    ]
    assert found == ([gain] if gain else [])


GAME = "kaisers-war-in-the-east"
BEGIN = f"""game {GAME}
turn=2 scenario=1914 main-effort=west
side allies vp=80
side central-powers vp=65
2418 city objective country=russia control=allies
2622 city objective country=austria-hungary control=central-powers
"""


@pytest.fixture
def file(tmp_path: Path) -> JournalFile:
    path, game = tmp_path / "east.journal", load_game(GAME)
    create(path, write_head(game, Position(game, parse(BEGIN).state), ""))
    return JournalFile(path, load_game)


def points(file: JournalFile) -> dict[str, int]:
    return {score.side: score.points for score in ask(read(str(file.file)), "victory").result.scores}


def opened(file: JournalFile, side: str) -> list[tuple[int, int, str]]:
    """Of each posting its entry, amount and rule."""
    (account,) = open_accounts(file.read(), "vp", side)
    return [(row.entry, row.amount, row.rule) for row in account.rows]


@pytest.mark.rule("5.0", "5.3", "5.4")
def test_the_account_of_a_side_opens_into_what_it_took_lost_and_scored_by_turn(file: JournalFile) -> None:
    file.add("answer capture at=2622 side=allies")
    file.add("answer victory when=turn-end")
    assert opened(file, "allies") == [(1, 5, "5.3"), (2, 6, "5.4")]
    assert opened(file, "central-powers") == [(1, -10, "5.3")]
    assert points(file) == {"allies": 91, "central-powers": 55}
    file.add("strike 1")
    assert opened(file, "central-powers") == [] and points(file)["central-powers"] == 65
