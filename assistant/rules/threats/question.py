"""The question `threat`: what the enemy can do next to hexes, stacks and lines of supply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ...asking.asks import Ask
from ...asking.paper_map import PAPER_MAP, state_at_once
from ...asking.question import Question, declare
from ...asking.ranking import Ranking, rank_places
from ...asking.report import MissingFacts, Part, Report, Step, step
from ...asking.view import View, changed
from ...state.changes import Change
from ...state.state import hides
from ...util.errors import InputError, format_suggestion
from .cuts import Cuts, find_cuts
from .report import choose_verdict, figures_of, list_map_lacks, list_sentences, threat_parts
from .search import (
    AttackBudget,
    Front,
    enemy_of,
    judge_hex,
    rank_threat,
    read_front,
    units_at,
    units_of,
)
from .sketch import sketch_threats
from .terms import HexThreat, ThreatAsked, ThreatChange, ThreatResult, ThreatRules

TITLE = "what the enemy can do next to each hex: attacks, chances to lose it, and supply that he can cut"
"""The title of the question."""


def threat_question(rules: ThreatRules) -> Question[Any, ThreatResult]:
    """Return the question `threat` of a game."""
    return declare(
        "threat", TITLE, partial(_answer_threat, rules), parameters=rules.asked, sketch=sketch_threats, decision=None
    )


def _answer_threat(rules: ThreatRules, view: View, asked: ThreatAsked) -> Report[ThreatResult]:
    """Return the report on what the enemy can do. Facts missing for one hex do not stop the others."""
    _refuse_hidden(view)
    side = _find_side(view, asked)
    moves = _read_moves(view, asked, side)
    supposed = view.after(moves)
    budget = AttackBudget()
    front = read_front(rules, asked, supposed, side, budget)
    places = _find_hexes(rules, supposed, asked, side)
    threats, asks = _rank_threats(view, front, places)
    units = _find_units(supposed, asked, side, places)
    tries_cuts = asked.march and asked.cuts and _has_units_to_supply(front, asked, units)
    cuts = find_cuts(front, units) if tries_cuts else Cuts()
    result = ThreatResult(
        side=side,
        enemy=front.enemy,
        hexes=threats,
        cuts=cuts.cuts,
        tried=cuts.tried,
        untried=cuts.untried,
        unknown=front.enemies.unknown,
        supposed=tuple(moves),
        changes=_compare_threats(front, view, moves, threats) if moves else (),
        faults=(*front.enemies.faults, *cuts.faults),
    )
    cautions = tuple(_list_stacking_cautions(rules, supposed, moves, budget))
    _note_presumed(view, rules)
    lacking = (*asks, *front.enemies.asks.values(), *budget.asks.values(), *cuts.asks.values())
    missing = {ask.name: ask for ask in lacking}
    return Report(
        title=f"Threats to {view.game.file.the_side(side)}",
        verdict=choose_verdict(view, result, front.enemies),
        short=tuple(list_sentences(view, result, front.enemies, rules.numbers.attack)),
        parts=(
            *threat_parts(result, rules.numbers, front.enemies, budget.short),
            _make_map_part(view, front, rules),
        ),
        cautions=cautions,
        asks=tuple(missing.values()),
        result=result,
    )


def _make_map_part(view: View, front: Front, rules: ThreatRules) -> Part:
    lacks = tuple(list_map_lacks(view, front.enemies, rules.numbers.march))
    tracks = [view.game.file.picture.terrain] * len(front.enemies.ground)
    return Part(PAPER_MAP, (*lacks, *state_at_once(view, tracks)), "")  # the verdict has the short version


def _refuse_hidden(view: View) -> None:
    if hides(view.state):
        hint = "use --umpire, or leave out --as, to see both sides"
        raise InputError("`threat` answers only those who see both sides: solitaire players and umpires", hint=hint)


def _find_side(view: View, asked: ThreatAsked) -> str:
    """Return the threatened side: the named one, or else that of the units or of the first hex named."""
    sides = view.game.file.sides
    if asked.side:
        if asked.side not in sides:
            raise InputError(
                f"side: {view.game.title} has no side {asked.side!r}", hint=format_suggestion(asked.side, sides)
            )
        return asked.side
    named = [*asked.unit, *(_parse_move(text)[0] for text in asked.if_)]
    named += [unit.id for at in asked.at for unit in view.stack(at)]
    if side := next(filter(None, map(view.side_of, named)), ""):
        return side
    how = " or ".join(f"side={name}" for name in sides)
    raise MissingFacts([Ask(kind="parameter", name="side", rule="", title=f"side ({' / '.join(sides)})", how=how)])


def _parse_move(text: str) -> tuple[str, str]:
    """Parse `25/3@41.19` as a unit and its supposed hex.

    Raises InputError if the text has another form.
    """
    unit, at, place = text.rpartition("@")
    if not (unit and at and place):
        raise InputError(f"if: {text!r} does not say which unit stands where", hint="write UNIT@HEX, as 25/3@41.19")
    return unit.strip(), place.strip()


def _read_moves(view: View, asked: ThreatAsked, side: str) -> list[Change]:
    """Return the moves of units that are supposed to stand elsewhere.

    Raises InputError if a unit is an enemy or moves twice, or its place is not a hex or holds enemies.
    """
    moves = list[Change]()
    moved = set[str]()
    for name, place in map(_parse_move, asked.if_):
        unit = view.unit(name)
        at = view.board.place(place)
        if unit.id in moved:
            raise InputError(f"if: {unit.id} cannot stand in two hexes", hint="name one hex for each unit")
        moved.add(unit.id)
        if view.side_of(unit.id) not in ("", side):
            raise InputError(f"if: {unit.id} is not of {view.game.file.the_side(side)}", hint="name units of one's own")
        if not view.board.is_hex(at):
            raise InputError(f"if: {at} is not a hex of the map")
        if any(view.side_of(other.id) not in ("", side) for other in view.stack(at)):
            raise InputError(f"if: enemies stand in {at}", hint="name a hex without enemies")
        if unit.place != at:
            moves.append(changed(view, "place", unit.id, at, ""))
    return moves


def _list_stacking_cautions(
    rules: ThreatRules, view: View, moves: Sequence[Change], budget: AttackBudget
) -> Iterator[Step]:
    """Yield a caution for each hex that the supposed moves overstack.

    `view`: the position after the supposed moves.
    """
    for at in dict.fromkeys(str(move.after) for move in moves):
        units = tuple(unit.id for unit in view.stack(at))
        try:
            is_within = rules.may_stack(view, units)
        except MissingFacts as missing:
            budget.asks |= {ask.name: ask for ask in missing.asks}
            continue
        if not is_within:
            text = "{hex} is over the stacking limits with what is supposed there: {units}"
            yield step(rules.numbers.stacking, text, hex=at, units=units)


def _has_units_to_supply(front: Front, asked: ThreatAsked, units: Sequence[str]) -> bool:
    return bool(units or (not _is_narrowed(asked) and units_of(front.view, front.side)))


def _is_narrowed(asked: ThreatAsked) -> bool:
    return bool(asked.at or asked.unit)


def _find_hexes(rules: ThreatRules, view: View, asked: ThreatAsked, side: str) -> list[str]:
    """Return the hexes asked about: the named ones, or else all with units of the side or of an unknown side.

    The hexes of units named or supposed elsewhere are added to the named hexes.
    """
    for name in asked.unit:
        unit = view.unit(name)
        if view.side_of(unit.id) not in ("", side):
            raise InputError(
                f"unit: {unit.id} is not of {view.game.file.the_side(side)}", hint="name units of that side"
            )
        if not view.board.is_hex(unit.place):
            hint = f"suppose it in one: if={unit.id}@HEX"
            raise InputError(f"unit: {unit.id} is in no hex of the map", hint=hint)
    if not _is_narrowed(asked):
        alone = {at for at in rules.places_without_units(view, enemy_of(view, side)) if not view.stack(at)}
        return sorted({str(unit.place) for whose in (side, "") for unit in units_of(view, whose)} | alone)
    named = (*asked.unit, *(_parse_move(text)[0] for text in asked.if_))
    return list(dict.fromkeys((*asked.at, *(str(view.unit(name).place) for name in named))))


def _find_units(view: View, asked: ThreatAsked, side: str, hexes: Sequence[str]) -> tuple[str, ...]:
    if not _is_narrowed(asked):
        return ()
    return tuple(name for at in hexes for name in units_at(view, at, side))


def _compare_threats(
    front: Front, view: View, moves: Sequence[Change], threats: Sequence[HexThreat]
) -> tuple[ThreatChange, ...]:
    """Return the hexes whose threats certainly change by the supposed moves, also hexes that units leave.

    `front`: the position after the moves.
    `view`: the position before the moves.
    `threats`: the answers for the hexes asked about.
    """
    then = {threat.at: threat for threat in threats}
    left = {*filter(view.board.is_hex, (view.unit(move.subject).place for move in moves))} - then.keys()
    fresh = front._replace(view=front.view.quiet_view(), then=front.then.quiet_view(), budget=AttackBudget())
    then |= {threat.at: threat for threat in _judge_hexes(fresh, sorted(left))}
    before = read_front(front.rules, front.asked, view.quiet_view(), front.side, AttackBudget())
    now = {threat.at: threat for threat in _judge_hexes(before, sorted(then))}
    certain = [at for at in sorted(then) if not (now[at].at_least or then[at].at_least)]
    changes = (ThreatChange(at=at, before=now[at].worst, after=then[at].worst) for at in certain)
    return tuple(change for change in changes if figures_of(change.before) != figures_of(change.after))


def _judge_hexes(front: Front, places: Iterable[str]) -> Iterable[HexThreat]:
    return _rank_threats(front.view, front, places).entries


def _rank_threats(view: View, front: Front, places: Iterable[str]) -> Ranking[HexThreat]:
    """Return hexes with the threats to each, the most endangered first.

    `view`: shows the progress.
    """
    return rank_places(view, places, partial(HexThreat, at_least=True), partial(judge_hex, front), rank_threat)


def _note_presumed(view: View, rules: ThreatRules) -> None:
    text = "each attack by itself: no unit is spared for another, and the threatened side does not move meanwhile"
    view.premises.assume(step(rules.numbers.attack, text))
    text = "each enemy unit comes alone, as the position stands; the answer is for solitaire, umpires and study"
    view.premises.assume(step(rules.numbers.march, text))
