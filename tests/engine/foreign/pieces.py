"""Pieces as other modules have them, made up at random: traits that name, show and carry things, in any order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.traits import Trait

PICTURE = "pawn.png"
#: Properties that markers and dynamic properties of the pieces carry.
NAMES = ("Strength", "Kind", "Army", "Level")
#: Texts as players and authors write them.
TEXTS = ("", "x", "3", "-2", "1 gd/XX; a,b", "Łódź", "'so'", "a/b", "2+1")

#: A layer that players turn on and off, with two levels.
LAYER = (
    "emb2;Show;130;A;Up;130;;Down;130;;Reset;;1;false;0;0;pawn.png,pawn.png;,+ (reduced);true;Steps;;;"
    "false;;1;1;false;65,130;85,130;68,195;;1.0"
)


def piece(dice: Random, id: str, map: str, at: tuple[int, int]) -> Piece:
    """A piece with up to nine traits, some of which name or follow properties; the innermost sees to it that it has all of them."""
    traits = [dice.choice(TRAITS)(dice) for _ in range(dice.randint(0, 9))]
    if dice.random() < 0.2:
        traits.insert(dice.randint(0, len(traits)), cover(dice))
    basic = Trait(join(["piece", "", "", PICTURE, dice.choice(["Pawn", "29/20", "1 R; a", "'Garde'", "A+B"])], ";"))
    all_names = Trait(join(["mark", join(NAMES, ",")], ";"), join([dice.choice(TEXTS) for _ in NAMES], ","))
    return Piece(id, (*traits, all_names, basic), map, at, str(dice.randint(1, 9)))


def layer(dice: Random) -> Trait:
    """A layer: its levels named or not, always active or not, chosen by players or by a property."""
    count = dice.randint(1, 4)
    names = [dice.choice(["", "", "+ (low)", "Old +", "Full", "++ -1", "a\\+b", "+"]) for _ in range(count)]
    follows, first = dice.choice(["", "", "", *NAMES]), dice.randint(-1, 2)
    always = dice.random() < 0.6
    parts = ["emb2", "Show", "130", "" if always else "A", "Up", "130", "", "Down", "130", "", "Reset", "", "1"]
    parts += ["false", str(dice.randint(-9, 9)), "0", join([PICTURE] * count, ","), join(names, ",")]
    parts += ["true", dice.choice(["", "Steps", "Status"]), "", ""]
    parts += [_flag(bool(follows)), follows, str(first), "1", _flag(always), "", "85,130", "68,130", "", "1.0"]
    level = dice.randint(1, count) * (1 if always else dice.choice([1, -1]))
    return Trait(join(parts, ";"), str(level))


def old_layer(dice: Random) -> Trait:
    """A layer as old engines wrote it: it ends with its name."""
    parts = ["emb2", "", "2", dice.choice(["", "A"]), "Up", "2", "U", "Down", "2", "D", "", "", "", "false", "0", "0"]
    parts += [join([PICTURE, PICTURE], ","), join(["", "+ (-1)"], ","), "true", "Old"]
    return Trait(join(parts, ";"), dice.choice(["1", "2", "-1"]))


def marker(dice: Random) -> Trait:
    names = dice.sample(NAMES, dice.randint(1, 2))
    return Trait(join(["mark", join(names, ",")], ";"), join([dice.choice(TEXTS) for _ in names], ","))


def dynamic(dice: Random) -> Trait:
    limits = dice.choice(["true,0,9,false", "false,0,100,false", "true,-5,5,true"])
    return Trait(f"PROP;{dice.choice(NAMES)};{limits};Less:76\\,130:I\\,-1,Set:83\\,130:P\\,7;", dice.choice(TEXTS))


def text(dice: Random) -> Trait:
    """A text label: how it is written into the piece's name, and what players typed."""
    written = dice.choice(
        [
            "$pieceName$ ($label$)",
            "$pieceName$ ($label$)",
            "$label$",
            "$pieceName$",
            "",
            "[$label$] $pieceName$",
            "$Kind$: $label$",
        ]
    )
    parts = ["label", "87,130", "Write", "10", "255,255,255", "0,0,0", "b", "0", "c", "0", "t", "c", written]
    parts += ["Dialog", "1", "0", dice.choice(["TextLabel", "Remark"]), "a remark", "false"]
    said = dice.choice([*TEXTS, "$Strength$", "$Kind$ of $Army$", "05"])
    return Trait(join(parts[: dice.choice([13, len(parts), len(parts)])], ";"), said)


def facing(dice: Random) -> Trait:
    """A piece that turns by sixths, or freely."""
    if dice.random() < 0.5:
        return Trait("rotate;6;93,130;91,130;Right;Left;;;Facing;;;;true", str(dice.randrange(6)))
    return Trait("rotate;1;82,130;Turn;;;Facing", str(dice.choice([0.0, 45.0, -90.0])))


def cover(dice: Random) -> Trait:
    """A mask, or what makes a piece invisible, put on by the player who looks or by nobody."""
    if dice.random() < 0.5:
        return Trait("obs;70,130;pawn.png;Mask;I;Hidden unit;side:;Peek;;false;;", dice.choice(["null;", "Red;|0"]))
    return Trait("hide;73,130;Hide;;player:;0.5;;false", dice.choice(["null", "Tester"]))


def called(dice: Random) -> Trait:
    """What the piece is called instead of the name of its basic piece: text as it stands, even where it looks like an expression."""
    return Trait(join(["basicName", dice.choice(["V Corps", "a/b; c", '{"V"}', "$Kind$", ""]), "called"], ";"))


def as_newer(piece: Piece) -> Piece:
    """A piece as the newest engines write it: with an id of its own, and one field more in each layer."""
    traits = tuple(Trait(f"{one.type};;true", one.state) if one.type.endswith(";1.0") else one for one in piece.traits)
    return piece._replace(traits=traits, properties=(("UniqueID", piece.id),))


def message(dice: Random) -> Trait:
    """A text that may be translated, as a property."""
    return Trait(join(["locmsg", dice.choice(NAMES), "a message", dice.choice(TEXTS)], ";"))


def _plain(*found: tuple[str, str]) -> Callable[[Random], Trait]:
    """One of some traits that do not show in a name."""
    return lambda dice: Trait(*dice.choice(found))


inert = _plain(
    ("delete;Delete;68,130;", ""),
    ("clone;Clone;67,130;", ""),
    ("immob;g;N;L;", ""),
    ("submenu;More;Up,Down;", ""),
    ("markmoved;pawn.png;0;0;Mark moved;77,130;;true;;;;;", "true"),
    ("markmoved;pawn.png;0;0;Mark moved;77,130;;true;;;;;", "false"),
    ("macro;Both;Both;66,130;;;85\\,130,68\\,130;false;;;counted;;;1;false;;1;1", ""),
    ("restrict;Red;false;true;", ""),
    ("hideCmd;None;Disable;{Strength==0};85\\,130", ""),
    ("report;85\\,130;$pieceName$ goes up;;;;false", "-1"),
    ("sendto;Send;83,130;Main;Land;50;50;Back;83,195;0;0;0;0;;L;;;;", ";;"),
    ("calcProp;Sum;{Strength+1};", ""),
    ("footprint;84,130;Trail;false;true;10;255,255,255;0,0,0;100;50;20;30;1.0;;;;;true", "false;;0;false;0"),
)

TRAITS = (
    layer,
    layer,
    layer,
    old_layer,
    marker,
    marker,
    dynamic,
    dynamic,
    text,
    text,
    called,
    message,
    facing,
    inert,
    inert,
)


def _flag(value: bool) -> str:
    return "true" if value else "false"
