"""Changes made in a save's file: what they concern is written anew, and everything else stays as it was."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, ModuleData, write_container
from assistant.formats.vassal.pieces import Piece, PieceStack
from assistant.formats.vassal.saves import Ping, Save, read_save, rewrite_save
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.streams import obfuscate, read_stream, split_commands
from assistant.formats.vassal.traits import Trait
from tests.saves import move_piece, read_container

#: A save as odd as real ones: stale places, stack layers, states of old engines, doubled commands, commands of a
#: module's own code.
UNIT = "+/1/emb2;;2\tmark;Side\\\tpiece;;;a.png;First/1\tRed\\\tnull;7;7;12;1;OldMap;x"
STACK = "+/s/stack/Map;10;20;1;2;@@3"
ODD = [
    "MapBoardPicker\tBoard\t0\t0",
    join(["", UNIT, "+/2/piece;;;b.png;Second/Map;10;20", STACK, "+/e/stack/Map;90;90", "XYZ;1\t2"], ESCAPE),
    "GlobalProperty\t;Mud;no;Module",
    "GlobalProperty\t;Mud;yes;Module",
    "TURNTracker0\t0|1",
    "NOTES\tone",
    "NOTES\ttwo",
    "CHECK\tsomething",
]
STREAM = join(["begin_save", *ODD, "end_save"], ESCAPE)
FILE = write_container(
    {"savedata": b"<data/>", COMMANDS: obfuscate(STREAM, 0x3C), "other": b"kept", "moduledata": b"<data/>"}
)


def changes(after: Callable[[Save], Save], data: bytes = FILE) -> dict[str, list[str]]:
    """The commands that a change takes out of the file ("-") and puts into it ("+")."""
    before = list(split_commands(read_stream(data)[0]))
    now = list(split_commands(read_stream(rewrite_save(data, after(read_save(data))))[0]))
    assert [one for one in before if one in now] == [one for one in now if one in before], "the others keep their order"
    return {"-": [one for one in before if one not in now], "+": [one for one in now if one not in before]}


def with_piece(save: Save, **fields: object) -> Save:
    return msgspec.structs.replace(save, pieces={**save.pieces, "1": save.pieces["1"]._replace(**fields)})  # type: ignore[arg-type]


def test_nothing_changes_where_nothing_differs_nor_does_the_key_of_the_obfuscation() -> None:
    assert read_container(rewrite_save(FILE, read_save(FILE))) == read_container(FILE)
    assert read_container(rewrite_save(FILE, move_piece(read_save(FILE), "2", "", (0, 0))))[COMMANDS].startswith(
        b"!VCSK3c"
    )


def test_a_state_is_changed_where_it_stands_and_a_piece_taken_out_of_its_stack() -> None:
    def flipped(save: Save) -> Save:
        layer, *others = save.pieces["1"].traits
        return with_piece(save, traits=(Trait(layer.type, "2"), *others))

    assert changes(flipped) == {"-": [UNIT], "+": [UNIT.replace("/1\tRed", "/2\tRed")]}

    def without(save: Save) -> Save:
        pieces = {id: piece for id, piece in save.pieces.items() if id != "1"}
        return msgspec.structs.replace(
            save, pieces=pieces, stacks={**save.stacks, "s": PieceStack("s", ("2",), "Map", (10, 20), 3)}
        )

    assert changes(without) == {"-": [UNIT, STACK], "+": ["+/s/stack/Map;10;20;2;@@3"]}


def test_pieces_are_moved_out_of_stacks_with_them_and_onto_others() -> None:
    found = changes(lambda save: move_piece(save, "1", "Map", (30, 40)))
    assert found["-"] == [UNIT, STACK]
    assert found["+"] == [
        UNIT.replace("null;7;7", "Map;30;40"),
        "+/s/stack/Map;10;20;2;@@3",
        "+/1+/stack/Map;30;40;1;@@0",
    ]
    found = changes(lambda save: move_piece(save, "s", "Map", (50, 60)))
    assert "+/s/stack/Map;50;60;1;2;@@3" in found["+"]
    save = move_piece(read_save(FILE), "1", "Map", (30, 40))
    assert read_save(rewrite_save(FILE, move_piece(save, "2", "Map", (30, 40), under="1"))).stacks["1+"].pieces == (
        "1",
        "2",
    )


def test_a_new_piece_stands_before_the_stacks_that_may_name_it() -> None:
    def with_new(save: Save) -> Save:
        new = Piece("9", (Trait("piece;;;c.png;Third"),), "Map", (10, 20))
        stack = PieceStack("s", ("1", "2", "9"), "Map", (10, 20), 3)
        return msgspec.structs.replace(save, pieces={**save.pieces, "9": new}, stacks={**save.stacks, "s": stack})

    data = rewrite_save(FILE, with_new(read_save(FILE)))
    commands = list(split_commands(read_stream(data)[0]))
    assert commands.index("+/9/piece;;;c.png;Third/Map;10;20;;0") == commands.index("+/s/stack/Map;10;20;1;2;9;@@3") - 1


def test_of_doubled_properties_and_notes_the_last_counts() -> None:
    def drier(save: Save) -> Save:
        return msgspec.structs.replace(
            save, properties={("Module", "Mud"): "no", ("Map", "Snow"): "1"}, notes="three\nfour"
        )

    written = rewrite_save(FILE, drier(read_save(FILE)))
    commands = list(split_commands(read_stream(written)[0]))
    assert commands[-7:] == [
        "GlobalProperty\t;Mud;no;Module",
        "TURNTracker0\t0|1",
        "NOTES\tone",
        "NOTES\tthree|four",
        "CHECK\tsomething",
        "GlobalProperty\t;Snow;1;Map",
        "end_save",
    ]


def test_notes_turns_and_pieces_are_added_to_a_save_without_an_end() -> None:
    def more(save: Save) -> Save:
        new = Piece("9", (Trait("piece;;;c.png;Third"),))
        return msgspec.structs.replace(save, pieces={"9": new}, public_notes="ask", turns={"T": "0|2"})

    bare = b"begin_save\x1bNOTES\tx"
    assert changes(more, bare)["+"] == ["+/9/piece;;;c.png;Third/null;0;0;;0", "TURNT\t0|2", "PNOTES\task"]


OTHERWISE: dict[str, object] = {
    "about": ModuleData(module="Other", module_version="2"),
    "boards": {},
    "pieces": {},
    "stacks": {},
    "notes": "other",
    "public_notes": "other",
    "properties": {},
    "turns": {"Tracker0": "0|7"},
    "players": (("id", "Somebody", "Red"),),
    "pings": (Ping("Flare0", (1, 2)),),
    "steps": ("NOTES\tthree",),
    "loaded": ("EXT\tMore\t1.0",),
    "unread": (),
    "complete": False,
}
"""Something else in the place of each part of a save."""
REFUSED = {"boards", "players", "pings", "steps", "loaded", "unread", "complete"}


@pytest.mark.parametrize("part", Save.__struct_fields__)
def test_each_part_of_a_save_is_changed_or_the_change_is_refused(part: str) -> None:
    save = read_save(FILE)
    assert getattr(save, part) != OTHERWISE[part]
    after = msgspec.structs.replace(save, **{part: OTHERWISE[part]})
    if part in REFUSED:
        with pytest.raises(ValueError, match="only pieces, stacks"):
            rewrite_save(FILE, after)
    else:
        assert (rewrite_save(FILE, after) == FILE) is (part == "about")


def test_what_cannot_be_changed_is_refused() -> None:
    save = read_save(FILE)
    nameless = obfuscate("begin_save\x1b+/null/piece;;;;B/Map;1;1;;0\x1bend_save")
    with pytest.raises(ValueError, match="null1 has no id in the file"):
        rewrite_save(nameless, move_piece(read_save(nameless), "null1", "Map", (2, 2)))
    same = obfuscate(STREAM.replace(STACK, STACK.replace("+/s", "+/1")), 0)
    with pytest.raises(ValueError, match="1 is the id of both a piece and a stack"):
        rewrite_save(same, move_piece(read_save(same), "2", "Map", (2, 2)))
    with pytest.raises(KeyError):
        move_piece(save, "unknown", "Map", (1, 1))
