"""Input that is well formed: lines of notation, lines typed at the table, JSON from the published schema. Some of it is extreme."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from assistant.asking.asks import Ask
from assistant.faces.prompt.commands import COMMANDS
from assistant.formats.json_state import position_schema
from assistant.game.games import Game
from assistant.installed.registry import questions_of
from assistant.state.state import Unit
from assistant.state.tracks import Source
from assistant.state.words import STATEMENTS

from .mutations import NUMBERS, ODD

LONG = (
    "9" * 5000,
    "x" * 4000,
    "é" * 500,
    "\u00b2",
    "\uff11\uff19",
    "\U0001d7d9",
    "\u202etxt",
    "a b",
    "",
    "-",
    "?",
    "=",
    "<",
    "none",
    "[" * 200,
)


class Words:
    """The words of a game from which input is put together."""

    def __init__(self, game: Game) -> None:
        self.game = game
        board = game.board("")
        grid, middle = board.grid, board.grid.name(board.grid.middle)
        near = [middle, *board.neighbours(middle)]
        named = [place for name in game.board_names for place in sorted(game.board(name).hexes)[:20]]
        self.hexes = [*near, *near, *named, grid.name(grid.middle._replace(row=grid.rows[1])), *board.boxes]
        self.units = [*list(game.roster)[:30], "9/99", "Nobody"]
        words = game.vocabulary
        self.said = {on: words.known(on) for on in ("unit", "hex", "hexside", "box", "army", "nation", "side", "game")}  # type: ignore[arg-type]
        self.of_side: dict[str, list[str]] = {}
        for name in game.roster:
            self.of_side.setdefault(game.side_of_unit(Unit(name, name, None), {}), []).append(name)
        self.questions = {
            name: [field.encode_name.replace("_", "-") for field in msgspec.structs.fields(question.parameters)]
            for name, question in questions_of(game).items()
        }
        self.answers = [name for question in questions_of(game).values() for name in question.answers or ()]
        self.nations = sum(game.file.sides.values(), ())

    def fact(self, on: str, random: Random) -> str:
        """A word that may state a fact about a kind of subject; mostly one that is allowed."""
        tracks = [track for track in self.game.tracks.values() if track.on == on]
        if not tracks or random.random() < 0.1:
            return random.choice([*(self.said.get(on) or ["x"]), *NUMBERS])
        track = random.choice(tracks)
        allowed = [track.write(value) for value in track.in_turn(12)] or [*track.values] or ["1", "7", "12", "none"]
        value = random.choice(allowed) if random.random() < 0.9 else random.choice(NUMBERS)
        said = f"{track.name}={value}" if random.random() < 0.5 else track.written.replace("{}", value)
        return said + random.choice(["", "", "", "?"])

    def named(self, random: Random, side: str = "") -> str:
        """The name of a unit, of a side if it is given, as it is typed."""
        name = random.choice(self.of_side.get(side) or self.units) if random.random() < 0.97 else random.choice(LONG)
        return f'"{name}"' if " " in name or random.random() < 0.1 else name

    def unit(self, random: Random, side: str = "") -> str:
        """A unit as it is typed, with ratings and facts."""
        ratings = "-".join(random.choice(("5", "12", "?", "", "8", "9")) for _ in self.game.file.notation.brackets)
        parts = [self.named(random, side)]
        parts += [random.choice((f"({ratings})", ratings, "="))] * (random.random() < 0.4)
        return " ".join(parts + [self.fact("unit", random) for _ in range(random.choice((0, 0, 0, 1)))])

    def hex(self, random: Random) -> str:
        """A hex, mostly on the map."""
        return random.choice(self.hexes) if random.random() < 0.95 else random.choice(LONG)

    def asked(self, random: Random) -> str:
        """A question with parameters."""
        name = random.choice(list(self.questions))
        values = (
            self.hex(random),
            random.choice(self.units),
            f"{self.hex(random)},{self.hex(random)}",
            random.choice(NUMBERS),
        )
        given = [f"{one}={random.choice(values)}" for one in self.questions[name] if random.random() < 0.6]
        return " ".join([name, *given])

    def combat(self, random: Random) -> str:
        """A combat on one line: mostly a hex, an enemy in it, and units of the other side next to it."""
        board = self.game.board("")
        target = random.choice([place for place in self.hexes if board.is_hex(place)])
        sides = [*self.of_side] * 2
        first = random.randrange(len(self.of_side))
        terrain = self.game.tracks.get("terrain")
        ground = (terrain.values[0][: random.choice((1, 3, 9))] if terrain and terrain.values else "") * (
            random.random() < 0.5
        )
        behind = [
            f"{place.replace('.', '')} {self.unit(random, sides[first + 1])}" for place in board.neighbours(target)
        ]
        random.shuffle(behind)
        mine = " ".join(self.unit(random, sides[first]) for _ in range(random.choice((1, 1, 2))))
        head = f"{target.replace('.', '')}{ground} {mine}" if random.random() < 0.8 else ""
        return f"{head} < {' '.join(behind[: random.choice((1, 1, 2, 3))])}"

    def statement(self, random: Random) -> str:
        """A line of position notation."""
        here, there = self.hex(random), self.hex(random)
        match random.randrange(10):
            case 0 | 1 | 2:
                units = ", ".join(self.unit(random) for _ in range(random.choice((1, 1, 2, 3, 8))))
                said = (self.fact(random.choice(("hex", "hex", "unit")), random) for _ in range(random.randrange(2)))
                return " ".join([here, *said]) + f": {units}"
            case 3:
                return f"{here} {self.fact('hex', random)} {self.fact(random.choice(('hex', 'unit')), random)}"
            case 4:
                return f"{here}|{there} {self.fact('hexside', random)}"
            case 5:
                return self.fact("game", random)
            case 6:
                on = random.choice(("side", "nation", "army"))
                name = random.choice([*self.game.file.sides, *self.nations, "x"])
                return f'{on} "{name}{" First" * (on == "army")}" {self.fact(on, random)}'
            case 7:
                return f"ask {self.asked(random)}"
            case 8:
                dice = ("7", "2+5", "3/4", "1", *NUMBERS)
                return "answers " + " ".join(
                    f"{random.choice(self.answers or ['x'])}={random.choice(dice)}" for _ in range(2)
                )
            case _:
                rest = [
                    random.choice((here, self.unit(random), *self.game.charts, *map(str, Source), *NUMBERS))
                    for _ in range(4)
                ]
                return " ".join([random.choice(STATEMENTS), *rest])

    def position(self, random: Random) -> str:
        """A position in notation."""
        lines = [self.statement(random) for _ in range(random.choice((1, 3, 8, 20)))]
        return "\n".join([f"game {self.game.id}", *lines]) + "\n"

    def typed(self, pending: Ask | None, random: Random) -> str:
        """A line typed at the table."""
        line = self._typed(pending, random)
        if random.random() < 0.06:
            at = random.randrange(len(line) + 1)
            line = line[:at] + random.choice((*ODD, *NUMBERS, *LONG)) + line[at + random.randrange(3) :]
        return line

    def _typed(self, pending: Ask | None, random: Random) -> str:
        bare = [random.choice(self.hexes).replace(".", "") for _ in range(4)]
        units = [self.unit(random) for _ in range(4)]
        match random.randrange(12):
            case 0 | 1 | 2:
                return self.combat(random)
            case 3:
                return f"{random.choice('-+')}{self.named(random)}"
            case 4:
                return f"{bare[0]} {units[0]} {units[1]}"
            case 5:
                return f"?{random.choice(('1', '2', '5', '', *NUMBERS, *LONG))} {random.choice(('', '', self.fact('hex', random)))}"
            case 6:
                return random.choice(
                    [
                        *COMMANDS,
                        *("h", "u", "save x.pos", "save ../y", "save \0", "picture x.svg", "picture y.png always"),
                        *(
                            "picture ../y",
                            "picture off",
                            "back",
                            f"help {units[0]}",
                            f"help {self.fact('hex', random)}",
                        ),
                    ]
                )
            case 7:
                return self.asked(random)
            case 8:
                return self.statement(random)
            case 9:
                return f"{self.named(random)} {self.fact('unit', random)}"
            case _ if pending and pending.kind == "roll" and random.random() < 0.8:
                return random.choice(("2", "3", "4", "5", "6", "7", "2+5", "3 4 5", "1", "6 6 6 6"))
            case _ if pending and pending.options:
                return random.choice([*pending.options, "1", "2", *NUMBERS])
            case _:
                return random.choice(
                    ("7", "2+5", "3 4 5", "6/6", "1", "+1 / -", "- / -2", "yes", "clear", *NUMBERS, *LONG)
                )


def from_schema(words: Words, random: Random) -> bytes:
    """A position in JSON that has the published shape; a few of its values are extreme."""
    found = position_schema(words.game)
    tracks = {track.name: track.schema() for track in words.game.tracks.values()}

    def text() -> str:
        return random.choice(
            (words.hex(random), random.choice(words.units), random.choice([*words.game.tracks, *words.game.charts]))
        )

    def made(of: dict[str, Any], depth: int = 0, name: str = "") -> Any:
        if random.random() < 0.02:
            return random.choice((None, True, 10**18, -1, 0.5, "", [], {}, *LONG, *NUMBERS))
        if "$ref" in of:
            return made(found["$defs"][of["$ref"].rpartition("/")[2]], depth, name)
        if "const" in of or "enum" in of:
            return random.choice(of.get("enum") or [of["const"]])
        if "anyOf" in of:
            return made(random.choice(of["anyOf"]), depth + 1, name)
        match of.get("type"):
            case "object":
                parts = of.get("properties", {})
                made_of = {
                    key: made(part, depth + 1, key)
                    for key, part in parts.items()
                    if key in of.get("required", ()) or random.random() < 0.4
                }
                if str(made_of.get("track")) in tracks and random.random() < 0.9:
                    made_of["value"] = made(tracks[str(made_of["track"])], depth + 1)
                if isinstance(more := of.get("additionalProperties"), dict) and depth < 8:
                    made_of |= {text(): made(more, depth + 1) for _ in range(random.randrange(3))}
                return made_of
            case "array":
                each: Sequence[Any] = of.get("prefixItems", ())
                listed = [made(part, depth + 1) for part in each]
                items = of.get("items")
                count = random.choice((0, 1, 2, 5)) if depth < 8 and isinstance(items, dict) else 0
                return listed + [made(items, depth + 1) for _ in range(count)]  # type: ignore[arg-type]
            case "integer":
                return random.randint(of.get("minimum", -2), of.get("maximum", 20)) if random.random() < 0.9 else 10**9
            case "boolean":
                return random.random() < 0.5
            case "number":
                return random.choice((0.5, 1e300))
            case "null":
                return None
            case _:
                return words.game.id if name == "game" else "" if name == "board" else text()

    return json.dumps(made({"$ref": found["$ref"]} if "$ref" in found else found)).encode()
