"""The report on a set-up: what the scenario begins with, where its units are, and what is to be stated or placed."""

from __future__ import annotations

from assistant.asking import step
from assistant.rules.setups import Deployed, Instruction, check_set_up, set_up, units_left_out
from assistant.state.changes import Change, Enter

from ...conftest import told, viewed

TOLD = [Instruction("East", "central-powers", name, "26.1", at="Thorn") for name in ("1/1", "36/17")]


def test_what_is_right_what_is_missing_and_what_is_too_much() -> None:
    view = viewed("turn=1\n30.20: 1/1\n33.25: 25/3\n")
    units = check_set_up(view, TOLD, lambda facts, one, at: [])
    found = Deployed(scenario="East", units=units, extra=units_left_out(view, TOLD))
    begins = {("turn", ""): 1, ("campaign", ""): True}
    report = set_up(
        view,
        found,
        TOLD,
        begins,
        [step("3.1", "it ends with turn 9")],
        named={"Thorn": "30.20"}.get,
        rule="3.0",
        placing_rule="3.2",
    )
    assert report.title == "Set-up of East"
    assert told(report, "Scenario") == ["it ends with turn 9"]
    assert told(report, "Not in this set-up") == ["25/3"]
    assert report.changes == (
        Change("campaign", "", None, True, "3.0"),
        Enter("36/17", "36/17", "30.20", 1, "26.1"),
    )
    assert report.result is found
