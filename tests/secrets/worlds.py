"""Pairs of positions of Twilight in the East that differ only in what one side may not know, in every format."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from types import MappingProxyType

import msgspec

from assistant.formats import json_state, notation_writer
from assistant.formats.positions import Asked, Position
from assistant.formats.vassal.saves import Piece, write_save
from assistant.formats.vassal.traits import INVISIBLE, Trait, hidden_by, marker_trait
from assistant.game.states import Stated, build_state
from assistant.state.state import FactKey, GameState, Unit, Unread, hexside
from assistant.state.tracks import Fact, Value
from module_builder.vassal.module_setting import MAP
from module_builder.vassal.pieces.traits import private_window
from module_builder.vassal.setups import write_set_up

from ..assistant.formats.vassal.test_positions import SETTING, UNITS

GAME = SETTING.game
ENDINGS = (".pos", ".json", ".vsav", ".vlog")
TARGET, SECOND, FACE_DOWN, DUG_IN, OURS, BESIDE, SOURCE = "41.19", "41.18", "42.21", "45.15", "40.20", "40.19", "40.23"
"""Hexes with enemies: the top unit seen, all face down, and all out of sight under an Improved Position far from the others; hexes
with units of the side itself, one next to the enemies, and with its Corps Train."""
UNDER_CAP, CRESTS = ("44.17", "39.20"), ("38.16", "39.21")
"""Hexes of which one has a Stack Cap, and one only enemies with their crests up: away from units of the side, or next to them."""
_OF_SIDE = {
    name: [unit for unit in UNITS if GAME.side_of_unit(Unit(unit, unit, None), {}) == name] for name in GAME.file.sides
}
_REGION = [place for place in SETTING.grid.hexes if "38" <= place[:2] <= "46" and "14" <= place[3:] <= "25"]
_NEAR = {place for one in (OURS, BESIDE, SOURCE) for place in GAME.board("").neighbours(one)}


class Seen(msgspec.Struct, frozen=True):
    """What a side knows of a position, the same in both of a pair.

    side, enemy: who looks, and from whom things are hidden by him; units, facts, lines, line_facts: as in a state; tops: the enemy's
    units that are seen on top, by hex; capped, crests: the hex with a Stack Cap, and that of concealed enemies alone, "" for none;
    announced: the hex where an attack was announced, "" for none; free: the enemy's other units.
    """

    side: str
    enemy: str
    units: tuple[Unit, ...]
    facts: Mapping[FactKey, Fact]
    lines: Mapping[str, tuple[str, ...]]
    line_facts: Mapping[str, Mapping[FactKey, Fact]]
    tops: Mapping[str, str]
    announced: str
    free: tuple[str, ...]
    capped: str = ""
    crests: str = ""

    @property
    def option(self) -> str:
        """The optional rule of hidden units in force."""
        return "caps" if self.capped else "concealment" if self.crests else "none"


def seen(random: Random) -> Seen:
    """What a side knows."""
    side, enemy = random.sample(sorted(GAME.file.sides), 2)
    ours = _divisions(side)
    trains = [unit for unit in _OF_SIDE[side] if _arm(unit) == "corps-train"]
    theirs = _divisions(enemy)
    own = random.sample(ours, 5)
    top = random.sample(theirs, 5)
    train = random.choice(trains)
    units = [Unit(own[0], own[0], OURS, 0), Unit(own[1], own[1], OURS, 1), Unit(own[2], own[2], BESIDE, 0)]
    units += [Unit(train, train, SOURCE, 0), Unit(own[3], own[3], random.choice(["40.22", SOURCE]), 5)]
    announced = random.choice(["", TARGET])
    tops = {TARGET: top[0]}
    units.append(Unit(top[0], top[0], TARGET, 0))
    if random.random() < 0.5:
        tops[SECOND] = top[1]
        units.append(Unit(top[1], top[1], SECOND, 0))
    if announced:
        units.append(Unit(top[2], top[2], TARGET, 1))
    facts: dict[FactKey, Fact] = {("turn", ""): Fact(random.randint(1, 3)), ("ip", DUG_IN): Fact(random.randint(1, 3))}
    for unit in [*own[:4], *tops.values()]:
        values = _markers(random, unit in own, 0.05)
        values.pop("army", None)  # units of different armies cannot attack together
        facts |= {(name, unit): Fact(value) for name, value in values.items()}
    if announced:
        facts["announced", announced] = Fact(True)
    for place in (OURS, BESIDE, TARGET, SECOND):
        if random.random() < 0.9:
            facts |= _ground(random, place)
    for there in (OURS, BESIDE, SECOND):
        if random.random() < 0.9:
            facts |= _between(TARGET, there)
    facts |= _displays(random, side, 2)
    facts["front", f"{enemy} Second"] = Fact("41.18 41.19")
    lines: dict[str, tuple[str, ...]] = {}
    line_facts: dict[str, Mapping[FactKey, Fact]] = {}
    if random.random() < 0.7:
        lines[train] = (SOURCE, "40.22", "40.21", OURS)
        line_facts[train] = _told_by_line(random, lines[train])
    free = tuple(unit for unit in _OF_SIDE[enemy] if unit not in top)
    option = random.choice(["none", "caps", "concealment"])
    capped = random.choice(UNDER_CAP) if option == "caps" else ""
    crests = random.choice(CRESTS) if option == "concealment" else ""
    facts |= {("hidden-units", ""): Fact(option)} if option != "none" else {}
    facts |= {("capped", capped): Fact(True)} if capped else {}
    facts |= _course(Random(f"course {own} {top}"), [capped or crests or DUG_IN, SECOND, OURS])
    return Seen(side, enemy, tuple(units), facts, lines, line_facts, tops, announced, free, capped, crests)


class World(msgspec.Struct, frozen=True):
    """A position with everything in it; kinds: how much of each kind is hidden in it; odd: pieces that nobody understands."""

    state: GameState
    kinds: Mapping[str, int]
    odd: int


def hidden(random: Random, known: Seen, ending: str) -> World:
    """A position with what is known in it, and anything that may be hidden from who knows only that."""
    enemy, kinds = known.enemy, Counter[str]()
    free, spread = random.sample(known.free, len(known.free)), set[str]()
    of_fates = Random(f"fates {free[:9]}")
    facts, stacks = dict(known.facts), dict[str, list[Unit]]()
    for unit in known.units:
        stacks.setdefault(str(unit.place), []).append(unit)
    by = lambda: Fact(random.choice([enemy, enemy, "nobody"] if not ending.startswith(".v") else [enemy]))  # noqa: E731

    def spread_rumour(place: str, at: int) -> str:
        name = random.choice([name for name in RUMOURS if name not in spread])
        spread.add(name)
        nation = random.choice(GAME.file.sides[enemy])
        told = {"nation": nation, "arm": "dummy", "size": "-", "movement": random.randint(3, 9)}
        facts.update({(track, name): Fact(value) for track, value in told.items()})
        stacks.setdefault(place, []).insert(at, Unit(name, name, place))
        kinds["dummies"] += 1
        return name

    def enter(place: str | None, at: int, kind: str) -> str:
        if place and known.option != "none" and not ending.startswith(".v") and random.random() < 0.3:
            return spread_rumour(place, at)
        name = free.pop()
        if not ending.startswith(".v") and random.random() < 0.2:  # one that its owner has described
            name = f"{random.choice('xyz')}. {name}"
            nation = GAME.file.sides[enemy][0]
            facts.update(
                {
                    (track, name): Fact(value)
                    for track, value in zip(("nation", "arm", "size"), (nation, "infantry", "XX"), strict=True)
                }
            )
        kinds[kind] += 1
        stacks.setdefault(place or "", []).insert(at, Unit(name, name, place))
        for track, value in _markers(random, True).items():
            facts[track, name] = Fact(value)
            kinds["facts of units"] += 1
        if not ending.startswith(".v"):
            facts.update({(track, name): Fact(value) for track, value in _fate(of_fates, on_map=bool(place)).items()})
        return name

    for place in known.tops:
        if place != known.announced:
            for _ in range(random.choice([0, 0, 1, 2, 4])):
                enter(place, 99, "units below the top one")
    for _ in range(random.randint(1, 3) if known.capped else 0):
        enter(known.capped, 99, "units under a Stack Cap")
    for _ in range(random.randint(1, 3) if known.crests and not ending.startswith(".v") else 0):
        facts["concealed", enter(known.crests, 99, "units with their crests up")] = Fact(True)
    for _ in range(random.randint(1, 3)):
        facts["masked", enter(FACE_DOWN, 99, "units face down")] = by()
    for _ in range(random.randint(1, 3)):
        enter(DUG_IN, 99, "units under an Improved Position")
    for _ in range(random.choice([0, 1, 3])):
        place = random.choice([*_REGION, OURS, TARGET, BESIDE, SOURCE, FACE_DOWN, DUG_IN])
        facts["invisible", enter(place, random.choice([0, 1, 99]), "units out of sight")] = by()
    for _ in range(random.choice([0, 1, 3])):
        enter(None, 99, "units off the map or in a private window")
    for unit in known.units:
        if GAME.side_of_unit(unit, known.facts) == enemy:
            values = _losses(random)
            if unit.id not in known.tops.values():  # named after an attack was announced, without what lies on it
                values |= {name: value for name, value in _markers(random, True).items() if name not in _STATED}
            facts |= {(name, unit.id): Fact(value) for name, value in values.items()}
            kinds["facts of units"] += len(values)
    if not ending.startswith(".v"):
        for place in ("61.30", "43.66"):
            reached = facts.pop(("reached-by", place), Fact(())).value
            sides = {*(reached if isinstance(reached, tuple) else ())} - {enemy} | {*of_fates.choice([(), (enemy,)])}
            facts |= {("reached-by", place): Fact(tuple(sorted(sides)))} if sides else {}
            kinds["objectives that the enemy has entered"] += enemy in sides
    displays = _displays(random, enemy, random.randint(0, 3))
    facts |= displays
    kinds["facts of armies"] += len(displays)
    lines, line_facts = dict(known.lines), dict(known.line_facts)
    for _ in range(random.choice([0, 0, 1, 2])):
        name, line = random.choice([*free, "a", "Z line"]), _walk(random, known)
        if name not in lines:
            lines[name], line_facts[name] = line, _told_by_line(random, line)
            kinds["supply lines"] += 1
            kinds["facts of hexes and hexsides that a line states"] += len(line_facts[name])
    unread = [Unread(f"strange {random.randint(1, 99)}", None) for _ in range(random.choice([0, 0, 1, 3]))]
    unread += [Unread("odd", unit.id) for unit in stacks.get(FACE_DOWN, []) if random.random() < 0.2]
    kinds["things that were not understood"] += len(unread)
    ordered = [msgspec.structs.replace(unit, order=at) for of in stacks.values() for at, unit in enumerate(of)]
    state = build_state(
        GAME,
        Stated(
            units=_mixed(random, ordered, {unit.id for unit in known.units}),
            facts=dict(_mixed(random, list(facts.items()), known.facts, key=lambda item: item[0])),
            lines=dict(_mixed(random, list(lines.items()), known.lines, key=lambda item: item[0])),
            line_facts=line_facts,
            unread=unread,
        ),
    )
    return World(state, kinds, random.choice([0, 0, 1, 2]))


def _mixed(random: Random, items: list, fixed: object, key: Callable = lambda unit: unit.id) -> list:  # type: ignore[type-arg]
    """What is known in its order, with what is hidden anywhere between."""
    mixed = [item for item in items if key(item) in fixed]  # type: ignore[operator]
    for item in items:
        if key(item) not in fixed:  # type: ignore[operator]
            mixed.insert(random.randint(0, len(mixed)), item)
    return mixed


ASKS = (Asked("battle", {"at": TARGET, "attacker-ap": "all", "defender-ap": "none"}), Asked("stack", {"at": OURS}))
ANSWERS = {"crt": "2+5"}


def _posed(random: Random, state: GameState, known: Seen) -> tuple[tuple[Asked, ...], dict[str, str]]:
    """What a file asks, and the answers in it: some name what the side does not see."""
    asks, answers = [*ASKS], dict(ANSWERS)
    seen = {unit.id for unit in known.units}
    unseen = [name for name in state.units if name not in seen] + random.sample(known.free, 2)
    for _ in range(random.choice([0, 0, 1, 2])):
        name, place = random.choice(unseen), random.choice([TARGET, SECOND])
        hidden = random.choice(
            [
                Asked("supply", {"unit": name}),
                Asked("recover", {"unit": name.upper()}),
                Asked("battle", {"at": place, "withhold": f"{name},{OURS}"}),
            ]
        )
        asks.insert(random.randint(0, len(asks)), hidden)
    if random.random() < 0.3:
        name = random.choice(unseen)
        answers |= random.choice([{f"check.{name}": "7"}, {"losses": f"{name},{random.choice(unseen)}"}])
    return tuple(asks), answers


def file(random: Random, world: World, known: Seen, ending: str, *, posed: bool = False) -> bytes:
    """A world as a file. posed: questions and answers in it name what is hidden, but not those in the notes of a save, which
    all can read.
    """
    enemy = known.enemy
    in_text = posed and ending in (".pos", ".json")
    position = Position(GAME, world.state, *(_posed(random, world.state, known) if in_text else (ASKS, ANSWERS)))
    if ending == ".pos":
        return notation_writer.write_notation(position).encode()
    if ending == ".json":
        return json_state.write_json(position)
    absent = [unit for unit in world.state.units.values() if unit.place is None]
    of_absent = {unit.id for unit in absent}
    facts = {key: fact for key, fact in world.state.facts.items() if key[1] not in of_absent}
    units = {name: unit for name, unit in world.state.units.items() if unit.place}
    shown = msgspec.structs.replace(world.state, units=MappingProxyType(units), facts=MappingProxyType(facts))
    save = write_set_up(SETTING, position.with_state(shown)).save
    pieces = dict(save.pieces)
    for unit in absent:
        values = {
            name: fact.value
            for (name, of), fact in world.state.facts.items()
            if of == unit.id and name in ("lost", "cel")
        }
        sheet = random.choice([private_window(enemy), ""])
        pieces[f"away {unit.id}"] = SETTING.maker.placed_unit(unit.id, values, f"away {unit.id}", sheet, (50, 50))
    for number in range(world.odd):
        traits = (
            Trait("odd;1"),
            hidden_by("hide;;;;side:", enemy),
            marker_trait({"unit": "9 lw"}),
            Trait("piece;;;;?"),
        )
        pieces[f"odd {number}"] = Piece(f"odd {number}", traits, MAP, SETTING.grid.hexes[random.choice([OURS, TARGET])])
    covered = {unit.id for unit in world.state.units.values() if known.capped and unit.place == known.capped}
    free = {id: piece for id, piece in pieces.items() if piece.marks().get("unit") not in covered}
    steps = tuple(_played(random, free)) if ending == ".vlog" else ()
    return write_save(msgspec.structs.replace(save, pieces=pieces, unread=("STRANGE\tx",) * world.odd, steps=steps))


TALK = (
    "CHAT&lt;Anna&gt; - hello",
    "CHAT*** 1d6: 4 <Anna>",
    f"CHAT&lt;Boris&gt; - ask battle at={TARGET} attacker-ap=none defender-ap=none",
    "CHAT*** 2d6: 2,5 = 7 <Anna>",
    "CHAT*** 1d6: 3 <Anna>",
    "CHAT*** 1d6: 4 <Boris>",
    "CHAT*** 2d6: 6,6 = 12 <Boris>",
    f"CHAT&lt;Anna&gt; - ask stack at={OURS}",
)
"""What all hear: it is the same in every log."""


def _played(random: Random, pieces: Mapping[str, Piece]) -> Iterator[str]:
    """The steps of a log: what all hear, with hidden moves in between."""
    moves, talk = list(_moves(random, pieces)), list(TALK)
    while moves or talk:
        yield (moves if moves and (not talk or random.random() < 0.5) else talk).pop(0)


def _moves(random: Random, pieces: Mapping[str, Piece]) -> Iterator[str]:
    """Steps of a log that move pieces out of sight from hex to hex, and others about the window of their side."""
    for id, piece in pieces.items():
        for _ in range(random.choice([0, 0, 1, 3])):
            x, y = SETTING.grid.hexes[random.choice(_REGION)] if piece.map == MAP else (random.randint(1, 90), 60)
            if piece.map and (piece.map != MAP or INVISIBLE in piece.owners()):
                yield f"M/{id}/{piece.map}/{x}/{y}/null/{piece.map}/1/1/null/me"


# --- what is drawn ----------------------------------------------------------------------------------------------------


@cache
def _divisions(side: str) -> list[str]:
    """Infantry divisions of the line, of which the roster knows what a battle asks for."""
    known = GAME.roster
    return [unit for unit in _OF_SIDE[side] if _arm(unit) == "infantry" and known[unit]["steps"][0].value in (10, 12)]


@cache
def _arm(unit: str) -> str:
    return str(GAME.roster[unit]["arm"][0].value)


def _losses(random: Random) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name, some in {
        "lost": range(1, 4),
        "cel": range(-4, 0),
        "with": ["3", "17"],
        "army": ["Second", "Eighth"],
    }.items():
        if random.random() < 0.4:
            values[name] = random.choice(some)
    return values


_STATED = {"steps": (10, 12), "defence": (8, 16), "effectiveness": (9, 12)}
_DEEDS: dict[str, tuple[Value, ...]] = {
    "spent": ("march:2", "march:3+zones:1"), "passed": ("40.18", "44.18 44.17"), "owes": (1, 2), "fought": (True,), "garrison": (True,), "tested": (True,), "checked": (True,),
    "retreated": (True,), "halted": (True,), "ended": (True,), "khan": ("free", "slowed"), "repl-taken": (1, 2), "withdrawal": (2, 4), "concealed": (True,), "isolated": (True,),
    "bukowina": (True,), "corps": ("2", "1 Cav"), "russian-set": ("campaign", "north"), "changed-attachment": (True,), "began-in-eighth": (True,), "destination": ("44.20",),
}  # fmt: skip
_ARRIVALS: dict[str, tuple[Value, ...]] = {
    "arrives": (1, 2, 3, 5), "entry": ("44.20", "45.15 44.17", "39.20"), "substitute-for": ("1/1", "25/3", "1/1,2/1"), "voluntary": (True,), "departed": ("withdrawn", "exchanged"),
}  # fmt: skip
_FORCES = (
    "russian First",
    "russian Second",
    "russian Fourth",
    "russian 2 Corps",
    "central-powers First",
    "central-powers Fourth",
)
_COURSE: dict[tuple[str, tuple[str, ...]], tuple[Value, ...]] = {
    ("plan", _FORCES): (True, False), ("plan-outcome", _FORCES[:1]): ("achieved", "abandoned"), ("plan-turn", _FORCES[:1]): (1, 2),
    ("reached-by", ("61.30", "43.66")): (("russian",), ("central-powers",)), ("control", ("61.30", "43.66", "44.17", "39.20", "38.16")): ("russian", "central-powers"),
    ("leaders", ("",)): (("rennenkampf", "brusilov"),), ("leader-uses", ("",)): ("brusilov:1",), ("western-call", ("",)): (2, 3), ("warsaw-complete", ("",)): (True,),
    ("repl", ("russian", "german")): (3, 9), ("cav-repl", ("russian",)): (1, 2), ("concealment-markers", ("russian", "german")): (2, 8), ("vp-divisions", ("russian", "central-powers")): (4, 8),
    ("vp-towns", ("russian",)): (2, -1), ("scenario", ("",)): ("29.1", "29.2"),
}  # fmt: skip
"""What is stated of a hidden unit, and of the course of a game."""
RUMOURS = [f"{letter}. rumour {number}" for letter in "xyz" for number in range(1, 12)]
"""The names of dummies, which a side may guess."""
_MARKERS = {
    "disorder": (1, 2),
    "supply": ("low", "out"),
    "half": (True,),
    "reduced": (True,),
    "prepared": ("40.19", "41.20"),
}


def _markers(random: Random, all_of_it: bool, often: float = 0.2) -> dict[str, Value]:
    """Markers on a unit and, for its owner, what they hide."""
    values: dict[str, Value] = _losses(random) if all_of_it else {}
    for name, some in {**_MARKERS, **_STATED}.items():
        if random.random() < often:
            values[name] = random.choice(some)
    return values


def _fate(random: Random, *, on_map: bool) -> dict[str, Value]:
    """What a unit that is hidden has done in its phase and still has to do, when and where it comes, and whom it replaces."""
    values = _DEEDS if on_map else {**_ARRIVALS, **_DEEDS}
    return {name: random.choice(some) for name, some in values.items() if random.random() < 0.15}


def _course(random: Random, places: list[str]) -> dict[FactKey, Fact]:
    """What all see of the course of the game: plans, leaders, Victory Points, calls, replacements, starred towns, and now and
    then a phase of movement.
    """
    facts: dict[FactKey, Fact] = {}
    for (track, subjects), some in _COURSE.items():
        for subject in subjects:
            if random.random() < 0.5:
                facts[track, subject] = Fact(random.choice(some))
    if random.random() < 0.3:  # a battle is not fought in these phases
        facts["phase", ""] = Fact(random.choice(["movement", "movement", "reinforcement", "replacements"]))
        facts["phasing", ""] = Fact(random.choice(sorted(GAME.file.sides)))
    for place in random.sample(places, 2):
        facts["star", place] = Fact(random.randint(1, 4))
        if random.random() < 0.5:
            facts["star-holder", place] = Fact(random.choice(sorted(GAME.file.sides)))
    return facts


def _displays(random: Random, side: str, count: int) -> dict[FactKey, Fact]:
    """Facts of the displays of armies."""
    some: list[tuple[str, Value]] = [
        ("area", random.choice(["41.15-41.19", "40.18-40.22 41.18"])), ("attachment-limit", random.randint(2, 9)), ("cavalry-track", True)
    ]  # fmt: skip
    armies = [f"{side} {name}" for name in ("Second", "Eighth", "Ninth")]
    return {(name, random.choice(armies)): Fact(value) for name, value in random.sample(some, count)}


def _ground(random: Random, place: str) -> dict[FactKey, Fact]:
    """The terrain of a hex, which is the same whoever states it, but not always surely."""
    truth = Random(place).choice(["clear", "rough", "wetlands"])
    return {("terrain", place): Fact(truth, assumed=random.random() < 0.3)}


def _between(one: str, other: str) -> dict[FactKey, Fact]:
    """What lies on a hexside."""
    truth, side = Random(hexside(one, other)), hexside(one, other)
    barrier = truth.choice([(), (), ("minor-river",), ("ridge",)])
    return {("barrier", side): Fact(barrier), ("rail", side): Fact(truth.choice(["no-rail", "rail1", "rail2"]))}


def _told_by_line(random: Random, line: tuple[str, ...]) -> Mapping[FactKey, Fact]:
    """What a line states of its way."""
    found: dict[FactKey, Fact] = {}
    for place in line:
        if random.random() < 0.5:
            found |= _ground(random, place)
    for one, other in itertools.pairwise(line):
        if random.random() < 0.7:
            found |= _between(one, other)
            found["road", hexside(one, other)] = Fact("no-road")
    return found


def _walk(random: Random, known: Seen) -> tuple[str, ...]:
    """A way from anywhere to where no unit of the side stands that does not know it."""
    ours = {unit.place for unit in known.units if GAME.side_of_unit(unit, known.facts) == known.side}
    while True:
        walk = [random.choice([*_REGION, *_NEAR])]
        for _ in range(random.randint(1, 5)):
            walk.append(random.choice(sorted(GAME.board("").neighbours(walk[-1]))))
        if walk[-1] not in ours:
            return tuple(walk)
