"""The window of charts: an author's pictures and pages, and what the owner's pack says of the game's own charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from assistant.game.charts import Chart, Keys
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.state.state import Cell
from assistant.state.tracks import Source
from assistant.util.datafiles import inner, read_data
from assistant.util.errors import InputError, Where

from .elements import CHARTS, MODULE, WIDGET, add
from .extras import PAGES, PICTURES, check_file
from .icons import CHARTS as ICON
from .icons import icon_file


class OwnChart(NamedTuple):
    """A page with what the owner's pack says of a chart. path: of its file in the module."""

    title: str
    path: str
    page: str


def chart_files(game: Game, wanted: VassalModule, taken: Mapping[str, str]) -> dict[str, bytes]:
    """The files of all charts by their paths in the module. taken: the paths of other files, with what these are.

    Raises InputError with the file for one that cannot be used, or whose path another file has.
    """
    files: dict[str, bytes] = {}
    paths = {own.path: f"the owner's chart {own.title}" for own in own_charts(game)} | {**taken}
    for file in dict.fromkeys(file for _, file in wanted.charts):
        if file.rpartition(".")[2].lower() not in (*PICTURES, *PAGES):
            raise InputError(
                "a chart is a picture or an HTML page",
                where=Where(file),
                hint="[module] charts: name it .png, .svg or .html",
            )
        path = _path(file)
        if path in paths:
            raise InputError(
                f"in the module {paths[path]} is {path} already", where=Where(file), hint="rename this file"
            )
        paths[path] = f"the chart {file}"
        files[path] = check_file(file, read_data(inner(game.folder, file)))
    return files | {own.path: own.page.encode() for own in own_charts(game)}


def own_charts(game: Game) -> list[OwnChart]:
    """The charts of which the owner's pack holds cells."""
    charts = []
    for chart in game.charts.values():
        cells = {key: cell for key, cell in chart.cells.items() if cell.source is Source.PRINTED}
        if cells:
            charts.append(OwnChart(chart.title, f"chart-{chart.name}.html", _page(chart, cells)))
    return charts


def chart_window(root: etree._Element, game: Game, wanted: VassalModule) -> None:
    """The window with a tab for each chart, if there are any."""
    shown = [(title, _path(file)) for title, file in wanted.charts]
    shown += [(own.title, own.path) for own in own_charts(game)]
    if not shown:
        return
    looks = {"icon": icon_file(ICON), "hotkey": CHARTS.stroke, "tooltip": "Charts and tables"}
    window = add(root, MODULE + "ChartWindow", name="Charts", text="Charts", **looks)
    tabs = add(window, WIDGET + "TabWidget", entryName="Charts")
    for title, file in shown:
        kind = "HtmlChart" if file.rpartition(".")[2].lower() in PAGES else "Chart"
        add(tabs, WIDGET + kind, chartName=title, fileName=file.removeprefix("images/"))


def _path(file: str) -> str:
    """Where a chart stands in the module: a picture with the others, a page by itself."""
    name = file.replace("/", "-")
    return name if name.rpartition(".")[2].lower() in PAGES else f"images/chart-{name}"


def _page(chart: Chart, cells: Mapping[Keys, Cell]) -> str:
    """The known cells of a chart as a page: a table for all keys but the last two, whose words head its columns and
    rows.
    """
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    etree.SubElement(body, "h2").text = chart.title + (f" ({chart.rule})" if chart.rule else "")
    fields = " / ".join(field.name for field in chart.fields)
    etree.SubElement(body, "p").text = f"{' by '.join(key.name for key in chart.keys)}: {fields}"
    tables: dict[Keys, list[Keys]] = {}
    for key in cells:
        tables.setdefault(key[:-2], []).append(key)
    for above, keys in tables.items():
        if above:
            etree.SubElement(body, "h3").text = ", ".join(map(str, above))
        _table(body, chart, cells, keys)
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


def _table(body: etree._Element, chart: Chart, cells: Mapping[Keys, Cell], keys: Sequence[Keys]) -> None:
    """A table of these cells."""
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
