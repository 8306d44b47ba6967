"""The roster of a module's pieces and its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from assistant.game.roster import COUNT
from assistant.state.tracks import Track
from assistant.util.patterns import late_pattern

from .findings import Findings
from .kinds import PieceKind, Pieces
from .names import clean_text, slug
from .nations import Owners

UNIT = "unit"
NATION = "nation"
TAB = "tab"
LIST = "list"
_MOST_COLUMNS = 30  # texts on pieces that become columns
_OTHERS = "Not in the palettes"
"""The list of pieces that only set-ups have."""
_WHOLE = late_pattern("-?(?:0|[1-9][0-9]{0,8})")
"""A whole number as it is written here; one with zeros before it is a text, for these would be lost."""


class Roster:
    """The columns of a roster."""

    def __init__(self, pieces: Pieces, owners: Owners, findings: Findings) -> None:
        self._kinds = [kind for kind in pieces.kinds if kind.unit]
        self._findings, self._names = findings, pieces.tracks
        self.tracks: dict[str, Track] = {}
        """What is printed, by name."""
        self.rows: dict[str, dict[str, str]] = {kind.unit: {} for kind in self._kinds}
        """By unit, the values by track."""
        self.nations = owners.titles
        """Their words, each with its title."""
        self.needs: dict[str, str] = {}
        """By the track of a status, the column of the units that have it."""
        self.printed: dict[str, str] = {}
        """By what stands on pieces as text, its column."""
        self._properties = owners.properties  # those that the column of nations stands for
        self._add_nations(owners)
        self._add_palettes()
        self._add_texts()
        self._add_needs(pieces)

    def _add_column(self, track: Track, values: Mapping[PieceKind, str]) -> None:
        """Add a column. values: by piece."""
        self.tracks[track.name] = track
        for kind, value in values.items():
            self.rows[kind.unit][track.name] = value

    def _add_nations(self, owners: Owners) -> None:
        """Add the nation of each piece that has one."""
        if self.nations:
            track = _printed_track(NATION, "nation", "choice", tuple(self.nations))
            self._add_column(track, owners.nations)

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
            if not is_name and slug(name) not in self._properties:
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

    def table(self) -> Iterator[dict[str, str]]:
        """Yield the rows of the roster: what is in their columns, as far as there is anything."""
        for kind in self._kinds:
            counted = {COUNT: str(kind.count)} if kind.count > 1 else {}
            yield {UNIT: kind.unit, **counted, **self.rows[kind.unit]}

    @property
    def columns(self) -> Iterator[str]:
        """All its columns in their order."""
        yield from (UNIT, COUNT, *self.tracks)


def _count_shared_tabs(paths: list[tuple[str, ...]]) -> int:
    """Return how many tabs all paths have in common at their beginning."""
    levels = enumerate(zip(*paths, strict=False))
    return next((level for level, some in levels if len({*some}) > 1), min(map(len, paths), default=0))


def _printed_track(
    name: str, title: str, kind: Literal["integer", "text", "choice", "flag"], values: tuple[str, ...] = ()
) -> Track:
    return Track(name=name, title=title, on="unit", kind=kind, values=values, printed="counter")
