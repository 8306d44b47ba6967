"""Conditions in words: those of plain English, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.proof.clauses import ProofClause, read_proof
from assistant.state.tracks import Track

KIT = '''
FAR_AWAY = ("off map", "eliminated")
DAYS = ("a", "b", "c", "d", "e", "f", "g", "h", "i")


class View:
    pass


class Unit:
    id: str
    arm: str
    place: str
    """Its hex or box."""
    left: int
    """Steps left on the side in use, whatever side that is."""
    around: set[str]

    @property
    def worn(self) -> bool:
        """Whether it is worn."""
        return self.arm == "x"


def is_late(unit, turn):
    """Return whether a unit is late in a turn."""
    return unit.arm == turn


def is_near(unit):
    """Return whether it is near."""
    return unit.arm


def is_torn(unit):
    """Return whether a unit is where another is, that of."""
    return unit.arm


def is_sure(unit):
    """Return whether it is sure that a unit or another is near."""
    return unit.arm


def hexes_near(hex):
    """Return the hexes near a hex."""
    return hex


def place_of(view, unit):
    """Return where a unit is, as the view of a side has it."""
    return view
'''
RULES = """
from .kit import DAYS, FAR_AWAY, Unit, View, hexes_near, is_late, is_near, is_sure, is_torn, place_of

FEW = ("a", "b")


def bars(view: View, units: set[str], unit: Unit, other: Unit, hex, hexes, length: int, marker: int, turn: int, beyond: bool, bold, phase: str):
    '''Yield what bars a unit.

    `hexes`: hexes that lie beyond

    `bold`: whether the unit is bold

    Rule: 3.3
    '''
    few = length > 3 and unit.worn
    places: list[str] = hexes_near(hex)
    twice = length
    twice = turn
    places = []
    yield {}, "3.3", "it may not"
"""
TRACKS = {
    "arrives": Track(name="arrives", title="game turn in which a unit arrives", on="unit", kind="integer"),
    "country": Track(name="country", title="country, by the borders of 1914", on="hex", kind="text"),
    "phasing": Track(name="phasing", title="phasing side", on="game", kind="text"),
    "rail": Track(name="rail", title="Rail Mode marker (of a unit)", on="unit", kind="flag"),
}


def said_of(folder: Path, code: str) -> ProofClause:
    """The clause with this condition."""
    (folder / "rules.py").write_text(RULES.replace("{}", code), "utf-8")
    (folder / "kit.py").write_text(KIT, "utf-8")
    (clause,) = read_proof(folder, TRACKS).clauses
    return clause


@pytest.mark.parametrize(
    ("code", "says", "says_if_not"),
    [
        ("length <= 3", "the length is at most 3", "the length is more than 3"),
        ("3 < length", "the length is more than 3", "the length is at most 3"),
        ("length + 1 >= len(units)", "the length plus 1 is at least the number of units", "the length plus 1 is less than the number of units"),
        ("1 <= length <= 3", "the length is at least 1; the length is at most 3", "either the length is less than 1, or the length is more than 3"),
        ("length", "the length is not 0", "the length is 0"),
        ("unit.arm == 'depot'", "the arm of the unit is depot", "the arm of the unit is not depot"),
        ("unit.arm in FEW", "the arm of the unit is a or b", "the arm of the unit is neither a nor b"),
        ("unit.place in FAR_AWAY", "the place of the unit is off map or eliminated", "the place of the unit is neither off map nor eliminated"),
        ("unit.place == hex", "the place of the unit is the same as the hex", "the place of the unit differs from the hex"),
        ("hex in hexes", "the hex is one of the hexes that lie beyond", "the hex is not one of the hexes that lie beyond"),
        ("unit.worn", "the unit is worn", "the unit is not worn"),
        ("bold", "the unit is bold", "the unit is not bold"),
        ("is_sure(unit)", "it is sure that the unit or another is near", "unless it is sure that the unit or another is near"),
        ("is_late(unit, turn)", "the unit is late in the turn", "the unit is not late in the turn"),
        ("hexes_near(hex)", "there are hexes near the hex", "there are no hexes near the hex"),
        ("few", "the length is more than 3; the unit is worn", "either the length is at most 3, or the unit is not worn"),
        ("view.integer('arrives', unit) > 3", "the game turn in which the unit arrives is more than 3", "the game turn in which the unit arrives is at most 3"),
        ("view.word('country', unit.id) == 'austro-hungarian'", "the country of the unit (by the borders of 1914) is Austro-Hungarian", "the country of the unit (by the borders of 1914) is not Austro-Hungarian"),
        ("view.flag('rail', unit)", 'the unit has the fact "Rail Mode marker"', 'the unit does not have the fact "Rail Mode marker"'),
    ],
)  # fmt: skip
def test_conditions_in_words(tmp_path: Path, code: str, says: str, says_if_not: str) -> None:
    for condition, said in ((code, says), (f"not ({code})", says_if_not)):
        clause = said_of(tmp_path, condition)
        assert (clause.when, not clause.unsaid) == (tuple(filter(None, said.split("; "))), bool(said))


@pytest.mark.parametrize(
    "code",
    [
        "phase",  # a text, which may be empty
        "units",
        "any(hex == 'x' for hex in hexes)",
        "length > 3 or is_torn(unit)",
        "view.word('country', hex)",
        "view.word('phasing') not in ('', 'x')",
        "view.ruling('which') == 'sea'",
        "beyond",  # a name that no docstring explains
        "places",  # a local name that is worked out
        "marker > 3",  # a number that is no number by its name
        "unit.around == hex",
        "is_torn(unit)",  # a torn sentence
        "is_near(unit)",  # a sentence that does not name what it is about
        "is_late(unit, True)",
        "place_of(view, unit) == hex",
        "twice > 3",
        "unit.arm in DAYS",  # too many to list
        "unit.arm == 'no_word'",
        "unit.arm == unit.arm",
        "view.word('phasing') == view.ruling('which')",
        "view.ruling('unknown') == 'a'",
        "length % 3",
        "sum(steps for steps in units) > 3",
        "[*units, hex]",
        "(length > 3 or unit.worn) if beyond else bold",
    ],
)
def test_a_condition_of_other_words_is_named_by_its_line(tmp_path: Path, code: str) -> None:
    clause = said_of(tmp_path, code)
    line = RULES[: RULES.index("{}")].count("\n") + 1
    assert (clause.when, clause.unsaid) == ((), (("rules.py", line),))


def test_a_phrase_stands_for_one_thing_alone(tmp_path: Path) -> None:
    rules = """
def bars(hex, units):
    'Rule: 3.3'
    for unit in units:
        for each in unit.others:
            yield hex == "x", "3.3", "it may not"


def more(at, hex):
    'Rule: 3.3'
    yield at == "x" and hex == "y", "3.3", "it is there"
"""
    (tmp_path / "rules.py").write_text(rules, "utf-8")
    first, second = read_proof(tmp_path, {}).clauses
    assert (first.when, [line for _, line in first.unsaid]) == ((), [4, 5, 6])
    assert (second.when, second.unsaid) == ((), (("rules.py", 11),))
