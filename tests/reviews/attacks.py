"""Lawful attacks played by chance and written down as a log of the table, with faults seeded into their results.

Every roll and choice is answered by chance, by the question `battle` alone. Units beaten in games with a question of their
own for that retreat by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

import assistant
from assistant.asking.asks import Ask
from assistant.formats.positions import ChatLine, Event, Position, Record, Throw
from assistant.records.review.deeds import Deed, TableStep, carry_out, list_deeds
from assistant.state.changes import AnyChange, Change, Enter
from assistant.state.state import GameState
from assistant.util.errors import InputError

from ..combats.faults import thrown, with_stated
from ..combats.worlds import world
from .playing import KAISERS_WAR, as_shown, make_start

TWILIGHT = "twilight-in-the-east"
ATTACKED = (TWILIGHT, "world-undone-east-prussia-1914", TWILIGHT, KAISERS_WAR)
"""The games in which attacks are played."""
MAX_ANSWERS = 60
"""The number of rounds of answers after which a combat is given up."""
MAX_STATED = 8
"""The number of times that facts that a combat lacks are stated."""
POINTS = ("all", "none")
"""The Artillery Ammunition Points that a side may allocate."""


class Roll(NamedTuple):
    """A die roll as it was thrown."""

    name: str
    dice: str
    faces: tuple[int, ...]


class Attack(NamedTuple):
    """A combat as it was played."""

    at: str
    line: str
    """The question as a player types it."""
    rolls: tuple[Roll, ...]
    choices: tuple[str, ...]
    """The names of the choices made."""
    before: GameState
    after: GameState
    changes: tuple[Change, ...]


class Fought(NamedTuple):
    """The attacks of a phase."""

    start: Position
    attacks: tuple[Attack, ...]


# --- playing ----------------------------------------------------------------------------------------------------------


def make_attack(random: Random, game: str) -> tuple[Position, str, dict[str, str]] | None:
    """Return a position with an attacked hex and the parameters of the attack, or None if it cannot be read."""
    if game != TWILIGHT:
        start = make_start(random, game, phase="first-combat")
        targets = list_targets(start) if start is not None else []
        return (start, random.choice(targets), {}) if start is not None and targets else None
    made = world(random)
    attacker = next(iter(random.sample(sorted(made.asked["from_"]), 1)))
    asked = {"from": ",".join(made.asked["from_"])} | {
        name: random.choice(POINTS) for name in ("attacker-ap", "defender-ap")
    }
    if "withhold" in made.asked:
        asked["withhold"] = ",".join(made.asked["withhold"])
    lines = [line for line in made.text.splitlines() if not line.startswith("phase=")]
    try:
        position = assistant.parse("\n".join([*lines, ""]))
        unit = position.state.stack(attacker)[0]
        side = position.game.side_of_unit(unit, position.state.facts)
        position = assistant.parse("\n".join([*lines, f"phase=attack phasing={side}", "trust charts counters map", ""]))
    except (InputError, IndexError):
        return None
    return position, made.at, asked


def play_attacks(random: Random, game: str, number: int = 2) -> Fought | None:
    """Return some attacks of a phase, or None if the first one is not possible.

    `number`: the number of attacks.
    """
    made = make_attack(random, game)
    first = play_attack(random, *made) if made is not None else None
    if first is None:
        return None
    start, attack = first
    attacks = [attack]
    for _ in range(number - 1):
        position = start.with_state(attacks[-1].after)
        targets = list_targets(position)
        if not targets:
            break
        points = {name: random.choice(POINTS) for name in ("attacker-ap", "defender-ap")} if game == TWILIGHT else {}
        another = play_attack(random, position, random.choice(targets), points, states=False)
        if another is not None:
            attacks.append(another[1])
    return Fought(start, tuple(attacks))


def list_targets(position: Position) -> list[str]:
    """Return the hexes of the side that does not move next to units of the side that does."""
    state, game = position.state, position.game
    phasing = str(state.value("phasing"))
    sides = {str(unit.place): game.side_of_unit(unit, state.facts) for unit in state.units.values() if unit.place}
    board = game.board_of(state)
    own = [place for place, side in sides.items() if side == phasing and board.is_hex(place)]
    near = {hex for place in own for hex in board.neighbours(place)}
    return sorted(place for place, side in sides.items() if side != phasing and place in near)


def play_attack(
    random: Random, position: Position, at: str, asked: dict[str, str], *, states: bool = True
) -> tuple[Position, Attack] | None:
    """Return an attack with the position before it, or None if it is refused.

    `states`: whether facts that it lacks are stated.
    """
    for _ in range(MAX_STATED):
        try:
            played = answer_all(random, position, at, asked)
            if isinstance(played, Attack):
                return position, played
            if not played or not states:
                return None
            text = with_stated(assistant.notation(position), played)
            position = assistant.parse(text)
        except (InputError, AssertionError):
            return None
    return None


def answer_all(random: Random, position: Position, at: str, asked: dict[str, str]) -> Attack | list[Ask]:
    """Return an attack with all rolls and choices answered by chance, or the facts that it lacks, [] if it is refused."""
    line = " ".join(["ask battle", f"at={at}", *(f"{name}={value}" for name, value in asked.items())])
    keywords: dict[str, Any] = {
        ("from_" if name == "from" else name.replace("-", "_")): value for name, value in asked.items()
    }
    answers = dict[str, str]()
    rolls = list[Roll]()
    choices = list[str]()
    for _ in range(MAX_ANSWERS):
        report = assistant.ask(position, "battle", answers, at=at, **keywords)
        if report.verdict.kind == "no":
            return []
        if lacking := [ask for ask in report.asks if ask.kind not in ("roll", "choice")]:
            return lacking
        if not report.asks:
            after = position.after(report.changes).state
            changes = tuple(change for change in report.changes if isinstance(change, Change))
            return Attack(at, line, tuple(rolls), tuple(choices), position.state, after, changes)
        due = next((ask for ask in report.asks if ask.kind == "choice"), report.asks[0])
        answers[due.name] = thrown(due, random)
        if due.kind == "roll":
            faces = tuple(map(int, answers[due.name].split("+")))
            rolls.append(Roll(due.name, due.dice, faces))
        else:
            choices.append(due.name)
    return []


# --- what a table shows -----------------------------------------------------------------------------------------------


class LogWriter:
    """A log in the making: what is thrown, said and shown, step by step."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.tables = [start.state]
        self.events = list[Event]()
        self.shown = {name for name, track in start.game.tracks.items() if track.module is not None}

    @property
    def table(self) -> GameState:
        return self.tables[-1]

    def show(self, state: GameState) -> None:
        self.tables.append(state)

    def say(self, text: str) -> None:
        self.show(self.table)
        self.events.append(ChatLine(len(self.tables) - 1, text, "Anna"))

    def throw(self, roll: Roll) -> None:
        self.show(self.table)
        self.events.append(Throw(len(self.tables) - 1, roll.dice, roll.faces, "Anna"))

    def list_results(self, before: GameState, after: GameState) -> list[Deed]:
        """Return what a table shows of an attack."""
        game = self.start.game
        first, last = (Position(game, as_shown(self.start.state, state, self.shown)) for state in (before, after))
        return list_deeds(TableStep(0, first, last))

    def carry_out(self, deed: Deed, after: GameState) -> None:
        """Show a result. `after`: the state after the attack, from which units that come into play are taken."""
        change: AnyChange = Change(deed.track, deed.subject, deed.before, deed.after, "")
        if deed.track == "place" and deed.subject not in self.table.units:
            change = Enter(deed.subject, after.units[deed.subject].type, str(deed.after), 0, "")
        table = carry_out(self.table, [change], self.start.game.tracks)
        if isinstance(change, Enter):
            own = {key: fact for key, fact in after.facts.items() if key[1] == deed.subject}
            table = msgspec.structs.replace(table, facts={**table.facts, **own})
        self.show(table)

    def write(self) -> Record:
        """Return the log."""
        game, tables = self.start.game, self.tables
        steps = len(tables) - 1
        return Record(
            game, steps, tuple(self.events), tuple(range(steps + 1)), lambda step: Position(game, tables[step])
        )


class Habits(NamedTuple):
    """How players write their combats down."""

    declares: bool = True
    """Whether they type the question before the dice."""
    throws: bool = True
    """Whether they throw dice in VASSAL, not by hand."""
    names_dice: bool = True
    """Whether they name each throw."""
    shuffles: bool = False
    """Whether they carry out results in any order, some of them only after the next combat."""
    ends_phase: bool = False
    """Whether they go on to the next phase."""


def draw_habits(random: Random) -> Habits:
    """Return habits by chance."""
    return Habits(
        declares=random.random() < 0.7,
        throws=random.random() < 0.85,
        names_dice=random.random() < 0.5,
        shuffles=random.random() < 0.5,
        ends_phase=random.random() < 0.4,
    )


def write_log(random: Random, fought: Fought, habits: Habits, alter: Sequence[Deed] = ()) -> Record:
    """Return attacks as a log of the table.

    `alter`: results of the last attack that take the place of those with the same subject and track.
    """
    log = LogWriter(fought.start)
    left = list[Deed]()
    for number, attack in enumerate(fought.attacks):
        if habits.declares:
            log.say(attack.line)
        for roll in attack.rolls if habits.throws else ():
            if habits.names_dice:
                log.say(roll.name)
            log.throw(roll)
        results = log.list_results(attack.before, attack.after)
        if number == len(fought.attacks) - 1 and alter:
            keys = {deed.key for deed in alter}
            results = [deed for deed in results if deed.key not in keys]
            results += [deed for deed in alter if deed.before != deed.after]
        if habits.shuffles:
            random.shuffle(results)
            results, left = [*left, *results], []
            if number < len(fought.attacks) - 1:
                touched = {deed.key for deed in list_touched(fought.attacks[number + 1 :], log)}
                left = [deed for deed in results if deed.key not in touched and random.random() < 0.2]
                results = [deed for deed in results if deed not in left]
        for deed in results:
            log.carry_out(deed, attack.after)
    if habits.ends_phase:
        end_phase(log, fought)
    return log.write()


def list_touched(attacks: Sequence[Attack], log: LogWriter) -> Iterator[Deed]:
    for attack in attacks:
        yield from log.list_results(attack.before, attack.after)


def end_phase(log: LogWriter, fought: Fought) -> None:
    """Go on to the next phase, if nothing is owed before."""
    position = fought.start.with_state(fought.attacks[-1].after)
    try:
        report = assistant.ask(position, "next")
    except InputError:
        return
    if report.verdict.kind in ("yes", "figure"):
        after = position.after(report.changes).state
        clock = [deed for deed in log.list_results(position.state, after) if deed.track == "turn"]
        changes = [Change(deed.track, deed.subject, deed.before, deed.after, "") for deed in clock]
        for track in ("phase", "phasing"):
            changes.append(Change(track, "", None, str(after.value(track, "") or "") or None, ""))
        log.show(carry_out(log.table, changes, fought.start.game.tracks))


# --- faults -----------------------------------------------------------------------------------------------------------


class Seeded(NamedTuple):
    """A fault seeded into the last attack of a phase."""

    kind: str
    deed: Deed
    rules: tuple[str, ...]
    """The beginnings of the rules that it is against."""


Seed = Callable[[Random, Fought], Seeded | None]


def list_survivors(attack: Attack) -> list[str]:
    """Return the units that fought and still stand on the map."""
    fought = {change.subject for change in attack.changes if change.track == "fought"}
    return sorted(unit for unit in fought if unit in attack.after.units and attack.after.units[unit].place)


def value_of(state: GameState, track: str, unit: str) -> int:
    fact = state.facts.get((track, unit))
    return int(fact.value) if fact is not None and not isinstance(fact.value, str | tuple) else 0


def seed_number(kind: str, track: str, amount: int, rules: tuple[str, ...]) -> Seed:
    """Return the seed of a number that is too high or too low."""

    def seed(random: Random, fought: Fought) -> Seeded | None:
        attack = fought.attacks[-1]
        game = fought.start.game
        units = list_survivors(attack)
        changed = {change.subject for change in attack.changes if change.track == track}
        arms = {
            unit: str(attack.after.facts[("arm", unit)].value) for unit in units if ("arm", unit) in attack.after.facts
        }
        units = [unit for unit in units if (unit in changed) == kind.startswith("spared")]
        units = [unit for unit in units if track != "cel" or arms.get(unit) in ("infantry", "cavalry")]
        random.shuffle(units)
        for unit in units:
            before, after = (value_of(state, track, unit) for state in (attack.before, attack.after))
            value = before if kind.startswith("spared") else after + amount
            change = Change(track, unit, after, value, "")
            try:  # within the limits of the counter
                game.tracks[track].check(value)
                fought.start.with_state(attack.after).after([change])
            except InputError:
                continue
            return Seeded(kind, Deed(0, track, unit, before, value), rules)
        return None

    return seed


def seed_stay(random: Random, fought: Fought) -> Seeded | None:
    """Seed a unit that does not retreat although it has to."""
    attack = fought.attacks[-1]
    retreated = [
        change for change in attack.changes if change.track == "place" and change.rule == "11.2.1" and change.after
    ]
    if not retreated:
        return None
    change = random.choice(retreated)
    return Seeded("retreat not made", Deed(0, "place", change.subject, change.before, change.before), ("11.2",))


def seed_flight(random: Random, fought: Fought) -> Seeded | None:
    """Seed a unit that goes back although it holds."""
    attack = fought.attacks[-1]
    moved = {change.subject for change in attack.changes if change.track == "place"}
    held = [unit for unit in list_survivors(attack) if unit not in moved]
    board = fought.start.game.board_of(attack.after)
    random.shuffle(held)
    for unit in held:
        at = str(attack.after.units[unit].place)
        free = [hex for hex in board.neighbours(at) if not attack.after.stack(hex) and hex != attack.at]
        if free:
            return Seeded("retreat not due", Deed(0, "place", unit, at, random.choice(free)), ("11.2",))
    return None


def seed_far(random: Random, fought: Fought) -> Seeded | None:
    """Seed a unit that retreats much too far."""
    attack = fought.attacks[-1]
    retreated = [
        change for change in attack.changes if change.track == "place" and change.rule == "11.2.1" and change.after
    ]
    board = fought.start.game.board_of(attack.after)
    if not retreated:
        return None
    change = random.choice(retreated)
    hexes = dict.fromkeys([str(change.before)], 0)
    for far in range(1, 12):
        for hex in [hex for hex, at in hexes.items() if at == far - 1]:
            hexes |= {near: far for near in board.neighbours(hex) if near not in hexes}
    there = random.choice([hex for hex, far in hexes.items() if far == 11] or [str(change.before)])
    return Seeded("retreat too far", Deed(0, "place", change.subject, change.before, there), ("11.2",))


def seed_advance(random: Random, fought: Fought) -> Seeded | None:
    """Seed an advance that is barred: nobody was to choose who advances."""
    attack = fought.attacks[-1]
    if "advance" in attack.choices or any(
        change.track == "place" and change.rule == "11.4" for change in attack.changes
    ):
        return None
    state = attack.after
    if state.stack(attack.at):
        return None
    phasing = str(fought.start.state.value("phasing"))
    game = fought.start.game
    own = [unit for unit in list_survivors(attack) if game.side_of_unit(state.units[unit], state.facts) == phasing]
    own = [unit for unit in own if state.units[unit].place == attack.before.units[unit].place]
    if not own:
        return None
    unit = random.choice(own)
    return Seeded("advance barred", Deed(0, "place", unit, state.units[unit].place, attack.at), ("11.4",))


SEEDS: tuple[Seed, ...] = (
    seed_number("loss too many", "lost", 1, ("11.1",)),
    seed_number("spared loss", "lost", -1, ("11.1", "11.2")),
    seed_number("level too many", "cel", -1, ("11.3.2", "11.2")),
    seed_number("spared level", "cel", 1, ("11.3.2", "11.2")),
    seed_stay,
    seed_flight,
    seed_far,
    seed_advance,
)
"""The kinds of faults, fixed before the first run."""
