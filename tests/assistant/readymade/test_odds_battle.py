"""How near strengths are to other odds columns, and a table of which only the owner knows the cells."""

from __future__ import annotations

import pytest

from assistant.mechanics.effects import Result
from assistant.mechanics.odds import Odds, OddsColumns
from assistant.questions import View
from assistant.questions.what_if import next_column
from assistant.readymade.battle import odds_columns
from assistant.readymade.odds_battle import column_of, fight_of, near_columns
from assistant.util.errors import InputError

from ...conftest import answered, told, typed

ENDED = """game world-undone-east-prussia-1914
chart german-table 1:2- 1 = AE
chart german-table 3:1+ 2 = DE
"""
BEFORE = "5320: I/2 supply=in\n5420 clear: III/25 supply=in\n5320|5420 open\nphase=first-combat\n"


@pytest.mark.parametrize("first", [None, -2, 0])
@pytest.mark.parametrize("last", [None, 1, 3])
def test_how_near_other_columns_are_agrees_with_trying_one_point_after_the_other(
    first: int | None, last: int | None
) -> None:
    columns = OddsColumns(*(None if end is None else Odds(end) for end in (first, last)))
    for attack in range(1, 30):
        for defence in range(1, 12):
            found = near_columns(columns, attack, defence)
            if found.more is None:
                assert columns.of(attack, defence) == columns.of(10**6, defence) == columns.last
                assert found.column == ""
                continue

            def column(strength: int, defence: int = defence) -> Odds:
                return columns.of(strength, defence)

            assert found == next_column(column, attack)


def seen(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


@pytest.mark.parametrize(
    ("asked", "column", "attackers"),
    [("9:1", "3:1", ("I/2", "I/1")), ("1:6", "1:2", ("I/2",)), ("3:1", "3:1", ("I/2", "I/1"))],
)
def test_a_column_beyond_the_ends_that_the_owner_has_told_needs_what_the_end_needs(
    asked: str, column: str, attackers: tuple[str, ...]
) -> None:
    report = answered(typed(ENDED + BEFORE + "5320: I/1 supply=in\n"), "need", at="5420", column=asked)
    assert (report.result.column, report.title) == (column, f"Column {column} against 5420")
    assert report.result.plan.attackers == attackers


def test_odds_beyond_the_ends_that_the_owner_has_told_are_read_there() -> None:
    view = seen(ENDED)
    assert odds_columns(view, "german-table") == OddsColumns(Odds(-1), Odds(2))
    assert [column_of(view, "german-table", *pair) for pair in ((1, 9), (7, 5), (99, 2), (3, 0))] == [
        "1:2",
        "1:1",
        "3:1",
        "3:1",
    ]
    assert odds_columns(view, "russian-table") == OddsColumns()
    assert view.cell_key("german-table", "1:7", 9) == ("1:2-", 9)
    assert view.cell_key("german-table", "5:1", 2) == ("3:1+", 2)


def test_an_attack_on_no_hex_is_the_mistake_of_who_asks() -> None:
    with pytest.raises(InputError, match="at: no hex is named"):
        answered(typed(ENDED + "5320: I/2\n"), "battle", at=[])


def test_the_report_takes_no_missing_cell_for_a_result() -> None:
    report = answered(typed(ENDED + BEFORE), "battle", at=["5420"])
    cells = [ask.key for ask in report.asks if ask.kind == "cell"]
    assert cells == [("german-table", "1:1", die) for die in range(1, 7)]
    assert "1:1- or 1:1+, 1- or 1+ where it holds beyond" in next(
        ask.takes for ask in report.asks if ask.kind == "cell"
    )
    assert (report.result.chances, report.verdict.kind) == ((), "figure")
    assert "accept reconstruction" not in " ".join(told(report))  # there is none of this table


@pytest.mark.parametrize("effect", ["attacker:pays", "defender:pay", "defender", "attackers:all"])
def test_an_effect_that_no_result_has_is_not_taken_for_the_loss_of_all(effect: str) -> None:
    combat = answered(typed(ENDED + BEFORE), "battle", at=["5420"]).result.combat
    with pytest.raises(InputError, match="the effect '.*' of a result is unknown"):
        fight_of(combat, {"EX": Result("EX", "an exchange", (effect,))}, "6.4", lambda fought: ())
