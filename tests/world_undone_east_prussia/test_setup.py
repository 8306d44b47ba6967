"""The question `setup`: what stands right, what is missing, and what variants and options change (9)."""

from __future__ import annotations

import pytest

from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game
from assistant.rules.setup_question import read_set_up
from assistant.state.changes import Enter

from ..conftest import ruled, told, values
from .asking import GAME, undone


def entering(report: object) -> dict[str, str]:
    """The units that a report places, each with its hex."""
    return {one.unit: one.place for one in report.changes if isinstance(one, Enter)}  # type: ignore[attr-defined]


@pytest.mark.rule("9.1", "9.1.1", "9.1.2", "9.4/set-up", "10.6/general")
@pytest.mark.parametrize(("name", "units", "first"), [("historical", 48, 1), ("masurian-lakes", 37, 19)])
def test_an_empty_position_becomes_the_set_up(name: str, units: int, first: int) -> None:
    game = load_game(GAME)
    report = undone(f"scenario={name}", "setup")
    assert len(entering(report)) == units
    empty = read_notation(f"game {GAME}\nscenario={name}".encode(), "empty.pos", load_game)
    after = apply_changes(game, empty.state, report.changes)
    printed = read_set_up(game, name)
    assert {unit.id: unit.place for unit in after.units.values()}.items() <= {
        unit.id: unit.place for unit in printed.units.values()
    }.items()
    assert View(game, after).integer("turn") == first
    again = undone(
        (game.folder / "setups" / f"{name}.pos").read_text("utf-8").partition("\ngame")[2].partition("\n")[2], "setup"
    )
    assert {unit.status for unit in again.result.units} == {"right"}


@pytest.mark.rule("9.1.1", "9.1.2")
def test_what_is_misplaced_is_named_and_what_is_too_much_too() -> None:
    report = undone("scenario=historical\n5418: I/1\n4608: XXVI/53", "setup")
    (wrong,) = (unit for unit in report.result.units if unit.status == "misplaced")
    assert (wrong.unit, wrong.place, wrong.where) == ("I/1", "5418", "5319")
    assert (report.verdict.kind, report.result.extra) == ("no", ("XXVI/53",))
    german = undone("scenario=historical\n5418: I/1\n4608: XXVI/53", "setup", side="german")
    assert ({unit.side for unit in german.result.units}, german.result.extra) == ({"german"}, ())


@pytest.mark.rule("9.2.1/setup", "9.2.1/first-turn")
def test_the_schlieffen_plan_leaves_the_german_corps_in_the_west() -> None:
    report = undone("scenario=historical\nvariants=schlieffen", "setup")
    placed = entering(report)
    assert {"XX/37", "XX/41", "XVII/36", "XVII/35"}.isdisjoint(placed)
    assert {"XX/28", "XX/29"} <= placed.keys()  # the Russian XX Corps
    assert len(placed) == 44
    changes = values(report)
    assert changes["awarded", "german"] == 50
    assert (changes["phase", ""], changes["phasing", ""]) == ("first-movement", "german")
    assert ruled(report, "schlieffen-corps") == "xvii"
    only = undone("scenario=historical\nvariants=schlieffen\nruling schlieffen-corps = xx", "setup")
    assert len(entering(only)) == 46
    assert ruled(undone("scenario=historical", "setup"), "schlieffen-corps") == ""
    plain = values(undone("scenario=historical", "setup"))
    assert ("awarded", "german") not in plain
    assert plain["phase", ""] == "second-movement"


@pytest.mark.rule("9.4/set-up", "9.4/turns", "10.6/general", "10.0", "9.3")
def test_headquarters_and_the_ninth_army_are_there_only_with_their_rules() -> None:
    assert {"8A/H-L", "1A/Renn"}.isdisjoint(entering(undone("scenario=masurian-lakes", "setup")))
    both = undone("scenario=masurian-lakes\noptions=german-headquarters+russian-headquarters", "setup")
    assert (entering(both)["8A/H-L"], entering(both)["1A/Renn"]) == ("3521", "4916")
    one = entering(undone("scenario=masurian-lakes\noptions=russian-headquarters", "setup"))
    assert "1A/Renn" in one
    assert "8A/H-L" not in one
    assert values(both)["fixed", "8A/41KB"] is True
    said = told(undone("scenario=historical\noptions=german-headquarters", "setup"), "Scenario")
    assert any("Prittwitz begins in Königsberg" in line for line in said)
    text = "scenario=historical\nvariants=ninth-army\nturn=2\nG/1 russian infantry second (6-2) arrives=2"
    said = told(undone(text, "setup"), "Scenario")
    assert any("Ninth Army" in line and "arrives=2" in line for line in said)
    turn = undone(text, "turn")
    assert turn.result.players[0].units == ("G/1",)
    assert any("Ninth Army" in line for line in told(turn, "First Player Turn: Russian"))
    without = text.replace("variants=ninth-army\n", "")
    assert not any("Ninth Army" in line for line in told(undone(without, "setup"), "Scenario"))
    assert not any("Ninth Army" in line for line in told(undone(without, "turn"), "First Player Turn: Russian"))


@pytest.mark.rule("9.4/turns", "9.1")
def test_a_scenario_states_its_turns_and_is_asked_for() -> None:
    assert any("turns 1 to 26" in line for line in told(undone("scenario=historical", "setup"), "Scenario"))
    assert any("turns 19 to 26" in line for line in told(undone("scenario=masurian-lakes", "setup"), "Scenario"))
    report = undone("turn=3", "setup")
    assert [(ask.name, ask.options) for ask in report.asks] == [("scenario", ("historical", "masurian-lakes"))]
    assert undone("turn=3", "setup", scenario="historical").result.scenario == "historical"


def test_a_ruling_is_one_line_of_a_report() -> None:
    rulings = load_game(GAME).rulings
    assert len(rulings) == 18
    for name, ruling in rulings.items():
        for reading, meaning in ruling.readings.items():
            assert len(f"  {ruling.rule}  {ruling.doubt}: {meaning} (ruling {name}={reading})") <= 100
