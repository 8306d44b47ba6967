"""Saves, logs and modules: what the codecs write the engine reads, and what the engine writes the codecs read."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.pieces import Piece, PieceStack, write_piece_state, write_piece_type
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait, keystroke, marker_trait

from .agreement import own_properties
from .test_harness import MODULE, build_file, module

HERE, THERE = (50, 50), (136, 100)
STEPS = LayerTrait(
    "Steps",
    ("", "pawn.png", "pawn.png"),
    ("", "+ (-1)", "Wreck; of +"),
    ("Lose", keystroke("L")),
    ("Gain", keystroke("K")),
)
REMARK = LabelTrait("Remark", "Write", keystroke("W"), "$pieceName$ [$label$]")
STRENGTH = Trait("PROP;Strength;true,0,9,false;Weaker:87\\,195:I\\,-1;", "5")


def unit(id: str, name: str, at: tuple[int, int], level: int = 1, remark: str = "") -> Piece:
    """A piece with a layer, a label, a dynamic property and a marker."""
    traits = (
        Trait("delete;Delete;68,130;", ""),
        Trait(REMARK.type, remark),
        Trait(STEPS.type, str(level)),
        STRENGTH,
        marker_trait({"unit": name, "odd": "a,b;c/d"}),
        Trait(f"piece;;;pawn.png;{name.replace(';', chr(92) + ';')}"),
    )
    return Piece(id, traits, "Field", at, "1", (("Seen", "yes;no"),))


GAME = Save(
    about=ModuleData("Tiny", "1", "3.6.0", ""),
    boards={"Field": (("Land", 0, 0),)},
    pieces={
        piece.id: piece
        for piece in (
            unit("a", "Löwe/Ähre", HERE, 2),
            unit("b", "20 'lw'; 1", HERE, 1, "tab\there"),
            unit("c", "'Garde'", THERE, 3, "\\back"),
            unit("d", "1 r/1 R", THERE, -2, "'so'"),
            unit("e", "5/4", (223, 250)),
            Piece("p", (Trait("piece;;;pawn.png;Lone"),), "Field", (223, 50), "2"),
        )
    },
    stacks={
        "s1": PieceStack("s1", ("a", "b"), "Field", HERE),
        "s2": PieceStack("s2", ("c", "d"), "Field", THERE),
        "s3": PieceStack("s3", ("e",), "Field", (223, 250)),
    },
    notes="First line\n\na | b \\| c\n'quoted'",
    public_notes="'Ünder'\n\n\\start\ttab",
    properties={("Module", "Weather"): "Mud; and / snow\t|"},
    turns={"TurnTracker0": "0|3;0;false;0"},
    players=(("Tester", "Tester", "Red"),),
)


def state(save: Save) -> dict[str, Any]:
    """What is compared: pieces by id with their stack's pieces, from the lowest."""
    stacks = {id: stack.pieces for stack in save.stacks.values() if len(stack.pieces) > 1 for id in stack.pieces}
    return {
        piece.id: (piece.name, piece.map, piece.at, tuple(t.state for t in piece.traits[:-1]), stacks.get(piece.id))
        for piece in save.pieces.values()
    }


def listed(listing: Any) -> dict[str, Any]:
    """The same of what the engine lists."""
    stacks = {id: tuple(stack.pieces) for stack in listing.stacks if len(stack.pieces) > 1 for id in stack.pieces}
    return {
        p.id: (p.name, p.map or "", (p.x, p.y), tuple(t.state for t in p.traits[:-1]), stacks.get(p.id))
        for p in listing.pieces
    }


# --- a save, and a log of everything that may happen ------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(engine: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A game that the codecs wrote, played with the engine and logged."""
    folder = tmp_path_factory.mktemp("codecs")
    (folder / "start.vsav").write_bytes(write_save(GAME))
    log = folder / "game.vlog"
    steps: list[dict[str, Any]] = [
        {"do": "load", "file": folder / "start.vsav", "as": "load"},
        {"do": "list", "as": "start"},
        {"do": "notes", "as": "notes"},
        {"do": "turn", "as": "turn"},
        {"do": "global", "names": ["Weather"], "as": "weather"},
        {"do": "properties", "piece": "a", "names": ["unit", "odd", "Strength", "Seen"], "as": "properties"},
        {"do": "save", "file": folder / "saved.vsav"},
        {"do": "log_begin", "file": log},
        {"do": "move", "piece": "b", "x": THERE[0], "y": THERE[1]},  # onto a stack
        {"do": "move", "piece": "e", "x": 223, "y": 50},  # onto a piece that is in no stack
        {"do": "move", "piece": "a", "x": 223, "y": 150},  # to an empty hex
        {"do": "move", "piece": "c", "x": 50, "y": 250},  # from under another
        {"do": "move", "piece": "c", "x": 223, "y": 150},  # and on
        {"do": "move", "piece": "s2", "x": 50, "y": 150},  # a whole stack to an empty hex
        {"do": "move", "piece": "a", "x": 50, "y": 150},  # and a piece onto it
        {"do": "move", "piece": "s2", "x": 223, "y": 50},  # a whole stack onto another
        {"do": "move", "piece": "p", "x": 223, "y": 50},  # the lowest piece to the top of its own stack
        {"do": "move", "piece": "a", "x": 136, "y": 300, "exactly": True},
        {"do": "menu", "piece": "e", "item": "Lose"},
        {"do": "menu", "piece": "e", "item": "Lose"},
        {"do": "menu", "piece": "e", "item": "Gain"},
        {"do": "answer", "text": "a/b\tc;'"},
        {"do": "menu", "piece": "b", "item": "Write"},
        {"do": "menu", "piece": "d", "item": "Weaker"},
        {"do": "menu", "piece": "c", "item": "Delete"},
        {"do": "set_global", "name": "Weather", "value": "Snow; 'deep'/\\ "},
        {"do": "turn_next"},
        {"do": "log_end"},
        {"do": "list", "as": "end"},
        {"do": "turn", "as": "turn at the end"},
        {"do": "global", "names": ["Weather"], "as": "weather at the end"},
    ]
    outcome = engine.run(module(folder, build_file()), steps)
    assert outcome.faults == []
    return outcome, folder


def test_the_engine_reads_what_is_written(played: Any) -> None:
    outcome, _ = played
    assert outcome["load"] == (True, [], "Red")
    assert listed(outcome["start"]) == state(GAME)
    assert outcome["notes"] == (GAME.notes, GAME.public_notes)
    assert outcome["turn"].turn == "Turn 3"
    assert outcome["weather"] == {"Weather": "Mud; and / snow\t|"}
    told = {"unit": "Löwe/Ähre", "odd": "a,b;c/d", "Strength": "5", "Seen": "yes;no"}
    assert outcome["properties"] == told
    assert outcome["start"].off_board == []


def test_what_the_engine_writes_is_read(played: Any) -> None:
    outcome, folder = played
    save = read_save((folder / "saved.vsav").read_bytes())
    assert state(save) == state(GAME)
    assert {p.id: (write_piece_type(p), p.slot, own_properties(p)) for p in save.pieces.values()} == {
        p.id: (p.type, p.gpid, dict(GAME.pieces[p.id].properties)) for p in outcome["start"].pieces
    }
    assert {p.id: write_piece_state(p) for p in save.pieces.values()} == {
        p.id: p.state for p in outcome["start"].pieces
    }
    assert (save.boards, save.notes, save.public_notes) == (GAME.boards, GAME.notes, GAME.public_notes)
    assert (save.properties, save.turns, save.players) == (GAME.properties, GAME.turns, GAME.players)
    assert save.about.module == "Tiny"
    assert save.complete
    assert save.unread == ()


def test_a_log_ends_as_the_game_ended(played: Any) -> None:
    outcome, folder = played
    log = read_save((folder / "game.vlog").read_bytes())
    assert state(log) == state(GAME)
    assert len(log.steps) > 10
    after = replay(log)
    assert after.unread == ()
    assert after.steps == ()
    assert state(after) == listed(outcome["end"])
    assert after.properties["Module", "Weather"] == outcome["weather at the end"]["Weather"]
    assert after.turns["TurnTracker0"] == outcome["turn at the end"].state


def test_a_log_goes_on_where_the_engine_has_it_loaded(played: Any) -> None:
    """What a log comes to can be written as a save."""
    _, folder = played
    after = replay(read_save((folder / "game.vlog").read_bytes()))
    assert read_save(write_save(after)) == after


# --- steps undone, stacks emptied -------------------------------------------------------------------------------------


def test_steps_undone_and_stacks_emptied_and_filled_again(engine: ModuleType, tmp_path: Path) -> None:
    """No step loses a piece that the engine keeps, and none keeps a piece that it loses."""
    (tmp_path / "start.vsav").write_bytes(write_save(GAME))
    b, c, e = ({"do": "move", "piece": piece, "x": 136, "y": 200} for piece in "bce")
    undo, delete = {"do": "undo"}, {"do": "menu", "item": "Delete"}
    phases: dict[str, list[dict[str, Any]]] = {
        "moved": [b],
        "not moved": [undo],
        "moved again": [b],
        "the only piece of a stack moves": [e],
        "it does not": [undo],
        "it moves after all": [e],
        "back to its stack's hex": [{"do": "move", "piece": "e", "x": 223, "y": 250}],
        "deleted": [delete | {"piece": "c"}],
        "not deleted": [undo],
        "the only piece of a stack is deleted": [delete | {"piece": "e"}],
        "that is not deleted": [undo],
        "it moves onto the stack": [{"do": "move", "piece": "e", "x": THERE[0], "y": THERE[1]}],
        "a stack moves onto another": [{"do": "move", "piece": "s2", "x": HERE[0], "y": HERE[1]}],
        "that stack stays": [undo],
        "a piece from below": [c],
        "deleted for good": [delete | {"piece": "d"}],
    }
    log = tmp_path / "game.vlog"
    steps: list[dict[str, Any]] = [{"do": "load", "file": tmp_path / "start.vsav"}, {"do": "log_begin", "file": log}]
    for name, phase in phases.items():
        steps += [*phase, {"do": "list", "as": name}]
    outcome = engine.run(module(tmp_path, build_file()), [*steps, {"do": "log_end"}])
    assert outcome.faults == []
    logged = read_save(log.read_bytes())
    after = (state(replay(replace(logged, steps=logged.steps[:count]))) for count in range(len(logged.steps) + 1))
    assert [name for name in phases if not any(found == listed(outcome[name]) for found in after)] == []
    assert state(replay(logged)) == listed(outcome["deleted for good"])


#: Steps as no player gives them one by one, but as undone ones and other modules leave them in logs.
RECORDED = {
    "a stack goes": ["-/s1"],
    "and its pieces come back": ["M/a/Field/50/50/null/Field/50/50/null/me", "M/b/Field/50/50/a/Field/50/50/null/me"],
    "a stack moves": ["M/s2/Field/223/150/null/Field/136/100/null/me"],
    "a stack moves onto another": ["M/s3/Field/223/150/null/Field/223/250/null/me"],
    "the emptied stack moves": ["M/s3/Field/50/150/null/Field/223/250/null/me"],
    "and is filled": ["D/s3/Field;50;150;e;@@0/Field;50;150;@@0"],
    "with one that does not exist": ["D/s3/Field;50;150;e;nobody;@@0/Field;50;150;e;@@0"],
    "onto a piece that is elsewhere": ["M/a/Field/223/150/p/Field/50/50/null/me"],
    "onto one that does not exist": ["M/b/Field/223/150/nobody/Field/50/50/null/me"],
    "under all": ["M/b/Field/223/150/null/Field/223/150/a/me"],
    "where it is": ["M/b/Field/223/150/null/Field/223/150/null/me"],
    "a piece goes": ["-/c"],
}


def test_recorded_steps(engine: ModuleType, tmp_path: Path) -> None:
    log, logged = (
        tmp_path / "recorded.vlog",
        replace(GAME, steps=tuple(step for steps in RECORDED.values() for step in steps)),
    )
    log.write_bytes(write_save(logged))
    run: list[dict[str, Any]] = [{"do": "load", "file": log}]
    for name, steps in RECORDED.items():
        run += [{"do": "log_step", "steps": len(steps)}, {"do": "list", "as": name}]
    outcome, done = engine.run(module(tmp_path, build_file()), run), 0
    for name, steps in RECORDED.items():
        done += len(steps)
        assert state(replay(replace(logged, steps=logged.steps[:done]))) == listed(outcome[name]), name


# --- prototypes -------------------------------------------------------------------------------------------------------

INNER = "+/null/mark;Deep\tpiece;;;;/in\tnull;0;0;;0"
OUTER = "+/null/mark;Wide\tprototype;Inner\\\tdelete;Delete;68,130;\\\\\tpiece;;;;/out\t\\\t\\\\\tnull;0;0;;0"
GIVEN = (
    "+/null/mark;Strength,Kind,Other\tprototype;Inner\\\tpiece;;;;/$Strength$,$Kind$,$Else$ of $Kind$\t\\\tnull;0;0;;0"
)
SLOTS = {
    "parameters": "prototype;Given;Strength=5,Kind=Foot\tpiece;;;pawn.png;With/\tnull;0;0;;0",
    "no parameters": "prototype;Given;\tpiece;;;pawn.png;Without/\tnull;0;0;;0",
    "left as they are": "prototype;Given\tpiece;;;pawn.png;Left/\tnull;0;0;;0",
    "twice": "prototype;Outer\tprototype;Inner\\\tpiece;;;pawn.png;Twice/\t\\\tnull;0;0;;0",
    "between": "mark;A\tprototype;Inner\\\tmark;B\\\\\tpiece;;;pawn.png;Between/a\t\\\tb\\\\\tnull;0;0;;0",
    "plain": "piece;;;pawn.png;Plain/null;0;0;;0",
    "semicolon": "prototype;In\\;ner\tpiece;;;pawn.png;Odd/\tnull;0;0;;0",
}


def test_prototypes_are_expanded_as_the_engine_does(engine: ModuleType, tmp_path: Path) -> None:
    text = build_file()
    prototypes = {"Inner": INNER, "Outer": OUTER, "In;ner": INNER, "Given": GIVEN}
    elements = [
        f'<{MODULE}PrototypeDefinition name="{name}">{said}</{MODULE}PrototypeDefinition>'
        for name, said in prototypes.items()
    ]
    slots = [
        f'<VASSAL.build.widget.PieceSlot entryName="{name}" gpid="{number}">+/null/{said}</VASSAL.build.widget.PieceSlot>'
        for number, (name, said) in enumerate(SLOTS.items(), 10)
    ]
    text = text.replace(f"</{MODULE}PrototypesContainer>", f"{''.join(elements)}</{MODULE}PrototypesContainer>")
    text = text.replace("</VASSAL.build.widget.ListWidget>", f"{''.join(slots)}</VASSAL.build.widget.ListWidget>")
    file = module(tmp_path, text)
    outcome = engine.run(file, [{"do": "palette", "as": "palette"}])
    read = read_module(file.read_bytes())
    assert read.unread == ()
    assert len(read.slots) == len(outcome["palette"]) == len(SLOTS) + 2
    for mine, theirs in zip(read.slots, outcome["palette"], strict=True):
        assert (mine.name, mine.id) == (theirs.entry_name, theirs.gpid)
        assert mine.path == tuple(theirs.path[1:])
        traits = read.expanded(mine.piece.traits)
        found = [(trait.type.rstrip(";"), trait.state) for trait in traits[:-1]]
        assert found == [(trait.type.rstrip(";"), trait.state) for trait in theirs.traits[:-1]], mine.name
