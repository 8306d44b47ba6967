"""The RR bridge at Jaroslau (17.4)."""

from __future__ import annotations

import pytest

from twilight_in_the_east.ground.hexsides import BRIDGE, between, bridge, demolish_bridge, is_down

from ...conftest import answered, typed, viewed

BLOWN = "campaign\nturn={}\njaroslau-blown=5\n42.84|43.84 major-river rail1 bridge {}"


@pytest.mark.rule("17.4")
def test_it_is_down_for_twelve_game_turns() -> None:
    assert [turn for turn in range(1, 47) if is_down(5, turn)] == list(range(1, 17))
    assert not is_down(0, 3)


@pytest.mark.rule("17.4")
def test_while_it_is_down_nothing_crosses_there() -> None:
    down = between(viewed(BLOWN.format(16, "primary-road")), "43.84", "42.84")
    assert (down.word("rail"), down.word("road"), down.word("crossing")) == ("no-rail", "no-road", "no-crossing")
    assert (down.name, down.linked, bridge(down)) == (BRIDGE, False, False)
    stands = between(viewed(BLOWN.format(17, "primary-road")), "43.84", "42.84")
    assert (stands.word("rail"), stands.linked, bridge(stands)) == ("rail1", True, True)
    short = between(viewed(BLOWN.format(16, "").replace("campaign\n", "")), "43.84", "42.84")
    assert short.linked, "in the Grand Campaign only"
    unnamed = viewed(BLOWN.format(16, "").replace("major-river ", ""))
    assert between(unnamed, "43.84", "42.84").lies == {"major-river"}, "it had a bridge, whatever is typed"
    grand = viewed(BLOWN.format(16, "").replace("major-river", "grand-river minor-river"))
    assert between(grand, "43.84", "42.84").lies == {"grand-river", "minor-river"}
    elsewhere = between(viewed(BLOWN.format(16, "") + "\n42.85|43.85 rail1"), "43.85", "42.85")
    assert elsewhere.linked


@pytest.mark.rule("17.4", "1.1")
@pytest.mark.parametrize(("turn", "named"), [("turn=16", True), ("turn=17", False), ("", True)])
def test_without_a_word_on_the_campaign_only_a_bridge_that_would_be_down_is_named(turn: str, named: bool) -> None:
    view = viewed(BLOWN.format(16, "").replace("campaign\n", "").replace("turn=16", turn))
    assert between(view, "43.84", "42.84").linked
    assert [step.rule for step in view.premises.assumptions] == ["17.4"] * named


@pytest.mark.rule("17.4")
def test_a_road_may_be_held_to_have_a_bridge_of_its_own() -> None:
    down = between(viewed(BLOWN.format(16, "primary-road") + "\nruling jaroslau-road=road"), "43.84", "42.84")
    assert (down.word("road"), down.word("rail"), down.linked) == ("primary-road", "no-rail", True)
    without = viewed(BLOWN.format(16, "no-road"))
    assert between(without, "43.84", "42.84").word("road") == "no-road"
    assert without.premises.rulings == {}


@pytest.mark.rule("17.4")
def test_an_abandoned_bridgehead_blows_it_and_nothing_else_that_leaves() -> None:
    text = "{}turn=9\n43.84: austro-hungarian fort - Jaroslau (1-?-?-?) abandonment=1"
    text += "\n42.84: russian infantry XX R\nanswers abandon=6"
    report = answered(typed(text.format("campaign\n")), "bridgehead", unit="Jaroslau", isolated=False)
    assert ("jaroslau-blown", 9) in [(one.track, one.after) for one in report.changes]
    short = answered(typed(text.format("")), "bridgehead", unit="Jaroslau", isolated=False)
    assert "jaroslau-blown" not in [one.track for one in short.changes]
    view = viewed(
        "campaign\nturn=9\n43.84: austro-hungarian fort - F, austro-hungarian infantry XX I\n44.84: russian fort - R"
    )
    assert demolish_bridge(view, ["I", "R"]) == []
    (blown,) = demolish_bridge(view, ["F"])
    assert (blown.track, blown.after) == ("jaroslau-blown", 9)


@pytest.mark.rule("17.4")
def test_a_combat_that_destroys_the_bridgehead_blows_it() -> None:
    text = """trust charts
campaign
turn=9
43.84 clear: austro-hungarian fort - Jaroslau (1-1-?-?) fssm=1 abandonment=1
44.84: russian infantry XX 1/2 (12-?-5-10), russian infantry XX 2/2 (12-?-5-10)
43.84|44.84 open no-road no-rail
ask battle at=43.84 from=44.84 attacker-ap=none defender-ap=none
answers crt=6 slrt=6/1 ec.44.84=5 advance=none
"""
    changes = [(one.track, one.subject, one.after) for one in answered(typed(text)).changes]
    assert ("place", "Jaroslau", None) in changes
    assert ("jaroslau-blown", "", 9) in changes
