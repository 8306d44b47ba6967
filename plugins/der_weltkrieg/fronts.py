"""The questions that concern a single front."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    Answers,
    Part,
    PlaceName,
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
from assistant.mechanics.procedure import Dice

from .entry import list_belligerents
from .morale import has_reached
from .terms import (
    AUSTRIAN,
    BULGARIAN,
    RUSSIAN,
    SURRENDER,
    Allowed,
    Count,
    format_turn,
    is_so,
    list_remarks,
    read_campaign_calendar,
    read_rows,
    turn_now,
    turn_stated,
    year_of,
)

MIN_STRENGTH_RATIOS = {1915: Fraction(1, 2), 1916: Fraction(1, 3)}
"""The minimum strength of one Italian army's attacks, as a share of the other's, by year."""
GERMANS_IN_ITALY_TURN = "aug16/6"
MAY_1915 = "may15/0"
JUNE_1915 = "jun15/0"
MAX_HEXROW = 48


def hindenburg(
    view: View,
    *,
    double_track: Annotated[bool, note("whether an active double-track rail line is in the hex")] = True,
    engineer: Annotated[
        bool, note("whether an engineer is there as the first turn that is not winter begins, and stays")
    ] = True,
    german: Annotated[bool, note("whether Germany builds it")] = True,
    markers: Annotated[Count, note("Hindenburg Line hexes that exist or are being built, with this one")] = 1,
    mix: Annotated[Count, note("how many the counter mix has, 0 if unknown")] = 0,
) -> Report[Allowed]:
    """Return the report on building a Hindenburg Line hex, and on its effects.

    Rule: 17-1, 17-2, 17-3, 17-4, 17-5, 17-6
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    clauses = (
        (not german, "17-1", "only Germany builds it"),
        (year_of(view, turn) < 1916, "17-1", "it is built from 1916 on"),
        (not double_track, "17-2", "the hex needs an active double-track rail line"),
        (not engineer, "17-3", "without its engineer construction ends, and begins again only after the next winter"),
        (mix and markers > mix, "17-4", "{markers} are more than the {mix} of the counter mix"),
    )
    return permission(
        "Hindenburg Line",
        ("the hex may be built", "the hex may not be built"),
        holding(clauses, markers=markers, mix=mix),
        Allowed(),
        working={"Rules": list_remarks("hindenburg")},
    )


class ItalianAttack(msgspec.Struct, frozen=True, kw_only=True):
    """Whether attacks of the Italian 2nd and 3rd Armies are allowed."""

    owed: Annotated[int, note("strength with which the other army has to attack at least")]
    allowed: Annotated[bool | None, note("whether they are")] = None


def italian_attack(
    view: View,
    *,
    second: Annotated[Count, note("strength with which the 2nd Army attacks this turn")] = 0,
    third: Annotated[Count, note("strength with which the 3rd Army attacks this turn")] = 0,
    combined: Annotated[bool, note("whether both take part in one attack")] = False,
    trench: Annotated[PlaceName, note("a hex in which a trench is to be built", "place")] = "",
    clear_lost: Annotated[bool, note("whether a unit of the Central Powers is in a clear hex of Italy")] = False,
    gave_up: Annotated[bool, note("whether an HQ was given up to be free of these rules")] = False,
) -> Report[ItalianAttack]:
    """Return the report on attacks and trenches of the Italians on the Isonzo.

    Rule: 8-3/1, 8-3/2, 8-3/3, 8-3/4, 8-4
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    year = year_of(view, turn)
    ratio = MIN_STRENGTH_RATIOS.get(year, Fraction(0))
    required = -int(-ratio * max(second, third) // 1)
    clauses = (
        (combined and year < 1917, "8-3/2", "the 2nd and the 3rd Army make no combined attacks before 1917"),
        (min(second, third) < required, "8-3/3", "the other army has to attack with {owed}, not {least}"),
        (gave_up and year < 1917, "8-3/4", "an HQ may not be given up for that; another takes over its sector"),
        (
            trench and year < 1917 and not clear_lost and int(trench[:2]) < 29,
            "8-4",
            "no trenches west of hexrow 29 before 1917, unless an enemy is in a clear hex of Italy",
        ),
    )
    return permission(
        "Italian armies on the Isonzo",
        ("the attacks are allowed", "they are not allowed"),
        holding(clauses, owed=required, least=min(second, third)),
        ItalianAttack(owed=required),
        working={"Sectors": list_remarks("italian-attack") if year < 1917 else []},
    )


def _list_early_clauses(view: View, turn: int, rule: str) -> tuple[tuple[object, str, str], ...]:
    """Return clauses on the periods without artillery surprise and sad state. Rule: 24-1, 24-3, 24-6"""
    opens = MAY_1915 if view.ruling("may-1915") == "yes" else JUNE_1915
    points = view.integer("dm", AUSTRIAN)
    return (
        (turn < read_campaign_calendar(view).number(opens), rule, "only after May 1915"),
        (not has_reached(view, "surprised", AUSTRIAN), rule, f"Austria-Hungary has {points} points; it takes 485"),
        (has_reached(view, SURRENDER, RUSSIAN), "24-6", "Russia has surrendered"),
    )


def surprise(
    view: View, *, sud: Annotated[bool, note("whether the targets belong to the German Sud HQ")] = False
) -> Report[Allowed]:
    """Return the report on the Russian artillery surprise against Austria-Hungary.

    Rule: 24-1, 24-2, 24-4, 24-6
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    used = view.word("surprise")
    clauses = (
        (used and used != format_turn(view, turn), "24-1", "it was used in {used}: it is for a single turn"),
        (not read_campaign_calendar(view).turn_of_month(turn), "24-1", "no attacks are made in a special turn"),
        *_list_early_clauses(view, turn, "24-1"),
        (
            sud,
            "24-2",
            (
                "units under the German Sud HQ are spared: the six nearest, or those in the three nearest hexes, "
                "that are not nearer to an Austro-Hungarian HQ"
            ),
        ),
    )
    return permission(
        "Artillery surprise",
        ("Russia may use its artillery surprise", "Russia may not use its artillery surprise"),
        holding(clauses, used=used),
        Allowed(),
        changes=[] if used else [changed(view, "surprise", "", format_turn(view, turn), "24-1")],
        working={"What it does": list_remarks("surprise")},
    )


class SadState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether an army falls into the sad state."""

    falls: Annotated[bool | None, note("whether it does, null until rolled")] = None
    chance: Annotated[Fraction | None, note("the chance, null where no dice are rolled")] = None


def sad_state(
    view: View,
    answers: Answers,
    *,
    army: Annotated[str, note("an Austro-Hungarian army with units in Russian ZOC", "name")],
) -> Report[SadState]:
    """Return the report on the sad state of an Austro-Hungarian army, an optional rule.

    Rule: 24-3, 24-4
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    clauses = (
        (read_campaign_calendar(view).turn_of_month(turn), "24-3", "the dice are rolled in a special turn"),
        *_list_early_clauses(view, turn, "24-3"),
        (view.word("sad-army"), "24-3", "only one army falls into it: the {sad}"),
    )
    reasons = holding(clauses, sad=view.word("sad-army"))
    if reasons:
        refuse_others(answers, [], reasons[0].text)
        return permission("The sad state of an army", ("", "no dice are rolled"), reasons, SadState())
    thrown = throw("dice", "24-3", "the sad state of the army", lambda total: total == 2, answers, dice=Dice(2, 6))
    verdicts: dict[bool | None, tuple[VerdictKind, str]] = {
        True: ("yes", "the {army} falls into the sad state"),
        False: ("no", "the {army} does not"),
        None: ("figure", "on 2 the {army} falls into the sad state ({chance:%})"),
    }
    kind, text = verdicts[thrown.came]
    chance = thrown.chances.get(True)
    return permission(
        "The sad state of an army",
        (text, ""),
        [],
        SadState(falls=thrown.came, chance=chance),
        army=army,
        kind=kind,
        asks=thrown.asks,
        changes=[changed(view, "sad-army", "", army, "24-3")] if thrown.came else [],
        working={"What it means": list_remarks("sad-state") if thrown.came is not False else []},
    )


class Cities(msgspec.Struct, frozen=True, kw_only=True):
    """The state of fortified cities."""

    surrounded: Annotated[bool, note("whether Antwerp is surrounded")]
    warsaw: Annotated[bool, note("whether the fortresses of Warsaw are removed")]
    bucharest: Annotated[bool, note("whether those of Bucharest are removed")]
    regiments: Annotated[bool, note("whether the nine Serbian regiments are deployed")]


SerbianTrigger = Literal["bulgaria", "rivers", "albania", "germans"]
"""The events that deploy the Serbian regiments.

They are: Bulgaria joins; the Central Powers cross the Ibar, W. Morava or Nisava, or enter Albania; a German unit is
next to Serbia.
"""


def cities(
    view: View,
    *,
    traced: Annotated[bool, note("whether Antwerp (1604) traces a line to France")] = True,
    scheldt: Annotated[
        tuple[Literal["1504", "1603"], ...], note("of 1504 and 1603, the hexes that Germany holds")
    ] = (),
    novogeorgievsk: Annotated[bool, note("whether the Central Powers have taken Novogeorgievsk (4-5 1918)")] = False,
    lines: Annotated[int, note("of the three rail lines east of Warsaw, those in a ZOC of the Central Powers")] = 0,
    danube: Annotated[
        bool, note("whether the Central Powers are in clear terrain of Romania north of Danube and Dambovita")
    ] = False,
    serbia: Annotated[
        tuple[SerbianTrigger, ...],
        note(
            "what has happened: bulgaria joins, rivers crossed (Ibar, W. Morava, Nisava), albania entered, "
            "germans next to it"
        ),
    ] = (),
) -> Report[Cities]:
    """Return the report on Antwerp, Warsaw and Bucharest, and on the Serbian regiments.

    Rule: 7-7, 9-2, 10-6, 13-3
    """
    turn = turn_stated(view, "turn")
    at_war = [nation.who for nation in list_belligerents(view, turn) if nation.since] if turn is not None else []
    found = Cities(
        surrounded=not traced and bool(scheldt),
        warsaw=novogeorgievsk or lines >= 2,
        bucharest=danube,
        regiments=bool(serbia) or BULGARIAN in at_war,
    )
    clauses = (
        (found.surrounded, "10-6", "Antwerp is surrounded: no line to France, and the Scheldt is blocked"),
        (not found.surrounded, "10-6", "Antwerp is not surrounded; units that trace to it are not either"),
        (found.warsaw, "7-7", "all fortresses of Warsaw are removed"),
        (not found.warsaw, "7-7", "those of Warsaw stay until Novogeorgievsk falls or two rail lines are in enemy ZOC"),
        (found.bucharest, "13-3", "the three fortresses of Bucharest are removed, and no Entente unit defends there"),
        (not found.bucharest, "13-3", "the fortresses of Bucharest stay"),
        (found.regiments, "9-2", "the nine 1-4 Serbian regiments are deployed at once"),
        (not found.regiments, "9-2", "the nine Serbian regiments are not deployed yet"),
    )
    removed = [name for name, is_removed in (("Warsaw", found.warsaw), ("Bucharest", found.bucharest)) if is_removed]
    return Report(
        title="Antwerp, Warsaw, Bucharest",
        verdict=verdict("figure", "removed: {gone}" if removed else "no fortresses are removed", gone=removed),
        parts=(Part("Cities", tuple(holding(clauses))),),
        result=found,
    )


class FortressRow(msgspec.Struct, frozen=True):
    """A German fortress that may become a division."""

    rule: str
    fortress: str
    map: Literal["4-5", "5-5"]
    hex: str
    unit: str
    strength: int
    rpl: int


def fortresses(view: View) -> Report[tuple[FortressRow, ...]]:
    """Return the report on German fortresses that may become divisions.

    Rule: 29-1/fortress
    """
    with view.gather() as facts:
        fallen = is_so(view, "warsaw-fell", at=turn_now(facts) - 1)
    found = tuple(read_rows("fortresses", FortressRow))
    steps = []
    for row in found:
        text = "{fortress} ({map} {hex}): {unit}, {strength}-5"
        steps.append(step(row.rule, text + (", and {rpl} replacement points" if row.rpl else ""), row))
    decision = verdict("no", "they become divisions only in turns after Warsaw is taken and Novogeorgievsk destroyed")
    if fallen:
        decision = verdict("yes", "they may become divisions")
    return Report(
        title="German fortresses",
        verdict=decision,
        parts=(Part("Fortresses", tuple(steps)),),
        result=found,
    )


class Opolchenie(msgspec.Struct, frozen=True, kw_only=True):
    """The Opolchenie brigades of 1914."""

    placed: Annotated[bool, note("whether they have been placed")]
    free: Annotated[int, note("how many may have been released so far, besides those that were attacked")]


def opolchenie(view: View) -> Report[Opolchenie]:
    """Return the report on the Opolchenie brigades.

    Rule: 29-5/opolchenie
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    calendar = read_campaign_calendar(view)
    total = 22 if view.ruling("opolchenie") == "stated" else 23
    first = calendar.number("sep14/5")
    turns = sum(1 for number in range(first, turn + 1) if calendar.turn_of_month(number))
    found = Opolchenie(placed=turn >= calendar.number("sep14/4"), free=min(total, 4 * turns))
    text = "{total} brigades, one in each town or city, on turn 4 of September 1914"
    return Report(
        title="Opolchenie brigades",
        verdict=verdict(
            "figure", "{free} may have been released" if found.placed else "they are not placed yet", found
        ),
        parts=(Part("Rules", (step("29-5/opolchenie", text, total=total), *list_remarks("opolchenie"))),),
        result=found,
    )


def limits(
    view: View,
    *,
    at: Annotated[PlaceName, note("the hex, on the position's board", "place")],
    beyond: Annotated[bool, note("whether it lies beyond the Daugava, the border of 1919 or the Dniester")] = False,
    italy: Annotated[bool, note("whether it is in Italy, and the units are German")] = False,
) -> Report[Allowed]:
    """Return the report on hexes that units of the Central Powers may not enter.

    Rule: 8-5, 24-5
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    clauses = (
        (beyond, "24-5", "it lies beyond the line that they may not cross"),
        (view.board.name == "map-5-5" and int(at[:2]) > MAX_HEXROW, "24-5", "it lies east of hexrow 48"),
        (
            italy
            and turn < read_campaign_calendar(view).number(GERMANS_IN_ITALY_TURN)
            and not view.flag("declared-war"),
            "8-5",
            "German units enter Italy from turn 6 of August 1916 on, or once Germany has declared war",
        ),
    )
    working = [*list_remarks("limits"), *holding([(view.flag("limit", at), "24-5", "the hex lies on that line")])]
    return permission(
        f"Central Powers in {at}",
        ("they may be in {at}", "they may not be in {at}"),
        holding(clauses),
        Allowed(),
        at=at,
        working={"The line": working},
    )


QUESTIONS = (
    declare("hindenburg", "may a Hindenburg Line hex be built, and what it does", hindenburg),
    declare("italian-attack", "whether attacks and trenches of the Italians on the Isonzo are allowed", italian_attack),
    declare("surprise", "whether Russia may use its artillery surprise, and what it does", surprise),
    declare("sad-state", "whether an Austro-Hungarian army falls into the sad state", sad_state, {"dice": "two dice"}),
    declare("cities", "what becomes of Antwerp, Warsaw and Bucharest", cities),
    declare("fortresses", "which German fortresses may become divisions", fortresses),
    declare("opolchenie", "the Opolchenie brigades of 1914", opolchenie),
    declare("limits", "hexes that units of the Central Powers may not enter", limits),
)
