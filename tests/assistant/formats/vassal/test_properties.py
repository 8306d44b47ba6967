"""Traits of pieces: what a type line says comes apart and together again, and the properties and expressions that rest on it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.beanshell import Unsolved, evaluate
from assistant.formats.vassal.properties import Carried
from assistant.formats.vassal.traits import (
    CONTROL_SHIFT,
    LabelTrait,
    LayerTrait,
    Trait,
    keystroke,
    marker_trait,
    read_label,
    read_layer,
    read_level,
    read_marker,
)

from .others.test_listing import piece

STEPS = LayerTrait("Steps", ("", "", ""), ("full", "+ (worn)", "small +")).type


def carried(*traits: tuple[str, str], **shared: str) -> Carried:
    return Carried(piece(*traits).traits, shared)


def test_properties_rest_on_each_other_and_on_messages() -> None:
    found = carried(
        ('calcProp;Ratings;{Left + "-" + Move};x', ""),
        ("calcProp;Left;{Strength - Lost};x", ""),
        ("mark;Strength,Move", "5,3"),
        ("PROP;Lost;true,0,9,false;:;", "2"),
    )
    assert (found.get("Ratings"), found.get("Left"), found.unsolved) == ("3-3", "3", [])
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
    label = LabelTrait("note", "", "", '{pieceName + " " + label}').type
    assert piece((label, "weak")).name == "5 Corps weak"


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


WORD = st.text(alphabet="abÄß '+-,;/\\:|\t$", max_size=8).filter(lambda text: not text.endswith("\\"))
NAME = WORD.filter(bool)
PAIR = st.tuples(WORD, WORD)
OFFSET = st.integers(-999, 999)


@given(st.lists(st.tuples(WORD, WORD), min_size=1, max_size=5), NAME, PAIR, PAIR, OFFSET, OFFSET, st.booleans())
def test_a_layer_comes_back(
    levels: list[tuple[str, str]], name: str, up: tuple[str, str], down: tuple[str, str], x: int, y: int, loop: bool
) -> None:
    images, names = zip(*levels, strict=True)
    layer = LayerTrait(name, images, names, up, down, x, y, loop)
    assert Trait(layer.type).kind == "emb2"
    assert read_layer(layer.type) == layer


@given(NAME, WORD, WORD, NAME, st.integers(1, 99), st.tuples(st.just("t"), OFFSET, st.just("r"), OFFSET), st.booleans())
def test_a_label_comes_back(
    name: str, menu: str, stroke: str, written: str, size: int, place: tuple[str, int, str, int], always: bool
) -> None:
    label = LabelTrait(name, menu, stroke, written, size, "1,2,3", "4,5,6", place, f"{name} text", always)
    assert Trait(label.type).kind == "label"
    assert read_label(label.type) == label


@given(st.dictionaries(NAME, WORD, min_size=1, max_size=4))
def test_a_marker_comes_back(values: dict[str, str]) -> None:
    found = marker_trait(values)
    assert found.kind == "mark"
    assert read_marker(found) == values


def test_what_older_engines_leave_out_of_a_marker_or_a_label_is_nothing() -> None:
    assert read_marker(Trait("mark;a,b,c", "1")) == {"a": "1", "b": "", "c": ""}
    assert read_marker(Trait("mark;a", "1,2")) == {"a": "1"}
    label = read_label("label;;Write")
    assert (label.name, label.menu, label.written) == ("", "Write", "$pieceName$ ($label$)")


@pytest.mark.parametrize("type_", ["emb2;", "emb2", "emb2;;130;A;;;;;;;;;;false;0;0;a.png,b.png;x"])
def test_what_older_engines_leave_out_of_a_layer_is_nothing(type_: str) -> None:
    layer = read_layer(type_)
    assert (layer.name, layer.up, layer.loop) == ("", ("", ""), False)
    assert len(layer.images) == len(layer.names)


@pytest.mark.parametrize(
    ("state", "expected"),
    [("2", 2), ("-3", -3), ("1;more", 1), ("", 0), ("x", 0), ("²", 0), ("--1", 0), ("9" * 5000, 0), ("1.5", 0)],
)
def test_the_level_of_a_layer(state: str, expected: int) -> None:
    assert read_level(Trait("emb2;", state)) == expected


@pytest.mark.parametrize(
    ("name", "added"), [("+ low supply", "low supply"), ("+x", "x"), ("small +", ""), ("Wreck", ""), ("", "")]
)
def test_what_a_level_adds_to_a_name(name: str, added: str) -> None:
    layer = LayerTrait("supply", ("", "a.png"), ("", name))
    assert [layer.added(at) for at in (-2, 0, 1, 2, 3)] == ["", "", "", added, ""]


def test_keystrokes() -> None:
    assert keystroke("l") == keystroke("L") == "76,130"
    assert keystroke("") == ""
    assert keystroke("S", CONTROL_SHIFT) == "83,195"


CARRIED = {
    "Strength": "5", "Lost": "2", "Name": "Guards", "Empty": "", "Moved": "true", "Ratings": "5-3", "Half": "1.5",
    "Padded": "07", "Long": "x" * 4000, "Most": "2147483647", "Full Name": "1st Guards", "Digits": "12",
}  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("{Strength}", "5"),
        ("Strength - Lost", "3"),
        ('{Strength + "-" + Lost}', "5-2"),
        ("{1 + 2 * 3 - 4 / 2}", "5"),
        ("{(1 + 2) * 3 % 4}", "1"),
        ("{-7 / 2 + -7 % 3 + 10}", "6"),
        ('{Strength > 4 && Moved ? "ready" : "spent"}', "ready"),
        ('{Lost == 0 ? "full" : Lost == 1 ? "hurt" : "reduced"}', "reduced"),
        ('{If(Lost >= 2, "reduced", "full")}', "reduced"),
        ('{GetProperty("Stren" + "gth") + 1}', "6"),
        ('{GetString("Digits") + 1}', "121"),
        ('{GetProperty("Full Name")}', "1st Guards"),
        ("{$Strength$ + 1}", "6"),
        ("{!Moved || Lost != 2}", "false"),
        ("{Moved || Nowhere}", "true"),
        ("{Ratings}", "5-3"),
        ('{"a \\"word\\""}', 'a "word"'),
        ('{Name == "Guards"}', "true"),
        ('{Name < "Line"}', "true"),
        ('{Strength == "5"}', "true"),
        ("{Empty + Strength}", "5"),
        ('{Empty == ""}', "true"),
        ("{Empty == 0}", "true"),
        ('{Name.contains("uard") && Name.startsWith("G") && Name.endsWith("s") && !Name.equals("x")}', "true"),
        ('{Digits.startsWith("1")}', "true"),
    ],
)
def test_simple_expressions_are_worked_out(expression: str, value: str) -> None:
    assert evaluate(expression, CARRIED.get) == value


@pytest.mark.parametrize(
    "expression",
    [
        "", "{}", "{Nowhere}", "{Nowhere + 1}", '{GetString("Nowhere")}', '{Nowhere.contains("x")}', '{SumStack("Strength")}',
        '{Name.replaceAll("G", "g")}', '{Name =~ "G.*"}', "{Half * 2}", "{1.5}", "{Padded + 1}", "{010}", "{Strength / 0}", "{Strength % 0}",
        "{Most + 1}", "{99999999999}", "{Long + Long}", '{Strength ? "a" : "b"}', "{Moved + 1 - 1}", "{!Strength}", "{-Name}",
        "{Name - 1}", "{Moved && Strength}", "{Moved < false}", "{(Strength}", "{Strength)}", "{Strength Lost}", '{"a}', "{Strength +}", "{x = 5}",
        "{'x'}", '{"\\u0041"}', "{" + "(" * 50 + "1" + ")" * 50 + "}", "{" + "!" * 500 + "Moved}", "{" + "1 + " * 2000 + "1}",
        '{Runtime.getRuntime().exec("x")}', '{new File("x")}', "{If(Moved, 1)}", "{If(Moved, 1, Name - 1)}", '{Name.contains(Name)}',
    ],
)  # fmt: skip
def test_what_is_not_simple_or_rests_on_something_unknown_is_not_worked_out(expression: str) -> None:
    with pytest.raises(Unsolved):
        evaluate(expression, CARRIED.get)


NESTED = ("If({}, true, true)", "If(true, {}, true)", "If(true, true, {})", "true ? {} : true", "({})")
"""Ways to nest an expression in another one."""


@pytest.mark.parametrize("call", NESTED)
def test_each_argument_may_be_nested_as_deeply_as_the_others(call: str) -> None:
    nested = "true"
    for _ in range(10):
        nested = call.format(nested)
    assert evaluate(nested, CARRIED.get) == "true"
    with pytest.raises(Unsolved, match="nested too deeply"):
        evaluate(call.format(nested), CARRIED.get)


@given(st.lists(st.integers(-99, 99), min_size=1, max_size=300), st.integers(0, 99))
def test_long_sums_are_those_of_arithmetic(terms: list[int], first: int) -> None:
    text = str(first) + "".join(f" {'-' if number < 0 else '+'} {abs(number)}" for number in terms)
    assert evaluate(text, {}.get) == str(first + sum(terms))


@given(st.text(alphabet='{}()?:+-*/%<>=!&|.,"\\$ abIf0189GetProperty', max_size=60))
def test_whatever_stands_there_is_worked_out_or_left(text: str) -> None:
    with suppress(Unsolved):
        assert isinstance(evaluate(text, {"a": "1", "b": "x"}.get), str)
