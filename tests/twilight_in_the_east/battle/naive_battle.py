"""A slow and plain combat calculator for "1914, Twilight in the East", to test a clever one against.

Numbers in comments are the rulebook's.
"""

import math
from fractions import Fraction

SIZES = {"XX": 4, "X": 3, "III": 2, "II": 1}


def round_half_up(value):  # 4.4
    return math.floor(Fraction(value) + Fraction(1, 2))


def is_fortress(unit):
    return unit["arm"] in ("fortress", "fort")


def has_ap(unit):  # 10.5
    return bool(unit["ap"] and unit["artillery"] and not unit["half"])


def remaining(unit):  # 11.1, 3.5
    return (1 if unit["arm"] == "artillery" else unit["steps"]) - unit["lost"]


def is_demoralized(unit):  # 7.3, 7.4.1; assets have no status
    return unit["formation"] and (unit["status"] >= 4 or unit["disorder"] > 0)


def on_back_after(unit, losses):  # 11.1, C15
    back = (unit["steps"] + 1) // 2 if unit["back_steps"] is None else unit["back_steps"]
    return unit["reduced"] or (back < unit["steps"] and remaining(unit) - losses <= back)


def across_river(battle, side, unit):  # 10.6.1
    features = set(battle["hexside"].get(unit["hex"], ()))
    return side == "attackers" and bool(features & {"major-river", "grand-river"})


def artillery_value(battle, side, unit):  # 10.5, 10.6.1, 3.7.2
    if is_fortress(unit):
        return Fraction(remaining(unit) * unit["fssm"], 2)
    return Fraction(unit["artillery"] if has_ap(unit) else 0, 2 if across_river(battle, side, unit) else 1)


def strength(battle, side, unit):  # 3.4, 3.7.2, 10.6
    if is_fortress(unit):
        return Fraction(remaining(unit) * unit["fssm"])
    guns = artillery_value(battle, side, unit)
    if unit["arm"] == "artillery":
        return guns
    if side == "attackers":
        return Fraction(max(0, remaining(unit)), 2 if across_river(battle, side, unit) else 1) + guns
    return Fraction(max(0, unit["defence"] - unit["lost"]), 2 if unit["half"] else 1) + guns


def division_count(unit):  # 10.10.1
    if unit["arm"] == "infantry" and unit["size"] == "XX" and not unit["reduced"]:
        return Fraction(1)
    half = (
        (unit["arm"] == "infantry" and unit["size"] in ("XX", "X"))
        or (unit["arm"] == "cavalry" and unit["size"] == "XX")
        or unit["arm"] == "fortress"
    )
    return Fraction(1, 2) if half else Fraction(0)


def taking_part(battle, side):  # 3.5.1: an artillery unit without an AP stays out
    return [unit for unit in battle[side] if unit["arm"] != "artillery" or has_ap(unit)]


def stacks(battle, side):
    return list(dict.fromkeys(unit["hex"] for unit in taking_part(battle, side)))


def is_flanked(battle):  # 10.4.5
    return bool(battle["flanked"]) and not any(is_fortress(unit) for unit in battle["defenders"])


def all_german(battle, side):
    return all(unit["nation"] == "german" for unit in taking_part(battle, side))


def formation_of(battle, side, unit):  # 6.4.1, C13: a formation in the same hex, or None
    here = [
        other
        for other in taking_part(battle, side)
        if other["formation"] and not is_fortress(other) and other["hex"] == unit["hex"]
    ]
    wanted = unit["id"] if unit["formation"] else unit.get("force")
    return next((other for other in here if other["id"] == wanted), here[0] if here else None)


def forces(battle, side):  # 7.2: lists of units by name, in the order listed, fortress units left out
    result, lone = {}, {}
    for unit in [unit for unit in taking_part(battle, side) if not is_fortress(unit)]:
        formation = formation_of(battle, side, unit)
        name = formation["id"] if formation else lone.setdefault(unit["hex"], unit["id"])
        result.setdefault(name, []).append(unit)
    return result


def several_corps(battle):  # 10.8
    commands, units = set(), taking_part(battle, "attackers")
    for unit in units:
        # a lone asset counts with its formation if that attacks from another hex
        named = [other for other in units if other["formation"] and other["id"] == unit.get("force")]
        parent = formation_of(battle, "attackers", unit) or ([*named, unit])[0]
        commands.add(("corps", parent["corps"]) if parent["corps"] else ("independent", parent["hex"]))
    return len(commands) > 1


def rounded_odds(attack, defence):
    """Place on the ladder ..., 1:2 = -1, 1:1 = 0, 2:1 = 1, ... (4.4.1); an end column if a side has nothing."""
    if attack == 0 or defence == 0:
        return 5 if defence == 0 else -3
    if attack >= defence:
        lower = attack // defence
        return lower if attack >= defence * (lower + Fraction(1, 2)) else lower - 1
    upper = 1  # 1:upper needs more than the attack, 1:(upper + 1) does not
    while Fraction(defence, upper + 1) > attack:
        upper += 1
    middle = (Fraction(defence, upper) + Fraction(defence, upper + 1)) / 2
    return -(upper - 1) if attack >= middle else -upper


def odds_name(place):
    return f"{place + 1}:1" if place >= 0 else f"1:{1 - place}"


def odds_beyond(battle):  # columns above 6:1 and columns below 1:4 of the final odds
    left, right = strengths(battle)["final"].split(":")
    return max(0, int(left) - 6), max(0, int(right) - 4)


def strengths(battle):
    if "strengths" in battle:  # worked out before all dice are tried: none changes them
        return battle["strengths"]
    attackers, defenders = taking_part(battle, "attackers"), taking_part(battle, "defenders")
    attack_exact = sum((strength(battle, "attackers", unit) for unit in attackers), Fraction(0))
    defence_exact = sum((strength(battle, "defenders", unit) for unit in defenders), Fraction(0))
    attack, defence = round_half_up(attack_exact), round_half_up(defence_exact)  # 4.5(3)
    heavy = any(unit["heavy"] and has_ap(unit) for unit in attackers)
    high = any(unit["high_trajectory"] and has_ap(unit) for unit in attackers)
    shifts = {
        "terrain": battle["terrain_shift"],  # 10.8
        "prepared": 1 if all(unit["prepared"] for unit in attackers) else 0,  # 10.3.1
        "flank": 2 if is_flanked(battle) else 0,  # 10.4.3
        "several-corps": -1 if several_corps(battle) else 0,
        "ip": -max(0, battle["ip"] - heavy - high),
    }
    shifts = {name: value for name, value in shifts.items() if value}
    net = sum(shifts.values())
    initial = rounded_odds(attack, defence)
    final = initial + net if attack and defence else initial  # nothing to shift without a ratio
    ours = sum((division_count(unit) for unit in defenders), Fraction(0))
    divisions = ours + sum((division_count(unit) for unit in attackers), Fraction(0))
    magnitude = (
        "Small" if divisions < 2 else "Medium" if divisions < 4 else "Large" if divisions < 6 or ours < 2 else "Massive"
    )  # 10.10.1
    return {
        "attack": attack,
        "defence": defence,
        "attack_exact": attack_exact,
        "defence_exact": defence_exact,
        "initial": odds_name(initial),
        "shifts": shifts,
        "net": net,
        "final": odds_name(final),
        "column": odds_name(min(5, max(-3, final))),
        "magnitude": magnitude,
        "divisions": divisions,
    }


def artillery_modifier(battle, side):  # what its guns do to the other side's roll, 10.10.3(2) and (3)
    units = taking_part(battle, side)
    if not any(unit["artillery"] or is_fortress(unit) for unit in units):
        return -1
    total = round_half_up(sum(artillery_value(battle, side, unit) for unit in units))
    return sum(1 for least in (3, 7, 12, 18, 25) if total >= least)


def slrt_modifiers(battle, crt_attacker, crt_defender):  # 10.10.3, points in brackets
    above, below = odds_beyond(battle)
    attacker = crt_attacker + artillery_modifier(battle, "defenders")  # (1) (2) (3)
    defender = crt_defender + artillery_modifier(battle, "attackers")
    attacker -= 1 if all_german(battle, "attackers") else 0  # (4)
    defender -= 1 if all_german(battle, "defenders") else 0
    attacker -= 3 if any(is_demoralized(unit) for unit in taking_part(battle, "defenders")) else 0  # (5)
    attacker += 1 if battle["ip"] == 4 else 0  # (6)
    attacker -= math.ceil(above / 2)  # (7)
    defender += math.ceil(above / 3) - below  # (8) (9)
    defender += 2 if is_flanked(battle) else 0  # (10)
    return {"attacker": attacker, "defender": defender}


def share_losses(units, number, already):  # 11.1.1: SLRT step losses by unit id, the owner's choices settled
    taken = {unit["id"]: 0 for unit in units}

    def left(unit):
        return remaining(unit) - already.get(unit["id"], 0) - taken[unit["id"]]

    for _ in range(number):
        alive = [unit for unit in units if left(unit) > 0]
        alive = [unit for unit in alive if not is_fortress(unit)] or alive
        safe = [unit for unit in alive if left(unit) > 1]
        if safe:  # min() takes the first listed of equals
            taken[min(safe, key=lambda unit: (taken[unit["id"]], -left(unit)))["id"]] += 1
        elif alive:
            taken[min(alive, key=lambda unit: unit["arm"] == "artillery")["id"]] += 1
    return {name: steps for name, steps in taken.items() if steps}


def survivors(units, losses):
    return [unit for unit in units if remaining(unit) > losses.get(unit["id"], 0)]


def level(units, losses):  # 7.1, 6.4.1, C14: the CEL, None if nothing with a CEL is left
    fighters = [unit for unit in survivors(units, losses) if unit["arm"] != "artillery"]
    for unit in fighters:
        if unit["formation"]:
            return unit["effectiveness"] - unit["status"]
    return max(((SIZES[unit["size"]], unit["effectiveness"]) for unit in fighters), default=(0, None))[1]


def ec_modifier(battle, side, units, losses, retreat, asterisk):  # 11.3.1, all but the SLRT's
    above, below = odds_beyond(battle)
    alive = survivors(units, losses)
    drm = retreat + 2 * sum(losses.get(unit["id"], 0) for unit in units)
    drm += 1 if any(unit["low_supply"] for unit in alive) else 0
    if battle["gt"] <= 27:
        drm += sum(1 for unit in alive if unit["formation"] and on_back_after(unit, losses.get(unit["id"], 0)))
    if side == "attackers":
        return drm - (1 if asterisk else 0) - math.ceil(above / 3)
    drm -= 1 if battle["ip"] >= 2 and retreat == 0 else 0  # C27
    return drm + (1 if is_flanked(battle) else 0) - below


def failure(units, losses, margin):  # 11.3.2
    formation = next((unit for unit in survivors(units, losses) if unit["formation"]), None)
    if margin <= 0:
        return {"cel_loss": 0, "retreat": 0, "steps": 0, "disorder": formation["disorder"] if formation else 0}
    grade = 1 if margin <= 3 else 2 if margin <= 7 else 3 if margin <= 11 else 4
    if formation and is_demoralized(formation):  # 11.3.2b
        retreat, steps, disorder = {1: (1, 1, 0), 2: (1, 2, 1), 3: (2, 2, 2), 4: (2, 3, 2)}[grade]
        return {"cel_loss": 0, "retreat": retreat, "steps": steps, "disorder": max(disorder, formation["disorder"])}
    retreat = 0 if grade == 1 else 1
    if not formation:  # assets alone, 6.4.2
        return {"cel_loss": 0, "retreat": retreat, "steps": grade, "disorder": 0}
    room = 4 - formation["status"]  # 11.3.2a
    excess = max(0, grade - room)
    retreat += (1 if grade >= room else 0) + (1 if excess >= 2 else 0)  # becoming Demoralized; second excess
    steps = (1 if excess >= 1 else 0) + (1 if excess >= 3 else 0)
    return {"cel_loss": min(grade, room), "retreat": retreat, "steps": steps, "disorder": min(2, excess)}


def check_force(battle, side, units, losses, retreat, asterisk, extra, roll):
    drm = ec_modifier(battle, side, units, losses, retreat, asterisk) + extra
    cel = level(units, losses)
    margin = roll + drm - cel
    return {
        "drm": drm,
        "modified": roll + drm,
        "cel": cel,
        "margin": margin,
        "passed": margin <= 0,
        **failure(units, losses, margin),
    }


def crt_modifier(tokens):
    return sum(int(token) for token in tokens.split() if token[0] in "+-" and token != "-")


def crt_hexes(tokens, colour):
    return sum(int(token[1:]) for token in tokens.split() if token[0] == colour)


def resolve(battle, tables, dice):
    odds, season = strengths(battle), "Summer" if battle["gt"] <= 27 else "Autumn"  # 10.9
    tokens = tables["crt"][season, odds["column"], dice["crt"]]
    both = " ".join(tokens).split()
    modifier = crt_modifier(tokens[0]) - (1 if "X" in both and all_german(battle, "attackers") else 0)
    # CRT retreats: 10.9.1, 12.2.1, 13.3.1
    retreats = {}
    for place in stacks(battle, "attackers"):
        black = 0 if battle["attacker_ip"].get(place, 0) else crt_hexes(tokens[0], "B")
        retreats[place] = crt_hexes(tokens[0], "W") + black
    hexes, forts = crt_hexes(tokens[1], "W"), [unit for unit in battle["defenders"] if is_fortress(unit)]
    crt_losses = share_losses(forts, hexes, {})  # the owner's choice: spread as other losses are
    hexes -= sum(crt_losses.values())
    if not battle["ip"] and not forts:
        hexes += crt_hexes(tokens[1], "B")
    drms = slrt_modifiers(battle, modifier, crt_modifier(tokens[1]))
    slrt, checks, all_losses = {}, {}, {"crt:" + name: steps for name, steps in crt_losses.items() if steps}
    for side, name in (("attackers", "attacker"), ("defenders", "defender")):
        modified = dice["slrt." + name] + drms[name]
        steps, ec = tables["slrt"][season, odds["magnitude"], min(14, max(-2, modified))]
        slrt[name] = {"modified": modified, "steps": steps, "ec": ec}
        losses = share_losses(taking_part(battle, side), steps, crt_losses)
        all_losses.update(losses)
        # for every Force that takes an EC: what check_force wants
        queue, ease = {}, {}
        for force, units in forces(battle, side).items():
            if level(units, losses) is not None:
                retreat = retreats[units[0]["hex"]] if side == "attackers" else hexes
                queue[force] = (battle, side, units, losses, retreat, "*" in both)
                ease[force] = level(units, losses) - ec_modifier(*queue[force])
        best = max(ease, key=ease.get, default=None)  # the first listed of equals takes the SLRT's modifier
        for force, known in queue.items():
            checks[force] = check_force(*known, ec if force == best else 0, dice["ec"][known[2][0]["hex"]])
    return {
        "crt": tokens,
        "slrt": slrt,
        "losses": all_losses,
        "crt_retreat": {"attacker": retreats, "defender": hexes},
        "forces": checks,
    }
