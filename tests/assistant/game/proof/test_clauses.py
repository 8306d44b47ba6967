"""Clauses of rules as the code has them, in words, and the sheet of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.game.proof.clauses import ProofClause, read_proof
from assistant.game.proof.examples import Example
from assistant.game.proof.sheet import write_proof
from assistant.game.proof.stated import Stated, StatedRow
from assistant.game.proof.words import ProofFact
from assistant.game.rule_index import RuleRow
from assistant.game.rulings import Ruling
from assistant.installed.registry import load_game
from assistant.state.tracks import Track

from ....cases import thorough

NOTHING = Stated({}, {})
MARKS = Stated(
    {"18.3": ['a position may state "Mark"']},
    {
        "18.4": {"tables/x.csv": [StatedRow(2, "from: 1; to: 2", ("18.5",)), *([StatedRow(3, "from: 3", ())] * 15)]},
        "18.5": {"tables/x.csv": [StatedRow(2, "from: 1; to: 2", ("18.4",)), StatedRow(9, "from: 9", ())]},
    },
)
NO_RULINGS: Mapping[str, Ruling] = {}
LATE = "the turn of the train lies from 4 to 18"
SOURCE = '''
from .kit import Case, fact
from .limits import LEAST as FEWEST
from .limits import Timed, is_late

GREAT_RIVERS = frozenset({"major-river", "grand-river"})
MOST = 13


class Parameters:
    at: str
    """What is typed."""


class Laying(Timed):
    """A bridge that is laid."""

    at: str
    """The hex of its marker."""

    @fact
    def great_river(self) -> bool:
        """The hexside is a Major or Grand River."""
        return bool(self.lies & GREAT_RIVERS)

    def bars(self):
        """Yield what forbids a bridge. Second sentence.

        Rule: 18.1, 18.2
        """
        yield not self.great_river, "18.1", "it crosses only a Major or Grand River hexside"
        yield not self.at == "off-map" and self.view.ruling('which') == "a", RULES["x"], "{at:#hex} is not on the map"
        if self.turned:
            return
        for train in self.trains:
            yield self.late and train.turn in range(4, 19), "18.2", "{train} is late"
            yield self.turned, "18.2/turned", "{train} is turned"


class Result:
    at: str
    """What is answered."""


def may_grow(length, laying: Laying, *, beyond):
    """Return what forbids a line to grow, which is
    long. Rule: 17.5.1
    """
    most = MOST + 1 if beyond else MOST
    pair = (length, "a word", "no rule has this name")
    text = "another sentence"
    text = "it is complete" if beyond else "it is long enough"
    return holding([(FEWEST < length >= most or is_late(laying.at), "17.5.1", text)])
'''
LIMITS = '''
LEAST = 3
MOST = 5


class Timed(Case):
    """What has a time."""

    turn: Annotated[int, note("the game turn")]

    @fact
    def late(self) -> bool:
        """It is late in the game."""
        return self.turn >= self.first

    @property
    def first(self) -> int:
        """The first late turn."""
        return MOST


class Early(Timed):
    turned: bool
    """Whether it is turned."""

    @fact
    def late(self) -> bool:
        """It never is."""
        return False


def is_late(hex):
    """Return whether a hex is late."""
    return hex in LATE
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rules.py").write_text(SOURCE, "utf-8")
    (tmp_path / "limits.py").write_text(LIMITS, "utf-8")
    return tmp_path


def clauses_of(folder: Path, rulings: Mapping[str, Ruling] = NO_RULINGS) -> list[ProofClause]:
    return [*read_proof(folder, rulings, {}).clauses]


TRACKS = {
    "arrives": Track(name="arrives", title="game turn in which a unit enters the map", on="unit", kind="integer"),
    "country": Track(name="country", title="country, by the borders of 1914", on="hex", kind="text"),
    "steps": Track(name="steps", title="steps lost (of a unit)", on="unit", kind="integer"),
}


def test_a_fact_is_said_of_its_subject_where_its_title_has_one(tmp_path: Path) -> None:
    source = """
def bars(view, unit, units):
    'Rule: 3.3'
    hexes = sorted({each.place for each in units})
    yield view.integer("arrives", unit) > 3, "3.3", "it is late"
    yield view.integer("steps", unit) > 3, "3.3", "it is weak"
    yield view.word("country", unit.place), "3.3", "it is abroad"
    yield len(hexes) > 1, "3.3", "they stand apart"
"""
    (tmp_path / "rules.py").write_text(source, "utf-8")
    assert [clause.when for clause in read_proof(tmp_path, {}, TRACKS).clauses] == [
        ("the game turn in which the unit enters the map is more than 3",),
        ("the steps lost of the unit is more than 3",),
        ("the country of the place of the unit (by the borders of 1914) is stated",),
        ("the number of different values (the place of the one for each one of the units) is more than 1",),
    ]


def test_each_clause_with_its_rule_its_conditions_and_its_sentence(folder: Path) -> None:
    assert [(clause.rules, clause.when, clause.says) for clause in clauses_of(folder)] == [
        (
            ("18.1",),
            ("it is not so that the hexside is a Major or Grand River",),
            "it crosses only a Major or Grand River hexside",
        ),
        (("18.1", "18.2"), ("the hex of its marker is not off-map", "the ruling which is a"), "{at} is not on the map"),
        (
            ("18.2",),
            ('"turned" is not given', "taking each train of the trains in turn", "it is late in the game", LATE),
            "{train} is late",
        ),
        (
            ("18.2/turned",),
            ('"turned" is not given', "taking each train of the trains in turn", '"turned" is given'),
            "{train} is turned",
        ),
        (
            ("17.5.1",),
            (
                'either both 3 is less than the length and the length is at least 13 plus 1 if "beyond" is given or else '
                "13, or the hex of its marker is late",
            ),
            "it is complete / it is long enough",
        ),
    ]


def test_what_a_condition_rests_on(folder: Path) -> None:
    laid, placed, late, turned, grown = (list(clause.facts) for clause in clauses_of(folder))
    assert laid == [
        ProofFact(
            "the hexside is a Major or Grand River",
            '"lies" and major-river and grand-river have something in common',
        )
    ]
    assert placed == []
    assert turned == [ProofFact('"turned"', "", "bars (rules.py:26)")]
    assert late[1:] == [
        ProofFact("the first late turn", "5"),
        ProofFact("it is late in the game", "the game turn is at least the first late turn"),
    ], "as the base has it"
    assert grown == [
        ProofFact('"beyond"', "", "may_grow (rules.py:45)"),
        ProofFact("the hex of its marker is late", "", "is_late (limits.py:32)"),
    ], "of another module"


def test_a_clause_stands_under_the_rows_of_its_rule_that_its_function_applies(tmp_path: Path) -> None:
    source = """
def bars(unit):
    '''Yield what bars a unit. Rule: 14.2.2b, 14.2.2d, 14.3'''
    yield unit.entrained, "14.2.2", "entrained"
    yield unit.out, "14.3", "Out of Supply"
    yield unit.far, "14.4", "too far"
    pair = (unit, "14.4", "far")
"""
    (tmp_path / "rules.py").write_text(source, "utf-8")
    assert [(clause.rules, clause.says) for clause in clauses_of(tmp_path)] == [
        (("14.2.2b", "14.2.2d"), "entrained"),
        (("14.3",), "Out of Supply"),
        (("14.4",), "too far"),
    ], "and a single word is a sentence only where its function applies the rule"


@pytest.mark.parametrize(
    ("line", "when", "says"),
    [
        ('step("3.3", f"a Russian unit may not enter {there}")', (), "a Russian unit may not enter {there}"),
        ('HexBar("3.3", "it is " + word)', (), "it is {word}"),
        (
            '[(late, "3.3", "it is late") for unit in units if out]',
            ("taking each unit of the units in turn", '"out" is given', '"late" is given'),
            "it is late",
        ),
        ('(late, "3.3", "a lot" if big else f"{count} units")', ('"late" is given',), "a lot / {count} units"),
        (
            '(late, "3.3" if new else "3.3", "it is [when:in {when}|now]")',
            ('"late" is given',),
            'it is [if "when": in {when}; otherwise: now]',
        ),
        ('(late, "3.3", "more {units:#unit} there")', ('"late" is given',), "more {units} there"),
    ],
)
def test_a_clause_in_other_forms(tmp_path: Path, line: str, when: tuple[str, ...], says: str) -> None:
    (tmp_path / "rules.py").write_text(f"def bars(units):\n    'Rule: 3.3'\n    return {line}\n", "utf-8")
    (clause,) = clauses_of(tmp_path)
    assert (clause.rules, clause.when, clause.says) == (("3.3",), when, says)


BRIDGES = '''
from . import kit
from .kit import Case, is_late, list_bars, may_go

FEW = ("a", "b")
SIDES = ("attacker", "defender")


class Laid(Case):
    at: str
    """The hex of its marker."""

    @property
    def short(self) -> bool:
        """Whether it is short."""
        return self.at in FEW

    @property
    def old(self) -> bool:
        """Whether it is old."""
        return self.worn and self.short

    @property
    def worn(self) -> bool:
        """Whether it is worn."""
        return self.at == "x"


class Bridge(Laid):
    @property
    def worn(self) -> bool:
        """Whether it is worn."""
        return self.at == "y"

    def bars(self, view: View, hexes: Collection[str], units: Collection[str], unit: Unit, length: int, limit: int, beyond: bool, other: Laid):
        """Yield what bars a bridge. Rule: 3.3"""
        pair = length > 3 and beyond
        many_of = length > 3 and beyond and unit.id in hexes and unit.arm == "cavalry" and length in range(5, 9)
        many = many_of and units <= hexes and hexes & units and other.old and other.short
        yield {}, "3.3", "it may not"
'''
KIT = '''
FAR_AWAY = ("off-map", "eliminated")


class Case:
    pass


def is_late(unit):
    """Return whether a unit is late."""
    return unit.late


def list_bars(unit):
    """Yield what bars a unit."""
    yield unit.late


def may_go(unit) -> bool:
    return unit.late
'''


@pytest.mark.parametrize(
    ("code", "says", "says_if_not"),
    [
        ("length in FEW", "the length is a or b", "the length is neither a nor b"),
        ("unit.arm in (*FEW, 'x')", "the arm of the unit is a, b or x", "the arm of the unit is neither a, b nor x"),
        ("unit.arm in ('x', unit.place)", "the arm of the unit is x or the place of the unit", ""),
        ("unit.place in kit.FAR_AWAY", "the place of the unit is off-map or eliminated", ""),
        ("unit.place in kit.far_places", "the place of the unit is among far places", ""),
        ("units <= hexes", "the units are all among the hexes", "the units are not all among the hexes"),
        ("units <= {'a', 'b'}", "the units holds nothing but a and b", "the units does not hold nothing but a and b"),
        ("{'a', 'b'} <= hexes", "a and b are all among the hexes", "a and b are not all among the hexes"),
        ("units & hexes", "the units and the hexes have something in common", "the units and the hexes have nothing in common"),
        ("units - hexes", "there are units other than the hexes", "there are no units other than the hexes"),
        ("length <= limit", "the length is at most the limit", "the length is more than the limit"),
        ("3 < length", "the length is more than 3", "the length is at most 3"),
        ("1 <= length <= 3", "the length lies from 1 to 3", "the length does not lie from 1 to 3"),
        ("length in range(4, 19)", "the length lies from 4 to 18", "the length does not lie from 4 to 18"),
        ("length >= len(units)", "the length is at least the number of units", "the length is less than the number of units"),
        ("length == units[1]", "the length is the second of the units", "the length is not the second of the units"),
        ("units[0] in hexes", "the first of the units is among the hexes", "the first of the units is not among the hexes"),
        ("length == {'a': 1, 'b': 2}", "the length is 1 for a and 2 for b", "the length is not 1 for a and 2 for b"),
        ("length == (unit.id in hexes)", "the length is whether the unit is among the hexes", ""),
        ("length == (1 if beyond else 2)", 'the length is 1 if "beyond" holds or else 2', ""),
        (
            "length > 3 if beyond else unit.id in hexes",
            'the length is more than 3 if "beyond" holds, or else the unit is among the hexes',
            'the length is at most 3 if "beyond" holds, or else the unit is not among the hexes',
        ),
        ("unit.id in hexes if beyond else None", '"beyond" holds; the unit is among the hexes', 'either "beyond" does not hold, or the unit is not among the hexes'),
        ("pair", 'the length is more than 3; "beyond" holds', 'either the length is at most 3, or "beyond" does not hold'),
        ("other.short", "the other laid is short", "it is not so that the other laid is short"),
        ("self.short", "it is short", "it is not short"),
        ("is_late(unit)", "the unit is late", "the unit is not late"),
        ("may_go(unit)", "the unit may go", "the unit may not go"),
        ("length == unit.place.casefold()", "the length is the place of the unit", "the length is not the place of the unit"),
        ("list_bars(unit)", "something forbids it", "nothing forbids it"),
        ("units.isdisjoint(hexes)", "the units and the hexes have nothing in common", "the units and the hexes have something in common"),
        ("units.issubset(hexes)", "the units are all among the hexes", "the units are not all among the hexes"),
        ("view.stack(unit.place)", "there are units in the place of the unit", "there are no units in the place of the unit"),
        ("view.cell('cost', unit.place) is None", "there is no figure of the chart cost for the place of the unit", "there is a figure of the chart cost for the place of the unit"),
        ("view.value('supply', unit.id) is None", "the supply status of the unit is not stated", "the supply status of the unit is stated"),
        ("view.flag('entrained', unit.id)", 'the unit has the fact "Rail Mode marker"', 'the unit does not have the fact "Rail Mode marker"'),
        ("view.side_of(unit.id) == 'x'", "the side of the unit is x", "the side of the unit is not x"),
        ("unit.place is None", "there is no place of the unit", "there is a place of the unit"),
        ("view.ruling('which') in ('a', 'b')", "the ruling which is a or b", "the ruling which is not a or b"),
    ],
)  # fmt: skip
def test_conditions_in_words(tmp_path: Path, code: str, says: str, says_if_not: str) -> None:
    assert said_of(tmp_path, code).when == tuple(says.split("; "))
    if says_if_not:
        assert said_of(tmp_path, f"not ({code})").when == (says_if_not,)


def said_of(folder: Path, code: str) -> ProofClause:
    """The clause with this condition in the rules of a bridge."""
    (folder / "rules.py").write_text(BRIDGES.replace("{}", code), "utf-8")
    (folder / "kit.py").write_text(KIT, "utf-8")
    tracks = load_game("twilight-in-the-east").tracks
    (clause,) = read_proof(folder, {}, {name: tracks[name] for name in ("supply", "entrained")}).clauses
    return clause


def test_a_name_for_many_conditions_is_said_itself_with_where_it_is_worked_out(tmp_path: Path) -> None:
    clause = said_of(tmp_path, "many")
    assert (clause.when, said_of(tmp_path, "not many").when) == (('"many" holds',), ('"many" does not hold',))
    (place,) = (fact.place for fact in clause.facts if fact.name == '"many" holds')
    assert re.fullmatch(r"bars \(rules.py:[0-9]+\)", place)


@pytest.mark.parametrize(
    ("code", "read"), [("other.old", "the hex of its marker is x"), ("self.old", "the hex of its marker is y")]
)
def test_what_a_case_rests_on_is_read_as_its_own_class_has_it(tmp_path: Path, code: str, read: str) -> None:
    facts = said_of(tmp_path, code).facts
    assert [fact.read for fact in facts if fact.name.endswith(" is worn")] == [read]


@pytest.mark.parametrize(
    "line", ['step("4.4", "of another rule")', 'Part("Units", 3, "3.3")', '("a", "b", "c d")', 'cut("3.3", "b c")']
)
def test_what_is_no_clause(tmp_path: Path, line: str) -> None:
    (tmp_path / "rules.py").write_text(f"def bars(units):\n    'Rule: 3.3'\n    return {line}\n", "utf-8")
    assert clauses_of(tmp_path) == []


TITLES = {"17.5.1": "Length", "18.1": "Bridges", "18.2": "Trains", "18.3": "Marks", "18.4": "Crossing"}


def test_a_ruling_is_said_by_its_readings(folder: Path) -> None:
    ruling = Ruling("which", "18.1", "Is it", {"a": "it is so", "b": "it is not"}, "a", "sense")
    placed = clauses_of(folder, {"which": ruling})[1]
    assert placed.when[-1] == 'ruling which is "it is so"'
    assert placed.facts[-1] == ProofFact("ruling which", "Is it? Readings: a: it is so; b: it is not. Taken: a")


def test_the_sheet_of_some_rules(folder: Path) -> None:
    (folder / "marks.py").write_text('def marks(train):\n    """Return the marks of a train. Rule: 18.3"""\n', "utf-8")
    rows = [RuleRow(rule, "check", title, "", ("tracks.toml:mark",)) for rule, title in TITLES.items()]
    example = Example(("18.3", "18.1"), "hex 10.10\nask marks", ("two marks", "one of it [18.3]", "one of all [18.9]"))
    sheet = [*write_proof(read_proof(folder, {}, {}, "18"), rows, dict.fromkeys(example.rules, example), MARKS, "18")]
    assert sheet[:3] == [
        "18.1  Bridges",
        "  what forbids a bridge: bars (rules.py:26)",
        "    when it is not so that the hexside is a Major or Grand River",
    ]
    assert "18.2/turned  (no row of the rule index)" in sheet
    assert not any("17.5.1" in line for line in sheet)
    assert sheet[sheet.index("18.3  Marks") :][:10] == [
        "18.3  Marks",
        "  computed by: marks (marks.py:1)",
        "    it gives the marks of a train",
        '  a position may state "Mark"',
        "  for example:",
        "    hex 10.10",
        "    ask marks",
        "    answer: two marks",
        "      one of it [18.3]",
        "",
    ]
    assert sheet.count("  for example:") == 2, "of rules with clauses and without"
    assert sheet[sheet.index("18.4  Crossing") :][:3] == [
        "18.4  Crossing",
        "  in the file tables/x.csv:",
        "    line 2: from: 1; to: 2 (also for 18.5, which has 2 rows here)",
    ]
    assert "    and 1 more, to line 3" in sheet


def test_a_function_without_a_sentence_names_what_it_reads(tmp_path: Path) -> None:
    source = '''
class Train:
    at: str
    """The hex of its marker."""


def price(view: View, unit: Unit, train: Train):
    """Return the price of a train. Rule: 18.3"""
    for each in train.cars:
        if view.word("supply", unit.id) == each and view.flag("entrained", unit.id) or view.flag(f"{each}", unit.id):
            return table[train.at, view.ruling("which")]
    return table[view]
'''
    (tmp_path / "rules.py").write_text(source, "utf-8")
    tracks = load_game("twilight-in-the-east").tracks
    sheet = [*write_proof(read_proof(tmp_path, {}, tracks), [RuleRow("18.3", "check", "Price", "", ())], {}, NOTHING)]
    assert sheet[-2] == "    it reads: Rail Mode marker; supply status; the hex of its marker; ruling which"


def test_a_clause_for_several_rules_says_so(tmp_path: Path) -> None:
    source = 'def bars(unit):\n    """Rule: 8.2a, 8.2b"""\n    yield unit.far, "8.2", "it is far"\n'
    (tmp_path / "rules.py").write_text(source, "utf-8")
    rows = [RuleRow(rule, "check", "Far", "", ()) for rule in ("8.2a", "8.2b")]
    assert "       says (one for 8.2a, 8.2b): it is far" in write_proof(read_proof(tmp_path, {}, {}), rows, {}, NOTHING)


def test_a_rule_whose_function_has_only_clauses_of_others_names_them(tmp_path: Path) -> None:
    source = """
def bars(self):
    '''Yield what bars cavalry. Rule: 6.2.2a, 3.8.3b'''
    yield self.rides, "6.2.2a", "it is cavalry"
    yield self.walks, "14.3", "it is infantry"
"""
    (tmp_path / "corps.py").write_text(source, "utf-8")
    assert [clause.rules for clause in clauses_of(tmp_path)] == [("6.2.2a",), ("14.3",)]
    rows = [RuleRow("3.8.3b", "check", "Cavalry", "", ())]
    assert [*write_proof(read_proof(tmp_path, {}, {}, "3.8"), rows, {}, NOTHING, "3.8")] == [
        "3.8.3b  Cavalry",
        "  computed by: bars (corps.py:2)",
        "    it gives what bars cavalry",
        "    its clauses are those of 6.2.2a, 14.3",
        "",
    ]


@thorough
def test_the_command_prints_it() -> None:
    shown = CliRunner().invoke(cli, ["rules", "twilight-in-the-east", "17.5.1", "--proof"]).output
    assert "17.5.1  Field Railway building" in shown
    assert "says: it must begin at an RR Station" in shown
