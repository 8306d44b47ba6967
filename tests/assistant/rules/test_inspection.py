"""Units that are hidden by option: a side sees what it stands next to; decoys leave the map once they are looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant.asking.question import answer_question
from assistant.asking.report import Report
from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.game.games import Game
from assistant.game.lint.files import faults
from assistant.game.viewpoint import reduce_state
from assistant.rules.inspection import QUESTION, InspectAsked
from assistant.state.state import UNSEEN, GameState
from assistant.util.errors import InputError

from ...folders import game_of

FILES = {
    "game.toml": """
title = "Fog"
boxes = ["Dead"]
[grid]
columns = [1, 9]
rows = [1, 9]
[notation]
identity = ["nation", "arm"]
[sides]
red = ["red"]
blue = ["blue"]
[intelligence]
rule = "7.1"
sees = "adjacent"
when = { options = "fog" }
weakest = { arm = "dummy" }
strongest = { arm = "infantry" }
decoy = { arm = "dummy" }
""",
    "course.toml": '[turns]\narrives = "arrives"\n',
    "tracks.toml": """
[turn]
title = "turn"
on = "game"
kind = "integer"
least = 1
most = 9
[options]
title = "optional rules in force"
on = "game"
kind = "choices"
values = ["fog", "mud"]
absent = []
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["red", "blue"]
printed = "counter"
token = "{}"
[arm]
title = "arm"
on = "unit"
kind = "choice"
values = ["infantry", "dummy"]
printed = "counter"
token = "{}"
[arrives]
title = "turn of arrival"
on = "unit"
kind = "integer"
least = 1
most = 20
[tired]
title = "tired"
on = "unit"
kind = "flag"
absent = false
""",
}
POSITION = """game fog
turn=3
options=fog+mud
0303: red infantry R1
0304: blue infantry B1 tired, blue dummy B2
0606: blue infantry B3 tired
0808: red dummy R2
"""


@pytest.fixture(scope="module")
def fog(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return game_of(tmp_path_factory.mktemp("fog"), FILES, "fog")


def state(game: Game, text: str = POSITION) -> GameState:
    return read_notation(text.encode(), "x.pos", lambda _: game).state


def report(game: Game, text: str = POSITION, side: str = "", **parameters: Any) -> Report[Any]:
    seen = reduce_state(game, state(game, text), side) if side else state(game, text)
    return answer_question(QUESTION, View(game, seen), msgspec.convert(parameters, InspectAsked), {})


def units(game: Game, side: str, text: str = POSITION) -> list[str]:
    return sorted(reduce_state(game, state(game, text), side).units)


# --- what a side sees -------------------------------------------------------------------------------------------------


def test_a_side_sees_what_its_units_stand_next_to_with_its_markers_and_elsewhere_that_something_is_there(
    fog: Game,
) -> None:
    seen = reduce_state(fog, state(fog), "red")
    assert sorted(seen.units) == ["B1", "B2", "R1", "R2"]
    assert seen.value("tired", "B1") is True
    assert [(key, fact.value) for key, fact in seen.facts.items() if key[0] == UNSEEN] == [((UNSEEN, "0606"), "blue")]
    assert ("tired", "B3") not in seen.facts
    assert units(fog, "blue") == ["B1", "B2", "B3", "R1"]


@pytest.mark.parametrize("options", ["", "options=mud\n"])
def test_without_its_option_nothing_is_hidden_and_no_more_is_seen_than_a_side_may(fog: Game, options: str) -> None:
    text = POSITION.replace("options=fog+mud\n", options)
    assert units(fog, "red", text) == ["B1", "B2", "B3", "R1", "R2"]
    assert str(report(fog, text)).splitlines()[1:5] == [
        "= every unit may be inspected",
        "",
        "Why",
        "  7.1  options=fog is not stated",
    ]
    assert report(fog).viewpoint == "everything"
    assert report(fog, POSITION.replace("fog+", "")).viewpoint == ""


def test_an_option_a_flag_or_a_number_may_switch_it_on(tmp_path: Path) -> None:
    text = FILES["game.toml"].replace('{ options = "fog" }', '{ night = "yes", turn = "3" }')
    flag = '[night]\ntitle = "night"\non = "game"\nkind = "flag"\nabsent = false\n'
    game = game_of(tmp_path, {**FILES, "game.toml": text, "tracks.toml": FILES["tracks.toml"] + flag}, "fog")
    dark = POSITION.replace("options=fog+mud\n", "night\n")
    assert units(game, "red", dark) == ["B1", "B2", "R1", "R2"]
    assert len(units(game, "red", dark.replace("turn=3", "turn=4"))) == 5
    assert len(units(game, "red", POSITION)) == 5
    always = FILES["game.toml"].replace('when = { options = "fog" }\n', "")
    game = game_of(tmp_path / "always", {**FILES, "game.toml": always}, "fog")
    assert units(game, "red", POSITION.replace("options=fog+mud\n", "")) == ["B1", "B2", "R1", "R2"]


# --- who may be looked at ---------------------------------------------------------------------------------------------


def test_each_side_may_look_into_the_hexes_next_to_its_units_and_only_it_knows_which(fog: Game) -> None:
    found = report(fog).result.hexes
    assert [(hex.side, hex.at, hex.beside, hex.units, hex.decoys) for hex in found] == [
        ("red", "0304", ("R1",), ("B1", "B2"), ("B2",)),
        ("blue", "0303", ("B1", "B2"), ("R1",), ()),
    ]
    assert [hex.side for hex in report(fog, side="blue").result.hexes] == ["blue"]
    asked = answer_question(QUESTION, View(fog, state(fog)), InspectAsked(side="red"), {})
    assert [hex.side for hex in asked.result.hexes] == ["red"]
    with pytest.raises(InputError, match="only the Blue side knows what it may look at"):
        answer_question(QUESTION, View(fog, reduce_state(fog, state(fog), "red")), InspectAsked(side="blue"), {})


def test_a_decoy_that_is_looked_at_leaves_the_map_and_may_come_back_next_turn(fog: Game, tmp_path: Path) -> None:
    changes = {(change.track, change.subject): change.after for change in report(fog, side="red").changes}  # type: ignore[union-attr]
    assert changes == {("place", "B2"): None, ("arrives", "B2"): 4}
    last = report(fog, POSITION.replace("turn=3", "turn=9"), side="red").changes
    assert [(change.track, change.subject) for change in last] == [("place", "B2")]  # type: ignore[union-attr]
    game = game_of(tmp_path, {**FILES, "course.toml": ""}, "fog")
    assert len(report(game, side="red").changes) == 1
    text = POSITION.replace("turn=3\n", "")
    assert [asked.how for asked in report(fog, text, "red").asks] == ["turn=N"]
    assert report(fog, text, "blue").verdict.kind == "yes"


@pytest.mark.parametrize("at", ["0606", "0707"])
def test_no_other_hex_may_be_looked_into_and_it_is_not_said_whether_somebody_is_there(fog: Game, at: str) -> None:
    found = report(fog, side="red", at=[at])
    nobody = "no enemy unit in HEX that a unit stands next to"
    assert found.headline.replace(at, "HEX") == f"Inspection of HEX: nothing may be inspected. Why: {nobody}."
    assert "\n\nNot allowed\n  7.1  no enemy unit in HEX that a unit stands next to\n" in str(found).replace(at, "HEX")
    assert found.changes == ()
    with pytest.raises(InputError, match="Dead"):
        report(fog, at=["Dead"])


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ('when = { weather = "fog" }', "[intelligence.when]: unknown fact of the game 'weather'"),
        ('when = { options = "rain" }', "[intelligence.when] options: optional rules in force: 'rain' is not allowed"),
        ('when = { arm = "dummy" }', "[intelligence.when]: unknown fact of the game 'arm'"),
        ('decoy = { turn = "3" }', "[intelligence.decoy]: unknown track of units 'turn'"),
        ('decoy = { arm = "ghost" }', "[intelligence.decoy] arm: arm: 'ghost' is not allowed"),
    ],
)
def test_a_mistake_in_intelligence_is_named(tmp_path: Path, written: str, what: str) -> None:
    key = written.split(" ")[0]
    text = "\n".join(written if line.startswith(f"{key} ") else line for line in FILES["game.toml"].splitlines())
    game = game_of(tmp_path, {**FILES, "game.toml": text}, "fog")
    found = [str(fault) for fault in faults(game)]
    assert any(what in fault for fault in found), found


def test_a_position_of_a_game_with_such_a_mistake_is_refused(tmp_path: Path) -> None:
    text = FILES["game.toml"].replace('{ options = "fog" }', '{ weather = "fog" }')
    game = game_of(tmp_path, {**FILES, "game.toml": text}, "fog")
    with pytest.raises(InputError, match="unknown track 'weather'"):
        reduce_state(game, state(game), "red")
