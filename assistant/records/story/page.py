"""The story of a game as a page: one printable file without network, scripts or fonts, with an anchor for each turn.

All text from files is escaped, and the page's policy allows only its own style and pictures.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from ...asking.placeholders import format_drawn_note
from ...asking.report import format_viewpoint
from ...asking.wording import format_list
from ...drawing.front.strip import FRONT_NOTE, MAP_WIDTH_MM, Strip, changes_shown, map_scene
from ...drawing.png import reduce_colours, to_png
from ...drawing.style import palette_of
from ...util.console import format_count
from ...util.errors import InputError, MachineError, printable
from ..page_head import write_page_head
from .sentences import Names, Sentence
from .story import Story, Telling, ToldPhase, format_tally
from .words import NOTHING, format_place, heading

_FINE_PIXELS_PER_MM = 7.5
"""The resolution of the maps if they are few."""
_COARSE_PIXELS_PER_MM = 5.5
"""The resolution of the maps if they are many."""
_MAX_FINE_MAPS = 16
_COLOURS_PER_MAP = 240
MAX_MAPS = 60
"""The maximum number of maps in a page."""
_START = "start"
"""The key of the map before the first turn, which no turn has as its label."""
_STYLE = """
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 74rem; padding: 1.2rem; background: #fdfbf5; color: #26231e;
  font: 1rem/1.5 Georgia, "Times New Roman", serif; }
h1, h2, h3, nav, figcaption, table, .small { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
h1 { margin: 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 2.2rem 0 .8rem; padding-top: .6rem; border-top: 2px solid #26231e; font-size: 1.45rem; }
h2 small { margin-left: .6rem; color: #5d564a; font-size: .65em; font-weight: normal; }
h3 { margin: 1.1rem 0 .2rem; color: #5d564a; font-size: .95rem; }
nav { margin: 1rem 0; font-size: .9rem; }
nav a { display: inline-block; margin: .15rem .3rem .15rem 0; padding: .1rem .55rem; border: 1px solid #a79f8c;
  border-radius: 1rem; color: inherit; text-decoration: none; }
nav a:hover, nav a:focus { background: #ece5d3; }
nav small, .small { color: #5d564a; font-size: .85rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
li.fought { margin: .5rem 0; padding: .4rem .7rem; border-left: 4px solid #c4281c; background: #f6efe2; list-style: none; }
figure { margin: 0; }
figure img { display: block; width: 100%; height: auto; border: 1px solid #a79f8c; }
figcaption { margin-top: .25rem; color: #5d564a; font-size: .85rem; }
.turn { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem 1.6rem; }
@media (min-width: 60rem) {
  .turn.mapped { grid-template-columns: minmax(0, 11fr) minmax(0, 10fr); }
  .turn.mapped figure { position: sticky; top: 1rem; align-self: start; }
}
.key span { display: inline-block; margin-right: 1.1rem; }
.key i { display: inline-block; width: 1.5em; height: .8em; margin-right: .4em; vertical-align: -.05em; border-radius: .15em; }
table { border-collapse: collapse; }
td, th { padding: .2rem .9rem .2rem 0; border-bottom: 1px solid #d8d0bd; text-align: left; }
footer { margin-top: 2.5rem; border-top: 1px solid #a79f8c; }
@media print {
  body { max-width: none; padding: 0; background: none; font-size: 10pt; }
  nav { display: none; }
  section { clear: both; }
  h2, h3 { break-after: avoid; }
  .turn.mapped { display: block; }
  .turn.mapped figure { float: right; width: 48%; margin: 0 0 .6rem 1rem; position: static; }
  li, figure { break-inside: avoid; }
}
"""
"""The style sheet of the page."""


def to_page(story: Story) -> str:
    """Return the story as an HTML page.

    Raises InputError if a position cannot be read.
    """
    maps = draw_maps(story)
    colours = _list_side_colours(story)
    style = _STYLE + "".join(f".{name} {{ background: {colour}; }}\n" for name, _, colour in colours)
    lines = [
        *write_page_head(f"{story.title}: the story of {story.file}", style),
        "<body>",
        *_write_head(story),
        *_write_key(colours, has_maps=bool(maps)),
        *_write_start(story, maps),
        *(line for telling in story.tellings for line in _write_turn(telling, maps)),
        *_write_foot(story, has_maps=bool(maps)),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _escape_text(text: str) -> str:
    return escape(printable(text))


def _list_side_colours(story: Story) -> list[tuple[str, str, str]]:
    palette = palette_of(story.game)
    file = story.game.file
    return [
        (f"side-{number}", file.title_of(side), palette.side(side).strong) for number, side in enumerate(file.sides)
    ]


def _write_head(story: Story) -> Iterator[str]:
    yield f"<header><h1>{_escape_text(story.title)}</h1>"
    about = [_escape_text(text) for text in (story.span, story.file, story.rests_on) if text]
    yield f'<p class="small">{" &middot; ".join(about)}</p>'
    viewpoint, title = story.record.viewpoint
    if seen := format_viewpoint(viewpoint, title, story.game.id):
        yield f'<p class="small">{_escape_text(seen)}</p>'
    yield "</header>"
    if len(story.tellings) > 1:
        yield "<nav>"
        for telling in story.tellings:
            begins = story.bookmarks.get(telling.chapters[0].label)
            place = f" <small>{_escape_text(format_place(story, begins))}</small>" if begins is not None else ""
            yield f'<a href="#{telling.anchor}">{_escape_text(telling.title)}{place}</a>'
        yield "</nav>"


def _write_key(colours: Sequence[tuple[str, str, str]], *, has_maps: bool) -> Iterator[str]:
    if has_maps:
        sides = "".join(f'<span><i class="{name}"></i>{_escape_text(title)}</span>' for name, title, _ in colours)
        signs = "hatched: gained since the map before; arrows: who moved; star: attacked"
        yield f'<p class="key small">{sides}<span>{signs}</span></p>'


def _write_start(story: Story, maps: Mapping[str, tuple[bytes, str]]) -> Iterator[str]:
    if _START not in maps:
        return
    names = Names(story.chapters[0].before)
    groups = dict[tuple[str, str], list[str]]()
    for unit in names.state.units.values():
        if names.view.board.is_hex(unit.place):
            groups.setdefault(names.group(unit.id), []).append(unit.id)
    yield f'<section id="start"><h2>At the start <small>{_escape_text(story.chapters[0].date)}</small></h2>'
    yield f'<div class="turn mapped">{_write_figure(*maps[_START], "Map at the start")}<div><ul>'
    for group, units in sorted(groups.items()):
        title = f"{names.group_title(group)}, {format_count(len(units), 'unit')} on the map"
        yield f"<li><b>{_escape_text(title)}</b>: {_escape_text(format_list(sorted(units)))}.</li>"
    yield "</ul></div></div></section>"


def _write_figure(data: bytes, caption: str, title: str) -> str:
    source = f"data:image/png;base64,{b64encode(data).decode()}"
    alt = _escape_text(f"{title}: {caption}")
    return f'<figure><img src="{source}" alt="{alt}"><figcaption>{_escape_text(caption)}</figcaption></figure>'


def _write_turn(telling: Telling, maps: Mapping[str, tuple[bytes, str]]) -> Iterator[str]:
    picture = maps.get(telling.chapters[-1].label) if telling.phases else None
    date = f" <small>{_escape_text(telling.date)}</small>" if telling.date else ""
    yield f'<section id="{telling.anchor}"><h2>{_escape_text(telling.title)}{date}</h2>'
    yield f'<div class="turn{" mapped" if picture else ""}">'
    if picture:
        yield _write_figure(*picture, f"Map of {heading(telling)}")
    yield "<div>"
    if not telling.phases:
        yield f"<p>{NOTHING}</p>"
    for phase in telling.phases:
        yield from _write_phase(phase)
    yield "</div></div></section>"


def _write_phase(phase: ToldPhase) -> Iterator[str]:
    if phase.title:
        yield f"<h3>{_escape_text(phase.title)}</h3>"
    yield "<ul>"
    yield from map(_write_sentence, phase.sentences)
    yield "</ul>"


def _write_sentence(sentence: Sentence) -> str:
    kind = ' class="fought"' if sentence.kind == "fought" else ""
    parts = []
    if sentence.head:
        parts.append(f"<b>{_escape_text(sentence.head)}</b>")
    if sentence.text:
        parts.append(_escape_text(sentence.text))
    return f"<li{kind}>{': '.join(parts)}</li>"


def _write_foot(story: Story, *, has_maps: bool) -> Iterator[str]:
    rows = list[str]()
    for side, tally in story.tallies.items():
        if words := format_tally(tally):
            title = _escape_text(story.game.file.title_of(side))
            rows.append(f"<tr><th>{title}</th><td>{_escape_text(words)}</td></tr>")
    yield "<footer>"
    if rows:
        yield "<h3>In all</h3><table>"
        yield from rows
        yield "</table>"
    if has_maps:
        for note in (FRONT_NOTE, *format_drawn_note(story.shots[0].view.board)):
            yield f'<p class="small">{_escape_text(note)}</p>'
    yield "</footer>"


def draw_maps(story: Story) -> dict[str, tuple[bytes, str]]:
    """Return the maps as PNG, each with its caption: the start, and the end of each turn by label.

    Returns none if no unit is on a map.
    """
    try:
        strip = story.strip(MAP_WIDTH_MM, MAX_MAPS)
    except MachineError:
        raise
    except InputError:
        return {}
    first, *others = story.shots
    labels = {shot.view: chapter.label for shot, chapter in zip(others, story.chapters, strict=True)}
    labels[first.view] = _START
    drawn = {
        number: labels[moment.shot.view] for number, moment in enumerate(strip.moments) if moment.shot.view in labels
    }
    fineness = _FINE_PIXELS_PER_MM if len(drawn) <= _MAX_FINE_MAPS else _COARSE_PIXELS_PER_MM
    maps: dict[str, tuple[bytes, str]] = {}
    for number, label in drawn.items():
        maps[label] = _draw_png(strip, number, fineness), changes_shown(strip, number)
    return maps


def _draw_png(strip: Strip, number: int, fineness: float) -> bytes:
    (drawn,) = to_png([map_scene(strip, number)], fineness)
    return reduce_colours(drawn, _COLOURS_PER_MAP, strip.theatre.key_colours)
