"""Small sound inputs to begin with, as plain as they can be: commands, XML, text; several files of one input follow each other in one text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, MODULE_DATA, write_container
from assistant.formats.vassal.sequence import fold, join
from assistant.formats.vassal.streams import obfuscate, read_stream, split_commands
from assistant.formats.vassal.traits import CONTROL, KINDS, LabelTrait, LayerTrait, invisible_type, mask_type
from assistant.installed.registry import load_game
from tests.hostile.inputs.bombs import STREAM
from tests.hostile.inputs.cases import repacked
from tests.hostile.inputs.cases import seeds as hostile_seeds
from tests.hostile.inputs.seeds import FOLDER, GAME

_HEAD = re.compile(rb"^=== ([^\n]{1,200})\n", re.MULTILINE)


def together(files: Mapping[str, bytes]) -> bytes:
    """Several files as one input."""
    return b"".join(b"=== %s\n%s\n" % (name.encode(), data) for name, data in files.items())


def apart(data: bytes) -> dict[str, bytes]:
    """The files of an input, each without the line end after it."""
    _, *parts = _HEAD.split(data)
    return {
        name.decode("utf-8", "replace"): text.removesuffix(b"\n")
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


# --- saves and logs -----------------------------------------------------------------------------------------------------

_PARTS = {
    "emb2": LayerTrait(
        "Steps", ("a.png", "b.png"), ("", "+ (reduced)"), ("Down", "D"), ("Up", "U"), follows="Side"
    ).type,
    "mark": "mark;Side,unit",
    "PROP": "PROP;Strength;true,0,9,false;:Raise\\:82\\,130\\:I\\,1;",
    "calcProp": "calcProp;Double;{Strength * 2};",
    "label": LabelTrait("Order", "Write", "L").type,
    "obs": mask_type("Hide", "H", "back.png", "?"),
    "hide": invisible_type("Vanish", "I"),
    "rotate": "rotate;6;93,130;91,130;Right;Left;;;Facing;",
    "prototype": "prototype;Infantry",
    "basicName": 'basicName;{"Guards"}',
}
_STATES = {
    "emb2": "2",
    "mark": "Red,1/1",
    "PROP": "4",
    "label": "dig in",
    "obs": "side:;|0",
    "hide": "null",
    "rotate": "3",
}
KIND_OF_EACH = {kind: _PARTS.get(kind, f"{kind};Do it;68,{CONTROL};a;b;1;true") for kind in KINDS if kind != "piece"}
"""A trait of each kind."""


def _piece(id: str, at: tuple[int, int], *kinds: str) -> str:
    types = [*(KIND_OF_EACH[kind] for kind in kinds), f"piece;;;{id}.png;Guards {id}"]
    states = [*(_STATES.get(kind, "") for kind in kinds), f"Field;{at[0]};{at[1]};{id};1;Moved;no"]
    return f"+/{join((id, fold(types), fold(states)), '/')}"


def _of_another_maker() -> list[str]:
    """A save whose module nobody has adopted, with a trait of each kind, a stack, an empty one and a deck."""
    kinds = list(KIND_OF_EACH)
    pieces = [_piece(str(number), (30, 25), *kinds[number::8]) for number in range(8)]
    return [
        "begin_save",
        "FieldBoardPicker\tLand\t0\t0\tLand/rev\t1\t0",
        join(["", *pieces, "+/s/stack/Field;30;25;0;1;2;@@0"], ESCAPE),
        "+/e/stack/Field;9;9;@@-1",
        "+/d/deck;true;0,0,0;370;500;Never;Never;false;false;false;;;;Events/Field;65;45;true;6,7",
        "PLAYER\tid\tAnn\tRed",
        "GlobalProperty\t;Mud;no;Module",
        "TURNTracker0\t0|3;1;0;false;-1",
        "NOTES\tone|two",
        "SETUP_STACK\t",
        "OWN\tcommand",
        "end_save",
    ]


def _of_the_builder() -> list[str]:
    """A save of the builder's module with few pieces."""
    left_out = ("+/2/", "+/3/", "+/stack 40.19/", "+/stack 40.20/")
    return [one for one in split_commands(STREAM.encode()) if not one.startswith(left_out)]


STEPS = (
    "M/1/Field/65/45/null/Field/30/25/null/id",
    "M/s/Field/65/45/null/Field/30/25/null/id",
    "D/2/" + fold(["1", "Field;9;9;2;0"]),
    "-/3",
    "+/n/stack/Field;9;9;4;5;@@0",
    "-/n",
    "MutableProperty\tMud\tno\tyes\tModule",
    "GlobalProperty\t;Mud;yes;Module",
    "CHAT*** 2d6: 3,4 = 7 <Ann>",
    "CHAT* UNDO: *** 2d6: 3,4 = 7 <Ann>",
    "CHAT&lt;Ann&gt; - ask battle at=41.19 from=40.20,40.19",
    "UNDO\ttrue",
    "NOTES\tthree",
    "TURNTracker0\t0|4;1;0;false;-1",
)
"""Steps of a log, as they stand behind its save."""


def streams() -> Iterator[bytes]:
    """The commands of saves and logs."""
    other = _of_another_maker()
    yield ESCAPE.join(other).encode()
    ours = _of_the_builder()
    yield join(ours, ESCAPE).encode()
    yield ESCAPE.join([*other, *(f"LOG\t{step}" for step in STEPS)]).encode()
    moved = ["M/1/Map/3015/880/null/Map/2918/936/null/x", *STEPS[8:]]
    yield join([*ours, *(f"LOG\t{step}" for step in moved)], ESCAPE).encode()


def logs() -> Iterator[bytes]:
    """The commands of logs: those of `streams`, and one of a battle with its dice."""
    yield from (one for one in streams() if b"LOG\t" in one)
    yield read_stream((FOLDER / "examples/comprehensive-example.vlog").read_bytes())[0]


def pairs() -> Iterator[bytes]:
    """Two saves of one game."""
    before = join(_of_the_builder(), ESCAPE)
    after = before.replace("Map;2918;936", "Map;3015;992").replace("weather;;", "weather;mud;")
    yield together({"before.vsav": before.encode(), "after.vsav": after.encode()})
    yield together({"before.vsav": before.encode(), "after.vsav": before.encode()})


ABOUT = b'<data version="1"><version>2</version><VassalVersion>3.6.0</VassalVersion><name>Field</name></data>'


def files() -> Iterator[bytes]:
    """Whole files of saves, logs and modules in each of their forms and packings."""
    for number, stream in enumerate(streams()):
        packed = write_container({COMMANDS: obfuscate(stream.decode()), MODULE_DATA: ABOUT})
        yield packed
        yield from (repacked(packed, Random(seed)) for seed in range(3))
        yield stream
        yield b"VOBS\x5a" + bytes(byte ^ 0x5A for byte in stream)
        if number == 0:
            yield write_container({"buildFile.xml": next(modules()), MODULE_DATA: ABOUT})


# --- modules ------------------------------------------------------------------------------------------------------------


def modules() -> Iterator[bytes]:
    """Build files: of a module with everything that is read of one, and of the builder's own."""
    slots = "".join(
        f'<VASSAL.build.widget.PieceSlot entryName="{kind}" gpid="{number}">+/null/{text}\tpiece;;;a.png;{kind}/\tnull;0;0;{number};0'
        "</VASSAL.build.widget.PieceSlot>"
        for number, (kind, text) in enumerate(KIND_OF_EACH.items())
    ).replace("&", "&amp;")
    yield _BUILD.replace("SLOTS", slots).encode()
    made = dict(hostile_seeds().sound)["module.vmod"]
    from tests.saves import read_container

    text = read_container(made)["buildFile.xml"].decode()
    yield re.sub(
        r"(<VASSAL.build.widget.PieceSlot.*?</VASSAL.build.widget.PieceSlot>)(?=.*PieceSlot)", "", text, flags=re.DOTALL
    )[:60_000].encode()


_P, _B = "VASSAL.build.module.", "VASSAL.build.module.map.boardPicker."
_NUMBERS = '%s first="H" sep="" hType="N" vType="A" hLeading="1" vLeading="1" hOff="1" vOff="1" stagger="true"'
_BUILD = f"""<VASSAL.build.GameModule name="Field" version="2" VassalVersion="3.6.0">
<{_P}PlayerRoster><entry>Red</entry></{_P}PlayerRoster>
<{_P}properties.GlobalProperties><{_P}properties.GlobalProperty name="Mud" initialValue="no"/></{_P}properties.GlobalProperties>
<{_P}PrototypesContainer><{_P}PrototypeDefinition name="Infantry">+/null/prototype;All\tmark;Arm\tpiece;;;;/\tinfantry\tnull;0;0;;0</{_P}PrototypeDefinition>
<{_P}PrototypeDefinition name="All">+/null/delete;D;68,130;\tpiece;;;;/\tnull;0;0;;0</{_P}PrototypeDefinition></{_P}PrototypesContainer>
<{_P}PieceWindow name="Pieces"><VASSAL.build.widget.TabWidget entryName="Tab"><VASSAL.build.widget.ListWidget entryName="List">SLOTS
</VASSAL.build.widget.ListWidget></VASSAL.build.widget.TabWidget></{_P}PieceWindow>
<{_P}Map mapName="Field" edgeWidth="5" edgeHeight="7"><{_P}map.BoardPicker><setup>FieldBoardPicker\tLand\t0\t0</setup>
<{_B}Board name="Land" image="board.png"><{_B}board.ZonedGrid>
<{_B}board.mapgrid.Zone name="Box" locationFormat="$name$ $gridLocation$" path="0,0;20,0;20,20;0,20" useParentGrid="false">
<{_B}board.RegionGrid><{_B}board.Region name="A" originx="3" originy="3"/><{_B}board.Region name="B" originx="9" originy="9"/></{_B}board.RegionGrid></{_B}board.mapgrid.Zone>
<{_B}board.HexGrid x0="3" y0="4" dx="17.3" dy="20" sideways="false"><{_NUMBERS % (_B + "board.mapgrid.HexGridNumbering")}/></{_B}board.HexGrid></{_B}board.ZonedGrid></{_B}Board>
<{_B}Board name="Sea" width="90" height="60"><{_B}board.SquareGrid x0="1" y0="2" dx="20" dy="20"><{_NUMBERS % (_B + "board.mapgrid.SquareGridNumbering")}/></{_B}board.SquareGrid></{_B}Board>
</{_P}map.BoardPicker>
<{_P}map.SetupStack name="Start" owningBoard="Land" useGridLocation="true" location="03C" x="30" y="25">
<VASSAL.build.widget.PieceSlot entryName="Guards" gpid="900">+/null/prototype;Infantry\tpiece;;;a.png;Guards/\tnull;0;0;900;0</VASSAL.build.widget.PieceSlot></{_P}map.SetupStack>
<{_P}map.DrawPile name="Events" owningBoard="Sea" useGridLocation="false" x="9" y="9"><VASSAL.build.widget.CardSlot entryName="Card" gpid="901">+/null/piece;;;c.png;Card/null;0;0;901;0</VASSAL.build.widget.CardSlot></{_P}map.DrawPile>
</{_P}Map><{_P}PredefinedSetup name="August" file="start.vsav"/><own.code.Thing/>
</VASSAL.build.GameModule>"""


# --- positions, packs, games --------------------------------------------------------------------------------------------


def notations() -> Iterator[bytes]:
    """Positions in notation."""
    yield from (path.read_bytes() for path in sorted(FOLDER.glob("examples/*.pos")))
    yield from (hostile_seeds().words[GAME].position(Random(seed)).encode() for seed in range(20))


def json_positions() -> Iterator[bytes]:
    """Positions in JSON."""
    yield from (data for name, data in hostile_seeds().sound if name.endswith(".json"))


def packs() -> Iterator[bytes]:
    """What the owner of a game has typed."""
    yield together({name.partition(f"{GAME}/")[2]: data for name, data in hostile_seeds().pack.items()})


def games() -> Iterator[bytes]:
    """A game of data alone."""
    yield together({name.partition("/")[2]: data for name, data in hostile_seeds().heath.items()})


@cache
def words_of_all() -> tuple[str, ...]:
    """Words that the formats know, which an input found by chance would hardly have."""
    game = load_game(GAME)
    tracks = (track.name for track in game.tracks.values())
    engine = (
        "begin_save",
        "end_save",
        "SETUP_STACK\t",
        "LOG\t",
        "CHAT",
        "stack",
        "deck;",
        "null",
        "@@0",
        "side:",
        "true",
        "$pieceName$",
    )
    return (*engine, *STEPS, *KIND_OF_EACH.values(), *tracks)
