"""What the picture of an answer shows, as plain values: hexes and their parts in it, ways, zones of control, what
counts on a hexside, figures, and what is still owed.

A question makes its sketch from its result; `pictures.answer` draws it. Lines of supply are in `pictures.lines.shown`,
chances in a `Chart`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from string import ascii_lowercase
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec

from ..mechanics.chances import Likelihood
from ..state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ..state.tracks import Value
from ..util.notes import note
from .asks import Ask
from .changes import format_number, format_what_changes
from .report import Report
from .view import View
from .wording import short_title

R = TypeVar("R")
Role = Literal[
    "start", "target", "passed", "end", "open", "reached", "beyond", "barred", "unknown", "shaded", "weakest", "cut"
]
"""The part of a hex: units begin there, it is attacked, they pass it or end there; it may be entered next, it can be
reached, or only beyond an allowance, or something bars it, or none of these is known; it is one of many that are shaded
by their level, or one of the few of them that stand out; from it supply is cut.
"""
ArrowKind = Literal["way", "support", "choice", "onward", "attack"]
"""A way that is taken, one of a unit that only helps, one that may be taken next, one that may be taken after that, or
an attack.
"""

WORDS: Mapping[Role | ArrowKind, str] = MappingProxyType(
    {
        "start": "where the units stand",
        "target": "the hex attacked",
        "passed": "on the way",
        "end": "where the way ends",
        "open": "open",
        "reached": "within reach, with what it costs",
        "beyond": "within reach only beyond the allowance, with what it costs",
        "barred": "barred",
        "unknown": "not known, as facts are missing",
        "shaded": "one of those compared",
        "weakest": "the weakest of those compared",
        "cut": "supply is cut from here",
        "way": "the way taken",
        "support": "the way of a unit that only helps",
        "choice": "a way that is open",
        "onward": "open after that",
        "attack": "attack",
    }
)
"""What each part is called in the key of a picture, where a question does not say it better."""
OPEN = "open"
"""The label of an open hex that has no other."""
UNKNOWN = "?"
"""The label of a hex of which it is not known whether it is open."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A hex with its part in the answer."""

    hex: str
    role: Role
    side: Annotated[str, note("whose part it is, for its colour; that of the sketch if left out")] = ""
    label: Annotated[str, note("a few characters in the hex, such as what it costs")] = ""
    why: Annotated[str, note("in words what bars the hex, or what the label means; the key has it by a letter")] = ""
    level: Annotated[int, note("how dark its shade is, from 1 to 5; 0 for none")] = 0
    place: Annotated[int, note("its place among those that stand out, from 1 on; 0 for none")] = 0


class Arrow(msgspec.Struct, frozen=True, kw_only=True):
    """A way from hex to hex, two at least."""

    hexes: tuple[str, ...]
    kind: ArrowKind = "way"
    side: Annotated[str, note("whose way it is, for its colour")] = ""
    label: Annotated[str, note("a few characters on its last hexside, such as what the hex beyond costs")] = ""
    name: Annotated[
        str, note("whose way it is, small where it begins; ways with names are drawn apart, each whole")
    ] = ""


class ZoneHexes(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes in the zones of control of a side. The picture shows those of them that it draws."""

    side: str
    hexes: frozenset[str]
    text: Annotated[str, note("what the key says of them, if not that they are in zones of control")] = ""
    holders: Annotated[
        frozenset[str], note("the hexes of the units that have the zones; those beside a hex drawn are too")
    ] = frozenset()


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What counts on a hexside or in a hex, such as `-1 river`: a signed figure with a word."""

    where: Annotated[str, note("the hexside or the hex")]
    text: str


class FigureTable(msgspec.Struct, frozen=True, kw_only=True):
    """Figures in rows below the map."""

    rows: tuple[tuple[str, ...], ...]
    """Each as long as the others, what it is about first."""
    title: str = ""
    """Over rows of a word and a figure, which then stand with the working, "" for none."""
    heads: tuple[str, ...] = ()
    """Of the columns, () for none."""
    totals: frozenset[int] = frozenset()
    """Which rows, from 0, are what the ones before them come to."""


class FigureChain(msgspec.Struct, frozen=True, kw_only=True):
    """Figures in a row, each under the word for it, that lead from one to the next."""

    title: str
    links: tuple[tuple[str, str], ...]
    answer: Annotated[int, note("which of them is the answer, from 0")] = 0


FateKind = Literal["stays", "lost", "broken"]
"""A unit that stays in play, one that is lost, or one that breaks down into others."""
_OF_SEVERAL: Mapping[str, str] = MappingProxyType(
    {"is": "are", "has": "have", "retreats": "retreat", "breaks": "break"}
)
"""The verbs of fates by what they are of several units."""


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of units, in a few words. The picture crosses a lost unit out and cracks one that breaks down."""

    units: tuple[str, ...]
    text: Annotated[str, note("as of one unit, or as of several")]
    kind: FateKind = "stays"

    @property
    def line(self) -> str:
        """The units and what becomes of them."""
        text = self.text
        if len(self.units) > 1:
            text = " ".join(_OF_SEVERAL.get(word, word) for word in text.split(" "))
        return f"{', '.join(self.units)}: {text}"


class Drawable(msgspec.Struct, frozen=True):
    """What can be drawn of an answer."""

    DRAWN_AS: ClassVar[tuple[str, ...]] = ()
    """The ways in which it is drawn: as a `picture`, a `map` in letters, a `chart`."""


class Sketch(Drawable, frozen=True, kw_only=True):
    """All that the picture of an answer shows.

    A hex is named in `spots` once. What `words` does not name has the words of `WORDS`.
    """

    DRAWN_AS = ("picture", "map")

    title: str
    answer: Annotated[str, note("the verdict, below the title")] = ""
    side: Annotated[str, note("whose question it is, for the colour of what it may do")] = ""
    spots: tuple[Spot, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    zones: tuple[ZoneHexes, ...] = ()
    remarks: tuple[Remark, ...] = ()
    chains: tuple[FigureChain, ...] = ()
    tables: tuple[FigureTable, ...] = ()
    fates: tuple[Fate, ...] = ()
    owed: Annotated[tuple[str, ...], note("what is still to be chosen or rolled, a line each")] = ()
    results: Annotated[
        tuple[str, ...], note("what becomes of units and tracks beyond the ways drawn, a line each")
    ] = ()
    words: Annotated[Mapping[Role | ArrowKind, str], note("what parts are called in the key")] = {}
    levels: Annotated[tuple[str, ...], note("what each level of shade means, from level 1 on")] = ()
    moves: Annotated[
        tuple[Change | Enter, ...], note("who comes to which hex: drawn there, and pale where it stood before")
    ] = ()
    focus: Annotated[tuple[str, ...], note("further hexes to show")] = ()
    caption: Annotated[tuple[str, ...], note("what stands at the foot, a paragraph each")] = ()

    @property
    def hexes(self) -> list[str]:
        """All hexes that matter, in order."""
        of_arrows = (hex for arrow in self.arrows for hex in arrow.hexes)
        of_sides = (hex for remark in self.remarks for hex in remark.where.split("|"))
        of_spots = (spot.hex for spot in self.spots)
        return list(dict.fromkeys((*of_spots, *of_arrows, *of_sides, *self.focus)))

    @property
    def gone(self) -> Mapping[str, FateKind]:
        """What becomes of each unit that does not stay in play."""
        return {unit: fate.kind for fate in self.fates if fate.kind != "stays" for unit in fate.units}

    @property
    def letters(self) -> dict[str, str]:
        """The reasons by the letters that stand for them in the picture, in their order."""
        reasons = dict.fromkeys(spot.why for spot in self.spots if spot.why)
        return dict(zip(_generate_letters(), reasons, strict=False))

    def letter(self, spot: Spot) -> str:
        """Return the letter of a hex's reason, "" if it has none."""
        return next((letter for letter, why in self.letters.items() if why == spot.why), "")

    def word(self, part: Role | ArrowKind) -> str:
        """Return what a part is called in the key."""
        return self.words.get(part, WORDS[part])

    def text(self, spot: Spot) -> str:
        """Return what a hex is labelled with: its label and the letter of its reason, or what stands for an open hex
        without both.
        """
        return " ".join(filter(None, (self.format_plain_label(spot), self.letter(spot))))

    def format_plain_label(self, spot: Spot) -> str:
        """Return what a hex is labelled with but for the letter of its reason."""
        return spot.label or ("" if spot.why else {"open": OPEN, "unknown": UNKNOWN}.get(spot.role, ""))


def _generate_letters() -> Iterator[str]:
    """Yield a, b, c ... aa, ab ..."""
    for length in (1, 2):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def sketch_of(view: View, report: Report[Any], **shown: Any) -> Sketch:
    """Return the sketch of a report: its title, verdict, what it changes and what it waits for, and what else is shown,
    by the names of the fields of a `Sketch`. Of several spots of a hex it has one, as `drop_repeated_spots` does.
    """
    shown["spots"] = drop_repeated_spots(shown.get("spots", ()))
    shown["fates"] = tuple(merge_fates(shown.get("fates", _list_fates(view, report))))
    shown.setdefault("results", tuple(_list_results(view, report, shown["spots"], shown["fates"])))
    shown.setdefault("moves", tuple(_list_moves(view, report.changes)))
    shown["answer"] = report.headline
    return Sketch(title=report.title, owed=tuple(map(format_ask, report.asks)), **shown)


def _list_fates(view: View, report: Report[Any]) -> Iterator[Fate]:
    """Yield the units that a report takes off the map, each with the first step that tells of it."""
    texts = dict[str, str]()
    for line in (line for part in report.parts for line in part.steps):
        unit = str(line.figures.get("unit", ""))
        if (line.text.startswith(f"{unit} ") and " is eliminated" in line.text) or " breaks down" in line.text:
            texts.setdefault(unit, line.text.removeprefix(f"{unit} "))
    for unit in view.state.units:
        if any(_removes_unit(view, change, unit) for change in report.changes):
            text = texts.get(unit, "eliminated")
            yield Fate(units=(unit,), text=text, kind="broken" if text.startswith("breaks down") else "lost")


def merge_fates(fates: Iterable[Fate]) -> Iterator[Fate]:
    """Yield fates in their order, those of units that share one as one."""
    units = dict[tuple[str, FateKind], list[str]]()
    for fate in fates:
        units.setdefault((fate.text, fate.kind), []).extend(fate.units)
    for (text, kind), names in units.items():
        yield Fate(units=tuple(names), text=text, kind=kind)


def _removes_unit(view: View, change: AnyChange, unit: str) -> bool:
    """Return whether a change takes a unit off the map."""
    if isinstance(change, Leave):
        return change.unit == unit
    if not isinstance(change, Change) or (change.track, change.subject) != ("place", unit):
        return False
    return change.after is None or not view.board.is_hex(str(change.after))


def _list_moves(view: View, changes: Iterable[AnyChange]) -> Iterator[Change | Enter]:
    """Yield the changes that bring units into hexes."""
    for change in changes:
        if isinstance(change, Enter):
            end: Value | None = change.place
        else:
            end = change.after if isinstance(change, Change) and change.track == "place" else None
        if isinstance(change, Change | Enter) and end is not None and view.board.is_hex(str(end)):
            yield change


MOST_RESULTS = 8
"""How many results are told at most: the report has all of them."""


def _list_results(view: View, report: Report[Any], spots: Sequence[Spot], fates: Sequence[Fate]) -> Iterator[str]:
    """Yield what a report changes on the map, a line for each unit or other subject, but for what the picture shows:
    units that come to a hex that has a part, those whose fate it tells and leave the map, and marks for later
    questions.
    """
    parts = {spot.hex for spot in spots}
    gone = {unit for fate in fates if fate.kind != "stays" for unit in fate.units}
    lines = dict[str, list[str]]()
    numbers = dict[tuple[str, str], list[Change | Gain | Raise]]()
    for change in report.changes:
        if isinstance(change, Enter | Leave) or change.track not in view.game.tracks:
            about = change.subject if isinstance(change, Change | Gain | Raise) else change.unit
            what = format_what_changes(change, {})
            is_drawn = about in gone
            if isinstance(change, Enter):
                is_drawn = change.place in parts
            elif isinstance(change, Change):
                is_drawn = is_drawn or change.after in parts
            if not is_drawn:
                lines.setdefault(about, []).append(what)
        elif change.track not in report.books and _is_told(view, change):
            numbers.setdefault((change.track, change.subject), []).append(change)
    for (name, subject), changes in numbers.items():
        whose = subject if subject in view.state.units else view.title_of(subject)
        track = view.game.tracks[name]
        stated = view.quiet_view().value(name, subject)
        if track.kind == "integer":
            lines.setdefault(whose, []).append(f"{short_title(track.title)} {format_number_change(stated, changes)}")
        else:
            lines.setdefault(whose, []).append(format_what_changes(changes[-1], view.game.tracks))
    texts = [f"{subject}: {'; '.join(texts)}" for subject, texts in lines.items()]
    yield from texts[:MOST_RESULTS]
    if len(texts) > MOST_RESULTS:
        yield f"{len(texts) - MOST_RESULTS} more: see the report"


def format_number_change(stated: Value | None, changes: Iterable[Change | Gain | Raise]) -> str:
    """Return by how much changes of one number move it in all, and from what to what as far as that is known, so that
    a change is not taken for a value. stated: the number before them, None if it is not known.
    """
    start = end = stated if isinstance(stated, int) else None
    by = 0
    for change in changes:
        if isinstance(change, Gain):
            by += change.amount
            end = None if end is None else end + change.amount
        elif isinstance(change, Raise):
            end = change.to if end is None else max(end, change.to)
        else:
            end = change.after if isinstance(change.after, int) else 0
    if end is not None:
        by = end - (start or 0)
    if start is None and end is not None:
        return f"now {format_number(end)}"
    way = f"{'up' if by > 0 else 'down'} by {abs(by)}" if by else "unchanged"
    if start is None or end is None:
        return way
    return f"{way}, from {format_number(start)} to {format_number(end)}" if by else f"{way} at {format_number(end)}"


def _is_told(view: View, change: Change | Gain | Raise) -> bool:
    """Return whether a change is told of: a figure, or what the counter of a unit shows; no mark that later questions
    ask for, such as that a hex has been attacked.
    """
    track = view.game.tracks[change.track]
    shown = track.kind == "choice" and track.module is not None and change.subject in view.state.units
    return track.kind == "integer" or shown


def drop_repeated_spots(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Return spots of which each hex has one: that where it is open, as what may be done next counts most, or else its
    first.
    """
    by_hex = dict[str, Spot]()
    for spot in spots:
        if spot.hex not in by_hex or spot.role == "open":
            by_hex[spot.hex] = spot
    return tuple(by_hex.values())


def format_ask(ask: Ask) -> str:
    """Return what a report waits for, in a line: to choose with the options, to roll, or to state."""
    if ask.kind == "choice":
        if len(ask.options) == 1:
            return f"{ask.title}: {ask.options[0]}, the only choice"
        return f"choose {ask.title}{': ' if ask.options else ''}{either(ask.options)}"
    if ask.kind == "roll":
        return f"roll {ask.dice}{' for ' if ask.dice else ''}{ask.title}"
    return f"not stated: {ask.title}"


def format_first_units(units: Sequence[str], most: int = 3) -> str:
    """Return units by name, of more than so many the first ones and how many others there are."""
    others = len(units) - most
    return ", ".join(units) if others <= 0 else f"{', '.join(units[:most])} and {others} more"


def few(units: Sequence[str]) -> str:
    """Return one or two units by name, the number of more."""
    return ", ".join(units) if len(units) < 3 else f"{len(units)} units"


def either(options: Sequence[str]) -> str:
    """Return options joined by "or"."""
    return " or ".join(filter(None, (", ".join(options[:-1]), *options[-1:])))


def way_of(hexes: Iterable[str], side: str = "") -> tuple[Arrow, ...]:
    """Return the arrow along two hexes or more; none along fewer."""
    line = tuple(filter(None, hexes))
    return (Arrow(hexes=line, side=side),) if len(line) > 1 else ()


# --- chances ----------------------------------------------------------------------------------------------------------

Fighting = Literal["attacker", "defender"]
"""Whose chances they are, for their colour."""


class Columns(msgspec.Struct, frozen=True):
    """A distribution."""

    title: str
    """What is distributed."""
    note: str
    """A line below it."""
    whose: Fighting
    likelihoods: Sequence[Likelihood]


class Row(msgspec.Struct, frozen=True):
    """A bar for one subject."""

    label: str
    whose: Fighting
    parts: Sequence[Fraction]
    """Consecutive shares, at most 1 in total."""
    note: str = ""
    """Words after it."""


class Rows(msgspec.Struct, frozen=True):
    """Bars below one another."""

    title: str
    key: Sequence[str]
    """The meanings of their parts, at most three; empty if the title explains the only one."""
    rows: Sequence[Row]


class Rung(msgspec.Struct, frozen=True):
    """A column and what it takes."""

    label: str
    amount: int
    """In strength points."""
    who: str
    """Whom it takes."""
    lacking: int = 0
    """How many of the points are not at hand."""
    wanted: bool = False
    """Whether it is the column asked for."""


class Ladder(msgspec.Struct, frozen=True):
    """What each column takes, the best one on top."""

    title: str
    unit: str
    """Of the amounts."""
    rungs: Sequence[Rung]


class Chart(Drawable, frozen=True, kw_only=True):
    """The chances of an answer."""

    DRAWN_AS = ("chart",)

    title: str
    lines: Annotated[Sequence[str], note("below the title")] = ()
    ladder: Annotated[Ladder | None, note("what columns of a table take, above all else")] = None
    columns: Annotated[Sequence[Columns], note("side by side, on the same scale")] = ()
    rows: Annotated[Sequence[Rows], note("below the columns")] = ()
    caption: Annotated[Sequence[str], note("lines at the foot")] = ()
    attackers: Annotated[Sequence[str], note("units of the attacker, for the colour of his side")] = ()
    defenders: Annotated[Sequence[str], note("units of the defender, likewise")] = ()


def chart_of(
    chances: Callable[[R], Mapping[str, Sequence[Likelihood]]],
) -> Callable[[View, Report[R]], Chart | None]:
    """Return the `sketch` of a question that draws the distributions in its result, side by side, each under its title.

    chances: of a result, by title; those without any likelihoods are left out, and without any other there is no chart.
    """

    def chart(_: View, report: Report[R]) -> Chart | None:
        columns = [Columns(title, "", "attacker", some) for title, some in chances(report.shown).items() if some]
        lines = [report.headline, *(step.text for step in report.cautions)]
        return Chart(title=report.title, lines=lines, columns=columns) if columns else None

    return chart
