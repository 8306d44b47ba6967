"""The table of leaders: the game turns of their commands, and the uses of their special characteristics (25.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from assistant.asking import InputError, note, read_records
from assistant.util.errors import format_suggestion

from ..terms import ALLIES

TABLE = Path(__file__).parents[1] / "tables" / "leaders.csv"
LAST_TURN_RULING = "leaders-last-turn"
"""The ruling on the last game turn of a command whose marker is removed by a stated turn (25.4)."""


class Leader(msgspec.Struct, frozen=True, kw_only=True):
    """A leader: a row of `tables/leaders.csv`."""

    leader: str
    title: str
    nation: Annotated[str, note("nation of his units")]
    corps: Annotated[str, note('his corps, or "" if he commands an army')] = ""
    army: Annotated[str, note('his army, or "" if he commands a corps')] = ""
    first: Annotated[int, note("the first game turn of his command")]
    last: Annotated[int, note("the last game turn of his command, or 0 if it does not end")] = 0
    campaign: Annotated[bool, note("whether he commands only in the Grand Campaign")] = False
    optional: Annotated[bool, note("whether he commands only if the players agree")] = False
    fights: Annotated[
        Literal["", "attacker", "defender", "both"],
        note('the role of his units in a combat for his effect, "both" for either, or "" if he has none in combat'),
    ] = ""
    divisions: Annotated[bool, note("whether his effect needs infantry of the size of a division")] = False
    spares: Annotated[str, note('a corps whose units rule out his effect, or ""')] = ""
    columns: Annotated[int, note("column shift in favour of his units")] = 0
    drm: Annotated[int, note("modifier of a step loss roll")] = 0
    chosen: Annotated[bool, note("whether his player chooses the combats in which he has an effect")] = False
    uses: Annotated[int, note("maximum number of combats in which he has an effect, or 0 for no use in combat")] = 0
    rule: str

    @property
    def option(self) -> str:
        """The word by which the players agree on him; Francois has two markers and one word."""
        return self.leader.partition("-")[0]

    @property
    def nations(self) -> Collection[str]:
        """The nations whose units the leader may command: both of the Central Powers in one of their armies (6.2.4)."""
        return ALLIES if self.army and self.nation in ALLIES else (self.nation,)

    @property
    def of(self) -> str:
        return f"{self.corps} Corps" if self.corps else f"{self.army} Army"


@cache
def every_leader() -> tuple[Leader, ...]:
    """Return all leaders of the table."""
    return tuple(read_records(TABLE, Leader, "tables/leaders.csv"))


def leader_named(name: str) -> Leader:
    """Return the leader with a name in the table, such as `brusilov`."""
    return next(leader for leader in every_leader() if leader.leader == name)


def last_turn(leader: Leader, reading: str) -> int:
    """Return the last game turn of a leader's command, or 0 if it does not end.

    `reading`: ruling leaders-last-turn; by "through" a command of rule 25.4 lasts a turn longer.
    """
    if leader.rule == "25.4" and reading == "through":
        return leader.last + 1
    return leader.last


def turns_on_reading(leader: Leader, turn: int) -> bool:
    """Return whether ruling leaders-last-turn decides if a leader commands in a game turn."""
    return leader.rule == "25.4" and turn == leader.last + 1


def commands(
    leader: Leader, turn: int, agreed: Collection[str], *, campaign: bool = False, reading: str = "start"
) -> bool:
    """Return whether a leader commands in a game turn.

    `agreed`: the optional leaders that the players have agreed to use.
    `campaign`: whether the Grand Campaign is played.
    `reading`: as in `last_turn`.

    Rule: 25.0, 25.1, 25.6.1, 25.6.2
    """
    if leader.optional and leader.option not in agreed:
        return False
    last = last_turn(leader, reading)
    return leader.first <= turn and (not last or turn <= last) and (campaign or not leader.campaign)


def uses_left(leader: Leader, used: Mapping[str, int]) -> int:
    """Return the number of combats in which a leader's special characteristic may still apply.

    `used`: the number of past uses by leader.
    """
    return max(leader.uses - used.get(leader.leader, 0), 0)


def count_uses(used: Mapping[str, int], leaders: Iterable[Leader]) -> dict[str, int]:
    """Return the number of uses by leader after one more combat with `leaders`."""
    return {**used, **{leader.leader: used.get(leader.leader, 0) + 1 for leader in leaders}}


def check_uses(used: Mapping[str, int]) -> Mapping[str, int]:
    """Return `used`. Raises InputError if a leader is unknown or has fewer uses."""
    known = {leader.leader: leader.uses for leader in every_leader() if leader.uses}
    for name, number in used.items():
        if name not in known:
            raise InputError(f"leader-uses: {name!r} is not a leader with uses", hint=format_suggestion(name, known))
        if number > known[name]:
            hint = f"write {name}:{known[name]} once his marker is off"
            raise InputError(f"leader-uses: {name} has {known[name]}, not {number}", hint=hint)
    return used
