"""The windows with charts: an author's pictures and pages, and the charts that the owner of the game has entered from
his own copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from lxml import etree

from assistant.game.charts import Chart
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.state.sources import Source
from assistant.state.state import Cell
from assistant.util.datafiles import inner, read_data
from assistant.util.errors import InputError, Where

from ..elements import MODULE, WIDGET, add
from ..extras import PAGES, PICTURES, check_file
from .keys import CHARTS


def chart_files(game: Game, wanted: VassalModule) -> dict[str, bytes]:
    """The files of all charts by their paths in the module. Raises InputError with the file for one that cannot be
    used.
    """
    files = {}
    for _, file in wanted.charts:
        if file.rpartition(".")[2].lower() not in (*PICTURES, *PAGES):
            raise InputError(
                "a chart is a picture or an HTML page",
                where=Where(file),
                hint="[module] charts: name it .png, .svg or .html",
            )
        files[_path(file)] = check_file(file, read_data(inner(game.folder, file)))
    return files | {f"chart-{name}.html": page for name, (_, page) in own_charts(game).items()}


def own_charts(game: Game) -> dict[str, tuple[str, bytes]]:
    """By name, the title and page of each chart of which the owner's pack holds cells."""
    pages = {}
    for chart in game.charts.values():
        cells = {key: cell for key, cell in chart.cells.items() if cell.source is Source.PRINTED}
        if cells:
            pages[chart.name] = chart.title, _page(chart, cells).encode()
    return pages


def chart_window(root: etree._Element, game: Game, wanted: VassalModule) -> None:
    """The window with all charts, a tab for each; none if there are none."""
    own = {f"chart-{name}.html": title for name, (title, _) in own_charts(game).items()}
    shown = [(title, _path(file)) for title, file in wanted.charts] + [(title, file) for file, title in own.items()]
    if not shown:
        return
    looks = {"icon": "", "hotkey": CHARTS.stroke, "tooltip": "Charts and tables"}
    window = add(root, MODULE + "ChartWindow", name="Charts", text="Charts", **looks)
    tabs = add(window, WIDGET + "TabWidget", entryName="Charts")
    for title, file in shown:
        kind = "HtmlChart" if file.rpartition(".")[2].lower() in PAGES else "Chart"
        add(tabs, WIDGET + kind, chartName=title, fileName=file.removeprefix("images/"))


def _path(file: str) -> str:
    """Where a chart stands in the module: a picture with the others, a page by itself."""
    name = file.replace("/", "-")
    return name if name.rpartition(".")[2].lower() in PAGES else f"images/chart-{name}"


def _page(chart: Chart, cells: dict[tuple[int | str, ...], Cell]) -> str:
    """The known cells of a chart as a page: a table for all keys but the last two, whose words head its columns and
    rows.
    """
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    etree.SubElement(body, "h2").text = chart.title + (f" ({chart.rule})" if chart.rule else "")
    fields = " / ".join(field.name for field in chart.fields)
    etree.SubElement(body, "p").text = f"{' by '.join(key.name for key in chart.keys)}: {fields}"
    for above, keys in groupby(cells, key=lambda key: key[:-2]):
        if above:
            etree.SubElement(body, "h3").text = ", ".join(map(str, above))
        _table(body, chart, cells, list(keys))
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


def _table(
    body: etree._Element, chart: Chart, cells: dict[tuple[int | str, ...], Cell], keys: list[tuple[int | str, ...]]
) -> None:
    columns = list(dict.fromkeys(key[-2:-1] for key in keys))
    rows = list(dict.fromkeys(key[-1] for key in keys))
    table = etree.SubElement(body, "table", border="1", cellpadding="4", cellspacing="0")
    head = etree.SubElement(table, "tr")
    etree.SubElement(head, "th")
    for column in columns:
        etree.SubElement(head, "th").text = str(column[0]) if column else ""
    for row in rows:
        line = etree.SubElement(table, "tr")
        etree.SubElement(line, "th").text = str(row)
        for column in columns:
            cell = cells.get((*keys[0][:-2], *column, row))
            etree.SubElement(line, "td", align="center").text = " / ".join(_words(chart, cell)) if cell else ""


def _words(chart: Chart, cell: Cell) -> Iterator[str]:
    return (str(cell.values[field.name]) for field in chart.fields)
