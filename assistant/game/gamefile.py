"""The contents of `game.toml`: a game's files, notation and sides, and its look in pictures and modules."""

# No postponed annotations here: msgspec would have to compile them for each game that is loaded.

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Literal

import msgspec

from ..state.state import HIDDEN, INVISIBLE, MASKED, NOBODY, SOMEBODY, UNSEEN
from ..state.tracks import Source, Track
from ..util.notes import note
from ..util.patterns import late_pattern
from .hexes import HexGrid

NumberOfDice = Annotated[int, msgspec.Meta(ge=1, le=20)]
Sides = Annotated[int, msgspec.Meta(ge=2, le=100)]


class RosterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file of the roster, and the source of its values."""

    file: str
    source: Source


class Notation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The notation of this game's units, and of chains of hexes such as `4023=4022-4021r`."""

    brackets: tuple[str, ...] = ()
    """The tracks of the ratings in brackets, in order."""
    identity: tuple[str, ...] = ()
    """The tracks written before a unit's name, which an unknown unit must have."""
    signs: dict[str, str] = {}
    """The words for the signs between two hexes of a chain, by sign."""
    letters: dict[str, str] = {}
    """The words for the letters after a hex of a chain, by letter."""


class ClassicCombat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A combat that needs no code: strengths are added, and one roll is read on a table by their ratio.

    See `questions/builtin/classic.py`.
    """

    attack: str
    defence: str
    rounding: Literal["down", "midpoint", "bands"]
    """The rounding of the ratio: down or at the midpoint to odds, or to bands of percentages of the defence."""
    chart: str
    dice: tuple[NumberOfDice, Sides]
    rule: str = ""
    bounds: tuple[int, ...] = ()
    """The percentages at which bands begin, one for each column of the chart, from left to right."""


class TroopSymbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The symbol of some units, such as Landwehr."""

    draw: Annotated[str, note("the name of the symbol, `{}` standing for the word of the track `symbol`")]
    named: Annotated[tuple[str, ...], note("the words of which the unit's ID has one; any ID without")] = ()
    of: Annotated[tuple[str, ...], note("the words of the track `symbol`; any without")] = ()
    facts: Annotated[dict[str, str], note("what the unit's counter says, by track")] = {}


class PictureTracks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tracks that pictures read, the style of the symbols of arms, and colours as #rrggbb."""

    symbol: Annotated[str, note("the track of a unit's symbol")] = "arm"
    nation: str = "nation"
    size: str = "size"
    terrain: Annotated[str, note("the track of a hex's terrain")] = "terrain"
    barrier: str = "barrier"
    rail: str = "rail"
    road: str = "road"
    gauge: str = "gauge"
    border: str = "border"
    country: str = "country"
    control: Annotated[str, note("the track of the side that controls a hex")] = "control"
    crossing: str = "crossing"
    causeway: str = "causeway"
    town: str = "town"
    flags: Annotated[
        tuple[str, ...] | None,
        note("the tracks of signs drawn in hexes, or None if all that are printed on the map"),
    ] = None
    figures: Annotated[tuple[str, ...], note("the tracks of a unit's figures")] = ("steps", "defence")
    instead: Annotated[
        dict[str, dict[str, str]], note("what units of a symbol show in place of a figure that they lack")
    ] = {}
    less: Annotated[str, note("the track subtracted from every figure (losses)")] = ""
    style: Literal["nato", "period"] = "nato"
    symbols: Annotated[dict[str, str], note("the name of the symbol for a word, if it is not the usual one")] = {}
    troops: Annotated[
        tuple[TroopSymbol, ...], note("the symbols of some units; the first that fits a unit counts")
    ] = ()
    markers: Annotated[
        dict[str, str], note("the symbols of markers on hexes by track, `{}` standing for the value")
    ] = {}
    colours: Annotated[dict[str, str], note("the colours of nations, countries and terrain by name")] = {}
    sides: Annotated[dict[str, str], note("the colours of sides")] = {}


class Intelligence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules on what a side knows of another side's units."""

    rule: Annotated[str, note("the rule that limits it")] = ""
    sees: Annotated[
        Literal["top", "none", "all", "adjacent"],
        note(
            "of a stack: the top unit, no unit, all (except `hidden` tracks), or all where adjacent to a unit of the side"
        ),
    ] = "top"
    when: Annotated[dict[str, str], note("facts of the game, by track, with which this is so; always without any")] = {}
    announced: Annotated[
        str,
        note("the flag of hexes that are attacked, so that units there are named, or the track of the sides to which"),
    ] = ""
    covers: Annotated[
        str, note("the track of hexes whose marker covers the top unit too, except for sides adjacent to it")
    ] = ""
    caps: Annotated[
        str, note("the flag of hexes whose marker covers the whole stack for every other side, whatever else holds")
    ] = ""
    conceals: Annotated[
        str,
        note("the flag of units that lie back side up: an enemy knows that a unit is there, and which once attacked"),
    ] = ""
    conceals_with: Annotated[
        dict[str, tuple[str, ...]],
        note("facts of the game, by track; with any of them counters turned face down state `conceals`"),
    ] = {}
    weakest: Annotated[
        dict[str, str], note("facts by track of an unseen unit, and of hidden facts, at the lower end of the range")
    ] = {}
    strongest: Annotated[dict[str, str], note("facts by track of an unseen unit at the upper end of the range")] = {}
    decoy: Annotated[dict[str, str], note("facts by track of a unit that leaves the map once the enemy sees it")] = {}
    decoys_with: Annotated[
        dict[str, tuple[str, ...]],
        note("facts of the game, by track; with any of them an unseen unit may be a decoy, which counts for nothing"),
    ] = {}


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tour of the game."""

    title: str
    shows: tuple[tuple[str, str], ...]
    """Files of the game's folder, each with a line about it."""
    brief: tuple[tuple[str, str], ...] = ()
    """The files shown unasked, with short answers."""
    then: tuple[tuple[str, str], ...] = ()
    """The commands to type next."""
    try_this: tuple[str, str] = ("", "")
    """A command to copy at the end, with what it shows."""


class PageStart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The beginning of the table page on a first visit."""

    setup: str
    """The name of a set-up."""
    shows: tuple[str, ...] = ()
    """The hexes in the middle of the map; the first is always shown."""
    trusts: tuple[str, ...] = ()
    """The trusted stand-ins for the owner's data, in addition to those of the set-up."""
    says: str = ""
    """The sentence at the foot of the map."""


class AnswerLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of an answer at the table."""

    reads: str
    """The line on the screen."""
    means: str
    """The meaning of the line in words."""


class AnswerCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An example of a typed line and its answer, for the printed card."""

    example: str = ""
    """The file of the position."""
    typed: str
    """The typed line."""
    means: str = ""
    """The parts of the typed line, explained."""
    lines: tuple[AnswerLine, ...]
    """The lines of the answer."""


MARCH_WAY = "way"
"""The parameter of the question `march` of a table prompt that takes the hexes entered."""


class TablePrompt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The questions and parameters behind a combat typed on one line at the table prompt.

    The line is `TARGET < ATTACKERS`.
    """

    ask: Annotated[str, note("the question")]
    target: Annotated[str, note("the parameter of `ask` for the attacked hex, before the `<`")]
    attackers: Annotated[str, note("the parameter of `ask` for the attackers' hexes, after the `<`")]
    without: Annotated[str, note("the parameter of `ask` for units that stay out")] = ""
    around: Annotated[tuple[str, ...], note("the parameters of `ask` that hold only while the same hexes attack")] = ()
    aims: Annotated[tuple[str, ...], note("facts of units that name the hex which the units attack")] = ()
    ground: Annotated[tuple[str, ...], note("facts of a hex, other than its terrain, that a combat turns on")] = ()
    pair: Annotated[
        tuple[str, ...],
        note("numbers on counters with a slash between them, so that such a name of a new unit is doubted"),
    ] = ()
    short: Annotated[dict[str, str], note("short names of parameters")] = {}
    called: Annotated[
        dict[str, str], note("what players call parameters, facts and questions whose names are words of a line")
    ] = {}
    also: Annotated[
        dict[str, str],
        note("further questions about that combat, each with the parameter typed without its name (`need 3:1`)"),
    ] = {}
    along: Annotated[str, note("the question behind a chain of hexes, its first parameter (`4023=4022-4021 25/3`)")] = (
        ""
    )
    mistaken: Annotated[
        dict[str, str],
        note("words for whose signs players type in the place of another along such a chain, each with the word meant"),
    ] = {}
    march: Annotated[
        str, note("the question of units before a >, with the hexes behind it as `way` (`25/3 > 4022 4021`)")
    ] = ""
    usual: Annotated[
        dict[str, tuple[str, ...] | str],
        note("by track or parameter, what is assumed if it is not stated: a value, or the first of several"),
    ] = {}
    when: Annotated[str, note("the fact of the game that dates the journal")] = ""

    @property
    def about(self) -> tuple[str, ...]:
        """The questions about a combat on one line."""
        return self.ask, *self.also


class LuckRolls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of rolls in the report on luck."""

    roll: Annotated[str, note("the first or the last part of their names")]
    title: Annotated[str, note("what they are called together, such as `Effectiveness Checks`")]
    ask: Annotated[str, note('the only question whose rolls these are, "" for all')] = ""
    good: Annotated[
        Literal["low", "high", ""], note("which totals are good for the thrower, where nothing else says it")
    ] = ""
    passes: Annotated[
        str, note("the last part of the names by which the procedure notes whether a check is passed")
    ] = ""
    fails: Annotated[str, note("the last part of the names by which it notes by how much a check is failed")] = ""


class Luck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The losses, battles and rolls that the report on luck counts."""

    unit: Annotated[str, note("in what losses are counted")] = "step"
    loses: Annotated[
        dict[str, tuple[str, ...]],
        note("by the roles of a combat, the quantities of its procedure that say what each loses"),
    ] = {}
    afterwards: Annotated[
        dict[str, tuple[str, ...]],
        note("likewise, what each loses after that procedure, apart from the swing"),
    ] = {}
    ask: Annotated[tuple[str, ...], note("the questions that are battles")] = ("battle",)
    rolls: Annotated[tuple[LuckRolls, ...], note("the kinds of rolls")] = ()

    def kind_of(self, question: str, roll: str) -> LuckRolls | None:
        """Return the kind of a question's roll by the last part of its name, or else by the first, or None.

        For each part, a kind for this question precedes one for all questions.
        """
        kinds = {(kind.roll, kind.ask): kind for kind in reversed(self.rolls)}  # for equal keys the first kind wins
        for part in (roll.rpartition(".")[2], roll.partition(".")[0]):
            for asked in (question, ""):
                if kind := kinds.get((part, asked)):
                    return kind
        return None


_NO_COMBAT = TablePrompt(ask="", target="", attackers="")
"""The table prompt of a game without combats on one line."""


class VassalModule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The VASSAL module that the builder makes of the game; lengths are pixels."""

    name: str
    about: Annotated[str, note("what it shows, in a sentence or two")] = ""
    board: Annotated[str, note('the drawn board that it shows, "" for the printed map')] = ""
    columns: Annotated[
        tuple[int, int] | None,
        note("first and last of the part of the map that is shown, None for all; `rows` likewise"),
    ] = None
    rows: tuple[int, int] | None = None
    hex: Annotated[int, note("height of a hex, flat side to flat side")] = 112
    counter: Annotated[int, note("side of a counter")] = 75
    places: Annotated[str, note("a CSV file of hexes and the names of places in them")] = ""
    units: Annotated[
        str | tuple[str, ...], note('the file or files of the roster whose units the module has, "" for all')
    ] = ""
    palettes: Annotated[
        tuple[str, ...], note("the printed facts by which the counters are sorted: tabs, and a list for the last")
    ] = ()
    setups: Annotated[tuple[tuple[str, str], ...], note("positions, each a file with its title")] = ()
    dice: Annotated[tuple[tuple[NumberOfDice, Sides], ...], note("buttons, each a number of dice and their sides")] = (
        (2, 6),
        (1, 6),
    )
    renamed: Annotated[
        dict[str, str], note("units that have been renamed, each with its name in older modules, whose saves then fit")
    ] = {}
    version: Annotated[str, note("the version of the module, to which a mark of its content is added")] = "1.0"
    extra: Annotated[str, note("a folder laid out as a module is, whose files and elements are added")] = ""
    charts: Annotated[
        tuple[tuple[str, str], ...],
        note("pictures and HTML pages for the window of charts, each a title with its file"),
    ] = ()
    windows: Annotated[tuple[str, ...], note("other boards, whose pictures have a window each")] = ()
    names: Annotated[
        str, note("a CSV file with what players call units whose ids are short for typing: unit, name")
    ] = ""
    dead_pile: Annotated[str, note('the box of the board for counters that are lost, "" if they are nowhere')] = ""
    supply: Annotated[bool, note("whether it has pieces that show supply")] = False

    @property
    def unit_files(self) -> tuple[str, ...]:
        """The files of the roster whose units the module has, or () if the module has all units."""
        files = (self.units,) if isinstance(self.units, str) else self.units
        return tuple(filter(None, files))


class GameFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `game.toml`; the handbook describes each key."""

    title: str
    id: Annotated[
        str, note("by default the name of its folder; a copy of the folder keeps that of its positions, saves and pack")
    ] = ""
    aliases: Annotated[tuple[str, ...], note("short names that stand for the id, such as those that players use")] = ()
    about: str = ""
    author: Annotated[str, note("who made these files, as printed documents say")] = ""
    grid: HexGrid = HexGrid()
    one_map: Annotated[bool, note("whether all boards show one printed map, on which a number means one place")] = True
    boxes: tuple[str, ...] = ()
    notation: Notation = Notation()
    sides: dict[str, tuple[str, ...]] = {}
    titles: Annotated[
        dict[str, str], note("what sides and nations are called in texts, by default their names with capital letters")
    ] = {}
    roster: tuple[RosterFile, ...] = ()
    figures: Annotated[dict[str, str], note("what the figures of the working mean")] = {}
    wishes: Annotated[
        dict[str, str], note("what players may wish to know, in their words, with the question that answers it")
    ] = {}
    chapters: Annotated[dict[str, str], note("the chapters of the rulebook in their order, each with its heading")] = {}
    combat: ClassicCombat | None = None
    picture: PictureTracks = PictureTracks()
    intelligence: Intelligence | None = None
    demo: Demo | None = None
    start: PageStart | None = None
    table: TablePrompt | None = None
    card: AnswerCard | None = None
    luck: Luck = Luck()
    module: VassalModule | None = None

    @property
    def prompt(self) -> TablePrompt:
        """The game's table prompt, or an empty one if the game has none."""
        return self.table or _NO_COMBAT

    @property
    def nations(self) -> tuple[str, ...]:
        """The different nations of all sides."""
        return tuple(dict.fromkeys(nation for nations in self.sides.values() for nation in nations))

    def title_of(self, who: str) -> str:
        """Return the name of a side or nation in texts, such as `Central Powers` or `Austro-Hungarian`.

        Without a declared title, the name is made of the id: a nation keeps its hyphens, a side gets spaces.
        """
        if title := self.titles.get(who):
            return title
        joint = "-" if any(who in nations for nations in self.sides.values()) else " "
        return joint.join(part[:1].upper() + part[1:] for part in who.split("-"))

    def the_side(self, side: str) -> str:
        """Return a side in the form for a sentence: `the Allies`, `the Russian side`, `Italy`, `the Ottoman Empire`."""
        title = self.title_of(side)
        if self.is_country(side):
            return title
        return f"the {title}" if title.endswith("s") or _STATE.search(title) else f"the {title} side"

    def name_subject(self, on: str, subject: str) -> str:
        """Return the subject of a fact in the form for a sentence: a side with its article, others unchanged.

        `on`: the kind of subject of the fact's track.
        """
        return self.the_side(subject) if on == "side" else subject

    def is_country(self, side: str) -> bool:
        """Return whether a side's title is a country's name, which needs no article: `Italy`, not `Italian`."""
        return bool(_COUNTRY.search(self.title_of(side)))


_COUNTRY = late_pattern(r"[A-Z]\w*(?:ia|land|aly|any|ary|key|ance|ain|ium|pan)$")
"""The endings of the names of countries in English."""
_STATE = late_pattern(r" (?:Empire|Kingdom|Republic|Union|Alliance|League|Army)$")
"""The last words of titles that need an article, but not the word `side`."""


def tracks_of_hiding(file: GameFile, tracks: Mapping[str, Track]) -> dict[str, Track]:
    """Return the built-in tracks for hidden units by name, or {} if the game has no sides."""
    if not file.sides:
        return {}
    owners = (*file.sides, NOBODY)
    rule = file.intelligence.rule if file.intelligence else ""
    # With two sides, unseen units belong to the other side; with more, to any of them.
    unseen = (*file.sides, SOMEBODY) if len(file.sides) > 2 else tuple(file.sides)
    unprinted = tuple(track.name for track in tracks.values() if track.on == "unit" and track.printed is None)
    lasting = partial(Track, rule=rule, lasts=True)
    built_in = [
        lasting(name=MASKED, title="side that masked it", on="unit", kind="choice", values=owners),
        lasting(name=INVISIBLE, title="only side that sees it", on="unit", kind="choice", values=owners),
        lasting(name=UNSEEN, title="side of unseen units there", on="hex", kind="choice", values=unseen),
    ]  # fmt: skip
    if unprinted:
        title = "hidden facts"
        built_in.append(lasting(name=HIDDEN, title=title, on="unit", kind="choices", values=unprinted))
    return {track.name: track for track in built_in}
