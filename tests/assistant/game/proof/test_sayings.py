"""Conditions in words: those of plain English, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.proof.clauses import ProofClause, read_proof
from assistant.game.rulings import Ruling
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


def list_bars(unit):
    """Yield what bars a unit."""
    yield unit.arm


def hexes_near(hex):
    """Return the hexes near a hex."""
    return hex


def place_of(view, unit):
    """Return where a unit is, as the view of a side has it."""
    return view
'''
RULES = """
from .kit import DAYS, FAR_AWAY, Unit, View, hexes_near, is_late, is_near, is_torn, list_bars, place_of

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
RULING = Ruling("which", "3.3", "Is it so", {"sea": "it is", "land": "it is not"}, "sea", "sense")


def said_of(folder: Path, code: str) -> ProofClause:
    """The clause with this condition."""
    (folder / "rules.py").write_text(RULES.replace("{}", code), "utf-8")
    (folder / "kit.py").write_text(KIT, "utf-8")
    (clause,) = read_proof(folder, {"which": RULING}, TRACKS).clauses
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
        ("is_late(unit, turn)", "the unit is late in the turn", "the unit is not late in the turn"),
        ("list_bars(unit)", "something bars the unit", "nothing bars the unit"),
        ("hexes_near(hex)", "there are hexes near the hex", "there are no hexes near the hex"),
        ("few", "the length is more than 3; the unit is worn", "either the length is at most 3, or the unit is not worn"),
        ("phase", "a phase is given", "no phase is given"),
        ("units", "some units are given", "no units are given"),
        ("any(each == 'x' for each in hexes)", "", ""),
        ("any(hex == 'x' for hex in hexes)", "for at least one of the hexes that lie beyond: the hex is x", "for none of the hexes that lie beyond: the hex is x"),
        ("all(hex == 'x' for hex in hexes)", "for every one of the hexes that lie beyond: the hex is x", "for at least one of the hexes that lie beyond: the hex is not x"),
        ("view.integer('arrives', unit) > 3", "the game turn in which the unit arrives is more than 3", "the game turn in which the unit arrives is at most 3"),
        ("view.word('country', hex)", "the country of the hex (by the borders of 1914) is stated", "the country of the hex (by the borders of 1914) is not stated"),
        ("view.word('phasing') not in ('', 'x')", "the phasing side is stated to be other than x", "the phasing side is x, or is not stated"),
        ("view.flag('rail', unit)", 'the unit has the fact "Rail Mode marker"', 'the unit does not have the fact "Rail Mode marker"'),
        ("view.ruling('which') == 'sea'", "the ruling which is sea", "the ruling which is not sea"),
    ],
)  # fmt: skip
def test_conditions_in_words(tmp_path: Path, code: str, says: str, says_if_not: str) -> None:
    for condition, said in ((code, says), (f"not ({code})", says_if_not)):
        clause = said_of(tmp_path, condition)
        assert (clause.when, not clause.unsaid) == (tuple(filter(None, said.split("; "))), bool(said))


@pytest.mark.parametrize(
    "code",
    [
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
    first, second = read_proof(tmp_path, {}, {}).clauses
    assert (first.when, first.unsaid) == (("for each of the units", "the hex is x"), (("rules.py", 5),))
    assert (second.when, second.unsaid) == (("the hex is x",), (("rules.py", 11),))


def test_what_another_function_works_out_is_named_with_it_and_rulings_with_their_ids(tmp_path: Path) -> None:
    assert said_of(tmp_path, "unit.worn").rests_on == (("the unit is worn", "worn (kit.py:20)"),)
    assert said_of(tmp_path, "unit.worn and beyond").rests_on == (("the unit is worn", "worn (kit.py:20)"),)
    assert said_of(tmp_path, "unit.worn or beyond").rests_on == ()
    assert said_of(tmp_path, "view.ruling('which') == 'sea'").rulings == ("which",)


def test_the_callers_of_a_function_are_named_with_their_conditions(tmp_path: Path) -> None:
    rules = """
def bars(unit):
    'Rule: 3.3'
    yield unit.far, "3.3", "it is far"


def move(unit, phase: str):
    '`phase`: phase of the turn'
    if phase == "movement":
        return bars(unit)


def enter(unit, deep):
    return deep and [*bars(unit)]


def go(unit):
    return bars(unit)
"""
    (tmp_path / "rules.py").write_text(rules, "utf-8")
    (clause,) = read_proof(tmp_path, {}, {}).clauses
    assert clause.asked_by == (
        "move (rules.py:7), when the phase is movement",
        "enter (rules.py:13), which decides when",
        "go (rules.py:17)",
    )
