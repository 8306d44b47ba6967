"""The window of charts: an author's pictures and pages, the game's charts, and the terrain key.

A chart has only cells that the rulebook or the owner's pack states. Missing cells are listed for the owner to enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from statistics import median_high
from typing import NamedTuple

from lxml import etree

from assistant.drawing.scene import Scene, enlarge
from assistant.game.charts import Chart
from assistant.game.course import course_file
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.game.pack_charts import list_keys
from assistant.game.printed_charts import format_heads
from assistant.state.tracks import CERTAIN
from assistant.util.console import format_count
from assistant.util.datafiles import read_data, resolve_within
from assistant.util.errors import InputError, Where
from assistant.util.typesetting import sentence, set_in_type

from ..aids.aid_set import AidSet
from ..aids.cards import CARDS
from ..aids.listings import listing_scene
from ..aids.page import AidStyle
from ..aids.tables import Coverage, chart_scene, format_cell
from ..counters.picture_names import file_word
from ..sheets.sizes import PAPERS
from .elements import CHARTS, MODULE, WIDGET, add
from .extras import PAGES, PICTURES, check_file
from .icons import CHARTS as ICON
from .icons import icon_file

TO_ENTER = "charts-to-enter.html"
"""The page that lists the unknown cells of the game's charts."""
_PIXELS_PER_MM = 4.8
"""The resolution of a chart: its smallest letters are 12 pixels high."""
_WIDTHS_MM = (110, 150, 200)
_MAX_HEIGHT_TO_WIDTH = 0.72
"""The maximum height of a chart that is flat enough for a screen, as a multiple of its width."""
_MIN_KNOWN_SHARE = 0.5
"""The minimum share of known cells at which a chart has a tab: empty boxes help nobody at the table."""
_STYLE = AidStyle(PAPERS["a4"], die=15.875)
"""The style of printed aids on A4 paper for counters of 5/8 inch."""


_MAX_TABS = 4
"""The maximum number of tabs that fit in one row."""
_TITLES_WIDTH_PX = 330
_RIM_PX = 24
_UNKNOWN_SIZE_PX = 640


class DrawnChart(NamedTuple):
    """A chart with its drawing."""

    title: str
    image: str
    """The file with the drawing."""
    scene: Scene
    """The drawing, in mm."""


class GameCharts:
    """A game's charts in its module. Raises InputError as `course_file` does."""

    def __init__(self, game: Game) -> None:
        self.game, self.course = game, course_file(game)

    @cached_property
    def drawn(self) -> tuple[DrawnChart, ...]:
        """The charts with enough known cells, the rulebook's lists, and the terrain key."""
        charts = [
            DrawnChart(sentence(chart.title), f"own-chart-{file_word(name)}.png", _draw_flat(chart))
            for name, chart in self.game.charts.items()
            if name not in self.course.costs and _share_known(chart) >= _MIN_KNOWN_SHARE
        ]
        return (*charts, *self._draw_listings(), *self._draw_terrain())

    def _draw_listings(self) -> Iterator[DrawnChart]:
        """Yield the rulebook's lists that the game's files contain as tables."""
        for listing in self.course.table:
            scene = _draw_flattest(partial(listing_scene, self.game, listing, _STYLE))
            yield DrawnChart(sentence(listing.title), f"list-{file_word(listing.file)}.png", scene)

    def _draw_terrain(self) -> Iterator[DrawnChart]:
        if not self.course.costs:
            return
        aids = AidSet(self.game, self.course, _STYLE)
        for card in CARDS["terrain-key"](aids):
            for number, page in enumerate(card.pages):
                title = f"Terrain ({number + 1})" if len(card.pages) > 1 else "Terrain"
                yield DrawnChart(title, f"terrain-{number}.png", page)

    @property
    def page(self) -> str:
        """A page on known and missing cells of incomplete charts, or "" if all charts are complete."""
        lacking = [chart for chart in self.game.charts.values() if _share_known(chart) < 1.0]
        if not lacking:
            return ""
        page = etree.Element("html")
        body = etree.SubElement(page, "body")
        etree.SubElement(body, "h2").text = "Charts to enter from your own copy"
        etree.SubElement(body, "p").text = (
            "The rulebook does not print these charts, or not all of them, and nothing is made up for them here. Enter "
            "them once, then make the module again:"
        )
        etree.SubElement(body, "pre").text = f"assistant pack enter {self.game.id}"
        table = etree.SubElement(body, "table", border="1", cellpadding="4", cellspacing="0")
        _add_row(table, "th", "Chart", "Rule", "Known", "What the rulebook says")
        for chart in lacking:
            keys, known = list_keys(chart), _list_known(chart)
            count = f"{len(known)} of {format_count(len(keys), 'cell')}" if keys else "not even its ends"
            few = known if len(known) <= _MAX_CELLS_NAMED else ()
            _add_row(
                table,
                "td",
                sentence(chart.title),
                chart.rule,
                count,
                "; ".join(_format_cell(chart, key) for key in few),
            )
        return etree.tostring(page, encoding="us-ascii", method="html", pretty_print=True).decode()


_MAX_CELLS_NAMED = 3
"""Maximum number of known cells that are listed one by one."""


def _list_known(chart: Chart) -> list[tuple[int | str, ...]]:
    """Return the cells of a chart that rulebook or owner state."""
    return [key for key in list_keys(chart) if (cell := chart.cells.get(key)) and cell.source in CERTAIN]


def _share_known(chart: Chart) -> float:
    """Return the share of a chart's cells that rulebook or owner state."""
    keys = list_keys(chart)
    return len(_list_known(chart)) / len(keys) if keys else 0.0


def _format_cell(chart: Chart, key: tuple[int | str, ...]) -> str:
    """Return a cell in words: the heads of its row and column, and its value."""
    of = [*(format_heads(part, [value])[0] for part, value in zip(chart.keys, key, strict=True))]
    return f"{', '.join(of)}: {format_cell(chart, chart.cells[key])}"


def _add_row(table: etree._Element, kind: str, *cells: str) -> None:
    row = etree.SubElement(table, "tr")
    for cell in cells:
        etree.SubElement(row, kind).text = set_in_type(cell)


def _draw_flat(chart: Chart) -> Scene:
    """Return a chart in the smallest width in which it is flat enough for a screen, or else in the largest."""
    return _draw_flattest(partial(chart_scene, Coverage(chart, shown=False), _STYLE))


def _draw_flattest(drawn: Callable[[float], Scene]) -> Scene:
    """Return a picture in the first width in which it is flat enough.

    `drawn`: a function that draws it in a width.
    """
    for width in _WIDTHS_MM:
        scene = drawn(width)
        if scene.height <= _MAX_HEIGHT_TO_WIDTH * scene.width:
            break
    return scene


def chart_pictures(charts: GameCharts) -> dict[str, Scene]:
    """Return the drawn charts by file name, in pixels."""
    return {chart.image: _enlarge_scene(chart.scene) for chart in charts.drawn}


def _enlarge_scene(scene: Scene) -> Scene:
    layers = tuple(enlarge(layer, _PIXELS_PER_MM) for layer in scene.layers)
    return Scene(
        width=scene.width * _PIXELS_PER_MM, height=scene.height * _PIXELS_PER_MM, title=scene.title, layers=layers
    )


def chart_files(game: Game, wanted: VassalModule, charts: GameCharts, taken: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of an author's charts, and the page of missing cells, by their paths in the module.

    `taken`: the paths of other files, with their purposes.

    Raises InputError for a file that cannot be used, or whose path is taken.
    """
    files: dict[str, bytes] = {}
    paths = {f"images/{chart.image}": f"the chart {chart.title}" for chart in charts.drawn} | {**taken}
    if page := charts.page:
        files[TO_ENTER] = page.encode()
        paths[TO_ENTER] = "the page of charts to enter"
    for file in dict.fromkeys(file for _, file in wanted.charts):
        if file.rpartition(".")[2].lower() not in (*PICTURES, *PAGES):
            raise InputError(
                "a chart is a picture or an HTML page",
                where=Where(file),
                hint="the files of `charts` in [module] end in .png, .svg or .html",
            )
        path = _path_of(file)
        if path in paths:
            raise InputError(
                f"in the module {paths[path]} is {path} already", where=Where(file), hint="rename this file"
            )
        paths[path] = f"the chart {file}"
        files[path] = check_file(file, read_data(resolve_within(game.folder, file)))
    return files


def add_chart_window(root: etree._Element, charts: GameCharts, wanted: VassalModule) -> None:
    """Add the window of the charts, if there are any: with a tab for each, or with a list of titles if there are many.

    VASSAL breaks many tabs into rows that change places.
    """
    shown = [(title, _path_of(file)) for title, file in wanted.charts]
    shown += [(chart.title, chart.image) for chart in charts.drawn]
    if charts.page:
        shown.append(("To enter", TO_ENTER))
    if not shown:
        return
    window = add(
        root,
        MODULE + "ChartWindow",
        name="Charts",
        text="Charts",
        icon=icon_file(ICON),
        hotkey=CHARTS.stroke,
        tooltip="Charts and tables",
    )
    if len(shown) > _MAX_TABS:
        width, height = _size_list(charts)
        group = add(
            window,
            WIDGET + "ListWidget",
            entryName="Charts",
            scale="1.0",
            width=str(width + _TITLES_WIDTH_PX),
            height=str(height),
            divider=str(width),
        )
    else:
        group = add(window, WIDGET + "TabWidget", entryName="Charts")
    for title, file in shown:
        kind = "HtmlChart" if file.rpartition(".")[2].lower() in PAGES else "Chart"
        add(group, WIDGET + kind, chartName=title, fileName=file.removeprefix("images/"))


def _size_list(charts: GameCharts) -> tuple[int, int]:
    """Return the room for charts beside the list of titles.

    At least half of them fit; larger ones scroll. A window for the largest would leave no room for the map.
    """
    scenes = [_enlarge_scene(chart.scene) for chart in charts.drawn]
    width = median_high(scene.width for scene in scenes) if scenes else _UNKNOWN_SIZE_PX
    height = median_high(scene.height for scene in scenes) if scenes else _UNKNOWN_SIZE_PX
    return round(width) + _RIM_PX, round(height) + _RIM_PX


def _path_of(file: str) -> str:
    """Return the path of a chart in the module: a picture among the others, a page at the top."""
    name = file.replace("/", "-")
    return name if name.rpartition(".")[2].lower() in PAGES else f"images/chart-{name}"
