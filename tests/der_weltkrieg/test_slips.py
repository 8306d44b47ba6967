"""`module-builder check` names each slip in the files of the campaign with its line and the nearest form."""

from __future__ import annotations

import shutil
from pathlib import Path

from module_builder.cli import cli

from ..cases import thorough
from ..pages import ROOT

SLIPS = {
    "schedules/regular.csv": [
        ("3-14,german,dec14,dec14 shaken surrender,dec,1,,sp", "3-114,german,dec14,dec14 shaken surrender,dec,1,,sp", "rule 3-114 is not in rules.csv"),
        ("4-12,british,collapse", "4-12,british,colapse", "'colapse' is neither a turn nor counted from a fact that is one; nearest known: collapse"),
        ("rpl-australian,4,rpl,", "rpl-australian,4,rlp,", "instead: no row brings 'rlp'; nearest known: rpl"),
    ],
    "schedules/arrivals.csv": [
        ("german,jun16/1,,withdraw", "german,jun16/1,,witdraw", "action: unknown word 'witdraw'; nearest known: withdraw"),
        ("5-5,4804,rpl,3", "5-5,9999,rpl,3", "hex 9999 is off the map"),
        ("29-5,russian,nov16/4", "29-5,romanian,nov16/4", "'RU 132' is russian, not romanian"),
    ],
    "schedules/dice.csv": [("(ask italy)", "(ask itally)", "text: ask: unknown question 'itally'; nearest known: italy")],
    "events.toml": [
        ('since = "aided"', 'since = "adied"', "[level.11] since: 'adied' is not a track of turns; nearest known: aided"),
        ('question = "plans"', 'question = "plan"', "[[sheet]] question: unknown question 'plan'"),
        ('rule = "15-9"', 'rule = "15-99"', "rule 15-99 is not in rules.csv"),
    ],
    "course.toml": [('"entente"]', '"entete"]', "[turns] order: unknown side 'entete'; nearest known: entente")],
    "tracks.toml": [('rule = "18-1"', 'rule = "18-11"', "rule 18-11 is not in rules.csv")],
    "rulings.csv": [("tenth,5-12,", "tenth,5-112,", "rule 5-112 is not in rules.csv; nearest known: 5-11, 5-12, 5-2")],
    "tables/limits.csv": [
        ("16-7,austro-hungarian,jan15 italian.enters,", "16-7,austro-hungarian,jan15 italian.entres,", "'italian.entres' is neither a turn nor counted from a fact that is one; nearest known: enters"),
        ("25,yes", "25,yse", "each: 'yse' is not allowed"),
    ],
    "tables/arrivals.csv": [("british,port", "british,prot", "places: 'prot' is not allowed; nearest known: port")],
    "tables/transfers.csv": [("french italian", "french italien", "capacity: 'french italien' is not allowed")],
    "tables/remarks.csv": [("sphere,,25-1,", "spher,,25-1,", "question: unknown question 'spher'; nearest known: spend, sphere")],
    "tables/assault-pool.csv": [("GE 103 Mtn", "GE 1033 Mtn", "unit: unknown unit of the roster 'GE 1033 Mtn'; nearest known: GE 103 Mtn")],
    "rules.csv": [("2/turns,data", "2/turns,dat", "'dat' is not a kind of rule; nearest known: data")],
}  # fmt: skip


@thorough
def test_every_slip_is_named_at_once(tmp_path: Path) -> None:
    from click.testing import CliRunner

    folder = tmp_path / "der-weltkrieg"
    shutil.copytree(ROOT / "plugins/der_weltkrieg", folder, ignore=shutil.ignore_patterns("__pycache__"))
    expected = []
    for name, slips in SLIPS.items():
        text = (folder / name).read_text("utf-8")
        for before, after, fault in slips:
            assert before in text, before
            line = text.count("\n", 0, text.index(before) + len(before) - 1) + 1
            text = text.replace(before, after, 1)
            expected.append(f"module-builder: {name}:{line}: {fault}")
        (folder / name).write_text(text, "utf-8")
    said = CliRunner().invoke(cli, ["check", str(folder)])
    lines = said.stderr.splitlines()
    assert [fault for fault in expected if not any(line.startswith(fault) for line in lines)] == []
    assert len(lines) == len(expected), "and nothing else"


@thorough
def test_a_part_of_the_sheet_is_one_of_its_answer(tmp_path: Path) -> None:
    from click.testing import CliRunner

    folder = tmp_path / "der-weltkrieg"
    shutil.copytree(ROOT / "plugins/der_weltkrieg", folder, ignore=shutil.ignore_patterns("__pycache__"))
    events = folder / "events.toml"
    text = events.read_text("utf-8").replace('part = "Limits"', 'part = "Limit"', 1)
    events.write_text(text, "utf-8")
    line = text[: text.index('part = "Limit"')].count("\n") + 1
    fault = f"events.toml:{line}: [[sheet]] part: caps has no part 'Limit'; nearest known: Limits"
    assert CliRunner().invoke(cli, ["check", str(folder)]).stderr == f"module-builder: {fault}\n"
