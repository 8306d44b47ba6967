"""Every benchmark runs, with tiny sizes and no environment made: how long it takes is nobody's business here."""

from __future__ import annotations

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from assistant.game.games import read_game
from benchmarks import instructions, measuring
from benchmarks.__main__ import SUBJECTS, write_page
from benchmarks.chances import three_rolls
from benchmarks.counters import GAME, faced_game, game_folder
from benchmarks.measuring import PEERS, TINY, Bench, Environment, NoPeer, Row, Sizes
from module_builder.counters.checks import format_mistakes

from .cases import thorough

HERE = {"wheel": Path(sys.executable).parent}


@thorough
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: str(subject.__name__))
def test_each_subject_is_measured(subject: ModuleType) -> None:
    bench = Bench(TINY, HERE)
    rows = [*subject.rows(bench)]
    assert rows or bench.left_out
    assert all(row.job in write_page(rows, bench) for row in rows)


def test_made_up_games_have_no_mistakes_on_their_counters(tmp_path: Path) -> None:
    package = game_folder(tmp_path / "game", 6, 3) / "bench_of_many_counters"
    assert not [*format_mistakes(read_game(GAME, package))]
    assert not [*format_mistakes(read_game("faced", faced_game(tmp_path / "faced", 3)))]


def test_reportlab_draws_plain_counters(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PEERS / "pictures.py", "reportlab", "3", tmp_path], check=True)
    assert [path.name for path in tmp_path.iterdir()] == ["reportlab.pdf"]


def test_the_small_procedure_is_exact() -> None:
    found = three_rolls()
    assert sum(found.values()) == 1
    passed = sum((chance for (_, passes), chance in found.items() if passes), Fraction(0))
    ways = [(a, b, c, d, e) for a in DIE for b in DIE for c in DIE for d in DIE for e in DIE]
    assert passed == Fraction(sum(d + e + max(0, (a + b) // 3 + c - 3) <= 9 for a, b, c, d, e in ways), len(ways))


DIE = range(1, 7)


def test_a_page_names_ratios_goals_growth_and_what_is_left_out() -> None:
    bench = Bench(Sizes(), {})
    assert bench.python(Environment("peers", ("peer",))) is None
    rows = [
        Row("quick", "a bound", 0.002, 0.004, 1, smaller=0.001),
        Row("slow", "a peer", 1.5, 0.3, 0.8, more=True, smaller=0.1),
        Row("counted", "a bound", 1, 5, 3, counted=(12, 3)),
        Row("lonely", "a peer", 0.02, None, 4),
        Row("beside", "a peer", 0.02, 0.04, more=True),
    ]
    text = write_page(rows, bench)
    assert "Left out: peer not wanted in this run." in text
    assert "| quick | a bound | 0.5 | at most 1 | met | 0.50 | <small>2 : 4 ms</small> |" in text
    assert "| slow | a peer | 0.2 | at least 0.8 | **not met** | **1.95** | <small>1,500 : 300 ms</small> |" in text
    assert "| counted | a bound | 4 | at most 3 | **not met** |" in text
    assert "| lonely | a peer |  | at most 4 | not measured |  | <small>20 ms</small> |" in text
    assert "| beside | a peer | 2 |  |  |  | <small>20 : 40 ms</small> |" in text.partition("## Beside other")[2]


def test_a_peer_that_needs_a_newer_python_is_left_out_with_a_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(measuring, "ROOT", tmp_path)
    needy = Environment("needy", ("peer",), least=(3, 90))
    with pytest.raises(NoPeer, match=r"peer needs Python 3\.90 or newer, and there is none"):
        needy.folder()
    bench = Bench(TINY)
    assert bench.python(needy) is None
    assert bench.left_out == {"needy": "peer needs Python 3.90 or newer, and there is none"}


def test_a_job_that_costs_more_than_is_allowed_is_named() -> None:
    recorded = {"same": 10.0, "a little": 10.0, "much": 10.0}
    assert not instructions.judge({"same": 10, "a little": 10.2}, recorded)
    found = instructions.judge({"much": 10.4, "new": 1.0}, recorded)
    assert found == [
        "much: 10.40 times an empty Python, 10.00 recorded",
        "new: 1.00 times an empty Python, 0.00 recorded",
    ]


def test_a_figure_is_recorded_of_each_job() -> None:
    recorded = re.findall(r'^"(.+)" = [\d.]+$', instructions.RECORD.read_text("utf-8"), re.MULTILINE)
    assert recorded == [*instructions.JOBS]
