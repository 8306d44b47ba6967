"""Which facts of a drawn map a supply state turns on: examples, and small maps against trying every value of every fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from assistant.formats.notation import read
from assistant.formats.positions import Position
from assistant.game.boards import Board
from assistant.game.boards.board import Facts
from assistant.game.games import Game
from assistant.game.packs import Pack, overlaid
from assistant.plugins.registry import load_game, question_of
from assistant.questions.doubts import Weighed, is_kept, weigh
from assistant.questions.parameters import read_parameters
from assistant.questions.question import ask
from assistant.questions.report import MissingFacts, Report
from assistant.questions.view import View
from assistant.state.state import FactKey, hexside
from assistant.state.tracks import Fact, Source, Value
from assistant.util.errors import InputError

from ...cases import examples, thorough
from ...conftest import answered, typed

HEXES = [f"{column}.{row}" for column in (40, 41, 42, 43) for row in (20, 21, 22)]
MOVES = ["infantry", "artillery", "corps-train", "minor-depot"]
WAYS = [("barrier", ("open",)), ("rail", "no-rail"), ("road", "no-road"), ("crossing", "no-crossing")]


def tiny(game: Game, seed: int) -> Board:
    """A map of a dozen hexes that is only drawn, with a railway, a river, and some rough ground."""
    random = Random(seed)
    grid = game.file.grid
    assert grid
    board = Board(name="tiny", title="tiny", grid=grid, hexes=frozenset(HEXES))
    facts: dict[FactKey, Value] = {}
    sides = sorted({hexside(hex, other) for hex in HEXES for other in board.neighbours(hex)})
    for hex in HEXES:
        facts["terrain", hex] = random.choice(
            ["clear", "clear", "clear", "clear", "rough", "mountain", "high-mountain"]
        )
        facts["control", hex] = random.choice(["russian", "russian", "central-powers"])
        facts["map-edge", hex] = "none"
        facts["station", hex] = random.random() < 0.5
    for side in sides:
        facts["barrier", side] = random.choice([(), (), (), (), ("lake",), ("major-river",), ("ridge",)])
        facts["rail", side] = random.choice(["no-rail", "no-rail", "no-rail", "rail1", "rail2"])
        facts["road", side] = random.choice(["no-road", "no-road", "no-road", "primary-road"])
        facts["crossing", side] = random.choice(["no-crossing", "no-crossing", "bridge"])
    railway = [random.choice([hex for hex in HEXES if len(board.neighbours(hex)) < 6])]
    for _ in range(random.randrange(7)):
        railway.append(random.choice(board.neighbours(railway[-1])))
        facts["rail", hexside(*railway[-2:])] = random.choice(["rail1", "rail2"])
    for hex in dict.fromkeys((*railway, *random.sample(HEXES, 2))):
        facts["operational", hex] = random.choice(
            ["russian", "russian", "russian", "russian", "central-powers", "none"]
        )
    if random.random() < 0.8:
        facts["map-edge", railway[0]] = "russian"
    known = {key: Fact(value, Source.DRAWN) for key, value in facts.items()}
    return msgspec.structs.replace(board, facts=Facts((), {}, known))


def position(game: Game, seed: int) -> tuple[Position, Board]:
    """Troops on a small map: a Russian unit whose supply is asked, supply units of its corps, and Germans."""
    random = Random(seed)
    board = tiny(game, seed)
    game._boards["tiny"] = board
    places = random.sample(HEXES, 6)
    supply = "army=First corps=3"
    lines = [
        f"{places[0]}: russian {random.choice(MOVES[:2] * 2 + MOVES[2:])} XX 3/3 range=1 extended-range=2 {supply}",
        f'{places[1]}: russian corps-train - "3 Train" range={random.randint(0, 2)} extended-range=3 {supply}',
        f"{places[2]}: russian {random.choice(['minor-depot', 'major-depot'])} - Depot range=1 extended-range=2 {supply}",
        f"{places[3]}: german infantry XX 1/1",
        f"{places[4]}: german infantry XX 2/1",
        f"{places[5]}: russian infantry XX 4/3",
    ]
    chosen = [lines[0], *random.sample(lines[1:], random.randint(0, 5))]
    text = "\n".join((f"game {game.id}", "board tiny", "turn=5", *chosen))
    return read(text.encode(), "tiny.pos", lambda _: game), board


def asked(view: View) -> Report:
    """The report on the unit's supply."""
    declared = question_of(view.game, "supply")
    return ask(declared, view, read_parameters(declared, view, {"unit": "3/3"}), {})


ABOUT = {"unit": "3/3"}
"""Whose supply is asked."""


def decided(view: View, about: Mapping[str, str] = ABOUT) -> object:
    """What of the answer counts, or why there is none."""
    declared = question_of(view.game, "supply")
    assert declared.decision
    try:
        return declared.decision(declared.answer(view, read_parameters(declared, view, about), {}))
    except MissingFacts:
        return "missing"
    except InputError as error:
        return error.what


def otherwise(view: View, board: Board) -> Iterator[tuple[FactKey, Value]]:
    """Every other value of every drawn fact; a hex within the map is not at its edge."""
    for (track, subject), fact in board.facts.items():
        if track != "map-edge" or len(board.neighbours(subject)) < 6:
            for value in view.game.track(track).alternatives(fact.value):
                yield (track, subject), value


def turning(view: View, board: Board) -> Mapping[FactKey, Value]:
    """The second solution: every other value of every fact is tried, on a map that says so, with nothing taken over."""
    as_drawn, game = decided(view), view.game
    found = {}
    for key, value in otherwise(view, board):
        facts = Facts((), {}, {**dict(board.facts), key: Fact(value, Source.DRAWN)})
        game._boards["tiny"] = msgspec.structs.replace(board, facts=facts)
        if decided(View(game, view.state)) != as_drawn:
            found[key] = value
    game._boards["tiny"] = board
    return found


def weighed(view: View, about: Mapping[str, str] = ABOUT) -> Weighed:
    """What the state of a unit turns on."""
    declared = question_of(view.game, "supply")
    asked_about = read_parameters(declared, view, about)
    report, decide = declared.answer(view, asked_about, {}), declared.decide
    assert decide
    again = partial(decide, parameters=asked_about, answers={})
    return weigh(view, report, declared.decision, again, declared.doubts)


@thorough
@settings(max_examples=examples(5), deadline=None, phases=[Phase.generate])
@given(seed=st.integers(0, 10**9))
def test_a_state_turns_on_exactly_the_facts_of_which_one_value_changes_it(twilight: Game, seed: int) -> None:
    at, board = position(twilight, seed)
    view = View(at.game, at.state)
    as_drawn = decided(View(at.game, at.state))
    if as_drawn == "missing":
        return
    found, expected = {turn.key for turn in weighed(view).turns}, set(turning(View(at.game, at.state), board))
    stated = {
        key
        for key, value in otherwise(view, board)
        if decided(View(at.game, at.state).supposing({key: value})) != as_drawn
    }
    only_stated = {
        key for key in stated - expected if key[0] == "control"
    }  # stated, it outweighs what a map shows of RR lines
    assert found - only_stated == expected


# --- on the eastern board ---------------------------------------------------------------------------------------------

EXAMPLES = Path(str(load_game("twilight-in-the-east").folder)) / "examples"


def example(name: str) -> View:
    """The view of an example."""
    at = typed((EXAMPLES / name).read_text("utf-8"))
    return View(at.game, at.state)


def test_a_line_turns_on_the_unit_s_own_hex_and_the_only_railway_behind_its_source() -> None:
    found = weighed(example("supplied.pos"), {"unit": "22/1"})
    keys = [turn.key for turn in found.turns]
    on = {track: [subject for name, subject in keys if name == track] for track, _ in keys}
    assert on.keys() == {"terrain", "rail", "operational"}
    assert on["terrain"] == ["68.35"], "there is a way round all others"
    passed = Counter(hex for side in on["rail"] for hex in side.split("|"))
    ends = [hex for hex, sides in passed.items() if sides == 1]
    assert len(ends) == 2 and "65.37" in ends and max(passed.values()) == 2, "one chain, from where the train stands"
    assert set(on["operational"]) == set(passed) - {"65.37", "64.38", "64.39"}, "the position states these"


def test_a_line_is_settled_by_what_it_passes_and_one_railway_to_the_map_edge() -> None:
    found = weighed(example("supplied.pos"), {"unit": "22/1"})
    on = {track: {subject for name, subject in found.keys if name == track} for track, _ in found.keys}
    assert on["terrain"] == {"66.37", "67.36", "68.36", "68.35"}
    assert on["barrier"] == {"65.37|66.37", "66.37|67.36", "67.36|68.36", "68.35|68.36"}
    assert len(on["map-edge"]) == 1 and on.keys() == {"terrain", "barrier", "rail", "operational", "map-edge"}


def test_an_isolated_unit_turns_on_the_hexsides_that_a_river_would_close_to_zones() -> None:
    found = weighed(example("isolated.pos"), {"unit": "22/1"})
    assert found.turns and {turn.key[0] for turn in found.turns} == {"barrier"}
    assert {frozenset(track for track, _ in one.keys) for one in found.together} == {frozenset(("barrier", "control"))}
    assert found.settled and found.settled.least, "a seventh hex in friendly control behind a river would do as well"


def test_what_the_owner_looks_up_settles_it(twilight: Game, tmp_path: Path) -> None:
    text = (EXAMPLES / "supplied.pos").read_text("utf-8")
    pack = Pack(twilight, tmp_path)
    asks = answered(typed(text)).asks
    printed = [one for one in asks if is_kept(twilight, one)]
    pack.enter_all({}, {("east", str(one.key[1]), str(one.key[0])): one.drawn for one in printed})
    others = [str(one.key[1]) for one in asks if one not in printed]
    stated = text.replace("ask supply", f"{', '.join(others)} operational=russian\nask supply")
    known = overlaid(twilight, tmp_path)
    report = answered(read(stated.encode(), "a.pos", lambda _: known))
    assert (report.verdict.kind, report.asks) == ("yes", ())
    pack.enter_all(ground={("east", "68.35", "terrain"): "high-mountain"})
    assert answered(read(stated.encode(), "a.pos", lambda _: overlaid(twilight, tmp_path))).result.state == "out"
