"""Sheets of counters as pages: faces, marks around them, and the plan at the end; and their PDF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, groupby, islice
from typing import Literal, NamedTuple, NoReturn

from msgspec import structs

from assistant.drawing.colours import WHITE
from assistant.drawing.lettering import text_width, wrap
from assistant.drawing.pdf import Imprint, PdfPage, PlacedScene, pages_to_pdf
from assistant.drawing.png import page_to_png
from assistant.drawing.scene import Layer, Rectangle, Scene, Shape
from assistant.game.games import Game
from assistant.util.console import format_count
from assistant.util.errors import InputError, Where

from ..counters.design import FILE, Variant
from ..counters.faces import Cut
from ..counters.pieces import Counter, choose_counters, counters_and_markers
from ..counters.trims import Trim
from .layout import (
    Alike,
    CounterGroup,
    CounterSheet,
    Edges,
    Fold,
    PlacedFace,
    SheetBlock,
    SheetSetting,
    edges_of,
    fits,
    ground_of,
    lay_out_groups,
    may_share,
)
from .marks import (
    caption,
    crop_marks,
    die_line,
    fold_line,
    margin_layer,
    name_rows,
    outline_layer,
    registration_layer,
    row_name,
    swatch,
)
from .sizes import INCH_MM, PAPER_MARGIN_MM, Box, Paper, bounding_box, format_die

_GROUND_OVERLAP_MM = 0.1
"""The excess width of grounds on each side of faces."""
_MAX_COUNTERS = 20_000
"""The maximum number of counters on one set of sheets."""
_SHORT_INSTRUCTIONS: dict[Fold, str] = {
    "gutter": "Crease along the dashed line, fold the lower half behind, glue, press; then cut along the marks.",
    "long-edge": "Print on both sides, turned over the long edge; then cut along the marks.",
    "short-edge": "Print on both sides, turned over the short edge; then cut along the marks.",
    "labels": "Print on labels; paste fronts and backs on the two sides of a board, mark on mark; then cut.",
}
_PLAN_LETTER_SIZE_MM = 2.9
"""The size of the plan's letters."""
_PLAN_LINE_PITCH_MM = 4.3
"""The pitch of the plan's lines."""
_PLAN_INDENT_MM = 17.0
_PLAN_TITLE_SIZE_MM = 5.0
"""The size of the plan's title."""
_MAX_SWATCHES = 3
_MADE_UP_NOTE = (
    "* marks values that are made up or assumed. Enter those of your own copy with assistant pack enter, "
    "and make the sheets again."
)
_CUT_INSTRUCTION = (
    "Cut along the ticks: first all lines across, then the strips. Where two ticks stand close together, cut at both."
)
_INSTRUCTIONS: dict[Fold, tuple[str, ...]] = {
    "gutter": (
        "Print at 100 % (no scaling) and measure the ruler at the foot of a page: it is 50 mm long.",
        (
            "Score the dashed line with a blunt edge and fold the lower half behind, or glue the halves on both "
            "sides of a thin card."
        ),
        "Glue the whole surface (spray or a glue stick), press it under books until it is dry, and hold it to the light: "
        "the targets in the corners must meet.",
        _CUT_INSTRUCTION,
    ),
    "long-edge": (
        "Print the page that `--test-page` makes, on both sides, and state what it says with `--offset`.",
        "Print at 100 % (no scaling), on both sides, turned over the long edge; the ruler at the foot is 50 mm long.",
        _CUT_INSTRUCTION,
    ),
    "short-edge": (
        "Print the page that `--test-page` makes, on both sides, and state what it says with `--offset`.",
        "Print at 100 % (no scaling), on both sides, turned over the short edge; the ruler at the foot is 50 mm long.",
        _CUT_INSTRUCTION,
    ),
    "labels": (
        (
            "Print at 100 % (no scaling) on sheets of labels, fronts first, then backs; the ruler at the foot is "
            "50 mm long."
        ),
        "Paste a sheet of fronts on one side of a board. Push a pin through the targets in two far corners, and paste the backs "
        "on the other side so that their targets meet the holes.",
        _CUT_INSTRUCTION,
    ),
}
"""The instructions of the plan, by the fold."""


class PrintedPage(NamedTuple):
    """A page as it is printed: faces, and marks around them."""

    side: Literal["front", "back", "both", "plan"]
    fronts: tuple[PlacedScene, ...]
    backs: tuple[PlacedScene, ...]
    around: Scene
    trim: Box | None
    """The box around the trim of all faces, None on the plan."""
    die_line: Scene | None = None
    """The outlines of the fronts for a cutting machine, if they are wanted."""


class Sheets(NamedTuple):
    """The counters of a game on pages."""

    title: str
    setting: SheetSetting
    counters: tuple[Counter, ...]
    """A counter for each piece of card, in the order of the pages."""
    sheets: tuple[CounterSheet, ...]
    pages: tuple[PrintedPage, ...]


def counters_to_print(
    game: Game, setting: SheetSetting, variant: Variant, only: tuple[str, ...], *, open_backs: bool = False
) -> list[Counter]:
    """Return the counters and markers of a game, or the named ones, once for each time they are named.

    `open_backs`: whether backs that would hide their unit show its values.

    Raises InputError for an unknown name, if nothing fits, or if there are too many.
    """
    if not fits(setting):
        _refuse_size(setting)
    counters = counters_and_markers(game, Cut(setting.die, setting.bleed, False), variant, open_backs=open_backs)
    if not only:
        if not counters:
            raise InputError(f"{game.title} has no counters", hint="its roster lists them")
        if (count := sum(counter.count for counter in counters)) > _MAX_COUNTERS:
            raise InputError(
                f"{count:,} counters are too many for sheets",
                hint=f"at most {_MAX_COUNTERS:,}; see the counts of its files",
            )
        return counters
    return choose_counters(counters, only)


def format_counter_count(counters: Sequence[Counter]) -> str:
    """Return the number of counters in words, and whether their values are made up."""
    doubtful = sum(counter.count for counter in counters if counter.doubtful)
    count = sum(counter.count for counter in counters)
    some = "all" if doubtful == count else f"{doubtful} of them"
    return format_count(count, "counter") + (f" ({some} with illustrative values)" if doubtful else "")


def lay_out_counters(
    title: str,
    unsorted: Sequence[Counter],
    setting: SheetSetting,
    offset: tuple[float, float] = (0.0, 0.0),
    *,
    planned: bool = True,
) -> Sheets:
    """Return counters on sheets, grouped by colour and formation, with all copies of each.

    `title`: the title of the game.
    `offset`: the offset of backs on separate pages to the right and down, in mm.
    `planned`: whether the plan is added.
    """
    counters = sort_counters(unsorted)
    blocks = lay_out_groups(_group_by_trim(counters, setting))
    pages = [*_list_pages(title, counters, blocks, setting, offset)]
    if planned:
        pages += [PrintedPage("plan", (), (), scene, None) for scene in plan_scenes(title, counters, blocks, setting)]
    return Sheets(title, setting, counters, tuple(block.sheet for page in blocks for block in page), tuple(pages))


def _group_by_trim(counters: Sequence[Counter], setting: SheetSetting) -> list[CounterGroup]:
    """Return the counters of each shape and size, which follow each other."""
    groups = []
    first = 0
    for trim, several in groupby(counters, key=lambda counter: counter.trim):
        some = list(several)
        own = setting._replace(trim=trim)
        if not fits(own):
            _refuse_size(own)
        kinds, alike = _find_kinds(some, own)
        groups.append(CounterGroup(first, kinds, alike, own))
        first += len(some)
    return groups


def _refuse_size(setting: SheetSetting) -> NoReturn:
    paper, fold = setting.paper, setting.fold
    if setting.trim is None:
        what = f"a counter of {setting.die:g} mm does not fit on {paper.name} with --fold {fold}"
        raise InputError(what, where=Where("--die"), hint="a smaller die, or another fold")
    what = f"a {setting.trim.in_words()} does not fit on {paper.name} with --fold {fold}"
    raise InputError(what, where=Where(FILE), hint="a smaller cut, or another fold")


def sheets_pdf(sheets: Sheets, imprint: Imprint = Imprint()) -> bytes:
    """Return sheets as PDF, with each distinct face once, and boxes for trim and bleed."""
    pages = [_make_pdf_page(sheets, page) for page in sheets.pages]
    return pages_to_pdf(pages, title=f"{sheets.title}: counters", imprint=imprint)


def sheets_preview(sheets: Sheets) -> bytes:
    """Return the first page as a PNG of 110 pixels to the inch."""
    page = _make_pdf_page(sheets, sheets.pages[0])
    whole = Rectangle(x=0, y=0, width=page.width, height=page.height, fill=WHITE)
    paper = Scene(width=page.width, height=page.height, title="", layers=(Layer("paper", (whole,)),))
    under = PlacedScene(paper, 0, 0, page.width, page.height)
    scenes = (under, *page.scenes)
    if page.die_line is not None:
        scenes = (*scenes, PlacedScene(page.die_line, 0, 0, page.width, page.height))
    return page_to_png(PdfPage(page.width, page.height, scenes), 110 / INCH_MM)


def _make_pdf_page(sheets: Sheets, page: PrintedPage) -> PdfPage:
    paper, trim = sheets.setting.paper, page.trim
    around = PlacedScene(page.around, 0.0, 0.0, paper.width, paper.height)
    scenes = (*page.fronts, *page.backs, around)
    bleed = trim and trim.grown(sheets.setting.bleed)
    return PdfPage(paper.width, paper.height, scenes, trim, bleed, die_line=page.die_line)


def sort_counters(counters: Sequence[Counter]) -> tuple[Counter, ...]:
    """Return counters by cut, nation, colour and formation, each in the order of the game's files; markers last."""
    nations = _first_seen(counter.nation for counter in counters)
    grounds = _first_seen(counter.ground for counter in counters)
    formations = _first_seen(counter.formation for counter in counters)

    cuts: dict[Trim | None, int] = {None: 0}
    for counter in counters:
        cuts.setdefault(counter.trim, len(cuts))

    def place(counter: Counter) -> tuple[int, bool, int, int, int]:
        return (
            cuts[counter.trim],
            counter.is_marker,
            nations[counter.nation],
            grounds[counter.ground],
            formations[counter.formation],
        )

    each = [[counter._replace(count=1)] * counter.count for counter in sorted(counters, key=place)]
    return tuple(chain.from_iterable(each))


def _first_seen(words: Iterable[str]) -> dict[str, int]:
    return {word: number for number, word in enumerate(dict.fromkeys(words))}


# --- faces ------------------------------------------------------------------------------------------------------------


def back_of(counter: Counter) -> Scene:
    """Return the back of a counter, or a plain one in the colour of its front."""
    return counter.back or _draw_plain_back(counter.ground, counter.front.width)


@cache
def _draw_plain_back(ground: str, width: float) -> Scene:
    shape = Rectangle(x=0, y=0, width=width, height=width, fill=ground)
    return Scene(width=width, height=width, title="plain back", layers=(Layer("counter", (shape,)),))


def _find_kinds(counters: Sequence[Counter], setting: SheetSetting) -> tuple[list[int], Alike]:
    """Return a number for the edges of each counter, and a test of whether two such kinds may share a cut.

    Hexagons and circles share none.
    """
    known: dict[tuple[Edges, Edges], int] = {}
    seen: dict[int, int] = {}
    kinds = []
    for counter in counters:
        if id(counter.front) not in seen:
            back = back_of(counter)
            pair = _edges_at_trim(counter.front, setting), _edges_at_trim(back, setting)
            seen[id(counter.front)] = known.setdefault(pair, len(known))
        kinds.append(seen[id(counter.front)])
    faces = list(known)
    judged: dict[tuple[int, int, bool], bool] = {}

    def alike(first: int, second: int, below: bool) -> bool:
        if setting.trim is not None and setting.trim.is_round:
            return False
        asked = first, second, below
        if asked not in judged:
            pairs = zip(faces[first], faces[second], strict=True)
            judged[asked] = all(may_share(edges, other, below=below) for edges, other in pairs)
        return judged[asked]

    return kinds, alike


def _edges_at_trim(scene: Scene, setting: SheetSetting) -> Edges:
    """Return the colours along the edges of a face; the face of a rectangle is a square around it."""
    upright = edges_of(scene, (scene.width - setting.width) / 2)
    if setting.width == setting.height:
        return upright
    level = edges_of(scene, (scene.height - setting.height) / 2)
    return upright._replace(top=level.top, bottom=level.bottom)


# --- pages ------------------------------------------------------------------------------------------------------------


def _list_pages(
    title: str,
    counters: Sequence[Counter],
    blocks: Sequence[Sequence[SheetBlock]],
    setting: SheetSetting,
    offset: tuple[float, float],
) -> Iterator[PrintedPage]:
    fold, count = setting.fold, len(blocks)
    front_faces, back_faces = [counter.front for counter in counters], [back_of(counter) for counter in counters]
    backs_behind: list[PrintedPage] = []
    for number, page in enumerate(blocks, 1):
        fronts, behind = list[PlacedScene](), list[PlacedScene]()
        for sheet, own in page:
            fronts += _place_faces(sheet.fronts, sheet.block, front_faces, own)
            behind += _place_faces(sheet.backs, sheet.back_block, back_faces, own)
        named = f"{title}, page {number} of {count}"
        front_box = bounding_box(sheet.block for sheet, _ in page)
        back_box = bounding_box(sheet.back_block for sheet, _ in page)
        cut = _draw_die_line(page)
        if fold == "gutter":
            around = _draw_surroundings(page, named, "fronts above the fold, backs below", (False, True))
            box = bounding_box((front_box, back_box))
            yield PrintedPage("both", tuple(fronts), tuple(behind), around, box, cut)
            continue
        around = _draw_surroundings(page, named, "fronts", (False,))
        yield PrintedPage("front", tuple(fronts), (), around, front_box, cut)
        moved = tuple(_move_face(placed, offset) for placed in behind)
        around = _draw_surroundings(page, named, "backs", (True,), offset)
        printed = PrintedPage("back", (), moved, around, back_box.moved(*offset))
        if fold == "labels":
            backs_behind.append(printed)
        else:
            yield printed
    yield from backs_behind


def _draw_die_line(page: Sequence[SheetBlock]) -> Scene | None:
    drawn = [die_line(sheet.fronts, setting) for sheet, setting in page]
    scenes = [scene for scene in drawn if scene is not None]
    if not scenes:
        return None
    shapes = tuple(shape for scene in scenes for layer in scene.layers for shape in layer.shapes)
    return structs.replace(scenes[0], layers=(Layer(scenes[0].layers[0].name, shapes),))


def _place_faces(
    places: Sequence[PlacedFace], block: Box, faces: Sequence[Scene], setting: SheetSetting
) -> tuple[PlacedScene, ...]:
    """Return one side of a page's counters, over their grounds.

    `faces`: the faces by the number of the counter.
    """
    placed = []
    for place in places:
        face, trim = faces[place.piece], place.trim
        left, top = trim.left - (face.width - trim.width) / 2, trim.top - (face.height - trim.height) / 2
        placed.append(PlacedScene(face, left, top, face.width, face.height, place.turned, place.seen))
    return (_draw_grounds(places, block, faces, setting), *placed)


def _draw_grounds(
    places: Sequence[PlacedFace], block: Box, faces: Sequence[Scene], setting: SheetSetting
) -> PlacedScene:
    """Return grounds below faces, a little wider, so that no hairline shows between two bleeds."""
    whole = block.grown(setting.bleed)
    shapes = []
    for place in places:
        left, top = (
            max(place.seen.left - _GROUND_OVERLAP_MM, whole.left),
            max(place.seen.top - _GROUND_OVERLAP_MM, whole.top),
        )
        right, bottom = (
            min(place.seen.right + _GROUND_OVERLAP_MM, whole.right),
            min(place.seen.bottom + _GROUND_OVERLAP_MM, whole.bottom),
        )
        x, y, fill = left - whole.left, top - whole.top, ground_of(faces[place.piece])
        if fill:
            shapes.append(Rectangle(x=x, y=y, width=right - left, height=bottom - top, fill=fill))
    layer = Layer("grounds", tuple(shapes))
    return PlacedScene(Scene(width=whole.width, height=whole.height, title="", layers=(layer,)), *whole)


def _move_face(placed: PlacedScene, offset: tuple[float, float]) -> PlacedScene:
    x, y = offset
    left, top, width, height = placed.clip or placed[1:5]
    return placed._replace(left=placed.left + x, top=placed.top + y, clip=(left + x, top + y, width, height))


def _draw_surroundings(
    page: Sequence[SheetBlock],
    named: str,
    side: str,
    backs: tuple[bool, ...],
    offset: tuple[float, float] = (0.0, 0.0),
) -> Scene:
    """Return the marks around the faces of a page.

    `backs`: for each half of the page, whether it has backs.
    """
    setting = page[0].setting
    paper = setting.paper
    layers = [registration_layer(paper, offset)]
    for back in backs:
        if back and setting.one_sided:
            continue
        for sheet, own in page:
            block = sheet.back_block.moved(*offset) if back else sheet.block
            across, down = _find_cuts(sheet, block, back=back)
            layers.append(crop_marks(block, across, down, own))
            if not back:
                layers.append(outline_layer(sheet.fronts, own))
    if setting.fold == "gutter":
        layers.append(fold_line(setting, bounding_box(sheet.block for sheet, _ in page)))
    head = _SHORT_INSTRUCTIONS[setting.fold]
    sizes = list(dict.fromkeys(_format_size(own) for _, own in page))
    size = sizes[0] if len(sizes) == 1 else format_count(len(sizes), "size")
    layers.append(margin_layer(paper, head, f"{size}, bleed {setting.bleed:g} mm", f"{named}: {side}", offset))
    if not backs[0]:
        first, rows = 0, list[Shape]()
        for sheet, own in page:
            rows += name_rows(sheet, own, first)
            first += len(sheet.rows)
        layers.append(Layer("rows", tuple(rows)))
    return Scene(width=paper.width, height=paper.height, title=named, layers=tuple(layers))


def _format_size(setting: SheetSetting) -> str:
    return setting.trim.in_words() if setting.trim else format_die(setting.die)


def _find_cuts(sheet: CounterSheet, block: Box, *, back: bool) -> tuple[list[float], list[float]]:
    if not back:
        return list(sheet.across), list(sheet.down)
    across = {round(edge, 4) for place in sheet.backs for edge in (place.trim.top, place.trim.bottom)}
    down = {round(edge, 4) for place in sheet.backs for edge in (place.trim.left, place.trim.right)}
    x, y = block.left - sheet.back_block.left, block.top - sheet.back_block.top
    return sorted(edge + y for edge in across), sorted(edge + x for edge in down)


class _Pages:
    def __init__(self, paper: Paper) -> None:
        self.left, self.right = PAPER_MARGIN_MM + 5.0, paper.width - PAPER_MARGIN_MM - 5.0
        self._top, self._bottom = PAPER_MARGIN_MM + 8.0, paper.height - PAPER_MARGIN_MM - 8.0
        self.y = self._top
        """Where the last line stands."""
        self.shapes: list[list[Shape]] = [[]]

    def keep_together(self, lines: float) -> None:
        """Begin a page if a number of lines does not fit this one."""
        if self.y + lines * _PLAN_LINE_PITCH_MM > self._bottom:
            self.shapes.append([])
            self.y = self._top

    def add(
        self,
        text: str,
        size: float = _PLAN_LETTER_SIZE_MM,
        *,
        indent: float = 0.0,
        bold: bool = False,
        below: float = 0.0,
    ) -> None:
        room = self.right - self.left - indent
        line = caption(self.left + indent, self.y + below, text, size, room=room, bold=bold)
        self.shapes[-1].append(line)

    def add_lines(self, lines: Sequence[str], *, indent: float = 0.0, bold: bool = False) -> None:
        for text in lines:
            self.y += _PLAN_LINE_PITCH_MM
            self.add(text, indent=indent, bold=bold)


def plan_scenes(
    title: str, counters: Sequence[Counter], blocks: Sequence[Sequence[SheetBlock]], setting: SheetSetting
) -> Iterator[Scene]:
    """Yield the pages of the plan."""
    pages = _Pages(setting.paper)
    _add_head(pages, title, counters, blocks, setting)
    for number, page in enumerate(blocks, 1):
        pages.keep_together(4)
        pages.y += _PLAN_LINE_PITCH_MM * 1.5
        pages.add(f"Page {number}", 3.2, bold=True)
        for row, pieces in enumerate(chain.from_iterable(sheet.rows for sheet, _ in page)):
            _add_row(pages, row, [counters[piece] for piece in pieces])
    paper = setting.paper
    for number, shapes in enumerate(pages.shapes, 1):
        named = f"{title}, plan" + (f", {number} of {len(pages.shapes)}" if len(pages.shapes) > 1 else "")
        around = (registration_layer(paper), margin_layer(paper, "What is where", "", named))
        layers = (Layer("plan", tuple(shapes)), *around)
        yield Scene(width=paper.width, height=paper.height, title=named, layers=layers)


def _add_head(
    pages: _Pages,
    title: str,
    counters: Sequence[Counter],
    blocks: Sequence[Sequence[SheetBlock]],
    setting: SheetSetting,
) -> None:
    """Add the contents of the sheets, and instructions step by step."""
    width = pages.right - pages.left
    pages.add(title, _PLAN_TITLE_SIZE_MM, bold=True, below=3.5)
    pages.y += 9
    sizes = ", ".join(dict.fromkeys(_format_size(own) for page in blocks for _, own in page))
    on_pages = format_count(len(blocks), "page")
    pages.add(f"{format_count(len(counters), 'counter')} of {sizes} on {on_pages}", 3.2)
    pages.y += 2
    for number, step in enumerate(_INSTRUCTIONS[setting.fold], 1):
        pages.y += 1.2
        pages.add(f"{number}.", bold=True, below=_PLAN_LINE_PITCH_MM)
        pages.add_lines(wrap(step, _PLAN_LETTER_SIZE_MM, width - 5), indent=5)
    if any(counter.doubtful for counter in counters):
        pages.y += 1.2
        pages.add_lines(wrap(_MADE_UP_NOTE, _PLAN_LETTER_SIZE_MM, width), bold=True)
    pages.y += 3


def _add_row(pages: _Pages, row: int, counters: Sequence[Counter]) -> None:
    lines = _join_names(_format_names(counters), pages.right - pages.left - _PLAN_INDENT_MM)
    pages.keep_together(len(lines))
    pages.add(row_name(row), bold=True, below=_PLAN_LINE_PITCH_MM)
    colours = dict.fromkeys(counter.ground for counter in counters)
    for number, colour in enumerate(islice(colours, _MAX_SWATCHES)):
        pages.shapes[-1].append(swatch(pages.left + 5 + number * 3.2, pages.y + _PLAN_LINE_PITCH_MM - 2.2, 2.4, colour))
    pages.add_lines(lines, indent=_PLAN_INDENT_MM)


def _format_names(counters: Sequence[Counter]) -> list[str]:
    """Return the names of counters. Repeated ones are counted; a star marks values that are made up."""
    names = []
    for (_, name, is_made_up), several in groupby(
        (counter.unit, counter.name or counter.unit, bool(counter.doubtful)) for counter in counters
    ):
        count = len(list(several))
        names.append((f"{count} of {name}" if count > 1 else name) + ("*" if is_made_up else ""))
    return names


def _join_names(names: Sequence[str], room: float) -> list[str]:
    lines: list[list[str]] = [[]]
    line_width = 0.0
    for name in names:
        width = text_width(f"{name}, ", _PLAN_LETTER_SIZE_MM)
        if lines[-1] and line_width + width > room:
            lines.append([])
            line_width = 0.0
        lines[-1].append(name)
        line_width += width
    return [", ".join(line) + ("," if number < len(lines) else "") for number, line in enumerate(lines, 1)]
