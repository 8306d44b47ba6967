"""Plain drawings with other libraries: `pictures.py LIBRARY SUBJECT NUMBER FOLDER`.

SUBJECT is `counters`, so many two-sided counters (a field with a stripe, a symbol, three figures and a name), or
`board`, so many columns and rows of hexes with their numbers on four terrains. They show less than ours do. reportlab and
fpdf2 write a PDF; Pillow writes a PNG for each face, or one of a board.
"""

import math
import sys
from pathlib import Path

SIDE = 15  # of a counter, in millimetres
HEX = 15  # from flat side to flat side, in millimetres
COLOURS = ("#c9b27c", "#9fb58a", "#8aa5b5", "#d8d2c0")


class Pillow:
    """Draws without antialiasing into a PNG a page, counters at 300 dpi, a hex of a board 72 pixels high."""

    def __init__(self, folder, subject):
        from PIL import Image, ImageDraw, ImageFont

        self.image, self.draw, self.font = Image, ImageDraw.Draw, ImageFont.load_default
        self.folder, self.number, self.fonts = folder, 0, {}
        self.scale = 300 / 25.4 if subject == "counters" else 72 / HEX

    def page(self, width, height):
        """Begin a picture."""
        self.now = self.image.new("RGB", (round(width * self.scale), round(height * self.scale)), "white")
        self.pen = self.draw(self.now)

    def polygon(self, points, fill, line):
        """A closed shape."""
        scaled = [(x * self.scale, y * self.scale) for x, y in points]
        self.pen.polygon(scaled, fill=fill or None, outline=line or None, width=2)

    def text(self, x, y, text, size):
        """A text centred on (x, y)."""
        if size not in self.fonts:
            self.fonts[size] = self.font(size * self.scale)
        self.pen.text((x * self.scale, y * self.scale), text, fill="black", font=self.fonts[size], anchor="mm")

    def done(self):
        """End a picture."""
        self.number += 1
        self.now.save(self.folder / f"{self.number}.png")

    def close(self):
        """Nothing is left to do."""


class ReportLab:
    """Draws into a PDF with its drawing calls."""

    def __init__(self, folder, subject):
        from reportlab.lib.colors import HexColor
        from reportlab.pdfgen.canvas import Canvas

        self.colour, self.canvas = HexColor, Canvas(str(folder / "reportlab.pdf"))
        self.scale = 72 / 25.4

    def page(self, width, height):
        """Begin a page."""
        self.high = height
        self.canvas.setPageSize((width * self.scale, height * self.scale))

    def polygon(self, points, fill, line):
        """A closed shape."""
        path = self.canvas.beginPath()
        for number, (x, y) in enumerate(points):
            (path.lineTo if number else path.moveTo)(x * self.scale, (self.high - y) * self.scale)
        path.close()
        if fill:
            self.canvas.setFillColor(self.colour(fill))
        self.canvas.drawPath(path, fill=int(bool(fill)), stroke=int(bool(line)))

    def text(self, x, y, text, size):
        """A text centred on (x, y)."""
        self.canvas.setFillColor(self.colour("#000000"))
        self.canvas.setFont("Helvetica", size * self.scale)
        self.canvas.drawCentredString(x * self.scale, (self.high - y - size / 3) * self.scale, text)

    def done(self):
        """End a page."""
        self.canvas.showPage()

    def close(self):
        """Write the document."""
        self.canvas.save()


class Fpdf2:
    """Draws into a PDF with its drawing calls."""

    def __init__(self, folder, subject):
        from fpdf import FPDF

        self.pdf, self.target = FPDF(unit="mm"), folder / "fpdf2.pdf"
        self.pdf.set_auto_page_break(False)

    def page(self, width, height):
        """Begin a page."""
        self.pdf.add_page(format=(width, height))

    def polygon(self, points, fill, line):
        """A closed shape."""
        if fill:
            self.pdf.set_fill_color(fill)
        self.pdf.polygon(points, style=("F" if fill else "") + ("D" if line else ""))

    def text(self, x, y, text, size):
        """A text centred on (x, y)."""
        self.pdf.set_font("helvetica", size=size * 72 / 25.4)
        self.pdf.text(x - self.pdf.get_string_width(text) / 2, y + size / 3, text)

    def done(self):
        """A page ends where the next one begins."""

    def close(self):
        """Write the document."""
        self.pdf.output(str(self.target))


LIBRARIES = {"Pillow": Pillow, "reportlab": ReportLab, "fpdf2": Fpdf2}


def box(left, top, width, height):
    """The corners of a rectangle."""
    return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]


def counter(on, left, top, number, back):
    """One face of a counter."""
    on.polygon(box(left, top, SIDE, SIDE), COLOURS[number % 4], "#000000")
    on.polygon(box(left, top, SIDE, 2), COLOURS[(number + 1) % 4], "")
    on.polygon(box(left + 4, top + 4, 7, 4.5), "#ffffff", "#000000")
    on.polygon([(left + 4, top + 4), (left + 11, top + 8.5)], "", "#000000")
    on.polygon([(left + 4, top + 8.5), (left + 11, top + 4)], "", "#000000")
    for place, figure in enumerate((10 - 5 * back, 16 - 8 * back, number % 9)):
        on.text(left + 3 + 4.5 * place, top + 12, str(figure), 3.2)
    on.text(left + SIDE / 2, top + 3, f"{number}/{number % 50}", 1.8)


def counters(on, number, one_by_one):
    """All faces, each a picture of its own or 140 on a page."""
    faces = [(unit, back) for back in (0, 1) for unit in range(number)]
    abreast, on_page = (1, 1) if one_by_one else (10, 140)
    for first in range(0, len(faces), on_page):
        on.page(SIDE * abreast, SIDE * on_page / abreast)
        for place, (unit, back) in enumerate(faces[first : first + on_page]):
            counter(on, place % abreast * SIDE, place // abreast * SIDE, unit, back)
        on.done()


def board(on, number):
    """So many columns and rows of hexes."""
    radius = HEX / math.sqrt(3)
    corners = [(radius * math.cos(turn * math.pi / 3), radius * math.sin(turn * math.pi / 3)) for turn in range(6)]
    on.page(number * radius * 1.5 + radius, (number + 1) * HEX)
    for column in range(number):
        for row in range(number):
            x, y = radius * (1 + 1.5 * column), HEX * (0.5 + row + column % 2 / 2)
            on.polygon([(x + dx, y + dy) for dx, dy in corners], COLOURS[(column * 7 + row * 3) % 4], "#000000")
            on.text(x, y - HEX * 0.36, f"{column + 1:02}{row + 1:02}", 2)
    on.done()


if __name__ == "__main__":
    library, subject, number, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
    drawn = LIBRARIES[library](folder, subject)
    if subject == "counters":
        counters(drawn, number, library == "Pillow")
    else:
        board(drawn, number)
    drawn.close()
