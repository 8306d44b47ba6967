"""The reference: every figure that a report can show is explained, and nothing else is."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from assistant.asking.reference import FIGURES, write_reference
from assistant.asking.report import Report, Verdict
from assistant.game.charts import ChartKey
from assistant.game.games import Game
from assistant.installed.registry import questions_of
from assistant.testing import unexplained
from assistant.util.errors import InputError

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
