"""The nation and side of each piece of a module, from the table `pieces.csv` or from signs such as shared words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

from assistant.formats.vassal.modules import Module
from assistant.formats.vassal.traits import Trait
from assistant.util.datafiles import read_rows
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.notes import note
from assistant.util.patterns import late_pattern

from .kinds import NATIONS, SIDES, PieceKind, Pieces
from .names import WORDS, Names, clean_text, is_coalition, is_known_nation, may_be_nation, slug, word_of

PIECES = "pieces.csv"
COLUMNS = ("piece", "nation", "side", "unit")
NONE = "none"
"""The entry of a piece without a nation or a side, or of one that is not a unit."""
_Key = TypeVar("_Key")
_MAX_WORDS = 40
"""The maximum number of words of one property or one level of tabs."""
_MIN_PIECES = 2
"""The number of pieces a trait must be on to say anything of further ones."""
_NO_NAME = late_pattern("-?[0-9]*|true|false|yes|no|none")
"""The value of a property that is not a name."""
_RESERVED_WORDS = ("umpire", "nobody", "somebody", "none")
"""Words that no side gets."""
_Word = TypeVar("_Word", bound=Hashable)
Owned = Mapping[PieceKind, str]
"""The word of the nation or side, by piece."""


class PieceRow(NamedTuple):
    """A row of the table. Without a piece it gives the side of a nation."""

    piece: str
    nation: str = ""
    side: str = ""
    unit: str = ""
    where: Where = Where(PIECES)


class StatedPieces(NamedTuple):
    """The statements of the table on pieces and nations."""

    nations: Annotated[dict[PieceKind, str], note("the nation as written, or NONE, as in `sides`")]
    sides: dict[PieceKind, str]
    sides_of_nations: Annotated[dict[str, str], note("the side of each nation, by its word")]
    units: Annotated[dict[PieceKind, PieceRow], note("rows with another name for a piece, or that make it a marker")]
    rows: Sequence[PieceRow]

    @property
    def named_sides(self) -> list[str]:
        """The sides that the table names."""
        return [side for side in (*self.sides.values(), *self.sides_of_nations.values()) if side != NONE]


class Sides(NamedTuple):
    """The sides with their nations and titles."""

    nations: dict[str, tuple[str, ...]]
    titles: dict[str, str]


class Owners(NamedTuple):
    """The nations and sides of pieces."""

    nations: Annotated[Owned, note("the known nations")]
    titles: Annotated[Mapping[str, str], note("the titles of nations, by word")]
    sides: Sides
    idle: Annotated[Sequence[str], note("the sides without pieces")]
    unknown: Annotated[Sequence[PieceRow], note("rows to fill in: pieces without a known nation or side")]
    table: Annotated[Sequence[PieceRow], note("the rows to fill in and the stated rows")]
    properties: Annotated[frozenset[str], note("the names of properties that give only the nation or side, as words")]
    guessed: Annotated[Mapping[str, str], note("the tabs whose titles were taken for nations, by the nation's word")]

    @property
    def sides_by_unit(self) -> dict[str, str]:
        """The side of each unit that has one in the game."""
        side_of = {nation: side for side, nations in self.sides.nations.items() for nation in nations}
        return {kind.unit: side_of[nation] for kind, nation in self.nations.items() if nation in side_of}


def find_owners(
    kinds: Sequence[PieceKind],
    module: Module,
    stacks: Sequence[Sequence[PieceKind]],
    stated: StatedPieces,
    *,
    with_sides: bool = True,
) -> Owners:
    """Return the nations and sides of pieces.

    `kinds`: the pieces that are units.
    `stacks`: the pieces in one place in a set-up.
    `stated`: the statements of the table.
    `with_sides`: whether the game may have sides.
    """
    finder = _Finder(kinds, module, stacks, stated)
    nations = finder.nations()
    sides = finder.sides(nations) if with_sides else None
    for kind in finder.find_strangers(sides or {}):
        nations.pop(kind, None)
        (sides or {}).pop(kind, None)
    return finder.owners(nations, sides)


class _Finder:
    """A search for the nations and sides of pieces."""

    def __init__(
        self,
        kinds: Sequence[PieceKind],
        module: Module,
        stacks: Sequence[Sequence[PieceKind]],
        stated: StatedPieces,
    ) -> None:
        self._kinds, self._stacks, self._stated = kinds, stacks, stated
        self._decks = {(clean_text(start.name),) for start in module.starts if start.deck}  # each as a `PieceKind.path`
        titles = filter(None, map(clean_text, (*module.controls.sides, *stated.named_sides)))
        self._sides = {word_of(title): title for title in titles}
        self._titles: dict[str, str] = {}  # the titles of nations, by word
        self._properties = _read_properties(kinds)
        self._firm: set[PieceKind] = set()  # pieces with an owner stated by the module or the table
        self._guessed: dict[str, str] = {}  # the tab whose title was taken for a nation, by the nation's word

    # --- nations ------------------------------------------------------------------------------------------------------

    def _name_nation(self, title: str) -> str:
        word = word_of(title)
        self._titles.setdefault(word, title)
        return word

    def nations(self) -> dict[PieceKind, str]:
        """Return the nation of each piece, by signs, else by its stack."""
        titles = {kind: title for kind in self._kinds if (title := self._say_nation(kind))}
        within = self._read_tabs_of_sides()
        for kind in within:
            # A tab within that of a side says more than a property that names the side alone.
            if kind not in self._stated.nations and word_of(titles.get(kind, "")) in self._sides:
                del titles[kind]
        own = {kind: self._name_nation(title) for kind, title in titles.items()}
        tabs = {kind: word for kind, word in self._read_tabs(own, within).items() if kind not in own}
        self._firm |= {*own, *tabs}
        known = self._read_stacks(self._extend_owners(own, tabs, self._titles))
        return {kind: word for kind, word in known.items() if self._stated.nations.get(kind) != NONE}

    def _say_nation(self, kind: PieceKind) -> str:
        """Return the nation of a piece from the table or a property, or ""."""
        if (stated := self._stated.nations.get(kind, "")) and stated != NONE:
            return stated
        properties = self._properties.get(kind, {})
        return next((properties[name] for name in (*NATIONS, *SIDES) if name in properties), "")

    def _list_palettes(self) -> tuple[list[PieceKind], list[PieceKind]]:
        """Return the pieces of the palettes, and those of them that set-ups have. A deck is not a palette."""
        palettes = [kind for kind in self._kinds if kind.path and kind.path not in self._decks]
        in_setups = {kind for stack in self._stacks for kind in stack}
        return palettes, [kind for kind in palettes if kind in in_setups]

    def _read_tabs_of_sides(self) -> dict[PieceKind, str]:
        """Return the tab within that of its side that names the nation of a piece, or "" if only others have one."""
        palettes, in_setups = self._list_palettes()
        branches = {
            kind: branch
            for kind in palettes
            if (branch := _find_branch(kind.path, self._sides)) and len(branch) <= len(kind.path)
        }
        return _find_nations_within(branches, [kind for kind in in_setups if kind in branches])

    def _read_tabs(self, own: Owned, within: Mapping[PieceKind, str]) -> dict[PieceKind, str]:
        """Return the nation of each piece from its tabs.

        A tab within that of its side comes first. Next, the first tab on the path that names a nation or side decides,
        then the nation that all pieces of the tab with a nation share. Otherwise the tab's own name is the nation, if
        it may be one and no tab of its level has a nation of another name. The level is the first at which units of the
        set-ups differ.

        `within`: the tabs within those of sides.
        """
        listed = [kind for kind in self._kinds if kind.path]
        palettes, in_setups = self._list_palettes()
        level = _find_level(in_setups)
        if level < 0:
            level = _find_level(palettes)
        groups: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for kind in palettes:
            groups[kind.path[: level + 1]] |= {own[kind]} if kind in own else set()
        names = {**self._sides, **self._titles}
        are_nations = all(
            not held or held == {find_named("".join(path[level:]), names)} for path, held in groups.items()
        )
        found: dict[PieceKind, str] = {}
        for kind in listed:
            if kind in within:
                if title := within[kind]:
                    found[kind] = find_named(title, self._titles) or self._guess_nation(title)
                continue
            named = next(((word, tab) for tab in kind.path if (word := find_named(tab, names))), None)
            held = groups.get(kind.path[: level + 1])
            if named is not None:
                found[kind] = named[0] if named[0] in own.values() else self._name_nation(named[1])
            elif held is not None and len(held) == 1:
                found[kind] = next(iter(held))
            elif held == set() and are_nations and len(kind.path) > level >= 0 and may_be_nation(kind.path[level]):
                found[kind] = self._guess_nation(kind.path[level])
        return found

    def _guess_nation(self, title: str) -> str:
        """Return the word of a nation that a tab's title was taken for."""
        word = self._name_nation(title)
        self._guessed[word] = title
        return word

    # --- sides --------------------------------------------------------------------------------------------------------

    def sides(self, nations: Owned) -> dict[PieceKind, str]:
        """Return the side of each piece from the same signs as its nation, or from a nation on one side.

        The stacks of a nation count only if they agree.
        """
        if not self._sides:
            return {}
        firm = {kind: nation for kind, nation in nations.items() if kind in self._firm}
        own = {kind: word for kind in self._kinds if (word := self._say_side(kind, firm.get(kind, "")))}
        tabs = {
            kind: word
            for kind in self._kinds
            if kind not in own and (word := next(filter(None, (find_named(tab, self._sides) for tab in kind.path)), ""))
        }
        self._firm |= {kind for kind in (*self._stated.sides, *tabs) if kind in own or kind in tabs}
        known = self._extend_owners(own, find_alike(firm, own | tabs) | tabs, self._sides)
        stacked = self._read_stacks(known)
        known |= {kind: word for kind, word in stacked.items() if kind not in nations} | find_alike(nations, stacked)
        return {kind: word for kind, word in known.items() if self._stated.sides.get(kind) != NONE}

    def _say_side(self, kind: PieceKind, nation: str) -> str:
        """Return the side of a piece from the table, a property or the name of its nation, or ""."""
        stated = self._stated.sides.get(kind) or self._stated.sides_of_nations.get(nation, "")
        if stated:
            return word_of(stated) if stated != NONE else ""
        named = {word for text in kind.piece.columns.values() if (word := word_of(text)) in self._sides}
        if len(named) == 1:
            return named.pop()
        return nation and find_named(self._titles[nation], self._sides)

    # --- signs --------------------------------------------------------------------------------------------------------

    def _extend_owners(self, own: Owned, tabs: Owned, names: Mapping[str, str]) -> dict[PieceKind, str]:
        """Return the known owners of pieces, and those that follow for others from signs.

        `names`: the titles by word.
        """
        signs = list_signs(own, tabs, self._kinds, names)
        found = {kind: next(filter(None, (sign(kind) for sign in signs)), "") for kind in self._kinds}
        return {kind: word for kind, word in found.items() if word}

    def _read_stacks(self, known: Owned) -> dict[PieceKind, str]:
        """Return the owners, with those of pieces that share hexes only with one owner's pieces."""
        owners_nearby: dict[PieceKind, set[str]] = defaultdict(set)
        for stack in self._stacks:
            others = {known[kind] for kind in stack if kind in known}
            for kind in stack:
                owners_nearby[kind] |= others
        return {**{kind: word for kind, words in owners_nearby.items() if (word := find_one(words))}, **known}

    def find_strangers(self, sides: Owned) -> set[PieceKind]:
        """Return pieces in a hex with another side whose own side is only inferred from others."""
        strangers: set[PieceKind] = set()
        for stack in self._stacks:
            firm = {sides[kind] for kind in stack if kind in sides and kind in self._firm}
            strangers |= {kind for kind in stack if kind in sides and kind not in self._firm and firm - {sides[kind]}}
        return strangers

    # --- the result ---------------------------------------------------------------------------------------------------

    def owners(self, nations: dict[PieceKind, str], sides: Owned | None) -> Owners:
        """Return the result, in words that a game's files may have.

        A nation on several sides becomes a nation for each. If two sides are known, a piece without a side has no
        nation.

        `sides`: the side of each piece, or None if the game has no sides.
        """
        has_sides, sides = bool(self._sides) and sides is not None, sides or {}
        for kind in self._kinds:
            if kind in sides and kind not in nations and self._stated.nations.get(kind) != NONE:
                nations[kind] = self._name_nation(self._sides[sides[kind]])
        pairs = {kind: (nations[kind], sides.get(kind, "")) for kind in self._kinds if kind in nations}
        is_stated = len({side for _, side in pairs.values()} - {""}) > 1 or (
            bool(pairs) and all(side for _, side in pairs.values())
        )
        pairs = {kind: pair for kind, pair in pairs.items() if pair[1] or not is_stated}
        words = self._give_words(dict.fromkeys(pairs.values()))
        stated: dict[str, tuple[str, ...]] = {}
        if is_stated:
            stated = {side: tuple(words[pair] for pair in words if pair[1] == side) for side in self._sides}
        called = self._call_sides(side for side, some in stated.items() if some)
        unknown = [*self._list_unknown(nations, sides, has_sides=has_sides)]
        return Owners(
            {kind: words[pair] for kind, pair in pairs.items()},
            {words[pair]: self._title_nation(pair, words) for pair in words},
            Sides(
                {called[side]: some for side, some in stated.items() if some},
                {called[side]: self._sides[side] for side in called},
            ),
            [self._sides[side] for side, some in stated.items() if not some],
            unknown,
            self._write_table(unknown),
            self._find_plain_properties(nations, sides),
            {words[pair]: self._guessed[pair[0]] for pair in words if pair[0] in self._guessed},
        )

    def _give_words(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the word of each nation on its side."""
        pairs, names = [*pairs], Names("nation", form=WORDS)
        several = {word for word, count in Counter(word for word, _ in pairs).items() if count > 1}
        return {
            (word, side): names.give(slug(f"{word} {side}" if word in several and side else word) or "nation")
            for word, side in pairs
        }

    def _title_nation(self, pair: tuple[str, str], words: Iterable[tuple[str, str]]) -> str:
        """Return the title of a nation, with its side if it is on several."""
        word, side = pair
        is_alone = sum(1 for other, _ in words if other == word) == 1 or not side
        return self._titles[word] if is_alone else f"{self._titles[word]} ({self._sides[side]})"

    def _call_sides(self, sides: Iterable[str]) -> dict[str, str]:
        names = Names("side", taken=_RESERVED_WORDS, form=WORDS)
        return {side: names.give(slug(self._sides[side]) or "side") for side in sides}

    def _list_unknown(self, nations: Owned, sides: Owned, *, has_sides: bool) -> Iterator[PieceRow]:
        """Yield a row for each nation without a known side, and for each other piece that lacks a nation or side.

        Cards in decks are not in play.
        """
        stated = self._stated
        on_sides = {nations[kind] for kind in sides if kind in nations}
        idle = dict[str, None]()
        for kind in self._kinds:
            nation = nations.get(kind, "")
            lacks_nation = not nation and stated.nations.get(kind) != NONE and bool(nations or self._sides)
            lacks_side = bool(nation) and has_sides and kind not in sides and stated.sides.get(kind) != NONE
            if lacks_side and nation not in on_sides:
                idle[nation] = None
            elif (lacks_nation or lacks_side) and kind.path not in self._decks:
                row = stated.units.get(kind, PieceRow(kind.unit))
                yield row._replace(nation=self._titles.get(nation, ""), side=self._sides.get(sides.get(kind, ""), ""))
        yield from (PieceRow("", self._titles[nation]) for nation in idle)

    def _write_table(self, unknown: Sequence[PieceRow]) -> list[PieceRow]:
        """Return the stated rows, and those to fill in."""
        again = {(row.piece, row.piece or row.nation) for row in unknown}
        return [*(row for row in self._stated.rows if (row.piece, row.piece or row.nation) not in again), *unknown]

    def _find_plain_properties(self, nations: Owned, sides: Owned) -> frozenset[str]:
        """Return the properties that give only the nation or the side of each piece."""
        plain, other = set[str](), set[str]()
        for kind, properties in self._properties.items():
            for name, value in properties.items():
                known = {nations.get(kind, ""), sides.get(kind, "")}
                (plain if word_of(value) in known else other).add(name)
        return frozenset(plain - other)


def _read_properties(kinds: Sequence[PieceKind]) -> dict[PieceKind, dict[str, str]]:
    """Return the properties of pieces that may name owners, by their names as words."""
    owner_values: dict[PieceKind, dict[str, str]] = {}
    values: dict[str, set[str]] = defaultdict(set)
    for kind in kinds:
        found = {slug(column): value for column, value in kind.piece.columns.items()}
        owner_values[kind] = {
            name: found[name] for name in (*NATIONS, *SIDES) if not _NO_NAME.fullmatch(slug(found.get(name, "")))
        }
        for name, value in owner_values[kind].items():
            values[name].add(value)
    too_varied = {name for name, distinct in values.items() if len(distinct) > _MAX_WORDS}
    return {
        kind: {name: value for name, value in found.items() if name not in too_varied}
        for kind, found in owner_values.items()
    }


def _find_level(listed: Sequence[PieceKind]) -> int:
    """Return the first level of the palettes at which several tabs, but not too many, may be nations, or -1."""
    for depth in range(max((len(kind.path) for kind in listed), default=0)):
        titles = {kind.path[depth] for kind in listed if len(kind.path) > depth}
        if sum(map(may_be_nation, titles)) > 1 and len(titles) <= _MAX_WORDS:
            return depth
    return -1


def _find_branch(path: tuple[str, ...], sides: Mapping[str, str]) -> tuple[str, ...]:
    """Return the path to the first tab that names a side or an alliance, or () if none does."""
    return next(
        (path[: depth + 1] for depth, title in enumerate(path) if find_named(title, sides) or is_coalition(title)), ()
    )


def _find_nations_within(
    branches: Mapping[PieceKind, tuple[str, ...]], deciding: Sequence[PieceKind]
) -> dict[PieceKind, str]:
    """Return the tab within that of its side that names the nation of each piece, or "" if only others have one.

    Pieces of a side whose tabs name no nations are left out.

    `branches`: the path to the tab of its side, by piece.
    `deciding`: the pieces of set-ups, which show whether the tabs of their side name nations.
    """
    parents: dict[tuple[tuple[str, ...], int, str], set[tuple[str, ...]]] = defaultdict(set)
    holders: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for kind, branch in branches.items():
        for depth in range(len(branch), len(kind.path)):
            parents[branch, depth, kind.path[depth]].add(kind.path[:depth])
            holders[kind.path[depth]].add(branch)

    def may_name(title: str) -> bool:
        return may_be_nation(title) and (len(holders[title]) == 1 or is_known_nation(title))

    recurring: dict[tuple[str, ...], int] = {}
    for (branch, depth, title), outer in parents.items():
        if len(outer) > 1 and may_name(title):
            recurring[branch] = min(depth, recurring.get(branch, depth))

    def find_depth(kind: PieceKind) -> int:
        """Return the depth of the tab with a known nation, or else of the titles that recur, or -1."""
        path, branch = kind.path, branches[kind]
        depths = [depth for depth in range(len(branch), len(path)) if may_name(path[depth])]
        known = (
            depth
            for depth in depths
            if is_known_nation(path[depth]) and not find_named(path[depth], {word_of(branch[-1]): ""})
        )
        depth = next(known, recurring.get(branch, depths[0] if depths else -1))
        return depth if depth in depths else -1

    depths = {kind: find_depth(kind) for kind in branches}
    found: dict[PieceKind, str] = {}
    for branch in dict.fromkeys(branches.values()):
        those = [kind for kind, other in branches.items() if other == branch]
        shown = [kind for kind in deciding if branches[kind] == branch] or those
        if _shows_nations(branch, shown, depths, recurs=branch in recurring):
            found |= {kind: kind.path[depths[kind]] if depths[kind] >= 0 else "" for kind in those}
    return found


def _shows_nations(
    branch: tuple[str, ...], kinds: Sequence[PieceKind], depths: Mapping[PieceKind, int], *, recurs: bool
) -> bool:
    """Return whether the tabs within that of a side name nations: those of an alliance, known ones, or recurring ones.

    `kinds`: the pieces of the side.
    `depths`: the depth of the tab that may name the nation of each piece, or -1.
    `recurs`: whether titles recur in several tabs of the side.
    """
    side = branch[-1]
    titles = {kind.path[depths[kind]] for kind in kinds if depths[kind] >= 0}
    covered = sum(depths[kind] >= 0 for kind in kinds)
    if not titles or 2 * covered <= len(kinds) or len(titles) > _MAX_WORDS:
        return False
    known = [title for title in titles if is_known_nation(title) and not find_named(title, {word_of(side): side})]
    if is_coalition(side) or 2 * len(known) >= len(titles):
        return True
    are_deeper = all(depths[kind] != len(branch) for kind in kinds)
    return not is_known_nation(side) and (recurs or are_deeper)


def list_signs(
    own: Owned, tabs: Owned, kinds: Sequence[PieceKind], names: Mapping[str, str]
) -> list[Callable[[PieceKind], str]]:
    """Return functions that give the owner of a piece, the surest first.

    They use the piece itself, pieces of the same definition or picture, its prototypes, its traits, its tab, and its
    stack and window at the start.

    `own`: the owners that pieces state.
    `tabs`: the owners by tab.
    `kinds`: all pieces.
    `names`: the titles of nations or sides by word.
    """
    base = {**tabs, **own}
    listed = {kind: word for kind, word in base.items() if kind.path}
    return [
        lambda kind: own.get(kind, ""),
        _by_likeness(listed, listed, lambda kind: (kind.name, kind.piece.front, kind.piece.back)),
        _by_likeness(base, kinds, lambda kind: kind.piece.front),
        lambda kind: find_one(find_named(name, names) for name in kind.prototypes),
        _by_traits(base, kinds),
        lambda kind: tabs.get(kind, ""),
        lambda kind: find_one(find_named(name, names) for name in kind.start_names),
    ]


def find_named(text: str, names: Mapping[str, str]) -> str:
    """Return the word of the nation or side that a text names, or "" for none or several."""
    word = word_of(text)
    if word in names:
        return word
    return find_one(name for name in names if _shares_words(word, name))


def _shares_words(one: str, other: str) -> bool:
    """Return whether a name has all words of another, or shares the beginning of one: `german-units` and `germany`."""
    words, others = one.split("-"), other.split("-")
    alike = (a.startswith(b[:5]) or b.startswith(a[:5]) for a in words for b in others if min(len(a), len(b)) > 3)
    return {*others} <= {*words} or any(alike)


def find_one(words: Iterable[str]) -> str:
    """Return the only word, or "" for none or several."""
    distinct = {*words} - {""}
    return distinct.pop() if len(distinct) == 1 else ""


def find_alike(nations: Owned, sides: Owned) -> dict[PieceKind, str]:
    """Return the side of each piece of a nation whose known pieces are all on one side."""
    of_nations = _find_common((nation, sides.get(kind, "")) for kind, nation in nations.items())
    return {kind: of_nations[word] for kind, word in nations.items() if word in of_nations}


def _find_common(pairs: Iterable[tuple[_Word, str]]) -> dict[_Word, str]:
    """Return the second word of pairs with the same first word, if it is always the same."""
    held: dict[_Word, set[str]] = defaultdict(set)
    for key, word in pairs:
        held[key].add(word)
    return {key: word for key, words in held.items() if (word := find_one(words))}


def _by_likeness(
    known: Owned, kinds: Iterable[PieceKind], likeness: Callable[[PieceKind], Hashable]
) -> Callable[[PieceKind], str]:
    """Return a function that gives a piece the owner of similar pieces with a face, if half of these are known.

    `kinds`: all pieces.
    """
    common = _find_common((likeness(kind), word) for kind, word in known.items() if kind.piece.front)
    few = Counter(likeness(kind) for kind in kinds)
    few.subtract(likeness(kind) for kind in known for _ in range(2))
    return lambda kind: common.get(likeness(kind), "") if kind.piece.front and few[likeness(kind)] <= 0 else ""


def _by_traits(known: Owned, kinds: Iterable[PieceKind]) -> Callable[[PieceKind], str]:
    """Return a function that gives a piece the owner of its traits.

    A trait has an owner if all known pieces with it do, and at least half of its pieces are known.

    `kinds`: all pieces.
    """
    held: dict[str | Trait, list[str]] = defaultdict(list)
    for kind, word in known.items():
        for trait in kind.traits:
            held[trait].append(word)
    count = Counter(trait for kind in kinds for trait in kind.traits)
    are_several = len({*known.values()}) > 1  # with a single owner every trait would be a sign
    signs = {
        trait: words[0]
        for trait, words in held.items()
        if are_several and len(words) >= _MIN_PIECES and 2 * len(words) >= count[trait] and len({*words}) == 1
    }
    return lambda kind: find_one(signs.get(trait, "") for trait in kind.traits)


def read_pieces(file: Path) -> list[PieceRow]:
    """Return the rows of a table that state something.

    Raises InputError, with file and line, if a row cannot be used.
    """
    rows = list[PieceRow]()
    for row, where in read_rows(file, COLUMNS[:1], str(file), optional=COLUMNS[1:]):
        for column in row:
            if column not in COLUMNS:
                what, hint = f"unknown column {column!r}", format_suggestion(column, COLUMNS)
                raise InputError(what, where=where._replace(line=1), hint=hint)
        piece, nation, side, unit = (clean_text(row.get(column, "")) for column in COLUMNS)
        read = PieceRow(piece, nation, side, unit, where)
        if not read.piece and read.unit:
            what = "the row has a unit, but no piece"
            raise InputError(what, where=where, hint="write the piece as the import lists it")
        if not read.piece and read.side and not read.nation:
            what = "the row has a side, but neither a piece nor a nation"
            raise InputError(what, where=where, hint="write the piece as the import lists it, or a nation")
        if read.side or read.unit or (read.piece and read.nation):
            rows.append(read)
    return rows


def match_rows(rows: Sequence[PieceRow], pieces: Pieces) -> StatedPieces:
    """Return the statements of rows on pieces, named by their unit or by their name in the module.

    Several pieces may share a name in the module.

    Raises InputError if a piece is unknown, or if two rows disagree.
    """
    named: dict[str, list[PieceKind]] = defaultdict(list)
    for kind in pieces.kinds:
        named[kind.name.casefold()].append(kind)
    named |= {kind.unit.casefold(): [kind] for kind in pieces.kinds if kind.unit}
    found = StatedPieces({}, {}, {}, {}, rows)
    for row in rows:
        if not row.piece:
            _note_value(found.sides_of_nations, word_of(row.nation), row.side, row)
            continue
        kinds = named.get(row.piece.casefold())
        if not kinds:
            known = {unit for kind in pieces.kinds if (unit := kind.unit or kind.name)}
            what = f"the module has no piece {row.piece!r}"
            raise InputError(what, where=row.where, hint=format_suggestion(row.piece, known))
        if row.unit and len(kinds) > 1:
            what = f"{len(kinds)} pieces are called {row.piece!r}"
            hint = f"name one of them: {', '.join(kind.unit for kind in kinds if kind.unit)}"
            raise InputError(what, where=row.where, hint=hint)
        for kind in kinds:
            _note_value(found.nations, kind, row.nation, row)
            _note_value(found.sides, kind, row.side, row)
            if row.unit and found.units.setdefault(kind, row).unit != row.unit:
                raise _make_double_fault(row)
    return found


def _note_value(values: dict[_Key, str], key: _Key, value: str, row: PieceRow) -> None:
    """Note the value of a row.

    Raises InputError if another row has another value.
    """
    plain = NONE if value.casefold() == NONE else value
    if plain and values.setdefault(key, plain) != plain:
        raise _make_double_fault(row)


def _make_double_fault(row: PieceRow) -> InputError:
    what = f"another row says something else of {row.piece or row.nation!r}"
    return InputError(what, where=row.where, hint="leave one of them out")
