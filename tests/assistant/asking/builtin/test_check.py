"""The question `check`: what was understood, and where it is other than on the drawn board."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.builtin.check import answer
from assistant.asking.question import answer_question
from assistant.asking.view import View
from assistant.game.states import Stated, build_state
from assistant.installed.registry import question_of
from assistant.state.state import Unit
from assistant.state.tracks import Fact

from ....conftest import typed
from ....folders import game_of


def others(text: str) -> dict[str, list[str]]:
    """The facts that `check` lists by what they are about, but for those of units."""
    position = typed(text)
    question, view = question_of(position.game, "check"), View(position.game, position.state)
    report = answer_question(question, view, question.parameters(), {})
    return {
        str(step.figures["subject"]): list(step.figures["facts"])  # type: ignore[call-overload]
        for part in report.parts
        if part.title == "Everything else"
        for step in part.steps
    }


def test_a_fact_that_contradicts_the_drawn_board_says_what_is_drawn_and_no_other_does() -> None:
    found = others("board east\n41.19 rough control=russian\n40.19|41.19 major-river no-rail")
    assert found == {
        "41.19": ["terrain rough (board: clear)", "control russian"],
        "40.19|41.19": ["barrier major-river (board: none)", "rail no-rail (board: rail2)"],
    }
    assert others("board east\n41.19 clear\n40.19|41.19 open rail2") == {
        "41.19": ["terrain clear"],
        "40.19|41.19": ["barrier open", "rail rail2"],
    }
    assert others("41.19 rough\n40.19|41.19 no-rail") == {"41.19": ["terrain rough"], "40.19|41.19": ["rail no-rail"]}


FILES = {
    "game.toml": 'title = "Heath"\nabout = "Made up."\n[grid]\n[sides]\nred = ["red"]\n',
    "tracks.toml": '[arm]\ntitle = "arm"\non = "unit"\nkind = "choice"\nvalues = ["foot", "horse"]\n'
    '[options]\ntitle = "options"\non = "game"\nkind = "choices"\nvalues = ["beer", "fog"]\n',
    "course.toml": '[turns]\noptions = ["options"]\n[[optional]]\noption = "beer"\nunits = { arm = "horse" }\n',
}


@pytest.mark.parametrize(
    ("options", "said"),
    [(None, []), (("fog",), ["only with an optional rule (options=beer): Sleipnir"]), (("beer",), [])],
)
def test_units_of_an_optional_rule_are_named_where_it_is_known_not_to_be_in_force(
    tmp_path: Path, options: tuple[str, ...] | None, said: list[str]
) -> None:
    """While it is not known which rules are in force, all else is checked."""
    game = game_of(tmp_path, FILES, "heath")
    stated = {("options", ""): Fact(options)} if options else {}
    state = build_state(
        game, Stated(units=[Unit("Sleipnir", "Sleipnir", None)], facts={("arm", "Sleipnir"): Fact("horse")} | stated)
    )
    steps = {part.title: [step.text for step in part.steps] for part in answer(View(game, state)).parts}
    assert steps["Not in force"] == said
