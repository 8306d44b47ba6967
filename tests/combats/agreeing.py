"""Questions that judge one thing by two ways agree.

In turn a combat played to its end, a stack that must retreat, and a march past cavalry. After each, `stack`, `battle` and the position
have the same top unit; `repulse`, `retreat` and `battle` name the same units that retreat and that are destroyed; `move` names the
cavalry that may react according to `cavalry` (4.2.5, 10.1.3; 8.5.3, 11.2.1, 22.4, 22.5.1; 9.1, 26.2.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from assistant.asking.report import MissingFacts, Report
from assistant.formats.positions import Position
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ..comparing.search import Search
from ..conftest import answered, typed
from .playing import told
from .worlds import BOARD

RANKING = ("place", "lost", "reduced", "cel", "disorder")
MARKS = ("retreated", "fought", "attacked")
"""The tracks of what a unit or hex has done in the phase, which keeps it out of another combat."""
HEAD = "turn=5 phase={} phasing=russian weather=normal\nelsewhere clear open\ntrust charts counters\n"
SUPPLY = ("corps-train", "minor-depot", "major-depot")


# --- the top of a stack -----------------------------------------------------------------------------------------------


def find_tops(number: int, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield the stacks of which the top is another one after a random combat."""
    played = told(number, seed)
    if played.fault:
        yield played.fault
    elif played.before and played.after:
        yield from find_wrong_tops(played.before, played.after, seen)


def find_wrong_tops(before: Position, after: Position, seen: Counter[str]) -> Iterator[str]:
    """Yield the stacks, of those that have changed, of which `stack`, `battle` and the position name different tops."""
    changed = [unit for unit in after.state.units if rank(before, unit) != rank(after, unit)]
    places = {state.units[unit].place for unit in changed for state in (before.state, after.state)}
    for at in sorted(place for place in places if place and BOARD.is_hex(place)):
        units = [unit.id for unit in after.state.stack(at)]
        if len(units) < 2:
            continue
        report = answered(after, "stack", at=at)
        if report.result is None:
            continue
        top = report.result.order[0]
        seen["stacks"] += 1
        if units[0] != top:
            yield f"{at}: {units} lie so, but {top} is the top by `stack`"
        in_battle = find_top_in_battle(after, at)
        seen["stacks attacked"] += bool(in_battle)
        fighting = [unit for unit in units if after.state.value("arm", unit) not in SUPPLY]
        if in_battle and in_battle != next((unit for unit in report.result.order if unit in fighting), ""):
            yield f"{at}: {in_battle} is the top by `battle`, {top} by `stack`"


def rank(position: Position, unit: str) -> tuple[object, ...]:
    """What may change where a unit lies in its stack."""
    return tuple(position.state.value(track, unit) for track in RANKING)


def find_top_in_battle(position: Position, at: str) -> str:
    """The top unit, which `battle` lets nobody withhold, of a stack that an enemy attacks in another phase; "" where it names none."""
    state = position.state
    side = position.game.side_of_unit(state.stack(at)[0], state.facts)
    free = [hex for hex in BOARD.neighbours(at) if not state.stack(hex)]
    if not free:
        return ""
    nation = "russian" if side == "central-powers" else "german"
    probe = f"{free[0]}: {nation} infantry XX Probe (9-9-0-9)\nelsewhere clear open"
    done = [
        Change(track, of, True, None, "10.1") for track, of in state.facts if track in MARKS and state.value(track, of)
    ]
    again = typed_over(position.after(done), probe)
    given = {"at": at, "from_": [free[0]], "attacker_ap": "none", "defender_ap": "none", "flanked": False}
    for unit in state.stack(at):
        try:
            report = answered(again, "battle", **given, withhold=[unit.id])
        except (InputError, MissingFacts):
            continue
        if any(
            step.text == f"{unit.id} is the top unit and cannot be withheld"
            for part in report.parts
            for step in part.steps
        ):
            return unit.id
    return ""


def typed_over(position: Position, text: str) -> Position:
    """A position with more lines of notation."""
    from assistant import parse

    return parse(text + "\n", position)


# --- who retreats, and who falls --------------------------------------------------------------------------------------


OTHERS = (
    "german infantry III as1 asset (5-1-0-9) with={}",
    "german artillery - gu1 (1-?-4-9) with={}",
    "german infantry II Tilsit asset (1-1-0-7) back-steps=0 defence-only with=none",
    "german infantry II Elbing asset (1-1-0-7) back-steps=0 defence-only with={}",
    "german artillery - Nikolaiken (1-?-1-7) with=none",
    '"KG Train" defence=1',
    "german corps-train - tr1 corps=17 range=4",
    "german corps-train - tr2 corps=17 range=4 entrained destination=41.15",
    "german minor-depot - de1 range=4",
)
FORMATIONS = (
    "",
    "german infantry X fo1 (8-2-0-9) back-steps=0",
    "german infantry XX fo1 (8-2-0-9) back-steps=0 cel=-{}",
)
AT = "41.19"
FROM = "40.20"
ATTACK = f"{FROM}: russian cavalry XX K1 (40-20-0-11) back-steps=0 movement=12, russian cavalry XX K2 (40-20-0-11) back-steps=0 movement=12\n"
CELLS = "\n".join(f"chart crt summer {column} 7 = - / W2" for column in ("3:1", "4:1", "5:1", "6:1")) + "\n"
CELLS += "\n".join(f"chart slrt summer {size} {n} = 0 / 0" for size in ("Small", "Medium") for n in range(-2, 9)) + "\n"
DICE = {"crt": "7", "slrt": "3/3", "ec.40.20": "2", "ec.41.19": "2", "advance": "none"}


def find_driven(number: int, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield the questions that make other units of a random stack retreat or fall than the others do."""
    random = Random(f"{seed} {number} driven")
    formation = random.choice(FORMATIONS[random.random() < 0.9 :]).format(random.randint(0, 4))
    leader = "fo1" if formation else "none"
    others = [other.format(leader) for other in random.sample(OTHERS, random.randint(1, 5))]
    units = [*filter(None, [formation]), *others]
    random.shuffle(units)
    if not any(" infantry " in unit for unit in units):
        units.append(OTHERS[2])
    text = f"{AT}: {', '.join(units)}\n{ATTACK}41.15 station\n"
    moving, attacking = (typed(HEAD.format(phase) + text + CELLS) for phase in ("movement", "attack"))
    pushed = ask(moving, "repulse", {"ec.41.19": "2"}, units=["K1"], at=AT, flanked=True)
    if pushed is None or not pushed.changes:
        seen["no Repulse"] += 1
        return
    owing = {change.subject for change in settings(pushed) if change.track == "owes"}
    found: dict[str, tuple[set[str], set[str]]] = {"repulse": (owing, falling(pushed))}
    yield from find_wrong_tops(moving, moving.after(pushed.changes), seen)
    for name, cause in (("retreat", "crt"), ("retreat from a Repulse", "repulse")):
        report = walk(attacking if cause == "crt" else moving, random, cause=cause)
        if report is not None:
            found[name] = going(report), falling(report)
            start = attacking if cause == "crt" else moving
            yield from find_wrong_tops(start, start.after(report.changes), seen)
    report = fight(attacking, random)
    if report is not None:
        found["battle"] = going(report), falling(report)
        yield from find_wrong_tops(attacking, attacking.after(report.changes), seen)
    seen["driven stacks"] += 1
    seen["units that fall"] += len(found["repulse"][1])
    for name, (goes, falls) in found.items():
        seen[f"driven by {name}"] += 1
        if (goes, falls) != found["repulse"]:
            yield f"{units}: by {name} {sorted(goes)} go and {sorted(falls)} fall, by repulse {[*map(sorted, found['repulse'])]}"


def ask(position: Position, question: str, answers: Mapping[str, str], **given: Any) -> Report[Any] | None:
    """The answer to a question, None where it is refused, or something is missing."""
    try:
        report = answered(position, question, **given, answers=answers)
    except (InputError, MissingFacts):
        return None
    return None if report.verdict.kind in ("no", "undecided") else report


def settings(report: Report[Any]) -> list[Change]:
    """The facts that an answer sets."""
    return [change for change in report.changes if isinstance(change, Change)]


def falling(report: Report[Any]) -> set[str]:
    """The units that an answer takes off the map since they never retreat."""
    gone = [change for change in settings(report) if change.track == "place" and change.after is None]
    return {change.subject for change in gone if change.rule in ("22.4.1", "22.4.2", "22.5.1")}


def going(report: Report[Any]) -> set[str]:
    """The units that an answer has retreat."""
    moved = [change for change in settings(report) if change.track == "place" and change.after is not None]
    return {change.subject for change in moved if change.rule == "11.2.1"}


def away(options: Sequence[str]) -> list[str]:
    """Those of some options that are not hexes beside the attackers, whose zones would cost steps."""
    beside = BOARD.neighbours(FROM)
    return [option for option in options if option not in beside] or [*options]


def walk(position: Position, random: Random, cause: str) -> Report[Any] | None:
    """The answer to `retreat` by a random way of two hexes, None where it is refused."""
    way = list[str]()
    for _ in range(3):
        report = ask(position, "retreat", {}, at=AT, hexes=2, cause=cause, last=True, **({"way": way} if way else {}))
        if report is None or report.result.complete:
            return report
        way.append(random.choice(away([option.hex for option in report.result.options if not option.barred])))
    return None


def fight(position: Position, random: Random) -> Report[Any] | None:
    """The answer to `battle` with a result that makes the stack retreat two hexes by a random way, None where it is refused."""
    dice = dict(DICE)
    given = {"at": AT, "attacker_ap": "none", "defender_ap": "none", "flanked": False}
    for _ in range(8):
        report = ask(position, "battle", dice, **given)
        if report is None or not report.asks:
            return report
        for due in report.asks:
            dice[due.name] = random.choice(away(due.options)) if due.kind == "choice" else "2"
    return None


# --- cavalry that reacts ----------------------------------------------------------------------------------------------


STATES = (
    "",
    "",
    "",
    "cel=-4",
    "cel=-4 supply=out",
    "supply=out",
    "entrained destination=41.15",
    "concealed",
    "concealed",
)


def find_reactions(number: int, seed: int, seen: Counter[str]) -> Iterator[str]:
    """Yield the steps of a random march for which `move` and `cavalry` differ on who may react, and where to."""
    random = Random(f"{seed} {number} march")
    way = [AT]
    for _ in range(random.randint(1, 3)):
        way.append(random.choice([hex for hex in BOARD.neighbours(way[-1]) if hex not in way]))
    near = sorted({hex for at in way for hex in BOARD.neighbours(at)} - {*way})
    arm = random.choice(("infantry", "cavalry"))
    lines = [HEAD.format("movement") + random.choice(("", "hidden-units=concealment\n", "hidden-units=concealment\n"))]
    hidden = "hidden-units" in lines[0]
    lines.append(f"{AT}: russian {arm} XX R (9-9-0-9) movement=20\n")
    for at, hex in enumerate(random.sample(near, random.randint(1, 4))):
        units = [f"german cavalry XX C{at} (3-3-0-9) {random.choice(STATES)}"]
        if random.random() < 0.4:
            units.append(f"german infantry XX I{at} (9-9-0-9) {random.choice(STATES)}")
            random.shuffle(units)
        elif random.random() < 0.2:
            units = [
                f"german infantry II {('Tilsit', 'Elbing', 'Osterode', 'Mehlsack')[at]} asset (1-1-0-7) defence-only"
            ]
        lines.append(f"{hex}: {', '.join(units)}\n".replace(" concealed", " concealed" if hidden else ""))
    position = typed("".join(lines))
    report = ask(position, "move", {}, units=["R"], way=way[1:])
    if report is None:
        seen["no march"] += 1
        return
    for step in range(1, len(way)):
        part = ask(position, "move", {}, units=["R"], way=way[1 : step + 1])
        if part is None:
            continue
        after = position.after(part.changes)
        named = {reaction.unit: reaction for reaction in report.result.reactions if reaction.hex == way[step]}
        riders = [unit for unit in after.state.units.values() if unit.id[0] == "C" and unit.place]
        for rider in riders:
            asked = answered(after, "cavalry", unit=rider.id, enemy=["R"], left=way[step - 1]).result
            reaction = named.get(rider.id)
            seen["riders"] += 1
            seen["riders that may react"] += asked.may
            may = reaction is not None and not reaction.barred
            if may != asked.may:
                yield f"{lines[1:]} {way[: step + 1]}: {rider.id} may react {may} by move, {asked.may} by cavalry ({asked.why})"
            elif may and reaction.open is not None and {*reaction.open} != {*asked.open}:
                yield f"{lines[1:]} {way[: step + 1]}: {rider.id} goes to {reaction.open} by move, to {asked.open} by cavalry"


def make_case(number: int, seed: int) -> tuple[int, int]:
    """Make a case: in turn a combat, a stack that is driven, and a march past cavalry."""
    return number, seed


def find_faults(case: tuple[int, int], seen: Counter[str]) -> Iterator[str]:
    """Yield what does not agree."""
    yield from (find_tops, find_driven, find_reactions)[case[0] % 3](*case, seen)


SEARCH = Search("agreeing", make_case, find_faults, 2000, chunk=30)
