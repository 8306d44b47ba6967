"""The window of charts: an author's pictures and pages, the game's own charts as far as rulebook and owner's pack state
them, and the key of its terrain; what is not known of a chart is never made up, but said and asked for.
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
"""The page that lists what of the game's charts is not known."""
_PIXELS = 4.8
"""Pixels per millimetre of a chart: its smallest letters are 12 pixels high."""
_WIDTHS = (110, 150, 200)  # mm, from which a flat enough one is chosen
_FLAT = 0.72  # height at most, as a share of the width
_KNOWN = 0.5
"""The part of its cells that must be known for a chart to have a tab: empty boxes help nobody at the table."""
_STYLE = AidStyle(PAPERS["a4"], 15.875)


_MOST_TABS = 4
"""So many tabs stand in one row."""
_TITLES = 330  # pixels
_RIM = 24  # pixels
_UNKNOWN = 640  # pixels


class DrawnChart(NamedTuple):
    """A chart as a picture."""

    title: str
    image: str
    """The file of it."""
    scene: Scene
    """Its drawing, in millimetres."""


class GameCharts:
    """The charts of a game as its module shows them. Raises InputError as `course_file` does."""

    def __init__(self, game: Game) -> None:
        self.game, self.course = game, course_file(game)

    @cached_property
    def drawn(self) -> tuple[DrawnChart, ...]:
        """The charts of which enough is known, the lists of the rulebook, and the key of the terrain."""
        charts = [
            DrawnChart(sentence(chart.title), f"own-chart-{file_word(name)}.png", _draw_flat(chart))
            for name, chart in self.game.charts.items()
            if name not in self.course.costs and _share_known(chart) >= _KNOWN
        ]
        return (*charts, *self._draw_listings(), *self._draw_terrain())

    def _draw_listings(self) -> Iterator[DrawnChart]:
        """Yield the lists of the rulebook that the game's files hold as tables."""
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
        """A page with what is known and what is not of the charts that are not whole, "" if all are."""
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
            few = known if len(known) <= _FEW else ()
            _add_row(
                table,
                "td",
                sentence(chart.title),
                chart.rule,
                count,
                "; ".join(_format_cell(chart, key) for key in few),
            )
        return etree.tostring(page, encoding="us-ascii", method="html", pretty_print=True).decode()


_FEW = 3
"""Up to so many known cells of a chart are told one by one."""


def _list_known(chart: Chart) -> list[tuple[int | str, ...]]:
    """Return the cells of a chart that rulebook or owner state."""
    return [key for key in list_keys(chart) if (cell := chart.cells.get(key)) and cell.source in CERTAIN]


def _share_known(chart: Chart) -> float:
    """Return the part of a chart's cells that rulebook or owner state."""
    keys = list_keys(chart)
    return len(_list_known(chart)) / len(keys) if keys else 0.0


def _format_cell(chart: Chart, key: tuple[int | str, ...]) -> str:
    """Return a cell in words: the heads of its row and column, and what stands in it."""
    of = [*(format_heads(part, [value])[0] for part, value in zip(chart.keys, key, strict=True))]
    return f"{', '.join(of)}: {format_cell(chart, chart.cells[key])}"


def _add_row(table: etree._Element, kind: str, *cells: str) -> None:
    row = etree.SubElement(table, "tr")
    for cell in cells:
        etree.SubElement(row, kind).text = set_in_type(cell)


def _draw_flat(chart: Chart) -> Scene:
    """Return a chart as flat as a window on a screen, or in the greatest width."""
    return _draw_flattest(partial(chart_scene, Coverage(chart, shown=False), _STYLE))


def _draw_flattest(drawn: Callable[[float], Scene]) -> Scene:
    """Return a picture in the first width in which it is flat enough. drawn: the picture in a width."""
    for width in _WIDTHS:
        scene = drawn(width)
        if scene.height <= _FLAT * scene.width:
            break
    return scene


def chart_pictures(charts: GameCharts) -> dict[str, Scene]:
    """Return the drawn charts by the names of their files, in pixels."""
    return {chart.image: _enlarge_scene(chart.scene) for chart in charts.drawn}


def _enlarge_scene(scene: Scene) -> Scene:
    layers = tuple(enlarge(layer, _PIXELS) for layer in scene.layers)
    return Scene(width=scene.width * _PIXELS, height=scene.height * _PIXELS, title=scene.title, layers=layers)


def chart_files(game: Game, wanted: VassalModule, charts: GameCharts, taken: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files of an author's charts, and the page of what is to be entered, by their paths in the module.
    taken: the paths of other files, with what these are.

    Raises InputError with the file for one that cannot be used, or whose path another file has.
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
                hint="[module] charts: name it .png, .svg or .html",
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
    """Add the window of the charts, if there are any: a tab for each, or a list of their titles if they are many, for
    VASSAL puts tabs into rows that change places.
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
    if len(shown) > _MOST_TABS:
        width, height = _size_list(charts)
        group = add(
            window,
            WIDGET + "ListWidget",
            entryName="Charts",
            scale="1.0",
            width=str(width + _TITLES),
            height=str(height),
            divider=str(width),
        )
    else:
        group = add(window, WIDGET + "TabWidget", entryName="Charts")
    for title, file in shown:
        kind = "HtmlChart" if file.rpartition(".")[2].lower() in PAGES else "Chart"
        add(group, WIDGET + kind, chartName=title, fileName=file.removeprefix("images/"))


def _size_list(charts: GameCharts) -> tuple[int, int]:
    """Return how much room the charts have beside the list of their titles: half of them at least are seen whole, and
    the larger ones scroll, for a window as large as the largest would leave no map.
    """
    scenes = [_enlarge_scene(chart.scene) for chart in charts.drawn]
    width = median_high(scene.width for scene in scenes) if scenes else _UNKNOWN
    height = median_high(scene.height for scene in scenes) if scenes else _UNKNOWN
    return round(width) + _RIM, round(height) + _RIM


def _path_of(file: str) -> str:
    """Return where a chart stands in the module: a picture with the others, a page by itself."""
    name = file.replace("/", "-")
    return name if name.rpartition(".")[2].lower() in PAGES else f"images/chart-{name}"
