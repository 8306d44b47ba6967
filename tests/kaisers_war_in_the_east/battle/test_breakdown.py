"""Every army of the roster, broken down in every way that the rules know: each corps that a report announces stands on the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assistant import service
from assistant.asking.report import Report
from assistant.state.changes import Change, Enter
from assistant.testing import game_in, typed

from ...cases import few
from ...conftest import told

GAME = game_in("kaisers-war-in-the-east")
ARMIES = {
    name: row["nation"][0].value
    for name, row in GAME.roster.items()
    if "size" in row and row["size"][0].value in ("XXXX", "abteilung") and row["nation"][0].value != "romanian"
}
"""The armies that break down, with their nations."""
DICE = {"DD": ("standard", 4), "DP": ("shock", 3), "BB": ("standard", 2), "ST": ("standard", 1), "AD": ("standard", 1)}
"""The results that break an army down, with table and die at the odds below; by the last one it attacks itself."""
POSITION = """turn=22 main-effort=east
chart turn-record 22 = winter
chart terrain-attrition winter clear = yes
chart reorganization austro-hungarian infantry-army = 3
chart reorganization bulgarian infantry-army = 2
side allies whole-network
side central-powers whole-network
2620 clear: {army} (12-12-4)
2621 clear: {enemy} shock XXX Foe (36-12-4)
2620|2621 open
"""


class Broken(NamedTuple):
    """An army that has broken down: the position before, the report, and the corps that the report announces."""

    before: Any
    report: Report[Any]
    corps: tuple[str, ...]


def broken(army: str, way: str, more: str = "") -> Broken:
    """An army that breaks down in 2620: by a result of combat, by its owner's will, or by supply attrition."""
    enemy = "german" if ARMIES[army] == "russian" else "russian"
    position = typed(POSITION.format(army=army, enemy=enemy) + more, GAME)
    if way == "reorganize":
        report = service.ask(position, way, **{"break": army})
        return Broken(position, report, report.result.into)
    if way == "attrition":
        report = service.ask(position, way, unit=[army], answers={f"attrition.{army}": "1"})
        return Broken(position, report, report.result.units[0].into)
    table, die = DICE[way]
    lost = "german" if army == "Sud" else "corps"
    answers = {"die": str(die)} | ({"defender.one": f"{army}:{lost}"} if way == "ST" else {})
    asked = {"at": "2621" if way == "AD" else "2620", "table": table}
    while (report := service.ask(position, "battle", **asked, answers=answers)).asks:
        answers |= {one.name: one.options[0] if one.options else "2" for one in report.asks}
    assert report.result.outcome == way
    return Broken(position, report, next(one.into for one in report.result.lost if one.unit == army))


def after(made: Broken, folder: Path) -> Any:
    """The position that the report leads to, written to a file and read again."""
    service.write(made.before.after(made.report.changes), folder / "after.pos")
    return service.read(folder / "after.pos")


@few(40)
@pytest.mark.rule("10.1", "14.16", "17.8", "21.1")
@pytest.mark.parametrize("way", [*DICE, "reorganize", "attrition"])
@pytest.mark.parametrize("army", ARMIES)
def test_every_corps_that_is_announced_stands_where_the_army_stood(army: str, way: str, tmp_path: Path) -> None:
    made = broken(army, way)
    number = {"bulgarian": 2, "german": 3 if GAME.roster[army]["size"][0].value == "XXXX" else 2}.get(ARMIES[army], 3)
    assert len(made.corps) == number - (way == "ST")
    then = after(made, tmp_path)
    assert {unit.id for unit in then.state.units.values() if unit.place == "2620"} == {*made.corps}
    assert then.state.units[army].place == "Available"
    if way in ("AD", "DD", "DP"):
        assert made.report.result.retreating == made.corps
        assert {*made.report.result.panic} == ({*made.corps} if way == "DP" else set())
        retreat = service.ask(then, "retreat", units=made.corps, hexes=1)
        assert retreat.verdict.text.startswith("open hexes: ")


@pytest.mark.rule("14.16", "14.15", "10.1", "5.1")
def test_all_that_changes_as_an_army_breaks_down() -> None:
    made = broken("AH-3", "DD", "side central-powers vp=30\n")
    corps = ("AH-inf-1", "AH-inf-2", "AH-inf-3")
    said = (("nation", "austro-hungarian"), ("arm", "infantry"), ("size", "XXX"))
    described = [[Change(track, name, None, value, "14.16") for track, value in said] for name in corps[1:]]
    assert made.report.changes == (
        Change("place", "AH-3", "2620", "Available", "14.16"),
        Enter("AH-inf-1", "AH-inf-1", "2620", 0, "14.16"),
        Enter("AH-inf-2", "AH-inf-2", "2620", 0, "14.16"),
        *described[0],
        Enter("AH-inf-3", "AH-inf-3", "2620", 0, "14.16"),
        *described[1],
        Change("fought", "Foe", None, True, "14.4"),
        Change("attacked", "2620", None, True, "14.4"),
        Change("combat-result", "2620", None, "DD", "16.2"),
        Change("follows", "Foe", None, "2620", "16.0"),
        *(Change("owes", name, None, 1, "15.0") for name in corps),
    )


@pytest.mark.rule("14.16")
@pytest.mark.parametrize("spare", range(4))
def test_no_more_corps_than_are_counted_and_each_of_them_once(spare: int, tmp_path: Path) -> None:
    made = broken("AH-3", "DD", f"nation austro-hungarian spare-corps={spare}\n")
    assert made.corps == ("AH-inf-1", "AH-inf-2", "AH-inf-3")[:spare]
    then = after(made, tmp_path)
    assert then.state.value("spare-corps", "austro-hungarian") == 0
    again = typed(
        service.notation(then).replace(" owes=1", "") + "2822 clear: AH-4 (1-12-4)\n2823 clear: Rus-2 (36-12-4)\n", GAME
    )
    second = service.ask(again, "battle", at="2822", answers={"die": "4"})
    assert second.result.lost[0].into == ()


@pytest.mark.rule("14.16", "5.1")
def test_a_corps_that_is_lost_at_once_is_none_of_those_that_stay() -> None:
    made = broken("AH-3", "ST")
    lost = next(one for one in made.report.result.lost if one.unit == "AH-3")
    assert (lost.corps, lost.corps_lost, lost.points) == (2, 1, 2)
    text = "AH-3 breaks down into 2 corps: AH-inf-2, AH-inf-3; one further corps is eliminated at once: 2 Victory Points lost"
    assert text in told(made.report)
