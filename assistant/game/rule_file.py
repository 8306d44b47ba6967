"""The contents of `rules.toml`: the rules of a game that are data.

A clause has the number of its rule, the words of answers, and conditions: facts of a unit, of a hex, of a hexside or of
the game. It holds if all its conditions do.
"""

# No postponed annotations here: msgspec would have to compile them for each game that is loaded.

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

import msgspec

from ..util.datafiles import read_toml, resolve_within
from ..util.errors import OnFault, stop
from ..util.memo import Memo
from ..util.notes import field_meaning, fields_of, hints_of, kinds_named, note
from .games import CLAUSES, Game

QUESTIONS_OF_SECTIONS = {
    "zones": ("zones",),
    "stacking": ("stack",),
    "movement": ("reach", "move"),
    "supply": ("supply",),
    "battle": ("battle", "attacks", "need"),
    "retreat": ("retreat",),
    "advance": ("advance",),
    "victory": ("victory",),
}
"""The questions that each section answers. `threat` comes with movement, supply and battle together."""
Wanted = bool | int | str | tuple[str, ...]
"""The value that a condition wants of a fact: yes or no, a word, one of several words, a number or a range `2-5`."""
Facts = dict[str, Wanted]
"""The values that a condition wants, by track. `side` and `name` are those of a unit."""
RuleNumber = Annotated[str, msgspec.Meta(extra={"is": "rule"})]
Rounding = Literal["up", "down"]
Edge = Literal["north", "east", "south", "west"]


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every section and clause may state."""

    rule: Annotated[RuleNumber, note("the number of its rule, named in answers")] = ""
    rows: Annotated[RuleNumber, note("further rows of the rule index that it applies")] = ""


class Clause(Part, frozen=True, kw_only=True):
    """A rule that holds under conditions, or always if it states none."""

    says: Annotated[str, note("what answers say of it")] = ""
    unit: Annotated[Facts, note("facts of the unit")] = {}
    but: Annotated[Facts, note("facts of units to which it does not apply")] = {}
    into: Annotated[Facts, note("facts of the hex that is entered or attacked")] = {}
    over: Annotated[Facts, note("facts of the hexside that is crossed")] = {}
    when: Annotated[Facts, note("facts of the game")] = {}
    option: Annotated[str, note("options that must be in force, with spaces between")] = ""
    unless: Annotated[str, note("options of which none may be in force")] = ""
    ruling: Annotated[str, note("RULING=READING by which it holds")] = ""


class UnitClause(Clause, frozen=True, kw_only=True):
    """A clause about a unit that may depend on the unit's supply."""

    supplied: Annotated[bool | None, note("whether the unit must be in supply, or out of it")] = None


class Ground(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tracks of the map that rules read."""

    hex: Annotated[str, note("the track of the terrain of hexes")] = "terrain"
    hexside: Annotated[str, note("the track of the features of hexsides, such as a river")] = ""
    roads: Annotated[tuple[str, ...], note("the tracks of roads and the like, which cross hexsides")] = ()
    control: Annotated[str, note("the track of hexes with the side that controls each")] = ""


class Terrain(Part, frozen=True, kw_only=True):
    """A row of the Terrain Effects Chart: a word of the ground or of a hexside, or a road."""

    all: Annotated[int | None, note("the cost for every unit that `by` does not name")] = None
    by: Annotated[dict[str, int], note("the cost by kind of unit; without `all` no other kind enters")] = {}
    shift: Annotated[int, note("columns, if such a hex is attacked, or if all attack across such a hexside")] = 0
    die: Annotated[int, note("the DRM in the same case")] = 0


class Zones(Part, frozen=True, kw_only=True):
    """Zones of control."""

    none: Annotated[tuple[Clause, ...], note("units without a zone")] = ()
    barred: Annotated[tuple[Clause, ...], note("hexsides and hexes that zones do not enter")] = ()


class Limit(Clause, frozen=True, kw_only=True):
    """The units, or the points of units, that a hex holds at most."""

    total: Annotated[int, note("the greatest number of units, or of their points")]
    points: Annotated[str, note("the track of units that is added up; units are counted if left out")] = ""


class Stacking(Part, frozen=True, kw_only=True):
    """The contents of a hex."""

    ends: Annotated[str, note("when excess units are eliminated, in words")] = "the phase"
    phases: Annotated[tuple[str, ...], note("the phases at whose end they are; any phase if left out")] = ()
    limit: tuple[Limit, ...] = ()


class Points(UnitClause, frozen=True, kw_only=True):
    """A change to a unit's Movement Points."""

    add: int = 0
    halved: Annotated[Rounding | None, note("whether a half is rounded up or down")] = None


class Extra(Clause, frozen=True, kw_only=True):
    """A cost of a step besides the terrain."""

    cost: int
    zone: Annotated[
        Literal["enters", "leaves"] | None, note("only if the step enters or leaves an enemy zone of control")
    ] = None


class Movement(Part, frozen=True, kw_only=True):
    """Movement on the map."""

    allowance: Annotated[str, note("the track of Movement Points")] = "movement"
    phases: Annotated[tuple[str, ...], note("the phases in which units move")] = ()
    column: Annotated[str, note("the track of units whose words are the kinds of `by` in [terrain.NAME]")] = ""
    enemies: Annotated[RuleNumber, note("the rule by which no unit enters a hex of enemies")] = ""
    stop: Annotated[RuleNumber, note("the rule by which units stop in an enemy zone")] = ""
    across: Annotated[
        RuleNumber, note("the rule by which no unit goes from one enemy zone into another, unless a friend is there")
    ] = ""
    enter: Annotated[RuleNumber, note("the rule by which units enter the map at the edge of their side")] = ""
    minimum: Annotated[RuleNumber, note("the rule by which a unit may always move one hex")] = ""
    points: Annotated[tuple[Points, ...], note("changes to Movement Points, in order")] = ()
    unable: Annotated[tuple[Clause, ...], note("units that do not move")] = ()
    barred: Annotated[tuple[Clause, ...], note("hexes and hexsides that units do not enter or cross")] = ()
    extra: Annotated[tuple[Extra, ...], note("costs besides the terrain")] = ()


class OfSide(Clause, frozen=True, kw_only=True):
    """A clause about the lines of a side."""

    side: Annotated[str, note("the side; both if left out")] = ""


class SupplySource(OfSide, frozen=True, kw_only=True):
    """The place where lines of supply begin."""

    edge: Annotated[Edge | None, note("an edge of the map")] = None
    place: Annotated[str, note("a named place")] = ""
    along: Annotated[str, note("the track of hexsides, such as a road, that carries supply on from there")] = ""


class Length(OfSide, frozen=True, kw_only=True):
    """The greatest length of a line; the first that holds counts."""

    hexes: Annotated[int, note("the hexes of the line")]


class SupplyLines(Part, frozen=True, kw_only=True):
    """Lines of supply. They enter no enemy hex, and no enemy zone without a friend."""

    held: Annotated[RuleNumber, note("the rule by which lines enter no hex that enemies control")] = ""
    source: tuple[SupplySource, ...] = ()
    length: Annotated[tuple[Length, ...], note("the greatest lengths in hexes; any length if none holds")] = ()
    end: Annotated[tuple[OfSide, ...], note("ground that lines enter and do not leave, as `into`")] = ()


class Strength(UnitClause, frozen=True, kw_only=True):
    """A change to the strength of a unit in a combat."""

    role: Annotated[Literal["attacker", "defender"] | None, note("only of this side of the combat")] = None
    add: int = 0
    times: int = 1
    halved: Annotated[Rounding | None, note("whether a half is rounded up or down")] = None


class Shift(Clause, frozen=True, kw_only=True):
    """A shift of the column, or a DRM. `unit` is one of the attackers, and every attacker crosses `over`."""

    column: int = 0
    die: int = 0
    against: Annotated[Facts, note("facts of units of which none defends")] = {}


class Battle(Part, frozen=True, kw_only=True):
    """Combat by odds, rounded down, and one die."""

    attack: Annotated[str, note("the track of attack strengths")]
    defence: Annotated[str, note("the track of defence strengths")]
    chart: Annotated[str, note("the chart of results; its keys are the column and the die")]
    phases: Annotated[tuple[str, ...], note("the phases in which units attack")] = ()
    steps: Annotated[str, note("the flag of units that have lost a step, in a game with steps")] = ""
    retreat: Annotated[RuleNumber, note("the rule of the length of retreats")] = ""
    pursuit: Annotated[RuleNumber, note("the rule by which victors advance")] = ""
    results: Annotated[
        dict[str, str], note("the effects of each result that is not written so on the chart: `A1 DR2`")
    ] = {}
    idle: Annotated[tuple[Clause, ...], note("units that do not attack")] = ()
    strength: Annotated[tuple[Strength, ...], note("changes to the strength of units, in order")] = ()
    shift: Annotated[tuple[Shift, ...], note("shifts and DRMs besides those of [terrain.NAME]")] = ()


class RetreatRules(Part, frozen=True, kw_only=True):
    """Retreats."""

    hexes: Annotated[int, note("the greatest number of hexes of a retreat")] = 4
    zones: Annotated[RuleNumber, note("the rule by which none enters an enemy zone without a friend")] = ""
    toward: Annotated[RuleNumber, note("the rule by which none leads away from the edge of the side")] = ""
    barred: Annotated[tuple[Clause, ...], note("hexes and hexsides that retreats do not enter or cross")] = ()


class Advance(Part, frozen=True, kw_only=True):
    """The advance after combat."""

    hexes: Annotated[int, note("the hexes that units may enter, the cleared one first")] = 1
    stop: Annotated[RuleNumber, note("the rule by which units stop in an enemy zone")] = ""
    unable: Annotated[tuple[Clause, ...], note("units that do not advance")] = ()
    barred: Annotated[tuple[Clause, ...], note("hexes and hexsides that units do not enter or cross")] = ()


class Scoring(Part, frozen=True, kw_only=True):
    """Victory Points and levels of victory."""

    levels: Annotated[
        dict[str, int], note("each level with the multiple of the enemy's points that wins it, the highest first")
    ] = {}
    level_rule: Annotated[RuleNumber, note("the rule of the levels")] = ""
    losses: Annotated[
        str, note("the track of units with the points that the enemy scores for an eliminated unit; none if left out")
    ] = ""
    draw: Annotated[str, note("the word for a draw")] = "draw"


class RuleFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sections of `rules.toml`."""

    edges: Annotated[dict[str, Edge], note("the edge of the map of each side")] = {}
    ground: Ground = Ground()
    terrain: Annotated[dict[str, Terrain], note("the Terrain Effects Chart by word; no unit enters other words")] = {}
    zones: Zones | None = None
    stacking: Stacking | None = None
    movement: Movement | None = None
    supply: SupplyLines | None = None
    battle: Battle | None = None
    retreat: RetreatRules | None = None
    advance: Advance | None = None
    victory: Scoring | None = None

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions that the sections answer."""
        names = [name for section, names in QUESTIONS_OF_SECTIONS.items() if getattr(self, section) for name in names]
        has_threats = self.movement and self.supply and self.battle and self.battle.phases
        return (*names, *(["threat"] if has_threats else []))

    def sections(self) -> Iterator[tuple[str, Part]]:
        """Yield the sections that state rules, by name."""
        for name in self.__struct_fields__:
            if isinstance(section := getattr(self, name), Part):
                yield name, section

    def clauses(self) -> Iterator[tuple[str, Clause]]:
        """Yield the clauses with their places, such as `stacking.limit 2`."""
        for name, section in self.sections():
            for field in section.__struct_fields__:
                values = getattr(section, field)
                if isinstance(values, tuple):
                    clauses = [value for value in values if isinstance(value, Clause)]
                    yield from ((f"{name}.{field} {number}", clause) for number, clause in enumerate(clauses, 1))

    def parts(self) -> Iterator[tuple[str, Part]]:
        """Yield the rows of terrain, the sections and the clauses with their places."""
        yield from ((f"terrain.{word}", row) for word, row in self.terrain.items())
        yield from self.sections()
        yield from self.clauses()


_FILES: Memo[None, RuleFile] = Memo()
"""The contents of a game's `rules.toml`."""


def read_rule_file(game: Game, on_fault: OnFault = stop) -> RuleFile:
    """Return the contents of a game's `rules.toml`, or no sections if the game has no such file.

    `on_fault`: gets each fault; if it returns, the rest is read.

    Raises InputError for a fault.
    """

    def read() -> RuleFile:
        file = resolve_within(game.folder, CLAUSES)
        return read_toml(file, RuleFile, on_fault) if file.is_file() else RuleFile()

    return game.memo(_FILES, None, read) if on_fault is stop else read()


class NamedRule(NamedTuple):
    """A rule that `rules.toml` names."""

    text: str
    """The rule, or several, as written."""
    place: str
    """The section, clause or key, such as `zones.barred 1` or `movement.stop`."""
    statement: str
    """The section, clause or key in words."""


def list_rules(file: RuleFile) -> Iterator[NamedRule]:
    """Yield the rules that sections, clauses and rows of terrain name, each under its key."""
    for place, part in file.parts():
        for key, hint in hints_of(type(part)).items():
            if "rule" in kinds_named(hint) and (text := getattr(part, key)):
                if key in Part.__struct_fields__:
                    yield NamedRule(text, place, say_clause(part))
                else:
                    yield NamedRule(text, f"{place}.{key}", field_meaning(hint))


# --- conditions -----------------------------------------------------------------------------------------------------


def words_of(wanted: Wanted) -> tuple[str, ...]:
    """Return the words of which a fact must be one."""
    return wanted if isinstance(wanted, tuple) else (str(wanted),)


def read_ranges(wanted: Wanted) -> tuple[tuple[int, int | None], ...]:
    """Return the numbers that a condition wants as ranges: 3 is (3, 3), "2-5" is (2, 5), "4-" is (4, None).

    Raises ValueError for other texts.
    """
    ranges = list[tuple[int, int | None]]()
    for word in words_of(wanted):
        least, dash, most = word.partition("-")
        ranges.append((int(least), (int(most) if most else None) if dash else int(least)))
    return tuple(ranges)


# --- clauses in words -------------------------------------------------------------------------------------------------

_CONDITIONS = {
    "unit": "the unit: {}",
    "but": "not the unit: {}",
    "against": "no defender: {}",
    "into": "the hex: {}",
    "over": "the hexside: {}",
    "when": "the game: {}",
    "option": "with the option {}",
    "unless": "without the option {}",
    "ruling": "by the ruling {}",
}
"""The words for the conditions of a clause, by key."""


def say_clause(part: Part) -> str:
    """Return a section, a clause or a row of terrain in words: its values, its words, and when it holds."""
    values = {key: getattr(part, key) for key in part.__struct_fields__}
    conditions = [
        words.format(_say_facts(value) if isinstance(value, dict) else value)
        for key, words in _CONDITIONS.items()
        if (value := values.get(key))
    ]
    if (supplied := values.get("supplied")) is not None:
        conditions.append(f"the unit is {'in' if supplied else 'out of'} supply")
    hidden = {*_CONDITIONS, *Part.__struct_fields__, "supplied", "says"}
    hidden |= {key for key, hint in hints_of(type(part)).items() if "rule" in kinds_named(hint)}
    hidden |= {field.name for field in fields_of(type(part)) if field.default == values[field.name]}
    others = {key: value for key, value in values.items() if key not in hidden}
    said = [f"{key.replace('_', ' ')} {text}" for key, value in others.items() if (text := _say_value(value))]
    effect = ": ".join(filter(None, (", ".join(said), values.get("says", ""))))
    return ", ".join(filter(None, (effect, f"if {'; '.join(conditions)}" if conditions else ""))) or "always"


def _say_facts(facts: Facts) -> str:
    return ", ".join(_say_fact(track.replace("-", " "), wanted) for track, wanted in facts.items())


def _say_fact(track: str, wanted: Wanted) -> str:
    if isinstance(wanted, bool):
        return track if wanted else f"not {track}"
    return f"{track} {' or '.join(words_of(wanted))}"


def _say_value(value: object) -> str:
    """Return the value of a key in words, or "" for the default and for clauses, which have lines of their own."""
    match value:
        case None | False | "" | () | (Clause(), *_):
            return ""
        case dict():
            return ", ".join(f"{name} {each}" for name, each in value.items())
        case tuple():
            return " or ".join(map(str, value))
    return "yes" if value is True else str(value)
