"""A notebook run as its reader runs it, and docs/pictures/notebook.png: `python -m tests.notebook` with nbclient, nbconvert and ipykernel beside
the program, and Chromium.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs/pictures/notebook.png"
EXAMPLES = ROOT / "plugins/twilight_in_the_east/examples"
CELLS = (
    'import assistant\n\nposition = assistant.read("battle-before.pos")\nposition',
    "report = assistant.ask(position)\nreport",
    "assistant.picture(position, report)",
    "assistant.chart(position, report)",
)
SHOWN = 1000, 1250
"""The upper part of the page that the picture shows, in pixels."""


def run_cells(folder: Path, cells: tuple[str, ...] = CELLS) -> Any:
    """A notebook with cells that have been run in a folder."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def outputs(notebook: Any) -> list[dict[str, str]]:
    """What each cell shows, by media type."""
    return [dict(output["data"]) for cell in notebook.cells for output in cell.outputs if "data" in output]


def as_page(notebook: Any) -> str:
    """The notebook as it is exported."""
    from nbconvert import HTMLExporter

    page: str = HTMLExporter().from_notebook_node(notebook)[0]
    return page


def main() -> int:
    from playwright.sync_api import sync_playwright

    from .page.browser import program

    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=program())
        page = browser.new_page(viewport={"width": SHOWN[0], "height": SHOWN[1]})
        page.set_content(as_page(run_cells(EXAMPLES)))
        page.wait_for_timeout(1000)
        page.screenshot(path=TARGET)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
