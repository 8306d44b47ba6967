"""What follows as units enter and leave hexes and is not carried out, since a die or a fact decides it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from assistant.asking import Gather, Step, View, step
from assistant.state.state import Unit

from ..concealment.cover import option_of, unseen_near
from ..ground.works import hexes_bringing_down, pontoons
from ..terms import COMBAT_ARMS
from .arrival import Arrival


class Trigger(msgspec.Struct, frozen=True):
    """What may make a garrison abandon a bridgehead."""

    enemy: tuple[str, ...]
    """The Russian combat units adjacent to it."""
    friend: tuple[str, ...]
    """The Austro-Hungarian combat units in it."""
    tested: bool
    """Whether a die has been rolled for it before."""

    @property
    def due(self) -> bool:
        """Whether a die is rolled: at the first moment when a Russian combat unit is next to it and no Austro-Hungarian
        one in it, and once only.
        Rule: 12.5.1
        """
        return bool(self.enemy) and not self.friend and not self.tested


def bridgehead_trigger(facts: Gather | View, unit: str, place: str) -> Trigger:
    """Return who stands adjacent to a bridgehead and in it. facts: asked for what is not stated, unless it is a
    view.
    """
    view = facts.view if isinstance(facts, Gather) else facts
    enemy = tuple(
        russian for hex in view.board.neighbours(place) for russian in _find_combat_units(facts, hex, "russian")
    )
    friend = tuple(other for other in _find_combat_units(facts, place, "austro-hungarian") if other != unit)
    return Trigger(enemy, friend, facts.flag("tested", unit))


def _find_combat_units(facts: Gather | View, hex: str, nation: str) -> list[str]:
    """Return the combat units of a nation in a hex."""
    view = facts.view if isinstance(facts, Gather) else facts
    there = [unit.id for unit in view.stack(hex)]
    return [unit for unit in there if facts.word("nation", unit) == nation and facts.word("arm", unit) in COMBAT_ARMS]


def may_be_bridgehead(view: View, unit: Unit) -> bool:
    """Return whether a unit is an Austro-Hungarian Fort, as all bridgeheads are; of one whose counter is not known it
    is not known whether it is one.
    """
    return view.word("arm", unit.id) == "fort" and view.word("nation", unit.id) == "austro-hungarian"


class Open(msgspec.Struct, frozen=True):
    """What follows and is not carried out, as a die or a fact decides it."""

    subject: str
    """The unit or hexside."""
    step: Step
    """What it is about, in words."""


def list_open_bridgeheads(arrival: Arrival) -> Iterator[Open]:
    """Yield the bridgeheads for which a die is rolled now: a Russian combat unit has come adjacent to one in which no
    Austro-Hungarian combat unit stands, or the last one has left it (12.5.1).
    """
    view = arrival.after
    comes = arrival.of_arm(COMBAT_ARMS)
    russian = [unit for unit in comes if view.word("nation", unit) == "russian"]
    near: Iterable[str]
    if russian:
        near = arrival.beside(arrival.entered)
    elif comes:
        near = arrival.left
    else:
        near = ()
    forts = [unit for hex in near for unit in view.stack(hex) if may_be_bridgehead(view, unit)]
    for fort in forts:
        trigger = bridgehead_trigger(view, fort.id, str(fort.place))
        if replace(trigger, enemy=(*russian, *trigger.enemy)).due:
            text = (
                "a Russian combat unit is adjacent to {unit} in {hex}, and no Austro-Hungarian combat unit is in that "
                "hex[doubtful:, if it is a bridgehead]: a die roll decides whether it is abandoned (ask bridgehead)"
            )
            doubtful = view.fact("abandonment", fort.id) is None
            yield Open(fort.id, step("12.5.1", text, unit=fort.id, hex=fort.place, doubtful=doubtful))


def list_open_stacks(arrival: Arrival) -> Iterator[Open]:
    """Yield the hexes adjacent to which units have come and where nothing is seen: what lies concealed there is turned
    over (26.2.4).
    """
    view = arrival.after
    if arrival.is_rumour or option_of(view) != "concealment":
        return
    for hex in unseen_near(view, arrival.entered, arrival.side):
        yield Open(
            hex, step("26.2.4", "the topmost concealed unit in {hex} is turned over: its owner names it", hex=hex)
        )


def list_open_towns(arrival: Arrival) -> Iterator[Open]:
    """Yield the starred towns that troops enter and of which it is not stated who has held them (27.2.4)."""
    for hex, star, holder in arrival.towns:
        if not holder:
            text = (
                "{hex}: {star:#Victory Point} if the other side held this starred town: state who holds it now ({how})"
            )
            how = f"{hex} star-holder={'|'.join(arrival.before.game.file.sides)}"
            yield Open(hex, step("27.2.4", text, hex=hex, star=star, how=how))


def list_open_bridges(arrival: Arrival) -> Iterator[Open]:
    """Yield the pontoon bridges adjacent to which units have come and of which it is not stated whose they are
    (18.1).
    """
    view = arrival.after
    if arrival.entered:
        for bridge in pontoons(view):
            if not bridge.nation and (hexes := hexes_bringing_down(view, bridge, arrival.entered)):
                text = (
                    "the pontoon bridge on {hexside} comes off if its owner's enemy has entered {hexes}: state whose "
                    "it is ({how})"
                )
                how = f"{bridge.hexside} pontoon-of=NATION"
                yield Open(bridge.hexside, step("18.1", text, hexside=bridge.hexside, hexes=sorted(hexes), how=how))
