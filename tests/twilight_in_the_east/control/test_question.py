"""Who controls a hex, and the Front Line of a position (4.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ...conftest import answered, rulings, typed

GERMAN, RUSSIAN = "german infantry XX {} army=Eighth", "russian infantry XX {} army=First"
POSITION = "\n".join(
    [
        *(f"42.{row}: {GERMAN.format(f'G{row}')}" for row in (18, 20, 22)),
        f"45.20: {GERMAN.format('reserve')}",
        f"40.20: {RUSSIAN.format('R')}",
        "37.20: russian corps-train - T army=First",
        "46.20: german corps-train - U army=Eighth",
    ]
)
LINE = ("42.18", "42.19", "42.20", "42.21", "42.22")


def asked(more: str = "", **parameters: Any) -> Report[Any]:
    return answered(typed(f"{POSITION}\n{more}"), "control", **parameters)


def lines(report: Report[Any]) -> dict[str, tuple[str, ...]]:
    return {front.army: front.hexes for front in report.result.fronts}


@pytest.mark.rule("4.3.1")
def test_the_front_lines_of_both_sides() -> None:
    report = asked()
    assert lines(report) == {"central-powers Eighth": LINE, "russian First": ("40.20",)}
    assert report.verdict.text == "in the front: central-powers Eighth, russian First"
    assert "central-powers Eighth, a proposal: 42.18, 42.19" in report.parts[0].steps[0].text
    assert list(lines(asked(armies="russian First"))) == ["russian First"]


@pytest.mark.rule("4.3.1")
def test_what_the_players_agree_on_comes_before_a_proposal() -> None:
    report = asked('army "central-powers Eighth" front="42.18-42.23"')
    (front, _) = report.result.fronts
    assert (front.agreed, front.units, front.hexes[-1]) == (True, ("42.18", "42.20", "42.22"), "42.23")
    assert report.parts[0].steps[0].text.startswith("central-powers Eighth, as agreed: 42.18")


@pytest.mark.rule("4.3")
def test_who_controls_a_hex() -> None:
    report = asked("44.22 control=russian\n30.30 control=russian", at="42.20,44.20,44.22,30.30")
    found = [(one.hex, one.side, one.why) for one in report.result.hexes]
    assert found == [
        ("42.20", "central-powers", "its troops stand there"),
        ("44.20", "central-powers", "it lies behind its Front Line"),
        ("44.22", "russian", "as recorded"),
        ("30.30", "russian", "as recorded"),
    ]
    told = [step.text for step in report.parts[0].steps]
    assert told[2].endswith(
        "it lies wholly behind the Front Line of central-powers Eighth, and if you accept that line, the hex is theirs"
    )
    assert told[3] == "30.30: russian, as recorded"
    assert report.verdict.text == "of 4 hexes asked about, control is known for 4"


@pytest.mark.rule("4.3", "4.3b")
@pytest.mark.parametrize(
    ("reading", "found"),
    [
        ("recorded", ("russian", "as recorded")),
        ("front", ("central-powers", "it lies behind its Front Line")),
    ],
)
def test_whether_the_record_or_the_front_line_decides_is_a_ruling(reading: str, found: tuple[str, str]) -> None:
    more = (
        f"44.22 control=russian\n44.20 control=central-powers\n30.30 control=russian\nruling behind-the-front={reading}"
    )
    report = asked(more, at="44.22")
    assert ((report.result.hexes[0].side, report.result.hexes[0].why), rulings(report)) == (found, ["behind-the-front"])
    more += "\n45.20 control=russian"
    for hex, side in (
        ("44.20", "central-powers"),
        ("43.20", "central-powers"),  # nothing is recorded
        ("45.20", "central-powers"),  # the reserve stands there
        ("30.30", "russian"),
        ("42.20", "central-powers"),
    ):
        other = asked(more, at=hex)
        assert (other.result.hexes[0].side, rulings(other)) == (side, [])
    left = asked(more, at="44.22", vacated="44.22")
    assert (left.result.hexes[0].side, rulings(left)) == ("russian", [])


@pytest.mark.rule("4.3", "4.3.1")
def test_isolated_units_are_no_part_of_the_front_line() -> None:
    text = "42.28: german infantry XX I army=Eighth supply=out\n40.28: russian infantry XX S army=First"
    report = asked(text)
    assert "42.28" in lines(report)["central-powers Eighth"]
    assert "I are Out of Supply and count for the Front Line" in report.parts[-1].steps[0].text
    report = asked(text, isolated="I", at="42.28")
    assert lines(report)["central-powers Eighth"] == LINE
    assert report.result.hexes[0].side == "central-powers"
    before = "41.20: german infantry XX I army=Eighth supply=out"
    assert "42.20" not in lines(asked(before))["central-powers Eighth"]
    assert lines(asked(before, isolated="I"))["central-powers Eighth"] == LINE, "it screens nobody"


@pytest.mark.rule("4.3", "4.3b")
def test_a_hex_of_which_nothing_is_known_and_one_left_by_a_retreat() -> None:
    report = asked(at="30.30,42.19")
    told = [step.text for step in report.parts[0].steps]
    assert told[0] == "30.30: no troops stand there, no control is recorded, and it lies behind no Front Line"
    assert told[1].endswith("it lies on the Front Line of central-powers Eighth, not behind it")
    assert report.verdict.text == "of 2 hexes asked about, control is known for 0"
    assert [ask.how for ask in report.asks] == [f"{hex} control=central-powers|russian" for hex in ("30.30", "42.19")]
    behind = asked(at="44.20").result.hexes[0]
    assert (behind.side, behind.behind) == ("central-powers", ("central-powers Eighth",))
    left = asked("44.20 control=russian", at="44.20", vacated="44.20").result.hexes[0]
    assert (left.side, left.why, left.behind) == ("russian", "as recorded", ())
    assert asked(at="44.20", vacated="44.20").result.hexes[0].side == ""


@pytest.mark.rule("4.3")
def test_the_record_is_brought_up_to_date_where_troops_stand() -> None:
    report = asked("42.20 control=russian\n40.20 control=russian", at="42.20,40.20,42.18")
    changes = [(change.subject, change.before, change.after) for change in report.changes]
    assert changes == [("42.18", None, "central-powers"), ("42.20", "russian", "central-powers")]
    everywhere = [change.subject for change in asked().changes]
    assert everywhere == ["42.18", "42.20", "42.22", "45.20", "40.20"]


@pytest.mark.rule("4.3")
def test_with_hidden_units_the_record_does_not_tell_where_there_are_troops() -> None:
    dummies = "30.20: russian dummy - Rumour movement=6\n31.20: russian dummy - Bait movement=6\n"
    dummies += "31.20 control=central-powers\n46.20 control=russian"
    for option in ("caps", "concealment"):
        report = asked(f"hidden-units={option}\n{dummies}")
        changes = [(change.subject, change.after) for change in report.changes if change.subject not in LINE]
        assert changes == [
            ("45.20", "central-powers"),
            ("30.20", "russian"),
            ("37.20", "russian"),
            ("40.20", "russian"),
        ]
        assert [change.subject for change in asked(f"hidden-units={option}\n{dummies}", at="30.20").changes] == [
            "30.20"
        ]
    changes = asked(f"hidden-units=on-map\n{dummies}").changes
    assert [change.subject for change in changes if change.subject not in LINE] == ["45.20", "40.20"]


def test_a_line_that_enemies_leave_no_way() -> None:
    around = "\n".join(
        f"{hex}: russian infantry XX W{hex}" for hex in ("42.30", "41.30", "41.31", "42.32", "43.30", "43.31")
    )
    report = asked(f"{around}\n42.31: german infantry XX S army=Eighth")
    (front, _) = report.result.fronts
    assert front.gaps == ("42.22 and 42.31",)
    assert "enemies leave no room for the line between 42.22 and 42.31" in report.parts[0].steps[1].text


def test_an_army_without_a_source_on_the_map() -> None:
    text = "42.20: german infantry XX G army=Eighth\n40.20: russian infantry XX R army=First"
    report = answered(typed(text), "control")
    granted = report.parts[-1].steps[0].text
    assert granted.startswith("no supply source of central-powers Eighth, russian First is on the map")


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"armies": "Eighth"}, "army: no 'Eighth' in this position"),
        ({"isolated": "nobody"}, "unknown unit 'nobody'"),
    ],
)
def test_what_cannot_be_asked(parameters: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(**parameters)


def test_a_position_with_one_side_only() -> None:
    report = answered(typed("42.20: german infantry XX G army=Eighth"), "control")
    assert (report.result.fronts, report.verdict.text) == ((), "in the front: none")
