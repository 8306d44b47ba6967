"""The report on threats in words: the worst attacks, cuts of supply, supposed moves, and omissions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...asking.bounds import LEFT_OUT, CountVerdict, at_least
from ...asking.messages import SAY
from ...asking.paper_map import find_board_line
from ...asking.report import Part, Step, Verdict, as_sentence, step, verdict
from ...asking.view import View
from ...mechanics.chances import Likelihood, ends_of_check
from ...mechanics.distribution import format_whole_percent
from .search import Enemies
from .terms import Approach, ColumnReached, Cut, HexThreat, ThreatAttack, ThreatNumbers, ThreatResult

HEXES_IN_VERDICT = 3
"""The maximum number of hexes named in the verdict."""


def list_sentences(view: View, result: ThreatResult, enemies: Enemies, rule: str) -> Iterator[Step]:
    """Yield the weakest hex with the worst attack on it, the next ones, and the number of hexes in danger."""
    attacked = [(threat, worst) for threat in result.hexes if (worst := threat.worst)]
    for first, worst in attacked[:1]:
        least = "at least " if first.at_least else ""
        lost = f", {chance} to lose it" if (chance := _format_chance_to_lose(worst, unsure=first.at_least)) else ""
        name = "threat.weakest" if len(result.hexes) > 1 else "threat.only"
        yield SAY(rule, name, first, worst, side=view.game.file.the_side(result.side), least=least, lost=lost)
    if others := attacked[1:HEXES_IN_VERDICT]:
        yield SAY(rule, "threat.next", endangered=[_format_hex(threat) for threat, _ in others])
    yield as_sentence(rule, choose_verdict(view, result, enemies, ranked=False))


def list_map_lacks(view: View, enemies: Enemies, rule: str) -> Iterator[Step]:
    """Yield the facts missing on a paper map to find enemy moves, and the line that reads a drawn map."""
    if enemies.ground:
        yield SAY(rule, "threat.ground", hexes=list(enemies.ground))
    if line := _find_line_for(view, enemies):
        yield SAY(rule, "threat.board", line=line)


def _find_line_for(view: View, enemies: Enemies) -> str:
    """Return the line that reads a drawn map, or "" if no enemy move is uncertain."""
    return find_board_line(view) if enemies.ground or enemies.asks else ""


def choose_verdict(view: View, result: ThreatResult, enemies: Enemies, *, ranked: bool = True) -> Verdict:
    """Return the most endangered hexes in a line, as a minimum if facts are missing or attacks were not tried."""
    if not result.hexes:
        return SAY.verdict("no", "threat.no_unit", side=view.game.file.the_side(result.side))
    attacked = [threat for threat in result.hexes if threat.worst]
    left = sum(bool(threat.leaving) for threat in result.hexes)
    unsure = [threat for threat in result.hexes if threat.at_least]
    unweighed = sum(map(is_unweighed, result.hexes))
    additions = "; the chances on {unweighed:#hex} are not known" if unweighed else ""
    if left:
        additions += "; units have to leave {left:#hex} without a combat"
    if result.cuts:
        additions += "; supply can be cut from {cuts:#hex}"
    line = _find_line_for(view, enemies)
    bounds = list[str]()
    if any(threat.is_open for threat in result.hexes):
        bounds.append("attacked")
    if result.unknown:
        bounds.append("left")
    if result.unknown or result.untried:
        bounds.append("cuts")
    counted = CountVerdict(
        "{side} can attack {attacked} of {hexes:#hex}"
        + (", weakest first: {endangered}" if ranked else "")
        + additions,
        _format_unsure(result, unsure, enemies, line),
        "no attack on {hexes:#hex} was found",
        tuple(bounds),
    )
    kind, text = counted.word(len(attacked), len(unsure))
    if left and not attacked:
        kind = "figure"
        text = (counted.open if unsure else counted.none) + at_least(additions, *bounds)
    return verdict(
        kind,
        text,
        side=view.game.file.the_side(result.enemy),
        attacked=len(attacked),
        hexes=len(result.hexes),
        undecided=len(unsure),
        endangered=[*map(_format_hex, attacked[:HEXES_IN_VERDICT])],
        unweighed=unweighed,
        left=left,
        cuts=len(result.cuts),
        unknown=len(result.unknown),
        unstated_hexes=len(enemies.ground),
        line=line,
    )


def _format_hex(threat: HexThreat) -> str:
    return f"{threat.at} ({format_attack(threat.worst, unsure=threat.at_least)})" if threat.worst else threat.at


def _format_unsure(result: ThreatResult, unsure: Sequence[HexThreat], enemies: Enemies, line: str) -> str:
    if result.unknown:
        lacks = ": the ground of {unstated_hexes:#hex} is not stated" if enemies.ground else ""
        reads = f"; `{{line}}` reads {'it' if lacks else 'the ground'} from a drawn map" if line else ""
        return f"where {{unknown:#unit}} can move is not known{lacks}{reads}"
    missing = any(threat.missing for threat in unsure)
    return ("facts are missing for" if missing else "not all attacks were tried on") + " {undecided} of {hexes:#hex}"


def format_attack(assault: ThreatAttack | None, *, unsure: bool = False) -> str:
    """Return an attack in a few words: its column, and the chance to lose the hex.

    `unsure`: whether a worse attack may be possible.
    """
    if assault is None:
        return "no attack"
    chance = _format_chance_to_lose(assault, unsure=unsure)
    return ("at least " if unsure else "") + assault.column + (f", lost {chance}" if chance else "")


def _format_chance_to_lose(assault: ThreatAttack, *, unsure: bool) -> str:
    """Return the chance to lose the hex in words, or "" if it is not known.

    `unsure`: whether the text already says "at least".
    """
    is_minimum = assault.chances and assault.chances.at_least and not unsure
    return ("at least " if is_minimum else "") + format_chance(assault)


def format_chance(assault: ThreatAttack) -> str:
    """Return the chance to lose the hex in whole percents, or "" if it is not known."""
    return format_whole_percent(assault.chances.lost) if assault.chances else ""


def threat_parts(
    result: ThreatResult, numbers: ThreatNumbers, enemies: Enemies, weighed_not: Sequence[str]
) -> Iterator[Part]:
    """Yield all parts of the report.

    `weighed_not`: hexes with attacks that were not weighed.
    """
    if result.supposed:
        moves = [
            SAY(numbers.march, "threat.supposed", unit=move.subject, hex=str(move.after)) for move in result.supposed
        ]
        yield Part("Supposed", tuple(moves))
        yield Part("What that changes", tuple(_list_change_steps(result, numbers)))
    for number, threat in enumerate(filter(_is_threatened, result.hexes), 1):
        yield Part(f"{number}. {threat.at}", tuple(_list_threat_steps(threat, numbers)))
    others = [threat for threat in result.hexes if not _is_threatened(threat)]
    if safe := [threat.at for threat in others if not threat.at_least]:
        yield Part("Not attacked", (SAY(numbers.attack, "threat.not_attacked", hexes=safe),))
    if open_to := [threat.at for threat in others if threat.at_least]:
        unsure = SAY(numbers.attack, "threat.unsure", hexes=open_to, left_out=result.unknown)
        yield Part("Not known", (unsure,))
    yield Part("Supply", tuple(_make_cut_step(cut, numbers) for cut in result.cuts))
    yield Part(LEFT_OUT, tuple(_list_left_out(result, numbers, enemies, weighed_not)))


def _is_threatened(threat: HexThreat) -> bool:
    """Return whether a hex needs more than a line: anything but "no attack" or "not known"."""
    return bool(threat.worst or threat.missing or threat.cut or threat.barred or threat.leaving)


def _list_threat_steps(threat: HexThreat, numbers: ThreatNumbers) -> Iterator[Step]:
    yield from (step(numbers.attack, "{why}", why=why) for why in threat.barred)
    yield from (SAY(numbers.attack, "threat.missing", how=how) for how in threat.missing)
    if threat.units:
        yield SAY(numbers.attack, "threat.defended" if threat.worst else "threat.held", threat)
    if threat.intruder:
        for name, rule in threat.leaving.items():
            yield SAY(rule, "threat.leaves", threat.intruder, leaves=name)
        yield _make_approach_step(threat.intruder, numbers, attacks=True)
    if threat.standing:
        yield from _list_assault_steps(threat.standing, numbers, "from where they stand")
    if threat.columns:
        columns = [f"{reached.column}: {_format_units(reached)}" for reached in reversed(threat.columns)]
        yield SAY(numbers.attack, "threat.columns", columns=columns)
    if threat.coming:
        yield from _list_assault_steps(threat.coming, numbers, "with those that come, at least")
    coming = {approach.unit for approach in threat.coming.approaches} if threat.coming else set[str]()
    if threat.intruder:
        coming.add(threat.intruder.unit)
    if extra := [name for name in threat.near if name not in coming]:
        yield SAY(numbers.march, "threat.near", comers=extra)
    yield from (step(numbers.march, "{why}", why=why) for why in threat.cut)


def _format_units(attack: ColumnReached | ThreatAttack) -> str:
    support = f" with {' and '.join(attack.support)}" if attack.support else ""
    return " and ".join(attack.attackers) + support


def _list_assault_steps(assault: ThreatAttack, numbers: ThreatNumbers, how: str) -> Iterator[Step]:
    strength = f"{float(assault.attack):g}"
    name = "threat.supported" if assault.support else "threat.attack"
    yield SAY(numbers.attack, name, assault, how=how, attack_strength=strength)
    for approach in assault.approaches:
        yield _make_approach_step(approach, numbers, attacks=approach.unit in assault.attackers)
    if assault.arrives is not None:
        alone = (Likelihood("all of them arrive", assault.arrives),)
        yield SAY(numbers.march, "threat.arrive", likelihoods=alone)
    if assault.unweighed:
        yield SAY(numbers.attack, "threat.unweighed", why=assault.unweighed)
    if not (chances := assault.chances):
        return
    lost = (Likelihood("the defender loses the hex" + (", at least" if chances.at_least else ""), chances.lost),)
    yield step(numbers.attack, "{likelihoods}", likelihoods=lost)
    for role in ("defender", "attacker"):
        mean = getattr(chances, f"{role}_mean")
        losses = getattr(chances, f"{role}_losses")
        text = f"{{role}} loses {{mean:f}} {chances.counted}s on average: {{likelihoods}}"
        yield step(numbers.attack, text, role=role, mean=mean, likelihoods=losses)
    if chances.breaks is not None:
        alone = (Likelihood("a unit of the defender breaks down", chances.breaks),)
        yield step(numbers.attack, "{likelihoods}", likelihoods=alone)
    for check in chances.checks:
        ends = ends_of_check(1 - check.fails - check.unchecked, check.retreats, check.unchecked)
        yield SAY(numbers.checks, "threat.check", check, likelihoods=ends)


def _make_approach_step(approach: Approach, numbers: ThreatNumbers, *, attacks: bool) -> Step:
    text = "{unit} comes from {at} by {way}, which costs {points}"
    if not attacks:
        text += ", and does not attack itself"
    if approach.beyond:
        text += ", beyond its allowance"
    if approach.passes is not None:
        alone = (Likelihood("it arrives without failing", approach.passes),)
        return step(numbers.march, text + ": {likelihoods}", approach, likelihoods=alone)
    return step(numbers.march, text, approach)


def _make_cut_step(cut: Cut, numbers: ThreatNumbers) -> Step:
    worse = [f"{unit.unit} in {unit.place} {unit.before} to {unit.after}" for unit in cut.worse]
    text = "{unit} in {at}, " + ("on a line" if cut.enters else "beside a line") + ": {worse}"
    if cut.others:
        text += "; {also_able} can go there too"
    return step(numbers.supply, text, cut, worse=worse, also_able=cut.others)


def _list_change_steps(result: ThreatResult, numbers: ThreatNumbers) -> Iterator[Step]:
    for change in result.changes:
        before = format_attack(change.before)
        after = format_attack(change.after)
        yield SAY(numbers.attack, "threat.change", change, before=before, after=after)
    if unsure := [threat.at for threat in result.hexes if threat.at_least]:
        yield SAY(numbers.attack, "threat.change_unknown", hexes=unsure)
    elif not result.changes:
        yield step(numbers.attack, "nothing")


def _list_left_out(
    result: ThreatResult, numbers: ThreatNumbers, enemies: Enemies, weighed_not: Sequence[str]
) -> Iterator[Step]:
    if enemies.unknown:
        text = "how far {left_out} can move is not known, so not counted: they may attack, and cut supply"
        if enemies.asks:
            text += ": {how}"
        how = [ask.how for ask in enemies.asks.values()][:4]
        yield step(numbers.march, text, left_out=enemies.unknown, how=how)
    elif not enemies.moves:
        yield SAY(numbers.march, "threat.none_moves")
    unexplained = [
        threat.at for threat in result.hexes if is_unweighed(threat) and not (threat.worst and threat.worst.unweighed)
    ]
    if unknown := [at for at in unexplained if at not in weighed_not]:
        yield SAY(numbers.attack, "threat.unexplained", hexes=unknown)
    if weighed_not:
        yield SAY(numbers.attack, "threat.not_all", hexes=list(weighed_not))
    if result.untried:
        yield SAY(numbers.supply, "threat.untried", result, hexes=list(result.untried))
    for fault in result.faults:
        yield SAY("", "threat.fault", why=fault)


def is_unweighed(threat: HexThreat) -> bool:
    """Return whether the chances of the worst attack on a hex are not known."""
    return threat.worst is not None and threat.worst.chances is None


def figures_of(assault: ThreatAttack | None) -> object:
    """Return the values by which two attacks are compared."""
    return None if assault is None else (assault.column, assault.attack, assault.defence, assault.chances)
