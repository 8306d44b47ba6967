"""Retreats: ways on an empty map, retreats before a combat, and the pursuit of who retreats."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import pytest

from assistant.asking import Gather, InputError, Report, View, step
from assistant.asking.view import changed
from assistant.game.states import build_state
from assistant.mechanics.procedure import AnswerError
from assistant.rules.field import Bar, HexBar
from assistant.rules.retreat import (
    EntryEffects,
    Evasion,
    EvasionParameters,
    EvasionRules,
    Off,
    Pursuit,
    PursuitParameters,
    PursuitRules,
    Retreat,
    RetreatParameters,
    RetreatRules,
    evasion_question,
    halted,
    held,
    pursuit_question,
    retreat_question,
    zoned,
)
from assistant.rules.retreat_ways import RetreatWays
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.testing import game_in
from kaisers_war_in_the_east.ground import field

from ...cases import few, seeds
from ...conftest import told, viewed

AROUND = ("2520", "2521", "2619", "2621", "2720", "2721")
BOARD = View(game_in("kaisers-war-in-the-east"), build_state(game_in("kaisers-war-in-the-east"))).board


BOARD_HEXES = [f"{column}{row:02}" for column in range(23, 30) for row in range(16, 25)]


def retreat(
    owed: int, shut: Collection[str] = (), full: Collection[str] = (), *, away: bool = True, exits: Collection[str] = ()
) -> RetreatWays:
    """A retreat from 2620. shut: the hexes that may not be entered; full: those without room; exits: those from which
    units may leave the map.
    """
    bars: list[Bar] = [lambda here, there: HexBar("2.1", "shut") if there in shut else None]
    return RetreatWays(BOARD, "2620", owed, bars, lambda hex: hex not in full, "15.2", away, lambda hex: hex in exits)


def judged(moving: RetreatWays, *way: str) -> str:
    """Why the last hex of a route cannot be entered, "" if it can."""
    barred = moving.judge_step(way[:-1], way[-1])
    return barred.why if barred else ""


def test_a_way_is_over_when_it_is_long_enough_and_far_enough_and_there_is_room() -> None:
    one, two = retreat(1), retreat(2)
    assert one.is_over(["2619"])
    assert not one.is_over([])
    assert not two.is_over(["2619"])
    assert not two.is_over(["2619", "2520"])  # that is next to where it began
    assert two.is_over(["2619", "2618"])
    assert not retreat(1, full=["2619"]).is_over(["2619"])


def test_why_a_hex_cannot_be_entered() -> None:
    two = retreat(2, shut=["2720"])
    assert judged(two, "2720") == judged(two, "2619", "2720") == "shut", "before where it leads"
    nearer = "it is not farther from 2620, or has already been entered"
    assert judged(two, "2619", "2620") == judged(two, "2619", "2520") == nearer
    assert judged(retreat(3, away=False), "2619", "2720", "2619") == "it has already been entered"
    avoided = retreat(1, full=["2619"])
    assert avoided.judge_step((), "2619") == HexBar("15.2", "other routes avoid over-stacked hexes")
    assert retreat(1, shut=["2619"]).judge_step((), "2619") == HexBar("2.1", "shut"), "by the rule of the game"
    assert judged(retreat(2, shut={"2618", "2519", "2719"}), "2619") == "it is hex 1 of 2, and no hex is open beyond it"
    walls = {"2520", "2720", "2521", "2621", "2721"}
    assert judged(retreat(1, shut=walls, full=["2619"]), "2619", "2618", "2617") == "the retreat ends in 2618"
    full = "stacking leaves the units no room there, and no hex is open beyond it"
    assert judged(retreat(1, shut=walls | {"2618", "2519", "2719"}, full=["2619"]), "2619") == full
    edge = set(AROUND) - {"2619", "2720"} | set(BOARD.neighbours("2720")) - {"2619", "2620"}
    assert judged(retreat(2, shut=edge, exits=["2720"]), "2720") == "other routes stay on the map"


def test_a_way_through_a_thousand_full_hexes_is_found_or_not_at_once() -> None:
    full = {f"{column}{row:02}" for column in range(16, 37) for row in range(10, 31)}
    one = retreat(1, full=full)
    assert judged(one, "2619") == ""
    wall = {hex for hex in full if hex[:2] in ("16", "36") or hex[2:] in ("10", "30")}
    assert judged(retreat(1, shut=wall, full=full), "2619").startswith("stacking leaves the units no room there")


def naive(ways: RetreatWays, shut: set[str], full: set[str], exits: set[str], way: list[str]) -> set[str]:
    """The open next hexes of a way, by going through all ways there are."""
    on_time, late = list[list[str]](), list[list[str]]()

    def follow(so_far: list[str]) -> None:
        last, length = so_far[-1], len(so_far) - 1
        far = BOARD.distance("2620", last) >= ways.owed or not ways.away
        if length >= ways.owed and far and last not in full:
            (on_time if length == ways.owed else late).append(so_far)
            return
        if last in exits:
            late.append(so_far)
        for there in BOARD.neighbours(last):
            farther = not ways.away or length >= ways.owed or BOARD.distance("2620", there) == length + 1
            if there not in shut and there not in so_far and farther:
                follow([*so_far, there])

    follow(["2620"])
    begun = ["2620", *way]
    return {found[len(begun)] for found in on_time or late if found[: len(begun)] == begun and len(found) > len(begun)}


@few(40)
@pytest.mark.parametrize("seed", seeds(300))
def test_the_open_hexes_are_those_of_all_ways_gone_through(seed: int) -> None:
    chance = random.Random(seed)
    near = [at for at in BOARD_HEXES if 0 < BOARD.distance("2620", at) <= 3]
    ring = {at for at in near if BOARD.distance("2620", at) == 3}
    inner = [at for at in near if at not in ring]
    shut = {*ring, *chance.sample(inner, chance.randint(4, 10))}
    full = set(chance.sample(inner, chance.choice((0, 0, 5))))
    exits = set(chance.sample(inner, chance.choice((0, 0, 2))))
    ways = retreat(chance.randint(1, 4), shut, full, away=chance.random() < 0.5, exits=exits)
    way = list[str]()
    while not ways.is_over(way):
        here = (["2620", *way])[-1]
        open_now = {there for there in BOARD.neighbours(here) if not ways.judge_step(way, there)}
        assert open_now == naive(ways, shut, full, exits, way), (seed, way)
        if not open_now:
            break
        way.append(chance.choice(sorted(open_now)))


STACK = "40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)\n41.22: 1/1 (12-16-7-11)\n"


def dead(name: str) -> Change:
    return Change("place", name, "40.20", None, "9.1")


def asked(
    *units: str,
    shut: Iterable[str] = (),
    fixed: Iterable[str] = (),
    rules: Mapping[str, Any] = {},
    answers: Mapping[str, str] = {},
    **more: Any,
) -> Report[Any]:
    """The report on a retreat in a game whose rules shut some hexes, and in which some units are fixed. rules: others
    of the retreat.
    """

    def read(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
        names = [unit.id for unit in stacked]
        gone = [name for name in names if name in fixed]
        movers = [name for name in names if name not in gone]
        bars: list[Bar] = [lambda here, there: HexBar("2.1", f"shut to the {side} side") if there in shut else None]
        return Retreat(movers, gone, bars, lost=lambda name: [dead(name)])._replace(**rules)

    def presume(view: View, hexes: Sequence[str]) -> None:
        for hex in hexes:
            view.granted("terrain", hex, "clear", "2.1", "{hexes} taken to be open")

    question = retreat_question(RetreatRules(read, "11.0", "11.2", 3, presume))
    return question.answer(viewed(STACK), RetreatParameters(units=units, **more), answers)


def placed(report: Report[Any]) -> list[tuple[str, str | None, str]]:
    """What a report changes: unit, where it is then, and by which rule."""
    return [(one.subject, one.after, one.rule) for one in report.changes]


def test_who_cannot_move_enters_nothing_and_takes_nothing_for_granted() -> None:
    report = asked("25/3", "27/3", fixed=["25/3", "27/3"], way=("40.19",), shut=["40.19"])
    assert (report.verdict.text, report.result.way) == ("eliminated: 25/3, 27/3", ())
    question = retreat_question(RetreatRules(nobody_moves, "11.0", "11.2", 3, presumed))
    view = viewed(STACK)
    question.answer(view, RetreatParameters(units=("25/3",), way=("40.19",)), {})
    assert view.premises.assumptions == ()


def nobody_moves(facts: Gather, stacked: Sequence[Unit], side: str) -> Retreat:
    return Retreat([], [unit.id for unit in stacked], [], lambda hex: True, lambda name: [])


def presumed(view: View, hexes: Sequence[str]) -> None:
    for hex in hexes:
        view.granted("terrain", hex, "clear", "2.1", "{hexes} taken to be open")


def test_where_nobody_moves_or_need_not_move_and_nobody_is_lost_the_units_stay() -> None:
    report = asked("25/3", "27/3", rules={"movers": []})
    assert (report.verdict.kind, report.verdict.text) == ("no", "no retreat: 25/3, 27/3")
    assert (report.changes, report.asks, report.result.complete) == ((), (), True)
    some = asked("25/3", "27/3", fixed=["27/3"], rules={"movers": [], "why_gone": "{unit} is a garrison"})
    assert (some.verdict.text, placed(some)) == ("no retreat: 25/3", [("27/3", None, "9.1")])
    assert some.parts[0].steps[0].text == "27/3 is a garrison and is eliminated"
    around = viewed(STACK).board.neighbours("40.20")
    free = asked("25/3", shut=around, rules={"forced": False})
    assert (free.verdict.text, free.changes, free.result.eliminated) == ("no retreat: 25/3", (), ())


def test_units_that_leave_the_map_change_as_the_game_says() -> None:
    around = viewed(STACK).board.neighbours("40.20")
    gone = Off(lambda at: at == "40.20", lambda name: [Change("place", name, "40.20", None, "9.4")], "9.4")
    report = asked("25/3", "27/3", shut=around, rules={"off": gone})
    assert (report.verdict.text, report.result.off_map) == ("off the map: 25/3, 27/3", ("25/3", "27/3"))
    assert (report.result.eliminated, report.result.remaining) == ((), ())
    assert placed(report) == [("25/3", None, "9.4"), ("27/3", None, "9.4")]
    first = report.parts[0].steps[0]
    assert (first.rule, first.text) == ("9.4", "25/3 retreats off the map")
    elsewhere = asked("25/3", shut=around, rules={"off": gone._replace(exits=lambda at: False)})
    assert elsewhere.result.eliminated == ("25/3",)


FRONT = (
    "game kaisers-war-in-the-east\nturn=10\n2620: Rus-inf-1 (4-4-3)\n2621: AH-4 (12-12-4)\n2521: Rus-inf-2 (4-4-3)\n"
)


def test_the_usual_bars_of_retreats() -> None:
    view = viewed(FRONT)
    with view.gather() as facts:
        around = field(facts).around("allies")
        assert held(around, "5.1")("2620", "2621") == HexBar("5.1", "enemies stand there")
        assert held(around, "5.1")("2620", "2619") is None
        assert zoned(around, "5.2")("2620", "2721") == HexBar("5.2", "in an enemy zone of control without a friend")
        assert zoned(around, "5.2")("2620", "2521") is None, "a friend stands there"
        assert zoned(around, "5.2")("2620", "2619") is None
        assert halted(around, "5.3")("2521") == HexBar("5.3", "the units stop in an enemy zone of control")
        assert halted(around, "5.3")("2619") is None


# --- before a combat --------------------------------------------------------------------------------------------------

MET = "40.20: 25/3\n41.20: 1/1\n43.20: 2/1\n"


def evade(
    *way: str,
    answers: Mapping[str, str] = {},
    shut: Sequence[str] = (),
    reasons: Sequence[Any] = (),
    rolls: bool = False,
    position: str = MET,
    **more: Any,
) -> Report[Any]:
    """The report on the retreat of a unit from the enemy beside it."""

    def read(facts: Gather, unit: Unit, foes: Sequence[str], side: str) -> Evasion:
        assert (side, tuple(foes)) == ("russian", more.get("against") or (("1/1",) if "41.20" in position else ()))
        bars: list[Bar] = [lambda here, there: HexBar("5.1", "shut") if there in shut else None]
        return Evasion(lambda facts: Retreat([unit.id], [], bars), reasons, rolls)

    question = evasion_question(EvasionRules("avoid", "whether units avoid a combat", read, "7.1", "7.2", 2, 4))
    return question.answer(viewed(position), EvasionParameters(unit="25/3", way=way, **more), answers)


def test_a_unit_goes_hex_by_hex_as_in_any_retreat() -> None:
    assert evade().verdict.text.startswith("open hexes: ")
    report = evade("40.19")
    assert [(one.subject, one.after, one.rule) for one in report.changes] == [("25/3", "40.19", "7.1")]
    assert evade("40.19", hexes=2).asks[0].name == "hex.2"
    with pytest.raises(InputError, match="1 to 2 hexes"):
        evade(hexes=3)


def test_a_die_decides_first_where_the_game_says_so() -> None:
    due = evade(rolls=True)
    assert (due.verdict.text, due.asks[0].name, due.asks[0].dice) == ("25/3 retreats on 1 to 4", "die", "1d6")
    assert not due.result.complete
    fails = evade(rolls=True, answers={"die": "5"})
    assert (fails.verdict.kind, fails.changes, fails.result.complete) == ("no", (), True)
    assert evade(rolls=True, answers={"die": "4", "hex.1": "40.19"}).result.way == ("40.19",)
    with pytest.raises(AnswerError):
        evade(answers={"die": "4"})


def test_who_may_not_is_told_each_reason() -> None:
    report = evade(reasons=[step("7.3", "25/3 is on foot")])
    assert (report.verdict.text, told(report)) == (
        "25/3 may not retreat before the combat (1 reason)",
        ["25/3 is on foot"],
    )
    assert told(evade(against=("2/1",))) == ["no enemies adjacent to 25/3: 2/1"]
    assert told(evade(position="40.20: 25/3\n")) == ["no enemy is adjacent to 25/3"]


def test_who_finds_no_way_stays() -> None:
    around = viewed(MET).board.neighbours("40.20")
    report = evade(shut=around)
    assert (report.verdict.text, report.changes, report.result.eliminated) == ("no retreat: 25/3", (), ())


# --- pursuit ----------------------------------------------------------------------------------------------------------

FOLLOWERS = "40.20: 25/3, 27/3\n"
CLEARED, BEYOND = "40.19", "40.18"


def pursuit(
    *way: str,
    at: str = CLEARED,
    reach: int = 2,
    shut: Sequence[str] = (),
    full: Sequence[str] = (),
    halts: Sequence[str] = (),
    lame: bool = False,
    units: Sequence[str] = ("25/3", "27/3"),
) -> Report[Any]:
    """The report on a pursuit by both units."""
    view = viewed(FOLLOWERS)
    bars: list[Bar] = [lambda here, there: HexBar("9.9", "shut") if there in shut else None]
    unable = [step("1.3", "27/3 is lame")] if lame else []

    def entered(hexes: Sequence[str], units: Sequence[str]) -> EntryEffects:
        changes = [changed(view, "fought", name, True, "1.5") for name in units]
        return EntryEffects([step("1.6", "the hex is empty")], changes)

    def read(facts: Gather, asked: PursuitParameters, side: str) -> Pursuit:
        assert side == "russian"
        return Pursuit(reach, unable, bars, lambda hex: hex not in full, stops, entered)

    def stops(at: str) -> HexBar | None:
        return HexBar("1.7", "they have stopped") if at in halts else None

    rules = PursuitRules("follow", "pursuit", "whether units follow", "1.1", "1.2", "1.4")
    question = pursuit_question(rules, read, PursuitParameters)
    return question.answer(view, PursuitParameters(units=tuple(units), at=at, way=way), {})


def test_the_units_go_to_the_last_hex_and_what_else_changes_is_added() -> None:
    report = pursuit(BEYOND)
    assert report.verdict.text == f"25/3, 27/3 may follow to {BEYOND}"
    changes = [(one.track, one.subject, one.after, one.rule) for one in report.changes]
    assert changes == [
        ("place", "25/3", BEYOND, "1.1"),
        ("place", "27/3", BEYOND, "1.1"),
        ("fought", "25/3", True, "1.5"),
        ("fought", "27/3", True, "1.5"),
    ]


def test_the_hexes_beyond_are_offered_while_the_reach_allows_one_and_a_full_one_may_be_entered() -> None:
    report = pursuit(shut=[BEYOND])
    assert report.result.options[-1].hex == BEYOND
    assert told(report)[0] == f"up to 2 hexes, {CLEARED} first"
    assert told(report)[-1] == "the hex is empty"
    assert pursuit(reach=1).result.options == ()
    assert pursuit(BEYOND).result.options == ()
    crowded = pursuit(full=[CLEARED])
    assert (crowded.result.over_stacked, crowded.result.allowed) == (True, True)


def test_each_reason_against_it_has_its_rule_and_what_is_no_pursuit_is_refused() -> None:
    def rules(report: Report[Any]) -> list[str]:
        return [line.rule for line in report.parts[0].steps]

    assert rules(pursuit(lame=True)) == ["1.3"]
    assert rules(pursuit(BEYOND, reach=1)) == ["1.2"]
    assert rules(pursuit(shut=[CLEARED])) == ["9.9"]
    assert rules(pursuit(BEYOND, shut=[BEYOND])) == ["9.9"]
    assert rules(pursuit(at="43.19")) == ["1.1", "1.1"]
    assert not pursuit(lame=True).result.allowed
    with pytest.raises(InputError, match="a pursuit needs units"):
        pursuit(units=())
    with pytest.raises(InputError, match="is not adjacent to"):
        pursuit("43.19")


def test_a_longer_pursuit_goes_on_from_the_last_hex_until_something_halts_it() -> None:
    assert [one.hex for one in pursuit(BEYOND, reach=3, shut=[CLEARED]).result.options][-1] == CLEARED
    halted = pursuit(BEYOND, reach=3, halts=[CLEARED, BEYOND])
    assert (halted.result.options, halted.result.allowed) == ((), True)
    on = pursuit(BEYOND, "40.17", reach=3, halts=[CLEARED, BEYOND])
    assert [(line.rule, line.text) for line in on.parts[0].steps] == [
        ("1.7", "40.17 cannot be entered: they have stopped")
    ]
    assert pursuit(BEYOND, reach=3, halts=[CLEARED]).result.options


def test_a_fact_that_decides_alone_is_read_only_where_nothing_forbids_the_pursuit() -> None:
    read = list[str]()

    def asked(unable: Sequence[Any]) -> None:
        rules = PursuitRules("advance", "advance", "whether units advance", "1.1", "1.2", "1.4")
        pursuit = Pursuit(1, unable, (), decides=lambda here, there: read.append(f"{here}-{there}"))
        question = pursuit_question(rules, lambda facts, asked, side: pursuit, PursuitParameters)
        question.answer(viewed(FOLLOWERS), PursuitParameters(units=("25/3",), at=CLEARED), {})

    asked([step("1.3", "25/3 is lame")])
    assert read == []
    asked([])
    assert read == ["40.20-40.19"]
