"""Sectors of the Entente's front: the question `sectors` (22-1 to 22-9)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.asking import InputError, NationName, Parameters, Report, View, declare, holding, note, permission, step

from .americans import american_divisions
from .terms import AMERICAN, BELGIAN, BRITISH, Count, format_nation, list_remarks, turn_now, year_of

BRITISH_ABROAD = 6


class Sector(msgspec.Struct, frozen=True, kw_only=True):
    """A sector of the Entente's front."""

    rows: Annotated[tuple[tuple[str, ...], ...], note("its hexes row by row, the front first")]
    flanks: Annotated[tuple[str, ...], note("its left and right flank hex")]
    allowed: Annotated[bool | None, note("whether these units may be where they are")] = None


def list_sector_rows(view: View, front: tuple[str, ...], behind: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the three rows of a sector: its front; hexes next to it, and behind it; hexes next to those and not to the
    front.

    front: its hexes from one flank to the other; behind: the hexes that lie to its rear, of which the rows are made.
    Rule: 22-4
    """
    board = view.board
    free = [hex for hex in behind if hex not in front]

    def touches(hex: str, row: tuple[str, ...]) -> bool:
        return any(board.distance(hex, other) == 1 for other in row)

    second = tuple(hex for hex in free if touches(hex, front))
    third = tuple(hex for hex in free if touches(hex, second) and not touches(hex, front))
    return front, second, third


class SectorsParameters(Parameters, frozen=True, kw_only=True):
    """What `sectors` is asked about."""

    who: NationName
    front: Annotated[tuple[str, ...], note("its front hexes from one flank to the other", "place")] = ()
    behind: Annotated[tuple[str, ...], note("the hexes behind them", "place")] = ()
    count: Annotated[Count, note("how many sectors the nation has")] = 1
    headquarters: Annotated[Count, note("its headquarters there")] = 1
    abroad: Annotated[Count, note("its divisions in sectors of others")] = 0
    french: Annotated[tuple[str, ...], note("hexes with French units in this sector", "place")] = ()
    own: Annotated[tuple[str, ...], note("hexes in which its own units are being set up", "place", "own-units")] = ()
    setting: Annotated[Literal["no", "set-up"], note("whether the units are just being set up")] = "no"
    outside: Annotated[bool, note("whether a Belgian sector includes hexes outside Belgium")] = False
    whole: Annotated[bool, note("whether it includes all of Belgium that the Entente holds")] = False


def sectors(view: View, asked: SectorsParameters) -> Report[Sector]:
    """Return the report on a nation's sector of the western front: its hexes, and whose units may be in it.
    Rule: 22-1, 22-2, 22-3, 22-4, 22-5, 22-6, 22-7, 22-8, 22-9
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    if asked.who not in (BELGIAN, BRITISH, AMERICAN):
        raise InputError(
            f"who: {format_nation(view, asked.who)} has no sector",
            hint=(
                "Belgium, Great Britain or the United States; Portuguese units are British, Italian, Russian, Polish "
                "and Czech ones French"
            ),
        )
    lines = list_sector_rows(view, asked.front, asked.behind) if asked.front else ()
    flanks = (asked.front[0], asked.front[-1]) if asked.front else ()
    # As they are set up, French units in the front stand in the flank hexes themselves.
    close = asked.front if asked.setting == "set-up" else ()
    near = []
    for hex in asked.french:
        least = 1 if hex in close else 2
        if all(view.board.distance(hex, flank) >= least for flank in flanks):
            near.append(hex)
    stray = [hex for hex in asked.own if asked.setting == "set-up" and not any(hex in line for line in lines)]
    most, limit = {
        BRITISH: (BRITISH_ABROAD if year_of(view, turn) == 1918 else 0, "22-9"),
        AMERICAN: (american_divisions(view, "counterattack", turn), "22-8"),
        BELGIAN: (0, "22-6"),
    }[asked.who]
    clauses = (
        (asked.count > 2, "22-5", "{count} sectors are more than two"),
        (asked.count == 2 and asked.headquarters < 2, "22-5", "a second sector needs a headquarters for each"),
        (
            asked.who == BELGIAN and asked.outside and not asked.whole,
            "22-7",
            "a Belgian sector with hexes outside Belgium holds all of Belgium that the Entente controls",
        ),
        (
            near,
            "22-2" if asked.setting == "set-up" else "22-6",
            "French units may be only in its flank hexes and next to them: not in {near}",
        ),
        (asked.abroad > most, limit, "{abroad:#division} in sectors of others, allowed are {most}"),
        (stray, "22-2", "its units are set up in its front and in the two rows behind it: not in {stray}"),
    )
    reasons = holding(clauses, count=asked.count, near=near, abroad=asked.abroad, most=most, stray=stray)
    steps = [step("22-4", "row {row}: {hexes}", row=number, hexes=[*line]) for number, line in enumerate(lines, 1)]
    steps += holding(
        [
            (flanks, "22-3", "flank hexes: {flanks}"),
            (
                asked.who == BELGIAN and not asked.headquarters,
                "22-7",
                "if without its HQ Belgium has no sector, its units are in Belgium, or as near to it as possible",
            ),
        ],
        flanks=[*flanks],
    )
    steps += list_remarks("sectors")
    return permission(
        f"Sector of {format_nation(view, asked.who)}",
        ("the sector is allowed", "the sector is not allowed"),
        reasons,
        Sector(rows=lines, flanks=flanks),
        working={"The sector": steps},
    )


QUESTIONS = (declare("sectors", "a nation's sector of the western front: its hexes, and who may be in it", sectors),)
