"""What `help WORD` says."""

from __future__ import annotations

import re

import pytest

from assistant.asking.wrapping import wrap_text
from assistant.faces.prompt.commands import COMMANDS
from assistant.faces.prompt.help_text import QUESTIONS, list_entries_typed, list_topics_of
from assistant.faces.prompt.help_words import explain_word
from assistant.faces.prompt.line_reading import read_line
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState, evaluate_table
from assistant.installed.registry import installed_games, questions_of
from assistant.util.errors import InputError

from ....cases import thorough
from ....conftest import typed

POSITION = typed("40.20: 29/20 -3")


def said(word: str) -> list[str]:
    return explain_word(POSITION, word, {name: command.meaning for name, command in COMMANDS.items()})


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("ip", "  typed: HEX ip=VALUE (a whole number from 0 to 4)"),
        ("low", "supply: supply status (rule 14.0)"),
        ("crt", "  typed: chart crt SEASON ODDS ROLL = attacker / defender"),
        ("forced", "  points=...: Movement Points beyond its allowance"),
        ("undo", "undo: undo the last line"),
        ("effectiv", "effectiveness: base combat effectiveness (rule 3.8.2)"),
        ("river", "  in a combat typed on one line: after the attacking hex"),
    ],
)
def test_each_kind_of_word_has_its_help(word: str, line: str) -> None:
    assert line in said(word)


def test_a_unit_says_what_is_known_of_it_and_from_where() -> None:
    (line,) = said("29/20")
    assert line.startswith("29/20: russian (rulebook), infantry (rulebook), XX (rulebook)")
    assert line.endswith(", -3")


def test_every_track_and_question_and_command_has_help() -> None:
    for word in (*POSITION.game.tracks, *questions_of(POSITION.game), *COMMANDS, *POSITION.game.charts):
        assert said(word)


def test_no_help_names_the_nearest_words() -> None:
    with pytest.raises(InputError) as error:
        said("wetlnds")
    assert error.value.hint == "nearest known: wetlands"


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("improved", "ip: level of the Improved Position"),
        ("withhold", "withhold=...: units of either side that stay out (of battle, need)"),
        ("victory", "victory: Victory Points of both sides, what objectives score, and who has won"),
        ("reinforcements", "rule 16.0: Reinforcement entry hex"),
        (
            "sequence",
            "turn: what is done, owed and possible in this phase, and who does what in the game turn, in order",
        ),
        ("withdrawals", "rule 16.5: Unit withdrawals (sequence)"),
        ("losses", "battle: the column, shifts, magnitude and chances of a combat, or its result with these dice"),
        ("forts", "rule 2.2e: Fortress unit meaning"),
    ],
)
def test_help_finds_what_the_index_of_a_rulebook_would(word: str, line: str) -> None:
    game = "kaisers-war-in-the-east" if word == "victory" else POSITION.game.id
    assert line in explain_word(typed(f"game {game}"), word, {})


@pytest.mark.parametrize("word", ["losses", "panic"])
def test_help_finds_a_question_by_what_players_wish_to_know_or_by_its_dice(word: str) -> None:
    kaisers_war = typed("game kaisers-war-in-the-east")
    assert any(line.startswith("battle: ") for line in explain_word(kaisers_war, word, {}))


@thorough
def test_help_on_a_rule_says_its_title_and_the_questions_that_carry_it_out() -> None:
    assert said("10.4.1")[0] == "rule 10.4.1, Flanked defender: in battle, need, attacks, threat and 1 more question"
    assert [line.partition(",")[0] for line in said("10.8")[:2]] == ["rule 10.8a", "rule 10.8b"], (
        "the rules under a number"
    )
    assert " more questions" in said("4.1")[0]
    assert said("1.2")[0].endswith(
        "Hex grid geometry: a fact of the game: its hexes are numbered so, and every distance follows the numbers"
    )
    with pytest.raises(InputError, match=r"there is no help on rule 99\.9"):
        said("99.9")


def test_a_rule_with_a_name_has_help_too() -> None:
    kaisers_war = typed("game kaisers-war-in-the-east")
    assert explain_word(kaisers_war, "CRT/shock", {})[0] == "rule CRT/shock, Shock CRT: in battle"


@pytest.mark.parametrize("game", ["twilight-in-the-east", "kaisers-war-in-the-east"])
def test_help_on_a_question_fits_a_screen(game: str) -> None:
    """24 lines of 80 columns."""
    position = typed(f"game {game}")
    for question in questions_of(position.game):
        lines = [part for line in explain_word(position, question, {}) for part in wrap_text(line, 80)]
        assert len(lines) <= 24, question


@pytest.mark.parametrize("game", ["twilight-in-the-east", "kaisers-war-in-the-east"])
def test_the_lines_that_help_shows_can_be_typed_and_make_a_possible_combat(game: str) -> None:
    """One after the other; with all that is said of the ground, the attack is not refused."""
    table = TableState(typed(f"game {game}\nturn=2"))
    lines = [part for line, _ in list_entries_typed(table.position) for part in line.split("   ") if part]
    said = [line for line in lines if not re.search(r"\.\.\.|^\?|^[0-9 +]*$|attack-|steps-", line)]
    assert len(said) >= 8
    combat, *further = said
    for line in (combat, *(line for line in further if " +" not in line and " -" not in line and "off" not in line)):
        table = read_line(table, line).table
        shown_now = evaluate_table(table)
        assert shown_now and shown_now.report.verdict.kind != "no", (line, shown_now and shown_now.verdict)


def test_help_on_a_hex_says_what_lies_in_it_and_around_it_and_how_that_is_known() -> None:
    position = typed("board east\n43.19 control=russian\n43.19: 25/3\n43.19|43.20 no-road")
    for word in ("4319", "43.19"):
        first, *more = explain_word(position, word, {})
        assert first.startswith("43.19: clear, country=german")
        assert "(drawn from geography)" in first
        assert "control=russian (stated)" in first
        assert "  to 43.20: minor-river (drawn from geography); no-road (stated)" in more
        assert more[-1] == "  units: 25/3"
    assert explain_word(position, "10.8", {})[0].startswith("rule 10.8a"), "the number of a rule is not of a hex"
    with pytest.raises(InputError, match="there is no help on rule 4400"):
        explain_word(position, "4400", {})


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("game", installed_games())
def test_help_lists_its_pages_each_of_which_fits_a_screen(game: str, width: int) -> None:
    """24 lines of 80 columns, and nothing wider on a narrow screen."""
    session = Session(TableState(typed(f"game {game}")), width)
    pages = {"help": session.enter("help"), "questions": session.enter("questions")}
    listed = [line.split()[1] for line in pages["help"] if line.startswith("  help ")]
    assert width < 80 or len(pages["help"]) == len(listed), "a line each"
    for page in listed[:-1]:
        pages[page] = session.enter(f"help {page}")
        assert not pages[page][0].startswith("!")
        assert width < 80 or len(pages[page]) <= 24, page
    assert max(len(line) for lines in pages.values() for line in lines) <= width


@pytest.mark.parametrize("width", [80, 40])
@pytest.mark.parametrize("game", installed_games())
def test_questions_lists_each_in_a_line_and_shows_one_in_full(game: str, width: int) -> None:
    session = Session(TableState(typed(f"game {game}")), width)
    *lines, _ = session.enter("questions")
    names = [*questions_of(session.game)]
    assert [line.split()[0] for line in lines] == names
    for name in names:
        assert session.enter(f"questions {name}")[0].startswith(f"{name}: ")
    assert session.enter("questions nonsense")[0] == "! there is no question 'nonsense'"


def test_no_page_of_help_hides_the_help_on_a_word() -> None:
    for name in installed_games():
        position = typed(f"game {name}")
        pages = list_topics_of(position, {"undo": ("undo", False), "save": ("save", True)})
        assert not {*pages} & {
            *position.game.tracks,
            *questions_of(position.game),
            *position.game.charts,
            *COMMANDS,
        } - {QUESTIONS}


def test_help_on_facts_shows_the_signs_of_what_lies_between_hexes() -> None:
    meanings = [meaning for _, meaning in list_topics_of(typed(""), {})["facts"].entries]
    (signs,) = (meaning for meaning in meanings if meaning.startswith("what lies between hexes"))
    assert signs.startswith("what lies between hexes, and in them: = rail2, - rail1, : road")


@pytest.mark.parametrize("word", ["line", "supply"])
def test_help_shows_the_signs_of_a_line(word: str) -> None:
    said = "\n".join(explain_word(typed(""), word, {}))
    assert "= rail2, - rail1, : road" in said
    assert "c clear" in said
