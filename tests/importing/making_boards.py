"""Boards of made-up modules: hexes numbered in every way, areas, squares, zones."""

from __future__ import annotations

import re
from typing import NamedTuple

from lxml import etree

from .elements import B, Drawn, M, element, flag, png
from .reading import Grid, Point


class Board(NamedTuple):
    """A board."""

    name: str
    size: Point
    xml: str
    cells: list[Point]
    """Where a piece may lie."""


class Boards(Drawn):
    """Makes boards. oblique: whether their numbers may be of a class that only the newest engine has."""

    def __init__(self, seed: int, *, oblique: bool) -> None:
        super().__init__(seed)
        self.oblique = oblique

    def numbering(self) -> str:
        """Return the numbers of a grid of hexes, none for a board without."""
        way = self.dice.choice(("plain", "plain", "letters", "zero", "descending", "format", "none", "oblique"))
        if way == "oblique" and not self.oblique:
            way = "plain"
        self.note(f"numbers: {way}")
        if way == "none":
            return ""
        given: dict[str, object] = {
            "first": self.dice.choice("HHV"),
            "sep": self.dice.choice(("", "", ".", "-")),
            "hType": "N",
            "vType": "N",
            "hLeading": 1,
            "vLeading": 1,
            "hOff": self.dice.choice((1, 1, 10)),
            "vOff": self.dice.choice((1, 1, 20)),
            "hDescend": "false",
            "vDescend": "false",
            "stagger": flag(self.chance(0.5)),
        }
        if way == "letters":
            given[self.dice.choice(("hType", "vType"))] = "A"
            given |= {"hOff": self.dice.choice((0, 0, 24)), "vOff": self.dice.choice((0, 1))}
        elif way == "zero":
            given |= {"hOff": 0, "vOff": 0}
        elif way == "descending":
            given |= {
                "hDescend": flag(self.chance(0.6)),
                "vDescend": flag(self.chance(0.6)),
                "hOff": self.dice.choice((0, 1, 5)),
            }
        elif way == "format":
            given["locationFormat"] = self.dice.choice(("Hex $gridLocation$", "$column$/$row$", "$row$ $column$"))
        tag = B + ("mapgrid.ObliqueHexGridNumbering" if way == "oblique" else "mapgrid.HexGridNumbering")
        return element(tag, **given)

    def hexes(
        self, name: str, *, like: tuple[dict[str, object], str] | None = None
    ) -> tuple[Board, dict[str, object], str]:
        """Return a board of hexes, with the attributes of its grid and its numbering. like: those of the board beside it."""
        columns, rows = self.dice.randint(4, 9), self.dice.randint(4, 8)
        if like is not None:
            grid, numbering = like
        else:
            dy = self.dice.choice((40.0, 51.3, 60.0, 64.8))
            dx = self.dice.choice((dy * 0.866, dy * 0.866, round(dy * 0.9, 1)))
            sideways = self.chance(0.25)
            if sideways:
                self.note("sideways")
            x0, y0 = self.dice.choice(((0, 0), (int(dx * 0.6), int(dy / 2)), (30, 25)))
            grid = {
                "dx": dx,
                "dy": dy,
                "x0": x0,
                "y0": y0,
                "sideways": flag(sideways),
                "snapTo": "true",
                "visible": "false",
            }
            grid |= {"edgesLegal": "false", "cornersLegal": "false", "dotsVisible": "false", "color": "0,0,0"}
            numbering = self.numbering()
        wide, high = int(float(str(grid["dx"])) * columns), int(float(str(grid["dy"])) * rows)
        size = (high, wide) if grid["sideways"] == "true" else (wide, high)
        return self._board(name, size, grid, numbering), grid, numbering

    def _board(self, name: str, size: Point, grid: dict[str, object], numbering: str) -> Board:
        drawn = element(B + "HexGrid", numbering, **grid)
        read = Grid(etree.fromstring(drawn), size)
        cells = [read.centre((column, row)) for column in range(-1, 40) for row in range(-1, 40)]
        inside = [(x, y) for x, y in cells if 2 < x < size[0] - 2 and 2 < y < size[1] - 2]
        self.files[f"images/{name}.png"] = png(size, (200, 220, 180))
        return Board(name, size, _write_board(name, drawn, reversible=True), inside)

    def areas(self, name: str) -> Board:
        """Return a board of named areas."""
        size, points = (300, 200), [(50 + 90 * n, 60 + 40 * (n % 2)) for n in range(3)]
        names = self.dice.sample(("North", "South & West", "Pool", "Dead pile", "Turn 1", "Rhône", "East"), 3)
        regions = "".join(
            element(B + "Region", name=one, originx=x, originy=y) for one, (x, y) in zip(names, points, strict=True)
        )
        self.files[f"images/{name}.png"] = png(size, (220, 200, 180))
        drawn = element(B + "RegionGrid", regions, snapto="true", visible="false")
        return Board(name, size, _write_board(name, drawn), points)

    def squares(self, name: str) -> Board:
        """Return a board of squares with numbers."""
        size = (240, 180)
        given = {
            "first": "H",
            "sep": self.dice.choice(("", ".")),
            "hType": self.dice.choice("NA"),
            "vType": "N",
            "hOff": 1,
            "vOff": 1,
        }
        given |= {"hLeading": 0, "vLeading": 0, "hDescend": "false", "vDescend": flag(self.chance(0.3))}
        numbered = element(B + "mapgrid.SquareGridNumbering", **given)
        drawn = element(
            B + "SquareGrid", numbered, dx=60.0, dy=60.0, x0=30, y0=30, snapTo="true", visible="false", range="Metric"
        )
        self.files[f"images/{name}.png"] = png(size, (220, 220, 180))
        points = [(30 + 60 * column, 30 + 60 * row) for column in range(4) for row in range(3)]
        return Board(name, size, _write_board(name, drawn), points)

    def zones(self, name: str) -> Board:
        """Return a board of zones, one with areas of its own, one that is a single place."""
        size, points = (300, 200), [(40, 40), (100, 150), (225, 100)]
        regions = "".join(
            element(B + "Region", name=one, originx=x, originy=y)
            for one, (x, y) in zip(("Camp", "Fort é"), points, strict=False)
        )
        own = element(B + "RegionGrid", regions, snapto="true", visible="false")
        zones = element(
            B + "mapgrid.Zone",
            own,
            name="Left",
            locationFormat="$gridLocation$",
            path="0,0;150,0;150,200;0,200",
            useParentGrid="false",
        )
        zones += element(
            B + "mapgrid.Zone",
            name="Right",
            locationFormat="$name$",
            path="150,0;300,0;300,200;150,200",
            useParentGrid="false",
        )
        self.files[f"images/{name}.png"] = png(size, (180, 200, 180))
        drawn = element(B + "ZonedGrid", zones)
        return Board(name, size, _write_board(name, drawn), points)

    def go_on(self, first: Board, grid: dict[str, object], numbering: str) -> Board:
        """Return a board to the right of another on which its hexes and their numbers go on."""
        across = float(str(grid["dy" if grid["sideways"] == "true" else "dx"]))
        columns = round(first.size[0] / across)
        more = columns + columns % 2  # an even number of columns, so that the field goes on
        key = "vOff" if grid["sideways"] == "true" else "hOff"
        moved = re.sub(rf'{key}="(-?\d+)"', lambda found: f'{key}="{int(found[1]) + more}"', numbering)
        shift = round(more * across - first.size[0])
        origin = "y0" if grid["sideways"] == "true" else "x0"
        return self._board("East", first.size, {**grid, origin: int(str(grid[origin])) + shift}, moved)


def _write_board(name: str, drawn: str, *, reversible: bool = False) -> str:
    """Return a board in the build file. drawn: its grid; reversible: whether players may lay it upside down."""
    return element(
        M + "map.boardPicker.Board", drawn, name=name, image=f"{name}.png", reversible="true" if reversible else "false"
    )
