"""A sheet of counters with protograf: `countersheets.py NUMBER FOLDER`.

So many two-sided counters of 15.875 mm, backs beyond a gutter: a field, a symbol, a name and three figures a side. They show less
than ours do, and have neither bleed nor marks.
"""

import os
import sys
from pathlib import Path

number, folder = int(sys.argv.pop(1)), Path(sys.argv.pop(1))
os.environ["HOME"] = str(folder)  # protograf keeps the pages with a gutter in ~/.protograf
(folder / ".protograf").mkdir(exist_ok=True)
os.chdir(folder)

from protograf import Counter, CounterBack, CounterSheet, Create, Data, Save, T, line, rectangle, text  # noqa: E402

SIDE = 1.5875  # in centimetres

Create(filename="protograf.pdf", paper="A4", margin=1)
rows = [
    [n, f"{n}/{n % 40}", f"{n % 20 + 1} {n % 9 + 1} {n % 7 + 1}", f"{n % 10 + 1} {n % 5 + 1} 1"] for n in range(number)
]
Data(data_list=[["ID", "name", "front", "back"], *rows])
CounterSheet(width=SIDE, height=SIDE, fill="#bcc1b6", stroke=None, gutter=1.0)
face = [
    rectangle(x=0, y=0, width=SIDE, height=SIDE, fill_stroke="#bcc1b6"),
    rectangle(x=0.45, y=0.35, width=0.68, height=0.45, fill="white", stroke="black"),
    line(x=0.45, y=0.35, x1=1.13, y1=0.8),
    line(x=0.45, y=0.8, x1=1.13, y1=0.35),
    text(x=0.79, y=1.05, font_size=6, text=T("{{name}}")),
]
Counter("*", *face, text(x=0.79, y=1.4, font_size=10, text=T("{{front}}")))
CounterBack("*", *face, text(x=0.79, y=1.4, font_size=10, text=T("{{back}}")))
Save()
