"""The leaders in command in a position, with their remaining uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from assistant.asking import Gather, InputError, View
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.points import format_amounts

from .command import (
    LAST_TURN_RULING,
    Leader,
    check_uses,
    commands,
    count_uses,
    every_leader,
    leader_named,
    turns_on_reading,
    uses_left,
)


def agreed_leaders(view: View) -> frozenset[str]:
    """Return the optional leaders that the players have agreed to use, by `Leader.option`."""
    return view.words("leaders")


def is_agreed(view: View, leader: Leader) -> bool:
    """Return whether a leader is in use at all: he is not optional, or the players have agreed on him."""
    return not leader.optional or leader.option in agreed_leaders(view)


def read_uses(view: View) -> Mapping[str, int]:
    """Return the number of combats in which each leader has been used.

    Raises InputError if a number is impossible.
    """
    uses = view.amounts("leader-uses")
    for name, number in uses.items():
        if number.denominator > 1:
            raise InputError(f"leader-uses: {name} has been used in a part of a combat", hint=f"write {name}:1")
    return check_uses({name: int(number) for name, number in uses.items()})


def commands_now(facts: Gather, leader: Leader) -> bool:
    """Return whether a leader commands in the present game turn."""
    view = facts.view
    if not is_agreed(view, leader):
        return False
    turn = facts.integer("turn")
    reading = view.ruling(LAST_TURN_RULING, turns_on_reading(leader, turn))
    return commands(leader, turn, agreed_leaders(view), campaign=facts.flag("campaign"), reading=reading)


def leaders_with_uses(facts: Gather) -> tuple[Leader, ...]:
    """Return the leaders in command who may still apply in a combat."""
    if not agreed_leaders(facts.view):
        return ()
    used = read_uses(facts.view)
    fighting = (leader for leader in every_leader() if leader.fights and uses_left(leader, used))
    return tuple(leader for leader in fighting if commands_now(facts, leader))


def leaders_who_tell(facts: Gather, chosen: Collection[str]) -> tuple[Leader, ...]:
    """Return the leaders in command with uses left, except those whose players have not chosen them.

    Raises InputError if a chosen leader does not command or has no use left.
    """
    able = leaders_with_uses(facts)
    for name in chosen:
        _check_chosen(facts, name, able)
    return tuple(leader for leader in able if not leader.chosen or leader.leader in chosen)


def _check_chosen(facts: Gather, name: str, able: Collection[Leader]) -> None:
    leader = leader_named(name)
    if leader in able:
        return
    if not is_agreed(facts.view, leader):
        raise InputError(f"leader: {leader.title} is optional and not agreed on", hint=f"state: leaders={name}")
    if not commands_now(facts, leader):
        until = f"{leader.title} commands the {leader.of} only in GTs {leader.first} to {leader.last}"
        raise InputError(f"leader: {until} ({leader.rule})", hint="leave it out")
    raise InputError(f"leader: {leader.title} has no use left ({leader.rule})", hint="leave it out")


def count_uses_of(view: View, leaders: Iterable[Leader]) -> Iterator[Change]:
    """Yield the changes that count one use for each time that a leader is named, up to his limit (25.2 to 25.7)."""
    named = list(leaders)
    if not named:
        return
    used = read_uses(view)
    now = dict(used)
    for leader in named:
        if uses_left(leader, now):
            now = count_uses(now, [leader])
    if now != used:
        yield changed(view, "leader-uses", "", format_amounts({name: Fraction(n) for name, n in now.items()}), "25.0")
