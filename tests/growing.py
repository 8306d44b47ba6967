"""A small game whose parts can each be made larger, sound or with a mistake in each entry, to see how the work on it grows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .folders import written

PARTS = (
    "tracks", "choices", "nations", "colours", "figures", "units", "cells", "hexes", "hexsides", "rulings", "rules", "symbols",
    "statuses", "setups", "placed", "charts",
)  # fmt: skip
"""What a game has many of; `placed` are the units of its first set-up."""
_SVG = '<svg viewBox="0 0 60 40"><path d="M0 0L60 40"/></svg>'
_ABREAST = 4


def game_in(folder: Path, sizes: Mapping[str, int], *, wrong: bool = False) -> Path:
    """Write the game into a folder. sizes: how many it has of a part, 3 by default; wrong: whether each of these is a mistake."""
    files = _Files({part: sizes.get(part, 3) for part in PARTS}, {*sizes} if wrong else set())
    return written(folder, {**files.data(), **files.board(), **files.symbols(), **files.setups()})


def _hex(number: int) -> str:
    return f"{number % _ABREAST + 1:02}{number // _ABREAST + 1:02}"


class _Files:
    """The texts of the game's files by their names."""

    def __init__(self, sizes: Mapping[str, int], wrong: set[str]) -> None:
        self.sizes, self.wrong = sizes, wrong
        self.rows = 2 + max(sizes["hexes"], sizes["hexsides"], sizes["placed"]) // _ABREAST
        self.grid = f'[grid]\nformat = "{{column:02}}{{row:02}}"\ncolumns = [1, {_ABREAST}]\nrows = [1, {self.rows}]'

    @property
    def nations(self) -> list[str]:
        return ["red", *(f"nation{n}" for n in range(max(self.sizes["nations"], self.sizes["colours"])))]

    def many(self, part: str, entry: str, fault: str) -> list[str]:
        """So many entries of a part, `@` standing for their number, or as many mistakes."""
        return [(fault if part in self.wrong else entry).replace("@", str(n)) for n in range(self.sizes[part])]

    def data(self) -> dict[str, str]:
        titles = ", ".join(self.many("setups", '["start@.pos", "Start @"]', '["lost@.pos", "Start @"]'))
        cells = self.many("cells", "w@,back,illustrative", "v@,back,illustrative")
        keys = f'keys = [{{ name = "odds", values = {[f"w{n}" for n in range(self.sizes["cells"])]} }}]'
        fields = 'fields = [{ name = "result", values = ["back", "hold"] }]'
        return {
            "game.toml": "\n".join([
                'title = "Heath"', 'about = "Sheep."', 'roster = [{ file = "roster.csv", source = "illustrative" }]', self.grid,
                "[sides]", f"one = {['natoin' + name for name in self.nations] if 'nations' in self.wrong else self.nations}",
                "[figures]", *self.many("figures", 'figure@ = "a meaning"', 'figure@ = ""'),
                "[picture]", 'symbol = "arm"', 'figures = ["steps"]',
                "[picture.colours]", *self.many("colours", 'nation@ = "#00aa00"', 'shade@ = "blue"'),
                "[module]", 'name = "Heath"', 'board = "moor"', "hex = 30", "counter = 30", 'palettes = ["nation"]', f"setups = [{titles}]",
            ]),
            "tracks.toml": self.tracks(),
            "charts.toml": "\n".join(
                [
                    f'[crt]\ntitle = "crt"\nfile = "crt.csv"\n{keys}\n{fields}',
                    *self.many("charts", f'[c@]\ntitle = "c"\n{keys}\n{fields}', f'[c@]\ntitle = "c"\nkeys = []\n{fields}'),
                ]
            ),
            "crt.csv": "\n".join(["odds,result,source", *cells]),
            "roster.csv": "\n".join(
                ["unit,nation,arm,steps", "First,red,arm0,1", *self.many("units", "U@,red,arm0,2", "U@,rde@,arm0,2")]
                + [f"P{n},red,arm0,3" for n in range(self.sizes["placed"])]
            ),
            "rulings.csv": "\n".join(
                ["id,rule,doubt,readings,default,authority", *self.many("rulings", "r@,1,?,a: b; c: d,a,sense", "r@,1,?,a: b,z@,sense")]
            ),
            "rules.csv": "\n".join(["rule,kind,title,left_out", *self.many("rules", "@.1,compute,title,", "@.1,compute")]),
        }  # fmt: skip

    def tracks(self) -> str:
        arms = [f"arm{n}" for n in range(self.sizes["symbols"])] + [f"{n} of {n}" for n in range(self.sizes["choices"])]
        printed = 'on = "unit"\nprinted = "counter"'
        tracks = {
            "nation": f'{printed}\nkind = "choice"\nvalues = {self.nations}',
            "arm": f'{printed}\nkind = "choice"\nvalues = {arms}',
            "steps": f'{printed}\nkind = "integer"\nleast = 1\nmost = 4',
            "terrain": 'on = "hex"\nkind = "choice"\nprinted = "map"\nvalues = ["clear", "wood"]',
            "river": 'on = "hexside"\nkind = "flag"\nprinted = "map"',
            "works": 'on = "hex"\nkind = "flag"\nabsent = false\nlasts = true\nmodule = { menu = ["Dig"] }',
        }
        flag = 'on = "unit"\nkind = "flag"\nabsent = false'
        facts = self.many("tracks", f"[fact@]\n{flag}\nlasts = true", f'[fact@]\n{flag}\nends_with = ["turn@"]')
        shown = f'[status@]\n{flag}\nlasts = true\nmodule = {{ menu = ["Line @"]'
        facts += self.many("statuses", f"{shown} }}", f'{shown}, keys = ["C"] }}')
        named = [f"[{name}]\n{said}" for name, said in tracks.items()]
        return "\n".join(
            entry.replace("]\n", f']\ntitle = "{entry[1 : entry.index("]")]}"\n', 1) for entry in [*named, *facts]
        )

    def board(self) -> dict[str, str]:
        letter, step = "x" if "hexes" in self.wrong else "c", 2 if "hexsides" in self.wrong else 1
        sides = [f"{_hex(n)}|{_hex(n + step * _ABREAST)} river" for n in range(self.sizes["hexsides"])]
        head = f'title = "Moor"\nsource = "illustrative"\nwhole = ["river"]\n{self.grid}\n[terrain]\nc = "clear"'
        columns = " ".join(f"{n + 1:02}" for n in range(_ABREAST))
        letters = [
            " ".join([f"{row + 1:02}", *[letter + str(row) * (letter == "x")] * _ABREAST]) for row in range(self.rows)
        ]
        return {
            "boards/moor/board.toml": head,
            "boards/moor/terrain.txt": "\n".join([columns, *letters]),
            "boards/moor/rivers.lines": "\n".join(sides),
        }

    def symbols(self) -> dict[str, str]:
        svg = "<svg>" if "symbols" in self.wrong else _SVG
        return {f"symbols/arm{n}.svg": svg for n in range(self.sizes["symbols"])}

    def setups(self) -> dict[str, str]:
        head = "game heath\nboard moor\n"
        units = self.many("placed", "P@ status0", "P@ staatus@")
        first = head + "\n".join(f"{_hex(n)}: {unit}\n{_hex(n)} works" for n, unit in enumerate(units))
        others = self.sizes["setups"] - 1
        return {"start0.pos": first} | {f"start{n + 1}.pos": f"{head}0101: First" for n in range(others)}
