"""What an answer rests on that is not its owner's: what is read of a drawn map, how the answer says so, and how it becomes one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.asking import question
from assistant.asking import report as report_module
from assistant.asking.asks import asks_for_printed
from assistant.asking.placeholders import (
    Near,
    Placeholder,
    format_placeholder_mark,
    list_near,
    merge_placeholders,
)
from assistant.asking.question import PlaceName, Question, answer_question
from assistant.asking.report import Part, Report, Step, Verdict
from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.game.games import Game
from assistant.game.packs import Pack, overlay_pack
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError

from ...conftest import viewed
from ...folders import game_of

GAME = """title = "Mill"
about = "A made-up valley."
[grid]
columns = [1, 20]
rows = [1, 20]
"""
TRACKS = """
[terrain]
title = "terrain"
on = "hex"
kind = "choice"
values = ["clear", "swamp", "wood"]
token = "{}"
printed = "map"
rule = "3.1"

[barrier]
title = "barrier"
on = "hexside"
kind = "choices"
values = ["ridge", "river"]
token = "{}"
printed = "map"

[weather]
title = "weather"
on = "game"
kind = "choice"
values = ["dry", "mud"]
"""
HEAD = """title = "the valley"
source = "drawn"
whole = ["barrier"]
[grid]
columns = [1, 9]
rows = [1, 9]
[terrain]
c = "clear"
w = "wood"
"""
LETTERS = "01 02 03 04\n1 c w c c\n2 w c c c\n3 c c c c\n"
RIVERS = '"Mill" river: 0202|0201\nriver: 0102|0101 [rulebook 3.2]\n'
FILES = {
    "game.toml": GAME,
    "tracks.toml": TRACKS,
    "boards/valley/board.toml": HEAD,
    "boards/valley/terrain.txt": LETTERS,
    "boards/valley/rivers.lines": RIVERS,
}
"""The files of a game with a board on which a little is printed."""


class Parameters(msgspec.Struct, kw_only=True):
    """Which hexes a column marches through."""

    way: tuple[PlaceName, ...]
    patience: int = 1


def answer(view: View, parameters: Parameters, answers: Any) -> Report[None]:
    """Whether so few hexes of the way are wood, or behind a river, that it can be marched in a day."""
    with view.gather() as facts:
        slow = sum(facts.word("terrain", hex) == "wood" for hex in parameters.way)
        sides = (f"{a}|{b}" for a, b in zip(parameters.way, parameters.way[1:], strict=False))
        slow += sum("river" in facts.words("barrier", view.board.hexside(side)) for side in sides)
    steps = tuple(Step("", "over {hex}", {"hex": hex}) for hex in parameters.way)
    verdict = Verdict("yes" if slow <= parameters.patience else "no", "{slow} in the way", {"slow": slow})
    return Report(game=view.game.id, question="march", title="t", verdict=verdict, parts=(Part("The way", steps),))


QUESTION = Question(
    name="march",
    title="t",
    parameters=Parameters,
    result=type(None),
    answer=answer,
    decision=lambda report: report.verdict.kind,
)  # type: ignore[type-var]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return game_of(tmp_path / "mill", FILES)


def marched(game: Game, *way: str, patience: int = 1, stated: str = "") -> Report[Any]:
    """Whether a way can be marched, in a position on the drawn board."""
    position = read_notation(f"game mill\nboard valley\n{stated}\n".encode(), "a.pos", lambda _: game)
    view = View(position.game, position.state)
    return answer_question(QUESTION, view, Parameters(way=way, patience=patience), {})


def test_a_drawn_map_is_read_and_what_it_has_in_the_hexes_that_the_answer_names_is_listed_by_value(game: Game) -> None:
    report = marched(game, "0101", "0201", "0301", patience=5)
    assert report.rests_on == (
        Placeholder(
            "map",
            Source.DRAWN,
            "the valley",
            5,
            (
                Near("terrain", "terrain", "clear", ("0101", "0301")),
                Near("terrain", "terrain", "wood", ("0201",)),
                Near("barrier", "barrier", "none", ("0101|0201", "0201|0301")),
            ),
        ),
    )
    assert [step.text for step in report.parts[-1].steps] == [
        "terrain: clear in 0101, 0301",
        "terrain: wood in 0201",
        "barrier: none on 0101|0201, 0201|0301",
    ]
    report = marched(game, "0101", "0201", patience=5)
    assert (report.verdict.kind, report.verdict.text) == ("yes", "1 in the way")
    assert report.answers == ("1 in the way (if the drawn map is right)",)
    assert report.asks == ()
    assert [caution.text for caution in report.cautions] == ["drawn, not from the printed game: the valley (3 facts)"]


def test_a_long_list_ends_with_how_much_more_there_is(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_module, "MAX_MAP_LINES", 1)
    report = marched(game, "0101", "0201", "0301", patience=5)
    assert [step.text for step in report.parts[-1].steps] == ["terrain: clear in 0101, 0301", "2 more"]


HIDDEN_WAY = Parameters(way=("0101", "0201"), patience=5)


def test_a_map_of_which_no_hex_is_named_has_its_mark_with_all_that_was_read(game: Game) -> None:
    def silent(view: View, parameters: Parameters, answers: Any) -> Report[None]:
        return msgspec.structs.replace(answer(view, HIDDEN_WAY, answers), parts=())

    question = msgspec.structs.replace(QUESTION, answer=silent)
    position = read_notation(b"game mill\nboard valley\n", "a.pos", lambda _: game)
    report = answer_question(question, View(game, position.state), Parameters(way=(), patience=5), {})
    assert report.answers == ("1 in the way (if the drawn map is right)",)
    assert [placeholder.facts for placeholder in report.rests_on] == [3]
    assert sum(len(near.subjects) for near in list_near(report.rests_on)) == 3


def test_a_fact_that_is_typed_or_a_chart_cell_that_is_stated_is_no_placeholder(game: Game) -> None:
    typed = "0303 wood\n0302 wood\n0302|0303 river"
    assert marched(game, "0303", "0302", patience=0, stated=typed).answers == ("3 in the way",)
    report = marched(game, "0303", "0302", patience=0, stated="0303 clear\n0302|0303 barrier=none")
    assert [near.subjects for near in list_near(report.rests_on)] == [("0302",)]
    report = marched(game, "0101", "0102", patience=5, stated="0101 clear\n0102 clear")
    assert (report.verdict.kind, report.cautions, report.rests_on) == ("yes", (), ())
    view = viewed("trust charts\nchart crt summer 1:1 6 = +1 / -")
    assert view.cell("crt", "summer", "1:1", 6)
    assert view.premises.find_placeholders(view.game, view.board, ()) == ()
    assert view.cell("crt", "summer", "1:1", 5)
    assert view.premises.find_placeholders(view.game, view.board, ()) == (
        Placeholder("charts", Source.MADE_UP, "Combat Results Table", 1),
    )


def test_on_ones_own_map_the_drawing_is_a_hint_at_what_is_asked(game: Game) -> None:
    report = marched(game, "0101", "0201", patience=5, stated="own map")
    assert report.verdict.text == "undecided: 3 facts are missing"
    assert [(asked.how, asked.drawn) for asked in report.asks] == [
        ("0101 clear|swamp|wood", "clear"),
        ("0201 clear|swamp|wood", "wood"),
        ("0101|0201 ridge|river", "none"),
    ]
    report = marched(game, "0101", "0102", patience=5, stated="own map\n0101 clear\n0102 clear")
    assert (report.answers, report.rests_on) == (("1 in the way",), ()), "the rulebook states the river"


@pytest.mark.parametrize(
    ("lines", "trusts"), [("accept drawn", True), ("own map\ntrust map", True), ("trust own", False)]
)
def test_what_is_trusted_can_be_changed_line_by_line(game: Game, lines: str, trusts: bool) -> None:
    report = marched(game, "0303", "0302", patience=0, stated=lines)
    assert (report.verdict.kind == "yes") is trusts


# --- what a player assumes --------------------------------------------------------------------------------------------


def test_a_verdict_depends_on_an_assumed_fact_of_which_another_value_would_change_it(game: Game) -> None:
    report = marched(game, "0303", "0302", patience=0, stated="0303 clear?\n0302|0303 barrier=none")
    assert report.answers == ("0 in the way (if 0303 is clear and the drawn map is right)",)
    assert (report.verdict.kind, report.verdict.figures["about"]) == ("undecided", [["terrain", "0303"]])
    assert report.cautions[0].text == "assumed: 0303, terrain: clear; with wood: 1 in the way"
    report = marched(game, "0303", "0302", patience=1, stated="0303 clear?\n0302 clear\n0302|0303 barrier=none")
    assert (report.verdict.kind, report.answers) == ("yes", ("0 in the way",))


def test_facts_of_one_value_are_named_together_and_few_are(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    stated = "0301,0302,0303 clear?\n0301|0302,0302|0303 barrier=none?"
    report = marched(game, "0301", "0302", "0303", patience=0, stated=stated)
    assert report.answers == ("0 in the way (if 0301 and 2 more are clear and 0301|0302 and 1 more have no barrier)",)
    monkeypatch.setattr(question, "_MAX_DEPENDING_NAMED", 1)
    report = marched(game, "0301", "0302", "0303", patience=0, stated=stated)
    assert report.answers == ("0 in the way (if 0301 and 2 more are clear and 2 more assumptions hold)",)


def test_too_many_assumed_facts_are_refused(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DOUBTS", "3")
    with pytest.raises(InputError, match="trying other values of 1 assumed fact reads more than 3 facts") as caught:
        marched(game, "0303", "0302", patience=0, stated="0303 clear?\n0302 clear\n0302|0303 barrier=none")
    assert str(caught.value.hint).startswith("state some of them without the question mark, or ")


# --- marks ------------------------------------------------------------------------------------------------------------

MAP = Placeholder("map", Source.DRAWN, "the valley", 2, (Near("terrain", "terrain", "wood", ("0201",)),))
CHART = Placeholder("charts", Source.MADE_UP, "Combat Results Table", 3)
OTHER = Placeholder("charts", Source.MADE_UP, "Loss Table", 1)
REBUILT = Placeholder("charts", Source.RECONSTRUCTION, "Turn Record Chart", 1)
RATINGS = Placeholder("counters", Source.ILLUSTRATIVE, "steps", 4, (Near("steps", "steps", "9", ("1/1",)),))
NATIONS = Placeholder("other", Source.ILLUSTRATIVE, "nation", 4)


@pytest.mark.parametrize(
    ("rests_on", "mark"),
    [
        ([], ""),
        ([NATIONS], ""),
        ([MAP], "(if the drawn map is right)"),
        ([CHART], "(if the made-up charts are right)"),
        ([CHART, OTHER], "(if the made-up charts are right)"),
        ([REBUILT], "(if the rebuilt charts are right)"),
        ([REBUILT, CHART], "(if the rebuilt and made-up charts are right)"),
        ([RATINGS, NATIONS], "(if the made-up counters are right)"),
        ([MAP, CHART], "(if the drawn map and made-up charts are right)"),
        ([RATINGS, MAP, CHART, OTHER], "(if the drawn map, made-up charts and made-up counters are right)"),
    ],
)
def test_a_mark_names_the_placeholders_that_decide(rests_on: list[Placeholder], mark: str) -> None:
    assert format_placeholder_mark(rests_on) == mark


def test_two_answers_rest_on_what_either_of_them_does() -> None:
    more = msgspec.structs.replace(
        MAP,
        facts=5,
        near=(Near("terrain", "terrain", "wood", ("0201", "0203")), Near("road", "road", "yes", ("0201",))),
    )
    assert merge_placeholders([MAP, CHART], [more, OTHER]) == (more, CHART, OTHER)


# --- settling ---------------------------------------------------------------------------------------------------------


def test_a_fact_from_the_pack_is_printed_and_settles_it(game: Game, tmp_path: Path) -> None:
    pack = Pack(game, tmp_path / "pack")
    for asked in asks_for_printed(game, marched(game, "0303", "0302", patience=0).rests_on):
        track, subject = map(str, asked.key)
        pack.enter_all(ground={("valley", subject, track): "clear" if track == "terrain" else "none"})
    assert (tmp_path / "pack" / "map.lines").read_text("utf-8") == ("0302 clear\n0303 clear\n0302|0303 barrier=none\n")
    known = overlay_pack(game, tmp_path / "pack")
    assert known.board("valley").fact("terrain", "0303") == Fact("clear", Source.PRINTED)
    assert known.board("valley").fact("terrain", "0201") == Fact("wood", Source.DRAWN)
    assert known.board("").fact("terrain", "0303") == Fact("clear", Source.PRINTED), "and it holds without a drawn map"
    report = marched(known, "0303", "0302", patience=0)
    assert (report.answers, report.rests_on, report.cautions) == (("0 in the way",), (), ())


def test_the_printed_map_is_asked_about_where_the_answer_names_it(game: Game) -> None:
    report = marched(game, "0303", "0302", patience=0)
    assert [(asked.key, asked.drawn) for asked in asks_for_printed(game, report.rests_on)] == [
        (("terrain", "0302"), "clear"),
        (("terrain", "0303"), "clear"),
        (("barrier", "0302|0303"), "none"),
    ]


def test_the_pack_may_not_contradict_the_rulebook(game: Game, tmp_path: Path) -> None:
    pack = Pack(game, tmp_path / "pack")
    with pytest.raises(InputError, match="barrier of 0101|0102: ridge contradicts the rulebook") as caught:
        pack.enter_all(ground={("valley", "0101|0102", "barrier"): "ridge"})
    assert caught.value.hint == "the rulebook requires: river"
    assert pack.files.list_existing() == []
