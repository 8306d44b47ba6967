"""The keys of a module's buttons, and its help pages: all keys, statuses of counters, made-up values."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from html import escape
from itertools import zip_longest

from lxml import etree

from assistant.drawing.palettes import is_water
from assistant.formats.vassal.legends import HEADING, turn_track
from assistant.game.boards import Board
from assistant.game.gamefile import VassalModule
from assistant.game.games import Game
from assistant.game.hexes import Hex
from assistant.state.state import hexside
from assistant.state.tracks import Subject, Track

from ..counters.columns import printed_fact
from ..counters.pieces import Counter
from .elements import (
    AWAY,
    CHARTS,
    CLEAR_MOVED,
    END_OF_PHASE,
    ENLARGE,
    HIDE,
    INVENTORY,
    LAST_TURN,
    LINE,
    MARKERS,
    NEXT_TURN,
    NOTES,
    OVERVIEW,
    PALETTES,
    REDUCE,
    SUPPLY,
    TRACK,
    TURN,
    UNDO,
    Hotkey,
)
from .pieces import traits
from .pieces.statuses import CLEAR_PHASE, format_ending
from .pieces.traits import MARK_MOVED, OUT_OF_PLAY, RETURN, TRAIL, Line


def dice_key(number: int) -> str:
    """Return the keystroke of a dice button by its number from 0, or "" beyond the ninth."""
    return Hotkey(str(number + 1)).stroke if number < 9 else ""


def tracks_by_end(game: Game) -> dict[str, list[Track]]:
    """Return the statuses that end together, by the words of the button that takes them off."""
    tracks: dict[str, list[Track]] = {}
    for track in game.tracks.values():
        if track.on == "unit" and track.module is not None and track.ends_with and track.kind != "text":
            tracks.setdefault(format_ending(track), []).append(track)
    return tracks


def key_page(game: Game, wanted: VassalModule, root: etree._Element) -> str:
    """Return all keys on one page of the plain HTML that VASSAL shows. `root`: the module's build file."""
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    _add_table(body, "The table", _list_buttons(game, wanted, {window.get("hotkey", "") for window in root}))
    for group, lines in _list_groups(game).items():
        _add_table(body, group, lines)
    _add_table(body, "VASSAL itself", _VASSAL_KEYS)
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


_VASSAL_KEYS = [
    ("One step of a log forward", "Page Down"),
    ("Undo", UNDO.words),
    ("Move the chosen counters hex by hex", "Arrow keys"),
    ("Spread out a stack", "Double click"),
    ("Keep the window of the turn in the tool bar", "Right click on it"),
    ("Choose several counters", "Shift+click, or drag a frame"),
    ("Look into a stack", "Wait over it, or Ctrl+Space"),
]


def _list_buttons(game: Game, wanted: VassalModule, strokes: Container[str]) -> list[tuple[str, str]]:
    """Return the buttons with their keys. `strokes`: the keys of the module's windows."""

    def shown(*windows: tuple[str, Hotkey]) -> list[tuple[str, str]]:
        return [(name, key.words) for name, key in windows if key.stroke in strokes]

    buttons = shown(("Counters", PALETTES), ("Markers", MARKERS))
    buttons += [(f"Roll {dice}d{sides}", f"Alt+{n}") for n, (dice, sides) in enumerate(wanted.dice, 1) if n < 10]
    if turn_track(game) is not None:
        buttons += [("Next phase or turn", NEXT_TURN.words), ("Previous phase or turn", LAST_TURN.words)]
        buttons.append(("Turn and phase", TURN.words))
    buttons += shown(
        ("Turn track", TRACK),
        ("Charts", CHARTS),
        ("Inventory", INVENTORY),
        ("Notes", NOTES),
        ("Counters out of play", AWAY),
    )
    buttons.append(("Clear the marks and trails of all moved counters", CLEAR_MOVED.words))
    for button, tracks in tracks_by_end(game).items():
        words = END_OF_PHASE.words if button == CLEAR_PHASE else ""
        buttons.append((f"{button}: clear {', '.join(track.title for track in tracks)}", words))
    if wanted.supply:
        buttons.append(("Hide what shows supply, or show it again", SUPPLY.words))
    return [
        *buttons,
        ("Hide all counters and markers, or show them again", HIDE.words),
        ("Count hexes", LINE.words),
        ("Overview", OVERVIEW.words),
        ("Larger, smaller", f"{ENLARGE.words}, {REDUCE.words}"),
    ]


def _list_groups(game: Game) -> dict[str, list[tuple[str, str]]]:
    """Return the lines of counters' menus with their keys, by group."""
    groups: dict[str, list[tuple[str, str]]] = {"Counters": [_format_line(OUT_OF_PLAY), _format_line(RETURN)]}
    for track in game.tracks.values():
        if track.module is not None and track.on in ("unit", "hex"):
            group = "Markers of hexes" if track.on == "hex" else track.module.group or "Counters"
            pairs = zip_longest(track.module.menu, track.module.keys, fillvalue="")
            groups.setdefault(group, []).extend((menu, f"Ctrl+{letter}" if letter else "") for menu, letter in pairs)
    groups["Movement"] = [_format_line(MARK_MOVED), _format_line(TRAIL)]
    if game.file.sides:
        groups["Hide"] = [_format_line(line) for line in (traits.FACE_DOWN, traits.WHOLE_STACK, traits.OUT_OF_SIGHT)]
    return groups


def _format_line(line: Line) -> tuple[str, str]:
    return line.menu, line.key.words


def _add_table(body: etree._Element, title: str, lines: list[tuple[str, str]]) -> None:
    etree.SubElement(body, "h3").text = title
    table = etree.SubElement(body, "table", border="1", cellpadding="3", cellspacing="0")
    for what, pressed in lines:
        row = etree.SubElement(table, "tr")
        etree.SubElement(row, "td").text = what
        etree.SubElement(etree.SubElement(row, "td"), "b").text = pressed


# --- the help page ----------------------------------------------------------------------------------------------------


def help_page(
    game: Game, wanted: VassalModule, board: Board, counters: Sequence[Counter], left_out: Mapping[str, Sequence[str]]
) -> str:
    """Return the help page in the plain HTML that VASSAL shows.

    `board`: the part of the map that the module shows.
    `counters`: the module's counters.
    `left_out`: units off the board, by set-up.
    """
    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    for tag, text in (("h1", wanted.name), ("p", wanted.about), ("p", game.file.about)):
        _add_text(body, tag, text)
    _add_statuses(body, game)
    _add_remarks(body, game, board)
    _add_update(body)
    _add_values(body, game, counters)
    _add_others(body, game, counters)
    for title, unplaced in left_out.items():
        if unplaced:
            _add_text(body, "h2", f"Not on this part of the map: {title}")
            _add_text(body, "p", ", ".join(unplaced))
    return etree.tostring(page, encoding="unicode", method="html", pretty_print=True)


def _add_others(body: etree._Element, game: Game, counters: Sequence[Counter]) -> None:
    """Add the names of printed counters that the module lacks."""
    here = {counter.unit for counter in counters}
    if others := [unit for unit in game.counters if unit not in here]:
        _add_text(body, "h2", f"On the sheets of counters, but not in this module: {len(others)}")
        _add_text(body, "p", ", ".join(others))


def _add_statuses(body: etree._Element, game: Game) -> None:
    """Add the statuses that can be changed on a counter, with their keys."""
    _add_text(body, "h2", "What the counters show")
    _add_text(
        body,
        "p",
        "Click a counter with the right button, or use the key, to change what its tags show. Save the game, and the "
        "assistant reads it: assistant check GAME.vsav says what it understood.",
    )
    table = etree.SubElement(body, "table", border="1", cellpadding="3")
    for track in game.tracks.values():
        if track.module is not None and track.on in ("unit", "hex"):
            pairs = zip_longest(track.module.menu, track.module.keys, fillvalue="")
            lines = (f"{menu} (Ctrl+{key})" if key else menu for menu, key in pairs)
            _add_row(
                table,
                track.title + (f" (rule {track.rule})" if track.rule else ""),
                "marker" if track.on == "hex" else "",
                ", ".join(lines),
            )
    if not game.file.sides:
        return
    _add_text(body, "h2", "What the other side does not see")
    turned = f"{traits.FACE_DOWN.menu} ({traits.FACE_DOWN.key.words})"
    gone = f"{traits.OUT_OF_SIGHT.menu} ({traits.OUT_OF_SIGHT.key.words})"
    _add_text(
        body,
        "p",
        f"Take a side with the button Side. {turned} turns your counter face down for the other side, {gone} "
        "hides it; only your side sees the window of its button Private. The assistant shows each side only what it may see there "
        "and what the rules let it know: assistant check GAME.vsav --as SIDE.",
    )


def _add_remarks(body: etree._Element, game: Game, board: Board) -> None:
    """Add a line for each kind of printed map fact that must be typed."""
    middle, *others = _find_example(board)
    subjects: dict[Subject, str] = {"hex": middle}
    if others:
        subjects["hexside"] = hexside(middle, others[0])
    tracks = [
        track
        for track in game.tracks.values()
        if track.printed == "map" and track.on in subjects and not _is_drawn(game, track, board)
    ]
    if not tracks:
        return
    _add_text(body, "h2", "What they do not show")
    _add_text(
        body,
        "p",
        "The map does not state this terrain: it is unknown until you do. In the window Notes, tab Public, below the "
        f"line “{HEADING}”, write one of these words for each:",
    )
    _add_text(body, "pre", "\n".join([HEADING, *(track.how_to_state(subjects[track.on]) for track in tracks)]))


def _add_update(body: etree._Element) -> None:
    """Add instructions for a save of an earlier build."""
    _add_text(body, "h2", "A save of an older module")
    _add_text(
        body,
        "p",
        "Open it in this one. If pictures are missing, choose Tools, Refresh Counters, and save the game: every counter then "
        "has the pictures and menus of this module. A status that this module shows in another way is lost: note the "
        "statuses first (assistant convert OLD.vsav lists them), and set those again.",
    )


def _is_drawn(game: Game, track: Track, board: Board) -> bool:
    """Return whether a drawn board states a track everywhere: in every hex of land, or by its absence.

    The gauge of railways counts only on railways.
    """
    roles = game.file.picture
    if not board.hexes:
        return track.name in board.silence
    if track.name == roles.gauge:
        return set(board.known(roles.rail)) <= set(board.known(roles.gauge))
    stated = track.on == "hex" and all(board.fact(track.name, at) or _is_sea(game, board, at) for at in board.hexes)
    return track.name in board.silence or track.absent is not None or stated


def _is_sea(game: Game, board: Board, hex: str) -> bool:
    """Return whether a hex is known to be water, which needs no other facts."""
    fact = board.fact(game.file.picture.terrain, hex)
    return fact is not None and isinstance(fact.value, str) and is_water(fact.value)


def _find_example(board: Board) -> tuple[str, ...]:
    """Return a hex near the middle of the board with its neighbours, preferring hexes that have neighbours."""
    grid = board.grid
    (left, right), (top, bottom) = grid.columns, grid.rows
    hexes = [Hex(c, r) for c in range(left, right + 1) for r in range(top, bottom + 1)]
    middle = grid.middle
    names = [grid.name(at) for at in sorted(hexes, key=lambda at: grid.distance(at, middle))]
    drawn = [name for name in names if not board.hexes or name in board.hexes]
    groups = ((name, *board.neighbours(name)) for name in drawn)
    return next((shown for shown in groups if len(shown) > 1), (drawn[0],))


def _add_values(body: etree._Element, game: Game, counters: Sequence[Counter]) -> None:
    """Add the counters with made-up values: these in italics, the others in bold."""
    doubtful = [counter for counter in counters if counter.doubtful]
    if not doubtful:
        return
    _add_text(body, "h2", "Invented values")
    _add_text(
        body,
        "p",
        f"{len(doubtful)} of {len(counters)} counters show illustrative values, here in italics; those that the rulebook "
        "states are bold. They are not the values of the printed counters, and reports that rest on them say so.",
    )
    shown = {name for counter in doubtful for name in counter.doubtful}
    names = [name for name in game.tracks if name in shown]
    head = "".join(f"<td>{escape(name)}</td>" for name in ("", *names))
    rows = "".join(_format_values(game, counter.unit, names) for counter in doubtful)
    body.append(etree.fromstring(f'<table border="1" cellpadding="2"><tr>{head}</tr>{rows}</table>'))


def _format_values(game: Game, unit: str, names: Sequence[str]) -> str:
    """Return the row of a counter as text, because single elements would be slow."""
    cells = [f"<tr><td>{escape(unit)}</td>"]
    for name in names:
        fact = printed_fact(game, unit, name)
        if fact is None:
            cells.append("<td/>")
        else:
            word, kind = escape(game.tracks[name].write(fact.value)), "i" if fact.doubtful else "b"
            cells.append(f"<td><{kind}>{word}</{kind}></td>")
    return "".join([*cells, "</tr>"])


def _add_row(table: etree._Element, *cells: str) -> None:
    row = etree.SubElement(table, "tr")
    for cell in cells:
        _add_text(row, "td", cell)


def _add_text(parent: etree._Element, tag: str, text: str) -> None:
    etree.SubElement(parent, tag).text = text
