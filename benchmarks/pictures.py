"""Counters and boards as files, beside general drawing libraries."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import PEERS, Bench, Environment, Goal, Row, Table, cpu, module, peak
from benchmarks.vassal import GAME, game_folder

DRAWING = Environment("drawing", ("pillow", "reportlab", "fpdf2"))
SHEETS = f"""
import sys
from assistant.drawing.pdf import PdfPage, PlacedScene, pages_to_pdf
from assistant.installed.registry import load_game
from module_builder.counters.faces import SIDE
from module_builder.counters.pieces import design_counters
made = design_counters(load_game("{GAME}"))
faces = [counter.front for counter in made] + [counter.back for counter in made if counter.back]
pages = []
for first in range(0, len(faces), 140):
    places = enumerate(faces[first : first + 140])
    placed = [PlacedScene(face, place % 10 * SIDE, place // 10 * SIDE, SIDE, SIDE) for place, face in places]
    pages.append(PdfPage(10 * SIDE, 14 * SIDE, tuple(placed)))
open(sys.argv[1], "wb").write(pages_to_pdf(pages))
"""
BOARD = """
import random, sys
from itertools import product
from assistant.game.boards import Board
from assistant.game.hexes import Hex, HexGrid
from assistant.drawing.pdf import to_pdf
from assistant.drawing.png import to_png
from assistant.drawing.svg import to_svg
from assistant.installed.registry import load_game
from assistant.state.tracks import Fact
from module_builder.vassal.boards import board_scene
from module_builder.vassal.grids import board_grid
size, target = int(sys.argv[1]), sys.argv[2]
grid = HexGrid(columns=(1, size), rows=(1, size))
drawn = board_grid(grid, 72)
terrain = ("clear", "rough", "wetlands", "mountain")
facts = {("terrain", name): Fact(terrain[n * 7 % 4]) for n, name in enumerate(drawn.hexes)}
board = Board(name="map", title="", grid=grid, facts=facts, hexes=frozenset(drawn.hexes))
scene = board_scene(board, drawn.hexes.__getitem__, 72, drawn.size, {}, game=load_game("twilight-in-the-east"))
form = target.rpartition(".")[2]
data = to_svg(scene).encode() if form == "svg" else to_pdf([scene]) if form == "pdf" else to_png([scene], 1)[0]
open(target, "wb").write(data)
"""


def table(bench: Bench) -> Table:
    """Sheets and single pictures of counters, and a board in each format."""
    sizes = bench.sizes
    python = bench.python(DRAWING)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game = game_folder(folder / "game", sizes.counters, 1)

        def ours(*command: str | Path) -> float:
            return cpu(command, sizes.cold_runs, game)

        def theirs(library: str, subject: str, number: int) -> float | None:
            command: list[str | Path] = [python or "", PEERS / "pictures.py", library, subject, str(number), folder]
            return cpu(command, sizes.cold_runs) if python else None

        sheets = ours(sys.executable, "-c", SHEETS, folder / "ours.pdf")
        single = ours(*module("module_builder", "counters", GAME, "--force"))
        drawn = {
            form: ours(sys.executable, "-c", BOARD, str(sizes.board), f"ours.{form}") for form in ("svg", "pdf", "png")
        }
        rows = []
        for library in ("reportlab", "fpdf2"):
            peer = theirs(library, "counters", sizes.counters)
            rows.append(Row(f"{sizes.counters} two-sided counters on sheets, PDF", sheets, library, peer))
        what = f"{sizes.counters} two-sided counters, a PNG of 300 dpi each face"
        rows.append(Row(what, single, "Pillow", theirs("Pillow", "counters", sizes.counters)))
        what = f"a map of {sizes.board} x {sizes.board} hexes"
        rows.append(Row(f"{what}, SVG", drawn["svg"]))
        for library in ("reportlab", "fpdf2"):
            rows.append(Row(f"{what}, PDF", drawn["pdf"], library, theirs(library, "board", sizes.board)))
        rows.append(
            Row(f"{what}, PNG", drawn["png"], "Pillow, without antialiasing", theirs("Pillow", "board", sizes.board))
        )
        for form, goal in (("svg", 3.0), ("pdf", 3.0), ("png", 10.0)):
            target = folder / f"east.{form}"
            area = ("--area", sizes.area) if sizes.area else ()
            command = [*module("module_builder", "board", "twilight-in-the-east", *area, "--force", "-o"), target]
            memory = peak(command) / 2**20
            resolution = " of 60 pixels a hex" if form == "png" else ""
            what = f"the whole eastern board with rivers, railways, names and key, {form.upper()}{resolution}"
            rows.append(Row(f"{what} (at most {memory:.0f} MiB)", cpu(command, sizes.cold_runs), goal=Goal(below=goal)))
    about = (
        "Whole processes from a cold start. Ours first read the game's data files, and draw symbols, stripes, badges "
        "and terrain signs. The peers draw plainer counters and hexes from numbers in a loop."
    )
    return Table("Pictures", about, rows)
