"""Positions written as notation: what is read back is the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats import json_state
from assistant.formats.notation import read_notation
from assistant.formats.notation_writer import are_alike, write_changes, write_notation
from assistant.formats.positions import Asked, Position, pose_position, shares_answers
from assistant.game.gamefile import GameFile, Notation
from assistant.game.games import Game
from assistant.game.hexes import HexGrid
from assistant.game.states import Stated, apply_changes, build_state
from assistant.installed.registry import load_game
from assistant.service import parse
from assistant.state.changes import Change, Enter, Leave
from assistant.state.state import FactKey, Unit, Unread
from assistant.state.tracks import Fact, Source, Track
from assistant.util.errors import InputError

from ...cases import examples
from ...conftest import GAME, typed

EXAMPLES = sorted(Path(__file__).parents[3].glob("plugins/twilight_in_the_east/*/*.pos"))


def same(one: Position, other: Position) -> bool:
    asked, also = (
        [(ask.question, dict(ask.parameters), dict(ask.answers)) for ask in position.asks] for position in (one, other)
    )
    return (one.state, asked, one.answers) == (other.state, also, other.answers)


def reread(position: Position) -> Position:
    return read_notation(write_notation(position).encode(), "written.pos", lambda _: position.game)


def test_a_position_is_written_in_the_fewest_words_and_with_names_in_quotes() -> None:
    text = (
        "41.20: 36/17\n40.20: 35/17 -2 reduced=no, german infantry XX 9/9 (4-?-1?-7) cel=-1\n"
        "turn=3?\n40.20 rough ip=2\nside|x\nask battle at=41.19\nanswers crt=7"
    ).replace("side|x\n", "40.20|41.20 minor-river ridge\n")
    assert write_notation(typed(text)).splitlines() == [
        "game twilight-in-the-east",
        "41.20: 36/17",
        "40.20: 35/17 -2 reduced=no, german infantry XX 9/9 (4-?-1?-7) cel=-1",
        "turn=3?",
        "40.20 rough ip=2",
        "40.20|41.20 minor-river ridge",
        "ask battle at=41.19",
        "answers crt=7",
    ]
    position = typed('ask "two words" "a b"=1\nanswers "ec.36 r/1 R"=5 crt=7')
    assert same(position, reread(position))
    assert 'answers "ec.36 r/1 R"=5 crt=7\n' in write_notation(position)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_the_examples_of_the_game_come_back(file: Path) -> None:
    position = read_notation(file.read_bytes(), file.name, load_game)
    assert same(position, reread(position))


def track(name: str, on: Any, kind: Any, **more: Any) -> Track:
    return Track(name=name, title=name, on=on, kind=kind, rule="1", **more)


TRACKS = [
    track("colour", "unit", "choice", values=("red", "blue"), printed="counter", token="{}"),
    track("label", "unit", "text", printed="counter"),
    track("attack", "unit", "integer", least=0, most=9, printed="counter"),
    track("defence", "unit", "integer", least=0, most=9, printed="counter"),
    track("lost", "unit", "integer", least=0, most=9, token="-{}"),
    track("spent", "unit", "flag"),
    track("skills", "unit", "choices", values=("guns", "horse", "night-fighting"), token="{}"),
    track("orders", "unit", "text"),
    track("ground", "hex", "choice", values=("clear", "wood"), token="{}"),
    track("fire", "hex", "flag"),
    track("sign", "hex", "text"),
    track("stream", "hexside", "choices", values=("none-here", "brook", "bridge"), token="{}"),
    track("morale", "side", "integer"),
    track("chief", "army", "text"),
    track("at-war", "nation", "flag"),
    track("day", "game", "integer", least=1, most=30),
    track("sky", "game", "choice", values=("sun", "rain"), token="{}"),
    track("saying", "game", "text"),
]
BOXES = ("Off Map", "Rail #2", "army", "box: 3")
GRID = HexGrid(columns=(1, 5), rows=(1, 5))
GAME_OF_ITS_OWN = Game(
    "own",
    Path("nowhere"),
    GameFile(
        title="Own",
        about="",
        grid=GRID,
        boxes=BOXES,
        notation=Notation(brackets=("attack", "defence"), identity=("colour", "label")),
        sides={"North & West": ("red",), "South": ("blue",)},
    ),
    {one.name: one for one in TRACKS},
)
HEXES = [f"{column:02}{row:02}" for column in range(1, 6) for row in range(1, 6)]
WORD = st.text(alphabet="abÄß .,:;/\\'()|#=+-?*1", min_size=1, max_size=7)
NAME = WORD.filter(str.strip) | st.sampled_from(["red", "guns", "game", "ask", "line", "-3", "spent"])
SUBJECTS: dict[str, st.SearchStrategy[str]] = {
    "hex": st.sampled_from([*HEXES, *BOXES]),
    "hexside": st.sampled_from(["0101|0102", "0202|0203", "0303|0304"]),
    "side": st.sampled_from(["North & West", "South"]),
    "army": st.sampled_from(["South First", "North & West Army of the (left) bank"]),
    "nation": st.sampled_from(["red", "blue"]),
    "game": st.just(""),
}


def facts(draw: st.DrawFn, one: Track) -> Fact:
    match one.kind:
        case "flag":
            value: Any = draw(st.booleans())
        case "integer":
            value = draw(st.integers(-5 if one.least is None else one.least, one.most or 50))
        case "choice":
            value = draw(st.sampled_from(one.values))
        case "choices":
            value = one.check(draw(st.lists(st.sampled_from(one.values), max_size=3)))
        case _:
            value = draw(WORD | st.just("")).replace("|", "" if one.on == "game" else "|")
    assumed = draw(st.booleans())
    if isinstance(value, str) and not assumed:
        value = value.rstrip("?")  # a question mark at the end says that nobody is sure
    return Fact(value, assumed=assumed)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    said: dict[FactKey, Fact] = {}
    placed: dict[str, Unit] = {}
    sides: dict[str, str] = {}
    for name in draw(st.lists(NAME, max_size=4, unique_by=str.casefold)):
        colour = draw(st.sampled_from(["red", "blue"]))
        free = SUBJECTS["hex"].filter(lambda at, colour=colour: sides.get(at, colour) == colour)
        place = draw(st.none() | free)
        above = [unit for unit in placed.values() if place and unit.place == place]
        if place:
            sides[place] = colour
        placed[name] = Unit(name, name, place, len(above))
        said["colour", name] = Fact(colour, assumed=draw(st.booleans()))
        said["label", name] = facts(draw, GAME_OF_ITS_OWN.tracks["label"])
        for one in draw(st.lists(st.sampled_from(TRACKS[2:8]), max_size=4, unique_by=lambda one: one.name)):
            said[one.name, name] = facts(draw, one)
    for one in draw(st.lists(st.sampled_from(TRACKS[8:]), max_size=6)):
        said[one.name, draw(SUBJECTS[one.on])] = facts(draw, one)
    values = WORD.filter(lambda text: "=" not in text)
    words = st.dictionaries(st.sampled_from(["at", "from", "with-all"]), values | st.just(""), max_size=3)
    asks = draw(st.lists(st.builds(Asked, st.sampled_from(["battle", "supply"]), words, answers=words), max_size=3))
    state = build_state(GAME_OF_ITS_OWN, Stated(units=placed.values(), facts=said))
    return pose_position(GAME_OF_ITS_OWN, state, asks, draw(words), {})


@given(positions())
@settings(max_examples=examples(150))
def test_any_position_comes_back(position: Position) -> None:
    found = reread(position)
    assert found.state == position.state, write_notation(position)
    assert same(found, position), write_notation(position)
    assert same(json_state.read_json(json_state.write_json(position), "x.json", lambda _: GAME_OF_ITS_OWN), position)


WAITS = {"battle": {"crt", "ec"}, "supply": {"range"}, "repulse": {"crt"}}
"""For which answers some questions wait."""


@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(WAITS)), st.sets(st.sampled_from(["crt", "ec", "range", "x"]))), max_size=4
    )
)
@settings(max_examples=examples(300))
def test_each_answer_is_for_the_question_above_it_or_for_those_that_wait_for_it(
    asked: list[tuple[str, set[str]]],
) -> None:
    asks = [Asked(name, {}, answers=dict.fromkeys(below, f"{number}")) for number, (name, below) in enumerate(asked)]
    position = pose_position(GAME_OF_ITS_OWN, build_state(GAME_OF_ITS_OWN), asks, {}, {})
    to = [position.answers_to(ask, lambda question, answer: answer in WAITS[question]) for ask in position.asks]
    lifted = shares_answers(asks)
    for number, (name, below) in enumerate(asked):
        for answer in below:
            takers = [taker for taker, answers in enumerate(to) if answers.get(answer) == f"{number}"]
            waiting = [other for other, (question, _) in enumerate(asked) if answer in WAITS[question]]
            if answer in WAITS[name] and not lifted:
                assert takers == [number]
            elif waiting:
                assert set(takers) <= {*waiting}
                assert all(answer in to[other] for other in waiting)
            else:
                assert takers == ([*range(len(asked))] if lifted else [number]), "it is refused"


# --- what notation cannot say -----------------------------------------------------------------------------------------


def of(units: list[Unit] = [], lines: dict[str, tuple[str, ...]] = {}, **said: str) -> Position:  # noqa: B006
    colours: dict[FactKey, Fact] = {("colour", unit.id): Fact("red") for unit in units}
    colours |= {("label", unit.id): Fact("") for unit in units}
    about = {(name, ""): Fact(value) for name, value in said.items()}
    return Position(
        GAME_OF_ITS_OWN, build_state(GAME_OF_ITS_OWN, Stated(units=units, lines=lines, facts={**colours, **about}))
    )


@pytest.mark.parametrize(
    "position",
    [
        of([Unit("a", "b", "0101")]),
        of([Unit('a "b"', 'a "b"', "0101")]),
        of(lines={"": ("0101", "0102")}),
        of(saying='"'),
        of(saying="two\nlines"),
        of(saying="a\ttab"),
        of(saying="a \u2013 b"),
        of(saying="sure?"),
        msgspec.structs.replace(of(), answers={"roll": '"7"'}),
        msgspec.structs.replace(of(), asks=(Asked("battle", {"at": "a\u2028b"}),)),
        msgspec.structs.replace(of(), asks=(Asked("", {}),)),
        msgspec.structs.replace(of(), asks=(Asked("battle", {"": "1"}),)),
        msgspec.structs.replace(of(), answers={"a=b": "1"}),
    ],
)
def test_what_notation_has_no_way_to_write(position: Position) -> None:
    with pytest.raises(InputError, match="notation"):
        write_notation(position)


def test_a_fact_of_a_doubtful_source_stays_doubtful_and_what_has_no_line_is_a_comment() -> None:
    position = of(sky="rain")
    drawn = {key: Fact(fact.value, Source.DRAWN) for key, fact in position.state.facts.items()}
    state = msgspec.structs.replace(position.state, facts=drawn)
    assert reread(position.with_state(state)).state.facts == {("sky", ""): Fact("rain", assumed=True)}
    position = of([])
    position = msgspec.structs.replace(
        position, state=msgspec.structs.replace(position.state, unread=(Unread("a piece"),))
    )
    assert "# not understood: a piece" in write_notation(position).splitlines()


def test_a_negative_rating_is_written_by_its_name_and_no_text_as_none() -> None:
    tracks = {**GAME_OF_ITS_OWN.tracks, "attack": track("attack", "unit", "integer", printed="counter")}
    game = Game("own", Path("nowhere"), GAME_OF_ITS_OWN.file, tracks)
    facts = {
        ("colour", "a"): Fact("red"),
        ("label", "a"): Fact(""),
        ("attack", "a"): Fact(-1),
        ("defence", "a"): Fact(2),
    }
    position = Position(game, build_state(game, Stated(units=[Unit("a", "a", "0101")], facts=facts)))
    assert read_notation(write_notation(position).encode(), "own.pos", lambda name: game).state == position.state
    text = "game twilight-in-the-east\n40.20: 25/3 corps=none, 27/3 with=none?\n"
    assert write_notation(typed(text)) == text
    assert typed(text).state.facts["corps", "25/3"].value == ""


def signposted(text: str) -> Position:
    """A position with a line over a hexside that bears a text."""
    tracks = {**GAME_OF_ITS_OWN.tracks, "signpost": track("signpost", "hexside", "text")}
    game = Game("own", Path("nowhere"), GAME_OF_ITS_OWN.file, tracks)
    facts = {"road": {("signpost", "0101|0102"): Fact(text)}}
    return Position(game, build_state(game, Stated(lines={"road": ("0101", "0102")}, line_facts=facts)))


@pytest.mark.parametrize("text", ["x y", "3rd", "x.y", "\u00e4"])
def test_a_text_on_a_hexside_of_a_line_that_no_line_can_bear(text: str) -> None:
    with pytest.raises(InputError, match="between two hexes of a line"):
        write_notation(signposted(text))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "yes"),
        (False, "no"),
        (3, "3"),
        (["a", "b"], "a,b"),
        (("a b", "c"), '"a b,c"'),
        ("a#b", '"a#b"'),
        ("", ""),
    ],
)
def test_parameters_that_a_program_stated(value: Any, written: str) -> None:
    text = write_notation(msgspec.structs.replace(typed("turn=3"), asks=(Asked("battle", {"at": value}),)))
    assert text == f"game {GAME}\nturn=3\nask battle at={written}\n"


def test_of_a_line_only_what_is_not_there_for_certain_is_left_unsaid() -> None:
    text = (
        "game twilight-in-the-east\n"
        "line a: 40.23 -no-rail?- 40.22 -open?- 40.21 -open- 40.20 40.19 clear? -no-crossing?- -narrow?- 40.18\n"
    )
    position = typed(text)
    written = write_notation(position)
    for word in ("-no-rail?-", "-open?-", "-open-", "clear?", "-no-crossing?-", "-narrow?-"):
        assert written.count(word) == 1, written
    assert "no-road" not in written
    assert typed(written).state == position.state


def test_units_off_the_map_stand_on_lines_of_their_own() -> None:
    text = (
        "game twilight-in-the-east\n40.20: 25/3\n"
        'off-map: 27/3, 26/2 cel=-2, german infantry X "9 lw" (4-4-1-7) -3, "3 Train"\n'
    )
    position = typed(text)
    assert {unit.id: unit.place for unit in position.state.units.values()} == {
        "25/3": "40.20",
        "27/3": None,
        "26/2": None,
        "9 lw": None,
        "3 Train": None,
    }
    assert write_notation(position) == text
    assert typed(write_notation(position)).state == position.state
    game = load_game("twilight-in-the-east")
    units = list(game.roster)[:23]
    written = write_notation(
        Position(game, build_state(game, Stated(units=[Unit(unit, unit, None) for unit in units])))
    )
    lines = [line for line in written.splitlines() if line.startswith("off-map: ")]
    assert [line.count(",") + 1 for line in lines] == [10, 10, 3]
    assert list(typed(written).state.units) == units


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("40.20: 25/3\noff-map: 25/3", "unit 25/3 is placed twice"),
        ("off-map: 25/3\n40.20: 25/3", "unit 25/3 is placed twice"),
        ("off-map: 25/3, 25/3", "unit 25/3 is placed twice"),
        ("off-map: 25/33", "unknown unit '25/33'"),
        ("off-map: 25/3 nonsense", "nonsense"),
        ("off-map 25/3", "a line cannot begin with 'off-map'"),
    ],
)
def test_a_line_of_units_off_the_map_is_checked(lines: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        typed(lines)


def test_a_unit_that_has_entered_comes_back_in_its_place_of_the_stack() -> None:
    position = typed("turn=1\n40.20: 25/3, 29/20")
    enters = Enter("27/3", "27/3", "40.20", 1, "9.1")
    after = apply_changes(
        position.game, position.state, [enters, Change("lost", "27/3", None, 2, "9.1"), Leave("29/20", "9.2")]
    )
    again = read_notation(
        write_notation(msgspec.structs.replace(position, state=after)).encode(), "again.pos", load_game
    ).state
    assert [unit.id for unit in again.stack("40.20")] == ["25/3", "27/3"]
    assert again.value("lost", "27/3") == 2


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("40.20: 25/3", "", ["40.20: "]),
        ("40.20: 25/3\n41.19 unseen=russian", "40.20: 25/3", ["41.19: "]),
        ("40.20: 25/3\n40.20 unseen=russian", "40.20: 27/3\n40.20 unseen=russian", ["40.20: 27/3", "40.20 unseen=russian"]),
        ("", "40.20: 25/3\n40.20 unseen=russian", ["40.20: 25/3", "40.20 unseen=russian"]),
    ],
)  # fmt: skip
def test_lines_between_positions_of_which_stacks_are_left_or_seen(before: str, after: str, lines: list[str]) -> None:
    was, now = (parse(f"game twilight-in-the-east\n{text}") for text in (before, after))
    units = {id: msgspec.structs.replace(unit, place=None) for id, unit in was.state.units.items()}
    now = now.with_state(msgspec.structs.replace(now.state, units={**units, **now.state.units}))
    assert write_changes(was, now) == lines
    assert are_alike(parse("\n".join(lines), was), now)


def test_lines_to_a_position_that_lacks_a_unit_state_away_only_what_varies() -> None:
    game, unit = "game twilight-in-the-east\n40.20: 25/3\n", "41.19: 1/1 (12-16-7-11)"
    was, now = parse(f"{game}{unit} disorder=1"), parse(game)
    lines = write_changes(was, now)
    assert lines == ["41.19: ", "1/1 D0"]
    again = parse("\n".join(lines), was).state
    assert again.units["1/1"].place is None
    assert [again.value(name, "1/1") for name in ("effectiveness", "disorder")] == [11, 0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("twilight-in-the-east\nturn=1 weather=freeze", "twilight-in-the-east\nturn=2 weather=freeze"),
        (
            "kaisers-war-in-the-east\nturn=2 phase=first-combat\n2620 attacked\n2621: AH-4 fought\n2622: AH-5 fought",
            "kaisers-war-in-the-east\nturn=2 phase=second-combat\n2620 attacked\n2621: AH-4 fought\n2622: AH-5",
        ),
    ],
)
def test_what_lapses_and_is_so_again_is_stated_again(before: str, after: str) -> None:
    was, now = parse(f"game {before}"), parse(f"game {after}")
    assert are_alike(parse("\n".join(write_changes(was, now)), was), now)


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        ("phase=second-combat", ["phase=second-combat"]),
        ("phase=second-combat\n2720 attacked", ["phase=second-combat", "2720 attacked"]),
        ("2620 attacked=no", ["2620 attacked=no"]),
    ],
)
def test_what_lapses_with_the_phase_is_not_stated_away(typed: str, lines: list[str]) -> None:
    """A combat's result would be stated as another one: the first of a choice stands for nothing."""
    game, fought = "game kaisers-war-in-the-east", "2620 attacked combat-result=DD\n2621: AH-4 fought"
    was = parse(f"{game}\nturn=2 phase=first-combat\n{fought}")
    now = parse(typed, was)
    assert write_changes(was, now) == lines
    assert are_alike(parse("\n".join(lines), was), now)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("", "elsewhere clear open", ["elsewhere clear open"]),
        ("elsewhere clear", "elsewhere clear", []),
        ("elsewhere rough open", "elsewhere clear open", ["elsewhere clear open"]),
        ("elsewhere clear open", "elsewhere open", ["elsewhere", "elsewhere open"]),
        ("elsewhere clear", "", ["elsewhere"]),
    ],
)
def test_what_holds_of_all_other_hexes_is_written(before: str, after: str, lines: list[str]) -> None:
    was, now = (parse(f"game twilight-in-the-east\n{text}") for text in (before, after))
    assert reread(now).state == now.state
    assert write_changes(was, now) == lines
    assert are_alike(parse("\n".join(lines), was), now)


def test_a_text_on_a_hexside_of_a_line_comes_back() -> None:
    game = signposted("").game
    position = read_notation(b"game own\nline road: 0101 -signpost=to-town- 0102", "x.pos", lambda _: game)
    assert same(position, reread(position))
