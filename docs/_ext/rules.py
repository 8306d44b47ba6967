"""The index of rules: each row of a table whose first column is headed `rule` is found by its number and by its words.

The pages of the games' rules (`docs/games/GAME/rules.md`) hold such tables. A row gets an anchor, an entry by number and one by title in
the index of the site, and is a thing that the site's search finds, exactly by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment

from assistant.installed.registry import load_game

PAGE = re.compile(r"docs/games/([^/]+)/rules")
"""The page of the rules of a game."""


class Rules(Domain):
    """The rules of all games: of each page a list of number, title and anchor."""

    name = "rules"
    label = "Rules"
    object_types = {"rule": ObjType("rule")}
    initial_data = {"rows": {}}

    def clear_doc(self, docname: str) -> None:
        """Forget the rules of a page."""
        self.data["rows"].pop(docname, None)

    def merge_domaindata(self, docnames: Any, otherdata: dict[str, Any]) -> None:
        """Take over what another process has read."""
        self.data["rows"].update({name: rows for name, rows in otherdata["rows"].items() if name in docnames})

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        """What a result of the search is called."""
        return "rule"

    def resolve_any_xref(self, *_: Any) -> list[tuple[str, Any]]:
        """No link names a rule by its number alone."""
        return []

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """The rules as the site's search lists them."""
        for docname, rows in self.data["rows"].items():
            for number, title, anchor in rows:
                yield f"{docname} {anchor}", f"{number} {title}", "rule", docname, anchor, 1


def rows_of(doctree: nodes.document) -> Iterator[tuple[nodes.row, str, str]]:
    """The rows of the tables of rules in a page, each with its number and its title."""
    for table in doctree.findall(nodes.table):
        heads = [
            entry.astext().strip().lower() for head in table.findall(nodes.thead) for entry in head.findall(nodes.entry)
        ]
        if len(heads) < 2 or heads[0] != "rule":
            continue
        for body in table.findall(nodes.tbody):
            for row in body.findall(nodes.row):
                number, title, *_ = (entry.astext().strip() for entry in row.findall(nodes.entry))
                if number:
                    yield row, number, title


def anchors_of(number: str, taken: set[str]) -> str:
    """The anchor of a rule, whose number may stand in several rows."""
    plain = "rule-" + re.sub(r"[^\w.-]+", "-", number.lower()).strip("-")
    found = next(name for count in range(1, 1000) if (name := f"{plain}-{count}" if count > 1 else plain) not in taken)
    taken.add(found)
    return found


def index(app: Sphinx, doctree: nodes.document) -> None:
    """Give each row of the rules of a game its anchor and its entries."""
    env: BuildEnvironment = app.env
    page = PAGE.fullmatch(env.docname)
    if not page:
        return
    game = re.sub(r"^\d{4}, ", "", load_game(page[1]).title)
    taken: set[str] = set()
    rows: list[tuple[str, str, str]] = []
    for row, number, title in rows_of(doctree):
        anchor = anchors_of(number, taken)
        row["ids"].append(anchor)
        rows.append((number, title, anchor))
    env.domaindata["rules"]["rows"][env.docname] = rows
    entries = env.domaindata["index"]["entries"].setdefault(env.docname, [])
    for number, title, anchor in rows:
        number, title = (text.replace(";", ",") for text in (number, title))
        entries.append(("single", f"{number} ({game})", anchor, "", game))
        if title:
            entries.append(("single", f"{title}; {number} ({game})", anchor, "", None))


def in_order(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Put rule 9 before rule 10 in the index, which else sorts by letters."""
    for _, entries in context.get("genindexentries", ()):
        entries.sort(
            key=lambda entry: [
                f"{part:0>4}" if part.isdigit() else part for part in re.split(r"(\d+)", entry[0].lower())
            ]
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of it."""
    app.add_domain(Rules)
    app.connect("doctree-read", index)
    app.connect("html-page-context", in_order)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
