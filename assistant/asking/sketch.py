"""The content of the picture of an answer, as plain values.

A `Sketch` has hexes with their roles, ways, zones of control, remarks on hexsides, figures, and what is still to be
chosen or rolled. A `Chart` has chances. A question makes one of them from its result; `drawing.answer` draws it.
Pictures of supply lines are in `line_sketch`.
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
"""The role of a hex in the answer.

- start, target, passed, end: units begin in the hex, attack it, pass it, or end in it.
- open, reached, beyond: the hex may be entered next, is within reach, or only beyond the allowance.
- barred, unknown: the hex is barred, or its role among these is not known.
- shaded, weakest: the hex is shaded by its level, or is one of the few shaded hexes that stand out.
- cut: supply is cut from the hex.
"""
ArrowKind = Literal["way", "support", "choice", "onward", "attack"]
"""The kind of an arrow: `way` is taken, `support` is taken by a unit that only helps, `choice` may be taken next, and
`onward` after that.
"""

WORDS: Mapping[Role | ArrowKind, str] = MappingProxyType(
    {
        "start": "where the units stand",
        "target": "the hex attacked",
        "passed": "on the way",
        "end": "where the way ends",
        "open": "open",
        "reached": "within reach, with the points left there",
        "beyond": "within reach only beyond the allowance, with the points lacking",
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
"""The words for roles and arrows in the key of a picture; a sketch may have better ones."""
OPEN_LABEL = "open"
"""The default label of an open hex."""
UNKNOWN = "?"
"""The default label of a hex that may be open or not."""


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A hex with its role in the answer."""

    hex: str
    role: Role
    side: Annotated[str, note("the side for its colour; by default that of the sketch")] = ""
    label: Annotated[str, note("a few characters in the hex, such as its cost")] = ""
    why: Annotated[str, note("the words for what bars the hex, or for the label; in the key, by a letter")] = ""
    level: Annotated[int, note("the darkness of its shade, from 1 to 5, or 0")] = 0
    place: Annotated[int, note("the rank among the hexes that stand out, from 1 on, or 0")] = 0


class Arrow(msgspec.Struct, frozen=True, kw_only=True):
    """A way through at least two hexes."""

    hexes: tuple[str, ...]
    kind: ArrowKind = "way"
    side: Annotated[str, note("the side for its colour")] = ""
    label: Annotated[str, note("a few characters on its last hexside, such as the cost of the hex beyond")] = ""
    name: Annotated[str, note("the units that take it; ways with names are drawn in lanes, each whole")] = ""
    goal: Annotated[int, note("the rank of the hex to which it leads among those that stand out, or 0")] = 0


class ZoneHexes(msgspec.Struct, frozen=True, kw_only=True):
    """The hexes in a side's zones of control. The picture marks those of them that it shows for another reason."""

    side: str
    hexes: frozenset[str]
    text: Annotated[str, note("the words for them in the key, by default those for zones of control")] = ""
    holders: Annotated[
        frozenset[str], note("the hexes of the units with the zones; those next to a hex drawn are shown too")
    ] = frozenset()


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A modifier on a hexside or in a hex: a signed figure with a word, such as `-1 river`."""

    where: Annotated[str, note("the hexside or the hex")]
    text: str


class FigureTable(msgspec.Struct, frozen=True, kw_only=True):
    """Figures in rows below the map."""

    rows: tuple[tuple[str, ...], ...]
    """Rows of equal length, each with its subject first."""
    title: str = ""
    """A title for rows of a word and a figure, which then stand with the working, or ""."""
    heads: tuple[str, ...] = ()
    """The heads of the columns, or ()."""
    totals: frozenset[int] = frozenset()
    """The numbers, from 0, of rows that total the rows before them."""


class FigureChain(msgspec.Struct, frozen=True, kw_only=True):
    """Figures in a row, each under a word for it, where one leads to the next."""

    title: str
    links: tuple[tuple[str, str], ...]
    answer: Annotated[int, note("the index of the answer")] = 0


FateKind = Literal["stays", "lost", "broken"]
"""Whether a unit stays in play, is lost, or breaks down into others."""
_PLURALS: Mapping[str, str] = MappingProxyType({"is": "are", "has": "have", "retreats": "retreat", "breaks": "break"})
"""The plural of each verb in a fate."""


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """The fate of units, in a few words.

    The picture crosses out lost units, and draws cracks through units that break down.
    """

    units: tuple[str, ...]
    text: Annotated[str, note("the fate in words, for one unit or for several")]
    kind: FateKind = "stays"

    @property
    def line(self) -> str:
        """The units and their fate: `27/3, 35/17: are eliminated`."""
        text = self.text
        if len(self.units) > 1:
            text = " ".join(_PLURALS.get(word, word) for word in text.split(" "))
        return f"{', '.join(self.units)}: {text}"


class Drawable(msgspec.Struct, frozen=True):
    """Something to draw of an answer."""

    DRAWN_AS: ClassVar[tuple[str, ...]] = ()
    """The kinds of drawings of this class: `picture`, `map` (in letters) or `chart`."""


class Sketch(Drawable, frozen=True, kw_only=True):
    """The content of the picture of an answer.

    `spots` names each hex at most once. `words` replaces entries of `WORDS`.
    """

    DRAWN_AS = ("picture", "map")

    title: str
    answer: Annotated[str, note("the verdict, below the title")] = ""
    side: Annotated[str, note("the side that asks, for the colour of what it may do")] = ""
    spots: tuple[Spot, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    zones: tuple[ZoneHexes, ...] = ()
    remarks: tuple[Remark, ...] = ()
    chains: tuple[FigureChain, ...] = ()
    tables: tuple[FigureTable, ...] = ()
    fates: tuple[Fate, ...] = ()
    owed: Annotated[tuple[str, ...], note("choices and rolls still to be made, a line each")] = ()
    results: Annotated[tuple[str, ...], note("changes of units and tracks besides the ways drawn, a line each")] = ()
    words: Annotated[Mapping[Role | ArrowKind, str], note("words for parts in the key")] = {}
    levels: Annotated[tuple[str, ...], note("the meaning of each level of shade, from level 1 on")] = ()
    moves: Annotated[
        tuple[Change | Enter, ...], note("arrivals of units in hexes: drawn there, and pale in the hex before")
    ] = ()
    focus: Annotated[tuple[str, ...], note("further hexes to show")] = ()
    caption: Annotated[tuple[str, ...], note("paragraphs at the foot")] = ()

    @property
    def hexes(self) -> list[str]:
        """The hexes to show: of spots, arrows and remarks, then those of `focus`."""
        of_arrows = (hex for arrow in self.arrows for hex in arrow.hexes)
        of_remarks = (hex for remark in self.remarks for hex in remark.where.split("|"))
        of_spots = (spot.hex for spot in self.spots)
        return list(dict.fromkeys((*of_spots, *of_arrows, *of_remarks, *self.focus)))

    @property
    def removed(self) -> Mapping[str, FateKind]:
        """The units that do not stay in play, with the kind of their fate."""
        return {unit: fate.kind for fate in self.fates if fate.kind != "stays" for unit in fate.units}

    @property
    def letters(self) -> dict[str, str]:
        """The reasons of the spots, by the letters that stand for them in the picture."""
        reasons = dict.fromkeys(spot.why for spot in self.spots if spot.why)
        return dict(zip(_generate_letters(), reasons, strict=False))

    def letter(self, spot: Spot) -> str:
        """Return the letter of a hex's reason, or "" if it has none."""
        return next((letter for letter, why in self.letters.items() if why == spot.why), "")

    def word(self, part: Role | ArrowKind) -> str:
        """Return the words for a role or a kind of arrow in the key."""
        return self.words.get(part, WORDS[part])

    def text(self, spot: Spot) -> str:
        """Return a hex's label with the letter of its reason."""
        return " ".join(filter(None, (self.format_plain_label(spot), self.letter(spot))))

    def format_plain_label(self, spot: Spot) -> str:
        """Return a hex's label, or a default label if it has neither a label nor a reason."""
        return spot.label or ("" if spot.why else {"open": OPEN_LABEL, "unknown": UNKNOWN}.get(spot.role, ""))


def _generate_letters() -> Iterator[str]:
    for length in (1, 2):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def sketch_of(view: View, report: Report[Any], **shown: Any) -> Sketch:
    """Return the sketch of a report, with its title, verdict, changes and asks.

    `shown`: further fields of the `Sketch`. Repeated spots are dropped, as in `drop_repeated_spots`.
    """
    shown["spots"] = drop_repeated_spots(shown.get("spots", ()))
    shown["fates"] = tuple(merge_fates(shown.get("fates", _list_fates(view, report))))
    shown.setdefault("results", tuple(_list_results(view, report, shown["spots"], shown["fates"])))
    shown.setdefault("moves", tuple(_list_moves(view, report.changes)))
    shown["answer"] = report.headline
    return Sketch(title=report.title, owed=tuple(map(format_ask, report.asks)), **shown)


def _list_fates(view: View, report: Report[Any]) -> Iterator[Fate]:
    texts = dict[str, str]()
    for step in (step for part in report.parts for step in part.steps):
        unit = str(step.figures.get("unit", ""))
        if (step.text.startswith(f"{unit} ") and " is eliminated" in step.text) or " breaks down" in step.text:
            texts.setdefault(unit, step.text.removeprefix(f"{unit} "))
    for unit in view.state.units:
        if any(_removes_unit(view, change, unit) for change in report.changes):
            text = texts.get(unit, "eliminated")
            yield Fate(units=(unit,), text=text, kind="broken" if text.startswith("breaks down") else "lost")


def merge_fates(fates: Iterable[Fate]) -> Iterator[Fate]:
    """Yield the fates in order; equal fates of several units become one."""
    units = dict[tuple[str, FateKind], list[str]]()
    for fate in fates:
        units.setdefault((fate.text, fate.kind), []).extend(fate.units)
    for (text, kind), names in units.items():
        yield Fate(units=tuple(names), text=text, kind=kind)


def _removes_unit(view: View, change: AnyChange, unit: str) -> bool:
    if isinstance(change, Leave):
        return change.unit == unit
    if not isinstance(change, Change) or (change.track, change.subject) != ("place", unit):
        return False
    return change.after is None or not view.board.is_hex(str(change.after))


def _list_moves(view: View, changes: Iterable[AnyChange]) -> Iterator[Change | Enter]:
    for change in changes:
        if isinstance(change, Enter):
            new_place: Value | None = change.place
        else:
            new_place = change.after if isinstance(change, Change) and change.track == "place" else None
        if isinstance(change, Change | Enter) and new_place is not None and view.board.is_hex(str(new_place)):
            yield change


MAX_RESULTS = 8
"""The maximum number of lines with results; the report has all of them."""


def _list_results(view: View, report: Report[Any], spots: Sequence[Spot], fates: Sequence[Fate]) -> Iterator[str]:
    """Yield the changes of a report on the map, a line for each unit or other subject.

    Left out are moves and losses that the picture shows, and marks for later questions.
    """
    spot_hexes = {spot.hex for spot in spots}
    removed_units = {unit for fate in fates if fate.kind != "stays" for unit in fate.units}
    texts_by_subject = dict[str, list[str]]()
    changes_by_fact = dict[tuple[str, str], list[Change | Gain | Raise]]()
    for change in report.changes:
        # the change is to a unit's place or order
        if isinstance(change, Enter | Leave) or change.track not in view.game.tracks:
            unit = change.subject if isinstance(change, Change | Gain | Raise) else change.unit
            is_drawn = unit in removed_units
            if isinstance(change, Enter):
                is_drawn = change.place in spot_hexes
            elif isinstance(change, Change):
                is_drawn = is_drawn or change.after in spot_hexes
            if not is_drawn:
                texts_by_subject.setdefault(unit, []).append(format_what_changes(change, {}))
        elif change.track not in report.books and _is_reported(view, change):
            changes_by_fact.setdefault((change.track, change.subject), []).append(change)
    for (name, subject), changes in changes_by_fact.items():
        title = subject if subject in view.state.units else view.title_of(subject)
        track = view.game.tracks[name]
        stated = view.quiet_view().value(name, subject)
        if track.kind == "integer":
            text = f"{short_title(track.title)} {format_number_change(stated, changes)}"
        else:
            text = format_what_changes(changes[-1], view.game.tracks)
        texts_by_subject.setdefault(title, []).append(text)
    lines = [f"{subject}: {'; '.join(texts)}" for subject, texts in texts_by_subject.items()]
    yield from lines[:MAX_RESULTS]
    if len(lines) > MAX_RESULTS:
        yield f"{len(lines) - MAX_RESULTS} more: see the report"


def format_number_change(stated: Value | None, changes: Iterable[Change | Gain | Raise]) -> str:
    """Return the change of a number in words: `up by 2, from 1 to 3`, `unchanged at 3`, or `now 3`.

    `stated`: the value before the changes, or None if it was unknown.
    """
    start = end = stated if isinstance(stated, int) else None
    difference = 0
    for change in changes:
        if isinstance(change, Gain):
            difference += change.amount
            end = None if end is None else end + change.amount
        elif isinstance(change, Raise):
            end = change.to if end is None else max(end, change.to)
        else:
            end = change.after if isinstance(change.after, int) else 0
    if end is not None:
        difference = end - (start or 0)
    if start is None and end is not None:
        return f"now {format_number(end)}"
    text = f"{'up' if difference > 0 else 'down'} by {abs(difference)}" if difference else "unchanged"
    if start is None or end is None:
        return text
    if not difference:
        return f"{text} at {format_number(end)}"
    return f"{text}, from {format_number(start)} to {format_number(end)}"


def _is_reported(view: View, change: Change | Gain | Raise) -> bool:
    track = view.game.tracks[change.track]
    is_on_counter = track.kind == "choice" and track.module is not None and change.subject in view.state.units
    return track.kind == "integer" or is_on_counter


def drop_repeated_spots(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Return one spot for each hex: its last open one, because the next choices matter most, or else its first."""
    by_hex = dict[str, Spot]()
    for spot in spots:
        if spot.hex not in by_hex or spot.role == "open":
            by_hex[spot.hex] = spot
    return tuple(by_hex.values())


def format_ask(ask: Ask) -> str:
    """Return an ask in a line: `choose retreat: 0101 or 0102`, `roll 2d6 for losses`."""
    if ask.kind == "choice":
        if len(ask.options) == 1:
            return f"{ask.title}: {ask.options[0]}, the only choice"
        return f"choose {ask.title}{': ' if ask.options else ''}{either(ask.options)}"
    if ask.kind == "roll":
        return f"roll {ask.dice}{' for ' if ask.dice else ''}{ask.title}"
    return f"not stated: {ask.title}"


def format_first_units(units: Sequence[str], max_named: int = 3) -> str:
    """Return the names of the first `max_named` units, and the number of others: `27/3, 35/17 and 2 more`."""
    others = len(units) - max_named
    return ", ".join(units) if others <= 0 else f"{', '.join(units[:max_named])} and {others} more"


def format_few_units(units: Sequence[str]) -> str:
    """Return the names of at most two units, or the number of more: `5 units`."""
    return ", ".join(units) if len(units) < 3 else f"{len(units)} units"


def either(options: Sequence[str]) -> str:
    """Return options as `a, b or c`."""
    return " or ".join(filter(None, (", ".join(options[:-1]), *options[-1:])))


def way_of(hexes: Iterable[str], side: str = "") -> tuple[Arrow, ...]:
    """Return the arrow along the hexes, or () if there are fewer than two. Empty names are skipped."""
    way = tuple(filter(None, hexes))
    return (Arrow(hexes=way, side=side),) if len(way) > 1 else ()


# --- chances ----------------------------------------------------------------------------------------------------------

Fighting = Literal["attacker", "defender"]
"""The side in the combat that chances belong to, for their colour."""


class Columns(msgspec.Struct, frozen=True):
    """A distribution."""

    title: str
    """The quantity that is distributed."""
    note: str
    """A line below the distribution."""
    whose: Fighting
    likelihoods: Sequence[Likelihood]


class Row(msgspec.Struct, frozen=True):
    """A bar for one subject."""

    label: str
    whose: Fighting
    parts: Sequence[Fraction]
    """Consecutive shares, at most 1 in total."""
    note: str = ""
    """Words after the bar."""


class Rows(msgspec.Struct, frozen=True):
    """Bars below one another."""

    title: str
    key: Sequence[str]
    """The meanings of the parts of a bar, at most three; empty if the title explains the only one."""
    rows: Sequence[Row]


class Rung(msgspec.Struct, frozen=True):
    """A column of a combat table, and the strength needed for it."""

    label: str
    amount: int
    """The strength points needed."""
    who: str
    """The units needed."""
    lacking: int = 0
    """The points that are missing."""
    wanted: bool = False
    """Whether the question asks for this column."""


class Ladder(msgspec.Struct, frozen=True):
    """The strength needed for each column of a combat table, the best column on top."""

    title: str
    unit: str
    """The unit of the amounts."""
    rungs: Sequence[Rung]


class Chart(Drawable, frozen=True, kw_only=True):
    """The chances of an answer."""

    DRAWN_AS = ("chart",)

    title: str
    lines: Annotated[Sequence[str], note("lines below the title")] = ()
    ladder: Annotated[Ladder | None, note("the strengths needed for columns of a table, at the top")] = None
    columns: Annotated[Sequence[Columns], note("distributions side by side, on the same scale")] = ()
    rows: Annotated[Sequence[Rows], note("bars below the columns")] = ()
    caption: Annotated[Sequence[str], note("lines at the foot")] = ()
    attackers: Annotated[Sequence[str], note("units of the attacker, for the side's colour")] = ()
    defenders: Annotated[Sequence[str], note("units of the defender, for the side's colour")] = ()


def chart_of(
    chances: Callable[[R], Mapping[str, Sequence[Likelihood]]],
) -> Callable[[View, Report[R]], Chart | None]:
    """Return a `sketch` function that charts the distributions in a question's result side by side.

    The function returns None if there are no distributions.

    `chances`: returns the likelihoods in a result by title.
    """

    def chart(_: View, report: Report[R]) -> Chart | None:
        columns = [
            Columns(title, "", "attacker", likelihoods)
            for title, likelihoods in chances(report.shown).items()
            if likelihoods
        ]
        lines = [report.headline, *(step.text for step in report.cautions)]
        return Chart(title=report.title, lines=lines, columns=columns) if columns else None

    return chart
