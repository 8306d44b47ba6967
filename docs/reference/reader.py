#!/usr/bin/env python3
# SPDX-License-Identifier: CC0-1.0
"""A second reader of journals, written from journal-format.md alone: it needs Python 3.11 and nothing else.

`python reader.py war.journal FOLDER-OF-THE-GAME` prints as JSON what stands where after each entry that counts. It does
not know what events do, and reads of chains of hexes only those with words between the hexes.
"""

import csv
import json
import re
import sys
import tomllib
import zlib
from pathlib import Path

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
CHECK = re.compile(r" ~([0-9a-z]{3})$")
SIGN = "and|force|late|books=[0-9a-z]{3}|tap=[0-9a-f]{12}"
ENTRY = re.compile(rf"([0-9]{{1,7}})[ \t]+(\S+)[ \t]+((?:(?:{SIGN})[ \t]+)*)(\S+)(?:[ \t]+(.*))?")
WORD = re.compile(r'"[^"]*"|\([^()]*\)?|,|[^\s,("|]+="[^"]*"|[^\s,("|]+(?:\s*\|\s*[^\s,("|]+)?')
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
SILENT = ("board", "trust", "own", "accept", "ruling", "chart", "line", "elsewhere")


def fits(line):
    found = CHECK.search(line)
    rest = zlib.crc32(line[: found.start()].encode()) % 46656 if found else 0
    return bool(found) and found[1] == DIGITS[rest % 36] + DIGITS[rest // 36 % 36] + DIGITS[rest // 1296]


def key_of(turn):
    date = re.fullmatch(r"([a-z]{3})([0-9]{2})/([0-9])", turn)
    if date and date[1] in MONTHS:
        return int(date[2]), MONTHS.index(date[1]), int(date[3])
    return (0, 0, int(turn)) if re.fullmatch("[0-9]+", turn) else None


def is_first_entry(line):
    first = re.match(r"\s*1\s+(\S+)\s+\S", line)
    return key_of(first[1]) if first else CHECK.search(line)


def read_file(data):
    whole = data.rstrip(b"\0")
    *lines, last = whole.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    has_checks = len(whole) < len(data) or any(CHECK.search(line) for line in lines)
    lines += [last] if last.strip() and (fits(last.rstrip()) or not (lines and has_checks)) else []
    while fits(lines[-1].rstrip()) and (cut := ENTRY.match(lines[-1])) and "and" in cut[3].split():
        lines.pop()
    head = re.fullmatch(r"journal +(\S+) +([12])(?: ~[0-9a-z]{3})?", lines[0].strip())
    if not head:
        raise ValueError("this is no journal of version 1 or 2")
    first = next((at for at, line in enumerate(lines) if at and is_first_entry(line.rstrip())), len(lines))
    entries, faults = {}, []
    for line in filter(None, (line.strip(" \t\r") for line in lines[first:])):
        entry = ENTRY.fullmatch(CHECK.sub("", line).rstrip())
        if entry and (fits(line) or not CHECK.search(line)) and int(entry[1]) not in entries:
            word, rest = entry[4].casefold(), entry[5] or ""
            entries[int(entry[1])] = {"number": int(entry[1]), "turn": entry[2], "word": word, "rest": rest}
        else:
            faults.append(line)
    return {"game": head[1], "start": lines[int(head[2]) : first], "entries": entries, "faults": faults}


def counting(entries):
    """The entries that count, as amended, in the order of their effect."""
    target = {n: int(e["rest"].split()[0]) for n, e in entries.items() if e["word"] in ("amend", "strike", "keep")}
    struck = {}
    for number in sorted(entries, reverse=True):
        strikes = [n for n in struck if entries[n]["word"] == "strike" and target[n] == number]
        struck[number] = not all(struck[n] for n in strikes)
    said = dict(entries)
    for number, entry in entries.items():
        if entry["word"] == "amend" and not struck[number]:
            old, new = said[target[number]], entry["rest"].partition(" ")[2].strip()
            if old["word"] in ("fact", "answer") and new.split()[0].casefold() != old["word"]:
                new = f"{old['word']} {new}"
            word, _, rest = new.partition(" ")
            said[target[number]] = old | {"word": word.casefold(), "rest": rest}
    kept = [entry for number, entry in said.items() if not struck[number] and number not in target]
    return sorted(kept, key=lambda entry: (key_of(entry["turn"]), entry["number"]))


def split(text, sign):
    """The parts of a text between a sign outside quotes."""
    return re.split(rf'{re.escape(sign)}(?=(?:[^"]*"[^"]*")*[^"]*$)', text)


def words_of(text):
    """Words; a name in quotes keeps the first quotation mark."""
    words = [word if word[0] == '"' else word.replace('="', "=") for word in WORD.findall(text)]
    return [word[:-1] if len(word) > 1 and word[-1] == '"' else word for word in words]


class Game:
    """What the files of a game say about words."""

    def __init__(self, folder):
        files = (tomllib.loads((folder / f"{name}.toml").read_text("utf-8")) for name in ("game", "course", "tracks"))
        file, course, self.tracks = files
        hidden = [name for name, track in self.tracks.items() if track["on"] == "unit" and "printed" not in track]
        self.tracks |= {
            "hidden": {"on": "unit", "kind": "choices", "values": hidden},
            "unseen": {"on": "hex", "kind": "text"},
        }
        self.tracks |= {name: {"on": "unit", "kind": "text"} for name in ("invisible", "masked")}
        self.of_units = {name for name, track in self.tracks.items() if track["on"] == "unit"}
        notation, turns = file.get("notation", {}), course.get("turns", {})
        self.brackets, self.identity = notation.get("brackets", []), notation.get("identity", [])
        self.turn, self.arrives = turns.get("track", "turn"), turns.get("arrives", "-")
        self.first = key_of(str(course.get("calendar", {}).get("first") or self.tracks[self.turn].get("least", 1)))
        self.sides = {name: side for side, nations in file.get("sides", {}).items() for name in (side, *nations)}
        self.boxes = {box.casefold(): box for box in file.get("boxes", [])}
        parts = re.split(r"\{\w+:?0?(\w*)\}", file.get("grid", {}).get("format", "{column:02}{row:02}"))
        self.between = parts[::2]
        numbers = ["[A-Za-z]{1,2}" if width == "A" else f"[0-9]{{{width or 1}}}" for width in parts[1::2]]
        before, middle, behind = (f"(?:{re.escape(part)})?" for part in self.between)
        self.hex = re.compile(f"{before}({numbers[0]}){middle}({numbers[1]}){behind}")
        units = {}
        for row in file.get("roster", []):
            for unit in csv.DictReader((folder / row["file"]).read_text("utf-8-sig").splitlines()):
                units[unit["unit"]] = int(unit.get("count") or 1)
        names = [f"{name} ({n})" if n > 1 else name for name, count in units.items() for n in range(1, count + 1)]
        self.roster = {name.casefold(): name for name in names}
        self.forms = []  # kind of subject, bare word, text before and behind the value, name of the track
        for name, track in self.tracks.items():
            flag = track["kind"] == "flag"
            token = track.get("token") or (name if flag else f"{name}={{}}")
            bare = track.get("values", []) if token == "{}" else [token] if flag and "{}" not in token else []
            forms = [f"{word}={{}}" for word in (name, *(bare if flag else ()))] + ([] if bare else [token])
            self.forms += [(track["on"], word.casefold(), "", "", name) for word in bare]
            self.forms += [(track["on"], None, *form.casefold().split("{}"), name) for form in forms]

    def place(self, text):
        if found := self.hex.fullmatch(text):
            return self.between[0] + found[1] + self.between[1] + found[2] + self.between[2]
        return self.boxes[text.casefold()]

    def subject(self, on, text, units=()):
        """The regular name of the subject of a fact."""
        if on == "hexside":
            return "|".join(sorted(self.place(hex.strip()) for hex in text.split("|")))
        if on == "army":
            return next((self.sides[n] + text[len(n) :] for n in self.sides if text.startswith(f"{n} ")), text)
        if on == "unit":
            return next(unit for unit in units if unit.casefold() == text.casefold())
        return self.place(text) if on in ("hex", "box") else text

    def value(self, track, text):
        folded, declared = text.casefold(), self.tracks[track]
        chosen = [word for word in declared.get("values", []) if word.casefold() in folded.split("+")]
        if declared.get("names") in ("hex", "hexes", "stretches"):
            words = text.replace(",", " ").split() if folded != "none" else []
            return " ".join("-".join(self.place(place) for place in word.split("-")) for word in words)
        if declared["kind"] in ("choice", "choices"):
            return chosen[0] if declared["kind"] == "choice" else chosen
        if declared["kind"] in ("flag", "integer"):
            return int(text) if declared["kind"] == "integer" else folded in ("yes", "true")
        return "" if folded == "none" else text

    def fact(self, on, word):
        """The track, the value and the doubt that a word states about a kind of subject, or None."""
        text, folded = word.removesuffix("?"), word.removesuffix("?").casefold()
        for kind, bare, before, behind, name in self.forms if word[:1] != '"' else ():
            value = text[len(before) : len(text) - len(behind)]
            is_value = self.tracks[name]["kind"] != "integer" or "=" in before or NUMBER.fullmatch(value)
            if kind == on and bare == folded:
                return name, self.tracks[name]["kind"] == "flag" or self.value(name, text), text != word
            if kind == on and bare is None and is_value and folded == before + value.casefold() + behind:
                return name, self.value(name, value), text != word
        return None


class Position:
    """Units with place and order, facts with their doubt, the true balances of accounts."""

    def __init__(self, game, units=(), facts=(), balances=(), turn=(), is_start=False):
        self.game, self.units, self.facts, self.balances = game, dict(units), dict(facts), dict(balances)
        self.turn, self.is_start = turn, is_start
        self.new_line()

    def new_line(self):
        self.stated, self.opened, self.old, self.left = set(), set(), {}, {}

    def stack(self, place):
        found = [unit for unit, (where, _) in self.units.items() if where == place]
        return sorted(found, key=lambda unit: self.units[unit][1])

    def put(self, unit, place, order=0):
        self.left.setdefault(unit, self.units.pop(unit, ("", 0))[0])
        self.units[unit] = place, order

    def set(self, key, value, doubt=False):
        self.old.setdefault(key, self.facts.get(key))
        self.facts.pop(key, None) if value is None else self.facts.update({key: (value, doubt)})

    def now(self, track, subject):
        return self.facts.get((track, subject), (self.game.tracks[track].get("absent"),))[0]

    def state(self, on, subject, words, but=()):
        """State facts, except those of some keys; return the keys of all."""
        tracks, brackets = self.game.tracks, [word.strip("()").split("-") for word in words if word[0] == "("]
        rated = [pair for values in brackets for pair in zip(self.game.brackets, values, strict=True)]
        words = [word for word in words if word[0] != "("] + [f"{name}={v}" for name, v in rated if v != "?"]
        facts = [self.game.fact(on, word) for word in words]
        for track, value, doubt in (fact for fact in facts if (fact[0], subject) not in but):
            key, declared = (track, subject), tracks[track]
            if not self.is_start and declared.get("module", {}).get("flips") and value != self.now(*key):
                rated = {name for name in self.game.brackets if "back" in tracks[name]}
                ending = {name for name in rated if (tracks[name]["back"], subject) not in self.facts}
                ending |= {name for name in self.game.of_units if tracks[name].get("below") in rated}
                for ended in {(name, subject) for name in ending} - self.stated:
                    self.set(ended, None)
            if declared["kind"] == "choices" and key in self.stated:
                value = [word for word in declared["values"] if word in self.facts[key][0] + value]
            self.set(key, value, doubt)
            self.stated.add(key)
        return {(track, subject) for track, _, _ in facts}

    def read(self, line):
        """Read a line of notation."""
        game, text = self.game, split(line, "#")[0].replace("\t", " ").strip()
        first, _, rest = text.partition(" ")
        if not text or first in SILENT:
            return
        if first in ("side", "nation", "army"):
            name, *words = words_of(rest)
            return self.state(first, game.subject(first, name.strip('"')), words)
        for copy in re.findall(r'[^\s",(]+ \([0-9]+\)', text):  # one name if there are several counters of it
            text = text.replace(copy, f'"{copy}"') if copy.casefold() in game.roster else text
        before, *units = split(f"{text} ", ": ")
        words, units = words_of(before), split(": ".join(units), ",") if units else None
        names, facts, name = words[:1], words[1:], words[0].strip('"')
        while units is None and facts[:1] == [","]:
            names, facts = [*names, facts[1]], facts[2:]
        known = next((unit for unit in self.units if unit.casefold() == name.casefold()), None)
        arrives = any(word.startswith(f"{game.arrives}=") for word in facts)
        if "|" in name:
            here = ""
            for side in (name.replace(" ", "") for name in names):
                here = side.split("|")[0] if "|" in side else here
                self.state("hexside", game.subject("hexside", f"{here}|{side.split('|')[-1]}"), facts)
        elif name == "off-map" and units is not None:
            self.place_units(None, units)
        elif units is None and facts and facts[0][0] == facts[0][-1] == "-":
            self.read_chain([word for word in words if word != ","])
        elif units is None and (known or arrives or (not self.is_start and name in game.roster.values())):
            unit = known or game.roster.get(name.casefold(), name)
            self.put(unit, *self.units.get(unit, (None, 0)))
            self.state("unit", unit, facts)
        elif game.fact("game", words[0]):
            self.state("game", "", words)
        else:
            known = [(word, game.fact("unit", word)) for word in facts if not game.fact("hex", word)]
            of_units = [word for word, fact in known if fact and fact[0] not in game.identity]
            for place in (game.place(name.strip('"')) for name in names):
                self.state("hex", place, [word for word in facts if word not in of_units])
                above = self.stack(place) if units is not None and (self.is_start or place in self.opened) else []
                own = self.place_units(place, units) if units is not None else ()
                for unit in self.stack(place)[len(above) :]:
                    self.state("unit", unit, of_units, own)

    def place_units(self, place, units):
        """Place units in a stack or off the map, and return the keys of the facts that their own words state."""
        for unit in self.stack(place) if not self.is_start and place and place not in self.opened else ():
            self.put(unit, None)
        self.opened.add(place)
        keys = set()
        for order, part in enumerate(filter(None, map(words_of, units)), len(self.stack(place))):
            at = next(at for at, word in enumerate(part) if not self.game.fact("unit", word))
            known = self.game.roster | {unit.casefold(): unit for unit in self.units}
            unit = known.get(part[at].strip('"').casefold(), part[at].strip('"'))
            self.put(unit, place, order)
            keys |= self.state("unit", unit, part[:at] + part[at + 1 :])
        return keys

    def read_chain(self, words):
        here, between = "", []
        for word in words:
            if word[0] == word[-1] == "-":
                between.append(word[1:-1])
            elif here and not between and self.game.fact("hex", word):
                self.state("hex", here, [word])
            else:
                before, here = here, self.game.place(word)
                if between:
                    self.state("hexside", self.game.subject("hexside", f"{before}|{here}"), between)
                between = []

    def begin_turn(self, turn):
        if key_of(turn) <= self.turn:
            return
        before, self.turn = max(self.turn, self.game.first), key_of(turn)
        self.new_line()
        self.set((self.game.turn, ""), int(turn) if self.game.tracks[self.game.turn]["kind"] == "integer" else turn)
        if self.turn != before:
            self.end_facts()

    def end_facts(self):
        changed = [key for key, old in self.old.items() if not key[1] and self.facts.get(key, old) != old]
        new = {end for key in changed for end in (key[0], f"{key[0]}={self.facts[key][0]}")}
        ending = [name for name, track in self.game.tracks.items() if new.intersection(track.get("ends_with", ()))]
        for key in [key for key in self.facts if key[0] in ending and key not in self.stated | {*self.old}]:
            del self.facts[key]

    def carry_out(self, word, rest):
        self.new_line()
        changes = []
        if word == "fact":
            self.read(rest)
            for place in self.opened:
                self.facts.pop(("unseen", place), None)
        elif word == "answer":
            changes = [re.findall(r'"(?:[^"]|"")*"|\S+', part) for part in split([*split(rest, "|"), "", ""][2], ";")]
            for words in filter(None, changes):
                self.change(words)
        self.post([words for words in changes if words])
        self.end_facts()
        for track, unit in [*self.facts] if word == "fact" else ():
            has_left = self.left.get(unit) and self.units.get(unit, ("", 0))[0] != self.left[unit]
            if has_left and self.game.tracks[track].get("ends_on_leaving") and (track, unit) not in self.stated:
                del self.facts[track, unit]

    def change(self, words):
        plain = [word[1:-1].replace('""', '"') if word[0] == '"' else "" if word == "-" else word for word in words]
        track, on = plain[0], self.game.tracks.get(plain[0], {"on": "unit"})["on"]
        unit = plain[1] if track == "enter" else self.game.subject(on, plain[1], self.units)
        match track:
            case "enter":
                place, order = self.game.place(plain[3]) if plain[3] else None, int(plain[4])
                for other in self.stack(place) if place else ():
                    self.units[other] = place, self.units[other][1] + (self.units[other][1] >= order)
                self.put(unit, place, order)
            case "leave":
                self.put(unit, None)
                del self.units[unit]
                for key in [key for key in self.facts if key[1] == unit and key[0] in self.game.of_units]:
                    del self.facts[key]
            case "place":
                place = self.game.place(plain[4]) if plain[4] else None
                bottom = max((self.units[other][1] for other in self.stack(place)), default=-1) + 1
                self.put(unit, place, bottom if place and plain[2] != plain[4] else self.units[unit][1])
            case "order":
                self.put(unit, self.units[unit][0], int(plain[4]))
            case _:
                number = self.now(track, unit) or 0
                if words[3] != "->":
                    by = number + int(words[2] + words[3]) if words[2] in "+-" else max(number, int(words[3]))
                    self.set((track, unit), by, self.facts.get((track, unit), (0, False))[1])
                else:
                    new = self.game.value(track, plain[4]) if words[4] != "-" else None
                    self.set((track, unit), "none" if words[4] == '"none"' else new)

    def post(self, changes):
        """Note the true balances of the accounts that the entry has changed."""
        for key, old in self.old.items():
            track = self.game.tracks[key[0]]
            if track["kind"] != "integer" or track.get("names") or track["on"] not in ("nation", "side", "game"):
                continue
            own = [words for words in changes if words[0] == key[0] and words[1].strip('"-') == key[1]]
            balance = self.now(*key) or 0
            if own and all(words[2] in "+-" and words[3] != "->" for words in own):
                before = self.balances.get(key, old[0] if old else track.get("absent") or 0)
                balance = before + sum(int(words[2] + words[3]) for words in own)
            self.balances[key] = balance
            if key in self.facts:
                self.facts[key] = max(balance, track.get("least", balance)), self.facts[key][1]


def history(data, folder):
    """The file as read, and what stands where after each entry that counts."""
    file, game = read_file(data), Game(Path(folder))
    position = Position(game, is_start=True)
    for line in file["start"]:
        named = Path(folder) / "setups" / f"{line.removeprefix('setup ').strip()}.pos"
        for row in named.read_text("utf-8").splitlines() if line.startswith("setup ") else [line]:
            if not row.startswith(("game ", "ask ", "answers ", "seen by ")):
                position.read(row)
    known = position.facts.get((game.turn, ""))
    position = Position(game, position.units, position.facts, (), key_of(str(known[0])) if known else ())
    after = {}
    for entry in counting(file["entries"]):
        position.begin_turn(entry["turn"])
        before = Position(game, position.units, position.facts, position.balances, position.turn)
        try:
            position.carry_out(entry["word"], entry["rest"])
        except (ValueError, LookupError, TypeError, StopIteration) as fault:
            position = before
            file["faults"].append(f"entry {entry['number']} cannot take effect: {fault!r}")
        places = {place: position.stack(place) for place, _ in position.units.values()}
        facts = {f"{track} {subject}".strip(): fact[0] for (track, subject), fact in position.facts.items()}
        after[entry["number"]] = {"off map": places.pop(None, []), "places": places, "facts": facts}
    return file, after


if __name__ == "__main__":
    read, stands = history(Path(sys.argv[1]).read_bytes(), sys.argv[2])
    print(json.dumps(read | {"after": stands}, ensure_ascii=False, indent=1))
