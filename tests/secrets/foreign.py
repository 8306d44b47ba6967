"""Pairs of saves and logs of a module that nobody has adopted, which differ only in what is hidden from a side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from assistant.formats.vassal.containers import ModuleData, write_container, write_module_data
from assistant.formats.vassal.pieces import NOWHERE, Piece, PieceStack, write_deck_type
from assistant.formats.vassal.saves import Save, write_save
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait

from .run import make_search
from .telling import LIMITS, Told, lay_out, tell

ABOUT = ModuleData("Some Game", "1.0", "3.7.0")
_BUILD = "VASSAL.build.module."
_LAND = f'<{_BUILD}map.BoardPicker><{_BUILD}map.boardPicker.Board name="Land" width="600" height="400"/></{_BUILD}map.BoardPicker>'
BUILD = (
    f"<VASSAL.build.GameModule><{_BUILD}PlayerRoster><entry>Red</entry><entry>Blue</entry></{_BUILD}PlayerRoster>"
    f'<{_BUILD}Map mapName="Field">{_LAND}</{_BUILD}Map>'
    f'<{_BUILD}PrivateMap mapName="Plans" side="Red" visible="false">{_LAND}</{_BUILD}PrivateMap>'
    f'<{_BUILD}PlayerHand mapName="Hand" side="Red" visible="false">{_LAND}</{_BUILD}PlayerHand>'
    f'<{_BUILD}PrivateMap mapName="Ours" side="Blue" visible="false">{_LAND}</{_BUILD}PrivateMap></VASSAL.build.GameModule>'
)
PLAYERS = (("red-password", "Ann", "Red"), ("blue-password", "Bob", "Blue"))
STEPS = LayerTrait("Steps", ("a.png", "b.png"), ("", "+ (reduced)")).type
SHOWN = 4  # cards of a deck that are drawn at most


class Known(NamedTuple):
    """What the side sees of both: pieces by their stack, whether each is masked from it, single pieces, how many cards a deck seems to
    have."""

    stacks: tuple[tuple[str, tuple[int, int], tuple[tuple[Piece, bool], ...]], ...]
    single: tuple[Piece, ...]
    cards: int
    turn: str


class Pair(NamedTuple):
    """Two files that differ only in what a side may not know, and what is asked of both."""

    ending: str
    files: tuple[bytes, bytes]
    commands: tuple[tuple[str, ...], ...]
    limits: dict[str, str]


def _piece(id: str, name: str, at: tuple[int, int], map: str, *traits: Trait) -> Piece:
    return Piece(id, (*traits, Trait(f"piece;;;{name}.png;{name}")), map, at, f"slot of {name}")


def _known(random: Random) -> Known:
    stacks = []
    ids = iter(range(1, 100))
    for _ in range(random.randrange(1, 6)):
        map, at = random.choice(["Field", "Field", "Ours"]), (random.randrange(6) * 100, random.randrange(4) * 100)
        if any((map, at) == place[:2] for place in stacks):
            continue
        pieces = []
        for _ in range(random.randrange(1, 5)):
            traits = [
                Trait("mark;Strength", str(random.randrange(9))),
                Trait("calcProp;Doubled;{Strength * 2 + Weather};x", ""),
                Trait(STEPS, str(random.choice([1, 2]))),
                Trait(LabelTrait("note", "").type, random.choice(["", "$Strength$", "tired"])),
                Trait("markmoved;x", random.choice(["true", "false"])),
            ]
            masked = random.random() < 0.4
            pieces.append((_piece(str(next(ids)), random.choice(["Guards", "Line"]), at, map, *traits), masked))
        stacks.append((map, at, tuple(pieces)))
    single = [
        _piece(random.choice([NOWHERE, f"9{number}"]), "Scouts", (550, 100 * number), "Field")
        for number in range(random.randrange(4))
    ]
    return Known(tuple(stacks), tuple(single), random.randrange(6), f"{random.randrange(9)}|1")


class _Filled:
    """What a side sees, filled up with what it does not see."""

    def __init__(self, random: Random, known: Known) -> None:
        self.random, self.known = random, known
        self.ids = iter(random.sample(range(1000, 9000), 400))
        self.pieces: list[Piece] = []
        self.stacks: list[PieceStack] = []
        self.kinds = Counter[str]()

    def id(self) -> str:
        return str(next(self.ids))

    def some(self, kind: str, most: int) -> range:
        number = self.random.randrange(most)
        self.kinds[kind] += number
        return range(number)

    def secret(self, at: tuple[int, int], map: str, *traits: Trait) -> Piece:
        name = self.random.choice(["Tanks", "Dummy", "Leader"])
        strength = Trait("mark;Strength", str(self.random.randrange(9)))
        found = _piece(self.random.choice([self.id(), self.id(), NOWHERE]), name, at, map, *traits, strength)
        self.pieces.append(found)
        return found

    def cover(self, kind: str) -> Trait:
        owner, access = self.random.choice(
            [("red-password", "player:"), ("Red", "side:"), ("Red", "sides:Red:Green"), ("nobody", "player:")]
        )
        if kind == "obs":
            return Trait(f"obs;77,130;back.png;Mask;GBack.png;Hidden;{access};Peek;;false;;", f"{owner};|0")
        return Trait(f"hide;73,130;Hide;255,255,255;{access};0.3;;false", owner)

    def save(self, ending: str) -> bytes:
        """The file, in an order that depends on what is hidden."""
        for map, at, pieces in self.known.stacks:
            stack: list[str] = []
            for piece, masked in pieces:
                self.ghosts(stack, at, map)
                if masked:
                    self.kinds["pieces face down"] += 1
                    stack.append(self.in_stack(self.secret(at, map, self.cover("obs"))))
                else:
                    self.pieces.append(piece)
                    stack.append(self.in_stack(piece))
            self.ghosts(stack, at, map)
            self.stacks.append(PieceStack(self.id(), tuple(stack), map, at))
        self.pieces += self.known.single
        for _ in self.some("pieces out of sight", 4):
            self.secret((self.random.randrange(600), 10), "Field", self.cover("hide"))
        for _ in self.some("pieces in private windows and off the map", 8):
            self.secret((self.random.randrange(600), 20), self.random.choice(["Plans", "Hand", "Nowhere", ""]))
        for _ in self.some("pieces with a trait that is not known", 3):
            self.secret((self.random.randrange(600), 30), "Field", Trait("conceal;x", "Red"))
        self.deck()
        steps = tuple(self.step() for _ in self.some("steps of the log", 6)) if ending == ".vlog" else ()
        self.random.shuffle(self.pieces)
        self.random.shuffle(self.stacks)
        unread = tuple(f"SECRET\t{self.id()}" for _ in self.some("commands that are not understood", 3))
        whole = Save(
            about=ABOUT,
            boards={"Field": (("Land", 0, 0),), "Plans": (("Land", 0, 0),)},
            pieces={f"{number}": piece for number, piece in enumerate(self.pieces)},
            stacks={stack.id: stack for stack in self.stacks},
            notes=self.random.choice(["", "attack at dawn"]),
            properties={
                ("Module", "Weather"): str(self.random.randrange(5)),
                ("Hand", "Size"): str(self.random.randrange(9)),
            },
            turns={"Turn": self.known.turn},
            players=PLAYERS,
            unread=unread,
            steps=steps,
        )
        return write_save(whole)

    def in_stack(self, piece: Piece) -> str:
        """The id under which a stack names a piece. One without an id gets one, for only single pieces can do without."""
        if piece.id == NOWHERE:
            where = self.pieces.index(piece)
            self.pieces[where] = piece._replace(id=self.id())
            return self.pieces[where].id
        return piece.id

    def ghosts(self, stack: list[str], at: tuple[int, int], map: str) -> None:
        for _ in self.some("pieces out of sight", 2):
            stack.append(self.in_stack(self.secret(at, map, self.cover("hide"))))

    def deck(self) -> None:
        number = self.known.cards if self.known.cards < SHOWN else SHOWN + self.random.randrange(3)
        self.kinds["cards face down"] += number
        cards = tuple(self.in_stack(self.secret((500, 300), "Field")) for _ in range(number))
        events = write_deck_type("Events", picked=self.random.random() < 0.5, shows=str(SHOWN), owners=None)
        self.stacks.append(PieceStack(self.id(), cards, "Field", (500, 300), None, events, True))

    def step(self) -> str:
        """A step of the log that only the other side sees."""
        hidden = [piece.id for piece in self.pieces if piece.map in ("Plans", "Hand", "") and piece.id != NOWHERE]
        if not hidden:
            return "CHATred thinks"
        return f"M/{self.random.choice(hidden)}/Plans/{self.random.randrange(600)}/40/null/Plans/1/1/null/red-password"


def pair(number: int, seed: int) -> tuple[Pair, Counter[str]]:
    """A pair by its number, the same in any run with this seed, and how much is hidden in its first file."""
    random = Random(f"{seed} {number}")
    known, ending = _known(random), random.choice([".vsav", ".vlog"])
    filled = [_Filled(Random(f"{seed} {number} {one}"), known) for one in "ab"]
    one, other = (one.save(ending) for one in filled)
    limits = {}
    if random.random() < 0.3:
        name, most = random.choice(LIMITS)
        limits = {f"FIELD_STAFF_LIMIT_{name}": str(random.choice(most))}
    side = random.choice([*["Blue"] * 6, *["Bob"] * 2, "bleu"])
    modules = ("--module", "SOME_VMOD") if random.random() < 0.9 else ()
    commands = random.sample(_COMMANDS, 4)
    asked = tuple((*command, *modules, "--as", side) for command in commands)
    return Pair(ending, (one, other), asked, limits), filled[0].kinds


_COMMANDS: list[tuple[str, ...]] = [
    ("check", "FILE"),
    ("check", "FILE", "--json"),
    ("check", "-"),
    ("convert", "FILE"),
    ("check", "FILE", "--picture", "OUT.svg"),
    ("check", "FILE", "--picture", "OUT.png"),
    ("compare", "FIRST", "FILE"),
    ("compare", "FILE", "FIRST", "--json"),
    ("compare", "FIRST", "FILE", "--forum"),
    ("battle", "FILE"),
]


def told(found: Pair, which: int, folder: Path) -> list[Told]:
    """All that the side is told of one of a pair. folder: is emptied for each command."""
    return [_told(found, which, command, folder) for command in found.commands]


def _told(found: Pair, which: int, command: tuple[str, ...], folder: Path) -> Told:
    module = write_container({"buildFile.xml": BUILD.encode(), "moduledata": write_module_data(ABOUT)})
    words, typed = lay_out(found, which, command, folder, SOME_VMOD=module)
    if command[0] == "battle" and "--module" in words:
        words = [*words[: words.index("--module")], *words[words.index("--as") :]]
    return tell(words, folder, typed, found.limits)


SEARCH = make_search("secrets-foreign", pair, told, "Secrets in modules of others")
