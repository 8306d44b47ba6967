"""Shorthand: few keys become lines of notation."""

from __future__ import annotations

import re
from copy import copy

import msgspec
import pytest

from assistant.faces.prompt.shorthand.expansion import expand_line
from assistant.formats.positions import Asked, Position
from assistant.util.errors import InputError

from ....conftest import typed

EMPTY = typed("turn=1")
BATTLE = typed("""turn=1
40.20: 25/3 (10-?-5-10), 27/3
41.19 clear: 1/1 (12-16-7-11)
ask battle at=41.19 from=40.20""")


@pytest.mark.parametrize(
    ("line", "lines", "asked"),
    [
        pytest.param(
            "4119c 1/1 12-16-7-11 < 4020o 25/3 10--5-10 27/3 = 4019mi 29/20 = -3",
            [
                "41.19 clear: 1/1 (12-16-7-11)",
                "40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)",
                "40.20|41.19 open",
                "40.19: 29/20 (10-?-5-10) -3",
                "40.19|41.19 minor-river",
            ],
            {"at": "41.19", "from": "40.20,40.19"},
            id="a whole combat",
        ),
        pytest.param(
            "41.19 1/1<40.20 25/3 ap=3 dap=none",
            ["41.19: 1/1", "40.20: 25/3"],
            {"at": "41.19", "from": "40.20", "attacker-ap": "3", "defender-ap": "none"},
            id="known units and parameters",
        ),
        pytest.param(
            '4119 german artillery - "4 FA" 1-?-4-? < 4020 25/3',
            ['41.19: german artillery - "4 FA" (1-?-4-?)', "40.20: 25/3"],
            {"at": "41.19", "from": "40.20"},
            id="a unit without a size, as notation writes it",
        ),
        pytest.param("4119<", [], {"at": "41.19"}, id="whoever stands around"),
        pytest.param(
            "4119 g 901/91 4-4-1-7 < 4020 ru cavalry 8/8",
            ["41.19: german infantry? XX? 901/91 (4-4-1-7)", "40.20: russian cavalry XX? 8/8"],
            {"at": "41.19", "from": "40.20"},
            id="units that no roster knows, as usual",
        ),
        pytest.param(
            "4119 1/1 < 4020 25/3 99/9",
            ["41.19: 1/1", "40.20: 25/3, russian infantry? XX? 99/9"],
            {"at": "41.19", "from": "40.20"},
            id="of the nation of the one before",
        ),
        pytest.param(
            "4119 1/1 <4020o -1 25/3 10-10-5-10 27/3 =",
            ["41.19: 1/1", "40.20: 25/3 (10-10-5-10) -1, 27/3 (10-10-5-10) -1", "40.20|41.19 open"],
            {"at": "41.19", "from": "40.20"},
            id="a fact for all units of an attacking hex",
        ),
        pytest.param(
            '4119 1/1 < 4020 25/3 "Redoubt"',
            ["41.19: 1/1", "40.20: 25/3, russian infantry? XX? Redoubt"],
            {"at": "41.19", "from": "40.20"},
            id="a unit with the name of a word stands in quotes",
        ),
        pytest.param(
            "4119 99/9 < 4020 1/1",
            ["41.19: infantry? XX? russian? 99/9", "40.20: 1/1"],
            {"at": "41.19", "from": "40.20"},
            id="the only enemies of those they fight",
        ),
        pytest.param(
            "4119 25/3 < 4020 99/9",
            ["41.19: 25/3", "40.20: infantry? XX? 99/9"],
            {"at": "41.19", "from": "40.20"},
            id="two nations fight them",
        ),
    ],
)
def test_a_combat_on_one_line(line: str, lines: list[str], asked: dict[str, str]) -> None:
    found = expand_line(line, EMPTY)
    assert list(found.lines) == lines
    assert found.asked and dict(found.asked.parameters) == asked
    assert found.asks_new_question


STACKS = typed("40.20: 25/3, 27/3\n40.19: 29/20")
FORT = typed('41.19: german infantry XX "Fort" (2-3-4-5)')
TRAIN = typed('turn=1\n42.19: "German 1 Train"\n41.19 clear: 1/1')
KAISER = typed("game kaisers-war-in-the-east")


@pytest.mark.parametrize(
    ("position", "line", "lines"),
    [
        (EMPTY, "29/20 -4", ["29/20 -4"]),
        (EMPTY, "29/20 su=low", ["29/20 supply=low"]),  # no flag such as supply-symbol takes a value here
        (EMPTY, "29/20 redu=no", ["29/20 reduced=no"]),
        (EMPTY, "1/1 12-16-7-11 cel=-2", ["1/1 (12-16-7-11) cel=-2"]),
        (EMPTY, "4119 r", ["41.19 rough"]),
        (EMPTY, "4119r", ["41.19 rough"]),
        (EMPTY, "4119 r?", ["41.19 rough?"]),
        (EMPTY, "4218 27/3 8-4-2-9", ["42.18: 27/3 (8-4-2-9)"]),
        (EMPTY, "4020|4119 mi", ["40.20|41.19 minor-river"]),
        (EMPTY, "4020 | 4119 mi", ["40.20|41.19 minor-river"]),
        (EMPTY, "40.20 |41.19 minor-river", ["40.20|41.19 minor-river"]),
        (EMPTY, "t=5 w=freeze", ["turn=5 weather=freeze"]),
        (EMPTY, "ruling flip-point=half-down", ["ruling flip-point=half-down"]),
        (BATTLE, "ruling supply-rounding = a>b", ["ruling supply-rounding = a>b"]),  # no sign of a move
        (EMPTY, "4119 r   # as the map has it", ["41.19 rough"]),
        (EMPTY, "4119: 1/1, 2/1", ["41.19: 1/1, 2/1"]),
        (EMPTY, '4119c cel?: "1/1" -2', ['41.19 clear cel?: "1/1" -2']),
        (EMPTY, '4119 "a b": 1/1', ['41.19 "a b": 1/1']),
        # short words, and names however they are written
        (EMPTY, "4119 Lotzen", ["41.19: Lötzen"]),
        (EMPTY, "4119 20 lw 5-6-1-8", ['41.19: "20 lw" (5-6-1-8)']),
        (EMPTY, "4119 1 r/1 R, 20 lw", ['41.19: "1 r/1 R", "20 lw"']),
        (EMPTY, "4119 German 1 Train", ['41.19: "German 1 Train"']),
        (EMPTY, "4119 german 1 r/1 R", ['41.19: german "1 r/1 R"']),
        (EMPTY, "4119 1/1 german infantry", ["41.19: german infantry 1/1"]),
        (EMPTY, "4119 1/1 german -2 2/1", ["41.19: german 1/1 -2, german 2/1"]),
        (EMPTY, "4119ip2 1/1 cel-2", ["41.19 ip=2: 1/1 cel=-2"]),
        (EMPTY, "1/1 supply=l", ["1/1 supply=low"]),
        (EMPTY, "4119 control=ge", ["41.19 control=central-powers"]),
        (EMPTY, "4119 20lw", ['41.19: "20 lw"']),
        (EMPTY, "40.20: 25/3; 41.18: 2/1", ["40.20: 25/3", "41.18: 2/1"]),
        (EMPTY, '43.18: "german 1 TRAIN"', ['43.18: "German 1 Train"']),
        (EMPTY, "phasing=ru", ["phasing=russian"]),
        (EMPTY, "side ru", ["side russian"]),
        (EMPTY, 'army "german Eighth" plan', ['army "central-powers Eighth" plan']),
        (FORT, "4119 Fort", ['41.19: "Fort"']),  # a unit whose name is a word, where nothing else fits
        (FORT, "4119 fort 2-3-4-5", ['41.19: "Fort" (2-3-4-5)']),
        (FORT, "4119 fort 1/1", ["41.19: fort 1/1"]),
        (BATTLE, "25/3 cav", ["25/3 cavalry"]),
        (BATTLE, "25/3 10-10-5-10 X ru", ["25/3 (10-10-5-10) X russian"]),
        (KAISER, "3030m", ["3030 mountain"]),  # and not map-edge: the letters of a network come first
        (KAISER, "3030 w", ["3030 marsh"]),
        # a nation where one can stand, by its first letters or its initials; `ru` is no ruined position
        (EMPTY, "4119 ru 99/9", ["41.19: russian infantry? XX? 99/9"]),
        (EMPTY, "4119 ge 99/9", ["41.19: german infantry? XX? 99/9"]),
        (EMPTY, "4119 ah 99/9", ["41.19: austro-hungarian infantry? XX? 99/9"]),
        (EMPTY, "4119 a-h cavalry 99/9", ["41.19: austro-hungarian cavalry XX? 99/9"]),
        (EMPTY, "4119 r ru 99/9", ["41.19 rough: russian infantry? XX? 99/9"]),
        (EMPTY, "4119 rui", ["41.19 ruined"]),
        (EMPTY, "side ru whole-network", ["side russian whole-network"]),
        (EMPTY, "nation ah field-railways=2", ["nation austro-hungarian field-railways=2"]),
        # a fact behind a hex holds for its stack
        (STACKS, "4020 prepared=4119 25/3 27/3 cel=-1", ["40.20: 25/3 prepared=4119, 27/3 prepared=4119 cel=-1"]),
        (STACKS, "4020 prepared=4119", ["40.20: 25/3 prepared=4119, 27/3 prepared=4119"]),
        (STACKS, "4020 cel -2", ["40.20: 25/3 cel=-2, 27/3 cel=-2"]),
        (STACKS, "4020 -2 25/3 27/3", ["40.20: 25/3 -2, 27/3 -2"]),
        (STACKS, "4020 reduced 25/3 27/3", ["40.20: 25/3 reduced, 27/3 reduced"]),
        (STACKS, "4020 reduced -2 25/3 -1 27/3", ["40.20: 25/3 reduced -1, 27/3 reduced -2"]),
        (STACKS, "4020 -2 +29/20", ["40.20: 25/3, 27/3, 29/20 -2"]),
        (STACKS, "4020 -2 cavalry reduced 25/3 27/3", ["40.20: cavalry 25/3 -2 reduced, 27/3 -2 reduced"]),
        (STACKS, "4020,4019 prepared=4119", ["40.20,40.19 prepared=4119"]),
        # a supply line
        (TRAIN, "line german 1 train: 4219 -road- 4119", ['line "German 1 Train": 42.19 -road- 41.19']),
        (TRAIN, 'line "German 1 Train": 42.19 -road- 41.19', ['line "German 1 Train": 42.19 -road- 41.19']),
        (TRAIN, "4219 -road- 4119", ['line "German 1 Train": 42.19 -road- 41.19']),
    ],
)
def test_facts_on_one_line(position: Position, line: str, lines: list[str]) -> None:
    found = expand_line(line, position)
    assert (list(found.lines), found.asked) == (lines, None)


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("-27/3", {"at": "41.19", "from": "40.20", "withhold": "27/3"}),
        ("-27/3 -25/3 +27/3", {"at": "41.19", "from": "40.20", "withhold": "25/3"}),
        ("< 4019 29/20", {"at": "41.19", "from": "40.20,40.19"}),
        ("ap=3,20", {"at": "41.19", "from": "40.20", "attacker-ap": "3,20"}),
        ("flanked=yes shift=1", {"at": "41.19", "from": "40.20", "flanked": "yes", "shift": "1"}),
    ],
)
def test_the_same_but(line: str, changed: dict[str, str]) -> None:
    found = expand_line(line, BATTLE)
    assert found.asked and dict(found.asked.parameters) == changed
    assert not found.asks_new_question


def test_the_same_but_of_another_question() -> None:
    retreat = msgspec.structs.replace(BATTLE, asks=(Asked("retreat", {"at": "40.20", "hexes": "1"}),))
    found = expand_line("way=4021,4022", retreat)
    assert found.asked == Asked("retreat", {"at": "40.20", "hexes": "1", "way": "40.21,40.22"})
    assert expand_line("< 4019 29/20 ap=3", BATTLE).asked


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("forced unit=25/3", Asked("forced-march", {"unit": "25/3"})),
        ("retreat at=4020 cause=ch", Asked("retreat", {"at": "40.20", "cause": "check"})),
        ("supply u=25/3", Asked("supply", {"unit": "25/3"})),
        ("sup 25/3", Asked("supply", {"unit": "25/3"})),
        ("supply-phase side=russian", Asked("supply-phase", {"side": "russian"})),
        ("recov 25/3 points=1", Asked("recover", {"unit": "25/3", "points": "1"})),
        ("stack 4020", Asked("stack", {"at": "40.20"})),
        ("sup 99/9", Asked("supply", {"unit": "99/9"})),
        ("supply 1 gdc", Asked("supply", {"unit": "1 gdc"})),
        ("recover 1 gdc points=3", Asked("recover", {"unit": "1 gdc", "points": "3"})),
        ("bat", Asked("battle", {"at": "41.19", "from": "40.20"})),
        ("batt", Asked("battle", {"at": "41.19", "from": "40.20"})),
        ("move 25/3 way=4021", Asked("move", {"units": "25/3", "way": "40.21"})),
    ],
)
def test_a_question_and_its_parameters_by_their_beginnings(line: str, asked: Asked) -> None:
    assert expand_line(line, BATTLE).asked == asked


def test_a_line_says_how_it_was_read() -> None:
    assert expand_line("4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019 29/20 -3 ap=3", EMPTY).read == (
        "41.19 clear 1/1 (12-16-7-11) < 40.20 open 25/3 (10-?-5-10), 27/3 (10-?-5-10); 40.19 29/20 -3 attacker-ap=3"
    )
    assert expand_line("29/20 -4", EMPTY).read == "29/20 -4"
    assert expand_line("-27/3", BATTLE).read == "battle withhold=27/3"
    assert expand_line("retreat at=4020 hexes=1", BATTLE).read == "retreat at=40.20 hexes=1"


def test_a_combat_may_be_typed_as_it_is_read_back() -> None:
    read = expand_line("4119c 1/1 <4020o 25/3 27/3 4019 29/20 -3", EMPTY).read
    assert read == "41.19 clear 1/1 < 40.20 open 25/3, 27/3; 40.19 29/20 -3"
    assert expand_line(read, EMPTY).read == read


def test_a_unit_leaves_the_map() -> None:
    assert expand_line("off 27/3 1/1", BATTLE).off == ("27/3", "1/1")


WORDS_FOR = (("army", "XXXX"), ("hq", "headquarters"), ("corps", "XXX"))
"""Words that players have for sizes and arms, with what a counter has."""


@pytest.mark.parametrize(
    ("position", "line", "message"),
    [
        (EMPTY, "27/3 rduced", "'rduced' is not a unit or a fact about one\n  did you mean reduced"),
        (EMPTY, "27/3 25/3", "'25/3' is not a fact about a unit"),
        (EMPTY, "4119 1/1 < 4020 25/3 rduced", "'rduced' is not a unit or a fact about one"),
        (EMPTY, "4119 1/1 < 4020 25/3 cell=-2", "'cell=-2' is not a unit or a fact about one"),
        (EMPTY, "4119 1/1 < 4020m 25/3", "'m' may mean major-river or minor-river"),
        (EMPTY, "4119x 1/1 <", "'x' is not a fact about a hex"),
        (EMPTY, "9919 1/1 <", "hex 99.19 is off the map"),
        (EMPTY, "1/1 < 4020 25/3", "'1/1' is not a hex"),
        (EMPTY, "4119 4118 < 4020", "two hexes before the <: 41.19 and 41.18"),
        (EMPTY, "< 4020 25/3", "no hex before the <"),
        (EMPTY, "4119 = < 4020", "= has no ratings to repeat"),
        (EMPTY, "4119 1/1 < 4020 25/3 = 4019 29/20", "= has no ratings to repeat"),
        (EMPTY, "retreat 4119 1", "retreat does not understand '1'\n  type retreat AT, and NAME=VALUE for the rest"),
        (EMPTY, "4119 german < 4020 25/3", "german needs a unit"),
        (EMPTY, "-27/3", "no question has been asked yet"),
        (EMPTY, "ap=3", "no question has been asked yet"),
        (EMPTY, "4119", "no fact given about 4119"),
        (EMPTY, "off 1/1", "1/1 is not on the map\n  leave it out"),
        (EMPTY, "1/1 4120", "a hex comes before its units: 41.20 1/1"),
        (EMPTY, "6017 konigs", 'did you mean "Königsberg main reserve"?'),
        (EMPTY, '4119 "1/1 <', "a quotation mark is not closed"),
        (EMPTY, '4119 german infantry XX "von ""A""" 3-3-3-3', "a name cannot contain a quotation mark\n  leave it out"),
        (EMPTY, "25/3 10-10-5-10 11-11-5-10", "25/3 has two sets of ratings: 10-10-5-10 and 11-11-5-10\n  leave out one"),
        (EMPTY, "4119 1/1 12-16-7-11 25/3 10-10-5-10 =", "25/3 has two sets of ratings"),
        (EMPTY, "27/3 cel -5", "combat effectiveness status: -5 is not allowed\n  allowed: a whole number from -4 to 0"),
        (EMPTY, "25/3 -", "'-' on its own is not understood\n  write -1 (steps lost) or size=- (size)"),
        (EMPTY, "25/3 prepared", "did you mean prepared=...?"),
        (EMPTY, "control=ge", "control is a fact about a hex\n  put the hex first: HEX control=..."),
        (EMPTY, "ba", "'ba' may mean battle\n  3 letters are enough"),
        (EMPTY, "su", "'su' may mean substitute or supply or supply-phase\n  type more letters"),
        (EMPTY, "sup zzz", "supply does not understand 'zzz'"),
        (EMPTY, "way=4021", "way is a parameter of retreat, "),
        (EMPTY, "army", "army needs a name and a fact\n  write army NAME FACT"),
        (EMPTY, "4119 1/1 < 4020 25/3 shfit=1", "parameter of battle\n  did you mean shift=1?"),
        (EMPTY, "sh=1", "parameter of battle\n  did you mean shift=1?"),
        (EMPTY, "flaned=yes", "parameter of battle\n  did you mean flanked=yes?"),
        (EMPTY, "4119 swmp 1/1 zz", "terrain is clear, rough, wetlands, mountain, high-mountain, sea; put a new unit in"),
        (BATTLE, "att at=4119", "'att' may mean attach or attachment or attacks"),
        (BATTLE, "4119 1/1 supply=", "supply status: '' is not allowed"),
        (BATTLE, "4119 1/1 h", "'h' may mean half or half-final or halted or heavy or high-trajectory"),
        (BATTLE, "retreat at=4119 cause=c", "'c' may mean check or crt"),
        (BATTLE, "4020 -2 -25/3", "no unit joins 40.20 for -2"),
        (TRAIN, "4220 -road- 4119", "no units stand in 42.20\n  name the line after its source: line UNIT: HEX -road- HEX ..."),
        *((KAISER, f"3030 german {word} 1/1", f"is not a unit or a fact about one\n  did you mean {meant}?") for word, meant in WORDS_FOR),
    ],
)  # fmt: skip
def test_what_cannot_be(position: Position, line: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        expand_line(line, position)
    assert message in str(error.value)


def test_the_word_that_is_at_fault_is_named() -> None:
    with pytest.raises(InputError) as error:
        expand_line("ap=3 6", BATTLE)
    assert str(error.value).startswith(
        "'6' is neither a fact nor a parameter of battle\n  separate several values by commas"
    )
    for line, meant in {
        "flank": "flanked=...",
        "attacker-a": "attacker-ap=... or attacker-ap-from=...",
        "ap 3": "ap=...",
    }.items():
        with pytest.raises(InputError, match="on its own is not understood") as error:
            expand_line(line, BATTLE)
        assert error.value.hint == f"write {meant}"
    supplied = msgspec.structs.replace(BATTLE, asks=(Asked("supply", {"unit": "25/3"}),))
    with pytest.raises(InputError) as error:
        expand_line("withhold=25/3", supplied, BATTLE.asks[0])
    assert str(error.value).endswith("not of supply\n  `battle` goes back to the combat")


def test_parameters_with_capitals() -> None:
    found = expand_line("AP=none Dap=1", BATTLE).asked
    assert found and found.parameters["attacker-ap"] == "none" and found.parameters["defender-ap"] == "1"


def test_few_letters_are_no_name_of_a_unit() -> None:
    with pytest.raises(InputError) as error:
        expand_line("25/3 no", EMPTY)
    assert "Grodno" not in str(error.value)


def test_a_game_without_combats_on_one_line() -> None:
    bare = copy(EMPTY.game)
    bare.file = msgspec.structs.replace(bare.file, table=None)
    with pytest.raises(InputError, match="does not take a combat on one line"):
        expand_line("4119 1/1 < 4020 25/3", msgspec.structs.replace(EMPTY, game=bare))


def test_a_unit_may_have_the_name_of_a_word_in_quotes() -> None:
    lying = typed('41.19: german infantry XX "XX" (2-3-4-5)\nask battle at=41.19 from=40.19')
    assert expand_line('4119 "XX" < 4019 25/3', lying).lines == ('41.19: "XX"', "40.19: 25/3")
    assert expand_line('"XX" -1', lying).lines == ('"XX" -1',)
    assert expand_line('4019 german infantry XX "X" 2-3-4-5', lying).lines == (
        '40.19: german infantry XX "X" (2-3-4-5)',
    )
    off = expand_line('-"XX"', lying).asked
    assert off and off.parameters["withhold"] == "XX"
    on = expand_line('+"XX"', msgspec.structs.replace(lying, asks=(off,))).asked
    assert on and "withhold" not in on.parameters


# --- names and beginnings wherever they may stand ---------------------------------------------------------------------


def test_a_unit_with_a_space_in_its_name_may_be_withheld_without_quotes() -> None:
    position = typed('turn=1\n40.20: 25/3\n40.19: "1 gdc", "2 gdc"\n41.19: 1/1\nask battle at=41.19 from=40.20,40.19')
    asked = expand_line("-1 gdc, -25/3", position).asked
    assert asked is not None
    assert asked.parameters["withhold"] == "1 gdc,25/3"


@pytest.mark.parametrize(
    ("line", "supply"),
    [
        ("2620 Rus-2 < 2621 AH-4 CP-supply-1 supply=CP-supply-1", {"supply": "CP-supply-1"}),
        ("2620 Rus-2 < 2621 AH-4 supply=out", {}),
    ],
)
def test_a_unit_behind_a_name_that_a_fact_has_too_is_the_parameter(line: str, supply: dict[str, str]) -> None:
    """In Kaiser's War `supply` is the state of a unit, and the supply unit that a battle expends."""
    expansion = expand_line(line, typed("game kaisers-war-in-the-east"))
    assert expansion.asked
    assert {name: value for name, value in expansion.asked.parameters.items() if name == "supply"} == supply
    assert any("supply=out" in line for line in expansion.lines) == (not supply)


def test_parameters_beside_one_of_several_stacks_count() -> None:
    said = expand_line("4119 r; 4020 25/3 -1 ap=3", BATTLE)
    assert said.lines == ("41.19 rough", "40.20: 25/3 -1")
    assert said.asked and dict(said.asked.parameters) == {"at": "41.19", "from": "40.20", "attacker-ap": "3"}
    assert said.typed == ("attacker-ap",)
    with pytest.raises(InputError, match="attacker-ap is given twice"):
        expand_line("4119 r ap=3; 4020 25/3 -1 ap=2", BATTLE)


EAST = typed("game world-undone-east-prussia-1914\nphase=first-combat\n5321: I/2")


def test_a_combat_may_attack_several_hexes_where_the_question_takes_them() -> None:
    expansion = expand_line("5420 III/25 5421 III/27 < 5321 open", EAST)
    assert list(expansion.lines) == ["5420: III/25", "5421: III/27", "5321|5420 open", "5321|5421 open"]
    assert expansion.asked == Asked("battle", {"at": "5420,5421", "from": "5321"})
    with pytest.raises(InputError, match="5421 is the attacked hex"):
        expand_line("5420 III/25 5421 III/27 < 5421 I/2", EAST)


@pytest.mark.parametrize(
    ("line", "lines", "asked"),
    [
        ("25/3>4021 4022", [], {"units": "25/3", "way": "40.21,40.22"}),
        ("25/3 27/3 > 40.21, 40.22", [], {"units": "25/3,27/3", "way": "40.21,40.22"}),
        ("25/3,27/3 > 4021-4022", ["40.21|40.22 rail1"], {"units": "25/3,27/3", "way": "40.21,40.22"}),
        (
            "25/3 > -4021r/4022",
            ["40.20|40.21 rail1", "40.21 rough", "40.21|40.22 open"],
            {"units": "25/3", "way": "40.21,40.22"},
        ),
        ("25/3 > 40.21 rough 40.22", ["40.21 rough"], {"units": "25/3", "way": "40.21,40.22"}),
        ("25/3 > 4020-4021", ["40.20|40.21 rail1"], {"units": "25/3", "way": "40.21"}),
        ("25/3 > 4020r/4021", ["40.20 rough", "40.20|40.21 open"], {"units": "25/3", "way": "40.21"}),
    ],
)
def test_a_move_on_one_line(line: str, lines: list[str], asked: dict[str, str]) -> None:
    expansion = expand_line(line, BATTLE)
    assert list(expansion.lines) == lines
    assert expansion.asked == Asked("move", asked)
    assert expansion.asks_new_question


def test_the_units_of_a_move_need_not_be_typed_again() -> None:
    moving = msgspec.structs.replace(BATTLE, asks=(Asked("move", {"units": "25/3,27/3", "way": "40.21"}),))
    assert expand_line(">4021 4022", moving).asked == Asked("move", {"units": "25/3,27/3", "way": "40.21,40.22"})


def test_a_unit_that_is_called_like_a_fact_moves_without_quotes() -> None:
    """Such as a dummy that its owner has named Dummy."""
    position = typed('40.20: russian dummy - "Dummy", 25/3')
    for name in ("Dummy", "dummy", '"Dummy"'):
        assert expand_line(f"{name} > 4021", position).asked == Asked("move", {"units": "Dummy", "way": "40.21"})
    assert expand_line("Dummy 25/3 > 4021", position).asked == Asked("move", {"units": "Dummy,25/3", "way": "40.21"})
    with pytest.raises(InputError, match="'clear' is not a unit on the map"):
        expand_line("clear > 4021", position)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("25/3 >", "no hex after the >"),
        ("25/3 > 4020", "25/3 is in 40.20 already"),
        ("> 4021", "no unit before the >"),
        ("99/9 > 4021", "'99/9' is not a unit on the map"),
        ("25/3 99/9 > 4021", "'99/9' is not a unit on the map"),
        ("25/3 -> 4021", "'->' is not the sign of a move"),
        ("25/3 27/3 --> 4021", "'-->' is not the sign of a move"),
        ("march 25/3 4021", "'march' does not understand '4021'"),
        ("move 25/3, 27/3 4021 4022", "'move' does not understand '4021'"),
        ("25/7", "'25/7' is neither a hex nor a unit on the map"),
        ("25/3 > 4021-", "a hex is missing at the end"),
        ("4020 25/3 > 4021", "'>' is not understood"),
    ],
)
def test_what_is_not_a_move(line: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        expand_line(line, BATTLE)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("25/3 4021", "to march: 25/3 > 40.21; 40.21 25/3 only states where it stands"),
        ("29/20 4021", "type the line in that order"),
        ("25/3 27/3 -> 4021 4022", "a move has > alone: 25/3 27/3 > 40.21 40.22"),
        ("-> 4021", "a move is UNIT > HEX HEX ..., with what lies between the hexes if you wish: UNIT > -HEX/HEX"),
        ("march 25/3 4021", "a move has > before its hexes: 25/3 > 40.21"),
        ("move 25/3, 27/3 4021 4022", "a move has > before its hexes: 25/3 27/3 > 40.21 40.22"),
        ("25/4 > 4021", "nearest known: 25/3"),
        ("25-3", "nearest known: 25/3"),
    ],
)
def test_what_was_meant_for_a_move_is_shown_as_one(line: str, hint: str) -> None:
    with pytest.raises(InputError) as refused:
        expand_line(line, BATTLE)
    assert str(refused.value.hint) == hint
