"""Railways: who goes by rail, and where a rail line leads; rail lines cut and repaired (5.2, 5.2.1, 10.6.1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from assistant.asking import Gather, Step, changed, holding, step
from assistant.rules.field import HexBar, SideField
from assistant.rules.field.hexsides import leads_into
from assistant.rules.moves import Order, bar_to_rail

from . import ground, terms
from .supply import out_of_supply

CHANGE = 3
"""The turn for which 5.2 names both limits, and in which the command of the 8th Army changes."""


def most_entrained(facts: Gather) -> int:
    """Return how many units may entrain this turn: two up to turn 3, five from turn 3; which of them on turn 3 is a
    ruling. Rule: 5.2/limits
    """
    turn = facts.integer("turn")
    return 2 if turn < CHANGE or (turn == CHANGE and facts.view.ruling("rail-turn-3") == "two") else 5


def bars_to_rail(facts: Gather, around: SideField, order: Order) -> Iterator[Step]:
    """Yield what keeps units from a move by rail as a whole: their side, Prittwitz in command, the limit of the turn,
    which counts those that entrain or enter entrained; enemy zones where they entrain and detrain. Rule: 5.2/limits,
    5.2/cost, 5.2/zoc, 5.3/rail, 10.6.1/rail
    """
    if around.side != terms.GERMAN:
        yield step("5.2", "only German units move by rail")
        return
    used = facts.view.integer("entrained-units", around.side)
    most = most_entrained(facts)
    ends = order.railheads
    prittwitz = "german-headquarters" in facts.view.words("options") and facts.integer("turn") < CHANGE
    over = "{used:#unit} have entrained this turn; {entraining} more exceed the limit of {most}"
    clauses = (
        (prittwitz, "10.6.1", "no rail movement on turns 1 and 2, while Prittwitz commands"),
        (used + order.riders > most, "5.2", over),
        *((at in around.enemy_zones, "5.2", f"{at} is in an enemy zone of control: no rail movement") for at in ends),
        *((not leads_into(facts, "rail", at), "5.2", f"no railway leads into {at}") for at in ends),
    )
    yield from holding(clauses, used=used, entraining=order.riders, most=most)


def bar_rail(facts: Gather, around: SideField, order: Order, here: str, there: str) -> HexBar | None:
    """Return what keeps units from the next hex by rail: enemy zones, a line that is cut, foreign control, no railway.
    Rule: 5.2/cost, 5.2/zoc
    """
    return bar_to_rail(facts, around, order, here, there, partial(ground.controller, facts), "5.2")


def bars_to_works(facts: Gather, around: SideField, order: Order, *, forced: bool) -> Iterator[Step]:
    """Yield what keeps a unit from what it does on its way: cutting and repairing rail lines, for which enemy zones do
    not matter, and a line of supply only to repair, in the hex itself; and holding hexes as cavalry. Rule: 5.2.1/cut,
    5.2.1/repair, 10.2.3, 10.3
    """
    view = facts.view
    name, *_ = order.ends
    arm = facts.word("arm", name)
    cuts = arm in terms.INFANTRY and around.side == terms.RUSSIAN
    repairs = arm in terms.INFANTRY and around.side == terms.GERMAN
    for at in order.at("cut"):
        bars = (
            (not cuts, "5.2.1", "only Russian infantry cuts rail lines"),
            (forced, "10.3", "no rail line is cut in a forced march"),
            (view.flag("rail-cut", at), "5.2.1", f"the rail line in {at} is cut already"),
            (cuts and not leads_into(facts, "rail", at), "5.2.1", f"no railway leads into {at}"),
        )
        yield from holding(bars)
    for at in order.at("repair"):
        with view.after([changed(view, "place", name, at, "5.2.1")]).gather() as there:
            lost = out_of_supply(there, ground.field(there).around(around.side), [name])
        clauses = (
            (not repairs, "5.2.1", "only German infantry repairs rail lines"),
            (not view.flag("rail-cut", at), "5.2.1", f"the rail line in {at} is not cut"),
            (lost, "5.2.1", f"{name} has no line of supply in {at}"),
        )
        yield from holding(clauses)
    why = "only cavalry spends Movement Points for control, with the option cavalry-control in use"
    yield from holding([(order.at("hold") and ground.controls_for_good(view, [arm]), "10.2.3", why)])
