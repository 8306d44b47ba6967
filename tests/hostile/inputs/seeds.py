"""Sound files to spoil: positions in notation and JSON, a save, a log and a module."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
from PIL import Image

from assistant.formats import json_state
from assistant.formats.vassal.containers import BUILD_FILES, MODULE_DATA, ModuleData, write_container, write_module_data
from assistant.formats.vassal.pieces import write_piece_state
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.formats.vassal.sequence import join
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from module_builder.vassal.build_file import build_file, write_buildfile
from module_builder.vassal.charts import GameCharts
from module_builder.vassal.module import list_units, module_grid, shown_board, wanted_module
from module_builder.vassal.module_setting import MAP, ModuleSetting
from module_builder.vassal.pieces.maker import Art, Maker
from module_builder.vassal.setups import write_set_up
from module_builder.vassal.windows import list_displays

GAME = "twilight-in-the-east"
FOLDER = Path(__file__).parents[3] / "plugins/twilight_in_the_east"


def setting() -> ModuleSetting:
    """What set-ups are made with, without drawing the counters."""
    game = load_game(GAME)
    wanted = wanted_module(game)
    art = {unit: Art("front.png", "back.png") for unit in list_units(game, wanted)}
    about = ModuleData(wanted.name, "1", "3.6.0")
    board = shown_board(game, wanted)
    sheets = list_displays(game, game.board(wanted.board).boxes, list(art), wanted.counter)
    maker = Maker(game, art, wanted.counter)
    return ModuleSetting(game, maker, "Map", board.grid, module_grid(game, wanted), about, displays=sheets)


def log_of(save: Save) -> bytes:
    """A log that begins with a save: moves, a changed piece, a piece that leaves, a stack that comes."""
    first, second, *_ = save.pieces.values()
    x, y = first.at
    steps = (
        f"M/{first.id}/{MAP}/{x + 90}/{y}/null/{MAP}/{x}/{y}/null/me",
        "D/" + join((second.id, write_piece_state(second), write_piece_state(second)), "/"),
        f"M/{second.id}/{MAP}/{x + 90}/{y}/{first.id}/{MAP}/{x}/{y}/null/me",
        "+/" + join(("new", "stack", f"{MAP};{x};{y};{first.id};@@0"), "/"),
        f"-/{first.id}",
        "CHAT<me> - a word",
    )
    return write_save(msgspec.structs.replace(save, steps=steps))


def module_of(made: ModuleSetting, save: bytes) -> bytes:
    """The module without its pictures but the board's."""
    wanted = wanted_module(made.game)
    picture = io.BytesIO()
    Image.new("L", made.grid.size).save(picture, "PNG")
    return write_container(
        {
            MODULE_DATA: write_module_data(made.about),
            BUILD_FILES[0]: write_buildfile(
                build_file(made, wanted, "board.png", [], GameCharts(made.game)), wanted.version
            ),
            "start.vsav": save,
            "images/board.png": picture.getvalue(),
        }
    )


def sound_files() -> list[tuple[str, bytes]]:
    """The files by name: what they are is told by the ending."""
    found = [(path.name, path.read_bytes()) for path in sorted(FOLDER.glob("examples/*.pos"))]
    found += [(f"{Path(name).stem}.json", json_state.write_json(read_position(name, data))) for name, data in found]
    made = setting()
    position = read_position("start.pos", (FOLDER / "setups/19-august-1914.pos").read_bytes())
    start = write_set_up(made, position).save
    kept = (FOLDER / "examples/comprehensive-example.vsav").read_bytes()
    found += [("kept.vsav", kept), ("start.vsav", write_save(start)), ("log.vlog", log_of(read_save(kept)))]
    return [*found, ("start.vlog", log_of(start)), ("module.vmod", module_of(made, kept))]
