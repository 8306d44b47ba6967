"""Conditions in words, whichever way and wherever the code states them: those of plain English, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.game.proof.clauses import ProofClause, read_proof
from assistant.game.proof.phrases import (
    deny_statement,
    drop_codes,
    is_noun,
    is_plain,
    is_whole,
    make_agree,
    noun_of,
    say_existence,
    statement_of,
    summary_of,
)
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


CALLED = '''
def held(around: Around, rule: str, why: str = "enemies stand there"):
    """Return what bars the hexes of enemies."""
    return lambda here, there: HexBar(rule, why) if there in around.enemies else None


def bars_by_phase(facts, phase: str, *, rule: str):
    """Yield lines where another phase is stated."""
    yield facts.now != phase, rule, f"not in this phase"


class Around:
    enemies: set[str]
    """The hexes of enemies."""
'''


def clauses_of(folder: Path, rules: str) -> list[ProofClause]:
    (folder / "kit.py").write_text(CALLED, "utf-8")
    (folder / "rules.py").write_text(f"from .kit import Around, bars_by_phase, held\n\n{rules}", "utf-8")
    return [clause for clause in read_proof(folder, {}).clauses if clause.rules]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ('held(around, "6.5")', "enemies stand there"),
        ('held(around, "6.5", "it is full")', "it is full"),
        ('held(around, rule="6.5")', "enemies stand there"),
    ],
)
def test_the_bar_of_a_called_function_stands_under_the_rule_that_it_is_given(
    tmp_path: Path, call: str, says: str
) -> None:
    rules = f'def bars(around: Around, late: bool):\n    """What bars.\n\n    `late`: whether it is late\n\n    Rule: 6.5"""\n    if late:\n        return {call}\n'
    (clause,) = clauses_of(tmp_path, rules)
    assert (clause.rules, clause.says) == (("6.5",), (says,))
    assert clause.when == ("it is late", "that hex is one of the hexes of enemies")
    assert clause.place == "held (kit.py:2)"


def test_rules_given_by_name_and_what_may_be_replaced(tmp_path: Path) -> None:
    rules = 'def bars(facts):\n    """Rule: 10.1"""\n    yield from bars_by_phase(facts, "movement", rule="10.1")\n'
    (clause,) = clauses_of(tmp_path, rules)
    assert (clause.rules, clause.when) == (("10.1",), ("the present phase is not movement",))
    rules = """
def bars(late):
    'Rule: 3.3'
    said = [step("3.3", "it is so")]
    if late:
        said = []
    return [*said, step("3.3", "it is there")]
"""
    replaced, other = clauses_of(tmp_path, rules)
    assert (replaced.says, replaced.unsaid) == (("it is so",), (("rules.py", 6),))
    assert (other.says, other.unsaid) == (("it is there",), ())


@pytest.mark.parametrize("call", ['held(around, "7.1")', "held(around)", 'len("6.5")'])
def test_a_call_without_the_function_s_own_rule_has_no_clause(tmp_path: Path, call: str) -> None:
    assert clauses_of(tmp_path, f'def bars(around: Around):\n    """Rule: 6.5"""\n    return {call}\n') == []


TABLE = '''
TRAIN = "KG Train"
ATTACK: Mapping[str, str] = {"attack": "cannot attack"}
STILL = {**ATTACK, "move": "never moves"}


class Status:
    id: str
    half: bool
    """Whether it bears a 1/2 marker."""


HALF = UnitBar("8.2.5", "bears a 1/2 marker", attrgetter("half"), ATTACK)
BARS = (UnitBar("22.5.1", "is the Train", lambda each: each.id == TRAIN, STILL), HALF, OTHER)


def bars(unit: Status, doing):
    """Yield all that bars a unit. Rule: 3.5.1"""
    return (bar for bar in BARS if bar.holds(unit))


def words(doing):
    """Return the words of bars."""
    return [bar.words for bar in BARS]
'''


def test_the_bars_of_a_table_stand_under_their_rules(tmp_path: Path) -> None:
    clauses = clauses_of(tmp_path, TABLE)
    assert [(clause.rules, clause.when, clause.says) for clause in clauses] == [
        (("22.5.1",), ("the unit is KG Train",), ("it is the Train",)),
        (("8.2.5",), ("the unit bears a 1/2 marker",), ("it bears a 1/2 marker",)),
    ], "once each, for the function that applies a rule"
    functions = read_proof(tmp_path, {}).functions
    assert [function.borne for function in functions] == [("22.5.1", "8.2.5")]


HEAD = """def bars(late: bool, far: bool, hexes, arm: str):
    '''Yield what bars a unit.

    `late`: whether it is late

    `far`: whether it is far

    `hexes`: hexes that count

    Rule: 3.3
    '''
"""
FIRST = HEAD.count("\n") + 1
"""The line of the body's first statement."""
LATE, NOT_LATE, NOT_FAR = "it is late", "it is not late", "it is not far"
EITHER = "either it is not late, or it is not far"


def conditions_of(folder: Path, body: str) -> list[tuple[str | int, ...]]:
    """The conditions of each clause of a function, those without words by their line in the body."""
    lines = [f"    {line}\n" for line in body.strip("\n").split("\n")]
    (folder / "rules.py").write_text(f"{HEAD}{''.join(lines)}", "utf-8")
    clauses = read_proof(folder, {}).clauses
    return [(*clause.when, *(line - FIRST for _, line in clause.unsaid)) for clause in clauses]


SAY = 'yield HexBar("3.3", "it is so")'


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        (f"if late:\n    return\nelif far:\n    return\n{SAY}", [(NOT_LATE, NOT_FAR)]),
        (f"if late:\n    return\nelse:\n    mark()\n{SAY}", [(NOT_LATE,)]),
        (f"if late:\n    mark()\nelse:\n    return\n{SAY}", [(LATE,)]),
        (f"if late:\n    if far:\n        return\n{SAY}", [(EITHER,)]),
        (f"if late:\n    mark()\n{SAY}", [()]),
        (f"if late:\n    mark()\nelse:\n    {SAY}", [(NOT_LATE,)]),
        (f"if late:\n    raise CodeError('no such word')\n{SAY}", [()]),
        (f"if late:\n    raise InputError('at: no such hex')\n{SAY}", [()]),
        (f"if late:\n    raise ValueError\n{SAY}", [(NOT_LATE,)]),
        (f'if arm not in ("", "supply"):\n    {SAY}', [(0,)]),
        (f'if arm not in ("", "supply", "depot"):\n    {SAY}', [(0,)]),
        (f"if late and far:\n    return\nif late:\n    {SAY}", [(EITHER, LATE)]),
        (f"if late:\n    if late and far:\n        return\n    {SAY}", [(LATE, NOT_FAR)]),
        (f"while late:\n    {SAY}", [(LATE,)]),
        ('return late and step("3.3", "it is so")', [(LATE,)]),
        ('return late or step("3.3", "it is so")', [(NOT_LATE,)]),
        ('return late and not far and step("3.3", "it is so")', [(LATE, NOT_FAR)]),
        (f"for at in hexes:\n    if late:\n        return\n{SAY}", [(0,)]),
        (f"for at in hexes:\n    if late:\n        break\nelse:\n    {SAY}", [(0,)]),
        (f"for at in hexes:\n    if late:\n        continue\n    {SAY}", [(0, 1)]),
        (
            f'match arm:\n    case "supply":\n        {SAY}\n    case "depot" | "train":\n        {SAY}\n    case _:\n        {SAY}',
            [
                ("the arm is supply",),
                ("either the arm is depot, or the arm is train",),
                ("the arm is not supply", "the arm is not depot", "the arm is not train"),
            ],
        ),
        (
            f'match arm, late:\n    case "supply", True:\n        return\n{SAY}',
            [("either the arm is not supply, or it is not late",)],
        ),
        (f'match arm:\n    case "supply" if late:\n        {SAY}', [("the arm is supply", LATE)]),
        (f"match arm:\n    case [first, *_]:\n        {SAY}", [(1,)]),
        (f"try:\n    read()\nexcept InputError:\n    return\nelse:\n    {SAY}", [(2,)]),
        (f"try:\n    read()\nexcept InputError:\n    {SAY}", [(2,)]),
        (f"try:\n    read()\nexcept InputError:\n    return\n{SAY}", [(0,)]),
        (f"while late:\n    if far:\n        return\n{SAY}", [(0,)]),
        (f"if late:\n    def inner():\n        {SAY}", [(LATE,)]),
    ],
)
def test_every_condition_is_stated_or_named_by_its_line(
    tmp_path: Path, body: str, conditions: list[tuple[str | int, ...]]
) -> None:
    assert conditions_of(tmp_path, body) == conditions


@pytest.mark.parametrize(
    ("statement", "denied"),
    [
        ("it is in Rail Mode", "it is not in Rail Mode"),
        ("the way may leave the map", "the way may not leave the map"),
        ("it has an AP", "it has no AP"),
        ("it has two units in the hex", ""),
        ("the unit has retreated", "the unit has not retreated"),
        ("the hex lies at an edge of the map", "the hex does not lie at an edge of the map"),
        ("there is a bridge", "there is no bridge"),
        ("enemies stand in the hex", "no enemies stand in the hex"),
        ("an enemy unit is adjacent to it", "no enemy unit is adjacent to it"),
        ("it is infantry or cavalry", "it is neither infantry nor cavalry"),
        ("every unit is infantry", ""),
        ("it is a Major or Grand River", ""),
        ("a unit of the stack is fixed", ""),
        ("the unit that leads is fixed", ""),
    ],
)
def test_a_denial_is_the_opposite_or_there_is_none(statement: str, denied: str) -> None:
    assert deny_statement(statement) == denied


@pytest.mark.parametrize(
    ("docstring", "summary", "statement"),
    [
        ("Return whether a hex is late. Rule: 3.3", "whether a hex is late", "a hex is late"),
        (
            "Whether it counts: it has an AP, or needs none.",
            "Whether it counts: it has an AP, or needs none",
            "it counts",
        ),
        ("The bridge is blown.", "The bridge is blown", "the bridge is blown"),
        (
            "Whether it is one unit, which\nmay use roads.\n\nMore.",
            "Whether it is one unit, which may use roads",
            "it is one unit, which may use roads",
        ),
        ("Return whether it goes. far: hexes to it.", "whether it goes", "it goes"),
    ],
)
def test_what_a_docstring_says(docstring: str, summary: str, statement: str) -> None:
    assert (summary_of(docstring), statement_of(docstring, is_fact=True)) == (summary, statement)


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ('the corps of a unit, or "" for an independent one; its army', "the corps of a unit; its army"),
        ("the worth of a unit; raises InputError for an Abteilung", "the worth of a unit"),
        ("what a unit costs, in steps", "what a unit costs, in steps"),
    ],
)
def test_what_a_docstring_says_to_developers_alone_is_left_out(summary: str, said: str) -> None:
    assert drop_codes(summary) == said


def test_a_note_names_a_thing_without_an_article() -> None:
    assert noun_of("hexes that it cuts", is_field=True) == "the hexes that it cuts"
    assert noun_of("as it was stated", is_field=True) == ""


@pytest.mark.parametrize(
    ("noun", "there", "gone"),
    [
        ("the hexes that it cuts", "there are hexes that it cuts", "there are no hexes that it cuts"),
        ("the army", "there is an army", "there is no army"),
        ("the Headquarters", "there is a Headquarters", "there is no Headquarters"),
        ("the hexes near the unit", "there are hexes near the unit", "there are no hexes near the unit"),
    ],
)
def test_existence(noun: str, there: str, gone: str) -> None:
    assert (say_existence(noun, exists=True), say_existence(noun, exists=False)) == (there, gone)


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("the losses", "the losses are more than 0"),
        ("2 times the losses", "2 times the losses are more than 0"),
        ("2 times the strength", "2 times the strength is more than 0"),
    ],
)
def test_verbs_agree_with_their_things(noun: str, said: str) -> None:
    assert make_agree(noun, "is more than 0") == said


@pytest.mark.parametrize(
    ("text", "is_sentence", "is_phrase"),
    [
        ("the unit is in supply", True, True),
        ("what lies on it, or beside it", True, True),
        ("the combat that it was in, if it was", True, False),
        ("unless it is not in supply", True, False),
        ("unless it is in supply", True, True),
        ("a bridge lies there, as far as is stated", True, False),
        ("the ruling on bridges holds", True, False),
        ("the side is the side", True, False),
        ("what an effect may do to a side, or by", False, False),
        ("the unit's hex", True, True),
        ('"" for none', False, False),
        ('the fact "attacked', False, False),
        ("the row of of the country", False, False),
        ("it is in great_river", False, False),
        ("the hex, in order:", False, False),
        ("", False, False),
    ],
)
def test_torn_phrases_and_code_are_told_from_sentences(text: str, is_sentence: bool, is_phrase: bool) -> None:
    assert (is_whole(text), is_plain(text)) == (is_sentence, is_phrase)


@pytest.mark.parametrize(
    ("words", "is_thing"),
    [
        ("the unit", True),
        ("the Victory Points of the side", True),
        ("unit", False),
        ("whether it is late", False),
        ("its hex or box", True),
        ("the hex, or a box", False),
        ("the hexes that they cross", False),
        ("the one that is the nearest of all those hexes", False),
    ],
)
def test_a_noun_has_an_article_and_few_words(words: str, is_thing: bool) -> None:
    assert is_noun(words) == is_thing


@pytest.mark.parametrize(
    ("docstring", "noun"),
    [
        ("Return the hex of its marker, None if it has none.", "the hex of its marker"),
        ("How many divisions stand there.", "the number of divisions that stand there"),
        ("Return whether it is late.", ""),
    ],
)
def test_things(docstring: str, noun: str) -> None:
    assert noun_of(docstring) == noun
