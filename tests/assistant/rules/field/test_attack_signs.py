"""Attacks that marks on the map show."""

from __future__ import annotations

from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.rules.field.attack_signs import attacks_shown
from assistant.service import parse

START = """game twilight-in-the-east
40.20: 25/3
40.19: 29/20
41.19: 1/1
42.22: 2/1
"""


def shown(before: Position, later: str) -> list[tuple[str, str]]:
    """The attacks that a later position shows: where, and from where if that is known."""
    after = parse(later, before) if later else before
    found = attacks_shown(*(View(position.game, position.state) for position in (before, after)))
    return [(one.parameters["at"], one.parameters.get("from", "")) for one in found]


def test_those_who_fought_around_a_hex_attacked_it() -> None:
    fought = "40.20: 25/3 fought\n40.19: 29/20 fought\n41.19: 1/1 fought"
    assert shown(parse(START), fought) == [("41.19", "40.19,40.20")]
    assert shown(parse(START), "40.20: 25/3 fought\n42.22: 2/1 fought") == []  # not adjacent
    assert shown(parse(fought.splitlines()[2], parse(START)), fought.splitlines()[0]) == []  # marked before


def test_of_two_hexes_the_phase_or_a_mark_tells_which_attacked() -> None:
    fought = "40.20: 25/3 fought\n41.19: 1/1 fought"
    assert shown(parse(START), fought) == [("40.20", "41.19"), ("41.19", "40.20")]
    assert shown(parse(f"{START}phasing=russian"), fought) == [("41.19", "40.20")]
    assert shown(parse(START), f"{fought}\n40.20 attacked") == [("40.20", "41.19"), ("40.20", "")]


def test_attacks_are_announced_and_ordered() -> None:
    assert shown(parse(f"{START}41.19 announced"), "") == [("41.19", "")]
    assert shown(parse("40.20: 25/3 prepared=41.19", parse(START)), "") == [("41.19", "")]
    assert shown(parse("40.20: 25/3 prepared=39.18", parse(START)), "") == []
    assert shown(parse(START), "") == []
