"""The referee's files of Der Weltkrieg: what is asked in many turns of the campaign, and the answers of the second program."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from ..sampling import Expected, Made, Subject, bucket, sampled, yes_no
from ..writing import Question, Suite
from . import books, tables
from .calendar import LABELS, later, month_number, number, turn_of, year_of

REGULAR = [label for label in LABELS if turn_of(label)]
SPECIAL = [label for label in LABELS if not turn_of(label)]
RULINGS = (
    "british-rows = end",
    "early-rows = no",
    "tenth = all",
    "rail-half = exact",
    "belgrade = held",
    "nish = any",
    "transit = after",
    "rail-markers = no",
    "rail-units = series",
    "no-surrender = none",
    "assault-pool = without",
)
"""The readings of open rules on which answers rest."""
USES = ["tables", "schedules", "events.toml"]


def suites(seed: int) -> Iterator[Suite]:
    """All files of the game."""
    head = [f"ruling {ruling}" for ruling in RULINGS]
    for subject in SUBJECTS:
        yield sampled(subject, Random(f"{seed} {subject.name}"), None, head, USES)


def before(dice: Random, label: str, least: str = "aug14/1") -> str:
    """A turn from one on, before another; "" for none."""
    turns = [each for each in REGULAR if number(least) <= number(each) < number(label)]
    return dice.choice(turns) if turns else ""


# --- the books --------------------------------------------------------------------------------------------------------

LEVELLED = ("german", "austro-hungarian", "british", "french", "russian", "italian")
OTHERS = ("serbian", "belgian", "romanian", "american", "bulgarian")


def received(dice: Random, _: None) -> Made | None:
    """What a nation receives in a period, by account: supply points, replacements of each origin, points for lack of imports."""
    nation = dice.choice([*LEVELLED, *LEVELLED, *OTHERS])
    first = dice.randrange(number("sep14/1"), len(LABELS) - 30)
    last = min(first + dice.randint(2, 25), len(LABELS) - 1)
    label, facts, words, lines = LABELS[first], dict[tuple[str, str], str](), list[str](), list[str]()
    if nation in ("italian", "romanian", "bulgarian"):
        entered = before(dice, LABELS[max(first - 4, 0)], "mar15/1")
        if not entered:
            return None
        whose = "italian" if nation == "italian" else "romanian"
        facts[whose, "enters"] = entered
        lines.append(f"nation {whose} enters={entered}")
    if nation in LEVELLED and dice.random() < 0.6:
        least = facts.get((nation, "enters"), "oct14/1")
        shaken = before(dice, LABELS[last], later(least, 1))
        collapse = before(dice, LABELS[last], later(shaken, 1)) if shaken and dice.random() < 0.5 else ""
        for level, when in (("shaken", shaken), ("collapse", collapse)):
            if when:
                facts[nation, level] = when
                words.append(f"{level}={when}")
    if nation == "austro-hungarian":
        facts[nation, "rotation"] = str(dice.randrange(8))
        words.append(f"rotation={facts[nation, 'rotation']}")
    if nation == "french":
        facts[nation, "counted"] = str(dice.randrange(40))
        words.append(f"replacements-counted={facts[nation, 'counted']}")
    if nation == "russian" and dice.random() < 0.4:
        facts["game", "divisions-complete"] = "yes"
        words.append("divisions-complete")
    if nation == "serbian" and dice.random() < 0.5 and (fell := before(dice, LABELS[last], "jan15/1")):
        facts["game", "serbia-fell"] = fell
        lines.append(f"serbia-fell={fell}")
    total = books.received([nation], label, LABELS[last], facts)
    if not total and dice.random() < 0.9:
        return None
    lines = [f"turn={label}", *lines, *([f"nation {nation} {' '.join(words)}"] if words else [])]
    expected: Expected = {"totals": ["+".join(sorted((*key, str(amount)))) for key, amount in total.items()]}
    level = books.state(nation, LABELS[last], facts) or "usual"
    return Made(lines, [Question(f"due who={nation} until={LABELS[last]}", expected)], f"{nation} {level}")


# --- morale, limits, victory ------------------------------------------------------------------------------------------


def morale(dice: Random, _: None) -> Made | None:
    """The morale of a nation, and how far it is from each level."""
    nation, label = dice.choice([*tables.LEVELS]), dice.choice(REGULAR)
    near = dice.choice([*tables.LEVELS[nation].values()] or [300])
    points = max(near + dice.choice([-150, -40, -1, 0, 1, 25, 90]), 0)
    if nation in ("italian", "romanian") and number(label) < number("sep15/1"):
        return None
    entered = " enters=aug15/7" if nation in ("italian", "romanian") else ""
    reached, left = tables.state(nation, points)
    expected: Expected = {
        "state": reached,
        "monthly": str(tables.imports(nation, label)),
        **{f"levels[title={title}].left": str(points_) for title, points_ in left.items()},
    }
    lines = [f"turn={label}", f"nation {nation} dm={points}{entered}"]
    return Made(lines, [Question(f"morale who={nation}", expected)], reached or "not Shaken")


def limits(dice: Random, _: None) -> Made | None:
    """The limit of supply points in the Headquarters of a nation, and by how much it is over it."""
    nation = dice.choice(
        ["german", "british", "french", "austro-hungarian", "austro-hungarian", "russian", "italian", "belgian"]
    )
    entered, label = dice.choice(["may15/7", "aug15/7"]), dice.choice(LABELS)
    if nation == "italian" and number(label) <= number(entered):
        return None
    most = tables.limit(nation, label, entered)
    held = max((most or 100) + dice.choice([-20, -1, 0, 1, 2, 30]), 0)
    over = max(held - most, 0) if most is not None else 0
    lines = [f"turn={label}", f"nation italian enters={entered}", f"nation {nation} sp={held}"]
    expected: Expected = {"most": "none" if most is None else str(most), "over": str(over)}
    kind = "no limit yet" if most is None else "over" if over else "within"
    return Made(lines, [Question(f"caps who={nation}", expected)], f"{nation} {kind}")


def victories(dice: Random, _: None) -> Made | None:
    """Who has won, or would, after nations have surrendered or collapsed."""
    label = dice.choice([REGULAR[-1], dice.choice(REGULAR[10:])])
    who = dice.choice(["french", "french", "british", "german", "german", "austro-hungarian", ""])
    fell = before(dice, label, dice.choice(["aug14/3", "jan15/1", "jan18/1"])) if who else ""
    if who and not fell:
        return None
    collapsed = {}
    for nation in ("french", "british", "german"):
        if nation != who and dice.random() < 0.35 and (when := before(dice, fell or label)):
            collapsed[nation] = when
    over, winner, level = tables.victory(label, {who: fell} if who else {}, [*collapsed])
    lines = [f"turn={label}", *([f"nation {who} surrender={fell}"] if who else [])]
    lines += [f"nation {nation} collapse={when}" for nation, when in collapsed.items()]
    expected: Expected = {"over": yes_no(over), "winner": winner, "level": level}
    return Made(lines, [Question("victory", expected)], f"{winner or 'nobody'} {level}".strip())


# --- railways and terrain ---------------------------------------------------------------------------------------------


def railways(dice: Random, _: None) -> Made | None:
    """What a network carries in the first months of its war, and whether some units may move."""
    network, entered = (
        dice.choice([*tables.NETWORKS, "italian", "italian"]),
        dice.choice(["may15/7", "aug15/7", "jun15/7"]),
    )
    label = dice.choice(REGULAR[:16])
    if network == "italian":
        label = dice.choice([turn for turn in REGULAR if -2 < REGULAR.index(turn) - REGULAR.index(entered) < 8])
    room = tables.capacity(network, label, entered)
    divisions = max(int(room) + dice.choice([-3, -1, 0, 0, 1]), 0)
    brigades, battalions, heavy = dice.randint(0, 3), dice.choice([0, 0, 1]), dice.choice([0, 0, 0, 1])
    used = tables.load(divisions, brigades, battalions, heavy)
    if not used:
        return None
    asked = f"rail network={network} divisions={divisions} brigades={brigades}"
    asked += f" tank-battalions={battalions}" * (battalions > 0) + f" tank-brigades={heavy}" * (heavy > 0)
    expected: Expected = {"capacity": str(room), "used": str(used), "allowed": yes_no(used <= room)}
    lines = [f"turn={label}", *([f"nation italian enters={entered}"] if network == "italian" else [])]
    kind = "closed" if not room else "allowed" if used <= room else "too many"
    return Made(lines, [Question(asked, expected)], kind)


def transfers(dice: Random, _: None) -> Made | None:
    """When units that leave one map appear on another."""
    (one, other), turns = dice.choice([*tables.TRANSFERS.items()])
    one, other = dice.choice([(one, other), (other, one)])
    label = dice.choice(REGULAR[60:-5])
    arrives = later(label, turns)
    expected: Expected = {"turns": str(turns), "arrives": arrives}
    lines = [f"turn={label}", "nation italian enters=may15/7"]
    kind = "over a special turn" if month_number(arrives) > month_number(label) else "within the month"
    return Made(lines, [Question(f"transfer from={one} to={other}", expected)], f"{turns} turns {kind}")


def terrain(dice: Random, _: None) -> Made | None:
    """What it costs to cross a hexside with all that lies on it, and what that does to attacks and counterattacks."""
    ground, river = dice.choice([*tables.HEXES]), dice.choice(["", *tables.RIVERS])
    rail, marker = dice.choice(["", *tables.RAILS]), dice.choice(["", "", *tables.MARKERS])
    if not (river or rail or marker) and dice.random() < 0.7:
        return None
    found = tables.crossing(ground, river, rail, marker)
    expected: Expected = {
        "cost": "none" if found.cost is None else str(found.cost),
        "attack": str(found.attack),
        "counterattack": str(found.counterattack),
        "halves": yes_no(found.halves),
    }
    words = ",".join(filter(None, (ground, river, rail, marker)))
    kind = "prohibited" if found.cost is None else f"{bucket(found.cost, 1, 3, 5, 8)} points"
    return Made(["turn=mar16/1"], [Question(f"terrain of={words}", expected)], kind)


# --- gas and tanks ----------------------------------------------------------------------------------------------------


def gas(dice: Random, _: None) -> Made | None:
    """Gas counters gained and lost in a special turn."""
    side, held = dice.choice([*tables.GAINS]), dice.randint(0, 3)
    gain, loss = (dice.choice([2, 3, 4, 7, 11, 12]) for _ in range(2))
    gained, lost = gain in tables.GAINS[side], held > 0 and loss in tables.LOSSES[side]
    answers = f"gain={gain}" + f" loss={loss}" * (held > 0)
    expected: Expected = {"gained": yes_no(gained), "left": str(held + gained - lost)}
    if held:
        expected["lost"] = yes_no(lost)
    lines = [f"turn={dice.choice(SPECIAL)}", f"side {side} gas={held}"]
    return Made(lines, [Question(f"gas side={side}", expected, answers)], f"{side} {gained - lost:+}")


def gas_attacks(dice: Random, _: None) -> Made | None:
    """The exact chances of the effects of gas, and what a throw leads to."""
    side, label = dice.choice([*tables.GAINS]), dice.choice(REGULAR[40:])
    strength, losses, infantry = dice.randint(4, 60), dice.randint(0, 8), dice.randint(1, 12)
    total = dice.randint(2, 12)
    effect, attack, counterattack, retreat = tables.gas_effect(total, losses, infantry)
    asked = f"gas-attack side={side} strength={strength} losses={losses} infantry={infantry}"
    expected: Expected = {"effect": effect}
    if effect == "contaminates the attacker":
        expected["crt"] = str(strength // 3)
    else:
        expected |= {"attack": str(attack), "counterattack": str(counterattack), "retreat": yes_no(retreat)}
    questions = [
        Question(asked, {"chances": {name: str(chance) for name, chance in tables.gas_chances().items()}}),
        Question(asked, expected, f"gas={total}"),
    ]
    lines = [f"turn={label}", f"side {side} gas=1"]
    return Made(lines, questions, f"{effect}{', retreat' if retreat else ''}")


def breakdowns(dice: Random, _: None) -> Made | None:
    """How many strength points of tanks break down by some dice, and how many do on average."""
    label, strength = dice.choice([turn for turn in REGULAR if year_of(turn) > 15]), dice.randint(1, 6)
    rolls, most = [dice.randint(1, 6) for _ in range(strength)], tables.breaks_down_on(label)
    expected: Expected = {
        "highest": str(most),
        "lost": str(sum(roll <= most for roll in rolls)),
        "expected": str(Fraction(strength * most, 6)),
    }
    answers = " ".join(f"die.{place}={roll}" for place, roll in enumerate(rolls, 1))
    return Made(
        [f"turn={label}"],
        [Question(f"breakdown strength={strength}", expected, answers)],
        f"19{year_of(label)}, {expected['lost']} lost",
    )


def tank_attacks(dice: Random, _: None) -> Made | None:
    """The strength of an attack with tanks, whether defenders retreat, and what the tanks lose."""
    attack, tanks, infantry = dice.randint(10, 60), dice.randint(1, 12), dice.randint(1, 14)
    defending, losses = dice.choice([0, 0, 3, 5, 12]), dice.randint(0, 14)
    battalions, brigades, divisions, counter = (
        dice.randint(0, 3),
        dice.randint(0, 2),
        dice.randint(1, 12),
        dice.randint(0, 10),
    )
    if not battalions + brigades:
        return None
    found = tables.tank_attack(
        attack, tanks, infantry, defending, losses, battalions + 3 * brigades, divisions, counter
    )
    asked = f"tank-attack attack={attack} tanks={tanks} infantry={infantry} defending-tanks={defending} losses={losses}"
    asked += f" battalions={battalions} brigades={brigades} divisions={divisions} counterattack={counter}"
    expected: Expected = {
        "attack": str(found[0]),
        "retreat": yes_no(found[1]),
        "threshold": str(found[2]),
        "lost": str(found[3]),
    }
    return Made(
        ["turn=aug18/2"],
        [Question(asked, expected)],
        f"{'retreat' if found[1] else 'no retreat'}, {bucket(found[3], 1, 3)} lost",
    )


# --- entries and alliances --------------------------------------------------------------------------------------------


def italy(dice: Random, _: None) -> Made | None:
    """Italy's die in a special turn: its chance, and when Italy enters by a roll."""
    label = dice.choice([turn for turn in SPECIAL if number("mar15/0") <= number(turn) < number("jun18/0")])
    serbia, points, die = (
        dice.random() < 0.5,
        dice.choice([0, 59, 60, 61, 119, 120, 179, 180, 239, 240, 300]),
        dice.randint(1, 6),
    )
    modifier = tables.italy_modifier(serbia, points)
    enters = tables.italy_enters(label, die, modifier)
    asked = f"italy serbia={yes_no(serbia)}"
    chance = Fraction(sum(roll + modifier < 1 for roll in range(1, 7)), 6)
    questions = [
        Question(asked, {"modifier": str(modifier), "chance": str(chance)}),
        Question(asked, {"enters": enters}, f"die={die}"),
    ]
    lines = [f"turn={label}", f"nation austro-hungarian dm={points}"]
    return Made(lines, questions, f"chance {chance}")


def romania(dice: Random, _: None) -> Made | None:
    """When Romania becomes active by its die."""
    label, die = dice.choice(REGULAR[40:-12]), dice.randint(1, 6)
    enters = tables.romania_enters(label, die)
    lines = [f"turn={label}", f"nation austro-hungarian shaken={label}"]
    kind = "over a special turn" if month_number(enters) > month_number(label) else "within the month"
    return Made(lines, [Question("romania", {"enters": enters}, f"die={die}")], kind)


def bulgaria(dice: Random, _: None) -> Made | None:
    """When Bulgaria joins by Nish, Belgrade or its date."""
    nish = dice.choice(["", dice.choice(REGULAR[:100])])
    belgrade = dice.choice(["", dice.choice(REGULAR[:100])])
    enters = tables.bulgaria_enters(nish, belgrade)
    asked = "bulgaria" + f" nish={nish}" * bool(nish) + f" belgrade={belgrade}" * bool(belgrade)
    kind = "by date" if enters == "oct15/2" else "by Nish" if nish and enters == later(nish, 1) else "by Belgrade"
    return Made(["turn=oct15/1"], [Question(asked, {"enters": enters})], kind)


def sphere(dice: Random, _: None) -> Made | None:
    """How many German divisions count in the Austro-Hungarian sphere, and how many may be there."""
    label = dice.choice(REGULAR[30:260])
    points = dice.choice([100, 249, 260, 400, 549, 550, 600])
    aided = before(dice, label, REGULAR[max(REGULAR.index(label) - 55, 20)]) if 250 <= points < 550 else ""
    divisions, cavalry, brigades = dice.choice([2, 3, 4, 5, 13, 14, 15, 16, 17]), dice.randint(0, 3), dice.randint(0, 3)
    count, most = tables.sphere(divisions, cavalry, brigades, label, aided, points)
    expected: Expected = {
        "count": str(count),
        "most": "none" if most is None else str(most),
        "allowed": yes_no(most is None or count <= most),
    }
    lines = [f"turn={label}", f"nation austro-hungarian dm={points}{f' aided={aided}' if aided else ''}"]
    asked = f"sphere divisions={divisions} cavalry={cavalry} brigades={brigades}"
    return Made(
        lines, [Question(asked, expected)], f"limit {most}, {'allowed' if expected['allowed'] == 'yes' else 'too many'}"
    )


def aid(dice: Random, _: None) -> Made | None:
    """When which British and French forces may come to Italy."""
    shaken = dice.choice(REGULAR[110:-20])
    label = later(shaken, dice.randint(1, 14))
    when = [(who, count, kind, later(shaken, turns)) for who, turns, count, kind in tables.AID]
    expected: Expected = {
        "turn": [*(turn for *_, turn in when), "", "", "", ""],
        "now": [*(yes_no(number(turn) <= number(label)) for *_, turn in when), "yes", "yes", "yes", "yes"],
        "count": [*(str(count) for _, count, *_ in when), "50", "25", "30", "25"],
    }
    come = sum(number(turn) <= number(label) for *_, turn in when)
    lines = [f"turn={label}", f"nation italian enters=may15/7 shaken={shaken}"]
    return Made(lines, [Question("aid", expected)], f"{bucket(come, 1, 3, 7, 10)} of 10")


def conversions(dice: Random, _: None) -> Made | None:
    """How many German units may become assault units in 1918."""
    points = dice.choice(
        [
            1450,
            1499,
            1500,
            1749,
            1750,
            1751,
            1799,
            1800,
            1801,
            1849,
            1850,
            1899,
            1900,
            2199,
            2300,
            2350,
            dice.randint(1450, 2400),
        ]
    )
    strong, weak = tables.conversions(points)
    lines = ["turn=jan18/0", f"nation german dm={points}"]
    return Made(
        lines, [Question("conversions", {"strong": str(strong), "weak": str(weak)})], bucket(strong, 10, 20, 30)
    )


def returns(dice: Random, _: None) -> Made | None:
    """When a Headquarters that is destroyed comes back."""
    lost = dice.choice(REGULAR[10:-35])
    return Made(
        [f"turn={lost}"],
        [Question(f'returns unit="GE 9th HQ" lost={lost}', {"turn": tables.returns(lost)})],
        f"turn {turn_of(lost)}",
    )


VALUE = {
    name: (name, meaning)
    for name, meaning in (("enters", "the turn of its entry, empty if it does not enter"), ("turn", "the turn"))
}
SUBJECTS = (
    Subject(
        "received",
        "What nations receive in a period (3 to 15, 29).",
        120,
        received,
        {"totals": ("totals", "amount, nation and account of all that it receives, in any order")},
    ),
    Subject(
        "morale",
        "National morale (3-11 and others).",
        35,
        morale,
        {"state": ("state", "the level reached"), "monthly": ("monthly", "points of each special turn")},
    ),
    Subject(
        "limits",
        "Limits of supply points (16-4 to 16-12).",
        35,
        limits,
        {"most": ("most", "the limit"), "over": ("over", "points over it")},
    ),
    Subject("victory", "Victory (26).", 35, victories, {"over": ("over", "whether the game is over")}),
    Subject(
        "railways", "Capacities of rail networks (2, 19-4).", 40, railways, {"used": ("used", "divisions that move")}
    ),
    Subject("transfers", "Transfers between maps (16-16 to 16-18).", 20, transfers, {}),
    Subject(
        "terrain",
        "The Terrain Effects Chart.",
        40,
        terrain,
        {"cost": ("cost", "Movement Points, none if prohibited"), "halves": ("halves", "whether attackers are halved")},
    ),
    Subject("gas", "Gas counters (18-1, 18-2).", 20, gas, {"left": ("left", "counters after it")}),
    Subject(
        "gas-attacks",
        "Effects of gas (18-4).",
        30,
        gas_attacks,
        {"crt": ("column", "the column of the table for the attacker's loss")},
    ),
    Subject(
        "breakdowns",
        "Breakdown of tanks (19-3).",
        20,
        breakdowns,
        {"highest": ("most", "the highest roll that loses a point")},
    ),
    Subject(
        "tank-attacks",
        "Attacks with tanks (19-8 to 19-12).",
        30,
        tank_attacks,
        {"threshold": ("threshold", "what losses must exceed")},
    ),
    Subject("italy", "Entry of Italy (8-1).", 25, italy, VALUE),
    Subject("romania", "Entry of Romania (13-1).", 15, romania, VALUE),
    Subject("bulgaria", "Entry of Bulgaria (11-1).", 20, bulgaria, VALUE),
    Subject(
        "sphere",
        "The Austro-Hungarian sphere (25-2 to 25-5).",
        30,
        sphere,
        {"most": ("most", "the limit, none for any number")},
    ),
    Subject("aid", "Aid to Italy (25-7).", 15, aid, {"now": ("now", "whether they may come already")}),
    Subject(
        "conversions",
        "Conversion into assault units (23-3).",
        12,
        conversions,
        {"strong": ("strong", "units of 12-5"), "weak": ("weak", "units of 10-5")},
    ),
    Subject("returns", "Return of Headquarters (16-1).", 14, returns, VALUE),
)
