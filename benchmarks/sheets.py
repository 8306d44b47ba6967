"""Sheets of counters for printing, beside protograf and the LaTeX package wargame."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import PEERS, Bench, Environment, Goal, Row, Table, cpu, module, peak, run
from benchmarks.vassal import GAME, game_folder

PROTOGRAF = Environment("protograf", ("protograf",))
MANY = 5_000
AGAIN = f"""
import sys, time
from pathlib import Path
from statistics import median
from assistant.game.games import read_game
from assistant.installed.registry import game_folder
from module_builder.counters.faces import Cut
from module_builder.counters.pieces import counters_and_markers
from module_builder.sheets.layout import SheetSetting
from module_builder.sheets.pages import lay_out_counters, sheets_pdf
from module_builder.sheets.sizes import DIES, PAPERS
setting = SheetSetting(PAPERS["a4"], "gutter", DIES["5/8"], 1.5)
found = game_folder("{GAME}")
roster = Path(str(found.folder)) / "roster" / "illustrative.csv"
text, times = roster.read_text("utf-8"), []
for number in range(int(sys.argv[1]) + 1):
    roster.write_text(text.replace("0/0,", f"new {{number}},", 1), "utf-8")
    before = time.process_time()
    game = read_game(found.id, found.folder, found.made_by, found.home)
    made = lay_out_counters(game.title, counters_and_markers(game, Cut(setting.die, setting.bleed, False), "colour"), setting)
    Path("again.pdf").write_bytes(sheets_pdf(made))
    times.append(time.process_time() - before)
    assert any(counter.unit == f"new {{number}}" for counter in made.counters)
print(median(times[1:]))
"""


def table(bench: Bench) -> Table:
    """Sheets from a cold start, beside peers; many counters; and again after one has changed."""
    sizes = bench.sizes
    what = f"{sizes.counters} two-sided counters on sheets"
    many = MANY if sizes.counters > 100 else 3 * sizes.counters
    command = module("module_builder", "sheets", GAME, "--out", "ours.pdf", "--force")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game = game_folder(folder / "game", sizes.counters, 1)
        ours = cpu(command, sizes.cold_runs, game)
        memory = peak(command, game)
        again = float(run([sys.executable, "-P", "-c", AGAIN, str(sizes.runs)], game))
        large = cpu(command, sizes.cold_runs, game_folder(folder / "large", many, 1))
        rows = [
            Row(f"{what} (at most {memory / 2**20:.0f} MiB)", ours, goal=Goal(below=0.3)),
            Row(what, ours, "protograf", _protograf(bench, folder), Goal(times=50)),
            Row(what, ours, "wargame (LaTeX)", _wargame(bench, folder), Goal(times=10)),
            Row("the same again after one of them has changed, in one process", again, goal=Goal(below=0.2)),
            Row(
                f"{many:,} of them: {large / ours:.1f} times as long for {many / sizes.counters:.1f} times as many",
                large,
            ),
        ]
    about = (
        "Whole processes from a cold start: the game's files read and checked, faces and backs drawn, laid out for folding with "
        "bleed and marks, with the plan, as PDF; the game's markers are drawn too. The peers draw plainer counters from numbers in a "
        "loop, without markers, bleed or marks."
    )
    return Table("Sheets", about, rows)


def _protograf(bench: Bench, folder: Path) -> float | None:
    python = bench.python(PROTOGRAF)
    script: list[str | Path] = [python or "", PEERS / "countersheets.py", str(bench.sizes.counters), folder]
    return cpu(script, min(bench.sizes.cold_runs, 2)) if python else None


def _wargame(bench: Bench, folder: Path) -> float | None:
    """The time of pdflatex, None if it or the package is not installed (in Debian: texlive-games, texlive-latex-extra)."""
    latex, finder = shutil.which("pdflatex"), shutil.which("kpsewhich")
    wanted = ("wargame.sty", "alphalph.sty")
    there = finder and all(subprocess.run([finder, file], capture_output=True).returncode == 0 for file in wanted)
    if not (latex and there and bench.peers_wanted):
        bench.left_out["wargame"] = "the LaTeX package wargame is not installed"
        return None
    source = folder / "wargame.tex"
    source.write_text(run([sys.executable, PEERS / "wargame_sheets.py", str(bench.sizes.counters)]), "utf-8")
    command: list[str | Path] = [latex, "-interaction=batchmode", "-halt-on-error", source.name]
    return cpu(command, min(bench.sizes.cold_runs, 2), folder)
