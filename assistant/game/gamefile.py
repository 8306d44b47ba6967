"""What `game.toml` may say: a game's files, its notation, its sides, how pictures and modules show it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from ..state.state import HIDDEN, INVISIBLE, MASKED, NOBODY, SOMEBODY, UNSEEN
from ..state.tracks import Source, Track
from .hexes import HexGrid

NumberOfDice = Annotated[int, msgspec.Meta(ge=1, le=20)]
Sides = Annotated[int, msgspec.Meta(ge=2, le=100)]


class RosterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of the roster and where its values come from."""

    file: str
    source: Source


class Notation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this game's units are written: the ratings in brackets, in order, and what an unknown unit must have; and how
    a chain of hexes is, `4023=4022-4021r`: the words for which signs stand between two hexes, and letters behind one.
    """

    brackets: tuple[str, ...] = ()
    identity: tuple[str, ...] = ()
    signs: dict[str, str] = {}
    letters: dict[str, str] = {}


class ClassicCombat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A combat that needs no code: strengths added, a ratio rounded, one roll on a table (see
    `questions/builtin/classic.py`).

    rounding: to odds, down or at the midpoint between two; or to bands: columns that each begin at a percentage of the
    defence. bounds: these percentages, one for each column of the chart, from left to right.
    """

    attack: str
    defence: str
    rounding: Literal["down", "midpoint", "bands"]
    chart: str
    dice: tuple[NumberOfDice, Sides]
    rule: str = ""
    bounds: tuple[int, ...] = ()


class Picture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How pictures show the game: the tracks that hold a unit's symbol, nation, size and figures and the ground, what
    units of a symbol show in place of a figure that they lack, the track subtracted from every figure (losses), the
    style of the symbols of arms, the symbols of markers on hexes by track, `{}` standing for the value, and the colours
    of nations, countries and terrain by name, and those of sides, as #rrggbb. control: the track of hexes that says which
    side controls one; flags: those of hexes that have a sign in them, None for all that are printed on the map.
    """

    symbol: str = "arm"
    nation: str = "nation"
    size: str = "size"
    terrain: str = "terrain"
    barrier: str = "barrier"
    rail: str = "rail"
    road: str = "road"
    gauge: str = "gauge"
    border: str = "border"
    country: str = "country"
    control: str = "control"
    crossing: str = "crossing"
    causeway: str = "causeway"
    town: str = "town"
    flags: tuple[str, ...] | None = None
    figures: tuple[str, ...] = ("steps", "defence")
    instead: dict[str, dict[str, str]] = {}
    less: str = ""
    style: Literal["nato", "period"] = "nato"
    markers: dict[str, str] = {}
    colours: dict[str, str] = {}
    sides: dict[str, str] = {}


class Intelligence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a side may know of another side's units.

    rule: the rule that limits it. sees: of a stack in a hex, the "top" unit with its markers, "none" of the units,
        "all" of them, so that only `hidden` tracks stay hidden, or all of them where a unit of the side stands
        "adjacent" and none elsewhere.
    when: the facts of the game, by track, with which this is so, such as an optional rule in force; always without any.
    announced: the flag of hexes where an attack was announced, so that all units there are named, or the track of hexes
        that lists the sides to which they are. covers: the track of
        hexes whose marker also covers the top unit, for every side that does not stand adjacent to it. caps: the flag of
        hexes whose marker covers the whole stack for every other side, whatever stands adjacent and even if an attack was
        announced, until it is taken off. conceals: the flag of units that lie back side up: an enemy sees that something is
        there, and what it is once an attack on the hex was announced. conceals_with: the facts of the game, by track, with
        any of which this is in use, so that a counter that its own side has turned face down lies back side up; in saves
        and modules no counter does without them.
    weakest, strongest: what an unseen unit may be at either end of the range, as facts by track; hidden facts of units
        that are seen too are so at their weakest. decoy: what makes a
        unit one that is taken off the map once the enemy looks at it, likewise. decoys_with: the facts of the game, by
        track, with any of which such decoys may be about, so that an unseen unit may be none; in a game that states them
        decoys count for nothing in any rule.
    """

    rule: str = ""
    sees: Literal["top", "none", "all", "adjacent"] = "top"
    when: dict[str, str] = {}
    announced: str = ""
    covers: str = ""
    caps: str = ""
    conceals: str = ""
    conceals_with: dict[str, tuple[str, ...]] = {}
    weakest: dict[str, str] = {}
    strongest: dict[str, str] = {}
    decoy: dict[str, str] = {}
    decoys_with: dict[str, tuple[str, ...]] = {}


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the tour shows of the game: files of the game's folder with a line on each. brief: those that it shows by
    itself, with short answers; then: what to type next; try_this: a command to copy, at the end, and what it shows.
    """

    title: str
    shows: tuple[tuple[str, str], ...]
    brief: tuple[tuple[str, str], ...] = ()
    then: tuple[tuple[str, str], ...] = ()
    try_this: tuple[str, str] = ("", "")


class PageStart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """With what the table page begins on a first visit. setup: the name of a set-up; trusts: what beside that of the set-up stands in for the
    owner's own; shows: the hexes in the middle of the map, the first of them in any case; says: the sentence at the foot of the map.
    """

    setup: str
    shows: tuple[str, ...] = ()
    trusts: tuple[str, ...] = ()
    says: str = ""


class AnswerLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of an answer at the table. reads: as it stands on the screen; means: what it says, in words."""

    reads: str
    means: str


class AnswerCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a printed card says of the answers at the table, by an example.

    example: the file of the position in which it is asked; typed: the line that is typed there; means: how that line is
    put together; lines: those of its answer, in their order.
    """

    example: str = ""
    typed: str
    means: str = ""
    lines: tuple[AnswerLine, ...]


MARCH_WAY = "way"
"""The parameter of the question `march` of a table prompt that takes the hexes entered."""


class TablePrompt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the table prompt asks for a combat on one line, `TARGET < ATTACKERS`.

    ask: the question; target, attackers: its parameters for the hex before the sign and for those behind it; without:
    its parameter for units that stay out; around: those that hold only while the same hexes attack; aims: facts of
    units that name the hex which they attack; ground: facts of a hex, other than its terrain, that a combat turns on; pair: two numbers that counters of their kinds show with a slash between
    them, so that a new unit with such a name behind a unit of these kinds is asked about; short: short names of
    parameters; called: what players call parameters, facts and questions whose names are words of a line; also: further questions about that combat, which take over its parameters, each with the parameter that
    is typed without its name (`need 3:1`); along: the question that units behind a chain of hexes ask, which its first
    parameter names (`4023=4022-4021 25/3`); march: the question that units before a > ask, with the hexes behind it as its
    parameter `way` (`25/3 > 4022 4021`); usual: by track or parameter, what is taken for granted, and reported, if
    it is not stated: a value, or several of which the first is taken; when: the fact of the game that dates the
    journal.
    """

    ask: str
    target: str
    attackers: str
    without: str = ""
    around: tuple[str, ...] = ()
    aims: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    short: dict[str, str] = {}
    called: dict[str, str] = {}
    also: dict[str, str] = {}
    along: str = ""
    march: str = ""
    usual: dict[str, tuple[str, ...] | str] = {}
    when: str = ""

    @property
    def about(self) -> tuple[str, ...]:
        """The questions about a combat on one line."""
        return self.ask, *self.also


class LuckRolls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rolls of one kind, as luck is told.

    roll: the first or the last part of their names; title: what they are called together, such as `Effectiveness Checks`; ask: the only
    question whose rolls these are, "" for all; good: which totals are good for who throws, where nothing else tells, ""
    where it is not stated; passes: the last part of the names by which the procedure notes whether a check is passed;
    fails: the same of by how much it is failed.
    """

    roll: str
    title: str
    ask: str = ""
    good: Literal["low", "high", ""] = ""
    passes: str = ""
    fails: str = ""


class Luck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What counts when luck is told.

    unit: in what losses are counted; loses: by the roles of a combat, such as attacker and defender, the quantities of its
    procedure that say what each loses; afterwards: likewise what each loses in what follows that procedure, which is no
    part of the swing; ask: the questions that are battles; rolls: the kinds of rolls.
    """

    unit: str = "step"
    loses: dict[str, tuple[str, ...]] = {}
    afterwards: dict[str, tuple[str, ...]] = {}
    ask: tuple[str, ...] = ("battle",)
    rolls: tuple[LuckRolls, ...] = ()

    def kind_of(self, question: str, roll: str) -> LuckRolls | None:
        """The kind of a roll of a question, by the last part of its name or else by the first; None for none that is
        declared.
        """
        parts = roll.rpartition(".")[2], roll.partition(".")[0]
        alike = (
            kind
            for part in parts
            for asked in (question, "")
            for kind in self.rolls
            if (kind.roll, kind.ask) == (part, asked)
        )
        return next(alike, None)


_NO_COMBAT = TablePrompt(ask="", target="", attackers="")
"""What a game's table prompt asks for that takes no combat on one line."""


class VassalModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The VASSAL module that the builder makes of the game.

    name: of the module; about: what it shows, in a sentence or two; board: the drawn board that it shows, "" for the
    printed map; columns, rows: first and last of the part of the map that is shown, all of it by default; hex: height
    of a hex, flat side to flat side, in pixels; counter: side of a counter in pixels; places: a CSV file of hexes and
    the names of places in them; units: the file of the roster whose units the module has, or several, all units by default;
    palettes: the printed facts by which the counters are sorted, such as nation, army and corps: tabs, and a list for
    the last; setups: positions, each a file with its title; dice: buttons, each a number of dice and their sides;
    renamed: units that have been renamed, each with its name in older modules, whose saves then fit; version: of the
    module, to which a mark of its content is added; extra: a folder laid out as a module is, whose files and elements
    are added; charts: pictures and HTML pages for the window of charts, each a title with its file; windows: other
    boards, whose pictures have a window each; names: a CSV file with what players call units whose ids are short for
    typing: unit, name; dead_pile: the box of the board for counters that are lost, which then has a box for each side
    in the window of those out of play; "" where these stand nowhere; supply: whether it has pieces that show supply,
    which answers about it put on the map.
    """

    name: str
    about: str = ""
    board: str = ""
    columns: tuple[int, int] | None = None
    rows: tuple[int, int] | None = None
    hex: int = 112
    counter: int = 75
    places: str = ""
    units: str | tuple[str, ...] = ""
    palettes: tuple[str, ...] = ()
    setups: tuple[tuple[str, str], ...] = ()
    dice: tuple[tuple[NumberOfDice, Sides], ...] = ((2, 6), (1, 6))
    renamed: dict[str, str] = {}
    version: str = "1.0"
    extra: str = ""
    charts: tuple[tuple[str, str], ...] = ()
    windows: tuple[str, ...] = ()
    names: str = ""
    dead_pile: str = ""
    supply: bool = False

    @property
    def unit_files(self) -> tuple[str, ...]:
        """The files of the roster whose units it has, none if it has all."""
        files = (self.units,) if isinstance(self.units, str) else self.units
        return tuple(filter(None, files))


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `game.toml` may say.

    id: by which the game is known, by default the name of its folder: a copy or a renamed folder keeps that of its
    positions, saves and pack. author: who made these files, as printed documents say. titles: what sides and nations
    are called in texts, by default as they are named here with capital letters. one_map: whether the boards show one
    printed map, on which a number means one place; otherwise each is a map of its own. figures: what the figures of the
    working mean; wishes: what a player may wish to know, in his own words, each with the question that answers it, and
    after a colon where its answer says so; chapters: the chapters of the rulebook in their order, each with its heading.
    """

    title: str
    id: str = ""
    about: str = ""
    author: str = ""
    grid: HexGrid = HexGrid()
    one_map: bool = True
    boxes: tuple[str, ...] = ()
    notation: Notation = Notation()
    sides: dict[str, tuple[str, ...]] = {}
    titles: dict[str, str] = {}
    roster: tuple[RosterFile, ...] = ()
    figures: dict[str, str] = {}
    wishes: dict[str, str] = {}
    chapters: dict[str, str] = {}
    combat: ClassicCombat | None = None
    picture: Picture = Picture()
    intelligence: Intelligence | None = None
    demo: Demo | None = None
    start: PageStart | None = None
    table: TablePrompt | None = None
    card: AnswerCard | None = None
    luck: Luck = Luck()
    module: VassalModule | None = None

    @property
    def prompt(self) -> TablePrompt:
        """How the table prompt asks for a combat on one line; of nothing where the game takes none."""
        return self.table or _NO_COMBAT

    @property
    def nations(self) -> tuple[str, ...]:
        """The nations of all sides."""
        return tuple(dict.fromkeys(nation for nations in self.sides.values() for nation in nations))

    def title_of(self, who: str) -> str:
        """What a side or nation is called in texts: `Central Powers`, `Austro-Hungarian`."""
        if title := self.titles.get(who):
            return title
        joint = "-" if any(who in nations for nations in self.sides.values()) else " "
        return joint.join(part[:1].upper() + part[1:] for part in who.split("-"))

    def the_side(self, side: str) -> str:
        """A side as a sentence names it: `the Allies`, `the Russian side`, `Italy`, `the Ottoman Empire`."""
        title = self.title_of(side)
        if self.is_country(side):
            return title
        return f"the {title}" if title.endswith("s") or _STATE.search(title) else f"the {title} side"

    def is_country(self, side: str) -> bool:
        """Whether a side is called by the name of a country, which needs no article: `Italy`, not `Italian`."""
        return bool(_COUNTRY.search(self.title_of(side)))


_COUNTRY = re.compile(r"[A-Z]\w*(?:ia|land|aly|any|ary|key|ance|ain|ium|pan)$")
"""How the names of countries end in English."""
_STATE = re.compile(r" (?:Empire|Kingdom|Republic|Union|Alliance|League|Army)$")
"""How names end that have an article and stand for a side by themselves."""


def tracks_of_hiding(file: GameFile, tracks: Mapping[str, Track]) -> dict[str, Track]:
    """The built-in tracks of a game with sides, for hidden units."""
    if not file.sides:
        return {}
    owners, rule = (*file.sides, NOBODY), file.intelligence.rule if file.intelligence else ""
    unseen = (*file.sides, SOMEBODY) if len(file.sides) > 2 else tuple(file.sides)
    varying = tuple(track.name for track in tracks.values() if track.on == "unit" and track.printed is None)
    own = [
        Track(name=MASKED, title="side that masked it", on="unit", kind="choice", values=owners, rule=rule),
        Track(name=INVISIBLE, title="only side that sees it", on="unit", kind="choice", values=owners, rule=rule),
        Track(name=UNSEEN, title="side of unseen units there", on="hex", kind="choice", values=unseen, rule=rule),
    ]  # fmt: skip
    if varying:
        title = "hidden facts"
        own.append(Track(name=HIDDEN, title=title, on="unit", kind="choices", values=varying, rule=rule))
    return {track.name: track for track in own}
