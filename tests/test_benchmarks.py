"""Every benchmark runs, with tiny sizes and no environment made: how long it takes is nobody's business here."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

from assistant.game.games import read_game
from benchmarks import measuring
from benchmarks.__main__ import SUBJECTS, page, with_sections
from benchmarks.chances import three_rolls
from benchmarks.measuring import PEERS, TINY, Bench, Environment, Goal, NoPeer, Row, Sizes, Table
from benchmarks.vassal import GAME, game_folder
from module_builder.counters.checks import format_mistakes

from .cases import thorough


@thorough
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: str(subject.__name__))
def test_each_subject_is_measured(subject: ModuleType) -> None:
    bench = Bench(TINY, {})
    table = subject.table(bench)
    assert table.rows
    assert all(row.theirs is None for row in table.rows if row.peer in bench.left_out)
    assert f"## {table.title}" in page([table], bench)


def test_the_made_up_game_has_no_mistakes_on_its_counters(tmp_path: Path) -> None:
    package = game_folder(tmp_path / "game", 6, 3) / "bench_of_many_counters"
    assert not [*format_mistakes(read_game(GAME, package))]


@pytest.mark.parametrize("subject", ["counters", "board"])
@pytest.mark.parametrize("library", ["Pillow", "reportlab"])  # those that are here anyway
def test_peers_draw(tmp_path: Path, library: str, subject: str) -> None:
    subprocess.run([sys.executable, PEERS / "pictures.py", library, subject, "3", tmp_path], check=True)
    assert sum(1 for _ in tmp_path.iterdir()) == (6 if (library, subject) == ("Pillow", "counters") else 1)


def test_the_small_procedure_is_exact() -> None:
    found = three_rolls()
    assert sum(found.values()) == 1
    passed = sum((chance for (_, passes), chance in found.items() if passes), Fraction(0))
    ways = [(a, b, c, d, e) for a in DIE for b in DIE for c in DIE for d in DIE for e in DIE]
    assert passed == Fraction(sum(d + e + max(0, (a + b) // 3 + c - 3) <= 9 for a, b, c, d, e in ways), len(ways))


DIE = range(1, 7)


def test_a_page_tells_goals_and_what_is_left_out() -> None:
    bench = Bench(Sizes(), {})
    assert bench.python(Environment("peers", ("peer",))) is None
    rows = [
        Row("quick", 0.001, "peer", 0.005, Goal(times=4)),
        Row("slow", 1.5, goal=Goal(below=0.2)),
        Row("lonely", 0.02, "peer", None, Goal(times=4)),
    ]
    text = page([Table("Title", "About.", rows)], bench)
    assert "Left out: peer not wanted in this run." in text
    assert "| quick | 1 ms | peer | 5 ms | 5.0 | at least 4: met |" in text
    assert "| slow | 1.50 s |  |  |  | below 0.2 s: **not met** |" in text
    assert "| lonely | 20 ms | peer | not here |  | at least 4: not measured |" in text


def test_some_sections_are_written_anew_and_new_ones_come_last() -> None:
    bench = Bench(Sizes())
    one, two, three = (Table(title, "About.", [Row("slow", 1.5)]) for title in ("One", "Two", "Three"))
    faster = Table("One", "About.", [Row("quick", 0.001)])
    assert with_sections(page([one, two], bench), [faster, three]) == page([faster, two, three], bench)
    assert with_sections(page([one, two], bench), [two]) == page([one, two], bench)


def test_a_peer_that_needs_a_newer_python_is_left_out_with_a_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(measuring, "ROOT", tmp_path)
    needy = Environment("needy", ("peer",), least=(3, 90))
    with pytest.raises(NoPeer, match=r"peer needs Python 3\.90 or newer, and there is none"):
        needy.python()
    bench = Bench(TINY)
    assert bench.python(needy) is None
    assert bench.left_out == {"needy": "peer needs Python 3.90 or newer, and there is none"}
