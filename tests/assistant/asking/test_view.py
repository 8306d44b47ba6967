"""The view: sources in their order, silence, and what was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assistant.asking.question import Answers, Nothing, Question, answer_question, state_at_once
from assistant.asking.report import MissingFacts, Part, Report, Step, Verdict
from assistant.asking.view import Gather, View, changed
from assistant.state.changes import Change
from assistant.state.differences import Divergence
from assistant.state.tracks import Fact, Source
from assistant.util.errors import CodeError, PluginError, word_plugin_error
from assistant.util.memo import Memo

from ...conftest import typed, viewed

SUM: Memo[None, Any] = Memo()


def view(text: str) -> View:
    position = typed(text)
    return View(position.game, position.state)


def answered(answer: Callable[[View, Nothing, Answers], Report[None]], text: str) -> Report[None]:
    """The report of a question without parameters."""
    question = Question(name="q", title="", parameters=Nothing, result=type(None), answer=answer)  # type: ignore[type-var]
    return answer_question(question, view(text), Nothing(), {})


def test_what_is_stated_or_accepted_overrules_and_what_is_not_is_as_good_as_none() -> None:
    seen = view("trust counters\n41.19: 1/1, 2/1\n40.20: 29/20 steps=8")
    assert seen.fact("steps", "29/20") == Fact(8)
    assert seen.fact("defence", "1/1") == Fact(16, Source.RULEBOOK)
    assert seen.fact("defence", "2/1") == Fact(16, Source.ILLUSTRATIVE)
    seen = view("41.19: 1/1")
    assert seen.fact("steps", "1/1") is None
    assert seen.cell("crt", "summer", "1:1", 9) is None
    assert (seen.fact("lost", "1/1"), seen.fact("terrain", "41.19")) == (Fact(0), None)
    seen = view("chart crt summer 1:1 7 = -1 / +2")
    cell = seen.cell("crt", "Summer", "1:1", "7")
    assert cell is not None and dict(cell.values) == {"attacker": "-1", "defender": "+2"}


def test_trusted_charts_are_trusted_wherever_their_cells_come_from() -> None:
    """The tables of one game are illustrative, the seasons of another are rebuilt."""
    world, kaisers = "game world-undone-east-prussia-1914\n", "game kaisers-war-in-the-east\n"
    for more, is_trusted in (("", False), ("trust charts\n", True), ("trust counters\n", True)):
        assert bool(viewed(world + more).cell("german-table", "3:1", 2)) is is_trusted
    for more, is_trusted in (("", False), ("trust charts\n", True), ("trust counters\n", False)):
        assert bool(viewed(kaisers + more).cell("turn-record", 4)) is is_trusted
        assert bool(view(more).cell("crt", "summer", "1:1", 9)) is is_trusted


def test_what_was_read_is_noted() -> None:
    seen = view("41.19 clear\nruling flip-point = half-down")
    seen.fact("terrain", "41.19")
    seen.cell("crt", "summer", "1:1", 7)
    assert seen.ruling("flip-point") == "half-down" and seen.ruling("several-corps") == "once"
    assert list(seen.premises.facts) == [("terrain", "41.19")]
    assert list(seen.premises.cells) == [("crt", ("summer", "1:1", 7))]
    assert seen.premises.rulings == {"flip-point": "half-down", "several-corps": "once"}


@pytest.mark.parametrize("accepted", ["", "trust counters\n"])
@pytest.mark.parametrize("board", ["", "board east\n", "board sample\n"])
def test_facts_read_of_many_hexes_are_those_that_are_read_of_each(board: str, accepted: str) -> None:
    """Stated ones, those of the board, silence, and none, on hexes and hexsides."""
    said = "72.31 rough\n72.32 control=russian operational=none\n72.31|72.32 barrier=minor-river\n72.31: 1/1"
    one, other = view(board + accepted + said), view(board + accepted + said)
    hexes = [f"{column}.{row}" for column in range(66, 73) for row in range(31, 34)]
    about = {"hex": hexes, "hexside": [f"{hex}|{near}" for hex in hexes for near in one.board.neighbours(hex)]}
    different = set()
    for track in one.game.tracks.values():
        told = one.facts_of(track.name) if track.on in about else None
        for subject in about[track.on] if told else ():
            assert told is not None and told(subject) == other.fact(track.name, subject) == told(subject)
            different.add(str(other.fact(track.name, subject)))
    assert len(different) > 5
    assert one.premises.facts == other.premises.facts


def test_what_is_read_of_a_state_afterwards_counts_as_read_but_tells_nothing_of_the_state_before() -> None:
    seen = view("40.20 control=russian\n40.21 clear")
    later = seen.after([Change("control", "40.20", "russian", "central-powers", "")])
    control = seen.facts_of("control")
    assert later.word("control", "40.20") == "central-powers"
    assert control("40.20") == seen.fact("control", "40.20") == Fact("russian")
    assert later.after([]).word("terrain", "40.21") == "clear"
    assert list(seen.premises.facts) == [("control", "40.20"), ("terrain", "40.21")]
    assert seen.premises.facts is later.premises.facts


def test_a_gathering_block_asks_for_all_that_is_missing_at_once() -> None:
    seen = view("41.19: 1/1")
    with pytest.raises(MissingFacts) as caught, seen.gather() as facts:
        assert (facts.integer("steps", "1/1"), facts.word("terrain", "41.19"), facts.integer("turn")) == (0, "", 0)
        assert facts.cell("crt", "summer", "1:1", 9).values == {"attacker": 0, "defender": 0}
        assert facts.integer("defence", "1/1") == 16
    assert [ask.kind for ask in caught.value.asks] == ["fact", "fact", "fact", "cell"]
    assert caught.value.asks[3].how == "chart crt summer 1:1 9 = attacker / defender"


def test_an_error_of_another_kind_is_not_hidden_by_missing_facts() -> None:
    with pytest.raises(KeyError), view("41.19: 1/1").gather() as facts:
        facts.integer("turn")
        raise KeyError("a fault in the program")


def test_supposing_changes_one_fact_in_a_fresh_view() -> None:
    seen = view("41.19 clear")
    other = seen.supposing({("terrain", "41.19"): "rough"})
    assert (other.fact("terrain", "41.19"), seen.fact("terrain", "41.19")) == (Fact("rough"), Fact("clear"))


def test_what_is_kept_is_handed_on_with_what_lies_apart() -> None:
    seen = view("41.19 clear: 1/1\n40.20: 25/3")
    seen.memo(SUM, None, lambda known, apart: 1)
    moved = seen.after([changed(seen, "place", "25/3", "40.21", "8")])
    assert moved.memo(SUM, None, lambda known, apart: (known, apart)) == (
        1,
        Divergence(frozenset({"40.20", "40.21"}), frozenset({"25/3"})),
    )
    rough = seen.supposing({("terrain", "41.19"): "rough"})
    assert rough.memo(SUM, None, lambda known, apart: (known, apart)) == (
        1,
        Divergence(frozenset({"41.19"}), facts=frozenset({("terrain", "41.19")})),
    )
    later = seen.supposing({("turn", ""): 7})
    assert later.memo(SUM, None, lambda known, apart: (known, apart)) == (None, Divergence()), "that may touch anything"


def test_the_change_of_a_place_knows_where_the_unit_stood() -> None:
    view = viewed("40.20: 25/3")
    assert changed(view, "place", "25/3", "40.21", "8") == Change("place", "25/3", "40.20", "40.21", "8")
    assert changed(view, "cel", "25/3", -1, "7").before is None


def test_what_is_granted_is_said_once_with_all_that_it_is_said_of() -> None:
    seen = view("41.19 clear")
    assert seen.granted("terrain", "41.19", "rough") == "clear", "stated"
    assert [seen.granted("terrain", hex, "rough") for hex in ("41.20", "40.20", "41.20")] == ["rough"] * 3
    assert seen.granted("barrier", "41.19|41.20", (), "4.1.1", "ZOC assumed across {hexsides}") == ()
    seen.premises.assume(Step("20.0", "the weather is {weather}", {"weather": "normal"}))
    assert [(step.rule, step.text) for step in seen.premises.assumptions] == [
        (seen.game.track("terrain").rule, f"41.20, 40.20, {seen.game.track('terrain').title}: rough"),
        ("4.1.1", "ZOC assumed across 41.19|41.20"),
        ("20.0", "the weather is normal"),
    ]


def test_work_that_is_kept_is_said_to_rest_on_the_same_as_work_that_is_done() -> None:
    place = typed("30.20: russian infantry XX R\n")
    view, later = (View(place.game, place.state) for _ in range(2))

    def work() -> int:
        for hexside in ("30.20|30.21", "30.19|30.20"):
            view.granted("barrier", hexside, (), "8.1", "{hexsides} assumed open")
        view.premises.assume(Step("8.1", "it is fine", {}))
        view.ruling("ezoc-leaving")
        return 7

    view.ruling("march-rounding")
    made, noted = view.premises.note(work)
    assert (made, *noted.rulings) == (7, "ezoc-leaving")
    assert [*view.premises.rulings] == ["march-rounding", "ezoc-leaving"]
    later.granted("barrier", "20.20|20.21", (), "8.1", "{hexsides} assumed open")
    later.premises.note_again(noted)
    assert [*later.premises.rulings] == ["ezoc-leaving"]
    assert [step.figures for step in later.premises.assumptions] == [
        {"hexsides": ["20.20|20.21", "30.20|30.21", "30.19|30.20"]},
        {},
    ]
    assert [step.figures for step in view.premises.assumptions] == [{"hexsides": ["30.20|30.21", "30.19|30.20"]}, {}]


def test_what_is_said_of_work_that_fails_is_said_all_the_same() -> None:
    view = viewed("30.20: russian infantry XX R\n")

    def fail() -> None:
        view.ruling("ezoc-leaving")
        raise ValueError

    with pytest.raises(ValueError):
        view.premises.note(fail)
    assert [*view.premises.rulings] == ["ezoc-leaving"]


def test_a_report_says_what_its_question_took_for_granted() -> None:
    """Beside what the question says itself under that title, and nothing where all is stated."""

    def answer(seen: View, parameters: Nothing, answers: Answers) -> Report[None]:
        seen.granted("terrain", "41.20", "rough", "8.1", "{hexes} are rough")
        own = Part("Assumed", (Step("1.0", "own"),) if seen.flag("campaign") else ())
        return Report(title="", verdict=Verdict("yes", "yes"), parts=(own, Part("Other", (Step("2.0", "more"),))))

    def parts(text: str) -> list[tuple[str, list[str]]]:
        return [(part.title, [one.text for one in part.steps]) for part in answered(answer, text).parts]

    granted = ("Assumed", ["41.20 are rough"])
    assert parts("turn=1") == [granted, ("Other", ["more"])]
    assert parts("campaign") == [("Assumed", ["own", "41.20 are rough"]), ("Other", ["more"])]
    assert parts("41.20 clear") == [("Other", ["more"])]


def test_a_block_within_a_block_keeps_what_the_outer_one_misses() -> None:
    view = viewed("40.20: 25/3")
    with pytest.raises(MissingFacts) as missing, view.gather() as outer:
        outer.word("terrain", "41.19")
        with view.gather() as inner:
            inner.word("terrain", "42.19")
        raise AssertionError("the inner block misses something")
    assert [ask.how.partition(" ")[0] for ask in missing.value.asks] == ["41.19", "42.19"]


def test_what_holds_of_all_other_hexes_is_read_last_and_said_in_the_report() -> None:
    def answer(seen: View, parameters: Nothing, answers: Answers) -> Report[None]:
        assert [seen.word("terrain", hex) for hex in ("40.20", "40.21")] == ["rough", "clear"]
        assert [*seen.words("barrier", "40.20|40.21")] == ["minor-river"]
        assert [*seen.words("barrier", "40.21|40.22")] == ["open"]
        assert seen.facts_of("terrain")("40.22") == Fact("clear")
        assert seen.fact("control", "40.20") is None, "nothing is guessed that is not said"
        return Report(title="", verdict=Verdict("yes", "yes"))

    said = "elsewhere clear open\n40.20 rough\n40.20|40.21 minor-river"
    cautions = [caution.text for caution in answered(answer, said).cautions]
    assert cautions == ["stated of all other hexes: clear (2 facts), open"]


def test_what_holds_of_all_other_hexes_comes_after_what_a_board_draws_and_before_its_silence() -> None:
    drawn, said = view("board east"), view("board east\nelsewhere high-mountain ridge")
    known = next(hex for hex in sorted(drawn.board.hexes) if drawn.word("terrain", hex) == "clear")
    assert said.fact("terrain", known) == drawn.fact("terrain", known)
    silent = next(
        side
        for hex in sorted(drawn.board.hexes)
        for side in (f"{hex}|{near}" for near in drawn.board.neighbours(hex) if hex < near)
        if drawn.board.facts.get(("barrier", side)) is None
    )
    assert said.words("barrier", silent) == {"ridge"}
    assert drawn.words("barrier", silent) != {"ridge"}


@pytest.mark.parametrize(
    ("stated", "missing", "line"),
    [
        ("", 3, "elsewhere clear"),
        ("", 2, ""),
        ("elsewhere clear", 3, ""),
        ("board east", 3, ""),
    ],
)
def test_much_ground_that_is_missing_on_a_paper_map_can_be_stated_at_once(stated: str, missing: int, line: str) -> None:
    said = state_at_once(view(stated), ["terrain"] * missing + ["lost", "attacked", "turn", "no track"])
    assert [step.text.split("`")[1] for step in said] == ([line] if line else [])


def test_a_flag_is_said_of_all_other_hexes_as_not_so() -> None:
    """And any track can be among them, shown on counters of a module or not."""
    (said,) = state_at_once(view(""), ["rail", "control", "station", "country", "rail"])
    assert said.text.split("`")[1] == "elsewhere no-rail station=no"
    assert not state_at_once(view(""), ["control"] * 9), "nobody holds all hexes as a rule"


def test_a_report_says_how_much_ground_is_stated_at_once() -> None:
    def answer(seen: View, parameters: Nothing, answers: Answers) -> Report[None]:
        with seen.gather() as facts:
            for hex in ("40.20", "40.21"):
                facts.word("terrain", hex)
            facts.words("barrier", "40.20|40.21")
        return Report(title="", verdict=Verdict("yes", "yes"))

    report = answered(answer, "")
    text = "one line, such as `elsewhere clear open`, states what your map shows on all other hexes"
    assert [(part.title, [step.text for step in part.steps]) for part in report.parts] == [("Paper map", [text])]
    assert answered(answer, "elsewhere clear open").verdict.kind == "yes"


def test_the_board_of_the_last_position_alone_is_kept_with_what_holds_of_all_other_hexes() -> None:
    clear, rough = view("elsewhere clear"), view("elsewhere rough")
    assert view("elsewhere rough").board is rough.board
    assert [seen.word("terrain", "40.20") for seen in (clear, rough, view("elsewhere clear"))] == [
        "clear",
        "rough",
        "clear",
    ]
    assert view("").board is clear.game.board("")


# --- names in a game's code -------------------------------------------------------------------------------------------

SLIPS: dict[str, tuple[Callable[[View | Gather], object], str]] = {
    "a track": (lambda facts: facts.integer("trun"), "unknown track 'trun'; nearest known: "),
    "a track read as a flag": (lambda facts: facts.flag("enterned", "1/1"), "unknown track 'enterned'; nearest"),
    "a number in words": (lambda facts: facts.integer("terrain", "41.19"), "'terrain' is a track of words"),
    "several words of one": (lambda facts: facts.words("turn"), "'turn' is not a track of several words"),
    "a subject of the game's": (lambda facts: facts.integer("turn", "1/1"), "'turn' is a fact of the game, not of '1/1'"),
    "a chart": (lambda facts: facts.cell("crtt", "summer", "1:1", 7), "unknown chart 'crtt'; nearest known: crt"),
    "too few keys": (lambda facts: facts.cell("crt", "summer"), "the chart crt has other keys than 'summer'; they are: "),
    "a field": (
        lambda facts: facts.cell("crt", "summer", "1:1", 7).values["atacker"],
        "the chart has no field 'atacker'; nearest known: attacker",
    ),
}  # fmt: skip
OF_A_VIEW: dict[str, tuple[Callable[[View], object], str]] = {
    "a ruling": (lambda view: view.ruling("flip-piont"), "unknown ruling 'flip-piont'; nearest known: flip-point"),
    "a usual value": (lambda view: view.granted("terain", "41.19", "clear"), "unknown track 'terain'; nearest known: "),
    "a change": (lambda view: changed(view, "losst", "1/1", 1, ""), "unknown track 'losst'; nearest known: "),
    "a changed value": (lambda view: changed(view, "supply", "1/1", "inn", ""), "'inn' is not allowed; nearest known: in"),
}  # fmt: skip
SLIPPED = "turn=3\nchart crt summer 1:1 7 = -1 / +2\n41.19 clear: 1/1"


def says(slip: Callable[[], object]) -> str:
    with pytest.raises(CodeError) as error:
        slip()
    return f"{error.value.what}; {error.value.hint}"


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("gathered", [True, False])
def test_a_name_that_a_game_does_not_have_is_a_slip_of_the_code_that_reads_it(slip: str, *, gathered: bool) -> None:
    read, message = SLIPS[slip]
    seen = view(SLIPPED)
    assert message in says(lambda: read(seen.gather() if gathered else seen))


@pytest.mark.parametrize("slip", OF_A_VIEW)
def test_so_is_one_that_a_view_is_given(slip: str) -> None:
    name, message = OF_A_VIEW[slip]
    assert message in says(lambda: name(view(SLIPPED)))


def test_a_slip_comes_before_what_is_missing() -> None:
    """Else its author would state fact after fact to no end."""
    with pytest.raises(PluginError), view("41.19: 1/1").gather() as facts:
        facts.integer("turn")
        raise word_plugin_error("heath", CodeError("unknown track 'trun'"))
    assert "'steps' is a fact of a unit, which is not named" in says(
        lambda: view("41.19: 1/1").gather().integer("steps")
    )
