"""The pages for a model to read before it asks: how to proceed, how to type positions, and the facts of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...asking.reference import write_reference
from ...formats.positions import file_bytes
from ...game.games import Game
from ...installed.formats import EXAMPLE, POSITION_SUFFIX, example_names, examples_of, formats
from ...installed.registry import questions_of
from ...state.tracks import Subject, Track
from ...util.console import format_count
from ...util.errors import InputError, quoted
from ...util.files import package_folder, read_own
from .access import Access

INSTRUCTIONS = """
This server answers rules questions about hex-and-counter wargames from a position, with the number of the rule behind each step and exact
chances. It never guesses. Ask it before you state a rule, odds, a modifier or a result of one of its games, and pass on what it says with the rule
numbers and the cautions. If it answers "undecided", facts are missing: ask the players for them, and add them; do not make them up. If it
refuses, mend what it names. Do not fill in what it leaves to the players or says is unseen. Write `trust`, `own`, `ruling` and the mark `?` only
if the players have said so, and never type or pass on values that are marked illustrative: they are invented for examples.

Begin with list_games. For a position of your own call how_to_type, then list_questions for the parameters, then ask.
"""
ASKING = "ask_before_you_rule"
"""The name of the prompt."""
_SCHEME = "field-staff://"
"""The beginning of the address of each page."""
_NOTATION = f"{_SCHEME}notation"
_HEADS: Mapping[Subject, str] = {
    "game": "In a separate line, of the whole game",
    "side": "On a line `side NAME ...`",
    "nation": "On a line `nation NAME ...`",
    "army": "On a line `army NAME ...`",
    "hex": "Behind a hex",
    "box": "Behind a box",
    "hexside": "Behind a hexside `HEX|HEX`, or in a line or a network",
    "unit": "Behind a unit; what describes it and its ratings stand as said above",
}
_MAX_UNITS_LISTED = 200
"""The maximum number of units listed."""


class GuidePage(NamedTuple):
    """A page that a client may read."""

    uri: str
    title: str
    description: str


def question_prompt(question: str) -> str:
    """Return a player's question with the instruction to ask the server for the answer."""
    asked = f"\n\nThe question: {question.strip()}" if question.strip() else ""
    return " ".join(INSTRUCTIONS.split()) + asked


def _notation_page() -> str:
    """Return the page "Position notation" of the handbook, without its links."""
    return read_own(package_folder(__package__).joinpath("notation.txt")).decode()


def list_pages(access: Access) -> Iterator[GuidePage]:
    """Yield the pages that a client may read."""
    yield GuidePage(_NOTATION, "Position notation", "How a position is typed, in any game.")
    for game in access.game_ids():
        yield GuidePage(
            f"{_SCHEME}{game}/typing", f"{game}: what can be stated", "What the tool how_to_type says of this game."
        )
        about = "Every question with its parameters and the fields of its result; tracks, charts, rulings. Long."
        yield GuidePage(f"{_SCHEME}{game}/reference", f"{game}: reference", about)


def read_page(access: Access, uri: str) -> str:
    """Return the text of a page.

    Raises InputError if no page has that address.
    """
    if uri == _NOTATION:
        return _notation_page()
    name, _, page = uri.removeprefix(_SCHEME).partition("/")
    if not uri.startswith(_SCHEME) or page not in ("typing", "reference"):
        raise InputError(f"there is no page {uri!r}", hint=f"such as {_NOTATION}")
    game = access.game(name)
    lines = game_guide(game) if page == "typing" else write_reference(game, questions_of(game))
    return "\n".join(lines)


def game_guide(game: Game) -> Iterator[str]:
    """Yield the guide to typing a position of a game line by line: notation, facts of the game, and an example."""
    yield _notation_page().rstrip("\n")
    yield f"\n# Positions of {game.title}\n"
    yield f"The first line is `game {game.id}`." + _write_boards(game)
    notation = game.file.notation
    if notation.brackets:
        yield f"The ratings of a unit, in brackets in this order: ({'-'.join(notation.brackets)})."
    if notation.identity:
        words = "; ".join(f"{name}: {game.tracks[name].takes}" for name in notation.identity)
        yield f"A unit that is not in the roster is described before its id. {words}."
    for sign, meaning in (*notation.signs.items(), *notation.letters.items()):
        yield f"- `{sign}` in a network: {meaning}"
    for subject, head in _HEADS.items():
        tracks = [track for track in game.tracks.values() if track.on == subject]
        if tracks:
            yield f"\n## {head}\n"
            yield from map(_write_track, tracks)
    yield from _write_charts(game)
    yield from _write_rulings(game)
    yield from _write_units(game)
    yield from _write_examples(game)


def _write_boards(game: Game) -> str:
    maps = [name for name in game.board_names if game.board(name).is_map]
    if not maps:
        return ""
    names = ", ".join(maps)
    drawn = f" Then `board NAME` if the map drawn by the program is to give the ground ({names})"
    return f"{drawn}; without it, state the ground."


def _write_track(track: Track) -> str:
    """Return a fact as a line: its form, its values and its meaning."""
    takes = track.takes
    shown = track.written.replace("{}", "VALUE")
    if track.written == "{}":
        written = takes.replace(" of ", " of the words ", 1)
    else:
        written = f"`{shown}`" + ("" if track.kind == "flag" else f", {takes}")
    silence = "" if track.absent in (None, "", False, ()) else f"; if not stated, {track.write(track.absent)}"
    unknown = "; unknown if not stated" if track.absent is None and not track.printed else ""
    return f"- {written}: {track.title}{silence}{unknown}"


def _write_charts(game: Game) -> Iterator[str]:
    if not game.charts:
        return
    yield "\n## Charts\n"
    yield (
        "Cells of printed charts are the players' to give. `trust charts` lets an answer rest on made-up or rebuilt ones, where "
        "there are any, and the answer says so."
    )
    for chart in game.charts.values():
        yield f"- `{chart.how_to_state(tuple(key.name.upper() for key in chart.keys))}`: {chart.title}"


def _write_rulings(game: Game) -> Iterator[str]:
    """Yield the doubts of the rulebook, and how to state the readings that the players have agreed on."""
    if not game.rulings:
        return
    yield "\n## Rulings\n"
    yield (
        "What the rulebook leaves open the players decide. `ruling NAME=READING` in a separate line states what they have "
        "agreed on; without it the first reading counts."
    )
    for name, ruling in game.rulings.items():
        readings = sorted(ruling.readings.items(), key=lambda reading: reading[0] != ruling.default)
        words = "; ".join(f"`{reading}`, {meaning}" for reading, meaning in readings)
        yield f"- `{name}` ({ruling.rule}): {ruling.doubt}: {words}"


def _write_units(game: Game) -> Iterator[str]:
    names = [quoted(name) for name in game.roster]
    if not names:
        return
    yield "\n## Units\n"
    more = (
        f", and {format_count(len(names) - _MAX_UNITS_LISTED, 'more unit')}" if len(names) > _MAX_UNITS_LISTED else ""
    )
    yield f"Known by name, with what look_up says of each: {', '.join(names[:_MAX_UNITS_LISTED])}{more}."


def _write_examples(game: Game) -> Iterator[str]:
    """Yield the names of the examples, and the first example in full."""
    files = [file for file in examples_of(game) if file.suffix == POSITION_SUFFIX]
    if not files:
        return
    yield "\n## Examples\n"
    yield f"A position may be named by one of these: {', '.join(example_names([game], f'{game.id}/'))}."
    yield f"`{EXAMPLE}{game.id}/{files[0].stem}` holds the following; leave out its `trust` and `ruling` in yours:"
    yield "\n```"
    yield file_bytes(files[0], formats()).decode("utf-8").rstrip("\n")
    yield "```"
