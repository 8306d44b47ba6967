"""The index of rules: what a table of rules in a page becomes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from .building import ROOT, command, page_in

CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "docs/_ext")!r})
extensions = ["myst_parser", "rules"]
root_doc = "docs/games/kaisers-war-in-the-east/rules"
html_theme = "basic"
"""
PAGE = """# Rules

## Combat

| rule | what it says | |
| --- | --- | --- |
| `14.13` | The column; its ratio | computed |
| 14.13 | The column again | left to you |
| 5-12 | Losses | |

| number | not a rule |
| --- | --- |
| 99.9 | of another table |
"""


@pytest.fixture(scope="module")
def small(sphinx: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of one page."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("out")
    (source / "conf.py").write_text(CONF, "utf-8")
    page = source / "docs/games/kaisers-war-in-the-east/rules.md"
    page.parent.mkdir(parents=True)
    page.write_text(PAGE, "utf-8")
    ended = subprocess.run(command(source, out), check=False, capture_output=True, text=True)
    assert ended.stdout + ended.stderr == ""
    return out


def test_each_row_has_an_anchor(small: Path) -> None:
    page = page_in(small / "docs/games/kaisers-war-in-the-east/rules.html")
    assert page.xpath("//tr/@id") == ["rule-14.13", "rule-14.13-2", "rule-5-12"]


def test_index_has_each_row_by_number_and_by_title(small: Path) -> None:
    text = " ".join(page_in(small / "genindex.html").text_content().split())
    assert "5-12 (Kaiser's War in the East) 14.13 (Kaiser's War in the East)" in text, "in the order of the numbers"
    assert "Losses 5-12 (Kaiser's War in the East)" in text
    assert "The column, its ratio 14.13 (Kaiser's War in the East)" in text
    assert "99.9" not in text


def test_search_knows_each_row_by_number_and_title(small: Path) -> None:
    index = (small / "searchindex.js").read_text("utf-8")
    objects = json.loads(index[index.index("(") + 1 : index.rindex(")")])["objects"]
    names = {f"{prefix}.{row[4]}" if prefix else row[4] for prefix, rows in objects.items() for row in rows}
    assert names == {"14.13 The column; its ratio", "14.13 The column again", "5-12 Losses"}
