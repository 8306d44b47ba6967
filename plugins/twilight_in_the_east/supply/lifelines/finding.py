"""What the supply of units of one side hangs on: what it passes and may lose, what supposing one loss after the other
finds, and the same in words (14.1, 14.2).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from types import MappingProxyType, SimpleNamespace
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from assistant.field.supposing import suppose_line
from assistant.game.games import Game
from assistant.questions import InputError, Step, Verdict, View, note, step, verdict
from assistant.questions.what_if import ChangedRank, Harm, compare_ranks, harms
from assistant.questions.wording import fill
from assistant.state.state import UNSEEN, FactKey, GameState, Unit, all_stated
from assistant.state.tracks import Fact, Value

from ...forces.armies import nearest_formations
from ...ground.hexsides import between
from ...terms import GREAT_RIVERS
from ..ground import FERRY, LINKS, PILLAU, rails_from
from ..report import UnitSupply, by_source
from ..rules import WORST, connected_railway
from ..side.doubts import Leg, Passage, legs, legs_out
from ..side.states import SideStates, side_supply
from ..sources import fortress_source

Kind = Literal["hex", "source", "railway", "bridge"]
RULES: Mapping[Kind, str] = {"hex": "14.1", "source": "14.2", "railway": "17.1.1", "bridge": "14.1.1"}
"""The rule by which each kind of loss matters."""
KINDS = tuple(RULES)


class Loss(NamedTuple):
    """One thing that is lost.

    kind: "hex" for one that an enemy enters, "source" for a unit that is eliminated, "railway" for a hex whose RR line
    is no longer operational, "bridge" for a hexside of a great river over which nothing leads any more; where: the hex,
    the unit or the hexside.
    """

    kind: Kind
    where: str


class SupplyHeld(msgspec.Struct, frozen=True, kw_only=True):
    """The supply that a unit has in one position, with the best modes that its side may choose."""

    state: Annotated[str | None, note("in, low or out; null where facts are missing")]
    isolated: Annotated[bool | None, note("whether it is Isolated, if it is Out of Supply")] = None
    source: Annotated[str, note("what serves it, empty if nothing does")] = ""
    extended: Annotated[bool, note("whether that is in Extended Mode")] = False
    cost: Annotated[Fraction | None, note("length of its line in hexes, null if it needs or has none")] = None
    line: Annotated[tuple[str, ...], note("the hexes of its line after that of the source")] = ()

    @property
    def now(self) -> str:
        """The state in words."""
        return WORDS[self.state] + (" and Isolated" if self.isolated else "")

    @classmethod
    def of(cls, supply: UnitSupply) -> SupplyHeld:
        """What a unit has of its supply."""
        could = supply.could
        return cls(
            state=could.state,
            isolated=supply.isolated if could.state == "out" else None,
            source=could.source,
            extended=could.extended,
            cost=could.cost,
            line=tuple(entered.hex for entered in could.line),
        )


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of the supply of a unit."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    before: Annotated[SupplyHeld, note("its supply in the position as it stands")]
    after: Annotated[SupplyHeld, note("its supply afterwards")]

    @classmethod
    def of(cls, turned: ChangedRank[UnitSupply]) -> Effect:
        """What becomes of the supply of a unit, as compared."""
        before, after = SupplyHeld.of(turned.before), SupplyHeld.of(turned.after)
        return cls(unit=turned.subject, place=turned.before.place, before=before, after=after)


class HarmfulLoss(msgspec.Struct, frozen=True, kw_only=True):
    """A loss by which units are worse off."""

    kind: Annotated[Kind, note("hex that an enemy enters, source eliminated, railway out of use, or bridge lost")]
    where: Annotated[str, note("the hex, the unit or the hexside")]
    worse: Annotated[tuple[Effect, ...], note("units worse supplied then")] = ()
    better: Annotated[
        tuple[Effect, ...], note("units better supplied then, as others no longer draw on their source")
    ] = ()
    gone: Annotated[tuple[str, ...], note("the units that are lost with it")] = ()

    @classmethod
    def of(cls, harm: Harm[Loss, UnitSupply]) -> HarmfulLoss:
        """What a loss does, as found out."""
        return cls(
            kind=harm.loss.kind,
            where=harm.loss.where,
            worse=tuple(map(Effect.of, harm.worse)),
            better=tuple(map(Effect.of, harm.better)),
            gone=harm.gone,
        )

    @property
    def severity(self) -> tuple[int, ...]:
        """How bad it is: how many units it leaves Isolated, how many Out of Supply, how many worse off."""
        then = [effect.after for effect in self.worse]
        return sum(bool(state.isolated) for state in then), sum(state.state == "out" for state in then), len(then)


class PassingUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply passes a hex."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    by: Annotated[
        Passage, note("what passes through it: its line, that of its source, the RR line behind, or its way out")
    ]
    before: Annotated[SupplyHeld, note("its supply in the position as it stands")]
    after: Annotated[
        SupplyHeld | None, note("its supply once an enemy has entered the hex, null if the unit is lost there")
    ]


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """What serves a unit just as well without some hexes of its line."""

    unit: Annotated[str, note("its id")]
    without: Annotated[tuple[str, ...], note("hexes, any one of which may fall")]
    same_line: Annotated[bool, note("whether its own line stands, with another stretch of the route bypassing the hex")]
    after: Annotated[SupplyHeld, note("its supply then")]


class UndecidedUnit(msgspec.Struct, frozen=True, kw_only=True):
    """A unit whose supply cannot be told as the position is."""

    unit: Annotated[str, note("its id")]
    place: Annotated[str, note("its hex or box")]
    missing: Annotated[tuple[str, ...], note("what to state")]


class SideLifelines(msgspec.Struct, frozen=True, kw_only=True):
    """What the supply of a side hangs on, as far as it was asked."""

    side: Annotated[str, note("its name")]
    units: Annotated[int, note("how many units were asked about")]
    undecided: Annotated[tuple[UndecidedUnit, ...], note("units whose supply the position does not settle")] = ()
    tried: Annotated[int, note("how many losses were tried")] = 0
    losses: Annotated[tuple[HarmfulLoss, ...], note("losses that leave units worse off, the worst first")] = ()
    through: Annotated[tuple[PassingUnit, ...], note("units whose supply passes through the hex named")] = ()
    alternatives: Annotated[
        tuple[Alternative, ...], note("for units that were named, what could serve them instead")
    ] = ()
    worse: Annotated[tuple[Effect, ...], note("units worse supplied under what is supposed")] = ()
    unsure: Annotated[tuple[Effect, ...], note("units whose supply is then undecided until more is stated")] = ()
    better: Annotated[tuple[Effect, ...], note("units better supplied")] = ()
    otherwise: Annotated[tuple[Effect, ...], note("units with the same state from another source or line")] = ()
    waiting: Annotated[tuple[str, ...], note("RR hexes that enemies leave, non-friendly until they are converted")] = ()
    gone: Annotated[tuple[str, ...], note("units that leave the map under what is supposed")] = ()


class Lifelines(msgspec.Struct, frozen=True, kw_only=True):
    """What supply hangs on."""

    zone: Annotated[bool, note("whether an enemy that enters a hex exerts a zone of control there")]
    sides: Annotated[tuple[SideLifelines, ...], note("each side asked about")] = ()


NAMED = 6
"""How many hexes a line names of which the same is to be said; the result holds all of them."""
WORDS = {"in": "In Supply", "low": "Low Supply", "out": "Out of Supply", None: "undecided"}
LOST: dict[Kind, str] = {
    "hex": "an enemy in {places}",
    "source": "{places} eliminated",
    "railway": "RR line out of use in {places}",
    "bridge": "no bridge or ferry across {places}",
}
"""What is lost, in words."""
BY: dict[Passage, str] = {
    "line": "its line",
    "source": "the line of its source",
    "railway": "the RR line behind it",
    "way out": "the route that keeps it from being Isolated",
}


def supply_template(had: SupplyHeld) -> str:
    """The template of a unit's supply with its source."""
    return "{now}" + by_source(had.source, had.cost, had.extended)


def in_words(had: SupplyHeld) -> str:
    """A unit's supply with its source in words."""
    return fill(supply_template(had), {"now": had.now, "source": had.source, "cost": had.cost})


def name_places(places: Sequence[str]) -> str:
    """Places in words, of many the first ones."""
    more = len(places) - NAMED
    named = [*places[:NAMED], f"{more} more"] if more > 1 else list(places)
    return " or ".join(filter(None, [", ".join(named[:-1]), named[-1]]))


# --- losses -----------------------------------------------------------------------------------------------------------


def loss_steps(losses: Sequence[HarmfulLoss]) -> Iterator[Step]:
    """Every loss with the units that are worse off; those of one kind with the same effects stand together."""
    same: dict[tuple[object, ...], list[HarmfulLoss]] = {}
    for loss in losses:
        effects = tuple((effect.unit, effect.before.now, effect.after.now) for effect in (*loss.worse, *loss.better))
        same.setdefault((loss.kind, effects, loss.gone), []).append(loss)
    return map(loss_step, same.values())


def loss_step(some: Sequence[HarmfulLoss]) -> Step:
    """Losses of one kind with the same effects, in a line."""
    loss = some[0]
    effects = "; ".join([*changes(loss.worse), *changes(loss.better)])
    text = LOST[loss.kind] + ": {effects}" + ("; {gone} lost" if loss.gone else "")
    return step(RULES[loss.kind], text, loss, places=name_places([each.where for each in some]), effects=effects)


def changes(effects: Iterable[Effect]) -> Iterator[str]:
    """What becomes of units, those with the same change together: "22/1, 24/1 from In Supply to Low Supply"."""
    same: dict[tuple[str, str], list[str]] = {}
    for effect in effects:
        same.setdefault((effect.before.now, effect.after.now), []).append(effect.unit)
    for (before, after), units in same.items():
        yield f"{', '.join(units)} from {before} to {after}"


def hanging_verdict(sides: Sequence[SideLifelines]) -> Verdict:
    """How many units hang on a single loss, and which is the worst."""
    units = sum(side.units for side in sides)
    losses = [loss for side in sides for loss in side.losses]
    if not units:
        return verdict("figure", "no units on the map")
    if not losses:
        text = "no single loss of a hex, source, RR hex or bridge worsens the supply of {units:#unit}"
        return verdict("figure", text, units=units)
    worst = max(losses, key=lambda loss: loss.severity)
    hanging = len({effect.unit for loss in losses for effect in loss.worse})
    certain = all(effect.after.state for loss in losses for effect in loss.worse)
    text = f"a single loss {'would' if certain else 'may'} worsen the supply of {{hanging}} of {{units:#unit}}; the worst: "
    text += LOST[worst.kind]
    return verdict("figure", text, hanging=hanging, units=units, places=worst.where)


def alternative_step(alternative: Alternative) -> Step:
    """What serves a unit as well without some hexes, in a line."""
    text = "{unit} without {places}: " + supply_template(alternative.after)
    if alternative.same_line:
        text += " along the same line, as another route bypasses the hex"
    elif alternative.after.line:
        text += ", by {line}"
    return step("14.1", text, alternative, alternative.after, places=name_places(alternative.without))


# --- through a hex ----------------------------------------------------------------------------------------------------


def through_step(unit: PassingUnit) -> Step:
    """A unit whose supply passes a hex, in a line."""
    text = "{unit} in {place}, by {part}: {has}; then " + (supply_template(unit.after) if unit.after else "lost")
    return step("14.1", text, unit, unit.after, part=BY[unit.by], has=unit.before.now)


def through_verdict(hex: str, sides: Sequence[SideLifelines]) -> Verdict:
    """How many units are supplied through a hex, and how many would be worse off."""
    units = [unit for side in sides for unit in side.through]
    if not units:
        return verdict("figure", "the supply of none of these units passes through {hex}", hex=hex)
    then = [(unit.before.now, unit.after) for unit in units]
    changed = [after for before, after in then if after and after.now != before]
    doubt = "would" if all(after.state for after in changed) else "may"
    text = f"the supply of {{units:#unit}} passes through {{hex}}; with an enemy there {{worse}} {doubt} be worse off"
    gone = SimpleNamespace(gone=sum(after is None for _, after in then))
    text += ", {gone} lost" if gone.gone else ""
    return verdict("figure", text, gone, units=len(units), hex=hex, worse=len(changed))


def with_undecided(said: Verdict, sides: Sequence[SideLifelines]) -> Verdict:
    """A verdict with the number of units of which nothing can be told yet."""
    many = sum(len(side.undecided) for side in sides)
    if not many:
        return said
    return Verdict("undecided", f"{said.template}; {{missing:#unit}} undecided", {**said.figures, "missing": many})


# --- suppositions -----------------------------------------------------------------------------------------------------


def effect_step(effect: Effect) -> Step:
    """What becomes of a unit, in a line."""
    has, gets = in_words(effect.before), in_words(effect.after)
    if has == gets:
        return step("14.4", "{unit} in {place}: {has}, then along {line}", effect, effect.after, has=has)
    return step("14.4", "{unit} in {place}: {has}, then {gets}", effect, has=has, gets=gets)


def supposed_verdict(sides: Sequence[SideLifelines]) -> Verdict:
    """How many units have less, and how many more, with what is supposed."""
    worse, unsure, better = (sum(len(getattr(side, name)) for side in sides) for name in ("worse", "unsure", "better"))
    gone = sum(len(side.gone) for side in sides)
    counts = {name: count for name, count in (("doubtful", unsure), ("gone", gone)) if count}
    text = "{worse:#unit} worse off, {gaining} better off"
    text = text if worse or unsure or better else "no unit is better or worse off"
    text += (", {doubtful} undecided" if unsure else "") + (", {gone} off the map" if gone else "")
    return verdict("figure", text, worse=worse, gaining=better, **counts)


BLOWN: Mapping[str, Value] = {track: WORST[track] for track in LINKS}
"""What leads over a river that has neither bridge nor ferry."""


def after_loss(game: Game, state: GameState, side: str, loss: Loss, *, zone: bool) -> GameState:
    """The state of a position after a loss of a side.

    zone: whether an enemy who enters a hex has a zone of control there, as a combat unit has (4.1), or none, so that
    nothing but the hex itself is lost.
    """
    if loss.kind == "hex":
        return enter_hex(game, state, side, loss.where, zone=zone)
    if loss.kind == "source":
        return off_the_map(state, [loss.where])
    values = {"operational": "none"} if loss.kind == "railway" else BLOWN
    return stating(game, state, {(track, loss.where): value for track, value in values.items()})


def enter_hex(game: Game, state: GameState, side: str, hex: str, *, zone: bool) -> GameState:
    """The state in which an enemy of a side stands in a hex alone; whoever stood there has left the map."""
    name = f"an enemy in {hex}"
    after = off_the_map(state, [unit.id for unit in state.stack(hex)])
    nation = next(nations[0] for other, nations in game.file.sides.items() if other != side)
    kind = {"arm": "infantry", "size": "XX"} if zone else {"arm": "artillery", "size": "III"}
    words = {game.file.picture.nation: nation, **kind}
    facts = {key: fact for key, fact in after.facts.items() if key != (UNSEEN, hex)}
    facts |= {(track, name): Fact(value) for track, value in words.items()}
    units = {**after.units, name: Unit(name, name, hex)}
    return msgspec.structs.replace(after, units=MappingProxyType(units), facts=MappingProxyType(facts))


def off_the_map(state: GameState, names: Iterable[str]) -> GameState:
    """The state in which some units have left the map."""
    gone = {name: msgspec.structs.replace(state.units[name], place=None) for name in names}
    return msgspec.structs.replace(state, units=MappingProxyType({**state.units, **gone})) if gone else state


def stating(game: Game, state: GameState, values: Mapping[FactKey, Value]) -> GameState:
    """The state with other values of some facts, whatever typed lines say of them."""
    facts = {**all_stated(state, game.tracks), **{key: Fact(value) for key, value in values.items()}}
    return msgspec.structs.replace(state, facts=MappingProxyType(facts), line_facts=MappingProxyType({}))


# --- as a player supposes them ----------------------------------------------------------------------------------------

ENEMY = re.compile(r"(\S+)\s+enemy", re.IGNORECASE)
"""A hex that an enemy enters."""
OFF = re.compile(r"off\s+(.+)", re.IGNORECASE)
"""A unit that leaves the map."""


def as_supposed(game: Game, state: GameState, side: str, text: str, *, zone: bool) -> GameState:
    """The state in which suppositions hold, one after the other: `HEX enemy`, `off UNIT`, or a line of position
    notation.

    text: with semicolons between them. Raises InputError for one that cannot be, and if there is none.
    """
    parts = [part.strip() for part in re.split("[;\n]", text) if part.strip()]
    if not parts:
        hint = "if='64.38 enemy', if='off 1 Train', or a line of a position: if='64.39 operational=none'"
        raise InputError("nothing is supposed", hint=hint)
    board = game.board(state.board)
    for part in parts:
        if match := ENEMY.fullmatch(part):
            state = enter_hex(game, state, side, board.place(match[1]), zone=zone)
        elif match := OFF.fullmatch(part):
            state = off_the_map(state, [game.unit(state, match[1].strip('"')).id])
        else:
            state = suppose_line(game, state, part)
    return state


def vacated(view: View, after: GameState, side: str) -> tuple[str, ...]:
    """The RR hexes where enemies of a side stand, and none in another state, which stay non-friendly to it until its RR
    Engineers have converted them, unless it is supposed whose line is operational there.
    Rule: 17.1.2, 17.1.4
    """
    game, board, before = view.game, view.board, view.state

    def held(state: GameState) -> set[str]:
        units = [unit for unit in state.units.values() if unit.place]
        return {str(unit.place) for unit in units if game.side_of_unit(unit, state.facts) not in ("", side)}

    def waits(hex: str) -> bool:
        stated, whose = after.facts.get(("operational", hex)), view.word("operational", hex)
        if stated != before.facts.get(("operational", hex)) or whose not in ("", side):
            return False
        return any(rails_from(view, hex, board.neighbours(hex)))

    return tuple(filter(waits, sorted(held(before) - held(after))))


Passed = dict[Loss, Passage]
"""What the supply of a unit passes and may lose, the hexes first: with the part of it that passes each, its own line,
that of a source which must be supplied itself, the RR line from a friendly map edge, or the way that keeps a unit
from being Isolated.
"""


class Passing:
    """What the supply of units of one side passes. states: of the side, with the best modes."""

    def __init__(self, states: SideStates) -> None:
        self.states, self.side, self.view, self.around = states, states.side, states.side.view, states.side.around
        self._of: dict[str, Passed] = {}

    def of(self, unit: str) -> Passed:
        """What the supply of a unit passes."""
        if unit not in self._of:
            supply = self.states.supply_of(self.view.unit(unit))
            self._of[unit] = self.of(supply.through) if supply.through else self._passed(supply)
        return self._of[unit]

    def is_gone_round(self, loss: Loss) -> bool:
        """Whether a loss leaves every line in use as it is: that of a hex without friends which only RR lines behind
        them pass, and round which RR lines link all that they link now.
        """
        if loss.kind not in ("hex", "railway") or (loss.kind == "hex" and loss.where in self.around.friends):
            return False
        entered = Loss("hex", loss.where)
        passages = {passed[entered] for passed in self._of.values() if entered in passed}
        return passages == {"railway"} and self._leads_round(loss.where)

    def _leads_round(self, hex: str) -> bool:
        """Whether all other hexes of the RR lines of a drawn board are certain to stay linked without a hex."""
        board, around = self.side.board, self.around
        if (
            self.side.ground.network or self._linked(around.enemies) != board.linked
        ):  # a Field Railway leads no way round
            return False
        both = (around.enemies, board.linked), (around.closed, board.loc.cost.keys())
        return all(self._linked(closed, hex) == now - {hex} for closed, now in both)

    def _linked(self, closed: Collection[str], *without: str) -> Collection[str]:
        """The RR hexes that stay linked without some. closed: hexes that no link passes."""
        board = self.side.board
        return connected_railway(board.edges.difference(without), {*closed, *without}, board.rails).cost.keys()

    def may_be_the_link(self, loss: Loss) -> bool:
        """Whether a loss is that of the RR line in the outermost hex of a typed line which may lead to the map edge
        there, and that nothing else passes: the line is then cut as by an enemy.
        """
        network, hex = self.side.ground.network, loss.where
        if loss.kind != "railway" or hex not in self.side.ground.railway.granted or hex in self.around.friends:
            return False
        beyond = list(rails_from(self.view, hex, network.next_to(hex) if network else ()))
        passages = {passed.get(Loss("hex", hex), "railway") for passed in self._of.values()}
        return len(beyond) == 1 and passages == {"railway"}

    def _passed(self, supply: UnitSupply) -> Passed:
        unit = self.view.unit(supply.unit)
        client, offer = self.side.clients.get(unit.id), self.states.best.serves.get(unit.id)
        with self.view.gather() as facts:
            near = fortress_source(facts, unit)
            formations = nearest_formations(facts, unit)  # on whose attachment it rests what it may draw on (6.4.1)
        fortress = near if client and near in client.always else ""
        passed: Passed = {Loss("hex", str(self.view.unit(fortress or unit.id).place)): "line"}
        passed |= {Loss("source", fortress): "line"} if fortress else {}
        if client and offer and supply.could.state:
            for leg in legs(self.side, self.states.best.serves, client, offer):
                passed = self._with(passed, leg)
        for name in formations:
            passed.setdefault(Loss("hex", str(self.view.unit(name).place)), "line")
        if client and supply.could.state == "out" and not supply.isolated:
            for leg in legs_out(self.side, client):
                passed = self._with(passed, leg)
        return dict(sorted(passed.items(), key=lambda passed: KINDS.index(passed[0].kind)))

    def _with(self, passed: Passed, leg: Leg) -> Passed:
        """What is passed with one more leg of supply, and with the friends whose zones open a way out."""
        passed |= {loss: passed.get(loss, leg.part) for loss in self._losses(leg)}
        for hex in leg.hexes if leg.part == "way out" else ():
            if hex in self.around.enemy_zones:
                beside = self.around.friends.intersection(self.view.board.neighbours(hex))
                passed = {Loss("hex", other): leg.part for other in sorted(beside)} | passed
        return passed

    def _losses(self, leg: Leg) -> Iterator[Loss]:
        """What may be lost of a leg of supply."""
        yield from (Loss("hex", hex) for hex in leg.hexes)
        if leg.part == "railway":
            yield from (Loss("railway", hex) for hex in leg.hexes)
            return
        if leg.source in self.view.state.units:
            yield Loss("source", leg.source)
        for over in (between(self.view, here, there) for here, there in pairwise(leg.hexes)):
            if GREAT_RIVERS & over.lies:
                yield Loss("bridge", over.name)
            if over.name == FERRY:
                yield Loss("hex", PILLAU)


Supplies = Mapping[str, UnitSupply]
UNDECIDED, ISOLATED, OUT, LOW, IN = range(5)
"""What supply is worth: the more, the better."""


def worth(supply: UnitSupply) -> int:
    """What a unit's supply is worth, with the best modes that its side may choose; least where facts are missing to
    tell it.
    """
    ranks = {None: UNDECIDED, "out": ISOLATED if supply.isolated else OUT, "low": LOW, "in": IN}
    return ranks[supply.could.state]


class LifelineSearch:
    """What the supply of a side's units hangs on. units: those that are asked about, all if none are named; zone:
    whether an enemy who enters a hex has a zone of control there.

    asks: what is to be asked about the units as the position is; exact: whether no choice of modes was better in all
    that was supposed.

    Raises MissingFacts for what must be known to tell who stands where.
    """

    def __init__(self, view: View, side: str, units: Sequence[str], *, zone: bool) -> None:
        self.view, self.side, self.zone = view, side, zone
        self.named = units
        standing = side_supply(view, side, units, causes=False)
        self.now = {supply.unit: supply for supply in standing.supply.units}
        self.asks, self.exact = standing.asks, standing.supply.exact
        self.believed = {name: view.word("supply", name) for name in standing.states.side.believed}
        self.passing = Passing(standing.states)
        self._then: dict[Loss, Supplies] = {}

    def lifelines(self, **more: Any) -> SideLifelines:
        """The result, with some of its fields."""
        undecided = (row for row in self.now.values() if row.could.state is None)
        rows = tuple(UndecidedUnit(unit=row.unit, place=row.place, missing=row.missing) for row in undecided)
        return SideLifelines(side=self.side, units=len(self.now), undecided=rows, **more)

    # --- what may be lost ---------------------------------------------------------------------------------------------

    def passages(self) -> dict[str, Passed]:
        """What the supply of each unit passes."""
        return {name: self.passing.of(name) for name in self.now}

    def losses(self, passed: Mapping[str, Passed]) -> list[Loss]:
        """What may be lost of all that is passed: with a zone of control the hexes beside it too, from which an enemy
        would close it.
        """
        losses = dict.fromkeys(loss for losses in passed.values() for loss in losses)
        if self.zone:
            hexes = [loss.where for loss in losses if loss.kind == "hex"]
            losses |= dict.fromkeys(Loss("hex", near) for hex in hexes for near in self.view.board.neighbours(hex))
        held = {unit.place for unit in self.view.units() if self.view.side_of(unit.id) not in ("", self.side)}
        return [loss for loss in losses if not (loss.kind == "hex" and loss.where in held)]

    def after(self, loss: Loss) -> Supplies:
        """The supply of the units after a loss."""
        if not self.zone and self.passing.is_gone_round(loss):
            return self.now
        if loss not in self._then:
            is_cut = self.passing.may_be_the_link(loss)
            lost, zone = (Loss("hex", loss.where), False) if is_cut else (loss, self.zone)
            state = after_loss(self.view.game, self.view.state, self.side, lost, zone=zone)
            self._then[loss] = self.among(state)
        return self._then[loss]

    def among(self, state: GameState) -> Supplies:
        """The supply of the units in another state, as far as they are on the map there. What the position gives a unit
        is believed only where nothing was traced for it.
        """
        there = [name for name in self.now if state.units[name].place]
        if not there:
            return {}
        standing = side_supply(self.view.instead(state), self.side, there, self.believed, causes=False)
        self.exact = self.exact and standing.supply.exact
        return {supply.unit: supply for supply in standing.supply.units}

    # --- answers ------------------------------------------------------------------------------------------------------

    def hanging(self) -> SideLifelines:
        """Every loss by which a unit is worse off; of units that are named, also what serves them as well."""
        passed = self.passages()
        tried = self.losses(passed)
        found_harms = [harm for harm in harms(self.view, tried, self.now, self.after, worth) if harm.worse]
        bad = {harm.loss for harm in found_harms}
        ways = self.alternatives(passed, bad) if self.named else ()
        losses = sorted(map(HarmfulLoss.of, found_harms), key=lambda loss: loss.severity, reverse=True)
        return self.lifelines(tried=len(tried), losses=tuple(losses), alternatives=tuple(ways))

    def alternatives(self, passed: Mapping[str, Passed], bad: Collection[Loss]) -> Iterator[Alternative]:
        """What serves each unit as well without the hexes of its line that it does not hang on. bad: those by whose
        loss a unit is worse off.
        """
        for name, now in self.now.items():
            lost = [loss for loss in passed[name] if loss.kind == "hex" and loss.where != now.place and loss not in bad]
            then = {loss.where: self.after(loss).get(name) for loss in lost}
            as_well = [(hex, supply) for hex, supply in then.items() if supply and worth(supply) >= worth(now)]
            before = SupplyHeld.of(now)
            for after, some in groupby(as_well, key=lambda way: SupplyHeld.of(way[1])):
                same = (after.source, after.line) == (before.source, before.line)
                yield Alternative(unit=name, without=tuple(hex for hex, _ in some), same_line=same, after=after)

    def through(self, hex: str) -> SideLifelines:
        """The units whose supply passes a hex, and what each has once an enemy has entered it."""
        loss = Loss("hex", hex)
        passing = {name: passed[loss] for name, passed in self.passages().items() if loss in passed}
        then = self.after(loss) if passing else {}
        units = (
            PassingUnit(
                unit=name,
                place=self.now[name].place,
                by=by,
                before=SupplyHeld.of(self.now[name]),
                after=SupplyHeld.of(then[name]) if name in then else None,
            )
            for name, by in passing.items()
        )
        return self.lifelines(through=tuple(units), tried=int(bool(passing)))

    def otherwise(self, state: GameState) -> SideLifelines:
        """What becomes of the units in another state."""
        then = self.among(state)
        worse, better = compare_ranks(self.now, then, worth)
        both = {turned.subject for turned in (*worse, *better)}
        effects = (
            Effect(unit=name, place=now.place, before=SupplyHeld.of(now), after=SupplyHeld.of(then[name]))
            for name, now in self.now.items()
            if name in then and name not in both
        )
        return self.lifelines(
            worse=tuple(Effect.of(turned) for turned in worse if turned.after.could.state),
            unsure=tuple(Effect.of(turned) for turned in worse if not turned.after.could.state),
            better=tuple(map(Effect.of, better)),
            otherwise=tuple(effect for effect in effects if effect.before != effect.after),
            gone=tuple(name for name in self.now if name not in then),
        )
