"""The questions `italy`, `romania`, `bulgaria` and `war` on entry into the war."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import (
    Answers,
    Part,
    Report,
    View,
    changed,
    declare,
    holding,
    note,
    permission,
    step,
    throw,
    verdict,
)
from assistant.asking.play import refuse_others
from assistant.asking.report import VerdictKind
from assistant.mechanics.procedure import Modifier

from .morale import find_reason_out, has_reached
from .terms import (
    AUSTRIAN,
    BULGARIAN,
    ENTERS,
    ITALIAN,
    ROMANIAN,
    RUSSIAN,
    SHAKEN,
    SURRENDER,
    format_turn,
    is_so,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
)

FIRST_ROLL_TURN = "mar15/0"
POINTS_PER_MODIFIER = 60
"""The demoralization points of Austria-Hungary that subtract 1 from the die for Italy."""
LATEST_BULGARIAN_TURN = "oct15/2"
"""The latest turn in which Bulgaria joins."""
BELGRADE_TURN = "apr15/1"
"""The turn after which a capture of Belgrade counts."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """Whether and when a nation enters the war."""

    die: Annotated[int | None, note("the die as rolled, null until it is")] = None
    modifier: Annotated[int, note("what is added to it")] = 0
    enters: Annotated[str, note("the turn in which it enters, empty if that is not decided")] = ""
    chance: Annotated[Fraction | None, note("the chance that it enters by this die, null without one")] = None


def italian_modifiers(view: View, *, serbia: bool) -> tuple[Modifier, ...]:
    """Return the modifiers of the die for Italy.

    Rule: 8-1
    """
    full = view.integer("dm", AUSTRIAN) // POINTS_PER_MODIFIER
    made = []
    if serbia:
        made.append(Modifier("8-1", "Serbia has supplied units in its country", -2))
    if full:
        made.append(Modifier("8-1", f"{full} times {POINTS_PER_MODIFIER} points of Austria-Hungary", -full))
    return tuple(made)


def italian_entry(view: View, turn: int) -> int:
    """Return the turn in which Italy enters after the roll: turn 7 of the second month after the special turn.

    Rule: 8-1
    """
    calendar = read_campaign_calendar(view)
    return calendar.full_month_after(turn, 2) + 7


def italy(
    view: View, answers: Answers, *, serbia: Annotated[bool, note("whether Serbia has supplied units in its country")]
) -> Report[Entry]:
    """Return the report on the die for Italy.

    Rule: 8-1
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    calendar = read_campaign_calendar(view)
    clauses = (
        (calendar.turn_of_month(turn), "8-1", "the die is rolled in a special turn, and this is {turn}"),
        (turn < calendar.number(FIRST_ROLL_TURN), "8-1", "the die is rolled from March 1915 on"),
        (turn_stated(view, ENTERS, ITALIAN), "8-1", "its entry is decided: {enters}"),
    )
    reasons = holding(clauses, turn=format_turn(view, turn), enters=view.word(ENTERS, ITALIAN))
    modifiers = italian_modifiers(view, serbia=serbia)
    total = sum(modifier.amount for modifier in modifiers)
    if reasons:
        refuse_others(answers, [], reasons[0].text)
        return permission("The entry of Italy", ("", "no die is rolled for Italy"), reasons, Entry(modifier=total))
    thrown = throw("die", "8-1", "the entry of Italy", lambda die: die, answers, modifiers=modifiers)
    die = thrown.came
    enters = format_turn(view, italian_entry(view, turn)) if die is not None and die + total < 1 else ""
    chance = sum((share for face, share in thrown.chances.items() if face + total < 1), Fraction(0))
    found = Entry(die=die, modifier=total, enters=enters, chance=chance)
    text = "Italy enters the war in {enters}" if enters else "Italy does not enter the war by this die"
    kind: VerdictKind = "yes" if enters else "no"
    working = [step("8-1", "{why}: {amount:+d}", modifier) for modifier in modifiers]
    when = (
        "it joins as the 7th Entente Movement Phase of the second month begins; its mobilization (28) goes by that turn"
    )
    working += holding([(enters, "8-1", when)])
    return permission(
        "The entry of Italy",
        (text if die else "Italy enters on an adjusted roll below 1 ({chance:%})", ""),
        [],
        found,
        kind="figure" if die is None else kind,
        asks=thrown.asks,
        changes=[changed(view, ENTERS, ITALIAN, enters, "8-1")] if enters else [],
        working={"The die": working},
    )


def romanian_entry(view: View, shaken: int, die: int) -> int:
    """Return the turn in which Romania becomes active: the die plus 2 complete turns later.

    Rule: 13-1
    """
    return read_campaign_calendar(view).after_turns(shaken, die + 3)


def romania(view: View, answers: Answers) -> Report[Entry]:
    """Return the report on the die for Romania.

    Rule: 13-1, 7-13
    """
    with view.gather() as facts:
        turn = turn_now(facts)
        shaken = turn_stated(view, SHAKEN, AUSTRIAN) or (turn if has_reached(view, SHAKEN, AUSTRIAN) else 0)
    clauses = (
        (not shaken, "13-1", "Austria-Hungary is not Shaken"),
        (turn_stated(view, ENTERS, ROMANIAN), "13-1", "its entry is decided: {enters}"),
        (has_reached(view, SURRENDER, RUSSIAN), "7-13", "Russia has surrendered: Romania does not enter the war"),
    )
    reasons = holding(clauses, enters=view.word(ENTERS, ROMANIAN))
    if reasons:
        refuse_others(answers, [], reasons[0].text)
        return permission("The entry of Romania", ("", "no die is rolled for Romania"), reasons, Entry())
    thrown = throw("die", "13-1", "complete turns until Romania is active, less 2", lambda die: die, answers)
    die = thrown.came
    enters = format_turn(view, romanian_entry(view, shaken, die)) if die else ""
    span = [format_turn(view, romanian_entry(view, shaken, face)) for face in (1, 6)]
    text = "Romania becomes active between {first} and {last}"
    if enters:
        text = "Romania is an active Entente belligerent from {enters} on"
    return permission(
        "The entry of Romania",
        (text, ""),
        [],
        Entry(die=die, modifier=2, enters=enters),
        kind="figure" if die is None else "yes",
        asks=thrown.asks,
        changes=[changed(view, ENTERS, ROMANIAN, enters, "13-1")] if enters else [],
        first=span[0],
        last=span[1],
        working={
            "The die": [
                step(
                    "13-1",
                    "Austria-Hungary was Shaken in {shaken}; the die and 2 are complete turns",
                    shaken=format_turn(view, shaken),
                ),
                *list_remarks("romania"),
            ]
        },
    )


class BulgarianEntry(msgspec.Struct, frozen=True):
    """The turn and the cause of Bulgaria's entry."""

    enters: Annotated[str, note("the turn")]
    why: Annotated[str, note("by what")]


def bulgaria(
    view: View,
    *,
    nish: Annotated[
        str, note("the turn in which a unit of the Central Powers came next to Nish (6-5 2413)", "turn")
    ] = "",
    belgrade: Annotated[str, note("the turn in which one occupied Belgrade (6-5 1607)", "turn")] = "",
) -> Report[BulgarianEntry]:
    """Return the report on when Bulgaria joins.

    Rule: 11-1
    """
    calendar = read_campaign_calendar(view)
    ways: dict[int, str] = {calendar.number(LATEST_BULGARIAN_TURN): "at the latest"}
    april = calendar.number(BELGRADE_TURN)
    if nish:
        joins = calendar.after_turns(calendar.number(nish), 1)
        waits = view.ruling("nish", joins < april) == "april"
        ways[max(joins, april) if waits else joins] = "a unit is next to Nish"
    if belgrade:
        taken = calendar.number(belgrade)
        if taken > april or view.ruling("belgrade") == "held":
            ways.setdefault(calendar.after_turns(max(taken, april), 1), "a unit holds Belgrade")
    first = min(ways)
    found = BulgarianEntry(format_turn(view, first), ways[first])
    changes = []
    if turn_stated(view, ENTERS, BULGARIAN) != first:
        changes.append(changed(view, ENTERS, BULGARIAN, found.enters, "11-1"))
    working = [
        step("11-1", "{why}: {enters}", why=why, enters=format_turn(view, turn)) for turn, why in sorted(ways.items())
    ]
    return permission(
        "The entry of Bulgaria",
        ("Bulgaria joins the Central Powers in {enters}: {why}", ""),
        [],
        found,
        kind="figure",
        changes=changes,
        working={"The first of these": working, "Its army": list_remarks("bulgaria")},
    )


class Belligerent(msgspec.Struct, frozen=True):
    """A nation, and the turn since which it is at war."""

    who: Annotated[str, note("the nation")]
    since: Annotated[str, note("the turn, `start`, or empty while it is neutral")]
    rule: Annotated[str, note("the rule")]
    out: Annotated[str, note("why it is out of the war again, empty if it is not")] = ""


class BelligerentRow(msgspec.Struct, frozen=True, kw_only=True):
    """A nation's entry into the war."""

    rule: str
    who: str
    latest: str = ""
    """The latest turn, `start` if it is at war from the first turn on, or "" for none."""


def list_belligerents(view: View, turn: int) -> tuple[Belligerent, ...]:
    """Return all nations with their state of war in a turn.

    Rule: 2/sides, 3-1, 4-1, 5-1, 6-1, 7-1, 9-1, 10-1, 12-1, 14-1, 15-1
    """

    def since(row: BelligerentRow) -> str:
        if row.latest == "start":
            return row.latest
        enters = turn_stated(view, ENTERS, row.who) or (
            read_campaign_calendar(view).number(row.latest) if row.latest else None
        )
        return format_turn(view, enters) if enters is not None and enters <= turn else ""

    rows = read_rows("belligerents", BelligerentRow)
    belligerents = []
    for row in rows:
        why_out, _ = find_reason_out(view, row.who) or ("", "")
        belligerents.append(Belligerent(row.who, since(row), row.rule, why_out))
    return tuple(belligerents)


def war(view: View) -> Report[tuple[Belligerent, ...]]:
    """Return the report on the nations at war, and on those that may enter.

    Rule: 8-1, 9-5, 11-1, 13-1, 14-1
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    found = list_belligerents(view, turn)
    waiting = {nation.who: nation for nation in found if not nation.since}
    out = [who for who, nation in waiting.items() if nation.out]
    settled = {who: enters for who in waiting if who not in out and (enters := view.word(ENTERS, who))}
    neutral = {*waiting} - {*out, *settled}
    clauses = (
        (ITALIAN in neutral, "8-1", "Italy: a die in each special turn from March 1915 on (ask italy)"),
        (BULGARIAN in neutral, "11-1", "Bulgaria: by Nish, Belgrade or turn 2 of October 1915 (ask bulgaria)"),
        (ROMANIAN in neutral, "13-1", "Romania: a die once Austria-Hungary is Shaken (ask romania)"),
        (ROMANIAN in out, "7-13", "Romania does not enter the war any more"),
        (is_so(view, "serbia-fell"), "9-5", "Serbia has fallen: no front is opened in Greece"),
    )
    described = []
    for nation in found:
        if nation.since:
            described.append((nation, "{who}: at war since {since}" + (", out of it: {out}" if nation.out else "")))
    steps = [step(nation.rule, text, nation, who=view.title_of(nation.who)) for nation, text in described]
    coming = []
    for who, enters in settled.items():
        text = "{who}: enters the war in {enters}"
        coming.append(step(waiting[who].rule, text, who=view.title_of(who), enters=enters))
    count = sum(not nation.out for nation, _ in described)
    return Report(
        title=f"At war in {format_turn(view, turn)}",
        verdict=verdict("figure", "{count} nations are at war", count=count),
        parts=(Part("At war", tuple(steps)), Part("Others", (*coming, *holding(clauses), *list_remarks("war")))),
        result=found,
    )


QUESTIONS = (
    declare("italy", "whether Italy enters the war, by the die of a special turn", italy, {"die": "the die"}),
    declare(
        "romania", "when Romania enters the war, by the die once Austria-Hungary is Shaken", romania, {"die": "the die"}
    ),
    declare("bulgaria", "when Bulgaria joins the Central Powers", bulgaria),
    declare("war", "who is at war, and who may enter by what", war),
)
