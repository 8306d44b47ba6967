"""A map that is only drawn: what is read of it, when a verdict turns on it, what is asked for, and how it is settled."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from assistant.questions.doubts import InDoubt, Trials, is_kept

from assistant.formats.notation import read
from assistant.game.games import Game
from assistant.game.packs import Pack, overlaid
from assistant.questions import doubts
from assistant.questions.question import PlaceName, Question, ask
from assistant.questions.report import Part, Report, Step, Verdict
from assistant.questions.view import View
from assistant.state.state import FactKey
from assistant.state.tracks import Fact, Source, Value
from assistant.util.errors import InputError

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
    position = read(f"game mill\nboard valley\n{stated}\n".encode(), "a.pos", lambda _: game)
    view = View(position.game, position.state)
    return ask(QUESTION, view, Parameters(way=way, patience=patience), {})


def test_a_drawn_map_is_read_and_named_where_it_does_not_matter(game: Game) -> None:
    report = marched(game, "0101", "0201", patience=5)
    assert (report.verdict.kind, report.verdict.text) == ("yes", "1 in the way")
    assert report.asks == ()
    assert [caution.text for caution in report.cautions] == ["drawn, not from the printed game: the valley (3 facts)"]


def test_a_verdict_that_turns_on_a_drawn_fact_asks_for_it(game: Game) -> None:
    report = marched(game, "0303", "0302", patience=0)
    assert report.verdict.kind == "undecided"
    assert report.verdict.text.startswith(
        "undecided: 0 in the way as drawn, but it depends on 0303 and 1 more, terrain (wood "
    )
    assert [asked.how for asked in report.asks] == [
        "0303 clear|swamp|wood",
        "0302 clear|swamp|wood",
        "0302|0303 ridge|river",
    ]
    assert (report.asks[0].title, report.asks[0].drawn) == ("terrain of 0303", "clear")
    assert report.asks[0].key == ("terrain", "0303")


def test_only_facts_that_matter_are_asked_for(game: Game) -> None:
    report = marched(game, "0201", "0301", patience=1)
    assert report.verdict.kind == "undecided"
    assert {asked.key for asked in report.asks} == {
        ("terrain", "0301"),
        ("barrier", "0201|0301"),
    }, "0201 is wood: clear would do as well"


def test_what_the_rulebook_says_is_never_in_doubt(game: Game) -> None:
    report = marched(game, "0101", "0102", patience=5, stated="0101 clear\n0102 clear")
    assert (report.verdict.kind, report.cautions, report.asks) == ("yes", (), ())


def test_what_is_typed_wins_over_what_is_drawn(game: Game) -> None:
    assert marched(game, "0303", "0302", patience=0, stated="0303 wood\n0302 wood\n0302|0303 river").verdict.text == (
        "3 in the way"
    )
    report = marched(game, "0303", "0302", patience=0, stated="0303 clear\n0302|0303 barrier=none")
    assert {asked.key for asked in report.asks} == {("terrain", "0302")}, "only what is not typed is in doubt"


def test_whoever_accepts_the_drawn_map_is_not_asked(game: Game) -> None:
    report = marched(game, "0303", "0302", patience=0, stated="accept drawn")
    assert (report.verdict.kind, report.asks) == ("yes", ())
    assert len(report.cautions) == 1


def test_typed_and_drawn_doubts_are_both_named(game: Game) -> None:
    report = marched(game, "0303", "0302", patience=0, stated="0303 clear?\n0302|0303 barrier=none")
    assert "0 in the way as stated and drawn, but" in report.verdict.text
    assert {asked.key for asked in report.asks} == {("terrain", "0302")}, "he has said what he knows of 0303"


def test_a_verdict_names_what_is_drawn_alike_together_and_asks_for_all(game: Game) -> None:
    report = marched(game, "0301", "0302", "0303", "0403", patience=0)
    assert len(report.asks) == 7
    assert report.verdict.figures["facts"] == [
        "0301 and 3 more, terrain (wood instead of clear: 1 in the way)",
        "0301|0302 and 2 more, barrier (river instead of none: 1 in the way)",
    ]
    assert str(report).count("? ") == 2, "and so does the list of what is asked for"
    assert "terrain, 4 times drawn as clear: 0301, 0302, 0303, 0403 clear|swamp|wood" in str(report)


def test_a_verdict_names_few_facts(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubts, "NAMED", 1)
    report = marched(game, "0301", "0302", "0303", "0403", patience=0)
    assert report.verdict.text.endswith("1 in the way), 3 more")


def test_what_lies_farther_off_is_left_out_before_it_takes_too_long(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DOUBTS", "0")
    monkeypatch.setattr(doubts, "_LEAST", 2)
    report = marched(game, "0303", "0302", patience=0)
    assert [asked.key for asked in report.asks] == [("terrain", "0303"), ("terrain", "0302")]
    assert report.cautions[-1].text == "too many to weigh: 1 fact of the valley"


# --- a question that names what it may turn on ------------------------------------------------------------------------


def named(view: View, report: Report[None]) -> InDoubt:
    """Of a march, that any hex may be wood, and any hexside a river."""
    hexes = {("terrain", hex): "wood" for hex in ("0301", "0302", "0303", "0403")}
    sides = {("barrier", side): ("river",) for side in ("0301|0302", "0302|0303", "0303|0403")}
    return InDoubt(alone=[hexes, sides])


def weighed(
    game: Game, *way: str, patience: int, groups: Any = named
) -> tuple[Report[Any], list[dict[FactKey, Value]]]:
    """The report, and what was supposed for it."""
    supposed: list[dict[FactKey, Value]] = []

    def noting(view: View, parameters: Parameters, answers: Any) -> Report[None]:
        drawn, differ = view.board, {key: fact.value for key, fact in view.stated.items()}
        supposed.append({key: value for key, value in differ.items() if drawn.fact(*key) is not None})
        return answer(view, parameters, answers)

    question = msgspec.structs.replace(QUESTION, answer=noting, doubts=groups)
    position = read(b"game mill\nboard valley\n", "a.pos", lambda _: game)
    report = ask(question, View(game, position.state), Parameters(way=way, patience=patience), {})
    return report, supposed[1:]


def test_a_group_that_leaves_the_verdict_as_it_is_takes_one_trial(game: Game) -> None:
    report, supposed = weighed(game, "0301", "0302", "0303", "0403", patience=4)
    assert (report.verdict.kind, report.asks) == ("yes", ())
    assert [len(others) for others in supposed] == [4, 3]


def test_a_group_that_changes_it_is_halved_down_to_the_facts_that_do(game: Game) -> None:
    report, supposed = weighed(game, "0301", "0302", patience=0)
    assert [asked.key for asked in report.asks] == [
        ("terrain", "0301"),
        ("terrain", "0302"),
        ("barrier", "0301|0302"),
    ]
    assert [len(others) for others in supposed] == [4, 2, 1, 1, 1, 1, 3, 1, 1, 1]
    assert report.cautions[-1].text.endswith("(3 facts)"), "what was read to weigh it is not named"


def test_of_facts_each_of_which_takes_away_what_the_next_one_does_the_ends_are_tried(game: Game) -> None:
    hexes = ("0301", "0302", "0303", "0403")

    def nested(view: View, report: Report[None]) -> InDoubt:
        group: dict[FactKey, Value] = {("terrain", hex): "wood" for hex in hexes}
        group["barrier", "0301|0302"] = ("river",)
        return InDoubt(alone=[group], nested=[[("terrain", hex) for hex in hexes]])

    report, supposed = weighed(game, *hexes, patience=0, groups=nested)
    assert [asked.key for asked in report.asks] == [*(("terrain", hex) for hex in hexes), ("barrier", "0301|0302")]
    assert [{*others} for others in supposed] == [
        {("terrain", "0301")},
        {("terrain", "0403")},
        {("barrier", "0301|0302")},
    ], "both change it to the same, and so do those between"
    report, supposed = weighed(game, *hexes, patience=1, groups=nested)
    assert (report.asks, len(supposed)) == ((), 2), "the first changes nothing, so none does"


def test_facts_that_change_it_only_together_are_not_asked_for(game: Game) -> None:
    report, supposed = weighed(game, "0301", "0302", "0303", "0403", patience=1)
    assert (report.verdict.kind, report.asks) == ("yes", ())
    assert [len(others) for others in supposed][:3] == [4, 2, 1]


def test_what_is_known_otherwise_than_from_the_map_is_not_supposed(game: Game) -> None:
    def groups(view: View, report: Report[None]) -> InDoubt:
        return InDoubt(alone=[{("barrier", "0101|0102"): (), ("terrain", "0101"): "clear", ("weather", ""): "mud"}])

    report, supposed = weighed(game, "0101", "0102", patience=1, groups=groups)
    assert (report.asks, supposed) == ((), []), (
        "the rulebook states the first, the map already has the second, and the third is unknown"
    )


def test_what_is_left_of_groups_is_told(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DOUBTS", "0")
    monkeypatch.setattr(doubts, "_LEAST", 3)
    report, supposed = weighed(game, "0301", "0302", patience=0)
    assert (len(report.asks), len(supposed)) == (1, 3)
    assert report.cautions[-1].text == "too many to weigh: 6 facts of the valley"


# --- a question that names what holds its decision ---------------------------------------------------------------------


def marched_with(game: Game, *way: str, patience: int, stated: str = "") -> Report[Any]:
    """The report of a question that knows what holds it: it is no worse while no hex of the way becomes wood, and no hexside a river, and no
    better while those of both that are so stay as they are."""

    def in_doubt(view: View, report: Report[None]) -> InDoubt:
        sides = [view.board.hexside(f"{a}|{b}") for a, b in pairwise(way)]
        everything: list[tuple[FactKey, Value, Value]] = [(("terrain", hex), "wood", "clear") for hex in way]
        everything += [(("barrier", side), ("river",), ()) for side in sides]
        worst, best = ({facts[0]: facts[at] for facts in everything} for at in (1, 2))
        return InDoubt(worst, best, alone=[worst, best])

    question = msgspec.structs.replace(QUESTION, doubts=in_doubt)
    position = read(f"game mill\nboard valley\n{stated}\n".encode(), "a.pos", lambda _: game)
    return ask(question, View(game, position.state), Parameters(way=way, patience=patience), {})


def test_facts_that_change_it_only_together_make_it_undecided_and_the_fewest_settle_it(game: Game) -> None:
    report = marched_with(game, "0301", "0302", "0303", patience=1)
    assert report.verdict.text == (
        "undecided: 0 in the way as drawn, but it depends on 0301, terrain, together with 0302, terrain (2 in the way), "
        "0303, terrain, together with 0301|0302, barrier (2 in the way)"
    ), "any two of five facts are one too many"
    assert len(report.asks) == 4, "whoever knows four of them knows enough"
    assert report.cautions[-1].text == "4 facts settle it if they are as stated; no fewer do"
    assert report.cautions[-1].figures == {"settling": 4}


def test_the_answers_settle_it(game: Game) -> None:
    way = ("0301", "0302", "0303")
    asks = marched_with(game, *way, patience=1).asks
    answers = "\n".join(
        asked.how.partition(" ")[0] + (" clear" if asked.key[0] == "terrain" else " barrier=none") for asked in asks
    )
    settled = marched_with(game, *way, patience=1, stated=answers)
    assert (settled.verdict.kind, settled.asks) == ("yes", ())


def test_a_fact_that_changes_it_alone_is_in_what_settles_it(game: Game) -> None:
    report = marched_with(game, "0201", "0301", "0302", patience=1)
    alone = {("terrain", "0301"), ("terrain", "0302"), ("barrier", "0201|0301"), ("barrier", "0301|0302")}
    assert {asked.key for asked in report.asks} == alone, (
        "with one wood on the way each further one is too much, and no one is too few"
    )


def test_without_room_it_is_said_that_fewer_may_settle_it(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DOUBTS", "40")
    report = marched_with(game, "0301", "0302", "0303", patience=1)
    assert report.verdict.kind == "undecided"
    assert report.cautions[-1].text == "5 facts settle it if they are as stated; fewer may do"


# --- settling ---------------------------------------------------------------------------------------------------------


def test_a_fact_from_the_pack_is_printed_and_settles_it(game: Game, tmp_path: Path) -> None:
    pack = Pack(game, tmp_path / "pack")
    for asked in marched(game, "0303", "0302", patience=0).asks:
        track, subject = map(str, asked.key)
        pack.enter_all(ground={("valley", subject, track): "clear" if track == "terrain" else "none"})
    assert (tmp_path / "pack" / "map.lines").read_text("utf-8") == ("0303 clear\n0302 clear\n0302|0303 barrier=none\n")
    known = overlaid(game, tmp_path / "pack")
    assert known.board("valley").fact("terrain", "0303") == Fact("clear", Source.PRINTED)
    assert known.board("valley").fact("terrain", "0201") == Fact("wood", Source.DRAWN)
    assert known.board("").fact("terrain", "0303") == Fact("clear", Source.PRINTED), "and it holds without a drawn map"
    report = marched(known, "0303", "0302", patience=0)
    assert (report.verdict.kind, report.asks, report.cautions) == ("yes", (), ())


def test_what_is_asked_for_is_known_as_drawn(game: Game) -> None:
    position = read(b"game mill\nboard valley\n", "a.pos", lambda _: game)
    view = View(game, position.state)
    report = ask(QUESTION, view, Parameters(way=("0303", "0302"), patience=0), {})
    assert all(is_kept(game, asked) for asked in report.asks)
    assert not is_kept(game, msgspec.structs.replace(report.asks[0], key=("weather", ""))), "no map prints it"
    assert not is_kept(game, msgspec.structs.replace(report.asks[0], drawn="")), "no map draws it"


def test_the_pack_may_not_contradict_the_rulebook(game: Game, tmp_path: Path) -> None:
    pack = Pack(game, tmp_path / "pack")
    with pytest.raises(InputError, match="barrier of 0101|0102: ridge contradicts the rulebook") as caught:
        pack.enter_all(ground={("valley", "0101|0102", "barrier"): "ridge"})
    assert caught.value.hint == "the rulebook requires: river"
    assert pack.files() == []


class Costly(Trials):
    """Trials of which each takes so much of the room; the first facts of a chain change the decision."""

    def __init__(self, changing: int, room: int, cost: int) -> None:
        self.room, self.left, self.made = room, set[FactKey](), 5
        self.changing, self.cost = changing, cost

    def turn(self, key: FactKey, value: Value, then: str) -> Any:
        return key

    def consequence_of(self, others: Mapping[FactKey, Value]) -> str:
        self.room -= self.cost
        return "no" if all(int(hex) < self.changing for _, hex in others) else ""


def test_a_fact_that_was_found_to_matter_is_named_even_if_the_room_ends_before_its_neighbours_are_tried() -> None:
    chain: list[tuple[FactKey, Value]] = [(("terrain", f"{number:02}"), "wood") for number in range(40)]
    costly = Costly(changing=5, room=30, cost=18)
    named = list(costly.weigh_chain(chain))
    assert ("terrain", "00") in named
    assert {*named, *costly.left} >= {key for key, _ in chain[:5]}, "found, or said to be untried"
