"""The small language of counters.toml, texts with columns in them and conditions; and the values of a game's counters as they are written."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from module_builder.counters.columns import SIZE, UNIT, Columns
from module_builder.counters.expressions import parse_condition, parse_pattern

VALUES = {
    "unit": "20 lw/3 LWX",
    "steps": "12",
    "defence": "16",
    "artillery": "0",
    "asset": "no",
    "arm": "infantry",
    "nation": "austro-hungarian",
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{steps}", "12"),
        ("{steps}-{defence}", "12-16"),
        ("({range})", None),  # the range is unknown
        ("{range|-}", "-"),
        ("{range|}", ""),
        ("{range?}", ""),
        ("{artillery?}", ""),  # it has none
        ("{artillery}", "0"),
        ("{asset?}", ""),
        ("{nation:initials}", "AH"),
        ("{arm:upper}", "INFANTRY"),
        ("R{steps}", "R12"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_a_text_is_read_for_a_counter(text: str, found: str | None) -> None:
    assert parse_pattern(text).read(VALUES) == found


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("", True),
        ("steps", True),
        ("artillery", False),
        ("asset", False),
        ("range", False),
        ("not asset", True),
        ("not range", True),
        ("steps > 9", True),
        ("steps >= 12 and defence < 16", False),
        ("steps < 9 or arm = infantry", True),
        ("arm = cavalry|infantry", True),
        ("arm != cavalry", True),
        ("unit ~ lw", True),
        ("unit ~ l|w|LW", False),  # whole words, as they are written
        ("range > 3", False),
        ("nation > 3", False),
        ("range = 3", False),
        ("range != 3", False),
        ("not range = 3", True),
        ("not range != 3", True),
    ],
)
def test_a_condition_holds_or_not(text: str, holds: bool) -> None:
    assert parse_condition(text).holds(VALUES) is holds


@pytest.mark.parametrize("text", ["{steps", "steps}", "{}", "{a b}", "{steps:loud}", "{__class__.x}", "{steps!r}"])
def test_a_text_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match="brace|column|there is no"):
        parse_pattern(text)


def test_spaces_take_no_time_and_columns_that_are_read_are_known() -> None:
    with pytest.raises(ValueError, match="condition"):
        parse_condition(f"steps{' ' * 300_000}x")
    assert parse_pattern("{steps}-{range?}").names == ("steps", "range")
    assert parse_condition("steps > 1 and not asset").names == ("steps", "asset")


@pytest.mark.parametrize(
    "text", ["steps >", "steps > many", "steps > 1234567890", "steps steps", "__import__('os')", "steps > 1|2"]
)
def test_a_condition_that_cannot_be_read(text: str) -> None:
    with pytest.raises(ValueError, match="condition|needs a whole number"):
        parse_condition(text)


def columns_of(**values: Any) -> Columns:
    """Of a game with one unit, which has these values, its size among them under a name of the game's own."""
    picture = SimpleNamespace(symbol="arm", nation="side", size="echelon", troops=())
    tracks = {name: SimpleNamespace(back="", printed="counter", write=str) for name in ("arm", "echelon", "steps")}
    roster = {
        "A": {name: [SimpleNamespace(value=value)] if value is not None else [] for name, value in values.items()}
    }
    game: Any = SimpleNamespace(file=SimpleNamespace(picture=picture), tracks=tracks, roster=roster)
    return Columns(game, "", "")


@pytest.mark.parametrize(
    ("word", "printed"),
    [
        ("XX", "XX"),
        ("-", ""),
        ("--", ""),
        ("III-", "III-"),
        ("(X)", "(X)"),
        ("2nd line", "2nd line"),
        ("\u2014", ""),
        ("•", "•"),
        ("[III]", "[III]"),
        ("++", "++"),
    ],
)
def test_a_dash_for_a_size_is_printed_nowhere(word: str, printed: str) -> None:
    assert columns_of(echelon=word).values("A") == {UNIT: "A", "echelon": word, SIZE: printed}


def test_a_value_is_known_by_the_name_that_the_game_gives_it_and_by_ours() -> None:
    found = columns_of(arm="infantry", steps=0, echelon=None).values("A")
    assert found == {UNIT: "A", "arm": "infantry", "symbol": "infantry", "steps": "0"}
