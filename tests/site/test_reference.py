"""The reference: every name that a page imports has its entry, every field of a class its type, every word of pictures a place."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from assistant.drawing.palettes import palettes
from assistant.drawing.symbols import Symbols

from ..pages import PAGES, ROOT
from .building import anchors_in, page_in

REFERENCE = ("code", "library", "ready-made")
"""The pages of the reference that are made of docstrings."""
IMPORTED = re.compile(r"^[ ]*(?:>>> |\.\.\. )?from (assistant[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def imported(page: Path) -> list[tuple[str, str]]:
    """What the code of a page imports of us: each module with a name in it."""
    blocks = re.findall(
        r"^ *```(?:console|pycon|python)\n(.*?)^ *```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    found = [match for block in blocks for match in IMPORTED.finditer(block)]
    listed = ((match[1], re.sub(r"#.*| as \w+", "", match[2])) for match in found)
    return [(module, name) for module, names in listed for name in re.findall(r"\w+", names)]


def pages_of_the_reference(site: Path) -> list[Path]:
    return [site / f"docs/reference/{name}.html" for name in REFERENCE]


def named(entry: str) -> Any:
    """What an anchor of the reference is the name of, None for one that names nothing."""
    module, _, name = entry.rpartition(".")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError):  # an attribute of a class, a heading
        return None


def test_each_name_that_a_page_imports_has_an_entry(site: Path) -> None:
    entries = {anchor for page in pages_of_the_reference(site) for anchor in anchors_in(page) if "." in anchor}
    described = {id(thing) for entry in entries if (thing := named(entry)) is not None}
    lacking = {
        f"{page.relative_to(ROOT)}: {module}.{name}"
        for page in PAGES
        for module, name in imported(page)
        if f"{module}.{name}" not in entries and id(getattr(import_module(module), name)) not in described
    }
    assert sorted(lacking) == [], "name its module in docs/reference/code.md or another page of the reference"


def test_each_field_of_a_class_has_its_type(site: Path) -> None:
    listed = [
        field
        for page in pages_of_the_reference(site)
        for field in page_in(page).xpath("//dl[contains(@class, 'py class')]//dl[contains(@class, 'field-list')]//li")
    ]
    assert listed
    bare = [text for field in listed if not re.match(r"\w+ \(.+\)", text := " ".join(field.text_content().split()))]
    assert bare == []


def test_types_of_fields_link_to_what_they_are(site: Path) -> None:
    (entry,) = page_in(site / "docs/reference/ready-made.html").xpath(
        "//dt[@id='assistant.rules.odds_battle.Engagement']/.."
    )
    links = {link.text_content(): link.get("href") for link in entry.xpath(".//li//a")}
    assert links["Fighter"] == "#assistant.rules.odds_battle.Fighter"
    assert links["Modifier"] == "code.html#assistant.mechanics.procedure.Modifier"


def test_the_page_of_words_has_each_word_that_pictures_know(site: Path) -> None:
    cells = page_in(site / "docs/reference/words.html").xpath("//td")
    shown = {word.strip("`- ") for cell in cells for word in cell.text_content().split(",")}
    grounds = {word.replace(" ", "-") for ground in palettes().grounds.values() for word in ground.words}
    assert {*Symbols().words, *grounds} - shown == set()


def test_what_is_given_by_its_name_alone_stands_behind_a_star(site: Path) -> None:
    written = {
        name: page_in(site / f"docs/reference/{page}.html").xpath(f"string(//dt[@id='{name}'])")
        for page, name in (
            ("code", "assistant.asking.sketch.Remark"),
            ("ready-made", "assistant.rules.odds_battle.Fighter"),
            ("ready-made", "assistant.rules.odds_battle.StrengthNumbers"),
        )
    }
    remark, fighter, numbers = (re.sub(r"\s+", "", signature) for signature in written.values())
    assert "Remark(*,where,text)" in remark
    assert "Fighter(*,unit,place," in fighter
    assert "StrengthNumbers(strength,supply=...," in numbers


def test_only_the_fields_of_a_class_have_their_hyphens_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx", reason="make .venv/documented")
    monkeypatch.syspath_prepend(str(ROOT / "docs/_ext"))
    nodes, docstrings = import_module("docutils.nodes"), import_module("docstrings")
    prose, field = (nodes.paragraph("", "", nodes.Text(" -- ")) for _ in range(2))
    page = import_module("docutils.utils").new_document("page")
    page += [prose, nodes.field_list("", nodes.field("", nodes.field_name(), nodes.field_body("", field)))]
    docstrings.end_with_colons(None, page)
    assert (prose.astext(), field.astext()) == (" -- ", ": ")
