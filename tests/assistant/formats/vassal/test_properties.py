"""The properties that a piece carries, worked out from each other."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.properties import Carried
from assistant.formats.vassal.traits import LabelTrait, LayerTrait

from .others.test_states import piece

STEPS = LayerTrait("Steps", ("", "", ""), ("full", "+ (worn)", "small +")).type


def carried(*traits: tuple[str, str], **shared: str) -> Carried:
    return Carried(piece(*traits).traits, shared)


def test_properties_rest_on_each_other() -> None:
    found = carried(
        ('calcProp;Ratings;{Left + "-" + Move};x', ""),
        ("calcProp;Left;{Strength - Lost};x", ""),
        ("mark;Strength,Move", "5,3"),
        ("PROP;Lost;true,0,9,false;:;", "2"),
    )
    assert (found.get("Ratings"), found.get("Left"), found.unsolved) == ("3-3", "3", [])


def test_a_message_that_may_be_translated_is_a_property() -> None:
    label = LabelTrait("Text", "Write", written="$pieceName$ ($label$)").type
    found = piece((label, "$Card$"), ("locmsg;Card;of a card;1st Card", ""))
    assert found.name == "5 Corps (1st Card)"


def test_properties_count_from_outside_in_and_global_ones_last() -> None:
    assert carried(("calcProp;A;{1 + 1};x", ""), ("mark;A", "5")).get("A") == "2"
    assert carried(("mark;A", "5"), ("calcProp;A;{1 + 1};x", "")).get("A") == "5"
    assert carried(('calcProp;When;{"GT " + Turn};x', ""), Turn="4").get("When") == "GT 4"
    assert carried(("mark;Turn", "9"), Turn="4").get("Turn") == "9"


@pytest.mark.parametrize(
    ("state", "values"),
    [
        ("1", ("1", "full", "true")),
        ("2", ("2", " (worn)", "true")),
        ("3", ("3", "small ", "true")),
        ("-2", ("-2", "", "false")),
    ],
)
def test_properties_of_a_layer(state: str, values: tuple[str, ...]) -> None:
    found = carried((STEPS, state))
    assert tuple(found.get(f"Steps_{what}") for what in ("Level", "Name", "Active")) == values


def test_the_basic_name_is_the_name_without_what_traits_add() -> None:
    assert carried((STEPS, "2")).get("BasicName") == "5 Corps"
    assert carried(("basicName;V Corps", "")).get("BasicName") == "V Corps"
    assert piece(("basicName;V Corps", ""), (STEPS, "2")).name == "V Corps (worn)"


def test_circles_and_names_that_name_themselves_end() -> None:
    found = carried(("calcProp;A;{B + 1};x", ""), ("calcProp;B;{A + 1};x", ""))
    assert (found.get("A"), found.unsolved) == (None, ["calculated property A", "calculated property B"])
    found = piece(*[(LabelTrait("note", "").type, "$a$$a$")] * 50, ("mark;a", "$a$" * 900))
    assert len(found.name) <= 4000


def test_what_rests_on_the_name_is_worked_out_once_it_is_known() -> None:
    found = carried(('calcProp;Told;{PieceName + "!"};x', ""))
    assert found.get("Told") is None
    found.called("5 Corps (worn)")
    assert found.get("Told") == "5 Corps (worn)!"


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("$Strength$-$Move$", "5 Corps (5-3)"),
        ("{Strength + Move}", "5 Corps (8)"),
        ("$Elsewhere$", "5 Corps ($Elsewhere$)"),
        ('{SumStack("Strength")}', '5 Corps ({SumStack("Strength")})'),
        ("5$", "5 Corps (5$)"),
    ],
)
def test_a_text_on_a_counter_names_properties(label: str, name: str) -> None:
    assert piece((LabelTrait("note", "").type, label), ("mark;Strength,Move", "5,3")).name == name


def test_a_name_may_be_written_as_an_expression() -> None:
    label = LabelTrait("note", "", "", '{pieceName + " " + label}').type
    assert piece((label, "weak")).name == "5 Corps weak"
