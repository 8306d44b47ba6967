"""The reference: every figure that a report can show is explained, and the rules of a game stand there by chapter."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from click.testing import CliRunner

from assistant.asking.reference import FIGURES, list_chapters, write_chapters, write_reference
from assistant.asking.report import Report, Verdict
from assistant.faces.cli.main import cli
from assistant.game.charts import ChartKey
from assistant.game.games import Game
from assistant.game.rule_faults import chapter_faults, with_chapters
from assistant.game.rule_index import chapter_of, is_under, rule_index
from assistant.installed.registry import installed_games, load_game, questions_of
from assistant.testing import unexplained
from assistant.util.errors import InputError

from ...cases import few, thorough
from ..rules.moor import FILES, moor

ROOT = Path(__file__).parents[3]
RULES = sorted((ROOT / "plugins" / "twilight_in_the_east").rglob("*.py"))
MESSAGES = tomllib.loads((ROOT / "plugins" / "twilight_in_the_east" / "messages.toml").read_text("utf-8"))
CORE = [
    file
    for folder in ("asking", "rules")
    for file in sorted((ROOT / "assistant" / folder).rglob("*.py"))
    if file.stem
    not in ("chapters", "comparison", "reference", "schemas")  # what these put together is no template of a report
]


@cache
def texts(file: Path) -> list[str]:
    """Every literal text of a module, docstrings aside; of f-strings what stands between their braces."""
    tree = ast.parse(file.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]


def names_in(text: str) -> set[str]:
    """The figures that a text has room for, nothing if it is no template."""
    try:
        fields = {field for _, field, _, _ in Formatter().parse(text) if field}
    except ValueError:
        return set()
    return {field for field in fields if re.fullmatch("[a-z_]+", field)}


@pytest.mark.parametrize("file", [*RULES, *CORE], ids=lambda file: file.stem)
def test_every_figure_of_a_template_is_explained(file: Path, twilight: Game) -> None:
    found = set[str]().union(*map(names_in, texts(file)))
    assert found - {"number"} <= set(FIGURES) | set(twilight.file.figures)


@pytest.mark.parametrize("file", CORE, ids=lambda file: file.stem)
def test_a_figure_of_the_assistant_needs_no_meaning_in_a_game(file: Path) -> None:
    found = set[str]().union(*map(names_in, texts(file)))
    assert found - {"number"} <= set(FIGURES)  # the number of a hex stands in the title of a choice


def test_what_is_explained_is_shown_somewhere(twilight: Game) -> None:
    every = [text for file in RULES for text in texts(file)]
    said = [text for texts_of in MESSAGES.values() for text in texts_of.values() if isinstance(text, str)]
    shown = set(every).union(*map(names_in, (*every, *said)))
    assert set(twilight.file.figures) - set(FIGURES) <= shown


def test_a_figure_that_nobody_explains_is_found(twilight: Game) -> None:
    verdict = Verdict("figure", "{column}", {"column": 1, "luck": 2})
    assert unexplained(Report[None](game="g", question="q", title="t", verdict=verdict), twilight) == {"luck"}


def test_a_wish_names_a_question_that_exists(twilight: Game) -> None:
    questions = dict(questions_of(twilight).items())
    lines = list(write_reference(twilight, questions))
    assert "| can it recover | `recover` | the verdict |" in lines
    fewer = {name: question for name, question in questions.items() if name != "recover"}
    with pytest.raises(InputError, match=r"\[wishes\] 'can it recover': no question 'recover'"):
        list(write_reference(twilight, fewer))


def test_the_keys_of_a_chart_are_named_with_their_values(twilight: Game) -> None:
    lines = list(write_reference(twilight, dict(questions_of(twilight).items())))
    for line in (
        "    - `magnitude`: Small, Medium, Large, Massive",
        "    - `roll`: 2 to 12",
        "    - `failed`: 1 to 12; the first and last also apply beyond",
    ):
        assert line in lines
    assert [key.takes for key in (ChartKey(name="k", odds=True), ChartKey(name="k"))] == [
        "odds such as 3:1",
        "a whole number",
    ]


def test_turns_are_told_kind_by_kind_and_event_by_event(twilight: Game) -> None:
    lines = list(write_reference(twilight, questions_of(twilight)))
    said = lines[lines.index("## Turns") :]
    assert "- `season`: 1-27: Summer (19.0); 28-47: Autumn (19.0)" in said
    dates = next(line for line in said if line.startswith("- `date`: "))
    assert "; 9: about 2 September 1914 (22.1.2); 10-11: about early September 1914 (22.1.2);" in dates
    assert "- `russian-rp`, Rail Points of russian: not stated" in said
    assert "| 10 | german | Ninth Army may be formed (campaign, until GT 21) | 22.2 |" in said
    assert "| 20 | all | printed IPs are now Level 4 | 13.5 |" in said


# --- the rules by chapter ---------------------------------------------------------------------------------------------

INDEX = """rule,kind,title,left_out
2.1,data,The map,a fact of the game: the board
4.1,compute,Odds,
4.1a,check,Who may attack,
4.2,sequence,Order of combats,in part: `order` lists them
4.3,data,Markers,
10.1,state,Morale,the players keep it
10.2,reminder,Rallying,
Opt/Fog,check,Fog,
Opt/Fog/1,check,Fog at night,
"""
CODE = '''from assistant.asking import declare


def odds():
    """The odds.

    Rule: 4.1, 4.1a, Opt/Fog
    """


def seen():
    """Who is seen.

    Rule: Opt/Fog, Opt/Fog/1, 4.1a, 10.2
    """


QUESTIONS = (declare("battle", "who wins", odds), declare("scout", "who is seen", seen))
'''
RULINGS = """id,rule,doubt,readings,default,authority
ties,4.1,Who wins a tie,blue: blue does; red: red does; none: nobody,blue,the letter
"""
ASKED = {"battle": "moor.combat", "scout": "moor.combat"}


def drill(folder: Path, chapters: str = "") -> Game:
    """A game with an index, code for two questions and a ruling. chapters: what its game.toml says of them."""
    tracks = FILES["tracks.toml"] + '[marked]\ntitle = "marker"\non = "hex"\nkind = "flag"\nrule = "4.3"\n'
    own = {"rules.csv": INDEX, "combat.py": CODE, "rulings.csv": RULINGS, "tracks.toml": tracks}
    return moor(folder, {**own, "game.toml": f"{FILES['game.toml']}{chapters}"})


CHAPTERS = '[chapters]\n2 = "Components"\n4 = "Combat"\n"Opt/Fog" = "Fog of War"\n10 = "Morale"\n'


def test_a_rule_says_who_applies_it(tmp_path: Path) -> None:
    lines = list(write_chapters(drill(tmp_path), ASKED))
    battle, scout = "[`battle`](reference.md#question-battle)", "[`scout`](reference.md#question-scout)"
    for line in (
        "| 2.1 | The map | a fact of the game: the board |",
        f"| 4.1 | Odds | {battle} |",
        f"| 4.1a | Who may attack | {battle}, {scout} |",
        "| 4.2 | Order of combats | in part: `order` lists them |",
        "| 4.3 | Markers | [fact to state](reference.md#tracks): `marked` |",
        "| 10.1 | Morale | left to the players: the players keep it |",
        f"| 10.2 | Rallying | {scout}; a reminder: the program says it at its time and does not judge it |",
        f"| Opt/Fog | Fog | {scout}, {battle} |",  # which is mostly about fog
    ):
        assert line in lines
    assert "9 rules: 4 computed, 2 facts, 1 reminder, 1 in part, 1 left to the players." in lines
    assert "1 rule: 1 fact." in lines
    assert "2 rules, all computed." in lines


def test_chapters_stand_in_their_order_with_their_headings(tmp_path: Path) -> None:
    """A game that names none has them by number, and those that it lacks come last."""
    plain = list(write_chapters(drill(tmp_path / "plain"), ASKED))
    assert [line for line in plain if line.startswith("## ")] == ["## 2", "## 4", "## 10", "## Opt"]
    named = drill(tmp_path / "named", chapters=CHAPTERS.replace('4 = "Combat"\n', ""))
    lines = list(write_chapters(named, ASKED))
    heads = ["## 2. Components", "## Fog of War", "## 10. Morale", "## 4"]
    assert [line for line in lines if line.startswith("## ")] == heads
    assert "| [Fog of War](#fog-of-war) | 2 | 2 |  |  |  |  |" in lines


def test_a_reading_says_what_is_in_doubt_and_how_to_take_another(tmp_path: Path) -> None:
    assert list(write_chapters(drill(tmp_path), ASKED)).count(
        "- 4.1: Who wins a tie: **blue does** (`blue`; the letter). Otherwise `ruling ties=red`, red does; or `ruling ties=none`, nobody."
    ) == 1  # fmt: skip


@pytest.mark.parametrize("words", [["reference", "{}", "--rules"], ["rules", "{}"], ["rules", "{}", "4.1"]])
def test_a_game_without_an_index_is_told_what_it_lacks(words: list[str], tmp_path: Path) -> None:
    folder = str(moor(tmp_path, {}).folder)
    done = CliRunner().invoke(cli, [word.format(folder) for word in words])
    assert (done.exit_code, done.stdout) == (3, "")
    said = "assistant: Moor has no rule index\n  add rules.csv to its folder: rule,kind,title,left_out\n"
    assert done.stderr == said


@pytest.mark.parametrize(
    ("rule", "chapter"),
    [
        ("1.2", "1"),
        ("10.8a", "10"),
        ("Opt/Fog/3", "Opt/Fog"),
        ("Opt/Air", "Opt"),
        ("5-12", "5"),
        ("CRT/shock", "CRT"),
        ("Option/3", "Option"),
    ],
)
def test_a_rule_belongs_to_the_longest_chapter_that_it_begins_with(rule: str, chapter: str) -> None:
    assert chapter_of(rule, ("1", "10", "Opt", "Opt/Fog")) == chapter


@pytest.mark.parametrize(
    ("rule", "number", "under"),
    [
        ("10.8a", "", True),
        ("10.8a", "10.8", True),
        ("10.8a", "10.8A", True),
        ("10.8", "1", False),
        ("10.8", "10.", True),
        ("Option/3", "Opt", False),
        ("opt/Fog", "Opt", True),
        ("10", "10.8", False),
    ],
)
def test_a_rule_lies_under_the_beginnings_of_its_number(rule: str, number: str, under: bool) -> None:
    assert is_under(rule, number) is under


def test_the_chapters_of_a_rule_are_all_that_it_lies_under() -> None:
    named = with_chapters(("10.8a", "Option/3"))
    assert {"10", "10.8", "10.8a", "Option", "Option/3"} <= named
    assert not {"", "1", "Opt"} & named


def test_a_game_that_names_chapters_names_them_all(tmp_path: Path) -> None:
    assert list(chapter_faults(drill(tmp_path / "none"))) == []
    assert [fault.what for fault in chapter_faults(drill(tmp_path / "few", chapters='[chapters]\n4 = " "\n10 = "Morale"\n'))] == [
        "[chapters] '4' has no title",
        "[chapters] has no '2'",
        "[chapters] has no 'Opt'",
    ]  # fmt: skip


# --- the installed games ----------------------------------------------------------------------------------------------


@thorough
@pytest.mark.parametrize("name", installed_games())
def test_every_rule_and_every_ruling_of_a_game_is_there_once(name: str) -> None:
    game = load_game(name)
    lines = list(write_chapters(game, questions_of(game).modules))
    rules = Counter(match[1] for line in lines if (match := re.match(r"\| ([^][| ]+) \| .* \| .+ \|$", line)))
    assert {rule: times for rule, times in rules.items() if rule not in ("---", "rule", "chapter")} == dict.fromkeys(
        (row.rule for row in rule_index(game)), 1
    )
    switches = Counter(found for line in lines for found in re.findall(r"Otherwise `ruling ([^=]+)=", line))
    assert switches == dict.fromkeys(game.rulings, 1)


@few(1)
@pytest.mark.parametrize("name", installed_games())
def test_every_chapter_of_a_game_has_its_heading_and_its_rules_in_order(name: str) -> None:
    game = load_game(name)
    chapters = list_chapters(game, questions_of(game).modules)
    assert [chapter.name for chapter in chapters if not chapter.title or not chapter.rules] == []
    numbers = [int(chapter.name) for chapter in chapters if chapter.name.isdigit()]
    assert numbers == sorted(numbers)
    for chapter in chapters:
        begin = [re.match(r"\d+(?:[.-]\d+)*", applied.row.rule) for applied in chapter.rules]
        places = [[int(part) for part in re.split("[.-]", found[0])] for found in begin if found]
        assert places == sorted(places), chapter.name


@pytest.mark.parametrize("name", installed_games())
def test_what_an_index_says_of_questions_names_those_that_there_are(name: str) -> None:
    game = load_game(name)
    known = {*questions_of(game), "[grid]", "[intelligence]"}
    named = {row.rule: set(re.findall("`([^`]+)`", row.left_out)) for row in rule_index(game)}
    assert {rule: words - known for rule, words in named.items() if words - known} == {}
