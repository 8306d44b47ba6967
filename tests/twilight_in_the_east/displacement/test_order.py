"""In which order a move goes on that makes units displace and lets cavalry react (9.1.2, 9.5.1, 9.8.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.installed.registry import load_game
from twilight_in_the_east.displacement.reaction import order_steps
from twilight_in_the_east.entering.obligations import has_to_leave

from ...conftest import GAME, answered, told, typed, viewed

ANNOUNCED = (
    "{hex}: stop here and announce that a unit is adjacent to {cavalry}; its owner says at once whether it reacts, "
)
ANNOUNCED += "and it moves its one hex before the move goes on"


@pytest.mark.rule("9.1.2", "9.5.1b", "9.8.1c")
@pytest.mark.parametrize(
    ("cavalry", "displacing", "said"),
    [
        (
            [],
            {"M": "minor-depot", "G": "artillery", "D": "major-depot", "H": "artillery"},
            [
                ("9.5.1", "41.19: G, H leave their hexes before the move goes on"),
                ("9.9", "41.19: M leaves its hex before the move goes on"),
                ("9.9", "41.19: D leaves its hex before the move goes on"),
            ],
        ),
        (
            ["C", "D"],
            {"G": "artillery", "T": "corps-train", "M": "minor-depot"},
            [
                ("9.1.2", ANNOUNCED.format(hex="41.19", cavalry="C, D")),
                (
                    "9.5.1",
                    "41.19: G leaves its hex before the move goes on, and before or after the reaction of C, D, as the owner chooses",
                ),
                (
                    "9.8.1",
                    "41.19: T leaves its hex before the move goes on, and before or after the reaction of C, D, as the owner chooses",
                ),
                ("9.9", "41.19: M leaves its hex before the move goes on"),
            ],
        ),
    ],
)
def test_the_order_in_a_hex(cavalry: list[str], displacing: dict[str, str], said: list[tuple[str, str]]) -> None:
    steps = [(step.rule, step.text) for step in order_steps("41.19", cavalry, displacing)]
    assert steps == said


@pytest.mark.rule("9.5.1", "9.8.1", "9.9")
@pytest.mark.parametrize(
    ("unit", "enemy", "without", "leaves"),
    [
        ("artillery - G", "42.19", (), True),
        ("artillery - G", "43.19", (), False),
        ("artillery - G, german cavalry XX C", "42.19", (), False),
        ("artillery - G, german cavalry XX C", "42.19", ("C",), True),
        ("artillery - G, german cavalry XX C", "43.19", ("C",), False),
        ("artillery - G entrained", "42.19", (), False),
        ("corps-train - G", "42.19", (), True),
        ("corps-train - G, german infantry XX C", "42.19", ("X",), False),
        ("minor-depot - G, german infantry XX C", "42.19", (), True),
        ("major-depot - G", "43.19", (), False),
        ("major-depot - G, german infantry XX C", "42.19", (), True),
        ("artillery - G, german fort - C", "42.19", (), True),
        ("artillery - G, german fortress - C", "42.19", (), True),
        ("artillery - G, german minor-depot - C", "42.19", (), True),
        ("artillery - G, german major-depot - C", "42.19", (), True),
        ("fort - G", "42.19", (), False),
        ("infantry XX G", "42.19", (), False),
    ],
)
def test_who_has_to_leave(unit: str, enemy: str, without: tuple[str, ...], leaves: bool) -> None:
    view = viewed(f"41.19: german {unit}\n{enemy}: russian infantry XX R")
    with view.gather() as facts:
        assert has_to_leave(facts, view.unit("G"), without) is leaves


# --- in the answers ---------------------------------------------------------------------------------------------------

BOTH = """phase=movement phasing=russian weather=normal turn=3
43.19: russian infantry XX R movement=7
41.19: german cavalry XX C{}
40.20: german infantry XX A
"""


def order(question: str, text: str, **parameters: Any) -> list[str]:
    report: Report[Any] = answered(typed(text), question, **parameters)
    return told(report, "Order")


@pytest.mark.rule("9.1.2", "9.5.1b", "9.8.1c")
def test_a_move_says_in_each_hex_what_comes_before_it_goes_on() -> None:
    text = BOTH.format("") + "42.20: german artillery - G, german corps-train - T"
    way = {"units": "R", "way": "42.19,43.19", "ground": "1,1"}
    said = order("move", text, **way)
    assert said[0] == ANNOUNCED.format(hex="42.19", cavalry="C")
    assert [line.split(" before the move")[0] for line in said[1:3]] == [
        "42.19: G leaves its hex",
        "42.19: T leaves its hex",
    ]
    assert all("before or after the reaction of C" in line for line in said[1:3])
    quiet = order("move", BOTH.format(""), units="R", way="44.19", ground="1")
    assert quiet == []
    alone = order(
        "move", BOTH.format("").replace("cavalry XX C", "infantry XX C") + "42.20: german artillery - G", **way
    )
    assert alone == ["42.19: G leaves its hex before the move goes on"]


@pytest.mark.rule("9.1.2", "9.5.1b", "9.8.1c")
@pytest.mark.parametrize(
    ("status", "more", "way", "said"),
    [
        ("", "", "42.19", [ANNOUNCED.format(hex="42.19", cavalry="C")]),
        (" cel=-4 supply=out", "", "42.19", []),
        (" cel=-4 supply=out", "42.20: german infantry XX E entrained destination=45.20", "42.19", []),
        (" cel=-4 supply=out", "42.20: austro-hungarian fort - F (2-0-0-9) abandonment=3", "42.19", []),
        (
            " cel=-4 supply=out",
            "45.19: german artillery - G",
            "44.19,44.18",
            ["44.19: G leaves its hex before the move goes on"],
        ),
        (
            " cel=-4 supply=out",
            "45.17: german artillery - G",
            "44.19,44.18",
            ["44.18: G leaves its hex before the move goes on"],
        ),
    ],
)
def test_a_move_stops_only_where_cavalry_may_react_or_a_unit_leaves(
    status: str, more: str, way: str, said: list[str]
) -> None:
    """Not for cavalry that may not react, units in Rail Mode or a bridgehead."""
    ground = ",".join("1" for _ in way.split(","))
    assert order("move", BOTH.format(status) + more, units="R", way=way, ground=ground) == said


@pytest.mark.rule("9.1.2", "9.5.1b", "9.8.1c")
def test_a_reaction_says_what_differs_if_it_comes_after_a_displacement() -> None:
    given = {"unit": "C", "enemy": "R", "left": "43.19"}
    text = BOTH.replace("43.19: russian", "42.19: russian")
    (only,) = order("cavalry", text.format(""), **given)
    assert only == ANNOUNCED.format(hex="42.19", cavalry="C")
    guns = text.format("") + "42.20: german artillery - G\n43.20: russian infantry XX S"
    _, goes, closed = order("cavalry", guns, **given)
    assert "before or after the reaction of C" in goes and goes.startswith("42.19: G leaves")
    assert closed == "42.20 is open to it only before G leaves"
    two = guns.replace("artillery - G", "artillery - G, german artillery - H")
    assert order("cavalry", two, **given)[-1] == "42.20: open to it only before G, H leave"
    theirs = f"{text.format('')}41.18: russian artillery - Q"
    along = {**given, "left": "42.20"}
    assert len(order("cavalry", theirs, **along)) == 1, "only its own side's units are its owner's"
    shut = guns.replace("42.20: german artillery - G", "")
    for when, rule in (({}, "9.1.3"), ({"when": "retirement"}, "9.2.1")):
        options = answered(typed(shut), "cavalry", **{**given, **when}).result.options
        assert [option.rule for option in options if option.hex == "42.20"] == [rule]
    covered = guns.replace("artillery - G", "artillery - G, german infantry XX B")
    assert len(order("cavalry", covered, **given)) == 1


@pytest.mark.rule("9.1.2", "9.5.1b", "9.8.1c")
def test_a_reaction_says_whom_it_leaves_alone() -> None:
    given = {"unit": "C", "enemy": "R", "left": "43.19"}
    text = BOTH.replace("43.19: russian", "42.19: russian")
    assert order("cavalry", text.format(", german artillery - G"), **given)[-1] == (
        "if it leaves 41.19, G there is without a combat unit and has to leave too (ask displace)"
    )
    assert order("cavalry", text.format(", german artillery - G, german corps-train - T"), **given)[-1] == (
        "if it leaves 41.19, G, T there are without a combat unit and have to leave too (ask displace)"
    )
    assert len(order("cavalry", text.format(", german artillery - G, german infantry XX B"), **given)) == 1
    depot = order("cavalry", text.format(", german artillery - G, german minor-depot - D"), **given)
    assert "G there is without" in depot[-1]
    retires = answered(typed(text.format(", german artillery - G")), "cavalry", unit="C", when="retirement")
    assert told(retires, "Order") == []


GOES = "it leaves before the enemy's move or retreat goes on"


@pytest.mark.rule("9.5.1b", "9.8.1c")
@pytest.mark.parametrize(("arm", "rule"), [("artillery", "9.5.1"), ("corps-train", "9.8.1")])
def test_what_displaces_goes_before_or_after_cavalry_that_reacts(arm: str, rule: str) -> None:
    text = f"41.19: german {arm} - G\n42.19: russian infantry XX R\n39.20: german infantry XX A"
    report = answered(typed(text), "displace", unit="G")
    assert [(step.rule, step.text) for part in report.parts if part.title == "Order" for step in part.steps] == [
        (rule, GOES)
    ]
    riders = f"{text}\n42.20: german cavalry XX C"
    first, second = order("displace", riders, unit="G")
    assert (first, second.partition(";")[0]) == (GOES, "before or after C in 42.20 reacts, as its owner chooses")
    assert "; after that, to " in second and second.count(";") == 1
    far = f"{text}\n43.19: german cavalry XX C"
    said = order("displace", far, unit="G")
    assert arm != "artillery" or said[1] == "before or after C in 43.19 reacts, as its owner chooses"
    assert order("displace", f"{text}\n40.20: german cavalry XX C", unit="G") == [GOES], "no enemy is adjacent to it"
    assert order("displace", riders.replace("XX C", "XX C entrained"), unit="G") == [GOES]


@pytest.mark.rule("9.5.1b", "9.8.1c")
@pytest.mark.parametrize("arm", ["artillery", "corps-train"])
def test_what_is_lost_before_and_after_cavalry_reacts_is_said_once(arm: str) -> None:
    around = load_game(GAME).board("").neighbours("41.19")
    enemies = "\n".join(f"{hex}: russian infantry XX {hex}" for hex in around)
    report = answered(typed(f"41.19: german {arm} - G\n43.19: german cavalry XX C\n{enemies}"), "displace", unit="G")
    assert report.result.eliminated
    assert told(report, "Order") == [GOES, "before or after C in 43.19 reacts, as its owner chooses"]


@pytest.mark.rule("9.5.1b", "9.8.1c")
@pytest.mark.parametrize("arm", ["artillery", "corps-train"])
def test_what_cavalry_alone_guards_has_to_go_once_it_has_reacted(arm: str) -> None:
    text = f"41.19: german {arm} - G, german cavalry XX C{{}}\n42.19: russian infantry XX R"
    assert order("displace", text.format(""), unit="G") == [
        "if C reacts and leaves it alone, it has to leave at once: ask again then"
    ]
    assert order("displace", text.format(", german infantry XX B"), unit="G") == []
    if arm != "artillery":
        return
    nowhere = "41.19: german artillery - G\n42.19: russian infantry XX R\n42.20: german cavalry XX C"
    assert order("displace", nowhere, unit="G")[-1].endswith("; after that, no hex is open, and it is eliminated")


@pytest.mark.rule("9.5.1b")
@pytest.mark.parametrize(
    "unit", ["german major-depot - D", "german artillery - Nikolaiken", "german artillery - D entrained"]
)
def test_who_has_no_choice_of_order(unit: str) -> None:
    text = f"41.19: {unit}\n42.19: russian infantry XX R\n41.20: german cavalry XX C\n41.19|40.20 rail1\n40.20 operational=central-powers"
    name = "Nikolaiken" if "Nikolaiken" in unit else "D"
    assert order("displace", text, unit=name) == []


BESET = "".join(f"{hex}: russian infantry XX {hex}\n" for hex in ("41.20", "42.21", "43.20", "43.19"))
"""Enemies all around cavalry in 42.20, but for the hex beside it that must be left."""


@pytest.mark.rule("9.1", "9.1.4", "9.5.1b", "26.2.6")
@pytest.mark.parametrize(
    ("cavalry", "more", "reacts"),
    [
        ("42.20: german cavalry XX C", "", True),
        ("42.20: german cavalry XX C cel=-4", "", True),
        ("42.20: german cavalry XX C cel=-4 supply=out", "", False),
        ("42.20: german cavalry XX C concealed", "turn=3 hidden-units=concealment", False),
        ("42.20: german cavalry XX C", "phase=movement phasing=russian", True),
        ("42.20: german cavalry XX C", "phase=movement phasing=central-powers", False),
        ("42.20: german cavalry XX C", "phase=attack phasing=russian", False),
        ("40.20: german cavalry XX C", "40.21: russian infantry XX S", False),
        ("42.20: german cavalry XX C", BESET, True),
        ("42.20: german cavalry XX C", BESET + "41.19|42.20 lake", False),
    ],
)  # fmt: skip
def test_a_displacement_names_only_cavalry_that_may_react(cavalry: str, more: str, *, reacts: bool) -> None:
    text = f"41.19: german artillery - G\n42.19: russian infantry XX R\n39.20: german infantry XX A\n{cavalry}\n{more}"
    assert any(line.startswith("before or after C ") for line in order("displace", text, unit="G")) is reacts
