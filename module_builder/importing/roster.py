"""The roster of a module's pieces: its columns, the nations and the sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from assistant.game.roster import COUNT
from assistant.state.tracks import Track
from assistant.util.patterns import late_pattern

from .findings import Findings
from .kinds import PieceKind, Pieces
from .names import WORDS, Names, clean_text, slug

NATION = "nation"
TAB = "tab"
LIST = "list"
_NATIONS = ("nation", "nationality", "country", "side", "faction", "owner")
"""The names of properties that tell a piece's nation, the likeliest first."""
_MOST_NATIONS = 40  # words of one property or one level of tabs
_MOST_COLUMNS = 30  # texts on pieces that become columns
_OTHERS = "Not in the palettes"
"""The list of pieces that only set-ups have."""
_COMMON = ("units", "counters", "pieces", "forces", "troops", "the")
"""Words of a tab that tell no nation."""
_WHOLE = late_pattern("-?(?:0|[1-9][0-9]{0,8})")
"""A whole number as it is written here; one with noughts before it is a text, for these would be lost."""


class Roster:
    """The columns of a roster."""

    def __init__(self, pieces: Pieces, findings: Findings) -> None:
        self._kinds = [kind for kind in pieces.kinds if kind.unit]
        self._findings, self._names = findings, pieces.tracks
        self.tracks: dict[str, Track] = {}
        """What is printed, by name."""
        self.rows: dict[str, dict[str, str]] = {kind.unit: {} for kind in self._kinds}
        """By unit, the values by track."""
        self.nations: dict[str, str] = {}
        """Their words, each with its title."""
        self.needs: dict[str, str] = {}
        """By the track of a status, the column of the units that have it."""
        self.printed: dict[str, str] = {}
        """By what stands on pieces as text, its column."""
        self._columns_of_nations: set[str] = set()  # the columns that the nations came from
        self._add_nations()
        self._add_palettes()
        self._add_texts()
        self._add_needs(pieces)

    def _add_column(self, track: Track, values: Mapping[PieceKind, str]) -> None:
        """Add a column. values: by piece."""
        self.tracks[track.name] = track
        for kind, value in values.items():
            self.rows[kind.unit][track.name] = value

    def _add_nations(self) -> None:
        """Add the nation of each piece, as a property or the palettes tell it."""
        titles = self._nations_by_property() or self._nations_by_palette()
        words = Names("nation", form=WORDS)
        given: dict[str, str] = {}
        for title in dict.fromkeys(titles.values()):
            word = "-".join(part for part in slug(title).split("-") if part not in _COMMON)
            given[title] = words.give(word or slug(title) or "nation")
            self.nations[given[title]] = title
        if self.nations:
            track = _printed_track(NATION, "nation", "choice", tuple(self.nations))
            self._add_column(track, {kind: given[title] for kind, title in titles.items()})

    def _nations_by_property(self) -> dict[PieceKind, str]:
        """Return what the likeliest property that most pieces have says of each."""
        for name in _NATIONS:
            titles: dict[PieceKind, str] = {}
            for kind in self._kinds:
                for column, value in kind.piece.columns.items():
                    if slug(column) == name:
                        titles[kind] = value
            if 2 * len(titles) > len(self._kinds) and 1 < len(set(titles.values())) <= _MOST_NATIONS:
                self._columns_of_nations.add(name)
                return titles
        return {}

    def _nations_by_palette(self) -> dict[PieceKind, str]:
        """Return the tab of each piece at the first level of the palettes that has several."""
        for depth in range(max((len(kind.path) for kind in self._kinds), default=0)):
            titles = {kind: kind.path[depth] for kind in self._kinds if len(kind.path) > depth}
            if 1 < len(set(titles.values())) <= _MOST_NATIONS:
                return titles
        return {}

    def _add_palettes(self) -> None:
        """Add the list in which each piece stands, and the tabs above it that not all have in common."""
        shared = _count_shared_tabs([kind.path for kind in self._kinds if kind.path])
        above = {kind: " / ".join(kind.path[shared:-1]) for kind in self._kinds if len(kind.path) > 1}
        if any(above.values()):
            self._add_column(
                _printed_track(TAB, "tab", "text"), {kind: clean_text(tab) for kind, tab in above.items() if tab}
            )
        lists = {kind: kind.path[-1] if kind.path else _OTHERS for kind in self._kinds}
        self._add_column(_printed_track(LIST, "list", "text"), lists)

    def _add_texts(self) -> None:
        """Add what stands on pieces as text, the most frequent of it."""
        columns: dict[str, dict[PieceKind, str]] = {}
        for kind in self._kinds:
            for name, value in kind.piece.columns.items():
                columns.setdefault(name, {})[kind] = value
        telling: dict[str, dict[PieceKind, str]] = {}
        for name, texts in columns.items():
            is_name = all(text == kind.name for kind, text in texts.items())
            if not is_name and slug(name) not in self._columns_of_nations:
                telling[name] = texts
        often = sorted(telling, key=lambda name: (-len(telling[name]), name))
        for name in often[_MOST_COLUMNS:]:
            self._findings.left_out(f"texts on pieces, beyond the {_MOST_COLUMNS} most frequent", name)
        for name in [column for column in telling if column in often[:_MOST_COLUMNS]]:
            texts = telling[name]
            kind_of: Literal["integer", "text"] = "integer" if all(map(_WHOLE.fullmatch, texts.values())) else "text"
            word = self._names.give(slug(name) or "text")
            self._add_column(_printed_track(word, clean_text(name) or word, kind_of), texts)
            self.printed[name] = word

    def _add_needs(self, pieces: Pieces) -> None:
        """Add for each status that not all units have a column that says which do."""
        for name, status in pieces.statuses.items():
            having = {kind for kind, _ in status.kinds}
            shown = status.track.module
            if shown is None or len(having) == len(self._kinds):
                continue
            word = self._names.give(f"has-{name}")
            self._add_column(
                _printed_track(word, f"has the status {status.track.title}", "flag"), dict.fromkeys(having, "yes")
            )
            self.needs[name] = word

    def table(self) -> Iterator[tuple[str, ...]]:
        """Yield the rows of the roster, its heading first."""
        is_counted = any(kind.count > 1 for kind in self._kinds)
        yield "unit", *((COUNT,) if is_counted else ()), *self.tracks
        for kind in self._kinds:
            counted = ("" if kind.count == 1 else str(kind.count),) if is_counted else ()
            yield kind.unit, *counted, *(self.rows[kind.unit].get(name, "") for name in self.tracks)


def _count_shared_tabs(paths: list[tuple[str, ...]]) -> int:
    """Return how many tabs all paths have in common at their beginning."""
    levels = enumerate(zip(*paths, strict=False))
    return next((level for level, some in levels if len({*some}) > 1), min(map(len, paths), default=0))


def _printed_track(
    name: str, title: str, kind: Literal["integer", "text", "choice", "flag"], values: tuple[str, ...] = ()
) -> Track:
    return Track(name=name, title=title, on="unit", kind=kind, values=values, printed="counter")


class Sides(NamedTuple):
    """The sides with their nations, and what they are called."""

    nations: dict[str, tuple[str, ...]]
    titles: dict[str, str]


def find_sides(roster: Roster, named: list[str], findings: Findings) -> Sides:
    """Return the sides of the module; none if some nation belongs to no side.

    named: the sides as the module names them. A nation belongs to a side that is called like it, or that its pieces
    name.
    """
    words = Names("side", taken=("umpire", "nobody", "somebody", "none"), form=WORDS)
    given = {side: words.give(slug(side) or "side") for side in dict.fromkeys(filter(None, named))}
    nations_of: dict[str, list[str]] = {side: [] for side in given}
    for nation, title in roster.nations.items():
        side = _find_side(nation, title, given, roster)
        if side:
            nations_of[side].append(nation)
        elif given:
            findings.left_out(
                "the sides, as the side of these pieces is not known: write [sides] into game.toml", title
            )
    if sum(map(len, nations_of.values())) < len(roster.nations) or not roster.nations:
        return Sides({}, {})
    for side, nations in nations_of.items():
        if not nations:
            findings.left_out("a side that has no pieces", side)
    kept = {side: tuple(nations) for side, nations in nations_of.items() if nations}
    return Sides(
        {given[side]: nations for side, nations in kept.items()}, {given[side]: clean_text(side) for side in kept}
    )


def sides_by_unit(roster: Roster, sides: Sides) -> dict[str, str]:
    """Return the side of each unit whose side is known."""
    side_of = {nation: side for side, nations in sides.nations.items() for nation in nations}
    return {unit: side_of[values[NATION]] for unit, values in roster.rows.items() if values.get(NATION) in side_of}


def _find_side(nation: str, title: str, sides: Mapping[str, str], roster: Roster) -> str:
    """Return the side of a nation, "" if it is not known."""
    for side, word in sides.items():
        if slug(title) == word:
            return side
    votes: Counter[str] = Counter()
    for values in roster.rows.values():
        if values.get(NATION) == nation:
            votes.update(side for side in sides if side in values.values())
    if votes:
        return votes.most_common(1)[0][0]
    near = [side for side, word in sides.items() if _shares_words(slug(title), word)]
    return near[0] if len(near) == 1 else ""


def _shares_words(one: str, other: str) -> bool:
    """Return whether a name has all words of another one, or the beginning of one in common with it: `german-units` and
    `germany`.
    """
    words, others = one.split("-"), other.split("-")
    alike = (a.startswith(b[:5]) or b.startswith(a[:5]) for a in words for b in others if min(len(a), len(b)) > 3)
    return {*others} <= {*words} or any(alike)
