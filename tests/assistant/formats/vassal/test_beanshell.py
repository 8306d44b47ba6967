"""Expressions as VASSAL works them out, and those that are left as they are."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.beanshell import Unsolved, evaluate

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
