"""The schedules of the campaign, held to a second transcription that was made without knowledge of the first."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import ask, parse
from assistant.game.schedule_dates import RULING, FactOf
from assistant.game.schedule_files import read_schedules
from assistant.game.schedules import Schedules
from assistant.game.turn_record import list_people, read_calendar
from assistant.installed.registry import load_game

from ..cases import thorough

SECOND = Path(__file__).parent / "transcription"
BRANCHES = {
    "inf": "infantry", "cav": "cavalry", "mtn": "mountain", "art": "artillery", "sart": "siege-artillery", "siege": "siege",
    "eng": "engineer", "mar": "marine", "tank": "tank", "aslt": "assault", "maslt": "mountain-assault", "bike": "bicycle",
    "flotilla": "flotilla", "can": "infantry", "": "",
}  # fmt: skip


@cache
def schedules() -> Schedules:
    return read_schedules(load_game("der-weltkrieg"))


def rows(name: str) -> Iterator[dict[str, str]]:
    with open(SECOND / f"{name}.csv", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


MISSPELT = {("austro-hungarian", "jan18/1", "2is"): "2isz", ("french", "dec14/1", "44"): "44m"}
"""Units that leave under another spelling than they came with."""
SUFFIX = re.compile(
    r"( (HQ|XXXX|XXX|XX|X|III|II|I|Cav|Art|Eng|Mtn|Mar|Siege|SArt|Tank|Aslt|MAslt|Bike|Flotilla|Can|\d+-\d+))+$"
)


def spelled(name: str) -> str:
    return re.sub(r"[\s'()*]|rpl", "", name.casefold())


# --- arrivals (29) ----------------------------------------------------------------------------------------------------


def named_once(nation: str, at: str, action: str) -> tuple[str, str, str]:
    replaced = {"withdraw": "replace-out", "arrive": "replace-in"}
    return nation, at, replaced.get(action, action) if nation == "belgian" else action


def test_every_unit_arrives_and_leaves_as_in_the_second_transcription() -> None:
    """Rule: 29-1 to 29-13"""
    roster = load_game("der-weltkrieg").roster
    second: Counter[tuple[object, ...]] = Counter()
    for row in rows("arrivals"):
        if row["item"] in ("unit", "hq"):
            arm = "headquarters" if row["item"] == "hq" else BRANCHES[spelled(row["branch"])]
            key = named_once(row["nation"], row["at"], row["action"])
            canadian = "can" if row["branch"] == "Can" else ""
            name = spelled(row["designation"]) + canadian
            name = MISSPELT.get((row["nation"], row["at"], name), name)
            second[*key, name, arm, row["size"], row["strength"], row["hex"]] += 1
    first: Counter[tuple[object, ...]] = Counter()
    for due in schedules().rows:
        for unit in filter(None, due.units.split(",")) if due.rule.startswith("29") else ():
            arm = str(roster[unit]["arm"][0].value)
            name = spelled(SUFFIX.sub("", unit[3:]))
            key = named_once(due.who, due.at, due.action)
            first[*key, name, arm, due.size, due.strength, due.place.split(" ")[0]] += 1
    assert first - second == Counter() and second - first == Counter()
    assert sum(first.values()) > 1100


OTHERWISE = {
    ("GE GEs", "8-5"),
    ("FR 1Col X", "2-4"),
    ("FR Czech", "3-5"),
    ("AH 21LM Mtn", "2-4"),
    ("GB Mrt 6-4", "3-4"),
    ("GB Lhr 6-4", "3-4"),
}
"""Units that leave with other figures than they came with."""


def test_counters_have_the_figures_with_which_they_come_and_go() -> None:
    """Units may come weaker than their counter, and then the row says so. Rule: 29-1 to 29-13"""
    roster = load_game("der-weltkrieg").roster
    seen = set()
    for due in schedules().rows:
        if not due.strength or due.note == "understrength" or not due.move.isdigit():
            continue
        for unit in filter(None, due.units.split(",")):
            values = {name: roster[unit][name][0].value for name in ("strength", "move")}
            if (unit, f"{due.strength}-{due.move}") in OTHERWISE:
                seen.add((unit, f"{due.strength}-{due.move}"))
            else:
                assert values == {"strength": int(due.strength), "move": int(due.move)}, (unit, due.at)
    assert seen == OTHERWISE


def test_what_comes_in_a_turn_does_not_leave_in_it() -> None:
    came: set[tuple[str, str]] = set()
    left: set[tuple[str, str]] = set()
    for due in schedules().rows:
        for unit in filter(None, due.units.split(",")):
            (left if due.action in ("withdraw", "replace-out") else came).add((unit, due.at))
    assert came and left and not came & left


def test_replacements_and_supply_points_come_as_in_the_second_transcription() -> None:
    """Rule: 29-1 to 29-13"""
    second: Counter[tuple[str, ...]] = Counter()
    for row in rows("arrivals"):
        if row["item"] == "rpl":
            strength = int(row["strength"]) * int(row["count"] or 1)
            second[row["nation"], row["at"], "rpl", str(strength), row["hex"]] += 1
        elif row["sp"].isdigit() and int(row["sp"]) and row["action"] != "withdraw":
            second[row["nation"], row["at"], "sp", row["sp"], row["hex"]] += 1
    first = Counter(
        (due.who, due.at, "sp" if due.account == "sp" else "rpl", str(due.amount), due.place.split(" ")[0])
        for due in schedules().rows
        if due.rule.startswith("29") and due.account and due.amount
    )
    assert first - second == Counter() and second - first == Counter()
    assert sum(first.values()) > 120


# --- recurring rows -----------------------------------------------------------------------------------------------------

MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
FIRST_MONTHS = {
    "german": "dec14",
    "british": "dec14",
    "french": "dec14",
    "austro-hungarian": "jan15",
    "russian": "dec14",
}
NAIVE_TURNS = [
    (f"{MONTHS[month]}{year}", turn)
    for year in range(14, 19)
    for month in range(12)
    for turn in range(8)
    if (year, month, turn) >= (14, 7, 1) and (year, month, turn) <= (18, 10, 3)
]
"""Month and turn of every turn of the campaign, counted by hand."""


def at(turn: tuple[str, int]) -> int:
    return NAIVE_TURNS.index(turn)


def begins(text: str, facts: Mapping[tuple[str, str], str], nation: str) -> int | None:
    """The first turn of which a row speaks, counted from 0; None for never."""
    name, _, more = text.partition("+")
    if name[:3] in MONTHS and name[3:].isdigit():
        return next(number for number, (month, _) in enumerate(NAIVE_TURNS) if month == name)
    known = facts.get((name, "" if name == "serbia-fell" else nation))
    if known is None:
        return None
    month, turn = known.split("/")
    number = at((month, int(turn)))
    if not more:
        return number + 1
    months = list(dict.fromkeys(month for month, _ in NAIVE_TURNS))
    later = months.index(month) + int(more.removesuffix("fm"))
    return at((months[later], 0)) if later < len(months) else None


def naive(number: int, facts: Mapping[tuple[str, str], str]) -> Counter[tuple[str, str]]:
    """Supply points, points of imports and replacements that come in a turn, by nation, read off the second transcription."""
    due: Counter[tuple[str, str]] = Counter()
    for row in recurring(number, facts):
        if row["rule"] not in ("4-13", "4-14", "7-20"):
            due[row["nation"], row["item"]] += int(row["quantity"])
    return due


def recurring(number: int, facts: Mapping[tuple[str, str], str]) -> Iterator[dict[str, str]]:
    """The recurring rows of the second transcription that come in a turn, those that come in place of others too."""
    month, turn = NAIVE_TURNS[number]
    for row in rows("regular"):
        nation, months = row["nation"], row["months"]
        if row["item"] == "rotation":
            continue
        spoken = {"odd": MONTHS[::2], "even": MONTHS[1::2], "all": MONTHS}.get(months) or [
            name[:3] for name in months.split()
        ]
        if month[:3] not in spoken or str(turn) not in row["turns"].split():
            continue
        first = begins(row["from"], facts, nation)
        if first is None or number < first:
            continue
        if (
            row["from"] in ("shaken", "collapse")
            and nation in FIRST_MONTHS
            and number < (begins(FIRST_MONTHS[nation], facts, nation) or 0)
        ):
            continue
        if (
            row["from"] in ("shaken", "collapse")
            and nation == "italian"
            and number < (begins("enters+1fm", facts, nation) or 999)
        ):
            continue
        until = row["until"]
        ends = begins(until, facts, nation)
        dated = until[3:].isdigit()
        if dated and ends is not None and number > ends and NAIVE_TURNS[number][0] != until and number >= ends + 8:
            continue
        if not dated and ends is not None and number >= ends:
            continue
        if row["item"] != "dm":
            later = {"shaken": ("collapse", "surrender"), "collapse": ("surrender",)}.get(
                row["from"], ("shaken", "collapse", "surrender")
            )
            if row["rule"] == "4-11" and row["from"] == "jan18":
                shaken = begins("shaken", facts, nation)
                if shaken is None or number < shaken:
                    continue
                later = ("collapse", "surrender")
            if nation in (*FIRST_MONTHS, "italian") and any(
                (when := begins(level, facts, nation)) is not None and number >= when for level in later
            ):
                continue
            ends_for_romania = [begins("surrender", facts, who) for who in ("romanian", "russian")]
            if nation == "romanian" and any(when is not None and number >= when for when in ends_for_romania):
                continue
        yield row


def known(facts: Mapping[tuple[str, str], str]) -> FactOf:
    """These facts, and the usual readings of rulings."""
    rulings = load_game("der-weltkrieg").rulings
    return lambda track, subject: rulings[subject].default if track == RULING else facts.get((track, subject))


def ours(number: int, facts: Mapping[tuple[str, str], str]) -> Counter[tuple[str, str]]:
    due: Counter[tuple[str, str]] = Counter()

    for item in schedules().due(number + 1, known(facts)):
        if item.rule.startswith(("29", "28", "27", "8-5", "20", "24", "8-1,", "10-11")) or item.item in (
            "reminder",
            "dice",
        ):
            continue
        kind = {"sp": "sp", "imports": "dm"}.get(item.item, "rpl")
        amount = item.amount if kind in ("sp", "dm") else 1 if item.row.rotation else item.count
        due[item.who, kind] += amount
    return +due


TURN = st.sampled_from([f"{month}/{turn}" for month, turn in NAIVE_TURNS])


@st.composite
def morale(draw: st.DrawFn) -> dict[tuple[str, str], str]:
    """Nations that become Shaken, collapse and surrender in this order, and neutrals that enter."""
    facts: dict[tuple[str, str], str] = {}
    labels = [f"{month}/{turn}" for month, turn in NAIVE_TURNS]
    for nation in (*FIRST_MONTHS, "italian"):
        turns = sorted(draw(st.lists(st.integers(0, len(labels) - 1), max_size=3, unique=True)))
        for level, turn in zip(("shaken", "collapse", "surrender"), turns, strict=False):
            facts[level, nation] = labels[turn]
    for nation in ("italian", "romanian"):
        if draw(st.booleans()):
            facts["enters", nation] = draw(TURN)
    if draw(st.booleans()):
        facts["serbia-fell", ""] = draw(TURN)
    return facts


def test_the_campaign_has_411_turns() -> None:
    calendar = read_calendar(load_game("der-weltkrieg"))
    assert [f"{month}/{turn}" for month, turn in NAIVE_TURNS] == [
        calendar.label(n) for n in range(1, calendar.last + 1)
    ]
    assert len(NAIVE_TURNS) == 411


def test_recurring_rows_come_as_in_the_second_transcription_turn_by_turn() -> None:
    """Rule: 3-10, 3-14 to 3-16, 4-6 to 4-10, 5-8, 5-9, 6-17, 6-21, 7-16, 9-8, 10-10, 15-6 to 15-8"""
    for number in range(411):
        assert ours(number, {}) == naive(number, {}), NAIVE_TURNS[number]


@thorough
@pytest.mark.hypothesis
@settings(max_examples=25)
@given(facts=morale(), numbers=st.lists(st.integers(0, 410), min_size=12, max_size=12))
def test_they_do_in_any_state_of_morale(facts: dict[tuple[str, str], str], numbers: list[int]) -> None:
    for number in numbers:
        assert ours(number, facts) == naive(number, facts), (NAIVE_TURNS[number], facts)


@pytest.mark.rule("7-13", "13-7")
@pytest.mark.parametrize(("turn", "russia", "gained"), [("mar17/1", "mar17/1", 2), ("apr17/1", "mar17/1", 0)])
def test_romania_receives_nothing_once_russia_has_surrendered(turn: str, russia: str, gained: int) -> None:
    stated = f"nation romanian enters=oct16/3\nnation russian surrender={russia}"
    report = ask(parse(f"game der-weltkrieg\n{stated}"), "due", turn=turn, who="romanian")
    assert report.result is not None
    assert sum(int(amount) for _, _, amount in report.result.totals) == gained


def gained(position: str, turn: str, until: str = "") -> Mapping[tuple[str, str], int]:
    report = ask(parse(f"game der-weltkrieg\n{position}"), "due", turn=turn, until=until or turn)
    assert report.result is not None
    return {(who, account): amount for who, account, amount in report.result.totals}


@pytest.mark.rule("5-12")
def test_the_tenth_french_replacement_is_never_one_of_tanks() -> None:
    """In turn 1 of September 1917 tanks come too; they neither count nor give way."""
    come = gained("turn=sep17/1\nnation french replacements-counted=9", "sep17/1")
    came = {account: amount for (who, account), amount in come.items() if who == "french"}
    assert came == {"rpl-tank": 6, "sp": 25, "rpl-colonial": 4}


@pytest.mark.rule("5-12", "6-24")
def test_an_earlier_turn_asks_for_the_counters_of_those_concerned_that_hold_fewer_than_have_come_since() -> None:
    position = parse("game der-weltkrieg\nturn=oct16/4\nnation french replacements-counted=8")

    def missing(turn: str, *who: str) -> list[tuple[str, ...]]:
        return [each.key for each in ask(position, "due", turn=turn, who=who).asks]

    french, austrian = ("replacements-counted", "french"), ("rotation", "austro-hungarian")
    assert missing("jan15/1") == [french, austrian]
    assert missing("jan15/1", "french") == [french] and missing("jan15/1", "central-powers") == [austrian]
    assert missing("jan15/1", "german") == missing("jan15/2", "french") == []
    assert missing("oct16/1", "french") == [] and missing("oct16/1", "austro-hungarian") == [austrian]
    report = ask(position, "due", turn="jan15/1", who=["french"])
    assert [step.text for part in report.parts for step in part.steps] == [
        "France: 8 replacements received, of which every tenth is another, and more have come since jan15/1"
    ]


@pytest.mark.rule("5-12", "6-24")
def test_a_counter_that_is_not_stated_is_assumed_to_hold_nothing_where_what_is_due_goes_by_it() -> None:
    def assumed(text: str, *who: str) -> list[str]:
        report = ask(parse(f"game der-weltkrieg\n{text}"), "due", turn="oct16/4", who=who)
        return [step.text for part in report.parts if part.title == "Assumed" for step in part.steps]

    french = "France: 0 replacements received, of which every tenth is another (not stated)"
    austrian = "Austria-Hungary: 0 steps of the rotation of replacements (not stated)"
    assert assumed("turn=oct16/1", "french") == assumed("", "french") == [french]
    assert assumed("turn=oct16/4\nnation french replacements-counted=8", "french") == []
    assert assumed("turn=oct16/1\nnation french replacements-counted=8") == assumed("", "central-powers") == []
    report = ask(parse("game der-weltkrieg\nturn=oct16/2"), "due", who=("austro-hungarian",))
    assert [step.text for step in report.parts[-1].steps] == [austrian]


@pytest.mark.rule("7-13", "29-1/Romania", "29-4/Romania", "29-9/Romania", "29-11/Romania")
@pytest.mark.parametrize(("russia", "comes"), [("jul16/5", False), ("jul16/6", True), ("aug16/7", True)])
def test_a_romania_that_never_enters_brings_nothing(russia: str, comes: bool) -> None:
    """It would enter on turn 6 of July 1916."""
    stated = f"turn=jul16/4\nnation romanian enters=jul16/6\nnation russian surrender={russia}"
    report = ask(parse(f"game der-weltkrieg\n{stated}"), "due", turn="jul16/7", until="nov16/3")
    assert report.result is not None
    rules = {item.rule for item in report.result.items if item.rule.endswith("/Romania")}
    assert ("29-1/Romania" in rules, "29-4/Romania" in rules) == (comes, comes)
    before = ask(parse(f"game der-weltkrieg\n{stated}"), "due", turn="jul16/4").result
    assert before and [item.rule for item in before.items if item.rule.endswith("/Romania")] == ["29-4/Romania"]


# --- dice ---------------------------------------------------------------------------------------------------------------

SHAKEN = {("shaken", "austro-hungarian"): "jul15/7"}
GAS = ["central-powers", "entente"]


@pytest.mark.parametrize(
    ("turn", "facts", "whose"),
    [
        ("aug14/7", {}, []),
        ("sep14/0", {}, GAS),
        ("sep14/1", {}, []),
        ("feb15/0", {}, GAS),
        ("mar15/0", {}, ["italian", *GAS]),
        ("apr15/0", {("enters", "italian"): "may15/7"}, GAS),
        ("jul15/7", SHAKEN, []),
        ("aug15/1", SHAKEN, ["romanian"]),
        ("aug15/1", SHAKEN | {("enters", "romanian"): "sep15/1"}, []),
        ("aug15/1", SHAKEN | {("surrender", "russian"): "jul15/1"}, []),
        ("may15/0", {("surprised", "austro-hungarian"): "feb15/1", ("enters", "italian"): "may15/7"}, GAS),
        ("jun15/0", {("surprised", "austro-hungarian"): "feb15/1", ("enters", "italian"): "may15/7"}, [*GAS, "austro-hungarian"]),
        ("jul15/0", {("surprised", "austro-hungarian"): "feb15/1", ("enters", "italian"): "may15/7", ("sad-army", ""): "4th"}, GAS),
    ],
)  # fmt: skip
def test_dice_are_due_as_long_as_they_are_rolled(
    turn: str, facts: dict[tuple[str, str], str], whose: list[str]
) -> None:
    """Rule: 8-1, 13-1, 18-1, 24-3"""
    number = read_calendar(load_game("der-weltkrieg")).number(turn)
    due = schedules().due(number, known(facts))
    assert sorted(item.who for item in due if item.item == "dice") == sorted(whose)


# --- readings of doubtful rules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stated", "period", "whose", "account", "usual", "ruling", "otherwise"),
    [
        ("nation british shaken=jan17/1", "mar17/1", "british", "sp", 10, "british-rows=go-on", 25),
        ("nation british shaken=jan17/1", "mar17/1", "british", "rpl", 0, "british-rows=go-on", 5),
        ("nation british shaken=jan17/1", "jan18/1", "british", "sp", 15, "british-rows=go-on", 15),
        ("nation german shaken=sep14/3", "oct14/1", "german", "sp", 40, "early-rows=yes", 70),
        ("nation german shaken=sep14/3", "dec14/1", "german", "sp", 25, "early-rows=yes", 25),
        ("nation italian enters=may15/2 shaken=may15/3", "may15/5", "italian", "rpl", 0, "early-rows=yes", 3),
        ("", "sep14/1 nov14/7", "french", "rpl-colonial", 12, "tenth=regular", 0),
        ("", "dec14/1 jan15/7", "french", "rpl-colonial", 0, "tenth=regular", 0),
        ("", "dec14/1 feb15/1", "french", "rpl-colonial", 4, "tenth=regular", 4),
    ],
)  # fmt: skip
def test_schedules_go_by_the_readings_of_doubtful_rules(
    stated: str, period: str, whose: str, account: str, usual: int, ruling: str, otherwise: int
) -> None:
    """Rule: 4-9, 3-17, 5-12"""
    first, last = period.split()[0], period.split()[-1]
    for words, gained in (("", usual), (f"ruling {ruling}", otherwise)):
        report = ask(parse(f"game der-weltkrieg\n{stated}\n{words}"), "due", turn=first, until=last, who=whose)
        assert report.result is not None
        totals = {kind: amount for _, kind, amount in report.result.totals}
        assert totals.get(account, 0) == gained, words


# --- facts of the game --------------------------------------------------------------------------------------------------


@pytest.mark.rule("29-12")
def test_greece_has_neither_units_nor_a_schedule() -> None:
    game = load_game("der-weltkrieg")
    assert not [name for name in (*list_people(game), *game.tracks["nation"].values) if "gree" in name]
    assert not [row for row in schedules().rows if "29-12" in row.rule]


@pytest.mark.rule("Errata/5-5", "Errata/6-6")
def test_map_5_5_has_the_rail_lines_of_its_errata_and_the_danube_one_hexside_of_0421() -> None:
    board = load_game("der-weltkrieg").board("map-5-5")
    assert [bool(board.fact("rail-hex", at)) for at in ("3604", "3605", "3606")] == [True, True, False]
    game = load_game("der-weltkrieg")
    board, waters = game.board("map-6-6"), [name for name, track in game.tracks.items() if track.on == "hexside"]
    country = board.fact("country", "0421")
    known = {
        other: [name for name in waters if board.fact(name, board.hexside(f"0421|{other}"))]
        for other in board.neighbours("0421")
    }
    assert country and country.value == "romanian"
    assert [other for other, names in known.items() if names] == ["0322"]
