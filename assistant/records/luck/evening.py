"""The luck of a record of play as plain values: rolls, choices and battles, and their totals."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from ...state.vocabulary import Chance
from ...util.notes import note

Good = Literal["low", "high", "worth", ""]
"""The good totals of a roll: `low` or `high` as the game declares, `worth` by the expected swing, or "" if unknown."""


class ThrownDice(msgspec.Struct, frozen=True, kw_only=True, tag="roll", tag_field="what"):
    """A roll. Its luck counts for the side that throws, or for the attacker if the thrower is unknown."""

    name: Annotated[str, note("the name, as answers have it")]
    title: Annotated[str, note("the title")]
    kind: Annotated[str, note("the name for rolls of its kind")]
    side: Annotated[str, note("the side that throws it, '' if no side does or it is not known")]
    player: Annotated[str, note("the player who threw it, or '' if it is not known")] = ""
    dice: Annotated[str, note("the dice, such as 2d6")]
    shown: Annotated[str, note("the dice as they were given, single ones if they are known")]
    natural: Annotated[int, note("the total, without modifiers")]
    mean: Annotated[Fraction, note("the mean of the total")]
    good: Annotated[Good, note("which totals are good: low, high, worth; '' for nothing")]
    percentile: Annotated[
        Fraction | None,
        note("the chance of a worse roll and half that of an equal one, null if neither high nor low is better"),
    ]
    before: Annotated[Fraction | None, note("the swing expected before it, for its side; null outside battles")] = None
    after: Annotated[Fraction | None, note("the swing expected after it, for its side; null outside battles")] = None
    variance: Annotated[Fraction | None, note("the mean square of what its luck might have been")] = None
    passed: Annotated[int | None, note("checks passed by it, null if it is not a check")] = None
    checks: Annotated[int, note("checks that it decides")] = 0
    expected: Annotated[Fraction | None, note("checks expected to be passed by it, null if it is not a check")] = None
    pass_chances: Annotated[dict[int, Fraction], note("the chance of each number of checks passed")] = {}

    @property
    def luck(self) -> Fraction | None:
        """The change of the expected swing for the side of the roll, or None outside battles."""
        return None if self.before is None or self.after is None else self.after - self.before


class ChoiceLuck(msgspec.Struct, frozen=True, kw_only=True, tag="choice", tag_field="what"):
    """A choice among several options, with the expected swing before and after it. It is not judged."""

    name: Annotated[str, note("the name, as answers have it")]
    title: Annotated[str, note("the title of the choice")]
    side: Annotated[str, note("the side that chooses")]
    taken: Annotated[str, note("the option taken")]
    by_policy: Annotated[str, note("the option of the stated policy")]
    before: Annotated[Fraction, note("the swing expected before it, by the policy, for the side that chooses")]
    after: Annotated[Fraction, note("the swing expected after it, for the side that chooses")]


class SideOfBattle(msgspec.Struct, frozen=True, kw_only=True):
    """The losses of one side in a battle."""

    role: Annotated[str, note("attacker or defender, or what else the game calls it")]
    side: Annotated[str, note("the side's name in the game, such as german")]
    expected: Annotated[Fraction, note("the side's losses expected before the dice")]
    lost: Annotated[int, note("the side's losses")]
    afterwards: Annotated[int, note("the side's losses after the battle, which do not count in the swing")] = 0
    percentile: Annotated[Fraction, note("the chance that the side loses more, plus half the chance of equal losses")]
    chances: Annotated[dict[int, Chance], note("the side's possible losses, each with its chance")]


class BattleLuck(msgspec.Struct, frozen=True, kw_only=True):
    """A battle. Its swing is the other side's losses minus the attacker's.

    The final swing is the swing expected before the dice, plus the luck of all rolls, plus the effects of all choices.
    """

    number: Annotated[int, note("the number among all battles of the record, from 1")]
    step: Annotated[int, note("the step of the log, or the number of the entry")]
    last: Annotated[int, note("the last step of the log that belongs to it")]
    when: Annotated[str, note("turn and phase")]
    question: Annotated[str, note("the question that was asked")]
    title: Annotated[str, note("the title of the battle")]
    sides: Annotated[tuple[SideOfBattle, ...], note("the attacker first")]
    expected: Annotated[Fraction, note("the swing expected before the dice")]
    swing: Annotated[int, note("the swing that came")]
    percentile: Annotated[Fraction, note("the chance of a worse swing for the attacker, and half that of an equal one")]
    chances: Annotated[dict[int, Chance], note("each swing with its chance")]
    turns: Annotated[tuple[ThrownDice | ChoiceLuck, ...], note("rolls and choices in order")] = ()
    besides: Annotated[tuple[ThrownDice, ...], note("rolls of it on which the swing does not depend")] = ()
    rests_on: Annotated[tuple[str, ...], note("sources that are not printed, and what else it rests on")] = ()

    @property
    def attacker(self) -> str:
        return self.sides[0].side

    def of_side(self, side: str) -> int:
        """Return the sign with which the swing counts for a side: 1, -1, or 0 if the side does not take part."""
        roles = [each.side for each in self.sides]
        if side not in roles:
            return 0
        return 1 if roles[0] == side else -1

    @property
    def rolls(self) -> Iterator[ThrownDice]:
        return (turn for turn in self.turns if isinstance(turn, ThrownDice))


class OtherRolls(msgspec.Struct, frozen=True, kw_only=True):
    """The rolls of one question outside battles."""

    step: Annotated[int, note("the step of the log, or the number of the entry")]
    last: Annotated[int, note("the last step of the log that belongs to it")]
    when: Annotated[str, note("turn and phase")]
    question: Annotated[str, note("the question that was asked")]
    title: Annotated[str, note("the title of the question")]
    rolls: Annotated[tuple[ThrownDice, ...], note("the rolls")]


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A battle that is left out of all totals, with the reason."""

    number: Annotated[int, note("the number among all battles of the record, from 1")]
    step: Annotated[int, note("the step of the log, or the number of the entry")]
    when: Annotated[str, note("turn and phase")]
    title: Annotated[str, note("the title of the battle")]
    why: Annotated[str, note("the reason for leaving it out")]
    charts: Annotated[tuple[str, ...], note("the charts of which it needs unknown cells")] = ()


class SideTotal(msgspec.Struct, frozen=True, kw_only=True):
    """The total of all battles in a record, as one side sees them."""

    side: Annotated[str, note("the side")]
    title: Annotated[str, note("the name")]
    battles: Annotated[int, note("battles in which it took part")]
    lost: Annotated[int, note("the losses")]
    lost_expected: Annotated[Fraction, note("the losses expected")]
    taken: Annotated[int, note("the losses of its enemies")]
    taken_expected: Annotated[Fraction, note("the losses expected of its enemies")]
    expected: Annotated[Fraction, note("the swing expected before all dice")]
    swing: Annotated[int, note("the swing that came")]
    own_luck: Annotated[Fraction, note("the luck of its rolls")]
    enemy_luck: Annotated[Fraction, note("the luck of the rolls of others, with the other sign")]
    choices: Annotated[Fraction, note("the effects of the choices of both sides, as it sees them")]
    percentile: Annotated[
        Fraction, note("the chance of a worse swing in all battles together, and half that of an equal one")
    ]
    spread: Annotated[float, note("the standard deviation of the swing of all battles together")]


class KindTotal(msgspec.Struct, frozen=True, kw_only=True):
    """The total of all rolls of one kind by one side."""

    kind: Annotated[str, note("the name of the kind")]
    side: Annotated[str, note("the side that threw them, '' if that is not known")]
    rolls: Annotated[int, note("the number of rolls")]
    natural: Annotated[int, note("the sum of their totals")]
    mean: Annotated[Fraction, note("the sum of the means of their totals")]
    luck: Annotated[Fraction | None, note("the luck, null where no swing depends on them")] = None
    spread: Annotated[float | None, note("the square root of the sum of their variances")] = None
    average: Annotated[Fraction | None, note("the mean of their percentiles, null if they have none")] = None
    passed: Annotated[int | None, note("checks passed, null if they are not checks")] = None
    checks: Annotated[int, note("checks that they decided")] = 0
    expected: Annotated[
        Fraction | None, note("checks expected to be passed, each at the odds at which it was made")
    ] = None
    percentile: Annotated[
        Fraction | None,
        note("the percentile of the checks passed, or of the sum of totals if good totals are known, or null"),
    ] = None


class Evening(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of a record of play."""

    file: Annotated[str, note("the log or the journal")]
    game: Annotated[str, note("the game's id")]
    is_log: Annotated[bool, note("whether it is a log; otherwise a journal")]
    by_lines: Annotated[
        bool, note("whether only throws and typed lines count as steps, so that no other step is revealed")
    ] = False
    unit: Annotated[str, note("the unit of losses")]
    battles: Annotated[tuple[BattleLuck, ...], note("the battles")] = ()
    others: Annotated[tuple[OtherRolls, ...], note("rolls outside battles")] = ()
    left_out: Annotated[tuple[LeftOut, ...], note("battles that are left out of all sums")] = ()
    sides: Annotated[tuple[SideTotal, ...], note("all battles together, for each side that took part")] = ()
    kinds: Annotated[tuple[KindTotal, ...], note("all rolls by kind and side")] = ()
    unexplained: Annotated[int, note("throws that are matched to no roll, which do not count")] = 0
    titles: Annotated[dict[str, str], note("the names of sides")] = {}
    viewpoint: Annotated[str, note("the viewpoint")] = ""
    viewpoint_title: Annotated[str, note("the name of the viewpoint's side")] = ""
