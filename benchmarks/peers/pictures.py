"""Plain counters with other libraries: `pictures.py LIBRARY NUMBER FOLDER [MODULE]`.

So many two-sided counters: a field with a stripe, a symbol, three figures and a name. They show less than ours do. reportlab writes them on
pages of a PDF; Pillow writes a PNG for each picture of counters in MODULE, of its size.
"""

import sys
import zipfile
from pathlib import Path

SIDE = 15  # of a counter, in millimetres
ON_PAGE = 140
COLOURS = ("#c9b27c", "#9fb58a", "#8aa5b5", "#d8d2c0")


class Pillow:
    """Draws without antialiasing into a PNG a counter."""

    def __init__(self, folder):
        from PIL import Image, ImageDraw, ImageFont

        self.image, self.draw, self.font = Image, ImageDraw.Draw, ImageFont.load_default
        self.folder, self.number, self.fonts = folder, 0, {}

    def begin(self, pixels):
        """Begin a picture."""
        self.scale = pixels / SIDE
        self.now = self.image.new("RGB", (pixels, pixels), "white")
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

    def end(self):
        """End a picture."""
        self.number += 1
        self.now.save(self.folder / f"{self.number}.png")


class ReportLab:
    """Draws into a PDF with its drawing calls."""

    def __init__(self, folder):
        from reportlab.lib.colors import HexColor
        from reportlab.pdfgen.canvas import Canvas

        self.colour, self.canvas = HexColor, Canvas(str(folder / "reportlab.pdf"))
        self.scale, self.high = 72 / 25.4, SIDE * ON_PAGE / 10
        self.canvas.setPageSize((SIDE * 10 * self.scale, self.high * self.scale))

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


def with_reportlab(number, folder):
    """All faces on pages of a PDF."""
    on = ReportLab(folder)
    for place, (back, unit) in enumerate((back, unit) for back in (0, 1) for unit in range(number)):
        counter(on, place % 10 * SIDE, place % ON_PAGE // 10 * SIDE, unit, back)
        if place % ON_PAGE == ON_PAGE - 1:
            on.canvas.showPage()
    on.canvas.save()


def with_pillow(number, folder, module):
    """A picture for each one of counters in the module, of its size."""
    on = Pillow(folder)
    with zipfile.ZipFile(module) as pictures:
        for name in pictures.namelist():
            if name.endswith(("-front.png", "-back.png")):
                on.begin(int.from_bytes(pictures.read(name)[16:20]))
                counter(on, 0, 0, on.number % number, name.endswith("-back.png"))
                on.end()


if __name__ == "__main__":
    library, number, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    if library == "reportlab":
        with_reportlab(number, folder)
    else:
        with_pillow(number, folder, sys.argv[4])
