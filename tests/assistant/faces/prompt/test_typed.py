"""Lines as people type them at first: understood, or answered with the line that would be right, and none misread in silence."""

from __future__ import annotations

import random

import pytest

from assistant.faces.prompt.phrases import phrases_of
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.faces.prompt.terminal import complete_line
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed.registry import load_game

from ....cases import thorough
from .typed import GAMES, Row, answered, fits, rows, session_at

_LEAST = 0.9
"""The share of lines that are answered rightly, at least."""


@pytest.mark.parametrize("name", [pytest.param("typed.tsv", marks=pytest.mark.thorough), "typed_since.tsv"])
def test_lines_as_people_type_them_are_understood_or_answered_with_the_line_that_is_right(name: str) -> None:
    typed = rows(name)
    answers = {row: answered(row) for row in typed}
    wrong = [row for row in typed if not fits(row, answers[row])]
    assert len(wrong) <= (1 - _LEAST) * len(typed), "\n".join(f"{row.line}: {answers[row]}" for row in wrong)
    assert [row for row in wrong if answers[row].startswith("=")] == []  # misread in silence


@pytest.mark.parametrize("name", GAMES)
def test_the_phrases_of_a_game_are_read(name: str) -> None:
    assert phrases_of(load_game(GAMES[name])).phrases


def answer(game: str, situation: str, line: str) -> str:
    return answered(Row(game, situation, line, "", ""))


COMMON = {
    "need": {"twilight": "need 3:1 at=41.19", "kaiser": "need 300 at=2720", "undone": "need 3:1 at=5421"},
    "turn": {"twilight": "turn=3", "kaiser": "turn=3", "undone": "turn=3", "weltkrieg": "turn=sep14/3"},
    "side": {"twilight": "phasing=russian", "kaiser": "phasing=allies", "undone": "phasing=russian"},
    "attack": {"twilight": "41.19 < 40.20", "kaiser": "2720 < 2620", "undone": "5421 < 5420"},
    "put": {"twilight": "40.21 25/3", "kaiser": "2622 Rus-2", "undone": "5522 III/25", "weltkrieg": "3710 36"},
    "supply": {"twilight": "supply 25/3", "kaiser": "supply Rus-2", "undone": "supply III/25"},
    "reach": {"twilight": "reach 25/3", "kaiser": "reach Rus-2", "undone": "reach III/25"},
    "retreat": {
        "twilight": "retreat at=40.20 units=25/3 hexes=2",
        "kaiser": "retreat units=Rus-2 hexes=2",
        "undone": "retreat units=III/25 hexes=2",
    },
    "lost": {"twilight": "25/3 lost=2", "weltkrieg": "36 lost-strength=2"},
    "off": {"twilight": "off 25/3", "kaiser": "off Rus-2", "undone": "off III/25", "weltkrieg": "off 36"},
    "terrain": {"twilight": "40.21 rough", "kaiser": "2622 rough", "undone": "5522 forest", "weltkrieg": "3710 rough"},
}  # fmt: skip
_HEXES = {
    "twilight": ("25/3", "40.21", "4119", "4020"),
    "kaiser": ("Rus-2", "2622", "2720", "2620"),
    "undone": ("III/25", "5522", "5421", "5420"),
    "weltkrieg": ("36", "3710", "3709", "3708"),
}
_SPOKEN = {
    "need": "what do I need for {odds} on {target}",
    "turn": "it is {date}",
    "side": "Russian player turn",
    "attack": "attack {target} from {source}",
    "put": "put the {unit} in {hex}",
    "supply": "is {unit} in supply?",
    "reach": "how far can {unit} go",
    "retreat": "retreat {unit} 2",
    "lost": "{unit} lost 2 steps",
    "off": "{unit} is destroyed",
    "terrain": "{hex} is {ground}",
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("word", _SPOKEN)
def test_what_one_game_takes_each_takes(game: str, word: str) -> None:
    """Or else it says what the game has not."""
    unit, place, target, source = _HEXES[game]
    line = _SPOKEN[word].format(
        unit=unit,
        hex=place,
        target=target,
        source=source,
        odds="300%" if game == "kaiser" else "3:1",
        date="Sept turn 3" if game == "weltkrieg" else "Game Turn 3",
        ground="woods" if game == "undone" else "rough",
    )
    said = answer(game, "position", line)
    assert said == COMMON[word][game] if game in COMMON[word] else said.startswith("!"), said


@pytest.mark.parametrize(("game", "situation"), [("twilight", "battle"), ("kaiser", "battle"), ("undone", "battle")])
def test_dice_are_typed_alike_in_every_game(game: str, situation: str) -> None:
    assert answer(game, situation, "rolled a five") == "5"
    assert "the roll of" in answer(game, situation, "it went badly for me")
    assert answer(game, situation, "roll for me please").startswith("!! it throws no dice")


@pytest.mark.parametrize("dash", "-\u2013\u2014\u2212\u2011")
def test_every_dash_is_a_dash(dash: str) -> None:
    said = answer("twilight", "position", f"40.18 29/20 10{dash}11{dash}5{dash}10")
    assert "29/20 defence=11" in said


@pytest.mark.parametrize("quotes", ['""', "\u201c\u201d", "\u201e\u201c"[1:] * 2])
def test_every_quotation_mark_is_one(quotes: str) -> None:
    session = session_at("twilight", "position")
    session.enter(f"39.20 {quotes[0]}2 rf/22{quotes[-1]}")
    assert session.table.position.state.units["2 rf/22"].place == "39.20"


@pytest.mark.parametrize(
    ("game", "typed", "expected"),
    [
        ("twilight", "turn=20 aug", "turn=2"),
        ("twilight", "turn 20 aug", "turn=2"),
        ("twilight", "aug 20", "turn=2"),
        ("twilight", "20.8.1914", "turn=2"),
        ("twilight", "14 sept", "!! 14 Sep may be turn 13 to 16"),
        ("kaiser", "14 sept", "turn=2"),
        ("kaiser", "December 1915", "turn=13"),
        ("weltkrieg", "sept turn 3", "turn=sep14/3"),
        ("weltkrieg", "14 sept", "!! sep14 is a month"),
        ("undone", "14 sept", "!! the turn of 14 Sep is not known"),
    ],
)
def test_a_date_is_the_turn_that_it_falls_into(game: str, typed: str, expected: str) -> None:
    assert answer(game, "empty", typed).startswith(expected)


@pytest.mark.parametrize(
    ("situation", "typed", "expected"),
    [
        ("position", "attack 4119 from 4020", "41.19 < 40.20"),
        ("position", "4119 attacked from 4020", "41.19 < 40.20"),
        ("battle", "crt 7", "7"),
        (
            "battle",
            "fortress",
            "!! a line cannot begin with 'fortress' it is a fact about a unit; write: UNIT fortress",
        ),
        ("battle", "need 3:1", "="),
        ("battle", "need 3-1 please", "need 3:1"),
        ("position", "retreat 1/1 2", "retreat at=41.19 units=1/1 hexes=2"),
        ("position", "1st division of I corps in 41.18", "41.18 1/1"),
        ("position", "the 25th of III goes to 40.21, please", "25/3 > 40.21"),
    ],
)
def test_lines_by_name(situation: str, typed: str, expected: str) -> None:
    assert answer("twilight", situation, typed).startswith(expected)


@pytest.mark.parametrize(
    ("situation", "typed", "fault"),
    [
        ("position", "9999 25/3", "hex 99.99 is off the map"),
        ("position", "attack 9999 from 4020", "hex 99.99 is off the map"),
        ("position", "attack 4119 from 4021", "no unit stands in 40.21"),
        ("position", "40.20: 25/3, 1/1", "40.20 holds units of different sides"),
        ("position", "25/3 rduced", "did you mean reduced"),
        ("battle", "1", "crt: 1 is impossible on 2d6"),
        ("battle", "2 5 3 4", "could be 2 for"),
        ("two losses", "27/3", "1 unit is named, but 2 are needed"),
        ("position", "help xyzzy", "there is no help on 'xyzzy'"),
        ("position", "undo 2", "`undo` takes nothing after it"),
    ],
)
def test_a_refusal_that_says_what_is_wrong_stays(situation: str, typed: str, fault: str) -> None:
    said = answer("twilight", situation, typed)
    assert said.startswith("!! ") and fault in said


@pytest.mark.parametrize(
    ("game", "line", "meant"),
    [
        ("twilight", "41.19 < 40.20r 25/3", "'r' may mean ridge or"),
        ("twilight", "41.19 < 40.20 r 25/3", "or rough in the hex"),
        ("twilight", "41.19 < 40.20 c", "'c' may mean causeway on the hexside, or clear in the hex"),
        ("kaiser", "2720 < 2620 r", "'r' may mean river on the hexside, or rough in the hex"),
    ],
)
def test_a_letter_means_the_same_on_both_sides_of_the_sign_or_is_asked_about(game: str, line: str, meant: str) -> None:
    said = answer(game, "position", line)
    assert said.startswith("!! ") and meant in said


def test_a_terrain_before_a_unit_is_the_ground() -> None:
    assert "3710 mountain" in answer("weltkrieg", "position", '3710 mountain "GE 8BR Mtn"')


def test_several_lines_are_entered_one_after_the_other() -> None:
    session = session_at("twilight", "position")
    assert session.enter("both 25 and 27 are flipped") == [
        "? did you mean `25/3 reduced`, then `27/3 reduced`? (y or n)"
    ]
    session.enter("y")
    state = session.table.position.state
    assert [state.facts["reduced", unit].value for unit in ("25/3", "27/3")] == [True, True]


def test_chat_gets_a_hint_of_what_to_type() -> None:
    game = load_game(GAMES["twilight"])
    session = Session(TableState(Position(game, build_state(game))), 200)
    assert session.enter("nice weather we have today") != []
    assert session.enter("my cat sleeps beside the map") == [
        "! this is not understood",
        "  type HEX UNIT, UNIT FACT, a combat HEX < HEX, or a question; `help` shows each, `help WORD` what a word means",
    ]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.thorough if seed > 5 else ()) for seed in range(300)]
)
def test_any_words_get_an_answer_and_what_is_offered_changes_nothing(seed: int) -> None:
    """Ten lines a seed, of words of two lines that people typed, in any order."""
    chance, typed = random.Random(seed), rows("typed.tsv")
    for _ in range(10):
        of = [row for row in typed if row.game == chance.choice([*GAMES])]
        first, second = chance.choices(of, k=2)
        words = [*first.line.split(), *second.line.split()]
        line = " ".join(chance.sample(words, chance.randint(1, len(words))))
        session = session_at(first.game, first.situation)
        before = session.table
        said = session.enter(line)
        assert said, line
        assert session.table is before or not (session.fault or session.held), line


@thorough
def test_a_long_text_is_not_searched_for_a_meaning() -> None:
    assert answer("twilight", "position", "attack 41.19 from " * 400).startswith("!")


# --- what may be meant is offered, or the line comes back to be mended --------------------------------------------------


@pytest.fixture
def germans() -> Session:
    game = load_game(GAMES["twilight"])
    session = Session(TableState(Position(game, build_state(game))), 100)
    for line in ("turn=1", "41.19 clear 36/17 10-10-5-10 35/17 10-10-5-10", "40.20 clear 25/3 10-10-5-10"):
        session.enter(line)
    return session


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("36/XVII at 41.20", "41.20 36/17"),
        ("25/3: 10-10-5-10 at 40.21", "40.21 25/3 10-10-5-10"),
        ("28/XX lost 2 steps", "28/20 lost=2"),
        ("36/XVII and 35/XVII attack 40.20", "40.20 < 41.19"),
        ("attack 4119 \u2192 4020", "40.20 < 41.19"),
        ("atack 4020 form 4119", "40.20 < 41.19"),
        ("36/XVII attack\u2019s 40.20 from 4119", "40.20 < 41.19"),
        ("Is 25/3 in supply?", "supply 25/3"),
        ("how far can 25/3 go by road", "reach 25/3"),
        ("25/3 goes 40.20 40.21 41.21", "25/3 > 40.21 41.21"),
        ("gt 5", "turn=5"),
        ("35/XVII eliminated", "off 35/17"),
        ("scratch that", "undo"),
        ("what can I type", "help"),
    ],
)
def test_what_people_type_at_first_is_answered_with_the_line_that_says_it(
    germans: Session, typed: str, meant: str
) -> None:
    before = germans.table
    assert germans.enter(typed) == [f"? did you mean `{meant}`? (y or n)"]
    assert germans.table is before
    germans.enter("n")
    assert germans.table is before


def test_yes_enters_the_line_that_was_meant(germans: Session) -> None:
    germans.enter("36/XVII at 41.20")
    germans.enter("y")
    assert germans.table.position.state.units["36/17"].place == "41.20"


@pytest.mark.parametrize(
    ("typed", "before", "first"),
    [
        ("41.19 claer 1/1 12-16-7-11 < 40.20 25/3", "41.19 claer", "clear"),
        ("batle 41.19 40.20", "batle", "battle"),
    ],
)
def test_a_refused_line_comes_back_at_the_wrong_word(germans: Session, typed: str, before: str, first: str) -> None:
    germans.enter(typed)
    line, at = germans.returned
    assert (line, line[:at]) == (typed, before)
    assert complete_line(germans, before)[0][0] == first


def test_a_short_answer_or_a_line_that_was_entered_does_not_come_back(germans: Session) -> None:
    for line in ("zzz", "41.20 clear"):
        germans.enter(line)
        assert germans.returned == ("", 0)
