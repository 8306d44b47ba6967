"""The builder's module in the real engine: opened, played on and saved; what the assistant then reads is what was there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from math import dist
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from assistant.asking.parameters import read_parameters
from assistant.asking.question import answer_question
from assistant.asking.report import to_text
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.formats.vassal.modules import Module, read_module
from assistant.formats.vassal.positions import read_vassal
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.traits import Trait, read_layer
from assistant.game.games import Game, read_game
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game, question_of
from module_builder.vassal.module import build_module, module_grid, wanted_module
from tests.module_builder.test_data_game import game_in
from tests.module_builder.vassal.test_turns import heath as with_arrivals
from tests.saves import read_container as contents

from .agreement import differences
from .engine import Listing, Outcome, Session
from .keep import ARMIES_SETUP as ARMIES
from .keep import EXAMPLE_SETUP as EXAMPLE
from .keep import ids_in

GAME = "twilight-in-the-east"
KEPT = Path(__file__).parents[2] / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"

TRAIN = b'36.19: "3 Train" range=5 extended-range=8 extended-ap-limit=2\n'
"""What the set-up has beside the typed example."""


def at(hex: str) -> dict[str, int]:
    """Where a hex lies on the map of the game's module."""
    game = load_game(GAME)
    x, y = module_grid(game, wanted_module(game)).hexes[hex]
    return {"x": x, "y": y}


class Played(NamedTuple):
    """A module that the engine opened, what it said, and the saves that it wrote."""

    data: bytes
    module: Module
    outcome: Outcome
    saves: dict[str, bytes]


@pytest.fixture(scope="module")
def built() -> bytes:
    return build_module(load_game(GAME)).data


@pytest.fixture(scope="module")
def opened(engine: ModuleType, built: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The engine with the module just opened."""
    module = tmp_path_factory.mktemp("table") / "twilight.vmod"
    module.write_bytes(built)
    with engine.Session(module) as session:
        yield session


@pytest.fixture(scope="module")
def played(opened: Session, built: bytes, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Both set-ups loaded and saved; in the first one counters are moved and changed and the turn goes on."""
    folder, data = tmp_path_factory.mktemp("module"), built
    ids, in_example = (ids_in(data, file) for file in (ARMIES, EXAMPLE))

    def on(unit: str, item: str) -> dict[str, str]:
        return {"do": "menu", "piece": ids[unit], "item": item}

    changes = [
        on("25/3", "Lose a step"),
        on("25/3", "Lose a step"),
        on("25/3", "Lose a Combat Effectiveness Level"),
        on("27/3", "Disorder further"),
        on("27/3", "Disorder further"),
        on("28/20", "Supply: in, low, out"),
        on("29/20", "Flip"),
        on("29/20", "Combat Strength 1/2"),
        {"do": "answer", "text": "43.18"},
        on("1/1", "Prepared Attack at ..."),
        {"do": "move", "piece": ids["30/4"], **at("41.19")},
        *[{"do": "turn_next"}] * 31,
        {"do": "answer", "text": "summer-heat"},
        {"do": "press", "button": "Weather"},
    ]
    steps = [
        {"do": "palette", "as": "palette"},
        {"do": "setup", "file": EXAMPLE},
        {"do": "list", "as": "example"},
        {"do": "save", "file": folder / "example.vsav"},
        {"do": "menu", "piece": in_example["25/3"], "item": "Out of play", "as": "eliminated"},
        {"do": "save", "file": folder / "eliminated.vsav"},
        {"do": "setup", "file": ARMIES},
        {"do": "list", "as": "armies"},
        {"do": "save", "file": folder / "armies.vsav"},
        {"do": "log_begin", "file": folder / "changed.vlog"},
        *changes,
        {"do": "log_end"},
        {"do": "list", "as": "changed"},
        {"do": "save", "file": folder / "changed.vsav"},
        {"do": "refresh", "as": "refreshed"},
        {"do": "list", "as": "after refreshing"},
    ]
    outcome = opened.play(steps)
    saves = {file.name: file.read_bytes() for file in folder.iterdir() if file.suffix in (".vsav", ".vlog")}
    return Played(data, read_module(data), outcome, saves)


@pytest.fixture
def table(opened: Session, played: Played) -> Session:
    """The engine after that, for whatever is tried in it: each test begins a game of its own."""
    return opened


def position(data: bytes, name: str = "game.vsav", game: Game | None = None) -> Position:
    return read_vassal(data, name, lambda id: game or load_game(id))


def battle(position: Position, answers: dict[str, str]) -> str:
    """The whole report on the battle that a position asks about."""
    question, view = question_of(position.game, "battle"), View(position.game, position.state)
    asked = next(asked for asked in position.asks if asked.question == "battle")
    return to_text(answer_question(question, view, read_parameters(question, view, asked.parameters), answers))


def test_the_module_opens_and_plays_without_a_warning_or_a_dialog(played: Played) -> None:
    assert played.outcome.faults == []
    assert played.module.unread == ()


@pytest.mark.parametrize("name", ["example", "armies", "changed"])
def test_assistant_and_engine_read_the_same_from_the_save_that_the_engine_wrote(played: Played, name: str) -> None:
    listing: Listing = played.outcome[name]
    assert listing.off_board == []
    assert differences(read_save(played.saves[f"{name}.vsav"]), played.module, listing) == []


@pytest.mark.parametrize(("name", "file"), [("example", EXAMPLE), ("armies", ARMIES)])
def test_and_from_the_set_up_that_the_builder_wrote(played: Played, name: str, file: str) -> None:
    assert differences(read_save(contents(played.data)[file]), played.module, played.outcome[name]) == []


def test_palettes_are_as_the_engine_has_them(played: Played) -> None:
    ours = {slot.id: slot for slot in played.module.slots}
    for slot in played.outcome["palette"]:
        assert slot.missing == []
        traits = played.module.expanded(ours[slot.gpid].piece.traits)
        assert [trait.kind for trait in traits] == [trait.type.split(";")[0] for trait in slot.traits]
        assert ours[slot.gpid].name == slot.entry_name
        if slot.path[0] in ("Turns", "Records") or "Supply" in slot.path:
            continue  # frames around the current turn, of no palette; tints of hexes
        assert slot.path[-len(ours[slot.gpid].path) :] == list(ours[slot.gpid].path)
        assert {75} <= {slot.width, slot.height, 75} <= {*range(75, 90)}, slot.entry_name
    assert len(ours) == len(played.outcome["palette"])


def test_the_example_saved_by_the_engine_gives_the_report_of_the_typed_one(played: Played) -> None:
    typed = (KEPT.parent / "battle.pos").read_bytes() + TRAIN
    from_the_save = position(played.saves["example.vsav"])
    from_the_table = read_position("battle.pos", typed)
    answers = dict(from_the_table.answers)
    assert battle(from_the_save, answers) == battle(from_the_table, answers)
    assert battle(from_the_save, {}) == battle(from_the_table, {})
    assert from_the_save.state.unread == ()


def test_the_save_that_demo_and_readme_read_is_that_one(played: Played) -> None:
    kept, fresh = read_save(KEPT.read_bytes()), read_save(played.saves["example.vsav"])
    assert differences(kept, played.module, played.outcome["example"]) == []
    assert (kept.boards, kept.turns, kept.properties) == (fresh.boards, fresh.turns, fresh.properties)
    assert kept.public_notes == fresh.public_notes
    # in whatever order the engine lists them, which depends on what was loaded before
    assert sorted(stack.pieces for stack in kept.stacks.values()) == sorted(
        stack.pieces for stack in fresh.stacks.values()
    )


@pytest.mark.parametrize("file", ["changed.vsav", "changed.vlog"])
def test_what_was_changed_from_the_counters_menus_is_read(played: Played, file: str) -> None:
    state = position(played.saves[file], file).state
    said = {key: fact.value for key, fact in state.facts.items()}
    assert said == {
        ("turn", ""): 3,
        ("phasing", ""): "russian",
        ("phase", ""): "attack",
        ("weather", ""): "summer-heat",
        ("lost", "25/3"): 2,
        ("cel", "25/3"): -1,
        ("disorder", "27/3"): 2,
        ("supply", "28/20"): "low",
        ("reduced", "29/20"): True,
        ("half", "29/20"): True,
        ("prepared", "1/1"): "43.18",
        ("corps", "56 r/26 R"): "",
    }
    assert [unit.id for unit in state.stack("41.19")] == ["30/4", "Russian 20 Train"]
    assert state.stack("43.23") == ()
    assert state.unread == ()


def test_a_unit_that_has_left_the_map_is_out_of_play_whatever_the_notes_say_of_it(played: Played) -> None:
    state = position(played.saves["eliminated.vsav"]).state
    assert state.units["25/3"].place is None
    assert [unit.id for unit in state.stack("40.20")] == ["27/3"]
    assert state.facts["steps", "25/3"].value == 10
    assert played.outcome.said("eliminated") == ["* 40.20: 25/3 is out of play"]


def test_refreshing_loses_no_piece_and_no_status(played: Played) -> None:
    before, after = played.outcome["changed"], played.outcome["after refreshing"]
    assert played.outcome["refreshed"] == (len(before.pieces), 0, 0, 0)

    def told(listing: Listing) -> list[tuple[str, str | None, int | None]]:
        return sorted((piece.name, piece.location, piece.index) for piece in listing.pieces)

    assert told(after) == told(before)


# --- another build ----------------------------------------------------------------------------------------------------


@pytest.fixture
def larger_game(tmp_path: Path) -> Game:
    """The game with one unit more, in the middle of its roster."""
    folder = tmp_path / "game"
    shutil.copytree(KEPT.parents[1], folder)
    roster = folder / "roster" / "illustrative.csv"
    lines = roster.read_text("utf-8").splitlines()
    columns = len(lines[0].split(","))
    inserted = "99 guards,russian,infantry,XX" + "," * (columns - 4)
    roster.write_text("\n".join([*lines[:40], inserted, *lines[40:]]) + "\n", "utf-8")
    return read_game(GAME, folder)


def test_a_module_with_one_unit_more_opens_the_older_save(
    engine: ModuleType, played: Played, larger_game: Game, tmp_path: Path
) -> None:
    rebuilt, older, saved = tmp_path / "rebuilt.vmod", tmp_path / "older.vsav", tmp_path / "again.vsav"
    rebuilt.write_bytes(build_module(larger_game).data)
    older.write_bytes(played.saves["changed.vsav"])
    steps = [
        {"do": "palette", "as": "palette"},
        {"do": "load", "file": older},
        {"do": "list", "as": "opened"},
        {"do": "refresh", "as": "refreshed"},
        {"do": "list", "as": "after"},
        {"do": "save", "file": saved},
    ]
    outcome = engine.run(rebuilt, steps)
    assert outcome.faults == []
    slots = {slot.gpid for slot in outcome["palette"]}
    assert {slot.id for slot in played.module.slots} < slots
    assert len(slots) == len(played.module.slots) + 1
    opened, after = outcome["opened"], outcome["after"]
    assert {piece.gpid for piece in opened.pieces} <= slots
    assert differences(read_save(older.read_bytes()), read_module(rebuilt.read_bytes()), opened) == []
    assert outcome["refreshed"] == (len(opened.pieces), 0, 0, 0)
    assert sorted((p.name, p.location) for p in after.pieces) == sorted((p.name, p.location) for p in opened.pieces)
    one, other = (position(file.read_bytes(), game=larger_game).state for file in (older, saved))
    assert (one.units, one.facts) == (other.units, other.facts)


@pytest.fixture
def entered_game(tmp_path: Path) -> Game:
    """The game after its owner has entered other values of a counter."""
    folder = tmp_path / "entered"
    shutil.copytree(KEPT.parents[1], folder)
    roster = folder / "roster" / "illustrative.csv"
    text = roster.read_text("utf-8")
    assert "\n25/3,russian,infantry,XX,,3,First,10," in text
    roster.write_text(
        text.replace("\n25/3,russian,infantry,XX,,3,First,10,", "\n25/3,russian,infantry,XX,,3,First,13,")
    )
    return read_game(GAME, folder)


def test_refreshing_an_older_save_keeps_what_was_lost_though_values_have_changed(
    engine: ModuleType, played: Played, entered_game: Game, tmp_path: Path
) -> None:
    rebuilt, older, saved = tmp_path / "rebuilt.vmod", tmp_path / "older.vsav", tmp_path / "again.vsav"
    rebuilt.write_bytes(build_module(entered_game).data)
    older.write_bytes(played.saves["changed.vsav"])
    outcome = engine.run(rebuilt, [{"do": "load", "file": older}, {"do": "refresh"}, {"do": "save", "file": saved}])
    assert outcome.faults == []
    before, after = (position(file.read_bytes(), game=entered_game).state for file in (older, saved))
    assert (before.units, before.facts) == (after.units, after.facts)
    assert after.facts["lost", "25/3"].value == 2
    pieces = (piece.marks() for piece in read_save(saved.read_bytes()).pieces.values())
    assert next(marks["steps"] for marks in pieces if marks.get("unit") == "25/3") == "13"


def test_no_more_steps_can_be_lost_than_are_printed_and_the_viewer_shows_the_side_that_is_up(
    table: Session, played: Played
) -> None:
    ids = ids_in(played.data, ARMIES)
    division, garrison = ids["25/3"], ids["Tilsit"]
    names = ["values", "steps", "back_steps"]
    outcome = table.play(
        [
            {"do": "setup", "file": ARMIES},
            {"do": "commands", "piece": garrison, "as": "one step"},
            *[{"do": "menu", "piece": division, "item": "Lose a step"}] * 9,
            {"do": "commands", "piece": division, "as": "ten steps"},
            {"do": "properties", "piece": division, "names": names, "as": "front"},
            {"do": "menu", "piece": division, "item": "Flip"},
            {"do": "properties", "piece": division, "names": names, "as": "back"},
        ],
    )
    assert outcome.faults == []
    for name in ("one step", "ten steps"):
        assert [one.enabled for one in outcome[name] if one.text == "Lose a step"] == [False]
    assert outcome["front"] == {"values": "(10-12-5-10)", "steps": "10", "back_steps": "5"}
    assert outcome["back"]["values"] == "(5-6-3-10)"


def test_a_position_written_as_a_save_is_what_the_engine_then_has(
    table: Session, played: Played, tmp_path: Path
) -> None:
    """The other way: what the assistant changes in a save, the engine shows."""
    save = read_save(played.saves["armies.vsav"])
    changed = _with_levels(save, "25/3", lost=4, cel=3)
    file, again = tmp_path / "written.vsav", tmp_path / "again.vsav"
    file.write_bytes(write_save(changed))
    outcome = table.play([{"do": "load", "file": file}, {"do": "list", "as": "l"}, {"do": "save", "file": again}])
    assert outcome.faults == []
    assert differences(changed, played.module, outcome["l"]) == []
    facts = position(again.read_bytes()).state.facts
    assert (facts["lost", "25/3"].value, facts["cel", "25/3"].value) == (3, -2)


def _with_levels(save: Save, unit: str, **levels: int) -> Save:
    """The save with layers of one unit at these levels."""
    import msgspec

    (piece,) = (piece for piece in save.pieces.values() if piece.marks().get("unit") == unit)
    traits = []
    for trait in piece.traits:
        of = read_layer(trait.type).name.removesuffix(" seen") if trait.kind == "emb2" else ""
        traits.append(Trait(trait.type, str(levels[of])) if of in levels else trait)
    return msgspec.structs.replace(save, pieces={**save.pieces, piece.id: piece._replace(traits=tuple(traits))})


OLDER = Path(__file__).with_name("older.vsav")
"""The comprehensive example as an older build of the module saved it: other traits and other names of pictures."""


def test_refresh_counters_gives_a_save_of_an_older_module_the_pictures_of_this_one(
    engine: ModuleType, played: Played, tmp_path: Path
) -> None:
    module, saved, shown = tmp_path / "m.vmod", tmp_path / "refreshed.vsav", tmp_path / "shown.png"
    module.write_bytes(played.data)
    steps = [{"do": "load", "file": OLDER}, {"do": "list", "as": "l"}, {"do": "refresh", "as": "r"}]
    outcome = engine.run(module, [*steps, {"do": "save", "file": saved}])
    assert outcome.faults, "the engine names the pictures that the module has under another name now"
    assert all("Image not found" in fault for fault in outcome.faults)
    assert differences(read_save(OLDER.read_bytes()), played.module, outcome["l"]) == []
    assert outcome["r"] == (5, 0, 0, 0)
    again = engine.run(module, [{"do": "load", "file": saved}, {"do": "screenshot", "file": shown}])
    assert again.faults == []
    old, refreshed, new = (position(file.read_bytes()).state for file in (OLDER, saved, KEPT))
    assert (old.units, old.facts) == (new.units, new.facts)
    assert old.units == refreshed.units
    begins_anew = ("lost", "29/20")  # that layer is another one in this module
    assert dict(refreshed.facts) == {key: fact for key, fact in old.facts.items() if key != begins_anew}


# --- the turn track ------------------------------------------------------------------------------------------------------


def test_a_unit_waits_on_the_turn_track_and_comes_onto_the_map(engine: ModuleType, tmp_path: Path) -> None:
    game = with_arrivals(tmp_path)
    module, waiting, arrived = tmp_path / "m.vmod", tmp_path / "waiting.vsav", tmp_path / "arrived.vsav"
    data = build_module(game).data
    module.write_bytes(data)
    save = read_save(contents(data)["The-start.vsav"])
    wolves = next(piece.id for piece in save.pieces.values() if piece.marks().get("unit") == "Wolves")
    x, y = module_grid(game, wanted_module(game)).hexes["E4"]
    steps = [
        {"do": "setup", "file": "The-start.vsav"},
        {"do": "list", "as": "waiting"},
        {"do": "save", "file": waiting},
        {"do": "move", "piece": wolves, "x": x, "y": y, "map": "Map"},
        *[{"do": "turn_next"}] * 2,
        {"do": "list", "as": "arrived"},
        {"do": "save", "file": arrived},
    ]
    outcome = engine.run(module, steps)
    assert outcome.faults == []
    assert outcome["waiting"].off_board == []
    at = {name: {piece.id: piece.location for piece in outcome[name].pieces}[wolves] for name in ("waiting", "arrived")}
    assert at == {"waiting": "Day 8", "arrived": "E4"}
    before, after = (position(file.read_bytes(), game=game).state for file in (waiting, arrived))
    assert (before.units["Wolves"].place, before.unread) == (None, ())
    assert (after.units["Wolves"].place, after.unread) == ("E4", ())
    assert (before.facts["turn", ""].value, after.facts["turn", ""].value) == (6, 6)


# --- counters in play -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "drawn"), [("russian", ("3", "1")), ("central-powers", ("1", "2")), ("", ("3", "2"))])
def test_steps_lost_are_seen_by_their_own_side(
    table: Session, played: Played, side: str, drawn: tuple[str, str]
) -> None:
    """And by who plays neither, and nobody else changes them; the chat says that something has changed, but not on which unit."""
    ids = ids_in(played.data, ARMIES)
    lose = [{"do": "key", "piece": ids[unit], "key": "ctrl L", "as": unit} for unit in ("25/3", "1/1")]
    looks = [
        {"do": "properties", "piece": ids[unit], "names": ["lost seen_Level"], "as": f"seen {unit}"}
        for unit in ("25/3", "1/1")
    ]
    outcome = table.play([{"do": "setup", "file": ARMIES} | ({"side": side} if side else {}), lose[0], *lose, *looks])
    assert outcome.faults == []
    assert tuple(outcome[f"seen {unit}"]["lost seen_Level"] for unit in ("25/3", "1/1")) == drawn
    assert outcome.said("1/1") == ([] if side == "russian" else ["* 44.19: the steps lost of a unit changed"])


def test_a_whole_stack_is_turned_face_down_and_keeps_its_order(table: Session, played: Played) -> None:
    ids = ids_in(played.data, ARMIES)
    steps = [
        {"do": "setup", "file": ARMIES, "side": "russian"},
        {"do": "list", "as": "before"},
        {"do": "menu", "piece": ids["3 c"], "item": "Face down: the whole stack"},
        {"do": "list", "as": "after"},
    ]
    outcome = table.play(steps)
    assert outcome.faults == []
    assert sorted(piece.name for piece in outcome["after"].pieces if "?" in piece.name) == ["2 c(?)", "3 c(?)"]
    before, after = ([(one.id, one.index) for one in outcome[name].pieces] for name in ("before", "after"))
    assert before == after


def test_a_counter_goes_to_the_dead_pile_and_back(table: Session, played: Played, tmp_path: Path) -> None:
    dead = tmp_path / "dead.vsav"
    ids = ids_in(played.data, ARMIES)
    steps = [
        {"do": "setup", "file": ARMIES},
        {"do": "menu", "piece": ids["25/3"], "item": "Out of play"},
        {"do": "list", "as": "dead"},
        {"do": "save", "file": dead},
        {"do": "menu", "piece": ids["25/3"], "item": "Back where it stood", "as": "back"},
        {"do": "list", "as": "again"},
    ]
    outcome = table.play(steps)
    assert outcome.faults == []
    assert outcome["dead"].piece("25/3").map == "Out of play"
    state = position(dead.read_bytes()).state
    assert (state.units["25/3"].place, state.unread) == (None, ())
    assert outcome["again"].piece("25/3").location == "42.19"
    assert outcome.said("back") == ["* 42.19: 25/3 is back where it stood"]


def test_the_menu_of_a_counter_is_in_groups(table: Session, played: Played) -> None:
    ids = ids_in(played.data, ARMIES)
    outcome = table.play(
        [{"do": "setup", "file": ARMIES, "side": "russian"}, {"do": "commands", "piece": ids["25/3"], "as": "menu"}],
    )
    found: dict[str, list[str]] = {}
    for command in outcome["menu"]:
        found.setdefault("/".join(command.path), []).append(command.text)
    assert found["Steps"] == ["Lose a step", "Regain a step", "Flip", "Combat Strength 1/2"]
    assert {*found} == {"", "Hide", "Movement", "Steps", "Effectiveness", "Orders"}
    assert found[""] == ["Out of play", "Back where it stood", "Supply: in, low, out"], (
        "a line alone has no menu of its own"
    )
    assert outcome["menu"][0].text != "Out of play", "what is seldom wanted does not come first"


def test_a_prepared_attack_is_worded_below_its_counter(table: Session, played: Played) -> None:
    piece = ids_in(played.data, ARMIES)["25/3"]
    steps = [
        {"do": "setup", "file": ARMIES},
        {"do": "answer", "text": "44.20"},
        {"do": "menu", "piece": piece, "item": "Prepared Attack at ..."},
        {"do": "properties", "piece": piece, "names": ["prepared_Seen"], "as": "after"},
    ]
    outcome = table.play(steps)
    assert outcome.faults == []
    assert outcome["after"] == {"prepared_Seen": "PA 44.20"}


def test_buttons_end_a_phase_and_clear_what_moved(table: Session, played: Played) -> None:
    ids = ids_in(played.data, ARMIES)
    steps = [
        {"do": "setup", "file": ARMIES},
        {"do": "menu", "piece": ids["25/3"], "item": "Has fought"},
        {"do": "menu", "piece": ids["25/3"], "item": "Disorder further"},
        {"do": "move", "piece": ids["30/4"], **at("41.19")},
        {"do": "properties", "piece": ids["30/4"], "names": ["Moved"], "as": "moved"},
        {"do": "press", "button": "Clear moved", "as": "cleared"},
        {"do": "properties", "piece": ids["30/4"], "names": ["Moved"], "as": "unmoved"},
        {"do": "press", "button": "Clear phase marks", "as": "ended"},
        {"do": "list", "as": "end"},
        {"do": "properties", "piece": ids["25/3"], "names": ["disorder_Level", "fought_Level"], "as": "still"},
    ]
    outcome = table.play(steps)
    assert outcome.faults == []
    assert (outcome["moved"]["Moved"], outcome["unmoved"]["Moved"]) == ("true", "false")
    assert outcome.said("cleared") == ["* marks of moved counters cleared"]
    assert [piece.name for piece in outcome["end"].pieces if piece.id == ids["25/3"]] == ["25/3"]
    levels = outcome["still"]
    assert (levels["disorder_Level"], levels["fought_Level"]) == ("2", "1"), "what lasts longer stays"
    assert outcome.said("ended")[0].lstrip("* ").startswith("Clear phase marks: cleared from all counters: Has fought")


def test_the_chat_speaks_english_and_is_silent_when_nothing_changed(table: Session, played: Played) -> None:
    ids = ids_in(played.data, ARMIES)

    def press(unit: str, key: str, name: str = "") -> dict[str, str]:
        return {"do": "key", "piece": ids[unit], "key": key, "as": name or f"{unit} {key}"}

    steps = [
        {"do": "setup", "file": ARMIES},
        *(press("27/3", key) for key in ("ctrl U", "ctrl I", "ctrl H", "ctrl shift A", "ctrl R")),
        press("27/3", "ctrl shift I", "in order"),
        press("27/3", "ctrl shift I", "in order still"),
        {"do": "answer", "text": "44.19"},
        press("27/3", "ctrl shift P"),
        {"do": "move", "piece": ids["30/4"], **at("41.20"), "as": "moves"},
        press("30/4", "ctrl U"),
        press("27/3", "ctrl shift D"),
        press("27/3", "ctrl H", "there"),
        press("27/3", "ctrl shift D", "out already"),
    ]
    outcome = table.play(steps)
    assert outcome.faults == []
    place = outcome.said("27/3 ctrl U")[0].partition(":")[0]
    assert {name: outcome.said(name) for name in outcome.names} == {
        "27/3 ctrl U": [f"{place}: 27/3 is in Low Supply"],
        "27/3 ctrl I": [f"{place}: 27/3 is Disordered, degree 1"],
        "27/3 ctrl H": [f"{place}: 27/3 is at Combat Strength 1/2"],
        "27/3 ctrl shift A": [f"{place}: 27/3 has its artillery displaced"],
        "27/3 ctrl R": [],  # no level of effectiveness is lost
        "in order": [f"{place}: 27/3 is in good order"],
        "in order still": [],
        "27/3 ctrl shift P": [f"{place}: 27/3 prepares an attack at 44.19"],
        "moves": [outcome.said("moves")[0]],
        "30/4 ctrl U": ["* 41.20: 30/4 is in Low Supply"],  # and not 41.2
        "27/3 ctrl shift D": [f"{place}: 27/3 is out of play"],
        "there": ["* 27/3 is at full Combat Strength"],
        "out already": [],
    }
    assert re.fullmatch(r"\* 4\d\.\d\d to 41\.20: 30/4", outcome.said("moves")[0])


@pytest.mark.parametrize("key", [f"ctrl {letter}" for letter in "ACDFMNOPQSTVWXYZ"])
def test_keys_of_the_engine_and_of_every_program_change_no_counter(table: Session, played: Played, key: str) -> None:
    ids = ids_in(played.data, ARMIES)
    press = [{"do": "key", "piece": ids[unit], "key": key} for unit in ("25/3", "1/1", "3 Train")]
    outcome = table.play(
        [{"do": "setup", "file": ARMIES}, {"do": "list", "as": "before"}, *press, {"do": "list", "as": "after"}]
    )
    assert outcome.faults == []
    before, after = (
        [
            (piece.id, piece.name, piece.levels, piece.map, piece.x, piece.y, piece.index)
            for piece in outcome[name].pieces
        ]
        for name in ("before", "after")
    )
    assert before == after


def test_every_set_up_opens_on_its_fight(table: Session, played: Played) -> None:
    """In the middle of the window units of both sides stand near each other, at a zoom at which counters can be read."""
    for file in (ARMIES, EXAMPLE):
        outcome = table.play(
            [{"do": "setup", "file": file}, {"do": "list", "as": "all"}, {"do": "view", "map": "Map", "as": "view"}]
        )
        assert outcome.faults == []
        view = outcome["view"]
        x, y = view["centre"]
        near = [
            piece
            for piece in outcome["all"].pieces
            if piece.map == "Map" and dist((x, y), (piece.x, piece.y)) < 4 * 112
        ]
        sides = {piece.name: read_side(played, piece.id, file) for piece in near}
        assert {*sides.values()} >= {"russian", "central-powers"}
        assert 75 * view["zoom"] >= 48, "pixels of a counter"


def read_side(played: Played, id: str, file: str) -> str:
    return read_save(contents(played.data)[file]).pieces[id].marks().get("Side", "")


def test_the_frame_on_the_turn_track_follows_the_turn_and_what_is_undone(table: Session, played: Played) -> None:
    frames = [id for id, piece in read_save(contents(played.data)[ARMIES]).pieces.items() if piece.map == "Turns"]

    def levels() -> dict[str, object]:
        return {"do": "properties", "piece": frames[0], "names": ["now_Level"]}

    outcome = table.play([
        {"do": "setup", "file": ARMIES},
        levels() | {"as": "first"},
        *[{"do": "turn_next"}] * 25,
        levels() | {"as": "later"},
        *[{"do": "undo"}] * 25,
        levels() | {"as": "undone"},
    ])  # fmt: skip
    assert outcome.faults == []
    assert [outcome[name]["now_Level"] for name in ("first", "later", "undone")] == ["3", "4", "3"]


def test_an_author_s_elements_and_charts_play(engine: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "game"
    shutil.copytree(KEPT.parents[1], folder)
    text = folder.joinpath("game.toml").read_text("utf-8")
    folder.joinpath("game.toml").write_text(
        text.replace("[module]\n", '[module]\nextra = "mine"\ncharts = [["Sheep", "sheep.html"]]\n', 1), "utf-8"
    )
    folder.joinpath("sheep.html").write_text("<h1>Sheep</h1>")
    folder.joinpath("mine").mkdir()
    die = '<VASSAL.build.module.DiceButton name="Scatter" text="Scatter" nDice="1" nSides="12" reportFormat="$name$"/>'
    folder.joinpath("mine/buildFile.xml").write_text(f"<VASSAL.build.GameModule>{die}</VASSAL.build.GameModule>")
    module = tmp_path / "m.vmod"
    module.write_bytes(build_module(read_game(GAME, folder)).data)
    steps = [
        {"do": "setup", "file": ARMIES},
        {"do": "press", "button": "Scatter", "as": "rolled"},
        {"do": "press", "button": "Charts"},
        {"do": "windows", "as": "windows"},
    ]
    outcome = engine.run(module, steps)
    assert outcome.faults == []
    assert outcome.said("rolled") == ["* Scatter"]
    assert len(outcome["windows"]) == 2


def test_the_boxes_of_a_board_are_places_in_the_engine_too(engine: ModuleType, tmp_path: Path) -> None:
    game = game_in(tmp_path / "heath")
    module, saved = tmp_path / "m.vmod", tmp_path / "again.vsav"
    data = build_module(game).data
    module.write_bytes(data)
    rams = ids_in(data, "The-start.vsav")["Rams"]
    steps = [
        {"do": "setup", "file": "The-start.vsav"},
        {"do": "list", "as": "start"},
        {"do": "move", "piece": rams, "x": 5, "y": 5, "map": "Boxes"},
        {"do": "list", "as": "moved"},
        {"do": "save", "file": saved},
    ]
    outcome = engine.run(module, steps)
    assert outcome.faults == []
    assert outcome["start"].piece("Ewes").location == "Reserve"
    assert differences(read_save(saved.read_bytes()), read_module(data), outcome["moved"]) == []
    state = position(saved.read_bytes(), game=game).state
    assert {unit.id: unit.place for unit in state.units.values()} == {"Ewes": "Reserve", "Rams": "Reserve"}
    assert state.unread == ()


def test_the_mouse_over_a_stack_shows_its_counters(table: Session, tmp_path: Path) -> None:
    plain, shown = tmp_path / "plain.png", tmp_path / "shown.png"
    stack = tuple(at("40.20").values())
    steps = [
        {"do": "setup", "file": EXAMPLE},
        {"do": "screenshot", "file": plain, "width": 900, "height": 600, "centre": stack, "zoom": 1.0},
        {"do": "hover", "map": "Map", "at": stack},
        {"do": "screenshot", "file": shown, "width": 900, "height": 600},
    ]
    outcome = table.play(steps)
    assert outcome.faults == []
    assert plain.read_bytes() != shown.read_bytes()
