"""Lines of supply (3.4): what they begin at, how long they are, what closes them, and what would have to be otherwise."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from assistant.asking import View
from assistant.asking.report import MissingFacts
from assistant.installed.registry import load_game
from assistant.rules.supply import Cause, Hindrance, SideSupply, Supplied, Supply
from assistant.rules.supply_lines import SideLines
from assistant.state.state import FactKey
from assistant.state.tracks import Fact, Value
from world_undone_east_prussia.ground import field
from world_undone_east_prussia.supply import ends_in, line_rules, longest_line, out_of_supply

from ..cases import few, seeds
from ..conftest import told, typed
from .asking import GAME, undone
from .naive_supply import Land, supplied

FOLDER = load_game(GAME).folder


def supply_of(text: str, unit: str) -> Supplied:
    """The supply of a unit."""
    (state,) = undone(text, "supply", unit=[unit]).result.units
    return state  # type: ignore[no-any-return]


def seen(text: str) -> View:
    position = typed(f"game {GAME}\n{text}")
    return View(position.game, position.state)


def out_of(view: View, side: str, *units: str) -> frozenset[str]:
    """The units that cannot trace a line of supply."""
    with view.gather() as facts:
        return out_of_supply(facts, field(facts).around(side), units)


def out(text: str, side: str, *units: str) -> frozenset[str]:
    """The same of a typed position."""
    return out_of(seen(text), side, *units)


# --- sources and length -----------------------------------------------------------------------------------------------

HOME = "3410 named=Königsberg\n"
"""Where Königsberg lies in these tests."""


@pytest.mark.rule("3.4/sources", "3.4/trace")
def test_germans_are_supplied_from_the_west_and_konigsberg_and_russians_from_the_east() -> None:
    west, town = supply_of(f"{HOME}0420: XX/37\n", "XX/37"), supply_of(f"{HOME}3710: XX/37\n", "XX/37")
    assert (west.source, west.hexes, west.line[-1]) == ("the western edge", 3, "0420")
    assert (town.source, town.line[0], town.hexes) == ("Königsberg", "3410", 3)
    assert west.line[0].startswith("01")
    near = supply_of(f"{HOME}3410: III/25\n", "III/25")
    assert (near.source, near.hexes, near.line[0][:2]) == ("the eastern edge", 25, "59")


@pytest.mark.rule("3.4/sources", "3.4/trace")
def test_konigsberg_is_asked_for_only_where_it_decides_and_can_be() -> None:
    text = "scenario=historical\n0420: XX/37\n5320: XVII/36\n5421: III/25\n"
    report = undone(text, "supply", unit=["XX/37", "III/25", "XVII/36"])
    assert [ask.title for ask in report.asks] == ["hex of Königsberg"]
    assert (report.verdict.kind, [unit.supplied for unit in report.result.units]) == ("undecided", [True, None, True])
    assert out(text, "german", "XX/37") == out(text, "russian", "III/25") == frozenset()
    with pytest.raises(MissingFacts) as missing:
        out(text, "german", "XX/37", "XVII/36")
    (ask,) = missing.value.asks
    assert (ask.title, ask.how) == ("supply of XVII/36", "5320 supply=in|out"), "his player sees that on his map"
    masurian = text.replace("historical", "masurian-lakes")
    stated = text.replace("XVII/36\n", "XVII/36 supply=in\n")
    for decided in (masurian, stated, text + HOME):
        assert out(decided, "german", "XVII/36") == frozenset()
    assert undone(CUT_OFF, "supply", unit=["XX/37"]).verdict.kind == "undecided", "it may be the hex of the unit"
    for more in ("3010 town=none\n", "3010 named=Wormditt\n", "3010 country=russia\n"):
        assert out(CUT_OFF + more, "german", "XX/37") == {"XX/37"}
    assert out(f"{CUT_OFF}3010 named=Konigsberg\n", "german", "XX/37") == frozenset(), "a source in its hex"


CUT_OFF = "3010: XX/37\n3009 country=russia\n3110 country=russia\n3111 country=russia\n3011 country=russia\n2911 country=russia\n2910 country=russia\n"
"""A German unit with Russian hexes all round."""


@pytest.mark.rule("3.4/length", "9.4/turns", "3.4/trace")
def test_a_german_line_has_forty_hexes_at_most() -> None:
    assert supply_of("4120: XX/37\n", "XX/37").hexes == 40
    far = "0110 named=Königsberg control=russian\n4220: XX/37\n"
    cause = supply_of(far, "XX/37").cause
    assert cause and cause.text == "4220 is 41 hexes from the western edge, and a line has 40 at most"
    assert [(keeps.kind, keeps.lacks) for keeps in cause.hindrances] == [("range", 1)]
    assert supply_of(f"scenario=historical\n{far}", "XX/37").supplied is False
    unsaid = undone(far, "supply", unit=["XX/37"])
    assert (unsaid.verdict.kind, [ask.title for ask in unsaid.asks]) == ("undecided", ["scenario"]), "it decides"
    assert undone(f"{POCKET}3410 named=Königsberg\n", "supply", unit=["IR/1R"]).asks == ()
    assert supply_of(f"scenario=masurian-lakes\n{far}", "XX/37").hexes == 41
    assert supply_of("0120: III/25\n", "III/25").hexes == 58, "Russian lines are of any length"
    assert [longest_line(side, scenario) for side in ("german", "russian") for scenario in ("historical", "masurian-lakes", "")] == [
        40, None, 40, None, None, None,
    ]  # fmt: skip


# --- ground -----------------------------------------------------------------------------------------------------------


def in_column(column: int, words: str) -> str:
    """Facts of all hexes of a column, which no line can go round."""
    names = (at for at in seen("").board.in_order if at.startswith(f"{column:02}"))
    return "".join(f"{at} {words}\n" for at in names)


@pytest.mark.rule("3.4/terrain")
@pytest.mark.parametrize("wild", ["forest", "swamp"])
def test_a_russian_line_leads_into_forest_and_swamp_but_not_through(wild: str) -> None:
    wood = in_column(57, wild)
    assert supply_of(f"{wood}5710: III/25\n", "III/25").supplied
    cut = supply_of(f"{wood}5610: III/25\n", "III/25")
    assert cut.supplied is False
    assert cut.cause and cut.cause.text.startswith(f"a line from the eastern edge but for: {wild} in 57")
    assert supply_of(f"{HOME}{in_column(3, wild)}0410: XX/37\n", "XX/37").hexes == 3, "to Germans no ground matters"
    assert (ends_in("german"), ends_in("russian")) == ((), ("forest", "swamp"))


@pytest.mark.rule("3.4/terrain")
def test_a_line_leads_through_no_forest_on_the_edge_of_the_map() -> None:
    assert supply_of(f"{in_column(59, 'forest')}5910: III/25\n5810: III/27\n", "III/25").supplied
    assert supply_of(f"{in_column(59, 'forest')}5910: III/25\n5810: III/27\n", "III/27").supplied is False


# --- enemies, zones, control ------------------------------------------------------------------------------------------

POCKET = "4822: IV/40\n4821: IR/1R\n4923: 8A/3R\n4722: IR/36R\n"
"""A Russian division with the zones of three German ones all round."""


@pytest.mark.rule("3.4/trace")
def test_enemies_and_their_zones_without_a_friend_close_a_line() -> None:
    state = supply_of(POCKET, "IV/40")
    assert (state.supplied, out(POCKET, "russian", "IV/40")) == (False, {"IV/40"})
    assert (
        state.cause and state.cause.text == "a line from the eastern edge but for: 4922, in the zone of IR/1R and 8A/3R"
    )
    ring = POCKET + "4922: XVII/36\n4823: XVII/35\n4723: I/1\n"
    enemy = supply_of(ring, "IV/40").cause
    assert (
        enemy
        and enemy.text
        == "a line from the eastern edge but for: 8A/3R in 4923; 4923, in the zone of XVII/36 and XVII/35"
    )
    assert supply_of(POCKET.replace("4923: 8A/3R\n", ""), "IV/40").supplied
    state = supply_of(f"{POCKET}4922: III/27\n", "IV/40")
    assert state.supplied and state.line[-2:] == ("4922", "4822")
    assert supply_of(f"{POCKET}4921: III/27\n", "IV/40").supplied is False, "4922 itself is in the zones"


@pytest.mark.rule("3.4/trace", "3.3/fortress")
def test_enemy_control_and_fortresses_with_their_zones_close_a_line() -> None:
    wall = in_column(57, "country=germany")
    cut = supply_of(f"{wall}5610: III/25\n", "III/25")
    assert cut.supplied is False and cut.cause
    assert cut.cause.text.startswith("a line from the eastern edge but for: enemy control of 57")
    assert supply_of(f"{wall}5715 control=russian\n5610: III/25\n", "III/25").supplied
    assert supply_of(f"{wall}5715: III/27\n5610: III/25\n", "III/25").supplied, "III/27 controls its hex"
    held = in_column(2, "country=russia")
    assert supply_of(f"{HOME}3009 control=russian\n{held}0310: XX/37\n", "XX/37").source == "Königsberg"
    wall = in_column(57, "country=germany").replace("5715 country=germany\n", "5715 country=russia fortress=3\n")
    cut = supply_of(f"{wall}5610: III/25\n", "III/25")
    assert cut.supplied is False
    assert supply_of(f"{wall}5715 destroyed\n5610: III/25\n", "III/25").supplied
    zone = wall.replace("5715 country=russia fortress=3", "5715 fortress-zone=5515").replace(
        "5716 country", "5716 fortress-zone=5515 country"
    )
    named = supply_of(f"{zone}5515 fortress=2\n5615: III/25\n", "III/25")
    assert named.cause and "5715, in the zone of the fortress in 5515" in named.cause.text


# --- what is stated, and what is taken for granted --------------------------------------------------------------------


@pytest.mark.rule("3.4/trace")
def test_who_is_off_the_map_or_said_to_be_in_supply_is_so_unless_a_stated_line_says_otherwise() -> None:
    """What a line assumes is said of it once."""
    view = seen(POCKET.replace("IV/40", "IV/40 supply=in") + "III/25 arrives=5\n5710: III/27, II/26\n")
    assert out_of(view, "russian", "IV/40", "III/25", "III/27", "II/26") == frozenset()
    said = [step.text for step in view.premises.assumptions]
    assert said[0] == "the outermost hexes in the east assumed to be the eastern edge of the map (not stated)"
    assert len(said) == len(set(said)) == 3
    assert supply_of("5710: III/25 supply=out\n", "III/25").supplied is False
    assert out("5710: III/25 supply=out\n", "russian", "III/25") == {"III/25"}
    known = "5910 clear map-edge=east country=russia\n5810 clear country=russia\n5710: III/25 supply=out\n"
    whole = in_column(59, "map-edge=east")
    line = supply_of(known + whole.replace("5910 map-edge=east\n", ""), "III/25")
    assert (line.supplied, line.line) == (True, ("5910", "5810", "5710"))


@pytest.mark.rule("3.4/trace")
def test_of_equal_lines_the_stated_one_is_named_and_else_what_is_assumed_of_lines_and_zones() -> None:
    report = undone("5710: III/25\n", "supply", unit=["III/25"])
    first, second, _ = report.result.units[0].line
    assert told(report, "Assumed") == [
        "the outermost hexes in the east assumed to be the eastern edge of the map (not stated)",
        f"{first}, {second} assumed not to be forest or swamp (not stated)",
        f"{first}, {second} assumed not to be under enemy control (not stated)",
    ]
    stated = undone("5910, 5810 clear country=russia\n5710: III/25\n", "supply", unit=["III/25"])
    assert told(stated, "Assumed") == [
        "the outermost hexes in the east assumed to be the eastern edge of the map (not stated)"
    ]
    report = undone(POCKET, "supply", unit=["IV/40"])
    assert told(report, "Assumed") == ["4821|4922, 4822|4922, 4922|4923 assumed to have no river (not stated)"]
    view = seen(POCKET)
    assert out_of(view, "russian", "IV/40") == {"IV/40"}
    assert [step.text for step in view.premises.assumptions] == [
        "4821|4922, 4922|4923 assumed to have no river (not stated)"
    ]


def test_a_side_without_a_unit_on_the_map_is_refused() -> None:
    with pytest.raises(Exception, match="no unit is on the map"):
        undone("5710: III/25\n", "supply", side="german")


# --- whole reports ----------------------------------------------------------------------------------------------------

ROUTES = {
    "IR/1R": "3410 3511 3611 3712 3812 3913 4013 4114 4214 4315 4415 4416 4517 4518 4618 4619 4720 4721 4821",
    "8A/3R": "3410 3511 3611 3712 3812 3913 4013 4114 4214 4315 4415 4516 4616 4717 4817 4818 4919 4920 5020 5021 5022 4923",
    "IR/36R": "3410 3511 3611 3712 3812 3913 4013 4114 4214 4215 4316 4317 4417 4418 4519 4520 4620 4621 4722",
}
"""The lines of the Germans round the pocket from Königsberg."""
ZONE = Hindrance(kind="zone", where="4922", by=("IR/1R", "8A/3R"), text="4922, in the zone of IR/1R and 8A/3R")
INTO_IT = "5926 5825 5725 5624 5524 5423 5323 5222 5122 5021 4922 4822"
OUT = Supplied(
    unit="IV/40",
    place="4822",
    supplied=False,
    cause=Cause(
        source="the eastern edge",
        by="line",
        line=tuple(INTO_IT.split()),
        hindrances=(ZONE,),
        text=f"a line from the eastern edge but for: {ZONE.text}",
    ),
)
"""The division in the pocket."""


def in_supply(unit: str, source: str, line: str) -> Supplied:
    """A unit with its line."""
    hexes = tuple(line.split())
    return Supplied(
        unit=unit, place=hexes[-1], supplied=True, by="line", source=source, line=hexes, hexes=len(hexes) - 1
    )


@pytest.mark.rule("3.4/trace", "3.3/extent", "3.3/fortress")
def test_the_whole_report_on_both_sides() -> None:
    report = undone(f"scenario=historical\n{POCKET}{HOME}XX/37 arrives=3\n", "supply")
    lines = {unit: in_supply(unit, "Königsberg", line) for unit, line in ROUTES.items()}
    assert report.result == Supply(
        (SideSupply(side="german", units=tuple(lines.values())), SideSupply(side="russian", units=(OUT,)))
    )
    assert (report.title, report.verdict.text) == (
        "Supply of the German side and the Russian side",
        "3 units in supply, 1 not",
    )
    assert told(report, "Russian") == [f"IV/40 in 4822: not supplied; {OUT.cause and OUT.cause.text}"]
    assert told(report, "German") == [
        f"{unit} in {line.split()[-1]}: supplied from Königsberg, {line.count(' ')} hexes: {line}"
        for unit, line in ROUTES.items()
    ]
    assert told(report, "Assumed")[1:] == ["4821|4922, 4822|4922, 4922|4923 assumed to have no river (not stated)"]
    assert report.asks == ()


@pytest.mark.rule("3.4/trace", "3.3/extent", "3.3/fortress")
def test_the_whole_report_on_some_units_and_what_is_asked_about_those_that_are_undecided_alone() -> None:
    text = "scenario=historical\n0420: XX/37\n0521: I/1\n5320: XVII/36\n5421: III/25\n"
    near = in_supply("XX/37", "the western edge", "0121 0220 0321 0420")
    report = undone(text, "supply", unit=["XX/37"])
    assert report.result == Supply((SideSupply(side="german", units=(near,)),))
    assert (report.title, report.asks) == ("Supply of XX/37", ())
    assert report.verdict.text == "XX/37 is in supply from the western edge, 3 hexes"
    both = undone(text, "supply", unit=["XX/37", "XVII/36"])
    assert (both.title, [ask.title for ask in both.asks]) == ("Supply of XX/37, XVII/36", ["hex of Königsberg"])
    assert both.verdict.text == "undecided: 1 unit in supply, 0 not, 1 not certain"
    alone = undone("scenario=historical\n0420: XX/37\n", "supply")
    assert alone.result == report.result, "the other side has no units"


# --- against a second reckoning, on random ground ---------------------------------------------------------------------

HEXES = [f"{column:02}{row:02}" for column in range(20, 27) for row in range(10, 15)]
SIDES = ("german", "russian")


class Case:
    """A random position on a small drawn board, all of it stated."""

    def __init__(self, seed: int) -> None:
        self.dice = dice = Random(seed)
        made = typed(f"game {GAME}\n")
        self.next_to = {at: [one for one in made.game.board("").neighbours(at) if one in HEXES] for at in HEXES}
        sides = sorted({frozenset((at, other)) for at in HEXES for other in self.next_to[at]}, key=sorted)
        self.rivers = {side for side in sides if dice.random() < 0.15}
        self.wild = {at: dice.choice(["forest", "swamp"]) for at in HEXES if dice.random() < 0.2}
        self.country = {at: "germany" if dice.random() < 0.5 else "russia" for at in HEXES}
        self.control = {at: dice.choice(SIDES) for at in HEXES if dice.random() < 0.7}
        self.konigsberg = dice.choice(HEXES)
        self.units = {at: dice.choice(SIDES) for at in dice.sample(HEXES, 7)}
        free = [at for at in HEXES if self.units.get(at) != "russian"]
        self.fortress = dice.choice(free) if dice.random() < 0.5 else ""

    @property
    def land(self) -> Land:
        """The same for the second reckoning."""
        held: dict[str, set[str]] = {side: set() for side in SIDES}
        for at in HEXES:
            held[self.control.get(at) or {"germany": "german", "russia": "russian"}[self.country[at]]].add(at)
        west = {at for at in HEXES if at.startswith("20")}
        east = {at for at in HEXES if at.startswith("26")}
        return Land(self.next_to, self.rivers, set(self.wild), self.fortress, west, east, self.konigsberg, held)

    def view(self, known: set[str] | None = None) -> View:
        """The position. known: the hexes of which ground and control are stated; all by default."""
        roster = {"german": "infantry 8th", "russian": "infantry second"}
        lines = [f"{at}: {side} {roster[side]} {side[0].upper()}{at} (5-2)" for at, side in sorted(self.units.items())]
        made = typed("\n".join([f"game {GAME}", "scenario=historical", "turn=3", *lines]))
        view = View(made.game, made.state)
        facts: dict[FactKey, Value] = {("named", self.konigsberg): "Königsberg"}
        for at in HEXES:
            facts |= {("terrain", at): self.wild.get(at, "clear"), ("country", at): self.country[at]}
            facts |= {("control", at): self.control[at]} if at in self.control else {}
            facts |= {("barrier", "|".join(sorted((at, other)))): "open" for other in self.next_to[at]}
        facts |= {("barrier", "|".join(sorted(side))): "river" for side in self.rivers}
        facts |= {("fortress", self.fortress): 2} if self.fortress else {}
        board = view.board.with_facts_over({key: Fact(value) for key, value in facts.items()})
        view.board = msgspec.structs.replace(board, hexes=frozenset(HEXES))
        return view

    def reckon(self, longest: int | None) -> dict[str, Supplied]:
        """The supply of all units, by hex."""
        view, found = self.view(), dict[str, Supplied]()
        with view.gather() as facts:
            who = field(facts).read()
            for side in who.sides:
                rules = line_rules(facts, who.around(side))._replace(longest=longest)
                lines = SideLines(who.around(side), rules)
                found |= {str(unit.place): lines.supply_of(unit) for unit in who.units(side)}
        return found


@few(8)
@pytest.mark.parametrize("seed", seeds(150))
def test_supply_agrees_with_a_second_reckoning(seed: int) -> None:
    case = Case(seed)
    for far in (None, 2):
        found = case.reckon(far)
        for side in SIDES:
            reached = supplied(case.land, case.units, side, far or len(HEXES))
            for at in (at for at, own in case.units.items() if own == side):
                assert found[at].supplied is (at in reached), (seed, far, at, side)


@pytest.mark.rule("3.4/trace", "3.4/terrain", "3.4/sources", "3.4/length", "3.3/extent", "3.3/fortress", "2.0/Control")
def test_a_few_random_positions_agree_and_have_sufficient_causes() -> None:
    for seed in (3, 5, 8, 11):
        test_supply_agrees_with_a_second_reckoning(seed)
        test_what_a_cause_names_is_enough(seed)


@few(8)
@pytest.mark.parametrize("seed", seeds(150))
def test_what_a_cause_names_is_enough(seed: int) -> None:
    case = Case(seed)
    for at, state in case.reckon(4).items():
        if state.supplied or not state.cause or not state.cause.by:
            continue
        hindrances = state.cause.hindrances
        if any("fortress" in name for keeps in hindrances for name in keeps.by):
            continue
        mended = Case(seed)
        mended.control |= dict.fromkeys(state.cause.line, case.units[at])
        mended.fortress = "" if case.units[at] == "russian" and mended.fortress in state.cause.line else mended.fortress
        for keeps in hindrances:
            for name in keeps.by:
                mended.units.pop(name[1:], None)
            if keeps.kind == "ground":
                mended.wild.pop(keeps.where)
        allowed = 4 + sum(keeps.lacks for keeps in hindrances)
        assert mended.reckon(allowed)[at].supplied, (seed, at, state.cause.text)


@few(8)
@pytest.mark.parametrize("seed", seeds(150))
def test_supply_never_improves_when_an_enemy_is_added_or_control_is_lost(seed: int) -> None:
    case = Case(seed)
    before = case.reckon(5)
    for side, enemy in (SIDES, SIDES[::-1]):
        own = [at for at, of in case.units.items() if of == side]
        empty = [at for at in HEXES if at not in case.units and (at != case.fortress or enemy == "german")]
        worse = Case(seed)
        worse.units[case.dice.choice(empty)] = enemy
        lost = Case(seed)
        lost.control[case.dice.choice(empty)] = enemy
        for after in (worse.reckon(5), lost.reckon(5)):
            assert all(before[at].supplied or not after[at].supplied for at in own), (seed, side)


@pytest.mark.rule("2.0/Control", "3.4/trace")
def test_at_the_start_the_ground_behind_russians_in_germany_is_german() -> None:
    start = (FOLDER / "setups/historical.pos").read_text("utf-8").replace(f"game {GAME}\n", "board east-prussia\n")

    def lacking(text: str) -> set[str]:
        found = undone(start + text, "supply", side="russian").result.sides[0].units
        return {one.unit for one in found if not one.supplied}

    cut_off = {"IV/40", "IV/30", "IC/2C", "IC/1C", "II/26", "II/43", "2A/4C", "2A/3HA", "XIII/1"}
    assert lacking("") == cut_off
    assert lacking("4825 control=russian\n") == cut_off - {"IV/40", "IV/30"}
